//! Two replicas of one desk on a real cluster: one works, the other stands by and takes over, and a `Freeze` object counts for whoever
//! works.

#![expect(clippy::print_stdout, reason = "clusters take their time; whoever waits sees how far they are")]

use super::{Desk, Process, wait_for};
use crate::support::repository;
use serde_json::json;
use testbed::{Bed, Plan, Workshop};

const FREEZES: &str = "/apis/drover.io/v1alpha1/namespaces/default/freezes";
const AGENTS: &str = "/apis/drover.io/v1alpha1/namespaces/default/agents";

fn bed() -> Bed {
    let directory = std::env::temp_dir().join(format!("drover-replicas-{}", std::process::id()));
    let plan = Plan {
        members: 1,
        nodes: 1,
        karmada: false,
        prometheus: false,
        metrics_server: false,
        ..Plan::default()
    };
    let workshop = Workshop::usual(|name| std::env::var_os(name));
    Bed::up(&plan, &directory, &workshop, &|line| println!("{line}")).unwrap()
}

fn files(desk: &Desk, bed: &Bed) {
    let access = format!("kubeconfig: {}, context: member1", bed.kubeconfig().display());
    let scenario =
        std::fs::read_to_string(repository().join("deploy/helm/drover/files/scenario.yaml")).unwrap();
    desk.scratch.write(
        "watching.yaml",
        scenario.replace("name: local", "name: member1").replace("every: 30s", "every: 1s"),
    );
    desk.scratch.write(
        "desk.yaml",
        format!(
            "drover: desk/v1\nstorage: sqlite:desk.db\nworld:\n  scenario: watching.yaml\n  kubernetes:\n    members:\n\
             \x20     - {{ name: member1, {access} }}\n    leader_election: {{ namespace: default, {access} }}\n\
             \x20   freezes: {{ namespace: default, {access} }}\n    objects: {{ namespace: default, {access} }}\n"
        ),
    );
}

/// The second replica, in the same folder: the data is one.
fn second(desk: &Desk) -> (Process, String) {
    let arguments = ["serve", "--config", "desk.yaml", "--listen", "127.0.0.1:0", "--ready-file", "second"];
    let log = std::fs::File::create(desk.scratch.path("second.log")).unwrap();
    let mut command = desk.scratch.command(&arguments);
    let process = Process::start(command.stdout(log.try_clone().unwrap()).stderr(log));
    let ready = desk.scratch.path("second");
    let address = wait_for("the second replica", || std::fs::read_to_string(&ready).ok());
    (process, address.trim().to_owned())
}

/// Status and body.
fn ask(address: &str, path: &str) -> Option<(u16, String)> {
    let answer = testbed::Api::plain(address).ask(path).ok()?;
    Some((answer.status, answer.body))
}

fn frozen(desk: &Desk) -> usize {
    desk.json("vera", &["freezes"]).as_array().unwrap().len()
}

/// Lets a server know our kinds.
fn define(server: &testbed::Api) {
    for plural in ["freezes", "agents", "guardrails"] {
        let file = format!("deploy/helm/drover/files/crds/{plural}.yaml");
        let definition = std::fs::read_to_string(repository().join(file)).unwrap();
        let path = format!("/apis/apiextensions.k8s.io/v1/customresourcedefinitions/{plural}.drover.io");
        server.apply(&path, &definition).unwrap();
    }
}

/// Whether it is one of those inside the desk.
fn recommends(desk: &Desk, name: &str) -> bool {
    let listed = desk.json("vera", &["agent", "list"]);
    listed.as_array().unwrap().iter().any(|agent| agent["name"] == name && agent["inside"] == true)
}

/// What the doctor says about the lease, the objects and the administrator of a bed.
fn examine(desk: &Desk) {
    let examined = desk.scratch.drover(&["doctor", "--config", "desk.yaml"]);
    assert_eq!(
        examined.code,
        Some(8),
        "the administrator of a bed can do more than observe: {}",
        examined.text
    );
    assert!(
        examined.text.contains("fine      the lease: all 3 permissions for leader election"),
        "{}",
        examined.text
    );
    assert!(
        examined.text.contains("fine      the freezes: all 3 permissions for reading Freeze objects"),
        "{}",
        examined.text
    );
    assert!(examined.text.contains("doubtful  cluster member1: may create"), "{}", examined.text);
}

#[test]
fn a_standby_takes_over_and_a_freeze_object_counts_for_whoever_works() {
    let bed = bed();
    let server = bed.members()[0].api();
    define(server);
    let mut desk = Desk::closed("replicas");
    files(&desk, &bed);

    examine(&desk);
    desk.start("127.0.0.1:0");
    wait_for("the first replica at work", || {
        ask(&desk.address, "/readyz").filter(|(status, _)| *status == 200)
    });
    let (mut other, address) = second(&desk);
    assert_eq!(ask(&address, "/healthz"), Some((200, "alive\n".to_owned())));
    let (status, said) = wait_for("it knowing who works", || {
        ask(&address, "/readyz").filter(|(_, said)| !said.contains("nobody"))
    });
    assert!(status == 503 && said.starts_with("standby: ") && said.ends_with(" works\n"), "{status} {said}");

    let object = json!({ "apiVersion": "drover.io/v1alpha1", "kind": "Freeze", "metadata": { "name": "sale" },
        "spec": { "scope": "namespace", "name": "shop", "reason": "we sell" } });
    wait_for("the definition", || server.create(FREEZES, &object).ok());
    wait_for("the freeze", || (frozen(&desk) == 1).then_some(()));
    let object = json!({ "apiVersion": "drover.io/v1alpha1", "kind": "Agent", "metadata": { "name": "keeper" },
        "spec": { "when": { "every": "5s" }, "decide": { "strategy": "planner" } } });
    wait_for("the definition", || server.create(AGENTS, &object).ok());
    wait_for("the agent", || recommends(&desk, "keeper").then_some(()));
    wait_for("its decision", || {
        let shown = desk.json("vera", &["agent", "show", "keeper"]);
        shown["decisions"].as_array().filter(|decisions| !decisions.is_empty()).map(drop)
    });

    desk.kill();
    wait_for("the second replica at work", || ask(&address, "/readyz").filter(|(status, _)| *status == 200));
    desk.address = address;
    assert_eq!(frozen(&desk), 1, "it is the same run, and the object still stands: once");
    assert!(recommends(&desk, "keeper"), "so does the agent");
    let log = String::from_utf8_lossy(&desk.scratch.read("second.log")).into_owned();
    assert!(log.contains("the run goes on after"), "what objects brought is part of the run: {log}");
    server.delete(&format!("{AGENTS}/keeper")).unwrap();
    wait_for("the end of the agent", || (!recommends(&desk, "keeper")).then_some(()));
    server.delete(&format!("{FREEZES}/sale")).unwrap();
    wait_for("the end of the freeze", || (frozen(&desk) == 0).then_some(()));
    let record = desk.json("udo", &["audit", "list", "--kind", "ordered"]).to_string();
    assert!(record.contains("object:sale") && record.contains("we sell"), "{record}");
    assert!(desk.done("udo", &["audit", "verify"]).starts_with("intact"));

    other.signal("INT");
    assert!(other.end("the second replica's end").success());
    // Given back: nobody's.
    let lease = server.get("/apis/coordination.k8s.io/v1/namespaces/default/leases/drover").unwrap();
    assert_eq!(lease["spec"]["holderIdentity"].as_str().unwrap_or_default(), "", "{lease}");
    bed.down().unwrap();
}
