//! The page for Prometheus, read by a reader that forgives nothing.

use crate::box_desk::{BoxDesk, block_on, desk_file, with_desk};
use crate::kube_api::{KINDS, patch};
use crate::wire::call;
use serde_json::{Value, json};
use server::access::Role;
use server::config::DeskConfig;
use server::testing::{Folder, on_each_location};
use std::collections::{BTreeMap, BTreeSet};
use std::io::Write as _;
use std::process::{Command, Stdio};

pub(crate) type Labels = Vec<(String, String)>;

/// Samples by their name and labels.
pub(crate) type Samples = BTreeMap<(String, Labels), f64>;

/// Reads a page, or says which line is wrong and why.
pub(crate) fn read(text: &str) -> Result<Samples, String> {
    if !text.ends_with('\n') {
        return Err("the last line has no end".to_owned());
    }
    let (mut samples, mut names) = (Samples::new(), BTreeSet::new());
    let (mut help, mut family): (Option<String>, Option<(String, String)>) = (None, None);
    for line in text.lines() {
        let told = |problem: &str| format!("{problem}: {line}");
        if let Some(rest) = line.strip_prefix("# HELP ") {
            let (name, words) = rest.split_once(' ').ok_or_else(|| told("no help"))?;
            if words.is_empty() || !names.insert(name.to_owned()) || !is_name(name) {
                return Err(told("no help, no name, or a family in two pieces"));
            }
            help = Some(name.to_owned());
        } else if let Some(rest) = line.strip_prefix("# TYPE ") {
            let (name, kind) = rest.split_once(' ').ok_or_else(|| told("no type"))?;
            if help.take().as_deref() != Some(name) || !["counter", "gauge", "histogram"].contains(&kind) {
                return Err(told("a type without its help"));
            }
            if (kind == "counter") != name.ends_with("_total") {
                return Err(told("counters end in _total, and nothing else does"));
            }
            family = Some((name.to_owned(), kind.to_owned()));
        } else {
            let (name, labels, value) = sample(line).ok_or_else(|| told("no sample"))?;
            let (family, kind) = family.as_ref().ok_or_else(|| told("a sample without a family"))?;
            let suffix = name.strip_prefix(family.as_str()).ok_or_else(|| told("another family"))?;
            let suffixes: &[&str] = if kind == "histogram" { &["_bucket", "_sum", "_count"] } else { &[""] };
            if !suffixes.contains(&suffix) || (kind != "gauge" && value < 0.0) {
                return Err(told("not a sample of its family"));
            }
            if samples.insert((name, labels), value).is_some() {
                return Err(told("twice"));
            }
        }
    }
    check_histograms(&samples).map(|()| samples)
}

fn is_name(text: &str) -> bool {
    let first = |character: char| character.is_ascii_alphabetic() || matches!(character, '_' | ':');
    text.starts_with(first) && text.chars().all(|character| first(character) || character.is_ascii_digit())
}

/// `name{label="value",…} number`.
fn sample(line: &str) -> Option<(String, Labels, f64)> {
    let end = line.find(['{', ' '])?;
    let (name, rest) = line.split_at(end);
    let (labels, rest) = match rest.strip_prefix('{') {
        None => (Vec::new(), rest),
        Some(rest) => labels(rest)?,
    };
    let number = rest.strip_prefix(' ')?;
    let value = if number == "+Inf" { f64::INFINITY } else { number.parse().ok()? };
    let mut seen: Vec<&String> = labels.iter().map(|(name, _)| name).collect();
    seen.sort_unstable();
    seen.dedup();
    (is_name(name) && seen.len() == labels.len()).then(|| (name.to_owned(), labels, value))
}

