//! The section about power: what the hosts drew, and what that emitted.

use super::html::{push, write_figure};
use super::tables::{MOST_ROWS, cell, close, left_out_of, open};
use super::{Figures, ReportInput};
use crate::markup::Escaped;
use crate::wording;
use model::energy::Milliwatts;
use model::names::ClusterName;

pub(super) fn write(out: &mut String, input: &ReportInput<'_>, figures: &Figures) {
    let before = figures.course.len() + figures.services.len() + figures.faults.len();
    for (index, figure) in figures.power.iter().enumerate() {
        write_figure(out, before + index + 1, figure, "What all nodes of a cluster draw together.");
    }
    let columns = ["Cluster", "Energy", "Mean power", "Highest power", "Carbon", "Carbon per kWh"];
    open(out, "numbers power", "Energy of each cluster, and what it emitted", &columns);
    out.push_str("<tbody>");
    let meters = &input.summary.meters;
    for (name, cluster) in meters.clusters.iter().take(MOST_ROWS) {
        row(out, input, name.as_str(), (cluster.energy_kwh, cluster.carbon_kg), peak(input, name));
    }
    if meters.clusters.len() > 1 {
        let emitting = meters
            .clusters
            .values()
            .all(|cluster| cluster.energy_kwh.is_none() == cluster.carbon_kg.is_none());
        // A mean intensity would mislead where only some clusters say what they emit.
        let name = if emitting { "All clusters" } else { "All clusters that know" };
        row(out, input, name, (meters.energy_kwh, meters.carbon_kg), None);
    }
    out.push_str("</tbody>");
    close(out);
    left_out_of(out, meters.clusters.len(), "summary.json");
}

fn row(
    out: &mut String,
    input: &ReportInput<'_>,
    name: &str,
    (energy, carbon): (Option<f64>, Option<f64>),
    peak: Option<f64>,
) {
    let hours = input.summary.duration_s / 3600.0;
    let known = |text: Option<String>| text.unwrap_or_else(|| "–".to_owned());
    let mean = energy.filter(|_| hours > 0.0).map(|energy| energy * 1000.0 / hours);
    let intensity = energy.zip(carbon).filter(|(energy, _)| *energy > 0.0);
    push(out, format_args!("<tr><th scope=\"row\">{}</th>", Escaped(name)));
    cell(out, "number", &known(energy.map(wording::energy)));
    cell(out, "number", &known(mean.map(wording::power)));
    cell(out, "number", &known(peak.map(wording::power)));
    cell(out, "number", &known(carbon.map(wording::emissions)));
    let per_hour = intensity
        .map(|(energy, carbon)| format!("{}\u{a0}g", wording::significant(carbon * 1000.0 / energy)));
    cell(out, "number", &known(per_hour));
    out.push_str("</tr>");
}

/// The most that a cluster drew when it was looked at.
fn peak(input: &ReportInput<'_>, name: &ClusterName) -> Option<f64> {
    let (_, samples) = input.series.clusters.iter().find(|(cluster, _)| cluster == name)?;
    samples.iter().filter_map(|sample| sample.power).max().map(Milliwatts::as_watts_float)
}
