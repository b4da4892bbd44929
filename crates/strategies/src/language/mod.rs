//! Language models as deciders: one that decides, or several that judge and a consolidator.
//!
//! ```text
//!  snapshot ─► brief (ids and numbers) ─► question ─ ─ ─► answer ─► reading ─► compared with what is true ─► drafts
//!                                            ▲                         │ faults, at most twice
//!                                            └─────────────────────────┘
//!                                                         no usable answer ─► a named strategy decides, and says so
//! ```
//!
//! Pure: who carries questions to models and brings answers back is not decided here. A model proposes and nothing else: whatever it writes, only moves that exist, fit and keep the limits become drafts.

mod account;
mod advice;
mod brief;
mod candidates;
mod config;
mod drafting;
mod inert;
mod judgement;
mod loose_json;
mod memory;
mod prompts;
mod reading;
#[cfg(test)]
mod tests;

pub use account::{Account, Heard};
pub use config::{
    AskWhen, Consolidator, Fallback, LanguageConfig, ReadFile, Routing, Specialist, Temperature,
};
pub use control::question::{Fault, FaultKind};
pub use control::strategy::Instead;

use crate::limits::Limits;
use crate::sight::Sight;
use crate::words;
use brief::{Brief, Manner};
use candidates::Candidate;
use control::projection::Projection;
use control::question::{Answer, Call, Message, Question, Speaker, Told};
use control::strategy::{Decision, HoldReason, Outcome, Strategy, View};
use drafting::Drafting;
use judgement::{Judgements, Tally, Voice};
use memory::Memory;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

/// A faulty answer is sent back with at most so much of it, and so many of its faults.
const MOST_ECHOED: usize = 8_000;
const MOST_FAULTS: usize = 20;

/// The strategy, with the question that is open and what it remembers.
pub struct LanguageModel {
    config: LanguageConfig,
    fallback: Box<dyn Strategy>,
    round: Option<Round>,
    number: u64,
    memory: Memory,
    account: Account,
}

/// One decision in the making.
struct Round {
    brief: Brief,
    stage: Stage,
    repairs: u32,
    /// The calls whose answers are awaited.
    calls: Vec<Call>,
}

enum Stage {
    Deciding,
    Judging {
        candidates: Vec<Candidate>,
        /// What was heard so far, specialist by specialist.
        heard: Vec<Option<Judgements>>,
        /// Which of them the open calls are for.
        asked: Vec<usize>,
    },
    Consolidating {
        tallies: Vec<Tally>,
    },
}

impl LanguageModel {
    pub fn new(config: LanguageConfig) -> Self {
        let fallback = config.fallback.config((config.max_load, config.max_pending)).build();
        Self {
            config,
            fallback,
            round: None,
            number: 0,
            memory: Memory::default(),
            account: Account::default(),
        }
    }

    /// How the last decision came about.
    pub const fn account(&self) -> &Account {
        &self.account
    }

    const fn limits(&self) -> Limits {
        Limits { max_load: self.config.max_load, max_pending: self.config.max_pending }
    }
}

impl Strategy for LanguageModel {
    fn decide(&mut self, view: &View<'_>) -> Decision {
        match (self.round.take(), view.answer) {
            (Some(round), Some(answer)) => self.digest(round, answer, view),
            (Some(round), None) => self.not_answered(&round, view),
            (None, _) => self.begin(view),
        }
    }

    /// Nothing while an answer is awaited.
    fn memory(&self) -> Option<Value> {
        let fallback = self.fallback.memory().filter(|_| self.round.is_none())?;
        let kept = Kept { number: self.number, memory: &self.memory, fallback };
        serde_json::to_value(kept).ok()
    }

    fn recall(&mut self, memory: Value) -> bool {
        let Ok(kept) = serde_json::from_value::<Kept<Memory>>(memory) else { return false };
        (self.number, self.memory, self.round) = (kept.number, kept.memory, None);
        self.fallback.recall(kept.fallback)
    }
}

/// What has to be known between two decisions.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Kept<M> {
    number: u64,
    memory: M,
    fallback: Value,
}

