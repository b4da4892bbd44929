//! The whole program on real clusters, killed whenever a move has come a step further and started again; and two replicas of it, of which
//! one takes over in the middle of a move. Whatever happens, no replica is missing and nothing is done twice.

#![expect(clippy::print_stdout, reason = "clusters take their time; whoever waits sees how far they are")]

use super::real_clusters::{Counting, ready_in};
use super::{Desk, PEOPLE, Process, wait_for};
use serde_json::{Value, json};
use server::testing::postgres::{FreshDatabase, Server};
use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::time::Duration;
use testbed::{Bed, Plan, Workshop};

const REPLICAS: u64 = 4;

/// Beside the desk's file.
const SQLITE: &str = "sqlite:desk.db";

/// The exit code of a replica that does not lead any more.
const CONFLICT: i32 = 4;

/// Pods that take their time, so that a move has steps one can die at.
fn bed(name: &str, karmada: bool) -> Bed {
    let directory = std::env::temp_dir().join(format!("drover-{name}-{}", std::process::id()));
    let plan = Plan {
        nodes: 2,
        karmada,
        ready_after: Duration::from_secs(2),
        metrics_server: false,
        prometheus: false,
        ..Plan::default()
    };
    let workshop = Workshop::usual(|name| std::env::var_os(name));
    Bed::up(&plan, &directory, &workshop, &|line| println!("{line}")).unwrap()
}

const SCENARIO: &str = "
drover: scenario/v1
name: kills
duration: 24h
clusters:
  - { name: member1, pools: [{ name: default, nodes: 2, cpu: 8, memory: 32Gi }] }
  - { name: member2, pools: [{ name: default, nodes: 2, cpu: 8, memory: 32Gi }] }
observation: { every: 1s }
guardrails: { max_snapshot_age: 5m, cool_down: 0s }
agents: [{ name: watcher, when: { every: 60s }, decide: { strategy: hold } }]
";

/// What is different from desk to desk.
struct Site<'a> {
    name: &'a str,
    karmada: bool,
    storage: &'a str,
    /// Whether replicas compete for a lease.
    elects: bool,
}

/// A desk that is not open yet; everybody has a token, an agent included.
fn desk_on(bed: &Bed, site: &Site<'_>) -> Desk {
    let desk = Desk::closed(site.name);
    let access = |name: &str| format!("kubeconfig: {}, context: {name}", bed.kubeconfig().display());
    let mut more = String::new();
    if site.karmada {
        let _ = writeln!(more, "    karmada: {{ {} }}", access("karmada"));
    }
    if site.elects {
        let _ = writeln!(more, "    leader_election: {{ namespace: default, {} }}", access("member1"));
    }
    desk.scratch.write("scenario.yaml", SCENARIO);
    desk.scratch.write(
        "desk.yaml",
        format!(
            "drover: desk/v1\nstorage: {:?}\nreview: {{ mode: human, expires_after: 30m }}\nprediction: {{ enabled: false }}\n\
             world:\n  scenario: scenario.yaml\n  kubernetes:\n    act: true\n    members:\n\
             \x20     - {{ name: member1, {} }}\n      - {{ name: member2, {} }}\n{more}",
            site.storage,
            access("member1"),
            access("member2"),
        ),
    );
    let others = if site.storage == SQLITE { &[][..] } else { &PEOPLE[..] };
    for (person, role) in others.iter().chain(&[("robot", "agent")]) {
        let arguments = ["token", "create", "--config", "desk.yaml", "--name", person, "--role", role];
        desk.scratch.write_private(&format!("{person}.token"), &desk.scratch.succeed(&arguments).text);
    }
    desk
}

fn deployment() -> Value {
    let labels = json!({ "app": "web" });
    let container = json!({ "name": "web", "image": "web",
        "resources": { "requests": { "cpu": "500m", "memory": "256Mi" } } });
    json!({ "apiVersion": "apps/v1", "kind": "Deployment", "metadata": { "name": "web", "namespace": "default" },
        "spec": { "replicas": REPLICAS, "selector": { "matchLabels": labels },
            "template": { "metadata": { "labels": labels }, "spec": { "containers": [container] } } } })
}

const DEPLOYMENTS: &str = "/apis/apps/v1/namespaces/default/deployments";
const POLICIES: &str = "/apis/policy.karmada.io/v1alpha1/namespaces/default/propagationpolicies";

/// Puts it into the first member, through Karmada where there is one.
fn place(bed: &Bed) {
    let server = bed.karmada().unwrap_or(&bed.members()[0]).api();
    if bed.karmada().is_some() {
        let policy = json!({ "apiVersion": "policy.karmada.io/v1alpha1", "kind": "PropagationPolicy",
            "metadata": { "name": "web", "namespace": "default" },
            "spec": { "resourceSelectors": [{ "apiVersion": "apps/v1", "kind": "Deployment" }],
                "placement": { "clusterAffinity": { "clusterNames": ["member1"] } } } });
        server.create(POLICIES, &policy).unwrap();
    }
    server.create(DEPLOYMENTS, &deployment()).unwrap();
    wait_for("it being ready", || (ready_in(&bed.members()[0], "web") == Some(REPLICAS)).then_some(()));
}

