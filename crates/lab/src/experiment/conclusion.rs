//! What an experiment says, in sentences that claim no more than the numbers carry.

use super::digits;
use super::metric::{Better, Metric};
use super::results::{MetricRow, Results, SettingResults, Standing};
use crate::statistics::{Comparison, LEVEL, Verdict, least_probability};
use crate::wording;

/// What people ask about first, in this order, and the metrics that answer it; the first that was measured does.
const QUESTIONS: [(&str, &[&str]); 3] = [
    ("service", &["objective_missed_request_ratio", "pending_pods_mean"]),
    ("cost", &["cost_usd", "cost_usd_per_interval", "energy_kwh"]),
    ("disturbance", &["migrated_pods", "migrated_pods_per_execution", "evicted_pods"]),
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
    let mut sentences: Vec<String> = rows.iter().map(|row| about(results, setting, row)).collect();
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
    /// Several have the best mean, and it is the same.
    Shared,
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
        _ if leaders(row).len() > 1 => Claim::Shared,
        [first, ..] if row.best == Some(*first) => Claim::Best(*first),
        [first, ..] if results.too_few_seeds() => Claim::TooFewSeeds(*first),
        [first, second, ..] => Claim::Open(*first, *second),
    }
}

/// Those with the best mean, in the order of the experiment.
pub(super) fn leaders(row: &MetricRow) -> Vec<usize> {
    let mean = |arm: usize| row.arms[arm].as_ref().map(|standing| standing.estimate.mean);
    let ranking = row.ranking();
    let best = ranking.first().and_then(|arm| mean(*arm));
    let mut leaders: Vec<usize> = ranking.into_iter().filter(|arm| mean(*arm) == best).collect();
    leaders.sort_unstable();
    leaders
}

/// "hold and planner", or "hold and 10 others".
pub(super) fn leaders_named(results: &Results, row: &MetricRow) -> String {
    let leaders = leaders(row);
    let names: Vec<&str> = leaders.iter().map(|arm| results.arms[*arm].as_str()).collect();
    if names.len() <= 3 { listed(&names) } else { format!("{} and {} others", names[0], names.len() - 1) }
}

