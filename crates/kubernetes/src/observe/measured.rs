//! Measurements by what they are about, with the wall time of each.

use crate::clock::{Origin, Wall};
use model::names::ClusterName;
use model::signal::{Milli, Reading, Readings, Signal};
use std::collections::BTreeMap;

/// A number and when it was true.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Value {
    pub(crate) value: f64,
    pub(crate) at: Wall,
}

/// The newest value of each signal.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Values(BTreeMap<Signal, Value>);

impl Values {
    /// Keeps the newer of two.
    pub(crate) fn note(&mut self, signal: Signal, value: Value) {
        let known = self.0.entry(signal).or_insert(value);
        if known.at < value.at {
            *known = value;
        }
    }

    pub(crate) fn get(&self, signal: Signal) -> Option<Value> {
        self.0.get(&signal).copied()
    }

    pub(crate) fn readings(&self, origin: Origin) -> Readings {
        let reading =
            |value: &Value| Reading { value: Milli::nearest(value.value), at: origin.timestamp(value.at) };
        self.0.iter().map(|(signal, value)| (*signal, reading(value))).collect()
    }

    fn merge(&mut self, other: &Self) {
        for (signal, value) in &other.0 {
            self.note(*signal, *value);
        }
    }
}

/// Everything that was measured in one cluster.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Measured {
    pub(crate) whole: Values,
    pub(crate) nodes: BTreeMap<String, Values>,
    /// By namespace and name.
    pub(crate) pods: BTreeMap<(String, String), Values>,
    /// By namespace and name, whatever the kind.
    pub(crate) workloads: BTreeMap<(String, String), Values>,
}

/// Of all clusters.
pub(crate) type Measurements = BTreeMap<ClusterName, Measured>;

impl Measured {
    pub(crate) fn merge(&mut self, other: &Self) {
        self.whole.merge(&other.whole);
        for (name, values) in &other.nodes {
            self.nodes.entry(name.clone()).or_default().merge(values);
        }
        for (name, values) in &other.pods {
            self.pods.entry(name.clone()).or_default().merge(values);
        }
        for (name, values) in &other.workloads {
            self.workloads.entry(name.clone()).or_default().merge(values);
        }
    }
}
