//! Opening the office: a new run, or the one that was interrupted, taken again step by step until it stands where it stopped.

use super::checkpoint;
use super::correspondence::{Correspondence, Nobody};
use super::engine::{Engine, Step};
use super::follow::{self, Followed};
use super::foresight::Foresight;
use super::ground::{Ground, Real};
use super::intervene::{self, INTERVENTION, Onlooker};
use super::legacy;
use super::pace::{Pace, Speed};
use super::record::{self, INHERITED, STEPS};
use super::standing::Standing;
use super::timekeeping;
use super::unforeseen::Unforeseen;
use super::work::{Office, how_things_stand};
use crate::clock;
use crate::live::{Board, Hub};
use crate::metrics::Tally;
use crate::storage::tables::journal::{self, Entry, Filter};
use crate::storage::tables::page::Direction;
use crate::storage::tables::runs::{self, Run};
use crate::storage::tables::{modes, snapshots};
use crate::storage::{Database, Error, JsonText};
use crate::webhooks::Outbox;
use control::legacy::Legacy;
use control::world::{Input, Outside};
use lab::models::Correspondent;
use lab::run::Plan;
use lab::what_if::Settings;
use model::hash::ContentHash;
use model::time::{Period, Timestamp};
use simulator::world::SimulatedWorld;
use std::sync::Arc;

/// Entries that are read at a time while an interrupted run is taken again.
const CHUNK: u32 = 1_000;

/// Observations that a chart begins with after a checkpoint: as many as it has room to show apart, read within a second or two.
const MOST_REMINDED: usize = 500;

/// What the office opens with.
pub struct Opening {
    pub database: Arc<Database>,
    pub plan: Plan,
    /// Real clusters; without them the plan's world is simulated.
    pub clusters: Option<Box<dyn Outside>>,
    /// The hash of the scenario's text.
    pub scenario: ContentHash,
    pub speed: Speed,
    pub paused: bool,
    /// None if nothing is predicted.
    pub foresight: Option<Settings>,
    /// Who answers what agents ask of models; nobody without.
    pub correspondent: Option<Arc<dyn Correspondent>>,
    /// Snapshots are kept so long, in real time.
    pub keep_snapshots: Period,
    /// Whom the desk tells.
    pub(crate) outbox: Outbox,
    /// Who is shown the world whenever it may have changed.
    pub onlooker: Option<Onlooker>,
    pub wall: fn() -> i64,
}

/// How the office opened.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Resumed {
    /// A new run began.
    Anew,
    /// An interrupted run goes on after so many steps that came out as they were written down.
    WentOn { steps: u64 },
    /// An interrupted run came out differently, as it does with another build; it is closed, and a new one began.
    Differed { seq: i64 },
}

/// A run that is taken again.
struct Again {
    engine: Engine,
    tally: Tally,
    standing: Standing,
    steps: u64,
}

impl Again {
    fn new(engine: Engine) -> Self {
        Self { engine, tally: Tally::default(), standing: Standing::default(), steps: 0 }
    }
}

impl Opening {
    /// Opens the office. An interrupted run of the same scenario, seed and rules goes on; any other is closed.
    pub fn open(mut self) -> Result<(Office, Resumed), Error> {
        let newest = self.database.read(|connection| runs::newest(connection, 1))?.pop();
        let header = JsonText::of(&self.plan.header);
        let kind = self.kind();
        let fits = |run: &Run| {
            run.status == runs::RUNNING
                && run.kind == kind
                && run.scenario_hash == self.scenario
                && run.header == header
        };
        match newest {
            Some(run) if fits(&run) => match self.take_again(&run)? {
                Ok(Again { engine, tally, standing, steps }) => {
                    let moments = (self.last_moment(&run.id)?, (self.wall)());
                    standing.correct(&self.database, &run.id, moments)?;
                    Ok((self.office(engine, tally, &run)?, Resumed::WentOn { steps }))
                }
                Err(seq) => {
                    let office = self.begin(Some(&run), &header)?;
                    Ok((office, Resumed::Differed { seq }))
                }
            },
            other => Ok((self.begin(other.as_ref(), &header)?, Resumed::Anew)),
        }
    }

