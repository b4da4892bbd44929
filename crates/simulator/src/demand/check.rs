//! From demand as written to demand as meant: every fault is found, each with its place and a proposal.

use super::course::Course;
use super::fault::{Fault, Faults};
use super::raw::{
    RawBell, RawBetween, RawDay, RawDemand, RawGaussian, RawLevel, RawPoint, RawRamp, RawShape, RawStages,
    RawThinkTime, RawThinkTimeLaw, RawTrace, RawTraceFormat,
};
use super::shape::{Bell, Day, Gaussian, Shape};
use super::{DemandKind, DemandSpec, MOST_LEVEL, ThinkTime};
use crate::normal::Truncated;
use model::time::Period;

/// A year: long enough for any experiment, short enough that integer milliseconds never overflow.
const LONGEST: Period = Period::from_hours(24 * 366);

/// Shapes inside shapes. Written by hand three are many; the limit keeps the cost of one look bounded.
const DEEPEST: usize = 8;

/// Shapes of one demand, for the same reason.
const MOST_SHAPES: usize = 64;

/// Stages or points of one shape: a year of minutes. Finding the right one takes twenty comparisons.
const MOST_LINES: usize = 527_040;

/// Factors beyond this are a mistake of units.
const MOST_FACTOR: f64 = 1e6;

/// Checks demand; the faults are located with [`Fault::located`].
pub fn check(raw: &RawDemand) -> Result<DemandSpec, Vec<Fault>> {
    let mut checker = Checker::default();
    let spec = checker.demand(raw);
    checker.faults.into_result(spec)
}

#[derive(Default)]
struct Checker {
    faults: Faults,
    shapes: usize,
    random_shapes: u64,
}

impl Checker {
    fn demand(&mut self, raw: &RawDemand) -> Option<DemandSpec> {
        let kind = self.kind(raw);
        let (key, level) = match (&raw.requests_per_second, &raw.users) {
            (Some(level), None) => (".requests_per_second", level),
            (None, Some(level)) => (".users", level),
            (Some(_), Some(_)) => {
                let message = "demand is either `requests_per_second` or `users`, not both";
                self.faults.report(".users", message, "keep one of the two");
                return None;
            }
            (None, None) => {
                let message = "nothing says what is asked for: neither `requests_per_second` nor `users`";
                self.faults.report("", message, "add for instance requests_per_second: 100");
                return None;
            }
        };
        let shape = self.level(key, level, 0)?;
        Some(DemandSpec { kind: kind?, shape })
    }

    fn kind(&mut self, raw: &RawDemand) -> Option<DemandKind> {
        match (&raw.think_time, &raw.users) {
            (None, None) => Some(DemandKind::Requests),
            (None, Some(_)) => {
                let message = "users need a `think_time`; without any pause it is 0s";
                self.faults.report(".users", message, "add for instance think_time: 100ms..500ms");
                None
            }
            (Some(_), None) => {
                let message = "`think_time` has no meaning without `users`";
                self.faults.report(".think_time", message, "remove `think_time`");
                None
            }
            (Some(RawThinkTime::Uniform(delay)), Some(_)) => {
                self.period(".think_time", delay.most());
                Some(DemandKind::Users(ThinkTime::Uniform(*delay)))
            }
            (Some(RawThinkTime::Other(RawThinkTimeLaw::Exponential(mean))), Some(_)) => {
                self.period(".think_time.exponential", *mean);
                Some(DemandKind::Users(ThinkTime::Exponential(*mean)))
            }
        }
    }

    fn level(&mut self, path: &str, raw: &RawLevel, depth: usize) -> Option<Shape> {
        self.shapes += 1;
        if depth > DEEPEST || self.shapes > MOST_SHAPES {
            if depth > DEEPEST || self.shapes == MOST_SHAPES + 1 {
                let message =
                    format!("more than {MOST_SHAPES} shapes, or more than {DEEPEST} inside each other");
                self.faults.report(path, message, "write them as one trace");
            }
            return None;
        }
        match raw {
            RawLevel::Constant(level) => {
                self.value(path, *level);
                Some(Shape::constant(*level))
            }
            RawLevel::Shape(shape) => self.shape(path, shape, depth + 1),
        }
    }

