//! Which topology domain (zone, host, …) every node is in, for each label key that some pod spreads or clings by.

use super::nodes::NodeId;
use super::symbol::{Labels, Symbol};
use std::collections::BTreeMap;

/// A label key in use; [`TopologyKey::NODE`] stands for the node itself, whatever its labels.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct TopologyKey(u32);

impl TopologyKey {
    pub const NODE: Self = Self(0);
}

/// A value of a topology key, dense per key.
pub(super) type Domain = u32;

const NO_DOMAIN: Domain = Domain::MAX;

#[derive(Clone, Debug, Default)]
struct KeyTable {
    label: Option<Symbol>,
    domain_of_node: Vec<Domain>,
    domains: BTreeMap<Symbol, Domain>,
    values: Vec<Symbol>,
    nodes_in_domain: Vec<u32>,
    nodes_without: usize,
}

/// Domains of all nodes under all keys in use.
#[derive(Clone, Debug)]
pub(super) struct Topology {
    keys: Vec<KeyTable>,
    by_label: BTreeMap<Symbol, TopologyKey>,
}

impl Default for Topology {
    fn default() -> Self {
        Self { keys: vec![KeyTable::default()], by_label: BTreeMap::new() }
    }
}

impl Topology {
    /// The key of `label`; `nodes` are all present nodes with their labels, read only if the key is new.
    pub(super) fn key<'a>(
        &mut self,
        label: Symbol,
        nodes: impl Iterator<Item = (NodeId, &'a Labels)>,
    ) -> TopologyKey {
        if let Some(&key) = self.by_label.get(&label) {
            return key;
        }
        let key = TopologyKey(u32::try_from(self.keys.len()).expect("fewer than 2^32 topology keys"));
        let mut table = KeyTable { label: Some(label), ..Default::default() };
        for (node, labels) in nodes {
            table.place(node, labels);
        }
        self.keys.push(table);
        self.by_label.insert(label, key);
        key
    }

    pub(super) fn add_node(&mut self, node: NodeId, labels: &Labels) {
        for table in &mut self.keys {
            table.place(node, labels);
        }
    }

    pub(super) fn remove_node(&mut self, node: NodeId) {
        for table in &mut self.keys {
            table.displace(node);
        }
    }

    /// `None` when the node lacks the label.
    #[inline]
    pub(super) fn domain(&self, key: TopologyKey, node: NodeId) -> Option<Domain> {
        let domain = self.keys[key.0 as usize].domain_of_node[node.index()];
        (domain != NO_DOMAIN).then_some(domain)
    }

    /// Number of domains ever seen; domains are below it.
    pub(super) fn domain_count(&self, key: TopologyKey) -> usize {
        self.keys[key.0 as usize].nodes_in_domain.len()
    }

    pub(super) fn nodes_in_domain(&self, key: TopologyKey) -> &[u32] {
        &self.keys[key.0 as usize].nodes_in_domain
    }

    pub(super) fn every_node_has(&self, key: TopologyKey) -> bool {
        self.keys[key.0 as usize].nodes_without == 0
    }

    pub(super) fn label(&self, key: TopologyKey) -> Option<Symbol> {
        self.keys[key.0 as usize].label
    }

    /// The label value that makes a domain; not for [`TopologyKey::NODE`].
    pub(super) fn value(&self, key: TopologyKey, domain: Domain) -> Symbol {
        self.keys[key.0 as usize].values[domain as usize]
    }
}

impl KeyTable {
    fn place(&mut self, node: NodeId, labels: &Labels) {
        let index = node.index();
        if self.domain_of_node.len() <= index {
            self.domain_of_node.resize(index + 1, NO_DOMAIN);
        }
        let domain = match self.label {
            None => Some(index as Domain),
            Some(label) => labels.get(label).map(|value| self.domain_of(value)),
        };
        let Some(domain) = domain else {
            self.nodes_without += 1;
            return;
        };
        if self.nodes_in_domain.len() <= domain as usize {
            self.nodes_in_domain.resize(domain as usize + 1, 0);
        }
        self.nodes_in_domain[domain as usize] += 1;
        self.domain_of_node[index] = domain;
    }

    fn displace(&mut self, node: NodeId) {
        let domain = std::mem::replace(&mut self.domain_of_node[node.index()], NO_DOMAIN);
        if domain == NO_DOMAIN {
            self.nodes_without -= 1;
            return;
        }
        self.nodes_in_domain[domain as usize] -= 1;
    }

    fn domain_of(&mut self, value: Symbol) -> Domain {
        let next = self.values.len() as Domain;
        let domain = *self.domains.entry(value).or_insert(next);
        if domain == next {
            self.values.push(value);
        }
        domain
    }
}
