//! Tokens: made by admins within their own bounds, shown once, used, and ended.

use crate::box_desk::{BoxDesk, block_on, request, with_desk};
use axum::http::{Method, StatusCode};
use serde_json::{Value, json};
use server::access::{Role, Secret};
use server::testing::{Folder, on_each_location};

async fn create(desk: &BoxDesk, wish: Value) -> (StatusCode, Value) {
    let answer = desk.post(Role::Admin, "/api/v1/tokens", wish, &[]).await;
    (answer.status, answer.body)
}

async fn as_holder(
    desk: &BoxDesk,
    secret: &Secret,
    method: Method,
    path: &str,
    body: Option<Value>,
) -> (StatusCode, Value) {
    let answer = desk.send(request(method, path, Some(secret), body, &[])).await;
    (answer.status, answer.body)
}

#[test]
fn a_token_lives_from_its_making_to_its_end() {
    on_each_location(|location| {
        with_desk(location, "", async |desk| {
            let wish = json!({
                "name": "night-watch", "role": "operator", "seconds": 3600,
                "scope": { "clusters": ["member1"], "namespaces": ["default"] },
            });
            let (status, made) = create(desk, wish).await;
            assert_eq!(status, StatusCode::CREATED, "{made}");
            let secret = Secret::received(made["secret"].as_str().expect("a secret"));
            let id = made["id"].as_str().expect("a number").to_owned();
            assert_eq!(made["expiresWall"].as_i64(), made["createdWall"].as_i64().map(|at| at + 3_600_000));
            let (_, me) = as_holder(desk, &secret, Method::GET, "/api/v1/session", None).await;
            assert_eq!((&me["name"], &me["by"]), (&json!("night-watch"), &json!("token")));
            assert_eq!(me["scope"], json!({ "clusters": ["member1"], "namespaces": ["default"] }));
            assert!(me.get("csrfToken").is_none(), "{me}");
            let listed = desk.get(Role::Admin, "/api/v1/tokens").await.body;
            let all = listed["items"].as_array().expect("a list");
            let (mut walked, mut path): (Vec<Value>, _) = (Vec::new(), "/api/v1/tokens?limit=2".to_owned());
            loop {
                let page = desk.get(Role::Admin, &path).await.body;
                assert_eq!(page["total"], all.len());
                walked
                    .extend(page["items"].as_array().expect("a page").iter().map(|item| item["id"].clone()));
                let Some(next) = page["nextCursor"].as_str() else { break };
                path = format!("/api/v1/tokens?limit=2&cursor={next}");
            }
            assert_eq!(walked, all.iter().map(|item| item["id"].clone()).collect::<Vec<_>>());
            let lost = desk.get(Role::Admin, "/api/v1/tokens?cursor=x").await;
            assert_eq!(lost.status, StatusCode::BAD_REQUEST, "{}", lost.body);
            let found = all.iter().find(|token| token["id"] == id.as_str()).expect("it is listed");
            assert!(found["usedWall"].is_i64() && found.get("secret").is_none(), "{found}");
            assert_eq!(found["createdBy"], "person:admin");

            let path = format!("/api/v1/tokens/{id}");
            let admin = desk.secret(Role::Admin);
            assert_eq!(as_holder(desk, admin, Method::DELETE, &path, None).await.0, StatusCode::NO_CONTENT);
            assert_eq!(as_holder(desk, admin, Method::DELETE, &path, None).await.0, StatusCode::NOT_FOUND);
            let (status, _) = as_holder(desk, &secret, Method::GET, "/api/v1/session", None).await;
            assert_eq!(status, StatusCode::UNAUTHORIZED);
            let record =
                desk.get(Role::Auditor, &format!("/api/v1/audit?subject={id}&ascending=true")).await.body;
            let entries = record["items"].as_array().expect("entries");
            let kinds: Vec<&Value> = entries.iter().map(|entry| &entry["kind"]).collect();
            assert_eq!(kinds, [&json!("token.created"), &json!("token.revoked")]);
            assert!(entries.iter().all(|entry| entry["actor"] == "person:admin"), "{record}");
            assert!(!record.to_string().contains(secret.reveal()));
            let admin = all.iter().find(|token| token["name"] == "admin").expect("it is listed");
            let via = json!(format!("token:{}", admin["id"].as_str().expect("a number")));
            assert!(entries.iter().all(|entry| entry["via"] == via), "{record}");
        });
        Ok(())
    });
}

#[test]
fn wishes_that_cannot_be_are_refused() {
    block_on(async {
        let folder = Folder::new("wishes");
        let place = format!("sqlite:{}", folder.path().join("drover.db").display());
        let more = "access: { longest_token: 24h }\nwasp: { listen: \"127.0.0.1:0\", agent: wasp-engine }\n";
        let desk = BoxDesk::open(&place.parse().expect("a place"), more);
        for (wish, field) in [
            (json!({ "name": "anna", "role": "viewer", "seconds": 86_401 }), "seconds"),
            (json!({ "name": "anna", "role": "viewer", "seconds": 0 }), "seconds"),
            (json!({ "name": "Anna!", "role": "viewer" }), "name"),
            (json!({ "name": "a".repeat(64), "role": "viewer" }), "name"),
            (json!({ "name": "people", "role": "agent" }), "name"),
            (json!({ "name": "world", "role": "admin" }), "name"),
            (json!({ "name": "keep-headroom", "role": "agent" }), "name"),
            (json!({ "name": "keep-headroom", "role": "viewer" }), "name"),
            (json!({ "name": "wasp-engine", "role": "operator" }), "name"),
            (json!({ "name": "agent", "role": "operator" }), "name"),
            (json!({ "name": "operator", "role": "agent" }), "name"),
            (json!({ "name": "anna", "role": "viewer", "scope": { "clusters": ["A B"] } }), "scope.clusters"),
            (
                json!({ "name": "anna", "role": "viewer", "scope": { "namespaces": [""] } }),
                "scope.namespaces",
            ),
        ] {
            let (status, problem) = create(&desk, wish.clone()).await;
            assert_eq!(status, StatusCode::UNPROCESSABLE_ENTITY, "{wish}: {problem}");
            assert_eq!(problem["errors"][0]["field"], field, "{wish}: {problem}");
        }
        for wish in
            [json!({ "name": "anna", "role": "root" }), json!({ "name": "anna", "role": "viewer", "x": 1 })]
        {
            assert_eq!(create(&desk, wish.clone()).await.0, StatusCode::UNPROCESSABLE_ENTITY, "{wish}");
        }
        let (status, made) = create(&desk, json!({ "name": "wasp-engine", "role": "agent" })).await;
        assert_eq!(status, StatusCode::CREATED, "{made}");
        let lives =
            made["expiresWall"].as_i64().zip(made["createdWall"].as_i64()).map(|(end, from)| end - from);
        assert_eq!(lives, Some(86_400_000), "no longer than the file allows");
    });
}

