//! What a deployment reports: counts, and whether its rollout completes, progresses or is stuck.

use super::{DeploymentSpec, ReplicaSetView};
use model::time::{Period, Timestamp};

/// The counts over all replica sets.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct DeploymentStatus {
    /// Pods that exist, of any template.
    pub replicas: u32,
    /// Pods that exist of the present template.
    pub updated: u32,
    pub ready: u32,
    pub available: u32,
    /// Pods that are wanted by some set and not available.
    pub unavailable: u32,
    pub terminating: u32,
}

/// The counts now. `new` is the replica set of the present template, `old` are all others.
pub fn of(new: Option<&ReplicaSetView>, old: &[ReplicaSetView]) -> DeploymentStatus {
    let mut status = DeploymentStatus::default();
    let mut wanted = 0;
    for set in old.iter().chain(new) {
        wanted += set.replicas;
        status.replicas += set.status.replicas;
        status.ready += set.status.ready;
        status.available += set.status.available;
        status.terminating += set.status.terminating;
    }
    status.updated = new.map_or(0, |set| set.status.replicas);
    status.unavailable = wanted.saturating_sub(status.available);
    status
}

impl DeploymentStatus {
    /// Every wanted pod exists, is of the present template and available, and no other pod is left.
    pub fn is_complete(&self, replicas: u32) -> bool {
        self.updated == replicas && self.replicas == replicas && self.available == replicas
    }

    /// The rollout got further since `before`.
    pub fn has_progressed_since(&self, before: &Self) -> bool {
        let outdated = |status: &Self| i64::from(status.replicas) - i64::from(status.updated);
        self.updated > before.updated
            || outdated(self) < outdated(before)
            || self.ready > before.ready
            || self.available > before.available
    }

    /// The condition `Available`.
    pub fn has_minimum_availability(&self, spec: &DeploymentSpec) -> bool {
        self.available >= spec.replicas - spec.max_unavailable()
    }
}

/// Why the condition `Progressing` is as it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ProgressReason {
    NewReplicaSetCreated,
    FoundNewReplicaSet,
    ReplicaSetUpdated,
    NewReplicaSetAvailable,
    ProgressDeadlineExceeded,
    Paused,
    Resumed,
}

/// The condition `Progressing`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Progress {
    pub reason: ProgressReason,
    /// When progress was last seen.
    pub updated: Timestamp,
}

impl Progress {
    /// A step was last made longer ago than the deadline allows.
    pub fn is_timed_out(&self, spec: &DeploymentSpec, now: Timestamp) -> bool {
        let Some(deadline) = spec.progress_deadline else { return false };
        match self.reason {
            ProgressReason::NewReplicaSetAvailable => false,
            ProgressReason::ProgressDeadlineExceeded => true,
            _ => self.updated + deadline < now,
        }
    }
}

/// The condition after a sync: `before` and `after` are the counts, `current` is the condition so far and
/// `created_new` tells that this sync created the new replica set.
pub fn next_progress(
    spec: &DeploymentSpec,
    before: &DeploymentStatus,
    after: &DeploymentStatus,
    current: Option<Progress>,
    created_new: bool,
    now: Timestamp,
) -> Option<Progress> {
    spec.progress_deadline?;
    let current = entry_condition(spec, current, created_new, now);
    if spec.paused {
        return Some(current);
    }
    let was_complete =
        current.reason == ProgressReason::NewReplicaSetAvailable && after.replicas == after.updated;
    Some(if was_complete {
        current
    } else if after.is_complete(spec.replicas) {
        Progress { reason: ProgressReason::NewReplicaSetAvailable, updated: now }
    } else if after.has_progressed_since(before) {
        Progress { reason: ProgressReason::ReplicaSetUpdated, updated: now }
    } else if current.is_timed_out(spec, now) && current.reason != ProgressReason::ProgressDeadlineExceeded {
        Progress { reason: ProgressReason::ProgressDeadlineExceeded, updated: now }
    } else {
        current
    })
}

/// What pausing, resuming and a new template make of the condition before progress is looked at.
fn entry_condition(
    spec: &DeploymentSpec,
    current: Option<Progress>,
    created_new: bool,
    now: Timestamp,
) -> Progress {
    let timed_out =
        current.is_some_and(|progress| progress.reason == ProgressReason::ProgressDeadlineExceeded);
    let was_paused = current.is_some_and(|progress| progress.reason == ProgressReason::Paused);
    let fresh = |reason| Progress { reason, updated: now };
    match current {
        _ if created_new => fresh(ProgressReason::NewReplicaSetCreated),
        _ if spec.paused && !was_paused && !timed_out => fresh(ProgressReason::Paused),
        _ if !spec.paused && was_paused => fresh(ProgressReason::Resumed),
        Some(progress) => progress,
        None => fresh(ProgressReason::FoundNewReplicaSet),
    }
}

/// When a rollout without further events has to be looked at again to find it stuck: a second after the deadline,
/// as upstream adds one against clock skew.
pub fn next_progress_check(
    spec: &DeploymentSpec,
    status: &DeploymentStatus,
    progress: Option<Progress>,
) -> Option<Timestamp> {
    let (deadline, progress) = (spec.progress_deadline?, progress?);
    let settled = matches!(
        progress.reason,
        ProgressReason::NewReplicaSetAvailable
            | ProgressReason::ProgressDeadlineExceeded
            | ProgressReason::Paused
    );
    let waits = !settled && !status.is_complete(spec.replicas);
    waits.then(|| progress.updated + deadline + Period::from_secs(1))
}
