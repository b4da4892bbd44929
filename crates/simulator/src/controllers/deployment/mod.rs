//! Deployment: which replica sets exist and how large each one is, one step per sync.

pub mod proportional;
pub mod recreate;
pub mod rolling;
pub mod status;

use super::int_or_percent::{IntOrPercent, Rounding};
use super::replica_set::ReplicaSetStatus;
use model::time::{Period, Timestamp};

/// The owner's dense number of a replica set.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct ReplicaSetKey(pub u32);

/// How pods of an old template give way to pods of the new one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Strategy {
    RollingUpdate { max_surge: IntOrPercent, max_unavailable: IntOrPercent },
    Recreate,
}

/// What the user wants.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DeploymentSpec {
    pub replicas: u32,
    pub strategy: Strategy,
    /// How long a pod must be ready to count as available; handed on to the replica sets.
    pub min_ready: Period,
    /// Without progress for this long the rollout is reported as stuck; nothing: never.
    pub progress_deadline: Option<Period>,
    pub paused: bool,
    /// How many old, empty replica sets are kept; nothing: all.
    pub revision_history_limit: Option<u32>,
}

impl Default for DeploymentSpec {
    /// The API's defaults.
    fn default() -> Self {
        Self {
            replicas: 1,
            strategy: Strategy::default(),
            min_ready: Period::ZERO,
            progress_deadline: Some(Period::from_secs(600)),
            paused: false,
            revision_history_limit: Some(10),
        }
    }
}

impl Default for Strategy {
    fn default() -> Self {
        let quarter = IntOrPercent::Percent(25);
        Self::RollingUpdate { max_surge: quarter, max_unavailable: quarter }
    }
}

impl DeploymentSpec {
    /// The largest number of pods above `replicas` during a rollout.
    pub fn max_surge(&self) -> u32 {
        match self.strategy {
            Strategy::Recreate => 0,
            Strategy::RollingUpdate { max_surge, max_unavailable } => {
                resolve_limits(max_surge, max_unavailable, self.replicas).0
            }
        }
    }

    /// The largest number of pods that may be missing during a rollout.
    pub fn max_unavailable(&self) -> u32 {
        match self.strategy {
            Strategy::Recreate => 0,
            Strategy::RollingUpdate { max_surge, max_unavailable } => {
                resolve_limits(max_surge, max_unavailable, self.replicas).1.min(self.replicas)
            }
        }
    }

    /// The number of pods that must stay available during a rollout.
    pub fn min_available(&self) -> u32 {
        match self.strategy {
            Strategy::Recreate => 0,
            Strategy::RollingUpdate { .. } => self.replicas - self.max_unavailable(),
        }
    }

    /// The largest number of pods during a rollout.
    pub fn max_replicas(&self) -> u32 {
        self.replicas.saturating_add(self.max_surge())
    }

    /// What is written on a replica set when it is created or scaled.
    pub fn size_marks(&self) -> SizeMarks {
        SizeMarks { desired: self.replicas, max: self.max_replicas() }
    }
}

/// Surge and unavailability as pods: surge rounds up, unavailability down. Both zero would block every rollout, so
/// one pod may then be unavailable.
pub fn resolve_limits(max_surge: IntOrPercent, max_unavailable: IntOrPercent, replicas: u32) -> (u32, u32) {
    let surge = max_surge.of(replicas, Rounding::Up);
    let unavailable = max_unavailable.of(replicas, Rounding::Down);
    if surge == 0 && unavailable == 0 { (0, 1) } else { (surge, unavailable) }
}

/// The annotations `deployment.kubernetes.io/desired-replicas` and `/max-replicas`: the size of the whole deployment
/// when the replica set was last scaled.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SizeMarks {
    pub desired: u32,
    pub max: u32,
}

/// One replica set of the deployment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ReplicaSetView {
    pub key: ReplicaSetKey,
    pub created: Timestamp,
    /// The annotation `deployment.kubernetes.io/revision`, 0 if absent.
    pub revision: u64,
    /// Nothing if someone removed the annotations.
    pub marks: Option<SizeMarks>,
    /// The wanted size.
    pub replicas: u32,
    /// What the replica set last reported.
    pub status: ReplicaSetStatus,
    /// The report is from after the last change of the wanted size.
    pub observed: bool,
    pub deleting: bool,
}

impl ReplicaSetView {
    fn age_order(&self) -> (Timestamp, ReplicaSetKey) {
        (self.created, self.key)
    }

    fn is_active(&self) -> bool {
        self.replicas > 0
    }
}

