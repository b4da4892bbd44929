//! Decimal numbers in cells, read and written exactly: seconds to the millisecond, values to the millionth.

use model::document::{Refusal, shown};
use model::time::{Period, Timestamp};
use std::fmt::Write as _;

/// Seconds with at most three decimals, at most a year.
pub(super) fn seconds(text: &str) -> Result<Period, Refusal> {
    let milliseconds = fixed(text, 3, "a number of seconds such as 90 or 0.25", "one millisecond")?;
    if milliseconds > super::LONGEST.as_millis() {
        let message = format!("{} seconds are more than a year", shown(text));
        return Err(Refusal::new(message).propose("count from the beginning of the trace"));
    }
    Ok(Period::from_millis(milliseconds))
}

/// A moment: seconds since the beginning of the trace.
pub(super) fn moment(text: &str) -> Result<Timestamp, Refusal> {
    seconds(text).map(|period| Timestamp::EPOCH + period)
}

/// A whole number between two bounds.
pub(super) fn whole(text: &str, least: u64, most: u64) -> Result<u64, Refusal> {
    let number = fixed(text, 0, "a whole number", "one")?;
    if (least..=most).contains(&number) {
        return Ok(number);
    }
    let near = number.clamp(least, most);
    Err(Refusal::new(format!("{number} is not within {least} to {most}"))
        .propose(format!("write for instance {near}")))
}

/// A number in units of ten to the minus `places`.
pub(super) fn fixed(text: &str, places: usize, wanted: &str, finest: &str) -> Result<u64, Refusal> {
    let refuse = || Refusal::new(format!("{} is not {wanted}", shown(text)));
    let (whole, fraction) = text.split_once('.').unwrap_or((text, ""));
    let digits = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
    if let Some(positive) = text.strip_prefix('-').filter(|rest| digits(&rest.replacen('.', "", 1))) {
        return Err(
            Refusal::new(format!("{} is negative", shown(text))).propose(format!("did you mean {positive}?"))
        );
    }
    if whole.is_empty() || !digits(whole) || !digits(fraction) {
        return Err(refuse());
    }
    let fraction = fraction.trim_end_matches('0');
    if fraction.len() > places {
        let message = format!("{} is finer than {finest}", shown(text));
        let cut = &text[..text.len() - (text.rsplit('.').next().map_or(0, str::len) - places)];
        return Err(Refusal::new(message).propose(format!("did you mean {}?", cut.trim_end_matches('.'))));
    }
    let padded = format!("{whole}{fraction:0<places$}");
    padded.parse().map_err(|_| Refusal::new(format!("{} is too large", shown(text))))
}

/// The shortest decimal of a number in units of ten to the minus `places`.
pub(super) fn decimal(number: u64, places: u32) -> String {
    let one = 10_u64.pow(places);
    let mut text = (number / one).to_string();
    let fraction = number % one;
    if fraction > 0 {
        let _ = write!(text, ".{fraction:0width$}", width = places as usize);
        text.truncate(text.trim_end_matches('0').len());
    }
    text
}

/// A moment as seconds.
pub(super) fn seconds_text(at: Timestamp) -> String {
    decimal(at.as_millis(), 3)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decimals_are_exact_both_ways() {
        for (text, milliseconds) in [("0", 0), ("12537496", 12_537_496_000), ("0.25", 250), ("1.001", 1_001)]
        {
            assert_eq!(seconds(text).unwrap(), Period::from_millis(milliseconds));
            assert_eq!(decimal(milliseconds, 3), text);
        }
        assert_eq!(seconds("1.5000").unwrap(), Period::from_millis(1_500));
    }

    #[test]
    fn what_is_no_number_is_refused_with_a_proposal() {
        let check = |text: &str, message: &str, proposal: Option<&str>| {
            let refusal = seconds(text).unwrap_err();
            assert!(refusal.message.contains(message), "{text}: {}", refusal.message);
            assert_eq!(refusal.proposal.as_deref(), proposal, "{text}");
        };
        check("soon", "not a number of seconds", None);
        check("", "not a number", None);
        check(".5", "not a number", None);
        check("1e3", "not a number", None);
        check("NaN", "not a number", None);
        check("-3", "negative", Some("did you mean 3?"));
        check("0.0001", "finer", Some("did you mean 0.000?"));
        check("99999999999", "more than a year", Some("count from the beginning of the trace"));
        check("99999999999999999999999", "too large", None);
        assert!(whole("5", 1, 4).is_err() && whole("1.5", 0, 9).is_err());
    }
}
