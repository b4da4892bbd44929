//! The three waves on real clusters, and the same waves simulated beside them: the broker brings them, an agent recommends, an operator
//! approves over the API, Karmada moves, every ready replica is watched, and what happened is laid over what was simulated.

#![expect(clippy::print_stdout, reason = "clusters take their time; whoever waits sees how far they are")]

use super::real_clusters::bed;
use super::{Desk, Process, wait_for};
use crate::support::repository;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::sync::{Arc, Mutex};
use std::time::Duration;
use testbed::{Bed, Change, Watch};

const DEPLOYMENTS: &str = "/apis/apps/v1/namespaces/default/deployments";

/// Replicas of every workload, and the fewest that may ever be ready once they all were.
const REPLICAS: u64 = 2;

/// The most that both sides may be apart, in percent of the capacity and of all pods, weighted by time.
const WITHIN: f64 = 1.0;

/// A desk takes a source away only if the target is seen to be ready at two looks that are apart. The simulation needs no second look.
const SECOND_LOOK: i64 = 2_500;

/// What a workload requests in all, what a member has, and how many pods there are.
const CORES: f64 = 2.0;
const CAPACITY: f64 = 15.3;
const PODS: f64 = 20.0;

/// When the waves come, how often it is looked and decided, and after how long somebody answers; in seconds.
#[derive(Clone, Copy)]
struct Pace {
    second: u64,
    third: u64,
    duration: u64,
    observe: u64,
    decide: u64,
    answer: u64,
}

/// Fast enough for a test.
const HURRIED: Pace = Pace { second: 25, third: 50, duration: 100, observe: 5, decide: 20, answer: 3 };

/// As the scenario is shipped; the answer comes after the middle of its reviewer's delay.
const WHOLE: Pace = Pace { second: 70, third: 130, duration: 240, observe: 30, decide: 60, answer: 10 };

/// The shipped scenario at another pace. The bed has no cluster autoscaler, so it has none here either.
fn scenario(pace: Pace) -> String {
    let text = std::fs::read_to_string(repository().join("scenarios/three-waves.yaml")).unwrap();
    let Pace { second, third, duration, observe, decide, answer } = pace;
    text.replace("at: 70s", &format!("at: {second}s"))
        .replace("at: 130s", &format!("at: {third}s"))
        .replace("duration: 240s", &format!("duration: {duration}s"))
        .replace("observation: { every: 30s }", &format!("observation: {{ every: {observe}s }}"))
        .replace("when: { every: 60s }", &format!("when: {{ every: {decide}s }}"))
        .replace("delay: 5s..15s", &format!("delay: {answer}s"))
        .replace(", maximum: 20, boot_time: 5s", "")
        .replace("    autoscaler: {}\n", "")
}

fn desk_file(bed: &Bed) -> String {
    let access = |name: &str| format!("kubeconfig: {}, context: {name}", bed.kubeconfig().display());
    format!(
        "drover: desk/v1\nstorage: sqlite:desk.db\nreview: {{ mode: human, expires_after: 10m }}\n\
         prediction: {{ enabled: false }}\nworld:\n  scenario: waves.yaml\n  kubernetes:\n    act: true\n    members:\n\
         \x20     - {{ name: member1, {} }}\n      - {{ name: member2, {} }}\n    karmada: {{ {} }}\n",
        access("member1"),
        access("member2"),
        access("karmada"),
    )
}

/// Ready replicas of all workloads in both members, from watches that miss nothing.
#[derive(Default)]
struct Counts {
    ready: BTreeMap<(usize, String), u64>,
    most: BTreeMap<String, u64>,
    /// The fewest that were ready after all had been.
    least: BTreeMap<String, u64>,
    changes: u64,
}

