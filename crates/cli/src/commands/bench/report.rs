//! All measurements of one `drover bench`, in the form that is written to a file.

use super::case::{Case, CaseResult, Measurement};
use super::instructions::Counter;
use anyhow::bail;
use lab::workload_w::Size;
use serde::Serialize;

#[derive(Debug, Serialize)]
pub(super) struct Report {
    build: &'static str,
    operating_system: &'static str,
    architecture: &'static str,
    pub(super) repeat: u32,
    /// Who counted instructions, or why nobody did.
    pub(super) instructions_counted_by: Option<&'static str>,
    pub(super) instructions_not_counted: Option<String>,
    pub(super) cases: Vec<CaseReport>,
    pub(super) measured_elsewhere: &'static [Elsewhere],
}

/// All runs of one case.
#[derive(Debug, Serialize)]
pub(super) struct CaseReport {
    pub(super) name: &'static str,
    pub(super) nodes: Option<u32>,
    pub(super) pods: Option<u32>,
    #[serde(flatten)]
    pub(super) result: CaseResult,
    /// One per run, in order.
    cpu_seconds_of_runs: Vec<f64>,
    peak_memory_bytes_of_runs: Vec<u64>,
    /// Medians over the runs; nothing where the operating system does not tell.
    pub(super) cpu_seconds: Option<f64>,
    pub(super) peak_memory_bytes: Option<u64>,
    pub(super) pods_per_cpu_second: Option<f64>,
    pub(super) simulated_seconds_per_cpu_second: Option<f64>,
    /// Against the next smaller size of the same workload.
    pub(super) cpu_growth: Option<f64>,
    pub(super) memory_growth: Option<f64>,
    /// Outside the kernel, counted in one run of its own.
    pub(super) instructions: Option<u64>,
    pub(super) instructions_not_counted: Option<String>,
    pub(super) instructions_growth: Option<f64>,
}

/// A figure from somewhere else, kept apart from what was measured here.
#[derive(Debug, Serialize)]
pub(super) struct Elsewhere {
    pub(super) system: &'static str,
    pub(super) nodes: u32,
    pub(super) pods: u32,
    pub(super) cpu_seconds: f64,
    pub(super) peak_memory_megabytes: u32,
    pub(super) note: &'static str,
}

/// Measured earlier on a similar 2-core machine that other work shared; none of these projects publishes such figures. They are
/// user time alone, where ours adds system time. Kubernetriks includes reading its input, 32 MB for the larger size, and is
/// the lower of two runs there (the other took 66.4 s); ours is generated in memory.
const MEASURED_ELSEWHERE: [Elsewhere; 5] = [
    Elsewhere {
        system: "Kubernetriks 2.0.0",
        nodes: 100,
        pods: 10_000,
        cpu_seconds: 0.64,
        peak_memory_megabytes: 53,
        note: "one filter, one score",
    },
    Elsewhere {
        system: "Kubernetriks 2.0.0",
        nodes: 1_000,
        pods: 100_000,
        cpu_seconds: 61.2,
        peak_memory_megabytes: 499,
        note: "one filter, one score",
    },
    Elsewhere {
        system: "CloudSim Plus 8.5.7",
        nodes: 100,
        pods: 10_000,
        cpu_seconds: 33.2,
        peak_memory_megabytes: 214,
        note: "worst fit of virtual machines",
    },
    Elsewhere {
        system: "CloudSim Plus 8.5.7",
        nodes: 1_000,
        pods: 100_000,
        cpu_seconds: 518.0,
        peak_memory_megabytes: 326,
        note: "stopped before the end",
    },
    Elsewhere {
        system: "kube-scheduler 1.36.4",
        nodes: 1_000,
        pods: 5_500,
        cpu_seconds: 80.7,
        peak_memory_megabytes: 836,
        note: "with API server, its own pods",
    },
];

impl Report {
    pub(super) fn new(repeat: u32, counter: &Result<Counter, String>) -> Self {
        Self {
            build: env!("CARGO_PKG_VERSION"),
            operating_system: std::env::consts::OS,
            architecture: std::env::consts::ARCH,
            repeat,
            instructions_counted_by: counter.as_ref().ok().map(|counter| counter.name()),
            instructions_not_counted: counter.as_ref().err().cloned(),
            cases: Vec::new(),
            measured_elsewhere: &MEASURED_ELSEWHERE,
        }
    }

    /// Adds the runs of a case, which must have come to the same result, and its instructions if there is a counter.
    pub(super) fn add(
        &mut self,
        case: Case,
        runs: &[Measurement],
        instructions: Option<Result<u64, String>>,
    ) -> anyhow::Result<()> {
        let smaller = self.cases.last().filter(|last| case.size().is_some() && last.pods.is_some());
        let mut report = CaseReport::new(case.name(), case.size(), runs, smaller)?;
        match instructions.transpose() {
            Ok(count) => report.instructions = count,
            Err(reason) => report.instructions_not_counted = Some(reason),
        }
        let float = |count: Option<u64>| count.map(|count| count as f64);
        let smaller = smaller.and_then(|smaller| smaller.instructions);
        report.instructions_growth = ratio(float(report.instructions), float(smaller));
        self.cases.push(report);
        Ok(())
    }
}