/// Somebody who talks to whichever replica answers.
struct Voice {
    agent: ureq::Agent,
    token: String,
}

impl Voice {
    fn of(desk: &Desk, person: &str) -> Self {
        let config = ureq::Agent::config_builder()
            .http_status_as_error(false)
            .timeout_global(Some(Duration::from_secs(20)))
            .build();
        let token = String::from_utf8(desk.scratch.read(&format!("{person}.token"))).unwrap();
        Self { agent: config.into(), token: token.trim().to_owned() }
    }

    /// Nothing from somebody who is dead or not at work.
    fn get(&self, address: &str, path: &str) -> Option<Value> {
        let request = self.agent.get(format!("{address}/api/v1{path}"));
        let mut answer = request.header("authorization", format!("Bearer {}", self.token)).call().ok()?;
        let text = answer.body_mut().read_to_string().ok()?;
        (answer.status().as_u16() == 200).then(|| serde_json::from_str(&text).ok())?
    }

    fn propose(&self, address: &str) -> Option<String> {
        let action = json!({ "kind": "migrate", "workload": "default/web", "from": "member1", "to": "member2", "replicas": REPLICAS });
        let body = json!({ "drafts": [{ "action": action, "reason": "There is more room." }] });
        let request = self.agent.post(format!("{address}/api/v1/recommendations"));
        let request = request.header("authorization", format!("Bearer {}", self.token));
        let mut answer = request.header("content-type", "application/json").send(body.to_string()).ok()?;
        let said: Value = serde_json::from_str(&answer.body_mut().read_to_string().ok()?).ok()?;
        said["results"][0]["id"].as_str().map(str::to_owned)
    }
}

/// A move that was approved, and somebody who counts replicas all the while.
struct Move {
    id: String,
    voice: Voice,
    counting: Counting,
    /// Every object that was seen to be made for it, by identity.
    uids: BTreeSet<String>,
}

impl Move {
    fn begin(desk: &Desk, bed: &Bed) -> Self {
        let (voice, robot) = (Voice::of(desk, "vera"), Voice::of(desk, "robot"));
        let id = wait_for("a proposal that is accepted", || robot.propose(&desk.address));
        let counting = Counting::of(bed, "web");
        wait_for("an approval that counts", || {
            let hash = desk.plan_hash(&id);
            (desk.ask("otto", &["rec", "approve", &id, "--plan-hash", &hash]).code == Some(0)).then_some(())
        });
        Self { id, voice, counting, uids: BTreeSet::new() }
    }

    /// The steps so far, and whether it is over; nothing while nobody answers.
    fn steps(&self, address: &str) -> Option<(Vec<String>, bool)> {
        let found = self.voice.get(address, &format!("/executions/{}", self.id))?;
        let steps = found["steps"].as_array()?.iter();
        let names = steps.filter_map(|step| step["step"].as_str().map(str::to_owned)).collect();
        Some((names, !found["endedAt"].is_null()))
    }

    /// What was made for the move, by identity: a second one would be another.
    fn note(&mut self, bed: &Bed) {
        let made = match bed.karmada() {
            Some(karmada) => karmada.api().find(&format!("{POLICIES}/drover-deployment-web")),
            None => bed.members()[1].api().find(&format!("{DEPLOYMENTS}/web")),
        };
        if let Ok(Some(object)) = made {
            self.uids.extend(object["metadata"]["uid"].as_str().map(str::to_owned));
        }
    }

    /// It is in the target, nobody missed it, and everything was done once.
    fn end(mut self, desk: &Desk, bed: &Bed) {
        self.note(bed);
        let shown = self.voice.get(&desk.address, &format!("/recommendations/{}", self.id)).unwrap();
        assert_eq!(shown["stage"], "applied", "{shown}");
        assert_eq!(ready_in(&bed.members()[1], "web"), Some(REPLICAS));
        assert_eq!(self.counting.end(), REPLICAS, "it was always whole");
        assert_eq!(self.uids.len(), 1, "one was made, and never again: {:?}", self.uids);
        let source = bed.members()[0].api().find(&format!("{DEPLOYMENTS}/web")).unwrap();
        assert!(source.is_none_or(|source| source["spec"]["replicas"] == 0), "the source is gone or empty");
        let applied = desk.json("udo", &["audit", "list", "--kind", "applied"]);
        let mine = applied["items"].as_array().unwrap().iter().filter(|item| item["subject"] == *self.id);
        assert_eq!(mine.count(), 1, "its end was seen once: {applied}");
        assert!(desk.done("udo", &["audit", "verify"]).starts_with("intact"));
    }
}

