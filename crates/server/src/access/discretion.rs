//! What agents and models wrote about the whole federation, for somebody who sees a part of it: words that name what lies outside are
//! not shown, because they may say how it stands there.

use super::departed::Departed;
use super::sight::Sight;
use model::action::Action;
use model::names::{ClusterName, WorkloadRef};
use model::snapshot::{GapSubject, Snapshot, WorkloadView};
use std::collections::BTreeSet;
use std::sync::Arc;

/// What stands in the place of words that are not shown.
pub const UNTOLD: &str = "not shown, because it tells of what lies outside your part";

/// Between the parts of a name, and between names.
const JOINTS: [char; 2] = ['-', '.'];

/// What there is in the federation, as far as anybody knows.
#[derive(Clone, Copy, Debug)]
pub struct Known<'a> {
    pub observed: &'a Snapshot,
    /// Words about what is gone are still there.
    pub departed: &'a Departed,
}

/// Which words somebody is told.
#[derive(Clone, Debug, Default)]
pub struct Discretion {
    sight: Sight,
    names: Arc<Names>,
    /// Of the workload that the words are about: whoever is shown a plan knows what it moves.
    own: Vec<String>,
}

/// Which names somebody sees, and which they do not.
#[derive(Debug, Default)]
struct Names {
    hidden: BTreeSet<String>,
    seen: BTreeSet<String>,
    /// That names have, so that nothing else is looked up.
    lengths: BTreeSet<usize>,
    /// Not all is known by which the rest could be told from theirs.
    is_blind: bool,
}

impl Discretion {
    /// `clusters` are all that there are, seen or not, and those that plans are about.
    pub fn of<'a>(
        sight: &Sight,
        known: Option<Known<'_>>,
        clusters: impl IntoIterator<Item = &'a ClusterName>,
    ) -> Self {
        let names = match known {
            _ if sight.is_whole() => Names::default(),
            Some(known) if !known.departed.is_unknown() => Names::of(sight, known, clusters),
            _ => Names { is_blind: true, ..Names::default() },
        };
        Self { sight: sight.clone(), names: Arc::new(names), own: Vec::new() }
    }

    /// The same for words about a workload.
    #[must_use]
    pub fn about(&self, workload: Option<&WorkloadRef>) -> Self {
        let names = workload.into_iter().flat_map(|workload| [workload.namespace(), workload.name()]);
        Self { own: names.map(ToOwned::to_owned).collect(), ..self.clone() }
    }

    /// Whether a text names nothing that is hidden, however it is written.
    pub fn lets(&self, text: &str) -> bool {
        if self.names.is_blind || self.names.hidden.is_empty() {
            return !self.names.is_blind;
        }
        let is_part = |letter: char| letter.is_ascii_alphanumeric() || JOINTS.contains(&letter);
        let text = text.to_ascii_lowercase();
        text.split(|letter| !is_part(letter)).all(|word| self.lets_word(word))
    }

    /// Names may have dots and hyphens, and others stand behind one, as in `eye.ops.svc` and `gke-east-pool-1`. What is seen is passed
    /// over as a whole, so that `eu-west` is not taken for a hidden `west`.
    fn lets_word(&self, word: &str) -> bool {
        let mut rest = Some(word);
        while let Some(text) = rest {
            let name = self.names.at(text);
            if name.is_some_and(|name| self.hides(name)) {
                return false;
            }
            let behind = &text[name.map_or(0, str::len)..];
            rest = behind.split_once(JOINTS).map(|(_, rest)| rest);
        }
        true
    }

    fn hides(&self, name: &str) -> bool {
        self.names.hidden.contains(name) && !self.own.iter().any(|own| own == name)
    }

    /// A text, or what stands in its place.
    pub fn told(&self, text: &mut String) {
        if !self.lets(text) {
            UNTOLD.clone_into(text);
        }
    }

    /// What became of a plan, or would, in the words of those who look at its clusters: such words need no name to say how it stands
    /// there.
    pub fn told_of_clusters(&self, action: &Action, text: &mut String) {
        if !action.clusters().into_iter().all(|cluster| self.sight.cluster(cluster)) {
            UNTOLD.clone_into(text);
        }
        self.told(text);
    }
}

