//! A desk that is killed at random moments, while people hammer it and while it opens: after each restart, everything that anybody was
//! told is true, nothing was applied twice, and the record is whole. At the end, workloads are where the applied plans put them.
//!
//! `DROVER_KILLS` says how often; a failure prints the seed of the moments, and `DROVER_SEED` repeats them.

#![expect(clippy::disallowed_methods, reason = "processes are watched and killed in real time")]
#![expect(clippy::print_stdout, reason = "a failure is repeated with the seed that is printed")]

mod places;

use rand_chacha::ChaCha8Rng;
use rand_core::{Rng, SeedableRng};
use serde_json::{Value, json};
use server::testing::Folder;
use server::testing::postgres::{FreshDatabase, Server};
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

/// Enough to find what is wrong at all; `make crash` kills more often.
const USUAL_KILLS: u32 = 12;

/// Of so many kills, one is drawn from the moment when the desk is started and not from the moment when it is ready.
const OPENING_EVERY: u32 = 3;

/// From so many kills on, one that never hit the opening is a broken test and not bad luck: a third of them aim at it.
const ENOUGH_KILLS: u64 = 30;

/// Opening takes about so long before anybody has measured it.
const FIRST_OPENING: Duration = Duration::from_millis(200);

/// People who decide at the same time.
const PEOPLE: usize = 3;

/// What somebody was told: a decision and the plan it was about.
#[derive(Clone, Debug, PartialEq)]
struct Told {
    verdict: &'static str,
    hash: String,
}

/// Everything that was answered with a yes by the desk, over all of its lives.
#[derive(Default)]
struct Memory {
    decisions: BTreeMap<String, Told>,
    freezes: Vec<String>,
}

fn number(name: &str, otherwise: u64) -> u64 {
    std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(otherwise)
}

/// Tasks that come and go for hours, all in the same cluster, so that there is always something to decide; and services that stay, so
/// that something can be found at the end where old plans put it.
fn scenario() -> String {
    let mut text = "drover: scenario/v1\nname: crowd\nduration: 720h\nclusters:\n".to_owned();
    for name in ["one", "two", "three"] {
        let _ = writeln!(
            text,
            "  - name: {name}\n    pools: [{{ nodes: 6, cpu: 8, memory: 32Gi, price_per_hour: 0.2 }}]"
        );
    }
    text.push_str("workloads:\n");
    for index in 0..SERVICES {
        let _ = writeln!(
            text,
            "  - {{ name: service-{index}, cluster: one, at: {}s, replicas: 2, cpu: 1, memory: 1Gi }}",
            1 + 60 * index
        );
    }
    for index in 0..3_000 {
        let at = 1 + 4 * index;
        let _ = writeln!(
            text,
            "  - {{ name: task-{index}, kind: job, cluster: one, at: {at}s, replicas: 2, cpu: 1, memory: 1Gi, run_time: 2m }}"
        );
    }
    text.push_str("pods: { start_time: 2s, stop_time: 2s }\nobservation: { every: 10s }\n");
    text.push_str(
        "limits: { max_load: 0.5, max_pending: 0.4 }\nguardrails: { cool_down: 1m, enforce_limits: false }\n",
    );
    text.push_str("review: { expires_after: 5m }\n");
    text.push_str(
        "agents: [{ name: keeper, when: { every: 20s }, decide: { strategy: threshold, max_load: 0.5 } }]\n",
    );
    text
}

/// Services come one a minute. With all of them there, each cluster still has room for tasks.
const SERVICES: u32 = 12;

/// The files of a desk.
struct Site {
    folder: Folder,
    token: String,
}

impl Site {
    fn new(storage: &str) -> Self {
        let folder = Folder::new("crash");
        std::fs::write(folder.path().join("crowd.yaml"), scenario()).expect("a file");
        let desk = format!(
            "drover: desk/v1\nstorage: {storage:?}\nlisten: 127.0.0.1:0\nworld: {{ simulate: crowd.yaml, speed: 300 }}\n\
             prediction: {{ horizon: 5m, seeds: 2 }}\nlimits: {{ requests_per_second: 100000, burst: 100000 }}\n"
        );
        std::fs::write(folder.path().join("desk.yaml"), desk).expect("a file");
        let token = token(folder.path());
        Self { folder, token }
    }

    fn file(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }
}

fn drover() -> Command {
    Command::new(env!("CARGO_BIN_EXE_drover"))
}

fn token(folder: &Path) -> String {
    let output = drover()
        .args(["token", "create", "--name", "anna", "--role", "admin", "--config"])
        .arg(folder.join("desk.yaml"))
        .output()
        .expect("the binary runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("text").trim().to_owned()
}

/// A desk that was started. It is killed when this goes, with a signal that cannot be caught.
struct Process<'a> {
    child: Child,
    site: &'a Site,
}

