//! What an experiment says, in sentences that claim no more than the numbers carry.

use super::digits;
use super::metric::{Better, Metric};
use super::results::{MetricRow, Results, SettingResults, Standing};
use crate::statistics::{Comparison, Verdict};
use crate::wording;

/// What people ask about first, in this order, and the metrics that answer it; the first that was measured does.
const QUESTIONS: [(&str, &[&str]); 3] = [
    ("service", &["objective_missed_request_ratio", "pending_pods_mean"]),
    ("cost", &["cost_usd", "energy_kwh"]),
    ("disturbance", &["migrated_pods", "evicted_pods"]),
];

/// The conclusion of one scenario.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Conclusion {
    pub setting: String,
    pub sentences: Vec<String>,
}

/// One conclusion for each scenario, and what holds for all of them.
pub fn conclusions(results: &Results) -> (Vec<Conclusion>, Vec<String>) {
    let each = |setting: &SettingResults| Conclusion {
        setting: setting.name.clone(),
        sentences: sentences(results, setting),
    };
    (results.settings.iter().map(each).collect(), caveats(results))
}

fn sentences(results: &Results, setting: &SettingResults) -> Vec<String> {
    let rows = asked(setting);
    let mut sentences: Vec<String> = rows.iter().map(|row| about(results, row)).collect();
    if let Some(sentence) = trade_off(results, &rows) {
        sentences.push(sentence);
    }
    sentences
}

/// The questions with the rows behind them.
pub fn questions(setting: &SettingResults) -> Vec<(&'static str, &MetricRow)> {
    let answer =
        |(name, keys): &(&'static str, &[&str])| Some((*name, keys.iter().find_map(|key| setting.row(key))?));
    QUESTIONS.iter().filter_map(answer).collect()
}

/// The rows behind the questions.
pub fn asked(setting: &SettingResults) -> Vec<&MetricRow> {
    questions(setting).into_iter().map(|(_, row)| row).collect()
}

/// What may be claimed about a metric.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Claim {
    /// No run has a value.
    Nothing,
    /// There is only this strategy.
    Alone(usize),
    AllEqual,
    /// This one is shown to be the best.
    Best(usize),
    /// This one has the best mean, of too few seeds to say more.
    TooFewSeeds(usize),
    /// The first has the best mean, but its difference to the second is not shown.
    Open(usize, usize),
}

pub fn claim(results: &Results, row: &MetricRow) -> Claim {
    match row.ranking().as_slice() {
        [] => Claim::Nothing,
        [only] => Claim::Alone(*only),
        _ if all_equal(row) => Claim::AllEqual,
        [first, ..] if row.best == Some(*first) => Claim::Best(*first),
        [first, ..] if results.too_few_seeds() => Claim::TooFewSeeds(*first),
        [first, second, ..] => Claim::Open(*first, *second),
    }
}

fn about(results: &Results, row: &MetricRow) -> String {
    let label = row.metric.label;
    let words = superlative(row.metric);
    let name = |arm: usize| results.arms[arm].as_str();
    let mean =
        |arm: usize| row.arms[arm].as_ref().map_or_else(String::new, |standing| amount(row.metric, standing));
    match claim(results, row) {
        Claim::Nothing => format!("Nothing was measured of {label}."),
        Claim::Alone(only) => format!("{}: {label} {}.", name(only), mean(only)),
        Claim::AllEqual => format!("All strategies have the same {label}: {}.", mean(row.ranking()[0])),
        Claim::Best(first) => {
            let against = versus(results, row, first).map(|words| format!("; {words}")).unwrap_or_default();
            format!("{} has the {words} {label}: {}{against}.", name(first), mean(first))
        }
        Claim::TooFewSeeds(first) => {
            format!(
                "{} has the {words} {label} here ({}), but with so few seeds nothing is shown.",
                name(first),
                mean(first)
            )
        }
        Claim::Open(first, second) => {
            format!(
                "{} has the {words} {label} ({}), but it is not shown to differ from {}.",
                name(first),
                mean(first),
                name(second)
            )
        }
    }
}

/// Which end of the ranking is the good one, in a word.
pub(super) const fn superlative(metric: &Metric) -> &'static str {
    match metric.better {
        Better::Higher => "highest",
        Better::Lower | Better::Neither => "lowest",
    }
}

fn all_equal(row: &MetricRow) -> bool {
    let mut values =
        row.arms.iter().flatten().flat_map(|standing| standing.values.iter().map(|(_, value)| *value));
    let first = values.next();
    values.all(|value| Some(value) == first)
}

/// The mean with its interval and unit.
pub(super) fn amount(metric: &Metric, standing: &Standing) -> String {
    let unit = match metric.unit {
        "" => String::new(),
        unit => format!(" {unit}"),
    };
    format!("{}{unit}", digits::estimate(metric, standing))
}

