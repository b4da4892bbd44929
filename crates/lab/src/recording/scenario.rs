//! A scenario in which happens what was recorded: the same nodes, workloads that come and go when they came and went.

use super::course::{ClusterCourse, NodeCourse, Stretch};
use super::pods::{Times, unique};
use crate::twin;
use model::document::to_yaml;
use model::names::{ClusterName, PoolName};
use model::quantity::{Bytes, MilliCpu};
use model::resources::Resources;
use model::snapshot::PoolView;
use model::time::{Period, Timestamp};
use serde_json::{Value, json};
use simulator::scenario::{Scenario, read_beside};
use std::collections::{BTreeMap, BTreeSet};

/// What a scenario is written from.
pub(super) struct Draft<'a> {
    pub(super) name: &'a str,
    pub(super) until: Timestamp,
    pub(super) clusters: &'a BTreeMap<ClusterName, ClusterCourse>,
    pub(super) stretches: &'a [Stretch],
    /// Pods that no workload makes: their cluster and their file.
    pub(super) others: &'a [(ClusterName, String, String)],
    pub(super) times: Times,
}

/// Nodes that are alike and were there at the same times.
type Group = (PoolName, (u64, u64, u64), Timestamp, Option<Timestamp>);

/// The text, and notes about what it cannot say.
pub(super) fn write(draft: &Draft<'_>, notes: &mut Vec<String>) -> String {
    let mut faults = Vec::new();
    let clusters: Vec<Value> =
        draft.clusters.iter().map(|(name, course)| cluster(name, course, draft.until, &mut faults)).collect();
    let (workloads, events) = workloads(draft.stretches, notes);
    let traces = draft
        .others
        .iter()
        .map(|(cluster, file, _)| json!({ "file": file, "format": "csv", "cluster": cluster }));
    if !faults.is_empty() {
        notes.push(
            "nodes that came or went are pools of their own, and away as after a crash before and after"
                .to_owned(),
        );
    }
    let described = format!(
        "Recorded in {} clusters over {}. Without agents it shows what happened; add agents to see what they would have made of it.",
        draft.clusters.len(),
        draft.until.since(Timestamp::EPOCH)
    );
    let mut sections = vec![
        json!({ "drover": "scenario/v1" }),
        json!({ "name": draft.name }),
        json!({ "description": described }),
        json!({ "duration": draft.until.since(Timestamp::EPOCH) }),
        json!({ "clusters": clusters }),
        json!({ "workloads": workloads }),
    ];
    let lists = [("traces", traces.collect::<Vec<_>>()), ("events", events), ("faults", faults)];
    sections.extend(
        lists.into_iter().filter(|(_, list)| !list.is_empty()).map(|(key, list)| json!({ key: list })),
    );
    sections.push(json!({ "pods": pod_times(draft.times) }));
    sections.iter().map(to_yaml).collect()
}

fn pod_times(times: Times) -> Value {
    // One second each is what is usual where nothing was seen.
    let known = |time: Option<Period>| time.unwrap_or(Period::from_secs(1));
    json!({ "start_time": known(times.start), "stop_time": known(times.stop) })
}

fn cluster(name: &ClusterName, course: &ClusterCourse, until: Timestamp, faults: &mut Vec<Value>) -> Value {
    let mut groups: BTreeMap<Group, u32> = BTreeMap::new();
    for node in course.nodes.values().flatten() {
        *groups.entry(group(node, course.begun)).or_default() += 1;
    }
    // Those that were there from the beginning to the end come first and keep the pool's name.
    let mut ordered: Vec<(Group, u32)> = groups.into_iter().collect();
    ordered.sort_by_key(|((_, _, from, until), _)| (*from, until.is_some()));
    let mut used = BTreeSet::new();
    let mut pools = Vec::new();
    for ((pool, (cpu, memory, pods), from, gone), nodes) in ordered {
        let own = unique(pool.as_str(), &mut used);
        let away = |at: Timestamp, lasts: Period| {
            json!({ "fault": { "node_crash": { "cluster": name, "pool": own, "nodes": nodes } },
                "at": at.since(Timestamp::EPOCH), "for": lasts })
        };
        if from > Timestamp::EPOCH {
            faults.push(away(Timestamp::EPOCH, from.since(Timestamp::EPOCH)));
        }
        if let Some(gone) = gone {
            faults.push(away(gone, until.since(gone).saturating_add(Period::from_secs(1))));
        }
        let capacity = Resources::new(MilliCpu(cpu), Bytes(memory), pods);
        pools.push(twin::pool(&own, nodes, &view(course.pools.get(&pool), nodes, capacity)));
    }
    if pools.is_empty() {
        let capacity = Resources::new(MilliCpu(1_000), Bytes(1 << 30), 110);
        pools.push(twin::pool("default", 0, &view(None, 0, capacity)));
    }
    json!({ "name": name, "pools": pools })
}

