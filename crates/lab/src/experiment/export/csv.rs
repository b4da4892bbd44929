//! Tables for other programs: all digits, no rounding.

use crate::experiment::cell::CellResult;
use crate::experiment::metric::{METRICS, Metric};
use crate::experiment::results::{MetricRow, Results, SettingResults, Standing};
use crate::statistics::Verdict;
use std::fmt::Write as _;

const RESULT_COLUMNS: &str = "scenario,strategy,metric,unit,better,source,n,failed,timed_out,mean,ci95_low,ci95_high,\
standard_deviation,median,interquartile_mean,least,most,baseline,pairs,difference,difference_ci95_low,difference_ci95_high,\
p,p_holm,rank_biserial,standardised_difference,verdict,regret,best\n";

/// One line for each scenario, strategy and metric; published rows at the end of their scenario.
pub fn results(results: &Results) -> String {
    let mut text = RESULT_COLUMNS.to_owned();
    for setting in &results.settings {
        for row in &setting.rows {
            for (arm, standing) in row.arms.iter().enumerate() {
                if let Some(standing) = standing {
                    result_line(&mut text, results, setting, row, arm, standing);
                }
            }
        }
        published_lines(&mut text, setting);
    }
    text
}

fn result_line(
    text: &mut String,
    results: &Results,
    setting: &SettingResults,
    row: &MetricRow,
    arm: usize,
    standing: &Standing,
) {
    let counts = &setting.arms[arm];
    let estimate = &standing.estimate;
    let mut line = head(setting, &results.arms[arm], row.metric, "measured");
    line.extend([estimate.count, counts.failed, counts.timed_out].map(|count| count.to_string()));
    line.push(exact(Some(estimate.mean)));
    line.push(exact(estimate.interval.map(|interval| interval.low)));
    line.push(exact(estimate.interval.map(|interval| interval.high)));
    let spread = [
        estimate.standard_deviation,
        estimate.median,
        estimate.interquartile_mean,
        estimate.least,
        estimate.most,
    ];
    line.extend(spread.map(|value| exact(Some(value))));
    line.push(quoted(&results.arms[results.baseline]));
    line.extend(comparison(standing));
    line.push(exact(standing.regret));
    line.push(u8::from(row.best == Some(arm)).to_string());
    finish(text, &line);
}

fn comparison(standing: &Standing) -> [String; 9] {
    let Some(comparison) = &standing.versus_baseline else { return std::array::from_fn(|_| String::new()) };
    let verdict = match comparison.verdict {
        Verdict::TooFewSeeds => "too_few_seeds",
        Verdict::Differs => "differs",
        Verdict::NotShown => "not_shown",
    };
    [
        comparison.pairs.to_string(),
        exact(Some(comparison.mean_difference)),
        exact(comparison.interval.map(|interval| interval.low)),
        exact(comparison.interval.map(|interval| interval.high)),
        exact(comparison.test.map(|test| test.p)),
        exact(standing.corrected),
        exact(comparison.test.map(|test| test.effect)),
        exact(comparison.standardised),
        verdict.to_owned(),
    ]
}

fn published_lines(text: &mut String, setting: &SettingResults) {
    for published in &setting.published {
        for (key, value) in &published.values {
            let Some(metric) = Metric::named(key) else { continue };
            let mut line =
                head(setting, &published.name, metric, &format!("published: {}", published.source));
            line.extend([String::new(), String::new(), String::new(), exact(Some(*value))]);
            line.resize(RESULT_COLUMNS.split(',').count(), String::new());
            finish(text, &line);
        }
    }
}

fn head(setting: &SettingResults, name: &str, metric: &Metric, source: &str) -> Vec<String> {
    let better = format!("{:?}", metric.better).to_lowercase();
    vec![
        quoted(&setting.name),
        quoted(name),
        metric.key.to_owned(),
        // Shares are written as shares; per cent is how they are shown.
        if metric.shown_times == 1.0 { metric.unit.to_owned() } else { "1".to_owned() },
        better,
        quoted(source),
    ]
}

/// One line for each run, with all metrics.
pub fn cells(results: &Results) -> String {
    let mut text = "scenario,strategy,seed,status,journal_sha256".to_owned();
    for metric in METRICS {
        text.extend([",", metric.key]);
    }
    text.push('\n');
    for setting in &results.settings {
        for (arm, cells) in setting.cells.iter().enumerate() {
            for (seed, cell) in results.seeds.iter().zip(cells) {
                let mut line = vec![quoted(&setting.name), quoted(&results.arms[arm]), seed.to_string()];
                line.extend(cell_columns(cell));
                finish(&mut text, &line);
            }
        }
    }
    text
}

fn cell_columns(cell: &CellResult) -> Vec<String> {
    let mut line = match cell {
        CellResult::Completed(measured) => vec!["completed".to_owned(), measured.journal_sha256.clone()],
        CellResult::Failed { .. } => vec!["failed".to_owned(), String::new()],
        CellResult::TimedOut { .. } => vec!["timed_out".to_owned(), String::new()],
    };
    line.extend(METRICS.iter().map(|metric| match cell {
        CellResult::Completed(measured) => exact(measured.values.get(metric.key).copied()),
        _ => String::new(),
    }));
    line
}

/// The shortest digits that give the same number again.
fn exact(value: Option<f64>) -> String {
    value.map(|value| value.to_string()).unwrap_or_default()
}

fn quoted(text: &str) -> String {
    if text.contains([',', '"', '\n', '\r']) {
        format!("\"{}\"", text.replace('"', "\"\""))
    } else {
        text.to_owned()
    }
}

fn finish(text: &mut String, line: &[String]) {
    let _ = writeln!(text, "{}", line.join(","));
}
