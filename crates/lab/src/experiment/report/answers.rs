//! Who wins, by how much and how sure that is: the answers that are read in the first ten seconds.

use crate::experiment::cell::CellResult;
use crate::experiment::conclusion::{
    Claim, amount, certainty, claim, leaders_named, listed, questions, superlative, versus,
};
use crate::experiment::results::{MetricRow, Results, SettingResults};
use crate::markup::Escaped;
use crate::report::html::push;
use crate::wording;
use std::collections::BTreeMap;

/// One sentence above everything.
pub(super) fn headline(results: &Results) -> String {
    if results.arms.len() == 1 {
        return format!("{} alone: there is nothing to compare with", results.arms[0]);
    }
    if results.too_few_seeds() {
        let seeds = wording::count(results.seeds.len() as u64, "seed");
        return format!("Not decided: with {seeds} nothing is shown");
    }
    match results.settings.as_slice() {
        [only] => of_one(results, only),
        several => of_several(results, several),
    }
}

/// "Lowest cost: hold. Lowest pending pods and evicted pods: planner."
fn of_one(results: &Results, setting: &SettingResults) -> String {
    let mut groups: Vec<(String, Vec<String>)> = Vec::new();
    for (_, row) in questions(setting) {
        let answer = short(results, row);
        let label = format!("{} {}", superlative(row.metric), row.metric.label);
        match groups.iter_mut().find(|(known, _)| *known == answer) {
            Some((_, labels)) => labels.push(label),
            None => groups.push((answer, vec![label])),
        }
    }
    let one = |(answer, labels): &(String, Vec<String>)| {
        let labels: Vec<&str> = labels.iter().map(String::as_str).collect();
        capital(&format!("{}: {answer}", listed(&labels)))
    };
    let parts: Vec<String> = groups.iter().map(one).collect();
    if parts.is_empty() {
        "Nothing was measured of service, cost or disturbance".to_owned()
    } else {
        parts.join(". ")
    }
}

/// "Best service: planner in 2 of 3 scenarios. Lowest cost: not decided."
fn of_several(results: &Results, settings: &[SettingResults]) -> String {
    let part = |(name, words): (&str, &str)| {
        let answered = settings.iter().filter_map(|setting| {
            let (_, row) = questions(setting).into_iter().find(|(question, _)| *question == name)?;
            Some((setting.name.as_str(), claim(results, row)))
        });
        let claims: Vec<(&str, Claim)> = answered.collect();
        (!claims.is_empty()).then(|| format!("{words}: {}", winners(results, &claims)))
    };
    let asked = [("service", "Best service"), ("cost", "Lowest cost"), ("disturbance", "Least disturbance")];
    asked.into_iter().filter_map(part).collect::<Vec<_>>().join(". ")
}

/// Up to so many scenarios a headline names them.
const MOST_NAMED: usize = 3;

/// "planner in 2, hold in 1 of 4 scenarios"; few scenarios are named.
fn winners(results: &Results, claims: &[(&str, Claim)]) -> String {
    let mut wins = BTreeMap::<usize, Vec<&str>>::new();
    for (setting, claim) in claims {
        if let Claim::Best(arm) = claim {
            wins.entry(*arm).or_default().push(setting);
        }
    }
    let mut wins: Vec<(usize, Vec<&str>)> = wins.into_iter().collect();
    wins.sort_by_key(|(arm, settings)| (std::cmp::Reverse(settings.len()), *arm));
    let name = |arm: usize| results.arms[arm].as_str();
    let each = |words: &dyn Fn(&[&str]) -> String| {
        let parts: Vec<String> =
            wins.iter().map(|(arm, settings)| format!("{} {}", name(*arm), words(settings))).collect();
        parts.join(", ")
    };
    match wins.as_slice() {
        [] if claims.iter().all(|(_, claim)| *claim == Claim::AllEqual) => "no difference".to_owned(),
        [] => "not decided".to_owned(),
        [(arm, settings)] if settings.len() == claims.len() => match claims.len() {
            1 => name(*arm).to_owned(),
            2 => format!("{} in both scenarios", name(*arm)),
            count => format!("{} in all {count} scenarios", name(*arm)),
        },
        _ if claims.len() <= MOST_NAMED => each(&|settings| format!("in {}", listed(settings))),
        _ => format!("{} of {} scenarios", each(&|settings| format!("in {}", settings.len())), claims.len()),
    }
}

fn short(results: &Results, row: &MetricRow) -> String {
    match claim(results, row) {
        Claim::Best(arm) | Claim::Alone(arm) => results.arms[arm].clone(),
        Claim::AllEqual => "no difference".to_owned(),
        Claim::Shared => leaders_named(results, row),
        Claim::Nothing | Claim::TooFewSeeds(_) | Claim::Open(..) => "not decided".to_owned(),
    }
}

