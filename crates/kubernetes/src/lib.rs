//! The real world: clusters of Kubernetes, with or without Karmada above them, and what Prometheus measures of them.
//!
//! The only crate that knows kube-rs, Karmada and PromQL. Everything above it sees [`control::world::Outside`]: snapshots come in,
//! approved actions go out. Inside, what decides is pure (`observe::snapshot`, the machines in `act`), and a thin shell reads and
//! writes.

mod act;
pub mod broker;
mod candidate;
mod clock;
mod condition;
mod connect;
pub mod crd;
mod definition_desk;
mod definitions;
pub mod doctor;
mod fence;
mod freeze_desk;
mod freezes;
#[cfg(any(test, feature = "testing"))]
pub mod hostile;
mod lease;
mod log;
mod observe;
pub mod rights;
pub mod settings;
#[cfg(test)]
mod shipped_tests;
mod tell;
mod trouble;
mod world;

pub use candidate::{LeaseTiming, Standing};
pub use connect::{ConnectError, ConnectProblem};
pub use definitions::{Defined, Reader};
pub use fence::Fence;
pub use lease::{Candidacy, LeaseSettings};
pub use settings::{
    Access, DefinitionSettings, FreezeSettings, Leaving, Member, PoolSettings, PrometheusSettings, Query,
    Resizing, Scope, Secret, Settings, Timeouts,
};
pub use world::{RealWorld, Recording};
