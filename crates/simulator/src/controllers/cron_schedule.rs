//! Cron schedules: when a five-field expression, a shorthand such as `@daily` or `@every 90m` is due next, in UTC.

use model::calendar::Date;
use model::time::{Period, Timestamp};

const SECOND: u64 = 1_000;
/// From here on in seconds.
const MINUTE: u64 = 60;
const DAY: u64 = 24 * 60 * MINUTE;

/// Which moments a `CronJob` is due at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Schedule {
    Calendar(CalendarSchedule),
    /// This long after the moment one asks from, in whole seconds.
    Every(Period),
}

/// One bit per minute, hour, day, month and weekday on which the schedule is due.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CalendarSchedule {
    minutes: u64,
    hours: u64,
    days: u64,
    months: u64,
    weekdays: u64,
    /// Day and weekday are both restricted: either is enough. Otherwise both must hold.
    either_day: bool,
}

/// An expression that is no schedule.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ScheduleError {
    #[error(
        "a schedule has five fields (minute, hour, day of month, month, day of week) and `{text}` has {count}"
    )]
    FieldCount { text: String, count: usize },
    #[error("`{part}` in the field {field} is not a number{}", names_hint(.field))]
    NotANumber { field: &'static str, part: String },
    #[error("{value} in the field {field} is out of range")]
    OutOfRange { field: &'static str, value: u64 },
    #[error("`{part}` in the field {field} runs backwards")]
    Backwards { field: &'static str, part: String, first: u64, last: u64, lowest: u64, highest: u64 },
    #[error("`{part}` in the field {field} has a step of zero")]
    ZeroStep { field: &'static str, part: String },
    #[error("`{text}` is not a known shorthand")]
    UnknownShorthand { text: String },
    #[error("`{text}` is not a period of at least a second")]
    BadPeriod { text: String },
    #[error("time zones in a schedule are not supported")]
    TimeZone { rest: String },
    #[error("`{text}` names a day that never comes")]
    Never { text: String },
}

impl ScheduleError {
    /// What to write instead.
    pub fn proposal(&self) -> String {
        match self {
            Self::FieldCount { .. } => "write for instance \"*/5 * * * *\"".to_owned(),
            Self::NotANumber { field, .. } => range_hint(field),
            Self::OutOfRange { field, value } => {
                format!("{}{}", range_hint(field), sunday_hint(field, *value))
            }
            Self::Backwards { first, last, lowest, highest, .. } => {
                format!("write it as two ranges, as in `{first}-{highest},{lowest}-{last}`")
            }
            Self::ZeroStep { .. } => "leave the step out or write at least 1".to_owned(),
            Self::UnknownShorthand { .. } => {
                "write @yearly, @monthly, @weekly, @daily, @hourly or `@every 90m`".to_owned()
            }
            Self::BadPeriod { .. } => "write for instance \"@every 1h30m\"".to_owned(),
            Self::TimeZone { rest } => format!("write `{rest}` and mean UTC"),
            Self::Never { .. } => "write a day that its month has, for instance \"0 0 28 2 *\"".to_owned(),
        }
    }
}

struct Field {
    name: &'static str,
    lowest: u64,
    highest: u64,
    /// Names for the values from `lowest` on.
    names: &'static [&'static str],
}

const MONTHS: [&str; 12] =
    ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];
const WEEKDAYS: [&str; 7] = ["sun", "mon", "tue", "wed", "thu", "fri", "sat"];
const FIELDS: [Field; 5] = [
    Field { name: "minute", lowest: 0, highest: 59, names: &[] },
    Field { name: "hour", lowest: 0, highest: 23, names: &[] },
    Field { name: "day of month", lowest: 1, highest: 31, names: &[] },
    Field { name: "month", lowest: 1, highest: 12, names: &MONTHS },
    Field { name: "day of week", lowest: 0, highest: 6, names: &WEEKDAYS },
];

fn field_named(name: &str) -> &'static Field {
    FIELDS.iter().find(|field| field.name == name).expect("errors name one of the five fields")
}

