//! The laboratory of the desk: people start simulations and compare strategies, beside the federation that runs here and without
//! touching it.
//!
//! ```text
//!  wish ─check─► order ─► book: waiting ► running ► done ─► findings: numbers, sentences, drawings
//!         ▲                       │  ▲
//!       shelf                     ▼  │ one thread, while there is work
//!                               worker ─► lab::experiment
//! ```
//!
//! Comparisons are in memory while they are wanted, and in the `archive` so that they outlive the desk; the command line that each
//! carries gives them again.

pub(crate) mod archive;
mod book;
mod findings;
mod news;
mod room;
mod shelf;
mod wish;
mod worker;

pub(crate) use archive::Archive;
pub(crate) use book::Entry;
pub use book::{MOST_KEPT, MOST_WAITING};
pub(crate) use findings::Findings;
pub(crate) use news::News;
pub(crate) use room::{Absent, Laboratory, Leaving};
pub use shelf::{Sample, Shelf};
pub(crate) use wish::check;
pub use wish::{MOST_CELLS, MOST_SEEDS, MOST_STRATEGIES};
pub use worker::LONGEST_RUN;
