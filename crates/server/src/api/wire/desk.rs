//! How the desk stands: clock, modes, freezes, executions, the record.

use crate::access::Sight;
use crate::live::Now;
use crate::storage::tables::journal::Entry;
use crate::storage::tables::runs;
use control::control_loop::TrackRecord;
use model::names::AgentName;
use model::order::{Extent, Grant, Mode, ModeSetting, StandingFreeze};
use model::review::Stage;
use model::snapshot::{Gap, GapSubject, Snapshot};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use serde_json::value::RawValue;
use std::collections::BTreeMap;

/// The banner of the page.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Status {
    /// simulated or real.
    pub world: String,
    pub scenario: String,
    pub run: String,
    pub build: String,
    /// The federation's own time, in milliseconds since its beginning.
    pub at: u64,
    pub at_wall: i64,
    pub paused: bool,
    pub ended: bool,
    /// Virtual seconds in a real one, as wanted.
    pub speed: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub speed_while_waiting: Option<f64>,
    /// The same, as it is now.
    pub factor: f64,
    /// The last entry of the record.
    pub seq: i64,
    /// Recommendations that wait for an answer.
    pub waiting: usize,
    /// Actions that are approved or being carried out.
    pub under_way: usize,
    pub mode: String,
    pub freezes: Vec<FreezeItem>,
    /// When the federation was last observed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub observed_at: Option<u64>,
    /// What could not be observed.
    pub gaps: Vec<String>,
    /// Over the whole federation.
    pub pods_pending: u32,
    pub cost_per_hour: f64,
}

impl Status {
    pub fn new(now: &Now, scenario: &str) -> Self {
        let seen = now.snapshot.as_deref();
        Self {
            world: if now.is_real { runs::REAL } else { runs::SIMULATED }.to_owned(),
            scenario: scenario.to_owned(),
            run: now.run.clone(),
            build: env!("CARGO_PKG_VERSION").to_owned(),
            at: now.at.0,
            at_wall: now.wall_ms,
            paused: now.paused,
            ended: now.ended,
            speed: now.speed,
            speed_while_waiting: now.speed_while_waiting,
            factor: now.factor,
            seq: now.seq,
            waiting: now.waiting,
            under_way: now.under_way,
            mode: now.mode_of_everything().as_str().to_owned(),
            freezes: now.freezes.iter().map(Into::into).collect(),
            observed_at: seen.map(|seen| seen.taken_at.0),
            gaps: seen.map(gaps).unwrap_or_default(),
            pods_pending: seen.map_or(0, |seen| seen.clusters.values().map(|view| view.pods_pending).sum()),
            cost_per_hour: seen.map_or(0.0, cost_per_hour),
        }
    }
}

/// What could not be observed, and why.
fn gaps(snapshot: &Snapshot) -> Vec<String> {
    let text = |Gap { subject, reason, .. }: &Gap| match subject {
        GapSubject::Cluster(name) => format!("{name}: {reason}"),
        GapSubject::Workload(workload) => format!("{workload}: {reason}"),
        GapSubject::Source(name) => format!("{name}: {reason}"),
    };
    snapshot.gaps.iter().map(text).collect()
}

impl Status {
    /// The same as somebody sees it to whom only a part is shown. `counts` are the recommendations that they see.
    #[must_use]
    pub fn narrowed(self, now: &Now, sight: &Sight, counts: &BTreeMap<Stage, i64>) -> Self {
        let count = |stages: &[Stage]| -> usize {
            stages.iter().filter_map(|stage| usize::try_from(*counts.get(stage)?).ok()).sum()
        };
        let seen = now.snapshot.as_deref().map(|snapshot| sight.snapshot(snapshot));
        let seen = seen.as_deref();
        // Pods of their own workloads: those of a cluster are also others'.
        let pending =
            |seen: &Snapshot| seen.workloads.values().map(model::snapshot::WorkloadView::pods_pending).sum();
        Self {
            waiting: count(&[Stage::Pending]),
            under_way: count(&[Stage::Approved, Stage::Applying]),
            freezes: now
                .freezes
                .iter()
                .filter(|freeze| sight.extent(&freeze.scope, now.snapshot.as_deref()))
                .map(Into::into)
                .collect(),
            gaps: seen.map(gaps).unwrap_or_default(),
            pods_pending: seen.map_or(0, pending),
            cost_per_hour: seen.map_or(0.0, cost_per_hour),
            ..self
        }
    }
}

fn cost_per_hour(snapshot: &Snapshot) -> f64 {
    let pools = snapshot.clusters.values().flat_map(|cluster| cluster.pools.values());
    pools.map(|pool| pool.price_per_hour.as_dollars_float() * f64::from(pool.nodes + pool.booting)).sum()
}

#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct FreezeItem {
    /// `F-3`.
    pub id: String,
    /// everything, cluster, namespace, workload or agent.
    pub scope: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    pub by: String,
    pub reason: String,
    pub since: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub until: Option<u64>,
}

