//! Those who were sent to the identity provider and are not back yet.

use crate::access::Secret;
use model::hash::ContentHash;
use std::collections::BTreeMap;

/// Who takes longer begins again.
const LONGEST_MS: i64 = 10 * 60_000;

/// Attempts from one place: windows that somebody left open.
const MOST_FROM_ONE: usize = 20;

/// Attempts in all; the oldest give way.
const MOST: usize = 10_000;

/// An attempt to sign in.
#[derive(Clone, Debug)]
pub(super) struct Attempt {
    /// What the identity token must repeat.
    pub(super) nonce: Secret,
    /// What proves that whoever asks for the token is who asked for the code.
    pub(super) verifier: Secret,
    /// The hash of the cookie in the browser that began it.
    pub(super) browser: ContentHash,
    /// Where to go afterwards.
    pub(super) back: String,
    pub(super) remote: String,
    pub(super) since_ms: i64,
}

/// All attempts by the hash of their state.
#[derive(Debug, Default)]
pub(super) struct Pending(BTreeMap<ContentHash, Attempt>);

impl Pending {
    pub(super) fn add(&mut self, state: &Secret, attempt: Attempt) {
        let now = attempt.since_ms;
        self.0.retain(|_, known| now - known.since_ms < LONGEST_MS);
        if self.0.values().filter(|known| known.remote == attempt.remote).count() >= MOST_FROM_ONE {
            self.forget_oldest(|known| known.remote == attempt.remote);
        }
        if self.0.len() >= MOST {
            self.forget_oldest(|_| true);
        }
        self.0.insert(state.hash(), attempt);
    }

    fn forget_oldest(&mut self, of: impl Fn(&Attempt) -> bool) {
        let candidates = self.0.iter().filter(|(_, known)| of(known));
        let oldest = candidates.min_by_key(|(_, known)| known.since_ms).map(|(state, _)| *state);
        oldest.map(|state| self.0.remove(&state));
    }

    /// The attempt with this state, once: whoever comes with it a second time finds nothing.
    pub(super) fn take(&mut self, state: &Secret, now_ms: i64) -> Option<Attempt> {
        self.0.remove(&state.hash()).filter(|attempt| now_ms - attempt.since_ms < LONGEST_MS)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn attempt(remote: &str, since_ms: i64) -> Attempt {
        let secret = || Secret::received("x");
        let (nonce, verifier, browser) = (secret(), secret(), secret().hash());
        Attempt { nonce, verifier, browser, back: "/".into(), remote: remote.into(), since_ms }
    }

    fn state(number: usize) -> Secret {
        Secret::received(&number.to_string())
    }

    #[test]
    fn a_state_counts_once_and_in_time() {
        let mut pending = Pending::default();
        pending.add(&state(1), attempt("a", 0));
        pending.add(&state(2), attempt("a", 0));
        assert!(pending.take(&state(1), LONGEST_MS - 1).is_some());
        assert!(pending.take(&state(1), LONGEST_MS - 1).is_none());
        assert!(pending.take(&state(2), LONGEST_MS).is_none());
        assert!(pending.take(&state(3), 0).is_none());
    }

    #[test]
    fn nobody_pushes_others_out() {
        let mut pending = Pending::default();
        pending.add(&state(0), attempt("patient", 0));
        for number in 1..100 {
            pending.add(&state(number), attempt("eager", number as i64));
        }
        assert_eq!(pending.0.len(), MOST_FROM_ONE + 1);
        assert!(pending.take(&state(0), 100).is_some());
        assert!(pending.take(&state(1), 100).is_none() && pending.take(&state(99), 100).is_some());
    }
}
