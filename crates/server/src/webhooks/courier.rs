//! One courier per webhook: who is slow or down keeps nobody else waiting.

use super::message;
use super::outbox::{Outbox, Recipient};
use super::tally::Outcome;
use crate::clock::wall_ms;
use crate::desk::Desk;
use crate::outward::{Call, Client, Reach};
use crate::storage::port::error::with_causes;
use crate::storage::tables::deliveries::{self, Delivery, LONGEST_WAIT_MS, WAITING};
use axum::body::Bytes;
use axum::http::{Method, Uri};
use std::time::Duration;

/// A receiver that has more to do than to take a message does it later.
const PATIENCE: Duration = Duration::from_secs(10);

/// What a receiver answers is read to its end, within reason.
const MOST_BYTES: usize = 64 * 1024;

/// Nobody looks less often whether there is something to do.
const LONGEST_NAP: Duration = Duration::from_mins(1);

/// After an error of our own.
const SHORT_NAP: Duration = Duration::from_secs(2);

/// How long to wait after a failure.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Pauses {
    /// After the first; each further one is twice as long.
    pub(crate) first_ms: i64,
    /// The longest pause in which nothing at all is sent to somebody who is down.
    pub(crate) longest_ms: i64,
}

impl Default for Pauses {
    fn default() -> Self {
        // With eight tries, the last one is more than an hour after the first.
        Self { first_ms: 30_000, longest_ms: 300_000 }
    }
}

impl Pauses {
    fn after(self, failures: i64) -> i64 {
        let doublings = failures.clamp(1, 20) - 1;
        self.first_ms.saturating_mul(1 << doublings)
    }
}

/// Brings messages to one webhook.
pub(crate) struct Courier {
    desk: Desk,
    outbox: Outbox,
    /// Whom.
    name: String,
    client: Client,
    pauses: Pauses,
    failures: i64,
    /// Nothing is sent before this.
    rests_until: i64,
}

impl Courier {
    pub(crate) fn new(desk: Desk, outbox: Outbox, name: String, pauses: Pauses) -> Self {
        Self { desk, outbox, name, client: Client::default(), pauses, failures: 0, rests_until: 0 }
    }

    /// Works until the desk closes.
    pub(crate) async fn work(mut self) {
        let outbox = self.outbox.clone();
        let Some(recipient) = outbox.named(&self.name) else { return };
        while self.desk.is_open() {
            let nap = self.round(recipient).await.unwrap_or(SHORT_NAP);
            // Somebody who is down is left alone until the pause is over, however much happens meanwhile.
            let rest = Duration::from_millis((self.rests_until - wall_ms()).max(0).unsigned_abs());
            tokio::time::sleep(rest.min(nap)).await;
            let _ = tokio::time::timeout(nap.saturating_sub(rest), recipient.bell.notified()).await;
        }
    }

    /// Tells what is due, and says how long there is nothing to do. Nothing if the desk's memory does not answer.
    async fn round(&mut self, recipient: &Recipient) -> Option<Duration> {
        while self.desk.is_open() && self.rests_until <= wall_ms() {
            let name = self.name.clone();
            let due =
                self.desk.read(move |connection| deliveries::due(connection, &name, wall_ms())).await.ok()?;
            let Some(delivery) = due else { break };
            if delivery.noted_wall_ms < wall_ms() - LONGEST_WAIT_MS {
                self.give_up(recipient).await?;
            } else {
                self.deliver(recipient, delivery).await?;
            }
        }
        let name = self.name.clone();
        let state = self.desk.read(move |connection| {
            let waiting = deliveries::counts(connection)?.get(&(name.clone(), WAITING.to_owned())).copied();
            Ok((waiting.unwrap_or_default(), deliveries::next_turn(connection, &name)?))
        });
        let (waiting, next) = state.await.ok()?;
        recipient.tally.set_waiting(waiting.unsigned_abs());
        let wait = next.map_or(i64::MAX, |next| next.max(self.rests_until) - wall_ms()).max(0);
        Some(Duration::from_millis(wait.unsigned_abs()).min(LONGEST_NAP))
    }

