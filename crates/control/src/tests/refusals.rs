//! Every reason for which an action is refused: when it is proposed, and when it is about to start.

use super::{PAIR, check};
use crate::agent::Scope;
use crate::guardrails::Owner;
use crate::testing::{Dialogue, Setup, action};
use crate::world::{Input, Proposal};
use expect_test::{Expect, expect};
use model::names::ClusterName;
use model::recommendation::{Draft, Rationale, RecommendationId};
use model::time::{Period, Timestamp};
use std::sync::Arc;

pub(super) fn pair() -> Setup {
    Setup::new(PAIR)
}

/// What becomes of the `plan` in a world with the `changes`.
pub(super) fn proposing(setup: Setup, changes: &str, plan: &str, expect: Expect) {
    last_answer(&setup, &format!("{changes}\nplan keeper {plan}\n0:30 observe"), &expect);
}

/// The `plan` may be proposed, then the world changes: what becomes of the approval.
pub(super) fn acting(mut setup: Setup, plan: &str, changes: &str, expect: Expect) {
    setup.agents[0].1.every = Period::from_hours(1);
    let script =
        format!("plan keeper {plan}\n0:30 observe\n{changes}\n1:00 observe\n1:10 review R-1 approve anna");
    last_answer(&setup, &script, &expect);
}

fn last_answer(setup: &Setup, script: &str, expect: &Expect) {
    let said = Dialogue::of(setup, script);
    let (_, answer) = said.rsplit_once(script.lines().last().unwrap()).unwrap();
    // Expected texts lose their common indentation, so the answers lose theirs.
    let answer: Vec<&str> =
        answer.trim_matches('\n').lines().map(|line| line.strip_prefix("  ").unwrap_or(line)).collect();
    expect.assert_eq(&(answer.join("\n") + "\n"));
}

