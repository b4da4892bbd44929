//! Services while the simulation runs: demand goes to ready replicas, replicas use CPU, requests are counted.
//!
//! Between two events everything stays as it is, so a service is brought up to date when its replicas change and at the latest
//! after one step. What a step will bring is looked up ahead, because CPU, power and metrics need it at its beginning; what
//! it brought is counted at its end, when its length is known.

mod elasticity;
mod groups;
mod histogram;
mod meter;
mod ways;

pub use elasticity::ElasticityTotals;
pub use meter::ServiceTotals;

use super::SimulatedWorld;
use super::agenda::Event;
use super::cluster::Cluster;
use super::pods::PodKey;
use super::windows::ServiceSpan;
use super::workloads::Workload;
use crate::demand::{Demand, Load};
use crate::network::{Network, Traffic};
use crate::randomness::Randomness;
use crate::scenario::{Objective, ServiceSpec, WorkloadSpec, WorldSpec};
use crate::service::{Counts, Group, Outcome, Regrouping, Service};
use crate::telemetry::Board;
use groups::ReadyGroup;
use meter::{ServiceMeter, Standing};
use model::names::WorkloadRef;
use model::quantity::MilliCpu;
use model::series::ServiceSample;
use model::signal::{Milli, Signal};
use model::time::{Period, Timestamp};
use std::collections::BTreeMap;
use std::sync::Arc;
use ways::Ways;

/// One service as it runs.
#[derive(Clone, Debug)]
pub(crate) struct ServiceRun {
    pub(crate) workload: usize,
    spec: Arc<ServiceSpec>,
    demand: Demand,
    service: Service,
    /// Everything before is accounted for.
    since: Timestamp,
    load: Load,
    groups: Vec<ReadyGroup>,
    standing: Standing,
    /// What the present step brings, if it is a whole one.
    ahead: Outcome,
    meter: ServiceMeter,
    /// What is measured of it in each cluster.
    pub(crate) boards: BTreeMap<usize, Board>,
    pub(crate) samples: Vec<ServiceSample>,
    sample_every: Period,
    next_sample: Timestamp,
    ticks_at: Option<Timestamp>,
}

/// Time in which nothing changes for a service.
struct Stretch {
    since: Timestamp,
    passed: Period,
    load: Load,
    groups: Vec<Group>,
    lost_per_second: f64,
    standing: Standing,
    objective: Option<Objective>,
}

impl Stretch {
    fn count(&self, service: &mut Service, meter: &mut ServiceMeter) {
        let outcome = service.advance(self.since, self.passed, self.load, &self.groups);
        meter.lost_on_the_way(self.lost_per_second * self.passed.as_seconds_float());
        meter.account(self.passed, &outcome, self.standing, self.objective);
    }
}

/// Everything that was counted for a service up to a moment.
#[derive(Clone, Debug)]
pub(crate) struct ServiceMark {
    counts: Counts,
    meter: ServiceMeter,
    objective: Option<Objective>,
}

impl ServiceMark {
    /// What happened between two marks of one service.
    pub(super) fn until(&self, later: &Self) -> ServiceSpan {
        later.meter.since(&self.meter, later.counts - self.counts, later.objective.is_some())
    }
}

/// What a service can see of the world when it is brought up to date.
pub(super) struct Scene<'a> {
    pub(super) now: Timestamp,
    pub(super) step: Period,
    pub(super) clusters: &'a [Cluster],
    pub(super) workload: &'a Workload,
    pub(super) network: Option<&'a Network>,
    /// The network is as it is at this moment.
    pub(super) network_at: Timestamp,
    pub(super) traffic: &'a Traffic,
    /// Clusters that no client can reach.
    pub(super) cut_off: &'a [bool],
}

/// What a pod uses from now on.
pub(super) struct PodLoad {
    pub(super) cluster: usize,
    pub(super) pod: PodKey,
    pub(super) cpu: MilliCpu,
}

impl ServiceRun {
    fn new(
        workload: usize,
        spec: &WorkloadSpec,
        service: &Arc<ServiceSpec>,
        sample_every: Period,
        randomness: Randomness,
    ) -> Self {
        let name = spec.reference.to_string();
        let demand = Arc::clone(&service.demand).with(randomness, &name);
        let noise = randomness.field(&format!("latency/{name}"));
        Self {
            workload,
            service: Service::new(service.profile).with_noise(noise),
            load: demand.load_at(Timestamp::EPOCH),
            demand,
            spec: Arc::clone(service),
            since: Timestamp::EPOCH,
            groups: Vec::new(),
            standing: Standing::default(),
            ahead: Outcome::default(),
            meter: ServiceMeter::default(),
            boards: BTreeMap::new(),
            samples: Vec::new(),
            sample_every,
            next_sample: Timestamp::EPOCH,
            ticks_at: None,
        }
    }

