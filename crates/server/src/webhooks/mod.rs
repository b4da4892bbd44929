//! Telling others what happens: what a step means to them is written into the outbox together with the step, and each webhook has a
//! courier that tells it until it was heard or given up.
//!
//! ```text
//!  step ──► journal, lists and outbox (one transaction) ──► courier ──► signed message ──► heard │ later, and later again │ given up
//! ```
//!
//! What is in the outbox survives a kill, so everything is told at least once. Messages carry an id by which a second one is
//! recognised. Whom the desk tells stands in its file and nowhere else.

mod courier;
mod message;
mod news;
mod outbox;
mod register;
mod tally;

pub(crate) use courier::{Courier, Pauses};
pub(crate) use message::objection;
pub(crate) use news::{News, Topic, asked_without_prediction, of_step};
pub(crate) use outbox::{Moment, Outbox, note_one};
pub(crate) use register::register;
pub(crate) use tally::Outcome;

use crate::access::Secret;
use crate::config::WebhookConfig;
use axum::http::Uri;

/// Somebody who is told.
#[derive(Clone, Debug)]
pub(crate) struct Webhook {
    pub(crate) name: String,
    pub(crate) url: String,
    /// Signs each message.
    pub(crate) secret: Secret,
    /// Where the secret was found.
    pub(crate) secret_place: String,
    /// Kinds of events, such as `recommendation.created` or `recommendation`; all if none is named.
    pub(crate) events: Vec<String>,
}

impl Webhook {
    /// A webhook of the desk's file with its secret.
    pub(crate) fn new(config: &WebhookConfig, secret: &Secret) -> Self {
        Self {
            name: config.name.clone(),
            url: config.url.clone(),
            secret: secret.clone(),
            secret_place: config.secret.to_string(),
            events: config.events.clone(),
        }
    }

    /// Whether they want to hear of this.
    fn wants(&self, topic: Topic) -> bool {
        self.events.is_empty() || self.events.iter().any(|wanted| topic.is_called(wanted))
    }

    /// Where messages go, as people may see it: without a query, which can hold a secret.
    pub(crate) fn shown_url(&self) -> String {
        let uri = self.url.parse::<Uri>().ok();
        let parts = uri.as_ref().and_then(|uri| Some((uri.scheme_str()?, uri.authority()?, uri.path())));
        parts
            .map(|(scheme, authority, path)| {
                let place = authority.as_str().rsplit('@').next().unwrap_or_default();
                format!("{scheme}://{place}{path}")
            })
            .unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hook(url: &str, events: &[&str]) -> Webhook {
        Webhook {
            name: "pager".to_owned(),
            url: url.to_owned(),
            secret: Secret::received("only we know this"),
            secret_place: "env:HOOK".to_owned(),
            events: events.iter().map(|&event| event.to_owned()).collect(),
        }
    }

    #[test]
    fn whole_words_are_wanted() {
        for (events, wanted) in [
            (&[][..], true),
            (&["recommendation"], true),
            (&["recommendation.created"], true),
            (&["execution", "recommendation.created"], true),
            (&["recommend"], false),
            (&["recommendation.expired"], false),
        ] {
            assert_eq!(hook("", events).wants(Topic::Created), wanted, "{events:?}");
        }
    }

    #[test]
    fn an_address_is_shown_without_what_may_be_secret() {
        for (url, shown) in [
            ("https://hooks.example.org/drover?key=s3cret", "https://hooks.example.org/drover"),
            ("https://me:s3cret@hooks.example.org:8443/x", "https://hooks.example.org:8443/x"),
            ("http://127.0.0.1:9000", "http://127.0.0.1:9000/"),
            ("no address", ""),
        ] {
            assert_eq!(hook(url, &[]).shown_url(), shown);
        }
    }
}
