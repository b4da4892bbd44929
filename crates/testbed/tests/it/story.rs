//! A bed from beginning to end, with a Deployment that Karmada divides between two members.

use crate::support::{eventually, fresh, number, processes_of, workshop};
use serde_json::{Value, json};
use std::fs;
use std::process::Command;
use testbed::{Bed, Cluster, Plan};

const DEPLOYMENT: &str = "/apis/apps/v1/namespaces/default/deployments/shop";

#[test]
fn a_federation_comes_up_carries_a_workload_survives_a_crash_and_goes_without_a_trace() {
    let directory = fresh("story");
    let bed = Bed::up(&Plan::default(), &directory, &workshop(), &|line| println!("{line}")).unwrap();
    everything_is_healthy(&bed);
    a_second_one_is_refused(&directory);
    members_have_joined(&bed);
    a_deployment_is_divided(&bed);
    usage_is_measured(&bed);
    a_node_that_was_given_up_comes_back_whole(&bed);
    a_killed_server_comes_back(&bed);
    bed.down().unwrap();
    assert_eq!(processes_of(&directory), Vec::<String>::new());
    assert!(!directory.exists());
}

fn everything_is_healthy(bed: &Bed) {
    let listing = bed.listing();
    println!("up in {:.1} s with {} processes", listing.seconds, listing.processes.len());
    assert!(listing.healthy, "{:?}", listing.processes);
    assert_eq!(listing.contexts, ["karmada", "member1", "member2"]);
    let merged = fs::read_to_string(bed.kubeconfig()).unwrap();
    for cluster in bed.members().iter().chain(bed.karmada()) {
        assert!(merged.contains(cluster.server()), "{}", cluster.name());
        assert!(cluster.kubeconfig().is_file());
    }
}

fn a_second_one_is_refused(directory: &std::path::Path) {
    let again = Bed::up(&Plan::default(), directory, &workshop(), &|_| ());
    let problem = again.err().unwrap().to_string();
    assert!(problem.starts_with("a test bed runs in"), "{problem}");
    let opened = Bed::open(directory).unwrap();
    assert_eq!(opened.members().len(), 2);
}

fn members_have_joined(bed: &Bed) {
    let list = bed.karmada().unwrap().api().get("/apis/cluster.karmada.io/v1alpha1/clusters").unwrap();
    let names: Vec<&str> = list["items"]
        .as_array()
        .unwrap()
        .iter()
        .map(|item| item["metadata"]["name"].as_str().unwrap())
        .collect();
    assert_eq!(names, ["member1", "member2"]);
}

fn a_deployment_is_divided(bed: &Bed) {
    let karmada = bed.karmada().unwrap();
    karmada.api().create("/apis/apps/v1/namespaces/default/deployments", &deployment(8)).unwrap();
    let policies = "/apis/policy.karmada.io/v1alpha1/namespaces/default/propagationpolicies";
    karmada.api().create(policies, &policy()).unwrap();
    let ready = |cluster: &Cluster| {
        let found = cluster.api().find(DEPLOYMENT).unwrap().unwrap_or_default();
        number(&found, "/status/readyReplicas")
    };
    eventually("8 of 8 ready through Karmada", || ready(karmada), |ready| *ready == 8);
    let parts: Vec<u64> = bed.members().iter().map(ready).collect();
    assert_eq!(parts, [6, 2], "weights 3 to 1");
}

/// The same numbers by both ways: Prometheus reads KWOK, and metrics-server serves what a horizontal autoscaler reads.
fn usage_is_measured(bed: &Bed) {
    let prometheus = bed.prometheus().unwrap();
    let sum = |expression: &str| prometheus.query(expression).unwrap().first().map(|(_, value)| *value);
    let memory = r#"sum(pod_memory_working_set_bytes{cluster="member1",pod=~"shop-.*"})"#;
    let is = |wanted: f64| move |seen: &Option<f64>| *seen == Some(wanted);
    // Six pods with 64 MiB each, as their annotation says.
    eventually("memory in Prometheus", || sum(memory), is(6.0 * 64.0 * 1_048_576.0));
    let pods = r#"sum(kube_pod_status_ready{cluster="member2",condition="true",pod=~"shop-.*"})"#;
    eventually("ready pods in Prometheus", || sum(pods), is(2.0));
    let measured = |member: &Cluster, what: &str| {
        let answer = member.api().get(&format!("/apis/metrics.k8s.io/v1beta1/{what}"));
        answer.map_or(0, |list| list["items"].as_array().map_or(0, Vec::len))
    };
    for (member, (pods, nodes)) in bed.members().iter().zip([(6, 4), (2, 2)]) {
        eventually(
            "pods in metrics.k8s.io",
            || measured(member, "namespaces/default/pods"),
            |seen| *seen == pods,
        );
        // A node on which nothing runs uses nothing and is left out.
        eventually("nodes in metrics.k8s.io", || measured(member, "nodes"), |seen| *seen == nodes);
    }
    let top = kubectl(bed, &["--context", "member1", "top", "nodes", "--no-headers"]);
    assert_eq!(top.lines().count(), 4, "{top}");
}

