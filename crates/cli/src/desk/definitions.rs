//! What `Agent` and `Guardrail` objects mean: they are read as the sections of a scenario that they are, by the very same checks.

use crate::files;
use control::supply::{Limits, SuppliedAgent};
use kubernetes::crd::Kind;
use kubernetes::{Defined, Reader};
use lab::run::Scenario;
use model::document::{Problem, Problems};
use serde_json::{Value, json};
use std::sync::Arc;

/// The limits that a scenario has beside its guardrails.
const LIMITS: [&str; 2] = ["max_load", "max_pending"];

/// Whoever reads them for a desk with this scenario.
pub(super) fn reader(scenario: &Scenario) -> Reader {
    let clusters = scenario.world.clusters.iter().map(|cluster| cluster.name.to_string()).collect();
    let taken = scenario.agents.iter().map(|agent| agent.name.to_string()).collect();
    let known = Known { clusters, taken };
    Reader(Arc::new(move |kind, name, spec| match kind {
        Kind::Agent => known.agent(name, spec).map(Defined::Agent),
        Kind::Guardrail => known.guardrail(spec).map(Defined::Guardrail),
        Kind::Freeze => Err(vec!["a Freeze is read elsewhere".to_owned()]),
    }))
}

/// What the desk's own scenario has.
struct Known {
    clusters: Vec<String>,
    /// Names of its agents.
    taken: Vec<String>,
}

impl Known {
    fn agent(&self, name: &str, spec: &Value) -> Result<SuppliedAgent, Vec<String>> {
        let mut agent = spec.as_object().cloned().ok_or_else(|| vec!["spec: write fields".to_owned()])?;
        agent.insert("name".to_owned(), name.into());
        let read = self.scenario(json!({ "agents": [agent] }));
        let mut problems = read.as_ref().err().map(told).unwrap_or_default();
        if self.taken.iter().any(|taken| taken == name) {
            problems.push(format!(
                "metadata.name: an agent of the desk's scenario is called {name} (choose another name)"
            ));
        }
        let scenario = read.ok().filter(|_| problems.is_empty()).ok_or(problems)?;
        let agent = scenario.agents.into_iter().next().ok_or_else(Vec::new)?;
        Ok(SuppliedAgent {
            name: agent.name,
            every: agent.cadence.every,
            lookback: agent.lookback,
            scope: agent.scope,
            decide: serde_json::to_value(&agent.decide).map_err(|error| vec![error.to_string()])?,
        })
    }

    fn guardrail(&self, spec: &Value) -> Result<Limits, Vec<String>> {
        let fields = spec.as_object().cloned().ok_or_else(|| vec!["spec: write fields".to_owned()])?;
        let (limits, guardrails): (serde_json::Map<_, _>, serde_json::Map<_, _>) =
            fields.clone().into_iter().partition(|(key, _)| LIMITS.contains(&key.as_str()));
        let scenario = self.scenario(json!({ "limits": limits, "guardrails": guardrails }));
        let found = scenario.map_err(|problems| told(&problems))?.control.guardrails;
        let says = |key: &str| fields.contains_key(key);
        Ok(Limits {
            max_snapshot_age: says("max_snapshot_age").then_some(found.max_snapshot_age),
            max_load: found.max_load.filter(|_| says("max_load")),
            max_pending: found.max_pending.filter(|_| says("max_pending")),
            cool_down: says("cool_down").then_some(found.cool_down),
            moves_per_hour: found.moves_per_hour.filter(|_| says("moves_per_hour")),
        })
    }

    /// A scenario with the desk's clusters and these sections.
    fn scenario(&self, sections: Value) -> Result<Scenario, Problems> {
        let pools =
            json!([{ "name": "default", "nodes": 1, "cpu": 1, "memory": "1Gi", "price_per_hour": 0 }]);
        let cluster = |name: &String| json!({ "name": name, "pools": pools });
        let mut whole = json!({
            "drover": "scenario/v1", "name": "objects", "duration": "1h", "workloads": [],
            "clusters": self.clusters.iter().map(cluster).collect::<Vec<_>>(),
        });
        if let (Some(whole), Value::Object(sections)) = (whole.as_object_mut(), sections) {
            whole.extend(sections);
        }
        files::scenario("objects", whole.to_string().as_bytes())
    }
}

