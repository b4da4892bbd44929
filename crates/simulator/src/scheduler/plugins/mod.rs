//! One file per scheduler plugin: what it refuses and how it scores.

pub mod default_selector;
pub mod image_locality;
pub mod inter_pod_affinity;
pub mod node_affinity;
pub mod node_name;
pub mod node_ports;
pub mod node_resources_balanced;
pub mod node_resources_fit;
pub mod node_unschedulable;
pub mod normalize;
pub mod pod_topology_spread;
pub mod scheduling_gates;
pub mod taint_toleration;
