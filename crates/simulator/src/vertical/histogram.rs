//! A histogram whose samples lose half of their weight every half-life.
//!
//! Old weights are not made smaller: new ones are made larger, so that a sample costs one addition. Only when the
//! factor grows too large is everything scaled down.

use model::time::{Period, Timestamp};

/// A bucket with less than this is empty: a thousandth of the smallest weight a sample can have.
const EMPTY_BELOW: f64 = 0.0001;

/// The reference time moves when newer samples would weigh more than two to this power.
const MAX_EXPONENT: u64 = 100;

/// Bucket widths that grow by a constant ratio: the error stays a share of the value.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Buckets {
    count: usize,
    first: f64,
    ratio: f64,
}

impl Buckets {
    /// Buckets of which the first ends at `first` and the last begins at or above `largest`. Nothing if these are not
    /// positive or the ratio is not above one.
    pub fn new(largest: f64, first: f64, ratio: f64) -> Option<Self> {
        let is_valid = largest > 0.0 && first > 0.0 && ratio > 1.0;
        is_valid.then(|| {
            let count = libm::ceil(logarithm(ratio, largest * (ratio - 1.0) / first + 1.0)) as usize + 1;
            Self { count, first, ratio }
        })
    }

    /// Cores: from 0.01 to 1000, each bucket 5 % wider than the one before.
    pub fn of_cpu() -> Self {
        Self::new(1000.0, 0.01, 1.0 + 0.05).expect("positive bounds")
    }

    /// Bytes: from 10 MB to 1 TB, each bucket 5 % wider than the one before.
    pub fn of_memory() -> Self {
        Self::new(1e12, 1e7, 1.0 + 0.05).expect("positive bounds")
    }

    pub const fn count(&self) -> usize {
        self.count
    }

    /// The bucket of a value; values beyond the ends fall into the first or the last.
    pub fn find(&self, value: f64) -> usize {
        if value < self.first {
            return 0;
        }
        let bucket = logarithm(self.ratio, value * (self.ratio - 1.0) / self.first + 1.0) as usize;
        bucket.min(self.count - 1)
    }

    /// Where a bucket begins.
    pub fn start(&self, bucket: usize) -> f64 {
        if bucket == 0 {
            return 0.0;
        }
        self.first * (libm::pow(self.ratio, bucket as f64) - 1.0) / (self.ratio - 1.0)
    }
}

fn logarithm(base: f64, value: f64) -> f64 {
    libm::log(value) / libm::log(base)
}

#[derive(Clone, Debug, PartialEq)]
pub struct DecayingHistogram {
    buckets: Buckets,
    half_life: Period,
    weights: Vec<f64>,
    total: f64,
    /// The first bucket that is not empty; the last one if all are.
    lowest: usize,
    /// The last bucket that is not empty; the first one if all are.
    highest: usize,
    /// A sample of this time has its plain weight; a multiple of the half-life, set by the first sample.
    reference: Option<Timestamp>,
}

impl DecayingHistogram {
    /// A half-life of zero is taken as the shortest there is.
    pub fn new(buckets: Buckets, half_life: Period) -> Self {
        Self {
            buckets,
            half_life: half_life.max(Period::from_millis(1)),
            weights: vec![0.0; buckets.count],
            total: 0.0,
            lowest: buckets.count - 1,
            highest: 0,
            reference: None,
        }
    }

    pub fn is_empty(&self) -> bool {
        self.weights[self.lowest] < EMPTY_BELOW
    }

    pub fn add(&mut self, value: f64, weight: f64, at: Timestamp) {
        let weight = weight * self.factor(at);
        let bucket = self.buckets.find(value);
        self.weights[bucket] += weight;
        self.total += weight;
        if self.weights[bucket] >= EMPTY_BELOW {
            self.lowest = self.lowest.min(bucket);
            self.highest = self.highest.max(bucket);
        }
    }

    /// Takes back a sample that was added with the same value, weight and time.
    pub fn subtract(&mut self, value: f64, weight: f64, at: Timestamp) {
        let weight = weight * self.factor(at);
        let bucket = self.buckets.find(value);
        self.total = less(self.total, weight);
        self.weights[bucket] = less(self.weights[bucket], weight);
        self.skip_empty();
    }

    /// The end of the bucket below which lies this share of the weight (0.9 for the 90th percentile); 0 if empty.
    pub fn percentile(&self, share: f64) -> f64 {
        if self.is_empty() {
            return 0.0;
        }
        let threshold = share * self.total;
        let mut sum = 0.0;
        let found = (self.lowest..self.highest).find(|bucket| {
            sum += self.weights[*bucket];
            sum >= threshold
        });
        let bucket = found.unwrap_or(self.highest);
        // The last bucket has no end.
        self.buckets.start((bucket + 1).min(self.buckets.count - 1))
    }

    /// How much more than at the reference time a sample weighs.
    fn factor(&mut self, at: Timestamp) -> f64 {
        let reference = match self.reference {
            Some(reference) if at <= reference + self.half_life.saturating_mul(MAX_EXPONENT) => reference,
            _ => self.move_reference(at),
        };
        libm::exp2(self.half_lives_between(reference, at))
    }

    /// Whole numbers of half-lives scale by exact powers of two.
    fn move_reference(&mut self, at: Timestamp) -> Timestamp {
        let half_life = self.half_life.as_millis();
        let multiple = (at.as_millis().saturating_add(half_life / 2)) / half_life;
        let moved = Timestamp::from_millis(multiple.saturating_mul(half_life));
        if let Some(before) = self.reference {
            let exponent = libm::floor(self.half_lives_between(moved, before) + 0.5);
            self.scale(libm::exp2(exponent));
        }
        self.reference = Some(moved);
        moved
    }

    fn half_lives_between(&self, from: Timestamp, to: Timestamp) -> f64 {
        let (forth, back) = (to.since(from).as_millis(), from.since(to).as_millis());
        (forth as f64 - back as f64) / self.half_life.as_millis() as f64
    }

    fn scale(&mut self, factor: f64) {
        for weight in &mut self.weights[self.lowest..=self.highest.max(self.lowest)] {
            *weight *= factor;
        }
        self.total *= factor;
        self.skip_empty();
    }

    fn skip_empty(&mut self) {
        while self.weights[self.lowest] < EMPTY_BELOW && self.lowest < self.buckets.count - 1 {
            self.lowest += 1;
        }
        while self.weights[self.highest] < EMPTY_BELOW && self.highest > 0 {
            self.highest -= 1;
        }
    }
}

/// Subtraction that rounding cannot bring below nothing.
fn less(value: f64, by: f64) -> f64 {
    let rest = value - by;
    if rest < EMPTY_BELOW { 0.0 } else { rest }
}
