//! The three waves over HTTP, from the first observation to the verified record.

use crate::box_desk::{SCENARIO, aside, request, with_desk, with_scenario};
use axum::http::{Method, StatusCode, header};
use serde_json::{Value, json};
use server::access::Role;
use server::testing::on_each_location;

fn approve() -> Value {
    json!({ "verdict": "approve" })
}

#[test]
fn an_operator_approves_and_sees_it_carried_out() {
    on_each_location(|location| {
        with_desk(location, "prediction: { enabled: false }\n", async |desk| {
            assert!(desk.pending().await.is_empty());
            desk.advance(130).await;
            let pending = desk.pending().await;
            let id = pending[0]["id"].as_str().expect("an id").to_owned();
            let answer = desk.decide(desk.secret(Role::Operator), &id, approve()).await;
            assert_eq!(
                (answer.status, &answer.body["stage"]),
                (StatusCode::OK, &json!("applying")),
                "{}",
                answer.body
            );
            desk.advance(60).await;
            let done = desk.get(Role::Viewer, &format!("/api/v1/recommendations/{id}")).await.body;
            assert_eq!(done["stage"], "applied", "{done}");
            assert_eq!(done["reviews"][0]["by"], "person:operator");
            let record = desk.get(Role::Auditor, "/api/v1/audit/verification").await.body;
            assert_eq!(record["intact"], true, "{record}");
            for (stage, found) in [("applied", 1), ("applying,failed", 0), ("applied,failed", 1)] {
                let path = format!("/api/v1/executions?stage={stage}");
                assert_eq!(desk.get(Role::Viewer, &path).await.body["total"], found, "{stage}");
            }
            let wrong = desk.get(Role::Viewer, "/api/v1/executions?stage=never").await;
            assert_eq!(wrong.status, StatusCode::BAD_REQUEST, "{}", wrong.body);
            let steps =
                desk.get(Role::Auditor, &format!("/api/v1/audit?kind=progress&subject={id}")).await.body;
            assert!(steps["total"].as_i64() >= Some(4), "{steps}");
        });
        Ok(())
    });
}

#[test]
fn an_answer_counts_for_exactly_what_was_read() {
    on_each_location(|location| {
        with_desk(location, "", async |desk| {
            desk.advance(130).await;
            let id = desk.pending().await[0]["id"].as_str().expect("an id").to_owned();
            let operator = desk.secret(Role::Operator);
            let other = json!({ "verdict": "approve", "planHash": "0".repeat(64) });
            let refused = desk.decide(operator, &id, other).await;
            assert_eq!((refused.status, &refused.body["code"]), (StatusCode::CONFLICT, &json!("plan-stale")));
            let silent = desk.decide(operator, &id, json!({ "verdict": "reject" })).await;
            assert_eq!(silent.status, StatusCode::UNPROCESSABLE_ENTITY, "{}", silent.body);
            let path = format!("/api/v1/recommendations/{id}/decisions");
            let body = json!({ "verdict": "approve", "planHash": "0".repeat(64) });
            let never = json!({ "verdict": "defer", "planHash": "0".repeat(64), "deferSeconds": 0 });
            let never = desk.post(Role::Operator, &path, never, &[("if-match", "no version")]).await;
            let field = &never.body["errors"][0]["field"];
            assert_eq!((never.status, field), (StatusCode::UNPROCESSABLE_ENTITY, &json!("deferSeconds")));
            let blind = desk.post(Role::Operator, &path, body.clone(), &[]).await;
            assert_eq!(blind.status, StatusCode::PRECONDITION_REQUIRED, "{}", blind.body);
            let old = desk.post(Role::Operator, &path, body, &[("if-match", "\"99\"")]).await;
            assert_eq!(old.status, StatusCode::PRECONDITION_FAILED, "{}", old.body);
            let first = desk.decide(operator, &id, approve()).await;
            let again = desk.decide(operator, &id, approve()).await;
            assert_eq!((first.status, again.status), (StatusCode::OK, StatusCode::OK), "{}", again.body);
            let late = desk.decide(&desk.another("ben", Role::Operator), &id, approve()).await;
            assert_eq!((late.status, &late.body["code"]), (StatusCode::CONFLICT, &json!("already-decided")));
        });
        Ok(())
    });
}