impl Counts {
    fn hear(&mut self, member: usize, change: &Change) {
        let object = change.object();
        let name = object["metadata"]["name"].as_str().unwrap().to_owned();
        let ready = match change {
            Change::Deleted(_) => 0,
            _ => object["status"]["readyReplicas"].as_u64().unwrap_or(0),
        };
        self.ready.insert((member, name.clone()), ready);
        let sum: u64 = (0..2).filter_map(|member| self.ready.get(&(member, name.clone()))).sum();
        let most = self.most.entry(name.clone()).or_default();
        *most = sum.max(*most);
        if *most >= REPLICAS {
            let least = self.least.entry(name).or_insert(sum);
            *least = sum.min(*least);
        }
        self.changes += 1;
    }
}

fn count(bed: &Bed) -> Arc<Mutex<Counts>> {
    let counts = Arc::<Mutex<Counts>>::default();
    for (member, cluster) in bed.members().iter().enumerate() {
        let watch = Watch::begin(cluster.api(), DEPLOYMENTS).unwrap();
        let counts = Arc::clone(&counts);
        std::thread::spawn(move || {
            while let Ok(change) = watch.next(Duration::from_mins(10), "a change of a deployment") {
                counts.lock().unwrap().hear(member, &change);
            }
        });
    }
    counts
}

/// An approval: what was moved, when it was proposed, and when it was answered, in milliseconds of the desk's run.
#[derive(Clone, Debug)]
struct Approval {
    id: String,
    workload: String,
    raised_at: u64,
    answered_at: u64,
}

/// An operator at the API of the desk.
struct Operator<'a> {
    desk: &'a Desk,
    token: String,
}

impl<'a> Operator<'a> {
    fn of(desk: &'a Desk) -> Self {
        let token = String::from_utf8(desk.scratch.read("otto.token")).unwrap().trim().to_owned();
        Self { desk, token }
    }

    fn get(&self, path: &str) -> Value {
        let request = ureq::get(format!("{}/api/v1/{path}", self.desk.address));
        let mut answer = request.header("authorization", format!("Bearer {}", self.token)).call().unwrap();
        serde_json::from_str(&answer.body_mut().read_to_string().unwrap()).unwrap()
    }

    /// Approves exactly the plan that was read.
    fn approve(&self, item: &Value) {
        let id = item["id"].as_str().unwrap();
        let body = json!({ "verdict": "approve", "planHash": item["planHash"] }).to_string();
        let answer = ureq::post(format!("{}/api/v1/recommendations/{id}/decisions", self.desk.address))
            .header("authorization", format!("Bearer {}", self.token))
            .header("content-type", "application/json")
            .header("if-match", format!("\"{}\"", item["version"]))
            .send(body);
        answer.unwrap_or_else(|error| panic!("{id} was not approved: {error}"));
    }

    /// Answers whatever waits after `answer` seconds, until the waves are over.
    #[expect(clippy::disallowed_methods, reason = "real clusters live in real time")]
    fn work(&self, pace: Pace) -> Vec<Approval> {
        let mut given = Vec::new();
        loop {
            let page = self.get("recommendations?stage=pending&sort=raised_at");
            let now = page["asOf"].as_u64().unwrap();
            for item in page["items"].as_array().unwrap() {
                let raised_at = item["raisedAt"].as_u64().unwrap();
                if now >= raised_at + pace.answer * 1_000 {
                    self.approve(item);
                    let workload = item["workload"].as_str().unwrap().rsplit('/').next().unwrap().to_owned();
                    println!("{now:>7} ms: approved: move {workload}, proposed at {raised_at} ms");
                    let id = item["id"].as_str().unwrap().to_owned();
                    given.push(Approval { id, workload, raised_at, answered_at: now });
                }
            }
            if now >= pace.duration * 1_000 {
                return given;
            }
            std::thread::sleep(Duration::from_millis(50));
        }
    }
}

