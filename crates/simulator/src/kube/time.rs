//! A moment as the API writes it (RFC 3339), kept as whole milliseconds since 1970.

use model::calendar::Date;
use serde::{Deserialize, Deserializer, de};
use std::str::FromStr;

/// Milliseconds since the Unix epoch; may be negative.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Timestamp(pub i64);

/// The text is not an RFC 3339 date and time.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("\"{0}\" is not an RFC 3339 time such as 2000-01-01T00:00:00Z")]
pub struct TimestampError(String);

impl FromStr for Timestamp {
    type Err = TimestampError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        parse(text).map(Self).ok_or_else(|| TimestampError(text.to_owned()))
    }
}

impl<'de> Deserialize<'de> for Timestamp {
    fn deserialize<D: Deserializer<'de>>(source: D) -> Result<Self, D::Error> {
        let text = String::deserialize(source)?;
        text.parse().map_err(de::Error::custom)
    }
}

fn parse(text: &str) -> Option<i64> {
    let (date, rest) = text.split_once(['T', 't'])?;
    let mut date = date.splitn(3, '-').map(|part| part.parse::<i64>().ok());
    let (year, month, day) = (date.next()??, date.next()??, date.next()??);
    let zone_at = rest.find(['Z', 'z', '+', '-'])?;
    let (clock, zone) = rest.split_at(zone_at);
    let milliseconds = clock_milliseconds(clock)? - zone_minutes(zone)? * 60_000;
    let in_range = (1..=12).contains(&month) && (1..=31).contains(&day);
    in_range.then(|| Date { year, month, day }.day_number() * 86_400_000 + milliseconds)
}

fn clock_milliseconds(clock: &str) -> Option<i64> {
    let (whole, fraction) = clock.split_once('.').unwrap_or((clock, ""));
    let mut parts = whole.splitn(3, ':').map(|part| part.parse::<i64>().ok());
    let (hour, minute, second) = (parts.next()??, parts.next()??, parts.next()??);
    let mut milliseconds = 0;
    for position in 0..3 {
        let digit =
            fraction.as_bytes().get(position).map_or(Some(0), |byte| char::from(*byte).to_digit(10))?;
        milliseconds = milliseconds * 10 + i64::from(digit);
    }
    let valid = (0..24).contains(&hour) && (0..60).contains(&minute) && (0..=60).contains(&second);
    valid.then_some(((hour * 60 + minute) * 60 + second) * 1000 + milliseconds)
}

fn zone_minutes(zone: &str) -> Option<i64> {
    if zone.eq_ignore_ascii_case("z") {
        return Some(0);
    }
    let sign = if zone.starts_with('-') { -1 } else { 1 };
    let (hours, minutes) = zone.get(1..)?.split_once(':')?;
    Some(sign * (hours.parse::<i64>().ok()? * 60 + minutes.parse::<i64>().ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_what_the_api_writes() {
        let rows = [
            ("1970-01-01T00:00:00Z", Some(0)),
            ("2000-01-01T00:00:01Z", Some(946_684_801_000)),
            ("2024-02-29T12:30:00.250+02:00", Some(1_709_202_600_250)),
            ("1969-12-31T23:59:59Z", Some(-1000)),
            ("2000-13-01T00:00:00Z", None),
            ("yesterday", None),
        ];
        for (text, want) in rows {
            assert_eq!(text.parse::<Timestamp>().ok().map(|time| time.0), want, "{text}");
        }
    }
}
