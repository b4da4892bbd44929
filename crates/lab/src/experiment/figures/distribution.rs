//! The share of seeds with at most a value: whole distributions, where a mean hides the bad seeds.

use super::axes::{self, Range};
use super::boxes::capital;
use super::{Drawing, Stage, marker, names};
use crate::experiment::digits;
use crate::experiment::metric::Better;
use crate::experiment::results::{MetricRow, Standing};
use crate::figure::pen::{WIDTH, path, push, text};
use crate::figure::scale::{Scale, coordinate};

const LEFT: f64 = 62.0;
const TOP: f64 = 34.0;
const HEIGHT: f64 = 190.0;
/// Between the names beside the figure.
const LINE: f64 = 19.0;

/// None unless some strategy has two different seeds to show.
pub(super) fn draw(stage: &Stage<'_>, row: &MetricRow) -> Option<Drawing> {
    if row.arms.iter().flatten().all(|standing| standing.values.len() < 2) {
        return None;
    }
    let height = HEIGHT.max(row.arms.len() as f64 * LINE);
    let bottom = TOP + height;
    let right = WIDTH - names::widest(stage.names) - 60.0;
    let x =
        Range::of(row.arms.iter().flatten().flat_map(|standing| sorted(row, standing)))?.scale(LEFT, right);
    let y = Range { low: 0.0, high: 100.0 }.scale(bottom, TOP);
    let mut body = String::new();
    text(&mut body, "name", LEFT, TOP - 14.0, "Share of seeds with at most this value (%)");
    axes::upwards(&mut body, y, LEFT, right);
    axes::across(&mut body, x, TOP, bottom, &axes::title(row.metric));
    for (arm, standing) in row.arms.iter().enumerate() {
        let Some(standing) = standing else { continue };
        draw_steps(&mut body, arm, &sorted(row, standing), x, y);
        let line = TOP + 8.0 + arm as f64 * LINE;
        marker::key(&mut body, arm, right + 14.0, line);
        text(&mut body, "", right + 48.0, line + 4.0, &stage.names[arm]);
    }
    Some(Drawing {
        key: stage.key(&format!("ecdf-{}", row.metric.key.replace('_', "-"))),
        title: format!("{}, distribution over seeds", capital(row.metric.label)),
        description: describe(stage, row),
        note: note(row),
        height: bottom + 48.0,
        body,
    })
}

fn sorted(row: &MetricRow, standing: &Standing) -> Vec<f64> {
    let mut sorted: Vec<f64> =
        standing.values.iter().map(|(_, value)| value * row.metric.shown_times).collect();
    sorted.sort_by(f64::total_cmp);
    sorted
}

fn draw_steps(out: &mut String, arm: usize, sorted: &[f64], x: Scale, y: Scale) {
    let share = |count: usize| y.place(100.0 * count as f64 / sorted.len() as f64);
    // From the first seed to the last: along the axes, all lines would lie on each other.
    let mut data = format!("M{} {}", coordinate(x.place(sorted[0])), coordinate(y.from));
    let mut marks = String::new();
    for (index, value) in sorted.iter().enumerate() {
        let (place, height) = (x.place(*value), share(index + 1));
        push(&mut data, format_args!("H{}V{}", coordinate(place), coordinate(height)));
        marker::dot(&mut marks, arm, place, height, 3.2);
    }
    path(out, &format!("{} thin", marker::line(arm)), &data);
    out.push_str(&marks);
}

fn note(row: &MetricRow) -> String {
    let way = match row.metric.better {
        Better::Lower => "A line further left and up is better; its end on top is the worst seed.",
        Better::Higher => "A line further right and down is better; its beginning is the worst seed.",
        Better::Neither => "",
    };
    format!("Each step is one seed. {way}")
}

fn describe(stage: &Stage<'_>, row: &MetricRow) -> String {
    let one = |(arm, standing): (usize, &Option<Standing>)| {
        let estimate = &standing.as_ref()?.estimate;
        let value = |value: f64| digits::value(row.metric, value);
        let (least, median, most) = (value(estimate.least), value(estimate.median), value(estimate.most));
        Some(format!("{}: from {least} over {median} to {most}", stage.results.arms[arm]))
    };
    let parts: Vec<String> = row.arms.iter().enumerate().filter_map(one).collect();
    format!(
        "Distribution of {} over seeds: least, median and most. {}.",
        row.metric.title(),
        parts.join("; ")
    )
}
