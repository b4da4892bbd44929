//! Time as integers: a [`Timestamp`] is a moment of the world, a [`Period`] is a length. No clock and no calendar.

use crate::reading::{self, Problem, Proposal, ReadError, split_digits};
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::borrow::Cow;
use std::fmt;
use std::iter::Sum;
use std::ops::{Add, AddAssign};
use std::str::FromStr;

/// Units of a period with their milliseconds, largest first.
const UNITS: [(&str, u64); 5] = [("d", DAY), ("h", HOUR), ("m", MINUTE), ("s", SECOND), ("ms", 1)];
const SECOND: u64 = 1000;
const MINUTE: u64 = 60 * SECOND;
const HOUR: u64 = 60 * MINUTE;
const DAY: u64 = 24 * HOUR;

/// Units people write that do not exist here, lower case, with the unit and the factor that say the same.
const REPAIRS: [(&[&str], &str, u64); 6] = [
    (&["w", "wk", "week", "weeks"], "d", 7),
    (&["d", "day", "days"], "d", 1),
    (&["h", "hr", "hrs", "hour", "hours"], "h", 1),
    (&["m", "min", "mins", "minute", "minutes"], "m", 1),
    (&["s", "sec", "secs", "second", "seconds"], "s", 1),
    (&["ms", "msec", "msecs", "millis", "millisecond", "milliseconds"], "ms", 1),
];

/// What a period must look like; the order of its units is the reader's to check.
const PATTERN: &str = r"^(0|(([0-9]+\.?[0-9]*|\.[0-9]+)(d|h|m|s|ms))+)$";

/// A length of time in whole milliseconds, written `250ms`, `30s`, `10m`, `1h30m`, `2d`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Period(pub u64);

impl Period {
    /// No time at all.
    pub const ZERO: Self = Self(0);
    /// The longest period there is.
    pub const MAX: Self = Self(u64::MAX);

    /// So many milliseconds.
    pub const fn from_millis(milliseconds: u64) -> Self {
        Self(milliseconds)
    }

    /// So many seconds, at most the longest period.
    pub const fn from_secs(seconds: u64) -> Self {
        Self(seconds.saturating_mul(SECOND))
    }

    /// So many minutes, at most the longest period.
    pub const fn from_minutes(minutes: u64) -> Self {
        Self(minutes.saturating_mul(MINUTE))
    }

    /// So many hours, at most the longest period.
    pub const fn from_hours(hours: u64) -> Self {
        Self(hours.saturating_mul(HOUR))
    }

    /// Its milliseconds.
    pub const fn as_millis(self) -> u64 {
        self.0
    }

    /// Its seconds, for rates and statistics.
    pub fn as_seconds_float(self) -> f64 {
        self.0 as f64 / SECOND as f64
    }

    /// Whether it is no time at all.
    pub const fn is_zero(self) -> bool {
        self.0 == 0
    }

    /// The sum, or nothing if it is too long.
    pub fn checked_add(self, other: Self) -> Option<Self> {
        self.0.checked_add(other.0).map(Self)
    }

    /// The difference, or nothing if the other is longer.
    pub fn checked_sub(self, other: Self) -> Option<Self> {
        self.0.checked_sub(other.0).map(Self)
    }

    /// The product, or nothing if it is too long.
    pub fn checked_mul(self, factor: u64) -> Option<Self> {
        self.0.checked_mul(factor).map(Self)
    }

    /// The sum, at most the longest period.
    #[must_use]
    pub const fn saturating_add(self, other: Self) -> Self {
        Self(self.0.saturating_add(other.0))
    }

    /// The difference, zero if the other is longer.
    #[must_use]
    pub const fn saturating_sub(self, other: Self) -> Self {
        Self(self.0.saturating_sub(other.0))
    }

    /// The product, at most the longest period.
    #[must_use]
    pub const fn saturating_mul(self, factor: u64) -> Self {
        Self(self.0.saturating_mul(factor))
    }
}

impl Sum for Period {
    fn sum<I: Iterator<Item = Self>>(periods: I) -> Self {
        periods.fold(Self::ZERO, Self::saturating_add)
    }
}

