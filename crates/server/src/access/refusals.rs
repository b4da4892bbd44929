//! Refused attempts to sign in, as the record tells of them: enough to see that somebody tries, and never so much that trying fills
//! a disk.

use super::pace::Limiter;
use super::record;
use crate::storage::{Error, Transaction};
use serde_json::json;
use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// One entry for each place within this time; what comes meanwhile is counted in the next.
const ONE_EVERY: Duration = Duration::from_mins(1);

/// Entries of all places together, because somebody may have many: with some 400 bytes for each, less than four megabytes a day.
const PER_MINUTE: u32 = 6;
const AT_ONCE: u32 = 20;

/// Places that are remembered. Those that were told of longest ago are forgotten first.
const MOST_PLACES: usize = 1_000;

/// What was not told yet.
#[derive(Debug)]
pub(crate) struct Refusals {
    places: Mutex<BTreeMap<String, Place>>,
    all: Limiter,
}

#[derive(Clone, Copy, Debug, Default)]
struct Place {
    untold: u64,
    told: Option<Instant>,
}

impl Default for Refusals {
    fn default() -> Self {
        Self { places: Mutex::default(), all: Limiter::per_minute(PER_MINUTE, AT_ONCE) }
    }
}

impl Refusals {
    /// Counts one attempt from a place. Returns how many the record should tell of now, if it should.
    pub(crate) fn count(&self, place: &str, now: Instant) -> Option<u64> {
        let mut places = self.places.lock().unwrap_or_else(PoisonError::into_inner);
        if places.len() >= MOST_PLACES && !places.contains_key(place) {
            let oldest = places.iter().min_by_key(|(_, place)| place.told).map(|(name, _)| name.clone());
            oldest.map(|name| places.remove(&name));
        }
        let known = places.entry(place.to_owned()).or_default();
        known.untold = known.untold.saturating_add(1);
        let rested = known.told.is_none_or(|told| now.saturating_duration_since(told) >= ONE_EVERY);
        if !rested || self.all.take("all", now).is_err() {
            return None;
        }
        known.told = Some(now);
        Some(std::mem::take(&mut known.untold))
    }
}

/// Tells of attempts from a place since the last entry about it.
pub(crate) fn tell(
    transaction: &mut dyn Transaction,
    (place, how): (&str, &str),
    attempts: u64,
    request: Option<&str>,
    wall_ms: i64,
) -> Result<(), Error> {
    let body = json!({ "how": how, "attempts": attempts, "request": request });
    record::note(transaction, wall_ms, "session.refused", ("stranger", place), &body)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_is_told_of_once_a_minute_with_all_that_came_meanwhile() {
        let (refusals, now) = (Refusals::default(), crate::clock::now());
        let at = |seconds, place| refusals.count(place, now + Duration::from_secs(seconds));
        assert_eq!(at(0, "192.0.2.7"), Some(1));
        assert_eq!(at(0, "192.0.2.8"), Some(1), "another place");
        assert_eq!((at(1, "192.0.2.7"), at(59, "192.0.2.7")), (None, None));
        assert_eq!(at(60, "192.0.2.7"), Some(3));
    }

    #[test]
    fn many_places_fill_neither_the_disk_nor_the_memory() {
        let (refusals, now) = (Refusals::default(), crate::clock::now());
        let told = (0..5_000).filter(|number| refusals.count(&number.to_string(), now).is_some()).count();
        assert_eq!(told, AT_ONCE as usize);
        assert!(refusals.places.lock().expect("a lock").len() <= MOST_PLACES);
    }
}
