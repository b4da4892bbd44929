//! What is expected of a plan, in a few lines: what changes, by how much, and how sure that is.

use crate::terminal::{clean, clock, span};
use model::review::Stage;
use server::api::wire::{
    EstimateItem, MeasureItem, OutlookItem, PlanItem, PredictionItem, RecommendationDetail,
};

/// Measures that are told of one outlook; the rest is in --json.
const MOST_MEASURES: usize = 6;

/// A change that is smaller than this, on average, is none to a person.
const SMALLEST_CHANGE: f64 = 0.005;

/// `now` is the federation's own time.
pub(super) fn lines(detail: &RecommendationDetail, now: u64) -> Vec<String> {
    let Some(prediction) = &detail.prediction else { return vec![unpredicted(detail)] };
    let fates = |outlook: &OutlookItem| {
        let own = outlook.plans.iter().find(|plan| plan.id == detail.item.id);
        own.map(fate).into_iter().collect()
    };
    let mut lines = told(prediction, "alone", fates);
    lines.insert(1, reckoned(prediction.made_at, now));
    lines
}

/// A prediction is as old as what was known when it was made.
fn reckoned(at: u64, now: u64) -> String {
    let age = span(now.saturating_sub(at));
    format!("reckoned at {}, {age} ago; what was begun since then is not in it", clock(at))
}

/// Whoever decides now decides without knowing, and is told so.
fn unpredicted(detail: &RecommendationDetail) -> String {
    let text = match (detail.item.is_predicted, detail.item.stage == Stage::Pending.as_str()) {
        (true, _) => "was predicted; the prediction is not kept any more",
        (false, true) => {
            "not predicted: nobody has rehearsed this plan yet, so what it would bring is not known"
        }
        (false, false) => "was not predicted before it was settled",
    };
    text.to_owned()
}

/// What several plans would bring together.
pub(crate) fn together(prediction: &PredictionItem) -> String {
    let fates = |outlook: &OutlookItem| {
        outlook.plans.iter().map(|plan| format!("{}: {}", plan.id, fate(plan))).collect()
    };
    let lines = told(prediction, "all of them together", fates);
    lines.iter().map(|line| clean(line)).collect::<Vec<_>>().join("\n")
}

/// A prediction, line by line. `fates` tells what becomes of the plans.
fn told(
    prediction: &PredictionItem,
    alone: &str,
    fates: impl Fn(&OutlookItem) -> Vec<String>,
) -> Vec<String> {
    let mut lines = vec![head(prediction)];
    lines.extend(outlook(alone, fates(&prediction.alone), &prediction.alone));
    if let Some(jointly) = prediction.jointly.as_ref().filter(|_| !prediction.together_with.is_empty()) {
        let others = format!("on top of {}", prediction.together_with.join(", "));
        lines.extend(outlook(&others, fates(jointly), jointly));
    }
    lines.extend(prediction.limitations.iter().cloned());
    lines
}

fn head(prediction: &PredictionItem) -> String {
    let horizon = span((prediction.horizon_seconds * 1000.0) as u64);
    let confidence = prediction.confidence * 100.0;
    format!(
        "in {} rehearsed futures of {horizon}; intervals should hold {confidence:.0} % of them",
        prediction.seeds
    )
}

/// One future after the other: whether it works, and what it changes.
fn outlook(when: &str, fates: Vec<String>, outlook: &OutlookItem) -> Vec<String> {
    let mut lines = vec![format!("{when}:")];
    lines.extend(fates.into_iter().map(|fate| format!("  {fate}")));
    let changing: Vec<&MeasureItem> =
        outlook.measures.iter().filter(|row| row.difference.mean.abs() >= SMALLEST_CHANGE).collect();
    lines.extend(changing.iter().take(MOST_MEASURES).map(|row| format!("  {}", measure(row))));
    match changing.len().saturating_sub(MOST_MEASURES) {
        0 if changing.is_empty() => lines.push("  no measure changes".to_owned()),
        0 => {}
        more => lines.push(format!("  and {more} more; --json has all of them")),
    }
    lines
}

fn fate(plan: &PlanItem) -> String {
    let all = plan.done + plan.failed + plan.rolled_back + plan.unfinished;
    let takes = plan
        .takes_seconds
        .as_ref()
        .map(|takes| format!(", takes {} s", number(takes, "s")))
        .unwrap_or_default();
    let why = plan.reasons.first().map(|reason| format!("; otherwise: {reason}")).unwrap_or_default();
    format!("done in {} of {all}{takes}{why}", plan.done)
}

fn measure(row: &MeasureItem) -> String {
    let unit = if is_share(&row.unit) { String::new() } else { format!(" {}", row.unit) };
    let value = |estimate: &EstimateItem| amount(estimate.mean, &row.unit);
    format!(
        "{} of {}: {} → {}{unit}, change {}",
        row.measure.replace('_', " "),
        row.subject,
        value(&row.without),
        value(&row.with),
        number(&row.difference, &row.unit)
    )
}

/// A mean and its interval.
fn number(estimate: &EstimateItem, unit: &str) -> String {
    let [mean, low, high] = [estimate.mean, estimate.low, estimate.high].map(|value| amount(value, unit));
    format!("{mean} [{low}, {high}]")
}

fn is_share(unit: &str) -> bool {
    unit == "share"
}

/// Two digits at most, and no zero with a sign.
fn amount(value: f64, unit: &str) -> String {
    let (value, sign) = if is_share(unit) { (value * 100.0, " %") } else { (value, "") };
    let rounded = (value * 100.0).round() / 100.0;
    format!("{}{sign}", if rounded == 0.0 { 0.0 } else { rounded })
}
