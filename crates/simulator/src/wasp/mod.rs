//! WASP's files: read exactly as WASP itself would take them, and written so that its tools take ours.
//!
//! Nothing here decides what a WASP scenario means in Drover; the structs keep WASP's own words, and every key
//! without effect is named in a [`Notice`].

pub(crate) mod civil;
mod config;
mod convert;
mod input;
mod metrics;
mod recommendations;
mod run_directory;
mod section;

pub use config::{
    WaspActuator, WaspCluster, WaspConfig, WaspEngine, WaspGraph, WaspHistory, WaspModel, WaspOrchestrator,
    WaspPrompts, WaspReview, read_config,
};
pub use convert::{Converted, convert};
pub use input::{WaspAction, WaspEvent, WaspInput, WaspKind, read_input};
pub use metrics::{
    KeyFormat, Load, WaspClusterRow, WaspMetrics, WaspNodes, WaspSnapshot, WaspWorkloadRow, metrics_json,
    percent_pending, read_metrics,
};
pub use recommendations::{
    WaspRecommendation, read_recommendations, recommendations_csv, recommendations_json,
};
pub use run_directory::{
    EXPERIMENT_FILES, LOG_FILES, METRICS_FILE, MigratedPods, already_labeled_line, experiment_directory_name,
    mixed_summary_line, run_directory_name, summary_line, updated_line,
};
pub use section::{Notice, Read};

use model::document::Problems;

/// Reads a configuration and the events for it; on failure the problems of both files are listed.
pub fn read_files(
    (config_name, config): (&str, &[u8]),
    (input_name, input): (&str, &[u8]),
) -> Result<(Read<WaspConfig>, Read<WaspInput>), Vec<Problems>> {
    let clusters = config::cluster_names(config_name, config);
    let config = read_config(config_name, config);
    let input = input::read_input_for(input_name, input, clusters.as_deref());
    match (config, input) {
        (Ok(config), Ok(input)) => Ok((config, input)),
        (config, input) => Err(config.err().into_iter().chain(input.err()).collect()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Knuth's MMIX constants: the test needs variety, not quality.
    fn next(state: &mut u64) -> usize {
        *state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (*state >> 33) as usize
    }

    /// Words that meet a quirk somewhere.
    const NASTY: [&str; 12] = [
        "\"\"",
        "-1",
        "null",
        "{}",
        "[]",
        "\"NaN\"",
        "1e99",
        "true",
        "\"none\"",
        "99999999999999999999",
        "0",
        "\"x\"",
    ];

    #[test]
    fn replaced_values_never_panic() {
        let input = r#"{"data":[{"id":"a","kind":"job","action":"create","replicas":"1","cpu":"1","memory":"1","job_duration":"5","label":"m","timestamp":1}]}"#;
        let metrics = r#"{"1":{"interval_duration":"30s","workloads":[{"workload_id":"a","kind":"job","resources":{"cpu":"1m","memory":"1Mi"},"pods_total":1,"pods_pending":0,"percent_pending":0,"cluster_label":"m"}],"cluster_info":[{"cluster_label":"m","cluster_load":{"cpu":0.1,"memory":0.1},"cluster_cpu_capacity":"1m","cluster_memory_capacity":"1Mi","node_info":{"cpu":1,"memory":1,"quantity":1}}]}}"#;
        let config = r#"{"clusters":{"m":{"nodes":1,"cpu":"1","memory":"1Gi"}},"ai-engine":{"ai":{"multi_agent":{"agents":{"prompts":{}}},"models":{"a":{}},"cluster_selection":{"listed_clusters":["m"]}}},"monitor":{"api":{}},"actuator":{"mode":"auto"}}"#;
        let list = r#"[{"batch_id":1,"workload_id":"a","kind":"job","destination_cluster":1,"label":0}]"#;
        for seed in 0..2000 {
            let mut state = seed;
            for text in [input, metrics, config, list] {
                let changed = replace_value(text, &mut state);
                let bytes = changed.as_bytes();
                let outcome = std::panic::catch_unwind(|| {
                    drop((read_input("a.json", bytes), read_metrics("a.json", bytes)));
                    drop((read_config("a.json", bytes), read_recommendations("a.json", bytes)));
                    drop(read_recommendations("a.csv", bytes));
                });
                assert!(outcome.is_ok(), "seed {seed} panics on {changed}");
            }
        }
    }

    /// Puts a nasty word behind one of the colons.
    fn replace_value(text: &str, state: &mut u64) -> String {
        let colons: Vec<usize> = text.match_indices(':').map(|(index, _)| index + 1).collect();
        let start = colons[next(state) % colons.len()];
        let end = text[start + 1..].find([',', '}', ']']).map_or(text.len(), |length| start + 1 + length);
        format!("{}{}{}", &text[..start], NASTY[next(state) % NASTY.len()], &text[end..])
    }
}
