//! The simulated world: one event after the other, in virtual time.
//!
//! After every event the controllers of touched workloads look again and the schedulers place what they can, until nothing
//! is left to do at that moment; then time moves on and the meter accounts for it.

mod agenda;
mod autoscaler;
mod budgets;
mod cluster;
mod crash;
mod eviction;
mod failover;
mod history;
mod horizontal;
mod intervene;
#[cfg(test)]
mod invariants;
mod ledger;
mod meter;
mod metrics;
mod migration;
mod nodes;
mod objects;
mod observe;
mod orders;
mod placement;
mod pods;
mod power_shares;
mod progress;
mod provisioner;
mod rehearsal;
mod respondent;
mod reviewer;
mod scheduling;
mod services;
mod spot;
mod trouble;
mod usage;
mod vertical;
mod windows;
mod workloads;

pub use history::{Ended, Placed, PodLife};
pub use intervene::{Intervention, Refused};
pub use ledger::Ledger;
pub use meter::{ClusterTotals, Totals};
pub use nodes::POOL_LABEL;
pub use objects::{
    BudgetObject, ControllerObject, Inventory, JobObject, NodeObject, PodObject, PodStage, SetObject,
    Template, UseObject, Uses, WorkloadObject,
};
pub use rehearsal::{Ending, Future, Rehearsal, Rehearsed};
pub use respondent::Respondent;
pub use services::{ElasticityTotals, ServiceTotals};
pub use trouble::Mishap;
pub use vertical::VerticalTotals;
pub use windows::{ServiceSpan, Span, Surprises, Window, WindowId};

use crate::randomness::{Randomness, Stream};
use crate::scenario::{Change, KubernetesVersion, ReviewerSpec, Start, WorldSpec};
use crate::scheduler::{Profile, Version};
use agenda::{Agenda, Event};
use cluster::Cluster;
use control::world::{Effect, Input, World};
use failover::Leaving;
use horizontal::HorizontalRun;
use meter::Meter;
use metrics::ClusterMetrics;
use migration::Undertaking;
use model::names::WorkloadRef;
use model::recommendation::RecommendationId;
use model::series::Series;
use model::time::Timestamp;
use progress::Courses;
use services::ServiceRun;
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::sync::{Arc, OnceLock};
use trouble::Trouble;
use vertical::VerticalRun;
use windows::Windows;
use workloads::{Paged, Workload};

/// At one moment, more rounds of controllers and schedulers than this mean that they undo each other's work.
const MOST_ROUNDS: u32 = 10_000;

/// A federation that exists only here. Cloning it gives a second one that can be run ahead.
#[derive(Clone)]
pub struct SimulatedWorld {
    spec: Arc<WorldSpec>,
    reviewer: ReviewerSpec,
    respondent: Option<Arc<dyn Respondent>>,
    agenda: Agenda,
    chance: Chance,
    clusters: Vec<Cluster>,
    workloads: Paged<Workload>,
    /// Made when somebody first asks; see [`Self::workload_by_name`].
    numbers_by_name: OnceLock<Arc<BTreeMap<WorkloadRef, usize>>>,
    undertakings: BTreeMap<RecommendationId, Undertaking>,
    courses: Courses,
    inbox: VecDeque<Input>,
    services: Vec<ServiceRun>,
    /// Which service a workload has, by its number.
    service_of: Arc<BTreeMap<u32, usize>>,
    /// Services whose replicas changed at this moment.
    changed_services: BTreeSet<usize>,
    horizontals: Vec<HorizontalRun>,
    verticals: Vec<VerticalRun>,
    metrics: Vec<ClusterMetrics>,
    trouble: Trouble,
    /// In a rehearsal, the moment after which nothing is known of what the scenario says about networks.
    known_until: Option<Timestamp>,
    /// Workloads that leave a cluster which was lost, by workload and cluster.
    leaving: BTreeMap<(usize, usize), Leaving>,
    meter: Meter,
    windows: Windows,
    events: u64,
    /// Memory for the next list of touched workloads.
    spent: Vec<u32>,
}

/// The smallest step in which the world goes on.
enum Turn {
    /// One event was handled.
    Event,
    /// Something reaches the control loop.
    Input(Timestamp, Input),
    End,
}

