//! The cases themselves: their best answers, and how the planner does beside them.

use super::federation::NOW;
use super::oracle;
use super::rules::Rules;
use super::*;
use control::strategy::{Outcome, View};
use expect_test::expect;
use model::action::Action;
use std::collections::{BTreeSet, VecDeque};
use strategies::catalogue::StrategyConfig;

fn decided(strategy: &str, federation: &Federation) -> Vec<Action> {
    let mut strategy = StrategyConfig::by_name(strategy).unwrap().build();
    let view = View {
        now: NOW,
        snapshot: &federation.snapshot,
        history: &VecDeque::new(),
        committed: &federation.committed,
        awaiting: &[],
        answer: None,
    };
    match strategy.decide(&view).outcome {
        Outcome::Recommend(drafts) => drafts.into_iter().map(|draft| draft.action).collect(),
        _ => Vec::new(),
    }
}

fn shown(actions: &[Action]) -> String {
    let each = actions.iter().map(|action| match action {
        Action::Migrate { workload, to, .. } => format!("{} -> {to}", workload.name()),
        other => other.to_string(),
    });
    let all: Vec<String> = each.collect();
    if all.is_empty() { "nothing".to_owned() } else { all.join(", ") }
}

fn worth(cost: Cost) -> String {
    format!(
        "{} stuck, {} broken, {} moves, {}",
        cost.stuck_pods, cost.broken_limits, cost.moves, cost.price_per_hour
    )
}

#[test]
fn the_best_answer_of_every_case_and_how_far_the_planner_is_from_it() {
    let mut table = String::new();
    for case in CASES {
        let federation = case.federation();
        let rules = Rules::new(&federation, Terms::default());
        let best = oracle::best(&rules);
        let planned = decided("planner", &federation);
        let (before, cost) = (rules.cost(&[]), rules.cost(&planned));
        table += &format!("{}: {}\n  before  {}\n", case.name, best.tried, worth(before));
        table += &format!("  best    {}: {}\n", worth(best.cost), shown(&best.plan));
        if cost != best.cost {
            table += &format!("  planner {}: {}\n", worth(cost), shown(&planned));
        }
        assert!(rules.refusals(&best.plan).is_empty(), "{}", case.name);
        assert!(rules.refusals(&planned).is_empty(), "{}: {:?}", case.name, rules.refusals(&planned));
    }
    expect![[r#""#]].assert_eq(&table);
}

#[test]
fn cases_have_names_of_their_own_and_there_are_enough() {
    let names: BTreeSet<&str> = CASES.iter().map(|case| case.name).collect();
    assert_eq!(names.len(), CASES.len());
    assert!(CASES.len() >= 25 && CASES.iter().filter(|case| case.hostile).count() >= 3);
    assert!(CASES.iter().all(|case| Case::named(case.name) == Some(case)));
}
