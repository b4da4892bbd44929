//! From the network as written to the checked one: every problem with its place.

use super::link::{Jitter, LONGEST_LATENCY, Link};
use super::partition::Partition;
use super::raw::{RawJitter, RawLatency, RawNetwork, RawPartition, RawPolicy, RawTraffic};
use super::split::{Policy, Traffic, WHOLE};
use super::topology::{Area, Network};
use crate::apportion::apportion;
use model::document::{Document, Doubts, Problem, child, item, nearest};
use model::latency::Latency;
use model::names::check_name;
use model::quantity::Bytes;
use model::time::Timestamp;
use std::collections::BTreeMap;

/// Pairs of an area and a cluster; each takes 48 bytes, and a federation has hundreds at most.
const MOST_PAIRS: usize = 1_000_000;

/// Every split looks at all of them.
const MOST_PARTITIONS: usize = 10_000;

/// What the network needs to know of a cluster.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClusterOutline<'a> {
    pub name: &'a str,
    pub pools: Vec<&'a str>,
}

/// The clusters of the file, in its order.
#[derive(Clone, Copy, Debug)]
pub struct KnownClusters<'a> {
    pub outlines: &'a [ClusterOutline<'a>],
    /// Whether every name of a cluster and a pool could be read; if not, one that is not there may still be right.
    pub are_complete: bool,
}

/// The areas of the file.
#[derive(Clone, Copy, Debug)]
pub struct KnownAreas<'a> {
    pub network: &'a RawNetwork,
    /// Whether every area could be read; if not, one that is not there may still be right.
    pub are_complete: bool,
}

/// The network that stands at `path`, or everything that is wrong with it. Nothing is said about what is in doubt, and
/// about what follows from it.
pub fn check(
    raw: &RawNetwork,
    document: &Document,
    doubts: &Doubts,
    path: &str,
    clusters: KnownClusters<'_>,
) -> Result<Network, Vec<Problem>> {
    let mut checker = Checker::new(document, doubts, path, clusters);
    checker.areas = raw.areas.keys().map(String::as_str).collect();
    let areas = checker.areas(raw);
    let links = checker.links(&raw.latency);
    let to_cluster = checker.table(&links.to_cluster, raw.otherwise);
    let partitions = checker.partitions(&raw.partitions);
    let network = Network {
        areas,
        clusters: clusters.outlines.len(),
        to_cluster,
        to_pool: links.to_pool,
        between: links.between,
        partitions,
    };
    checker.finish(Some(network))
}

/// The policy that stands at `path`, or everything that is wrong with it.
pub fn check_traffic(
    raw: &RawTraffic,
    document: &Document,
    doubts: &Doubts,
    path: &str,
    clusters: KnownClusters<'_>,
) -> Result<Traffic, Vec<Problem>> {
    let mut checker = Checker::new(document, doubts, path, clusters);
    let policy = checker.policy(&raw.to);
    checker.finish(policy.map(|policy| Traffic { policy, fallback: raw.when_unreachable, clients: None }))
}

/// Where the clients of one workload are, in parts of [`WHOLE`] for each area of the network, or everything that is wrong with
/// what stands at `path`.
pub fn check_clients(
    raw: &BTreeMap<String, f64>,
    document: &Document,
    doubts: &Doubts,
    path: &str,
    areas: KnownAreas<'_>,
) -> Result<Vec<u64>, Vec<Problem>> {
    let clusters = KnownClusters { outlines: &[], are_complete: true };
    let mut checker = Checker::new(document, doubts, path, clusters);
    checker.areas = areas.network.areas.keys().map(String::as_str).collect();
    let shares = checker.clients(raw, areas.are_complete);
    checker.finish(Some(shares))
}

/// Parts of [`WHOLE`] by shares of any sum; none if they add up to nothing.
fn parts_of_whole(shares: &[f64]) -> Option<Vec<u64>> {
    let total: f64 = shares.iter().sum();
    if !(total > 0.0 && total.is_finite()) {
        return None;
    }
    // A thousand times finer than the result, so that the rounding of a weight never shows. What is no number becomes 0.
    let weight = |share: &f64| libm::round(share / total * 1e9).max(0.0) as u64;
    Some(apportion(WHOLE, &shares.iter().map(weight).collect::<Vec<_>>()))
}

struct Checker<'a> {
    document: &'a Document,
    doubts: &'a Doubts,
    path: &'a str,
    clusters: KnownClusters<'a>,
    areas: Vec<&'a str>,
    problems: Vec<Problem>,
    /// Whether everything could be understood, even where nothing may be said about it.
    is_sound: bool,
}

