//! All samples of one container of a workload, over all of its pods, and what they recommend.

use super::estimate::{Bound, amount, confidence, share};
use super::histogram::{Buckets, DecayingHistogram};
use super::peaks::MemoryPeak;
use super::settings::Settings;
use crate::controllers::pod::PodKey;
use model::quantity::{Bytes, MilliCpu};
use model::time::{Period, Timestamp};
use std::collections::BTreeMap;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Amounts {
    pub cpu: MilliCpu,
    pub memory: Bytes,
}

/// What a container should request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Recommendation {
    /// Less is too little.
    pub lower: Amounts,
    pub target: Amounts,
    /// More is wasted.
    pub upper: Amounts,
    /// The target before the policy.
    pub uncapped: Amounts,
}

/// Bounds on what may be recommended; zero is no bound, and the maximum wins.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Policy {
    pub min_allowed: Amounts,
    pub max_allowed: Amounts,
}

impl Policy {
    fn apply(&self, amounts: Amounts) -> Amounts {
        let within = |amount: u64, minimum: u64, maximum: u64| {
            let raised = amount.max(minimum);
            if maximum == 0 { raised } else { raised.min(maximum) }
        };
        Amounts {
            cpu: MilliCpu(within(amounts.cpu.0, self.min_allowed.cpu.0, self.max_allowed.cpu.0)),
            memory: Bytes(within(amounts.memory.0, self.min_allowed.memory.0, self.max_allowed.memory.0)),
        }
    }
}

/// First and last CPU sample and their number; confidence rests on these alone.
#[derive(Clone, Copy, Debug)]
struct Course {
    first: Timestamp,
    last: Timestamp,
    samples: u64,
}

/// What is known of one pod's container.
#[derive(Clone, Copy, Debug, Default)]
struct Instance {
    last_cpu: Option<Timestamp>,
    memory: MemoryPeak,
}

#[derive(Clone, Debug)]
pub struct Recommender {
    settings: Settings,
    policy: Policy,
    /// How many containers a pod has; they share the pod's minimum.
    containers: u32,
    cpu: DecayingHistogram,
    memory: DecayingHistogram,
    course: Option<Course>,
    instances: BTreeMap<PodKey, Instance>,
}

impl Recommender {
    /// For one of the `containers` of a workload's pods.
    pub fn new(settings: Settings, policy: Policy, containers: u32) -> Self {
        Self {
            settings,
            policy,
            containers,
            cpu: DecayingHistogram::new(Buckets::of_cpu(), settings.cpu_half_life),
            memory: DecayingHistogram::new(Buckets::of_memory(), settings.memory_half_life),
            course: None,
            instances: BTreeMap::new(),
        }
    }

    /// Adds the average CPU usage of a pod's container over a while that began at `at`. A sample that is not newer than
    /// the pod's last, or has no valid weight, is refused. Upstream gives every sample
    /// [`MIN_SAMPLE_WEIGHT`](super::MIN_SAMPLE_WEIGHT).
    pub fn add_cpu(&mut self, pod: PodKey, at: Timestamp, usage: MilliCpu, weight: f64) -> bool {
        let is_weight = weight.is_finite() && weight >= 0.0;
        let last = self.instances.get(&pod).and_then(|instance| instance.last_cpu);
        if !is_weight || last.is_some_and(|last| at <= last) {
            return false;
        }
        self.forget_if_stale(at);
        self.instances.entry(pod).or_default().last_cpu = Some(at);
        self.cpu.add(usage.0 as f64 / 1000.0, weight, at);
        let course = self.course.get_or_insert(Course { first: at, last: at, samples: 0 });
        course.first = course.first.min(at);
        course.last = course.last.max(at);
        course.samples += 1;
        true
    }

    /// Adds the memory usage of a pod's container. A sample older than the pod's last is refused.
    pub fn add_memory(&mut self, pod: PodKey, at: Timestamp, usage: Bytes) -> bool {
        let instance = self.instances.entry(pod).or_default();
        instance.memory.add(&mut self.memory, &self.settings, at, usage)
    }

    /// Adds that a pod's container was killed for lack of memory. One long before its last sample is refused.
    pub fn add_out_of_memory(&mut self, pod: PodKey, at: Timestamp, requested: Bytes) -> bool {
        let instance = self.instances.entry(pod).or_default();
        instance.memory.add_kill(&mut self.memory, &self.settings, at, requested)
    }

    /// A pod is gone; its samples stay, its number may be used again.
    pub fn forget(&mut self, pod: PodKey) {
        self.instances.remove(&pod);
    }

    /// What the container should request. Nothing before the first CPU sample, and nothing when the last one is so
    /// old that all has been forgotten.
    pub fn recommend(&self, now: Timestamp) -> Option<Recommendation> {
        let course = self.course.filter(|course| now.since(course.last) < self.memory_span())?;
        let lifespan = course.last.since(course.first);
        let confidence = confidence(lifespan, course.samples, self.settings.confidence_interval);
        let uncapped = self.amounts(Bound::Target, confidence);
        Some(Recommendation {
            lower: self.policy.apply(self.amounts(Bound::Lower, confidence)),
            target: self.policy.apply(uncapped),
            upper: self.policy.apply(self.amounts(Bound::Upper, confidence)),
            uncapped,
        })
    }

    fn amounts(&self, bound: Bound, confidence: f64) -> Amounts {
        let (settings, percentile) = (&self.settings, bound.percentile(&self.settings));
        let minimum_cpu = share(settings.pod_min_cpu.0, self.containers);
        let minimum_memory = share(settings.pod_min_memory.0, self.containers);
        let (cores, bytes) = (self.cpu.percentile(percentile), self.memory.percentile(percentile));
        Amounts {
            cpu: MilliCpu(amount(cores * 1000.0, bound, settings.margin, confidence, minimum_cpu)),
            memory: Bytes(amount(bytes, bound, settings.margin, confidence, minimum_memory)),
        }
    }

    fn memory_span(&self) -> Period {
        self.settings.memory_interval.saturating_mul(u64::from(self.settings.memory_intervals))
    }

    fn forget_if_stale(&mut self, now: Timestamp) {
        if self.course.is_some_and(|course| now.since(course.last) >= self.memory_span()) {
            *self = Self::new(self.settings, self.policy, self.containers);
        }
    }
}