/// What the deployment does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Command {
    /// Create a replica set of the present template.
    CreateReplicaSet { replicas: u32, revision: u64, marks: SizeMarks },
    /// The set of the present template becomes the newest revision (a rollback to an older template).
    SetRevision { set: ReplicaSetKey, revision: u64 },
    /// Set the wanted size and the marks; the size may be what it already is, when only the marks change.
    Scale { set: ReplicaSetKey, replicas: u32, marks: SizeMarks },
    /// Delete an empty replica set that the history no longer has room for.
    DeleteReplicaSet { set: ReplicaSetKey },
}

/// The set among `sets` that carries the present template: the oldest of those for which `matches` holds.
pub fn find_new(
    sets: &[ReplicaSetView],
    matches: impl Fn(&ReplicaSetView) -> bool,
) -> Option<&ReplicaSetView> {
    sets.iter().filter(|set| matches(set)).min_by_key(|set| set.age_order())
}

/// One step: scaling first (also while paused), then one step of the rollout, then cleaning up. `new` is the replica
/// set of the present template, `old` are all others. Costs one pass over the sets when there is nothing to do.
pub fn sync(spec: &DeploymentSpec, new: Option<&ReplicaSetView>, old: &[ReplicaSetView]) -> Vec<Command> {
    let mut commands = Vec::new();
    raise_revision(new, old, &mut commands);
    if spec.paused {
        proportional::scale(spec, new, old, &mut commands);
        clean_up(spec, old, &mut commands);
    } else if is_scaling(spec, new, old) {
        proportional::scale(spec, new, old, &mut commands);
    } else {
        match spec.strategy {
            Strategy::Recreate => recreate::step(spec, new, old, &mut commands),
            Strategy::RollingUpdate { .. } => rolling::step(spec, new, old, &mut commands),
        }
    }
    commands
}

fn next_revision(old: &[ReplicaSetView]) -> u64 {
    old.iter().map(|set| set.revision).max().unwrap_or(0) + 1
}

fn raise_revision(new: Option<&ReplicaSetView>, old: &[ReplicaSetView], commands: &mut Vec<Command>) {
    let revision = next_revision(old);
    if let Some(set) = new.filter(|set| set.revision < revision) {
        commands.push(Command::SetRevision { set: set.key, revision });
    }
}

/// The size of the deployment changed since one of its sets in use was last scaled.
fn is_scaling(spec: &DeploymentSpec, new: Option<&ReplicaSetView>, old: &[ReplicaSetView]) -> bool {
    let mut active = old.iter().chain(new).filter(|set| set.is_active());
    active.any(|set| set.marks.is_some_and(|marks| marks.desired != spec.replicas))
}

/// Resizes a set; a set that already has the size is left alone, marks included.
fn resize(spec: &DeploymentSpec, set: &ReplicaSetView, replicas: u32, commands: &mut Vec<Command>) {
    if set.replicas != replicas {
        commands.push(Command::Scale { set: set.key, replicas, marks: spec.size_marks() });
    }
}

fn create(spec: &DeploymentSpec, old: &[ReplicaSetView], replicas: u32) -> Command {
    Command::CreateReplicaSet { replicas, revision: next_revision(old), marks: spec.size_marks() }
}

fn clean_up_if_complete(
    spec: &DeploymentSpec,
    new: Option<&ReplicaSetView>,
    old: &[ReplicaSetView],
    commands: &mut Vec<Command>,
) {
    if status::of(new, old).is_complete(spec.replicas) {
        clean_up(spec, old, commands);
    }
}

/// Deletes the oldest revisions beyond the history limit. A set that is not empty yet still takes up its place.
fn clean_up(spec: &DeploymentSpec, old: &[ReplicaSetView], commands: &mut Vec<Command>) {
    let Some(limit) = spec.revision_history_limit else { return };
    let kept = limit as usize;
    if old.len() <= kept {
        return;
    }
    let mut sets: Vec<&ReplicaSetView> = old.iter().filter(|set| !set.deleting).collect();
    let surplus = sets.len().saturating_sub(kept);
    sets.sort_unstable_by_key(|set| (set.revision, set.age_order()));
    let empty = |set: &&&ReplicaSetView| set.replicas == 0 && set.status.replicas == 0 && set.observed;
    let deleted = sets.iter().take(surplus).filter(empty);
    commands.extend(deleted.map(|set| Command::DeleteReplicaSet { set: set.key }));
}

#[cfg(test)]
mod tests;
