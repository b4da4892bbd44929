//! The text syntax of quantities: pieces, suffixes, rounding to nano and the cap of binary suffixes.

use super::decimal::{Decimal, power_of_ten};
use super::{Format, NANO, Quantity};
use crate::reading::{Problem, shown, split_digits};

/// The largest value a binary suffix can express; more is cut down to it without an error.
const BINARY_CAP: i128 = i64::MAX as i128;

/// Digits that the reference implementation handles in 64-bit integers. It shows in two ways: a short text that looks
/// canonical is printed again as written, and a short one without digits is zero, not an error.
const SHORT_DECIMAL_DIGITS: usize = 18;
const SHORT_BINARY_DIGITS: usize = 14;

/// The pieces of a quantity's text, before any of them is judged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Parts<'text> {
    /// No minus sign in front.
    pub positive: bool,
    /// Everything before the suffix, with its sign.
    pub number: &'text str,
    /// Digits before the point without leading zeros; `0` if there are none.
    pub whole: &'text str,
    /// Digits after the point.
    pub fraction: &'text str,
    /// Everything after the number.
    pub suffix: &'text str,
}

impl Parts<'_> {
    /// Whether the number has any digits.
    pub fn has_digits(&self) -> bool {
        self.number.contains(|character: char| character.is_ascii_digit())
    }
}

/// Cuts a text into sign, digits and suffix. Never fails: what does not belong ends up in the suffix.
pub fn split(text: &str) -> Parts<'_> {
    let unsigned = text.strip_prefix(['+', '-']).unwrap_or(text);
    let (digits, rest) = split_digits(unsigned);
    let (fraction, suffix) = rest.strip_prefix('.').map_or(("", rest), split_digits);
    let significant = digits.trim_start_matches('0');
    Parts {
        positive: !text.starts_with('-'),
        number: &text[..text.len() - suffix.len()],
        whole: if significant.is_empty() { "0" } else { significant },
        fraction,
        suffix,
    }
}

/// A suffix: how it is written and what it multiplies with.
#[derive(Clone, Copy)]
pub(super) enum Scale {
    Ten { exponent: i32, format: Format },
    Two { exponent: u32 },
}

/// Decimal suffixes with their power of ten.
pub(super) const DECIMAL_SUFFIXES: [(&str, i32); 10] =
    [("n", -9), ("u", -6), ("m", -3), ("", 0), ("k", 3), ("M", 6), ("G", 9), ("T", 12), ("P", 15), ("E", 18)];

/// Binary suffixes; each is 1024 times the one before, the first is 1024.
pub(super) const BINARY_SUFFIXES: [&str; 6] = ["Ki", "Mi", "Gi", "Ti", "Pi", "Ei"];

/// Reads a quantity; `capped` cuts binary values at the largest 64-bit integer as Kubernetes does.
pub(super) fn parse(text: &str, capped: bool) -> Result<Quantity, Problem> {
    if text.is_empty() {
        return Err(Problem::Empty);
    }
    let parts = split(text);
    let scale = scale_of(&parts)?;
    let short = is_short(&parts, scale);
    if !short && !parts.has_digits() {
        return Err(Problem::NoNumber);
    }
    let digits = Digits::read(&parts);
    let (amount, format) = match scale {
        Scale::Ten { exponent, format } => (digits.times_ten_to(exponent)?, format),
        Scale::Two { exponent } => digits.times_two_to(exponent, capped)?,
    };
    let amount = if parts.positive { amount } else { amount.checked_neg().ok_or(Problem::TooManyDigits)? };
    // The reference implementation holds every other number at nano scale, which its approximate floats show.
    let amount = if short { amount } else { amount.at_exponent(NANO).unwrap_or(amount) };
    let written = (text == "0" || short && looks_canonical(&parts, scale)).then(|| text.into());
    Ok(Quantity { amount, format, written })
}

fn scale_of(parts: &Parts<'_>) -> Result<Scale, Problem> {
    let suffix = parts.suffix;
    if let Some((_, exponent)) = DECIMAL_SUFFIXES.iter().find(|(known, _)| *known == suffix) {
        return Ok(Scale::Ten { exponent: *exponent, format: Format::DecimalSi });
    }
    if let Some(index) = BINARY_SUFFIXES.iter().position(|known| *known == suffix) {
        return Ok(Scale::Two { exponent: 10 * (index as u32 + 1) });
    }
    if let Some(power) = suffix.strip_prefix(['e', 'E']).filter(|power| is_signed_integer(power)) {
        // Digits are all there is, so a power that does not parse is out of range; below the range it rounds up to nano.
        let out_of_range = if power.starts_with('-') { Ok(i32::MIN) } else { Err(Problem::TooLarge) };
        let exponent = power.parse().or(out_of_range)?;
        return Ok(Scale::Ten { exponent, format: Format::DecimalExponent });
    }
    if !parts.has_digits() {
        return Err(Problem::NoNumber);
    }
    let all_letters = suffix.chars().all(char::is_alphabetic);
    Err(if all_letters { Problem::UnknownSuffix(shown(suffix)) } else { Problem::Malformed(shown(suffix)) })
}