/// Labels up to the closing brace, and what is behind it.
fn labels(text: &str) -> Option<(Labels, &str)> {
    let (mut all, mut rest) = (Vec::new(), text);
    loop {
        let (name, behind) = rest.split_once("=\"")?;
        let (mut value, mut characters) = (String::new(), behind.char_indices());
        let end = loop {
            match characters.next()? {
                (at, '"') => break at,
                (_, '\\') => value.push(match characters.next()?.1 {
                    'n' => '\n',
                    other @ ('"' | '\\') => other,
                    _ => return None,
                }),
                (_, character) => value.push(character),
            }
        };
        all.push((is_name(name).then(|| name.to_owned())?, value));
        rest = &behind[end + 1..];
        match rest.split_at_checked(1)? {
            (",", more) => rest = more,
            ("}", more) => return Some((all, more)),
            _ => return None,
        }
    }
}

/// Buckets grow, and the last one is the count.
fn check_histograms(samples: &Samples) -> Result<(), String> {
    let mut buckets: BTreeMap<(String, Labels), Vec<(f64, f64)>> = BTreeMap::new();
    for ((name, labels), value) in samples {
        if let Some(family) = name.strip_suffix("_bucket") {
            let (bound, others): (Vec<_>, Vec<_>) =
                labels.iter().cloned().partition(|(name, _)| name == "le");
            let [(_, bound)] = bound.as_slice() else { return Err(format!("{name} has no bound")) };
            let bound =
                if bound == "+Inf" { f64::INFINITY } else { bound.parse().map_err(|_| bound.clone())? };
            buckets.entry((family.to_owned(), others)).or_default().push((bound, *value));
        }
    }
    for ((family, labels), mut bounds) in buckets {
        bounds.sort_by(|one, other| one.0.total_cmp(&other.0));
        let grows = bounds.windows(2).all(|pair| pair[0].1 <= pair[1].1);
        let count = samples.get(&(format!("{family}_count"), labels.clone()));
        let last = bounds.last().filter(|(bound, _)| *bound == f64::INFINITY).map(|(_, value)| value);
        if !grows || count.is_none() || last != count {
            return Err(format!("the buckets of {family} {labels:?} do not add up"));
        }
    }
    Ok(())
}

pub(crate) fn value(samples: &Samples, name: &str, labels: &[(&str, &str)]) -> Option<f64> {
    let fits = |known: &[(String, String)]| {
        labels.iter().all(|(name, value)| known.iter().any(|(n, v)| n == name && v == value))
    };
    let found: Vec<f64> = samples
        .iter()
        .filter(|((known, labels), _)| known == name && fits(labels))
        .map(|(_, value)| *value)
        .collect();
    (!found.is_empty()).then(|| found.iter().sum())
}

#[test]
fn the_reader_forgives_nothing() {
    let head = "# HELP a_total Counts.\n# TYPE a_total counter\n";
    assert!(read(&format!("{head}a_total{{x=\"y\"}} 1\n")).is_ok());
    for wrong in [
        format!("{head}a_total 1"),
        format!("{head}a_total{{x=\"y\"}} 1\na_total{{x=\"y\"}} 2\n"),
        format!("{head}a_total{{x=\"y\",x=\"z\"}} 1\n"),
        format!("{head}a_total{{x=\"y}} 1\n"),
        format!("{head}a_total{{x=\"y\"}} one\n"),
        format!("{head}a_total -1\n"),
        format!("{head}b_total 1\n"),
        format!("{head}a_total 1\n{head}a_total{{x=\"y\"}} 1\n"),
        "# TYPE a_total counter\na_total 1\n".to_owned(),
        "# HELP a Shows.\n# TYPE a counter\na 1\n".to_owned(),
        "a 1\n".to_owned(),
        "# HELP h Takes.\n# TYPE h histogram\nh_bucket{le=\"1\"} 2\nh_bucket{le=\"+Inf\"} 1\nh_sum 1\nh_count 1\n".to_owned(),
    ] {
        assert!(read(&wrong).is_err(), "{wrong}");
    }
}

