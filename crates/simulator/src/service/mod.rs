//! What becomes of demand: replicas turn requests into answers, busy cores, waiting, errors and time-outs. Knows nothing of
//! clusters; the world says which replicas are ready and how fast they are, and accounts for the cores.
//!
//! ```text
//! Load (demand) ─┐
//! groups ────────┼─► Service::advance ─► Outcome: counts, busy cores, latency, waiting
//! Profile ───────┘        │ requests inside, per group, stay for the next step
//!                         └─ Service::stop: what replicas that go away finish and break
//! ```
//!
//! Left out: retries, priorities, memory, requests that cost more than others, and the order in which a connection learns
//! that a replica is gone.

mod check;
mod closed;
mod group;
mod latency;
mod open;
mod outcome;
mod profile;
mod raw;
mod root;
mod station;
#[cfg(test)]
mod tests;

pub use check::{ServiceSpec, check};
pub use group::Group;
pub use latency::Latency;
pub use outcome::{Counts, GroupOutcome, Outcome, Stopped};
pub use profile::{Model, Profile, SlowStart, USUAL_QUEUE};
pub use raw::{RawModel, RawService, RawSlowStart};

use crate::demand::Load;
use crate::randomness::{Field, Spliced};
use group::within;
use latency::{Law, Sojourn, mixed};
use model::time::{Period, Timestamp};
use open::Step;
use station::Station;

/// Loads beyond this are cut off; it keeps counts exact enough over any number of steps.
const MOST_LOAD: f64 = 1e12;

/// A user who meets an error pauses at least so long, in seconds, even without think time: nobody asks without end.
const ERROR_PAUSE: f64 = 0.1;

/// A share of requests below one in a million millions is none: no run has that many.
const LEAST_SHARE: f64 = 1e-12;

/// A service as it runs.
#[derive(Clone, Debug)]
pub struct Service {
    profile: Profile,
    noise: Option<Spliced>,
    /// Requests inside, by the key of their group.
    inside: Vec<(u64, f64)>,
    totals: Counts,
}

/// What one group did in a step, before it is reported.
#[derive(Clone, Copy)]
struct Flow {
    counts: Counts,
    inside: f64,
    waiting: f64,
    cores_used: f64,
    sojourn: Sojourn,
}

/// Some replicas of a group go on as members of another, because they became warm or their share of the host changed.
#[derive(Clone, Copy, Debug)]
pub struct Regrouping {
    /// The group as it was before all changes.
    pub from: Group,
    pub replicas: u32,
    /// The key of their new group.
    pub to: u64,
}

impl Service {
    pub const fn new(profile: Profile) -> Self {
        Self { profile, noise: None, inside: Vec::new(), totals: NOTHING }
    }

    /// Where the noise on latencies comes from, if the profile wants any.
    #[must_use]
    pub fn with_noise(self, field: Field) -> Self {
        Self { noise: Some(field.into()), ..self }
    }

    /// New noise for every step that begins after a moment.
    pub(crate) fn renew_noise(&mut self, after: Timestamp, field: Field) {
        self.noise = self.noise.map(|noise| noise.renewed_after(after.as_millis(), field));
    }

    pub const fn profile(&self) -> &Profile {
        &self.profile
    }

    /// All requests since the beginning.
    pub const fn totals(&self) -> Counts {
        self.totals
    }

    /// Requests that wait or are worked on.
    pub fn requests_inside(&self) -> f64 {
        self.inside.iter().map(|(_, requests)| requests).sum()
    }

