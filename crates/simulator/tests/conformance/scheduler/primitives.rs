//! Requests, selectors, taints, ports, messages and helpers.

use super::cluster::{equal, features, read, read_list};
use crate::table::{Case, run};
use serde_json::{Value, json};
use simulator::kube::{
    ContainerPort, Node, NodeSelector, Pod, PreferredSchedulingTerm, ReplicaSet, ReplicationController,
    ResourceList, Service, StatefulSet, Taint, Toleration,
};
use simulator::scheduler::plugins::default_selector::{Owners, default_selector, services_of};
use simulator::scheduler::plugins::{node_affinity, normalize, taint_toleration};
use simulator::scheduler::requests::{RequestOptions, pod_limits, pod_requests};
use simulator::scheduler::{
    ClusterState, HostPort, Interner, Labels, NodeTerm, PodDetails, Profile, SelectorError, message,
};
use std::collections::BTreeMap;

#[test]
fn primitives() {
    run(
        "scheduler_primitives",
        |_| None,
        |case| match case.kind.as_str() {
            "nodeSelectorMatch" if case.test == "TestMatchNodeSelectorTerms" => check_lenient_selector(case),
            "nodeSelectorMatch" => check_node_selector(case),
            "preferredSchedulingTermsScore" => check_preferred_terms(case),
            "requiredNodeAffinityMatch" => check_required_affinity(case),
            "untoleratedTaint" => check_taints(case),
            "hostPortConflict" => check_ports(case),
            "fitErrorMessage" => check_message(case),
            "podInfoResource" => check_pod_amounts(case),
            "podRequests" | "podRequestsLimits" => check_requests(case),
            "moreImportantPod" => check_importance(case),
            other => Err(format!("unknown kind {other}")),
        },
    );
}

struct Compiled {
    names: Interner,
    labels: Labels,
    name: Option<simulator::scheduler::Symbol>,
}

fn compile_node(value: &Value) -> Compiled {
    let node: Node = if value.is_null() { Node::default() } else { read(value) };
    let mut names = Interner::default();
    let labels = Labels::new(&node.metadata.labels, &mut names);
    let name = (!node.metadata.name.is_empty()).then(|| names.intern(&node.metadata.name));
    Compiled { names, labels, name }
}

/// The dump replaced the values in messages by `null` and our reasons use other words: compare where and how many.
fn compare_errors(want: &Value, got: &[SelectorError]) -> Result<(), String> {
    let Some(want) = want.as_str() else { return Err(format!("want no error, got {got:?}")) };
    let wanted = want.matches(": Invalid value: null").count();
    equal("number of errors", &wanted, &got.len())?;
    match got.iter().find(|error| !want.contains(&format!("{}: Invalid value: null", error.path))) {
        Some(error) => Err(format!("want {want}, got {error}")),
        None => Ok(()),
    }
}

/// As a pod's affinity is matched: a term with an invalid selector matches nothing, and is not an error.
fn check_lenient_selector(case: &Case) -> Result<(), String> {
    let mut state = ClusterState::new(Profile::default()).expect("a valid profile");
    if case.input["node"].is_null() {
        return equal("match", &case.want["match"], &Value::from(false));
    }
    let required = json!({ "requiredDuringSchedulingIgnoredDuringExecution": case.input["nodeSelector"] });
    let pod: Pod = read(&json!({ "spec": { "affinity": { "nodeAffinity": required } } }));
    let node = state.add_node(&read(&case.input["node"]));
    let template = state.intern(&pod).map_err(|error| error.to_string())?;
    node_affinity::prepare(&mut state, template);
    let matches = node_affinity::filter(&state, template, node).is_ok();
    equal("match", &case.want["match"], &Value::from(matches))
}

