//! All results as one document for programs.

use crate::experiment::metric::Metric;
use crate::experiment::results::{MetricRow, Results, SettingResults, Standing};
use serde_json::{Value, json};

pub fn results(results: &Results) -> Value {
    let settings: Vec<Value> = results.settings.iter().map(|setting| one_setting(results, setting)).collect();
    json!({
        "experiment": results.name,
        "seeds": results.seeds,
        "too_few_seeds": results.too_few_seeds(),
        "baseline": results.arms[results.baseline],
        "scenarios": settings,
    })
}

fn one_setting(results: &Results, setting: &SettingResults) -> Value {
    let strategies: Vec<Value> = results
        .arms
        .iter()
        .zip(&setting.arms)
        .map(|(name, counts)| {
            json!({ "name": name, "completed": counts.completed, "failed": counts.failed, "timed_out": counts.timed_out })
        })
        .collect();
    let published: Vec<Value> = setting
        .published
        .iter()
        .map(|row| json!({ "name": row.name, "source": row.source, "values": row.values }))
        .collect();
    let metrics: Vec<Value> = setting.rows.iter().map(|row| one_row(results, row)).collect();
    json!({ "name": setting.name, "strategies": strategies, "metrics": metrics, "published": published })
}

fn one_row(results: &Results, row: &MetricRow) -> Value {
    let arms = results.arms.iter().zip(&row.arms);
    let strategies: Vec<Value> = arms
        .filter_map(|(name, standing)| standing.as_ref().map(|standing| one_standing(name, standing)))
        .collect();
    let Metric { key, label, better, .. } = row.metric;
    json!({
        "metric": key,
        "label": label,
        "better": format!("{better:?}").to_lowercase(),
        "best": row.best.map(|arm| &results.arms[arm]),
        "strategies": strategies,
    })
}

fn one_standing(name: &str, standing: &Standing) -> Value {
    let values: Vec<f64> = standing.values.iter().map(|(_, value)| *value).collect();
    json!({
        "strategy": name,
        "values": values,
        "estimate": standing.estimate,
        "versus_baseline": standing.versus_baseline,
        "p_holm": standing.corrected,
        "regret": standing.regret,
    })
}
