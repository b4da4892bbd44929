//! The shapes a level can have over time. Times are milliseconds since the world's epoch, which is midnight UTC.

use super::course::Course;
use crate::normal::Truncated;
use crate::randomness::Spliced;
use std::f64::consts::PI;

const HOUR: u64 = 3_600_000;
const DAY: u64 = 24 * HOUR;

/// How often the slow curve of a day is looked at; it divides every quarter of an hour, so midnights are met exactly.
const DAY_SAMPLE: u64 = 5 * 60_000;

/// Beyond so many widths a bell is within four millionths of its base.
const BELL_REACH: u64 = 5;

#[derive(Clone, Debug, PartialEq)]
pub(super) enum Shape {
    Course(Course),
    Gaussian(Gaussian),
    Bell(Bell),
    Day(Day),
    Sum(Vec<Shape>),
    Scale { by: f64, of: Box<Shape> },
    Noise { sigma: f64, every: u64, part: u64, of: Box<Shape> },
    Held { every: u64, whole: bool, of: Box<Shape> },
}

/// A level drawn anew every so often. `part` numbers the random shapes of one demand, so that each has its own draws.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Gaussian {
    pub(super) law: Truncated,
    /// The least and the highest level.
    pub(super) bounds: (f64, f64),
    pub(super) every: u64,
    pub(super) whole: bool,
    pub(super) part: u64,
}

#[derive(Clone, Debug, PartialEq)]
pub(super) struct Bell {
    pub(super) base: f64,
    pub(super) peak: f64,
    pub(super) centre: u64,
    pub(super) width: u64,
    pub(super) repeat: Option<u64>,
}

#[derive(Clone, Debug, PartialEq)]
pub(super) struct Day {
    pub(super) base: f64,
    pub(super) peak: f64,
    pub(super) peak_at: u64,
    pub(super) sharpness: f64,
    pub(super) weekend: f64,
    /// How far local time is ahead, from Monday midnight; never negative, since a week earlier is the same.
    pub(super) ahead: u64,
}

impl Shape {
    pub(super) const fn constant(level: f64) -> Self {
        Self::Course(Course::starting_at(level))
    }

    pub(super) fn at(&self, at: u64, field: Spliced) -> f64 {
        match self {
            Self::Course(course) => course.at(at),
            Self::Gaussian(gaussian) => gaussian.at(at, field),
            Self::Bell(bell) => bell.at(at),
            Self::Day(day) => day.at(at),
            Self::Sum(shapes) => shapes.iter().map(|shape| shape.at(at, field)).sum(),
            Self::Scale { by, of } => by * of.at(at, field),
            Self::Noise { sigma, every, part, of } => {
                let noise = field.of(at - at % every).part(*part);
                of.at(at, field) * noise.factor_at(at / every, *sigma)
            }
            Self::Held { every, whole, of } => {
                let level = of.at(at - at % every, field);
                if *whole { level.round() } else { level }
            }
        }
    }

    /// The same level from `at` on for ever. What is drawn anew now and then goes on being drawn, noise included: that is
    /// how the level was, not where it went.
    pub(super) fn held_at(&self, at: u64) -> Self {
        let boxed = |of: &Self, at| Box::new(of.held_at(at));
        match self {
            Self::Course(course) => Self::constant(course.at(at)),
            Self::Bell(bell) => Self::constant(bell.at(at)),
            Self::Day(day) => Self::constant(day.at(at)),
            Self::Gaussian(gaussian) => Self::Gaussian(gaussian.clone()),
            Self::Sum(shapes) => Self::Sum(shapes.iter().map(|shape| shape.held_at(at)).collect()),
            Self::Scale { by, of } => Self::Scale { by: *by, of: boxed(of, at) },
            Self::Noise { sigma, every, part, of } => {
                Self::Noise { sigma: *sigma, every: *every, part: *part, of: boxed(of, at) }
            }
            // What is shown now is what was there when the period began.
            Self::Held { every, whole, of } => {
                Self::Held { every: *every, whole: *whole, of: boxed(of, at - at % every) }
            }
        }
    }

    /// The next moment after `at` at which the level should be looked at again.
    pub(super) fn next_change_after(&self, at: u64) -> Option<u64> {
        match self {
            Self::Course(course) => course.next_change_after(at),
            Self::Gaussian(gaussian) => Some(next_multiple(at, gaussian.every)),
            Self::Bell(bell) => bell.next_change_after(at),
            Self::Day(_) => Some(next_multiple(at, DAY_SAMPLE)),
            Self::Sum(shapes) => shapes.iter().filter_map(|shape| shape.next_change_after(at)).min(),
            Self::Scale { of, .. } => of.next_change_after(at),
            Self::Noise { every, of, .. } => {
                let factor = next_multiple(at, *every);
                Some(of.next_change_after(at).map_or(factor, |change| change.min(factor)))
            }
            // What happens inside a period shows only at its end.
            Self::Held { every, of, .. } => {
                let began = at - at % every;
                let shown =
                    |change: u64| change.max(at.saturating_add(1)).div_ceil(*every).saturating_mul(*every);
                of.next_change_after(began).map(shown)
            }
        }
    }
}

fn next_multiple(at: u64, every: u64) -> u64 {
    (at / every).saturating_add(1).saturating_mul(every)
}

impl Gaussian {
    fn at(&self, at: u64, field: Spliced) -> f64 {
        let drawn = field.of(at - at % self.every).part(self.part);
        let value = self.law.value(drawn.unit_at(at / self.every));
        if self.whole { value.round().clamp(self.bounds.0, self.bounds.1) } else { value }
    }
}

impl Bell {
    /// How far the nearest peak is, and whether it lies ahead.
    fn distance(&self, at: u64) -> (u64, bool) {
        let Some(repeat) = self.repeat else { return (at.abs_diff(self.centre), at < self.centre) };
        let since = (at % repeat + repeat - self.centre % repeat) % repeat;
        if since <= repeat / 2 { (since, false) } else { (repeat - since, true) }
    }

    fn at(&self, at: u64) -> f64 {
        let widths = self.distance(at).0 as f64 / self.width as f64;
        self.base + (self.peak - self.base) * libm::exp(-widths * widths / 2.0)
    }

    fn next_change_after(&self, at: u64) -> Option<u64> {
        let (distance, ahead) = self.distance(at);
        let reach = self.width.saturating_mul(BELL_REACH);
        let sample = (self.width / 8).clamp(1_000, 60_000);
        if distance < reach {
            return Some(next_multiple(at, sample));
        }
        let until_peak = match (ahead, self.repeat) {
            (true, _) => distance,
            (false, Some(repeat)) => repeat - distance,
            (false, None) => return None,
        };
        Some(at.saturating_add(until_peak.saturating_sub(reach).max(sample)))
    }
}

impl Day {
    fn at(&self, at: u64) -> f64 {
        let local = at.saturating_add(self.ahead);
        let day_of_week = local / DAY % 7;
        let turn = (local % DAY) as f64 - self.peak_at as f64;
        let wave = f64::midpoint(1.0, libm::cos(2.0 * PI * turn / DAY as f64)).max(0.0);
        let level = self.base + (self.peak - self.base) * libm::pow(wave, self.sharpness);
        if day_of_week >= 5 { level * self.weekend } else { level }
    }
}
