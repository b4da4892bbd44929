//! Everything that can be set about the real world, as plain data. Reading it from a file is somebody else's work.

use crate::definitions::Reader;
use crate::fence::Fence;
use crate::lease::LeaseSettings;
use control::guardrails::Owner;
use model::money::MicroDollars;
use model::names::{ClusterName, PoolName};
use model::signal::Signal;
use model::time::Period;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::path::PathBuf;

/// Labels that name a node's pool, by those who make nodes; the first that a node has counts.
pub const POOL_LABELS: [&str; 8] = [
    "karpenter.sh/nodepool",
    "cloud.google.com/gke-nodepool",
    "eks.amazonaws.com/nodegroup",
    "kubernetes.azure.com/agentpool",
    "alpha.eksctl.io/nodegroup-name",
    "node.cluster.x-k8s.io/machine-deployment",
    "agentpool",
    "pool",
];

/// A quarter at a time: the target needs room for little more than what moves, and four rounds of becoming ready are soon over.
pub const MOVED_IN_PARTS: u32 = 4;

/// The pool of a node without any of the labels.
pub const DEFAULT_POOL: &str = "default";

/// What belongs to the clusters themselves. A name that ends with `*` stands for all that begin so.
pub const SYSTEM_NAMESPACES: [&str; 4] = ["kube-system", "kube-public", "kube-node-lease", "karmada-*"];

/// The real world that is watched and, if so wished, changed.
#[derive(Clone, Debug)]
pub struct Settings {
    pub members: Vec<Member>,
    /// The control plane above the members; without it workloads are copied from cluster to cluster.
    pub karmada: Option<Access>,
    pub prometheus: Option<PrometheusSettings>,
    /// Whether anything is ever written. Without it nothing that writes is even made.
    pub act: bool,
    /// Whose workloads are seen; none means all but those of the system.
    pub namespaces: Vec<String>,
    /// Node labels that name a pool; the first that a node has counts.
    pub pools_by: Vec<String>,
    /// What is known about pools that no cluster tells.
    pub pools: Vec<PoolSettings>,
    /// What a node costs in an hour, by its label `node.kubernetes.io/instance-type`; a pool's own price counts first.
    pub prices: BTreeMap<String, MicroDollars>,
    pub timeouts: Timeouts,
    /// Whether kubeconfigs may name commands that are run to log in.
    pub allow_exec: bool,
    /// What becomes of the source of a migration without Karmada.
    pub leaving: Leaving,
    /// In how many parts the replicas of a Deployment are moved without Karmada; one means all at once.
    pub parts: u32,
    /// The label that says in which cluster a template belongs, where policies choose by it as WASP's do: it is set to the target
    /// when a move has ended.
    pub place_label: Option<String>,
    /// Where the lease is that only one replica holds; without it nobody competes.
    pub leader_election: Option<LeaseSettings>,
    /// What is checked directly before every write.
    pub fence: Fence,
    /// Whether what happens to workloads is told as events on them. Where nothing may be changed, no event is written either.
    pub events: bool,
    /// Where `Freeze` objects are read; without it they have no effect.
    pub freezes: Option<FreezeSettings>,
    /// Where `Agent` and `Guardrail` objects are read; without it they have no effect.
    pub definitions: Option<DefinitionSettings>,
    /// Whose say may be overridden; otherwise nothing is ordered against them.
    pub despite: BTreeSet<Owner>,
}

/// Where `Freeze` objects are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FreezeSettings {
    pub access: Access,
    pub namespace: String,
}

/// Where `Agent` and `Guardrail` objects are, and who understands them.
#[derive(Clone, Debug)]
pub struct DefinitionSettings {
    pub access: Access,
    pub namespace: String,
    pub reader: Reader,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            members: Vec::new(),
            karmada: None,
            prometheus: None,
            act: false,
            namespaces: Vec::new(),
            pools_by: POOL_LABELS.map(str::to_owned).to_vec(),
            pools: Vec::new(),
            prices: BTreeMap::new(),
            timeouts: Timeouts::default(),
            allow_exec: false,
            leaving: Leaving::default(),
            parts: MOVED_IN_PARTS,
            place_label: None,
            leader_election: None,
            fence: Fence::default(),
            events: true,
            freezes: None,
            definitions: None,
            despite: BTreeSet::new(),
        }
    }
}

impl Settings {
    /// Whether workloads of this namespace are shown; all others belong to the system.
    pub fn shows(&self, namespace: &str) -> bool {
        if self.namespaces.is_empty() {
            return !SYSTEM_NAMESPACES.iter().any(|pattern| matches(pattern, namespace));
        }
        self.namespaces.iter().any(|pattern| matches(pattern, namespace))
    }

    /// What is set about a pool: of its cluster first, of all clusters otherwise.
    pub fn pool(&self, cluster: &ClusterName, pool: &PoolName) -> Option<&PoolSettings> {
        let own = |one: &&PoolSettings| one.pool == *pool && one.cluster.as_ref() == Some(cluster);
        let any = |one: &&PoolSettings| one.pool == *pool && one.cluster.is_none();
        self.pools.iter().find(own).or_else(|| self.pools.iter().find(any))
    }
}

