//! A server that speaks the wire format of chat completions over real HTTP, well or badly, as a test tells it to.

use serde_json::{Value, json};
use std::fmt::Write as _;
use std::io::{self, BufRead as _, BufReader, Read as _, Write as _};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::Duration;

/// Somebody who waits longer than this for a server that hangs has forgotten a time limit.
const LONGEST_HANG: Duration = Duration::from_mins(1);

/// Bytes of text that are called a token, and that one event of a stream carries.
const PIECE: usize = 4;

/// What the server does with a request.
#[derive(Clone, Debug)]
pub enum Act {
    /// Says this; as a stream if one was asked for.
    Answer(String),
    /// Says this as a stream, asked for or not.
    Stream(String),
    /// Says this in one piece, asked for or not.
    Whole(String),
    /// Says this, what it used and what it cost.
    Priced {
        text: String,
        prompt_tokens: u64,
        completion_tokens: u64,
        cost: f64,
    },
    /// Says this without saying what it used.
    Uncounted(String),
    /// Says this and has no tokens left.
    Truncated(String),
    /// As models do that were told not to: ```` ```json … ``` ````
    Fenced(String),
    /// With a sentence before and one after.
    Prose(String),
    /// The content as a list of parts.
    Parts(Vec<String>),
    /// The model refuses, with these words.
    Refusal(String),
    /// A filter holds the answer back.
    Filtered,
    EmptyChoices,
    EmptyText,
    /// Bytes that are no JSON, called JSON.
    Garbage,
    /// So many bytes of answer.
    Huge(usize),
    /// 307, to there.
    Redirect(String),
    /// A sound answer under another content type.
    ContentType {
        kind: String,
        text: String,
    },
    /// A page of some proxy, with status 200.
    Page,
    /// 200, with an error inside as OpenRouter has it.
    ErrorInside {
        code: u16,
        message: String,
    },
    /// Some text, then an error as an event of the stream.
    ErrorInStream {
        text: String,
        code: u16,
        message: String,
    },
    /// 429, and when to come back.
    TooMany {
        retry_after: Option<String>,
    },
    /// An error in OpenAI's shape.
    Error {
        status: u16,
        kind: String,
        message: String,
    },
    /// 400, because of a parameter.
    Unsupported(String),
    /// Takes the request and says nothing.
    Hang,
    /// Begins to answer and stops in the middle of the text, the connection open.
    HangInText(String),
    /// A stream that ends after so many pieces.
    CutStream {
        text: String,
        pieces: usize,
    },
    /// An answer whose second half never comes.
    CutAnswer(String),
    /// Closes the connection without a word.
    Close,
    /// These bytes and no others.
    Raw(Vec<u8>),
}

/// A request as it came.
#[derive(Clone, Debug)]
pub struct Request {
    pub path: String,
    pub authorization: Option<String>,
    pub body: Value,
}

type Script = dyn Fn(&Value) -> Act + Send + Sync;

struct Stage {
    script: Box<Script>,
    requests: Mutex<Vec<Request>>,
    is_over: AtomicBool,
}

impl Stage {
    fn requests(&self) -> MutexGuard<'_, Vec<Request>> {
        self.requests.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A server on a free port of this machine, gone when it is dropped.
pub struct ModelServer {
    address: SocketAddr,
    stage: Arc<Stage>,
    door: Option<JoinHandle<()>>,
}

impl ModelServer {
    /// What to do is said for each request from its body.
    pub fn start(script: impl Fn(&Value) -> Act + Send + Sync + 'static) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port is free");
        let address = listener.local_addr().expect("a listener has an address");
        let stage = Arc::new(Stage {
            script: Box::new(script),
            requests: Mutex::new(Vec::new()),
            is_over: AtomicBool::new(false),
        });
        let shared = Arc::clone(&stage);
        let door = std::thread::spawn(move || attend(&listener, &shared));
        Self { address, stage, door: Some(door) }
    }

