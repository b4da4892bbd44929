//! Carrying questions of agents to models, each on a thread of its own: the office goes on meanwhile.
//!
//! In a simulation an answer comes when it would have come there: as long after the question as it took, in virtual time. While it is not
//! known how long that is, virtual time goes no faster than the clock on the wall.

use control::question::{Answer, Call, Failure, Question, Reply, Told, Usage};
use lab::models::{Correspondent, ask_all};
use model::names::AgentName;
use model::time::{Period, Timestamp};
use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::time::{Duration, Instant};

/// Answers where the desk's file names no models: an agent that came later still gets a reason.
pub(super) struct Nobody;

impl Correspondent for Nobody {
    fn reply(&self, call: &Call) -> Reply {
        failed(call, Failure::NotAccepted, "the desk's file names no models")
    }
}

fn failed(call: &Call, because: Failure, message: &str) -> Reply {
    Reply {
        role: call.role.clone(),
        told: Told::Failed { because, message: message.to_owned() },
        took: Period::ZERO,
        usage: Usage::default(),
    }
}

/// Questions that are under way at the same time, those included that nobody waits for any more.
const MOST_UNDER_WAY: usize = 32;

/// What came back for whom.
pub(super) struct Letter {
    pub(super) agent: AgentName,
    pub(super) answer: Answer,
}

/// A question whose answer is awaited.
struct Awaited {
    number: u64,
    /// When it was asked, in the time of the run and on the wall.
    asked: (Timestamp, Instant),
}

/// An answer that has come, and from when on it counts.
struct Come {
    due: Timestamp,
    letter: Letter,
}

/// Somebody who carries letters.
pub(super) struct Correspondence {
    correspondent: Arc<dyn Correspondent>,
    awaited: BTreeMap<AgentName, Awaited>,
    under_way: usize,
    come: Vec<Come>,
    outbox: Sender<Letter>,
    inbox: Receiver<Letter>,
}

impl Correspondence {
    pub(super) fn new(correspondent: Arc<dyn Correspondent>) -> Self {
        let (outbox, inbox) = channel();
        Self { correspondent, awaited: BTreeMap::new(), under_way: 0, come: Vec::new(), outbox, inbox }
    }

    /// What was used today before the desk was opened.
    pub(super) fn used_before(&self, today: Usage) {
        self.correspondent.used_before(today);
    }

    /// Sends a question off. An earlier one of the same agent is not waited for any more.
    pub(super) fn ask(&mut self, agent: AgentName, question: &Question, (at, now): (Timestamp, Instant)) {
        let awaited = Awaited { number: question.number, asked: (at, now) };
        self.awaited.insert(agent.clone(), awaited);
        if self.under_way >= MOST_UNDER_WAY {
            let message = format!("{MOST_UNDER_WAY} questions are under way already");
            return self.unsent(agent, question, &message);
        }
        let (correspondent, outbox) = (Arc::clone(&self.correspondent), self.outbox.clone());
        let (whose, asked) = (agent.clone(), question.clone());
        let begun = std::thread::Builder::new().name("correspondence".to_owned()).spawn(move || {
            let replies = ask_all(&*correspondent, &asked.calls);
            let answer = Answer { number: asked.number, replies };
            let _ = outbox.send(Letter { agent: whose, answer });
        });
        match begun {
            Ok(_) => self.under_way += 1,
            Err(error) => self.unsent(agent, question, &format!("no thread could be started: {error}")),
        }
    }

    /// A question that could not be asked is answered at once, so that the agent can decide without.
    fn unsent(&mut self, agent: AgentName, question: &Question, message: &str) {
        let replies = question.calls.iter().map(|call| failed(call, Failure::Unreachable, message)).collect();
        let answer = Answer { number: question.number, replies };
        self.arrived(Letter { agent, answer });
    }

    fn arrived(&mut self, letter: Letter) {
        let took = letter.answer.replies.iter().map(|reply| reply.took).max().unwrap_or_default();
        let is_awaited = |awaited: &Awaited| awaited.number == letter.answer.number;
        // What nobody waits for any more is still written down: it was paid for.
        let due = match self.awaited.get(&letter.agent).filter(|awaited| is_awaited(awaited)) {
            Some(awaited) => awaited.asked.0 + took,
            None => Timestamp::EPOCH,
        };
        if due > Timestamp::EPOCH {
            self.awaited.remove(&letter.agent);
        }
        self.come.push(Come { due, letter });
        self.come
            .sort_by(|left, right| (left.due, &left.letter.agent).cmp(&(right.due, &right.letter.agent)));
    }

