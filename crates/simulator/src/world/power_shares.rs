//! Whose power it is: what a host draws is shared out among the pods that run on it, and summed up for each service.
//!
//! A host is looked at once per event at most, after everything that happens at the moment has happened.

use super::SimulatedWorld;
use super::cluster::Cluster;
use crate::power::{self, Host, Load, Rules};
use crate::scheduler::{NodeId, PodId};
use crate::telemetry::Gauge;
use model::energy::{Microjoules, Milliwatts};
use model::quantity::MilliCpu;
use model::ratio::Ratio;
use model::signal::{Milli, Signal};
use model::time::Timestamp;
use std::collections::{BTreeMap, BTreeSet};

/// The shares in one cluster.
#[derive(Clone, Debug)]
pub(crate) struct PowerShares {
    rules: Rules,
    hosts: BTreeMap<NodeId, BTreeMap<PodId, Member>>,
    /// Hosts that are used differently, or by others, than when they were last looked at.
    changed: BTreeSet<NodeId>,
    workloads: BTreeMap<u32, Gauge>,
}

/// A pod that runs on a host.
#[derive(Clone, Copy, Debug)]
struct Member {
    workload: u32,
    request: MilliCpu,
    power: Milliwatts,
}

impl PowerShares {
    pub(super) const fn new(rules: Rules) -> Self {
        Self { rules, hosts: BTreeMap::new(), changed: BTreeSet::new(), workloads: BTreeMap::new() }
    }

    pub(super) fn host_changed(&mut self, node: NodeId) {
        self.changed.insert(node);
    }

    pub(super) fn join(&mut self, node: NodeId, pod: PodId, workload: u32, request: MilliCpu) {
        let newcomer = Member { workload, request, power: Milliwatts(0) };
        self.hosts.entry(node).or_default().entry(pod).or_insert(newcomer);
    }

    pub(super) fn leave(&mut self, now: Timestamp, node: NodeId, pod: PodId) {
        let Some(members) = self.hosts.get_mut(&node) else { return };
        if let Some(member) = members.remove(&pod) {
            self.change(now, member.workload, member.power, Milliwatts(0));
        }
    }

    fn change(&mut self, now: Timestamp, workload: u32, before: Milliwatts, after: Milliwatts) {
        let gauge = self.workloads.entry(workload).or_default();
        // What the pod drew is part of the sum, so it does not fall below zero.
        gauge.set(now, Milli(gauge.value().0 + after.0 - before.0));
    }

    /// Gives the power of one host to its pods.
    fn share_out(&mut self, now: Timestamp, node: NodeId, host: &Host, usage: impl Fn(PodId) -> MilliCpu) {
        let Some(members) = self.hosts.get(&node) else { return };
        let load = |(pod, member): (&PodId, &Member)| Load {
            usage: usage(*pod),
            request: member.request,
            processes: 1,
        };
        let loads: Vec<Load> = members.iter().map(load).collect();
        let pods: Vec<PodId> = members.keys().copied().collect();
        let shares = power::attribute(host, &loads, self.rules);
        for (pod, part) in pods.into_iter().zip(shares.parts) {
            let Some(member) = self.hosts.get_mut(&node).and_then(|members| members.get_mut(&pod)) else {
                continue;
            };
            let (workload, before) = (member.workload, member.power);
            member.power = part.total();
            self.change(now, workload, before, part.total());
        }
    }

    fn energy(&self, workload: u32, now: Timestamp) -> Microjoules {
        // Thousandths of a watt times milliseconds.
        Microjoules(self.workloads.get(&workload).map_or(0, |gauge| gauge.integral(now)))
    }
}

impl Cluster {
    /// Looks at all hosts that changed; returns whether any did.
    fn share_power(&mut self, now: Timestamp) -> bool {
        let Some(mut shares) = self.power_shares.take() else { return false };
        let changed = std::mem::take(&mut shares.changed);
        for node in &changed {
            let host = self.host(*node);
            let usage = |pod: PodId| {
                let gauge = self.usage.as_ref().and_then(|usage| usage.pod(pod));
                gauge.map_or(MilliCpu(0), |gauge| MilliCpu(gauge.value().0))
            };
            shares.share_out(now, *node, &host, usage);
        }
        self.power_shares = Some(shares);
        !changed.is_empty()
    }

    /// A host as attribution sees it; one that is gone draws nothing.
    fn host(&self, node: NodeId) -> Host {
        let (Some(usage), Some(record)) = (&self.usage, self.node(node)) else { return Host::default() };
        let spec = &self.pools[record.pool].spec.host;
        let idle = spec.power.as_ref().map_or(Milliwatts(0), |model| model.power(Ratio::ZERO));
        let system = Load { usage: spec.background, request: MilliCpu(0), processes: spec.processes };
        Host { power: Milliwatts(usage.node(node).power.value().0), idle, capacity: spec.cpu, system }
    }
}

impl SimulatedWorld {
    /// Where it is known what hosts draw, and there are services that could draw it.
    pub(super) fn begin_power_shares(&mut self) {
        for cluster in &mut self.clusters {
            let wanted = !self.services.is_empty() && cluster.has_power();
            cluster.power_shares = wanted.then(|| Box::new(PowerShares::new(self.spec.attribution)));
        }
    }

