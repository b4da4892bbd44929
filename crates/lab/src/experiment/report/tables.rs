//! The tables of one scenario: all means, and what is known about differences to the baseline.

use crate::experiment::conclusion::{asked, equals};
use crate::experiment::digits;
use crate::experiment::export::table::{Cell, Column, LEGEND, Table};
use crate::experiment::results::{ArmCounts, MetricRow, Results, SettingResults};
use crate::markup::Escaped;
use crate::report::html::push;
use crate::statistics::{Comparison, Verdict};

/// More columns do not fit on paper; the rest go into a table below.
const MOST_COLUMNS: usize = 6;

pub(super) fn write(out: &mut String, results: &Results, setting: &SettingResults) {
    let table = Table::of(results, setting);
    let count = table.columns.len();
    for begin in (0..count).step_by(MOST_COLUMNS) {
        block(out, results, setting, &table, begin..(begin + MOST_COLUMNS).min(count));
    }
    legend(out, setting);
    differences(out, results, setting);
}

fn block(
    out: &mut String,
    results: &Results,
    setting: &SettingResults,
    table: &Table,
    columns: std::ops::Range<usize>,
) {
    open(out, "outcome", "All means", &setting.name);
    out.push_str("<thead><tr><th scope=\"col\">Metric</th>");
    for index in columns.clone() {
        column_head(out, setting, &table.columns[index], index.checked_sub(results.arms.len()));
    }
    out.push_str("</tr></thead><tbody><tr><th scope=\"row\">completed runs (n)</th>");
    for index in columns.clone() {
        let text = setting
            .arms
            .get(index)
            .map_or_else(|| "–".to_owned(), |counts| runs(counts, results.seeds.len()));
        push(out, format_args!("<td{}>{}</td>", theirs(&table.columns[index]), Escaped(&text)));
    }
    out.push_str("</tr>");
    for row in &table.rows {
        push(out, format_args!("<tr><th scope=\"row\">{}</th>", Escaped(&row.title)));
        for index in columns.clone() {
            push(
                out,
                format_args!("<td{}>{}</td>", theirs(&table.columns[index]), cell(row.cells[index].as_ref())),
            );
        }
        out.push_str("</tr>");
    }
    out.push_str("</tbody></table></div>\n");
}

fn open(out: &mut String, class: &str, caption: &str, setting: &str) {
    push(
        out,
        format_args!(
            "<div class=\"scroll\" role=\"region\" aria-label=\"{caption} of {}\" tabindex=\"0\"><table class=\"{class}\"><caption>{caption}.</caption>",
            Escaped(setting)
        ),
    );
}

const fn theirs(column: &Column) -> &'static str {
    if column.is_published { " class=\"theirs\"" } else { "" }
}

fn column_head(out: &mut String, setting: &SettingResults, column: &Column, published: Option<usize>) {
    let tag = match published.and_then(|index| setting.published.get(index)) {
        Some(published) => format!("published: {}", published.source),
        None if column.is_baseline => "baseline".to_owned(),
        None => String::new(),
    };
    push(
        out,
        format_args!(
            "<th scope=\"col\"{}>{}<span class=\"tag\">{}</span></th>",
            theirs(column),
            Escaped(&column.name),
            Escaped(&tag)
        ),
    );
}

/// "10", or "8 of 10: 1 failed, 1 timed out".
fn runs(counts: &ArmCounts, seeds: usize) -> String {
    let mut trouble = Vec::new();
    if counts.failed > 0 {
        trouble.push(format!("{} failed", counts.failed));
    }
    if counts.timed_out > 0 {
        trouble.push(format!("{} timed out", counts.timed_out));
    }
    if trouble.is_empty() {
        counts.completed.to_string()
    } else {
        format!("{} of {seeds}: {}", counts.completed, trouble.join(", "))
    }
}

