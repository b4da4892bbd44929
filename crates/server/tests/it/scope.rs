//! Somebody with a scope: in every list, every detail and every event they find what touches their part, and nothing else.

use crate::box_desk::{BoxDesk, block_on, request};
use crate::wire::{Reply, call};
use axum::http::{Method, StatusCode};
use control::agent::Scope;
use model::names::ClusterName;
use serde_json::{Value, json};
use server::access::{Role, Secret, UNTOLD};
use server::api::endpoint::{Access, Breadth};
use server::testing::{Folder, on_each_location};
use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Write};
use std::net::{SocketAddr, TcpStream};
use std::time::Duration;

const SCENARIO: &str = "drover: scenario/v1
name: three-parts
kubernetes: \"1.35\"
duration: 1h
clusters:
  - { name: member1, pools: [{ name: small, nodes: 3, cpu: 8, memory: 16Gi }] }
  - { name: member2, pools: [{ name: small, nodes: 3, cpu: 8, memory: 16Gi }] }
  - { name: member3, pools: [{ name: small, nodes: 3, cpu: 8, memory: 16Gi, maximum: 6 }] }
workloads:
  - { name: web, namespace: shop, cluster: member1, at: 1s, replicas: 2, cpu: 1, memory: 1Gi }
  - { name: cart, namespace: shop, cluster: member1, at: 1s, replicas: 2, cpu: 1, memory: 1Gi }
  - { name: far, namespace: shop, cluster: member3, at: 1s, replicas: 2, cpu: 1, memory: 1Gi }
  - { name: ledger, namespace: bank, cluster: member1, at: 1s, replicas: 2, cpu: 1, memory: 1Gi }
  - { name: teller, namespace: bank, cluster: member2, at: 1s, replicas: 2, cpu: 1, memory: 1Gi }
observation: { every: 30s }
agents:
  - { name: quiet, when: { every: 60s }, decide: { strategy: hold } }
";

/// A part of the federation as a test knows it.
#[derive(Clone, Debug)]
struct Part {
    clusters: &'static [&'static str],
    namespaces: &'static [&'static str],
}

const fn part(clusters: &'static [&'static str], namespaces: &'static [&'static str]) -> Part {
    Part { clusters, namespaces }
}

const PARTS: [Part; 6] = [
    part(&["member1"], &[]),
    part(&["member3"], &[]),
    part(&[], &["shop"]),
    part(&[], &["bank"]),
    part(&["member2"], &["bank"]),
    part(&["elsewhere"], &["nowhere"]),
];

impl Part {
    fn scope(&self) -> Scope {
        Scope {
            clusters: self.clusters.iter().map(|name| ClusterName::new(name).expect("a name")).collect(),
            namespaces: self.namespaces.iter().map(|&name| name.to_owned()).collect(),
        }
    }

    fn cluster(&self, name: &Value) -> bool {
        self.clusters.is_empty() || name.as_str().is_some_and(|name| self.clusters.contains(&name))
    }

    fn namespace(&self, name: &str) -> bool {
        self.namespaces.is_empty() || self.namespaces.contains(&name)
    }

    /// Whether a recommendation of the list touches it.
    fn sees(&self, item: &Value) -> bool {
        let namespace = item["workload"].as_str().and_then(|text| text.split('/').nth(1));
        (self.cluster(&item["from"]) || self.cluster(&item["to"]))
            && (self.namespaces.is_empty() || namespace.is_some_and(|name| self.namespace(name)))
    }

    /// Whether they may decide about it.
    fn holds(&self, item: &Value) -> bool {
        self.sees(item) && self.cluster(&item["from"]) && (item["to"].is_null() || self.cluster(&item["to"]))
    }

    fn workload(&self, item: &Value) -> bool {
        let here = item["placements"]
            .as_array()
            .is_some_and(|all| all.iter().any(|it| self.cluster(&it["cluster"])));
        (self.clusters.is_empty() || here) && self.namespace(item["namespace"].as_str().unwrap_or_default())
    }

