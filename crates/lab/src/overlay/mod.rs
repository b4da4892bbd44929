//! Two series of the same load laid over each other, one simulated and one from real clusters: how far they are apart, over time.

mod figure;
mod text;

pub use figure::figure;
pub use text::markdown;

use model::names::ClusterName;
use model::series::{Sample, Series};
use model::time::{Period, Timestamp};
use serde::Serialize;

/// Two series, side by side.
#[derive(Clone, Debug, Serialize)]
pub struct Overlay {
    /// What happens at a moment of the simulation happened this many milliseconds later in the recording.
    pub shift_ms: i64,
    /// How long both are known, in the time of the simulation.
    pub compared: Period,
    pub clusters: Vec<ClusterDifference>,
    /// Clusters that only one of the two has.
    pub left_out: Vec<ClusterName>,
}

/// One cluster in both.
#[derive(Clone, Debug, Serialize)]
pub struct ClusterDifference {
    pub cluster: ClusterName,
    pub cpu_allocated: Difference,
    pub memory_allocated: Difference,
    pub pods_pending: Difference,
}

/// How far two lines of steps are apart. All means are weighted by time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Difference {
    pub simulated_mean: f64,
    pub real_mean: f64,
    /// Of the distance between the lines.
    pub mean_absolute: f64,
    pub maximum: f64,
    #[serde(rename = "maximum_at_ms")]
    pub maximum_at: Timestamp,
    /// How long they differ at all.
    pub differing: Period,
    /// The mean distance in percent of the whole: of the cluster's capacity, or of the most pods it ever had.
    pub percent: f64,
    /// The distance of the means in percent of the whole: what is late on one side only does not count.
    pub percent_of_means: f64,
}

/// Lays a recording over a simulation. Without a shift, both begin when more is requested for the first time.
pub fn overlay(simulated: &Series, real: &Series, shift_ms: Option<i64>) -> Result<Overlay, String> {
    let shift_ms = shift_ms.unwrap_or_else(|| beginning(real) - beginning(simulated));
    let end = |series: &Series| {
        let last = |(_, samples): &(ClusterName, Vec<Sample>)| Some(samples.last()?.at.as_millis() as i64);
        series.clusters.iter().filter_map(last).max().unwrap_or(0)
    };
    let until = end(simulated).min(end(real).saturating_sub(shift_ms));
    if until <= 0 {
        return Err(
            "the two have no time in common; say with --shift how much later the recording is".to_owned()
        );
    }
    let find = |series: &Series, name: &ClusterName| {
        series.clusters.iter().find(|(other, _)| other == name).map(|(_, samples)| samples.clone())
    };
    let both = simulated.clusters.iter().filter_map(|(name, samples)| {
        let pair = Pair { simulated: samples.clone(), real: find(real, name)?, shift_ms, until };
        Some(pair.difference(name))
    });
    let clusters: Vec<ClusterDifference> = both.collect();
    if clusters.is_empty() {
        return Err("no cluster is in both; their names have to be the same".to_owned());
    }
    let only = |one: &Series, other: &Series| -> Vec<ClusterName> {
        let names = one.clusters.iter().map(|(name, _)| name);
        names.filter(|name| find(other, name).is_none()).cloned().collect()
    };
    let left_out = [only(simulated, real), only(real, simulated)].concat();
    Ok(Overlay { shift_ms, compared: Period(until as u64), clusters, left_out })
}

/// When more is requested than at first, in milliseconds; the beginning if that never happens.
fn beginning(series: &Series) -> i64 {
    let first = |(_, samples): &(ClusterName, Vec<Sample>)| {
        let at_first = samples.first()?.requested.cpu;
        Some(samples.iter().find(|sample| sample.requested.cpu > at_first)?.at.as_millis() as i64)
    };
    series.clusters.iter().filter_map(first).min().unwrap_or(0)
}

/// One cluster's samples on both sides.
struct Pair {
    simulated: Vec<Sample>,
    real: Vec<Sample>,
    shift_ms: i64,
    until: i64,
}

impl Pair {
    fn difference(&self, name: &ClusterName) -> ClusterDifference {
        let cores = |sample: &Sample| sample.allocated.cpu.0 as f64 / 1_000.0;
        let gibibytes = |sample: &Sample| sample.allocated.memory.0 as f64 / f64::from(1 << 30);
        let pending = |sample: &Sample| f64::from(sample.pods_pending);
        let all_pods = |sample: &Sample| f64::from(sample.pods_pending) + f64::from(sample.pods_running);
        let most = |value: &dyn Fn(&Sample) -> f64| self.real.iter().map(value).fold(0.0, f64::max);
        ClusterDifference {
            cluster: name.clone(),
            cpu_allocated: self.of(cores, most(&|sample| sample.capacity.cpu.0 as f64 / 1_000.0)),
            memory_allocated: self
                .of(gibibytes, most(&|sample| sample.capacity.memory.0 as f64 / f64::from(1 << 30))),
            pods_pending: self.of(pending, most(&all_pods)),
        }
    }

