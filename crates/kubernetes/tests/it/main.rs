//! The real world against real API servers: a test bed whose directory is in the environment variable DROVER_BED.

#![expect(clippy::unwrap_used, reason = "all of this is tests; the helpers fail as a test does")]
#![expect(clippy::print_stdout, reason = "clusters take their time; whoever waits sees how far they are")]

mod actions;
mod approval;
mod bed;
mod chart;
mod counting;
mod defining;
mod faults;
mod freezing;
mod identity;
mod leases;
mod migration;
mod observation;
mod proxy;
mod roles;
mod safety;
