//! A desk in a box: the three waves on a database of its own, with time that stands still until a test lets it go on.

use crate::described;
use axum::Router;
use axum::body::Body;
use axum::http::{HeaderMap, Method, Request, StatusCode, header};
use control::agent::Scope;
use model::names::ReviewerName;
use serde_json::{Value, json};
use server::access::{NewToken, Role, Secret, issue};
use server::clock::wall_ms;
use server::config::{self, DeskConfig};
use server::entrance::Limits;
use server::service::{Around, Keys, Service};
use server::storage::Location;
use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::time::Duration;
use tokio::net::TcpListener;
use tower::ServiceExt;

pub(crate) const SCENARIO: &str = include_str!("../../../../scenarios/three-waves.yaml");

/// Reads a scenario as the front door does.
pub(crate) fn scenario(text: &str) -> lab::run::Scenario {
    simulator::scenario::read("scenario.yaml", text.as_bytes()).expect("a valid scenario")
}

/// The file of a desk that keeps its data there. `more` is added to it.
pub(crate) fn desk_file(location: &Location, more: &str) -> DeskConfig {
    let text = format!(
        "drover: desk/v1\nlisten: 127.0.0.1:0\nworld: {{ simulate: three-waves.yaml, paused: true }}\n{more}"
    );
    let read = config::read("desk.yaml", text.as_bytes());
    let config = read.unwrap_or_else(|problems| panic!("{problems:?}"));
    DeskConfig { storage: location.clone(), ..config }
}

/// A desk and somebody of every role.
pub(crate) struct BoxDesk {
    pub(crate) service: Service,
    pub(crate) router: Router,
    tokens: BTreeMap<Role, Secret>,
}

/// What a request was answered with.
pub(crate) struct Answer {
    pub(crate) status: StatusCode,
    pub(crate) headers: HeaderMap,
    pub(crate) body: Value,
}

/// Opens a desk, lets a test work with it, and drops it without a goodbye.
pub(crate) fn with_desk<T>(location: &Location, more: &str, work: impl AsyncFnOnce(&BoxDesk) -> T) -> T {
    let desk = BoxDesk::open(location, more);
    block_on(work(&desk))
}

/// The same with another scenario.
pub(crate) fn with_scenario<T>(
    location: &Location,
    more: &str,
    text: &str,
    work: impl AsyncFnOnce(&BoxDesk) -> T,
) -> T {
    let desk = BoxDesk::open_with(location, more, text);
    block_on(work(&desk))
}

fn open_service(config: &DeskConfig, text: &str, keys: &Keys) -> Service {
    when_free(|| Service::open_with(config, scenario(text), text.as_bytes(), keys, Around::default()))
}

/// Does something that waits for a server, which a thread that serves must not.
pub(crate) fn aside<T: Send>(work: impl FnOnce() -> T + Send) -> T {
    std::thread::scope(|scope| scope.spawn(work).join().expect("no panic"))
}

/// A desk that was dropped lets its database go within moments.
#[expect(clippy::disallowed_methods, reason = "the former desk lets go in real time")]
pub(crate) fn when_free<T, E: std::fmt::Debug>(mut open: impl FnMut() -> Result<T, E>) -> T {
    let deadline = server::clock::now() + Duration::from_secs(20);
    loop {
        match open() {
            Ok(opened) => return opened,
            Err(error) if server::clock::now() > deadline => panic!("nothing opens: {error:?}"),
            Err(_) => std::thread::sleep(Duration::from_millis(20)),
        }
    }
}

impl BoxDesk {
    pub(crate) fn open(location: &Location, more: &str) -> Self {
        Self::open_with(location, more, SCENARIO)
    }

    pub(crate) fn open_with(location: &Location, more: &str, text: &str) -> Self {
        Self::open_all(location, more, text, &Keys::default())
    }

    /// A desk whose file names secrets.
    pub(crate) fn open_with_keys(location: &Location, more: &str, keys: &Keys) -> Self {
        Self::open_all(location, more, SCENARIO, keys)
    }

    /// A desk with other limits than those that are built in, for tests that do not wait.
    pub(crate) fn open_with_limits(location: &Location, more: &str, limits: Limits) -> Self {
        let config = DeskConfig { entrance: limits, ..desk_file(location, more) };
        Self::furnished(open_service(&config, SCENARIO, &Keys::default()))
    }

    /// A desk as a configuration says that no file can say.
    pub(crate) fn open_config(config: &DeskConfig, text: &str) -> Self {
        Self::furnished(open_service(config, text, &Keys::default()))
    }

    fn open_all(location: &Location, more: &str, text: &str, keys: &Keys) -> Self {
        Self::furnished(open_service(&desk_file(location, more), text, keys))
    }

    pub(crate) fn furnished(service: Service) -> Self {
        let tokens = Role::ALL.into_iter().map(|role| (role, token(&service, role, None))).collect();
        let router = server::api::router(service.desk());
        Self { service, router, tokens }
    }

    /// Another token for somebody of a role.
    pub(crate) fn another(&self, name: &str, role: Role) -> Secret {
        issue_for(&self.service, name, role, None)
    }