    /// Accounts for the time since the last call, looks at what is ready now, and says what pods use from now on.
    fn refresh(&mut self, scene: &Scene<'_>) -> Vec<PodLoad> {
        self.account_until(scene.now);
        if !scene.workload.exists && scene.workload.placements.is_empty() {
            self.groups.clear();
            return Vec::new();
        }
        let (groups, ways) = groups::collect(scene, self.service.profile());
        self.follow_replicas(scene, &groups);
        self.load = self.demand.load_at(scene.now);
        self.standing = self.standing_of(scene, &groups, &ways);
        self.groups = groups;
        let (step, load) = (scene.step, scaled(self.load, 1.0 - self.standing.unreachable));
        self.ahead = self.service.clone().advance(scene.now, step, load, &self.plain_groups());
        self.set_boards(scene.now);
        self.pod_loads()
    }

    /// Counts what happened since the last call.
    pub(super) fn account_until(&mut self, now: Timestamp) {
        let passed = now.since(self.since);
        if passed.is_zero() {
            return;
        }
        while self.next_sample < now {
            self.sample(self.next_sample);
            self.next_sample += self.sample_every;
        }
        let stretch = self.stretch(passed);
        stretch.count(&mut self.service, &mut self.meter);
        self.since = now;
    }

    /// What was counted until `at`, if nothing changes from now until then.
    pub(super) fn mark(&self, at: Timestamp) -> ServiceMark {
        let (mut service, mut meter) = (self.service.clone(), self.meter.clone());
        let passed = at.since(self.since);
        if !passed.is_zero() {
            self.stretch(passed).count(&mut service, &mut meter);
        }
        ServiceMark { counts: service.totals(), objective: self.spec.objective, meter }
    }

    /// So much time from where everything is accounted for.
    fn stretch(&self, passed: Period) -> Stretch {
        Stretch {
            since: self.since,
            passed,
            load: scaled(self.load, 1.0 - self.standing.unreachable),
            groups: self.plain_groups(),
            lost_per_second: arrivals_per_second(self.load, &self.spec) * self.standing.unreachable,
            standing: self.standing,
            objective: self.spec.objective,
        }
    }

    /// Replicas that are no longer ready get the time until they stop to finish their requests; lost ones get none. Those that
    /// became warm, or whose share of the host changed, keep theirs.
    fn follow_replicas(&mut self, scene: &Scene<'_>, next: &[ReadyGroup]) {
        let mut changes = Vec::new();
        for old in std::mem::take(&mut self.groups) {
            let fates = groups::fates(scene, &old, next);
            let mut group = old.group;
            for (grace, replicas) in fates.leave {
                self.service.stop(&group, replicas, grace);
                group.replicas -= replicas;
            }
            let change = |(to, replicas)| Regrouping { from: group, replicas, to };
            changes.extend(fates.change.into_iter().map(change));
        }
        self.service.regroup(&changes);
    }

    fn standing_of(&self, scene: &Scene<'_>, groups: &[ReadyGroup], ways: &Ways) -> Standing {
        let replicas = groups.iter().map(|group| group.group.replicas).sum();
        let each = scene.workload.template.each.cpu.0 as f64 / 1_000.0;
        let cores = arrivals_per_second(self.load, &self.spec) * self.spec.profile.cpu_seconds();
        let per_replica = each * elasticity::BUSIEST;
        Standing {
            replicas,
            needed: if per_replica > 0.0 { (cores / per_replica).ceil() as u32 } else { 1 },
            requested_cores: f64::from(replicas) * each,
            unreachable: ways.lost(),
        }
    }

    fn plain_groups(&self) -> Vec<Group> {
        self.groups.iter().map(|group| group.group).collect()
    }

    fn pod_loads(&self) -> Vec<PodLoad> {
        let mut loads = Vec::new();
        for (group, outcome) in self.groups.iter().zip(&self.ahead.groups) {
            let each = outcome.cores_used * 1_000.0 / f64::from(group.group.replicas.max(1));
            let cpu = MilliCpu(each.round() as u64);
            let load = |pod: &PodKey| PodLoad { cluster: group.cluster, pod: *pod, cpu };
            loads.extend(group.pods.iter().map(load));
        }
        loads
    }

