//! One row per endpoint: where it is, who may use it, what goes in and what comes out.
//!
//! The router, the role check, the OpenAPI document and the tests that try every endpoint as every role are all made from these
//! rows, so none of them can forget one.

use super::carried::Carried;
use super::problem::Kind;
use crate::access::Right;
use crate::desk::Desk;
use axum::handler::Handler;
use axum::http::Method;
use axum::routing::{MethodFilter, MethodRouter, on};
use schemars::{JsonSchema, Schema, SchemaGenerator};

/// Who may use an endpoint.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Access {
    /// Anybody, without saying who.
    Open,
    /// Whoever has this right.
    Needs(Right),
}

/// Whether an endpoint heeds that somebody sees only a part of the federation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Breadth {
    /// It is about everything, so it is not for them.
    Whole,
    /// It shows and does only what lies within their part.
    Narrowed,
}

/// How long an answer may take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pace {
    Usual,
    /// Something is reckoned or read through as a whole.
    Slow,
}

/// What is kept of an answer, for whoever sends the request again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Keeping {
    All,
    /// That it was given: it holds a secret.
    NoSecret,
}

/// A body that nobody asked for: an empty object, at most.
const NO_BODY: usize = 1_024;

/// What requests say fits in this; those that bring more say so in their row.
const USUAL_BODY: usize = 1024 * 1024;

/// Makes the schema of a type.
pub type Shape = fn(&mut SchemaGenerator) -> Schema;

/// What an endpoint answers when it does what it was asked.
#[derive(Clone, Copy)]
pub enum Answer {
    Json(u16, Shape),
    Nothing(u16),
    /// Another kind of content.
    Content(u16, &'static str),
}

/// One row.
pub struct Endpoint {
    pub method: Method,
    pub path: &'static str,
    /// The name that generated clients use.
    pub operation: &'static str,
    pub summary: &'static str,
    pub access: Access,
    pub breadth: Breadth,
    pub query: Option<Shape>,
    pub body: Option<Shape>,
    pub answer: Answer,
    pub problems: Vec<Kind>,
    /// Whether the request must carry `If-Match`.
    pub conditional: bool,
    /// Whether the request may carry `Idempotency-Key`, and what is kept of its answer then.
    pub repeatable: Option<Keeping>,
    /// Headers of an answer that is no refusal.
    pub carries: Vec<Carried>,
    /// Whether the request may say which event was seen last.
    pub resumable: bool,
    /// Bytes of a body; more are not read.
    pub largest_body: usize,
    pub pace: Pace,
    pub(super) router: MethodRouter<Desk>,
}

fn shape<T: JsonSchema>(generator: &mut SchemaGenerator) -> Schema {
    generator.subschema_for::<T>()
}

fn endpoint<H, T>(
    (method, filter): (Method, MethodFilter),
    path: &'static str,
    operation: &'static str,
    handler: H,
) -> Endpoint
where
    H: Handler<T, Desk>,
    T: 'static,
{
    Endpoint {
        repeatable: (method == Method::POST).then_some(Keeping::All),
        method,
        path,
        operation,
        summary: "",
        // Nobody, until the row says who.
        access: Access::Needs(Right::Administer),
        // Nobody who sees only a part, until the row says that it takes care.
        breadth: Breadth::Whole,
        query: None,
        body: None,
        answer: Answer::Nothing(204),
        problems: Vec::new(),
        conditional: false,
        carries: Vec::new(),
        resumable: false,
        largest_body: NO_BODY,
        pace: Pace::Usual,
        router: on(filter, handler),
    }
}

pub fn get<H: Handler<T, Desk>, T: 'static>(
    path: &'static str,
    operation: &'static str,
    handler: H,
) -> Endpoint {
    endpoint((Method::GET, MethodFilter::GET), path, operation, handler)
}

pub fn post<H: Handler<T, Desk>, T: 'static>(
    path: &'static str,
    operation: &'static str,
    handler: H,
) -> Endpoint {
    endpoint((Method::POST, MethodFilter::POST), path, operation, handler)
}

