//! The figures of a run: CPU allocated, CPU requested, pending pods, nodes and cost.

use super::{Excess, Figure, Ink, Line, Mark, Panel, Point, Shape, Span, Unit, faults};
use crate::series::thousandths as cores;
use crate::summary::FaultRecord;
use crate::timeline::Timeline;
use crate::wording;
use model::names::ClusterName;
use model::ratio::Ratio;
use model::series::{Sample, Series};
use model::time::Timestamp;

/// More clusters than this cannot be told apart in one figure; the busiest are drawn.
pub const MOST_CLUSTERS: usize = 12;

/// Clusters whose capacities differ by more than this get an axis each: the small ones would be flat otherwise.
const SHARED_AXIS: f64 = 4.0;

/// What all figures of a run share.
pub struct Charts<'a> {
    pub(super) clusters: Vec<(usize, &'a ClusterName, &'a [Sample])>,
    pub(super) left_out: usize,
    marks: Vec<Mark>,
    spans: Vec<Span>,
    max_load: Ratio,
    pub(super) end: Timestamp,
}

impl<'a> Charts<'a> {
    pub fn new(
        series: &'a Series,
        timeline: &Timeline,
        faults: &[FaultRecord],
        max_load: Ratio,
        end: Timestamp,
    ) -> Self {
        let mut clusters: Vec<_> = series
            .clusters
            .iter()
            .enumerate()
            .map(|(place, (name, samples))| (place, name, samples.as_slice()))
            .collect();
        let left_out = clusters.len().saturating_sub(MOST_CLUSTERS);
        if left_out > 0 {
            clusters.sort_by_key(|(place, _, samples)| (std::cmp::Reverse(peak(samples)), *place));
            clusters.truncate(MOST_CLUSTERS);
            clusters.sort_by_key(|(place, ..)| *place);
        }
        Self { clusters, left_out, marks: marks(timeline), spans: faults::spans(faults), max_load, end }
    }

    /// Says how many clusters are not drawn, if some are not.
    pub fn left_out_note(&self) -> Option<String> {
        let clusters = wording::count(self.left_out as u64, "cluster");
        (self.left_out > 0).then(|| format!("{clusters} not drawn, none of them fuller than these"))
    }

    /// The figures of every run, in the order a report shows them.
    pub fn all(&self) -> Vec<Figure> {
        vec![self.cpu_allocated(), self.cpu_requested(), self.pending_pods(), self.nodes_and_cost()]
    }

    /// CPU that pods with a node hold, in each cluster, with its capacity and the load limit.
    pub fn cpu_allocated(&self) -> Figure {
        let capacities =
            self.clusters.iter().filter_map(|(.., samples)| samples.iter().map(capacity).reduce(f64::max));
        let (least, most) = capacities.fold((f64::INFINITY, 0.0), |(least, most): (f64, f64), capacity| {
            (least.min(capacity), most.max(capacity))
        });
        let at_least = if most <= SHARED_AXIS * least { most } else { 0.0 };
        let panels = self.clusters.iter().map(|cluster| self.allocated_panel(*cluster, at_least)).collect();
        self.figure("cpu-allocated", "CPU allocated in each cluster", panels, |samples| {
            let highest = samples.iter().map(|sample| sample.allocated.cpu.0).max().unwrap_or(0);
            let last = samples.last().map_or(0, |sample| sample.allocated.cpu.0);
            let room = samples.last().map_or(0, |sample| sample.capacity.cpu.0);
            format!("at most {} and at the end {} of {} cores", cores(highest), cores(last), cores(room))
        })
    }

    /// CPU that all pods ask for, with or without a node.
    pub fn cpu_requested(&self) -> Figure {
        let panel = self
            .overview("CPU requested (cores)", Unit::Cores, |sample| sample.requested.cpu.0 as f64 / 1000.0);
        self.figure("cpu-requested", "CPU requested in each cluster", vec![panel], |samples| {
            let highest = samples.iter().map(|sample| sample.requested.cpu.0).max().unwrap_or(0);
            format!("at most {} cores", cores(highest))
        })
    }

