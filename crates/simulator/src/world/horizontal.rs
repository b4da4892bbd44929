//! Horizontal autoscalers in the simulated world: they read what was scraped and set how many replicas are wanted.

use super::SimulatedWorld;
use super::agenda::Event;
use super::pods::{Phase, PodKey, PodRecord};
use crate::controllers::pod::{self, PodPhase};
use crate::horizontal::{
    Controller, HorizontalSpec, MetricIdentifier, Metrics, ObjectReference, PodSamples, Readiness, Sample,
    Scale, Selection, Settings, TargetPod, Unavailable,
};
use crate::kube;
use crate::scenario::WorldSpec;
use model::signal::{Reading, Readings, Signal};
use model::time::{Period, Timestamp};
use std::sync::Arc;

/// Pods of different clusters get different keys: the number of the cluster stands above this many bits.
const CLUSTER_SHIFT: u32 = 24;

/// One autoscaler as it runs.
#[derive(Clone, Debug)]
pub(crate) struct HorizontalRun {
    pub(super) workload: usize,
    spec: Arc<HorizontalSpec>,
    controller: Controller,
    pub(super) rescales: u64,
}

impl HorizontalRun {
    pub(super) fn all(spec: &WorldSpec) -> Vec<Self> {
        let runs = spec.workloads.iter().enumerate().filter_map(|(workload, spec)| {
            let spec = Arc::clone(spec.horizontal.as_ref()?);
            Some(Self { workload, spec, controller: Controller::new(Settings::default()), rescales: 0 })
        });
        runs.collect()
    }
}

impl SimulatedWorld {
    pub(super) fn plan_horizontal_sync(&mut self) {
        if !self.horizontals.is_empty() {
            self.agenda.after(Settings::default().sync_period, Event::HorizontalSyncs);
        }
    }

    /// Every autoscaler looks once, in the order of the file.
    pub(super) fn sync_horizontals(&mut self) {
        let mut runs = std::mem::take(&mut self.horizontals);
        for run in &mut runs {
            if !self.workloads[run.workload].exists {
                continue;
            }
            if let Some(replicas) = self.reconcile(run) {
                run.rescales += 1;
                self.scale_home(run.workload, replicas);
            }
        }
        self.horizontals = runs;
        self.plan_horizontal_sync();
    }

    fn reconcile(&self, run: &mut HorizontalRun) -> Option<u32> {
        let now = self.agenda.now();
        let workload = &self.workloads[run.workload];
        let records: Vec<(usize, &PodRecord)> = self.records_of(run.workload).collect();
        let pods: Vec<TargetPod<'_>> =
            records.iter().map(|(cluster, record)| target(*cluster, record)).collect();
        let scale = Scale {
            spec_replicas: workload.wanted,
            status_replicas: pods.iter().filter(|pod| !pod.deleting).count() as u32,
            selection: Selection::Clear,
        };
        let view =
            MetricsView { world: self, records: &records, readings: self.workload_readings(run.workload) };
        let decision = run.controller.reconcile(now, &run.spec, Some(scale), &pods, &view);
        decision.rescale.map(|rescale| rescale.to)
    }

    /// The pods of a workload in all clusters.
    pub(super) fn records_of(&self, number: usize) -> impl Iterator<Item = (usize, &PodRecord)> {
        self.workloads[number].placements.iter().flat_map(move |(index, placement)| {
            let cluster = &self.clusters[*index];
            let records = placement.pods().into_iter().filter_map(move |key| cluster.pods.get(key));
            records.map(move |record| (*index, record))
        })
    }

    /// The newest CPU use of a pod that can be read.
    pub(super) fn pod_reading(&self, cluster: usize, pod: PodKey) -> Option<Reading> {
        self.metrics[cluster].pods.get(&pod)?.read(self.agenda.now(), self.spec.telemetry.window)
    }

    fn pod_sample(&self, cluster: usize, pod: PodKey) -> Option<Sample> {
        let (reading, window) = (self.pod_reading(cluster, pod)?, self.spec.telemetry.window);
        Some(Sample { at: reading.at, window, milli: i64::try_from(reading.value.0).unwrap_or(i64::MAX) })
    }
}

pub(super) fn key(cluster: usize, pod: PodKey) -> pod::PodKey {
    pod::PodKey((cluster as u32) << CLUSTER_SHIFT | pod.id.0)
}

fn target(cluster: usize, record: &PodRecord) -> TargetPod<'_> {
    let phase = match record.phase {
        Phase::Waiting | Phase::Starting => PodPhase::Pending,
        Phase::Ready | Phase::Stopping => PodPhase::Running,
        Phase::Succeeded => PodPhase::Succeeded,
    };
    TargetPod {
        key: key(cluster, record.key),
        phase,
        deleting: record.phase == Phase::Stopping,
        started: record.node.map(|_| record.created_at),
        readiness: record.ready_since.map(|since| Readiness { ready: true, since }),
        template: &record.spec.pod,
    }
}

/// Metrics as an autoscaler can ask for them. Custom metrics go by the canonical names of signals, summed over the
/// workload; per pod they are shared evenly among the pods that are ready.
struct MetricsView<'a> {
    world: &'a SimulatedWorld,
    records: &'a [(usize, &'a PodRecord)],
    readings: Readings,
}

impl MetricsView<'_> {
    fn signal(&self, metric: &MetricIdentifier) -> Result<(i64, Timestamp), Unavailable> {
        let named =
            |signal: &Signal| serde_json::to_value(signal).is_ok_and(|name| name == metric.name.as_str());
        let signal = Signal::ALL.into_iter().find(named).ok_or(Unavailable)?;
        let reading = self.readings.get(signal).ok_or(Unavailable)?;
        Ok((i64::try_from(reading.value.0).unwrap_or(i64::MAX), reading.at))
    }
}

impl Metrics for MetricsView<'_> {
    fn resource(&self, resource: &str, _container: Option<&str>) -> Result<PodSamples, Unavailable> {
        if resource != kube::CPU {
            return Err(Unavailable);
        }
        let sample = |(cluster, record): &(usize, &PodRecord)| {
            Some((key(*cluster, record.key), self.world.pod_sample(*cluster, record.key)?))
        };
        Ok(self.records.iter().filter_map(sample).collect())
    }

    fn pods(&self, metric: &MetricIdentifier) -> Result<PodSamples, Unavailable> {
        let (milli, at) = self.signal(metric)?;
        let ready: Vec<_> = self.records.iter().filter(|(_, record)| record.phase == Phase::Ready).collect();
        let each = milli.checked_div(ready.len() as i64).ok_or(Unavailable)?;
        let sample = Sample { at, window: Period::ZERO, milli: each };
        Ok(ready.into_iter().map(|(cluster, record)| (key(*cluster, record.key), sample)).collect())
    }

    fn object(&self, _object: &ObjectReference, metric: &MetricIdentifier) -> Result<i64, Unavailable> {
        self.signal(metric).map(|(milli, _)| milli)
    }

    fn external(&self, metric: &MetricIdentifier) -> Result<Vec<i64>, Unavailable> {
        self.signal(metric).map(|(milli, _)| vec![milli])
    }
}
