//! Somebody between us and an API server who loses, delays and refuses what passes, and writes down what was let through.

use crate::bed::client;
use hyper::body::{Body as _, Incoming};
use hyper::service::service_fn;
use hyper::{Method, Request, Response};
use hyper_util::rt::TokioIo;
use kube::Client;
use kube::client::Body;
use serde_json::json;
use std::future::poll_fn;
use std::path::PathBuf;
use std::pin::Pin;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;
use tokio::net::{TcpListener, TcpStream};

/// What happens to a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Fate {
    Through,
    /// Through, but the answer is lost.
    AnswerLost,
    Late,
    Refused(u16),
}

/// Knuth's multiplier for 64 bits; the high bits are the good ones.
const MULTIPLIER: u64 = 6_364_136_223_846_793_005;
const INCREMENT: u64 = 1_442_695_040_888_963_407;

#[derive(Default)]
struct Weather {
    stormy: AtomicBool,
    dark: AtomicBool,
    state: AtomicU64,
    /// Writes that the server took: method and path.
    taken: Mutex<Vec<(Method, String)>>,
}

impl Weather {
    /// In a storm every second write has bad luck, and one of twenty reads: a look is many reads, and one that fails makes it blind. The
    /// same seed gives the same luck.
    fn fate(&self, is_write: bool) -> Fate {
        if !self.stormy.load(Ordering::Relaxed) {
            return Fate::Through;
        }
        let next = |state: u64| Some(state.wrapping_mul(MULTIPLIER).wrapping_add(INCREMENT));
        let state = self.state.fetch_update(Ordering::Relaxed, Ordering::Relaxed, next).unwrap();
        match (state >> 33) % if is_write { 12 } else { 120 } {
            0 => Fate::Refused(409),
            1 => Fate::Refused(429),
            2 => Fate::Refused(500),
            3 => Fate::Refused(503),
            4 => Fate::AnswerLost,
            5 => Fate::Late,
            _ => Fate::Through,
        }
    }
}

/// A proxy in front of one API server, spoken to without encryption on loopback.
pub(crate) struct Proxy {
    port: u16,
    context: String,
    weather: Arc<Weather>,
}

impl Proxy {
    pub(crate) async fn before(context: &str, seed: u64) -> Self {
        let upstream = client(context).await;
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let port = listener.local_addr().unwrap().port();
        let weather = Arc::new(Weather { state: AtomicU64::new(seed), ..Weather::default() });
        tokio::spawn(accept(listener, upstream, Arc::clone(&weather)));
        Self { port, context: context.to_owned(), weather }
    }

    /// A kubeconfig that leads here.
    pub(crate) fn kubeconfig(&self) -> PathBuf {
        let name = format!("drover-proxy-{}-{}", std::process::id(), self.port);
        let path = std::env::temp_dir().join(name);
        let text = format!(
            "apiVersion: v1\nkind: Config\ncurrent-context: {0}\nclusters: [{{name: {0}, cluster: {{server: 'http://127.0.0.1:{1}'}}}}]\n\
             users: [{{name: {0}, user: {{}}}}]\ncontexts: [{{name: {0}, context: {{cluster: {0}, user: {0}}}}}]\n",
            self.context, self.port
        );
        std::fs::write(&path, text).unwrap();
        path
    }

    pub(crate) fn storm(&self, begins: bool) {
        self.weather.stormy.store(begins, Ordering::Relaxed);
    }

    /// Nobody is there: connections are closed as soon as they are made, and open ones with the next request.
    pub(crate) fn go_dark(&self, begins: bool) {
        self.weather.dark.store(begins, Ordering::Relaxed);
    }

    /// How many writes the server took whose path ends like this, those left out that were only tried.
    pub(crate) fn taken(&self, method: &Method, end: &str) -> usize {
        let taken = self.weather.taken.lock().unwrap();
        taken.iter().filter(|(of, path)| of == method && path.ends_with(end)).count()
    }
}

async fn accept(listener: TcpListener, upstream: Client, weather: Arc<Weather>) {
    loop {
        let Ok((stream, _)) = listener.accept().await else { continue };
        if !weather.dark.load(Ordering::Relaxed) {
            tokio::spawn(serve(stream, upstream.clone(), Arc::clone(&weather)));
        }
    }
}

async fn serve(stream: TcpStream, upstream: Client, weather: Arc<Weather>) {
    let answer = service_fn(move |request: Request<Incoming>| {
        let (upstream, weather) = (upstream.clone(), Arc::clone(&weather));
        async move { pass(request, &upstream, &weather).await }
    });
    let connection =
        hyper::server::conn::http1::Builder::new().serve_connection(TokioIo::new(stream), answer);
    // Whoever hangs up has their reasons.
    let _ = connection.await;
}

async fn pass(
    request: Request<Incoming>,
    upstream: &Client,
    weather: &Weather,
) -> Result<Response<Body>, std::io::Error> {
    if weather.dark.load(Ordering::Relaxed) {
        return Err(std::io::Error::other("it is dark"));
    }
    let fate = weather.fate(request.method() != Method::GET);
    match fate {
        Fate::Refused(code) => return Ok(refusal(code)),
        Fate::Late => tokio::time::sleep(Duration::from_millis(700)).await,
        Fate::Through | Fate::AnswerLost => {}
    }
    let (mut parts, body) = request.into_parts();
    let (method, path) = (parts.method.clone(), parts.uri.path().to_owned());
    let is_tried = parts.uri.query().is_some_and(|query| query.contains("dryRun"));
    parts.headers.remove(hyper::header::HOST);
    let body = whole(body).await.map_err(std::io::Error::other)?;
    let sent = upstream.send(Request::from_parts(parts, Body::from(body))).await;
    let answer = sent.map_err(|error| std::io::Error::other(error.to_string()))?;
    if method != Method::GET && !is_tried && answer.status().is_success() {
        weather.taken.lock().unwrap().push((method, path));
    }
    if fate == Fate::AnswerLost { Ok(refusal(504)) } else { Ok(answer) }
}

async fn whole(mut body: Incoming) -> Result<Vec<u8>, hyper::Error> {
    let mut bytes = Vec::new();
    while let Some(frame) = poll_fn(|context| Pin::new(&mut body).poll_frame(context)).await {
        bytes.extend(frame?.into_data().unwrap_or_default());
    }
    Ok(bytes)
}

fn refusal(code: u16) -> Response<Body> {
    let status = json!({ "apiVersion": "v1", "kind": "Status", "status": "Failure", "code": code, "message": "a storm",
        "reason": "Storm", "details": { "retryAfterSeconds": u16::from(code == 429) } });
    let response = Response::builder().status(code).header("content-type", "application/json");
    response.body(Body::from(status.to_string().into_bytes())).unwrap()
}
