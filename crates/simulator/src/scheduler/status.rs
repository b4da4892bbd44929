//! Why a node, or every node, was refused, as data and as Kubernetes' event text.

use super::nodes::NodeId;
use std::collections::BTreeMap;

/// The scheduler plugins that filter or score. Volume plugins are absent because pods here have no volumes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Plugin {
    SchedulingGates,
    NodeUnschedulable,
    NodeName,
    TaintToleration,
    NodeAffinity,
    NodePorts,
    NodeResourcesFit,
    PodTopologySpread,
    InterPodAffinity,
    NodeResourcesBalancedAllocation,
    ImageLocality,
}

impl Plugin {
    pub const ALL: [Self; 11] = [
        Self::SchedulingGates,
        Self::NodeUnschedulable,
        Self::NodeName,
        Self::TaintToleration,
        Self::NodeAffinity,
        Self::NodePorts,
        Self::NodeResourcesFit,
        Self::PodTopologySpread,
        Self::InterPodAffinity,
        Self::NodeResourcesBalancedAllocation,
        Self::ImageLocality,
    ];

    /// The name in Kubernetes' configuration and events.
    pub fn name(self) -> &'static str {
        match self {
            Self::SchedulingGates => "SchedulingGates",
            Self::NodeUnschedulable => "NodeUnschedulable",
            Self::NodeName => "NodeName",
            Self::TaintToleration => "TaintToleration",
            Self::NodeAffinity => "NodeAffinity",
            Self::NodePorts => "NodePorts",
            Self::NodeResourcesFit => "NodeResourcesFit",
            Self::PodTopologySpread => "PodTopologySpread",
            Self::InterPodAffinity => "InterPodAffinity",
            Self::NodeResourcesBalancedAllocation => "NodeResourcesBalancedAllocation",
            Self::ImageLocality => "ImageLocality",
        }
    }

    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|plugin| plugin.name() == name)
    }
}

/// A set of plugins.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct PluginSet(u16);

impl PluginSet {
    pub const NONE: Self = Self(0);
    pub const ALL: Self = Self(u16::MAX);

    pub fn contains(self, plugin: Plugin) -> bool {
        self.0 & (1 << plugin as u16) != 0
    }

    #[must_use]
    pub fn with(self, plugin: Plugin) -> Self {
        Self(self.0 | (1 << plugin as u16))
    }

    #[must_use]
    pub fn without(self, plugin: Plugin) -> Self {
        Self(self.0 & !(1 << plugin as u16))
    }
}

impl PluginSet {
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    pub fn intersects(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }

    /// The members in plugin order.
    pub fn iter(self) -> impl Iterator<Item = Plugin> {
        Plugin::ALL.into_iter().filter(move |plugin| self.contains(*plugin))
    }
}

impl FromIterator<Plugin> for PluginSet {
    fn from_iter<I: IntoIterator<Item = Plugin>>(plugins: I) -> Self {
        plugins.into_iter().fold(Self::NONE, Self::with)
    }
}

/// Why one plugin refuses one node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reason {
    Unschedulable,
    NodeName,
    UntoleratedTaint,
    NodeAffinity,
    EnforcedNodeAffinity,
    HostPorts,
    /// Everything that is short, see [`Shortage`].
    Resources(Shortage),
    SpreadSkew,
    SpreadMissingLabel,
    PodAffinity,
    PodAntiAffinity,
    ExistingPodAntiAffinity,
}

/// What a node lacks, as bits: 0 pods, 1 CPU, 2 memory, 3 ephemeral storage, 4 + i the pod's i-th other resource.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Shortage(pub u64);

impl Shortage {
    pub const PODS: u64 = 1;
    pub const CPU: u64 = 1 << 1;
    pub const MEMORY: u64 = 1 << 2;
    pub const EPHEMERAL_STORAGE: u64 = 1 << 3;
    pub const FIRST_OTHER: u32 = 4;

    pub fn is_none(self) -> bool {
        self.0 == 0
    }
}

impl Reason {
    /// The plugin that gives this reason.
    pub fn plugin(self) -> Plugin {
        match self {
            Self::Unschedulable => Plugin::NodeUnschedulable,
            Self::NodeName => Plugin::NodeName,
            Self::UntoleratedTaint => Plugin::TaintToleration,
            Self::NodeAffinity | Self::EnforcedNodeAffinity => Plugin::NodeAffinity,
            Self::HostPorts => Plugin::NodePorts,
            Self::Resources(_) => Plugin::NodeResourcesFit,
            Self::SpreadSkew | Self::SpreadMissingLabel => Plugin::PodTopologySpread,
            Self::PodAffinity | Self::PodAntiAffinity | Self::ExistingPodAntiAffinity => {
                Plugin::InterPodAffinity
            }
        }
    }

