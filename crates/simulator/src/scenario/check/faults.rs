//! What goes wrong: faults name clusters and pools, and say exactly once when they begin.

use super::Checker;
use super::known::KnownNames;
use crate::faults::raw::{RawFault, RawFaultKind};
use crate::faults::{Fault, FaultSpec, When};
use crate::scenario::raw::RawCluster;
use model::time::Timestamp;

impl Checker<'_> {
    pub(super) fn faults(
        &mut self,
        raw: &[RawFault],
        clusters: &[RawCluster],
        known: &KnownNames<'_>,
    ) -> Vec<FaultSpec> {
        let mut faults = Vec::with_capacity(raw.len());
        for (index, raw) in raw.iter().enumerate() {
            let path = format!("faults[{index}]");
            let when = self.when(&path, raw);
            let fault = self.fault(&format!("{path}.fault"), &raw.fault, clusters, known);
            if let (Some(when), Some(fault)) = (when, fault) {
                faults.push(FaultSpec { fault, when, lasts: raw.lasts });
            }
        }
        faults
    }

    fn when(&mut self, path: &str, raw: &RawFault) -> Option<When> {
        match (raw.at, raw.every, raw.per_hour) {
            (Some(at), None, None) => {
                self.time(&format!("{path}.at"), at);
                Some(When::Once(Timestamp::EPOCH + at))
            }
            (None, Some(every), None) => Some(When::Every(every)),
            (None, None, Some(per_hour)) => Some(When::Rate { per_hour }),
            _ => {
                if self.is_sure(path, &["at", "every", "per_hour"]) {
                    let message = "exactly one of `at`, `every` and `per_hour` says when it begins";
                    self.report(path, message, "write for instance at: 10m");
                }
                None
            }
        }
    }

    fn fault(
        &mut self,
        path: &str,
        raw: &RawFaultKind,
        clusters: &[RawCluster],
        known: &KnownNames<'_>,
    ) -> Option<Fault> {
        Some(match raw {
            RawFaultKind::NodeCrash { cluster, pool, nodes } => {
                let place = format!("{path}.node_crash");
                let cluster = self.resolve(&format!("{place}.cluster"), cluster, known)?;
                let pool = match pool {
                    None => None,
                    Some(pool) => {
                        Some(self.pool_of(&format!("{place}.pool"), pool, cluster, &clusters[cluster])?)
                    }
                };
                Fault::NodeCrash { cluster, pool, nodes: *nodes }
            }
            RawFaultKind::Partition { cluster, clients } => {
                let cluster = self.resolve(&format!("{path}.partition.cluster"), cluster, known)?;
                Fault::Partition { cluster, clients: *clients }
            }
            RawFaultKind::Api { cluster, delay, fails } => {
                let cluster = self.resolve(&format!("{path}.api.cluster"), cluster, known)?;
                Fault::Api { cluster, delay: *delay, fails: *fails }
            }
            RawFaultKind::LostMetrics { cluster } => {
                let cluster = self.resolve(&format!("{path}.lost_metrics.cluster"), cluster, known)?;
                Fault::LostMetrics { cluster }
            }
            RawFaultKind::Model { delay } => Fault::Model { delay: *delay },
            RawFaultKind::Reviewer {} => Fault::Reviewer,
        })
    }

    fn pool_of(&mut self, path: &str, pool: &str, index: usize, cluster: &RawCluster) -> Option<usize> {
        let names = cluster.pools.iter().map(|pool| pool.name.as_str());
        let known = self.known("pool", &format!("clusters[{index}].pools"), names);
        self.resolve(path, pool, &known)
    }
}
