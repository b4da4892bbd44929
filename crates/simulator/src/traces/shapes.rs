//! What a pod of a trace asks for, and the way from there to a pod template and back.

use crate::kube;
use crate::scenario::{PodTemplate, Spread};
use crate::scheduler::requests::{RequestOptions, pod_requests};
use model::quantity::{Bytes, MilliCpu};
use model::resources::Resources;
use model::time::Period;
use std::collections::BTreeMap;

/// Everything that makes two pods equal for a scheduler.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct PodShape {
    pub cpu: MilliCpu,
    pub memory: Bytes,
    /// Extended resources such as `nvidia.com/gpu`.
    pub extended: BTreeMap<String, u64>,
    /// Labels that the node must have, each with one of these values.
    pub node_labels: BTreeMap<String, Vec<String>>,
    pub labels: BTreeMap<String, String>,
    pub priority: i32,
}

impl PodShape {
    /// The template of such pods. They are ready at once and stop at once: what a trace records as run time begins with
    /// the node and includes both.
    pub fn template(&self) -> PodTemplate {
        let mut pod = kube::Pod::default();
        "trace".clone_into(&mut pod.metadata.name);
        pod.metadata.labels.clone_from(&self.labels);
        pod.spec.priority = Some(self.priority);
        pod.spec.affinity = self.affinity();
        let requests = kube::ResourceList(self.requests().collect());
        let resources = kube::ResourceRequirements { requests, ..Default::default() };
        pod.spec.containers =
            vec![kube::Container { name: "main".to_owned(), resources, ..Default::default() }];
        PodTemplate {
            pod,
            each: Resources::new(self.cpu, self.memory, 1),
            priority: self.priority,
            start_time: Spread::exactly(Period::ZERO),
            stop_time: Spread::exactly(Period::ZERO),
            cpu_limit: None,
            cpu_use: self.cpu,
            memory_use: self.memory,
        }
    }

    /// The shape of a template's pods, as far as a shape can say it: of affinities only labels of nodes are kept.
    pub fn of(template: &PodTemplate) -> Self {
        let requests = pod_requests(&template.pod, &RequestOptions::default());
        let extended = requests.0.iter().filter(|(name, amount)| name.contains('/') && **amount > 0);
        Self {
            cpu: template.each.cpu,
            memory: template.each.memory,
            extended: extended.map(|(name, amount)| (name.clone(), *amount as u64)).collect(),
            node_labels: node_labels(&template.pod.spec),
            labels: template.pod.metadata.labels.clone(),
            priority: template.priority,
        }
    }

    /// A pod without a request for a resource gets none: that is not the same as a request for zero.
    fn requests(&self) -> impl Iterator<Item = (String, i64)> {
        let named = [(kube::CPU, self.cpu.0), (kube::MEMORY, self.memory.0)];
        let named = named.into_iter().map(|(name, amount)| (name.to_owned(), amount));
        let extended = self.extended.iter().map(|(name, amount)| (name.clone(), *amount));
        let all = named.chain(extended).filter(|(_, amount)| *amount > 0);
        all.map(|(name, amount)| (name, i64::try_from(amount).unwrap_or(i64::MAX)))
    }

    fn affinity(&self) -> Option<kube::Affinity> {
        if self.node_labels.is_empty() {
            return None;
        }
        let wanted = |(key, values): (&String, &Vec<String>)| kube::NodeSelectorRequirement {
            key: key.clone(),
            operator: kube::NodeSelectorOperator::In,
            values: values.clone(),
        };
        let term = kube::NodeSelectorTerm {
            match_expressions: self.node_labels.iter().map(wanted).collect(),
            ..Default::default()
        };
        let required = Some(kube::NodeSelector { node_selector_terms: vec![term] });
        let node_affinity = Some(kube::NodeAffinity { required, ..Default::default() });
        Some(kube::Affinity { node_affinity, ..Default::default() })
    }
}

fn node_labels(spec: &kube::PodSpec) -> BTreeMap<String, Vec<String>> {
    let selected = spec.node_selector.iter().map(|(key, value)| (key.clone(), vec![value.clone()]));
    let affinity = spec.affinity.as_ref().and_then(|affinity| affinity.node_affinity.as_ref());
    let required = affinity.and_then(|affinity| affinity.required.as_ref());
    // Terms are alternatives; several of them are more than labels can say.
    let only = required.map_or(&[][..], |required| &required.node_selector_terms[..]);
    let only = if let [term] = only { &term.match_expressions[..] } else { &[] };
    let chosen = only.iter().filter(|one| one.operator == kube::NodeSelectorOperator::In);
    selected.chain(chosen.map(|one| (one.key.clone(), one.values.clone()))).collect()
}

/// Gives equal shapes the same number.
#[derive(Default)]
pub(super) struct Shapes(BTreeMap<PodShape, usize>);

impl Shapes {
    pub(super) fn number(&mut self, shape: PodShape, all: &mut Vec<PodShape>) -> usize {
        *self.0.entry(shape).or_insert_with_key(|shape| {
            all.push(shape.clone());
            all.len() - 1
        })
    }
}
