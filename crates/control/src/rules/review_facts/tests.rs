//! Facts of small federations, and the guide against the schema.

use super::*;
use crate::projection::Projection;
use crate::rules::Rule;
use crate::testing::{World, action, moment};
use expect_test::{expect, expect_file};
use model::hash::ContentHash;
use model::names::{AgentName, ReviewerName};
use model::prediction::{Estimate, Millionths, Outlook, PlanOutlook};
use model::recommendation::{Rationale, RecommendationId};
use model::risk::Assessment;
use model::time::Period;
use std::collections::BTreeSet;

const WORLD: &str = "
    cluster east 2x4 max=3
    cluster north 2x4 hidden
    cluster west 4x4 auto
    web 1 east=6+2 moved=5:00
    batch/jobs 1 west=2
    db 1 west=1 hidden
";

const GUIDE: &str = include_str!("../../../../../docs/guide/rules.md");
const TABLE_BEGINS: &str = "<!-- facts -->\n";
const TABLE_ENDS: &str = "<!-- end of facts -->\n";

fn recommend(text: &str) -> (Recommendation, Snapshot) {
    let snapshot = World::new(WORLD).snapshot(moment("20:00"));
    let action = action(text);
    let before = Projection::of(&snapshot);
    let after = Projection::after(&snapshot, [&action]);
    let recommendation = Recommendation {
        id: RecommendationId(1),
        batch: 1,
        agent: AgentName::new("keep-headroom").unwrap(),
        expected: before.impact(&after, &action),
        action,
        because: Rationale::default(),
        risk: Assessment::of(vec![RiskReason::ManyReplicas { replicas: 8 }, RiskReason::PartlyBlind]),
        planned_by: Some(ReviewerName::new("ada").unwrap()),
        undoes: None,
        observed_at: moment("20:00"),
        raised_at: moment("20:01"),
        expires_at: moment("30:00"),
        hash: ContentHash::ZERO,
    };
    (recommendation.sealed(), snapshot)
}

fn prediction(of: RecommendationId) -> Prediction {
    let estimate = |mean: f64, low: f64, high: f64| {
        let [mean, low, high] = [mean, low, high].map(Millionths::nearest);
        Estimate { mean, low, high }
    };
    let measured = |measure, subject| PredictedMeasure {
        measure,
        subject,
        without: estimate(2.0, 1.0, 3.0),
        with: estimate(0.5, 0.0, 1.25),
        difference: estimate(-1.5, -2.0, -1.0),
    };
    let cluster = |name: &str| Subject::Cluster(ClusterName::new(name).unwrap());
    let measures = vec![
        measured(Measure::PendingPods, Subject::Federation),
        measured(Measure::CpuLoad, cluster("west")),
        measured(Measure::MemoryLoad, cluster("east")),
        measured(Measure::LatencyP95, Subject::Workload("default/web".parse().unwrap())),
        measured(Measure::LostRequests, Subject::Workload("default/other".parse().unwrap())),
    ];
    let plan = PlanOutlook {
        id: of,
        done: 4,
        failed: 1,
        rolled_back: 0,
        unfinished: 0,
        takes: None,
        reasons: vec![],
    };
    Prediction {
        of: vec![of],
        made_at: moment("20:10"),
        horizon: Period::from_minutes(30),
        seeds: 5,
        confidence: Ratio::from_percent(95),
        limitations: vec![],
        alone: Outlook { measures, plans: vec![plan] },
        jointly: None,
        together_with: vec![],
    }
}

fn context(prediction: &Prediction) -> ReviewContext<'_> {
    let record = TrackRecord { predicted: 12, inside: 9 };
    ReviewContext { now: moment("20:30"), prediction: Some(prediction), record }
}

fn shown(action: &str, context: &ReviewContext<'_>) -> String {
    let (recommendation, snapshot) = recommend(action);
    let facts = facts(&recommendation, &snapshot, context);
    assert!(schema().fits(&facts), "{facts:?}");
    facts.iter().map(|(name, value)| format!("{name}: {value}")).collect::<Vec<_>>().join("\n")
}

