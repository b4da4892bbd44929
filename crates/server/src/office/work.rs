//! The office at work.

use super::correspondence::Correspondence;
use super::engine::{Engine, Reached, Step};
use super::follow::Followed;
use super::foresight::Foresight;
use super::intervene::Onlooker;
use super::once::{self, Behind};
use super::pace::Pace;
use super::record;
use super::timekeeping::ClockOrder;
use super::unforeseen::Unforeseen;
use crate::clock;
use crate::live::{Board, Hub, Now};
use crate::metrics::Tally;
use crate::storage::tables::idempotency::mark;
use crate::storage::tables::journal::NewEntry;
use crate::storage::tables::snapshots::{self, Needed};
use crate::storage::tables::{recommendations, runs};
use crate::storage::{Database, Error, JsonText, Transaction};
use crate::webhooks::{self, Moment, News, Outbox, Topic};
use control::world::Input;
use lab::run::AgentHeader;
use model::recommendation::RecommendationId;
use model::time::{Period, Timestamp};
use simulator::world::{Intervention, Refused};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender};
use std::time::{Duration, Instant};
use tokio::sync::oneshot;

/// Requests that wait their turn. Each is answered within milliseconds; more than this means that something is wrong.
pub const INBOX: usize = 1_024;

/// Old snapshots are looked for whenever the record has grown by so much, or so much time has passed.
const FORGET_EVERY: i64 = 1_000;
const FORGET_EVERY_MS: i64 = 3_600_000;

/// Where an agent could not say what it remembers, it is asked again after so many entries.
const ASK_AGENTS_AGAIN: i64 = 20;

/// Steps that are taken before somebody who waits is attended to.
const STEPS_AT_A_TIME: usize = 64;

/// Nobody waits longer for a fresh board, even if nothing happens.
const LONGEST_NAP: Duration = Duration::from_millis(200);

/// Where nothing happens nobody would notice that the database is gone, and with it the lock that keeps another desk away.
const ASK_DATABASE_EVERY: Duration = Duration::from_secs(2);

/// While something is reckoned, its answer is looked for so often.
const SHORT_NAP: Duration = Duration::from_millis(10);

