//! The life of a recommendation, from draft to outcome.

use super::{PAIR, check};
use crate::testing::Setup;
use expect_test::expect;
use model::time::Period;

fn pair() -> Setup {
    Setup::new(PAIR)
}

#[test]
fn an_approved_move_is_carried_out_and_ends_with_what_was_observed() {
    check(
        pair(),
        "
        0:30 wake
        0:31 observe
        plan keeper migrate web x2 a b
        1:01 observe
        1:10 review R-1 approve anna
        1:20 applied R-1 done
        ",
        expect![[r#"
            0:30 wake
              observe
            0:31 observe
              keeper batch 1: 0 submitted, 0 kept, held: within limits
            plan keeper migrate web x2 a b
            1:01 observe
              keeper batch 2: 1 submitted, 0 kept
              R-1 migrate deployment/default/web (2 replicas) from a to b until 11:01
            1:10 review R-1 approve anna
              R-1 approved: approved by reviewer
              R-1 applying: started
              R-1 apply, says person anna
            1:20 applied R-1 done
              R-1 applied: observed, outcome done
        "#]],
    );
}

#[test]
fn a_move_can_fail_or_be_undone() {
    check(
        pair(),
        "
        plan keeper migrate web x2 a b
        0:30 observe
        0:40 review R-1 approve anna
        plan keeper migrate db x1 a b
        1:00 observe
        1:10 review R-2 approve anna
        1:20 applied R-1 failed no quota
        1:30 applied R-2 undone not ready in time
        1:40 applied R-2 done
        1:40 applied R-9 done
        ",
        expect![[r#"
            plan keeper migrate web x2 a b
            0:30 observe
              keeper batch 1: 1 submitted, 0 kept
              R-1 migrate deployment/default/web (2 replicas) from a to b until 10:30
            0:40 review R-1 approve anna
              R-1 approved: approved by reviewer
              R-1 applying: started
              R-1 apply, says person anna
            plan keeper migrate db x1 a b
            1:00 observe
              keeper batch 2: 1 submitted, 0 kept
              R-2 migrate deployment/default/db (1 replicas) from a to b until 11:00
            1:10 review R-2 approve anna
              R-2 approved: approved by reviewer
              R-2 applying: started
              R-2 apply, says person anna
            1:20 applied R-1 failed no quota
              R-1 failed: observed, outcome failed, reason no quota
            1:30 applied R-2 undone not ready in time
              R-2 rolled_back: observed, outcome rolled back, reason not ready in time
            1:40 applied R-2 done
            1:40 applied R-9 done
        "#]],
    );
}

#[test]
fn a_rejected_move_is_over_and_may_be_proposed_again() {
    check(
        pair(),
        "
        plan keeper migrate web x2 a b
        0:30 observe
        0:40 review R-1 reject anna
        1:00 observe
        ",
        expect![[r#"
            plan keeper migrate web x2 a b
            0:30 observe
              keeper batch 1: 1 submitted, 0 kept
              R-1 migrate deployment/default/web (2 replicas) from a to b until 10:30
            0:40 review R-1 reject anna
              R-1 rejected: rejected by reviewer
            1:00 observe
              keeper batch 2: 1 submitted, 0 kept
              R-2 migrate deployment/default/web (2 replicas) from a to b until 11:00
        "#]],
    );
}

#[test]
fn an_unanswered_move_ends_with_its_lifetime_and_a_late_answer_is_told_so() {
    let mut setup = pair();
    setup.config.expiry = crate::review_desk::Expiry::Lifetime { period: Period::from_secs(20) };
    check(
        setup,
        "
        plan keeper migrate web x2 a b; migrate db x1 a b
        0:30 observe
        wake?
        0:50 review R-1 approve anna
        wake?
        0:51 review R-2 approve anna
        1:00 wake
        wake?
        1:00 observe
        wake?
        1:20 wake
        ",
        expect![[r#"
            plan keeper migrate web x2 a b; migrate db x1 a b
            0:30 observe
              keeper batch 1: 2 submitted, 0 kept
              R-1 migrate deployment/default/web (2 replicas) from a to b until 0:50
              R-2 migrate deployment/default/db (1 replicas) from a to b until 0:50
            wake?
              wake at 0:30
            0:50 review R-1 approve anna
              R-1 review refused: too late, expired at 50000
              R-1 expired: lifetime over
              R-2 expired: lifetime over
            wake?
              wake at 0:30
            0:51 review R-2 approve anna
              R-2 review refused: not open
            1:00 wake
              observe
            wake?
              wake at 1:30
            1:00 observe
              keeper batch 2: 2 submitted, 0 kept
              R-3 migrate deployment/default/web (2 replicas) from a to b until 1:20
              R-4 migrate deployment/default/db (1 replicas) from a to b until 1:20
            wake?
              wake at 1:20
            1:20 wake
              R-3 expired: lifetime over
              R-4 expired: lifetime over
        "#]],
    );
}

#[test]
fn a_new_batch_ends_what_is_unreviewed_in_that_mode() {
    check(
        pair().next_batch(),
        "
        plan keeper migrate web x2 a b; migrate db x1 a b
        0:30 observe
        0:40 review R-1 approve anna
        1:00 observe
        plan keeper hold
        1:30 observe
        ",
        expect![[r#"
            plan keeper migrate web x2 a b; migrate db x1 a b
            0:30 observe
              keeper batch 1: 2 submitted, 0 kept
              R-1 migrate deployment/default/web (2 replicas) from a to b until 1:30
              R-2 migrate deployment/default/db (1 replicas) from a to b until 1:30
            0:40 review R-1 approve anna
              R-1 approved: approved by reviewer
              R-1 applying: started
              R-1 apply, says person anna
            1:00 observe
              keeper batch 2: 1 submitted, 0 kept
                refused migrate deployment/default/web (2 replicas) from a to b: conflict, with R-1
              R-2 expired: new batch
              R-3 migrate deployment/default/db (1 replicas) from a to b until 2:00
            plan keeper hold
            1:30 observe
              keeper batch 3: 0 submitted, 0 kept, held: within limits
              R-3 expired: new batch
        "#]],
    );
}

#[test]
fn an_agent_that_stops_does_not_keep_its_last_batch_open_forever() {
    check(
        pair().next_batch(),
        "
        plan keeper migrate web x2 a b
        0:30 observe
        1:29 wake
        1:30 wake
        ",
        expect![[r#"
            plan keeper migrate web x2 a b
            0:30 observe
              keeper batch 1: 1 submitted, 0 kept
              R-1 migrate deployment/default/web (2 replicas) from a to b until 1:30
            1:29 wake
              observe
            1:30 wake
              R-1 expired: lifetime over
              observe
        "#]],
    );
}

#[test]
fn an_equal_plan_keeps_its_place_and_its_end() {
    check(
        pair(),
        "
        plan keeper migrate web x2 a b
        0:30 observe
        plan keeper migrate db x1 a b; migrate web x2 a b
        1:00 observe
        seen? keeper
        1:10 review R-1 approve anna
        10:30 wake
        ",
        expect![[r#"
            plan keeper migrate web x2 a b
            0:30 observe
              keeper batch 1: 1 submitted, 0 kept
              R-1 migrate deployment/default/web (2 replicas) from a to b until 10:30
            plan keeper migrate db x1 a b; migrate web x2 a b
            1:00 observe
              keeper batch 2: 1 submitted, 1 kept
              R-2 migrate deployment/default/db (1 replicas) from a to b until 11:00
            seen? keeper
              history 2 from 0:30, committed [], awaiting [migrate deployment/default/web (2 replicas) from a to b]
            1:10 review R-1 approve anna
              R-1 approved: approved by reviewer
              R-1 applying: started
              R-1 apply, says person anna
            10:30 wake
              observe
        "#]],
    );
}

#[test]
fn a_plan_is_superseded_by_another_for_the_same_thing_or_by_none() {
    check(
        pair(),
        "
        plan keeper migrate web x2 a b; migrate db x1 a b
        0:30 observe
        plan keeper scale web a 2 3
        1:00 observe
        plan keeper hold
        1:30 observe
        1:40 review R-3 approve anna
        ",
        expect![[r#"
            plan keeper migrate web x2 a b; migrate db x1 a b
            0:30 observe
              keeper batch 1: 2 submitted, 0 kept
              R-1 migrate deployment/default/web (2 replicas) from a to b until 10:30
              R-2 migrate deployment/default/db (1 replicas) from a to b until 10:30
            plan keeper scale web a 2 3
            1:00 observe
              keeper batch 2: 1 submitted, 0 kept
              R-1 superseded: replaced by, id R-3
              R-2 superseded: no longer recommended
              R-3 scale deployment/default/web in a from 2 to 3 until 11:00
            plan keeper hold
            1:30 observe
              keeper batch 3: 0 submitted, 0 kept, held: within limits
              R-3 superseded: no longer recommended
            1:40 review R-3 approve anna
              R-3 review refused: not open
        "#]],
    );
}

#[test]
fn an_answer_counts_once_for_the_content_it_names() {
    check(
        pair(),
        "
        plan keeper migrate web x2 a b
        0:30 observe
        0:40 review R-1 approve anna other content
        0:40 review R-7 approve anna
        0:41 review R-1 approve anna
        0:42 review R-1 reject bert
        0:50 applied R-1 done
        0:51 review R-1 approve anna
        ",
        expect![[r#"
            plan keeper migrate web x2 a b
            0:30 observe
              keeper batch 1: 1 submitted, 0 kept
              R-1 migrate deployment/default/web (2 replicas) from a to b until 10:30
            0:40 review R-1 approve anna other content
              R-1 review refused: content differs
            0:40 review R-7 approve anna
              R-7 review refused: not open
            0:41 review R-1 approve anna
              R-1 approved: approved by reviewer
              R-1 applying: started
              R-1 apply, says person anna
            0:42 review R-1 reject bert
              R-1 review refused: already answered, stage applying
            0:50 applied R-1 done
              R-1 applied: observed, outcome done
            0:51 review R-1 approve anna
              R-1 review refused: not open
        "#]],
    );
}

#[test]
fn a_granted_rule_approves_what_passes_the_guardrails() {
    check(
        pair().automatic(),
        "
        plan keeper migrate web x2 a b; migrate web x2 a b; migrate db x1 a b
        0:30 observe
        1:00 observe
        1:10 applied R-1 done
        world web 1 b=2
        1:30 observe
        ",
        expect![[r#"
            plan keeper migrate web x2 a b; migrate web x2 a b; migrate db x1 a b
            0:30 observe
              keeper batch 1: 2 submitted, 0 kept
                refused migrate deployment/default/web (2 replicas) from a to b: conflict, with null
              R-1 migrate deployment/default/web (2 replicas) from a to b until 10:30
              R-2 migrate deployment/default/db (1 replicas) from a to b until 10:30
              R-1 approved: approved by reviewer
              R-1 applying: started
              R-1 apply, says rule granted
              R-2 approved: approved by reviewer
              R-2 applying: started
              R-2 apply, says rule granted
            1:00 observe
              keeper batch 2: 0 submitted, 0 kept
                refused migrate deployment/default/web (2 replicas) from a to b: conflict, with R-1
                refused migrate deployment/default/web (2 replicas) from a to b: conflict, with R-1
                refused migrate deployment/default/db (1 replicas) from a to b: conflict, with R-2
            1:10 applied R-1 done
              R-1 applied: observed, outcome done
            world web 1 b=2
            1:30 observe
              keeper batch 3: 0 submitted, 0 kept
                refused migrate deployment/default/web (2 replicas) from a to b: precondition changed, expected 2 replicas in a, found 0 replicas in a
                refused migrate deployment/default/web (2 replicas) from a to b: precondition changed, expected 2 replicas in a, found 0 replicas in a
                refused migrate deployment/default/db (1 replicas) from a to b: conflict, with R-2
        "#]],
    );
}
