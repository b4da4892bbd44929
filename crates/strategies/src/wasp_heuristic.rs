//! The rule WASP falls back to when its language model gives no usable answer, for comparison.
//!
//! A workload belongs in the second cluster when the sum over its pods asks for more than half a core or a gibibyte, or
//! when more than half of them are pending; otherwise in the first. The state of the clusters plays no part.

use crate::karmada_native::order_or_all;
use crate::sight::Sight;
use crate::words;
use control::strategy::{Decision, Strategy, View};
use model::action::Action;
use model::names::{ClusterName, WorkloadRef};
use model::quantity::{Bytes, MilliCpu};
use model::ratio::Ratio;
use model::recommendation::{Draft, Rationale};
use model::resources::Resources;
use model::snapshot::{PlacementView, WorkloadView};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// More CPU than this, summed over the workload's pods, belongs in the second cluster.
const MAX_CPU: MilliCpu = MilliCpu(500);
/// More memory than this does too: 1024 Mi.
const MAX_MEMORY: Bytes = Bytes(1024 << 20);
/// And so does a larger pending share than this.
const MAX_PENDING: Ratio = Ratio::from_percent(50);

/// Which clusters are first and second.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct WaspHeuristicConfig {
    /// The first two are used; all clusters in name order when empty.
    #[schemars(with = "Vec<String>")]
    pub order: Vec<ClusterName>,
}

/// The strategy with its order.
pub struct WaspHeuristic(pub WaspHeuristicConfig);

impl Strategy for WaspHeuristic {
    fn memory(&self) -> Option<Value> {
        Some(Value::Null)
    }

    fn recall(&mut self, memory: Value) -> bool {
        memory.is_null()
    }

    fn decide(&mut self, view: &View<'_>) -> Decision {
        let sight = Sight::of(view);
        let order = order_or_all(&self.0.order, view);
        let [first, second, ..] = order[..] else {
            return Decision::hold(sight.nothing_possible(false));
        };
        let drafts = view.snapshot.workloads.iter().filter_map(|(name, workload)| {
            let from = workload.home()?;
            let placement = workload.placements[from];
            if asks_for_nothing(workload, placement) {
                return None;
            }
            let (to, why) = match why_second(workload, placement) {
                Some(why) => (second, why),
                None => (first, "it is small and runs".to_owned()),
            };
            let allowed = sight.may_move(name, workload) && sight.sees(from) && sight.sees(to);
            let moves = allowed && from != to && placement.replicas > 0;
            moves.then(|| draft(name, from, to, placement, &why))
        });
        Decision::recommend(drafts.collect(), sight.nothing_wrong())
    }
}

/// WASP leaves out rows without CPU and memory.
fn asks_for_nothing(workload: &WorkloadView, placement: PlacementView) -> bool {
    placement.pods == 0 || workload.each.cpu.is_zero() && workload.each.memory.is_zero()
}

/// Why the workload belongs in the second cluster, if it does.
fn why_second(workload: &WorkloadView, placement: PlacementView) -> Option<String> {
    let row: Resources = workload.each.times(u64::from(placement.pods));
    let pending = Ratio::of(u64::from(placement.pods_pending), u64::from(placement.pods));
    if row.cpu > MAX_CPU {
        Some(format!("its pods request {}, more than {}", words::cpu(row.cpu), words::cpu(MAX_CPU)))
    } else if row.memory > MAX_MEMORY {
        Some(format!(
            "its pods request {}, more than {}",
            words::memory(row.memory),
            words::memory(MAX_MEMORY)
        ))
    } else if pending > MAX_PENDING {
        Some(format!("{} of its pods are pending", words::percent(pending)))
    } else {
        None
    }
}

fn draft(
    name: &WorkloadRef,
    from: &ClusterName,
    to: &ClusterName,
    placement: PlacementView,
    why: &str,
) -> Draft {
    let (workload, from, to) = (name.clone(), from.clone(), to.clone());
    let summary = format!("{} belongs in {to}: {why}", name.name());
    let action = Action::Migrate { workload, from, to, replicas: placement.replicas };
    Draft { action, because: Rationale { summary, ..Rationale::default() } }
}