/// One stream per purpose.
#[derive(Clone)]
struct Chance {
    boots: Stream,
    run_times: Stream,
    migration: Stream,
    reviewer: Stream,
    models: Stream,
    telemetry: Stream,
    crashes: Stream,
    orders: Stream,
}

impl Chance {
    fn new(randomness: Randomness) -> Self {
        Self {
            boots: randomness.stream("node boots"),
            run_times: randomness.stream("run times"),
            migration: randomness.stream("migration"),
            reviewer: randomness.stream("reviewer"),
            models: randomness.stream("slow models"),
            telemetry: randomness.stream("telemetry"),
            crashes: randomness.stream("fault nodes"),
            orders: randomness.stream("orders"),
        }
    }
}

impl SimulatedWorld {
    pub fn new(spec: Arc<WorldSpec>, reviewer: ReviewerSpec, seed: u64) -> Self {
        let randomness = Randomness::new(seed);
        let clusters: Vec<Cluster> = spec
            .clusters
            .iter()
            .enumerate()
            .map(|(index, cluster)| Cluster::new(index, cluster, profile(spec.kubernetes), randomness))
            .collect();
        let services = Self::service_runs(&spec, randomness);
        let mut world = Self {
            numbers_by_name: OnceLock::new(),
            workloads: spec.workloads.iter().map(Workload::new).collect(),
            meter: Meter::new(spec.limits, spec.duration, &clusters),
            reviewer,
            respondent: None,
            agenda: Agenda::default(),
            chance: Chance::new(randomness),
            metrics: clusters.iter().map(|_| ClusterMetrics::default()).collect(),
            clusters,
            undertakings: BTreeMap::new(),
            courses: Courses::default(),
            inbox: VecDeque::new(),
            service_of: Arc::new(
                services.iter().zip(0..).map(|(run, index)| (run.workload as u32, index)).collect(),
            ),
            services,
            changed_services: BTreeSet::new(),
            horizontals: HorizontalRun::all(&spec),
            verticals: VerticalRun::all(&spec),
            trouble: Trouble::new(&spec, randomness),
            known_until: None,
            leaving: BTreeMap::new(),
            windows: Windows::default(),
            events: 0,
            spent: Vec::new(),
            spec,
        };
        world.begin();
        world
    }

    fn begin(&mut self) {
        let measures = self.spec.measures();
        for cluster in &mut self.clusters {
            cluster.usage = measures.then(Box::default);
            for pool in 0..cluster.pools.len() {
                for _ in 0..cluster.pools[pool].spec.nodes {
                    cluster.node_ready(&mut self.agenda, pool);
                }
            }
            if let Some(autoscaler) = &cluster.autoscaler {
                let first = autoscaler.scan_every();
                self.agenda.after(first, Event::AutoscalerScans { cluster: cluster.index });
            }
            if let Some(provisioner) = &cluster.provisioner {
                let first = provisioner.poll_every();
                self.agenda.after(first, Event::ProvisionerDisrupts { cluster: cluster.index });
            }
        }
        self.begin_power_shares();
        self.plan_scrapes();
        self.plan_horizontal_sync();
        self.plan_vertical_look();
        self.plan_next_fault(0);
        if let Some(first) = self.spec.happenings.first() {
            self.agenda.at(first.at, Event::Happens { index: 0 });
        }
    }

    pub const fn now(&self) -> Timestamp {
        self.agenda.now()
    }

    /// How many events were handled.
    pub const fn events(&self) -> u64 {
        self.events
    }

    /// The results so far.
    pub fn totals(&self) -> Totals {
        let mut totals = self.meter.totals(&self.clusters);
        totals.evicted_pods = self.clusters.iter().map(|cluster| cluster.evictions).sum();
        totals.preempted_pods = self.clusters.iter().map(|cluster| cluster.preemptions).sum();
        totals.services = self.service_totals();
        totals.verticals = self.vertical_totals();
        totals
    }

    /// The course of the run, for figures.
    pub fn series(&self) -> Series {
        let mut series = self.meter.series(&self.clusters);
        let services = self
            .services
            .iter()
            .map(|run| (self.spec.workloads[run.workload].reference.clone(), run.samples.clone()));
        series.services = services.collect();
        series
    }