    fn extent(&self, kind: &Value, name: &Value) -> bool {
        match kind.as_str() {
            Some("cluster") => self.cluster(name),
            Some("namespace") => self.namespace(name.as_str().unwrap_or_default()),
            _ => true,
        }
    }
}

fn migrate(workload: &str, from: &str, to: &str) -> Value {
    let action = json!({ "kind": "migrate", "workload": workload, "from": from, "to": to, "replicas": 2 });
    json!({ "action": action, "reason": "member1 is fuller than member3, and ledger waits." })
}

async fn must(desk: &BoxDesk, secret: &Secret, method: Method, path: &str, body: Value) -> Value {
    let answer = desk.send(request(method, path, Some(secret), Some(body), &[])).await;
    assert!(answer.status.is_success(), "{path}: {}", answer.body);
    answer.body
}

/// Plans across all parts, some of them carried out, some stopped; the last thing that happens is the clock.
async fn make_history(desk: &BoxDesk) {
    let mover = desk.another("mover", Role::Agent);
    desk.advance(40).await;
    let resize = json!({ "kind": "resize_pool", "cluster": "member3", "pool": "small", "from": 3, "to": 4 });
    let drafts = json!({ "drafts": [
        migrate("shop/web", "member1", "member2"),
        migrate("bank/ledger", "member1", "member3"),
        migrate("bank/teller", "member2", "member3"),
        migrate("shop/far", "member3", "member2"),
        { "action": resize, "reason": "Member3 is full." },
    ] });
    let proposed = must(desk, &mover, Method::POST, "/api/v1/recommendations", drafts).await;
    let outcomes: Vec<&Value> = proposed["results"].as_array().expect("results").iter().collect();
    assert!(outcomes.iter().all(|it| it["outcome"] == "accepted"), "{proposed}");
    desk.advance(1).await;
    let operator = desk.secret(Role::Operator).clone();
    for index in [0, 3] {
        let id = outcomes[index]["id"].as_str().expect("an id");
        let answer = desk.decide(&operator, id, json!({ "verdict": "approve" })).await;
        assert_eq!(answer.status, StatusCode::OK, "{}", answer.body);
    }
    desk.advance(60).await;
    let admin = desk.secret(Role::Admin).clone();
    for (scope, name) in [("cluster", "member3"), ("namespace", "bank"), ("cluster", "member1")] {
        let wish = json!({ "scope": scope, "name": name, "reason": "calm" });
        let frozen = must(desk, &operator, Method::POST, "/api/v1/freezes", wish).await;
        if name == "member1" {
            let path = format!("/api/v1/freezes/{}/lift", frozen["id"].as_str().expect("an id"));
            must(desk, &admin, Method::POST, &path, json!({ "reason": "over" })).await;
        }
    }
    for (scope, name) in [("namespace", "shop"), ("cluster", "member2")] {
        let wish = json!({ "mode": "human", "scope": scope, "name": name, "reason": "calm" });
        must(desk, &admin, Method::PUT, "/api/v1/modes", wish).await;
    }
    must(desk, &operator, Method::POST, "/api/v1/clock", json!({ "order": "pause" })).await;
}

/// Somebody at the desk.
struct Visitor {
    address: SocketAddr,
    token: String,
}

impl Visitor {
    fn new(address: SocketAddr, secret: &Secret) -> Self {
        Self { address, token: format!("Bearer {}", secret.reveal()) }
    }

    fn send(&self, method: &str, path: &str, headers: &[(&str, &str)], body: Option<&Value>) -> Reply {
        // With the same name for each request, answers that should be the same are so to the letter.
        let own = [("authorization", self.token.as_str()), ("x-request-id", "visit")];
        let headers = [&own, headers].concat();
        call(self.address, method, path, &headers, body.map(ToString::to_string).as_deref())
    }

    fn get(&self, path: &str) -> Reply {
        self.send("GET", path, &[], None)
    }

    fn list(&self, path: &str) -> Vec<Value> {
        let all = self.get(path).json();
        let items = all.as_array().or_else(|| all["items"].as_array());
        items.unwrap_or_else(|| panic!("{path}: {all}")).clone()
    }

