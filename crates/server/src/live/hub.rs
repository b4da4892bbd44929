//! Tells watchers that the journal has grown. What was written stays in the journal, so whoever is slow reads it there: nobody
//! misses anything, and nobody's slowness costs memory here.

use tokio::sync::watch;

/// Knows how far the journal goes.
#[derive(Debug)]
pub struct Hub {
    end: watch::Sender<i64>,
}

/// Somebody who waits for more.
#[derive(Clone, Debug)]
pub struct Subscription {
    end: watch::Receiver<i64>,
}

impl Hub {
    pub fn new(end: i64) -> Self {
        Self { end: watch::Sender::new(end) }
    }

    /// The journal goes up to here now, and everything up to here is kept. Several write to it, so the news may come out of order.
    pub fn reached(&self, seq: i64) {
        self.end.send_if_modified(|end| {
            let grows = seq > *end;
            *end = seq.max(*end);
            grows
        });
    }

    /// How far the journal goes.
    pub fn end(&self) -> i64 {
        *self.end.borrow()
    }

    pub fn subscribe(&self) -> Subscription {
        Subscription { end: self.end.subscribe() }
    }

    pub fn watchers(&self) -> usize {
        self.end.receiver_count()
    }
}

impl Subscription {
    /// How far the journal goes, once it goes beyond `seen`. Nothing when the desk closes.
    pub async fn beyond(&mut self, seen: i64) -> Option<i64> {
        self.end.wait_for(|end| *end > seen).await.ok().map(|end| *end)
    }
}
