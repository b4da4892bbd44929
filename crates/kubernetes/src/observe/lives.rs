//! The lives of all pods of a cluster, kept while somebody records: each change that is heard goes on with one of them.

use super::cache::Key;
use super::facts::{PodFact, PodOwner};
use crate::clock::{Origin, Wall};
use crate::settings::Settings;
use model::life::PodLife;
use model::names::{ClusterName, WorkloadRef};
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

/// As many as a trace may have rows; who comes later is counted and not kept.
const MOST_LIVES: usize = 1_000_000;

/// A pod that is heard of this soon after its making was made when it was heard of: API servers tell whole seconds only.
const JUST_MADE_MS: u64 = 2_000;

/// Lives, shared between the one who listens and the one who asks.
#[derive(Clone, Debug, Default)]
pub(crate) struct Lives(Arc<Mutex<Kept>>);

#[derive(Debug, Default)]
struct Kept {
    lives: Vec<Life>,
    /// The life that goes on under this name.
    current: BTreeMap<Key, usize>,
    left_out: u64,
}

#[derive(Debug)]
struct Life {
    fact: PodFact,
    arrived_at: Wall,
    placed_at: Option<Wall>,
    ready_at: Option<Wall>,
    ended_at: Option<Wall>,
    gone_at: Option<Wall>,
}

impl Life {
    fn begin(at: Wall, fact: &PodFact) -> Self {
        let is_new = at.since(fact.created_at) < JUST_MADE_MS;
        Self {
            fact: fact.clone(),
            arrived_at: if is_new { at } else { fact.created_at },
            placed_at: None,
            ready_at: None,
            ended_at: None,
            gone_at: None,
        }
    }

    fn go_on(&mut self, at: Wall, fact: &PodFact) {
        let noted = |moment: &mut Option<Wall>, is_so: bool| {
            if is_so {
                moment.get_or_insert(at);
            }
        };
        noted(&mut self.placed_at, fact.node.is_some());
        noted(&mut self.ready_at, fact.ready);
        noted(&mut self.ended_at, fact.ending || fact.over);
        noted(&mut self.gone_at, fact.over);
        self.fact = fact.clone();
    }

    fn end(&mut self, at: Wall) {
        self.ended_at.get_or_insert(at);
        self.gone_at.get_or_insert(at);
    }

    fn told(&self, cluster: &ClusterName, origin: Origin) -> PodLife {
        let fact = &self.fact;
        let moment = |at: Option<Wall>| at.map(|at| origin.timestamp(at));
        PodLife {
            cluster: cluster.clone(),
            namespace: fact.namespace.clone(),
            name: fact.name.clone(),
            workload: workload(fact),
            requests: fact.requests,
            priority: fact.priority,
            arrived_at: origin.timestamp(self.arrived_at),
            placed: moment(self.placed_at).zip(fact.node.clone()),
            ready_at: moment(self.ready_at),
            ended_at: moment(self.ended_at),
            gone_at: moment(self.gone_at),
            finished: fact.over,
        }
    }
}

fn workload(fact: &PodFact) -> Option<WorkloadRef> {
    match &fact.owner {
        PodOwner::Workload(kind, name) => WorkloadRef::new(*kind, &fact.namespace, name).ok(),
        PodOwner::DaemonSet | PodOwner::Other => None,
    }
}

impl Lives {
    /// A pod as it is now; nothing if it is gone.
    pub(crate) fn hear(&self, at: Wall, key: &Key, fact: Option<&PodFact>) {
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let known = kept.current.get(key).copied();
        let is_same = |fact: &PodFact, kept: &Kept| {
            known.is_some_and(|life| kept.lives[life].fact.created_at == fact.created_at)
        };
        match (fact, known) {
            (Some(fact), Some(life)) if is_same(fact, &kept) => kept.lives[life].go_on(at, fact),
            (Some(fact), _) => {
                kept.end(key, at);
                kept.begin(key, at, fact);
            }
            (None, _) => kept.end(key, at),
        }
    }

    /// All that were ever there, but those that belong to the nodes themselves; and how many were too many.
    pub(crate) fn told(
        &self,
        cluster: &ClusterName,
        settings: &Settings,
        origin: Origin,
    ) -> (Vec<PodLife>, u64) {
        let kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let shown = |fact: &PodFact| fact.owner != PodOwner::DaemonSet && settings.shows(&fact.namespace);
        let lives = kept.lives.iter().filter(|life| shown(&life.fact));
        (lives.map(|life| life.told(cluster, origin)).collect(), kept.left_out)
    }
}

