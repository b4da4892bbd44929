//! Changes how many nodes a pool has: by its MachineDeployment, or by node objects where nodes are pretended. A node goes only when it
//! is cordoned and every pod has left it by the eviction API, which keeps disruption budgets.

use super::order::{Change, Kind, Order, Place, Target};
use super::sight::{MemberSight, Object, Sight};
use super::task::{STEP, Task, Verdict};
use crate::settings::Resizing;
use model::execution::Step;
use model::names::{ClusterName, PoolName};
use serde_json::{Value, json};

/// Labels and annotations of one node that another must not have.
const OWN_LABEL: &str = "kubernetes.io/hostname";

/// Says that a node was made, and not only cordoned, by the step it carries.
const MADE: &str = "drover.io/made";

const SENT: &[Step] = &[Step::OrderSent];
const MAKING: &[Step] = &[Step::OrderSent, Step::OrderTaken, Step::TargetMaking];
const READY: &[Step] = &[Step::OrderSent, Step::OrderTaken, Step::TargetMaking, Step::TargetReady];
const BACK: &[Step] = &[Step::TakingBack];

pub(crate) struct Resize<'a> {
    pub(crate) task: &'a Task,
    pub(crate) cluster: &'a ClusterName,
    pub(crate) pool: &'a PoolName,
    pub(crate) from: u32,
    pub(crate) to: u32,
}

