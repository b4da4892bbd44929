//! What an experiment says, in sentences that claim no more than the numbers carry.

use super::digits;
use super::metric::{Better, Metric};
use super::results::{MetricRow, Results, SettingResults, Standing};
use crate::statistics::Verdict;
use crate::wording;

/// What people ask about first, in this order, of what was measured: service, cost, disturbance.
const QUESTIONS: [&[&str]; 3] = [
    &["objective_missed_request_ratio", "pending_pods_mean"],
    &["cost_usd", "energy_kwh"],
    &["migrated_pods", "evicted_pods"],
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

/// The rows behind the questions.
pub fn asked(setting: &SettingResults) -> Vec<&MetricRow> {
    QUESTIONS.iter().filter_map(|keys| keys.iter().find_map(|key| setting.row(key))).collect()
}

fn about(results: &Results, row: &MetricRow) -> String {
    let ranking = row.ranking();
    let name = |arm: usize| results.arms[arm].as_str();
    let Some(standing) = ranking.first().and_then(|arm| row.arms[*arm].as_ref()) else {
        return format!("Nothing was measured of {}.", row.metric.label);
    };
    let first = ranking[0];
    let mean = amount(row.metric, standing);
    let words = superlative(row.metric);
    if all_equal(row) {
        return format!("All strategies have the same {}: {mean}.", row.metric.label);
    }
    if row.best == Some(first) {
        let against = versus(results, row, first).unwrap_or_default();
        return format!("{} has the {words} {}: {mean}{against}.", name(first), row.metric.label);
    }
    if results.too_few_seeds() {
        return format!(
            "{} has the {words} {} here ({mean}), but with so few seeds nothing is shown.",
            name(first),
            row.metric.label
        );
    }
    let second = ranking.get(1).map_or("the others", |arm| name(*arm));
    format!(
        "{} has the {words} {} ({mean}), but it is not shown to differ from {second}.",
        name(first),
        row.metric.label
    )
}

const fn superlative(metric: &Metric) -> &'static str {
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

fn amount(metric: &Metric, standing: &Standing) -> String {
    let unit = match metric.unit {
        "" => String::new(),
        unit => format!(" {unit}"),
    };
    format!("{}{unit}", digits::estimate(metric, standing))
}

/// How much better it is than the baseline, and how sure that is.
fn versus(results: &Results, row: &MetricRow, arm: usize) -> Option<String> {
    let comparison = row.arms[arm].as_ref()?.versus_baseline.as_ref()?;
    let base = row.arms[results.baseline].as_ref()?.estimate.mean;
    let name = &results.arms[results.baseline];
    let change = relative(comparison.mean_difference, base);
    let interval = comparison.interval.map(|interval| digits::interval(row.metric, interval))?;
    let corrected = row.arms[arm].as_ref()?.corrected;
    let sure = corrected.map(|p| format!(", p {}", equals(p))).unwrap_or_default();
    Some(match comparison.verdict {
        Verdict::Differs => format!("; {change} {name} (difference {interval}{sure})"),
        Verdict::NotShown | Verdict::TooFewSeeds => format!("; no difference to {name} is shown"),
    })
}

fn equals(p: f64) -> String {
    let text = digits::probability(p);
    if text.starts_with('<') { text } else { format!("= {text}") }
}

/// "85 % less than", or the plain difference where there is nothing to compare with.
fn relative(difference: f64, base: f64) -> String {
    if base == 0.0 {
        return "more than nothing with".to_owned();
    }
    let share = difference / base * 100.0;
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
fn listed(words: &[&str]) -> String {
    match words {
        [] => String::new(),
        [only] => (*only).to_owned(),
        [init @ .., last] => format!("{} and {last}", init.join(", ")),
    }
}
