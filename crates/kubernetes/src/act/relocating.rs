//! Moves a workload's pods within a cluster: its template is bound to the target pool or node, and the roll-out does the rest, with
//! as much surge and as few unavailable pods as the workload's owner set. What would stop pods before others serve is refused.

use super::order::{Change, Kind, Order, Place, Target, difference};
use super::scaling::shared;
use super::sight::{MemberSight, Object, Sight};
use super::task::{STEP, Task, Verdict};
use model::action::Spot;
use model::execution::Step;
use model::names::{ClusterName, WorkloadKind, WorkloadRef};
use serde_json::{Map, Value, json};

/// The node selector before the move.
const FORMER_SELECTOR: &str = "drover.io/former-node-selector";
/// Set while the former state is being restored.
const RESTORED: &str = "drover.io/restored";

const HOSTNAME: &str = "kubernetes.io/hostname";
const SELECTOR: &str = "/spec/template/spec/nodeSelector";

const SENT: &[Step] = &[Step::OrderSent];
const MAKING: &[Step] = &[Step::OrderSent, Step::OrderTaken, Step::TargetMaking];
const READY: &[Step] = &[Step::OrderSent, Step::OrderTaken, Step::TargetMaking, Step::TargetReady];

pub(crate) struct Relocation<'a> {
    pub(crate) task: &'a Task,
    pub(crate) workload: &'a WorkloadRef,
    pub(crate) cluster: &'a ClusterName,
    pub(crate) from: &'a Spot,
    pub(crate) to: &'a Spot,
}

