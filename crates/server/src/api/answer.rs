//! Answers as JSON.

use axum::http::header::CONTENT_TYPE;
use axum::http::{HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};
use serde::Serialize;

/// Something that is told as JSON. It is written into plain bytes: the desk tells long lists and predictions, and a busy one spent a seventh of
/// its time on putting small pieces into the shared buffer that axum's own type writes to.
pub(crate) struct Json<T>(pub(crate) T);

impl<T: Serialize> IntoResponse for Json<T> {
    fn into_response(self) -> Response {
        match serde_json::to_vec(&self.0) {
            Ok(bytes) => {
                ([(CONTENT_TYPE, HeaderValue::from_static("application/json"))], bytes).into_response()
            }
            Err(error) => {
                crate::log::error(&format!("an answer cannot be written as JSON: {error}"));
                StatusCode::INTERNAL_SERVER_ERROR.into_response()
            }
        }
    }
}
