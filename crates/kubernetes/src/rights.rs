//! Which rights are needed where, and what for: the one table from which roles are written and from which the doctor asks.
//!
//! A row names what the code really does: the caches of `observe`, the reads of `act::eye` and the orders that machines give to
//! `act::hand`. Whoever adds a request there adds its row here; a test with real API servers runs under these roles and nothing else.

use crate::settings::{Resizing, Settings};
use std::collections::BTreeSet;
use std::fmt::{self, Write as _};

/// Whose API server.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Site {
    /// A cluster that runs workloads.
    Member,
    /// The control plane above the members.
    Karmada,
    /// The namespace that this program runs in.
    Own,
}

impl Site {
    pub const ALL: [Self; 3] = [Self::Member, Self::Karmada, Self::Own];

    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Member => "member",
            Self::Karmada => "karmada",
            Self::Own => "own",
        }
    }
}

/// What somebody may do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Role {
    /// Look, and nothing else.
    Observe,
    /// Look, and carry out what was approved.
    Act,
}

impl Role {
    pub const ALL: [Self; 2] = [Self::Observe, Self::Act];

    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Observe => "observe",
            Self::Act => "act",
        }
    }
}

/// What a right is needed for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Purpose {
    /// Snapshots.
    Observing,
    /// What metrics-server measures; without it snapshots have no usage.
    Measuring,
    /// Reading `Freeze` objects beside the desk.
    Freezing,
    /// Reading `Agent` and `Guardrail` objects beside the desk.
    Defining,
    /// Reading before every step what caches do not hold.
    Looking,
    /// Moving through Karmada.
    Moving,
    /// Moving without Karmada.
    Copying,
    /// Setting the number of replicas.
    Scaling,
    /// Moving between the nodes of a cluster.
    Relocating,
    /// Pools whose nodes are pretended by KWOK.
    NodeObjects,
    /// Pools of Cluster API.
    Machines,
    /// Pools of Karpenter.
    NodePools,
    /// Events on workloads.
    Telling,
    /// Being the only replica that works.
    Leading,
    /// Saying on `Freeze` objects whether they hold.
    Answering,
    /// Saying on `Agent` and `Guardrail` objects whether they are in force.
    Confirming,
}

impl Purpose {
    pub const ALL: [Self; 16] = [
        Self::Observing,
        Self::Measuring,
        Self::Freezing,
        Self::Defining,
        Self::Looking,
        Self::Moving,
        Self::Copying,
        Self::Scaling,
        Self::Relocating,
        Self::NodeObjects,
        Self::Machines,
        Self::NodePools,
        Self::Telling,
        Self::Leading,
        Self::Answering,
        Self::Confirming,
    ];

    /// As file names and values of the chart have it.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Observing => "observing",
            Self::Measuring => "measuring",
            Self::Freezing => "freezing",
            Self::Defining => "defining",
            Self::Looking => "looking",
            Self::Moving => "moving",
            Self::Copying => "copying",
            Self::Scaling => "scaling",
            Self::Relocating => "relocating",
            Self::NodeObjects => "node-objects",
            Self::Machines => "machines",
            Self::NodePools => "node-pools",
            Self::Telling => "telling",
            Self::Leading => "leading",
            Self::Answering => "answering",
            Self::Confirming => "confirming",
        }
    }

    /// For people, after "for".
    pub const fn words(self) -> &'static str {
        match self {
            Self::Observing => "snapshots",
            Self::Measuring => "what metrics-server measures",
            Self::Freezing => "reading Freeze objects",
            Self::Defining => "reading Agent and Guardrail objects",
            Self::Looking => "looking before every step",
            Self::Moving => "moving through Karmada",
            Self::Copying => "moving without Karmada",
            Self::Scaling => "setting the number of replicas",
            Self::Relocating => "moving between nodes",
            Self::NodeObjects => "pools whose nodes are pretended",
            Self::Machines => "pools of Cluster API",
            Self::NodePools => "pools of Karpenter",
            Self::Telling => "events on workloads",
            Self::Leading => "leader election",
            Self::Answering => "saying on Freeze objects whether they hold",
            Self::Confirming => "saying on Agent and Guardrail objects whether they are in force",
        }
    }

    /// The smallest role that has it. Leader election writes a lease of its own and nothing else, so it is apart from both.
    pub const fn role(self) -> Option<Role> {
        match self {
            Self::Observing | Self::Measuring | Self::Freezing | Self::Defining => Some(Role::Observe),
            Self::Leading => None,
            _ => Some(Role::Act),
        }
    }

    /// Whether everything else works without it.
    pub const fn is_optional(self) -> bool {
        matches!(self, Self::Measuring | Self::Telling | Self::Answering | Self::Confirming)
    }
}

