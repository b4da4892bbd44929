//! Measuring where there are no meters of ours: what real clusters were seen to be holds until the next look.
//!
//! The outcome is a [`Window`] like that of a simulated world, so that predictions for real clusters are scored by the same instrument. What
//! snapshots do not tell (power, stopped pods, response times) stays unknown, and is not judged.

mod sums;
#[cfg(test)]
mod tests;

use model::action::Action;
use model::names::{ClusterName, NodeName, WorkloadRef};
use model::prediction::Prediction;
use model::recommendation::RecommendationId;
use model::snapshot::{NodeView, Snapshot};
use model::time::{Period, Timestamp};
use serde::{Deserialize, Serialize};
use simulator::world::{Surprises, Window};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use sums::Sums;

/// Looks further apart than this leave too much unseen; and after the end, nobody waits longer for a last look.
const LONGEST_SILENCE: Period = Period::from_minutes(5);

/// Looks at a federation from the moment a plan was begun.
///
/// They can be written down and read again without what was seen last, which is large and kept elsewhere:
/// [`Sightings::last_seen`] and [`Sightings::having_seen`].
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Sightings {
    from: Timestamp,
    until: Timestamp,
    /// What was seen last holds since `measured`.
    #[serde(skip)]
    seen: Arc<Snapshot>,
    measured: Timestamp,
    federation: Sums,
    clusters: BTreeMap<ClusterName, Sums>,
    /// Everything that was begun meanwhile.
    plans: BTreeMap<RecommendationId, Action>,
    moved_pods: u64,
    surprises: Surprises,
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
            surprises: Surprises::default(),
            unseen: now.since(seen.taken_at) > LONGEST_SILENCE,
        }
    }

    /// What was seen last.
    pub const fn last_seen(&self) -> &Arc<Snapshot> {
        &self.seen
    }

    /// The same, read again: this was seen last.
    #[must_use]
    pub fn having_seen(self, seen: Arc<Snapshot>) -> Self {
        Self { seen, ..self }
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
            let plans: Vec<&Action> = self.plans.values().collect();
            let Surprises { happenings, faults } = changes(&self.seen, snapshot, &plans);
            self.surprises.happenings += happenings;
            self.surprises.faults += faults;
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
            happenings: self.surprises.happenings,
            faults: self.surprises.faults,
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
}

/// What changed between two looks while nothing was planned.
pub fn surprises(before: &Snapshot, after: &Snapshot) -> Surprises {
    changes(before, after, &[])
}

/// What changed between two looks and was not planned.
fn changes(before: &Snapshot, after: &Snapshot, plans: &[&Action]) -> Surprises {
    Surprises {
        happenings: changed_workloads(before, after, plans) as u64,
        faults: changed_ground(before, after, plans) as u64,
    }
}

/// Workloads that came, went, or got another number of replicas.
fn changed_workloads(before: &Snapshot, after: &Snapshot, plans: &[&Action]) -> usize {
    let planned: BTreeSet<&WorkloadRef> = plans.iter().filter_map(|action| action.workload()).collect();
    let wanted = |seen: &Snapshot, name: &WorkloadRef| seen.workloads.get(name).map(|view| view.replicas);
    let names: BTreeSet<&WorkloadRef> = before.workloads.keys().chain(after.workloads.keys()).collect();
    names.difference(&planned).filter(|name| wanted(before, name) != wanted(after, name)).count()
}

/// Clusters that went out of sight or came back, and nodes that came, went, or changed whether they take pods.
fn changed_ground(before: &Snapshot, after: &Snapshot, plans: &[&Action]) -> usize {
    let visible = |seen: &Snapshot| -> BTreeSet<ClusterName> {
        seen.clusters.keys().filter(|name| seen.gap_of_cluster(name).is_none()).cloned().collect()
    };
    let (then, now) = (visible(before), visible(after));
    let nodes = |name: &ClusterName| {
        let (then, now) = (nodes(before, name, plans), nodes(after, name, plans));
        then.symmetric_difference(&now).map(|(node, _)| node).collect::<BTreeSet<_>>().len()
    };
    then.symmetric_difference(&now).count() + then.intersection(&now).map(nodes).sum::<usize>()
}

/// The nodes of a cluster, and whether they take pods, without those of pools that are planned to change.
fn nodes(seen: &Snapshot, cluster: &ClusterName, plans: &[&Action]) -> BTreeSet<(NodeName, bool)> {
    let planned = |node: &NodeView| {
        plans.iter().any(|action| {
            matches!(action, Action::ResizePool { cluster: of, pool, .. } if of == cluster && *pool == node.pool)
        })
    };
    let nodes = seen.clusters.get(cluster).into_iter().flat_map(|view| &view.nodes);
    nodes.filter(|(_, node)| !planned(node)).map(|(name, node)| (name.clone(), node.schedulable)).collect()
}
