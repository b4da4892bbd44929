//! Reads the outlines of shapes: straight steps, absolute or relative, and parts of circles.

use super::Undrawable;
use super::tokens::number;
use std::f32::consts::PI;
use tiny_skia::{Path, PathBuilder};

/// The outline that path data describes; none if it has no extent.
pub(super) fn of(data: &str) -> Result<Option<Path>, Undrawable> {
    let mut hand = Hand::default();
    let mut rest = data;
    while let Some(step) = rest.chars().next() {
        let after = &rest[step.len_utf8()..];
        let end = after.find(|letter: char| letter.is_alphabetic()).unwrap_or(after.len());
        let numbers: Result<Vec<f32>, _> = after[..end].split_whitespace().map(number).collect();
        hand.step(step, &numbers?)?;
        rest = &after[end..];
    }
    Ok(hand.path.finish())
}

/// A rectangle with rounded corners.
pub(super) fn rectangle([x, y]: [f32; 2], [width, height]: [f32; 2], radius: f32) -> Option<Path> {
    let radius = radius.min(width / 2.0).min(height / 2.0).max(0.0);
    let (right, bottom) = (x + width, y + height);
    let mut hand = Hand::default();
    hand.jump([x + radius, y]);
    let corners = [
        ([right - radius, y], [right, y + radius]),
        ([right, bottom - radius], [right - radius, bottom]),
        ([x + radius, bottom], [x, bottom - radius]),
        ([x, y + radius], [x + radius, y]),
    ];
    for (before, after) in corners {
        hand.line(before);
        hand.arc(radius, Turn { is_long: false, is_clockwise: true }, after);
    }
    hand.path.close();
    hand.path.finish()
}

/// Which of the four arcs between two points.
#[derive(Clone, Copy)]
struct Turn {
    is_long: bool,
    is_clockwise: bool,
}

/// A hand that draws, and where it is.
#[derive(Default)]
struct Hand {
    path: PathBuilder,
    at: [f32; 2],
    /// Where the line began that it draws.
    start: [f32; 2],
}

impl Hand {
    fn step(&mut self, step: char, numbers: &[f32]) -> Result<(), Undrawable> {
        let [x, y] = if step.is_ascii_lowercase() { self.at } else { [0.0; 2] };
        match (step.to_ascii_uppercase(), numbers) {
            ('M', [to_x, to_y]) => self.jump([x + to_x, y + to_y]),
            ('L', [to_x, to_y]) => self.line([x + to_x, y + to_y]),
            ('H', [to_x]) => self.line([x + to_x, self.at[1]]),
            ('V', [to_y]) => self.line([self.at[0], y + to_y]),
            ('A', [across, up, turned, long, clockwise, to_x, to_y]) if across == up && *turned == 0.0 => {
                let turn = Turn { is_long: flag(*long)?, is_clockwise: flag(*clockwise)? };
                self.arc(*across, turn, [x + to_x, y + to_y]);
            }
            ('Z', []) => {
                self.path.close();
                self.at = self.start;
            }
            ('M' | 'L' | 'H' | 'V' | 'A' | 'Z', _) => {
                return Err(Undrawable::because(format!(
                    "the path step {step:?} has the numbers {numbers:?}"
                )));
            }
            _ => return Err(Undrawable::because(format!("the path step {:?} is unknown", step.to_string()))),
        }
        Ok(())
    }

    fn jump(&mut self, to: [f32; 2]) {
        self.path.move_to(to[0], to[1]);
        (self.at, self.start) = (to, to);
    }

    fn line(&mut self, to: [f32; 2]) {
        self.path.line_to(to[0], to[1]);
        self.at = to;
    }

    /// A part of a circle. One that is too small to reach is enlarged, as SVG wants it.
    fn arc(&mut self, radius: f32, turn: Turn, to: [f32; 2]) {
        let (half_x, half_y) = ((self.at[0] - to[0]) / 2.0, (self.at[1] - to[1]) / 2.0);
        let half = libm::hypotf(half_x, half_y);
        if half == 0.0 || radius <= 0.0 {
            return self.line(to);
        }
        let radius = radius.max(half);
        // From the middle between both ends to the centre.
        let aside = (radius * radius - half * half).max(0.0).sqrt() / half;
        let side = if turn.is_long == turn.is_clockwise { -aside } else { aside };
        let centre = [to[0] + half_x + side * half_y, to[1] + half_y - side * half_x];
        let angle = |point: [f32; 2]| libm::atan2f(point[1] - centre[1], point[0] - centre[0]);
        let from = angle(self.at);
        let mut sweep = angle(to) - from;
        if turn.is_clockwise && sweep < 0.0 {
            sweep += 2.0 * PI;
        } else if !turn.is_clockwise && sweep > 0.0 {
            sweep -= 2.0 * PI;
        }
        self.curves(centre, radius, from, sweep);
        self.at = to;
    }

