//! Which resources there are, what they are called, and what can be done with them.

/// A resource, in the order in which they are kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Resource {
    Namespaces,
    Nodes,
    Pods,
    Events,
    Deployments,
    ReplicaSets,
    StatefulSets,
    DaemonSets,
    Jobs,
    CronJobs,
    HorizontalPodAutoscalers,
    PodDisruptionBudgets,
    NodeMetrics,
    PodMetrics,
}

/// How a resource is found and named.
#[derive(Clone, Copy)]
pub(super) struct About {
    pub(super) resource: Resource,
    /// Empty for the core.
    pub(super) group: &'static str,
    pub(super) version: &'static str,
    pub(super) plural: &'static str,
    pub(super) singular: &'static str,
    pub(super) kind: &'static str,
    pub(super) short: &'static [&'static str],
    pub(super) namespaced: bool,
    /// Shown by `kubectl get all`.
    pub(super) in_all: bool,
    pub(super) verbs: &'static [&'static str],
    pub(super) parts: &'static [Part],
}

/// A subresource.
#[derive(Clone, Copy)]
pub(super) struct Part {
    pub(super) name: &'static str,
    pub(super) group: &'static str,
    pub(super) version: &'static str,
    pub(super) kind: &'static str,
    pub(super) verbs: &'static [&'static str],
}

const READ: &[&str] = &["get", "list", "watch"];
const CHANGE: &[&str] = &["get", "list", "patch", "update", "watch"];
const DELETE: &[&str] = &["delete", "get", "list", "watch"];
const MEASURED: &[&str] = &["get", "list"];

const SCALE: &[Part] = &[Part {
    name: "scale",
    group: "autoscaling",
    version: "v1",
    kind: "Scale",
    verbs: &["get", "patch", "update"],
}];
const EVICTION: &[Part] =
    &[Part { name: "eviction", group: "policy", version: "v1", kind: "Eviction", verbs: &["create"] }];

type Row = (
    Resource,
    (&'static str, &'static str),
    (&'static str, &'static str, &'static str),
    &'static [&'static str],
    bool,
    bool,
);

const fn about(
    (resource, (group, version), (plural, singular, kind), short, namespaced, in_all): Row,
) -> About {
    About {
        resource,
        group,
        version,
        plural,
        singular,
        kind,
        short,
        namespaced,
        in_all,
        verbs: READ,
        parts: &[],
    }
}

const fn with(about: About, verbs: &'static [&'static str], parts: &'static [Part]) -> About {
    About { verbs, parts, ..about }
}

const CORE: (&str, &str) = ("", "v1");
const APPS: (&str, &str) = ("apps", "v1");
const BATCH: (&str, &str) = ("batch", "v1");
const METRICS: (&str, &str) = ("metrics.k8s.io", "v1beta1");

/// All of them.
pub(super) static ALL: [About; 15] = {
    use Resource as R;
    [
        about((R::Namespaces, CORE, ("namespaces", "namespace", "Namespace"), &["ns"], false, false)),
        with(about((R::Nodes, CORE, ("nodes", "node", "Node"), &["no"], false, false)), CHANGE, &[]),
        with(about((R::Pods, CORE, ("pods", "pod", "Pod"), &["po"], true, true)), DELETE, EVICTION),
        about((R::Events, CORE, ("events", "event", "Event"), &["ev"], true, false)),
        with(
            about((
                R::Deployments,
                APPS,
                ("deployments", "deployment", "Deployment"),
                &["deploy"],
                true,
                true,
            )),
            CHANGE,
            SCALE,
        ),
        with(
            about((R::ReplicaSets, APPS, ("replicasets", "replicaset", "ReplicaSet"), &["rs"], true, true)),
            CHANGE,
            SCALE,
        ),
        with(
            about((
                R::StatefulSets,
                APPS,
                ("statefulsets", "statefulset", "StatefulSet"),
                &["sts"],
                true,
                true,
            )),
            CHANGE,
            SCALE,
        ),
        about((R::DaemonSets, APPS, ("daemonsets", "daemonset", "DaemonSet"), &["ds"], true, true)),
        about((R::Jobs, BATCH, ("jobs", "job", "Job"), &[], true, true)),
        about((R::CronJobs, BATCH, ("cronjobs", "cronjob", "CronJob"), &["cj"], true, true)),
        about((
            R::HorizontalPodAutoscalers,
            ("autoscaling", "v2"),
            ("horizontalpodautoscalers", "horizontalpodautoscaler", "HorizontalPodAutoscaler"),
            &["hpa"],
            true,
            true,
        )),
        about((
            R::PodDisruptionBudgets,
            ("policy", "v1"),
            ("poddisruptionbudgets", "poddisruptionbudget", "PodDisruptionBudget"),
            &["pdb"],
            true,
            false,
        )),
        about((R::Events, ("events.k8s.io", "v1"), ("events", "event", "Event"), &["ev"], true, false)),
        with(
            about((R::NodeMetrics, METRICS, ("nodes", "", "NodeMetrics"), &[], false, false)),
            MEASURED,
            &[],
        ),
        with(about((R::PodMetrics, METRICS, ("pods", "", "PodMetrics"), &[], true, false)), MEASURED, &[]),
    ]
};

impl About {
    /// `apps/v1`, or `v1` for the core.
    pub(super) fn api_version(&self) -> String {
        if self.group.is_empty() {
            self.version.to_owned()
        } else {
            format!("{}/{}", self.group, self.version)
        }
    }

    pub(super) fn can(&self, verb: &str) -> bool {
        self.verbs.contains(&verb)
    }

    /// What refusals call it: `deployments.apps`.
    pub(super) fn full_name(&self) -> String {
        if self.group.is_empty() { self.plural.to_owned() } else { format!("{}.{}", self.plural, self.group) }
    }
}

impl Resource {
    /// The first row of a resource: under this name it is referred to.
    pub(super) fn about(self) -> &'static About {
        ALL.iter().find(|about| about.resource == self).expect("every resource has a row; a test looks")
    }
}

pub(super) fn find(group: &str, version: &str, plural: &str) -> Option<&'static About> {
    ALL.iter().find(|about| (about.group, about.version, about.plural) == (group, version, plural))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_resource_has_a_row_and_every_row_an_address_of_its_own() {
        use std::collections::BTreeSet;
        let addresses: BTreeSet<_> = ALL.iter().map(|row| (row.group, row.version, row.plural)).collect();
        assert_eq!(addresses.len(), ALL.len());
        for row in &ALL {
            assert_eq!(row.resource.about().resource, row.resource);
            assert!(find(row.group, row.version, row.plural).is_some());
        }
        assert_eq!(Resource::Deployments.about().full_name(), "deployments.apps");
        assert_eq!(Resource::Pods.about().api_version(), "v1");
    }
}
