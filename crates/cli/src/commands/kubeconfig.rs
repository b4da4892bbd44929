//! `drover kubeconfig`: what `kubectl` needs to ask the simulated clusters of a desk.

use crate::client::{Access, Connection, Request};
use crate::failure::{Failure, Outcome};
use crate::output::print;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use clap::Args;
use serde::Deserialize;
use serde_json::json;
use std::fmt::Write as _;
use std::process::ExitCode;

/// Print a kubeconfig with one context for each simulated cluster of a desk.
#[derive(Args)]
#[command(after_help = "\
Examples:
  drover kubeconfig > kubeconfig
  kubectl --kubeconfig kubeconfig --context member1 get nodes,pods -A

The desk must serve the Kubernetes API: drover serve --kube-api, or drover demo --kube-api. With
--token-file the printed file names that file; otherwise it holds the token itself, so keep it to
yourself. The desk's certificate is made anew whenever it is opened: print the file again then.")]
pub(crate) struct Arguments {
    #[command(flatten)]
    connection: Connection,
}

/// The clusters that a desk serves to whoever asks.
#[derive(Deserialize)]
struct Served {
    clusters: Vec<String>,
    /// The certificate of the desk itself, for those who reach it without anybody in between.
    certificate: String,
    /// The name in it.
    name: String,
}

pub(crate) fn run(arguments: &Arguments) -> Outcome {
    let client = arguments.connection.client()?;
    let found: Served = client.ask(&Request::get_outside("/kube"))?;
    if found.clusters.is_empty() {
        return Err(Failure::Input("drover: you see none of the desk's clusters".to_owned()));
    }
    let text = written(&client.address(), &arguments.connection.access()?, &found);
    print(text.trim_end())?;
    Ok(ExitCode::SUCCESS)
}

/// A text as YAML and JSON both read it.
fn quoted(text: &str) -> String {
    json!(text).to_string()
}

/// Where a cluster is and whom to trust. `kubectl` sends no token without encryption, so a desk that is asked in the clear is asked
/// encrypted on the same address, and recognised by the certificate that it has just shown.
fn reached(address: &str, access: &Access, found: &Served, cluster: &str) -> String {
    let Some(host) = address.strip_prefix("http://") else {
        let server = quoted(&format!("{address}/kube/{cluster}"));
        let authority =
            access.authority.as_ref().map(|path| format!("    certificate-authority: {}\n", quoted(path)));
        return format!("    server: {server}\n{}", authority.unwrap_or_default());
    };
    format!(
        "    server: {}\n    tls-server-name: {}\n    certificate-authority-data: {}\n",
        quoted(&format!("https://{host}/kube/{cluster}")),
        quoted(&found.name),
        STANDARD.encode(&found.certificate)
    )
}

fn written(address: &str, access: &Access, found: &Served) -> String {
    let mut text = "apiVersion: v1\nkind: Config\npreferences: {}\nclusters:\n".to_owned();
    for name in &found.clusters {
        let reached = reached(address, access, found, name);
        let _ = write!(text, "- name: {}\n  cluster:\n{reached}", quoted(name));
    }
    let (key, value) = match &access.token_file {
        Some(path) => ("tokenFile", path.as_str()),
        None => ("token", access.token.reveal()),
    };
    let _ = write!(text, "users:\n- name: drover\n  user:\n    {key}: {}\ncontexts:\n", quoted(value));
    for name in found.clusters.iter().map(|name| quoted(name)) {
        let _ = write!(text, "- name: {name}\n  context:\n    cluster: {name}\n    user: drover\n");
    }
    let _ = writeln!(text, "current-context: {}", quoted(&found.clusters[0]));
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use server::access::Secret;

    #[test]
    fn every_cluster_has_a_context_and_a_token_in_a_file_stays_there() {
        let clusters = vec!["member1".to_owned(), "member2".to_owned()];
        let found = Served { clusters, certificate: "PEM".to_owned(), name: "localhost".to_owned() };
        let mut access = Access { token: Secret::received("hush"), token_file: None, authority: None };
        let text = written("http://127.0.0.1:8080", &access, &found);
        for line in [
            "server: \"https://127.0.0.1:8080/kube/member2\"",
            "tls-server-name: \"localhost\"",
            "certificate-authority-data: UEVN",
            "token: \"hush\"",
            "current-context: \"member1\"",
        ] {
            assert!(text.contains(line), "{line}: {text}");
        }
        access.token_file = Some("/keys/my token".to_owned());
        access.authority = Some("/etc/ca.pem".to_owned());
        let text = written("https://desk.example.org", &access, &found);
        assert!(text.contains("tokenFile: \"/keys/my token\"") && !text.contains("hush"), "{text}");
        assert!(text.contains("certificate-authority: \"/etc/ca.pem\"") && !text.contains("UEVN"), "{text}");
    }
}