#[test]
fn the_desk_and_its_clusters_are_shown_as_numbers() {
    on_each_location(|location| {
        with_desk(location, "prediction: { enabled: false }\n", async |desk| {
            desk.advance(130).await;
            let id = desk.pending().await[0]["id"].as_str().expect("an id").to_owned();
            desk.decide(desk.secret(Role::Operator), &id, json!({ "verdict": "approve" })).await;
            desk.advance(60).await;
            let freeze = json!({ "scope": "cluster", "name": "member1", "reason": "a drill" });
            desk.post(Role::Operator, "/api/v1/freezes", freeze, &[]).await;
            let page = desk.get(Role::Agent, "/metrics").await;
            assert_eq!(page.headers["content-type"], "text/plain; version=0.0.4; charset=utf-8");
            let text = page.body.as_str().expect("text").to_owned();
            let samples = read(&text).unwrap_or_else(|problem| panic!("{problem}"));
            let is = |name: &str, labels: &[(&str, &str)], expected: f64| {
                assert_eq!(value(&samples, name, labels), Some(expected), "{name} {labels:?}");
            };
            is("drover_up", &[], 1.0);
            is("drover_build_info", &[], 1.0);
            is("drover_executions_total", &[("result", "applied")], 1.0);
            is("drover_recommendations_total", &[("agent", "keep-headroom"), ("outcome", "applied")], 1.0);
            let decided = |result| {
                value(
                    &samples,
                    "drover_agent_decisions_total",
                    &[("agent", "keep-headroom"), ("result", result)],
                )
            };
            let made = desk.get(Role::Viewer, "/api/v1/recommendations?agent=keep-headroom").await.body;
            let recommended = decided("recommended");
            assert!(
                recommended >= Some(1.0) && recommended <= made["total"].as_f64(),
                "{recommended:?} {made}"
            );
            is("drover_workload_moves_total", &[("from", "member1"), ("to", "member2")], 1.0);
            is("drover_decision_latency_seconds_count", &[("outcome", "approved")], 1.0);
            is("drover_freezes", &[("scope", "cluster")], 1.0);
            is("drover_http_requests_total", &[("route", "/api/v1/freezes"), ("status", "201")], 1.0);
            is("drover_virtual_time_seconds", &[], 190.0);
            is("kube_deployment_spec_replicas", &[("deployment", "frontend")], 2.0);
            is("drover_kube_workloads_left_out", &[], 0.0);
            let pending = desk.pending().await.len() as f64;
            is("drover_recommendations_pending", &[], pending);
            let nodes = desk.get(Role::Viewer, "/api/v1/clusters/member1").await.body["nodes"].as_f64();
            assert_eq!(value(&samples, "kube_node_info", &[("cluster", "member1")]), nodes);
            assert!(
                value(&samples, "kube_node_status_allocatable", &[("resource", "memory"), ("unit", "byte")])
                    > Some(1e9)
            );
            assert!(value(&samples, "drover_snapshot_age_seconds", &[("cluster", "member1")]) < Some(60.0));
            check_with_promtool(&text);
        });
        Ok(())
    });
}

