//! The part of a summary about services, power and what went wrong. Nothing is said about what a scenario does not have.

use super::{LABEL, LONGEST_NAME, line, row, share, wrapped};
use crate::summary::{FaultRecord, ServiceMeters, Summary};
use crate::wording;

/// A terminal shows this many services, the worst first, and this many faults.
const HANDFUL: usize = 6;

impl Summary {
    pub(super) fn services(&self, text: &mut String) {
        let all = self.worst_services();
        if all.is_empty() {
            return;
        }
        let names = all.iter().take(HANDFUL).map(|(name, _)| wording::service(name).chars().count());
        let width = names.max().unwrap_or(0).clamp(LABEL - 2, LONGEST_NAME);
        let row = |name: &str, cells: [&str; 7]| {
            let [requests, answered, p95, promised, down, replicas, rescaled] = cells;
            format!(
                "{name:width$}  {requests:>13} {answered:>8} {p95:>9} {promised:>9} {down:>11} {replicas:>12} {rescaled:>8}"
            )
        };
        line(text, "");
        let columns = ["requests", "answered", "p95", "objective", "down", "replicas", "rescaled"];
        line(text, &row("Service", columns));
        for (name, meters) in all.iter().take(HANDFUL) {
            let cells = cells(meters, self.duration_s);
            line(
                text,
                &row(
                    &wording::shortened(&wording::service(name), width),
                    cells.each_ref().map(String::as_str),
                ),
            );
            for remark in remarks(meters, self.duration_s) {
                wrapped(text, &remark, 2);
            }
        }
        and_more(text, all.len());
    }

    pub(super) fn power(&self, text: &mut String) {
        let Some(energy) = self.meters.energy_kwh else { return };
        let carbon = self.meters.carbon_kg.map(|carbon| format!(", {}", wording::emissions(carbon)));
        row(text, "Energy", &format!("{}{}", wording::energy(energy), carbon.unwrap_or_default()));
    }

    pub(super) fn trouble(&self, text: &mut String) {
        if self.faults.is_empty() {
            return;
        }
        line(text, "");
        line(text, &format!("What went wrong: {}", wording::count(self.faults.len() as u64, "fault")));
        for fault in self.faults.iter().take(HANDFUL) {
            wrapped(text, &happened(fault), 2);
        }
        and_more(text, self.faults.len());
    }
}

fn cells(meters: &ServiceMeters, duration_s: f64) -> [String; 7] {
    let promised = meters.objective.and_then(|objective| objective.latency_p95_ms);
    let mean = if duration_s > 0.0 { meters.replica_hours * 3600.0 / duration_s } else { 0.0 };
    [
        requests(meters.requests),
        share(meters.answered_ratio()),
        wording::milliseconds(meters.p95_ms()),
        promised.map_or_else(|| "–".to_owned(), wording::milliseconds),
        if meters.downtime_s > 0.0 { wording::brief(meters.downtime_s) } else { "never".to_owned() },
        format!("{}, max {}", wording::significant(mean), meters.replicas_max),
        meters.rescales.map_or_else(|| "–".to_owned(), |rescales| format!("{}×", wording::grouped(rescales))),
    ]
}

/// Thirteen columns at most, whatever a year of requests comes to.
fn requests(number: f64) -> String {
    const BILLION: f64 = 1e9;
    if number < BILLION {
        wording::whole(number)
    } else {
        format!("{} billion", wording::significant(number / BILLION))
    }
}

/// What a row of numbers does not say.
fn remarks(meters: &ServiceMeters, duration_s: f64) -> Vec<String> {
    let mut remarks = Vec::new();
    if meters.objective_missed_time_ratio > 0.0 {
        let verdict = if meters.kept() == Some(false) { "missed" } else { "kept over all" };
        let time = wording::brief(meters.objective_missed_time_ratio * duration_s);
        remarks.push(format!("objective {verdict}; not met for {time}"));
    }
    let reasons = wording::unanswered(meters);
    if !reasons.is_empty() {
        remarks.push(format!("not answered: {}", reasons.join("; ")));
    }
    remarks
}

fn happened(fault: &FaultRecord) -> String {
    let (from, lasted) = (wording::seconds(fault.from_s), wording::seconds(fault.to_s - fault.from_s));
    let lasted = if fault.ended { format!("for {lasted}") } else { format!("until the end ({lasted})") };
    format!("at {from} {lasted}: {}; hit {}", wording::fault(fault), wording::hit(&fault.hit))
}

fn and_more(text: &mut String, all: usize) {
    if let Some(more) = all.checked_sub(HANDFUL).filter(|more| *more > 0) {
        line(text, &format!("  and {} more, in summary.json", wording::grouped(more as u64)));
    }
}
