//! Whoever watches: from the right place on, and without regard to those who do not listen.

use crate::box_desk::{BoxDesk, block_on, request};
use axum::body::BodyDataStream;
use axum::http::{Method, StatusCode};
use futures_util::StreamExt;
use server::access::Role;
use server::testing::Folder;
use std::time::Duration;
use tower::ServiceExt;

fn open(folder: &Folder) -> BoxDesk {
    let place = format!("sqlite:{}", folder.path().join("drover.db").display());
    BoxDesk::open(&place.parse().expect("a place"), "limits: { streams: 100, streams_per_caller: 90 }\n")
}

/// What somebody would hear, if they listened.
async fn watch(desk: &BoxDesk, headers: &[(&str, &str)]) -> BodyDataStream {
    watch_as(Role::Viewer, desk, headers).await
}

async fn watch_as(role: Role, desk: &BoxDesk, headers: &[(&str, &str)]) -> BodyDataStream {
    let ask = request(Method::GET, "/api/v1/events", Some(desk.secret(role)), None, headers);
    let response = desk.router.clone().oneshot(ask).await.expect("a router always answers");
    assert_eq!(response.status(), StatusCode::OK);
    response.into_body().into_data_stream()
}

/// The next thing that is said.
async fn hear(watcher: &mut BodyDataStream) -> String {
    let next = tokio::time::timeout(Duration::from_secs(20), watcher.next()).await;
    let bytes = next.expect("in time").expect("a stream goes on").expect("bytes");
    String::from_utf8_lossy(&bytes).into_owned()
}

#[test]
fn whoever_is_behind_the_end_begins_anew() {
    block_on(async {
        let folder = Folder::new("behind-the-end");
        let desk = open(&folder);
        let mut watcher = watch(&desk, &[("last-event-id", "5000-0")]).await;
        let first = hear(&mut watcher).await;
        assert!(first.contains("event: io.drover.stream.reset.v1"), "{first}");
        desk.advance(1).await;
        let second = hear(&mut watcher).await;
        assert!(second.contains("event: io.drover."), "it goes on from the end: {second}");
        let unknown = desk.get(Role::Viewer, "/api/v1/events?topics=recomendation").await;
        assert_eq!(unknown.status, StatusCode::BAD_REQUEST, "{}", unknown.body);
        assert_eq!(unknown.body["errors"][0]["proposal"], "did you mean recommendation?");
    });
}

#[test]
fn events_can_be_heard_from_the_first_one_on() {
    block_on(async {
        let folder = Folder::new("from-the-beginning");
        let desk = open(&folder);
        desk.advance(1).await;
        // The first entries are about tokens, which are not for everybody.
        let mut watcher = watch_as(Role::Auditor, &desk, &[("last-event-id", "0-0")]).await;
        let (first, second) = (hear(&mut watcher).await, hear(&mut watcher).await);
        let id = first.lines().next().and_then(|line| line.strip_prefix("id: ")).expect("an id");
        assert!(id.starts_with("1-0-") && !first.contains("stream.reset"), "{first}");
        let mut again = watch_as(Role::Auditor, &desk, &[("last-event-id", id)]).await;
        assert_eq!(hear(&mut again).await, second, "the stream goes on without a gap");
        let mut elsewhere = watch_as(Role::Auditor, &desk, &[("last-event-id", "1-0-00000000")]).await;
        assert!(
            hear(&mut elsewhere).await.contains("stream.reset"),
            "another record has another first entry"
        );
        let mut behind = watch_as(Role::Auditor, &desk, &[("last-event-id", "1-0")]).await;
        assert_eq!(hear(&mut behind).await, second, "the stream goes on without a gap");
        for wrong in ["0-1", "x"] {
            let refused = desk.get(Role::Viewer, &format!("/api/v1/events?after={wrong}")).await;
            assert_eq!(refused.status, StatusCode::BAD_REQUEST, "{wrong}: {}", refused.body);
        }
    });
}

#[test]
fn those_who_stop_listening_keep_nobody_waiting() {
    block_on(async {
        let folder = Folder::new("deaf");
        let desk = open(&folder);
        let mut deaf = Vec::new();
        for _ in 0..60 {
            deaf.push(watch(&desk, &[]).await);
        }
        let mut attentive = watch(&desk, &[]).await;
        desk.advance(1).await;
        // Each takes what is said first, and then nothing any more.
        for watcher in &mut deaf {
            hear(watcher).await;
        }
        let first = hear(&mut attentive).await;
        desk.advance(1).await;
        let second = hear(&mut attentive).await;
        assert_ne!(first, second);
        for watcher in &mut deaf {
            assert_eq!(hear(watcher).await, second, "whoever listens again has missed nothing");
        }
    });
}

#[test]
fn nobody_takes_all_the_places_of_those_who_watch() {
    block_on(async {
        let folder = Folder::new("shares");
        let place = format!("sqlite:{}", folder.path().join("drover.db").display());
        let more = "limits: { streams: 3, streams_per_caller: 2 }\n";
        let desk = BoxDesk::open(&place.parse().expect("a place"), more);
        let first = watch(&desk, &[]).await;
        let _second = watch(&desk, &[]).await;
        let refused = desk.get(Role::Viewer, "/api/v1/events").await;
        assert_eq!(refused.status, StatusCode::TOO_MANY_REQUESTS, "{}", refused.body);
        assert!(refused.headers.contains_key("retry-after"));
        let told = refused.body["detail"].as_str().unwrap_or_default();
        assert!(told.contains("2 times") && told.contains("streams_per_caller"), "{told}");
        let other = request(Method::GET, "/api/v1/events", Some(desk.secret(Role::Operator)), None, &[]);
        let other = desk.router.clone().oneshot(other).await.expect("a router always answers");
        assert_eq!(other.status(), StatusCode::OK, "somebody else has a place");
        drop(first);
        let _third = watch(&desk, &[]).await;
    });
}
