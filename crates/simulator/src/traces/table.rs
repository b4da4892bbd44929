//! Tables as text: a header that names the columns, then one row per line. Cells may be in double quotes; a cell never
//! spans lines. Everything that is wrong is collected, with line, column and the column's name.

use model::document::{LISTED_PROBLEMS, Position, Problem, Problems, Refusal, Source, nearest, shown};
use std::borrow::Cow;

/// A column that a format knows.
#[derive(Clone, Copy, Debug)]
pub(super) struct Column {
    pub(super) name: &'static str,
    pub(super) required: bool,
    /// What a cell may hold, for those that hold something else.
    example: &'static str,
}

impl Column {
    pub(super) const fn needed(name: &'static str, example: &'static str) -> Self {
        Self { name, required: true, example }
    }

    pub(super) const fn optional(name: &'static str, example: &'static str) -> Self {
        Self { name, required: false, example }
    }
}

/// What happens to columns that a format does not know.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Unknown {
    /// Other people's formats grow; what they add is not read.
    Ignored,
    /// In our own, a misspelt column must not go unnoticed.
    Refused,
}

/// All that is wrong with one text.
pub(super) struct Faults<'s> {
    pub(super) source: &'s Source,
    problems: Problems,
}

impl<'s> Faults<'s> {
    pub(super) fn new(source: &'s Source) -> Self {
        Self { source, problems: Problems::new(source.name()) }
    }

    pub(super) fn refuse(
        &mut self,
        at: Position,
        column: &str,
        message: impl Into<String>,
        proposal: impl Into<String>,
    ) {
        let is_listed = self.problems.iter().len() < LISTED_PROBLEMS;
        let problem = if is_listed {
            self.source.problem(at, column, message, proposal)
        } else {
            // Only counted, so nothing of it is built.
            let message = String::new();
            Problem {
                path: String::new(),
                line: at.line,
                column: at.column,
                message,
                proposal: String::new(),
                excerpt: None,
            }
        };
        self.problems.push(problem);
    }

    pub(super) fn refuse_line(
        &mut self,
        line: u32,
        column: &str,
        message: impl Into<String>,
        proposal: impl Into<String>,
    ) {
        self.refuse(Position { line, column: 1 }, column, message, proposal);
    }

    pub(super) fn into_result<T>(self, value: T) -> Result<T, Problems> {
        self.problems.into_result(value)
    }
}

/// A table whose header was understood.
pub(super) struct Table<'s> {
    source: &'s Source,
    columns: &'static [Column],
    /// Where each of `columns` stands in a line.
    places: Vec<Option<usize>>,
    width: usize,
    header_line: u32,
}

impl<'s> Table<'s> {
    /// Reads the header, the first line that is not blank.
    pub(super) fn open(
        columns: &'static [Column],
        unknown: Unknown,
        faults: &mut Faults<'s>,
    ) -> Option<Self> {
        let source = faults.source;
        let Some((line, text)) = source.lines().find(|(_, text)| !text.trim().is_empty()) else {
            let proposal = format!("begin with a line such as {}", header(columns));
            faults.refuse_line(1, "", "the table is empty", proposal);
            return None;
        };
        let names = split(text);
        let mut places = vec![None; columns.len()];
        for (place, cell) in names.iter().enumerate() {
            let at = cell.position(line, text);
            match columns.iter().position(|column| column.name == cell.text.trim()) {
                Some(known) if places[known].is_some() => {
                    faults.refuse(at, &cell.text, "this column occurs twice", "remove one");
                }
                Some(known) => places[known] = Some(place),
                None if unknown == Unknown::Refused => {
                    let known = columns.iter().map(|column| column.name);
                    let proposal = nearest(cell.text.trim(), known).map_or_else(
                        || format!("known: {}", header(columns)),
                        |near| format!("did you mean {near}?"),
                    );
                    let message = format!("there is no column {}", shown(cell.text.trim()));
                    faults.refuse(at, "", message, proposal);
                }
                None => {}
            }
        }
        let missing =
            columns.iter().zip(&places).filter(|(column, place)| column.required && place.is_none());
        let missing: Vec<&str> = missing.map(|(column, _)| column.name).collect();
        if !missing.is_empty() {
            let message = format!("the header lacks the column {}", missing.join(" and the column "));
            faults.refuse_line(line, "", message, format!("begin with {}", header(columns)));
            return None;
        }
        Some(Self { source, columns, places, width: names.len(), header_line: line })
    }

