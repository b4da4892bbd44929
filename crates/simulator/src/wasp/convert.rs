//! What a WASP scenario means here: WASP's configuration and events as one of our own scenarios.

use super::{WaspAction, WaspCluster, WaspConfig, WaspEvent, WaspInput, WaspKind, WaspReview};
use crate::scenario::Spread;
use crate::scenario::raw::{
    Format, RawAgent, RawAgentView, RawAutoscaler, RawChange, RawCluster, RawEvent, RawExpiry, RawGuardrails,
    RawLimits, RawMigration, RawOverhead, RawPodTimes, RawPool, RawReview, RawReviewMode, RawReviewer,
    RawScenario, RawScope, RawTrigger, RawWorkload,
};
use model::money::MicroDollars;
use model::names::WorkloadKind;
use model::quantity::{Bytes, MilliCpu};
use model::time::Period;
use std::collections::BTreeMap;

/// What the system pods of WASP's clusters take on each node, from its own published snapshots.
const OVERHEAD_CPU: MilliCpu = MilliCpu(350);
const OVERHEAD_MEMORY: Bytes = Bytes(562 << 20);

/// The most nodes the autoscaler's KWOK provider makes in a group unless told otherwise.
const KWOK_MAXIMUM: u32 = 200;

/// AWS on-demand prices as WASP's cost model lists them: vCPU, GiB, millionths of a dollar per hour.
const PRICES: [(u64, u64, i64); 7] = [
    (2_000, 1 << 29, 4_200),
    (2_000, 1 << 30, 8_400),
    (2_000, 2 << 30, 16_800),
    (2_000, 4 << 30, 33_600),
    (2_000, 8 << 30, 67_200),
    (4_000, 16 << 30, 134_400),
    (8_000, 32 << 30, 268_800),
];

/// A scenario, and what had to be assumed or left out to make it.
pub struct Converted<D> {
    pub scenario: RawScenario<D>,
    pub notes: Vec<String>,
}

/// Makes a scenario in which one agent decides with `decide`.
pub fn convert<D>(name: &str, config: &WaspConfig, input: &WaspInput, decide: D) -> Converted<D> {
    let mut workloads = Workloads::new(config);
    for event in &input.events {
        workloads.take(event);
    }
    let engine = &config.engine;
    let agent = RawAgent {
        name: "engine".to_owned(),
        when: RawTrigger {
            every: engine.scheduler_interval,
            first_at: engine.decides_immediately.then_some(config.collection_interval),
        },
        observe: RawAgentView { lookback: engine.lookback },
        decide,
        scope: RawScope { clusters: engine.listed_clusters.clone(), namespaces: Vec::new() },
    };
    let scenario = RawScenario {
        drover: Format::ScenarioV1,
        name: name.to_owned(),
        description: "Converted from WASP's configuration and events.".to_owned(),
        kubernetes: crate::scenario::KubernetesVersion::default(),
        duration: input.end.max(Period::from_secs(1)),
        clusters: config.clusters.iter().map(cluster).collect(),
        workloads: workloads.made,
        traces: Vec::new(),
        events: workloads.events,
        // KWOK's fast stages: a pod is ready, and gone, within about a second.
        pods: RawPodTimes {
            start_time: Spread::exactly(Period::from_secs(1)),
            stop_time: Spread::exactly(Period::from_secs(1)),
        },
        migration: RawMigration::default(),
        observation: crate::scenario::raw::RawObservation {
            every: config.collection_interval,
            ..Default::default()
        },
        metrics: crate::telemetry::raw::RawMetrics::default(),
        network: None,
        power_attribution: crate::power::Rules::default(),
        failover: None,
        service_step: None,
        faults: Vec::new(),
        limits: RawLimits::default(),
        guardrails: RawGuardrails::default(),
        review: review(config),
        reviewer: RawReviewer::default(),
        agents: if engine.enabled { vec![agent] } else { Vec::new() },
    };
    Converted { scenario, notes: workloads.notes }
}

fn review(config: &WaspConfig) -> RawReview {
    let mode = match config.actuator.review {
        WaspReview::Automatic => RawReviewMode::Auto,
        WaspReview::Human => RawReviewMode::Simulated,
    };
    RawReview { mode, expiry: RawExpiry::NextBatch, ..RawReview::default() }
}

fn cluster(wasp: &WaspCluster) -> RawCluster {
    RawCluster {
        name: wasp.name.clone(),
        labels: BTreeMap::from([("cloud".to_owned(), wasp.name.clone())]),
        region: None,
        provider: None,
        pools: vec![RawPool {
            name: "default".to_owned(),
            nodes: wasp.nodes,
            cpu: wasp.cpu,
            memory: wasp.memory,
            pods: 110,
            overhead: RawOverhead { cpu: OVERHEAD_CPU, memory: OVERHEAD_MEMORY },
            zones: Vec::new(),
            labels: BTreeMap::new(),
            resources: BTreeMap::new(),
            taints: Vec::new(),
            price_per_hour: price(wasp),
            minimum: None,
            maximum: wasp.autoscaler.then_some(wasp.nodes.max(KWOK_MAXIMUM)),
            // A KWOK node is ready as soon as its controller has seen it.
            boot_time: Spread::exactly(Period::from_secs(5)),
            priority: None,
            spot: None,
            power: None,
            background_cpu: None,
            background_processes: 1,
            speed: model::ratio::Ratio::ONE,
        }],
        autoscaler: wasp.autoscaler.then(RawAutoscaler::default),
        carbon: None,
    }
}

