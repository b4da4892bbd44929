//! Limits and rules, as people read them.

use control::guardrails::GuardrailConfig;
use control::policy::{Policy, ReviewRule};
use model::ratio::Ratio;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What every plan is held to, and who has to be asked. It stands in the files of the desk and its scenario.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Guardrails {
    pub limits: Vec<LimitItem>,
    /// What passes without a person where the mode is `rules`.
    pub passes: Vec<PassItem>,
    /// What needs more than one person.
    pub approvers: Vec<ApproverItem>,
    /// Whether people may approve plans that they made or changed themselves.
    pub own_plans: bool,
    /// Whether effects are predicted before anybody is asked.
    pub predicts: bool,
}

#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct LimitItem {
    /// As it is called in the scenario: `max_load`.
    pub name: String,
    /// `80 %`, `10m`, `20`; absent where there is no such limit.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub value: Option<String>,
    /// What it means.
    pub says: String,
}

#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct PassItem {
    /// The name under which it approves.
    pub name: String,
    pub rule: String,
}

#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ApproverItem {
    pub people: u32,
    pub rule: String,
}

impl Guardrails {
    pub fn of(limits: &GuardrailConfig, policy: &Policy) -> Self {
        let text = |rule: &ReviewRule| rule.as_str().to_owned();
        let passes = policy.passes.iter();
        let approvers = policy.approvers.iter();
        Self {
            limits: items(limits, policy),
            passes: passes
                .map(|pass| PassItem { name: pass.name.to_string(), rule: text(&pass.when) })
                .collect(),
            approvers: approvers
                .map(|needed| ApproverItem { people: needed.people, rule: text(&needed.when) })
                .collect(),
            own_plans: policy.own_plans,
            predicts: policy.predict,
        }
    }
}

fn items(limits: &GuardrailConfig, policy: &Policy) -> Vec<LimitItem> {
    let item = |name: &str, value: Option<String>, says: &str| LimitItem {
        name: name.to_owned(),
        value,
        says: says.to_owned(),
    };
    let percent = |ratio: Ratio| format!("{} %", ratio.as_f64() * 100.0);
    let mut items = vec![
        item(
            "max_snapshot_age",
            Some(limits.max_snapshot_age.to_string()),
            "A plan on older observations is refused.",
        ),
        item("max_load", limits.max_load.map(percent), "No plan may bring a cluster above this load."),
        item(
            "max_pending",
            limits.max_pending.map(percent),
            "No plan may bring a cluster above this share of pods without a node.",
        ),
        item(
            "cool_down",
            Some(limits.cool_down.to_string()),
            "A workload that moved stays at least this long.",
        ),
        item(
            "ask_again_after",
            policy.ask_again_after.map(|period| period.to_string()),
            "What a person rejected is not recommended again before.",
        ),
        item(
            "moves_per_hour",
            limits.moves_per_hour.map(|moves| moves.to_string()),
            "Moves within an hour over the whole federation.",
        ),
        item(
            "despite",
            (!limits.despite.is_empty())
                .then(|| limits.despite.iter().map(|owner| owner.as_str()).collect::<Vec<_>>().join(", ")),
            "Plans against an autoscaler, a repository or a disruption budget are refused, except against these.",
        ),
    ];
    items.extend(limits.freezes.iter().map(|freeze| {
        let span = format!("from {} until {}", freeze.from, freeze.until);
        item("freeze", Some(span), &format!("Nothing is moved: {}", freeze.reason))
    }));
    items
}