fn capital(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

/// One answer for each question of a scenario.
pub(super) fn write(out: &mut String, results: &Results, setting: &SettingResults) {
    let questions = questions(setting);
    if questions.is_empty() {
        return;
    }
    out.push_str("<dl class=\"answers\">");
    for (_, row) in questions {
        answer(out, results, setting, row);
    }
    out.push_str("</dl>");
}

fn answer(out: &mut String, results: &Results, setting: &SettingResults, row: &MetricRow) {
    let claim = claim(results, row);
    let is_shown = matches!(claim, Claim::Best(_));
    let class = if is_shown { "answer shown" } else { "answer" };
    let (question, value) = match claim {
        Claim::Alone(arm) => (capital(row.metric.label), mean(row, arm)),
        _ => (capital(&format!("{} {}", superlative(row.metric), row.metric.label)), short(results, row)),
    };
    push(
        out,
        format_args!(
            "<div class=\"{class}\"><dt>{}</dt><dd class=\"value\">{}</dd>",
            Escaped(&question),
            Escaped(&value)
        ),
    );
    let (strong, rest) = details(results, setting, row, claim);
    push(
        out,
        format_args!("<dd class=\"note\"><strong>{}</strong>{}</dd></div>", Escaped(&strong), Escaped(&rest)),
    );
}

fn mean(row: &MetricRow, arm: usize) -> String {
    row.arms[arm].as_ref().map_or_else(String::new, |standing| amount(row.metric, standing))
}

/// How much, in strong letters, and how sure.
fn details(results: &Results, setting: &SettingResults, row: &MetricRow, claim: Claim) -> (String, String) {
    let name = |arm: usize| results.arms[arm].as_str();
    match claim {
        Claim::Nothing => ("No run has a value.".to_owned(), String::new()),
        Claim::Alone(arm) => (name(arm).to_owned(), ", with nothing to compare with.".to_owned()),
        Claim::AllEqual => (mean(row, row.ranking()[0]), " with every strategy, seed by seed.".to_owned()),
        Claim::Shared => (mean(row, row.ranking()[0]), "; the same mean with each of them.".to_owned()),
        Claim::Best(arm) => {
            let against =
                versus(results, setting, row, arm).map(|words| format!("; {words}")).unwrap_or_default();
            (mean(row, arm), format!("{against}. {}", certainty(results, setting, row, arm)))
        }
        Claim::TooFewSeeds(arm) => (
            format!("{}: {}", name(arm), mean(row, arm)),
            format!(
                " is ahead, but {} cannot show anything.",
                wording::count(results.seeds.len() as u64, "seed")
            ),
        ),
        Claim::Open(first, second) => (
            format!("{}: {}", name(first), mean(row, first)),
            format!(" is ahead, but not shown to differ from {} ({}).", name(second), mean(row, second)),
        ),
    }
}

/// Which strategies changed nothing in the run whose changes are drawn.
pub(super) fn listed_idle(results: &Results, setting: &SettingResults) -> Option<String> {
    let is_idle = |arm: &usize| matches!(setting.cells[*arm].first(), Some(CellResult::Completed(run)) if run.moves.is_empty());
    let idle: Vec<&str> =
        (0..results.arms.len()).filter(is_idle).map(|arm| results.arms[arm].as_str()).collect();
    let seed = results.seeds.first()?;
    (!idle.is_empty()).then(|| format!("Nothing was carried out for {} with seed {seed}.", listed(&idle)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::experiment::figures::sample;

    #[test]
    fn winners_of_several_scenarios_are_counted_or_named() {
        let results = sample::results(1, 1);
        let results = Results { arms: vec!["hold".to_owned(), "planner".to_owned()], ..results };
        let check = |claims: &[Claim], expected: &str| {
            let named: Vec<(&str, Claim)> =
                ["a", "b", "c", "d"].into_iter().zip(claims.iter().copied()).collect();
            assert_eq!(winners(&results, &named), expected);
        };
        check(&[Claim::Best(1), Claim::Best(1)], "planner in both scenarios");
        check(&[Claim::Best(1), Claim::Best(0)], "hold in b, planner in a");
        check(&[Claim::Best(1), Claim::Open(0, 1), Claim::Best(1)], "planner in a and c");
        check(&[Claim::Open(0, 1), Claim::Shared], "not decided");
        check(&[Claim::AllEqual, Claim::AllEqual], "no difference");
        check(
            &[Claim::Best(0), Claim::Best(1), Claim::Best(1), Claim::Shared],
            "planner in 2, hold in 1 of 4 scenarios",
        );
        check(&[Claim::Best(0), Claim::Best(0), Claim::Best(0)], "hold in all 3 scenarios");
    }
}
