//! The clusters a workload is in. Nearly always one, so a sorted list takes a fraction of a tree's memory.

use super::Placement;
use super::few::Few;

/// Placements in the order of their clusters' indices.
#[derive(Clone, Debug, Default)]
pub(crate) struct Placements(Few<(usize, Placement)>);

impl Placements {
    pub(crate) fn is_empty(&self) -> bool {
        self.all().is_empty()
    }

    pub(crate) fn contains_key(&self, cluster: usize) -> bool {
        self.place(cluster).is_ok()
    }

    pub(crate) fn get(&self, cluster: usize) -> Option<&Placement> {
        self.place(cluster).ok().map(|place| &self.all()[place].1)
    }

    pub(crate) fn get_mut(&mut self, cluster: usize) -> Option<&mut Placement> {
        self.place(cluster).ok().map(|place| &mut self.0.as_mut_slice()[place].1)
    }

    pub(super) fn get_or_insert(
        &mut self,
        cluster: usize,
        make: impl FnOnce() -> Placement,
    ) -> &mut Placement {
        let place = self.place(cluster).unwrap_or_else(|place| {
            self.0.insert(place, (cluster, make()));
            place
        });
        &mut self.0.as_mut_slice()[place].1
    }

    pub(super) fn remove(&mut self, cluster: usize) {
        if let Ok(place) = self.place(cluster) {
            self.0.remove(place);
        }
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = (&usize, &Placement)> {
        self.all().iter().map(|(cluster, placement)| (cluster, placement))
    }

    pub(crate) fn keys(&self) -> impl Iterator<Item = &usize> {
        self.all().iter().map(|(cluster, _)| cluster)
    }

    pub(crate) fn values(&self) -> impl Iterator<Item = &Placement> {
        self.all().iter().map(|(_, placement)| placement)
    }

    fn all(&self) -> &[(usize, Placement)] {
        self.0.as_slice()
    }

    fn place(&self, cluster: usize) -> Result<usize, usize> {
        self.all().binary_search_by_key(&cluster, |(index, _)| *index)
    }
}
