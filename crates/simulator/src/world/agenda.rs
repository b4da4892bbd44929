//! The clock and the list of what will happen: events in the order (time, then the order in which they were planned).

use super::pods::PodKey;
use crate::scheduler::NodeId;
use control::world::Input;
use model::names::NodeName;
use model::recommendation::RecommendationId;
use model::time::{Period, Timestamp};
use std::cmp::Ordering;
use std::collections::BinaryHeap;

/// Everything that can change the simulated world, on one screen.
#[derive(Clone, Debug)]
pub(crate) enum Event {
    /// Something from outside, by its index in the scenario.
    Happens {
        index: usize,
    },
    /// A scheduler has something to do by itself: a wait is over.
    SchedulerWakes,
    PodReady {
        cluster: usize,
        pod: PodKey,
    },
    PodFinished {
        cluster: usize,
        pod: PodKey,
    },
    PodGone {
        cluster: usize,
        pod: PodKey,
    },
    NodeReady {
        cluster: usize,
        pool: usize,
    },
    /// Evictions that a disruption budget refused are tried again.
    DrainContinues {
        cluster: usize,
        node: NodeId,
    },
    AutoscalerScans {
        cluster: usize,
    },
    /// A batch of waiting pods may be complete.
    ProvisionerBatches {
        cluster: usize,
    },
    /// Pods that still wait are looked at again.
    ProvisionerRetries {
        cluster: usize,
    },
    /// Nodes to give up are looked for.
    ProvisionerDisrupts {
        cluster: usize,
    },
    /// The provider will take a node back soon.
    SpotNotice {
        cluster: usize,
        node: NodeName,
    },
    SpotTaken {
        cluster: usize,
        node: NodeName,
    },
    /// A controller asked to look again: a back-off, a schedule or a deadline.
    WorkloadWakes {
        workload: usize,
    },
    MigrationContinues {
        id: RecommendationId,
    },
    /// A service is looked at again.
    ServiceTicks {
        service: usize,
    },
    MetricsScraped {
        cluster: usize,
    },
    /// All horizontal autoscalers look at their metrics.
    HorizontalSyncs,
    /// Something reaches the control loop: an observation, a review, an outcome.
    Arrives {
        input: Box<Input>,
    },
}

/// Events yet to come. `now` only moves forward, and only here.
#[derive(Clone, Debug, Default)]
pub(crate) struct Agenda {
    now: Timestamp,
    planned: BinaryHeap<Planned>,
    next_sequence: u64,
}

#[derive(Clone, Debug)]
struct Planned {
    at: Timestamp,
    sequence: u64,
    event: Event,
}

impl Ord for Planned {
    /// The heap gives its greatest first, so the earliest is the greatest.
    fn cmp(&self, other: &Self) -> Ordering {
        (other.at, other.sequence).cmp(&(self.at, self.sequence))
    }
}

impl PartialOrd for Planned {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Planned {
    fn eq(&self, other: &Self) -> bool {
        self.sequence == other.sequence
    }
}

impl Eq for Planned {}

impl Agenda {
    pub(crate) const fn now(&self) -> Timestamp {
        self.now
    }

    pub(crate) fn after(&mut self, delay: Period, event: Event) {
        self.at(self.now + delay, event);
    }

    pub(crate) fn at(&mut self, at: Timestamp, event: Event) {
        assert!(at >= self.now, "nothing can be planned for the past");
        self.planned.push(Planned { at, sequence: self.next_sequence, event });
        self.next_sequence += 1;
    }

    /// Everything that is planned, in no order.
    #[cfg(test)]
    pub(crate) fn planned(&self) -> impl Iterator<Item = &Event> {
        self.planned.iter().map(|planned| &planned.event)
    }

    pub(crate) fn next_at(&self) -> Option<Timestamp> {
        self.planned.peek().map(|planned| planned.at)
    }

    /// Takes the next event and moves the clock to it.
    pub(crate) fn pop(&mut self) -> Option<Event> {
        let planned = self.planned.pop()?;
        self.now = planned.at;
        Some(planned.event)
    }

    /// Moves the clock when nothing happens before.
    pub(crate) fn advance_to(&mut self, at: Timestamp) {
        assert!(at >= self.now, "time does not run backwards");
        assert!(self.next_at().is_none_or(|next| next >= at), "an event would be skipped");
        self.now = at;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn events_come_by_time_and_then_by_plan() {
        let mut agenda = Agenda::default();
        for (at, index) in [(5, 0), (3, 1), (5, 2), (3, 3)] {
            agenda.at(Timestamp(at), Event::Happens { index });
        }
        let mut order = Vec::new();
        while let Some(Event::Happens { index }) = agenda.pop() {
            order.push((agenda.now().as_millis(), index));
        }
        assert_eq!(order, [(3, 1), (3, 3), (5, 0), (5, 2)]);
    }
}
