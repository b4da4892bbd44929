//! Orders nodes for pods that wait.

use super::config::ProvisionerConfig;
use super::memory::ProvisionerMemory;
use super::simulation::{room, simulate};
use super::view::{Catalogue, OfferingId, ProvisionerView};
use crate::autoscaler::GroupId;
use model::time::Timestamp;

/// A node to order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Launch {
    pub group: GroupId,
    /// The place in the pool's zones; nothing if any will do.
    pub zone: Option<u32>,
}

/// What a batch of waiting pods came to.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Provisioning {
    pub launch: Vec<Launch>,
    /// Have a place on nodes that are there or booting.
    pub fit_already: u32,
    /// Have a place on the nodes ordered now, unless a pool reaches its maximum before.
    pub helped: u32,
    pub not_helped: u32,
}

/// Looks for places for all waiting pods at once, and orders the cheapest nodes for those that have none.
pub fn provision(
    now: Timestamp,
    config: &ProvisionerConfig,
    view: &ProvisionerView<'_>,
    memory: &mut ProvisionerMemory,
) -> Provisioning {
    let outcome = simulate(config, view, &[]);
    memory.nominate(now, config, view, outcome.used.iter().copied());
    let mut room = room(view);
    let launch = outcome.claims.iter().filter_map(|claim| choose(view.catalogue, &claim.options, &mut room));
    Provisioning {
        launch: launch.collect(),
        fit_already: outcome.fit_already,
        helped: outcome.helped,
        not_helped: outcome.not_helped,
    }
}

/// The first option, the cheapest, whose pool has room.
pub(super) fn choose(catalogue: &Catalogue, options: &[OfferingId], room: &mut [u32]) -> Option<Launch> {
    let has_room = |id: &&OfferingId| room[catalogue.get(**id).group.index()] > 0;
    let chosen = catalogue.get(*options.iter().find(has_room)?);
    room[chosen.group.index()] -= 1;
    let of_group = options.iter().filter(|id| catalogue.get(**id).group == chosen.group);
    let any_zone = of_group.count() == catalogue.zones_of(chosen.group);
    Some(Launch { group: chosen.group, zone: chosen.zone.filter(|_| !any_zone) })
}
