//! Workload controllers: what a Deployment, `ReplicaSet`, `StatefulSet`, Job, `CronJob` or `DaemonSet` does next.
//!
//! Every controller is a pure decision: it sees a plain view of what exists and returns commands. Whoever owns the
//! objects carries the commands out and asks again when something it showed has changed, also when the change came
//! from the commands themselves, until nothing is left to do.

pub mod cron_schedule;
pub mod deployment;
pub mod int_or_percent;
pub mod job;
pub mod pod;
pub mod replica_set;
pub mod slow_start;
pub mod stateful_set;

/// A moment in virtual time, in milliseconds.
pub type Timestamp = u64;
/// A length of virtual time, in milliseconds.
pub type Period = u64;

/// Milliseconds in a second: the API counts most periods in seconds.
pub const SECOND: Period = 1_000;
