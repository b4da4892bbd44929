//! The section about services: figures of the worst, and a table of all.

use super::html::{push, write_figure};
use super::tables::{MOST_ROWS, cell, close, left_out_of, open};
use super::{Figures, ReportInput};
use crate::figure::Figure;
use crate::figure::charts::Charts;
use crate::markup::Escaped;
use crate::summary::ServiceMeters;
use crate::wording;
use model::names::ClusterName;

/// More figures than this nobody compares; the table has all services.
const MOST_FIGURES: usize = 6;

/// The worst services, the worst first.
pub(super) fn figures(input: &ReportInput<'_>, charts: &Charts<'_>) -> Vec<Figure> {
    let worst = input.summary.worst_services();
    let drawn = worst.into_iter().filter_map(|(name, meters)| {
        let (_, samples) = input.series.services.iter().find(|(service, _)| service == name)?;
        Some(charts.service(name, samples, meters))
    });
    drawn.take(MOST_FIGURES).collect()
}

pub(super) fn write(out: &mut String, input: &ReportInput<'_>, figures: &Figures) {
    table(out, input);
    for (index, figure) in figures.services.iter().enumerate() {
        let note = if index == 0 { FIRST_NOTE } else { "" };
        write_figure(out, figures.course.len() + index + 1, figure, note);
    }
    let left_out = input.summary.meters.services.len().saturating_sub(figures.services.len());
    if left_out > 0 {
        let services = wording::count(left_out as u64, "service");
        push(
            out,
            format_args!(
                "<p class=\"more\">{services} not drawn, none of them worse than these; services.csv has their course.</p>"
            ),
        );
    }
}

const FIRST_NOTE: &str = "Filled where answers took longer than the objective allows, and where fewer replicas were ready than needed. \
                          Needed are the fewest that use at most nine tenths of the CPU they request.";

fn table(out: &mut String, input: &ReportInput<'_>) {
    let columns = [
        "Service",
        "Requests",
        "Answered",
        "Response time",
        "Objective",
        "Kept",
        "Down",
        "Replicas",
        "Rescaled",
        "Not answered",
    ];
    let caption = "What services did for their clients, the worst first; 95 of 100 answers took at most the response time";
    open(out, "numbers services", caption, &columns);
    out.push_str("<tbody>");
    let duration = input.summary.duration_s;
    for (name, meters) in input.summary.worst_services().into_iter().take(MOST_ROWS) {
        push(out, format_args!("<tr><th scope=\"row\">{}", Escaped(&wording::service(name))));
        push(out, format_args!("<span class=\"detail\">{}</span></th>", Escaped(&places(meters))));
        row(out, meters, duration);
        out.push_str("</tr>");
    }
    out.push_str("</tbody>");
    close(out);
    left_out_of(out, input.summary.meters.services.len(), "summary.json");
}

fn row(out: &mut String, meters: &ServiceMeters, duration_s: f64) {
    let number = |attention: bool| if attention { "number above" } else { "number" };
    let limit = meters.objective.and_then(|objective| objective.latency_p95_ms);
    let too_many = meters.objective.is_some_and(|objective| meters.failed_ratio() > objective.errors_ratio);
    cell(out, "number", &wording::whole(meters.requests));
    cell(out, number(too_many), &wording::share(meters.answered_ratio()));
    cell(
        out,
        number(limit.is_some_and(|limit| meters.p95_ms() > limit)),
        &wording::milliseconds(meters.p95_ms()),
    );
    cell(out, "number", &promised(meters));
    cell(
        out,
        if meters.kept() == Some(false) { "number above" } else { "number" },
        &verdict(meters, duration_s),
    );
    let down = if meters.downtime_s > 0.0 { wording::brief(meters.downtime_s) } else { "never".to_owned() };
    cell(out, number(meters.was_down(duration_s)), &down);
    let mean = if duration_s > 0.0 { meters.replica_hours * 3600.0 / duration_s } else { 0.0 };
    cell(
        out,
        "number",
        &format!("{} on average, {} at most", wording::significant(mean), meters.replicas_max),
    );
    let rescaled = meters.rescales.map_or_else(|| "–".to_owned(), |times| wording::count(times, "time"));
    cell(out, "number", &rescaled);
    let reasons = wording::unanswered(meters);
    cell(out, "", &if reasons.is_empty() { "none".to_owned() } else { reasons.join("; ") });
}

/// Where it ran.
fn places(meters: &ServiceMeters) -> String {
    let short = |name: &ClusterName| wording::shortened(name.as_str(), 24);
    match meters.clusters.as_slice() {
        [] => "nowhere ready".to_owned(),
        [one] => format!("in {}", short(one)),
        [one, other] => format!("in {} and {}", short(one), short(other)),
        many => format!("in {} clusters", many.len()),
    }
}

fn promised(meters: &ServiceMeters) -> String {
    let Some(objective) = meters.objective else { return "none".to_owned() };
    let errors = format!("{} failed at most", wording::share(objective.errors_ratio));
    objective
        .latency_p95_ms
        .map_or(errors.clone(), |limit| format!("{}, {errors}", wording::milliseconds(limit)))
}

fn verdict(meters: &ServiceMeters, duration_s: f64) -> String {
    let verdict = match meters.kept() {
        None => return "–".to_owned(),
        Some(true) => "yes",
        Some(false) => "no",
    };
    let missed = meters.objective_missed_time_ratio * duration_s;
    if missed > 0.0 {
        format!("{verdict}; not met for {}", wording::brief(missed))
    } else {
        verdict.to_owned()
    }
}
