//! Migrations through a Karmada made of a few maps, with every fault that real ones have: lost answers, conflicts, blindness,
//! deaths. Whatever happens, as many replicas stay ready as there were, and the end is what was observed.

use super::course::{Course, Move};
use super::karmada_objects::REMINDED;
use super::order::Change;
use super::pretended_karmada::{Federation, REPLICAS};
use super::sight::{KarmadaSight, Object, Sight};
use super::task::{Manner, Task};
use super::testing::{Luck, Pretended, TICK, cluster, run, steps, timeouts};
use crate::clock::Wall;
use crate::trouble::Trouble;
use control::world::Applied;
use model::action::Action;
use model::execution::{Progress, Step};
use model::hash::ContentHash;
use model::recommendation::RecommendationId;
use model::time::{Period, Timestamp};
use serde_json::{Value, json};
use std::collections::BTreeMap;

pub(super) fn task() -> Task {
    let action = Action::Migrate {
        workload: "shop/web".parse().unwrap(),
        from: cluster("one"),
        to: cluster("two"),
        replicas: REPLICAS,
    };
    let manner = Manner { through_karmada: true, ..Manner::default() };
    Task::new(RecommendationId(7), ContentHash::ZERO, &action, manner)
}

/// Runs a migration, and holds all the while that enough is ready.
pub(super) fn run_watched(
    federation: &mut Federation,
    luck: &mut Luck,
    mut meddle: impl FnMut(u64, &mut Course, &mut Federation),
) -> (Applied, Progress) {
    run(&task(), federation, luck, |tick, course, federation| {
        assert!(
            federation.ready() >= REPLICAS,
            "{} ready at {tick}: {:?}",
            federation.ready(),
            course.progress
        );
        meddle(tick, course, federation);
    })
}

pub(super) fn moved() -> BTreeMap<&'static str, Option<u32>> {
    [("one", None), ("two", Some(REPLICAS))].into()
}

pub(super) fn stayed() -> BTreeMap<&'static str, Option<u32>> {
    [("one", Some(REPLICAS)), ("two", None)].into()
}

#[test]
fn the_target_is_ready_before_the_source_leaves() {
    for mut federation in [Federation::shared(), Federation::exclusive()] {
        let (outcome, progress) = run_watched(&mut federation, &mut Luck::good(), |_, _, _| {});
        assert_eq!(outcome, Applied::Done);
        let want = [
            Step::OrderSent,
            Step::OrderTaken,
            Step::TargetMaking,
            Step::TargetReady,
            Step::SourceLeaving,
            Step::SourceGone,
            Step::Done,
        ];
        assert_eq!(steps(&progress), want);
        assert_eq!((federation.members, federation.deletes), (moved(), 0));
    }
}

#[test]
fn whatever_goes_wrong_nothing_is_missing_and_the_end_is_true() {
    let mut outcomes = BTreeMap::<&str, u32>::new();
    let mut reminded = 0;
    for seed in 0..600 {
        let mut federation = if seed % 2 == 0 { Federation::shared() } else { Federation::exclusive() };
        let mut luck = Luck { state: seed, bad: 20 + seed % 250 };
        // Whoever dies every few seconds waits for nothing long enough to remind anybody of it.
        federation.is_restful = luck.bad < 40;
        let abort_at = if seed % 3 == 0 { luck.draw(40) } else { u64::MAX };
        let (outcome, _) = run_watched(&mut federation, &mut luck, |tick, course, _| {
            // Whoever gave up says so again after a death: the wish is written down.
            if tick >= abort_at {
                course.take_back("given up", Timestamp(tick * TICK));
            }
        });
        let (name, want) = match &outcome {
            Applied::Done => ("done", moved()),
            Applied::RolledBack { .. } => ("back", stayed()),
            // It rested twice, and there was no time left for a third reminder.
            Applied::Failed { reason }
                if federation.is_restful && reason.starts_with("the target is ready") =>
            {
                ("late", moved())
            }
            Applied::Failed { reason } => panic!("seed {seed}: {reason}"),
        };
        federation.is_resting = false;
        *outcomes.entry(name).or_default() += 1;
        for _ in 0..5 {
            federation.tick();
        }
        assert_eq!(federation.members, want, "seed {seed}: {outcome:?}");
        let is_marked = federation.template["metadata"]["labels"][REMINDED].is_string();
        assert!(!is_marked || name == "late", "seed {seed}: {outcome:?} left its mark");
        reminded += u32::from(federation.reminders > 0 && name == "back");
    }
    assert!(reminded > 0, "nothing was reminded of what it takes back");
    assert!(outcomes["done"] > 300 && outcomes["back"] > 50, "{outcomes:?}");
}