impl Names {
    fn of<'a>(sight: &Sight, known: Known<'_>, clusters: impl IntoIterator<Item = &'a ClusterName>) -> Self {
        let (mut seen, mut others) = workloads(sight, known);
        let clusters: Vec<&ClusterName> = clusters.into_iter().collect();
        for name in known.observed.clusters.keys().chain(clusters) {
            let list = if sight.cluster(name) { &mut seen } else { &mut others };
            list.insert(name.as_str());
        }
        let owned = |name: &&str| (*name).to_owned();
        Self {
            lengths: seen.iter().chain(&others).map(|name| name.len()).collect(),
            hidden: others.difference(&seen).map(owned).collect(),
            seen: seen.iter().map(owned).collect(),
            is_blind: false,
        }
    }

    /// The longest name that a text begins with. Nodes and pods are often called after something, with more behind it.
    fn at<'a>(&self, text: &'a str) -> Option<&'a str> {
        self.beginnings(text).find(|name| self.hidden.contains(*name) || self.seen.contains(*name))
    }

    /// What a text begins with that could be a name, the longest first: no more than there are lengths, however the text is made.
    fn beginnings<'a>(&self, text: &'a str) -> impl Iterator<Item = &'a str> {
        let ends = self.lengths.range(..=text.len()).rev();
        let cut = ends.filter_map(|end| text.split_at_checked(*end));
        cut.filter(|(_, behind)| behind.is_empty() || behind.starts_with(JOINTS)).map(|(name, _)| name)
    }
}

/// Names of workloads and their namespaces: those that somebody sees, and others. Where something was that is gone nobody says, so it is
/// theirs only where they see every cluster.
fn workloads<'a>(
    sight: &Sight,
    Known { observed, departed }: Known<'a>,
) -> (BTreeSet<&'a str>, BTreeSet<&'a str>) {
    let (mut seen, mut others) = (BTreeSet::new(), BTreeSet::new());
    let mut sort = |name: &'a WorkloadRef, is_seen: bool| {
        let list = if is_seen { &mut seen } else { &mut others };
        list.extend([name.name(), name.namespace()]);
    };
    observed.workloads.iter().for_each(|(name, view)| sort(name, sight.has(name, view)));
    for gap in &observed.gaps {
        if let GapSubject::Workload(name) = &gap.subject
            && !sight.gap(gap, observed)
        {
            sort(name, false);
        }
    }
    departed.names().for_each(|name| sort(name, sight.has(name, &WorkloadView::default())));
    (seen, others)
}

#[cfg(test)]
mod tests {
    use super::*;
    use control::agent::Scope;
    use model::snapshot::{ClusterView, Gap, PlacementView};
    use std::collections::BTreeMap;

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

