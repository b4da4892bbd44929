//! Talking to a desk over HTTP.
//!
//! Every request is bounded in time. What can be sent again without doing anything twice is sent again when the connection fails:
//! reading, and whatever carries an Idempotency-Key.

mod address;
mod arguments;
mod events;
mod problem;
mod refusal;

pub(crate) use arguments::{Access, Connection};
pub(crate) use events::{Event, EventReader};
pub(crate) use refusal::Refusal;

use crate::failure::{Failure, Outcome};
use crate::output::print;
use crate::terminal::{Table, clean_json};
use address::Address;
use anyhow::{Context, anyhow};
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use serde::Serialize;
use serde::de::DeserializeOwned;
use server::access::Secret;
use std::fmt::Write as _;
use std::io::{ErrorKind, Read};
use std::process::ExitCode;
use std::time::Duration;
use ureq::http::{Method, Request as HttpRequest, Response};
use ureq::{Agent, Body, Error};

/// How often a request is tried. A desk that was started again needs a moment.
const ATTEMPTS: u32 = 4;

/// The wait before the second attempt; each further one waits twice as long.
const FIRST_PAUSE: Duration = Duration::from_millis(100);

/// A desk that asks for more patience than this is told of, not waited for.
const LONGEST_PAUSE: Duration = Duration::from_secs(3);

/// How long a request may take.
const PATIENCE: Duration = Duration::from_secs(30);

/// How long one may take that computes: virtual time that goes on for a day, a record that is checked.
const LONG_PATIENCE: Duration = Duration::from_mins(10);

/// Live streams say something every 15 s; after twice that and a little, nobody is there any more.
const SILENCE: Duration = Duration::from_secs(35);

/// No answer of ours is larger; whoever sends more is no desk.
const LARGEST_ANSWER: u64 = 64 << 20;

/// What stays as it is inside an address.
const KEPT: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'_').remove(b'.').remove(b'~');

/// A desk, and the one who asks.
pub(crate) struct Client {
    agent: Agent,
    address: Address,
    token: Secret,
    json: bool,
}

/// Something to be asked.
#[derive(Clone)]
pub(crate) struct Request {
    method: Method,
    path: String,
    query: Vec<(&'static str, String)>,
    body: Option<String>,
    condition: Option<String>,
    /// None if it may go on for ever, as long as something is said.
    patience: Option<Duration>,
    /// Whether it may be sent again when nobody knows whether it arrived.
    repeatable: bool,
}

/// What a desk said.
pub(crate) struct Answer {
    /// The version of what is told, for a request that depends on it.
    pub(crate) version: Option<String>,
    pub(crate) text: String,
}

impl Request {
    fn new(method: Method, path: &[&str]) -> Self {
        let parts = path.iter().map(|part| escape(part));
        let path = std::iter::once("/api/v1".to_owned()).chain(parts).collect::<Vec<_>>().join("/");
        Self {
            method,
            path,
            query: Vec::new(),
            body: None,
            condition: None,
            patience: Some(PATIENCE),
            repeatable: true,
        }
    }

    pub(crate) fn get(path: &[&str]) -> Self {
        Self::new(Method::GET, path)
    }

    /// For what lies beside the desk's own API.
    pub(crate) fn get_outside(path: &str) -> Self {
        Self { path: path.to_owned(), ..Self::new(Method::GET, &[]) }
    }

    pub(crate) fn post(path: &[&str], body: &impl Serialize) -> Self {
        Self::new(Method::POST, path).with(body)
    }

    pub(crate) fn delete(path: &[&str]) -> Self {
        Self::new(Method::DELETE, path)
    }

    pub(crate) fn put(path: &[&str], body: &impl Serialize) -> Self {
        Self::new(Method::PUT, path).with(body)
    }

    fn with(mut self, body: &impl Serialize) -> Self {
        self.body = Some(serde_json::to_string(body).expect("requests are plain data"));
        self
    }

