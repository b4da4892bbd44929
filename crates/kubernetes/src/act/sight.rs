//! What is seen of one action's objects at one moment. A part that could not be read says why; it is never taken for absent.

use model::hash::ContentHash;
use model::names::ClusterName;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};

/// So much of a hash tells two states of one object apart.
const WISH_CHARACTERS: usize = 16;

/// Something that was read just now, or why it could not be.
pub(crate) type Seen<T> = Result<T, String>;

#[derive(Clone, Debug)]
pub(crate) struct Sight {
    /// Nothing where there is no Karmada.
    pub(crate) karmada: Option<Seen<KarmadaSight>>,
    pub(crate) members: BTreeMap<ClusterName, Seen<MemberSight>>,
}

impl Sight {
    pub(crate) fn member(&self, name: &ClusterName) -> Seen<&MemberSight> {
        match self.members.get(name) {
            Some(Ok(member)) => Ok(member),
            Some(Err(why)) => Err(why.clone()),
            None => Err(format!("{name} is not a member")),
        }
    }
}

/// What one member has of a workload.
#[derive(Clone, Debug, Default)]
pub(crate) struct MemberSight {
    pub(crate) holding: Option<Object>,
    /// Pods that its selector finds, ending ones included.
    pub(crate) pods: u32,
    /// Whether the namespace is there.
    pub(crate) has_namespace: bool,
    /// The autoscaler that sets its replicas, by name.
    pub(crate) autoscaler: Option<String>,
    /// The nodes that its pods are on, ending pods left out.
    pub(crate) pod_nodes: Vec<String>,
    /// All nodes, where the action is about nodes.
    pub(crate) nodes: Vec<Object>,
    /// Pods on the nodes that are being emptied or could be, those that belong to the node left out.
    pub(crate) node_pods: BTreeMap<String, Vec<Object>>,
    /// What its pods would need and is not there, such as `ConfigMap shop/settings`.
    pub(crate) missing: Vec<String>,
}

/// What Karmada has of a workload.
#[derive(Clone, Debug, Default)]
pub(crate) struct KarmadaSight {
    pub(crate) template: Option<Object>,
    /// All policies of the workload's namespace.
    pub(crate) policies: Vec<Object>,
    /// The policy of the whole federation that claims it, if one does.
    pub(crate) cluster_policy: Option<Object>,
    /// Where the scheduler put it, with replicas.
    pub(crate) scheduled: BTreeMap<String, u32>,
    /// The autoscaler on Karmada's side that sets the template's replicas, with its kind.
    pub(crate) autoscaler: Option<String>,
    /// Members that are ready.
    pub(crate) ready_clusters: BTreeSet<String>,
}

/// An object as it was read.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Object(pub(crate) Value);

impl Object {
    fn text(&self, pointer: &str) -> &str {
        self.0.pointer(pointer).and_then(Value::as_str).unwrap_or_default()
    }

    fn count(&self, pointer: &str) -> Option<u32> {
        self.0.pointer(pointer).and_then(Value::as_u64).and_then(|number| u32::try_from(number).ok())
    }

    pub(crate) fn name(&self) -> &str {
        self.text("/metadata/name")
    }

    pub(crate) fn uid(&self) -> &str {
        self.text("/metadata/uid")
    }

    pub(crate) fn version(&self) -> &str {
        self.text("/metadata/resourceVersion")
    }

    /// Grows with every change of what is wanted.
    pub(crate) fn generation(&self) -> u64 {
        self.0.pointer("/metadata/generation").and_then(Value::as_u64).unwrap_or(0)
    }

    pub(crate) fn is_ending(&self) -> bool {
        !self.text("/metadata/deletionTimestamp").is_empty()
    }

    pub(crate) fn annotation(&self, name: &str) -> Option<&str> {
        self.0.get("metadata")?.get("annotations")?.get(name)?.as_str()
    }

    pub(crate) fn label(&self, name: &str) -> Option<&str> {
        self.0.get("metadata")?.get("labels")?.get(name)?.as_str()
    }

    /// Labels and annotations that are set.
    pub(crate) fn marks(&self) -> impl Iterator<Item = &str> {
        let metadata = self.0.get("metadata");
        let keys = |part: &str| {
            metadata
                .and_then(|metadata| metadata.get(part))
                .and_then(Value::as_object)
                .into_iter()
                .flat_map(|map| map.keys())
        };
        keys("labels").chain(keys("annotations")).map(String::as_str)
    }

    /// Replicas that are asked for.
    pub(crate) fn replicas(&self) -> u32 {
        self.count("/spec/replicas").unwrap_or(1)
    }

    /// Replicas that have been ready for as long as their owner asks for (`minReadySeconds`).
    pub(crate) fn available_replicas(&self) -> u32 {
        self.count("/status/availableReplicas").unwrap_or(0)
    }

    /// Whether the controller has seen the newest wish, and every replica is made after it and available.
    pub(crate) fn is_ready(&self) -> bool {
        let number = |pointer: &str| self.0.pointer(pointer).and_then(Value::as_u64).unwrap_or(0);
        let is_seen = number("/status/observedGeneration") >= self.generation();
        let wanted = self.replicas();
        let is_updated = self.count("/status/updatedReplicas").unwrap_or(0) >= wanted;
        is_seen && is_updated && !self.is_ending() && self.available_replicas() >= wanted
    }

    pub(crate) fn created(&self) -> &str {
        self.text("/metadata/creationTimestamp")
    }

    /// For nodes.
    pub(crate) fn is_ready_node(&self) -> bool {
        self.has_condition("Ready") && !self.is_ending()
    }

    /// For nodes.
    pub(crate) fn is_cordoned(&self) -> bool {
        self.0.pointer("/spec/unschedulable").and_then(Value::as_bool).unwrap_or(false)
    }

    /// Whether a condition of this type is true.
    pub(crate) fn has_condition(&self, name: &str) -> bool {
        let conditions = self.0.pointer("/status/conditions").and_then(Value::as_array);
        let is = |one: &Value, key: &str, value: &str| one.get(key).and_then(Value::as_str) == Some(value);
        conditions.into_iter().flatten().any(|one| is(one, "type", name) && is(one, "status", "True"))
    }

    /// What is asked for, the number of replicas left out; equal wishes have equal marks.
    pub(crate) fn wish(&self) -> String {
        let mut spec = self.0.get("spec").cloned().unwrap_or(Value::Null);
        if let Some(fields) = spec.as_object_mut() {
            fields.remove("replicas");
        }
        ContentHash::of(&spec).to_string().chars().take(WISH_CHARACTERS).collect()
    }

    pub(crate) fn field(&self, pointer: &str) -> Option<&Value> {
        self.0.pointer(pointer)
    }
}
