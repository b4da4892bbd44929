//! What a strategy can see and may touch: clusters without gaps, workloads that nothing else is moving.

use control::strategy::{HoldReason, View};
use model::names::{ClusterName, WorkloadRef};
use model::snapshot::{GapSubject, Snapshot, WorkloadView};
use std::collections::BTreeSet;

/// Answers the two questions every strategy asks before it touches anything.
pub(crate) struct Sight<'a> {
    snapshot: &'a Snapshot,
    /// Workloads that an approved action or a gap takes out of our hands.
    taken: BTreeSet<&'a WorkloadRef>,
}

impl<'a> Sight<'a> {
    pub(crate) fn of(view: &View<'a>) -> Self {
        let committed = view.committed.iter().filter_map(model::action::Action::workload);
        let hidden = view.snapshot.gaps.iter().filter_map(|gap| match &gap.subject {
            GapSubject::Workload(name) => Some(name),
            GapSubject::Cluster(_) | GapSubject::Source(_) => None,
        });
        Self { snapshot: view.snapshot, taken: committed.chain(hidden).collect() }
    }

    /// Whether a cluster is known and was observed this time.
    pub(crate) fn sees(&self, cluster: &ClusterName) -> bool {
        self.snapshot.clusters.contains_key(cluster) && self.snapshot.gap_of_cluster(cluster).is_none()
    }

    /// The clusters that were observed, in name order.
    pub(crate) fn clusters(&self) -> Vec<&'a ClusterName> {
        self.snapshot.clusters.keys().filter(|name| self.sees(name)).collect()
    }

    /// Whether a workload may be moved now.
    pub(crate) fn may_move(&self, name: &WorkloadRef, workload: &WorkloadView) -> bool {
        workload.movable && !workload.moving && !self.taken.contains(name)
    }

    /// Why nothing is done although nothing visible is wrong.
    pub(crate) fn nothing_wrong(&self) -> HoldReason {
        match self.snapshot.gaps.len() {
            0 => HoldReason::WithinLimits,
            gaps => HoldReason::CannotSee { gaps: gaps as u32 },
        }
    }

    /// Why nothing is done although a limit is broken.
    pub(crate) fn nothing_possible(&self, something_movable: bool) -> HoldReason {
        if !self.snapshot.gaps.is_empty() {
            HoldReason::CannotSee { gaps: self.snapshot.gaps.len() as u32 }
        } else if self.snapshot.clusters.len() < 2 {
            HoldReason::NowhereToGo
        } else if something_movable {
            HoldReason::NoRoomElsewhere
        } else {
            HoldReason::NothingMovable
        }
    }
}
