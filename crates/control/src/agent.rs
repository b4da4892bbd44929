//! An agent: a name, when it decides, what it may see and touch, and the strategy it decides with.

use crate::strategy::Strategy;
use model::action::Action;
use model::names::{AgentName, ClusterName};
use model::snapshot::Snapshot;
use model::time::{Period, Timestamp};
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::collections::BTreeSet;

/// When an agent decides. It decides on the first observation that arrives at or after its due time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Cadence {
    pub every: Period,
    /// When it decides for the first time.
    pub first_at: Timestamp,
}

/// What an agent may see and touch. Empty means everything.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Scope {
    pub clusters: BTreeSet<ClusterName>,
    pub namespaces: BTreeSet<String>,
}

impl Scope {
    /// Whether somebody who was given this part of the federation may want it.
    pub fn allows(&self, action: &Action) -> bool {
        // What changes no workload, such as the size of a pool, changes the place of all namespaces.
        let namespaces = self.namespaces.is_empty()
            || action.workload().is_some_and(|workload| self.namespaces.contains(workload.namespace()));
        self.reaches(action) && namespaces
    }

    /// Whether nothing of another part lies outside this one.
    pub fn covers(&self, other: &Self) -> bool {
        let clusters = self.clusters.is_empty()
            || (!other.clusters.is_empty() && other.clusters.is_subset(&self.clusters));
        let namespaces = self.namespaces.is_empty()
            || (!other.namespaces.is_empty() && other.namespaces.is_subset(&self.namespaces));
        clusters && namespaces
    }

    /// Whether everything it touches lies in clusters of this scope.
    fn reaches(&self, action: &Action) -> bool {
        action.clusters().into_iter().all(|name| self.shows(name))
    }

    /// Whether it is the business of an agent of the run: whoever looks after the workloads of a namespace also looks after the pools under
    /// them.
    pub(crate) fn concerns(&self, action: &Action) -> bool {
        self.allows(action) || (action.workload().is_none() && self.reaches(action))
    }

    /// What its strategy is shown: clusters outside do not exist for it, and workloads of other namespaces cannot be moved. A
    /// strategy that planned with more would only be refused.
    pub fn sight<'a>(&self, snapshot: &'a Snapshot) -> Cow<'a, Snapshot> {
        if self.clusters.is_empty() && self.namespaces.is_empty() {
            return Cow::Borrowed(snapshot);
        }
        let mut seen = snapshot.clone();
        seen.clusters.retain(|name, _| self.shows(name));
        for (reference, workload) in &mut seen.workloads {
            workload.placements.retain(|name, _| self.shows(name));
            workload.replicas = workload.placements.values().map(|placement| placement.replicas).sum();
            workload.movable &= self.namespaces.is_empty() || self.namespaces.contains(reference.namespace());
        }
        seen.workloads.retain(|_, workload| !workload.placements.is_empty());
        Cow::Owned(seen)
    }

    fn shows(&self, cluster: &ClusterName) -> bool {
        self.clusters.is_empty() || self.clusters.contains(cluster)
    }
}

/// Something that recommends. It can never approve.
pub struct Agent {
    pub name: AgentName,
    pub cadence: Cadence,
    /// How far back the history goes that its strategy sees.
    pub lookback: Period,
    pub scope: Scope,
    pub strategy: Box<dyn Strategy>,
}

#[cfg(test)]
mod tests {
    use super::*;
    use model::names::WorkloadRef;
    use model::snapshot::{ClusterView, PlacementView, WorkloadView};
    use std::collections::BTreeMap;

    fn cluster(name: &str) -> ClusterName {
        ClusterName::new(name).unwrap()
    }

    fn workload(places: &[(&str, u32)]) -> WorkloadView {
        let place = |(name, replicas): &(&str, u32)| {
            (cluster(name), PlacementView { replicas: *replicas, ..PlacementView::default() })
        };
        WorkloadView {
            replicas: places.iter().map(|(_, replicas)| replicas).sum(),
            placements: places.iter().map(place).collect(),
            movable: true,
            ..WorkloadView::default()
        }
    }

    fn snapshot() -> Snapshot {
        let workloads = [
            ("deployment/default/web", workload(&[("near", 2), ("far", 3)])),
            ("deployment/shop/cart", workload(&[("near", 1)])),
            ("deployment/default/away", workload(&[("far", 1)])),
        ];
        let reference = |text: &str| text.parse::<WorkloadRef>().unwrap();
        Snapshot {
            taken_at: Timestamp::EPOCH,
            clusters: BTreeMap::from(["near", "far"].map(|name| (cluster(name), ClusterView::default()))),
            workloads: workloads.map(|(name, view)| (reference(name), view)).into(),
            gaps: Vec::new(),
        }
    }

    #[test]
    fn an_agent_without_bounds_sees_everything() {
        assert!(matches!(Scope::default().sight(&snapshot()), Cow::Borrowed(_)));
    }

    #[test]
    fn a_scope_hides_other_clusters_and_fixes_other_namespaces() {
        let scope = Scope { clusters: [cluster("near")].into(), namespaces: ["default".to_owned()].into() };
        let snapshot = snapshot();
        let seen = scope.sight(&snapshot);
        assert_eq!(seen.clusters.keys().map(ToString::to_string).collect::<Vec<_>>(), ["near"]);
        let told: Vec<_> =
            seen.workloads.iter().map(|(name, one)| (name.to_string(), one.replicas, one.movable)).collect();
        let expected = [("deployment/default/web", 2, true), ("deployment/shop/cart", 1, false)];
        assert_eq!(told, expected.map(|(name, replicas, movable)| (name.to_owned(), replicas, movable)));
    }

    #[test]
    fn a_scope_allows_what_lies_within_it_alone() {
        let migrate = |name: &str, to: &str| Action::Migrate {
            workload: name.parse().unwrap(),
            from: cluster("near"),
            to: cluster(to),
            replicas: 1,
        };
        let resize = |name: &str| Action::ResizePool {
            cluster: cluster(name),
            pool: model::names::PoolName::new("nodes").unwrap(),
            from: 1,
            to: 2,
        };
        let narrow = |clusters: &[&str], namespaces: &[&str]| Scope {
            clusters: clusters.iter().map(|name| cluster(name)).collect(),
            namespaces: namespaces.iter().map(|name| (*name).to_owned()).collect(),
        };
        for (scope, action, allowed, concerned) in [
            (narrow(&[], &[]), resize("near"), true, true),
            (narrow(&["near"], &[]), resize("near"), true, true),
            (narrow(&["near"], &[]), resize("far"), false, false),
            (narrow(&["near"], &[]), migrate("default/web", "far"), false, false),
            (narrow(&[], &["shop"]), migrate("shop/cart", "far"), true, true),
            (narrow(&[], &["shop"]), migrate("default/web", "far"), false, false),
            (narrow(&[], &["shop"]), resize("near"), false, true),
            (narrow(&["near"], &["shop"]), resize("near"), false, true),
            (narrow(&["near"], &["shop"]), resize("far"), false, false),
        ] {
            assert_eq!(
                (scope.allows(&action), scope.concerns(&action)),
                (allowed, concerned),
                "{action} in {scope:?}"
            );
        }
    }
}
