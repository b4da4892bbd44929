//! The measurements for a person: what was measured here in one table, what was measured elsewhere in another.

use super::report::{CaseReport, Report};
use std::fmt::Write as _;

/// What stands for a number nobody knows.
const UNKNOWN: &str = "–";
/// Enough of a fingerprint to see whether two differ.
const SHOWN_DIGITS: usize = 16;

pub(super) fn render(report: &Report) -> String {
    let mut text = String::new();
    let (sizes, scenarios): (Vec<_>, Vec<_>) = report.cases.iter().partition(|case| case.pods.is_some());
    line(&mut text, &heading(report.repeat));
    line(&mut text, "");
    line(
        &mut text,
        "Workload W: one hour of short-lived pods on equal nodes, scheduled by the full default plugin set",
    );
    line(
        &mut text,
        &columns(
            ["nodes", "pods", "CPU s", "growth", "peak MB", "growth", "pods/CPU s", "sim s/CPU s", "events"],
            "placements",
        ),
    );
    for case in sizes {
        line(&mut text, &row(case, [count(case.nodes), count(case.pods)]));
    }
    line(&mut text, "");
    line(&mut text, "Scenarios: simulator, agents and journal together");
    for case in scenarios {
        line(&mut text, &format!("{:<17}{}", case.name, &row(case, [String::new(), String::new()])[17..]));
    }
    if report.cases.iter().any(|case| case.cpu_seconds.is_none()) {
        line(&mut text, "");
        line(&mut text, "CPU time and memory cannot be read here: only Linux tells a process what it used.");
    }
    instructions(&mut text, report);
    elsewhere(&mut text, report);
    text
}

fn instructions(text: &mut String, report: &Report) {
    line(text, "");
    let Some(counter) = report.instructions_counted_by else {
        let why = report.instructions_not_counted.as_deref().unwrap_or("nobody knows why");
        return line(text, &format!("Instructions: not counted: {why}"));
    };
    line(
        text,
        &format!(
            "Instructions outside the kernel, counted once by {counter}; nearly the same on every machine"
        ),
    );
    for case in &report.cases {
        let subject = match case.pods {
            Some(_) => format!("{:>7}{:>10}", count(case.nodes), count(case.pods)),
            None => format!("{:<17}", case.name),
        };
        let what = match (case.instructions, &case.instructions_not_counted) {
            (None, Some(why)) => format!("  not counted: {why}"),
            (number, _) => format!("{:>18}{:>8}", count(number), factor(case.instructions_growth)),
        };
        line(text, &format!("{subject}{what}"));
    }
}

fn heading(repeat: u32) -> String {
    match repeat {
        1 => "Measured here in one run".to_owned(),
        _ => {
            format!("Measured here, medians of {repeat} runs; all runs of a case came to the same placements")
        }
    }
}

fn row(case: &CaseReport, [nodes, pods]: [String; 2]) -> String {
    let result = &case.result;
    let fingerprint: String = result.fingerprint.chars().take(SHOWN_DIGITS).collect();
    let memory = case.peak_memory_bytes.map(|bytes| bytes as f64 / 1e6);
    let numbers = [
        nodes,
        pods,
        decimal(case.cpu_seconds, 3),
        factor(case.cpu_growth),
        decimal(memory, 1),
        factor(case.memory_growth),
        count(case.pods_per_cpu_second.map(f64::round)),
        count(case.simulated_seconds_per_cpu_second.map(f64::round)),
        count(Some(result.events)),
    ];
    columns(numbers.each_ref().map(String::as_str), &fingerprint)
}

fn columns(numbers: [&str; 9], last: &str) -> String {
    const WIDTHS: [usize; 9] = [7, 10, 9, 9, 9, 8, 12, 13, 11];
    let mut text = String::new();
    for (number, width) in numbers.iter().zip(WIDTHS) {
        let _ = write!(text, "{number:>width$}");
    }
    format!("{text}  {last}")
}

fn elsewhere(text: &mut String, report: &Report) {
    line(text, "");
    line(
        text,
        "Measured elsewhere on a similar 2-core machine, not in this run: user time, workload W if not said otherwise",
    );
    for one in report.measured_elsewhere {
        let (nodes, pods) = (count(Some(one.nodes)), count(Some(one.pods)));
        let (cpu, memory) = (decimal(Some(one.cpu_seconds), 2), one.peak_memory_megabytes);
        let system = format!("{} ({})", one.system, one.note);
        line(text, &format!("{nodes:>7}{pods:>10}{cpu:>9}{:>9}{memory:>9}{:>8}  {system}", "", ""));
    }
}

fn line(text: &mut String, content: &str) {
    let _ = writeln!(text, "{}", content.trim_end());
}

fn decimal(value: Option<f64>, digits: usize) -> String {
    value.map_or_else(|| UNKNOWN.to_owned(), |value| format!("{value:.digits$}"))
}

fn factor(value: Option<f64>) -> String {
    value.map_or_else(String::new, |value| format!("×{value:.1}"))
}

/// A whole number with commas between thousands.
fn count(value: Option<impl ToString>) -> String {
    let Some(value) = value else { return UNKNOWN.to_owned() };
    let digits = value.to_string();
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::super::case::Case;
    use super::super::instructions::Counter;
    use super::super::report::tests::measurement;
    use super::*;

    fn rendered(cpu: Option<f64>, counter: &Result<Counter, String>) -> String {
        let mut report = Report::new(1, counter);
        let counted = counter.as_ref().ok().map(|_| Ok(123_456_789));
        for case in [Case::Small, Case::Middle, Case::ThreeWaves] {
            report.add(case, &[measurement(cpu, "0123456789abcdef")], counted.clone()).unwrap();
        }
        let refused = counter.as_ref().ok().map(|_| Err("it takes minutes".to_owned()));
        report.add(Case::VaryingLoad, &[measurement(cpu, "another")], refused).unwrap();
        render(&report)
    }

    #[test]
    fn columns_line_up_and_nothing_is_wider_than_the_terminal_allows() {
        let text = rendered(Some(0.25), &Ok(Counter::Processor));
        let before = |line: &str| Some(line.split_once("0123456789abcdef")?.0.chars().count());
        let columns: Vec<usize> = text.lines().filter_map(before).collect();
        assert!(columns.len() == 3 && columns.iter().all(|column| *column == columns[0]), "{text}");
        assert!(text.lines().all(|line| line.chars().count() <= 110), "{text}");
        assert!(text.contains("400,000"), "{text}");
    }

    #[test]
    fn what_nobody_can_read_is_said() {
        let counter = Ok(Counter::Valgrind);
        assert!(rendered(None, &counter).contains("only Linux"));
        assert!(!rendered(Some(1.0), &counter).contains("only Linux"));
        assert!(rendered(None, &counter).contains("varying-load       not counted: it takes minutes"));
        let nobody = rendered(None, &Err("there is no counter".to_owned()));
        assert!(nobody.contains("Instructions: not counted: there is no counter"), "{nobody}");
        assert!(!nobody.contains("123,456,789"), "{nobody}");
    }
}
