//! From a host's power as written to a model: every problem with its place.

use super::catalogue::Catalogue;
use super::curve::{Curve, CurveFault, Point};
use super::model::{Model, ModelFault, Shape};
use super::raw::RawPower;
use model::document::{Document, Problem, child, item};
use model::energy::Milliwatts;
use model::ratio::Ratio;

/// The model that stands at `path`, or everything that is wrong with it.
pub fn check(document: &Document, path: &str, raw: &RawPower) -> Result<Model, Vec<Problem>> {
    match raw {
        RawPower::Profile(id) => profile(document, path, id),
        RawPower::Points(raw) => {
            let points = raw.points.iter().map(|(load, power)| Point { load: *load, power: *power });
            curve(document, &child(path, "points"), Curve::new(points.collect()), true)
        }
        RawPower::Even(raw) => curve(document, &child(path, "watts"), Curve::evenly(&raw.watts), false),
        RawPower::Linear(raw) => {
            let shape = Shape::Linear { idle: raw.idle, max: raw.max };
            formula(document, &child(path, "idle"), shape)
        }
        RawPower::Polynomial(raw) => {
            let shape = Shape::Polynomial { coefficients: raw.polynomial.clone() };
            formula(document, &child(path, "polynomial"), shape)
        }
        RawPower::Logarithmic(raw) => {
            let raw = &raw.logarithmic;
            let shape = Shape::Logarithmic { factor: raw.factor, rate: raw.rate, offset: raw.offset };
            formula(document, &child(path, "logarithmic"), shape)
        }
        RawPower::Exponential(raw) => {
            let raw = &raw.exponential;
            let shape = Shape::Exponential { factor: raw.factor, rate: raw.rate, offset: raw.offset };
            formula(document, &child(path, "exponential"), shape)
        }
        RawPower::Logistic(raw) => {
            let raw = &raw.logistic;
            let shape = Shape::Logistic {
                height: raw.height,
                steepness: raw.steepness,
                midpoint: raw.midpoint,
                offset: raw.offset,
            };
            formula(document, &child(path, "logistic"), shape)
        }
    }
}

fn profile(document: &Document, path: &str, id: &str) -> Result<Model, Vec<Problem>> {
    let catalogue = Catalogue::shipped();
    catalogue.get(id).map(|profile| profile.model.clone()).map_err(|unknown| {
        let proposal = unknown.nearest.map_or_else(
            || format!("known: {}", catalogue.ids().collect::<Vec<_>>().join(", ")),
            |near| format!("did you mean {near}?"),
        );
        vec![document.problem_at(path, format!("there is no host profile {:?}", unknown.id), proposal)]
    })
}

fn curve(
    document: &Document,
    path: &str,
    curve: Result<Curve, Vec<CurveFault>>,
    is_pairs: bool,
) -> Result<Model, Vec<Problem>> {
    let place = |index: usize, part: usize| {
        if is_pairs { item(&item(path, index), part) } else { item(path, index) }
    };
    let problem = |fault: CurveFault| {
        let (path, proposal) = match fault {
            CurveFault::TooFew(_) | CurveFault::TooMany(_) => (path.to_owned(), None),
            CurveFault::NotFromIdle(_) => (place(0, 0), Some("begin with [0, idle watts]".to_owned())),
            CurveFault::NotToFull(load) => (path.to_owned(), Some(full_load(load))),
            CurveFault::LoadDoesNotRise { index, .. } => {
                (place(index, 0), Some("list the points by rising load".to_owned()))
            }
            CurveFault::PowerFalls { index, before, .. } => {
                (place(index, 1), Some(format!("write at least {before}")))
            }
            CurveFault::TooMuch { index, power } => (place(index, 1), milliwatts_meant(power)),
        };
        document.problem_at(&path, fault.to_string(), proposal.unwrap_or_default())
    };
    curve.map(Model::from).map_err(|faults| faults.into_iter().map(problem).collect())
}

fn full_load(load: Ratio) -> String {
    let percent = load == Ratio::from_percent(10_000);
    if percent { "loads are shares, not per cent: write 0.5 for 50 %" } else { "end with [1, maximum watts]" }
        .to_owned()
}

fn milliwatts_meant(power: Milliwatts) -> Option<String> {
    let watts = power.0 / 1_000;
    (watts / 1_000 <= 100_000).then(|| format!("a bare number is watts; did you mean {watts}mW?"))
}

fn formula(document: &Document, path: &str, shape: Shape) -> Result<Model, Vec<Problem>> {
    Model::new(shape).map_err(|fault| {
        let proposal = match fault {
            ModelFault::IdleAboveMaximum { idle, max } => Some(format!("write idle: {max}, max: {idle}")),
            ModelFault::Negative { .. } => {
                Some("a host draws zero or more at every load from 0 to 1".to_owned())
            }
            _ => None,
        };
        vec![document.problem_at(path, fault.to_string(), proposal.unwrap_or_default())]
    })
}