/// One row: these verbs on these resources.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Right {
    pub site: Site,
    pub purpose: Purpose,
    pub group: &'static str,
    /// With the subresource behind a slash.
    pub resources: &'static [&'static str],
    pub verbs: &'static [&'static str],
}

const fn right(
    site: Site,
    purpose: Purpose,
    group: &'static str,
    resources: &'static [&'static str],
    verbs: &'static [&'static str],
) -> Right {
    Right { site, purpose, group, resources, verbs }
}

const READ: &[&str] = &["get", "list", "watch"];
const WORKLOADS: &[&str] = &["deployments", "statefulsets"];
const SCALES: &[&str] = &["deployments/scale", "statefulsets/scale"];

/// The table.
pub const RIGHTS: &[Right] = &[
    right(Site::Member, Purpose::Observing, "", &["nodes", "pods"], READ),
    right(Site::Member, Purpose::Observing, "apps", WORKLOADS, READ),
    // Who else has a say: budgets against disruption, and whoever sets numbers of replicas.
    right(Site::Member, Purpose::Observing, "policy", &["poddisruptionbudgets"], READ),
    right(Site::Member, Purpose::Observing, "autoscaling", &["horizontalpodautoscalers"], READ),
    right(Site::Member, Purpose::Measuring, "metrics.k8s.io", &["nodes", "pods"], &["get", "list"]),
    right(Site::Member, Purpose::Looking, "", &["namespaces"], &["get"]),
    right(
        Site::Member,
        Purpose::Copying,
        "",
        // Only whether they are there: pods that cannot start in the target are not moved.
        &["configmaps", "secrets", "serviceaccounts", "persistentvolumeclaims"],
        &["get"],
    ),
    right(Site::Member, Purpose::Copying, "", &["namespaces"], &["create"]),
    // Applying something that is not there needs the right to create it as well.
    right(Site::Member, Purpose::Copying, "apps", WORKLOADS, &["create", "patch", "delete"]),
    // The mark that says who orders it is an annotation; the number goes through the subresource.
    right(Site::Member, Purpose::Scaling, "apps", WORKLOADS, &["patch"]),
    right(Site::Member, Purpose::Scaling, "apps", SCALES, &["patch"]),
    right(Site::Member, Purpose::Relocating, "apps", WORKLOADS, &["patch"]),
    right(Site::Member, Purpose::NodeObjects, "", &["nodes"], &["create", "patch", "delete"]),
    right(Site::Member, Purpose::NodeObjects, "", &["pods/eviction"], &["create"]),
    right(Site::Member, Purpose::Machines, "cluster.x-k8s.io", &["machinedeployments"], &["get"]),
    right(Site::Member, Purpose::Machines, "cluster.x-k8s.io", &["machinedeployments/scale"], &["patch"]),
    right(Site::Member, Purpose::NodePools, "karpenter.sh", &["nodepools"], &["get", "patch"]),
    right(Site::Member, Purpose::Telling, "events.k8s.io", &["events"], &["create"]),
    right(Site::Karmada, Purpose::Observing, "apps", WORKLOADS, READ),
    right(Site::Karmada, Purpose::Observing, "policy.karmada.io", &["propagationpolicies"], READ),
    right(Site::Karmada, Purpose::Observing, "work.karmada.io", &["resourcebindings"], READ),
    right(Site::Karmada, Purpose::Observing, "autoscaling.karmada.io", &["federatedhpas"], READ),
    right(Site::Karmada, Purpose::Looking, "policy.karmada.io", &["clusterpropagationpolicies"], &["get"]),
    right(Site::Karmada, Purpose::Looking, "autoscaling", &["horizontalpodautoscalers"], &["list"]),
    right(Site::Karmada, Purpose::Looking, "cluster.karmada.io", &["clusters"], &["list"]),
    right(
        Site::Karmada,
        Purpose::Moving,
        "policy.karmada.io",
        &["propagationpolicies"],
        &["create", "patch", "delete"],
    ),
    right(Site::Karmada, Purpose::Moving, "apps", WORKLOADS, &["patch"]),
    right(Site::Karmada, Purpose::Scaling, "apps", WORKLOADS, &["patch"]),
    right(Site::Karmada, Purpose::Scaling, "apps", SCALES, &["patch"]),
    right(Site::Karmada, Purpose::Relocating, "apps", WORKLOADS, &["patch"]),
    right(Site::Karmada, Purpose::Telling, "events.k8s.io", &["events"], &["create"]),
    right(Site::Own, Purpose::Freezing, "drover.io", &["freezes"], READ),
    right(Site::Own, Purpose::Defining, "drover.io", &["agents", "guardrails"], READ),
    right(Site::Own, Purpose::Answering, "drover.io", &["freezes/status"], &["patch"]),
    right(Site::Own, Purpose::Confirming, "drover.io", &["agents/status", "guardrails/status"], &["patch"]),
    right(Site::Own, Purpose::Leading, "coordination.k8s.io", &["leases"], &["get", "create", "update"]),
];

