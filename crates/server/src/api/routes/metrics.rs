//! Numbers for Prometheus.

use crate::access::{Caller, Right, Seat};
use crate::api::endpoint::{Endpoint, get};
use crate::api::problem::{Kind, Problem};
use crate::api::remote::Remote;
use crate::clock;
use crate::desk::Desk;
use crate::metrics::{CONTENT_TYPE, look, page};
use axum::Extension;
use axum::body::{Body, Bytes};
use axum::extract::State;
use axum::http::header;
use axum::response::{IntoResponse, Response};
use futures_util::stream;
use std::io::{self, ErrorKind};
use std::time::{Duration, Instant};
use tokio::sync::Semaphore;

/// Where they are; the desk's file can open this one to everybody.
pub(in crate::api) const PATH: &str = "/metrics";

/// Nobody who counts takes longer to read a page; Prometheus gives up after ten seconds.
const READ_WITHIN: Duration = Duration::from_secs(30);

/// What is sent at once of a page.
const PIECE: usize = 64 * 1024;

pub(super) fn endpoints() -> Vec<Endpoint> {
    vec![
        get(PATH, "getMetrics", show)
            .does("Numbers for Prometheus, about the desk and under the names of kube-state-metrics about its clusters")
            .needs(Right::SeeWorld)
            .sends("text/plain")
            .may_refuse(&[Kind::NotReady]),
    ]
}

/// Each keeps a core busy, so whoever wants more than two of them at a time waits.
static WRITERS: Semaphore = Semaphore::const_new(2);

/// Thousands of lines take some milliseconds, so they are written where nobody else waits.
async fn show(
    State(desk): State<Desk>,
    caller: Option<Extension<Caller>>,
    Remote(remote): Remote,
) -> Result<Response, Problem> {
    let who = caller.map_or(remote, |Extension(caller)| caller.actor());
    let seat = desk.rooms().metrics_page(&who)?;
    let turn = WRITERS.acquire().await.map_err(|error| Problem::internal(&error))?;
    let look = look(&desk).await;
    // Whoever leaves meanwhile does not make room: their page is written to its end.
    let write = move || {
        let text = page(&desk, look);
        drop(turn);
        (text, seat)
    };
    let written = tokio::task::spawn_blocking(write).await;
    let (text, seat) = written.map_err(|error| Problem::internal(&error))?;
    Ok(([(header::CONTENT_TYPE, CONTENT_TYPE)], in_pieces(text.into(), seat, clock::now() + READ_WITHIN))
        .into_response())
}

/// Holds the place of whoever reads until all of it was taken. Who reads on and on gets no end of it.
fn in_pieces(text: Bytes, seat: Seat, until: Instant) -> Body {
    let next = move |(mut rest, seat): (Bytes, Seat)| async move {
        let piece = rest.split_to(rest.len().min(PIECE));
        if piece.is_empty() {
            return None;
        }
        let told: io::Result<Bytes> =
            if clock::now() > until { Err(ErrorKind::TimedOut.into()) } else { Ok(piece) };
        Some((told, (rest, seat)))
    };
    Body::from_stream(stream::unfold((text, seat), next))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::access::Room;
    use futures_util::StreamExt as _;

    #[tokio::test]
    async fn a_page_comes_whole_and_its_reader_keeps_the_place_until_then() {
        let (room, begun) = (Room::new(1, 1), clock::now());
        let far = begun + READ_WITHIN;
        let text: String = "a sample\n".repeat(PIECE);
        let mut body =
            in_pieces(text.clone().into(), room.take("prometheus").expect("a place"), far).into_data_stream();
        let mut read = Vec::new();
        while let Some(piece) = body.next().await {
            assert!(room.take("another").is_err(), "what is not read yet is in memory");
            read.extend(piece.expect("a piece"));
        }
        assert_eq!(read, text.as_bytes());
        drop(body);
        let late = in_pieces(text.into(), room.take("another").expect("a place"), begun);
        assert!(late.into_data_stream().next().await.is_some_and(|piece| piece.is_err()));
    }
}
