//! Bare pods: made once, never replaced.

use super::{Site, Wanted};
use crate::world::pods::{Phase, PodKey};
use model::time::Timestamp;

#[derive(Clone, Debug, Default)]
pub(super) struct BarePods {
    made: u32,
    pods: Vec<PodKey>,
}

impl BarePods {
    pub(super) fn sync(&mut self, wanted: &Wanted<'_>, site: &mut Site<'_>) -> Option<Timestamp> {
        self.pods.retain(|key| {
            let phase = site.get(*key).map(|record| record.phase);
            if phase == Some(Phase::Succeeded) {
                site.cluster.discard(*key);
            }
            phase.is_some_and(|phase| phase != Phase::Succeeded)
        });
        if self.made < wanted.replicas {
            let id = site.intern(wanted.template);
            self.pods.reserve_exact((wanted.replicas - self.made) as usize);
            while self.made < wanted.replicas {
                self.pods.push(site.create(0, self.made, id, wanted.template));
                self.made += 1;
            }
        }
        None
    }

    pub(super) fn stop(&mut self, site: &mut Site<'_>) -> bool {
        site.stop_all(&mut self.pods)
    }

    pub(super) fn pods(&self) -> Vec<PodKey> {
        self.pods.clone()
    }

    pub(super) fn is_finished(&self) -> bool {
        self.made > 0 && self.pods.is_empty()
    }
}
