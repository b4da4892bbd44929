//! The real world: clusters of Kubernetes, with or without Karmada above them, and what Prometheus measures of them.
//!
//! The only crate that knows kube-rs, Karmada and PromQL. Everything above it sees [`control::world::Outside`]: snapshots come in,
//! approved actions go out. Inside, what decides is pure (`observe::snapshot`, the machines in `act`), and a thin shell reads and
//! writes.

mod act;
pub mod broker;
mod clock;
mod connect;
mod observe;
pub mod settings;
mod trouble;
mod world;

pub use connect::{ConnectError, ConnectProblem};
pub use settings::{
    Access, Leaving, Member, PoolSettings, PrometheusSettings, Query, Resizing, Scope, Settings, Timeouts,
};
pub use world::{RealWorld, Recording};