#[test]
fn a_karmada_that_rests_is_reminded() {
    for mut federation in [Federation::shared(), Federation::exclusive()] {
        federation.is_restful = true;
        let (outcome, progress) = run_watched(&mut federation, &mut Luck::good(), |_, _, _| {});
        assert_eq!((outcome, federation.members), (Applied::Done, moved()), "{progress:?}");
        assert!(federation.reminders >= 1, "nothing else ends its rest");
        assert_eq!(federation.template["metadata"]["labels"], json!({}), "the mark is taken away");
    }
    let mut healthy = Federation::shared();
    run_watched(&mut healthy, &mut Luck::good(), |_, _, _| {});
    assert_eq!(healthy.reminders, 0, "whoever is quick is left alone");
}

#[test]
fn a_karmada_that_rests_is_reminded_of_what_is_taken_back() {
    let mut federation = Federation::shared();
    (federation.is_restful, federation.haste) = (true, 0);
    let (outcome, _) = run_watched(&mut federation, &mut Luck::good(), |_, _, _| {});
    assert!(matches!(outcome, Applied::RolledBack { .. }), "{outcome:?}");
    assert_eq!(federation.members, stayed());
    assert_eq!(federation.template["metadata"]["labels"], json!({}), "the mark is taken away");
}

#[test]
fn a_reminder_that_is_refused_changes_nothing() {
    let mut federation = Federation::shared();
    let mut course = Course::begin(task(), timeouts(), Timestamp(0));
    let (mut reminded, mut now) = (Vec::new(), Timestamp(0));
    let outcome = loop {
        now = now.saturating_add(Period(TICK));
        // Nobody does anything: it is never scheduled to the target.
        match course.judge(&federation.sight(&task()), now, Wall(0)) {
            Move::Give(order) => drop(course.answered(&federation.give(&order), now)),
            Move::Remind(_) => {
                reminded.push(now.0 / 1_000);
                let refusal = Err(Trouble::Refused("denied by policy (403)".to_owned()));
                assert!(matches!(course.reminded(&refusal, now), Move::LookAgain(_)));
            }
            Move::Tidy(order) => panic!("there is no mark to take away: {order}"),
            Move::LookAgain(_) => {}
            Move::End(outcome) => break outcome,
        }
    };
    assert!(matches!(outcome, Applied::RolledBack { .. }), "{outcome:?}");
    assert_eq!(reminded, [21, 41], "again and again, until the minute is over");
}

#[test]
fn a_target_that_does_not_become_ready_is_given_up_and_the_policy_given_back() {
    let mut federation = Federation::shared();
    federation.haste = 0;
    let (outcome, progress) = run_watched(&mut federation, &mut Luck::good(), |_, _, _| {});
    let reason = "not done within 1m: 0 of 8 replicas are ready in two".to_owned();
    assert_eq!(outcome, Applied::RolledBack { reason });
    assert_eq!(&steps(&progress)[3..], [Step::TakingBack, Step::TakenBack]);
    assert_eq!((federation.deletes, federation.policies.len()), (1, 1));
    let mut kept = Federation::exclusive();
    kept.haste = 0;
    run_watched(&mut kept, &mut Luck::good(), |_, _, _| {});
    let placement = &kept.policies["web"]["spec"]["placement"];
    assert_eq!(*placement, json!({ "clusterAffinity": { "clusterNames": ["one"] } }));
}

#[test]
fn it_can_be_given_up_at_every_moment() {
    for at in 1..16 {
        let mut federation = Federation::shared();
        let (outcome, _) = run_watched(&mut federation, &mut Luck::good(), |tick, course, _| {
            if tick == at {
                course.take_back("given up", Timestamp(tick * TICK));
            }
        });
        if outcome != Applied::Done {
            assert_eq!(outcome, Applied::RolledBack { reason: "given up".to_owned() }, "at {at}");
            assert_eq!(federation.members, stayed(), "at {at}");
        }
    }
}

