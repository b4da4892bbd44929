//! Tells watchers that the journal has grown. What was written stays in the journal, so whoever is slow reads it there: nobody
//! misses anything, and nobody's slowness costs memory here.

use tokio::sync::watch;

/// How far the journal goes, and whether more can come.
#[derive(Clone, Copy, Debug)]
struct End {
    seq: i64,
    closed: bool,
}

/// Knows how far the journal goes.
#[derive(Debug)]
pub struct Hub {
    end: watch::Sender<End>,
}

/// Somebody who waits for more.
#[derive(Clone, Debug)]
pub struct Subscription {
    end: watch::Receiver<End>,
}

impl Hub {
    pub fn new(seq: i64) -> Self {
        Self { end: watch::Sender::new(End { seq, closed: false }) }
    }

    /// The journal goes up to here now, and everything up to here is kept. Several write to it, so the news may come out of order.
    pub fn reached(&self, seq: i64) {
        self.end.send_if_modified(|end| {
            let grows = seq > end.seq;
            end.seq = seq.max(end.seq);
            grows
        });
    }

    /// How far the journal goes.
    pub fn end(&self) -> i64 {
        self.end.borrow().seq
    }

    /// The desk closes: whoever watches has to go, or nobody could ever stop serving.
    pub fn close(&self) {
        self.end.send_modify(|end| end.closed = true);
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
        let end = *self.end.wait_for(|end| end.closed || end.seq > seen).await.ok()?;
        (!end.closed).then_some(end.seq)
    }
}
