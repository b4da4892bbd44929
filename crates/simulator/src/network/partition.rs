//! A time in which an area cannot reach a cluster.

use model::time::Timestamp;

/// From one moment up to but not including another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Partition {
    /// Index of the area; all areas if there is none.
    pub area: Option<usize>,
    /// Index of the cluster.
    pub cluster: usize,
    pub from: Timestamp,
    pub until: Timestamp,
}

impl Partition {
    pub fn cuts(&self, area: usize, cluster: usize, at: Timestamp) -> bool {
        self.cluster == cluster
            && self.area.is_none_or(|cut| cut == area)
            && (self.from..self.until).contains(&at)
    }
}
