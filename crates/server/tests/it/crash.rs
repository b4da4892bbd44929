//! A desk that is dropped in the middle of things and opened again stands where it stood.

use crate::box_desk::{BoxDesk, SCENARIO, aside, desk_file, request, scenario, when_free, with_desk};
use axum::http::Method;
use serde_json::json;
use server::access::Role;
use server::office::Resumed;
use server::service::Service;
use server::storage::{Database, Location};
use server::testing::postgres::FreshDatabase;
use server::testing::{Folder, on_each_location, without_triggers};

/// What must survive: everything that anybody was told.
async fn told(desk: &BoxDesk) -> serde_json::Value {
    let recommendations = desk.get(Role::Viewer, "/api/v1/recommendations?limit=500").await.body;
    let status = desk.get(Role::Viewer, "/api/v1/status").await.body;
    let clusters = desk.get(Role::Viewer, "/api/v1/clusters").await.body;
    json!({ "items": recommendations["items"], "run": status["run"], "at": status["at"], "clusters": clusters })
}

/// Opens a desk, lets something happen, and says what was told. The desk is gone afterwards, without a goodbye.
fn session(
    location: &Location,
    work: impl AsyncFnOnce(&BoxDesk),
) -> (Resumed, serde_json::Value, serde_json::Value) {
    with_desk(location, "", async |desk| {
        let before = told(desk).await;
        work(desk).await;
        let after = told(desk).await;
        (desk.service.resumed().clone(), before, after)
    })
}

#[test]
fn an_interrupted_run_goes_on_where_it_stopped() {
    on_each_location(|location| {
        let (first, _, after) = session(location, async |desk| {
            desk.advance(130).await;
            let id = desk.pending().await[0]["id"].as_str().expect("an id").to_owned();
            let answer = desk.decide(desk.secret(Role::Operator), &id, json!({ "verdict": "approve" })).await;
            assert!(answer.status.is_success(), "{}", answer.body);
            desk.advance(2).await;
        });
        assert_eq!(first, Resumed::Anew);
        let (second, before, end) = session(location, async |desk| desk.advance(100).await);
        assert!(matches!(second, Resumed::WentOn { steps: 1.. }), "{second:?}");
        assert_eq!(before["items"], after["items"]);
        assert_eq!(before["run"], after["run"]);
        let applied =
            end["items"].as_array().expect("items").iter().filter(|item| item["stage"] == "applied");
        assert_eq!(applied.count(), 1, "{end}");
        Ok(())
    });
}

#[test]
fn old_snapshots_go_and_the_run_goes_on_without_them() {
    on_each_location(|location| {
        let more = "retention: { snapshots: 0s }\n";
        let steps = with_desk(location, more, async |desk| {
            desk.advance(130).await;
            desk.get(Role::Viewer, "/api/v1/status").await.body["seq"].as_i64()
        });
        let (resumed, hash) = with_desk(location, more, async |desk| {
            let observed =
                desk.get(Role::Auditor, "/api/v1/audit?kind=observed&ascending=true&limit=1").await.body;
            let hash = observed["items"][0]["body"]["input"]["snapshot"].as_str().expect("a hash").to_owned();
            let found = desk.get(Role::Viewer, &format!("/api/v1/snapshots/{hash}")).await;
            (desk.service.resumed().clone(), found.status)
        });
        assert!(matches!(resumed, Resumed::WentOn { steps: 1.. }), "{resumed:?} after {steps:?}");
        assert_eq!(hash, axum::http::StatusCode::NOT_FOUND);
        Ok(())
    });
}

/// Changes something without a desk, as somebody does who can write to the database.
fn behind_its_back(location: &Location, statements: &[&str]) {
    let database = when_free(|| Database::open(location));
    let changed = database.write(|transaction| {
        without_triggers(transaction, "journal")?;
        statements.iter().try_for_each(|statement| transaction.execute(statement, &[]).map(drop))
    });
    changed.unwrap_or_else(|error| panic!("{statements:?}: {error:?}"));
}