#[test]
fn nothing_is_taken_away_while_the_source_cannot_be_seen() {
    let mut federation = Federation::shared();
    for _ in 0..3 {
        federation.tick();
    }
    let mut course = Course::begin(task(), timeouts(), Timestamp(0));
    let mut orders = 0;
    for tick in 1..100 {
        federation.tick();
        let mut sight = federation.sight(&task());
        if federation.members["two"] == Some(REPLICAS) {
            sight.members.insert(cluster("one"), Err("no answer".to_owned()));
        }
        if let Move::Give(order) = course.judge(&sight, Timestamp(tick * TICK), Wall(0)) {
            orders += 1;
            let answer = federation.give(&order);
            course.answered(&answer, Timestamp(tick * TICK));
        }
    }
    assert_eq!(
        (orders, federation.members["one"]),
        (2, Some(REPLICAS)),
        "the policy, the claim, and nothing more"
    );
    assert!(steps(&course.progress).contains(&Step::OrderDelayed));
}

#[test]
fn what_cannot_be_done_is_refused_before_anything_is_changed() {
    let check = |spoil: fn(&mut Federation, &mut Sight), want: &str| {
        let mut federation = Federation::shared();
        let mut sight = federation.sight(&task());
        spoil(&mut federation, &mut sight);
        let mut course = Course::begin(task(), timeouts(), Timestamp(0));
        let Move::End(Applied::Failed { reason }) = course.judge(&sight, Timestamp(1), Wall(0)) else {
            panic!("{want}: not refused")
        };
        assert!(reason.contains(want), "{reason}");
    };
    check(|_, sight| with(sight, |karmada| karmada.template = None), "Karmada has no template");
    check(
        |_, sight| with(sight, |karmada| karmada.scheduled.extend([("three".to_owned(), 2)])),
        "divided over three",
    );
    check(|_, sight| with(sight, |karmada| karmada.ready_clusters.clear()), "two has not joined Karmada");
    check(
        |_, sight| {
            let Ok(member) = sight.members.get_mut(&cluster("one")).unwrap() else {
                unreachable!("it is seen")
            };
            member.holding.as_mut().unwrap().0["spec"]["replicas"] = 5.into();
        },
        "5 replicas in one, not 8",
    );
}

#[test]
fn what_karmada_did_not_make_is_not_taken_for_the_target() {
    let foreign = Object(json!({ "metadata": { "generation": 1 }, "spec": { "replicas": REPLICAS },
        "status": { "observedGeneration": 1, "updatedReplicas": REPLICAS, "availableReplicas": REPLICAS } }));
    let begin = |name: &str| {
        let mut sight = Federation::shared().sight(&task());
        let Ok(member) = sight.members.get_mut(&cluster(name)).unwrap() else { unreachable!("it is seen") };
        member.holding = Some(foreign.clone());
        Course::begin(task(), timeouts(), Timestamp(0)).judge(&sight, Timestamp(1), Wall(0))
    };
    for name in ["one", "two"] {
        let Move::End(Applied::Failed { reason }) = begin(name) else { panic!("not refused in {name}") };
        assert!(reason.contains(name) && reason.contains("Karmada"), "{reason}");
    }
}

#[test]
fn a_source_that_lingers_is_no_reason_to_tear_down_the_target() {
    let mut federation = Federation::shared();
    let mut course = Course::begin(task(), timeouts(), Timestamp(0));
    for tick in 1..1_000 {
        let now = Timestamp(tick * TICK);
        federation.tick();
        let mut sight = federation.sight(&task());
        let Ok(source) = sight.members.get_mut(&cluster("one")).unwrap() else { unreachable!("it is seen") };
        source.pods = 2;
        match course.judge(&sight, now, Wall(0)) {
            Move::Give(order) => drop(course.answered(&federation.give(&order), now)),
            Move::Remind(order) => drop(course.reminded(&federation.give(&order), now)),
            Move::Tidy(order) => drop(course.tidied(&federation.give(&order), now)),
            Move::LookAgain(_) => {}
            Move::End(outcome) => {
                let Applied::Failed { reason } = outcome else { panic!("{outcome:?}") };
                assert!(
                    reason.starts_with("the target is ready") && reason.contains("2 pods are still in one"),
                    "{reason}"
                );
                return assert_eq!(federation.members, moved());
            }
        }
    }
    panic!("it never ended");
}