    /// A list one by one, where every page but the last is full.
    fn pages(&self, path: &str) -> Vec<Value> {
        let (mut all, mut cursor) = (Vec::new(), String::new());
        loop {
            let page = self.get(&format!("{path}?limit=1{cursor}")).json();
            let items = page["items"].as_array().unwrap_or_else(|| panic!("{path}: {page}")).clone();
            let total = page["total"].as_u64().expect("a number") as usize;
            assert_eq!(items.len(), usize::from(total > 0), "{path}: a page is full: {page}");
            all.extend(items);
            let Some(next) = page["nextCursor"].as_str() else {
                assert_eq!(all.len(), total, "{path}");
                return all;
            };
            cursor = format!("&cursor={next}");
        }
    }

    /// What was told since the beginning, as long as somebody listens.
    fn stream(&self, topics: &str) -> impl Iterator<Item = Value> {
        let mut stream = TcpStream::connect(self.address).expect("somebody listens");
        stream.set_read_timeout(Some(Duration::from_secs(20))).expect("a time limit");
        let path = format!("/api/v1/events?after=1-0{topics}");
        let text = format!("GET {path} HTTP/1.1\r\nhost: x\r\nauthorization: {}\r\n\r\n", self.token);
        stream.write_all(text.as_bytes()).expect("it is taken");
        let lines = BufReader::new(stream).lines().map(|line| line.expect("the stream goes on"));
        lines.filter_map(|line| serde_json::from_str(line.strip_prefix("data:")?.trim()).ok())
    }

    /// The event of the clock that was stopped at the end, which everybody hears of. Whatever was refused since comes later.
    fn last_pause(&self) -> String {
        let pause = self.stream("&topics=clock").find(|event| event["data"]["order"] == "pause");
        pause.and_then(|event| event["id"].as_str().map(str::to_owned)).expect("it was stopped")
    }

    /// Everything that was told, up to this.
    fn events(&self, last: &str) -> Vec<Value> {
        let mut all = Vec::new();
        for event in self.stream("") {
            let over = event["id"] == last;
            all.push(event);
            if over {
                return all;
            }
        }
        panic!("the stream ended before {last}");
    }
}

fn ids(items: &[Value], key: &str) -> Vec<String> {
    let name = |item: &Value| item[key].as_str().unwrap_or_default().to_owned();
    let mut all: Vec<String> = items.iter().map(name).collect();
    all.sort();
    all
}

#[test]
fn everybody_sees_what_touches_their_part_and_nothing_else() {
    on_each_location(|location| {
        let desk = BoxDesk::open_with(location, "prediction: { horizon: 5m, seeds: 2 }\n", SCENARIO);
        block_on(make_history(&desk));
        let visitors: Vec<(Part, Secret)> = PARTS
            .into_iter()
            .enumerate()
            .map(|(index, part)| {
                let secret = desk.scoped(&format!("local-{index}"), Role::Operator, part.scope());
                (part, secret)
            })
            .collect();
        let whole = desk.secret(Role::Operator).clone();
        block_on(async {
            let (address, _stop) = desk.listen().await;
            let all = Visitor::new(address, &whole);
            for (part, secret) in visitors {
                let local = Visitor::new(address, &secret);
                check_recommendations(&part, &all, &local);
                check_executions(&part, &all, &local);
                check_world(&part, &all, &local);
                check_desk(&part, &all, &local);
                check_predictions(&part, &all, &local);
                check_events(&part, &all, &local);
                check_decisions(&part, &all, &local);
            }
        });
        Ok(())
    });
}

/// Absent and unseen are the same, to the letter.
fn check_detail(local: &Visitor, path: &str, (id, absent): (&str, &str), seen: bool, whom: &Part) {
    let found = local.get(&format!("{path}/{id}"));
    assert_eq!(found.status, if seen { 200 } else { 404 }, "{path}/{id} for {whom:?}: {}", found.text());
    if !seen {
        let nothing = local.get(&format!("{path}/{absent}"));
        assert_eq!(found.text(), nothing.text().replace(absent, id), "{path} for {whom:?}");
    }
}