#[test]
fn several_answers_are_refused_together_if_one_cannot_be_meant() {
    on_each_location(|location| {
        with_desk(location, "", async |desk| {
            desk.advance(130).await;
            let first = desk.pending().await.remove(0);
            let good =
                json!({ "id": first["id"], "planHash": first["planHash"], "version": first["version"] });
            let bad = json!({ "id": "R-999", "planHash": "no hash", "version": 1 });
            let both = json!({ "verdict": "reject", "note": "too late", "items": [good, bad] });
            let refused = desk.post(Role::Operator, "/api/v1/decisions", both, &[]).await;
            assert_eq!(refused.status, StatusCode::UNPROCESSABLE_ENTITY, "{}", refused.body);
            assert_eq!(desk.pending().await[0]["id"], first["id"], "nothing was decided");
            let unknown = json!({ "id": "R-999", "planHash": "0".repeat(64), "version": 1 });
            let both = json!({ "verdict": "reject", "note": "too late", "items": [good, unknown] });
            let done = desk.post(Role::Operator, "/api/v1/decisions", both, &[]).await;
            assert_eq!(done.status, StatusCode::OK, "{}", done.body);
            assert_eq!(done.body[0]["recommendation"]["stage"], "rejected");
            assert_eq!(done.body[1]["problem"]["status"], 404);
        });
        Ok(())
    });
}

#[test]
fn a_key_makes_a_request_safe_to_repeat() {
    on_each_location(|location| {
        with_desk(location, "", async |desk| {
            let freeze = json!({ "scope": "everything", "reason": "a drill" });
            let key = [("idempotency-key", "k-1")];
            let first = desk.post(Role::Operator, "/api/v1/freezes", freeze.clone(), &key).await;
            let again = desk.post(Role::Operator, "/api/v1/freezes", freeze, &key).await;
            assert_eq!((first.status, again.status), (StatusCode::CREATED, StatusCode::CREATED));
            assert_eq!(first.body, again.body);
            assert!(again.headers.contains_key("idempotent-replayed"));
            let other = json!({ "scope": "everything", "reason": "another drill" });
            let reused = desk.post(Role::Operator, "/api/v1/freezes", other, &key).await;
            assert_eq!(
                (reused.status, &reused.body["code"]),
                (StatusCode::UNPROCESSABLE_ENTITY, &json!("key-reused"))
            );
            let unanswered = "UPDATE idempotency SET status = NULL, headers = NULL, body = NULL";
            let database = desk.service.database();
            let forget = || database.write(|transaction| transaction.execute(unanswered, &[]));
            aside(forget).expect("a statement that counts");
            let freeze = json!({ "scope": "everything", "reason": "a drill" });
            let waits = desk.post(Role::Operator, "/api/v1/freezes", freeze, &key).await;
            assert_eq!(
                (waits.status, &waits.body["retryable"], &waits.body["retry_after"]),
                (StatusCode::CONFLICT, &json!(true), &json!(1)),
                "{}",
                waits.body
            );
            assert_eq!(
                desk.get(Role::Viewer, "/api/v1/freezes").await.body.as_array().map(Vec::len),
                Some(1)
            );
        });
        Ok(())
    });
}

#[test]
fn a_key_makes_one_token() {
    on_each_location(|location| {
        with_desk(location, "", async |desk| {
            let wish = json!({ "name": "night-watch", "role": "viewer" });
            let key = [("idempotency-key", "k-1")];
            let refused = desk.post(Role::Admin, "/api/v1/tokens", json!({ "name": "x" }), &[]).await;
            assert!(refused.status.is_client_error(), "{}", refused.body);
            let first = desk.post(Role::Admin, "/api/v1/tokens", wish.clone(), &key).await;
            let again = desk.post(Role::Admin, "/api/v1/tokens", wish, &key).await;
            assert_eq!((first.status, again.status), (StatusCode::CREATED, StatusCode::CONFLICT));
            let detail = again.body["detail"].as_str().expect("a text");
            assert!(detail.contains("of the record, and its answer is not kept"), "{detail}");
            assert!(!again.body.to_string().contains(first.body["secret"].as_str().expect("a secret")));
            let all = desk.get(Role::Admin, "/api/v1/tokens").await.body;
            let made = all["items"].as_array().expect("a list").iter();
            assert_eq!(made.filter(|token| token["name"] == "night-watch").count(), 1, "{all}");
        });
        Ok(())
    });
}

