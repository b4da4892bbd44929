//! What went wrong, in the form of RFC 9457: a type that programs know, a title and a detail that people read.

use crate::attended;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use schemars::JsonSchema;
use serde::Serialize;

/// How bodies of problems are called.
pub(super) const PROBLEM: &str = "application/problem+json";

/// What the name of one occurrence begins with.
pub(super) const INSTANCE: &str = "urn:drover:request:";

/// The kinds of problems, each with its status and title.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Kind {
    /// The request cannot be read.
    Malformed,
    /// A field has a value that cannot be.
    Validation,
    Unauthenticated,
    Forbidden,
    NotFound,
    MethodNotAllowed,
    /// The plan is not what it was when it was read.
    PlanStale,
    PlanExpired,
    PlanSuperseded,
    AlreadyDecided,
    /// The guardrails do not let it through.
    PolicyDenied,
    /// Real clusters would not take it: their admission policies, or what is there.
    ClusterRefused,
    Frozen,
    ObserveOnly,
    SelfApproval,
    Conflict,
    /// The same key came with another request.
    KeyReused,
    /// The condition of the request does not hold any more.
    VersionChanged,
    /// The request must say which version it is about.
    ConditionMissing,
    TooLarge,
    /// The request did not arrive in time.
    TooSlow,
    UnsupportedMedia,
    RateLimited,
    /// The world has ended, or nothing was observed yet.
    NotReady,
    Internal,
}

impl Kind {
    pub const fn status(self) -> StatusCode {
        match self {
            Self::Malformed => StatusCode::BAD_REQUEST,
            Self::Validation | Self::KeyReused => StatusCode::UNPROCESSABLE_ENTITY,
            Self::Unauthenticated => StatusCode::UNAUTHORIZED,
            Self::Forbidden | Self::SelfApproval | Self::ObserveOnly => StatusCode::FORBIDDEN,
            Self::NotFound => StatusCode::NOT_FOUND,
            Self::MethodNotAllowed => StatusCode::METHOD_NOT_ALLOWED,
            Self::PlanStale
            | Self::PlanExpired
            | Self::PlanSuperseded
            | Self::AlreadyDecided
            | Self::PolicyDenied
            | Self::ClusterRefused
            | Self::Frozen
            | Self::Conflict => StatusCode::CONFLICT,
            Self::VersionChanged => StatusCode::PRECONDITION_FAILED,
            Self::ConditionMissing => StatusCode::PRECONDITION_REQUIRED,
            Self::TooLarge => StatusCode::PAYLOAD_TOO_LARGE,
            Self::TooSlow => StatusCode::REQUEST_TIMEOUT,
            Self::UnsupportedMedia => StatusCode::UNSUPPORTED_MEDIA_TYPE,
            Self::RateLimited => StatusCode::TOO_MANY_REQUESTS,
            Self::NotReady => StatusCode::SERVICE_UNAVAILABLE,
            Self::Internal => StatusCode::INTERNAL_SERVER_ERROR,
        }
    }

    pub const fn title(self) -> &'static str {
        match self {
            Self::Malformed => "The request cannot be read",
            Self::Validation => "The request says something that cannot be",
            Self::Unauthenticated => "Who are you?",
            Self::Forbidden => "You may not do that",
            Self::NotFound => "There is no such thing",
            Self::MethodNotAllowed => "That cannot be done here",
            Self::PlanStale => "The world has moved on",
            Self::PlanExpired => "It has expired",
            Self::PlanSuperseded => "Another plan took its place",
            Self::AlreadyDecided => "It was decided already",
            Self::PolicyDenied => "A guardrail refuses it",
            Self::ClusterRefused => "The clusters refuse it",
            Self::Frozen => "It is frozen",
            Self::ObserveOnly => "Recommendations are only shown here",
            Self::SelfApproval => "Somebody else has to approve it",
            Self::Conflict => "It collides with something else",
            Self::KeyReused => "This Idempotency-Key came with another request",
            Self::VersionChanged => "Somebody changed it meanwhile",
            Self::ConditionMissing => "The request must say which version it is about",
            Self::TooLarge => "The request is too large",
            Self::TooSlow => "The request did not arrive in time",
            Self::UnsupportedMedia => "This kind of content is not understood",
            Self::RateLimited => "Too many requests",
            Self::NotReady => "Not now",
            Self::Internal => "Something went wrong on our side",
        }
    }

    /// Whether the same request may succeed later.
    pub const fn is_retryable(self) -> bool {
        matches!(self, Self::RateLimited | Self::NotReady | Self::TooSlow | Self::Internal)
    }
}

