//! Reckoning what recommendations would bring, on a thread of its own: the office goes on meanwhile.

use lab::twin::Twin;
use lab::what_if::{self, Pending, Settings};
use model::prediction::Prediction;
use model::recommendation::RecommendationId;
use model::time::Timestamp;
use simulator::world::SimulatedWorld;
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, TryRecvError, TrySendError, sync_channel};
use std::time::Duration;

/// Questions that wait. If reckoning is slower than asking, further ones are not answered; then a person decides without.
const MOST_WAITING: usize = 16;

/// What is to be reckoned: a copy of the world, the new recommendations, and everything that waits beside them.
struct Question {
    /// When it was asked, in the time of the run.
    at: Timestamp,
    twin: Twin,
    new: Vec<Pending>,
    waiting: Vec<Pending>,
}

/// Predictions of one question.
pub(super) type Foreseen = Vec<(RecommendationId, Prediction)>;

impl Question {
    /// Nothing is foreseen where no twin can be built.
    fn reckon(self, settings: &Settings) -> Foreseen {
        let Self { at, twin, new, waiting } = self;
        let world = match twin.build() {
            Ok(world) => world,
            Err(why) => {
                crate::log::error(&format!("nothing can be predicted from what was observed: {why}"));
                return Vec::new();
            }
        };
        let mut foreseen = reckon(&world, &new, &waiting, settings);
        for (_, prediction) in &mut foreseen {
            prediction.made_at = at;
        }
        foreseen
    }
}

/// If everything that waits is new, what it has in common is rehearsed once.
fn reckon(world: &SimulatedWorld, new: &[Pending], waiting: &[Pending], settings: &Settings) -> Foreseen {
    if new.len() == waiting.len() {
        let predictions = what_if::predict_each(world, waiting, settings);
        return waiting.iter().map(|(id, _)| *id).zip(predictions).collect();
    }
    new.iter().map(|one| (one.0, what_if::predict(world, one, waiting, settings))).collect()
}

/// Somebody who reckons.
pub(super) struct Foresight {
    questions: SyncSender<Question>,
    answers: Receiver<Foreseen>,
    open: usize,
}

impl Foresight {
    pub(super) fn new(settings: Settings) -> std::io::Result<Self> {
        let (questions, inbox) = sync_channel::<Question>(MOST_WAITING);
        let (outbox, answers) = sync_channel(MOST_WAITING + 1);
        std::thread::Builder::new().name("foresight".to_owned()).spawn(move || {
            for question in inbox {
                let foreseen = question.reckon(&settings);
                if outbox.send(foreseen).is_err() {
                    return;
                }
            }
        })?;
        Ok(Self { questions, answers, open: 0 })
    }

    /// Asks, unless too many questions wait already. Returns whether there will be an answer.
    pub(super) fn ask(
        &mut self,
        (at, twin): (Timestamp, Twin),
        new: Vec<Pending>,
        waiting: Vec<Pending>,
    ) -> bool {
        let question = Question { at, twin, new, waiting };
        match self.questions.try_send(question) {
            Ok(()) => {
                self.open += 1;
                true
            }
            Err(TrySendError::Full(_) | TrySendError::Disconnected(_)) => false,
        }
    }

    pub(super) const fn is_busy(&self) -> bool {
        self.open > 0
    }

    /// The next answer, if there is one now.
    pub(super) fn answer(&mut self) -> Option<Foreseen> {
        match self.answers.try_recv() {
            Ok(foreseen) => Some(self.taken(foreseen)),
            Err(TryRecvError::Empty) => None,
            Err(TryRecvError::Disconnected) => self.gone(),
        }
    }

    /// The next answer, waited for at most so long.
    pub(super) fn wait(&mut self, longest: Duration) -> Option<Foreseen> {
        match self.answers.recv_timeout(longest) {
            Ok(foreseen) => Some(self.taken(foreseen)),
            Err(RecvTimeoutError::Timeout) => None,
            Err(RecvTimeoutError::Disconnected) => self.gone(),
        }
    }

    fn taken(&mut self, foreseen: Foreseen) -> Foreseen {
        self.open = self.open.saturating_sub(1);
        foreseen
    }

    /// The thread has ended, which only a fault in it can cause. Decisions go on without predictions.
    fn gone(&mut self) -> Option<Foreseen> {
        if self.open > 0 {
            crate::log::error("predictions have stopped; recommendations are shown without");
        }
        self.open = 0;
        None
    }
}