    fn shape(&mut self, path: &str, raw: &RawShape, depth: usize) -> Option<Shape> {
        match raw {
            RawShape::Stages(stages) => self.stages(&format!("{path}.stages"), stages, Course::line_to),
            RawShape::Steps(steps) => self.stages(&format!("{path}.steps"), steps, Course::step_to),
            RawShape::Ramp(ramp) => self.ramp(&format!("{path}.ramp"), ramp),
            RawShape::Gaussian(gaussian) => self.gaussian(&format!("{path}.gaussian"), gaussian),
            RawShape::Bell(bell) => self.bell(&format!("{path}.bell"), bell),
            RawShape::Day(day) => Some(self.day(&format!("{path}.day"), day)),
            RawShape::Trace(trace) => self.trace(&format!("{path}.trace"), trace),
            RawShape::Sum(levels) => self.sum(&format!("{path}.sum"), levels, depth),
            RawShape::Scale(scale) => {
                self.faults.range(&format!("{path}.scale.by"), scale.by, 0.0, MOST_FACTOR);
                let of = Box::new(self.level(&format!("{path}.scale.of"), &scale.of, depth)?);
                Some(Shape::Scale { by: scale.by, of })
            }
            RawShape::Noise(noise) => {
                // With a sigma of 2 one draw in a hundred is already a hundred times the mean.
                self.faults.range(&format!("{path}.noise.sigma"), noise.sigma, 0.0, 2.0);
                let every = self.pace(&format!("{path}.noise.every"), noise.every);
                let part = self.next_part();
                let of = Box::new(self.level(&format!("{path}.noise.of"), &noise.of, depth)?);
                Some(Shape::Noise { sigma: noise.sigma, every: every?, part, of })
            }
            RawShape::Held(held) => {
                let every = self.pace(&format!("{path}.held.every"), held.every);
                let of = Box::new(self.level(&format!("{path}.held.of"), &held.of, depth)?);
                Some(Shape::Held { every: every?, whole: held.whole, of })
            }
        }
    }

    fn next_part(&mut self) -> u64 {
        self.random_shapes += 1;
        self.random_shapes
    }

    fn stages(&mut self, path: &str, raw: &RawStages, add: fn(&mut Course, u64, f64)) -> Option<Shape> {
        let (from, list, repeat, list_path) = match raw {
            RawStages::List(list) => (0.0, list, false, path.to_owned()),
            RawStages::Full(course) => (course.from, &course.list, course.repeat, format!("{path}.list")),
        };
        self.value(&format!("{path}.from"), from);
        if list.is_empty() || list.len() > MOST_LINES {
            let message = format!("expected 1 to {MOST_LINES} stages, found {}", list.len());
            self.faults.report(&list_path, message, "add for instance { for: 2m, to: 100 }");
            return None;
        }
        let mut course = Course::starting_at(from);
        for (index, stage) in list.iter().enumerate() {
            self.value(&format!("{list_path}[{index}].to"), stage.to);
            self.period(&format!("{list_path}[{index}].for"), stage.length);
            add(&mut course, stage.length.as_millis(), stage.to);
        }
        if list.iter().all(|stage| stage.length <= LONGEST) {
            self.period(path, Period::from_millis(course.end()));
        }
        self.repeated(path, course, repeat)
    }

    fn repeated(&mut self, path: &str, mut course: Course, repeat: bool) -> Option<Shape> {
        if repeat && course.end() == 0 {
            self.faults.report(
                path,
                "what takes no time cannot begin anew",
                "write a length, or repeat: false",
            );
            return None;
        }
        if repeat {
            course.repeat_after(course.end());
        }
        Some(Shape::Course(course))
    }

    fn ramp(&mut self, path: &str, raw: &RawRamp) -> Option<Shape> {
        self.value(&format!("{path}.from"), raw.from);
        self.value(&format!("{path}.to"), raw.to);
        self.period(&format!("{path}.over"), raw.over);
        let mut course = Course::starting_at(raw.from);
        course.line_to(raw.over.as_millis(), raw.to);
        self.repeated(&format!("{path}.over"), course, raw.repeat)
    }

