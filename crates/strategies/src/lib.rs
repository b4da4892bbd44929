//! How to decide: one file per strategy; a strategy sees only snapshots.
