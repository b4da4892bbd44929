//! The scheduler: filters, scores, queue, preemption, with kube-scheduler semantics.

pub mod preemption;
pub mod queue;
pub mod queueing_hints;
