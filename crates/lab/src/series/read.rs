//! Reads `series.csv` back: of a run, or of a recording.

use super::CSV_HEADER;
use model::energy::Milliwatts;
use model::money::MicroDollars;
use model::names::ClusterName;
use model::quantity::{Bytes, MilliCpu};
use model::resources::Resources;
use model::series::{Sample, Series};
use model::time::{Period, Timestamp};
use std::collections::BTreeMap;
use std::str::FromStr;

/// Three centuries: no run is longer, and moments of two files can be subtracted from each other.
const LATEST_MS: u64 = 10_000_000_000_000;

/// The samples of a file; the error is a sentence that names the line.
pub fn read_csv(text: &str) -> Result<Series, String> {
    let mut lines = (1..).zip(text.lines());
    if lines.next().map(|(_, line)| line) != Some(CSV_HEADER) {
        return Err(
            "line 1: these are not the columns of a series.csv; give one that drover wrote".to_owned()
        );
    }
    let mut order: Vec<ClusterName> = Vec::new();
    let mut all: BTreeMap<ClusterName, Vec<Sample>> = BTreeMap::new();
    for (number, line) in lines.filter(|(_, line): &(u32, &str)| !line.is_empty()) {
        let (cluster, sample) = row(line).map_err(|why| format!("line {number}: {why}"))?;
        let samples = all.entry(cluster.clone()).or_insert_with(|| {
            order.push(cluster);
            Vec::new()
        });
        if samples.last().is_some_and(|last| last.at > sample.at) {
            return Err(format!("line {number}: it is earlier than the line before"));
        }
        samples.push(sample);
    }
    let clusters: Vec<(ClusterName, Vec<Sample>)> =
        order.into_iter().map(|name| (name.clone(), all.remove(&name).unwrap_or_default())).collect();
    let times = clusters.first().map_or(&[][..], |(_, samples)| samples);
    let every = times.windows(2).map(|pair| pair[1].at.since(pair[0].at)).min().unwrap_or(Period::ZERO);
    Ok(Series { every, clusters, services: Vec::new() })
}

fn row(line: &str) -> Result<(ClusterName, Sample), String> {
    let cells: Vec<&str> = line.split(',').collect();
    let [
        time,
        cluster,
        nodes,
        cpu,
        cpu_allocated,
        cpu_requested,
        memory,
        memory_allocated,
        memory_requested,
        running,
        pending,
        cost,
        used,
        power,
    ] = cells[..]
    else {
        return Err(format!("{} cells instead of {}", cells.len(), CSV_HEADER.split(',').count()));
    };
    let running = number::<u32>("pods_running", running)?;
    let pods_pending = number::<u32>("pods_pending", pending)?;
    let amounts = |cpu: &str, memory: &str, pods: u64| {
        Ok::<_, String>(Resources::new(MilliCpu(number("cpu", cpu)?), Bytes(number("memory", memory)?), pods))
    };
    let known = |name: &str, text: &str| (!text.is_empty()).then(|| number::<u64>(name, text)).transpose();
    let sample = Sample {
        at: moment(time)?,
        nodes: number("nodes", nodes)?,
        capacity: amounts(cpu, memory, 0)?,
        allocated: amounts(cpu_allocated, memory_allocated, u64::from(running))?,
        requested: amounts(cpu_requested, memory_requested, u64::from(running) + u64::from(pods_pending))?,
        pods_pending,
        pods_running: running,
        cost: number::<MicroDollars>("cost_usd", cost)?,
        cpu_used: known("cpu_used_m", used)?.map(MilliCpu),
        power: known("power_mw", power)?.map(Milliwatts),
    };
    let cluster = ClusterName::new(cluster).map_err(|error| format!("cluster: {error}"))?;
    Ok((cluster, sample))
}

fn number<T: FromStr>(column: &str, text: &str) -> Result<T, String> {
    text.parse().map_err(|_| format!("{column}: {text:?} is not a number"))
}

/// Seconds with up to three places.
fn moment(text: &str) -> Result<Timestamp, String> {
    let refused = || format!("time_s: {text:?} is not a number of seconds");
    let (whole, places) = text.split_once('.').unwrap_or((text, ""));
    if places.len() > 3 || !text.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.') {
        return Err(refused());
    }
    let seconds: u64 = whole.parse().map_err(|_| refused())?;
    let milliseconds: u64 = format!("{places:0<3}").parse().map_err(|_| refused())?;
    let sum = seconds.checked_mul(1_000).and_then(|whole| whole.checked_add(milliseconds));
    sum.filter(|milliseconds| *milliseconds <= LATEST_MS).map(Timestamp).ok_or_else(refused)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::series::write_csv;
    use crate::three_waves;

    fn written(series: &Series) -> String {
        let mut bytes = Vec::new();
        write_csv(series, &mut bytes).expect("memory takes it");
        String::from_utf8(bytes).expect("it is text")
    }

    #[test]
    fn what_was_written_is_read_back_and_written_the_same() {
        let text = written(&three_waves::series());
        let read = read_csv(&text).expect("our own file");
        assert_eq!(read.every, Period::from_secs(5));
        assert_eq!(written(&read), text);
    }

    #[test]
    fn what_is_wrong_is_said_with_its_line() {
        let text = written(&three_waves::series());
        let check = |from: &str, to: &str, want: &str| {
            let error = read_csv(&text.replacen(from, to, 1)).expect_err(want);
            assert!(error.contains(want), "{error}");
        };
        check("time_s", "time", "line 1: these are not the columns");
        check("\n5,member1,2", "\n5,member1,two", "line 4: nodes: \"two\" is not a number");
        check("\n5,member1,2", "\n5,Member 1,2", "line 4: cluster");
        check("\n5,member1,2", "\nx,member1,2", "line 4: time_s");
        check("\n5,member1,2", "\n10000000001,member1,2", "line 4: time_s");
        check("\n10,member1,2", "\n1,member1,2", "line 6: it is earlier");
        check("\n5,member1,2", "\n5,member1", "line 4: 13 cells instead of 14");
    }
}