    /// How many workloads, pods and nodes a copy of it has to copy.
    pub fn size(&self) -> u64 {
        let clusters = self.clusters.iter();
        let held =
            clusters.map(|cluster| u64::from(cluster.pods.unused_from().0) + cluster.nodes.len() as u64);
        self.workloads.len() as u64 + held.sum::<u64>()
    }

    /// How many pods were ever made.
    pub fn pods_made(&self) -> u64 {
        self.clusters.iter().map(|cluster| cluster.pods.made()).sum()
    }

    /// Which pods went where, condensed.
    pub fn ledger(&self) -> Ledger {
        self.clusters.iter().fold(Ledger::default(), |all, cluster| all.and(cluster.ledger))
    }

    /// The number of every workload. A world in which nobody acts on workloads needs no such list.
    fn workload_by_name(&self) -> &BTreeMap<WorkloadRef, usize> {
        let workloads = self.spec.workloads.iter().enumerate();
        let names = workloads.map(|(number, workload)| (workload.reference.clone(), number));
        self.numbers_by_name.get_or_init(|| Arc::new(names.collect()))
    }

    /// When the scenario is over.
    pub fn end(&self) -> Timestamp {
        Timestamp::EPOCH + self.spec.duration
    }

    /// Hands out what has arrived, or handles one event, or lets the time until `deadline` pass.
    fn turn(&mut self, deadline: Timestamp) -> Turn {
        if let Some(input) = self.inbox.pop_front() {
            return Turn::Input(self.agenda.now(), input);
        }
        let limit = deadline.min(self.end());
        if self.agenda.next_at().is_some_and(|next| next <= limit) {
            self.step();
            return Turn::Event;
        }
        self.time_passes(limit);
        self.agenda.advance_to(limit);
        if deadline < self.end() { Turn::Input(deadline, Input::WakeUp) } else { Turn::End }
    }

    /// Handles the next event.
    fn step(&mut self) {
        let Some(next) = self.agenda.next_at() else { return };
        self.time_passes(next);
        let event = self.agenda.pop().expect("there is a next event");
        self.events += 1;
        self.handle(event);
        self.come_to_rest();
    }

    /// Everybody has looked at what changed at this moment.
    fn come_to_rest(&mut self) {
        self.settle();
        self.open_batches();
        self.refresh_changed_services();
        self.share_power();
    }

    /// Nothing happens from now until `to`.
    fn time_passes(&mut self, to: Timestamp) {
        self.close_windows(to);
        self.meter.account(self.agenda.now(), to, &self.clusters);
    }

    fn handle(&mut self, event: Event) {
        match event {
            Event::Happens { index } => self.happens(index),
            Event::SchedulerWakes => {}
            Event::FaultBegins { episode } => self.fault_begins(episode),
            Event::FaultEnds { episode } => self.fault_ends(episode),
            Event::PodReady { cluster, pod, life } => self.pod_ready(cluster, pod, life),
            Event::PodFinished { cluster, pod, life } => {
                self.clusters[cluster].pod_finished(&mut self.agenda, pod, life);
            }
            Event::PodGone { cluster, pod, life } => {
                self.clusters[cluster].pod_stopped(&mut self.agenda, pod, life);
            }
            Event::PodEvicted { cluster, pod, life } => {
                self.clusters[cluster].evict_lost(&mut self.agenda, pod, life);
            }
            Event::NodeMissed { cluster, node, crash } => {
                self.clusters[cluster].node_missed(&mut self.agenda, &node, crash);
            }
            Event::NodeReady { cluster, pool } => self.node_booted(cluster, pool),
            Event::DrainContinues { cluster, node } => {
                self.clusters[cluster].continue_drain(&mut self.agenda, node);
            }
            Event::AutoscalerScans { cluster } => self.autoscale(cluster),
            Event::ProvisionerBatches { cluster } => self.provision(cluster),
            Event::ProvisionerRetries { cluster } => self.retry_provisioning(cluster),
            Event::ProvisionerDisrupts { cluster } => self.disrupt(cluster),
            Event::SpotNotice { cluster, node } => self.spot_notice(cluster, node),
            Event::SpotTaken { cluster, node } => self.spot_taken(cluster, &node),
            Event::FailoverLooks { workload, cluster, since } => {
                self.look_at_failover(workload, cluster, since);
            }
            Event::WorkloadWakes { workload } => self.workload_wakes(workload),
            Event::MigrationContinues { id } => self.continue_undertaking(id),
            Event::ServiceTicks { service } => self.service_ticks(service),
            Event::MetricsScraped { cluster } => self.scrape(cluster),
            Event::HorizontalSyncs => self.sync_horizontals(),
            Event::VerticalsLook => self.verticals_look(),
            Event::Arrives { input } => self.inbox.push_back(*input),
        }
    }

