//! What is wrong in the world at this moment.

use crate::faults::{Fault, FaultSpec};
use crate::scenario::WorldSpec;

/// Which faults are there now.
#[derive(Clone, Debug)]
pub(crate) struct Trouble {
    faults: Vec<FaultSpec>,
    active: Vec<bool>,
    /// Clusters that no client can reach.
    pub(super) cut_off: Vec<bool>,
}

impl Trouble {
    pub(super) fn new(spec: &WorldSpec) -> Self {
        Self {
            faults: spec.faults.clone(),
            active: vec![false; spec.faults.len()],
            cut_off: vec![false; spec.clusters.len()],
        }
    }

    pub(super) fn metrics_lost(&self, index: usize) -> bool {
        self.any(|fault| matches!(fault, Fault::LostMetrics { cluster } if *cluster == index))
    }

    fn any(&self, is: impl Fn(&Fault) -> bool) -> bool {
        self.faults.iter().zip(&self.active).any(|(spec, active)| *active && is(&spec.fault))
    }
}
