//! Workload controllers: what a Deployment, `ReplicaSet`, `StatefulSet`, Job, `CronJob` or `DaemonSet` does next.
//!
//! Every controller is a pure decision: it sees a plain view of what exists and returns commands. Whoever owns the
//! objects carries the commands out and asks again when something it showed has changed, also when the change came
//! from the commands themselves, until nothing is left to do.

pub mod cron_job;
pub mod cron_schedule;
pub mod daemon_set;
pub mod deployment;
pub mod disruption;
pub mod int_or_percent;
pub mod job;
pub mod pod;
pub mod replica_set;
pub mod slow_start;
pub mod stateful_set;
