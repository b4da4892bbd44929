//! The course of one action: what machines say, and what time and the servers' answers make of it. Pure.

use super::order::{Answer, Order};
use super::sight::Sight;
use super::task::{Next, Task, Verdict};
use crate::clock::Wall;
use crate::settings::Timeouts;
use crate::trouble::Trouble;
use control::world::Applied;
use model::execution::{Progress, Step};
use model::time::{Period, Timestamp};

/// What a busy server asks for is granted up to this: it would otherwise decide how long an action takes.
const LONGEST_PAUSE: Period = Period::from_minutes(1);

/// Waits after an unclear answer double from one look to this.
const LONGEST_BACK_OFF: Period = Period::from_secs(15);

/// Whoever is waited for is reminded this often. Long against what a healthy Karmada takes; short against the quarter of an hour that
/// one may rest after its API server was away.
const BETWEEN_REMINDERS: Period = Period::from_secs(20);

/// What has come to its end waits no longer than this until what reminders left behind is taken away: an API server that restarts is back
/// by then.
const LONGEST_TIDYING: Period = Period::from_secs(30);

#[derive(Clone, Debug)]
pub(crate) struct Course {
    pub(crate) task: Task,
    pub(crate) progress: Progress,
    timeouts: Timeouts,
    began_at: Timestamp,
    back_since: Option<Timestamp>,
    /// Until then an order whose answer was lost may still take effect: nothing is taken for untouched before.
    unsettled_until: Timestamp,
    back_off: Period,
    /// An order that takes something away, and since when it has been right without a break.
    settling: Option<(Timestamp, Order)>,
    /// What was last waited for, for the reason when it takes too long.
    waiting_for: String,
    reminding: Option<Reminding>,
    /// The order that closes a finished action, if it was given, and whether it was refused.
    closing: Option<(Order, bool)>,
    /// What it has come to if nothing more can be done: all that is left are orders on which this does not depend.
    outcome: Option<Applied>,
    tidy_until: Option<Timestamp>,
}

/// When somebody who is waited for is reminded.
#[derive(Clone, Debug)]
struct Reminding {
    what: String,
    due: Timestamp,
    /// How long to wait should the next one not arrive.
    back_off: Period,
}

/// What the shell does next.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Move {
    Give(Box<Order>),
    /// An order on which nothing depends: whatever is answered, what became of it is looked at.
    Remind(Box<Order>),
    /// The same, for what reminders left behind.
    Tidy(Box<Order>),
    LookAgain(Period),
    End(Applied),
}

impl Course {
    pub(crate) fn begin(task: Task, timeouts: Timeouts, now: Timestamp) -> Self {
        let progress = Progress::new(task.id);
        Self {
            task,
            progress,
            timeouts,
            began_at: now,
            back_since: None,
            unsettled_until: Timestamp::EPOCH,
            back_off: timeouts.look,
            settling: None,
            waiting_for: "nothing was done yet".to_owned(),
            reminding: None,
            closing: None,
            outcome: None,
            tidy_until: None,
        }
    }

    /// Goes on where another process stopped. What it had ordered last may still take effect.
    pub(crate) fn take_up(task: Task, timeouts: Timeouts, now: Timestamp, known: &Progress) -> Self {
        let mut course = Self::begin(task, timeouts, now);
        course.progress.steps.clone_from(&known.steps);
        // The time in which nobody could do anything does not count: what got ready meanwhile is not torn down.
        if known.at(Step::TakingBack).is_some() {
            course.take_back("it was being taken back when this process began", now);
        }
        if known.at(Step::OrderSent).is_some() {
            course.unsettled_until = now.saturating_add(timeouts.request);
        }
        course
    }

    /// Gives up and restores the former state, unless that is under way already.
    pub(crate) fn take_back(&mut self, reason: &str, now: Timestamp) {
        if self.task.taking_back.is_none() {
            self.task.taking_back = Some(reason.to_owned());
            self.back_since = Some(now);
        }
    }

    /// What to do, given what is seen.
    pub(crate) fn judge(&mut self, sight: &Sight, now: Timestamp, wall: Wall) -> Move {
        if let Some(outcome) = self.hopeless(now) {
            return self.end(outcome, now);
        }
        self.task.begun = self.progress.at(Step::OrderTaken).is_some();
        let mut verdict = self.task.next(sight, wall);
        if let Next::GoBack(why) = &verdict.next {
            self.take_back(why, now);
            verdict = self.task.next(sight, wall);
        }
        if self.is_overdue(now) {
            match &verdict.next {
                Next::Linger(what) => {
                    let limit = self.timeouts.act;
                    let reason = format!("the target is ready, but not all was done within {limit}: {what}");
                    return self.conclude(Applied::Failed { reason }, verdict.tidying, now);
                }
                Next::End(_) | Next::Close(..) => {}
                _ => {
                    let reason = format!("not done within {}: {}", self.timeouts.act, self.waiting_for);
                    self.take_back(&reason, now);
                    verdict = self.task.next(sight, wall);
                }
            }
        }
        for step in &verdict.steps {
            self.progress.note(now, *step);
        }
        let reminder = verdict.reminder.take();
        match self.proceed(verdict, now) {
            Move::LookAgain(pause) => self.remind(reminder, now).unwrap_or(Move::LookAgain(pause)),
            other => other,
        }
    }