impl From<&StandingFreeze> for FreezeItem {
    fn from(freeze: &StandingFreeze) -> Self {
        let (scope, name) = scope(&freeze.scope);
        Self {
            id: freeze.id.to_string(),
            scope,
            name,
            by: freeze.by.to_string(),
            reason: freeze.reason.clone(),
            since: freeze.since.0,
            until: freeze.until.map(|until| until.0),
        }
    }
}

/// A new freeze, and what whoever asked for it should know.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct FreezeAnswer {
    #[serde(flatten)]
    pub freeze: FreezeItem,
    /// For instance that nobody sees such a workload now.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
}

/// The kind of a part of the federation, and its name.
pub fn scope(extent: &Extent) -> (String, Option<String>) {
    let (kind, name) = match extent {
        Extent::Everything => ("everything", None),
        Extent::Cluster(name) => ("cluster", Some(name.to_string())),
        Extent::Namespace(name) => ("namespace", Some(name.clone())),
        Extent::Workload(name) => ("workload", Some(name.to_string())),
        Extent::Agent(name) => ("agent", Some(name.to_string())),
    };
    (kind.to_owned(), name)
}

/// Who answers where.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct Modes {
    /// Where nothing else is set.
    pub otherwise: String,
    /// How far that goes, if it is auto.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub limits: Option<ModeItem>,
    pub settings: Vec<ModeItem>,
    /// After a change: what whoever asked for it should know, for instance that nobody sees such a workload now.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
}

#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ModeItem {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub agent: Option<String>,
    pub scope: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// observe, human, rules or auto.
    pub mode: String,
    /// In mode auto: how far it goes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub highest_risk: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub replicas: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub per_hour: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub until: Option<u64>,
}

impl From<&ModeSetting> for ModeItem {
    fn from(setting: &ModeSetting) -> Self {
        let (scope, name) = scope(&setting.scope);
        let limits = if let Mode::Auto { limits } = &setting.mode { *limits } else { Grant::default() };
        Self {
            agent: setting.agent.as_ref().map(ToString::to_string),
            scope,
            name,
            mode: setting.mode.as_str().to_owned(),
            highest_risk: limits.highest_risk.map(|risk| risk.as_str().to_owned()),
            replicas: limits.replicas,
            per_hour: limits.per_hour,
            until: limits.until.map(|until| until.0),
        }
    }
}

/// How an agent's predictions turned out.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct TrackRecordItem {
    pub predicted: u64,
    /// Of these, how many came out within the interval.
    pub inside: u64,
}

impl From<(&AgentName, &TrackRecord)> for TrackRecordItem {
    fn from((_, record): (&AgentName, &TrackRecord)) -> Self {
        Self { predicted: record.predicted, inside: record.inside }
    }
}

/// Something that is or was carried out.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ExecutionItem {
    /// That of its recommendation.
    pub id: String,
    pub action: String,
    pub stage: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub begun_at: Option<i64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ended_at: Option<i64>,
    pub steps: Vec<StepItem>,
    /// How its prediction turned out.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub score: Option<Value>,
}

#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct StepItem {
    pub at: u64,
    /// order_sent, order_taken, target_making, target_ready, source_leaving, source_gone, done and so on.
    pub step: String,
}

#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ExecutionPage {
    pub items: Vec<ExecutionItem>,
    /// All of them, on whatever page.
    pub total: i64,
    /// To be given back as `cursor` for the next page; absent on the last.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next_cursor: Option<String>,
}

/// An entry of the record.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct AuditEntry {
    pub seq: i64,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub run: Option<String>,
    pub at: i64,
    pub at_wall: i64,
    pub kind: String,
    pub actor: String,
    pub subject: String,
    /// Exactly as it was written, because the hash is about its characters.
    #[schemars(with = "Value")]
    pub body: Box<RawValue>,
    /// What whoever did it showed: token:T-1c9f2b7a40de, session:S-8d1c20f7a3b4, one-time link or oidc. Entries of older versions have none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub via: Option<String>,
    /// Over this entry and all before it.
    pub hash: String,
}

#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct AuditPage {
    pub items: Vec<AuditEntry>,
    pub total: i64,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next_cursor: Option<String>,
}

impl From<Entry> for AuditEntry {
    fn from(entry: Entry) -> Self {
        let Entry { seq, run, at_ms, wall_ms, kind, actor, subject, body, via, hash } = entry;
        let body =
            RawValue::from_string(body.as_str().to_owned()).unwrap_or_else(|_| RawValue::NULL.to_owned());
        Self {
            seq,
            run,
            at: at_ms,
            at_wall: wall_ms,
            kind,
            actor,
            subject,
            body,
            via,
            hash: hash.to_string(),
        }
    }
}
