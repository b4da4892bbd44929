//! Preemption: whether pods of lower priority can make room for one that fits nowhere, where, and which.

mod budgets;
mod candidates;
mod victims;

pub use budgets::split_by_budget;
pub use candidates::{Candidate, CandidateLimits, Search, least_harmful, search};
pub use victims::{Refusal, Trial, Victim, Victims, select_victims};

use super::queue::{NodeId, PodId};