#[test]
fn what_is_frozen_is_not_approved_and_lifting_needs_an_admin() {
    on_each_location(|location| {
        with_desk(location, "", async |desk| {
            desk.advance(130).await;
            let id = desk.pending().await[0]["id"].as_str().expect("an id").to_owned();
            let freeze =
                json!({ "scope": "cluster", "name": "member2", "reason": "maintenance", "seconds": 3600 });
            let frozen = desk.post(Role::Operator, "/api/v1/freezes", freeze, &[]).await;
            let freeze = frozen.body["id"].as_str().expect("an id").to_owned();
            let refused = desk.decide(desk.secret(Role::Operator), &id, approve()).await;
            assert_eq!((refused.status, &refused.body["code"]), (StatusCode::CONFLICT, &json!("frozen")));
            let lift = format!("/api/v1/freezes/{freeze}/lift");
            let reason = json!({ "reason": "done" });
            let operator = desk.post(Role::Operator, &lift, reason.clone(), &[]).await;
            assert_eq!(operator.status, StatusCode::FORBIDDEN);
            assert_eq!(desk.post(Role::Admin, &lift, reason, &[]).await.status, StatusCode::NO_CONTENT);
            let approved = desk.decide(desk.secret(Role::Operator), &id, approve()).await;
            assert_eq!(approved.status, StatusCode::OK, "{}", approved.body);
        });
        Ok(())
    });
}

#[test]
fn a_mode_is_taken_back_by_an_admin_and_the_record_tells_of_it() {
    on_each_location(|location| {
        with_desk(location, "prediction: { enabled: false }\n", async |desk| {
            desk.advance(130).await;
            let id = desk.pending().await[0]["id"].as_str().expect("an id").to_owned();
            let change = async |role: Role, method: Method, query: &str, body: Option<Value>| {
                let path = format!("/api/v1/modes{query}");
                desk.send(request(method, &path, Some(desk.secret(role)), body, &[])).await
            };
            let wish =
                json!({ "mode": "observe", "scope": "cluster", "name": "member2", "reason": "not ours" });
            let set = change(Role::Admin, Method::PUT, "", Some(wish)).await;
            assert_eq!(set.body["settings"].as_array().map(Vec::len), Some(1), "{}", set.body);
            let refused = desk.decide(desk.secret(Role::Operator), &id, approve()).await;
            assert_eq!(refused.body["code"], "observe-only", "{}", refused.body);
            let query = "?scope=cluster&name=member2&reason=ours%20again";
            let operator = change(Role::Operator, Method::DELETE, query, None).await;
            assert_eq!(operator.status, StatusCode::FORBIDDEN);
            let silent = change(Role::Admin, Method::DELETE, "?scope=cluster&name=member2", None).await;
            assert_eq!(silent.status, StatusCode::BAD_REQUEST, "{}", silent.body);
            let other =
                change(Role::Admin, Method::DELETE, &format!("{query}&agent=keep-headroom"), None).await;
            assert_eq!(other.status, StatusCode::NOT_FOUND, "{}", other.body);
            let cleared = change(Role::Admin, Method::DELETE, query, None).await;
            assert_eq!((cleared.status, &cleared.body["settings"]), (StatusCode::OK, &json!([])));
            let again = change(Role::Admin, Method::DELETE, query, None).await;
            assert_eq!(again.status, StatusCode::NOT_FOUND, "{}", again.body);
            let told =
                desk.get(Role::Auditor, "/api/v1/audit?kind=ordered&subject=cluster%20member2").await.body;
            let order = &told["items"][1]["body"]["input"]["ordered"];
            assert_eq!(
                (&order["what"]["order"], &order["reason"]),
                (&json!("clear_mode"), &json!("ours again"))
            );
            let approved = desk.decide(desk.secret(Role::Operator), &id, approve()).await;
            assert_eq!(approved.status, StatusCode::OK, "{}", approved.body);
        });
        Ok(())
    });
}

