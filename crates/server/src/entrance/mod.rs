//! Where connections come in: not too many, and none that is held open without being used.
//!
//! Whoever sends a request byte by byte, or never takes an answer, is cut off; whoever comes when everything is taken is told so at
//! once. What a request may do is decided further inside.

pub mod encryption;
mod limits;
mod patience;

pub use limits::Limits;

use axum::Router;
use axum::extract::ConnectInfo;
use encryption::{Encryption, HANDSHAKE};
use hyper::Request;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::{Service, service_fn};
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use patience::Patient;
use std::net::SocketAddr;
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{Semaphore, watch};

/// After the system could not give us a connection: files are short, and will be for a moment.
const BREATH: Duration = Duration::from_millis(200);

/// How many are told at the same time that there is no room. Beyond that they are cut off without a word.
const REFUSALS: usize = 64;

/// Being told takes no longer.
const REFUSED_WITHIN: Duration = Duration::from_secs(2);

const NO_ROOM: &[u8] = b"HTTP/1.1 503 Service Unavailable\r\ncontent-type: application/problem+json\r\nretry-after: 5\r\n\
    connection: close\r\ncontent-length: 175\r\n\r\n\
    {\"type\":\"urn:drover:problem:not-ready\",\"title\":\"Not now\",\"status\":503,\"detail\":\"Too many connections are \
    open; try again.\",\"code\":\"not-ready\",\"retryable\":true,\"retry_after\":5}";

/// What every connection is served with.
#[derive(Clone)]
struct Entrance {
    router: Router,
    limits: Limits,
    encryption: Option<Encryption>,
    closing: watch::Receiver<bool>,
}

/// Serves until `until` is ready; requests under way are answered first. `streams` more connections than usual may be open, for those
/// who watch. With `encryption`, whoever begins with a handshake is answered in kind.
pub(crate) async fn serve(
    listener: TcpListener,
    (router, encryption): (Router, Option<Encryption>),
    limits: Limits,
    streams: usize,
    until: impl Future<Output = ()>,
) {
    let most = limits.connections.saturating_add(streams).min(Semaphore::MAX_PERMITS);
    let (places, refusals) = (Arc::new(Semaphore::new(most)), Arc::new(Semaphore::new(REFUSALS)));
    let (close, closing) = watch::channel(false);
    let entrance = Entrance { router, limits, encryption, closing };
    let mut until = pin!(until);
    loop {
        let accepted = tokio::select! {
            accepted = listener.accept() => accepted,
            () = &mut until => break,
        };
        let Ok((stream, address)) = accepted else {
            tokio::time::sleep(BREATH).await;
            continue;
        };
        if let Ok(place) = Arc::clone(&places).try_acquire_owned() {
            let entrance = entrance.clone();
            tokio::spawn(async move {
                entrance.attend(stream, address).await;
                drop(place);
            });
        } else if let Ok(turn) = Arc::clone(&refusals).try_acquire_owned() {
            tokio::spawn(async move {
                let _ = tokio::time::timeout(REFUSED_WITHIN, refuse(stream)).await;
                drop(turn);
            });
        }
    }
    drop(listener);
    let _ = close.send(true);
    // Every place is free again when the last connection has ended.
    for _ in 0..most {
        let Ok(place) = places.acquire().await else { return };
        place.forget();
    }
}

/// Says that there is no room. What was sent is read, because a connection that is closed before takes the answer with it.
async fn refuse(mut stream: TcpStream) {
    if stream.write_all(NO_ROOM).await.is_ok() && stream.shutdown().await.is_ok() {
        let mut rest = [0; 1_024];
        while stream.read(&mut rest).await.is_ok_and(|read| read > 0) {}
    }
}

impl Entrance {
    /// Serves one connection to its end.
    async fn attend(mut self, stream: TcpStream, address: SocketAddr) {
        // Answers are written whole; waiting for more to send would only delay them.
        let _ = stream.set_nodelay(true);
        let Some(encryption) = self.encryption.take() else { return self.converse(stream, address).await };
        let patience = self.limits.headers_within;
        let Ok(Some(first)) = tokio::time::timeout(patience, first_byte(&stream)).await else { return };
        if first != HANDSHAKE {
            return self.converse(stream, address).await;
        }
        let shaken = tokio::time::timeout(patience, encryption.acceptor.accept(stream)).await;
        if let Ok(Ok(stream)) = shaken {
            self.converse(stream, address).await;
        }
    }

    async fn converse<S: AsyncRead + AsyncWrite + Unpin>(mut self, stream: S, address: SocketAddr) {
        let router = TowerToHyperService::new(self.router);
        let service = service_fn(move |mut request: Request<Incoming>| {
            request.extensions_mut().insert(ConnectInfo(address));
            router.call(request)
        });
        let io = TokioIo::new(Patient::new(stream, self.limits.read_within));
        let mut connection = pin!(builder(&self.limits).serve_connection(io, service));
        tokio::select! {
            // Whoever breaks off has no use for an error.
            _ = connection.as_mut() => return,
            _ = self.closing.wait_for(|closing| *closing) => connection.as_mut().graceful_shutdown(),
        }
        let _ = connection.await;
    }
}

/// What a connection begins with, without taking it; nothing if it ends before.
async fn first_byte(stream: &TcpStream) -> Option<u8> {
    let mut first = [0];
    let peeked = stream.peek(&mut first).await.ok()?;
    (peeked > 0).then_some(first[0])
}

fn builder(limits: &Limits) -> http1::Builder {
    let mut builder = http1::Builder::new();
    builder
        .timer(TokioTimer::new())
        .header_read_timeout(limits.headers_within)
        .max_header_size(limits.header_bytes)
        .max_headers(limits.headers);
    builder
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_refusal_is_as_long_as_it_says() {
        let text = std::str::from_utf8(NO_ROOM).expect("text");
        let (head, body) = text.split_once("\r\n\r\n").expect("a head and a body");
        assert!(head.contains(&format!("content-length: {}", body.len())), "{}", body.len());
        let problem: serde_json::Value = serde_json::from_str(body).expect("JSON");
        assert_eq!(problem["code"], "not-ready");
    }
}
