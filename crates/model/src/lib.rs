//! The nouns: time, quantities, names, snapshots, actions, recommendations, reviews. Plain data, no I/O.

pub mod action;
pub mod calendar;
pub mod document;
pub mod energy;
pub mod execution;
pub mod hash;
pub mod impact;
pub mod latency;
pub mod life;
pub mod money;
pub mod names;
pub mod order;
pub mod prediction;
pub mod quantity;
pub mod ratio;
pub mod reading;
pub mod recommendation;
pub mod resources;
pub mod review;
pub mod risk;
mod scale;
pub mod series;
pub mod signal;
pub mod snapshot;
pub mod time;