    /// Reminds whoever is waited for if the same has been waited for too long.
    fn remind(&mut self, reminder: Option<Box<Order>>, now: Timestamp) -> Option<Move> {
        let order = reminder?;
        let known = self.reminding.take().filter(|known| known.what == self.waiting_for);
        let due = now.saturating_add(BETWEEN_REMINDERS);
        let reminding = known.unwrap_or_else(|| Reminding {
            what: self.waiting_for.clone(),
            due,
            back_off: self.timeouts.look,
        });
        let is_due = now >= reminding.due;
        self.reminding = Some(reminding);
        is_due.then_some(Move::Remind(order))
    }

    /// A reminder that did not arrive is sent again soon; one that was refused is no reason to give up.
    pub(crate) fn reminded(&mut self, answer: &Answer, now: Timestamp) -> Move {
        if let Some(reminding) = &mut self.reminding {
            let pause = match answer {
                Ok(()) | Err(Trouble::Refused(_)) => {
                    reminding.back_off = self.timeouts.look;
                    BETWEEN_REMINDERS
                }
                Err(trouble) => doubled(&mut reminding.back_off).max(asked(trouble)),
            };
            reminding.due = now.saturating_add(pause);
        }
        Move::LookAgain(self.timeouts.look)
    }

    /// Ends it, after what reminders left behind is taken away. Whoever has ordered nothing has nothing to take away.
    fn conclude(&mut self, outcome: Applied, tidying: Option<Box<Order>>, now: Timestamp) -> Move {
        let has_ordered = self.progress.at(Step::OrderSent).is_some();
        let until = *self.tidy_until.get_or_insert(now.saturating_add(LONGEST_TIDYING));
        match tidying {
            Some(order) if has_ordered && now < until => {
                self.outcome = Some(outcome);
                Move::Tidy(order)
            }
            _ => self.end(outcome, now),
        }
    }

    /// Whoever refuses will say so again.
    pub(crate) fn tidied(&mut self, answer: &Answer, now: Timestamp) -> Move {
        match answer {
            Ok(()) => Move::LookAgain(self.timeouts.look),
            Err(Trouble::Refused(_)) => {
                self.tidy_until = Some(now);
                Move::LookAgain(Period::ZERO)
            }
            Err(trouble) => Move::LookAgain(self.longer().max(asked(trouble))),
        }
    }

    fn proceed(&mut self, verdict: Verdict, now: Timestamp) -> Move {
        let Verdict { next, tidying, .. } = verdict;
        // Not to see anything contradicts nothing: two looks that see the same are still two.
        if !matches!(next, Next::GiveSettled(_) | Next::Blind(_)) {
            self.settling = None;
        }
        // What was seen to be finished does not change by not being seen.
        if !matches!(next, Next::Blind(_)) {
            self.outcome = None;
        }
        match next {
            Next::GiveSettled(order) => self.settle(order, now),
            Next::Give(order) => {
                self.waiting_for = format!("to {order}");
                Move::Give(order)
            }
            Next::Close(order, otherwise) => self.close(order, otherwise, tidying, now),
            Next::Wait(what) | Next::Linger(what) | Next::GoBack(what) => {
                self.waiting_for = what;
                self.back_off = self.timeouts.look;
                Move::LookAgain(self.timeouts.look)
            }
            Next::Blind(why) => {
                self.progress.note(now, Step::OrderDelayed);
                self.waiting_for = format!("what has to be seen cannot be: {why}");
                Move::LookAgain(self.longer())
            }
            Next::End(outcome) if outcome != Applied::Done && now < self.unsettled_until => {
                Move::LookAgain(self.timeouts.look)
            }
            Next::End(outcome) => self.conclude(outcome, tidying, now),
        }
    }

    /// What is finished is closed, unless that was refused, or was tried and there is no time left.
    fn close(
        &mut self,
        order: Box<Order>,
        otherwise: Applied,
        tidying: Option<Box<Order>>,
        now: Timestamp,
    ) -> Move {
        let known = self.closing.take().filter(|(known, _)| known.is_like(&order));
        let is_refused = known.as_ref().is_some_and(|(_, is_refused)| *is_refused);
        let is_over = is_refused || known.is_some() && self.is_overdue(now);
        self.closing = Some((Order::clone(&order), is_refused));
        if is_over {
            return self.conclude(self.because(otherwise), tidying, now);
        }
        self.waiting_for = format!("to {order}");
        self.outcome = Some(otherwise);
        Move::Give(order)
    }

