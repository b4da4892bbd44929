//! The key numbers of a run, large, each with a line that says what it means.

use super::ReportInput;
use super::headline::{fullest, share};
use super::html::push;
use crate::markup::Escaped;
use crate::summary::ServiceMeters;
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
    let services = [requests_answered(input), slowest(input), down(input)];
    let others = [went_wrong(input), energy(input), carbon(input)];
    row(out, services.into_iter().chain(others).flatten());
    row(
        out,
        [peak(input), above(input), pending(input), moved(input), answered(input), cost(input)].into_iter(),
    );
}

/// One row; none if there are no tiles.
fn row(out: &mut String, tiles: impl Iterator<Item = Tile>) {
    let mut tiles = tiles.peekable();
    if tiles.peek().is_none() {
        return;
    }
    out.push_str("<dl class=\"tiles\">");
    for tile in tiles {
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

/// All services together.
fn requests_answered(input: &ReportInput<'_>) -> Option<Tile> {
    let services = &input.summary.meters.services;
    let sum = |of: fn(&ServiceMeters) -> f64| services.values().map(of).sum::<f64>();
    let (requests, failed) = (sum(|service| service.requests), sum(ServiceMeters::failed));
    let value = wording::share(if requests > 0.0 { 1.0 - (failed / requests).min(1.0) } else { 1.0 });
    let allowed = |service: &ServiceMeters| {
        // Without an objective, what objectives allow unless they say otherwise.
        service.failed_ratio() <= service.objective.map_or(0.01, |objective| objective.errors_ratio)
    };
    let note =
        format!("of {} requests to {}", wording::whole(requests), count(services.len() as u64, "service"));
    let attention = !services.values().all(allowed);
    (!services.is_empty()).then_some(Tile { label: "Answered", value, note, attention })
}

/// The service that is furthest above its objective, or the slowest where nothing is promised.
fn slowest(input: &ReportInput<'_>) -> Option<Tile> {
    let promise = |service: &ServiceMeters| service.objective.and_then(|objective| objective.latency_p95_ms);
    let excess = |service: &ServiceMeters| {
        promise(service).map_or((false, service.p95_ms()), |limit| (true, service.p95_ms() / limit))
    };
    let slower = |a: &ServiceMeters, b: &ServiceMeters| {
        let ((some, a), (other, b)) = (excess(a), excess(b));
        some.cmp(&other).then(a.total_cmp(&b))
    };
    let (name, service) = input.summary.meters.services.iter().max_by(|a, b| slower(a.1, b.1))?;
    let limit = promise(service);
    let promised = limit.map(|limit| format!("; objective {}", wording::milliseconds(limit)));
    Some(Tile {
        label: "Slowest service",
        value: wording::milliseconds(service.p95_ms()),
        note: format!("95 of 100 answers of {}{}", wording::service(name), promised.unwrap_or_default()),
        attention: limit.is_some_and(|limit| service.p95_ms() > limit),
    })
}

fn down(input: &ReportInput<'_>) -> Option<Tile> {
    let services = input.summary.meters.services.iter();
    // Of equals the first, as in the headline.
    let (name, worst) = services.rev().max_by(|a, b| a.1.downtime_s.total_cmp(&b.1.downtime_s))?;
    let note = if worst.downtime_s > 0.0 {
        format!("nobody answered for {}, the longest", wording::service(name))
    } else {
        "somebody was always there to answer".to_owned()
    };
    let value = wording::brief(worst.downtime_s);
    let attention = worst.was_down(input.summary.duration_s);
    Some(Tile { label: "Down", value, note, attention })
}

fn went_wrong(input: &ReportInput<'_>) -> Option<Tile> {
    let faults = &input.summary.faults;
    let pods: u64 = faults.iter().map(|fault| fault.hit.pods).sum();
    let orders: u64 = faults.iter().map(|fault| fault.hit.orders).sum();
    let note = format!("hit {} and {}", count(pods, "pod"), count(orders, "change"));
    let value = wording::grouped(faults.len() as u64);
    (!faults.is_empty()).then_some(Tile { label: "Faults", value, note, attention: false })
}

fn energy(input: &ReportInput<'_>) -> Option<Tile> {
    let energy = input.summary.meters.energy_kwh?;
    let hours = input.summary.duration_s / 3600.0;
    let mean = if hours > 0.0 { energy * 1000.0 / hours } else { 0.0 };
    let note = format!("{} on average", wording::power(mean));
    Some(Tile { label: "Energy", value: wording::energy(energy), note, attention: false })
}

fn carbon(input: &ReportInput<'_>) -> Option<Tile> {
    let carbon = input.summary.meters.carbon_kg?;
    let clusters = input.summary.meters.clusters.values().filter(|cluster| cluster.carbon_kg.is_some());
    let text = wording::emissions(carbon);
    let (value, unit) = text
        .split_once(" CO")
        .map_or((text.as_str(), String::new()), |(value, unit)| (value, format!("CO{unit}")));
    let note = format!("{unit} in {}", count(clusters.count() as u64, "cluster"));
    Some(Tile { label: "Carbon", value: value.to_owned(), note, attention: false })
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
