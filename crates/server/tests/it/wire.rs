//! A client that speaks HTTP over a real connection, one request on each, and sees every byte of the answer.

use crate::described;
use serde_json::Value;
use std::fmt::Write as _;
use std::io::{Read, Write as _};
use std::net::{SocketAddr, TcpStream};
use std::time::Duration;

/// Nothing here takes that long unless it is broken.
const PATIENCE: Duration = Duration::from_secs(20);

/// What came back.
#[derive(Debug)]
pub(crate) struct Reply {
    pub(crate) status: u16,
    pub(crate) headers: Vec<(String, String)>,
    pub(crate) body: Vec<u8>,
}

impl Reply {
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        self.headers
            .iter()
            .find(|(known, _)| known.eq_ignore_ascii_case(name))
            .map(|(_, value)| value.as_str())
    }

    pub(crate) fn text(&self) -> String {
        String::from_utf8_lossy(&self.body).into_owned()
    }

    pub(crate) fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap_or_else(|_| Value::String(self.text()))
    }

    /// The value of a cookie that the answer sets.
    pub(crate) fn cookie(&self, name: &str) -> Option<String> {
        let set = self.headers.iter().filter(|(known, _)| known.eq_ignore_ascii_case("set-cookie"));
        let mut pairs = set.filter_map(|(_, value)| value.split(';').next()?.split_once('='));
        pairs.find(|(known, _)| *known == name).map(|(_, value)| value.to_owned())
    }
}

/// Sends one request and waits for the whole answer.
pub(crate) fn call(
    address: SocketAddr,
    method: &str,
    path: &str,
    headers: &[(&str, &str)],
    body: Option<&str>,
) -> Reply {
    let mut request = format!("{method} {path} HTTP/1.1\r\nhost: {address}\r\nconnection: close\r\n");
    for (name, value) in headers {
        let _ = write!(request, "{name}: {value}\r\n");
    }
    if let Some(body) = body {
        let typed = headers.iter().any(|(name, _)| name.eq_ignore_ascii_case("content-type"));
        request += if typed { "" } else { "content-type: application/json\r\n" };
        let _ = write!(request, "content-length: {}\r\n", body.len());
    }
    request += "\r\n";
    request += body.unwrap_or_default();
    let reply = parse(&exchange(address, request.as_bytes()));
    described::check_pairs(method, path, reply.status, &reply.headers);
    reply
}

/// Sends bytes as they are and reads until the other side closes.
pub(crate) fn exchange(address: SocketAddr, request: &[u8]) -> Vec<u8> {
    let mut stream = TcpStream::connect_timeout(&address, PATIENCE).expect("somebody listens");
    stream.set_read_timeout(Some(PATIENCE)).expect("a time limit");
    // A server that refuses early may close before it has read everything; its answer counts.
    let _ = stream.write_all(request);
    let mut answer = Vec::new();
    let _ = stream.read_to_end(&mut answer);
    answer
}

pub(crate) fn parse(bytes: &[u8]) -> Reply {
    let end = bytes.windows(4).position(|part| part == b"\r\n\r\n").unwrap_or(bytes.len());
    let head = String::from_utf8_lossy(&bytes[..end]).into_owned();
    let mut lines = head.split("\r\n");
    let status = lines.next().and_then(|line| line.split(' ').nth(1)?.parse().ok()).unwrap_or(0);
    let pair =
        |line: &str| line.split_once(':').map(|(name, value)| (name.to_owned(), value.trim().to_owned()));
    let headers: Vec<(String, String)> = lines.filter_map(pair).collect();
    let rest = bytes.get(end + 4..).unwrap_or_default();
    let chunked = headers.iter().any(|(name, value)| name == "transfer-encoding" && value == "chunked");
    Reply { status, headers, body: if chunked { unchunked(rest) } else { rest.to_vec() } }
}

fn unchunked(mut bytes: &[u8]) -> Vec<u8> {
    let mut body = Vec::new();
    while let Some(end) = bytes.windows(2).position(|part| part == b"\r\n") {
        let size = usize::from_str_radix(&String::from_utf8_lossy(&bytes[..end]), 16).unwrap_or(0);
        let piece = &bytes[end + 2..];
        if size == 0 || piece.len() < size {
            break;
        }
        body.extend_from_slice(&piece[..size]);
        bytes = piece.get(size + 2..).unwrap_or_default();
    }
    body
}
