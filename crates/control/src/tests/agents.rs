//! When agents decide, what they get to see, how they ask, and how several of them share one desk.

use super::{PAIR, check};
use crate::agent::Cadence;
use crate::control_loop::ControlLoop;
use crate::testing::{Dialogue, Setup, moment};
use expect_test::expect;
use model::time::{Period, Timestamp};

fn pair() -> Setup {
    Setup::new(PAIR)
}

#[test]
fn the_loop_wakes_for_the_next_observation_or_the_next_end_whichever_is_first() {
    let mut setup = pair();
    setup.config.expiry = crate::review_desk::Expiry::Lifetime { period: Period::from_secs(45) };
    check(
        setup,
        "
        wake?
        0:10 wake
        0:30 wake
        wake?
        plan keeper migrate web x2 a b
        0:35 observe
        wake?
        1:00 wake
        wake?
        1:20 wake
        wake?
        9:10 wake
        wake?
        ",
        expect![[r#"
            wake?
              wake at 0:30
            0:10 wake
            0:30 wake
              observe
            wake?
              wake at 1:00
            plan keeper migrate web x2 a b
            0:35 observe
              keeper batch 1: 1 submitted, 0 kept
              R-1 migrate deployment/default/web (2 replicas) from a to b until 1:20
            wake?
              wake at 1:00
            1:00 wake
              observe
            wake?
              wake at 1:20
            1:20 wake
              R-1 expired: lifetime over
            wake?
              wake at 1:30
            9:10 wake
              observe
            wake?
              wake at 9:30
        "#]],
    );
}

#[test]
fn a_late_snapshot_and_one_from_the_future_do_not_replace_what_is_known() {
    check(
        pair(),
        "
        0:30 observe taken 0:29
        0:40 observe
        world web 1 a=3
        1:00 observe taken 0:20
        1:05 observe taken 9:00
        plan keeper migrate web x3 a b
        1:06 observe taken 0:41
        seen? keeper
        ",
        expect![[r#"
            0:30 observe taken 0:29
              keeper batch 1: 0 submitted, 0 kept, held: within limits
            0:40 observe
            world web 1 a=3
            1:00 observe taken 0:20
            1:05 observe taken 9:00
            plan keeper migrate web x3 a b
            1:06 observe taken 0:41
              keeper batch 2: 1 submitted, 0 kept
              R-1 migrate deployment/default/web (3 replicas) from a to b until 11:06
            seen? keeper
              history 3 from 0:29, committed [], awaiting []
        "#]],
    );
}

#[test]
fn an_agent_decides_on_the_first_observation_after_it_is_due() {
    let mut setup = pair();
    setup.agents[0].1 = Cadence { every: Period::from_minutes(2), first_at: moment("1:00") };
    check(
        setup,
        "
        0:30 observe
        1:00 observe
        1:30 observe
        3:10 observe
        4:59 observe
        5:00 observe
        30:00 observe
        30:59 observe
        31:00 observe
        ",
        expect![[r#"
            0:30 observe
            1:00 observe
              keeper batch 1: 0 submitted, 0 kept, held: within limits
            1:30 observe
            3:10 observe
              keeper batch 2: 0 submitted, 0 kept, held: within limits
            4:59 observe
            5:00 observe
              keeper batch 3: 0 submitted, 0 kept, held: within limits
            30:00 observe
              keeper batch 4: 0 submitted, 0 kept, held: within limits
            30:59 observe
            31:00 observe
              keeper batch 5: 0 submitted, 0 kept, held: within limits
        "#]],
    );
}

#[test]
fn each_agent_sees_as_far_back_as_it_asked_for() {
    let mut setup = pair();
    setup.agent("other");
    setup.agents[1].2 = Period::from_secs(30);
    check(
        setup,
        "
        0:30 observe
        1:00 observe
        1:30 observe
        seen? keeper
        seen? other
        9:00 observe
        seen? keeper
        ",
        expect![[r#"
            0:30 observe
              keeper batch 1: 0 submitted, 0 kept, held: within limits
              other batch 2: 0 submitted, 0 kept, held: within limits
            1:00 observe
              keeper batch 3: 0 submitted, 0 kept, held: within limits
              other batch 4: 0 submitted, 0 kept, held: within limits
            1:30 observe
              keeper batch 5: 0 submitted, 0 kept, held: within limits
              other batch 6: 0 submitted, 0 kept, held: within limits
            seen? keeper
              history 3 from 0:30, committed [], awaiting []
            seen? other
              history 2 from 1:00, committed [], awaiting []
            9:00 observe
              keeper batch 7: 0 submitted, 0 kept, held: within limits
              other batch 8: 0 submitted, 0 kept, held: within limits
            seen? keeper
              history 1 from 9:00, committed [], awaiting []
        "#]],
    );
}

#[test]
fn an_agent_that_asks_decides_when_the_answer_comes_or_else_when_it_is_due() {
    check(
        pair(),
        "
        plan keeper ask where to?
        0:10 answered keeper migrate web x2 a b
        0:30 observe
        0:40 answered keeper migrate web x2 a b
        0:41 answered keeper hold
        1:00 observe
        1:30 observe
        1:40 answered nobody hold
        1:41 answered keeper ask really?
        1:42 answered keeper migrate web x2 a b
        2:00 observe
        plan keeper hold
        2:30 observe
        2:40 answered keeper migrate web x2 a b
        ",
        expect![[r#"
            plan keeper ask where to?
            0:10 answered keeper migrate web x2 a b
            0:30 observe
              keeper asks oracle: where to?
            0:40 answered keeper migrate web x2 a b
              keeper batch 1: 1 submitted, 0 kept
              R-1 migrate deployment/default/web (2 replicas) from a to b until 10:40
            0:41 answered keeper hold
            1:00 observe
              keeper asks oracle: where to?
            1:30 observe
              keeper asks oracle: where to?
            1:40 answered nobody hold
            1:41 answered keeper ask really?
              keeper asks oracle: really?
            1:42 answered keeper migrate web x2 a b
              keeper batch 2: 0 submitted, 1 kept
            2:00 observe
              keeper asks oracle: where to?
            plan keeper hold
            2:30 observe
              keeper batch 3: 0 submitted, 0 kept, held: within limits
              R-1 superseded: no longer recommended
            2:40 answered keeper migrate web x2 a b
        "#]],
    );
}

#[test]
fn an_answer_on_stale_data_moves_nothing() {
    check(
        pair(),
        "
        plan keeper ask where to?
        0:30 observe
        2:31 answered keeper migrate web x2 a b
        ",
        expect![[r#"
            plan keeper ask where to?
            0:30 observe
              keeper asks oracle: where to?
            2:31 answered keeper migrate web x2 a b
              keeper batch 1: 0 submitted, 0 kept
                refused migrate deployment/default/web (2 replicas) from a to b: stale snapshot, age 2m1s, limit 2m
        "#]],
    );
}

fn two() -> Setup {
    let mut setup = Setup::new("cluster a 2x4\ncluster b 2x4\ncluster c 2x4\nweb 1 a=2");
    setup.agent("other");
    setup
}

#[test]
fn two_agents_may_want_different_things_and_the_first_approval_wins() {
    check(
        two(),
        "
        plan keeper migrate web x2 a b
        plan other migrate web x2 a c
        0:30 observe
        0:40 review R-2 approve anna
        0:50 review R-1 approve bert
        1:00 observe
        seen? keeper
        ",
        expect![[r#"
            plan keeper migrate web x2 a b
            plan other migrate web x2 a c
            0:30 observe
              keeper batch 1: 1 submitted, 0 kept
              R-1 migrate deployment/default/web (2 replicas) from a to b until 10:30
              other batch 2: 1 submitted, 0 kept
              R-2 migrate deployment/default/web (2 replicas) from a to c until 10:30
            0:40 review R-2 approve anna
              R-2 approved: approved by reviewer
              R-2 applying: started
              R-2 apply, says person anna
            0:50 review R-1 approve bert
              R-1 review refused: not now, refusal conflict, with R-2
            1:00 observe
              keeper batch 3: 0 submitted, 0 kept
                refused migrate deployment/default/web (2 replicas) from a to b: conflict, with R-2
              R-1 superseded: no longer recommended
              other batch 4: 0 submitted, 0 kept
                refused migrate deployment/default/web (2 replicas) from a to c: conflict, with R-2
            seen? keeper
              history 2 from 0:30, committed [migrate deployment/default/web (2 replicas) from a to c], awaiting [migrate deployment/default/web (2 replicas) from a to b]
        "#]],
    );
}

#[test]
fn two_agents_may_want_the_same_and_it_is_done_once() {
    check(
        two(),
        "
        plan keeper migrate web x2 a b
        plan other migrate web x2 a b
        0:30 observe
        1:00 observe
        seen? other
        1:10 review R-1 approve anna
        1:20 applied R-1 done
        world web 1 b=2
        1:21 observe
        1:22 review R-2 approve anna
        ",
        expect![[r#"
            plan keeper migrate web x2 a b
            plan other migrate web x2 a b
            0:30 observe
              keeper batch 1: 1 submitted, 0 kept
              R-1 migrate deployment/default/web (2 replicas) from a to b until 10:30
              other batch 2: 1 submitted, 0 kept
              R-2 migrate deployment/default/web (2 replicas) from a to b until 10:30
            1:00 observe
              keeper batch 3: 0 submitted, 1 kept
              other batch 4: 0 submitted, 1 kept
            seen? other
              history 2 from 0:30, committed [], awaiting [migrate deployment/default/web (2 replicas) from a to b]
            1:10 review R-1 approve anna
              R-1 approved: approved by reviewer
              R-1 applying: started
              R-1 apply, says person anna
            1:20 applied R-1 done
              R-1 applied: observed, outcome done
            world web 1 b=2
            1:21 observe
            1:22 review R-2 approve anna
              R-2 approved: approved by reviewer
              R-2 failed: refused when acting, refusal precondition changed, expected 2 replicas in a, found 0 replicas in a
        "#]],
    );
}

#[test]
fn a_granted_rule_lets_the_first_agent_win() {
    check(
        two().automatic(),
        "
        plan keeper migrate web x2 a b
        plan other migrate web x2 a c
        0:30 observe
        ",
        expect![[r#"
            plan keeper migrate web x2 a b
            plan other migrate web x2 a c
            0:30 observe
              keeper batch 1: 1 submitted, 0 kept
              R-1 migrate deployment/default/web (2 replicas) from a to b until 10:30
              R-1 approved: approved by reviewer
              R-1 applying: started
              R-1 apply, says rule granted
              other batch 2: 0 submitted, 0 kept
                refused migrate deployment/default/web (2 replicas) from a to c: conflict, with R-1
        "#]],
    );
}

#[test]
fn a_batch_ends_only_what_the_same_agent_left_unreviewed() {
    let two = |setup: Setup| {
        let mut setup = setup;
        setup.agent("other");
        setup.agents[1].1.every = Period::from_minutes(1);
        setup
    };
    let script = "
        plan keeper migrate web x2 a b
        plan other migrate db x1 a b
        0:30 observe
        0:59 observe
        plan keeper hold
        1:00 observe
        ";
    check(
        two(pair()),
        script,
        expect![[r#"
        plan keeper migrate web x2 a b
        plan other migrate db x1 a b
        0:30 observe
          keeper batch 1: 1 submitted, 0 kept
          R-1 migrate deployment/default/web (2 replicas) from a to b until 10:30
          other batch 2: 1 submitted, 0 kept
          R-2 migrate deployment/default/db (1 replicas) from a to b until 10:30
        0:59 observe
        plan keeper hold
        1:00 observe
          keeper batch 3: 0 submitted, 0 kept, held: within limits
          R-1 superseded: no longer recommended
          other batch 4: 0 submitted, 1 kept
    "#]],
    );
    check(
        two(pair().next_batch()),
        script,
        expect![[r#"
        plan keeper migrate web x2 a b
        plan other migrate db x1 a b
        0:30 observe
          keeper batch 1: 1 submitted, 0 kept
          R-1 migrate deployment/default/web (2 replicas) from a to b until 1:30
          other batch 2: 1 submitted, 0 kept
          R-2 migrate deployment/default/db (1 replicas) from a to b until 2:30
        0:59 observe
        plan keeper hold
        1:00 observe
          keeper batch 3: 0 submitted, 0 kept, held: within limits
          R-1 expired: new batch
          other batch 4: 1 submitted, 0 kept
          R-2 expired: new batch
          R-3 migrate deployment/default/db (1 replicas) from a to b until 3:00
    "#]],
    );
}

#[test]
fn time_may_begin_late_without_the_loop_counting_up_to_it() {
    let mut dialogue = Dialogue::new(&pair());
    let year_2025 = 1_735_689_600;
    dialogue.say(&format!("0:{year_2025} wake"));
    dialogue.say(&format!("0:{year_2025} observe"));
    assert_eq!(dialogue.record.len(), 2);
    assert!(dialogue.record.iter().all(|(_, _, effects)| effects.len() == 1));
}

#[test]
#[should_panic(expected = "two agents are called keeper")]
fn agents_have_names_of_their_own() {
    let mut setup = pair();
    setup.agent("keeper");
    Dialogue::new(&setup);
}

#[test]
#[should_panic(expected = "keeper would decide without pause")]
fn agents_pause() {
    let mut setup = pair();
    setup.agents[0].1 = Cadence { every: Period::ZERO, first_at: Timestamp::EPOCH };
    Dialogue::new(&setup);
}

#[test]
#[should_panic(expected = "observing without pause")]
fn observing_pauses() {
    let mut setup = pair();
    setup.config.observe_every = Period::ZERO;
    ControlLoop::new(setup.config, Vec::new());
}