    /// What has waited for too long is told no more.
    async fn give_up(&self, recipient: &Recipient) -> Option<()> {
        let name = self.name.clone();
        let given_up = self.desk.write(move |transaction| {
            let now = wall_ms();
            deliveries::give_up_older_than(transaction, &name, now - LONGEST_WAIT_MS, now)
        });
        recipient.tally.add(Outcome::Dead, given_up.await.ok()?);
        Some(())
    }

    /// Tells one event, and notes how it went. The attempt is counted first: whoever is killed while telling tells again.
    async fn deliver(&mut self, recipient: &Recipient, delivery: Delivery) -> Option<()> {
        let (begun, again) = (delivery.clone(), self.pauses.after(delivery.attempt + 1));
        let counted = self.desk.write(move |transaction| {
            let now = wall_ms();
            deliveries::begin(transaction, &begun, now, now.saturating_add(again))
        });
        counted.await.ok()?;
        let told = self.send(recipient, &delivery).await;
        let outcome = match told {
            Ok(()) => self.succeeded(delivery).await?,
            Err(error) => self.failed(delivery, error).await?,
        };
        recipient.tally.add(outcome, 1);
        Some(())
    }

    async fn succeeded(&mut self, delivery: Delivery) -> Option<Outcome> {
        self.failures = 0;
        let noted =
            self.desk.write(move |transaction| deliveries::delivered(transaction, &delivery, wall_ms()));
        noted.await.ok().map(|()| Outcome::Delivered)
    }

    async fn failed(&mut self, delivery: Delivery, error: String) -> Option<Outcome> {
        crate::log::note(&format!("webhook {} was not told {}: {error}", self.name, delivery.id));
        self.failures += 1;
        let pause = self.pauses.after(self.failures).min(self.pauses.longest_ms);
        self.rests_until = wall_ms().saturating_add(pause);
        let noted =
            self.desk.write(move |transaction| deliveries::failed(transaction, &delivery, &error, wall_ms()));
        noted.await.ok().map(|dead| if dead { Outcome::Dead } else { Outcome::Failed })
    }

    async fn send(&self, recipient: &Recipient, delivery: &Delivery) -> Result<(), String> {
        let hook = &recipient.hook;
        let call = Call {
            method: Method::POST,
            url: &hook.url,
            headers: message::headers(&delivery.id, &delivery.body, &hook.secret, wall_ms()),
            body: Bytes::copy_from_slice(delivery.body.as_bytes()),
            reach: reach(&hook.url),
            most_bytes: MOST_BYTES,
            patience: PATIENCE,
        };
        let reply = self.client.send(call).await.map_err(|failure| with_causes(&failure))?;
        if (200..300).contains(&reply.status) { Ok(()) } else { Err(format!("status {}", reply.status)) }
    }
}

/// An address in the file that is this machine means this machine; any other must be one that everybody can reach.
fn reach(url: &str) -> Reach {
    let uri = url.parse::<Uri>().ok();
    Reach::of(uri.as_ref().and_then(Uri::host).unwrap_or_default(), Reach::Public)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pauses_double() {
        let pauses = Pauses::default();
        let seconds: Vec<i64> = (1..=8).map(|failures| pauses.after(failures) / 1000).collect();
        assert_eq!(seconds, [30, 60, 120, 240, 480, 960, 1_920, 3_840]);
        assert_eq!(pauses.after(0), pauses.after(1));
        assert!(pauses.after(i64::MAX) > 0);
    }

    #[test]
    fn an_address_reaches_as_far_as_it_says() {
        for (url, expected) in [
            ("http://127.0.0.1:9000/x", Reach::ThisMachine),
            ("http://[::1]/", Reach::ThisMachine),
            ("http://localhost/", Reach::ThisMachine),
            ("https://hooks.example.org/", Reach::Public),
            ("https://10.0.0.1/", Reach::Public),
        ] {
            assert_eq!(reach(url), expected, "{url}");
        }
    }
}
