//! One decision: a strategy looks at a federation and asks until it has decided.

use super::federation::{Federation, NOW};
use super::schema;
use crate::models::{Correspondent, ask_all};
use control::question::{Answer, Call, Failure, Question, Reply, Speaker, Told, Usage};
use control::strategy::{Decision, Outcome, Strategy, View};
use model::action::Action;
use model::money::MicroDollars;
use model::time::Period;
use std::collections::VecDeque;
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
    /// Calls without a recording.
    pub(super) missing: u64,
    pub(super) usage: Usage,
    /// How long all answers took, one after the other.
    pub(super) took: Period,
}

impl Trial {
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
            let missing = matches!(reply.told, Told::Failed { because: Failure::NotRecorded, .. });
            self.missing += u64::from(missing);
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
