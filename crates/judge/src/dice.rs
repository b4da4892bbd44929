//! Throws for random objects: chances, choices and ranges from one stream.

use simulator::randomness::{Randomness, Stream};

pub(crate) struct Dice(Stream);

impl Dice {
    pub(crate) fn new(seed: u64, purpose: &str) -> Self {
        Self(Randomness::new(seed).stream(purpose))
    }

    /// True in so many cases of a hundred.
    pub(crate) fn chance(&mut self, percent: u64) -> bool {
        self.0.below(100) < percent
    }

    pub(crate) fn between(&mut self, least: u64, most: u64) -> u64 {
        self.0.between(least, most)
    }

    pub(crate) fn one_of<'a, T: ?Sized>(&mut self, choices: &[&'a T]) -> &'a T {
        choices[self.index(choices.len())]
    }

    pub(crate) fn number(&mut self, choices: &[u64]) -> u64 {
        choices[self.index(choices.len())]
    }

    /// A place in a list that is not empty.
    pub(crate) fn index(&mut self, length: usize) -> usize {
        self.0.below(length as u64) as usize
    }
}
