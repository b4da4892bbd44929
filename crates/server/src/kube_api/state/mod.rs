//! The simulated clusters as kube-state-metrics would count them: its names, labels and units, as far as they are true here.
//!
//! Everything comes from the same inventories as the Kubernetes API, taken at one moment, so that what is joined fits. There are no moments
//! (`kube_pod_created`, `kube_job_status_start_time` and the like): virtual time is not the clock that they would be compared with.

mod batch;
mod node;
mod pod;
mod workload;

use super::kinds::Resource;
use super::thing::Thing;
use super::things;
use crate::metrics::text::{Family, Kind, Page};
use model::names::ClusterName;
use simulator::kube::{self, ResourceList};
use simulator::world::{Inventory, SimulatedWorld};
use std::collections::{BTreeMap, BTreeSet};

/// With more workloads, a page would take longer to read than a scrape lasts; clusters and nodes are shown all the same.
const MOST_WORKLOADS: usize = 20_000;

/// A pod takes some 3.5 KB of a page, so that ten thousand are 35 MB, and several may read a page at the same time.
const MOST_PODS: usize = 10_000;

/// All clusters at one moment.
#[derive(Debug)]
pub(crate) struct Look(Vec<(ClusterName, Inventory)>);

impl Look {
    pub(crate) fn at(world: &SimulatedWorld) -> Self {
        let names = world.cluster_names();
        Self(names.filter_map(|name| Some((name.clone(), world.inventory(name)?))).collect())
    }

    /// Leaves no more than so many workloads, and says how many are gone.
    fn limit_workloads(&mut self, most: usize) -> usize {
        let (mut left, mut gone) = (most, 0);
        for (_, inventory) in &mut self.0 {
            let kept = inventory.workloads.len().min(left);
            gone += inventory.workloads.len() - kept;
            left -= kept;
            inventory.workloads.truncate(kept);
        }
        gone
    }
}

pub(crate) fn write(page: &mut Page, mut look: Look) {
    let workloads_left_out = look.limit_workloads(MOST_WORKLOADS);
    let shelf = Shelf::of(&look, MOST_PODS);
    let help = "Workloads that are not shown because there are too many.";
    page.number("drover_kube_workloads_left_out", Kind::Gauge, help, workloads_left_out as f64);
    let help = "Pods that are not shown because there are too many.";
    page.number("drover_kube_pods_left_out", Kind::Gauge, help, shelf.pods_left_out as f64);
    for family in [node::FAMILIES, pod::FAMILIES, workload::FAMILIES, batch::FAMILIES].into_iter().flatten() {
        family.write(page, &shelf);
    }
}

/// Things by what they are, with their clusters.
#[derive(Default)]
struct Shelf {
    things: BTreeMap<Resource, Vec<(ClusterName, Thing)>>,
    pods_left_out: usize,
}

impl Shelf {
    fn of(look: &Look, most_pods: usize) -> Self {
        let mut shelf = Self::default();
        for (cluster, inventory) in &look.0 {
            let left = most_pods - shelf.all(Resource::Pods).len();
            // Workloads of two kinds may share a name, and so would what stands beside them: a cluster shows one of each name. Pods
            // are told apart by their uid.
            let mut seen = BTreeSet::new();
            let (things, left_out) = things::without_events(cluster, inventory, left);
            shelf.pods_left_out += left_out;
            for thing in things {
                if thing.resource == Resource::Pods || seen.insert(thing.key()) {
                    shelf.things.entry(thing.resource).or_default().push((cluster.clone(), thing));
                }
            }
        }
        shelf
    }

    fn all(&self, resource: Resource) -> &[(ClusterName, Thing)] {
        self.things.get(&resource).map_or(&[], Vec::as_slice)
    }
}

/// One family, and what every thing of a resource adds to it.
struct StateFamily {
    resource: Resource,
    name: &'static str,
    help: &'static str,
    add: fn(&Thing, &mut Samples<'_, '_>),
}

const fn family(
    resource: Resource,
    name: &'static str,
    help: &'static str,
    add: fn(&Thing, &mut Samples<'_, '_>),
) -> StateFamily {
    StateFamily { resource, name, help, add }
}

impl StateFamily {
    fn write(&self, page: &mut Page, shelf: &Shelf) {
        let kind = if self.name.ends_with("_total") { Kind::Counter } else { Kind::Gauge };
        let mut family = page.family(self.name, kind, self.help);
        for (cluster, thing) in shelf.all(self.resource) {
            let base = base(cluster, thing);
            (self.add)(thing, &mut Samples { family: &mut family, base: &base });
        }
    }
}

