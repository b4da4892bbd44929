//! Numbers for Prometheus.

use crate::access::Right;
use crate::api::endpoint::{Endpoint, get};
use crate::api::problem::Problem;
use crate::desk::Desk;
use crate::metrics::{CONTENT_TYPE, look, page};
use axum::extract::State;
use axum::http::header;
use axum::response::{IntoResponse, Response};
use tokio::sync::Semaphore;

/// Where they are; the desk's file can open this one to everybody.
pub(in crate::api) const PATH: &str = "/metrics";

pub(super) fn endpoints() -> Vec<Endpoint> {
    vec![
        get(PATH, "getMetrics", show)
            .does("Numbers for Prometheus, about the desk and under the names of kube-state-metrics about its clusters")
            .needs(Right::SeeWorld)
            .sends("text/plain"),
    ]
}

/// A page of a large federation has tens of megabytes: whoever wants more than two of them at a time waits.
static WRITERS: Semaphore = Semaphore::const_new(2);

/// Thousands of lines take some milliseconds, so they are written where nobody else waits.
async fn show(State(desk): State<Desk>) -> Result<Response, Problem> {
    let turn = WRITERS.acquire().await.map_err(|error| Problem::internal(&error))?;
    let look = look(&desk).await;
    // Whoever leaves meanwhile does not make room: their page is written to its end.
    let write = move || {
        let text = page(&desk, look);
        drop(turn);
        text
    };
    let text = tokio::task::spawn_blocking(write).await;
    let text = text.map_err(|error| Problem::internal(&error))?;
    Ok(([(header::CONTENT_TYPE, CONTENT_TYPE)], text).into_response())
}
