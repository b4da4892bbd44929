//! InterPodAffinity.

use super::cluster::{
    Cluster, add_pod, compare_scores, compare_verdicts, equal, in_both_orders, profile, read,
};
use crate::table::{Case, run};
use serde_json::Value;
use simulator::kube::Pod;
use simulator::scheduler::plugins::inter_pod_affinity::{AffinityCheck, AffinityScore};
use simulator::scheduler::plugins::normalize;
use simulator::scheduler::{PodId, Profile};
use std::collections::BTreeMap;

#[test]
fn filter() {
    run("interpodaffinity_filter", |_| None, |case| in_both_orders(|order| check_filter(case, order)));
}

/// An invalid pod is refused when it is compiled; upstream refuses it in the plugin's first step.
fn cluster(case: &Case, profile: Profile, order: bool, refused: bool) -> Result<Option<Cluster>, String> {
    match (Cluster::new(case, profile, order), refused) {
        (Ok(cluster), false) => Ok(Some(cluster)),
        (Err(invalid), true) => {
            equal("value", &"{{.bad-value.}}", &invalid.error.value.as_str())?;
            equal("field", &"podAffinity", &invalid.field).map(|()| None)
        }
        (Ok(_), true) => Err("an invalid pod was accepted".to_owned()),
        (Err(invalid), false) => Err(invalid.to_string()),
    }
}

fn check_filter(case: &Case, order: bool) -> Result<(), String> {
    let code = case.want["preFilter"]["code"].as_str().unwrap_or_default();
    let refused = code == "UnschedulableAndUnresolvable";
    let Some(mut cluster) = cluster(case, profile(&case.input), order, refused)? else { return Ok(()) };
    if case.kind != "filter" {
        return check_counts(case, &mut cluster);
    }
    let template = cluster.template();
    let mut check = AffinityCheck::default();
    let concerns = check.prepare(&cluster.state, cluster.incoming);
    equal("skip", &(code == "Skip"), &!concerns)?;
    if !concerns {
        return Ok(());
    }
    let filter = |node| check.filter(&cluster.state, &template, node);
    compare_verdicts(&case.want["filter"], &cluster.nodes, filter, &[])
}

fn check_counts(case: &Case, cluster: &mut Cluster) -> Result<(), String> {
    let before = cluster.state.matching_pods(cluster.incoming);
    let added = (case.kind == "preFilterAddPod").then(|| read::<Pod>(&case.input["addedPod"]));
    if let Some(pod) = &added {
        let node = cluster.state.node_by_name(&pod.spec.node_name).expect("the added pod names its node");
        add_pod(&mut cluster.state, PodId(1000), pod, node).map_err(|error| error.to_string())?;
    }
    let [affinity, anti_affinity] = cluster.state.matching_pods(cluster.incoming);
    equal("affinity", &pairs(&case.want["affinityCounts"]), &affinity)?;
    equal("anti-affinity", &pairs(&case.want["antiAffinityCounts"]), &anti_affinity)?;
    if added.is_some() {
        cluster.state.unassign(PodId(1000));
        equal("after removal", &before, &cluster.state.matching_pods(cluster.incoming))?;
    }
    Ok(())
}

fn pairs(list: &Value) -> BTreeMap<(String, String), i64> {
    let text = |one: &Value, key: &str| one[key].as_str().expect("a text").to_owned();
    let pair = |one: &Value| {
        ((text(one, "topologyKey"), text(one, "topologyValue")), one["count"].as_i64().expect("a count"))
    };
    list.as_array().expect("a list").iter().map(pair).collect()
}

#[test]
fn score() {
    run("interpodaffinity_score", |_| None, |case| in_both_orders(|order| check_score(case, order)));
}

fn check_score(case: &Case, order: bool) -> Result<(), String> {
    let args = &case.input["args"];
    let profile = Profile {
        hard_pod_affinity_weight: args["hardPodAffinityWeight"].as_i64().unwrap_or(0),
        ignore_preferred_terms_of_existing_pods: args["ignorePreferredTermsOfExistingPods"] == true,
        ..profile(&case.input)
    };
    let code = case.want["preScore"]["code"].as_str().unwrap_or("Success");
    let Some(cluster) = cluster(case, profile, order, code == "Error")? else { return Ok(()) };
    let mut score = AffinityScore::default();
    let concerns = score.prepare(&cluster.state, cluster.incoming);
    equal("skip", &(code == "Skip"), &!concerns)?;
    if !concerns {
        return Ok(());
    }
    let mut scores = Vec::new();
    score.score(&cluster.state, &cluster.nodes, &mut scores);
    normalize::by_range(&mut scores);
    compare_scores(&case.want["scores"], &cluster.state, &cluster.nodes, &scores)
}
