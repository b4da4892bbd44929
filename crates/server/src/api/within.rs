//! Bounds of every request: its body has a largest size and arrives in time, and its answer begins in time. What follows the begin of
//! an answer, a stream of events or the record, may take as long as it takes.

use super::endpoint::Pace;
use super::problem::{Kind, Problem};
use crate::entrance::Limits;
use axum::body::{Body, Bytes, HttpBody as _};
use axum::extract::{Request, State};
use axum::http::{HeaderMap, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use std::time::Duration;

/// What one endpoint allows.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Bounds {
    largest: usize,
    received: Duration,
    answered: Duration,
}

impl Bounds {
    pub(crate) const fn new(limits: &Limits, largest: usize, pace: Pace) -> Self {
        let answered = match pace {
            Pace::Usual => limits.answered_within,
            Pace::Slow => limits.slow_answer_within,
        };
        Self { largest, received: limits.body_within, answered }
    }
}

/// Lets a request through once it is here as a whole, and waits for its answer as long as it may take.
pub(crate) async fn within(State(bounds): State<Bounds>, request: Request, next: Next) -> Response {
    let (parts, body) = request.into_parts();
    let body = match received(bounds, &parts.headers, body).await {
        Ok(body) => body,
        Err(problem) => return problem.into_response(),
    };
    let answer = next.run(Request::from_parts(parts, body));
    tokio::time::timeout(bounds.answered, answer).await.unwrap_or_else(|_| unanswered(bounds).into_response())
}

async fn received(bounds: Bounds, headers: &HeaderMap, body: Body) -> Result<Body, Problem> {
    if body.is_end_stream() {
        return Ok(body);
    }
    let large = || Problem::new(Kind::TooLarge, format!("At most {} bytes are read here.", bounds.largest));
    // Whoever says beforehand that it is too much need not send it.
    if said(headers).is_some_and(|bytes| bytes > bounds.largest as u64) {
        return Err(large());
    }
    let bytes = tokio::time::timeout(bounds.received, axum::body::to_bytes(body, bounds.largest)).await;
    let seconds = bounds.received.as_secs();
    let slow = |_| Problem::new(Kind::TooSlow, format!("The body has to be here within {seconds} s."));
    let bytes: Bytes = bytes.map_err(slow)?.map_err(|_| large())?;
    Ok(Body::from(bytes))
}

fn said(headers: &HeaderMap) -> Option<u64> {
    headers.get(header::CONTENT_LENGTH)?.to_str().ok()?.parse().ok()
}

fn unanswered(bounds: Bounds) -> Problem {
    let seconds = bounds.answered.as_secs();
    let detail =
        format!("There was no answer within {seconds} s. Look whether it was done before you try again.");
    Problem::new(Kind::NotReady, detail)
}
