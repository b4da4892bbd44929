//! Brings raw scores to 0 to 100.

use crate::scheduler::profile::MAX_NODE_SCORE;

/// Scales so that the highest becomes `most`; with `reverse` the lowest raw score is the best.
pub fn by_maximum(most: i64, reverse: bool, scores: &mut [i64]) {
    let highest = scores.iter().copied().max().unwrap_or(0).max(0);
    for score in scores {
        *score = match (highest, reverse) {
            (0, false) => *score,
            (0, true) => most,
            (_, false) => most * *score / highest,
            (_, true) => most - most * *score / highest,
        };
    }
}

/// Spreads lowest to highest over 0 to 100; all equal become 0.
pub fn by_range(scores: &mut [i64]) {
    let lowest = scores.iter().copied().min().unwrap_or(0);
    let range = scores.iter().copied().max().unwrap_or(0) - lowest;
    for score in scores {
        let share = if range > 0 { (*score - lowest) as f64 / range as f64 } else { 0.0 };
        *score = (MAX_NODE_SCORE as f64 * share) as i64;
    }
}
