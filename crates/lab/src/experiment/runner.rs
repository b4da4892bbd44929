//! Runs cells on all cores. What is known is not run again, what is finished is kept at once, and the order of the results is
//! that of the cells, whichever ended first.

use super::cell::{Cell, CellKey, CellResult, Measured};
use std::any::Any;
use std::io;
use std::num::NonZeroUsize;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Where finished cells are kept.
pub trait CellStore: Sync {
    fn find(&self, key: CellKey) -> io::Result<Option<CellResult>>;
    fn keep(&self, key: CellKey, result: &CellResult) -> io::Result<()>;
}

/// Keeps nothing: every cell runs.
pub struct NoStore;

impl CellStore for NoStore {
    fn find(&self, _: CellKey) -> io::Result<Option<CellResult>> {
        Ok(None)
    }

    fn keep(&self, _: CellKey, _: &CellResult) -> io::Result<()> {
        Ok(())
    }
}

/// Says whether a cell that has run since it was made has taken too long. Only the shell has a clock.
pub trait Patience: Sync {
    /// Called when a cell starts; the answer is asked again and again while it runs and gives the seconds once it is too long.
    fn begin(&self) -> Box<dyn Fn() -> Option<u64>>;
}

/// Waits for ever.
pub struct Endless;

impl Patience for Endless {
    fn begin(&self) -> Box<dyn Fn() -> Option<u64>> {
        Box::new(|| None)
    }
}

/// How far an experiment is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Progress {
    pub done: usize,
    /// Of those done, how many were known before.
    pub known: usize,
    /// Of those done, how many failed or timed out.
    pub troubled: usize,
}

/// What a runner needs besides the cells.
pub struct Crew<'a> {
    pub jobs: NonZeroUsize,
    pub store: &'a dyn CellStore,
    pub patience: &'a dyn Patience,
    pub told: &'a (dyn Fn(Progress) + Sync),
}

/// The results in the order of the cells.
pub fn run_all(cells: &[Cell], crew: &Crew<'_>) -> io::Result<Vec<CellResult>> {
    let next = AtomicUsize::new(0);
    let board = Mutex::new((Progress::default(), vec![None; cells.len()]));
    let outcome = std::thread::scope(|scope| {
        let workers: Vec<_> = (0..crew.jobs.get().min(cells.len().max(1)))
            .map(|_| scope.spawn(|| work(cells, crew, &next, &board)))
            .collect();
        workers.into_iter().map(|worker| worker.join().unwrap_or_else(|panic| resume_unwind(panic))).collect()
    });
    let outcome: io::Result<Vec<()>> = outcome;
    outcome?;
    let (_, results) = board.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner);
    Ok(results.into_iter().map(|result| result.expect("every cell was taken by a worker")).collect())
}

type Board = Mutex<(Progress, Vec<Option<CellResult>>)>;

fn work(cells: &[Cell], crew: &Crew<'_>, next: &AtomicUsize, board: &Board) -> io::Result<()> {
    while let Some(index) = Some(next.fetch_add(1, Ordering::Relaxed)).filter(|index| *index < cells.len()) {
        let cell = &cells[index];
        let (result, is_known) = obtain(cell, crew)?;
        let mut board = board.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        let (progress, results) = &mut *board;
        progress.done += 1;
        progress.known += usize::from(is_known);
        progress.troubled += usize::from(!matches!(result, CellResult::Completed(_)));
        results[index] = Some(result);
        (crew.told)(*progress);
    }
    Ok(())
}

/// The result, and whether it was there before. A time-out says something about this machine at this hour, so it is not kept.
fn obtain(cell: &Cell, crew: &Crew<'_>) -> io::Result<(CellResult, bool)> {
    if let Some(known) = crew.store.find(cell.key)? {
        return Ok((known, true));
    }
    let result = attempt(cell, crew.patience);
    if !matches!(result, CellResult::TimedOut { .. }) {
        crew.store.keep(cell.key, &result)?;
    }
    Ok((result, false))
}

/// Carries the seconds after which a run was given up.
struct GivenUp(u64);

/// One run; whatever goes wrong in it stays in it.
fn attempt(cell: &Cell, patience: &dyn Patience) -> CellResult {
    let too_long = patience.begin();
    let mut observer = |_: _, _: &_, _: &[_]| {
        if let Some(seconds) = too_long() {
            resume_unwind(Box::new(GivenUp(seconds)));
        }
    };
    let run = catch_unwind(AssertUnwindSafe(|| cell.plan.run(io::sink(), &mut observer)));
    match run {
        Ok(Ok(outcome)) => CellResult::Completed(Box::new(Measured::of(&outcome))),
        Ok(Err(error)) => CellResult::Failed { why: error.to_string() },
        Err(panic) => unfinished(&*panic),
    }
}

fn unfinished(panic: &(dyn Any + Send)) -> CellResult {
    if let Some(GivenUp(after_s)) = panic.downcast_ref() {
        return CellResult::TimedOut { after_s: *after_s };
    }
    let text = panic.downcast_ref::<String>().map(String::as_str);
    let text = text.or_else(|| panic.downcast_ref::<&str>().copied());
    CellResult::Failed { why: text.unwrap_or("it ended without a reason").to_owned() }
}
