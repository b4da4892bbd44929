//! The Standard Workload Format: logs of parallel machines, one job per line with eighteen numbers, -1 for what is unknown.
//!
//! A job becomes as many bare pods as it had processors, each with one CPU and the memory of one processor. They are placed
//! one by one and each runs for the job's run time: there is no gang scheduling, so parts of a job may start apart.

use super::numbers::{decimal, seconds, seconds_text, whole};
use super::openb::MOST_MEBIBYTES;
use super::shapes::Shapes;
use super::table::{Column, Faults, Row};
use super::{LeftOut, Life, MOST_ROWS, PodShape, PodTrace, TracePod};
use crate::traces::export::PastPod;
use crate::traces::nodes::NodePool;
use model::document::{Problems, Refusal, Source, shown};
use model::names::WorkloadKind;
use model::quantity::{Bytes, MilliCpu};
use model::time::{Period, Timestamp};
use std::fmt::Write as _;

const FIELDS: usize = 18;
/// Names as in the format's definition.
const COLUMNS: [Column; FIELDS] = [
    Column::needed("job number", "1"),
    Column::needed("submit time", "0"),
    Column::needed("wait time", "10"),
    Column::needed("run time", "60"),
    Column::needed("allocated processors", "4"),
    Column::needed("average CPU time", "-1"),
    Column::needed("used memory", "-1"),
    Column::needed("requested processors", "4"),
    Column::needed("requested time", "-1"),
    Column::needed("requested memory", "-1"),
    Column::needed("status", "1"),
    Column::needed("user", "-1"),
    Column::needed("group", "-1"),
    Column::needed("executable", "-1"),
    Column::needed("queue", "-1"),
    Column::needed("partition", "-1"),
    Column::needed("preceding job", "-1"),
    Column::needed("think time", "-1"),
];
const NUMBER: usize = 0;
const SUBMIT: usize = 1;
const WAIT: usize = 2;
const RUN: usize = 3;
const ALLOCATED: usize = 4;
const USED_MEMORY: usize = 6;
const REQUESTED: usize = 7;
const REQUESTED_MEMORY: usize = 9;
const STATUS: usize = 10;

/// The status of a job that was taken away, most often before it ran.
const CANCELLED: &str = "5";

/// The largest machines on record have fewer processors.
const MOST_PROCESSORS: u64 = 1_000_000;
/// Pods of all jobs together; each takes a few hundred bytes while it exists.
const MOST_PODS: u64 = 10_000_000;
/// A mebibyte has so many kibibytes.
const KIBIBYTES: u64 = 1_024;

pub(super) fn jobs(faults: &mut Faults<'_>) -> PodTrace {
    let places: Vec<Option<usize>> = (0..FIELDS).map(Some).collect();
    let mut trace = PodTrace::default();
    let mut shapes = Shapes::default();
    let mut pods = 0;
    let source = faults.source;
    let lines = source.lines().filter(|(_, text)| !is_comment(text) && !text.trim().is_empty());
    for (count, (line, text)) in lines.enumerate() {
        if count == MOST_ROWS {
            faults.refuse_line(line, "", format!("more than {MOST_ROWS} jobs"), "split the file");
            break;
        }
        let row = Row::spaced(line, text, &COLUMNS, &places);
        if row.width() != FIELDS {
            let message = format!("{} numbers, but a job has {FIELDS}", row.width());
            faults.refuse_line(line, "", message, "write -1 for what is unknown");
            continue;
        }
        match job(&row, faults) {
            Some(Ok((shape, pod))) => {
                pods += u64::from(pod.replicas);
                trace.push(&mut shapes, shape, pod);
            }
            Some(Err(why)) => trace.left_out.push(LeftOut { line, why }),
            None => {}
        }
        if pods > MOST_PODS {
            faults.refuse_line(
                line,
                "",
                format!("more than {MOST_PODS} processors in all jobs"),
                "split the file",
            );
            break;
        }
    }
    trace
}

fn is_comment(line: &str) -> bool {
    line.trim_start().starts_with(';')
}

/// A job, why it has no effect, or nothing when it cannot be read.
fn job(row: &Row<'_>, faults: &mut Faults<'_>) -> Option<Result<(PodShape, TracePod), &'static str>> {
    let number = row.needed(NUMBER, faults, |text| whole(text, 0, u64::MAX));
    let submit = row.needed(SUBMIT, faults, seconds);
    let wait = known(row, faults, WAIT, seconds);
    let run = known(row, faults, RUN, seconds);
    let processors = |text: &str| whole(text, 0, MOST_PROCESSORS);
    let memory = |text: &str| whole(text, 0, MOST_MEBIBYTES * KIBIBYTES);
    let allocated = known(row, faults, ALLOCATED, processors);
    let requested = known(row, faults, REQUESTED, processors);
    let used_memory = known(row, faults, USED_MEMORY, memory);
    let requested_memory = known(row, faults, REQUESTED_MEMORY, memory);
    let (number, arrival) = (number?, Timestamp::EPOCH + submit?);
    let (wait, run) = (wait?, run?);
    let processors = allocated?.filter(|count| *count > 0).or(requested?.filter(|count| *count > 0));
    let kibibytes = requested_memory?.or(used_memory?).unwrap_or(0);
    let Some(processors) = processors else { return Some(Err("it says no number of processors")) };
    let cancelled = row.text(STATUS) == Some(CANCELLED);
    let life = match (run, wait) {
        (Some(run), _) if !(cancelled && run.is_zero()) => Life::Runs(run),
        (_, Some(wait)) if cancelled => Life::Until(arrival + wait),
        (Some(run), _) => Life::Runs(run),
        (None, _) => return Some(Err("it does not say how long it ran")),
    };
    let shape = PodShape { cpu: MilliCpu(1_000), memory: Bytes(kibibytes << 10), ..PodShape::default() };
    let recorded_start = match life {
        Life::Runs(_) => wait.map(|wait| arrival + wait),
        _ => None,
    };
    let pod = TracePod {
        line: row.line,
        name: format!("job-{number}"),
        arrival,
        shape: 0,
        replicas: processors as u32,
        life,
        recorded_start,
    };
    Some(Ok((shape, pod)))
}

