//! Every answer that a test gets is held against the document: what it carries is described, and what is described as always there is.

use crate::box_desk::{BoxDesk, request, with_desk};
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode};
use serde_json::{Value, json};
use server::access::Role;
use server::api::carried::Carried;
use server::testing::on_each_location;
use std::sync::LazyLock;

static DOCUMENT: LazyLock<Value> =
    LazyLock::new(|| server::api::openapi::document(&server::api::endpoints()));

/// What the document says about an address and a method; nothing if it is none of the table.
fn operation(method: &str, path: &str) -> Option<&'static Value> {
    let path = path.split('?').next().unwrap_or_default();
    let parts: Vec<&str> = path.split('/').collect();
    let fits = |template: &str| {
        let known: Vec<&str> = template.split('/').collect();
        let same = |(one, other): (&&str, &&str)| one.starts_with('{') || one == other;
        known.len() == parts.len() && known.iter().zip(&parts).all(same)
    };
    let paths = DOCUMENT["paths"].as_object()?;
    // What is written out comes before what has gaps.
    let found =
        paths.get(path).or_else(|| paths.iter().find(|(known, _)| fits(known)).map(|(_, found)| found));
    found?.get(method.to_lowercase())
}

/// What is wrong with the headers of an answer.
fn findings(method: &str, path: &str, status: u16, headers: &HeaderMap) -> Vec<String> {
    let Some(operation) = operation(method, path) else { return Vec::new() };
    let described = &operation["responses"][status.to_string()]["headers"];
    let check = |carried: Carried| {
        let name = carried.name();
        let reference = described[name]["$ref"].as_str().and_then(|text| text.strip_prefix('#'));
        let always = reference.map(|place| DOCUMENT.pointer(place).is_some_and(|it| it["required"] == true));
        match (always, headers.contains_key(name)) {
            (None, true) => Some(format!("{method} {path} {status} sends {name}, which is not described")),
            (Some(true), false) => Some(format!("{method} {path} {status} does not send {name}")),
            _ => None,
        }
    };
    Carried::ALL.into_iter().filter_map(check).collect()
}

/// Fails if an answer is not what the document says.
pub(crate) fn check(method: &str, path: &str, status: u16, headers: &HeaderMap) {
    let findings = findings(method, path, status, headers);
    assert!(findings.is_empty(), "{findings:#?}");
}

/// The same for headers as they came over a wire. WASP's door answers there, too, and has no other pages than its own.
pub(crate) fn check_pairs(method: &str, path: &str, status: u16, pairs: &[(String, String)]) {
    let pair = |(name, value): &(String, String)| {
        Some((name.parse::<HeaderName>().ok()?, HeaderValue::from_str(value).ok()?))
    };
    let is_described =
        operation(method, path).is_some_and(|it| !it["responses"][status.to_string()].is_null());
    if !is_described {
        return;
    }
    check(method, path, status, &pairs.iter().filter_map(pair).collect());
}

#[test]
fn what_is_sent_and_not_described_is_noticed_and_so_is_what_is_missing() {
    let carrying = |names: &[&'static str]| {
        let pair = |name: &&'static str| (HeaderName::from_static(name), HeaderValue::from_static("x"));
        names.iter().map(pair).collect::<HeaderMap>()
    };
    let count = |status, names: &[&'static str]| {
        findings("GET", "/api/v1/recommendations/R-1", status, &carrying(names)).len()
    };
    assert_eq!(count(200, &["etag", "x-request-id"]), 0);
    assert_eq!(count(200, &["x-request-id"]), 1, "the version is missing");
    assert_eq!(count(200, &["etag", "x-request-id", "location"]), 1, "nobody said that it leads elsewhere");
    assert_eq!(count(404, &["etag", "x-request-id"]), 1, "what is not there has no version");
    assert_eq!(count(429, &["x-request-id"]), 1, "how long?");
    assert_eq!(count(503, &["x-request-id"]), 0);
    assert_eq!(count(503, &["x-request-id", "retry-after"]), 0);
}

