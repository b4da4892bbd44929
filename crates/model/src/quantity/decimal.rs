//! A decimal number with an integer mantissa: exact, and cheap even when the exponent is enormous.

use std::cmp::Ordering;

/// `mantissa × 10^exponent`. Two decimals may differ in their parts and still be the same number.
#[derive(Clone, Copy, Debug)]
pub(super) struct Decimal {
    pub(super) mantissa: i128,
    pub(super) exponent: i32,
}

impl Decimal {
    /// The number with exactly this exponent, or nothing if that needs rounding or more digits than there are.
    pub(super) fn at_exponent(self, exponent: i32) -> Option<Self> {
        let steps = i64::from(self.exponent) - i64::from(exponent);
        let mantissa = if self.mantissa == 0 {
            0
        } else if steps >= 0 {
            self.mantissa.checked_mul(power_of_ten(steps)?)?
        } else {
            let divisor = power_of_ten(-steps)?;
            (self.mantissa % divisor == 0).then_some(self.mantissa / divisor)?
        };
        Some(Self { mantissa, exponent })
    }

    /// The number rounded away from zero to a multiple of `10^exponent`, and whether nothing was lost. A number that
    /// is coarser already stays as it is.
    pub(super) fn round_up(self, exponent: i32) -> (Self, bool) {
        let steps = i64::from(exponent) - i64::from(self.exponent);
        if steps <= 0 {
            return (self, true);
        }
        let (quotient, exact) = match power_of_ten(steps) {
            Some(divisor) => (self.mantissa / divisor, self.mantissa % divisor == 0),
            None => (0, self.mantissa == 0),
        };
        let mantissa = if exact { quotient } else { quotient + self.mantissa.signum() };
        (Self { mantissa, exponent }, exact)
    }

    /// The same number with no trailing zeros in its mantissa. Zero gets exponent zero.
    pub(super) fn stripped(self) -> Self {
        if self.mantissa == 0 {
            return Self { mantissa: 0, exponent: 0 };
        }
        let mut shortest = self;
        while shortest.mantissa % 10 == 0 && shortest.exponent < i32::MAX {
            shortest.mantissa /= 10;
            shortest.exponent += 1;
        }
        shortest
    }

    /// The sum, or nothing if it has more digits than there are.
    pub(super) fn checked_add(self, other: Self) -> Option<Self> {
        if other.mantissa == 0 {
            return Some(self);
        }
        if self.mantissa == 0 {
            return Some(other);
        }
        add_aligned(self, other).or_else(|| add_aligned(self.stripped(), other.stripped()))
    }

    /// The number with the opposite sign, or nothing for the one mantissa that has none.
    pub(super) fn checked_neg(self) -> Option<Self> {
        Some(Self { mantissa: self.mantissa.checked_neg()?, ..self })
    }

    /// Which number is larger, whatever their exponents.
    pub(super) fn compare(self, other: Self) -> Ordering {
        let signs = self.mantissa.signum().cmp(&other.mantissa.signum());
        if signs != Ordering::Equal || self.mantissa == 0 {
            return signs;
        }
        let magnitudes = compare_magnitudes(self, other);
        if self.mantissa > 0 { magnitudes } else { magnitudes.reverse() }
    }
}

fn add_aligned(left: Decimal, right: Decimal) -> Option<Decimal> {
    let exponent = left.exponent.min(right.exponent);
    let (left, right) = (left.at_exponent(exponent)?, right.at_exponent(exponent)?);
    Some(Decimal { mantissa: left.mantissa.checked_add(right.mantissa)?, exponent })
}

/// Compares two numbers that are not zero without regard to their signs.
fn compare_magnitudes(left: Decimal, right: Decimal) -> Ordering {
    leading_position(left).cmp(&leading_position(right)).then_with(|| {
        match left.exponent.cmp(&right.exponent) {
            Ordering::Less => compare_same_length(right, left).reverse(),
            _ => compare_same_length(left, right),
        }
    })
}

