//! The vertical pod autoscaler's recommender: what a container should request, from what it used.
//!
//! ```text
//! CPU samples ───────────────────────────► decaying histogram ─┐             ┌ lower  p50 ┐
//! memory samples ──────┬► a peak per day ► decaying histogram ─┴► estimates ─┤ target p90 ├─► min/max allowed
//! out-of-memory kills ─┘                                                     └ upper  p95 ┘
//! ```
//!
//! The rules and defaults are those of vertical-pod-autoscaler 1.8, recommending only (`updateMode: Off`). Floating point
//! is where upstream has it, through `libm`, so that it is the same on every platform.
//!
//! Left out: checkpoints, limit ranges, the updater and the admission controller, that is everything that acts.

mod check;
mod estimate;
mod histogram;
mod peaks;
pub mod raw;
mod recommender;
mod settings;

pub use check::{VerticalFault, VerticalSpec, check};
pub use histogram::{Buckets, DecayingHistogram};
pub use recommender::{Amounts, Policy, Recommendation, Recommender};
pub use settings::{MIN_SAMPLE_WEIGHT, Settings};

#[cfg(test)]
mod tests;
