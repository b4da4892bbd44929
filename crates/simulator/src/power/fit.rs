//! Least-squares fits of the formulas to measured points.
//!
//! Every formula is linear in all but one or two of its numbers. Those are searched for on ever finer grids; for each
//! candidate the others follow exactly. Nothing here is random, so a fit is the same everywhere.

use super::curve::Point;
use super::model::{HIGHEST_DEGREE, Model, ModelFault, Shape, watts};

/// Candidates along each searched number in one round, and how many rounds; each round narrows the range to a fifth,
/// so 16 rounds place a number to 10 digits.
const CANDIDATES: usize = 21;
const ROUNDS: usize = 16;
const NARROWING: f64 = 5.0;

/// A formula whose numbers are to be found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Family {
    Polynomial { degree: usize },
    Logarithmic,
    Logistic,
    Exponential,
}

/// The formula found, and how far it is from the points.
#[derive(Clone, Debug, PartialEq)]
pub struct Fit {
    pub model: Model,
    /// Mean absolute error over the points in watts.
    pub mean_absolute_error: f64,
}

/// Why nothing could be fitted.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
pub enum FitFault {
    #[error("a polynomial of degree {0} is not fitted; at most {HIGHEST_DEGREE}")]
    Degree(usize),
    #[error("{points} different loads do not determine {numbers} numbers")]
    TooFewPoints { points: usize, numbers: usize },
    #[error("the best fit is no model of a host: {0}")]
    NoModel(#[from] ModelFault),
}

/// The formula of a family with the least squared error at the points.
pub fn fit(points: &[Point], family: Family) -> Result<Fit, FitFault> {
    let numbers = match family {
        Family::Polynomial { degree } if degree > HIGHEST_DEGREE => return Err(FitFault::Degree(degree)),
        Family::Polynomial { degree } => degree + 1,
        Family::Logarithmic | Family::Exponential => 3,
        Family::Logistic => 4,
    };
    let mut loads: Vec<u64> = points.iter().map(|point| point.load.parts_per_million()).collect();
    loads.sort_unstable();
    loads.dedup();
    if loads.len() < numbers {
        return Err(FitFault::TooFewPoints { points: loads.len(), numbers });
    }
    let samples: Vec<Sample> =
        points.iter().map(|point| (point.load.as_f64(), point.power.as_watts_float())).collect();
    let model = Model::new(shape(&samples, family))?;
    let mean_absolute_error = mean_absolute_error(&model, points);
    Ok(Fit { model, mean_absolute_error })
}

/// The mean distance between model and points in watts; zero without points.
pub fn mean_absolute_error(model: &Model, points: &[Point]) -> f64 {
    let error =
        |point: &Point| (watts(model.shape(), point.load.as_f64()) - point.power.as_watts_float()).abs();
    points.iter().map(error).sum::<f64>() / points.len().max(1) as f64
}

/// Load and watts.
type Sample = (f64, f64);

fn shape(samples: &[Sample], family: Family) -> Shape {
    match family {
        Family::Polynomial { degree } => Shape::Polynomial { coefficients: polynomial(samples, degree) },
        Family::Logarithmic => {
            // A rate of e^t − 1 reaches from almost −1 (bent upwards) to thousands (bent downwards).
            let basis = |t: f64, _: f64, load: f64| libm::log1p(libm::expm1(t) * load);
            let (t, _) = search(samples, &basis, (-8.0, 10.0), (0.0, 0.0));
            let line = line(samples, |load| basis(t, 0.0, load));
            Shape::Logarithmic { factor: line.slope, rate: libm::expm1(t), offset: line.offset }
        }
        Family::Exponential => {
            let basis = |rate: f64, _: f64, load: f64| libm::exp(rate * load);
            let (rate, _) = search(samples, &basis, (-20.0, 20.0), (0.0, 0.0));
            let line = line(samples, |load| basis(rate, 0.0, load));
            Shape::Exponential { factor: line.slope, rate, offset: line.offset }
        }
        Family::Logistic => {
            let basis = |k: f64, middle: f64, load: f64| 1.0 / (1.0 + libm::exp(-k * (load - middle)));
            let (steepness, midpoint) = search(samples, &basis, (0.1, 40.0), (-0.5, 1.5));
            let line = line(samples, |load| basis(steepness, midpoint, load));
            Shape::Logistic { height: line.slope, steepness, midpoint, offset: line.offset }
        }
    }
}

/// The two numbers with the least squared error, each within its range.
fn search(
    samples: &[Sample],
    basis: &dyn Fn(f64, f64, f64) -> f64,
    first: (f64, f64),
    second: (f64, f64),
) -> (f64, f64) {
    let ((mut a, mut b), mut best) = ((middle(first), middle(second)), f64::INFINITY);
    let (mut a_range, mut b_range) = (first, second);
    for _ in 0..ROUNDS {
        for x in grid(a_range) {
            for y in grid(b_range) {
                let error = line(samples, |load| basis(x, y, load)).squared_error;
                if error < best {
                    ((a, b), best) = ((x, y), error);
                }
            }
        }
        (a_range, b_range) = (narrow(a, a_range, first), narrow(b, b_range, second));
    }
    (a, b)
}

fn middle((low, high): (f64, f64)) -> f64 {
    f64::midpoint(low, high)
}

/// Evenly spaced candidates; a range without width has one.
fn grid((low, high): (f64, f64)) -> impl Iterator<Item = f64> {
    let count = if low < high { CANDIDATES } else { 1 };
    let step = (high - low) / (CANDIDATES - 1) as f64;
    (0..count).map(move |index| low + step * index as f64)
}

/// A smaller range around the best candidate, inside the whole one.
fn narrow(best: f64, range: (f64, f64), whole: (f64, f64)) -> (f64, f64) {
    let half = (range.1 - range.0) / NARROWING / 2.0;
    ((best - half).max(whole.0), (best + half).min(whole.1))
}

struct Line {
    slope: f64,
    offset: f64,
    squared_error: f64,
}

/// The line through the points after their loads went through `basis`; no line if that makes all loads alike.
fn line(samples: &[Sample], basis: impl Fn(f64) -> f64) -> Line {
    let count = samples.len() as f64;
    let bent: Vec<Sample> = samples.iter().map(|(load, power)| (basis(*load), *power)).collect();
    let mean_x = bent.iter().map(|(x, _)| x).sum::<f64>() / count;
    let mean_y = bent.iter().map(|(_, y)| y).sum::<f64>() / count;
    let spread = bent.iter().map(|(x, _)| (x - mean_x) * (x - mean_x)).sum::<f64>();
    let together = bent.iter().map(|(x, y)| (x - mean_x) * (y - mean_y)).sum::<f64>();
    // Below this the sums are rounding errors of loads that are all the same.
    if !spread.is_normal() || spread < 1e-18 {
        return Line { slope: 0.0, offset: mean_y, squared_error: f64::INFINITY };
    }
    let slope = together / spread;
    let offset = mean_y - slope * mean_x;
    let squared_error = bent.iter().map(|(x, y)| y - (slope * x + offset)).map(|error| error * error).sum();
    Line { slope, offset, squared_error }
}

/// Coefficients by the orthogonal columns of the powers of the load, which stays exact where normal equations do not.
fn polynomial(samples: &[Sample], degree: usize) -> Vec<f64> {
    let powers = (0..=degree).map(|exponent| {
        samples.iter().map(|(load, _)| (0..exponent).fold(1.0, |power, _| power * load)).collect()
    });
    let mut columns: Vec<Vec<f64>> = powers.collect();
    let mut rest: Vec<f64> = samples.iter().map(|(_, power)| *power).collect();
    let size = degree + 1;
    let mut upper = vec![vec![0.0; size]; size];
    let mut projections = vec![0.0; size];
    for at in 0..size {
        upper[at][at] = libm::sqrt(product(&columns[at], &columns[at]));
        let unit: Vec<f64> = columns[at].iter().map(|value| value / upper[at][at]).collect();
        for later in at + 1..size {
            upper[at][later] = product(&unit, &columns[later]);
            remove(&mut columns[later], &unit, upper[at][later]);
        }
        projections[at] = product(&unit, &rest);
        remove(&mut rest, &unit, projections[at]);
    }
    back_substitute(&upper, projections)
}

fn product(left: &[f64], right: &[f64]) -> f64 {
    left.iter().zip(right).map(|(left, right)| left * right).sum()
}

fn remove(from: &mut [f64], unit: &[f64], amount: f64) {
    for (value, unit) in from.iter_mut().zip(unit) {
        *value -= amount * unit;
    }
}

fn back_substitute(upper: &[Vec<f64>], mut values: Vec<f64>) -> Vec<f64> {
    for row in (0..values.len()).rev() {
        let known: f64 = (row + 1..values.len()).map(|column| upper[row][column] * values[column]).sum();
        values[row] = (values[row] - known) / upper[row][row];
    }
    values
}