fn about(results: &Results, setting: &SettingResults, row: &MetricRow) -> String {
    let label = row.metric.label;
    let words = superlative(row.metric);
    let name = |arm: usize| results.arms[arm].as_str();
    let mean =
        |arm: usize| row.arms[arm].as_ref().map_or_else(String::new, |standing| amount(row.metric, standing));
    match claim(results, row) {
        Claim::Nothing => format!("Nothing was measured of {label}."),
        Claim::Alone(only) => format!("{}: {label} {}.", name(only), mean(only)),
        Claim::AllEqual => {
            format!("All strategies have the same {label}, seed by seed: {}.", mean(row.ranking()[0]))
        }
        Claim::Shared => {
            format!("{} share the {words} {label}: {}.", leaders_named(results, row), mean(row.ranking()[0]))
        }
        Claim::Best(first) => {
            let against =
                versus(results, setting, row, first).map(|words| format!("; {words}")).unwrap_or_default();
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
pub(super) fn superlative(metric: &Metric) -> &'static str {
    // What is counted is few, what is measured is low.
    let is_counted = ["pods", "requests", "moves", "changes", "recommendations"]
        .iter()
        .any(|noun| metric.label.contains(noun));
    match (metric.better, is_counted && !metric.label.starts_with("time")) {
        (Better::Higher, true) => "most",
        (Better::Higher, false) => "highest",
        (_, true) => "fewest",
        (_, false) => "lowest",
    }
}

/// Whether it makes no difference, on any seed, which strategy decides.
fn all_equal(row: &MetricRow) -> bool {
    let mut values = row.arms.iter().map(|standing| standing.as_ref().map(|standing| &standing.values));
    let first = values.next();
    values.all(|values| Some(values) == first)
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
pub(super) fn versus(
    results: &Results,
    setting: &SettingResults,
    row: &MetricRow,
    arm: usize,
) -> Option<String> {
    // A test that cannot confirm anything is not quoted as if it had failed to.
    let p = corrected(results, row, arm).filter(|_| setting.can_be_tested(results.seeds.len()));
    if arm == results.baseline {
        let (second, lead) = row.lead.as_ref()?;
        return Some(format!("{}, the next", difference(results, row, *second, lead, p)?));
    }
    let comparison = row.arms[arm].as_ref()?.versus_baseline.as_ref()?;
    difference(results, row, results.baseline, comparison, p)
}

/// The corrected probability behind what [`versus`] says.
fn corrected(results: &Results, row: &MetricRow, arm: usize) -> Option<f64> {
    let other = if arm == results.baseline { row.lead.as_ref()?.0 } else { arm };
    row.arms[other].as_ref()?.corrected
}

/// What it stands on that this arm is called best.
pub(super) fn certainty(results: &Results, setting: &SettingResults, row: &MetricRow, arm: usize) -> String {
    let seeds = wording::count(results.seeds.len() as u64, "seed");
    match corrected(results, row, arm) {
        Some(p) if p <= LEVEL => format!("Shown by {seeds}: interval and rank test agree."),
        Some(_) if !setting.can_be_tested(results.seeds.len()) => {
            format!("Shown by the interval alone: {seeds} are too few for the rank test.")
        }
        Some(p) => format!(
            "Shown by the interval of {seeds}, but the rank test does not confirm it (p {}).",
            equals(p)
        ),
        None => format!("Shown by the interval of {seeds}."),
    }
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

/// What each arm costs in every row, less being better; nothing for an arm without numbers.
fn costs(rows: &[&MetricRow], arms: usize) -> Vec<Option<Vec<f64>>> {
    let one = |row: &&MetricRow, arm: usize| {
        let mean = row.arms[arm].as_ref()?.estimate.mean;
        Some(if row.metric.better == Better::Higher { -mean } else { mean })
    };
    (0..arms).map(|arm| rows.iter().map(|row| one(row, arm)).collect()).collect()
}

/// Arms that no other arm beats in everything that was asked.
pub fn undominated(rows: &[&MetricRow], arms: usize) -> Vec<usize> {
    let costs = costs(rows, arms);
    let beats = |one: &[f64], other: &[f64]| {
        one.iter().zip(other).all(|(a, b)| a <= b) && one.iter().zip(other).any(|(a, b)| a < b)
    };
    let is_beaten = |own: &[f64]| costs.iter().flatten().any(|other| beats(other, own));
    (0..arms).filter(|arm| costs[*arm].as_ref().is_some_and(|own| !is_beaten(own))).collect()
}

/// The names of the arms that are not beaten; those that come to the same are together.
fn front<'a>(results: &'a Results, rows: &[&MetricRow]) -> Vec<Vec<&'a str>> {
    let costs = costs(rows, results.arms.len());
    let mut groups: Vec<(usize, Vec<&str>)> = Vec::new();
    for arm in undominated(rows, results.arms.len()) {
        let name = results.arms[arm].as_str();
        match groups.iter_mut().find(|(first, _)| costs[*first] == costs[arm]) {
            Some((_, names)) => names.push(name),
            None => groups.push((arm, vec![name])),
        }
    }
    groups.into_iter().map(|(_, names)| names).collect()
}

fn trade_off(results: &Results, rows: &[&MetricRow]) -> Option<String> {
    if rows.len() < 2 || results.arms.len() < 2 {
        return None;
    }
    let front = front(results, rows);
    let everybody = front.iter().map(Vec::len).sum::<usize>() == results.arms.len();
    let labels: Vec<&str> = rows.iter().map(|row| row.metric.label).collect();
    (!front.is_empty()).then(|| trade_off_in_words(&front, everybody, &listed(&labels)))
}

/// `front` are the names of those that are not beaten, and `everybody` whether they are all there are.
fn trade_off_in_words(front: &[Vec<&str>], everybody: bool, labels: &str) -> String {
    let alike: Vec<String> = front.iter().filter(|names| names.len() > 1).map(|names| same(names)).collect();
    let alike = if alike.is_empty() { String::new() } else { format!("; {}", alike.join(", ")) };
    match front {
        [_] if everybody => format!("All strategies come to the same in {labels}, by the means."),
        [only] => {
            let are =
                if let [name] = only[..] { format!("{name} is") } else { format!("{} and are", same(only)) };
            format!("{are} at least as good as every other in {labels}, by the means.")
        }
        _ if everybody && alike.is_empty() => {
            format!("Each strategy is a different trade-off between {labels}.")
        }
        _ if everybody => format!("No strategy is beaten in {labels} together{alike}."),
        several => {
            let names = listed(&several.concat());
            format!("Of the trade-offs between {labels}, those of {names} are not beaten{alike}.")
        }
    }
}

fn same(names: &[&str]) -> String {
    format!("{} come to the same", listed(names))
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
    caveats.extend(weak_test(results));
    let published = results.settings.iter().any(|setting| !setting.published.is_empty());
    if published {
        caveats.push(
            "Published rows were measured by others, elsewhere, and are not part of any test.".to_owned(),
        );
    }
    caveats
}

/// Said where clear differences would still have large probabilities, only because there are few seeds and many questions.
fn weak_test(results: &Results) -> Option<String> {
    let seeds = results.seeds.len();
    let weak = results.settings.iter().filter(|setting| !setting.can_be_tested(seeds));
    let most = weak.map(SettingResults::comparisons).max().filter(|_| !results.too_few_seeds())?;
    let enough = (seeds..64).find(|seeds| most as f64 * least_probability(*seeds) <= LEVEL)?;
    Some(format!(
        "With {seeds} seeds and {} in a scenario the corrected rank test cannot confirm anything, however clear it is: \
         what is called shown rests on the interval of the difference alone. {enough} seeds would do.",
        wording::count(most as u64, "comparison")
    ))
}

/// a, b and c.
pub(super) fn listed(words: &[&str]) -> String {
    match words {
        [] => String::new(),
        [only] => (*only).to_owned(),
        [init @ .., last] => format!("{} and {last}", init.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::experiment::cell::{CellResult, Measured};
    use crate::experiment::figures::sample;

    /// Results with this cost for each strategy and seed.
    fn costs(arms: &[&[f64]]) -> Results {
        let cell = |value: &f64| {
            let values = [("cost_usd".to_owned(), *value)].into();
            CellResult::Completed(Box::new(Measured { values, ..Measured::default() }))
        };
        let names: Vec<String> =
            ["hold", "planner", "third"][..arms.len()].iter().map(|name| (*name).to_owned()).collect();
        let seeds: Vec<u64> = (1..=arms[0].len() as u64).collect();
        sample::of(&names, &seeds, arms.iter().map(|values| values.iter().map(cell).collect()).collect())
    }

    fn first_sentence(arms: &[&[f64]]) -> String {
        conclusions(&costs(arms)).0[0].sentences[0].clone()
    }

    const BASE: [f64; 8] = [10.0, 11.0, 12.0, 13.0, 14.0, 15.0, 16.0, 17.0];

    #[test]
    fn sentences_claim_no_more_than_the_numbers_carry() {
        let cheaper = BASE.map(|value| value - 2.0 - value / 100.0);
        let noisy = [9.0, 12.0, 11.5, 13.5, 13.0, 15.5, 15.0, 17.5];
        let check = |arms: &[&[f64]], expected: &str| assert_eq!(first_sentence(arms), expected);
        check(&[&BASE], "hold: cost 13.50 [11.45, 15.55] USD.");
        check(&[&BASE, &BASE], "All strategies have the same cost, seed by seed: 13.50 [11.45, 15.55] USD.");
        check(
            &[&BASE, &cheaper],
            "planner has the lowest cost: 11.37 [9.34, 13.39] USD; 15.81 % less than hold (difference [-2.15, -2.12], p = 0.008).",
        );
        check(
            &[&cheaper, &BASE],
            "hold has the lowest cost: 11.37 [9.34, 13.39] USD; 15.81 % less than planner (difference [-2.15, -2.12], p = 0.008), the next.",
        );
        check(
            &[&BASE, &noisy],
            "planner has the lowest cost (13.38 [11.17, 15.58] USD), but it is not shown to differ from hold.",
        );
        check(
            &[&BASE, &cheaper, &cheaper],
            "planner and third share the lowest cost: 11.37 [9.34, 13.39] USD.",
        );
        check(
            &[&BASE[..3], &cheaper[..3]],
            "planner has the lowest cost here (8.89 [6.43, 11.35] USD), but with so few seeds nothing is shown.",
        );
    }

    #[test]
    fn strategies_that_come_to_the_same_are_no_different_trade_offs() {
        let check = |front: &[&[&str]], everybody: bool, expected: &str| {
            let front: Vec<Vec<&str>> = front.iter().map(|names| names.to_vec()).collect();
            assert_eq!(trade_off_in_words(&front, everybody, "cost and moves"), expected);
        };
        check(&[&["a", "b"]], true, "All strategies come to the same in cost and moves, by the means.");
        check(&[&["a"]], false, "a is at least as good as every other in cost and moves, by the means.");
        check(
            &[&["a", "b"]],
            false,
            "a and b come to the same and are at least as good as every other in cost and moves, by the means.",
        );
        check(&[&["a"], &["b"]], true, "Each strategy is a different trade-off between cost and moves.");
        check(
            &[&["a"], &["b", "c"]],
            true,
            "No strategy is beaten in cost and moves together; b and c come to the same.",
        );
        check(
            &[&["a"], &["b"]],
            false,
            "Of the trade-offs between cost and moves, those of a and b are not beaten.",
        );
    }

    #[test]
    fn a_test_that_cannot_confirm_anything_is_not_quoted() {
        let cheaper = BASE.map(|value| value - 2.0 - value / 100.0);
        let results = costs(&[&BASE[..5], &cheaper[..5]]);
        let (conclusions, caveats) = conclusions(&results);
        assert!(
            conclusions[0].sentences[0].ends_with("less than hold (difference [-2.13, -2.11])."),
            "{conclusions:?}"
        );
        assert!(caveats[0].starts_with("With 5 seeds and 1 comparison in a scenario"), "{caveats:?}");
        assert!(caveats[0].ends_with(" 6 seeds would do."), "{caveats:?}");
        let setting = &results.settings[0];
        let row = setting.row("cost_usd").unwrap();
        assert_eq!(
            certainty(&results, setting, row, 1),
            "Shown by the interval alone: 5 seeds are too few for the rank test."
        );
        let enough = costs(&[&BASE, &cheaper]);
        let setting = &enough.settings[0];
        let row = setting.row("cost_usd").unwrap();
        assert_eq!(certainty(&enough, setting, row, 1), "Shown by 8 seeds: interval and rank test agree.");
    }
}
