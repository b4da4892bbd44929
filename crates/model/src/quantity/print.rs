//! The canonical text of a quantity: no fraction, nothing lost, the largest suffix that allows both.

use super::decimal::Decimal;
use super::parse::{BINARY_SUFFIXES, DECIMAL_SUFFIXES};
use super::{Format, Quantity};

/// Below this magnitude binary quantities are printed in decimal form.
const SMALLEST_BINARY: i128 = 1024;

/// The canonical text.
pub(super) fn canonical(quantity: &Quantity) -> String {
    if quantity.amount.mantissa == 0 {
        return "0".to_owned();
    }
    match quantity.format {
        Format::BinarySi => {
            binary(quantity.amount).unwrap_or_else(|| decimal(quantity.amount, Format::DecimalSi))
        }
        format => decimal(quantity.amount, format),
    }
}

/// The binary form; small, fractional and enormous numbers have none.
fn binary(amount: Decimal) -> Option<String> {
    let mut value = amount.at_exponent(0)?.mantissa;
    if value.unsigned_abs() < SMALLEST_BINARY.unsigned_abs() {
        return None;
    }
    let mut suffix = "";
    for larger in BINARY_SUFFIXES {
        if value % SMALLEST_BINARY != 0 {
            break;
        }
        value /= SMALLEST_BINARY;
        suffix = larger;
    }
    Some(format!("{value}{suffix}"))
}

/// The decimal form, with an exponent that is a multiple of three.
fn decimal(amount: Decimal, format: Format) -> String {
    let shortest = amount.stripped();
    let zeros = shortest.exponent.rem_euclid(3);
    let exponent = i64::from(shortest.exponent) - i64::from(zeros);
    let number = format!("{}{}", shortest.mantissa, &"00"[..zeros as usize]);
    let known = DECIMAL_SUFFIXES.iter().find(|(_, power)| i64::from(*power) == exponent);
    match (format, known) {
        (_, Some((_, 0))) => number,
        (Format::DecimalSi, Some((suffix, _))) => format!("{number}{suffix}"),
        // There is no suffix beyond exa and nano. The reference implementation prints nothing there, which changes
        // the number; an exponent says the same thing truthfully.
        _ => format!("{number}e{exponent}"),
    }
}
