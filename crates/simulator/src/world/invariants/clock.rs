//! Time passes once, forwards.

use super::ensure;
use crate::world::SimulatedWorld;
use model::time::Timestamp;

pub(super) fn metered(world: &SimulatedWorld) -> Result<(), String> {
    let (metered, passed) = (world.totals().elapsed, world.now().since(Timestamp::EPOCH));
    ensure(metered == passed, || format!("{metered} metered, {passed} passed"))
}

pub(super) fn forwards(before: Timestamp, now: Timestamp) -> Result<(), String> {
    ensure(before <= now, || format!("time went from {before} to {now}"))
}
