//! Workloads that leave a cluster which the federation has lost, as Karmada's taint manager and its graceful eviction make
//! them: first replicas elsewhere, then the old ones go. Only workloads with placement rules, and only if the scenario
//! says so: upstream's switch is off by default, too.

use super::SimulatedWorld;
use super::agenda::Event;
use crate::federation::{Placement, Taint, TaintEffect};
use crate::scenario::{FailoverSpec, Start};
use model::time::{Period, Timestamp};
use std::sync::Arc;

/// Clusters report their status, and bindings are looked at, every ten seconds in Karmada.
const LOOK_EVERY: Period = Period::from_secs(10);

/// One binding after the other: `resource-eviction-rate` is half a binding per second.
const APART: Period = Period::from_secs(2);

/// A workload on its way out of a cluster.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Leaving {
    /// When the old replicas go at the latest.
    until: Timestamp,
}

impl SimulatedWorld {
    /// A cluster went out of sight: whoever does not tolerate that for ever will leave it.
    pub(super) fn plan_failover(&mut self, cluster: usize) {
        let (spec, since) = (Arc::clone(&self.spec), self.agenda.now());
        let Some(failover) = spec.failover else { return };
        let lost_at = since + failover.lost_after;
        let mut ahead = 0;
        for (workload, one) in spec.workloads.iter().enumerate() {
            let Start::Policy(placement) = &one.start else { continue };
            let here = self.workloads[workload].placements.contains_key(cluster);
            if let (true, Some(tolerated)) = (here, tolerated_for(placement, &failover)) {
                let at = lost_at + tolerated + APART.saturating_mul(ahead);
                self.agenda.at(at, Event::FailoverLooks { workload, cluster, since });
                ahead += 1;
            }
        }
    }

    /// A workload may have to leave a cluster that was lost, or is on its way out.
    pub(super) fn look_at_failover(&mut self, workload: usize, cluster: usize, since: Timestamp) {
        let goes_on = if self.leaving.contains_key(&(workload, cluster)) {
            self.continue_failover(workload, cluster)
        } else {
            self.begin_failover(workload, cluster, since)
        };
        if goes_on {
            self.agenda.after(LOOK_EVERY, Event::FailoverLooks { workload, cluster, since });
        }
    }

    /// Returns whether to look again.
    fn begin_failover(&mut self, workload: usize, cluster: usize, since: Timestamp) -> bool {
        let spec = Arc::clone(&self.spec);
        let (Some(failover), Start::Policy(placement)) = (spec.failover, &spec.workloads[workload].start)
        else {
            return false;
        };
        let run = &self.workloads[workload];
        let is_lost = self.trouble.last_seen.get(&cluster).is_some_and(|seen| seen.at == since);
        let is_there = run.placements.get(cluster).is_some_and(|placement| !placement.leaving);
        if !(run.exists && is_lost && is_there) {
            return false;
        }
        // A move under way is not disturbed; it ends by itself.
        if run.busy_with.is_none() {
            let until = self.agenda.now() + failover.grace_period;
            self.leaving.insert((workload, cluster), Leaving { until });
            self.place_by_policy(workload, placement);
        }
        true
    }

    /// The old replicas go when the new ones are ready or the grace period is over, and the cluster can be told so.
    fn continue_failover(&mut self, workload: usize, cluster: usize) -> bool {
        let now = self.agenda.now();
        if !self.workloads[workload].exists {
            self.leaving.remove(&(workload, cluster));
            return false;
        }
        let is_over = self.is_ready_elsewhere(workload);
        let Some(leaving) = self.leaving.get_mut(&(workload, cluster)) else { return false };
        if is_over {
            // Decided once, even if the new replicas fail before the cluster is back.
            leaving.until = leaving.until.min(now);
        }
        if now < leaving.until || self.trouble.hidden(cluster) {
            self.place_the_rest(workload);
            return true;
        }
        self.leaving.remove(&(workload, cluster));
        self.displace(workload, cluster);
        // Where nothing else took it, the cluster it left is a place like any other again.
        self.agenda.after(LOOK_EVERY, Event::WorkloadWakes { workload });
        false
    }