#[test]
fn a_desk_does_not_write_on_top_of_a_changed_record() {
    on_each_location(|location| {
        session(location, async |desk| {
            desk.advance(130).await;
            let id = desk.pending().await[0]["id"].as_str().expect("an id").to_owned();
            desk.decide(desk.secret(Role::Operator), &id, json!({ "verdict": "approve" })).await;
        });
        let statement =
            "UPDATE journal SET actor = REPLACE(actor, 'operator', 'eve') WHERE kind = 'reviewed'";
        behind_its_back(location, &[statement]);
        let opened = || Service::open(&desk_file(location, ""), scenario(SCENARIO), SCENARIO.as_bytes());
        let Err(refused) = opened() else { panic!("it opened") };
        let text = refused.to_string();
        assert!(
            text.contains("is not what it was: entry ") && text.contains("restore the last backup"),
            "{text}"
        );
        Ok(())
    });
}

/// How time goes by: whether it stands still, how fast it is, and how fast while something waits.
async fn pace(desk: &BoxDesk) -> serde_json::Value {
    let status = desk.get(Role::Viewer, "/api/v1/status").await.body;
    json!([status["paused"], status["speed"], status["speedWhileWaiting"]])
}

#[test]
fn the_pace_that_people_set_holds_after_a_restart() {
    let run = json!({ "order": "run" });
    let pause = json!({ "order": "pause" });
    let advance = json!({ "order": "advance", "seconds": 1 });
    let speed = json!({ "order": "speed", "speed": 0.5, "speedWhileWaiting": 0.25 });
    let slow = json!({ "order": "speed", "speed": 0.125 });
    for (orders, expected) in [
        (vec![], json!([true, 60.0, null])),
        (vec![&run, &pause, &speed], json!([true, 0.5, 0.25])),
        (vec![&speed, &slow, &pause, &run], json!([false, 0.125, null])),
        (vec![&slow, &run, &advance], json!([true, 0.125, null])),
    ] {
        on_each_location(|location| {
            let before = with_desk(location, "", async |desk| {
                for order in &orders {
                    let answer = desk.post(Role::Operator, "/api/v1/clock", (*order).clone(), &[]).await;
                    assert!(answer.status.is_success(), "{}", answer.body);
                }
                pace(desk).await
            });
            let after = with_desk(location, "", async |desk| pace(desk).await);
            assert_eq!((&before, &after), (&expected, &expected), "{orders:?}");
            Ok(())
        });
    }
}

/// Asks until the answer has this status, for as long as a desk may take to notice something.
async fn until_ready_is(desk: &BoxDesk, status: u16) {
    let deadline = server::clock::now() + std::time::Duration::from_secs(30);
    loop {
        let answer = desk.get(Role::Viewer, "/readyz").await;
        if answer.status.as_u16() == status {
            return;
        }
        assert!(server::clock::now() < deadline, "{}: {}", answer.status, answer.body);
        tokio::time::sleep(std::time::Duration::from_millis(50)).await;
    }
}

#[test]
fn a_desk_whose_server_went_away_comes_back_and_loses_nothing() {
    let fresh = FreshDatabase::new();
    with_desk(fresh.location(), "", async |desk| {
        desk.advance(130).await;
        let id = desk.pending().await[0]["id"].as_str().expect("an id").to_owned();
        aside(|| fresh.disconnect_all());
        let answer = desk.decide(desk.secret(Role::Operator), &id, json!({ "verdict": "approve" })).await;
        assert!(answer.status.is_success(), "{}", answer.body);
        aside(|| fresh.disconnect_all());
        desk.advance(100).await;
        let shown = desk.get(Role::Viewer, &format!("/api/v1/recommendations/{id}")).await;
        assert_eq!(shown.body["stage"], "applied", "{}", shown.body);
        aside(|| fresh.disconnect_all());
        until_ready_is(desk, 200).await;
    });
}

