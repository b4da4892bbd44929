//! The nouns: time, quantities, names, snapshots, actions, recommendations, reviews. Plain data, no I/O.

pub mod document;
pub mod money;
pub mod quantity;
pub mod reading;
pub mod time;
