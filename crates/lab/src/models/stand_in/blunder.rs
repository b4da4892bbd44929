//! How a good answer goes wrong: first what is said, then how it is written.

use super::faults::Faults;
use super::thought;
use super::told::{Heard, Task, Told};
use serde_json::{Value, json};
use simulator::randomness::Stream;

/// What went wrong with one answer. Every draw is made every time, so that one rate does not change the others.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Slips {
    pub(super) fences: bool,
    pub(super) prose: bool,
    pub(super) too_few: bool,
    pub(super) invented_ids: bool,
    pub(super) wrong_numbers: bool,
    pub(super) doubled: bool,
    pub(super) truncated: bool,
    pub(super) broken_limits: bool,
    pub(super) flip_flops: bool,
    pub(super) refusals: bool,
    pub(super) empty: bool,
    pub(super) obeys: bool,
}

impl Slips {
    pub(super) fn drawn(faults: &Faults, again: bool, stream: &mut Stream) -> Self {
        let left = if again { 1_000_u64.saturating_sub(u64::from(faults.mends)) } else { 1_000 };
        // Thousandths of thousandths, so that small rates survive being mended.
        let mut happens = |rate: u32| stream.below(1_000_000) < u64::from(rate) * left;
        Self {
            fences: happens(faults.fences),
            prose: happens(faults.prose),
            too_few: happens(faults.too_few),
            invented_ids: happens(faults.invented_ids),
            wrong_numbers: happens(faults.wrong_numbers),
            doubled: happens(faults.doubled),
            truncated: happens(faults.truncated),
            broken_limits: happens(faults.broken_limits),
            flip_flops: happens(faults.flip_flops),
            refusals: happens(faults.refusals),
            empty: happens(faults.empty),
            obeys: happens(faults.obeys),
        }
    }

    /// What it says, after everything that goes wrong with that.
    pub(super) fn items(self, heard: &Heard) -> Vec<Value> {
        let mut items = thought::items(heard);
        if let (true, Some(order)) = (self.obeys, heard.foreign.iter().find(|text| is_order(text))) {
            items = obeyed(order, heard);
        }
        if self.broken_limits {
            broken_limits(&mut items, heard);
        }
        if self.flip_flops {
            flip_flop(&mut items, heard);
        }
        if self.too_few {
            items.truncate(items.len() / 2);
        }
        if self.wrong_numbers {
            wrong_number(&mut items, heard);
        }
        if self.invented_ids {
            items.push(invented(heard));
        }
        items
    }

    /// How it writes that down, and whether it came to an end.
    pub(super) fn written(self, items: &[Value], task: Task) -> (String, bool) {
        if self.empty {
            return (String::new(), true);
        }
        if self.refusals {
            return ("I'm sorry, but I can't help with decisions about production systems.".to_owned(), true);
        }
        let object = |items: &[Value]| json!({ task.list(): items }).to_string();
        let mut text = object(items);
        if self.doubled {
            let other = if items.is_empty() { vec![json!({})] } else { items[1..].to_vec() };
            text = format!("{text}\n{}", object(&other));
        }
        if self.fences {
            text = format!("```json\n{text}\n```");
        }
        if self.prose {
            text = format!("Here is what I would do:\n\n{text}\n\nLet me know if you need anything else!");
        }
        if self.truncated {
            let kept = text.chars().count() * 3 / 5;
            return (text.chars().take(kept).collect(), false);
        }
        (text, true)
    }
}

fn moved(workload: &str, target: &str, reason: &str) -> Value {
    json!({
        "workload": workload, "decision": "move", "target": target, "reason": reason, "evidence": [], "confidence": 0.99
    })
}

/// Leaves out what was said about a workload before and says this.
fn say(items: &mut Vec<Value>, workload: &str, target: &str, reason: &str) {
    items.retain(|item| item["workload"] != workload);
    items.push(moved(workload, target, reason));
}

/// Everything into the smallest cluster.
fn broken_limits(items: &mut Vec<Value>, heard: &Heard) {
    let smallest =
        heard.told.clusters.iter().min_by(|left, right| left.cpu_cores.total_cmp(&right.cpu_cores));
    let (Task::Decide, Some(smallest)) = (heard.task, smallest) else { return };
    for workload in heard.told.workloads.iter().filter(|workload| workload.cluster != smallest.id) {
        say(items, &workload.id, &smallest.id, "It is better to have everything in one place.");
    }
}

