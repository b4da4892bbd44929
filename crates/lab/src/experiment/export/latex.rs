//! Tables for papers: booktabs, one for each scenario.

use super::table::{Cell, Column, Table};
use crate::experiment::results::{Results, SettingResults};
use std::fmt::Write as _;

pub fn tables(results: &Results) -> String {
    let mut text = "% Needs \\usepackage{booktabs}\n".to_owned();
    for setting in &results.settings {
        table(&mut text, results, setting);
    }
    text
}

fn table(text: &mut String, results: &Results, setting: &SettingResults) {
    let table = Table::of(results, setting);
    let _ = writeln!(text, "\\begin{{table}}\n\\centering");
    let _ = writeln!(text, "\\caption{{{}}}", caption(results, setting));
    let _ = writeln!(text, "\\label{{tab:{}}}", label(&setting.name));
    let _ = writeln!(text, "\\begin{{tabular}}{{l{}}}\n\\toprule", "r".repeat(table.columns.len()));
    let names: Vec<String> = table.columns.iter().map(column).collect();
    let _ = writeln!(text, "Metric & {} \\\\\n\\midrule", names.join(" & "));
    for row in &table.rows {
        let cells: Vec<String> =
            row.cells.iter().map(|cell| cell.as_ref().map_or("--".to_owned(), shown)).collect();
        let _ = writeln!(text, "{} & {} \\\\", escaped(&row.title), cells.join(" & "));
    }
    text.push_str("\\bottomrule\n\\end{tabular}\n\\end{table}\n\n");
}

fn caption(results: &Results, setting: &SettingResults) -> String {
    let few = if results.too_few_seeds() { " Too few seeds for any claim." } else { "" };
    format!(
        "{}: mean $\\pm$ half of the 95\\,\\% interval over {} seeds. Bold: best, and its paired difference to the next excludes zero.{few}",
        escaped(&setting.name),
        results.seeds.len()
    )
}

fn column(column: &Column) -> String {
    let name = escaped(&column.name);
    if column.is_published { format!("{name}$^\\ast$") } else { name }
}

fn shown(cell: &Cell) -> String {
    let mean = cell.mean.replace('-', "$-$");
    let mean = if cell.is_best { format!("\\textbf{{{mean}}}") } else { mean };
    cell.plus_minus.as_ref().map_or(mean.clone(), |half| format!("{mean} $\\pm$ {half}"))
}

fn label(name: &str) -> String {
    name.chars().map(|letter| if letter.is_ascii_alphanumeric() { letter } else { '-' }).collect()
}

/// Everything that LaTeX would take for a command, and the signs that its fonts lack.
fn escaped(text: &str) -> String {
    let mut safe = String::new();
    for letter in text.chars() {
        match letter {
            '\\' => safe.push_str("\\textbackslash{}"),
            '~' => safe.push_str("\\textasciitilde{}"),
            '^' => safe.push_str("\\textasciicircum{}"),
            '&' | '%' | '$' | '#' | '_' | '{' | '}' => safe.extend(['\\', letter]),
            '↓' => safe.push_str("$\\downarrow$"),
            '↑' => safe.push_str("$\\uparrow$"),
            'θ' => safe.push_str("$\\theta$"),
            'τ' => safe.push_str("$\\tau$"),
            'υ' => safe.push_str("$\\upsilon$"),
            '\n' | '\r' => safe.push(' '),
            other => safe.push(other),
        }
    }
    safe
}
