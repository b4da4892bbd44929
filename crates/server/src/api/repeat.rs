//! Requests that may be sent again: with an Idempotency-Key, the first answer is given again and nothing is done twice.

use super::problem::{Kind, Problem};
use crate::access::Caller;
use crate::clock::wall_ms;
use crate::desk::Desk;
use crate::storage::JsonText;
use crate::storage::tables::idempotency::{self, Claim, Response as Kept};
use axum::body::{Body, Bytes};
use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use control::agent::Scope;
use model::hash::ContentHash;

const HEADER: &str = "idempotency-key";
const LONGEST_KEY: usize = 128;
const LARGEST_BODY: usize = 1024 * 1024;

/// Headers that belong to an answer and are given again with it.
const KEPT_HEADERS: [header::HeaderName; 3] = [header::CONTENT_TYPE, header::ETAG, header::LOCATION];

pub(super) async fn remember(State(desk): State<Desk>, request: Request, next: Next) -> Response {
    let Some(value) = request.headers().get(HEADER) else { return next.run(request).await };
    match key(value) {
        Ok(key) => once(&desk, key, request, next).await.unwrap_or_else(IntoResponse::into_response),
        Err(problem) => problem.into_response(),
    }
}

fn key(value: &HeaderValue) -> Result<String, Problem> {
    let text = value.to_str().unwrap_or_default();
    let fits =
        !text.is_empty() && text.len() <= LONGEST_KEY && text.bytes().all(|byte| byte.is_ascii_graphic());
    let detail = format!("An Idempotency-Key has 1 to {LONGEST_KEY} visible ASCII characters.");
    if fits { Ok(text.to_owned()) } else { Err(Problem::new(Kind::Malformed, detail)) }
}

async fn once(desk: &Desk, key: String, request: Request, next: Next) -> Result<Response, Problem> {
    let caller = request.extensions().get::<Caller>();
    let subject = caller.map_or_else(|| "nobody".to_owned(), Caller::actor);
    // Two tokens of one name may see different parts; the answer to one is none for the other.
    let scope = caller.map(|caller| caller.scope.clone()).filter(|scope| *scope != Scope::default());
    let (parts, body) = request.into_parts();
    let bytes = read(body).await?;
    let asked = (parts.method.as_str(), parts.uri.to_string(), &*bytes);
    let asked = scope.map_or_else(|| ContentHash::of(&asked), |scope| ContentHash::of(&(&asked, scope)));
    let claim = {
        let (subject, key) = (subject.clone(), key.clone());
        desk.write(move |transaction| idempotency::claim(transaction, &subject, &key, asked, wall_ms()))
            .await?
    };
    match claim {
        Claim::Done(kept) => Ok(again(&kept)),
        Claim::Running => {
            Err(Problem::new(Kind::Conflict, "The same request is under way; wait for its answer."))
        }
        Claim::Different => Err(Problem::new(Kind::KeyReused, "Use a new key for another request.")),
        Claim::New => {
            let (desk, request) = (desk.clone(), Request::from_parts(parts, Body::from(bytes)));
            // Goes on when nobody waits any more: a key that nobody finishes would be under way for ever.
            let done = tokio::spawn(async move {
                let answer = next.run(request).await;
                keep(&desk, subject, key, answer).await
            });
            done.await.unwrap_or_else(|error| Err(Problem::internal(&error)))
        }
    }
}

async fn read(body: Body) -> Result<Bytes, Problem> {
    let large = |_| Problem::new(Kind::TooLarge, format!("At most {LARGEST_BODY} bytes are read."));
    axum::body::to_bytes(body, LARGEST_BODY).await.map_err(large)
}

/// Keeps an answer. One that says "try again later" is not an answer: the key is free again.
async fn keep(desk: &Desk, subject: String, key: String, answer: Response) -> Result<Response, Problem> {
    let (parts, body) = answer.into_parts();
    let bytes = read(body).await?;
    if parts.status.is_server_error() || parts.status == StatusCode::TOO_MANY_REQUESTS {
        desk.write(move |transaction| idempotency::release(transaction, &subject, &key)).await?;
    } else {
        let kept = Kept {
            status: i64::from(parts.status.as_u16()),
            headers: JsonText::of(&kept_headers(&parts.headers)),
            body: String::from_utf8_lossy(&bytes).into_owned(),
        };
        desk.write(move |transaction| idempotency::finish(transaction, &subject, &key, &kept)).await?;
    }
    Ok(Response::from_parts(parts, Body::from(bytes)))
}

fn kept_headers(headers: &HeaderMap) -> Vec<(String, String)> {
    let text =
        |name: &header::HeaderName| Some((name.to_string(), headers.get(name)?.to_str().ok()?.to_owned()));
    KEPT_HEADERS.iter().filter_map(text).collect()
}

fn again(kept: &Kept) -> Response {
    let status = u16::try_from(kept.status).ok().and_then(|status| StatusCode::from_u16(status).ok());
    let mut response = (status.unwrap_or(StatusCode::OK), kept.body.clone()).into_response();
    let headers: Vec<(String, String)> = kept.headers.read("headers").unwrap_or_default();
    for (name, value) in headers {
        if let (Ok(name), Ok(value)) = (name.parse::<header::HeaderName>(), HeaderValue::from_str(&value)) {
            response.headers_mut().insert(name, value);
        }
    }
    response.headers_mut().insert("idempotent-replayed", HeaderValue::from_static("true"));
    response
}