fn range_hint(field: &str) -> String {
    let Field { lowest, highest, .. } = field_named(field);
    format!("write {lowest} to {highest}")
}

fn names_hint(field: &str) -> String {
    match field_named(field).names {
        [] => String::new(),
        [first, .., last] => format!(" or a name from {first} to {last}"),
        [only] => format!(" or {only}"),
    }
}

fn sunday_hint(field: &str, value: u64) -> &'static str {
    if field == "day of week" && value == 7 { ", Sunday is 0" } else { "" }
}

impl Schedule {
    /// Reads what the field `schedule` of a `CronJob` may hold.
    pub fn parse(text: &str) -> Result<Self, ScheduleError> {
        let text = text.trim();
        if let Some((zone, rest)) = text.split_once(char::is_whitespace)
            && (zone.starts_with("TZ=") || zone.starts_with("CRON_TZ="))
        {
            return Err(ScheduleError::TimeZone { rest: rest.trim().to_owned() });
        }
        if let Some(period) = text.strip_prefix("@every ") {
            return parse_every(period).ok_or_else(|| ScheduleError::BadPeriod { text: text.to_owned() });
        }
        let fields = if text.starts_with('@') { expand_shorthand(text)? } else { text };
        parse_fields(fields).map(Self::Calendar)
    }

    /// The first due moment after `moment`. `origin` is the calendar time of moment 0, in milliseconds since
    /// 1970-01-01T00:00Z. Nothing if the world's clock would not reach it.
    pub fn next_after(&self, moment: Timestamp, origin: Period) -> Option<Timestamp> {
        match self {
            Self::Every(period) => {
                let calendar = moment.checked_add(*period)?.as_millis().checked_add(origin.as_millis())?;
                (calendar / SECOND * SECOND).checked_sub(origin.as_millis()).map(Timestamp)
            }
            Self::Calendar(calendar) => {
                let second =
                    calendar.next_after(moment.as_millis().checked_add(origin.as_millis())? / SECOND)?;
                (second * SECOND).checked_sub(origin.as_millis()).map(Timestamp)
            }
        }
    }
}

/// As the field `schedule` of a `CronJob` holds it; another expression for the same moments than was written, perhaps.
impl std::fmt::Display for Schedule {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Every(period) => write!(formatter, "@every {}s", period.as_millis() / SECOND),
            Self::Calendar(calendar) => {
                let fields = [
                    (calendar.minutes, 0..=59),
                    (calendar.hours, 0..=23),
                    (calendar.days, 1..=31),
                    (calendar.months, 1..=12),
                    (calendar.weekdays, 0..=6),
                ];
                let mut fields = fields.map(|(bits, range)| written(bits, range));
                // A star would mean both days and not either.
                for (day, all) in [(2, "1-31"), (4, "0-6")] {
                    if calendar.either_day && fields[day] == "*" {
                        all.clone_into(&mut fields[day]);
                    }
                }
                formatter.write_str(&fields.join(" "))
            }
        }
    }
}

/// One field: everything, every so many, or a list.
fn written(bits: u64, range: std::ops::RangeInclusive<u64>) -> String {
    let due: Vec<u64> = range.clone().filter(|value| bits & (1 << value) != 0).collect();
    let count = range.end() - range.start() + 1;
    if due.len() as u64 == count {
        return "*".to_owned();
    }
    let is_step = |step: &u64| range.clone().step_by(*step as usize).eq(due.iter().copied());
    if let Some(step) = (2..=count / 2).find(is_step) {
        return format!("*/{step}");
    }
    due.iter().map(ToString::to_string).collect::<Vec<_>>().join(",")
}

impl CalendarSchedule {
    /// The first due second after `second`, both counted from 1970. The rules repeat every 28 years at the latest,
    /// except around a century without a leap day, which upstream's search of five years does not cross either.
    fn next_after(&self, second: u64) -> Option<u64> {
        const SEARCHED_DAYS: u64 = 5 * 366;
        let start = (second / MINUTE + 1) * MINUTE;
        let first_day = start / DAY;
        let minute_of_day = start % DAY / MINUTE;
        (first_day..first_day + SEARCHED_DAYS).filter(|day| self.is_due_on(*day)).find_map(|day| {
            let from = if day == first_day { minute_of_day } else { 0 };
            self.minute_from(from).map(|minute| day * DAY + minute * MINUTE)
        })
    }

