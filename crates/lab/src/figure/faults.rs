//! When something went wrong: spans in all figures, and a figure with a row for each kind of trouble in each place.

use super::charts::Charts;
use super::{Figure, Span, Strip};
use crate::summary::FaultRecord;
use crate::wording;
use model::names::ClusterName;
use simulator::faults::FaultKind;

/// More rows than this are not drawn; the table has all faults.
const MOST_STRIPS: usize = 16;

/// One span for each fault, numbered from one.
pub(super) fn spans(faults: &[FaultRecord]) -> Vec<Span> {
    let span = |(index, fault): (usize, &FaultRecord)| Span {
        number: index + 1,
        cluster: fault.cluster.clone(),
        from: fault.from(),
        until: fault.until(),
    };
    faults.iter().enumerate().map(span).collect()
}

impl Charts<'_> {
    /// What was wrong when; nothing if nothing was.
    pub fn faults(&self, faults: &[FaultRecord]) -> Option<Figure> {
        let mut rows: Vec<(Option<&ClusterName>, FaultKind, Vec<&FaultRecord>)> = Vec::new();
        for fault in faults {
            let (cluster, kind) = (fault.cluster.as_ref(), fault.kind);
            match rows.iter_mut().find(|row| (row.0, row.1) == (cluster, kind)) {
                Some(row) => row.2.push(fault),
                None => rows.push((cluster, kind, vec![fault])),
            }
        }
        // What concerns everybody stands below the clusters.
        rows.sort_by_key(|(cluster, kind, _)| (cluster.is_none(), *cluster, *kind));
        if rows.is_empty() {
            return None;
        }
        let more = rows.len().saturating_sub(MOST_STRIPS);
        rows.truncate(MOST_STRIPS);
        let mut parts: Vec<String> =
            rows.iter().map(|(cluster, kind, faults)| described(*cluster, *kind, faults)).collect();
        if more > 0 {
            parts.push(format!("{} not drawn", wording::count(more as u64, "further kind")));
        }
        let description =
            format!("What went wrong over {}. {}.", wording::moment(self.end), parts.join("; "));
        let mut figure = self.drawing("faults", "What went wrong, and when", description, Vec::new());
        figure.strips = rows.iter().map(|(cluster, kind, faults)| strip(*cluster, *kind, faults)).collect();
        Some(figure)
    }
}

fn title(cluster: Option<&ClusterName>, kind: FaultKind) -> String {
    let kind = wording::fault_kind(kind);
    cluster.map_or_else(|| kind.to_owned(), |cluster| format!("{cluster} · {kind}"))
}

fn strip(cluster: Option<&ClusterName>, kind: FaultKind, faults: &[&FaultRecord]) -> Strip {
    let bars = faults.iter().map(|fault| (fault.from(), fault.until())).collect();
    Strip { title: title(cluster, kind), bars }
}

fn described(cluster: Option<&ClusterName>, kind: FaultKind, faults: &[&FaultRecord]) -> String {
    let times: Vec<String> = faults
        .iter()
        .take(3)
        .map(|fault| format!("{} to {}", wording::seconds(fault.from_s), wording::seconds(fault.to_s)))
        .collect();
    let more = faults.len().saturating_sub(times.len());
    let more = if more > 0 { format!(" and {more} times more") } else { String::new() };
    format!("{}: {}{more}", title(cluster, kind), times.join(", "))
}
