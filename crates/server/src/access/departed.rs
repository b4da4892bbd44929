//! Workloads that were observed in a run and are not any more: words that name them are still there.

use model::names::WorkloadRef;
use model::snapshot::{GapSubject, Snapshot};
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use std::sync::Arc;

/// As many are known by name: some megabytes. Where jobs come and go by the thousand, more are not worth their memory.
const MOST: usize = 50_000;

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Departed {
    names: BTreeSet<WorkloadRef>,
    /// There were more than can be known.
    is_unknown: bool,
}

impl Departed {
    pub const fn is_unknown(&self) -> bool {
        self.is_unknown
    }

    pub fn names(&self) -> impl Iterator<Item = &WorkloadRef> {
        self.names.iter()
    }

    /// Something was observed, after something else. Most of the time nothing has come or gone.
    pub fn look(this: &mut Arc<Self>, before: Option<&Snapshot>, now: &Snapshot) {
        if before.is_some_and(|before| named(before).eq(named(now))) {
            return;
        }
        let present: BTreeSet<&WorkloadRef> = named(now).collect();
        let gone = before.into_iter().flat_map(named).filter(|name| !present.contains(name));
        let departed = Arc::make_mut(this);
        departed.names.extend(gone.cloned());
        departed.names.retain(|name| !present.contains(name));
        departed.limit();
    }

    /// All that were ever there, since whoever goes on from here does not know what was there last.
    #[must_use]
    pub fn with_all_of(&self, last: Option<&Snapshot>) -> Self {
        let names = self.names.iter().chain(last.into_iter().flat_map(named)).cloned().collect();
        Self { names, ..*self }
    }

    fn limit(&mut self) {
        if self.names.len() > MOST {
            *self = Self { names: BTreeSet::new(), is_unknown: true };
        }
    }
}

fn named(observed: &Snapshot) -> impl Iterator<Item = &WorkloadRef> {
    let gaps = observed.gaps.iter().filter_map(|gap| match &gap.subject {
        GapSubject::Workload(name) => Some(name),
        _ => None,
    });
    observed.workloads.keys().chain(gaps)
}

#[cfg(test)]
mod tests {
    use super::*;
    use model::snapshot::WorkloadView;

    fn observed(names: &[&str]) -> Snapshot {
        let workload =
            |name: &&str| (name.parse::<WorkloadRef>().expect("a workload"), WorkloadView::default());
        Snapshot { workloads: names.iter().map(workload).collect(), ..Snapshot::default() }
    }

    /// What is gone after each of these was observed.
    fn check(course: &[&[&str]], expected: &[&str]) {
        let mut departed = Arc::<Departed>::default();
        let course: Vec<Snapshot> = course.iter().map(|names| observed(names)).collect();
        let mut before = None;
        for now in &course {
            Departed::look(&mut departed, before, now);
            before = Some(now);
        }
        let names: Vec<String> =
            departed.names().map(|name| format!("{}/{}", name.namespace(), name.name())).collect();
        assert_eq!(names, expected);
    }

    #[test]
    fn what_is_not_seen_any_more_is_known_until_it_comes_back() {
        check(&[&["a/b", "a/c"]], &[]);
        check(&[&["a/b", "a/c"], &["a/b"], &["a/b"]], &["a/c"]);
        check(&[&["a/b", "a/c"], &["a/b"], &["a/b", "a/c"]], &[]);
        check(&[&["a/b"], &[], &["a/c"], &[]], &["a/b", "a/c"]);
    }

    #[test]
    fn whoever_goes_on_knows_what_was_there_last() {
        let mut kept = Arc::new(Departed::default().with_all_of(Some(&observed(&["a/b", "a/c"]))));
        Departed::look(&mut kept, None, &observed(&["a/c", "a/d"]));
        assert_eq!(kept.names().map(WorkloadRef::name).collect::<Vec<_>>(), ["b"]);
    }

    #[test]
    fn too_many_are_not_known_and_never_again() {
        let many: Vec<String> = (0..=MOST).map(|number| format!("a/job-{number}")).collect();
        let many: Vec<&str> = many.iter().map(String::as_str).collect();
        let mut departed = Arc::<Departed>::default();
        Departed::look(&mut departed, Some(&observed(&many)), &observed(&[]));
        assert!(departed.is_unknown());
        Departed::look(&mut departed, Some(&observed(&["a/b"])), &observed(&[]));
        assert!(departed.is_unknown());
    }
}