    /// Something from outside; all that happens at the same moment is one event each, in the order of the file.
    fn happens(&mut self, index: usize) {
        self.windows.note_happening();
        let spec = Arc::clone(&self.spec);
        let happening = &spec.happenings[index];
        if let Some(next) = spec.happenings.get(index + 1) {
            self.agenda.at(next.at, Event::Happens { index: index + 1 });
        }
        let number = happening.workload;
        match &happening.change {
            Change::Create => {
                self.workloads[number].exists = true;
                self.workloads[number].created_at = self.agenda.now();
                self.workloads[number].wanted = spec.workloads[number].replicas;
                match &spec.workloads[number].start {
                    Start::Cluster(cluster) => self.place(number, *cluster, spec.workloads[number].replicas),
                    Start::Policy(placement) => self.place_by_policy(number, placement),
                }
            }
            Change::Delete => {
                self.workloads[number].exists = false;
                self.leaving.retain(|(workload, _), _| *workload != number);
                let clusters: Vec<usize> = self.workloads[number].placements.keys().copied().collect();
                for cluster in clusters {
                    self.displace(number, cluster);
                }
            }
            Change::Scale { replicas } => self.scale_home(number, *replicas),
            Change::Update { pod, replicas } => {
                self.workloads[number].update(pod);
                self.touch_everywhere(number);
                if let Some(replicas) = replicas {
                    self.scale_home(number, *replicas);
                }
            }
        }
    }

    /// Placement rules decide anew; otherwise the placement with most replicas gets the difference.
    fn scale_home(&mut self, number: usize, replicas: u32) {
        if !self.workloads[number].exists {
            return;
        }
        self.workloads[number].wanted = replicas;
        // A move under way is not undone by the placement rules; they decide again with the next change.
        let free = self.workloads[number].busy_with.is_none();
        if let (true, Start::Policy(placement)) = (free, &Arc::clone(&self.spec).workloads[number].start) {
            return self.place_by_policy(number, placement);
        }
        if self.scale_while_moving(number, replicas) {
            return;
        }
        let workload = &self.workloads[number];
        let present = workload.placements.iter().filter(|(_, placement)| !placement.leaving);
        let Some((home, here)) =
            present.max_by_key(|(index, placement)| (placement.replicas, usize::MAX - **index))
        else {
            return;
        };
        let elsewhere = workload.replicas() - here.replicas;
        self.place(number, *home, replicas.saturating_sub(elsewhere));
    }

    /// Sets how many replicas a workload has in a cluster.
    fn place(&mut self, number: usize, cluster: usize, replicas: u32) {
        let spec = Arc::clone(&self.spec);
        self.workloads[number].place(&spec.workloads[number], cluster, replicas, self.agenda.now());
        if let Some(budget) = spec.workloads[number].disruption_budget {
            self.clusters[cluster].budgets.guard(number as u32, budget, replicas);
        }
        self.clusters[cluster].touched.insert(number as u32);
    }

    /// Takes a workload out of a cluster.
    fn displace(&mut self, number: usize, cluster: usize) {
        if let Some(placement) = self.workloads[number].placements.get_mut(cluster) {
            placement.leaving = true;
            self.clusters[cluster].touched.insert(number as u32);
        }
    }

    fn touch_everywhere(&mut self, number: usize) {
        for cluster in self.workloads[number].placements.keys() {
            self.clusters[*cluster].touched.insert(number as u32);
        }
    }

