//! A host's power from its utilisation, and whose power it is.
//!
//! A [`Model`] says what a host draws at a load, either as a [`Curve`] of measured points or as a formula;
//! the [`Catalogue`] ships measured hosts, [`fit()`] finds formulas for points, [`attribute`] splits a host's power among
//! what runs on it. Cooling, networks and power supplies of a data centre are not modelled.

mod attribution;
mod catalogue;
mod check;
mod curve;
mod fit;
mod model;
pub mod raw;

pub use attribution::{Attribution, Host, IdleRule, Load, Part, Rules, ZeroUsage, attribute};
pub use catalogue::{Catalogue, Profile, UnknownProfile};
pub use check::check;
pub use curve::{Curve, CurveFault, MOST_POINTS, Point};
pub use fit::{Family, Fit, FitFault, fit, mean_absolute_error};
pub use model::{LARGEST_HOST, Model, ModelFault, Shape};

#[cfg(test)]
mod tests;
