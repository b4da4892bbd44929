//! WASP's engine at the desk: with a token at the front, and without one at a door of its own.

use crate::box_desk::{BoxDesk, block_on};
use crate::wire::{Reply, call};
use serde_json::{Value, json};
use server::access::Role;
use server::testing::{Folder, on_each_location};
use std::net::SocketAddr;

/// What the engine sends: one workload moves, one stays.
fn list() -> Value {
    json!([
        { "batch_id": 1, "workload_id": "default/frontend", "kind": "deployment",
          "origin_cluster": 0, "destination_cluster": 1, "reason": "high load on member1" },
        { "batch_id": 1, "workload_id": "default/api-gateway", "kind": "deployment",
          "origin_cluster": 0, "destination_cluster": 0, "reason": "fits" },
        { "batch_id": 1, "workload_id": "default/gone", "kind": "deployment",
          "origin_cluster": 0, "destination_cluster": 1, "reason": "" },
    ])
}

fn send(address: SocketAddr, path: &str, headers: &[(&str, &str)], body: &Value) -> Reply {
    call(address, "POST", path, headers, Some(&body.to_string()))
}

#[test]
fn the_engine_feeds_the_desk_through_its_own_door() {
    on_each_location(|location| {
        let more = "wasp: { listen: \"127.0.0.1:0\", agent: wasp-engine }\nprediction: { enabled: false }\n";
        let desk = BoxDesk::open(location, more);
        let wasp = desk.service.wasp_address().expect("a door");
        let viewer = format!("Bearer {}", desk.secret(Role::Viewer).reveal());
        block_on(async {
            desk.advance(40).await;
            let (front, _stop) = desk.listen().await;
            let metrics = call(wasp, "GET", "/metrics", &[], None);
            assert_eq!(metrics.status, 200);
            let read = simulator::wasp::read_metrics("metrics.json", &metrics.body)
                .expect("as WASP's monitor")
                .value;
            let labels: Vec<&str> =
                read.snapshots[0].clusters.iter().map(|row| row.cluster_label.as_str()).collect();
            assert_eq!(labels, ["member1", "member2"]);
            assert!(read.snapshots[0].workloads.iter().any(|row| row.workload_id == "default/frontend"));

            let taken = send(wasp, "/apply", &[], &list());
            assert_eq!(taken.status, 200, "{}", taken.text());
            let told = taken.json();
            assert_eq!(told["message"], "1 accepted, 0 kept, 1 refused, 1 stay");
            let id = told["accepted"][0]["id"].as_str().expect("a number").to_owned();
            let path = format!("/api/v1/recommendations/{id}");
            let shown = || call(front, "GET", &path, &[("authorization", &viewer)], None).json();
            assert_eq!((&shown()["agent"], &shown()["to"]), (&json!("wasp-engine"), &json!("member2")));
            assert_eq!(shown()["reason"], "high load on member1");
            assert_eq!(send(wasp, "/apply", &[], &list()).json()["kept"][0]["id"], id.as_str());
            assert_eq!(send(wasp, "/apply", &[], &json!([])).status, 200);
            assert_eq!(shown()["stage"], "superseded", "a list is all that the engine wants");
        });
        Ok(())
    });
}

#[test]
fn the_door_without_tokens_is_no_way_in_for_pages() {
    let folder = Folder::new("pages");
    let place = format!("sqlite:{}", folder.path().join("drover.db").display());
    let more = "wasp: { listen: \"127.0.0.1:0\", agent: wasp-engine }\n";
    let desk = BoxDesk::open(&place.parse().expect("a place"), more);
    let wasp = desk.service.wasp_address().expect("a door");
    block_on(async {
        desk.advance(40).await;
        let (_front, _stop) = desk.listen().await;
        for (headers, status) in [
            (vec![("origin", "http://127.0.0.1:9")], 403),
            (vec![("sec-fetch-site", "cross-site")], 403),
            (vec![("content-type", "text/plain")], 415),
        ] {
            assert_eq!(send(wasp, "/apply", &headers, &list()).status, status, "{headers:?}");
        }
        let rebound = "POST /apply HTTP/1.1\r\nhost: evil.test\r\nconnection: close\r\n\
                               content-type: application/json\r\ncontent-length: 2\r\n\r\n[]";
        assert_eq!(crate::wire::parse(&crate::wire::exchange(wasp, rebound.as_bytes())).status, 403);
        for path in ["/api/v1/status", "/api/v1/tokens", "/healthz", "/openapi.json", "/"] {
            assert_eq!(call(wasp, "GET", path, &[], None).status, 404, "{path}");
        }
        for (body, status) in [
            (json!({}), 422),
            (
                json!([{ "workload_id": "default/frontend", "kind": "deployment", "destination_cluster": -1 }]),
                422,
            ),
            (
                json!([{ "workload_id": "default/frontend", "kind": "deployment", "destination_cluster": 7 }]),
                422,
            ),
            (json!([{ "workload_id": 7, "kind": [], "destination_cluster": "x" }]), 422),
        ] {
            let reply = send(wasp, "/apply", &[], &body);
            assert_eq!(reply.status, status, "{body}: {}", reply.text());
            assert_eq!(reply.header("content-type"), Some("application/problem+json"));
        }
        let large = format!("[{}]", " ".repeat(5 << 20));
        assert_eq!(call(wasp, "POST", "/apply", &[], Some(&large)).status, 413);
    });
}

#[test]
fn with_a_token_the_engine_speaks_for_its_own_agent() {
    let folder = Folder::new("engine");
    let place = format!("sqlite:{}", folder.path().join("drover.db").display());
    let desk = BoxDesk::open(&place.parse().expect("a place"), "");
    block_on(async {
        let early = desk.post(Role::Agent, "/wasp/apply", list(), &[]).await;
        assert_eq!(early.status, 503, "{}", early.body);
        assert_eq!(desk.get(Role::Agent, "/wasp/metrics").await.body, json!({}));
        desk.advance(40).await;
        for path in ["/wasp/apply", "/apply"] {
            let taken = desk.post(Role::Agent, path, list(), &[]).await;
            assert_eq!(
                (taken.status.as_u16(), &taken.body["status"]),
                (200, &json!("success")),
                "{}",
                taken.body
            );
        }
        let pending = desk.pending().await;
        assert!(pending.iter().any(|item| item["agent"] == "agent"), "{pending:?}");
        for people in [Role::Operator, Role::Admin, Role::Viewer] {
            let refused = desk.post(people, "/wasp/apply", list(), &[]).await;
            assert_eq!(refused.status, 403, "people are no engine: {}", refused.body);
        }
        let metrics = desk.get(Role::Viewer, "/wasp/metrics").await.body;
        assert_eq!(metrics.as_object().map(serde_json::Map::len), Some(1), "the newest snapshot");
    });
}