/// A way through the desk on which every header is sent at least once; [`BoxDesk::send`] checks each answer.
#[test]
fn answers_carry_what_the_document_says() {
    on_each_location(|location| {
        with_desk(location, "review: { mode: human }\n", walk);
        Ok(())
    });
}

async fn walk(desk: &BoxDesk) {
    for endpoint in server::api::endpoints() {
        let path = endpoint.path.replace(['{', '}'], "");
        if endpoint.path == "/api/v1/events" {
            continue;
        }
        let body = (endpoint.method != Method::GET).then(|| json!({}));
        for secret in [None, Some(desk.secret(Role::Admin))] {
            desk.send(request(endpoint.method.clone(), &path, secret, body.clone(), &[])).await;
        }
    }
    desk.advance(150).await;
    let first = desk.pending().await[0]["id"].as_str().expect("an id").to_owned();
    let rejected = json!({ "verdict": "reject", "note": "not now" });
    let decided = desk.decide(desk.secret(Role::Operator), &first, rejected).await;
    assert_eq!(decided.status, StatusCode::OK, "{}", decided.body);
    assert!(decided.headers.contains_key("etag"));
    let freeze = json!({ "scope": "cluster", "name": "member1", "reason": "a test" });
    for replayed in [false, true] {
        let key = [("idempotency-key", "one")];
        let frozen = desk.post(Role::Operator, "/api/v1/freezes", freeze.clone(), &key).await;
        assert_eq!(frozen.headers.contains_key("idempotent-replayed"), replayed, "{}", frozen.body);
    }
    let made = desk.post(Role::Admin, "/api/v1/tokens", json!({ "name": "x", "role": "viewer" }), &[]).await;
    assert!(made.headers.contains_key("location"), "{}", made.body);
    let backup = desk.get(Role::Admin, "/api/v1/backup").await;
    assert_eq!(backup.status, StatusCode::OK);
}

#[test]
fn every_request_has_a_name_that_its_answer_says() {
    on_each_location(|location| {
        with_desk(location, "", async |desk| {
            let ask = async |headers: &[(&str, &str)]| {
                let secret = Some(desk.secret(Role::Viewer));
                desk.send(request(Method::GET, "/api/v1/recommendations/R-9999", secret, None, headers)).await
            };
            let own = ask(&[("x-request-id", "nightly.17_a-b")]).await;
            assert_eq!(own.headers["x-request-id"], "nightly.17_a-b");
            assert_eq!(own.body["instance"], "urn:drover:request:nightly.17_a-b");
            let long = "a".repeat(65);
            let mut seen = vec![String::new()];
            for wrong in ["", "a b", "<script>", long.as_str()] {
                let answer = ask(&[("x-request-id", wrong)]).await;
                let id = answer.headers["x-request-id"].to_str().expect("text").to_owned();
                assert!(id != wrong && !seen.contains(&id), "{id}");
                assert_eq!(answer.body["instance"], format!("urn:drover:request:{id}"));
                seen.push(id);
            }
            for id in ["first", "again"] {
                let headers = [("idempotency-key", "k"), ("x-request-id", id)];
                let wish = json!({ "scope": "cluster", "name": "nowhere", "reason": "a test" });
                let refused = desk.post(Role::Operator, "/api/v1/freezes", wish, &headers).await;
                assert_eq!(
                    refused.headers.contains_key("idempotent-replayed"),
                    id == "again",
                    "{}",
                    refused.body
                );
                assert_eq!(refused.body["instance"], format!("urn:drover:request:{id}"), "{}", refused.body);
            }
            let page = desk.send(request(Method::GET, "/nowhere.txt", None, None, &[])).await;
            assert!(page.headers.contains_key("x-request-id"));
        });
        Ok(())
    });
}
