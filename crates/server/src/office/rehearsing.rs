//! What a rule approved is put to real clusters as a question before it is begun there. For a person that is done before their
//! approval counts; a rule approves within a step of the loop, where nobody can wait for an answer.

use control::review_desk::Approved;
use control::world::{Objection, Rehearsal};
use model::action::Action;
use model::execution::Progress;
use model::recommendation::RecommendationId;
use model::review::Reviewer;
use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, channel};

/// What is begun once the clusters have nothing against it.
pub(super) enum Beginning {
    Start(Box<Approved>),
    /// It was approved before this process was, and nothing of it was ordered.
    TakeUp(Box<Approved>, Progress),
}

impl Beginning {
    const fn approved(&self) -> &Approved {
        match self {
            Self::Start(approved) | Self::TakeUp(approved, _) => approved,
        }
    }

    fn id(&self) -> RecommendationId {
        self.approved().recommendation().id
    }
}

/// What came of a question.
pub(super) enum Heard {
    Begin(Beginning),
    /// It is not begun, and why.
    Leave(RecommendationId, String),
}

type Answer = (RecommendationId, Result<(), Objection>);

/// Somebody who asks, one question after the other, on a thread of its own. Grants and rules say how many there can be.
pub(super) struct Rehearsing {
    questions: Sender<(RecommendationId, Action)>,
    answers: Receiver<Answer>,
    open: BTreeMap<RecommendationId, Beginning>,
    /// What was taken back before it was begun.
    aborted: Vec<RecommendationId>,
}

impl Rehearsing {
    /// None if the thread cannot be had: then everything is begun without a question.
    pub(super) fn new(rehearsal: Arc<dyn Rehearsal>) -> Option<Self> {
        let (questions, inbox) = channel::<(RecommendationId, Action)>();
        let (outbox, answers) = channel();
        let ask = move || {
            for (id, action) in inbox {
                if outbox.send((id, rehearsal.rehearse(&action))).is_err() {
                    return;
                }
            }
        };
        std::thread::Builder::new().name("rehearsing".to_owned()).spawn(ask).ok()?;
        Some(Self { questions, answers, open: BTreeMap::new(), aborted: Vec::new() })
    }

    /// Whether this has to be asked about: a person's approval counted only after it was.
    pub(super) const fn concerns(approved: &Approved) -> bool {
        matches!(approved.reviewer(), Reviewer::Rule(_))
    }

    /// Asks, and gives it back if nobody is there to ask.
    pub(super) fn ask(&mut self, beginning: Beginning) -> Option<Beginning> {
        let plan = beginning.approved().recommendation();
        if self.questions.send((plan.id, plan.action.clone())).is_err() {
            return Some(beginning);
        }
        self.open.insert(plan.id, beginning);
        None
    }

    /// Takes something back that was not begun yet. Returns whether there was such a thing.
    pub(super) fn abort(&mut self, id: RecommendationId) -> bool {
        let waited = self.open.remove(&id).is_some();
        if waited {
            self.aborted.push(id);
        }
        waited
    }

    /// The next answer, if there is one now.
    pub(super) fn heard(&mut self) -> Option<Heard> {
        if let Some(id) = self.aborted.pop() {
            return Some(Heard::Leave(id, "it was taken back before anything was ordered".to_owned()));
        }
        loop {
            let (id, answer) = self.answers.try_recv().ok()?;
            // What was taken back meanwhile is answered, too.
            if let Some(beginning) = self.open.remove(&id) {
                return Some(settled(beginning, answer));
            }
        }
    }
}

fn settled(beginning: Beginning, answer: Result<(), Objection>) -> Heard {
    let why = match answer {
        Ok(()) => return Heard::Begin(beginning),
        Err(Objection::Refused { reason }) => {
            format!("nothing was ordered, because it would be refused: {reason}")
        }
        Err(Objection::NoAnswer { reason }) => {
            format!("nothing was ordered, because nobody could say whether it would be refused: {reason}")
        }
    };
    Heard::Leave(beginning.id(), why)
}
