//! One replica as a queueing station: so many servers, so long per request, so many places to wait.

use super::group::Group;
use super::profile::Profile;

/// One of the equal replicas of a group. All times are seconds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Station {
    /// How many requests are worked on at once, at least one; a fraction means that the last server is slower.
    pub(super) servers: f64,
    /// How long a server takes for one request.
    pub(super) service: f64,
    /// Time of a request that needs no server.
    pub(super) delay: f64,
    /// Requests that may wait.
    pub(super) queue: f64,
    /// Whether the queue is as short as it is because clients lose patience, not because there is no more room.
    pub(super) impatient: bool,
    /// Core seconds of the host per request.
    pub(super) core_seconds: f64,
    /// Cores the replica can use.
    pub(super) cores: f64,
}

/// More waiting places than this cannot fill within any simulation; it keeps sums in the range of exact numbers.
const MOST_QUEUE: f64 = 1e12;

/// No replica works on more requests at once; the cost of one look grows with the square root of this.
const MOST_CONCURRENCY: u32 = 1_000_000;

impl Station {
    /// Nothing if replicas of this group cannot serve at all.
    pub(super) fn of(profile: &Profile, group: &Group) -> Option<Self> {
        let cores = group.usable_cores();
        if cores <= 0.0 || group.replicas == 0 {
            return None;
        }
        let cold = profile.slow_start.filter(|_| group.cold).map_or(1.0, |slow| slow.factor);
        let core_seconds = profile.cpu_seconds * cold / group.usable_speed();
        // With less than one core a request takes longer; with more, one request still cannot use more than one.
        let (servers, service) =
            if cores < 1.0 { (1.0, core_seconds / cores) } else { (cores, core_seconds) };
        let mut station = Self {
            servers,
            service,
            delay: profile.wait_seconds,
            queue: 0.0,
            impatient: false,
            core_seconds,
            cores,
        };
        station.limit_concurrency(profile);
        station.limit_queue(profile, group);
        Some(station)
    }

    /// When so few requests are let in at once that they, not the cores, limit the throughput, each of them is a server
    /// that is occupied for the whole request.
    fn limit_concurrency(&mut self, profile: &Profile) {
        let Some(limit) = profile.concurrency else { return };
        let (limit, whole) = (f64::from(limit.clamp(1, MOST_CONCURRENCY)), self.service + self.delay);
        if limit / whole < self.capacity() {
            (self.servers, self.service, self.delay) = (limit, whole, 0.0);
        }
    }

    /// Nobody waits at the end of a queue that takes longer than the time-out: those requests leave unserved.
    fn limit_queue(&mut self, profile: &Profile, group: &Group) {
        self.queue = (profile.queue as f64).min(MOST_QUEUE);
        let Some(time_out) = profile.time_out else { return };
        let patience = time_out.as_seconds_float() - group.network() - self.delay - self.service;
        let reached_in_time = (patience.max(0.0) * self.capacity()).floor();
        if reached_in_time < self.queue {
            (self.queue, self.impatient) = (reached_in_time, true);
        }
    }

    /// Requests per second when every server is busy.
    pub(super) fn capacity(&self) -> f64 {
        self.servers / self.service
    }

    /// Requests that are worked on when every server is busy, those that need no server included.
    pub(super) fn most_running(&self) -> f64 {
        self.servers + self.capacity() * self.delay
    }

    /// Requests that can be inside at all; a fraction of a server still holds a whole request.
    pub(super) fn most_inside(&self) -> f64 {
        self.servers.ceil() + self.capacity() * self.delay + self.queue
    }
}
