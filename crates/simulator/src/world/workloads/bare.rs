//! Bare pods: made once, never replaced.

use super::few::Few;
use super::{Site, Wanted};
use crate::world::pods::{Phase, PodKey};
use model::time::Timestamp;

#[derive(Clone, Debug, Default)]
pub(super) struct BarePods {
    made: u32,
    pods: Few<PodKey>,
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
            while self.made < wanted.replicas {
                self.pods.push(site.create(0, self.made, id, wanted.template));
                self.made += 1;
            }
        }
        None
    }

    pub(super) fn stop(&mut self, site: &mut Site<'_>) -> bool {
        let mut pods = std::mem::take(&mut self.pods).into_vec();
        let some_are_left = site.stop_all(&mut pods);
        self.pods = Few::from(pods);
        some_are_left
    }

    pub(super) fn pods(&self) -> Vec<PodKey> {
        self.pods.as_slice().to_vec()
    }

    pub(super) fn is_finished(&self) -> bool {
        self.made > 0 && self.pods.as_slice().is_empty()
    }
}
