//! How fast a desk answers under load: 10,000 recommendations, 50 readers, 500 watchers, while decisions are taken.
//!
//! `cargo bench -p server --bench desk`, or `make bench`. All in one process over real sockets on this machine, SQLite in a file. Whoever
//! asks and whoever watches has threads of their own, as they would on other machines.
//!
//! Times are figures and no verdict. It fails if a watcher missed an event or heard one out of order, or if an answer was an error.

#![expect(clippy::print_stdout, reason = "a benchmark prints")]
#![expect(clippy::unwrap_used, reason = "a benchmark stops where something is wrong")]

mod bare;
mod line;
mod report;

use line::Line;
use model::recommendation::Recommendation;
use model::review::Stage;
use model::risk::Risk;
use model::time::Timestamp;
use report::Spent;
use serde_json::{Value, json};
use server::access::{NewToken, Role, issue};
use server::clock::wall_ms;
use server::config::{self, DeskConfig};
use server::desk::Desk;
use server::live::events_of;
use server::service::Service;
use server::storage::tables::journal;
use server::storage::tables::recommendations::{self, Documents, Item, Whole};
use server::storage::{JsonText, Location};
use server::testing::Folder;
use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;
use tokio::io::{AsyncBufReadExt, AsyncWriteExt};
use tokio::runtime::Runtime;
use tokio::sync::mpsc;

const WAVES: &str = include_str!("../../../../scenarios/three-waves.yaml");
/// Two clusters beside the waves, with workloads that can be moved from one to the other.
const MORE_CLUSTERS: &str = concat!(
    "  - { name: member3, pools: [{ nodes: 4, cpu: 8, memory: 16Gi }] }\n",
    "  - { name: member4, pools: [{ nodes: 4, cpu: 8, memory: 16Gi }] }\n",
);
const MORE_WORKLOADS: &str = "  - { name: \"plan-{n}\", copies: 150, cluster: member3, at: 1s, replicas: 1, cpu: 10m, memory: 16Mi }\n";
/// Plans that wait for an answer at the same time: one for each of those workloads.
const PLANS: usize = 150;
const STORED: i64 = 10_000;
const READERS: usize = 50;
const WATCHERS: usize = 500;
/// Each reader asks so often in a round, one question after the other.
const REQUESTS: usize = 400;
/// Rounds with everybody at once: whether memory grows shows in the later ones.
const ROUNDS: usize = 3;
/// A virtual machine that its host stops for 50 ms says nothing about answers within 20. Such rounds are shown, and measured again.
const MOST_ROUNDS: usize = 6;
/// Per cent of a processor that the host may take in a round that counts.
const CALM: f64 = 10.0;
/// A reader with a page open looks again so long after it was answered.
const LOOK_AGAIN: Duration = Duration::from_millis(100);
/// Of so many answers one approves and one rejects; the others put off, so that enough plans wait to the end.
const SETTLED_EVERY: usize = 40;
/// Predictions of all plans are there after this, or the desk is measured without them.
const PREDICTED_WITHIN: Duration = Duration::from_mins(3);
/// A decision so often: more than a crowd of people takes.
const DECIDE_EVERY: Duration = Duration::from_millis(100);
/// How long decisions are watched when nobody reads.
const WATCHED: Duration = Duration::from_secs(10);

/// Lists as people ask for them, and what each is called. What they search for differs.
const LISTS: [(&str, &str); 6] = [
    ("lists, newest", ""),
    ("lists, by stage", "stage=applied&"),
    ("lists, by risk", "risk=medium&sort=-benefit&"),
    ("lists, search", "search=web-{}&"),
    ("lists, by namespace", "namespace=shop&sort=workload&"),
    ("lists, by cluster", "cluster=member2&sort=-expires_at&"),
];
const DETAILS: &str = "details";

/// What a reader asks for next, and what that is called.
fn question(number: usize, is_list: bool) -> (&'static str, String) {
    if !is_list {
        return (DETAILS, format!("/api/v1/recommendations/R-{}", 1_000_000 + number % STORED as usize));
    }
    let (name, wanted) = LISTS[number % LISTS.len()];
    let wanted = wanted.replace("{}", &(number % 1_009).to_string());
    (name, format!("/api/v1/recommendations?{wanted}limit=50"))
}