/// A number that may be unknown: `Some(None)`; nothing when it cannot be read.
#[expect(clippy::option_option, reason = "unreadable, empty and readable; `?` passes on the first")]
fn known<T>(
    row: &Row<'_>,
    faults: &mut Faults<'_>,
    column: usize,
    read: impl FnOnce(&str) -> Result<T, Refusal>,
) -> Option<Option<T>> {
    if row.text(column) == Some("-1") { Some(None) } else { row.optional(column, faults, read) }
}

/// The machine of a log, from the comments at its head: `MaxNodes` and `MaxProcs`.
pub fn machine(name: &str, bytes: &[u8]) -> Result<Option<NodePool>, Problems> {
    let source = Source::read(name, bytes)?;
    let mut faults = Faults::new(&source);
    let mut read = |key: &str| {
        let comments = source.lines().filter(|(_, text)| is_comment(text));
        let mut found = comments.filter_map(|(line, text)| Some((line, comment(text, key)?)));
        let (line, text) = found.next()?;
        let number = whole(text, 1, MOST_PROCESSORS);
        if number.is_err() {
            let message = format!("{} is not a number from 1 to {MOST_PROCESSORS}", shown(text));
            faults.refuse_line(line, key, message, "write the number, or give the nodes in a file");
        }
        number.ok()
    };
    let (nodes, processors) = (read("MaxNodes"), read("MaxProcs"));
    let pool = nodes.or(processors).map(|count| {
        let each = processors.map_or(1, |processors| processors.div_ceil(count));
        NodePool::simple("machine", count as u32, MilliCpu(each * 1_000), MEMORY_OF_A_NODE)
    });
    faults.into_result(pool)
}

/// Logs say what jobs used, hardly ever what nodes had; this is more than any of them asks for.
const MEMORY_OF_A_NODE: Bytes = Bytes(1 << 40);

fn comment<'t>(text: &'t str, key: &str) -> Option<&'t str> {
    let (name, value) = text.trim_start().strip_prefix(';')?.split_once(':')?;
    // A remark may follow the number.
    (name.trim() == key).then(|| value.split_whitespace().next().unwrap_or_default())
}

/// A run as a log that ends at `until`. Jobs and bare pods are one line with the processors of all their pods; any other
/// pod is a line. What still ran at the end is logged as far as it came.
pub fn write(pods: &[PastPod], until: Timestamp) -> String {
    let mut text = String::from("; Version: 2.2\n; Computer: simulated by drover\n; UnixStartTime: 0\n");
    let belong = |first: &PastPod, second: &PastPod| {
        let together = matches!(first.kind, WorkloadKind::Job | WorkloadKind::Pod);
        together && first.workload == second.workload && first.arrival == second.arrival
    };
    for (index, group) in pods.chunk_by(belong).enumerate() {
        let _ = writeln!(text, "{}", line(index + 1, group, until));
    }
    text
}

fn line(index: usize, group: &[PastPod], until: Timestamp) -> String {
    let first = &group[0];
    let number = first.workload.strip_prefix("job-").and_then(|digits| digits.parse::<u64>().ok());
    let number = number.unwrap_or(index as u64);
    let processors: u64 = group.iter().map(|pod| pod.shape.cpu.0.div_ceil(1_000).max(1)).sum();
    let memory: u64 = group.iter().map(|pod| pod.shape.memory.0).sum();
    let kibibytes = memory.div_ceil(KIBIBYTES).div_ceil(processors);
    let start = group.iter().filter_map(|pod| pod.start).min();
    let end = group.iter().map(|pod| pod.end.unwrap_or(until)).max().unwrap_or(until);
    let wait = start.unwrap_or(end).since(first.arrival);
    let run = start.map(|start| end.since(start));
    let status = match (start, group.iter().all(|pod| pod.finished)) {
        (Some(_), true) => "1",
        (Some(_), false) => "-1",
        (None, _) => CANCELLED,
    };
    let text = |period: Period| decimal(period.as_millis(), 3);
    let (submit, wait) = (seconds_text(first.arrival), text(wait));
    let run = run.map_or_else(|| "-1".to_owned(), text);
    format!(
        "{number} {submit} {wait} {run} {processors} -1 {kibibytes} {processors} -1 {kibibytes} {status} -1 -1 -1 -1 -1 -1 -1"
    )
}
