//! What somebody does to a simulated cluster from outside. It is written down before it has an effect, so that a run that is taken again
//! finds it at the same moment.

use super::engine::Engine;
use super::once::Behind;
use super::work::{Office, OfficeError};
use crate::storage::tables::journal::Entry;
use model::time::Timestamp;
use serde_json::json;
use simulator::world::{Intervention, SimulatedWorld};
use std::sync::Arc;

/// How the record calls it.
pub(super) const INTERVENTION: &str = "intervention";

/// Somebody who is shown the world whenever it may have changed.
pub type Onlooker = Arc<dyn Fn(&SimulatedWorld) + Send + Sync>;

impl Office {
    /// Everything that is due happens first; what cannot be done is refused and leaves no trace.
    pub(super) fn intervene(
        &mut self,
        actor: &str,
        intervention: &Intervention,
        behind: &Behind,
    ) -> Result<(), OfficeError> {
        self.settle_moment()?;
        if self.engine.has_ended() {
            return Err(OfficeError::Ended);
        }
        self.engine.could(intervention)?;
        self.note_for((INTERVENTION, actor, &intervention.subject()), &json!(intervention), &[], behind)?;
        self.engine.intervene(intervention)?;
        Ok(())
    }
}

/// Takes an intervention again: the world goes to the moment at which it was done, and nothing else may happen on the way.
pub(super) fn again(engine: &mut Engine, entry: &Entry) -> bool {
    let at = Timestamp(entry.at_ms as u64);
    if engine.next_step(at).is_ok() || engine.now() != at {
        return false;
    }
    let intervention = entry.body.read::<Intervention>("an intervention");
    intervention.is_ok_and(|intervention| engine.intervene(&intervention).is_ok())
}
