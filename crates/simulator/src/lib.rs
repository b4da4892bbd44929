//! The simulated world: discrete events in virtual time with Kubernetes semantics.

pub mod autoscaler;
pub mod controllers;
pub mod faults;
pub mod federation;
pub mod horizontal;
pub mod kube;
pub mod provisioner;
pub mod randomness;
pub mod scenario;
pub mod scheduler;
pub mod telemetry;
pub mod vertical;
pub mod traces;
pub mod wasp;
pub mod world;