#[test]
fn the_record_and_recommendations_are_narrowed_by_what_was_asked_for() {
    on_each_location(|location| {
        with_desk(location, "prediction: { enabled: false }\n", async |desk| {
            let total = async |role: Role, path: String| {
                let answer = desk.get(role, &path).await;
                assert_eq!(answer.status, StatusCode::OK, "{}", answer.body);
                answer.body["total"].as_i64().expect("a number")
            };
            desk.advance(130).await;
            let whole = desk.get(Role::Auditor, "/api/v1/audit?limit=500&ascending=true").await.body;
            let last = whole["items"].as_array().and_then(|all| all.last()).expect("an entry").clone();
            let (all, end) =
                (whole["total"].as_i64().expect("a number"), last["atWall"].as_i64().expect("a time"));
            let audit = |query: String| total(Role::Auditor, format!("/api/v1/audit?{query}"));
            assert_eq!(audit(format!("until={}", end + 1)).await, all);
            assert_eq!(audit(format!("from={}", end + 1)).await, 0);
            let (before, after) = (audit(format!("until={end}")).await, audit(format!("from={end}")).await);
            assert!(after > 0 && before + after == all, "{before} and {after} of {all}");

            let workload = desk.pending().await[0]["workload"].as_str().expect("a workload").to_owned();
            let name = workload.rsplit('/').next().expect("a name").to_owned();
            let listed = |query: String| total(Role::Viewer, format!("/api/v1/recommendations?{query}"));
            assert_eq!(listed(format!("workload={workload}")).await, 1);
            assert_eq!(listed(format!("workload=default/{name}")).await, 1);
            assert_eq!(listed(format!("workload=default/{}", &name[..4])).await, 0);
            assert_eq!(listed(format!("workload_contains={}", &name[..4])).await, 1);
            assert_eq!(listed("kind=resize_pool".to_owned()).await, 0);
            for (kind, proposal) in [("scal", "did you mean scale?"), ("xyzzyx", "resize_pool, hold")] {
                let wrong = desk.get(Role::Viewer, &format!("/api/v1/recommendations?kind={kind}")).await;
                assert_eq!(wrong.status, StatusCode::BAD_REQUEST, "{}", wrong.body);
                let error = &wrong.body["errors"][0];
                assert_eq!(error["field"], "kind", "{error}");
                assert!(error["proposal"].as_str().is_some_and(|text| text.ends_with(proposal)), "{error}");
            }
            let wrong = desk.get(Role::Viewer, "/api/v1/recommendations?workload=web").await;
            assert_eq!(
                (wrong.status, &wrong.body["errors"][0]["field"]),
                (StatusCode::BAD_REQUEST, &json!("workload"))
            );
        });
        Ok(())
    });
}

#[test]
fn a_changed_target_is_a_new_plan_that_somebody_else_approves() {
    on_each_location(|location| {
        with_desk(location, "", async |desk| {
            desk.advance(130).await;
            let pending = desk.pending().await;
            let (id, hash) = (pending[0]["id"].as_str().expect("an id"), &pending[0]["planHash"]);
            let path = format!("/api/v1/recommendations/{id}");
            let tag =
                desk.get(Role::Viewer, &path).await.headers[header::ETAG].to_str().expect("text").to_owned();
            let nowhere = json!({ "planHash": hash, "to": "member9" });
            let refused =
                desk.post(Role::Operator, &format!("{path}/target"), nowhere, &[("if-match", &tag)]).await;
            assert_eq!(refused.status, StatusCode::UNPROCESSABLE_ENTITY, "{}", refused.body);
            let detail = refused.body["detail"].as_str().expect("why");
            assert!(detail.contains("member9") && detail.contains("did you mean member"), "{detail}");
            assert_eq!(desk.pending().await.len(), pending.len());
        });
        Ok(())
    });
}

