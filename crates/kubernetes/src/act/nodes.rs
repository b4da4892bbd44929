//! Pools whose nodes are made and deleted as objects, where KWOK pretends them. A node goes only when it is cordoned, nothing on it has
//! to stay, and every pod has left it by the eviction API, which keeps disruption budgets.

use super::order::{Change, Kind, Order};
use super::resizing::{BACK, MAKING, READY, Resize, SENT, ready};
use super::sight::{MemberSight, Object};
use super::task::{STEP, Verdict};
use model::execution::Step;
use serde_json::{Value, json};

/// Labels and annotations of one node that another must not have.
const OWN_LABEL: &str = "kubernetes.io/hostname";

/// Says that a node was made, and not only cordoned, by the step it carries.
const MADE: &str = "drover.io/made";

/// The how-many-th of the nodes that leave; so it is known how many were chosen, also when some are gone.
const LEAVING: &str = "drover.io/leaving";

/// Somebody else had cordoned it before; it stays so if it does not leave.
const CORDONED_BEFORE: &str = "drover.io/cordoned-before";

/// So many nodes are looked at for pods that have to stay, the newest first; each is a list of its own.
const MOST_CANDIDATES: usize = 50;

/// Where others say that a node must not be taken away.
const NODE_STAYS: [(&str, &str); 2] = [
    ("cluster-autoscaler.kubernetes.io/scale-down-disabled", "true"),
    ("karpenter.sh/do-not-disrupt", "true"),
];

/// Where others say that a pod must not be evicted.
const POD_STAYS: [(&str, &str); 2] =
    [("cluster-autoscaler.kubernetes.io/safe-to-evict", "false"), ("karpenter.sh/do-not-disrupt", "true")];

pub(super) fn next(resize: &Resize<'_>, member: &MemberSight, nodes: &[&Object]) -> Verdict {
    match &resize.task.taking_back {
        Some(reason) => resize.take_back(member, nodes, reason),
        None if resize.to >= resize.from => resize.grow(nodes),
        None => resize.shrink(member, nodes),
    }
}

/// Why a pod cannot be evicted: nobody would make it again, or its owner says so.
fn stays(pod: &Object) -> Option<String> {
    let owners = pod.field("/metadata/ownerReferences").and_then(Value::as_array);
    let is_owned = owners.into_iter().flatten().any(|owner| owner["controller"] == true);
    let held = POD_STAYS.iter().find(|(name, value)| pod.annotation(name) == Some(value));
    let reason = match held {
        Some((name, value)) => format!("says {name}={value}"),
        None if !is_owned => "has no controller that would make it again".to_owned(),
        None => return None,
    };
    let namespace = pod.field("/metadata/namespace").and_then(Value::as_str).unwrap_or_default();
    Some(format!("the pod {namespace}/{} {reason}", pod.name()))
}

/// Why a node cannot be taken.
fn obstacle(node: &Object, member: &MemberSight) -> Option<String> {
    if let Some((name, value)) = NODE_STAYS.iter().find(|(name, value)| node.annotation(name) == Some(value))
    {
        return Some(format!("the node {} says {name}={value}", node.name()));
    }
    let Some(pods) = member.node_pods.get(node.name()) else {
        return Some(format!("the pods of the node {} were not read", node.name()));
    };
    pods.iter().find_map(stays)
}