/// Where Prometheus is installed, its own tool has the last word.
fn check_with_promtool(text: &str) {
    let started = Command::new("promtool")
        .args(["check", "metrics"])
        .stdin(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn();
    let Ok(mut tool) = started else { return };
    tool.stdin.take().expect("a pipe").write_all(text.as_bytes()).expect("it reads");
    let output = tool.wait_with_output().expect("it ends");
    // 3 means that a name breaks a custom of style; some names of kube-state-metrics do.
    let complaints = String::from_utf8_lossy(&output.stderr).into_owned();
    let own: Vec<&str> = complaints.lines().filter(|line| line.starts_with("drover_")).collect();
    assert!(output.status.success() || output.status.code() == Some(3), "{complaints}");
    assert!(own.is_empty(), "{complaints}");
}

#[test]
fn the_file_can_open_the_page_to_everybody() {
    for (more, status) in [("", 401), ("access: { open_metrics: true }\n", 200)] {
        let folder = Folder::new("open");
        let place = format!("sqlite:{}", folder.path().join("drover.db").display());
        let desk = BoxDesk::open(&place.parse().expect("a place"), more);
        block_on(async {
            let (address, _stop) = desk.listen().await;
            assert_eq!(call(address, "GET", "/metrics", &[], None).status, status, "{more}");
            assert_eq!(call(address, "GET", "/api/v1/status", &[], None).status, 401, "{more}");
        });
    }
}

/// The labels of all of them, how their names begin, how each goes on and which labels it adds.
type Families = (&'static str, &'static str, &'static [(&'static str, &'static str)]);

/// Every family under a name of kube-state-metrics, with the labels that its version 2.15 gives it; those of all samples of a kind first.
const UPSTREAM: &[Families] = &[
    ("namespace", "kube_namespace_", &[("status_phase", "phase")]),
    (
        "node",
        "kube_node_",
        &[
            (
                "info",
                "kernel_version os_image container_runtime_version kubelet_version kubeproxy_version provider_id pod_cidr \
                 system_uuid internal_ip pool",
            ),
            ("labels", "label_*"),
            ("role", "role"),
            ("spec_unschedulable", ""),
            ("spec_taint", "key value effect"),
            ("status_condition", "condition status"),
            ("status_capacity", "resource unit"),
            ("status_allocatable", "resource unit"),
        ],
    ),
    (
        "namespace pod uid",
        "kube_pod_",
        &[
            ("info", "host_ip pod_ip node created_by_kind created_by_name priority_class host_network"),
            ("owner", "owner_kind owner_name owner_is_controller"),
            ("status_phase", "phase"),
            ("status_ready", "condition"),
            ("status_scheduled", "condition"),
            ("status_unschedulable", ""),
            ("container_resource_requests", "container node resource unit"),
            ("container_resource_limits", "container node resource unit"),
            ("container_status_ready", "container"),
            ("container_status_running", "container"),
            ("container_status_waiting", "container"),
            ("container_status_waiting_reason", "container reason"),
            ("container_status_terminated", "container"),
            ("container_status_terminated_reason", "container reason"),
            ("container_status_restarts_total", "container"),
        ],
    ),
    (
        "namespace deployment",
        "kube_deployment_",
        &[
            ("spec_replicas", ""),
            ("metadata_generation", ""),
            ("status_observed_generation", ""),
            ("status_condition", "condition status"),
            ("status_replicas", ""),
            ("status_replicas_ready", ""),
            ("status_replicas_available", ""),
            ("status_replicas_unavailable", ""),
            ("status_replicas_updated", ""),
        ],
    ),
    (
        "namespace replicaset",
        "kube_replicaset_",
        &[
            ("owner", "owner_kind owner_name owner_is_controller"),
            ("spec_replicas", ""),
            ("status_replicas", ""),
            ("status_ready_replicas", ""),
        ],
    ),
    (
        "namespace statefulset",
        "kube_statefulset_",
        &[
            ("replicas", ""),
            ("metadata_generation", ""),
            ("status_observed_generation", ""),
            ("status_replicas", ""),
            ("status_replicas_ready", ""),
            ("status_replicas_available", ""),
            ("status_replicas_updated", ""),
            ("status_current_revision", "revision"),
            ("status_update_revision", "revision"),
        ],
    ),
    (
        "namespace daemonset",
        "kube_daemonset_",
        &[
            ("status_desired_number_scheduled", ""),
            ("status_current_number_scheduled", ""),
            ("status_updated_number_scheduled", ""),
            ("status_number_misscheduled", ""),
            ("status_number_ready", ""),
            ("status_number_available", ""),
            ("status_number_unavailable", ""),
            ("metadata_generation", ""),
            ("status_observed_generation", ""),
        ],
    ),
    (
        "namespace job_name",
        "kube_job_",
        &[
            ("info", ""),
            ("owner", "owner_kind owner_name owner_is_controller"),
            ("spec_parallelism", ""),
            ("spec_completions", ""),
            ("status_active", ""),
            ("status_succeeded", ""),
            ("status_failed", ""),
            ("complete", "condition"),
        ],
    ),
    (
        "namespace cronjob",
        "kube_cronjob_",
        &[("info", "schedule concurrency_policy timezone"), ("spec_suspend", ""), ("status_active", "")],
    ),
    (
        "namespace horizontalpodautoscaler",
        "kube_horizontalpodautoscaler_",
        &[
            ("info", "scaletargetref_api_version scaletargetref_kind scaletargetref_name"),
            ("spec_min_replicas", ""),
            ("spec_max_replicas", ""),
            ("status_current_replicas", ""),
            ("status_desired_replicas", ""),
        ],
    ),
    (
        "namespace poddisruptionbudget",
        "kube_poddisruptionbudget_",
        &[
            ("status_current_healthy", ""),
            ("status_desired_healthy", ""),
            ("status_pod_disruptions_allowed", ""),
            ("status_expected_pods", ""),
        ],
    ),
];

/// Nobody limits a container here, and nothing has ended and is still there.
const RARE: [&str; 2] = ["kube_pod_container_resource_limits", "kube_pod_container_status_terminated_reason"];

fn check_names(samples: &Samples) {
    let mut expected: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for (base, prefix, families) in UPSTREAM {
        for (name, labels) in *families {
            let all = ["cluster"].into_iter().chain(base.split(' ')).chain(labels.split_whitespace());
            expected.insert(format!("{prefix}{name}"), all.map(str::to_owned).collect());
        }
    }
    let mut found: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for ((name, labels), _) in samples.iter().filter(|((name, _), _)| name.starts_with("kube_")) {
        let label = |(label, _): &(String, String)| {
            if label.starts_with("label_") { "label_*".to_owned() } else { label.clone() }
        };
        let labels: BTreeSet<String> = labels.iter().map(label).collect();
        let before = found.insert(name.clone(), labels.clone());
        assert!(before.is_none_or(|before| before == labels), "{name} has samples with other labels");
    }
    for (name, labels) in &found {
        assert_eq!(Some(labels), expected.get(name), "{name}");
    }
    let missing: Vec<&String> = expected.keys().filter(|name| !found.contains_key(*name)).collect();
    assert_eq!(missing, RARE);
}

/// Whether a condition of a pod holds; nothing if it has none of the kind.
fn condition(pod: &Value, kind: &str) -> Option<bool> {
    let mut all = pod["status"]["conditions"].as_array()?.iter();
    all.find(|one| one["type"] == kind).map(|one| one["status"] == "True")
}

fn text<'a>(value: &'a Value, pointer: &str) -> &'a str {
    value.pointer(pointer).and_then(Value::as_str).unwrap_or_default()
}

