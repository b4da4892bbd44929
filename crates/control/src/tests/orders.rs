//! What people order, what others propose, and who may answer what.

use super::{PAIR, check};
use crate::policy::{ApproverRule, PassRule, ReviewRule};
use crate::testing::Setup;
use expect_test::expect;
use model::order::{Extent, Grant, Mode, ModeSetting};
use model::risk::Risk;

pub(super) fn pair() -> Setup {
    Setup::new(PAIR)
}

pub(super) fn everywhere(mode: Mode) -> ModeSetting {
    ModeSetting { agent: None, scope: Extent::Everything, mode }
}

#[test]
fn what_is_frozen_stays_on_the_desk_until_it_thaws() {
    check(
        pair(),
        "
        plan keeper migrate web x2 a b
        0:30 observe
        0:40 order anna freeze cluster b until 2:00
        0:50 review R-1 approve ben
        wake?
        2:00 wake
        2:01 observe
        2:02 review R-1 approve ben
        ",
        expect![[r#"
            plan keeper migrate web x2 a b
            0:30 observe
              keeper batch 1: 1 submitted, 0 kept
              R-1 migrate deployment/default/web (2 replicas) from a to b until 10:30
            0:40 order anna freeze cluster b until 2:00
              F-1 freezes cluster b
            0:50 review R-1 approve ben
              R-1 review refused: not now, refusal frozen, reason , until 120000
            wake?
              wake at 0:30
            2:00 wake
              F-1 ends, says None
              observe
            2:01 observe
              keeper batch 2: 0 submitted, 1 kept
            2:02 review R-1 approve ben
              R-1 approved: approved by reviewer
              R-1 applying: started
              R-1 apply, says person ben
        "#]],
    );
}

#[test]
fn a_freeze_covers_its_part_only_and_ends_when_somebody_lifts_it() {
    check(
        pair(),
        "
        0:30 observe
        0:40 order anna freeze workload web
        plan keeper migrate web x2 a b; migrate db x1 a b
        1:00 observe
        1:10 order ben unfreeze F-1
        1:11 order ben unfreeze F-1
        1:12 order ben freeze everything until 1:00
        1:30 observe
        ",
        expect![[r#"
            0:30 observe
              keeper batch 1: 0 submitted, 0 kept, held: within limits
            0:40 order anna freeze workload web
              F-1 freezes workload deployment/default/web
            plan keeper migrate web x2 a b; migrate db x1 a b
            1:00 observe
              keeper batch 2: 1 submitted, 0 kept
                refused migrate deployment/default/web (2 replicas) from a to b: frozen, reason , until null
              R-1 migrate deployment/default/db (1 replicas) from a to b until 11:00
            1:10 order ben unfreeze F-1
              F-1 ends, says Some("ben")
            1:11 order ben unfreeze F-1
              order refused: not frozen
            1:12 order ben freeze everything until 1:00
              order refused: ends at once
            1:30 observe
              keeper batch 3: 1 submitted, 1 kept
              R-2 migrate deployment/default/web (2 replicas) from a to b until 11:30
        "#]],
    );
}

#[test]
fn lifting_a_freeze_returns_to_people() {
    check(
        pair().ruled(|policy| policy.modes = vec![everywhere(Mode::Auto { limits: Grant::default() })]),
        "
        0:30 observe
        0:40 order anna freeze everything
        0:50 order anna unfreeze F-1
        plan keeper migrate web x2 a b
        1:00 observe
        ",
        expect![[r#"
            0:30 observe
              keeper batch 1: 0 submitted, 0 kept, held: within limits
            0:40 order anna freeze everything
              F-1 freezes everything
            0:50 order anna unfreeze F-1
              F-1 ends, says Some("anna")
              human in everything
            plan keeper migrate web x2 a b
            1:00 observe
              keeper batch 2: 1 submitted, 0 kept
              R-1 migrate deployment/default/web (2 replicas) from a to b until 11:00
        "#]],
    );
}

#[test]
fn observing_carries_nothing_out() {
    check(
        pair().ruled(|policy| policy.modes = vec![everywhere(Mode::Observe)]),
        "
        plan keeper migrate web x2 a b
        0:30 observe
        0:40 review R-1 approve anna
        0:50 review R-1 reject anna
        ",
        expect![[r#"
            plan keeper migrate web x2 a b
            0:30 observe
              keeper batch 1: 1 submitted, 0 kept
              R-1 migrate deployment/default/web (2 replicas) from a to b until 10:30
            0:40 review R-1 approve anna
              R-1 review refused: observe only
            0:50 review R-1 reject anna
              R-1 rejected: rejected by reviewer
        "#]],
    );
}

#[test]
fn a_grant_lets_pass_what_is_within_its_limits() {
    let careful = Grant { highest_risk: Some(Risk::Medium), per_hour: Some(1), ..Grant::default() };
    check(
        pair().ruled(|policy| policy.modes = vec![everywhere(Mode::Auto { limits: careful })]),
        "
        plan keeper migrate web x2 a b; migrate db x1 a b
        0:30 observe
        ",
        expect![[r#"
            plan keeper migrate web x2 a b; migrate db x1 a b
            0:30 observe
              keeper batch 1: 2 submitted, 0 kept
              R-1 migrate deployment/default/web (2 replicas) from a to b until 10:30
              R-2 migrate deployment/default/db (1 replicas) from a to b until 10:30
              R-1 approved: approved by reviewer
              R-1 applying: started
              R-1 apply, says rule auto
        "#]],
    );
}

#[test]
fn a_mode_that_is_set_later_lets_pass_what_waits() {
    check(
        pair(),
        "
        plan keeper migrate web x2 a b
        0:30 observe
        0:40 order anna mode auto cluster b
        0:50 order ben mode auto cluster a
        ",
        expect![[r#"
            plan keeper migrate web x2 a b
            0:30 observe
              keeper batch 1: 1 submitted, 0 kept
              R-1 migrate deployment/default/web (2 replicas) from a to b until 10:30
            0:40 order anna mode auto cluster b
              auto in cluster b
            0:50 order ben mode auto cluster a
              auto in cluster a
              R-1 approved: approved by reviewer
              R-1 applying: started
              R-1 apply, says rule auto
        "#]],
    );
}

#[test]
fn a_mode_that_is_taken_back_leaves_what_holds_without_it() {
    let auto = Mode::Auto { limits: Grant::default() };
    check(
        pair().ruled(|policy| policy.modes = vec![everywhere(auto)]),
        "
        plan keeper migrate web x2 a b
        0:20 order anna mode human cluster b
        0:30 observe
        0:40 order anna clear cluster b
        0:50 order anna clear cluster b
        ",
        expect![[r#"
            plan keeper migrate web x2 a b
            0:20 order anna mode human cluster b
              human in cluster b
            0:30 observe
              keeper batch 1: 1 submitted, 0 kept
              R-1 migrate deployment/default/web (2 replicas) from a to b until 10:30
            0:40 order anna clear cluster b
              no mode of its own in cluster b
              R-1 approved: approved by reviewer
              R-1 applying: started
              R-1 apply, says rule auto
            0:50 order anna clear cluster b
              order refused: no such mode
        "#]],
    );
}

#[test]
fn the_most_careful_of_several_modes_holds() {
    let auto = Mode::Auto { limits: Grant::default() };
    let near = ModeSetting {
        agent: None,
        scope: Extent::Cluster(model::names::ClusterName::new("b").unwrap()),
        mode: Mode::Human,
    };
    check(
        pair().ruled(|policy| policy.modes = vec![everywhere(auto), near]),
        "
        plan keeper migrate web x2 a b; scale db a 1 2
        0:30 observe
        ",
        expect![[r#"
            plan keeper migrate web x2 a b; scale db a 1 2
            0:30 observe
              keeper batch 1: 2 submitted, 0 kept
              R-1 migrate deployment/default/web (2 replicas) from a to b until 10:30
              R-2 scale deployment/default/db in a from 1 to 2 until 10:30
              R-2 approved: approved by reviewer
              R-2 applying: started
              R-2 apply, says rule auto
        "#]],
    );
}

#[test]
fn a_deferred_item_waits_longer_but_not_for_ever() {
    check(
        pair(),
        "
        plan keeper migrate web x2 a b
        0:30 observe
        0:40 review R-1 5:00 anna
        0:41 review R-1 0:10 anna
        wake?
        5:30 review R-1 approve anna
        ",
        expect![[r#"
            plan keeper migrate web x2 a b
            0:30 observe
              keeper batch 1: 1 submitted, 0 kept
              R-1 migrate deployment/default/web (2 replicas) from a to b until 10:30
            0:40 review R-1 5:00 anna
              R-1 deferred until 5:00, then until 15:00
            0:41 review R-1 0:10 anna
              R-1 review refused: deferred too long, latest 86441000
            wake?
              wake at 0:30
            5:30 review R-1 approve anna
              R-1 review refused: not now, refusal stale snapshot, age 5m, limit 2m
        "#]],
    );
}

#[test]
fn who_makes_a_plan_does_not_approve_it() {
    check(
        pair(),
        "
        0:30 observe
        0:40 order anna propose migrate web x2 a b
        0:50 review R-1 approve anna
        0:51 review R-1 approve ben
        0:52 order anna propose migrate web x2 a b
        ",
        expect![[r#"
            0:30 observe
              keeper batch 1: 0 submitted, 0 kept, held: within limits
            0:40 order anna propose migrate web x2 a b
              R-1 migrate deployment/default/web (2 replicas) from a to b until 10:40
            0:50 review R-1 approve anna
              R-1 review refused: own plan
            0:51 review R-1 approve ben
              R-1 approved: approved by reviewer
              R-1 applying: started
              R-1 apply, says person ben
            0:52 order anna propose migrate web x2 a b
              order refused: refused, refusal conflict, with R-1
        "#]],
    );
}

#[test]
fn who_makes_a_plan_may_approve_it_where_the_policy_says_so() {
    check(
        pair().ruled(|policy| policy.own_plans = true),
        "
        0:30 observe
        0:40 order anna propose migrate web x2 a b
        0:50 review R-1 approve anna
        ",
        expect![[r#"
            0:30 observe
              keeper batch 1: 0 submitted, 0 kept, held: within limits
            0:40 order anna propose migrate web x2 a b
              R-1 migrate deployment/default/web (2 replicas) from a to b until 10:40
            0:50 review R-1 approve anna
              R-1 approved: approved by reviewer
              R-1 applying: started
              R-1 apply, says person anna
        "#]],
    );
}

#[test]
fn changing_the_target_makes_a_new_plan_of_the_old_one() {
    check(
        Setup::new(
            "
            cluster a 2x4
            cluster b 2x4
            cluster c 2x4
            web 1 a=2
            ",
        ),
        "
        plan keeper migrate web x2 a b
        0:30 observe
        0:40 order anna target R-1 c
        0:50 review R-1 approve ben
        0:51 review R-2 approve anna
        0:52 review R-2 approve ben
        0:53 order anna target R-2 b
        ",
        expect![[r#"
            plan keeper migrate web x2 a b
            0:30 observe
              keeper batch 1: 1 submitted, 0 kept
              R-1 migrate deployment/default/web (2 replicas) from a to b until 10:30
            0:40 order anna target R-1 c
              R-2 migrate deployment/default/web (2 replicas) from a to c until 10:40
              R-1 superseded: replaced by, id R-2
            0:50 review R-1 approve ben
              R-1 review refused: not open
            0:51 review R-2 approve anna
              R-2 review refused: own plan
            0:52 review R-2 approve ben
              R-2 approved: approved by reviewer
              R-2 applying: started
              R-2 apply, says person ben
            0:53 order anna target R-2 b
              order refused: review, refusal already answered, stage applying
        "#]],
    );
}

#[test]
fn what_is_under_way_can_be_given_up() {
    check(
        pair(),
        "
        plan keeper migrate web x2 a b
        0:30 observe
        0:40 order anna abort R-1
        0:50 review R-1 approve ben
        0:51 order anna abort R-1
        0:55 applied R-1 undone given up
        ",
        expect![[r#"
            plan keeper migrate web x2 a b
            0:30 observe
              keeper batch 1: 1 submitted, 0 kept
              R-1 migrate deployment/default/web (2 replicas) from a to b until 10:30
            0:40 order anna abort R-1
              order refused: not under way
            0:50 review R-1 approve ben
              R-1 approved: approved by reviewer
              R-1 applying: started
              R-1 apply, says person ben
            0:51 order anna abort R-1
              R-1 abort
            0:55 applied R-1 undone given up
              R-1 rolled_back: observed, outcome rolled back, reason given up
        "#]],
    );
}

#[test]
fn somebody_outside_proposes_through_the_same_guardrails() {
    check(
        pair(),
        "
        0:30 proposed wasp migrate web x2 a b
        0:40 observe
        0:50 proposed wasp migrate web x2 a b; migrate web x2 a c
        0:55 proposed wasp migrate db x1 a b
        0:58 proposed wasp only migrate db x1 a b
        0:59 review R-2 approve anna
        ",
        expect![[r#"
            0:30 proposed wasp migrate web x2 a b
            0:40 observe
              keeper batch 1: 0 submitted, 0 kept, held: within limits
            0:50 proposed wasp migrate web x2 a b; migrate web x2 a c
              wasp batch 2: 1 submitted, 0 kept
                refused migrate deployment/default/web (2 replicas) from a to c: unknown cluster, cluster c
              R-1 migrate deployment/default/web (2 replicas) from a to b until 10:50
            0:55 proposed wasp migrate db x1 a b
              wasp batch 3: 1 submitted, 0 kept
              R-2 migrate deployment/default/db (1 replicas) from a to b until 10:55
            0:58 proposed wasp only migrate db x1 a b
              wasp batch 4: 0 submitted, 1 kept
              R-1 superseded: no longer recommended
            0:59 review R-2 approve anna
              R-2 approved: approved by reviewer
              R-2 applying: started
              R-2 apply, says person anna
        "#]],
    );
}

#[test]
fn nothing_passes_before_its_effect_is_predicted() {
    let auto = everywhere(Mode::Auto { limits: Grant::default() });
    check(
        pair().ruled(|policy| {
            policy.modes = vec![auto];
            policy.predict = true;
        }),
        "
        plan keeper migrate web x2 a b
        0:30 observe
        ",
        expect![[r#"
            plan keeper migrate web x2 a b
            0:30 observe
              keeper batch 1: 1 submitted, 0 kept
              R-1 migrate deployment/default/web (2 replicas) from a to b until 10:30
              predict R-1
        "#]],
    );
}

pub(super) fn rule(text: &str) -> ReviewRule {
    ReviewRule::parse(text).expect("a rule")
}

#[test]
fn rules_let_pass_what_they_name_and_leave_the_rest_to_people() {
    let passes = vec![PassRule {
        name: model::names::ReviewerName::new("small-moves").unwrap(),
        when: rule("action.kind == 'migrate' && workload.name == 'web'"),
    }];
    check(
        pair().ruled(|policy| {
            policy.modes = vec![everywhere(Mode::Rules)];
            policy.passes = passes;
        }),
        "
        plan keeper migrate web x2 a b; migrate db x1 a b
        0:30 observe
        ",
        expect![[r#"
            plan keeper migrate web x2 a b; migrate db x1 a b
            0:30 observe
              keeper batch 1: 2 submitted, 0 kept
              R-1 migrate deployment/default/web (2 replicas) from a to b until 10:30
              R-2 migrate deployment/default/db (1 replicas) from a to b until 10:30
              R-1 approved: approved by reviewer
              R-1 applying: started
              R-1 apply, says rule small-moves
        "#]],
    );
}

#[test]
fn a_rule_without_an_answer_lets_nothing_pass() {
    let passes = vec![PassRule {
        name: model::names::ReviewerName::new("hopeful").unwrap(),
        when: rule("predicted.pending_pods.after <= 1.0"),
    }];
    check(
        pair().ruled(|policy| {
            policy.modes = vec![everywhere(Mode::Rules)];
            policy.passes = passes;
        }),
        "
        plan keeper migrate web x2 a b
        0:30 observe
        ",
        expect![[r#"
            plan keeper migrate web x2 a b
            0:30 observe
              keeper batch 1: 1 submitted, 0 kept
              R-1 migrate deployment/default/web (2 replicas) from a to b until 10:30
        "#]],
    );
}

#[test]
fn two_different_people_approve_where_a_rule_says_so() {
    let approvers = vec![ApproverRule { people: 2, when: rule("workload.name == 'db'") }];
    check(
        pair().ruled(|policy| policy.approvers = approvers),
        "
        plan keeper migrate web x2 a b; migrate db x1 a b
        0:30 observe
        0:40 review R-1 approve anna
        0:41 review R-2 approve anna
        0:42 review R-2 approve anna
        0:43 review R-2 approve ben
        ",
        expect![[r#"
            plan keeper migrate web x2 a b; migrate db x1 a b
            0:30 observe
              keeper batch 1: 2 submitted, 0 kept
              R-1 migrate deployment/default/web (2 replicas) from a to b until 10:30
              R-2 migrate deployment/default/db (1 replicas) from a to b until 10:30
            0:40 review R-1 approve anna
              R-1 approved: approved by reviewer
              R-1 applying: started
              R-1 apply, says person anna
            0:41 review R-2 approve anna
              R-2 endorsed by anna, 1 of 2
            0:42 review R-2 approve anna
              R-2 review refused: said before
            0:43 review R-2 approve ben
              R-2 approved: approved by reviewer
              R-2 applying: started
              R-2 apply, says person ben
        "#]],
    );
}

#[test]
fn what_needs_two_people_does_not_pass_by_a_grant() {
    let approvers = vec![ApproverRule { people: 2, when: rule("risk != 'low'") }];
    let auto = everywhere(Mode::Auto { limits: Grant::default() });
    check(
        pair().ruled(|policy| {
            policy.modes = vec![auto];
            policy.approvers = approvers;
        }),
        "
        plan keeper migrate web x2 a b
        0:30 observe
        ",
        expect![[r#"
            plan keeper migrate web x2 a b
            0:30 observe
              keeper batch 1: 1 submitted, 0 kept
              R-1 migrate deployment/default/web (2 replicas) from a to b until 10:30
        "#]],
    );
}

#[test]
fn a_target_that_it_has_already_is_no_change() {
    check(
        pair(),
        "
        0:30 observe
        0:40 order anna propose migrate web x2 a b
        0:50 order anna target R-1 b
        1:00 order anna target R-1 a
        1:10 review R-1 approve ben
        ",
        expect![[r#"
            0:30 observe
              keeper batch 1: 0 submitted, 0 kept, held: within limits
            0:40 order anna propose migrate web x2 a b
              R-1 migrate deployment/default/web (2 replicas) from a to b until 10:40
            0:50 order anna target R-1 b
              order refused: refused, refusal changes nothing
            1:00 order anna target R-1 a
              order refused: refused, refusal changes nothing
            1:10 review R-1 approve ben
              R-1 approved: approved by reviewer
              R-1 applying: started
              R-1 apply, says person ben
        "#]],
    );
}
