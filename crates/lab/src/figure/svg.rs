//! Draws a figure: lane of decisions on top, panels below each other, one time axis at the bottom.

use super::labels::{joined, pill_width, spread};
use super::pen::{Sheet, WIDTH, open, path, push, text, time_ruler};
use super::scale::{Scale, coordinate, step, tick_text, ticks};
use super::style::{COLOURS, DASHES};
use super::thin::thin;
use super::{Figure, Ink, Line, Panel, Point, Shape, Span, Unit};
use crate::wording;
use model::names::ClusterName;
use model::time::Timestamp;

const LEFT: f64 = 62.0;
/// Room for the labels at the end of the lines.
const RIGHT: f64 = WIDTH - 150.0;
const LANE: f64 = 30.0;
/// Above each panel, for its title.
const GAP: f64 = 34.0;
const BOTTOM: f64 = 46.0;
/// A row of bars with its title above.
const STRIP: f64 = 42.0;
/// Half of a bar's height.
const BAR: f64 = 7.0;
/// Faults are at least this wide, so that short ones are seen, and those closer together are one.
const NARROWEST: f64 = 1.0;
/// Twelve-pixel text needs this much to stay apart.
const LINE_HEIGHT: f64 = 15.0;
/// Marks closer than this share a label.
const MARK_DISTANCE: f64 = 24.0;
/// The lines end this much below the top of a panel.
const HEADROOM: f64 = 1.08;
/// What fits beside a line.
const LONGEST_LABEL: usize = 18;
/// What fits above a panel.
const LONGEST_TITLE: usize = 100;

/// One panel with its scales.
struct Frame {
    x: Scale,
    y: Scale,
    unit: Unit,
    end: Timestamp,
}

pub(crate) fn draw(figure: &Figure, style: &str) -> String {
    let height = panel_height(figure.panels.len());
    let lane_of = |empty: bool| if empty { 0.0 } else { LANE };
    let faults_at = lane_of(figure.marks.is_empty());
    let lane = faults_at + lane_of(figure.spans.is_empty());
    let strips_at = lane + figure.panels.len() as f64 * (height + GAP);
    let bottom = strips_at + figure.strips.len() as f64 * STRIP;
    let x =
        Scale { value_start: 0.0, value_end: figure.end.as_millis().max(1) as f64, from: LEFT, to: RIGHT };
    let mut out = String::new();
    let Figure { key, title, description, .. } = figure;
    open(&mut out, &Sheet { key, title, description, height: bottom + BOTTOM }, style);
    for (index, panel) in figure.panels.iter().enumerate() {
        let top = lane + index as f64 * (height + GAP) + GAP;
        let y = Scale { value_start: 0.0, value_end: highest(panel) * HEADROOM, from: top + height, to: top };
        let frame = Frame { x, y, unit: panel.unit, end: figure.end };
        draw_panel(&mut out, panel, &frame, &figure.spans);
    }
    draw_strips(&mut out, figure, x, strips_at);
    draw_fault_lane(&mut out, figure, x, faults_at);
    draw_marks(&mut out, figure, x, bottom);
    time_ruler(&mut out, figure.end, x, bottom);
    out.push_str("</svg>");
    out
}

/// The more panels, the lower each, so that a figure stays on a screen.
const fn panel_height(panels: usize) -> f64 {
    match panels {
        0 | 1 => 190.0,
        2..=4 => 150.0,
        _ => 96.0,
    }
}

/// The highest value to show; one when there is nothing, so that the axis still has a scale.
fn highest(panel: &Panel) -> f64 {
    let lines = panel.lines.iter().chain(&panel.capacity);
    let values = lines.flat_map(|line| line.points.iter().map(|point| point.value));
    let most = values.fold(panel.at_least, f64::max);
    if most > 0.0 { most } else { 1.0 }
}