/// The labels that all samples about a thing have, beginning with the one that kube-state-metrics leaves to its scraper.
fn base<'a>(cluster: &'a ClusterName, thing: &'a Thing) -> Vec<(&'static str, &'a str)> {
    let mut labels = vec![("cluster", cluster.as_str())];
    if !thing.namespace.is_empty() {
        labels.push(("namespace", thing.namespace.as_str()));
    }
    let called = match thing.resource {
        Resource::Jobs => "job_name",
        other => other.about().singular,
    };
    labels.push((called, thing.name.as_str()));
    if thing.resource == Resource::Pods {
        labels.push(("uid", thing.uid.as_str()));
    }
    labels
}

/// Where samples about one thing go.
struct Samples<'s, 'p> {
    family: &'s mut Family<'p>,
    base: &'s [(&'static str, &'s str)],
}

impl Samples<'_, '_> {
    fn add(&mut self, labels: &[(&str, &str)], value: f64) {
        let all: Vec<(&str, &str)> = self.base.iter().chain(labels).copied().collect();
        self.family.sample(&all, value);
    }

    /// A number without labels of its own, if there is one.
    fn count(&mut self, count: impl Into<Option<u32>>) {
        if let Some(count) = count.into() {
            self.add(&[], f64::from(count));
        }
    }

    /// Something that is always 1 and there for its labels.
    fn mark(&mut self, labels: &[(&str, &str)]) {
        self.add(labels, 1.0);
    }

    /// One sample for each of the things that could be, and 1 for the one that is.
    fn one_of(&mut self, labels: &[(&str, &str)], name: &str, all: &[&str], is: &str) {
        for one in all {
            let labels: Vec<(&str, &str)> = labels.iter().copied().chain([(name, *one)]).collect();
            self.add(&labels, f64::from(u8::from(*one == is)));
        }
    }

    /// Whether a condition holds, in the three words that there are for it.
    fn condition(&mut self, labels: &[(&str, &str)], name: &str, is: &str) {
        self.one_of(labels, name, &["true", "false", "unknown"], is);
    }

    /// Who made it; the labels are empty if nobody did.
    fn owner(&mut self, thing: &Thing) {
        let owner = thing.owner.as_ref();
        let (kind, name) = owner.map_or(("", ""), |owner| (owner.resource.about().kind, owner.name.as_str()));
        let controls = if owner.is_some() { "true" } else { "" };
        self.mark(&[("owner_kind", kind), ("owner_name", name), ("owner_is_controller", controls)]);
    }

    /// Amounts by resource. Cores are counted in cores, everything else as it is.
    fn amounts(&mut self, labels: &[(&str, &str)], list: &ResourceList) {
        for (name, amount) in &list.0 {
            let Some((unit, whole)) = unit(name) else { continue };
            let resource = as_label(name);
            let labels = labels.iter().copied().chain([("resource", resource.as_str()), ("unit", unit)]);
            self.add(&labels.collect::<Vec<_>>(), *amount as f64 / whole);
        }
    }
}

/// In which unit a resource is told, and how many of ours make one; nothing if kube-state-metrics leaves it out.
fn unit(resource: &str) -> Option<(&'static str, f64)> {
    match resource {
        kube::CPU => Some(("core", 1000.0)),
        kube::MEMORY | kube::EPHEMERAL_STORAGE | "storage" => Some(("byte", 1.0)),
        kube::PODS => Some(("integer", 1.0)),
        name if name.starts_with(kube::HUGE_PAGES_PREFIX) => Some(("byte", 1.0)),
        name if name.contains('/') && !name.contains("kubernetes.io/") => Some(("integer", 1.0)),
        _ => None,
    }
}

/// A name of Kubernetes as far as it can be part of one of Prometheus.
fn as_label(name: &str) -> String {
    let allowed = |letter: char| letter.is_ascii_alphanumeric() || letter == '_';
    name.chars().map(|letter| if allowed(letter) { letter } else { '_' }).collect()
}

const fn word(holds: bool) -> &'static str {
    if holds { "true" } else { "false" }
}

#[cfg(test)]
mod tests {
    use super::*;
    use control::world::World as _;
    use model::time::Timestamp;

    fn look() -> Look {
        look_at(include_bytes!("../../../../../scenarios/three-waves.yaml"))
    }

    fn look_at(file: &[u8]) -> Look {
        let scenario = simulator::scenario::read("scenario.yaml", file).expect("a valid scenario");
        let plan = lab::run::Plan::new(scenario, 1);
        let mut world = SimulatedWorld::new(plan.world, plan.reviewer, 1);
        let _ = world.next_input(Timestamp(60_000));
        Look::at(&world)
    }

