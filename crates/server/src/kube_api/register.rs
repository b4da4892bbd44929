//! What a cluster showed when it was last looked at, which version everything has, and what has changed lately.
//!
//! A version is a number that grows with every change and is never below the virtual time in milliseconds. A desk that was opened again
//! begins a new register; who asks for changes since a version from before is told to read everything again. Annotations that somebody
//! wrote are kept here and nowhere else: they mean nothing to the simulation, and end with the register.

use super::calendar::Calendar;
use super::kinds::Resource;
use super::render;
use super::thing::{Key, Texts, Thing};
use model::time::Timestamp;
use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;

/// Changes that are kept for those who watch. Whoever falls behind further reads everything again; a busy cluster of a thousand pods
/// makes as many in an hour of virtual time.
const KEPT_CHANGES: usize = 20_000;

/// A thing and its version.
#[derive(Clone, Debug)]
pub(super) struct Entry {
    pub(super) version: u64,
    pub(super) thing: Arc<Thing>,
}

/// Something came, changed or went.
#[derive(Clone, Debug)]
pub(super) struct Change {
    pub(super) version: u64,
    pub(super) before: Option<Entry>,
    pub(super) after: Option<Entry>,
}

impl Change {
    /// What it is about.
    pub(super) fn thing(&self) -> Option<&Arc<Thing>> {
        self.after.as_ref().or(self.before.as_ref()).map(|entry| &entry.thing)
    }
}

/// What was asked for is too long ago, or was never there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Forgotten {
    pub(super) oldest: u64,
}

#[derive(Debug, Default)]
pub(super) struct Register {
    entries: BTreeMap<Key, Entry>,
    changes: VecDeque<Change>,
    newest: u64,
    /// Changes up to this version are not known any more.
    forgotten: u64,
    /// How many events the world had handled when it was last looked at.
    seen: Option<u64>,
    now: Timestamp,
}

impl Register {
    /// Whether nothing can have changed since.
    pub(super) fn has_seen(&self, events: u64) -> bool {
        self.seen == Some(events)
    }

    pub(super) const fn newest(&self) -> u64 {
        self.newest
    }

    /// Writes something on a thing, if it still has the version that was read; without one, whichever it has.
    pub(super) fn annotate(&mut self, key: &Key, version: Option<u64>, notes: Texts) -> bool {
        let fits = |entry: &&Entry| version.is_none_or(|version| entry.version == version);
        let Some(entry) = self.entries.get(key).filter(fits).cloned() else { return false };
        let thing = Thing { notes, ..Thing::clone(&entry.thing) };
        let entry = self.changed(Some(entry), Some(thing));
        self.entries.insert(key.clone(), entry);
        true
    }

    /// Takes in what a cluster shows now.
    pub(super) fn note(&mut self, events: u64, now: Timestamp, things: Vec<Thing>) {
        let first = self.seen.is_none();
        (self.seen, self.now) = (Some(events), now);
        if first {
            // Nobody knows when what is there became what it is.
            self.newest = self.next_version();
            self.forgotten = self.newest;
            let version = self.newest;
            let entry = |thing: Thing| (thing.key(), Entry { version, thing: Arc::new(thing) });
            self.entries = things.into_iter().map(entry).collect();
            return;
        }
        let mut left = std::mem::take(&mut self.entries);
        let mut kept = BTreeMap::new();
        for mut thing in things {
            let key = thing.key();
            let before = left.remove(&key);
            if let Some(same) = before.as_ref().filter(|before| before.thing.uid == thing.uid) {
                thing.notes.clone_from(&same.thing.notes);
            }
            let entry = self.compare(before, thing);
            kept.insert(key, entry);
        }
        for (_, gone) in left {
            self.changed(Some(gone), None);
        }
        self.entries = kept;
    }

    fn next_version(&self) -> u64 {
        (self.newest + 1).max(self.now.as_millis() + 1)
    }

    fn compare(&mut self, before: Option<Entry>, thing: Thing) -> Entry {
        match before {
            Some(before) if is_same(&before.thing, &thing) => before,
            // Another of the same name.
            Some(before) if before.thing.uid != thing.uid => {
                self.changed(Some(before), None);
                self.changed(None, Some(thing))
            }
            before => self.changed(before, Some(thing)),
        }
    }

    /// Gives out a version and remembers the change.
    fn changed(&mut self, before: Option<Entry>, thing: Option<Thing>) -> Entry {
        let version = self.next_version();
        self.newest = version;
        let after = thing.map(|thing| Entry { version, thing: Arc::new(thing) });
        let last = after.clone().or_else(|| before.clone()).expect("a change has a before or an after");
        self.changes.push_back(Change { version, before, after });
        if self.changes.len() > KEPT_CHANGES {
            self.forgotten = self.changes.pop_front().map_or(self.forgotten, |change| change.version);
        }
        last
    }

    pub(super) fn get(&self, key: &Key) -> Option<Entry> {
        self.entries.get(key).cloned()
    }

