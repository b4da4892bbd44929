//! What an entry of the journal means to somebody who watches: events in the form of CloudEvents 1.0.

use crate::access::{Right, Sight};
use crate::clock;
use crate::storage::tables::freezes;
use crate::storage::tables::journal::Entry;
use crate::storage::tables::recommendations::{self, Place};
use crate::storage::{Connection, Error};
use model::order::{Extent, FreezeId};
use model::recommendation::RecommendationId;
use model::snapshot::Snapshot;
use serde::{Serialize, Serializer};
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
    /// When it was written down, in milliseconds since 1970; told as the standard has it.
    #[serde(rename = "time", serialize_with = "rfc3339")]
    pub wall_ms: i64,
    /// The federation's own time, in milliseconds. Names of further attributes have small letters only.
    #[serde(rename = "atms")]
    pub at_ms: i64,
    pub data: Value,
    /// Who may hear of it.
    #[serde(skip)]
    pub right: Right,
    /// What it is about.
    #[serde(skip)]
    pub about: About,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde calls it like that")]
fn rfc3339<S: Serializer>(wall_ms: &i64, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(&clock::moment(*wall_ms))
}

/// What every kind of event begins with.
const PREFIX: &str = "io.drover.";

/// Said to somebody who wants to go on behind the end of the record, as after the return to an older backup: what they know may never
/// have happened here.
const RESET: &str = "io.drover.stream.reset.v1";

/// Events of one entry are counted below this.
const BEYOND_ALL: usize = 999_999;

/// Beginnings of the kinds of events, by which watchers choose.
pub const FAMILIES: [&str; 12] = [
    "agent",
    "audit",
    "clock",
    "decision",
    "execution",
    "freeze",
    "laboratory",
    "mode",
    "order",
    "recommendation",
    "snapshot",
    "stream",
];

impl Event {
    /// Whoever hears it begins anew: everything they know may be different, and the record goes on behind entry `end`.
    pub fn reset(end: i64, wall_ms: i64, at_ms: i64) -> Self {
        Self {
            specversion: "1.0",
            id: format!("{}-{BEYOND_ALL}", end.max(1)),
            source: "drover",
            kind: RESET,
            subject: String::new(),
            wall_ms,
            at_ms,
            data: json!({ "end": end }),
            right: Right::SeeWorld,
            about: About::Nothing,
        }
    }
}

/// What an event is about, for those who see only a part of the federation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum About {
    /// Nothing that anybody would hide: the time, or that something was observed.
    Nothing,
    /// A recommendation of this run.
    Recommendation(String, RecommendationId),
    Extent(Extent),
    /// A freeze of this run, whose part the event does not say.
    Freeze(String, FreezeId),
    /// All of the federation.
    Everything,
}

/// What an event touches, as far as the tables tell: enough to say whether it is for somebody without asking them again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Touched {
    Nothing,
    Extent(Extent),
    Place(Place),
    /// More than any part, or nobody knows what.
    Everything,
}

impl About {
    /// Looks up what the event itself does not say.
    pub fn touched(&self, connection: &mut dyn Connection) -> Result<Touched, Error> {
        Ok(match self {
            Self::Nothing => Touched::Nothing,
            Self::Everything => Touched::Everything,
            Self::Extent(extent) => Touched::Extent(extent.clone()),
            Self::Recommendation(run, id) => recommendations::place(connection, run, id.0 as i64)?
                .map_or(Touched::Everything, Touched::Place),
            Self::Freeze(run, id) => freezes::get(connection, &format!("{run}/{id}"))?
                .and_then(|frozen| frozen.extent())
                .map_or(Touched::Everything, Touched::Extent),
        })
    }
}

impl Touched {
    /// Whether it lies in the part that somebody sees.
    pub fn is_within(&self, sight: &Sight, observed: Option<&Snapshot>) -> bool {
        sight.is_whole()
            || match self {
                Self::Nothing => true,
                Self::Everything => false,
                Self::Extent(extent) => sight.extent(extent, observed),
                Self::Place(place) => sight.place(place),
            }
    }
}

