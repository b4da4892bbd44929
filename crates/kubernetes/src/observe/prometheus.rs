//! What Prometheus knows: one query for each signal and scope, and how its answers are read.

use super::measured::{Measured, Measurements, Value};
use crate::clock::Wall;
use crate::settings::{PrometheusSettings, Query, Scope};
use crate::trouble::Trouble;
use futures_util::future::join_all;
use kube::Client;
use model::names::ClusterName;
use model::signal::Signal;
use serde::Deserialize;
use std::collections::BTreeMap;
use std::fmt::Write as _;

/// The shipped queries. `{label}` is the cluster's label. A gauge is read over the window and no longer, so that a value that
/// stopped coming is missing and not old. None is about a whole cluster: a sum over the nodes that happen to be scraped would pass for
/// the sum over all, which is taken only where every node is known.
const SHIPPED: [(Signal, Scope, &str); 12] = [
    (Signal::CpuUsage, Scope::Node, "max by ({label}, node) (rate(node_cpu_usage_seconds_total[{window}]))"),
    (
        Signal::CpuUsage,
        Scope::Pod,
        "sum by ({label}, namespace, pod) (max by ({label}, namespace, pod, container) (rate(container_cpu_usage_seconds_total{container!=\"\",pod!=\"\"}[{window}])))",
    ),
    (
        Signal::MemoryUsage,
        Scope::Node,
        "max by ({label}, node) (last_over_time(node_memory_working_set_bytes[{window}]))",
    ),
    (
        Signal::MemoryUsage,
        Scope::Pod,
        "sum by ({label}, namespace, pod) (max by ({label}, namespace, pod, container) (last_over_time(container_memory_working_set_bytes{container!=\"\",pod!=\"\"}[{window}])))",
    ),
    (
        Signal::PowerWatts,
        Scope::Node,
        "sum by ({label}, node) (label_replace(rate(kepler_node_platform_joules_total[{window}]), \"node\", \"$1\", \"instance\", \"(.+)\"))",
    ),
    (
        Signal::PowerWatts,
        Scope::Pod,
        "sum by ({label}, namespace, pod) (label_replace(label_replace(rate(kepler_container_joules_total[{window}]), \"namespace\", \"$1\", \"container_namespace\", \"(.+)\"), \"pod\", \"$1\", \"pod_name\", \"(.+)\"))",
    ),
    (Signal::RequestsPerSecond, Scope::Workload, ISTIO_REQUESTS),
    (Signal::ErrorsPerSecond, Scope::Workload, ISTIO_ERRORS),
    (Signal::LatencyP50, Scope::Workload, ISTIO_P50),
    (Signal::LatencyP95, Scope::Workload, ISTIO_P95),
    (Signal::LatencyP99, Scope::Workload, ISTIO_P99),
    (
        Signal::RequestsPerSecond,
        Scope::Pod,
        "sum by ({label}, namespace, pod) (rate(http_requests_total{pod!=\"\"}[{window}]))",
    ),
];

/// Istio names the workload that answers, and its namespace, with labels of its own.
const ISTIO_REQUESTS: &str = "sum by ({label}, namespace, workload) (label_replace(label_replace(rate(istio_requests_total{reporter=\"destination\"}[{window}]), \"workload\", \"$1\", \"destination_workload\", \"(.+)\"), \"namespace\", \"$1\", \"destination_workload_namespace\", \"(.+)\"))";
const ISTIO_ERRORS: &str = "sum by ({label}, namespace, workload) (label_replace(label_replace(rate(istio_requests_total{reporter=\"destination\",response_code=~\"5..\"}[{window}]), \"workload\", \"$1\", \"destination_workload\", \"(.+)\"), \"namespace\", \"$1\", \"destination_workload_namespace\", \"(.+)\"))";
const ISTIO_P50: &str = "histogram_quantile(0.5, sum by ({label}, namespace, workload, le) (label_replace(label_replace(rate(istio_request_duration_milliseconds_bucket{reporter=\"destination\"}[{window}]), \"workload\", \"$1\", \"destination_workload\", \"(.+)\"), \"namespace\", \"$1\", \"destination_workload_namespace\", \"(.+)\")))";
const ISTIO_P95: &str = "histogram_quantile(0.95, sum by ({label}, namespace, workload, le) (label_replace(label_replace(rate(istio_request_duration_milliseconds_bucket{reporter=\"destination\"}[{window}]), \"workload\", \"$1\", \"destination_workload\", \"(.+)\"), \"namespace\", \"$1\", \"destination_workload_namespace\", \"(.+)\")))";
const ISTIO_P99: &str = "histogram_quantile(0.99, sum by ({label}, namespace, workload, le) (label_replace(label_replace(rate(istio_request_duration_milliseconds_bucket{reporter=\"destination\"}[{window}]), \"workload\", \"$1\", \"destination_workload\", \"(.+)\"), \"namespace\", \"$1\", \"destination_workload_namespace\", \"(.+)\")))";

