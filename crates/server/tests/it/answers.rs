//! Answers that come twice, that come late, and that were a no.

use crate::box_desk::{BoxDesk, aside, block_on, request, with_desk};
use crate::wire::call;
use axum::http::{Method, StatusCode};
use control::agent::Scope;
use futures_util::future::join_all;
use serde_json::{Value, json};
use server::access::{Role, UNTOLD};
use server::testing::{Folder, on_each_location};

/// The first plan that waits, with its version as a request names it.
async fn waiting(desk: &BoxDesk) -> (Value, String) {
    desk.advance(130).await;
    let plan = desk.pending().await[0].clone();
    let tag = format!("\"{}\"", plan["version"]);
    (plan, tag)
}

fn decisions(plan: &Value) -> String {
    format!("/api/v1/recommendations/{}/decisions", plan["id"].as_str().expect("an id"))
}

fn approve(plan: &Value) -> Value {
    json!({ "verdict": "approve", "planHash": plan["planHash"] })
}

#[test]
fn the_same_answer_many_times_at_once_is_one_answer() {
    on_each_location(|location| {
        with_desk(location, "prediction: { enabled: false }\n", async |desk| {
            let (plan, tag) = waiting(desk).await;
            let headers = [("if-match", tag.as_str())];
            let path = decisions(&plan);
            let send = || desk.post(Role::Operator, &path, approve(&plan), &headers);
            let answers = join_all((0..8).map(|_| send())).await;
            assert!(answers.iter().all(|it| it.status == StatusCode::OK), "{:?}", answers[0].body);
            let reviewed = desk.get(Role::Auditor, "/api/v1/audit?kind=reviewed").await.body;
            assert_eq!(reviewed["total"], 1, "{reviewed}");
            let mut other = approve(&plan);
            other["verdict"] = json!("defer");
            other["deferSeconds"] = json!(60);
            let late = desk.post(Role::Operator, &decisions(&plan), other, &headers).await;
            assert_eq!(
                late.status,
                StatusCode::PRECONDITION_FAILED,
                "another answer is too late: {}",
                late.body
            );
        });
        Ok(())
    });
}

#[test]
fn a_key_stands_for_an_answer_to_what_was_read() {
    on_each_location(|location| {
        with_desk(location, "prediction: { enabled: false }\n", async |desk| {
            let (plan, tag) = waiting(desk).await;
            let send = async |tag: &str| {
                let headers = [("if-match", tag), ("idempotency-key", "one")];
                let answer = desk.post(Role::Operator, &decisions(&plan), approve(&plan), &headers).await;
                (answer.status, answer.body["code"].clone())
            };
            assert_eq!(send("\"99\"").await.0, StatusCode::PRECONDITION_FAILED);
            assert_eq!(send(&tag).await.0, StatusCode::OK, "whoever reads it again goes on with their key");
            let reused = (StatusCode::UNPROCESSABLE_ENTITY, json!("key-reused"));
            assert_eq!(send("\"99\"").await, reused);
        });
        Ok(())
    });
}

#[test]
fn only_a_deferral_is_for_some_time() {
    on_each_location(|location| {
        with_desk(location, "prediction: { enabled: false }\n", async |desk| {
            let (plan, tag) = waiting(desk).await;
            let mut body = approve(&plan);
            body["deferSeconds"] = json!(5);
            let refused = desk.post(Role::Operator, &decisions(&plan), body, &[("if-match", &tag)]).await;
            assert_eq!(refused.status, StatusCode::UNPROCESSABLE_ENTITY, "{}", refused.body);
            assert_eq!(refused.body["errors"][0]["field"], "deferSeconds", "{}", refused.body);
        });
        Ok(())
    });
}

/// How often a plan was put on the desk until some minutes after somebody said no to it.
fn asked(more: &str, seconds: u32) -> usize {
    let folder = Folder::new("no");
    let location = format!("sqlite:{}", folder.path().join("drover.db").display()).parse().expect("a place");
    with_desk(&location, &format!("prediction: {{ enabled: false }}\nreview: {more}\n"), async |desk| {
        let (plan, _) = waiting(desk).await;
        let (id, action) = (plan["id"].as_str().expect("an id"), &plan["action"]);
        let no = json!({ "verdict": "reject", "note": "a sale" });
        let answer = desk.decide(desk.secret(Role::Operator), id, no).await;
        assert_eq!(answer.status, StatusCode::OK, "{}", answer.body);
        desk.advance(seconds).await;
        let all = desk.get(Role::Viewer, "/api/v1/recommendations?limit=500").await.body;
        let all = all["items"].as_array().expect("a list");
        all.iter().filter(|item| item["action"] == *action).count()
    })
}

#[test]
fn what_somebody_rejected_is_asked_again_only_after_a_while() {
    assert_eq!(asked("{}", 90), 1, "half an hour by default");
    assert_eq!(asked("{ ask_again_after: 0s }", 90), 2, "at once");
    assert_eq!(asked("{ ask_again_after: 30s }", 90), 2, "after half a minute");
}

