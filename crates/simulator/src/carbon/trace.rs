//! Carbon intensity over time, with integrals that add up: two halves of an interval are exactly the whole.

use model::energy::CarbonIntensity;
use model::time::{Period, Timestamp};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A day.
pub const DAY: Period = Period::from_hours(24);

/// Ten years, so that a point's time and intensity multiply far below the range of integers.
pub const LONGEST: Period = Period::from_hours(24 * 3_660);

/// A year of minutes fits twice.
pub const MOST_POINTS: usize = 1_200_000;

/// Burning lignite gives about 1 200 g/kWh; no mix is ten times worse.
pub const LARGEST_INTENSITY: CarbonIntensity = CarbonIntensity::from_grams(10_000);

/// What the intensity is between two points.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Between {
    /// That of the earlier point.
    #[default]
    Step,
    /// On the line between them.
    Linear,
}

/// Intensity from the start of a simulation on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Trace {
    /// Rising times, the first zero, and the intensity from each on. A repeating trace has one more at its end.
    knots: Vec<Knot>,
    between: Between,
    repeats: bool,
    begins: Period,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Knot {
    time: u64,
    intensity: u64,
    /// Intensity × time from the first knot to this one.
    before: u128,
}

/// Why points are not a trace. The index is that of the point at fault.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TraceFault {
    #[error("a trace needs at least one point")]
    Empty,
    #[error("a trace takes at most {MOST_POINTS} points, has {0}")]
    TooMany(usize),
    #[error("the first point is at {0}, not at 0s")]
    NotFromZero(Period),
    #[error("the time {time} does not rise from the {before} before it")]
    TimeDoesNotRise { index: usize, time: Period, before: Period },
    #[error("{time} is later than the {LONGEST} that a trace may last")]
    TooLong { index: usize, time: Period },
    #[error("{intensity} g/kWh is more than the {LARGEST_INTENSITY} that electricity may stand for")]
    TooMuch { index: usize, intensity: CarbonIntensity },
    #[error("it repeats after {repeat}, before its last point at {last}")]
    RepeatsEarly { repeat: Period, last: Period },
    #[error("it repeats after {0}, longer than the {LONGEST} that a trace may last")]
    RepeatsLate(Period),
}

impl Trace {
    /// Always the same; more than [`LARGEST_INTENSITY`] is that.
    pub fn constant(intensity: CarbonIntensity) -> Self {
        let intensity = intensity.min(LARGEST_INTENSITY).0;
        let knots = vec![Knot { time: 0, intensity, before: 0 }];
        Self { knots, between: Between::Step, repeats: false, begins: Period::ZERO }
    }

    /// Checks all points and names everything that is wrong with them. Without `repeat` the last intensity stays.
    pub fn new(
        points: &[(Period, CarbonIntensity)],
        between: Between,
        repeat: Option<Period>,
    ) -> Result<Self, Vec<TraceFault>> {
        let faults = faults(points, repeat);
        let (true, Some(first)) = (faults.is_empty(), points.first()) else { return Err(faults) };
        let end = repeat.map(|repeat| (repeat, first.1));
        let mut knots: Vec<Knot> = Vec::with_capacity(points.len() + 1);
        for (time, intensity) in points.iter().copied().chain(end) {
            let before = knots.last().map_or(0, |last| last.until(time.0, intensity.0, between));
            knots.push(Knot { time: time.0, intensity: intensity.0, before });
        }
        Ok(Self { knots, between, repeats: repeat.is_some(), begins: Period::ZERO })
    }

    /// The same trace, entered `begins` after its start: `6h` of a typical day for a simulation that begins at six.
    #[must_use]
    pub fn beginning(self, begins: Period) -> Self {
        Self { begins, ..self }
    }

    /// The intensity at a moment, rounded down to a milligram.
    pub fn at(&self, moment: Timestamp) -> CarbonIntensity {
        let (_, time) = self.rounds(moment);
        let (knot, next) = self.around(time);
        let Some(next) = next.filter(|_| self.between == Between::Linear) else {
            return CarbonIntensity(knot.intensity);
        };
        let (passed, length) = (u128::from(time - knot.time), u128::from(next.time - knot.time));
        let sum = u128::from(knot.intensity) * (length - passed) + u128::from(next.intensity) * passed;
        CarbonIntensity((sum / length) as u64)
    }

