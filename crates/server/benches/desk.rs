//! How fast a desk answers under load: 10,000 recommendations, 50 readers, 500 watchers, while decisions are taken.
//!
//! `cargo bench -p server --bench desk`, or `make bench`. All in one process over real sockets on this machine, SQLite in a file.

#![expect(clippy::print_stdout, reason = "a benchmark prints")]
#![expect(clippy::unwrap_used, reason = "a benchmark stops where something is wrong")]

use serde_json::{Value, json};
use server::access::{NewToken, Role, issue};
use server::clock::wall_ms;
use server::config::{self, DeskConfig};
use server::service::Service;
use server::storage::tables::recommendations::{self, Item};
use server::storage::{JsonText, Location};
use server::testing::Folder;
use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::net::TcpStream;

const SCENARIO: &str = include_str!("../../../scenarios/three-waves.yaml");
const STORED: i64 = 10_000;
const READERS: usize = 50;
const WATCHERS: usize = 500;
/// Each reader asks so often.
const REQUESTS: usize = 400;

const LISTS: [&str; 6] = [
    "/api/v1/recommendations?limit=50",
    "/api/v1/recommendations?stage=applied&limit=50",
    "/api/v1/recommendations?risk=medium&sort=-benefit&limit=50",
    "/api/v1/recommendations?search=web-42&limit=50",
    "/api/v1/recommendations?namespace=shop&sort=workload&limit=50",
    "/api/v1/recommendations?cluster=member2&sort=-expires_at&limit=50",
];

/// A connection that speaks just enough HTTP.
struct Line {
    stream: BufReader<TcpStream>,
    token: Arc<str>,
}

impl Line {
    async fn open(address: SocketAddr, token: &Arc<str>) -> Self {
        let stream = TcpStream::connect(address).await.unwrap();
        stream.set_nodelay(true).unwrap();
        Self { stream: BufReader::new(stream), token: Arc::clone(token) }
    }

    async fn ask(
        &mut self,
        method: &str,
        path: &str,
        tag: &str,
        body: Option<&Value>,
    ) -> (u16, String, Value) {
        let body = body.map(ToString::to_string).unwrap_or_default();
        let request = format!(
            "{method} {path} HTTP/1.1\r\nhost: desk\r\nauthorization: Bearer {}\r\nif-match: {tag}\r\n\
             content-type: application/json\r\ncontent-length: {}\r\n\r\n{body}",
            self.token,
            body.len()
        );
        self.stream.get_mut().write_all(request.as_bytes()).await.unwrap();
        let (status, tag, length) = self.head().await;
        let mut bytes = vec![0; length];
        self.stream.read_exact(&mut bytes).await.unwrap();
        (status, tag, serde_json::from_slice(&bytes).unwrap_or_default())
    }

    async fn head(&mut self) -> (u16, String, usize) {
        let (mut status, mut tag, mut length) = (0, String::new(), 0);
        loop {
            let mut line = String::new();
            self.stream.read_line(&mut line).await.unwrap();
            let line = line.trim_end();
            if line.is_empty() {
                return (status, tag, length);
            }
            if let Some(rest) = line.strip_prefix("HTTP/1.1 ") {
                status = rest[..3].parse().unwrap();
            }
            if let Some((name, value)) = line.split_once(": ") {
                match name {
                    "etag" => value.clone_into(&mut tag),
                    "content-length" => length = value.parse().unwrap(),
                    _ => {}
                }
            }
        }
    }
}

fn config(location: Location) -> DeskConfig {
    let text = "drover: desk/v1\nlisten: 127.0.0.1:0\nworld: { simulate: three-waves.yaml, paused: true }\n\
                limits: { requests_per_second: 1000000, burst: 1000000, streams: 1000 }\n";
    DeskConfig { storage: location, ..config::read("desk.yaml", text.as_bytes()).unwrap() }
}