/// The first listed instance that is large enough; beyond the list, the largest in proportion.
fn price(wasp: &WaspCluster) -> MicroDollars {
    let fits = |(cpu, memory, _): &&(u64, u64, i64)| *cpu >= wasp.cpu.0 && *memory >= wasp.memory.0;
    if let Some((_, _, price)) = PRICES.iter().find(fits) {
        return MicroDollars(*price);
    }
    let (cpu, memory, price) = PRICES[PRICES.len() - 1];
    let times = wasp.cpu.0.div_ceil(cpu).max(wasp.memory.0.div_ceil(memory));
    MicroDollars(price.saturating_mul(times as i64))
}

/// Turns a stream of create, update and delete into workloads with a lifetime.
struct Workloads<'a> {
    config: &'a WaspConfig,
    made: Vec<RawWorkload>,
    events: Vec<RawEvent>,
    /// What exists now, by kind and id: its index in `made`.
    present: BTreeMap<(&'static str, String), usize>,
    notes: Vec<String>,
}

impl<'a> Workloads<'a> {
    const fn new(config: &'a WaspConfig) -> Self {
        Self { config, made: Vec::new(), events: Vec::new(), present: BTreeMap::new(), notes: Vec::new() }
    }

    fn take(&mut self, event: &WaspEvent) {
        let key = (event.kind.as_str(), event.id.clone());
        let known = self.present.get(&key).copied();
        match (event.action, known) {
            (WaspAction::Create, Some(_)) => {
                self.note(event, "it exists already, so this create has no effect");
            }
            (WaspAction::Create, None) => {
                self.present.insert(key, self.made.len());
                let workload = self.workload(event);
                self.made.push(workload);
            }
            (WaspAction::Update, Some(index)) => self.update(event, index),
            (WaspAction::Delete, Some(index)) => {
                self.made[index].until = Some(event.at);
                self.present.remove(&key);
            }
            (WaspAction::Update | WaspAction::Delete, None) => {
                self.note(event, "there is no such workload then");
            }
        }
    }

    fn update(&mut self, event: &WaspEvent, index: usize) {
        let change =
            RawChange::Update { cpu: event.cpu, memory: event.memory, replicas: Some(event.replicas) };
        let made = &self.made[index];
        let workload = format!("{}/{}/{}", event.kind.as_str(), made.namespace, made.name);
        if let Some(label) =
            event.label.as_ref().filter(|label| Some(self.cluster_of(Some(label)).0) != made.cluster)
        {
            let text = format!("an update cannot move it to {label}; agents do that");
            self.notes.push(format!("line {}: {}: {text}", event.line, event.id));
        }
        self.events.push(RawEvent { at: event.at, workload, change });
    }

    fn workload(&mut self, event: &WaspEvent) -> RawWorkload {
        let (cluster, note) = self.cluster_of(event.label.as_deref());
        if let Some(note) = note {
            self.note(event, &note);
        }
        RawWorkload {
            name: self.unused_name(event),
            namespace: "default".to_owned(),
            kind: match event.kind {
                WaspKind::Deployment => WorkloadKind::Deployment,
                WaspKind::Job => WorkloadKind::Job,
            },
            copies: None,
            cluster: Some(cluster),
            placement: None,
            at: event.at,
            until: None,
            replicas: event.replicas,
            cpu: event.cpu.unwrap_or_default(),
            memory: event.memory.unwrap_or_default(),
            cpu_limit: None,
            cpu_use: None,
            memory_use: None,
            service: None,
            objective: None,
            traffic: None,
            clients: BTreeMap::new(),
            horizontal_autoscaler: None,
            vertical_autoscaler: None,
            run_time: event.duration.map(Spread::exactly),
            completions: None,
            schedule: None,
            max_surge: None,
            max_unavailable: None,
            disruption_budget: None,
            start_time: None,
            stop_time: None,
            priority: 0,
            movable: true,
            labels: BTreeMap::new(),
            annotations: BTreeMap::new(),
            pod: None,
        }
    }

    /// A label is a cluster's name; the names of older files mean the first and the second cluster.
    fn cluster_of(&self, label: Option<&str>) -> (String, Option<String>) {
        let clusters = &self.config.clusters;
        let by_position =
            |index: usize| clusters.get(index.min(clusters.len() - 1)).map(|found| found.name.clone());
        let Some(label) = label else {
            let first = by_position(0).unwrap_or_default();
            return (first.clone(), Some(format!("it has no label; it starts in {first}")));
        };
        if let Some(found) = clusters.iter().find(|cluster| cluster.name == label) {
            return (found.name.clone(), None);
        }
        let position = match label {
            "private" => Some(0),
            "public" => Some(1),
            _ => None,
        };
        match position.and_then(by_position) {
            Some(name) => (name, None),
            None => (label.to_owned(), None),
        }
    }

    /// An id that was used before, deleted and is created again gets a number.
    fn unused_name(&mut self, event: &WaspEvent) -> String {
        let taken = |name: &str| self.made.iter().any(|made| made.name == name);
        if !taken(&event.id) {
            return event.id.clone();
        }
        let fresh = (2..=u32::MAX).map(|number| format!("{}-{number}", event.id)).find(|name| !taken(name));
        let name = fresh.expect("there are more numbers than workloads");
        self.note(event, &format!("it was deleted before; this one is called {name}"));
        name
    }

    fn note(&mut self, event: &WaspEvent, text: &str) {
        self.notes.push(format!("line {}: {}: {text}", event.line, event.id));
    }
}
