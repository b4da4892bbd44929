//! Choosing objects by their labels and by a few of their fields.

use super::answer::Refusal;
use super::kinds::Resource;
use serde_json::Value;

/// A selector is a line that somebody types; what is longer is none.
const LONGEST: usize = 8 * 1024;

/// What an object must be like.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Selector {
    labels: Vec<Requirement>,
    fields: Vec<(String, bool, String)>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Requirement {
    key: String,
    rule: Rule,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Rule {
    In(Vec<String>),
    /// Whoever does not have the label fits, too.
    NotIn(Vec<String>),
    Exists,
    Missing,
}

impl Selector {
    pub(super) fn parse(
        resource: Resource,
        labels: Option<&str>,
        fields: Option<&str>,
    ) -> Result<Self, Refusal> {
        if labels.into_iter().chain(fields).any(|text| text.len() > LONGEST) {
            return Err(Refusal::bad(format!("a selector has at most {LONGEST} bytes")));
        }
        Ok(Self {
            labels: parse_labels(labels.unwrap_or_default())?,
            fields: parse_fields(resource, fields.unwrap_or_default())?,
        })
    }

    pub(super) fn fits(&self, object: &Value) -> bool {
        let labels = &object["metadata"]["labels"];
        let fits =
            |(path, equal, value): &(String, bool, String)| (text_at(object, path) == *value) == *equal;
        self.labels.iter().all(|one| one.fits(labels[&one.key].as_str())) && self.fields.iter().all(fits)
    }

    /// The name that is asked for, if one is.
    pub(super) fn name(&self) -> Option<&str> {
        let named = self.fields.iter().find(|(path, equal, _)| path == "metadata.name" && *equal);
        named.map(|(_, _, name)| name.as_str())
    }
}

impl Requirement {
    fn fits(&self, value: Option<&str>) -> bool {
        match &self.rule {
            Rule::In(values) => value.is_some_and(|value| values.iter().any(|one| one == value)),
            Rule::NotIn(values) => value.is_none_or(|value| values.iter().all(|one| one != value)),
            Rule::Exists => value.is_some(),
            Rule::Missing => value.is_none(),
        }
    }
}

/// A field as text; what is not there is empty, as upstream has it.
fn text_at(object: &Value, path: &str) -> String {
    let found = path.split('.').fold(object, |value, key| &value[key]);
    match found {
        Value::String(text) => text.clone(),
        Value::Null => String::new(),
        other => other.to_string(),
    }
}

/// Splits at commas outside of brackets.
fn parts(text: &str) -> Vec<&str> {
    let (mut depth, mut from, mut parts) = (0_u32, 0, Vec::new());
    for (at, letter) in text.char_indices() {
        match letter {
            '(' => depth += 1,
            ')' => depth = depth.saturating_sub(1),
            ',' if depth == 0 => {
                parts.push(&text[from..at]);
                from = at + 1;
            }
            _ => {}
        }
    }
    parts.push(&text[from..]);
    parts.into_iter().map(str::trim).filter(|part| !part.is_empty()).collect()
}

fn parse_labels(text: &str) -> Result<Vec<Requirement>, Refusal> {
    parts(text).into_iter().map(requirement).collect()
}

fn requirement(part: &str) -> Result<Requirement, Refusal> {
    let wrong = || {
        let proposal = "write for instance app=web, tier!=back, app in (web,api), !canary";
        Refusal::bad(format!("unable to parse requirement {part:?}; {proposal}"))
    };
    let (key, rule) = if let Some((head, list)) = part.split_once('(') {
        let values =
            list.strip_suffix(')').ok_or_else(wrong)?.split(',').map(|value| value.trim().to_owned());
        let (key, word) = head.trim().rsplit_once(char::is_whitespace).ok_or_else(wrong)?;
        match word {
            "in" => (key.trim(), Rule::In(values.collect())),
            "notin" => (key.trim(), Rule::NotIn(values.collect())),
            _ => return Err(wrong()),
        }
    } else if let Some((key, value)) = part.split_once("!=") {
        (key.trim(), Rule::NotIn(vec![value.trim().to_owned()]))
    } else if let Some((key, value)) = part.split_once('=') {
        (key.trim(), Rule::In(vec![value.trim_start_matches('=').trim().to_owned()]))
    } else if let Some(key) = part.strip_prefix('!') {
        (key.trim(), Rule::Missing)
    } else {
        (part, Rule::Exists)
    };
    let is_name =
        !key.is_empty() && key.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_./".contains(&byte));
    is_name.then(|| Requirement { key: key.to_owned(), rule }).ok_or_else(wrong)
}

/// Which fields of a resource can be asked for.
const fn known_fields(resource: Resource) -> &'static [&'static str] {
    match resource {
        Resource::Pods => &[
            "spec.nodeName",
            "spec.restartPolicy",
            "spec.schedulerName",
            "status.phase",
            "status.nominatedNodeName",
        ],
        Resource::Nodes => &["spec.unschedulable"],
        Resource::Namespaces => &["status.phase"],
        Resource::Jobs => &["status.successful"],
        Resource::ReplicaSets => &["status.replicas"],
        Resource::Events => &[
            "involvedObject.kind",
            "involvedObject.namespace",
            "involvedObject.name",
            "involvedObject.uid",
            "involvedObject.apiVersion",
            "involvedObject.resourceVersion",
            "involvedObject.fieldPath",
            "regarding.kind",
            "regarding.namespace",
            "regarding.name",
            "regarding.uid",
            "reason",
            "type",
            "source",
            "reportingComponent",
            "reportingController",
        ],
        _ => &[],
    }
}

