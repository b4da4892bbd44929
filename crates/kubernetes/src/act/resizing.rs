//! Changes how many nodes a pool has, by whoever makes its nodes: Cluster API, Karpenter, a webhook, or by node objects where nodes are
//! pretended. The number that was approved is what counts, and the nodes that are seen are the outcome.

use super::nodes;
use super::order::{Change, Kind, Order, Place, Target};
use super::sight::{MemberSight, Object, Sight};
use super::task::{Task, Verdict};
use crate::settings::Resizing;
use model::action::Action;
use model::execution::Step;
use model::names::{ClusterName, PoolName};
use serde_json::json;

pub(super) const SENT: &[Step] = &[Step::OrderSent];
pub(super) const MAKING: &[Step] = &[Step::OrderSent, Step::OrderTaken, Step::TargetMaking];
pub(super) const READY: &[Step] = &[Step::OrderSent, Step::OrderTaken, Step::TargetMaking, Step::TargetReady];
pub(super) const BACK: &[Step] = &[Step::TakingBack];

pub(crate) struct Resize<'a> {
    pub(crate) task: &'a Task,
    pub(crate) cluster: &'a ClusterName,
    pub(crate) pool: &'a PoolName,
    pub(crate) from: u32,
    pub(crate) to: u32,
}

/// The nodes whose pods have to be known.
pub(crate) fn emptied<'a>(task: &Task, all: &'a [Object]) -> Vec<&'a Object> {
    let Action::ResizePool { cluster, pool, from, to } = &task.action else { return Vec::new() };
    if task.manner.resizing != Resizing::NodeObjects {
        return Vec::new();
    }
    Resize { task, cluster, pool, from: *from, to: *to }.leaving(all)
}

