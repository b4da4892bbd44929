//! Named random streams from one seed: drawing one more number here does not change the numbers over there.

use rand_chacha::ChaCha8Rng;
use rand_core::{Rng, SeedableRng};

/// The root of all chance in a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Randomness {
    seed: u64,
}

impl Randomness {
    pub const fn new(seed: u64) -> Self {
        Self { seed }
    }

    /// The stream for one purpose. The same seed and name always give the same numbers.
    pub fn stream(self, name: &str) -> Stream {
        let hash = model::hash::ContentHash::of(&(self.seed, name));
        let mut key = [0; 32];
        for (byte, digits) in key.iter_mut().zip(hash.to_string().as_bytes().chunks(2)) {
            let text = std::str::from_utf8(digits).expect("hexadecimal digits are text");
            *byte = u8::from_str_radix(text, 16).expect("a hash prints as hexadecimal digits");
        }
        Stream { generator: ChaCha8Rng::from_seed(key) }
    }

    /// Chance of its own for a purpose that has streams and fields itself.
    #[must_use]
    pub fn branch(self, name: &str) -> Self {
        Self { seed: self.stream(&format!("branch/{name}")).next_u64() }
    }

    /// The field for one purpose. The same seed and name always give the same numbers, and never those of a stream.
    pub fn field(self, name: &str) -> Field {
        let mut stream = self.stream(&format!("field/{name}"));
        Field { keys: [stream.next_u64(), stream.next_u64()] }
    }
}

/// Numbers for one purpose that can be asked for in any order: the number of an index does not depend on what was asked
/// before, so a function of time can have noise and still be a function of time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Field {
    keys: [u64; 2],
}

/// The golden ratio in 64 bits: odd, so that its multiples visit every number before they repeat.
const GOLDEN: u64 = 0x9e37_79b9_7f4a_7c15;