fn is_signed_integer(text: &str) -> bool {
    let digits = text.strip_prefix(['+', '-']).unwrap_or(text);
    !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit())
}

/// The digits of a number without sign and suffix, as many as fit.
struct Digits {
    mantissa: i128,
    exponent: i64,
    /// Digits other than zero that did not fit.
    cut: bool,
}

impl Digits {
    fn read(parts: &Parts<'_>) -> Self {
        let mut digits = Self { mantissa: 0, exponent: -(parts.fraction.len() as i64), cut: false };
        let mut full = false;
        for byte in parts.whole.bytes().chain(parts.fraction.bytes()) {
            let digit = i128::from(byte - b'0');
            let longer = digits.mantissa.checked_mul(10).and_then(|tens| tens.checked_add(digit));
            if let Some(longer) = longer.filter(|_| !full) {
                digits.mantissa = longer;
            } else {
                full = true;
                digits.cut |= digit != 0;
                digits.exponent += 1;
            }
        }
        digits
    }

    /// The number times a power of ten, rounded up to nano.
    fn times_ten_to(&self, power: i32) -> Result<Decimal, Problem> {
        if self.mantissa == 0 {
            return Ok(Decimal { mantissa: 0, exponent: 0 });
        }
        let exponent = self.exponent + i64::from(power);
        if self.cut && exponent > i64::from(NANO) {
            return Err(Problem::TooManyDigits);
        }
        // Below the smallest exponent the number is a tiny part of one nano, and rounds up to it all the same.
        let exponent = i32::try_from(exponent.max(i64::from(i32::MIN))).map_err(|_| Problem::TooLarge)?;
        let (rounded, exact) = Decimal { mantissa: self.mantissa, exponent }.round_up(NANO);
        let lift = i128::from(exact && self.cut);
        let mantissa = rounded.mantissa.checked_add(lift).ok_or(Problem::TooManyDigits)?;
        Ok(Decimal { mantissa, ..rounded })
    }

    /// The number times a power of two, rounded up to nano. A result between zero and one is a decimal quantity.
    fn times_two_to(&self, power: u32, capped: bool) -> Result<(Decimal, Format), Problem> {
        let cap = Decimal { mantissa: BINARY_CAP, exponent: 0 };
        let product = match self.mantissa.checked_mul(1 << power) {
            Some(mantissa) => Self { mantissa, ..*self }.times_ten_to(0)?,
            None if capped && self.reaches_the_cap(power) => cap,
            None => return Err(Problem::TooManyDigits),
        };
        if capped && product.compare(cap).is_gt() {
            return Ok((cap, Format::BinarySi));
        }
        let one = Decimal { mantissa: 1, exponent: 0 };
        let below_one = product.mantissa != 0 && product.compare(one).is_lt();
        Ok((product, if below_one { Format::DecimalSi } else { Format::BinarySi }))
    }

    /// Whether the number times a power of two is more than the cap, which is one less than 2^63.
    fn reaches_the_cap(&self, power: u32) -> bool {
        let enough = 1 << (63 - power);
        self.exponent >= 0 || power_of_ten(-self.exponent).is_some_and(|one| self.mantissa / one >= enough)
    }
}

fn is_short(parts: &Parts<'_>, scale: Scale) -> bool {
    let digits = parts.whole.len() + parts.fraction.len();
    match scale {
        Scale::Ten { exponent, .. } => {
            digits <= SHORT_DECIMAL_DIGITS
                && i64::from(exponent) - parts.fraction.len() as i64 >= i64::from(NANO)
        }
        // Three digits are set aside for each factor of 1024.
        Scale::Two { exponent } => {
            parts.fraction.is_empty() && digits + exponent as usize / 10 * 3 <= SHORT_BINARY_DIGITS
        }
    }
}

/// Whether the reference implementation keeps a short text as it is. Its test is rough: `100.035k` passes.
fn looks_canonical(parts: &Parts<'_>, scale: Scale) -> bool {
    match scale {
        Scale::Ten { exponent, .. } => {
            let digits = [parts.whole, parts.fraction].concat();
            (i64::from(exponent) - parts.fraction.len() as i64) % 3 == 0
                && !digits.ends_with("000")
                && !digits.starts_with('0')
        }
        Scale::Two { .. } => parts.whole.parse::<u64>().is_ok_and(|value| value % 8 != 0),
    }
}
