//! Writes a series as CSV, and reads it back: exact integers, one row per moment and cluster, the same bytes for the same run.

mod read;

pub use read::read_csv;

use model::series::{Sample, Series, ServiceSample};
use model::time::Timestamp;
use std::io::{self, Write};

/// The first line of every file.
pub const CSV_HEADER: &str = "time_s,cluster,nodes,cpu_capacity_m,cpu_allocated_m,cpu_requested_m,\
memory_capacity_bytes,memory_allocated_bytes,memory_requested_bytes,pods_running,pods_pending,cost_usd,cpu_used_m,power_mw";

/// The first line of the file about services.
pub const SERVICES_HEADER: &str = "time_s,service,demand_per_s,users,throughput_per_s,errors_per_s,\
latency_mean_ms,latency_p95_ms,replicas_ready,replicas_needed,cpu_used_m";

/// Writes all samples, oldest first; at one moment the clusters keep the order they have in the series.
pub fn write_csv<W: Write>(series: &Series, mut out: W) -> io::Result<()> {
    writeln!(out, "{CSV_HEADER}")?;
    let mut rows: Vec<(Timestamp, usize, &Sample)> = Vec::new();
    for (place, (_, samples)) in series.clusters.iter().enumerate() {
        rows.extend(samples.iter().map(|sample| (sample.at, place, sample)));
    }
    rows.sort_by_key(|(at, place, _)| (*at, *place));
    for (_, place, sample) in rows {
        // A cluster's name is a DNS name: it never needs quoting.
        write_row(&mut out, series.clusters[place].0.as_str(), sample)?;
    }
    out.flush()
}

fn write_row<W: Write>(out: &mut W, cluster: &str, sample: &Sample) -> io::Result<()> {
    let Sample {
        at,
        nodes,
        capacity,
        allocated,
        requested,
        pods_pending,
        pods_running,
        cost,
        cpu_used,
        power,
    } = sample;
    write!(out, "{},{cluster},{nodes}", thousandths(at.as_millis()))?;
    write!(out, ",{},{},{}", capacity.cpu.0, allocated.cpu.0, requested.cpu.0)?;
    write!(out, ",{},{},{}", capacity.memory.0, allocated.memory.0, requested.memory.0)?;
    write!(out, ",{pods_running},{pods_pending},{cost}")?;
    let known = |amount: Option<u64>| amount.map(|amount| amount.to_string()).unwrap_or_default();
    writeln!(out, ",{},{}", known(cpu_used.map(|cpu| cpu.0)), known(power.map(|power| power.0)))
}

/// Writes all samples of services, oldest first; at one moment in the order of the series.
pub fn write_services_csv<W: Write>(series: &Series, mut out: W) -> io::Result<()> {
    writeln!(out, "{SERVICES_HEADER}")?;
    let mut rows: Vec<(Timestamp, usize, &ServiceSample)> = Vec::new();
    for (place, (_, samples)) in series.services.iter().enumerate() {
        rows.extend(samples.iter().map(|sample| (sample.at, place, sample)));
    }
    rows.sort_by_key(|(at, place, _)| (*at, *place));
    for (at, place, sample) in rows {
        // A workload's name is made of DNS names: it never needs quoting.
        write!(out, "{},{}", thousandths(at.as_millis()), series.services[place].0)?;
        let users = sample.users.map(|users| thousandths(users.0)).unwrap_or_default();
        write!(out, ",{},{users}", thousandths(sample.demand.0))?;
        for value in [sample.throughput, sample.errors, sample.latency_mean_ms, sample.latency_p95_ms] {
            write!(out, ",{}", thousandths(value.0))?;
        }
        writeln!(out, ",{},{},{}", sample.replicas_ready, sample.replicas_needed, sample.cpu_used.0)?;
    }
    out.flush()
}

/// Thousandths as a decimal number with as many places as are needed: milliseconds as seconds, milli-CPU as cores.
pub(crate) fn thousandths(number: u64) -> String {
    let text = format!("{}.{:03}", number / 1000, number % 1000);
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::three_waves;
    use expect_test::expect;

    #[test]
    fn rows_are_ordered_by_time_and_exact() {
        let mut bytes = Vec::new();
        write_csv(&three_waves::series(), &mut bytes).unwrap();
        let text = String::from_utf8(bytes).unwrap();
        let head: Vec<&str> = text.lines().take(5).collect();
        expect![[r"
            time_s,cluster,nodes,cpu_capacity_m,cpu_allocated_m,cpu_requested_m,memory_capacity_bytes,memory_allocated_bytes,memory_requested_bytes,pods_running,pods_pending,cost_usd,cpu_used_m,power_mw
            0,member1,2,15300,0,0,33181138944,0,0,0,0,0,,
            0,member2,2,15300,0,0,33181138944,0,0,0,0,0,,
            5,member1,2,15300,4000,4000,33181138944,8589934592,8589934592,4,0,0.000747,,
            5,member2,2,15300,0,0,33181138944,0,0,0,0,0.000747,,
        "]]
        .assert_eq(&(head.join("\n") + "\n"));
        assert!(text.lines().skip(1).all(|line| line.split(',').count() == 14));
    }

    #[test]
    fn services_have_rows_of_their_own() {
        let mut bytes = Vec::new();
        write_services_csv(&crate::bad_day::series(), &mut bytes).unwrap();
        let text = String::from_utf8(bytes).unwrap();
        let rows: Vec<&str> =
            text.lines().filter(|line| line.starts_with("time_s") || line.starts_with("150,")).collect();
        expect![[r"
            time_s,service,demand_per_s,users,throughput_per_s,errors_per_s,latency_mean_ms,latency_p95_ms,replicas_ready,replicas_needed,cpu_used_m
            150,deployment/default/web,100,,100,0,625,1250,4,5,2000
            150,deployment/default/search,100,,0,100,0,0,0,4,2000
            150,deployment/default/login,100,,100,0,50,100,4,4,2000
        "]].assert_eq(&(rows.join("\n") + "\n"));
    }

    #[test]
    fn thousandths_keep_what_is_needed() {
        for (number, text) in [(0, "0"), (1, "0.001"), (70_250, "70.25"), (300_000, "300")] {
            assert_eq!(thousandths(number), text);
        }
    }
}