fn kubectl(bed: &Bed, arguments: &[&str]) -> String {
    let mut command = Command::new(bed.program("kubectl").unwrap());
    let output = command.arg("--kubeconfig").arg(bed.kubeconfig()).args(arguments).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

/// As after an API server that was away for long: nodes could not report, are given up, and report again.
fn a_node_that_was_given_up_comes_back_whole(bed: &Bed) {
    let member = &bed.members()[0];
    let path = "/api/v1/nodes/member1-node1";
    let before = member.api().get(path).unwrap();
    let given_up = json!({ "status": { "conditions": [{ "type": "Ready", "status": "Unknown" }] } });
    let is_ready = |node: &Value| node["status"]["conditions"][0]["status"] == "True";
    let unready = member.api().merge(&format!("{path}/status"), &given_up).unwrap();
    assert!(is_ready(&before) && !is_ready(&unready), "{before} and then {unready}");
    let look = || member.api().get(path).unwrap();
    let after = eventually("a node being ready again", look, is_ready);
    for part in ["addresses", "allocatable", "capacity", "daemonEndpoints", "nodeInfo"] {
        assert!(!before["status"][part].is_null(), "{part} in {before}");
        assert_eq!(after["status"][part], before["status"][part], "{part}");
    }
}

fn a_killed_server_comes_back(bed: &Bed) {
    let member = &bed.members()[1];
    member.kill("kube-apiserver").unwrap();
    assert!(member.api().get("/version").is_err());
    let listing = bed.listing();
    let dead: Vec<&str> = listing
        .processes
        .iter()
        .filter(|process| process.pid.is_none())
        .map(|process| process.process.as_str())
        .collect();
    assert_eq!(dead, ["kube-apiserver"]);
    assert!(!listing.healthy);
    member.start("kube-apiserver").unwrap();
    let version: Value = member.api().get("/version").unwrap();
    assert_eq!(version["gitVersion"].as_str().map(|version| &version[..5]), Some("v1.35"));
    let unknown = member.kill("kubelet").unwrap_err().to_string();
    assert!(unknown.starts_with("there is no process kubelet in member2; there are: etcd,"), "{unknown}");
    eventually("all healthy again", || bed.listing().healthy, |healthy| *healthy);
}

fn deployment(replicas: u32) -> Value {
    let usage = json!({ "kwok.x-k8s.io/usage-cpu": "250m", "kwok.x-k8s.io/usage-memory": "64Mi" });
    let container = json!({
        "name": "shop",
        "image": "example.org/shop:1",
        "resources": { "requests": { "cpu": "500m", "memory": "128Mi" } },
    });
    json!({
        "apiVersion": "apps/v1",
        "kind": "Deployment",
        "metadata": { "name": "shop" },
        "spec": {
            "replicas": replicas,
            "selector": { "matchLabels": { "app": "shop" } },
            "template": {
                "metadata": { "labels": { "app": "shop" }, "annotations": usage },
                "spec": { "containers": [container] },
            },
        },
    })
}

fn policy() -> Value {
    let weight = |cluster: &str, weight: u32| json!({ "targetCluster": { "clusterNames": [cluster] }, "weight": weight });
    json!({
        "apiVersion": "policy.karmada.io/v1alpha1",
        "kind": "PropagationPolicy",
        "metadata": { "name": "shop" },
        "spec": {
            "resourceSelectors": [{ "apiVersion": "apps/v1", "kind": "Deployment", "name": "shop" }],
            "placement": {
                "clusterAffinity": { "clusterNames": ["member1", "member2"] },
                "replicaScheduling": {
                    "replicaSchedulingType": "Divided",
                    "replicaDivisionPreference": "Weighted",
                    "weightPreference": { "staticWeightList": [weight("member1", 3), weight("member2", 1)] },
                },
            },
        },
    })
}