fn with(sight: &mut Sight, change: impl FnOnce(&mut KarmadaSight)) {
    let Some(Ok(karmada)) = &mut sight.karmada else { unreachable!("it is seen") };
    change(karmada);
}

#[test]
fn somebody_elses_change_is_not_fought() {
    let mut federation = Federation::exclusive();
    let (outcome, _) = run_watched(&mut federation, &mut Luck::good(), |tick, _, federation| {
        if tick == 3 {
            let policy = federation.policies.get_mut("web").unwrap();
            policy["spec"]["placement"]["clusterAffinity"]["clusterNames"] = json!(["one"]);
        }
    });
    let Applied::Failed { reason } = outcome else { panic!("{outcome:?}") };
    assert!(reason.contains("somebody else changed the placement"), "{reason}");
}

#[test]
fn a_refusal_by_the_server_ends_it_at_the_first_order_and_takes_it_back_later() {
    let mut course = Course::begin(task(), timeouts(), Timestamp(0));
    let federation = Federation::shared();
    assert!(matches!(course.judge(&federation.sight(&task()), Timestamp(1), Wall(0)), Move::Give(_)));
    let refusal = Err(Trouble::Refused("denied by policy (403)".to_owned()));
    let outcome = course.answered(&refusal, Timestamp(2));
    assert_eq!(outcome, Move::End(Applied::Failed { reason: "refused: denied by policy (403)".to_owned() }));
    let mut later = Course::begin(task(), timeouts(), Timestamp(0));
    later.progress.note(Timestamp(1), Step::OrderTaken);
    assert!(matches!(later.answered(&refusal, Timestamp(2)), Move::LookAgain(_)));
    assert_eq!(later.task.taking_back.as_deref(), Some("refused: denied by policy (403)"));
}

#[test]
fn an_order_that_was_not_answered_may_come_late_and_is_waited_for() {
    let mut federation = Federation::shared();
    let mut course = Course::begin(task(), timeouts(), Timestamp(0));
    let Move::Give(order) = course.judge(&federation.sight(&task()), Timestamp(0), Wall(0)) else {
        panic!("no order")
    };
    course.answered(&Err(Trouble::Unclear("no answer within 2 s".to_owned())), Timestamp(0));
    course.take_back("given up", Timestamp(1));
    let look = course.judge(&federation.sight(&task()), Timestamp(2), Wall(0));
    assert!(matches!(look, Move::LookAgain(_)), "nothing is seen, and nothing is known yet: {look:?}");
    federation.give(&order).unwrap();
    for tick in 1..100 {
        let now = Timestamp(tick * TICK);
        federation.tick();
        match course.judge(&federation.sight(&task()), now, Wall(0)) {
            Move::Give(order) => drop(course.answered(&federation.give(&order), now)),
            Move::Remind(order) => drop(course.reminded(&federation.give(&order), now)),
            Move::Tidy(order) => drop(course.tidied(&federation.give(&order), now)),
            Move::LookAgain(_) => {}
            Move::End(outcome) => {
                assert_eq!(outcome, Applied::RolledBack { reason: "given up".to_owned() });
                return assert_eq!((federation.members, federation.policies.len()), (stayed(), 1));
            }
        }
    }
    panic!("it never ended");
}