    /// Intensity × time in milligrams per kilowatt-hour × milliseconds. Parts of an interval add up to it exactly.
    pub fn integral(&self, from: Timestamp, to: Timestamp) -> u128 {
        self.since_start(to).saturating_sub(self.since_start(from))
    }

    /// The mean intensity over an interval, rounded down; over no time that of the moment.
    pub fn mean(&self, from: Timestamp, to: Timestamp) -> CarbonIntensity {
        let passed = u128::from(to.since(from).as_millis());
        let mean = self.integral(from, to).checked_div(passed);
        mean.map_or_else(|| self.at(from), |mean| CarbonIntensity(mean as u64))
    }

    /// When the trace next has a point after a moment; none after the last point of one that does not repeat.
    pub fn next_point(&self, moment: Timestamp) -> Option<Timestamp> {
        let (_, time) = self.rounds(moment);
        let (_, next) = self.around(time);
        moment.checked_add(Period::from_millis(next?.time - time))
    }

    /// How often the trace has repeated at a moment, and the time in the present round.
    fn rounds(&self, moment: Timestamp) -> (u64, u64) {
        let time = moment.as_millis().saturating_add(self.begins.as_millis());
        match self.knots.last() {
            Some(end) if self.repeats => (time / end.time, time % end.time),
            _ => (0, time),
        }
    }

    fn around(&self, time: u64) -> (Knot, Option<Knot>) {
        // The first knot is at zero, so one always lies before.
        let after = self.knots.partition_point(|knot| knot.time <= time).max(1);
        (self.knots[after - 1], self.knots.get(after).copied())
    }

    fn since_start(&self, moment: Timestamp) -> u128 {
        let (round, time) = self.rounds(moment);
        let whole = self.knots.last().map_or(0, |end| end.before) * u128::from(round);
        let (knot, next) = self.around(time);
        let inside = match next.filter(|_| self.between == Between::Linear) {
            Some(next) => knot.along(time, next),
            None => knot.before + u128::from(knot.intensity) * u128::from(time - knot.time),
        };
        whole + inside
    }
}

impl Knot {
    /// Intensity × time from the first knot to the next one.
    fn until(self, time: u64, intensity: u64, between: Between) -> u128 {
        match between {
            Between::Step => self.before + u128::from(self.intensity) * u128::from(time - self.time),
            Between::Linear => self.along(time, Self { time, intensity, before: 0 }),
        }
    }

    /// The same up to a time on the line to the next knot, rounded down: a trapezium.
    fn along(self, time: u64, next: Self) -> u128 {
        let (passed, length) = (u128::from(time - self.time), u128::from(next.time - self.time));
        let ends = u128::from(self.intensity) * (2 * length - passed) + u128::from(next.intensity) * passed;
        self.before + passed * ends / (2 * length)
    }
}

fn faults(points: &[(Period, CarbonIntensity)], repeat: Option<Period>) -> Vec<TraceFault> {
    let mut faults = Vec::new();
    match points {
        [] => faults.push(TraceFault::Empty),
        [(first, _), ..] if !first.is_zero() => faults.push(TraceFault::NotFromZero(*first)),
        _ => {}
    }
    if points.len() > MOST_POINTS {
        faults.push(TraceFault::TooMany(points.len()));
    }
    for (index, pair) in (1..).zip(points.windows(2)) {
        let (before, time) = (pair[0].0, pair[1].0);
        if time <= before {
            faults.push(TraceFault::TimeDoesNotRise { index, time, before });
        }
    }
    for (index, (time, intensity)) in points.iter().copied().enumerate() {
        faults.extend((time > LONGEST).then_some(TraceFault::TooLong { index, time }));
        faults.extend((intensity > LARGEST_INTENSITY).then_some(TraceFault::TooMuch { index, intensity }));
    }
    if let (Some(repeat), Some((last, _))) = (repeat, points.last()) {
        faults.extend((repeat <= *last).then_some(TraceFault::RepeatsEarly { repeat, last: *last }));
        faults.extend((repeat > LONGEST).then_some(TraceFault::RepeatsLate(repeat)));
    }
    faults
}
