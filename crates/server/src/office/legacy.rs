//! What a new run finds of the one before: a run that cannot go on, because the rules, the agents or the program have changed, must not take
//! with it what people have stopped.

use crate::storage::tables::freezes::{self, Freeze};
use crate::storage::tables::runs::{self, Run};
use crate::storage::tables::{executions, modes, recommendations, track_records};
use crate::storage::{Connection, Error};
use control::control_loop::TrackRecord;
use control::legacy::Legacy;
use model::names::{AgentName, ReviewerName};
use model::order::{FreezeId, Mode, ModeSetting, StandingFreeze};
use model::recommendation::RecommendationId;
use model::time::Timestamp;
use std::collections::BTreeMap;

/// What is left of a run that stood at `moment`. Of one that has ended, only how well agents predicted.
pub(super) fn of(
    connection: &mut dyn Connection,
    former: &Run,
    moment: Timestamp,
) -> Result<Option<Legacy>, Error> {
    let mut legacy = Legacy { from: former.id.clone(), records: records(connection)?, ..Legacy::default() };
    if former.status == runs::RUNNING {
        let standing = freezes::unlifted(connection, &former.id)?;
        legacy.freezes = standing.iter().filter_map(|freeze| frozen(freeze, moment)).collect();
        legacy.modes = answering(connection)?;
        legacy.left = under_way(connection, former)?;
    }
    Ok(Some(legacy).filter(|legacy| !legacy.is_empty()))
}

/// A freeze in the time of a run that begins. One whose end came while nobody was there ends at once, and its part goes back to people.
fn frozen(freeze: &Freeze, moment: Timestamp) -> Option<StandingFreeze> {
    let rest = |until: i64| Timestamp((until.max(0) as u64).saturating_sub(moment.0).max(1));
    Some(StandingFreeze {
        id: FreezeId(0),
        scope: freeze.extent()?,
        by: ReviewerName::new(&freeze.frozen_by).ok()?,
        reason: freeze.reason.clone(),
        since: Timestamp::EPOCH,
        until: freeze.until_ms.map(rest),
    })
}

fn answering(connection: &mut dyn Connection) -> Result<Vec<ModeSetting>, Error> {
    let careful = |setting: ModeSetting| {
        let mode = if setting.mode.is_grant() { Mode::Human } else { setting.mode };
        ModeSetting { mode, ..setting }
    };
    let kept = modes::all(connection)?;
    kept.iter().map(|row| row.settings.read("a mode").map(careful)).collect()
}

/// All that was ever held against what happened, whatever the run.
fn records(connection: &mut dyn Connection) -> Result<BTreeMap<AgentName, TrackRecord>, Error> {
    let mut records: BTreeMap<AgentName, TrackRecord> = BTreeMap::new();
    for row in track_records::all(connection)? {
        if let Ok(agent) = AgentName::new(&row.agent) {
            let record = records.entry(agent).or_default();
            record.predicted += row.predictions.max(0) as u64;
            record.inside += row.inside.max(0) as u64;
        }
    }
    Ok(records)
}

/// What was under way in real clusters. A simulated world is gone with its run.
fn under_way(connection: &mut dyn Connection, former: &Run) -> Result<Vec<String>, Error> {
    let mut left = Vec::new();
    if former.kind == runs::REAL {
        for execution in executions::unfinished(connection, &former.id)? {
            let id = RecommendationId(execution.recommendation as u64);
            let plan = recommendations::get(connection, &former.id, execution.recommendation)?;
            left.push(plan.map_or_else(|| id.to_string(), |plan| format!("{id}: {}", plan.action)));
        }
    }
    Ok(left)
}

/// Says what an operator should know.
pub(super) fn tell(legacy: &Legacy) {
    let Legacy { from, freezes, modes, left, .. } = legacy;
    if !freezes.is_empty() || !modes.is_empty() {
        crate::log::note(&format!(
            "a new run begins with {} freezes and {} modes of {from}; what was granted there is for people now",
            freezes.len(),
            modes.len()
        ));
    }
    for plan in left {
        crate::log::error(&format!(
            "{from} ended while {plan} was being carried out; nobody follows it any more, so look at it in the clusters"
        ));
    }
}
