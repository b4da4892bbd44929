//! Of what there is only so much of, nobody takes all: one caller holds at most a share.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// So many places for all callers together, and so many of them for each.
#[derive(Debug)]
pub struct Room {
    size: usize,
    places: Arc<Semaphore>,
    shares: Shares,
}

/// A place in a room. It is free again when it is dropped.
#[derive(Debug)]
pub struct Seat {
    _place: OwnedSemaphorePermit,
    _share: Share,
}

/// Why there is no place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Full {
    /// The caller has as many as one may have.
    ForCaller,
    ForAll,
}

/// How much each caller holds at the moment.
#[derive(Debug)]
struct Shares {
    most: usize,
    held: Arc<Mutex<BTreeMap<String, usize>>>,
}

/// Something that somebody holds. It is given back when it is dropped.
#[derive(Debug)]
struct Share {
    caller: String,
    held: Arc<Mutex<BTreeMap<String, usize>>>,
}

impl Room {
    pub fn new(size: usize, of_each: usize) -> Self {
        let places = Arc::new(Semaphore::new(size.min(Semaphore::MAX_PERMITS)));
        Self { size, places, shares: Shares::new(of_each) }
    }

    pub fn take(&self, caller: &str) -> Result<Seat, Full> {
        let share = self.shares.take(caller).ok_or(Full::ForCaller)?;
        let place = Arc::clone(&self.places).try_acquire_owned().map_err(|_| Full::ForAll)?;
        Ok(Seat { _place: place, _share: share })
    }

    /// How many places are taken.
    pub fn taken(&self) -> usize {
        self.size.saturating_sub(self.places.available_permits())
    }

    /// How many places one caller may have.
    pub const fn of_each(&self) -> usize {
        self.shares.most
    }
}

impl Shares {
    fn new(most: usize) -> Self {
        Self { most, held: Arc::default() }
    }

    /// One more for this caller, unless they hold as many as one may.
    fn take(&self, caller: &str) -> Option<Share> {
        let mut held = self.held.lock().unwrap_or_else(PoisonError::into_inner);
        let count = held.get(caller).copied().unwrap_or(0);
        if count >= self.most {
            return None;
        }
        held.insert(caller.to_owned(), count + 1);
        Some(Share { caller: caller.to_owned(), held: Arc::clone(&self.held) })
    }
}

impl Drop for Share {
    fn drop(&mut self) {
        let mut held = self.held.lock().unwrap_or_else(PoisonError::into_inner);
        match held.get_mut(&self.caller) {
            Some(count) if *count > 1 => *count -= 1,
            _ => drop(held.remove(&self.caller)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_room_has_places_for_all_and_some_for_each() {
        let room = Room::new(3, 2);
        let (one, two) = (room.take("anna"), room.take("anna"));
        assert_eq!(room.take("anna").err(), Some(Full::ForCaller));
        let three = room.take("ben");
        assert_eq!((room.take("carl").err(), room.taken()), (Some(Full::ForAll), 3));
        drop((one, two, three));
        assert!(room.taken() == 0 && room.take("carl").is_ok());
    }

    #[test]
    fn nobody_holds_more_than_their_share_and_nobody_is_remembered_for_nothing() {
        let shares = Shares::new(2);
        let one = shares.take("anna").expect("the first");
        let two = shares.take("anna").expect("the second");
        assert!(shares.take("anna").is_none());
        assert!(shares.take("ben").is_some(), "what anna holds is not ben's");
        drop(one);
        assert!(shares.take("anna").is_some());
        drop(two);
        assert!(shares.held.lock().expect("a lock").is_empty());
    }
}