impl fmt::Display for Period {
    /// Every unit that is not zero, largest first; `0s` for no time.
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut rest = self.0;
        let mut pieces = Vec::new();
        for (unit, milliseconds) in UNITS {
            if rest >= milliseconds {
                pieces.push(format!("{}{unit}", rest / milliseconds));
                rest %= milliseconds;
            }
        }
        out.pad(if pieces.is_empty() { "0s".to_owned() } else { pieces.concat() }.as_str())
    }
}

impl FromStr for Period {
    type Err = ReadError;

    fn from_str(text: &str) -> Result<Self, ReadError> {
        read_period(text)
            .map(Self)
            .map_err(|problem| ReadError::new("period", text, problem).with_proposals(period_proposals(text)))
    }
}

fn read_period(text: &str) -> Result<u64, Problem> {
    reading::refuse_junk(text)?;
    if text == "0" {
        return Ok(0);
    }
    if text.starts_with('-') {
        return Err(Problem::Negative);
    }
    let (mut total, mut rest, mut allowed) = (0_u64, text, UNITS.as_slice());
    while !rest.is_empty() {
        let piece = Piece::cut(rest)?;
        let place = allowed.iter().position(|(unit, _)| *unit == piece.unit);
        let (_, size) = *place.map(|place| &allowed[place]).ok_or_else(|| unit_problem(piece.unit))?;
        total = total.checked_add(piece.milliseconds(size)?).ok_or(Problem::TooLarge)?;
        allowed = &allowed[place.map_or(0, |place| place + 1)..];
        rest = piece.rest;
    }
    Ok(total)
}

fn unit_problem(unit: &str) -> Problem {
    match unit {
        "" => Problem::NoUnit,
        "us" | "µs" | "μs" | "ns" => Problem::TooFine("one millisecond"),
        _ if UNITS.iter().any(|(known, _)| *known == unit) => Problem::UnitOrder(unit.to_owned()),
        _ => Problem::UnknownSuffix(reading::shown(unit)),
    }
}

/// One number with its unit at the front of a period's text.
struct Piece<'text> {
    whole: &'text str,
    fraction: &'text str,
    unit: &'text str,
    rest: &'text str,
}

impl<'text> Piece<'text> {
    fn cut(text: &'text str) -> Result<Self, Problem> {
        let (whole, after) = split_digits(text);
        let (fraction, after) = after.strip_prefix('.').map_or(("", after), split_digits);
        if whole.is_empty() && fraction.is_empty() {
            return Err(Problem::NoNumber);
        }
        let end = after.find(|character: char| !character.is_alphabetic()).unwrap_or(after.len());
        let (unit, rest) = after.split_at(end);
        if unit.is_empty() && !rest.is_empty() {
            return Err(Problem::Malformed(reading::shown(rest)));
        }
        Ok(Self { whole, fraction, unit, rest })
    }

    fn milliseconds(&self, size: u64) -> Result<u64, Problem> {
        let whole =
            if self.whole.is_empty() { 0 } else { self.whole.parse().map_err(|_| Problem::TooLarge)? };
        let fraction = self.fraction.trim_end_matches('0');
        let too_fine = || Problem::TooFine("one millisecond");
        // A day has 86 400 000 milliseconds; no fraction of it with more than 10 digits is a whole number of them.
        let places =
            u32::try_from(fraction.len()).ok().filter(|places| *places <= 10).ok_or_else(too_fine)?;
        let parts = size * fraction.parse::<u64>().unwrap_or(0);
        let one = 10_u64.pow(places);
        if !parts.is_multiple_of(one) {
            return Err(too_fine());
        }
        size.checked_mul(whole).and_then(|total| total.checked_add(parts / one)).ok_or(Problem::TooLarge)
    }
}