/// Why the office could not do what it was asked, or cannot go on.
#[derive(Debug, thiserror::Error)]
pub enum OfficeError {
    /// Somebody changed the recommendation since it was read.
    #[error("version {found} is there, and {expected} was meant")]
    VersionChanged { expected: i64, found: i64 },
    #[error("there is no such recommendation")]
    NoSuchRecommendation,
    #[error("the world has ended")]
    Ended,
    /// Nobody stops or hurries the time of real clusters.
    #[error("these are real clusters, whose time goes by itself")]
    RealTime,
    #[error("too many requests wait already")]
    Busy,
    #[error("the desk is closing")]
    Closed,
    /// Nothing of the kind can be done to the world.
    #[error(transparent)]
    Refused(#[from] Refused),
    #[error("the desk could not write down what happened")]
    Storage(#[from] Error),
}

/// Something from outside that has an effect, and where its answer goes.
pub struct Errand {
    pub input: Input,
    /// The version of a recommendation that the sender has seen.
    pub seen: Option<(RecommendationId, i64)>,
    /// Further rows that are kept together with the step, or not at all.
    pub along: Option<Along>,
    pub behind: Behind,
    pub reply: oneshot::Sender<Result<Outcome, OfficeError>>,
}

/// Writes rows that belong to a step.
pub type Along = Box<dyn FnOnce(&mut dyn Transaction, &Step) -> Result<(), Error> + Send>;

/// What came of an errand.
#[derive(Clone, Debug)]
pub struct Outcome {
    pub seq: i64,
    pub step: Step,
}

/// A question that needs the world or the loop and changes neither.
type Question = Box<dyn FnOnce(&Office) + Send>;

/// What reaches the office.
pub enum Message {
    Errand(Errand),
    Question(Question),
    /// Lets time run, stand still, or go on for a while.
    Clock {
        actor: String,
        order: ClockOrder,
        behind: Behind,
        reply: oneshot::Sender<Result<(), OfficeError>>,
    },
    /// Does something to a simulated cluster.
    Intervene {
        actor: String,
        intervention: Intervention,
        behind: Behind,
        reply: oneshot::Sender<Result<(), OfficeError>>,
    },
    Stop,
}

/// How others reach the office.
#[derive(Clone, Debug)]
pub struct Handle {
    inbox: SyncSender<Message>,
}

impl Handle {
    pub const fn new(inbox: SyncSender<Message>) -> Self {
        Self { inbox }
    }

    fn send(&self, message: Message) -> Result<(), OfficeError> {
        use std::sync::mpsc::TrySendError;
        self.inbox.try_send(message).map_err(|error| match error {
            TrySendError::Full(_) => OfficeError::Busy,
            TrySendError::Disconnected(_) => OfficeError::Closed,
        })
    }

    /// Has an input taken, and says what came of it once that is kept.
    pub async fn take(
        &self,
        input: Input,
        seen: Option<(RecommendationId, i64)>,
        along: Option<Along>,
    ) -> Result<Outcome, OfficeError> {
        let (reply, answer) = oneshot::channel();
        self.send(Message::Errand(Errand { input, seen, along, behind: Behind::now(), reply }))?;
        answer.await.unwrap_or(Err(OfficeError::Closed))
    }

    /// Asks something about the world or the loop as they are now.
    pub async fn ask<T: Send + 'static>(
        &self,
        question: impl FnOnce(&Office) -> T + Send + 'static,
    ) -> Result<T, OfficeError> {
        let (reply, answer) = oneshot::channel();
        let question: Question = Box::new(move |office| {
            // Nobody looks around for somebody who has given up.
            if !reply.is_closed() {
                let _ = reply.send(question(office));
            }
        });
        self.send(Message::Question(question))?;
        answer.await.map_err(|_| OfficeError::Closed)
    }

    pub async fn clock(&self, actor: String, order: ClockOrder) -> Result<(), OfficeError> {
        let (reply, answer) = oneshot::channel();
        self.send(Message::Clock { actor, order, behind: Behind::now(), reply })?;
        answer.await.unwrap_or(Err(OfficeError::Closed))
    }

    /// Does something to a simulated cluster; it is kept and has its effect when this returns.
    pub async fn intervene(&self, actor: String, intervention: Intervention) -> Result<(), OfficeError> {
        let (reply, answer) = oneshot::channel();
        self.send(Message::Intervene { actor, intervention, behind: Behind::now(), reply })?;
        answer.await.unwrap_or(Err(OfficeError::Closed))
    }

    pub fn stop(&self) {
        let _ = self.inbox.send(Message::Stop);
    }
}

/// Everything the office works with.
pub struct Office {
    pub(super) engine: Engine,
    pub(super) database: Arc<Database>,
    pub(super) run: String,
    pub(super) pace: Pace,
    pub(super) board: Arc<Board>,
    pub(super) hub: Arc<Hub>,
    pub(super) tally: Arc<Tally>,
    pub(super) seq: i64,
    pub(super) followed: Followed,
    pub(super) foresight: Option<Foresight>,
    pub(super) unforeseen: Unforeseen,
    /// Who carries questions to models.
    pub(super) correspondence: Correspondence,
    /// Whom the desk tells.
    pub(super) outbox: Outbox,
    /// Until when time waits for predictions, if it does.
    pub(super) patience: Option<Instant>,
    /// Snapshots are kept so long, in real time.
    pub(super) keep_snapshots: Period,
    /// The entry, and the time in milliseconds since 1970, at which old ones are looked for again.
    pub(super) forget_at: (i64, i64),
    /// Who is shown the world whenever it may have changed.
    pub(super) onlooker: Option<Onlooker>,
    /// Tells the time of day in milliseconds since 1970.
    pub(super) wall: fn() -> i64,
}

impl Office {
    pub const fn engine(&self) -> &Engine {
        &self.engine
    }

    pub fn run_id(&self) -> &str {
        &self.run
    }

    pub fn board(&self) -> Arc<Board> {
        Arc::clone(&self.board)
    }

    pub fn hub(&self) -> Arc<Hub> {
        Arc::clone(&self.hub)
    }

    pub fn tally(&self) -> Arc<Tally> {
        Arc::clone(&self.tally)
    }

