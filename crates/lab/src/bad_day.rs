//! A run made by hand in which things go wrong, for tests: the two clusters of the three waves with power, three services
//! and four faults.
//!
//! `web` is slow for a third of the time and `search` is down for 50 s; `login` keeps what it promised.

use crate::report::ReportInput;
use crate::summary::{FaultRecord, Hit, ObjectiveMeters, ServiceMeters, Summary};
use crate::three_waves::{self, at};
use model::energy::Milliwatts;
use model::names::{ClusterName, WorkloadRef};
use model::quantity::MilliCpu;
use model::series::{Series, ServiceSample};
use model::signal::Milli;
use simulator::faults::FaultKind;

fn service(name: &str) -> WorkloadRef {
    format!("default/{name}").parse().unwrap()
}

fn fault(kind: FaultKind, cluster: Option<&str>, [from, to]: [u64; 2], hit: Hit) -> FaultRecord {
    FaultRecord {
        kind,
        cluster: cluster.map(|name| ClusterName::new(name).unwrap()),
        from_s: from as f64,
        to_s: to as f64,
        ended: to < 300,
        clients: kind == FaultKind::Partition,
        hit,
    }
}

pub(crate) fn faults() -> Vec<FaultRecord> {
    vec![
        fault(FaultKind::LostMetrics, Some("member1"), [20, 40], Hit { measurements: 2, ..Hit::default() }),
        fault(FaultKind::NodeCrash, Some("member2"), [60, 120], Hit { nodes: 1, pods: 3, ..Hit::default() }),
        fault(
            FaultKind::Partition,
            Some("member2"),
            [150, 200],
            Hit { orders: 2, measurements: 4, ..Hit::default() },
        ),
        fault(FaultKind::Reviewer, None, [250, 300], Hit { reviews: 1, ..Hit::default() }),
    ]
}

/// 100 requests per second for 300 s.
fn meters() -> ServiceMeters {
    ServiceMeters {
        clusters: vec![ClusterName::new("member2").unwrap()],
        requests: 30_000.0,
        completed: 30_000.0,
        latency_p95_ms: 100.0,
        replica_hours: 4.0 * 300.0 / 3600.0,
        replicas_max: 5,
        objective: Some(ObjectiveMeters { latency_p95_ms: Some(500.0), errors_ratio: 0.01 }),
        ..ServiceMeters::default()
    }
}

fn services() -> [(WorkloadRef, ServiceMeters); 3] {
    let web = ServiceMeters {
        completed: 29_900.0,
        time_outs: 100.0,
        latency_p95_ms: 1_250.0,
        objective_missed_time_ratio: 0.4,
        objective_missed_request_ratio: 0.3,
        rescales: Some(7),
        ..meters()
    };
    let search = ServiceMeters {
        completed: 24_990.0,
        nobody_ready: 5_000.0,
        broken: 10.0,
        downtime_s: 50.0,
        objective_missed_time_ratio: 50.0 / 300.0,
        objective_missed_request_ratio: 5_010.0 / 30_000.0,
        ..meters()
    };
    [(service("web"), web), (service("search"), search), (service("login"), meters())]
}

fn sample(name: &str, seconds: u64) -> ServiceSample {
    let down = name == "search" && (150..200).contains(&seconds);
    let slow = name == "web" && (100..220).contains(&seconds);
    let (throughput, errors) = if down { (0, 100_000) } else { (100_000, 0) };
    let latency = if down {
        0
    } else if slow {
        1_250_000
    } else {
        100_000
    };
    ServiceSample {
        at: at(seconds),
        demand: Milli(100_000),
        users: None,
        throughput: Milli(throughput),
        errors: Milli(errors),
        latency_mean_ms: Milli(latency / 2),
        latency_p95_ms: Milli(latency),
        replicas_ready: if down { 0 } else { 4 },
        replicas_needed: if slow { 5 } else { 4 },
        cpu_used: MilliCpu(2_000),
    }
}

pub(crate) fn series() -> Series {
    let mut series = three_waves::series();
    for (_, samples) in &mut series.clusters {
        for sample in samples {
            sample.power = Some(Milliwatts(200_000 + sample.allocated.cpu.0 * 10));
        }
    }
    let samples = |name: &str| (0..=60).map(|step| sample(name, 5 * step)).collect();
    series.services = ["web", "search", "login"].map(|name| (service(name), samples(name))).to_vec();
    series
}

pub(crate) fn summary() -> Summary {
    let mut summary = three_waves::summary();
    summary.scenario = "bad-day".to_owned();
    summary.meters.services = services().into_iter().collect();
    summary.faults = faults();
    summary.meters.energy_kwh = Some(0.05);
    summary.meters.carbon_kg = Some(0.006);
    for cluster in summary.meters.clusters.values_mut() {
        cluster.energy_kwh = Some(0.025);
        cluster.carbon_kg = Some(0.003);
    }
    summary
}

/// Lets `check` see the whole run as a report takes it.
pub(crate) fn with_input<T>(check: impl FnOnce(&ReportInput<'_>) -> T) -> T {
    let (series, summary) = (series(), summary());
    three_waves::with_input(|input| check(&ReportInput { series: &series, summary: &summary, ..*input }))
}
