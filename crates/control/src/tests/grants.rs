//! What passes without a person: grants, how far they reach, and what stays with people all the same.

use super::check;
use super::orders::{everywhere, pair, rule};
use crate::guardrails::Freeze;
use crate::policy::PassRule;
use crate::review_desk::ReviewMode;
use crate::testing::{Dialogue, Setup, moment};
use expect_test::{Expect, expect};
use model::names::{AgentName, ClusterName, ReviewerName};
use model::order::{Extent, Grant, Mode, ModeSetting};

/// What follows when a freeze is lifted, and then when something is granted anew.
fn lifting(modes: Vec<ModeSetting>, freeze: &str, then: &str, expect: Expect) {
    let script = format!(
        "
        0:30 observe
        0:40 order anna freeze {freeze}
        0:50 order anna unfreeze F-1
        plan keeper migrate web x2 a b; scale db a 1 2
        1:00 observe
        1:10 order anna {then}
        "
    );
    let said = Dialogue::of(&pair().ruled(|policy| policy.modes = modes), &script);
    let (_, said) = said.split_once("0:50 order anna unfreeze F-1\n").unwrap();
    expect.assert_eq(said);
}

fn auto(agent: Option<&str>, scope: Extent) -> ModeSetting {
    let agent = agent.map(|name| AgentName::new(name).unwrap());
    ModeSetting { agent, scope, mode: Mode::Auto { limits: Grant::default() } }
}

