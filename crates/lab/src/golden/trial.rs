//! One decision: a strategy looks at a federation and asks until it has decided.

use super::federation::{Federation, NOW};
use super::schema;
use crate::models::{Correspondent, ask_all};
use control::question::{Answer, Call, Failure, Question, Reply, Speaker, Told, Usage};
use control::strategy::{Decision, Outcome, Strategy, View};
use model::action::Action;
use model::money::MicroDollars;
use model::time::Period;
use std::collections::{BTreeMap, VecDeque};
use strategies::catalogue::StrategyConfig;
use strategies::language::{Account, LanguageModel};

/// No strategy of ours asks so often about one decision: a decider asks three times, specialists and a consolidator six times.
const MOST_QUESTIONS: usize = 20;

/// What came of it and what it took.
#[derive(Clone, Debug, Default)]
pub(super) struct Trial {
    pub(super) actions: Vec<Action>,
    /// How models came into it, where a strategy asks some.
    pub(super) account: Account,
    /// For each first answer whether it was exactly what was asked for.
    pub(super) exact: Vec<bool>,
    /// Questions that were asked.
    pub(super) questions: u64,
    pub(super) calls: u64,
    /// Calls that were not answered, by the reason.
    pub(super) failed_calls: BTreeMap<Failure, u64>,
    /// What was said about the first of them.
    pub(super) trouble: Option<String>,
    pub(super) usage: Usage,
    /// How long all answers took, one after the other.
    pub(super) took: Period,
}

impl Trial {
    /// Calls without a recording.
    pub(super) fn missing(&self) -> u64 {
        self.failed_calls.get(&Failure::NotRecorded).copied().unwrap_or(0)
    }

    pub(super) fn repairs(&self) -> u64 {
        self.account.heard.iter().filter(|heard| heard.repairs > 0).count() as u64
    }
}

pub(super) fn decide(
    config: &StrategyConfig,
    federation: &Federation,
    correspondent: &dyn Correspondent,
) -> Trial {
    match config {
        StrategyConfig::LanguageModel(config) => {
            let mut strategy = LanguageModel::new((**config).clone());
            let trial = asked(&mut strategy, federation, correspondent);
            Trial { account: strategy.account().clone(), ..trial }
        }
        other => asked(&mut *other.build(), federation, correspondent),
    }
}

fn asked(strategy: &mut dyn Strategy, federation: &Federation, correspondent: &dyn Correspondent) -> Trial {
    let mut trial = Trial::default();
    let mut decision = look(strategy, federation, None);
    for _ in 0..MOST_QUESTIONS {
        let Outcome::Ask(question) = &decision.outcome else { break };
        let replies = ask_all(correspondent, &question.calls);
        trial.note(question, &replies);
        let answer = Answer { number: question.number, replies };
        decision = look(strategy, federation, Some(&answer));
    }
    if let Outcome::Recommend(drafts) = decision.outcome {
        trial.actions = drafts.into_iter().map(|draft| draft.action).collect();
    }
    trial
}

/// What a strategy says at the one moment that every case is about.
pub(super) fn look(
    strategy: &mut dyn Strategy,
    federation: &Federation,
    answer: Option<&Answer>,
) -> Decision {
    strategy.decide(&View {
        now: NOW,
        snapshot: &federation.snapshot,
        history: &VecDeque::new(),
        committed: &federation.committed,
        awaiting: &[],
        answer,
    })
}

impl Trial {
    fn note(&mut self, question: &Question, replies: &[Reply]) {
        self.questions += 1;
        let longest = replies.iter().map(|reply| reply.took).max().unwrap_or_default();
        self.took = self.took.saturating_add(longest);
        for (call, reply) in question.calls.iter().zip(replies) {
            self.usage.prompt_tokens += reply.usage.prompt_tokens;
            self.usage.completion_tokens += reply.usage.completion_tokens;
            self.usage.cost = MicroDollars::saturating_add(self.usage.cost, reply.usage.cost);
            if is_first(call) {
                self.exact.push(is_exact(call, reply));
            }
            self.calls += 1;
            if let Told::Failed { because, message } = &reply.told {
                *self.failed_calls.entry(*because).or_default() += 1;
                self.trouble.get_or_insert_with(|| message.clone());
            }
        }
    }
}

fn is_first(call: &Call) -> bool {
    call.messages.iter().all(|message| message.speaker != Speaker::Assistant)
}

fn is_exact(call: &Call, reply: &Reply) -> bool {
    match (&reply.told, &call.schema) {
        (Told::Text { text, complete: true }, Some(schema)) => schema::fits(text, schema),
        _ => false,
    }
}
