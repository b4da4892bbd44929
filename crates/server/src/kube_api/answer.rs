//! How something is answered: an object, or a `Status` that says why not.

use crate::api::problem::Problem;
use crate::office::OfficeError;
use axum::body::{Body, to_bytes};
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde_json::{Value, json};
use simulator::world::Refused;

/// A refusal of ours is a few sentences.
const LARGEST_PROBLEM: usize = 64 * 1024;

/// Why something is not answered with what was asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Refusal {
    pub(super) status: StatusCode,
    pub(super) message: String,
    /// Whom it is about: kind and name.
    pub(super) about: Option<(String, String)>,
    /// Which field is wrong.
    pub(super) field: Option<String>,
    pub(super) retry_after: Option<u64>,
}

impl Refusal {
    pub(super) fn new(status: StatusCode, message: impl Into<String>) -> Self {
        Self { status, message: message.into(), about: None, field: None, retry_after: None }
    }

    pub(super) fn bad(message: impl Into<String>) -> Self {
        Self::new(StatusCode::BAD_REQUEST, message)
    }

    pub(super) fn not_found(what: &str, name: &str) -> Self {
        Self::new(StatusCode::NOT_FOUND, format!("{what} \"{name}\" not found")).about(what, name)
    }

    pub(super) fn not_allowed(message: impl Into<String>) -> Self {
        Self::new(StatusCode::METHOD_NOT_ALLOWED, message)
    }

    /// A value that cannot be; the field says where.
    pub(super) fn invalid(kind: &str, name: &str, field: &str, message: impl Into<String>) -> Self {
        let mut refusal = Self::new(StatusCode::UNPROCESSABLE_ENTITY, message).about(kind, name);
        refusal.field = Some(field.to_owned());
        refusal
    }

    pub(super) fn about(mut self, kind: &str, name: &str) -> Self {
        self.about = Some((kind.to_owned(), name.to_owned()));
        self
    }

    /// What was asked for is not known any more.
    pub(super) fn gone(oldest: u64) -> Self {
        Self::new(StatusCode::GONE, format!("too old resource version; changes are known after {oldest}"))
    }

    /// As an object of the API.
    pub(super) fn object(&self) -> Value {
        let mut details = json!({});
        if let Some((kind, name)) = &self.about {
            details["name"] = json!(name);
            details["kind"] = json!(kind);
        }
        if let Some(field) = &self.field {
            details["causes"] =
                json!([{ "reason": "FieldValueNotSupported", "message": self.message, "field": field }]);
        }
        if let Some(seconds) = self.retry_after {
            details["retryAfterSeconds"] = json!(seconds);
        }
        json!({
            "kind": "Status", "apiVersion": "v1", "metadata": {}, "status": "Failure",
            "message": self.message, "reason": reason(self.status), "details": details, "code": self.status.as_u16(),
        })
    }
}

/// The word that programs look at.
fn reason(status: StatusCode) -> &'static str {
    match status.as_u16() {
        400 => "BadRequest",
        401 => "Unauthorized",
        403 => "Forbidden",
        404 => "NotFound",
        405 => "MethodNotAllowed",
        406 => "NotAcceptable",
        408 | 504 => "Timeout",
        409 => "Conflict",
        410 => "Expired",
        413 => "RequestEntityTooLarge",
        415 => "UnsupportedMediaType",
        422 => "Invalid",
        429 => "TooManyRequests",
        503 => "ServiceUnavailable",
        _ => "InternalError",
    }
}

impl IntoResponse for Refusal {
    fn into_response(self) -> Response {
        let mut response = json_answer(self.status, &self.object());
        if let Some(seconds) = self.retry_after {
            response.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from(seconds));
        }
        response
    }
}

pub(super) fn json_answer(status: StatusCode, object: &Value) -> Response {
    let body = serde_json::to_vec(object).unwrap_or_default();
    (status, [(header::CONTENT_TYPE, "application/json")], body).into_response()
}

impl From<OfficeError> for Refusal {
    fn from(error: OfficeError) -> Self {
        match error {
            OfficeError::Refused(refused) => refused.into(),
            // A client takes Conflict for something that passes and tries again for minutes; this does not pass.
            OfficeError::Ended => Self::new(StatusCode::FORBIDDEN, Problem::from(error).detail),
            other => Problem::from(other).into(),
        }
    }
}

impl From<Refused> for Refusal {
    fn from(refused: Refused) -> Self {
        let status = match refused {
            Refused::NoSuch { .. } => StatusCode::NOT_FOUND,
            Refused::NotScalable { .. } => StatusCode::METHOD_NOT_ALLOWED,
            Refused::TooMany { .. } => StatusCode::UNPROCESSABLE_ENTITY,
            Refused::Busy { .. } => StatusCode::CONFLICT,
            Refused::BudgetForbids => StatusCode::TOO_MANY_REQUESTS,
        };
        Self::new(status, refused.to_string())
    }
}

impl From<Problem> for Refusal {
    fn from(problem: Problem) -> Self {
        let mut refusal = Self::new(problem.code.status(), problem.detail);
        refusal.retry_after = problem.retry_after;
        refusal
    }
}

/// Whatever stands in front of these addresses refuses in the desk's own words; here they become a `Status`.
pub(crate) async fn as_status(response: Response) -> Response {
    let is_problem =
        response.headers().get(header::CONTENT_TYPE).is_some_and(|kind| kind == "application/problem+json");
    if !is_problem {
        return response;
    }
    let (mut parts, body) = response.into_parts();
    let bytes = to_bytes(body, LARGEST_PROBLEM).await.unwrap_or_default();
    let problem: Value = serde_json::from_slice(&bytes).unwrap_or_default();
    let mut refusal = Refusal::new(parts.status, problem["detail"].as_str().unwrap_or_default());
    refusal.retry_after = problem["retry_after"].as_u64();
    parts.headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("application/json"));
    parts.headers.remove(header::CONTENT_LENGTH);
    Response::from_parts(parts, Body::from(serde_json::to_vec(&refusal.object()).unwrap_or_default()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_refusal_is_a_status_that_kubectl_understands() {
        let object =
            Refusal::invalid("Deployment", "web", "spec.paused", "only spec.replicas can be changed")
                .object();
        assert_eq!(
            (&object["kind"], &object["reason"], &object["code"]),
            (&json!("Status"), &json!("Invalid"), &json!(422))
        );
        assert_eq!(object["details"]["causes"][0]["field"], "spec.paused");
        let ended = Refusal::from(OfficeError::Ended).object();
        assert_eq!(
            (&ended["reason"], &ended["code"]),
            (&json!("Forbidden"), &json!(403)),
            "nobody repeats it"
        );
        assert_eq!(Refusal::gone(7).object()["reason"], "Expired");
        assert_eq!(Refusal::not_found("pods", "x").object()["message"], "pods \"x\" not found");
    }
}
