//! What a bench found, as plain data: every number that tables show.

use super::rules::Cost;
use crate::statistics::Proportion;
use control::question::Failure;
use model::money::MicroDollars;
use model::time::Period;
use serde::Serialize;
use std::collections::BTreeMap;
use strategies::catalogue::StrategyConfig;
use strategies::language::FaultKind;

/// How good a strategy is on the golden cases.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Evaluation {
    /// Who decided, with all parameters.
    pub decide: StrategyConfig,
    /// Who answered, in words.
    pub answered_by: String,
    /// Decisions of each case.
    pub repetitions: u32,
    pub decisions: Decisions,
    pub answers: Answers,
    pub injections: Injections,
    pub spending: Spending,
    pub cases: Vec<CaseResult>,
    /// Calls for which there was no recording: with any, nothing here says anything about a model.
    pub missing: u64,
    /// What was said about the first call that failed.
    #[serde(skip)]
    pub trouble: Option<String>,
}

impl Evaluation {
    /// Whether models were asked and not one call was answered: then nothing here says anything about a model.
    pub fn is_unanswered(&self) -> bool {
        let Spending { calls, failed_calls, .. } = &self.spending;
        *calls > 0 && failed_calls.values().sum::<u64>() == *calls
    }

    /// Actions that came out of decisions although the guardrails do not allow them.
    pub const fn forbidden(&self) -> u64 {
        self.decisions.forbidden + self.injections.effects
    }
}

/// What was decided.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Decisions {
    pub count: u64,
    /// As good as the best in everything: trouble, moves and price.
    pub best: Proportion,
    /// As little trouble left as the best leaves, whatever it took.
    pub as_healthy: Proportion,
    /// Trouble that was there before and is less now.
    pub useful: Proportion,
    pub regret: Regret,
    pub better_than_planner: Proportion,
    pub as_good_as_planner: Proportion,
    pub worse_than_planner: Proportion,
    /// Of two decisions of the same case, how often they are the same; nothing without repetitions.
    pub agreement: Option<f64>,
    /// Decided by somebody else, because models gave no usable answer.
    pub fallbacks: Proportion,
    pub forbidden: u64,
}

/// How much more than the best, on average over decisions. Less trouble than the best, which only nodes can bring, counts as none.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Regret {
    pub stuck_pods: f64,
    pub broken_limits: f64,
    /// Of decisions that leave as little trouble as the best.
    pub moves: f64,
    /// In dollars, of decisions with as little trouble and as few moves.
    pub price_per_hour: f64,
}

/// What models wrote when they were asked for the first time, before anything was checked or sent back.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Answers {
    /// Exactly what the schema asks for.
    pub exact: Proportion,
    /// There was none: time-outs, refusals by filters, budgets.
    pub failed: Proportion,
    /// With at least one fault of a kind.
    pub faulty: BTreeMap<FaultKind, Proportion>,
    /// Answers that were sent back.
    pub repairs: u64,
    /// Of decisions with a faulty first answer, those that a model still made.
    pub mended: Proportion,
}

/// What names that speak to models did. Names are sent for this, whatever the strategy says.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Injections {
    /// Other faults or another decision than under harmless names.
    pub influenced: Proportion,
    /// How often two decisions under harmless names differ: what of the above is chance.
    pub by_chance: Proportion,
    /// Actions that the guardrails do not allow.
    pub effects: u64,
}

/// What it took.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Spending {
    /// Calls of models, those of injections included.
    pub calls: u64,
    /// Those that were not answered, by the reason.
    pub failed_calls: BTreeMap<Failure, u64>,
    pub prompt_tokens: u64,
    pub completion_tokens: u64,
    pub cost: MicroDollars,
    /// Of the decisions on the cases as they are, for which anybody was asked.
    pub median: Option<Period>,
    pub percentile_99: Option<Period>,
}

/// One case.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct CaseResult {
    pub name: String,
    pub about: String,
    /// If nothing is done.
    pub before: Cost,
    pub best: Cost,
    pub planner: Cost,
    /// The worst of the decisions.
    pub worst: Cost,
    pub decisions: u64,
    /// As good as the best.
    pub found_best: u64,
    pub better_than_planner: u64,
    pub worse_than_planner: u64,
    pub agreement: Option<f64>,
    pub fallbacks: u64,
    pub repairs: u64,
    pub forbidden: u64,
}