/// What came of it.
struct Story {
    desk: Desk,
    approvals: Vec<Approval>,
    /// Proposals of the simulation: when, and what would be moved.
    simulated: Vec<(u64, String)>,
    least: BTreeMap<String, u64>,
    changes: u64,
    overlay: Value,
    table: String,
    /// What was recorded, replayed with every order at the moment it took effect, beside what was recorded.
    replay: Value,
    replay_table: String,
    /// How much later than in the simulation each move reached its target, in milliseconds.
    lags: Vec<i64>,
    /// When each of the simulated proposals had been carried out, in milliseconds.
    ended: Vec<Option<i64>>,
    verified: String,
    steps: Vec<Value>,
}

fn told(pace: Pace, name: &str) -> Story {
    let bed = bed(&name.replace(' ', "-"));
    let mut desk = Desk::closed(name);
    desk.scratch.write("waves.yaml", scenario(pace));
    desk.scratch.write("desk.yaml", desk_file(&bed));
    let lasts = format!("{}s", pace.duration + 60);
    let record =
        ["record", "--config", "desk.yaml", "--for", &lasts, "--every", "200ms", "--out", "recorded"];
    let mut recorder = Process::start(&mut desk.scratch.command(&record));
    let counts = count(&bed);
    desk.start("127.0.0.1:0");
    let status = Operator::of(&desk).get("status");
    let origin = status["atWall"].as_i64().unwrap() - status["at"].as_i64().unwrap();
    let _broker = Process::start(&mut desk.command("anna", &["broker", "--config", "desk.yaml"]));
    let approvals = Operator::of(&desk).work(pace);

    // Everything that was approved was carried out, as far as was observed.
    let steps: Vec<Value> = approvals.iter().map(|approval| outcome(&desk, &approval.id)).collect();
    let verified = desk.done("udo", &["audit", "verify"]);
    recorder.signal("INT");
    assert!(recorder.end("the recording's end").success());
    let (least, changes) = {
        let counts = counts.lock().unwrap();
        (counts.least.clone(), counts.changes)
    };
    bed.down().unwrap();
    let Beside { simulated, ended, overlay, table, replay, replay_table, lags } =
        beside(&desk, pace, origin, &approvals);
    Story {
        desk,
        approvals,
        simulated,
        least,
        changes,
        overlay,
        table,
        replay,
        replay_table,
        lags,
        ended,
        verified,
        steps,
    }
}

fn outcome(desk: &Desk, id: &str) -> Value {
    let over = wait_for("the end of the move", || {
        let execution = desk.json("vera", &["exec", "show", id]);
        let stage = execution["stage"].as_str().unwrap().to_owned();
        (!["approved", "applying"].contains(&stage.as_str())).then_some(execution)
    });
    assert_eq!(over["stage"], "applied", "{over}");
    over
}

/// Both comparisons.
struct Beside {
    simulated: Vec<(u64, String)>,
    ended: Vec<Option<i64>>,
    overlay: Value,
    table: String,
    replay: Value,
    replay_table: String,
    lags: Vec<i64>,
}

