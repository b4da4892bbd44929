//! Reminding Karmada, and what is left when a move has come to its end: none of it decides what becomes of the move.

use super::course::{Course, Move};
use super::karmada_objects::REMINDED;
use super::order::{Change, Kind, Order};
use super::pretended_karmada::{Federation, REPLICAS};
use super::propagation_tests::{moved, run_watched, stayed, task};
use super::task::Task;
use super::testing::{Luck, Pretended as _, TICK, run, timeouts};
use crate::clock::Wall;
use crate::settings::Timeouts;
use crate::trouble::Trouble;
use control::world::Applied;
use model::execution::Step;
use model::time::{Period, Timestamp};
use serde_json::{Value, json};
use std::time::Duration;

fn refused() -> Trouble {
    Trouble::Refused("denied by policy (403)".to_owned())
}

fn unclear() -> Trouble {
    Trouble::Unclear("no answer within 15 s".to_owned())
}

fn conflict() -> Trouble {
    Trouble::Conflict("the object has been modified (409)".to_owned())
}

fn busy(seconds: u64) -> Trouble {
    Trouble::Busy { text: "later".to_owned(), after: Some(Duration::from_secs(seconds)) }
}

fn patch(order: &Order) -> &Value {
    if let Change::Merge { patch, .. } = &order.change { patch } else { &Value::Null }
}

fn is_tidying(order: &Order) -> bool {
    patch(order)
        .pointer("/metadata/labels")
        .and_then(|labels| labels.get(REMINDED))
        .is_some_and(Value::is_null)
}

fn is_closing(order: &Order) -> bool {
    patch(order)["metadata"]["annotations"]["drover.io/phase"] == "done"
}

fn is_placing(order: &Order) -> bool {
    order.target.kind == Kind::Deployment && patch(order)["metadata"]["labels"]["cloud"].is_string()
}

fn is_marked(federation: &Federation) -> bool {
    federation.template["metadata"]["labels"][REMINDED].is_string()
}

/// Policies choose by a label where a template belongs.
fn placed() -> Task {
    let mut task = task();
    task.manner.place_label = Some("cloud".to_owned());
    task
}

#[test]
fn what_is_finished_stays_whatever_is_said_to_its_last_orders() {
    let check = |trouble: fn(&Order) -> Option<Trouble>, stays_marked: bool| {
        for mut federation in [Federation::shared(), Federation::exclusive()] {
            (federation.is_restful, federation.trouble) = (true, trouble);
            let (outcome, progress) = run_watched(&mut federation, &mut Luck::good(), |_, _, _| {});
            assert_eq!(outcome, Applied::Done, "{progress:?}");
            assert_eq!((is_marked(&federation), federation.members), (stays_marked, moved()));
        }
    };
    check(|order| is_tidying(order).then(refused), true);
    check(|order| is_tidying(order).then(unclear), true);
    check(|order| is_tidying(order).then(conflict), true);
    check(|order| is_tidying(order).then(|| busy(300)), true);
    check(|order| is_closing(order).then(refused), false);
    check(|order| is_closing(order).then(unclear), false);
    check(|order| is_closing(order).then(conflict), false);
    check(|order| (is_closing(order) || is_tidying(order)).then(refused), true);
    check(|order| (is_closing(order) || is_tidying(order)).then(unclear), true);
}

#[test]
fn whoever_refuses_the_last_orders_is_not_asked_again() {
    let mut federation = Federation::exclusive();
    federation.is_restful = true;
    federation.trouble = |order| (is_closing(order) || is_tidying(order)).then(refused);
    let (outcome, progress) = run_watched(&mut federation, &mut Luck::good(), |_, _, _| {});
    assert_eq!(outcome, Applied::Done);
    let (gone, done) = (progress.at(Step::SourceGone).unwrap(), progress.at(Step::Done).unwrap());
    assert_eq!(done.since(gone), Period(2 * TICK), "one look after each refusal");
}

#[test]
fn what_is_finished_is_done_even_if_it_was_given_up_and_cannot_be_closed() {
    let mut federation = Federation::exclusive();
    federation.trouble = |order| is_closing(order).then(unclear);
    let (outcome, _) = run(&task(), &mut federation, &mut Luck::good(), |tick, course, federation| {
        if federation.members == moved() {
            course.take_back("given up", Timestamp(tick * TICK));
        }
    });
    assert_eq!((outcome, federation.members), (Applied::Done, moved()));
}

