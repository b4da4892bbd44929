//! Splits a whole number by weights so that the parts always add up to it: largest remainder, earlier first.

/// One part per weight; they add up to `whole`. Nothing is given out when all weights are zero.
///
/// A part differs from its exact share by less than one. The remainders decide who gets the units that rounding down
/// leaves over; among equal remainders the earlier weight wins.
pub fn apportion(whole: u64, weights: &[u64]) -> Vec<u64> {
    let total: u128 = weights.iter().map(|weight| u128::from(*weight)).sum();
    if total == 0 {
        return vec![0; weights.len()];
    }
    let product = |weight: &u64| u128::from(whole) * u128::from(*weight);
    let mut parts: Vec<u64> = weights.iter().map(|weight| (product(weight) / total) as u64).collect();
    let left = whole - parts.iter().sum::<u64>();
    let mut order: Vec<usize> = (0..weights.len()).collect();
    order.sort_by_key(|index| std::cmp::Reverse(product(&weights[*index]) % total));
    // Each remainder is less than one unit, so fewer units are left than there are weights.
    for index in order.into_iter().take(left as usize) {
        parts[index] += 1;
    }
    parts
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn parts_follow_the_weights() {
        let check = |whole, weights: &[u64], want: &[u64]| {
            assert_eq!(apportion(whole, weights), want, "{whole} by {weights:?}");
        };
        check(100, &[1, 1, 2], &[25, 25, 50]);
        check(100, &[1, 1, 1], &[34, 33, 33]);
        check(10, &[0, 7, 0], &[0, 10, 0]);
        check(2, &[5, 5, 5, 5], &[1, 1, 0, 0]);
        check(7, &[0, 0], &[0, 0]);
        check(7, &[], &[]);
        check(u64::MAX, &[u64::MAX, u64::MAX], &[1 << 63, (1 << 63) - 1]);
    }

    proptest! {
        #[test]
        fn nothing_is_lost(whole: u64, weights in prop::collection::vec(any::<u64>(), 1..20)) {
            let parts = apportion(whole, &weights);
            let total: u128 = weights.iter().map(|weight| u128::from(*weight)).sum();
            prop_assume!(total > 0);
            prop_assert_eq!(parts.iter().map(|part| u128::from(*part)).sum::<u128>(), u128::from(whole));
            for (part, weight) in parts.iter().zip(&weights) {
                let floor = u128::from(whole) * u128::from(*weight) / total;
                prop_assert!((floor..=floor + 1).contains(&u128::from(*part)));
            }
        }
    }
}