    /// Lets time pass from `at` on. `load` and `groups` are what holds during the whole step. Requests inside groups that are
    /// no longer given are broken; [`Self::stop`] is the gentle way.
    pub fn advance(&mut self, at: Timestamp, length: Period, load: Load, groups: &[Group]) -> Outcome {
        let seconds = length.as_seconds_float();
        let stations: Vec<Option<Station>> =
            groups.iter().map(|group| Station::of(&self.profile, group)).collect();
        let pulls: Vec<f64> = groups
            .iter()
            .zip(&stations)
            .map(|(group, station)| if station.is_some() { group.pull() } else { 0.0 })
            .collect();
        let pull: f64 = pulls.iter().sum();
        let mut outcome = Outcome { seconds, ..Outcome::default() };
        if pull <= 0.0 {
            outcome.counts = refused_by_nobody(load, seconds);
        }
        let mut parts = Vec::with_capacity(groups.len());
        let mut inside_after = Vec::with_capacity(groups.len());
        for ((group, station), own) in groups.iter().zip(&stations).zip(&pulls) {
            let inside = self.take(group.key);
            let share = if pull > 0.0 { own / pull } else { 0.0 };
            let part = match station {
                Some(station) => {
                    let flow = self.flow(station, group, inside, scaled(load, share), seconds);
                    let flow = self.judged(flow, group, at);
                    inside_after.push((group.key, flow.inside));
                    let report = report(group, station, &flow);
                    parts.push((flow.counts.completed + flow.counts.time_outs, report.latency, flow.sojourn));
                    report
                }
                None => GroupOutcome { key: group.key, counts: broken(inside), ..GroupOutcome::default() },
            };
            outcome.add(part);
        }
        outcome.counts += broken(self.requests_inside());
        outcome.latency = mixed(&parts);
        self.inside = inside_after;
        self.totals += outcome.counts;
        outcome
    }

    /// Stops some replicas of a group; `group.replicas` is how many there were before. Their requests get `grace` to finish and
    /// no new ones come. The counts are added to the totals at once; the CPU time of the grace period is not accounted for.
    pub fn stop(&mut self, group: &Group, replicas: u32, grace: Period) -> Stopped {
        let inside = self.take(group.key);
        let leaving = f64::from(replicas.min(group.replicas));
        let affected = inside * share_of(group, replicas);
        if inside > affected {
            self.inside.push((group.key, inside - affected));
        }
        let finished = match Station::of(&self.profile, group) {
            Some(station) if leaving > 0.0 => {
                let finished =
                    leaving * station.finished_within(affected / leaving, grace.as_seconds_float());
                if affected - finished <= LEAST_SHARE * affected { affected } else { finished }
            }
            _ => 0.0,
        };
        let stopped = Stopped { finished, broken: affected - finished };
        self.totals += Counts { completed: stopped.finished, broken: stopped.broken, ..NOTHING };
        stopped
    }

    /// Replicas that change their group take their requests along. All changes happen at the same moment: what one brings to a
    /// group is not carried on by the next.
    pub fn regroup(&mut self, changes: &[Regrouping]) {
        let before = self.inside.clone();
        for change in changes {
            let held = before.iter().filter(|(key, _)| *key == change.from.key);
            let moving =
                held.map(|(_, requests)| requests).sum::<f64>() * share_of(&change.from, change.replicas);
            let left = (self.take(change.from.key) - moving).max(0.0);
            let parts = [(change.from.key, left), (change.to, moving)];
            self.inside.extend(parts.into_iter().filter(|(_, requests)| *requests > 0.0));
        }
    }

    /// Takes out the requests of a group.
    fn take(&mut self, key: u64) -> f64 {
        let requests =
            self.inside.iter().filter(|(held, _)| *held == key).map(|(_, requests)| requests).sum();
        self.inside.retain(|(held, _)| *held != key);
        requests
    }

    fn flow(&self, station: &Station, group: &Group, inside: f64, load: Load, seconds: f64) -> Flow {
        match (self.profile.model, load) {
            (Model::Fluid, load) => fluid(station, group, inside, load, seconds),
            (Model::Queueing, Load::Open { requests_per_second }) => {
                open_flow(station, group, inside, requests_per_second, seconds)
            }
            (Model::Queueing, Load::Closed { users, think_seconds }) => {
                closed_flow(station, group, inside, (users, think_seconds), seconds)
            }
        }
    }