/// Verbs that change nothing.
pub fn is_reading(verb: &str) -> bool {
    READ.contains(&verb)
}

/// One question that an API server can answer with yes or no.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Permission {
    pub verb: &'static str,
    pub group: &'static str,
    /// With the subresource behind a slash.
    pub resource: &'static str,
    /// Nothing means everywhere in the cluster.
    pub namespace: Option<String>,
}

impl Permission {
    pub(crate) fn subresource(&self) -> (&'static str, Option<&'static str>) {
        self.resource.split_once('/').map_or((self.resource, None), |(whole, part)| (whole, Some(part)))
    }
}

impl fmt::Display for Permission {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{} ", self.verb)?;
        if !self.group.is_empty() {
            write!(out, "{}/", self.group)?;
        }
        write!(out, "{}", self.resource)?;
        match &self.namespace {
            Some(namespace) => write!(out, " in namespace {namespace}"),
            None => out.write_str(" in all namespaces"),
        }
    }
}

impl Right {
    /// Every verb on every resource of this row.
    pub fn permissions(&self, namespace: Option<&str>) -> Vec<Permission> {
        let of = |resource: &&'static str| {
            let one = |verb: &&'static str| Permission {
                verb,
                group: self.group,
                resource,
                namespace: namespace.map(str::to_owned),
            };
            self.verbs.iter().map(one).collect::<Vec<_>>()
        };
        self.resources.iter().flat_map(of).collect()
    }
}

/// What is needed for, where things are set like this.
pub fn purposes(settings: &Settings) -> BTreeSet<Purpose> {
    let mut all = BTreeSet::from([Purpose::Observing, Purpose::Measuring]);
    if settings.leader_election.is_some() {
        all.insert(Purpose::Leading);
    }
    all.extend(settings.freezes.is_some().then_some(Purpose::Freezing));
    all.extend(settings.definitions.is_some().then_some(Purpose::Defining));
    if !settings.act {
        return all;
    }
    all.extend([Purpose::Looking, Purpose::Scaling, Purpose::Relocating]);
    all.insert(if settings.karmada.is_some() { Purpose::Moving } else { Purpose::Copying });
    let resized = |wanted: fn(&Resizing) -> bool| settings.pools.iter().any(|pool| wanted(&pool.resizing));
    all.extend(resized(|one| matches!(one, Resizing::NodeObjects)).then_some(Purpose::NodeObjects));
    all.extend(resized(|one| matches!(one, Resizing::MachineDeployment { .. })).then_some(Purpose::Machines));
    all.extend(resized(|one| matches!(one, Resizing::NodePool { .. })).then_some(Purpose::NodePools));
    all.extend(settings.events.then_some(Purpose::Telling));
    all.extend(settings.freezes.is_some().then_some(Purpose::Answering));
    all.extend(settings.definitions.is_some().then_some(Purpose::Confirming));
    all
}