impl Drop for Process<'_> {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl<'a> Process<'a> {
    fn start(site: &'a Site) -> Self {
        let ready = site.file("ready");
        let _ = std::fs::remove_file(&ready);
        let log = std::fs::File::options().create(true).append(true).open(site.file("log")).expect("a log");
        let child = drover()
            .args(["serve", "--config"])
            .arg(site.file("desk.yaml"))
            .arg("--ready-file")
            .arg(&ready)
            .stdout(Stdio::null())
            .stderr(log)
            .spawn()
            .expect("the binary runs");
        Self { child, site }
    }

    /// Waits until it is ready.
    fn opened(mut self) -> Running<'a> {
        let (begun, site) = (Instant::now(), self.site);
        loop {
            if let Some(address) = ready_at(site) {
                return Running { process: self, address, opened_in: begun.elapsed() };
            }
            let ended = self.child.try_wait().expect("a child");
            assert!(ended.is_none(), "the desk did not open:\n{}", log_of(site));
            assert!(begun.elapsed() < Duration::from_mins(2), "it did not open in time:\n{}", log_of(site));
            std::thread::sleep(Duration::from_millis(5));
        }
    }

    /// Kills it so long after it was started, and says whether it was still opening. A desk that ended by itself was not killed.
    fn killed_after(mut self, moment: Duration) -> bool {
        std::thread::sleep(moment);
        let (ended, site) = (self.child.try_wait().expect("a child"), self.site);
        assert!(ended.is_none(), "the desk ended while it opened:\n{}", log_of(site));
        drop(self);
        // Only now nobody writes that file any more.
        ready_at(site).is_none()
    }
}

/// The address of a desk, once it is ready.
fn ready_at(site: &Site) -> Option<String> {
    let text = std::fs::read_to_string(site.file("ready")).ok()?;
    text.ends_with('\n').then(|| text.trim().to_owned())
}

/// A desk that is ready.
struct Running<'a> {
    #[expect(dead_code, reason = "it is killed with this")]
    process: Process<'a>,
    address: String,
    opened_in: Duration,
}

impl<'a> Running<'a> {
    fn start(site: &'a Site) -> Self {
        Process::start(site).opened()
    }
}

fn log_of(site: &Site) -> String {
    std::fs::read_to_string(site.file("log")).unwrap_or_default()
}

/// Somebody who talks to a desk and may find it gone at any moment.
#[derive(Clone)]
struct Client {
    agent: ureq::Agent,
    address: String,
    token: String,
}

impl Client {
    fn new(running: &Running<'_>, site: &Site) -> Self {
        let config = ureq::Agent::config_builder()
            .http_status_as_error(false)
            .timeout_global(Some(Duration::from_secs(20)))
            .build();
        Self { agent: config.into(), address: running.address.clone(), token: site.token.clone() }
    }

    fn get(&self, path: &str) -> Option<(u16, String, Value)> {
        let request = self.agent.get(format!("{}{path}", self.address));
        let mut response = request.header("authorization", format!("Bearer {}", self.token)).call().ok()?;
        let tag =
            response.headers().get("etag").and_then(|tag| tag.to_str().ok()).unwrap_or_default().to_owned();
        let status = response.status().as_u16();
        Some((status, tag, json_of(&mut response)?))
    }

    fn post(&self, path: &str, tag: &str, body: &Value) -> Option<(u16, Value)> {
        let request = self.agent.post(format!("{}{path}", self.address));
        let request =
            request.header("authorization", format!("Bearer {}", self.token)).header("if-match", tag);
        let request = request.header("content-type", "application/json");
        let mut response = request.send(body.to_string()).ok()?;
        let status = response.status().as_u16();
        Some((status, json_of(&mut response)?))
    }

    /// Decides something that waits; remembers only what the desk confirmed.
    fn decide(&self, random: &mut ChaCha8Rng, memory: &Mutex<Memory>) -> Option<()> {
        let (_, _, page) = self.get("/api/v1/recommendations?stage=pending&limit=20")?;
        let items = page["items"].as_array()?;
        let item = items.get(random.next_u32() as usize % items.len().max(1))?;
        let (id, hash) = (item["id"].as_str()?, item["planHash"].as_str()?);
        let verdict = if random.next_u32().is_multiple_of(3) { "reject" } else { "approve" };
        let tag = format!("\"{}\"", item["version"]);
        let body = json!({ "verdict": verdict, "planHash": hash, "note": "hammered" });
        let (status, _) = self.post(&format!("/api/v1/recommendations/{id}/decisions"), &tag, &body)?;
        if status == 200 {
            let told = Told { verdict, hash: hash.to_owned() };
            memory.lock().expect("a memory").decisions.insert(id.to_owned(), told);
        }
        Some(())
    }

