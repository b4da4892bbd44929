//! Both series in one picture: CPU allocated and pending pods of each cluster, the real line solid and the simulated one dashed.

use super::Overlay;
use crate::figure::charts::MOST_CLUSTERS;
use crate::figure::{Figure, Ink, Line, Panel, Point, Shape, Unit};
use crate::wording;
use model::series::{Sample, Series};
use model::time::Timestamp;

/// Inks that differ in colour and dash, so that equal lines stay visible.
const REAL: Ink = Ink::ClusterAmongOthers(0);
const SIMULATED: Ink = Ink::ClusterAmongOthers(1);

/// The picture of an overlay.
pub fn figure(overlay: &Overlay, simulated: &Series, real: &Series, title: &str) -> Figure {
    let mut panels = Vec::new();
    for one in overlay.clusters.iter().take(MOST_CLUSTERS) {
        let of = |series: &Series| {
            let found = series.clusters.iter().find(|(name, _)| *name == one.cluster);
            found.map(|(_, samples)| samples.clone()).unwrap_or_default()
        };
        let sides = Sides { simulated: of(simulated), real: of(real), overlay };
        let mut cpu =
            sides.panel(&format!("{} · CPU allocated (cores)", one.cluster), Unit::Cores, |sample| {
                sample.allocated.cpu.0 as f64 / 1_000.0
            });
        let capacity = |sample: &Sample| sample.capacity.cpu.0 as f64 / 1_000.0;
        cpu.capacity = Some(sides.line("capacity", Ink::Capacity, &sides.real, overlay.shift_ms, capacity));
        panels.push(cpu);
        let title = format!("{} · pods that wait for a node", one.cluster);
        panels.push(sides.panel(&title, Unit::Pieces, |sample| f64::from(sample.pods_pending)));
    }
    let parts: Vec<String> = overlay.clusters.iter().map(described).collect();
    Figure {
        key: "overlay".to_owned(),
        title: title.to_owned(),
        description: format!("{title} over {}. {}.", wording::period(overlay.compared), parts.join("; ")),
        end: Timestamp::EPOCH + overlay.compared,
        panels,
        strips: Vec::new(),
        marks: Vec::new(),
        spans: Vec::new(),
    }
}

fn described(one: &super::ClusterDifference) -> String {
    format!(
        "{}: CPU allocated differs by {:.2} % of the capacity on average, pending pods by {:.2} % of all pods",
        one.cluster, one.cpu_allocated.percent, one.pods_pending.percent
    )
}

struct Sides<'a> {
    simulated: Vec<Sample>,
    real: Vec<Sample>,
    overlay: &'a Overlay,
}

impl Sides<'_> {
    fn panel(&self, title: &str, unit: Unit, value: impl Fn(&Sample) -> f64 + Copy) -> Panel {
        let lines = vec![
            self.line("real", REAL, &self.real, self.overlay.shift_ms, value),
            self.line("simulated", SIMULATED, &self.simulated, 0, value),
        ];
        Panel { lines, ..Panel::new(title, unit) }
    }

    /// A line in the time of the simulation; what was before its beginning is left out but for the last value.
    fn line(
        &self,
        label: &str,
        ink: Ink,
        samples: &[Sample],
        shift_ms: i64,
        value: impl Fn(&Sample) -> f64,
    ) -> Line {
        let moved = |sample: &Sample| (sample.at.as_millis() as i64).saturating_sub(shift_ms);
        let end = self.overlay.compared.as_millis() as i64;
        let first = samples.partition_point(|sample| moved(sample) <= 0).saturating_sub(1);
        let mut points: Vec<Point> = Vec::new();
        for sample in samples.iter().skip(first).take_while(|sample| moved(sample) <= end) {
            let point = Point { at: Timestamp(moved(sample).max(0) as u64), value: value(sample) };
            if points.last().is_none_or(|last| (last.value - point.value).abs() > f64::EPSILON) {
                points.push(point);
            }
        }
        Line { label: label.to_owned(), ink, shape: Shape::Steps, points }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::overlay::overlay;
    use crate::three_waves;

    #[test]
    fn both_lines_of_both_clusters_are_drawn() {
        let series = three_waves::series();
        let found = overlay(&series, &series, Some(0)).expect("the same");
        let figure = figure(&found, &series, &series, "Three waves");
        assert_eq!(figure.panels.len(), 4);
        let labels: Vec<&str> = figure.panels[1].lines.iter().map(|line| line.label.as_str()).collect();
        assert_eq!(labels, ["real", "simulated"]);
        assert_eq!(figure.panels[0].lines[0].points, figure.panels[0].lines[1].points);
        let svg = figure.to_svg();
        assert!(svg.contains("member2 · pods that wait for a node") && svg.contains("line c1 d1"), "{svg}");
    }
}