/// Asking.
impl LanguageModel {
    fn begin(&mut self, view: &View<'_>) -> Decision {
        self.account = Account::default();
        let sight = Sight::of(view);
        let projection = Projection::after(view.snapshot, view.committed);
        let limits = self.limits();
        let is_well =
            sight.clusters().iter().all(|name| limits.excess(&projection.clusters[*name]).is_none());
        let manner = Manner { names: self.config.names, rest: self.config.rest };
        let brief = Brief::of(view, &manner);
        if brief.clusters.len() < 2 || brief.subjects.is_empty() {
            return Decision::hold(if is_well {
                sight.nothing_wrong()
            } else {
                sight.nothing_possible(false)
            });
        }
        if is_well && self.config.ask == AskWhen::OverLimit {
            return Decision::hold(sight.nothing_wrong());
        }
        if self.config.specialists.is_empty() {
            return self.ask_decider(brief, view);
        }
        let candidates = candidates::enumerate(&brief, &projection, limits);
        if candidates.is_empty() {
            return Decision::hold(if is_well {
                sight.nothing_wrong()
            } else {
                sight.nothing_possible(true)
            });
        }
        self.ask_specialists(brief, candidates, view)
    }

    fn ask_decider(&mut self, brief: Brief, view: &View<'_>) -> Decision {
        let workloads: Vec<&str> = brief.subjects.iter().map(|subject| subject.id.as_str()).collect();
        let clusters: Vec<&str> = brief.clusters.iter().map(|(id, _)| id.as_str()).collect();
        let schema = prompts::decisions_schema(&workloads, &clusters);
        let policy = self.config.policy.as_deref().unwrap_or(prompts::POLICY);
        let system = prompts::decider(policy, &self.limits_in_words());
        let told = self.told(&brief, view, &[]);
        let call = self.call("decider", &self.config.model, system, &told, schema);
        self.ask(Round { brief, stage: Stage::Deciding, repairs: 0, calls: vec![call] })
    }

    fn ask_specialists(&mut self, brief: Brief, candidates: Vec<Candidate>, view: &View<'_>) -> Decision {
        let ids: Vec<&str> = candidates.iter().map(|candidate| candidate.id.as_str()).collect();
        let schema = prompts::judgements_schema(&ids);
        let told = self.told(&brief, view, &candidates);
        let calls = self.config.specialists.iter().map(|one| {
            let policy = one.policy.as_deref().or_else(|| prompts::policy_of(&one.name)).unwrap_or_default();
            let system = prompts::judge(policy, &self.limits_in_words());
            self.call(&one.name, self.model_of(one), system, &told, schema.clone())
        });
        let calls: Vec<Call> = calls.collect();
        let asked = (0..calls.len()).collect();
        let heard = self.config.specialists.iter().map(|_| None).collect();
        let stage = Stage::Judging { candidates, heard, asked };
        self.ask(Round { brief, stage, repairs: 0, calls })
    }

    fn ask_consolidator(&mut self, brief: Brief, tallies: Vec<Tally>) -> Decision {
        let supported = judgement::supported(&tallies);
        let ids: Vec<&str> = supported.iter().map(|tally| tally.candidate.id.as_str()).collect();
        let names: Vec<&str> = self.config.specialists.iter().map(|one| one.name.as_str()).collect();
        let schema = prompts::choices_schema(&ids, &names);
        let policy = self.config.consolidator_policy.as_deref().unwrap_or(prompts::CONSOLIDATOR);
        let system = prompts::consolidator(policy, &self.limits_in_words());
        let judged: Vec<Value> = supported.iter().map(|tally| judged(tally)).collect();
        let told = json!({ "clusters": brief.told["clusters"], "candidates": judged });
        let call = self.call("consolidator", &self.config.model, system, &told, schema);
        self.ask(Round { brief, stage: Stage::Consolidating { tallies }, repairs: 0, calls: vec![call] })
    }

    /// Everything a model is told: no text of anybody else is in it.
    fn told(&self, brief: &Brief, view: &View<'_>, candidates: &[Candidate]) -> Value {
        let mut told = brief.told.clone();
        if let Value::Object(map) = &mut told {
            map.insert("recommended_before".to_owned(), self.memory.told(brief, view));
            if !candidates.is_empty() {
                let candidates = candidates.iter().map(Candidate::told).collect();
                map.insert("candidates".to_owned(), Value::Array(candidates));
            }
        }
        told
    }

