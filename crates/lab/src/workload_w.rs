//! Workload W: one generated hour of short-lived pods on equal nodes, the same at every size, to measure speed with.
//!
//! Other simulators were measured on it as well, so its distributions must not change.

use control::world::World as _;
use model::money::MicroDollars;
use model::names::{ClusterName, PoolName, WorkloadKind, WorkloadRef};
use model::quantity::{Bytes, MilliCpu};
use model::ratio::Ratio;
use model::resources::Resources;
use model::time::{Period, Timestamp};
use simulator::kube;
use simulator::power::Rules;
use simulator::randomness::{Randomness, Stream};
use simulator::scenario::{
    Change, ClusterSpec, ControllerSpec, Delay, Happening, HostSpec, KubernetesVersion, Limits,
    MigrationMode, MigrationSpec, PodTemplate, PoolSpec, ReviewerSpec, Spread, Start, WorkloadSpec,
    WorldSpec,
};
use simulator::telemetry::raw::RawMetrics;
use simulator::world::SimulatedWorld;
use std::sync::Arc;

const SEED: u64 = 42;
/// Pods arrive within the first hour.
const ARRIVALS: Period = Period::from_hours(1);
const SHORTEST_RUN: Period = Period::from_secs(60);
const LONGEST_RUN: Period = Period::from_secs(600);
/// The last pod that did not have to wait is done by then.
pub const DURATION: Period = Period(ARRIVALS.0 + LONGEST_RUN.0);
const CPU_REQUESTS: [u64; 5] = [250, 500, 1_000, 2_000, 4_000];
const MEMORY_REQUESTS_MIB: [u64; 5] = [256, 512, 1_024, 2_048, 4_096];
/// A node: 64 cores, 128 GiB and the usual limit of the kubelet, 110 pods.
const NODE: Resources = Resources { cpu: MilliCpu(64_000), memory: Bytes(128 << 30), pods: 110 };

/// How much of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Size {
    pub nodes: u32,
    pub pods: u32,
}

/// What a run of it came to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Finished {
    pub simulated: Period,
    pub events: u64,
    pub pods_placed: u64,
    pub pods_finished: u64,
    /// The same for two runs if every pod went to the same node at the same moment.
    pub fingerprint: u64,
}

/// Generates the workload and simulates it to the end; `progress` hears where it is.
pub fn run(size: Size, progress: &mut dyn FnMut(Timestamp)) -> Finished {
    let nobody = ReviewerSpec {
        present: false,
        delay: Spread::exactly(Period::ZERO),
        rejects: Ratio::default(),
        ignores: Ratio::default(),
    };
    let mut world = SimulatedWorld::new(Arc::new(generate(size)), nobody, SEED);
    let pause = Period::from_minutes(1);
    let mut until = Timestamp::EPOCH + pause;
    while world.next_input(until).expect("a simulated world does not fail").is_some() {
        progress(until);
        until += pause;
    }
    let ledger = world.ledger();
    Finished {
        simulated: world.now().since(Timestamp::EPOCH),
        events: world.events(),
        pods_placed: ledger.placed,
        pods_finished: ledger.finished,
        fingerprint: ledger.fingerprint,
    }
}

/// The world of this size.
pub fn generate(size: Size) -> WorldSpec {
    let randomness = Randomness::new(SEED);
    let mut arrivals = randomness.stream("workload W: arrivals");
    let mut happenings: Vec<Happening> = (0..size.pods as usize)
        .map(|workload| {
            let at = Timestamp(arrivals.between(0, ARRIVALS.as_millis()));
            Happening { at, workload, change: Change::Create }
        })
        .collect();
    happenings.sort_by_key(|happening| happening.at);
    WorldSpec {
        name: "workload-w".to_owned(),
        description: format!("{} pods that come and go on {} equal nodes", size.pods, size.nodes),
        kubernetes: KubernetesVersion::V1_35,
        duration: DURATION,
        clusters: vec![cluster(size.nodes)],
        workloads: workloads(size.pods, randomness),
        happenings,
        migration: MigrationSpec {
            mode: MigrationMode::MakeBeforeBreak,
            propagation: Delay::exactly(Period::ZERO),
            ready_within: Period::from_minutes(10),
        },
        observation_delay: Period::ZERO,
        limits: Limits { max_load: Ratio::from_percent(80), max_pending: Ratio::from_percent(40) },
        network: None,
        telemetry: RawMetrics::default().spec(),
        attribution: Rules::default(),
        failover: None,
        service_step: Period::from_secs(1),
        faults: Vec::new(),
    }
}