    fn is_due_on(&self, day: u64) -> bool {
        let date = Date::of_day(day as i64);
        let month = has(self.months, date.month as u64);
        let (day_of_month, weekday) = (has(self.days, date.day as u64), has(self.weekdays, weekday(day)));
        month && if self.either_day { day_of_month || weekday } else { day_of_month && weekday }
    }

    /// The first due minute of a day from a given one on.
    fn minute_from(&self, from: u64) -> Option<u64> {
        let (hour, minute) = (from / 60, from % 60);
        let this_hour = if has(self.hours, hour) { next_bit(self.minutes, minute) } else { None };
        this_hour.map(|minute| hour * 60 + minute).or_else(|| {
            let hour = next_bit(self.hours, hour + 1)?;
            Some(hour * 60 + next_bit(self.minutes, 0)?)
        })
    }
}

fn has(bits: u64, value: u64) -> bool {
    bits >> value & 1 == 1
}

fn next_bit(bits: u64, from: u64) -> Option<u64> {
    let rest = bits >> from;
    (rest != 0).then(|| from + u64::from(rest.trailing_zeros()))
}

/// 1970-01-01 was a Thursday.
fn weekday(day: u64) -> u64 {
    (day + 4) % 7
}

fn expand_shorthand(text: &str) -> Result<&'static str, ScheduleError> {
    match text {
        "@yearly" | "@annually" => Ok("0 0 1 1 *"),
        "@monthly" => Ok("0 0 1 * *"),
        "@weekly" => Ok("0 0 * * 0"),
        "@daily" | "@midnight" => Ok("0 0 * * *"),
        "@hourly" => Ok("0 * * * *"),
        _ => Err(ScheduleError::UnknownShorthand { text: text.to_owned() }),
    }
}

/// Hours, minutes and seconds, as in `1h30m`, cut to whole seconds. The API knows no days.
fn parse_every(text: &str) -> Option<Schedule> {
    let period: Period = text.trim().parse().ok().filter(|_| !text.contains('d'))?;
    let whole = Period(period.as_millis() / SECOND * SECOND);
    (!whole.is_zero()).then_some(Schedule::Every(whole))
}

fn parse_fields(text: &str) -> Result<CalendarSchedule, ScheduleError> {
    let parts: Vec<&str> = text.split_whitespace().collect();
    let Ok(parts) = <[&str; 5]>::try_from(parts.as_slice()) else {
        return Err(ScheduleError::FieldCount { text: text.to_owned(), count: parts.len() });
    };
    let mut bits = [0; 5];
    for ((field, part), bits) in FIELDS.iter().zip(parts).zip(&mut bits) {
        *bits = parse_list(field, part)?;
    }
    let [minutes, hours, days, months, weekdays] = bits;
    let either_day = !is_open(parts[2]) && !is_open(parts[4]);
    let schedule = CalendarSchedule { minutes, hours, days, months, weekdays, either_day };
    if can_be_due(&schedule) { Ok(schedule) } else { Err(ScheduleError::Never { text: text.to_owned() }) }
}

/// Some element of the list allows every day, which upstream takes as "not restricted".
fn is_open(list: &str) -> bool {
    list.split(',').any(|part| matches!(part, "*" | "?" | "*/1" | "?/1"))
}

/// Some allowed month has some allowed day, counting the leap day.
fn can_be_due(schedule: &CalendarSchedule) -> bool {
    const LONGEST: [u64; 12] = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
    let first_day = u64::from(schedule.days.trailing_zeros());
    let months =
        LONGEST.iter().zip(1..).any(|(days, month)| has(schedule.months, month) && first_day <= *days);
    schedule.either_day || months
}