    pub fn pending_pods(&self) -> Figure {
        let panel =
            self.overview("Pods that wait for a node", Unit::Pieces, |sample| f64::from(sample.pods_pending));
        self.figure("pending-pods", "Pending pods in each cluster", vec![panel], |samples| {
            let highest = samples.iter().map(|sample| sample.pods_pending).max().unwrap_or(0);
            format!("at most {} pending", wording::count(u64::from(highest), "pod"))
        })
    }

    pub fn nodes_and_cost(&self) -> Figure {
        let nodes = self.overview("Nodes that are ready", Unit::Pieces, |sample| f64::from(sample.nodes));
        let mut cost = self.overview("Cost since the start (US dollars)", Unit::Dollars, |sample| {
            sample.cost.as_dollars_float()
        });
        if self.clusters.len() > 1 && self.left_out == 0 {
            cost.lines.insert(0, self.total(|sample| sample.cost.as_dollars_float()));
        }
        cost.lines.iter_mut().for_each(|line| line.shape = Shape::Slopes);
        self.figure("nodes-and-cost", "Nodes and cost of each cluster", vec![nodes, cost], |samples| {
            let nodes = samples.last().map_or(0, |sample| sample.nodes);
            let cost = samples.last().map_or_else(Default::default, |sample| sample.cost);
            format!(
                "{} at the end, {} in all",
                wording::count(u64::from(nodes), "node"),
                wording::dollars(cost)
            )
        })
    }

    fn allocated_panel(
        &self,
        (place, name, samples): (usize, &ClusterName, &[Sample]),
        at_least: f64,
    ) -> Panel {
        let limit = |sample: &Sample| self.max_load.share_of(sample.capacity.cpu.0) as f64 / 1000.0;
        let limit_label = format!("{} limit", wording::percent(self.max_load));
        Panel {
            title: format!("{name} · CPU (cores)"),
            clusters: vec![name.clone()],
            unit: Unit::Cores,
            at_least,
            capacity: Some(line("capacity", Ink::Capacity, samples, capacity)),
            lines: vec![
                line(&limit_label, Ink::Limit, samples, limit),
                line("allocated", Ink::Cluster(place), samples, allocated),
            ],
            excess: excess(samples, self.end, limit),
        }
    }

    /// One panel with a line for each cluster.
    pub(super) fn overview(&self, title: &str, unit: Unit, value: impl Fn(&Sample) -> f64 + Copy) -> Panel {
        let lines = self
            .clusters
            .iter()
            .map(|(place, name, samples)| {
                line(name.as_str(), Ink::ClusterAmongOthers(*place), samples, value)
            })
            .collect();
        Panel { lines, ..Panel::new(title, unit) }
    }

    /// The sum over all clusters at every moment at which one of them was measured.
    pub(super) fn total(&self, value: impl Fn(&Sample) -> f64) -> Line {
        let mut points: std::collections::BTreeMap<Timestamp, f64> = std::collections::BTreeMap::new();
        for (.., samples) in &self.clusters {
            for sample in *samples {
                *points.entry(sample.at).or_default() += value(sample);
            }
        }
        let points = points.into_iter().map(|(at, value)| Point { at, value }).collect();
        Line { label: "all clusters".to_owned(), ink: Ink::Total, shape: Shape::Steps, points }
    }

    pub(super) fn figure(
        &self,
        key: &str,
        title: &str,
        panels: Vec<Panel>,
        describe: impl Fn(&[Sample]) -> String,
    ) -> Figure {
        let mut parts: Vec<String> =
            self.clusters.iter().map(|(_, name, samples)| format!("{name}: {}", describe(samples))).collect();
        parts.extend(self.left_out_note());
        let description = format!("{title} over {}. {}.", wording::moment(self.end), parts.join("; "));
        self.drawing(key, title, description, panels)
    }

