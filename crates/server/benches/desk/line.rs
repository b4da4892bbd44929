//! Whoever asks: HTTP as far as it is needed here.

use serde_json::Value;
use std::net::SocketAddr;
use std::sync::Arc;
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::net::TcpStream;

/// A connection that speaks just enough HTTP.
pub(super) struct Line {
    pub(super) stream: BufReader<TcpStream>,
    pub(super) token: Arc<str>,
}

impl Line {
    pub(super) async fn open(address: SocketAddr, token: &Arc<str>) -> Self {
        let stream = TcpStream::connect(address).await.unwrap();
        stream.set_nodelay(true).unwrap();
        Self { stream: BufReader::new(stream), token: Arc::clone(token) }
    }

    pub(super) async fn ask(
        &mut self,
        method: &str,
        path: &str,
        tag: &str,
        body: Option<&Value>,
    ) -> (u16, String, Value) {
        let body = body.map(ToString::to_string).unwrap_or_default();
        let request = format!(
            "{method} {path} HTTP/1.1\r\nhost: desk\r\nauthorization: Bearer {}\r\nif-match: {tag}\r\n\
             content-type: application/json\r\ncontent-length: {}\r\n\r\n{body}",
            self.token,
            body.len()
        );
        self.stream.get_mut().write_all(request.as_bytes()).await.unwrap();
        let (status, tag, length) = self.head().await;
        let mut bytes = vec![0; length];
        self.stream.read_exact(&mut bytes).await.unwrap();
        (status, tag, serde_json::from_slice(&bytes).unwrap_or_default())
    }

    /// Asks, and takes the answer without looking into it: what is measured is the desk, not whoever asks.
    pub(super) async fn get(&mut self, path: &str) -> u16 {
        let request =
            format!("GET {path} HTTP/1.1\r\nhost: desk\r\nauthorization: Bearer {}\r\n\r\n", self.token);
        self.stream.get_mut().write_all(request.as_bytes()).await.unwrap();
        let (status, _, length) = self.head().await;
        let mut left = length;
        while left > 0 {
            let here = self.stream.fill_buf().await.unwrap().len().min(left);
            self.stream.consume(here);
            left -= here;
        }
        status
    }

    pub(super) async fn head(&mut self) -> (u16, String, usize) {
        let (mut status, mut tag, mut length) = (0, String::new(), 0);
        loop {
            let mut line = String::new();
            self.stream.read_line(&mut line).await.unwrap();
            let line = line.trim_end();
            if line.is_empty() {
                return (status, tag, length);
            }
            if let Some(rest) = line.strip_prefix("HTTP/1.1 ") {
                status = rest[..3].parse().unwrap();
            }
            if let Some((name, value)) = line.split_once(": ") {
                match name {
                    "etag" => value.clone_into(&mut tag),
                    "content-length" => length = value.parse().unwrap(),
                    _ => {}
                }
            }
        }
    }
}