fn config(location: Location) -> DeskConfig {
    let text = "drover: desk/v1\nlisten: 127.0.0.1:0\nworld: { simulate: three-waves.yaml, paused: true }\n\
                prediction: { horizon: 1m, seeds: 2 }\n\
                limits: { requests_per_second: 1000000, burst: 1000000, streams: 1000, streams_per_caller: 1000 }\n";
    DeskConfig { storage: location, ..config::read("desk.yaml", text.as_bytes()).unwrap() }
}

/// One of many plans, made from a real one: the desk shows none that does not fit its hash.
fn copied(template: &Whole, number: i64) -> Recommendation {
    let mut body: Value = serde_json::from_str(template.documents.body.as_str()).unwrap();
    let namespace = if number % 3 == 0 { "shop" } else { "default" };
    body["id"] = json!(format!("R-{}", 1_000_000 + number));
    body["action"]["workload"] = json!(format!("deployment/{namespace}/web-{number}"));
    let mut plan: Recommendation = serde_json::from_value(body).unwrap();
    plan.raised_at = Timestamp::from_millis(number as u64 * 10);
    plan.risk.risk = [Risk::Low, Risk::Medium, Risk::High][(number % 3) as usize];
    plan.sealed()
}

/// Copies of one real recommendation under other names.
fn fill(service: &Service, run: &str, template: &Whole) {
    let stages = [Stage::Applied, Stage::Rejected, Stage::Expired];
    service
        .database()
        .write(|transaction| {
            for number in 0..STORED {
                let plan = copied(template, number);
                let id = plan.id.0 as i64;
                let documents = Documents { id, body: JsonText::of(&plan), ..template.documents.clone() };
                let workload = plan.action.workload().unwrap();
                let item = Item {
                    run: run.to_owned(),
                    id,
                    stage: stages[(number % 3) as usize],
                    action: plan.action.to_string(),
                    workload: Some(workload.to_string()),
                    namespace: Some(workload.namespace().to_owned()),
                    risk: 1 + number % 3,
                    raised_at_ms: number * 10,
                    settled_at_ms: Some(number * 10 + 5),
                    plan_hash: plan.hash,
                    benefit: Some((number % 97) as f64 / 7.0),
                    benefit_low: Some((number % 97) as f64 / 8.0),
                    benefit_high: Some((number % 97) as f64 / 6.0),
                    ..template.item.clone()
                };
                recommendations::put_whole(transaction, &Whole { item, documents })?;
            }
            Ok(())
        })
        .unwrap();
}

/// Times, by what was asked for.
type Times = BTreeMap<&'static str, Vec<Duration>>;

/// One reader's times.
async fn read(address: SocketAddr, token: Arc<str>, seed: usize, pause: Duration) -> Times {
    let mut line = Line::open(address, &token).await;
    let mut times = Times::new();
    for turn in 0..REQUESTS {
        let (name, path) = question(seed * 7_919 + turn * 104_729, turn % 2 == 0);
        let begun = server::clock::now();
        let status = line.get(&path).await;
        times.entry(name).or_default().push(begun.elapsed());
        assert_eq!(status, 200, "{path}");
        if !pause.is_zero() {
            tokio::time::sleep(pause).await;
        }
    }
    times
}

/// What one watcher heard.
#[derive(Clone, Copy, Default)]
struct Heard {
    events: u64,
    /// Events that came after a later one, or twice.
    out_of_order: u64,
}

/// Follows the events until it has seen the last one, and counts them.
async fn watch(address: SocketAddr, token: Arc<str>, ready: mpsc::Sender<()>, last: Arc<AtomicU64>) -> Heard {
    let mut line = Line::open(address, &token).await;
    let request =
        format!("GET /api/v1/events HTTP/1.1\r\nhost: desk\r\nauthorization: Bearer {}\r\n\r\n", line.token);
    line.stream.get_mut().write_all(request.as_bytes()).await.unwrap();
    assert_eq!(line.head().await.0, 200);
    ready.send(()).await.unwrap();
    let (mut heard, mut former) = (Heard::default(), (0, 0));
    loop {
        let mut text = String::new();
        if line.stream.read_line(&mut text).await.unwrap_or(0) == 0 {
            return heard;
        }
        let Some(id) = text.strip_prefix("id: ") else { continue };
        let mut parts = id.trim().splitn(3, '-');
        let (seq, index) = (parts.next().unwrap(), parts.next().unwrap());
        let now: (u64, u64) = (seq.parse().unwrap(), index.parse().unwrap());
        heard.events += 1;
        heard.out_of_order += u64::from(now <= former);
        former = now;
        if last.load(Ordering::Acquire) == now.0 {
            return heard;
        }
    }
}

