//! What a host draws at a load: measured points or one of the formulas that power estimators use.

use super::curve::Curve;
use model::energy::Milliwatts;
use model::ratio::Ratio;
use std::fmt;

/// No host draws more than a megawatt; a rack of accelerators takes about a tenth of it.
pub const LARGEST_HOST: Milliwatts = Milliwatts::from_watts(1_000_000);

/// Highest power of the load in a polynomial; more follows the noise of eleven points and not the host.
pub(super) const HIGHEST_DEGREE: usize = 5;

/// Largest size of a factor, in watts. With it no sum of a formula leaves the range of `f64`.
const LARGEST_FACTOR: f64 = 1e12;

/// Largest growth rate over the whole range of loads: e^50 is beyond any host even from a nanowatt on.
const LARGEST_RATE: f64 = 50.0;

/// Loads at which a polynomial is checked: every thousandth.
const CHECKED_LOADS: u64 = 1_000;

/// The forms a model can have. `u` is the load from 0 to 1; all results are watts.
#[derive(Clone, Debug, PartialEq)]
pub enum Shape {
    Curve(Curve),
    /// Straight from idle to the maximum.
    Linear {
        idle: Milliwatts,
        max: Milliwatts,
    },
    /// `c0 + c1·u + c2·u² + …`
    Polynomial {
        coefficients: Vec<f64>,
    },
    /// `factor · ln(rate·u + 1) + offset`
    Logarithmic {
        factor: f64,
        rate: f64,
        offset: f64,
    },
    /// `height / (1 + e^(−steepness·(u − midpoint))) + offset`
    Logistic {
        height: f64,
        steepness: f64,
        midpoint: f64,
        offset: f64,
    },
    /// `factor · e^(rate·u) + offset`
    Exponential {
        factor: f64,
        rate: f64,
        offset: f64,
    },
}

/// A shape that gives a finite, non-negative power at every load.
#[derive(Clone, Debug, PartialEq)]
pub struct Model(Shape);

/// Why a shape is no model of a host.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
pub enum ModelFault {
    #[error("the idle power {idle} is above the maximum {max}")]
    IdleAboveMaximum { idle: Milliwatts, max: Milliwatts },
    #[error("a polynomial has 1 to {most} coefficients, this one {0}", most = HIGHEST_DEGREE + 1)]
    Coefficients(usize),
    #[error("the {0} is not a finite number of a reasonable size")]
    Number(&'static str),
    #[error("the logarithm does not exist at full load; the rate must be above -1")]
    NoLogarithm,
    #[error("at load {load} the power would be {watts:.3} W")]
    Negative { load: f64, watts: f64 },
    #[error(
        "at load {load} the power would be {watts:.0} W, more than the {LARGEST_HOST} that a host may draw"
    )]
    TooMuch { load: f64, watts: f64 },
}

impl Model {
    pub fn new(shape: Shape) -> Result<Self, ModelFault> {
        check_numbers(&shape)?;
        check_range(&shape)?;
        Ok(Self(shape))
    }

    pub const fn shape(&self) -> &Shape {
        &self.0
    }

    /// The power at a load; a load above one is one.
    pub fn power(&self, load: Ratio) -> Milliwatts {
        let load = load.min(Ratio::ONE);
        match &self.0 {
            Shape::Curve(curve) => curve.at(load),
            Shape::Linear { idle, max } => Milliwatts(idle.0 + load.share_of(max.0.saturating_sub(idle.0))),
            formula => milliwatts(watts(formula, load.as_f64())),
        }
    }

    /// The power of a host that does nothing.
    pub fn idle(&self) -> Milliwatts {
        self.power(Ratio::ZERO)
    }

    /// The power at full load.
    pub fn full(&self) -> Milliwatts {
        self.power(Ratio::ONE)
    }
}

impl From<Curve> for Model {
    fn from(curve: Curve) -> Self {
        Self(Shape::Curve(curve))
    }
}

