//! Where the demand for a service goes: by the network's rules, or simply to ready replicas where there is no network.

use super::Scene;
use crate::network::{Network, Split, WHOLE};

/// The share of demand for each cluster, and what reaches none although replicas are ready.
pub(super) struct Ways {
    shares: Vec<f64>,
    lost: f64,
    split: Option<Split>,
}

impl Ways {
    /// `ready` are the ready replicas in each cluster.
    pub(super) fn of(scene: &Scene<'_>, ready: &[u64]) -> Self {
        let reachable: Vec<u64> =
            ready.iter().zip(scene.cut_off).map(|(replicas, cut)| if *cut { 0 } else { *replicas }).collect();
        let any_ready = ready.iter().any(|replicas| *replicas > 0);
        match scene.network {
            Some(network) => Self::through(network, scene, &reachable, any_ready),
            None => Self::direct(&reachable, any_ready),
        }
    }

    fn direct(reachable: &[u64], any_ready: bool) -> Self {
        let all: u64 = reachable.iter().sum();
        let share = |replicas: &u64| if all > 0 { *replicas as f64 / all as f64 } else { 0.0 };
        let lost = if any_ready && all == 0 { 1.0 } else { 0.0 };
        Self { shares: reachable.iter().map(share).collect(), lost, split: None }
    }

    fn through(network: &Network, scene: &Scene<'_>, reachable: &[u64], any_ready: bool) -> Self {
        let split = network.split(scene.traffic, reachable, scene.network_at);
        let whole = WHOLE as f64;
        let shares = (0..reachable.len()).map(|cluster| split.share_of_cluster(cluster) as f64 / whole);
        // Without any replica the service itself counts what nobody answers.
        let lost = if any_ready { split.lost_share() as f64 / whole } else { 0.0 };
        Self { shares: shares.collect(), lost, split: Some(split) }
    }

    pub(super) fn share(&self, cluster: usize) -> f64 {
        self.shares.get(cluster).copied().unwrap_or(0.0)
    }

    pub(super) const fn lost(&self) -> f64 {
        self.lost
    }

    /// The mean round trip between the clients of a cluster and one of its pools, in seconds.
    pub(super) fn latency_seconds(&self, network: Option<&Network>, cluster: usize, pool: &str) -> f64 {
        let (Some(network), Some(split)) = (network, &self.split) else { return 0.0 };
        let routes = || split.routes.iter().filter(|route| route.cluster == cluster);
        let all: u64 = routes().map(|route| route.share).sum();
        let weighted = routes().map(|route| {
            let link = network.link_to_pool(route.area, cluster, pool);
            link.map_or(0.0, |link| link.round_trip.as_seconds_float()) * route.share as f64
        });
        if all > 0 { weighted.sum::<f64>() / all as f64 } else { 0.0 }
    }
}
