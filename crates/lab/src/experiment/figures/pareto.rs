//! Trade-offs: one axis for each of the first two questions, the third in words, and who is not beaten.

use super::axes::{self, Range};
use super::boxes::capital;
use super::{Drawing, Stage, marker, names};
use crate::experiment::conclusion::undominated;
use crate::experiment::digits;
use crate::experiment::metric::{Better, Metric};
use crate::experiment::results::{MetricRow, Standing};
use crate::figure::labels::spread;
use crate::figure::pen::{WIDTH, path, text};
use crate::figure::scale::{Scale, coordinate};

const LEFT: f64 = 76.0;
const TOP: f64 = 36.0;
const HEIGHT: f64 = 280.0;
/// Two lines of text beside a mark.
const ENTRY: f64 = 34.0;

/// A strategy's place among the others.
struct Place {
    arm: usize,
    x: f64,
    y: f64,
}

/// None without two questions and two strategies.
pub(super) fn draw(stage: &Stage<'_>, rows: &[&MetricRow]) -> Option<Drawing> {
    let (service, cost) = (*rows.first()?, *rows.get(1)?);
    let third = rows.get(2).copied();
    let arms: Vec<usize> = (0..stage.names.len())
        .filter(|arm| service.arms[*arm].is_some() && cost.arms[*arm].is_some())
        .collect();
    if arms.len() < 2 {
        return None;
    }
    let bottom = TOP + HEIGHT.max(arms.len() as f64 * ENTRY);
    let words: Vec<String> =
        (0..stage.names.len()).map(|arm| third.map_or_else(String::new, |row| in_words(row, arm))).collect();
    let right = WIDTH - names::widest(stage.names).max(names::widest(&words)) - 64.0;
    let x = Range::of(arms.iter().flat_map(|arm| reach(cost, *arm)))?.scale(LEFT, right);
    let y = Range::of(arms.iter().flat_map(|arm| reach(service, *arm)))?.scale(bottom, TOP);
    let places: Vec<Place> = arms
        .iter()
        .map(|arm| Place { arm: *arm, x: x.place(mean(cost, *arm)), y: y.place(mean(service, *arm)) })
        .collect();
    let mut body = String::new();
    text(&mut body, "name", LEFT, TOP - 14.0, &capital(&axes::title(service.metric)));
    axes::upwards(&mut body, y, LEFT, right);
    axes::across(&mut body, x, TOP, bottom, &axes::title(cost.metric));
    draw_front(&mut body, &places, &undominated(&[service, cost], stage.names.len()));
    draw_spreads(&mut body, &places, (cost, x), (service, y));
    let unbeaten = undominated(rows, stage.names.len());
    draw_marks(&mut body, stage, &places, &unbeaten, &words, right);
    Some(Drawing {
        key: stage.key("front"),
        title: format!("{} against {}", capital(service.metric.label), cost.metric.label),
        description: describe(stage, rows, &unbeaten),
        note: note(service.metric, cost.metric, third.map(|row| row.metric)),
        height: bottom + 50.0,
        body,
    })
}

fn standing(row: &MetricRow, arm: usize) -> Option<&Standing> {
    row.arms[arm].as_ref()
}

fn mean(row: &MetricRow, arm: usize) -> f64 {
    standing(row, arm).map_or(0.0, |standing| standing.estimate.mean * row.metric.shown_times)
}

/// From where to where the mean may lie.
fn reach(row: &MetricRow, arm: usize) -> [f64; 2] {
    let interval = standing(row, arm).and_then(|standing| standing.estimate.interval);
    interval.map_or([mean(row, arm); 2], |interval| {
        [interval.low, interval.high].map(|value| value * row.metric.shown_times)
    })
}

fn in_words(row: &MetricRow, arm: usize) -> String {
    let words = |standing: &Standing| {
        let unit = if row.metric.unit.is_empty() { String::new() } else { format!(" {}", row.metric.unit) };
        format!("{}{unit} {}", digits::value(row.metric, standing.estimate.mean), row.metric.label)
    };
    standing(row, arm).map_or_else(String::new, words)
}