    /// Works until somebody says stop, or until something cannot be written down: then nothing more may happen.
    pub fn work(mut self, inbox: &Receiver<Message>) -> Result<(), OfficeError> {
        let mut asked = clock::now();
        loop {
            let busy = self.advance()?;
            self.post();
            if clock::now().saturating_duration_since(asked) >= ASK_DATABASE_EVERY {
                self.database.stay_connected()?;
                asked = clock::now();
            }
            let nap = if busy { Duration::ZERO } else { self.nap() };
            match inbox.recv_timeout(nap) {
                Ok(Message::Stop) | Err(RecvTimeoutError::Disconnected) => return Ok(()),
                Ok(message) => self.attend(message)?,
                Err(RecvTimeoutError::Timeout) => {}
            }
        }
    }

    fn nap(&self) -> Duration {
        let next = self.engine.control().wake_at();
        let wait = self.pace.wait_for(next, clock::now()).filter(|_| !self.engine.has_ended());
        let longest = if self.foresight.as_ref().is_some_and(Foresight::is_busy) || self.waits_for_answers() {
            SHORT_NAP
        } else {
            LONGEST_NAP
        };
        wait.map_or(longest, |wait| wait.min(longest))
    }

    /// Goes to a moment at which the office was before. Steps that were not written down yet are now.
    pub(super) fn go_to(&mut self, moment: Timestamp) -> Result<(), Error> {
        let moment = moment.max(self.engine.now());
        loop {
            match self.advance_at_once(moment) {
                Ok(true) => {}
                Err(OfficeError::Storage(error)) => return Err(error),
                // Nothing but storage stands in the way of time.
                Ok(false) | Err(_) => return Ok(()),
            }
        }
    }

    /// Goes as far as time allows. Returns whether there is more to do at once.
    fn advance(&mut self) -> Result<bool, OfficeError> {
        let reach = self.pace.reach(clock::now());
        self.advance_to(reach, STEPS_AT_A_TIME)
    }

    fn advance_to(&mut self, reach: Timestamp, steps: usize) -> Result<bool, OfficeError> {
        if self.engine.has_ended() {
            return Ok(false);
        }
        for _ in 0..steps {
            self.judge()?;
            self.take_predictions()?;
            self.take_answers()?;
            let limit = self.before_answers(reach);
            match self.engine.next_step(limit) {
                Ok(step) => {
                    let asked = self.pace.people_are_asked();
                    self.keep(step, None)?;
                    // From here on time goes at another pace.
                    if self.pace.people_are_asked() != asked {
                        return Ok(true);
                    }
                }
                // An answer counts now.
                Err(Reached::Moment) if limit < reach && self.an_answer_is_due() => {}
                Err(Reached::Moment) => {
                    self.arrived();
                    self.follow()?;
                    self.judge()?;
                    return Ok(false);
                }
                Err(Reached::End) => {
                    self.arrived();
                    self.follow()?;
                    self.end()?;
                    return Ok(false);
                }
            }
        }
        Ok(true)
    }

    /// Goes some steps towards a moment, whatever the pace. Returns whether there is more to do.
    pub(super) fn advance_at_once(&mut self, reach: Timestamp) -> Result<bool, OfficeError> {
        self.advance_to(reach, STEPS_AT_A_TIME)
    }

    /// Time goes on from where the world stands.
    pub(super) fn arrived(&mut self) {
        self.pace.arrived(self.engine.now(), clock::now());
        self.notice_people();
    }

    /// Whether somebody is asked decides how fast time goes.
    fn notice_people(&mut self) {
        let asked = !self.engine.control().desk().waiting().is_empty();
        self.pace.set_people_are_asked(asked, self.engine.now(), clock::now());
    }

    /// Writes a step down, and only then lets it have its effects.
    pub(super) fn keep(&mut self, step: Step, along: Option<Along>) -> Result<Outcome, OfficeError> {
        self.keep_of(step, along, None)
    }