    fn of(&self, value: impl Fn(&Sample) -> f64, whole: f64) -> Difference {
        let moved = |sample: &Sample, shift: i64| {
            ((sample.at.as_millis() as i64).saturating_sub(shift), value(sample))
        };
        let simulated: Vec<(i64, f64)> = self.simulated.iter().map(|sample| moved(sample, 0)).collect();
        let real: Vec<(i64, f64)> = self.real.iter().map(|sample| moved(sample, self.shift_ms)).collect();
        apart(&simulated, &real, self.until, whole)
    }
}

/// Compares both lines at the moments at which the simulation was sampled, so that the grid of its samples delays both alike.
fn apart(simulated: &[(i64, f64)], real: &[(i64, f64)], until: i64, whole: f64) -> Difference {
    let mut moments: Vec<i64> =
        simulated.iter().map(|(at, _)| *at).filter(|at| (0..until).contains(at)).collect();
    moments.push(0);
    moments.sort_unstable();
    moments.dedup();
    let mut sums = Difference::default();
    for (place, at) in moments.iter().enumerate() {
        let length = (moments.get(place + 1).copied().unwrap_or(until) - at) as f64;
        let (one, other) = (value_at(simulated, *at), value_at(real, *at));
        let distance = (one - other).abs();
        sums.simulated_mean += one * length;
        sums.real_mean += other * length;
        sums.mean_absolute += distance * length;
        if distance > 0.0 {
            sums.differing = sums.differing.saturating_add(Period(length as u64));
        }
        if distance > sums.maximum {
            (sums.maximum, sums.maximum_at) = (distance, Timestamp(*at as u64));
        }
    }
    let time = until.max(1) as f64;
    let (simulated_mean, real_mean) = (sums.simulated_mean / time, sums.real_mean / time);
    let mean_absolute = sums.mean_absolute / time;
    let percent = |amount: f64| if whole > 0.0 { 100.0 * amount / whole } else { 0.0 };
    Difference {
        simulated_mean,
        real_mean,
        mean_absolute,
        percent: percent(mean_absolute),
        percent_of_means: percent((simulated_mean - real_mean).abs()),
        ..sums
    }
}

/// A value holds until the next one; before the first it is the first.
fn value_at(line: &[(i64, f64)], at: i64) -> f64 {
    let after = line.partition_point(|(moment, _)| *moment <= at);
    line.get(after.saturating_sub(1)).map_or(0.0, |(_, value)| *value)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::three_waves;

    /// The same, so much later.
    fn later(series: &Series, by: u64) -> Series {
        let mut moved = series.clone();
        for (_, samples) in &mut moved.clusters {
            for sample in samples {
                sample.at = Timestamp(sample.at.as_millis() + by);
            }
        }
        moved
    }

    #[test]
    fn lines_are_compared_over_time() {
        let steps = |from: i64| -> Vec<(i64, f64)> {
            (0..10).map(|second| (second * 1_000, if second >= from { 10.0 } else { 0.0 })).collect()
        };
        let (one, other) = (steps(1), steps(2));
        let found = apart(&one, &other, 10_000, 20.0);
        assert_eq!((found.mean_absolute, found.maximum, found.maximum_at), (1.0, 10.0, Timestamp(1_000)));
        assert_eq!((found.percent, found.differing), (5.0, Period::from_secs(1)));
        assert_eq!((found.simulated_mean, found.real_mean), (9.0, 8.0));
        assert_eq!(apart(&one, &one, 10_000, 20.0).percent, 0.0);
        // Within the second in which the simulation is not sampled, nobody can tell which was first.
        assert_eq!(apart(&one, &[(0, 0.0), (950, 10.0)], 10_000, 20.0).percent, 0.0);
    }

    #[test]
    fn the_furthest_shift_leaves_nothing_in_common() {
        let series = three_waves::series();
        assert!(overlay(&series, &series, Some(i64::MAX)).is_err());
        let found = overlay(&series, &series, Some(i64::MIN)).expect("all of it comes after the simulation");
        assert!(figure(&found, &series, &series, "far apart").to_svg().contains("far apart"));
    }

    #[test]
    fn a_recording_that_began_earlier_is_shifted_by_itself() {
        let simulated = three_waves::series();
        let found = overlay(&simulated, &later(&simulated, 7_300), None).expect("they overlap");
        assert_eq!(found.shift_ms, 7_300);
        assert!(found.clusters.iter().all(|one| one.cpu_allocated.mean_absolute == 0.0), "{found:?}");
        let found = overlay(&simulated, &later(&simulated, 7_300), Some(5_300)).expect("they overlap");
        let member1 = &found.clusters[0].cpu_allocated;
        // Sampled every five seconds: what is two seconds late is not seen in the sample, and so five.
        assert!(member1.percent > 1.0 && member1.percent < 3.0, "{member1:?}");
    }

    #[test]
    fn what_is_in_one_alone_is_named_and_nothing_in_common_is_refused() {
        let simulated = three_waves::series();
        let mut real = simulated.clone();
        real.clusters.truncate(1);
        let found = overlay(&simulated, &real, Some(0)).expect("one is in both");
        assert_eq!((found.clusters.len(), found.left_out.len()), (1, 1));
        real.clusters.clear();
        assert!(overlay(&simulated, &real, Some(0)).is_err());
        assert!(overlay(&simulated, &simulated, Some(10_000_000)).is_err());
    }
}
