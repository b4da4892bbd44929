//! Replicas of one service that are equal in every way that matters for serving.

/// Equal replicas. What is no number or out of range counts as the nearest that makes sense.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Group {
    /// Tells the groups of a service apart from one step to the next; requests inside stay with their key.
    pub key: u64,
    /// Replicas that are ready.
    pub replicas: u32,
    /// Cores that one replica can use: the smaller of its limit and its share of the host; at most 4096.
    pub cores: f64,
    /// Speed of the host's cores; 1 is the machine on which the CPU time of a request was measured.
    pub speed: f64,
    /// Network latency between the users and this group in seconds, there and back.
    pub network_seconds: f64,
    /// Whether these replicas started so lately that they are still slow.
    pub cold: bool,
    /// Share of the traffic for one replica, relative to those of other groups.
    pub weight: f64,
}

impl Group {
    /// Warm replicas at speed one, beside their users.
    pub const fn new(key: u64, replicas: u32, cores: f64) -> Self {
        Self { key, replicas, cores, speed: 1.0, network_seconds: 0.0, cold: false, weight: 1.0 }
    }

    /// The largest machines have some two thousand hardware threads.
    pub(super) fn usable_cores(&self) -> f64 {
        let cores = within(self.cores, 0.0, 4096.0);
        // A thousandth of a millicore is no core.
        if cores < 1e-6 { 0.0 } else { cores }
    }

    pub(super) fn usable_speed(&self) -> f64 {
        if self.speed.is_nan() { 1.0 } else { self.speed.clamp(1e-3, 1e3) }
    }

    pub(super) fn network(&self) -> f64 {
        within(self.network_seconds, 0.0, 3600.0)
    }

    /// The traffic of the whole group, relative to those of other groups.
    pub(super) fn pull(&self) -> f64 {
        f64::from(self.replicas) * within(self.weight, 0.0, 1e9)
    }
}

/// What is no number counts as the least.
pub(super) const fn within(value: f64, least: f64, most: f64) -> f64 {
    if value.is_nan() { least } else { value.clamp(least, most) }
}
