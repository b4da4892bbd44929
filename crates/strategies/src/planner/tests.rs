//! What the planner decides, as tables.

#![expect(clippy::needless_raw_string_hashes, reason = "the expectations are written by a tool")]

use super::{GrowPolicy, Planner, PlannerConfig};
use crate::limits::Share;
use crate::testing::{Moment, actions, after, federation, pool, shown, workload};
use control::strategy::{Decision, Outcome, Strategy};
use expect_test::{Expect, expect};
use model::action::Action;
use model::snapshot::Snapshot;
use model::time::Period;

fn decide(config: PlannerConfig, snapshot: &Snapshot) -> Decision {
    let moment = Moment::at("1h");
    Planner::new(config).decide(&moment.view(snapshot))
}

fn check_with(config: PlannerConfig, text: &str, expected: &Expect) {
    let snapshot = federation(text);
    let decision = decide(config, &snapshot);
    expected.assert_eq(&shown(&decision));
    assert_eq!(decide(config, &snapshot), decision, "the same situation gives the same decision");
    let next = after(&snapshot, &actions(&decision));
    let again = decide(config, &next);
    assert_eq!(
        actions(&again),
        [],
        "nothing is left to do after {}\nbut {}",
        shown(&decision),
        shown(&again)
    );
}

#[expect(clippy::needless_pass_by_value, reason = "a row reads better without a borrow")]
fn check(text: &str, expected: Expect) {
    check_with(PlannerConfig::default(), text, &expected);
}

const IMPATIENT: PlannerConfig = PlannerConfig {
    max_load: Share::from_percent(80),
    max_pending: Share::from_percent(40),
    headroom: Share::ZERO,
    grow: GrowPolicy::ForLimits,
    patience: Period::ZERO,
    shrink: true,
    shrink_below: Share::from_percent(80),
    shrink_patience: Period::ZERO,
    cool_down: Period::from_minutes(10),
};

#[test]
fn three_waves() {
    let base = "member1 2 nodes\nmember2 2 nodes max=10 auto\n";
    let first =
        "frontend 2x1000m/2Gi member1\napi-gateway 2x1000m/2Gi member1\nuser-service 2x1000m/2Gi member1
                 orders-service 2x1000m/2Gi member1\nredis-cache 2x1000m/2Gi member1\n";
    let second = "notifications 2x1000m/2Gi member1\nsearch-service 2x1000m/2Gi member1
                  metrics-exporter 2x1000m/2Gi member1\n";
    let third = "batch-worker 2x1000m/2Gi member1\nreport-generator 2x1000m/2Gi member1\n";
    check(&format!("{base}{first}"), expect!["hold: WithinLimits"]);
    check(&format!("{base}{first}{second}"), expect!["member1 -> member2: metrics-exporter api-gateway"]);
    check(
        &format!("{base}{first}{second}{third}"),
        expect!["member1 -> member2: batch-worker metrics-exporter report-generator api-gateway"],
    );
}