    /// Adds the network, noise, and the answers that come too late to be of use.
    fn judged(&self, flow: Flow, group: &Group, at: Timestamp) -> Flow {
        let noise = match self.noise {
            Some(field) if self.profile.latency_noise > 0.0 => {
                let noise = field.of(at.as_millis()).part(group.key);
                noise.factor_at(at.as_millis(), self.profile.latency_noise)
            }
            _ => 1.0,
        };
        let sojourn = flow.sojourn.seen_from(group.network(), noise);
        let late = self.profile.time_out.map_or(0.0, |limit| sojourn.above(limit.as_seconds_float()));
        let late = if late < LEAST_SHARE { 0.0 } else { flow.counts.completed * late };
        let mut counts = flow.counts;
        counts.completed -= late;
        counts.time_outs += late;
        Flow { counts, sojourn, ..flow }
    }
}

const NOTHING: Counts =
    Counts { arrivals: 0.0, completed: 0.0, queue_full: 0.0, nobody_ready: 0.0, broken: 0.0, time_outs: 0.0 };

const fn broken(requests: f64) -> Counts {
    Counts { broken: requests, ..NOTHING }
}

/// What some replicas of a group are of all of them; of a group without any, everything.
fn share_of(group: &Group, replicas: u32) -> f64 {
    if group.replicas == 0 {
        1.0
    } else {
        f64::from(replicas.min(group.replicas)) / f64::from(group.replicas)
    }
}

/// The part of a load that a group gets.
fn scaled(load: Load, share: f64) -> Load {
    match load {
        Load::Open { requests_per_second } => {
            Load::Open { requests_per_second: within(requests_per_second, 0.0, MOST_LOAD) * share }
        }
        Load::Closed { users, think_seconds } => Load::Closed {
            users: within(users, 0.0, MOST_LOAD) * share,
            think_seconds: within(think_seconds, 0.0, profile::MOST_SECONDS),
        },
    }
}

/// All requests when no replica is ready: users meet the error, think, and try again.
fn refused_by_nobody(load: Load, seconds: f64) -> Counts {
    let arrivals = seconds
        * match scaled(load, 1.0) {
            Load::Open { requests_per_second } => requests_per_second,
            Load::Closed { users, think_seconds } => users / think_seconds.max(ERROR_PAUSE),
        };
    Counts { arrivals, nobody_ready: arrivals, ..NOTHING }
}

/// Requests that were inside but find no room any more, because replicas became fewer, smaller or slower.
fn shed(station: &Station, group: &Group, inside: f64, seconds: f64) -> (f64, Counts) {
    let room = station.most_inside() * f64::from(group.replicas);
    if inside <= room || seconds <= 0.0 {
        (inside, NOTHING)
    } else {
        (room, refusals(station, inside - room))
    }
}

/// Requests that found no place, named after the reason.
fn refusals(station: &Station, requests: f64) -> Counts {
    if station.impatient {
        Counts { time_outs: requests, ..NOTHING }
    } else {
        Counts { queue_full: requests, ..NOTHING }
    }
}

fn open_flow(station: &Station, group: &Group, inside: f64, rate: f64, seconds: f64) -> Flow {
    let (before, lost) = shed(station, group, inside, seconds);
    let replicas = f64::from(group.replicas);
    let step: Step = station.step(before / replicas, rate / replicas, seconds);
    let arrivals = rate * seconds;
    let after = if seconds > 0.0 { (step.steady.inside * replicas).min(before + arrivals) } else { before };
    // Whatever came in and is not inside any more was either refused or answered.
    let gone = (before + arrivals - after).max(0.0);
    let refused = if step.steady.refused < LEAST_SHARE { 0.0 } else { arrivals * step.steady.refused };
    let refused = refused.min(gone);
    let counts =
        Counts { arrivals, completed: gone - refused, ..NOTHING } + lost + refusals(station, refused);
    Flow {
        counts,
        inside: after,
        waiting: (step.steady.waiting * replicas).min(after),
        cores_used: step.steady.throughput * replicas * station.core_seconds,
        sojourn: station.sojourn(&step, rate / replicas),
    }
}