    /// Shares out what changed at this moment, for the meters and for the next scrape.
    pub(super) fn share_power(&mut self) {
        let now = self.agenda.now();
        for (index, cluster) in self.clusters.iter_mut().enumerate() {
            if !cluster.share_power(now) {
                continue;
            }
            let Some(shares) = &cluster.power_shares else { continue };
            for run in &mut self.services {
                let gauge = shares.workloads.get(&(run.workload as u32));
                if let (Some(gauge), Some(board)) = (gauge, run.boards.get_mut(&index)) {
                    board.set(now, Signal::PowerWatts, gauge.value());
                }
            }
        }
    }

    /// What a workload's pods were given of the energy of their hosts; not known where no host's power is.
    pub(super) fn energy_of(&self, workload: usize) -> Option<Microjoules> {
        let now = self.agenda.now();
        let shares = self.clusters.iter().filter_map(|cluster| cluster.power_shares.as_ref());
        shares.map(|shares| shares.energy(workload as u32, now)).reduce(|all, one| Microjoules(all.0 + one.0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scenario::{self, Scenario};
    use model::document::to_yaml;
    use model::names::WorkloadRef;
    use serde_json::{Value, json};
    use std::sync::Arc;

    /// One host of ten cores that draws 100 W at rest and 200 W with all of them busy, and two services on it.
    fn world(rules: &Value) -> SimulatedWorld {
        let service = |name: &str, requests: u32| {
            json!({ "name": name, "cluster": "one", "cpu": "2", "memory": "1Gi", "replicas": 1,
                "service": { "demand": { "requests_per_second": requests }, "cpu_per_request": "10ms" } })
        };
        let text = to_yaml(&json!({ "drover": "scenario/v1", "name": "small", "duration": "2h",
            "metrics": { "every": "15s", "lag": "0s", "window": "30s" }, "power_attribution": rules,
            "pods": { "start_time": "0s", "stop_time": "0s" },
            "clusters": [{ "name": "one", "pools": [
                { "nodes": 1, "cpu": "10", "memory": "16Gi", "power": { "idle": 100, "max": 200 } }] }],
            "workloads": [service("busy", 150), service("calm", 50)],
            "events": [{ "at": "1h", "workload": "default/busy", "change": { "delete": {} } }] }));
        let read: Scenario<Value> = scenario::read("small.yaml", text.as_bytes())
            .unwrap_or_else(|problems| panic!("{problems}\n{text}"));
        SimulatedWorld::new(Arc::new(read.world), read.reviewer, 1)
    }

    fn run(world: &mut SimulatedWorld, minutes: u64) {
        let until = Timestamp(minutes * 60_000);
        while world.agenda.next_at().is_some_and(|next| next <= until) {
            world.step();
        }
        world.meter.account(world.agenda.now(), until, &world.clusters);
        world.agenda.advance_to(until);
    }

    fn watts(world: &SimulatedWorld, name: &str) -> f64 {
        let reference: WorkloadRef = format!("default/{name}").parse().unwrap();
        let reading = world.snapshot().workloads[&reference].signals.get(Signal::PowerWatts);
        reading.expect("it is measured").value.0 as f64 / 1_000.0
    }

    fn near(got: f64, want: f64) {
        assert!((got - want).abs() < want * 0.02, "{got} is not {want}");
    }

    #[test]
    fn services_see_their_share_of_the_host() {
        // 1.5 and 0.5 cores of 10 make 20 W above idle.
        for (rules, busy, calm) in [
            (json!({ "idle": "nobody" }), 15.0, 5.0),
            (json!({ "idle": "by-usage" }), 90.0, 30.0),
            (json!({ "idle": "by-request" }), 35.0, 25.0),
            (json!({ "idle": "by-processes" }), 15.0 + 100.0 / 3.0, 5.0 + 100.0 / 3.0),
        ] {
            let mut world = world(&rules);
            run(&mut world, 30);
            near(watts(&world, "busy"), busy);
            near(watts(&world, "calm"), calm);
        }
    }

    #[test]
    fn energy_is_counted_for_as_long_as_there_are_pods() {
        let mut world = world(&json!({ "idle": "by-usage" }));
        run(&mut world, 120);
        let totals = world.totals();
        let services: Vec<f64> = totals
            .services
            .values()
            .map(|service| service.energy.expect("known").as_kilowatt_hours_float() * 1_000.0)
            .collect();
        // An hour at 90 W; an hour at 30 W and, alone on the host, one at all of its 105 W.
        near(services[0], 90.0);
        near(services[1], 135.0);
        let whole =
            totals.clusters.values().next().unwrap().energy.unwrap().as_kilowatt_hours_float() * 1_000.0;
        near(services.iter().sum(), whole);
    }

    #[test]
    fn without_a_power_model_nothing_is_known() {
        let world = world(&json!({ "idle": "nobody" }));
        let mut dark = (*world.spec).clone();
        dark.clusters[0].pools[0].host.power = None;
        let mut dark = SimulatedWorld::new(Arc::new(dark), world.reviewer, 1);
        run(&mut dark, 30);
        assert!(dark.totals().services.values().all(|service| service.energy.is_none()));
        let reference: WorkloadRef = "default/busy".parse().unwrap();
        assert_eq!(dark.snapshot().workloads[&reference].signals.get(Signal::PowerWatts), None);
    }
}