fn matches(pattern: &str, name: &str) -> bool {
    pattern.strip_suffix('*').map_or(pattern == name, |beginning| name.starts_with(beginning))
}

/// A cluster that runs workloads. Under Karmada its name is the one it joined with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Member {
    pub name: ClusterName,
    pub access: Access,
}

/// How a cluster is reached.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Access {
    /// With the service account of the pod that this runs in.
    InCluster,
    /// With a kubeconfig; without a path the usual one, without a context the current one.
    Kubeconfig { path: Option<PathBuf>, context: Option<String> },
}

/// Where measurements are, and how they are asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PrometheusSettings {
    /// Such as `http://prometheus.monitoring:9090`, with a path if it is served under one.
    pub url: String,
    pub bearer_token: Option<Secret>,
    /// The label that names the cluster, and is compared with the members' names.
    pub cluster_label: String,
    /// Over how long rates are taken.
    pub window: Period,
    /// Queries that stand in for the shipped ones of the same signal and scope; an empty text asks for nothing.
    pub queries: Vec<Query>,
}

/// One question to Prometheus. `{cluster}` and `{window}` in it are filled in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Query {
    pub signal: Signal,
    pub scope: Scope,
    pub text: String,
}

/// What the series of an answer are about, and so which labels they must have.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Scope {
    /// The cluster label alone.
    Cluster,
    /// And `node`.
    Node,
    /// And `namespace` and `pod`; summed up for each workload.
    Pod,
    /// And `namespace` and `workload`: the name of a Deployment or StatefulSet.
    Workload,
}

/// What is known about a pool that its nodes do not say.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PoolSettings {
    /// Without it every cluster's pool of this name is meant.
    pub cluster: Option<ClusterName>,
    pub pool: PoolName,
    pub price_per_hour: Option<MicroDollars>,
    pub minimum: Option<u32>,
    pub maximum: Option<u32>,
    pub boot_time: Option<Period>,
    pub resizing: Resizing,
}

/// Who makes and removes the nodes of a pool.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Resizing {
    /// Nobody that can be asked.
    #[default]
    Refused,
    /// Node objects are made and deleted, for clusters whose nodes are pretended by KWOK.
    NodeObjects,
    /// A MachineDeployment of Cluster API in this cluster.
    MachineDeployment { namespace: String, name: String },
    /// A static NodePool of Karpenter in this cluster: one with `spec.replicas`.
    NodePool { name: String },
    /// Somebody who is told the number with a signed message, and makes it so.
    Webhook { url: String, secret: Secret },
}

/// A text that is never shown.
#[derive(Clone, PartialEq, Eq)]
pub struct Secret(String);

impl Secret {
    pub fn new(text: impl Into<String>) -> Self {
        Self(text.into())
    }

    pub fn reveal(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("a secret")
    }
}

/// What becomes of the source of a migration without Karmada, once the target is ready.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Leaving {
    /// It stays with no replicas, so that its definition is still there.
    #[default]
    ScaleToZero,
    Delete,
}

/// How long is waited for what. Everything has an end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Timeouts {
    /// For a connection.
    pub connect: Period,
    /// For one answer of an API server or of Prometheus.
    pub request: Period,
    /// After so long a watch is begun anew, so that a connection that died silently is noticed.
    pub watch: Period,
    /// A cluster that was not heard for so long is a gap.
    pub stale: Period,
    /// An observation is delivered after so long at the latest, with gaps where nothing was heard.
    pub observe: Period,
    /// An action that has not succeeded after so long is taken back; taking back may last as long again.
    pub act: Period,
    /// How often what is under way is looked at.
    pub look: Period,
    /// What takes something away is ordered only if it was seen to be right for so long.
    pub settle: Period,
}

impl Default for Timeouts {
    fn default() -> Self {
        Self {
            connect: Period::from_secs(5),
            request: Period::from_secs(15),
            watch: Period::from_secs(30),
            // Two watches: one that ended badly, and one that did not begin.
            stale: Period::from_secs(75),
            observe: Period::from_secs(5),
            // As long as a Deployment has by default until it counts as stuck (progressDeadlineSeconds).
            act: Period::from_minutes(10),
            look: Period::from_millis(500),
            settle: Period::from_secs(2),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_system_is_not_shown_unless_it_is_asked_for() {
        let all = Settings::default();
        let some =
            Settings { namespaces: vec!["shop".to_owned(), "team-*".to_owned()], ..Settings::default() };
        for (namespace, in_all, in_some) in [
            ("default", true, false),
            ("kube-system", false, false),
            ("kube-system-2", true, false),
            ("karmada-es-member1", false, false),
            ("shop", true, true),
            ("team-a", true, true),
        ] {
            assert_eq!((all.shows(namespace), some.shows(namespace)), (in_all, in_some), "{namespace}");
        }
    }
}
