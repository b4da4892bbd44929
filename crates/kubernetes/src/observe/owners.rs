//! Who else has a say about a workload: budgets that limit how many of its pods may go, and autoscalers that set its number.

use k8s_openapi::api::autoscaling::v2::HorizontalPodAutoscaler;
use k8s_openapi::api::policy::v1::PodDisruptionBudget;
use k8s_openapi::apimachinery::pkg::apis::meta::v1::{LabelSelector, LabelSelectorRequirement};
use model::names::{WorkloadKind, WorkloadRef};
use std::collections::BTreeMap;

/// A disruption budget.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct BudgetFact {
    pub(crate) namespace: String,
    pub(crate) selector: LabelSelector,
    /// How many pods may go now.
    pub(crate) allowed: u32,
}

/// A horizontal autoscaler.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct AutoscalerFact {
    pub(crate) name: String,
    pub(crate) workload: WorkloadRef,
}

pub(crate) fn budget(object: &PodDisruptionBudget) -> Option<BudgetFact> {
    let spec = object.spec.as_ref()?;
    let status = object.status.as_ref();
    // What the controller has not reckoned since the budget was changed allows nothing.
    let is_fresh = status.is_some_and(|status| status.observed_generation >= object.metadata.generation);
    let allowed = status.map_or(0, |status| status.disruptions_allowed);
    Some(BudgetFact {
        namespace: object.metadata.namespace.clone()?,
        selector: spec.selector.clone()?,
        allowed: if is_fresh { u32::try_from(allowed).unwrap_or(0) } else { 0 },
    })
}

pub(crate) fn autoscaler(object: &HorizontalPodAutoscaler) -> Option<AutoscalerFact> {
    let target = &object.spec.as_ref()?.scale_target_ref;
    let kind = match target.kind.as_str() {
        "Deployment" => WorkloadKind::Deployment,
        "StatefulSet" => WorkloadKind::StatefulSet,
        _ => return None,
    };
    let workload = WorkloadRef::new(kind, object.metadata.namespace.as_deref()?, &target.name).ok()?;
    Some(AutoscalerFact { name: object.metadata.name.clone()?, workload })
}

impl BudgetFact {
    /// An empty selector of a budget chooses every pod of its namespace.
    pub(crate) fn covers(&self, namespace: &str, labels: &BTreeMap<String, String>) -> bool {
        let equal = self.selector.match_labels.iter().flatten();
        let mut required = self.selector.match_expressions.iter().flatten();
        self.namespace == namespace
            && equal.into_iter().all(|(key, value)| labels.get(key) == Some(value))
            && required.all(|one| is_met(one, labels))
    }
}

fn is_met(required: &LabelSelectorRequirement, labels: &BTreeMap<String, String>) -> bool {
    let found = labels.get(&required.key);
    let is_listed = || found.is_some_and(|value| required.values.iter().flatten().any(|one| one == value));
    match required.operator.as_str() {
        "In" => is_listed(),
        "NotIn" => !is_listed(),
        "Exists" => found.is_some(),
        "DoesNotExist" => found.is_none(),
        // A word that is not known chooses nothing.
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};

    #[test]
    fn a_budget_covers_what_its_selector_chooses() {
        let labels = BTreeMap::from([("app".to_owned(), "web".to_owned())]);
        let check = |selector: Value, want: bool| {
            let made: PodDisruptionBudget = serde_json::from_value(json!({
                "metadata": { "name": "b", "namespace": "shop", "generation": 2 },
                "spec": { "selector": selector },
                "status": { "observedGeneration": 2, "disruptionsAllowed": 1, "currentHealthy": 2, "desiredHealthy": 1, "expectedPods": 2 } }))
            .unwrap();
            let made = budget(&made).unwrap();
            assert_eq!((made.covers("shop", &labels), made.allowed), (want, 1), "{selector}");
            assert!(!made.covers("bank", &labels));
        };
        let expression = |operator: &str, values: Value| json!({ "matchExpressions": [{ "key": "app", "operator": operator, "values": values }] });
        check(json!({}), true);
        check(json!({ "matchLabels": { "app": "web" } }), true);
        check(json!({ "matchLabels": { "app": "db" } }), false);
        check(expression("In", json!(["db", "web"])), true);
        check(expression("NotIn", json!(["web"])), false);
        check(expression("Exists", json!([])), true);
        check(expression("DoesNotExist", json!([])), false);
        check(expression("Resembles", json!([])), false);
    }

    #[test]
    fn a_budget_that_was_not_reckoned_anew_allows_nothing() {
        let made: PodDisruptionBudget = serde_json::from_value(json!({
            "metadata": { "name": "b", "namespace": "shop", "generation": 3 }, "spec": { "selector": {} },
            "status": { "observedGeneration": 2, "disruptionsAllowed": 1, "currentHealthy": 2, "desiredHealthy": 1, "expectedPods": 2 } }))
        .unwrap();
        assert_eq!(budget(&made).unwrap().allowed, 0);
    }
}
