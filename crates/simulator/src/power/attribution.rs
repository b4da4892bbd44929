//! Whose power a host's power is: the parts of everybody and of nobody always add up to the whole.
//!
//! What a host draws above idle goes by CPU share, system processes included. The idle power goes by one of four rules;
//! Kepler, and GreenWise with it, share it by the number of processes.

use crate::apportion::apportion;
use model::energy::Milliwatts;
use model::quantity::MilliCpu;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// How the power of an idle host is shared out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum IdleRule {
    /// By the number of processes, the system's included.
    #[default]
    ByProcesses,
    /// By requested CPU as a share of the host's capacity; what nobody requested belongs to nobody.
    ByRequest,
    /// By used CPU, the system's included.
    ByUsage,
    /// It belongs to nobody.
    Nobody,
}

/// To whom the power above idle goes when nothing uses CPU, as between two measurements.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum ZeroUsage {
    /// By the number of processes, as Kepler does.
    #[default]
    ByProcesses,
    /// It belongs to nobody.
    Nobody,
}

/// How a host's power is attributed to what runs on it. Every spelling that can be read is a rule, so this is both the
/// form in a file and the checked one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Rules {
    /// Whose the power of an idle host is.
    pub idle: IdleRule,
    /// Whose the power above idle is while nothing uses CPU.
    pub zero_usage: ZeroUsage,
}

/// A host at one moment.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Host {
    /// What it draws.
    pub power: Milliwatts,
    /// What it would draw without load; where it draws less than that, all of it is idle power.
    pub idle: Milliwatts,
    pub capacity: MilliCpu,
    /// What runs outside all containers; its share is nobody's.
    pub system: Load,
}

/// What one container, or the system, does on a host.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Load {
    pub usage: MilliCpu,
    pub request: MilliCpu,
    pub processes: u32,
}

/// Power of one container, or of nobody.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Part {
    pub idle: Milliwatts,
    pub dynamic: Milliwatts,
}

impl Part {
    pub const fn total(self) -> Milliwatts {
        self.idle.saturating_add(self.dynamic)
    }
}

/// A host's power, shared out.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Attribution {
    /// In the order of the containers.
    pub parts: Vec<Part>,
    /// The system's, and what no rule gives to anybody.
    pub nobody: Part,
}

/// Shares out what a host draws among its containers.
pub fn attribute(host: &Host, containers: &[Load], rules: Rules) -> Attribution {
    let processes = weights(host.system, containers, |load| u64::from(load.processes));
    let usage = weights(host.system, containers, |load| load.usage.0);
    let idle_weights = match rules.idle {
        IdleRule::ByProcesses => processes.clone(),
        IdleRule::ByRequest => requests(host.capacity, containers),
        IdleRule::ByUsage => usage.clone(),
        IdleRule::Nobody => nobody(containers),
    };
    let dynamic_weights = match rules.zero_usage {
        _ if usage.iter().any(|weight| *weight > 0) => usage,
        ZeroUsage::ByProcesses => processes,
        ZeroUsage::Nobody => nobody(containers),
    };
    let idle = share_out(host.idle.min(host.power), &idle_weights);
    let dynamic = share_out(host.power.saturating_sub(host.idle), &dynamic_weights);
    let mut parts: Vec<Part> =
        idle.into_iter().zip(dynamic).map(|(idle, dynamic)| Part { idle, dynamic }).collect();
    let nobody = parts.pop().unwrap_or_default();
    Attribution { parts, nobody }
}

/// Nobody's weight stands last.
fn weights(system: Load, containers: &[Load], weight: fn(&Load) -> u64) -> Vec<u64> {
    containers.iter().chain([&system]).map(weight).collect()
}

fn requests(capacity: MilliCpu, containers: &[Load]) -> Vec<u64> {
    let requested = containers.iter().fold(0_u64, |sum, load| sum.saturating_add(load.request.0));
    let rest = capacity.0.saturating_sub(requested);
    containers.iter().map(|load| load.request.0).chain([rest]).collect()
}

fn nobody(containers: &[Load]) -> Vec<u64> {
    containers.iter().map(|_| 0).chain([1]).collect()
}

/// Without any weight everything is nobody's.
fn share_out(power: Milliwatts, weights: &[u64]) -> Vec<Milliwatts> {
    let mut parts: Vec<Milliwatts> = apportion(power.0, weights).into_iter().map(Milliwatts).collect();
    if weights.iter().all(|weight| *weight == 0)
        && let Some(last) = parts.last_mut()
    {
        *last = power;
    }
    parts
}