/// The same scenario simulated: workloads come when they came, since how long a broker and Karmada take is not part of it. And the
/// recording replayed, in which moves are made when they were made too.
fn beside(desk: &Desk, pace: Pace, origin: i64, approvals: &[Approval]) -> Beside {
    let scratch = &desk.scratch;
    let about: Value = serde_json::from_slice(&scratch.read("recorded/recording.json")).unwrap();
    let shift = origin - about["begun_at_ms"].as_i64().unwrap();
    let trace =
        |member: &str| String::from_utf8(scratch.read(&format!("recorded/pods/{member}.csv"))).unwrap();
    let came = trace("member1");
    let mut text = scenario(pace);
    for line in scenario(pace).lines().filter(|line| line.contains("cluster: member1, at: ")) {
        let workload = line.split(['{', ',']).nth(1).unwrap().trim().strip_prefix("name: ").unwrap();
        let arrived = arrival(&came, workload) - shift;
        let (before, rest) = line.split_once("at: ").unwrap();
        let (_, after) = rest.split_once(',').unwrap();
        text = text.replace(line, &format!("{before}at: {arrived}ms,{after}"));
    }
    scratch.write("beside.yaml", text);
    scratch.succeed(&["run", "beside.yaml", "--review", "simulated", "--out", "simulated"]);
    let journal = scratch.read("simulated/journal.jsonl");
    let (simulated, ends) = (proposals(&journal), ends(&journal));
    let moved = trace("member2");
    // An order is passed on within a second there.
    let due = |place: usize| simulated.get(place).map_or(0, |(at, _)| at + (pace.answer + 1) * 1_000);
    let lag = |(place, approval): (usize, &Approval)| {
        arrival(&moved, &approval.workload) - shift - i64::try_from(due(place)).unwrap()
    };
    let lags = approvals.iter().enumerate().map(lag).collect();
    // Proposals are compared by place: which of several of the same size are moved is for the queue to say.
    let ended = simulated.iter().map(|(_, workload)| ends.get(workload).copied()).collect();
    let title = "Three waves, simulated and on real clusters";
    let (overlay, table) = compared(desk, "simulated", shift, title, "compared");
    scratch.succeed(&["run", "recorded/scenario.yaml", "--out", "replayed"]);
    let (replay, replay_table) =
        compared(desk, "replayed", 0, "Three waves, recorded and replayed", "compared-replay");
    Beside { simulated, ended, overlay, table, replay, replay_table, lags }
}

fn compared(desk: &Desk, run: &str, shift: i64, title: &str, out: &str) -> (Value, String) {
    let shift = format!("{shift}ms");
    let compare = ["overlay", run, "recorded", "--shift", &shift, "--title", title, "--out", out];
    let table = desk.scratch.succeed(&compare).text;
    (serde_json::from_slice(&desk.scratch.read(&format!("{out}/overlay.json"))).unwrap(), table)
}

/// When the first pod of a workload came, in milliseconds of the recording.
fn arrival(trace: &str, workload: &str) -> i64 {
    let of = |line: &&str| line.starts_with(&format!("{workload}-"));
    let moments =
        trace.lines().filter(of).map(|line| line.split(',').nth(1).unwrap().parse::<f64>().unwrap());
    let first = moments.reduce(f64::min).unwrap_or_else(|| panic!("{workload} never came: {trace}"));
    (first * 1_000.0).round() as i64
}

fn entries(journal: &[u8]) -> impl Iterator<Item = Value> {
    let lines = journal.split(|byte| *byte == b'\n').filter(|line| !line.is_empty());
    lines.map(|line| serde_json::from_slice(line).unwrap())
}

/// When the actions for workloads had ended in a run, by its journal.
fn ends(journal: &[u8]) -> BTreeMap<String, i64> {
    let (mut names, mut ends) = (BTreeMap::new(), BTreeMap::new());
    for entry in entries(journal) {
        for submitted in entry["effects"].as_array().into_iter().flatten().map(|effect| &effect["submit"]) {
            if let Some(workload) = submitted["action"]["workload"].as_str() {
                names.insert(submitted["id"].to_string(), workload.rsplit('/').next().unwrap().to_owned());
            }
        }
        let applied = &entry["input"]["applied"];
        if let Some(workload) = names.get(&applied["id"].to_string()) {
            ends.insert(workload.clone(), entry["at"].as_i64().unwrap());
        }
    }
    ends
}

/// What was proposed in a run, by its journal.
fn proposals(journal: &[u8]) -> Vec<(u64, String)> {
    let mut found = Vec::new();
    for entry in entries(journal) {
        for effect in entry["effects"].as_array().into_iter().flatten() {
            if let Some(workload) = effect["submit"]["action"]["workload"].as_str() {
                found.push((entry["at"].as_u64().unwrap(), workload.rsplit('/').next().unwrap().to_owned()));
            }
        }
    }
    found
}

