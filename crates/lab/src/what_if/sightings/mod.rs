//! Measuring where there are no meters of ours: what real clusters were seen to be holds until the next look.
//!
//! The outcome is a [`Window`] like that of a simulated world, so that predictions for real clusters are scored by the same instrument. What
//! snapshots do not tell (power, stopped pods, response times) stays unknown, and is not judged.

mod sums;
#[cfg(test)]
mod tests;

use model::action::Action;
use model::names::{ClusterName, PoolName, WorkloadRef};
use model::prediction::Prediction;
use model::recommendation::RecommendationId;
use model::snapshot::{NodeView, Snapshot};
use model::time::{Period, Timestamp};
use simulator::world::Window;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use sums::Sums;

/// Looks further apart than this leave too much unseen; and after the end, nobody waits longer for a last look.
const LONGEST_SILENCE: Period = Period::from_minutes(5);

/// Looks at a federation from the moment a plan was begun.
#[derive(Clone, Debug)]
pub struct Sightings {
    from: Timestamp,
    until: Timestamp,
    /// What was seen last holds since `measured`.
    seen: Arc<Snapshot>,
    measured: Timestamp,
    federation: Sums,
    clusters: BTreeMap<ClusterName, Sums>,
    /// Everything that was begun meanwhile.
    plans: BTreeMap<RecommendationId, Action>,
    moved_pods: u64,
    happenings: u64,
    faults: u64,
    /// Whether something was out of sight for too long.
    unseen: bool,
}

impl Sightings {
    /// Begins now, for as long as was predicted, with what was seen last.
    pub fn new(now: Timestamp, prediction: &Prediction, seen: &Arc<Snapshot>) -> Self {
        Self {
            from: now,
            until: now + prediction.horizon,
            seen: Arc::clone(seen),
            measured: now,
            federation: Sums::default(),
            clusters: seen.clusters.keys().map(|name| (name.clone(), Sums::default())).collect(),
            plans: BTreeMap::new(),
            moved_pods: 0,
            happenings: 0,
            faults: 0,
            unseen: now.since(seen.taken_at) > LONGEST_SILENCE,
        }
    }

    /// A plan was begun; what it changes is no surprise.
    pub fn begun(&mut self, id: RecommendationId, action: &Action) {
        if self.measured < self.until {
            self.plans.insert(id, action.clone());
        }
    }

    /// A plan that was begun was seen to be done.
    pub fn done(&mut self, id: RecommendationId) {
        if let Some(Action::Migrate { replicas, .. }) =
            self.plans.get(&id).filter(|_| self.measured < self.until)
        {
            self.moved_pods += u64::from(*replicas);
        }
    }

    /// Somebody looked.
    pub fn look(&mut self, snapshot: &Arc<Snapshot>) {
        if self.is_over() || snapshot.taken_at < self.seen.taken_at {
            return;
        }
        self.unseen |= snapshot.taken_at.since(self.seen.taken_at) > LONGEST_SILENCE;
        self.hold_until(snapshot.taken_at.min(self.until));
        if snapshot.taken_at < self.until {
            self.happenings += self.changed_workloads(snapshot);
            self.faults += self.changed_ground(snapshot);
        }
        self.seen = Arc::clone(snapshot);
    }

    /// Whether its time is over: there was a look at the end of it, or nobody looks any more.
    pub fn is_due(&self, now: Timestamp) -> bool {
        self.is_over() || now > self.until + LONGEST_SILENCE
    }

    fn is_over(&self) -> bool {
        self.measured >= self.until
    }

    /// What was measured.
    pub fn close(self) -> Window {
        let whole = self.is_over() && !self.unseen;
        let clusters = self.clusters.iter().filter(|(_, sums)| !sums.is_empty());
        Window {
            from: self.from,
            to: self.measured,
            whole,
            federation: self.federation.of_federation(),
            clusters: clusters.map(|(name, sums)| (name.clone(), sums.of_cluster())).collect(),
            services: Vec::new(),
            moved_pods: self.moved_pods,
            started: self.plans.into_keys().collect(),
            happenings: self.happenings,
            faults: self.faults,
        }
    }

    /// What was seen last held until then.
    fn hold_until(&mut self, moment: Timestamp) {
        let lasted = moment.since(self.measured);
        for (name, view) in &self.seen.clusters {
            self.clusters.entry(name.clone()).or_default().hold(std::iter::once(view), lasted);
        }
        self.federation.hold(self.seen.clusters.values(), lasted);
        self.measured = self.measured.max(moment);
    }

    /// Workloads that came, went, or got another number of replicas, and not because of a plan.
    fn changed_workloads(&self, now: &Snapshot) -> u64 {
        let planned: BTreeSet<&WorkloadRef> = self.plans.values().filter_map(Action::workload).collect();
        let wanted =
            |snapshot: &Snapshot, name: &WorkloadRef| snapshot.workloads.get(name).map(|view| view.replicas);
        let names: BTreeSet<&WorkloadRef> = self.seen.workloads.keys().chain(now.workloads.keys()).collect();
        let changed = |name: &&&WorkloadRef| wanted(&self.seen, name) != wanted(now, name);
        names.difference(&planned).filter(changed).count() as u64
    }

    /// Clusters that went out of sight or came back, and nodes that came, went, or changed whether they take pods, and not because of a plan.
    fn changed_ground(&self, now: &Snapshot) -> u64 {
        let clusters = |snapshot: &Snapshot| -> BTreeSet<ClusterName> {
            let hidden = |name: &&ClusterName| snapshot.gap_of_cluster(name).is_none();
            snapshot.clusters.keys().filter(hidden).cloned().collect()
        };
        let (before, after) = (clusters(&self.seen), clusters(now));
        let nodes: usize = before.intersection(&after).map(|name| self.changed_nodes(now, name)).sum();
        (before.symmetric_difference(&after).count() + nodes) as u64
    }

    fn changed_nodes(&self, now: &Snapshot, cluster: &ClusterName) -> usize {
        let planned: BTreeSet<(&ClusterName, &PoolName)> = self
            .plans
            .values()
            .filter_map(|action| match action {
                Action::ResizePool { cluster, pool, .. } => Some((cluster, pool)),
                _ => None,
            })
            .collect();
        let nodes = |snapshot: &Snapshot| -> BTreeSet<(String, bool)> {
            let nodes = snapshot.clusters.get(cluster).into_iter().flat_map(|view| &view.nodes);
            let ours = |node: &NodeView| !planned.contains(&(cluster, &node.pool));
            nodes
                .filter(|(_, node)| ours(node))
                .map(|(name, node)| (name.to_string(), node.schedulable))
                .collect()
        };
        nodes(&self.seen).symmetric_difference(&nodes(now)).count()
    }
}