    const fn kind(&self) -> &'static str {
        if self.clusters.is_some() { runs::REAL } else { runs::SIMULATED }
    }

    /// A loop that has decided nothing, on a simulated world at its beginning or on real clusters as they are.
    fn engine(&mut self) -> Engine {
        let Plan { world, reviewer, header, .. } = &self.plan;
        let ground = match self.clusters.take() {
            Some(clusters) => Ground::Real(Real::new(clusters, Arc::clone(world))),
            None => SimulatedWorld::new(Arc::clone(world), reviewer.clone(), header.seed).into(),
        };
        Engine::new(ground, header.control_loop())
    }

    /// Begins a run. One that was left running is closed, and what people stopped there stays stopped: it is written down together
    /// with the beginning, before anybody decides anything.
    fn begin(&mut self, former: Option<&Run>, header: &JsonText) -> Result<Office, Error> {
        let (wall_ms, kind) = ((self.wall)(), self.kind());
        let mut engine = self.engine();
        let legacy = former.map(|former| self.legacy(former)).transpose()?.flatten();
        legacy.iter().for_each(legacy::tell);
        let first = legacy.map(|legacy| engine.take(Input::Inherited(Box::new(legacy))));
        let run = self.database.write(|transaction| {
            if let Some(left) = former.filter(|run| run.status == runs::RUNNING) {
                runs::set_status(transaction, &left.id, "abandoned", Some(wall_ms))?;
            }
            let end = journal::head(transaction)?;
            // The journal only grows, so its next number makes a name that no other run has.
            let run = Run {
                id: format!("run-{}", end.seq + 1),
                kind: kind.to_owned(),
                scenario: self.plan.header.scenario.clone(),
                scenario_hash: self.scenario,
                seed: self.plan.header.seed.to_string(),
                build: self.plan.header.build.clone(),
                header: header.clone(),
                started_wall_ms: wall_ms,
                ended_wall_ms: None,
                status: runs::RUNNING.to_owned(),
                last_seq: 0,
            };
            runs::create(transaction, &run)?;
            let entry = journal::NewEntry {
                run: Some(run.id.clone()),
                at_ms: 0,
                wall_ms,
                kind: "run.begun".to_owned(),
                actor: "desk".to_owned(),
                subject: run.id.clone(),
                body: header.clone(),
                via: None,
            };
            record::note(transaction, &entry)?;
            modes::clear(transaction)?;
            if let Some(first) = &first {
                record::keep(transaction, &run.id, first, (None, wall_ms))?;
            }
            Ok(run)
        })?;
        let tally = Tally::default();
        if let Some(first) = &first {
            engine.start(first);
            tally.observe(first, wall_ms);
        }
        self.office(engine, tally, &run)
    }

    fn legacy(&self, former: &Run) -> Result<Option<Legacy>, Error> {
        let last = self.last_moment(&former.id)?;
        // Time goes on in real clusters while nobody looks.
        let is_real = former.kind == runs::REAL;
        let moment = if is_real { last.max(self.since_the_beginning(former)) } else { last };
        self.database.read(|connection| legacy::of(connection, former, moment))
    }

    fn office(&self, mut engine: Engine, tally: Tally, run: &Run) -> Result<Office, Error> {
        let seq = self.database.read(journal::head)?.seq;
        let last = self.last_moment(&run.id)?;
        let pace = self.pace(&mut engine, &run.id, last.max(self.since_the_beginning(run)))?;
        let run = run.id.clone();
        engine.take_up(|id| follow::known(&self.database, &run, id))?;
        let now = how_things_stand(&engine, &pace, &run, (seq, (self.wall)()));
        let mut office = Office {
            board: Arc::new(Board::new(now)),
            followed: Followed::of(&engine.progress(|_| true), &self.database, &run)?,
            engine,
            database: Arc::clone(&self.database),
            run,
            pace,
            hub: Arc::new(Hub::new(seq)),
            tally: Arc::new(tally),
            seq,
            foresight: self.foresight.map(Foresight::new).transpose().map_err(no_thread)?,
            unforeseen: Unforeseen::default(),
            correspondence: Correspondence::new(
                self.correspondent.clone().unwrap_or_else(|| Arc::new(Nobody)),
            ),
            outbox: self.outbox.clone(),
            patience: None,
            keep_snapshots: self.keep_snapshots,
            forget_at: (0, 0),
            onlooker: self.onlooker.clone(),
            wall: self.wall,
        };
        office.go_to(last)?;
        office.ask_again()?;
        office.count_today()?;
        office.send_open_questions();
        office.forget_snapshots()?;
        Ok(office)
    }

    /// Real clusters have gone on while the desk was closed, and go on in their own time.
    fn pace(&self, engine: &mut Engine, run: &str, moment: Timestamp) -> Result<Pace, Error> {
        if !engine.is_real() {
            let beginning = (self.speed, self.paused);
            let (speed, paused) =
                self.database.read(|connection| timekeeping::ordered(connection, run, beginning))?;
            return Ok(Pace::new(speed, paused, engine.now(), clock::now()));
        }
        engine.was_at(moment);
        Ok(Pace::real(moment, clock::now()))
    }

    fn since_the_beginning(&self, run: &Run) -> Timestamp {
        Timestamp((self.wall)().saturating_sub(run.started_wall_ms).max(0) as u64)
    }

    /// How far time had come when the last thing was written down, whatever it was.
    fn last_moment(&self, run: &str) -> Result<Timestamp, Error> {
        let filter = Filter { run: Some(run.to_owned()), ..Filter::default() };
        let newest = self
            .database
            .read(|connection| journal::list(connection, &filter, Direction::Descending, None, 1))?;
        Ok(newest.rows.first().map_or(Timestamp::EPOCH, |entry| Timestamp(entry.at_ms as u64)))
    }

    /// Takes the steps of a run again. The number of the first entry that comes out differently, if one does.
    fn take_again(&mut self, run: &Run) -> Result<Result<Again, i64>, Error> {
        let mut again = Again::new(self.engine());
        let mut after = None;
        let found = if again.engine.is_real() {
            self.database.read(|connection| checkpoint::find(connection, &run.id))?
        } else {
            None
        };
        if let Some(found) = found {
            let seq = found.seq;
            if !found.restore(&mut again.engine) {
                self.clusters = again.engine.give_back();
                return Ok(Err(seq));
            }
            again.standing = Standing::of(again.engine.control().desk());
            self.remind(&again.engine, &again.tally, run)?;
            after = Some(seq.to_string());
        }
        let kinds = STEPS.iter().chain(&[INTERVENTION]).map(|kind| (*kind).to_owned()).collect();
        let filter = Filter { run: Some(run.id.clone()), kinds, ..Filter::default() };
        loop {
            let page = self.database.read(|connection| {
                journal::list(connection, &filter, Direction::Ascending, after.as_deref(), CHUNK)
            })?;
            for entry in &page.rows {
                if !self.again(&mut again, entry)? {
                    self.clusters = again.engine.give_back();
                    return Ok(Err(entry.seq));
                }
                again.steps += 1;
            }
            match page.next {
                Some(next) => after = Some(next),
                None => return Ok(Ok(again)),
            }
        }
    }

    /// What is counted and drawn begins with what is known at a checkpoint: what waits or is under way, and the observations that are
    /// still kept.
    fn remind(&self, engine: &Engine, tally: &Tally, run: &Run) -> Result<(), Error> {
        tally.remind(engine.control().desk(), run.started_wall_ms);
        let names = self.database.read(|connection| snapshots::names(connection, &run.id))?;
        let stride = names.len().div_ceil(MOST_REMINDED).max(1);
        for name in names.into_iter().rev().step_by(stride).collect::<Vec<_>>().into_iter().rev() {
            let kept = self.database.read(|connection| snapshots::get(connection, name))?;
            if let Some(seen) = kept.and_then(|kept| kept.body.read("a snapshot").ok()) {
                engine.history().observe(&Input::Observed(Arc::new(seen)));
            }
        }
        Ok(())
    }

    /// Takes one step again and says whether it came out as it was written down.
    fn again(&self, again: &mut Again, entry: &Entry) -> Result<bool, Error> {
        let Again { engine, tally, standing, .. } = again;
        if entry.kind == INTERVENTION {
            return Ok(intervene::again(engine, entry));
        }
        let at = Timestamp(entry.at_ms as u64);
        let step = if engine.is_real() {
            self.input(entry)?.map(|input| engine.take_again(at, input))
        } else if entry.kind == INHERITED {
            // It came before anything else.
            self.input(entry)?.map(|input| engine.take(input))
        } else if record::is_from_outside(&entry.kind) {
            from_outside(engine, at, self.input(entry)?)
        } else {
            engine.next_step(at).ok()
        };
        let Some(step) = step.filter(|step| step.at == at && record::body(step) == entry.body) else {
            return Ok(false);
        };
        if engine.is_real() {
            engine.remember(&step);
        } else {
            engine.start(&step);
        }
        tally.observe(&step, entry.wall_ms);
        standing.observe(&step, (entry.seq, entry.wall_ms));
        Ok(true)
    }

    /// What was written down to have happened; nothing if it cannot be read any more.
    fn input(&self, entry: &Entry) -> Result<Option<Input>, Error> {
        self.database.read(|connection| record::input(connection, entry))
    }
}

/// The world goes to the moment at which somebody did something; nothing else may happen on the way.
fn from_outside(engine: &mut Engine, at: Timestamp, input: Option<Input>) -> Option<Step> {
    if engine.next_step(at).is_ok() || engine.now() != at {
        return None;
    }
    input.map(|input| engine.take(input))
}

fn no_thread(source: std::io::Error) -> Error {
    Error::File { attempt: "start a thread for", path: "predictions".into(), source }
}