impl Resize<'_> {
    pub(crate) fn next(&self, sight: &Sight) -> Verdict {
        let member = match sight.member(self.cluster) {
            Ok(member) => member,
            Err(why) => return Verdict::blind(format!("{}: {why}", self.cluster)),
        };
        let nodes = self.own(&member.nodes);
        match &self.task.manner.resizing {
            Resizing::Refused => Verdict::failed(format!(
                "nobody was named who makes or removes nodes of the pool {}; say so in the settings of the pool",
                self.pool
            )),
            Resizing::MachineDeployment { namespace, name } => {
                let target = self.target(Kind::MachineDeployment, Some(namespace), name);
                self.by_number(member.holding.as_ref(), &nodes, &target)
            }
            Resizing::NodePool { name } => self.by_node_pool(member, &nodes, name),
            Resizing::Webhook { url, .. } => self.by_webhook(&nodes, url),
            Resizing::NodeObjects => nodes::next(self, member, &nodes),
        }
    }

    /// The nodes of the pool.
    pub(super) fn own<'a>(&self, all: &'a [Object]) -> Vec<&'a Object> {
        all.iter().filter(|node| self.task.manner.pool_of(node) == self.pool.as_str()).collect()
    }

    pub(super) fn target(&self, kind: Kind, namespace: Option<&str>, name: &str) -> Target {
        Target {
            place: Place::Member(self.cluster.clone()),
            kind,
            namespace: namespace.map(str::to_owned),
            name: name.to_owned(),
        }
    }

    /// Karpenter keeps a fixed number of nodes only where `spec.replicas` is set; the others it makes for pods that wait, and no
    /// number can be set for them.
    fn by_node_pool(&self, member: &MemberSight, nodes: &[&Object], name: &str) -> Verdict {
        let Some(pool) = &member.holding else {
            return Verdict::failed(format!("there is no NodePool {name} in {}", self.cluster));
        };
        if pool.field("/spec/replicas").is_none_or(serde_json::Value::is_null) {
            return Verdict::failed(format!(
                "the NodePool {name} has no spec.replicas: Karpenter makes and removes its nodes as pods need them, and its \
                 limits are all that can be set; use a static NodePool for a number of your own"
            ));
        }
        let limit = pool.field("/spec/limits/nodes").and_then(count);
        if let Some(limit) = limit.filter(|limit| *limit < self.to && self.task.taking_back.is_none()) {
            return Verdict::failed(format!(
                "the NodePool {name} has a limit of {limit} nodes; raise it first"
            ));
        }
        self.by_number(Some(pool), nodes, &self.target(Kind::NodePool, None, name))
    }

    /// Whoever keeps a number is told the number.
    fn by_number(&self, keeper: Option<&Object>, nodes: &[&Object], target: &Target) -> Verdict {
        let Some(keeper) = keeper else { return Verdict::failed(format!("there is no {target}")) };
        let (found, from, to) = (keeper.replicas(), self.from, self.to);
        let order = |replicas| Order { target: target.clone(), change: change(target, keeper, replicas) };
        match &self.task.taking_back {
            Some(_) if found == to && to != from => Verdict::give(BACK, order(from)),
            Some(reason) if found == from => self.returned(nodes, reason),
            Some(reason) => {
                Verdict::failed(format!("{reason}; somebody else asked for {found} nodes meanwhile"))
            }
            None if found == to => self.arrived(nodes),
            None if found == from && !self.task.begun => Verdict::give(SENT, order(to)),
            None if self.task.begun => {
                Verdict::failed(format!("somebody else asked for {found} nodes after {to} were asked for"))
            }
            None => Verdict::failed(format!("{target} asks for {found} nodes, not {from} as was approved")),
        }
    }

    /// A webhook keeps no number that could be read: whether it took the order is what it answered, and the nodes are the outcome.
    fn by_webhook(&self, nodes: &[&Object], url: &str) -> Verdict {
        match &self.task.taking_back {
            Some(reason) if !self.task.begun && !self.task.recalled => Verdict::rolled_back(reason),
            Some(_) if !self.task.recalled => Verdict::give(BACK, self.call(url, self.to, self.from, "back")),
            Some(reason) => self.returned(nodes, reason),
            None if self.task.begun => self.arrived(nodes),
            None if nodes.len() as u32 != self.from => Verdict::failed(format!(
                "the pool {} has {} nodes, not {} as was approved",
                self.pool,
                nodes.len(),
                self.from
            )),
            None => Verdict::give(SENT, self.call(url, self.from, self.to, "there")),
        }
    }

    /// The same key for the same wish, however often it is sent.
    fn call(&self, url: &str, from: u32, to: u32, way: &str) -> Order {
        let body = json!({
            "type": "node_pool.resize", "cluster": self.cluster, "pool": self.pool,
            "from": from, "to": to, "step": self.task.step,
        });
        let key = format!("{}.{way}", self.task.step);
        let change = Change::Call { url: url.to_owned(), key, body };
        Order { target: self.target(Kind::Node, None, self.pool.as_str()), change }
    }

    fn arrived(&self, nodes: &[&Object]) -> Verdict {
        let ready = ready(nodes);
        if ready == self.to && nodes.len() as u32 == self.to {
            return Verdict::done(READY);
        }
        Verdict::wait(MAKING, format!("{ready} of {} nodes are ready, {} are there", self.to, nodes.len()))
    }

    fn returned(&self, nodes: &[&Object], reason: &str) -> Verdict {
        let ready = ready(nodes);
        if ready == self.from && nodes.len() as u32 == self.from {
            return Verdict::rolled_back(reason);
        }
        let there = nodes.len();
        Verdict::wait(BACK, format!("{ready} of the former {} nodes are ready, {there} are there", self.from))
    }
}

/// Karpenter's kind has no subresource for its number in every version; Cluster API's has.
fn change(target: &Target, keeper: &Object, replicas: u32) -> Change {
    let version = keeper.version().to_owned();
    match target.kind {
        Kind::NodePool => Change::Merge { version, patch: json!({ "spec": { "replicas": replicas } }) },
        _ => Change::Replicas { version, replicas },
    }
}

/// Limits are quantities: numbers or text.
fn count(value: &serde_json::Value) -> Option<u32> {
    let number = value.as_u64().or_else(|| value.as_str()?.parse().ok())?;
    u32::try_from(number).ok()
}

pub(super) fn ready(nodes: &[&Object]) -> u32 {
    nodes.iter().filter(|node| node.is_ready_node()).count() as u32
}
