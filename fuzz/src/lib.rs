//! A whole desk without a network, to send it what strangers could send: the three waves after some minutes, with time standing still.

use axum::Router;
use axum::body::{Body, Bytes};
use axum::http::{Request, StatusCode, header};
use control::agent::Scope;
use control::world::World;
use http_body_util::BodyExt;
use lab::run::Plan;
use model::names::ReviewerName;
use model::snapshot::Snapshot;
use model::time::Timestamp;
use serde_json::{Value, json};
use server::access::{NewToken, Role, Secret, issue};
use server::clock::wall_ms;
use server::config::{self, DeskConfig};
use server::service::{Around, Keys, Service};
use server::storage::Location;
use simulator::world::SimulatedWorld;
use std::time::Duration;
use tokio::runtime::Runtime;
use tower::ServiceExt;

const SCENARIO: &str = include_str!("../../scenarios/three-waves.yaml");

const FILE: &str = "
drover: desk/v1
listen: 127.0.0.1:0
world: { simulate: three-waves.yaml, paused: true }
prediction: { horizon: 1m, seeds: 2 }
limits: { requests_per_second: 1000000, burst: 1000000 }
";

/// Streams end when somebody goes; nobody stays longer than this.
const STREAM: Duration = Duration::from_millis(20);

/// What is larger than this is not an answer to a single question.
const LARGEST: usize = 64 << 20;

pub struct Desk {
    runtime: Runtime,
    router: Router,
    token: Secret,
    _service: Service,
}

impl Desk {
    /// Opens a desk there, lets some minutes pass, and decides one of the recommendations.
    pub fn open(location: &Location) -> Self {
        let config = config::read("desk.yaml", FILE.as_bytes()).expect("a valid file");
        let config = DeskConfig { storage: location.clone(), kube_api: true, ..config };
        let scenario = simulator::scenario::read("three-waves.yaml", SCENARIO.as_bytes()).expect("a valid scenario");
        let service = Service::open_with(&config, scenario, SCENARIO.as_bytes(), &Keys::default(), Around::default()).expect("a desk");
        let token = token(&service);
        let router = server::api::router(service.desk());
        let desk = Self { runtime: server::service::runtime().expect("a runtime"), router, token, _service: service };
        desk.begin();
        desk
    }

    fn begin(&self) {
        self.post("/api/v1/clock", &json!({ "order": "advance", "seconds": 130 }));
        for name in ["one", "two", "three"] {
            self.post("/api/v1/tokens", &json!({ "name": name, "role": "viewer" }));
        }
        let (_, page) = self.get("/api/v1/recommendations?stage=pending&limit=1");
        let item = &page["items"][0];
        let decided = json!({ "items": [{ "id": item["id"], "planHash": item["planHash"], "version": item["version"] }], "verdict": "approve" });
        self.post("/api/v1/decisions", &decided);
        self.post("/api/v1/clock", &json!({ "order": "advance", "seconds": 60 }));
    }

    /// What stands at an address, as JSON where it is.
    pub fn get(&self, path: &str) -> (StatusCode, Value) {
        let (status, bytes) = self.send(Request::get(path).body(Body::empty()).expect("a request"));
        (status, serde_json::from_slice(&bytes).unwrap_or_default())
    }

    fn post(&self, path: &str, body: &Value) -> StatusCode {
        let request = Request::post(path).header(header::CONTENT_TYPE, "application/json");
        self.send(request.body(Body::from(body.to_string())).expect("a request")).0
    }

    /// Sends a request as an administrator, unless it says itself who sends it. No answer may be a fault of ours.
    pub fn send(&self, mut request: Request<Body>) -> (StatusCode, Bytes) {
        if !request.headers().contains_key(header::AUTHORIZATION) {
            let bearer = format!("Bearer {}", self.token.reveal()).parse().expect("visible letters");
            request.headers_mut().insert(header::AUTHORIZATION, bearer);
        }
        let asked = format!("{} {}", request.method(), request.uri());
        let (status, bytes) = self.runtime.block_on(async {
            let answer = self.router.clone().oneshot(request).await.expect("a router always answers");
            let (parts, body) = answer.into_parts();
            (parts.status, collected(body).await)
        });
        assert_ne!(status, StatusCode::INTERNAL_SERVER_ERROR, "{asked}: {}", String::from_utf8_lossy(&bytes));
        (status, bytes)
    }
}

/// All of an answer, or the beginning of a stream.
async fn collected(mut body: Body) -> Bytes {
    let mut all = Vec::new();
    let whole = async {
        while let Some(Ok(frame)) = body.frame().await {
            all.extend_from_slice(&frame.into_data().unwrap_or_default());
            assert!(all.len() < LARGEST, "an answer of more than {LARGEST} bytes");
        }
    };
    let _ = tokio::time::timeout(STREAM, whole).await;
    all.into()
}

fn token(service: &Service) -> Secret {
    let new = NewToken {
        name: ReviewerName::new("stranger").expect("a name"),
        role: Role::Admin,
        scope: Scope::default(),
        created_by: "fuzz".to_owned(),
        created_wall_ms: wall_ms(),
        expires_wall_ms: None,
    };
    service.database().write(|transaction| issue(transaction, &new)).expect("a token").1
}

/// The three waves as they are observed at a moment when nobody has done anything.
pub fn three_waves_at(moment: Timestamp) -> Snapshot {
    let scenario = simulator::scenario::read("three-waves.yaml", SCENARIO.as_bytes()).expect("a valid scenario");
    let Plan { world, reviewer, .. } = Plan::new(scenario, 1);
    let mut world = SimulatedWorld::new(world, reviewer, 1);
    let _ = world.next_input(moment);
    world.snapshot()
}

/// Something that is whole, with other bytes here and there: three say where, one says how many, and so on.
pub fn written_over(original: &[u8], mut edits: &[u8]) -> Vec<u8> {
    let mut bytes = original.to_vec();
    while let [high, middle, low, length, rest @ ..] = edits {
        let (instead, more) = rest.split_at(usize::from(*length).min(rest.len()));
        let place = u32::from_be_bytes([0, *high, *middle, *low]) as usize % bytes.len();
        let room = bytes.len() - place;
        let instead = &instead[..instead.len().min(room)];
        bytes[place..place + instead.len()].copy_from_slice(instead);
        edits = more;
    }
    bytes
}
