//! The simulated side: the simulator's controllers on the ReplicaSets and pods of one Deployment.

use super::Sizes;
use super::draw::{Action, Wish};
use model::time::{Period, Timestamp};
use simulator::controllers::deployment::{
    self, Command, DeploymentSpec, ReplicaSetKey, ReplicaSetView, SizeMarks, Strategy,
};
use simulator::controllers::pod::{PodKey, PodPhase, PodView};
use simulator::controllers::replica_set::{self, Plan};

/// Nothing takes longer to come to rest; every step is one of a few per ReplicaSet.
const MOST_ROUNDS: u32 = 1_000;
const NOW: Timestamp = Timestamp::EPOCH;
/// Younger than all whose age is known.
const JUST_CREATED: Timestamp = Timestamp::from_millis(u64::MAX);

struct Set {
    key: ReplicaSetKey,
    template: u64,
    revision: u64,
    marks: Option<SizeMarks>,
    replicas: u32,
    created: Timestamp,
    pods: Vec<PodView>,
}

#[derive(Default)]
pub(super) struct SimulatedRollout {
    sets: Vec<Set>,
    next_set: u32,
    next_pod: u32,
}

impl SimulatedRollout {
    /// Something happens, and the controllers work until nothing is left to do.
    pub(super) fn change(&mut self, action: &Action, wish: &Wish) {
        match action {
            Action::Ready { template, pods } => self.set_ready(*template, *pods, true),
            Action::Break { template } => self.set_ready(*template, 1, false),
            _ => {}
        }
        let spec = spec_of(wish);
        for _ in 0..MOST_ROUNDS {
            let rolled = self.roll(&spec, wish.template);
            if !self.fill() && !rolled {
                return;
            }
        }
    }

    pub(super) fn sizes(&self) -> Sizes {
        let ready = |set: &Set| set.pods.iter().filter(|pod| pod.is_ready()).count() as u32;
        self.sets.iter().map(|set| (set.template, (set.replicas, ready(set)))).collect()
    }

    /// Templates from the oldest ReplicaSet to the youngest, as the real side sees it.
    pub(super) fn follow_ages(&mut self, oldest_first: &[u64]) {
        for set in &mut self.sets {
            let place = oldest_first.iter().position(|template| *template == set.template);
            set.created = place.map_or(JUST_CREATED, |place| Timestamp::from_millis(place as u64));
        }
    }

    fn set_ready(&mut self, template: u64, pods: u32, ready: bool) {
        let sets = self.sets.iter_mut().filter(|set| set.template == template);
        let others = sets.flat_map(|set| &mut set.pods).filter(|pod| pod.is_ready() != ready);
        for pod in others.take(pods as usize) {
            pod.phase = PodPhase::Running;
            pod.ready_since = ready.then_some(NOW);
        }
    }

    fn roll(&mut self, spec: &DeploymentSpec, template: u64) -> bool {
        let views: Vec<ReplicaSetView> = self.sets.iter().map(Set::view).collect();
        let templates: Vec<u64> = self.sets.iter().map(|set| set.template).collect();
        let is_new = |view: &ReplicaSetView| {
            views.iter().zip(&templates).any(|(one, made_from)| one.key == view.key && *made_from == template)
        };
        let new = deployment::find_new(&views, is_new).copied();
        let old: Vec<_> =
            views.iter().filter(|view| Some(view.key) != new.map(|new| new.key)).copied().collect();
        let commands = deployment::sync(spec, new.as_ref(), &old);
        commands.into_iter().fold(false, |changed, command| self.carry_out(command, template) | changed)
    }

    fn carry_out(&mut self, command: Command, template: u64) -> bool {
        match command {
            Command::CreateReplicaSet { replicas, revision, marks } => {
                self.next_set += 1;
                let key = ReplicaSetKey(self.next_set);
                let (marks, created, pods) = (Some(marks), JUST_CREATED, Vec::new());
                self.sets.push(Set { key, template, revision, marks, replicas, created, pods });
            }
            Command::SetRevision { set, revision } => self.set(set).revision = revision,
            Command::Scale { set, replicas, marks } => {
                let set = self.set(set);
                let same = (set.replicas, set.marks) == (replicas, Some(marks));
                (set.replicas, set.marks) = (replicas, Some(marks));
                return !same;
            }
            Command::DeleteReplicaSet { set } => self.sets.retain(|other| other.key != set),
        }
        true
    }

    fn set(&mut self, key: ReplicaSetKey) -> &mut Set {
        self.sets.iter_mut().find(|set| set.key == key).expect("the controller names sets it was shown")
    }

    /// Brings every set to its size. Pods have no node, so they are gone at once.
    fn fill(&mut self) -> bool {
        let mut changed = false;
        for set in &mut self.sets {
            match replica_set::plan(set.replicas, &set.pods, |_| 0, NOW) {
                Plan::Nothing => continue,
                Plan::Create(count) => {
                    let first = self.next_pod;
                    self.next_pod += count;
                    set.pods.extend((first..self.next_pod).map(waiting));
                }
                Plan::Delete(victims) => set.pods.retain(|pod| !victims.contains(&pod.key)),
            }
            changed = true;
        }
        changed
    }
}

impl Set {
    fn view(&self) -> ReplicaSetView {
        ReplicaSetView {
            key: self.key,
            created: self.created,
            revision: self.revision,
            marks: self.marks,
            replicas: self.replicas,
            status: replica_set::status(&self.pods, Period::ZERO, NOW),
            observed: true,
            deleting: false,
        }
    }
}

/// A pod without a node.
fn waiting(number: u32) -> PodView {
    PodView {
        key: PodKey(number),
        uid: u64::from(number),
        node: None,
        phase: PodPhase::Pending,
        ready_since: None,
        created: NOW,
        deleting: false,
        restarts: 0,
        deletion_cost: 0,
    }
}

fn spec_of(wish: &Wish) -> DeploymentSpec {
    let rolling = |(max_surge, max_unavailable)| Strategy::RollingUpdate { max_surge, max_unavailable };
    DeploymentSpec {
        replicas: wish.replicas,
        strategy: wish.rolling.map_or(Strategy::Recreate, rolling),
        paused: wish.paused,
        revision_history_limit: Some(wish.history),
        ..DeploymentSpec::default()
    }
}
