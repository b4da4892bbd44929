//! What a sensible model would say: relieve what is over its limit, one workload after the other, and leave the rest alone.

use super::told::{Candidate, Cluster, Heard, Interest, Task, Told, Workload};
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};

/// More moves than this are never right at once.
const MOST_MOVES: usize = 10;

/// The items of a good answer.
pub(super) fn items(heard: &Heard) -> Vec<Value> {
    match heard.task {
        Task::Decide => Relief::of(&heard.told, heard.limit).moves(),
        Task::Judge => heard.told.candidates.iter().map(|one| judged(one, heard)).collect(),
        Task::Choose => chosen(&heard.told, heard.limit),
    }
}

/// A federation in the head.
struct Relief<'a> {
    told: &'a Told,
    limit: f64,
    sites: BTreeMap<&'a str, Site<'a>>,
}

struct Site<'a> {
    told: &'a Cluster,
    cpu: f64,
    memory: f64,
    pending: f64,
}

impl Site<'_> {
    /// With so much more, in per cent of what it can have.
    fn with(&self, cpu: f64, memory: f64) -> f64 {
        let growth = (self.told.cpu_cores_with_more_nodes / self.told.cpu_cores).max(1.0);
        let share = |part: f64, whole: f64| if whole > 0.0 { 100.0 * part / whole } else { 0.0 };
        share(self.cpu + cpu, self.told.cpu_cores * growth)
            .max(share(self.memory + memory, self.told.memory_mib * growth))
    }

    /// In per cent of what it has.
    fn requested(&self) -> f64 {
        let share = |part: f64, whole: f64| if whole > 0.0 { 100.0 * part / whole } else { 0.0 };
        share(self.cpu, self.told.cpu_cores).max(share(self.memory, self.told.memory_mib))
    }

    fn needs_nodes(&self, cpu: f64) -> bool {
        self.cpu + cpu > self.told.cpu_cores
    }

    /// Whether one pod fits on one of its nodes.
    fn takes(&self, workload: &Workload) -> bool {
        let node = |amount: f64| amount / self.told.nodes.max(1.0);
        workload.cpu_cores_per_pod <= node(self.told.cpu_cores)
            && workload.memory_mib_per_pod <= node(self.told.memory_mib)
    }
}

impl<'a> Relief<'a> {
    fn of(told: &'a Told, limit: f64) -> Self {
        let site = |cluster: &'a Cluster| {
            let known = told.workloads.iter().filter(|workload| workload.cluster == cluster.id);
            let memory = known.map(Workload::memory).sum();
            let (cpu, pending) = (cluster.cpu_cores_requested, cluster.pods_pending);
            (cluster.id.as_str(), Site { told: cluster, cpu, memory, pending })
        };
        Self { told, limit, sites: told.clusters.iter().map(site).collect() }
    }

    fn moves(mut self) -> Vec<Value> {
        let mut moves = Vec::new();
        let mut moved = BTreeSet::new();
        while moves.len() < MOST_MOVES {
            let Some((workload, target)) = self.next(&moved) else { break };
            moved.insert(workload.id.as_str());
            moves.push(self.told_move(workload, target));
            self.apply(workload, target);
        }
        moves
    }

    fn is_troubled(&self, site: &Site<'_>) -> bool {
        site.pending > 0.0 || site.requested() > self.limit
    }

    /// The next move that helps: out of the fullest cluster that has one.
    fn next(&self, moved: &BTreeSet<&str>) -> Option<(&'a Workload, &'a str)> {
        let mut troubled: Vec<&Site<'_>> =
            self.sites.values().filter(|site| self.is_troubled(site)).collect();
        troubled.sort_by(|left, right| right.requested().total_cmp(&left.requested()));
        troubled.iter().find_map(|site| {
            let mut workloads: Vec<&Workload> = self.told.workloads.iter().collect();
            workloads.retain(|one| one.cluster == site.told.id && !moved.contains(one.id.as_str()));
            workloads.sort_by(|left, right| self.urgency(site, left).total_cmp(&self.urgency(site, right)));
            workloads.into_iter().find_map(|workload| Some((workload, self.target(workload)?)))
        })
    }

    /// Less is more urgent: what waits, then the smallest that is enough alone, then the largest.
    fn urgency(&self, site: &Site<'_>, workload: &Workload) -> f64 {
        const WAITS: f64 = -1e9;
        const ENOUGH: f64 = -1e6;
        let cpu = workload.cpu();
        let over = site.cpu - site.told.cpu_cores * self.limit / 100.0;
        match () {
            () if workload.pods_pending > 0.0 => WAITS + cpu,
            () if cpu >= over => ENOUGH + cpu,
            () => -cpu,
        }
    }

    /// Where it fits: on nodes that are there, then cheap, then empty.
    fn target(&self, workload: &Workload) -> Option<&'a str> {
        let (cpu, memory) = (workload.cpu(), workload.memory());
        let fits = |site: &&Site<'_>| {
            site.told.id != workload.cluster
                && !self.is_troubled(site)
                && site.takes(workload)
                && site.with(cpu, memory) <= self.limit
        };
        let better = |left: &&Site<'a>, right: &&Site<'a>| {
            left.needs_nodes(cpu)
                .cmp(&right.needs_nodes(cpu))
                .then(left.told.node_price_per_hour.total_cmp(&right.told.node_price_per_hour))
                .then(left.requested().total_cmp(&right.requested()))
        };
        self.sites.values().filter(fits).min_by(better).map(|site| site.told.id.as_str())
    }

    fn apply(&mut self, workload: &Workload, target: &str) {
        if let Some(home) = self.sites.get_mut(workload.cluster.as_str()) {
            home.cpu -= workload.cpu();
            home.memory -= workload.memory();
            home.pending = if workload.pods_pending > 0.0 {
                (home.pending - workload.pods_pending).max(0.0)
            } else if home.requested() <= self.limit {
                0.0
            } else {
                home.pending
            };
        }
        if let Some(there) = self.sites.get_mut(target) {
            there.cpu += workload.cpu();
            there.memory += workload.memory();
        }
    }

    fn told_move(&self, workload: &Workload, target: &str) -> Value {
        let home = self.told.clusters.iter().find(|cluster| cluster.id == workload.cluster);
        let requested = home.map_or(0.0, |home| home.requested_percent);
        json!({
            "workload": workload.id,
            "decision": "move",
            "target": target,
            "reason": format!("{} is too full, and {target} has room for {}.", workload.cluster, workload.id),
            "evidence": [
                { "about": workload.cluster, "fact": "requested_percent", "value": requested },
                { "about": workload.id, "fact": "pods", "value": workload.pods },
            ],
            "confidence": if workload.pods_pending > 0.0 { 0.9 } else { 0.7 },
        })
    }
}

