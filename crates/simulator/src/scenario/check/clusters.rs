//! Clusters, their pools and their autoscalers.

use super::Checker;
use super::known::KnownNames;
use crate::scenario::raw::{RawCluster, RawPool};
use crate::scenario::{AutoscalerSpec, ClusterSpec, HostSpec, PoolSpec, SpotSpec, autoscaler, node_template};
use crate::{carbon, power};
use model::names::{ClusterName, PoolName};
use model::quantity::{Bytes, MilliCpu};
use model::ratio::Ratio;
use model::resources::Resources;

impl Checker<'_> {
    pub(super) fn cluster_names<'n>(&self, raw: &'n [RawCluster]) -> KnownNames<'n> {
        self.known("cluster", "clusters", raw.iter().map(|cluster| cluster.name.as_str()))
    }

    pub(super) fn clusters(&mut self, raw: &[RawCluster]) -> Vec<ClusterSpec> {
        self.unique("clusters", raw.iter().map(|cluster| cluster.name.as_str()));
        let mut clusters = Vec::with_capacity(raw.len());
        for (index, cluster) in raw.iter().enumerate() {
            clusters.extend(self.cluster(&format!("clusters[{index}]"), cluster));
        }
        clusters
    }

    fn cluster(&mut self, path: &str, raw: &RawCluster) -> Option<ClusterSpec> {
        self.unique(&format!("{path}.pools"), raw.pools.iter().map(|pool| pool.name.as_str()));
        let mut pools = Vec::with_capacity(raw.pools.len());
        for (index, pool) in raw.pools.iter().enumerate() {
            pools.extend(self.pool(&format!("{path}.pools[{index}]"), pool));
        }
        let autoscaler = self.autoscaler(path, raw);
        let place = format!("{path}.carbon");
        let carbon = raw
            .carbon
            .as_ref()
            .and_then(|raw| self.part(carbon::check(raw, self.document, self.doubts, &place)));
        Some(ClusterSpec {
            name: ClusterName::new(&raw.name).ok()?,
            labels: raw.labels.clone(),
            region: raw.region.clone(),
            provider: raw.provider.clone(),
            pools,
            autoscaler,
            carbon,
        })
    }

    fn host(&mut self, path: &str, raw: &RawPool) -> HostSpec {
        let place = format!("{path}.power");
        let power = raw
            .power
            .as_ref()
            .and_then(|raw| self.part(power::check(raw, self.document, self.doubts, &place)));
        if raw.speed == Ratio::ZERO {
            let message = "a node of no speed answers nothing";
            self.report(&format!("{path}.speed"), message, "write for instance 1.2");
        }
        let background = raw.background_cpu.unwrap_or(raw.overhead.cpu);
        if background > raw.cpu && self.is_sure(path, &["cpu"]) {
            let message = format!("{background} are more than the {} of the node", raw.cpu);
            self.report(&format!("{path}.background_cpu"), message, format!("write at most {}", raw.cpu));
        }
        let processes = raw.background_processes;
        HostSpec { cpu: raw.cpu, background, processes, speed: raw.speed, power }
    }

    fn autoscaler(&mut self, cluster: &str, raw: &RawCluster) -> Option<AutoscalerSpec> {
        let (spec, faults) = autoscaler::build(raw.autoscaler.as_ref()?, &raw.pools);
        let is_sure = |index| self.is_sure(&format!("{cluster}.pools[{index}]"), &["name"]);
        let names_are_sure = (0..raw.pools.len()).all(is_sure);
        for fault in faults.into_iter().filter(|fault| names_are_sure || !fault.is_about_pools) {
            self.report(&format!("{cluster}.autoscaler.{}", fault.key), fault.message, fault.proposal);
        }
        Some(spec)
    }

    fn pool(&mut self, path: &str, raw: &RawPool) -> Option<PoolSpec> {
        self.further_resources(path, raw);
        self.spread(&format!("{path}.boot_time"), Some(&raw.boot_time));
        let (minimum, maximum) = self.bounds(path, raw);
        let cpu = self.left(path, "cpu", raw.cpu.0, raw.overhead.cpu.0);
        let memory = self.left(path, "memory", raw.memory.0, raw.overhead.memory.0);
        Some(PoolSpec {
            name: PoolName::new(&raw.name).ok()?,
            nodes: raw.nodes,
            minimum,
            maximum,
            node: node_template::build(raw, cpu, memory),
            node_capacity: Resources::new(MilliCpu(cpu), Bytes(memory), u64::from(raw.pods)),
            zones: raw.zones.clone(),
            price_per_hour: raw.spot.map_or(raw.price_per_hour, |spot| spot.price_per_hour),
            boot_time: raw.boot_time.clone(),
            priority: raw.priority,
            spot: raw.spot.map(|spot| SpotSpec { interruptions_per_hour: spot.interruptions_per_hour }),
            host: self.host(path, raw),
        })
    }

    /// The fewest and the most nodes; both are the number at the start unless the file says otherwise.
    fn bounds(&mut self, path: &str, raw: &RawPool) -> (u32, u32) {
        let minimum = raw.minimum.unwrap_or(raw.nodes);
        let maximum = raw.maximum.unwrap_or(raw.nodes.max(minimum));
        let by_nodes = raw.minimum.is_none() || raw.maximum.is_none();
        if !self.is_sure(path, &["minimum", "maximum"]) || (by_nodes && !self.is_sure(path, &["nodes"])) {
            return (minimum, maximum);
        }
        if minimum > maximum {
            let message = format!("the minimum of {minimum} nodes is above the maximum of {maximum}");
            let proposal = format!("write minimum: {maximum}, maximum: {minimum}");
            self.report(&format!("{path}.minimum"), message, proposal);
        } else if minimum > raw.nodes || raw.nodes > maximum {
            let message = format!("{} nodes at the start are not within {minimum} to {maximum}", raw.nodes);
            let proposal = format!("write nodes: {}", raw.nodes.clamp(minimum, maximum));
            self.report(&format!("{path}.nodes"), message, proposal);
        }
        (minimum, maximum)
    }

    /// What the system on a node leaves of it for workloads.
    fn left(&mut self, path: &str, key: &str, whole: u64, taken: u64) -> u64 {
        if whole == 0 {
            let message = format!("a node without {key} can run nothing");
            let usual = if key == "cpu" { "4" } else { "16Gi" };
            self.report(&format!("{path}.{key}"), message, format!("write for instance {usual}"));
        } else if taken >= whole && self.is_sure(path, &[key]) {
            let message = "the system takes everything, nothing is left for workloads";
            let proposal = format!("let it be less than the {key} of the node");
            self.report(&format!("{path}.overhead.{key}"), message, proposal);
        }
        whole.saturating_sub(taken)
    }
}
