//! Opening the office: a new run, or the one that was interrupted, taken again step by step until it stands where it stopped.

use super::engine::{Engine, Step};
use super::follow::Followed;
use super::foresight::Foresight;
use super::pace::{Pace, Speed};
use super::record::{self, STEPS, StoredBody};
use super::work::{Office, how_things_stand};
use crate::clock;
use crate::live::{Board, Hub};
use crate::metrics::Tally;
use crate::storage::tables::journal::{self, Entry, Filter};
use crate::storage::tables::page::Direction;
use crate::storage::tables::runs::{self, Run};
use crate::storage::{Database, Error, JsonText};
use crate::webhooks::Outbox;
use control::world::Input;
use lab::run::Plan;
use lab::what_if::Settings;
use model::hash::ContentHash;
use model::time::{Period, Timestamp};
use simulator::world::SimulatedWorld;
use std::sync::Arc;

/// Entries that are read at a time while an interrupted run is taken again.
const CHUNK: u32 = 1_000;

/// What the office opens with.
pub struct Opening {
    pub database: Arc<Database>,
    pub plan: Plan,
    /// The hash of the scenario's text.
    pub scenario: ContentHash,
    pub speed: Speed,
    pub paused: bool,
    /// None if nothing is predicted.
    pub foresight: Option<Settings>,
    /// Snapshots are kept so long, in real time.
    pub keep_snapshots: Period,
    /// Whom the desk tells.
    pub(crate) outbox: Outbox,
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

impl Opening {
    /// Opens the office. An interrupted run of the same scenario, seed and rules goes on; any other is closed.
    pub fn open(self) -> Result<(Office, Resumed), Error> {
        let newest = self.database.read(|connection| runs::newest(connection, 1))?.pop();
        let header = JsonText::of(&self.plan.header);
        let fits =
            |run: &Run| run.status == "running" && run.scenario_hash == self.scenario && run.header == header;
        match newest {
            Some(run) if fits(&run) => match self.take_again(&run)? {
                Ok((engine, tally, steps)) => {
                    Ok((self.office(engine, tally, run.id)?, Resumed::WentOn { steps }))
                }
                Err(seq) => {
                    let office = self.begin(Some(&run), &header)?;
                    Ok((office, Resumed::Differed { seq }))
                }
            },
            other => Ok((self.begin(other.as_ref(), &header)?, Resumed::Anew)),
        }
    }

    fn engine(&self) -> Engine {
        let Plan { world, reviewer, header, .. } = &self.plan;
        let world = SimulatedWorld::new(Arc::clone(world), reviewer.clone(), header.seed);
        Engine::new(world, header.control_loop())
    }

    /// Begins a run. One that was left running is closed.
    fn begin(&self, former: Option<&Run>, header: &JsonText) -> Result<Office, Error> {
        let wall_ms = (self.wall)();
        let run = self.database.write(|transaction| {
            if let Some(left) = former.filter(|run| run.status == "running") {
                runs::set_status(transaction, &left.id, "abandoned", Some(wall_ms))?;
            }
            let end = journal::head(transaction)?;
            // The journal only grows, so its next number makes a name that no other run has.
            let run = Run {
                id: format!("run-{}", end.seq + 1),
                kind: runs::SIMULATED.to_owned(),
                scenario: self.plan.header.scenario.clone(),
                scenario_hash: self.scenario,
                seed: self.plan.header.seed.to_string(),
                build: self.plan.header.build.clone(),
                header: header.clone(),
                started_wall_ms: wall_ms,
                ended_wall_ms: None,
                status: "running".to_owned(),
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
            };
            record::note(transaction, &entry)?;
            Ok(run.id)
        })?;
        self.office(self.engine(), Tally::default(), run)
    }

    fn office(&self, engine: Engine, tally: Tally, run: String) -> Result<Office, Error> {
        let seq = self.database.read(journal::head)?.seq;
        let last = self.last_moment(&run)?;
        let pace = Pace::new(self.speed, self.paused, engine.now(), clock::now());
        let now = how_things_stand(&engine, &pace, &run, (seq, (self.wall)()));
        let mut office = Office {
            board: Arc::new(Board::new(now)),
            followed: Followed::of(engine.world(), &self.database, &run)?,
            engine,
            database: Arc::clone(&self.database),
            run,
            pace,
            hub: Arc::new(Hub::new(seq)),
            tally: Arc::new(tally),
            seq,
            foresight: self.foresight.map(Foresight::new).transpose().map_err(no_thread)?,
            outbox: self.outbox.clone(),
            patient: false,
            keep_snapshots: self.keep_snapshots,
            wall: self.wall,
        };
        office.go_to(last)?;
        office.ask_again()?;
        office.forget_snapshots()?;
        Ok(office)
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
    fn take_again(&self, run: &Run) -> Result<Result<(Engine, Tally, u64), i64>, Error> {
        let (mut engine, tally) = (self.engine(), Tally::default());
        let (mut steps, mut after) = (0, None);
        let kinds = STEPS.iter().map(|kind| (*kind).to_owned()).collect();
        let filter = Filter { run: Some(run.id.clone()), kinds, ..Filter::default() };
        loop {
            let page = self.database.read(|connection| {
                journal::list(connection, &filter, Direction::Ascending, after.as_deref(), CHUNK)
            })?;
            for entry in &page.rows {
                if !again(&mut engine, &tally, entry) {
                    return Ok(Err(entry.seq));
                }
                steps += 1;
            }
            match page.next {
                Some(next) => after = Some(next),
                None => return Ok(Ok((engine, tally, steps))),
            }
        }
    }
}

/// Takes one step again and says whether it came out as it was written down.
fn again(engine: &mut Engine, tally: &Tally, entry: &Entry) -> bool {
    let at = Timestamp(entry.at_ms as u64);
    let step = if record::is_from_outside(&entry.kind) {
        from_outside(engine, at, entry)
    } else {
        engine.next_step(at).ok()
    };
    let Some(step) = step.filter(|step| step.at == at && record::body(step) == entry.body) else {
        return false;
    };
    engine.start(&step);
    tally.observe(&step, entry.wall_ms);
    true
}

/// The world goes to the moment at which somebody did something; nothing else may happen on the way.
fn from_outside(engine: &mut Engine, at: Timestamp, entry: &Entry) -> Option<Step> {
    if engine.next_step(at).is_ok() || engine.now() != at {
        return None;
    }
    let input: Input = entry.body.read::<StoredBody>("a step").ok()?.input;
    Some(engine.take(input))
}

fn no_thread(source: std::io::Error) -> Error {
    Error::File { attempt: "start a thread for", path: "predictions".into(), source }
}