    fn model_of<'a>(&'a self, specialist: &'a Specialist) -> &'a str {
        specialist.model.as_deref().unwrap_or(&self.config.model)
    }

    fn limits_in_words(&self) -> String {
        format!(
            "Limits: at most {} of a cluster's CPU and memory requested, at most {} of its pods pending, at most {} at once.",
            words::percent(self.config.max_load.ratio()),
            words::percent(self.config.max_pending.ratio()),
            words::count(u64::from(self.config.max_moves), "move")
        )
    }

    fn call(&self, role: &str, model: &str, system: String, told: &Value, schema: Value) -> Call {
        let user = serde_json::to_string(told).expect("plain data always serialises");
        Call {
            role: role.to_owned(),
            model: model.to_owned(),
            messages: vec![
                Message { speaker: Speaker::System, text: system },
                Message { speaker: Speaker::User, text: user },
            ],
            schema: Some(schema),
            temperature_thousandths: Some(self.config.temperature.0),
            max_tokens: self.config.max_tokens,
            routing: self.config.routing.told(),
            sample: self.config.sample,
        }
    }

    fn ask(&mut self, round: Round) -> Decision {
        self.number += 1;
        let faults = self.account.to_be_mended(&round.calls, round.repairs);
        let question = Question { number: self.number, calls: round.calls.clone(), faults };
        self.round = Some(round);
        Decision::ask(question)
    }
}

/// What specialists said about a candidate, for a consolidating model: verdicts and numbers, not their words.
fn judged(tally: &Tally) -> Value {
    let votes = tally.opinions.iter().map(|opinion| {
        json!({
            "specialist": opinion.by,
            "verdict": opinion.verdict,
            "weight": opinion.weight,
            "strength": opinion.strength_thousandths.map(|thousandths| f64::from(thousandths) / 1_000.0),
        })
    });
    let mut told = tally.candidate.told();
    if let Value::Object(map) = &mut told {
        map.insert("votes".to_owned(), Value::Array(votes.collect()));
    }
    told
}

/// Reading.
impl LanguageModel {
    fn digest(&mut self, round: Round, answer: &Answer, view: &View<'_>) -> Decision {
        match &round.stage {
            Stage::Deciding => self.decided(round, answer, view),
            Stage::Judging { .. } => self.judged(round, answer, view),
            Stage::Consolidating { .. } => self.consolidated(round, answer, view),
        }
    }

    fn decided(&mut self, round: Round, answer: &Answer, view: &View<'_>) -> Decision {
        let (text, complete) = match text_of(answer, 0) {
            Ok(told) => told,
            Err(why) => {
                self.account.note(&round.calls[0], round.repairs, answer.replies.first(), &[]);
                return self.fall_back(view, &why);
            }
        };
        let mut reading = advice::read(text, complete, &round.brief);
        let sight = Sight::of(view);
        reading.advice.retain(|advice| drafting::still_holds(&advice.subject, &advice.target, view, &sight));
        let projection = Projection::after(view.snapshot, view.committed);
        reading.keep_within(projection.clone(), self.limits(), self.config.max_moves);
        self.account.note(&round.calls[0], round.repairs, answer.replies.first(), &reading.faults);
        if !reading.faults.is_empty() && round.repairs < self.config.repairs.0 {
            let again = repaired(&round.calls[0], text, &reading.faults);
            return self.ask(Round { repairs: round.repairs + 1, calls: vec![again], ..round });
        }
        if !reading.usable || (reading.advice.is_empty() && !reading.faults.is_empty()) {
            return self.fall_back(view, &unusable(&reading.faults));
        }
        let mut drafting = Drafting::new(projection, self.limits(), &reading.faults);
        let drafts =
            reading.advice.iter().map(|advice| drafting.advised(advice, &self.config.model)).collect();
        self.recommend(drafts, reading.considered, view)
    }