fn check_node_selector(case: &Case) -> Result<(), String> {
    let mut node = compile_node(&case.input["node"]);
    let selector: NodeSelector = if case.input["nodeSelector"].is_null() {
        NodeSelector::default()
    } else {
        read(&case.input["nodeSelector"])
    };
    let terms = match node_affinity::required_terms(&selector, &mut node.names) {
        Ok(terms) => terms,
        Err(errors) => return compare_errors(&case.want["error"], &errors),
    };
    equal("error", &case.want["error"], &Value::Null)?;
    let matches = |term: &NodeTerm| term.matches(&node.labels, node.name, &node.names);
    let exists = !case.input["node"].is_null();
    equal("match", &case.want["match"], &Value::from(exists && terms.iter().any(matches)))
}

fn check_preferred_terms(case: &Case) -> Result<(), String> {
    let mut node = compile_node(&case.input["node"]);
    let (mut score, mut errors) = (0, Vec::new());
    for (index, one) in read_list::<PreferredSchedulingTerm>(&case.input["terms"]).iter().enumerate() {
        if one.weight == 0 {
            continue;
        }
        match NodeTerm::new(&one.preference, &format!("[{index}]"), &mut node.names) {
            Ok(term) => {
                let matches = term.is_some_and(|term| term.matches(&node.labels, node.name, &node.names));
                score += if matches { one.weight } else { 0 };
            }
            Err(wrong) => errors.extend(wrong),
        }
    }
    if !errors.is_empty() {
        return compare_errors(&case.want["error"], &errors);
    }
    equal("error", &case.want["error"], &Value::Null)?;
    equal("score", &case.want["score"], &Value::from(score))
}

fn check_required_affinity(case: &Case) -> Result<(), String> {
    let mut state = ClusterState::new(Profile::default()).expect("a valid profile");
    let pod: Pod = read(&case.input["pod"]);
    let node = state.add_node(&read(&case.input["node"]));
    let template = state.intern(&pod).map_err(|error| error.to_string())?;
    node_affinity::prepare(&mut state, template);
    let matches = node_affinity::filter(&state, template, node).is_ok();
    equal("match", &case.want["match"], &Value::from(matches))
}

fn check_taints(case: &Case) -> Result<(), String> {
    let taints: Vec<Taint> = read_list(&case.input["taints"]);
    let tolerations: Vec<Toleration> = read_list(&case.input["tolerations"]);
    let considered: Vec<bool> = read_list(&case.input["taintConsidered"]);
    let counts = |taint: &Taint| {
        let at = taints.iter().position(|other| other == taint).expect("one of the list");
        considered[at]
    };
    let comparison = features(&case.input).toleration_comparison;
    let found = taint_toleration::first_untolerated(&taints, &tolerations, comparison, counts);
    equal("tolerated", &case.want["tolerated"], &Value::from(found.is_none()))
}

fn check_ports(case: &Case) -> Result<(), String> {
    let mut names = Interner::default();
    let mut port = |value: &Value| {
        let port = ContainerPort {
            host_port: value["port"].as_i64().expect("a port") as i32,
            host_ip: value["ip"].as_str().expect("an address").to_owned(),
            protocol: read(&value["protocol"]),
            ..Default::default()
        };
        (port.host_port > 0).then(|| HostPort::new(&port, &mut names))
    };
    let taken: Vec<_> = case.input["added"].as_array().expect("ports").iter().filter_map(&mut port).collect();
    let wanted = port(&case.input["check"]);
    let conflict = wanted.is_some_and(|wanted| taken.iter().any(|other| other.conflicts_with(wanted)));
    equal("conflict", &case.want["conflict"], &Value::from(conflict))
}

fn check_message(case: &Case) -> Result<(), String> {
    let mut counts = BTreeMap::new();
    for status in case.input["nodeToStatus"].as_object().expect("statuses").values() {
        for reason in read::<Vec<String>>(&status["reasons"]) {
            *counts.entry(reason).or_insert(0) += 1;
        }
    }
    let text = |key: &str| case.input[key].as_str().expect("a text");
    let all_nodes = case.input["numAllNodes"].as_u64().expect("a number") as usize;
    let got = message(all_nodes, text("preFilterMsg"), &counts, text("postFilterMsg"));
    equal("message", &case.want["reasonMessage"], &Value::from(got))
}