fn draw_panel(out: &mut String, panel: &Panel, frame: &Frame, spans: &[Span]) {
    out.push_str("<g>");
    text(out, "name", LEFT, frame.y.to - 12.0, &panel.title);
    if let Some(capacity) = &panel.capacity {
        path(out, "shade", &area(capacity, frame));
        path(out, "capacity", &course(capacity, frame));
    }
    // What happens to people and models is no state of a cluster: the lane on top shows it.
    let concerns = |span: &&Span| {
        let here = |cluster: &ClusterName| panel.clusters.is_empty() || panel.clusters.contains(cluster);
        span.cluster.as_ref().is_some_and(here)
    };
    let shaded = bars(spans.iter().filter(concerns).map(|span| (span.from, span.until)), frame.x);
    path(out, "fault", &rectangles(&shaded, frame.y.to, frame.y.from));
    draw_value_axis(out, frame);
    let excess: String = panel.excess.iter().map(|excess| rectangle(*excess, frame)).collect();
    path(out, "excess", &excess);
    for line in &panel.lines {
        path(out, &class(line.ink), &course(line, frame));
    }
    draw_labels(out, panel, frame);
    out.push_str("</g>");
}

fn draw_value_axis(out: &mut String, frame: &Frame) {
    let step = step(frame.y.value_end, 5.0, frame.unit);
    for value in ticks(frame.y.value_end, step) {
        let y = frame.y.place(value);
        let kind = if value == 0.0 { "axis" } else { "grid" };
        path(out, kind, &format!("M{LEFT} {}H{RIGHT}", coordinate(y)));
        text(out, "tick end", LEFT - 8.0, y + 4.0, &tick_text(value, step, frame.unit));
    }
}

/// Names stand at the end of the lines: nobody has to look colours up in a legend.
fn draw_labels(out: &mut String, panel: &Panel, frame: &Frame) {
    let lines: Vec<&Line> = panel.capacity.iter().chain(&panel.lines).collect();
    let last = |line: &&Line| line.points.last().map_or(0.0, |point| point.value);
    let wanted: Vec<f64> = lines.iter().map(|line| frame.y.place(last(line))).collect();
    let placed = spread(&wanted, LINE_HEIGHT, frame.y.to, frame.y.from);
    for ((line, y), end) in lines.iter().zip(placed).zip(wanted) {
        let (from, to) = (coordinate(end), coordinate(y));
        path(out, &class(line.ink), &format!("M{RIGHT} {from}L{} {to}H{}", RIGHT + 8.0, RIGHT + 20.0));
        let label = wording::shortened(&line.label, LONGEST_LABEL);
        text(out, "", RIGHT + 25.0, y + 4.0, &label);
    }
}

fn draw_marks(out: &mut String, figure: &Figure, x: Scale, bottom: f64) {
    for mark in &figure.marks {
        let (from, until) = (x.moment(mark.at), x.moment(mark.until.unwrap_or(figure.end)));
        path(out, "mark", &format!("M{} {LANE}V{}", coordinate(from), coordinate(bottom)));
        path(out, "course", &format!("M{} 16H{}", coordinate(from), coordinate(until)));
    }
    let places: Vec<(f64, usize)> =
        figure.marks.iter().map(|mark| (x.moment(mark.at), mark.number)).collect();
    for (place, label) in joined(&places, MARK_DISTANCE, "") {
        pill(out, ["pill", "number"], place, 0.0, &label);
    }
    if !figure.marks.is_empty() {
        text(out, "", RIGHT + 25.0, 20.0, "decisions");
    }
}

/// A label in a lane that begins at `top`: classes of its shape and of its text.
fn pill(out: &mut String, [shape, content]: [&str; 2], place: f64, top: f64, label: &str) {
    let width = pill_width(label);
    let (left, width, y) = (coordinate(place - width / 2.0), coordinate(width), coordinate(top + 6.0));
    push(
        out,
        format_args!(
            "<rect class=\"{shape}\" x=\"{left}\" y=\"{y}\" width=\"{width}\" height=\"20\" rx=\"10\"/>"
        ),
    );
    text(out, content, place, top + 20.0, label);
}

/// Numbers of faults, each with a bar as long as the fault.
fn draw_fault_lane(out: &mut String, figure: &Figure, x: Scale, top: f64) {
    if figure.spans.is_empty() {
        return;
    }
    let all = bars(figure.spans.iter().map(|span| (span.from, span.until)), x);
    path(out, "bar", &rectangles(&all, top + 13.0, top + 19.0));
    let places: Vec<(f64, usize)> =
        figure.spans.iter().map(|span| (x.moment(span.from), span.number)).collect();
    // As wide as the widest label, two numbers with a letter and a dash, and some room.
    let digits = figure.spans.len().to_string().len() as f64;
    for (place, label) in joined(&places, digits * 14.0 + 28.0, "F") {
        pill(out, ["ring", "sign"], place, top, &label);
    }
    text(out, "", RIGHT + 25.0, top + 20.0, "faults");
}