fn check(story: &Story, pace: Pace) {
    println!("{}\n{}", story.table, story.replay_table);
    println!("approved: {:?}\nsimulated: {:?}\nlags: {:?}", story.approvals, story.simulated, story.lags);
    story.steps.iter().for_each(|execution| println!("{execution}"));
    assert!(story.verified.starts_with("intact"), "{}", story.verified);
    // Nobody who was whole ever lost a replica; all ten were whole at some time.
    assert_eq!(story.least.len(), 10, "{:?}", story.least);
    assert!(story.least.values().all(|least| *least >= REPLICAS), "{:?}", story.least);
    // As many moves, proposed at the same decisions. Who of those that came at once found no node is for the queue to say.
    let rounds = |moments: &mut dyn Iterator<Item = u64>| -> Vec<u64> {
        moments.map(|at| (at + pace.decide * 500) / (pace.decide * 1_000)).collect()
    };
    assert_eq!(
        rounds(&mut story.approvals.iter().map(|approval| approval.raised_at)),
        rounds(&mut story.simulated.iter().map(|(at, _)| *at)),
    );
    assert!(story.approvals.len() >= 3, "{:?}", story.approvals);
    within(&story.replay, &story.replay_table, [0.0; 2]);
    println!("sources that left late: {:?}", late(story));
    let (orders, sources) = (explained(&story.lags, pace), explained(&late(story), pace));
    within(&story.overlay, &story.table, [orders[0] + sources[0], orders[1] + sources[1]]);
}

/// How much later than it had to each source was gone, in milliseconds: on a busy machine everything between two looks takes longer. A
/// source whose order was late is late by as much, and that is counted with the order.
fn late(story: &Story) -> Vec<i64> {
    let late = |((execution, ended), lag): ((&Value, &Option<i64>), &i64)| {
        let gone = moment(execution, "source_gone").and_then(|at| i64::try_from(at).ok());
        gone.zip(*ended).map_or(0, |(gone, ended)| (gone - ended - SECOND_LOOK - lag.max(&0)).max(0))
    };
    story.steps.iter().zip(&story.ended).zip(&story.lags).map(late).collect()
}

/// What follows from orders that took effect later than in the simulation, or earlier: for so long a workload is in the other cluster.
/// In percent of the capacity, and of all pods.
fn explained(lags: &[i64], pace: Pace) -> [f64; 2] {
    let seconds: f64 = lags.iter().map(|lag| lag.unsigned_abs() as f64 / 1_000.0).sum();
    let share = |each: f64, whole: f64| 100.0 * seconds * each / (whole * pace.duration as f64);
    [share(CORES, CAPACITY), share(REPLICAS as f64, PODS)]
}

fn within(overlay: &Value, table: &str, explained: [f64; 2]) {
    for cluster in overlay["clusters"].as_array().unwrap() {
        for (what, explained) in [
            ("cpu_allocated", explained[0]),
            ("memory_allocated", explained[0]),
            ("pods_pending", explained[1]),
        ] {
            let percent = cluster[what]["percent"].as_f64().unwrap();
            assert!(
                percent <= WITHIN + explained,
                "{what} of {} differ by {percent} %, of which {explained} % are explained: {table}",
                cluster["cluster"]
            );
        }
    }
}

/// At its own pace, with `DROVER_WAVES_PAGE` set, it also writes the page about it: `make judge-waves`.
#[test]
fn the_three_waves_are_as_they_are_simulated() {
    let writes_page = std::env::var_os("DROVER_WAVES_PAGE").is_some();
    let pace = if writes_page { WHOLE } else { HURRIED };
    let story = told(pace, "waves beside");
    check(&story, pace);
    if writes_page {
        let docs = repository().join("docs");
        let svg = story.desk.scratch.read("compared/overlay.svg");
        std::fs::write(docs.join("images/three-waves-real.svg"), svg).unwrap();
        std::fs::write(docs.join("fidelity-real.md"), page(&story)).unwrap();
    }
}

