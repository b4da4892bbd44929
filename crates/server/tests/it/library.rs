//! Agents, runs, snapshots and models: what can be looked up.

use crate::box_desk::{request, with_desk};
use axum::http::{Method, StatusCode};
use serde_json::{Value, json};
use server::access::Role;
use server::testing::on_each_location;

#[test]
fn agents_are_shown_with_what_they_did() {
    on_each_location(|location| {
        with_desk(location, "wasp: { listen: \"127.0.0.1:0\", agent: wasp-engine }\n", async |desk| {
            desk.advance(130).await;
            let all = desk.get(Role::Viewer, "/api/v1/agents").await.body;
            let names: Vec<&Value> =
                all.as_array().expect("a list").iter().map(|agent| &agent["name"]).collect();
            assert_eq!(
                names,
                ["agent", "keep-headroom", "wasp-engine"],
                "inside, with a token, with a door of its own"
            );
            let planner = desk.get(Role::Viewer, "/api/v1/agents/keep-headroom").await.body;
            assert_eq!((&planner["inside"], &planner["strategy"]), (&json!(true), &json!("planner")));
            assert_eq!((&planner["every"], &planner["frozen"]), (&json!(60_000), &json!(false)));
            assert!(planner["recommendations"]["pending"].as_i64() >= Some(1), "{planner}");
            assert_eq!(planner["parameters"]["strategy"], "planner");
            let decisions = planner["decisions"].as_array().expect("decisions");
            assert!(decisions.iter().any(|decision| decision["submitted"].as_i64() >= Some(1)), "{planner}");
            let newest_first =
                decisions.windows(2).all(|pair| pair[0]["seq"].as_i64() > pair[1]["seq"].as_i64());
            assert!(newest_first && !decisions.is_empty());
            let freeze = json!({ "scope": "agent", "name": "keep-headroom", "reason": "a drill" });
            desk.post(Role::Operator, "/api/v1/freezes", freeze, &[]).await;
            desk.advance(1).await;
            assert_eq!(desk.get(Role::Viewer, "/api/v1/agents/keep-headroom").await.body["frozen"], true);
            let outside = desk.get(Role::Viewer, "/api/v1/agents/wasp-engine").await.body;
            assert_eq!((&outside["inside"], &outside["decisions"]), (&json!(false), &json!([])));
            assert_eq!(desk.get(Role::Viewer, "/api/v1/agents/nobody").await.status, StatusCode::NOT_FOUND);
        });
        Ok(())
    });
}

#[test]
fn runs_and_their_snapshots_are_found() {
    on_each_location(|location| {
        with_desk(location, "", async |desk| {
            desk.advance(130).await;
            let runs = desk.get(Role::Viewer, "/api/v1/runs").await.body;
            assert_eq!(
                (&runs[0]["scenario"], &runs[0]["status"]),
                (&json!("three-waves"), &json!("running"))
            );
            let observed = desk.get(Role::Auditor, "/api/v1/audit?kind=observed&limit=1").await.body;
            let hash = observed["items"][0]["body"]["input"]["snapshot"].as_str().expect("a hash").to_owned();
            let kept = desk.get(Role::Agent, &format!("/api/v1/snapshots/{hash}")).await;
            assert_eq!((kept.status, &kept.body["hash"]), (StatusCode::OK, &json!(hash)));
            assert!(kept.body["snapshot"]["clusters"]["member1"].is_object());
            for unknown in ["x", &"0".repeat(64)] {
                let path = format!("/api/v1/snapshots/{unknown}");
                assert_eq!(desk.get(Role::Viewer, &path).await.status, StatusCode::NOT_FOUND);
            }
            assert_eq!(desk.get(Role::Viewer, "/api/v1/runs?limit=0").await.status, StatusCode::BAD_REQUEST);
        });
        Ok(())
    });
}

#[test]
fn models_come_and_go() {
    on_each_location(|location| {
        with_desk(location, "", async |desk| {
            let wish = json!({ "name": "mover", "kind": "table", "card": { "trained": "three-waves" }, "content": "AAEC" });
            let added = desk.post(Role::Admin, "/api/v1/models", wish.clone(), &[]).await;
            assert_eq!(
                (added.status, &added.body["size"]),
                (StatusCode::CREATED, &json!(3)),
                "{}",
                added.body
            );
            let mut other = wish.clone();
            other["name"] = json!("other");
            let again = desk.post(Role::Admin, "/api/v1/models", other, &[]).await;
            assert_eq!(again.body, added.body, "the same bytes are kept once");
            let path = format!("/api/v1/models/{}", added.body["hash"].as_str().expect("a hash"));
            let shown = desk.get(Role::Viewer, &path).await.body;
            assert_eq!(
                (&shown["content"], &shown["card"]["trained"]),
                (&json!("AAEC"), &json!("three-waves"))
            );
            assert_eq!(desk.get(Role::Viewer, "/api/v1/models").await.body.as_array().map(Vec::len), Some(1));
            let large = "A".repeat(2 << 20);
            let large = json!({ "name": "large", "kind": "table", "content": large });
            assert_eq!(
                desk.post(Role::Admin, "/api/v1/models", large, &[]).await.status,
                StatusCode::CREATED
            );
            let admin = Some(desk.secret(Role::Admin));
            let gone = desk.send(request(Method::DELETE, &path, admin, None, &[])).await;
            assert_eq!(gone.status, StatusCode::NO_CONTENT);
            let gone = desk.send(request(Method::DELETE, &path, admin, None, &[])).await;
            assert_eq!(gone.status, StatusCode::NOT_FOUND);
            let record = desk.get(Role::Auditor, "/api/v1/audit?kind=model.added,model.removed").await.body;
            assert_eq!(record["total"], 3, "{record}");
            for (field, value) in [
                ("name", json!("My Model")),
                ("kind", json!("")),
                ("content", json!("not base64!")),
                ("content", json!("")),
                ("content", json!("A".repeat(12 << 20))),
                ("card", json!({ "x": "y".repeat(70_000) })),
            ] {
                let mut wrong = wish.clone();
                wrong[field] = value;
                let answer = desk.post(Role::Admin, "/api/v1/models", wrong, &[]).await;
                let known = [StatusCode::UNPROCESSABLE_ENTITY, StatusCode::PAYLOAD_TOO_LARGE];
                assert!(known.contains(&answer.status), "{field}: {}", answer.body);
            }
        });
        Ok(())
    });
}
