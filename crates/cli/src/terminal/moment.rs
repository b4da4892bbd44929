//! Moments on the wall as people type them: so long ago, a day, or a day with its time.

use model::calendar::Date;
use model::time::Period;
use std::str::FromStr;

const SECOND: i64 = 1_000;
const MINUTE: i64 = 60 * SECOND;
const HOUR: i64 = 60 * MINUTE;
const DAY: i64 = 24 * HOUR;

/// A moment that somebody named.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Moment {
    /// So long before now.
    Ago(Period),
    /// Milliseconds since 1970, universal time.
    At(i64),
}

impl Moment {
    /// Milliseconds since 1970.
    pub(crate) fn wall_ms(self, now: i64) -> i64 {
        match self {
            Self::Ago(period) => now.saturating_sub_unsigned(period.as_millis()),
            Self::At(milliseconds) => milliseconds,
        }
    }
}

impl FromStr for Moment {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let wrong = || {
            "this is no moment; say how long ago, such as 2h, or when, such as 2026-11-16 or 2026-11-16T07:30Z"
                .to_owned()
        };
        if let Some(at) = written_out(text) {
            return Ok(Self::At(at));
        }
        text.parse().map(Self::Ago).map_err(|_| wrong())
    }
}

/// `2026-11-16`, or with `T07:30` or `T07:30:12` behind it, and `Z` if one likes. A space may stand for the T, as `utc` prints it.
fn written_out(text: &str) -> Option<i64> {
    let (date, time) = match text.split_once(['T', ' ']) {
        Some((date, time)) => (date, time_of_day(time.strip_suffix('Z').unwrap_or(time))?),
        None => (text, 0),
    };
    let mut parts = date.splitn(3, '-');
    let mut part = |digits| number(parts.next()?, digits);
    let date = Date { year: part(4)?, month: part(2)?, day: part(2)? };
    date.exists().then(|| date.day_number() * DAY + time)
}

fn time_of_day(text: &str) -> Option<i64> {
    let mut parts = text.split(':');
    let hour = parts.next().and_then(|part| number(part, 2)).filter(|hour| *hour < 24)?;
    let minute = parts.next().and_then(|part| number(part, 2)).filter(|minute| *minute < 60)?;
    let second = parts.next().map_or(Some(0), |part| number(part, 2)).filter(|second| *second < 60)?;
    parts.next().is_none().then_some(hour * HOUR + minute * MINUTE + second * SECOND)
}

fn number(text: &str, digits: usize) -> Option<i64> {
    let plain = text.len() == digits && text.bytes().all(|byte| byte.is_ascii_digit());
    plain.then(|| text.parse().ok()).flatten()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::terminal::utc;

    #[test]
    fn a_moment_is_a_length_before_now_or_a_date() {
        let now = 1_794_814_000_000;
        for (text, expected) in [
            ("2h", "2026-11-16 05:26:40Z"),
            ("1d", "2026-11-15 07:26:40Z"),
            ("2026-11-16", "2026-11-16 00:00:00Z"),
            ("2026-11-16T07:30", "2026-11-16 07:30:00Z"),
            ("2026-11-16T07:30:12Z", "2026-11-16 07:30:12Z"),
            ("2026-11-16 07:26:40Z", "2026-11-16 07:26:40Z"),
        ] {
            let moment: Moment = text.parse().unwrap();
            assert_eq!(utc(moment.wall_ms(now)), expected, "{text}");
        }
    }

    #[test]
    fn what_is_no_moment_is_refused() {
        for text in
            ["", "soon", "-2h", "2026-13-01", "2026-02-30", "26-11-16", "2026-11-16T24:00", "2026-11-16T7:30"]
        {
            assert!(text.parse::<Moment>().is_err(), "{text:?}");
        }
        for text in ["2026-11-16T07", "2026-11-16T07:30:00:00", "2026-11-16T", "2026-11-16+02:00"] {
            assert!(text.parse::<Moment>().is_err(), "{text:?}");
        }
    }
}