fn check_recommendations(part: &Part, all: &Visitor, local: &Visitor) {
    let path = "/api/v1/recommendations";
    let items = all.pages(path);
    assert!(items.len() >= 5);
    let expected: Vec<Value> = items.iter().filter(|item| part.sees(item)).cloned().collect();
    assert_eq!(ids(&local.pages(path), "id"), ids(&expected, "id"), "{part:?}");
    for item in &items {
        let id = item["id"].as_str().expect("an id");
        check_detail(local, path, (id, "R-999"), part.sees(item), part);
    }
    let waiting = expected.iter().filter(|item| item["stage"] == "pending").count();
    assert_eq!(local.get("/api/v1/status").json()["waiting"], waiting, "{part:?}");
    let counted: u64 = local
        .list("/api/v1/agents")
        .iter()
        .flat_map(|agent| agent["recommendations"].as_object().cloned().unwrap_or_default())
        .filter_map(|(_, count)| count.as_u64())
        .sum();
    assert_eq!(counted as usize, expected.len(), "{part:?}");
}

fn check_executions(part: &Part, all: &Visitor, local: &Visitor) {
    let items = all.list("/api/v1/executions");
    assert_eq!(items.len(), 2);
    let plans: BTreeMap<String, Value> = all
        .list("/api/v1/recommendations")
        .into_iter()
        .map(|item| (item["id"].as_str().unwrap_or_default().to_owned(), item))
        .collect();
    let sees = |item: &Value| part.sees(&plans[item["id"].as_str().expect("an id")]);
    let expected: Vec<Value> = items.iter().filter(|item| sees(item)).cloned().collect();
    assert_eq!(ids(&local.list("/api/v1/executions"), "id"), ids(&expected, "id"), "{part:?}");
    for item in &items {
        let id = item["id"].as_str().expect("an id");
        check_detail(local, "/api/v1/executions", (id, "R-999"), sees(item), part);
        let abort = json!({ "reason": "calm" });
        let path = format!("/api/v1/executions/{id}/abort");
        let status = local.send("POST", &path, &[], Some(&abort)).status;
        assert_eq!(status == 404, !sees(item), "{path} for {part:?}: {status}");
    }
}

fn check_world(part: &Part, all: &Visitor, local: &Visitor) {
    let clusters = all.list("/api/v1/clusters");
    let expected: Vec<Value> = clusters.iter().filter(|item| part.cluster(&item["name"])).cloned().collect();
    assert_eq!(ids(&local.list("/api/v1/clusters"), "name"), ids(&expected, "name"), "{part:?}");
    for item in &clusters {
        let name = item["name"].as_str().expect("a name");
        check_detail(local, "/api/v1/clusters", (name, "member9"), part.cluster(&item["name"]), part);
    }
    let workloads = all.pages("/api/v1/workloads");
    let expected: Vec<Value> = workloads.iter().filter(|item| part.workload(item)).cloned().collect();
    let seen = local.pages("/api/v1/workloads");
    assert_eq!(ids(&seen, "workload"), ids(&expected, "workload"), "{part:?}");
    let places = seen.iter().flat_map(|item| item["placements"].as_array().cloned().unwrap_or_default());
    assert!(places.into_iter().all(|it| part.cluster(&it["cluster"])), "{part:?}");
    for item in &workloads {
        let name = item["workload"].as_str().expect("a name");
        check_detail(local, "/api/v1/workloads", (name, "deployment/shop/nobody"), part.workload(item), part);
    }
}

fn check_desk(part: &Part, all: &Visitor, local: &Visitor) {
    let freezes = all.list("/api/v1/freezes");
    assert_eq!(freezes.len(), 2);
    let sees = |item: &&Value| part.extent(&item["scope"], &item["name"]);
    let expected: Vec<Value> = freezes.iter().filter(sees).cloned().collect();
    assert_eq!(ids(&local.list("/api/v1/freezes"), "id"), ids(&expected, "id"), "{part:?}");
    let status = local.get("/api/v1/status").json();
    assert_eq!(ids(status["freezes"].as_array().expect("freezes"), "id"), ids(&expected, "id"), "{part:?}");
    let modes = all.get("/api/v1/modes").json()["settings"].as_array().expect("settings").clone();
    let expected: Vec<Value> = modes.iter().filter(sees).cloned().collect();
    let seen = local.get("/api/v1/modes").json();
    assert_eq!(
        ids(seen["settings"].as_array().expect("settings"), "name"),
        ids(&expected, "name"),
        "{part:?}"
    );
}

