//! An agent that wants anything: what it proposes may be wise, foolish or impossible.

use super::random_scenario::Dice;
use control::strategy::{Decision, HoldReason, Strategy, View};
use model::action::{Action, Spot};
use model::names::{ClusterName, WorkloadRef};
use model::recommendation::{Draft, Rationale};
use model::snapshot::Snapshot;

/// Its choices follow from its seed and what it sees.
pub(super) struct RandomAgent {
    pub(super) dice: Dice,
}

impl Strategy for RandomAgent {
    fn decide(&mut self, view: &View<'_>) -> Decision {
        let drafts = (0..self.dice.between(0, 5)).filter_map(|_| self.action(view.snapshot));
        let drafts = drafts.map(|action| Draft { action, because: Rationale::default() }).collect();
        Decision::recommend(drafts, HoldReason::Baseline)
    }
}

impl RandomAgent {
    pub(super) fn action(&mut self, snapshot: &Snapshot) -> Option<Action> {
        let clusters: Vec<&ClusterName> = snapshot.clusters.keys().collect();
        let workloads: Vec<&WorkloadRef> = snapshot.workloads.keys().collect();
        let cluster = (*self.dice.pick(&clusters)?).clone();
        if self.dice.chance(25) {
            return self.resize(snapshot, cluster);
        }
        let workload = (*self.dice.pick(&workloads)?).clone();
        let placements = &snapshot.workloads[&workload].placements;
        let homes: Vec<&ClusterName> = placements.keys().collect();
        let home = (*self.dice.pick(&homes)?).clone();
        let replicas = placements[&home].replicas;
        Some(match self.dice.between(0, 9) {
            0..=4 => Action::Migrate { workload, from: home, to: cluster, replicas },
            5..=6 => {
                let to = self.dice.between(0, 8) as u32;
                Action::Scale { workload, cluster: home, from: replicas, to }
            }
            7..=8 => {
                let pools: Vec<Spot> =
                    snapshot.clusters[&home].pools.keys().cloned().map(Spot::Pool).collect();
                let (from, to) = (self.dice.pick(&pools)?.clone(), self.dice.pick(&pools)?.clone());
                Action::Move { workload, cluster: home, from, to }
            }
            _ => Action::Hold { workload, cluster: home },
        })
    }

    fn resize(&mut self, snapshot: &Snapshot, cluster: ClusterName) -> Option<Action> {
        let pools: Vec<_> = snapshot.clusters[&cluster].pools.iter().collect();
        let (name, pool) = *self.dice.pick(&pools)?;
        let to = self.dice.between(0, u64::from(pool.maximum) + 1) as u32;
        Some(Action::ResizePool { cluster, pool: name.clone(), from: pool.nodes + pool.booting, to })
    }
}
