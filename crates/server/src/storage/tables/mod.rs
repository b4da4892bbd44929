//! The tables, one file each: plain structs in and out, statements that both databases understand.

pub mod journal;
pub mod page;
pub mod recommendations;
pub mod runs;
pub mod snapshots;

/// Every table besides the record of migrations, those first that others refer to.
pub(crate) const NAMES: &[&str] = &["runs", "journal", "snapshots", "recommendations"];
