//! Not too many requests at once from the same caller.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

/// Callers that are remembered at the same time. Those who were quiet longest are forgotten first.
const MOST_CALLERS: usize = 10_000;

/// A bucket per caller that fills up with time and loses one drop per request.
#[derive(Debug)]
pub struct Limiter {
    per_second: f64,
    burst: f64,
    buckets: Mutex<BTreeMap<String, Bucket>>,
}

#[derive(Clone, Copy, Debug)]
struct Bucket {
    drops: f64,
    seen: Instant,
}

impl Limiter {
    pub const fn new(per_second: u32, burst: u32) -> Self {
        Self { per_second: per_second as f64, burst: burst as f64, buckets: Mutex::new(BTreeMap::new()) }
    }

    /// For what somebody does now and then.
    pub const fn per_minute(per_minute: u32, burst: u32) -> Self {
        let mut limiter = Self::new(per_minute, burst);
        limiter.per_second /= 60.0;
        limiter
    }

    /// Takes one drop, or says how many seconds to wait for one.
    pub fn take(&self, caller: &str, now: Instant) -> Result<(), u64> {
        let mut buckets = self.buckets.lock().unwrap_or_else(PoisonError::into_inner);
        if buckets.len() >= MOST_CALLERS && !buckets.contains_key(caller) {
            self.forget(&mut buckets, now);
        }
        let full = Bucket { drops: self.burst, seen: now };
        let bucket = buckets.entry(caller.to_owned()).or_insert(full);
        bucket.drops = self.filled(*bucket, now);
        bucket.seen = now;
        if bucket.drops < 1.0 {
            return Err(((1.0 - bucket.drops) / self.per_second).ceil().max(1.0) as u64);
        }
        bucket.drops -= 1.0;
        Ok(())
    }

    /// Gives a drop back that turned out not to count.
    pub fn give_back(&self, caller: &str) {
        let mut buckets = self.buckets.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(bucket) = buckets.get_mut(caller) {
            bucket.drops = (bucket.drops + 1.0).min(self.burst);
        }
    }

    fn filled(&self, bucket: Bucket, now: Instant) -> f64 {
        let passed = now.saturating_duration_since(bucket.seen).as_secs_f64();
        (bucket.drops + passed * self.per_second).min(self.burst)
    }

    /// A full bucket says no more than none.
    fn forget(&self, buckets: &mut BTreeMap<String, Bucket>, now: Instant) {
        buckets.retain(|_, bucket| self.filled(*bucket, now) < self.burst);
        if buckets.len() >= MOST_CALLERS {
            let oldest = buckets.iter().min_by_key(|(_, bucket)| bucket.seen).map(|(name, _)| name.clone());
            oldest.map(|name| buckets.remove(&name));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn a_burst_passes_and_then_the_pace_holds() {
        let (limiter, now) = (Limiter::new(2, 3), crate::clock::now());
        let taken = |at| limiter.take("anna", now + Duration::from_millis(at));
        assert!(taken(0).is_ok() && taken(0).is_ok() && taken(0).is_ok());
        assert_eq!(taken(0), Err(1));
        assert!(taken(500).is_ok());
        assert_eq!(taken(600), Err(1));
        assert!(limiter.take("ben", now).is_ok());
    }

    #[test]
    fn what_does_not_count_is_given_back() {
        let (limiter, now) = (Limiter::per_minute(6, 1), crate::clock::now());
        assert!(limiter.take("anna", now).is_ok());
        limiter.give_back("anna");
        assert!(limiter.take("anna", now).is_ok());
        assert_eq!(limiter.take("anna", now), Err(10));
        assert!(limiter.take("anna", now + Duration::from_secs(10)).is_ok());
    }

    #[test]
    fn a_crowd_does_not_fill_the_memory() {
        let (limiter, now) = (Limiter::new(1, 2), crate::clock::now());
        for number in 0..MOST_CALLERS + 100 {
            let _ = limiter.take(&number.to_string(), now);
        }
        assert!(limiter.buckets.lock().unwrap().len() <= MOST_CALLERS);
    }
}
