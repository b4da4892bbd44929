//! What was last heard of one kind of object in one cluster, and when.

use crate::clock::Wall;
use std::collections::BTreeMap;
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Namespace and name; objects of the whole cluster have no namespace.
pub(crate) type Key = (String, String);

/// Objects that are followed, shared between the one who listens and those who read.
#[derive(Debug)]
pub(crate) struct Cache<F>(Arc<Mutex<Held<F>>>);

impl<F> Clone for Cache<F> {
    fn clone(&self) -> Self {
        Self(Arc::clone(&self.0))
    }
}

impl<F> Default for Cache<F> {
    fn default() -> Self {
        Self(Arc::new(Mutex::new(Held { facts: BTreeMap::new(), pulse: Pulse::default(), tap: Tap(None) })))
    }
}

#[derive(Debug)]
struct Held<F> {
    facts: BTreeMap<Key, Arc<F>>,
    pulse: Pulse,
    tap: Tap<F>,
}

/// Hears of everything that the cache hears of; nothing unless somebody records.
struct Tap<F>(Option<Listening<F>>);

type Listening<F> = Box<dyn Fn(Wall, &Key, Option<&F>) + Send>;

impl<F> fmt::Debug for Tap<F> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(if self.0.is_some() { "Tap" } else { "no Tap" })
    }
}

impl<F> Tap<F> {
    fn tell(&self, at: Wall, key: &Key, fact: Option<&F>) {
        if let Some(listening) = &self.0 {
            listening(at, key, fact);
        }
    }
}

/// How much what is held can be trusted.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Pulse {
    /// Since when it has followed without a break; nothing before the first complete list.
    pub(crate) in_sync_since: Option<Wall>,
    /// The last word from the server: a list, a change, a bookmark, or a watch that was accepted.
    pub(crate) heard_at: Option<Wall>,
    /// What went wrong since.
    pub(crate) trouble: Option<String>,
}

impl<F> Cache<F> {
    fn held(&self) -> MutexGuard<'_, Held<F>> {
        // Whoever panicked with the lock left whole entries behind: a map insertion is all that happens under it.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Everything there is, as one list said.
    pub(crate) fn replace(&self, at: Wall, facts: BTreeMap<Key, Arc<F>>) {
        let mut held = self.held();
        for key in held.facts.keys().filter(|key| !facts.contains_key(*key)) {
            held.tap.tell(at, key, None);
        }
        for (key, fact) in &facts {
            held.tap.tell(at, key, Some(fact));
        }
        held.facts = facts;
        held.pulse = Pulse { in_sync_since: Some(at), heard_at: Some(at), trouble: None };
    }

    /// One object as it is now; nothing if it is gone.
    pub(crate) fn put(&self, at: Wall, key: Key, fact: Option<F>) {
        let mut held = self.held();
        held.tap.tell(at, &key, fact.as_ref());
        match fact {
            Some(fact) => drop(held.facts.insert(key, Arc::new(fact))),
            None => drop(held.facts.remove(&key)),
        }
        held.pulse.hear(at);
    }

    /// Tells everything there is, and from now on every change; it must be quick, since whoever listens waits for it.
    pub(crate) fn tap(&self, at: Wall, listening: impl Fn(Wall, &Key, Option<&F>) + Send + 'static) {
        let mut held = self.held();
        held.tap = Tap(Some(Box::new(listening)));
        for (key, fact) in &held.facts {
            held.tap.tell(at, key, Some(fact));
        }
    }

    pub(crate) fn heard(&self, at: Wall) {
        self.held().pulse.hear(at);
    }

    /// What is held stays: it is old, not wrong.
    pub(crate) fn lost(&self, trouble: String) {
        let mut held = self.held();
        held.pulse.trouble = Some(trouble);
    }

    pub(crate) fn facts(&self) -> Vec<Arc<F>> {
        self.held().facts.values().cloned().collect()
    }

    pub(crate) fn pulse(&self) -> Pulse {
        self.held().pulse.clone()
    }
}

impl Pulse {
    fn hear(&mut self, at: Wall) {
        self.heard_at = Some(at);
        self.trouble = None;
    }

    /// Several caches are as good as the worst of them.
    pub(crate) fn worst(pulses: impl IntoIterator<Item = Self>) -> Self {
        pulses.into_iter().reduce(Self::worse).unwrap_or_default()
    }

    fn worse(self, other: Self) -> Self {
        let both =
            |one: Option<Wall>, two: Option<Wall>, pick: fn(Wall, Wall) -> Wall| Some(pick(one?, two?));
        Self {
            in_sync_since: both(self.in_sync_since, other.in_sync_since, Wall::max),
            heard_at: both(self.heard_at, other.heard_at, Wall::min),
            trouble: self.trouble.or(other.trouble),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cache_knows_when_it_was_last_right() {
        let cache = Cache::<u32>::default();
        let key = |name: &str| (String::new(), name.to_owned());
        assert_eq!(cache.pulse(), Pulse::default());
        cache.replace(Wall(10), [(key("a"), Arc::new(1))].into());
        cache.put(Wall(20), key("b"), Some(2));
        cache.lost("the cluster does not answer".to_owned());
        let pulse = cache.pulse();
        assert_eq!((pulse.in_sync_since, pulse.heard_at), (Some(Wall(10)), Some(Wall(20))));
        assert!(pulse.trouble.is_some() && cache.facts().len() == 2, "what is old is still there");
        cache.put(Wall(30), key("a"), None);
        assert_eq!((cache.pulse().trouble, cache.facts().len()), (None, 1));
    }

    #[test]
    fn whoever_taps_hears_of_everything_and_of_what_a_list_no_longer_has() {
        let (cache, heard) = (Cache::<u32>::default(), Arc::new(Mutex::new(Vec::new())));
        let key = |name: &str| (String::new(), name.to_owned());
        cache.replace(Wall(10), [(key("a"), Arc::new(1))].into());
        let into = Arc::clone(&heard);
        cache.tap(Wall(15), move |at, key, fact| {
            into.lock().unwrap().push((at.0, key.1.clone(), fact.copied()));
        });
        cache.put(Wall(20), key("b"), Some(2));
        cache.put(Wall(30), key("a"), None);
        cache.replace(Wall(40), [(key("c"), Arc::new(3))].into());
        let told: Vec<(i64, String, Option<u32>)> = heard.lock().unwrap().clone();
        let want =
            [(15, "a", Some(1)), (20, "b", Some(2)), (30, "a", None), (40, "b", None), (40, "c", Some(3))];
        assert_eq!(told, want.map(|(at, name, fact)| (at, name.to_owned(), fact)));
    }

    #[test]
    fn several_are_as_good_as_the_worst() {
        let pulse = |since, heard| Pulse { in_sync_since: since, heard_at: heard, trouble: None };
        let (one, two) = (pulse(Some(Wall(1)), Some(Wall(9))), pulse(Some(Wall(4)), Some(Wall(6))));
        assert_eq!(Pulse::worst([one.clone(), two]), pulse(Some(Wall(4)), Some(Wall(6))));
        assert_eq!(Pulse::worst([one, pulse(None, None)]), pulse(None, None));
    }
}
