//! Wilcoxon's signed-rank test for paired values: exact for small samples, normal approximation with tie correction for large.

use super::distribution::normal_tail;
use libm::{fabs, sqrt};
use serde::Serialize;

/// Above this many differences the exact distribution is replaced by the normal one.
const MOST_EXACT: usize = 50;

/// The result of the test.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct SignedRank {
    /// The smaller of the two rank sums.
    pub statistic: f64,
    /// Two-sided probability of such a result if there were no difference.
    pub p: f64,
    /// Rank-biserial correlation: 1 if all differences are positive, -1 if all are negative.
    pub effect: f64,
}

/// Tests whether the differences are centred at zero. Zeros say nothing and are left out; without any other, none.
pub fn signed_rank(differences: &[f64]) -> Option<SignedRank> {
    let mut kept: Vec<f64> = differences.iter().copied().filter(|value| *value != 0.0).collect();
    if kept.is_empty() || kept.iter().any(|value| !value.is_finite()) {
        return None;
    }
    kept.sort_by(|a, b| fabs(*a).total_cmp(&fabs(*b)));
    let ranks = Ranks::of(&kept);
    let (statistic, total) = (ranks.positive.min(ranks.negative), ranks.positive + ranks.negative);
    let p = if kept.len() <= MOST_EXACT { ranks.exact() } else { ranks.approximate(kept.len()) };
    Some(SignedRank { statistic, p, effect: (ranks.positive - ranks.negative) / total })
}

/// The lowest probability that the test can give for so many differences, however clear they are: all signs alike.
pub fn least_probability(count: usize) -> f64 {
    (0..count).fold(2.0_f64, |probability, _| probability / 2.0).min(1.0)
}

struct Ranks {
    /// Twice the rank of each difference: ties have half ranks, twice of them are whole.
    doubled: Vec<usize>,
    positive: f64,
    negative: f64,
    /// The sum over ties of size³ - size.
    ties: f64,
}

impl Ranks {
    fn of(by_size: &[f64]) -> Self {
        let mut ranks = Self { doubled: Vec::new(), positive: 0.0, negative: 0.0, ties: 0.0 };
        let mut first = 0;
        for tie in by_size.chunk_by(|a, b| fabs(*a) == fabs(*b)) {
            let doubled = 2 * first + tie.len() + 1;
            let size = tie.len() as f64;
            ranks.ties += size * size * size - size;
            for value in tie {
                let side = if *value > 0.0 { &mut ranks.positive } else { &mut ranks.negative };
                *side += doubled as f64 / 2.0;
                ranks.doubled.push(doubled);
            }
            first += tie.len();
        }
        ranks
    }

    /// Counts, for all 2^n signs, how often the rank sum is as far out as the observed one.
    fn exact(&self) -> f64 {
        let total: usize = self.doubled.iter().sum();
        let mut ways = vec![0.0; total + 1];
        ways[0] = 1.0;
        let mut reached = 0;
        for rank in &self.doubled {
            reached += rank;
            for sum in (*rank..=reached).rev() {
                ways[sum] += ways[sum - rank];
            }
        }
        let observed = (self.positive.min(self.negative) * 2.0) as usize;
        let below: f64 = ways[..=observed].iter().sum();
        let all: f64 = ways.iter().sum();
        (2.0 * below / all).min(1.0)
    }

    fn approximate(&self, count: usize) -> f64 {
        let n = count as f64;
        let mean = n * (n + 1.0) / 4.0;
        let variance = n * (n + 1.0) * (2.0 * n + 1.0) / 24.0 - self.ties / 48.0;
        let z = fabs(self.positive.min(self.negative) - mean) / sqrt(variance);
        (2.0 * normal_tail(z)).min(1.0)
    }
}
