//! Calendar time without a time zone, as WASP writes it: `2026-01-13 20:37:44` and `20260113_203744`.

/// Days from 1 March of year 0 to 1 January 1970 in the proleptic Gregorian calendar.
const DAYS_BEFORE_EPOCH: i64 = 719_468;

/// Days in 400 years: 400 × 365 + 97 leap days.
const DAYS_IN_ERA: i64 = 146_097;

const SECONDS_IN_DAY: i64 = 86_400;

/// A date and a time of day.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Civil {
    year: i64,
    month: i64,
    day: i64,
    second_of_day: i64,
}

impl Civil {
    pub(super) fn from_unix(seconds: u64) -> Self {
        let seconds = seconds as i64;
        let (days, second_of_day) = (seconds / SECONDS_IN_DAY, seconds % SECONDS_IN_DAY);
        // Counting from March puts the leap day at the end of the year.
        let shifted = days + DAYS_BEFORE_EPOCH;
        let (era, day_of_era) = (shifted / DAYS_IN_ERA, shifted % DAYS_IN_ERA);
        let year_of_era = (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
        let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
        // Months from March have lengths 31, 30, 31, 30, 31 repeated: 153 days in five.
        let march_month = (5 * day_of_year + 2) / 153;
        let day = day_of_year - (153 * march_month + 2) / 5 + 1;
        let month = if march_month < 10 { march_month + 3 } else { march_month - 9 };
        let year = year_of_era + era * 400 + i64::from(month <= 2);
        Self { year, month, day, second_of_day }
    }

    /// Seconds since 1970, reading the calendar time as UTC; `None` before 1970.
    pub(crate) fn to_unix(self) -> Option<u64> {
        let year = self.year - i64::from(self.month <= 2);
        let (era, year_of_era) = (year / 400, year % 400);
        let march_month = if self.month > 2 { self.month - 3 } else { self.month + 9 };
        let day_of_year = (153 * march_month + 2) / 5 + self.day - 1;
        let day_of_era = year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year;
        let days = era * DAYS_IN_ERA + day_of_era - DAYS_BEFORE_EPOCH;
        u64::try_from(days * SECONDS_IN_DAY + self.second_of_day).ok()
    }

    /// Reads `YYYY-MM-DD HH:MM:SS`; a date that does not exist is refused.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        let (date, time) = text.split_once(' ')?;
        let [year, month, day] = numbers(date, '-', [4, 2, 2])?;
        let [hour, minute, second] = numbers(time, ':', [2, 2, 2])?;
        if hour > 23 || minute > 59 || second > 59 || year < 1970 {
            return None;
        }
        let civil = Self { year, month, day, second_of_day: hour * 3600 + minute * 60 + second };
        // Only a date that exists comes back the same.
        ((1..=12).contains(&month) && Self::from_unix(civil.to_unix()?) == civil).then_some(civil)
    }

    /// `2026-01-13 20:37:44`.
    pub(super) fn spaced(self) -> String {
        let (hour, minute, second) = self.clock();
        format!("{:04}-{:02}-{:02} {hour:02}:{minute:02}:{second:02}", self.year, self.month, self.day)
    }

    /// `20260113_203744`.
    pub(super) fn compact(self) -> String {
        let (hour, minute, second) = self.clock();
        format!("{:04}{:02}{:02}_{hour:02}{minute:02}{second:02}", self.year, self.month, self.day)
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