    fn judged(&mut self, mut round: Round, answer: &Answer, view: &View<'_>) -> Decision {
        let Stage::Judging { candidates, heard, asked } = &mut round.stage else {
            return self.fall_back(view, "the answer belongs to another question");
        };
        let mut again = Vec::new();
        let mut troubles = Vec::new();
        for (place, specialist) in asked.iter().enumerate() {
            let (call, reply) = (&round.calls[place], answer.replies.get(place));
            match text_of(answer, place) {
                Ok((text, complete)) => {
                    let judgements = judgement::read(text, complete, &round.brief, candidates);
                    self.account.note(call, round.repairs, reply, &judgements.faults);
                    if !judgements.faults.is_empty() {
                        let call = repaired(call, text, &judgements.faults);
                        troubles.push(unusable(&judgements.faults));
                        again.push((*specialist, call));
                    }
                    heard[*specialist] = judgements.usable.then_some(judgements);
                }
                Err(why) => {
                    self.account.note(call, round.repairs, reply, &[]);
                    troubles.push(why);
                }
            }
        }
        if !again.is_empty() && round.repairs < self.config.repairs.0 {
            (*asked, round.calls) = again.into_iter().unzip();
            return self.ask(Round { repairs: round.repairs + 1, ..round });
        }
        if heard.iter().all(Option::is_none) {
            let why = troubles.first().map_or("no specialist could be heard", String::as_str);
            return self.fall_back(view, why);
        }
        let tallies = self.tallies(candidates, heard);
        self.consolidate(round.brief, tallies, view)
    }

    fn tallies(&self, candidates: &[Candidate], heard: &[Option<Judgements>]) -> Vec<Tally> {
        let pairs = self.config.specialists.iter().zip(heard);
        let voices: Vec<Voice<'_>> = pairs
            .map(|(specialist, said)| Voice {
                specialist,
                model: self.model_of(specialist),
                said: said.as_ref(),
            })
            .collect();
        judgement::tally(candidates, &voices)
    }

    fn consolidate(&mut self, brief: Brief, tallies: Vec<Tally>, view: &View<'_>) -> Decision {
        let supported = judgement::supported(&tallies);
        if supported.is_empty() || self.config.consolidator == Consolidator::Votes {
            let chosen: Vec<(&Tally, String)> =
                supported.into_iter().map(|tally| (tally, String::new())).collect();
            return self.settle(&chosen, tallies.len(), &[], view);
        }
        self.ask_consolidator(brief, tallies)
    }

    fn consolidated(&mut self, round: Round, answer: &Answer, view: &View<'_>) -> Decision {
        let Stage::Consolidating { tallies } = &round.stage else {
            return self.fall_back(view, "the answer belongs to another question");
        };
        let supported = judgement::supported(tallies);
        let told = text_of(answer, 0);
        let (text, complete) = match told {
            Ok(told) => told,
            // The votes are there: they decide if nobody else does.
            Err(why) => {
                self.account.note(&round.calls[0], round.repairs, answer.replies.first(), &[]);
                return self.settle_by_votes(&supported, tallies.len(), &why, view);
            }
        };
        let (chosen, faults, usable) = judgement::chosen_by_model(text, complete, &supported);
        self.account.note(&round.calls[0], round.repairs, answer.replies.first(), &faults);
        if !faults.is_empty() && round.repairs < self.config.repairs.0 {
            let again = repaired(&round.calls[0], text, &faults);
            return self.ask(Round { repairs: round.repairs + 1, calls: vec![again], ..round });
        }
        if !usable || (chosen.is_empty() && !faults.is_empty()) {
            return self.settle_by_votes(&supported, tallies.len(), &unusable(&faults), view);
        }
        self.settle(&chosen, tallies.len(), &faults, view)
    }

    fn settle_by_votes(&mut self, supported: &[&Tally], of: usize, why: &str, view: &View<'_>) -> Decision {
        self.account.instead("votes", why);
        let why = format!("the votes decided, because {why}");
        let chosen: Vec<(&Tally, String)> = supported.iter().map(|tally| (*tally, why.clone())).collect();
        self.settle(&chosen, of, &[], view)
    }

