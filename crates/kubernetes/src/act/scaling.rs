//! Changes how many replicas a workload has in one cluster, through Karmada's template where Karmada places it.
//!
//! The number goes through the subresource that exists for it, which carries no annotation. So the object is marked first: with the step
//! that is about to set the number, and with the generation that it had before. A number that somebody sets back can then be told from
//! one that was never set, and is not ordered again.

use super::order::{Change, Kind, Order, Place, Target};
use super::sight::{KarmadaSight, MemberSight, Object, Sight};
use super::task::{Manner, Task, Verdict};
use control::guardrails::Owner;
use model::execution::Step;
use model::names::{ClusterName, WorkloadRef};
use serde_json::json;

/// The step that sets the number.
const SCALED: &str = "drover.io/scaled-by";

/// The generation that the object had when that step marked it.
const SCALED_FROM: &str = "drover.io/scaled-from-generation";

/// A mark makes a Deployment one generation older, and a StatefulSet not at all; the number always makes it one older.
const MARKED: u64 = 1;

const SENT: &[Step] = &[Step::OrderSent];
const MAKING: &[Step] = &[Step::OrderSent, Step::OrderTaken, Step::TargetMaking];
const READY: &[Step] = &[Step::OrderSent, Step::OrderTaken, Step::TargetMaking, Step::TargetReady];
const BACK: &[Step] = &[Step::TakingBack];

/// `counts` are the replicas before and after.
pub(crate) fn next(
    task: &Task,
    workload: &WorkloadRef,
    cluster: &ClusterName,
    counts: (u32, u32),
    sight: &Sight,
) -> Verdict {
    let member = match sight.member(cluster) {
        Ok(member) => member,
        Err(why) => return Verdict::blind(format!("{cluster}: {why}")),
    };
    let karmada = match &sight.karmada {
        Some(Ok(karmada)) => Some(karmada).filter(|karmada| karmada.template.is_some()),
        Some(Err(why)) => return Verdict::blind(format!("karmada: {why}")),
        None => None,
    };
    let Some(holding) = &member.holding else {
        return Verdict::failed(format!("there is nothing of {workload} in {cluster}"));
    };
    let Some(kind) = Kind::of_workload(workload.kind()) else {
        return Verdict::failed(format!("a {} cannot be scaled", workload.kind().as_str()));
    };
    let template = karmada.and_then(|karmada| karmada.template.as_ref());
    let place = if template.is_some() { Place::Karmada } else { Place::Member(cluster.clone()) };
    let target = Target {
        place,
        kind,
        namespace: Some(workload.namespace().to_owned()),
        name: workload.name().to_owned(),
    };
    let scaling = Scaling { task, target, object: template.unwrap_or(holding), holding, counts };
    match &task.taking_back {
        None => scaling.forward(owner(&task.manner, member, karmada, cluster)),
        Some(reason) => scaling.back(reason),
    }
}

/// The order that follows a mark, as if the mark were there already: what sets the number is what users' policies speak about.
pub(crate) fn after_mark(mark: &Order, to: u32) -> Option<Order> {
    match &mark.change {
        Change::Merge { version, .. } => {
            let change = Change::Replicas { version: version.clone(), replicas: to };
            Some(Order { target: mark.target.clone(), change })
        }
        _ => None,
    }
}

/// Who would undo it.
fn owner(
    manner: &Manner,
    member: &MemberSight,
    karmada: Option<&KarmadaSight>,
    cluster: &ClusterName,
) -> Option<String> {
    let own = member.autoscaler.as_ref().map(|name| format!("HorizontalPodAutoscaler {name}"));
    let autoscaler = own.or_else(|| karmada.and_then(|karmada| karmada.autoscaler.clone()));
    if let Some(autoscaler) = autoscaler.filter(|_| !manner.despite.contains(&Owner::Autoscaler)) {
        return Some(format!(
            "the {autoscaler} sets its replicas and would undo it; change its limits instead"
        ));
    }
    let template = karmada.and_then(|karmada| karmada.template.as_ref());
    if let Some(mark) = manner.repository([template, member.holding.as_ref()].into_iter().flatten()) {
        return Some(format!(
            "{mark} says that a repository owns it and would undo it; change the number there"
        ));
    }
    karmada.and_then(|karmada| shared(karmada, cluster))
}

