//! The laboratory: wishes, results, drawings, cancelling and limits, over HTTP.

use crate::box_desk::{Answer, BoxDesk, SCENARIO, request, scenario, with_desk};
use axum::http::{Method, StatusCode, header};
use futures_util::StreamExt as _;
use lab::experiment::export::json;
use lab::experiment::layout::{self, Setting};
use lab::experiment::results::Results;
use lab::experiment::runner::{Crew, Endless, NoStore, run_all};
use lab::experiment::spec::{Arm, Experiment, Variant, usual};
use model::hash::ContentHash;
use serde_json::{Value, json};
use server::access::Role;
use server::laboratory::{MOST_KEPT, MOST_WAITING, Sample, Shelf};
use server::testing::on_each_location;
use std::collections::BTreeMap;
use std::num::NonZeroUsize;
use std::time::Duration;
use strategies::catalogue::StrategyConfig;
use tower::ServiceExt as _;

/// Two days: its runs do not end while a test looks at them.
const LONG: &str = include_str!("../../../../scenarios/live-waves.yaml");

const PLACE: &str = "/api/v1/lab/comparisons";

fn sample(file: &str, text: &str, is_own: bool) -> Sample {
    let digest = ContentHash::of_bytes(text.as_bytes());
    Sample { file: format!("scenarios/{file}.yaml"), scenario: scenario(text), digest, is_own }
}

fn stock(desk: &BoxDesk) {
    let mut shelf = Shelf::default();
    shelf.put(sample("three-waves", SCENARIO, true));
    shelf.put(sample("live-waves", LONG, false));
    desk.service.desk().stock(shelf);
}

fn wish(scenario: &str, strategies: &[&str], seeds: u64) -> Value {
    json!({ "scenario": scenario, "strategies": strategies, "seeds": seeds })
}

fn short() -> Value {
    wish("three-waves", &["hold"], 1)
}

fn long() -> Value {
    wish("live-waves", &["planner", "threshold"], 50)
}

async fn start(desk: &BoxDesk, wish: Value) -> String {
    let answer = desk.post(Role::Operator, PLACE, wish, &[]).await;
    assert_eq!(answer.status, StatusCode::ACCEPTED, "{}", answer.body);
    answer.body["id"].as_str().expect("an id").to_owned()
}

async fn delete(desk: &BoxDesk, id: &str) -> StatusCode {
    let operator = Some(desk.secret(Role::Operator));
    desk.send(request(Method::DELETE, &format!("{PLACE}/{id}"), operator, None, &[])).await.status
}

async fn show(desk: &BoxDesk, id: &str) -> Value {
    desk.get(Role::Viewer, &format!("{PLACE}/{id}")).await.body
}

