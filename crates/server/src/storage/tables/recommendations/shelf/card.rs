//! What lists are filtered by, of one recommendation, in a few numbers that lie side by side: to go through ten thousand of them must
//! cost next to nothing.

use super::super::{Filter, Item, Within, needle};
use model::review::Stage;
use std::collections::BTreeMap;

/// A name, by its number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Word(u32);

/// Names, each of them once.
#[derive(Debug, Default)]
pub(super) struct Words(BTreeMap<String, Word>);

impl Words {
    fn find(&self, name: &str) -> Option<Word> {
        self.0.get(name).copied()
    }

    fn enter(&mut self, name: &str) -> Word {
        if let Some(known) = self.find(name) {
            return known;
        }
        let new = Word(self.0.len() as u32);
        self.0.insert(name.to_owned(), new);
        new
    }

    fn enter_some(&mut self, name: Option<&String>) -> Option<Word> {
        name.map(|name| self.enter(name))
    }
}

/// One recommendation, as far as filters ask for it.
#[derive(Debug)]
pub(super) struct Card {
    stage: Stage,
    risk: i64,
    raised_at_ms: i64,
    agent: Word,
    kind: Word,
    namespace: Option<Word>,
    workload: Option<Word>,
    from_cluster: Option<Word>,
    to_cluster: Option<Word>,
}

impl Card {
    pub(super) fn of(item: &Item, words: &mut Words) -> Self {
        Self {
            stage: item.stage,
            risk: item.risk,
            raised_at_ms: item.raised_at_ms,
            agent: words.enter(&item.agent),
            kind: words.enter(&item.kind),
            namespace: words.enter_some(item.namespace.as_ref()),
            workload: words.enter_some(item.workload.as_ref()),
            from_cluster: words.enter_some(item.from_cluster.as_ref()),
            to_cluster: words.enter_some(item.to_cluster.as_ref()),
        }
    }
}

/// A filter in the numbers of cards.
pub(super) struct Wanted<'a> {
    filter: &'a Filter,
    agent: Name,
    kind: Name,
    namespace: Name,
    workload: Name,
    cluster: Name,
    within: Part,
    /// What the workload's name has to contain, in small letters.
    letters: Option<String>,
}

impl<'a> Wanted<'a> {
    pub(super) fn new(filter: &'a Filter, words: &Words) -> Self {
        let name = |wanted: &Option<String>| Name::new(wanted.as_deref(), words);
        Self {
            filter,
            agent: name(&filter.agent),
            kind: name(&filter.kind),
            namespace: name(&filter.namespace),
            workload: name(&filter.workload),
            cluster: name(&filter.cluster),
            within: Part::new(&filter.within, words),
            letters: filter.workload_contains.as_deref().map(needle),
        }
    }

    /// Whether a recommendation fits, whatever is searched for. Cheap questions first.
    pub(super) fn fits(&self, card: &Card, item: &Item) -> bool {
        self.fits_numbers(card) && self.letters.as_deref().is_none_or(|letters| is_in_workload(letters, item))
    }

    fn fits_numbers(&self, card: &Card) -> bool {
        let filter = self.filter;
        (filter.stages.is_empty() || filter.stages.contains(&card.stage))
            && filter.risk_at_least.is_none_or(|least| card.risk >= least)
            && filter.raised_from_ms.is_none_or(|from| card.raised_at_ms >= from)
            && filter.raised_until_ms.is_none_or(|until| card.raised_at_ms < until)
            && self.agent.is(Some(card.agent))
            && self.kind.is(Some(card.kind))
            && self.namespace.is(card.namespace)
            && self.workload.is(card.workload)
            && (self.cluster.is(card.from_cluster) || self.cluster.is(card.to_cluster))
            && self.within.covers(card)
    }
}

/// What a name has to be.
enum Name {
    Any,
    /// Nothing here is called so.
    Unheard,
    This(Word),
}

impl Name {
    fn new(wanted: Option<&str>, words: &Words) -> Self {
        wanted.map_or(Self::Any, |name| words.find(name).map_or(Self::Unheard, Self::This))
    }

    fn is(&self, found: Option<Word>) -> bool {
        match self {
            Self::Any => true,
            Self::Unheard => false,
            Self::This(word) => found == Some(*word),
        }
    }
}

/// The part of the federation that whoever asks sees; nothing of a kind means all of it.
struct Part {
    clusters: Option<Vec<Word>>,
    namespaces: Option<Vec<Word>>,
}

impl Part {
    fn new(within: &Within, words: &Words) -> Self {
        let some = |names: &[String]| {
            let known = || names.iter().filter_map(|name| words.find(name)).collect();
            (!names.is_empty()).then(known)
        };
        Self { clusters: some(&within.clusters), namespaces: some(&within.namespaces) }
    }

    /// The same as [`Within::covers`].
    fn covers(&self, card: &Card) -> bool {
        let one = |words: &Vec<Word>, found: Option<Word>| found.is_some_and(|found| words.contains(&found));
        let touches = |words| one(words, card.from_cluster) || one(words, card.to_cluster);
        self.clusters.as_ref().is_none_or(touches)
            && self.namespaces.as_ref().is_none_or(|words| one(words, card.namespace))
    }
}

fn is_in_workload(letters: &str, item: &Item) -> bool {
    item.workload.as_deref().is_some_and(|workload| workload.to_ascii_lowercase().contains(letters))
}
