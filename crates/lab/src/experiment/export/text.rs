//! Tables for a terminal.

use super::sparkline::pending_pods;
use super::table::{Cell, LEGEND, Table};
use crate::experiment::conclusion::conclusions;
use crate::experiment::results::{Results, SettingResults};
use crate::markup::plain;
use std::fmt::Write as _;

/// Tables wider than this go on below.
const WIDEST: usize = 110;

/// What it all says first, then the numbers.
pub fn tables(results: &Results) -> String {
    let (conclusions, caveats) = conclusions(results);
    let mut text = String::new();
    for (setting, conclusion) in results.settings.iter().zip(&conclusions) {
        let rule = "─".repeat(setting.name.chars().count());
        let _ = writeln!(text, "{}\n{rule}", setting.name);
        text.extend(conclusion.sentences.iter().map(|sentence| wrapped(&plain(sentence))));
        let _ = write!(text, "\n{}\n", table(results, setting));
        match pending_pods(results, setting) {
            none if none.is_empty() => {}
            lines => text.extend([lines.as_str(), "\n"]),
        }
    }
    let legend =
        LEGEND.replace("Bold: best", "*: best").replace("[95 % interval]", "± half of the 95 % interval");
    text.push_str(&wrapped(&legend));
    text.extend(caveats.iter().map(|caveat| wrapped(caveat)));
    text
}

fn table(results: &Results, setting: &SettingResults) -> String {
    let table = Table::of(results, setting);
    let measured = table.columns.iter().take_while(|column| !column.is_published).count();
    let mut head = vec![String::new()];
    head.extend(table.columns[..measured].iter().map(|column| {
        if column.is_baseline { format!("{} (baseline)", column.name) } else { column.name.clone() }
    }));
    let mut grid = vec![head];
    for row in &table.rows {
        let mut line = vec![row.title.clone()];
        line.extend(row.cells[..measured].iter().map(|cell| shown_or_dash(cell.as_ref())));
        grid.push(line);
    }
    blocks(&grid) + &published(&table, measured)
}

/// Rows of others, one line each, with the metrics they told.
fn published(table: &Table, measured: usize) -> String {
    let told: Vec<_> =
        table.rows.iter().filter(|row| row.cells[measured..].iter().any(Option::is_some)).collect();
    if told.is_empty() {
        return String::new();
    }
    let mut head = vec!["Published, not measured here".to_owned()];
    head.extend(told.iter().map(|row| row.title.clone()));
    let mut grid = vec![head];
    for (column, name) in table.columns.iter().enumerate().skip(measured) {
        let mut line = vec![name.name.clone()];
        line.extend(told.iter().map(|row| shown_or_dash(row.cells[column].as_ref())));
        grid.push(line);
    }
    format!("\n{}", blocks(&grid))
}

fn shown_or_dash(cell: Option<&Cell>) -> String {
    cell.map_or("–".to_owned(), shown)
}

/// As many columns side by side as fit, the rest below.
fn blocks(grid: &[Vec<String>]) -> String {
    let widths = widths(grid);
    let (mut text, mut begin) = (String::new(), 1);
    while begin < widths.len() {
        let (mut end, mut width) = (begin, widths[0]);
        while end < widths.len() && (end == begin || width + widths[end] + 2 <= WIDEST) {
            width += widths[end] + 2;
            end += 1;
        }
        let block = grid.iter().map(|row| [&row[..1], &row[begin..end]].concat());
        if begin > 1 {
            text.push('\n');
        }
        text.push_str(&aligned(&block.collect::<Vec<_>>()));
        begin = end;
    }
    text
}

fn shown(cell: &Cell) -> String {
    let star = if cell.is_best { "*" } else { "" };
    let interval = cell.plus_minus.as_ref().map(|half| format!(" ±{half}")).unwrap_or_default();
    let sign = cell.versus_baseline.map(|sign| format!(" {}", sign.mark())).unwrap_or_default();
    format!("{star}{}{interval}{sign}", cell.mean)
}

fn widths(grid: &[Vec<String>]) -> Vec<usize> {
    let longest = |column: usize| grid.iter().map(|row| row[column].chars().count()).max().unwrap_or(0);
    (0..grid[0].len()).map(longest).collect()
}

fn aligned(grid: &[Vec<String>]) -> String {
    let widths = widths(grid);
    let mut text = String::new();
    for row in grid {
        let mut line = String::new();
        for (index, (cell, width)) in row.iter().zip(&widths).enumerate() {
            let gap = " ".repeat(width - cell.chars().count());
            let _ = if index == 0 { write!(line, "{cell}{gap}") } else { write!(line, "  {gap}{cell}") };
        }
        let _ = writeln!(text, "{}", line.trim_end());
    }
    text
}

/// A paragraph; its further lines are indented, so that one can tell where the next begins.
fn wrapped(text: &str) -> String {
    let mut lines = vec![String::new()];
    for word in text.split_whitespace() {
        let last = lines.last_mut().expect("there is a line");
        if !last.is_empty() && last.chars().count() + word.chars().count() >= 100 {
            lines.push(format!("  {word}"));
        } else {
            let gap = if last.is_empty() { "" } else { " " };
            last.extend([gap, word]);
        }
    }
    lines.join("\n") + "\n"
}