impl Kept {
    fn begin(&mut self, key: &Key, at: Wall, fact: &PodFact) {
        if self.lives.len() >= MOST_LIVES {
            self.left_out += 1;
            return;
        }
        let mut life = Life::begin(at, fact);
        life.go_on(at, fact);
        self.current.insert(key.clone(), self.lives.len());
        self.lives.push(life);
    }

    fn end(&mut self, key: &Key, at: Wall) {
        if let Some(life) = self.current.remove(key) {
            self.lives[life].end(at);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use model::names::WorkloadKind;
    use model::resources::Resources;
    use model::time::Timestamp;

    fn pod(created_at: i64) -> PodFact {
        PodFact {
            namespace: "shop".to_owned(),
            name: "db-0".to_owned(),
            owner: PodOwner::Workload(WorkloadKind::StatefulSet, "db".to_owned()),
            node: None,
            requests: Resources::default(),
            ready: false,
            ending: false,
            over: false,
            created_at: Wall(created_at),
            priority: 0,
        }
    }

    fn told(lives: &Lives) -> Vec<PodLife> {
        let cluster = ClusterName::new("member1").expect("a name");
        lives.told(&cluster, &Settings::default(), Origin(Wall(10_000))).0
    }

    #[test]
    fn a_life_has_its_moments_and_a_name_can_have_two() {
        let lives = Lives::default();
        let key = ("shop".to_owned(), "db-0".to_owned());
        let placed = PodFact { node: Some("n1".to_owned()), ..pod(20_000) };
        let ready = PodFact { ready: true, ..placed.clone() };
        let ending = PodFact { ending: true, ..placed.clone() };
        lives.hear(Wall(20_400), &key, Some(&pod(20_000)));
        lives.hear(Wall(20_500), &key, Some(&placed));
        lives.hear(Wall(21_600), &key, Some(&ready));
        lives.hear(Wall(30_000), &key, Some(&ending));
        lives.hear(Wall(31_000), &key, None);
        lives.hear(Wall(32_300), &key, Some(&pod(32_000)));
        let told = told(&lives);
        assert_eq!(told.len(), 2, "{told:?}");
        let first = &told[0];
        assert_eq!(first.workload.as_ref().map(ToString::to_string).as_deref(), Some("statefulset/shop/db"));
        assert_eq!(first.arrived_at, Timestamp(10_400), "when it was heard of, not the second before");
        assert_eq!(first.placed, Some((Timestamp(10_500), "n1".to_owned())));
        let moments = (first.ready_at, first.ended_at, first.gone_at);
        let want = (Some(Timestamp(11_600)), Some(Timestamp(20_000)), Some(Timestamp(21_000)));
        assert_eq!((moments, first.finished), (want, false));
        assert_eq!((told[1].arrived_at, told[1].placed.clone()), (Timestamp(22_300), None));
    }

    #[test]
    fn a_pod_that_was_replaced_unseen_has_ended() {
        let lives = Lives::default();
        let key = ("shop".to_owned(), "db-0".to_owned());
        lives.hear(Wall(20_000), &key, Some(&pod(5_000)));
        lives.hear(Wall(40_000), &key, Some(&pod(30_000)));
        let told = told(&lives);
        assert_eq!((told[0].arrived_at, told[0].gone_at), (Timestamp(0), Some(Timestamp(30_000))));
        assert_eq!(told[1].arrived_at, Timestamp(20_000), "made while nobody listened");
    }

    #[test]
    fn what_belongs_to_nodes_is_not_told_and_done_work_is() {
        let lives = Lives::default();
        let hear = |name: &str, fact: PodFact| {
            lives.hear(Wall(20_000), &(fact.namespace.clone(), name.to_owned()), Some(&fact));
        };
        hear("log", PodFact { owner: PodOwner::DaemonSet, ..pod(20_000) });
        hear("dns", PodFact { namespace: "kube-system".to_owned(), ..pod(20_000) });
        hear("job", PodFact { owner: PodOwner::Other, over: true, ..pod(20_000) });
        let told = told(&lives);
        assert_eq!(told.len(), 1);
        assert_eq!((told[0].workload.clone(), told[0].finished), (None, true));
        assert_eq!(told[0].gone_at, Some(Timestamp(10_000)));
    }
}
