//! The simulated world: discrete events in virtual time with Kubernetes semantics.

pub mod apportion;
pub mod autoscaler;
pub mod carbon;
pub mod controllers;
pub mod demand;
pub mod faults;
pub mod federation;
pub mod horizontal;
pub mod kube;
pub mod network;
mod normal;
pub mod power;
pub mod provisioner;
pub mod randomness;
pub mod scenario;
pub mod scheduler;
pub mod service;
pub mod telemetry;
pub mod traces;
pub mod vertical;
pub mod wasp;
pub mod world;