    /// A token for somebody who sees and touches a part of the federation.
    pub(crate) fn scoped(&self, name: &str, role: Role, scope: Scope) -> Secret {
        issue_within(&self.service, name, role, scope, None)
    }

    /// A token whose time is over.
    pub(crate) fn expired(&self, role: Role) -> Secret {
        issue_for(&self.service, "late", role, Some(wall_ms() - 1))
    }

    pub(crate) fn secret(&self, role: Role) -> &Secret {
        &self.tokens[&role]
    }

    pub(crate) async fn send(&self, request: Request<Body>) -> Answer {
        let (method, path) = (request.method().clone(), request.uri().path().to_owned());
        let response = self.router.clone().oneshot(request).await.expect("a router always answers");
        described::check(method.as_str(), &path, response.status().as_u16(), response.headers());
        let (parts, body) = response.into_parts();
        let bytes = axum::body::to_bytes(body, 16 << 20).await.expect("an answer that ends");
        let body = serde_json::from_slice(&bytes)
            .unwrap_or_else(|_| Value::String(String::from_utf8_lossy(&bytes).into_owned()));
        Answer { status: parts.status, headers: parts.headers, body }
    }

    pub(crate) async fn get(&self, role: Role, path: &str) -> Answer {
        self.send(request(Method::GET, path, Some(self.secret(role)), None, &[])).await
    }

    pub(crate) async fn post(&self, role: Role, path: &str, body: Value, headers: &[(&str, &str)]) -> Answer {
        self.send(request(Method::POST, path, Some(self.secret(role)), Some(body), headers)).await
    }

    /// Lets virtual time go on.
    pub(crate) async fn advance(&self, seconds: u32) {
        let body = json!({ "order": "advance", "seconds": seconds });
        let answer = self.post(Role::Operator, "/api/v1/clock", body, &[]).await;
        assert_eq!(answer.status, StatusCode::OK, "{}", answer.body);
    }

    /// What waits for an answer, oldest first.
    pub(crate) async fn pending(&self) -> Vec<Value> {
        let answer = self.get(Role::Viewer, "/api/v1/recommendations?stage=pending&sort=raised_at").await;
        assert_eq!(answer.status, StatusCode::OK, "{}", answer.body);
        answer.body["items"].as_array().cloned().unwrap_or_default()
    }

    /// Answers a recommendation as it stands now.
    pub(crate) async fn decide(&self, secret: &Secret, id: &str, decision: Value) -> Answer {
        let path = format!("/api/v1/recommendations/{id}");
        let seen = self.get(Role::Viewer, &path).await;
        let tag = seen.headers[header::ETAG].to_str().expect("a tag is text").to_owned();
        let mut body = decision;
        if body["planHash"].is_null() {
            body["planHash"] = seen.body["planHash"].clone();
        }
        let path = format!("{path}/decisions");
        self.send(request(Method::POST, &path, Some(secret), Some(body), &[("if-match", &tag)])).await
    }

    /// Serves for real, on any free port, until the test is over.
    pub(crate) async fn listen(self) -> (SocketAddr, tokio::sync::oneshot::Sender<()>) {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
        let address = listener.local_addr().expect("an address");
        let (stop, stopped) = tokio::sync::oneshot::channel::<()>();
        tokio::spawn(self.service.serve(listener, async {
            let _ = stopped.await;
        }));
        (address, stop)
    }
}

fn token(service: &Service, role: Role, expires: Option<i64>) -> Secret {
    issue_for(service, role.as_str(), role, expires)
}

fn issue_for(service: &Service, name: &str, role: Role, expires_wall_ms: Option<i64>) -> Secret {
    issue_within(service, name, role, Scope::default(), expires_wall_ms)
}

fn issue_within(
    service: &Service,
    name: &str,
    role: Role,
    scope: Scope,
    expires_wall_ms: Option<i64>,
) -> Secret {
    let new = NewToken {
        name: ReviewerName::new(name).expect("a name"),
        role,
        scope,
        created_by: "test".to_owned(),
        created_wall_ms: wall_ms(),
        expires_wall_ms,
    };
    let write = || service.database().write(|transaction| issue(transaction, &new));
    let inside = tokio::runtime::Handle::try_current().is_ok();
    let (_, secret) = if inside { tokio::task::block_in_place(write) } else { write() }.expect("a token");
    secret
}

/// A request as a client sends it.
pub(crate) fn request(
    method: Method,
    path: &str,
    secret: Option<&Secret>,
    body: Option<Value>,
    headers: &[(&str, &str)],
) -> Request<Body> {
    let mut builder = Request::builder().method(method).uri(path);
    if let Some(secret) = secret {
        builder = builder.header(header::AUTHORIZATION, format!("Bearer {}", secret.reveal()));
    }
    for (name, value) in headers {
        builder = builder.header(*name, *value);
    }
    let body = match body {
        Some(body) => {
            builder = builder.header(header::CONTENT_TYPE, "application/json");
            Body::from(body.to_string())
        }
        None => Body::empty(),
    };
    builder.body(body).expect("a request")
}

/// Runs something asynchronous to its end.
pub(crate) fn block_on<T>(work: impl Future<Output = T>) -> T {
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build();
    runtime.expect("a runtime").block_on(work)
}
