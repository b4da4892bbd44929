//! Traces of demand that stand in files of their own: which there are, and what their text says.

use super::raw::{RawDemand, RawLevel, RawPoint, RawShape, RawTrace, RawTraceFormat};
use crate::traces::{azure, demand};
use model::document::{Problems, Source};
use model::time::{Period, Timestamp};

/// How long requests are counted together unless the file says otherwise.
const USUAL_INTERVAL: Period = Period::from_minutes(1);

/// A trace that names a file, and where it stands inside the demand.
pub(crate) struct FileTrace<'r> {
    pub(crate) path: String,
    pub(crate) trace: &'r mut RawTrace,
}

/// All traces that name a file.
pub(crate) fn file_traces(raw: &mut RawDemand) -> Vec<FileTrace<'_>> {
    let mut found = Vec::new();
    for (path, level) in [(".requests_per_second", &mut raw.requests_per_second), (".users", &mut raw.users)]
    {
        if let Some(level) = level {
            collect(path, level, &mut found);
        }
    }
    found
}

fn collect<'r>(path: &str, level: &'r mut RawLevel, found: &mut Vec<FileTrace<'r>>) {
    let RawLevel::Shape(shape) = level else { return };
    match &mut **shape {
        RawShape::Trace(trace) if trace.file.is_some() => {
            found.push(FileTrace { path: format!("{path}.trace"), trace });
        }
        RawShape::Sum(levels) => {
            for (index, level) in levels.iter_mut().enumerate() {
                collect(&format!("{path}.sum[{index}]"), level, found);
            }
        }
        RawShape::Scale(scale) => collect(&format!("{path}.scale.of"), &mut scale.of, found),
        RawShape::Noise(noise) => collect(&format!("{path}.noise.of"), &mut noise.of, found),
        RawShape::Held(held) => collect(&format!("{path}.held.of"), &mut held.of, found),
        _ => {}
    }
}

impl RawTrace {
    /// Takes what a file says as the points of this trace.
    pub(crate) fn record(&mut self, name: &str, bytes: &[u8]) -> Result<(), Problems> {
        let points = match self.format.unwrap_or_default() {
            RawTraceFormat::Csv => demand::read(name, bytes)?,
            RawTraceFormat::AzureLlm => rates(name, bytes, self.every.unwrap_or(USUAL_INTERVAL))?,
        };
        self.recorded = Some(points.iter().map(point).collect());
        Ok(())
    }

    /// Stands in for a file that could not be read, so that nothing else is said about it.
    pub(crate) fn stand_in(&mut self) {
        self.recorded = Some(vec![RawPoint { at: Period::ZERO, value: 0.0 }]);
    }
}

fn rates(name: &str, bytes: &[u8], every: Period) -> Result<Vec<demand::DemandPoint>, Problems> {
    let requests = azure::read(name, bytes)?;
    azure::intervals(&requests, every).map(|intervals| azure::rates(&intervals, every)).map_err(|error| {
        let mut problems = Problems::new(name);
        if let Ok(source) = Source::read(name, bytes) {
            let at = model::document::Position { line: 1, column: 1 };
            problems.push(source.problem(
                at,
                "",
                error.to_string(),
                "count over longer intervals with `every`",
            ));
        }
        problems
    })
}

fn point(point: &demand::DemandPoint) -> RawPoint {
    RawPoint { at: point.at.since(Timestamp::EPOCH), value: point.millionths as f64 / 1e6 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::demand::check;
    use crate::randomness::Randomness;
    use serde_json::json;
    use std::sync::Arc;

    fn level(trace: &serde_json::Value, content: &str, seconds: u64) -> f64 {
        let shape = json!({ "requests_per_second": { "sum": [1, { "scale": { "by": 2, "of": { "trace": trace } } }] } });
        let mut raw: RawDemand = serde_json::from_value(shape).unwrap();
        let mut found = file_traces(&mut raw);
        assert_eq!(found[0].path, ".requests_per_second.sum[1].scale.of.trace");
        found[0].trace.record("demand.csv", content.as_bytes()).unwrap();
        let demand = Arc::new(check(&raw).unwrap()).with(Randomness::new(1), "web");
        demand.at(Timestamp(seconds * 1_000))
    }

    #[test]
    fn a_table_becomes_a_course() {
        let table = "time_s,requests_per_second\n0,5\n60,12.5\n";
        for (seconds, want) in [(0, 11.0), (59, 11.0), (60, 26.0), (600, 26.0)] {
            assert_eq!(level(&json!({ "file": "demand.csv" }), table, seconds), want, "at {seconds} s");
        }
        let repeated = json!({ "file": "demand.csv", "repeat": "2m", "scale": 10 });
        assert_eq!(level(&repeated, table, 121), 101.0);
    }

    #[test]
    fn requests_are_counted() {
        let log = "TIMESTAMP,ContextTokens,GeneratedTokens\n2023-11-16 18:17:03,1,1\n2023-11-16 18:17:04,1,1\n\
                   2023-11-16 18:17:15,1,1\n";
        let trace = json!({ "file": "requests.csv", "format": "azure-llm", "every": "10s" });
        assert_eq!(level(&trace, log, 0), 1.0 + 2.0 * 0.2);
        assert_eq!(level(&trace, log, 12), 1.0 + 2.0 * 0.1);
    }

    #[test]
    fn what_cannot_be_read_is_said_with_its_line() {
        let mut trace = RawTrace { scale: 1.0, ..RawTrace::default() };
        let problems = trace.record("demand.csv", b"time_s,value\n0,5\n60,many\n").unwrap_err();
        assert!(problems.to_string().contains("demand.csv:3:"), "{problems}");
        trace.format = Some(RawTraceFormat::AzureLlm);
        trace.every = Some(Period::from_millis(1));
        let log =
            "TIMESTAMP,ContextTokens,GeneratedTokens\n2023-01-01 00:00:00,1,1\n2023-11-16 18:17:04,1,1\n";
        let problems = trace.record("requests.csv", log.as_bytes()).unwrap_err();
        assert!(problems.to_string().contains("`every`"), "{problems}");
    }
}
