//! The checked network: areas and clusters by index, and the links between them.

use super::link::Link;
use super::partition::Partition;
use model::time::Timestamp;
use std::collections::BTreeMap;

/// Where clients are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Area {
    pub name: String,
    /// Its part of the demand in parts per million; those of all areas add up to one million.
    pub share: u64,
}

/// Areas, clusters and how far they are from each other. Clusters have the indices of the scenario.
#[derive(Clone, Debug, PartialEq)]
pub struct Network {
    pub(super) areas: Vec<Area>,
    pub(super) clusters: usize,
    /// From every area to every cluster, area by area.
    pub(super) to_cluster: Vec<Link>,
    /// From an area to a pool of a cluster, where that differs from the cluster.
    pub(super) to_pool: BTreeMap<(usize, usize, String), Link>,
    /// From one cluster to another; of the two directions at least one was given.
    pub(super) between: BTreeMap<(usize, usize), Link>,
    pub(super) partitions: Vec<Partition>,
}

impl Network {
    pub fn areas(&self) -> &[Area] {
        &self.areas
    }

    /// How many clusters there are.
    pub const fn clusters(&self) -> usize {
        self.clusters
    }

    /// The way from an area to a cluster; none for an index that does not exist.
    pub fn link(&self, area: usize, cluster: usize) -> Option<&Link> {
        let row = self.to_cluster.chunks_exact(self.clusters.max(1)).nth(area)?;
        row.get(cluster)
    }

    /// The way from an area to a pool: its own, or that of its cluster.
    pub fn link_to_pool(&self, area: usize, cluster: usize, pool: &str) -> Option<&Link> {
        // A borrowed key would need a type of its own; networks with links to pools are small.
        let own = self.to_pool.range((area, cluster, String::new())..);
        let mut own = own.take_while(|((a, c, _), _)| (*a, *c) == (area, cluster));
        own.find(|((_, _, name), _)| name == pool).map(|(_, link)| link).or_else(|| self.link(area, cluster))
    }

    /// The way from one cluster to another, or back if only that is known.
    pub fn between(&self, from: usize, to: usize) -> Option<&Link> {
        self.between.get(&(from, to)).or_else(|| self.between.get(&(to, from)))
    }

    pub fn is_reachable(&self, area: usize, cluster: usize, at: Timestamp) -> bool {
        let exists = area < self.areas.len() && cluster < self.clusters;
        exists && !self.partitions.iter().any(|partition| partition.cuts(area, cluster, at))
    }

    /// When anything becomes reachable or unreachable, in order.
    pub fn changes(&self) -> Vec<Timestamp> {
        let mut moments: Vec<Timestamp> =
            self.partitions.iter().flat_map(|partition| [partition.from, partition.until]).collect();
        moments.sort_unstable();
        moments.dedup();
        moments
    }
}
