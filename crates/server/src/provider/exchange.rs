//! One request and what came of it.

use super::timekeeper::Timekeeper;
use super::veil::Veil;
use super::wire::{self, Complaint, Heard, Listener, Manner, Terms};
use super::{CannotAsk, pause};
use crate::config::{ModelsConfig, RawReach};
use crate::outward::{Call as Outgoing, Client, Failure, Opened, Reach};
use axum::body::Bytes;
use axum::http::{HeaderName, HeaderValue, Method, Uri, header};
use control::question::Call;
use std::time::Duration;

/// A stream takes some two hundred bytes for a token, so this is enough for eighty thousand tokens.
const MOST_BYTES: usize = 16 * 1024 * 1024;

/// So much of a complaint is read.
const MOST_COMPLAINT: usize = 64 * 1024;

/// What came of a request.
#[derive(Debug)]
pub(super) enum Happened {
    Answered(Heard),
    /// Any status that is not a success.
    Refused {
        status: u16,
        complaint: Complaint,
        wait: Option<Duration>,
    },
    /// There was no answer, or only a part of one.
    Failed(Failure),
}

/// Knows where the models are, and the key.
pub(super) struct Exchange {
    client: Client,
    url: String,
    pub(super) host: String,
    reach: Reach,
    authorization: Option<HeaderValue>,
    terms: Terms,
}

impl Exchange {
    pub(super) fn new(config: &ModelsConfig, veil: &Veil) -> Result<Self, CannotAsk> {
        let url = format!("{}/chat/completions", config.endpoint);
        let uri: Uri = url.parse().map_err(|_| CannotAsk::Endpoint)?;
        let host = uri.host().ok_or(CannotAsk::Endpoint)?.to_owned();
        let otherwise = match config.reach {
            RawReach::Public => Reach::Public,
            RawReach::Company => Reach::Company,
        };
        Ok(Self {
            client: Client::default(),
            url,
            reach: Reach::of(&host, otherwise),
            host,
            authorization: veil.header().map_err(|()| CannotAsk::Key)?,
            terms: Terms { openrouter: config.openrouter, stream: config.stream, seed: config.seed },
        })
    }

    /// Makes one request, within this time.
    pub(super) async fn attempt(
        &self,
        call: &Call,
        manner: Manner,
        patience: Duration,
        time: &dyn Timekeeper,
    ) -> Happened {
        let conversation = async {
            match self.client.open(self.outgoing(call, manner, patience)).await {
                Ok(answer) => listen(answer, time).await,
                Err(failure) => Happened::Failed(failure),
            }
        };
        let heard = tokio::time::timeout(patience, conversation).await;
        heard.unwrap_or(Happened::Failed(Failure::TooSlow(patience)))
    }

    fn outgoing(&self, call: &Call, manner: Manner, patience: Duration) -> Outgoing<'_> {
        let body = wire::body(call, self.terms, manner).to_string();
        let accepted =
            if self.terms.stream { "text/event-stream, application/json" } else { "application/json" };
        let mut headers: Vec<(HeaderName, HeaderValue)> = vec![
            (header::CONTENT_TYPE, HeaderValue::from_static("application/json")),
            (header::ACCEPT, HeaderValue::from_static(accepted)),
        ];
        headers.extend(self.authorization.clone().map(|value| (header::AUTHORIZATION, value)));
        Outgoing {
            method: Method::POST,
            url: &self.url,
            headers,
            body: Bytes::from(body),
            reach: self.reach,
            most_bytes: MOST_BYTES,
            patience,
        }
    }
}

async fn listen(answer: Opened, time: &dyn Timekeeper) -> Happened {
    if (200..300).contains(&answer.status) { answered(answer).await } else { refused(answer, time).await }
}

async fn answered(mut answer: Opened) -> Happened {
    let mut listener = Listener::default();
    let mut length = 0_usize;
    while !listener.is_done() {
        match answer.next().await {
            Ok(Some(piece)) => {
                length += piece.len();
                if length > MOST_BYTES {
                    return Happened::Failed(Failure::TooLarge(MOST_BYTES));
                }
                listener.push(&piece);
            }
            Ok(None) => break,
            Err(_) => return Happened::Answered(listener.finish(false)),
        }
    }
    Happened::Answered(listener.finish(true))
}

/// What is not a success has a reason, as far as it can be read.
async fn refused(mut answer: Opened, time: &dyn Timekeeper) -> Happened {
    let header = |name: &str| answer.headers.get(name).and_then(|value| value.to_str().ok());
    let wait = pause::wanted(header("retry-after-ms"), header("retry-after"), time.wall_ms());
    let mut body = Vec::new();
    while let Ok(Some(piece)) = answer.next().await {
        body.extend_from_slice(&piece[..piece.len().min(MOST_COMPLAINT - body.len())]);
        if body.len() == MOST_COMPLAINT {
            break;
        }
    }
    Happened::Refused { status: answer.status, complaint: wire::complaint(&body), wait }
}