    /// A figure with the decisions and faults that all have.
    pub(super) fn drawing(&self, key: &str, title: &str, description: String, panels: Vec<Panel>) -> Figure {
        Figure {
            key: key.to_owned(),
            title: title.to_owned(),
            description,
            end: self.end,
            panels,
            strips: Vec::new(),
            marks: self.marks.clone(),
            spans: self.spans.clone(),
        }
    }
}

impl Panel {
    /// A panel without lines.
    pub(crate) fn new(title: &str, unit: Unit) -> Self {
        Self {
            title: title.to_owned(),
            clusters: Vec::new(),
            unit,
            at_least: 0.0,
            capacity: None,
            lines: Vec::new(),
            excess: Vec::new(),
        }
    }
}

/// One mark for each decision that recommended something, numbered from one.
pub fn marks(timeline: &Timeline) -> Vec<Mark> {
    let mut marks: Vec<Mark> = Vec::new();
    let mut batch = None;
    for life in timeline.recommendations() {
        if batch != Some(life.batch) {
            batch = Some(life.batch);
            marks.push(Mark { number: marks.len() + 1, at: life.raised_at, until: Some(life.raised_at) });
        }
        if let Some(mark) = marks.last_mut() {
            // What is still open keeps the decision open: none is later than every time.
            mark.until = mark.until.zip(life.ended_at).map(|(former, ended)| former.max(ended));
        }
    }
    marks
}

fn line(label: &str, ink: Ink, samples: &[Sample], value: impl Fn(&Sample) -> f64) -> Line {
    let points = samples.iter().map(|sample| Point { at: sample.at, value: value(sample) }).collect();
    Line { label: label.to_owned(), ink, shape: Shape::Steps, points }
}

/// Where more is allocated than the limit allows.
fn excess(samples: &[Sample], end: Timestamp, limit: impl Fn(&Sample) -> f64) -> Vec<Excess> {
    areas(samples.iter().map(|sample| (sample.at, limit(sample), allocated(sample))), end)
}

/// Where a value is above another: moments with the lower and the higher value. Neighbours of the same height are one area,
/// and so are neighbours that together are narrower than the eye resolves.
pub(super) fn areas(values: impl Iterator<Item = (Timestamp, f64, f64)>, end: Timestamp) -> Vec<Excess> {
    let narrow = end.as_millis() / 800;
    let mut areas: Vec<Excess> = Vec::new();
    let mut values = values.peekable();
    while let Some((at, low, high)) = values.next() {
        if high <= low {
            continue;
        }
        let until = values.peek().map_or(end, |(next, ..)| *next);
        let joins = |last: &&mut Excess| {
            let same = last.low == low && last.high == high;
            last.until == at && (same || last.until.since(last.from).as_millis() < narrow)
        };
        match areas.last_mut().filter(joins) {
            Some(last) => {
                *last = Excess { until, low: last.low.min(low), high: last.high.max(high), ..*last };
            }
            None => areas.push(Excess { from: at, until, low, high }),
        }
    }
    areas
}

fn peak(samples: &[Sample]) -> Ratio {
    let loads = samples.iter().map(|sample| sample.allocated.load_of(sample.capacity));
    loads.max().unwrap_or(Ratio::ZERO)
}

fn capacity(sample: &Sample) -> f64 {
    sample.capacity.cpu.0 as f64 / 1000.0
}