/// How much better it is than the baseline, and how sure that is; the baseline itself is held against the next best.
pub(super) fn versus(results: &Results, row: &MetricRow, arm: usize) -> Option<String> {
    let standing = row.arms[arm].as_ref()?;
    if arm == results.baseline {
        let (second, lead) = row.lead.as_ref()?;
        return Some(format!("{}, the next", difference(results, row, *second, lead, None)?));
    }
    let comparison = standing.versus_baseline.as_ref()?;
    difference(results, row, results.baseline, comparison, standing.corrected)
}

/// "85 % less than hold (difference [-3, -2], p = 0.01)".
fn difference(
    results: &Results,
    row: &MetricRow,
    other: usize,
    comparison: &Comparison,
    corrected: Option<f64>,
) -> Option<String> {
    let (name, base) = (&results.arms[other], row.arms[other].as_ref()?.estimate.mean);
    if comparison.verdict != Verdict::Differs {
        return Some(format!("no difference to {name} is shown"));
    }
    let interval = digits::interval(row.metric, comparison.interval?);
    let sure = corrected.map(|p| format!(", p {}", equals(p))).unwrap_or_default();
    Some(format!("{} {name} (difference {interval}{sure})", relative(comparison.mean_difference, base)))
}

pub(super) fn equals(p: f64) -> String {
    let text = digits::probability(p);
    if text.starts_with('<') { text } else { format!("= {text}") }
}

/// "85 % less than", or the plain difference where there is nothing to compare with.
fn relative(difference: f64, base: f64) -> String {
    let share = difference / base * 100.0;
    if !share.is_finite() {
        return "other than the zero of".to_owned();
    }
    let words = if share < 0.0 { "less than" } else { "more than" };
    format!("{} % {words}", digits::number(share.abs()))
}

/// Arms that no other arm beats in everything that was asked.
pub fn undominated(rows: &[&MetricRow], arms: usize) -> Vec<usize> {
    let cost = |arm: usize| -> Option<Vec<f64>> {
        let one = |row: &&MetricRow| {
            let mean = row.arms[arm].as_ref()?.estimate.mean;
            Some(if row.metric.better == Better::Higher { -mean } else { mean })
        };
        rows.iter().map(one).collect()
    };
    let costs: Vec<Option<Vec<f64>>> = (0..arms).map(cost).collect();
    let beats = |one: &[f64], other: &[f64]| {
        one.iter().zip(other).all(|(a, b)| a <= b) && one.iter().zip(other).any(|(a, b)| a < b)
    };
    let is_beaten = |own: &[f64]| costs.iter().flatten().any(|other| beats(other, own));
    (0..arms).filter(|arm| costs[*arm].as_ref().is_some_and(|own| !is_beaten(own))).collect()
}

fn trade_off(results: &Results, rows: &[&MetricRow]) -> Option<String> {
    if rows.len() < 2 || results.arms.len() < 2 {
        return None;
    }
    let front: Vec<&str> =
        undominated(rows, results.arms.len()).into_iter().map(|arm| results.arms[arm].as_str()).collect();
    let labels: Vec<&str> = rows.iter().map(|row| row.metric.label).collect();
    let labels = listed(&labels);
    Some(match front.as_slice() {
        [] => return None,
        [only] => format!("{only} is at least as good as every other in {labels}, by the means."),
        several if several.len() == results.arms.len() => {
            format!("Each strategy is a different trade-off between {labels}.")
        }
        several => {
            format!("Of the trade-offs between {labels}, those of {} are not beaten.", listed(several))
        }
    })
}

fn caveats(results: &Results) -> Vec<String> {
    let mut caveats = Vec::new();
    let runs = results.settings.len() * results.arms.len() * results.seeds.len();
    if results.troubled() > 0 {
        caveats.push(format!(
            "{} of {runs} runs failed or timed out. They are in no mean, and a strategy with such runs is never called best.",
            results.troubled()
        ));
    }
    if results.too_few_seeds() {
        caveats.push(format!(
            "With {} nothing is claimed about other seeds; take at least five.",
            wording::count(results.seeds.len() as u64, "seed")
        ));
    }
    let published = results.settings.iter().any(|setting| !setting.published.is_empty());
    if published {
        caveats.push(
            "Published rows were measured by others, elsewhere, and are not part of any test.".to_owned(),
        );
    }
    caveats
}

/// a, b and c.
pub(super) fn listed(words: &[&str]) -> String {
    match words {
        [] => String::new(),
        [only] => (*only).to_owned(),
        [init @ .., last] => format!("{} and {last}", init.join(", ")),
    }
}
