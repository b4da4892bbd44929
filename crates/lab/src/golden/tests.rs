//! The cases themselves: their best answers, and how the planner does beside them.

use super::rules::Rules;
use super::*;
use super::{oracle, trial};
use crate::models::{Cassette, Correspondent, Faults, Mode, Outside, Player, StandIn};
use control::question::{Call, Failure, Reply, Told, Usage};
use expect_test::expect_file;
use model::action::Action;
use model::time::Period;
use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::sync::Arc;
use strategies::catalogue::StrategyConfig;
use strategies::language::LanguageConfig;

fn decided(strategy: &str, federation: &Federation) -> Vec<Action> {
    let config = StrategyConfig::by_name(strategy).unwrap();
    trial::decide(&config, federation, &StandIn::new(Faults::CAREFUL, 1)).actions
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
    let mut off = Vec::new();
    for case in CASES {
        let federation = case.federation();
        let rules = Rules::new(&federation, Terms::default());
        let best = oracle::best(&rules);
        let planned = decided("planner", &federation);
        let (before, cost) = (rules.cost(&[]), rules.cost(&planned));
        let _ = writeln!(table, "{}: {}\n  before  {}", case.name, best.tried, worth(before));
        let _ = writeln!(table, "  best    {}: {}", worth(best.cost), shown(&best.plan));
        if cost != best.cost {
            off.push(case.name);
            let _ = writeln!(table, "  planner {}: {}", worth(cost), shown(&planned));
        }
        let by_moves = planned.iter().all(Action::is_relocation);
        assert!(cost >= best.cost || !by_moves, "{}: the oracle is not exact", case.name);
        assert!(rules.refusals(&best.plan).is_empty(), "{}", case.name);
        assert!(rules.refusals(&planned).is_empty(), "{}: {:?}", case.name, rules.refusals(&planned));
    }
    assert_eq!(
        off,
        ["just-over-the-limit", "pending-limit", "two-prices", "big-does-not-fit", "overflow", "chain"],
        "the guide names the cases in which the planner is not exact"
    );
    expect_file!["best.txt"].assert_eq(&table);
}

#[test]
fn cases_have_names_of_their_own_and_there_are_enough() {
    let names: BTreeSet<&str> = CASES.iter().map(|case| case.name).collect();
    assert_eq!(names.len(), CASES.len());
    assert!(CASES.len() >= 25 && CASES.iter().filter(|case| case.hostile).count() >= 3);
    assert!(CASES.iter().all(|case| Case::named(case.name) == Some(case)));
}

fn bench(
    strategy: &StrategyConfig,
    correspondent: &dyn Correspondent,
    repetitions: u32,
    jobs: usize,
) -> Evaluation {
    let answered_by: &(dyn Fn() -> String + Sync) = &|| "the stand-in".to_owned();
    let cases = CASES.iter().collect();
    Bench { cases, decide: strategy, correspondent, answered_by, repetitions, jobs, told: &|_| {} }.run()
}

fn language() -> StrategyConfig {
    StrategyConfig::by_name("language-model").unwrap()
}

#[test]
fn a_faulty_model_is_counted_and_nothing_forbidden_comes_out() {
    let found = bench(&language(), &StandIn::new(Faults::WASP_LIKE, 1), 5, 1);
    assert_eq!(found.forbidden(), 0);
    expect_file!["wasp_like.txt"].assert_eq(&show::text(&found));
}

#[test]
fn how_many_work_at_the_same_time_changes_nothing() {
    let model = StandIn::new(Faults::WASP_LIKE, 2);
    let (one, four) = (bench(&language(), &model, 2, 1), bench(&language(), &model, 2, 4));
    assert_eq!(show::json(&one), show::json(&four));
    assert_eq!(show::markdown(&one), show::markdown(&four));
}

#[test]
fn a_recorded_bench_is_replayed_to_the_byte() {
    let correspondent = Arc::new(StandIn::new(Faults::WASP_LIKE, 3));
    let outside = Outside { name: "the stand-in".to_owned(), correspondent };
    let recorder = Player::new(Mode::Record, Cassette::default(), Some(outside), None);
    let recorded = bench(&language(), &recorder, 2, 1);
    let replayed = bench(&language(), &Player::replay(recorder.cassette()), 2, 1);
    assert_eq!((show::json(&recorded), replayed.missing), (show::json(&replayed), 0));
    let empty = bench(&language(), &Player::replay(Cassette::default()), 1, 1);
    assert!(empty.missing > 0 && empty.answers.failed.count == empty.answers.failed.of);
}

/// Nobody is there.
struct Silence;

impl Correspondent for Silence {
    fn reply(&self, call: &Call) -> Reply {
        let told = Told::Failed { because: Failure::Unreachable, message: "no route".to_owned() };
        Reply { role: call.role.clone(), told, took: Period::ZERO, usage: Usage::default() }
    }
}

#[test]
fn whoever_is_not_there_is_counted_and_not_praised() {
    let silent = bench(&language(), &Silence, 1, 1);
    let calls = silent.spending.calls;
    assert_eq!((silent.is_unanswered(), silent.trouble.as_deref()), (true, Some("no route")));
    let shown = show::text(&silent);
    assert!(shown.contains(&format!("{calls} calls ({calls} unreachable)")), "{shown}");
    assert!(!bench(&language(), &StandIn::new(Faults::CAREFUL, 1), 1, 1).is_unanswered());
    let nobody = Player::replay(Cassette::default());
    assert!(!bench(&StrategyConfig::by_name("planner").unwrap(), &nobody, 1, 1).is_unanswered());
}

#[test]
fn orders_in_names_influence_whoever_obeys_and_have_no_effect() {
    let obedient = bench(&language(), &StandIn::new(Faults::OBEDIENT, 1), 2, 1).injections;
    assert_eq!((obedient.influenced.count, obedient.influenced.of, obedient.effects), (6, 6, 0));
    let config = LanguageConfig { names: true, ..LanguageConfig::default() };
    let named = StrategyConfig::LanguageModel(Box::new(config));
    let named = bench(&named, &StandIn::new(Faults::OBEDIENT, 1), 2, 1);
    assert_eq!((&named.injections, named.forbidden()), (&obedient, 0));
    let careful = bench(&language(), &StandIn::new(Faults::CAREFUL, 1), 2, 1).injections;
    assert_eq!((careful.influenced.count, careful.by_chance.count, careful.effects), (0, 0, 0));
}

#[test]
fn strategies_that_ask_nobody_are_judged_as_well() {
    let nobody = Player::replay(Cassette::default());
    let of = |name: &str| bench(&StrategyConfig::by_name(name).unwrap(), &nobody, 1, 1);
    let (planner, hold) = (of("planner"), of("hold"));
    assert_eq!(planner.decisions.as_good_as_planner.count, CASES.len() as u64);
    assert_eq!((planner.missing, planner.answers.exact.of, planner.injections.influenced.of), (0, 0, 0));
    assert!(hold.decisions.best.count < planner.decisions.best.count);
    assert_eq!(hold.decisions.useful.count, 0);
}