/// Every question, with the settings' own in place of the shipped.
pub(crate) fn queries(settings: &PrometheusSettings) -> Vec<Query> {
    let own = settings.queries.iter().map(|query| ((query.signal, query.scope), query.text.as_str()));
    let shipped = SHIPPED.iter().map(|(signal, scope, text)| ((*signal, *scope), *text));
    let all: BTreeMap<(Signal, Scope), &str> = shipped.chain(own).collect();
    let asked = all.into_iter().filter(|(_, text)| !text.trim().is_empty());
    let seconds = (settings.window.as_millis() / 1_000).max(1);
    asked
        .map(|((signal, scope), text)| {
            let text =
                text.replace("{label}", &settings.cluster_label).replace("{window}", &format!("{seconds}s"));
            Query { signal, scope, text }
        })
        .collect()
}

#[derive(Deserialize)]
pub(crate) struct Answer {
    data: Data,
}

#[derive(Deserialize)]
struct Data {
    #[serde(default)]
    result: Vec<Series>,
}

#[derive(Deserialize)]
struct Series {
    #[serde(default)]
    metric: BTreeMap<String, String>,
    /// Seconds since 1970, and the value as text.
    value: (f64, String),
}

/// Asks everything at once. A question that fails leaves its signal out and is told.
pub(crate) async fn ask(
    client: &Client,
    settings: &PrometheusSettings,
    members: &[ClusterName],
) -> (Measurements, Vec<Trouble>) {
    let queries = queries(settings);
    let answers = join_all(queries.iter().map(|query| ask_one(client, query))).await;
    let (mut measurements, mut troubles) = (Measurements::new(), Vec::new());
    for (query, answer) in queries.iter().zip(answers) {
        match answer {
            Ok(series) => note_all(&mut measurements, query, &series, settings, members),
            Err(trouble) => troubles.push(trouble),
        }
    }
    (measurements, troubles)
}

/// One sentence for all questions that failed: they mostly fail for the same reason.
pub(crate) fn told(first: &Trouble, count: usize) -> String {
    let questions = if count == 1 { "1 question was".to_owned() } else { format!("{count} questions were") };
    format!("{questions} not answered: {}", first.text())
}

async fn ask_one(client: &Client, query: &Query) -> Result<Vec<Series>, Trouble> {
    let path = format!("/api/v1/query?query={}", encoded(&query.text));
    let request = http::Request::get(path).body(Vec::new()).expect("an encoded query makes a request");
    let answer: Answer = client.request(request).await.map_err(|error| Trouble::of(&error))?;
    Ok(answer.data.result)
}

/// What one answer would tell if it were given to every question.
#[cfg(any(test, feature = "testing"))]
pub(crate) fn answered(
    answer: &Answer,
    settings: &PrometheusSettings,
    members: &[ClusterName],
) -> Measurements {
    let mut measurements = Measurements::new();
    for query in &queries(settings) {
        note_all(&mut measurements, query, &answer.data.result, settings, members);
    }
    measurements
}

fn encoded(text: &str) -> String {
    let mut encoded = String::new();
    for byte in text.bytes() {
        if byte.is_ascii_alphanumeric() {
            encoded.push(char::from(byte));
        } else {
            let _ = write!(encoded, "%{byte:02X}");
        }
    }
    encoded
}

