//! The program as a person meets it: the real binary, real files, what it prints and what it leaves behind.
#![expect(clippy::unwrap_used, reason = "all of this is tests; the helpers fail as a test does")]

mod agent_bench;
mod broken;
mod broken_wasp;
mod crash;
mod deploy;
mod desk;
mod determinism;
mod experiments;
mod golden;
mod interface;
mod language;
mod language_wire;
mod run_directory;
mod services;
mod support;
mod traces;

#[cfg(feature = "shared-data")]
mod shared_data;
