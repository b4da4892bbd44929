//! Texts that are compared often (label keys and values, names) as small integers.

use std::collections::BTreeMap;
use std::sync::Arc;

/// A text known to one [`Interner`]; equal symbols are equal texts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Symbol(u32);

/// Gives every distinct text one number, counting from 0.
#[derive(Clone, Debug, Default)]
pub struct Interner {
    symbols: BTreeMap<Arc<str>, Symbol>,
    texts: Vec<Arc<str>>,
}

impl Interner {
    /// The number of `text`, new if it was never seen.
    pub fn intern(&mut self, text: &str) -> Symbol {
        if let Some(&symbol) = self.symbols.get(text) {
            return symbol;
        }
        let symbol = Symbol(u32::try_from(self.texts.len()).expect("fewer than 2^32 distinct texts"));
        let text: Arc<str> = text.into();
        self.symbols.insert(Arc::clone(&text), symbol);
        self.texts.push(text);
        symbol
    }

    pub fn get(&self, text: &str) -> Option<Symbol> {
        self.symbols.get(text).copied()
    }

    pub fn text(&self, symbol: Symbol) -> &str {
        &self.texts[symbol.0 as usize]
    }
}

/// A label key with its value.
pub(super) type LabelPair = (Symbol, Symbol);

/// Labels sorted by key, so that a lookup is a short binary search.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Labels(Vec<LabelPair>);

impl Labels {
    pub fn new(labels: &BTreeMap<String, String>, names: &mut Interner) -> Self {
        let mut pairs: Vec<_> =
            labels.iter().map(|(key, value)| (names.intern(key), names.intern(value))).collect();
        pairs.sort_unstable();
        Self(pairs)
    }

    pub fn pairs(&self) -> &[LabelPair] {
        &self.0
    }

    pub fn get(&self, key: Symbol) -> Option<Symbol> {
        self.0.binary_search_by_key(&key, |pair| pair.0).ok().map(|at| self.0[at].1)
    }
}