/// How many events the journal has behind one entry and up to another.
async fn written(desk: &Desk, first: i64, last: i64) -> u64 {
    let read = desk.read(move |connection| {
        let (mut after, mut events) = (first, 0);
        while after < last {
            let entries = journal::after(connection, after, 500)?;
            let Some(end) = entries.last().map(|entry| entry.seq) else { break };
            let counted = entries.iter().filter(|entry| entry.seq <= last);
            events += counted.map(|entry| events_of(entry).len() as u64).sum::<u64>();
            after = end;
        }
        Ok(events)
    });
    read.await.unwrap_or_else(|problem| panic!("{}", problem.detail))
}

/// Has an agent put a plan for every workload on the desk.
async fn propose(address: SocketAddr, token: &Arc<str>) {
    let mut line = Line::open(address, token).await;
    let draft = |number: usize| {
        let workload = format!("default/plan-{number}");
        let action = json!({ "kind": "migrate", "workload": workload, "from": "member3", "to": "member4", "replicas": 1 });
        json!({ "action": action, "reason": "There is more room." })
    };
    let drafts: Vec<Value> = (1..=PLANS).map(draft).collect();
    let (status, _, told) =
        line.ask("POST", "/api/v1/recommendations", "", Some(&json!({ "drafts": drafts }))).await;
    assert_eq!(status, 200, "{told}");
}

/// What waits for an answer.
async fn waiting(line: &mut Line) -> Vec<Value> {
    let (_, _, page) = line.ask("GET", "/api/v1/recommendations?stage=pending&limit=500", "", None).await;
    page["items"].as_array().cloned().unwrap_or_default()
}

/// Waits until the effect of everything that waits is predicted: a prediction is a change, and would come between reading and answering.
async fn until_predicted(address: SocketAddr, token: &Arc<str>) {
    let (mut line, begun) = (Line::open(address, token).await, server::clock::now());
    loop {
        let plans = waiting(&mut line).await;
        let predicted = plans.iter().filter(|plan| plan["isPredicted"] == true).count();
        if predicted == plans.len() || begun.elapsed() > PREDICTED_WITHIN {
            println!("{} plans wait, {predicted} of them predicted.", plans.len());
            return;
        }
        tokio::time::sleep(Duration::from_millis(200)).await;
    }
}

/// What came of the answers.
#[derive(Default)]
struct Decided {
    /// By what was said.
    said: BTreeMap<&'static str, u32>,
    /// Answers that the desk did not take, because the plan had changed or a rule was against it.
    refused: u32,
    /// Answers that it did not take for any other reason.
    failed: u32,
    times: Vec<Duration>,
}

/// Answers one plan after the other until somebody says stop: each answer changes the lists that others read.
async fn decide(address: SocketAddr, token: Arc<str>, stop: Arc<AtomicBool>) -> Decided {
    let mut line = Line::open(address, &token).await;
    let mut plans = waiting(&mut line).await;
    let mut decided = Decided::default();
    for turn in 0.. {
        if stop.load(Ordering::Relaxed) || plans.is_empty() {
            break;
        }
        let place = turn % plans.len();
        let path = format!("/api/v1/recommendations/{}", plans[place]["id"].as_str().unwrap());
        let (_, tag, detail) = line.ask("GET", &path, "", None).await;
        let verdict = match turn % SETTLED_EVERY {
            0 => "approve",
            20 => "reject",
            _ => "defer",
        };
        let mut answer = json!({ "verdict": verdict, "planHash": detail["planHash"], "note": "measured" });
        if verdict == "defer" {
            answer["deferSeconds"] = json!(60);
        } else {
            plans.swap_remove(place);
        }
        let begun = server::clock::now();
        let (status, _, _) = line.ask("POST", &format!("{path}/decisions"), &tag, Some(&answer)).await;
        decided.times.push(begun.elapsed());
        match status {
            200 => *decided.said.entry(verdict).or_default() += 1,
            // A conflict, and a version that is not the newest: whoever answers is told why.
            409 | 412 => decided.refused += 1,
            _ => decided.failed += 1,
        }
        tokio::time::sleep(DECIDE_EVERY).await;
    }
    decided
}