fn group(node: &NodeCourse, begun: Timestamp) -> Group {
    let Resources { cpu, memory, pods } = node.capacity;
    let from = if node.from <= begun { Timestamp::EPOCH } else { node.from };
    (node.pool.clone(), (cpu.0, memory.0, pods), from, node.until)
}

/// The pool as it was last seen, with exactly these nodes: nobody adds any in a replay.
fn view(seen: Option<&PoolView>, nodes: u32, node_capacity: Resources) -> PoolView {
    PoolView {
        nodes,
        booting: 0,
        minimum: nodes,
        maximum: nodes,
        node_capacity,
        price_per_hour: seen.map(|seen| seen.price_per_hour).unwrap_or_default(),
        boot_time: seen.map_or(Period::from_minutes(1), |seen| seen.boot_time),
    }
}

/// Workloads and what happens to them. One that was in several clusters, or came again, is several here.
fn workloads(stretches: &[Stretch], notes: &mut Vec<String>) -> (Vec<Value>, Vec<Value>) {
    let mut used: BTreeSet<String> = stretches.iter().map(|stretch| stretch.workload.to_string()).collect();
    let mut taken = BTreeSet::new();
    let mut ordered: Vec<&Stretch> = stretches.iter().collect();
    ordered.sort_by_key(|stretch| (stretch.at, stretch.workload.clone(), stretch.cluster.clone()));
    let (mut workloads, mut events) = (Vec::new(), Vec::new());
    for stretch in ordered {
        let reference = &stretch.workload;
        let prefix = format!("{}/{}/", reference.kind().as_str(), reference.namespace());
        let mut full = reference.to_string();
        if !taken.insert(reference.clone()) {
            full = unique(&format!("{full}-{}", stretch.cluster), &mut used);
            let since = stretch.at.since(Timestamp::EPOCH);
            notes.push(format!("{reference} in {} is {full} from {since} on", stretch.cluster));
        }
        let name = full.strip_prefix(&prefix).unwrap_or(&full).to_owned();
        events.extend(stretch.changes.iter().map(|change| event(&full, change)));
        workloads.push(workload(stretch, &name));
    }
    (workloads, events)
}

fn workload(stretch: &Stretch, name: &str) -> Value {
    let reference = &stretch.workload;
    let mut written = json!({
        "name": name, "namespace": reference.namespace(), "kind": reference.kind(), "cluster": stretch.cluster,
        "at": stretch.at.since(Timestamp::EPOCH), "replicas": stretch.replicas, "cpu": stretch.each.cpu,
        "memory": stretch.each.memory,
    });
    if let Some(until) = stretch.until {
        written["until"] = json!(until.since(Timestamp::EPOCH));
    }
    if stretch.priority != 0 {
        written["priority"] = json!(stretch.priority);
    }
    if !stretch.movable {
        written["movable"] = json!(false);
    }
    written
}

fn event(workload: &str, change: &super::course::Change) -> Value {
    let what = match change.each {
        None => json!({ "scale": { "replicas": change.replicas } }),
        Some(each) => {
            json!({ "update": { "cpu": each.cpu, "memory": each.memory, "replicas": change.replicas } })
        }
    };
    json!({ "at": change.at.since(Timestamp::EPOCH), "workload": workload, "change": what })
}

/// Whether the simulator takes it, with the files beside it.
pub(super) fn checked(text: &str, files: &[(String, String)]) -> Result<(), String> {
    let mut beside = |name: &str| {
        let found = files.iter().find(|(path, _)| path == name);
        found.map(|(_, text)| text.clone().into_bytes()).ok_or_else(|| "was not recorded".to_owned())
    };
    let read: Result<Scenario<Value>, _> =
        read_beside("the recorded scenario", text.as_bytes(), |_| Ok(()), &mut beside);
    read.map(drop).map_err(|files| files.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n"))
}