/// Texts close to `text` that can be read, in the canonical form.
fn period_proposals(text: &str) -> Vec<Proposal> {
    let dense: String = text.chars().filter(|c| !c.is_whitespace() && !c.is_control() && *c != '_').collect();
    let tidy = dense.replace(',', ".");
    let (mut total, mut rest) = (Period::ZERO, tidy.as_str());
    while !rest.is_empty() {
        let Ok(piece) = Piece::cut(rest) else { return Vec::new() };
        let written = if piece.unit.is_empty() { "s".to_owned() } else { piece.unit.to_lowercase() };
        let meant = REPAIRS.iter().find(|(slips, ..)| slips.contains(&written.as_str()));
        let Some((_, unit, factor)) = meant else { return Vec::new() };
        let size = UNITS.iter().find(|(known, _)| known == unit).map_or(1, |(_, size)| *size);
        let Ok(part) = piece.milliseconds(size * factor) else { return Vec::new() };
        total = total.saturating_add(Period(part));
        rest = piece.rest;
    }
    if total.is_zero() || total == Period::MAX {
        return Vec::new();
    }
    vec![Proposal { text: total.to_string(), note: None }]
}

impl Serialize for Period {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Period {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        reading::deserialize_text(
            deserializer,
            "a period such as `250ms`, `30s`, `10m` or `1h30m`",
            str::parse,
        )
    }
}

impl JsonSchema for Period {
    fn schema_name() -> Cow<'static, str> {
        "Period".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "description": "A length of time with its units, largest first: 250ms, 30s, 10m, 1h30m, 2d.",
            "type": "string",
            "pattern": PATTERN,
            "x-drover-parse": "period",
        })
    }
}

/// A moment: whole milliseconds since the world's epoch. Serialised as that integer, printed as `t+00:02:10.000`.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
)]
#[serde(transparent)]
pub struct Timestamp(pub u64);

impl Timestamp {
    /// The world's first moment.
    pub const EPOCH: Self = Self(0);
    /// The last moment there is.
    pub const MAX: Self = Self(u64::MAX);

    /// So many milliseconds after the epoch.
    pub const fn from_millis(milliseconds: u64) -> Self {
        Self(milliseconds)
    }

    /// Milliseconds since the epoch.
    pub const fn as_millis(self) -> u64 {
        self.0
    }

    /// The moment `period` later, or nothing after the end of time.
    pub fn checked_add(self, period: Period) -> Option<Self> {
        self.0.checked_add(period.0).map(Self)
    }

    /// The moment `period` earlier, or nothing before the epoch.
    pub fn checked_sub(self, period: Period) -> Option<Self> {
        self.0.checked_sub(period.0).map(Self)
    }

    /// The moment `period` later, at most the last one.
    #[must_use]
    pub const fn saturating_add(self, period: Period) -> Self {
        Self(self.0.saturating_add(period.0))
    }

    /// The moment `period` earlier, at least the epoch.
    #[must_use]
    pub const fn saturating_sub(self, period: Period) -> Self {
        Self(self.0.saturating_sub(period.0))
    }

    /// The time that has passed since `earlier`; zero if that lies in the future.
    pub const fn since(self, earlier: Self) -> Period {
        Period(self.0.saturating_sub(earlier.0))
    }

    /// The time that has passed since `earlier`; nothing if that lies in the future.
    pub fn checked_since(self, earlier: Self) -> Option<Period> {
        self.0.checked_sub(earlier.0).map(Period)
    }
}

impl Add<Period> for Timestamp {
    type Output = Self;

    /// Stops at [`Timestamp::MAX`], some 584 million years in, so that "never" stays never.
    fn add(self, period: Period) -> Self {
        self.saturating_add(period)
    }
}

impl AddAssign<Period> for Timestamp {
    fn add_assign(&mut self, period: Period) {
        *self = *self + period;
    }
}