#[test]
fn a_desk_that_another_one_took_over_from_stops() {
    let fresh = FreshDatabase::new();
    with_desk(fresh.location(), "", async |desk| {
        let second = aside(|| {
            fresh.disconnect_all();
            BoxDesk::open(fresh.location(), "")
        });
        until_ready_is(desk, 503).await;
        let frozen = json!({ "scope": "everything", "reason": "stop" });
        let wish = json!({ "name": "night-watch", "role": "viewer" });
        for (path, body) in [("/api/v1/freezes", frozen), ("/api/v1/tokens", wish)] {
            let answer = desk.post(Role::Admin, path, body, &[]).await;
            assert_eq!(answer.status.as_u16(), 503, "{path}: {}", answer.body);
        }
        until_ready_is(&second, 200).await;
    });
}

/// What is killed between a step and its answer leaves a step and no answer.
#[test]
fn a_key_does_nothing_twice_although_the_desk_was_killed_before_it_answered() {
    let folder = Folder::new("keys");
    let location = Location::File(folder.path().join("drover.db"));
    let requests = [
        ("/api/v1/freezes", json!({ "scope": "everything", "reason": "a drill" })),
        ("/api/v1/clock", json!({ "order": "advance", "seconds": 30 })),
        ("/api/v1/clock", json!({ "order": "speed", "speed": 2.0 })),
        ("/api/v1/tokens", json!({ "name": "night-watch", "role": "viewer" })),
        ("/api/v1/freezes/F-1/lift", json!({ "reason": "it is over" })),
    ];
    let send = async |desk: &BoxDesk| {
        let mut answers = Vec::new();
        for (number, (path, body)) in requests.iter().enumerate() {
            let key = format!("k-{number}");
            let headers = [("idempotency-key", key.as_str())];
            answers.push(desk.post(Role::Admin, path, body.clone(), &headers).await);
        }
        answers
    };
    drop(when_free(|| Database::open(&location)));
    let no_answers = "CREATE TRIGGER no_answers BEFORE UPDATE OF status ON idempotency BEGIN \
                      SELECT RAISE(ABORT, 'killed'); END";
    behind_its_back(&location, &[no_answers]);
    let (first, at, seq) = with_desk(&location, "", async |desk| {
        let answers = send(desk).await;
        let status = desk.get(Role::Viewer, "/api/v1/status").await.body;
        (answers, status["at"].clone(), status["seq"].as_i64())
    });
    assert!(first.iter().all(|answer| answer.status.is_server_error()), "nobody was answered");
    behind_its_back(&location, &["DROP TRIGGER no_answers"]);
    with_desk(&location, "", async |desk| {
        for answer in send(desk).await {
            assert_eq!(answer.status.as_u16(), 409, "{}", answer.body);
            assert_eq!(answer.body["code"], "conflict", "{}", answer.body);
        }
        let status = desk.get(Role::Viewer, "/api/v1/status").await.body;
        assert_eq!(status["at"], at, "time went on once");
        let record = desk.get(Role::Auditor, "/api/v1/audit?kind=ordered,token.created&limit=500").await.body;
        let newer = record["items"].as_array().expect("entries").iter();
        let newer = newer.filter(|entry| entry["seq"].as_i64() > seq).count();
        assert_eq!(newer, Role::ALL.len(), "the tokens of this test, and nothing else: {record}");
    });
}

