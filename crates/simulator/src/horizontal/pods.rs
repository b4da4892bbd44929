//! The pods of the scaled workload, their samples, and which of them count.

use super::settings::Settings;
use crate::controllers::pod::{PodKey, PodPhase};
use crate::kube;
use model::time::{Period, Timestamp};
use std::collections::BTreeMap;

/// A pod as its autoscaler sees it.
#[derive(Clone, Copy, Debug)]
pub struct TargetPod<'a> {
    pub key: PodKey,
    pub phase: PodPhase,
    /// Deletion was asked for.
    pub deleting: bool,
    /// When the node took it on; nothing before.
    pub started: Option<Timestamp>,
    /// Its Ready condition; nothing if it has none yet.
    pub readiness: Option<Readiness>,
    /// What it requests. Pods of one template should share it: what is equal by address is added up only once.
    pub template: &'a kube::Pod,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Readiness {
    pub ready: bool,
    /// When that last changed.
    pub since: Timestamp,
}

/// What was measured of one pod.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sample {
    /// The end of the window.
    pub at: Timestamp,
    /// The time it averages over.
    pub window: Period,
    /// Thousandths of a unit: of a core, of a byte, of a request per second.
    pub milli: i64,
}

/// Samples by pod. A pod without one is missing, not idle. There may be samples of pods that are gone.
pub type PodSamples = BTreeMap<PodKey, Sample>;

/// Pods by what their samples are worth.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Groups {
    pub ready: u32,
    /// Not yet serving: their samples say nothing about load.
    pub unready: Vec<PodKey>,
    /// Should have a sample and have none.
    pub missing: Vec<PodKey>,
    /// On their way out or failed.
    pub ignored: Vec<PodKey>,
}

/// Sorts pods. Only CPU samples of a pod that is starting are doubted: other metrics do not burst at start.
pub fn group(
    pods: &[TargetPod<'_>],
    samples: &PodSamples,
    is_cpu: bool,
    settings: &Settings,
    now: Timestamp,
) -> Groups {
    let mut groups = Groups::default();
    for pod in pods {
        if pod.deleting || pod.phase == PodPhase::Failed {
            groups.ignored.push(pod.key);
        } else if pod.phase == PodPhase::Pending {
            groups.unready.push(pod.key);
        } else {
            match samples.get(&pod.key) {
                None => groups.missing.push(pod.key),
                Some(sample) if is_cpu && is_unready(pod, sample, settings, now) => {
                    groups.unready.push(pod.key);
                }
                Some(_) => groups.ready += 1,
            }
        }
    }
    groups
}

fn is_unready(pod: &TargetPod<'_>, sample: &Sample, settings: &Settings, now: Timestamp) -> bool {
    let (Some(readiness), Some(started)) = (pod.readiness, pod.started) else { return true };
    if started + settings.cpu_initialization_period > now {
        // The whole window must lie after the pod became ready.
        !readiness.ready || sample.at < readiness.since + sample.window
    } else {
        // A pod that was ready once and is not now may be overloaded; one that never was is still starting.
        !readiness.ready && started + settings.initial_readiness_delay > readiness.since
    }
}

/// Running and ready, whatever was measured.
pub(super) fn ready_count(pods: &[TargetPod<'_>]) -> u32 {
    let is_ready = |pod: &&TargetPod<'_>| {
        pod.phase == PodPhase::Running && pod.readiness.is_some_and(|readiness| readiness.ready)
    };
    pods.iter().filter(is_ready).count() as u32
}
