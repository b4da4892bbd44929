//! The cluster autoscaler at work in a cluster.

use crate::scenario::AutoscalerSpec;

#[derive(Clone, Debug)]
pub(crate) struct Autoscaler {
    pub(crate) spec: AutoscalerSpec,
}

impl Autoscaler {
    pub(crate) const fn new(spec: AutoscalerSpec) -> Self {
        Self { spec }
    }
}
