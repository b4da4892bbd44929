//! How much is asked of a service at a moment. Demand is a function of time and of nothing else: the same moment has the same
//! level whatever was asked before, noise included. What becomes of the demand is the business of [`crate::service`].
//!
//! ```text
//! RawDemand ─ check ─► DemandSpec ─ with(randomness, name) ─► Demand ─ at(moment) ─► Load
//! ```

mod check;
mod course;
mod fault;
mod files;
mod raw;
mod shape;
#[cfg(test)]
mod tests;

pub use check::check;
pub use fault::Fault;
pub(crate) use fault::Faults;
pub(crate) use files::{FileTrace, file_traces};
pub use raw::{
    RawBell, RawBetween, RawCourse, RawDay, RawDemand, RawGaussian, RawHeld, RawLevel, RawNoise, RawPoint,
    RawRamp, RawScale, RawShape, RawStage, RawStages, RawThinkTime, RawThinkTimeLaw, RawTrace,
    RawTraceFormat, RawWeekday,
};

use crate::randomness::{Randomness, Spliced};
use crate::scenario::Delay;
use model::time::{Period, Timestamp};
use shape::Shape;
use std::sync::Arc;

/// The highest level a file may name, in requests per second or users; more than any service on Earth has.
pub const MOST_LEVEL: f64 = 1e9;

/// Checked demand, the same for every seed.
#[derive(Clone, Debug, PartialEq)]
pub struct DemandSpec {
    kind: DemandKind,
    shape: Shape,
}

/// What the level counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DemandKind {
    /// Requests per second that come however slow the answers are (open loop).
    Requests,
    /// Users of whom each waits for an answer, thinks, and asks again (closed loop).
    Users(ThinkTime),
}

/// How long a user pauses, as the service sees it: from the answer leaving to the next request arriving, network included.
/// Throughput and response times depend on the mean alone, because a station at which nobody waits is insensitive to the
/// distribution; the kinds exist so that a file can say what the load generator does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ThinkTime {
    /// Always the same, or uniform between two bounds.
    Uniform(Delay),
    /// Exponential with this mean.
    Exponential(Period),
}

impl ThinkTime {
    /// The mean in seconds.
    pub fn mean_seconds(self) -> f64 {
        match self {
            Self::Uniform(delay) => {
                delay.least().as_seconds_float().midpoint(delay.most().as_seconds_float())
            }
            Self::Exponential(mean) => mean.as_seconds_float(),
        }
    }
}

/// What a service is asked for at a moment. Both numbers are finite and not negative.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Load {
    Open { requests_per_second: f64 },
    Closed { users: f64, think_seconds: f64 },
}

impl DemandSpec {
    /// The same level for ever; a level that is no number counts as zero.
    pub fn constant(kind: DemandKind, level: f64) -> Self {
        Self { kind, shape: Shape::constant(bounded(level)) }
    }

    pub const fn kind(&self) -> DemandKind {
        self.kind
    }

    /// Demand with the noise of one run; `name` tells services apart, so that each has noise of its own.
    #[must_use]
    pub fn with(self: Arc<Self>, randomness: Randomness, name: &str) -> Demand {
        Demand { field: randomness.field(&format!("demand/{name}")).into(), spec: self }
    }
}

/// The demand for one service in one run.
#[derive(Clone, Debug)]
pub struct Demand {
    spec: Arc<DemandSpec>,
    field: Spliced,
}

impl Demand {
    pub fn kind(&self) -> DemandKind {
        self.spec.kind
    }

    /// The level at a moment, in requests per second or users: finite and never negative.
    pub fn at(&self, at: Timestamp) -> f64 {
        bounded(self.spec.shape.at(at.as_millis(), self.field))
    }

    /// The same demand if its level stays as it is at a moment: no stage, bell or day goes on, only noise does, with new
    /// numbers. `name` tells services apart.
    #[must_use]
    pub fn persisting(&self, at: Timestamp, randomness: Randomness, name: &str) -> Self {
        let shape = self.spec.shape.held_at(at.as_millis());
        let field = randomness.field(&format!("demand/{name}"));
        Self {
            spec: Arc::new(DemandSpec { kind: self.spec.kind, shape }),
            field: self.field.renewed_after(at.as_millis(), field),
        }
    }

    /// The level with what it counts, ready for a service.
    pub fn load_at(&self, at: Timestamp) -> Load {
        let level = self.at(at);
        match self.spec.kind {
            DemandKind::Requests => Load::Open { requests_per_second: level },
            DemandKind::Users(think) => Load::Closed { users: level, think_seconds: think.mean_seconds() },
        }
    }

    /// The next moment at which the level is worth asking for again: exact for jumps and bends; where the level moves all
    /// the time, often enough that a curve looks like one. Nothing when it stays as it is for ever.
    pub fn next_change_after(&self, at: Timestamp) -> Option<Timestamp> {
        let next = self.spec.shape.next_change_after(at.as_millis());
        next.filter(|next| *next < u64::MAX).map(Timestamp::from_millis)
    }
}

/// Sums and factors may leave the range of a file; no number at all counts as nothing asked for.
fn bounded(level: f64) -> f64 {
    // A thousand times the highest level: sums of many shapes keep their proportions.
    if level.is_nan() { 0.0 } else { level.clamp(0.0, MOST_LEVEL * 1e3) }
}
