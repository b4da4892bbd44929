//! Of what there is only so much of, nobody takes all: one caller holds at most a share.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

/// How much each caller holds at the moment.
#[derive(Debug)]
pub struct Shares {
    most: usize,
    held: Arc<Mutex<BTreeMap<String, usize>>>,
}

/// Something that somebody holds. It is given back when it is dropped.
#[derive(Debug)]
pub struct Share {
    caller: String,
    held: Arc<Mutex<BTreeMap<String, usize>>>,
}

impl Shares {
    pub fn new(most: usize) -> Self {
        Self { most, held: Arc::default() }
    }

    pub const fn most(&self) -> usize {
        self.most
    }

    /// One more for this caller, unless they hold as many as one may.
    pub fn take(&self, caller: &str) -> Option<Share> {
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
