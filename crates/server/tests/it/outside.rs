//! A desk on clusters that go on by themselves. A simulated federation stands in for them: it lives outside the desk, in real time, and
//! survives it.

use crate::box_desk::{BoxDesk, block_on, scenario};
use crate::prometheus;
use axum::http::StatusCode;
use control::review_desk::Approved;
use control::world::{Applied, Effect, Input, Objection, Outside, Rehearsal, World};
use model::action::Action;
use model::execution::Progress;
use model::recommendation::RecommendationId;
use model::time::Timestamp;
use serde_json::json;
use server::access::Role;
use server::config::{self, DeskConfig};
use server::office::Resumed;
use server::service::{Around, Keys, Service};
use server::storage::Location;
use server::testing::on_each_location;
use simulator::world::SimulatedWorld;
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// Six pods in a cluster for four; somebody looks every second, and a move takes some.
const SCENARIO: &str = "
drover: scenario/v1
name: elsewhere
duration: 10m
clusters:
  - { name: one, pools: [{ nodes: 1, cpu: 4, memory: 16Gi, price_per_hour: 0.1 }] }
  - { name: two, pools: [{ nodes: 1, cpu: 8, memory: 32Gi, price_per_hour: 0.1 }] }
workloads:
  - { name: web, cluster: one, replicas: 3, cpu: 1, memory: 1Gi }
  - { name: shop, cluster: one, replicas: 3, cpu: 1, memory: 1Gi }
pods: { start_time: 2s, stop_time: 1s }
observation: { every: 1s }
agents:
  - { name: keep-headroom, when: { every: 1s }, observe: { lookback: 1s }, decide: { strategy: planner } }
";

const PEOPLE: &str = "review: { mode: human }\n";
const GRANTED: &str = "review: { mode: auto, limits: { highest_risk: high, per_hour: 1000 } }\n";

/// Nothing here takes longer than some seconds.
const PATIENCE: Duration = Duration::from_secs(30);

/// Clusters that are there whether a desk is or not.
#[derive(Clone)]
struct Elsewhere(Arc<Mutex<Inside>>);

struct Inside {
    world: SimulatedWorld,
    began: std::time::Instant,
    /// Actions that were begun, each time they were.
    orders: Vec<RecommendationId>,
    taken_up: Vec<RecommendationId>,
    rehearsed: Vec<Action>,
    /// What they would say to any action.
    objection: Option<Objection>,
    /// What nobody was there to hear.
    unheard: Vec<Input>,
    /// Whether they cannot be reached: nothing is heard of them, and they hear nothing.
    away: bool,
}

impl Elsewhere {
    fn new() -> Self {
        let read = scenario(SCENARIO);
        let mut reviewer = read.reviewer;
        reviewer.present = false;
        let world = SimulatedWorld::new(Arc::new(read.world), reviewer, 1);
        let began = server::clock::now();
        Self(Arc::new(Mutex::new(Inside {
            world,
            began,
            orders: Vec::new(),
            taken_up: Vec::new(),
            rehearsed: Vec::new(),
            objection: None,
            unheard: Vec::new(),
            away: false,
        })))
    }

    fn look<T>(&self, look: impl FnOnce(&mut Inside) -> T) -> T {
        look(&mut self.0.lock().expect("nobody panics here"))
    }
}

impl Inside {
    /// What has happened there by now.
    fn next(&mut self) -> Option<Input> {
        if self.away {
            return None;
        }
        if let Some(input) = self.unheard.pop() {
            return Some(input);
        }
        let by_now = Timestamp(self.began.elapsed().as_millis() as u64).max(self.world.now());
        let Ok(Some((_, input))) = self.world.next_input(by_now) else { return None };
        (!matches!(input, Input::WakeUp)).then_some(input)
    }
}

