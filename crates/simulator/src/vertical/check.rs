//! From a vertical autoscaler as written to one that cannot be wrong.

use super::raw::{RawAllowed, RawVertical};
use super::recommender::{Amounts, Policy};
use super::settings::Settings;
use model::ratio::Ratio;

/// A checked vertical autoscaler.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct VerticalSpec {
    pub settings: Settings,
    pub policy: Policy,
}

/// What is wrong under a key, and what to write instead.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VerticalFault {
    pub key: &'static str,
    /// Keys that must have been read for this to be a fault at all.
    pub rests_on: &'static [&'static str],
    pub message: String,
    pub proposal: String,
}

pub fn check(raw: &RawVertical) -> Result<VerticalSpec, Vec<VerticalFault>> {
    let spec = VerticalSpec { settings: settings(raw), policy: policy(raw) };
    let faults: Vec<VerticalFault> =
        [order_of_percentiles(&spec.settings), bounds(&spec.policy), half_life(raw)]
            .into_iter()
            .flatten()
            .collect();
    if faults.is_empty() { Ok(spec) } else { Err(faults) }
}

fn settings(raw: &RawVertical) -> Settings {
    let usual = Settings::default();
    let or = |written: Option<Ratio>, usual: f64| written.map_or(usual, Ratio::as_f64);
    Settings {
        lower_percentile: or(raw.lower_percentile, usual.lower_percentile),
        target_percentile: or(raw.target_percentile, usual.target_percentile),
        upper_percentile: or(raw.upper_percentile, usual.upper_percentile),
        margin: or(raw.margin, usual.margin),
        cpu_half_life: raw.half_life.unwrap_or(usual.cpu_half_life),
        memory_half_life: raw.half_life.unwrap_or(usual.memory_half_life),
        ..usual
    }
}

fn policy(raw: &RawVertical) -> Policy {
    let amounts = |allowed: Option<RawAllowed>| {
        let allowed = allowed.unwrap_or_default();
        Amounts { cpu: allowed.cpu.unwrap_or_default(), memory: allowed.memory.unwrap_or_default() }
    };
    Policy { min_allowed: amounts(raw.min_allowed), max_allowed: amounts(raw.max_allowed) }
}

fn order_of_percentiles(settings: &Settings) -> Option<VerticalFault> {
    let Settings { lower_percentile: lower, target_percentile: target, upper_percentile: upper, .. } =
        *settings;
    let ordered = lower <= target && target <= upper;
    (!ordered).then(|| VerticalFault {
        key: "target_percentile",
        rests_on: &["lower_percentile", "target_percentile", "upper_percentile"],
        message: format!("the percentiles are out of order: lower {lower}, target {target}, upper {upper}"),
        proposal: "let the target lie between lower_percentile and upper_percentile".to_owned(),
    })
}

/// A maximum of nothing is no bound, as in [`Policy`].
fn bounds(policy: &Policy) -> Option<VerticalFault> {
    let (least, most) = (policy.min_allowed, policy.max_allowed);
    let above = |least: u64, most: u64| most > 0 && least > most;
    let said = if above(least.cpu.0, most.cpu.0) {
        format!("the least CPU allowed, {}, is more than the most, {}", least.cpu, most.cpu)
    } else if above(least.memory.0, most.memory.0) {
        format!("the least memory allowed, {}, is more than the most, {}", least.memory, most.memory)
    } else {
        return None;
    };
    Some(VerticalFault {
        key: "min_allowed",
        rests_on: &["min_allowed", "max_allowed"],
        message: said,
        proposal: "let min_allowed be at most max_allowed".to_owned(),
    })
}

fn half_life(raw: &RawVertical) -> Option<VerticalFault> {
    raw.half_life.is_some_and(model::time::Period::is_zero).then(|| VerticalFault {
        key: "half_life",
        rests_on: &["half_life"],
        message: "samples that count for nothing at once recommend nothing".to_owned(),
        proposal: "write for instance 24h".to_owned(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use model::quantity::{Bytes, MilliCpu};
    use model::time::Period;

    #[test]
    fn what_is_not_written_is_upstreams_default() {
        let spec = check(&RawVertical::default()).unwrap();
        assert_eq!(spec, VerticalSpec { settings: Settings::default(), policy: Policy::default() });
    }

    #[test]
    fn what_is_written_arrives() {
        let raw = RawVertical {
            min_allowed: Some(RawAllowed { cpu: Some(MilliCpu(100)), memory: None }),
            max_allowed: Some(RawAllowed { cpu: None, memory: Some(Bytes(1 << 30)) }),
            target_percentile: Some(Ratio::from_percent(80)),
            margin: Some(Ratio::from_percent(20)),
            half_life: Some(Period::from_hours(1)),
            ..RawVertical::default()
        };
        let VerticalSpec { settings, policy } = check(&raw).unwrap();
        assert_eq!((settings.target_percentile, settings.margin), (0.8, 0.2));
        assert_eq!(
            (settings.cpu_half_life, settings.memory_half_life),
            (Period::from_hours(1), Period::from_hours(1))
        );
        assert_eq!((policy.min_allowed.cpu, policy.max_allowed.memory), (MilliCpu(100), Bytes(1 << 30)));
        assert_eq!((policy.max_allowed.cpu, policy.min_allowed.memory), (MilliCpu(0), Bytes(0)));
    }

    #[test]
    fn all_contradictions_are_found_at_once() {
        let allowed = |cpu: u64| Some(RawAllowed { cpu: Some(MilliCpu(cpu)), memory: None });
        let raw = RawVertical {
            min_allowed: allowed(200),
            max_allowed: allowed(100),
            target_percentile: Some(Ratio::from_percent(40)),
            half_life: Some(Period::ZERO),
            ..RawVertical::default()
        };
        let keys: Vec<&str> = check(&raw).unwrap_err().iter().map(|fault| fault.key).collect();
        assert_eq!(keys, ["target_percentile", "min_allowed", "half_life"]);
    }
}
