//! The clock and the list of what will happen: events in the order (time, then the order in which they were planned).

use super::pods::PodKey;
use crate::scheduler::NodeId;
use control::world::Input;
use model::names::NodeName;
use model::recommendation::RecommendationId;
use model::time::{Period, Timestamp};
use std::collections::VecDeque;

/// Everything that can change the simulated world, on one screen.
#[derive(Clone, Debug)]
pub(crate) enum Event {
    /// Something from outside, by its index in the scenario.
    Happens {
        index: usize,
    },
    /// Something goes wrong, by its index in the list of episodes.
    FaultBegins {
        episode: usize,
    },
    FaultEnds {
        episode: usize,
    },
    /// A scheduler has something to do by itself: a wait is over.
    SchedulerWakes,
    PodReady {
        cluster: usize,
        pod: PodKey,
        life: u32,
    },
    PodFinished {
        cluster: usize,
        pod: PodKey,
        life: u32,
    },
    PodGone {
        cluster: usize,
        pod: PodKey,
        life: u32,
    },
    /// A pod has tolerated long enough that its node cannot be reached.
    PodEvicted {
        cluster: usize,
        pod: PodKey,
        life: u32,
    },
    NodeReady {
        cluster: usize,
        pool: usize,
    },
    /// A cluster has not heard from a node for so long that it takes it for dead.
    NodeMissed {
        cluster: usize,
        node: NodeName,
        crash: u32,
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
    /// A workload may have to leave a cluster that went out of sight at `since`, or is leaving it.
    FailoverLooks {
        workload: usize,
        cluster: usize,
        since: Timestamp,
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
    /// All vertical autoscalers take samples and recommend.
    VerticalsLook,
    /// Something reaches the control loop: an observation, a review, an outcome.
    Arrives {
        input: Box<Input>,
    },
}

/// What becomes of something that was planned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Plan {
    Stays,
    Goes,
    Moves(Timestamp),
}

/// Events yet to come. `now` only moves forward, and only here.
///
/// A radix heap: since nothing is ever planned for the past, events need not be kept in order, only sorted into buckets by the
/// highest bit in which their time differs from that of the last event. Each bucket is read from front to back and moved to
/// lower ones when its turn comes, which is kinder to caches than a tree of many thousand events. Two events of the same
/// time are always in the same bucket, in the order in which they were planned.
#[derive(Clone, Debug)]
pub(crate) struct Agenda {
    now: Timestamp,
    /// The time of the last event that was taken, to which the buckets refer.
    base: Timestamp,
    /// Planned for `base`.
    due: VecDeque<Event>,
    /// By the highest bit that differs from `base`.
    later: Vec<Bucket>,
    /// One bit for each bucket that is not empty.
    occupied: u64,
}

#[derive(Clone, Debug)]
struct Bucket {
    earliest: Timestamp,
    planned: Vec<(Timestamp, Event)>,
}

impl Default for Agenda {
    fn default() -> Self {
        let empty = Bucket { earliest: Timestamp::MAX, planned: Vec::new() };
        Self {
            now: Timestamp::EPOCH,
            base: Timestamp::EPOCH,
            due: VecDeque::new(),
            later: vec![empty; u64::BITS as usize],
            occupied: 0,
        }
    }
}

impl Agenda {
    pub(crate) const fn now(&self) -> Timestamp {
        self.now
    }

    pub(crate) fn after(&mut self, delay: Period, event: Event) {
        self.at(self.now + delay, event);
    }

    pub(crate) fn at(&mut self, at: Timestamp, event: Event) {
        assert!(at >= self.now, "nothing can be planned for the past");
        self.sort_in(at, event);
    }

    /// Makes other plans: `change` says for everything that is planned, in no order, whether it stays, goes or comes at
    /// another time. What comes at another time comes after what was planned for that time before.
    pub(crate) fn change(&mut self, mut change: impl FnMut(Timestamp, &Event) -> Plan) {
        let mut moved = Vec::new();
        let base = self.base;
        let mut stays = |at: Timestamp, event: &Event| match change(at, event) {
            Plan::Stays => true,
            Plan::Goes => false,
            Plan::Moves(to) => {
                moved.push((to, event.clone()));
                false
            }
        };
        self.due.retain(|event| stays(base, event));
        for (place, bucket) in self.later.iter_mut().enumerate() {
            bucket.planned.retain(|(at, event)| stays(*at, event));
            bucket.earliest = bucket.planned.iter().map(|(at, _)| *at).min().unwrap_or(Timestamp::MAX);
            if bucket.planned.is_empty() {
                self.occupied &= !(1 << place);
            }
        }
        for (at, event) in moved {
            self.at(at, event);
        }
    }

    /// Everything that is planned, in no order.
    #[cfg(test)]
    pub(crate) fn planned(&self) -> impl Iterator<Item = &Event> {
        let later = self.later.iter().flat_map(|bucket| &bucket.planned);
        self.due.iter().chain(later.map(|(_, event)| event))
    }

