//! Demand over time as a table: `time_s,value`, where the value may also be called `requests_per_second`.

use super::numbers::{decimal, fixed, moment, seconds_text};
use super::table::{Column, Faults, Row, Table, Unknown, header};
use model::document::{Problems, Refusal, Source};
use model::time::Timestamp;
use std::fmt::Write as _;

/// Values have at most six decimals.
const PLACES: usize = 6;

const COLUMNS: [Column; 3] = [
    Column::needed("time_s", "60"),
    Column::optional("value", "12.5"),
    Column::optional("requests_per_second", "12.5"),
];
const TIME: usize = 0;
const VALUE: usize = 1;
const RATE: usize = 2;

/// From this moment on, until the next point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DemandPoint {
    pub at: Timestamp,
    pub millionths: u64,
}

/// Reads points in the order of time.
pub fn read(name: &str, bytes: &[u8]) -> Result<Vec<DemandPoint>, Problems> {
    let source = Source::read(name, bytes)?;
    let mut faults = Faults::new(&source);
    let mut points: Vec<DemandPoint> = Vec::new();
    if let Some(table) = Table::open(&COLUMNS, Unknown::Refused, &mut faults) {
        table.each_row(&mut faults, |row, faults| {
            let Some(point) = point(row, faults) else { return };
            if points.last().is_some_and(|last| last.at >= point.at) {
                let refusal = Refusal::new("it does not lie after the point before");
                row.refuse(TIME, faults, refusal.propose("sort the rows by time, one for each moment"));
            }
            points.push(point);
        });
        if points.is_empty() {
            faults.refuse_line(1, "", "there are no points", "add a row");
        }
    }
    faults.into_result(points)
}

fn point(row: &Row<'_>, faults: &mut Faults<'_>) -> Option<DemandPoint> {
    let at = row.needed(TIME, faults, moment);
    let number = |text: &str| fixed(text, PLACES, "a number such as 12 or 0.5", "a millionth");
    let (value, rate) = (row.optional(VALUE, faults, number), row.optional(RATE, faults, number));
    let (value, rate) = (value?, rate?);
    if value.is_some() == rate.is_some() {
        let refusal = Refusal::new("a point has either a value or requests_per_second");
        row.refuse(VALUE, faults, refusal.propose(format!("write {}", header(&COLUMNS[..2]))));
        return None;
    }
    Some(DemandPoint { at: at?, millionths: value.or(rate)? })
}

/// The table `time_s,requests_per_second`.
pub fn write_requests(points: &[DemandPoint]) -> String {
    let mut text = String::from("time_s,requests_per_second\n");
    for point in points {
        let _ = writeln!(text, "{},{}", seconds_text(point.at), decimal(point.millionths, PLACES as u32));
    }
    text
}
