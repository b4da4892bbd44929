//! How long to wait before a failed request is made again.

use model::hash::ContentHash;
use std::time::Duration;

/// After the first failure; each further pause is twice as long.
const FIRST: Duration = Duration::from_millis(500);
const LONGEST: Duration = Duration::from_secs(30);

/// A server that wants a longer rest gets it, but not from this call.
pub(super) const LONGEST_HONOURED: Duration = Duration::from_mins(1);

/// The pause after so many failures: between half of it and all of it, by the call, so that calls that failed together do not come back
/// together, and the same call always waits the same.
pub(super) fn after(failures: u32, key: ContentHash) -> Duration {
    let doublings = failures.clamp(1, 16) - 1;
    let longest = FIRST.saturating_mul(1 << doublings).min(LONGEST);
    let lot = ContentHash::of(&(key, failures)).to_string();
    let lot = lot.bytes().fold(0_u32, |sum, byte| sum.wrapping_mul(31).wrapping_add(u32::from(byte))) % 1_000;
    longest / 2 + longest * lot / 2_000
}

/// How long the server wants to be left alone: `retry-after-ms`, or `retry-after` in seconds or as a date.
pub(super) fn wanted(milliseconds: Option<&str>, after: Option<&str>, wall_ms: i64) -> Option<Duration> {
    let exact =
        milliseconds.and_then(|text| text.trim().parse::<f64>().ok()).and_then(seconds_of_milliseconds);
    let seconds =
        || after?.trim().parse::<f64>().ok().and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
    let date = || {
        let wait = moment(after?.trim())?.saturating_sub(wall_ms);
        Some(Duration::from_millis(wait.max(0).unsigned_abs()))
    };
    exact.or_else(seconds).or_else(date)
}

fn seconds_of_milliseconds(milliseconds: f64) -> Option<Duration> {
    Duration::try_from_secs_f64(milliseconds / 1_000.0).ok()
}

/// The milliseconds since 1970 of a date as HTTP writes it: `Wed, 21 Oct 2015 07:28:00 GMT`.
fn moment(text: &str) -> Option<i64> {
    const MONTHS: &str = "JanFebMarAprMayJunJulAugSepOctNovDec";
    let mut words = text.split_once(", ")?.1.strip_suffix(" GMT")?.split([' ', ':']);
    let mut number = || words.next()?.parse::<i64>().ok();
    let day = number()?;
    let month = words.next().filter(|month| month.len() == 3).and_then(|month| MONTHS.find(month))?;
    let month = i64::try_from(month / 3).ok()? + 1;
    let mut number = || words.next()?.parse::<i64>().ok();
    let (year, hour, minute, second) = (number()?, number()?, number()?, number()?);
    let is_sound = (1970..=9999).contains(&year) && (1..=31).contains(&day);
    let seconds = hour.checked_mul(3_600)?.checked_add(minute.checked_mul(60)?)?.checked_add(second)?;
    if !is_sound || !(0..=86_400).contains(&seconds) {
        return None;
    }
    Some((days_since_1970(year, month, day) * 86_400 + seconds) * 1_000)
}

/// Of the Gregorian calendar; a year is taken to begin in March, so that the odd day comes last.
const fn days_since_1970(year: i64, month: i64, day: i64) -> i64 {
    let (year, month) = if month > 2 { (year, month - 3) } else { (year - 1, month + 9) };
    let leaps = year / 4 - year / 100 + year / 400;
    // 719 468 days lie between 1 March of the year 0 and the beginning of 1970.
    year * 365 + leaps + (month * 153 + 2) / 5 + day - 1 - 719_468
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pauses_grow_within_their_range() {
        let key = |text: &str| ContentHash::of_bytes(text.as_bytes());
        for failures in 1..=40 {
            let longest = FIRST.saturating_mul(1 << (failures - 1).min(15)).min(LONGEST);
            for name in ["a", "b", "c"] {
                let pause = after(failures, key(name));
                assert!(pause >= longest / 2 && pause < longest, "{failures}: {pause:?}");
                assert_eq!(pause, after(failures, key(name)));
            }
        }
        let lots: std::collections::BTreeSet<Duration> =
            (0..100).map(|number| after(3, key(&number.to_string()))).collect();
        assert!(lots.len() > 80, "calls that failed together come back apart: {}", lots.len());
        assert_ne!(after(0, key("a")), Duration::ZERO);
    }

    #[test]
    fn servers_say_in_several_ways_when_to_come_back() {
        let wanted = |milliseconds, after| wanted(milliseconds, after, 1_445_412_470_000);
        let seconds = |seconds: f64| Some(Duration::from_secs_f64(seconds));
        assert_eq!(wanted(None, Some("7")), seconds(7.0));
        assert_eq!(wanted(None, Some(" 0.5 ")), seconds(0.5));
        assert_eq!(wanted(Some("250"), Some("7")), seconds(0.25));
        assert_eq!(wanted(None, Some("Wed, 21 Oct 2015 07:28:00 GMT")), seconds(10.0));
        assert_eq!(wanted(None, Some("Tue, 20 Oct 2015 07:28:00 GMT")), seconds(0.0));
        for nonsense in [
            "",
            "soon",
            "-3",
            "NaN",
            "1e400",
            "Wed, 99 Oct 2015 07:28:00 GMT",
            "Wed, 21 Foo 2015 07:28:00 GMT",
        ] {
            assert_eq!(wanted(None, Some(nonsense)), None, "{nonsense}");
        }
        assert_eq!(wanted(None, None), None);
    }

    #[test]
    fn dates_are_counted_right() {
        assert_eq!(moment("Thu, 01 Jan 1970 00:00:00 GMT"), Some(0));
        assert_eq!(moment("Thu, 29 Feb 2024 10:30:00 GMT"), Some(1_709_202_600_000));
        assert_eq!(moment("Fri, 31 Dec 1999 23:59:59 GMT"), Some(946_684_799_000));
    }
}
