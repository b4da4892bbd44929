//! How the clusters stood over time, for charts: of the run that goes on now, from its beginning, within a fixed amount of memory.
//!
//! Every observation is a point. When there are too many, half of them are let go, evenly over time: a run of any length keeps a course
//! of about half as many points as fit. What was highest stays, because a chart without its peaks says that nothing happened.

use control::world::Input;
use model::names::ClusterName;
use model::resources::Resources;
use model::signal::Signal;
use model::snapshot::{ClusterView, Snapshot};
use model::time::Timestamp;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::sync::{Arc, Mutex, PoisonError};

/// Points that are kept: more than a wide screen has pixels to show.
const MOST_POINTS: usize = 4_096;

/// One cluster at one moment.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Moment {
    pub capacity: Resources,
    pub allocated: Resources,
    pub requested: Resources,
    /// What is measured as used, where it is: cores and bytes.
    pub used_cpu: Option<f64>,
    pub used_memory: Option<f64>,
    pub pods_pending: u32,
    pub nodes: u32,
    pub cost_per_hour: f64,
    pub watts: Option<f64>,
}

/// All clusters that were seen at one moment.
#[derive(Clone, Debug, PartialEq)]
pub struct Point {
    pub at: Timestamp,
    pub clusters: BTreeMap<ClusterName, Moment>,
}

/// The course so far, oldest first.
#[derive(Debug, Default)]
pub struct History(Mutex<Vec<Arc<Point>>>);

impl History {
    pub(crate) fn observe(&self, input: &Input) {
        if let Input::Observed(snapshot) = input {
            let mut points = self.0.lock().unwrap_or_else(PoisonError::into_inner);
            points.push(Arc::new(Point::of(snapshot)));
            if points.len() > MOST_POINTS {
                // Widths double, so that parts are made of whole parts of the time before: otherwise holes would grow from time to time.
                *points = thinned(std::mem::take(&mut *points), MOST_POINTS / 2, u64::next_power_of_two);
            }
        }
    }

    /// The points of a span of time, at most so many; the last one is always the newest of the span, and what is highest in the span is
    /// among them.
    pub fn between(&self, from: Timestamp, to: Timestamp, most: usize) -> Vec<Arc<Point>> {
        let points = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let within: Vec<Arc<Point>> =
            points.iter().filter(|point| (from..=to).contains(&point.at)).map(Arc::clone).collect();
        drop(points);
        thinned(within, most, std::convert::identity)
    }
}

/// Chooses points: the first, the newest, the highest of every series as far as there is room, and of equal parts of the time the one
/// in which the most series are at their highest.
fn thinned(points: Vec<Arc<Point>>, most: usize, width: fn(u64) -> u64) -> Vec<Arc<Point>> {
    if points.len() <= most || points.is_empty() {
        return points;
    }
    let mut chosen = BTreeSet::from([points.len() - 1]);
    for place in peaks(&points).into_iter().chain([0]) {
        if chosen.len() < most {
            chosen.insert(place);
        }
    }
    for part in parts(&points, most.saturating_sub(chosen.len()), width) {
        chosen.insert(part.start + most_telling(&points[part]));
    }
    chosen.into_iter().map(|place| Arc::clone(&points[place])).collect()
}

/// Where each series is highest, for the last time; what people look at first comes first.
fn peaks(points: &[Arc<Point>]) -> Vec<usize> {
    let mut highest: BTreeMap<(usize, &ClusterName), (f64, usize)> = BTreeMap::new();
    for (place, point) in points.iter().enumerate() {
        for (cluster, moment) in &point.clusters {
            for (series, value) in moment.series().into_iter().enumerate() {
                let Some(value) = value else { continue };
                let best = highest.entry((series, cluster)).or_insert((value, place));
                if value >= best.0 {
                    *best = (value, place);
                }
            }
        }
    }
    highest.into_values().map(|(_, place)| place).collect()
}

