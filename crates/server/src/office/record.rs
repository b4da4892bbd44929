//! Writing a step down: its entry in the journal, and what follows from it for the lists that people read.

use super::engine::Step;
use super::lists;
use crate::storage::tables::journal::{self, Appended, Entry, NewEntry};
use crate::storage::tables::{runs, snapshots};
use crate::storage::{Connection, Error, JsonText, Transaction};
use control::review_desk::Approved;
use control::world::{Effect, Input};
use model::hash::ContentHash;
use model::names::ReviewerName;
use model::order::FREEZE_OBJECT;
use model::review::{Reviewer, Stage};
use model::snapshot::Snapshot;
use serde::{Deserialize, Serialize};
use serde_json::json;

/// A step in the journal. A snapshot is named by its hash and kept elsewhere, so that old ones may go.
#[derive(Serialize)]
struct Body<'a> {
    input: KeptInput<'a>,
    effects: &'a [Effect],
}

#[derive(Serialize)]
#[serde(rename_all = "snake_case")]
enum KeptInput<'a> {
    Snapshot(ContentHash),
    #[serde(untagged)]
    Other(&'a Input),
}

/// What is read back of an entry.
#[derive(Deserialize)]
struct StoredBody {
    input: StoredInput,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum StoredInput {
    Snapshot { snapshot: ContentHash },
    Other(Box<Input>),
}

/// The input that an entry tells of; nothing if it cannot be read, or if its snapshot was let go.
pub(super) fn input(connection: &mut dyn Connection, entry: &Entry) -> Result<Option<Input>, Error> {
    match entry.body.read::<StoredBody>("a step").map(|body| body.input) {
        Ok(StoredInput::Other(input)) => Ok(Some(*input)),
        Ok(StoredInput::Snapshot { snapshot }) => {
            let kept = snapshots::get(connection, snapshot)?;
            Ok(kept.and_then(|kept| kept.body.read("a snapshot").ok()).map(Input::Observed))
        }
        Err(_) => Ok(None),
    }
}

/// The input that an entry tells of, if it names no snapshot.
pub(super) fn plain_input(entry: &Entry) -> Option<Input> {
    match entry.body.read::<StoredBody>("a step").ok()?.input {
        StoredInput::Other(input) => Some(*input),
        StoredInput::Snapshot { .. } => None,
    }
}

/// The kind of the entry with what a run takes over from the one before.
pub(super) const INHERITED: &str = "inherited";

/// The kind of the note that a rule approved something, and no person.
const PASSED: &str = "passed";

/// The kinds of entries that are steps of the loop; all others are notes beside it.
pub const STEPS: [&str; 11] = [
    INHERITED,
    "wake",
    "observed",
    "answered",
    "reviewed",
    "proposed",
    "ordered",
    "supplied",
    "predicted",
    "scored",
    "applied",
];

/// Whether an input comes from people and programs around the world, and not from the world itself.
pub fn is_from_outside(kind: &str) -> bool {
    matches!(kind, "answered" | "reviewed" | "proposed" | "ordered" | "predicted" | "scored")
}

fn kind(input: &Input) -> &'static str {
    match input {
        Input::WakeUp => "wake",
        Input::Observed(_) => "observed",
        Input::Answered { .. } => "answered",
        Input::Reviewed(_) => "reviewed",
        Input::Proposed(_) => "proposed",
        Input::Ordered(_) => "ordered",
        Input::Inherited(_) => INHERITED,
        Input::Supplied(_) => "supplied",
        Input::Predicted { .. } => "predicted",
        Input::Scored { .. } => "scored",
        Input::Applied { .. } => "applied",
    }
}

/// Who made it happen, as the record names them.
fn actor(input: &Input) -> String {
    match input {
        Input::Reviewed(review) => reviewer(&review.reviewer),
        Input::Proposed(proposal) => format!("agent:{}", proposal.agent),
        Input::Ordered(order) => orderer(&order.by),
        Input::Supplied(_) => "objects".to_owned(),
        Input::Answered { .. } | Input::Inherited(_) | Input::Predicted { .. } | Input::Scored { .. } => {
            "desk".to_owned()
        }
        Input::WakeUp | Input::Observed(_) | Input::Applied { .. } => "world".to_owned(),
    }
}

/// Whoever ordered something as the record names them: a person, or an object beside the desk.
pub fn orderer(by: &ReviewerName) -> String {
    match by.as_str().strip_prefix(FREEZE_OBJECT) {
        Some(name) => format!("object:{name}"),
        None => format!("person:{by}"),
    }
}

/// A reviewer as the record names them.
pub fn reviewer(reviewer: &Reviewer) -> String {
    match reviewer {
        Reviewer::Person(name) => format!("person:{name}"),
        Reviewer::Rule(name) => format!("rule:{name}"),
        Reviewer::Simulated(name) => format!("simulated:{name}"),
    }
}

