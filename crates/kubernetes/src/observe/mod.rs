//! What is seen of the clusters: caches that follow their API servers, measurements, and the snapshot made of both.

pub(crate) mod cache;
pub(crate) mod cluster;
pub(crate) mod facts;
pub(crate) mod karmada;
pub(crate) mod lives;
pub(crate) mod measured;
pub(crate) mod metrics;
pub(crate) mod owners;
pub(crate) mod prometheus;
pub(crate) mod requests;
pub(crate) mod snapshot;
#[cfg(test)]
mod snapshot_tests;
pub(crate) mod watch;
