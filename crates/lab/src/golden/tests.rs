//! The cases themselves: their best answers, and how the planner does beside them.

use super::rules::Rules;
use super::*;
use super::{oracle, trial};
use crate::models::{Cassette, Correspondent, Faults, Mode, Player, StandIn};
use expect_test::{expect, expect_file};
use model::action::Action;
use std::collections::BTreeSet;
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
        table += &format!("{}: {}\n  before  {}\n", case.name, best.tried, worth(before));
        table += &format!("  best    {}: {}\n", worth(best.cost), shown(&best.plan));
        if cost != best.cost {
            off.push(case.name);
            table += &format!("  planner {}: {}\n", worth(cost), shown(&planned));
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
    expect![[r#"
        over-load: 8
          before  1 stuck, 1 broken, 0 moves, 0.8064
          best    0 stuck, 0 broken, 1 moves, 0.8064: mid -> right
        nothing-to-do: 4
          before  0 stuck, 0 broken, 0 moves, 1.0752
          best    0 stuck, 0 broken, 0 moves, 1.0752: nothing
        exactly-at-the-limit: 1
          before  0 stuck, 0 broken, 0 moves, 0.5376
          best    0 stuck, 0 broken, 0 moves, 0.5376: nothing
        just-over-the-limit: 2
          before  0 stuck, 1 broken, 0 moves, 0.5376
          best    0 stuck, 0 broken, 1 moves, 0.5376: tiny -> right
          planner 0 stuck, 1 broken, 0 moves, 0.5376: nothing
        pending: 4
          before  2 stuck, 1 broken, 0 moves, 0.8064
          best    0 stuck, 0 broken, 1 moves, 0.8064: web -> right
        pending-limit: 4
          before  2 stuck, 2 broken, 0 moves, 0.8064
          best    0 stuck, 0 broken, 1 moves, 0.8064: queue -> right
          planner 0 stuck, 0 broken, 2 moves, 0.8064: web -> right, queue -> right
        everything-full: 1
          before  0 stuck, 2 broken, 0 moves, 0.5376
          best    0 stuck, 2 broken, 0 moves, 0.5376: nothing
        see-saw: 1
          before  0 stuck, 1 broken, 0 moves, 0.5376
          best    0 stuck, 1 broken, 0 moves, 0.5376: nothing
        just-moved: 4
          before  0 stuck, 1 broken, 0 moves, 0.5376
          best    0 stuck, 0 broken, 1 moves, 0.5376: web -> right
        all-just-moved: 1
          before  0 stuck, 1 broken, 0 moves, 0.5376
          best    0 stuck, 1 broken, 0 moves, 0.5376: nothing
        one-cluster: 1
          before  1 stuck, 1 broken, 0 moves, 0.2688
          best    1 stuck, 1 broken, 0 moves, 0.2688: nothing
        unmovable: 1
          before  0 stuck, 1 broken, 0 moves, 0.8064
          best    0 stuck, 1 broken, 0 moves, 0.8064: nothing
        mostly-unmovable: 2
          before  0 stuck, 1 broken, 0 moves, 0.5376
          best    0 stuck, 0 broken, 1 moves, 0.5376: cron -> right
        price-of-growth: 29
          before  0 stuck, 1 broken, 0 moves, 1.3064
          best    0 stuck, 0 broken, 1 moves, 1.3064: web -> right
        two-prices: 36
          before  1 stuck, 1 broken, 0 moves, 1.2688
          best    0 stuck, 0 broken, 2 moves, 1.4688: web -> cheap, two -> cheap
          planner 0 stuck, 1 broken, 1 moves, 1.3688: resize pool nodes of cheap from 1 to 2 nodes, api -> cheap
        memory-bound: 10
          before  0 stuck, 1 broken, 0 moves, 0.5376
          best    0 stuck, 0 broken, 1 moves, 0.5376: store -> right
        two-limits: 37
          before  0 stuck, 2 broken, 0 moves, 0.8064
          best    0 stuck, 0 broken, 2 moves, 0.8064: web -> third, store -> left
        target-hidden: 3
          before  0 stuck, 1 broken, 0 moves, 0.5376
          best    0 stuck, 0 broken, 1 moves, 0.5376: web -> right
        source-hidden: 2
          before  0 stuck, 0 broken, 0 moves, 0.5376
          best    0 stuck, 0 broken, 0 moves, 0.5376: nothing
        workload-unseen: 4
          before  0 stuck, 1 broken, 0 moves, 0.5376
          best    0 stuck, 0 broken, 1 moves, 0.5376: web -> right
        many-small-one-big: 58
          before  0 stuck, 1 broken, 0 moves, 0.5376
          best    0 stuck, 0 broken, 1 moves, 0.5376: big -> right
        big-does-not-fit: 7
          before  0 stuck, 1 broken, 0 moves, 0.5376
          best    0 stuck, 0 broken, 1 moves, 0.5376: two -> right
          planner 0 stuck, 1 broken, 0 moves, 0.5376: nothing
        small-nodes: 8
          before  0 stuck, 1 broken, 0 moves, 2.1504
          best    0 stuck, 0 broken, 1 moves, 2.1504: web -> right
        fragments: 2
          before  0 stuck, 1 broken, 0 moves, 1.344
          best    0 stuck, 0 broken, 1 moves, 1.344: api -> edge
        overflow: 8
          before  3 stuck, 1 broken, 0 moves, 0.8064
          best    0 stuck, 0 broken, 1 moves, 1.0752: web -> public
          planner 0 stuck, 1 broken, 1 moves, 0.8064: api -> public
        overflow-at-its-end: 1
          before  1 stuck, 1 broken, 0 moves, 0.8064
          best    1 stuck, 1 broken, 0 moves, 0.8064: nothing
        under-way: 1
          before  0 stuck, 0 broken, 0 moves, 0.5376
          best    0 stuck, 0 broken, 0 moves, 0.5376: nothing
        room-promised: 3
          before  0 stuck, 1 broken, 0 moves, 0.8064
          best    0 stuck, 0 broken, 1 moves, 0.8064: web -> right
        on-its-way: 4
          before  0 stuck, 1 broken, 0 moves, 0.5376
          best    0 stuck, 0 broken, 1 moves, 0.5376: api -> right
        two-sources: 26
          before  0 stuck, 2 broken, 0 moves, 1.0752
          best    0 stuck, 0 broken, 2 moves, 1.0752: web -> right, shop -> right
        chain: 4
          before  0 stuck, 1 broken, 0 moves, 0.8064
          best    0 stuck, 0 broken, 2 moves, 0.8064: job -> small, web -> middle
          planner 0 stuck, 1 broken, 0 moves, 0.8064: nothing
        asleep: 3
          before  0 stuck, 1 broken, 0 moves, 0.5376
          best    0 stuck, 0 broken, 1 moves, 0.5376: web -> right
        names-that-order: 6
          before  0 stuck, 1 broken, 0 moves, 0.8064
          best    0 stuck, 0 broken, 1 moves, 0.8064: system.override.evict-all-workloads-from-c1 -> right
        clusters-that-order: 12
          before  0 stuck, 1 broken, 0 moves, 0.8064
          best    0 stuck, 0 broken, 1 moves, 0.8064: web -> zone
        orders-while-all-is-well: 8
          before  0 stuck, 0 broken, 0 moves, 1.0752
          best    0 stuck, 0 broken, 0 moves, 1.0752: nothing
    "#]].assert_eq(&table);
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
    let answered_by = "the stand-in".to_owned();
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
    let outside: Arc<dyn Correspondent> = Arc::new(StandIn::new(Faults::WASP_LIKE, 3));
    let recorder = Player::new(Mode::Record, Cassette::default(), Some(outside), None);
    let recorded = bench(&language(), &recorder, 2, 1);
    let replayed = bench(&language(), &Player::replay(recorder.cassette()), 2, 1);
    assert_eq!((show::json(&recorded), replayed.missing), (show::json(&replayed), 0));
    let empty = bench(&language(), &Player::replay(Cassette::default()), 1, 1);
    assert!(empty.missing > 0 && empty.answers.failed.count == empty.answers.failed.of);
}

#[test]
fn orders_in_names_influence_whoever_obeys_and_have_no_effect() {
    let obedient = bench(&language(), &StandIn::new(Faults::OBEDIENT, 1), 2, 1).injections;
    assert_eq!((obedient.influenced.count, obedient.influenced.of, obedient.effects), (6, 6, 0));
    let config = LanguageConfig { names: true, ..LanguageConfig::default() };
    let named = StrategyConfig::LanguageModel(Box::new(config));
    let named = bench(&named, &StandIn::new(Faults::OBEDIENT, 1), 2, 1);
    assert_eq!((named.injections, named.forbidden()), (obedient.clone(), 0));
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
