//! The only place of this crate that reads a clock, and how its moments are written. Everything else is told what time it is.

use model::calendar::Date;
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

/// A time as RFC 3339 writes it: `2026-01-13T20:37:44.120Z`.
pub fn moment(wall_ms: i64) -> String {
    let (days, rest) = (wall_ms.div_euclid(86_400_000), wall_ms.rem_euclid(86_400_000));
    let (hour, minute, second) = (rest / 3_600_000, rest / 60_000 % 60, rest / 1_000 % 60);
    format!("{}T{hour:02}:{minute:02}:{second:02}.{:03}Z", Date::of_day(days), rest % 1_000)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_written_as_everybody_reads_them() {
        for (wall_ms, text) in [
            (0, "1970-01-01T00:00:00.000Z"),
            (951_782_400_000, "2000-02-29T00:00:00.000Z"),
            (1_735_689_599_999, "2024-12-31T23:59:59.999Z"),
            (1_768_336_664_120, "2026-01-13T20:37:44.120Z"),
            (4_107_542_400_000, "2100-03-01T00:00:00.000Z"),
        ] {
            assert_eq!(moment(wall_ms), text);
        }
    }
}
