//! What an entry of the journal means to somebody who watches: events in the form of CloudEvents 1.0.

use crate::access::Right;
use crate::storage::tables::journal::Entry;
use serde::Serialize;
use serde_json::{Value, json};

/// Something to be told.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Event {
    pub specversion: &'static str,
    /// The number of the entry, and which of its events this is: `412-0`.
    pub id: String,
    pub source: &'static str,
    #[serde(rename = "type")]
    pub kind: &'static str,
    #[serde(skip_serializing_if = "String::is_empty")]
    pub subject: String,
    /// Milliseconds since 1970.
    #[serde(rename = "wallMs")]
    pub wall_ms: i64,
    /// The federation's own time.
    #[serde(rename = "atMs")]
    pub at_ms: i64,
    pub data: Value,
    /// Who may hear of it.
    #[serde(skip)]
    pub right: Right,
}

/// What an entry tells, in order.
pub fn events_of(entry: &Entry) -> Vec<Event> {
    let body: Value = serde_json::from_str(entry.body.as_str()).unwrap_or_default();
    let mut told = Vec::new();
    told.extend(of_input(entry, &body));
    let effects = body["effects"].as_array();
    told.extend(effects.into_iter().flatten().filter_map(of_effect));
    let event = |(index, Told { kind, subject, data, right }): (usize, Told)| Event {
        specversion: "1.0",
        id: format!("{}-{index}", entry.seq),
        source: "drover",
        kind,
        subject,
        wall_ms: entry.wall_ms,
        at_ms: entry.at_ms,
        data,
        right,
    };
    told.into_iter().enumerate().map(event).collect()
}

struct Told {
    kind: &'static str,
    subject: String,
    data: Value,
    right: Right,
}

fn told(kind: &'static str, subject: &str, data: Value) -> Told {
    let right = if kind.starts_with("io.drover.snapshot") || kind.starts_with("io.drover.clock") {
        Right::SeeWorld
    } else {
        Right::SeeDesk
    };
    Told { kind, subject: subject.to_owned(), data, right }
}

fn of_input(entry: &Entry, body: &Value) -> Option<Told> {
    let subject = entry.subject.as_str();
    Some(match entry.kind.as_str() {
        "observed" => told("io.drover.snapshot.taken.v1", "", json!({ "hash": body["input"]["snapshot"] })),
        "reviewed" => {
            let verdict = &body["input"]["reviewed"]["verdict"];
            told("io.drover.decision.recorded.v1", subject, json!({ "by": entry.actor, "verdict": verdict }))
        }
        "predicted" => told("io.drover.recommendation.predicted.v1", subject, json!({})),
        "scored" => told("io.drover.execution.scored.v1", subject, body["input"]["scored"].clone()),
        "progress" => told("io.drover.execution.step.v1", subject, body.clone()),
        "clock" => told("io.drover.clock.changed.v1", "", body.clone()),
        "wake" | "applied" | "answered" | "proposed" | "ordered" => return None,
        _ => Told {
            kind: "io.drover.audit.recorded.v1",
            subject: subject.to_owned(),
            data: json!({ "kind": entry.kind, "actor": entry.actor }),
            right: Right::Audit,
        },
    })
}

fn of_effect(effect: &Value) -> Option<Told> {
    let (name, data) = effect.as_object()?.iter().next()?;
    let id = data["id"].as_str().unwrap_or_default();
    Some(match name.as_str() {
        "explain" => {
            let agent = data["agent"].as_str().unwrap_or_default();
            let refused = data["refused"].as_array().map_or(0, Vec::len);
            let brief = json!({
                "batch": data["batch"], "submitted": data["submitted"], "kept": data["kept"],
                "held": data["held"], "refused": refused,
            });
            told("io.drover.agent.decided.v1", agent, brief)
        }
        "submit" => {
            let brief =
                json!({ "agent": data["agent"], "action": data["action"], "risk": data["risk"]["risk"] });
            told("io.drover.recommendation.created.v1", id, brief)
        }
        "settle" => settled(id, data),
        "defer" | "endorse" => told("io.drover.recommendation.updated.v1", id, data.clone()),
        "refuse_review" => told("io.drover.decision.refused.v1", id, data["refusal"].clone()),
        "refuse_order" => told("io.drover.order.refused.v1", "", data["refusal"].clone()),
        "freeze" => told("io.drover.freeze.set.v1", id, data.clone()),
        "unfreeze" => told("io.drover.freeze.cleared.v1", id, data.clone()),
        "set_mode" => told("io.drover.mode.set.v1", "", data.clone()),
        "abort" => told("io.drover.execution.aborting.v1", id, json!({})),
        _ => return None,
    })
}

fn settled(id: &str, data: &Value) -> Told {
    let kind = match data["stage"].as_str().unwrap_or_default() {
        "applying" => "io.drover.execution.started.v1",
        "applied" => "io.drover.execution.completed.v1",
        "failed" => "io.drover.execution.failed.v1",
        "rolled_back" => "io.drover.execution.rolledback.v1",
        "expired" => "io.drover.recommendation.expired.v1",
        "superseded" => "io.drover.recommendation.superseded.v1",
        _ => "io.drover.recommendation.updated.v1",
    };
    told(kind, id, json!({ "stage": data["stage"], "reason": data["reason"] }))
}
