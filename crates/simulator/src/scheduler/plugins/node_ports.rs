//! Two pods on one node cannot have the same host port.

use crate::scheduler::nodes::NodeId;
use crate::scheduler::state::ClusterState;
use crate::scheduler::status::{Reason, Rejection};
use crate::scheduler::template::Template;

/// Whether the filter has anything to do.
pub fn concerns(template: &Template) -> bool {
    !template.host_ports.is_empty()
}

pub fn filter(state: &ClusterState, template: &Template, node: NodeId) -> Result<(), Rejection> {
    let taken = &state.nodes.details[node.index()].ports;
    let conflict = |wanted| taken.iter().any(|other| other.conflicts_with(wanted));
    if template.host_ports.iter().any(|&wanted| conflict(wanted)) {
        return Err(Rejection::resolvable(Reason::HostPorts));
    }
    Ok(())
}
