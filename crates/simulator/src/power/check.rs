//! From a host's power as written to a model: every problem with its place.

use super::catalogue::Catalogue;
use super::curve::{Curve, CurveFault, MOST_POINTS, Point};
use super::model::{LARGEST_HOST, Model, ModelFault, Shape};
use super::raw::RawPower;
use model::document::{Document, Doubts, Problem, child, item};
use model::energy::Milliwatts;
use model::ratio::Ratio;

/// Where problems go: path, message, proposal.
type Report<'a> = &'a mut dyn FnMut(&str, String, String);

/// The model that stands at `path`, or everything that is wrong with it. Nothing is said about a value of which a part is
/// in doubt.
pub fn check(
    raw: &RawPower,
    document: &Document,
    doubts: &Doubts,
    path: &str,
) -> Result<Model, Vec<Problem>> {
    let mut problems = Vec::new();
    let mut report = |path: &str, message: String, proposal: String| {
        problems.push(document.problem_at(path, message, proposal));
    };
    let model = if doubts.touch(path) { None } else { model(path, raw, &mut report) };
    model.ok_or(problems)
}

fn model(path: &str, raw: &RawPower, report: Report<'_>) -> Option<Model> {
    match raw {
        RawPower::Profile(id) => profile(path, id, report),
        RawPower::Points(raw) => {
            let points = raw.points.iter().map(|(load, power)| Point { load: *load, power: *power });
            curve(&child(path, "points"), Curve::new(points.collect()), true, report)
        }
        RawPower::Even(raw) => curve(&child(path, "watts"), Curve::evenly(&raw.watts), false, report),
        RawPower::Linear(raw) => {
            let shape = Shape::Linear { idle: raw.idle, max: raw.max };
            formula(&child(path, "idle"), shape, report)
        }
        RawPower::Polynomial(raw) => {
            let shape = Shape::Polynomial { coefficients: raw.polynomial.clone() };
            formula(&child(path, "polynomial"), shape, report)
        }
        RawPower::Logarithmic(raw) => {
            let raw = &raw.logarithmic;
            let shape = Shape::Logarithmic { factor: raw.factor, rate: raw.rate, offset: raw.offset };
            formula(&child(path, "logarithmic"), shape, report)
        }
        RawPower::Exponential(raw) => {
            let raw = &raw.exponential;
            let shape = Shape::Exponential { factor: raw.factor, rate: raw.rate, offset: raw.offset };
            formula(&child(path, "exponential"), shape, report)
        }
        RawPower::Logistic(raw) => {
            let raw = &raw.logistic;
            let shape = Shape::Logistic {
                height: raw.height,
                steepness: raw.steepness,
                midpoint: raw.midpoint,
                offset: raw.offset,
            };
            formula(&child(path, "logistic"), shape, report)
        }
    }
}

fn profile(path: &str, id: &str, report: Report<'_>) -> Option<Model> {
    let catalogue = Catalogue::shipped();
    match catalogue.get(id) {
        Ok(profile) => Some(profile.model.clone()),
        Err(unknown) => {
            let known = || format!("known: {}", catalogue.ids().collect::<Vec<_>>().join(", "));
            let proposal = unknown.nearest.map_or_else(known, |near| format!("did you mean {near}?"));
            report(path, format!("there is no host profile {:?}", unknown.id), proposal);
            None
        }
    }
}

fn curve(
    path: &str,
    curve: Result<Curve, Vec<CurveFault>>,
    is_pairs: bool,
    report: Report<'_>,
) -> Option<Model> {
    let place = |index: usize, part: usize| {
        if is_pairs { item(&item(path, index), part) } else { item(path, index) }
    };
    let faults = match curve {
        Ok(curve) => return Some(curve.into()),
        Err(faults) => faults,
    };
    for fault in faults {
        let (path, proposal) = match fault {
            CurveFault::TooFew(_) => (path.to_owned(), "write at least idle and full load".to_owned()),
            CurveFault::TooMany(_) => (path.to_owned(), format!("keep at most {MOST_POINTS} of them")),
            CurveFault::NotFromIdle(_) => (place(0, 0), "begin with [0, idle watts]".to_owned()),
            CurveFault::NotToFull(load) => (path.to_owned(), full_load(load)),
            CurveFault::LoadDoesNotRise { index, .. } => {
                (place(index, 0), "list the points by rising load".to_owned())
            }
            CurveFault::PowerFalls { index, before, .. } => {
                (place(index, 1), format!("write at least {before}"))
            }
            CurveFault::TooMuch { index, power } => (place(index, 1), less(power)),
        };
        report(&path, fault.to_string(), proposal);
    }
    None
}

fn full_load(load: Ratio) -> String {
    let is_percent = load == Ratio::from_percent(10_000);
    let proposal = if is_percent {
        "loads are shares, not per cent: write 0.5 for 50 %"
    } else {
        "end with [1, maximum watts]"
    };
    proposal.to_owned()
}

/// Somebody may have meant milliwatts.
fn less(power: Milliwatts) -> String {
    let watts = power.0 / 1_000;
    if watts > LARGEST_HOST.0 {
        return format!("write at most {LARGEST_HOST}");
    }
    format!("a bare number is watts; did you mean {watts}mW?")
}

fn formula(path: &str, shape: Shape, report: Report<'_>) -> Option<Model> {
    match Model::new(shape) {
        Ok(model) => Some(model),
        Err(fault) => {
            let proposal = match fault {
                ModelFault::IdleAboveMaximum { idle, max } => format!("write idle: {max}, max: {idle}"),
                ModelFault::Negative { .. } => {
                    "raise it: a host draws zero or more at every load from 0 to 1".to_owned()
                }
                ModelFault::TooMuch { .. } => format!("stay below {LARGEST_HOST} at every load from 0 to 1"),
                ModelFault::Coefficients(_) => "write for instance [165.7, 55.8, 58.7]".to_owned(),
                ModelFault::Number(what) => format!("write a smaller {what}"),
                ModelFault::NoLogarithm => "write for instance rate: 9".to_owned(),
            };
            report(path, fault.to_string(), proposal);
            None
        }
    }
}