impl Outside for Elsewhere {
    fn poll(&mut self, now: Timestamp) -> Option<Input> {
        let input = self.look(Inside::next)?;
        Some(match input {
            // Whoever observes says when that was, in the time of the run.
            Input::Observed(seen) => {
                let mut seen = (*seen).clone();
                seen.taken_at = now;
                Input::Observed(Arc::new(seen))
            }
            other => other,
        })
    }

    fn start(&mut self, _: Timestamp, effect: &Effect) {
        self.look(|inside| {
            if let Effect::Apply(approved) = effect {
                inside.orders.push(approved.recommendation().id);
            }
            if !inside.away && matches!(effect, Effect::Observe | Effect::Apply(_) | Effect::Abort { .. }) {
                let Ok(()) = inside.world.start(effect.clone());
            }
        });
    }

    fn take_up(&mut self, _: Timestamp, approved: &Approved, _: &Progress) {
        let id = approved.recommendation().id;
        self.look(|inside| {
            inside.taken_up.push(id);
            // It ended while nobody was there.
            if inside.world.progress(id).is_some_and(Progress::is_over) {
                inside.unheard.push(Input::Applied { id, outcome: Applied::Done });
            }
        });
    }

    fn progress(&self) -> Vec<Progress> {
        self.look(|inside| inside.world.progress_of_all().cloned().collect())
    }

    fn rehearsal(&self) -> Option<Arc<dyn Rehearsal>> {
        Some(Arc::new(self.clone()))
    }
}

impl Rehearsal for Elsewhere {
    fn rehearse(&self, action: &Action) -> Result<(), Objection> {
        self.look(|inside| {
            inside.rehearsed.push(action.clone());
            inside.objection.clone().map_or(Ok(()), Err)
        })
    }
}

/// The file of a desk that acts there. `more` says at least who answers.
fn desk_file(location: &Location, more: &str) -> DeskConfig {
    let text = format!(
        "drover: desk/v1\nlisten: 127.0.0.1:0\n{more}world:\n  scenario: elsewhere.yaml\n  \
         kubernetes: {{ act: true, members: [{{ name: one }}, {{ name: two }}] }}\n"
    );
    let read = config::read("desk.yaml", text.as_bytes());
    DeskConfig { storage: location.clone(), ..read.unwrap_or_else(|problems| panic!("{problems:?}")) }
}

/// A desk at which people answer.
fn open(location: &Location, clusters: &Elsewhere) -> BoxDesk {
    open_with(location, clusters, PEOPLE)
}

/// A desk on those clusters. One that was dropped lets its database go within moments.
#[expect(clippy::disallowed_methods, reason = "the former desk lets go in real time")]
fn open_with(location: &Location, clusters: &Elsewhere, more: &str) -> BoxDesk {
    let (config, deadline) = (desk_file(location, more), server::clock::now() + PATIENCE);
    loop {
        let real: Box<dyn Outside> = Box::new(clusters.clone());
        let text = SCENARIO.as_bytes();
        match Service::open_with(&config, scenario(SCENARIO), text, &Keys::default(), Around::clusters(real))
        {
            Ok(service) => return BoxDesk::furnished(service),
            Err(error) if server::clock::now() > deadline => panic!("no desk opens: {error:?}"),
            Err(_) => std::thread::sleep(Duration::from_millis(20)),
        }
    }
}