impl fmt::Display for Timestamp {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let days = if self.0 >= DAY { format!("{}d", self.0 / DAY) } else { String::new() };
        let (hours, minutes) = (self.0 % DAY / HOUR, self.0 % HOUR / MINUTE);
        let (seconds, milliseconds) = (self.0 % MINUTE / SECOND, self.0 % SECOND);
        out.pad(&format!("t+{days}{hours:02}:{minutes:02}:{seconds:02}.{milliseconds:03}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn periods_are_read_and_printed_canonically() {
        let check = |text: &str, milliseconds: u64, canonical: &str| {
            let period: Period = text.parse().unwrap_or_else(|error| panic!("{error}"));
            assert_eq!(period, Period(milliseconds), "{text}");
            assert_eq!(period.to_string(), canonical, "{text}");
            assert_eq!(canonical.parse(), Ok(period), "{text}");
        };
        check("250ms", 250, "250ms");
        check("30s", 30_000, "30s");
        check("10m", 600_000, "10m");
        check("90m", 5_400_000, "1h30m");
        check("1h30m", 5_400_000, "1h30m");
        check("1.5h", 5_400_000, "1h30m");
        check(".5s", 500, "500ms");
        check("2d", 172_800_000, "2d");
        check("36h", 129_600_000, "1d12h");
        check("1d0h0m0s1ms", 86_400_001, "1d1ms");
        check("0", 0, "0s");
        check("0s", 0, "0s");
    }

    #[test]
    fn refused_periods_say_why_and_propose() {
        let check = |text: &str, want: &str| {
            let got = text.parse::<Period>().expect_err(text).to_string();
            assert_eq!(got, want);
        };
        check("30", "period `30`: has no unit; did you mean `30s`?");
        check("", "period ``: is empty");
        check("-5s", "period `-5s`: is negative");
        check("NaN", "period `NaN`: is not a finite number");
        check("30 s", "period `30 s`: contains white space; did you mean `30s`?");
        check("30s\n", "period `30s\\n`: contains a control character; did you mean `30s`?");
        check("10min", "period `10min`: unknown suffix `min`; did you mean `10m`?");
        check("2weeks", "period `2weeks`: unknown suffix `weeks`; did you mean `14d`?");
        check("10M", "period `10M`: unknown suffix `M`; did you mean `10m`?");
        check("3y", "period `3y`: unknown suffix `y`");
        check("1m1h", "period `1m1h`: `h` is repeated or follows a smaller unit; did you mean `1h1m`?");
        check("5us", "period `5us`: is finer than one millisecond");
        check("0.5ms", "period `0.5ms`: is finer than one millisecond");
        check("soon", "period `soon`: does not start with a number");
        check("1.2.3s", "period `1.2.3s`: cannot be understood from `.3s` on");
        check("1,5h", "period `1,5h`: cannot be understood from `,5h` on; did you mean `1h30m`?");
        check("99999999999999999999s", "period `99999999999999999999s`: is too large");
        check("213503982335d", "period `213503982335d`: is too large");
    }

    #[test]
    fn periods_travel_as_text() {
        assert_eq!(serde_json::to_string(&Period(5_400_000)).unwrap(), "\"1h30m\"");
        assert_eq!(serde_json::from_str::<Period>("\"1h30m\"").unwrap(), Period(5_400_000));
        let bare = serde_json::from_str::<Period>("30").unwrap_err().to_string();
        assert!(bare.starts_with("period `30`: has no unit; did you mean `30s`?"), "{bare}");
    }

    #[test]
    fn moments_stop_at_both_ends_of_time() {
        let second = Period::from_secs(1);
        assert_eq!(Timestamp(500) + second, Timestamp(1500));
        assert_eq!(Timestamp::MAX + second, Timestamp::MAX);
        assert_eq!(Timestamp::MAX.checked_add(second), None);
        assert_eq!(Timestamp(500).saturating_sub(second), Timestamp::EPOCH);
        assert_eq!(Timestamp(500).checked_sub(second), None);
        assert_eq!(Timestamp(1500).since(Timestamp(500)), second);
        assert_eq!(Timestamp(500).since(Timestamp(1500)), Period::ZERO);
        assert_eq!(Timestamp(500).checked_since(Timestamp(1500)), None);
    }

    #[test]
    fn moments_print_like_a_stop_watch_and_travel_as_integers() {
        let check = |milliseconds: u64, want: &str| assert_eq!(Timestamp(milliseconds).to_string(), want);
        check(0, "t+00:00:00.000");
        check(130_000, "t+00:02:10.000");
        check(86_399_999, "t+23:59:59.999");
        check(93_784_005, "t+1d02:03:04.005");
        assert_eq!(serde_json::to_string(&Timestamp(130_000)).unwrap(), "130000");
        assert_eq!(serde_json::from_str::<Timestamp>("130000").unwrap(), Timestamp(130_000));
    }
}
