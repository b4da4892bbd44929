//! A pod that names its node fits no other.

use crate::scheduler::nodes::NodeId;
use crate::scheduler::state::ClusterState;
use crate::scheduler::status::{Reason, Rejection};
use crate::scheduler::template::Template;

pub fn filter(state: &ClusterState, template: &Template, node: NodeId) -> Result<(), Rejection> {
    if template.node_name.is_some() && template.node_name != state.nodes.details[node.index()].name {
        return Err(Rejection::unresolvable(Reason::NodeName));
    }
    Ok(())
}
