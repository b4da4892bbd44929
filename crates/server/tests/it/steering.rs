//! Stopping things and saying who answers: about what there is, by those who may.

use crate::box_desk::{BoxDesk, block_on, request};
use axum::http::{Method, StatusCode, header};
use control::agent::Scope;
use model::names::ClusterName;
use serde_json::{Value, json};
use server::access::Role;
use server::testing::Folder;

fn open(folder: &Folder) -> BoxDesk {
    let place = format!("sqlite:{}", folder.path().join("drover.db").display());
    BoxDesk::open(&place.parse().expect("a place"), "")
}

async fn ask(desk: &BoxDesk, method: Method, path: &str, body: Value) -> (StatusCode, Value) {
    let secret = desk.secret(Role::Admin);
    let answer = desk.send(request(method, path, Some(secret), Some(body), &[])).await;
    (answer.status, answer.body)
}

#[test]
fn names_that_nobody_has_are_refused() {
    block_on(async {
        let folder = Folder::new("unknown-names");
        let desk = open(&folder);
        desk.advance(40).await;
        desk.another("outsider", Role::Agent);
        let freeze = |scope, name| {
            (Method::POST, "/api/v1/freezes", json!({ "scope": scope, "name": name, "reason": "calm" }))
        };
        let mode = |wish: Value| {
            let mut body = json!({ "mode": "observe", "reason": "calm" });
            for (key, value) in wish.as_object().expect("an object") {
                body[key] = value.clone();
            }
            (Method::PUT, "/api/v1/modes", body)
        };
        let token = |clusters: Value| {
            let scope = json!({ "clusters": clusters });
            (Method::POST, "/api/v1/tokens", json!({ "name": "anna", "role": "viewer", "scope": scope }))
        };
        for ((method, path, body), refused) in [
            (freeze("cluster", "member1"), None),
            (freeze("cluster", "membr1"), Some(("name", "did you mean member1?"))),
            (freeze("cluster", "nope"), Some(("name", "member1, member2"))),
            (freeze("agent", "keep-headroom"), None),
            (freeze("agent", "outsider"), None),
            (freeze("agent", "keep-hedroom"), Some(("name", "did you mean keep-headroom?"))),
            (mode(json!({ "scope": "cluster", "name": "member2" })), None),
            (mode(json!({ "scope": "cluster", "name": "nope" })), Some(("name", "member1, member2"))),
            (mode(json!({ "scope": "everything", "agent": "nosuch" })), Some(("agent", "keep-headroom"))),
            (
                mode(json!({ "scope": "agent", "name": "keep-headroom", "agent": "outsider" })),
                Some(("agent", "leave it out, or write keep-headroom")),
            ),
            (token(json!(["member1"])), None),
            (token(json!(["member1", "nope"])), Some(("scope.clusters", "member1, member2"))),
        ] {
            let (status, answer) = ask(&desk, method, path, body.clone()).await;
            let Some((field, proposal)) = refused else {
                assert!(status.is_success(), "{body}: {answer}");
                assert!(answer.get("notes").is_none(), "{body}: {answer}");
                continue;
            };
            assert_eq!(status, StatusCode::UNPROCESSABLE_ENTITY, "{body}: {answer}");
            assert_eq!(answer["errors"][0]["field"], field, "{body}: {answer}");
            let told = answer["errors"][0]["proposal"].as_str().unwrap_or_default();
            assert!(told.contains(proposal), "{body}: {answer}");
        }
    });
}

