//! The small phrases that rationales are made of.

use model::quantity::{Bytes, MilliCpu};
use model::ratio::Ratio;
use model::recommendation::{Alternative, Evidence, Opinion, Verdict};
use model::resources::Resources;
use std::fmt;

/// `80 %` for round shares, `91.5 %` for others.
pub(crate) fn percent(ratio: Ratio) -> String {
    let text = ratio.to_string();
    text.strip_suffix(".0 %").map_or(text.clone(), |whole| format!("{whole} %"))
}

/// `1 pod`, `2 pods`.
pub(crate) fn count(number: u64, noun: &str) -> String {
    if number == 1 { format!("1 {noun}") } else { format!("{number} {noun}s") }
}

/// `2 pods, both pending`; running pods need no remark.
pub(crate) fn pods(all: u64, pending: u64) -> String {
    let total = count(all, "pod");
    match pending {
        0 => total,
        1 if all == 1 => format!("{total}, pending"),
        2 if all == 2 => format!("{total}, both pending"),
        _ if pending == all => format!("{total}, all pending"),
        _ => format!("{total}, {pending} of them pending"),
    }
}

/// `465.12 CPU` without needless zeros.
pub(crate) fn cpu(amount: MilliCpu) -> String {
    let (cores, rest) = (amount.0 / 1_000, amount.0 % 1_000);
    let text = format!("{cores}.{rest:03}");
    format!("{} CPU", text.trim_end_matches('0').trim_end_matches('.'))
}

/// `158220 Mi of memory`.
pub(crate) fn memory(amount: Bytes) -> String {
    format!("{} Mi of memory", amount.0 >> 20)
}

/// The dimension in which `used` fills `capacity` more.
pub(crate) fn fuller_dimension(used: Resources, capacity: Resources) -> &'static str {
    let (cpu, memory) = (Ratio::of(used.cpu.0, capacity.cpu.0), Ratio::of(used.memory.0, capacity.memory.0));
    if memory > cpu { "memory" } else { "CPU" }
}

/// Who wants something: `the model`, or `performance and cost (energy against)`.
pub(crate) fn voices(opinions: &[Opinion]) -> String {
    if opinions.len() <= 1 {
        return "the model".to_owned();
    }
    let of = |verdict: Verdict| -> Vec<&str> {
        let voting = opinions.iter().filter(|one| one.weight > 0 && one.verdict == verdict);
        voting.map(|one| one.by.as_str()).collect()
    };
    let (wanting, against) = (of(Verdict::For).join(" and "), of(Verdict::Against).join(" and "));
    if against.is_empty() { wanting } else { format!("{wanting} ({against} against)") }
}

pub(crate) fn evidence(
    subject: impl fmt::Display,
    signal: &str,
    value: impl fmt::Display,
    limit: Option<Ratio>,
) -> Evidence {
    Evidence {
        subject: format!("{subject}"),
        signal: signal.to_owned(),
        value: format!("{value}"),
        limit: limit.map(percent),
    }
}

pub(crate) fn rejected(option: impl Into<String>, because: impl Into<String>) -> Alternative {
    Alternative { option: option.into(), rejected_because: because.into() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn phrases_read_well() {
        assert_eq!(percent(Ratio::from_percent(80)), "80 %");
        assert_eq!(percent(Ratio::of(70_000, 76_500)), "91.5 %");
        assert_eq!(pods(1, 1), "1 pod, pending");
        assert_eq!(pods(2, 2), "2 pods, both pending");
        assert_eq!(pods(6, 4), "6 pods, 4 of them pending");
        assert_eq!(pods(3, 0), "3 pods");
        assert_eq!(cpu(MilliCpu(465_120)), "465.12 CPU");
        assert_eq!(cpu(MilliCpu(600_000)), "600 CPU");
    }
}
