//! The policy of the WASP paper as a rule: no cluster above its load limit, none with too many pending pods.
//!
//! Workloads leave a cluster that is over a limit one by one, for the emptiest cluster that stays within its limits.
//! It asks for no nodes; an autoscaled target counts with the nodes it can add by itself.

use crate::limits::{Limits, MAX_LOAD, MAX_PENDING, Share};
use crate::sight::Sight;
use crate::words;
use control::projection::{ProjectedCluster, Projection};
use control::strategy::{Decision, HoldReason, Strategy, View};
use model::action::Action;
use model::names::{ClusterName, WorkloadRef};
use model::recommendation::{Draft, Rationale};
use model::resources::Resources;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// The limits of every cluster.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct ThresholdConfig {
    /// The highest share of CPU and of memory that pods with a node may request.
    pub max_load: Share,
    /// The highest share of a cluster's pods that may be pending.
    pub max_pending: Share,
}

impl Default for ThresholdConfig {
    fn default() -> Self {
        Self { max_load: MAX_LOAD, max_pending: MAX_PENDING }
    }
}

/// The strategy with its limits.
pub struct Threshold(pub ThresholdConfig);

impl Strategy for Threshold {
    fn memory(&self) -> Option<Value> {
        Some(Value::Null)
    }

    fn recall(&mut self, memory: Value) -> bool {
        memory.is_null()
    }

    fn decide(&mut self, view: &View<'_>) -> Decision {
        let sight = Sight::of(view);
        let projection = Projection::after(view.snapshot, view.committed);
        let mut round = Round { config: self.0, view, sight, projection, drafts: Vec::new(), movable: false };
        let over = round.clusters_over();
        if over.is_empty() {
            return Decision::hold(round.why_nothing_is_wrong());
        }
        for cluster in &over {
            round.relieve(cluster);
        }
        let otherwise = round.sight.nothing_possible(round.movable);
        Decision::recommend(round.drafts, otherwise)
    }
}

/// One decision in the making.
struct Round<'a> {
    config: ThresholdConfig,
    view: &'a View<'a>,
    sight: Sight<'a>,
    projection: Projection,
    drafts: Vec<Draft>,
    movable: bool,
}

/// A workload that could leave.
struct Candidate<'a> {
    name: &'a WorkloadRef,
    each: Resources,
    pods: u64,
    replicas: u32,
    pending: u64,
}

impl<'a> Round<'a> {
    const fn limits(&self) -> Limits {
        Limits { max_load: self.config.max_load, max_pending: self.config.max_pending }
    }

    fn excess(&self, cluster: &ProjectedCluster) -> Option<u64> {
        self.limits().excess(cluster)
    }

    /// Most over first.
    fn clusters_over(&self) -> Vec<ClusterName> {
        let excess = |name: &&'a ClusterName| self.excess(&self.projection.clusters[*name]);
        let mut over: Vec<_> = self
            .sight
            .clusters()
            .into_iter()
            .filter_map(|name| excess(&name).map(|by| (std::cmp::Reverse(by), name)))
            .collect();
        over.sort();
        over.into_iter().map(|(_, name)| name.clone()).collect()
    }

    fn why_nothing_is_wrong(&self) -> HoldReason {
        let observed = Projection::of(self.view.snapshot);
        let clusters = self.sight.clusters();
        if clusters.iter().any(|name| self.excess(&observed.clusters[*name]).is_some()) {
            return HoldReason::UnderWay { actions: self.view.committed.len() as u32 };
        }
        self.sight.nothing_wrong()
    }

    fn relieve(&mut self, source: &ClusterName) {
        let mut candidates = self.candidates(source);
        self.movable |= !candidates.is_empty();
        while self.excess(&self.projection.clusters[source]).is_some() && !candidates.is_empty() {
            let next = self.best_fit(source, &candidates);
            let candidate = candidates.remove(next);
            if let Some(target) = self.target(source, &candidate) {
                self.recommend(source, &target, &candidate);
            }
        }
    }

    fn candidates(&self, source: &ClusterName) -> Vec<Candidate<'a>> {
        let all = self.view.snapshot.workloads.iter();
        let here = all.filter_map(|(name, workload)| {
            let placement = workload.placements.get(source).filter(|placed| placed.replicas > 0)?;
            let pods = u64::from(placement.pods.max(placement.replicas));
            let pending = u64::from(placement.pods_pending);
            let candidate =
                Candidate { name, each: workload.each, pods, replicas: placement.replicas, pending };
            self.sight.may_move(name, workload).then_some(candidate)
        });
        here.collect()
    }

    /// Pending ones first, then the one whose size is nearest to what is too much.
    fn best_fit(&self, source: &ClusterName, candidates: &[Candidate<'_>]) -> usize {
        let cluster = &self.projection.clusters[source];
        let allowed = cluster.capacity.share(self.config.max_load.ratio());
        let excess = cluster.requested.minus(allowed);
        let by_memory = words::fuller_dimension(cluster.requested, cluster.capacity) == "memory";
        let distance = |candidate: &Candidate<'_>| {
            let size = candidate.each.times(candidate.pods);
            if by_memory {
                size.memory.0.abs_diff(excess.memory.0)
            } else {
                size.cpu.0.abs_diff(excess.cpu.0)
            }
        };
        let key = |index: &usize| {
            let candidate = &candidates[*index];
            (candidate.pending == 0, distance(candidate), candidate.name)
        };
        (0..candidates.len()).min_by(|left, right| key(left).cmp(&key(right))).expect("there is a candidate")
    }

    fn target(&self, source: &ClusterName, candidate: &Candidate<'_>) -> Option<ClusterName> {
        let others = self.sight.clusters().into_iter().filter(|name| *name != source);
        others
            .filter_map(|name| {
                let target = &self.projection.clusters[name];
                Some((self.limits().load_with(target, candidate.each, candidate.pods)?, name))
            })
            .min()
            .map(|(_, name)| name.clone())
    }

    fn recommend(&mut self, source: &ClusterName, target: &ClusterName, candidate: &Candidate<'_>) {
        let action = Action::Migrate {
            workload: candidate.name.clone(),
            from: source.clone(),
            to: target.clone(),
            replicas: candidate.replicas,
        };
        let before = &self.projection.clusters[source];
        let (load, waiting) = (before.load(), before.pods_waiting());
        let limit = self.config.max_load.ratio();
        let mut evidence = vec![words::evidence(source, "load", words::percent(load), Some(limit))];
        evidence.push(words::evidence(
            source,
            "pending share",
            words::percent(before.pending_share()),
            Some(self.config.max_pending.ratio()),
        ));
        self.projection.apply(&action);
        let target_load = self.projection.clusters[target].demand();
        evidence.push(words::evidence(target, "load after", words::percent(target_load), Some(limit)));
        let summary = format!(
            "{source} is at {} (limit {}) with {}; moving {} ({}) to {target}, which then is at {}",
            words::percent(load),
            words::percent(limit),
            words::count(waiting, "waiting pod"),
            candidate.name.name(),
            words::pods(candidate.pods, candidate.pending),
            words::percent(target_load),
        );
        let because = Rationale { summary, evidence, ..Rationale::default() };
        self.drafts.push(Draft { action, because });
    }
}