/// Everything that a role may be needed for. Leader election belongs to both.
pub fn purposes_of(role: Role) -> BTreeSet<Purpose> {
    Purpose::ALL.into_iter().filter(|purpose| purpose.role().is_none_or(|least| least <= role)).collect()
}

/// The rows for these purposes at one place.
pub fn rights(site: Site, purposes: &BTreeSet<Purpose>) -> impl Iterator<Item = &'static Right> {
    RIGHTS.iter().filter(move |right| right.site == site && purposes.contains(&right.purpose))
}

/// The rules of one place and purpose as items of a YAML list; nothing if there are none.
pub fn rules(site: Site, purpose: Purpose) -> Option<String> {
    let chosen: Vec<&Right> =
        RIGHTS.iter().filter(|right| (right.site, right.purpose) == (site, purpose)).collect();
    if chosen.is_empty() {
        return None;
    }
    let mut text = format!("# For {}.\n", purpose.words());
    for right in chosen {
        let _ = writeln!(text, "- apiGroups: [{:?}]", right.group);
        let _ = writeln!(text, "  resources: {:?}", right.resources);
        let _ = writeln!(text, "  verbs: {:?}", right.verbs);
    }
    Some(text)
}

/// A role with all these rules: a ClusterRole, or in our own namespace a Role.
pub fn role(name: &str, site: Site, purposes: &BTreeSet<Purpose>, namespace: &str) -> Option<String> {
    let rules: Vec<String> = purposes.iter().filter_map(|purpose| rules(site, *purpose)).collect();
    if rules.is_empty() {
        return None;
    }
    let (kind, place) = match site {
        Site::Own => ("Role", format!("  namespace: {namespace}\n")),
        _ => ("ClusterRole", String::new()),
    };
    Some(format!(
        "apiVersion: rbac.authorization.k8s.io/v1\nkind: {kind}\nmetadata:\n  name: {name}\n{place}rules:\n{}",
        rules.concat()
    ))
}

/// A role with its binding to a service account.
pub fn granted(name: &str, site: Site, purposes: &BTreeSet<Purpose>, namespace: &str) -> Option<String> {
    let role = role(name, site, purposes, namespace)?;
    let (kind, place) = match site {
        Site::Own => ("Role", format!("  namespace: {namespace}\n")),
        _ => ("ClusterRole", String::new()),
    };
    Some(format!(
        "{role}---\napiVersion: rbac.authorization.k8s.io/v1\nkind: {kind}Binding\nmetadata:\n  name: {name}\n{place}\
         roleRef:\n  apiGroup: rbac.authorization.k8s.io\n  kind: {kind}\n  name: {name}\n\
         subjects:\n- kind: ServiceAccount\n  name: drover\n  namespace: {namespace}\n"
    ))
}

