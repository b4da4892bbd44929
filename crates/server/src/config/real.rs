//! The part of a desk's file that is about real clusters: as written, and checked.

use super::check::Checker;
use super::cluster_options::{
    MeasurementsConfig, PoolResizing, RawLeaving, RawMeasurements, RawPoolResizing, RawPrice, RawTimeouts,
};
use super::raw::RawWorld;
use model::document::item;
use model::money::MicroDollars;
use model::names::ClusterName;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

/// Real clusters.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RawKubernetes {
    /// The member clusters, with the names that the scenario gives them.
    #[schemars(length(min = 1))]
    pub members: Vec<RawMember>,
    /// The control plane that divides workloads among them; without it, workloads are copied from one member to another.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub karmada: Option<RawControlPlane>,
    /// Where Prometheus answers, for what is measured: `http://prometheus:9090`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub prometheus: Option<String>,
    /// How Prometheus is asked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub measurements: Option<RawMeasurements>,
    /// Whether approved plans are carried out. Otherwise nothing is ever written to a cluster.
    #[serde(default)]
    pub act: bool,
    /// Only these namespaces are looked at; all but those of the system by default.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub namespaces: Vec<String>,
    /// Labels of nodes that name their pool; the usual ones of clouds by default.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub pools_by: Vec<String>,
    /// Nodes are pretended by KWOK, so that pools are resized by making and deleting their objects.
    #[serde(default)]
    pub pretended_nodes: bool,
    /// Who makes and removes the nodes of pools.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub pools: Vec<RawPoolResizing>,
    /// What nodes cost that no pool of the scenario has a price for.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub prices: Vec<RawPrice>,
    /// What becomes of the source of a move without Karmada.
    #[serde(default)]
    pub leaving: RawLeaving,
    /// In how many parts the replicas of a Deployment are moved without Karmada; 1 moves them all at once.
    #[serde(default = "four")]
    #[schemars(range(min = 1, max = 100))]
    pub move_in_parts: u32,
    /// The label that says in which cluster a template belongs, where policies choose by it as WASP's do.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub place_label: Option<String>,
    /// How long is waited for what.
    #[serde(default)]
    pub timeouts: RawTimeouts,
    /// Whether programs may be run that a kubeconfig names for logging in.
    #[serde(default)]
    pub allow_exec: bool,
    /// With `act`: whether what happens to workloads is told as Kubernetes events on them.
    #[serde(default = "yes")]
    pub events: bool,
    /// Where the lease is that only one replica of this desk holds; the others stand by.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub leader_election: Option<RawLease>,
    /// Where `Freeze` objects are that freeze things at this desk.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub freezes: Option<RawObjects>,
    /// Where `Agent` and `Guardrail` objects are that add agents and tighten limits at this desk.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub objects: Option<RawObjects>,
}

const fn yes() -> bool {
    true
}

const fn four() -> u32 {
    4
}

/// A Lease of `coordination.k8s.io`.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RawLease {
    #[schemars(extend("x-drover-parse" = "name"))]
    pub namespace: String,
    #[serde(default = "drover")]
    #[schemars(extend("x-drover-parse" = "name"))]
    pub name: String,
    /// A kubeconfig file, relative to this one; the cluster that this program runs in by default.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kubeconfig: Option<String>,
    /// One of its contexts; the current one by default.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub context: Option<String>,
}

fn drover() -> String {
    "drover".to_owned()
}

/// Our own objects of one namespace.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RawObjects {
    #[schemars(extend("x-drover-parse" = "name"))]
    pub namespace: String,
    /// A kubeconfig file, relative to this one; the cluster that this program runs in by default.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kubeconfig: Option<String>,
    /// One of its contexts; the current one by default.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub context: Option<String>,
}

/// A member cluster and how it is reached.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RawMember {
    pub name: String,
    /// A kubeconfig file, relative to this one; the usual one by default.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kubeconfig: Option<String>,
    /// One of its contexts; the current one by default.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub context: Option<String>,
    /// It is the cluster that this program runs in.
    #[serde(default)]
    pub in_cluster: bool,
}

/// How a control plane is reached.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct RawControlPlane {
    /// A kubeconfig file, relative to this one; the usual one by default.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub kubeconfig: Option<String>,
    /// One of its contexts; the current one by default.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub context: Option<String>,
}

