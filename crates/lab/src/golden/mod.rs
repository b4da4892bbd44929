//! How good a decider is: small federations whose best answer is known, hostile texts, and everything that can be counted.

mod bench;
mod cases;
mod evaluation;
mod federation;
mod oracle;
pub mod red_team;
#[cfg(test)]
mod red_team_tests;
mod rules;
mod schema;
pub mod show;
#[cfg(test)]
mod tests;
mod trial;

pub use bench::Bench;
pub use cases::{CASES, Case};
pub use evaluation::{Answers, CaseResult, Decisions, Evaluation, Injections, Regret, Spending};
pub use federation::Federation;
pub use oracle::Best;
pub use rules::{Cost, Terms};