    /// For somebody who sees this part, with nothing that is gone.
    fn discretion<'a>(
        scope: &Scope,
        observed: &'a Snapshot,
        clusters: impl IntoIterator<Item = &'a ClusterName>,
    ) -> Discretion {
        let departed = Departed::default();
        Discretion::of(&Sight::from(scope), Some(Known { observed, departed: &departed }), clusters)
    }

    fn check(scope: &Scope, told: &[&str], untold: &[&str]) {
        let discretion = discretion(scope, &observed(), []);
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
        check(&west(), &["west is full", "the northeast", "", "ops/web waits", "a.-b"], &untold);
        let joined =
            ["gke-east-pool-1 is 98 % full", "west-east link is full", "-east", "a--east", "x.west-east"];
        check(&west(), &["gke-west-pool-1", "west-west link", "x-eastern"], &joined);
        check(&west(), &[], &["ops/eye runs elsewhere", "Eye.ops.svc"]);
    }

    #[test]
    fn a_name_within_another_is_not_that_one() {
        let named = |name: &str| ClusterName::new(name).expect("a name");
        let scope = Scope { clusters: ["eu-west", "prod.us"].map(named).into(), ..Scope::default() };
        let all = ["eu", "eu-west", "prod.eu", "prod.us"].map(named);
        let discretion = discretion(&scope, &Snapshot::default(), &all);
        for text in [
            "eu-west is full",
            "eu-west-pool-1",
            "node.eu-west",
            "prod.us",
            "prod is no cluster",
            "gke-eu-west",
        ] {
            assert!(discretion.lets(text), "{text}");
        }
        for text in
            ["eu is full", "eu-pool-1", "prod.eu", "Prod.EU.", "eu-west.eu", "node-1.prod.eu-3", "eu-west-eu"]
        {
            assert!(!discretion.lets(text), "{text}");
        }
    }

    #[test]
    fn workloads_of_others_are_not_told_of_unless_ours_are_called_the_same() {
        let shop = Scope { namespaces: ["shop".to_owned()].into(), ..Scope::default() };
        check(&shop, &["web waits in east", "shop/web"], &["ops/eye waits", "eye waits", "ops is busy"]);
        let (name, nowhere) = ("shop/new".parse().expect("a workload"), WorkloadView::default());
        let observed = Snapshot { workloads: [(name, nowhere)].into(), ..Snapshot::default() };
        let discretion = discretion(&shop, &observed, []);
        assert!(discretion.lets("shop/new has no place yet"), "it is ours all the same");
    }

    #[test]
    fn workloads_that_nobody_sees_are_told_of_only_where_no_cluster_is_hidden() {
        let subject = GapSubject::Workload("shop/ghost".parse().expect("a workload"));
        let gap = Gap { subject, reason: String::new(), known_at: None };
        let observed = Snapshot { gaps: vec![gap], ..Snapshot::default() };
        let shop = Scope { namespaces: ["shop".to_owned()].into(), ..Scope::default() };
        let lets = |scope: &Scope| discretion(scope, &observed, []).lets("ghost");
        assert_eq!((lets(&shop), lets(&west())), (true, false));
    }

    #[test]
    fn a_text_made_to_cost_much_costs_little() {
        let discretion = discretion(&west(), &observed(), []);
        assert_eq!(discretion.names.lengths, BTreeSet::from([3, 4]));
        for hostile in ["a.".repeat(1_000), "-".repeat(2_000), "west-".repeat(400), "wes.".repeat(500)] {
            let looked_up =
                (0..hostile.len()).map(|start| discretion.names.beginnings(&hostile[start..]).count());
            assert!(looked_up.max() <= Some(2), "{hostile}");
            assert!(discretion.lets(&hostile), "{hostile}");
        }
    }

    #[test]
    fn clusters_that_are_not_seen_now_are_there_all_the_same() {
        let north = ClusterName::new("north").expect("a name");
        assert!(!discretion(&west(), &observed(), [&north]).lets("north is full"));
        assert!(
            !Discretion::of(&Sight::from(&west()), None, []).lets("anything"),
            "nobody knows what there is"
        );
        assert!(Discretion::of(&Sight::default(), None, []).lets("anything"));
    }

    #[test]
    fn what_is_gone_is_not_told_of_but_to_whoever_would_see_it_wherever_it_was() {
        let gone = Departed::default();
        let last = Snapshot { clusters: BTreeMap::new(), ..observed() };
        let departed = gone.with_all_of(Some(&last));
        let now = Snapshot { workloads: BTreeMap::new(), ..observed() };
        let known = Known { observed: &now, departed: &departed };
        let shop = Scope { namespaces: ["shop".to_owned()].into(), ..Scope::default() };
        let lets =
            |scope: &Scope, text: &str| Discretion::of(&Sight::from(scope), Some(known), []).lets(text);
        assert!(!lets(&shop, "ops/eye fills east") && !lets(&west(), "ops/eye is starving"));
        assert!(lets(&shop, "shop/web was here") && !lets(&west(), "shop/web was here"));
        assert!(lets(&Scope::default(), "ops/eye fills east"));
    }

    #[test]
    fn whoever_sees_a_plan_knows_what_it_moves() {
        let all = discretion(&west(), &observed(), []);
        let plan = all.about("ops/eye".parse().ok().as_ref());
        assert!(plan.lets("ops/eye has waited long") && !all.lets("ops/eye has waited long"));
        assert!(!plan.lets("ops/eye fills east"));
    }

    #[test]
    fn what_clusters_say_is_for_those_who_see_all_of_them() {
        let check = |scope: &Scope, text: &str, expected: &str| {
            let mut told = text.to_owned();
            let workload = "shop/web".parse().expect("a workload");
            let [from, to] = ["west", "east"].map(|name| ClusterName::new(name).expect("a name"));
            let action = Action::Migrate { workload, from, to, replicas: 1 };
            discretion(scope, &observed(), []).told_of_clusters(&action, &mut told);
            assert_eq!(told, expected);
        };
        let shop = Scope { namespaces: ["shop".to_owned()].into(), ..Scope::default() };
        check(&west(), "the target was not ready", UNTOLD);
        check(&shop, "the target was not ready", "the target was not ready");
        check(&shop, "the port is taken by ops/eye", UNTOLD);
        check(&Scope::default(), "the port is taken by ops/eye", "the port is taken by ops/eye");
    }
}
