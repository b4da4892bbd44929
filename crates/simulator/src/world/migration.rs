//! Carrying out approved actions. A migration is a process with phases and time, not a flag.
//!
//! Make before break: the target is placed, its pods become ready, only then the source goes. If the target is not ready in
//! time, it is taken back and the source stays as it was.

use super::SimulatedWorld;
use super::agenda::Event;
use crate::scenario::MigrationMode;
use control::world::{Applied, Input};
use model::action::{Action, Spot};
use model::names::{ClusterName, WorkloadKind, WorkloadRef};
use model::recommendation::{Recommendation, RecommendationId};
use model::time::Timestamp;
use std::sync::Arc;

/// An action under way.
#[derive(Clone, Debug)]
pub(crate) struct Undertaking {
    task: Task,
    phase: Phase,
    give_up_at: Timestamp,
}

#[derive(Clone, Debug)]
enum Task {
    Migrate {
        workload: usize,
        from: usize,
        to: usize,
        replicas: u32,
        mode: MigrationMode,
    },
    /// Pods are replaced by others elsewhere in the same cluster.
    Repin {
        workload: usize,
        cluster: usize,
    },
    Scale {
        workload: usize,
        cluster: usize,
        to: u32,
    },
    Resize {
        cluster: usize,
        pool: usize,
        to: u32,
    },
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Phase {
    /// The order is on its way to the clusters.
    Propagating,
    /// The target fills up.
    Making,
    /// The source empties.
    Breaking,
}

impl Task {
    const fn workload(&self) -> Option<usize> {
        match self {
            Self::Migrate { workload, .. } | Self::Repin { workload, .. } | Self::Scale { workload, .. } => {
                Some(*workload)
            }
            Self::Resize { .. } => None,
        }
    }
}

impl SimulatedWorld {
    /// Starts an approved action. Its outcome comes back as an input.
    pub(super) fn apply(&mut self, recommendation: &Recommendation) {
        let id = recommendation.id;
        match self.task(&recommendation.action) {
            Err(reason) => self.report(id, Applied::Failed { reason }),
            Ok(None) => self.report(id, Applied::Done),
            Ok(Some(task)) => {
                if let Some(workload) = task.workload() {
                    self.workloads[workload].busy_with = Some(id);
                }
                let delay = self.spec.migration.propagation.draw(&mut self.chance.migration);
                let give_up_at = self.agenda.now() + delay + self.spec.migration.ready_within;
                self.undertakings.insert(id, Undertaking { task, phase: Phase::Propagating, give_up_at });
                self.agenda.after(delay, Event::MigrationContinues { id });
                self.agenda.at(give_up_at, Event::MigrationContinues { id });
            }
        }
    }

    /// What an action means in this world, or why it cannot be done.
    fn task(&mut self, action: &Action) -> Result<Option<Task>, String> {
        Ok(Some(match action {
            Action::Hold { .. } => return Ok(None),
            Action::Migrate { workload, from, to, replicas } => {
                let (workload, to) = (self.workload_index(workload)?, self.cluster_index(to)?);
                let from = self.cluster_index(from)?;
                let kind = self.spec.workloads[workload].reference.kind();
                if !super::workloads::is_relocatable(kind) {
                    return Err(format!("a {} belongs to the nodes of its cluster", kind.as_str()));
                }
                // Two copies of a job would do its work twice.
                let once = matches!(kind, WorkloadKind::Job | WorkloadKind::CronJob | WorkloadKind::Pod);
                let mode = if once { MigrationMode::Recreate } else { self.spec.migration.mode };
                Task::Migrate { workload, from, to, replicas: *replicas, mode }
            }
            Action::Move { workload, cluster, to, .. } => {
                let (workload, cluster) = (self.workload_index(workload)?, self.cluster_index(cluster)?);
                self.pin(workload, to);
                Task::Repin { workload, cluster }
            }
            Action::Scale { workload, cluster, to, .. } => Task::Scale {
                workload: self.workload_index(workload)?,
                cluster: self.cluster_index(cluster)?,
                to: *to,
            },
            Action::ResizePool { cluster, pool, to, .. } => {
                let cluster = self.cluster_index(cluster)?;
                let found = self.clusters[cluster].pools.iter().position(|known| known.spec.name == *pool);
                let pool = found.ok_or_else(|| format!("there is no pool {pool}"))?;
                Task::Resize { cluster, pool, to: *to }
            }
        }))
    }

    /// Takes one undertaking as far as it can go now.
    pub(super) fn continue_undertaking(&mut self, id: RecommendationId) {
        let Some(undertaking) = self.undertakings.get(&id).cloned() else { return };
        let outcome = match undertaking.task {
            Task::Migrate { workload, from, to, replicas, mode } => {
                self.continue_migration(id, &undertaking, workload, (from, to), replicas, mode)
            }
            Task::Repin { workload, cluster } => self.settled(workload, cluster),
            Task::Scale { workload, cluster, to } => {
                self.continue_scaling(id, undertaking.phase, workload, cluster, to)
            }
            Task::Resize { cluster, pool, to } => {
                self.continue_resize(id, undertaking.phase, cluster, pool, to)
            }
        };
        match outcome {
            Some(outcome) => self.finish(id, outcome),
            None if self.agenda.now() >= undertaking.give_up_at => self.give_up(id, &undertaking),
            None => {}
        }
    }

    /// Nodes came or went: whoever resizes a pool of this cluster looks again.
    pub(super) fn continue_resizes(&mut self, cluster: usize) {
        let resizes = |undertaking: &Undertaking| matches!(undertaking.task, Task::Resize { cluster: of, .. } if of == cluster);
        let ids: Vec<RecommendationId> = self
            .undertakings
            .iter()
            .filter(|(_, undertaking)| resizes(undertaking))
            .map(|(id, _)| *id)
            .collect();
        for id in ids {
            self.continue_undertaking(id);
        }
    }