fn subjects(prediction: &Value) -> Vec<String> {
    let outlooks = [&prediction["alone"], &prediction["jointly"]];
    let measures = outlooks.into_iter().filter_map(|outlook| outlook["measures"].as_array()).flatten();
    measures.filter_map(|measure| measure["subject"].as_str().map(str::to_owned)).collect()
}

fn check_predictions(part: &Part, all: &Visitor, local: &Visitor) {
    let items = all.list("/api/v1/recommendations?stage=pending");
    let seen = all.list("/api/v1/recommendations").into_iter().filter(|item| part.sees(item));
    let seen = ids(&seen.collect::<Vec<_>>(), "id");
    let mine = |subject: &String| match subject.split('/').nth(1) {
        Some(namespace) => part.namespace(namespace),
        None => subject == "federation" || part.cluster(&json!(subject)),
    };
    let check = |prediction: &Value, path: &str| {
        assert!(subjects(prediction).iter().all(mine), "{path} for {part:?}: {:?}", subjects(prediction));
        let others = prediction["togetherWith"].as_array().expect("a list").iter();
        assert!(others.filter_map(Value::as_str).all(|id| seen.iter().any(|it| it == id)), "{part:?}");
    };
    for item in &items {
        let id = item["id"].as_str().expect("an id");
        let preview = local.send("POST", "/api/v1/previews", &[], Some(&json!({ "ids": [id] })));
        assert_eq!(
            preview.status,
            if part.sees(item) { 200 } else { 404 },
            "{id} for {part:?}: {}",
            preview.text()
        );
        if part.sees(item) {
            check(&preview.json(), "previews");
            let detail = local.get(&format!("/api/v1/recommendations/{id}")).json();
            assert!(detail["prediction"].is_object(), "{detail}");
            check(&detail["prediction"], id);
            check_plan(part, &detail);
            check_search(part, local, &detail);
        }
        let whole = all.get(&format!("/api/v1/recommendations/{id}")).json();
        assert!(whole["reason"].as_str().is_some_and(|reason| reason.contains("full")), "{whole}");
        assert!(subjects(&whole["prediction"]).iter().any(|subject| subject.starts_with("member")));
    }
}

/// What becomes of other parts is not told, nor how they stand.
fn check_plan(part: &Part, detail: &Value) {
    for (list, name) in [("changes", "cluster"), ("evidence", "subject")] {
        for row in detail[list].as_array().expect("a list") {
            let is_cluster = row[name].as_str().is_some_and(|about| about.starts_with("member"));
            assert!(!is_cluster || part.cluster(&row[name]), "{row} in {list} for {part:?}: {detail}");
        }
    }
    let others = |words: &Value| {
        let words = words.as_str().unwrap_or_default().to_ascii_lowercase();
        words.split(|letter: char| !letter.is_ascii_alphanumeric()).any(|word| {
            (word.starts_with("member") && !part.cluster(&json!(word)))
                || (word == "ledger" && !(part.namespace("bank") && part.cluster(&json!("member1"))))
        })
    };
    let said = |list: &str, field: &str| -> Vec<Value> {
        detail[list].as_array().into_iter().flatten().map(|row| row[field].clone()).collect()
    };
    let mut words = vec![detail["reason"].clone(), detail["outcome"].clone()];
    words.extend(said("alternatives", "option").into_iter().chain(said("alternatives", "rejectedBecause")));
    words.extend(said("checks", "because").into_iter().chain(said("opinions", "words")));
    words.extend(said("evidence", "value").into_iter().chain(said("allowed", "because")));
    words.extend(detail["riskBecause"].as_array().into_iter().flatten().cloned());
    assert!(!words.iter().any(others), "{part:?}: {words:?}");
    let is_told = detail["riskBecause"].to_string().contains("would wait")
        || !said("checks", "because").iter().all(|words| words.is_null() || words == UNTOLD);
    assert!(part.holds(detail) || !is_told, "{part:?}: {detail}");
}

