//! What answers carry beside their body, and what requests may say beside theirs: as the document describes it.

use super::endpoint::{Access, Endpoint, Keeping};
use super::request_id;
use axum::http::Method;
use serde_json::{Map, Value, json};

/// A header of an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Carried {
    Tag,
    Location,
    Cookie,
    FileName,
    RetryAfter,
    Replayed,
    Challenge,
    RequestId,
}

impl Carried {
    pub const ALL: [Self; 8] = [
        Self::Tag,
        Self::Location,
        Self::Cookie,
        Self::FileName,
        Self::RetryAfter,
        Self::Replayed,
        Self::Challenge,
        Self::RequestId,
    ];

    pub const fn name(self) -> &'static str {
        match self {
            Self::Tag => "ETag",
            Self::Location => "Location",
            Self::Cookie => "Set-Cookie",
            Self::FileName => "Content-Disposition",
            Self::RetryAfter => "Retry-After",
            Self::Replayed => "Idempotent-Replayed",
            Self::Challenge => "WWW-Authenticate",
            Self::RequestId => "X-Request-Id",
        }
    }

    const fn description(self) -> &'static str {
        match self {
            Self::Tag => "The version of what is told, for the If-Match of a request that depends on it.",
            Self::Location => "Where to go, or where what was made is found.",
            Self::Cookie => "What a browser keeps of its session.",
            Self::FileName => "How the file is called.",
            Self::RetryAfter => "Seconds to wait before the request is sent again.",
            Self::Replayed => "true if the first answer to this Idempotency-Key is given again.",
            Self::Challenge => "How somebody says who they are.",
            Self::RequestId => {
                "How the request is called, here, in the instance of a problem, and in the log of the desk."
            }
        }
    }

    fn schema(self) -> Value {
        match self {
            Self::RetryAfter => json!({ "type": "integer", "minimum": 1 }),
            Self::Replayed => json!({ "type": "string", "enum": ["true"] }),
            _ => json!({ "type": "string" }),
        }
    }

    /// Under which name the document keeps the description.
    fn key(self, always: bool) -> String {
        let name = self.name().replace('-', "");
        if always { name } else { format!("Perhaps{name}") }
    }
}

/// What the document keeps of headers that many answers share.
pub(super) fn components() -> Value {
    let mut all = Map::new();
    for carried in Carried::ALL {
        for always in [true, false] {
            let header = json!({
                "description": carried.description(), "required": always, "schema": carried.schema(),
            });
            all.insert(carried.key(always), header);
        }
    }
    Value::Object(all)
}

/// The headers of one answer of an endpoint, and whether each is always there.
fn of_answer(endpoint: &Endpoint, status: u16, is_success: bool) -> Vec<(Carried, bool)> {
    // Whoever finds every place at the entrance taken is refused before their request is read.
    let mut all = vec![(Carried::RequestId, status != 503)];
    if is_success {
        all.extend(endpoint.carries.iter().map(|carried| (*carried, true)));
    }
    all.extend(match status {
        401 => Some((Carried::Challenge, true)),
        429 => Some((Carried::RetryAfter, true)),
        503 => Some((Carried::RetryAfter, false)),
        // The same request may be under way.
        409 if endpoint.repeatable.is_some() => Some((Carried::RetryAfter, false)),
        _ => None,
    });
    if may_be_replayed(endpoint, status, is_success) {
        all.push((Carried::Replayed, false));
    }
    all
}

/// Answers that are kept for whoever sends the request again. What is refused before anybody looks at the key is none of them.
fn may_be_replayed(endpoint: &Endpoint, status: u16, is_success: bool) -> bool {
    match endpoint.repeatable {
        Some(Keeping::NoSecret) if is_success => false,
        Some(_) => status < 500 && ![401, 408, 413, 429].contains(&status),
        None => false,
    }
}

/// The same as the document writes it.
pub(super) fn headers(endpoint: &Endpoint, status: u16, is_success: bool) -> Value {
    let entry = |(carried, always): (Carried, bool)| {
        let reference = json!({ "$ref": format!("#/components/headers/{}", carried.key(always)) });
        (carried.name().to_owned(), reference)
    };
    Value::Object(of_answer(endpoint, status, is_success).into_iter().map(entry).collect())
}

/// Headers that a request may have, whatever else its row says.
pub(super) fn parameters(endpoint: &Endpoint) -> Vec<Value> {
    let mut all = vec![json!({ "$ref": "#/components/parameters/RequestId" })];
    if endpoint.method != Method::GET && endpoint.access != Access::Open {
        all.push(json!({ "$ref": "#/components/parameters/CsrfToken" }));
    }
    all
}

pub(super) fn shared_parameters() -> Value {
    let form = format!("At most {} letters, digits, `-`, `_` and `.`", request_id::LONGEST);
    json!({
        "RequestId": {
            "name": "X-Request-Id", "in": "header", "required": false,
            // Every text is taken: one of another form is replaced and refuses nothing.
            "schema": { "type": "string" },
            "description": format!("How the caller calls the request. {form}; the desk finds a name for requests that bring another one, or none."),
        },
        "CsrfToken": {
            "name": "X-CSRF-Token", "in": "header", "required": false, "schema": { "type": "string" },
            "description": "The csrfToken of the session: required with a session's cookie, not heeded with a token.",
        },
    })
}