#[test]
fn another_move_of_the_same_workload_is_not_taken_over() {
    let mark = |policy: &mut Value, phase: &str, clusters: Value| {
        policy["metadata"]["annotations"] = json!({ "drover.io/step": "9.another", "drover.io/phase": phase, "drover.io/workload": task().action.workload().unwrap().to_string() });
        policy["spec"]["placement"]["clusterAffinity"]["clusterNames"] = clusters;
    };
    let check = |phase: &str, clusters: Value, refused: bool| {
        let mut federation = Federation::exclusive();
        mark(federation.policies.get_mut("web").unwrap(), phase, clusters);
        let next = Course::begin(task(), timeouts(), Timestamp(0)).judge(
            &federation.sight(&task()),
            Timestamp(1),
            Wall(0),
        );
        match next {
            Move::End(Applied::Failed { reason }) => {
                assert!(refused && reason.contains("another move of it has not ended"), "{phase}: {reason}");
            }
            other => assert!(!refused && matches!(other, Move::Give(_)), "{phase}: {other:?}"),
        }
    };
    check("both", json!(["one", "three"]), true);
    check("back", json!(["one"]), true);
    check("target", json!(["one", "two"]), true);
    check("target", json!(["one"]), false);
    check("done", json!(["one"]), false);
    check("restored", json!(["one"]), false);
}

#[test]
fn a_move_that_ended_leaves_a_policy_that_says_so() {
    let phase = |federation: &Federation| {
        federation
            .policies
            .values()
            .find_map(|one| one["metadata"]["annotations"]["drover.io/phase"].as_str().map(str::to_owned))
    };
    let mut moved = Federation::exclusive();
    run_watched(&mut moved, &mut Luck::good(), |_, _, _| {});
    assert_eq!(phase(&moved).as_deref(), Some("done"));
    let mut back = Federation::exclusive();
    back.haste = 0;
    run_watched(&mut back, &mut Luck::good(), |_, _, _| {});
    assert_eq!(phase(&back).as_deref(), Some("restored"));
}

#[test]
fn a_policy_of_our_name_is_used_only_if_it_is_ours_and_counts_for_more_than_the_one_that_claims() {
    let left = |selector: Value| {
        let mut federation = Federation::shared();
        federation.policies.get_mut("all").unwrap()["spec"]["priority"] = 5.into();
        let body = json!({ "metadata": { "name": "drover-deployment-web", "uid": "d", "resourceVersion": "1" },
            "spec": { "priority": 1, "resourceSelectors": selector, "placement": { "clusterAffinity": { "clusterNames": ["one"] } } } });
        federation.policies.insert("drover-deployment-web".to_owned(), body);
        Course::begin(task(), timeouts(), Timestamp(0)).judge(
            &federation.sight(&task()),
            Timestamp(1),
            Wall(0),
        )
    };
    let Move::Give(order) = left(json!([{ "kind": "Deployment", "name": "web" }])) else {
        panic!("no order")
    };
    let Change::Merge { patch, .. } = &order.change else { panic!("{order}") };
    assert_eq!(
        (order.target.name.as_str(), &patch["spec"]["priority"]),
        ("drover-deployment-web", &json!(6))
    );
    let Move::End(Applied::Failed { reason }) = left(json!([{ "kind": "Deployment" }])) else {
        panic!("not refused")
    };
    assert!(reason.contains("drover-deployment-web chooses other things too"), "{reason}");
}

#[test]
fn a_former_placement_that_is_lost_is_not_guessed() {
    let mut federation = Federation::exclusive();
    federation.haste = 0;
    let (outcome, _) = run_watched(&mut federation, &mut Luck::good(), |tick, course, federation| {
        if tick == 4 {
            let policy = federation.policies.get_mut("web").unwrap();
            policy["metadata"]["annotations"]["drover.io/former-placement"].take();
            course.take_back("given up", Timestamp(tick * TICK));
        }
    });
    let Applied::Failed { reason } = outcome else { panic!("{outcome:?}") };
    assert!(reason.contains("set it by hand"), "{reason}");
}

#[test]
fn the_source_goes_only_if_the_target_is_ready_at_two_looks() {
    let mut federation = Federation::shared();
    let mut ready_at = None;
    let mut flickered = false;
    let (outcome, _) = run_watched(&mut federation, &mut Luck::good(), |tick, _, federation| {
        if federation.members["two"] == Some(REPLICAS) && ready_at.is_none() {
            ready_at = Some(tick);
        } else if ready_at == Some(tick - 1) {
            // Ready at one look and not at the next: the source has to be there still.
            federation.members.insert("two", Some(REPLICAS - 1));
            flickered = true;
            assert_eq!(federation.members["one"], Some(REPLICAS));
        }
    });
    assert!(flickered);
    assert_eq!(outcome, Applied::Done);
}
