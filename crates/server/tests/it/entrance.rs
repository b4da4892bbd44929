//! Clients that are slow, greedy or many, on real sockets: each is cut off, and everybody else is served.

use crate::box_desk::{BoxDesk, block_on, request};
use crate::wire::{call, exchange, parse};
use axum::body::Body;
use axum::http::{Method, Request, StatusCode, header};
use serde_json::json;
use server::access::Role;
use server::api::endpoint::{Access, Endpoint};
use server::clock::now;
use server::entrance::Limits;
use server::storage::Location;
use server::testing::Folder;
use std::io::{ErrorKind, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::time::{Duration, Instant};

/// Short enough for a test, long enough for a busy machine.
const SOON: Duration = Duration::from_millis(400);

/// Nothing here takes that long unless it is broken.
const PATIENCE: Duration = Duration::from_secs(20);

fn place(folder: &Folder) -> Location {
    format!("sqlite:{}", folder.path().join("drover.db").display()).parse().expect("a place")
}

/// Serves a desk and lets a test speak to it from a thread that may wait.
fn serving(name: &str, limits: Limits, work: impl FnOnce(SocketAddr, &str) + Send + 'static) {
    let folder = Folder::new(name);
    let desk = BoxDesk::open_with_limits(&place(&folder), "limits: { streams: 1 }\n", limits);
    let token = format!("Bearer {}", desk.secret(Role::Admin).reveal());
    block_on(async {
        let (address, _stop) = desk.listen().await;
        tokio::task::spawn_blocking(move || work(address, &token)).await.expect("the test went well");
    });
}

fn connect(address: SocketAddr) -> TcpStream {
    let stream = TcpStream::connect_timeout(&address, PATIENCE).expect("somebody listens");
    stream.set_read_timeout(Some(PATIENCE)).expect("a time limit");
    stream
}

/// Sends bytes one by one for as long as the other side takes them.
fn drip(stream: &mut TcpStream, bytes: impl Iterator<Item = u8>) {
    let begun = now();
    stream.set_read_timeout(Some(Duration::from_millis(20))).expect("a time limit");
    for byte in bytes {
        let mut answer = [0; 1];
        let open = match stream.read(&mut answer) {
            Ok(0) => false,
            Ok(_) => true,
            Err(error) => matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut),
        };
        let late = now().saturating_duration_since(begun) > PATIENCE;
        if !open || late || stream.write_all(&[byte]).is_err() {
            break;
        }
    }
}

fn is_served(address: SocketAddr) -> bool {
    call(address, "GET", "/healthz", &[], None).status == 200
}

#[test]
fn whoever_sends_a_request_byte_by_byte_is_cut_off() {
    let limits = Limits { headers_within: SOON, ..Limits::default() };
    serving("loris", limits, |address, _| {
        // The desk counts from the connection on.
        let begun = now();
        let mut loris = connect(address);
        let lines = b"GET /healthz HTTP/1.1\r\nhost: x\r\n".iter().copied();
        drip(&mut loris, lines.chain(std::iter::repeat_n(b'a', 100_000)));
        let took = now().saturating_duration_since(begun);
        assert!(took >= SOON && took < PATIENCE / 2, "{took:?}");
        let mut silent = connect(address);
        let begun = now();
        assert_eq!(silent.read(&mut [0; 16]).expect("it is closed"), 0, "an unused connection is not kept");
        assert!(now().saturating_duration_since(begun) < PATIENCE / 2);
        assert!(is_served(address));
    });
}

#[test]
fn a_body_has_to_arrive_in_time() {
    let limits = Limits { body_within: SOON, ..Limits::default() };
    serving("slow-body", limits, |address, token| {
        let head = format!(
            "POST /api/v1/clock HTTP/1.1\r\nhost: x\r\nauthorization: {token}\r\ncontent-type: application/json\r\n\
             content-length: 100000\r\n\r\n{{"
        );
        let answer = parse(&exchange(address, head.as_bytes()));
        assert_eq!((answer.status, &answer.json()["code"]), (408, &json!("too-slow")), "{}", answer.text());
        let nobody = head.replace("Bearer ", "Bearer x");
        assert_eq!(parse(&exchange(address, nobody.as_bytes())).status, 401, "a stranger is not waited for");
        assert!(is_served(address));
    });
}

#[test]
fn whoever_takes_no_answer_is_cut_off() {
    let limits = Limits { read_within: SOON, connections: 0, ..Limits::default() };
    // There is room for one connection: that of the one who does not read.
    serving("no-reader", limits, |address, _| {
        let mut greedy = connect(address);
        let ask = b"GET /openapi.json HTTP/1.1\r\nhost: x\r\n\r\n".repeat(400);
        let writer = std::thread::spawn(move || {
            let _ = greedy.write_all(&ask);
            greedy
        });
        assert_eq!(call(address, "GET", "/healthz", &[], None).status, 503, "there is no second place");
        let begun: Instant = now();
        while !is_served(address) {
            assert!(now().saturating_duration_since(begun) < PATIENCE, "the place never became free");
        }
        drop(writer.join());
    });
}

