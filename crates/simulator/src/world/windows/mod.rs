//! Measuring between two moments, exactly: a window is opened now and closes by itself at the moment it was opened for,
//! wherever between two events that lies. Predictions and what really happened are measured by nothing else.
//!
//! Whether windows are open changes nothing in the world.

mod span;

pub(super) use span::{ClusterMark, Mark};
pub use span::{ServiceSpan, Span};

use super::SimulatedWorld;
use super::services::ServiceMark;
use model::names::{ClusterName, WorkloadRef};
use model::time::Timestamp;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// As many windows can be open as recommendations can wait for an answer.
const MOST_OPEN: usize = 10_000;

/// So many closed windows are kept until somebody takes them; then the oldest is dropped for each that closes.
const MOST_CLOSED: usize = 10_000;

/// A window of one world; numbers grow.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct WindowId(u64);

/// What was measured between two moments. Everything but counts is a mean over that time.
#[derive(Clone, Debug, PartialEq)]
pub struct Window {
    pub from: Timestamp,
    pub to: Timestamp,
    /// Whether it lasted as long as it should.
    pub whole: bool,
    pub federation: Span,
    /// In the order of the scenario.
    pub clusters: Vec<(ClusterName, Span)>,
    /// Those that were asked for and are services.
    pub services: Vec<(WorkloadRef, ServiceSpan)>,
    /// Pods that actions brought to another cluster.
    pub moved_pods: u64,
    /// Workloads that came, went or were changed from outside.
    pub happenings: u64,
    /// Faults that began and faults that ended.
    pub faults: u64,
}

/// All windows of a world, and what they need to know that nobody else remembers.
#[derive(Clone, Debug, Default)]
pub(crate) struct Windows {
    next: u64,
    open: BTreeMap<WindowId, Open>,
    closed: BTreeMap<WindowId, Window>,
    /// The earliest end of an open window.
    closes_at: Option<Timestamp>,
    happenings: u64,
    faults: u64,
}

/// A window that is open, with the state of all counters when it was opened.
#[derive(Clone, Debug)]
struct Open {
    from: Timestamp,
    until: Timestamp,
    mark: Mark,
    services: Vec<(usize, ServiceMark)>,
    /// The most pods that waited so far, in the federation and in each cluster.
    most_pending: (u64, Vec<u64>),
    happenings: u64,
    faults: u64,
}

impl Windows {
    pub(super) fn note_happening(&mut self) {
        self.happenings += 1;
    }

    pub(super) fn note_fault(&mut self) {
        self.faults += 1;
    }

    /// The earliest end of an open window, or `latest`.
    pub(super) fn next_close(&self, latest: Timestamp) -> Timestamp {
        self.closes_at.map_or(latest, |at| at.min(latest))
    }

    /// Raises what every open window has seen of waiting pods.
    fn fold(&mut self, (all, each): &(u64, Vec<u64>)) {
        // If nothing waits anywhere there is nothing to raise.
        if *all == 0 {
            return;
        }
        for open in self.open.values_mut() {
            open.most_pending.0 = open.most_pending.0.max(*all);
            for (most, lately) in open.most_pending.1.iter_mut().zip(each) {
                *most = (*most).max(*lately);
            }
        }
    }

    fn remove(&mut self, id: WindowId) -> Option<Open> {
        let open = self.open.remove(&id)?;
        self.closes_at = self.open.values().map(|open| open.until).min();
        Some(open)
    }

    fn keep(&mut self, id: WindowId, window: Window) {
        self.closed.insert(id, window);
        if self.closed.len() > MOST_CLOSED {
            self.closed.pop_first();
        }
    }
}

/// What nobody can know in advance, counted since the world began.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Surprises {
    /// Workloads that came, went or were changed from outside.
    pub happenings: u64,
    /// Faults that began and faults that ended.
    pub faults: u64,
}

impl SimulatedWorld {
    /// How much has happened so far that was not decided by anybody.
    pub const fn surprises(&self) -> Surprises {
        Surprises { happenings: self.windows.happenings, faults: self.windows.faults }
    }

    /// Measures from now on until a moment, and these workloads in particular. None if too many windows are open.
    pub fn open_window(&mut self, until: Timestamp, workloads: &[WorkloadRef]) -> Option<WindowId> {
        if self.windows.open.len() >= MOST_OPEN {
            return None;
        }
        let now = self.agenda.now();
        let lately = self.meter.take_lately_pending(now, now, &self.clusters);
        self.windows.fold(&lately);
        let id = WindowId(self.windows.next);
        self.windows.next += 1;
        let until = until.max(now);
        let open = Open {
            from: now,
            until,
            mark: self.meter.mark(now, now, &self.clusters),
            services: self.service_marks(workloads, now),
            most_pending: (0, vec![0; self.clusters.len()]),
            happenings: self.windows.happenings,
            faults: self.windows.faults,
        };
        self.windows.open.insert(id, open);
        self.windows.closes_at = Some(self.windows.closes_at.map_or(until, |at| at.min(until)));
        Some(id)
    }

    /// Whether a window has reached its end and can be taken as a whole.
    pub fn is_closed(&self, id: WindowId) -> bool {
        self.windows.closed.contains_key(&id)
    }

    /// Gives out a window, one that is still open as far as it came.
    pub fn take_window(&mut self, id: WindowId) -> Option<Window> {
        if let Some(window) = self.windows.closed.remove(&id) {
            return Some(window);
        }
        self.close(id, self.agenda.now())
    }

    /// Closes every window whose end is not later than `to`; nothing happens from now until then.
    pub(super) fn close_windows(&mut self, to: Timestamp) {
        while let Some(at) = self.windows.closes_at.filter(|at| *at <= to) {
            let due = self.windows.open.iter().find(|(_, open)| open.until == at);
            let Some(id) = due.map(|(id, _)| *id) else { return };
            if let Some(window) = self.close(id, at) {
                self.windows.keep(id, window);
            }
        }
    }

    fn close(&mut self, id: WindowId, at: Timestamp) -> Option<Window> {
        let now = self.agenda.now();
        let lately = self.meter.take_lately_pending(now, at, &self.clusters);
        self.windows.fold(&lately);
        let open = self.windows.remove(id)?;
        let mark = self.meter.mark(now, at, &self.clusters);
        let passed = open.mark.until(&mark, &open.most_pending);
        let services = open.services.iter().map(|(index, before)| {
            let run = &self.services[*index];
            (self.spec.workloads[run.workload].reference.clone(), before.until(&run.mark(at)))
        });
        Some(Window {
            from: open.from,
            to: at,
            whole: at == open.until,
            federation: passed.federation,
            clusters: self.clusters.iter().map(|cluster| cluster.name.clone()).zip(passed.clusters).collect(),
            services: services.collect(),
            moved_pods: passed.moved_pods,
            happenings: self.windows.happenings - open.happenings,
            faults: self.windows.faults - open.faults,
        })
    }

    fn service_marks(&self, workloads: &[WorkloadRef], at: Timestamp) -> Vec<(usize, ServiceMark)> {
        let numbers = workloads.iter().filter_map(|reference| self.workload_by_name().get(reference));
        let services = numbers.filter_map(|number| self.service_of.get(&(*number as u32)));
        services.map(|index| (*index, self.services[*index].mark(at))).collect()
    }
}

#[cfg(test)]
mod tests;
