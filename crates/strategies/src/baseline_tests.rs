//! What the strategies that the planner is compared with decide, as tables.

#![expect(clippy::needless_raw_string_hashes, reason = "the expectations are written by a tool")]

use crate::catalogue::StrategyConfig;
use crate::testing::{Moment, federation, shown};
use expect_test::{Expect, expect};

#[expect(clippy::needless_pass_by_value, reason = "a row reads better without a borrow")]
fn check(strategy: &str, text: &str, expected: Expect) {
    let snapshot = federation(text);
    let mut strategy = StrategyConfig::by_name(strategy).unwrap().build();
    let decision = strategy.decide(&Moment::at("2m").view(&snapshot));
    expected.assert_eq(&shown(&decision));
}

const OVERFULL: &str = "member1 2 nodes\nmember2 2 nodes max=10 auto\n10*job 2x1000m/2Gi member1";

#[test]
fn hold_never_acts() {
    check("hold", OVERFULL, expect!["hold: Baseline"]);
}

#[test]
fn threshold_moves_until_the_source_is_within_its_limits() {
    check("threshold", OVERFULL, expect!["member1 -> member2: job-08 job-09 job-10 job-01"]);
    check(
        "threshold",
        "a 1 nodes\nb 1 nodes\nc 1 nodes\n7*x 1x1000m/1Gi a\ny 1x1000m/1Gi b",
        expect!["a -> c: x-01"],
    );
    check("threshold", "a 1 nodes\nb 1 nodes\n3*x 1x500m/5Gi a", expect!["a -> b: x-01"]);
    check(
        "threshold",
        "a 1 nodes\nb 1 nodes\nx 7x1000m/1Gi a\ny 7x1000m/1Gi b",
        expect!["hold: NoRoomElsewhere"],
    );
    check("threshold", "a 1 nodes\nb 1 nodes\nx 7x1000m/1Gi a pinned", expect!["hold: NothingMovable"]);
    check("threshold", "a 1 nodes\nx 7x1000m/1Gi a", expect!["hold: NowhereToGo"]);
    check(
        "threshold",
        "a 1 nodes\nb 1 nodes hidden\nx 7x1000m/1Gi a",
        expect!["hold: CannotSee { gaps: 1 }"],
    );
    check("threshold", "", expect!["hold: WithinLimits"]);
}

#[test]
fn karmada_native_overflows_to_the_next_cluster() {
    check("karmada-native", OVERFULL, expect!["member1 -> member2: job-08 job-09 job-10"]);
    check(
        "karmada-native",
        "a 1 nodes\nb 1 nodes\nc 2 nodes\n2*x 7x1000m/1Gi a\ny 1x1000m/1Gi b",
        expect!["a -> c: x-02"],
    );
    check("karmada-native", "a 1 nodes\nb 1 nodes\n2*x 7x1000m/1Gi b", expect!["hold: NoRoomElsewhere"]);
    check("karmada-native", "a 1 nodes\nb 1 nodes\nx 7x1000m/1Gi a", expect!["hold: WithinLimits"]);
}

#[test]
fn the_heuristic_looks_only_at_the_workload() {
    check(
        "wasp-heuristic",
        "a 2 nodes\nb 2 nodes\nc 1 nodes\nbig 2x300m/100Mi a\nfat 1x100m/2Gi a\nsmall 1x100m/100Mi c\nempty 0x1000m/1Gi a\nstays 1x100m/100Mi a",
        expect![[r#"
            a -> b: big fat
            c -> a: small"#]],
    );
    check("wasp-heuristic", "a 0 nodes\nb 1 nodes\nlate 1x100m/100Mi a", expect!["a -> b: late"]);
    check("wasp-heuristic", "a 1 nodes\nx 7x1000m/1Gi a", expect!["hold: NowhereToGo"]);
}
