//! Columns of text, as wide as they need to be.

use super::clean;
use crate::failure::Failure;
use crate::output::{note, print};

/// Rows under a line of headings. Every cell is made safe to print.
pub(crate) struct Table {
    rows: Vec<Vec<String>>,
}

impl Table {
    pub(crate) fn new(headings: &[&str]) -> Self {
        Self { rows: vec![headings.iter().map(|heading| heading.to_uppercase()).collect()] }
    }

    pub(crate) fn row(&mut self, cells: impl IntoIterator<Item = impl AsRef<str>>) {
        self.rows.push(cells.into_iter().map(|cell| clean(cell.as_ref())).collect());
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.rows.len() == 1
    }

    /// Prints the rows, or says what it means that there are none.
    pub(crate) fn show(&self, nothing: &str) -> Result<(), Failure> {
        if self.is_empty() {
            note(nothing);
            return Ok(());
        }
        print(&self.text())
    }

    /// Two spaces between columns, none at the end of a line.
    pub(crate) fn text(&self) -> String {
        let columns = self.rows.iter().map(Vec::len).max().unwrap_or(0);
        let width = |column: usize| {
            self.rows.iter().filter_map(|row| row.get(column)).map(|cell| cell.chars().count()).max()
        };
        let widths: Vec<usize> = (0..columns).map(|column| width(column).unwrap_or(0)).collect();
        let line = |row: &Vec<String>| {
            let cells = row.iter().zip(&widths).map(|(cell, width)| format!("{cell:<width$}"));
            cells.collect::<Vec<_>>().join("  ").trim_end().to_owned()
        };
        self.rows.iter().map(line).collect::<Vec<_>>().join("\n")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_stand_below_each_other() {
        let mut table = Table::new(&["id", "what"]);
        assert!(table.is_empty());
        table.row(["R-1", "größer"]);
        table.row(["R-100", "\u{1b}["]);
        assert_eq!(table.text(), "ID     WHAT\nR-1    größer\nR-100  \u{fffd}[");
    }
}
