//! The simulated side: the simulator's autoscaler in the same situation.

use super::Answer;
use super::draw::{PodState, SAMPLED_BEFORE, Situation, WINDOW};
use crate::error::Problem;
use model::time::{Period, Timestamp};
use serde_json::json;
use simulator::controllers::pod::{PodKey, PodPhase};
use simulator::horizontal::{
    Condition, Conditions, Controller, Current, Decision, MetricIdentifier, Metrics, ObjectReference,
    PodSamples, Readiness, Reason, Sample, Scale, Selection, Settings, TargetPod, Unavailable, quantity,
    read,
};
use simulator::kube::Pod;

/// Seconds since 1970.
pub(super) fn decide(situation: &Situation, now: u64) -> Result<Answer, Problem> {
    let spec = read(&situation.name, situation.spec.to_string().as_bytes())
        .map_err(|problems| Problem::Autoscaler(format!("{problems:?}")))?;
    let template: Pod = serde_json::from_value(json!({ "spec": { "containers": situation.containers } }))?;
    let pods: Vec<TargetPod<'_>> = (0..)
        .zip(&situation.pods)
        .filter(|(_, pod)| !pod.gone)
        .map(|(number, pod)| target_pod(number, pod, &template, now))
        .collect();
    let scale = Scale {
        spec_replicas: situation.replicas,
        status_replicas: situation.replicas,
        selection: Selection::Clear,
    };
    let mut controller = Controller::new(Settings::default());
    let measured = Measured { situation, now };
    let decision = controller.reconcile(moment(now, 0), &spec, Some(scale), &pods, &measured);
    Ok(answer(situation, &decision))
}

fn moment(now: u64, before: u64) -> Timestamp {
    Timestamp::from_millis((now - before) * 1_000)
}

fn target_pod<'a>(number: u32, pod: &PodState, template: &'a Pod, now: u64) -> TargetPod<'a> {
    TargetPod {
        key: PodKey(number),
        phase: match pod.phase {
            "Pending" => PodPhase::Pending,
            "Failed" => PodPhase::Failed,
            "Succeeded" => PodPhase::Succeeded,
            _ => PodPhase::Running,
        },
        deleting: pod.deleting,
        started: pod.started_before.map(|before| moment(now, before)),
        readiness: pod.ready.map(|(ready, before)| Readiness { ready, since: moment(now, before) }),
        template,
    }
}

/// What the situation says was measured.
struct Measured<'a> {
    situation: &'a Situation,
    now: u64,
}

impl Metrics for Measured<'_> {
    fn resource(&self, resource: &str, container: Option<&str>) -> Result<PodSamples, Unavailable> {
        let milli = |(cpu, mebibytes): &(u64, u64)| {
            if resource == "cpu" { *cpu as i64 } else { (*mebibytes as i64) * 1_000 * 1_048_576 }
        };
        let chosen = |place: usize| container.is_none_or(|name| name == format!("main{place}"));
        let sample = |usage: &Vec<(u64, u64)>| Sample {
            at: moment(self.now, SAMPLED_BEFORE),
            window: Period::from_secs(WINDOW),
            milli: usage
                .iter()
                .enumerate()
                .filter(|(place, _)| chosen(*place))
                .map(|(_, one)| milli(one))
                .sum(),
        };
        let pods = (0..).zip(&self.situation.pods);
        Ok(pods.filter_map(|(number, pod)| Some((PodKey(number), sample(pod.usage.as_ref()?)))).collect())
    }

    fn pods(&self, _: &MetricIdentifier) -> Result<PodSamples, Unavailable> {
        Err(Unavailable)
    }

    fn object(&self, _: &ObjectReference, _: &MetricIdentifier) -> Result<i64, Unavailable> {
        Err(Unavailable)
    }

    fn external(&self, _: &MetricIdentifier) -> Result<Vec<i64>, Unavailable> {
        Err(Unavailable)
    }
}

fn answer(situation: &Situation, decision: &Decision) -> Answer {
    let kinds = situation.spec["metrics"].as_array().into_iter().flatten();
    let resources = kinds.map(|metric| {
        let name = metric.pointer("/resource/name").or_else(|| metric.pointer("/containerResource/name"));
        name.and_then(|name| name.as_str()).unwrap_or_default().to_owned()
    });
    let values = resources.zip(&decision.metrics).filter_map(|(resource, proposal)| {
        let current = proposal.as_ref().ok()?.current;
        Some(match current {
            Current::Utilization { percent, average } => {
                format!("{resource} {percent}% {}", quantity(&resource, average).canonical())
            }
            Current::AverageValue(average) => {
                format!("{resource} {}", quantity(&resource, average).canonical())
            }
            Current::Value(value) => format!("{resource} {value}"),
        })
    });
    Answer {
        desired: decision.desired_replicas.unwrap_or(0),
        conditions: told(&decision.conditions),
        metrics: values.collect(),
    }
}

fn told(conditions: &Conditions) -> Vec<String> {
    fn line<R: Reason>(kind: &str, condition: Option<Condition<R>>) -> Option<String> {
        let reason = condition?.reason;
        let status = if reason.holds() { "True" } else { "False" };
        Some(format!("{kind} {status} {}", reason.name()))
    }
    let lines = [
        line("AbleToScale", conditions.able_to_scale),
        line("ScalingActive", conditions.scaling_active),
        line("ScalingLimited", conditions.scaling_limited),
    ];
    lines.into_iter().flatten().collect()
}