    /// Adds something to the query, if there is something to add.
    pub(crate) fn query(mut self, name: &'static str, value: Option<impl ToString>) -> Self {
        self.query.extend(value.map(|value| (name, value.to_string())));
        self
    }

    /// Only if it still is the version that was read.
    pub(crate) fn if_version(mut self, version: Option<&str>) -> Self {
        self.condition = version.map(str::to_owned);
        self
    }

    pub(crate) const fn patiently(mut self) -> Self {
        self.patience = Some(LONG_PATIENCE);
        self
    }

    /// For what the desk does not recognise when it comes again.
    pub(crate) const fn only_once(mut self) -> Self {
        self.repeatable = false;
        self
    }

    fn target(&self) -> String {
        let mut target = self.path.clone();
        for (index, (name, value)) in self.query.iter().enumerate() {
            let _ = write!(target, "{}{name}={}", if index == 0 { '?' } else { '&' }, escape(value));
        }
        target
    }
}

fn escape(text: &str) -> String {
    utf8_percent_encode(text, KEPT).to_string()
}

impl Answer {
    pub(crate) fn read<T: DeserializeOwned>(&self) -> Result<T, Failure> {
        let read = serde_json::from_str(&self.text);
        Ok(read.context(
            "the desk said something that this program does not understand; are they of the same version?",
        )?)
    }
}

impl Client {
    /// Whether answers are printed as they come.
    pub(crate) const fn is_for_programs(&self) -> bool {
        self.json
    }

    /// Where the desk is.
    pub(crate) fn address(&self) -> String {
        self.address.shown()
    }

    /// Prints an answer as it came, or in words.
    pub(crate) fn tell<T: DeserializeOwned>(
        &self,
        answer: &Answer,
        words: impl FnOnce(&T) -> String,
    ) -> Outcome {
        let text = if self.json { clean_json(&answer.text) } else { words(&answer.read()?) };
        print(text.trim_end())?;
        Ok(ExitCode::SUCCESS)
    }

    /// Prints an answer as it came, or as a table. `nothing` is what to say instead of a table without rows.
    pub(crate) fn tell_table<T: DeserializeOwned>(
        &self,
        answer: &Answer,
        nothing: &str,
        table: impl FnOnce(&T) -> Table,
    ) -> Outcome {
        if self.json {
            return self.tell(answer, |_: &T| String::new());
        }
        table(&answer.read()?).show(nothing)?;
        Ok(ExitCode::SUCCESS)
    }

    /// Asks, and reads what is said.
    pub(crate) fn ask<T: DeserializeOwned>(&self, request: &Request) -> Result<T, Failure> {
        self.send(request)?.read()
    }

    /// Asks until an answer comes or it makes no sense to go on.
    pub(crate) fn send(&self, request: &Request) -> Result<Answer, Failure> {
        let key = (request.method == Method::POST && request.repeatable).then(fresh_key).transpose()?;
        let mut pauses = (0..ATTEMPTS - 1).map(|number| FIRST_PAUSE * 2u32.pow(number));
        let mut is_first = true;
        loop {
            let pause = pauses.next();
            match self.once(request, key.as_deref()) {
                Ok(Ok(answer)) => return Ok(answer),
                Ok(Err(refusal)) => match pause.filter(|_| refusal.may_pass(is_first)) {
                    Some(pause) if refusal.wait() <= LONGEST_PAUSE => wait(pause.max(refusal.wait())),
                    _ => return Err(refusal.into_failure()),
                },
                Err(error) => match pause.filter(|_| request.repeatable && connection_failed(&error)) {
                    Some(pause) => wait(pause),
                    None => return Err(self.unreachable(&error)),
                },
            }
            is_first = false;
        }
    }

    fn once(&self, request: &Request, key: Option<&str>) -> Result<Result<Answer, Refusal>, Error> {
        let mut response = self.call(request, key, &[])?;
        let version = header(&response, "etag");
        let status = response.status();
        let text =
            response.body_mut().with_config().limit(LARGEST_ANSWER).lossy_utf8(true).read_to_string()?;
        if status.is_success() {
            return Ok(Ok(Answer { version, text }));
        }
        Ok(Err(Refusal::read(status.as_u16(), &text, header(&response, "location").as_deref())))
    }