#[derive(Default)]
struct Links {
    to_cluster: BTreeMap<(usize, usize), Link>,
    to_pool: BTreeMap<(usize, usize, String), Link>,
    between: BTreeMap<(usize, usize), Link>,
}

/// Where a link begins.
#[derive(Clone, Copy)]
enum Origin {
    Area(usize),
    Cluster(usize),
}

impl<'a> Checker<'a> {
    const fn new(
        document: &'a Document,
        doubts: &'a Doubts,
        path: &'a str,
        clusters: KnownClusters<'a>,
    ) -> Self {
        Self { document, doubts, path, clusters, areas: Vec::new(), problems: Vec::new(), is_sound: true }
    }

    fn finish<T>(self, value: Option<T>) -> Result<T, Vec<Problem>> {
        let is_usable = self.is_sound && !self.doubts.touch(self.path);
        value.filter(|_| is_usable).ok_or(self.problems)
    }

    /// `keys` is a path below the checked value.
    fn report(&mut self, keys: &str, message: impl Into<String>, proposal: impl Into<String>) {
        let path = self.below(keys);
        self.report_here(&path, message, proposal);
    }

    fn report_here(&mut self, path: &str, message: impl Into<String>, proposal: impl Into<String>) {
        self.is_sound = false;
        if !self.doubts.cover(path) {
            self.problems.push(self.document.problem_at(path, message, proposal));
        }
    }

    fn below(&self, keys: &str) -> String {
        format!("{}.{keys}", self.path)
    }

    /// Whether the value below and all its parts were read as they were meant.
    fn is_sure(&self, keys: &str) -> bool {
        !self.doubts.touch(&self.below(keys))
    }

    /// Whether all names of areas could be read.
    fn knows_areas(&self) -> bool {
        !self.doubts.cover(&self.below("areas"))
    }

    fn unknown(&mut self, keys: &str, what: &str, name: &str, known: &[&str]) {
        let some = known.iter().take(5).copied().collect::<Vec<_>>().join(", ");
        let proposal = match nearest(name, known.iter().copied()) {
            Some(near) => format!("did you mean {near}?"),
            None if known.is_empty() => format!("define the {what}, or remove this"),
            None => format!("known: {some}"),
        };
        self.report(keys, format!("there is no {what} {name:?}"), proposal);
    }

    /// A reference that cannot be followed makes the network unsound even where nothing can be said about it.
    fn cluster(&mut self, keys: &str, name: &str) -> Option<usize> {
        let found = self.clusters.outlines.iter().position(|cluster| cluster.name == name);
        self.is_sound &= found.is_some();
        if found.is_none() && self.clusters.are_complete {
            let known: Vec<&str> = self.clusters.outlines.iter().map(|cluster| cluster.name).collect();
            self.unknown(keys, "cluster", name, &known);
        }
        found
    }

    fn areas(&mut self, raw: &RawNetwork) -> Vec<Area> {
        if raw.areas.is_empty() {
            let proposal = "write for instance areas: { everywhere: {} }";
            self.report("areas", "without an area there is no demand", proposal);
        }
        if self.has_too_many_pairs() {
            let message = format!("areas times clusters are more than {MOST_PAIRS}");
            self.report("areas", message, "join areas that are alike");
        }
        raw.areas.keys().for_each(|name| self.area_name(name));
        let given: Vec<f64> = raw.areas.values().map(|area| area.share).collect();
        let shares = parts_of_whole(&given);
        if shares.is_none() && !raw.areas.is_empty() && self.is_sure("areas") {
            self.report("areas", "no area has any share of the demand", "give at least one a share above 0");
        }
        let shares = shares.unwrap_or_else(|| vec![0; given.len()]);
        raw.areas.keys().zip(shares).map(|(name, share)| Area { name: name.clone(), share }).collect()
    }

    fn clients(&mut self, raw: &BTreeMap<String, f64>, areas_are_complete: bool) -> Vec<u64> {
        let known = self.areas.clone();
        for (name, share) in raw {
            if !known.contains(&name.as_str()) {
                self.is_sound = false;
                if areas_are_complete {
                    self.unknown(name, "area", name, &known);
                }
            } else if !(0.0..=1e9).contains(share) {
                self.report(name, format!("{share} is not between 0 and 1e9"), "write for instance 0.5");
            }
        }
        let given: Vec<f64> = known.iter().map(|area| raw.get(*area).copied().unwrap_or(0.0)).collect();
        let shares = parts_of_whole(&given);
        if shares.is_none() && self.is_sound {
            let example = known.first().map_or("eu", |area| *area);
            let path = self.path.to_owned();
            self.report_here(
                &path,
                "no area has any of its clients",
                format!("write for instance {{ {example}: 1 }}"),
            );
        }
        shares.unwrap_or_default()
    }

