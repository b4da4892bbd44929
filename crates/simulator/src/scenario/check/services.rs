//! Services: their demand, their promises, the way to them, and the autoscalers that follow them.

use super::Checker;
use crate::horizontal::{self, HorizontalSpec};
use crate::network::{self, ClusterOutline, KnownAreas, KnownClusters, Network, Traffic};
use crate::scenario::raw::{RawCluster, RawScenario, RawWorkload};
use crate::scenario::{Objective, ServiceSpec};
use crate::service;
use crate::vertical::{self, VerticalSpec};
use model::names::WorkloadKind;
use model::time::Period;
use std::sync::Arc;

/// What lies around a service.
pub(super) struct Surroundings<'n> {
    clusters: Vec<ClusterOutline<'n>>,
    clusters_are_complete: bool,
    /// How demand is split unless a workload says otherwise.
    pub(super) traffic: Traffic,
    pub(super) network: Option<Network>,
    areas: Option<KnownAreas<'n>>,
}

impl Surroundings<'_> {
    fn known(&self) -> KnownClusters<'_> {
        KnownClusters { outlines: &self.clusters, are_complete: self.clusters_are_complete }
    }
}

impl Checker<'_> {
    pub(super) fn surroundings<'n, D>(&mut self, raw: &'n RawScenario<D>) -> Surroundings<'n> {
        let pools = |cluster: &'n RawCluster| cluster.pools.iter().map(|pool| pool.name.as_str()).collect();
        let clusters: Vec<ClusterOutline<'n>> = raw
            .clusters
            .iter()
            .map(|cluster| ClusterOutline { name: &cluster.name, pools: pools(cluster) })
            .collect();
        let clusters_are_complete = self.knows_all_pools(&raw.clusters);
        let mut around = Surroundings {
            clusters,
            clusters_are_complete,
            traffic: Traffic::default(),
            network: None,
            areas: None,
        };
        let Some(written) = &raw.network else { return around };
        let (document, doubts) = (self.document, self.doubts);
        around.areas = Some(KnownAreas { network: written, are_complete: !doubts.touch("network.areas") });
        let network = network::check(written, document, doubts, "network", around.known());
        let place = "network.traffic";
        let traffic = network::check_traffic(&written.traffic, document, doubts, place, around.known());
        around.network = self.part(network);
        around.traffic = self.part(traffic).unwrap_or_default();
        around
    }

    fn knows_all_pools(&self, clusters: &[RawCluster]) -> bool {
        let knows = |index: usize, cluster: &RawCluster| {
            let names = cluster.pools.iter().map(|pool| pool.name.as_str());
            self.known("pool", &format!("clusters[{index}].pools"), names).is_complete
        };
        self.cluster_names(clusters).is_complete
            && clusters.iter().enumerate().all(|(index, cluster)| knows(index, cluster))
    }

    pub(super) fn service(
        &mut self,
        path: &str,
        raw: &RawWorkload,
        around: &Surroundings<'_>,
    ) -> Option<Arc<ServiceSpec>> {
        let Some(written) = &raw.service else {
            self.only_with_service(path, "objective", raw.objective.is_some());
            self.only_with_service(path, "traffic", raw.traffic.is_some());
            self.only_with_service(path, "clients", !raw.clients.is_empty());
            return None;
        };
        self.kind_that_serves(path, raw);
        let objective =
            raw.objective.map(|raw| Objective { latency_p95: raw.latency_p95, errors: raw.errors });
        let traffic = match &raw.traffic {
            None => Some(around.traffic.clone()),
            Some(raw) => {
                let place = format!("{path}.traffic");
                self.part(network::check_traffic(raw, self.document, self.doubts, &place, around.known()))
            }
        };
        let clients = self.clients(path, raw, around);
        let is_clear = raw.clients.is_empty() || clients.is_some();
        let place = format!("{path}.service");
        match service::check(written) {
            Ok(spec) => Some(Arc::new(ServiceSpec {
                demand: spec.demand,
                profile: spec.profile,
                objective,
                traffic: Traffic { clients, ..traffic.filter(|_| is_clear)? },
            })),
            Err(faults) => {
                for fault in faults {
                    let problem = fault.located(&place, self.document);
                    self.adopt(problem);
                }
                None
            }
        }
    }

    /// None if the network's own shares hold, or if they could not be understood.
    fn clients(&mut self, path: &str, raw: &RawWorkload, around: &Surroundings<'_>) -> Option<Vec<u64>> {
        if raw.clients.is_empty() {
            return None;
        }
        let place = format!("{path}.clients");
        let Some(areas) = around.areas else {
            if !self.doubts.touch("network") {
                let proposal = "remove `clients` or describe the network";
                self.report(&place, "without a `network` clients are nowhere", proposal);
            }
            return None;
        };
        self.part(network::check_clients(&raw.clients, self.document, self.doubts, &place, areas))
    }

    fn only_with_service(&mut self, path: &str, key: &str, is_set: bool) {
        if is_set && self.is_sure(path, &["service"]) {
            let message = format!("`{key}` has no meaning without a `service`");
            self.report(&format!("{path}.{key}"), message, format!("remove `{key}` or add a service"));
        }
    }

    /// Work that ends does not serve.
    fn kind_that_serves(&mut self, path: &str, raw: &RawWorkload) {
        let ends = matches!(raw.kind, WorkloadKind::Job | WorkloadKind::CronJob) || raw.run_time.is_some();
        if ends && self.is_sure(path, &["kind", "run_time"]) {
            let message = "a service runs until it is stopped, and this ends by itself";
            self.report(&format!("{path}.service"), message, "write kind: deployment and no run_time");
        }
    }

    pub(super) fn horizontal(&mut self, path: &str, raw: &RawWorkload) -> Option<Arc<HorizontalSpec>> {
        let written = raw.horizontal_autoscaler.as_ref()?;
        let place = format!("{path}.horizontal_autoscaler");
        let scales = matches!(
            raw.kind,
            WorkloadKind::Deployment | WorkloadKind::ReplicaSet | WorkloadKind::StatefulSet
        );
        if !scales && self.is_sure(path, &["kind"]) {
            let message = format!("a {} has no replicas to scale", raw.kind.as_str());
            self.report(&place, message, "write kind: deployment");
        }
        self.part(horizontal::check(written, self.document, self.doubts, &place)).map(Arc::new)
    }

    pub(super) fn vertical(&mut self, path: &str, raw: &RawWorkload) -> Option<Arc<VerticalSpec>> {
        let written = raw.vertical_autoscaler.as_ref()?;
        let place = format!("{path}.vertical_autoscaler");
        if raw.kind == WorkloadKind::Pod && self.is_sure(path, &["kind"]) {
            let message = "a bare pod has no controller that could give its successors other requests";
            self.report(&place, message, "write kind: deployment");
        }
        let faults = match vertical::check(written) {
            Ok(spec) => return Some(Arc::new(spec)),
            Err(faults) => faults,
        };
        for fault in
            faults.into_iter().filter(|fault| self.is_sure(&place, fault.rests_on)).collect::<Vec<_>>()
        {
            self.report(&format!("{place}.{}", fault.key), fault.message, fault.proposal);
        }
        None
    }

    /// Long simulations get longer steps: about two thousand of them, from one second to thirty.
    pub(super) fn service_step(&mut self, written: Option<Period>, duration: Period) -> Period {
        let usual = Period::from_secs((duration.as_millis() / 2_000_000).clamp(1, 30));
        if written.is_some_and(Period::is_zero) {
            let message = "steps of no length never end";
            self.report("service_step", message, format!("write for instance {usual}"));
        }
        written.unwrap_or(usual)
    }
}
