//! Reads a workload's disruption budget, and refuses what Kubernetes could not keep.

use super::raw::{RawDisruptionBudget, RawWorkload};
use crate::controllers::disruption::DisruptionBudget;
use crate::controllers::int_or_percent::IntOrPercent;
use model::names::WorkloadKind;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Serialize};
use std::borrow::Cow;

/// A number of pods, or the text of a percentage, as written.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum CountOrShare {
    Count(u32),
    Text(String),
}

impl JsonSchema for CountOrShare {
    fn schema_name() -> Cow<'static, str> {
        "CountOrShare".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "type": ["integer", "string"],
            "minimum": 0,
            "maximum": u32::MAX,
            "description": "A number of pods such as 1, or a percentage such as 50%.",
        })
    }
}

/// What is wrong with a budget, and what to write instead.
#[derive(Debug)]
pub(super) struct BudgetFault {
    pub(super) message: String,
    pub(super) proposal: String,
}

fn refuse<T>(message: impl Into<String>, proposal: impl Into<String>) -> Result<T, BudgetFault> {
    Err(BudgetFault { message: message.into(), proposal: proposal.into() })
}

pub(super) fn read(raw: &RawWorkload) -> Result<Option<DisruptionBudget>, BudgetFault> {
    let Some(written) = &raw.disruption_budget else { return Ok(None) };
    let budget = match written {
        RawDisruptionBudget::MinAvailable(least) => DisruptionBudget::MinAvailable(bound(least)?),
        RawDisruptionBudget::MaxUnavailable(most) => DisruptionBudget::MaxUnavailable(bound(most)?),
    };
    let kind = raw.kind.as_str();
    match raw.kind {
        WorkloadKind::DaemonSet => {
            return refuse(
                "a drain does not evict the pods of a daemonset, they go with their node",
                "remove `disruption_budget`",
            );
        }
        WorkloadKind::Job | WorkloadKind::CronJob | WorkloadKind::Pod if budget.needs_replicas() => {
            let message =
                format!("a {kind} does not say how many pods it should keep, so nothing could be evicted");
            return refuse(message, "write a number, for instance min_available: 1");
        }
        _ => {}
    }
    Ok(Some(budget))
}

fn bound(written: &CountOrShare) -> Result<IntOrPercent, BudgetFault> {
    let text = match written {
        CountOrShare::Count(count) => return Ok(IntOrPercent::Count(*count)),
        CountOrShare::Text(text) => text.as_str(),
    };
    let parsed = text.parse().ok().map(IntOrPercent::Count).or_else(|| text.parse().ok());
    match parsed {
        Some(IntOrPercent::Percent(percent)) if percent > 100 => {
            refuse(format!("{percent}% of the replicas are more than all"), "write at most 100%")
        }
        Some(bound) => Ok(bound),
        None => refuse(
            format!("{text:?} is neither a number of pods nor a percentage"),
            "write a number such as 1, or a percentage such as 50%",
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn check(kind: &str, bound: &str, text: impl Serialize, want: Result<DisruptionBudget, &str>) {
        let text = json!(text);
        let workload = json!({ "name": "w", "kind": kind, "disruption_budget": { bound: text } });
        let raw: RawWorkload = serde_json::from_value(workload).unwrap();
        match (read(&raw), want) {
            (Ok(budget), Ok(want)) => assert_eq!(budget, Some(want), "{kind} {bound} {text}"),
            (Err(fault), Err(want)) => assert!(fault.message.contains(want), "{fault:?}"),
            (got, want) => panic!("{kind} {bound} {text}: {got:?} instead of {want:?}"),
        }
    }

    #[test]
    fn a_budget_is_one_bound_that_can_be_kept() {
        use DisruptionBudget::{MaxUnavailable, MinAvailable};
        use IntOrPercent::{Count, Percent};
        check("deployment", "min_available", 1, Ok(MinAvailable(Count(1))));
        check("deployment", "min_available", "1", Ok(MinAvailable(Count(1))));
        check("statefulset", "min_available", "50%", Ok(MinAvailable(Percent(50))));
        check("replicaset", "max_unavailable", "100%", Ok(MaxUnavailable(Percent(100))));
        check("job", "min_available", "2", Ok(MinAvailable(Count(2))));
        check("job", "min_available", "50%", Err("does not say how many"));
        check("cronjob", "max_unavailable", "1", Err("does not say how many"));
        check("pod", "max_unavailable", "1", Err("does not say how many"));
        check("daemonset", "min_available", "1", Err("go with their node"));
        check("deployment", "min_available", "101%", Err("more than all"));
        check("deployment", "min_available", "-1", Err("neither"));
        check("deployment", "max_unavailable", "half", Err("neither"));
    }
}