    fn call(
        &self,
        request: &Request,
        key: Option<&str>,
        headers: &[(&str, &str)],
    ) -> Result<Response<Body>, Error> {
        let mut builder = HttpRequest::builder()
            .method(request.method.clone())
            .uri(self.address.join(&request.target()))
            .header("authorization", format!("Bearer {}", self.token.reveal()));
        let condition = request.condition.as_deref();
        let content = request.body.as_ref().map(|_| "application/json");
        let ours = [("if-match", condition), ("idempotency-key", key), ("content-type", content)];
        let ours = ours.into_iter().filter_map(|(name, value)| Some((name, value?)));
        for (name, value) in ours.chain(headers.iter().copied()) {
            builder = builder.header(name, value);
        }
        let body = request.body.clone().unwrap_or_default();
        let silence = request.patience.is_none().then_some(SILENCE);
        let configured = self.agent.configure_request(builder.body(body)?);
        self.agent.run(configured.timeout_per_call(request.patience).timeout_per_read(silence).build())
    }

    /// Opens something that is sent piece by piece. It may take as long as it likes, but not be silent for long.
    pub(crate) fn open(
        &self,
        request: &Request,
        headers: &[(&str, &str)],
    ) -> Result<Box<dyn Read + Send>, StreamFailure> {
        let endless = Request { patience: None, ..request.clone() };
        let lost = |error: Error| StreamFailure::Lost(self.unreachable(&error));
        let mut response = self.call(&endless, None, headers).map_err(lost)?;
        let status = response.status();
        if status.is_success() {
            return Ok(Box::new(response.into_body().into_with_config().limit(u64::MAX).reader()));
        }
        let body = response.body_mut().with_config().limit(LARGEST_ANSWER).lossy_utf8(true).read_to_string();
        let refusal = Refusal::read(status.as_u16(), &body.unwrap_or_default(), None);
        let may_pass = refusal.may_pass(true);
        let failure = refusal.into_failure();
        Err(if may_pass { StreamFailure::Lost(failure) } else { StreamFailure::Refused(failure) })
    }

    fn unreachable(&self, error: &Error) -> Failure {
        Refusal::unreachable(&self.address.shown(), error).into_failure()
    }
}

/// Why something could not be opened.
pub(crate) enum StreamFailure {
    /// It may work in a moment.
    Lost(Failure),
    Refused(Failure),
}

impl From<StreamFailure> for Failure {
    fn from(failure: StreamFailure) -> Self {
        match failure {
            StreamFailure::Lost(failure) | StreamFailure::Refused(failure) => failure,
        }
    }
}

fn header(response: &Response<Body>, name: &str) -> Option<String> {
    response.headers().get(name).and_then(|value| value.to_str().ok()).map(str::to_owned)
}

/// Whether the same request may get through when it is sent again. One that took too long did not fail: it may still be at work.
fn connection_failed(error: &Error) -> bool {
    let kinds = [
        ErrorKind::ConnectionRefused,
        ErrorKind::ConnectionReset,
        ErrorKind::ConnectionAborted,
        ErrorKind::BrokenPipe,
        ErrorKind::UnexpectedEof,
    ];
    match error {
        Error::Io(error) => kinds.contains(&error.kind()),
        Error::ConnectionFailed => true,
        _ => false,
    }
}

/// A name for a request, so that it has its effect once however often it is sent.
fn fresh_key() -> Result<String, Failure> {
    let mut bytes = [0; 16];
    getrandom::fill(&mut bytes)
        .map_err(|error| anyhow!("the system has no random numbers to give: {error}"))?;
    Ok(format!("{:032x}", u128::from_be_bytes(bytes)))
}

#[expect(clippy::disallowed_methods, reason = "a desk on the other side needs real time to come back")]
pub(crate) fn wait(pause: Duration) {
    std::thread::sleep(pause);
}
