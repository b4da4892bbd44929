//! A scenario that plays a trace: its nodes as one cluster, its pods by reference to the file.

use super::nodes::NodePool;
use super::{PodFormat, PodTrace};
use model::document::to_yaml;
use model::time::{Period, Timestamp};
use serde_json::{Value, json};

/// What a drafted scenario is made of.
#[derive(Clone, Copy, Debug)]
pub struct Draft<'a> {
    /// A name for scenario and cluster.
    pub name: &'a str,
    pub format: PodFormat,
    pub pools: &'a [NodePool],
    /// Files as the scenario will name them, and what is in them.
    pub traces: &'a [(String, PodTrace)],
}

/// The text of the scenario. It lasts until the last recorded end and has no agents, so it observes only at the end.
pub fn scenario(draft: Draft<'_>) -> String {
    let Draft { name, format, pools, traces } = draft;
    let end = traces.iter().map(|(_, trace)| trace.end()).max().unwrap_or(Timestamp::EPOCH);
    let duration = end.since(Timestamp::EPOCH).max(Period::from_secs(1)).to_string();
    let rows: usize = traces.iter().map(|(_, trace)| trace.pods.len()).sum();
    let nodes: u64 = pools.iter().map(|pool| u64::from(pool.nodes)).sum();
    let entry = |(file, _): &(String, PodTrace)| json!({ "file": file, "format": format, "cluster": name });
    let sections = [
        json!({ "drover": "scenario/v1" }),
        json!({ "name": name }),
        json!({ "description": format!("A trace of {rows} rows on {nodes} nodes.") }),
        json!({ "duration": duration }),
        json!({ "clusters": [{ "name": name, "pools": pools.iter().map(pool).collect::<Vec<_>>() }] }),
        json!({ "traces": traces.iter().map(entry).collect::<Vec<_>>() }),
    ];
    let mut text: String = sections.iter().map(to_yaml).collect();
    text.push_str("# Nobody looks without agents, so nothing is observed; with agents, observe for instance every 1h.\n");
    text.push_str(&to_yaml(&json!({ "observation": { "every": duration } })));
    text
}

fn pool(pool: &NodePool) -> Value {
    let mut value = json!({
        "name": pool.name,
        "nodes": pool.nodes,
        "cpu": pool.cpu,
        "memory": pool.memory,
        "pods": pool.pods,
    });
    if !pool.labels.is_empty() {
        value["labels"] = json!(pool.labels);
    }
    if !pool.extended.is_empty() {
        value["resources"] = json!(pool.extended);
    }
    value
}