#[test]
fn there_is_room_for_so_many_and_whoever_comes_then_is_told() {
    let limits = Limits { connections: 2, ..Limits::default() };
    serving("full", limits, |address, _| {
        // Two, and one more that could watch events.
        let mut inside: Vec<TcpStream> = (0..3).map(|_| connect(address)).collect();
        for stream in &mut inside {
            stream.write_all(b"GET /healthz HTTP/1.1\r\nhost: x\r\n\r\n").expect("it is taken");
            let mut answer = [0; 15];
            stream.read_exact(&mut answer).expect("an answer");
            assert_eq!(&answer, b"HTTP/1.1 200 OK");
        }
        let refused = call(address, "GET", "/healthz", &[], None);
        assert_eq!(
            (refused.status, &refused.json()["code"]),
            (503, &json!("not-ready")),
            "{}",
            refused.text()
        );
        assert_eq!(refused.header("retry-after"), Some("5"));
        drop(inside);
        let begun = now();
        while !is_served(address) {
            assert!(now().saturating_duration_since(begun) < PATIENCE, "no place became free");
        }
    });
}

#[test]
fn lines_of_a_request_are_not_endless() {
    serving("long-lines", Limits::default(), |address, _| {
        for lines in [format!("x-long: {}\r\n", "y".repeat(40 * 1024)), "x-many: y\r\n".repeat(150)] {
            let text = format!("GET /healthz HTTP/1.1\r\nhost: x\r\nconnection: close\r\n{lines}\r\n");
            assert_eq!(parse(&exchange(address, text.as_bytes())).status, 431);
        }
        let path = format!("/{}", "y".repeat(70 * 1024));
        assert!(matches!(call(address, "GET", &path, &[], None).status, 414 | 431));
        assert!(is_served(address));
    });
}

#[test]
fn an_answer_that_takes_too_long_is_not_waited_for_and_streams_go_on() {
    let limits = Limits { answered_within: SOON, slow_answer_within: Duration::ZERO, ..Limits::default() };
    serving("slow-answer", limits, |address, token| {
        let body = json!({ "order": "advance", "seconds": 3600 }).to_string();
        let clock = call(address, "POST", "/api/v1/clock", &[("authorization", token)], Some(&body));
        assert_eq!((clock.status, &clock.json()["code"]), (503, &json!("not-ready")), "{}", clock.text());
        let mut watcher = connect(address);
        let text =
            format!("GET /api/v1/events?after=1-0 HTTP/1.1\r\nhost: x\r\nauthorization: {token}\r\n\r\n");
        watcher.write_all(text.as_bytes()).expect("it is taken");
        watcher.set_read_timeout(Some(3 * SOON)).expect("a time limit");
        let (mut heard, mut piece) = (Vec::new(), vec![0; 65_536]);
        loop {
            match watcher.read(&mut piece) {
                Ok(0) => panic!("the stream was closed: {}", String::from_utf8_lossy(&heard)),
                Ok(read) => heard.extend_from_slice(&piece[..read]),
                // Nothing was said for three times as long as an answer may take, and it is still open.
                Err(_) => break,
            }
        }
        assert!(heard.starts_with(b"HTTP/1.1 200 OK"));
    });
}

/// Somebody who may use an endpoint.
fn holder(endpoint: &Endpoint) -> Role {
    let Access::Needs(right) = endpoint.access else { return Role::Viewer };
    right.holders()[0]
}

/// Bytes without a word about how many.
fn endless(bytes: usize) -> Body {
    let piece = || Ok::<_, std::io::Error>(vec![b' '; 64 * 1024]);
    Body::from_stream(futures_util::stream::iter((0..=bytes / (64 * 1024)).map(move |_| piece())))
}

#[test]
fn no_endpoint_takes_a_body_without_a_limit() {
    block_on(async {
        let folder = Folder::new("bodies");
        let desk = BoxDesk::open(&place(&folder), "limits: { requests_per_second: 100000, burst: 100000 }\n");
        for endpoint in server::api::endpoints() {
            let path: String = endpoint.path.replace(['{', '}'], "");
            let shown = format!("{} {}", endpoint.method, endpoint.path);
            let send = async |body: Body, length: Option<usize>| {
                let mut sent: Request<Body> =
                    request(endpoint.method.clone(), &path, Some(desk.secret(holder(&endpoint))), None, &[]);
                *sent.body_mut() = body;
                let json = header::HeaderValue::from_static("application/json");
                sent.headers_mut().insert(header::CONTENT_TYPE, json);
                if let Some(length) = length {
                    sent.headers_mut().insert(header::CONTENT_LENGTH, length.into());
                }
                desk.send(sent).await
            };
            let largest = endpoint.largest_body;
            assert!(largest <= 12 * 1024 * 1024, "{shown}");
            let said = send(Body::from(" "), Some(largest + 1)).await;
            assert_eq!(said.status, StatusCode::PAYLOAD_TOO_LARGE, "{shown}: {}", said.body);
            let unsaid = send(endless(largest), None).await;
            assert_eq!(unsaid.status, StatusCode::PAYLOAD_TOO_LARGE, "{shown}: {}", unsaid.body);
            if endpoint.method != Method::GET {
                let fits = send(Body::from(vec![b' '; largest]), Some(largest)).await;
                assert_ne!(fits.status, StatusCode::PAYLOAD_TOO_LARGE, "{shown}");
            }
        }
    });
}