fn parse_fields(resource: Resource, text: &str) -> Result<Vec<(String, bool, String)>, Refusal> {
    text.split(',').map(str::trim).filter(|part| !part.is_empty()).map(|part| field(resource, part)).collect()
}

fn field(resource: Resource, part: &str) -> Result<(String, bool, String), Refusal> {
    let (path, equal, value) = match (part.split_once("!="), part.split_once('=')) {
        (Some((path, value)), _) => (path, false, value),
        (None, Some((path, value))) => (path, true, value.trim_start_matches('=')),
        _ => {
            return Err(Refusal::bad(format!(
                "invalid field selector {part:?}; write for instance metadata.name=web"
            )));
        }
    };
    let always = ["metadata.name", "metadata.namespace"];
    if !always.contains(&path) && !known_fields(resource).contains(&path) {
        let known: Vec<&str> = always.iter().chain(known_fields(resource)).copied().collect();
        return Err(Refusal::bad(format!(
            "field label not supported: {path}; known are {}",
            known.join(", ")
        )));
    }
    Ok((path.to_owned(), equal, value.to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn check(labels: &str, fields: &str, want: bool) {
        let pod = json!({
            "metadata": { "name": "web-1", "namespace": "shop", "labels": { "app": "web", "tier": "front" } },
            "spec": { "nodeName": "pool-1" }, "status": { "phase": "Running" },
        });
        let selector = Selector::parse(Resource::Pods, Some(labels), Some(fields)).expect("a selector");
        assert_eq!(selector.fits(&pod), want, "{labels} {fields}");
    }

    #[test]
    fn labels_choose() {
        for (labels, want) in [
            ("", true),
            ("app=web", true),
            ("app==web,tier=front", true),
            ("app!=web", false),
            ("canary!=yes", true),
            ("app in (api, web)", true),
            ("app notin (api,web)", false),
            ("canary notin (yes)", true),
            ("tier", true),
            ("!tier", false),
            ("!canary, app", true),
        ] {
            check(labels, "", want);
        }
    }

    #[test]
    fn fields_choose() {
        for (fields, want) in [
            ("metadata.name=web-1", true),
            ("spec.nodeName=pool-1,status.phase!=Succeeded,status.phase!=Failed", true),
            ("spec.nodeName=", false),
            ("status.nominatedNodeName=", true),
            ("metadata.namespace!=shop", false),
        ] {
            check("", fields, want);
        }
    }

    #[test]
    fn what_is_no_selector_is_refused_with_a_proposal() {
        for (labels, fields) in
            [("app in web", ""), ("=x", ""), ("a b", ""), ("", "spec.image=x"), ("", "name")]
        {
            let refused =
                Selector::parse(Resource::Pods, Some(labels), Some(fields)).expect_err("no selector");
            assert_eq!(refused.status.as_u16(), 400, "{labels} {fields}: {}", refused.message);
        }
        assert!(Selector::parse(Resource::Pods, Some(&"a".repeat(LONGEST + 1)), None).is_err());
    }
}