#[test]
fn a_label_of_the_place_that_cannot_be_set_is_told_and_nothing_is_taken_back() {
    let check = |trouble: fn(&Order) -> Option<Trouble>, why: &str| {
        let mut federation = Federation::shared();
        federation.trouble = trouble;
        let (outcome, _) = run(&placed(), &mut federation, &mut Luck::good(), |_, _, _| {});
        let reason = format!("it is in two, but the label cloud of its template could not be set: {why}");
        assert_eq!((outcome, federation.members), (Applied::Failed { reason }, moved()));
    };
    check(|order| is_placing(order).then(refused), "refused: denied by policy (403)");
    check(|order| is_placing(order).then(unclear), "the order was not answered: no answer within 15 s");
}

#[test]
fn it_is_too_late_to_give_up_what_is_finished() {
    for (task, policies) in [(task(), 2), (placed(), 1)] {
        let mut federation = Federation::shared();
        // The cluster whose policy takes over again is the one that the label names by then.
        let (outcome, _) = run(&task, &mut federation, &mut Luck::good(), |tick, course, federation| {
            if federation.members == moved() {
                let all = federation.policies.get_mut("all").unwrap();
                all["spec"]["placement"]["clusterAffinity"]["clusterNames"] = json!(["two"]);
                course.take_back("not done within 1m", Timestamp(tick * TICK));
            }
        });
        assert_eq!((outcome, federation.policies.len()), (Applied::Done, policies));
        assert_eq!(federation.members, moved());
    }
}

#[test]
fn a_target_that_is_not_ready_when_the_source_is_gone_is_still_taken_back() {
    let mut federation = Federation::exclusive();
    let (outcome, _) = run(&task(), &mut federation, &mut Luck::good(), |_, _, federation| {
        if federation.members["one"].is_none() && federation.haste > 0 {
            federation.haste = 0;
            federation.members.insert("two", Some(1));
        } else if federation.members["one"].is_some() && federation.haste == 0 {
            federation.haste = 3;
        }
    });
    assert!(matches!(outcome, Applied::RolledBack { .. }), "{outcome:?}");
    assert_eq!(federation.members, stayed());
}

#[test]
fn what_is_taken_back_is_taken_back_whatever_is_said_to_the_tidying() {
    let check = |trouble: fn(&Order) -> Option<Trouble>, stays_marked: bool| {
        for mut federation in [Federation::shared(), Federation::exclusive()] {
            (federation.is_restful, federation.haste, federation.trouble) = (true, 0, trouble);
            let (outcome, _) = run_watched(&mut federation, &mut Luck::good(), |_, _, _| {});
            assert!(matches!(outcome, Applied::RolledBack { .. }), "{outcome:?}");
            assert!(federation.reminders > 0, "nothing was marked");
            assert_eq!((is_marked(&federation), federation.members), (stays_marked, stayed()));
        }
    };
    check(|_| None, false);
    check(|order| is_tidying(order).then(refused), true);
    check(|order| is_tidying(order).then(unclear), true);
    check(|order| is_tidying(order).then(|| busy(300)), true);
}

#[test]
fn a_policy_that_is_given_back_at_once_leaves_no_mark() {
    let mut federation = Federation::shared();
    let both = json!({ "clusterAffinity": { "clusterNames": ["one", "two"] } });
    federation.policies.get_mut("all").unwrap()["spec"]["placement"] = both;
    federation.scheduled.insert("two".to_owned());
    federation.members.insert("two", Some(1));
    federation.haste = 0;
    let (outcome, _) = run_watched(&mut federation, &mut Luck::good(), |tick, course, federation| {
        if tick == 5 {
            federation.template["metadata"]["labels"] = json!({ REMINDED: "1" });
            federation.touch_template();
            course.take_back("given up", Timestamp(tick * TICK));
        }
    });
    assert_eq!(outcome, Applied::RolledBack { reason: "given up".to_owned() });
    assert_eq!((federation.deletes, is_marked(&federation)), (1, false));
}

#[test]
fn whoever_ordered_nothing_takes_no_mark_away() {
    let mut federation = Federation::shared();
    federation.template["metadata"]["labels"] = json!({ REMINDED: "1" });
    let (outcome, _) = run_watched(&mut federation, &mut Luck::good(), |_, course, _| {
        course.take_back("given up", Timestamp(0));
    });
    assert_eq!(outcome, Applied::RolledBack { reason: "given up".to_owned() });
    assert!(is_marked(&federation), "it is somebody else's");
}