fn draw_front(out: &mut String, places: &[Place], front: &[usize]) {
    let mut on_front: Vec<&Place> = places.iter().filter(|place| front.contains(&place.arm)).collect();
    on_front.sort_by(|one, other| one.x.total_cmp(&other.x).then(other.y.total_cmp(&one.y)));
    let corners: Vec<String> =
        on_front.iter().map(|place| format!("{} {}", coordinate(place.x), coordinate(place.y))).collect();
    if corners.len() > 1 {
        path(out, "front", &format!("M{}", corners.join("L")));
    }
}

fn draw_spreads(
    out: &mut String,
    places: &[Place],
    (cost, x): (&MetricRow, Scale),
    (service, y): (&MetricRow, Scale),
) {
    for place in places {
        let [left, right] = reach(cost, place.arm).map(|value| coordinate(x.place(value)));
        let [low, high] = reach(service, place.arm).map(|value| coordinate(y.place(value)));
        let (across, up) = (coordinate(place.x), coordinate(place.y));
        path(out, &marker::stroke(place.arm), &format!("M{left} {up}H{right}M{across} {low}V{high}"));
    }
}

fn draw_marks(
    out: &mut String,
    stage: &Stage<'_>,
    places: &[Place],
    unbeaten: &[usize],
    words: &[String],
    right: f64,
) {
    let wanted: Vec<f64> = places.iter().map(|place| place.y).collect();
    let bottom = TOP + HEIGHT.max(places.len() as f64 * ENTRY) - ENTRY / 2.0;
    let beside = spread(&wanted, ENTRY, TOP + 6.0, bottom);
    for (place, entry) in places.iter().zip(&beside) {
        let (x, y, to) = (coordinate(place.x), coordinate(place.y), coordinate(*entry));
        path(
            out,
            "leader",
            &format!("M{x} {y}L{} {to}H{}", coordinate(right + 8.0), coordinate(right + 20.0)),
        );
    }
    for (place, entry) in places.iter().zip(&beside) {
        let is_unbeaten = unbeaten.contains(&place.arm);
        for (x, y, size) in [(place.x, place.y, 6.5), (right + 30.0, *entry, 5.5)] {
            let class = if is_unbeaten {
                format!("{} {}", marker::fill(place.arm), marker::stroke(place.arm))
            } else {
                format!("hollow {}", marker::stroke(place.arm))
            };
            path(out, &class, &marker::shape(place.arm, x, y, size));
        }
        let class = if is_unbeaten { "bold" } else { "" };
        text(out, class, right + 44.0, entry + 2.0, &stage.names[place.arm]);
        text(out, "tick", right + 44.0, entry + 16.0, &words[place.arm]);
    }
}

fn note(service: &Metric, cost: &Metric, third: Option<&Metric>) -> String {
    let side = |metric: &Metric, lower: &'static str, higher: &'static str| match metric.better {
        Better::Higher => higher,
        Better::Lower | Better::Neither => lower,
    };
    let corner = format!("{} {}", side(service, "Lower", "Upper"), side(cost, "left", "right"));
    let besides = third.map_or_else(String::new, |metric| format!(", {} included", metric.label));
    format!(
        "{corner} is better. Marks are means, their arms 95 % intervals. Dashed line: strategies that no other beats in these two. \
         Filled marks and bold names: not beaten in everything asked{besides}, by the means."
    )
}

fn describe(stage: &Stage<'_>, rows: &[&MetricRow], unbeaten: &[usize]) -> String {
    let one = |arm: usize| {
        let parts: Vec<String> =
            rows.iter().map(|row| in_words(row, arm)).filter(|words| !words.is_empty()).collect();
        format!("{}: {}", stage.results.arms[arm], parts.join(", "))
    };
    let each: Vec<String> = (0..stage.names.len()).map(one).collect();
    let front: Vec<&str> = unbeaten.iter().map(|arm| stage.results.arms[*arm].as_str()).collect();
    format!(
        "Means of each strategy in {}. {}. Not beaten: {}.",
        stage.setting.name,
        each.join("; "),
        front.join(", ")
    )
}
