//! How many pods of a kind each topology domain holds, kept up to date with every placement so that no cycle has to
//! look at pods.

use super::selector::LabelMatcher;
use super::symbol::{Interner, LabelPair, Labels, Symbol};
use super::topology::{Domain, TopologyKey};
use std::collections::BTreeMap;
use std::sync::Arc;

/// One count by domain.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct CounterId(u32);

/// Pods chosen by label within namespaces that are listed or chosen by label.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct PodTerm {
    pub namespaces: Vec<Symbol>,
    pub namespace_selector: LabelMatcher,
    pub labels: LabelMatcher,
}

/// Pods for which all terms hold.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct PodMatcher {
    pub terms: Vec<PodTerm>,
    /// Spreading does not count pods that are being deleted; affinity does.
    pub ignores_terminating: bool,
}

/// What an existing pod's term does to an incoming pod that it matches.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Role {
    RequiredAffinity,
    RequiredAntiAffinity,
    /// Positive attracts, negative repels.
    Preferred(i32),
}

/// A term that pods carry towards later pods.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct CarriedTerm {
    pub term: PodTerm,
    pub key: TopologyKey,
    pub role: Role,
}

/// The labels of the namespaces that exist.
pub(super) type NamespaceLabels = BTreeMap<Symbol, Labels>;

/// What a pod shows to a selector.
#[derive(Clone, Copy)]
pub struct PodFace<'a> {
    pub namespace: Symbol,
    pub labels: &'a Labels,
}

impl PodTerm {
    /// A term of an incoming pod is resolved to the namespaces that exist; a term of an existing pod is compared with
    /// the incoming pod's namespace, which has no labels if it is unknown (`unknown_has_no_labels`).
    pub(super) fn matches(
        &self,
        pod: PodFace<'_>,
        unknown_has_no_labels: bool,
        namespaces: &NamespaceLabels,
        names: &Interner,
    ) -> bool {
        let by_selector = || {
            let empty = Labels::default();
            let known = namespaces.get(&pod.namespace).or(unknown_has_no_labels.then_some(&empty));
            self.namespace_selector.is_everything()
                || known.is_some_and(|labels| self.namespace_selector.matches(labels, names))
        };
        (self.namespaces.binary_search(&pod.namespace).is_ok() || by_selector())
            && self.labels.matches(pod.labels, names)
    }
}

impl PodMatcher {
    /// A label that every chosen pod must have, if there is one.
    pub(super) fn anchor(&self) -> Option<LabelPair> {
        self.terms.iter().find_map(|term| term.labels.anchor())
    }

    pub(super) fn matches(&self, pod: PodFace<'_>, namespaces: &NamespaceLabels, names: &Interner) -> bool {
        self.terms.iter().all(|term| term.matches(pod, false, namespaces, names))
    }
}

/// Counts by domain of one topology key.
#[derive(Clone, Debug)]
pub(super) struct Counter {
    pub(super) key: TopologyKey,
    pub(super) ignores_terminating: bool,
    by_domain: Vec<u32>,
    total: u64,
}

impl Counter {
    #[inline]
    pub(super) fn count(&self, domain: Domain) -> i64 {
        i64::from(self.by_domain.get(domain as usize).copied().unwrap_or(0))
    }

    /// Counts by domain; domains beyond the end count nothing.
    pub(super) fn counts(&self) -> &[u32] {
        &self.by_domain
    }

    /// Pods counted in all domains together.
    pub(super) fn total(&self) -> u64 {
        self.total
    }

    pub(super) fn add(&mut self, domain: Domain) {
        let index = domain as usize;
        if self.by_domain.len() <= index {
            self.by_domain.resize(index + 1, 0);
        }
        self.by_domain[index] += 1;
        self.total += 1;
    }

    pub(super) fn subtract(&mut self, domain: Domain) {
        self.by_domain[domain as usize] -= 1;
        self.total -= 1;
    }
}

/// All counts in use, each registered once.
#[derive(Clone, Debug, Default)]
pub(super) struct Counters {
    all: Vec<Counter>,
    by_matcher: BTreeMap<(Arc<PodMatcher>, TopologyKey), CounterId>,
    /// By a label that chosen pods must have.
    by_anchor: BTreeMap<Option<LabelPair>, Vec<(Arc<PodMatcher>, CounterId)>>,
    by_carried: BTreeMap<CarriedTerm, CounterId>,
}

impl Counters {
    pub(super) fn get(&self, id: CounterId) -> &Counter {
        &self.all[id.0 as usize]
    }

    pub(super) fn get_mut(&mut self, id: CounterId) -> &mut Counter {
        &mut self.all[id.0 as usize]
    }

    /// The count of pods that `matcher` chooses, and whether it is new and must be filled.
    pub(super) fn matching(&mut self, matcher: &PodMatcher, key: TopologyKey) -> (CounterId, bool) {
        let identity = (Arc::new(matcher.clone()), key);
        if let Some(&known) = self.by_matcher.get(&identity) {
            return (known, false);
        }
        let id = self.create(key, matcher.ignores_terminating);
        self.by_anchor.entry(matcher.anchor()).or_default().push((Arc::clone(&identity.0), id));
        self.by_matcher.insert(identity, id);
        (id, true)
    }

    /// The count of pods that carry `term`, and whether it is new.
    pub(super) fn carrying(&mut self, term: &CarriedTerm) -> (CounterId, bool) {
        if let Some(&known) = self.by_carried.get(term) {
            return (known, false);
        }
        let id = self.create(term.key, false);
        self.by_carried.insert(term.clone(), id);
        (id, true)
    }

    fn create(&mut self, key: TopologyKey, ignores_terminating: bool) -> CounterId {
        let id = CounterId(u32::try_from(self.all.len()).expect("fewer than 2^32 counters"));
        self.all.push(Counter { key, ignores_terminating, by_domain: Vec::new(), total: 0 });
        id
    }

    /// Matchers that may choose pods with these labels; the others certainly do not.
    pub(super) fn candidates(&self, labels: &Labels) -> impl Iterator<Item = (&PodMatcher, CounterId)> {
        let anchors = labels.pairs().iter().map(|pair| Some(*pair)).chain([None]);
        anchors
            .filter_map(|anchor| self.by_anchor.get(&anchor))
            .flatten()
            .map(|(matcher, id)| (&**matcher, *id))
    }

    pub(super) fn carried(&self) -> impl Iterator<Item = (&CarriedTerm, CounterId)> {
        self.by_carried.iter().map(|(term, id)| (term, *id))
    }

    pub(super) fn clear_counts(&mut self) {
        for counter in &mut self.all {
            counter.by_domain.clear();
            counter.total = 0;
        }
    }
}
