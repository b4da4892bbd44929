//! What this machine can do at the moment: the same library, answers of the same length, and no desk behind them.

use super::line::Line;
use axum::body::Bytes;
use axum::http::Uri;
use axum::http::header::CONTENT_TYPE;
use std::net::SocketAddr;
use std::sync::Arc;
use tokio::runtime::Handle;

/// Serves copies of one list and of one recommendation on the desk's own threads.
pub(super) async fn open(threads: &Handle, desk: SocketAddr, token: &Arc<str>) -> SocketAddr {
    let mut line = Line::open(desk, token).await;
    let list = bytes(&mut line, &super::question(0, true).1).await;
    let detail = bytes(&mut line, &super::question(0, false).1).await;
    let answer = move |uri: Uri| {
        let body = if uri.query().is_some() { list.clone() } else { detail.clone() };
        std::future::ready(([(CONTENT_TYPE, "application/json")], body))
    };
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let listener = listener.into_std().unwrap();
    threads.spawn(async move {
        let listener = tokio::net::TcpListener::from_std(listener).unwrap();
        axum::serve(listener, axum::Router::new().fallback(answer)).await
    });
    address
}

async fn bytes(line: &mut Line, path: &str) -> Bytes {
    let (status, _, value) = line.ask("GET", path, "", None).await;
    assert_eq!(status, 200, "{path}");
    serde_json::to_vec(&value).unwrap().into()
}
