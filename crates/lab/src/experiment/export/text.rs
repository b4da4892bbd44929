//! Tables for a terminal.

use super::sparkline::pending_pods;
use super::table::{Cell, LEGEND, Table};
use crate::experiment::results::{Results, SettingResults};
use std::fmt::Write as _;

/// Tables wider than this go on below.
const WIDEST: usize = 110;

pub fn tables(results: &Results) -> String {
    let mut text = String::new();
    for setting in &results.settings {
        let rule = "─".repeat(setting.name.chars().count());
        let _ = write!(text, "{}\n{rule}\n{}\n", setting.name, table(results, setting));
        match pending_pods(results, setting) {
            none if none.is_empty() => {}
            lines => text.extend([lines.as_str(), "\n"]),
        }
    }
    text.push_str(&wrapped(LEGEND));
    if results.too_few_seeds() {
        text.push_str("Too few seeds: with fewer than five nothing is claimed.\n");
    }
    text
}

fn table(results: &Results, setting: &SettingResults) -> String {
    let table = Table::of(results, setting);
    let mut grid: Vec<Vec<String>> = Vec::new();
    let mut head = vec![String::new()];
    head.extend(table.columns.iter().map(|column| match (column.is_baseline, column.is_published) {
        (true, _) => format!("{} (baseline)", column.name),
        (_, true) => format!("{} (published)", column.name),
        _ => column.name.clone(),
    }));
    grid.push(head);
    for row in &table.rows {
        let mut line = vec![row.title.clone()];
        line.extend(row.cells.iter().map(|cell| cell.as_ref().map_or("–".to_owned(), shown)));
        grid.push(line);
    }
    blocks(&grid)
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

fn wrapped(text: &str) -> String {
    let mut lines = vec![String::new()];
    for word in text
        .replace("Bold: best", "*: best")
        .replace("[95 % interval]", "± half of the 95 % interval")
        .split_whitespace()
    {
        let last = lines.last_mut().expect("there is a line");
        if !last.is_empty() && last.chars().count() + word.chars().count() >= 100 {
            lines.push(word.to_owned());
        } else {
            if !last.is_empty() {
                last.push(' ');
            }
            last.push_str(word);
        }
    }
    lines.join("\n") + "\n"
}
