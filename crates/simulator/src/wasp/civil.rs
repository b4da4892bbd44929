//! Calendar time without a time zone, as WASP writes it: `2026-01-13 20:37:44` and `20260113_203744`.

use model::calendar::Date;

const SECONDS_IN_DAY: i64 = 86_400;

/// A date and a time of day.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Civil {
    date: Date,
    second_of_day: i64,
}

impl Civil {
    pub(super) fn from_unix(seconds: u64) -> Self {
        let (days, second_of_day) = (seconds as i64 / SECONDS_IN_DAY, seconds as i64 % SECONDS_IN_DAY);
        Self { date: Date::of_day(days), second_of_day }
    }

    /// Seconds since 1970, reading the calendar time as UTC; `None` before 1970.
    pub(crate) fn to_unix(self) -> Option<u64> {
        u64::try_from(self.date.day_number() * SECONDS_IN_DAY + self.second_of_day).ok()
    }

    /// Reads `YYYY-MM-DD HH:MM:SS`; a date that does not exist is refused.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        let (date, time) = text.split_once(' ')?;
        let [year, month, day] = numbers(date, '-', [4, 2, 2])?;
        let [hour, minute, second] = numbers(time, ':', [2, 2, 2])?;
        if hour > 23 || minute > 59 || second > 59 || year < 1970 {
            return None;
        }
        let date = Date { year, month, day };
        date.exists().then_some(Self { date, second_of_day: hour * 3600 + minute * 60 + second })
    }

    /// `2026-01-13 20:37:44`.
    pub(super) fn spaced(self) -> String {
        let (hour, minute, second) = self.clock();
        format!("{} {hour:02}:{minute:02}:{second:02}", self.date)
    }

    /// `20260113_203744`.
    pub(super) fn compact(self) -> String {
        let (hour, minute, second) = self.clock();
        let Date { year, month, day } = self.date;
        format!("{year:04}{month:02}{day:02}_{hour:02}{minute:02}{second:02}")
    }

    fn clock(self) -> (i64, i64, i64) {
        (self.second_of_day / 3600, self.second_of_day / 60 % 60, self.second_of_day % 60)
    }
}

fn numbers(text: &str, separator: char, widths: [usize; 3]) -> Option<[i64; 3]> {
    let parts: Vec<&str> = text.split(separator).collect();
    let [first, second, third] = parts.as_slice() else { return None };
    let number = |part: &str, width: usize| {
        let is_number = part.len() == width && part.bytes().all(|byte| byte.is_ascii_digit());
        if is_number { part.parse::<i64>().ok() } else { None }
    };
    Some([number(first, widths[0])?, number(second, widths[1])?, number(third, widths[2])?])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn calendar_and_seconds_agree() {
        let check = |text: &str, seconds: u64| {
            let civil = Civil::parse(text).unwrap_or_else(|| panic!("{text} is a date"));
            assert_eq!(civil.to_unix(), Some(seconds), "{text}");
            assert_eq!(Civil::from_unix(seconds).spaced(), text);
        };
        check("1970-01-01 00:00:00", 0);
        check("2000-02-29 12:00:00", 951_825_600);
        check("2025-10-27 22:22:53", 1_761_603_773);
        check("2026-01-13 20:37:44", 1_768_336_664);
        check("2100-03-01 00:00:00", 4_107_542_400);
        assert_eq!(Civil::from_unix(1_768_336_664).compact(), "20260113_203744");
    }

    #[test]
    fn what_is_no_date() {
        for text in
            ["", "2026-02-30 00:00:00", "2026-13-01 00:00:00", "2026-00-01 00:00:00", "2026-1-13 20:37:44"]
        {
            assert_eq!(Civil::parse(text), None, "{text}");
        }
        for text in
            ["2026-01-13T20:37:44", "2026-01-13 24:00:00", "1969-12-31 23:59:59", "2026-01-13 20:37:4x"]
        {
            assert_eq!(Civil::parse(text), None, "{text}");
        }
    }
}