    fn freeze(&self, memory: &Mutex<Memory>) -> Option<()> {
        let body = json!({ "scope": "workload", "name": "default/nobody", "reason": "hammered" });
        let (status, freeze) = self.post("/api/v1/freezes", "", &body)?;
        if status == 201 {
            memory.lock().expect("a memory").freezes.push(freeze["id"].as_str()?.to_owned());
        }
        Some(())
    }
}

fn json_of(response: &mut ureq::http::Response<ureq::Body>) -> Option<Value> {
    serde_json::from_str(&response.body_mut().read_to_string().ok()?).ok()
}

/// Hammers a desk until it is killed.
fn hammer(client: &Client, seed: u64, memory: &Arc<Mutex<Memory>>, stop: &Arc<AtomicBool>) {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    while !stop.load(Ordering::Relaxed) {
        let done = if random.next_u32().is_multiple_of(20) {
            client.freeze(memory)
        } else {
            client.decide(&mut random, memory)
        };
        if done.is_none() {
            std::thread::sleep(Duration::from_millis(2));
        }
    }
}

/// Every entry of the record.
fn record(client: &Client) -> Vec<Value> {
    let request = client.agent.get(format!("{}/api/v1/audit/export", client.address));
    let mut response =
        request.header("authorization", format!("Bearer {}", client.token)).call().expect("an export");
    let text = response.body_mut().with_config().limit(1 << 30).read_to_string().expect("text");
    text.lines().map(|line| serde_json::from_str(line).expect("a line of JSON")).collect()
}

fn effects<'a>(entries: &'a [Value], name: &'a str) -> impl Iterator<Item = &'a Value> {
    let all = entries.iter().flat_map(|entry| entry["body"]["effects"].as_array().into_iter().flatten());
    all.filter_map(move |effect| effect.get(name))
}

/// What must hold after every restart.
fn check(client: &Client, memory: &Memory) {
    let (_, _, verified) = client.get("/api/v1/audit/verification").expect("an answer");
    assert_eq!(verified["intact"], true, "{verified}");
    let (_, _, runs) = client.get("/api/v1/runs").expect("an answer");
    assert_eq!(runs["total"], 1, "an interrupted run was not taken up again: {runs}");
    let entries = record(client);
    let mut applied: BTreeMap<&str, u32> = BTreeMap::new();
    for approved in effects(&entries, "apply") {
        *applied.entry(approved["recommendation"]["id"].as_str().expect("an id")).or_default() += 1;
    }
    assert!(applied.values().all(|times| *times == 1), "something was applied twice: {applied:?}");
    let mut begun: BTreeMap<&str, u32> = BTreeMap::new();
    for entry in
        entries.iter().filter(|entry| entry["kind"] == "progress" && entry["body"]["step"] == "order_sent")
    {
        *begun.entry(entry["subject"].as_str().expect("a subject")).or_default() += 1;
    }
    assert!(begun.values().all(|times| *times == 1), "something was begun twice: {begun:?}");
    for (id, told) in &memory.decisions {
        let reviewed = |entry: &&Value| entry["kind"] == "reviewed" && entry["subject"] == id.as_str();
        let kept = entries.iter().filter(reviewed).any(|entry| {
            let review = &entry["body"]["input"]["reviewed"];
            review["verdict"] == told.verdict && review["hash"] == told.hash.as_str()
        });
        assert!(kept, "{id} was {}d and confirmed, and the record does not know it", told.verdict);
        assert_eq!(
            told.verdict == "approve",
            applied.contains_key(id.as_str()),
            "{id} was to be {}d",
            told.verdict
        );
    }
    let frozen: Vec<&str> = effects(&entries, "freeze").filter_map(|freeze| freeze["id"].as_str()).collect();
    for freeze in &memory.freezes {
        assert!(frozen.contains(&freeze.as_str()), "{freeze} was confirmed and is lost");
    }
}

/// A desk that is opened again takes its run from the beginning, so a run gets a new place before most of the time goes into that.
const KILLS_OF_A_RUN: u64 = 25;

/// What came of it all.
#[derive(Default)]
struct Outcome {
    decisions: usize,
    freezes: usize,
    /// Kills that hit a desk before it was ready.
    while_it_opened: u64,
    places: places::Found,
}

