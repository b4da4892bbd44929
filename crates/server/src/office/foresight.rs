//! Reckoning what recommendations would bring, on a thread of its own: the office goes on meanwhile.

use lab::twin::Twin;
use lab::what_if::{self, Pending, Settings};
use model::prediction::Prediction;
use model::recommendation::RecommendationId;
use model::time::Timestamp;
use std::collections::VecDeque;
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, TryRecvError, sync_channel};
use std::time::Duration;

/// Questions that are not answered yet. If reckoning is slower than asking, further ones are put off; people see what they are about
/// without a prediction until there is room.
const MOST_WAITING: usize = 16;

/// What is to be reckoned: a copy of the world, the new recommendations, and everything that waits beside them.
struct Question {
    /// When it was asked, in the time of the run.
    at: Timestamp,
    twin: Twin,
    new: Vec<Pending>,
    waiting: Vec<Pending>,
}

type Predictions = Vec<(RecommendationId, Prediction)>;

/// What came of one question.
#[derive(Debug, Default)]
pub(super) struct Foreseen {
    pub(super) predictions: Predictions,
    /// What was asked about and has no prediction.
    pub(super) without: Vec<RecommendationId>,
}

impl Question {
    /// Nothing is foreseen where no twin can be built.
    fn reckon(self, settings: &Settings) -> Predictions {
        let Self { at, twin, new, waiting } = self;
        let world = match twin.build() {
            Ok(world) => world,
            Err(why) => {
                crate::log::error(&format!("nothing can be predicted from what was observed: {why}"));
                return Vec::new();
            }
        };
        let predictions = what_if::predict_each(&world, &new, &waiting, settings);
        let made = |prediction| Prediction { made_at: at, ..prediction };
        new.iter().map(|(id, _)| *id).zip(predictions.into_iter().map(made)).collect()
    }
}

/// Somebody who reckons.
pub(super) struct Foresight {
    questions: SyncSender<Question>,
    answers: Receiver<Predictions>,
    /// What each open question is about; they are answered in their order.
    open: VecDeque<Vec<RecommendationId>>,
    /// Whether nobody reckons any more.
    ended: bool,
}

impl Foresight {
    pub(super) fn new(settings: Settings) -> std::io::Result<Self> {
        let (questions, inbox) = sync_channel::<Question>(MOST_WAITING);
        let (outbox, answers) = sync_channel(MOST_WAITING + 1);
        std::thread::Builder::new().name("foresight".to_owned()).spawn(move || {
            for question in inbox {
                if outbox.send(question.reckon(&settings)).is_err() {
                    return;
                }
            }
        })?;
        Ok(Self { questions, answers, open: VecDeque::new(), ended: false })
    }

    /// Whether one more question is taken.
    pub(super) fn has_room(&self) -> bool {
        !self.ended && self.open.len() < MOST_WAITING
    }

    /// Whether one more is taken and there are places left for whatever comes next.
    pub(super) fn has_room_to_spare(&self) -> bool {
        self.has_room() && self.open.len() < MOST_WAITING / 2
    }

    /// Whether nobody reckons any more.
    pub(super) const fn has_ended(&self) -> bool {
        self.ended
    }

    /// Whether a question about this is under way.
    pub(super) fn is_about(&self, id: RecommendationId) -> bool {
        self.open.iter().flatten().any(|asked| *asked == id)
    }

    /// Asks, if there is room. Returns whether there will be an answer.
    pub(super) fn ask(
        &mut self,
        (at, twin): (Timestamp, Twin),
        new: Vec<Pending>,
        waiting: Vec<Pending>,
    ) -> bool {
        if !self.has_room() {
            return false;
        }
        let about = new.iter().map(|(id, _)| *id).collect();
        // There is a place for each open question, so only somebody who has left does not take one.
        self.ended = self.questions.try_send(Question { at, twin, new, waiting }).is_err();
        if !self.ended {
            self.open.push_back(about);
        }
        !self.ended
    }

    pub(super) fn is_busy(&self) -> bool {
        !self.open.is_empty()
    }

    /// The next answer, if there is one now.
    pub(super) fn answer(&mut self) -> Option<Foreseen> {
        match self.answers.try_recv() {
            Ok(predictions) => Some(self.taken(predictions)),
            Err(TryRecvError::Empty) => None,
            Err(TryRecvError::Disconnected) => self.gone(),
        }
    }

    /// The next answer, waited for at most so long.
    pub(super) fn wait(&mut self, longest: Duration) -> Option<Foreseen> {
        match self.answers.recv_timeout(longest) {
            Ok(predictions) => Some(self.taken(predictions)),
            Err(RecvTimeoutError::Timeout) => None,
            Err(RecvTimeoutError::Disconnected) => self.gone(),
        }
    }

    fn taken(&mut self, predictions: Predictions) -> Foreseen {
        let mut without = self.open.pop_front().unwrap_or_default();
        without.retain(|id| !predictions.iter().any(|(predicted, _)| predicted == id));
        Foreseen { predictions, without }
    }

    /// The thread has ended, which only a fault in it can cause. Decisions go on without predictions.
    fn gone(&mut self) -> Option<Foreseen> {
        self.ended = true;
        let without: Vec<RecommendationId> = self.open.drain(..).flatten().collect();
        if without.is_empty() {
            return None;
        }
        Some(Foreseen { without, ..Foreseen::default() })
    }
}

/// Somebody who reckons when a test says so.
#[cfg(test)]
pub(super) struct ByHand {
    inbox: Receiver<Question>,
    outbox: SyncSender<Predictions>,
}

#[cfg(test)]
impl ByHand {
    pub(super) fn new() -> (Self, Foresight) {
        let (questions, inbox) = sync_channel(MOST_WAITING);
        let (outbox, answers) = sync_channel(MOST_WAITING + 1);
        (Self { inbox, outbox }, Foresight { questions, answers, open: VecDeque::new(), ended: false })
    }

    /// Answers the oldest question, if there is one, and says what it was about.
    pub(super) fn answer(&self, settings: &Settings) -> Option<Vec<RecommendationId>> {
        let question = self.inbox.try_recv().ok()?;
        let about = question.new.iter().map(|(id, _)| *id).collect();
        self.outbox.send(question.reckon(settings)).expect("there is room for every answer");
        Some(about)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn with_answers(open: &[&[u64]], answers: Receiver<Predictions>) -> Foresight {
        let ids = |ids: &&[u64]| ids.iter().map(|id| RecommendationId(*id)).collect();
        let open = open.iter().map(ids).collect();
        Foresight { questions: sync_channel(1).0, answers, open, ended: false }
    }

    #[test]
    fn whatever_has_no_prediction_is_named() {
        let (outbox, answers) = sync_channel(2);
        let mut foresight = with_answers(&[&[1, 2], &[3], &[4, 5]], answers);
        outbox.send(Vec::new()).expect("there is room");
        let without = |foreseen: Option<Foreseen>| {
            let without = foreseen.expect("an answer").without;
            without.into_iter().map(|id| id.0).collect::<Vec<_>>()
        };
        assert_eq!(without(foresight.answer()), [1, 2], "no twin could be built");
        assert!(foresight.answer().is_none() && foresight.is_busy() && foresight.has_room());
        assert!(foresight.is_about(RecommendationId(5)) && !foresight.is_about(RecommendationId(2)));
        drop(outbox);
        assert_eq!(without(foresight.wait(Duration::ZERO)), [3, 4, 5], "the thread is gone");
        assert!(foresight.answer().is_none() && !foresight.is_busy());
        assert!(foresight.has_ended() && !foresight.has_room(), "nobody is asked in vain");
    }
}
