//! The scheduler plugins and the scheduling cycle against upstream's tables.

mod cluster;
mod core;
mod inter_pod_affinity;
mod node_rules;
mod primitives;
mod resources;
mod spread;
