//! From a service as written to a service as meant: every fault is found, each with its place and a proposal.

use super::profile::{Model, Profile, SlowStart};
use super::raw::{RawModel, RawService};
use crate::demand::{self, DemandSpec, Fault, Faults};
use model::time::Period;
use std::sync::Arc;

/// An hour: requests that take longer are jobs.
const LONGEST_REQUEST: Period = Period::from_hours(1);

/// A service in which no number can be wrong.
#[derive(Clone, Debug, PartialEq)]
pub struct ServiceSpec {
    pub demand: Arc<DemandSpec>,
    pub profile: Profile,
}

/// Checks a service with its demand; the faults are located with [`Fault::located`].
pub fn check(raw: &RawService) -> Result<ServiceSpec, Vec<Fault>> {
    let mut faults = Faults::default();
    let demand = match demand::check(&raw.demand) {
        Ok(demand) => Some(Arc::new(demand)),
        Err(found) => {
            let inside =
                found.into_iter().map(|fault| Fault { path: format!(".demand{}", fault.path), ..fault });
            faults.0.extend(inside);
            None
        }
    };
    let profile = profile(raw, &mut faults);
    let spec = demand.zip(profile).map(|(demand, profile)| ServiceSpec { demand, profile });
    faults.into_result(spec)
}

fn profile(raw: &RawService, faults: &mut Faults) -> Option<Profile> {
    let cpu = cpu_seconds(raw, faults);
    for (path, period) in [
        (".wait_per_request", Some(raw.wait_per_request)),
        (".time_out", raw.time_out),
        (".slow_start.for", raw.slow_start.map(|slow| slow.length)),
    ] {
        if period.is_some_and(|period| period > LONGEST_REQUEST) {
            let message = format!("more than {LONGEST_REQUEST} is a job, not a request");
            faults.report(path, message, format!("write at most {LONGEST_REQUEST}"));
        }
    }
    if raw.time_out.is_some_and(Period::is_zero) {
        faults.report(".time_out", "clients that wait for no time get no answer", "write for instance 10s");
    }
    faults.range(".latency_noise", raw.latency_noise, 0.0, 2.0);
    if let Some(slow) = raw.slow_start {
        faults.range(".slow_start.factor", slow.factor, 1.0, 1000.0);
    }
    let model = match raw.model {
        RawModel::Queueing => Model::Queueing,
        RawModel::Fluid => Model::Fluid,
    };
    let profile = Profile::new(cpu?, raw.wait_per_request.as_seconds_float())?
        .with_model(model)
        .with_time_out(raw.time_out)
        .with_queue(raw.queue)
        .with_concurrency(raw.concurrency)
        .with_latency_noise(raw.latency_noise)
        .with_slow_start(raw.slow_start.map(|slow| SlowStart { factor: slow.factor, length: slow.length }));
    Some(profile)
}

fn cpu_seconds(raw: &RawService, faults: &mut Faults) -> Option<f64> {
    match (raw.cpu_per_request, raw.requests_per_core) {
        (Some(cpu), None) if !cpu.is_zero() && cpu <= LONGEST_REQUEST => Some(cpu.as_seconds_float()),
        (Some(cpu), None) => {
            let message =
                format!("a request takes more than 0s and at most {LONGEST_REQUEST} of a core, not {cpu}");
            faults.report(".cpu_per_request", message, "write for instance 75ms");
            None
        }
        (None, Some(rate)) => {
            // From a quarter of an hour down to a nanosecond for one request.
            let (least, most) = (0.001, 1e9);
            faults.range(".requests_per_core", rate, least, most);
            (least..=most).contains(&rate).then(|| 1.0 / rate)
        }
        (Some(_), Some(_)) => {
            let message = "`cpu_per_request` and `requests_per_core` say the same";
            faults.report(".requests_per_core", message, "keep one of the two");
            None
        }
        (None, None) => {
            let message =
                "nothing says what a request costs: neither `cpu_per_request` nor `requests_per_core`";
            faults.report("", message, "add for instance cpu_per_request: 75ms");
            None
        }
    }
}
