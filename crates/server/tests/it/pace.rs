//! Time that waits for people.

use crate::box_desk::{BoxDesk, block_on};
use axum::http::StatusCode;
use serde_json::{Value, json};
use server::access::Role;
use server::testing::Folder;
use std::time::Duration;

async fn status_with_something_to_decide(desk: &BoxDesk) -> Value {
    let deadline = server::clock::now() + Duration::from_mins(1);
    loop {
        let status = desk.get(Role::Viewer, "/api/v1/status").await.body;
        if status["waiting"].as_u64() > Some(0) {
            return status;
        }
        assert!(server::clock::now() < deadline, "nothing to decide: {status}");
        tokio::time::sleep(Duration::from_millis(1)).await;
    }
}

/// At this speed all three waves pass between two looks at the clock, but nobody may miss what they are asked.
#[test]
fn it_waits_from_the_very_moment_at_which_somebody_is_asked() {
    block_on(async {
        let folder = Folder::new("time-waits");
        let place = format!("sqlite:{}", folder.path().join("drover.db").display());
        let desk = BoxDesk::open(&place.parse().expect("a place"), "");
        let (fast, slow) = (100_000.0, 0.01);
        for order in
            [json!({ "order": "speed", "speed": fast, "speedWhileWaiting": slow }), json!({ "order": "run" })]
        {
            let answer = desk.post(Role::Operator, "/api/v1/clock", order, &[]).await;
            assert_eq!(answer.status, StatusCode::OK, "{}", answer.body);
        }
        let status = status_with_something_to_decide(&desk).await;
        assert_eq!(status["factor"], slow, "{status}");
        let pending = desk.pending().await;
        let raised = pending[0]["raisedAt"].as_u64().expect("a moment");
        assert_eq!(status["at"].as_u64().expect("a moment") / 1_000, raised / 1_000, "{status}");
    });
}