    fn gaussian(&mut self, path: &str, raw: &RawGaussian) -> Option<Shape> {
        for (key, value) in [
            ("mean", raw.mean.abs()),
            ("standard_deviation", raw.standard_deviation),
            ("minimum", raw.minimum),
            ("maximum", raw.maximum),
        ] {
            self.value(&format!("{path}.{key}"), value);
        }
        let every = self.pace(&format!("{path}.every"), raw.every);
        let part = self.next_part();
        let (least, most) =
            if raw.whole { (raw.minimum.ceil(), raw.maximum.floor()) } else { (raw.minimum, raw.maximum) };
        if least > most {
            let what = if raw.whole { "whole number" } else { "value" };
            let message = format!("there is no {what} from {} to {}", raw.minimum, raw.maximum);
            let proposal = format!("write minimum: {}, maximum: {}", raw.maximum.floor(), raw.minimum.ceil());
            self.faults.report(&format!("{path}.minimum"), message, proposal);
            return None;
        }
        // Every whole number stands for the interval that is rounded to it, the outermost ones too.
        let margin = if raw.whole { 0.5 } else { 0.0 };
        let law = Truncated::new(raw.mean, raw.standard_deviation, least - margin, most + margin);
        Some(Shape::Gaussian(Gaussian { law, bounds: (least, most), every: every?, whole: raw.whole, part }))
    }

    fn bell(&mut self, path: &str, raw: &RawBell) -> Option<Shape> {
        self.value(&format!("{path}.base"), raw.base);
        self.value(&format!("{path}.peak"), raw.peak);
        self.period(&format!("{path}.centre"), raw.centre);
        let width = self.pace(&format!("{path}.width"), raw.width);
        let repeat = match raw.repeat {
            Some(repeat) => Some(self.pace(&format!("{path}.repeat"), repeat)?),
            None => None,
        };
        let centre = raw.centre.as_millis();
        Some(Shape::Bell(Bell { base: raw.base, peak: raw.peak, centre, width: width?, repeat }))
    }

    fn day(&mut self, path: &str, raw: &RawDay) -> Shape {
        const HOUR: f64 = 3_600_000.0;
        const DAY: u64 = 86_400_000;
        self.value(&format!("{path}.base"), raw.base);
        self.value(&format!("{path}.peak"), raw.peak);
        if raw.base > raw.peak {
            let message = format!("the base of {} is above the peak of {}", raw.base, raw.peak);
            let proposal = format!("write base: {}, peak: {}", raw.peak, raw.base);
            self.faults.report(&format!("{path}.base"), message, proposal);
        }
        if raw.peak_at.as_millis() >= DAY {
            let message = format!("{} is not a time of day", raw.peak_at);
            self.faults.report(&format!("{path}.peak_at"), message, "write for instance 14h");
        }
        self.faults.range(&format!("{path}.sharpness"), raw.sharpness, 0.1, 100.0);
        self.faults.range(&format!("{path}.weekend"), raw.weekend, 0.0, 10.0);
        let offset_path = format!("{path}.utc_offset_hours");
        self.faults.range(&offset_path, raw.utc_offset_hours, -12.0, 14.0);
        if (raw.utc_offset_hours * 4.0).fract() != 0.0 {
            let message = format!("no place is {} hours from UTC", raw.utc_offset_hours);
            self.faults.report(&offset_path, message, "write a multiple of 0.25");
        }
        // A week ahead is the same time of the week and keeps the sum positive.
        let offset = raw.utc_offset_hours.clamp(-12.0, 14.0) * HOUR + 7.0 * DAY as f64;
        let ahead = raw.first_day as u64 * DAY + offset as u64;
        Shape::Day(Day {
            base: raw.base,
            peak: raw.peak,
            peak_at: raw.peak_at.as_millis(),
            sharpness: raw.sharpness,
            weekend: raw.weekend,
            ahead,
        })
    }

