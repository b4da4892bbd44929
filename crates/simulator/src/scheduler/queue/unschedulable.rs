//! The pool of pods that no node can take at the moment, indexed so that a cluster event touches only what it may help.

use super::Gate;
use crate::scheduler::nodes::PodId;
use crate::scheduler::queueing_hints::{Changes, listening_to};
use crate::scheduler::status::{Plugin, PluginSet};
use crate::scheduler::template::TemplateId;
use model::time::{Period, Timestamp};
use std::collections::{BTreeMap, BTreeSet};

/// Pods that every hint answers alike: same specification, same rejecting plugins, same gate.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Group {
    pub(super) gate: Option<Gate>,
    pub(super) rejected_by: PluginSet,
    pub(super) template: TemplateId,
}

impl Group {
    /// The plugins of this group that have to be asked about `changes`. A gated pod ignores events its gate ignores.
    fn concerned(self, changes: Changes) -> PluginSet {
        if self.gate.is_some_and(|gate| !gate.listens_to().intersects(changes)) {
            return PluginSet::NONE;
        }
        listening_to(self.rejected_by, changes)
    }
}

#[derive(Clone, Debug, Default)]
pub(super) struct UnschedulablePool {
    groups: BTreeMap<Group, BTreeSet<PodId>>,
    /// Pods that leave after the timeout, oldest first. Pods held by a scheduling gate never time out.
    by_age: BTreeSet<(Timestamp, PodId)>,
    pods: usize,
}

impl UnschedulablePool {
    pub(super) fn insert(&mut self, group: Group, since: Timestamp, pod: PodId) {
        let is_new = self.groups.entry(group).or_default().insert(pod);
        assert!(is_new, "a pod enters the pool once");
        if group.gate != Some(Gate::SchedulingGates) {
            self.by_age.insert((since, pod));
        }
        self.pods += 1;
    }

    pub(super) fn remove(&mut self, group: Group, since: Timestamp, pod: PodId) {
        let members = self.groups.get_mut(&group).expect("a pooled pod is in its group");
        assert!(members.remove(&pod), "a pooled pod is in its group");
        if members.is_empty() {
            self.groups.remove(&group);
        }
        self.by_age.remove(&(since, pod));
        self.pods -= 1;
    }

    /// The pods `changes` may help, in a stable order. `may_help` is asked once per group, with one of its pods.
    pub(super) fn helped_by(
        &self,
        changes: Changes,
        mut may_help: impl FnMut(Plugin, PodId) -> bool,
    ) -> Vec<PodId> {
        let mut helped = Vec::new();
        for (group, members) in &self.groups {
            let sample = *members.first().expect("a group without members is removed");
            if group.concerned(changes).iter().any(|plugin| may_help(plugin, sample)) {
                helped.extend(members);
            }
        }
        helped
    }

    /// Pods that have been here for longer than `timeout` at `now`, oldest first.
    pub(super) fn timed_out(&self, now: Timestamp, timeout: Period) -> Vec<PodId> {
        let is_late = |since: Timestamp| now.since(since) > timeout;
        self.by_age.iter().take_while(|(since, _)| is_late(*since)).map(|(_, pod)| *pod).collect()
    }

    pub(super) fn oldest(&self) -> Option<Timestamp> {
        self.by_age.first().map(|(since, _)| *since)
    }

    pub(super) fn len(&self) -> usize {
        self.pods
    }
}
