//! What a request brings, read so that every mistake in it becomes a problem document.

use super::problem::{Kind, Problem};
use axum::extract::{FromRequest, FromRequestParts, Request};
use axum::http::header;
use axum::http::request::Parts;
use serde::de::DeserializeOwned;

/// A JSON body. How large it may be stands in the row of the endpoint, and what is larger does not come this far.
pub(super) struct Body<T>(pub T);

impl<T: DeserializeOwned, S: Send + Sync> FromRequest<S> for Body<T> {
    type Rejection = Problem;

    async fn from_request(request: Request, _: &S) -> Result<Self, Problem> {
        if !is_json(request.headers().get(header::CONTENT_TYPE)) {
            let detail = "Send the body as application/json.";
            return Err(Problem::new(Kind::UnsupportedMedia, detail));
        }
        let bytes = axum::body::to_bytes(request.into_body(), usize::MAX).await;
        let bytes = bytes.map_err(|_| Problem::new(Kind::Malformed, "The body broke off."))?;
        read_json(&bytes).map(Self)
    }
}

pub(crate) fn is_json(content_type: Option<&header::HeaderValue>) -> bool {
    let text = content_type.and_then(|value| value.to_str().ok()).unwrap_or_default();
    let essence = text.split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
    essence == "application/json" || (essence.starts_with("application/") && essence.ends_with("+json"))
}

/// Reads JSON; text that is no JSON is malformed, JSON of another form is invalid.
pub(super) fn read_json<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, Problem> {
    serde_json::from_slice(bytes).map_err(|error| {
        let kind = if error.is_data() { Kind::Validation } else { Kind::Malformed };
        Problem::new(kind, format!("The body: {error}."))
    })
}

/// The part of the address after the question mark.
pub(super) struct Query<T>(pub T);

impl<T: DeserializeOwned, S: Send + Sync> FromRequestParts<S> for Query<T> {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Problem> {
        let query = axum::extract::Query::<T>::try_from_uri(&parts.uri);
        let axum::extract::Query(value) = query
            .map_err(|error| Problem::new(Kind::Malformed, format!("The query: {}.", error.body_text())))?;
        Ok(Self(value))
    }
}

/// The names in the path, as text.
pub(super) struct Names<T>(pub T);

impl<T: DeserializeOwned + Send, S: Send + Sync> FromRequestParts<S> for Names<T> {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Problem> {
        let axum::extract::Path(names) = axum::extract::Path::from_request_parts(parts, state)
            .await
            .map_err(|_| Problem::new(Kind::NotFound, "There is nothing under this address."))?;
        Ok(Self(names))
    }
}

/// The value of `If-Match`, which must be there.
pub(super) struct IfMatch(pub String);

impl<S: Send + Sync> FromRequestParts<S> for IfMatch {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Problem> {
        let value = parts.headers.get(header::IF_MATCH).and_then(|value| value.to_str().ok());
        let missing = "Send the ETag that came with what you read, as If-Match.";
        value.map(|text| Self(text.to_owned())).ok_or_else(|| Problem::new(Kind::ConditionMissing, missing))
    }
}
