//! What a rule may ask about a recommendation: the schema, and the facts taken from the recommendation and a snapshot.
//!
//! Unknown is not absent: what a snapshot does not show is an unknown fact, never a zero, so that a rule about it has no answer.

use super::schema::{Field, Schema, Type};
use super::value::{Facts, Value};
use crate::control_loop::TrackRecord;
use model::action::Action;
use model::impact::{ClusterImpact, Impact};
use model::names::{ClusterName, WorkloadKind, WorkloadRef};
use model::prediction::{Measure, PredictedMeasure, Prediction, Subject};
use model::ratio::Ratio;
use model::recommendation::Recommendation;
use model::risk::{Risk, RiskReason};
use model::snapshot::{ClusterView, GapSubject, Snapshot, WorkloadView};
use model::time::Timestamp;
use std::sync::Arc;

/// What neither the recommendation nor the snapshot says.
#[derive(Clone, Copy, Debug, Default)]
pub struct ReviewContext<'a> {
    pub now: Timestamp,
    /// What is expected of this recommendation, if anything was computed.
    pub prediction: Option<&'a Prediction>,
    /// How well its agent predicted before.
    pub record: TrackRecord,
}

/// Whose number a predicted measure is.
#[derive(Clone, Copy)]
enum Whose {
    Federation,
    /// The cluster that `target` is about.
    Target,
    /// The workload that the action is about.
    Workload,
}

/// Predicted measures by the names that journals have, with a line about each.
const MEASURES: [(&str, Measure, Whose, &str); 10] = [
    ("pending_pods", Measure::PendingPods, Whose::Federation, "pods without a node, mean over time"),
    ("cost_per_hour", Measure::CostPerHour, Whose::Federation, "US dollars an hour"),
    ("power", Measure::Power, Whose::Federation, "watts that nodes draw"),
    ("carbon_per_hour", Measure::CarbonPerHour, Whose::Federation, "grams an hour"),
    ("stopped_pods", Measure::StoppedPods, Whose::Federation, "pods that are evicted or have to make room"),
    ("cpu_load", Measure::CpuLoad, Whose::Target, "requested CPU of the target as a share of its capacity"),
    ("memory_load", Measure::MemoryLoad, Whose::Target, "requested memory of the target, likewise"),
    ("latency_p95", Measure::LatencyP95, Whose::Workload, "milliseconds that 95 % of its answers stay below"),
    (
        "lost_requests",
        Measure::LostRequests,
        Whose::Workload,
        "share of its requests that nobody answers in time",
    ),
    (
        "objective_missed",
        Measure::ObjectiveMissed,
        Whose::Workload,
        "share of time in which it misses its objective",
    ),
];

const ACTIONS: &[&str] = &["migrate", "move", "scale", "resize_pool", "hold"];
const REASONS: &[&str] = &[
    "stateful",
    "interrupts",
    "priority",
    "many_replicas",
    "large_share",
    "to_zero",
    "scale_down",
    "full_target",
    "more_pending",
    "not_ready",
    "partly_blind",
];
const RISKS: &[&str] = &[Risk::Low.as_str(), Risk::Medium.as_str(), Risk::High.as_str()];
const WORKLOADS: &[&str] = &WORKLOAD_WORDS;
const WORKLOAD_WORDS: [&str; WorkloadKind::ALL.len()] = {
    let mut words = [""; WorkloadKind::ALL.len()];
    let mut place = 0;
    while place < words.len() {
        words[place] = WorkloadKind::ALL[place].as_str();
        place += 1;
    }
    words
};

const BYTES_PER_GIB: f64 = 1_073_741_824.0;
const MILLI_CPU_PER_CORE: f64 = 1_000.0;

/// All facts about a recommendation.
pub fn schema() -> Schema {
    Schema::new(vec![
        Field::known("action", action_type(), "what is to be done"),
        Field::known("workload", workload_type(), "what it is done to"),
        Field::known("source", cluster_impact_type(), "where a migration begins"),
        Field::known(
            "target",
            cluster_impact_type(),
            "where a migration ends; for other actions their cluster",
        ),
        Field::known("cost", cost_type(), "of the whole federation"),
        Field::known("pods_moved", Type::Int, "pods that stop and start again elsewhere"),
        Field::known("agent", Type::String, "who recommends it"),
        Field::known("plan", plan_type(), "how it came about"),
        Field::known("agent_record", record_type(), "how well this agent predicted before"),
        Field::known("risk", Type::Word(RISKS), "how much can go wrong"),
        Field::known("risk_reasons", Type::list(Type::Word(REASONS)), "why the risk is not lower"),
        Field::known("evidence_age", Type::Duration, "time since the observation it rests on"),
        Field::known("predicted", predicted_type(), "what is expected to change, with bounds"),
        Field::known("clusters", Type::map(cluster_type()), "all clusters by name, as observed"),
    ])
}

