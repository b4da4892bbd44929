//! What the provisioner looks at: the cluster as the cluster autoscaler sees it, and what can be ordered.

use super::preferences::Ladders;
use crate::autoscaler::{ClusterView, GroupId};
use crate::kube;
use crate::scheduler::{NodeId, PodId, TemplateId};
use model::money::MicroDollars;
use model::time::Timestamp;

/// An offering's place in its catalogue.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct OfferingId(pub u32);

/// An instance type: nodes of one pool in one of its zones.
#[derive(Clone, Debug)]
pub struct Offering {
    pub group: GroupId,
    /// The place in the pool's zones; nothing for a pool without zones.
    pub zone: Option<u32>,
    /// What such a node looks like but for its name.
    pub node: kube::Node,
    /// The place in [`super::ProvisionerConfig::node_pools`].
    pub node_pool: usize,
    pub price_per_hour: MicroDollars,
    /// May be taken back by the provider.
    pub spot: bool,
}

/// Everything that can be ordered; the same as long as the cluster exists.
#[derive(Clone, Debug, Default)]
pub struct Catalogue {
    pub offerings: Vec<Offering>,
}

impl Catalogue {
    pub(super) fn get(&self, id: OfferingId) -> &Offering {
        &self.offerings[id.0 as usize]
    }

    pub(super) fn ids(&self) -> impl Iterator<Item = OfferingId> + use<> {
        (0..self.offerings.len()).map(|index| OfferingId(index as u32))
    }

    /// Any offering of a pool; nothing if the pool is not the provisioner's.
    pub(super) fn of_group(&self, group: GroupId) -> Option<&Offering> {
        self.offerings.iter().find(|offering| offering.group == group)
    }

    /// The offering of a pool in one of its zones.
    pub fn find(&self, group: GroupId, zone: Option<u32>) -> Option<OfferingId> {
        self.ids().find(|id| (self.get(*id).group, self.get(*id).zone) == (group, zone))
    }

    pub(super) fn zones_of(&self, group: GroupId) -> usize {
        self.offerings.iter().filter(|offering| offering.group == group).count()
    }
}

/// What decides whether and at what price a placed pod is disrupted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PodDisruption {
    /// The annotation `karpenter.sh/do-not-disrupt`, as far as it still holds.
    pub do_not_disrupt: bool,
    /// The annotation `controller.kubernetes.io/pod-deletion-cost`.
    pub deletion_cost: i32,
    /// It runs, or its controller waits for its end to make the next one; and it is no daemon.
    pub reschedulable: bool,
    /// Neither told to stop nor done.
    pub active: bool,
}

/// One cluster at one moment. In [`ClusterView::nodes`], nodes that are marked for removal are being removed.
#[derive(Clone, Copy)]
pub struct ProvisionerView<'a> {
    pub cluster: ClusterView<'a>,
    pub catalogue: &'a Catalogue,
    /// One entry for each node that boots.
    pub coming: &'a [OfferingId],
    /// By pool: nodes that are marked for removal and not draining yet.
    pub marked: &'a [u32],
    /// Daemons of the cluster; those that fit run on every new node.
    pub daemons: &'a [TemplateId],
    pub ladders: &'a Ladders,
    /// Asked only about pods that exist.
    pub disruption: &'a dyn Fn(PodId) -> PodDisruption,
    /// When the last pod came to a node or left it, or the node became ready.
    pub quiet_since: &'a dyn Fn(NodeId) -> Timestamp,
    /// Differs from that of an earlier moment if pods came or went, or nodes did.
    pub version: u64,
}
