//! An unmodified `kubectl` asks the simulated clusters of a real desk, and changes them.

use super::{Desk, Process, wait_for};
use crate::support::Said;
use serde_json::Value;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// The program: where a variable says, on the path, or where the test bed keeps it.
fn kubectl() -> PathBuf {
    let variable = |name: &str| std::env::var_os(name).map(PathBuf::from);
    let on_path = std::env::var_os("PATH")
        .into_iter()
        .flat_map(|path| std::env::split_paths(&path).collect::<Vec<_>>());
    let cache = variable("XDG_CACHE_HOME").or_else(|| Some(variable("HOME")?.join(".cache")));
    let beds =
        cache.map(|cache| cache.join("drover/testbed")).and_then(|folder| std::fs::read_dir(folder).ok());
    let beds = beds.into_iter().flatten().filter_map(Result::ok).map(|entry| entry.path());
    let is_kubernetes = |path: &PathBuf| {
        path.file_name().and_then(|name| name.to_str()).is_some_and(|name| name.starts_with("kubernetes-"))
    };
    let folders = on_path.chain(beds.filter(is_kubernetes)).map(|folder| folder.join("kubectl"));
    let found = variable("DROVER_KUBECTL").into_iter().chain(folders).find(|path| path.is_file());
    found.expect("a kubectl: put one on the path, or name it in DROVER_KUBECTL")
}

/// Somebody with a kubeconfig.
struct User<'a> {
    desk: &'a Desk,
    person: &'static str,
}

impl<'a> User<'a> {
    fn new(desk: &'a Desk, person: &'static str) -> Self {
        desk.scratch.write(&format!("{person}.kubeconfig"), desk.done(person, &["kubeconfig"]));
        Self { desk, person }
    }

    fn command(&self, arguments: &[&str]) -> Command {
        let scratch = &self.desk.scratch;
        let mut command = Command::new(kubectl());
        command.args(arguments).arg("--cache-dir").arg(scratch.path("cache")).stdin(Stdio::null());
        command.env("KUBECONFIG", scratch.path(&format!("{}.kubeconfig", self.person)));
        command
    }

    fn ask(&self, arguments: &[&str]) -> Said {
        Said::from(self.command(arguments).output().unwrap())
    }

    fn done(&self, arguments: &[&str]) -> String {
        let said = self.ask(arguments);
        assert_eq!(said.code, Some(0), "{arguments:?}: {}{}", said.text, said.errors);
        said.text
    }

    fn json(&self, arguments: &[&str]) -> Value {
        serde_json::from_str(&self.done(&[arguments, &["-o", "json"]].concat())).unwrap()
    }

    /// Starts something that goes on while the test does, and what it says goes to a file.
    fn start(&self, arguments: &[&str], file: &Path) -> Process {
        let out = File::create(file).unwrap();
        Process::start(self.command(arguments).stdout(out.try_clone().unwrap()).stderr(out))
    }
}

fn open(name: &str) -> Desk {
    let mut desk = Desk::closed(name);
    desk.start_with("127.0.0.1:0", &["--kube-api"]);
    desk.advance("30s");
    desk
}

/// The lines of a table without the first, each with the words that stand apart.
fn lines(text: &str) -> Vec<Vec<&str>> {
    text.lines().skip(1).map(|line| line.split_whitespace().collect()).collect()
}

#[test]
fn a_cluster_looks_like_any_other() {
    let desk = open("kubectl-looks");
    let vera = User::new(&desk, "vera");
    let nodes = vera.done(&["get", "nodes"]);
    assert_eq!(
        nodes.split_whitespace().take(5).collect::<Vec<_>>(),
        ["NAME", "STATUS", "ROLES", "AGE", "VERSION"]
    );
    assert_eq!(lines(&nodes)[0][..4], ["default-1", "Ready", "<none>", "30s"]);
    let pods = vera.done(&["get", "pods"]);
    assert_eq!(lines(&pods).len(), 10, "{pods}");
    assert!(lines(&pods).iter().all(|line| line[1..3] == ["1/1", "Running"]), "{pods}");
    let all = vera.done(&["get", "nodes,pods,deployments", "-A"]);
    for part in ["node/default-2", "pod/frontend-", "deployment.apps/redis-cache"] {
        assert!(all.contains(part), "{all}");
    }
    assert_eq!(lines(&vera.done(&["get", "deployments", "frontend"]))[0][..4], ["frontend", "2/2", "2", "2"]);
    let pod = lines(&pods)[0][0];
    let told = vera.done(&["describe", "pod", pod]);
    for part in ["Controlled By:  ReplicaSet/api-gateway-", "Successfully assigned", "Container main started"]
    {
        assert!(told.contains(part), "{told}");
    }
    assert!(
        vera.done(&["describe", "node", "default-1"]).contains("Non-terminated Pods:          (5 in total)")
    );
    let top = vera.done(&["top", "nodes"]);
    assert_eq!(lines(&top)[0][..2], ["default-1", "5350m"], "{top}");
    assert_eq!(lines(&vera.done(&["top", "pods"])).len(), 10);
    assert_eq!(lines(&vera.done(&["--context", "member2", "get", "nodes"])).len(), 2);
    for refused in [
        vec!["scale", "deployment", "frontend", "--replicas=3"],
        vec!["delete", "pod", pod],
        vec!["cordon", "default-1"],
    ] {
        let said = vera.ask(&refused);
        // `kubectl cordon` ends as if all were well.
        assert!(said.errors.contains("vera is viewer"), "{}", said.errors);
    }
}