#[test]
fn nobody_hands_out_more_than_they_have() {
    block_on(async {
        let folder = Folder::new("bounds");
        let place = format!("sqlite:{}", folder.path().join("drover.db").display());
        let desk = BoxDesk::open(&place.parse().expect("a place"), "");
        let wish = json!({ "name": "local", "role": "admin", "scope": { "clusters": ["member1"] } });
        let (_, made) = create(&desk, wish).await;
        let local = Secret::received(made["secret"].as_str().expect("a secret"));
        for (scope, allowed) in [
            (json!({ "clusters": ["member1"] }), true),
            (json!({ "clusters": ["member1"], "namespaces": ["default"] }), true),
            (json!({ "clusters": ["member1", "member2"] }), false),
            (json!({ "namespaces": ["default"] }), false),
            (json!({}), false),
        ] {
            let wish = json!({ "name": "helper", "role": "viewer", "scope": scope });
            let (status, body) = as_holder(&desk, &local, Method::POST, "/api/v1/tokens", Some(wish)).await;
            let expected = if allowed { StatusCode::CREATED } else { StatusCode::FORBIDDEN };
            assert_eq!(status, expected, "{scope}: {body}");
        }
        for (name, expected) in
            [("local", StatusCode::CREATED), ("operator", StatusCode::UNPROCESSABLE_ENTITY)]
        {
            let wish = json!({ "name": name, "role": "viewer", "scope": { "clusters": ["member1"] } });
            let (status, body) = as_holder(&desk, &local, Method::POST, "/api/v1/tokens", Some(wish)).await;
            assert_eq!(status, expected, "nobody lends a name that is not theirs: {name}: {body}");
        }
        let all = desk.get(Role::Admin, "/api/v1/tokens").await.body;
        let all = all["items"].as_array().expect("a list").clone();
        let admin = all.iter().find(|token| token["name"] == "admin").expect("the first admin");
        let path = format!("/api/v1/tokens/{}", admin["id"].as_str().expect("a number"));
        let (status, _) = as_holder(&desk, &local, Method::DELETE, &path, None).await;
        assert_eq!(status, StatusCode::NOT_FOUND, "it is not theirs to know of");
        let (_, seen) = as_holder(&desk, &local, Method::GET, "/api/v1/tokens", None).await;
        let names: Vec<&str> =
            seen["items"].as_array().expect("a list").iter().filter_map(|it| it["name"].as_str()).collect();
        assert!(
            names.contains(&"helper") && names.iter().all(|name| ["helper", "local"].contains(name)),
            "{names:?}"
        );
    });
}

#[test]
fn the_record_says_which_token_was_used() {
    on_each_location(|location| {
        with_desk(location, "review: { mode: human }\n", async |desk| {
            let (_, made) = create(desk, json!({ "name": "anna", "role": "operator" })).await;
            let anna = Secret::received(made["secret"].as_str().expect("a secret"));
            desk.advance(150).await;
            let id = desk.pending().await[0]["id"].as_str().expect("an id").to_owned();
            let decided = desk.decide(&anna, &id, json!({ "verdict": "reject", "note": "no" })).await;
            assert_eq!(decided.status, StatusCode::OK, "{}", decided.body);
            let freeze = json!({ "scope": "cluster", "name": "member1", "reason": "a test" });
            let key = [("idempotency-key", "once")];
            let frozen = request(Method::POST, "/api/v1/freezes", Some(&anna), Some(freeze), &key);
            assert_eq!(desk.send(frozen).await.status, StatusCode::CREATED);
            let pause = Some(json!({ "order": "pause" }));
            let (status, _) = as_holder(desk, &anna, Method::POST, "/api/v1/clock", pause).await;
            assert_eq!(status, StatusCode::OK);
            let via = json!(format!("token:{}", made["id"].as_str().expect("a number")));
            for kind in ["reviewed", "ordered", "clock"] {
                let path = format!("/api/v1/audit?kind={kind}&limit=1");
                let entry = desk.get(Role::Auditor, &path).await.body["items"][0].clone();
                assert_eq!(entry["via"], via, "{entry}");
            }
            let seen = desk.get(Role::Auditor, "/api/v1/audit?kind=observed&limit=1").await.body;
            assert!(seen["items"][0].get("via").is_none(), "the world shows nothing: {seen}");
            let intact = desk.get(Role::Auditor, "/api/v1/audit/verification").await.body;
            assert_eq!(intact["intact"], true, "{intact}");
        });
        Ok(())
    });
}