    /// The true values that will be scraped, cluster by cluster.
    fn set_boards(&mut self, now: Timestamp) {
        let mut clusters: BTreeMap<usize, Vec<usize>> =
            self.boards.keys().map(|index| (*index, Vec::new())).collect();
        for (index, group) in self.groups.iter().enumerate() {
            clusters.entry(group.cluster).or_default().push(index);
        }
        for (cluster, members) in clusters {
            let board = self.boards.entry(cluster).or_default();
            let parts: Vec<_> = members.iter().map(|index| &self.ahead.groups[*index]).collect();
            let seconds = self.ahead.seconds.max(1e-3);
            let rate = |count: fn(&Counts) -> f64| {
                Milli::nearest(parts.iter().map(|part| count(&part.counts)).sum::<f64>() / seconds)
            };
            let cores: f64 = parts.iter().map(|part| part.cores_used).sum();
            board.set(now, Signal::CpuUsage, Milli::nearest(cores));
            board.set(now, Signal::RequestsPerSecond, rate(|counts| counts.arrivals));
            board.set(now, Signal::ThroughputPerSecond, rate(|counts| counts.completed));
            board.set(now, Signal::ErrorsPerSecond, rate(|counts| counts.errors() + counts.time_outs));
            let answered: f64 = parts.iter().map(|part| part.counts.completed).sum();
            let latency = |of: fn(&crate::service::Latency) -> f64| {
                let weighted =
                    parts.iter().map(|part| part.counts.completed * of(&part.latency)).sum::<f64>();
                Milli::nearest(if answered > 0.0 { weighted / answered * 1_000.0 } else { 0.0 })
            };
            board.set(now, Signal::LatencyMean, latency(|latency| latency.mean));
            board.set(now, Signal::LatencyP50, latency(|latency| latency.p50));
            board.set(now, Signal::LatencyP95, latency(|latency| latency.p95));
            board.set(now, Signal::LatencyP99, latency(|latency| latency.p99));
            if let Load::Closed { users, .. } = self.load {
                let share = parts.len().min(1) as f64 * cores_share(&parts, self.ahead.cores);
                board.set(now, Signal::Users, Milli::nearest(users * share));
            }
        }
    }

    /// The state at a moment, for figures.
    pub(super) fn sample(&mut self, at: Timestamp) {
        let (demand, users) = match self.load {
            Load::Open { requests_per_second } => (requests_per_second, None),
            Load::Closed { users, .. } => (arrivals_per_second(self.load, &self.spec), Some(users)),
        };
        let lost = arrivals_per_second(self.load, &self.spec) * self.standing.unreachable;
        let failed = self.ahead.errors_per_second() + self.ahead.time_outs_per_second() + lost;
        self.samples.push(ServiceSample {
            at,
            demand: Milli::nearest(demand),
            users: users.map(Milli::nearest),
            throughput: Milli::nearest(self.ahead.throughput()),
            errors: Milli::nearest(failed),
            latency_mean_ms: Milli::nearest(self.ahead.latency.mean * 1_000.0),
            latency_p95_ms: Milli::nearest(self.ahead.latency.p95 * 1_000.0),
            replicas_ready: self.standing.replicas,
            replicas_needed: self.standing.needed,
            cpu_used: MilliCpu((self.ahead.cores_used * 1_000.0).round() as u64),
        });
    }

    /// The same without what was kept for figures.
    pub(super) fn without_samples(&self) -> Self {
        Self {
            workload: self.workload,
            spec: Arc::clone(&self.spec),
            demand: self.demand.clone(),
            service: self.service.clone(),
            since: self.since,
            load: self.load,
            groups: self.groups.clone(),
            standing: self.standing,
            ahead: self.ahead.clone(),
            meter: self.meter.clone(),
            boards: self.boards.clone(),
            samples: Vec::new(),
            sample_every: self.sample_every,
            next_sample: Timestamp::MAX,
            ticks_at: self.ticks_at,
        }
    }

    /// From now on demand stays as it is, and noise is that of another future.
    pub(super) fn persist(&mut self, now: Timestamp, name: &WorkloadRef, randomness: Randomness) {
        let name = name.to_string();
        self.demand = self.demand.persisting(now, randomness, &name);
        self.service.renew_noise(now, randomness.field(&format!("latency/{name}")));
    }

