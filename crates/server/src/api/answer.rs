//! Answers as JSON.

use super::problem::Problem;
use axum::http::HeaderValue;
use axum::http::header::CONTENT_TYPE;
use axum::response::{IntoResponse, Response};
use serde::Serialize;

/// Enough for most answers, so that they are not moved again and again while they grow.
const ROOM: usize = 16 * 1024;

/// Something that is told as JSON, written into plain bytes. In a profile of a busy desk a seventh of the time went into putting small
/// pieces into the shared buffer that axum's own type writes to.
pub(crate) struct Json<T>(pub(crate) T);

impl<T: Serialize> IntoResponse for Json<T> {
    fn into_response(self) -> Response {
        let mut bytes = Vec::with_capacity(ROOM);
        match serde_json::to_writer(&mut bytes, &self.0) {
            Ok(()) => ([(CONTENT_TYPE, HeaderValue::from_static("application/json"))], bytes).into_response(),
            Err(error) => Problem::internal(&error).into_response(),
        }
    }
}
