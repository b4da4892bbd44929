//! What Karmada does without an agent: ordered cluster affinities, with overflow to the next cluster.
//!
//! A workload whose pods have been pending for longer than the toleration moves as a whole to the next cluster in the
//! order that can take all its replicas. Nothing ever moves back, and no limit but room is considered.

use crate::sight::Sight;
use crate::words;
use control::projection::Projection;
use control::strategy::{Decision, Strategy, View};
use model::action::Action;
use model::names::{ClusterName, WorkloadRef};
use model::recommendation::{Draft, Rationale};
use model::snapshot::{PlacementView, WorkloadView};
use model::time::Period;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// The order of the clusters and how long pods may be pending.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct KarmadaNativeConfig {
    /// Clusters in the order in which they are filled; all clusters in name order when empty.
    #[schemars(with = "Vec<String>")]
    pub order: Vec<ClusterName>,
    /// How long pods may be pending before their workload moves on.
    pub toleration: Period,
}

impl Default for KarmadaNativeConfig {
    fn default() -> Self {
        // `failover.application` of the policy WASP compares with has tolerationSeconds 60.
        Self { order: Vec::new(), toleration: Period::from_secs(60) }
    }
}

/// The strategy with its order.
pub struct KarmadaNative(pub KarmadaNativeConfig);

impl Strategy for KarmadaNative {
    fn memory(&self) -> Option<Value> {
        Some(Value::Null)
    }

    fn recall(&mut self, memory: Value) -> bool {
        memory.is_null()
    }

    fn decide(&mut self, view: &View<'_>) -> Decision {
        let sight = Sight::of(view);
        let mut projection = Projection::after(view.snapshot, view.committed);
        let order = order_or_all(&self.0.order, view);
        let (mut drafts, mut late, mut movable) = (Vec::new(), false, false);
        for (name, workload) in &view.snapshot.workloads {
            let Some((from, placement)) = self.overdue(view, &order, workload) else { continue };
            late = true;
            if !sight.may_move(name, workload) || !sight.sees(from) {
                continue;
            }
            movable = true;
            let place = order.iter().position(|cluster| *cluster == from).expect("it is in the order");
            let next = order[place + 1..].iter();
            let mut able =
                next.filter(|to| sight.sees(to) && takes_all(&projection, to, workload, placement));
            if let Some(to) = able.next() {
                let draft = self.draft(name, from, to, placement);
                projection.apply(&draft.action);
                drafts.push(draft);
            }
        }
        let otherwise = if late { sight.nothing_possible(movable) } else { sight.nothing_wrong() };
        Decision::recommend(drafts, otherwise)
    }
}

/// The configured order, or every cluster by name.
pub(crate) fn order_or_all<'a>(order: &'a [ClusterName], view: &View<'a>) -> Vec<&'a ClusterName> {
    if order.is_empty() { view.snapshot.clusters.keys().collect() } else { order.iter().collect() }
}

impl KarmadaNative {
    /// Where the workload has pods that have been pending for too long.
    fn overdue<'a>(
        &self,
        view: &View<'_>,
        order: &[&'a ClusterName],
        workload: &WorkloadView,
    ) -> Option<(&'a ClusterName, PlacementView)> {
        order.iter().find_map(|cluster| {
            let placement = *workload.placements.get(*cluster)?;
            let since = placement.pending_since.filter(|_| placement.pods_pending > 0)?;
            let too_long = view.now.since(since) > self.0.toleration && placement.replicas > 0;
            too_long.then_some((*cluster, placement))
        })
    }

    fn draft(
        &self,
        name: &WorkloadRef,
        from: &ClusterName,
        to: &ClusterName,
        placed: PlacementView,
    ) -> Draft {
        let action = Action::Migrate {
            workload: name.clone(),
            from: from.clone(),
            to: to.clone(),
            replicas: placed.replicas,
        };
        let summary = format!(
            "{} of {} have been pending in {from} for longer than {}; {to} is the next cluster that takes all of it",
            words::count(u64::from(placed.pods_pending), "pod"),
            name.name(),
            self.0.toleration,
        );
        let evidence = vec![words::evidence(name, "pods pending", placed.pods_pending, None)];
        Draft { action, because: Rationale { summary, evidence, ..Rationale::default() } }
    }
}

/// An autoscaled cluster always can: the policy gives it a virtual node without end.
fn takes_all(
    projection: &Projection,
    to: &ClusterName,
    workload: &WorkloadView,
    placed: PlacementView,
) -> bool {
    let Some(target) = projection.clusters.get(to) else { return false };
    target.autoscaled || target.room_for(workload.each) >= u64::from(placed.replicas)
}
