//! Box and strip: every seed as a dot, quartiles as a box, the mean with its interval in words.

use super::axes::{self, Range};
use super::{Drawing, Stage, marker, names};
use crate::experiment::digits;
use crate::experiment::metric::{Better, Metric};
use crate::experiment::results::{MetricRow, Published, Standing};
use crate::figure::pen::{WIDTH, path, text};
use crate::figure::scale::{Scale, coordinate};
use crate::statistics::{FEWEST_SEEDS, quantile};

const ROW: f64 = 38.0;
const TOP: f64 = 14.0;
const BOTTOM: f64 = 48.0;
/// One line of text, for each published value above the rows.
const LINE: f64 = 16.0;
/// Half of a box's height.
const HALF: f64 = 10.0;

/// None for a single number: the table says it already.
pub(super) fn draw(stage: &Stage<'_>, row: &MetricRow) -> Option<Drawing> {
    if row.arms.iter().flatten().map(|standing| standing.values.len()).sum::<usize>() < 2 {
        return None;
    }
    let published = published(stage, row.metric);
    let top = TOP + published.len() as f64 * LINE;
    let bottom = top + row.arms.len() as f64 * ROW;
    let shown = |value: f64| value * row.metric.shown_times;
    let values =
        row.arms.iter().flatten().flat_map(|standing| standing.values.iter().map(|(_, value)| *value));
    let all = values.chain(published.iter().map(|(_, value)| *value)).map(shown);
    let range = Range::of(all).unwrap_or(Range { low: 0.0, high: 1.0 });
    let x = range.scale(names::widest(stage.names).max(60.0) + 24.0, WIDTH - words_width(row) - 24.0);
    let mut body = String::new();
    axes::across(&mut body, x, top, bottom, &axes::title(row.metric));
    publish(&mut body, row.metric, &published, x, bottom);
    for (arm, standing) in row.arms.iter().enumerate() {
        let y = top + (arm as f64 + 0.5) * ROW;
        let class = if row.best == Some(arm) { "bold end" } else { "end" };
        text(&mut body, class, x.from - 14.0, y + 4.0, &stage.names[arm]);
        match standing {
            Some(standing) => draw_standing(&mut body, row, arm, standing, x, y),
            None => text(&mut body, "", x.to + 14.0, y + 4.0, "no value"),
        }
    }
    Some(Drawing {
        key: stage.key(&format!("box-{}", row.metric.key.replace('_', "-"))),
        title: format!("{}, seed by seed", capital(row.metric.label)),
        description: describe(stage, row),
        note: note(row, !published.is_empty(), range),
        height: bottom + BOTTOM,
        body,
    })
}

fn words_width(row: &MetricRow) -> f64 {
    let words =
        row.arms.iter().flatten().map(|standing| names::width(&digits::estimate(row.metric, standing)));
    words.fold(60.0, f64::max)
}

/// The lowest first, so that labels lie beside the lines of higher ones and not under them.
fn published(stage: &Stage<'_>, metric: &Metric) -> Vec<(String, f64)> {
    let named = |row: &Published| Some((names::clipped(&row.name, 30), *row.values.get(metric.key)?));
    let mut published: Vec<(String, f64)> = stage.setting.published.iter().filter_map(named).collect();
    published.sort_by(|one, other| one.1.total_cmp(&other.1));
    published
}

/// Lines through all rows, then their labels over all lines. A label stays on the right of its line while there is room.
fn publish(out: &mut String, metric: &Metric, published: &[(String, f64)], x: Scale, bottom: f64) {
    let place = |value: f64| x.place(value * metric.shown_times);
    let top = |index: usize| TOP + index as f64 * LINE;
    for (index, (_, value)) in published.iter().enumerate() {
        let (across, from, to) = (coordinate(place(*value)), coordinate(top(index)), coordinate(bottom));
        path(out, "published", &format!("M{across} {from}V{to}"));
    }
    for (index, (name, value)) in published.iter().enumerate() {
        let label = format!("published, {name}: {}", digits::value(metric, *value));
        let has_room = place(*value) + 6.0 + names::width(&label) < WIDTH;
        let (class, beside) = if has_room { ("note", 6.0) } else { ("note end", -6.0) };
        text(out, class, place(*value) + beside, top(index) + 8.0, &label);
    }
}

fn draw_standing(out: &mut String, row: &MetricRow, arm: usize, standing: &Standing, x: Scale, y: f64) {
    let mut sorted: Vec<f64> =
        standing.values.iter().map(|(_, value)| value * row.metric.shown_times).collect();
    sorted.sort_by(f64::total_cmp);
    if sorted.len() >= FEWEST_SEEDS {
        draw_box(out, &sorted, x, y);
    }
    for (index, value) in sorted.iter().enumerate() {
        // Neighbours stand on different heights, so that equal values are seen as several.
        let aside = [0.0, -4.0, 4.0, -7.0, 7.0][index % 5];
        marker::dot(out, arm, x.place(*value), y + aside, 3.4);
    }
    marker::mean(out, x.place(standing.estimate.mean * row.metric.shown_times), y);
    let class = if row.best == Some(arm) { "bold tick" } else { "tick" };
    text(out, class, x.to + 14.0, y + 4.0, &digits::estimate(row.metric, standing));
}

fn draw_box(out: &mut String, sorted: &[f64], x: Scale, y: f64) {
    let place = |share: f64| coordinate(x.place(quantile(sorted, share)));
    let (top, bottom, middle) = (coordinate(y - HALF), coordinate(y + HALF), coordinate(y));
    let (least, low, median, high, most) = (place(0.0), place(0.25), place(0.5), place(0.75), place(1.0));
    path(out, "whisker", &format!("M{least} {middle}H{most}"));
    path(out, "box", &format!("M{low} {top}H{high}V{bottom}H{low}Z"));
    path(out, "median", &format!("M{median} {top}V{bottom}"));
}

fn note(row: &MetricRow, has_published: bool, range: Range) -> String {
    let way = match row.metric.better {
        Better::Lower => " Further left is better.",
        Better::Higher => " Further right is better.",
        Better::Neither => "",
    };
    let seeds = row.arms.iter().flatten().map(|standing| standing.values.len()).max().unwrap_or(0);
    let parts = if seeds >= FEWEST_SEEDS {
        "One dot for each seed; box from the lower to the upper quartile, line at the median, whiskers to the extremes; ring and numbers: mean [95 % interval]."
    } else {
        "One dot for each seed, too few for a box; ring and numbers: mean [95 % interval]."
    };
    let bold = if row.best.is_some() { " Bold: shown to be the best." } else { "" };
    let published = if has_published { " Dotted lines: published by others, not measured here." } else { "" };
    let zero = if range.low == 0.0 { "" } else { " The axis does not begin at zero." };
    format!("{parts}{way}{bold}{published}{zero}")
}

fn describe(stage: &Stage<'_>, row: &MetricRow) -> String {
    let one = |(arm, standing): (usize, &Option<Standing>)| {
        let standing = standing.as_ref()?;
        let (name, words) = (&stage.results.arms[arm], digits::estimate(row.metric, standing));
        Some(format!("{name}: {words} from {} seeds", standing.values.len()))
    };
    let parts: Vec<String> = row.arms.iter().enumerate().filter_map(one).collect();
    format!(
        "{} for each strategy in {}. {}.",
        capital(&row.metric.title()),
        stage.setting.name,
        parts.join("; ")
    )
}

pub(super) fn capital(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}