    /// Calls `take` with every row that has as many cells as the header.
    pub(super) fn each_row(&self, faults: &mut Faults<'s>, mut take: impl FnMut(&Row<'_>, &mut Faults<'s>)) {
        let lines = self.source.lines().skip(self.header_line as usize);
        let rows = lines.filter(|(_, text)| !text.trim().is_empty());
        for (count, (line, text)) in rows.enumerate() {
            if count == super::MOST_ROWS {
                let message = format!("more than {} rows", super::MOST_ROWS);
                faults.refuse_line(line, "", message, "split the file");
                return;
            }
            let row = Row { line, text, cells: split(text), columns: self.columns, places: &self.places };
            if row.cells.len() == self.width {
                take(&row, faults);
            } else {
                let message = format!("{} cells, but the header has {}", row.cells.len(), self.width);
                faults.refuse_line(line, "", message, self.repair(&row));
            }
        }
    }

    fn repair(&self, row: &Row<'_>) -> String {
        if row.cells.len() > self.width {
            return "put a cell with a comma in it into double quotes".to_owned();
        }
        let missing = self.columns.iter().zip(&self.places);
        let mut missing = missing.filter(|(_, place)| place.is_some_and(|place| place >= row.cells.len()));
        let name = missing.next().map_or("a cell", |(column, _)| column.name);
        format!("{name} is missing; leave it empty with a comma")
    }
}

/// The names of all columns as a header has them.
pub(super) fn header(columns: &[Column]) -> String {
    columns.iter().map(|column| column.name).collect::<Vec<_>>().join(",")
}

/// One line, cut into cells.
pub(super) struct Row<'t> {
    pub(super) line: u32,
    text: &'t str,
    cells: Vec<Cell<'t>>,
    columns: &'t [Column],
    places: &'t [Option<usize>],
}

impl<'t> Row<'t> {
    /// A line of a format without a header, its cells separated by white space.
    pub(super) fn spaced(
        line: u32,
        text: &'t str,
        columns: &'t [Column],
        places: &'t [Option<usize>],
    ) -> Self {
        let start = |word: &str| word.as_ptr() as usize - text.as_ptr() as usize;
        let cells = text.split_ascii_whitespace();
        let cells = cells.map(|word| Cell { start: start(word), text: Cow::Borrowed(word) }).collect();
        Self { line, text, cells, columns, places }
    }

    pub(super) fn width(&self) -> usize {
        self.cells.len()
    }

    /// What stands in a column; nothing where the column is absent or the cell empty.
    pub(super) fn text(&self, column: usize) -> Option<&str> {
        let cell = self.cells.get(self.places[column]?)?;
        Some(cell.text.trim()).filter(|text| !text.is_empty())
    }

    /// Reads a cell that may be empty: `Some(None)` is an empty one, `None` an unreadable one, which is reported.
    #[expect(clippy::option_option, reason = "unreadable, empty and readable; `?` passes on the first")]
    pub(super) fn optional<T>(
        &self,
        column: usize,
        faults: &mut Faults<'_>,
        read: impl FnOnce(&str) -> Result<T, Refusal>,
    ) -> Option<Option<T>> {
        let Some(text) = self.text(column) else { return Some(None) };
        match read(text) {
            Ok(value) => Some(Some(value)),
            Err(refusal) => {
                self.refuse(column, faults, refusal);
                None
            }
        }
    }

