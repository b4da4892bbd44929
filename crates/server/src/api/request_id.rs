//! How each request is called, so that an answer, a line of the log and what somebody reports can be brought together.

use crate::attended;
use crate::desk::Desk;
use axum::body::{Body, HttpBody as _};
use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderName, HeaderValue};
use axum::middleware::Next;
use axum::response::Response;
use futures_util::{StreamExt as _, stream};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::task::Context;

pub(crate) const HEADER: HeaderName = HeaderName::from_static("x-request-id");

/// Longer ones help nobody who searches a log.
pub(super) const LONGEST: usize = 64;

/// Names for requests that bring none: some letters that no other opening of a desk has, and a number.
#[derive(Debug)]
pub(crate) struct RequestIds {
    opening: String,
    next: AtomicU64,
}

impl RequestIds {
    /// Nothing secret hangs on it: where the system has no randomness to give, all openings begin alike.
    pub(crate) fn new() -> Self {
        let mut bytes = [0; 8];
        let _ = getrandom::fill(&mut bytes[2..]);
        Self { opening: format!("{:012x}", u64::from_be_bytes(bytes)), next: AtomicU64::new(1) }
    }

    fn fresh(&self) -> Arc<str> {
        let number = self.next.fetch_add(1, Ordering::Relaxed);
        format!("{}-{number}", self.opening).into()
    }
}

/// What a caller calls the request, if it can be written into a log and an answer as it is.
fn received(headers: &HeaderMap) -> Option<Arc<str>> {
    let text = headers.get(HEADER)?.to_str().ok()?;
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.');
    ((1..=LONGEST).contains(&text.len()) && text.bytes().all(plain)).then(|| text.into())
}

/// Around everything: the request has a name from here on, and its answer says it.
pub(crate) async fn name(State(desk): State<Desk>, request: Request, next: Next) -> Response {
    let id = received(request.headers()).unwrap_or_else(|| desk.request_ids().fresh());
    let mut response = attended::with_request(Arc::clone(&id), next.run(request)).await;
    if let Ok(value) = HeaderValue::from_str(&id) {
        response.headers_mut().insert(HEADER, value);
    }
    response.map(|body| under_its_name(id, body))
}

/// A stream is still at work when its answer has begun, and what it says to the log is about the same request.
fn under_its_name(id: Arc<str>, body: Body) -> Body {
    if body.size_hint().exact().is_some() {
        return body;
    }
    let mut data = body.into_data_stream();
    let next = move |context: &mut Context<'_>| {
        attended::during_request(Arc::clone(&id), || data.poll_next_unpin(context))
    };
    Body::from_stream(stream::poll_fn(next))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_plain_and_short() {
        let check = |text: &str, taken: bool| {
            let mut headers = HeaderMap::new();
            headers.insert(HEADER, HeaderValue::from_bytes(text.as_bytes()).expect("a value"));
            assert_eq!(received(&headers).is_some(), taken, "{text:?}");
        };
        check("a", true);
        check("deploy_17.retry-2", true);
        check(&"a".repeat(LONGEST), true);
        check(&"a".repeat(LONGEST + 1), false);
        check("", false);
        check("a b", false);
        check("a\"b", false);
        check("größe", false);
        assert!(received(&HeaderMap::new()).is_none());
    }

    #[tokio::test]
    async fn what_a_stream_does_later_is_about_the_same_request() {
        let said = stream::iter(0..3).map(|_| {
            let id = attended::request().map_or_else(|| "nobody".to_owned(), |id| id.to_string());
            Ok::<_, std::convert::Infallible>(id)
        });
        let body = under_its_name("q-7.".into(), Body::from_stream(said));
        let bytes = axum::body::to_bytes(body, 100).await.expect("a body");
        assert_eq!(bytes, "q-7.q-7.q-7.");
        assert_eq!(under_its_name("q-8".into(), Body::from("whole")).size_hint().exact(), Some(5));
    }

    #[test]
    fn no_two_requests_are_called_the_same() {
        let (one, other) = (RequestIds::new(), RequestIds::new());
        let ids: std::collections::BTreeSet<_> = [one.fresh(), one.fresh(), other.fresh()].into();
        assert_eq!(ids.len(), 3);
    }
}
