//! Watchers are told at a pace. When something happens hundreds want to hear it at once, and whoever only asks a question meanwhile
//! would wait until the last of them was told.

use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// So many are told within a [`BEAT`]: a desk with few watchers tells all of them at once, one with five hundred within a fifteenth of
/// a second, and is free for others for most of it.
const IN_A_BEAT: u32 = 32;

/// Several times what it takes to tell so many. With shorter ones more time would go into waking up.
const BEAT: Duration = Duration::from_millis(4);

/// Whose turn it is to be told something. Nobody holds a turn, so nobody who does not listen keeps the others waiting.
#[derive(Debug)]
pub(crate) struct Turns(Mutex<Beat>);

#[derive(Debug)]
struct Beat {
    begins: Instant,
    taken: u32,
}

impl Turns {
    pub(crate) const fn new(now: Instant) -> Self {
        Self(Mutex::new(Beat { begins: now, taken: 0 }))
    }

    /// Waits for a turn.
    pub(crate) async fn take(&self, now: Instant) {
        let begins = self.next(now);
        if begins > now {
            tokio::time::sleep_until(begins.into()).await;
        }
    }

    /// When the next turn is.
    fn next(&self, now: Instant) -> Instant {
        let mut beat = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if beat.begins + BEAT <= now {
            *beat = Beat { begins: now, taken: 0 };
        } else if beat.taken == IN_A_BEAT {
            *beat = Beat { begins: beat.begins + BEAT, taken: 0 };
        }
        beat.taken += 1;
        beat.begins
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_few_are_told_at_once_and_many_one_after_the_other() {
        let begun = crate::clock::now();
        let turns = Turns::new(begun);
        let waits = |now: Instant| turns.next(now).saturating_duration_since(now);
        let all: Vec<Duration> = (0..3 * IN_A_BEAT).map(|_| waits(begun)).collect();
        let told_after = |beats: u32| all.iter().filter(|wait| **wait == BEAT * beats).count() as u32;
        assert_eq!([told_after(0), told_after(1), told_after(2)], [IN_A_BEAT; 3]);
        assert_eq!(waits(begun + BEAT), BEAT * 2, "those who came before are told before");
        assert_eq!(waits(begun + BEAT * 10), Duration::ZERO, "nobody waits for what is long over");
    }
}
