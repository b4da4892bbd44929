//! PodTopologySpread.

use super::cluster::{
    Cluster, add_pod, compare_scores, compare_verdicts, equal, in_both_orders, profile, read, read_list,
};
use crate::table::{Case, run};
use serde_json::{Value, json};
use simulator::kube::Pod;
use simulator::scheduler::plugins::pod_topology_spread::{SpreadCheck, SpreadScore};
use simulator::scheduler::plugins::{node_affinity, taint_toleration};
use simulator::scheduler::{DefaultSpread, NodeId, PodId, Profile};
use std::collections::BTreeMap;

fn spread_profile(input: &Value) -> Profile {
    let default_spread = match input["args"]["defaultingType"].as_str() {
        Some("System") => DefaultSpread::System,
        _ => DefaultSpread::List(read_list(&input["args"]["defaultConstraints"])),
    };
    Profile { default_spread, ..profile(input) }
}

fn cluster(case: &Case, order: bool) -> Result<Cluster, String> {
    let mut cluster =
        Cluster::new(case, spread_profile(&case.input), order).map_err(|error| error.to_string())?;
    taint_toleration::prepare(&mut cluster.state, cluster.incoming);
    node_affinity::prepare(&mut cluster.state, cluster.incoming);
    Ok(cluster)
}

#[test]
fn filter() {
    run("podtopologyspread_filter", |_| None, |case| in_both_orders(|order| check_filter(case, order)));
}

fn check_filter(case: &Case, order: bool) -> Result<(), String> {
    let mut cluster = cluster(case, order)?;
    let mut check = SpreadCheck::default();
    let node = cluster.nodes.get(case.input["nodeIndex"].as_u64().unwrap_or(0) as usize).copied();
    match case.kind.as_str() {
        "preFilterAddPod" => {
            let added: Pod = read(&case.input["addedPod"]);
            add_pod(&mut cluster.state, PodId(1000), &added, node.expect("a node"))
                .map_err(|error| error.to_string())?;
        }
        "preFilterRemovePod" => remove_pod(case, &mut cluster, node.expect("a node"))?,
        _ => {}
    }
    let concerns = check.prepare(&cluster.state, cluster.incoming);
    let template = cluster.template();
    if case.kind == "filter" {
        let filter = |node| check.filter(&cluster.state, &template, node);
        return compare_verdicts(&case.want["filter"], &cluster.nodes, filter, &[]);
    }
    if case.want["preFilter"]["code"] == "Skip" {
        return equal("skip", &false, &concerns);
    }
    let state = &case.want["state"];
    let constraints: Vec<_> =
        template.hard_spread.iter().map(|one| cluster.state.describe_constraint(one)).collect();
    compare_constraints(&state["constraints"], &constraints)?;
    let counts = check.matching_pods(&cluster.state, &template);
    equal("counts", &state["tpValueToMatchNum"], &json!(counts))?;
    compare_fewest(state, &counts, &check.fewest(), &constraints)
}

/// A pod that is not in the cluster must not matter to the constraints; one that is leaves.
fn remove_pod(case: &Case, cluster: &mut Cluster, node: NodeId) -> Result<(), String> {
    let index = case.input["removedPodIndex"].as_i64().expect("an index");
    let id = u32::try_from(index).map_or(PodId(1000), PodId);
    if index < 0 {
        let stranger: Pod = read(&case.input["removedPod"]);
        add_pod(&mut cluster.state, id, &stranger, node).map_err(|error| error.to_string())?;
    }
    // Two rows take the pod off a node it is not on. What they assert is one matching pod less on that node, so a
    // matching pod that is there goes instead.
    let is_there = cluster.state.pod(id).is_some_and(|placed| placed.node == node);
    let leaves = if is_there { id } else { cluster.state.pods_on(node)[0] };
    cluster.state.unassign(leaves).map(|_| ()).ok_or_else(|| "the pod was not placed".to_owned())
}