#[test]
fn after_a_freeze_of_a_part_people_answer_there_until_somebody_grants_it_anew() {
    lifting(
        vec![auto(None, Extent::Everything)],
        "cluster b",
        "mode auto cluster b",
        expect![[r#"
          F-1 ends, says Some("anna")
          human in cluster b
        plan keeper migrate web x2 a b; scale db a 1 2
        1:00 observe
          keeper batch 2: 2 submitted, 0 kept
          R-1 migrate deployment/default/web (2 replicas) from a to b until 11:00
          R-2 scale deployment/default/db in a from 1 to 2 until 11:00
          R-2 approved: approved by reviewer
          R-2 applying: started
          R-2 apply, says rule auto
        1:10 order anna mode auto cluster b
          auto in cluster b
          R-1 approved: approved by reviewer
          R-1 applying: started
          R-1 apply, says rule auto
    "#]],
    );
    lifting(
        vec![auto(Some("keeper"), Extent::Everything)],
        "agent keeper",
        "mode auto agent keeper",
        expect![[r#"
              F-1 ends, says Some("anna")
              human in everything for keeper
            plan keeper migrate web x2 a b; scale db a 1 2
            1:00 observe
              keeper batch 2: 2 submitted, 0 kept
              R-1 migrate deployment/default/web (2 replicas) from a to b until 11:00
              R-2 scale deployment/default/db in a from 1 to 2 until 11:00
            1:10 order anna mode auto agent keeper
              auto in agent keeper
              R-1 approved: approved by reviewer
              R-1 applying: started
              R-1 apply, says rule auto
              R-2 approved: approved by reviewer
              R-2 applying: started
              R-2 apply, says rule auto
        "#]],
    );
    lifting(
        vec![auto(None, Extent::Everything)],
        "agent keeper",
        "mode auto agent keeper",
        expect![[r#"
          F-1 ends, says Some("anna")
          human in everything for keeper
        plan keeper migrate web x2 a b; scale db a 1 2
        1:00 observe
          keeper batch 2: 2 submitted, 0 kept
          R-1 migrate deployment/default/web (2 replicas) from a to b until 11:00
          R-2 scale deployment/default/db in a from 1 to 2 until 11:00
        1:10 order anna mode auto agent keeper
          auto in agent keeper
          R-1 approved: approved by reviewer
          R-1 applying: started
          R-1 apply, says rule auto
          R-2 approved: approved by reviewer
          R-2 applying: started
          R-2 apply, says rule auto
    "#]],
    );
}

#[test]
fn a_freeze_returns_to_people_what_lies_within_it_and_the_part_of_what_reaches_into_it() {
    let web = Extent::Workload("default/web".parse().unwrap());
    lifting(
        vec![auto(None, web)],
        "namespace default",
        "mode auto workload web",
        expect![[r#"
          F-1 ends, says Some("anna")
          human in workload deployment/default/web
        plan keeper migrate web x2 a b; scale db a 1 2
        1:00 observe
          keeper batch 2: 2 submitted, 0 kept
          R-1 migrate deployment/default/web (2 replicas) from a to b until 11:00
          R-2 scale deployment/default/db in a from 1 to 2 until 11:00
        1:10 order anna mode auto workload web
          auto in workload deployment/default/web
          R-1 approved: approved by reviewer
          R-1 applying: started
          R-1 apply, says rule auto
    "#]],
    );
    lifting(
        vec![auto(None, Extent::Namespace("default".to_owned()))],
        "cluster b",
        "mode auto cluster b",
        expect![[r#"
              F-1 ends, says Some("anna")
              human in cluster b
            plan keeper migrate web x2 a b; scale db a 1 2
            1:00 observe
              keeper batch 2: 2 submitted, 0 kept
              R-1 migrate deployment/default/web (2 replicas) from a to b until 11:00
              R-2 scale deployment/default/db in a from 1 to 2 until 11:00
              R-2 approved: approved by reviewer
              R-2 applying: started
              R-2 apply, says rule auto
            1:10 order anna mode auto cluster b
              auto in cluster b
              R-1 approved: approved by reviewer
              R-1 applying: started
              R-1 apply, says rule auto
        "#]],
    );
    // What was granted elsewhere stays granted.
    lifting(
        vec![auto(None, Extent::Namespace("default".to_owned()))],
        "workload web",
        "mode auto workload web",
        expect![[r#"
              F-1 ends, says Some("anna")
              human in workload deployment/default/web
            plan keeper migrate web x2 a b; scale db a 1 2
            1:00 observe
              keeper batch 2: 2 submitted, 0 kept
              R-1 migrate deployment/default/web (2 replicas) from a to b until 11:00
              R-2 scale deployment/default/db in a from 1 to 2 until 11:00
              R-2 approved: approved by reviewer
              R-2 applying: started
              R-2 apply, says rule auto
            1:10 order anna mode auto workload web
              auto in workload deployment/default/web
              R-1 approved: approved by reviewer
              R-1 applying: started
              R-1 apply, says rule auto
        "#]],
    );
}

#[test]
fn a_grant_for_one_cluster_takes_nothing_out_of_another() {
    let at = |name: &str| Extent::Cluster(ClusterName::new(name).unwrap());
    let of = |mode: Mode, scope: Extent| ModeSetting { agent: None, scope, mode };
    let grant = |replicas| Mode::Auto { limits: Grant { replicas, ..Grant::default() } };
    for (modes, passes) in [
        (vec![of(grant(None), at("b"))], false),
        (vec![of(grant(None), at("a"))], false),
        (vec![of(grant(None), at("a")), of(grant(None), at("b"))], true),
        (vec![of(grant(None), at("a")), of(grant(Some(1)), at("b"))], false),
        (vec![of(grant(Some(1)), at("a")), of(grant(None), at("b"))], false),
        (vec![of(grant(None), Extent::Everything), of(Mode::Rules, at("b"))], false),
        (vec![of(grant(None), Extent::Everything), of(Mode::Human, at("a"))], false),
        (vec![of(grant(None), Extent::Namespace("default".to_owned()))], true),
    ] {
        let shown = format!("{modes:?}");
        let setup = pair().ruled(|policy| policy.modes = modes);
        let said = Dialogue::of(&setup, "plan keeper migrate web x2 a b\n0:30 observe");
        assert_eq!(said.contains("apply"), passes, "{shown}");
    }
}

#[test]
fn the_mode_of_a_whole_desk_keeps_to_its_limits_and_a_laboratory_has_none() {
    for (replicas, passes) in [(Some(1), false), (Some(2), true), (None, true)] {
        let mut setup = pair();
        let limits = Grant { replicas, ..Grant::default() };
        setup.config.review = ReviewMode::Auto { rule: ReviewerName::new("auto").unwrap(), limits };
        let said = Dialogue::of(&setup, "plan keeper migrate web x2 a b\n0:30 observe");
        assert_eq!(said.contains("apply"), passes, "{limits:?}");
    }
}

#[test]
fn records_from_before_grants_had_limits_are_read_and_written_as_they_are() {
    let kept = r#"{"mode":"auto","rule":"granted"}"#;
    let read: ReviewMode = serde_json::from_str(kept).unwrap();
    assert_eq!(serde_json::to_string(&read).unwrap(), kept);
    let rule = ReviewerName::new("granted").unwrap();
    assert_eq!(read, ReviewMode::Auto { rule, limits: Grant::default() });
    let ordered: Mode = serde_json::from_str(r#"{"mode":"auto","limits":{}}"#).unwrap();
    assert_eq!(ordered, Mode::Auto { limits: Grant::default() });
}

#[test]
fn what_a_grant_says_about_replicas_counts_nodes_and_moved_pods() {
    let within = |replicas| Mode::Auto { limits: Grant { replicas: Some(replicas), ..Grant::default() } };
    for (plan, replicas, passes) in [
        ("migrate web x2 a b", 2, true),
        ("migrate web x2 a b", 1, false),
        ("scale web a 2 4", 1, false),
        ("resize a 2 4", 2, true),
        ("resize a 2 4", 1, false),
        ("resize a 2 1", 0, false),
        ("move web a n0 n1", 1, true),
        ("move web a n0 n1", 0, false),
    ] {
        let setup = Setup::new("cluster a 2x4 min=1 max=4\ncluster b 2x4\nweb 1 a=2");
        let setup = setup.ruled(|policy| policy.modes = vec![everywhere(within(replicas))]);
        let said = Dialogue::of(&setup, &format!("plan keeper {plan}\n0:30 observe"));
        assert_eq!(said.contains("apply"), passes, "{plan} within {replicas}");
    }
}

#[test]
fn what_a_person_put_aside_waits_for_its_time_whatever_is_granted() {
    check(
        pair(),
        "
        plan keeper migrate web x2 a b
        0:30 observe
        0:40 review R-1 1:20 anna
        0:50 order ben mode auto everything
        1:00 observe
        1:30 observe
        ",
        expect![[r#"
            plan keeper migrate web x2 a b
            0:30 observe
              keeper batch 1: 1 submitted, 0 kept
              R-1 migrate deployment/default/web (2 replicas) from a to b until 10:30
            0:40 review R-1 1:20 anna
              R-1 deferred until 1:20, then until 11:20
            0:50 order ben mode auto everything
              auto in everything
            1:00 observe
              keeper batch 2: 0 submitted, 1 kept
            1:30 observe
              keeper batch 3: 0 submitted, 1 kept
              R-1 approved: approved by reviewer
              R-1 applying: started
              R-1 apply, says rule auto
        "#]],
    );
}

#[test]
fn no_mode_approves_what_a_person_planned() {
    let rule =
        PassRule { name: ReviewerName::new("anything").unwrap(), when: rule("action.kind == 'migrate'") };
    for mode in [Mode::Rules, Mode::Auto { limits: Grant::default() }] {
        for own_plans in [false, true] {
            let setup = pair().ruled(|policy| {
                policy.modes = vec![everywhere(mode.clone())];
                policy.passes = vec![rule.clone()];
                policy.own_plans = own_plans;
            });
            let script = "0:30 observe\n0:40 order anna propose migrate web x2 a b\n1:00 observe";
            assert!(!Dialogue::of(&setup, script).contains("apply"), "{mode:?}, {own_plans}");
        }
    }
}

#[test]
fn what_a_grant_lets_pass_waits_for_a_moment_at_which_it_may() {
    let window = Freeze { from: moment("0:35"), until: moment("1:20"), reason: "sale".to_owned() };
    check(
        pair().guarded(|rules| rules.freezes = vec![window]),
        "
        0:30 observe
        0:31 proposed wasp migrate web x2 a b; scale db a 1 2
        0:40 order anna mode auto:2/h everything
        1:00 observe
        1:30 observe
        ",
        expect![[r#"
            0:30 observe
              keeper batch 1: 0 submitted, 0 kept, held: within limits
            0:31 proposed wasp migrate web x2 a b; scale db a 1 2
              wasp batch 2: 2 submitted, 0 kept
              R-1 migrate deployment/default/web (2 replicas) from a to b until 10:31
              R-2 scale deployment/default/db in a from 1 to 2 until 10:31
            0:40 order anna mode auto:2/h everything
              auto in everything
              R-2 approved: approved by reviewer
              R-2 applying: started
              R-2 apply, says rule auto
            1:00 observe
              keeper batch 3: 0 submitted, 0 kept, held: within limits
            1:30 observe
              keeper batch 4: 0 submitted, 0 kept, held: within limits
              R-1 approved: approved by reviewer
              R-1 applying: started
              R-1 apply, says rule auto
        "#]],
    );
}

#[test]
fn what_passes_one_after_the_other_counts_together() {
    let near = PassRule {
        name: ReviewerName::new("room-left").unwrap(),
        when: rule("has(target.load_after) && target.load_after <= 0.3"),
    };
    let mut setup = pair().ruled(|policy| policy.passes = vec![near]);
    setup.agent("other");
    check(
        setup,
        "
        plan keeper migrate web x2 a b
        plan other migrate db x1 a b
        0:30 observe
        0:40 order anna mode rules everything
        ",
        expect![[r#"
            plan keeper migrate web x2 a b
            plan other migrate db x1 a b
            0:30 observe
              keeper batch 1: 1 submitted, 0 kept
              R-1 migrate deployment/default/web (2 replicas) from a to b until 10:30
              other batch 2: 1 submitted, 0 kept
              R-2 migrate deployment/default/db (1 replicas) from a to b until 10:30
            0:40 order anna mode rules everything
              rules in everything
              R-1 approved: approved by reviewer
              R-1 applying: started
              R-1 apply, says rule room-left
        "#]],
    );
}