    /// Reads a cell that may not be empty.
    pub(super) fn needed<T>(
        &self,
        column: usize,
        faults: &mut Faults<'_>,
        read: impl FnOnce(&str) -> Result<T, Refusal>,
    ) -> Option<T> {
        let value = self.optional(column, faults, read)?;
        if value.is_none() {
            self.refuse(column, faults, Refusal::new("the cell is empty"));
        }
        value
    }

    pub(super) fn refuse(&self, column: usize, faults: &mut Faults<'_>, refusal: Refusal) {
        let cell = self.places[column].and_then(|place| self.cells.get(place));
        let at =
            cell.map_or(Position { line: self.line, column: 1 }, |cell| cell.position(self.line, self.text));
        let Column { name, example, .. } = self.columns[column];
        let Refusal { message, proposal } = refusal.or_example(example);
        faults.refuse(at, name, message, proposal.unwrap_or_default());
    }
}

/// A part of a line, and at which byte it begins.
struct Cell<'t> {
    start: usize,
    text: Cow<'t, str>,
}

impl Cell<'_> {
    fn position(&self, line: u32, text: &str) -> Position {
        let before = text.get(..self.start).map_or(0, |before| before.chars().count());
        Position { line, column: before as u32 + 1 }
    }
}

/// Cuts a line at its commas. In double quotes a comma is a character and a quote is written twice; a quote that never
/// ends takes the rest of the line.
fn split(line: &str) -> Vec<Cell<'_>> {
    let mut cells = Vec::with_capacity(12);
    let mut start = 0;
    loop {
        let rest = &line[start..];
        let (text, length) = if rest.starts_with('"') { quoted(rest) } else { plain(rest) };
        cells.push(Cell { start, text });
        start += length;
        if start >= line.len() {
            return cells;
        }
        start += 1;
        if start == line.len() {
            cells.push(Cell { start, text: Cow::Borrowed("") });
            return cells;
        }
    }
}

fn plain(rest: &str) -> (Cow<'_, str>, usize) {
    let length = rest.find(',').unwrap_or(rest.len());
    (Cow::Borrowed(&rest[..length]), length)
}

fn quoted(rest: &str) -> (Cow<'_, str>, usize) {
    let mut text = String::new();
    let mut at = 1;
    while let Some(length) = rest[at..].find('"') {
        text.push_str(&rest[at..at + length]);
        at += length + 1;
        if !rest[at..].starts_with('"') {
            // Anything between the closing quote and the comma belongs to the cell, too: it will not be readable.
            let (tail, length) = plain(&rest[at..]);
            text.push_str(&tail);
            return (Cow::Owned(text), at + length);
        }
        text.push('"');
        at += 1;
    }
    text.push_str(&rest[at..]);
    (Cow::Owned(text), rest.len())
}

/// A text as a cell.
pub(super) fn cell(text: &str) -> Cow<'_, str> {
    if text.contains([',', '"']) || text != text.trim() {
        return Cow::Owned(format!("\"{}\"", text.replace('"', "\"\"")));
    }
    Cow::Borrowed(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_cut_at_commas_outside_of_quotes() {
        let check = |line: &str, want: &[&str]| {
            let cells = split(line);
            let texts: Vec<&str> = cells.iter().map(|cell| &*cell.text).collect();
            assert_eq!(texts, want, "{line}");
        };
        check("a,b", &["a", "b"]);
        check("a,,b,", &["a", "", "b", ""]);
        check("", &[""]);
        check(",", &["", ""]);
        check("\"a,b\",c", &["a,b", "c"]);
        check("\"say \"\"so\"\"\",c", &["say \"so\"", "c"]);
        check("\"never ends, c", &["never ends, c"]);
        check("\"a\"b,c", &["ab", "c"]);
        check("ä,\"ö\"", &["ä", "ö"]);
    }

    #[test]
    fn what_is_written_is_read_back() {
        for text in ["plain", "with,comma", "with \"quotes\"", " edges ", ""] {
            let line = format!("{},x", cell(text));
            assert_eq!(split(&line)[0].text, text);
        }
    }
}
