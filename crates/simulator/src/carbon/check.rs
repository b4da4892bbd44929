//! From carbon intensity as written to a trace: every problem with its place.

use super::catalogue::{Catalogue, Region};
use super::day::SolarDay;
use super::raw::{RawCarbon, RawCourse, RawDay, RawFile, RawTypical};
use super::trace::{DAY, LARGEST_INTENSITY, LONGEST, MOST_POINTS, Trace, TraceFault};
use model::document::{Document, Doubts, Problem, child, item};
use model::energy::CarbonIntensity;
use model::time::Period;

/// Where problems go: path, message, proposal.
type Report<'a> = &'a mut dyn FnMut(&str, String, String);

/// The trace that stands at `path`, or everything that is wrong with it. Nothing is said about a value of which a part is
/// in doubt.
pub fn check(
    raw: &RawCarbon,
    document: &Document,
    doubts: &Doubts,
    path: &str,
) -> Result<Trace, Vec<Problem>> {
    let mut problems = Vec::new();
    let mut report = |path: &str, message: String, proposal: String| {
        problems.push(document.problem_at(path, message, proposal));
    };
    let trace = if doubts.touch(path) { None } else { trace(path, raw, &mut report) };
    trace.ok_or(problems)
}

fn trace(path: &str, raw: &RawCarbon, report: Report<'_>) -> Option<Trace> {
    let mut place = Place { path, report };
    match raw {
        RawCarbon::Constant(intensity) => {
            place.is_possible("", *intensity).then(|| Trace::constant(*intensity))
        }
        RawCarbon::Region(id) => place.region("", id).map(|region| region.trace.clone()),
        RawCarbon::Course(course) => place.course(course),
        RawCarbon::File(file) => place.file(file),
        RawCarbon::Day(day) => place.day(day),
        RawCarbon::Typical(typical) => place.typical(typical),
    }
}

struct Place<'a> {
    path: &'a str,
    report: Report<'a>,
}

impl Place<'_> {
    fn report(&mut self, key: &str, message: String, proposal: impl Into<String>) {
        let path = if key.is_empty() { self.path.to_owned() } else { child(self.path, key) };
        (self.report)(&path, message, proposal.into());
    }

    fn region(&mut self, key: &str, id: &str) -> Option<&'static Region> {
        let catalogue = Catalogue::shipped();
        match catalogue.get(id) {
            Ok(region) => Some(region),
            Err(unknown) => {
                let known = || format!("known: {}", catalogue.ids().collect::<Vec<_>>().join(", "));
                let proposal = unknown.nearest.map_or_else(known, |near| format!("did you mean {near}?"));
                let message = format!("there is no carbon intensity for the region {:?}", unknown.id);
                self.report(key, message, proposal);
                None
            }
        }
    }

    fn typical(&mut self, raw: &RawTypical) -> Option<Trace> {
        let begins = self.is_before("begins", raw.begins, DAY);
        let region = self.region("region", &raw.region)?;
        let trace = if raw.flat { Trace::constant(region.mean) } else { region.trace.clone() };
        begins.then(|| trace.beginning(raw.begins))
    }

    fn course(&mut self, raw: &RawCourse) -> Option<Trace> {
        let trace = Trace::new(&raw.trace, raw.between, raw.repeat);
        let begins = self.is_before("begins", raw.begins, raw.repeat.unwrap_or(LONGEST));
        match trace {
            Ok(trace) => begins.then(|| trace.beginning(raw.begins)),
            Err(faults) => {
                for fault in faults {
                    self.fault(fault);
                }
                None
            }
        }
    }

    /// The rows of a file, which is at fault itself unless the repetition is.
    fn file(&mut self, raw: &RawFile) -> Option<Trace> {
        let trace = Trace::new(raw.recorded.as_ref()?, raw.between, raw.repeat);
        let begins = self.is_before("begins", raw.begins, raw.repeat.unwrap_or(LONGEST));
        let faults = match trace {
            Ok(trace) => return begins.then(|| trace.beginning(raw.begins)),
            Err(faults) => faults,
        };
        for fault in faults {
            match fault {
                TraceFault::RepeatsEarly { .. } | TraceFault::RepeatsLate(_) => self.fault(fault),
                _ => self.report("file", fault.to_string(), "keep only the rows that are meant"),
            }
        }
        None
    }

    fn fault(&mut self, fault: TraceFault) {
        let point = |index, part| item(&item(&child(self.path, "trace"), index), part);
        let (path, proposal) = match fault {
            TraceFault::Empty => (child(self.path, "trace"), "write for instance [[0s, 56]]".to_owned()),
            TraceFault::TooMany(_) => {
                (child(self.path, "trace"), format!("keep at most {MOST_POINTS} of them"))
            }
            TraceFault::NotFromZero(_) => (point(0, 0), "begin with [0s, …]".to_owned()),
            TraceFault::TimeDoesNotRise { index, .. } => {
                (point(index, 0), "list the points by rising time".to_owned())
            }
            TraceFault::TooLong { index, .. } => (point(index, 0), format!("write at most {LONGEST}")),
            TraceFault::TooMuch { index, .. } => {
                (point(index, 1), "write grams per kilowatt-hour".to_owned())
            }
            TraceFault::RepeatsEarly { last, .. } => {
                (child(self.path, "repeat"), format!("write more than {last}"))
            }
            TraceFault::RepeatsLate(_) => (child(self.path, "repeat"), format!("write at most {LONGEST}")),
        };
        (self.report)(&path, fault.to_string(), proposal);
    }

    fn day(&mut self, raw: &RawDay) -> Option<Trace> {
        let mut is_possible = self.is_before("begins", raw.begins, DAY);
        is_possible &= self.is_possible("night", raw.night);
        is_possible &= self.is_possible("noon", raw.noon);
        is_possible &= self.is_before("noon_at", raw.noon_at, DAY);
        if raw.noon > raw.night {
            let message =
                format!("the sun would raise the intensity from {} to {} g/kWh", raw.night, raw.noon);
            self.report("noon", message, format!("write night: {}, noon: {}", raw.noon, raw.night));
            is_possible = false;
        }
        if raw.daylight.is_zero() || raw.daylight > DAY {
            let message =
                format!("the sun shines for more than nothing and at most {DAY}, not {}", raw.daylight);
            self.report("daylight", message, "write for instance 12h");
            is_possible = false;
        }
        let day = SolarDay { night: raw.night, noon: raw.noon, noon_at: raw.noon_at, daylight: raw.daylight };
        let trace = day.trace().ok().filter(|_| is_possible)?;
        Some(trace.beginning(raw.begins))
    }

    fn is_before(&mut self, key: &str, time: Period, end: Period) -> bool {
        let is_before = time < end || time.is_zero();
        if !is_before {
            let message = format!("{time} is not before its end at {end}");
            self.report(key, message, format!("write less than {end}"));
        }
        is_before
    }

    fn is_possible(&mut self, key: &str, intensity: CarbonIntensity) -> bool {
        let is_possible = intensity <= LARGEST_INTENSITY;
        if !is_possible {
            let message = format!(
                "{intensity} g/kWh is more than the {LARGEST_INTENSITY} that electricity may stand for"
            );
            self.report(key, message, "write grams per kilowatt-hour");
        }
        is_possible
    }
}