fn workloads(pods: u32, randomness: Randomness) -> Vec<WorkloadSpec> {
    let templates: Vec<Arc<PodTemplate>> = CPU_REQUESTS
        .iter()
        .flat_map(|cpu| MEMORY_REQUESTS_MIB.iter().map(|memory| template(*cpu, memory << 20)))
        .map(Arc::new)
        .collect();
    let mut cpu = randomness.stream("workload W: cpu");
    let mut memory = randomness.stream("workload W: memory");
    let mut run_times = randomness.stream("workload W: run times");
    let one_of_five = |stream: &mut Stream| stream.below(5) as usize;
    (0..pods)
        .map(|number| {
            let template = &templates[one_of_five(&mut cpu) * 5 + one_of_five(&mut memory)];
            let run_time = run_times.between(SHORTEST_RUN.as_millis(), LONGEST_RUN.as_millis());
            let name = format!("pod-{number}");
            WorkloadSpec {
                reference: WorkloadRef::new(WorkloadKind::Pod, "default", &name).expect("a valid name"),
                start: Start::Cluster(0),
                replicas: 1,
                pod: Arc::clone(template),
                controller: ControllerSpec::Pod,
                run_time: Some(Spread::exactly(Period::from_millis(run_time))),
                disruption_budget: None,
                movable: false,
                service: None,
                horizontal: None,
                vertical: None,
            }
        })
        .collect()
}

fn template(cpu: u64, memory: u64) -> PodTemplate {
    let mut pod = kube::Pod::default();
    "default".clone_into(&mut pod.metadata.namespace);
    pod.metadata.labels.insert("app".to_owned(), "w".to_owned());
    let mut container = kube::Container::default();
    container.resources.requests =
        [(kube::CPU, cpu as i64), (kube::MEMORY, memory as i64)].into_iter().collect();
    pod.spec.containers.push(container);
    let at_once = Spread::exactly(Period::ZERO);
    PodTemplate {
        pod,
        each: Resources::new(MilliCpu(cpu), Bytes(memory), 1),
        priority: 0,
        start_time: at_once.clone(),
        stop_time: at_once,
        cpu_limit: None,
        cpu_use: MilliCpu(cpu),
        memory_use: Bytes(memory),
    }
}

fn cluster(nodes: u32) -> ClusterSpec {
    let mut node = kube::Node::default();
    let amounts = [
        (kube::CPU, NODE.cpu.0 as i64),
        (kube::MEMORY, NODE.memory.0 as i64),
        (kube::PODS, NODE.pods as i64),
    ];
    node.status.capacity = amounts.into_iter().collect();
    node.status.allocatable = node.status.capacity.clone();
    let pool = PoolSpec {
        name: PoolName::new("node").expect("a valid name"),
        nodes,
        minimum: nodes,
        maximum: nodes,
        node,
        node_capacity: NODE,
        zones: ["zone-1", "zone-2", "zone-3"].map(str::to_owned).to_vec(),
        price_per_hour: MicroDollars(0),
        boot_time: Spread::exactly(Period::ZERO),
        priority: None,
        spot: None,
        host: HostSpec {
            cpu: NODE.cpu,
            background: MilliCpu(0),
            processes: 1,
            speed: Ratio::ONE,
            power: None,
        },
    };
    ClusterSpec {
        name: ClusterName::new("w").expect("a valid name"),
        labels: std::collections::BTreeMap::new(),
        region: None,
        provider: None,
        pools: vec![pool],
        autoscaler: None,
        carbon: None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_pod_is_placed_and_finishes_and_a_second_run_is_the_same() {
        let size = Size { nodes: 20, pods: 1_000 };
        let first = run(size, &mut |_| ());
        assert_eq!((first.pods_placed, first.pods_finished), (1_000, 1_000));
        assert_eq!(first.simulated, Period::from_secs(4_200));
        assert_eq!(run(size, &mut |_| ()), first);
        let more_nodes = run(Size { nodes: 21, ..size }, &mut |_| ());
        assert_ne!(more_nodes.fingerprint, first.fingerprint, "other placements, other fingerprint");
    }

    #[test]
    fn the_distributions_are_those_of_the_definition() {
        let spec = generate(Size { nodes: 3, pods: 10_000 });
        let mean = |each: &dyn Fn(&WorkloadSpec) -> u64| {
            spec.workloads.iter().map(each).sum::<u64>() / spec.workloads.len() as u64
        };
        // Means of the lists: 1,550 m, 1,587.2 MiB and 330 s; three standard errors at 10,000 draws are 41 m, 42 MiB and 4.7 s.
        assert!(mean(&|workload| workload.pod.each.cpu.0).abs_diff(1_550) <= 41);
        assert!((mean(&|workload| workload.pod.each.memory.0) >> 20).abs_diff(1_587) <= 42);
        let run_time =
            |workload: &WorkloadSpec| workload.run_time.as_ref().expect("pods end").typical().as_millis();
        assert!(mean(&run_time).abs_diff(330_000) <= 4_700);
        assert!(spec.happenings.is_sorted_by_key(|happening| happening.at));
        assert!(spec.happenings.iter().all(|happening| happening.at <= Timestamp::EPOCH + ARRIVALS));
    }
}
