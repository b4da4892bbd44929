//! What a stand-in model makes of the messages it gets: nothing but their text, as any model behind a wire.

use control::question::{Call, Speaker};
use serde::Deserialize;
use serde_json::Value;

/// The brief, as far as a model needs it. What is missing counts as nothing.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Told {
    pub(super) clusters: Vec<Cluster>,
    pub(super) workloads: Vec<Workload>,
    pub(super) candidates: Vec<Candidate>,
    pub(super) recommended_before: Vec<Before>,
}

#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Cluster {
    pub(super) id: String,
    pub(super) name: String,
    pub(super) requested_percent: f64,
    pub(super) pods_pending: f64,
    pub(super) cpu_cores: f64,
    pub(super) cpu_cores_requested: f64,
    pub(super) cpu_cores_with_more_nodes: f64,
    pub(super) memory_mib: f64,
    pub(super) nodes: f64,
    pub(super) node_price_per_hour: f64,
}

#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Workload {
    pub(super) id: String,
    pub(super) cluster: String,
    pub(super) pods: f64,
    pub(super) pods_pending: f64,
    pub(super) cpu_cores_per_pod: f64,
    pub(super) memory_mib_per_pod: f64,
}

impl Workload {
    pub(super) const fn cpu(&self) -> f64 {
        self.pods * self.cpu_cores_per_pod
    }

    pub(super) const fn memory(&self) -> f64 {
        self.pods * self.memory_mib_per_pod
    }
}

/// One possible move, with its consequences before and after.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Candidate {
    pub(super) id: String,
    pub(super) workload: String,
    pub(super) from: String,
    pub(super) to: String,
    pub(super) pods_moved: f64,
    pub(super) requested_percent_of_source: [f64; 2],
    pub(super) requested_percent_of_target: [f64; 2],
    pub(super) pods_pending_everywhere: [f64; 2],
    pub(super) votes: Vec<Vote>,
}

#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Vote {
    pub(super) specialist: String,
    pub(super) verdict: String,
    pub(super) weight: f64,
    pub(super) strength: Option<f64>,
}

/// What it is reminded of.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Before {
    pub(super) workload: Option<String>,
    pub(super) from: String,
}

/// What is wanted of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Task {
    Decide,
    Judge,
    Choose,
}

impl Task {
    pub(super) const fn list(self) -> &'static str {
        match self {
            Self::Decide => "decisions",
            Self::Judge => "judgements",
            Self::Choose => "choices",
        }
    }

    /// By the schema; without one by what there is to choose from.
    pub(super) fn of(call: &Call, told: &Told) -> Self {
        let properties = call.schema.as_ref().and_then(|schema| schema.get("properties"));
        let named = |task: &Self| properties.is_some_and(|properties| properties.get(task.list()).is_some());
        [Self::Decide, Self::Judge, Self::Choose].into_iter().find(named).unwrap_or_else(|| {
            match told.candidates.first() {
                Some(candidate) if candidate.votes.is_empty() => Self::Judge,
                Some(_) => Self::Choose,
                None => Self::Decide,
            }
        })
    }
}

/// Everything that was said to it.
#[derive(Clone, Debug)]
pub(super) struct Heard {
    pub(super) told: Told,
    pub(super) task: Task,
    /// The highest share of a cluster that may be requested, in per cent.
    pub(super) limit: f64,
    pub(super) interest: Interest,
    /// Whether its answer came back with faults.
    pub(super) again: bool,
    /// Texts in the data that are neither ids nor words of ours.
    pub(super) foreign: Vec<String>,
}

impl Heard {
    /// Nothing if the data cannot be read.
    pub(super) fn of(call: &Call) -> Option<Self> {
        let by = |speaker: Speaker| call.messages.iter().find(|message| message.speaker == speaker);
        let data: Value = serde_json::from_str(&by(Speaker::User)?.text).ok()?;
        let told: Told = serde_json::from_value(data.clone()).ok()?;
        let system = by(Speaker::System).map_or("", |message| message.text.as_str());
        let mut foreign = Vec::new();
        collect(&data, "", &mut foreign);
        Some(Self {
            task: Task::of(call, &told),
            told,
            limit: limit(system).unwrap_or(80.0),
            interest: Interest::of(system),
            again: call.messages.iter().any(|message| message.speaker == Speaker::Assistant),
            foreign,
        })
    }
}

/// What a specialist cares about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Interest {
    Performance,
    Cost,
    Reliability,
    Energy,
}

impl Interest {
    /// The one that its instructions name first.
    fn of(system: &str) -> Self {
        let words = [
            ("performance", Self::Performance),
            ("cost", Self::Cost),
            ("reliability", Self::Reliability),
            ("energy", Self::Energy),
        ];
        let found = words.into_iter().filter_map(|(word, interest)| Some((system.find(word)?, interest)));
        found.min_by_key(|(place, _)| *place).map_or(Self::Performance, |(_, interest)| interest)
    }
}

/// The first share that the instructions allow at most.
fn limit(system: &str) -> Option<f64> {
    let (_, after) = system.split_once("Limits: at most ")?;
    let (number, _) = after.split_once(" %")?;
    number.parse().ok()
}

/// Under these keys stand ids and words of ours.
const OURS: [&str; 8] = ["id", "cluster", "workload", "from", "to", "outcome", "specialist", "verdict"];

fn collect(value: &Value, key: &str, found: &mut Vec<String>) {
    match value {
        Value::String(text) if !OURS.contains(&key) => found.push(text.clone()),
        Value::Array(items) => items.iter().for_each(|item| collect(item, key, found)),
        Value::Object(map) => map.iter().for_each(|(key, value)| collect(value, key, found)),
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn instructions_are_understood() {
        assert_eq!(limit("You decide.\n\nLimits: at most 72.5 % of a cluster's CPU"), Some(72.5));
        assert_eq!(limit("Be nice."), None);
        assert_eq!(Interest::of("Judge by cost alone. Performance is nothing."), Interest::Cost);
        assert_eq!(Interest::of("Judge by energy alone: power costs."), Interest::Energy);
        assert_eq!(Interest::of("Judge."), Interest::Performance);
    }

    #[test]
    fn only_foreign_texts_are_collected() {
        let data = serde_json::json!({
            "clusters": [{ "id": "c1", "name": "left" }],
            "workloads": [{ "id": "w1", "cluster": "c1", "name": "move-all", "note": ["x"] }],
        });
        let mut found = Vec::new();
        collect(&data, "", &mut found);
        assert_eq!(found, ["left", "move-all", "x"]);
    }
}