/// Where the most series are highest; at the end where nothing was seen.
fn most_telling(points: &[Arc<Point>]) -> usize {
    let mut votes: BTreeMap<usize, usize> = BTreeMap::new();
    for place in peaks(points) {
        *votes.entry(place).or_default() += 1;
    }
    let last = points.len().saturating_sub(1);
    votes.into_iter().max_by_key(|(place, votes)| (*votes, *place)).map_or(last, |(place, _)| place)
}

/// Divides points into at most so many parts of equal time; parts in which there are none are left out.
fn parts(points: &[Arc<Point>], number: usize, rounded: fn(u64) -> u64) -> Vec<Range<usize>> {
    let (Some(first), Some(last), 1..) = (points.first(), points.last(), number) else { return Vec::new() };
    let width = rounded((last.at.0.saturating_sub(first.at.0) + 1).div_ceil(number as u64));
    let number_of = |place: usize| points[place].at.0.saturating_sub(first.at.0) / width;
    let mut parts: Vec<Range<usize>> = Vec::new();
    for place in 0..points.len() {
        match parts.last_mut() {
            Some(part) if number_of(part.start) == number_of(place) => part.end = place + 1,
            _ => parts.push(place..place + 1),
        }
    }
    parts
}

impl Point {
    fn of(snapshot: &Snapshot) -> Self {
        // A cluster behind a gap is shown to agents as it was last seen; a line over time must not claim that it was so.
        let seen = snapshot.clusters.iter().filter(|(name, _)| snapshot.gap_of_cluster(name).is_none());
        let clusters = seen.map(|(name, view)| (name.clone(), Moment::of(view)));
        Self { at: snapshot.taken_at, clusters: clusters.collect() }
    }
}

impl Moment {
    /// Every value that is shown over time; what people look at first comes first.
    fn series(&self) -> [Option<f64>; 12] {
        let Self { capacity, allocated, requested, .. } = self;
        let cores = |resources: &Resources| Some(resources.cpu.0 as f64);
        let bytes = |resources: &Resources| Some(resources.memory.0 as f64);
        [
            Some(f64::from(self.pods_pending)),
            Some(self.cost_per_hour),
            cores(requested),
            bytes(requested),
            cores(allocated),
            bytes(allocated),
            self.used_cpu,
            self.used_memory,
            self.watts,
            Some(f64::from(self.nodes)),
            cores(capacity),
            bytes(capacity),
        ]
    }

    fn of(view: &ClusterView) -> Self {
        let signal = |signal| view.signals.get(signal).map(|reading| reading.value.as_f64());
        Self {
            capacity: view.capacity,
            allocated: view.allocated,
            requested: view.requested,
            used_cpu: signal(Signal::CpuUsage),
            used_memory: signal(Signal::MemoryUsage),
            pods_pending: view.pods_pending,
            nodes: view.nodes.len() as u32,
            cost_per_hour: cost_per_hour(view),
            watts: signal(Signal::PowerWatts),
        }
    }
}

