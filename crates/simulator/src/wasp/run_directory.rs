//! The names and log lines of a WASP run directory; its contents are written by the caller.

use super::civil::Civil;
use super::input::WaspKind;

/// The snapshots of the run.
pub const METRICS_FILE: &str = "metrics.json";

/// One log per service, and the nodes of the public cluster at the end.
pub const LOG_FILES: [&str; 5] =
    ["logs/actuator.log", "logs/broker.log", "logs/monitor.log", "logs/ai-engine.log", "logs/kubectl.log"];

/// What the experiment runner adds: the configuration and the input as they were used.
pub const EXPERIMENT_FILES: [&str; 2] = ["config_used.yaml", "input_used.json"];

/// `20260113_203744`, the name of a run's directory.
pub fn run_directory_name(unix_seconds: u64) -> String {
    Civil::from_unix(unix_seconds).compact()
}

/// The name that the experiment runner gives: `{model}_{input}_{graph}_{temperature}_{timestamp}`.
pub fn experiment_directory_name(
    model: &str,
    input: &str,
    graph: &str,
    temperature: f64,
    unix_seconds: u64,
) -> String {
    // A model's full name contains a slash, which a directory's name cannot; the dash is our choice.
    let model = model.replace('/', "-");
    format!("{model}_{input}_{graph}_{temperature}_{}", run_directory_name(unix_seconds))
}

/// Pods moved by one batch, by destination.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct MigratedPods {
    pub to_private: u64,
    pub to_public: u64,
}

impl MigratedPods {
    fn label_type(self) -> &'static str {
        match (self.to_private > 0, self.to_public > 0) {
            (true, true) => "both",
            (true, false) => "private",
            (false, true) => "public",
            (false, false) => "no migration",
        }
    }
}

/// The actuator moved a workload.
pub fn updated_line(kind: WaspKind, workload_id: &str, destination: &str) -> String {
    format!("🔄 {} {workload_id} updated to {destination}", kind.capitalised())
}

/// The actuator was asked to move a workload to where it already is.
pub fn already_labeled_line(kind: WaspKind, workload_id: &str, cluster: &str) -> String {
    format!("⚠️  {} {workload_id} already labeled {cluster}", kind.capitalised())
}

/// The end of a batch.
pub fn summary_line(execution: u64, pods: MigratedPods) -> String {
    let MigratedPods { to_private, to_public } = pods;
    let (label, total) = (pods.label_type(), to_private + to_public);
    format!(
        "[KARMADA] Migration Summary - Execution: {execution} | Label type: {label} | Total migrated pods: {total} \
         | To Private: {to_private} | To Public: {to_public}"
    )
}

/// The end of a batch in the form of mid-2026, for clusters that are not called private and public.
pub fn mixed_summary_line(execution: u64, total: u64) -> String {
    format!(
        "[KARMADA] Migration Summary - Execution: {execution} | Label type: Mixed | Total migrated pods: {total}"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_those_of_wasp() {
        let check = |line: String, expected: &str| assert_eq!(line, expected);
        check(
            updated_line(WaspKind::Deployment, "default/78", "public"),
            "🔄 Deployment default/78 updated to public",
        );
        check(
            already_labeled_line(WaspKind::Deployment, "default/11", "private"),
            "⚠️  Deployment default/11 already labeled private",
        );
        check(
            summary_line(1, MigratedPods { to_private: 0, to_public: 108 }),
            "[KARMADA] Migration Summary - Execution: 1 | Label type: public | Total migrated pods: 108 | To Private: 0 | To Public: 108",
        );
        check(
            summary_line(2, MigratedPods { to_private: 3, to_public: 4 }),
            "[KARMADA] Migration Summary - Execution: 2 | Label type: both | Total migrated pods: 7 | To Private: 3 | To Public: 4",
        );
        check(
            summary_line(3, MigratedPods::default()),
            "[KARMADA] Migration Summary - Execution: 3 | Label type: no migration | Total migrated pods: 0 | To Private: 0 | To Public: 0",
        );
        check(
            mixed_summary_line(4, 9),
            "[KARMADA] Migration Summary - Execution: 4 | Label type: Mixed | Total migrated pods: 9",
        );
        check(run_directory_name(1_768_336_664), "20260113_203744");
        check(
            experiment_directory_name("google/gemini-2.5-flash", "input_const", "v2", 0.5, 1_768_336_664),
            "google-gemini-2.5-flash_input_const_v2_0.5_20260113_203744",
        );
    }
}
