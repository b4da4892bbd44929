//! The operator's page, as it was put into the program when it was built; empty if it was not.

include!(concat!(env!("OUT_DIR"), "/page.rs"));
