//! Answers in virtual time: the calls of a question are made at once, and the slowest says when the answer is there.

use super::Correspondent;
use control::question::{Answer, Call, Failure, Question, Reply, Told};
use model::hash::ContentHash;
use model::time::Period;
use simulator::world::Respondent;
use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// How long an answer takes in virtual time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AnswerTime {
    /// As long as it took when it was given.
    Recorded,
    /// So long for the first word, and so long for every further token.
    Modelled { first: Period, per_token: Period },
}

/// Who answers in runs, shared by all of them.
#[derive(Clone)]
pub struct Models {
    pub correspondent: Arc<dyn Correspondent>,
    pub time: AnswerTime,
    /// What the answers depend on besides the calls, such as the content of a cassette.
    pub fingerprint: ContentHash,
}

impl fmt::Debug for Models {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "Models({:?}, {})", self.time, self.fingerprint.short())
    }
}

/// Who answers in one run.
pub(crate) struct InOneRun {
    models: Models,
    missing: AtomicU64,
}

impl InOneRun {
    pub(crate) const fn new(models: Models) -> Self {
        Self { models, missing: AtomicU64::new(0) }
    }

    /// Calls for which there was neither a recording nor anybody to ask.
    pub(crate) fn missing(&self) -> u64 {
        self.missing.load(Ordering::Relaxed)
    }

    fn note(&self, reply: &Reply) {
        if matches!(reply.told, Told::Failed { because: Failure::NotRecorded, .. }) {
            self.missing.fetch_add(1, Ordering::Relaxed);
        }
    }

    fn took(&self, reply: &Reply) -> Period {
        match (self.models.time, &reply.told) {
            (AnswerTime::Modelled { first, per_token }, Told::Text { .. }) => {
                first.saturating_add(per_token.saturating_mul(reply.usage.completion_tokens))
            }
            _ => reply.took,
        }
    }
}

impl Respondent for InOneRun {
    fn answer(&self, question: &Question) -> Option<(Answer, Period)> {
        let replies: Vec<Reply> = ask_all(&*self.models.correspondent, &question.calls)
            .into_iter()
            .map(|reply| Reply { took: self.took(&reply), ..reply })
            .collect();
        for reply in &replies {
            self.note(reply);
        }
        let takes = replies.iter().map(|reply| reply.took).max().unwrap_or_default();
        Some((Answer { number: question.number, replies }, takes))
    }
}

/// Makes all calls at the same time and waits for all of them.
pub fn ask_all(correspondent: &dyn Correspondent, calls: &[Call]) -> Vec<Reply> {
    if let [one] = calls {
        return vec![correspondent.reply(one)];
    }
    std::thread::scope(|scope| {
        let asked: Vec<_> = calls.iter().map(|call| scope.spawn(|| correspondent.reply(call))).collect();
        let heard = asked.into_iter().map(std::thread::ScopedJoinHandle::join);
        heard.map(|reply| reply.unwrap_or_else(|panic| std::panic::resume_unwind(panic))).collect()
    })
}