fn action_type() -> Type {
    let cluster = Type::String;
    Type::Object(vec![
        Field::known("kind", Type::Word(ACTIONS), "what kind of change"),
        Field::known("clusters", Type::list(cluster.clone()), "clusters it touches, source first"),
        Field::optional("from", cluster.clone(), "the cluster a migration leaves"),
        Field::optional("to", cluster, "the cluster a migration goes to"),
        Field::optional("pool", Type::String, "the node pool that is resized"),
        Field::optional("replicas", Type::Int, "replicas that migrate, or that a scaling leaves"),
        Field::optional("scale_by", Type::Int, "replicas or nodes that are added; below zero if removed"),
    ])
}

fn workload_type() -> Type {
    Type::Object(vec![
        Field::optional("kind", Type::Word(WORKLOADS), "its controller; unknown when a pool is resized"),
        Field::optional("namespace", Type::String, "its namespace"),
        Field::optional("name", Type::String, "its name"),
        Field::optional("replicas", Type::Int, "replicas that should run in the whole federation"),
        Field::optional("priority", Type::Int, "its scheduling priority"),
        Field::optional("pending", Type::Int, "pods of it that wait for a node"),
        Field::optional("moved_ago", Type::Duration, "time since its last move; unknown if it never moved"),
    ])
}

fn cluster_impact_type() -> Type {
    Type::Object(vec![
        Field::optional("load_before", Type::Double, "fuller of CPU and memory, as a share, before"),
        Field::optional("load_after", Type::Double, "the same afterwards"),
        Field::optional("pending_before", Type::Int, "pods that wait for a node, before"),
        Field::optional("pending_after", Type::Int, "the same afterwards"),
    ])
}

fn cost_type() -> Type {
    Type::Object(vec![
        Field::known("per_hour_before", Type::Double, "US dollars an hour, before"),
        Field::known("per_hour_after", Type::Double, "US dollars an hour, afterwards"),
    ])
}

fn plan_type() -> Type {
    Type::Object(vec![
        Field::optional(
            "made_by",
            Type::String,
            "the person who made or changed it; unknown if it is an agent's",
        ),
        Field::known("is_undo", Type::Bool, "whether it takes an earlier one back"),
    ])
}

fn record_type() -> Type {
    Type::Object(vec![
        Field::known("predictions", Type::Int, "predictions whose outcome was observed"),
        Field::optional("inside", Type::Double, "share of them that ended within their bounds"),
    ])
}

fn predicted_type() -> Type {
    let measure = Type::Object(vec![
        Field::known("before", Type::Double, "the value without the plan"),
        Field::known("after", Type::Double, "the value with the plan"),
        Field::known("low", Type::Double, "the lower bound of the value with the plan"),
        Field::known("high", Type::Double, "the upper bound of the value with the plan"),
    ]);
    let mut fields =
        vec![Field::optional("done", Type::Double, "share of rehearsals in which the plan succeeds")];
    fields.extend(
        MEASURES.map(|(name, _, _, description)| Field::optional(name, measure.clone(), description)),
    );
    Type::Object(fields)
}

fn cluster_type() -> Type {
    Type::Object(vec![
        Field::optional(
            "load",
            Type::Double,
            "fuller of CPU and memory, as a share; unknown while it is not visible",
        ),
        Field::optional("pending", Type::Int, "pods that wait for a node"),
        Field::optional("cores", Type::Double, "CPU that workloads can use"),
        Field::optional("memory_gib", Type::Double, "memory that workloads can use, in GiB"),
        Field::optional("autoscaled", Type::Bool, "whether it adds nodes by itself"),
    ])
}

