//! From the file as written to the scenario as meant: every problem is found, each with its place in the file.
//!
//! One file per section of the scenario. A section takes what was written and returns what is meant; what is wrong it
//! reports on the way, and it goes on. It is given a whole scenario even when the file has mistakes of spelling: then
//! stand-ins fill the gaps, and the [`Checker`] keeps silent about everything that follows from one.

mod agents;
mod clusters;
mod control;
mod events;
mod faults;
mod files;
mod known;
mod services;
mod traces;
mod workloads;

pub use traces::Beside;

use super::raw::{RawReviewMode, RawScenario};
use super::{Delay, FailoverSpec, Limits, MigrationSpec, ReviewerSpec, Scenario, Spread, WorldSpec};
use crate::telemetry::raw::RawMetrics;
use known::KnownNames;
use model::document::{self, Checks, Document, Doubts, Draft, Problem, Problems, Refusal, nearest};
use model::time::Period;
use schemars::JsonSchema;
use serde::de::DeserializeOwned;
use std::collections::BTreeMap;

/// A year: long enough for any experiment, short enough that integer milliseconds never overflow.
const LONGEST: Period = Period::from_hours(24 * 366);

/// What is wrong with how an agent decides; the simulator itself does not know.
pub type DecideCheck<D> = fn(&D) -> Result<(), Refusal>;

/// Reads and checks a scenario file.
pub fn read<D: DeserializeOwned + JsonSchema>(name: &str, bytes: &[u8]) -> Result<Scenario<D>, Problems> {
    read_with(name, bytes, |_| Ok(()))
}

/// Reads and checks a scenario file, and how its agents decide.
pub fn read_with<D: DeserializeOwned + JsonSchema>(
    name: &str,
    bytes: &[u8],
    decides: DecideCheck<D>,
) -> Result<Scenario<D>, Problems> {
    let Draft { mut value, document, doubts, problems } = draft::<D>(name, bytes)?;
    let mut checker = Checker::new(&document, &doubts, problems);
    if !value.traces.is_empty() {
        checker.report("traces", "files beside a scenario cannot be read here", "remove `traces`");
    }
    let mut nothing = |_: &str| Err("files beside a scenario cannot be read here".to_owned());
    checker.courses(&mut value, &mut nothing, &mut Vec::new());
    let scenario = checker.scenario(value, decides);
    checker.problems.into_result(scenario)
}

/// The same for a scenario that may name files. On failure the problems of all files are given, the scenario's first.
pub fn read_beside<D: DeserializeOwned + JsonSchema>(
    name: &str,
    bytes: &[u8],
    decides: DecideCheck<D>,
    beside: Beside<'_>,
) -> Result<Scenario<D>, Vec<Problems>> {
    let draft = draft::<D>(name, bytes).map_err(|problems| vec![problems])?;
    let Draft { mut value, document, doubts, problems } = draft;
    let mut checker = Checker::new(&document, &doubts, problems);
    let mut elsewhere = Vec::new();
    let traces = std::mem::take(&mut value.traces);
    let known = checker.cluster_names(&value.clusters);
    let traces = checker.traces(traces, &known, &mut *beside, &mut elsewhere);
    checker.courses(&mut value, beside, &mut elsewhere);
    let mut scenario = checker.scenario(value, decides);
    checker.enact(&traces, &mut scenario.world, &mut elsewhere);
    if !checker.problems.is_empty() {
        elsewhere.insert(0, checker.problems);
    }
    if elsewhere.is_empty() { Ok(scenario) } else { Err(elsewhere) }
}

fn draft<D: DeserializeOwned + JsonSchema>(
    name: &str,
    bytes: &[u8],
) -> Result<Draft<RawScenario<D>>, Problems> {
    let delay = |text: &str| text.parse::<Delay>().map(|_| ()).map_err(Refusal::from);
    let checks = Checks::default().with("delay", "5s..15s", delay);
    document::draft(name, bytes, &checks)
}

/// What every section needs: where things stand in the file, what is known of them, and where problems go.
struct Checker<'a> {
    document: &'a Document,
    doubts: &'a Doubts,
    problems: Problems,
    /// The end of the simulation, if that makes sense.
    end: Option<Period>,
}

impl<'a> Checker<'a> {
    const fn new(document: &'a Document, doubts: &'a Doubts, problems: Problems) -> Self {
        Self { document, doubts, problems, end: None }
    }