/// A move at this phase, with this much ready and what the members have brought up to date or not.
fn is_reminded(phase: &str, ready: [Option<u32>; 2], is_up_to_date: bool, taking_back: bool) -> bool {
    let mut federation = Federation::exclusive();
    let mut task = task();
    let named = if phase == "both" { json!(["one", "two"]) } else { json!(["two"]) };
    let policy = federation.policies.get_mut("web").unwrap();
    policy["metadata"]["annotations"] = json!({ "drover.io/step": task.step, "drover.io/phase": phase });
    policy["spec"]["placement"]["clusterAffinity"]["clusterNames"] = named;
    federation.scheduled.insert("two".to_owned());
    federation.members = [("one", ready[0]), ("two", ready[1])].into();
    federation.brought = u64::from(is_up_to_date);
    task.taking_back = taking_back.then(|| "given up".to_owned());
    task.next(&federation.sight(&task), Wall(0)).reminder.is_some()
}

#[test]
fn karmada_is_reminded_of_all_that_it_has_to_do_and_of_nothing_else() {
    let all = Some(REPLICAS);
    let check = |phase: &str, ready: [Option<u32>; 2], is_up_to_date: bool, taking_back: bool, want: bool| {
        let found = is_reminded(phase, ready, is_up_to_date, taking_back);
        assert_eq!(found, want, "{phase} {ready:?}, up to date: {is_up_to_date}, back: {taking_back}");
    };
    check("both", [all, None], true, false, true);
    check("both", [all, Some(3)], true, false, false);
    check("both", [all, Some(3)], false, false, true);
    check("both", [all, all], false, false, true);
    check("target", [all, all], true, false, true);
    check("target", [None, None], true, false, true);
    check("target", [None, Some(3)], true, false, false);
    check("target", [None, Some(3)], false, false, true);
    check("both", [None, all], true, true, true);
    check("both", [Some(3), all], true, true, false);
    check("both", [Some(3), all], false, true, true);
}

#[test]
fn a_karmada_that_rests_before_it_makes_or_changes_anything_is_reminded() {
    let check = |rest: fn(&mut Federation)| {
        for mut federation in [Federation::shared(), Federation::exclusive()] {
            let (outcome, progress) = run_watched(&mut federation, &mut Luck::good(), |_, _, federation| {
                if federation.reminders == 0 && federation.scheduled.contains("two") {
                    rest(federation);
                }
            });
            assert_eq!((outcome, federation.members.clone()), (Applied::Done, moved()), "{progress:?}");
            assert!(federation.reminders > 0 && !is_marked(&federation));
        }
    };
    check(|federation| federation.is_resting = federation.members["two"].is_none());
    check(|federation| {
        if federation.members["two"].is_some() {
            federation.template["metadata"]["generation"] = 2.into();
            federation.is_resting = true;
        }
    });
}

/// When Karmada is reminded, in milliseconds, of what it never does, if this is said to each reminder.
fn reminders(trouble: &Trouble) -> Vec<u64> {
    let mut federation = Federation::shared();
    let timeouts = Timeouts { act: Period::from_minutes(4), ..timeouts() };
    let mut course = Course::begin(task(), timeouts, Timestamp(0));
    let mut reminded = Vec::new();
    for now in (1..400).map(|tick| Timestamp(tick * TICK)) {
        match course.judge(&federation.sight(&task()), now, Wall(0)) {
            Move::Give(order) => drop(course.answered(&federation.give(&order), now)),
            Move::Remind(_) => {
                reminded.push(now.0);
                course.reminded(&Err(trouble.clone()), now);
            }
            _ => {}
        }
    }
    reminded
}

#[test]
fn a_reminder_that_does_not_arrive_is_sent_again_later_and_later_and_as_late_as_the_server_says() {
    let gaps = |trouble: &Trouble| -> Vec<u64> {
        let moments = reminders(trouble);
        moments.windows(2).map(|two| two[1] - two[0]).take(7).collect()
    };
    assert_eq!(gaps(&unclear()), [500, 1_000, 2_000, 4_000, 8_000, 15_000, 15_000]);
    assert_eq!(gaps(&busy(3))[..5], [3_000, 3_000, 3_000, 4_000, 8_000]);
    assert_eq!(gaps(&busy(300))[..2], [60_000, 60_000], "nobody decides alone how long a move takes");
    assert_eq!(gaps(&refused())[..2], [20_000, 20_000]);
}