impl CaseReport {
    fn new(
        name: &'static str,
        size: Option<Size>,
        runs: &[Measurement],
        smaller: Option<&Self>,
    ) -> anyhow::Result<Self> {
        let Some(first) = runs.first() else { bail!("{name} was not measured") };
        let result = first.result.clone();
        if let Some(other) = runs.iter().find(|run| run.result != result) {
            bail!("two runs of {name} differ: {result:?} and {:?}", other.result);
        }
        let cpu_of_runs: Vec<f64> = runs.iter().filter_map(|run| run.cpu_seconds).collect();
        let memory_of_runs: Vec<u64> = runs.iter().filter_map(|run| run.peak_memory_bytes).collect();
        let cpu = median(&cpu_of_runs, f64::total_cmp);
        let memory = median(&memory_of_runs, u64::cmp);
        let per_cpu_second = |amount: f64| cpu.map(|cpu| amount / cpu);
        Ok(Self {
            name,
            nodes: size.map(|size| size.nodes),
            pods: size.map(|size| size.pods),
            cpu_growth: ratio(cpu, smaller.and_then(|smaller| smaller.cpu_seconds)),
            memory_growth: ratio(
                memory.map(|bytes| bytes as f64),
                smaller.and_then(|smaller| smaller.peak_memory_bytes).map(|bytes| bytes as f64),
            ),
            pods_per_cpu_second: size.and_then(|size| per_cpu_second(f64::from(size.pods))),
            simulated_seconds_per_cpu_second: per_cpu_second(result.simulated_seconds as f64),
            cpu_seconds_of_runs: cpu_of_runs,
            peak_memory_bytes_of_runs: memory_of_runs,
            cpu_seconds: cpu,
            peak_memory_bytes: memory,
            instructions: None,
            instructions_not_counted: None,
            instructions_growth: None,
            result,
        })
    }
}

fn ratio(larger: Option<f64>, smaller: Option<f64>) -> Option<f64> {
    Some(larger? / smaller?)
}

/// The middle one; of an even number the lower of the two in the middle, so that it is one that was measured.
fn median<T: Copy>(values: &[T], order: impl Fn(&T, &T) -> std::cmp::Ordering) -> Option<T> {
    let mut sorted = values.to_vec();
    sorted.sort_by(order);
    sorted.get(sorted.len().checked_sub(1)? / 2).copied()
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    pub(crate) fn measurement(cpu: Option<f64>, fingerprint: &str) -> Measurement {
        let fingerprint = fingerprint.to_owned();
        Measurement {
            cpu_seconds: cpu,
            peak_memory_bytes: cpu.map(|cpu| (cpu * 20e6) as u64),
            result: CaseResult { simulated_seconds: 4_200, events: 30_000, fingerprint },
        }
    }

    #[test]
    fn medians_and_growth_come_from_the_runs() {
        let mut report = Report::new(3, &Ok(Counter::Valgrind));
        let runs = |cpu: [f64; 3]| cpu.map(|cpu| measurement(Some(cpu), "same")).to_vec();
        report.add(Case::Small, &runs([0.3, 0.1, 0.2]), Some(Ok(500))).unwrap();
        report.add(Case::Middle, &runs([2.0, 5.0, 4.0]), Some(Ok(6_000))).unwrap();
        report.add(Case::ThreeWaves, &runs([1.0, 1.0, 1.0]), Some(Err("why".to_owned()))).unwrap();
        let growth: Vec<_> = report.cases.iter().map(|case| case.instructions_growth).collect();
        assert_eq!(growth, [None, Some(12.0), None]);
        assert_eq!(report.cases[2].instructions_not_counted.as_deref(), Some("why"));
        let growth: Vec<_> = report.cases.iter().map(|case| case.cpu_growth).collect();
        assert_eq!(growth, [None, Some(20.0), None]);
        assert_eq!(report.cases[0].pods_per_cpu_second, Some(50_000.0));
        assert_eq!(report.cases[1].simulated_seconds_per_cpu_second, Some(1_050.0));
        assert_eq!(report.cases[2].pods_per_cpu_second, None);
    }

    #[test]
    fn runs_that_differ_are_refused() {
        let runs = [measurement(Some(1.0), "one"), measurement(Some(1.0), "other")];
        let mut report = Report::new(2, &Err("no counter".to_owned()));
        let error = report.add(Case::Small, &runs, None).unwrap_err().to_string();
        assert!(error.contains("w-100 differ"), "{error}");
    }
}