/// Asks until a comparison is in one of these states.
async fn until(desk: &BoxDesk, id: &str, states: &[&str]) -> Value {
    let deadline = server::clock::now() + Duration::from_mins(2);
    loop {
        let body = show(desk, id).await;
        if states.iter().any(|state| body["state"] == *state) {
            return body;
        }
        assert!(server::clock::now() < deadline, "{id} takes too long: {body}");
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
}

/// The same comparison, made without a desk.
fn directly(strategies: &[&str], seeds: u64, baseline: usize) -> Results {
    let arm = |name: &&str| Arm {
        name: (*name).to_owned(),
        decide: StrategyConfig::by_name(name).expect("a strategy"),
    };
    let experiment = Experiment {
        name: "comparison".to_owned(),
        description: String::new(),
        command: String::new(),
        scenarios: Vec::new(),
        arms: strategies.iter().map(arm).collect(),
        seeds: (1..=seeds).collect(),
        baseline,
        review: None,
        metrics: usual(),
        variants: vec![Variant::new()],
        cassette: None,
        published: BTreeMap::new(),
    };
    let waves = scenario(SCENARIO);
    let settings = [Setting { name: "three-waves", scenario: &waves, digest: ContentHash::ZERO }];
    let crew = Crew { jobs: NonZeroUsize::MIN, store: &NoStore, patience: &Endless, told: &|_| {} };
    let results = run_all(&layout::cells(&experiment, &settings, "test", None), &crew).expect("runs");
    layout::gathered(&experiment, &settings, results)
}

#[test]
fn there_is_something_to_try() {
    on_each_location(|location| {
        with_desk(location, "", async |desk| {
            assert_eq!(desk.get(Role::Viewer, "/api/v1/lab/scenarios").await.body, json!([]));
        });
        with_desk(location, "", async |desk| {
            stock(desk);
            let all = desk.get(Role::Agent, "/api/v1/lab/scenarios").await.body;
            assert_eq!((&all[0]["name"], &all[0]["isOwn"]), (&json!("three-waves"), &json!(true)));
            assert_eq!((&all[1]["name"], &all[1]["isOwn"]), (&json!("live-waves"), &json!(false)));
            assert_eq!((&all[0]["clusters"], &all[0]["lastsMs"]), (&json!(2), &json!(240_000)));
            assert!(all[0]["workloads"].as_u64() > Some(3), "{all}");
            let strategies = desk.get(Role::Viewer, "/api/v1/lab/strategies").await.body;
            let names: Vec<&Value> =
                strategies.as_array().unwrap().iter().map(|strategy| &strategy["name"]).collect();
            assert_eq!(names, ["hold", "threshold", "planner", "karmada-native", "wasp-heuristic"]);
        });
        Ok(())
    });
}

#[test]
fn a_comparison_gives_what_the_laboratory_itself_gives() {
    on_each_location(|location| {
        with_desk(location, "", async |desk| {
            stock(desk);
            let mut wish = wish("three-waves", &["planner", "hold"], 5);
            wish["baseline"] = json!("hold");
            let id = start(desk, wish).await;
            let done = until(desk, &id, &["done", "failed"]).await;
            assert_eq!(done["cells"], json!({ "done": 10, "all": 10, "troubled": 0 }), "{done}");
            assert_eq!((&done["id"], &done["startedBy"]), (&json!("C-1"), &json!("person:operator")));
            assert!(done["endedWall"].as_i64() >= done["startedWall"].as_i64());
            let command = "drover compare scenarios/three-waves.yaml --strategies planner,hold --seeds 1..5 --baseline hold";
            assert_eq!(done["command"], command);
            let expected = directly(&["planner", "hold"], 5, 1);
            check_numbers(&done["results"], &expected);
            let answer = desk.get(Role::Viewer, &format!("{PLACE}/{id}/results")).await;
            assert_eq!(answer.body, json::results(&expected));
            check_figures(desk, &id, &done["results"]["figures"]).await;
            let record = desk.get(Role::Auditor, "/api/v1/audit?kind=comparison.started").await.body;
            let entry = &record["items"][0];
            assert_eq!((&entry["subject"], &entry["actor"]), (&json!("C-1"), &json!("person:operator")));
            assert_eq!(entry["body"]["strategies"], json!(["planner", "hold"]));
            assert_eq!(desk.get(Role::Auditor, "/api/v1/audit/verification").await.body["intact"], true);
        });
        Ok(())
    });
}

fn list(value: &Value) -> &Vec<Value> {
    value.as_array().expect("a list")
}

fn check_numbers(shown: &Value, expected: &Results) {
    let setting = &expected.settings[0];
    assert_eq!((&shown["baseline"], &shown["tooFewSeeds"]), (&json!("hold"), &json!(false)));
    let (conclusions, caveats) = lab::experiment::conclusion::conclusions(expected);
    assert_eq!(shown["conclusions"], json!(conclusions[0].sentences));
    assert_eq!(shown["caveats"], json!(caveats));
    assert_eq!(shown["rows"].as_array().map(Vec::len), Some(setting.rows.len()));
    for (row, shown) in setting.rows.iter().zip(list(&shown["rows"])) {
        assert_eq!(shown["key"], row.metric.key);
        for (arm, standing) in row.arms.iter().enumerate() {
            let (standing, shown) = (standing.as_ref().expect("a value"), &shown["arms"][arm]);
            let interval = standing.estimate.interval.expect("several seeds");
            let exact = json!([standing.estimate.mean, interval.low, interval.high, standing.estimate.count]);
            assert_eq!(json!([shown["mean"], shown["low"], shown["high"], shown["n"]]), exact);
            assert_eq!(shown["values"], json!(standing.values));
            assert_eq!(shown["best"], json!(row.best == Some(arm)));
            let versus = standing.versus_baseline.as_ref().map(|versus| versus.mean_difference);
            assert_eq!(shown["versusBaseline"]["difference"], json!(versus));
            assert_eq!(shown["versusBaseline"]["probability"], json!(standing.corrected));
        }
    }
    let pending = list(&shown["rows"]).iter().find(|row| row["key"] == "pending_pods_mean").expect("a row");
    assert_eq!((&pending["arms"][0]["rank"], &pending["arms"][1]["rank"]), (&json!(1), &json!(2)));
    let course = &shown["arms"][0]["course"];
    let points = list(&course["pendingPods"]).len();
    assert!(points > 10 && course["stepSeconds"].as_f64() > Some(0.0));
    assert_eq!((list(&course["cpuLoad"]).len(), course["nodes"][0].as_f64()), (points, Some(4.0)));
}

/// A drawing can be shown on a page, and do nothing else.
async fn check_figures(desk: &BoxDesk, id: &str, figures: &Value) {
    let figures = list(figures);
    assert!(figures.iter().any(|figure| figure["name"] == "three-waves-courses"), "{figures:?}");
    for figure in figures {
        let path = format!("{PLACE}/{id}/figures/{}", figure["name"].as_str().expect("text"));
        let answer = desk.get(Role::Viewer, &path).await;
        let text = |name: header::HeaderName| answer.headers[name].to_str().expect("text");
        assert_eq!(text(header::CONTENT_TYPE), "image/svg+xml");
        assert_eq!(text(header::CONTENT_SECURITY_POLICY), "default-src 'none'; style-src 'unsafe-inline'");
        assert_eq!(text(header::X_CONTENT_TYPE_OPTIONS), "nosniff");
        assert!(answer.body.as_str().expect("text").starts_with("<svg "), "{path}");
        assert!(
            ["title", "description", "note"]
                .iter()
                .all(|key| !figure[*key].as_str().expect("text").is_empty())
        );
    }
    let unknown = desk.get(Role::Viewer, &format!("{PLACE}/{id}/figures/x")).await;
    assert_eq!(unknown.status, StatusCode::NOT_FOUND);
}

#[test]
fn a_single_strategy_with_one_seed_is_simply_a_run() {
    on_each_location(|location| {
        with_desk(location, "", async |desk| {
            stock(desk);
            let key = [("idempotency-key", "once")];
            let first = desk.post(Role::Operator, PLACE, short(), &key).await;
            let again = desk.post(Role::Operator, PLACE, short(), &key).await;
            assert_eq!((first.status, &first.body), (StatusCode::ACCEPTED, &again.body));
            let done = until(desk, "C-1", &["done"]).await;
            assert_eq!(
                done["command"],
                "drover compare scenarios/three-waves.yaml --strategies hold --seeds 1"
            );
            let results = &done["results"];
            assert_eq!(
                (&results["tooFewSeeds"], &results["arms"][0]["completed"]),
                (&json!(true), &json!(1))
            );
            let standing = &results["rows"][0]["arms"][0];
            assert_eq!((&standing["low"], &standing["versusBaseline"]), (&Value::Null, &Value::Null));
            assert_eq!(desk.get(Role::Viewer, PLACE).await.body.as_array().map(Vec::len), Some(1));
        });
        Ok(())
    });
}

#[test]
fn everything_wrong_with_a_wish_is_said_at_once() {
    on_each_location(|location| {
        with_desk(location, "", async |desk| {
            stock(desk);
            let mut wrong = wish("three-wave", &["hold", "planer"], 51);
            wrong["baseline"] = json!("threshold");
            let answer = desk.post(Role::Operator, PLACE, wrong, &[]).await;
            assert_eq!(answer.status, StatusCode::UNPROCESSABLE_ENTITY);
            let errors = answer.body["errors"].as_array().unwrap();
            let fields: Vec<&Value> = errors.iter().map(|error| &error["field"]).collect();
            assert_eq!(fields, ["scenario", "strategies[1]", "seeds", "baseline"]);
            assert!(
                errors[0]["message"].as_str().unwrap().contains("did you mean three-waves?"),
                "{errors:?}"
            );
            assert!(errors[1]["message"].as_str().unwrap().contains("planner"), "{errors:?}");
            for garbage in [
                json!({}),
                json!([]),
                json!({ "scenario": 1, "strategies": ["hold"], "seeds": 1 }),
                json!({ "scenario": "three-waves", "strategies": "hold", "seeds": 1 }),
                json!({ "scenario": "three-waves", "strategies": ["hold"], "seeds": -1 }),
                json!({ "scenario": "three-waves", "strategies": ["hold"], "seeds": 1.5 }),
                json!({ "scenario": "three-waves", "strategies": ["hold"], "seeds": 1, "more": 1 }),
                wish("three-waves", &[], 1),
                wish("three-waves", &["hold", "hold"], 1),
                wish("../three-waves", &["hold"], 1),
                wish("three-waves", &["hold"], 0),
                wish("three-waves", &["hold"; 1_000], 1),
                wish(
                    "three-waves",
                    &["hold", "threshold", "planner", "karmada-native", "wasp-heuristic"],
                    41,
                ),
            ] {
                let answer = desk.post(Role::Operator, PLACE, garbage.clone(), &[]).await;
                assert_eq!(answer.status, StatusCode::UNPROCESSABLE_ENTITY, "{garbage}: {}", answer.body);
            }
            for id in ["C-1", "C-0", "x", "C-18446744073709551616", "%00"] {
                assert_eq!(
                    desk.get(Role::Viewer, &format!("{PLACE}/{id}")).await.status,
                    StatusCode::NOT_FOUND
                );
                assert_eq!(delete(desk, id).await, StatusCode::NOT_FOUND, "{id}");
            }
            assert_eq!(desk.get(Role::Viewer, PLACE).await.body, json!([]), "nothing was started");
        });
        Ok(())
    });
}

#[test]
fn what_nobody_wants_any_more_stops() {
    on_each_location(|location| {
        with_desk(location, "", async |desk| {
            stock(desk);
            let (running, waiting) = (start(desk, long()).await, start(desk, long()).await);
            until(desk, &running, &["running"]).await;
            assert_eq!(show(desk, &waiting).await["state"], "waiting");
            let early = desk.get(Role::Viewer, &format!("{PLACE}/{running}/results")).await;
            assert_eq!(early.status, StatusCode::CONFLICT, "{}", early.body);
            for id in [&waiting, &running] {
                assert_eq!(delete(desk, id).await, StatusCode::NO_CONTENT);
                let body = show(desk, id).await;
                assert_eq!((&body["state"], &body["results"]), (&json!("cancelled"), &Value::Null));
            }
            // Only when the runs of the first have really stopped does somebody else get the worker.
            let last = start(desk, short()).await;
            until(desk, &last, &["done"]).await;
            let all = desk.get(Role::Viewer, PLACE).await.body;
            let ids: Vec<&Value> = all.as_array().unwrap().iter().map(|item| &item["id"]).collect();
            assert_eq!(ids, ["C-3", "C-2", "C-1"], "newest first");
            for id in [&running, &last] {
                assert_eq!(delete(desk, id).await, StatusCode::NO_CONTENT);
                assert_eq!(delete(desk, id).await, StatusCode::NOT_FOUND);
            }
            let path = "/api/v1/audit?kind=comparison.cancelled,comparison.forgotten";
            assert_eq!(desk.get(Role::Auditor, path).await.body["total"], 4);
        });
        Ok(())
    });
}

#[test]
fn only_so_many_wait_and_only_so_many_are_kept() {
    on_each_location(|location| {
        with_desk(location, "limits: { requests_per_second: 10000, burst: 10000 }\n", async |desk| {
            stock(desk);
            let first = start(desk, long()).await;
            until(desk, &first, &["running"]).await;
            for _ in 0..MOST_WAITING {
                start(desk, short()).await;
            }
            let one_more: Answer = desk.post(Role::Operator, PLACE, short(), &[]).await;
            assert_eq!(one_more.status, StatusCode::SERVICE_UNAVAILABLE, "{}", one_more.body);
            assert!(one_more.headers.contains_key(header::RETRY_AFTER));
            delete(desk, "C-2").await;
            let last = start(desk, short()).await;
            delete(desk, &first).await;
            until(desk, &last, &["done"]).await;
            for _ in 0..MOST_KEPT {
                let id = start(desk, short()).await;
                until(desk, &id, &["done"]).await;
            }
            let kept = desk.get(Role::Viewer, PLACE).await.body;
            assert_eq!(kept.as_array().map(Vec::len), Some(MOST_KEPT));
            assert_eq!(
                desk.get(Role::Viewer, &format!("{PLACE}/{first}")).await.status,
                StatusCode::NOT_FOUND
            );
        });
        Ok(())
    });
}

#[test]
fn what_was_found_outlives_the_desk_and_what_was_not_is_interrupted() {
    on_each_location(|location| {
        let everything = async |desk: &BoxDesk, id: &str| {
            let mut all = vec![desk.get(Role::Viewer, &format!("{PLACE}/{id}")).await];
            all.push(desk.get(Role::Viewer, &format!("{PLACE}/{id}/results")).await);
            let figure = all[0].body["results"]["figures"][0]["name"].as_str().expect("a figure").to_owned();
            all.push(desk.get(Role::Viewer, &format!("{PLACE}/{id}/figures/{figure}")).await);
            assert!(all.iter().all(|answer| answer.status == StatusCode::OK));
            all.into_iter().map(|answer| answer.body).collect::<Vec<Value>>()
        };
        let found = with_desk(location, "", async |desk| {
            stock(desk);
            let done = start(desk, wish("three-waves", &["hold", "planner"], 2)).await;
            until(desk, &done, &["done"]).await;
            let unwanted = start(desk, short()).await;
            until(desk, &unwanted, &["done"]).await;
            assert_eq!(delete(desk, &unwanted).await, StatusCode::NO_CONTENT);
            let cancelled = start(desk, long()).await;
            assert_eq!(delete(desk, &cancelled).await, StatusCode::NO_CONTENT);
            let running = start(desk, long()).await;
            until(desk, &running, &["running"]).await;
            start(desk, short()).await;
            everything(desk, "C-1").await
        });
        with_desk(location, "", async |desk| {
            let left = desk.get(Role::Viewer, PLACE).await.body;
            let states: Vec<(&Value, &Value)> =
                left.as_array().expect("a list").iter().map(|one| (&one["id"], &one["state"])).collect();
            let expected = [
                (&json!("C-5"), &json!("interrupted")),
                (&json!("C-4"), &json!("interrupted")),
                (&json!("C-3"), &json!("cancelled")),
                (&json!("C-1"), &json!("done")),
            ];
            assert_eq!(states, expected);
            assert_eq!(everything(desk, "C-1").await, found, "to the last digit");
            assert_eq!(delete(desk, "C-4").await, StatusCode::NO_CONTENT);
        });
        with_desk(location, "", async |desk| {
            stock(desk);
            assert_eq!(show(desk, "C-5").await["state"], "interrupted");
            assert_eq!(show(desk, "C-4").await["status"], 404);
            assert_eq!(start(desk, short()).await, "C-6", "no name comes twice");
        });
        Ok(())
    });
}

#[test]
fn watchers_hear_how_far_it_is() {
    on_each_location(|location| {
        with_desk(location, "", async |desk| {
            stock(desk);
            let watch = async |role, topics: &str| {
                let path = format!("/api/v1/events?topics={topics}");
                let request = request(Method::GET, &path, Some(desk.secret(role)), None, &[]);
                let response = desk.router.clone().oneshot(request).await.expect("a router always answers");
                response.into_body().into_data_stream()
            };
            let mut heard = watch(Role::Viewer, "laboratory").await;
            start(desk, wish("three-waves", &["hold", "planner"], 2)).await;
            let mut last = Value::Null;
            while last["state"] != "done" {
                let next = tokio::time::timeout(Duration::from_mins(2), heard.next()).await;
                let bytes = next.expect("in time").expect("a stream goes on").expect("bytes");
                let text = String::from_utf8_lossy(&bytes).into_owned();
                assert!(text.starts_with("event: io.drover.laboratory.changed.v1\ndata: "), "no id: {text}");
                let event: Value = serde_json::from_str(text.split_once("data: ").unwrap().1.trim()).unwrap();
                last = event["data"]["comparisons"][0].clone();
            }
            assert_eq!(
                last,
                json!({ "id": "C-1", "state": "done", "cells": { "done": 4, "all": 4, "troubled": 0 } })
            );
        });
        Ok(())
    });
}
