//! Where a function that rises crosses zero.

/// More halvings than an f64 has bits; convergence usually takes under ten steps.
const MOST_STEPS: usize = 80;

/// What counts as zero; the functions here are relative errors or probabilities.
const ZERO: f64 = 1e-11;

/// The place between `low` and `high` where `rising` is zero, or the nearer end if it never is. Takes the secant where that
/// makes progress and halves the interval where it does not (the Illinois rule).
pub(super) fn crossing(mut low: f64, mut high: f64, rising: impl Fn(f64) -> f64) -> f64 {
    let (mut at_low, mut at_high) = (rising(low), rising(high));
    if at_low >= 0.0 {
        return low;
    }
    if at_high <= 0.0 {
        return high;
    }
    // Which end moved last: if it is the same one twice, the other one's value is halved to draw the secant towards it.
    let mut moved_low = None;
    for step in 0..MOST_STEPS {
        let secant = high - at_high * (high - low) / (at_high - at_low);
        // Every fifth step halves, so that a function with a sharp bend cannot slow the search down.
        let is_usable = secant > low && secant < high && step % 5 != 4;
        let middle = if is_usable { secant } else { low.midpoint(high) };
        let value = rising(middle);
        if value.abs() <= ZERO || high - low <= 1e-14 * high.abs() {
            return middle;
        }
        let moves_low = value < 0.0;
        let again = moved_low == Some(moves_low);
        if moves_low {
            (low, at_low) = (middle, value);
            at_high = if again { at_high / 2.0 } else { at_high };
        } else {
            (high, at_high) = (middle, value);
            at_low = if again { at_low / 2.0 } else { at_low };
        }
        moved_low = Some(moves_low);
    }
    low.midpoint(high)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn crossings_are_found_even_beside_a_pole() {
        let check = |low: f64, high: f64, want: f64, rising: &dyn Fn(f64) -> f64| {
            let got = crossing(low, high, rising);
            assert!((got - want).abs() <= 1e-10 * (1.0 + want.abs()), "{got} instead of {want}");
        };
        check(0.0, 2.0, 2_f64.sqrt(), &|x| x * x - 2.0);
        check(0.0, 1.0 - 1e-15, 1.0 - 1e-9, &|x| 1.0 / (1.0 - x) - 1e9);
        check(0.0, 1.0, 1.0, &|x| x - 7.0);
        check(3.0, 4.0, 3.0, &|x| x);
        check(0.0, 1e12, 1e-3, &|x| x - 1e-3);
        check(0.0, 1.0, 0.999, &|x| libm::pow(x / 0.999, 200.0) - 1.0);
        check(-5.0, 5.0, 1.0, &|x| if x < 1.0 { -1.0 } else { 1.0 });
    }
}
