//! The nouns: time, quantities, names, snapshots, actions, recommendations, reviews. Plain data, no I/O.

pub mod document;