/// The facts about one recommendation, as they are now.
pub fn facts(recommendation: &Recommendation, snapshot: &Snapshot, context: &ReviewContext<'_>) -> Facts {
    let Recommendation { action, expected, risk, .. } = recommendation;
    let (source, target) = ends(action);
    let reasons = risk.because.iter().map(|reason| reason_word(reason).into());
    Facts::new()
        .with("action", action_facts(action))
        .with("workload", workload_facts(action.workload(), snapshot, context.now))
        .with("source", impact_facts(expected, source))
        .with("target", impact_facts(expected, target))
        .with("cost", cost_facts(expected))
        .with("pods_moved", expected.pods_moved)
        .with("agent", recommendation.agent.as_str())
        .with("plan", plan_facts(recommendation))
        .with("agent_record", record_facts(context.record))
        .with("risk", risk.risk.as_str())
        .with("risk_reasons", Value::list(reasons))
        .with("evidence_age", context.now.since(recommendation.observed_at))
        .with("predicted", predicted_facts(recommendation, context.prediction))
        .with("clusters", clusters_facts(snapshot))
}

const fn reason_word(reason: &RiskReason) -> &'static str {
    match reason {
        RiskReason::Stateful { .. } => "stateful",
        RiskReason::Interrupts { .. } => "interrupts",
        RiskReason::Priority { .. } => "priority",
        RiskReason::ManyReplicas { .. } => "many_replicas",
        RiskReason::LargeShare { .. } => "large_share",
        RiskReason::ToZero => "to_zero",
        RiskReason::ScaleDown { .. } => "scale_down",
        RiskReason::FullTarget { .. } => "full_target",
        RiskReason::MorePending { .. } => "more_pending",
        RiskReason::NotReady { .. } => "not_ready",
        RiskReason::PartlyBlind => "partly_blind",
    }
}

/// The clusters a change leads from and to. What stays in one cluster loads that one, so that limits on the target hold for it.
fn ends(action: &Action) -> (Option<&ClusterName>, Option<&ClusterName>) {
    match action {
        Action::Migrate { from, to, .. } => (Some(from), Some(to)),
        Action::Move { cluster, .. }
        | Action::Scale { cluster, .. }
        | Action::ResizePool { cluster, .. }
        | Action::Hold { cluster, .. } => (None, Some(cluster)),
    }
}

fn action_facts(action: &Action) -> Value {
    let (kind, replicas, scale_by) = match action {
        Action::Migrate { replicas, .. } => ("migrate", Some(*replicas), None),
        Action::Move { .. } => ("move", None, None),
        Action::Scale { from, to, .. } => ("scale", Some(*to), Some(difference(*from, *to))),
        Action::ResizePool { from, to, .. } => ("resize_pool", None, Some(difference(*from, *to))),
        Action::Hold { .. } => ("hold", None, None),
    };
    let (from, to) = ends(action);
    let pool = match action {
        Action::ResizePool { pool, .. } => Some(pool.as_str().into()),
        _ => None,
    };
    let clusters = action.clusters().into_iter().map(|cluster| cluster.as_str().into());
    Value::object([
        ("kind", Some(kind.into())),
        ("clusters", Some(Value::list(clusters))),
        ("from", from.map(|cluster| cluster.as_str().into())),
        ("to", to.filter(|_| from.is_some()).map(|cluster| cluster.as_str().into())),
        ("pool", pool),
        ("replicas", replicas.map(Value::from)),
        ("scale_by", scale_by.map(Value::from)),
    ])
}

fn difference(from: u32, to: u32) -> i64 {
    i64::from(to) - i64::from(from)
}

fn workload_facts(workload: Option<&WorkloadRef>, snapshot: &Snapshot, now: Timestamp) -> Value {
    let view =
        workload.filter(|name| !is_hidden(snapshot, name)).and_then(|name| snapshot.workloads.get(name));
    let of = |fact: fn(&WorkloadView) -> Value| view.map(fact);
    Value::object([
        ("kind", workload.map(|name| name.kind().as_str().into())),
        ("namespace", workload.map(|name| name.namespace().into())),
        ("name", workload.map(|name| name.name().into())),
        ("replicas", of(|view| view.replicas.into())),
        ("priority", of(|view| i64::from(view.priority).into())),
        ("pending", of(|view| view.pods_pending().into())),
        ("moved_ago", view.and_then(|view| view.last_moved_at).map(|moved_at| now.since(moved_at).into())),
    ])
}

fn is_hidden(snapshot: &Snapshot, workload: &WorkloadRef) -> bool {
    snapshot.gaps.iter().any(|gap| matches!(&gap.subject, GapSubject::Workload(name) if name == workload))
}

