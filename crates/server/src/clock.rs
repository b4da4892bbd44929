//! The only place of this crate that reads a clock. Everything else is told what time it is.

use std::time::{Instant, SystemTime, UNIX_EPOCH};

/// Milliseconds since 1970.
#[expect(clippy::disallowed_methods, reason = "the desk lives in real time; this is where it learns it")]
pub fn wall_ms() -> i64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_millis() as i64)
}

/// Now, for measuring how long something takes.
#[expect(clippy::disallowed_methods, reason = "the desk lives in real time; this is where it learns it")]
pub fn now() -> Instant {
    Instant::now()
}