    /// Where it stays or comes to: clusters and what it should have there.
    fn staying(&self, workload: usize) -> impl Iterator<Item = (usize, &super::workloads::Placement)> {
        let placements = self.workloads[workload].placements.iter();
        let stays = move |(index, placement): &(&usize, &super::workloads::Placement)| {
            !placement.leaving && !self.leaving.contains_key(&(workload, **index))
        };
        placements.filter(stays).map(|(index, placement)| (*index, placement))
    }

    fn is_ready_elsewhere(&self, workload: usize) -> bool {
        let mut staying = self.staying(workload).peekable();
        let is_ready = |(index, placement): (usize, &super::workloads::Placement)| {
            placement.count(&self.clusters[index]).ready >= placement.replicas
        };
        staying.peek().is_some() && staying.all(is_ready)
    }

    /// Tries again to place what found no cluster before.
    fn place_the_rest(&mut self, workload: usize) {
        let placed: u64 = self.staying(workload).map(|(_, placement)| u64::from(placement.replicas)).sum();
        let run = &self.workloads[workload];
        let is_free = run.busy_with.is_none() && placed < u64::from(run.wanted);
        if let (true, Start::Policy(placement)) = (is_free, &Arc::clone(&self.spec).workloads[workload].start)
        {
            self.place_by_policy(workload, placement);
        }
    }
}