/// Looks again and again until something is seen.
async fn eventually<T>(what: &str, mut look: impl AsyncFnMut() -> Option<T>) -> T {
    let deadline = server::clock::now() + PATIENCE;
    loop {
        if let Some(seen) = look().await {
            return seen;
        }
        assert!(server::clock::now() < deadline, "{what} was not seen in {PATIENCE:?}");
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}

/// The first recommendation that waits with its prediction, approved.
async fn approve_one(desk: &BoxDesk) -> String {
    let id = eventually("a recommendation with a prediction", async || {
        let first = desk.pending().await.into_iter().next()?;
        first["isPredicted"].as_bool()?.then(|| first["id"].as_str().unwrap_or_default().to_owned())
    });
    let id = id.await;
    // Another prediction may come between reading and answering; then it is read again, as a person would.
    eventually("an approval", async || {
        let answer = desk.decide(desk.secret(Role::Operator), &id, json!({ "verdict": "approve" })).await;
        if answer.status == StatusCode::PRECONDITION_FAILED {
            return None;
        }
        assert_eq!(answer.status, StatusCode::OK, "{}", answer.body);
        Some(())
    })
    .await;
    id
}

async fn stage_of(desk: &BoxDesk, id: &str) -> String {
    let seen = desk.get(Role::Viewer, &format!("/api/v1/recommendations/{id}")).await.body;
    seen["stage"].as_str().unwrap_or_default().to_owned()
}

async fn see_applied(desk: &BoxDesk, id: &str) {
    eventually("the end of the move", async || (stage_of(desk, id).await == "applied").then_some(())).await;
}

#[test]
fn people_approve_what_real_clusters_then_do() {
    on_each_location(|location| {
        let clusters = Elsewhere::new();
        let desk = open(location, &clusters);
        block_on(async {
            let id = approve_one(&desk).await;
            see_applied(&desk, &id).await;
            let status = desk.get(Role::Viewer, "/api/v1/status").await.body;
            assert_eq!(status["world"], "real", "{status}");
            let stopped = desk.post(Role::Operator, "/api/v1/clock", json!({ "order": "pause" }), &[]).await;
            assert_eq!(stopped.status, StatusCode::CONFLICT, "{}", stopped.body);
            let steps =
                desk.get(Role::Auditor, &format!("/api/v1/audit?kind=progress&subject={id}")).await.body;
            assert!(steps["total"].as_i64() >= Some(4), "{steps}");
            let record = desk.get(Role::Auditor, "/api/v1/audit/verification").await.body;
            assert_eq!(record["intact"], true, "{record}");
        });
        Ok(())
    });
}

/// Such clusters have their own kube-state-metrics, so a desk shows no more of them than it has seen.
#[test]
fn what_was_seen_of_real_clusters_is_shown_as_numbers() {
    on_each_location(|location| {
        let desk = open(location, &Elsewhere::new());
        block_on(async {
            let samples = eventually("workloads on the page", async || {
                let page = desk.get(Role::Agent, "/metrics").await;
                let samples = prometheus::read(page.body.as_str().expect("text"));
                let samples = samples.unwrap_or_else(|problem| panic!("{problem}"));
                samples.keys().any(|(name, _)| name == "kube_deployment_spec_replicas").then_some(samples)
            })
            .await;
            let is = |name: &str, labels: &[(&str, &str)], expected: Option<f64>| {
                assert_eq!(prometheus::value(&samples, name, labels), expected, "{name} {labels:?}");
            };
            is("kube_deployment_spec_replicas", &[("deployment", "web"), ("cluster", "one")], Some(3.0));
            is("kube_node_info", &[], Some(2.0));
            is("kube_node_status_allocatable", &[("cluster", "two"), ("resource", "cpu")], Some(8.0));
            is("drover_node_schedulable", &[("cluster", "two")], Some(1.0));
            is("kube_node_spec_unschedulable", &[], None);
            is("kube_pod_info", &[], None);
        });
        Ok(())
    });
}

#[test]
fn what_was_predicted_is_judged_by_what_is_seen() {
    on_each_location(|location| {
        let clusters = Elsewhere::new();
        let more = format!("{PEOPLE}prediction: {{ horizon: 4s, seeds: 2 }}\n");
        let desk = open_with(location, &clusters, &more);
        block_on(async {
            let id = approve_one(&desk).await;
            see_applied(&desk, &id).await;
            let score = eventually("a score", async || {
                let execution = desk.get(Role::Viewer, &format!("/api/v1/executions/{id}")).await.body;
                execution["score"].is_object().then(|| execution["score"].clone())
            });
            let score = score.await;
            let measured: Vec<&str> = score["observations"]
                .as_array()
                .into_iter()
                .flatten()
                .filter_map(|one| one["measure"].as_str())
                .collect();
            assert!(measured.contains(&"cpu_load") && measured.contains(&"pending_pods"), "{score}");
            assert!(!measured.contains(&"stopped_pods"), "nobody sees them: {score}");
            assert_eq!((&score["complete"], &score["of"][0]), (&json!(true), &json!(id)), "{score}");
        });
        Ok(())
    });
}

#[test]
fn a_desk_that_was_killed_goes_on_where_the_clusters_are() {
    on_each_location(|location| {
        let clusters = Elsewhere::new();
        let desk = open(location, &clusters);
        let id = block_on(approve_one(&desk));
        drop(desk);
        let desk = open(location, &clusters);
        assert!(matches!(desk.service.resumed(), Resumed::WentOn { steps } if *steps > 0));
        block_on(see_applied(&desk, &id));
        let number: RecommendationId = id.parse().expect("an id");
        clusters.look(|inside| {
            assert_eq!(inside.orders.iter().filter(|one| **one == number).count(), 1, "it was ordered once");
            assert_eq!(inside.taken_up, [number]);
        });
        Ok(())
    });
}

#[test]
fn what_a_person_stopped_stays_stopped_when_the_desk_is_killed() {
    on_each_location(|location| {
        let clusters = Elsewhere::new();
        let desk = open(location, &clusters);
        let id = block_on(approve_one(&desk));
        clusters.look(|inside| inside.away = true);
        let stop = format!("/api/v1/executions/{id}/abort");
        let answer = block_on(desk.post(Role::Operator, &stop, json!({ "reason": "not now" }), &[]));
        assert!(answer.status.is_success(), "{}", answer.body);
        drop(desk);
        clusters.look(|inside| inside.away = false);
        let desk = open(location, &clusters);
        let end = block_on(eventually("an end", async || {
            Some(stage_of(&desk, &id).await).filter(|stage| stage != "applying")
        }));
        assert_eq!(end, "rolled_back");
        Ok(())
    });
}

#[test]
fn what_the_clusters_would_refuse_cannot_be_approved() {
    on_each_location(|location| {
        let clusters = Elsewhere::new();
        let desk = open(location, &clusters);
        block_on(async {
            let id = eventually("a recommendation with a prediction", async || {
                let first = desk.pending().await.into_iter().next()?;
                first["isPredicted"].as_bool()?.then(|| first["id"].as_str().unwrap_or_default().to_owned())
            })
            .await;
            let approve =
                async || desk.decide(desk.secret(Role::Operator), &id, json!({ "verdict": "approve" })).await;
            let reason = "apply Deployment web: policies are made in the repository (422)".to_owned();
            clusters.look(|inside| inside.objection = Some(Objection::Refused { reason: reason.clone() }));
            let answer = approve().await;
            assert_eq!(
                (answer.status, &answer.body["code"]),
                (StatusCode::CONFLICT, &json!("cluster-refused"))
            );
            assert!(
                answer.body["detail"].as_str().is_some_and(|text| text.contains(&reason)),
                "{}",
                answer.body
            );
            let preview = desk.post(Role::Operator, "/api/v1/previews", json!({ "ids": [id] }), &[]).await;
            assert_eq!(preview.body["objections"], json!([format!("{id} would be refused: {reason}")]));
            let silent = Objection::NoAnswer { reason: "no answer within 15 s".to_owned() };
            clusters.look(|inside| inside.objection = Some(silent));
            assert_eq!(approve().await.status, StatusCode::SERVICE_UNAVAILABLE);
            assert_eq!(stage_of(&desk, &id).await, "pending", "nothing was decided");
            clusters.look(|inside| {
                inside.objection = None;
                assert!(inside.orders.is_empty(), "nothing was begun");
            });
            assert_eq!(approve().await.status, StatusCode::OK);
            see_applied(&desk, &id).await;
            assert_eq!(clusters.look(|inside| inside.rehearsed.len()), 4);
        });
        Ok(())
    });
}

/// The number of observations that are in the record, and the names of the first and the last.
async fn observations(desk: &BoxDesk) -> (i64, String, String) {
    let look = async |ascending: bool| {
        let path = format!("/api/v1/audit?kind=observed&ascending={ascending}&limit=1");
        desk.get(Role::Auditor, &path).await.body
    };
    let name = |page: &serde_json::Value| {
        page["items"][0]["body"]["input"]["snapshot"].as_str().unwrap_or_default().to_owned()
    };
    let (first, last) = (look(true).await, look(false).await);
    (last["total"].as_i64().unwrap_or_default(), name(&first), name(&last))
}

/// How many steps of the run were taken again.
fn steps_again(desk: &BoxDesk) -> u64 {
    match desk.service.resumed() {
        Resumed::WentOn { steps } => *steps,
        other => panic!("the run did not go on: {other:?}"),
    }
}

#[test]
fn old_observations_of_real_clusters_go_and_the_run_goes_on_without_them() {
    on_each_location(|location| {
        let clusters = Elsewhere::new();
        let more = format!("{PEOPLE}retention: {{ snapshots: 0s }}\n");
        let open = || open_with(location, &clusters, &more);
        let desk = open();
        let id = block_on(async {
            eventually("some observations", async || (observations(&desk).await.0 > 3).then_some(())).await;
            let freeze = json!({ "scope": "workload", "name": "default/nobody", "reason": "a test" });
            let frozen = desk.post(Role::Operator, "/api/v1/freezes", freeze, &[]).await;
            assert_eq!(frozen.status, StatusCode::CREATED, "{}", frozen.body);
            approve_one(&desk).await
        });
        drop(desk);
        let all = steps_again(&open());
        let desk = open();
        assert!(steps_again(&desk) < all, "it went on from what was known when it was opened before");
        let number: RecommendationId = id.parse().expect("an id");
        block_on(async {
            see_applied(&desk, &id).await;
            let (_, first, last) = observations(&desk).await;
            let kept = async |name: &str| desk.get(Role::Viewer, &format!("/api/v1/snapshots/{name}")).await;
            assert_eq!(kept(&first).await.status, StatusCode::NOT_FOUND, "it is as old as can be");
            assert_eq!(kept(&last).await.status, StatusCode::OK);
            let freezes = desk.get(Role::Viewer, "/api/v1/freezes").await.body;
            assert_eq!(freezes[0]["reason"], "a test", "{freezes}");
            let history = desk.get(Role::Viewer, "/api/v1/history").await.body;
            assert!(history["at"].as_array().is_some_and(|moments| !moments.is_empty()), "{history}");
            let record = desk.get(Role::Auditor, "/api/v1/audit/verification").await.body;
            assert_eq!(record["intact"], true, "{record}");
        });
        clusters.look(|inside| {
            assert_eq!(inside.orders, [number], "it was ordered once");
            assert!(inside.taken_up.iter().all(|one| *one == number), "{:?}", inside.taken_up);
        });
        Ok(())
    });
}

/// A desk that is opened writes down what is known; the next one goes on from there, with what was begun before it.
#[test]
fn what_was_being_measured_is_judged_although_the_desk_was_killed() {
    on_each_location(|location| {
        let clusters = Elsewhere::new();
        let more = format!("{PEOPLE}prediction: {{ horizon: 8s, seeds: 2 }}\n");
        let open = || open_with(location, &clusters, &more);
        // The first life is long, so that the second one, however slow the machine, writes less down.
        let desk = open();
        block_on(eventually("some observations", async || (observations(&desk).await.0 > 8).then_some(())));
        let id = block_on(approve_one(&desk));
        drop(desk);
        let all = steps_again(&open());
        let desk = open();
        assert!(steps_again(&desk) < all, "it went on from what was known when it was opened before");
        let score = block_on(eventually("a score", async || {
            let execution = desk.get(Role::Viewer, &format!("/api/v1/executions/{id}")).await.body;
            execution["score"].is_object().then(|| execution["score"].clone())
        }));
        assert_eq!((&score["complete"], &score["of"][0]), (&json!(true), &json!(id)), "{score}");
        let lasted = score["to"].as_i64().zip(score["from"].as_i64()).map(|(to, from)| to - from);
        assert_eq!(lasted, Some(8_000), "{score}");
        Ok(())
    });
}

#[test]
fn what_another_run_left_under_way_is_named() {
    on_each_location(|location| {
        let clusters = Elsewhere::new();
        let desk = open_with(location, &clusters, PEOPLE);
        let id = block_on(approve_one(&desk));
        drop(desk);
        let desk = open_with(location, &clusters, "review: { mode: observe }\n");
        block_on(async {
            let told = desk.get(Role::Auditor, "/api/v1/audit?kind=inherited").await.body;
            let left = told["items"][0]["body"]["input"]["inherited"]["left"][0].as_str().unwrap_or_default();
            assert!(left.starts_with(&format!("{id}: ")), "{told}");
        });
        Ok(())
    });
}

#[test]
fn what_is_known_counts_only_as_the_record_says() {
    on_each_location(|location| {
        let clusters = Elsewhere::new();
        let more = format!("{PEOPLE}retention: {{ snapshots: 0s }}\n");
        let open = || open_with(location, &clusters, &more);
        let desk = open();
        block_on(eventually("some observations", async || (observations(&desk).await.0 > 3).then_some(())));
        drop(desk);
        let desk = open();
        let forge = "UPDATE checkpoints SET body = REPLACE(body, '\"next_id\":', '\"next_id\":7')";
        let changed = desk.service.database().write(|transaction| transaction.execute(forge, &[]))?;
        assert_eq!(changed, 1);
        drop(desk);
        let desk = open();
        assert!(!matches!(desk.service.resumed(), Resumed::WentOn { .. }), "{:?}", desk.service.resumed());
        Ok(())
    });
}

#[test]
fn what_a_rule_approves_is_asked_about_before_it_is_begun() {
    on_each_location(|location| {
        let clusters = Elsewhere::new();
        let reason = "policies are made in the repository (422)".to_owned();
        clusters.look(|inside| inside.objection = Some(Objection::Refused { reason: reason.clone() }));
        let desk = open_with(location, &clusters, GRANTED);
        block_on(async {
            let ended = async |stage: &str| {
                let path = format!("/api/v1/recommendations?stage={stage}&limit=1&sort=raised_at");
                let page = desk.get(Role::Viewer, &path).await.body;
                page["items"][0]["id"].as_str().map(str::to_owned)
            };
            let failed = eventually("a plan that fails", async || ended("failed").await).await;
            let entries = desk.get(Role::Auditor, &format!("/api/v1/audit?subject={failed}")).await.body;
            assert!(entries.to_string().contains(&reason), "{entries}");
            clusters.look(|inside| {
                assert!(inside.orders.is_empty(), "nothing was begun");
                assert!(!inside.rehearsed.is_empty());
            });
        });
        Ok(())
    });
}

#[test]
fn what_a_rule_approves_is_begun_if_nobody_objects() {
    on_each_location(|location| {
        let clusters = Elsewhere::new();
        let desk = open_with(location, &clusters, GRANTED);
        block_on(eventually("the end of a plan", async || {
            let page = desk.get(Role::Viewer, "/api/v1/recommendations?stage=applied&limit=1").await.body;
            page["items"][0]["id"].as_str().map(drop)
        }));
        clusters.look(|inside| assert_eq!(inside.orders.len(), inside.rehearsed.len()));
        Ok(())
    });
}