#[test]
fn what_nobody_has_seen_is_stopped_with_a_note() {
    block_on(async {
        let folder = Folder::new("unseen-names");
        let desk = open(&folder);
        desk.advance(40).await;
        for (scope, name, noted) in [
            ("namespace", "default", None),
            ("namespace", "defautl", Some("did you mean default?")),
            ("workload", "default/frontend", None),
            ("workload", "default/frontnd", Some("did you mean deployment/default/frontend?")),
        ] {
            let wish = json!({ "scope": scope, "name": name, "reason": "calm" });
            let (status, answer) = ask(&desk, Method::POST, "/api/v1/freezes", wish).await;
            assert_eq!(status, StatusCode::CREATED, "{name}: {answer}");
            let note = answer["notes"][0].as_str();
            assert_eq!(note.is_some(), noted.is_some(), "{name}: {answer}");
            assert!(note.unwrap_or_default().contains(noted.unwrap_or_default()), "{name}: {answer}");
        }
    });
}

#[test]
fn a_freeze_that_nobody_shows_is_not_lifted() {
    block_on(async {
        let folder = Folder::new("unshown-freeze");
        let desk = open(&folder);
        let before = desk.get(Role::Auditor, "/api/v1/audit?limit=1").await.body;
        let (status, answer) =
            ask(&desk, Method::POST, "/api/v1/freezes/F-7/lift", json!({ "reason": "over" })).await;
        assert_eq!(status, StatusCode::NOT_FOUND, "{answer}");
        let after = desk.get(Role::Auditor, "/api/v1/audit?limit=1").await.body;
        assert_eq!(before["items"], after["items"], "no order was given");
    });
}

#[test]
fn a_workload_elsewhere_is_none_of_their_business() {
    block_on(async {
        let folder = Folder::new("elsewhere");
        let desk = open(&folder);
        desk.advance(40).await;
        let wish =
            json!({ "scope": "workload", "name": "default/frontend", "reason": "a secret of member1" });
        assert_eq!(ask(&desk, Method::POST, "/api/v1/freezes", wish).await.0, StatusCode::CREATED);
        for (cluster, seen) in [("member1", 1), ("member2", 0)] {
            let clusters = [ClusterName::new(cluster).expect("a name")].into();
            let scope = Scope { clusters, ..Scope::default() };
            let secret = desk.scoped(&format!("of-{cluster}"), Role::Viewer, scope);
            for path in ["/api/v1/freezes", "/api/v1/status"] {
                let answer = desk.send(request(Method::GET, path, Some(&secret), None, &[])).await.body;
                let list = if path.ends_with("status") { &answer["freezes"] } else { &answer };
                assert_eq!(list.as_array().map(Vec::len), Some(seen), "{cluster}: {answer}");
            }
        }
    });
}

#[test]
fn two_previews_are_reckoned_at_once() {
    block_on(async {
        let folder = Folder::new("previews");
        let desk = open(&folder);
        desk.advance(150).await;
        let id = desk.pending().await[0]["id"].clone();
        let preview =
            async || desk.post(Role::Viewer, "/api/v1/previews", json!({ "ids": [id.clone()] }), &[]).await;
        let take = |caller| desk.service.desk().rooms().preview(caller);
        let own = take("person:viewer").expect("a place");
        let refused = preview().await;
        assert_eq!(refused.status, StatusCode::TOO_MANY_REQUESTS, "one for each: {}", refused.body);
        let other = desk.post(Role::Operator, "/api/v1/previews", json!({ "ids": [id.clone()] }), &[]).await;
        assert_eq!(other.status, StatusCode::OK, "the other place is for others: {}", other.body);
        drop(own);
        let taken = ["person:anna", "person:ben"].map(|caller| take(caller).expect("a place"));
        let refused = preview().await;
        assert_eq!(refused.status, StatusCode::SERVICE_UNAVAILABLE, "{}", refused.body);
        assert!(refused.headers.contains_key(header::RETRY_AFTER));
        drop(taken);
        for _ in 0..3 {
            let answer = preview().await;
            assert_eq!(answer.status, StatusCode::OK, "each gives its place back: {}", answer.body);
        }
    });
}