#[test]
fn constant_load() {
    let text = "member1 10 nodes\nmember2 10 nodes min=10 max=48 auto\n80*job 2x1000m/2Gi member1";
    check(
        text,
        expect![[r#"
        member2: 10 -> 13 nodes
        member1 -> member2: 45 workloads
        unmet Load of member1: 160 CPU are requested, all clusters together offer 122.4 CPU within 80 %; 7 more nodes would be needed; nodes are asked for once this has lasted 5m (so far 0s)
        unmet Pending of member1: 20 pods find no node in member1, and no other cluster can take what waits; moving alone cannot do it, so 3 nodes are asked for
        unmet Load of member2: 160 CPU are requested, all clusters together offer 122.4 CPU within 80 %; 7 more nodes would be needed; nodes are asked for once this has lasted 5m (so far 0s)"#]],
    );
    check_with(
        IMPATIENT,
        text,
        &expect![[r#"
        member2: 10 -> 17 nodes
        member1 -> member2: 50 workloads
        unmet Load of member1: 160 CPU are requested, all clusters together offer 122.4 CPU within 80 %; 7 more nodes would be needed; moving alone cannot do it, so 7 nodes are asked for
        unmet Pending of member1: 20 pods find no node in member1, and no other cluster can take what waits; moving alone cannot do it, so 7 nodes are asked for
        unmet Load of member2: 160 CPU are requested, all clusters together offer 122.4 CPU within 80 %; 7 more nodes would be needed; moving alone cannot do it, so 7 nodes are asked for"#]],
    );
    let by_hand = "member1 10 nodes\nmember2 10 nodes min=10 max=48\n80*job 2x1000m/2Gi member1";
    check(
        by_hand,
        expect![[r#"
        member2: 10 -> 15 nodes
        member1 -> member2: 45 workloads
        unmet Load of member1: 160 CPU are requested, all clusters together offer 122.4 CPU within 80 %; 7 more nodes would be needed; nodes are asked for once this has lasted 5m (so far 0s)
        unmet Pending of member1: 30 pods find no node in member1, and no other cluster can take what waits; moving alone cannot do it, so 5 nodes are asked for"#]],
    );
}

#[test]
fn a_peak_above_what_all_clusters_offer() {
    let peak =
        "member1 38 nodes\nmember2 38 nodes max=60 auto\n55*a 6x1000m/2Gi member1\n45*b 6x1000m/2Gi member2";
    check(
        peak,
        expect![[r#"
        member2: 38 -> 48 nodes
        member1 -> member2: 11 workloads
        unmet Load of member1: 600 CPU are requested, all clusters together offer 465.12 CPU within 80 %; 23 more nodes would be needed; nodes are asked for once this has lasted 5m (so far 0s)
        unmet Pending of member1: 64 pods find no node in member1, and no other cluster can take what waits; moving alone cannot do it, so 10 nodes are asked for
        unmet Load of member2: 600 CPU are requested, all clusters together offer 465.12 CPU within 80 %; 23 more nodes would be needed; nodes are asked for once this has lasted 5m (so far 0s)
        unmet Pending of member2: 4 pods find no node in member2, and no other cluster can take what waits; moving alone cannot do it, so 10 nodes are asked for"#]],
    );
    let before =
        "member1 38 nodes\nmember2 38 nodes max=60 auto\n50*a 6x1000m/2Gi member1\n35*b 6x1000m/2Gi member2";
    check(
        before,
        expect![[r#"
        member1 -> member2: a-46 a-47 a-48 a-49 a-50 a-45
        unmet Load of member1: 510 CPU are requested, all clusters together offer 465.12 CPU within 80 %; 8 more nodes would be needed; nodes are asked for once this has lasted 5m (so far 0s)
        unmet Load of member2: 510 CPU are requested, all clusters together offer 465.12 CPU within 80 %; 8 more nodes would be needed; nodes are asked for once this has lasted 5m (so far 0s)"#]],
    );
    check_with(
        PlannerConfig { grow: GrowPolicy::Never, ..IMPATIENT },
        peak,
        &expect![[r#"
        member1 -> member2: 11 workloads
        unmet Load of member1: 600 CPU are requested, all clusters together offer 465.12 CPU within 80 %; 23 more nodes would be needed; nodes are not asked for because of load
        unmet Pending of member1: 64 pods find no node in member1, and no other cluster can take what waits; an autoscaler can add nodes
        unmet Load of member2: 600 CPU are requested, all clusters together offer 465.12 CPU within 80 %; 23 more nodes would be needed; nodes are not asked for because of load
        unmet Pending of member2: 4 pods find no node in member2, and no other cluster can take what waits; an autoscaler can add nodes"#]],
    );
}

#[test]
fn three_clusters() {
    check(
        "a 2 nodes\nb 2 nodes price=0.1\nc 2 nodes price=0.2\n7*job 2x1000m/2Gi a\n5*other 2x1000m/1Gi b",
        expect!["a -> b: job-01"],
    );
    check(
        "a 2 nodes\nb 2 nodes\nc 4 nodes\n8*x 2x1000m/2Gi a\n8*y 2x1000m/2Gi b",
        expect![[r#"
        a -> c: x-08 x-01
        b -> c: y-08 y-01"#]],
    );
    check(
        "a 1 nodes\nb 1 nodes\nc 1 nodes\nbig 3x2000m/2Gi a\nsmall 1x1000m/1Gi a\n2*y 1x2000m/1Gi b",
        expect!["a -> c: small"],
    );
}

#[test]
fn memory_counts_as_much_as_cpu() {
    check("a 1 nodes\nb 1 nodes\n2*cache 1x500m/6Gi a\nweb 1x500m/2Gi a", expect!["a -> b: cache-01"]);
    check(
        "a 1 nodes\nb 1 nodes\n2*cache 1x500m/6Gi a\ncache-b 1x500m/8Gi b\nweb 1x500m/2Gi a",
        expect![[r#"
        hold: NoRoomElsewhere
        unmet Load of a: 1678 Mi of memory too much is requested in a, and no set of its movable workloads fits elsewhere within 80 %; no pool may grow further"#]],
    );
}

#[test]
fn who_may_not_or_need_not_move_stays() {
    check("a 1 nodes\nb 1 nodes\npinned 3x1000m/1Gi a pinned\nfree 4x1000m/1Gi a", expect!["a -> b: free"]);
    check(
        "a 1 nodes\nb 1 nodes\npinned 7x1000m/1Gi a pinned",
        expect![[r#"
        hold: NothingMovable
        unmet Load of a: 0.88 CPU too much is requested in a, and no set of its movable workloads fits elsewhere within 80 %; no pool may grow further"#]],
    );
    check(
        "a 1 nodes\nb 1 nodes\nx 2x1000m/1Gi a moved=55m\ny 2x1000m/1Gi a moved=5m\nz 3x1000m/1Gi a priority=9",
        expect!["a -> b: y"],
    );
    check(
        "a 1 nodes\nb 1 nodes\nx 2x1000m/1Gi a priority=5\ny 2x1000m/1Gi a\nz 3x1000m/1Gi a",
        expect!["a -> b: y"],
    );
    check(
        "a 1 nodes\nb 1 nodes\nhuge 1x8000m/1Gi a",
        expect![[r#"
        hold: NoRoomElsewhere
        unmet Load of a: 1.88 CPU too much is requested in a, and no set of its movable workloads fits elsewhere within 80 %; no pool may grow further
        unmet Pending of a: 1 pod finds no node in a, and no other cluster can take what waits; no pool may grow as far as needed"#]],
    );
}

#[test]
fn nowhere_to_go() {
    check(
        "a 1 nodes\nb 1 nodes\nx 7x1000m/1Gi a\ny 6x1000m/1Gi b",
        expect![[r#"
        hold: NoRoomElsewhere
        unmet Load of a: 13 CPU are requested, all clusters together offer 12.24 CPU within 80 %; 1 more node would be needed; no pool may grow further"#]],
    );
    check(
        "a 1 nodes\nx 7x1000m/1Gi a",
        expect![[r#"
        hold: NowhereToGo
        unmet Load of a: 7 CPU are requested, all clusters together offer 6.12 CPU within 80 %; 1 more node would be needed; no pool may grow further"#]],
    );
    check(
        "a 1 nodes max=3\nx 9x1000m/1Gi a",
        expect![[r#"
        a: 1 -> 2 nodes
        unmet Load of a: 9 CPU are requested, all clusters together offer 6.12 CPU within 80 %; 1 more node would be needed; moving alone cannot do it, so 1 node is asked for
        unmet Pending of a: 2 pods find no node in a, and no other cluster can take what waits; moving alone cannot do it, so 1 node is asked for"#]],
    );
    check("", expect!["hold: WithinLimits"]);
}

#[test]
fn what_cannot_be_seen_is_left_alone() {
    check(
        "a 1 nodes\nb 1 nodes hidden\nx 7x1000m/1Gi a",
        expect![[r#"
        hold: CannotSee { gaps: 1 }
        unmet Load of a: 7 CPU are requested, all clusters together offer 6.12 CPU within 80 %; 1 more node would be needed; no pool may grow further"#]],
    );
    check("a 1 nodes hidden\nb 1 nodes\nx 7x1000m/1Gi a", expect!["hold: CannotSee { gaps: 1 }"]);
    check("a 1 nodes\nb 1 nodes hidden\nc 1 nodes\nx 3x1000m/1Gi a\ny 4x1000m/1Gi a", expect!["a -> c: x"]);
}

#[test]
fn headroom_makes_clusters_leave_earlier() {
    let config = PlannerConfig { headroom: Share::from_percent(20), ..PlannerConfig::default() };
    check_with(config, "a 1 nodes\nb 1 nodes\n6*x 1x1000m/1Gi a", &expect!["a -> b: x-01 x-02"]);
}

#[test]
fn nodes_nobody_needs_are_given_back() {
    check_with(IMPATIENT, "a 10 nodes min=2\n10*x 2x1000m/1Gi a", &expect!["a: 10 -> 4 nodes"]);
    check_with(IMPATIENT, "a 3 nodes min=3\nb 5 nodes min=0\nx 1x1000m/1Gi a", &expect!["b: 5 -> 0 nodes"]);
}

#[test]
fn patience_is_counted_from_the_first_sight() {
    let snapshot = federation("a 1 nodes\nb 1 nodes max=4\nx 7x1000m/1Gi a\ny 6x1000m/1Gi b");
    let spare = federation("a 1 nodes\nb 4 nodes min=1\nx 2x1000m/1Gi a");
    let mut planner = Planner::new(PlannerConfig::default());
    let mut at = |time: &str, snapshot: &Snapshot| {
        actions(&planner.decide(&Moment::at(time).view(snapshot)))
            .iter()
            .map(Action::to_string)
            .collect::<Vec<_>>()
    };
    assert_eq!(at("1m", &snapshot), Vec::<String>::new());
    assert_eq!(at("5m", &snapshot), Vec::<String>::new());
    assert_eq!(at("6m", &snapshot).len(), 2);
    assert_eq!(at("7m", &spare), Vec::<String>::new());
    assert_eq!(at("7m30s", &spare), ["resize pool nodes of b from 4 to 1 nodes"]);
    assert_eq!(at("8m", &snapshot), Vec::<String>::new(), "the overload is a new one");
}

#[test]
fn committed_actions_count_as_done() {
    let snapshot = federation("a 1 nodes\nb 1 nodes\n7*x 1x1000m/1Gi a");
    let mut moment = Moment::at("1h");
    let first = Planner::new(PlannerConfig::default()).decide(&moment.view(&snapshot));
    moment.committed = actions(&first);
    assert_eq!(moment.committed.len(), 1);
    let second = Planner::new(PlannerConfig::default()).decide(&moment.view(&snapshot));
    expect!["hold: UnderWay { actions: 1 }"].assert_eq(&shown(&second));
}

#[test]
fn what_awaits_review_keeps_its_place() {
    let snapshot = federation("a 1 nodes\nb 1 nodes\nc 1 nodes\n7*x 1x1000m/1Gi a");
    let mut moment = Moment::at("1h");
    let (from, to) = (crate::testing::name("a"), crate::testing::name("c"));
    moment.awaiting = vec![Action::Migrate { workload: workload("x-05"), from, to, replicas: 1 }];
    let decision = Planner::new(PlannerConfig::default()).decide(&moment.view(&snapshot));
    expect!["a -> c: x-05"].assert_eq(&shown(&decision));
}

#[test]
fn a_rationale_a_person_likes() {
    let snapshot =
        federation("member1 2 nodes\nmember2 2 nodes\nedge 1 nodes hidden\n8*job 2x1000m/2Gi member1");
    let Outcome::Recommend(drafts) = decide(PlannerConfig::default(), &snapshot).outcome else { panic!() };
    expect!["member1 is asked for 104.5 % of its CPU (limit 80 %) and 2 pods find no node; moving job-08 (2 pods, both pending) to member2 brings its demand from 104.5 % to 91.5 %"].assert_eq(&drafts[0].because.summary);
    let alternatives: Vec<String> = drafts[0]
        .because
        .alternatives
        .iter()
        .map(|option| format!("{}: {}", option.option, option.rejected_because))
        .collect();
    expect![[r#"
        stay in member1: 2 pods would keep waiting for a node
        to edge: it cannot be seen at the moment"#]]
    .assert_eq(&alternatives.join("\n"));
    assert!(drafts[0].because.evidence.len() >= 5);
}

#[test]
fn booting_nodes_are_not_asked_for_again() {
    let snapshot = federation("a 1 nodes max=3 booting=1 auto\nx 9x1000m/1Gi a");
    expect!["hold: UnderWay { actions: 0 }"].assert_eq(&shown(&decide(IMPATIENT, &snapshot)));
    assert_eq!(snapshot.clusters.values().next().unwrap().pools[&pool()].booting, 1);
}