    fn pod_ready(&mut self, cluster: usize, pod: pods::PodKey, life: u32) {
        let now = self.agenda.now();
        let Some(record) = self.clusters[cluster].pod_ready(now, pod, life) else { return };
        let workload = &self.spec.workloads[record.owner.workload as usize];
        if let Some(run_time) = &workload.run_time {
            let delay = run_time.draw(&mut self.chance.run_times);
            self.agenda.after(delay, Event::PodFinished { cluster, pod, life });
        }
    }

    /// Controllers and schedulers, until nothing is left to do at this moment.
    fn settle(&mut self) {
        for _ in 0..MOST_ROUNDS {
            let mut quiet = true;
            for index in 0..self.clusters.len() {
                quiet &= !self.sync_touched(index);
                self.clusters[index].schedule(&mut self.agenda);
                quiet &= self.clusters[index].touched.is_empty();
            }
            if quiet {
                return;
            }
        }
        panic!("controllers and schedulers did not come to rest at {}", self.agenda.now());
    }

    /// Lets the controllers of touched workloads look again; returns whether any did.
    fn sync_touched(&mut self, index: usize) -> bool {
        if std::mem::take(&mut self.clusters[index].nodes_changed) {
            self.touch_daemons(index);
            self.continue_resizes(index);
        }
        if self.clusters[index].touched.is_empty() {
            return false;
        }
        let spent = std::mem::take(&mut self.spent);
        let touched = self.clusters[index].touched.take(spent);
        for &number in &touched {
            if let Some(service) = self.service_of.get(&number) {
                self.changed_services.insert(*service);
            }
            let number = number as usize;
            let spec = &self.spec.workloads[number];
            let wake = self.workloads[number].sync(spec, number, &mut self.clusters[index], &mut self.agenda);
            if let Some(at) = wake {
                self.agenda.at(at.max(self.agenda.now()), Event::WorkloadWakes { workload: number });
            }
            if let Some(id) = self.workloads[number].busy_with {
                self.continue_undertaking(id);
            }
        }
        self.spent = touched;
        true
    }

    fn touch_daemons(&mut self, index: usize) {
        use model::names::WorkloadKind::DaemonSet;
        for (number, spec) in self.spec.workloads.iter().enumerate() {
            if spec.reference.kind() == DaemonSet && self.workloads[number].placements.contains_key(index) {
                self.clusters[index].touched.insert(number as u32);
            }
        }
    }
}

impl World for SimulatedWorld {
    type Error = std::convert::Infallible;

    fn next_input(&mut self, deadline: Timestamp) -> Result<Option<(Timestamp, Input)>, Self::Error> {
        loop {
            match self.turn(deadline) {
                Turn::Event => {}
                Turn::Input(at, input) => return Ok(Some((at, input))),
                Turn::End => return Ok(None),
            }
        }
    }

    fn start(&mut self, effect: Effect) -> Result<(), Self::Error> {
        match effect {
            Effect::Observe => {
                let input = Box::new(Input::Observed(Arc::new(self.snapshot())));
                self.agenda.after(self.spec.observation_delay, Event::Arrives { input });
            }
            Effect::Submit(recommendation) => self.ask_reviewer(&recommendation),
            Effect::Apply(approved) => {
                let recommendation = approved.recommendation();
                self.begin_undertaking(recommendation.id, &recommendation.action);
            }
            Effect::Ask { agent, question } => self.ask_model(agent, &question),
            Effect::Abort { id } => self.abort(id),
            Effect::Explain(_)
            | Effect::Settle { .. }
            | Effect::RefuseReview { .. }
            | Effect::Endorse { .. }
            | Effect::Defer { .. }
            | Effect::Predict { .. }
            | Effect::Freeze(_)
            | Effect::Unfreeze { .. }
            | Effect::SetMode(_)
            | Effect::ClearMode { .. }
            | Effect::RefuseOrder { .. } => {}
        }
        Ok(())
    }
}

fn profile(version: KubernetesVersion) -> Profile {
    let version = match version {
        KubernetesVersion::V1_34 => Version::V1_34,
        KubernetesVersion::V1_35 => Version::V1_35,
        KubernetesVersion::V1_36 => Version::V1_36,
    };
    Profile { version, ..Profile::default() }
}
