//! The scheduler: filters, scores, queue, preemption, with kube-scheduler semantics.