    /// The texts of the event; `others` names the pod's other resources in order.
    pub fn texts(self, others: &[&str]) -> Vec<String> {
        let one = |text: &str| vec![text.to_owned()];
        match self {
            Self::Unschedulable => one("node(s) were unschedulable"),
            Self::NodeName => one("node(s) didn't match the requested node name"),
            Self::UntoleratedTaint => one("node(s) had untolerated taint(s)"),
            Self::NodeAffinity => one("node(s) didn't match Pod's node affinity/selector"),
            Self::EnforcedNodeAffinity => one("node(s) didn't match scheduler-enforced node affinity"),
            Self::HostPorts => one("node(s) didn't have free ports for the requested pod ports"),
            Self::Resources(shortage) => shortage_texts(shortage, others),
            Self::SpreadSkew => one("node(s) didn't match pod topology spread constraints"),
            Self::SpreadMissingLabel => {
                one("node(s) didn't match pod topology spread constraints (missing required label)")
            }
            Self::PodAffinity => one("node(s) didn't match pod affinity rules"),
            Self::PodAntiAffinity => one("node(s) didn't match pod anti-affinity rules"),
            Self::ExistingPodAntiAffinity => one("node(s) didn't satisfy existing pods anti-affinity rules"),
        }
    }
}

fn shortage_texts(shortage: Shortage, others: &[&str]) -> Vec<String> {
    let fixed = [
        (Shortage::PODS, "Too many pods"),
        (Shortage::CPU, "Insufficient cpu"),
        (Shortage::MEMORY, "Insufficient memory"),
        (Shortage::EPHEMERAL_STORAGE, "Insufficient ephemeral-storage"),
    ];
    let mut texts: Vec<_> =
        fixed.iter().filter(|(bit, _)| shortage.0 & bit != 0).map(|(_, text)| (*text).to_owned()).collect();
    for (index, name) in others.iter().enumerate() {
        if shortage.0 & (1 << (Shortage::FIRST_OTHER as usize + index)) != 0 {
            texts.push(format!("Insufficient {name}"));
        }
    }
    texts
}

/// One node's refusal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rejection {
    pub reason: Reason,
    /// Removing other pods from the node would not help.
    pub unresolvable: bool,
}

impl Rejection {
    pub fn resolvable(reason: Reason) -> Self {
        Self { reason, unresolvable: false }
    }

    pub fn unresolvable(reason: Reason) -> Self {
        Self { reason, unresolvable: true }
    }

    pub fn plugin(self) -> Plugin {
        self.reason.plugin()
    }
}

/// A pod that no node can take before any node was looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PodRejection {
    SchedulingGates,
    SidecarsDisabled,
    ConflictingNodeNames,
}

impl PodRejection {
    pub fn plugin(self) -> Plugin {
        match self {
            Self::SchedulingGates => Plugin::SchedulingGates,
            Self::SidecarsDisabled => Plugin::NodeResourcesFit,
            Self::ConflictingNodeNames => Plugin::NodeAffinity,
        }
    }

    pub fn text(self) -> &'static str {
        match self {
            Self::SchedulingGates => "waiting for scheduling gates",
            Self::SidecarsDisabled => {
                "Pod has a restartable init container and the SidecarContainers feature is disabled"
            }
            Self::ConflictingNodeNames => "pod affinity terms conflict",
        }
    }
}

/// No node fits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FitError {
    pub all_nodes: usize,
    /// Set when the pod itself was refused; then no node was looked at.
    pub pod: Option<PodRejection>,
    /// The first refusal of every node that was looked at, in scan order.
    pub nodes: Vec<(NodeId, Rejection)>,
    /// Nodes not looked at because the pod names the nodes it accepts.
    pub excluded_by_node_names: bool,
    /// Names of the pod's other resources, for the text.
    pub other_resources: Vec<String>,
}

impl FitError {
    /// The plugins that refused the pod or some node, each once, in plugin order.
    pub fn plugins(&self) -> PluginSet {
        let nodes = self.nodes.iter().map(|(_, rejection)| rejection.plugin());
        let named = self.excluded_by_node_names.then_some(Plugin::NodeAffinity);
        nodes.chain(self.pod.map(PodRejection::plugin)).chain(named).collect()
    }

    /// How many nodes were refused for each reason.
    pub fn counts(&self) -> BTreeMap<String, usize> {
        let others: Vec<_> = self.other_resources.iter().map(String::as_str).collect();
        let mut counts = BTreeMap::new();
        for (_, rejection) in &self.nodes {
            for text in rejection.reason.texts(&others) {
                *counts.entry(text).or_insert(0) += 1;
            }
        }
        let absent = self.all_nodes - self.nodes.len();
        if self.excluded_by_node_names && absent > 0 {
            counts.insert("node(s) didn't satisfy plugin(s) [NodeAffinity]".to_owned(), absent);
        }
        counts
    }

    /// Kubernetes' event text.
    pub fn message(&self, after_preemption: &str) -> String {
        if self.all_nodes == 0 {
            return "no nodes available to schedule pods".to_owned();
        }
        let pod = self.pod.map(PodRejection::text).unwrap_or_default();
        message(self.all_nodes, pod, &self.counts(), after_preemption)
    }
}

/// `0/N nodes are available: …`: the pod's own refusal, or else the counts sorted as text; then what preemption said.
pub fn message(
    all_nodes: usize,
    pod: &str,
    counts: &BTreeMap<String, usize>,
    after_preemption: &str,
) -> String {
    let mut text = format!("0/{all_nodes} nodes are available:");
    if pod.is_empty() {
        let mut parts: Vec<_> = counts.iter().map(|(reason, count)| format!("{count} {reason}")).collect();
        parts.sort_unstable();
        if !parts.is_empty() {
            text = format!("{text} {}.", parts.join(", "));
        }
    } else {
        text = format!("{text} {pod}.");
    }
    if !after_preemption.is_empty() {
        text = format!("{text} {after_preemption}");
    }
    text
}