    /// Takes what has come from outside.
    pub(super) fn collect(&mut self) {
        while let Ok(letter) = self.inbox.try_recv() {
            self.under_way -= 1;
            self.arrived(letter);
        }
    }

    /// Waits for the next answer from outside, at most so long. Returns whether one came.
    pub(super) fn wait(&mut self, longest: Duration) -> bool {
        match self.inbox.recv_timeout(longest) {
            Ok(letter) => {
                self.under_way -= 1;
                self.arrived(letter);
                true
            }
            Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected) => false,
        }
    }

    /// Whether somebody waits for an answer of which it is not known when it comes.
    pub(super) fn is_awaiting(&self) -> bool {
        !self.awaited.is_empty()
    }

    /// How far virtual time may go while it is not known how long answers take.
    pub(super) fn horizon(&self, now: Instant) -> Option<Timestamp> {
        let reach = |awaited: &Awaited| {
            let (at, asked) = awaited.asked;
            at + Period::from_millis(now.saturating_duration_since(asked).as_millis() as u64)
        };
        self.awaited.values().map(reach).min()
    }

    /// When the next answer counts.
    pub(super) fn next_due(&self) -> Option<Timestamp> {
        self.come.first().map(|come| come.due)
    }

    /// The next answer that counts by now.
    pub(super) fn take(&mut self, now: Timestamp) -> Option<Letter> {
        self.come.first().filter(|come| come.due <= now)?;
        Some(self.come.remove(0).letter)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clock;

    /// Takes so many virtual milliseconds for each letter of the question.
    struct Slow(u64);

    impl Correspondent for Slow {
        fn reply(&self, call: &Call) -> Reply {
            let mut reply = Answer::plain(1, "because").replies.remove(0);
            reply.took = Period::from_millis(self.0 * call.messages[0].text.len() as u64);
            reply
        }
    }

    fn agent(name: &str) -> AgentName {
        AgentName::new(name).expect("a valid name")
    }

    const PATIENCE: Duration = Duration::from_secs(30);
    const NOON: Timestamp = Timestamp(43_200_000);

    #[test]
    fn answers_count_when_they_would_have_come() {
        let mut letters = Correspondence::new(Arc::new(Slow(1_000)));
        let now = clock::now();
        letters.ask(agent("slow"), &Question::plain(1, "why?"), (NOON, now));
        letters.ask(agent("quick"), &Question::plain(1, "?"), (NOON, now));
        assert!(letters.is_awaiting() && letters.horizon(now) == Some(NOON));
        assert_eq!(letters.horizon(now + Duration::from_secs(2)), Some(NOON + Period::from_secs(2)));
        assert!(letters.wait(PATIENCE) && letters.wait(PATIENCE));
        assert_eq!((letters.horizon(now), letters.next_due()), (None, Some(NOON + Period::from_secs(1))));
        assert!(letters.take(NOON).is_none());
        let later = NOON + Period::from_secs(4);
        let order: Vec<String> =
            std::iter::from_fn(|| letters.take(later)).map(|letter| letter.agent.to_string()).collect();
        assert_eq!(order, ["quick", "slow"]);
    }

    #[test]
    fn an_earlier_question_is_not_waited_for() {
        let mut letters = Correspondence::new(Arc::new(Slow(1)));
        let now = clock::now();
        letters.ask(agent("one"), &Question::plain(1, "why"), (NOON, now));
        let later = NOON + Period::from_secs(60);
        letters.ask(agent("one"), &Question::plain(2, "why"), (later, now));
        assert_eq!(letters.horizon(now), Some(later));
        assert!(letters.wait(PATIENCE) && letters.wait(PATIENCE));
        let numbers: Vec<u64> = std::iter::from_fn(|| letters.take(later + Period::from_secs(1)))
            .map(|letter| letter.answer.number)
            .collect();
        assert_eq!(numbers, [1, 2], "both are written down");
        assert!(!letters.is_awaiting());
    }
}
