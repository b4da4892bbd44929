//! How to decide: one file per strategy; a strategy sees only snapshots.

#[cfg(test)]
mod baseline_tests;
pub mod catalogue;
pub mod hold;
pub mod karmada_native;
pub mod language;
mod limits;
pub mod planner;
mod sight;
#[cfg(test)]
mod testing;
pub mod threshold;
pub mod wasp_heuristic;
mod words;

pub use catalogue::{StrategyConfig, UnknownStrategy};
pub use limits::Share;
