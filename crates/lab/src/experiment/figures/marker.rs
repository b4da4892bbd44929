//! How strategies look: colour, dash and shape together, so that none is told by its colour alone.

use crate::figure::pen::path;
use crate::figure::scale::coordinate;
use crate::figure::style::{COLOURS, DASHES};

/// Shapes in turn; with the dashes, twelve strategies differ even in black and white.
const SHAPES: usize = 6;

/// The class of a strategy's line.
pub(super) fn line(arm: usize) -> String {
    format!("line c{} d{}", arm % COLOURS, arm % DASHES)
}

/// The class of areas in a strategy's colour.
pub(super) fn fill(arm: usize) -> String {
    format!("f{}", arm % COLOURS)
}

/// The class of outlines in a strategy's colour.
pub(super) fn stroke(arm: usize) -> String {
    format!("c{}", arm % COLOURS)
}

/// A strategy's shape around a place.
pub(super) fn shape(arm: usize, x: f64, y: f64, size: f64) -> String {
    let at = |dx: f64, dy: f64| format!("{} {}", coordinate(x + dx * size), coordinate(y + dy * size));
    let polygon = |corners: &[(f64, f64)]| {
        let corners: Vec<String> = corners.iter().map(|(dx, dy)| at(*dx, *dy)).collect();
        format!("M{}Z", corners.join("L"))
    };
    match arm % SHAPES {
        0 => circle(x, y, size),
        1 => polygon(&[(-0.9, -0.9), (0.9, -0.9), (0.9, 0.9), (-0.9, 0.9)]),
        2 => polygon(&[(0.0, -1.15), (1.1, 0.85), (-1.1, 0.85)]),
        3 => polygon(&[(0.0, -1.3), (1.3, 0.0), (0.0, 1.3), (-1.3, 0.0)]),
        4 => polygon(&[(0.0, 1.15), (1.1, -0.85), (-1.1, -0.85)]),
        _ => polygon(&PLUS),
    }
}

/// A thick plus.
const PLUS: [(f64, f64); 12] = [
    (-0.4, -1.2),
    (0.4, -1.2),
    (0.4, -0.4),
    (1.2, -0.4),
    (1.2, 0.4),
    (0.4, 0.4),
    (0.4, 1.2),
    (-0.4, 1.2),
    (-0.4, 0.4),
    (-1.2, 0.4),
    (-1.2, -0.4),
    (-0.4, -0.4),
];

fn circle(x: f64, y: f64, radius: f64) -> String {
    let (left, y, radius, back) =
        (coordinate(x - radius), coordinate(y), coordinate(radius), coordinate(2.0 * radius));
    format!("M{left} {y}a{radius} {radius} 0 1 0 {back} 0a{radius} {radius} 0 1 0 -{back} 0Z")
}

/// A ring, whoever's it is: the mean.
pub(super) fn mean(out: &mut String, x: f64, y: f64) {
    path(out, "mean", &circle(x, y, 4.5));
}

/// A filled mark of a strategy.
pub(super) fn dot(out: &mut String, arm: usize, x: f64, y: f64, size: f64) {
    path(out, &format!("dot {}", fill(arm)), &shape(arm, x, y, size));
}

/// A piece of a strategy's line with its mark, for beside a name.
pub(super) fn key(out: &mut String, arm: usize, x: f64, y: f64) {
    path(out, &line(arm), &format!("M{} {}h26", coordinate(x), coordinate(y)));
    dot(out, arm, x + 13.0, y, 4.0);
}