/// One pod as its API server shows it, on the page.
fn check_pod(samples: &Samples, pod: &Value) {
    let (name, node) = (text(pod, "/metadata/name"), text(pod, "/spec/nodeName"));
    let whose =
        [("namespace", text(pod, "/metadata/namespace")), ("pod", name), ("uid", text(pod, "/metadata/uid"))];
    let is = |family: &str, labels: &[(&str, &str)], expected: Option<f64>| {
        let all: Vec<(&str, &str)> = whose.iter().chain(labels).copied().collect();
        assert_eq!(value(samples, family, &all), expected, "{family} {all:?}");
    };
    let owner = |field: &str| text(pod, &format!("/metadata/ownerReferences/0/{field}")).to_owned();
    is("kube_pod_info", &[("node", node), ("created_by_kind", &owner("kind"))], Some(1.0));
    is("kube_pod_owner", &[("owner_kind", &owner("kind")), ("owner_name", &owner("name"))], Some(1.0));
    is("kube_pod_status_phase", &[("phase", text(pod, "/status/phase"))], Some(1.0));
    is("kube_pod_status_phase", &[], Some(1.0));
    for (family, kind) in [("kube_pod_status_ready", "Ready"), ("kube_pod_status_scheduled", "PodScheduled")]
    {
        let holds = condition(pod, kind);
        is(family, &[("condition", "true")], holds.map(|holds| f64::from(u8::from(holds))));
        is(family, &[("condition", "false")], holds.map(|holds| f64::from(u8::from(!holds))));
        is(family, &[("condition", "unknown")], holds.map(|_| 0.0));
    }
    is("kube_pod_status_unschedulable", &[], node.is_empty().then_some(1.0));
    let cpu = text(pod, "/spec/containers/0/resources/requests/cpu");
    let cores = cpu.strip_suffix('m').map_or_else(|| cpu.parse(), |milli| format!("{milli}e-3").parse());
    let labels = [("resource", "cpu"), ("unit", "core"), ("node", node)];
    is("kube_pod_container_resource_requests", &labels, cores.ok());
    let running = pod.pointer("/status/containerStatuses/0/state/running").is_some();
    is("kube_pod_container_status_running", &[], (!node.is_empty()).then_some(f64::from(u8::from(running))));
}

