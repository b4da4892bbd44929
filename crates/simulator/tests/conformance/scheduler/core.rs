//! The scheduling cycle: how many nodes, totals, and who wins.

use super::cluster::{Cluster, equal, in_both_orders, profile};
use crate::table::{Case, run};
use serde_json::{Value, json};
use simulator::scheduler::{
    ClusterState, Plugin, Profile, RankedNodes, Scheduler, ScoredNode, feasible_nodes_to_find,
};
use std::collections::BTreeMap;

const EXTENDERS: &str = "scheduler extenders (calls to another server) are not modelled";

#[test]
fn core() {
    let has_extenders = |case: &Case| case.input["extenders"].as_array().is_some_and(|list| !list.is_empty());
    run(
        "scheduler_core",
        |case| has_extenders(case).then_some(EXTENDERS),
        |case| match case.kind.as_str() {
            "selectHost" => check_order(case),
            "numFeasibleNodesToFind" => check_feasible(case),
            "totalScore" => in_both_orders(|order| check_total(case, order)),
            "prioritizeNodes" => in_both_orders(|order| check_scores(case, order)),
            other => Err(format!("unknown kind {other}")),
        },
    );
}

fn check_feasible(case: &Case) -> Result<(), String> {
    let number = |key: &str| case.input[key].as_i64();
    let percentage = number("profilePercentage").or(number("globalPercentage")).unwrap_or(0);
    let got = feasible_nodes_to_find(percentage, number("numAllNodes").expect("a number") as usize);
    equal("nodes", &case.want["numNodes"], &Value::from(got))
}

fn check_order(case: &Case) -> Result<(), String> {
    let list = case.input["list"].as_array().expect("a list");
    let mut state = ClusterState::new(Profile::default()).expect("a valid profile");
    let nodes: Vec<_> = list.iter().map(|_| state.add_node(&simulator::kube::Node::default())).collect();
    let scored = list.iter().zip(&nodes).map(|(one, &node)| ScoredNode {
        node,
        score: one["totalScore"].as_i64().expect("a score"),
        tie_break: one["randomizer"].as_i64().expect("a number"),
    });
    let mut ranked = RankedNodes::default();
    ranked.fill(scored);
    let got: Vec<_> = std::iter::from_fn(|| ranked.pop())
        .map(|best| list[nodes.iter().position(|&node| node == best.node).expect("from the list")].clone())
        .collect();
    equal("order", &case.want["order"], &Value::from(got))
}

/// The row's plugins that exist outside upstream's tests.
fn scored_profile(case: &Case) -> Profile {
    let listed = case.input["plugins"]["score"].as_array().expect("score plugins");
    let weights = listed
        .iter()
        .filter_map(|one| Some((Plugin::from_name(one["name"].as_str()?)?, one["weight"].as_i64()?)));
    Profile { weights: weights.collect(), ..profile(&case.input) }
}

fn check_total(case: &Case, order: bool) -> Result<(), String> {
    let mut cluster = Cluster::new(case, scored_profile(case), order).map_err(|error| error.to_string())?;
    let scores = Scheduler::default().score(&mut cluster.state, cluster.incoming, &cluster.nodes);
    let want = &case.want["totalScoreEveryNode"];
    for at in 0..cluster.nodes.len() {
        let total: i64 = scores.iter().map(|plugin| plugin.scores[at]).sum();
        equal("total", want, &Value::from(total))?;
    }
    Ok(())
}

/// What upstream's test plugin of this name gives a node; it is added to ours to compare the sums.
fn test_double(plugin: &str, node: &str) -> Option<i64> {
    (plugin == "Node2Prioritizer").then_some(if node == "node2" { 100 } else { 10 })
}

fn check_scores(case: &Case, order: bool) -> Result<(), String> {
    let mut cluster = Cluster::new(case, scored_profile(case), order).map_err(|error| error.to_string())?;
    let scores = Scheduler::default().score(&mut cluster.state, cluster.incoming, &cluster.nodes);
    for (at, want) in case.want["scores"].as_array().expect("scores").iter().enumerate() {
        let name = want["name"].as_str().expect("a node");
        equal("node", &name, &cluster.state.node_name(cluster.nodes[at]))?;
        let mut got: BTreeMap<_, _> =
            scores.iter().map(|plugin| (plugin.plugin.name(), plugin.scores[at])).collect();
        for one in case.input["plugins"]["score"].as_array().expect("plugins") {
            let plugin = one["name"].as_str().expect("a name");
            got.extend(test_double(plugin, name).map(|score| (plugin, score)));
        }
        let total: i64 = got.values().sum();
        equal("total", &want["totalScore"], &Value::from(total))?;
        for (plugin, score) in got {
            let listed = want["scores"].as_array().expect("scores").iter();
            let wanted = listed.filter(|one| one["name"] == plugin).collect::<Vec<_>>();
            equal(plugin, &json!([{ "name": plugin, "score": score }]), &json!(wanted))?;
        }
    }
    Ok(())
}
