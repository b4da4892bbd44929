//! Where there are only so many places: for whoever watches, wants a preview, or reads the numbers for Prometheus.

use crate::access::{Full, Room, Seat};
use crate::api::problem::{Kind, Problem};

/// Previews that are reckoned at the same time. Each keeps a core busy for seconds, on a thread that reads from the database otherwise.
const PREVIEWS: usize = 2;

/// And for one caller, so that a script that asks again and again leaves one for everybody else.
const PREVIEWS_OF_EACH: usize = 1;

/// Pages of numbers for Prometheus that are written or on their way at the same time: those of a large federation have tens of
/// megabytes, and stay in memory until they were read.
const METRICS_PAGES: usize = 8;
const METRICS_PAGES_OF_EACH: usize = 2;

#[derive(Debug)]
pub struct Rooms {
    streams: Room,
    previews: Room,
    metrics_pages: Room,
}

impl Rooms {
    pub fn new(streams: u32, streams_of_each: u32) -> Self {
        Self {
            streams: Room::new(streams as usize, streams_of_each as usize),
            previews: Room::new(PREVIEWS, PREVIEWS_OF_EACH),
            metrics_pages: Room::new(METRICS_PAGES, METRICS_PAGES_OF_EACH),
        }
    }

    /// A place among those who watch events or clusters as they change.
    pub fn watch(&self, caller: &str) -> Result<Seat, Problem> {
        let most = self.streams.of_each();
        let own = format!(
            "{caller} watches {most} times already, and nobody may do so more often; close one of these streams first, or raise \
             limits.streams_per_caller in the desk's file."
        );
        let others = "Too many watch already; try again later.";
        self.streams.take(caller).map_err(|full| no_place(full, &own, others).after(10))
    }

    /// How many watch.
    pub fn watchers(&self) -> usize {
        self.streams.taken()
    }

    /// A place among those for whom a preview is reckoned.
    pub fn preview(&self, caller: &str) -> Result<Seat, Problem> {
        let own = "A preview is being reckoned for you already; wait for it before you ask for another.";
        let others = "Previews are reckoned for others now; try again in a moment.";
        self.previews.take(caller).map_err(|full| no_place(full, own, others).after(2))
    }

    /// A place among those who read the numbers for Prometheus.
    pub fn metrics_page(&self, caller: &str) -> Result<Seat, Problem> {
        let own = "You are reading these numbers already; read them to their end before you ask again.";
        let others = "Others read these numbers now; try again in a moment.";
        self.metrics_pages.take(caller).map_err(|full| no_place(full, own, others).after(1))
    }
}

fn no_place(full: Full, own: &str, others: &str) -> Problem {
    match full {
        Full::ForCaller => Problem::new(Kind::RateLimited, own),
        Full::ForAll => Problem::new(Kind::NotReady, others),
    }
}
