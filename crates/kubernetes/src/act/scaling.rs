//! Changes how many replicas a workload has in one cluster, through Karmada's template where Karmada places it.
//!
//! The subresource for it carries no annotation, so the object is marked first with the state of its wish. Whoever looks knows from
//! the mark whether the number was ordered already: what is back at the former number afterwards was set back by somebody else.

use super::karmada_objects::repository_mark;
use super::order::{Change, Kind, Order, Place, Target};
use super::sight::{KarmadaSight, MemberSight, Object, Sight};
use super::task::{Task, Verdict};
use model::execution::Step;
use model::names::{ClusterName, WorkloadRef};
use serde_json::json;

/// The step that scales it, and the generation of the wish before: `12.0a1b2c3d4e5f@7`.
const SCALING: &str = "drover.io/scaling";

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
        None => scaling.forward(owner(member, karmada, cluster)),
        Some(reason) => scaling.back(reason),
    }
}

/// Who would undo it.
fn owner(member: &MemberSight, karmada: Option<&KarmadaSight>, cluster: &ClusterName) -> Option<String> {
    let own = member.autoscaler.as_ref().map(|name| format!("HorizontalPodAutoscaler {name}"));
    let autoscaler = own.or_else(|| karmada.and_then(|karmada| karmada.autoscaler.clone()));
    if let Some(autoscaler) = autoscaler {
        return Some(format!(
            "the {autoscaler} sets its replicas and would undo it; change its limits instead"
        ));
    }
    let template = karmada.and_then(|karmada| karmada.template.as_ref());
    let mark = [template, member.holding.as_ref()].into_iter().flatten().find_map(repository_mark);
    if let Some(mark) = mark {
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

/// What the mark on an object says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Mark {
    Nobody,
    /// Another step that has not ordered its number yet.
    Another,
    /// Ours, and the number was not ordered yet.
    Announced,
    /// Ours, and the wish was changed since.
    Ordered,
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
    fn mark(&self) -> Mark {
        let text = self.object.annotation(SCALING).and_then(|text| text.split_once('@'));
        let Some((step, generation)) = text else { return Mark::Nobody };
        let is_open = generation.parse() == Ok(self.object.generation());
        match (step == self.task.step, is_open) {
            (true, true) => Mark::Announced,
            (true, false) => Mark::Ordered,
            (false, true) => Mark::Another,
            (false, false) => Mark::Nobody,
        }
    }

    fn forward(&self, owner: Option<String>) -> Verdict {
        let (from, to) = self.counts;
        let found = self.object.replicas();
        match self.mark() {
            Mark::Ordered if found == to => self.watch(),
            Mark::Ordered => Verdict::failed(format!("somebody else set it to {found} replicas after {to}")),
            _ if self.task.begun => {
                Verdict::failed(format!("somebody else has scaled it since; it has {found} replicas"))
            }
            _ if found != from => {
                Verdict::failed(format!("it has {found} replicas, not {from} as was approved"))
            }
            Mark::Another => Verdict::failed(format!(
                "another step is scaling it ({}); if nobody is, take the annotation {SCALING} away",
                self.object.annotation(SCALING).unwrap_or_default()
            )),
            mark => match owner {
                Some(reason) => Verdict::failed(reason),
                None if mark == Mark::Announced => Verdict::give(SENT, self.set(to)),
                None => Verdict::give(SENT, self.announce()),
            },
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
        match self.mark() {
            Mark::Nobody | Mark::Another if self.task.begun => Verdict::failed(format!(
                "{reason}; somebody else has scaled it since, it has {found} replicas"
            )),
            Mark::Nobody | Mark::Another => Verdict::rolled_back(reason),
            Mark::Announced => Verdict::give(BACK, self.forget()),
            Mark::Ordered if found == to && to != from => Verdict::give(BACK, self.set(from)),
            Mark::Ordered if found != from => {
                Verdict::failed(format!("{reason}; somebody else set it to {found} replicas"))
            }
            Mark::Ordered if self.holding.replicas() == found => Verdict::rolled_back(reason),
            Mark::Ordered => Verdict::wait(BACK, "the former number has not arrived yet"),
        }
    }

    /// Annotations do not change the generation: it is what it was until the number is ordered.
    fn announce(&self) -> Order {
        self.annotate(&json!(format!("{}@{}", self.task.step, self.object.generation())))
    }

    fn forget(&self) -> Order {
        self.annotate(&json!(null))
    }

    fn annotate(&self, mark: &serde_json::Value) -> Order {
        let patch = json!({ "metadata": { "annotations": { SCALING: mark } } });
        let change = Change::Merge { version: self.object.version().to_owned(), patch };
        Order { target: self.target.clone(), change }
    }

    fn set(&self, replicas: u32) -> Order {
        let change = Change::Replicas { version: self.object.version().to_owned(), replicas };
        Order { target: self.target.clone(), change }
    }
}
