//! Plays a cassette, records one, or both.

use super::Correspondent;
use super::cassette::{Cassette, Entry};
use control::question::{Call, Failure, Reply, Told, Usage};
use model::hash::ContentHash;
use model::time::Period;
use std::collections::BTreeSet;
use std::io;
use std::sync::{Arc, Mutex, PoisonError};

/// Where answers come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// From outside; nothing is kept.
    Live,
    /// From outside, once for each call; everything is kept.
    Record,
    /// From the cassette; a call that is not on it has no answer.
    Replay,
    /// From the cassette; what is not on it is asked outside and kept. What failed is asked again.
    RecordMissing,
}

/// Keeps a new answer where it survives.
pub type Keeper = Box<dyn Fn(&Entry) -> io::Result<()> + Send + Sync>;

/// Answers by mode.
pub struct Player {
    mode: Mode,
    outside: Option<Arc<dyn Correspondent>>,
    keeper: Option<Keeper>,
    tape: Mutex<Tape>,
}

struct Tape {
    cassette: Cassette,
    /// What was asked since this player exists: its answers stand, so that a recorded run and its replay are the same.
    asked: BTreeSet<ContentHash>,
    trouble: Option<io::Error>,
}

impl Player {
    /// Plays what is there and asks nobody.
    pub fn replay(cassette: Cassette) -> Self {
        Self::new(Mode::Replay, cassette, None, None)
    }

    /// Asks and keeps nothing.
    pub fn live(outside: Arc<dyn Correspondent>) -> Self {
        Self::new(Mode::Live, Cassette::default(), Some(outside), None)
    }

    pub fn new(
        mode: Mode,
        cassette: Cassette,
        outside: Option<Arc<dyn Correspondent>>,
        keeper: Option<Keeper>,
    ) -> Self {
        let tape = Tape { cassette, asked: BTreeSet::new(), trouble: None };
        Self { mode, outside, keeper, tape: Mutex::new(tape) }
    }

    pub const fn mode(&self) -> Mode {
        self.mode
    }

    /// Everything that is known now.
    pub fn cassette(&self) -> Cassette {
        self.with(|tape| tape.cassette.clone())
    }

    /// Why an answer could not be kept, if one could not.
    pub fn trouble(&self) -> Option<io::Error> {
        self.with(|tape| tape.trouble.take())
    }

    fn with<T>(&self, work: impl FnOnce(&mut Tape) -> T) -> T {
        work(&mut self.tape.lock().unwrap_or_else(PoisonError::into_inner))
    }

    fn known(&self, call: &Call) -> Option<Reply> {
        self.with(|tape| {
            let reply = tape.cassette.find(call)?;
            let is_new = tape.asked.contains(&call.key());
            let counts = match self.mode {
                Mode::Live => false,
                Mode::Record => is_new,
                Mode::Replay => true,
                Mode::RecordMissing => is_new || matches!(reply.told, Told::Text { .. }),
            };
            counts.then(|| reply.clone())
        })
    }

    fn keep(&self, call: &Call, reply: &Reply) {
        if self.mode == Mode::Live {
            return;
        }
        let entry = Entry::new(call.clone(), reply.clone());
        self.with(|tape| {
            if let Some(Err(error)) = self.keeper.as_ref().map(|keep| keep(&entry)) {
                tape.trouble.get_or_insert(error);
            }
            tape.asked.insert(entry.key);
            tape.cassette.put(entry);
        });
    }
}

impl Correspondent for Player {
    fn reply(&self, call: &Call) -> Reply {
        if let Some(known) = self.known(call) {
            return Reply { role: call.role.clone(), ..known };
        }
        let outside = self.outside.as_ref().filter(|_| self.mode != Mode::Replay);
        let Some(outside) = outside else { return not_recorded(call) };
        let reply = outside.reply(call);
        self.keep(call, &reply);
        reply
    }

    fn used_before(&self, today: Usage) {
        if let Some(outside) = &self.outside {
            outside.used_before(today);
        }
    }
}

fn not_recorded(call: &Call) -> Reply {
    let message = format!("the call {} to {} is not on the cassette", call.key().short(), call.model);
    Reply {
        role: call.role.clone(),
        told: Told::Failed { because: Failure::NotRecorded, message },
        took: Period::ZERO,
        usage: Usage::default(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use control::question::{Answer, Question};
    use std::sync::atomic::{AtomicU64, Ordering};

    /// Says how often it was asked; fails while it is told to.
    #[derive(Default)]
    struct Counter {
        asked: AtomicU64,
        fails: bool,
    }

    impl Correspondent for Counter {
        fn reply(&self, call: &Call) -> Reply {
            let count = self.asked.fetch_add(1, Ordering::Relaxed) + 1;
            let mut reply = Answer::plain(1, &count.to_string()).replies.remove(0);
            if self.fails {
                reply.told = Told::Failed { because: Failure::TimedOut, message: String::new() };
            }
            Reply { role: call.role.clone(), ..reply }
        }
    }

    fn call(text: &str) -> Call {
        Question::plain(1, text).calls.remove(0)
    }

    fn said(player: &Player, text: &str) -> String {
        match player.reply(&call(text)).told {
            Told::Text { text, .. } => text,
            Told::Failed { because, .. } => format!("{because:?}"),
        }
    }

    fn player(mode: Mode, cassette: Cassette) -> Player {
        Player::new(mode, cassette, Some(Arc::new(Counter::default())), None)
    }

    #[test]
    fn each_mode_asks_whom_it_should() {
        let heard = |mode: Mode, cassette: Cassette| {
            let player = player(mode, cassette);
            ["a", "a", "b", "a"].map(|text| said(&player, text)).join(" ")
        };
        let mut tape = Cassette::default();
        tape.put(Entry::new(call("a"), Answer::plain(1, "recorded").replies.remove(0)));
        assert_eq!(heard(Mode::Live, tape.clone()), "1 2 3 4");
        assert_eq!(heard(Mode::Record, tape.clone()), "1 1 2 1");
        assert_eq!(heard(Mode::RecordMissing, tape.clone()), "recorded recorded 1 recorded");
        assert_eq!(heard(Mode::Replay, tape), "recorded recorded NotRecorded recorded");
    }

    #[test]
    fn a_recorded_run_can_be_replayed() {
        let recording = player(Mode::Record, Cassette::default());
        let heard = ["a", "b", "a"].map(|text| said(&recording, text));
        let replay = Player::replay(recording.cassette());
        assert_eq!(["a", "b", "a"].map(|text| said(&replay, text)), heard);
    }

    #[test]
    fn what_failed_is_asked_again_where_something_is_missing() {
        let counter = Counter { fails: true, ..Counter::default() };
        let failing = Player::new(Mode::Record, Cassette::default(), Some(Arc::new(counter)), None);
        assert_eq!(said(&failing, "a"), "TimedOut");
        let tape = failing.cassette();
        assert_eq!(said(&Player::replay(tape.clone()), "a"), "TimedOut");
        assert_eq!(said(&player(Mode::RecordMissing, tape), "a"), "1");
    }

    #[test]
    fn an_answer_that_cannot_be_kept_is_told() {
        let keeper: Keeper = Box::new(|_| Err(io::Error::other("the disk is full")));
        let outside: Arc<dyn Correspondent> = Arc::new(Counter::default());
        let player = Player::new(Mode::Record, Cassette::default(), Some(outside), Some(keeper));
        assert_eq!(said(&player, "a"), "1");
        assert_eq!(player.trouble().unwrap().to_string(), "the disk is full");
    }
}