    /// The fewest of what was chosen that do the work.
    fn settle(
        &mut self,
        chosen: &[(&Tally, String)],
        of: usize,
        faults: &[Fault],
        view: &View<'_>,
    ) -> Decision {
        let sight = Sight::of(view);
        let projection = Projection::after(view.snapshot, view.committed);
        let possible: Vec<&Tally> = chosen
            .iter()
            .map(|(tally, _)| *tally)
            .filter(|tally| {
                drafting::still_holds(&tally.candidate.subject, &tally.candidate.target, view, &sight)
            })
            .collect();
        let few = judgement::choose(&possible, projection.clone(), self.limits(), self.config.max_moves);
        let mut drafting = Drafting::new(projection, self.limits(), faults);
        let words = |tally: &Tally| {
            let same = |(one, _): &&(&Tally, String)| one.candidate.id == tally.candidate.id;
            chosen.iter().find(same).map(|(_, words)| words.clone()).unwrap_or_default()
        };
        let drafts =
            few.iter().map(|tally| drafting.judged(tally, &words(tally), &self.config.model)).collect();
        self.recommend(drafts, of, view)
    }

    fn recommend(
        &mut self,
        drafts: Vec<model::recommendation::Draft>,
        considered: usize,
        view: &View<'_>,
    ) -> Decision {
        for draft in &drafts {
            if let model::action::Action::Migrate { workload, from, to, .. } = &draft.action {
                self.memory.note(view.now, workload, from, to);
            }
        }
        let decision = Decision::recommend(drafts, HoldReason::Advised { considered: considered as u32 });
        self.accounted(decision)
    }

    /// The decision with what became of the answers it rests on.
    fn accounted(&self, decision: Decision) -> Decision {
        let (disregarded, instead) = (self.account.disregarded(), self.account.instead.clone());
        Decision { disregarded, instead, ..decision }
    }

    fn not_answered(&mut self, round: &Round, view: &View<'_>) -> Decision {
        let why = "no answer came before it was time to decide again";
        for call in &round.calls {
            self.account.note(call, round.repairs, None, &[Fault::new(FaultKind::NoAnswer, why)]);
        }
        self.fall_back(view, why)
    }

    /// A named strategy decides instead, and everything it recommends says so.
    fn fall_back(&mut self, view: &View<'_>, why: &str) -> Decision {
        self.round = None;
        let quiet = View { answer: None, ..*view };
        let mut decision = self.fallback.decide(&quiet);
        let name = self.config.fallback.config((self.config.max_load, self.config.max_pending)).name();
        self.account.instead(name, why);
        match &mut decision.outcome {
            Outcome::Recommend(drafts) => {
                for draft in drafts {
                    let summary = &draft.because.summary;
                    draft.because.summary = format!("{summary} (decided by {name}, because {why})");
                }
            }
            Outcome::Hold(_) => {
                decision.outcome =
                    Outcome::Hold(HoldReason::NoAdvice { why: why.to_owned(), instead: name.to_owned() });
            }
            Outcome::Ask(_) => {}
        }
        self.accounted(decision)
    }
}

/// The text of one reply, or why there is none.
fn text_of(answer: &Answer, place: usize) -> Result<(&str, bool), String> {
    match answer.replies.get(place).map(|reply| &reply.told) {
        Some(Told::Text { text, complete }) => Ok((text, *complete)),
        Some(Told::Failed { because, message }) => Err(drafting::failure_in_words(*because, message)),
        None => Err("the answer lacks a reply".to_owned()),
    }
}

/// The same call once more, with what came of it and what is wrong with that.
fn repaired(call: &Call, text: &str, faults: &[Fault]) -> Call {
    let mut again = call.clone();
    // Only the first two messages are the question: earlier attempts are not repeated.
    again.messages.truncate(2);
    let echoed: String = text.chars().take(MOST_ECHOED).collect();
    let faults: Vec<String> = faults.iter().take(MOST_FAULTS).map(|fault| fault.text.clone()).collect();
    again.messages.push(Message { speaker: Speaker::Assistant, text: echoed });
    again.messages.push(Message { speaker: Speaker::User, text: prompts::repair(&faults) });
    again
}

fn unusable(faults: &[Fault]) -> String {
    let first = faults.first().map_or("it says nothing", |fault| fault.text.as_str());
    let more = faults.len().saturating_sub(1);
    let rest =
        if more > 0 { format!(" (and {} more)", words::count(more as u64, "fault")) } else { String::new() };
    format!("the model's answer could not be used: {first}{rest}")
}
