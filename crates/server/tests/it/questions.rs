//! What agents ask models at a desk: asked, answered in virtual time, shown, kept through a restart.

use crate::box_desk::{BoxDesk, SCENARIO, block_on, desk_file, scenario};
use axum::http::StatusCode;
use control::question::{Call, Failure, Reply, Told, Usage};
use lab::models::{Correspondent, Faults, StandIn};
use model::time::Period;
use serde_json::Value;
use server::access::Role;
use server::service::{Around, Keys, Service, ServiceError};
use server::storage::Location;
use server::testing::on_each_location;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// The three waves with a language model as the decider.
fn asking() -> String {
    SCENARIO.replacen("decide: { strategy: planner }", "decide: { strategy: language-model, names: true }", 1)
}

#[expect(clippy::disallowed_methods, reason = "the former desk lets go in real time")]
fn open(location: &Location, text: &str, correspondent: &Arc<dyn Correspondent>) -> BoxDesk {
    let config = desk_file(location, "");
    let deadline = server::clock::now() + Duration::from_secs(20);
    loop {
        let around = Around { correspondent: Some(Arc::clone(correspondent)), ..Around::default() };
        match Service::open_with(&config, scenario(text), text.as_bytes(), &Keys::default(), around) {
            Ok(service) => return BoxDesk::furnished(service),
            Err(error) if server::clock::now() > deadline => panic!("no desk opens: {error:?}"),
            Err(_) => std::thread::sleep(Duration::from_millis(20)),
        }
    }
}

/// The agent of the scenario; others propose from outside.
async fn asker(desk: &BoxDesk) -> String {
    let agents = desk.get(Role::Viewer, "/api/v1/agents").await.body;
    let inside = agents.as_array().into_iter().flatten().find(|agent| agent["inside"] == true);
    inside.and_then(|agent| agent["name"].as_str()).expect("an agent").to_owned()
}

async fn questions(desk: &BoxDesk) -> Vec<Value> {
    let name = asker(desk).await;
    let answer = desk.get(Role::Viewer, &format!("/api/v1/agents/{name}/questions")).await;
    assert_eq!(answer.status, StatusCode::OK, "{}", answer.body);
    answer.body.as_array().cloned().expect("a list")
}

async fn in_detail(desk: &BoxDesk, question: &Value) -> Value {
    let name = asker(desk).await;
    let path = format!("/api/v1/agents/{name}/questions/{}", question["seq"]);
    let answer = desk.get(Role::Viewer, &path).await;
    assert_eq!(answer.status, StatusCode::OK, "{}", answer.body);
    answer.body
}

#[test]
fn what_was_asked_and_answered_is_shown_and_survives() {
    on_each_location(|location| {
        let model = || {
            Arc::new(StandIn::new(Faults { invented_ids: 1_000, ..Faults::CAREFUL }, 1))
                as Arc<dyn Correspondent>
        };
        let desk = open(location, &asking(), &model());
        let before = block_on(async {
            desk.advance(200).await;
            assert!(!desk.pending().await.is_empty(), "nothing is recommended");
            let all = questions(&desk).await;
            let newest = all.iter().find(|one| one["state"] == "answered").expect("an answer");
            assert!(newest["calls"][0]["reply"]["promptTokens"].as_u64().is_some_and(|tokens| tokens > 0));
            assert!(newest["calls"][0]["messages"].is_null(), "a list is short");
            let asked_at = newest["at"].as_i64().expect("a moment");
            let took = newest["calls"][0]["reply"]["took"].as_i64().expect("a period");
            assert_eq!(newest["answeredAt"].as_i64(), Some(asked_at + took), "answers come in virtual time");
            let whole = in_detail(&desk, newest).await;
            assert!(
                whole["calls"][0]["messages"][1]["text"]
                    .as_str()
                    .is_some_and(|text| text.contains("clusters"))
            );
            assert!(whole["calls"][0]["reply"]["text"].is_string());
            let faulty =
                all.iter().any(|one| one["faults"].as_array().is_some_and(|faults| !faults.is_empty()));
            assert!(faulty, "the imitation made no faults: {all:?}");
            all
        });
        drop(desk);
        let desk = open(location, &asking(), &model());
        let after = block_on(async {
            let resumed = format!("{:?}", desk.service.resumed());
            assert!(resumed.starts_with("WentOn"), "{resumed}");
            questions(&desk).await
        });
        assert_eq!(before, after, "the run was taken again");
        Ok(())
    });
}

