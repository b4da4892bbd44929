//! A cordoned node takes only pods that tolerate the taint a cordon stands for.

use crate::scheduler::nodes::NodeId;
use crate::scheduler::state::ClusterState;
use crate::scheduler::status::{Reason, Rejection};
use crate::scheduler::template::Template;

pub fn filter(state: &ClusterState, template: &Template, node: NodeId) -> Result<(), Rejection> {
    if state.nodes.gates[node.index()].unschedulable && !template.tolerates_unschedulable {
        return Err(Rejection::unresolvable(Reason::Unschedulable));
    }
    Ok(())
}
