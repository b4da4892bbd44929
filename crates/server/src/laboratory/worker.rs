//! The one who runs simulations, one comparison after the other, on all cores but one: the office and its people come first.

use super::book::Job;
use super::findings::Findings;
use super::room::Room;
use crate::clock;
use lab::experiment::layout;
use lab::experiment::runner::{Crew, NoStore, Patience, run_all};
use std::num::NonZeroUsize;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// A run that takes longer by the clock on the wall is given up and counted. The heaviest shipped scenario takes two seconds, and ten
/// without optimisation.
pub const LONGEST_RUN: Duration = Duration::from_mins(5);

/// Works until nothing waits any more.
pub(super) fn work(room: &Room) {
    while let Some(job) = room.next() {
        // Whatever goes wrong in one of them must not keep the others waiting.
        let outcome = catch_unwind(AssertUnwindSafe(|| compare(&job, room)));
        let broken = |_| Err("It broke; the desk's log says how.".to_owned());
        room.end(job.number, outcome.unwrap_or_else(broken));
    }
}

fn compare(job: &Job, room: &Room) -> Result<Findings, String> {
    let (experiment, settings) = (&job.order.experiment, [job.order.setting()]);
    let cells = layout::cells(experiment, &settings, env!("CARGO_PKG_VERSION"), None);
    let crew = Crew {
        jobs: all_cores_but_one(),
        store: &NoStore,
        patience: &UntilUnwanted { stop: Arc::clone(&job.stop) },
        told: &|progress| room.advance(job.number, progress),
    };
    let results = run_all(&cells, &crew).map_err(|error| error.to_string())?;
    if job.stop.load(Ordering::Acquire) {
        return Err("It was cancelled.".to_owned());
    }
    Findings::of(&layout::gathered(experiment, &settings, results))
}

fn all_cores_but_one() -> NonZeroUsize {
    let cores = std::thread::available_parallelism().map_or(1, NonZeroUsize::get);
    NonZeroUsize::new(cores - 1).unwrap_or(NonZeroUsize::MIN)
}

/// Gives a run up when nobody wants it any more, or when it takes too long.
struct UntilUnwanted {
    stop: Arc<AtomicBool>,
}

impl Patience for UntilUnwanted {
    fn begin(&self) -> Box<dyn Fn() -> Option<u64>> {
        let (stop, begun) = (Arc::clone(&self.stop), clock::now());
        Box::new(move || {
            let passed = clock::now().saturating_duration_since(begun);
            (stop.load(Ordering::Acquire) || passed >= LONGEST_RUN).then_some(passed.as_secs())
        })
    }
}
