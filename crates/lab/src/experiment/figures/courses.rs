//! How runs went over time: for each strategy the mean over its seeds, with a band from the lowest to the highest.

use super::{Drawing, Stage, axes, marker, names};
use crate::experiment::cell::Course;
use crate::experiment::course::Track;
use crate::experiment::digits;
use crate::figure::labels::spread;
use crate::figure::pen::{WIDTH, path, push, text, time_ruler};
use crate::figure::scale::{Scale, coordinate};
use crate::wording;
use model::time::Timestamp;

const LEFT: f64 = 62.0;
const HEIGHT: f64 = 150.0;
const GAP: f64 = 34.0;
const BOTTOM: f64 = 46.0;
const LINE: f64 = 15.0;
/// With more strategies than this, bands cover each other and show nothing.
const MOST_BANDS: usize = 6;
/// With more strategies than dashes, lines get marks as well, this many each.
const MARKS: usize = 5;

/// A panel: its title, its name in sentences, and what it shows.
type Quantity = (&'static str, &'static str, fn(&Course) -> &[f64], f64);

const QUANTITIES: [Quantity; 3] = [
    ("Pods that wait for a node", "pending pods", |course| &course.pending_pods, 1.0),
    (
        "CPU requested by placed pods (% of all capacity)",
        "CPU load in per cent",
        |course| &course.cpu_load,
        100.0,
    ),
    ("Nodes that are ready", "nodes", |course| &course.nodes, 1.0),
];

pub(super) fn draw(stage: &Stage<'_>) -> Option<Drawing> {
    let step_s =
        (0..stage.names.len()).find_map(|arm| stage.completed(arm).next()).map(|run| run.course.step_s)?;
    let panels = QUANTITIES.map(|(.., of, times)| tracks(stage, of, times));
    let points = panels.iter().flatten().map(|track| track.mean.len()).max().filter(|points| *points > 1)?;
    let end = Timestamp(((points - 1) as f64 * step_s * 1_000.0) as u64);
    let right = WIDTH - names::widest(stage.names) - 34.0;
    let x = Scale { value_start: 0.0, value_end: (points - 1) as f64, from: LEFT, to: right };
    // Names need room below each other, however many there are.
    let height = HEIGHT.max(stage.names.len() as f64 * LINE);
    let mut body = String::new();
    for (index, (tracks, (title, ..))) in panels.iter().zip(QUANTITIES).enumerate() {
        let top = index as f64 * (height + GAP) + GAP;
        text(&mut body, "name", LEFT, top - 12.0, title);
        draw_panel(&mut body, stage, tracks, x, (top, top + height));
    }
    let bottom = panels.len() as f64 * (height + GAP);
    let time = Scale { value_start: 0.0, value_end: end.as_millis() as f64, from: LEFT, to: right };
    time_ruler(&mut body, end, time, bottom);
    Some(Drawing {
        key: stage.key("courses"),
        title: "Pending pods, CPU load and nodes over time".to_owned(),
        description: describe(stage, &panels, end),
        note: note(stage),
        height: bottom + BOTTOM,
        body,
    })
}

fn tracks(stage: &Stage<'_>, of: fn(&Course) -> &[f64], times: f64) -> Vec<Track> {
    let tracks = (0..stage.names.len()).filter_map(|arm| Track::of(stage.setting, arm, of));
    let shown = |mut track: Track| {
        let Track { mean, low, high, .. } = &mut track;
        [mean, low, high].into_iter().flatten().for_each(|value| *value *= times);
        track
    };
    tracks.map(shown).collect()
}

