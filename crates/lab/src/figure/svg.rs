//! Draws a figure: lane of decisions on top, panels below each other, one time axis at the bottom.

use super::labels::{joined, spread};
use super::scale::{Scale, coordinate, step, tick_text, ticks, time_axis};
use super::style::{COLOURS, DASHES};
use super::thin::thin;
use super::{Figure, Ink, Line, Panel, Point, Shape, Unit};
use crate::markup::Escaped;
use model::time::Timestamp;
use std::fmt::Write;

const WIDTH: f64 = 960.0;
const LEFT: f64 = 62.0;
/// Room for the labels at the end of the lines.
const RIGHT: f64 = WIDTH - 150.0;
const LANE: f64 = 30.0;
const PANEL: f64 = 150.0;
/// A figure of one panel may be taller.
const SINGLE_PANEL: f64 = 190.0;
/// Above each panel, for its title.
const GAP: f64 = 34.0;
const BOTTOM: f64 = 46.0;
/// Twelve-pixel text needs this much to stay apart.
const LINE_HEIGHT: f64 = 15.0;
/// Marks closer than this share a label.
const MARK_DISTANCE: f64 = 24.0;
/// The lines end this much below the top of a panel.
const HEADROOM: f64 = 1.08;
/// What fits beside a line.
const LONGEST_LABEL: usize = 18;

/// One panel with its scales.
struct Frame {
    x: Scale,
    y: Scale,
    unit: Unit,
    end: Timestamp,
}

pub(crate) fn draw(figure: &Figure, style: &str) -> String {
    let height = if figure.panels.len() == 1 { SINGLE_PANEL } else { PANEL };
    let lane = if figure.marks.is_empty() { 0.0 } else { LANE };
    let bottom = lane + figure.panels.len() as f64 * (height + GAP);
    let x = Scale { value_end: figure.end.as_millis().max(1) as f64, from: LEFT, to: RIGHT };
    let mut out = String::new();
    open(&mut out, figure, bottom + BOTTOM, style);
    for (index, panel) in figure.panels.iter().enumerate() {
        let top = lane + index as f64 * (height + GAP) + GAP;
        let y = Scale { value_end: highest(panel) * HEADROOM, from: top + height, to: top };
        let frame = Frame { x, y, unit: panel.unit, end: figure.end };
        draw_panel(&mut out, panel, &frame);
    }
    draw_marks(&mut out, figure, x, bottom);
    draw_time_axis(&mut out, figure.end, x, bottom);
    out.push_str("</svg>");
    out
}

fn open(out: &mut String, figure: &Figure, height: f64, style: &str) {
    let (key, height) = (figure.key, coordinate(height));
    let (title, description) = (Escaped(&figure.title), Escaped(&figure.description));
    push(
        out,
        format_args!(
            "<svg class=\"chart\" xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {height}\" role=\"img\" \
             aria-labelledby=\"{key}-title {key}-description\">{style}\
             <title id=\"{key}-title\">{title}</title><desc id=\"{key}-description\">{description}</desc>"
        ),
    );
    if !style.is_empty() {
        push(out, format_args!("<rect class=\"sheet\" width=\"{WIDTH}\" height=\"{height}\"/>"));
    }
}

/// The highest value to show; one when there is nothing, so that the axis still has a scale.
fn highest(panel: &Panel) -> f64 {
    let lines = panel.lines.iter().chain(&panel.capacity);
    let values = lines.flat_map(|line| line.points.iter().map(|point| point.value));
    let most = values.fold(panel.at_least, f64::max);
    if most > 0.0 { most } else { 1.0 }
}

fn draw_panel(out: &mut String, panel: &Panel, frame: &Frame) {
    out.push_str("<g>");
    text(out, "name", LEFT, frame.y.to - 12.0, &panel.title);
    if let Some(capacity) = &panel.capacity {
        path(out, "shade", &area(capacity, frame));
        path(out, "capacity", &course(capacity, frame));
    }
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
        let label: String = if line.label.chars().count() > LONGEST_LABEL {
            line.label.chars().take(LONGEST_LABEL - 1).chain(['…']).collect()
        } else {
            line.label.clone()
        };
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
    for (place, label) in joined(&places, MARK_DISTANCE) {
        // A digit of eleven-pixel text is seven wide.
        let width = (label.chars().count() as f64 * 7.0 + 10.0).max(20.0);
        let (left, width) = (coordinate(place - width / 2.0), coordinate(width));
        push(
            out,
            format_args!(
                "<rect class=\"pill\" x=\"{left}\" y=\"6\" width=\"{width}\" height=\"20\" rx=\"10\"/>"
            ),
        );
        text(out, "number", place, 20.0, &label);
    }
    if !figure.marks.is_empty() {
        text(out, "", RIGHT + 25.0, 20.0, "decisions");
    }
}

fn draw_time_axis(out: &mut String, end: Timestamp, x: Scale, bottom: f64) {
    let axis = time_axis(end);
    for (at, label) in &axis.ticks {
        let place = x.moment(*at);
        path(out, "axis", &format!("M{} {}v5", coordinate(place), coordinate(bottom)));
        text(out, "tick middle", place, bottom + 19.0, label);
    }
    text(
        out,
        "middle",
        f64::midpoint(LEFT, RIGHT),
        bottom + 38.0,
        &format!("time since the start ({})", axis.unit),
    );
}

/// The course of a line; the last value of a line of steps holds until the end.
fn course(line: &Line, frame: &Frame) -> String {
    let points = thin(line);
    let Some((first, rest)) = points.split_first() else { return String::new() };
    let x = |point: &Point| coordinate(frame.x.moment(point.at));
    let y = |point: &Point| coordinate(frame.y.place(point.value));
    let mut data = format!("M{} {}", x(first), y(first));
    for point in rest {
        match line.shape {
            Shape::Steps => push(&mut data, format_args!("H{}V{}", x(point), y(point))),
            Shape::Slopes => push(&mut data, format_args!("L{} {}", x(point), y(point))),
        }
    }
    if line.shape == Shape::Steps {
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
    }
}

fn path(out: &mut String, class: &str, data: &str) {
    if !data.is_empty() {
        push(out, format_args!("<path class=\"{class}\" d=\"{data}\"/>"));
    }
}

fn text(out: &mut String, class: &str, x: f64, y: f64, content: &str) {
    let (x, y, content) = (coordinate(x), coordinate(y), Escaped(content));
    let class = if class.is_empty() { String::new() } else { format!(" class=\"{class}\"") };
    push(out, format_args!("<text{class} x=\"{x}\" y=\"{y}\">{content}</text>"));
}

fn push(out: &mut String, content: std::fmt::Arguments<'_>) {
    // Writing to a string cannot fail.
    let _ = out.write_fmt(content);
}
