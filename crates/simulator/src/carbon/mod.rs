//! Grams of carbon dioxide from energy and the carbon intensity of the electricity at each moment.
//!
//! A [`Trace`] knows the intensity over time, [`Emissions`] adds up power × intensity × time without rounding, the
//! [`Catalogue`] ships typical days of regions. Emissions of making machines, and forecasts, are not modelled.

mod catalogue;
mod check;
pub mod csv;
mod day;
mod emissions;
pub mod raw;
mod trace;

pub use catalogue::{Catalogue, Region, UnknownRegion};
pub use check::check;
pub use day::SolarDay;
pub use emissions::Emissions;
pub use trace::{Between, DAY, LARGEST_INTENSITY, LONGEST, MOST_POINTS, Trace, TraceFault};

#[cfg(test)]
mod tests;