fn page(story: &Story) -> String {
    let mut text = format!(
        "# The three waves, simulated and on real clusters

This page is written by `make judge-waves`; its figures are those of the run that wrote it.

[The scenario of the WASP paper](../scenarios/three-waves.yaml) on a [test bed](guide/testbed.md): two members of Kubernetes with two
nodes each, Karmada above them. `drover broker` brings ten Deployments in three waves; an agent recommends; an operator approves over the
API, {} seconds after each recommendation; the desk moves through Karmada; `drover record` watches. Beside it the same scenario
simulated, with an answer after the same time.

![CPU allocated and pending pods, simulated and real](images/three-waves-real.svg)

{}

## What was approved

| proposed at | answered at | moved in reality | moved in the simulation | target ready after | source gone after | pods in the target, compared with the simulation |
|--:|--:|---|---|--:|--:|--:|
",
        WHOLE.answer,
        story.table.trim_end(),
    );
    text.push_str(&approved_rows(story));
    let [cpu, pods] = explained(&story.lags, WHOLE);
    let fewest = story.least.values().min().copied().unwrap_or(0);
    let _ = write!(
        text,
        "
Ready replicas were watched through all moves, {} changes in both members: once a workload had all {REPLICAS}, it never had fewer than
{fewest}. The desk's record afterwards: {}.

## The same orders at the same moments

What was recorded, [replayed](guide/real-clusters.md#recording-what-happens): waves and moves come when they came, and the simulated scheduler
and controllers do the rest.

{}

## Why the lines are not one

- **Orders take their time.** An order is passed on within a second in the simulation (`migration.propagation`). In reality an observation
  has to come in before an agent decides, the desk looks every half second whether the next step can be taken, and Karmada has its own
  queues: the last column above. As long as a workload is in the other cluster, {CORES} cores and {REPLICAS} pods differ: that makes {cpu:.2} % of
  the capacity and {pods:.2} % of all pods in this run.
- **Pods start and stop otherwise.** The scenario says one second for either. KWOK makes pods ready a second after they have a node, and
  removes those that are told to stop at once.
- **Who waits.** All of a wave come at once, and whoever is last finds no node. Which one that is depends on the order in which Karmada and the
  controllers pass them on; all are of the same size, so the series do not show it.
- **When a wave comes** is taken from the recording, workload by workload: how long a broker takes to begin is not part of a scenario.
- **Samples.** The simulation is sampled every second and the recording every 200 ms; they are compared at the seconds of the simulation.

A faster version of the same story is part of `make test-real`. It fails if the replay differs by more than {WITHIN} % of the capacity, weighted by
time, or the simulation by more than that and what follows from orders and sources that were late.
",
        story.changes,
        story.verified.lines().next().unwrap_or_default().trim_end_matches('.'),
        story.replay_table.trim_end(),
    );
    text
}

/// A row for each approval.
fn approved_rows(story: &Story) -> String {
    let mut text = String::new();
    for (place, approval) in story.approvals.iter().enumerate() {
        let simulated = story.simulated.get(place).map_or("–", |(_, workload)| workload);
        let _ = writeln!(
            text,
            "| {:.1} s | {:.1} s | {} | {simulated} | {} | {} | {:+.1} s |",
            approval.raised_at as f64 / 1_000.0,
            approval.answered_at as f64 / 1_000.0,
            approval.workload,
            after(&story.steps[place], "target_ready", approval.answered_at),
            after(&story.steps[place], "source_gone", approval.answered_at),
            story.lags[place] as f64 / 1_000.0,
        );
    }
    text
}

/// When a step was seen.
fn moment(execution: &Value, step: &str) -> Option<u64> {
    let mut steps = execution["steps"].as_array().into_iter().flatten();
    steps.find(|one| one["step"] == step)?["at"].as_u64()
}

/// How long after the answer a step was seen.
fn after(execution: &Value, step: &str, answered_at: u64) -> String {
    moment(execution, step)
        .map_or("–".to_owned(), |at| format!("{:.1} s", at.saturating_sub(answered_at) as f64 / 1_000.0))
}