    /// The same for a step that somebody asked for who showed something.
    fn keep_of(
        &mut self,
        step: Step,
        along: Option<Along>,
        via: Option<String>,
    ) -> Result<Outcome, OfficeError> {
        let wall_ms = (self.wall)();
        let run = self.run.as_str();
        let news = self.news(&step);
        let (end, last) = self.database.write_patiently(|transaction| {
            let kept = record::keep(transaction, run, &step, (via, wall_ms))?;
            along.map_or(Ok(()), |along| along(transaction, &step))?;
            let moment = Moment { run: Some(run), at_ms: step.at.0 as i64, wall_ms };
            self.outbox.note(transaction, kept.1, moment, &news)?;
            let last = record::note_passed(transaction, &kept, &step)?;
            Ok((kept.1, last))
        })?;
        self.engine.start(&step);
        self.notice_people();
        self.tally.observe(&step, wall_ms);
        self.reached(last.seq);
        self.outbox.ring(news.iter().map(|news| news.topic));
        if end.seq >= self.forget_at.0 || wall_ms >= self.forget_at.1 {
            self.forget_snapshots()?;
        }
        self.follow()?;
        self.foresee(&step)?;
        self.send_questions(&step);
        Ok(Outcome { seq: end.seq, step })
    }

    /// What others are told of a step.
    fn news(&self, step: &Step) -> Vec<News> {
        if self.outbox.is_empty() {
            return Vec::new();
        }
        let mut news = webhooks::of_step(step, self.engine.control());
        // Whoever was told that people are asked without a prediction is not told again because it comes.
        if matches!(step.input, Input::Predicted { id, .. } if self.unforeseen.was_asked(id)) {
            news.retain(|one| one.topic != Topic::Waiting);
        }
        news
    }

    /// Lets old snapshots go. The record names them by their hash and stays whole.
    pub(super) fn forget_snapshots(&mut self) -> Result<(), Error> {
        let kept = i64::try_from(self.keep_snapshots.as_millis()).unwrap_or(i64::MAX);
        let now = (self.wall)();
        self.forget_at = (self.seq + FORGET_EVERY, now.saturating_add(FORGET_EVERY_MS));
        // A run of real clusters that is interrupted is taken again from what was written down of them since the checkpoint.
        let needed = if self.engine.is_real() { self.keep_checkpoint()? } else { Some(Vec::new()) };
        if needed.is_none() {
            self.forget_at.0 = self.seq + ASK_AGENTS_AGAIN;
        }
        let needed = needed.as_deref().map_or(Needed::OfRun(&self.run), Needed::These);
        let before = now.saturating_sub(kept);
        self.database
            .write_patiently(|transaction| snapshots::delete_older_than(transaction, before, needed))
            .map(drop)
    }

    /// Whoever hears of an entry asks how things stand at once, so that has to be shown first.
    pub(super) fn reached(&mut self, seq: i64) {
        self.seq = seq;
        self.post();
        self.hub.reached(seq);
    }

    fn end(&mut self) -> Result<(), OfficeError> {
        let (run, wall_ms) = (self.run.as_str(), (self.wall)());
        self.database
            .write_patiently(|transaction| runs::set_status(transaction, run, "ended", Some(wall_ms)))?;
        Ok(())
    }

    fn attend(&mut self, message: Message) -> Result<(), OfficeError> {
        match message {
            Message::Errand(errand) => self.run_errand(errand),
            Message::Question(question) => {
                question(self);
                Ok(())
            }
            Message::Clock { actor, order, behind, reply } => {
                let done = self.set_clock(&actor, order, &behind);
                answer(reply, done)
            }
            Message::Intervene { actor, intervention, behind, reply } => {
                let done = self.intervene(&actor, &intervention, &behind);
                self.post();
                answer(reply, done)
            }
            Message::Stop => Ok(()),
        }
    }

    fn run_errand(&mut self, errand: Errand) -> Result<(), OfficeError> {
        let Errand { input, seen, along, behind: Behind { key, via }, reply } = errand;
        let done = self.take(input, seen, (once::marking(key, along), via));
        self.arrived();
        self.post();
        answer(reply, done)
    }

    /// Everything that happens at this moment has happened. Whatever comes from outside comes after it, so that a run that is taken
    /// again finds it in the same place.
    pub(super) fn settle_moment(&mut self) -> Result<(), OfficeError> {
        while let Ok(step) = self.engine.next_step(self.engine.now()) {
            self.keep(step, None)?;
        }
        Ok(())
    }