    fn trace(&mut self, path: &str, raw: &RawTrace) -> Option<Shape> {
        if raw.format.is_some() && raw.file.is_none() {
            let message = "`format` has no meaning without a `file`";
            self.faults.report(&format!("{path}.format"), message, "remove `format` or name a file");
            return None;
        }
        let points = self.points(path, raw)?;
        self.faults.range(&format!("{path}.scale"), raw.scale, 0.0, MOST_FACTOR);
        let mut course = Course::starting_at(points.first()?.value * raw.scale);
        let mut held = points.first()?.value * raw.scale;
        for point in &points {
            let Some(length) = point.at.as_millis().checked_sub(course.end()) else {
                let message = format!("the point at {} stands after a later one", point.at);
                self.faults.report(&format!("{path}.points"), message, "sort the points by time");
                return None;
            };
            let value = point.value * raw.scale;
            match raw.between {
                RawBetween::Linear => course.line_to(length, value),
                RawBetween::Step => {
                    course.line_to(length, held);
                    course.line_to(0, value);
                    held = value;
                }
            }
        }
        let Some(repeat) = raw.repeat else { return Some(Shape::Course(course)) };
        self.period(&format!("{path}.repeat"), repeat);
        if repeat.is_zero() || repeat.as_millis() < course.end() {
            let message = format!(
                "the trace is {} long and cannot begin anew after {repeat}",
                Period::from_millis(course.end())
            );
            self.faults.report(&format!("{path}.repeat"), message, "let it be at least as long as the trace");
            return None;
        }
        course.repeat_after(repeat.as_millis());
        Some(Shape::Course(course))
    }

    /// The points of a trace, however they are written.
    fn points(&mut self, path: &str, raw: &RawTrace) -> Option<Vec<RawPoint>> {
        let points = match (raw.points.is_empty(), raw.values.is_empty(), raw.every) {
            _ if raw.file.is_some() => self.recorded(path, raw)?,
            (false, true, None) => raw.points.clone(),
            (true, false, Some(every)) => {
                let every = Period::from_millis(self.pace(&format!("{path}.every"), every)?);
                let at = |index: usize| every.saturating_mul(index as u64);
                raw.values
                    .iter()
                    .enumerate()
                    .map(|(index, value)| RawPoint { at: at(index), value: *value })
                    .collect()
            }
            _ => {
                let message = "a trace has either `points`, or `values` with `every`, or a `file`";
                self.faults.report(path, message, "write for instance values: [10, 20, 15], every: 1m");
                return None;
            }
        };
        if points.len() > MOST_LINES {
            let message = format!("a trace of {} points; at most {MOST_LINES} are allowed", points.len());
            self.faults.report(path, message, "let a point stand for a longer time");
            return None;
        }
        let place = |index: usize| match (raw.file.is_some(), raw.points.is_empty()) {
            (true, _) => format!("{path}.file"),
            (false, true) => format!("{path}.values[{index}]"),
            (false, false) => format!("{path}.points[{index}]"),
        };
        for (index, point) in points.iter().enumerate() {
            self.value(&place(index), point.value);
        }
        self.period(path, points.iter().map(|point| point.at).max()?);
        Some(points)
    }

    /// The points of a trace that names a file.
    fn recorded(&mut self, path: &str, raw: &RawTrace) -> Option<Vec<RawPoint>> {
        if !raw.points.is_empty() || !raw.values.is_empty() {
            let message = "the file has the course, so `points` and `values` beside it have no meaning";
            self.faults.report(&format!("{path}.file"), message, "remove them, or the file");
            return None;
        }
        let counts = raw.format == Some(RawTraceFormat::AzureLlm);
        if let Some(every) = raw.every {
            if !counts {
                let message = "a table has its own times, so `every` has no meaning";
                self.faults.report(&format!("{path}.every"), message, "remove `every`");
                return None;
            }
            self.pace(&format!("{path}.every"), every)?;
        }
        raw.recorded.clone()
    }

    fn sum(&mut self, path: &str, levels: &[RawLevel], depth: usize) -> Option<Shape> {
        if levels.is_empty() {
            self.faults.report(path, "a sum of nothing", "list at least one shape");
        }
        let shapes: Vec<Option<Shape>> = levels
            .iter()
            .enumerate()
            .map(|(index, level)| self.level(&format!("{path}[{index}]"), level, depth))
            .collect();
        shapes.into_iter().collect::<Option<Vec<Shape>>>().map(Shape::Sum)
    }

    fn value(&mut self, path: &str, value: f64) {
        self.faults.range(path, value, 0.0, MOST_LEVEL);
    }

    fn period(&mut self, path: &str, period: Period) {
        if period > LONGEST {
            let message = format!("{period} is longer than a year");
            self.faults.report(path, message, format!("write at most {LONGEST}"));
        }
    }

    /// A period that something is divided by.
    fn pace(&mut self, path: &str, every: Period) -> Option<u64> {
        self.period(path, every);
        if every.is_zero() {
            self.faults.report(path, "must be longer than no time at all", "write for instance 15s");
            return None;
        }
        Some(every.as_millis())
    }
}
