//! What raises the risk of an action: a pure function of what it touches.

use model::action::Action;
use model::impact::Impact;
use model::names::{ClusterName, WorkloadKind, WorkloadRef};
use model::ratio::Ratio;
use model::risk::{Assessment, RiskReason};
use model::snapshot::{Snapshot, WorkloadView};

/// More replicas than these at once are more than one wants to watch coming up.
const MANY_REPLICAS: u32 = 10;

/// A larger share of a cluster than this is felt by everything else in it.
const LARGE_SHARE: Ratio = Ratio::from_percent(20);

/// A target that is fuller than this has no room for the next surprise.
const FULL: Ratio = Ratio::from_percent(90);

/// Kubernetes reserves priorities from here on for its own critical pods.
const CRITICAL_PRIORITY: i32 = 1_000_000_000;

/// Judges an action on what was observed and what it is expected to change.
pub fn assess(snapshot: &Snapshot, action: &Action, expected: &Impact) -> Assessment {
    let mut reasons = Vec::new();
    if let Some(workload) = action.workload() {
        reasons.extend(of_kind(action, workload.kind()));
        if let Some(view) = snapshot.workloads.get(workload) {
            reasons.extend(of_workload(snapshot, action, workload, view));
        }
    }
    reasons.extend(of_size(action));
    reasons.extend(of_target(action, expected));
    reasons.extend((!snapshot.gaps.is_empty()).then_some(RiskReason::PartlyBlind));
    Assessment::of(reasons)
}

fn of_kind(action: &Action, kind: WorkloadKind) -> Option<RiskReason> {
    match kind {
        _ if !action.is_relocation() => None,
        WorkloadKind::StatefulSet => Some(RiskReason::Stateful { kind }),
        WorkloadKind::Job | WorkloadKind::Pod => Some(RiskReason::Interrupts { kind }),
        _ => None,
    }
}

fn of_workload(
    snapshot: &Snapshot,
    action: &Action,
    workload: &WorkloadRef,
    view: &WorkloadView,
) -> Vec<RiskReason> {
    let mut reasons = Vec::new();
    let priority = view.priority;
    reasons.extend((priority >= CRITICAL_PRIORITY).then_some(RiskReason::Priority { priority }));
    let source = action.clusters().first().and_then(|name| view.placements.get(*name));
    if let Some(here) = source.filter(|here| here.pods_ready + here.pods_pending < here.replicas) {
        reasons.push(RiskReason::NotReady { ready: here.pods_ready, replicas: here.replicas });
    }
    reasons.extend(large_share(snapshot, action, workload));
    reasons
}

/// How much of a touched cluster's capacity the changed replicas are.
fn large_share(snapshot: &Snapshot, action: &Action, workload: &WorkloadRef) -> Option<RiskReason> {
    let replicas = action.changed_replicas();
    let all = snapshot.workloads.get(workload)?.each.times(u64::from(replicas));
    let share = |name: &&ClusterName| {
        let cluster = snapshot.clusters.get(*name)?;
        Some(((*name).clone(), all.load_of(cluster.capacity)))
    };
    let clusters = action.clusters();
    let (cluster, share) = clusters.iter().filter_map(share).max_by_key(|(_, share)| *share)?;
    (share >= LARGE_SHARE).then_some(RiskReason::LargeShare { cluster, share })
}

fn of_size(action: &Action) -> Vec<RiskReason> {
    let replicas = action.changed_replicas();
    let many = (replicas > MANY_REPLICAS).then_some(RiskReason::ManyReplicas { replicas });
    let shrinks = match action {
        Action::Scale { from, to, .. } | Action::ResizePool { from, to, .. } if to < from => {
            Some(RiskReason::ScaleDown { from: *from, to: *to })
        }
        _ => None,
    };
    let to_zero = matches!(action, Action::Scale { from: 1.., to: 0, .. }).then_some(RiskReason::ToZero);
    [many, shrinks, to_zero].into_iter().flatten().collect()
}

fn of_target(action: &Action, expected: &Impact) -> Vec<RiskReason> {
    let Some(target) = action.clusters().last().copied() else { return Vec::new() };
    let Some(impact) = expected.clusters.get(target) else { return Vec::new() };
    let (before, after) = (impact.pending_before, impact.pending_after);
    let rises = impact.load_after > impact.load_before && impact.load_after >= FULL;
    let full =
        rises.then(|| RiskReason::FullTarget { cluster: target.clone(), load_after: impact.load_after });
    let pending = (after > before).then_some(RiskReason::MorePending { before, after });
    full.into_iter().chain(pending).collect()
}