/// Copies of one real recommendation under other names.
fn fill(service: &Service, run: &str, template: &Item) {
    let stages =
        [model::review::Stage::Applied, model::review::Stage::Rejected, model::review::Stage::Expired];
    service
        .database()
        .write(|transaction| {
            for number in 0..STORED {
                let id = 1_000_000 + number;
                let name =
                    format!("deployment/{}/web-{number}", if number % 3 == 0 { "shop" } else { "default" });
                let mut body: Value = serde_json::from_str(template.body.as_str()).unwrap();
                body["id"] = json!(format!("R-{id}"));
                let item = Item {
                    run: run.to_owned(),
                    id,
                    stage: stages[(number % 3) as usize],
                    workload: Some(name),
                    namespace: Some(if number % 3 == 0 { "shop" } else { "default" }.to_owned()),
                    risk: 1 + number % 3,
                    raised_at_ms: number * 10,
                    settled_at_ms: Some(number * 10 + 5),
                    benefit: Some((number % 97) as f64 / 7.0),
                    body: JsonText::of(&body),
                    ..template.clone()
                };
                recommendations::put(transaction, &item)?;
            }
            Ok(())
        })
        .unwrap();
}

/// One reader's times, lists and details apart.
async fn read(address: SocketAddr, token: Arc<str>, seed: usize) -> (Vec<Duration>, Vec<Duration>) {
    let mut line = Line::open(address, &token).await;
    let (mut lists, mut details) = (Vec::new(), Vec::new());
    for turn in 0..REQUESTS {
        let number = seed * 7_919 + turn * 104_729;
        let detail = format!("/api/v1/recommendations/R-{}", 1_000_000 + number % STORED as usize);
        let is_list = turn % 2 == 0;
        let path = if is_list { LISTS[number % LISTS.len()] } else { &detail };
        let begun = server::clock::now();
        let (status, _, _) = line.ask("GET", path, "", None).await;
        let took = begun.elapsed();
        assert_eq!(status, 200, "{path}");
        if is_list { lists.push(took) } else { details.push(took) }
    }
    (lists, details)
}

/// Follows the events until it has seen the last one; every one in order, none twice, none left out.
async fn watch(address: SocketAddr, token: Arc<str>, seen: Arc<AtomicU64>, last: Arc<AtomicU64>) -> u64 {
    let mut line = Line::open(address, &token).await;
    let request = format!(
        "GET /api/v1/events?after=1-0 HTTP/1.1\r\nhost: desk\r\nauthorization: Bearer {}\r\n\r\n",
        line.token
    );
    line.stream.get_mut().write_all(request.as_bytes()).await.unwrap();
    let (mut count, mut former) = (0, (0, 0));
    loop {
        let mut text = String::new();
        if line.stream.read_line(&mut text).await.unwrap_or(0) == 0 {
            return count;
        }
        let Some(id) = text.strip_prefix("id: ") else { continue };
        let (seq, index) = id.trim().split_once('-').unwrap();
        let now: (u64, u64) = (seq.parse().unwrap(), index.parse().unwrap());
        assert!(now > former, "{now:?} after {former:?}");
        former = now;
        count += 1;
        seen.fetch_add(1, Ordering::Relaxed);
        if last.load(Ordering::Acquire) == now.0 {
            return count;
        }
    }
}

