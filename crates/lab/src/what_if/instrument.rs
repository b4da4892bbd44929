//! The one instrument: a number out of a window. Predictions and observations are both read off here.

use super::sets::Question;
use model::names::WorkloadRef;
use model::prediction::{Measure, Subject};
use simulator::world::{ServiceSpan, Span, Window};

/// What is measured of a whole federation, in the order in which it is told.
const OF_FEDERATION: [Measure; 11] = [
    Measure::PendingPods,
    Measure::PendingPodsMax,
    Measure::PendingTime,
    Measure::CpuLoad,
    Measure::MemoryLoad,
    Measure::ReadyNodes,
    Measure::CostPerHour,
    Measure::Power,
    Measure::CarbonPerHour,
    Measure::MovedPods,
    Measure::StoppedPods,
];

const OF_CLUSTER: [Measure; 10] = [
    Measure::PendingPods,
    Measure::PendingPodsMax,
    Measure::PendingTime,
    Measure::CpuLoad,
    Measure::MemoryLoad,
    Measure::ReadyNodes,
    Measure::CostPerHour,
    Measure::Power,
    Measure::CarbonPerHour,
    Measure::StoppedPods,
];

const OF_WORKLOAD: [Measure; 3] = [Measure::LatencyP95, Measure::LostRequests, Measure::ObjectiveMissed];

/// Everything that may be known about the effect of some plans.
pub(super) fn measures(question: &Question) -> Vec<(Measure, Subject)> {
    let of = |subject: Subject, measures: &[Measure]| -> Vec<(Measure, Subject)> {
        measures.iter().map(|measure| (*measure, subject.clone())).collect()
    };
    let mut all = of(Subject::Federation, &OF_FEDERATION);
    for cluster in question.clusters() {
        all.extend(of(Subject::Cluster(cluster), &OF_CLUSTER));
    }
    for workload in question.workloads() {
        all.extend(of(Subject::Workload(workload), &OF_WORKLOAD));
    }
    all
}

/// The value of a measure; none if it was not measured.
pub(super) fn read(window: &Window, measure: Measure, subject: &Subject) -> Option<f64> {
    match (subject, measure) {
        (Subject::Federation, Measure::MovedPods) => Some(window.moved_pods as f64),
        (Subject::Federation, _) => of_span(&window.federation, measure),
        (Subject::Cluster(name), _) => window
            .clusters
            .iter()
            .find(|(known, _)| known == name)
            .and_then(|(_, span)| of_span(span, measure)),
        (Subject::Workload(reference), _) => {
            service(window, reference).and_then(|span| of_service(span, measure))
        }
    }
}

fn service<'a>(window: &'a Window, reference: &WorkloadRef) -> Option<&'a ServiceSpan> {
    window.services.iter().find(|(known, _)| known == reference).map(|(_, span)| span)
}

fn of_span(span: &Span, measure: Measure) -> Option<f64> {
    match measure {
        Measure::CpuLoad => Some(span.cpu_load),
        Measure::MemoryLoad => Some(span.memory_load),
        Measure::PendingPods => Some(span.pending_pods),
        Measure::PendingPodsMax => Some(span.pending_pods_max as f64),
        Measure::PendingTime => Some(span.pending_time),
        Measure::ReadyNodes => Some(span.ready_nodes),
        Measure::CostPerHour => Some(span.cost_per_hour),
        Measure::Power => span.power_watts,
        Measure::CarbonPerHour => span.carbon_grams_per_hour,
        Measure::StoppedPods => span.stopped_pods.map(|pods| pods as f64),
        Measure::MovedPods | Measure::LatencyP95 | Measure::LostRequests | Measure::ObjectiveMissed => None,
    }
}

fn of_service(span: &ServiceSpan, measure: Measure) -> Option<f64> {
    match measure {
        Measure::LatencyP95 => span.latency_p95_ms,
        Measure::LostRequests => Some(span.lost),
        Measure::ObjectiveMissed => span.objective_missed,
        _ => None,
    }
}
