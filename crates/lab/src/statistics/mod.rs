//! The one statistics engine: tables, figures and exports take their numbers from here and from nowhere else.
//!
//! Everything is deterministic: resampling has a seed, ties have a rule, and sums run in the order of the data.

mod bootstrap;
mod distribution;
mod estimate;
mod next_value;
mod paired;
mod proportion;
mod rank_test;
#[cfg(test)]
mod reference;

pub use bootstrap::{Bootstrap, Interval};
pub use estimate::{Estimate, quantile};
pub use next_value::NextValue;
pub use paired::{Comparison, Verdict, compare, holm};
pub use proportion::Proportion;
pub use rank_test::{SignedRank, least_probability, signed_rank};

/// Below this many values nothing is claimed about the population behind them.
pub const FEWEST_SEEDS: usize = 5;

/// Up to this probability a test is said to confirm a difference.
pub const LEVEL: f64 = 0.05;
