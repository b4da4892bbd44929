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

/// Places that are remembered. Those from which nobody came for longest are forgotten first; what is not told of them is told without
/// a place.
const MOST_PLACES: usize = 1_000;

/// What was not told yet.
#[derive(Debug)]
pub(crate) struct Refusals {
    places: Mutex<Places>,
    all: Limiter,
}

#[derive(Debug, Default)]
struct Places {
    known: BTreeMap<String, Place>,
    /// Attempts from places that were forgotten.
    elsewhere: u64,
}

#[derive(Clone, Copy, Debug)]
struct Place {
    untold: u64,
    told: Option<Instant>,
    seen: Instant,
}

/// What the record should tell of now.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Attempts {
    /// From this place since the last entry about it.
    pub(crate) here: u64,
    /// From places that nobody remembers.
    pub(crate) elsewhere: u64,
}

impl Default for Refusals {
    fn default() -> Self {
        Self { places: Mutex::default(), all: Limiter::per_minute(PER_MINUTE, AT_ONCE) }
    }
}

impl Places {
    fn make_room(&mut self, for_whom: &str) {
        if self.known.len() < MOST_PLACES || self.known.contains_key(for_whom) {
            return;
        }
        let quietest = self.known.iter().min_by_key(|(_, place)| place.seen).map(|(name, _)| name.clone());
        let gone = quietest.and_then(|name| self.known.remove(&name));
        self.elsewhere = self.elsewhere.saturating_add(gone.map_or(0, |place| place.untold));
    }
}

impl Refusals {
    /// Counts one attempt from a place. Returns what the record should tell of now, if it should.
    pub(crate) fn count(&self, place: &str, now: Instant) -> Option<Attempts> {
        let mut places = self.places.lock().unwrap_or_else(PoisonError::into_inner);
        places.make_room(place);
        let new = Place { untold: 0, told: None, seen: now };
        let known = places.known.entry(place.to_owned()).or_insert(new);
        known.untold = known.untold.saturating_add(1);
        known.seen = now;
        let rested = known.told.is_none_or(|told| now.saturating_duration_since(told) >= ONE_EVERY);
        if !rested || self.all.take("all", now).is_err() {
            return None;
        }
        known.told = Some(now);
        let here = std::mem::take(&mut known.untold);
        Some(Attempts { here, elsewhere: std::mem::take(&mut places.elsewhere) })
    }
}

/// Tells of attempts from a place since the last entry about it.
pub(crate) fn tell(
    transaction: &mut dyn Transaction,
    (place, how): (&str, &str),
    Attempts { here, elsewhere }: Attempts,
    request: Option<&str>,
    wall_ms: i64,
) -> Result<(), Error> {
    let mut body = json!({ "how": how, "attempts": here, "request": request });
    if elsewhere > 0 {
        body["elsewhere"] = elsewhere.into();
    }
    record::note(transaction, wall_ms, "session.refused", ("stranger", place), &body)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_is_told_of_once_a_minute_with_all_that_came_meanwhile() {
        let (refusals, now) = (Refusals::default(), crate::clock::now());
        let at = |seconds, place| {
            let told = refusals.count(place, now + Duration::from_secs(seconds));
            told.map(|attempts| attempts.here)
        };
        assert_eq!(at(0, "192.0.2.7"), Some(1));
        assert_eq!(at(0, "192.0.2.8"), Some(1), "another place");
        assert_eq!((at(1, "192.0.2.7"), at(59, "192.0.2.7")), (None, None));
        assert_eq!(at(60, "192.0.2.7"), Some(3));
    }

    #[test]
    fn many_places_fill_neither_the_disk_nor_the_memory_and_hide_nobody() {
        let (refusals, now) = (Refusals::default(), crate::clock::now());
        let told = (0..5_000_u64)
            .filter(|number| {
                refusals.count(&number.to_string(), now + Duration::from_micros(*number)).is_some()
            })
            .count();
        assert_eq!(told, AT_ONCE as usize);
        assert!(refusals.places.lock().expect("a lock").known.len() <= MOST_PLACES);
        let later = now + Duration::from_mins(1);
        let told = refusals.count("4999", later).expect("it is told of again");
        let untold = 5_000 - u64::from(AT_ONCE) - (MOST_PLACES as u64);
        assert_eq!(told, Attempts { here: 2, elsewhere: untold });
    }
}
