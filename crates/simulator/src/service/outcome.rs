//! What came of a step: counts of requests, what the replicas did, and how long users waited.

use super::latency::{Latency, Sojourn};
use std::ops::{Add, AddAssign, Sub};

/// Requests of one step, or of many. Over any sequence of steps and stops
/// `arrivals = completed + errors() + time_outs + (requests inside at the end − at the beginning)`.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Counts {
    pub arrivals: f64,
    /// Answered in time.
    pub completed: f64,
    /// Refused because too many waited already.
    pub queue_full: f64,
    /// Refused because no replica was ready.
    pub nobody_ready: f64,
    /// Lost with the replica that was working on them or in front of which they waited.
    pub broken: f64,
    /// Given up by the client; what was worked on by then was in vain.
    pub time_outs: f64,
}

impl Counts {
    /// Requests that got an error.
    pub fn errors(&self) -> f64 {
        self.queue_full + self.nobody_ready + self.broken
    }
}

impl Add for Counts {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self {
            arrivals: self.arrivals + other.arrivals,
            completed: self.completed + other.completed,
            queue_full: self.queue_full + other.queue_full,
            nobody_ready: self.nobody_ready + other.nobody_ready,
            broken: self.broken + other.broken,
            time_outs: self.time_outs + other.time_outs,
        }
    }
}

impl Sub for Counts {
    type Output = Self;

    fn sub(self, other: Self) -> Self {
        Self {
            arrivals: self.arrivals - other.arrivals,
            completed: self.completed - other.completed,
            queue_full: self.queue_full - other.queue_full,
            nobody_ready: self.nobody_ready - other.nobody_ready,
            broken: self.broken - other.broken,
            time_outs: self.time_outs - other.time_outs,
        }
    }
}

impl AddAssign for Counts {
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

/// A whole service over one step. Every number is finite and not negative.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Outcome {
    /// How long the step was.
    pub seconds: f64,
    pub counts: Counts,
    /// Cores busy on average, in cores of the hosts.
    pub cores_used: f64,
    /// Cores that the replicas could use.
    pub cores: f64,
    /// Of a request that arrives at the end of the step; all zero when nobody is there to answer.
    pub latency: Latency,
    /// Requests that are worked on at the end of the step.
    pub in_flight: f64,
    /// Requests that wait at the end of the step.
    pub waiting: f64,
    /// In the order of the groups that were given.
    pub groups: Vec<GroupOutcome>,
}

/// One group over one step.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct GroupOutcome {
    pub key: u64,
    pub counts: Counts,
    pub cores_used: f64,
    pub cores: f64,
    pub latency: Latency,
    pub in_flight: f64,
    pub waiting: f64,
    pub(super) sojourn: Option<Sojourn>,
}

impl Outcome {
    /// Requests answered in time, per second.
    pub fn throughput(&self) -> f64 {
        self.per_second(self.counts.completed)
    }

    pub fn errors_per_second(&self) -> f64 {
        self.per_second(self.counts.errors())
    }

    pub fn time_outs_per_second(&self) -> f64 {
        self.per_second(self.counts.time_outs)
    }

    /// Busy cores over usable cores, from 0 to 1.
    pub fn utilisation(&self) -> f64 {
        share(self.cores_used, self.cores)
    }

    fn per_second(&self, count: f64) -> f64 {
        if self.seconds > 0.0 { count / self.seconds } else { 0.0 }
    }
}

impl GroupOutcome {
    /// The share of its answers that take longer than this; none without answers.
    pub fn share_above(&self, seconds: f64) -> f64 {
        self.sojourn.map_or(0.0, |sojourn| sojourn.above(seconds))
    }

    /// Busy cores over usable cores, from 0 to 1.
    pub fn utilisation(&self) -> f64 {
        share(self.cores_used, self.cores)
    }
}

fn share(part: f64, whole: f64) -> f64 {
    if whole > 0.0 { (part / whole).min(1.0) } else { 0.0 }
}

/// What became of the requests of replicas that were stopped.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Stopped {
    /// Finished within the grace period.
    pub finished: f64,
    /// Lost.
    pub broken: f64,
}