fn subject(input: &Input) -> String {
    use model::order::Command;
    match input {
        Input::Reviewed(review) => review.recommendation.to_string(),
        Input::Predicted { id, .. } | Input::Applied { id, .. } | Input::Scored { id, .. } => id.to_string(),
        Input::Proposed(proposal) => proposal.agent.to_string(),
        Input::Answered { agent, .. } => agent.to_string(),
        Input::Ordered(order) => match &order.what {
            Command::Freeze { scope, .. } | Command::ClearMode { scope, .. } => scope.to_string(),
            Command::Unfreeze { freeze } => freeze.to_string(),
            Command::SetMode { setting } => setting.scope.to_string(),
            Command::ChangeTarget { recommendation, .. } | Command::Abort { recommendation } => {
                recommendation.to_string()
            }
            Command::Propose { action, .. } => {
                action.workload().map_or_else(|| action.to_string(), ToString::to_string)
            }
        },
        Input::Inherited(legacy) => legacy.from.clone(),
        Input::Supplied(supply) => {
            let names: Vec<&str> = supply.agents.iter().map(|agent| agent.name.as_str()).collect();
            names.join(", ")
        }
        Input::WakeUp | Input::Observed(_) => String::new(),
    }
}

/// The text of a snapshot, and the name it is kept under.
fn snapshot_text(input: &Input) -> Option<(JsonText, ContentHash)> {
    let Input::Observed(snapshot) = input else { return None };
    Some(named(snapshot))
}

fn named(snapshot: &Snapshot) -> (JsonText, ContentHash) {
    let text = JsonText::of(snapshot);
    let hash = ContentHash::of_bytes(text.as_str().as_bytes());
    (text, hash)
}

/// The name that a snapshot is kept under.
pub(super) fn snapshot_name(snapshot: &Snapshot) -> ContentHash {
    named(snapshot).1
}

/// What a step looks like in the journal.
pub fn body(step: &Step) -> JsonText {
    body_with(step, snapshot_text(&step.input).map(|(_, hash)| hash))
}

fn body_with(step: &Step, snapshot: Option<ContentHash>) -> JsonText {
    let input = snapshot.map_or(KeptInput::Other(&step.input), KeptInput::Snapshot);
    JsonText::of(&Body { input, effects: &step.effects })
}

/// Writes a step and all that follows from it. `via` is what whoever asked for it showed; a run that is taken again need not know it.
pub fn keep(
    transaction: &mut dyn Transaction,
    run: &str,
    step: &Step,
    (via, wall_ms): (Option<String>, i64),
) -> Result<(NewEntry, Appended), Error> {
    let snapshot = snapshot_text(&step.input);
    if let (Some((text, _)), Input::Observed(seen)) = (&snapshot, &step.input) {
        snapshots::put(transaction, run, seen.taken_at.0 as i64, wall_ms, text)?;
    }
    let entry = NewEntry {
        run: Some(run.to_owned()),
        at_ms: step.at.0 as i64,
        wall_ms,
        kind: kind(&step.input).to_owned(),
        actor: actor(&step.input),
        subject: subject(&step.input),
        body: body_with(step, snapshot.map(|(_, hash)| hash)),
        via,
    };
    let end = note(transaction, &entry)?;
    lists::update(transaction, run, step, (end.seq, wall_ms))?;
    Ok((entry, end))
}

/// Notes what rules let pass in a step that was kept, and returns the end of the record.
pub fn note_passed(
    transaction: &mut dyn Transaction,
    (entry, end): &(NewEntry, Appended),
    step: &Step,
) -> Result<Appended, Error> {
    let mut last = *end;
    for approved in passed(step) {
        last = note(transaction, &without_a_person(entry, end.seq, approved))?;
    }
    Ok(last)
}

/// What a rule let pass in a step.
fn passed(step: &Step) -> impl Iterator<Item = &Approved> {
    let settles = |of: &Approved| {
        let id = of.recommendation().id;
        let approves = |effect: &Effect| matches!(effect, Effect::Settle { id: settled, stage: Stage::Approved, .. } if *settled == id);
        step.effects.iter().any(approves)
    };
    step.effects.iter().filter_map(move |effect| match effect {
        Effect::Apply(approved) if matches!(approved.reviewer(), Reviewer::Rule(_)) && settles(approved) => {
            Some(approved)
        }
        _ => None,
    })
}

/// The step tells of it among its effects; with an entry of its own it is found by who let it pass, and by what passed.
fn without_a_person(step: &NewEntry, seq: i64, approved: &Approved) -> NewEntry {
    let plan = approved.recommendation();
    let body = json!({ "verdict": "approve", "plan": plan.hash, "entry": seq });
    NewEntry {
        kind: PASSED.to_owned(),
        actor: reviewer(approved.reviewer()),
        subject: plan.id.to_string(),
        body: JsonText::of(&body),
        via: None,
        ..step.clone()
    }
}

/// Writes an entry that belongs to a run.
pub fn note(transaction: &mut dyn Transaction, entry: &NewEntry) -> Result<Appended, Error> {
    let end = journal::append(transaction, entry)?;
    if let Some(run) = &entry.run {
        runs::reach(transaction, run, end.seq)?;
    }
    Ok(end)
}
