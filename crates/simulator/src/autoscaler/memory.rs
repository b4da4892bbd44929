//! What the autoscaler remembers between scans: plain data, so that a cloned world has its own.

use super::config::AutoscalerConfig;
use super::decisions::{GiveUp, Hold};
use super::view::{ClusterView, GroupId, NodeView};
use crate::scheduler::NodeId;
use model::time::{Period, Timestamp};
use std::collections::BTreeMap;

/// A group that failed to bring nodes and is left alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Backoff {
    pub duration: Period,
    pub until: Timestamp,
    pub last_failure: Timestamp,
}

/// Memory of one cluster's autoscaler.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AutoscalerMemory {
    pub unneeded_since: BTreeMap<NodeId, Timestamp>,
    /// Nodes that could not be emptied, and when they are looked at again.
    pub unremovable_until: BTreeMap<NodeId, Timestamp>,
    pub backoff: BTreeMap<GroupId, Backoff>,
    /// Groups that grow, and when their nodes should be ready.
    pub expected: BTreeMap<GroupId, Timestamp>,
    pub last_scale_up: Option<Timestamp>,
    pub last_removal: Option<Timestamp>,
    pub last_removal_failure: Option<Timestamp>,
}

impl AutoscalerMemory {
    /// To be told when ordered nodes will not come: the group is left alone for a while. The wait doubles with every
    /// failure after the last wait; a failure during it starts it anew at its initial length, as upstream does.
    pub fn provisioning_failed(&mut self, now: Timestamp, group: GroupId, config: &AutoscalerConfig) {
        let doubled = self.backoff.get(&group).filter(|known| known.until < now);
        let duration = doubled
            .map_or(config.initial_backoff, |known| known.duration.saturating_mul(2).min(config.max_backoff));
        self.backoff.insert(group, Backoff { duration, until: now + duration, last_failure: now });
        self.expected.remove(&group);
    }

    /// To be told when a node could not be drained or removed.
    pub fn removal_failed(&mut self, now: Timestamp) {
        self.last_removal_failure = Some(now);
    }

    /// Until when the group is left alone, if it is.
    pub fn backed_off_until(&self, now: Timestamp, group: GroupId) -> Option<Timestamp> {
        self.backoff.get(&group).map(|known| known.until).filter(|until| *until > now)
    }

    pub(super) fn scaled_up(&mut self, now: Timestamp, group: GroupId, config: &AutoscalerConfig) {
        self.last_scale_up = Some(now);
        self.expected.insert(group, now + config.max_node_provision_time);
    }

    /// Learns what became of orders. Returns those that took too long.
    pub(super) fn follow_orders(
        &mut self,
        now: Timestamp,
        view: &ClusterView<'_>,
        config: &AutoscalerConfig,
    ) -> Vec<GiveUp> {
        self.backoff.retain(|_, known| known.last_failure + config.backoff_reset >= now);
        for group in view.group_ids() {
            let arrived = view.group(group).booting.is_empty();
            match self.expected.get(&group) {
                Some(_) if arrived => {
                    self.expected.remove(&group);
                    self.backoff.remove(&group);
                }
                Some(by) if *by < now => self.provisioning_failed(now, group, config),
                _ => {}
            }
        }
        let overdue = |group: GroupId| {
            let booting = view.group(group).booting.iter();
            booting.filter(|ordered| is_overdue(now, **ordered, config)).count() as u32
        };
        let counted = view.group_ids().map(|group| GiveUp { group, nodes: overdue(group) });
        counted.filter(|one| one.nodes > 0).collect()
    }

    /// Forgets nodes that are gone or whose number was given to another node.
    pub(super) fn forget_gone_nodes(&mut self, now: Timestamp, nodes: &[NodeView], recheck: Period) {
        if self.unneeded_since.is_empty() && self.unremovable_until.is_empty() {
            return;
        }
        let created: BTreeMap<_, _> = nodes.iter().map(|one| (one.node, one.created)).collect();
        let is_same = |node: &NodeId, noted: Timestamp| created.get(node).is_some_and(|made| *made <= noted);
        self.unneeded_since.retain(|node, since| is_same(node, *since));
        self.unremovable_until
            .retain(|node, until| *until > now && is_same(node, until.saturating_sub(recheck)));
    }

    /// Why nothing may be removed now.
    pub(super) fn cool_down(&self, now: Timestamp, config: &AutoscalerConfig) -> Option<Hold> {
        let until = |moment: Option<Timestamp>, delay: Period| {
            moment.map(|moment| moment + delay).filter(|until| *until > now)
        };
        let after_add =
            until(self.last_scale_up, config.delay_after_add).map(|until| Hold::AfterAdd { until });
        let after_failure = || {
            let until = until(self.last_removal_failure, config.delay_after_failure);
            until.map(|until| Hold::AfterFailure { until })
        };
        let after_delete = || {
            let until = until(self.last_removal, config.delay_after_delete);
            until.map(|until| Hold::AfterDelete { until })
        };
        after_add.or_else(after_failure).or_else(after_delete)
    }
}

/// Whether an order can no longer be counted on.
pub(super) fn is_overdue(now: Timestamp, ordered: Timestamp, config: &AutoscalerConfig) -> bool {
    ordered + config.max_node_provision_time < now
}

#[cfg(test)]
mod tests {
    use super::*;

    fn minutes(count: u64) -> Timestamp {
        Timestamp::EPOCH + Period::from_minutes(count)
    }

    #[test]
    fn back_off_doubles_up_to_its_limit_and_is_forgotten() {
        let (config, group) = (AutoscalerConfig::default(), GroupId(0));
        // Failures at these minutes, and until when the last one holds.
        let rows: [(&[u64], u64); 7] = [
            (&[0], 5),
            (&[0, 6], 16),
            (&[0, 6, 17], 37),
            (&[0, 6, 17, 38], 68),
            (&[0, 6, 17, 38, 69], 99),
            (&[0, 6, 10], 15),
            (&[0, 5], 10),
        ];
        for (failures, until) in rows {
            let mut memory = AutoscalerMemory::default();
            for &failure in failures {
                memory.provisioning_failed(minutes(failure), group, &config);
            }
            let last = minutes(*failures.last().unwrap());
            assert_eq!(memory.backed_off_until(last, group), Some(minutes(until)), "{failures:?}");
            assert_eq!(memory.backed_off_until(minutes(until), group), None, "{failures:?}");
        }
    }

    #[test]
    fn removals_wait_after_additions_and_failures() {
        let config = AutoscalerConfig { delay_after_delete: Period::from_minutes(1), ..Default::default() };
        let at = |minute: u64| Some(minutes(minute));
        let rows = [
            (None, None, None, None),
            (at(10), None, None, Some(Hold::AfterAdd { until: minutes(20) })),
            (at(5), None, None, None),
            (None, at(13), None, Some(Hold::AfterFailure { until: minutes(16) })),
            (None, at(12), None, None),
            (None, None, at(15), Some(Hold::AfterDelete { until: minutes(16) })),
            (at(6), at(15), at(15), Some(Hold::AfterAdd { until: minutes(16) })),
        ];
        for (last_scale_up, last_removal_failure, last_removal, want) in rows {
            let memory =
                AutoscalerMemory { last_scale_up, last_removal, last_removal_failure, ..Default::default() };
            assert_eq!(memory.cool_down(minutes(15), &config), want);
        }
    }
}