/// Real clusters, checked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KubernetesConfig {
    pub members: Vec<MemberConfig>,
    pub karmada: Option<ClusterAccess>,
    pub prometheus: Option<String>,
    pub act: bool,
    pub namespaces: Vec<String>,
    pub pools_by: Vec<String>,
    pub pretended_nodes: bool,
    pub measurements: MeasurementsConfig,
    pub pools: Vec<PoolResizing>,
    /// By the label `node.kubernetes.io/instance-type`.
    pub prices: BTreeMap<String, MicroDollars>,
    pub leaving: RawLeaving,
    pub move_in_parts: u32,
    pub place_label: Option<String>,
    pub timeouts: RawTimeouts,
    pub allow_exec: bool,
    pub events: bool,
    pub leader_election: Option<LeaseConfig>,
    pub freezes: Option<ObjectsConfig>,
    pub objects: Option<ObjectsConfig>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LeaseConfig {
    pub namespace: String,
    pub name: String,
    pub access: ClusterAccess,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ObjectsConfig {
    pub namespace: String,
    pub access: ClusterAccess,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MemberConfig {
    pub name: ClusterName,
    pub access: ClusterAccess,
}

/// How an API server is reached.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ClusterAccess {
    InCluster,
    /// As written; files lie beside the desk's.
    Kubeconfig {
        file: Option<PathBuf>,
        context: Option<String>,
    },
}

impl From<&RawControlPlane> for ClusterAccess {
    fn from(raw: &RawControlPlane) -> Self {
        Self::Kubeconfig { file: raw.kubeconfig.as_ref().map(PathBuf::from), context: raw.context.clone() }
    }
}

/// The cluster that this program runs in, unless another is named.
fn beside(kubeconfig: Option<&String>, context: Option<&String>) -> ClusterAccess {
    if kubeconfig.is_none() && context.is_none() {
        return ClusterAccess::InCluster;
    }
    ClusterAccess::Kubeconfig { file: kubeconfig.map(PathBuf::from), context: context.cloned() }
}

impl From<&RawLease> for LeaseConfig {
    fn from(raw: &RawLease) -> Self {
        let access = beside(raw.kubeconfig.as_ref(), raw.context.as_ref());
        Self { namespace: raw.namespace.clone(), name: raw.name.clone(), access }
    }
}

impl From<&RawObjects> for ObjectsConfig {
    fn from(raw: &RawObjects) -> Self {
        let access = beside(raw.kubeconfig.as_ref(), raw.context.as_ref());
        Self { namespace: raw.namespace.clone(), access }
    }
}

impl Checker<'_> {
    /// The scenario's file, and the real clusters if there are any.
    pub(super) fn world(&mut self, raw: &RawWorld) -> Option<(String, Option<KubernetesConfig>)> {
        match (&raw.simulate, &raw.scenario, &raw.kubernetes) {
            (Some(scenario), None, None) => Some((scenario.clone(), None)),
            (None, Some(scenario), Some(clusters)) => {
                self.kubernetes(clusters).map(|clusters| (scenario.clone(), Some(clusters)))
            }
            _ => {
                self.report(
                    "world",
                    "a desk watches either a simulated federation or real clusters",
                    "write simulate: <scenario file>, or scenario: <file> and kubernetes: { members: [...] }",
                );
                None
            }
        }
    }

    fn kubernetes(&mut self, raw: &RawKubernetes) -> Option<KubernetesConfig> {
        let members: Vec<Option<MemberConfig>> =
            raw.members.iter().enumerate().map(|(index, member)| self.member(index, member)).collect();
        self.member_names(raw);
        if let Some(address) = raw.prometheus.as_ref().filter(|text| !is_address(text)) {
            let message = format!("{address:?} is not the address of a Prometheus");
            self.report("world.kubernetes.prometheus", message, "write for instance http://127.0.0.1:9090");
        }
        let members_named: Vec<&str> = raw.members.iter().map(|member| member.name.as_str()).collect();
        let pools: Vec<Option<PoolResizing>> = raw
            .pools
            .iter()
            .enumerate()
            .map(|(index, pool)| self.pool_resizing(index, pool, &members_named))
            .collect();
        let measured = raw.measurements.as_ref();
        let measurements = measured.map(|options| self.measurements(options, raw.prometheus.is_some()));
        self.timeouts(&raw.timeouts);
        if let Some(label) = &raw.place_label {
            self.place_label(label);
        }
        Some(KubernetesConfig {
            members: members.into_iter().collect::<Option<_>>()?,
            karmada: raw.karmada.as_ref().map(ClusterAccess::from),
            prometheus: raw.prometheus.clone(),
            act: raw.act,
            namespaces: raw.namespaces.clone(),
            pools_by: raw.pools_by.clone(),
            pretended_nodes: raw.pretended_nodes,
            measurements: measurements.unwrap_or_default(),
            pools: pools.into_iter().collect::<Option<_>>()?,
            prices: raw.prices.iter().map(|one| (one.instance_type.clone(), one.price_per_hour)).collect(),
            leaving: raw.leaving,
            move_in_parts: raw.move_in_parts,
            place_label: raw.place_label.clone(),
            timeouts: raw.timeouts,
            allow_exec: raw.allow_exec,
            events: raw.events,
            leader_election: raw.leader_election.as_ref().map(LeaseConfig::from),
            freezes: raw.freezes.as_ref().map(ObjectsConfig::from),
            objects: raw.objects.as_ref().map(ObjectsConfig::from),
        })
    }

    fn member(&mut self, index: usize, raw: &RawMember) -> Option<MemberConfig> {
        let path = item("world.kubernetes.members", index);
        let name = self.take(
            &format!("{path}.name"),
            ClusterName::new(&raw.name),
            "write the name that the scenario gives the cluster",
        );
        let named = raw.kubeconfig.is_some() || raw.context.is_some();
        if raw.in_cluster && named {
            self.report(
                &format!("{path}.in_cluster"),
                "the cluster that this program runs in needs no kubeconfig",
                "take kubeconfig and context away",
            );
        }
        let access = if raw.in_cluster {
            ClusterAccess::InCluster
        } else {
            let file = raw.kubeconfig.as_ref().map(PathBuf::from);
            ClusterAccess::Kubeconfig { file, context: raw.context.clone() }
        };
        Some(MemberConfig { name: name?, access })
    }

    fn member_names(&mut self, raw: &RawKubernetes) {
        if raw.members.is_empty() {
            self.report("world.kubernetes.members", "there is nothing to watch", "name at least one cluster");
        }
        let mut seen = BTreeSet::new();
        for (index, member) in raw.members.iter().enumerate() {
            if !seen.insert(&member.name) {
                let path = format!("{}.name", item("world.kubernetes.members", index));
                self.report(&path, format!("{:?} is there twice", member.name), "give each its own name");
            }
        }
    }
}

/// Enough to tell a typing error; whether anybody answers there shows when it is asked.
pub(super) fn is_address(text: &str) -> bool {
    let rest = text.strip_prefix("http://").or_else(|| text.strip_prefix("https://"));
    rest.is_some_and(|rest| !rest.is_empty() && !rest.contains(char::is_whitespace))
}
