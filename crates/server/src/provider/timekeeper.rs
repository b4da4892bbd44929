//! Time as the provider knows it, so that tests need not wait.

use crate::clock;
use std::pin::Pin;
use std::time::{Duration, Instant};

/// Says what time it is, and waits.
pub trait Timekeeper: Send + Sync {
    /// Milliseconds since 1970, for what counts by the day.
    fn wall_ms(&self) -> i64;
    /// Since some moment; it never goes back.
    fn elapsed(&self) -> Duration;
    fn sleep(&self, how_long: Duration) -> Pin<Box<dyn Future<Output = ()> + Send>>;
}

/// The real time.
pub(super) struct RealTime(Instant);

impl RealTime {
    pub(super) fn new() -> Self {
        Self(clock::now())
    }
}

impl Timekeeper for RealTime {
    fn wall_ms(&self) -> i64 {
        clock::wall_ms()
    }

    fn elapsed(&self) -> Duration {
        clock::now().saturating_duration_since(self.0)
    }

    fn sleep(&self, how_long: Duration) -> Pin<Box<dyn Future<Output = ()> + Send>> {
        Box::pin(tokio::time::sleep(how_long))
    }
}
