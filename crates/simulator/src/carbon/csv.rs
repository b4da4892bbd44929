//! A trace as a table of two columns: `time,intensity`. Times are periods (`90m`), seconds (`5400`) or dates
//! (`2022-01-01 01:30:00`, `2022-01-01T01:30Z`); they count from the first row.

use super::trace::MOST_POINTS;
use crate::wasp::civil::Civil;
use model::document::{Excerpt, Problem, Problems, escape, shown};
use model::energy::CarbonIntensity;
use model::time::Period;

/// Largest file; the longest trace of dates with six digits fits.
pub const MAX_BYTES: usize = 64 * 1024 * 1024;

/// Why one field cannot be read, and what to write instead.
type Refused = (String, Option<String>);

/// The points of a file, ready for [`super::Trace::new`]: times rise from zero.
pub fn read(file: &str, bytes: &[u8]) -> Result<Vec<(Period, CarbonIntensity)>, Problems> {
    let mut table = Table { problems: Problems::new(file), rows: Vec::new() };
    match std::str::from_utf8(bytes) {
        _ if bytes.len() > MAX_BYTES => {
            table.refuse(1, 1, "", (format!("the file is larger than {MAX_BYTES} bytes"), None));
        }
        Ok(text) => table.read(text.strip_prefix('\u{feff}').unwrap_or(text)),
        Err(_) => table.refuse(1, 1, "", ("the file is not UTF-8 text".to_owned(), None)),
    }
    let Table { problems, rows } = table;
    problems.into_result(rows.into_iter().map(|row| (row.time, row.intensity)).collect())
}

struct Table {
    problems: Problems,
    rows: Vec<Row>,
}

/// A row with its time since the first one.
struct Row {
    time: Period,
    intensity: CarbonIntensity,
}

impl Table {
    fn read(&mut self, text: &str) {
        let mut first: Option<(u64, bool)> = None;
        let lines = (1..).zip(text.lines().map(str::trim_end));
        let mut lines =
            lines.filter(|(_, line)| !line.trim().is_empty() && !line.starts_with('#')).peekable();
        if lines.peek().is_some_and(|(_, line)| is_header(line)) {
            lines.next();
        }
        for (number, line) in lines {
            if self.rows.len() == MOST_POINTS {
                return self.refuse(number, 1, line, (format!("more than {MOST_POINTS} rows"), None));
            }
            let Some((moment, intensity)) = self.row(number, line) else { continue };
            let (start, dated) = *first.get_or_insert((moment.milliseconds, moment.is_date));
            if dated == moment.is_date {
                let time = moment.milliseconds.checked_sub(start).map(Period::from_millis);
                self.append(number, line, time, intensity);
            } else {
                let proposal = Some("write all times in the same form".to_owned());
                self.refuse(number, 1, line, ("the first row has another kind of time".to_owned(), proposal));
            }
        }
        if first.is_none() && self.problems.is_empty() {
            let proposal = Some("write rows such as 0s,56".to_owned());
            self.refuse(1, 1, "", ("there are no rows".to_owned(), proposal));
        }
    }

    fn append(&mut self, number: u32, line: &str, time: Option<Period>, intensity: CarbonIntensity) {
        let last = self.rows.last().map(|row| row.time);
        match time {
            Some(time) if last.is_none_or(|last| time > last) => self.rows.push(Row { time, intensity }),
            _ => {
                let proposal = Some("order the rows by time and keep one of each".to_owned());
                self.refuse(
                    number,
                    1,
                    line,
                    ("the time does not rise from the row before".to_owned(), proposal),
                );
            }
        }
    }

    fn row(&mut self, number: u32, line: &str) -> Option<(Moment, CarbonIntensity)> {
        let fields: Vec<&str> = line.split(',').collect();
        let [time, intensity] = fields[..] else {
            let proposal = Some("write time,intensity".to_owned());
            let message = format!("expected two columns, found {}", fields.len());
            self.refuse(number, 1, line, (message, proposal));
            return None;
        };
        let moment = moment(bare(time)).map_err(|refused| self.refuse(number, 1, line, refused)).ok();
        let column = u32::try_from(time.chars().count()).unwrap_or(0) + 2;
        let intensity =
            grams(bare(intensity)).map_err(|refused| self.refuse(number, column, line, refused)).ok();
        moment.zip(intensity)
    }

    fn refuse(&mut self, line: u32, column: u32, text: &str, (message, proposal): Refused) {
        let excerpt = (!text.is_empty()).then(|| Excerpt {
            text: escape(&text.chars().take(100).collect::<String>()),
            caret: column - 1,
        });
        self.problems.push(Problem {
            path: String::new(),
            line,
            column,
            message,
            proposal: proposal.unwrap_or_default(),
            excerpt,
        });
    }
}

/// Names of columns, not values: neither field begins with a digit.
fn is_header(line: &str) -> bool {
    line.split(',').all(|field| bare(field).starts_with(|first: char| first.is_ascii_alphabetic()))
}

fn bare(field: &str) -> &str {
    let field = field.trim();
    field.strip_prefix('"').and_then(|field| field.strip_suffix('"')).unwrap_or(field)
}

struct Moment {
    milliseconds: u64,
    is_date: bool,
}

fn moment(text: &str) -> Result<Moment, Refused> {
    if let Some(milliseconds) = date(text) {
        return Ok(Moment { milliseconds, is_date: true });
    }
    let seconds = text.bytes().next_back().is_some_and(|last| last.is_ascii_digit());
    let written = if seconds { format!("{text}s") } else { text.to_owned() };
    let refused = |_| {
        let proposal = "write for instance 90m, 5400 (seconds) or 2022-01-01 01:30:00";
        (format!("{} is not a time", shown(text)), Some(proposal.to_owned()))
    };
    let period: Period = written.parse().map_err(refused)?;
    Ok(Moment { milliseconds: period.as_millis(), is_date: false })
}

/// Milliseconds since 1970 of a date in UTC, with or without seconds.
fn date(text: &str) -> Option<u64> {
    let text = text.strip_suffix('Z').or(text.strip_suffix("+00:00")).unwrap_or(text);
    let mut spaced = text.replacen('T', " ", 1);
    if spaced.matches(':').count() == 1 {
        spaced.push_str(":00");
    }
    Civil::parse(&spaced)?.to_unix()?.checked_mul(1_000)
}

/// Data files carry more digits than are kept; they are rounded to a milligram.
fn grams(text: &str) -> Result<CarbonIntensity, Refused> {
    let number = text.parse::<f64>().ok().filter(|number| number.is_finite());
    let refused = |why: &str| (format!("the carbon intensity {} {why}", shown(text)), None);
    match number.map(|grams| libm::round(grams * 1_000.0)) {
        Some(milligrams) if milligrams < 0.0 => Err(refused("is negative")),
        Some(milligrams) if milligrams > super::LARGEST_INTENSITY.0 as f64 => Err(refused("is too large")),
        Some(milligrams) => Ok(CarbonIntensity(milligrams as u64)),
        None => Err(refused("is not a number")),
    }
}
