//! Carrying out approved actions. A migration is a process with phases and time, not a flag.
//!
//! Make before break: the target is placed, its pods become ready, only then the source goes. If the target is not ready in
//! time, it is taken back and the source stays as it was.

use super::SimulatedWorld;
use super::agenda::Event;
use super::orders::{MOST_TRIES, Sending, Sent, TRY_AGAIN};
use super::workloads::Placement;
use crate::scenario::MigrationMode;
use control::world::{Applied, Input};
use model::action::{Action, Spot};
use model::execution::Step;
use model::names::{ClusterName, WorkloadKind, WorkloadRef};
use model::recommendation::RecommendationId;
use model::time::Timestamp;
use std::sync::Arc;

const NOT_READY: &str = "the target was not ready in time; the source was kept";
const ABORTED: &str = "it was given up because somebody wanted so";
const NOT_TOLD: &str = "the source could not be told to go; it was kept";

/// An action under way.
#[derive(Clone, Debug)]
pub(crate) struct Undertaking {
    task: Task,
    phase: Phase,
    /// When the order has reached the clusters.
    begins_at: Timestamp,
    give_up_at: Timestamp,
    /// An order that an ill API has not taken yet.
    pub(super) sending: Option<Sending>,
    /// When it is tried again to take the target back, and why it is.
    try_again_at: Timestamp,
    taken_back_because: &'static str,
}

#[derive(Clone, Debug)]
enum Task {
    Migrate {
        workload: usize,
        from: usize,
        to: usize,
        /// As many as the source has when the move begins, or is given while it goes on.
        replicas: u32,
        mode: MigrationMode,
    },
    /// Pods are replaced by others elsewhere in the same cluster.
    Repin {
        workload: usize,
        cluster: usize,
        to: Spot,
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
    /// The target is taken back as soon as its cluster takes orders.
    TakingBack,
}

impl Undertaking {
    const fn new(task: Task, begins_at: Timestamp, give_up_at: Timestamp) -> Self {
        let phase = Phase::Propagating;
        Self {
            task,
            phase,
            begins_at,
            give_up_at,
            sending: None,
            try_again_at: begins_at,
            taken_back_because: NOT_READY,
        }
    }
}

#[cfg(test)]
impl Undertaking {
    pub(super) const fn begins_at(&self) -> Timestamp {
        self.begins_at
    }
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

    /// Those that must be seen and ordered for it.
    fn clusters(&self) -> Vec<usize> {
        match self {
            Self::Migrate { from, to, .. } => vec![*from, *to],
            Self::Repin { cluster, .. } | Self::Scale { cluster, .. } | Self::Resize { cluster, .. } => {
                vec![*cluster]
            }
        }
    }
}

impl SimulatedWorld {
    /// Starts an action. Its outcome comes back as an input. What was started before is not started again.
    pub(super) fn begin_undertaking(&mut self, id: RecommendationId, action: &Action) {
        if !self.courses.begin(id) {
            return;
        }
        match self.task(action) {
            Err(reason) => self.report(id, Applied::Failed { reason }),
            Ok(None) => self.report(id, Applied::Done),
            Ok(Some(task)) => {
                self.note_step(id, Step::OrderSent);
                if let Some(workload) = task.workload() {
                    self.workloads[workload].busy_with = Some(id);
                }
                let delay = self.spec.migration.propagation.draw(&mut self.chance.migration);
                let begins_at = self.agenda.now() + delay;
                let give_up_at = begins_at + self.spec.migration.ready_within;
                self.undertakings.insert(id, Undertaking::new(task, begins_at, give_up_at));
                self.agenda.after(delay, Event::MigrationContinues { id });
                self.agenda.at(give_up_at, Event::MigrationContinues { id });
            }
        }
    }

