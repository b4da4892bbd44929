//! A trace as a table of two columns: `time,intensity`. Times are periods (`90m`), seconds (`5400`) or dates
//! (`2022-01-01 01:30:00`, `2022-01-01T01:30Z`); they count from the first row.

use super::trace::MOST_POINTS;
use crate::wasp::civil::Civil;
use model::document::{Position, Problems, Refusal, Source, shown};
use model::energy::CarbonIntensity;
use model::time::Period;

/// The points of a file, ready for [`super::Trace::new`]: times rise from zero.
pub fn read(file: &str, bytes: &[u8]) -> Result<Vec<(Period, CarbonIntensity)>, Problems> {
    let source = Source::read(file, bytes)?;
    let mut table = Table { source: &source, problems: Problems::new(file), first: None, rows: Vec::new() };
    table.read();
    table.problems.into_result(table.rows)
}

struct Table<'s> {
    source: &'s Source,
    problems: Problems,
    first: Option<Moment>,
    /// With times since the first row.
    rows: Vec<(Period, CarbonIntensity)>,
}

impl<'s> Table<'s> {
    fn read(&mut self) {
        let is_content = |line: &(u32, &str)| !line.1.trim().is_empty() && !line.1.starts_with('#');
        let mut lines = self.source.lines().filter(is_content).peekable();
        lines.next_if(|(_, line)| is_header(line));
        for (number, line) in lines {
            if self.rows.len() == MOST_POINTS {
                let refusal = Refusal::new(format!("there are more than {MOST_POINTS} rows"));
                return self.refuse(number, 1, refusal.propose("keep fewer of them"));
            }
            self.row(number, line);
        }
        if self.first.is_none() && self.problems.is_empty() {
            self.refuse(1, 1, Refusal::new("there are no rows").propose("write rows such as 0s,56"));
        }
    }

    fn row(&mut self, number: u32, line: &'s str) {
        let fields: Vec<&str> = line.split(',').collect();
        let [time, intensity] = fields[..] else {
            let refusal = Refusal::new(format!("expected two columns, found {}", fields.len()));
            return self.refuse(number, 1, refusal.propose("write time,intensity"));
        };
        let column = u32::try_from(time.chars().count()).unwrap_or(0) + 2;
        let moment = moment(bare(time)).map_err(|refusal| self.refuse(number, 1, refusal)).ok();
        let grams = grams(bare(intensity)).map_err(|refusal| self.refuse(number, column, refusal)).ok();
        if let (Some(moment), Some(grams)) = (moment, grams) {
            self.append(number, moment, grams);
        }
    }

    fn append(&mut self, number: u32, moment: Moment, intensity: CarbonIntensity) {
        let first = *self.first.get_or_insert(moment);
        if first.is_date != moment.is_date {
            let refusal = Refusal::new("the first row has another kind of time");
            return self.refuse(number, 1, refusal.propose("write all times in the same form"));
        }
        let time = moment.milliseconds.checked_sub(first.milliseconds).map(Period::from_millis);
        match (time, self.rows.last()) {
            (Some(time), None) => self.rows.push((time, intensity)),
            (Some(time), Some((last, _))) if time > *last => self.rows.push((time, intensity)),
            _ => {
                let refusal = Refusal::new("the time does not rise from the row before");
                self.refuse(number, 1, refusal.propose("order the rows by time and keep one of each"));
            }
        }
    }

    fn refuse(&mut self, line: u32, column: u32, refusal: Refusal) {
        let Refusal { message, proposal } = refusal.or_example("0s,56");
        let at = Position { line, column };
        self.problems.push(self.source.problem(at, "", message, proposal.unwrap_or_default()));
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

#[derive(Clone, Copy)]
struct Moment {
    milliseconds: u64,
    is_date: bool,
}

fn moment(text: &str) -> Result<Moment, Refusal> {
    if let Some(milliseconds) = date(text) {
        return Ok(Moment { milliseconds, is_date: true });
    }
    let is_seconds = text.bytes().next_back().is_some_and(|last| last.is_ascii_digit());
    let written = if is_seconds { format!("{text}s") } else { text.to_owned() };
    let refusal = |_| {
        Refusal::new(format!("{} is not a time", shown(text)))
            .or_example("90m, 5400 (seconds) or 2022-01-01 01:30:00")
    };
    let period: Period = written.parse().map_err(refusal)?;
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
fn grams(text: &str) -> Result<CarbonIntensity, Refusal> {
    let number = text.parse::<f64>().ok().filter(|number| number.is_finite());
    let refusal =
        |why: &str| Refusal::new(format!("the carbon intensity {} {why}", shown(text))).or_example("56.5");
    match number.map(|grams| libm::round(grams * 1_000.0)) {
        Some(milligrams) if milligrams < 0.0 => Err(refusal("is negative")),
        Some(milligrams) if milligrams > super::LARGEST_INTENSITY.0 as f64 => Err(refusal("is too large")),
        Some(milligrams) => Ok(CarbonIntensity(milligrams as u64)),
        None => Err(refusal("is not a number")),
    }
}
