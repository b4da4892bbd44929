//! The desk as a service: what the agents recommended and people answered, kept and shown to whoever may see it.
//!
//! The only crate that knows SQL and HTTP. `storage` is its room for everything that has to survive a restart.

pub mod access;
pub mod api;
mod attended;
pub mod audit;
pub mod clock;
pub mod config;
pub mod desk;
pub mod entrance;
mod housekeeping;
mod kube_api;
pub mod laboratory;
pub mod live;
mod log;
pub mod metrics;
pub mod office;
mod outward;
pub mod page;
pub mod provider;
pub mod rooms;
pub mod service;
pub mod standby;
pub mod storage;
#[cfg(any(test, feature = "testing"))]
pub mod testing;
mod trust;
mod wasp;
mod webhooks;