    /// An outcome that is no success says what stood against it.
    fn because(&self, outcome: Applied) -> Applied {
        match outcome {
            Applied::Failed { reason } => {
                Applied::Failed { reason: format!("{reason}: {}", self.waiting_for) }
            }
            other => other,
        }
    }

    /// What takes something away has to be right at two looks that are apart: one alone may have seen a moment between two states.
    fn settle(&mut self, order: Box<Order>, now: Timestamp) -> Move {
        self.waiting_for = format!("to {order}");
        let known = self.settling.take().filter(|(_, known)| known.is_like(&order));
        let since = known.map_or(now, |(since, _)| since);
        self.settling = Some((since, Order::clone(&order)));
        if now.since(since) < self.timeouts.settle.max(Period::from_millis(1)) {
            return Move::LookAgain(self.timeouts.look);
        }
        Move::Give(order)
    }

    /// Taking back has its limit too.
    fn hopeless(&self, now: Timestamp) -> Option<Applied> {
        self.back_since.filter(|since| now.since(*since) > self.timeouts.act)?;
        if let Some(outcome) = &self.outcome {
            return Some(outcome.clone());
        }
        let reason = self.task.taking_back.clone().unwrap_or_default();
        Some(Applied::Failed {
            reason: format!("{reason}; and it could not be taken back: {}", self.waiting_for),
        })
    }

    fn is_overdue(&self, now: Timestamp) -> bool {
        self.task.taking_back.is_none() && now.since(self.began_at) > self.timeouts.act
    }

    /// What to do after an order was answered; nothing but to look again, unless the server refuses.
    pub(crate) fn answered(&mut self, answer: &Answer, now: Timestamp) -> Move {
        match answer {
            Ok(()) => {
                self.back_off = self.timeouts.look;
                self.taken(now);
            }
            // Somebody was faster, or the cache of a server was behind.
            Err(Trouble::Conflict(why) | Trouble::Absent(why)) => {
                self.waiting_for = format!("the order did not fit what was there: {why}");
                return Move::LookAgain(self.longer());
            }
            Err(trouble @ Trouble::Busy { text, .. }) => {
                self.progress.note(now, Step::OrderDelayed);
                self.waiting_for = format!("the server is busy: {text}");
                return Move::LookAgain(self.longer().max(asked(trouble)));
            }
            Err(Trouble::Unclear(why) | Trouble::Expired(why)) => {
                self.progress.note(now, Step::OrderDelayed);
                self.unsettled_until = now.saturating_add(self.timeouts.request);
                self.waiting_for = format!("the order was not answered: {why}");
                return Move::LookAgain(self.longer());
            }
            Err(Trouble::Refused(why)) => return self.refused(why, now),
        }
        Move::LookAgain(Period::ZERO)
    }

    /// A webhook's word is all there is to see of an order to it; everybody else is looked at.
    fn taken(&mut self, now: Timestamp) {
        match (self.task.is_by_webhook(), &self.task.taking_back) {
            (true, None) => self.progress.note(now, Step::OrderTaken),
            (true, Some(_)) => self.task.recalled = true,
            (false, _) => {}
        }
    }

    /// Refused at the first order, nothing has happened; refused later, the former state is restored. What is finished stays.
    fn refused(&mut self, why: &str, now: Timestamp) -> Move {
        if let (Some(_), Some((_, is_refused))) = (&self.outcome, &mut self.closing) {
            *is_refused = true;
            self.waiting_for = format!("refused: {why}");
            return Move::LookAgain(Period::ZERO);
        }
        let begun = self.progress.at(Step::OrderTaken).is_some() || self.unsettled_until > now;
        if self.task.taking_back.is_none() && !begun {
            return self.end(Applied::Failed { reason: format!("refused: {why}") }, now);
        }
        self.waiting_for = format!("refused: {why}");
        self.take_back(&format!("refused: {why}"), now);
        Move::LookAgain(self.longer())
    }

    fn longer(&mut self) -> Period {
        doubled(&mut self.back_off)
    }

    fn end(&mut self, outcome: Applied, now: Timestamp) -> Move {
        let step = match outcome {
            Applied::Done => Step::Done,
            Applied::Failed { .. } => Step::Failed,
            Applied::RolledBack { .. } => Step::TakenBack,
        };
        self.progress.note(now, step);
        Move::End(outcome)
    }
}

/// A wait, which is twice as long the next time.
fn doubled(wait: &mut Period) -> Period {
    let now = *wait;
    *wait = now.saturating_mul(2).min(LONGEST_BACK_OFF);
    now
}

/// How long a server wants to be left alone, as far as that is granted.
fn asked(trouble: &Trouble) -> Period {
    let asked = trouble.pause().map_or(Period::ZERO, |pause| Period::from_secs(pause.as_secs()));
    asked.min(LONGEST_PAUSE)
}
