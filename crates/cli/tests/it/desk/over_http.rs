//! The way of a recommendation over HTTP alone, with an operator's token and with predictions: what another program would do.

use super::Desk;
use serde_json::{Value, json};
use std::time::Duration;

/// Somebody who talks to a desk without our client.
struct Caller<'a> {
    agent: ureq::Agent,
    desk: &'a Desk,
    token: String,
}

struct Answer {
    status: u16,
    tag: String,
    body: Value,
}

impl<'a> Caller<'a> {
    fn new(desk: &'a Desk, person: &str) -> Self {
        let config = ureq::Agent::config_builder()
            .http_status_as_error(false)
            .timeout_global(Some(Duration::from_mins(1)))
            .build();
        let token = String::from_utf8(desk.scratch.read(&format!("{person}.token"))).unwrap();
        Self { agent: config.into(), desk, token: token.trim().to_owned() }
    }

    fn read(mut response: ureq::http::Response<ureq::Body>) -> Answer {
        let tag = response.headers().get("etag").and_then(|tag| tag.to_str().ok()).unwrap_or_default();
        let (status, tag) = (response.status().as_u16(), tag.to_owned());
        let text = response.body_mut().read_to_string().unwrap();
        Answer { status, tag, body: serde_json::from_str(&text).unwrap_or(Value::Null) }
    }

    fn get(&self, path: &str) -> Answer {
        let request = self.agent.get(format!("{}/api/v1{path}", self.desk.address));
        Self::read(request.header("authorization", format!("Bearer {}", self.token)).call().unwrap())
    }

    /// The same, and it must work.
    fn found(&self, path: &str) -> Answer {
        let answer = self.get(path);
        assert_eq!(answer.status, 200, "{path}: {}", answer.body);
        answer
    }

    fn post(&self, path: &str, tag: Option<&str>, body: &Value) -> Answer {
        let request = self.agent.post(format!("{}/api/v1{path}", self.desk.address));
        let request = request.header("authorization", format!("Bearer {}", self.token));
        let request = request.header("content-type", "application/json");
        let request = if let Some(tag) = tag { request.header("if-match", tag) } else { request };
        Self::read(request.send(body.to_string()).unwrap())
    }

    fn advance(&self, seconds: u32) {
        let answer = self.post("/clock", None, &json!({ "order": "advance", "seconds": seconds }));
        assert_eq!(answer.status, 200, "{}", answer.body);
    }
}

fn numbers(prediction: &Value) -> Vec<&Value> {
    prediction["alone"]["measures"].as_array().unwrap().iter().collect()
}

#[test]
fn an_operator_takes_a_recommendation_from_pending_to_verified() {
    let settings = ("enabled: false", "horizon: 40s, seeds: 3");
    let desk = Desk::open_with("desk-over-http", settings);
    let (operator, auditor) = (Caller::new(&desk, "otto"), Caller::new(&desk, "udo"));
    let pending = "/recommendations?stage=pending&sort=raised_at";
    assert_eq!(operator.found(pending).body["total"], 0, "nothing happens before the clock moves");
    operator.advance(150);
    let waiting = operator.found(pending).body["items"].as_array().unwrap().clone();
    let first = waiting.first().expect("something waits for an answer");
    let (id, workload) = (first["id"].as_str().unwrap(), first["workload"].as_str().unwrap());

    // What it would bring is attached, alone and together with what else waits.
    let path = format!("/recommendations/{id}");
    let read = operator.found(&path);
    assert_eq!((&read.body["isPredicted"], &read.body["prediction"]["seeds"]), (&json!(true), &json!(3)));
    assert!(!numbers(&read.body["prediction"]).is_empty(), "{}", read.body);
    assert!(first["benefitLow"].as_f64() <= first["benefit"].as_f64(), "{first}");
    let ids: Vec<&Value> = waiting.iter().map(|item| &item["id"]).collect();
    let joint = operator.post("/previews", None, &json!({ "ids": ids }));
    assert_eq!(joint.status, 200, "{}", joint.body);
    assert_eq!(joint.body["alone"]["plans"].as_array().map(Vec::len), Some(ids.len()), "{}", joint.body);

    // The answer counts for exactly what was read.
    let hash = &read.body["planHash"];
    let decisions = format!("{path}/decisions");
    let stale = operator.post(&decisions, Some("\"0\""), &json!({ "verdict": "approve", "planHash": hash }));
    assert_eq!(stale.status, 412, "{}", stale.body);
    let yes = json!({ "verdict": "approve", "planHash": hash, "note": "before the evening peak" });
    let approved = operator.post(&decisions, Some(&read.tag), &yes);
    assert_eq!((approved.status, &approved.body["stage"]), (200, &json!("applying")), "{}", approved.body);

    // It is carried out, and observed where it should be.
    operator.advance(90);
    let done = operator.found(&path).body;
    assert_eq!((&done["stage"], &done["reviews"][0]["by"]), (&json!("applied"), &json!("person:otto")));
    let execution = operator.found(&format!("/executions/{id}")).body;
    let last = execution["steps"].as_array().and_then(|steps| steps.last()).unwrap();
    assert_eq!((&execution["stage"], &last["step"]), (&json!("applied"), &json!("done")));
    let placements = operator.found(&format!("/workloads/{workload}")).body["placements"].clone();
    let placements = placements.as_array().unwrap();
    assert_eq!(placements.len(), 1, "it is nowhere else: {placements:?}");
    assert_eq!(
        (&placements[0]["cluster"], &placements[0]["podsReady"]),
        (&first["to"], &placements[0]["replicas"])
    );

    // What was promised is held against what happened.
    let observations = execution["score"]["observations"].as_array().expect("a score");
    assert!(!observations.is_empty(), "{execution}");

    // The record tells of all of it, and nobody changed it.
    let told = |kind: &str| {
        let found = auditor.found(&format!("/audit?kind={kind}&subject={id}")).body;
        found["items"].as_array().unwrap().len()
    };
    for kind in ["predicted", "reviewed", "applied", "scored"] {
        assert_eq!(told(kind), 1, "{kind}");
    }
    assert_eq!(operator.get("/audit/verification").status, 403, "the record is for auditors");
    let verified = auditor.found("/audit/verification").body;
    assert_eq!(verified["intact"], true, "{verified}");
}
