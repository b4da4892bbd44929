//! Telling others what happens: each webhook has a courier that follows the journal, notes what is to be told, and tells it until it was
//! heard or given up.
//!
//! ```text
//!  journal ──► courier ──► deliveries (kept) ──► signed message ──► heard │ later, and later again │ given up, for a person to look at
//! ```
//!
//! What is noted survives a restart, so everything is told at least once. Messages carry an id by which a second one is recognised.

mod courier;
mod message;
mod register;

pub(crate) use courier::{Courier, Pauses};
pub(crate) use register::register;

use crate::access::Secret;
use crate::config::WebhookConfig;
use crate::live::Event;

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
    fn wants(&self, event: &Event) -> bool {
        let name = event.kind.strip_prefix("io.drover.").unwrap_or(event.kind);
        let fits = |wanted: &String| {
            name.strip_prefix(wanted.as_str()).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
        };
        self.events.is_empty() || self.events.iter().any(fits)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::access::Right;
    use serde_json::json;

    #[test]
    fn whole_words_are_wanted() {
        let event = Event {
            specversion: "1.0",
            id: "1-0".into(),
            source: "drover",
            kind: "io.drover.recommendation.created.v1",
            subject: String::new(),
            wall_ms: 0,
            at_ms: 0,
            data: json!({}),
            right: Right::SeeDesk,
        };
        for (events, wanted) in [
            (vec![], true),
            (vec!["recommendation"], true),
            (vec!["recommendation.created"], true),
            (vec!["execution", "recommendation.created.v1"], true),
            (vec!["recommend"], false),
            (vec!["recommendation.expired"], false),
        ] {
            let events: Vec<String> = events.into_iter().map(str::to_owned).collect();
            let (name, url, secret_place) = (String::new(), String::new(), String::new());
            let hook = Webhook { name, url, secret: Secret::received(""), secret_place, events };
            assert_eq!(hook.wants(&event), wanted, "{:?}", hook.events);
        }
    }
}
