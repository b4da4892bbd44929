//! Experiments: scenario × strategy × seed, with statistics that can be published.
//!
//! ```text
//! file or flags ─► Experiment ─► settings × arms × seeds = cells ─► runner ─► results ─► table, figures, report, exports
//!                                                                    │  ▲
//!                                                                    ▼  │
//!                                                            store: a finished cell, by its content
//! ```
//!
//! Everything that is shown is computed in [`results`], once.

pub mod cell;
pub mod command;
pub mod conclusion;
pub mod course;
pub mod digits;
pub mod export;
pub mod figures;
pub mod grid;
pub mod layout;
pub mod metric;
pub mod raw;
pub mod report;
pub mod results;
pub mod runner;
pub mod spec;