    fn continue_migration(
        &mut self,
        id: RecommendationId,
        undertaking: &Undertaking,
        workload: usize,
        (from, to): (usize, usize),
        replicas: u32,
        mode: MigrationMode,
    ) -> Option<Applied> {
        if !self.workloads[workload].exists {
            return Some(Applied::Failed { reason: "the workload was deleted while it moved".to_owned() });
        }
        if undertaking.phase == Phase::Propagating {
            let there = self.workloads[workload].placements.get(to).filter(|placement| !placement.leaving);
            let wanted = there.map_or(0, |placement| placement.replicas) + replicas;
            self.place(workload, to, wanted);
            let recreate = mode == MigrationMode::Recreate;
            if recreate {
                self.displace(workload, from);
            }
            self.set_phase(id, if recreate { Phase::Breaking } else { Phase::Making });
            return None;
        }
        let target = self.workloads[workload].placements.get(to)?;
        let counts = target.count(&self.clusters[to]);
        if counts.ready < target.replicas && !target.is_finished() {
            return None;
        }
        if undertaking.phase == Phase::Making {
            self.displace(workload, from);
            self.set_phase(id, Phase::Breaking);
        }
        let gone = !self.workloads[workload].placements.contains_key(from);
        gone.then(|| self.moved(workload, replicas))
    }

    fn continue_scaling(
        &mut self,
        id: RecommendationId,
        phase: Phase,
        workload: usize,
        cluster: usize,
        to: u32,
    ) -> Option<Applied> {
        if phase == Phase::Propagating {
            self.place(workload, cluster, to);
            self.workloads[workload].wanted = self.workloads[workload].replicas();
            self.set_phase(id, Phase::Making);
            return None;
        }
        self.settled(workload, cluster)
    }

    /// Done when exactly the wanted pods are there and ready.
    fn settled(&self, workload: usize, cluster: usize) -> Option<Applied> {
        let placement = self.workloads[workload].placements.get(cluster)?;
        let counts = placement.count(&self.clusters[cluster]);
        (counts.ready == placement.replicas && counts.pods == placement.replicas).then_some(Applied::Done)
    }

    fn continue_resize(
        &mut self,
        id: RecommendationId,
        phase: Phase,
        cluster: usize,
        pool: usize,
        to: u32,
    ) -> Option<Applied> {
        let target = &mut self.clusters[cluster];
        if phase == Phase::Propagating {
            target.pools[pool].floor = to;
            target.resize(&mut self.agenda, &mut self.chance.boots, pool, to);
            self.set_phase(id, Phase::Making);
        }
        let pool = &self.clusters[cluster].pools[pool];
        (pool.booting.is_empty() && pool.draining == 0).then_some(Applied::Done)
    }

    /// Takes back what was begun.
    fn give_up(&mut self, id: RecommendationId, undertaking: &Undertaking) {
        let outcome = match undertaking.task {
            Task::Migrate { workload, to, replicas, .. } if undertaking.phase == Phase::Making => {
                let there =
                    self.workloads[workload].placements.get(to).map_or(0, |placement| placement.replicas);
                match there.saturating_sub(replicas) {
                    0 => self.displace(workload, to),
                    before => self.place(workload, to, before),
                }
                Applied::RolledBack {
                    reason: "the target was not ready in time; the source was kept".to_owned(),
                }
            }
            _ => Applied::Failed { reason: "it was not seen done in time".to_owned() },
        };
        self.finish(id, outcome);
    }

    fn finish(&mut self, id: RecommendationId, outcome: Applied) {
        let undertaking = self.undertakings.remove(&id).expect("only what is under way is finished");
        if let Some(workload) = undertaking.task.workload() {
            self.workloads[workload].busy_with = None;
        }
        self.report(id, outcome);
    }

    fn moved(&mut self, workload: usize, replicas: u32) -> Applied {
        let now = self.agenda.now();
        let moved = &mut self.workloads[workload];
        moved.moves += 1;
        moved.last_moved_at = Some(now);
        self.meter.moves.workload_moves += 1;
        self.meter.moves.repeat_moves += u64::from(moved.moves > 1);
        self.meter.moves.migrated_pods += u64::from(replicas);
        Applied::Done
    }

    fn report(&mut self, id: RecommendationId, outcome: Applied) {
        self.inbox.push_back(Input::Applied { id, outcome });
    }

    fn set_phase(&mut self, id: RecommendationId, phase: Phase) {
        self.undertakings.get_mut(&id).expect("it is under way").phase = phase;
    }

    /// A new template that only the wanted pool or node satisfies: a rolling update brings the pods there.
    fn pin(&mut self, workload: usize, to: &Spot) {
        let workload = &mut self.workloads[workload];
        let mut template = (*workload.template).clone();
        let (label, value) = match to {
            Spot::Pool(pool) => (super::nodes::POOL_LABEL, pool.to_string()),
            Spot::Node(node) => (crate::scheduler::HOSTNAME_LABEL, node.to_string()),
        };
        template.pod.spec.node_selector.insert(label.to_owned(), value);
        workload.template = Arc::new(template);
        workload.revision += 1;
    }

    fn workload_index(&self, reference: &WorkloadRef) -> Result<usize, String> {
        let found = self.workload_by_name.get(reference).copied();
        found
            .filter(|index| self.workloads[*index].exists)
            .ok_or_else(|| format!("{reference} does not exist"))
    }

    fn cluster_index(&self, name: &ClusterName) -> Result<usize, String> {
        let found = self.clusters.iter().position(|cluster| cluster.name == *name);
        found.ok_or_else(|| format!("there is no cluster {name}"))
    }
}
