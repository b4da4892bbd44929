//! The page for a plan with everything that a plan can have.

use super::{page, text};
use expect_test::expect;
use serde_json::json;
use server::api::wire::RecommendationDetail;

fn everything() -> RecommendationDetail {
    let estimate = |mean: f64, low: f64, high: f64| json!({ "mean": mean, "low": low, "high": high });
    let outlook = json!({
        "measures": [
            { "measure": "pending_pods", "unit": "pods", "subject": "federation", "lowerIsBetter": true,
              "without": estimate(2.0, 1.0, 3.0), "with": estimate(0.0, 0.0, 0.5), "difference": estimate(-2.0, -3.0, -0.5) },
            { "measure": "cpu_load", "unit": "share", "subject": "member2", "lowerIsBetter": true,
              "without": estimate(0.0, 0.0, 0.0), "with": estimate(0.1307, 0.1, 0.15), "difference": estimate(0.1307, 0.1, 0.15) },
            { "measure": "ready_nodes", "unit": "nodes", "subject": "federation", "lowerIsBetter": true,
              "without": estimate(4.0, 4.0, 4.0), "with": estimate(4.0, 4.0, 4.0), "difference": estimate(-0.001, -1.0, 1.0) },
        ],
        "plans": [{ "id": "R-3", "done": 4, "failed": 1, "rolledBack": 0, "unfinished": 0,
                    "takesSeconds": estimate(3.25, 2.0, 5.0), "reasons": ["the target was not ready (in 1 future)"] }],
    });
    let mut detail = json!({
        "id": "R-3", "version": 4, "stage": "pending", "agent": "keeper", "kind": "migrate",
        "action": "migrate deployment/default/web (2 replicas) from member1 to member2",
        "workload": "deployment/default/web", "from": "member1", "to": "member2", "risk": "high",
        "raisedAt": 120_000, "expiresAt": 720_000, "deferredUntil": 200_000, "planHash": "9c41", "benefit": 2.0,
        "reason": "member1 is full\u{1b}[31m", "changedBy": "person:ben", "isPredicted": true, "batch": 1, "plannedBy": "ben", "undoes": "R-1",
        "evidence": [{ "subject": "member1", "signal": "CPU requested", "value": "104.5 %", "limit": "80 %" }],
        "evidenceAgeMs": 500, "observedAt": 119_500,
        "alternatives": [{ "option": "stay in member1", "rejectedBecause": "2 pods would wait" }],
        "riskBecause": ["its pods have volumes"],
        "changes": [{ "cluster": "member1", "loadBefore": 0.915, "loadAfter": 0.784, "pendingBefore": 2, "pendingAfter": 0 }],
        "podsMoved": 2, "costPerHourBefore": 1.0752, "costPerHourAfter": 1.344,
        "prediction": { "madeAt": 121_000, "horizonSeconds": 1800.0, "seeds": 5, "confidence": 0.95,
                        "limitations": ["the scenario ends before the 30m asked for"],
                        "alone": outlook, "jointly": { "measures": [], "plans": [] }, "togetherWith": ["R-2"] },
        "checks": [{ "rule": "the cluster has room", "holds": true },
                   { "rule": "nothing is frozen", "holds": false, "because": "member2 is frozen" }],
        "wayBack": "migrate deployment/default/web (2 replicas) from member2 to member1",
        "reviews": [{ "by": "person:anna", "verdict": "approve", "note": "go\nahead", "at": 130_000, "atWall": 0 }],
        "approversNeeded": 2, "approversGiven": 1, "allowed": [],
    });
    detail["opinions"] = json!([{ "by": "performance", "model": "small", "verdict": "against", "weight": 2,
                                  "strength": 0.7, "words": "member2 is far\u{1b}[31m away" }]);
    serde_json::from_value(detail).unwrap()
}

#[test]
fn a_decision_fits_on_a_page() {
    expect![[r"
        R-3 · pending · high risk · expires in 9m, then nothing is done · deferred until 0:03:20
        migrate deployment/default/web (2 replicas) from member1 to member2

        Change    member1: load 92 % → 78 %, pending pods 2 → 0
                  2 pods move; cost 1.0752 → 1.3440 $/h
        Why       member1 is full�[31m
                  (in the words of keeper; nobody has checked them)
                  ben changed or made this plan
                  it would undo R-1
                  instead: stay in member1; not taken: 2 pods would wait
                  performance (small, weight 2, 70 % sure) against it: member2 is far�[31m away
        Evidence  member1: CPU requested 104.5 % (limit 80 %)
                  observed at 0:01:59, 1m ago; 500ms old when it was proposed
        Effect    in 5 rehearsed futures of 30m; intervals should hold 95 % of them
                  reckoned at 0:02:01, 59s ago; what was begun since then is not in it
                  alone:
                    done in 4 of 5, takes 3.25 [2, 5] s; otherwise: the target was not ready (in 1 future)
                    pending pods of federation: 2 → 0 pods, change -2 [-3, -0.5]
                    cpu load of member2: 0 % → 13.07 %, change 13.07 % [10 %, 15 %]
                  on top of R-2:
                    no measure changes
                  the scenario ends before the 30m asked for
        Checks    1 of 2 hold
                  fails: nothing is frozen: member2 is frozen
        Risk      high, because
                  - its pods have volumes
        Way back  migrate deployment/default/web (2 replicas) from member2 to member1
        People    1 of 2 have said yes
                  person:anna said approve at 0:02:10: go�ahead
        Plan      9c41"]]
    .assert_eq(&text(&everything(), 180_000));
}

#[test]
fn a_page_is_as_wide_as_the_terminal() {
    let narrow = page(&everything(), 180_000, Some(40));
    assert!(
        narrow.contains("\n          (in the words of keeper;\n          nobody has checked them)\n"),
        "what goes on stands below its text: {narrow}"
    );
}
