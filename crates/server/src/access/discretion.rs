//! What agents and models wrote about the whole federation, for somebody who sees a part of it: words that name what lies outside are
//! not shown, because they may say how it stands there.

use super::sight::Sight;
use model::names::{ClusterName, WorkloadRef};
use model::snapshot::{GapSubject, Snapshot};
use std::collections::BTreeSet;

/// What stands in the place of words that are not shown.
pub const UNTOLD: &str = "not shown, because it tells of what lies outside your part";

/// Names that somebody does not see.
#[derive(Clone, Debug, Default)]
pub struct Discretion {
    clusters: BTreeSet<String>,
    others: BTreeSet<String>,
    /// Nothing was observed by which the rest could be told from theirs.
    is_blind: bool,
}

impl Discretion {
    /// By what was observed last. `clusters` are all that there are, seen or not, and those that a plan is about.
    pub fn of<'a>(
        sight: &Sight,
        observed: Option<&'a Snapshot>,
        clusters: impl IntoIterator<Item = &'a ClusterName>,
    ) -> Self {
        if sight.is_whole() {
            return Self::default();
        }
        let Some(observed) = observed else { return Self::blind() };
        let known = observed.clusters.keys().chain(clusters);
        let clusters = known.filter(|name| !sight.cluster(name)).map(ToString::to_string);
        Self { clusters: clusters.collect(), others: workloads_of_others(sight, observed), is_blind: false }
    }

    /// For what is about a federation that nobody knows any more.
    pub fn blind() -> Self {
        Self { is_blind: true, ..Self::default() }
    }

    /// Whether a text names nothing that is hidden, however it is written.
    pub fn lets(&self, text: &str) -> bool {
        if self.clusters.is_empty() && self.others.is_empty() {
            return !self.is_blind;
        }
        let is_part = |letter: char| letter.is_ascii_alphanumeric() || letter == '-';
        let text = text.to_ascii_lowercase();
        text.split(|letter| !is_part(letter))
            .map(|word| word.trim_matches('-'))
            .all(|word| self.lets_word(word))
    }

    /// Nodes and pods are often called after their cluster, with something behind it.
    fn lets_word(&self, word: &str) -> bool {
        let mut beginnings = word.match_indices('-').map(|(end, _)| &word[..end]).chain([word]);
        !self.others.contains(word) && !beginnings.any(|beginning| self.clusters.contains(beginning))
    }

    /// A text, or what stands in its place.
    pub fn told(&self, text: &mut String) {
        if !self.lets(text) {
            UNTOLD.clone_into(text);
        }
    }
}

/// Names of workloads and namespaces that somebody does not see, but for those that are called like one they do see.
fn workloads_of_others(sight: &Sight, observed: &Snapshot) -> BTreeSet<String> {
    fn names(name: &WorkloadRef) -> impl Iterator<Item = &str> {
        [name.name(), name.namespace()].into_iter()
    }
    let (mut seen, mut others) = (BTreeSet::new(), BTreeSet::new());
    for (name, view) in &observed.workloads {
        let list = if sight.has(name, view) { &mut seen } else { &mut others };
        list.extend(names(name));
    }
    for gap in &observed.gaps {
        if let GapSubject::Workload(name) = &gap.subject
            && !sight.namespace(name.namespace())
        {
            others.extend(names(name));
        }
    }
    // Names in gaps and workloads may have dots; texts are read piece by piece.
    others.difference(&seen).flat_map(|name| name.split('.')).map(str::to_owned).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use control::agent::Scope;
    use model::snapshot::{ClusterView, PlacementView, WorkloadView};

    fn observed() -> Snapshot {
        let cluster = |name: &str| (ClusterName::new(name).expect("a name"), ClusterView::default());
        let workload = |(name, cluster): (&str, &str)| {
            let cluster = ClusterName::new(cluster).expect("a name");
            let placements = [(cluster, PlacementView::default())].into();
            (name.parse().expect("a workload"), WorkloadView { placements, ..WorkloadView::default() })
        };
        let workloads = [("shop/web", "west"), ("ops/eye", "east"), ("ops/web", "west")].map(workload);
        Snapshot {
            clusters: ["east", "west"].map(cluster).into(),
            workloads: workloads.into(),
            ..Snapshot::default()
        }
    }

    fn west() -> Scope {
        Scope { clusters: [ClusterName::new("west").expect("a name")].into(), ..Scope::default() }
    }

    fn check(scope: &Scope, told: &[&str], untold: &[&str]) {
        let discretion = Discretion::of(&Sight::from(scope), Some(&observed()), []);
        for text in told {
            assert!(discretion.lets(text), "{text}");
        }
        for text in untold {
            assert!(!discretion.lets(text), "{text}");
        }
    }

    #[test]
    fn whoever_sees_everything_is_told_everything() {
        check(&Scope::default(), &["east is full, west is not; ops/eye goes"], &[]);
    }

    #[test]
    fn a_cluster_outside_is_not_told_of_however_it_is_written() {
        let untold =
            ["east is full", "moved (EAST).", "west, then \"east\"", "east..west", "east-pool-3 is full"];
        check(&west(), &["west is full", "the northeast", "", "ops/web waits"], &untold);
        check(&west(), &[], &["ops/eye runs elsewhere", "Eye.ops.svc"]);
    }

    #[test]
    fn workloads_of_others_are_not_told_of_unless_ours_are_called_the_same() {
        let shop = Scope { namespaces: ["shop".to_owned()].into(), ..Scope::default() };
        check(&shop, &["web waits in east", "shop/web"], &["ops/eye waits", "eye waits", "ops is busy"]);
    }

    #[test]
    fn clusters_that_are_not_seen_now_are_there_all_the_same() {
        let north = ClusterName::new("north").expect("a name");
        let sight = Sight::from(&west());
        assert!(!Discretion::of(&sight, Some(&observed()), [&north]).lets("north is full"));
        assert!(!Discretion::of(&sight, None, []).lets("anything"), "nobody knows what there is");
        assert!(Discretion::of(&Sight::default(), None, []).lets("anything"));
    }
}