pub fn put<H: Handler<T, Desk>, T: 'static>(
    path: &'static str,
    operation: &'static str,
    handler: H,
) -> Endpoint {
    endpoint((Method::PUT, MethodFilter::PUT), path, operation, handler)
}

pub fn delete<H: Handler<T, Desk>, T: 'static>(
    path: &'static str,
    operation: &'static str,
    handler: H,
) -> Endpoint {
    endpoint((Method::DELETE, MethodFilter::DELETE), path, operation, handler)
}

pub fn patch<H: Handler<T, Desk>, T: 'static>(
    path: &'static str,
    operation: &'static str,
    handler: H,
) -> Endpoint {
    endpoint((Method::PATCH, MethodFilter::PATCH), path, operation, handler)
}

impl Endpoint {
    #[must_use]
    pub const fn does(mut self, summary: &'static str) -> Self {
        self.summary = summary;
        self
    }

    #[must_use]
    pub const fn needs(mut self, right: Right) -> Self {
        self.access = Access::Needs(right);
        self
    }

    /// Whoever sees only a part of the federation may use it, too: it shows and does nothing beyond.
    #[must_use]
    pub const fn narrowed(mut self) -> Self {
        self.breadth = Breadth::Narrowed;
        self
    }

    #[must_use]
    pub const fn open(mut self) -> Self {
        self.access = Access::Open;
        self
    }

    #[must_use]
    pub fn query<T: JsonSchema>(mut self) -> Self {
        self.query = Some(shape::<T>);
        self
    }

    #[must_use]
    pub fn body<T: JsonSchema>(mut self) -> Self {
        self.body = Some(shape::<T>);
        self.largest_body = USUAL_BODY;
        self.problems.extend([Kind::Malformed, Kind::Validation, Kind::UnsupportedMedia]);
        self
    }

    /// The body may have so many bytes.
    #[must_use]
    pub const fn takes_up_to(mut self, bytes: usize) -> Self {
        self.largest_body = bytes;
        self
    }

    /// An answer takes its time.
    #[must_use]
    pub const fn slow(mut self) -> Self {
        self.pace = Pace::Slow;
        self
    }

    #[must_use]
    pub fn answers<T: JsonSchema>(self) -> Self {
        self.answers_with::<T>(200)
    }

    #[must_use]
    pub fn answers_with<T: JsonSchema>(mut self, status: u16) -> Self {
        self.answer = Answer::Json(status, shape::<T>);
        self
    }

    #[must_use]
    pub const fn sends(mut self, content_type: &'static str) -> Self {
        self.answer = Answer::Content(200, content_type);
        self
    }

    /// The answer sends a browser elsewhere.
    #[must_use]
    pub fn redirects(mut self) -> Self {
        self.answer = Answer::Nothing(303);
        self.carries(&[Carried::Location])
    }

    /// What an answer that is no refusal always carries.
    #[must_use]
    pub fn carries(mut self, headers: &[Carried]) -> Self {
        self.carries.extend(headers);
        self
    }

    /// A stream that is taken up again with `Last-Event-ID`.
    #[must_use]
    pub const fn resumable(mut self) -> Self {
        self.resumable = true;
        self
    }

    #[must_use]
    pub fn may_refuse(mut self, problems: &[Kind]) -> Self {
        self.problems.extend(problems);
        self
    }

    /// The request must name the version that it is about.
    #[must_use]
    pub fn conditional(mut self) -> Self {
        self.conditional = true;
        self.problems.extend([Kind::VersionChanged, Kind::ConditionMissing]);
        self
    }

    #[must_use]
    pub const fn not_repeatable(mut self) -> Self {
        self.repeatable = None;
        self
    }

    /// The answer holds a secret, which must not be kept to be given again.
    #[must_use]
    pub const fn answers_in_secret(mut self) -> Self {
        self.repeatable = Some(Keeping::NoSecret);
        self
    }
}
