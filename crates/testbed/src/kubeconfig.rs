//! Kubeconfig files: where a cluster is, and how one gets in.

use crate::certificates::Credential;
use crate::error::Error;
use crate::files;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use std::fmt::Write as _;
use std::path::Path;

/// One way into one cluster.
pub(crate) struct Entry {
    /// The name of the cluster, of the context and of who goes in.
    pub(crate) name: String,
    pub(crate) server: String,
    pub(crate) authority: String,
    pub(crate) credential: Credential,
}

/// Writes a file in which the first entry is the current one.
pub(crate) fn write(path: &Path, entries: &[Entry]) -> Result<(), Error> {
    files::replace(path, text(entries))
}

fn text(entries: &[Entry]) -> String {
    let current = entries.first().map_or("", |entry| entry.name.as_str());
    let [mut clusters, mut contexts, mut users] = [const { String::new() }; 3];
    for Entry { name, server, authority, credential } in entries {
        let authority = STANDARD.encode(authority);
        let certificate = STANDARD.encode(&credential.certificate);
        let key = STANDARD.encode(&credential.key);
        let _ = write!(
            clusters,
            "- name: {name}\n  cluster:\n    server: {server}\n    certificate-authority-data: {authority}\n"
        );
        let _ = write!(contexts, "- name: {name}\n  context:\n    cluster: {name}\n    user: {name}\n");
        let _ = write!(
            users,
            "- name: {name}\n  user:\n    client-certificate-data: {certificate}\n    client-key-data: {key}\n"
        );
    }
    format!(
        "apiVersion: v1\nkind: Config\ncurrent-context: {current}\nclusters:\n{clusters}contexts:\n{contexts}users:\n{users}"
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use expect_test::expect;

    #[test]
    fn every_entry_is_a_context_and_the_first_is_current() {
        let entry = |name: &str, port: u16| Entry {
            name: name.to_owned(),
            server: format!("https://127.0.0.1:{port}"),
            authority: "ca".to_owned(),
            credential: Credential { certificate: "crt".to_owned(), key: "key".to_owned() },
        };
        expect![[r"
            apiVersion: v1
            kind: Config
            current-context: karmada
            clusters:
            - name: karmada
              cluster:
                server: https://127.0.0.1:1
                certificate-authority-data: Y2E=
            - name: member1
              cluster:
                server: https://127.0.0.1:2
                certificate-authority-data: Y2E=
            contexts:
            - name: karmada
              context:
                cluster: karmada
                user: karmada
            - name: member1
              context:
                cluster: member1
                user: member1
            users:
            - name: karmada
              user:
                client-certificate-data: Y3J0
                client-key-data: a2V5
            - name: member1
              user:
                client-certificate-data: Y3J0
                client-key-data: a2V5
        "]]
        .assert_eq(&text(&[entry("karmada", 1), entry("member1", 2)]));
    }
}
