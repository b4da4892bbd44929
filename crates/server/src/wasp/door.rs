//! A second address without tokens, on this machine only, that offers what WASP's engine needs and nothing else.
//!
//! Whoever can reach it speaks for one agent, which can only propose. Pages in a browser on this machine can reach it too, so
//! what a page can send without asking first is refused: requests with an origin, to another host, or without JSON.

use super::{LARGEST_LIST, apply, metrics};
use crate::api::endpoint::Pace;
use crate::api::extract::is_json;
use crate::api::problem::{Kind, Problem};
use crate::api::request_id;
use crate::api::wire::WaspAnswer;
use crate::api::within::{Bounds, within};
use crate::config::WaspConfig;
use crate::desk::Desk;
use crate::entrance;
use crate::outward::is_this_machine;
use crate::service::ServiceError;
use axum::extract::{Request, State};
use axum::http::{HeaderMap, header};
use axum::middleware::{Next, from_fn_with_state};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use axum::{Json, Router};
use control::agent::Scope;
use model::names::AgentName;
use std::net::{SocketAddr, TcpListener};

/// The address, taken and not yet served.
pub(crate) struct WaspDoor {
    listener: TcpListener,
    address: SocketAddr,
    agent: AgentName,
}

#[derive(Clone)]
struct Place {
    desk: Desk,
    agent: AgentName,
}

impl WaspDoor {
    /// Takes the address, so that a desk that cannot have it does not open.
    pub(crate) fn take(config: &WaspConfig) -> Result<Self, ServiceError> {
        let refused = |source| ServiceError::Listen { address: config.listen, source };
        let listener = TcpListener::bind(config.listen).map_err(refused)?;
        listener.set_nonblocking(true).map_err(refused)?;
        let address = listener.local_addr().map_err(refused)?;
        Ok(Self { listener, address, agent: config.agent.clone() })
    }

    pub(crate) const fn address(&self) -> SocketAddr {
        self.address
    }

    /// Serves until the desk closes.
    pub(crate) async fn serve(self, desk: Desk) -> Result<(), ServiceError> {
        let mut watch = desk.subscribe();
        // Nothing is ever that far; only the end of the desk is.
        let closed = async move {
            let _ = watch.beyond(i64::MAX).await;
        };
        let listener = tokio::net::TcpListener::from_std(self.listener).map_err(ServiceError::Server)?;
        let limits = desk.limits();
        let router = router(Place { desk, agent: self.agent });
        entrance::serve(listener, (router, None), limits, 0, closed).await;
        Ok(())
    }
}

fn router(place: Place) -> Router {
    let nothing = || async { Problem::new(Kind::NotFound, "Here are POST /apply and GET /metrics.") };
    Router::new()
        .route("/apply", post(take_list))
        .route("/metrics", get(show))
        .fallback(nothing)
        .layer(from_fn_with_state(Bounds::new(&place.desk.limits(), LARGEST_LIST, Pace::Slow), within))
        .layer(from_fn_with_state(place.clone(), admit))
        .layer(from_fn_with_state(place.desk.clone(), request_id::name))
        .with_state(place)
}

async fn admit(State(place): State<Place>, request: Request, next: Next) -> Response {
    let problem = match check(request.headers()) {
        Err(problem) => Some(problem),
        Ok(()) => place.desk.slow_down("door:wasp").err(),
    };
    match problem {
        Some(problem) => problem.into_response(),
        None => next.run(request).await,
    }
}

/// Whether a request comes from a program on this machine, and not from a page.
fn check(headers: &HeaderMap) -> Result<(), Problem> {
    if headers.contains_key(header::ORIGIN) || headers.contains_key("sec-fetch-site") {
        return Err(Problem::new(Kind::Forbidden, "This address is for programs, not for pages."));
    }
    let host = headers.get(header::HOST).and_then(|value| value.to_str().ok()).unwrap_or_default();
    if is_this_machine(without_port(host)) {
        return Ok(());
    }
    Err(Problem::new(Kind::Forbidden, "This address is reached as 127.0.0.1 or localhost."))
}

/// The host of a header without its port.
fn without_port(host: &str) -> &str {
    let is_port = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    host.rsplit_once(':').filter(|(_, port)| is_port(port)).map_or(host, |(name, _)| name)
}

async fn take_list(State(place): State<Place>, request: Request) -> Result<Json<WaspAnswer>, Problem> {
    let bytes = list_of(request).await?;
    apply(&place.desk, place.agent, &Scope::default(), bytes).await.map(Json)
}

/// The bytes of a list, if they are said to be JSON.
pub(crate) async fn list_of(request: Request) -> Result<Vec<u8>, Problem> {
    if !is_json(request.headers().get(header::CONTENT_TYPE)) {
        return Err(Problem::new(Kind::UnsupportedMedia, "Send the list as application/json."));
    }
    let bytes = axum::body::to_bytes(request.into_body(), LARGEST_LIST).await;
    let large = |_| Problem::new(Kind::TooLarge, format!("At most {LARGEST_LIST} bytes are read."));
    bytes.map(Vec::from).map_err(large)
}

async fn show(State(place): State<Place>) -> Response {
    let text = metrics(&place.desk, &Scope::default());
    ([(header::CONTENT_TYPE, "application/json")], text).into_response()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_that_somebody_else_gives_out_is_not_this_machine() {
        for (host, ours) in [
            ("127.0.0.1:8084", true),
            ("127.9.9.9", true),
            ("localhost:8084", true),
            ("LOCALHOST", true),
            ("[::1]:8084", true),
            ("[::1]", true),
            ("evil.test:8084", false),
            ("localhost.evil.test", false),
            ("127.0.0.1.evil.test:8084", false),
            ("10.0.0.1:8084", false),
            ("", false),
        ] {
            assert_eq!(is_this_machine(without_port(host)), ours, "{host}");
        }
    }
}