fn check_pod_amounts(case: &Case) -> Result<(), String> {
    let profile = Profile { features: features(&case.input), ..Profile::default() };
    let mut state = ClusterState::new(profile).expect("a valid profile");
    let id = state.intern(&read(&case.input["pod"])).map_err(|error| error.to_string())?;
    let template = state.template(id);
    let got = json!({
        "non0CPU": template.scored_cpu,
        "non0Mem": template.scored_memory,
        "resource": {
            "allowedPodNumber": 0,
            "ephemeralStorage": template.occupied.ephemeral,
            "memory": template.occupied.memory,
            "milliCPU": template.occupied.cpu,
        },
    });
    assert!(case.want["resource"]["scalarResources"].is_null(), "no row has other resources");
    equal("amounts", &case.want, &got)
}

fn check_requests(case: &Case) -> Result<(), String> {
    let pod: Pod = read(&case.input["pod"]);
    let on = |name: &str| case.input["options"][name] == true;
    let options = RequestOptions {
        use_status: on("useStatusResources"),
        exclude_overhead: on("excludeOverhead") || case.input["excludeOverhead"] == true,
        skip_pod_level: on("skipPodLevelResources"),
        defaults: ResourceList::default(),
    };
    let unmodelled = ["inPlacePodLevelResourcesVerticalScalingEnabled", "skipContainerLevelResources"];
    assert!(!unmodelled.iter().any(|name| on(name)), "no row sets these");
    equal("requests", &read(&case.want["requests"]), &pod_requests(&pod, &options))?;
    if case.kind == "podRequestsLimits" {
        equal("limits", &read(&case.want["limits"]), &pod_limits(&pod, &options))?;
    }
    Ok(())
}

fn check_importance(case: &Case) -> Result<(), String> {
    let details = |value: &Value| {
        let pod: Pod = read(value);
        let start_time = pod.status.start_time.expect("a start time").0;
        PodDetails { priority: pod.priority(), start_time, ..Default::default() }
    };
    let got = details(&case.input["p1"]).is_more_important_than(&details(&case.input["p2"]));
    equal("more important", &case.want["moreImportant"], &Value::from(got))
}

#[test]
fn helpers() {
    run(
        "plugin_helper",
        |_| None,
        |case| match case.kind.as_str() {
            "normalizeScore" => {
                let mut scores: Vec<i64> = read(&case.input["scores"]);
                let most = case.input["maxPriority"].as_i64().expect("a number");
                normalize::by_maximum(most, case.input["reverse"] == true, &mut scores);
                equal("scores", &case.want["scores"], &json!(scores))
            }
            "podServices" => {
                let pod: Pod = read(&case.input["pod"]);
                let services: Vec<Service> = read_list(&case.input["services"]);
                let names: Vec<_> =
                    services_of(&pod, &services).map(|service| service.metadata.name.as_str()).collect();
                equal("services", &case.want["services"], &json!(names))
            }
            _ => check_default_selector(case),
        },
    );
}

fn check_default_selector(case: &Case) -> Result<(), String> {
    let pod: Pod = read(&case.input["pod"]);
    let services: Vec<Service> = read_list(&case.input["services"]);
    let replica_sets: Vec<ReplicaSet> = read_list(&case.input["replicaSets"]);
    let stateful_sets: Vec<StatefulSet> = read_list(&case.input["statefulSets"]);
    let replication_controllers: Vec<ReplicationController> =
        read_list(&case.input["replicationControllers"]);
    let owners = Owners {
        services: &services,
        replica_sets: &replica_sets,
        stateful_sets: &stateful_sets,
        replication_controllers: &replication_controllers,
    };
    let selector = default_selector(&pod, owners);
    assert!(selector.match_expressions.is_empty(), "no row has expressions");
    equal("labels", &case.want["matchLabels"], &json!(selector.match_labels))
}
