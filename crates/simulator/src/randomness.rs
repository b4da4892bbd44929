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
    fn bounds_are_included_and_kept() {
        let mut stream = Randomness::new(7).stream("bounds");
        let draws: Vec<u64> = (0..1_000).map(|_| stream.between(3, 5)).collect();
        assert!(draws.iter().all(|draw| (3..=5).contains(draw)));
        assert!((3..=5).all(|value| draws.contains(&value)));
    }
}