/// How many replicas each member is asked for: in parts, a move comes further without a new step.
fn wanted(bed: &Bed) -> Vec<u64> {
    let asked = |found: Option<Value>| found.and_then(|object| object["spec"]["replicas"].as_u64());
    let members = bed.members().iter();
    members
        .map(|member| asked(member.api().find(&format!("{DEPLOYMENTS}/web")).ok().flatten()).unwrap_or(0))
        .collect()
}

/// Kills the program whenever the move has come further, until it is over.
fn killed_at_every_step(karmada: bool) {
    let name = if karmada { "killed" } else { "killed-copying" };
    let bed = bed(name, karmada);
    place(&bed);
    let mut desk = desk_on(&bed, &Site { name, karmada, storage: SQLITE, elects: false });
    desk.start("127.0.0.1:0");
    let place = desk.place();
    let mut moving = Move::begin(&desk, &bed);
    let mut died_at = BTreeSet::new();
    loop {
        let (steps, over) = wait_for("the move coming further", || {
            moving.note(&bed);
            let (steps, over) = moving.steps(&desk.address)?;
            let at = (steps.len(), wanted(&bed));
            (over || died_at.insert(at)).then_some((steps, over))
        });
        if over {
            break;
        }
        println!("killed at {:?} with {:?}", steps.last(), wanted(&bed));
        desk.kill();
        desk.start(&place);
    }
    let kills = died_at.len();
    assert!(kills >= 4, "it was killed only {kills} times");
    moving.end(&desk, &bed);
    bed.down().unwrap();
}

#[test]
fn a_program_that_dies_at_every_step_of_a_move_loses_nothing_and_repeats_nothing() {
    killed_at_every_step(true);
}

#[test]
fn a_program_that_dies_at_every_step_of_a_move_in_parts_loses_nothing_and_repeats_nothing() {
    killed_at_every_step(false);
}

/// Another replica of the same desk, in the same folder: the data is one.
fn replica(desk: &Desk, name: &str) -> (Process, String) {
    let arguments = ["serve", "--config", "desk.yaml", "--listen", "127.0.0.1:0", "--ready-file", name];
    let log = std::fs::File::create(desk.scratch.path(&format!("{name}.log"))).unwrap();
    let mut command = desk.scratch.command(&arguments);
    let process = Process::start(command.stdout(log.try_clone().unwrap()).stderr(log));
    let ready = desk.scratch.path(name);
    let address = wait_for("another replica", || std::fs::read_to_string(&ready).ok());
    (process, address.trim().to_owned())
}

#[test]
fn a_replica_that_takes_over_in_the_middle_of_a_move_finishes_it_once() {
    let bed = bed("taken-over", false);
    place(&bed);
    let mut desk = desk_on(&bed, &Site { name: "taken over", karmada: false, storage: SQLITE, elects: true });
    desk.start("127.0.0.1:0");
    let mut moving = Move::begin(&desk, &bed);
    let (_second, other) = replica(&desk, "second");
    let begun = wait_for("an order that was taken", || {
        moving.steps(&desk.address).filter(|(steps, _)| steps.len() >= 2)
    });
    assert!(!begun.1, "it was over before anybody could take over");
    // Only one of them works, and what stands by carries out nothing and answers nothing.
    assert!(moving.steps(&other).is_none());
    moving.note(&bed);
    desk.kill();
    desk.address = other;
    wait_for("the end of the move", || moving.steps(&desk.address).filter(|(_, over)| *over));
    moving.end(&desk, &bed);
    bed.down().unwrap();
}

/// Whoever holds the lease.
fn holder(bed: &Bed) -> Option<String> {
    let lease = bed.members()[0].api().get("/apis/coordination.k8s.io/v1/namespaces/default/leases/drover");
    lease.ok()?["spec"]["holderIdentity"].as_str().map(str::to_owned)
}

#[test]
fn a_replica_that_wakes_up_after_another_was_elected_does_nothing_more() {
    let bed = bed("outlived", false);
    place(&bed);
    let database = FreshDatabase::new();
    let storage = Server::running().url(database.name());
    let mut desk = desk_on(&bed, &Site { name: "outlived", karmada: false, storage: &storage, elects: true });
    desk.start("127.0.0.1:0");
    let mut moving = Move::begin(&desk, &bed);
    let (_second, other) = replica(&desk, "second");
    wait_for("an order that was taken", || moving.steps(&desk.address).filter(|(steps, _)| steps.len() >= 2));
    // It stands still as a machine does that swaps or sleeps, until its lease is over; then it goes on as if nothing had been.
    let first = holder(&bed).unwrap();
    desk.process().signal("STOP");
    wait_for("another holder of the lease", || holder(&bed).filter(|now| *now != first && !now.is_empty()));
    moving.note(&bed);
    desk.process().signal("CONT");
    let ended = desk.process().end("the end of whoever was outlived");
    assert_eq!(ended.code(), Some(CONFLICT), "{}", desk.log());
    desk.address = other;
    wait_for("the end of the move", || moving.steps(&desk.address).filter(|(_, over)| *over));
    moving.end(&desk, &bed);
    bed.down().unwrap();
}