#[test]
fn two_people_approve_where_the_file_says_so() {
    on_each_location(|location| {
        let rules = "review: { approvers: [{ people: 2, when: \"true\" }] }\n";
        with_desk(location, rules, async |desk| {
            desk.advance(130).await;
            let id = desk.pending().await[0]["id"].as_str().expect("an id").to_owned();
            let first = desk.decide(desk.secret(Role::Operator), &id, approve()).await;
            assert_eq!(
                (first.status, &first.body["stage"]),
                (StatusCode::OK, &json!("pending")),
                "{}",
                first.body
            );
            assert_eq!(
                (&first.body["approversGiven"], &first.body["approversNeeded"]),
                (&json!(1), &json!(2))
            );
            let again = desk.decide(desk.secret(Role::Operator), &id, approve()).await;
            assert_eq!(
                (again.status, &again.body["stage"], &again.body["approversGiven"]),
                (StatusCode::OK, &json!("pending"), &json!(1)),
                "the same answer again changes nothing: {}",
                again.body
            );
            let second = desk.decide(&desk.another("ben", Role::Operator), &id, approve()).await;
            assert_eq!(
                (second.status, &second.body["stage"]),
                (StatusCode::OK, &json!("applying")),
                "{}",
                second.body
            );
        });
        Ok(())
    });
}

#[test]
fn the_effect_is_predicted_before_anybody_is_asked_and_judged_afterwards() {
    on_each_location(|location| {
        with_desk(location, "prediction: { horizon: 40s, seeds: 3 }\n", async |desk| {
            desk.advance(150).await;
            let pending = desk.pending().await;
            assert!(pending.iter().all(|item| item["isPredicted"] == true), "{pending:?}");
            let id = pending[0]["id"].as_str().expect("an id").to_owned();
            let detail = desk.get(Role::Viewer, &format!("/api/v1/recommendations/{id}")).await.body;
            let measures = detail["prediction"]["alone"]["measures"].as_array().expect("measures").clone();
            let waits = |one: &&Value| one["measure"] == "pending_pods" && one["subject"] == "federation";
            let waits = &measures.iter().find(waits).expect("pods that wait are predicted")["difference"];
            let gains = |name: &str| pending[0][name].as_f64().expect("a number");
            let fewer = |name: &str| 0.0 - waits[name].as_f64().expect("a number");
            assert_eq!(
                [gains("benefit"), gains("benefitLow"), gains("benefitHigh")],
                [fewer("mean"), fewer("high"), fewer("low")]
            );
            let load =
                measures.iter().find(|one| one["measure"] == "cpu_load" && one["subject"] == "member2");
            let load = load.expect("the target's load is predicted");
            assert!(load["difference"]["mean"].as_f64() > Some(0.05), "{load}");
            let ids: Vec<&Value> = pending.iter().map(|item| &item["id"]).collect();
            let joint = desk.post(Role::Viewer, "/api/v1/previews", json!({ "ids": ids }), &[]).await;
            assert_eq!(joint.status, StatusCode::OK, "{}", joint.body);
            let answer = desk.decide(desk.secret(Role::Operator), &id, approve()).await;
            assert_eq!(answer.status, StatusCode::OK, "{}", answer.body);
            desk.advance(60).await;
            let execution = desk.get(Role::Viewer, &format!("/api/v1/executions/{id}")).await.body;
            assert!(
                execution["score"]["observations"].as_array().is_some_and(|all| !all.is_empty()),
                "{execution}"
            );
            assert_eq!(
                execution["steps"].as_array().and_then(|steps| steps.last()).map(|last| &last["step"]),
                Some(&json!("done"))
            );
        });
        Ok(())
    });
}