    /// A curve for each quarter of a circle is off by less than a thousandth of its radius.
    fn curves(&mut self, centre: [f32; 2], radius: f32, from: f32, sweep: f32) {
        let pieces = (sweep.abs() / (PI / 2.0) - 1e-3).ceil().max(1.0);
        let piece = sweep / pieces;
        let reach = 4.0 / 3.0 * libm::tanf(piece / 4.0) * radius;
        for index in 0..pieces as usize {
            let (begin, end) = (from + index as f32 * piece, from + (index + 1) as f32 * piece);
            let place = |angle: f32, ahead: f32| {
                let (sin, cos) = (libm::sinf(angle), libm::cosf(angle));
                [centre[0] + radius * cos - ahead * sin, centre[1] + radius * sin + ahead * cos]
            };
            let (first, second, last) = (place(begin, reach), place(end, -reach), place(end, 0.0));
            self.path.cubic_to(first[0], first[1], second[0], second[1], last[0], last[1]);
        }
    }
}

fn flag(number: f32) -> Result<bool, Undrawable> {
    match number {
        0.0 => Ok(false),
        1.0 => Ok(true),
        _ => Err(Undrawable::because(format!("{number} is neither 0 nor 1"))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bounds(path: &Path) -> [i32; 4] {
        let bounds = path.compute_tight_bounds().unwrap();
        [bounds.left(), bounds.top(), bounds.right(), bounds.bottom()]
            .map(|side| (side * 100.0).round() as i32)
    }

    fn check(data: &str, expected: [i32; 4]) {
        assert_eq!(bounds(&of(data).unwrap().unwrap()), expected, "{data}");
    }

    #[test]
    fn steps_are_absolute_or_relative() {
        check("M1 2H5V8L3 9Z", [100, 200, 500, 900]);
        check("M1 2h4v6l-2 1Z", [100, 200, 500, 900]);
        check("M1 2l7 7m0 -7l-7 7", [100, 200, 800, 900]);
        check("M1 2h4Zv5", [100, 200, 500, 700]);
    }

    #[test]
    fn arcs_are_round() {
        let circle = "M2 10a4.5 4.5 0 1 0 9 0a4.5 4.5 0 1 0 -9 0Z";
        check(circle, [200, 550, 1_100, 1_450]);
        // A radius that lost a digit to rounding still reaches.
        check("M0 5a3.8 3.8 0 1 0 7.7 0a3.8 3.8 0 1 0 -7.7 0Z", [0, 115, 770, 885]);
        // A quarter to the right and down, on either side of the straight line.
        check("M0 0A10 10 0 0 1 10 10Z", [0, 0, 1_000, 1_000]);
        let area = |data: &str| of(data).unwrap().unwrap().points()[1];
        assert!(area("M0 0A10 10 0 0 1 10 10").x > 5.0 && area("M0 0A10 10 0 0 0 10 10").x < 1.0);
        check("M0 0A10 10 0 1 1 10 10", [-0, -1_000, 2_000, 1_000]);
    }

    #[test]
    fn corners_are_rounded_at_most_to_half_circles() {
        assert_eq!(bounds(&rectangle([1.0, 2.0], [30.0, 20.0], 10.0).unwrap()), [100, 200, 3_100, 2_200]);
        let round = rectangle([0.0, 0.0], [10.0, 10.0], 99.0).unwrap();
        assert_eq!(bounds(&round), [0, 0, 1_000, 1_000]);
        assert!(rectangle([0.0, 0.0], [10.0, 10.0], 0.0).unwrap().points().len() <= 9);
    }

    #[test]
    fn wrong_data_is_refused_and_empty_data_is_nothing() {
        for wrong in ["M1", "M1 2 3", "M1 2L", "H", "M0 0Q1 1 2 2", "5 5", "M1,2", "Z3", "M0 0A5 4 0 0 1 1 1"]
        {
            assert!(of(wrong).is_err(), "{wrong}");
        }
        assert!(of("M0 0A5 5 0 0 2 1 1").is_err() && of("M0 0é").is_err() && of("M1e99 0").is_err());
        assert_eq!(of("").unwrap(), None);
    }
}
