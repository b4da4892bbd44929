//! What was last observed of clusters, under the names that kube-state-metrics uses, so that the same dashboards show them.
//!
//! A snapshot knows workloads and nodes, not single pods, and what workloads can use of a node, not what the machine has. So there is
//! nothing here about pods, conditions, cordons and capacity: real clusters have kube-state-metrics for that, and simulated ones are
//! counted [as they are](crate::kube_api::state). A label says which cluster it is.

use super::text::{Kind, Page};
use model::names::{ClusterName, NodeName, WorkloadKind, WorkloadRef};
use model::resources::Resources;
use model::snapshot::{NodeView, PlacementView, Snapshot};

/// With more workloads, a page would take longer to read than a scrape lasts; clusters and nodes are shown all the same.
const MOST_WORKLOADS: usize = 20_000;

pub(super) fn write(page: &mut Page, snapshot: &Snapshot) {
    kube_nodes(page, snapshot);
    let left_out = snapshot.workloads.len().saturating_sub(MOST_WORKLOADS);
    let help = "Workloads that are not shown because there are too many.";
    page.number("drover_kube_workloads_left_out", Kind::Gauge, help, left_out as f64);
    for family in FAMILIES {
        workloads(page, snapshot, family);
    }
}

fn all_nodes(snapshot: &Snapshot) -> impl Iterator<Item = (&ClusterName, &NodeName, &NodeView)> {
    snapshot
        .clusters
        .iter()
        .flat_map(|(cluster, view)| view.nodes.iter().map(move |(name, node)| (cluster, name, node)))
}

fn kube_nodes(page: &mut Page, snapshot: &Snapshot) {
    let mut family = page.family("kube_node_info", Kind::Gauge, "A node and its pool; always 1.");
    for (cluster, name, node) in all_nodes(snapshot) {
        let labels = [("cluster", cluster.as_str()), ("node", name.as_str()), ("pool", node.pool.as_str())];
        family.sample(&labels, 1.0);
    }
    amounts(page, snapshot, "kube_node_status_allocatable", "What workloads can use of a node.", |node| {
        node.capacity
    });
}

/// What agents know of every node, under names of our own.
pub(super) fn nodes(page: &mut Page, snapshot: &Snapshot) {
    let help = "Requests of the pods on a node, summed over them.";
    amounts(page, snapshot, "drover_node_requested", help, |node| node.allocated);
    let help = "Whether a node takes new pods: it is ready and not cordoned.";
    let mut family = page.family("drover_node_schedulable", Kind::Gauge, help);
    for (cluster, name, node) in all_nodes(snapshot) {
        let labels = [("cluster", cluster.as_str()), ("node", name.as_str())];
        family.sample(&labels, f64::from(u8::from(node.schedulable)));
    }
}

fn amounts(
    page: &mut Page,
    snapshot: &Snapshot,
    name: &'static str,
    help: &'static str,
    of: fn(&NodeView) -> Resources,
) {
    let mut family = page.family(name, Kind::Gauge, help);
    for (cluster, node_name, node) in all_nodes(snapshot) {
        let amount = of(node);
        for (resource, unit, value) in [
            ("cpu", "core", amount.cpu.0 as f64 / 1000.0),
            ("memory", "byte", amount.memory.0 as f64),
            ("pods", "integer", amount.pods as f64),
        ] {
            let labels = [
                ("cluster", cluster.as_str()),
                ("node", node_name.as_str()),
                ("resource", resource),
                ("unit", unit),
            ];
            family.sample(&labels, value);
        }
    }
}

/// A number about every workload of a kind in every cluster.
struct WorkloadFamily {
    kind: WorkloadKind,
    /// What kube-state-metrics calls the label with the name.
    label: &'static str,
    name: &'static str,
    help: &'static str,
    value: fn(&PlacementView) -> u32,
}

const fn family(
    kind: WorkloadKind,
    label: &'static str,
    name: &'static str,
    help: &'static str,
    value: fn(&PlacementView) -> u32,
) -> WorkloadFamily {
    WorkloadFamily { kind, label, name, help, value }
}

const DEPLOYMENT: WorkloadKind = WorkloadKind::Deployment;
const STATEFUL: WorkloadKind = WorkloadKind::StatefulSet;
const DAEMON: WorkloadKind = WorkloadKind::DaemonSet;

/// Here a pod that is ready is available at once, as it is where nobody asks for a pause.
const FAMILIES: &[WorkloadFamily] = &[
    family(
        DEPLOYMENT,
        "deployment",
        "kube_deployment_spec_replicas",
        "Replicas that should run here.",
        |at| at.replicas,
    ),
    family(DEPLOYMENT, "deployment", "kube_deployment_status_replicas", "Pods that exist here.", |at| {
        at.pods
    }),
    family(DEPLOYMENT, "deployment", "kube_deployment_status_replicas_ready", "Pods that are ready.", |at| {
        at.pods_ready
    }),
    family(
        DEPLOYMENT,
        "deployment",
        "kube_deployment_status_replicas_available",
        "Pods that are available.",
        |at| at.pods_ready,
    ),
    family(
        DEPLOYMENT,
        "deployment",
        "kube_deployment_status_replicas_unavailable",
        "Replicas that are missing or not ready.",
        |at| at.replicas.saturating_sub(at.pods_ready),
    ),
    family(STATEFUL, "statefulset", "kube_statefulset_replicas", "Replicas that should run here.", |at| {
        at.replicas
    }),
    family(STATEFUL, "statefulset", "kube_statefulset_status_replicas", "Pods that exist here.", |at| {
        at.pods
    }),
    family(STATEFUL, "statefulset", "kube_statefulset_status_replicas_ready", "Pods that are ready.", |at| {
        at.pods_ready
    }),
    family(
        DAEMON,
        "daemonset",
        "kube_daemonset_status_desired_number_scheduled",
        "Nodes that should have a pod.",
        |at| at.replicas,
    ),
    family(
        DAEMON,
        "daemonset",
        "kube_daemonset_status_current_number_scheduled",
        "Pods that exist here.",
        |at| at.pods,
    ),
    family(DAEMON, "daemonset", "kube_daemonset_status_number_ready", "Pods that are ready.", |at| {
        at.pods_ready
    }),
    family(
        WorkloadKind::Job,
        "job_name",
        "kube_job_spec_parallelism",
        "Pods that should run at the same time.",
        |at| at.replicas,
    ),
    family(WorkloadKind::Job, "job_name", "kube_job_status_active", "Pods that wait or run.", |at| at.pods),
];

fn workloads(page: &mut Page, snapshot: &Snapshot, about: &WorkloadFamily) {
    let mut family = page.family(about.name, Kind::Gauge, about.help);
    let shown = snapshot.workloads.iter().take(MOST_WORKLOADS);
    for (name, view) in shown.filter(|(name, _)| name.kind() == about.kind) {
        for (cluster, placement) in &view.placements {
            family.sample(&labels(cluster, name, about.label), f64::from((about.value)(placement)));
        }
    }
}

fn labels<'a>(cluster: &'a ClusterName, name: &'a WorkloadRef, label: &'a str) -> [(&'a str, &'a str); 3] {
    [("cluster", cluster.as_str()), ("namespace", name.namespace()), (label, name.name())]
}