    pub(super) fn totals(&self) -> ServiceTotals {
        ServiceTotals { objective: self.spec.objective, ..self.meter.totals(self.service.totals()) }
    }

    /// What became of all requests so far, and how many are inside.
    #[cfg(test)]
    pub(super) fn requests(&self) -> (Counts, f64) {
        (self.service.totals(), self.service.requests_inside())
    }

    /// How many replicas serve now.
    #[cfg(test)]
    pub(super) const fn replicas(&self) -> u32 {
        self.standing.replicas
    }

    /// The next moment at which to look again by itself.
    fn next_tick(&self, now: Timestamp, step: Period) -> Timestamp {
        let latest = now + step;
        let change = self.demand.next_change_after(now).filter(|at| *at > now);
        change.map_or(latest, |at| at.min(latest))
    }
}

fn cores_share(parts: &[&crate::service::GroupOutcome], all: f64) -> f64 {
    let own: f64 = parts.iter().map(|part| part.cores).sum();
    if all > 0.0 { own / all } else { 0.0 }
}

fn scaled(load: Load, share: f64) -> Load {
    match load {
        Load::Open { requests_per_second } => Load::Open { requests_per_second: requests_per_second * share },
        Load::Closed { users, think_seconds } => Load::Closed { users: users * share, think_seconds },
    }
}

/// Requests per second that come if nobody has to wait.
fn arrivals_per_second(load: Load, spec: &ServiceSpec) -> f64 {
    match load {
        Load::Open { requests_per_second } => requests_per_second,
        Load::Closed { users, think_seconds } => {
            let cycle = think_seconds + spec.profile.cpu_seconds() + spec.profile.wait_seconds();
            users / cycle.max(1e-3)
        }
    }
}

impl SimulatedWorld {
    pub(super) fn service_runs(spec: &WorldSpec, randomness: Randomness) -> Vec<ServiceRun> {
        let sample_every = super::meter::sample_every(spec.duration);
        let runs = spec.workloads.iter().enumerate().filter_map(|(number, workload)| {
            workload
                .service
                .as_ref()
                .map(|service| ServiceRun::new(number, workload, service, sample_every, randomness))
        });
        runs.collect()
    }

    /// Brings one service up to date and plans its next tick.
    pub(super) fn refresh_service(&mut self, index: usize) {
        let now = self.agenda.now();
        let spec = Arc::clone(&self.spec);
        let mut services = std::mem::take(&mut self.services);
        let run = &mut services[index];
        let traffic = run.spec.traffic.clone();
        let scene = Scene {
            now,
            step: spec.service_step,
            clusters: &self.clusters,
            workload: &self.workloads[run.workload],
            network: spec.network.as_ref(),
            network_at: self.known_until.map_or(now, |known| known.min(now)),
            traffic: &traffic,
            cut_off: &self.trouble.cut_off,
        };
        let loads = run.refresh(&scene);
        let next = run.next_tick(now, spec.service_step);
        if run.ticks_at.is_none_or(|at| at <= now || next < at) {
            run.ticks_at = Some(next);
            self.agenda.at(next, Event::ServiceTicks { service: index });
        }
        self.services = services;
        for PodLoad { cluster, pod, cpu } in loads {
            self.clusters[cluster].uses(now, pod, cpu);
        }
    }

    /// A planned look at a service; one that was overtaken by an earlier plan does nothing.
    pub(super) fn service_ticks(&mut self, index: usize) {
        if self.services[index].ticks_at == Some(self.agenda.now()) {
            self.refresh_service(index);
        }
    }

    pub(super) fn service_totals(&self) -> BTreeMap<WorkloadRef, ServiceTotals> {
        let now = self.agenda.now();
        let totals = |run: &ServiceRun| {
            let mut run = run.clone();
            run.account_until(now);
            let scaled = self.horizontals.iter().find(|horizontal| horizontal.workload == run.workload);
            let totals = ServiceTotals {
                energy: self.energy_of(run.workload),
                rescales: scaled.map(|horizontal| horizontal.rescales),
                clusters: run.boards.keys().map(|index| self.clusters[*index].name.clone()).collect(),
                ..run.totals()
            };
            (self.spec.workloads[run.workload].reference.clone(), totals)
        };
        self.services.iter().map(totals).collect()
    }

    /// Services whose replicas changed at this moment.
    pub(super) fn refresh_changed_services(&mut self) {
        for number in std::mem::take(&mut self.changed_services) {
            self.refresh_service(number);
        }
    }
}
