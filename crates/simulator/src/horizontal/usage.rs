//! Usage over target, the number everything else follows from.

use super::pods::PodSamples;
use super::spec::MilliTarget;
use crate::controllers::pod::PodKey;
use std::collections::BTreeMap;
use std::num::NonZeroU32;

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Utilization {
    pub(super) ratio: f64,
    pub(super) percent: i32,
    pub(super) average: i64,
}

/// Whole per cent of the requests of all pods with a sample, rounded down, over the target; nothing if no sample
/// belongs to a pod with a request.
pub(super) fn utilization(
    samples: &PodSamples,
    requests: &BTreeMap<PodKey, i64>,
    target: NonZeroU32,
) -> Option<Utilization> {
    let (mut used, mut requested, mut count) = (0_i128, 0_i128, 0_i128);
    for (pod, sample) in samples {
        if let Some(request) = requests.get(pod) {
            used += i128::from(sample.milli);
            requested += i128::from(*request);
            count += 1;
        }
    }
    if requested == 0 {
        return None;
    }
    let percent = i32::try_from(used * 100 / requested).unwrap_or(i32::MAX);
    let ratio = f64::from(percent) / f64::from(target.get());
    Some(Utilization { ratio, percent, average: saturated(used / count) })
}

/// The average of all samples, rounded down, over the target; nothing without samples.
pub(super) fn average(samples: &PodSamples, target: MilliTarget) -> Option<(f64, i64)> {
    let sum: i128 = samples.values().map(|sample| i128::from(sample.milli)).sum();
    let average = saturated(sum.checked_div(samples.len() as i128)?);
    Some((average as f64 / target.milli() as f64, average))
}

/// The sum of all series, at most the largest number there is; nothing without series.
pub(super) fn sum(series: &[i64]) -> Option<i64> {
    let sum = series.iter().map(|value| i128::from(*value)).sum();
    (!series.is_empty()).then(|| saturated(sum))
}

fn saturated(value: i128) -> i64 {
    i64::try_from(value).unwrap_or(if value < 0 { i64::MIN } else { i64::MAX })
}

/// Replicas are whole, not negative, and fit the API's 32 bits.
pub(super) fn replicas(exact: f64) -> u32 {
    (libm::ceil(exact) as u32).min(i32::MAX as u32)
}
