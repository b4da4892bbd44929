//! A copy of the cluster to try things on, made only when something is tried.

use super::view::{ClusterView, GroupView};
use crate::kube;
use crate::scheduler::{
    ClusterState, HOSTNAME_LABEL, NodeId, PodDetails, PodId, PodRejection, Rejection, Request, Scheduler,
    TemplateId,
};

/// A pod to try, as far as placing it depends on it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Shape {
    pub(crate) template: TemplateId,
    pub(crate) priority: i32,
}

/// Kubernetes gives daemons this priority or a higher one; no other pod pushes them away.
const DAEMON_PRIORITY: i32 = i32::MAX;

pub(crate) struct Scratch<'a> {
    original: &'a ClusterState,
    copy: Option<ClusterState>,
    scheduler: Scheduler,
    next_pod: PodId,
    made_nodes: u32,
}

impl<'a> Scratch<'a> {
    pub(crate) fn new(view: &ClusterView<'a>) -> Self {
        Self {
            original: view.state,
            copy: None,
            scheduler: Scheduler::default(),
            next_pod: view.unused_pods_from,
            made_nodes: 0,
        }
    }

    pub(crate) fn state(&self) -> &ClusterState {
        self.copy.as_ref().unwrap_or(self.original)
    }

    pub(crate) fn change(&mut self) -> &mut ClusterState {
        self.parts().0
    }

    fn parts(&mut self) -> (&mut ClusterState, &mut Scheduler) {
        (self.copy.get_or_insert_with(|| self.original.clone()), &mut self.scheduler)
    }

    fn request(&self, shape: Shape) -> Request {
        Request { pod: self.next_pod, template: shape.template, priority: shape.priority, nominated: None }
    }

    pub(crate) fn fits(&mut self, shape: Shape, node: NodeId) -> Result<(), Rejection> {
        let request = self.request(shape);
        let (state, scheduler) = self.parts();
        scheduler.fits(state, &request, node)
    }

    /// The place in `nodes` of the first that takes the pod, from `start` on and around.
    pub(crate) fn first_fit(
        &mut self,
        shape: Shape,
        nodes: &[NodeId],
        start: usize,
    ) -> Result<Option<usize>, PodRejection> {
        let request = self.request(shape);
        let (state, scheduler) = self.parts();
        scheduler.first_fit(state, &request, nodes, start)
    }

    /// Places a pod that does not exist in the cluster.
    pub(crate) fn place(&mut self, shape: Shape, node: NodeId) {
        let (pod, details) = (self.next_pod, PodDetails { priority: shape.priority, ..Default::default() });
        self.change().assign(pod, shape.template, node, details);
        self.next_pod = PodId(pod.0.checked_add(1).expect("fewer than 2^32 pods"));
    }

    /// Adds the node of a group that has this number among those to come, with the daemons that would run on it.
    pub(crate) fn add_node(&mut self, group: &GroupView<'_>, number: usize) -> NodeId {
        self.add_node_like(group.name, group.template_of(number), group.daemons)
    }

    /// Adds a new node that looks like `template` but for its name, with the daemons that would run on it.
    pub(crate) fn add_node_like(
        &mut self,
        name: &str,
        template: &kube::Node,
        daemons: &[TemplateId],
    ) -> NodeId {
        self.made_nodes += 1;
        let described = new_node(name, template, self.made_nodes);
        let node = self.change().add_node(&described);
        for &template in daemons {
            let daemon = Shape { template, priority: DAEMON_PRIORITY };
            if self.first_fit(daemon, &[node], 0) == Ok(Some(0)) {
                self.place(daemon, node);
            }
        }
        node
    }

    /// Takes nodes made here away again, with all pods made since `first_pod` was next.
    pub(crate) fn take_back(&mut self, nodes: &[NodeId], first_pod: PodId) {
        for &node in nodes.iter().rev() {
            self.change().remove_node(node);
        }
        self.next_pod = first_pod;
    }

    pub(crate) fn next_pod(&self) -> PodId {
        self.next_pod
    }
}

fn new_node(name: &str, template: &kube::Node, number: u32) -> kube::Node {
    let mut node = template.clone();
    // A space keeps it apart from every real name.
    let name = format!("{name} {number}");
    node.metadata.labels.insert(HOSTNAME_LABEL.to_owned(), name.clone());
    node.metadata.name = name;
    node
}
