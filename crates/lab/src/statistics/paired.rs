//! Two strategies on the same seeds: the same arrivals, failures and noise, so that only the strategy differs.

use super::FEWEST_SEEDS;
use super::bootstrap::{Bootstrap, Interval};
use super::distribution::standard_deviation;
use super::estimate::{mean, sorted};
use super::rank_test::{SignedRank, signed_rank};
use serde::Serialize;

/// One strategy minus another, seed by seed.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Comparison {
    pub pairs: usize,
    pub mean_difference: f64,
    /// Paired bootstrap, 95 %; none for fewer than two pairs.
    pub interval: Option<Interval>,
    /// None if there is no difference at all.
    pub test: Option<SignedRank>,
    /// The mean difference in standard deviations of the differences; none if they do not vary.
    pub standardised: Option<f64>,
    pub verdict: Verdict,
}

/// What may be said about a difference.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// Not enough seeds to say anything.
    TooFewSeeds,
    /// The interval of the difference excludes zero.
    Differs,
    /// It does not: no difference was shown.
    NotShown,
}

/// Compares paired values. None if their numbers differ, there are none, or one is not a number.
pub fn compare(ours: &[f64], theirs: &[f64], bootstrap: &Bootstrap, name: &str) -> Option<Comparison> {
    if ours.len() != theirs.len() || ours.is_empty() {
        return None;
    }
    let differences: Vec<f64> = ours.iter().zip(theirs).map(|(a, b)| a - b).collect();
    if differences.iter().any(|value| !value.is_finite()) {
        return None;
    }
    let mean_difference = mean(&sorted(&differences));
    let deviation = standard_deviation(&differences, mean_difference);
    let interval = bootstrap.mean(&differences, name);
    Some(Comparison {
        pairs: differences.len(),
        mean_difference,
        interval,
        test: signed_rank(&differences),
        standardised: (deviation > 0.0).then(|| mean_difference / deviation),
        verdict: verdict(differences.len(), interval),
    })
}

fn verdict(pairs: usize, interval: Option<Interval>) -> Verdict {
    match interval {
        _ if pairs < FEWEST_SEEDS => Verdict::TooFewSeeds,
        Some(interval) if interval.excludes_zero() => Verdict::Differs,
        _ => Verdict::NotShown,
    }
}

/// Holm's correction for asking several questions of one experiment: the corrected probabilities, in the given order.
pub fn holm(probabilities: &[f64]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..probabilities.len()).collect();
    order.sort_by(|a, b| probabilities[*a].total_cmp(&probabilities[*b]).then(a.cmp(b)));
    let mut corrected = vec![0.0; probabilities.len()];
    let mut largest = 0.0_f64;
    for (rank, index) in order.into_iter().enumerate() {
        let factor = (probabilities.len() - rank) as f64;
        largest = largest.max((probabilities[index] * factor).min(1.0));
        corrected[index] = largest;
    }
    corrected
}
