//! How long a run may take by the clock on the wall.

use lab::experiment::runner::Patience;
use std::time::{Duration, Instant};

/// Gives up after some seconds, or never.
pub(crate) struct Stopwatch {
    limit: Option<Duration>,
}

impl Stopwatch {
    pub(crate) fn new(seconds: Option<u64>) -> Self {
        Self { limit: seconds.map(Duration::from_secs) }
    }
}

impl Patience for Stopwatch {
    #[expect(clippy::disallowed_methods, reason = "this is the shell, and real time is meant")]
    fn begin(&self) -> Box<dyn Fn() -> Option<u64>> {
        let (limit, start) = (self.limit, Instant::now());
        Box::new(move || limit.filter(|limit| start.elapsed() >= *limit).map(|limit| limit.as_secs()))
    }
}