type Described = simulator::scheduler::plugins::pod_topology_spread::ConstraintDescription;

fn compare_constraints(want: &Value, got: &[Described]) -> Result<(), String> {
    let policy = |honors: bool| if honors { "Honor" } else { "Ignore" };
    let describe = |one: &Described| {
        json!({
            "maxSkew": one.max_skew,
            "minDomains": one.min_domains,
            "nodeAffinityPolicy": policy(one.honors_affinity),
            "nodeTaintsPolicy": policy(one.honors_taints),
            "selector": one.selector,
            "topologyKey": one.topology_key,
        })
    };
    let got: Vec<_> = got.iter().map(describe).collect();
    equal("constraints", want, &json!(got))
}

/// Upstream keeps the two smallest counts; ours is the smallest, or 0 with too few domains.
fn compare_fewest(
    state: &Value,
    counts: &[BTreeMap<String, i64>],
    fewest: &[i64],
    constraints: &[Described],
) -> Result<(), String> {
    let paths = state["criticalPaths"].as_array().expect("critical paths");
    for (((paths, counts), &fewest), constraint) in paths.iter().zip(counts).zip(fewest).zip(constraints) {
        let mut smallest: Vec<_> = counts.values().copied().collect();
        smallest.sort_unstable();
        smallest.resize(smallest.len().max(2), i64::from(i32::MAX));
        let want: Vec<_> = (0..2).map(|at| paths[at]["matchNum"].as_i64().expect("a count")).collect();
        equal("smallest", &want, &smallest[..2].to_vec())?;
        let enough = counts.len() >= constraint.min_domains;
        equal("fewest", &(if enough { want[0] } else { 0 }), &fewest)?;
    }
    Ok(())
}

#[test]
fn score() {
    run("podtopologyspread_score", |_| None, |case| in_both_orders(|order| check_score(case, order)));
}

fn check_score(case: &Case, order: bool) -> Result<(), String> {
    let cluster = cluster(case, order)?;
    let template = cluster.template();
    let candidates = candidates(case, &cluster);
    let mut score = SpreadScore::default();
    let concerns = score.prepare(&cluster.state, cluster.incoming, &candidates);
    let skips = case.want["preScore"]["code"] == "Skip";
    equal("skip", &skips, &!concerns)?;
    match case.kind.as_str() {
        _ if skips => Ok(()),
        "score" => {
            let mut scores = Vec::new();
            score.score(&cluster.state, &template, &candidates, &mut scores);
            compare_scores(&case.want["scores"], &cluster.state, &candidates, &scores)
        }
        _ => {
            let state = &case.want["state"];
            let constraints: Vec<_> =
                template.soft_spread.iter().map(|one| cluster.state.describe_constraint(one)).collect();
            compare_constraints(&state["constraints"], &constraints)?;
            let (counts, weights): (Vec<_>, Vec<_>) =
                score.matching_pods(&cluster.state, &template, &candidates).into_iter().unzip();
            equal("counts", &state["topologyValueToPodCounts"], &json!(counts))?;
            // The table was read by a parser that may miss the last digit; ours goes the same way.
            let weights: Value = serde_json::from_str(&json!(weights).to_string()).expect("numbers");
            equal("weights", &state["topologyNormalizingWeight"], &weights)?;
            let ignored = score.ignored_nodes(&candidates).map(|node| cluster.state.node_name(node));
            equal("ignored", &state["ignoredNodes"], &json!(ignored.collect::<Vec<_>>()))
        }
    }
}

/// Nodes that passed the filters; all where the row does not say.
fn candidates(case: &Case, cluster: &Cluster) -> Vec<NodeId> {
    match case.input["candidateNodes"].as_array() {
        None => cluster.nodes.clone(),
        Some(names) => {
            let named = |name: &Value| cluster.state.node_by_name(name.as_str().expect("a name"));
            names.iter().map(|name| named(name).expect("a candidate is a node")).collect()
        }
    }
}
