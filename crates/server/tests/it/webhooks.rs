//! Telling others: signed, at least once, again after failures, and never where it should not go.

use crate::box_desk::{BoxDesk, block_on, request};
use crate::wire::call;
use axum::Router;
use axum::body::Body;
use axum::extract::State;
use axum::http::{HeaderMap, Method, Request, StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::post;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use ring::hmac;
use serde_json::{Value, json};
use server::access::{Role, Secret};
use server::clock::{now, wall_ms};
use server::service::Keys;
use server::storage::Location;
use server::testing::{Folder, on_each_location};
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::net::SocketAddr;
use std::sync::{Arc, Mutex};
use std::time::Duration;

const KEY: &str = "only we know this";

/// A message as it arrived.
#[derive(Clone, Debug)]
struct Heard {
    headers: HeaderMap,
    body: String,
}

impl Heard {
    fn header(&self, name: &str) -> &str {
        self.headers.get(name).and_then(|value| value.to_str().ok()).unwrap_or_default()
    }

    fn event(&self) -> Value {
        serde_json::from_str(&self.body).expect("JSON")
    }

    /// Whether it was signed by us, and now, as Standard Webhooks has it.
    fn is_genuine(&self) -> bool {
        let (id, time) = (self.header("webhook-id"), self.header("webhook-timestamp"));
        let key = hmac::Key::new(hmac::HMAC_SHA256, KEY.as_bytes());
        let tag =
            self.header("webhook-signature").strip_prefix("v1,").and_then(|tag| STANDARD.decode(tag).ok());
        let signed = tag.is_some_and(|tag| {
            hmac::verify(&key, format!("{id}.{time}.{}", self.body).as_bytes(), &tag).is_ok()
        });
        let recent = time.parse::<i64>().is_ok_and(|seconds| (wall_ms() / 1000 - seconds).abs() <= 300);
        signed && recent
    }
}

/// Somebody who listens, and answers in turn with these; then with 204.
#[derive(Clone, Default)]
struct Receiver {
    heard: Arc<Mutex<Vec<Heard>>>,
    answers: Arc<Mutex<VecDeque<u16>>>,
    always: Arc<Mutex<Option<u16>>>,
}

async fn hear(State(receiver): State<Receiver>, headers: HeaderMap, body: String) -> Response {
    let next = receiver.answers.lock().expect("nobody panicked").pop_front();
    let status = next.or(*receiver.always.lock().expect("nobody panicked")).unwrap_or(204);
    receiver.heard.lock().expect("nobody panicked").push(Heard { headers, body });
    let elsewhere = [(header::LOCATION, "/elsewhere")];
    (StatusCode::from_u16(status).expect("a status"), elsewhere, "thanks").into_response()
}

impl Receiver {
    async fn listen(&self, address: &str) -> SocketAddr {
        let listener = tokio::net::TcpListener::bind(address).await.expect("a free port");
        let address = listener.local_addr().expect("an address");
        let elsewhere = |State(receiver): State<Self>| async move {
            *receiver.always.lock().expect("nobody panicked") = Some(599);
        };
        let router = Router::new()
            .route("/hook", post(hear))
            .route("/elsewhere", post(elsewhere).get(elsewhere))
            .with_state(self.clone());
        tokio::spawn(async move { axum::serve(listener, router).await });
        address
    }

    fn heard(&self) -> Vec<Heard> {
        self.heard.lock().expect("nobody panicked").clone()
    }
}

fn desk_file(address: SocketAddr, events: &str) -> String {
    format!(
        "prediction: {{ enabled: false }}\nwebhooks:\n  - name: pager\n    url: \"http://{address}/hook?key=s3cret-query\"\n    \
         secret: \"env:HOOK\"\n    events: [{events}]\n"
    )
}

fn keys() -> Keys {
    Keys { webhooks: BTreeMap::from([("pager".to_owned(), Secret::received(KEY))]), ..Keys::default() }
}

fn open(location: &Location, more: &str) -> BoxDesk {
    let mut desk = BoxDesk::open_with_keys(location, more, &keys());
    desk.service.hurry();
    desk
}

/// Waits until something is so, and not for ever.
async fn until(what: &str, mut is_so: impl FnMut() -> bool) {
    let deadline = now() + Duration::from_secs(20);
    while !is_so() {
        assert!(now() < deadline, "{what} did not happen");
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
}

/// An address on which nobody listens.
fn nobody() -> SocketAddr {
    std::net::TcpListener::bind("127.0.0.1:0").expect("a free port").local_addr().expect("an address")
}

fn bearer(desk: &BoxDesk, role: Role) -> String {
    format!("Bearer {}", desk.secret(role).reveal())
}

fn ask(address: SocketAddr, token: &str, path: &str) -> Value {
    call(address, "GET", path, &[("authorization", token)], None).json()
}

fn deliveries(address: SocketAddr, token: &str, query: &str) -> Vec<Value> {
    let page = ask(address, token, &format!("/api/v1/webhooks/pager/deliveries?{query}"));
    page["items"].as_array().unwrap_or_else(|| panic!("{page}")).clone()
}

fn runtime() -> tokio::runtime::Runtime {
    tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().expect("a runtime")
}

fn post_to(address: SocketAddr, token: &str, path: &str) -> crate::wire::Reply {
    call(address, "POST", path, &[("authorization", token)], None)
}

fn send(desk: &BoxDesk, role: Role, method: Method, path: &str, body: Value) -> Request<Body> {
    request(method, path, Some(desk.secret(role)), Some(body), &[])
}

/// Lets everything happen that others are told of, as far as a desk can make it happen.
async fn make_history(desk: &BoxDesk) {
    desk.advance(130).await;
    let pending = desk.pending().await;
    let id = |index: usize| pending[index]["id"].as_str().expect("an id").to_owned();
    let operator = desk.secret(Role::Operator).clone();
    assert!(desk.decide(&operator, &id(0), json!({ "verdict": "approve" })).await.status.is_success());
    let no = json!({ "verdict": "reject", "note": "s3cret words" });
    assert!(desk.decide(&operator, &id(1), no).await.status.is_success());
    let wish = json!({ "scope": "cluster", "name": "member1", "reason": "s3cret words" });
    let frozen = desk.send(send(desk, Role::Operator, Method::POST, "/api/v1/freezes", wish)).await;
    let path = format!("/api/v1/freezes/{}/lift", frozen.body["id"].as_str().expect("an id"));
    let lifted = desk.send(send(desk, Role::Admin, Method::POST, &path, json!({ "reason": "over" }))).await;
    assert_eq!(lifted.status, StatusCode::NO_CONTENT, "{}", lifted.body);
    let path = "/api/v1/modes?scope=cluster&name=member2&reason=s3cret";
    let wish = json!({ "mode": "human", "scope": "cluster", "name": "member2", "reason": "s3cret words" });
    let set = desk.send(send(desk, Role::Admin, Method::PUT, "/api/v1/modes", wish)).await;
    assert_eq!(set.status, StatusCode::OK, "{}", set.body);
    let cleared = desk.send(send(desk, Role::Admin, Method::DELETE, path, json!({}))).await;
    assert_eq!(cleared.status, StatusCode::OK, "{}", cleared.body);
    let wish = json!({ "mode": "observe", "scope": "namespace", "name": "default", "reason": "calm" });
    let set = desk.send(send(desk, Role::Admin, Method::PUT, "/api/v1/modes", wish)).await;
    assert_eq!(set.status, StatusCode::OK, "{}", set.body);
    desk.advance(600).await;
}

/// What must be told, as the record has it: the kind of each event and its entry.
async fn expected(desk: &BoxDesk) -> Vec<(String, i64)> {
    let mut all = Vec::new();
    let mut path = "/api/v1/audit?limit=500&ascending=true".to_owned();
    loop {
        let page = desk.get(Role::Auditor, &path).await.body;
        for entry in page["items"].as_array().expect("entries") {
            let seq = entry["seq"].as_i64().expect("a number");
            let effects = entry["body"]["effects"].as_array().cloned().unwrap_or_default();
            all.extend(effects.iter().filter_map(kind_of).map(|kind| (format!("io.drover.{kind}.v1"), seq)));
        }
        let Some(next) = page["nextCursor"].as_str() else { return all };
        path = format!("/api/v1/audit?limit=500&ascending=true&cursor={next}");
    }
}

fn kind_of(effect: &Value) -> Option<&'static str> {
    let (name, data) = effect.as_object()?.iter().next()?;
    Some(match (name.as_str(), data["stage"].as_str().unwrap_or_default()) {
        ("submit", _) => "recommendation.created",
        ("settle", "approved") => "recommendation.approved",
        ("settle", "rejected") => "recommendation.rejected",
        ("settle", "expired") => "recommendation.expired",
        ("settle", "superseded") => "recommendation.superseded",
        ("settle", "applied") => "execution.completed",
        ("settle", "failed") => "execution.failed",
        ("settle", "rolled_back") => "execution.rolledback",
        ("freeze", _) => "freeze.set",
        ("unfreeze", _) => "freeze.cleared",
        ("set_mode", _) => "mode.set",
        ("clear_mode", _) => "mode.cleared",
        _ => return None,
    })
}

fn sorted<T: Ord>(mut all: Vec<T>) -> Vec<T> {
    all.sort();
    all
}

/// What arrived, the same message twice counted once.
fn told(receiver: &Receiver) -> Vec<(String, i64)> {
    let messages: BTreeMap<String, Value> =
        receiver.heard().iter().map(|heard| (heard.header("webhook-id").to_owned(), heard.event())).collect();
    let name = |event: &Value| (event["type"].as_str().unwrap_or_default().to_owned(), event["seq"].as_i64());
    messages.values().map(name).map(|(kind, seq)| (kind, seq.expect("a number"))).collect()
}

#[test]
fn everything_that_happens_is_told_with_a_signature() {
    on_each_location(|location| {
        let (runtime, receiver) = (runtime(), Receiver::default());
        let hook = runtime.block_on(receiver.listen("127.0.0.1:0"));
        let desk = open(location, &desk_file(hook, ""));
        let auditor = bearer(&desk, Role::Auditor);
        runtime.block_on(async {
            make_history(&desk).await;
            let expected = sorted(expected(&desk).await);
            let (address, _stop) = desk.listen().await;
            let waiting = "io.drover.recommendation.waiting.v1";
            until("a quiet desk", || {
                let shown = ask(address, &auditor, "/api/v1/webhooks");
                shown[0]["waiting"] == 0 && shown[0]["delivered"].as_i64() > Some(0)
            })
            .await;
            let (asked, rest): (Vec<_>, Vec<_>) =
                told(&receiver).into_iter().partition(|(kind, _)| kind == waiting);
            assert_eq!(sorted(rest), expected);
            assert!(!asked.is_empty());
            let kinds: BTreeSet<&str> = expected.iter().map(|(kind, _)| kind.as_str()).collect();
            assert!(kinds.len() >= 6, "{kinds:?}");
            for heard in receiver.heard() {
                check_message(&heard);
            }
            check_list(address, &auditor, hook, receiver.heard().len());
        });
        Ok(())
    });
}

fn check_message(heard: &Heard) {
    assert!(heard.is_genuine(), "{heard:?}");
    let event = heard.event();
    assert_eq!(event["id"], heard.header("webhook-id"));
    let time = event["time"].as_str().unwrap_or_default();
    assert!(time.ends_with('Z') && time.len() == 24, "{event}");
    assert_eq!(heard.header("content-type"), "application/json");
    assert!(!heard.body.contains("s3cret"), "people's words stay at the desk: {}", heard.body);
    assert!(heard.body.len() < 2_000, "{}", heard.body);
}

fn check_list(address: SocketAddr, token: &str, hook: SocketAddr, delivered: usize) {
    let shown = ask(address, token, "/api/v1/webhooks");
    assert_eq!(
        (&shown[0]["name"], &shown[0]["url"]),
        (&json!("pager"), &json!(format!("http://{hook}/hook")))
    );
    assert!(!shown.to_string().contains("s3cret") && !shown.to_string().contains(KEY), "{shown}");
    assert_eq!((&shown[0]["delivered"], &shown[0]["dead"]), (&json!(delivered), &json!(0)));
    assert!(shown[0]["lastSuccessWall"].is_i64() && shown[0]["lastError"].is_null(), "{shown}");
    let metrics = call(address, "GET", "/metrics", &[("authorization", token)], None).text();
    let line =
        format!("drover_webhook_deliveries_total{{webhook=\"pager\",outcome=\"delivered\"}} {delivered}");
    assert!(metrics.contains(&line), "{line}");
    let other = call(address, "GET", "/api/v1/webhooks/other/deliveries", &[("authorization", token)], None);
    assert_eq!(other.status, 404);
    let record = call(address, "GET", "/api/v1/audit/export", &[("authorization", token)], None).text();
    assert!(!record.contains(KEY) && !record.contains("s3cret-query"), "the record has no secret");
}

#[test]
fn a_test_message_goes_to_whoever_it_is_meant_for() {
    on_each_location(|location| {
        let (runtime, receiver) = (runtime(), Receiver::default());
        let hook = runtime.block_on(receiver.listen("127.0.0.1:0"));
        let desk = open(location, &desk_file(hook, "mode"));
        let (admin, auditor) = (bearer(&desk, Role::Admin), bearer(&desk, Role::Auditor));
        runtime.block_on(async {
            let (address, _stop) = desk.listen().await;
            let sent = post_to(address, &admin, "/api/v1/webhooks/pager/test");
            assert_eq!(sent.status, 202, "{}", sent.text());
            until("a message", || !receiver.heard().is_empty()).await;
            let heard = receiver.heard().remove(0);
            assert!(heard.is_genuine());
            assert_eq!(
                (&heard.event()["id"], heard.event()["data"]["by"].as_str()),
                (&sent.json()["id"], Some("person:admin"))
            );
            assert_eq!(heard.event()["type"], "io.drover.webhook.tested.v1");
            assert_eq!(post_to(address, &admin, "/api/v1/webhooks/other/test").status, 404);
            assert_eq!(post_to(address, &auditor, "/api/v1/webhooks/pager/test").status, 403);
            let record = ask(address, &auditor, "/api/v1/audit?kind=webhook.tested");
            assert_eq!((&record["total"], &record["items"][0]["subject"]), (&json!(1), &json!("pager")));
        });
        Ok(())
    });
}

#[test]
fn whoever_fails_is_told_again_and_given_up_in_the_end() {
    on_each_location(|location| {
        let (runtime, receiver) = (runtime(), Receiver::default());
        let hook = runtime.block_on(receiver.listen("127.0.0.1:0"));
        receiver.answers.lock().expect("nobody panicked").extend([500, 302, 429]);
        let desk = open(location, &desk_file(hook, "webhook"));
        let admin = bearer(&desk, Role::Admin);
        runtime.block_on(async {
            let (address, _stop) = desk.listen().await;
            assert_eq!(post_to(address, &admin, "/api/v1/webhooks/pager/test").status, 202);
            until("a delivery", || !deliveries(address, &admin, "state=delivered").is_empty()).await;
            let done = deliveries(address, &admin, "state=delivered");
            assert_eq!(done[0]["attempts"], 4, "{done:?}");
            let heard = receiver.heard();
            assert!(heard.iter().all(|again| again.header("webhook-id") == heard[0].header("webhook-id")));
            assert_eq!(*receiver.always.lock().expect("nobody panicked"), None, "nobody was followed");

            *receiver.always.lock().expect("nobody panicked") = Some(503);
            assert_eq!(post_to(address, &admin, "/api/v1/webhooks/pager/test").status, 202);
            until("giving up", || !deliveries(address, &admin, "state=dead").is_empty()).await;
            let dead = deliveries(address, &admin, "state=dead");
            assert_eq!((&dead[0]["attempts"], &dead[0]["lastError"]), (&json!(8), &json!("status 503")));
            let shown = ask(address, &admin, "/api/v1/webhooks");
            assert_eq!((&shown[0]["dead"], &shown[0]["lastError"]), (&json!(1), &json!("status 503")));
            *receiver.always.lock().expect("nobody panicked") = None;
            let id = dead[0]["id"].as_str().expect("an id");
            let path = format!("/api/v1/webhooks/pager/deliveries/{id}/retry");
            assert_eq!(post_to(address, &admin, &path).status, 204);
            until("a second life", || deliveries(address, &admin, "state=delivered").len() == 2).await;
            assert_eq!(post_to(address, &admin, &path).status, 404, "it was heard");
            let first = ask(address, &admin, "/api/v1/webhooks/pager/deliveries?limit=1");
            let cursor = first["nextCursor"].as_str().expect("there are two");
            assert_eq!(deliveries(address, &admin, &format!("limit=1&cursor={cursor}")).len(), 1);
            let record = ask(address, &admin, "/api/v1/audit?kind=delivery.retried");
            assert_eq!((&record["total"], &record["items"][0]["actor"]), (&json!(1), &json!("person:admin")));
        });
        Ok(())
    });
}

#[test]
fn nothing_is_lost_when_the_desk_is_gone_before_anything_was_told() {
    on_each_location(|location| {
        let (runtime, receiver, silent) = (runtime(), Receiver::default(), nobody());
        let more = desk_file(silent, "");
        // The desk is never served, so nobody is told; then it is gone without a goodbye.
        let desk = open(location, &more);
        let before = runtime.block_on(async {
            make_history(&desk).await;
            expected(&desk).await
        });
        drop(desk);
        let desk = open(location, &more);
        let auditor = bearer(&desk, Role::Auditor);
        runtime.block_on(async {
            let (address, stop) = desk.listen().await;
            until("a first failure", || {
                deliveries(address, &auditor, "limit=500").iter().any(|it| it["lastError"].is_string())
            })
            .await;
            drop(stop);
        });
        let desk = open(location, &more);
        let auditor = bearer(&desk, Role::Auditor);
        runtime.block_on(async {
            receiver.listen(&silent.to_string()).await;
            let (address, _stop) = desk.listen().await;
            until("everything told", || ask(address, &auditor, "/api/v1/webhooks")[0]["waiting"] == 0).await;
            let told: BTreeSet<(String, i64)> = told(&receiver).into_iter().collect();
            let missing: Vec<_> = before.iter().filter(|event| !told.contains(event)).collect();
            assert!(!before.is_empty() && missing.is_empty(), "never told: {missing:?}");
            let added = ask(address, &auditor, "/api/v1/audit?kind=webhook.added");
            assert_eq!(added["total"], 1, "it is the same webhook");
        });
        Ok(())
    });
}

#[test]
fn messages_do_not_go_where_credentials_are() {
    let folder = Folder::new("metadata");
    let place = format!("sqlite:{}", folder.path().join("drover.db").display());
    // The same as names, because the desk's file is refused with plain addresses of that kind: 169.254.169.254 and 10.0.0.1.
    let urls = ["https://2852039166/latest", "https://0x0a000001/", "https://127.0.0.1.nip.test/"];
    for url in urls {
        let more =
            format!("webhooks: [{{ name: pager, url: \"{url}\", secret: \"file:x\", events: [webhook] }}]\n");
        let desk = open(&place.parse().expect("a place"), &more);
        let admin = bearer(&desk, Role::Admin);
        block_on(async {
            let (address, stop) = desk.listen().await;
            assert_eq!(post_to(address, &admin, "/api/v1/webhooks/pager/test").status, 202);
            until("a refusal", || {
                deliveries(address, &admin, "").iter().any(|it| it["lastError"].is_string())
            })
            .await;
            let tried = deliveries(address, &admin, "");
            let found = tried.iter().find_map(|it| it["lastError"].as_str()).expect("why");
            assert!(found.contains("does not go") || found.contains("has no address"), "{url}: {found}");
            drop(stop);
        });
    }
}

#[test]
fn a_desk_without_the_secret_does_not_open() {
    let folder = Folder::new("no-secret");
    let place: Location =
        format!("sqlite:{}", folder.path().join("drover.db").display()).parse().expect("a place");
    let config = crate::box_desk::desk_file(&place, &desk_file(nobody(), ""));
    let (text, scenario) = (crate::box_desk::SCENARIO, crate::box_desk::scenario(crate::box_desk::SCENARIO));
    let refused = server::service::Service::open(&config, scenario, text.as_bytes());
    assert!(refused.is_err_and(|error| error.to_string().contains("webhook pager")));
    let scenario = crate::box_desk::scenario(crate::box_desk::SCENARIO);
    let short = Keys::fetch(&config, |_| Ok::<_, ()>(Secret::received("short"))).expect("it is fetched");
    let refused = server::service::Service::open_with(
        &config,
        scenario,
        text.as_bytes(),
        &short,
        server::service::Around::default(),
    );
    assert!(refused.is_err_and(|error| error.to_string().contains("fewer than 16 bytes")));
}

#[test]
fn a_file_that_would_tell_nobody_is_refused() {
    for (hook, problem) in [
        ("url: \"https://a.test/\", secret: \"env:X\", events: [recommend]", "nobody is told of"),
        ("url: \"https://me:pw@a.test/\", secret: \"env:X\"", "a name and password"),
        ("url: \"http://127.0.0.1:80@a.test/\", secret: \"env:X\"", "a name and password"),
        ("url: \"http://a.test/\", secret: \"env:X\"", "https"),
        ("url: \"https://a.test/\", secret: plain", "does not stand in this file"),
    ] {
        let text = format!(
            "drover: desk/v1\nworld: {{ simulate: x.yaml }}\nwebhooks: [{{ name: pager, {hook} }}]\n"
        );
        let problems = server::config::read("desk.yaml", text.as_bytes()).expect_err("it is refused");
        assert!(problems.iter().any(|it| it.message.contains(problem)), "{hook}: {problems:?}");
    }
}
