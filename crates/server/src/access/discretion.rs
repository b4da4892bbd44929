//! What agents and models wrote about the whole federation, for somebody who sees a part of it: words that name what lies outside are
//! not shown, because they may say how it stands there.

use super::sight::Sight;
use model::names::{ClusterName, WorkloadRef};
use model::snapshot::Snapshot;
use std::collections::BTreeSet;

/// What stands in the place of words that are not shown.
pub const UNTOLD: &str = "not shown, because it tells of what lies outside your part";

/// Names that somebody does not see.
#[derive(Clone, Debug, Default)]
pub struct Discretion {
    hidden: BTreeSet<String>,
}

impl Discretion {
    /// By what was observed last; `clusters` are further ones, which may be gone by now.
    pub fn of<'a>(
        sight: &Sight,
        observed: Option<&'a Snapshot>,
        clusters: impl IntoIterator<Item = &'a ClusterName>,
    ) -> Self {
        if sight.is_whole() {
            return Self::default();
        }
        let known = observed.into_iter().flat_map(|snapshot| snapshot.clusters.keys()).chain(clusters);
        let clusters = known.filter(|name| !sight.cluster(name)).map(ToString::to_string);
        let (seen, others): (Vec<&WorkloadRef>, Vec<&WorkloadRef>) = observed
            .into_iter()
            .flat_map(|snapshot| snapshot.workloads.keys())
            .partition(|name| sight.namespace(name.namespace()));
        let names = |all: &[&WorkloadRef]| -> BTreeSet<String> {
            all.iter().flat_map(|name| [name.name(), name.namespace()]).map(str::to_owned).collect()
        };
        let seen = names(&seen);
        let workloads = names(&others).into_iter().filter(|name| !seen.contains(name));
        Self { hidden: clusters.chain(workloads).collect() }
    }

    /// Whether a text names nothing that is hidden.
    pub fn lets(&self, text: &str) -> bool {
        let is_part = |letter: char| letter.is_ascii_alphanumeric() || matches!(letter, '-' | '.');
        let words = text.split(|letter| !is_part(letter)).map(|word| word.trim_matches(['-', '.']));
        self.hidden.is_empty() || words.into_iter().all(|word| !self.hidden.contains(word))
    }

    /// A text, or what stands in its place.
    pub fn told(&self, text: &mut String) {
        if !self.lets(text) {
            UNTOLD.clone_into(text);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use control::agent::Scope;
    use model::snapshot::{ClusterView, WorkloadView};

    fn observed() -> Snapshot {
        let cluster = |name: &str| (ClusterName::new(name).expect("a name"), ClusterView::default());
        let workload = |name: &str| (name.parse().expect("a workload"), WorkloadView::default());
        Snapshot {
            clusters: ["east", "west"].map(cluster).into(),
            workloads: ["shop/web", "ops/eye", "ops/web"].map(workload).into(),
            ..Snapshot::default()
        }
    }

    fn check(scope: Scope, told: &[&str], untold: &[&str]) {
        let discretion = Discretion::of(&Sight::from(&scope), Some(&observed()), []);
        for text in told {
            assert!(discretion.lets(text), "{text}");
        }
        for text in untold {
            assert!(!discretion.lets(text), "{text}");
        }
    }

    #[test]
    fn whoever_sees_everything_is_told_everything() {
        check(Scope::default(), &["east is full, west is not; ops/eye goes"], &[]);
    }

    #[test]
    fn a_cluster_outside_is_not_told_of() {
        let west = Scope { clusters: [ClusterName::new("west").expect("a name")].into(), ..Scope::default() };
        check(
            west,
            &["west is full", "the east-side story", "", "ops/eye waits"],
            &["east is full", "moved here (east).", "west, then \"east\""],
        );
    }

    #[test]
    fn workloads_of_others_are_not_told_of_unless_ours_are_called_the_same() {
        let shop = Scope { namespaces: ["shop".to_owned()].into(), ..Scope::default() };
        check(shop, &["web waits in east", "shop/web"], &["ops/eye waits", "eye waits", "ops is busy"]);
    }
}
