//! Workload controllers: what a Deployment, `ReplicaSet`, `StatefulSet`, Job, `CronJob` or `DaemonSet` does next.
