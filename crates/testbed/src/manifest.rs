//! Objects in YAML files as Karmada ships them: just enough of a look to know where each of them goes.

use crate::error::Error;

/// Where objects of a kind live in the API; those that occur.
const PATHS: &[(&str, &str)] = &[
    ("CustomResourceDefinition", "/apis/apiextensions.k8s.io/v1/customresourcedefinitions"),
    ("MutatingWebhookConfiguration", "/apis/admissionregistration.k8s.io/v1/mutatingwebhookconfigurations"),
    (
        "ValidatingWebhookConfiguration",
        "/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations",
    ),
    ("ClusterRole", "/apis/rbac.authorization.k8s.io/v1/clusterroles"),
    ("ClusterRoleBinding", "/apis/rbac.authorization.k8s.io/v1/clusterrolebindings"),
];

#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Object {
    pub(crate) kind: String,
    pub(crate) name: String,
    pub(crate) text: String,
}

impl Object {
    /// Its own path in the API.
    pub(crate) fn path(&self) -> Result<String, Error> {
        let found = PATHS.iter().find(|(kind, _)| *kind == self.kind);
        let (_, list) = found.ok_or_else(|| {
            Error::Plan(format!("nobody has said where a {} goes ({})", self.kind, self.name))
        })?;
        Ok(format!("{list}/{}", self.name))
    }
}

/// The objects in a file. They are written by tools with one habit: two spaces, and the name directly below `metadata`.
pub(crate) fn objects(file: &str) -> Vec<Object> {
    file.split("\n---").filter_map(object).collect()
}

fn object(document: &str) -> Option<Object> {
    let kind = document.lines().find_map(|line| line.strip_prefix("kind: "))?;
    let metadata = document.lines().skip_while(|line| *line != "metadata:").skip(1);
    let name =
        metadata.take_while(|line| line.starts_with(' ')).find_map(|line| line.strip_prefix("  name: "))?;
    let plain = |text: &str| text.trim().trim_matches('"').to_owned();
    // What follows the dashes of a separator belongs to no object.
    let text = document.trim_start_matches('-').to_owned();
    Some(Object { kind: plain(kind), name: plain(name), text })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_object_of_a_file_is_found() {
        let file = "# words\n\nkind: ClusterRole\nmetadata:\n  labels:\n    name: other\n  name: one\nrules: []\n\
                    ---\nkind: Odd\nmetadata:\n  name: \"two\"\n---\n# nothing\n";
        let found = objects(file);
        let names: Vec<(&str, &str)> =
            found.iter().map(|object| (object.kind.as_str(), object.name.as_str())).collect();
        assert_eq!(names, [("ClusterRole", "one"), ("Odd", "two")]);
        assert_eq!(found[0].path().unwrap(), "/apis/rbac.authorization.k8s.io/v1/clusterroles/one");
        assert!(found[1].path().unwrap_err().to_string().contains("where a Odd goes (two)"));
    }
}
