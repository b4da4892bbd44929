//! What may be done in a case, and what it is worth: the guardrails' own judgement, and a cost with a stated order.

use super::federation::{Federation, NOW};
use control::guardrails::{self, Ground, GuardrailConfig, MoveLog, Refusal};
use control::projection::{ProjectedCluster, Projection};
use model::action::Action;
use model::money::MicroDollars;
use model::names::{AgentName, ClusterName, PoolName};
use model::ratio::Ratio;
use model::time::Period;
use serde::{Deserialize, Serialize};
use strategies::language::LanguageConfig;

/// The limits that hold, whoever decides.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Terms {
    pub max_load: Ratio,
    pub max_pending: Ratio,
    /// A workload that moved is left where it is for this long.
    pub rest: Period,
}

impl From<&LanguageConfig> for Terms {
    fn from(config: &LanguageConfig) -> Self {
        Self { max_load: config.max_load.ratio(), max_pending: config.max_pending.ratio(), rest: config.rest }
    }
}

impl Default for Terms {
    fn default() -> Self {
        Self::from(&LanguageConfig::default())
    }
}

/// What a federation is measured by after a plan. Less is better, in this order.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Cost {
    /// Pods that find no node, even after clusters that add nodes by themselves have done so.
    pub stuck_pods: u64,
    /// Limits on load and on pending pods that are broken then, cluster by cluster.
    pub broken_limits: u64,
    pub moves: u64,
    /// Of all nodes that there are then.
    pub price_per_hour: MicroDollars,
}

impl Cost {
    /// Whether it is as free of trouble as another one, whatever it took.
    pub const fn troubles(&self) -> (u64, u64) {
        (self.stuck_pods, self.broken_limits)
    }
}

/// One case under its rules.
pub(super) struct Rules<'a> {
    pub(super) federation: &'a Federation,
    pub(super) terms: Terms,
    config: GuardrailConfig,
    agent: AgentName,
}

impl<'a> Rules<'a> {
    pub(super) fn new(federation: &'a Federation, terms: Terms) -> Self {
        let config = GuardrailConfig {
            max_snapshot_age: Period::from_minutes(5),
            max_load: Some(terms.max_load),
            max_pending: Some(terms.max_pending),
            cool_down: terms.rest,
            moves_per_hour: None,
            freezes: Vec::new(),
            despite: std::collections::BTreeSet::new(),
        };
        let agent = AgentName::new("bench").expect("it is a name");
        Self { federation, terms, config, agent }
    }

    /// The federation once everything that is approved has happened.
    pub(super) fn start(&self) -> Projection {
        Projection::after(&self.federation.snapshot, &self.federation.committed)
    }

    /// The first rule that refuses an action after others, if one does.
    pub(super) fn refusal(
        &self,
        before: &Projection,
        earlier: &[Action],
        action: &Action,
    ) -> Result<Projection, Refusal> {
        let mut after = before.clone();
        after.apply(action);
        let committed = self.federation.committed.iter().chain(earlier);
        let committed: Vec<_> = committed.map(|action| (None, action.clone())).collect();
        let ground = Ground {
            now: NOW,
            snapshot: &self.federation.snapshot,
            before,
            after: &after,
            committed: &committed,
            moves: &MoveLog::default(),
            freezes: &[],
            agent: &self.agent,
            undoing: false,
            config: &self.config,
        };
        guardrails::check(&ground, action).map(|()| after)
    }

    /// Which of these actions may not be done one after the other, and why.
    pub(super) fn refusals(&self, actions: &[Action]) -> Vec<(Action, Refusal)> {
        let mut projection = self.start();
        let mut done: Vec<Action> = Vec::new();
        let mut refused = Vec::new();
        for action in actions {
            match self.refusal(&projection, &done, action) {
                Ok(after) => {
                    projection = after;
                    done.push(action.clone());
                }
                Err(refusal) => refused.push((action.clone(), refusal)),
            }
        }
        refused
    }

    /// What the federation costs after these actions.
    pub(super) fn cost(&self, actions: &[Action]) -> Cost {
        let mut projection = self.start();
        for action in actions {
            projection.apply(action);
        }
        let moves = actions.iter().filter(|action| action.is_relocation()).count() as u64;
        self.cost_of(projection, moves)
    }

    pub(super) fn cost_of(&self, mut projection: Projection, moves: u64) -> Cost {
        let seen = |name: &ClusterName| self.federation.snapshot.gap_of_cluster(name).is_none();
        let names: Vec<ClusterName> = projection.clusters.keys().filter(|name| seen(name)).cloned().collect();
        let mut cost = Cost { moves, ..Cost::default() };
        for name in &names {
            grow(&mut projection, name);
            let cluster = &projection.clusters[name];
            cost.stuck_pods += cluster.pods_waiting();
            cost.broken_limits += u64::from(cluster.demand() > self.terms.max_load);
            cost.broken_limits += u64::from(cluster.pending_share() > self.terms.max_pending);
            cost.price_per_hour = cost.price_per_hour.saturating_add(price(cluster));
        }
        cost
    }
}

/// What an autoscaler does: a node of the cheapest pool that may have one, as long as pods wait and it helps.
fn grow(projection: &mut Projection, name: &ClusterName) {
    loop {
        let cluster = &projection.clusters[name];
        let Some((pool, from)) = growable(cluster) else { return };
        let waiting = cluster.pods_waiting();
        let mut next = projection.clone();
        next.apply(&Action::ResizePool { cluster: name.clone(), pool, from, to: from + 1 });
        if next.clusters[name].pods_waiting() >= waiting {
            return;
        }
        *projection = next;
    }
}

fn growable(cluster: &ProjectedCluster) -> Option<(PoolName, u32)> {
    let waits = cluster.autoscaled && cluster.pods_waiting() > 0;
    let pools = cluster.pools.iter().filter(|(_, pool)| waits && pool.nodes < pool.maximum);
    pools.min_by_key(|(_, pool)| pool.price_per_hour).map(|(name, pool)| (name.clone(), pool.nodes))
}

fn price(cluster: &ProjectedCluster) -> MicroDollars {
    cluster.pools.values().map(|pool| MicroDollars(pool.price_per_hour.0 * i64::from(pool.nodes))).sum()
}