fn draw_strips(out: &mut String, figure: &Figure, x: Scale, top: f64) {
    for (index, strip) in figure.strips.iter().enumerate() {
        let middle = top + (index as f64 + 1.0) * STRIP - BAR - 6.0;
        text(out, "name", LEFT, middle - BAR - 5.0, &wording::shortened(&strip.title, LONGEST_TITLE));
        path(out, "row", &format!("M{LEFT} {}H{RIGHT}", coordinate(middle)));
        let bars = bars(strip.bars.iter().copied(), x);
        path(out, "bar", &rectangles(&bars, middle - BAR, middle + BAR));
    }
}

/// Where bars begin and end in the picture. Bars must be ordered by their beginning.
fn bars(spans: impl Iterator<Item = (Timestamp, Timestamp)>, x: Scale) -> Vec<(f64, f64)> {
    let mut bars: Vec<(f64, f64)> = Vec::new();
    for (from, until) in spans {
        let left = x.moment(from);
        let right = x.moment(until).max(left + NARROWEST);
        match bars.last_mut().filter(|last| left < last.1 + NARROWEST) {
            Some(last) => last.1 = last.1.max(right),
            None => bars.push((left, right)),
        }
    }
    bars
}

fn rectangles(bars: &[(f64, f64)], top: f64, bottom: f64) -> String {
    let (top, bottom) = (coordinate(top), coordinate(bottom));
    let one = |(left, right): &(f64, f64)| {
        let (left, right) = (coordinate(*left), coordinate(*right));
        format!("M{left} {top}H{right}V{bottom}H{left}Z")
    };
    bars.iter().map(one).collect()
}

/// The course of a line; the last value of a line of steps holds until the end.
fn course(line: &Line, frame: &Frame) -> String {
    let points = thin(line);
    let Some((first, rest)) = points.split_first() else { return String::new() };
    let x = |point: &Point| coordinate(frame.x.moment(point.at));
    let y = |point: &Point| coordinate(frame.y.place(point.value));
    let mut data = format!("M{} {}", x(first), y(first));
    let mut before = first.value;
    for point in rest {
        match line.shape {
            Shape::Slopes => push(&mut data, format_args!("L{} {}", x(point), y(point))),
            Shape::Gaps if before == 0.0 => push(&mut data, format_args!("M{} {}", x(point), y(point))),
            Shape::Gaps if point.value == 0.0 => push(&mut data, format_args!("H{}", x(point))),
            Shape::Steps | Shape::Gaps => push(&mut data, format_args!("H{}V{}", x(point), y(point))),
        }
        before = point.value;
    }
    if line.shape == Shape::Steps || line.shape == Shape::Gaps && before != 0.0 {
        push(&mut data, format_args!("H{}", coordinate(frame.x.moment(frame.end))));
    }
    data
}

fn area(line: &Line, frame: &Frame) -> String {
    let Some(first) = line.points.first() else { return String::new() };
    let (start, zero) = (coordinate(frame.x.moment(first.at)), coordinate(frame.y.from));
    format!("{}V{zero}H{start}Z", course(line, frame))
}

fn rectangle(excess: super::Excess, frame: &Frame) -> String {
    let x = |at: Timestamp| coordinate(frame.x.moment(at));
    let y = |value: f64| coordinate(frame.y.place(value));
    let (from, until) = (x(excess.from), x(excess.until));
    format!("M{from} {}H{until}V{}H{from}Z", y(excess.low), y(excess.high))
}

fn class(ink: Ink) -> String {
    match ink {
        Ink::Cluster(index) => format!("line c{}", index % COLOURS),
        Ink::ClusterAmongOthers(index) => format!("line c{} d{}", index % COLOURS, index % DASHES),
        Ink::Capacity => "capacity".to_owned(),
        Ink::Limit => "limit".to_owned(),
        Ink::Total => "total".to_owned(),
        Ink::Failed => "failed".to_owned(),
    }
}