    /// Everything that is due happens first; then the input meets the world as it is now.
    fn take(
        &mut self,
        input: Input,
        seen: Option<(RecommendationId, i64)>,
        (along, via): (Option<Along>, Option<String>),
    ) -> Result<Outcome, OfficeError> {
        self.settle_moment()?;
        if self.engine.has_ended() {
            return Err(OfficeError::Ended);
        }
        if let Some((id, expected)) = seen {
            self.database.stay_connected()?;
            let run = self.run.as_str();
            let item = self.database.read(|connection| recommendations::get(connection, run, id.0 as i64))?;
            let found = item.ok_or(OfficeError::NoSuchRecommendation)?.version;
            if found != expected {
                return Err(OfficeError::VersionChanged { expected, found });
            }
        }
        let step = self.engine.take(input);
        self.keep_of(step, along, via)
    }

    /// Writes an entry beside the steps, and what others are told of it.
    pub(super) fn note(
        &mut self,
        (kind, actor, subject): (&str, &str, &str),
        body: &serde_json::Value,
        news: &[News],
    ) -> Result<(), Error> {
        self.note_for((kind, actor, subject), body, news, &Behind::default())
    }

    /// The same for a request.
    pub(super) fn note_for(
        &mut self,
        (kind, actor, subject): (&str, &str, &str),
        body: &serde_json::Value,
        news: &[News],
        Behind { key, via }: &Behind,
    ) -> Result<(), Error> {
        let entry = NewEntry {
            run: Some(self.run.clone()),
            at_ms: self.engine.now().0 as i64,
            wall_ms: (self.wall)(),
            kind: kind.to_owned(),
            actor: actor.to_owned(),
            subject: subject.to_owned(),
            body: JsonText::of(body),
            via: via.clone(),
        };
        let end = self.database.write_patiently(|transaction| {
            let end = record::note(transaction, &entry)?;
            let moment = Moment { run: entry.run.as_deref(), at_ms: entry.at_ms, wall_ms: entry.wall_ms };
            self.outbox.note(transaction, end, moment, news)?;
            key.as_ref().map_or(Ok(()), |key| mark(transaction, key, end.seq))?;
            Ok(end)
        })?;
        self.reached(end.seq);
        self.outbox.ring(news.iter().map(|news| news.topic));
        Ok(())
    }

    /// Shows how things stand.
    pub(super) fn post(&self) {
        let seq = self.seq.max(self.hub.end());
        self.board.write(how_things_stand(&self.engine, &self.pace, &self.run, (seq, (self.wall)())));
        if let (Some(onlooker), Some(world)) = (&self.onlooker, self.engine.simulated()) {
            onlooker(world);
        }
    }
}

/// What everybody may read without asking the office.
pub(super) fn how_things_stand(engine: &Engine, pace: &Pace, run: &str, (seq, wall_ms): (i64, i64)) -> Now {
    let control = engine.control();
    let (mode, modes) = control.modes();
    Now {
        run: run.to_owned(),
        is_real: engine.is_real(),
        at: engine.now(),
        wall_ms,
        paused: pace.is_paused(),
        ended: engine.has_ended(),
        speed: pace.speed().usual,
        speed_while_waiting: pace.speed().while_waiting,
        factor: if engine.has_ended() { 0.0 } else { pace.factor() },
        seq,
        waiting: control.desk().waiting().len(),
        under_way: control.desk().committed().len(),
        snapshot: control.latest().cloned(),
        departed: engine.departed(),
        freezes: control.freezes().to_vec(),
        mode: mode.clone(),
        modes: modes.to_vec(),
        records: control.track_records().clone(),
        spent: control.spent(engine.now()),
        supplied: control.supply().agents.iter().filter_map(AgentHeader::supplied).collect(),
        guardrails: control.guardrails().clone(),
    }
}

/// Tells whoever asked, who may have left. What could not be written down ends the office.
fn answer<T>(
    reply: oneshot::Sender<Result<T, OfficeError>>,
    done: Result<T, OfficeError>,
) -> Result<(), OfficeError> {
    match done {
        Err(OfficeError::Storage(error)) => {
            let text = crate::storage::port::error::with_causes(&error);
            let _ = reply.send(Err(OfficeError::Closed));
            crate::log::error(&text);
            Err(OfficeError::Storage(error))
        }
        other => {
            let _ = reply.send(other);
            Ok(())
        }
    }
}