fn allocated(sample: &Sample) -> f64 {
    sample.allocated.cpu.0 as f64 / 1000.0
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bad_day;
    use crate::markup::tests::assert_well_formed;
    use crate::three_waves::{self, at};

    #[test]
    fn decisions_are_marked_until_their_last_recommendation_is_settled() {
        let marks = marks(&three_waves::timeline());
        let first = Mark { number: 1, at: at(135), until: Some(at(150)) };
        // One of the second decision still waits for its answer.
        assert_eq!(marks, [first, Mark { number: 2, at: at(255), until: None }]);
    }

    #[test]
    fn broken_limits_are_areas() {
        three_waves::with_input(|input| {
            let figure = input.charts().cpu_allocated();
            let areas: Vec<_> = figure.panels[0].excess.iter().map(|area| (area.from, area.until)).collect();
            assert_eq!(areas, [(at(130), at(150)), (at(200), at(270))]);
            assert_eq!((figure.panels[0].excess[0].low, figure.panels[0].excess[0].high), (12.24, 14.0));
            assert_eq!(figure.panels[1].excess, []);
            let expected = "CPU allocated in each cluster over 300 s. member1: at most 14 and at the end 12 of 15.3 cores; \
                            member2: at most 10 and at the end 10 of 15.3 cores.";
            assert_eq!(figure.description.replace('\u{a0}', " "), expected);
        });
    }

    /// How many spans are shaded in a panel.
    fn shaded(panel: &str) -> Option<usize> {
        let path = panel.split("class=\"fault\" d=\"").nth(1)?.split('"').next()?;
        Some(path.matches('Z').count())
    }

    #[test]
    fn faults_are_shaded_where_they_happened() {
        bad_day::with_input(|input| {
            let svg = input.charts().cpu_allocated().to_inline_svg();
            let panels: Vec<&str> = svg.split("<g>").skip(1).collect();
            // One fault in the first cluster, two in the second; people have no panel.
            assert_eq!([shaded(panels[0]), shaded(panels[1])], [Some(1), Some(2)]);
            for label in ["F1", "F2", "F3", "F4", "faults"] {
                assert_eq!(svg.matches(&format!(">{label}</text>")).count(), 1, "{label}");
            }
        });
        three_waves::with_input(|input| {
            assert!(!input.charts().cpu_allocated().to_inline_svg().contains("fault"));
        });
    }

    #[test]
    fn a_service_without_answers_has_no_response_time() {
        bad_day::with_input(|input| {
            let figures = input.figures().services;
            let svg = figures[1].to_inline_svg();
            assert_eq!(figures[1].key, "service-search");
            assert_eq!(svg.split("<g>").nth(1).map(shaded), Some(Some(2)), "only faults where it runs");
            assert!(!svg.contains(">F1<") && svg.contains(">F2<") && svg.contains(">F4<"));
            let times = svg.split("<g>").nth(2).unwrap();
            let course = times.split("class=\"line c0\" d=\"").nth(1).unwrap().split('"').next().unwrap();
            assert_eq!(course.matches('M').count(), 2, "{course}");
            let areas: Vec<_> =
                figures[0].panels[1].excess.iter().map(|area| (area.from, area.until)).collect();
            assert_eq!(areas, [(at(100), at(220))]);
            assert!(figures[1].description.replace('\u{a0}', " ").contains("83.3 % of all were answered"));
        });
    }

    #[test]
    fn every_figure_stands_alone() {
        bad_day::with_input(|input| {
            for figure in input.figures().all() {
                let svg = figure.to_svg();
                assert_well_formed(&svg);
                assert_eq!(svg, figure.to_svg());
                assert!(svg.contains("prefers-color-scheme") && svg.contains("role=\"img\""));
                assert!(!svg.contains("NaN") && !svg.contains("inf"), "{}", figure.key);
            }
        });
    }

    #[test]
    fn of_very_many_clusters_the_fullest_are_drawn() {
        let mut series = three_waves::series();
        let samples = series.clusters[1].1.clone();
        for number in 0..20 {
            let name = ClusterName::new(&format!("idle-{number}")).unwrap();
            series.clusters.insert(0, (name, samples[..10].to_vec()));
        }
        let charts = Charts::new(&series, &three_waves::timeline(), &[], Ratio::from_percent(80), at(300));
        let figure = charts.cpu_allocated();
        assert_eq!(figure.panels.len(), MOST_CLUSTERS);
        assert!(figure.panels.iter().any(|panel| panel.title.starts_with("member1")));
        assert!(charts.left_out_note().unwrap().starts_with("10 clusters"));
    }
}