impl Resize<'_> {
    /// Nodes that leave, and, while some have still to be chosen, those that could.
    pub(super) fn leaving<'a>(&self, all: &'a [Object]) -> Vec<&'a Object> {
        let own = self.own(all);
        let (mut found, mut free): (Vec<&Object>, Vec<&Object>) =
            own.into_iter().partition(|node| self.is_ours(node));
        if self.task.taking_back.is_none() && chosen(&found) < self.from.saturating_sub(self.to) {
            free.sort_by_key(|node| std::cmp::Reverse(age(node)));
            found.extend(free.into_iter().take(MOST_CANDIDATES));
        }
        found
    }

    fn is_ours(&self, node: &Object) -> bool {
        node.annotation(STEP) == Some(&self.task.step)
    }

    fn differs(&self, found: usize) -> String {
        format!("the pool {} has {found} nodes, not {} as was approved", self.pool, self.from)
    }

    fn grow(&self, nodes: &[&Object]) -> Verdict {
        let made = nodes.iter().filter(|node| self.is_ours(node)).count() as u32;
        let found = nodes.len() as u32;
        if made == 0 && found != self.from && found != self.to {
            return Verdict::failed(self.differs(nodes.len()));
        }
        if found >= self.to || made >= self.to - self.from {
            let ready = ready(nodes);
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
        Order { target: self.target(Kind::Node, None, name), change }
    }

    /// As many leave as were approved, and never more: all are chosen first, and only from the number that was approved.
    fn shrink(&self, member: &MemberSight, nodes: &[&Object]) -> Verdict {
        let marked: Vec<&Object> = nodes.iter().copied().filter(|node| self.is_ours(node)).collect();
        let (found, chosen) = (nodes.len() as u32, chosen(&marked));
        let (surplus, leaving) = (found.saturating_sub(self.to), marked.len() as u32);
        // Somebody else took nodes away meanwhile: what need not go serves again.
        if let Some(node) = marked.first().filter(|_| leaving > surplus) {
            return Verdict::give(MAKING, self.uncordon(node));
        }
        if surplus == 0 {
            return Verdict::done(READY);
        }
        if leaving == surplus && found <= self.from {
            return self.empty(MAKING, member, &marked);
        }
        let is_untouched = leaving > 0 || !self.task.begun;
        if found == self.from && chosen < self.from - self.to && is_untouched {
            return self.choose(member, nodes, chosen);
        }
        let reason = if found == self.from {
            format!("somebody else changed the pool {} while nodes were leaving it", self.pool)
        } else {
            self.differs(nodes.len())
        };
        if marked.is_empty() { Verdict::failed(reason) } else { Verdict::go_back(reason) }
    }

    /// The newest goes first: the old ones have proved themselves.
    fn choose(&self, member: &MemberSight, nodes: &[&Object], chosen: u32) -> Verdict {
        let mut free: Vec<&Object> = nodes.iter().copied().filter(|node| !self.is_ours(node)).collect();
        free.sort_by_key(|node| std::cmp::Reverse(age(node)));
        let mut reasons = Vec::new();
        for node in free {
            match obstacle(node, member) {
                None => return Verdict::give(SENT, self.cordon(node, chosen + 1)),
                Some(reason) => reasons.push(reason),
            }
        }
        let reason =
            format!("no more nodes of the pool {} can be emptied: {}", self.pool, reasons.join("; "));
        if chosen == 0 { Verdict::failed(reason) } else { Verdict::go_back(reason) }
    }

    /// Evicts one pod after the other, and deletes nodes that nothing is left on in the order in which they were chosen, so that the
    /// last one still tells how many were.
    fn empty(&self, steps: &[Step], member: &MemberSight, marked: &[&Object]) -> Verdict {
        let mut staying: Vec<&Object> = marked.iter().copied().filter(|node| !node.is_ending()).collect();
        staying.sort_by_key(|node| ordinal(node));
        for (place, node) in staying.iter().enumerate() {
            let Some(pods) = member.node_pods.get(node.name()) else { continue };
            if pods.is_empty() && place == 0 {
                let change =
                    Change::Delete { uid: node.uid().to_owned(), version: node.version().to_owned() };
                return Verdict::give_settled(steps, self.order(node.name(), change));
            }
            if let Some(reason) = pods.iter().filter(|pod| !pod.is_ending()).find_map(stays) {
                return Verdict::go_back(reason);
            }
            if let Some(pod) = pods.iter().find(|pod| !pod.is_ending()) {
                return Verdict::give(steps, self.evict(pod));
            }
        }
        Verdict::wait(steps, "pods are leaving the nodes")
    }

    fn cordon(&self, node: &Object, ordinal: u32) -> Order {
        let mut annotations = json!({ STEP: self.task.step, LEAVING: ordinal.to_string() });
        if node.is_cordoned() {
            annotations[CORDONED_BEFORE] = "true".into();
        }
        let patch = json!({ "metadata": { "annotations": annotations }, "spec": { "unschedulable": true } });
        self.order(node.name(), Change::Merge { version: node.version().to_owned(), patch })
    }

    fn uncordon(&self, node: &Object) -> Order {
        let annotations = json!({ STEP: null, LEAVING: null, CORDONED_BEFORE: null });
        let mut patch = json!({ "metadata": { "annotations": annotations }, "spec": {} });
        if node.annotation(CORDONED_BEFORE).is_none() {
            patch["spec"]["unschedulable"] = Value::Null;
        }
        self.order(node.name(), Change::Merge { version: node.version().to_owned(), patch })
    }

    fn evict(&self, pod: &Object) -> Order {
        let namespace = pod.field("/metadata/namespace").and_then(Value::as_str);
        let target = self.target(Kind::Pod, namespace, pod.name());
        Order { target, change: Change::Evict { uid: pod.uid().to_owned() } }
    }

    /// What was made goes, what was cordoned serves again; what was deleted cannot be brought back.
    fn take_back(&self, member: &MemberSight, nodes: &[&Object], reason: &str) -> Verdict {
        let ours: Vec<&Object> = nodes.iter().copied().filter(|node| self.is_ours(node)).collect();
        let (made, cordoned): (Vec<&Object>, Vec<&Object>) =
            ours.into_iter().partition(|node| node.annotation(MADE) == Some(&self.task.step));
        if let Some(node) = cordoned.first() {
            return Verdict::give(BACK, self.uncordon(node));
        }
        if let Some(node) = made.iter().find(|node| !node.is_cordoned()) {
            return Verdict::give(BACK, self.cordon(node, 0));
        }
        if !made.is_empty() {
            return match self.empty(BACK, member, &made) {
                Verdict { next: super::task::Next::GoBack(why), .. } => Verdict::wait(BACK, why),
                verdict => verdict,
            };
        }
        if (nodes.len() as u32) < self.from {
            let gone = self.from - nodes.len() as u32;
            return Verdict::failed(format!("{reason}; {gone} nodes were already removed"));
        }
        Verdict::rolled_back(reason)
    }
}

/// How many nodes were ever chosen to leave.
fn chosen(marked: &[&Object]) -> u32 {
    marked.iter().map(|node| ordinal(node)).max().unwrap_or(0)
}

fn ordinal(node: &Object) -> u32 {
    node.annotation(LEAVING).and_then(|text| text.parse().ok()).unwrap_or(0)
}

fn age(node: &Object) -> (String, String) {
    (node.created().to_owned(), node.name().to_owned())
}