fn cell(cell: Option<&Cell>) -> String {
    let Some(cell) = cell else { return "<span class=\"none\">–</span>".to_owned() };
    let mean = Escaped(&cell.mean);
    let mean = if cell.is_best { format!("<strong>{mean}</strong>") } else { mean.to_string() };
    let sign = cell
        .versus_baseline
        .map(|sign| format!("<span class=\"sign\">{}</span>", sign.mark()))
        .unwrap_or_default();
    let interval = cell
        .interval
        .as_ref()
        .map(|interval| format!("<span class=\"interval\">{}</span>", Escaped(interval)));
    format!("{mean}{sign}{}", interval.unwrap_or_default())
}

fn legend(out: &mut String, setting: &SettingResults) {
    push(out, format_args!("<p class=\"legend\">{} ↓ lower is better, ↑ higher is better.", Escaped(LEGEND)));
    if !setting.published.is_empty() {
        out.push_str(
            " Shaded columns were published by others, measured elsewhere, and are part of no test.",
        );
    }
    out.push_str("</p>\n");
}

/// What the signs stand on, for the metrics that were asked about.
fn differences(out: &mut String, results: &Results, setting: &SettingResults) {
    let compared = |row: &MetricRow| {
        (0..row.arms.len()).filter(|arm| comparison(row, *arm).is_some()).collect::<Vec<_>>()
    };
    let groups: Vec<(&MetricRow, Vec<usize>)> =
        asked(setting).into_iter().map(|row| (row, compared(row))).collect();
    if groups.iter().all(|(_, arms)| arms.is_empty()) {
        return;
    }
    let caption = format!("Differences to {}", Escaped(&results.arms[results.baseline]));
    open(out, "outcome differences", &caption, &setting.name);
    out.push_str("<thead><tr>");
    for head in
        ["Metric", "Strategy", "Difference", "95 % interval", "p, corrected", "Effect", "Pairs", "Verdict"]
    {
        push(out, format_args!("<th scope=\"col\">{head}</th>"));
    }
    out.push_str("</tr></thead>");
    for (row, arms) in &groups {
        out.push_str("<tbody>");
        for (index, arm) in arms.iter().enumerate() {
            out.push_str("<tr>");
            if index == 0 {
                let (rows, title) = (arms.len(), row.metric.title());
                push(out, format_args!("<th scope=\"rowgroup\" rowspan=\"{rows}\">{}</th>", Escaped(&title)));
            }
            difference(out, results, row, *arm);
        }
        out.push_str("</tbody>");
    }
    out.push_str("</table></div>\n");
    out.push_str(
        "<p class=\"legend\">Strategy minus baseline on the same seeds. Effect: rank-biserial correlation, −1 if it is lower on every seed, 1 if \
         it is higher on every seed. p: signed-rank test, corrected for all comparisons of this scenario.</p>\n",
    );
}

fn comparison(row: &MetricRow, arm: usize) -> Option<&Comparison> {
    row.arms[arm].as_ref()?.versus_baseline.as_ref()
}

fn difference(out: &mut String, results: &Results, row: &MetricRow, arm: usize) {
    let (Some(standing), Some(comparison)) = (row.arms[arm].as_ref(), comparison(row, arm)) else { return };
    let or_dash = |text: Option<String>| text.unwrap_or_else(|| "–".to_owned());
    let verdict = match comparison.verdict {
        Verdict::Differs => "differs",
        Verdict::NotShown => "no difference shown",
        Verdict::TooFewSeeds => "too few seeds",
    };
    let cells = [
        digits::value(row.metric, comparison.mean_difference),
        or_dash(comparison.interval.map(|interval| digits::interval(row.metric, interval))),
        or_dash(standing.corrected.map(|p| equals(p).trim_start_matches("= ").to_owned())),
        or_dash(comparison.test.map(|test| digits::number(test.effect))),
        comparison.pairs.to_string(),
        verdict.to_owned(),
    ];
    push(out, format_args!("<th scope=\"row\" class=\"who\">{}</th>", Escaped(&results.arms[arm])));
    for text in &cells {
        push(out, format_args!("<td>{}</td>", Escaped(text)));
    }
    out.push_str("</tr>");
}
