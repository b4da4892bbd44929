//! How the clusters stood over time, for charts: of the run that goes on now, from its beginning, within a fixed amount of memory.
//!
//! Every observation is a point. When there are too many, every second one is let go, and from then on only every second one is
//! taken: a run of any length keeps an even course of at least half as many points as fit.

use control::world::Input;
use model::names::ClusterName;
use model::resources::Resources;
use model::signal::Signal;
use model::snapshot::{ClusterView, Snapshot};
use model::time::Timestamp;
use std::collections::BTreeMap;
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

/// The course so far.
#[derive(Debug)]
pub struct History(Mutex<Course>);

#[derive(Debug)]
struct Course {
    points: Vec<Arc<Point>>,
    /// The newest observation, whether or not it is one of the points.
    newest: Option<Arc<Point>>,
    /// Of so many observations one is a point.
    stride: u64,
    seen: u64,
}

impl Default for History {
    fn default() -> Self {
        Self(Mutex::new(Course { points: Vec::new(), newest: None, stride: 1, seen: 0 }))
    }
}

impl History {
    pub(crate) fn observe(&self, input: &Input) {
        if let Input::Observed(snapshot) = input {
            self.0.lock().unwrap_or_else(PoisonError::into_inner).add(Point::of(snapshot));
        }
    }

    /// The points of a span of time, at most so many, evenly chosen; the last one is always the newest of the span.
    pub fn between(&self, from: Timestamp, to: Timestamp, most: usize) -> Vec<Arc<Point>> {
        let course = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let last = course.points.last().map(|point| point.at);
        let newest = course.newest.iter().filter(|newest| last.is_none_or(|last| newest.at > last));
        let within: Vec<&Arc<Point>> =
            course.points.iter().chain(newest).filter(|point| (from..=to).contains(&point.at)).collect();
        thinned(&within, most)
    }
}

/// Counts backwards, so that the newest is among them.
fn thinned(points: &[&Arc<Point>], most: usize) -> Vec<Arc<Point>> {
    let stride = points.len().div_ceil(most.max(1)).max(1);
    let mut chosen: Vec<Arc<Point>> =
        points.iter().rev().step_by(stride).map(|point| Arc::clone(point)).collect();
    chosen.reverse();
    chosen
}

impl Course {
    fn add(&mut self, point: Point) {
        let point = Arc::new(point);
        if self.seen.is_multiple_of(self.stride) {
            self.points.push(Arc::clone(&point));
        }
        self.newest = Some(point);
        self.seen += 1;
        if self.points.len() > MOST_POINTS {
            let mut index = 0;
            self.points.retain(|_| {
                index += 1;
                index % 2 == 1
            });
            self.stride *= 2;
        }
    }
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
    fn a_long_run_keeps_an_even_course_that_ends_now() {
        for observations in [1, 2, 4_096, 4_097, 10_000, 50_001] {
            let history = after(observations);
            let times = times(&history, usize::MAX);
            assert!(times.len() <= MOST_POINTS + 1, "{observations}: {}", times.len());
            assert!(times.len() as u64 >= observations.min(MOST_POINTS as u64 / 2), "{observations}");
            assert_eq!(times.last(), Some(&(observations - 1)));
            assert_eq!(times[0], 0);
            let gaps: Vec<u64> = times.windows(2).map(|pair| pair[1] - pair[0]).collect();
            let even = &gaps[..gaps.len().saturating_sub(1)];
            assert!(even.windows(2).all(|pair| pair[0] == pair[1]), "{observations}");
        }
    }

    #[test]
    fn a_span_is_thinned_to_what_was_asked_for() {
        let history = after(1_000);
        assert_eq!(times(&history, 4), [249, 499, 749, 999]);
        let span = history.between(Timestamp(10), Timestamp(12), 100);
        assert_eq!(span.iter().map(|point| point.at.0).collect::<Vec<_>>(), [10, 11, 12]);
        assert!(history.between(Timestamp(2_000), Timestamp::MAX, 10).is_empty());
    }
}
