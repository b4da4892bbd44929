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

/// Somebody who can be asked, under the name that stands beside each answer on a cassette.
#[derive(Clone)]
pub struct Outside {
    pub name: String,
    pub correspondent: Arc<dyn Correspondent>,
}

/// Keeps a new answer where it survives.
pub type Keeper = Box<dyn Fn(&Entry) -> io::Result<()> + Send + Sync>;

/// Answers by mode.
pub struct Player {
    mode: Mode,
    outside: Option<Outside>,
    keeper: Option<Keeper>,
    tape: Mutex<Tape>,
}

struct Tape {
    cassette: Cassette,
    /// What was asked since this player exists: its answers stand, so that a recorded run and its replay are the same.
    asked: BTreeSet<ContentHash>,
    /// Whose answers were given since then; nothing stands for a line that does not say.
    answered_by: BTreeSet<Option<String>>,
    trouble: Option<io::Error>,
}

impl Player {
    /// Plays what is there and asks nobody.
    pub fn replay(cassette: Cassette) -> Self {
        Self::new(Mode::Replay, cassette, None, None)
    }

    /// Asks and keeps nothing.
    pub fn live(outside: Outside) -> Self {
        Self::new(Mode::Live, Cassette::default(), Some(outside), None)
    }

    pub fn new(mode: Mode, cassette: Cassette, outside: Option<Outside>, keeper: Option<Keeper>) -> Self {
        let tape = Tape { cassette, asked: BTreeSet::new(), answered_by: BTreeSet::new(), trouble: None };
        Self { mode, outside, keeper, tape: Mutex::new(tape) }
    }

    pub const fn mode(&self) -> Mode {
        self.mode
    }

    /// The name of whoever is asked, if anybody is.
    pub fn asks(&self) -> Option<&str> {
        self.outside.as_ref().map(|outside| outside.name.as_str())
    }

    /// Everything that is known now.
    pub fn cassette(&self) -> Cassette {
        self.with(|tape| tape.cassette.clone())
    }

    /// Who really answered since this player exists, in words. Calls without an answer are nobody's.
    pub fn answered_by(&self) -> String {
        let heard = self.with(|tape| tape.answered_by.clone());
        let names: Vec<&str> = heard.iter().flatten().map(String::as_str).collect();
        let named = names.join(" and ");
        match (names.is_empty(), heard.contains(&None), self.mode) {
            (true, false, _) => "nobody".to_owned(),
            (true, true, _) => "a cassette".to_owned(),
            (false, true, _) => format!("{named} and a cassette that does not say whom it recorded"),
            (false, false, Mode::Replay) => format!("{named}, from a cassette"),
            (false, false, _) => named,
        }
    }

    /// Why an answer could not be kept, if one could not.
    pub fn trouble(&self) -> Option<io::Error> {
        self.with(|tape| tape.trouble.take())
    }

    fn with<T>(&self, work: impl FnOnce(&mut Tape) -> T) -> T {
        work(&mut self.tape.lock().unwrap_or_else(PoisonError::into_inner))
    }

    fn known(&self, call: &Call) -> Option<Entry> {
        self.with(|tape| {
            let entry = tape.cassette.find(call)?;
            let is_new = tape.asked.contains(&call.key());
            let counts = match self.mode {
                Mode::Live => false,
                Mode::Record => is_new,
                Mode::Replay => true,
                Mode::RecordMissing => is_new || (self.may_be_ours(entry) && is_answered(&entry.reply)),
            };
            counts.then(|| entry.clone())
        })
    }

    /// What somebody else said is no answer of whoever is asked now.
    fn may_be_ours(&self, entry: &Entry) -> bool {
        self.outside.as_ref().is_none_or(|outside| !entry.is_of_somebody_else(&outside.name))
    }

    fn heard(&self, answered_by: Option<String>, reply: &Reply) {
        if is_answered(reply) {
            self.with(|tape| tape.answered_by.insert(answered_by));
        }
    }

    fn keep(&self, name: &str, call: &Call, reply: &Reply) {
        if self.mode == Mode::Live {
            return;
        }
        let entry = Entry::new(Some(name.to_owned()), call.clone(), reply.clone());
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
        if let Some(Entry { answered_by, reply, .. }) = self.known(call) {
            self.heard(answered_by, &reply);
            return Reply { role: call.role.clone(), ..reply };
        }
        let outside = self.outside.as_ref().filter(|_| self.mode != Mode::Replay);
        let Some(Outside { name, correspondent }) = outside else { return not_recorded(call) };
        let reply = correspondent.reply(call);
        self.heard(Some(name.clone()), &reply);
        self.keep(name, call, &reply);
        reply
    }

