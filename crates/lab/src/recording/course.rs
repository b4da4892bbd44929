//! The course of one cluster and of one workload in one cluster, put together from observations.

use super::pods::Moments;
use model::energy::Milliwatts;
use model::money::{MicroDollars, cost_of};
use model::names::{ClusterName, NodeName, PoolName, WorkloadRef};
use model::quantity::MilliCpu;
use model::resources::Resources;
use model::series::Sample;
use model::signal::Signal;
use model::snapshot::{ClusterView, NodeView, PlacementView, PoolView, WorkloadView};
use model::time::{Period, Timestamp};
use std::collections::BTreeMap;

/// What is older than this is not what a node uses now.
const FRESH: Period = Period::from_minutes(2);

/// The observation before, and the one in which something was seen first: it happened in between.
pub(super) type Between = (Timestamp, Timestamp);

#[derive(Debug, Default)]
pub(super) struct ClusterCourse {
    pub(super) samples: Vec<Sample>,
    pub(super) pools: BTreeMap<PoolName, PoolView>,
    /// Every node that was ever ready, in the order of names.
    pub(super) nodes: BTreeMap<NodeName, Vec<NodeCourse>>,
    pub(super) begun: Timestamp,
    /// Milliseconds of ready nodes, pool by pool.
    paid: BTreeMap<PoolName, u128>,
}

/// A node from when it was ready until it was seen no more.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct NodeCourse {
    pub(super) pool: PoolName,
    pub(super) capacity: Resources,
    pub(super) from: Timestamp,
    pub(super) until: Option<Timestamp>,
}

impl ClusterCourse {
    pub(super) fn note(&mut self, now: Timestamp, view: &ClusterView) {
        match self.samples.last() {
            None => self.begun = now,
            Some(last) => self.pay(now.since(last.at)),
        }
        for (name, node) in &view.nodes {
            self.note_node(now, name, node);
        }
        for (name, courses) in &mut self.nodes {
            if let Some(course) = courses.last_mut().filter(|_| !view.nodes.contains_key(name)) {
                course.until.get_or_insert(now);
            }
        }
        self.pools.extend(view.pools.iter().map(|(name, pool)| (name.clone(), pool.clone())));
        for (name, pool) in &mut self.pools {
            pool.nodes = view.pools.get(name).map_or(0, |seen| seen.nodes);
        }
        self.samples.push(self.sample(now, view));
    }

    /// What was ready at the last observation was paid for until now.
    fn pay(&mut self, time: Period) {
        for (name, pool) in &self.pools {
            *self.paid.entry(name.clone()).or_default() +=
                u128::from(pool.nodes) * u128::from(time.as_millis());
        }
    }

    fn note_node(&mut self, now: Timestamp, name: &NodeName, node: &NodeView) {
        let courses = self.nodes.entry(name.clone()).or_default();
        match courses.last_mut().filter(|course| course.until.is_none()) {
            Some(course) => course.capacity = node.capacity,
            None if node.schedulable || now == self.begun => courses.push(NodeCourse {
                pool: node.pool.clone(),
                capacity: node.capacity,
                from: now,
                until: None,
            }),
            None => {}
        }
    }

    fn sample(&self, now: Timestamp, view: &ClusterView) -> Sample {
        let cost = |(name, milliseconds): (&PoolName, &u128)| {
            cost_of(self.pools.get(name).map_or(MicroDollars(0), |pool| pool.price_per_hour), *milliseconds)
        };
        let measured = |signal: Signal| view.signals.fresh(signal, now, FRESH).map(|value| value.0);
        Sample {
            at: now,
            nodes: view.pools.values().map(|pool| pool.nodes).sum(),
            capacity: view.capacity,
            allocated: view.allocated,
            requested: view.requested,
            pods_pending: view.pods_pending,
            pods_running: u32::try_from(view.allocated.pods).unwrap_or(u32::MAX),
            cost: self.paid.iter().map(cost).sum(),
            cpu_used: measured(Signal::CpuUsage).map(MilliCpu),
            power: measured(Signal::PowerWatts).map(Milliwatts),
        }
    }
}

/// A workload in one cluster, from when it came until it went.
#[derive(Debug)]
pub(super) struct Stretch {
    pub(super) workload: WorkloadRef,
    pub(super) cluster: ClusterName,
    pub(super) at: Timestamp,
    pub(super) until: Option<Timestamp>,
    pub(super) each: Resources,
    pub(super) replicas: u32,
    pub(super) priority: i32,
    pub(super) movable: bool,
    pub(super) changes: Vec<Change>,
    /// In which it came and went; nothing if it was there at the beginning, or stayed to the end.
    came: Option<Between>,
    went: Option<Between>,
    now: Wanted,
}

type Wanted = (Resources, u32);

/// Other requests or another number.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Change {
    pub(super) at: Timestamp,
    /// What one pod requests, if that changed.
    pub(super) each: Option<Resources>,
    pub(super) replicas: u32,
    between: Between,
}

impl Stretch {
    pub(super) fn begin(
        key: &(WorkloadRef, ClusterName),
        between: Between,
        is_first: bool,
        view: &WorkloadView,
        placement: &PlacementView,
    ) -> Self {
        Self {
            workload: key.0.clone(),
            cluster: key.1.clone(),
            at: if is_first { Timestamp::EPOCH } else { between.1 },
            until: None,
            each: view.each,
            replicas: placement.replicas,
            priority: view.priority,
            movable: view.movable,
            changes: Vec::new(),
            came: (!is_first).then_some(between),
            went: None,
            now: (view.each, placement.replicas),
        }
    }

    pub(super) fn go_on(&mut self, between: Between, view: &WorkloadView, placement: &PlacementView) {
        // The first pods tell their priority, and may come after the workload.
        self.priority = view.priority;
        let (each, replicas) = self.now;
        if (view.each, placement.replicas) == (each, replicas) {
            return;
        }
        self.now = (view.each, placement.replicas);
        let each = (view.each != each).then_some(view.each);
        self.changes.push(Change { at: between.1, each, replicas: placement.replicas, between });
    }

    pub(super) fn end(&mut self, between: Between) {
        self.until = Some(between.1);
        self.went = Some(between);
    }

    /// Pods are heard of at once: what was seen to have happened between two observations happened when the first of them came or
    /// was told to stop.
    pub(super) fn sharpen(&mut self, moments: &Moments) {
        let known = moments.get(&(self.workload.clone(), self.cluster.clone()));
        let sharp = |(after, until): Between| {
            let first =
                known.and_then(|known| known.range(after.saturating_add(Period::from_millis(1))..).next());
            first.copied().filter(|at| *at <= until).unwrap_or(until)
        };
        if let Some(between) = self.came {
            self.at = sharp(between);
        }
        for change in &mut self.changes {
            change.at = sharp(change.between).max(self.at);
        }
        if let Some(between) = self.went {
            // It went after everything else that was seen of it.
            let earliest = self.changes.last().map_or(self.at, |change| change.at);
            self.until = Some(sharp(between).max(earliest.saturating_add(Period::from_millis(1))));
        }
    }
}