/// Lets time go on and answers what comes, until somebody says stop.
async fn decide(address: SocketAddr, token: Arc<str>, stop: Arc<AtomicBool>) -> (u32, Vec<Duration>) {
    let mut line = Line::open(address, &token).await;
    let (mut decisions, mut times) = (0, Vec::new());
    while !stop.load(Ordering::Relaxed) {
        let freeze = json!({ "scope": "workload", "name": "default/nobody", "reason": "load" });
        let begun = server::clock::now();
        let (status, _, made) = line.ask("POST", "/api/v1/freezes", "", Some(&freeze)).await;
        assert_eq!(status, 201);
        times.push(begun.elapsed());
        let lift = format!("/api/v1/freezes/{}/lift", made["id"].as_str().unwrap());
        let (status, _, _) = line.ask("POST", &lift, "", Some(&json!({ "reason": "load" }))).await;
        assert_eq!(status, 204);
        decisions += 2;
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    (decisions, times)
}

fn percentile(times: &mut [Duration], share: f64) -> f64 {
    times.sort_unstable();
    let place = ((times.len() as f64 * share).ceil() as usize).clamp(1, times.len());
    times[place - 1].as_secs_f64() * 1000.0
}

fn report(name: &str, mut times: Vec<Duration>) {
    let (half, most, worst) =
        (percentile(&mut times, 0.5), percentile(&mut times, 0.99), percentile(&mut times, 1.0));
    println!("{name:<28} {:>7}   p50 {half:>7.2} ms   p99 {most:>7.2} ms   max {worst:>7.2} ms", times.len());
}

/// Memory in use, in MB; nothing where the system does not say.
fn memory() -> Option<f64> {
    let text = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = text.lines().find(|line| line.starts_with("VmRSS:"))?;
    Some(line.split_whitespace().nth(1)?.parse::<f64>().ok()? / 1024.0)
}

fn main() {
    let folder = Folder::new("bench");
    let location = Location::File(folder.path().join("drover.db"));
    let scenario = simulator::scenario::read("three-waves.yaml", SCENARIO.as_bytes()).unwrap();
    let service = Service::open(&config(location), scenario, SCENARIO.as_bytes()).unwrap();
    let new = |role| NewToken {
        name: model::names::ReviewerName::new("bench").unwrap(),
        role,
        scope: control::agent::Scope::default(),
        created_by: "bench".to_owned(),
        created_wall_ms: wall_ms(),
        expires_wall_ms: None,
    };
    let (_, secret) = service.database().write(|transaction| issue(transaction, &new(Role::Admin))).unwrap();
    let token: Arc<str> = secret.reveal().into();
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().unwrap();
    runtime.block_on(load(service, token));
}

async fn load(service: Service, token: Arc<str>) {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let run = service.desk().now().run.clone();
    let template = template(&service).await;
    tokio::task::block_in_place(|| fill(&service, &run, &template));
    let (stop_server, stopped) = tokio::sync::oneshot::channel::<()>();
    let serving = tokio::spawn(service.serve(listener, async {
        let _ = stopped.await;
    }));
    let before = memory();
    let (seen, last, stop) =
        (Arc::default(), Arc::new(AtomicU64::new(u64::MAX)), Arc::new(AtomicBool::new(false)));
    let watchers: Vec<_> = (0..WATCHERS)
        .map(|_| tokio::spawn(watch(address, Arc::clone(&token), Arc::clone(&seen), Arc::clone(&last))))
        .collect();
    let decider = tokio::spawn(decide(address, Arc::clone(&token), Arc::clone(&stop)));
    let begun = server::clock::now();
    let readers: Vec<_> =
        (0..READERS).map(|seed| tokio::spawn(read(address, Arc::clone(&token), seed))).collect();
    let (mut lists, mut details) = (Vec::new(), Vec::new());
    for reader in readers {
        let (some_lists, some_details) = reader.await.unwrap();
        lists.extend(some_lists);
        details.extend(some_details);
    }
    let took = begun.elapsed();
    stop.store(true, Ordering::Relaxed);
    let (decisions, times) = decider.await.unwrap();
    let mut line = Line::open(address, &token).await;
    let (_, _, status) = line.ask("GET", "/api/v1/status", "", None).await;
    // One more event, so that whoever waits hears the last one.
    last.store(status["seq"].as_u64().unwrap() + 1, Ordering::Release);
    line.ask("POST", "/api/v1/clock", "", Some(&json!({ "order": "pause" }))).await;
    let mut heard = Vec::new();
    for watcher in watchers {
        heard.push(tokio::time::timeout(Duration::from_mins(1), watcher).await.unwrap().unwrap());
    }
    println!(
        "{STORED} recommendations, {READERS} readers, {WATCHERS} watchers, {decisions} decisions in {took:.1?}"
    );
    report("lists", lists);
    report("details", details);
    report("decisions (freezes)", times);
    let (least, most) = (heard.iter().min().unwrap(), heard.iter().max().unwrap());
    assert_eq!(least, most, "some watchers heard less than others");
    println!(
        "{:<28} {:>7}   each of {least} events in order, nobody missed one",
        "events",
        seen.load(Ordering::Relaxed)
    );
    if let (Some(before), Some(after)) = (before, memory()) {
        println!("{:<28} {before:.0} MB before, {after:.0} MB after", "memory");
    }
    let _ = stop_server.send(());
    serving.await.unwrap().unwrap();
}

/// A real recommendation to copy.
async fn template(service: &Service) -> Item {
    use server::office::ClockOrder;
    let desk = service.desk();
    let advance = ClockOrder::Advance(model::time::Period::from_secs(130));
    desk.office().clock("person:bench".to_owned(), advance).await.unwrap();
    let run = desk.now().run.clone();
    let page = desk
        .read(move |connection| {
            let filter = recommendations::Filter::default();
            recommendations::list(connection, &run, &filter, recommendations::Sort::default(), None, 1)
        })
        .await;
    page.unwrap_or_else(|problem| panic!("{}", problem.detail)).rows.remove(0)
}