    /// What an action means in this world, or why it cannot be done.
    fn task(&self, action: &Action) -> Result<Option<Task>, String> {
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
                let kind = workload.kind();
                let (workload, cluster) = (self.workload_index(workload)?, self.cluster_index(cluster)?);
                if !matches!(kind, WorkloadKind::Deployment | WorkloadKind::StatefulSet) {
                    return Err(format!("a {} does not replace its pods by others elsewhere", kind.as_str()));
                }
                Task::Repin { workload, cluster, to: to.clone() }
            }
            Action::Scale { workload, cluster, to, .. } => {
                let kind = workload.kind();
                if matches!(kind, WorkloadKind::DaemonSet | WorkloadKind::CronJob | WorkloadKind::Pod) {
                    return Err(format!("a {} has no replicas to change", kind.as_str()));
                }
                let (workload, cluster) = (self.workload_index(workload)?, self.cluster_index(cluster)?);
                Task::Scale { workload, cluster, to: *to }
            }
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
        if undertaking.task.workload().is_some_and(|workload| !self.workloads[workload].exists) {
            let reason = "the workload was deleted meanwhile".to_owned();
            return self.finish(id, Applied::Failed { reason });
        }
        // Whoever is touched on the way looks in here; the order has not arrived for that.
        if undertaking.phase == Phase::Propagating && self.agenda.now() < undertaking.begins_at {
            return;
        }
        if undertaking.phase == Phase::TakingBack {
            return self.take_back(id, &undertaking);
        }
        let clusters = undertaking.task.clusters();
        if !self.reachable(&clusters) {
            self.trouble.note_waiting_order(id, &clusters);
            self.note_step(id, Step::OrderDelayed);
            return self.wait_or_give_up(id);
        }
        if undertaking.phase == Phase::Propagating {
            match self.send(id, &clusters) {
                Sent::Taken => self.note_step(id, Step::OrderTaken),
                Sent::UnderWay => {
                    self.note_step(id, Step::OrderDelayed);
                    return self.wait_or_give_up(id);
                }
                Sent::Refused => return self.finish(id, Applied::Failed { reason: refused() }),
            }
        }
        let outcome = self.next_step(id, &undertaking);
        match outcome {
            Some(outcome) => {
                if outcome == Applied::Done {
                    self.note_step(id, Step::TargetReady);
                }
                self.finish(id, outcome);
            }
            None => self.wait_or_give_up(id),
        }
    }

    /// It cannot go on now; if it should have been done by now, it is taken back.
    fn wait_or_give_up(&mut self, id: RecommendationId) {
        let late = |undertaking: &&Undertaking| self.agenda.now() >= undertaking.give_up_at;
        if let Some(undertaking) = self.undertakings.get(&id).filter(late).cloned() {
            self.give_up(id, &undertaking);
        }
    }

