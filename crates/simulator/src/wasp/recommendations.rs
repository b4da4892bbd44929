//! Recommendations as WASP's engine posts and stores them: JSON and CSV, current and older forms.

use super::input::WaspKind;
use super::section::{Notice, Read, Reader, Section};
use model::document::{Document, Position, Problem, Problems, Value, shown};
use serde::Serialize;

/// The columns of the current CSV form.
const COLUMNS: [&str; 5] = ["workload_id", "kind", "origin_cluster", "destination_cluster", "reason"];

/// One workload and where it should run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WaspRecommendation {
    /// Absent before the end of 2025.
    pub batch_id: Option<u64>,
    /// `default/78`.
    pub workload_id: String,
    pub kind: WaspKind,
    /// 0 is `private` or `member1`, 1 is `public` or `member2`; absent in the oldest form.
    pub origin_cluster: Option<u64>,
    /// In the oldest form called `label`.
    pub destination_cluster: u64,
    pub reason: Option<String>,
}

/// Reads CSV when the name ends in `.csv`, JSON otherwise.
pub fn read_recommendations(name: &str, bytes: &[u8]) -> Result<Read<Vec<WaspRecommendation>>, Problems> {
    if name.to_ascii_lowercase().ends_with(".csv") {
        return read_csv(name, bytes);
    }
    let salvage = Document::salvage(name, bytes)?;
    let mut reader = Reader::new(&salvage);
    let mut recommendations = Vec::new();
    for (path, node) in reader.list(salvage.document.root(), "") {
        let section = reader.section(node, &path);
        if matches!(node.value, Value::Mapping(_)) {
            recommendations.extend(read_entry(&mut reader, section));
        }
    }
    reader.finish(recommendations)
}

fn read_entry<'d>(reader: &mut Reader<'d>, mut section: Section<'d>) -> Option<WaspRecommendation> {
    let batch_id = section.whole(reader, "batch_id");
    let workload_id = section.text(reader, "workload_id");
    let workload_id = section.require(reader, "workload_id", workload_id);
    let kinds = [("deployment", WaspKind::Deployment), ("job", WaspKind::Job)];
    let kind = section.word(reader, "kind", &kinds);
    let kind = section.require(reader, "kind", kind);
    let origin_cluster = section.whole(reader, "origin_cluster");
    let destination = section.whole(reader, "destination_cluster");
    let label = section.whole(reader, "label");
    let destination = if section.take("destination_cluster").is_some() { destination } else { label };
    let destination = section.require(reader, "destination_cluster", destination.or(label));
    let reason = section.text(reader, "reason");
    section.finish(reader);
    Some(WaspRecommendation {
        batch_id,
        workload_id: workload_id?,
        kind: kind?,
        origin_cluster,
        destination_cluster: destination?,
        reason,
    })
}

/// A field of a CSV file and where it begins.
struct Field {
    text: String,
    at: Position,
}

fn read_csv(name: &str, bytes: &[u8]) -> Result<Read<Vec<WaspRecommendation>>, Problems> {
    let mut problems = Problems::new(name);
    let text = csv_text(name, bytes)?;
    let mut rows = csv_rows(text).into_iter();
    let header = rows.next().unwrap_or_default();
    let names: Vec<&str> = header.iter().map(|field| field.text.trim()).collect();
    let has = |column: &str| names.contains(&column);
    if !has("workload_id") || !has("kind") || !(has("destination_cluster") || has("label")) {
        let message = format!("expected the columns {}, or workload_id,kind,label", COLUMNS.join(","));
        problems.push(csv_problem(Position::START, "", message, "name the columns in the first line"));
        return Err(problems);
    }
    let mut recommendations = Vec::new();
    for row in rows {
        if row.len() != names.len() {
            let message = format!("expected {} fields, found {}", names.len(), row.len());
            problems.push(csv_problem(row[0].at, "", message, "put text that contains a comma in quotes"));
            continue;
        }
        match read_row(&names, &row) {
            Ok(recommendation) => recommendations.push(recommendation),
            Err(problem) => problems.push(problem),
        }
    }
    let known = |column: &str| COLUMNS.contains(&column) || matches!(column, "label" | "batch_id");
    let unknown = header.iter().filter(|field| !known(field.text.trim())).map(|field| Notice {
        path: shown(field.text.trim()),
        line: field.at.line,
        message: "WASP has no such column; ignored".to_owned(),
    });
    let notices = unknown.collect();
    problems.into_result(Read { value: recommendations, notices })
}

/// The same refusal of size, encoding and control characters as for every other file.
fn csv_text<'b>(name: &str, bytes: &'b [u8]) -> Result<&'b str, Problems> {
    let refuse = |message: &str, proposal: &str| {
        let mut problems = Problems::new(name);
        problems.push(csv_problem(Position::START, "", message.to_owned(), proposal));
        problems
    };
    if bytes.len() > model::document::MAX_BYTES {
        return Err(refuse("the file is too large", "split it"));
    }
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    let text =
        std::str::from_utf8(bytes).map_err(|_| refuse("the file is not valid UTF-8", "save it as UTF-8"))?;
    if text.chars().any(|character| character.is_control() && !matches!(character, '\n' | '\r' | '\t')) {
        return Err(refuse("the file contains control characters", "remove them"));
    }
    Ok(text)
}