#[test]
fn rules_may_ask_for_the_prediction() {
    on_each_location(|location| {
        let rules = "review: { mode: rules, pass: [{ name: helps, when: \"predicted.done == 1.0 && risk == 'low'\" }] }\n\
                     prediction: { horizon: 30s, seeds: 2 }\n";
        with_desk(location, rules, async |desk| {
            desk.advance(150).await;
            let all = desk.get(Role::Viewer, "/api/v1/recommendations?sort=id").await.body;
            let by = &all["items"][0]["stage"];
            assert!(by == "applied" || by == "applying", "{all}");
            let audit = desk.get(Role::Auditor, "/api/v1/audit?kind=predicted").await.body;
            assert!(audit["total"].as_i64() > Some(0), "{audit}");
            let (id, hash) = (&all["items"][0]["id"], &all["items"][0]["planHash"]);
            let passed = desk.get(Role::Auditor, "/api/v1/audit?actor=rule:helps&ascending=true").await.body;
            let first = &passed["items"][0];
            assert_eq!((&first["kind"], &first["subject"]), (&json!("passed"), id), "{passed}");
            assert_eq!(
                (&first["body"]["verdict"], &first["body"]["plan"]),
                (&json!("approve"), hash),
                "{passed}"
            );
            let approved = all["items"].as_array().into_iter().flatten();
            let approved = approved.filter(|item| item["stage"] != "pending").count();
            assert_eq!(passed["total"].as_u64(), Some(approved as u64), "each has one: {all}");
        });
        Ok(())
    });
}

#[test]
fn what_was_carried_out_can_be_taken_back() {
    on_each_location(|location| {
        // Seven deployments fill the first cluster to the last pod, so that there is room to go back to.
        let stays = |line: &&str| !line.contains("at: 130s") && !line.contains("metrics-exporter");
        let two_waves: Vec<&str> = SCENARIO.lines().filter(stays).collect();
        let two_waves = two_waves.join("\n");
        let more = "review: { own_plans: true }\nprediction: { enabled: false }\n";
        with_scenario(location, more, &two_waves, async |desk| {
            desk.advance(121).await;
            let id = desk.pending().await[0]["id"].as_str().expect("an id").to_owned();
            desk.decide(desk.secret(Role::Operator), &id, approve()).await;
            desk.advance(31).await;
            let undone = desk.get(Role::Viewer, &format!("/api/v1/recommendations/{id}")).await.body;
            let wish = |from: &str, undoes: &str| {
                let action = json!({
                    "kind": "migrate",
                    "workload": undone["workload"],
                    "from": from,
                    "to": "member1",
                    "replicas": 1,
                });
                json!({ "drafts": [{ "action": action, "reason": "back", "undoes": undoes }] })
            };
            for (from, undoes, status) in [
                ("member3", id.as_str(), StatusCode::UNPROCESSABLE_ENTITY),
                ("member2", "R-999", StatusCode::NOT_FOUND),
            ] {
                let body = wish(from, undoes);
                let refused = desk.post(Role::Operator, "/api/v1/recommendations", body, &[]).await;
                assert_eq!(refused.status, status, "{}", refused.body);
            }
            // Whoever stops everything because of it must be able to take it back.
            let stop = json!({ "scope": "everything", "reason": "something is wrong" });
            let stopped = desk.post(Role::Operator, "/api/v1/freezes", stop, &[]).await;
            assert_eq!(stopped.status, StatusCode::CREATED, "{}", stopped.body);
            let path = format!("/api/v1/executions/{id}/rollback");
            let back =
                desk.post(Role::Operator, &path, json!({ "reason": "it was needed there" }), &[]).await;
            assert_eq!(
                (back.status, &back.body["undoes"]),
                (StatusCode::CREATED, &json!(id)),
                "{}",
                back.body
            );
            let back = back.body["id"].as_str().expect("an id").to_owned();
            let approved = desk.decide(desk.secret(Role::Operator), &back, approve()).await;
            assert_eq!(approved.status, StatusCode::OK, "{}", approved.body);
            let abort = format!("/api/v1/executions/{id}/abort");
            let late = desk.post(Role::Operator, &abort, json!({ "reason": "too late" }), &[]).await;
            assert_eq!(late.status, StatusCode::CONFLICT, "{}", late.body);
        });
        Ok(())
    });
}