fn parse_list(field: &Field, list: &str) -> Result<u64, ScheduleError> {
    list.split(',').try_fold(0, |bits, part| Ok(bits | parse_range(field, part)?))
}

/// `*`, `5`, `1-5`, `mon-fri`, each with an optional `/step`; `5/10` means from 5 to the end.
fn parse_range(field: &Field, part: &str) -> Result<u64, ScheduleError> {
    let (range, step) = match part.split_once('/') {
        Some((range, step)) => (range, Some(plain_number(field, step)?)),
        None => (part, None),
    };
    if step == Some(0) {
        return Err(ScheduleError::ZeroStep { field: field.name, part: part.to_owned() });
    }
    let (first, last) = match range.split_once('-') {
        _ if matches!(range, "*" | "?") => (field.lowest, field.highest),
        Some((first, last)) => (value(field, first)?, value(field, last)?),
        None => {
            let first = value(field, range)?;
            (first, if step.is_some() { field.highest } else { first })
        }
    };
    if first > last {
        let Field { name, lowest, highest, .. } = *field;
        return Err(ScheduleError::Backwards {
            field: name,
            part: part.to_owned(),
            first,
            last,
            lowest,
            highest,
        });
    }
    let step = usize::try_from(step.unwrap_or(1)).unwrap_or(usize::MAX);
    Ok((first..=last).step_by(step).fold(0, |bits, value| bits | 1 << value))
}

fn value(field: &Field, text: &str) -> Result<u64, ScheduleError> {
    let lower = text.to_ascii_lowercase();
    let value = match field.names.iter().position(|name| *name == lower) {
        Some(position) => field.lowest + position as u64,
        None => plain_number(field, text)?,
    };
    if (field.lowest..=field.highest).contains(&value) {
        Ok(value)
    } else {
        Err(ScheduleError::OutOfRange { field: field.name, value })
    }
}