impl Relocation<'_> {
    pub(crate) fn next(&self, sight: &Sight) -> Verdict {
        let member = match sight.member(self.cluster) {
            Ok(member) => member,
            Err(why) => return Verdict::blind(format!("{}: {why}", self.cluster)),
        };
        let template = match &sight.karmada {
            Some(Ok(karmada)) => {
                if let (Some(_), Some(reason)) = (&karmada.template, shared(karmada, self.cluster)) {
                    return Verdict::failed(reason);
                }
                karmada.template.as_ref()
            }
            Some(Err(why)) => return Verdict::blind(format!("karmada: {why}")),
            None => None,
        };
        let Some(holding) = &member.holding else {
            return Verdict::failed(format!("there is nothing of {} in {}", self.workload, self.cluster));
        };
        let place = if template.is_some() { Place::Karmada } else { Place::Member(self.cluster.clone()) };
        self.decide(place, template.unwrap_or(holding), holding, member)
    }

    fn decide(&self, place: Place, object: &Object, holding: &Object, member: &MemberSight) -> Verdict {
        let is_ours = |object: &Object| object.annotation(STEP) == Some(&self.task.step);
        let is_restored = object.annotation(RESTORED) == Some(&self.task.step);
        match &self.task.taking_back {
            None if !is_ours(object) => self.begin(place, object, holding, member),
            None if is_restored => Verdict::rolled_back("it was taken back before"),
            None if is_ours(holding) => self.watch(holding, member),
            None => Verdict::wait(SENT, "the order has not arrived in the cluster yet"),
            Some(reason) if !is_ours(object) => Verdict::rolled_back(reason),
            Some(reason) if !is_restored => self.restore(place, object, reason),
            Some(reason) if holding.is_ready() => Verdict::rolled_back(reason),
            Some(_) => Verdict::wait(&[Step::TakingBack], "the former placement is being rolled out"),
        }
    }

    /// Why it cannot be done, before anything is changed.
    fn refusal(&self, object: &Object, holding: &Object, member: &MemberSight) -> Option<String> {
        if self.task.begun {
            return Some("somebody else has changed it since the move began".to_owned());
        }
        if let Some(mark) = self.task.manner.repository([object, holding]) {
            return Some(format!("{mark} says that a repository owns it and would undo it; move it there"));
        }
        if let Some(reason) = breaks_first(self.workload, object) {
            return Some(reason);
        }
        if object.annotation(STEP).is_some() && !holding.is_ready() {
            return Some("another move of it is still being rolled out".to_owned());
        }
        let is_there = member.pod_nodes.iter().any(|node| self.is_in(self.from, member, node));
        (!is_there).then(|| format!("none of its pods is in {}", self.from))
    }

    fn begin(&self, place: Place, object: &Object, holding: &Object, member: &MemberSight) -> Verdict {
        if let Some(reason) = self.refusal(object, holding, member) {
            return Verdict::failed(reason);
        }
        let Some((label, value)) = self.label(member) else {
            return Verdict::failed(format!("no node says by a label that it belongs to {}", self.to));
        };
        let former = selector(object);
        let mut wanted = former.clone();
        wanted.retain(|key, _| key != HOSTNAME && !self.task.manner.pools_by.contains(key));
        wanted.insert(label, value.into());
        let annotations =
            json!({ STEP: self.task.step, FORMER_SELECTOR: Value::Object(former.clone()).to_string() });
        Verdict::give(SENT, self.order(place, object, &former, &wanted, &annotations))
    }

    fn watch(&self, holding: &Object, member: &MemberSight) -> Verdict {
        let there = member.pod_nodes.iter().filter(|node| self.is_in(self.to, member, node)).count();
        let all = member.pod_nodes.len();
        if holding.is_ready() && there == all && all as u32 >= holding.replicas() {
            return Verdict::done(READY);
        }
        Verdict::wait(MAKING, format!("{there} of {all} pods are in {}", self.to))
    }

    fn restore(&self, place: Place, object: &Object, reason: &str) -> Verdict {
        let former = object.annotation(FORMER_SELECTOR).and_then(|text| serde_json::from_str(text).ok());
        let Some(former) = former else {
            return Verdict::failed(format!(
                "{reason}; somebody removed the annotation {FORMER_SELECTOR}, so the former node selector is not known: set it \
                 by hand"
            ));
        };
        let annotations = json!({ RESTORED: self.task.step });
        let order = self.order(place, object, &selector(object), &former, &annotations);
        Verdict::give(&[Step::TakingBack], order)
    }

    fn order(
        &self,
        place: Place,
        object: &Object,
        from: &Map<String, Value>,
        to: &Map<String, Value>,
        annotations: &Value,
    ) -> Order {
        let selector = difference(&Value::Object(from.clone()), &Value::Object(to.clone()));
        let patch = json!({
            "metadata": { "annotations": annotations },
            "spec": { "template": { "spec": { "nodeSelector": selector } } },
        });
        let target = Target {
            place,
            kind: Kind::of_workload(self.workload.kind()).unwrap_or(Kind::Deployment),
            namespace: Some(self.workload.namespace().to_owned()),
            name: self.workload.name().to_owned(),
        };
        Order { target, change: Change::Merge { version: object.version().to_owned(), patch } }
    }

    /// The label by which the target's nodes are chosen.
    fn label(&self, member: &MemberSight) -> Option<(String, String)> {
        let node = member.nodes.iter().find(|node| self.is_in(self.to, member, node.name()))?;
        match self.to {
            Spot::Node(_) => Some((HOSTNAME.to_owned(), node.label(HOSTNAME)?.to_owned())),
            Spot::Pool(_) => self.task.manner.pool_label(node),
        }
    }

    fn is_in(&self, spot: &Spot, member: &MemberSight, node: &str) -> bool {
        match spot {
            Spot::Node(name) => name.as_str() == node,
            Spot::Pool(pool) => {
                let found = member.nodes.iter().find(|one| one.name() == node);
                found.is_some_and(|found| self.task.manner.pool_of(found) == pool.as_str())
            }
        }
    }
}

/// Why rolling out would stop pods before others serve in their place.
fn breaks_first(workload: &WorkloadRef, object: &Object) -> Option<String> {
    if workload.kind() == WorkloadKind::StatefulSet {
        return Some("a StatefulSet stops a pod before the next one begins".to_owned());
    }
    let text = |pointer: &str| object.field(pointer).map(|value| value.to_string().replace('"', ""));
    if text("/spec/strategy/type").as_deref() == Some("Recreate") {
        return Some("its strategy is Recreate: all pods would stop before others begin".to_owned());
    }
    let surge = text("/spec/strategy/rollingUpdate/maxSurge");
    surge
        .filter(|surge| matches!(surge.as_str(), "0" | "0%"))
        .map(|_| "its strategy has no surge (maxSurge 0): pods would stop before others begin".to_owned())
}

fn selector(object: &Object) -> Map<String, Value> {
    object.field(SELECTOR).and_then(Value::as_object).cloned().unwrap_or_default()
}