/// A row says no more than its page, and nobody finds out by searching.
fn check_search(part: &Part, local: &Visitor, detail: &Value) {
    let row = local.list("/api/v1/recommendations").into_iter().find(|row| row["id"] == detail["id"]);
    assert_eq!(row.map(|row| row["reason"].clone()), Some(detail["reason"].clone()), "{part:?}");
    assert!(local.list("/api/v1/recommendations?search=full").is_empty(), "{part:?}");
}

fn check_events(part: &Part, all: &Visitor, local: &Visitor) {
    let last = all.last_pause();
    let events = all.events(&last);
    let plans: BTreeMap<String, bool> = all
        .list("/api/v1/recommendations?limit=500")
        .iter()
        .map(|item| (item["id"].as_str().unwrap_or_default().to_owned(), part.sees(item)))
        .collect();
    let mut freezes: BTreeMap<String, bool> = BTreeMap::new();
    let mut expected = Vec::new();
    for event in &events {
        let subject = event["subject"].as_str().unwrap_or_default();
        let scope = &event["data"]["scope"];
        let kind = event["type"].as_str().unwrap_or_default().trim_start_matches("io.drover.").to_owned();
        let seen = match kind.split('.').next().unwrap_or_default() {
            "snapshot" | "clock" => true,
            "recommendation" | "execution" | "decision" => plans[subject],
            "freeze" if kind.starts_with("freeze.set") => {
                *freezes.entry(subject.to_owned()).or_insert(part.extent(&scope["kind"], &scope["name"]))
            }
            "freeze" => freezes[subject],
            "mode" => part.extent(&scope["kind"], &scope["name"]),
            _ => false,
        };
        if seen {
            expected.push(event["id"].clone());
        }
    }
    let heard: Vec<Value> = local.events(&last).into_iter().map(|event| event["id"].clone()).collect();
    assert_eq!(heard, expected, "{part:?}");
    let reasons = |told: &[Value]| {
        let is_plan = |event: &&Value| {
            let kind = event["type"].as_str().unwrap_or_default();
            ["recommendation", "execution"].iter().any(|family| kind.contains(&format!(".{family}.")))
        };
        told.iter().filter(is_plan).filter(|event| event["data"]["reason"] != Value::Null).count()
    };
    assert!(reasons(&events) > 0, "there is nothing to leave out");
    assert_eq!(reasons(&local.events(&last)), 0, "{part:?}");
    assert!(freezes.len() == 3 && expected.len() < events.len());
}

fn check_decisions(part: &Part, all: &Visitor, local: &Visitor) {
    for item in all.list("/api/v1/recommendations?stage=pending") {
        let id = item["id"].as_str().expect("an id");
        let (hash, version) = (item["planHash"].clone(), item["version"].as_i64().expect("a number"));
        // A version that is not there any more: nothing happens even where it might.
        let tag = format!("\"{}\"", version + 1_000);
        let path = format!("/api/v1/recommendations/{id}");
        let body = json!({ "verdict": "approve", "planHash": hash });
        let status =
            local.send("POST", &format!("{path}/decisions"), &[("if-match", &tag)], Some(&body)).status;
        let expected = if part.holds(&item) {
            412
        } else if part.sees(&item) {
            403
        } else {
            404
        };
        assert_eq!(status, expected, "{id} for {part:?}");
        let body = json!({ "to": "member1", "planHash": hash });
        let status = local.send("POST", &format!("{path}/target"), &[("if-match", &tag)], Some(&body)).status;
        assert_eq!(status == 404, !part.sees(&item), "{id} for {part:?}: {status}");
        let batch = json!({ "verdict": "approve", "items": [{ "id": id, "planHash": hash, "version": version + 1_000 }] });
        let results = local.send("POST", "/api/v1/decisions", &[], Some(&batch)).json();
        assert_eq!(results[0]["problem"]["status"], expected, "{results}");
    }
}