impl fmt::Display for Model {
    /// For a report: the form, and the power of an idle and of a busy host.
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let form = match &self.0 {
            Shape::Curve(curve) => format!("{} points", curve.points().len()),
            Shape::Linear { .. } => "a straight line".to_owned(),
            Shape::Polynomial { coefficients } => {
                format!("a polynomial of degree {}", coefficients.len() - 1)
            }
            Shape::Logarithmic { .. } => "a logarithm".to_owned(),
            Shape::Logistic { .. } => "a logistic curve".to_owned(),
            Shape::Exponential { .. } => "an exponential".to_owned(),
        };
        write!(out, "{} idle to {} at full load, {form}", self.idle(), self.full())
    }
}

/// The value of a formula in watts, unrounded.
pub(super) fn watts(shape: &Shape, load: f64) -> f64 {
    match shape {
        Shape::Curve(curve) => Ratio::from_f64(load).map_or(0.0, |load| curve.at(load).as_watts_float()),
        Shape::Linear { idle, max } => {
            idle.as_watts_float() + load * (max.as_watts_float() - idle.as_watts_float())
        }
        Shape::Polynomial { coefficients } => {
            coefficients.iter().rev().fold(0.0, |sum, coefficient| sum * load + coefficient)
        }
        Shape::Logarithmic { factor, rate, offset } => factor * libm::log1p(rate * load) + offset,
        Shape::Logistic { height, steepness, midpoint, offset } => {
            height / (1.0 + libm::exp(-steepness * (load - midpoint))) + offset
        }
        Shape::Exponential { factor, rate, offset } => factor * libm::exp(rate * load) + offset,
    }
}

/// A model was checked, so the bounds hold but for rounding; a number that is none becomes nothing.
fn milliwatts(watts: f64) -> Milliwatts {
    let rounded = libm::round(watts * 1_000.0);
    Milliwatts(rounded.clamp(0.0, LARGEST_HOST.0 as f64) as u64)
}

fn check_numbers(shape: &Shape) -> Result<(), ModelFault> {
    let check = |name, number: f64, bound: f64| {
        // A comparison with a number that is none fails, too.
        if number.abs() <= bound { Ok(()) } else { Err(ModelFault::Number(name)) }
    };
    let factor = |name, number: f64| check(name, number, LARGEST_FACTOR);
    let rate = |name, number: f64| check(name, number, LARGEST_RATE);
    match shape {
        Shape::Linear { idle, max } if idle > max => {
            Err(ModelFault::IdleAboveMaximum { idle: *idle, max: *max })
        }
        Shape::Curve(_) | Shape::Linear { .. } => Ok(()),
        Shape::Polynomial { coefficients } if !(1..=HIGHEST_DEGREE + 1).contains(&coefficients.len()) => {
            Err(ModelFault::Coefficients(coefficients.len()))
        }
        Shape::Polynomial { coefficients } => {
            coefficients.iter().try_for_each(|number| factor("coefficient", *number))
        }
        Shape::Logarithmic { rate, .. } if *rate <= -1.0 => Err(ModelFault::NoLogarithm),
        Shape::Logarithmic { factor: size, rate, offset } => factor("factor", *size)
            .and_then(|()| factor("rate", *rate))
            .and_then(|()| factor("offset", *offset)),
        Shape::Logistic { height, steepness, midpoint, offset } => factor("height", *height)
            .and_then(|()| factor("steepness", *steepness))
            .and_then(|()| factor("midpoint", *midpoint))
            .and_then(|()| factor("offset", *offset)),
        Shape::Exponential { factor: size, rate: growth, offset } => factor("factor", *size)
            .and_then(|()| rate("rate", *growth))
            .and_then(|()| factor("offset", *offset)),
    }
}

/// All shapes but polynomials rise or fall all the way, so their ends bound them; polynomials are looked at closely.
fn check_range(shape: &Shape) -> Result<(), ModelFault> {
    let steps = if matches!(shape, Shape::Polynomial { .. }) { CHECKED_LOADS } else { 1 };
    for step in 0..=steps {
        let load = step as f64 / steps as f64;
        let watts = watts(shape, load);
        // Half a milliwatt is what rounding forgives.
        if watts < -0.000_5 {
            return Err(ModelFault::Negative { load, watts });
        }
        if watts > LARGEST_HOST.as_watts_float() {
            return Err(ModelFault::TooMuch { load, watts });
        }
    }
    Ok(())
}