/// Remembers what it is told about the day.
#[derive(Default)]
struct Bookkeeper {
    before: AtomicU64,
}

impl Correspondent for Bookkeeper {
    fn reply(&self, call: &Call) -> Reply {
        StandIn::new(Faults::CAREFUL, 1).reply(call)
    }

    fn used_before(&self, today: Usage) {
        self.before.store(today.prompt_tokens, Ordering::SeqCst);
    }
}

#[test]
fn a_desk_that_is_opened_again_has_no_new_budget() {
    on_each_location(|location| {
        let text = asking();
        let keeper = Arc::new(Bookkeeper::default());
        let asked: Arc<dyn Correspondent> = Arc::clone(&keeper) as _;
        let desk = open(location, &text, &asked);
        let sent: u64 = block_on(async {
            desk.advance(200).await;
            let all = questions(&desk).await;
            let calls = all.iter().flat_map(|one| one["calls"].as_array().cloned().unwrap_or_default());
            calls.filter_map(|call| call["reply"]["promptTokens"].as_u64()).sum()
        });
        assert_eq!(keeper.before.load(Ordering::SeqCst), 0);
        drop(desk);
        drop(open(location, &text, &asked));
        assert!(sent > 0 && keeper.before.load(Ordering::SeqCst) == sent, "{sent}");
        Ok(())
    });
}

/// Never answers before somebody lets it.
struct Stuck {
    asked: AtomicU64,
}

impl Correspondent for Stuck {
    #[expect(clippy::disallowed_methods, reason = "it is slow on purpose")]
    fn reply(&self, call: &Call) -> Reply {
        if self.asked.fetch_add(1, Ordering::SeqCst) == 0 {
            std::thread::sleep(Duration::from_mins(10));
        }
        let told = Told::Failed { because: Failure::TimedOut, message: "it was too slow".to_owned() };
        Reply { role: call.role.clone(), told, took: Period::from_secs(1), usage: Usage::default() }
    }
}

#[test]
fn a_question_that_was_open_is_asked_again_after_a_restart() {
    on_each_location(|location| {
        let text = asking();
        let stuck = Arc::new(Stuck { asked: AtomicU64::new(0) });
        let asked: Arc<dyn Correspondent> = Arc::clone(&stuck) as _;
        let desk = open(location, &text, &asked);
        block_on(async {
            let body = serde_json::json!({ "order": "run" });
            desk.post(Role::Operator, "/api/v1/clock", body, &[]).await;
            wait_until(|| stuck.asked.load(Ordering::SeqCst) > 0).await;
            let all = questions(&desk).await;
            assert_eq!(all[0]["state"], "waiting", "{all:?}");
        });
        drop(desk);
        let desk = open(location, &text, &asked);
        block_on(async {
            wait_until(|| stuck.asked.load(Ordering::SeqCst) > 1).await;
            desk.advance(30).await;
            let all = questions(&desk).await;
            let first = all.last().expect("a question");
            assert_eq!(
                (&first["state"], &first["calls"][0]["reply"]["failure"]),
                (&"answered".into(), &"timed_out".into())
            );
            assert_eq!(first["decision"]["instead"]["by"], "planner", "{first}");
        });
        Ok(())
    });
}

async fn wait_until(done: impl Fn() -> bool) {
    let deadline = server::clock::now() + Duration::from_mins(1);
    while !done() {
        assert!(server::clock::now() < deadline, "it never happened");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

#[test]
fn a_desk_whose_agent_asks_nobody_does_not_open() {
    on_each_location(|location| {
        let text = asking();
        let config = desk_file(location, "");
        let around = Around::default();
        let refused = Service::open_with(&config, scenario(&text), text.as_bytes(), &Keys::default(), around);
        let Err(ServiceError::NobodyAnswers { agent }) = refused else { panic!("it opened") };
        assert!(!agent.is_empty());
        Ok(())
    });
}
