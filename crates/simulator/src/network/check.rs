//! From the network as written to the checked one: every problem with its place.

use super::link::{Jitter, LONGEST_LATENCY, Link};
use super::partition::Partition;
use super::raw::{RawJitter, RawLatency, RawNetwork, RawPartition, RawPolicy, RawTraffic};
use super::split::{Policy, Traffic, WHOLE};
use super::topology::{Area, Network};
use crate::apportion::apportion;
use model::document::{Document, Problem, child, item, nearest};
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

/// The network that stands at `path`, or everything that is wrong with it.
pub fn check(
    document: &Document,
    path: &str,
    raw: &RawNetwork,
    clusters: &[ClusterOutline<'_>],
) -> Result<Network, Vec<Problem>> {
    let names: Vec<&str> = raw.areas.keys().map(String::as_str).collect();
    let mut checker = Checker { document, path, clusters, areas: names, problems: Vec::new() };
    let areas = checker.areas(raw);
    let links = checker.links(&raw.latency);
    let to_cluster = checker.table(&links.to_cluster, raw.otherwise);
    let partitions = checker.partitions(&raw.partitions);
    let network = Network {
        areas,
        clusters: clusters.len(),
        to_cluster,
        to_pool: links.to_pool,
        between: links.between,
        partitions,
    };
    if checker.problems.is_empty() { Ok(network) } else { Err(checker.problems) }
}

/// The policy that stands at `path`, or everything that is wrong with it.
pub fn check_traffic(
    document: &Document,
    path: &str,
    raw: &RawTraffic,
    clusters: &[ClusterOutline<'_>],
) -> Result<Traffic, Vec<Problem>> {
    let mut checker = Checker { document, path, clusters, areas: Vec::new(), problems: Vec::new() };
    let policy = checker.policy(&raw.to);
    match policy {
        Some(policy) if checker.problems.is_empty() => Ok(Traffic { policy, fallback: raw.when_unreachable }),
        _ => Err(checker.problems),
    }
}

struct Checker<'a> {
    document: &'a Document,
    path: &'a str,
    clusters: &'a [ClusterOutline<'a>],
    areas: Vec<&'a str>,
    problems: Vec<Problem>,
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

impl Checker<'_> {
    /// `keys` is a path below the checked value.
    fn report(&mut self, keys: &str, message: String, proposal: Option<String>) {
        let path = if keys.is_empty() { self.path.to_owned() } else { format!("{}.{keys}", self.path) };
        self.problems.push(self.document.problem_at(&path, message, proposal.unwrap_or_default()));
    }

    fn unknown(&mut self, keys: &str, what: &str, name: &str, known: &[&str]) {
        let some = known.iter().take(5).copied().collect::<Vec<_>>().join(", ");
        let proposal = nearest(name, known.iter().copied())
            .map_or_else(|| format!("known: {some}"), |near| format!("did you mean {near}?"));
        self.report(keys, format!("there is no {what} {name:?}"), Some(proposal));
    }

    fn cluster(&mut self, keys: &str, name: &str) -> Option<usize> {
        let found = self.clusters.iter().position(|cluster| cluster.name == name);
        if found.is_none() {
            let known: Vec<&str> = self.clusters.iter().map(|cluster| cluster.name).collect();
            self.unknown(keys, "cluster", name, &known);
        }
        found
    }

    fn areas(&mut self, raw: &RawNetwork) -> Vec<Area> {
        if raw.areas.is_empty() {
            let proposal = Some("write for instance areas: { everywhere: {} }".to_owned());
            self.report("areas", "without an area there is no demand".to_owned(), proposal);
        }
        if self.has_too_many_pairs() {
            let message = format!("areas times clusters are more than {MOST_PAIRS}");
            self.report("areas", message, Some("join areas that are alike".to_owned()));
        }
        for name in raw.areas.keys() {
            let keys = child("areas", name);
            if let Err(error) = check_name(name) {
                self.report(
                    &keys,
                    format!("{:?}: {}", error.text, error.why),
                    error.proposal.map(|name| format!("write {name}")),
                );
            } else if self.clusters.iter().any(|cluster| cluster.name == name) {
                let message = format!("{name:?} is already the name of a cluster");
                self.report(&keys, message, Some(format!("write {name}-clients")));
            }
        }
        let total: f64 = raw.areas.values().map(|area| area.share).sum();
        let is_usable = total > 0.0 && total.is_finite();
        if !is_usable && !raw.areas.is_empty() {
            self.report(
                "areas",
                "no area has any share of the demand".to_owned(),
                Some("give at least one a share above 0".to_owned()),
            );
            return Vec::new();
        }
        // A thousand times finer than the result, so that the rounding of a weight never shows.
        let weight = |share: f64| libm::round(share / total * 1e9).max(0.0) as u64;
        let weights: Vec<u64> = raw.areas.values().map(|area| weight(area.share)).collect();
        let shares = apportion(WHOLE, &weights);
        raw.areas.keys().zip(shares).map(|(name, share)| Area { name: name.clone(), share }).collect()
    }

    fn has_too_many_pairs(&self) -> bool {
        self.areas.len().saturating_mul(self.clusters.len()) > MOST_PAIRS
    }

    fn links(&mut self, raw: &[RawLatency]) -> Links {
        let mut links = Links::default();
        for (index, latency) in raw.iter().enumerate() {
            let keys = item("latency", index);
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
                    let proposal = Some("remove it; a cluster is not away from itself".to_owned());
                    self.report(&child(&keys, "to"), format!("{:?} leads to itself", latency.from), proposal);
                    None
                }
                (Origin::Cluster(_), Some(_)) => {
                    let message = "between clusters only whole clusters are known, not pools".to_owned();
                    self.report(&child(&keys, "to"), message, Some(format!("write {cluster}")));
                    None
                }
            };
            if former.is_some() {
                let message = format!("the latency from {} to {} is given twice", latency.from, latency.to);
                self.report(&keys, message, Some("keep one of them".to_owned()));
            }
        }
        links
    }

    fn origin(&mut self, keys: &str, name: &str) -> Option<Origin> {
        if let Some(area) = self.areas.iter().position(|area| *area == name) {
            return Some(Origin::Area(area));
        }
        let cluster = self.clusters.iter().position(|cluster| cluster.name == name);
        if cluster.is_none() {
            let known: Vec<&str> =
                self.areas.iter().copied().chain(self.clusters.iter().map(|cluster| cluster.name)).collect();
            self.unknown(&child(keys, "from"), "area or cluster", name, &known);
        }
        cluster.map(Origin::Cluster)
    }

    fn has_pool(&mut self, keys: &str, cluster: usize, pool: Option<&str>) -> bool {
        let Some(pool) = pool else { return true };
        let known = self.clusters[cluster].pools.clone();
        let found = known.contains(&pool);
        if !found {
            let what = format!("pool of {}", self.clusters[cluster].name);
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
                    self.report(
                        &child(keys, "jitter"),
                        message,
                        Some(format!("write at most {}", raw.round_trip)),
                    );
                }
                Jitter::Uniform { spread }
            }
            Some(RawJitter::LogNormal(sigma)) => {
                if !(0.0..=3.0).contains(&sigma) {
                    let proposal = Some("write for instance 0.2".to_owned());
                    self.report(&child(keys, "jitter"), format!("{sigma} is not between 0 and 3"), proposal);
                }
                Jitter::LogNormal { sigma }
            }
        };
        if raw.bytes_per_second.is_some_and(Bytes::is_zero) {
            let proposal = Some("leave it out for no limit, or use a partition".to_owned());
            self.report(&child(keys, "bytes_per_second"), "nothing would ever arrive".to_owned(), proposal);
        }
        Link { round_trip: raw.round_trip, jitter, bytes_per_second: raw.bytes_per_second }
    }

    fn longest(&mut self, keys: &str, latency: Latency) {
        if latency > LONGEST_LATENCY {
            let message =
                format!("{latency} is longer than the {LONGEST_LATENCY} after which everything times out");
            self.report(keys, message, None);
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
            .flat_map(|area| (0..self.clusters.len()).map(move |cluster| (area, cluster)));
        let pairs: Vec<(usize, usize)> = pairs.collect();
        let given = |pair: &(usize, usize)| known.get(pair).copied().or(otherwise.map(Link::of));
        let missing: Vec<(usize, usize)> =
            pairs.iter().copied().filter(|pair| given(pair).is_none()).collect();
        if let Some((area, cluster)) = missing.first() {
            let (area, cluster) = (self.areas[*area], self.clusters[*cluster].name);
            let more =
                if missing.len() > 1 { format!(" (and {} more)", missing.len() - 1) } else { String::new() };
            let message = format!("nothing says how far {area} is from {cluster}{more}");
            let proposal =
                format!("add {{ from: {area}, to: {cluster}, round_trip: 20ms }} or otherwise: 20ms");
            self.report("latency", message, Some(proposal));
        }
        pairs.iter().filter_map(given).collect()
    }

    fn partitions(&mut self, raw: &[RawPartition]) -> Vec<Partition> {
        if raw.len() > MOST_PARTITIONS {
            let message = format!("there may be {MOST_PARTITIONS} partitions, not {}", raw.len());
            self.report("partitions", message, None);
        }
        let mut partitions = Vec::new();
        for (index, partition) in raw.iter().enumerate() {
            let keys = item("partitions", index);
            if partition.until <= partition.from {
                let message =
                    format!("it ends at {}, not after it begins at {}", partition.until, partition.from);
                let proposal = Some("let `until` be later than `from`".to_owned());
                self.report(&child(&keys, "until"), message, proposal);
            }
            let cluster = self.cluster(&child(&keys, "cluster"), &partition.cluster);
            let area = partition.area.as_ref().map(|name| self.areas.iter().position(|area| area == name));
            if let (Some(None), Some(name)) = (area, &partition.area) {
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
                let mut weights = vec![0; self.clusters.len()];
                for (name, weight) in raw {
                    if let Some(cluster) = self.cluster(&child("to.weights", name), name) {
                        weights[cluster] = u64::from(*weight);
                    }
                }
                if raw.values().all(|weight| *weight == 0) {
                    let proposal = Some("give at least one a weight above 0".to_owned());
                    self.report("to.weights", "no cluster has any weight".to_owned(), proposal);
                }
                Policy::Weights(weights)
            }
        })
    }
}
