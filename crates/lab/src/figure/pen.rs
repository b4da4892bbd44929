//! What every figure is drawn with, whatever it shows: sheet, paths, texts, a time axis.

use super::scale::{Scale, coordinate, time_axis};
use crate::markup::Escaped;
use model::time::Timestamp;
use std::fmt::Write;

/// All figures are this wide, so that they line up on a page.
pub(crate) const WIDTH: f64 = 960.0;

/// What a figure is before anything is drawn.
pub(crate) struct Sheet<'a> {
    pub key: &'a str,
    pub title: &'a str,
    pub description: &'a str,
    pub height: f64,
}

/// Begins a picture. With a style it stands alone and gets its own paper.
pub(crate) fn open(out: &mut String, sheet: &Sheet<'_>, style: &str) {
    let (key, height) = (Escaped(sheet.key), coordinate(sheet.height));
    let (title, description) = (Escaped(sheet.title), Escaped(sheet.description));
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

/// A time axis below everything, as wide as `x`.
pub(crate) fn time_ruler(out: &mut String, end: Timestamp, x: Scale, bottom: f64) {
    let axis = time_axis(end);
    for (at, label) in &axis.ticks {
        let place = x.moment(*at);
        path(out, "axis", &format!("M{} {}v5", coordinate(place), coordinate(bottom)));
        text(out, "tick middle", place, bottom + 19.0, label);
    }
    let title = format!("time since the start ({})", axis.unit);
    text(out, "middle", f64::midpoint(x.from, x.to), bottom + 38.0, &title);
}

pub(crate) fn path(out: &mut String, class: &str, data: &str) {
    if !data.is_empty() {
        push(out, format_args!("<path class=\"{class}\" d=\"{data}\"/>"));
    }
}

pub(crate) fn text(out: &mut String, class: &str, x: f64, y: f64, content: &str) {
    let (x, y, content) = (coordinate(x), coordinate(y), Escaped(content));
    let class = if class.is_empty() { String::new() } else { format!(" class=\"{class}\"") };
    push(out, format_args!("<text{class} x=\"{x}\" y=\"{y}\">{content}</text>"));
}

/// Writing to a string cannot fail.
pub(crate) fn push(out: &mut String, content: std::fmt::Arguments<'_>) {
    let _ = out.write_fmt(content);
}