    /// One act after the other; the last one for all that follow.
    pub fn playing(acts: impl IntoIterator<Item = Act>) -> Self {
        let acts: Vec<Act> = acts.into_iter().collect();
        assert!(!acts.is_empty(), "there is something to play");
        let next = Mutex::new(0);
        Self::start(move |_| {
            let mut next = next.lock().unwrap_or_else(PoisonError::into_inner);
            let act = acts[(*next).min(acts.len() - 1)].clone();
            *next += 1;
            act
        })
    }

    /// What stands before `/chat/completions`.
    pub fn endpoint(&self) -> String {
        format!("http://{}/v1", self.address)
    }

    /// Everything that was asked, in the order in which it came.
    pub fn requests(&self) -> Vec<Request> {
        self.stage.requests().clone()
    }

    pub fn count(&self) -> usize {
        self.stage.requests().len()
    }
}

impl Drop for ModelServer {
    fn drop(&mut self) {
        self.stage.is_over.store(true, Ordering::SeqCst);
        // Wakes the one who waits at the door. Those who still talk end with their clients.
        let _ = TcpStream::connect(self.address);
        if let Some(door) = self.door.take() {
            let _ = door.join();
        }
    }
}

fn attend(listener: &TcpListener, stage: &Arc<Stage>) {
    for stream in listener.incoming().flatten() {
        if stage.is_over.load(Ordering::SeqCst) {
            return;
        }
        let stage = Arc::clone(stage);
        std::thread::spawn(move || {
            // A client that goes away in the middle is part of many tests.
            let _ = serve(stream, &stage);
        });
    }
}

fn serve(mut stream: TcpStream, stage: &Stage) -> io::Result<()> {
    stream.set_read_timeout(Some(LONGEST_HANG))?;
    let Some(request) = read(&stream)? else { return Ok(()) };
    let body = request.body.clone();
    stage.requests().push(request);
    let act = (stage.script)(&body);
    perform(&mut stream, &act, &body)?;
    stream.flush()
}

fn read(stream: &TcpStream) -> io::Result<Option<Request>> {
    let mut reader = BufReader::new(stream);
    let mut line = String::new();
    reader.read_line(&mut line)?;
    let Some(path) = line.split(' ').nth(1).map(str::to_owned) else { return Ok(None) };
    let (mut length, mut authorization) = (0, None);
    loop {
        line.clear();
        reader.read_line(&mut line)?;
        let Some((name, value)) = line.trim_end().split_once(": ") else { break };
        match name.to_ascii_lowercase().as_str() {
            "content-length" => length = value.parse().unwrap_or_default(),
            "authorization" => authorization = Some(value.to_owned()),
            _ => {}
        }
    }
    let mut body = vec![0; length];
    reader.read_exact(&mut body)?;
    let body = serde_json::from_slice(&body).unwrap_or(Value::Null);
    Ok(Some(Request { path, authorization, body }))
}

const JSON: &str = "application/json";

fn perform(stream: &mut TcpStream, act: &Act, request: &Value) -> io::Result<()> {
    let streams = request["stream"] == true;
    let mut say = |text: &str, finish: &str| {
        let usage = Some(usage(request, text));
        if streams {
            events(stream, text, finish, usage)
        } else {
            whole(stream, &answer(text, finish, usage))
        }
    };
    match act {
        Act::Answer(text) => say(text, "stop"),
        Act::Truncated(text) => say(text, "length"),
        Act::Fenced(text) => say(&format!("```json\n{text}\n```"), "stop"),
        Act::Prose(text) => {
            say(&format!("Certainly! Here is my decision:\n\n{text}\n\nLet me know."), "stop")
        }
        Act::Filtered => say("", "content_filter"),
        Act::EmptyText => say("", "stop"),
        Act::Stream(text) => events(stream, text, "stop", Some(usage(request, text))),
        Act::Whole(text) => whole(stream, &answer(text, "stop", Some(usage(request, text)))),
        Act::Uncounted(text) if streams => events(stream, text, "stop", None),
        Act::Uncounted(text) => whole(stream, &answer(text, "stop", None)),
        Act::Priced { text, prompt_tokens, completion_tokens, cost } => {
            let usage = json!({ "prompt_tokens": prompt_tokens, "completion_tokens": completion_tokens, "cost": cost });
            if streams {
                events(stream, text, "stop", Some(usage))
            } else {
                whole(stream, &answer(text, "stop", Some(usage)))
            }
        }
        other => misbehave(stream, other, request),
    }
}

fn misbehave(stream: &mut TcpStream, act: &Act, request: &Value) -> io::Result<()> {
    match act {
        Act::Parts(parts) => {
            let parts: Vec<Value> =
                parts.iter().map(|text| json!({ "type": "text", "text": text })).collect();
            whole(stream, &choices(&json!({ "role": "assistant", "content": parts }), "stop", None))
        }
        Act::Refusal(words) => {
            let message = json!({ "role": "assistant", "content": null, "refusal": words });
            whole(stream, &choices(&message, "stop", Some(usage(request, words))))
        }
        Act::EmptyChoices => whole(stream, &json!({ "choices": [] })),
        Act::Garbage => send(stream, 200, JSON, &[], b"\x00\xff{\"choices\": [oops"),
        Act::Huge(bytes) => whole(stream, &answer(&"x".repeat(*bytes), "stop", None)),
        Act::Redirect(to) => send(stream, 307, JSON, &[("location", to)], b""),
        Act::ContentType { kind, text } => send(
            stream,
            200,
            kind,
            &[],
            answer(text, "stop", Some(usage(request, text))).to_string().as_bytes(),
        ),
        Act::Page => send(stream, 200, "text/html", &[], b"<html><body>Please sign in</body></html>"),
        Act::ErrorInside { code, message } => whole(stream, &routed_error(*code, message)),
        Act::ErrorInStream { text, code, message } => {
            head(stream, 200, "text/event-stream", &[("transfer-encoding", "chunked")])?;
            event(stream, &delta(text, None))?;
            event(stream, &routed_error(*code, message))?;
            stream.write_all(b"0\r\n\r\n")
        }
        other => refuse(stream, other),
    }
}

fn refuse(stream: &mut TcpStream, act: &Act) -> io::Result<()> {
    let mut error = |status: u16, kind: &str, message: &str, headers: &[(&str, &str)]| {
        let body = json!({ "error": { "message": message, "type": kind, "param": null, "code": kind } });
        send(stream, status, JSON, headers, body.to_string().as_bytes())
    };
    match act {
        Act::TooMany { retry_after } => {
            let headers: Vec<(&str, &str)> =
                retry_after.iter().map(|value| ("retry-after", value.as_str())).collect();
            error(429, "rate_limit_exceeded", "Rate limit reached", &headers)
        }
        Act::Error { status, kind, message } => error(*status, kind, message, &[]),
        Act::Unsupported(what) => {
            error(400, "invalid_request_error", &format!("{what} is not supported by this model"), &[])
        }
        other => break_off(stream, other),
    }
}

fn break_off(stream: &mut TcpStream, act: &Act) -> io::Result<()> {
    match act {
        Act::Hang => wait_until_gone(stream),
        Act::HangInText(text) => {
            head(stream, 200, "text/event-stream", &[("transfer-encoding", "chunked")])?;
            event(stream, &delta(text, None))?;
            wait_until_gone(stream)
        }
        Act::CutStream { text, pieces } => {
            head(stream, 200, "text/event-stream", &[("transfer-encoding", "chunked")])?;
            in_pieces(text).iter().take(*pieces).try_for_each(|piece| event(stream, &delta(piece, None)))
        }
        Act::CutAnswer(text) => {
            let body = answer(text, "stop", None).to_string();
            head(stream, 200, JSON, &[("content-length", &body.len().to_string())])?;
            stream.write_all(&body.as_bytes()[..body.len() / 2])
        }
        Act::Raw(bytes) => stream.write_all(bytes),
        _ => Ok(()),
    }
}

/// Says nothing until the client gives up.
fn wait_until_gone(stream: &mut TcpStream) -> io::Result<()> {
    stream.flush()?;
    stream.read(&mut [0]).map(drop)
}

fn usage(request: &Value, text: &str) -> Value {
    let asked: usize = request["messages"]
        .as_array()
        .map(|messages| messages.iter().filter_map(|message| message["content"].as_str()).map(str::len).sum())
        .unwrap_or_default();
    json!({ "prompt_tokens": asked.div_ceil(PIECE), "completion_tokens": text.len().div_ceil(PIECE) })
}

fn answer(text: &str, finish: &str, usage: Option<Value>) -> Value {
    choices(&json!({ "role": "assistant", "content": text }), finish, usage)
}

fn choices(message: &Value, finish: &str, usage: Option<Value>) -> Value {
    let mut value = json!({
        "id": "chatcmpl-1",
        "object": "chat.completion",
        "choices": [{ "index": 0, "message": message, "finish_reason": finish }],
    });
    if let Some(usage) = usage {
        value["usage"] = usage;
    }
    value
}

fn delta(text: &str, finish: Option<&str>) -> Value {
    json!({ "object": "chat.completion.chunk", "choices": [{ "index": 0, "delta": { "content": text }, "finish_reason": finish }] })
}

fn routed_error(code: u16, message: &str) -> Value {
    json!({ "error": { "code": code, "message": message, "metadata": { "provider_name": "Somebody" } } })
}

/// A stream as OpenRouter sends it, comments that keep the connection alive included.
fn events(stream: &mut TcpStream, text: &str, finish: &str, usage: Option<Value>) -> io::Result<()> {
    head(stream, 200, "text/event-stream", &[("transfer-encoding", "chunked")])?;
    chunk(stream, b": PROCESSING\n\n")?;
    for piece in in_pieces(text) {
        event(stream, &delta(&piece, None))?;
    }
    event(stream, &delta("", Some(finish)))?;
    if let Some(usage) = usage {
        event(stream, &json!({ "choices": [], "usage": usage }))?;
    }
    chunk(stream, b"data: [DONE]\n\n")?;
    stream.write_all(b"0\r\n\r\n")
}

fn in_pieces(text: &str) -> Vec<String> {
    let letters: Vec<char> = text.chars().collect();
    letters.chunks(PIECE).map(|piece| piece.iter().collect()).collect()
}

fn event(stream: &mut TcpStream, value: &Value) -> io::Result<()> {
    chunk(stream, format!("data: {value}\n\n").as_bytes())
}

fn chunk(stream: &mut TcpStream, bytes: &[u8]) -> io::Result<()> {
    stream.write_all(format!("{:x}\r\n", bytes.len()).as_bytes())?;
    stream.write_all(bytes)?;
    stream.write_all(b"\r\n")
}

fn whole(stream: &mut TcpStream, body: &Value) -> io::Result<()> {
    send(stream, 200, JSON, &[], body.to_string().as_bytes())
}

fn send(
    stream: &mut TcpStream,
    status: u16,
    kind: &str,
    headers: &[(&str, &str)],
    body: &[u8],
) -> io::Result<()> {
    let length = body.len().to_string();
    let headers: Vec<(&str, &str)> =
        headers.iter().copied().chain([("content-length", length.as_str())]).collect();
    head(stream, status, kind, &headers)?;
    stream.write_all(body)
}

fn head(stream: &mut TcpStream, status: u16, kind: &str, headers: &[(&str, &str)]) -> io::Result<()> {
    let mut text = format!("HTTP/1.1 {status} Status\r\ncontent-type: {kind}\r\nconnection: close\r\n");
    for (name, value) in headers {
        let _ = write!(text, "{name}: {value}\r\n");
    }
    stream.write_all(format!("{text}\r\n").as_bytes())
}
