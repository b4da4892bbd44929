//! Columns of text, as wide as they need to be.

use super::clean;
use super::width::{cut, width};
use crate::failure::Failure;
use crate::output::{note, print};

/// Less says nothing: numbers such as R-1234 and words such as pending stay whole.
const NARROWEST_COLUMN: usize = 8;

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
        print(&self.fitted(width()))
    }

    /// Two spaces between columns, none at the end of a line.
    pub(crate) fn text(&self) -> String {
        self.fitted(None)
    }

    /// The same in so many characters, as far as that is possible: the widest columns give way first.
    fn fitted(&self, available: Option<usize>) -> String {
        let mut widths = self.widths();
        let gaps = 2 * widths.len().saturating_sub(1);
        while available.is_some_and(|available| widths.iter().sum::<usize>() + gaps > available) {
            let Some(widest) = widths.iter_mut().max().filter(|widest| **widest > NARROWEST_COLUMN) else {
                break;
            };
            *widest -= 1;
        }
        let line = |row: &Vec<String>| {
            let cells = row.iter().zip(&widths).map(|(cell, width)| format!("{:<width$}", cut(cell, *width)));
            cells.collect::<Vec<_>>().join("  ").trim_end().to_owned()
        };
        self.rows.iter().map(line).collect::<Vec<_>>().join("\n")
    }
}

impl Table {
    /// What each column needs.
    fn widths(&self) -> Vec<usize> {
        let columns = self.rows.iter().map(Vec::len).max().unwrap_or(0);
        let width = |column: usize| {
            self.rows.iter().filter_map(|row| row.get(column)).map(|cell| cell.chars().count()).max()
        };
        (0..columns).map(|column| width(column).unwrap_or(0)).collect()
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

    #[test]
    fn the_widest_columns_give_way_in_a_narrow_terminal() {
        let mut table = Table::new(&["id", "what", "why"]);
        table.row(["R-1", "migrate deployment/default/a", "because of something"]);
        let shown = table.fitted(Some(30));
        assert_eq!(shown, "ID   WHAT          WHY\nR-1  migrate dep…  because of…");
        assert!(
            table.fitted(Some(5)).starts_with("ID   WHAT      WHY\nR-1  migrate…"),
            "{}",
            table.fitted(Some(5))
        );
        assert_eq!(table.fitted(Some(80)), table.text());
    }
}