/// Spreads every input bit over all output bits; the finaliser of SplitMix64, which is one-to-one.
const fn mix(number: u64) -> u64 {
    let number = (number ^ (number >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let number = (number ^ (number >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    number ^ (number >> 31)
}

/// All bits as a number strictly between zero and one.
fn strictly_between(bits: u64) -> f64 {
    // 53 bits are what an f64 holds; the half keeps both ends out.
    const SCALE: f64 = 1.0 / (1_u64 << 53) as f64;
    ((bits >> 11) as f64 + 0.5) * SCALE
}

impl Field {
    /// A field of its own for part number `part` of this purpose.
    #[must_use]
    pub const fn part(self, part: u64) -> Self {
        let step = mix(part.wrapping_add(1).wrapping_mul(GOLDEN));
        Self { keys: [mix(self.keys[0] ^ step), mix(self.keys[1].wrapping_add(step))] }
    }

    /// All 64 bits of the number at `index`.
    pub const fn at(self, index: u64) -> u64 {
        mix(mix(index.wrapping_mul(GOLDEN).wrapping_add(self.keys[0])) ^ self.keys[1])
    }

    /// Uniform strictly between zero and one.
    pub fn unit_at(self, index: u64) -> f64 {
        strictly_between(self.at(index))
    }

    /// Normal with mean zero and standard deviation one.
    pub fn normal_at(self, index: u64) -> f64 {
        crate::normal::quantile(self.unit_at(index))
    }

    /// A factor with mean one, log-normal: `sigma` is the standard deviation of its logarithm.
    pub fn factor_at(self, index: u64, sigma: f64) -> f64 {
        libm::exp(sigma * self.normal_at(index) - sigma * sigma / 2.0)
    }
}

/// A field that may be another one from some moment on: what has shown itself by then stays as it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Spliced {
    first: Field,
    /// In milliseconds, and the field of everything that begins later.
    then: Option<(u64, Field)>,
}

impl From<Field> for Spliced {
    fn from(first: Field) -> Self {
        Self { first, then: None }
    }
}

impl Spliced {
    /// The field for something that begins at a millisecond and lasts.
    pub const fn of(self, begins: u64) -> Field {
        match self.then {
            Some((moment, field)) if begins > moment => field,
            _ => self.first,
        }
    }

    /// The same up to a millisecond, another field for what begins after it. Only one such moment is remembered.
    #[must_use]
    pub const fn renewed_after(self, moment: u64, field: Field) -> Self {
        Self { first: self.of(moment), then: Some((moment, field)) }
    }
}

/// Numbers for one purpose.
#[derive(Clone, Debug)]
pub struct Stream {
    generator: ChaCha8Rng,
}

impl Stream {
    pub fn next_u64(&mut self) -> u64 {
        self.generator.next_u64()
    }

    /// Uniform strictly between zero and one.
    pub fn unit(&mut self) -> f64 {
        strictly_between(self.next_u64())
    }

    /// Uniform between two bounds, both included.
    pub fn between(&mut self, least: u64, most: u64) -> u64 {
        assert!(least <= most, "a range runs forwards");
        let span = most - least;
        if span == u64::MAX {
            return self.next_u64();
        }
        least + self.below(span + 1)
    }

    /// Uniform from 0 up to but not including `bound`, without bias: draws in the uneven rest are repeated.
    pub fn below(&mut self, bound: u64) -> u64 {
        assert!(bound > 0, "there is nothing below zero");
        let even = u64::MAX - u64::MAX % bound;
        loop {
            let number = self.next_u64();
            if number < even {
                return number % bound;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn streams_are_repeatable_and_independent() {
        let take = |seed, name: &str| {
            let mut stream = Randomness::new(seed).stream(name);
            [stream.next_u64(), stream.next_u64()]
        };
        assert_eq!(take(1, "boot"), take(1, "boot"));
        assert_ne!(take(1, "boot"), take(2, "boot"));
        assert_ne!(take(1, "boot"), take(1, "review"));
    }

    #[test]
    fn a_field_answers_the_same_in_any_order() {
        let field = Randomness::new(1).field("demand");
        let forwards: Vec<u64> = (0..100).map(|index| field.at(index)).collect();
        let backwards: Vec<u64> = (0..100).rev().map(|index| field.at(index)).collect();
        assert!(forwards.iter().eq(backwards.iter().rev()));
        for other in [Randomness::new(2).field("demand"), Randomness::new(1).field("noise"), field.part(0)] {
            assert!(forwards.iter().zip(0..).all(|(number, index)| *number != other.at(index)));
        }
        assert_ne!(field.part(0).at(0), field.part(1).at(0));
    }

    #[test]
    fn a_branch_has_streams_of_its_own() {
        let first = |randomness: Randomness| randomness.stream("boot").next_u64();
        let root = Randomness::new(1);
        assert_eq!(first(root.branch("a")), first(root.branch("a")));
        assert_ne!(first(root.branch("a")), first(root.branch("b")));
        assert_ne!(first(root.branch("a")), first(root));
    }

    #[test]
    fn a_spliced_field_changes_at_its_moment() {
        let [old, new, newest] = ["old", "new", "newest"].map(|name| Randomness::new(1).field(name));
        let once = Spliced::from(old).renewed_after(100, new);
        assert_eq!([0, 100, 101].map(|begins| once.of(begins)), [old, old, new]);
        let twice = once.renewed_after(200, newest);
        assert_eq!([150, 200, 201].map(|begins| twice.of(begins)), [new, new, newest]);
    }

    #[test]
    fn a_field_has_the_moments_of_its_distributions() {
        let field = Randomness::new(3).field("moments");
        let moments = |draw: &dyn Fn(u64) -> f64| {
            let draws: Vec<f64> = (0..100_000).map(draw).collect();
            let mean = draws.iter().sum::<f64>() / 1e5;
            (mean, draws.iter().map(|draw| (draw - mean) * (draw - mean)).sum::<f64>() / 1e5)
        };
        let near = |(mean, variance): (f64, f64), want: (f64, f64)| {
            assert!((mean - want.0).abs() < 0.02 && (variance - want.1).abs() < 0.02, "{mean} {variance}");
        };
        near(moments(&|index| field.unit_at(index)), (0.5, 1.0 / 12.0));
        near(moments(&|index| field.normal_at(index)), (0.0, 1.0));
        // The variance of a log-normal factor with mean one is exp(sigma²) − 1.
        near(moments(&|index| field.factor_at(index, 0.2)), (1.0, 0.0408));
        near(moments(&|index| field.unit_at(index) * field.unit_at(index + 1)), (0.25, 7.0 / 144.0));
    }

    #[test]
    fn bounds_are_included_and_kept() {
        let mut stream = Randomness::new(7).stream("bounds");
        let draws: Vec<u64> = (0..1_000).map(|_| stream.between(3, 5)).collect();
        assert!(draws.iter().all(|draw| (3..=5).contains(draw)));
        assert!((3..=5).all(|value| draws.contains(&value)));
    }
}