fn note_all(
    measurements: &mut Measurements,
    query: &Query,
    series: &[Series],
    settings: &PrometheusSettings,
    members: &[ClusterName],
) {
    for one in series {
        let Some(cluster) = cluster_of(one, settings, members) else { continue };
        let measured = measurements.entry(cluster.clone()).or_default();
        note(measured, query, one);
    }
}

/// Without the label the series can only be meant for the one cluster there is.
fn cluster_of<'a>(
    series: &Series,
    settings: &PrometheusSettings,
    members: &'a [ClusterName],
) -> Option<&'a ClusterName> {
    match (series.metric.get(&settings.cluster_label), members) {
        (Some(name), _) => members.iter().find(|member| member.as_str() == name),
        (None, [only]) => Some(only),
        (None, _) => None,
    }
}

fn note(measured: &mut Measured, query: &Query, series: &Series) -> Option<()> {
    let value: f64 = series.value.1.parse().ok().filter(|value: &f64| value.is_finite() && *value >= 0.0)?;
    let value = Value { value, at: Wall((series.value.0 * 1_000.0) as i64) };
    let label = |name: &str| series.metric.get(name).cloned();
    let values = match query.scope {
        Scope::Cluster => &mut measured.whole,
        Scope::Node => measured.nodes.entry(label("node")?).or_default(),
        Scope::Pod => measured.pods.entry((label("namespace")?, label("pod")?)).or_default(),
        Scope::Workload => measured.workloads.entry((label("namespace")?, label("workload")?)).or_default(),
    };
    values.note(query.signal, value);
    Some(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use model::time::Period;
    use serde_json::json;

    fn settings(queries: Vec<Query>) -> PrometheusSettings {
        PrometheusSettings {
            url: "http://localhost:9090".to_owned(),
            bearer_token: None,
            cluster_label: "cluster".to_owned(),
            window: Period::from_minutes(2),
            queries,
        }
    }

    #[test]
    fn queries_can_be_replaced_and_left_out() {
        let query = |signal, scope, text: &str| Query { signal, scope, text: text.to_owned() };
        let own = vec![
            query(Signal::Users, Scope::Workload, "sessions{x=\"{window}\"}"),
            query(Signal::CpuUsage, Scope::Node, " "),
        ];
        let all = queries(&settings(own));
        let of = |signal, scope| all.iter().find(|one| one.signal == signal && one.scope == scope);
        assert_eq!(of(Signal::Users, Scope::Workload).unwrap().text, "sessions{x=\"120s\"}");
        assert_eq!(of(Signal::CpuUsage, Scope::Node), None);
        assert!(of(Signal::CpuUsage, Scope::Pod).unwrap().text.contains("by (cluster, namespace, pod)"));
        assert!(
            all.iter().all(|one| one.scope != Scope::Cluster),
            "a shipped sum would hide nodes that are not scraped"
        );
        assert!(all.iter().all(|one| !one.text.contains("{label}") && !one.text.contains("{window}")));
    }

    #[test]
    fn a_series_belongs_to_the_cluster_it_names() {
        let members = [ClusterName::new("a").unwrap(), ClusterName::new("b").unwrap()];
        let check = |metric: serde_json::Value, value: &str, members: &[ClusterName], want: Option<f64>| {
            let series: Vec<Series> =
                serde_json::from_value(json!([{ "metric": metric, "value": [5.5, value] }])).unwrap();
            let query = Query { signal: Signal::CpuUsage, scope: Scope::Node, text: String::new() };
            let mut all = Measurements::new();
            note_all(&mut all, &query, &series, &settings(Vec::new()), members);
            let found = all.get(&members[0]).and_then(|one| one.nodes.get("n")?.get(Signal::CpuUsage));
            assert_eq!(found, want.map(|value| Value { value, at: Wall(5_500) }), "{metric}");
        };
        check(json!({ "cluster": "a", "node": "n" }), "0.25", &members, Some(0.25));
        check(json!({ "cluster": "b", "node": "n" }), "0.25", &members, None);
        check(json!({ "node": "n" }), "0.25", &members, None);
        check(json!({ "node": "n" }), "0.25", &members[..1], Some(0.25));
        check(json!({ "cluster": "a" }), "0.25", &members, None);
        check(json!({ "cluster": "a", "node": "n" }), "NaN", &members, None);
    }
}