fn impact_facts(impact: &Impact, cluster: Option<&ClusterName>) -> Value {
    let change = cluster.and_then(|name| impact.clusters.get(name));
    let of = |fact: fn(&ClusterImpact) -> Value| change.map(fact);
    Value::object([
        ("load_before", of(|change| share(change.load_before))),
        ("load_after", of(|change| share(change.load_after))),
        ("pending_before", of(|change| change.pending_before.into())),
        ("pending_after", of(|change| change.pending_after.into())),
    ])
}

fn cost_facts(impact: &Impact) -> Value {
    let dollars = |amount: model::money::MicroDollars| Some(Value::Double(amount.as_dollars_float()));
    Value::object([
        ("per_hour_before", dollars(impact.cost_per_hour_before)),
        ("per_hour_after", dollars(impact.cost_per_hour_after)),
    ])
}

fn plan_facts(recommendation: &Recommendation) -> Value {
    Value::object([
        ("made_by", recommendation.planned_by.as_ref().map(|person| person.as_str().into())),
        ("is_undo", Some(recommendation.undoes.is_some().into())),
    ])
}

fn record_facts(record: TrackRecord) -> Value {
    let inside = (record.predicted > 0).then(|| share(Ratio::of(record.inside, record.predicted)));
    let predictions = i64::try_from(record.predicted).unwrap_or(i64::MAX);
    Value::object([("predictions", Some(predictions.into())), ("inside", inside)])
}

/// What is expected of this recommendation alone; the numbers of others are not about it.
fn predicted_facts(recommendation: &Recommendation, prediction: Option<&Prediction>) -> Value {
    let action = &recommendation.action;
    let target = ends(action).1.map(|name| Subject::Cluster(name.clone()));
    let workload = action.workload().map(|name| Subject::Workload(name.clone()));
    let outlook = prediction.filter(|known| known.of == [recommendation.id]).map(|known| &known.alone);
    let measured = MEASURES.map(|(name, measure, whose, _)| {
        let subject = match whose {
            Whose::Federation => Some(&Subject::Federation),
            Whose::Target => target.as_ref(),
            Whose::Workload => workload.as_ref(),
        };
        let found = outlook.and_then(|outlook| outlook.get(measure, subject?)).map(measure_facts);
        found.map(|value| (name.to_owned(), value))
    });
    let plan = outlook.and_then(|outlook| outlook.plans.iter().find(|plan| plan.id == recommendation.id));
    let done = plan.filter(|plan| plan.seeds() > 0).map(|plan| ("done".to_owned(), share(plan.done_share())));
    Value::Object(Arc::new(measured.into_iter().flatten().chain(done).collect()))
}

fn measure_facts(measure: &PredictedMeasure) -> Value {
    let number = |value: model::prediction::Millionths| Some(Value::Double(value.as_f64()));
    Value::object([
        ("before", number(measure.without.mean)),
        ("after", number(measure.with.mean)),
        ("low", number(measure.with.low)),
        ("high", number(measure.with.high)),
    ])
}

fn share(ratio: Ratio) -> Value {
    Value::Double(ratio.as_f64())
}

/// A cluster that is not visible is there without facts: a rule about all clusters then has no answer.
fn clusters_facts(snapshot: &Snapshot) -> Value {
    let seen = snapshot.clusters.iter().map(|(name, view)| (name, Some(view)));
    let hidden = snapshot.gaps.iter().filter_map(|gap| match &gap.subject {
        GapSubject::Cluster(name) => Some((name, None)),
        GapSubject::Workload(_) | GapSubject::Source(_) => None,
    });
    Value::map(seen.chain(hidden).map(|(name, view)| (name.to_string(), cluster_facts(view))))
}

fn cluster_facts(view: Option<&ClusterView>) -> Value {
    let of = |fact: fn(&ClusterView) -> Value| view.map(fact);
    Value::object([
        ("load", of(|view| share(view.load()))),
        ("pending", of(|view| view.pods_pending.into())),
        ("cores", of(|view| Value::Double(view.capacity.cpu.0 as f64 / MILLI_CPU_PER_CORE))),
        ("memory_gib", of(|view| Value::Double(view.capacity.memory.0 as f64 / BYTES_PER_GIB))),
        ("autoscaled", of(|view| view.autoscaled.into())),
    ])
}

#[cfg(test)]
mod tests;
