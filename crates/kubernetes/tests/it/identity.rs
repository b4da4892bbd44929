//! Identities on the bed that are not its administrator: service accounts with the roles that are shipped.

use crate::bed::directory;
use kube::config::{AuthInfo, Kubeconfig, NamedAuthInfo};
use kubernetes::{Access, Member, Settings};
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use testbed::{Bed, Workshop};

pub(crate) fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Runs a program with something to read; panics with what it says if it fails.
pub(crate) fn run(command: &mut Command, input: &str) -> String {
    let mut child =
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    child.stdin.take().unwrap().write_all(input.as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    assert!(output.status.success(), "{command:?}: {}{}", text(&output.stdout), text(&output.stderr));
    text(&output.stdout)
}

/// kubectl as the administrator of one cluster.
pub(crate) fn kubectl(context: &str, arguments: &[&str], input: &str) -> String {
    let bed = Bed::open(&directory()).unwrap();
    let mut command = Command::new(bed.program("kubectl").unwrap());
    command.arg("--kubeconfig").arg(bed.kubeconfig()).args(["--context", context]).args(arguments);
    run(&mut command, input)
}

/// The chart, rendered.
pub(crate) fn helm(arguments: &[&str]) -> String {
    let workshop = Workshop::usual(|name| std::env::var_os(name));
    let programs = workshop.prepare(&["helm"], &|_| ()).unwrap();
    let (_, helm) = programs.iter().find(|(name, _)| *name == "helm").unwrap();
    let mut command = Command::new(helm);
    // Nothing of the user's own settings.
    let home = std::env::temp_dir().join("drover-helm-home");
    command.env("HELM_CONFIG_HOME", &home).env("HELM_CACHE_HOME", &home).env("HELM_DATA_HOME", &home);
    let chart = repository().join("deploy/helm/drover");
    run(command.args(["template", "drover", "--kube-version", "1.35.0"]).arg(chart).args(arguments), "")
}

/// How the service account `drover` of a namespace gets into a cluster.
pub(crate) fn access_of(context: &str, namespace: &str) -> Access {
    let token = kubectl(context, &["--namespace", namespace, "create", "token", "drover"], "");
    let mut file = Kubeconfig::read_from(directory().join("kubeconfig")).unwrap();
    let auth_info = AuthInfo { token: Some(token.trim().to_owned().into()), ..AuthInfo::default() };
    let name = "drover".to_owned();
    file.auth_infos = vec![NamedAuthInfo { name, auth_info: Some(auth_info), ..NamedAuthInfo::default() }];
    for named in &mut file.contexts {
        if let Some(one) = &mut named.context {
            one.user = Some("drover".to_owned());
        }
    }
    let path = std::env::temp_dir().join(format!("drover-{namespace}-{context}-{}", std::process::id()));
    std::fs::write(&path, serde_json::to_string(&file).unwrap()).unwrap();
    Access::Kubeconfig { path: Some(path), context: Some(context.to_owned()) }
}

/// The same settings for another identity.
pub(crate) fn settings_for(settings: Settings, namespace: &str) -> Settings {
    let member = |member: &Member| Member {
        name: member.name.clone(),
        access: access_of(member.name.as_str(), namespace),
    };
    Settings {
        members: settings.members.iter().map(member).collect(),
        karmada: settings.karmada.as_ref().map(|_| access_of("karmada", namespace)),
        ..settings
    }
}