    /// Everything of a resource, by namespace and name; in one namespace if one is named.
    pub(super) fn list(&self, resource: Resource, namespace: Option<&str>) -> Vec<Entry> {
        let from = (resource, namespace.unwrap_or_default().to_owned(), String::new());
        let inside = |key: &Key| key.0 == resource && namespace.is_none_or(|namespace| key.1 == namespace);
        self.entries
            .range(from..)
            .take_while(|(key, _)| inside(key))
            .map(|(_, entry)| entry.clone())
            .collect()
    }

    /// What has changed of a resource after a version.
    pub(super) fn since(&self, resource: Resource, version: u64) -> Result<Vec<Change>, Forgotten> {
        if version < self.forgotten || version > self.newest {
            return Err(Forgotten { oldest: self.forgotten });
        }
        let from = self.changes.partition_point(|change| change.version <= version);
        let about = |change: &&Change| change.thing().is_some_and(|thing| thing.resource == resource);
        Ok(self.changes.range(from..).filter(about).cloned().collect())
    }
}

/// Whether nobody could see a difference. What differs inside is written down and compared: not all of it is shown.
fn is_same(before: &Thing, after: &Thing) -> bool {
    let shown = |thing: &Thing| render::object(thing, 0, thing.resource.about(), Calendar::starting(0));
    before == after || (before.uid == after.uid && shown(before) == shown(after))
}

#[cfg(test)]
mod tests {
    use super::super::thing::Facts;
    use super::*;

    fn namespace(name: &str, uid: &str, label: &str) -> Thing {
        Thing {
            resource: Resource::Namespaces,
            namespace: String::new(),
            name: name.to_owned(),
            uid: uid.to_owned(),
            created_at: Timestamp::EPOCH,
            labels: Texts::from([("is".to_owned(), label.to_owned())]),
            notes: Texts::new(),
            owner: None,
            facts: Facts::Namespace,
        }
    }

    /// Changes as `+name`, `~name`, `-name` with their versions.
    fn told(register: &Register, version: u64) -> Vec<String> {
        let line = |change: Change| {
            let sign = match (&change.before, &change.after) {
                (None, _) => '+',
                (_, None) => '-',
                _ => '~',
            };
            format!("{sign}{} {}", change.thing().expect("something").name, change.version)
        };
        register.since(Resource::Namespaces, version).expect("known").into_iter().map(line).collect()
    }

    #[test]
    fn versions_change_exactly_when_things_do() {
        let mut register = Register::default();
        register.note(1, Timestamp(9), vec![namespace("a", "1", "x"), namespace("b", "1", "x")]);
        assert_eq!(register.newest(), 10);
        register.note(2, Timestamp(9), vec![namespace("a", "1", "x"), namespace("b", "1", "y")]);
        assert_eq!(told(&register, 10), ["~b 11"]);
        let version = |name: &str| {
            register.get(&(Resource::Namespaces, String::new(), name.to_owned())).map(|entry| entry.version)
        };
        assert_eq!((version("a"), version("b")), (Some(10), Some(11)));
        // Another b, and a is gone.
        register.note(3, Timestamp(5_000), vec![namespace("b", "2", "y"), namespace("c", "1", "x")]);
        assert_eq!(told(&register, 11), ["-b 5001", "+b 5002", "+c 5003", "-a 5004"]);
        assert!(register.has_seen(3) && !register.has_seen(4));
    }

    #[test]
    fn what_is_written_on_a_thing_stays_until_another_takes_its_name() {
        let mut register = Register::default();
        register.note(1, Timestamp(9), vec![namespace("a", "1", "x")]);
        let key = (Resource::Namespaces, String::new(), "a".to_owned());
        let notes = Texts::from([("by".to_owned(), "us".to_owned())]);
        assert!(!register.annotate(&key, Some(9), notes.clone()), "another version");
        assert!(register.annotate(&key, Some(10), notes.clone()));
        assert_eq!(told(&register, 10), ["~a 11"]);
        register.note(2, Timestamp(9), vec![namespace("a", "1", "y")]);
        assert_eq!(register.get(&key).map(|entry| entry.thing.notes.clone()), Some(notes));
        register.note(3, Timestamp(9), vec![namespace("a", "2", "y")]);
        assert_eq!(register.get(&key).map(|entry| entry.thing.notes.clone()), Some(Texts::new()));
    }

    #[test]
    fn what_is_forgotten_or_was_never_there_is_said_so() {
        let mut register = Register::default();
        register.note(0, Timestamp(0), Vec::new());
        for round in 0..=KEPT_CHANGES as u64 {
            register.note(round + 1, Timestamp(0), vec![namespace("a", "1", &round.to_string())]);
        }
        assert_eq!(register.since(Resource::Namespaces, 1).map(drop), Err(Forgotten { oldest: 2 }));
        assert!(register.since(Resource::Namespaces, 2).is_ok_and(|changes| changes.len() == KEPT_CHANGES));
        assert!(register.since(Resource::Namespaces, register.newest() + 1).is_err());
    }
}
