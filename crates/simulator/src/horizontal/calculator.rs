//! From one metric to the number of replicas it asks for.

use super::decision::{Current, MetricError, Proposal};
use super::pods::{Groups, PodSamples, Sample, TargetPod, group, ready_count};
use super::requests::pod_requests;
use super::settings::Settings;
use super::spec::{MilliTarget, Tolerances};
use super::usage::{self, replicas};
use crate::controllers::pod::PodKey;
use crate::kube::CPU;
use model::time::{Period, Timestamp};
use std::num::NonZeroU32;

/// Everything that all metrics of one decision have in common.
#[derive(Clone, Copy, Debug)]
pub struct Calculator<'a> {
    pub now: Timestamp,
    pub settings: &'a Settings,
    pub tolerances: Tolerances,
    /// The replicas asked for at present.
    pub current: u32,
    pub pods: &'a [TargetPod<'a>],
}

impl Calculator<'_> {
    /// Per cent of the requests, of whole pods or of one container each.
    pub fn utilization(
        &self,
        samples: PodSamples,
        resource: &str,
        container: Option<&str>,
        target: NonZeroU32,
    ) -> Result<Proposal, MetricError> {
        let (samples, groups) = self.sort(samples, resource == CPU)?;
        let requests = pod_requests(self.pods, resource, container)?;
        let measure = |samples: &PodSamples| usage::utilization(samples, &requests, target);
        let first = measure(&samples).ok_or(MetricError::NoMatchingSamples)?;
        // A pod of which nothing is known might use all that it asked for, or what the target allows if that is more.
        let share = i64::from(target.get().max(100));
        let full = |pod: PodKey| requests.get(&pod).map_or(0, |request| request.saturating_mul(share) / 100);
        let ratio_of = |samples: &PodSamples| measure(samples).map(|usage| usage.ratio);
        Ok(Proposal {
            replicas: self.settle(samples, &groups, first.ratio, full, ratio_of)?,
            current: Current::Utilization { percent: first.percent, average: first.average },
        })
    }

    /// The average over pods: of a resource, or of a metric that pods have themselves.
    pub fn average_value(
        &self,
        samples: PodSamples,
        is_cpu: bool,
        target: MilliTarget,
    ) -> Result<Proposal, MetricError> {
        let (samples, groups) = self.sort(samples, is_cpu)?;
        let (ratio, average) = usage::average(&samples, target).ok_or(MetricError::NoSamples)?;
        let on_target = |_: PodKey| target.milli();
        let ratio_of = |samples: &PodSamples| usage::average(samples, target).map(|(ratio, _)| ratio);
        Ok(Proposal {
            replicas: self.settle(samples, &groups, ratio, on_target, ratio_of)?,
            current: Current::AverageValue(average),
        })
    }

    /// One value for the whole workload, the sum of all series, proportional to the pods that serve.
    pub fn value(&self, series: &[i64], target: MilliTarget) -> Result<Proposal, MetricError> {
        let value = usage::sum(series).ok_or(MetricError::Unavailable)?;
        let ratio = value as f64 / target.milli() as f64;
        let proposed = if self.current == 0 {
            // Nothing serves yet, so there is nothing to be proportional to, and any demand needs a first pod.
            replicas(ratio)
        } else if self.tolerances.allow(ratio) {
            self.current
        } else if self.pods.is_empty() {
            return Err(MetricError::NoPods);
        } else {
            replicas(ratio * f64::from(ready_count(self.pods)))
        };
        Ok(Proposal { replicas: proposed, current: Current::Value(value) })
    }

    /// One value for the whole workload, the sum of all series, divided by the `existing` pods.
    pub fn value_per_pod(
        &self,
        series: &[i64],
        target: MilliTarget,
        existing: u32,
    ) -> Result<Proposal, MetricError> {
        let value = usage::sum(series).ok_or(MetricError::Unavailable)?;
        let (total, each) = (value as f64, target.milli() as f64);
        let ratio = total / (each * f64::from(existing));
        let proposed = if self.tolerances.allow(ratio) { existing } else { replicas(total / each) };
        // Dividing the largest value loses it to rounding; without pods there is no average.
        let average = if value == i64::MAX || existing == 0 {
            value
        } else {
            libm::ceil(total / f64::from(existing)) as i64
        };
        Ok(Proposal { replicas: proposed, current: Current::AverageValue(average) })
    }

    /// Sorts the pods and drops the samples that do not count.
    fn sort(&self, mut samples: PodSamples, is_cpu: bool) -> Result<(PodSamples, Groups), MetricError> {
        if samples.is_empty() {
            return Err(MetricError::Unavailable);
        }
        if self.pods.is_empty() {
            return Err(MetricError::NoPods);
        }
        let groups = group(self.pods, &samples, is_cpu, self.settings, self.now);
        for pod in groups.ignored.iter().chain(&groups.unready) {
            samples.remove(pod);
        }
        if samples.is_empty() { Err(MetricError::NoSamples) } else { Ok((samples, groups)) }
    }

    /// The replicas for a ratio. Pods of which nothing is known are assumed to damp whatever the others ask for, and
    /// can never turn it round.
    fn settle(
        &self,
        mut samples: PodSamples,
        groups: &Groups,
        ratio: f64,
        assumed: impl Fn(PodKey) -> i64,
        ratio_of: impl Fn(&PodSamples) -> Option<f64>,
    ) -> Result<u32, MetricError> {
        let wait_for_unready = !groups.unready.is_empty() && ratio > 1.0;
        if !wait_for_unready && groups.missing.is_empty() {
            let within = self.tolerances.allow(ratio);
            return Ok(if within { self.current } else { replicas(ratio * f64::from(groups.ready)) });
        }
        let fill = |pod: &PodKey, milli: i64| (*pod, Sample { at: self.now, window: Period::ZERO, milli });
        if ratio < 1.0 {
            samples.extend(groups.missing.iter().map(|pod| fill(pod, assumed(*pod))));
        } else if ratio > 1.0 {
            samples.extend(groups.missing.iter().chain(&groups.unready).map(|pod| fill(pod, 0)));
        }
        let damped = ratio_of(&samples).ok_or(MetricError::NoMatchingSamples)?;
        let has_turned = (ratio < 1.0 && damped > 1.0) || (ratio > 1.0 && damped < 1.0);
        if self.tolerances.allow(damped) || has_turned {
            return Ok(self.current);
        }
        let proposed = replicas(damped * samples.len() as f64);
        let is_against =
            (damped < 1.0 && proposed > self.current) || (damped > 1.0 && proposed < self.current);
        Ok(if is_against { self.current } else { proposed })
    }
}
