//! Several answers at once: each counts for exactly the plan that was read, and one that fails does not stop the others.

use super::decisions::{self, Decision, DecisionVerdict};
use crate::access::{Caller, Right};
use crate::api::answer::Json;
use crate::api::endpoint::{Endpoint, post};
use crate::api::extract::Body;
use crate::api::problem::{Kind, Problem};
use crate::api::wire::RecommendationItem;
use crate::desk::Desk;
use axum::extract::State;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Nobody reads more than this before saying yes.
const MOST: usize = 100;

pub(super) fn endpoints() -> Vec<Endpoint> {
    vec![
        post("/api/v1/decisions", "decideMany", decide)
            .does("Answer several recommendations at once")
            .needs(Right::Decide)
            .narrowed()
            .body::<Batch>()
            .slow()
            .answers::<Vec<BatchResult>>()
            .may_refuse(&[Kind::NotReady]),
    ]
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct Batch {
    verdict: DecisionVerdict,
    #[schemars(length(min = 1, max = 100))]
    items: Vec<BatchItem>,
    /// Why; a rejection must say it.
    #[schemars(length(max = 2000))]
    note: Option<String>,
    /// With defer: for how many seconds of the federation's own time.
    #[schemars(range(min = 1, max = 86_400))]
    defer_seconds: Option<u64>,
}

#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct BatchItem {
    id: String,
    /// The `planHash` that was read.
    #[schemars(regex(pattern = "^[0-9a-f]{64}$"))]
    plan_hash: String,
    /// The `version` that was read.
    version: i64,
}

/// What became of one of them.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct BatchResult {
    id: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    recommendation: Option<RecommendationItem>,
    #[serde(skip_serializing_if = "Option::is_none")]
    problem: Option<Problem>,
}

async fn decide(
    State(desk): State<Desk>,
    caller: Caller,
    Body(batch): Body<Batch>,
) -> Result<Json<Vec<BatchResult>>, Problem> {
    if batch.items.is_empty() || batch.items.len() > MOST {
        let problem = Problem::new(Kind::Validation, format!("Answer 1 to {MOST} at once."));
        return Err(problem.with_field("items", format!("1 to {MOST} of them")));
    }
    // What cannot be meant is refused as a whole, before anything is decided.
    let decision = |item: &BatchItem| Decision {
        verdict: batch.verdict,
        plan_hash: item.plan_hash.clone(),
        note: batch.note.clone(),
        defer_seconds: batch.defer_seconds,
    };
    batch.items.iter().try_for_each(|item| decision(item).check())?;
    let mut results = Vec::with_capacity(batch.items.len());
    for item in &batch.items {
        let decision = decision(item);
        let done = decisions::answer(&desk, &caller, &item.id, &decision, item.version).await;
        let (recommendation, problem) = match done {
            Ok(detail) => (Some(detail.item), None),
            Err(problem) => (None, Some(problem)),
        };
        results.push(BatchResult { id: item.id.clone(), recommendation, problem });
    }
    Ok(Json(results))
}