    fn scenario<D>(&mut self, raw: RawScenario<D>, decides: DecideCheck<D>) -> Scenario<D> {
        self.end = self.end(raw.duration);
        let clusters = self.clusters(&raw.clusters);
        let known = self.cluster_names(&raw.clusters);
        let around = self.surroundings(&raw);
        let workloads = self.workloads(&raw, &known, &around);
        let faults = self.faults(&raw.faults, &raw.clusters, &known);
        let service_step = self.service_step(raw.service_step, raw.duration);
        self.scrapes(&raw.metrics);
        let network = around.network;
        let happenings = self.happenings(&raw, &workloads);
        let control = self.control(&raw);
        for (path, spread) in [
            ("pods.start_time", &raw.pods.start_time),
            ("pods.stop_time", &raw.pods.stop_time),
            ("reviewer.delay", &raw.reviewer.delay),
        ] {
            self.spread(path, Some(spread));
        }
        let reviewer = ReviewerSpec {
            present: raw.review.mode == RawReviewMode::Simulated,
            delay: raw.reviewer.delay.clone(),
            rejects: raw.reviewer.rejects,
            ignores: raw.reviewer.ignores,
        };
        let agents = self.agents(raw.agents, &known, decides);
        let world = WorldSpec {
            name: raw.name,
            description: raw.description,
            kubernetes: raw.kubernetes,
            duration: raw.duration,
            clusters,
            workloads: workloads.specs,
            happenings,
            migration: MigrationSpec {
                mode: raw.migration.mode,
                propagation: raw.migration.propagation,
                ready_within: raw.migration.ready_within,
            },
            observation_delay: raw.observation.delay,
            limits: Limits { max_load: raw.limits.max_load, max_pending: raw.limits.max_pending },
            network,
            telemetry: raw.metrics.spec(),
            attribution: raw.power_attribution,
            service_step,
            faults,
            failover: raw.failover.map(|raw| FailoverSpec {
                lost_after: raw.lost_after,
                toleration: raw.toleration,
                grace_period: raw.grace_period,
            }),
        };
        Scenario { world, control, reviewer, agents }
    }

    fn end(&mut self, duration: Period) -> Option<Period> {
        if duration.is_zero() {
            self.report("duration", "a simulation of no length shows nothing", "write for instance 30m");
            return None;
        }
        self.time("duration", duration);
        (duration <= LONGEST && self.is_sure("", &["duration"])).then_some(duration)
    }

    /// A time within the simulation.
    fn time(&mut self, path: &str, time: Period) {
        if time > LONGEST {
            self.report(path, format!("{time} is longer than a year"), format!("write at most {LONGEST}"));
        } else if let Some(end) = self.end.filter(|end| time > *end) {
            let message = format!("{time} lies after the end of the simulation at {end}");
            self.report(path, message, "lengthen `duration` or move this earlier");
        }
    }

    /// A distribution that does not contradict itself.
    fn spread(&mut self, path: &str, spread: Option<&Spread>) {
        if let Some(fault) = spread.and_then(Spread::fault)
            && !self.doubts.touch(path)
        {
            self.report(&document::child(path, fault.key), fault.message, fault.proposal);
        }
    }

    fn scrapes(&mut self, raw: &RawMetrics) {
        if raw.every.is_zero() {
            self.report(
                "metrics.every",
                "scrapes that never pause would stop time",
                "write for instance 15s",
            );
        }
    }

    /// What a room made of its part of the file; its problems become problems of the file.
    fn part<T>(&mut self, result: Result<T, Vec<Problem>>) -> Option<T> {
        result.map_err(|problems| problems.into_iter().for_each(|problem| self.adopt(problem))).ok()
    }

    /// A problem that somebody else has found, unless the value at its path is in doubt.
    fn adopt(&mut self, problem: Problem) {
        if !self.doubts.cover(&problem.path) {
            self.problems.push(problem);
        }
    }

    /// Reports a problem, unless the value at its path is in doubt: then whatever is wrong with it was said before.
    fn report(&mut self, path: &str, message: impl Into<String>, proposal: impl Into<String>) {
        if !self.doubts.cover(path) {
            self.problems.push(self.document.problem_at(path, message, proposal));
        }
    }

    fn report_refusal(&mut self, path: &str, refusal: Refusal, example: &str) {
        let Refusal { message, proposal } = refusal.or_example(example);
        self.report(path, message, proposal.unwrap_or_default());
    }

    /// Whether all these keys of a mapping say what their author meant. Whoever compares values with each other asks
    /// first: two values contradict each other only if both were read.
    fn is_sure(&self, path: &str, keys: &[&str]) -> bool {
        !keys.iter().any(|key| self.doubts.touch(&document::child(path, key)))
    }

    /// Names that must differ, in a list at a path.
    fn unique<'n>(&mut self, path: &str, names: impl Iterator<Item = &'n str>) {
        let mut first = BTreeMap::new();
        for (index, name) in names.enumerate() {
            let place = format!("{path}[{index}].name");
            if self.doubts.cover(&place) {
                continue;
            }
            if let Some(former) = first.insert(name, index) {
                let message = format!("the name {name:?} is already used by {path}[{former}]");
                self.report(&place, message, "give each its own name");
            }
        }
    }

    /// The index of a name that a path refers to. Nothing is unknown as long as not all names are known.
    fn resolve(&mut self, path: &str, name: &str, known: &KnownNames<'_>) -> Option<usize> {
        let found = known.position(name);
        if found.is_none() && known.is_complete {
            self.unknown(path, known.what, name, &known.names);
        }
        found
    }

    fn unknown(&mut self, path: &str, what: &str, name: &str, known: &[&str]) {
        let some = known.iter().take(5).copied().collect::<Vec<_>>().join(", ");
        let proposal = match nearest(name, known.iter().copied()) {
            Some(near) => format!("did you mean {near}?"),
            None if known.is_empty() => format!("define the {what}, or remove this"),
            None => format!("known: {some}"),
        };
        self.report(path, format!("there is no {what} {name:?}"), proposal);
    }
}