#[test]
fn what_cannot_be_seen_is_not_touched() {
    let stale = "plan keeper migrate web x2 a b\n2:31 observe taken 0:30";
    check(
        pair(),
        stale,
        expect![[r#"
        plan keeper migrate web x2 a b
        2:31 observe taken 0:30
          keeper batch 1: 0 submitted, 0 kept
            refused migrate deployment/default/web (2 replicas) from a to b: stale snapshot, age 2m1s, limit 2m
    "#]],
    );
    let stale = "plan keeper migrate web x2 a b\n0:30 observe\n2:31 review R-1 approve anna";
    check(
        pair(),
        stale,
        expect![[r#"
            plan keeper migrate web x2 a b
            0:30 observe
              keeper batch 1: 1 submitted, 0 kept
              R-1 migrate deployment/default/web (2 replicas) from a to b until 10:30
            2:31 review R-1 approve anna
              R-1 review refused: not now, refusal stale snapshot, age 2m1s, limit 2m
        "#]],
    );

    proposing(
        pair(),
        "world cluster b 2x4 hidden",
        "migrate web x2 a b",
        expect![[r#"
          keeper batch 1: 0 submitted, 0 kept
            refused migrate deployment/default/web (2 replicas) from a to b: cluster not visible, cluster b
    "#]],
    );
    acting(
        pair(),
        "migrate web x2 a b",
        "world cluster b 2x4 hidden",
        expect![[r#"
            R-1 review refused: not now, refusal cluster not visible, cluster b
        "#]],
    );

    proposing(
        pair(),
        "world web 1 a=2 hidden",
        "migrate web x2 a b; scale web a 2 1",
        expect![[r#"
          keeper batch 1: 0 submitted, 0 kept
            refused migrate deployment/default/web (2 replicas) from a to b: workload not visible, workload deployment/default/web
            refused scale deployment/default/web in a from 2 to 1: workload not visible, workload deployment/default/web
    "#]],
    );
    acting(
        pair(),
        "migrate web x2 a b",
        "world web 1 a=2 hidden",
        expect![[r#"
            R-1 review refused: not now, refusal workload not visible, workload deployment/default/web
        "#]],
    );
}

#[test]
fn what_is_not_there_is_not_touched() {
    proposing(
        pair(),
        "",
        "migrate web x2 a c; resize c 1 2; scale web c 0 1",
        expect![[r#"
          keeper batch 1: 0 submitted, 0 kept
            refused migrate deployment/default/web (2 replicas) from a to c: unknown cluster, cluster c
            refused resize pool nodes of c from 1 to 2 nodes: unknown cluster, cluster c
            refused scale deployment/default/web in c from 0 to 1: unknown cluster, cluster c
    "#]],
    );
    acting(
        pair(),
        "migrate web x2 a b",
        "gone b",
        expect![[r#"
          R-1 approved: approved by reviewer
          R-1 failed: refused when acting, refusal unknown cluster, cluster b
    "#]],
    );

    proposing(
        pair(),
        "",
        "resize a/other 1 2; move web a n0 n9",
        expect![[r#"
          keeper batch 1: 0 submitted, 0 kept
            refused resize pool other of a from 1 to 2 nodes: unknown pool, cluster a
            refused move deployment/default/web in a from node n0 to node n9: unknown pool, cluster a
    "#]],
    );
    let growing = || Setup::new("cluster a 1x4 min=1 max=3\nweb 1 a=2");
    proposing(
        growing(),
        "",
        "resize a 1 2; move web a n0 n1",
        expect![[r#"
          keeper batch 1: 1 submitted, 0 kept
            refused move deployment/default/web in a from node n0 to node n1: unknown pool, cluster a
          R-1 resize pool nodes of a from 1 to 2 nodes until 10:30
    "#]],
    );
    acting(
        pair(),
        "move web a n0 n1",
        "world cluster a 1x4",
        expect![[r#"
          R-1 approved: approved by reviewer
          R-1 failed: refused when acting, refusal unknown pool, cluster a
    "#]],
    );
}

#[test]
fn a_workload_that_is_gone_is_not_touched() {
    proposing(
        pair(),
        "gone web",
        "migrate web x2 a b; scale web a 2 1; move web a n0 n1",
        expect![[r#"
          keeper batch 1: 0 submitted, 0 kept
            refused migrate deployment/default/web (2 replicas) from a to b: unknown workload, workload deployment/default/web
            refused scale deployment/default/web in a from 2 to 1: unknown workload, workload deployment/default/web
            refused move deployment/default/web in a from node n0 to node n1: unknown workload, workload deployment/default/web
    "#]],
    );
    acting(
        pair(),
        "migrate web x2 a b",
        "gone web",
        expect![[r#"
          R-1 approved: approved by reviewer
          R-1 failed: refused when acting, refusal unknown workload, workload deployment/default/web
    "#]],
    );
}

#[test]
fn what_changes_nothing_is_not_proposed() {
    proposing(
        pair(),
        "",
        "migrate web x2 a a; migrate web x0 a b; scale web a 2 2; resize a 2 2; move web a n0 n0; keep web a",
        expect![[r#"
              keeper batch 1: 0 submitted, 0 kept
                refused migrate deployment/default/web (2 replicas) from a to a: changes nothing
                refused migrate deployment/default/web (0 replicas) from a to b: changes nothing
                refused scale deployment/default/web in a from 2 to 2: changes nothing
                refused resize pool nodes of a from 2 to 2 nodes: changes nothing
                refused move deployment/default/web in a from node n0 to node n0: changes nothing
                refused keep deployment/default/web in a: changes nothing
        "#]],
    );
}

#[test]
fn what_starts_from_another_state_is_not_done() {
    proposing(
        pair(),
        "",
        "migrate web x1 a b; migrate web x2 b a; scale web a 3 4; resize a 1 2",
        expect![[r#"
              keeper batch 1: 0 submitted, 0 kept
                refused migrate deployment/default/web (1 replicas) from a to b: precondition changed, expected 1 replicas in a, found 2 replicas in a
                refused migrate deployment/default/web (2 replicas) from b to a: precondition changed, expected 2 replicas in b, found 0 replicas in b
                refused scale deployment/default/web in a from 3 to 4: precondition changed, expected 3 replicas in a, found 2 replicas in a
                refused resize pool nodes of a from 1 to 2 nodes: precondition changed, expected 1 nodes, found 2 nodes
        "#]],
    );
    acting(
        pair(),
        "migrate web x2 a b",
        "world web 1 a=3",
        expect![[r#"
          R-1 approved: approved by reviewer
          R-1 failed: refused when acting, refusal precondition changed, expected 2 replicas in a, found 3 replicas in a
    "#]],
    );
    let growing = || Setup::new("cluster a 1x4 min=1 max=3");
    acting(
        growing(),
        "resize a 1 2",
        "world cluster a 1x4 min=1 max=3 booting=1",
        expect![[r#"
          R-1 approved: approved by reviewer
          R-1 failed: refused when acting, refusal precondition changed, expected 1 nodes, found 2 nodes
    "#]],
    );
}

#[test]
fn nothing_is_done_against_whoever_else_has_a_say() {
    let plan = "migrate web x2 a b; move web a n0 n1; scale web a 2 3";
    let all = "world web 1 a=2 scaler=HorizontalPodAutoscaler repository=argocd budget=0";
    proposing(
        pair(),
        all,
        plan,
        expect![[r#"
        keeper batch 1: 0 submitted, 0 kept
          refused migrate deployment/default/web (2 replicas) from a to b: no disruption allowed, workload deployment/default/web
          refused move deployment/default/web in a from node n0 to node n1: owned by repository, mark argocd, workload deployment/default/web
          refused scale deployment/default/web in a from 2 to 3: scaled by other, by HorizontalPodAutoscaler, workload deployment/default/web
    "#]],
    );
    // Where there is room in the budget only what would be undone is refused.
    proposing(
        pair(),
        "world web 1 a=2 repository=argocd budget=1",
        plan,
        expect![[r#"
        keeper batch 1: 1 submitted, 0 kept
          refused move deployment/default/web in a from node n0 to node n1: owned by repository, mark argocd, workload deployment/default/web
          refused scale deployment/default/web in a from 2 to 3: owned by repository, mark argocd, workload deployment/default/web
        R-1 migrate deployment/default/web (2 replicas) from a to b until 10:30
    "#]],
    );
    // Pods that wait have used up the budget: a move may be what helps.
    proposing(
        pair(),
        "world web 1 a=2+1 budget=0",
        "migrate web x3 a b",
        expect![[r#"
        keeper batch 1: 1 submitted, 0 kept
        R-1 migrate deployment/default/web (3 replicas) from a to b until 10:30
    "#]],
    );
    acting(
        pair(),
        "scale web a 2 3",
        "world web 1 a=2 scaler=HorizontalPodAutoscaler",
        expect![[r#"
        R-1 approved: approved by reviewer
        R-1 failed: refused when acting, refusal scaled by other, by HorizontalPodAutoscaler, workload deployment/default/web
    "#]],
    );
}

#[test]
fn a_person_can_grant_what_somebody_else_has_a_say_about() {
    let all = "world web 1 a=2 scaler=HorizontalPodAutoscaler repository=argocd budget=0";
    let granted =
        |owners: &[Owner]| pair().guarded(|limits| limits.despite = owners.iter().copied().collect());
    proposing(
        granted(&[Owner::Budget]),
        all,
        "migrate web x2 a b",
        expect![[r#"
        keeper batch 1: 1 submitted, 0 kept
        R-1 migrate deployment/default/web (2 replicas) from a to b until 10:30
    "#]],
    );
    proposing(
        granted(&[Owner::Autoscaler]),
        all,
        "scale web a 2 3",
        expect![[r#"
        keeper batch 1: 0 submitted, 0 kept
          refused scale deployment/default/web in a from 2 to 3: owned by repository, mark argocd, workload deployment/default/web
    "#]],
    );
    proposing(
        granted(&[Owner::Autoscaler, Owner::Repository]),
        all,
        "scale web a 2 3",
        expect![[r#"
        keeper batch 1: 1 submitted, 0 kept
        R-1 scale deployment/default/web in a from 2 to 3 until 10:30
    "#]],
    );
}

#[test]
fn owners_and_scopes_have_a_say() {
    proposing(
        pair(),
        "world web 1 a=2 pinned",
        "migrate web x2 a b; move web a n0 n1; scale web a 2 3",
        expect![[r#"
              keeper batch 1: 1 submitted, 0 kept
                refused migrate deployment/default/web (2 replicas) from a to b: opted out, workload deployment/default/web
                refused move deployment/default/web in a from node n0 to node n1: opted out, workload deployment/default/web
              R-1 scale deployment/default/web in a from 2 to 3 until 10:30
        "#]],
    );
    acting(
        pair(),
        "migrate web x2 a b",
        "world web 1 a=2 pinned",
        expect![[r#"
          R-1 approved: approved by reviewer
          R-1 failed: refused when acting, refusal opted out, workload deployment/default/web
    "#]],
    );

    let mut setup = pair();
    setup.agents[0].3 = Scope { clusters: [ClusterName::new("a").unwrap()].into(), namespaces: [].into() };
    proposing(
        setup,
        "",
        "migrate web x2 a b; scale web a 2 3",
        expect![[r#"
          keeper batch 1: 1 submitted, 0 kept
            refused migrate deployment/default/web (2 replicas) from a to b: out of scope
          R-1 scale deployment/default/web in a from 2 to 3 until 10:30
    "#]],
    );
    let mut setup = pair();
    setup.agents[0].3 = Scope { clusters: [].into(), namespaces: ["shop".to_owned()].into() };
    proposing(
        setup,
        "world shop/cart 1 a=1",
        "migrate web x2 a b; migrate shop/cart x1 a b",
        expect![[r#"
          keeper batch 1: 1 submitted, 0 kept
            refused migrate deployment/default/web (2 replicas) from a to b: out of scope
          R-1 migrate deployment/shop/cart (1 replicas) from a to b until 10:30
    "#]],
    );
}

#[test]
fn only_one_action_on_the_same_thing_at_a_time() {
    // In the same batch, in flight, and busy for a reason of its own.
    check(
        pair(),
        "
        plan keeper migrate web x2 a b; scale web a 2 3; resize a 2 3
        world cluster a 2x4 min=2 max=5
        0:30 observe
        0:40 review R-1 approve anna
        0:40 review R-2 approve anna
        plan keeper scale web a 2 3; resize a 2 4
        1:00 observe
        1:10 applied R-1 done
        1:10 applied R-2 done
        world cluster a 3x4 min=2 max=5
        world web 1 b=2 moving
        plan keeper scale web b 2 3; resize a 3 4
        1:30 observe
        ",
        expect![[r#"
            plan keeper migrate web x2 a b; scale web a 2 3; resize a 2 3
            world cluster a 2x4 min=2 max=5
            0:30 observe
              keeper batch 1: 2 submitted, 0 kept
                refused scale deployment/default/web in a from 2 to 3: conflict, with null
              R-1 migrate deployment/default/web (2 replicas) from a to b until 10:30
              R-2 resize pool nodes of a from 2 to 3 nodes until 10:30
            0:40 review R-1 approve anna
              R-1 approved: approved by reviewer
              R-1 applying: started
              R-1 apply, says person anna
            0:40 review R-2 approve anna
              R-2 approved: approved by reviewer
              R-2 applying: started
              R-2 apply, says person anna
            plan keeper scale web a 2 3; resize a 2 4
            1:00 observe
              keeper batch 2: 0 submitted, 0 kept
                refused scale deployment/default/web in a from 2 to 3: conflict, with R-1
                refused resize pool nodes of a from 2 to 4 nodes: conflict, with R-2
            1:10 applied R-1 done
              R-1 applied: observed, outcome done
            1:10 applied R-2 done
              R-2 applied: observed, outcome done
            world cluster a 3x4 min=2 max=5
            world web 1 b=2 moving
            plan keeper scale web b 2 3; resize a 3 4
            1:30 observe
              keeper batch 3: 1 submitted, 0 kept
                refused scale deployment/default/web in b from 2 to 3: conflict, with null
              R-3 resize pool nodes of a from 3 to 4 nodes until 11:30
        "#]],
    );
    acting(
        pair(),
        "migrate web x2 a b",
        "world web 1 a=2 moving",
        expect![[r#"
            R-1 review refused: not now, refusal conflict, with null
        "#]],
    );
}

#[test]
fn every_rule_answers_about_what_is_gone() {
    let growing = || {
        Setup::new("cluster a 2x4 min=1 max=3\ncluster b 2x4\nweb 1 a=2").guarded(|rules| {
            rules.max_load = Some(model::ratio::Ratio::from_percent(90));
            rules.max_pending = Some(model::ratio::Ratio::from_percent(10));
        })
    };
    let plans = [
        ("migrate web x2 a b", "gone b", Some("unknown_cluster")),
        ("migrate web x2 a b", "gone a", Some("unknown_cluster")),
        ("scale web a 2 3", "gone a", Some("unknown_cluster")),
        ("resize a 2 3", "gone a", Some("unknown_cluster")),
        ("resize a 2 1", "gone a", Some("unknown_cluster")),
        ("move web a n0 n1", "gone a", Some("unknown_cluster")),
        ("resize a 2 1", "renamed", Some("unknown_pool")),
        ("resize a 2 3", "", None),
    ];
    for (plan, change, because) in plans {
        let findings = found(&growing(), plan, change);
        let refusals = findings.iter().filter_map(|finding| finding.refusal.as_ref());
        let first = refusals.map(|refusal| serde_json::to_value(refusal).unwrap()["because"].clone()).next();
        assert_eq!(first.as_ref().and_then(serde_json::Value::as_str), because, "{plan}, {change}");
    }
}

/// What every rule says about a plan after the cluster or its pool has gone.
fn found(setup: &Setup, plan: &str, change: &str) -> Vec<crate::guardrails::Finding> {
    let (now, later) = (Timestamp::EPOCH, Timestamp::EPOCH + Period::from_secs(30));
    let mut control = crate::control_loop::ControlLoop::new(setup.config.clone(), Vec::new());
    control.handle(now, &Input::Observed(Arc::new(setup.world.snapshot(now))));
    let draft = Draft { action: action(plan), because: Rationale::default() };
    let agent = model::names::AgentName::new("wasp").unwrap();
    control.handle(now, &Input::Proposed(Proposal { agent, drafts: vec![draft], complete: false }));
    let mut world = setup.world.clone();
    if let Some(name) = change.strip_prefix("gone ") {
        world.remove(name);
    }
    let mut snapshot = world.snapshot(later);
    if change == "renamed" {
        snapshot.clusters.values_mut().for_each(|view| view.pools.clear());
    }
    control.handle(later, &Input::Observed(Arc::new(snapshot)));
    control.findings(later, RecommendationId(1)).expect("it waits")
}
