//! Requests that may be sent again: with an Idempotency-Key, the first answer is given again and nothing is done twice.

use super::endpoint::Keeping;
use super::problem::{INSTANCE, Kind, PROBLEM, Problem};
use crate::access::Caller;
use crate::attended::{self, Attended};
use crate::clock::wall_ms;
use crate::desk::Desk;
use crate::office::once::with_key;
use crate::storage::JsonText;
use crate::storage::tables::idempotency::{self, Claim, Key, Response as Kept};
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

pub(super) async fn remember(
    State((desk, keeping)): State<(Desk, Keeping)>,
    request: Request,
    next: Next,
) -> Response {
    let Some(value) = request.headers().get(HEADER) else { return next.run(request).await };
    match key(value) {
        Ok(key) => {
            once((&desk, keeping), key, request, next).await.unwrap_or_else(IntoResponse::into_response)
        }
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

async fn once(
    (desk, keeping): (&Desk, Keeping),
    request_key: String,
    request: Request,
    next: Next,
) -> Result<Response, Problem> {
    let caller = request.extensions().get::<Caller>();
    let subject = caller.map_or_else(|| "nobody".to_owned(), Caller::actor);
    let key = Key { subject, request_key };
    // Two tokens of one name may see different parts; the answer to one is none for the other.
    let scope = caller.map(|caller| caller.scope.clone()).filter(|scope| *scope != Scope::default());
    let (parts, body) = request.into_parts();
    let bytes = read(body).await?;
    // What was read is part of what is asked: an answer to another version is another answer.
    let condition = parts.headers.get(header::IF_MATCH).map(|value| value.as_bytes().to_vec());
    let asked = (parts.method.as_str(), parts.uri.to_string(), &*bytes, condition);
    let asked = scope.map_or_else(|| ContentHash::of(&asked), |scope| ContentHash::of(&(&asked, scope)));
    let claim = {
        let key = key.clone();
        desk.write(move |transaction| idempotency::claim(transaction, &key, asked, wall_ms())).await?
    };
    match claim {
        Claim::Done(kept) => Ok(again(&kept)),
        Claim::Running => Err(under_way()),
        Claim::Different => Err(Problem::new(Kind::KeyReused, "Use a new key for another request.")),
        Claim::New => {
            let (desk, request) = (desk.clone(), Request::from_parts(parts, Body::from(bytes)));
            // Goes on when nobody waits any more: a key that nobody finishes would be under way for ever.
            let done = async move {
                let answer = with_key(key.clone(), next.run(request)).await;
                keep((&desk, keeping), key, answer).await
            };
            let done = tokio::spawn(Attended::now().carry(done));
            done.await.unwrap_or_else(|error| Err(Problem::internal(&error)))
        }
    }
}

async fn read(body: Body) -> Result<Bytes, Problem> {
    let large = |_| Problem::new(Kind::TooLarge, format!("At most {LARGEST_BODY} bytes are read."));
    axum::body::to_bytes(body, LARGEST_BODY).await.map_err(large)
}

/// Whoever asks again in a moment gets the answer.
fn under_way() -> Problem {
    let problem = Problem::new(Kind::Conflict, "The same request is under way; ask again for its answer.");
    Problem { retryable: true, ..problem }.after(1)
}

/// Keeps an answer. One that says "try again later" or "read it again" is not an answer: the key is free again, unless something was done.
async fn keep((desk, keeping): (&Desk, Keeping), key: Key, answer: Response) -> Result<Response, Problem> {
    let (parts, body) = answer.into_parts();
    let bytes = read(body).await?;
    let is_none = parts.status.is_server_error()
        || [StatusCode::TOO_MANY_REQUESTS, StatusCode::PRECONDITION_FAILED].contains(&parts.status);
    if is_none || (keeping == Keeping::NoSecret && parts.status.is_success()) {
        desk.write(move |transaction| idempotency::release(transaction, &key, &answer_lost)).await?;
    } else {
        let kept = Kept {
            status: i64::from(parts.status.as_u16()),
            headers: JsonText::of(&kept_headers(&parts.headers)),
            body: String::from_utf8_lossy(&bytes).into_owned(),
        };
        desk.write(move |transaction| idempotency::finish(transaction, &key, &kept)).await?;
    }
    Ok(Response::from_parts(parts, Body::from(bytes)))
}

/// What is said of something that was done, as an entry of the record tells, and whose answer is not there to be given again.
pub(crate) fn answer_lost(entry: &str) -> Kept {
    let detail = format!(
        "This was done, or at least begun, at entry {entry} of the record, and its answer is not kept. Look how things stand; with \
         another key it would be done once more."
    );
    let problem = Problem::new(Kind::Conflict, detail);
    Kept {
        status: i64::from(problem.status),
        headers: JsonText::of(&[(header::CONTENT_TYPE.as_str(), PROBLEM)]),
        body: JsonText::of(&problem).as_str().to_owned(),
    }
}

fn kept_headers(headers: &HeaderMap) -> Vec<(String, String)> {
    let text =
        |name: &header::HeaderName| Some((name.to_string(), headers.get(name)?.to_str().ok()?.to_owned()));
    KEPT_HEADERS.iter().filter_map(text).collect()
}

/// A refusal names the request that it answers, and that is another one now. What looks like this is no part of any text in it, because
/// quotation marks in texts are written otherwise.
fn renamed(body: &str) -> Option<String> {
    let id = attended::request()?;
    let begin = format!("\"instance\":\"{INSTANCE}");
    let (before, rest) = body.split_once(&begin)?;
    let (_, after) = rest.split_once('"')?;
    Some(format!("{before}{begin}{id}\"{after}"))
}

fn again(kept: &Kept) -> Response {
    let status = u16::try_from(kept.status).ok().and_then(|status| StatusCode::from_u16(status).ok());
    let refused = status.is_some_and(|status| status.is_client_error());
    let body = renamed(&kept.body).filter(|_| refused).unwrap_or_else(|| kept.body.clone());
    let mut response = (status.unwrap_or(StatusCode::OK), body).into_response();
    let headers: Vec<(String, String)> = kept.headers.read("headers").unwrap_or_default();
    for (name, value) in headers {
        if let (Ok(name), Ok(value)) = (name.parse::<header::HeaderName>(), HeaderValue::from_str(&value)) {
            response.headers_mut().insert(name, value);
        }
    }
    response.headers_mut().insert("idempotent-replayed", HeaderValue::from_static("true"));
    response
}