    fn next_step(&mut self, id: RecommendationId, undertaking: &Undertaking) -> Option<Applied> {
        match undertaking.task.clone() {
            Task::Migrate { workload, from, to, replicas, mode } => {
                self.continue_migration(id, undertaking, workload, (from, to), replicas, mode)
            }
            Task::Repin { workload, cluster, to } => {
                self.continue_repinning(id, undertaking.phase, workload, cluster, &to)
            }
            Task::Scale { workload, cluster, to } => {
                self.continue_scaling(id, undertaking.phase, workload, cluster, to)
            }
            Task::Resize { cluster, pool, to } => {
                self.continue_resize(id, undertaking.phase, cluster, pool, to)
            }
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
        if undertaking.phase == Phase::Propagating {
            let Some(present) = self.replicas_in(workload, from) else {
                return Some(Applied::Failed {
                    reason: "it is no longer where it should move from".to_owned(),
                });
            };
            self.set_moving(id, present);
            self.note_step(id, Step::TargetMaking);
            let there = self.replicas_in(workload, to).unwrap_or(0);
            self.place(workload, to, there + present);
            let recreate = mode == MigrationMode::Recreate;
            if recreate {
                self.displace(workload, from);
                self.note_step(id, Step::SourceLeaving);
            }
            self.set_phase(id, if recreate { Phase::Breaking } else { Phase::Making });
            return None;
        }
        if undertaking.phase == Phase::Breaking && self.is_gone(workload, from) {
            self.note_step(id, Step::SourceGone);
        }
        let target = self.workloads[workload].placements.get(to)?;
        if !self.has_arrived(workload, target, to) {
            return None;
        }
        self.note_step(id, Step::TargetReady);
        if undertaking.phase == Phase::Making {
            match self.send(id, &[from]) {
                Sent::Taken => {}
                Sent::UnderWay => {
                    self.note_step(id, Step::OrderDelayed);
                    return None;
                }
                Sent::Refused => {
                    self.begin_taking_back(id, NOT_TOLD);
                    return None;
                }
            }
            self.displace(workload, from);
            self.note_step(id, Step::SourceLeaving);
            self.set_phase(id, Phase::Breaking);
        }
        if !self.is_gone(workload, from) {
            return None;
        }
        self.note_step(id, Step::SourceGone);
        Some(self.moved(workload, replicas))
    }

    fn is_gone(&self, workload: usize, from: usize) -> bool {
        !self.workloads[workload].placements.contains_key(from)
    }

    /// A CronJob is there when its schedule is. A Job's pods come and go: one that runs shows that it works.
    fn has_arrived(&self, workload: usize, target: &Placement, to: usize) -> bool {
        let ready = target.count(&self.clusters[to]).ready;
        match self.spec.workloads[workload].reference.kind() {
            WorkloadKind::CronJob => true,
            WorkloadKind::Job => target.is_finished() || ready >= target.replicas.min(1),
            _ => target.is_finished() || ready >= target.replicas,
        }
    }

    /// A workload that is in two clusters because it moves gets its new size in both. Returns whether it does move.
    pub(super) fn scale_while_moving(&mut self, workload: usize, replicas: u32) -> bool {
        let Some(id) = self.workloads[workload].busy_with else { return false };
        let Some(Undertaking {
            task: Task::Migrate { from, to, replicas: moving, .. },
            phase: Phase::Making | Phase::TakingBack,
            ..
        }) = self.undertakings.get(&id)
        else {
            return false;
        };
        let (from, to, moving) = (*from, *to, *moving);
        let all = self.workloads[workload].replicas();
        // What moves is counted twice, in the source and in the target.
        let others = all.saturating_sub(2 * moving);
        let wanted = replicas.saturating_sub(others);
        let before = self.replicas_in(workload, to).unwrap_or(0).saturating_sub(moving);
        self.place(workload, from, wanted);
        self.place(workload, to, before + wanted);
        self.set_moving(id, wanted);
        true
    }

    fn replicas_in(&self, workload: usize, cluster: usize) -> Option<u32> {
        let placement = self.workloads[workload].placements.get(cluster);
        placement.filter(|placement| !placement.leaving).map(|placement| placement.replicas)
    }

    fn continue_repinning(
        &mut self,
        id: RecommendationId,
        phase: Phase,
        workload: usize,
        cluster: usize,
        to: &Spot,
    ) -> Option<Applied> {
        if phase == Phase::Propagating {
            self.pin(workload, to);
            self.touch_everywhere(workload);
            self.note_step(id, Step::TargetMaking);
            self.set_phase(id, Phase::Making);
            return None;
        }
        self.settled(workload, cluster).filter(|_| self.pods_are_at(workload, cluster, to))
    }

    /// Before the controller has looked, the pods are complete and ready, but still where they were.
    fn pods_are_at(&self, workload: usize, cluster: usize, spot: &Spot) -> bool {
        let Some(placement) = self.workloads[workload].placements.get(cluster) else { return false };
        let cluster = &self.clusters[cluster];
        let nodes = placement.pods().into_iter().filter_map(|key| cluster.pods.get(key)?.node);
        let mut nodes = nodes.filter_map(|node| cluster.node(node));
        nodes.all(|node| match spot {
            Spot::Node(name) => node.name == *name,
            Spot::Pool(name) => cluster.pools[node.pool].spec.name == *name,
        })
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
            self.note_step(id, Step::TargetMaking);
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
            target.insist_on_drains(pool);
            self.note_step(id, Step::TargetMaking);
            self.set_phase(id, Phase::Making);
        }
        let pool = &self.clusters[cluster].pools[pool];
        (pool.booting.is_empty() && pool.draining == 0).then_some(Applied::Done)
    }

    /// Takes back what was begun, or says that it was not seen done.
    fn give_up(&mut self, id: RecommendationId, undertaking: &Undertaking) {
        match (&undertaking.task, undertaking.phase) {
            (Task::Migrate { .. }, Phase::Making) => self.begin_taking_back(id, NOT_READY),
            (_, Phase::TakingBack) => {}
            _ => {
                let reachable = self.reachable(&undertaking.task.clusters());
                let reason =
                    if reachable { "it was not seen done in time" } else { "a cluster was out of reach" };
                self.finish(id, Applied::Failed { reason: reason.to_owned() });
            }
        }
    }

