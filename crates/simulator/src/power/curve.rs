//! Measured points of load and power, with straight lines between them.

use super::LARGEST_HOST;
use model::energy::Milliwatts;
use model::ratio::Ratio;

/// One point per tenth of a per cent; measured curves have eleven.
pub const MOST_POINTS: usize = 1_001;

/// What a host draws at one load.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Point {
    pub load: Ratio,
    pub power: Milliwatts,
}

/// Power over load: from idle to full load, never falling.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Curve {
    points: Vec<Point>,
}

/// Why points are not a curve. The index is that of the point at fault.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CurveFault {
    #[error("a curve needs at least two points, has {0}")]
    TooFew(usize),
    #[error("a curve takes at most {MOST_POINTS} points, has {0}")]
    TooMany(usize),
    #[error("the first point is at load {}, not at 0", .0.as_f64())]
    NotFromIdle(Ratio),
    #[error("the last point is at load {}, not at 1", .0.as_f64())]
    NotToFull(Ratio),
    #[error("the load {} does not rise from the {} before it", load.as_f64(), before.as_f64())]
    LoadDoesNotRise { index: usize, load: Ratio, before: Ratio },
    #[error("the power falls from {before} to {power} while the load rises")]
    PowerFalls { index: usize, power: Milliwatts, before: Milliwatts },
    #[error("{power} is more than the {LARGEST_HOST} that a host may draw")]
    TooMuch { index: usize, power: Milliwatts },
}

impl Curve {
    /// Checks all points and names everything that is wrong with them.
    pub fn new(points: Vec<Point>) -> Result<Self, Vec<CurveFault>> {
        let faults = faults(&points);
        if faults.is_empty() { Ok(Self { points }) } else { Err(faults) }
    }

    /// Points at evenly spaced loads from idle to full.
    pub fn evenly(powers: &[Milliwatts]) -> Result<Self, Vec<CurveFault>> {
        if powers.len() < 2 {
            return Err(vec![CurveFault::TooFew(powers.len())]);
        }
        let last = powers.len() as u64 - 1;
        let point = |(index, power): (usize, &Milliwatts)| Point {
            load: Ratio::of(index as u64, last),
            power: *power,
        };
        Self::new(powers.iter().enumerate().map(point).collect())
    }

    pub fn points(&self) -> &[Point] {
        &self.points
    }

    /// Between two points the power lies on the line through them, rounded half up; a load above one is one.
    pub fn at(&self, load: Ratio) -> Milliwatts {
        let above = self.points.partition_point(|point| point.load <= load);
        let (Some(low), Some(high)) =
            (above.checked_sub(1).and_then(|at| self.points.get(at)), self.points.get(above))
        else {
            return self.points.last().map_or(Milliwatts::ZERO, |point| point.power);
        };
        let parts = |ratio: Ratio| u128::from(ratio.parts_per_million());
        let (run, width) = (parts(load) - parts(low.load), parts(high.load) - parts(low.load));
        let rise = u128::from(high.power.0 - low.power.0);
        Milliwatts(low.power.0 + ((2 * rise * run + width) / (2 * width)) as u64)
    }
}

fn faults(points: &[Point]) -> Vec<CurveFault> {
    let mut faults = Vec::new();
    match points {
        [first, .., last] => {
            faults.extend((first.load != Ratio::ZERO).then_some(CurveFault::NotFromIdle(first.load)));
            faults.extend((last.load != Ratio::ONE).then_some(CurveFault::NotToFull(last.load)));
        }
        _ => faults.push(CurveFault::TooFew(points.len())),
    }
    if points.len() > MOST_POINTS {
        faults.push(CurveFault::TooMany(points.len()));
    }
    for (index, pair) in (1..).zip(points.windows(2)) {
        let (before, Point { load, power }) = (pair[0], pair[1]);
        if load <= before.load {
            faults.push(CurveFault::LoadDoesNotRise { index, load, before: before.load });
        } else if power < before.power {
            faults.push(CurveFault::PowerFalls { index, power, before: before.power });
        }
    }
    let much = points.iter().enumerate().filter(|(_, point)| point.power > LARGEST_HOST);
    faults.extend(much.map(|(index, point)| CurveFault::TooMuch { index, power: point.power }));
    faults
}