/// Rows of RFC 4180: fields may be quoted, a quoted field may hold commas, line breaks and doubled quotes.
fn csv_rows(text: &str) -> Vec<Vec<Field>> {
    let mut rows: Vec<Vec<Field>> = vec![Vec::new()];
    let mut at = Position::START;
    let mut field = Field { text: String::new(), at };
    let mut quoted = false;
    let mut characters = text.chars().peekable();
    while let Some(character) = characters.next() {
        at.column += 1;
        match character {
            '"' if quoted && characters.peek() == Some(&'"') => {
                characters.next();
                at.column += 1;
                field.text.push('"');
            }
            '"' if quoted || field.text.is_empty() => quoted = !quoted,
            ',' if !quoted => {
                let complete = std::mem::replace(&mut field, Field { text: String::new(), at });
                rows.last_mut().expect("there is always a row").push(complete);
            }
            '\r' if !quoted => {}
            '\n' => {
                at = Position { line: at.line + 1, column: 1 };
                if quoted {
                    field.text.push('\n');
                } else {
                    let complete = std::mem::replace(&mut field, Field { text: String::new(), at });
                    rows.last_mut().expect("there is always a row").push(complete);
                    rows.push(Vec::new());
                }
            }
            other => field.text.push(other),
        }
    }
    rows.last_mut().expect("there is always a row").push(field);
    rows.retain(|row| row.iter().any(|field| !field.text.trim().is_empty()));
    rows
}

fn read_row(names: &[&str], row: &[Field]) -> Result<WaspRecommendation, Problem> {
    let field = |column: &str| names.iter().position(|name| *name == column).map(|index| &row[index]);
    let filled = |column: &str| field(column).filter(|field| !field.text.trim().is_empty());
    let number = |column: &str| {
        filled(column).map_or(Ok(None), |field| match field.text.trim().parse::<u64>() {
            Ok(number) => Ok(Some(number)),
            Err(_) => Err(csv_problem(
                field.at,
                column,
                format!("expected a whole number, found {}", shown(&field.text)),
                "write for instance 1",
            )),
        })
    };
    let missing = |column: &str| {
        csv_problem(row[0].at, column, "must not be empty".to_owned(), "fill it in, or remove the row")
    };
    let workload_id = filled("workload_id").ok_or_else(|| missing("workload_id"))?;
    let kind = filled("kind").ok_or_else(|| missing("kind"))?;
    let parsed_kind = WaspKind::parse(&kind.text).ok_or_else(|| {
        let message = format!("expected deployment or job, found {}", shown(&kind.text));
        csv_problem(kind.at, "kind", message, "write deployment or job")
    })?;
    let destination = number("destination_cluster")?.or(number("label")?);
    Ok(WaspRecommendation {
        batch_id: number("batch_id")?,
        workload_id: workload_id.text.trim().to_owned(),
        kind: parsed_kind,
        origin_cluster: number("origin_cluster")?,
        destination_cluster: destination.ok_or_else(|| missing("destination_cluster"))?,
        reason: filled("reason").map(|field| field.text.clone()),
    })
}

fn csv_problem(at: Position, column: &str, message: String, proposal: &str) -> Problem {
    let (path, proposal) = (column.to_owned(), proposal.to_owned());
    Problem { path, line: at.line, column: at.column, message, proposal, excerpt: None }
}

#[derive(Serialize)]
struct Written<'r> {
    batch_id: Option<u64>,
    workload_id: &'r str,
    kind: &'static str,
    origin_cluster: u64,
    destination_cluster: u64,
    reason: &'r str,
}

impl<'r> From<&'r WaspRecommendation> for Written<'r> {
    fn from(entry: &'r WaspRecommendation) -> Self {
        Self {
            batch_id: entry.batch_id,
            workload_id: &entry.workload_id,
            kind: entry.kind.as_str(),
            origin_cluster: entry.origin_cluster.unwrap_or(0),
            destination_cluster: entry.destination_cluster,
            reason: entry.reason.as_deref().unwrap_or(""),
        }
    }
}

/// The array that WASP's engine posts to `/apply`.
pub fn recommendations_json(recommendations: &[WaspRecommendation]) -> String {
    let list: Vec<Written<'_>> = recommendations.iter().map(Written::from).collect();
    let mut text = serde_json::to_string_pretty(&list).expect("text and numbers are always JSON");
    text.push('\n');
    text
}

/// The current CSV form.
pub fn recommendations_csv(recommendations: &[WaspRecommendation]) -> String {
    let mut text = format!("{}\n", COLUMNS.join(","));
    for entry in recommendations {
        let fields = [
            csv_field(&entry.workload_id),
            entry.kind.as_str().to_owned(),
            entry.origin_cluster.map_or(String::new(), |origin| origin.to_string()),
            entry.destination_cluster.to_string(),
            csv_field(entry.reason.as_deref().unwrap_or("")),
        ];
        text.push_str(&fields.join(","));
        text.push('\n');
    }
    text
}

fn csv_field(text: &str) -> String {
    if text.contains([',', '"', '\n', '\r']) {
        format!("\"{}\"", text.replace('"', "\"\""))
    } else {
        text.to_owned()
    }
}

#[cfg(test)]
mod tests;
