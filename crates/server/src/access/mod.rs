//! Who somebody is and what they may do.

mod role;

pub use role::{Right, Role};
