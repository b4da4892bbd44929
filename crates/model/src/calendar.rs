//! The Gregorian calendar, for every text with a date in it. Without time zones: a day is a number since 1970-01-01.

/// Days from 1 March of the year 0 to 1 January 1970.
const DAYS_BEFORE_EPOCH: i64 = 719_468;

/// Days in 400 years: 400 × 365 + 97 leap days.
const DAYS_IN_ERA: i64 = 146_097;

/// A day of the calendar; of any year, so before 1970 too.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Date {
    pub year: i64,
    /// From 1 to 12.
    pub month: i64,
    /// From 1.
    pub day: i64,
}

impl Date {
    /// The date of a day counted from 1970-01-01.
    pub fn of_day(number: i64) -> Self {
        // Counting years from March puts the leap day at their end.
        let shifted = number + DAYS_BEFORE_EPOCH;
        let (era, day_of_era) = (shifted.div_euclid(DAYS_IN_ERA), shifted.rem_euclid(DAYS_IN_ERA));
        let leap_days = day_of_era / 1_460 - day_of_era / 36_524 + day_of_era / 146_096;
        let year_of_era = (day_of_era - leap_days) / 365;
        let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
        // Months from March have lengths 31, 30, 31, 30, 31 repeated: 153 days in five.
        let month_from_march = (5 * day_of_year + 2) / 153;
        let day = day_of_year - (153 * month_from_march + 2) / 5 + 1;
        let month = (month_from_march + 2) % 12 + 1;
        Self { year: year_of_era + era * 400 + i64::from(month <= 2), month, day }
    }

    /// How many days after 1970-01-01 it is; of a date that does not exist, such as 30 February, the day that far on.
    pub fn day_number(self) -> i64 {
        let year = self.year - i64::from(self.month <= 2);
        let (era, year_of_era) = (year.div_euclid(400), year.rem_euclid(400));
        let day_of_year = (153 * ((self.month + 9) % 12) + 2) / 5 + self.day - 1;
        let day_of_era = year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year;
        era * DAYS_IN_ERA + day_of_era - DAYS_BEFORE_EPOCH
    }

    /// Whether the calendar has such a day.
    pub fn exists(self) -> bool {
        (1..=12).contains(&self.month) && Self::of_day(self.day_number()) == self
    }
}

/// `2026-01-13`.
impl std::fmt::Display for Date {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(formatter, "{:04}-{:02}-{:02}", self.year, self.month, self.day)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_and_dates_agree() {
        let rows = [
            (0, "1970-01-01"),
            (-1, "1969-12-31"),
            (11_016, "2000-02-29"),
            (11_017, "2000-03-01"),
            (20_466, "2026-01-13"),
            (47_541, "2100-03-01"),
            (-719_468, "0000-03-01"),
        ];
        for (number, text) in rows {
            assert_eq!(Date::of_day(number).to_string(), text);
        }
    }

    #[test]
    fn every_day_of_two_eras_follows_the_one_before_and_comes_back() {
        let mut before = Date::of_day(-DAYS_IN_ERA - 1);
        for number in -DAYS_IN_ERA..DAYS_IN_ERA {
            let date = Date::of_day(number);
            assert_eq!(date.day_number(), number, "{date}");
            assert!(date.exists(), "{date}");
            let is_next = (date.year, date.month, date.day) == (before.year, before.month, before.day + 1);
            let is_first = date.day == 1 && before.day >= 28;
            assert!(is_next || is_first, "{before} is followed by {date}");
            before = date;
        }
    }

    #[test]
    fn what_is_no_day() {
        for (year, month, day) in [(2026, 2, 29), (2100, 2, 29), (2026, 13, 1), (2026, 0, 1), (2026, 4, 31)] {
            assert!(!Date { year, month, day }.exists(), "{year}-{month}-{day}");
        }
    }
}
