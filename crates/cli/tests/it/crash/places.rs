//! Where workloads are at the end, held against the plans that were applied: a record can be in order while the federation is not.

use super::{Client, effects, record};
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

/// Where the scenario puts everything, and with how many replicas.
const BEGINNING: (&str, u64) = ("one", 2);

/// Plans under way have come to their end after so many steps: each lasts longer than starting and stopping pods and observing take.
const MOST_STEPS: u32 = 60;
const STEP_SECONDS: u32 = 30;

/// What was compared.
#[derive(Default)]
pub(super) struct Found {
    plans: usize,
    workloads: usize,
    moved: usize,
}

impl Found {
    pub(super) const fn add(&mut self, other: &Self) {
        self.plans += other.plans;
        self.workloads += other.workloads;
        self.moved += other.moved;
    }

    /// Whether anything was found that had been moved.
    pub(super) const fn shows_something(&self) -> bool {
        self.moved > 0
    }
}

impl fmt::Display for Found {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { plans, workloads, moved } = self;
        write!(
            out,
            "{plans} plans were carried out; {workloads} workloads are where they belong, {moved} of them moved"
        )
    }
}

/// A plan that was carried out.
struct Done<'a> {
    to: &'a str,
    ended_at: u64,
}

/// Lets what is under way come to its end, and compares. Nobody may decide anything meanwhile.
pub(super) fn check(client: &Client) -> Found {
    come_to_rest(client);
    let (entries, executions) = (record(client), all(client, "/api/v1/executions?limit=500"));
    each_once(&entries, &executions);
    let done = carried_out(&entries, &executions);
    let workloads = all(client, "/api/v1/workloads?limit=500");
    let moved = workloads.iter().filter(|workload| is_where_it_belongs(workload, &done)).count();
    Found { plans: executions.len(), workloads: workloads.len(), moved }
}

fn come_to_rest(client: &Client) {
    let order = |wish: Value| {
        let (status, told) = client.post("/api/v1/clock", "", &wish).expect("an answer");
        assert_eq!(status, 200, "{told}");
        told
    };
    let mut told = order(json!({ "order": "pause" }));
    for _ in 0..MOST_STEPS {
        told = order(json!({ "order": "advance", "seconds": STEP_SECONDS }));
        if told["underWay"] == 0 {
            return;
        }
    }
    panic!("plans are still under way: {told}");
}

/// Everything on a list.
fn all(client: &Client, path: &str) -> Vec<Value> {
    let (mut items, mut cursor) = (Vec::new(), String::new());
    loop {
        let (_, _, mut page) = client.get(&format!("{path}{cursor}")).expect("an answer");
        items.extend(page["items"].as_array_mut().map(std::mem::take).unwrap_or_default());
        match page["nextCursor"].as_str() {
            Some(next) => cursor = format!("&cursor={next}"),
            None => return items,
        }
    }
}

fn text<'a>(value: &'a Value, name: &str) -> &'a str {
    value[name].as_str().unwrap_or_else(|| panic!("no {name} in {value}"))
}

/// Every plan that was applied was carried out once, and nothing else was.
fn each_once(entries: &[Value], executions: &[Value]) {
    let applied: BTreeSet<&str> =
        effects(entries, "apply").map(|plan| text(&plan["recommendation"], "id")).collect();
    let carried: BTreeSet<&str> = executions.iter().map(|execution| text(execution, "id")).collect();
    assert_eq!(carried.len(), executions.len(), "something was carried out twice");
    assert_eq!(carried, applied, "what was carried out is not what was applied");
}

/// The last plan for each workload that came to a good end.
fn carried_out<'a>(entries: &'a [Value], executions: &[Value]) -> BTreeMap<&'a str, Done<'a>> {
    let ends: BTreeMap<&str, u64> = executions
        .iter()
        .filter(|execution| execution["stage"] == "applied")
        .map(|execution| (text(execution, "id"), execution["endedAt"].as_u64().expect("an end")))
        .collect();
    let mut done: BTreeMap<&str, Done<'_>> = BTreeMap::new();
    for plan in effects(entries, "apply").map(|plan| &plan["recommendation"]) {
        let Some(&ended_at) = ends.get(text(plan, "id")) else { continue };
        let workload = text(&plan["action"], "workload");
        if done.get(workload).is_none_or(|known| known.ended_at < ended_at) {
            done.insert(workload, Done { to: text(&plan["action"], "to"), ended_at });
        }
    }
    done
}

/// Whether it was moved. It has all of its replicas in one place, and was last moved when the record says so: an effect that came twice
/// would move it later, and one that was lost not at all.
fn is_where_it_belongs(workload: &Value, done: &BTreeMap<&str, Done<'_>>) -> bool {
    let last = done.get(text(workload, "workload"));
    let found: Vec<(&str, u64)> = workload["placements"]
        .as_array()
        .into_iter()
        .flatten()
        .map(|place| (text(place, "cluster"), place["replicas"].as_u64().unwrap_or(0)))
        .filter(|(_, replicas)| *replicas > 0)
        .collect();
    let cluster = last.map_or(BEGINNING.0, |done| done.to);
    assert_eq!(found, [(cluster, BEGINNING.1)], "{workload}");
    assert_eq!(workload["lastMovedAt"].as_u64(), last.map(|done| done.ended_at), "{workload}");
    last.is_some()
}
