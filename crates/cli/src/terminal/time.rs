//! Times as people read them: lengths, moments of the federation's own time, and the time of day.

use model::calendar::Date;

const SECOND: u64 = 1_000;
const MINUTE: u64 = 60 * SECOND;
const HOUR: u64 = 60 * MINUTE;
const DAY: u64 = 24 * HOUR;

/// A length in its two largest units: `3d 4h`, `12m 30s`, `45s`.
pub(crate) fn span(milliseconds: u64) -> String {
    let units = [(DAY, "d"), (HOUR, "h"), (MINUTE, "m"), (SECOND, "s")];
    let largest = units.iter().position(|(length, _)| milliseconds >= *length);
    let Some(first) = largest else {
        return if milliseconds == 0 { "0s".to_owned() } else { format!("{milliseconds}ms") };
    };
    let mut rest = milliseconds;
    let mut parts = Vec::new();
    for (length, name) in units.iter().skip(first).take(2) {
        if rest / length > 0 {
            parts.push(format!("{}{name}", rest / length));
        }
        rest %= length;
    }
    parts.join(" ")
}

/// A moment of the federation's own time: `0:04:30` after its beginning, `2d 0:04:30` after days.
pub(crate) fn clock(milliseconds: u64) -> String {
    let (days, rest) = (milliseconds / DAY, milliseconds % DAY);
    let time = format!("{}:{:02}:{:02}", rest / HOUR, rest % HOUR / MINUTE, rest % MINUTE / SECOND);
    if days == 0 { time } else { format!("{days}d {time}") }
}

/// A moment on the wall, from milliseconds since 1970: `2026-11-16 07:26:12Z`.
pub(crate) fn utc(milliseconds: i64) -> String {
    let (days, rest) = (milliseconds.div_euclid(DAY as i64), milliseconds.rem_euclid(DAY as i64) as u64);
    format!(
        "{} {:02}:{:02}:{:02}Z",
        Date::of_day(days),
        rest / HOUR,
        rest % HOUR / MINUTE,
        rest % MINUTE / SECOND
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lengths_have_two_units_at_most() {
        for (milliseconds, text) in [
            (0, "0s"),
            (250, "250ms"),
            (45_000, "45s"),
            (750_000, "12m 30s"),
            (3_600_000, "1h"),
            (3_605_000, "1h"),
            (277_200_000, "3d 5h"),
        ] {
            assert_eq!(span(milliseconds), text);
        }
    }

    #[test]
    fn moments_are_counted_from_the_beginning() {
        assert_eq!(clock(270_000), "0:04:30");
        assert_eq!(clock(2 * DAY + 3_599_000), "2d 0:59:59");
    }

    #[test]
    fn dates_are_those_of_the_calendar() {
        for (milliseconds, text) in [
            (0, "1970-01-01 00:00:00Z"),
            (951_782_400_000, "2000-02-29 00:00:00Z"),
            (1_709_251_199_999, "2024-02-29 23:59:59Z"),
            (1_794_814_000_000, "2026-11-16 07:26:40Z"),
            (4_107_542_400_000, "2100-03-01 00:00:00Z"),
            (-1, "1969-12-31 23:59:59Z"),
        ] {
            assert_eq!(utc(milliseconds), text);
        }
    }
}