    pub(crate) fn next_at(&self) -> Option<Timestamp> {
        if !self.due.is_empty() {
            return Some(self.base);
        }
        self.next_bucket().map(|bucket| self.later[bucket].earliest)
    }

    /// Takes the next event and moves the clock to it.
    pub(crate) fn pop(&mut self) -> Option<Event> {
        if self.due.is_empty() {
            self.open_next_bucket();
        }
        let event = self.due.pop_front()?;
        self.now = self.base;
        Some(event)
    }

    /// Moves the clock when nothing happens before.
    pub(crate) fn advance_to(&mut self, at: Timestamp) {
        assert!(at >= self.now, "time does not run backwards");
        assert!(self.next_at().is_none_or(|next| next >= at), "an event would be skipped");
        self.now = at;
    }

    fn next_bucket(&self) -> Option<usize> {
        (self.occupied != 0).then(|| self.occupied.trailing_zeros() as usize)
    }

    fn sort_in(&mut self, at: Timestamp, event: Event) {
        let Some(highest) = (at.as_millis() ^ self.base.as_millis()).checked_ilog2() else {
            return self.due.push_back(event);
        };
        let bucket = &mut self.later[highest as usize];
        bucket.earliest = bucket.earliest.min(at);
        bucket.planned.push((at, event));
        self.occupied |= 1 << highest;
    }

    /// Moves on to the earliest time there is; what was in its bucket belongs into lower ones now.
    fn open_next_bucket(&mut self) {
        let Some(next) = self.next_bucket() else { return };
        let bucket = &mut self.later[next];
        self.base = std::mem::replace(&mut bucket.earliest, Timestamp::MAX);
        self.occupied &= !(1 << next);
        let mut planned = std::mem::take(&mut bucket.planned);
        for (at, event) in planned.drain(..) {
            self.sort_in(at, event);
        }
        // Its memory is used again.
        self.later[next].planned = planned;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

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

    #[test]
    fn plans_can_be_changed_without_touching_the_clock() {
        let mut agenda = Agenda::default();
        agenda.at(Timestamp(3), Event::SchedulerWakes);
        agenda.pop();
        agenda.advance_to(Timestamp(4));
        for (at, index) in [(5, 0), (9, 1), (5, 2), (70_000, 3), (6, 4), (7, 5)] {
            agenda.at(Timestamp(at), Event::Happens { index });
        }
        agenda.change(|_, event| match event {
            Event::Happens { index: 1 } => Plan::Goes,
            Event::Happens { index: 4 } => Plan::Moves(Timestamp(5)),
            Event::Happens { index: 5 } => Plan::Moves(Timestamp(800_000)),
            _ => Plan::Stays,
        });
        assert_eq!((agenda.now(), agenda.next_at()), (Timestamp(4), Some(Timestamp(5))));
        let mut order = Vec::new();
        while let Some(Event::Happens { index }) = agenda.pop() {
            order.push((agenda.now().as_millis(), index));
        }
        assert_eq!(order, [(5, 0), (5, 2), (5, 4), (70_000, 3), (800_000, 5)]);
        let mut emptied = Agenda::default();
        emptied.at(Timestamp(3), Event::SchedulerWakes);
        emptied.change(|_, _| Plan::Goes);
        assert_eq!(emptied.next_at(), None);
    }

    proptest! {
        /// Against the plainest agenda there is: a list that is searched.
        #[test]
        fn however_it_is_used_the_order_is_the_same(turns in prop::collection::vec((0_u64..3, 0_u64..3_000), 0..400)) {
            let (mut agenda, mut list) = (Agenda::default(), Vec::new());
            for (index, (turn, number)) in turns.into_iter().enumerate() {
                let next = list.iter().copied().min();
                prop_assert_eq!(agenda.next_at(), next.map(|(at, _)| at));
                match (turn, next) {
                    (0, Some(next)) => {
                        let taken = matches!(agenda.pop(), Some(Event::Happens { index }) if index == next.1);
                        prop_assert!(taken, "not the event that was planned first");
                        prop_assert_eq!(agenda.now(), next.0);
                        list.retain(|one| *one != next);
                    }
                    (2, _) if number % 97 == 0 => {
                        // Every third goes.
                        agenda.change(|_, event| match event {
                            Event::Happens { index } if index % 3 == 0 => Plan::Goes,
                            _ => Plan::Stays,
                        });
                        list.retain(|(_, index)| index % 3 != 0);
                    }
                    (1, next) => {
                        let at = agenda.now() + Period(number / 100);
                        agenda.advance_to(next.map_or(at, |(next, _)| next.min(at)));
                    }
                    _ => {
                        // Often the same moment, often this one, now and then the far future.
                        let delay = if number % 10 == 0 { number * number * number } else { number / 500 };
                        agenda.after(Period(delay), Event::Happens { index });
                        list.push((agenda.now() + Period(delay), index));
                    }
                }
            }
            prop_assert_eq!(agenda.planned().count(), list.len());
        }
    }
}