    fn area_name(&mut self, name: &str) {
        let keys = child("areas", name);
        if let Err(error) = check_name(name) {
            let proposal =
                error.proposal.map_or("write for instance eu".to_owned(), |name| format!("write {name}"));
            self.report(&keys, format!("{:?}: {}", error.text, error.why), proposal);
        } else if self.clusters.outlines.iter().any(|cluster| cluster.name == name) {
            let message = format!("{name:?} is already the name of a cluster");
            self.report(&keys, message, format!("write {name}-clients"));
        }
    }

    fn has_too_many_pairs(&self) -> bool {
        self.areas.len().saturating_mul(self.clusters.outlines.len()) > MOST_PAIRS
    }

    fn links(&mut self, raw: &[RawLatency]) -> Links {
        let mut links = Links::default();
        for (index, latency) in raw.iter().enumerate() {
            let keys = item("latency", index);
            if !self.is_sure(&keys) {
                continue;
            }
            let link = self.link(&keys, latency);
            let (cluster, pool) = latency
                .to
                .split_once('/')
                .map_or((latency.to.as_str(), None), |(cluster, pool)| (cluster, Some(pool)));
            let (origin, target) =
                (self.origin(&keys, &latency.from), self.cluster(&child(&keys, "to"), cluster));
            let (Some(origin), Some(target)) = (origin, target) else { continue };
            if !self.has_pool(&keys, target, pool) {
                continue;
            }
            let former = match (origin, pool) {
                (Origin::Area(area), None) => links.to_cluster.insert((area, target), link),
                (Origin::Area(area), Some(pool)) => {
                    links.to_pool.insert((area, target, pool.to_owned()), link)
                }
                (Origin::Cluster(from), None) if from != target => links.between.insert((from, target), link),
                (Origin::Cluster(_), None) => {
                    let proposal = "remove it; a cluster is not away from itself";
                    self.report(&child(&keys, "to"), format!("{:?} leads to itself", latency.from), proposal);
                    None
                }
                (Origin::Cluster(_), Some(_)) => {
                    let message = "between clusters only whole clusters are known, not pools";
                    self.report(&child(&keys, "to"), message, format!("write {cluster}"));
                    None
                }
            };
            if former.is_some() {
                let message = format!("the latency from {} to {} is given twice", latency.from, latency.to);
                self.report(&keys, message, "keep one of them");
            }
        }
        links
    }

    fn origin(&mut self, keys: &str, name: &str) -> Option<Origin> {
        if let Some(area) = self.areas.iter().position(|area| *area == name) {
            return Some(Origin::Area(area));
        }
        let cluster = self.clusters.outlines.iter().position(|cluster| cluster.name == name);
        self.is_sound &= cluster.is_some();
        if cluster.is_none() && self.clusters.are_complete && self.knows_areas() {
            let known: Vec<&str> = self
                .areas
                .iter()
                .copied()
                .chain(self.clusters.outlines.iter().map(|cluster| cluster.name))
                .collect();
            self.unknown(&child(keys, "from"), "area or cluster", name, &known);
        }
        cluster.map(Origin::Cluster)
    }

    fn has_pool(&mut self, keys: &str, cluster: usize, pool: Option<&str>) -> bool {
        let Some(pool) = pool else { return true };
        let known = self.clusters.outlines[cluster].pools.clone();
        let found = known.contains(&pool);
        self.is_sound &= found;
        if !found && self.clusters.are_complete {
            let what = format!("pool of {}", self.clusters.outlines[cluster].name);
            self.unknown(&child(keys, "to"), &what, pool, &known);
        }
        found
    }

    fn link(&mut self, keys: &str, raw: &RawLatency) -> Link {
        self.longest(&child(keys, "round_trip"), raw.round_trip);
        let jitter = match raw.jitter {
            None => Jitter::None,
            Some(RawJitter::Uniform(spread)) => {
                if spread > raw.round_trip {
                    let message =
                        format!("{spread} less than {} would be before it was sent", raw.round_trip);
                    self.report(&child(keys, "jitter"), message, format!("write at most {}", raw.round_trip));
                }
                Jitter::Uniform { spread }
            }
            Some(RawJitter::LogNormal(sigma)) => {
                if !(0.0..=3.0).contains(&sigma) {
                    let message = format!("{sigma} is not between 0 and 3");
                    self.report(&child(keys, "jitter"), message, "write for instance 0.2");
                }
                Jitter::LogNormal { sigma }
            }
        };
        if raw.bytes_per_second.is_some_and(Bytes::is_zero) {
            let proposal = "leave it out for no limit, or use a partition";
            self.report(&child(keys, "bytes_per_second"), "nothing would ever arrive", proposal);
        }
        Link { round_trip: raw.round_trip, jitter, bytes_per_second: raw.bytes_per_second }
    }

