//! A number of pods, either absolute or as a share of the wanted pods (`maxSurge: 3`, `maxSurge: 25%`).

use std::str::FromStr;

/// A count or a share.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum IntOrPercent {
    Count(u32),
    /// May exceed 100: a surge of 150 % is legal.
    Percent(u32),
}

/// What to do with the fraction of a pod that a share leaves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Rounding {
    Up,
    Down,
}

/// Text that is not a share.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{text}` is not a percentage; write a whole number with a percent sign, as in `25%`{}", plain_number_hint(.text))]
pub struct NotAPercentage {
    pub text: String,
}

fn plain_number_hint(text: &str) -> &'static str {
    if text.parse::<u32>().is_ok() { ", or the number without quotes for a count of pods" } else { "" }
}

impl IntOrPercent {
    /// The number of pods this stands for, out of `total`.
    pub fn of(self, total: u32, rounding: Rounding) -> u32 {
        match self {
            Self::Count(count) => count,
            Self::Percent(percent) => {
                let hundredths = u64::from(percent) * u64::from(total);
                let pods = match rounding {
                    Rounding::Up => hundredths.div_ceil(100),
                    Rounding::Down => hundredths / 100,
                };
                u32::try_from(pods).unwrap_or(u32::MAX)
            }
        }
    }
}

impl FromStr for IntOrPercent {
    type Err = NotAPercentage;

    /// Reads the text form, which is always a percentage; a count is a number in the document and not text.
    fn from_str(text: &str) -> Result<Self, NotAPercentage> {
        let digits = text.strip_suffix('%').filter(|digits| digits.bytes().all(|byte| byte.is_ascii_digit()));
        digits
            .and_then(|digits| digits.parse().ok())
            .map(Self::Percent)
            .ok_or_else(|| NotAPercentage { text: text.to_owned() })
    }
}

#[cfg(test)]
mod tests {
    use super::IntOrPercent::{Count, Percent};
    use super::*;

    #[test]
    fn shares_round_as_asked() {
        let check = |value: IntOrPercent, total, up, down| {
            assert_eq!(
                (value.of(total, Rounding::Up), value.of(total, Rounding::Down)),
                (up, down),
                "{value:?} of {total}"
            );
        };
        check(Count(3), 10, 3, 3);
        check(Count(30), 10, 30, 30);
        check(Percent(0), 10, 0, 0);
        check(Percent(25), 10, 3, 2);
        check(Percent(25), 0, 0, 0);
        check(Percent(100), 7, 7, 7);
        check(Percent(150), 3, 5, 4);
        check(Percent(u32::MAX), u32::MAX, u32::MAX, u32::MAX);
    }

    #[test]
    fn text_is_a_percentage_or_refused() {
        let check = |text: &str, parsed: Option<IntOrPercent>| {
            assert_eq!(text.parse::<IntOrPercent>().ok(), parsed, "{text}");
        };
        check("25%", Some(Percent(25)));
        check("0%", Some(Percent(0)));
        check("130%", Some(Percent(130)));
        check("25", None);
        check("-5%", None);
        check("+5%", None);
        check("2.5%", None);
        check("%", None);
        check("oops", None);
        let hint = "3".parse::<IntOrPercent>().unwrap_err().to_string();
        assert!(hint.ends_with("or the number without quotes for a count of pods"), "{hint}");
    }
}