#[test]
fn who_approved_is_still_said_afterwards() {
    block_on(async {
        let folder = Folder::new("approvers");
        let desk = open(&folder);
        desk.advance(150).await;
        let id = desk.pending().await[0]["id"].as_str().expect("an id").to_owned();
        let answer = desk.decide(desk.secret(Role::Operator), &id, json!({ "verdict": "approve" })).await;
        assert_eq!(answer.status, StatusCode::OK, "{}", answer.body);
        let seen = desk.get(Role::Viewer, &format!("/api/v1/recommendations/{id}")).await.body;
        assert_eq!((&seen["approversNeeded"], &seen["approversGiven"]), (&json!(1), &json!(1)), "{seen}");
    });
}

#[test]
fn a_grant_says_how_far_it_goes() {
    block_on(async {
        let folder = Folder::new("grants");
        let desk = open(&folder);
        desk.advance(40).await;
        for (limits, missing) in [
            (json!({}), vec!["highestRisk", "seconds"]),
            (json!({ "replicas": 2, "seconds": 0 }), vec!["seconds", "highestRisk"]),
            (json!({ "perHour": 4 }), vec!["highestRisk"]),
            (json!({ "highestRisk": "low" }), vec!["seconds"]),
            (json!({ "highestRisk": "low", "perHour": 1_001 }), vec!["perHour"]),
            (json!({ "highestRisk": "low", "perHour": 4 }), vec![]),
            (json!({ "highestRisk": "high", "seconds": 60 }), vec![]),
        ] {
            let mut body = json!({ "mode": "auto", "scope": "everything", "reason": "a quiet night" });
            for (key, value) in limits.as_object().expect("an object") {
                body[key] = value.clone();
            }
            let (status, told) = ask(&desk, Method::PUT, "/api/v1/modes", body).await;
            let errors = told["errors"].as_array().cloned().unwrap_or_default();
            let fields: Vec<&str> = errors.iter().filter_map(|error| error["field"].as_str()).collect();
            assert_eq!(fields, missing, "{limits}: {told}");
            assert!(errors.iter().all(|error| error["proposal"].is_string()), "{told}");
            let refused = StatusCode::UNPROCESSABLE_ENTITY;
            assert_eq!(status, if missing.is_empty() { StatusCode::OK } else { refused }, "{told}");
        }
    });
}

#[test]
fn what_is_wrong_with_an_order_is_named_as_the_request_names_it() {
    block_on(async {
        let folder = Folder::new("wrong-orders");
        let desk = open(&folder);
        desk.advance(40).await;
        let (long, ages) = ("x".repeat(2_001), i64::MAX);
        let freeze = json!({ "scope": "everything", "reason": "a sale" });
        let human = json!({ "scope": "everything", "mode": "human", "reason": "a sale" });
        let auto = json!({ "scope": "everything", "mode": "auto", "highestRisk": "low", "reason": "a sale" });
        for (method, path, body, field, value) in [
            (Method::POST, "/api/v1/freezes", &freeze, "reason", json!(long)),
            (Method::POST, "/api/v1/freezes", &freeze, "reason", json!("a\0b")),
            (Method::POST, "/api/v1/freezes", &freeze, "seconds", json!(ages)),
            (Method::POST, "/api/v1/freezes", &freeze, "seconds", json!(0)),
            (Method::PUT, "/api/v1/modes", &human, "reason", json!(long)),
            (Method::PUT, "/api/v1/modes", &human, "seconds", json!(ages)),
            (Method::PUT, "/api/v1/modes", &auto, "seconds", json!(ages)),
        ] {
            let mut body = body.clone();
            body[field] = value;
            let (status, told) = ask(&desk, method, path, body).await;
            assert_eq!(status, StatusCode::UNPROCESSABLE_ENTITY, "{told}");
            let errors = told["errors"].as_array().expect("what is wrong");
            let named = errors.iter().find(|error| error["field"] == field);
            assert!(named.is_some_and(|error| error["proposal"].is_string()), "{field} of {path}: {told}");
        }
    });
}
