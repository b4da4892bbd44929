//! Whether agents know what they do: the load they promised against the load that was seen, one square for each strategy.

use super::axes::Range;
use super::{Drawing, Stage, marker, names};
use crate::experiment::cell::Forecast;
use crate::experiment::digits;
use crate::figure::Unit;
use crate::figure::pen::{path, text};
use crate::figure::scale::{Scale, coordinate, step, tick_text, ticks_between};
use crate::wording;

const LEFT: f64 = 52.0;
const GAP: f64 = 54.0;
const TOP: f64 = 54.0;
const COLUMNS: usize = 3;
const SIZE: f64 = 250.0;
/// Below each square: numbers, and two lines of words.
const BELOW: f64 = 92.0;
/// More dots than this are one blot; every n-th is drawn, and all are counted.
const MOST_DOTS: usize = 500;

/// A strategy with what it promised, in all its runs.
struct Panel {
    arm: usize,
    forecasts: Vec<Forecast>,
}

/// None if nobody promised anything.
pub(super) fn draw(stage: &Stage<'_>) -> Option<Drawing> {
    let panel = |arm: usize| {
        let forecasts: Vec<Forecast> =
            stage.completed(arm).flat_map(|run| run.forecasts.iter().copied()).collect();
        (!forecasts.is_empty()).then_some(Panel { arm, forecasts })
    };
    let panels: Vec<Panel> = (0..stage.names.len()).filter_map(panel).collect();
    let all = panels.iter().flat_map(|panel| &panel.forecasts);
    let range = Range::of(all.flat_map(|one| [one.load_predicted * 100.0, one.load_observed * 100.0]))?;
    let mut body = String::new();
    text(&mut body, "name", 10.0, 18.0, "Observed load (%), upwards, against predicted load (%), across");
    for (index, panel) in panels.iter().enumerate() {
        let left = LEFT + (index % COLUMNS) as f64 * (SIZE + GAP);
        let top = TOP + (index / COLUMNS) as f64 * (SIZE + BELOW);
        draw_panel(&mut body, stage, panel, range, (left, top));
    }
    let rows = panels.len().div_ceil(COLUMNS) as f64;
    Some(Drawing {
        key: stage.key("calibration"),
        title: "Predicted and observed load".to_owned(),
        description: describe(stage, &panels),
        note: "One dot for each cluster that an applied recommendation changed: the load its agent predicted, and the load when it was done. \
               On the dashed line they are equal; above it the load was higher than promised."
            .to_owned(),
        height: TOP + rows * (SIZE + BELOW) - 20.0,
        body,
    })
}

fn draw_panel(out: &mut String, stage: &Stage<'_>, panel: &Panel, range: Range, (left, top): (f64, f64)) {
    let (x, y) = (range.scale(left, left + SIZE), range.scale(top + SIZE, top));
    text(out, "name", left, top - 10.0, &names::clipped(&stage.names[panel.arm], (SIZE / 7.0) as usize));
    draw_axes(out, x, y);
    path(
        out,
        "diagonal",
        &format!(
            "M{} {}L{} {}",
            coordinate(left),
            coordinate(top + SIZE),
            coordinate(left + SIZE),
            coordinate(top)
        ),
    );
    let every = panel.forecasts.len().div_ceil(MOST_DOTS);
    let class = format!("faint {}", marker::fill(panel.arm));
    for one in panel.forecasts.iter().step_by(every) {
        // One path for each dot, so that dots on dots become darker.
        let (across, up) = (x.place(one.load_predicted * 100.0), y.place(one.load_observed * 100.0));
        path(out, &class, &marker::shape(panel.arm, across, up, 3.2));
    }
    let [first, second] = in_words(panel);
    text(out, "", left, top + SIZE + 40.0, &first);
    text(out, "", left, top + SIZE + 56.0, &second);
}

fn draw_axes(out: &mut String, x: Scale, y: Scale) {
    let step = step(x.value_end - x.value_start, 5.0, Unit::Amount);
    for value in ticks_between(x.value_start, x.value_end, step) {
        let (across, up) = (coordinate(x.place(value)), coordinate(y.place(value)));
        let (left, right, top, bottom) =
            (coordinate(x.from), coordinate(x.to), coordinate(y.to), coordinate(y.from));
        path(out, "grid", &format!("M{across} {top}V{bottom}M{left} {up}H{right}"));
        let label = tick_text(value, step, Unit::Amount);
        text(out, "tick middle", x.place(value), y.from + 18.0, &label);
        text(out, "tick end", x.from - 8.0, y.place(value) + 4.0, &label);
    }
    let (left, top, size) = (coordinate(x.from), coordinate(y.to), coordinate(SIZE));
    path(out, "axis", &format!("M{left} {top}v{size}h{size}"));
}

/// How far off, and to which side.
fn in_words(panel: &Panel) -> [String; 2] {
    let count = panel.forecasts.len() as f64;
    let mean = |of: fn(&Forecast) -> f64| panel.forecasts.iter().map(of).sum::<f64>() / count * 100.0;
    let off = mean(|one| (one.load_observed - one.load_predicted).abs());
    let side = mean(|one| one.load_observed - one.load_predicted);
    let which = if side < 0.0 { "below" } else { "above" };
    let promises = wording::count(panel.forecasts.len() as u64, "promise");
    [
        format!("off by {} points on average", digits::number(off)),
        format!("{promises}, seen {} points {which}", digits::number(side.abs())),
    ]
}

fn describe(stage: &Stage<'_>, panels: &[Panel]) -> String {
    let one = |panel: &Panel| format!("{}: {}", stage.results.arms[panel.arm], in_words(panel).join(", "));
    let each: Vec<String> = panels.iter().map(one).collect();
    format!(
        "The load of clusters that agents predicted against what was seen, in per cent. {}.",
        each.join("; ")
    )
}