/// What kube-state-metrics would read from the simulated clusters is what stands on the page.
#[test]
fn simulated_clusters_are_counted_as_their_api_shows_them() {
    let folder = Folder::new("state");
    let place = format!("sqlite:{}", folder.path().join("drover.db").display()).parse().expect("a place");
    let kinds = KINDS.replace("nodes: 1,", "nodes: 1, labels: { node-role.kubernetes.io/edge: \"\" },");
    let desk = BoxDesk::open_config(&DeskConfig { kube_api: true, ..desk_file(&place, "") }, &kinds);
    block_on(async {
        desk.advance(3).await;
        let first = desk.get(Role::Agent, "/metrics").await;
        let mut names =
            read(first.body.as_str().expect("text")).unwrap_or_else(|problem| panic!("{problem}"));
        desk.advance(4_000).await;
        let cordon = json!({ "spec": { "unschedulable": true } });
        let name = {
            let nodes = desk.get(Role::Admin, "/kube/member2/api/v1/nodes").await.body;
            text(&nodes["items"][0], "/metadata/name").to_owned()
        };
        let path = format!("/kube/member2/api/v1/nodes/{name}");
        assert_eq!(patch(&desk, &path, &cordon).await.status, 200);
        let page = desk.get(Role::Agent, "/metrics").await;
        let written = page.body.as_str().expect("text");
        let samples = read(written).unwrap_or_else(|problem| panic!("{problem}"));
        names.extend(samples.clone());
        check_names(&names);
        check_with_promtool(written);
        let mut pods = 0;
        for cluster in ["member1", "member2"] {
            let list = desk.get(Role::Admin, &format!("/kube/{cluster}/api/v1/pods")).await.body;
            let items = list["items"].as_array().expect("a list");
            for pod in items {
                check_pod(&samples, pod);
            }
            pods += items.len();
        }
        assert_eq!(value(&samples, "kube_pod_info", &[]), Some(pods as f64));
        let is = |name: &str, labels: &[(&str, &str)], expected: f64| {
            assert_eq!(value(&samples, name, labels), Some(expected), "{name} {labels:?}");
        };
        is("kube_node_status_condition", &[("condition", "Ready"), ("status", "true")], 3.0);
        is("kube_node_status_condition", &[("condition", "MemoryPressure"), ("status", "false")], 3.0);
        is("kube_node_status_condition", &[("status", "unknown")], 0.0);
        is("kube_node_spec_unschedulable", &[], 1.0);
        is("kube_node_spec_taint", &[("node", &name), ("key", "node.kubernetes.io/unschedulable")], 1.0);
        is("kube_node_status_capacity", &[("cluster", "member1"), ("resource", "cpu")], 16.0);
        is("kube_node_labels", &[("label_kubernetes_io_os", "linux")], 3.0);
        is("kube_node_role", &[("cluster", "member2"), ("role", "edge")], 1.0);
        is("kube_job_complete", &[("job_name", "once"), ("condition", "true")], 1.0);
        is("kube_job_status_succeeded", &[("job_name", "once")], 1.0);
        is("kube_statefulset_status_replicas_updated", &[("statefulset", "store")], 2.0);
        is("kube_daemonset_status_number_ready", &[("daemonset", "eye")], 2.0);
        is("kube_deployment_status_condition", &[("deployment", "huge"), ("condition", "Available")], 1.0);
        let missing = [("deployment", "huge"), ("condition", "Available"), ("status", "false")];
        is("kube_deployment_status_condition", &missing, 1.0);
        is("kube_poddisruptionbudget_status_pod_disruptions_allowed", &[], 1.0);
        is("drover_kube_pods_left_out", &[], 0.0);
    });
}