fn plain_number(field: &Field, text: &str) -> Result<u64, ScheduleError> {
    let digits = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let number = digits.then(|| text.parse().ok()).flatten();
    number.ok_or_else(|| ScheduleError::NotANumber { field: field.name, part: text.to_owned() })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Seconds since 1970 of a UTC time, from `date -d … +%s`.
    const MONDAY_2024_01_01: u64 = 1_704_067_200;
    const THURSDAY_2024_02_29: u64 = 1_709_164_800;

    #[test]
    fn the_next_due_moment_is_found() {
        let check = |text: &str, from: u64, expected: u64| {
            let schedule = Schedule::parse(text).unwrap();
            let next = schedule.next_after(Timestamp(from * SECOND), Period::ZERO);
            let next = next.map(|moment| moment.as_millis() / SECOND);
            assert_eq!(next, Some(expected), "{text} from {from}");
        };
        let (hour, start) = (3_600, MONDAY_2024_01_01);
        check("* * * * *", start, start + 60);
        check("* * * * *", start + 59, start + 60);
        check("*/15 * * * *", start + 60, start + 900);
        check("5/20 * * * *", start, start + 300);
        check("5/20 * * * *", start + 1_500, start + 2_700);
        check("30 6-16/4 * * 1-5", start, start + 6 * hour + 1_800);
        check("30 6-16/4 * * 1-5", start + 14 * hour + 1_800, start + 30 * hour + 1_800);
        check("0 9 * * sat,SUN", start, start + 5 * DAY + 9 * hour);
        check("0 0 29 feb *", start, THURSDAY_2024_02_29);
        check("0 0 29 2 *", THURSDAY_2024_02_29, THURSDAY_2024_02_29 + 1_461 * DAY);
        check("0 0 31 * *", start, start + 30 * DAY);
        // Day and weekday restricted: the 13th or a Friday (2024-01-05).
        check("0 0 13 * fri", start, start + 4 * DAY);
        // A star in one of them: both must hold, the first Monday in the list is the 8th.
        check("0 0 * * mon", start, start + 7 * DAY);
        check("0 0 */2 * mon", start, start + 2 * DAY);
        check("@yearly", start, start + 366 * DAY);
        check("@monthly", start, start + 31 * DAY);
        check("@weekly", start, start + 6 * DAY);
        check("@daily", start, start + DAY);
        check("@hourly", start + 1, start + hour);
        check("@every 1h30m", start + 7, start + 7 + 5_400);
    }

    #[test]
    fn the_origin_moves_the_calendar() {
        let noon = (MONDAY_2024_01_01 + 12 * 3_600) * SECOND;
        let check = |text: &str, origin, moment, expected| {
            let next = Schedule::parse(text).unwrap().next_after(Timestamp(moment), Period(origin));
            assert_eq!(next, Some(Timestamp(expected)), "{text} {moment}");
        };
        check("@daily", noon, 0, 12 * 3_600 * SECOND);
        check("@daily", noon, 12 * 3_600 * SECOND, 36 * 3_600 * SECOND);
        check("@every 10s", 0, 2_500, 12_000);
        check("@every 10s", 300, 2_500, 11_700);
    }

    /// The search by bits agrees with trying every minute.
    #[test]
    fn every_minute_of_two_leap_years_agrees_with_a_plain_search() {
        for text in ["17 3,15 * * *", "*/7 */5 1,15,31 */2 *", "0 12 13 * 5", "59 23 28-31 2,4 *"] {
            let Schedule::Calendar(calendar) = Schedule::parse(text).unwrap() else { panic!("{text}") };
            let plain = (0..2 * 366 * 1_440).map(|minute| MONDAY_2024_01_01 + minute * 60).filter(|second| {
                let (day, minute) = (second / DAY, second % DAY / 60);
                calendar.is_due_on(day)
                    && has(calendar.hours, minute / 60)
                    && has(calendar.minutes, minute % 60)
            });
            let mut second = MONDAY_2024_01_01 - 1;
            for expected in plain {
                second = calendar.next_after(second).unwrap();
                assert_eq!(second, expected, "{text}");
            }
        }
    }

    #[test]
    fn mistakes_come_with_a_proposal() {
        let check = |text: &str, message: &str| {
            let error = Schedule::parse(text).unwrap_err();
            let error = format!("{error}; {}", error.proposal());
            assert!(error.contains(message), "{text}: {error}");
        };
        check("* * * *", "has 4; write for instance");
        check("* * * * * *", "has 6");
        check("", "has 0");
        check("60 * * * *", "60 in the field minute is out of range; write 0 to 59");
        check("* * 0 * *", "write 1 to 31");
        check("* * * * 7", "write 0 to 6, Sunday is 0");
        check("* * * juli *", "`juli` in the field month is not a number or a name from jan to dec");
        check("-5 * * * *", "`` in the field minute is not a number");
        check("* 22-4 * * *", "write it as two ranges, as in `22-23,0-4`");
        check("*/0 * * * *", "has a step of zero");
        check("1-2-3 * * * *", "`2-3` in the field minute is not a number");
        check("@fortnightly", "is not a known shorthand");
        check("@every 5x", "`@every 5x` is not a period");
        check("@every 0s", "at least a second");
        check("@every 1d", "at least a second");
        check("TZ=UTC 0 0 * * *", "write `0 0 * * *` and mean UTC");
        check("0 0 31 2,4 *", "never comes");
    }

    #[test]
    fn a_schedule_is_written_so_that_it_reads_back() {
        for (text, written) in [
            ("*/5 * * * *", "*/5 * * * *"),
            ("0 3 1,15 * 1-5", "0 3 1,15 * 1,2,3,4,5"),
            ("@daily", "0 0 * * *"),
            ("0 0 1-31 * 1", "0 0 1-31 * 1"),
            ("0 0 5 * 0-6", "0 0 5 * 0-6"),
            ("0 0 1-31 * *", "0 0 * * *"),
            ("@every 90m", "@every 5400s"),
        ] {
            let schedule = Schedule::parse(text).unwrap();
            assert_eq!(schedule.to_string(), written);
            assert_eq!(Schedule::parse(written).unwrap(), schedule, "{text}");
        }
    }
}
