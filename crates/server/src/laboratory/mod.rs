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
//! Comparisons are kept in memory and are gone with the desk; the command line that each carries gives them again.

mod book;
mod findings;
mod news;
mod room;
mod shelf;
mod wish;
mod worker;

pub use book::{MOST_KEPT, MOST_WAITING};
pub(crate) use findings::Findings;
pub(crate) use news::News;
pub(crate) use room::{Absent, Laboratory, Leaving};
pub use shelf::{Sample, Shelf};
pub(crate) use wish::check;
pub use wish::{MOST_CELLS, MOST_SEEDS, MOST_STRATEGIES};
pub use worker::LONGEST_RUN;