    fn used_before(&self, today: Usage) {
        if let Some(outside) = &self.outside {
            outside.correspondent.used_before(today);
        }
    }
}

const fn is_answered(reply: &Reply) -> bool {
    matches!(reply.told, Told::Text { .. })
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

    fn anna(correspondent: Counter) -> Outside {
        Outside { name: "anna".to_owned(), correspondent: Arc::new(correspondent) }
    }

    fn player(mode: Mode, cassette: Cassette) -> Player {
        Player::new(mode, cassette, Some(anna(Counter::default())), None)
    }

    /// A cassette that knows what somebody said to "a".
    fn recorded(answered_by: Option<&str>) -> Cassette {
        let mut tape = Cassette::default();
        let reply = Answer::plain(1, "recorded").replies.remove(0);
        tape.put(Entry::new(answered_by.map(str::to_owned), call("a"), reply));
        tape
    }

    #[test]
    fn each_mode_asks_whom_it_should() {
        let heard = |mode: Mode, cassette: Cassette| {
            let player = player(mode, cassette);
            ["a", "a", "b", "a"].map(|text| said(&player, text)).join(" ")
        };
        let tape = recorded(None);
        assert_eq!(heard(Mode::Live, tape.clone()), "1 2 3 4");
        assert_eq!(heard(Mode::Record, tape.clone()), "1 1 2 1");
        assert_eq!(heard(Mode::RecordMissing, tape.clone()), "recorded recorded 1 recorded");
        assert_eq!(heard(Mode::Replay, tape), "recorded recorded NotRecorded recorded");
    }

    #[test]
    fn nobody_is_credited_with_what_somebody_else_said() {
        let check = |mode: Mode, of: Option<&str>, asked: &[&str], said_to_a: &str, credited: &str| {
            let player = player(mode, recorded(of));
            for text in asked {
                said(&player, text);
            }
            assert_eq!((said(&player, "a").as_str(), player.answered_by().as_str()), (said_to_a, credited));
        };
        check(Mode::RecordMissing, Some("anna"), &[], "recorded", "anna");
        check(Mode::RecordMissing, Some("ben"), &[], "1", "anna");
        check(Mode::RecordMissing, None, &[], "recorded", "a cassette");
        let both = "anna and a cassette that does not say whom it recorded";
        check(Mode::RecordMissing, None, &["b"], "recorded", both);
        check(Mode::Record, Some("ben"), &[], "1", "anna");
        check(Mode::Replay, Some("ben"), &["b"], "recorded", "ben, from a cassette");
        check(Mode::Replay, None, &[], "recorded", "a cassette");
        let silent = Player::new(
            Mode::Live,
            Cassette::default(),
            Some(anna(Counter { fails: true, ..Counter::default() })),
            None,
        );
        assert_eq!((said(&silent, "a").as_str(), silent.answered_by().as_str()), ("TimedOut", "nobody"));
    }

    #[test]
    fn what_is_asked_now_is_kept_with_its_name() {
        let recording = player(Mode::Record, Cassette::default());
        said(&recording, "a");
        assert_eq!(recording.cassette().find(&call("a")).unwrap().answered_by.as_deref(), Some("anna"));
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
        let failing = Player::new(Mode::Record, Cassette::default(), Some(anna(counter)), None);
        assert_eq!(said(&failing, "a"), "TimedOut");
        let tape = failing.cassette();
        assert_eq!(said(&Player::replay(tape.clone()), "a"), "TimedOut");
        assert_eq!(said(&player(Mode::RecordMissing, tape), "a"), "1");
    }

    #[test]
    fn an_answer_that_cannot_be_kept_is_told() {
        let keeper: Keeper = Box::new(|_| Err(io::Error::other("the disk is full")));
        let outside = Some(anna(Counter::default()));
        let player = Player::new(Mode::Record, Cassette::default(), outside, Some(keeper));
        assert_eq!(said(&player, "a"), "1");
        assert_eq!(player.trouble().unwrap().to_string(), "the disk is full");
    }
}