/// Karmada divides what the template asks for; one share alone cannot be set.
pub(crate) fn shared(karmada: &KarmadaSight, cluster: &ClusterName) -> Option<String> {
    let others =
        karmada.scheduled.iter().filter(|(name, count)| **count > 0 && name.as_str() != cluster.as_str());
    let others: Vec<&str> = others.map(|(name, _)| name.as_str()).collect();
    (!others.is_empty()).then(|| {
        format!(
            "Karmada divides its replicas over {} as well; the share of one cluster cannot be set",
            others.join(", ")
        )
    })
}

struct Scaling<'a> {
    task: &'a Task,
    target: Target,
    /// What keeps the number.
    object: &'a Object,
    /// What is in the cluster.
    holding: &'a Object,
    counts: (u32, u32),
}

impl Scaling<'_> {
    fn is_ours(&self) -> bool {
        self.object.annotation(SCALED) == Some(&self.task.step)
    }

    /// Marked by us, and nobody has changed what is wanted since, we included.
    fn is_untouched(&self) -> bool {
        let before = self.object.annotation(SCALED_FROM).and_then(|text| text.parse::<u64>().ok());
        let is_same = before.is_some_and(|before| self.object.generation() <= before.saturating_add(MARKED));
        self.is_ours() && is_same && !self.task.begun
    }

    fn forward(&self, owner: Option<String>) -> Verdict {
        let (from, to) = self.counts;
        let found = self.object.replicas();
        match owner {
            _ if self.is_ours() && found == to => self.watch(),
            None if self.is_untouched() && found == from => Verdict::give(SENT, self.number(to)),
            _ if self.is_ours() && self.task.begun => {
                Verdict::failed(format!("somebody else set it to {found} replicas after {to}"))
            }
            _ if self.is_ours() && !self.is_untouched() => Verdict::failed(format!(
                "somebody else changed it while its number was being set; it has {found} replicas"
            )),
            _ if self.task.begun => {
                Verdict::failed(format!("somebody else has scaled it since; it has {found} replicas"))
            }
            _ if found != from => {
                Verdict::failed(format!("it has {found} replicas, not {from} as was approved"))
            }
            Some(reason) => Verdict::failed(reason),
            None => Verdict::give(SENT, self.mark()),
        }
    }

    fn watch(&self) -> Verdict {
        let to = self.counts.1;
        if self.holding.replicas() == to && self.holding.is_ready() {
            return Verdict::done(READY);
        }
        Verdict::wait(MAKING, format!("{} of {to} replicas are ready", self.holding.available_replicas()))
    }

    fn back(&self, reason: &str) -> Verdict {
        let (from, to) = self.counts;
        let found = self.object.replicas();
        if !self.is_ours() && !self.task.begun {
            return Verdict::rolled_back(reason);
        }
        match found {
            _ if found == to && from != to && self.is_ours() => Verdict::give(BACK, self.number(from)),
            _ if found != from => {
                Verdict::failed(format!("{reason}; somebody else set it to {found} replicas"))
            }
            _ if self.holding.replicas() == found => Verdict::rolled_back(reason),
            _ => Verdict::wait(BACK, "the former number has not arrived yet"),
        }
    }

    /// Says who is about to set the number, and changes nothing else.
    fn mark(&self) -> Order {
        let generation = self.object.generation().to_string();
        let annotations = json!({ SCALED: self.task.step, SCALED_FROM: generation });
        let patch = json!({ "metadata": { "annotations": annotations } });
        self.order(Change::Merge { version: self.object.version().to_owned(), patch })
    }

    fn number(&self, replicas: u32) -> Order {
        self.order(Change::Replicas { version: self.object.version().to_owned(), replicas })
    }

    fn order(&self, change: Change) -> Order {
        Order { target: self.target.clone(), change }
    }
}
