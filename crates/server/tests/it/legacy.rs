//! A run that cannot go on, because somebody changed the rules, leaves to the next one what people have stopped.

use crate::box_desk::{BoxDesk, aside, request, with_desk};
use axum::http::Method;
use control::control_loop::TrackRecord;
use serde_json::{Value, json};
use server::access::Role;
use server::office::Resumed;
use server::storage::tables::track_records::{self, Outcome};
use server::testing::on_each_location;

const FREEZES: &str = "/api/v1/freezes";
const MODES: &str = "/api/v1/modes";

async fn admin(desk: &BoxDesk, method: Method, path: &str, body: Value) {
    let answer = desk.send(request(method, path, Some(desk.secret(Role::Admin)), Some(body), &[])).await;
    assert!(answer.status.is_success(), "{path}: {}", answer.body);
}

async fn see(desk: &BoxDesk, path: &str) -> Value {
    desk.get(Role::Auditor, path).await.body
}

/// A freeze without an end and one for ten minutes, a grant and a part where nothing may be done.
async fn stop_things(desk: &BoxDesk) {
    desk.advance(60).await;
    let freeze = |scope: Value, more: Value| {
        let mut body = json!({ "reason": "the sale" });
        for (key, value) in scope.as_object().into_iter().chain(more.as_object()).flatten() {
            body[key] = value.clone();
        }
        body
    };
    let cluster = json!({ "scope": "cluster", "name": "member1" });
    admin(desk, Method::POST, FREEZES, freeze(json!({ "scope": "everything" }), json!({}))).await;
    admin(desk, Method::POST, FREEZES, freeze(cluster.clone(), json!({ "seconds": 600 }))).await;
    for (name, mode) in [("member1", "auto"), ("member2", "observe")] {
        let mut body = json!({ "scope": "cluster", "name": name, "mode": mode, "reason": "calm" });
        if mode == "auto" {
            body["highestRisk"] = json!("high");
            body["perHour"] = json!(100);
        }
        admin(desk, Method::PUT, MODES, body).await;
    }
    let outcome = Outcome { inside: true, error: 0.5 };
    let add = |transaction: &mut dyn server::storage::Transaction| {
        track_records::add(transaction, "keep-headroom", "cost", outcome, 7)
    };
    aside(|| desk.service.database().write(add)).expect("a database");
}

fn modes(told: &Value) -> Vec<(&str, &str)> {
    let settings = told["settings"].as_array().expect("settings").iter();
    settings
        .map(|one| (one["name"].as_str().expect("a name"), one["mode"].as_str().expect("a mode")))
        .collect()
}

async fn check_all_is_stopped(desk: &BoxDesk) {
    let freezes = see(desk, FREEZES).await;
    let ends: Vec<Option<u64>> =
        freezes.as_array().expect("freezes").iter().map(|one| one["until"].as_u64()).collect();
    assert_eq!(ends, [None, Some(600_000)], "{freezes}");
    assert_eq!(freezes[0]["reason"], "the sale", "{freezes}");
    let told = see(desk, MODES).await;
    assert_eq!(modes(&told), [("member1", "human"), ("member2", "observe")], "{told}");
    let now = desk.service.desk().now();
    let records: Vec<TrackRecord> = now.records.values().copied().collect();
    assert_eq!(records, [TrackRecord { predicted: 1, inside: 1 }]);
}

#[test]
fn what_people_stopped_stays_stopped_when_the_rules_change() {
    on_each_location(|location| {
        let former = with_desk(location, "", async |desk| {
            stop_things(desk).await;
            desk.service.desk().now().run.clone()
        });
        let changed = "review: { mode: auto, limits: { highest_risk: high, per_hour: 100 } }\n";
        with_desk(location, changed, async |desk| {
            assert_eq!(*desk.service.resumed(), Resumed::Anew);
            check_all_is_stopped(desk).await;
            let told = see(desk, "/api/v1/audit?kind=inherited").await;
            assert_eq!(told["items"][0]["subject"], former, "{told}");
            assert_eq!(told["items"][0]["actor"], "desk", "{told}");
            desk.advance(150).await;
            assert!(desk.pending().await.is_empty(), "nothing can be proposed while everything is frozen");
            let applied = see(desk, "/api/v1/recommendations?stage=applied").await;
            assert_eq!(applied["total"], 0, "{applied}");
        });
        with_desk(location, changed, async |desk| {
            let resumed = desk.service.resumed();
            assert!(matches!(resumed, Resumed::WentOn { steps: 1.. }), "{resumed:?}");
            check_all_is_stopped(desk).await;
            assert_eq!(see(desk, "/api/v1/audit/verification").await["intact"], true);
        });
        Ok(())
    });
}