/// Compares two magnitudes whose first digits stand at the same place; `coarse` has the larger exponent.
fn compare_same_length(coarse: Decimal, fine: Decimal) -> Ordering {
    let steps = i64::from(coarse.exponent) - i64::from(fine.exponent);
    let factor =
        power_of_ten(steps).expect("the first digits align, so the mantissas differ by at most 38 digits");
    // Only 39 digits that begin with 4 or more overflow here, and no mantissa reaches that far.
    let widened = coarse.mantissa.unsigned_abs().checked_mul(factor.unsigned_abs());
    widened.map_or(Ordering::Greater, |widened| widened.cmp(&fine.mantissa.unsigned_abs()))
}

/// The power of ten of the first digit.
fn leading_position(number: Decimal) -> i64 {
    i64::from(number.mantissa.unsigned_abs().ilog10()) + i64::from(number.exponent)
}

/// `10^steps` for steps that fit.
pub(super) fn power_of_ten(steps: i64) -> Option<i128> {
    10_i128.checked_pow(u32::try_from(steps).ok()?)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn decimal(mantissa: i128, exponent: i32) -> Decimal {
        Decimal { mantissa, exponent }
    }

    #[test]
    fn numbers_compare_by_value() {
        let check = |left: Decimal, right: Decimal, want: Ordering| {
            assert_eq!(left.compare(right), want, "{left:?} {right:?}");
            assert_eq!(right.compare(left), want.reverse(), "{right:?} {left:?}");
        };
        check(decimal(1, 3), decimal(1000, 0), Ordering::Equal);
        check(decimal(0, 500), decimal(0, -500), Ordering::Equal);
        check(decimal(1, i32::MAX), decimal(i128::MAX, 0), Ordering::Greater);
        check(decimal(-1, i32::MAX), decimal(1, i32::MIN), Ordering::Less);
        check(decimal(-1, i32::MIN), decimal(0, 0), Ordering::Less);
        check(decimal(9, 38), decimal(i128::MAX, 0), Ordering::Greater);
        check(decimal(1, 38), decimal(i128::MAX, 0), Ordering::Less);
        check(decimal(i128::MIN, 0), decimal(i128::MAX, 0), Ordering::Less);
        check(decimal(-15, -1), decimal(-1, 0), Ordering::Less);
    }

    #[test]
    fn rounding_goes_away_from_zero() {
        let check = |number: Decimal, exponent: i32, mantissa: i128, exact: bool| {
            let (rounded, was_exact) = number.round_up(exponent);
            assert_eq!((rounded.mantissa, was_exact), (mantissa, exact), "{number:?} to {exponent}");
        };
        check(decimal(901, -2), -3, 901, true);
        check(decimal(901, -2), 0, 10, false);
        check(decimal(-901, -2), 0, -10, false);
        check(decimal(900, -2), 0, 9, true);
        check(decimal(1, i32::MIN), -9, 1, false);
        check(decimal(-1, i32::MIN), i32::MAX, -1, false);
        check(decimal(0, i32::MIN), -9, 0, true);
    }

    #[test]
    fn sums_align_or_are_refused() {
        let check = |left: Decimal, right: Decimal, want: Option<Decimal>| {
            let sum = left.checked_add(right);
            assert_eq!(sum.is_some(), want.is_some(), "{left:?} + {right:?}");
            if let (Some(sum), Some(want)) = (sum, want) {
                assert_eq!(sum.compare(want), Ordering::Equal, "{left:?} + {right:?} = {sum:?}");
            }
        };
        check(decimal(15, -1), decimal(1, 1), Some(decimal(115, -1)));
        check(decimal(0, 500), decimal(1, -9), Some(decimal(1, -9)));
        check(decimal(1, 40), decimal(1000, 37), Some(decimal(2, 40)));
        check(decimal(1, 40), decimal(1, 0), None);
        check(decimal(i128::MAX, 0), decimal(1, 0), None);
        check(decimal(i128::MIN, 0), decimal(0, 0), Some(decimal(i128::MIN, 0)));
    }
}
