//! The key numbers of a run, large, each with a line that says what it means.

use super::ReportInput;
use super::headline::{fullest, share};
use super::html::push;
use crate::markup::Escaped;
use crate::wording::{self, count, percent};
use model::ratio::Ratio;

struct Tile {
    label: &'static str,
    value: String,
    note: String,
    /// Whether the number says that something was not as wanted.
    attention: bool,
}

pub(crate) fn write(out: &mut String, input: &ReportInput<'_>) {
    out.push_str("<dl class=\"tiles\">");
    for tile in [peak(input), above(input), pending(input), moved(input), answered(input), cost(input)] {
        let class = if tile.attention { "tile attention" } else { "tile" };
        let (value, note) = (Escaped(&tile.value), Escaped(&tile.note));
        push(
            out,
            format_args!(
                "<div class=\"{class}\"><dt>{}</dt><dd class=\"value\">{value}</dd><dd class=\"note\">{note}</dd></div>",
                tile.label
            ),
        );
    }
    out.push_str("</dl>");
}

fn peak(input: &ReportInput<'_>) -> Tile {
    let (value, note, load) = fullest(&input.summary.meters.clusters).map_or_else(
        || ("–".to_owned(), "nothing was measured".to_owned(), Ratio::ZERO),
        |(name, load, resource)| (percent(load), format!("{resource} in {name}"), load),
    );
    Tile { label: "Highest load", value, note, attention: load > input.limits.max_load }
}

fn above(input: &ReportInput<'_>) -> Tile {
    let clusters = input.summary.meters.clusters.iter();
    let worst = clusters.max_by(|a, b| a.1.limit_violation_ratio.total_cmp(&b.1.limit_violation_ratio));
    let (ratio, note) = match worst {
        Some((name, meters)) if meters.limit_violation_ratio > 0.0 => {
            (share(meters.limit_violation_ratio), format!("of the time, in {name}"))
        }
        _ => (Ratio::ZERO, "of the time: the limits held".to_owned()),
    };
    Tile { label: "A limit broken", value: percent(ratio), note, attention: ratio > Ratio::ZERO }
}

fn pending(input: &ReportInput<'_>) -> Tile {
    let meters = &input.summary.meters;
    let note = format!("at most; some for {} of the time", percent(share(meters.time_with_pending_ratio)));
    let none = meters.pending_pods_max == 0;
    let note = if none { "every pod had a node at once".to_owned() } else { note };
    Tile { label: "Pending pods", value: wording::grouped(meters.pending_pods_max), note, attention: false }
}

fn moved(input: &ReportInput<'_>) -> Tile {
    let meters = &input.summary.meters;
    let again =
        if meters.repeat_moves == 0 { "none".to_owned() } else { wording::grouped(meters.repeat_moves) };
    let note = format!("{}; {again} moved again", count(meters.migrated_pods, "pod"));
    let value = wording::grouped(meters.workload_moves);
    Tile { label: "Workloads moved", value, note, attention: meters.repeat_moves > 0 }
}

fn answered(input: &ReportInput<'_>) -> Tile {
    let counts = &input.summary.recommendations;
    let open = counts.pending + counts.approved + counts.applying;
    let failed = counts.failed + counts.rolled_back;
    let note = format!("of {}; {failed} failed, {open} open", count(counts.total, "recommendation"));
    Tile { label: "Applied", value: wording::grouped(counts.applied), note, attention: failed > 0 }
}

fn cost(input: &ReportInput<'_>) -> Tile {
    let meters = &input.summary.meters;
    let cost = model::money::MicroDollars((meters.cost_usd * 1e6).round() as i64);
    let note = format!("{} node hours", crate::summary::decimal(meters.node_hours));
    Tile { label: "Cost", value: wording::dollars(cost), note, attention: false }
}