fn draw_panel(out: &mut String, stage: &Stage<'_>, tracks: &[Track], x: Scale, (top, bottom): (f64, f64)) {
    let has_bands = has_bands(stage);
    let highest = |track: &Track| {
        if has_bands { track.high.iter() } else { track.mean.iter() }.copied().fold(0.0, f64::max)
    };
    let most = tracks.iter().map(highest).fold(0.0, f64::max);
    let value_end = if most > 0.0 { most * 1.08 } else { 1.0 };
    let y = Scale { value_start: 0.0, value_end, from: bottom, to: top };
    axes::upwards(out, y, LEFT, x.to);
    for track in tracks.iter().filter(|_| has_bands) {
        path(out, &format!("band {}", marker::fill(track.arm)), &band(track, x, y));
    }
    for track in tracks {
        path(out, &marker::line(track.arm), &course(&track.mean, x, y));
        if stage.names.len() > crate::figure::style::DASHES {
            draw_marks(out, stage, track, x, y);
        }
    }
    draw_names(out, stage, tracks, x, y);
}

/// Marks on different places for each strategy, so that they do not cover each other.
fn draw_marks(out: &mut String, stage: &Stage<'_>, track: &Track, x: Scale, y: Scale) {
    let (points, arms) = (track.mean.len(), stage.names.len());
    for index in 0..MARKS {
        let point = points * (index * arms + track.arm + 1) / (MARKS * arms + 1);
        marker::dot(out, track.arm, x.place(point as f64), y.place(track.mean[point]), 3.8);
    }
}

fn draw_names(out: &mut String, stage: &Stage<'_>, tracks: &[Track], x: Scale, y: Scale) {
    let last = |track: &Track| y.place(track.mean.last().copied().unwrap_or(0.0));
    let wanted: Vec<f64> = tracks.iter().map(last).collect();
    let placed = spread(&wanted, LINE, y.to, y.from);
    for ((track, place), end) in tracks.iter().zip(placed).zip(wanted) {
        let (from, to, right) = (coordinate(end), coordinate(place), coordinate(x.to));
        let class = format!("thin {}", marker::stroke(track.arm));
        path(out, &class, &format!("M{right} {from}L{} {to}h5", coordinate(x.to + 8.0)));
        marker::dot(out, track.arm, x.to + 17.0, place, 3.8);
        text(out, "", x.to + 26.0, place + 4.0, &stage.names[track.arm]);
    }
}

fn course(values: &[f64], x: Scale, y: Scale) -> String {
    let mut data = String::new();
    for (point, value) in values.iter().enumerate() {
        let sign = if point == 0 { 'M' } else { 'L' };
        push(
            &mut data,
            format_args!("{sign}{} {}", coordinate(x.place(point as f64)), coordinate(y.place(*value))),
        );
    }
    data
}

fn band(track: &Track, x: Scale, y: Scale) -> String {
    let mut data = course(&track.high, x, y);
    for (point, value) in track.low.iter().enumerate().rev() {
        push(
            &mut data,
            format_args!("L{} {}", coordinate(x.place(point as f64)), coordinate(y.place(*value))),
        );
    }
    data.push('Z');
    data
}

fn has_bands(stage: &Stage<'_>) -> bool {
    stage.results.seeds.len() > 1 && stage.names.len() <= MOST_BANDS
}

fn note(stage: &Stage<'_>) -> String {
    let seeds = stage.results.seeds.len();
    match (seeds, has_bands(stage)) {
        (1, _) => "One run for each strategy.".to_owned(),
        (_, true) => format!(
            "Lines: mean over {seeds} seeds. Bands: from the lowest to the highest seed at each moment."
        ),
        (_, false) => format!("Lines: mean over {seeds} seeds. So many strategies are drawn without bands."),
    }
}

fn describe(stage: &Stage<'_>, panels: &[Vec<Track>; 3], end: Timestamp) -> String {
    let mut parts = Vec::new();
    for (tracks, (_, name, ..)) in panels.iter().zip(QUANTITIES) {
        let one =
            |track: &Track| format!("{} {}", stage.results.arms[track.arm], digits::number(track.most()));
        let each: Vec<String> = tracks.iter().map(one).collect();
        parts.push(format!("Most {name} on average: {}", each.join(", ")));
    }
    format!("The course of {} over {}. {}.", stage.setting.name, wording::moment(end), parts.join(". "))
}
