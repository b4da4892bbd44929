//! Changes how many replicas a workload has in one cluster, through Karmada's template where Karmada places it.

use super::order::{Change, Kind, Order, Place, Target};
use super::sight::{KarmadaSight, Object, Sight};
use super::task::{Task, Verdict};
use model::execution::Step;
use model::names::{ClusterName, WorkloadRef};

const SENT: &[Step] = &[Step::OrderSent];
const MAKING: &[Step] = &[Step::OrderSent, Step::OrderTaken, Step::TargetMaking];
const READY: &[Step] = &[Step::OrderSent, Step::OrderTaken, Step::TargetMaking, Step::TargetReady];

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
        Some(Ok(karmada)) => Some(karmada),
        Some(Err(why)) => return Verdict::blind(format!("karmada: {why}")),
        None => None,
    };
    let Some(holding) = &member.holding else {
        return Verdict::failed(format!("there is nothing of {workload} in {cluster}"));
    };
    if let Some(autoscaler) = &member.autoscaler {
        return Verdict::failed(format!(
            "the HorizontalPodAutoscaler {autoscaler} sets its replicas and would undo it; change its limits instead"
        ));
    }
    let template = karmada.and_then(|karmada| karmada.template.as_ref());
    if let (Some(karmada), Some(_)) = (karmada, template)
        && let Some(reason) = shared(karmada, cluster)
    {
        return Verdict::failed(reason);
    }
    let (place, object) =
        template.map_or((Place::Member(cluster.clone()), holding), |template| (Place::Karmada, template));
    let Some(kind) = Kind::of_workload(workload.kind()) else {
        return Verdict::failed(format!("a {} cannot be scaled", workload.kind().as_str()));
    };
    let target = Target {
        place,
        kind,
        namespace: Some(workload.namespace().to_owned()),
        name: workload.name().to_owned(),
    };
    match &task.taking_back {
        None => forward(target, object, holding, counts),
        Some(reason) => back(target, object, holding, counts, reason),
    }
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

fn forward(target: Target, object: &Object, holding: &Object, (from, to): (u32, u32)) -> Verdict {
    match object.replicas() {
        found if found == to => {}
        found if found == from => return Verdict::give(SENT, order(target, object, to)),
        found => return Verdict::failed(format!("it has {found} replicas, not {from} as was approved")),
    }
    if holding.replicas() == to && holding.is_ready() {
        return Verdict::done(READY);
    }
    Verdict::wait(MAKING, format!("{} of {to} replicas are ready", holding.ready_replicas()))
}

fn back(target: Target, object: &Object, holding: &Object, (from, to): (u32, u32), reason: &str) -> Verdict {
    let steps = &[Step::TakingBack];
    if object.replicas() == to {
        return Verdict::give(steps, order(target, object, from));
    }
    if holding.replicas() == object.replicas() {
        return Verdict::rolled_back(reason);
    }
    Verdict::wait(steps, "the former number has not arrived yet")
}

fn order(target: Target, object: &Object, replicas: u32) -> Order {
    Order { target, change: Change::Replicas { version: object.version().to_owned(), replicas } }
}