#[test]
fn the_status_says_who_answers_for_everything() {
    on_each_location(|location| {
        with_desk(location, "", async |desk| {
            let mode = async || desk.get(Role::Viewer, "/api/v1/status").await.body["mode"].clone();
            assert_eq!(mode().await, "human");
            let set = async |mode: &str, more: Value| {
                let mut wish = json!({ "mode": mode, "scope": "everything", "reason": "calm" });
                let fields = more.as_object().expect("an object").clone();
                wish.as_object_mut().expect("an object").extend(fields);
                let admin = Some(desk.secret(Role::Admin));
                let order = request(Method::PUT, "/api/v1/modes", admin, Some(wish), &[]);
                assert_eq!(desk.send(order).await.status, StatusCode::OK);
            };
            set("observe", json!({})).await;
            assert_eq!(mode().await, "observe");
            set("auto", json!({ "highestRisk": "low", "seconds": 20 })).await;
            assert_eq!(mode().await, "auto");
            desk.advance(30).await;
            assert_eq!(mode().await, "human", "the grant has ended");
        });
        Ok(())
    });
}

#[test]
fn whoever_keeps_the_desk_running_is_not_kept_out_because_of_others() {
    let folder = Folder::new("probes");
    let location = format!("sqlite:{}", folder.path().join("drover.db").display()).parse().expect("a place");
    let desk = BoxDesk::open(&location, "limits: { requests_per_second: 1, burst: 5 }\n");
    block_on(async {
        let (address, _stop) = desk.listen().await;
        let wrong = [("authorization", "Bearer drover_wrong")];
        let refused: Vec<u16> =
            (0..20).map(|_| call(address, "GET", "/api/v1/status", &wrong, None).status).collect();
        assert!(refused.contains(&429), "{refused:?}");
        for path in ["/healthz", "/readyz"] {
            assert_eq!(call(address, "GET", path, &[], None).status, 200, "{path}");
        }
    });
}

#[test]
fn whoever_sees_a_part_reads_no_rules_about_others() {
    let rules = "review:\n  mode: rules\n  pass:\n    - { name: seen, when: 'risk == \"low\"' }\n    \
         - { name: hidden, when: 'workload.name == \"member2\"' }\n";
    on_each_location(|location| {
        with_desk(location, rules, async |desk| {
            desk.advance(130).await;
            let part = Scope { clusters: ["member1"].map(cluster).into(), ..Scope::default() };
            let somebody = desk.scoped("west", Role::Viewer, part);
            let answer =
                desk.send(request(Method::GET, "/api/v1/guardrails", Some(&somebody), None, &[])).await;
            assert_eq!(answer.body["passes"][0]["rule"], "risk == \"low\"", "{}", answer.body);
            assert_eq!(answer.body["passes"][1]["rule"], UNTOLD, "{}", answer.body);
            let whole = desk.get(Role::Viewer, "/api/v1/guardrails").await.body;
            assert_eq!(whole["passes"][1]["rule"], "workload.name == \"member2\"");
        });
        Ok(())
    });
}

fn cluster(name: &str) -> model::names::ClusterName {
    model::names::ClusterName::new(name).expect("a name")
}

/// Somebody may reach the tables of a desk while it is open.
#[test]
fn what_is_changed_under_an_open_desk_lets_nobody_in_and_is_not_shown() {
    on_each_location(|location| {
        with_desk(location, "prediction: { enabled: false }\n", async |desk| {
            desk.advance(130).await;
            let change = |statement: &'static str| {
                let database = desk.service.database();
                aside(|| database.write(|transaction| transaction.execute(statement, &[])))
                    .expect("it counts")
            };
            let newest = desk.get(Role::Auditor, "/api/v1/audit?kind=observed&limit=1").await.body;
            let hash = newest["items"][0]["body"]["input"]["snapshot"].as_str().expect("a name").to_owned();
            let path = format!("/api/v1/snapshots/{hash}");
            assert_eq!(desk.get(Role::Viewer, &path).await.status, StatusCode::OK);
            change("UPDATE snapshots SET body = REPLACE(body, 'member1', 'memberx')");
            assert_eq!(desk.get(Role::Viewer, &path).await.status, StatusCode::NOT_FOUND);
            let mallory = desk.another("mallory", Role::Viewer);
            let status = async || {
                let request = request(Method::GET, "/api/v1/session", Some(&mallory), None, &[]);
                desk.send(request).await.status
            };
            change("UPDATE tokens SET role = 'admin' WHERE name = 'mallory'");
            assert_eq!(status().await, StatusCode::UNAUTHORIZED);
            change("UPDATE tokens SET role = 'viewer' WHERE name = 'mallory'");
            assert_eq!(status().await, StatusCode::OK, "nothing else was wrong");
        });
        Ok(())
    });
}