    /// Somebody wants it given up. What has not begun is dropped, a target that fills up is taken back; once the source has been
    /// told to go, or where there is nothing to take back, it goes on to its end.
    pub(super) fn abort(&mut self, id: RecommendationId) {
        let Some(undertaking) = self.undertakings.get(&id) else { return };
        match (&undertaking.task, undertaking.phase) {
            (_, Phase::Propagating) if undertaking.sending.is_none() => {
                self.finish(id, Applied::RolledBack { reason: ABORTED.to_owned() });
            }
            (Task::Migrate { .. }, Phase::Making) => self.begin_taking_back(id, ABORTED),
            _ => {}
        }
    }

    fn begin_taking_back(&mut self, id: RecommendationId, because: &'static str) {
        let undertaking = self.undertakings.get_mut(&id).expect("it is under way");
        undertaking.phase = Phase::TakingBack;
        undertaking.taken_back_because = because;
        // An order for the source has no more meaning.
        undertaking.sending = None;
        let undertaking = undertaking.clone();
        self.note_step(id, Step::TakingBack);
        self.take_back(id, &undertaking);
    }

    /// Takes the target back, or waits until its cluster takes the order: it is not over before.
    fn take_back(&mut self, id: RecommendationId, undertaking: &Undertaking) {
        let Task::Migrate { workload, to, replicas, .. } = undertaking.task else { return };
        if self.agenda.now() < undertaking.try_again_at {
            return;
        }
        self.trouble.note_waiting_order(id, &[to]);
        let sent = if self.reachable(&[to]) { self.send(id, &[to]) } else { Sent::Refused };
        if sent != Sent::Taken {
            self.note_step(id, Step::OrderDelayed);
        }
        match sent {
            Sent::UnderWay => return,
            Sent::Refused => return self.take_back_later(id),
            Sent::Taken => {}
        }
        let there = self.workloads[workload].placements.get(to).map_or(0, |placement| placement.replicas);
        match there.saturating_sub(replicas) {
            0 => self.displace(workload, to),
            before => self.place(workload, to, before),
        }
        self.finish(id, Applied::RolledBack { reason: undertaking.taken_back_because.to_owned() });
    }

    fn take_back_later(&mut self, id: RecommendationId) {
        let at = self.agenda.now() + TRY_AGAIN;
        self.undertakings.get_mut(&id).expect("it is under way").try_again_at = at;
        self.agenda.at(at, Event::MigrationContinues { id });
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
        self.note_outcome(id, &outcome);
        self.inbox.push_back(Input::Applied { id, outcome });
    }

    fn set_phase(&mut self, id: RecommendationId, phase: Phase) {
        self.undertakings.get_mut(&id).expect("it is under way").phase = phase;
    }

    fn set_moving(&mut self, id: RecommendationId, count: u32) {
        let undertaking = self.undertakings.get_mut(&id).expect("it is under way");
        if let Task::Migrate { replicas, .. } = &mut undertaking.task {
            *replicas = count;
        }
    }

    /// A new template that only the wanted pool or node satisfies: a rolling update brings the pods there.
    fn pin(&mut self, workload: usize, to: &Spot) {
        let workload = &mut self.workloads[workload];
        let mut template = (*workload.template).clone();
        let (label, value) = match to {
            Spot::Pool(pool) => (super::nodes::POOL_LABEL, pool.to_string()),
            Spot::Node(node) => (crate::scheduler::HOSTNAME_LABEL, node.to_string()),
        };
        // The new spot takes the place of an earlier one, which may be elsewhere.
        let selector = &mut template.pod.spec.node_selector;
        selector.retain(|key, _| key != super::nodes::POOL_LABEL && key != crate::scheduler::HOSTNAME_LABEL);
        selector.insert(label.to_owned(), value);
        workload.template = Arc::new(template);
        workload.revision += 1;
    }

    fn workload_index(&self, reference: &WorkloadRef) -> Result<usize, String> {
        let found = self.workload_by_name().get(reference).copied();
        found
            .filter(|index| self.workloads[*index].exists)
            .ok_or_else(|| format!("{reference} does not exist"))
    }

    fn cluster_index(&self, name: &ClusterName) -> Result<usize, String> {
        let found = self.clusters.iter().position(|cluster| cluster.name == *name);
        found.ok_or_else(|| format!("there is no cluster {name}"))
    }
}

fn refused() -> String {
    format!("a cluster did not take the order in {MOST_TRIES} tries")
}