fn main() -> ExitCode {
    let folder = Folder::new("bench");
    let location = Location::File(folder.path().join("drover.db"));
    let text = WAVES.replacen("\nworkloads:\n", &format!("{MORE_CLUSTERS}\nworkloads:\n{MORE_WORKLOADS}"), 1);
    let scenario = simulator::scenario::read("three-waves.yaml", text.as_bytes()).unwrap();
    let service = Service::open(&config(location), scenario, text.as_bytes()).unwrap();
    let new = |name, role| NewToken {
        name: model::names::ReviewerName::new(name).unwrap(),
        role,
        scope: control::agent::Scope::default(),
        created_by: "bench".to_owned(),
        created_wall_ms: wall_ms(),
        expires_wall_ms: None,
    };
    let token = |name, role| -> Arc<str> {
        let made = service.database().write(|transaction| issue(transaction, &new(name, role)));
        made.unwrap().1.reveal().into()
    };
    let (person, agent) = (token("bench", Role::Admin), token("mover", Role::Agent));
    let (inside, outside) = (server::service::runtime().unwrap(), threads("readers"));
    let desk = service.desk().clone();
    let run = desk.now().run.clone();
    let template = inside.block_on(template(&service));
    fill(&service, &run, &template);
    let listener = inside.block_on(tokio::net::TcpListener::bind("127.0.0.1:0")).unwrap();
    let address = listener.local_addr().unwrap();
    let (stop_server, stopped) = tokio::sync::oneshot::channel::<()>();
    let serving = inside.spawn(service.serve(listener, async {
        let _ = stopped.await;
    }));
    println!("{STORED} recommendations are stored; everything in one process, whoever asks included.");
    let crowd = Crowd {
        address,
        bare: outside.block_on(bare::open(inside.handle(), address, &person)),
        token: person,
        desk,
        watchers: threads("watchers"),
    };
    let wrong = outside.block_on(load(&crowd, &agent));
    drop(crowd);
    let _ = stop_server.send(());
    inside.block_on(serving).unwrap().unwrap();
    report::verdict(wrong)
}

/// Threads that are not the desk's.
fn threads(name: &str) -> Runtime {
    let mut builder = tokio::runtime::Builder::new_multi_thread();
    builder.worker_threads(1).thread_name(name).enable_all().build().unwrap()
}

/// How much went wrong in all rounds.
async fn load(crowd: &Crowd, agent: &Arc<str>) -> Wrong {
    propose(crowd.address, agent).await;
    until_predicted(crowd.address, &crowd.token).await;
    println!("\n== The same readers at a bare server, for the speed of this machine ==");
    crowd.at_a_bare_server().await;
    println!("\n== Readers who ask again as soon as they were answered ==");
    let mut wrong = crowd.round(READERS, 0, Duration::ZERO).await.wrong;
    println!("\n== Readers who look again after {LOOK_AGAIN:?} ==");
    wrong += crowd.round(READERS, 0, LOOK_AGAIN).await.wrong;
    println!("\n== Watchers alone ==");
    wrong += crowd.round(0, WATCHERS, LOOK_AGAIN).await.wrong;
    println!("\n== Both, until {ROUNDS} rounds were calm, at most {MOST_ROUNDS} times ==");
    let mut calm = 0;
    for _ in 0..MOST_ROUNDS {
        let round = crowd.round(READERS, WATCHERS, LOOK_AGAIN).await;
        wrong += round.wrong;
        calm += usize::from(round.is_calm);
        if calm == ROUNDS {
            break;
        }
    }
    println!("{calm} rounds were calm: the host took less than {CALM} per cent of a processor.");
    println!("\n== Once more at a bare server ==");
    crowd.at_a_bare_server().await;
    wrong
}

/// What must not happen, however slow the machine is.
#[derive(Clone, Copy, Default)]
struct Wrong {
    /// Watchers that missed an event, or heard one twice or after a later one.
    watchers: usize,
    /// Answers to plans that were errors. A list or a recommendation that is one stops the bench at once.
    answers: u32,
}

impl std::ops::AddAssign for Wrong {
    fn add_assign(&mut self, other: Self) {
        self.watchers += other.watchers;
        self.answers += other.answers;
    }
}

/// What a round showed beside its figures.
struct Round {
    /// Whether the host left the machine alone.
    is_calm: bool,
    wrong: Wrong,
}

/// Whoever uses the desk.
struct Crowd {
    address: SocketAddr,
    /// Of a bare server on the desk's own threads.
    bare: SocketAddr,
    token: Arc<str>,
    /// What watchers heard is held against what this one's journal says.
    desk: Desk,
    watchers: Runtime,
}

