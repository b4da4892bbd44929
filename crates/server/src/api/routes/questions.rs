//! What agents asked models, read from the record: there is no other copy of it.

use crate::access::Right;
use crate::api::answer::Json;
use crate::api::endpoint::{Endpoint, get};
use crate::api::extract::Names;
use crate::api::problem::Problem;
use crate::api::wire::{DecisionItem, Depth, QuestionItem, QuestionState};
use crate::desk::Desk;
use crate::storage::tables::journal::{self, Entry, Filter};
use crate::storage::tables::page::Direction;
use crate::storage::{Connection, Error};
use axum::extract::State;
use control::question::{Answer, Fault, Question};
use control::world::Explanation;
use serde::Deserialize;
use serde_json::Value;

/// Questions that are shown of an agent.
const QUESTIONS: usize = 20;

/// Entries that are read at a time, and at most, to find them.
const CHUNK: u32 = 100;
const FARTHEST: usize = 2_000;

/// The kinds of entries in which agents ask and are answered.
const ASKING: [&str; 2] = ["observed", "answered"];

pub(super) fn endpoints() -> Vec<Endpoint> {
    vec![
        get("/api/v1/agents/{name}/questions", "listQuestions", list)
            .does("What an agent asked models last, newest first, and what came of it")
            .needs(Right::SeeDesk)
            .answers::<Vec<QuestionItem>>(),
        get("/api/v1/agents/{name}/questions/{seq}", "getQuestion", show)
            .does("One question with everything that was sent and came back")
            .needs(Right::SeeDesk)
            .answers::<QuestionItem>(),
    ]
}

async fn list(
    State(desk): State<Desk>,
    Names(name): Names<String>,
) -> Result<Json<Vec<QuestionItem>>, Problem> {
    if !super::agents::names(&desk).await?.contains(&name) {
        return Err(Problem::not_found(format_args!("agent {name:?}")));
    }
    let run = desk.now().run.clone();
    let found = desk.read(move |connection| last_questions(connection, &run, &name)).await?;
    Ok(Json(found))
}

async fn show(
    State(desk): State<Desk>,
    Names((name, seq)): Names<(String, i64)>,
) -> Result<Json<QuestionItem>, Problem> {
    let run = desk.now().run.clone();
    let whose = name.clone();
    let found = desk.read(move |connection| one_question(connection, &run, &whose, seq)).await?;
    found.map(Json).ok_or_else(|| Problem::not_found(format_args!("question {seq} of agent {name:?}")))
}

/// What an entry says about one agent's correspondence.
#[derive(Default)]
struct Said {
    asked: Option<Question>,
    answer: Option<Answer>,
    decided: Option<Explanation>,
}

impl Said {
    /// What was wrong with the answer that this entry is about.
    fn faults(&self) -> &[Fault] {
        match (&self.asked, &self.decided) {
            (Some(again), _) => &again.faults,
            (None, Some(decided)) => &decided.disregarded,
            (None, None) => &[],
        }
    }
}

fn said(entry: &Entry, agent: &str) -> Said {
    // Most entries are not about this agent, and reading them takes longer than looking for its name.
    if !entry.body.as_str().contains(agent) {
        return Said::default();
    }
    let mut body: Value = serde_json::from_str(entry.body.as_str()).unwrap_or_default();
    let answered = body["input"]["answered"].take();
    let answer = (answered["agent"] == agent).then(|| answered["answer"].clone());
    let mut said = Said { answer: answer.and_then(read), ..Said::default() };
    for effect in body["effects"].as_array_mut().into_iter().flatten() {
        if effect["ask"]["agent"] == agent {
            said.asked = read(effect["ask"]["question"].take());
        } else if effect["explain"]["agent"] == agent {
            said.decided = read(effect["explain"].take());
        }
    }
    said
}

fn read<T: for<'de> Deserialize<'de>>(value: Value) -> Option<T> {
    serde_json::from_value(value).ok()
}

/// What was said after a question, and where.
struct Later {
    said: Said,
    place: (i64, i64, i64),
}

/// A question with what came of it, from what was said later, the next thing first.
fn told(entry: &Entry, question: &Question, later: &[Later], depth: Depth) -> QuestionItem {
    let mut item = QuestionItem::new(place(entry), question, depth);
    let is_answer =
        |one: &&Later| one.said.answer.as_ref().is_some_and(|answer| answer.number == question.number);
    let Some(found) = later.iter().find(is_answer) else {
        if later.iter().any(|one| one.said.decided.is_some() || one.said.asked.is_some()) {
            item.state = QuestionState::Withdrawn;
        }
        return item;
    };
    if let Some(answer) = &found.said.answer {
        item.answer(answer, depth);
    }
    item.answered_seq = Some(found.place.0);
    item.answered_at = Some(found.place.1);
    item.faults = found.said.faults().iter().map(Into::into).collect();
    item.asked_again = found.said.asked.as_ref().is_some_and(|again| !again.faults.is_empty());
    item.decision = found.said.decided.as_ref().map(|decided| DecisionItem::new(found.place, decided));
    item
}

const fn place(entry: &Entry) -> (i64, i64, i64) {
    (entry.seq, entry.at_ms, entry.wall_ms)
}

fn last_questions(
    connection: &mut dyn Connection,
    run: &str,
    agent: &str,
) -> Result<Vec<QuestionItem>, Error> {
    let (mut found, mut later, mut before, mut seen) = (Vec::new(), Vec::new(), i64::MAX, 0);
    while found.len() < QUESTIONS && seen < FARTHEST {
        let entries = journal::before(connection, run, &ASKING, before, CHUNK)?;
        let Some(last) = entries.last() else { break };
        before = last.seq;
        seen += entries.len();
        for entry in &entries {
            let said = said(entry, agent);
            if let Some(question) = &said.asked {
                found.push(told(entry, question, &later, Depth::Short));
            }
            if said.asked.is_some() || said.answer.is_some() || said.decided.is_some() {
                later.insert(0, Later { said, place: place(entry) });
            }
        }
    }
    found.truncate(QUESTIONS);
    Ok(found)
}

fn one_question(
    connection: &mut dyn Connection,
    run: &str,
    agent: &str,
    seq: i64,
) -> Result<Option<QuestionItem>, Error> {
    let entry = journal::get(connection, seq)?.filter(|entry| entry.run.as_deref() == Some(run));
    let Some(entry) = entry else { return Ok(None) };
    let Some(question) = said(&entry, agent).asked else { return Ok(None) };
    let kinds = ASKING.map(str::to_owned).to_vec();
    let filter = Filter { run: Some(run.to_owned()), kinds, ..Filter::default() };
    let after = journal::list(connection, &filter, Direction::Ascending, Some(&seq.to_string()), CHUNK)?;
    let later: Vec<Later> =
        after.rows.iter().map(|entry| Later { said: said(entry, agent), place: place(entry) }).collect();
    Ok(Some(told(&entry, &question, &later, Depth::Whole)))
}
