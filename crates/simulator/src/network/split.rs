//! Who answers whose demand at one moment.

use super::topology::Network;
use crate::apportion::apportion;
use model::latency::Latency;
use model::time::Timestamp;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// All demand, in parts per million.
pub const WHOLE: u64 = 1_000_000;

/// How demand is given to clusters.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Policy {
    /// To the cluster with the shortest round trip that has a ready replica; the earlier of equals.
    #[default]
    Nearest,
    /// By a fixed weight for each cluster.
    Weights(Vec<u64>),
    /// By the number of ready replicas.
    ReadyReplicas,
    /// All to one cluster.
    AllTo(usize),
}

/// What becomes of demand whose cluster cannot be reached or has no ready replica.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Fallback {
    /// Other clusters get it.
    #[default]
    Move,
    /// It fails.
    Fail,
}

/// How the demand for a workload is split.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Traffic {
    pub policy: Policy,
    pub fallback: Fallback,
    /// Where its clients are, area by area, in parts of [`WHOLE`]; as in the whole network by default.
    pub clients: Option<Vec<u64>>,
}

/// Demand from an area that a cluster gets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Route {
    pub area: usize,
    pub cluster: usize,
    /// Part of the whole demand in parts per million, never zero.
    pub share: u64,
    /// The mean round trip that comes on top of the answer.
    pub latency: Latency,
}

/// Why demand fails.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Loss {
    /// Ready replicas exist, but none that the area can reach and the policy allows.
    Unreachable,
    /// No cluster has a ready replica.
    NoReplica,
}

/// Demand from an area that nobody answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lost {
    pub area: usize,
    /// Part of the whole demand in parts per million, never zero.
    pub share: u64,
    pub loss: Loss,
}

/// The whole demand: the shares of routes and of what is lost add up to [`WHOLE`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Split {
    /// By area, then by cluster.
    pub routes: Vec<Route>,
    /// By area.
    pub lost: Vec<Lost>,
}

impl Split {
    /// What one cluster gets, in parts per million of the whole demand.
    pub fn share_of_cluster(&self, cluster: usize) -> u64 {
        self.routes.iter().filter(|route| route.cluster == cluster).map(|route| route.share).sum()
    }

    pub fn lost_share(&self) -> u64 {
        self.lost.iter().map(|lost| lost.share).sum()
    }

    /// The mean round trip of the demand that a cluster gets, rounded to a microsecond; none if it gets nothing.
    pub fn mean_latency(&self, cluster: usize) -> Option<Latency> {
        let routes = || self.routes.iter().filter(|route| route.cluster == cluster);
        let share: u128 = routes().map(|route| u128::from(route.share)).sum();
        let sum: u128 = routes().map(|route| u128::from(route.share) * u128::from(route.latency.0)).sum();
        let mean = (sum + share / 2).checked_div(share)?;
        u64::try_from(mean).ok().map(Latency)
    }
}

impl Network {
    /// Splits the demand at a moment. `ready` are the ready replicas in each cluster; those it does not name have none.
    pub fn split(&self, traffic: &Traffic, ready: &[u64], at: Timestamp) -> Split {
        let mut split = Split::default();
        let none_ready = ready.iter().take(self.clusters).all(|replicas| *replicas == 0);
        let loss = if none_ready { Loss::NoReplica } else { Loss::Unreachable };
        for (area, known) in self.areas.iter().enumerate() {
            let share = match &traffic.clients {
                None => known.share,
                Some(shares) => shares.get(area).copied().unwrap_or(0),
            };
            let usable = |cluster: usize| {
                ready.get(cluster).is_some_and(|replicas| *replicas > 0)
                    && self.is_reachable(area, cluster, at)
            };
            let usable: Vec<bool> = (0..self.clusters).map(usable).collect();
            let parts = apportion(share, &self.weights(area, traffic, ready, &usable));
            let mut lost = share;
            for (cluster, share) in
                parts.into_iter().enumerate().filter(|(cluster, part)| *part > 0 && usable[*cluster])
            {
                let latency = self.link(area, cluster).map_or(Latency::ZERO, |link| link.round_trip);
                split.routes.push(Route { area, cluster, share, latency });
                lost -= share;
            }
            if lost > 0 {
                split.lost.push(Lost { area, share: lost, loss });
            }
        }
        split
    }

    /// What the policy gives each cluster for one area. What falls to a cluster that is not usable is lost.
    fn weights(&self, area: usize, traffic: &Traffic, ready: &[u64], usable: &[bool]) -> Vec<u64> {
        let moves = traffic.fallback == Fallback::Move;
        let allowed = |cluster: usize| usable[cluster] || !moves;
        match &traffic.policy {
            // Under `Fail` the nearest cluster with a replica keeps its demand even when it is cut off.
            Policy::Nearest => {
                let has_replica = |cluster: &usize| ready.get(*cluster).is_some_and(|replicas| *replicas > 0);
                let candidates = (0..self.clusters).filter(has_replica).filter(|cluster| allowed(*cluster));
                self.only(self.nearest(area, candidates))
            }
            Policy::Weights(weights) => {
                let weight =
                    |cluster| weights.get(cluster).copied().filter(|_| allowed(cluster)).unwrap_or(0);
                (0..self.clusters).map(weight).collect()
            }
            Policy::ReadyReplicas => {
                let weight = |cluster| ready.get(cluster).copied().filter(|_| allowed(cluster)).unwrap_or(0);
                (0..self.clusters).map(weight).collect()
            }
            Policy::AllTo(cluster) if *cluster < self.clusters && allowed(*cluster) => {
                self.only(Some(*cluster))
            }
            Policy::AllTo(_) if moves => {
                self.only(self.nearest(area, (0..self.clusters).filter(|cluster| usable[*cluster])))
            }
            Policy::AllTo(_) => self.only(None),
        }
    }

    fn nearest(&self, area: usize, candidates: impl Iterator<Item = usize>) -> Option<usize> {
        candidates.min_by_key(|cluster| self.link(area, *cluster).map(|link| link.round_trip))
    }

    fn only(&self, chosen: Option<usize>) -> Vec<u64> {
        (0..self.clusters).map(|cluster| u64::from(chosen == Some(cluster))).collect()
    }
}