    fn longest(&mut self, keys: &str, latency: Latency) {
        if latency > LONGEST_LATENCY {
            let message =
                format!("{latency} is longer than the {LONGEST_LATENCY} after which everything times out");
            self.report(keys, message, format!("write at most {LONGEST_LATENCY}, or use a partition"));
        }
    }

    /// A link for every area and cluster; one that nothing tells about is a problem, not a zero.
    fn table(&mut self, known: &BTreeMap<(usize, usize), Link>, otherwise: Option<Latency>) -> Vec<Link> {
        if let Some(latency) = otherwise {
            self.longest("otherwise", latency);
        }
        if self.has_too_many_pairs() {
            return Vec::new();
        }
        let pairs = (0..self.areas.len())
            .flat_map(|area| (0..self.clusters.outlines.len()).map(move |cluster| (area, cluster)));
        let pairs: Vec<(usize, usize)> = pairs.collect();
        let given = |pair: &(usize, usize)| known.get(pair).copied().or(otherwise.map(Link::of));
        let missing: Vec<(usize, usize)> =
            pairs.iter().copied().filter(|pair| given(pair).is_none()).collect();
        let is_sure = ["areas", "latency", "otherwise"].iter().all(|keys| self.is_sure(keys))
            && self.clusters.are_complete;
        if let Some((area, cluster)) = missing.first().filter(|_| is_sure) {
            let (area, cluster) = (self.areas[*area], self.clusters.outlines[*cluster].name);
            let more =
                if missing.len() > 1 { format!(" (and {} more)", missing.len() - 1) } else { String::new() };
            let message = format!("nothing says how far {area} is from {cluster}{more}");
            let proposal =
                format!("add {{ from: {area}, to: {cluster}, round_trip: 20ms }} or otherwise: 20ms");
            self.report("latency", message, proposal);
        }
        pairs.iter().filter_map(given).collect()
    }

    fn partitions(&mut self, raw: &[RawPartition]) -> Vec<Partition> {
        if raw.len() > MOST_PARTITIONS {
            let message = format!("there may be {MOST_PARTITIONS} partitions, not {}", raw.len());
            self.report("partitions", message, "join those that touch");
        }
        let mut partitions = Vec::new();
        for (index, partition) in raw.iter().enumerate() {
            let keys = item("partitions", index);
            if partition.until <= partition.from && self.is_sure(&keys) {
                let message =
                    format!("it ends at {}, not after it begins at {}", partition.until, partition.from);
                self.report(&child(&keys, "until"), message, "let `until` be later than `from`");
            }
            let cluster = self.cluster(&child(&keys, "cluster"), &partition.cluster);
            let area = partition.area.as_ref().map(|name| self.areas.iter().position(|area| area == name));
            if let (Some(None), Some(name)) = (area, &partition.area)
                && self.knows_areas()
            {
                let known = self.areas.clone();
                self.unknown(&child(&keys, "area"), "area", name, &known);
            }
            let Some(cluster) = cluster else { continue };
            let (from, until) = (Timestamp::EPOCH + partition.from, Timestamp::EPOCH + partition.until);
            partitions.push(Partition { area: area.flatten(), cluster, from, until });
        }
        partitions
    }

    fn policy(&mut self, raw: &RawPolicy) -> Option<Policy> {
        Some(match raw {
            RawPolicy::Nearest => Policy::Nearest,
            RawPolicy::ReadyReplicas => Policy::ReadyReplicas,
            RawPolicy::Cluster(name) => Policy::AllTo(self.cluster("to.cluster", name)?),
            RawPolicy::Weights(raw) => {
                let mut weights = vec![0; self.clusters.outlines.len()];
                for (name, weight) in raw {
                    if let Some(cluster) = self.cluster(&child("to.weights", name), name) {
                        weights[cluster] = u64::from(*weight);
                    }
                }
                if raw.values().all(|weight| *weight == 0) && self.is_sure("to.weights") {
                    let proposal = "give at least one a weight above 0";
                    self.report("to.weights", "no cluster has any weight", proposal);
                }
                Policy::Weights(weights)
            }
        })
    }
}