/// What an entry tells, in order.
pub fn events_of(entry: &Entry) -> Vec<Event> {
    let body: Value = serde_json::from_str(entry.body.as_str()).unwrap_or_default();
    let mut told = Vec::new();
    told.extend(of_input(entry, &body));
    let effects = body["effects"].as_array();
    told.extend(effects.into_iter().flatten().filter_map(of_effect));
    let run = entry.run.as_deref().unwrap_or_default();
    let event = |(index, Told { kind, subject, data, right }): (usize, Told)| Event {
        about: about(run, kind, &subject, &data),
        specversion: "1.0",
        // With what the entry is known by, since after the return to an older backup others have the same numbers.
        id: format!("{}-{index}-{}", entry.seq, entry.hash.short()),
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

/// What an event is about. Whatever is not known here is about everything, and only for those who see everything.
fn about(run: &str, kind: &str, subject: &str, data: &Value) -> About {
    let scope = || serde_json::from_value(data["scope"].clone()).map_or(About::Everything, About::Extent);
    let named = kind.strip_prefix(PREFIX).unwrap_or(kind);
    match named.split('.').next().unwrap_or_default() {
        "snapshot" | "clock" => About::Nothing,
        "recommendation" | "execution" | "decision" => {
            subject.parse().map_or(About::Everything, |id| About::Recommendation(run.to_owned(), id))
        }
        "freeze" if data.get("scope").is_none() => {
            subject.parse().map_or(About::Everything, |id| About::Freeze(run.to_owned(), id))
        }
        "freeze" | "mode" => scope(),
        _ => About::Everything,
    }
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
        "passed" => {
            let data = json!({ "by": entry.actor, "verdict": body["verdict"] });
            told("io.drover.decision.recorded.v1", subject, data)
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
        "clear_mode" => told("io.drover.mode.cleared.v1", "", data.clone()),
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

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    /// Words behind the prefix in the text of a program, up to the first dot.
    fn families(program: &str) -> BTreeSet<&str> {
        let kinds = program.split("\"io.drover.").skip(1).filter_map(|rest| rest.split('"').next());
        kinds.filter_map(|kind| kind.split('.').next()).filter(|family| !family.is_empty()).collect()
    }

    #[test]
    fn watchers_can_choose_every_kind() {
        let mut told = families(include_str!("event.rs"));
        told.extend(families(include_str!("../laboratory/news.rs")));
        assert_eq!(told, BTreeSet::from(FAMILIES));
    }

    /// Whole kinds in the text of a program, without prefix and version.
    fn kinds(program: &str) -> BTreeSet<&str> {
        let whole = program.split("\"io.drover.").skip(1).filter_map(|rest| rest.split('"').next());
        whole.filter_map(|kind| kind.strip_suffix(".v1")).collect()
    }

    #[test]
    fn the_guide_names_every_kind() {
        let guide = include_str!("../../../../docs/guide/desk.md");
        let mut told = kinds(include_str!("event.rs"));
        told.extend(kinds(include_str!("../laboratory/news.rs")));
        for kind in told {
            let (family, rest) = kind.split_once('.').expect("a family and what happened");
            let named = |line: &str| {
                line.contains(&format!("`{kind}`"))
                    || (line.contains(&format!("`{family}.")) && line.contains(&format!("`.{rest}`")))
            };
            assert!(guide.lines().any(named), "{kind}");
        }
    }

    #[test]
    fn events_are_what_cloud_events_allow() {
        let event = serde_json::to_value(Event::reset(7, 1_768_336_664_120, 60_000)).expect("an event");
        let names = event.as_object().expect("an object").keys();
        for name in names {
            assert!(
                name.chars().all(|letter| letter.is_ascii_lowercase() || letter.is_ascii_digit()),
                "{name}"
            );
        }
        assert_eq!(event["time"], "2026-01-13T20:37:44.120Z");
        assert_eq!((&event["specversion"], &event["atms"]), (&json!("1.0"), &json!(60_000)));
    }
}
