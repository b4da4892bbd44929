//! A place for WASP's engine: its list of recommendations becomes proposals, and the newest snapshot looks like its monitor's.

mod door;
mod list;
mod metrics;

pub(crate) use door::{WaspDoor, list_of};
pub(crate) use list::{LARGEST_LIST, apply};
pub(crate) use metrics::metrics;
