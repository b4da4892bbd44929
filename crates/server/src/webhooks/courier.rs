//! One courier per webhook: who is slow or down keeps nobody else waiting.

use super::Webhook;
use super::message::Message;
use super::register::{position, set_position};
use crate::clock::wall_ms;
use crate::desk::Desk;
use crate::live::{Event, events_of};
use crate::outward::{Call, Client, Reach};
use crate::storage::port::error::with_causes;
use crate::storage::tables::deliveries::{self, Delivery};
use crate::storage::tables::journal::{self, Entry};
use axum::http::{Method, Uri};
use std::time::Duration;

/// Entries that are looked at together.
const CHUNK: u32 = 200;

/// A position is kept at least this often; what was looked at since is looked at again after a restart, and told once all the same.
const KEEP_EVERY: i64 = 1_000;

/// A receiver that has more to do than to take a message does it later.
const PATIENCE: Duration = Duration::from_secs(10);

/// What a receiver answers is read to its end, within reason.
const MOST_BYTES: usize = 64 * 1024;

/// If nobody hears of a delivery that was begun, it is begun again after this.
const LEASE_MS: i64 = 5 * 60_000;

/// Nobody looks less often whether there is something to do.
const LONGEST_NAP: Duration = Duration::from_secs(60);

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
    hook: Webhook,
    client: Client,
    pauses: Pauses,
    /// Everything up to this entry was looked at, and up to that one it is kept that it was.
    seen: i64,
    kept: i64,
    failures: i64,
    /// Nothing is sent before this.
    rests_until: i64,
}

impl Courier {
    pub(crate) fn new(desk: Desk, hook: Webhook, pauses: Pauses) -> Self {
        Self { desk, hook, client: Client::default(), pauses, seen: 0, kept: 0, failures: 0, rests_until: 0 }
    }

    /// Works until the desk closes.
    pub(crate) async fn work(mut self) {
        let mut news = self.desk.subscribe();
        while self.begin().await.is_none() {
            tokio::time::sleep(SHORT_NAP).await;
        }
        while self.desk.is_open() {
            let nap = self.round().await.unwrap_or(SHORT_NAP);
            tokio::select! {
                more = news.beyond(self.seen) => if more.is_none() { return },
                () = tokio::time::sleep(nap) => {}
            }
        }
    }

    /// Takes up where the last courier left off.
    async fn begin(&mut self) -> Option<()> {
        let name = self.hook.name.clone();
        let seen = self.desk.read(move |connection| position(connection, &name)).await.ok()?;
        (self.seen, self.kept) = (seen, seen);
        Some(())
    }

    /// Notes what is new, tells what is due, and says how long there is nothing to do. Nothing if the desk's memory does not answer.
    async fn round(&mut self) -> Option<Duration> {
        while self.follow().await? {}
        while self.desk.is_open() && self.rests_until <= wall_ms() {
            let Some(delivery) = self.claim().await? else { break };
            self.deliver(&delivery).await?;
        }
        let now = wall_ms();
        let name = self.hook.name.clone();
        let next = self.desk.read(move |connection| deliveries::next_turn(connection, &name)).await.ok()?;
        let wait = next.map_or(i64::MAX, |next| next.max(self.rests_until) - now).max(0);
        Some(Duration::from_millis(wait as u64).min(LONGEST_NAP))
    }

    /// Looks at some entries of the journal. Returns whether there are more.
    async fn follow(&mut self) -> Option<bool> {
        let after = self.seen;
        let entries =
            self.desk.read(move |connection| journal::after(connection, after, CHUNK)).await.ok()?;
        let Some(last) = entries.last().map(|entry| entry.seq) else { return Some(false) };
        let wanted: Vec<i64> =
            entries.iter().filter(|entry| !self.wanted(entry).is_empty()).map(|entry| entry.seq).collect();
        if !wanted.is_empty() || last - self.kept >= KEEP_EVERY {
            let name = self.hook.name.clone();
            let noted = self.desk.write(move |transaction| {
                let now = wall_ms();
                wanted.iter().try_for_each(|seq| deliveries::enqueue(transaction, &name, *seq, now))?;
                set_position(transaction, &name, last)
            });
            noted.await.ok()?;
            self.kept = last;
        }
        self.seen = last;
        Some(entries.len() == CHUNK as usize)
    }

    fn wanted(&self, entry: &Entry) -> Vec<Event> {
        events_of(entry).into_iter().filter(|event| self.hook.wants(event)).collect()
    }

    async fn claim(&self) -> Option<Option<Delivery>> {
        let name = self.hook.name.clone();
        let claimed = self.desk.write(move |transaction| {
            let now = wall_ms();
            deliveries::claim_next(transaction, &name, now, now + LEASE_MS)
        });
        claimed.await.ok()
    }

    /// Tells everything about one entry, and notes how it went.
    async fn deliver(&mut self, delivery: &Delivery) -> Option<()> {
        let (name, seq, attempt) = (self.hook.name.clone(), delivery.seq, delivery.attempt);
        let entry = self.desk.read(move |connection| journal::get(connection, seq)).await.ok()?;
        let told = match entry {
            Some(entry) => self.tell(&entry).await,
            None => Ok(()),
        };
        let now = wall_ms();
        let Err(error) = told else {
            self.failures = 0;
            return self
                .desk
                .write(move |transaction| deliveries::delivered(transaction, &name, seq, now))
                .await
                .ok();
        };
        self.failures += 1;
        self.rests_until = now + self.pauses.after(self.failures).min(self.pauses.longest_ms);
        let again = now + self.pauses.after(attempt);
        crate::log::note(&format!("webhook {name} was not told of entry {seq}: {error}"));
        self.desk
            .write(move |transaction| deliveries::failed(transaction, &name, seq, &error, now, again))
            .await
            .ok()
    }

    async fn tell(&self, entry: &Entry) -> Result<(), String> {
        for event in self.wanted(entry) {
            self.send(&event).await?;
        }
        Ok(())
    }

    async fn send(&self, event: &Event) -> Result<(), String> {
        let Message { headers, body } =
            Message::new(event, &self.desk.origins().address(), &self.hook.secret, wall_ms());
        let call = Call {
            method: Method::POST,
            url: &self.hook.url,
            headers,
            body,
            reach: reach(&self.hook.url),
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
