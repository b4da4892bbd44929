//! Telling others: signed, at least once, again after failures, and never where it should not go.

use crate::box_desk::{BoxDesk, block_on};
use crate::wire::call;
use axum::Router;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::post;
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

    /// Whether it was signed by us, and now.
    fn is_genuine(&self) -> bool {
        let parts = self.header("drover-signature").split_once(",v1=");
        let Some((time, tag)) = parts else { return false };
        let Ok(seconds) = time.trim_start_matches("t=").parse::<i64>() else { return false };
        let key = hmac::Key::new(hmac::HMAC_SHA256, KEY.as_bytes());
        let bytes: Option<Vec<u8>> =
            (0..tag.len() / 2).map(|at| u8::from_str_radix(&tag[2 * at..2 * at + 2], 16).ok()).collect();
        let signed = bytes.is_some_and(|bytes| {
            hmac::verify(&key, format!("{seconds}.{}", self.body).as_bytes(), &bytes).is_ok()
        });
        signed && (wall_ms() / 1000 - seconds).abs() <= 300
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
    let next = receiver.answers.lock().unwrap().pop_front();
    let status = next.or(*receiver.always.lock().unwrap()).unwrap_or(204);
    receiver.heard.lock().unwrap().push(Heard { headers, body });
    let elsewhere = [(header::LOCATION, "/elsewhere")];
    (StatusCode::from_u16(status).expect("a status"), elsewhere, "thanks").into_response()
}

impl Receiver {
    async fn listen(&self, address: &str) -> SocketAddr {
        let listener = tokio::net::TcpListener::bind(address).await.expect("a free port");
        let address = listener.local_addr().expect("an address");
        let elsewhere = |State(receiver): State<Self>| async move {
            *receiver.always.lock().unwrap() = Some(599);
        };
        let router = Router::new()
            .route("/hook/s3cret-path", post(hear))
            .route("/elsewhere", post(elsewhere).get(elsewhere))
            .with_state(self.clone());
        tokio::spawn(async move { axum::serve(listener, router).await });
        address
    }

    fn heard(&self) -> Vec<Heard> {
        self.heard.lock().unwrap().clone()
    }
}

