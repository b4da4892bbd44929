//! A test bed: real Kubernetes clusters with simulated nodes, Karmada and Prometheus as plain processes on the loopback
//! interface, without containers. It starts and stops them; what is done with them is somebody else's business.

mod api;
mod bed;
mod binaries;
mod certificates;
mod cluster;
mod command;
mod control_plane;
mod crew;
mod error;
mod files;
mod go;
mod karmada;
mod keeper;
mod kubeconfig;
mod manifest;
mod member;
mod plan;
mod ports;
mod process;
mod products;
mod prometheus;
mod stages;
mod wait;
mod watch;

pub use api::{Answer, Api};
pub use bed::{Bed, Listing};
pub use binaries::{Programs, Workshop};
pub use cluster::Cluster;
pub use crew::{Condition, Crew};
pub use error::{Error, LastWords};
pub use plan::{Plan, Staff};
pub use products::{PRODUCTS, Product, Tool};
pub use prometheus::Prometheus;
pub use watch::{Change, Watch};

/// Somebody who is told how far the work is, in sentences for a person.
pub type Listener<'a> = &'a (dyn Fn(&str) + Sync);