/// Everything that is wrong, in the words of the file's checks and with the paths of the object.
fn told(problems: &Problems) -> Vec<String> {
    let line = |problem: &Problem| {
        let path = problem.path.as_str();
        let path = match path.strip_prefix("agents[0]") {
            Some(".name") => "metadata.name".to_owned(),
            Some(rest) => format!("spec{rest}"),
            None => {
                let rest = path.strip_prefix("limits").or_else(|| path.strip_prefix("guardrails"));
                format!("spec{}", rest.unwrap_or_default())
            }
        };
        format!("{path}: {} ({})", problem.message, problem.proposal)
    };
    problems.iter().map(line).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use expect_test::expect;
    use model::ratio::Ratio;
    use model::time::Period;

    fn known() -> Known {
        Known { clusters: vec!["near".to_owned(), "far".to_owned()], taken: vec!["keeper".to_owned()] }
    }

    fn said<T: std::fmt::Debug>(read: Result<T, Vec<String>>) -> String {
        let mut lines = read.unwrap_err().join("\n");
        lines.push('\n');
        lines
    }

    #[test]
    fn an_agent_is_what_it_would_be_in_a_scenario() {
        let spec = json!({
            "when": { "every": "2m" }, "observe": { "lookback": "20m" }, "decide": { "strategy": "planner" },
            "scope": { "clusters": ["near"], "namespaces": ["shop"] },
        });
        let agent = known().agent("helper-of-shop", &spec).unwrap();
        assert_eq!((agent.every, agent.lookback), (Period::from_minutes(2), Period::from_minutes(20)));
        assert_eq!(agent.scope.clusters.len() + agent.scope.namespaces.len(), 2);
        assert_eq!(agent.decide["strategy"], "planner");
        let plain = known().agent("plain", &json!({ "decide": { "strategy": "hold" } })).unwrap();
        assert_eq!(plain.every, Period::from_minutes(1));
    }

    #[test]
    fn everything_that_is_wrong_with_an_agent_is_said_at_once() {
        let spec = json!({
            "when": { "every": "often" }, "decide": { "strategy": "planer", "x": 1 }, "scope": { "clusters": ["ner"] },
        });
        expect![[r#"
            spec.decide.strategy: expected hold, threshold, planner, karmada-native, wasp-heuristic or language-model, found "planer" (did you mean "planner"?)
            spec.scope.clusters[0]: there is no cluster "ner" (did you mean near?)
            spec.when.every: period "often" does not start with a number (write for instance 1m)
            metadata.name: an agent of the desk's scenario is called keeper (choose another name)
        "#]].assert_eq(&said(known().agent("keeper", &spec)));
        expect![[r#"
            spec: missing the key "decide" (add for instance decide: { strategy: hold })
            metadata.name: "Not A Name" is not a name: a name has at most 63 lower-case letters, digits and '-', and begins and ends with a letter or digit (write not-a-name)
        "#]].assert_eq(&said(known().agent("Not A Name", &json!({}))));
        expect![["
            metadata.name: people is a word of the record, which names others by it (write for instance people-agent)
        "]].assert_eq(&said(known().agent("people", &json!({ "decide": { "strategy": "hold" } }))));
    }

    #[test]
    fn a_guardrail_says_only_what_it_says() {
        let limits = known().guardrail(&json!({ "max_load": 0.6, "moves_per_hour": 3 })).unwrap();
        let want =
            Limits { max_load: Some(Ratio::from_percent(60)), moves_per_hour: Some(3), ..Limits::default() };
        assert_eq!(limits, want);
        let spec = json!({ "max_load": 1.5, "cool_down": "soon", "moves_per_our": 3 });
        expect![[r#"
            spec.cool_down: period "soon" does not start with a number (write for instance 10m)
            spec: unknown key "moves_per_our" (did you mean "moves_per_hour"? known keys: cool_down, despite, enforce_limits, freezes, max_snapshot_age, moves_per_hour)
            spec.max_load: expected a number of at least 0 and at most 1, found 1.5 (write at most 1)
        "#]].assert_eq(&said(known().guardrail(&spec)));
    }
}
