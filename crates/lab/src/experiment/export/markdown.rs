//! Tables for pages and pull requests.

use super::table::{Cell, LEGEND, Table};
use crate::experiment::results::{Results, SettingResults};
use std::fmt::Write as _;

pub fn tables(results: &Results) -> String {
    let mut text = format!("# {}\n\n", escaped(&results.name));
    if !results.description.is_empty() {
        let _ = writeln!(text, "{}\n", escaped(&results.description));
    }
    for setting in &results.settings {
        let _ = write!(text, "## {}\n\n{}\n", escaped(&setting.name), table(results, setting));
    }
    let _ = writeln!(
        text,
        "{LEGEND} Baseline: {}. Seeds: {}.",
        escaped(&results.arms[results.baseline]),
        results.seeds.len()
    );
    if results.too_few_seeds() {
        text.push_str("\nToo few seeds: with fewer than five nothing is claimed.\n");
    }
    text
}

fn table(results: &Results, setting: &SettingResults) -> String {
    let table = Table::of(results, setting);
    let mut text = "| metric |".to_owned();
    for column in &table.columns {
        let note = if column.is_published { " (published)" } else { "" };
        let _ = write!(text, " {}{note} |", escaped(&column.name));
    }
    let _ = writeln!(text, "\n|---|{}", "---|".repeat(table.columns.len()));
    for row in &table.rows {
        let _ = write!(text, "| {} |", escaped(&row.title));
        for cell in &row.cells {
            let _ = write!(text, " {} |", cell.as_ref().map(shown).unwrap_or_default());
        }
        text.push('\n');
    }
    text
}

fn shown(cell: &Cell) -> String {
    let mean = if cell.is_best { format!("**{}**", cell.mean) } else { cell.mean.clone() };
    let interval = cell.interval.as_ref().map(|interval| format!(" {interval}")).unwrap_or_default();
    let sign = cell.versus_baseline.map(|sign| format!(" {}", sign.mark())).unwrap_or_default();
    format!("{mean}{interval}{sign}")
}

/// Names come from files; none of them may end a cell or begin a tag.
fn escaped(text: &str) -> String {
    text.replace('\\', "\\\\").replace('|', "\\|").replace('<', "&lt;").replace(['\n', '\r'], " ")
}