/// What all nodes cost, those included that are on their way.
pub fn cost_per_hour(view: &ClusterView) -> f64 {
    let pools = view.pools.values();
    pools.map(|pool| pool.price_per_hour.as_dollars_float() * f64::from(pool.nodes + pool.booting)).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use model::snapshot::{Gap, GapSubject};
    use proptest::prelude::*;

    fn after(observations: u64) -> History {
        let history = History::default();
        for at in 0..observations {
            let snapshot = Snapshot { taken_at: Timestamp(at), ..Snapshot::default() };
            history.observe(&Input::Observed(Arc::new(snapshot)));
        }
        history
    }

    fn times(history: &History, most: usize) -> Vec<u64> {
        history.between(Timestamp(0), Timestamp::MAX, most).iter().map(|point| point.at.0).collect()
    }

    #[test]
    fn a_cluster_behind_a_gap_has_no_moment() {
        let name = |text| ClusterName::new(text).unwrap();
        let gap = Gap {
            subject: GapSubject::Cluster(name("member2")),
            reason: "no answer".to_owned(),
            known_at: Some(Timestamp(1)),
        };
        let clusters = ["member1", "member2"].map(|text| (name(text), ClusterView::default()));
        let snapshot = Snapshot { clusters: clusters.into(), gaps: vec![gap], ..Snapshot::default() };
        let seen: Vec<ClusterName> = Point::of(&snapshot).clusters.into_keys().collect();
        assert_eq!(seen, [name("member1")]);
    }

    #[test]
    fn a_long_run_keeps_a_course_from_its_beginning_until_now() {
        for observations in [1, 2, 4_096, 4_097, 10_000, 50_001] {
            let history = after(observations);
            let times = times(&history, usize::MAX);
            assert!(times.len() <= MOST_POINTS, "{observations}: {}", times.len());
            assert!(times.len() as u64 >= observations.min(MOST_POINTS as u64 / 4), "{observations}");
            assert_eq!((times[0], times.last()), (0, Some(&(observations - 1))));
            let widest = times.windows(2).map(|pair| pair[1] - pair[0]).max().unwrap_or_default();
            assert!(widest <= 2 + 8 * observations / MOST_POINTS as u64, "{observations}: {widest}");
        }
    }

    #[test]
    fn a_span_is_thinned_to_what_was_asked_for() {
        let history = after(1_000);
        assert_eq!(times(&history, 4), [0, 499, 999]);
        assert_eq!(times(&history, 1), [999]);
        let span = history.between(Timestamp(10), Timestamp(12), 100);
        assert_eq!(span.iter().map(|point| point.at.0).collect::<Vec<_>>(), [10, 11, 12]);
        assert!(history.between(Timestamp(2_000), Timestamp::MAX, 10).is_empty());
    }

    /// A run in which two clusters have so many pods without a node, one observation after the other.
    fn run(pending: &[(u32, u32)]) -> History {
        let history = History::default();
        for (at, (one, other)) in pending.iter().enumerate() {
            let view = |pods_pending| ClusterView { pods_pending, ..ClusterView::default() };
            let name = |text| ClusterName::new(text).unwrap();
            let clusters = [(name("member1"), view(*one)), (name("member2"), view(*other))];
            let snapshot =
                Snapshot { taken_at: Timestamp(at as u64), clusters: clusters.into(), ..Snapshot::default() };
            history.observe(&Input::Observed(Arc::new(snapshot)));
        }
        history
    }

    /// The most pods without a node in each of the clusters.
    fn most_pending(points: &[Arc<Point>]) -> Vec<u32> {
        let of = |name: &str| {
            let name = ClusterName::new(name).unwrap();
            points.iter().map(|point| point.clusters[&name].pods_pending).max().unwrap_or_default()
        };
        vec![of("member1"), of("member2")]
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]
        #[test]
        fn what_was_highest_is_told(
            pending in prop::collection::vec((0_u32..50, 0_u32..50), 1..600),
            most in 3_usize..100,
        ) {
            let history = run(&pending);
            let all = history.between(Timestamp(0), Timestamp::MAX, usize::MAX);
            let told = history.between(Timestamp(0), Timestamp::MAX, most);
            prop_assert!(told.len() <= most);
            prop_assert_eq!(told.last(), all.last());
            prop_assert!(told.windows(2).all(|pair| pair[0].at < pair[1].at));
            prop_assert_eq!(most_pending(&told), most_pending(&all));
        }
    }

    #[test]
    fn a_peak_survives_a_long_run() {
        let mut pending = vec![(1, 2); 20_000];
        (pending[7].0, pending[4_099].1) = (6, 9);
        let history = run(&pending);
        assert_eq!(most_pending(&history.between(Timestamp(0), Timestamp::MAX, 300)), [6, 9]);
    }
}