/// How long a workload stays in a cluster that was lost; nothing if for ever. A placement that says nothing about it gets the
/// default, as upstream's webhook writes it into policies.
fn tolerated_for(placement: &Placement, failover: &FailoverSpec) -> Option<Period> {
    let taint = Taint {
        key: "cluster.karmada.io/unreachable".to_owned(),
        value: String::new(),
        effect: TaintEffect::NoExecute,
    };
    let mut matching = placement.tolerations.iter().filter(|one| one.tolerates(&taint)).peekable();
    if matching.peek().is_none() {
        return Some(failover.toleration);
    }
    let seconds = matching.filter_map(|one| one.toleration_seconds).min()?;
    Some(Period::from_secs(u64::try_from(seconds).unwrap_or(0)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scenario::{self, Scenario};
    use crate::world::pods::Phase;
    use model::document::to_yaml;
    use serde_json::{Value, json};

    /// Two clusters, a workload that may be in either but only in one of them at a time, and a partition of its home.
    fn world(more: &Value, workload: &Value, partition: (u64, u64)) -> SimulatedWorld {
        let pool = json!({ "nodes": 2, "cpu": "8", "memory": "16Gi" });
        let mut placement = json!({ "clusterAffinity": { "clusterNames": ["one", "two"] },
            "spreadConstraints": [{ "spreadByField": "cluster", "minGroups": 1, "maxGroups": 1 }] });
        let mut web = json!({ "name": "web", "cpu": "1", "memory": "1Gi", "replicas": 4 });
        for (key, value) in workload.as_object().unwrap() {
            if ["clusterTolerations", "replicaScheduling"].contains(&key.as_str()) {
                placement[key] = value.clone();
            } else {
                web[key] = value.clone();
            }
        }
        web["placement"] = placement;
        let fault = json!({ "fault": { "partition": { "cluster": "one" } },
            "at": format!("{}s", partition.0), "for": format!("{}s", partition.1) });
        let mut written = json!({ "drover": "scenario/v1", "name": "small", "duration": "3h",
            "clusters": [{ "name": "one", "pools": [pool.clone()] }, { "name": "two", "pools": [pool] }],
            "pods": { "start_time": "20s", "stop_time": "1s" }, "workloads": [web], "faults": [fault] });
        written.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        let text = to_yaml(&written);
        let read: Scenario<Value> = scenario::read("small.yaml", text.as_bytes())
            .unwrap_or_else(|problems| panic!("{problems}\n{text}"));
        SimulatedWorld::new(Arc::new(read.world), read.reviewer, 1)
    }

    /// Ready pods in both clusters at a second.
    fn ready(world: &mut SimulatedWorld, second: u64) -> [usize; 2] {
        let until = Timestamp(second * 1_000);
        while world.agenda.next_at().is_some_and(|next| next <= until) {
            world.step();
        }
        world.agenda.advance_to(until);
        [0, 1].map(|index| world.clusters[index].pods.iter().filter(|pod| pod.phase == Phase::Ready).count())
    }

    #[test]
    fn a_workload_leaves_a_lost_cluster_and_is_nowhere_twice_for_long() {
        let mut world = world(&json!({ "failover": {} }), &json!({}), (100, 1_200));
        assert_eq!(ready(&mut world, 60), [4, 0]);
        // Lost after 30 s, tolerated for 300 s, ready 20 s later.
        assert_eq!(ready(&mut world, 429), [4, 0]);
        assert_eq!(ready(&mut world, 455), [4, 4], "the old replicas go on: nobody can tell them to stop");
        assert_eq!(ready(&mut world, 1_299), [4, 4]);
        assert_eq!(ready(&mut world, 1_315), [0, 4], "the cluster is back and is told");
        assert_eq!(ready(&mut world, 3_600), [0, 4], "nothing moves back by itself");
        assert!(world.leaving.is_empty());
    }

    #[test]
    fn short_partitions_and_worlds_without_failover_leave_everything_as_it_is() {
        let mut short = world(&json!({ "failover": {} }), &json!({}), (100, 320));
        assert_eq!(ready(&mut short, 3_600), [4, 0]);
        let mut off = world(&json!({}), &json!({}), (100, 1_200));
        assert_eq!(ready(&mut off, 3_600), [4, 0]);
    }

    #[test]
    fn a_placement_says_how_long_it_tolerates_a_lost_cluster() {
        let toleration = |more: Value| {
            let mut one = json!({ "key": "cluster.karmada.io/unreachable", "operator": "Exists", "effect": "NoExecute" });
            one.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
            json!({ "clusterTolerations": [one] })
        };
        let failover = json!({ "failover": { "lost_after": "10s" } });
        let mut short = world(&failover, &toleration(json!({ "tolerationSeconds": 60 })), (100, 1_200));
        assert_eq!(ready(&mut short, 169), [4, 0]);
        assert_eq!(ready(&mut short, 195), [4, 4]);
        let mut forever = world(&failover, &toleration(json!({})), (100, 1_200));
        assert_eq!(ready(&mut forever, 3_600), [4, 0]);
    }

    #[test]
    fn after_the_grace_period_the_old_replicas_go_whether_the_new_are_ready_or_not() {
        // Pods take 20 minutes to start. The cluster is out of sight from 30 to 37 minutes.
        let failover = json!({ "failover": { "grace_period": "10m" } });
        let mut world = world(&failover, &json!({ "start_time": "20m" }), (1_800, 420));
        assert_eq!(ready(&mut world, 2_220 + 60), [4, 0], "back before its successors are ready");
        assert_eq!(ready(&mut world, 2_729), [4, 0]);
        assert_eq!(ready(&mut world, 2_745), [0, 0], "10 minutes after it was given up at 2 130 s");
        assert_eq!(ready(&mut world, 2_130 + 1_201), [0, 4]);
    }

    #[test]
    fn a_workload_that_fits_nowhere_else_comes_back() {
        // Nodes of eight cores take no pod of nine, and who divides replicas asks for room.
        let narrow = json!({ "failover": {}, "clusters": [
            { "name": "one", "pools": [{ "nodes": 2, "cpu": "16", "memory": "16Gi" }] },
            { "name": "two", "pools": [{ "nodes": 2, "cpu": "8", "memory": "16Gi" }] }] });
        let divided = json!({ "cpu": "9", "replicas": 2, "replicaScheduling": {
            "replicaSchedulingType": "Divided", "replicaDivisionPreference": "Aggregated" } });
        let mut world = world(&narrow, &divided, (100, 1_800));
        assert_eq!(ready(&mut world, 1_899), [2, 0]);
        assert_eq!(ready(&mut world, 1_912), [0, 0], "its time was over while nobody could tell it");
        assert_eq!(ready(&mut world, 1_960), [2, 0]);
    }

    #[test]
    fn bindings_leave_one_after_the_other() {
        let copies = json!({ "name": "web-{n}", "copies": 3, "replicas": 1 });
        let roomy = json!({ "failover": {}, "clusters": [
            { "name": "one", "pools": [{ "nodes": 9, "cpu": "8", "memory": "16Gi" }] },
            { "name": "two", "pools": [{ "nodes": 2, "cpu": "8", "memory": "16Gi" }] }] });
        let mut world = world(&roomy, &copies, (100, 1_200));
        assert_eq!(ready(&mut world, 60), [3, 0]);
        for (second, moved) in [(449, 0), (450, 1), (452, 2), (454, 3)] {
            assert_eq!(ready(&mut world, second)[1], moved, "at {second} s");
        }
    }
}