#[test]
fn what_somebody_changed_by_hand_is_not_decided_and_is_written_anew() {
    let plan = "UPDATE recommendation_documents SET body = REPLACE(body, 'member', 'cluster') WHERE id = 1";
    let list = "UPDATE recommendations SET action = 'do nothing' WHERE id = 1";
    let stage = "UPDATE recommendations SET stage = 'approved' WHERE id = 1";
    let prediction =
        "UPDATE recommendation_documents SET prediction = REPLACE(prediction, '0', '7') WHERE id = 1";
    let reviews = "UPDATE recommendation_documents SET reviews = \
        '[{\"by\":\"person:eve\",\"verdict\":\"approve\",\"at\":1,\"wall_ms\":1}]' WHERE id = 1";
    let outcome = "UPDATE recommendation_documents SET outcome = '{\"because\":\"started\"}' WHERE id = 1";
    for (statement, is_noticed) in
        [(plan, true), (list, true), (stage, false), (prediction, false), (reviews, false), (outcome, false)]
    {
        on_each_location(|location| {
            let before = with_desk(location, "", async |desk| {
                desk.advance(130).await;
                let before = desk.get(Role::Viewer, "/api/v1/recommendations/R-1").await;
                aside(|| {
                    let database = desk.service.database();
                    database.write(|transaction| transaction.execute(statement, &[])).map(drop)
                })
                .expect("a statement that counts");
                let body = json!({ "verdict": "approve", "planHash": before.body["planHash"] });
                let tag = before.headers["etag"].to_str().expect("a tag").to_owned();
                let path = "/api/v1/recommendations/R-1/decisions";
                if is_noticed {
                    let shown = desk.get(Role::Viewer, "/api/v1/recommendations/R-1").await;
                    let decided = desk.post(Role::Operator, path, body, &[("if-match", &tag)]).await;
                    for answer in [shown, decided] {
                        assert_eq!(answer.status.as_u16(), 500, "{statement}: {}", answer.body);
                        let detail = answer.body["detail"].as_str().expect("a text");
                        assert!(detail.contains("the record disagree about R-1"), "{statement}: {detail}");
                    }
                }
                before.body
            });
            with_desk(location, "", async |desk| {
                let after = desk.get(Role::Viewer, "/api/v1/recommendations/R-1").await.body;
                let told = [
                    "stage",
                    "action",
                    "planHash",
                    "agent",
                    "reason",
                    "changes",
                    "prediction",
                    "reviews",
                    "outcome",
                ];
                for field in told {
                    assert_eq!(after[field], before[field], "{statement}: {field}");
                }
                let noted = desk.get(Role::Auditor, "/api/v1/audit?kind=table.corrected").await.body;
                assert_eq!(noted["items"].as_array().map(Vec::len), Some(1), "{statement}: {noted}");
                assert_eq!(noted["items"][0]["subject"], "R-1", "{statement}");
                let answer =
                    desk.decide(desk.secret(Role::Operator), "R-1", json!({ "verdict": "approve" })).await;
                assert!(answer.status.is_success(), "{statement}: {}", answer.body);
            });
            Ok(())
        });
    }
}

#[test]
fn a_token_that_somebody_changed_by_hand_ends() {
    for statement in [
        "UPDATE tokens SET role = 'admin' WHERE name = 'mallory'",
        "UPDATE tokens SET expires_wall_ms = NULL WHERE name = 'mallory'",
        "UPDATE tokens SET scope = '{\"clusters\":[\"member1\"],\"namespaces\":[]}' WHERE name = 'mallory'",
        // As if it were of a secret that mallory knows.
        "UPDATE tokens SET secret_hash = 'b3a1b3a1b3a1b3a1b3a1b3a1b3a1b3a1b3a1b3a1b3a1b3a1b3a1b3a1b3a1b3a1' WHERE \
         name = 'mallory'",
    ] {
        on_each_location(|location| {
            let (changed, right) = with_desk(location, "", async |desk| {
                let wish = json!({ "name": "mallory", "role": "viewer" });
                let made = desk.post(Role::Admin, "/api/v1/tokens", wish, &[]).await.body;
                (made["id"].clone(), desk.secret(Role::Viewer).clone())
            });
            behind_its_back(location, &[statement]);
            with_desk(location, "", async |desk| {
                let all = desk.get(Role::Admin, "/api/v1/tokens?limit=500").await.body;
                let all = all["items"].as_array().expect("a list");
                let ended: Vec<_> = all.iter().filter(|token| token["revokedWall"].is_i64()).collect();
                assert_eq!(ended.len(), 1, "{statement}: {all:?}");
                assert_eq!(ended[0]["id"], changed, "{statement}");
                let request = request(Method::GET, "/api/v1/session", Some(&right), None, &[]);
                assert!(desk.send(request).await.status.is_success(), "others count");
                let noted = desk.get(Role::Auditor, "/api/v1/audit?kind=token.revoked").await.body;
                assert_eq!(noted["items"][0]["actor"], "desk", "{statement}: {noted}");
            });
            Ok(())
        });
    }
}
