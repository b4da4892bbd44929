//! From carbon intensity as written to a trace: every problem with its place.

use super::catalogue::{Catalogue, Region};
use super::day::SolarDay;
use super::raw::{RawCarbon, RawCourse, RawDay, RawTypical};
use super::trace::{DAY, LARGEST_INTENSITY, LONGEST, Trace, TraceFault};
use model::document::{Document, Problem, child, item};
use model::energy::CarbonIntensity;
use model::time::Period;

/// The trace that stands at `path`, or everything that is wrong with it.
pub fn check(document: &Document, path: &str, raw: &RawCarbon) -> Result<Trace, Vec<Problem>> {
    let place = Place { document, path };
    match raw {
        RawCarbon::Constant(intensity) => match place.too_much("", *intensity) {
            Some(problem) => Err(vec![problem]),
            None => Ok(Trace::constant(*intensity)),
        },
        RawCarbon::Region(id) => place.region("", id).map(|region| region.trace.clone()),
        RawCarbon::Course(course) => place.course(course),
        RawCarbon::Day(day) => place.day(day),
        RawCarbon::Typical(typical) => place.typical(typical),
    }
}

struct Place<'a> {
    document: &'a Document,
    path: &'a str,
}

impl Place<'_> {
    fn problem(&self, key: &str, message: String, proposal: Option<String>) -> Problem {
        let path = if key.is_empty() { self.path.to_owned() } else { child(self.path, key) };
        self.document.problem_at(&path, message, proposal.unwrap_or_default())
    }

    fn region(&self, key: &str, id: &str) -> Result<&'static Region, Vec<Problem>> {
        let catalogue = Catalogue::shipped();
        catalogue.get(id).map_err(|unknown| {
            let known = || format!("known: {}", catalogue.ids().collect::<Vec<_>>().join(", "));
            let proposal = unknown.nearest.map_or_else(known, |near| format!("did you mean {near}?"));
            let message = format!("there is no carbon intensity for the region {:?}", unknown.id);
            vec![self.problem(key, message, Some(proposal))]
        })
    }

    fn typical(&self, raw: &RawTypical) -> Result<Trace, Vec<Problem>> {
        let mut problems: Vec<Problem> = self.begins(raw.begins, DAY).into_iter().collect();
        match self.region("region", &raw.region) {
            Ok(region) if problems.is_empty() && raw.flat => Ok(Trace::constant(region.mean)),
            Ok(region) if problems.is_empty() => Ok(region.trace.clone().beginning(raw.begins)),
            Ok(_) => Err(problems),
            Err(unknown) => {
                problems.extend(unknown);
                Err(problems)
            }
        }
    }

    fn course(&self, raw: &RawCourse) -> Result<Trace, Vec<Problem>> {
        let trace = Trace::new(&raw.trace, raw.between, raw.repeat);
        let mut problems: Vec<Problem> =
            self.begins(raw.begins, raw.repeat.unwrap_or(LONGEST)).into_iter().collect();
        match trace {
            Ok(trace) if problems.is_empty() => return Ok(trace.beginning(raw.begins)),
            Ok(_) => {}
            Err(faults) => problems.extend(faults.into_iter().map(|fault| self.fault(fault))),
        }
        Err(problems)
    }

    fn fault(&self, fault: TraceFault) -> Problem {
        let point = |index, part| item(&item(&child(self.path, "trace"), index), part);
        let (path, proposal) = match fault {
            TraceFault::Empty | TraceFault::TooMany(_) => (child(self.path, "trace"), None),
            TraceFault::NotFromZero(_) => (point(0, 0), Some("begin with [0s, …]".to_owned())),
            TraceFault::TimeDoesNotRise { index, .. } => {
                (point(index, 0), Some("list the points by rising time".to_owned()))
            }
            TraceFault::TooLong { index, .. } => (point(index, 0), None),
            TraceFault::TooMuch { index, .. } => {
                (point(index, 1), Some("write grams per kilowatt-hour".to_owned()))
            }
            TraceFault::RepeatsEarly { last, .. } => {
                (child(self.path, "repeat"), Some(format!("write more than {last}")))
            }
            TraceFault::RepeatsLate(_) => (child(self.path, "repeat"), None),
        };
        self.document.problem_at(&path, fault.to_string(), proposal.unwrap_or_default())
    }

    fn day(&self, raw: &RawDay) -> Result<Trace, Vec<Problem>> {
        let mut problems: Vec<Problem> = self.begins(raw.begins, DAY).into_iter().collect();
        problems.extend(self.too_much("night", raw.night));
        problems.extend(self.too_much("noon", raw.noon));
        if raw.noon > raw.night {
            let message =
                format!("the sun would raise the intensity from {} to {} g/kWh", raw.night, raw.noon);
            let proposal = format!("write night: {}, noon: {}", raw.noon, raw.night);
            problems.push(self.problem("noon", message, Some(proposal)));
        }
        if raw.noon_at >= DAY {
            let message = format!("a day ends before {}", raw.noon_at);
            problems.push(self.problem("noon_at", message, Some("write for instance 12h".to_owned())));
        }
        if raw.daylight.is_zero() || raw.daylight > DAY {
            let message =
                format!("the sun shines for more than nothing and at most {DAY}, not {}", raw.daylight);
            problems.push(self.problem("daylight", message, Some("write for instance 12h".to_owned())));
        }
        if !problems.is_empty() {
            return Err(problems);
        }
        let day = SolarDay { night: raw.night, noon: raw.noon, noon_at: raw.noon_at, daylight: raw.daylight };
        let fault = |fault: TraceFault| self.problem("", fault.to_string(), None);
        let trace = day.trace().map_err(|faults| faults.into_iter().map(fault).collect::<Vec<_>>())?;
        Ok(trace.beginning(raw.begins))
    }

    fn begins(&self, begins: Period, end: Period) -> Option<Problem> {
        (begins >= end && !begins.is_zero()).then(|| {
            let message = format!("it ends or repeats at {end}, so nothing begins at {begins}");
            self.problem("begins", message, Some(format!("write less than {end}")))
        })
    }

    fn too_much(&self, key: &str, intensity: CarbonIntensity) -> Option<Problem> {
        (intensity > LARGEST_INTENSITY).then(|| {
            let message = format!(
                "{intensity} g/kWh is more than the {LARGEST_INTENSITY} that electricity may stand for"
            );
            self.problem(key, message, Some("write grams per kilowatt-hour".to_owned()))
        })
    }
}