fn desk_file(address: SocketAddr, events: &str) -> String {
    format!(
        "prediction: {{ enabled: false }}\nwebhooks:\n  - name: pager\n    url: \"http://{address}/hook/s3cret-path\"\n    \
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

#[test]
fn what_happens_is_told_with_a_signature() {
    on_each_location(|location| {
        let (runtime, receiver) = (runtime(), Receiver::default());
        let hook = runtime.block_on(receiver.listen("127.0.0.1:0"));
        let desk = open(location, &desk_file(hook, "recommendation.created, decision"));
        let (admin, operator) = (bearer(&desk, Role::Admin), desk.secret(Role::Operator).clone());
        runtime.block_on(async {
            desk.advance(130).await;
            let id = desk.pending().await[0]["id"].as_str().expect("an id").to_owned();
            desk.decide(&operator, &id, json!({ "verdict": "approve" })).await;
            let (address, _stop) = desk.listen().await;
            let told = |kind: &str| receiver.heard().iter().any(|heard| heard.event()["type"] == kind);
            until("an answer", || told("io.drover.decision.recorded.v1")).await;
            assert!(told("io.drover.recommendation.created.v1"));
            for heard in receiver.heard() {
                assert!(heard.is_genuine(), "{heard:?}");
                let event = heard.event();
                assert_eq!(event["id"], heard.header("drover-delivery"));
                assert_eq!(
                    (&event["specversion"], &event["source"]),
                    (&json!("1.0"), &json!(format!("http://{address}")))
                );
                assert!(
                    event["time"].as_str().is_some_and(|time| time.ends_with('Z') && time.len() == 24),
                    "{event}"
                );
                assert!(heard.header("content-type").starts_with("application/cloudevents+json"));
                let kind = event["type"].as_str().expect("a type");
                assert!(kind.contains("recommendation.created") || kind.contains("decision"), "{kind}");
            }
            until("a quiet desk", || ask(address, &admin, "/api/v1/webhooks")[0]["waiting"] == 0).await;
            let shown = ask(address, &admin, "/api/v1/webhooks");
            assert_eq!(
                (&shown[0]["name"], &shown[0]["host"]),
                (&json!("pager"), &json!(format!("http://{hook}")))
            );
            assert!(
                !shown.to_string().contains("s3cret-path") && !shown.to_string().contains(KEY),
                "{shown}"
            );
            let ids: BTreeSet<String> =
                receiver.heard().iter().map(|heard| heard.header("drover-delivery").to_owned()).collect();
            assert_eq!(ids.len(), receiver.heard().len(), "nothing was told twice");
            assert_eq!(
                call(address, "GET", "/api/v1/webhooks/other/deliveries", &[("authorization", &admin)], None)
                    .status,
                404
            );
        });
        Ok(())
    });
}

#[test]
fn whoever_fails_is_told_again_and_given_up_in_the_end() {
    on_each_location(|location| {
        let (runtime, receiver) = (runtime(), Receiver::default());
        let hook = runtime.block_on(receiver.listen("127.0.0.1:0"));
        receiver.answers.lock().unwrap().extend([500, 302, 429]);
        let desk = open(location, &desk_file(hook, "clock"));
        let admin = bearer(&desk, Role::Admin);
        runtime.block_on(async {
            desk.advance(1).await;
            let (address, _stop) = desk.listen().await;
            until("a delivery", || !deliveries(address, &admin, "state=delivered").is_empty()).await;
            let done = deliveries(address, &admin, "state=delivered");
            assert_eq!(done[0]["attempts"], 4, "{done:?}");
            let heard = receiver.heard();
            assert!(
                heard
                    .iter()
                    .all(|again| again.header("drover-delivery") == heard[0].header("drover-delivery"))
            );
            assert_eq!(*receiver.always.lock().unwrap(), None, "nobody was followed");

            *receiver.always.lock().unwrap() = Some(503);
            let run = json!({ "order": "pause" }).to_string();
            let clock = call(address, "POST", "/api/v1/clock", &[("authorization", &admin)], Some(&run));
            assert_eq!(clock.status, 200);
            until("giving up", || !deliveries(address, &admin, "state=dead").is_empty()).await;
            let dead = deliveries(address, &admin, "state=dead");
            assert_eq!((&dead[0]["attempts"], &dead[0]["lastError"]), (&json!(8), &json!("status 503")));
            *receiver.always.lock().unwrap() = None;
            let path = format!("/api/v1/webhooks/pager/deliveries/{}/retry", dead[0]["seq"]);
            let retry = || call(address, "POST", &path, &[("authorization", &admin)], None).status;
            assert_eq!(retry(), 204);
            until("a second life", || deliveries(address, &admin, "state=delivered").len() == 2).await;
            assert_eq!(retry(), 404, "it was heard");
            let record = ask(address, &admin, "/api/v1/audit?kind=delivery.retried");
            assert_eq!((&record["total"], &record["items"][0]["actor"]), (&json!(1), &json!("person:admin")));
        });
        Ok(())
    });
}

#[test]
fn nothing_is_lost_when_the_desk_stops() {
    on_each_location(|location| {
        let (runtime, receiver, silent) = (runtime(), Receiver::default(), nobody());
        let more = desk_file(silent, "");
        let desk = open(location, &more);
        let admin = bearer(&desk, Role::Admin);
        runtime.block_on(async {
            desk.advance(70).await;
            let (address, stop) = desk.listen().await;
            until("a first failure", || {
                deliveries(address, &admin, "limit=500").iter().any(|it| it["lastError"].is_string())
            })
            .await;
            drop(stop);
        });
        let desk = open(location, &more);
        let (admin, auditor) = (bearer(&desk, Role::Admin), bearer(&desk, Role::Auditor));
        runtime.block_on(async {
            receiver.listen(&silent.to_string()).await;
            let (address, _stop) = desk.listen().await;
            until("everything told", || {
                let shown = ask(address, &admin, "/api/v1/webhooks");
                shown[0]["waiting"] == 0 && shown[0]["delivered"].as_i64() > Some(0)
            })
            .await;
            let told: BTreeSet<i64> = receiver
                .heard()
                .iter()
                .filter_map(|heard| heard.header("drover-delivery").split('-').next()?.parse().ok())
                .collect();
            let added = ask(address, &auditor, "/api/v1/audit?kind=webhook.added");
            let from = added["items"][0]["seq"].as_i64().expect("an entry");
            let observed = ask(address, &auditor, "/api/v1/audit?kind=observed,clock&limit=500");
            let expected = observed["items"]
                .as_array()
                .expect("entries")
                .iter()
                .filter_map(|entry| entry["seq"].as_i64());
            let missing: Vec<i64> = expected.filter(|seq| *seq > from && !told.contains(seq)).collect();
            assert!(missing.is_empty(), "never told: {missing:?}");
            assert_eq!(added["total"], 1, "it is the same webhook");
        });
        Ok(())
    });
}

#[test]
fn messages_do_not_go_where_credentials_are() {
    let folder = Folder::new("metadata");
    let place = format!("sqlite:{}", folder.path().join("drover.db").display());
    let urls = [
        "https://169.254.169.254/latest",
        "https://10.0.0.1/",
        "https://127.0.0.1.nip.test/",
        "https://[fe80::1]/",
    ];
    for url in urls {
        let more =
            format!("webhooks: [{{ name: pager, url: \"{url}\", secret: \"file:x\", events: [clock] }}]\n");
        let desk = open(&place.parse().expect("a place"), &more);
        let admin = bearer(&desk, Role::Admin);
        block_on(async {
            desk.advance(1).await;
            let (address, stop) = desk.listen().await;
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
}