#[test]
fn facts_of_a_migration() {
    expect![[r#"
        action: {clusters: ["east", "west"], from: "east", kind: "migrate", replicas: 8, to: "west"}
        agent: "keep-headroom"
        agent_record: {inside: 0.75, predictions: 12}
        clusters: {east: {autoscaled: false, cores: 8.0, load: 0.75, memory_gib: 8.0, pending: 2}, north: {}, west: {autoscaled: true, cores: 16.0, load: 0.1875, memory_gib: 16.0, pending: 0}}
        cost: {per_hour_after: 0.8, per_hour_before: 0.8}
        evidence_age: 30s
        plan: {is_undo: false, made_by: "ada"}
        pods_moved: 8
        predicted: {cpu_load: {after: 0.5, before: 2.0, high: 1.25, low: 0.0}, done: 0.8, latency_p95: {after: 0.5, before: 2.0, high: 1.25, low: 0.0}, pending_pods: {after: 0.5, before: 2.0, high: 1.25, low: 0.0}}
        risk: "medium"
        risk_reasons: ["many_replicas", "partly_blind"]
        source: {load_after: 0.0, load_before: 0.75, pending_after: 0, pending_before: 2}
        target: {load_after: 0.6875, load_before: 0.1875, pending_after: 0, pending_before: 0}
        workload: {kind: "deployment", moved_ago: 15m30s, name: "web", namespace: "default", pending: 2, priority: 0, replicas: 8}"#]].assert_eq(&shown("migrate web x8 east west", &context(&prediction(RecommendationId(1)))));
}

#[test]
fn what_is_not_known_is_not_there() {
    let unknown =
        |action: &str| shown(action, &ReviewContext { now: moment("20:30"), ..ReviewContext::default() });
    let lines = |text: &str| -> String {
        let wanted = ["action", "workload", "source", "target", "predicted", "agent_record", "risk:"];
        let kept = text.lines().filter(|line| wanted.iter().any(|name| line.starts_with(name)));
        kept.collect::<Vec<_>>().join("\n")
    };
    let actions = ["scale web east 8 6", "resize east 2 3", "move web east n0 n1", "keep db west"];
    let all: Vec<String> =
        actions.iter().map(|action| format!("{action}\n{}\n", lines(&unknown(action)))).collect();
    expect![[r#"
        scale web east 8 6
        action: {clusters: ["east"], kind: "scale", replicas: 6, scale_by: -2}
        agent_record: {predictions: 0}
        predicted: {}
        risk: "medium"
        source: {}
        target: {load_after: 0.75, load_before: 0.75, pending_after: 0, pending_before: 2}
        workload: {kind: "deployment", moved_ago: 15m30s, name: "web", namespace: "default", pending: 2, priority: 0, replicas: 8}

        resize east 2 3
        action: {clusters: ["east"], kind: "resize_pool", pool: "nodes", scale_by: 1}
        agent_record: {predictions: 0}
        predicted: {}
        risk: "medium"
        source: {}
        target: {load_after: 0.666666, load_before: 0.75, pending_after: 0, pending_before: 2}
        workload: {}

        move web east n0 n1
        action: {clusters: ["east"], kind: "move"}
        agent_record: {predictions: 0}
        predicted: {}
        risk: "medium"
        source: {}
        target: {load_after: 0.75, load_before: 0.75, pending_after: 2, pending_before: 2}
        workload: {kind: "deployment", moved_ago: 15m30s, name: "web", namespace: "default", pending: 2, priority: 0, replicas: 8}

        keep db west
        action: {clusters: ["west"], kind: "hold"}
        agent_record: {predictions: 0}
        predicted: {}
        risk: "medium"
        source: {}
        target: {load_after: 0.1875, load_before: 0.1875, pending_after: 0, pending_before: 0}
        workload: {kind: "deployment", name: "db", namespace: "default"}
    "#]].assert_eq(&all.join("\n"));
}

#[test]
fn rules_about_recommendations() {
    let (recommendation, snapshot) = recommend("migrate web x8 east west");
    let prediction = prediction(recommendation.id);
    let facts = facts(&recommendation, &snapshot, &context(&prediction));
    let check = |text: &str, expected: Result<bool, &str>| {
        let rule = Rule::parse(text, &schema()).unwrap_or_else(|problems| panic!("{text}: {problems:?}"));
        let outcome = rule.evaluate(&facts).map_err(|error| error.to_string());
        assert_eq!(outcome, expected.map_err(str::to_owned), "{text}");
    };
    check("action.kind == 'migrate' && action.to == 'west' && target.load_after < 0.8", Ok(true));
    check("workload.kind == 'deployment' && workload.namespace == 'default'", Ok(true));
    check("workload.moved_ago >= duration('15m30s')", Ok(true));
    check("double(workload.pending) / double(workload.replicas) > 0.2", Ok(true));
    check("cost.per_hour_after - cost.per_hour_before <= 0.5", Ok(true));
    check("evidence_age < duration('1m')", Ok(true));
    check("predicted.pending_pods.after < predicted.pending_pods.before && predicted.done >= 0.8", Ok(true));
    check("predicted.cpu_load.high <= 1.25 && predicted.latency_p95.low == 0.0", Ok(true));
    check(
        "has(predicted.memory_load) || has(predicted.power.after) || has(predicted.lost_requests.after)",
        Ok(false),
    );
    check("'many_replicas' in risk_reasons && !('stateful' in risk_reasons) && risk == 'medium'", Ok(true));
    check("plan.made_by == 'ada' && !plan.is_undo", Ok(true));
    check("agent_record.predictions >= 10 && agent_record.inside >= 0.8", Ok(false));
    // The north is hidden: nobody can say that all clusters have room, but somebody can say that one has none.
    check(
        "clusters.all(name, clusters[name].load < 0.9)",
        Err("`clusters[name].load` is not known; ask for it with has(clusters[name].load)"),
    );
    check("clusters.exists(name, clusters[name].load > 0.7)", Ok(true));
    check("clusters[action.to].autoscaled", Ok(true));
}

#[test]
fn the_guide_lists_every_fact() {
    let (before, rest) = GUIDE.split_once(TABLE_BEGINS).expect("the guide has a table of facts");
    let (_, after) = rest.split_once(TABLE_ENDS).expect("the table has an end");
    let page = format!("{before}{TABLE_BEGINS}\n{}\n{TABLE_ENDS}{after}", table());
    expect_file!["../../../../../docs/guide/rules.md"].assert_eq(&page);
}

/// All predicted measures have the same fields, which are listed once.
fn table() -> String {
    let mut rows: Vec<String> =
        vec!["| fact | type | always known | meaning |".to_owned(), "|---|---|---|---|".to_owned()];
    let (measures, others): (Vec<_>, Vec<_>) =
        schema().lines().into_iter().partition(|line| line.path.matches('.').count() == 2);
    let mut seen = BTreeSet::new();
    let fields = measures.into_iter().filter_map(|mut line| {
        let field = line.path.rsplit('.').next().unwrap_or_default().to_owned();
        line.path = format!("predicted.<measure>.{field}");
        seen.insert(field).then_some(line)
    });
    let mut lines = others;
    let behind = lines.iter().rposition(|line| line.path.starts_with("predicted.")).unwrap() + 1;
    lines.splice(behind..behind, fields.collect::<Vec<_>>());
    rows.extend(lines.iter().map(|line| {
        let is_measured = line.path.contains("<measure>");
        let known = if is_measured {
            "with the measure"
        } else if line.optional {
            "no"
        } else {
            "yes"
        };
        format!("| `{}` | {} | {known} | {} |", line.path, line.of, line.description)
    }));
    rows.join("\n") + "\n"
}

#[test]
fn a_prediction_about_something_else_says_nothing() {
    let (recommendation, snapshot) = recommend("migrate web x8 east west");
    let other = prediction(RecommendationId(2));
    let facts = facts(&recommendation, &snapshot, &context(&other));
    assert_eq!(facts.get("predicted"), Some(&Value::object([])));
}

#[test]
fn reasons_are_called_as_in_the_journal() {
    let reasons = [RiskReason::ToZero, RiskReason::PartlyBlind, RiskReason::ManyReplicas { replicas: 3 }];
    for reason in reasons {
        let written = serde_json::to_value(&reason).unwrap();
        assert_eq!(written["reason"], reason_word(&reason));
        assert!(REASONS.contains(&reason_word(&reason)));
    }
    for (name, measure, ..) in MEASURES {
        assert_eq!(serde_json::to_value(measure).unwrap(), name);
    }
}

#[test]
fn the_rules_of_the_guide_are_accepted() {
    let rules: Vec<&str> =
        GUIDE.split("```cel\n").skip(1).filter_map(|rest| rest.split("```").next()).collect();
    assert!(rules.len() >= 5, "the guide shows rules");
    for text in rules {
        let problems = Rule::parse(text, &schema()).err().unwrap_or_default();
        assert!(problems.is_empty(), "{text}{problems:?}");
    }
}