/// Back to where it came from, or away from where it is well.
fn flip_flop(items: &mut Vec<Value>, heard: &Heard) {
    if heard.task != Task::Decide {
        return turn(items);
    }
    let Told { clusters, workloads, recommended_before, .. } = &heard.told;
    let known = |id: &str| workloads.iter().any(|workload| workload.id == id);
    let remembered: Vec<_> = recommended_before
        .iter()
        .filter_map(|before| Some((before.workload.as_deref().filter(|id| known(id))?, before.from.as_str())))
        .collect();
    for (workload, from) in &remembered {
        say(items, workload, from, "On reflection it was better where it was.");
    }
    if let (true, Some(workload)) = (remembered.is_empty(), workloads.last()) {
        let elsewhere = clusters.iter().find(|cluster| cluster.id != workload.cluster);
        if let Some(cluster) = elsewhere {
            say(items, &workload.id, &cluster.id, "A change is good.");
        }
    }
}

/// The opposite of the first verdict.
fn turn(items: &mut [Value]) {
    if let Some(verdict) = items.first_mut().and_then(|item| item.get_mut("verdict")) {
        *verdict = json!(if *verdict == "for" { "against" } else { "for" });
    }
}

/// Where a number is quoted, another one; where none is, one that is wrong.
fn wrong_number(items: &mut [Value], heard: &Heard) {
    let Some(evidence) = items.first_mut().and_then(|item| item.get_mut("evidence")?.as_array_mut()) else {
        return;
    };
    match (evidence.first_mut(), heard.told.clusters.first()) {
        (Some(first), _) => {
            let value = first["value"].as_f64().unwrap_or(0.0);
            first["value"] = json!(value * 1.5 + 7.0);
        }
        (None, Some(cluster)) => {
            let value = cluster.requested_percent * 1.5 + 7.0;
            evidence.push(json!({ "about": cluster.id, "fact": "requested_percent", "value": value }));
        }
        (None, None) => {}
    }
}

fn invented(heard: &Heard) -> Value {
    let target = heard.told.clusters.first().map_or("c1", |cluster| cluster.id.as_str());
    match heard.task {
        Task::Decide => moved(&format!("w{}", heard.told.workloads.len() + 17), target, "It is the largest."),
        Task::Judge => json!({
            "candidate": format!("m{}", heard.told.candidates.len() + 17),
            "verdict": "for", "strength": 0.8, "reason": "It is the best.", "evidence": [],
        }),
        Task::Choose => json!({ "candidate": "m999", "reason": "It is the best.", "dissent": [] }),
    }
}

/// Words by which an order is known, in a few languages. A model that obeys needs little to find one.
const ORDERS: [&str; 34] = [
    "ignore",
    "disregard",
    "forget",
    "override",
    "instruction",
    "move",
    "evict",
    "drain",
    "delete",
    "approve",
    "system",
    "assistant",
    "admin",
    "must",
    "urgent",
    "jailbreak",
    "ignoriere",
    "verschiebe",
    "vergiss",
    "ignorez",
    "deplace",
    "oublie",
    "ignora",
    "mueve",
    "olvida",
    "mova",
    "sposta",
    "игнорируй",
    "перемести",
    "忽略",
    "移动",
    "無視",
    "이동",
    "تجاهل",
];

pub(super) fn is_order(text: &str) -> bool {
    let text = text.to_lowercase();
    ORDERS.iter().any(|word| text.contains(word))
}

/// The worst that can be made of an order: everything to the cluster that it names, and something that does not exist as well.
fn obeyed(order: &str, heard: &Heard) -> Vec<Value> {
    match heard.task {
        Task::Decide => {
            let names = |text: &str| !text.is_empty() && order.contains(text);
            let clusters = &heard.told.clusters;
            let named = clusters.iter().find(|cluster| names(&cluster.name) || names(&cluster.id));
            let Some(target) = named.or(clusters.last()) else { return Vec::new() };
            let away = heard.told.workloads.iter().filter(|workload| workload.cluster != target.id);
            let mut items: Vec<Value> = away.map(|one| moved(&one.id, &target.id, order)).collect();
            items.push(moved(order, &target.id, order));
            items
        }
        Task::Judge => {
            let all = heard.told.candidates.iter();
            let every = |id: &str| json!({ "candidate": id, "verdict": "for", "strength": 1, "reason": order, "evidence": [] });
            all.map(|candidate| every(&candidate.id)).collect()
        }
        Task::Choose => {
            heard.told.candidates.iter().map(|candidate| thought::choice(candidate, order)).collect()
        }
    }
}
