//! One thing that is asked of an API server. Every order can be given twice without harm.

use crate::trouble::Trouble;
use kube::api::ApiResource;
use model::names::{ClusterName, WorkloadKind};
use serde_json::Value;

/// Who is written down as the one who changed a field.
pub(crate) const FIELD_MANAGER: &str = "drover";

/// Whose API server.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Place {
    Karmada,
    Member(ClusterName),
}

impl std::fmt::Display for Place {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Karmada => out.write_str("karmada"),
            Self::Member(name) => write!(out, "{name}"),
        }
    }
}

/// The kinds that are read or written here.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Kind {
    Deployment,
    StatefulSet,
    Namespace,
    Node,
    Pod,
    HorizontalPodAutoscaler,
    FederatedHpa,
    ConfigMap,
    Secret,
    ServiceAccount,
    PersistentVolumeClaim,
    MachineDeployment,
    NodePool,
    PropagationPolicy,
    ClusterPropagationPolicy,
    ResourceBinding,
    KarmadaCluster,
}

impl Kind {
    /// Nothing for kinds that cannot be moved or scaled.
    pub(crate) const fn of_workload(kind: WorkloadKind) -> Option<Self> {
        match kind {
            WorkloadKind::Deployment => Some(Self::Deployment),
            WorkloadKind::StatefulSet => Some(Self::StatefulSet),
            _ => None,
        }
    }

    const fn parts(self) -> (&'static str, &'static str, &'static str, &'static str) {
        match self {
            Self::Deployment => ("apps", "v1", "Deployment", "deployments"),
            Self::StatefulSet => ("apps", "v1", "StatefulSet", "statefulsets"),
            Self::Namespace => ("", "v1", "Namespace", "namespaces"),
            Self::Node => ("", "v1", "Node", "nodes"),
            Self::Pod => ("", "v1", "Pod", "pods"),
            Self::HorizontalPodAutoscaler => {
                ("autoscaling", "v2", "HorizontalPodAutoscaler", "horizontalpodautoscalers")
            }
            Self::FederatedHpa => ("autoscaling.karmada.io", "v1alpha1", "FederatedHPA", "federatedhpas"),
            Self::ConfigMap => ("", "v1", "ConfigMap", "configmaps"),
            Self::Secret => ("", "v1", "Secret", "secrets"),
            Self::ServiceAccount => ("", "v1", "ServiceAccount", "serviceaccounts"),
            Self::PersistentVolumeClaim => ("", "v1", "PersistentVolumeClaim", "persistentvolumeclaims"),
            Self::MachineDeployment => {
                ("cluster.x-k8s.io", "v1beta1", "MachineDeployment", "machinedeployments")
            }
            Self::NodePool => ("karpenter.sh", "v1", "NodePool", "nodepools"),
            Self::PropagationPolicy => {
                ("policy.karmada.io", "v1alpha1", "PropagationPolicy", "propagationpolicies")
            }
            Self::ClusterPropagationPolicy => {
                ("policy.karmada.io", "v1alpha1", "ClusterPropagationPolicy", "clusterpropagationpolicies")
            }
            Self::ResourceBinding => ("work.karmada.io", "v1alpha2", "ResourceBinding", "resourcebindings"),
            Self::KarmadaCluster => ("cluster.karmada.io", "v1alpha1", "Cluster", "clusters"),
        }
    }

    pub(crate) fn name(self) -> &'static str {
        self.parts().2
    }

    pub(crate) fn plural(self) -> &'static str {
        self.parts().3
    }

    pub(crate) fn api_version(self) -> String {
        let (group, version, ..) = self.parts();
        if group.is_empty() { version.to_owned() } else { format!("{group}/{version}") }
    }

    pub(crate) fn resource(self) -> ApiResource {
        let (group, version, kind, plural) = self.parts();
        ApiResource {
            group: group.to_owned(),
            version: version.to_owned(),
            api_version: self.api_version(),
            kind: kind.to_owned(),
            plural: plural.to_owned(),
        }
    }
}

