//! Lengths of time as CEL has them: signed nanoseconds in 64 bits, some 292 years either way.

use model::time::Period;
use std::fmt;

/// Units of CEL with their nanoseconds, largest first.
const UNITS: [(&str, i64); 6] = [
    ("h", 3_600_000_000_000),
    ("m", 60_000_000_000),
    ("s", 1_000_000_000),
    ("ms", 1_000_000),
    ("us", 1_000),
    ("ns", 1),
];

/// Nanoseconds in a millisecond, the unit of [`Period`].
const PER_MILLISECOND: i64 = 1_000_000;

/// A length of time, possibly negative.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Duration(pub i64);

/// Why a text is not a duration, with the text that would be.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Refused {
    pub(super) why: &'static str,
    pub(super) instead: String,
}

impl Duration {
    /// Reads what CEL reads: an optional sign, then numbers with units, such as `1h30m`, `1.5s`, `-10m` or `0`.
    pub(super) fn read(text: &str) -> Result<Self, Refused> {
        let unsigned = text.strip_prefix(['+', '-']).unwrap_or(text);
        let magnitude = if unsigned == "0" { 0 } else { read_pieces(unsigned)? };
        let signed = if text.starts_with('-') { -magnitude } else { magnitude };
        i64::try_from(signed).map(Self).map_err(|_| Refused {
            why: "is longer than 292 years",
            instead: "write a shorter duration".to_owned(),
        })
    }
}

/// The sum of all pieces. A hundred pieces of the largest size still fit, and a rule has no room for more.
fn read_pieces(text: &str) -> Result<i128, Refused> {
    let mut total = 0_i128;
    let mut rest = text;
    loop {
        let (digits, after) = split_at(rest, |c| !(c.is_ascii_digit() || c == '.'));
        let (unit, after) = split_at(after, |c| c.is_ascii_digit() || c == '.');
        total = total.saturating_add(read_piece(digits, unit)?);
        rest = after;
        if rest.is_empty() {
            return Ok(total);
        }
    }
}

fn split_at(text: &str, ends: impl Fn(char) -> bool) -> (&str, &str) {
    text.split_at(text.find(ends).unwrap_or(text.len()))
}

fn read_piece(digits: &str, unit: &str) -> Result<i128, Refused> {
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
    if (whole.is_empty() && fraction.is_empty()) || fraction.contains('.') {
        let instead = "write a number with a unit, such as 90s, 10m or 1h30m".to_owned();
        return Err(Refused { why: "has no number where one should be", instead });
    }
    let known = UNITS.iter().find(|(name, _)| *name == unit || (*name == "us" && unit == "µs"));
    let (_, size) = known.ok_or_else(|| unknown_unit(whole, unit))?;
    let whole: i128 = if whole.is_empty() { 0 } else { whole.parse().unwrap_or(i128::from(i64::MAX)) };
    // Finer than a nanosecond is cut off, as in CEL; eighteen digits are more than an hour has nanoseconds.
    let fraction: String = fraction.chars().take(18).collect();
    let parts =
        fraction.parse::<i128>().unwrap_or(0) * i128::from(*size) / 10_i128.pow(fraction.len() as u32);
    Ok(whole.saturating_mul(i128::from(*size)).saturating_add(parts))
}

fn unknown_unit(number: &str, unit: &str) -> Refused {
    if unit.is_empty() {
        return Refused { why: "has no unit", instead: format!("did you mean {number}s or {number}m?") };
    }
    let days = number.parse::<u64>().ok().filter(|_| matches!(unit, "d" | "day" | "days"));
    let instead = match days {
        Some(days) => format!("did you mean {}h?", days.saturating_mul(24)),
        None => "the units are h, m, s, ms, us and ns".to_owned(),
    };
    Refused { why: "has an unknown unit", instead }
}

impl From<Period> for Duration {
    /// Periods beyond 292 years become the longest duration: no rule tells them apart.
    fn from(period: Period) -> Self {
        let milliseconds = i64::try_from(period.as_millis()).unwrap_or(i64::MAX);
        Self(milliseconds.saturating_mul(PER_MILLISECOND))
    }
}

impl fmt::Display for Duration {
    /// Every unit that is not zero, largest first; `0s` for no time. CEL reads it back.
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0 == 0 {
            return out.write_str("0s");
        }
        let mut rest = self.0.unsigned_abs();
        out.write_str(if self.0 < 0 { "-" } else { "" })?;
        for (unit, size) in UNITS {
            let size = size.unsigned_abs();
            if rest >= size {
                write!(out, "{}{unit}", rest / size)?;
                rest %= size;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_are_read_as_cel_reads_them() {
        let check = |text: &str, nanoseconds: i64, shown: &str| {
            let read = Duration::read(text).unwrap();
            assert_eq!(read, Duration(nanoseconds), "{text}");
            assert_eq!(read.to_string(), shown, "{text}");
            assert_eq!(Duration::read(shown).unwrap(), read, "{shown}");
        };
        check("0", 0, "0s");
        check("10m", 600_000_000_000, "10m");
        check("1h30m", 5_400_000_000_000, "1h30m");
        check("-1.5h", -5_400_000_000_000, "-1h30m");
        check("1.5s", 1_500_000_000, "1s500ms");
        check("+.5s", 500_000_000, "500ms");
        check("1m1h", 3_660_000_000_000, "1h1m");
        check("3us4ns", 3_004, "3us4ns");
        check("9223372036854775807ns", i64::MAX, "2562047h47m16s854ms775us807ns");
        check("-9223372036854775808ns", i64::MIN, "-2562047h47m16s854ms775us808ns");
        check("1.9999999999999999999999999999s", 1_999_999_999, "1s999ms999us999ns");
    }

    #[test]
    fn other_texts_are_refused_with_a_proposal() {
        let check = |text: &str, why: &str, instead: &str| {
            let refused = Duration::read(text).unwrap_err();
            assert_eq!((refused.why, refused.instead.as_str()), (why, instead), "{text}");
        };
        check("10", "has no unit", "did you mean 10s or 10m?");
        check("2d", "has an unknown unit", "did you mean 48h?");
        check("2 h", "has an unknown unit", "the units are h, m, s, ms, us and ns");
        let number = "write a number with a unit, such as 90s, 10m or 1h30m";
        check("", "has no number where one should be", number);
        check("-", "has no number where one should be", number);
        check("m", "has no number where one should be", number);
        check("1.2.3s", "has no number where one should be", number);
        check("999999999999999999999999h", "is longer than 292 years", "write a shorter duration");
        check("9223372036854775808ns", "is longer than 292 years", "write a shorter duration");
    }

    #[test]
    fn periods_become_durations() {
        assert_eq!(Duration::from(Period::from_secs(90)).to_string(), "1m30s");
        assert_eq!(Duration::from(Period::MAX), Duration(i64::MAX));
    }
}
