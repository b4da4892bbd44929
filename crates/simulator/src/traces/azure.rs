//! Azure's traces of requests to language models: when each came, and how many tokens it had and got.

use super::MOST_ROWS;
use super::demand::DemandPoint;
use super::numbers::whole;
use super::table::{Column, Faults, Table, Unknown};
use crate::wasp::civil::Civil;
use model::document::{Problems, Refusal, Source, shown};
use model::time::{Period, Timestamp};

const COLUMNS: [Column; 3] = [
    Column::needed("TIMESTAMP", "2023-11-16 18:17:03.979"),
    Column::needed("ContextTokens", "100"),
    Column::needed("GeneratedTokens", "10"),
];
const TIMESTAMP: usize = 0;
const CONTEXT: usize = 1;
const GENERATED: usize = 2;

/// No model reads or writes more at once.
const MOST_TOKENS: u64 = 1_000_000_000;

/// One request; time counts from the first of the trace.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Request {
    pub at: Timestamp,
    pub context_tokens: u32,
    pub generated_tokens: u32,
}

/// All requests of one interval.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Interval {
    /// When it begins.
    pub at: Timestamp,
    pub requests: u64,
    pub context_tokens: u64,
    pub generated_tokens: u64,
}

/// Intervals that cannot be made.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum IntervalError {
    #[error("an interval of no length")]
    NoLength,
    #[error("{count} intervals of {every} are more than {MOST_ROWS}")]
    TooMany { every: Period, count: u64 },
}

/// Reads all requests, in the order of time.
pub fn read(name: &str, bytes: &[u8]) -> Result<Vec<Request>, Problems> {
    let source = Source::read(name, bytes)?;
    let mut faults = Faults::new(&source);
    let mut rows: Vec<(u64, u32, u32)> = Vec::new();
    if let Some(table) = Table::open(&COLUMNS, Unknown::Ignored, &mut faults) {
        table.each_row(&mut faults, |row, faults| {
            let at = row.needed(TIMESTAMP, faults, milliseconds);
            let context = row.needed(CONTEXT, faults, |text| whole(text, 0, MOST_TOKENS));
            let generated = row.needed(GENERATED, faults, |text| whole(text, 0, MOST_TOKENS));
            if let (Some(at), Some(context), Some(generated)) = (at, context, generated) {
                rows.push((at, context as u32, generated as u32));
            }
        });
        if rows.is_empty() {
            faults.refuse_line(1, "", "there are no requests", "add a row");
        }
    }
    rows.sort_by_key(|(at, ..)| *at);
    let first = rows.first().map_or(0, |(at, ..)| *at);
    let request = |(at, context_tokens, generated_tokens)| Request {
        at: Timestamp(at - first),
        context_tokens,
        generated_tokens,
    };
    faults.into_result(rows.into_iter().map(request).collect())
}

/// Calendar time as milliseconds since 1970; what is finer is cut off. With `T` or a blank in the middle, with or without
/// a mark for UTC at the end.
fn milliseconds(text: &str) -> Result<u64, Refusal> {
    let refuse = || {
        Refusal::new(format!("{} is not a moment", shown(text)))
            .propose("write for instance 2023-11-16 18:17:03.979")
    };
    let plain =
        text.strip_suffix("+00:00").or_else(|| text.strip_suffix('Z')).unwrap_or(text).replace('T', " ");
    let (seconds, fraction) = plain.split_once('.').unwrap_or((&plain, ""));
    if fraction.len() > 9 || !fraction.bytes().all(|byte| byte.is_ascii_digit()) {
        return Err(refuse());
    }
    let seconds = Civil::parse(seconds).and_then(Civil::to_unix).ok_or_else(refuse)?;
    let fraction: u64 = format!("{fraction:0<3}")[..3].parse().map_err(|_| refuse())?;
    Ok(seconds * 1_000 + fraction)
}

/// Requests and tokens per interval, from the first request to the last; intervals without any are there, too.
pub fn intervals(requests: &[Request], every: Period) -> Result<Vec<Interval>, IntervalError> {
    let Some(last) = requests.iter().map(|request| request.at.as_millis()).max() else {
        return Ok(Vec::new());
    };
    let count = last.checked_div(every.as_millis()).ok_or(IntervalError::NoLength)? + 1;
    if count > MOST_ROWS as u64 {
        return Err(IntervalError::TooMany { every, count });
    }
    let begins = |index: u64| Timestamp(index * every.as_millis());
    let mut all: Vec<Interval> =
        (0..count).map(|index| Interval { at: begins(index), ..Interval::default() }).collect();
    for request in requests {
        let interval = &mut all[(request.at.as_millis() / every.as_millis()) as usize];
        interval.requests += 1;
        interval.context_tokens += u64::from(request.context_tokens);
        interval.generated_tokens += u64::from(request.generated_tokens);
    }
    Ok(all)
}

/// Requests per second, interval by interval.
pub fn rates(intervals: &[Interval], every: Period) -> Vec<DemandPoint> {
    let length = u128::from(every.as_millis().max(1));
    let millionths = |requests: u64| (u128::from(requests) * 1_000_000_000 + length / 2) / length;
    let point = |interval: &Interval| DemandPoint {
        at: interval.at,
        millionths: u64::try_from(millionths(interval.requests)).unwrap_or(u64::MAX),
    };
    intervals.iter().map(point).collect()
}