/// One field that is wrong.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct FieldProblem {
    /// Where, as a path: `hash` or `drafts[2].action.to`.
    pub field: String,
    pub message: String,
    /// What to write instead.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub proposal: Option<String>,
}

/// The body of every refusal.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Problem {
    /// A name for the kind of problem that does not change: `urn:drover:problem:plan-stale`.
    #[serde(rename = "type")]
    pub kind_name: Box<str>,
    pub title: &'static str,
    pub status: u16,
    /// What happened this time, and what to do about it.
    pub detail: String,
    pub code: Kind,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub errors: Vec<FieldProblem>,
    /// This one occurrence, by the `X-Request-Id` of the request: `urn:drover:request:4f2a9c01b7d3-17`. The log names it, too.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub instance: Option<Box<str>>,
    /// Whether the same request may succeed later.
    pub retryable: bool,
    /// Seconds to wait first.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub retry_after: Option<u64>,
}

impl Problem {
    pub fn new(code: Kind, detail: impl Into<String>) -> Self {
        let name = serde_json::to_value(code).ok().and_then(|name| name.as_str().map(str::to_owned));
        Self {
            kind_name: format!("urn:drover:problem:{}", name.unwrap_or_default()).into(),
            title: code.title(),
            status: code.status().as_u16(),
            detail: detail.into(),
            code,
            errors: Vec::new(),
            instance: instance(),
            retryable: code.is_retryable(),
            retry_after: None,
        }
    }

    #[must_use]
    pub fn with_field(mut self, field: impl Into<String>, message: impl Into<String>) -> Self {
        self.errors.push(FieldProblem { field: field.into(), message: message.into(), proposal: None });
        self
    }

    #[must_use]
    pub fn with_proposal(
        mut self,
        field: impl Into<String>,
        message: impl Into<String>,
        proposal: impl Into<String>,
    ) -> Self {
        let proposal = Some(proposal.into());
        self.errors.push(FieldProblem { field: field.into(), message: message.into(), proposal });
        self
    }

    #[must_use]
    pub const fn after(mut self, seconds: u64) -> Self {
        self.retry_after = Some(seconds);
        self
    }

    /// For what nobody should see the inside of. The cause goes to the log, with the same words for everybody.
    pub fn internal(cause: &dyn std::fmt::Display) -> Self {
        crate::log::error(&format!("a request failed: {cause}"));
        Self::new(Kind::Internal, "The desk could not do this. Its log says why; try again.")
    }

    pub fn not_found(what: impl std::fmt::Display) -> Self {
        Self::new(Kind::NotFound, format!("There is no {what}."))
    }
}

/// The request that is attended to.
fn instance() -> Option<Box<str>> {
    attended::request().map(|id| format!("{INSTANCE}{id}").into())
}

impl IntoResponse for Problem {
    fn into_response(mut self) -> Response {
        let status = self.code.status();
        // It may have been found where nobody knows of a request.
        self.instance = self.instance.or_else(instance);
        let body = serde_json::to_vec(&self).unwrap_or_default();
        let mut response = (status, body).into_response();
        let headers = response.headers_mut();
        headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(PROBLEM));
        if let Some(seconds) = self.retry_after {
            headers.insert(header::RETRY_AFTER, HeaderValue::from(seconds));
        }
        if status == StatusCode::UNAUTHORIZED {
            headers.insert(header::WWW_AUTHENTICATE, HeaderValue::from_static("Bearer realm=\"drover\""));
        }
        response
    }
}