impl Crowd {
    /// What the same readers get where nothing has to be done for them.
    async fn at_a_bare_server(&self) {
        let (begun, before) = (server::clock::now(), Spent::so_far());
        let asked = self.asked(self.bare, READERS, Duration::ZERO).await;
        report::answered(asked, begun.elapsed(), &before.since());
    }

    /// So many readers and watchers at once, while decisions are taken.
    async fn round(&self, readers: usize, watchers: usize, pause: Duration) -> Round {
        let (last, stop) = (Arc::new(AtomicU64::new(u64::MAX)), Arc::new(AtomicBool::new(false)));
        let watching = self.gather(watchers, &last).await;
        let first = self.desk.now().seq;
        let decider = tokio::spawn(decide(self.address, Arc::clone(&self.token), Arc::clone(&stop)));
        let (begun, before) = (server::clock::now(), Spent::so_far());
        let asked = self.asked(self.address, readers, pause).await;
        if readers == 0 {
            tokio::time::sleep(WATCHED).await;
        }
        let (took, spent) = (begun.elapsed(), before.since());
        stop.store(true, Ordering::Relaxed);
        let decided = decider.await.unwrap();
        let heard = self.last_words(&last, watching).await;
        println!("{readers} readers, {watchers} watchers, {} in {took:.1?}", report::answers(&decided));
        if readers > 0 {
            report::answered(asked, took, &spent);
        }
        let mut wrong = Wrong { answers: decided.failed, ..Wrong::default() };
        if !decided.times.is_empty() {
            report::times("decisions", decided.times);
        }
        if watchers > 0 {
            let end = last.load(Ordering::Acquire) as i64;
            wrong.watchers = report::heard(&heard, written(&self.desk, first, end).await);
        }
        if let Some(memory) = report::memory() {
            println!("{:<28} {memory:>7.0} MB", "memory");
        }
        Round { is_calm: spent.share_stolen(took).is_none_or(|share| share < CALM), wrong }
    }

    /// Watchers, all of whom have been let in.
    async fn gather(&self, count: usize, last: &Arc<AtomicU64>) -> Vec<tokio::task::JoinHandle<Heard>> {
        let (ready, mut are_ready) = mpsc::channel(WATCHERS);
        let watcher = || watch(self.address, Arc::clone(&self.token), ready.clone(), Arc::clone(last));
        let watching: Vec<_> = (0..count).map(|_| self.watchers.spawn(watcher())).collect();
        for _ in 0..count {
            are_ready.recv().await.unwrap();
        }
        watching
    }

    /// The times of so many readers.
    async fn asked(&self, address: SocketAddr, readers: usize, pause: Duration) -> Times {
        let reader = |seed| read(address, Arc::clone(&self.token), seed, pause);
        let reading: Vec<_> = (0..readers).map(|seed| tokio::spawn(reader(seed))).collect();
        let mut asked = Times::new();
        for reader in reading {
            for (name, times) in reader.await.unwrap() {
                asked.entry(name).or_default().extend(times);
            }
        }
        asked
    }

    /// One more event, so that whoever waits hears the last one; and how many each has heard.
    async fn last_words(
        &self,
        last: &AtomicU64,
        watching: Vec<tokio::task::JoinHandle<Heard>>,
    ) -> Vec<Heard> {
        let mut line = Line::open(self.address, &self.token).await;
        let (_, _, status) = line.ask("GET", "/api/v1/status", "", None).await;
        last.store(status["seq"].as_u64().unwrap() + 1, Ordering::Release);
        line.ask("POST", "/api/v1/clock", "", Some(&json!({ "order": "pause" }))).await;
        let mut heard = Vec::new();
        for watcher in watching {
            heard.push(tokio::time::timeout(Duration::from_mins(1), watcher).await.unwrap().unwrap());
        }
        heard
    }
}

/// A real recommendation to copy.
async fn template(service: &Service) -> Whole {
    use server::office::ClockOrder;
    let desk = service.desk();
    let advance = ClockOrder::Advance(model::time::Period::from_secs(130));
    desk.office().clock("person:bench".to_owned(), advance).await.unwrap();
    let run = desk.now().run.clone();
    let page = desk
        .read(move |connection| {
            let filter = recommendations::Filter::default();
            let sort = recommendations::Sort::default();
            let page = recommendations::list(connection, &run, &filter, sort, None, 1)?;
            recommendations::whole(connection, &run, page.rows[0].id)
        })
        .await;
    page.unwrap_or_else(|problem| panic!("{}", problem.detail)).expect("there is a recommendation")
}