/// Users find their balance within a few think times, which is shorter than a step; only requests of users who are gone are
/// still worked off, no faster than the replicas can.
fn closed_flow(station: &Station, group: &Group, inside: f64, load: (f64, f64), seconds: f64) -> Flow {
    let (before, lost) = shed(station, group, inside, seconds);
    let replicas = f64::from(group.replicas);
    let settled = station.settle(load.0 / replicas, load.1, ERROR_PAUSE);
    let most = station.capacity() * replicas * seconds;
    let after = if seconds > 0.0 { (settled.inside * replicas).max(before - most) } else { before };
    let accepted = (settled.throughput * replicas * seconds + after - before).max(0.0);
    let completed = (before + accepted - after).max(0.0);
    let refused = settled.refused * replicas * seconds;
    let counts =
        Counts { arrivals: accepted + refused, completed, ..NOTHING } + lost + refusals(station, refused);
    Flow {
        counts,
        inside: after,
        waiting: (settled.waiting * replicas).min(after),
        cores_used: settled.throughput * replicas * station.core_seconds,
        sojourn: settled.sojourn,
    }
}

/// Nothing waits and nothing stays: what is above the capacity is lost.
fn fluid(station: &Station, group: &Group, inside: f64, load: Load, seconds: f64) -> Flow {
    let replicas = f64::from(group.replicas);
    let unhindered = station.service + station.delay;
    let rate = match load {
        Load::Open { requests_per_second } => requests_per_second,
        Load::Closed { users, think_seconds } => users / (think_seconds + unhindered),
    };
    let served = rate.min(station.capacity() * replicas);
    // Users who cannot be served yet wait instead of failing.
    let (arrivals, refused) = match load {
        Load::Open { .. } => (rate, rate - served),
        Load::Closed { .. } => (served, 0.0),
    };
    let counts = Counts {
        arrivals: arrivals * seconds,
        completed: served * seconds,
        queue_full: refused * seconds,
        ..NOTHING
    };
    Flow {
        counts: counts + broken(inside),
        inside: 0.0,
        waiting: 0.0,
        cores_used: served * station.core_seconds,
        sojourn: Sojourn::new(station.delay, Law::Fixed { seconds: station.service }),
    }
}

fn report(group: &Group, station: &Station, flow: &Flow) -> GroupOutcome {
    let cores = station.cores * f64::from(group.replicas);
    GroupOutcome {
        key: group.key,
        counts: flow.counts,
        cores_used: flow.cores_used.min(cores),
        cores,
        latency: flow.sojourn.latency(),
        in_flight: flow.inside - flow.waiting,
        waiting: flow.waiting,
        sojourn: Some(flow.sojourn),
    }
}

impl Outcome {
    fn add(&mut self, part: GroupOutcome) {
        self.counts += part.counts;
        self.cores_used += part.cores_used;
        self.cores += part.cores;
        self.in_flight += part.in_flight;
        self.waiting += part.waiting;
        self.groups.push(part);
    }
}

impl Station {
    /// Of so many requests inside, how many are answered when no more come and the replica goes on for so long: first the
    /// queue at full speed, then the last ones, whose remaining time is taken as exponential.
    fn finished_within(&self, inside: f64, seconds: f64) -> f64 {
        let waiting = (inside - self.most_running()).max(0.0);
        let until_empty = waiting / self.capacity();
        if seconds <= until_empty {
            return (self.capacity() * seconds).min(inside);
        }
        let rest = seconds - until_empty;
        let answered = -libm::expm1(-rest / (self.service + self.delay));
        waiting + (inside - waiting) * answered
    }
}