/// Which object.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Target {
    pub(crate) place: Place,
    pub(crate) kind: Kind,
    /// Nothing for objects of the whole cluster.
    pub(crate) namespace: Option<String>,
    pub(crate) name: String,
}

impl std::fmt::Display for Target {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(out, "{} ", self.kind.name())?;
        if let Some(namespace) = &self.namespace {
            write!(out, "{namespace}/")?;
        }
        write!(out, "{} in {}", self.name, self.place)
    }
}

/// What to do with it.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Change {
    /// Only if there is none.
    Create(Value),
    /// Only the version that was read.
    Merge { version: String, patch: Value },
    /// The number of replicas, through the subresource that exists for it; only the version that was read.
    Replicas { version: String, replicas: u32 },
    /// The fields this names, whoever owned them; only the version that was read.
    Apply { version: String, body: Value },
    /// Only the one that was read.
    Delete { uid: String, version: String },
    /// A wish that is sent to somebody else's address, with a key that is the same for the same wish.
    Call { url: String, key: String, body: Value },
    /// A pod, if its disruption budget allows; only the one that was read, and not another of its name.
    Evict { uid: String },
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Order {
    pub(crate) target: Target,
    pub(crate) change: Change,
}

impl Order {
    /// Whether both want the same kind of thing of the same object, whichever version of it was read.
    pub(crate) fn is_like(&self, other: &Self) -> bool {
        let is_same_one = match (&self.change, &other.change) {
            (Change::Delete { uid, .. }, Change::Delete { uid: known, .. }) => uid == known,
            (one, two) => std::mem::discriminant(one) == std::mem::discriminant(two),
        };
        self.target == other.target && is_same_one
    }

    /// The body of a patch, with the version it holds for.
    pub(crate) fn versioned(version: &str, patch: &Value) -> Value {
        let mut body = patch.clone();
        body["metadata"]["resourceVersion"] = version.into();
        body
    }
}

impl std::fmt::Display for Order {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let verb = match &self.change {
            Change::Create(_) => "create",
            Change::Merge { .. } => "patch",
            Change::Replicas { .. } => "scale",
            Change::Apply { .. } => "apply",
            Change::Delete { .. } => "delete",
            Change::Call { .. } => "ask for the nodes of",
            Change::Evict { .. } => "evict",
        };
        write!(out, "{verb} {}", self.target)
    }
}

/// What the server said. Even a yes is only a promise: what became of it is looked at.
pub(crate) type Answer = Result<(), Trouble>;

/// The merge patch that turns one value into another.
pub(crate) fn difference(from: &Value, to: &Value) -> Value {
    let (Value::Object(old), Value::Object(new)) = (from, to) else { return to.clone() };
    let mut patch = serde_json::Map::new();
    for key in old.keys().filter(|key| !new.contains_key(*key)) {
        patch.insert(key.clone(), Value::Null);
    }
    for (key, value) in new {
        match old.get(key) {
            Some(former) if former == value => {}
            Some(former) => drop(patch.insert(key.clone(), difference(former, value))),
            None => drop(patch.insert(key.clone(), value.clone())),
        }
    }
    Value::Object(patch)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_difference_takes_away_what_is_no_longer_wanted() {
        let check = |from: Value, to: Value, want: Value| assert_eq!(difference(&from, &to), want);
        check(
            json!({"a": 1, "b": {"c": 2, "d": 3}}),
            json!({"b": {"c": 2}}),
            json!({"a": null, "b": {"d": null}}),
        );
        check(json!({"a": [1]}), json!({"a": [2]}), json!({"a": [2]}));
        check(json!({"a": 1}), json!({"a": 1}), json!({}));
        check(Value::Null, json!({"a": 1}), json!({"a": 1}));
    }
}
