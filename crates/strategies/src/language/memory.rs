//! What was recommended before, and what came of it as far as that can be seen.

use super::brief::Brief;
use control::strategy::View;
use model::names::{ClusterName, WorkloadRef};
use model::time::Timestamp;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::collections::VecDeque;

/// So many recommendations are remembered.
const MOST_REMEMBERED: usize = 20;

#[derive(Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Memory {
    moves: VecDeque<Remembered>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Remembered {
    at: Timestamp,
    workload: WorkloadRef,
    from: ClusterName,
    to: ClusterName,
}

impl Memory {
    pub(crate) fn note(
        &mut self,
        at: Timestamp,
        workload: &WorkloadRef,
        from: &ClusterName,
        to: &ClusterName,
    ) {
        let same = |one: &Remembered| one.workload == *workload && one.to == *to;
        self.moves.retain(|one| !same(one));
        self.moves.push_back(Remembered {
            at,
            workload: workload.clone(),
            from: from.clone(),
            to: to.clone(),
        });
        while self.moves.len() > MOST_REMEMBERED {
            self.moves.pop_front();
        }
    }

    /// For the model: who can be named, when, from where to where, and where it is now. Ids only.
    pub(crate) fn told(&self, brief: &Brief, view: &View<'_>) -> Value {
        let lines = self.moves.iter().filter_map(|one| {
            let home = view.snapshot.workloads.get(&one.workload)?.home()?;
            let subject = brief.subjects.iter().find(|subject| subject.name == one.workload);
            let outcome = if *home == one.to { "moved" } else { "not moved" };
            Some(json!({
                "minutes_ago": view.now.since(one.at).as_millis() / 60_000,
                "workload": subject.map(|subject| subject.id.as_str()),
                "from": brief.id_of(&one.from)?,
                "to": brief.id_of(&one.to)?,
                "outcome": outcome,
            }))
        });
        Value::Array(lines.collect())
    }
}
