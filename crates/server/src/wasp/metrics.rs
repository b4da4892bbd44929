//! What WASP's monitor would show now.

use crate::access::Sight;
use crate::desk::Desk;
use control::agent::Scope;
use lab::wasp_export::wasp_snapshot;
use simulator::wasp::{KeyFormat, WaspMetrics, metrics_json};

/// The newest snapshot as far as somebody sees it; an empty object before the first one.
///
/// Clusters stand in the order of the scenario: WASP's engine counts them, and sends their numbers back.
pub(crate) fn metrics(desk: &Desk, scope: &Scope) -> String {
    let interval = desk.header().control.observe_every;
    let shown = desk.now().snapshot.as_ref().map(|snapshot| {
        let mut shown = wasp_snapshot(&Sight::from(scope).snapshot(snapshot), interval);
        let place = |label: &str| desk.clusters().iter().position(|cluster| cluster.as_str() == label);
        shown.clusters.sort_by_key(|row| place(&row.cluster_label));
        shown
    });
    metrics_json(&WaspMetrics { snapshots: shown.into_iter().collect() }, KeyFormat::Calendar)
}