/// What shows or touches more than a part can hold. A new endpoint that is not narrowed has to be added here, knowingly.
const ABOUT_EVERYTHING: [&str; 26] = [
    "addModel",
    "dismissComparison",
    "exportAudit",
    "getAgent",
    "getComparison",
    "getComparisonFigure",
    "getComparisonResults",
    "getMetrics",
    "getQuestion",
    "getSnapshot",
    "listAudit",
    "listComparisons",
    "listDecisions",
    "listDeliveries",
    "listLabScenarios",
    "listLabStrategies",
    "listQuestions",
    "listWebhooks",
    "removeModel",
    "retryDelivery",
    "setClock",
    "signOutSomebody",
    "startComparison",
    "takeBackup",
    "testWebhook",
    "verifyAudit",
];

#[test]
fn what_is_about_everything_is_not_for_somebody_with_a_part() {
    block_on(async {
        let folder = Folder::new("whole");
        let place = format!("sqlite:{}", folder.path().join("drover.db").display());
        let desk = BoxDesk::open(
            &place.parse().expect("a place"),
            "limits: { requests_per_second: 100000, burst: 100000 }\n",
        );
        let scope = PARTS[0].scope();
        let locals: BTreeMap<Role, Secret> = Role::ALL
            .into_iter()
            .map(|role| (role, desk.scoped(&format!("local-{role}"), role, scope.clone())))
            .collect();
        let mut whole = Vec::new();
        for endpoint in server::api::endpoints() {
            let Access::Needs(right) = endpoint.access else { continue };
            // Streams answer until the client leaves.
            if endpoint.path == "/api/v1/events" {
                assert_eq!(endpoint.breadth, Breadth::Narrowed);
                continue;
            }
            let path = endpoint.path.replace(['{', '}'], "");
            for role in right.holders() {
                let body = (endpoint.method != Method::GET).then(|| json!({}));
                let sent = request(endpoint.method.clone(), &path, Some(&locals[&role]), body, &[]);
                let answer = desk.send(sent).await;
                let detail = answer.body["detail"].as_str().unwrap_or_default();
                let refused = answer.status == StatusCode::FORBIDDEN && detail.contains("about all of it");
                assert_eq!(
                    refused,
                    endpoint.breadth == Breadth::Whole,
                    "{} as {role}: {}",
                    endpoint.path,
                    answer.body
                );
            }
            if endpoint.breadth == Breadth::Whole {
                whole.push(endpoint.operation);
            }
        }
        whole.sort_unstable();
        assert_eq!(whole, ABOUT_EVERYTHING);
    });
}

#[test]
fn nobody_lifts_a_freeze_beyond_their_part() {
    let folder = Folder::new("lift");
    let place = format!("sqlite:{}", folder.path().join("drover.db").display());
    let desk = BoxDesk::open_with(&place.parse().expect("a place"), "", SCENARIO);
    let local = desk.scoped("local", Role::Admin, PARTS[0].scope());
    block_on(async {
        desk.advance(40).await;
        let operator = desk.secret(Role::Operator);
        for (wish, expected) in [
            (json!({ "scope": "cluster", "name": "member2", "reason": "calm" }), 404),
            (json!({ "scope": "everything", "reason": "calm" }), 403),
            (json!({ "scope": "namespace", "name": "bank", "reason": "calm" }), 403),
            (json!({ "scope": "cluster", "name": "member1", "reason": "calm" }), 204),
        ] {
            let frozen = must(&desk, operator, Method::POST, "/api/v1/freezes", wish.clone()).await;
            let path = format!("/api/v1/freezes/{}/lift", frozen["id"].as_str().expect("an id"));
            let body = Some(json!({ "reason": "over" }));
            let answer = desk.send(request(Method::POST, &path, Some(&local), body, &[])).await;
            assert_eq!(answer.status.as_u16(), expected, "{wish}: {}", answer.body);
        }
    });
}