    #[test]
    fn what_is_too_much_is_left_out_and_still_counted() {
        let shown = |most: usize| Shelf::of(&look(), most).all(Resource::Pods).len();
        let all: usize = look().0.iter().map(|(_, inventory)| inventory.pods.len()).sum();
        assert!(all > 4, "{all}");
        assert_eq!((shown(usize::MAX), shown(3), shown(0)), (all, 3, 0));
        let left_out = |look: &Look, most: usize| Shelf::of(look, most).pods_left_out;
        assert_eq!((left_out(&look(), usize::MAX), left_out(&look(), 3)), (0, all - 3));
        let mut page = Page::default();
        let replicas = pod_counts(&Shelf::of(&look(), 0), &mut page);
        assert_eq!(replicas, pod_counts(&Shelf::of(&look(), usize::MAX), &mut Page::default()));
        let mut less = look();
        let workloads: usize = less.0.iter().map(|(_, inventory)| inventory.workloads.len()).sum();
        assert_eq!(less.limit_workloads(1), workloads - 1);
        let rest = Shelf::of(&less, usize::MAX);
        assert!(rest.all(Resource::Deployments).len() <= 1);
        assert_eq!(rest.pods_left_out + rest.all(Resource::Pods).len(), all);
    }

    #[test]
    fn no_series_is_there_twice() {
        let file = b"drover: scenario/v1\nname: twins\nduration: 10m\nclusters:\n  - { name: one, pools: [{ nodes: 1, cpu: 8, \
            memory: 32Gi }] }\nworkloads:\n  - { name: web, cluster: one, replicas: 1, cpu: 1, memory: 1Gi, \
            disruption_budget: { min_available: 1 } }\n  - { name: web, kind: statefulset, cluster: one, replicas: 2, cpu: 1, \
            memory: 1Gi, disruption_budget: { min_available: 1 } }\n";
        let mut page = Page::default();
        write(&mut page, look_at(file));
        let text = page.finish();
        let all: Vec<&str> = text.lines().filter_map(|line| Some(line.rsplit_once(' ')?.0)).collect();
        let series: Vec<&str> = all.into_iter().filter(|line| !line.starts_with('#')).collect();
        assert!(series.iter().any(|line| line.starts_with("kube_poddisruptionbudget_")), "{text}");
        let once: BTreeSet<&&str> = series.iter().collect();
        assert_eq!(once.len(), series.len());
    }

    /// Everything about deployments.
    fn pod_counts(shelf: &Shelf, page: &mut Page) -> String {
        for family in workload::FAMILIES {
            family.write(page, shelf);
        }
        std::mem::take(page).finish()
    }

    #[test]
    fn a_silent_node_is_neither_ready_nor_not_and_its_pods_are_not_ready() {
        let mut look = look();
        let (cluster, inventory) = &mut look.0[0];
        let cluster = format!("cluster=\"{cluster}\"");
        let placed = inventory.pods.iter().find_map(|pod| pod.node.clone()).expect("a pod with a node");
        let pods = inventory.pods.iter().filter(|pod| pod.node.as_ref() == Some(&placed)).count();
        let silent = inventory.nodes.iter_mut().find(|node| node.name == placed).expect("its node");
        silent.ready = false;
        let mut page = Page::default();
        write(&mut page, look);
        let page = page.finish();
        let count = |family: &str, labels: &[&str]| {
            let fits =
                |line: &&str| line.starts_with(family) && labels.iter().all(|label| line.contains(label));
            page.lines().filter(fits).filter(|line| line.ends_with(" 1")).count()
        };
        // Other clusters have nodes of the same name.
        let node = format!("{cluster},node=\"{placed}\"");
        assert_eq!(count("kube_node_status_condition", &[&node, "status=\"unknown\""]), 4);
        assert_eq!(count("kube_node_status_condition", &[&node]), 4);
        assert_eq!(count("kube_node_spec_unschedulable", &[&node]), 0, "or no alert would be raised");
        assert_eq!(count("kube_pod_status_ready", &[&cluster, "condition=\"false\""]), pods);
    }

    #[test]
    fn resources_have_the_units_of_upstream() {
        for (resource, expected) in [
            ("cpu", Some(("core", 1000.0))),
            ("ephemeral-storage", Some(("byte", 1.0))),
            ("hugepages-2Mi", Some(("byte", 1.0))),
            ("nvidia.com/gpu", Some(("integer", 1.0))),
            ("pods", Some(("integer", 1.0))),
            ("something", None),
        ] {
            assert_eq!(unit(resource), expected, "{resource}");
        }
        assert_eq!(as_label("nvidia.com/gpu"), "nvidia_com_gpu");
    }
}
