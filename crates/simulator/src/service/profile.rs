//! What one request costs and how much of it a replica can hold: the part of a service that does not change while it runs.

use model::time::Period;

/// Bounds of what is computed with. They are far outside anything real and keep every result finite.
pub(super) const LEAST_SECONDS: f64 = 1e-9;
pub(super) const MOST_SECONDS: f64 = 1e7;

/// Requests that may wait per replica unless said otherwise; the job queue of a typical model server.
pub const USUAL_QUEUE: u64 = 1_000;

/// How requests are turned into work and waiting.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Model {
    /// Requests queue: response times, losses and time-outs follow from how busy the replicas are.
    #[default]
    Queueing,
    /// Work is demand times cost up to the capacity; nothing waits, and what is above the capacity is lost.
    Fluid,
}

/// A service whose numbers cannot be wrong.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Profile {
    pub(super) model: Model,
    pub(super) cpu_seconds: f64,
    pub(super) wait_seconds: f64,
    pub(super) time_out: Option<Period>,
    pub(super) queue: u64,
    pub(super) concurrency: Option<u32>,
    pub(super) latency_noise: f64,
    pub(super) slow_start: Option<SlowStart>,
}

/// A replica that has just started is slower for a while.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SlowStart {
    /// How many times the usual CPU time a request takes.
    pub factor: f64,
    /// For how long after becoming ready.
    pub length: Period,
}

impl Profile {
    /// A service by the CPU time (seconds of one core at speed one) and the other time (seconds) of a request. Nothing if
    /// the CPU time is not positive or one of them is not a number of at most ten million seconds.
    pub fn new(cpu_seconds: f64, wait_seconds: f64) -> Option<Self> {
        let fits = (LEAST_SECONDS..=MOST_SECONDS).contains(&cpu_seconds)
            && (0.0..=MOST_SECONDS).contains(&wait_seconds);
        fits.then_some(Self {
            model: Model::Queueing,
            cpu_seconds,
            wait_seconds,
            time_out: None,
            queue: USUAL_QUEUE,
            concurrency: None,
            latency_noise: 0.0,
            slow_start: None,
        })
    }

    #[must_use]
    pub const fn with_model(self, model: Model) -> Self {
        Self { model, ..self }
    }

    /// A client that has waited so long, network included, goes away.
    #[must_use]
    pub const fn with_time_out(self, time_out: Option<Period>) -> Self {
        Self { time_out, ..self }
    }

    /// How many requests may wait in front of one replica.
    #[must_use]
    pub const fn with_queue(self, queue: u64) -> Self {
        Self { queue, ..self }
    }

    /// How many requests one replica works on at the same time, those that wait for something else than CPU included.
    #[must_use]
    pub const fn with_concurrency(self, concurrency: Option<u32>) -> Self {
        Self { concurrency, ..self }
    }

    /// Standard deviation of the logarithm of a factor on measured latencies; what is no number between 0 and 2 counts as
    /// the nearest, or as 0.
    #[must_use]
    pub fn with_latency_noise(self, sigma: f64) -> Self {
        let latency_noise = if sigma.is_nan() { 0.0 } else { sigma.clamp(0.0, 2.0) };
        Self { latency_noise, ..self }
    }

    /// A factor that is no number from 1 to 1000 counts as the nearest, or as 1.
    #[must_use]
    pub fn with_slow_start(self, slow_start: Option<SlowStart>) -> Self {
        let slow_start = slow_start.map(|slow| SlowStart {
            factor: if slow.factor.is_nan() { 1.0 } else { slow.factor.clamp(1.0, 1000.0) },
            length: slow.length,
        });
        Self { slow_start, ..self }
    }

    /// Whether a replica that has been ready for so long is still slow.
    pub fn is_cold(&self, since_ready: Period) -> bool {
        self.slow_start.is_some_and(|slow| since_ready < slow.length)
    }

    /// CPU time of one request in seconds of one core at speed one.
    pub const fn cpu_seconds(&self) -> f64 {
        self.cpu_seconds
    }

    /// The time of one request that is not CPU, in seconds.
    pub const fn wait_seconds(&self) -> f64 {
        self.wait_seconds
    }

    pub const fn model(&self) -> Model {
        self.model
    }
}