fn judged(candidate: &Candidate, heard: &Heard) -> Value {
    let (is_for, strength, reason) = verdict(candidate, heard);
    json!({
        "candidate": candidate.id,
        "verdict": if is_for { "for" } else { "against" },
        "strength": strength,
        "reason": reason,
        "evidence": [],
    })
}

fn verdict(candidate: &Candidate, heard: &Heard) -> (bool, f64, &'static str) {
    let [source, source_after] = candidate.requested_percent_of_source;
    let [target, target_after] = candidate.requested_percent_of_target;
    let [pending, pending_after] = candidate.pods_pending_everywhere;
    let helps = pending_after < pending || source > heard.limit;
    let price = |id: &str| {
        heard.told.clusters.iter().find(|cluster| cluster.id == id).map(|cluster| cluster.node_price_per_hour)
    };
    match heard.interest {
        Interest::Performance if pending_after < pending => (true, 0.9, "Pods that wait would run."),
        Interest::Performance if helps && source_after < source => (true, 0.6, "A full cluster is relieved."),
        Interest::Performance => (false, 0.4, "Nothing gets faster."),
        Interest::Cost if target_after > 100.0 => (false, 0.6, "The target would have to add nodes."),
        Interest::Cost if price(&candidate.to) < price(&candidate.from) => {
            (true, 0.5, "The target is cheaper.")
        }
        Interest::Cost if helps => (true, 0.2, "No node has to be added."),
        Interest::Cost => (false, 0.3, "Nothing is saved."),
        Interest::Reliability if target_after > heard.limit - 5.0 => {
            (false, 0.5, "The target keeps too little room for the loss of a node.")
        }
        Interest::Reliability if helps => (true, 0.5, "The reason lasts."),
        Interest::Reliability => (false, 0.7, "A move without need stops pods."),
        Interest::Energy if target_after > 100.0 => (false, 0.6, "More nodes would draw power."),
        Interest::Energy if helps || target > source => (true, 0.3, "Nodes in use are filled."),
        Interest::Energy => (false, 0.3, "Load is spread over more nodes."),
    }
}

/// The best supported moves out of every cluster that is too full, until it is not.
fn chosen(told: &Told, limit: f64) -> Vec<Value> {
    let balance = |candidate: &Candidate| -> f64 {
        let points = candidate.votes.iter().map(|vote| {
            let points = vote.weight * vote.strength.unwrap_or(0.0);
            if vote.verdict == "for" { points } else { -points }
        });
        points.sum()
    };
    let mut order: Vec<&Candidate> = told.candidates.iter().filter(|one| balance(one) > 0.0).collect();
    order.sort_by(|left, right| {
        balance(right).total_cmp(&balance(left)).then(left.pods_moved.total_cmp(&right.pods_moved))
    });
    let mut load: BTreeMap<&str, f64> =
        told.clusters.iter().map(|cluster| (cluster.id.as_str(), cluster.requested_percent)).collect();
    let mut moved = BTreeSet::new();
    let mut choices = Vec::new();
    for candidate in order {
        let source = load.entry(candidate.from.as_str()).or_default();
        if *source <= limit || !moved.insert(candidate.workload.as_str()) {
            continue;
        }
        let [before, after] = candidate.requested_percent_of_source;
        *source -= before - after;
        choices.push(choice(candidate, "Most of the weight is for it."));
    }
    choices
}

pub(super) fn choice(candidate: &Candidate, reason: &str) -> Value {
    let against = candidate.votes.iter().filter(|vote| vote.verdict == "against");
    let dissent: Vec<&str> = against.map(|vote| vote.specialist.as_str()).collect();
    json!({ "candidate": candidate.id, "reason": reason, "dissent": dissent })
}