impl Outcome {
    fn add(&mut self, other: &Self) {
        self.decisions += other.decisions;
        self.freezes += other.freezes;
        self.while_it_opened += other.while_it_opened;
        self.places.add(&other.places);
    }
}

/// Kills desks again and again. `place` gives a new place for data, and what has to live as long as it.
fn survives<T>(place: impl Fn() -> (T, String)) {
    let (kills, seed) = (number("DROVER_KILLS", u64::from(USUAL_KILLS)), number("DROVER_SEED", 1));
    println!("{kills} kills with seed {seed}");
    let mut all = Outcome::default();
    for first in (0..kills).step_by(KILLS_OF_A_RUN as usize) {
        let (_alive, storage) = place();
        all.add(&one_run(&Site::new(&storage), seed, first..kills.min(first + KILLS_OF_A_RUN)));
    }
    println!("{kills} kills, {} of them while it opened", all.while_it_opened);
    println!("{} decisions and {} freezes were confirmed and kept", all.decisions, all.freezes);
    println!("{}", all.places);
    assert!(all.decisions as u64 > kills / 8, "hardly anything was decided; the test shows nothing");
    assert!(kills < ENOUGH_KILLS || all.while_it_opened > 0, "no desk was killed while it opened");
    assert!(all.places.shows_something(), "nothing was left that a plan had moved; its place shows nothing");
}

/// Kills the desk of one run so often, and returns what came of it.
fn one_run(site: &Site, seed: u64, kills: Range<u64>) -> Outcome {
    let (memory, mut outcome) = (Arc::new(Mutex::new(Memory::default())), Outcome::default());
    let mut opening = FIRST_OPENING;
    for kill in kills {
        let mut random = ChaCha8Rng::seed_from_u64(seed ^ (kill << 16));
        let (moment, kind) = (random.next_u32(), random.next_u32());
        if kind.is_multiple_of(OPENING_EVERY) {
            // The seed says which part of the opening, and the life before how long that takes by now: it grows with the run.
            let moment = opening.mul_f64(f64::from(moment) / f64::from(u32::MAX));
            outcome.while_it_opened += u64::from(Process::start(site).killed_after(moment));
            continue;
        }
        let running = Running::start(site);
        opening = running.opened_in;
        let client = Client::new(&running, site);
        check(&client, &memory.lock().expect("a memory"));
        let lasts = Duration::from_millis(100 + u64::from(moment % 400));
        hammered(&client, lasts, seed ^ (kill << 8), &memory, || drop(running));
    }
    outcome.places = last_life(site, seed, &memory);
    let memory = memory.lock().expect("a memory");
    Outcome { decisions: memory.decisions.len(), freezes: memory.freezes.len(), ..outcome }
}

/// Opens the desk once more, has plans applied, and looks where everything is when they are carried out.
fn last_life(site: &Site, seed: u64, memory: &Arc<Mutex<Memory>>) -> places::Found {
    let running = Running::start(site);
    let client = Client::new(&running, site);
    check(&client, &memory.lock().expect("a memory"));
    hammered(&client, LAST_LIFE, seed ^ (1 << 32), memory, || {});
    let found = places::check(&client);
    check(&client, &memory.lock().expect("a memory"));
    let log = log_of(site);
    assert!(!log.contains("panicked"), "{log}");
    found
}

/// The last life of a desk ends in peace, and is long enough for plans of its own.
const LAST_LIFE: Duration = Duration::from_millis(500);

/// Has people hammer a desk for so long, and does something before they are told to stop.
fn hammered(client: &Client, lasts: Duration, seed: u64, memory: &Arc<Mutex<Memory>>, then: impl FnOnce()) {
    let stop = Arc::new(AtomicBool::new(false));
    let people: Vec<_> = (0..PEOPLE as u64)
        .map(|person| {
            let (client, memory, stop) = (client.clone(), Arc::clone(memory), Arc::clone(&stop));
            std::thread::spawn(move || hammer(&client, seed ^ (person << 40), &memory, &stop))
        })
        .collect();
    std::thread::sleep(lasts);
    then();
    stop.store(true, Ordering::Relaxed);
    for person in people {
        person.join().expect("people do not panic");
    }
}

#[test]
fn a_desk_on_sqlite_survives_being_killed() {
    survives(|| {
        let folder = Folder::new("crash-data");
        let storage = format!("sqlite:{}", folder.path().join("drover.db").display());
        (folder, storage)
    });
}

#[test]
fn a_desk_on_postgresql_survives_being_killed() {
    survives(|| {
        let database = FreshDatabase::new();
        let url = Server::running().url(database.name());
        (database, url)
    });
}
