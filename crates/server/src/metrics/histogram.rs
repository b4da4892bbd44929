//! How long things took, as counts below fixed bounds.

/// Counts of values up to each bound, and of all.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Histogram {
    bounds: &'static [f64],
    /// One more than bounds: the last counts what is beyond all of them.
    counts: Vec<u64>,
    sum: f64,
}

impl Histogram {
    /// `bounds` grow.
    pub(super) fn new(bounds: &'static [f64]) -> Self {
        Self { bounds, counts: vec![0; bounds.len() + 1], sum: 0.0 }
    }

    pub(super) fn add(&mut self, value: f64) {
        let place = self.bounds.iter().position(|bound| value <= *bound).unwrap_or(self.bounds.len());
        self.counts[place] += 1;
        self.sum += value;
    }

    /// How many values lie at or below each bound, up to infinity.
    pub(super) fn cumulative(&self) -> impl Iterator<Item = (f64, u64)> + '_ {
        let bounds = self.bounds.iter().copied().chain([f64::INFINITY]);
        bounds.zip(self.counts.iter().scan(0, |sum, count| {
            *sum += count;
            Some(*sum)
        }))
    }

    pub(super) const fn sum(&self) -> f64 {
        self.sum
    }

    pub(super) fn count(&self) -> u64 {
        self.counts.iter().sum()
    }
}