#[test]
fn pods_come_while_somebody_watches() {
    let desk = open("kubectl-watches");
    let vera = User::new(&desk, "vera");
    let file = desk.scratch.path("watched");
    let _watch = vera.start(&["get", "pods", "--watch"], &file);
    let seen = || std::fs::read_to_string(&file).unwrap_or_default();
    wait_for("the first list", || (lines(&seen()).len() >= 10).then_some(()));
    // The second wave comes at 70 s.
    desk.advance("41s");
    wait_for("pods of the second wave", || (seen().matches("notifications-").count() >= 2).then_some(()));
    desk.advance("20s");
    wait_for("that they run", || {
        let runs = |line: &Vec<&str>| line[0].starts_with("notifications-") && line[2] == "Running";
        (lines(&seen()).iter().filter(|line| runs(line)).count() >= 2).then_some(())
    });
    assert_eq!(seen().matches("READY").count(), 1, "the columns are told once: {}", seen());
}

/// What somebody writes on a workload stays; what the simulated controllers write is theirs.
fn annotate(otto: &User<'_>) {
    otto.done(&["annotate", "deployment", "frontend", "example.org/why=more people"]);
    let noted = otto.json(&["get", "deployment", "frontend"]);
    assert_eq!(noted["metadata"]["annotations"]["example.org/why"], "more people", "{noted}");
    let said = otto.ask(&[
        "annotate",
        "deployment",
        "frontend",
        "deployment.kubernetes.io/revision=9",
        "--overwrite",
    ]);
    assert!(said.errors.contains("written by the simulated cluster itself"), "{}", said.errors);
}

#[test]
fn what_an_operator_does_has_its_effect() {
    let desk = open("kubectl-changes");
    let otto = User::new(&desk, "otto");
    assert_eq!(
        otto.done(&["scale", "deployment", "frontend", "--replicas=4"]).trim(),
        "deployment.apps/frontend scaled"
    );
    annotate(&otto);
    desk.advance("10s");
    assert_eq!(
        otto.done(&["rollout", "status", "deployment/frontend", "--timeout=20s"]).trim(),
        "deployment \"frontend\" successfully rolled out"
    );
    assert_eq!(otto.json(&["get", "deployment", "frontend"])["status"]["readyReplicas"], 4);
    otto.done(&["cordon", "default-1"]);
    assert!(otto.done(&["get", "node", "default-1"]).contains("Ready,SchedulingDisabled"));
    let mut drain = otto.start(&["drain", "default-1", "--timeout=50s"], &desk.scratch.path("drained"));
    // Pods need virtual time to stop.
    wait_for("the drain", || {
        desk.advance("1s");
        drain.is_over().then_some(())
    });
    let said = String::from_utf8(desk.scratch.read("drained")).unwrap();
    assert!(said.contains("node/default-1 drained"), "{said}");
    let left = otto.done(&["get", "pods", "-A", "--field-selector", "spec.nodeName=default-1", "-o", "name"]);
    assert_eq!(left, "");
    otto.done(&["uncordon", "default-1"]);
    let pods = otto.done(&["get", "pods", "-o", "name"]);
    otto.done(&["delete", pods.lines().next().unwrap(), "--wait=false"]);
    let said = otto.ask(&["delete", "deployment", "frontend"]);
    assert!(
        said.errors.contains("MethodNotAllowed") && said.errors.contains("kubectl scale"),
        "{}",
        said.errors
    );
    let record = desk.json("udo", &["audit", "list", "--kind", "intervention"]);
    let done: Vec<&str> = record["items"]
        .as_array()
        .unwrap()
        .iter()
        .filter_map(|entry| entry["body"]["what"].as_str())
        .collect();
    for what in ["scale", "cordon", "evict", "delete_pod"] {
        assert!(done.contains(&what), "{done:?}");
    }
    // What was done stays done when the desk is opened again.
    let shown = |user: &User<'_>| {
        user.done(&[
            "get",
            "pods,nodes,deployments",
            "-A",
            "-o",
            "custom-columns=N:.metadata.name,U:.metadata.uid,S:.spec.unschedulable,R:.spec.replicas",
        ])
    };
    let before = shown(&otto);
    let mut desk = desk;
    desk.stop();
    desk.start_with("127.0.0.1:0", &["--kube-api"]);
    assert_eq!(shown(&User::new(&desk, "otto")), before);
    assert!(desk.log().contains("the run goes on after"), "{}", desk.log());
}