impl Resize<'_> {
    pub(crate) fn next(&self, sight: &Sight) -> Verdict {
        let member = match sight.member(self.cluster) {
            Ok(member) => member,
            Err(why) => return Verdict::blind(format!("{}: {why}", self.cluster)),
        };
        let nodes: Vec<&Object> =
            member.nodes.iter().filter(|node| self.task.manner.pool_of(node) == self.pool.as_str()).collect();
        match &self.task.manner.resizing {
            Resizing::Refused => Verdict::failed(format!(
                "nobody was named who makes or removes nodes of the pool {}; say so in the settings of the pool",
                self.pool
            )),
            Resizing::MachineDeployment { namespace, name } => {
                self.by_machines(member, &nodes, namespace, name)
            }
            Resizing::NodeObjects if self.task.taking_back.is_some() => self.take_back(member, &nodes),
            Resizing::NodeObjects if self.to >= self.from => self.grow(&nodes),
            Resizing::NodeObjects => self.shrink(member, &nodes),
        }
    }

    fn by_machines(&self, member: &MemberSight, nodes: &[&Object], namespace: &str, name: &str) -> Verdict {
        let Some(machines) = &member.holding else {
            return Verdict::failed(format!(
                "there is no MachineDeployment {namespace}/{name} in {}",
                self.cluster
            ));
        };
        let order = |replicas| Order {
            target: Target {
                place: Place::Member(self.cluster.clone()),
                kind: Kind::MachineDeployment,
                namespace: Some(namespace.to_owned()),
                name: name.to_owned(),
            },
            change: Change::Replicas { version: machines.version().to_owned(), replicas },
        };
        let ready = nodes.iter().filter(|node| node.is_ready_node()).count() as u32;
        match (&self.task.taking_back, machines.replicas()) {
            (Some(_), found) if found == self.to => Verdict::give(BACK, order(self.from)),
            (Some(reason), _) => Verdict::rolled_back(reason),
            (None, found) if found == self.from => Verdict::give(SENT, order(self.to)),
            (None, found) if found != self.to => {
                Verdict::failed(format!("it asks for {found} machines, not {} as was approved", self.from))
            }
            (None, _) if ready == self.to && nodes.len() as u32 == self.to => Verdict::done(READY),
            (None, _) => Verdict::wait(MAKING, format!("{ready} of {} nodes are ready", self.to)),
        }
    }

    fn is_ours(&self, node: &Object) -> bool {
        node.annotation(STEP) == Some(&self.task.step)
    }

    fn grow(&self, nodes: &[&Object]) -> Verdict {
        let ready = nodes.iter().filter(|node| node.is_ready_node()).count() as u32;
        if nodes.len() as u32 >= self.to {
            return if ready >= self.to {
                Verdict::done(READY)
            } else {
                Verdict::wait(MAKING, format!("{ready} of {} nodes are ready", self.to))
            };
        }
        let Some(sample) = nodes.iter().find(|node| node.is_ready_node()) else {
            return Verdict::failed(format!(
                "the pool {} has no node that another could be made after",
                self.pool
            ));
        };
        let free = (0..self.to).map(|number| self.node_name(number));
        let name = free.into_iter().find(|name| nodes.iter().all(|node| node.name() != name));
        Verdict::give(SENT, self.make(sample, &name.unwrap_or_else(|| self.node_name(self.to))))
    }

    fn node_name(&self, number: u32) -> String {
        format!("{}-{}-{number}", self.pool, self.task.step.to_lowercase())
    }

    fn make(&self, sample: &Object, name: &str) -> Order {
        let part = |pointer: &str| sample.field(pointer).cloned().unwrap_or_else(|| json!({}));
        let mut labels = part("/metadata/labels");
        labels[OWN_LABEL] = name.into();
        let mut annotations = part("/metadata/annotations");
        annotations[STEP] = self.task.step.clone().into();
        annotations[MADE] = self.task.step.clone().into();
        let body = json!({
            "apiVersion": "v1", "kind": "Node",
            "metadata": { "name": name, "labels": labels, "annotations": annotations },
            "status": { "capacity": part("/status/capacity"), "allocatable": part("/status/allocatable") },
        });
        self.order(name, Change::Create(body))
    }

    fn order(&self, name: &str, change: Change) -> Order {
        let target = Target {
            place: Place::Member(self.cluster.clone()),
            kind: Kind::Node,
            namespace: None,
            name: name.to_owned(),
        };
        Order { target, change }
    }

    fn shrink(&self, member: &MemberSight, nodes: &[&Object]) -> Verdict {
        let surplus = (nodes.len() as u32).saturating_sub(self.to);
        if surplus == 0 {
            return Verdict::done(READY);
        }
        let marked: Vec<&Object> = nodes.iter().copied().filter(|node| self.is_ours(node)).collect();
        if (marked.len() as u32) < surplus {
            // The newest goes first: the old ones have proved themselves.
            let free = nodes.iter().copied().filter(|node| !self.is_ours(node));
            let newest = free.max_by_key(|node| (node.created().to_owned(), node.name().to_owned()));
            return newest.map_or_else(
                || Verdict::wait(MAKING, "there is no node to take"),
                |node| Verdict::give(SENT, self.cordon(node)),
            );
        }
        self.empty(MAKING, member, &marked)
    }

    /// Evicts one pod after the other, and deletes a node that nothing is left on.
    fn empty(&self, steps: &[Step], member: &MemberSight, marked: &[&Object]) -> Verdict {
        for node in marked.iter().filter(|node| !node.is_ending()) {
            let pods = member.node_pods.get(node.name()).map(Vec::as_slice).unwrap_or_default();
            if pods.is_empty() {
                let change =
                    Change::Delete { uid: node.uid().to_owned(), version: node.version().to_owned() };
                return Verdict::give(steps, self.order(node.name(), change));
            }
            if let Some(pod) = pods.iter().find(|pod| !pod.is_ending()) {
                return Verdict::give(steps, self.evict(pod));
            }
        }
        Verdict::wait(steps, "pods are leaving the nodes")
    }

    fn cordon(&self, node: &Object) -> Order {
        let patch = json!({ "metadata": { "annotations": { STEP: self.task.step } }, "spec": { "unschedulable": true } });
        self.order(node.name(), Change::Merge { version: node.version().to_owned(), patch })
    }

    fn evict(&self, pod: &Object) -> Order {
        let target = Target {
            place: Place::Member(self.cluster.clone()),
            kind: Kind::Pod,
            namespace: pod.field("/metadata/namespace").and_then(Value::as_str).map(str::to_owned),
            name: pod.name().to_owned(),
        };
        Order { target, change: Change::Evict }
    }

    /// What was made goes, what was cordoned serves again; what was deleted cannot be brought back.
    fn take_back(&self, member: &MemberSight, nodes: &[&Object]) -> Verdict {
        let reason = self.task.taking_back.clone().unwrap_or_default();
        let ours: Vec<&Object> = nodes.iter().copied().filter(|node| self.is_ours(node)).collect();
        let (made, cordoned): (Vec<&Object>, Vec<&Object>) =
            ours.into_iter().partition(|node| node.annotation(MADE) == Some(&self.task.step));
        if let Some(node) = cordoned.first() {
            let patch =
                json!({ "metadata": { "annotations": { STEP: null } }, "spec": { "unschedulable": null } });
            return Verdict::give(
                BACK,
                self.order(node.name(), Change::Merge { version: node.version().to_owned(), patch }),
            );
        }
        if let Some(node) = made.iter().find(|node| !node.is_cordoned()) {
            return Verdict::give(BACK, self.cordon(node));
        }
        if !made.is_empty() {
            return self.empty(BACK, member, &made);
        }
        if (nodes.len() as u32) < self.from {
            let gone = self.from - nodes.len() as u32;
            return Verdict::failed(format!("{reason}; {gone} nodes were already removed"));
        }
        Verdict::rolled_back(reason)
    }
}