/// Everything that somebody applies in a cluster so that the service account `drover` there can do its work: the namespace, the
/// account, the role and the binding.
pub fn manifest(site: Site, role: Role, purposes: &BTreeSet<Purpose>, namespace: &str) -> Option<String> {
    let name = format!("drover-{}", role.as_str());
    let granted = granted(&name, site, purposes, namespace)?;
    Some(format!(
        "apiVersion: v1\nkind: Namespace\nmetadata:\n  name: {namespace}\n---\n\
         apiVersion: v1\nkind: ServiceAccount\nmetadata:\n  name: drover\n  namespace: {namespace}\n---\n{granted}"
    ))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::settings::{Access, PoolSettings};
    use expect_test::expect;
    use model::names::PoolName;

    #[test]
    fn whoever_observes_has_no_verb_that_writes() {
        let observe = purposes_of(Role::Observe);
        let elsewhere = |right: &&Right| right.purpose != Purpose::Leading;
        for right in RIGHTS.iter().filter(|right| observe.contains(&right.purpose)).filter(elsewhere) {
            assert!(right.verbs.iter().all(|verb| is_reading(verb)), "{right:?}");
        }
    }

    #[test]
    fn every_verb_and_resource_is_named() {
        for right in RIGHTS {
            let names = right.verbs.iter().chain(right.resources).chain([&right.group]);
            assert!(names.into_iter().all(|name| !name.contains('*')), "{right:?}");
            assert!(!right.verbs.is_empty() && !right.resources.is_empty(), "{right:?}");
        }
    }

    #[test]
    fn what_is_needed_follows_from_what_is_set() {
        use Purpose::*;
        let check = |settings: &Settings, want: &[Purpose]| {
            assert_eq!(purposes(settings).into_iter().collect::<Vec<_>>(), want);
        };
        check(&Settings::default(), &[Observing, Measuring]);
        let act = Settings { act: true, ..Settings::default() };
        check(&act, &[Observing, Measuring, Looking, Copying, Scaling, Relocating, Telling]);
        let karmada = Settings { karmada: Some(Access::InCluster), events: false, ..act.clone() };
        check(&karmada, &[Observing, Measuring, Looking, Moving, Scaling, Relocating]);
        let pool = PoolSettings {
            cluster: None,
            pool: PoolName::new("a").unwrap(),
            price_per_hour: None,
            minimum: None,
            maximum: None,
            boot_time: None,
            resizing: Resizing::NodeObjects,
        };
        let nodes = Settings { pools: vec![pool], ..karmada };
        check(&nodes, &[Observing, Measuring, Looking, Moving, Scaling, Relocating, NodeObjects]);
    }

    #[test]
    fn a_role_reads_like_one_that_a_person_wrote() {
        let purposes = BTreeSet::from([Purpose::Observing, Purpose::Scaling]);
        expect![[r#"
            apiVersion: rbac.authorization.k8s.io/v1
            kind: ClusterRole
            metadata:
              name: drover
            rules:
            # For snapshots.
            - apiGroups: ["apps"]
              resources: ["deployments", "statefulsets"]
              verbs: ["get", "list", "watch"]
            - apiGroups: ["policy.karmada.io"]
              resources: ["propagationpolicies"]
              verbs: ["get", "list", "watch"]
            - apiGroups: ["work.karmada.io"]
              resources: ["resourcebindings"]
              verbs: ["get", "list", "watch"]
            - apiGroups: ["autoscaling.karmada.io"]
              resources: ["federatedhpas"]
              verbs: ["get", "list", "watch"]
            # For setting the number of replicas.
            - apiGroups: ["apps"]
              resources: ["deployments", "statefulsets"]
              verbs: ["patch"]
            - apiGroups: ["apps"]
              resources: ["deployments/scale", "statefulsets/scale"]
              verbs: ["patch"]
        "#]]
        .assert_eq(&role("drover", Site::Karmada, &purposes, "drover").unwrap());
        assert_eq!(role("drover", Site::Own, &purposes, "drover"), None);
    }

    #[test]
    fn a_permission_is_told_as_one_would_ask_for_it() {
        let right = RIGHTS.iter().find(|right| right.purpose == Purpose::Scaling).unwrap();
        let told: Vec<String> = right.permissions(Some("shop")).iter().map(ToString::to_string).collect();
        let want = ["patch apps/deployments in namespace shop", "patch apps/statefulsets in namespace shop"];
        assert_eq!(told, want);
        assert_eq!(RIGHTS[0].permissions(None)[0].to_string(), "get nodes in all namespaces");
    }
}
