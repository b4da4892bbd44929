//! What else a desk's file can say about real clusters: how they are measured, who resizes their pools, what nodes cost, how long is
//! waited for what.

use super::check::Checker;
use model::document::item;
use model::money::MicroDollars;
use model::names::{ClusterName, PoolName};
use model::signal::Signal;
use model::time::Period;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::path::PathBuf;

/// How Prometheus is asked.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct RawMeasurements {
    /// A file with the token that Prometheus wants to see, relative to this one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub token_file: Option<String>,
    /// The label of series that names the cluster; `cluster` by default.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cluster_label: Option<String>,
    /// Over how long rates are taken; two minutes by default.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub window: Option<Period>,
    /// Queries in place of the shipped ones.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub queries: Vec<RawQuery>,
}

/// A query for one signal.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RawQuery {
    /// What is asked for, such as `cpu_usage`.
    pub signal: Signal,
    /// What its series are about.
    pub scope: RawScope,
    /// PromQL; `{label}` and `{window}` are filled in. An empty text asks for nothing.
    pub query: String,
}

/// What the series of an answer are about, and so which labels they have besides the cluster's.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum RawScope {
    /// None.
    Cluster,
    /// `node`.
    Node,
    /// `namespace` and `pod`.
    Pod,
    /// `namespace` and `workload`.
    Workload,
}

/// Who makes and removes the nodes of a pool: exactly one of the three.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RawPoolResizing {
    /// The member; every one with such a pool by default.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cluster: Option<String>,
    pub pool: String,
    /// A MachineDeployment of Cluster API in that cluster, as namespace/name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub machine_deployment: Option<String>,
    /// A static NodePool of Karpenter in that cluster: one with `spec.replicas`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub node_pool: Option<String>,
    /// An address that is told the number with a signed message.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub webhook: Option<RawResizingWebhook>,
}

#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RawResizingWebhook {
    pub url: String,
    /// A file with the secret that messages are signed with, relative to this one.
    pub secret_file: String,
}

/// How long is waited for what.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct RawTimeouts {
    /// For a connection.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub connect: Option<Period>,
    /// For one answer.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub request: Option<Period>,
    /// After so long a watch is begun anew.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub watch: Option<Period>,
    /// A cluster that was not heard for so long is a gap.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stale: Option<Period>,
    /// An observation comes after so long at the latest.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub observe: Option<Period>,
    /// An action that has not succeeded after so long is taken back.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub act: Option<Period>,
    /// How often what is under way is looked at.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub look: Option<Period>,
    /// What takes something away is ordered only if it was right for so long.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub settle: Option<Period>,
}

/// What becomes of the source of a move without Karmada.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum RawLeaving {
    /// Its definition stays, with no replicas.
    #[default]
    ScaleToZero,
    Delete,
}

/// What instances of a kind cost in an hour.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RawPrice {
    /// As the nodes' label `node.kubernetes.io/instance-type` has it.
    pub instance_type: String,
    pub price_per_hour: MicroDollars,
}

/// How Prometheus is asked, checked.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MeasurementsConfig {
    /// As written; it lies beside the desk's file.
    pub token_file: Option<PathBuf>,
    pub cluster_label: Option<String>,
    pub window: Option<Period>,
    pub queries: Vec<(Signal, RawScope, String)>,
}

/// Who resizes a pool, checked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PoolResizing {
    pub cluster: Option<ClusterName>,
    pub pool: PoolName,
    pub by: ResizedBy,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ResizedBy {
    MachineDeployment {
        namespace: String,
        name: String,
    },
    NodePool {
        name: String,
    },
    /// The file lies beside the desk's.
    Webhook {
        url: String,
        secret_file: PathBuf,
    },
}

impl Checker<'_> {
    pub(super) fn measurements(&mut self, raw: &RawMeasurements, is_measured: bool) -> MeasurementsConfig {
        const PATH: &str = "world.kubernetes.measurements";
        if !is_measured {
            let proposal = "write prometheus: http://prometheus:9090 beside it, or take it away";
            self.report(PATH, "there is no Prometheus to ask", proposal);
        }
        if raw.window.is_some_and(|window| window.as_millis() < 1_000) {
            self.report(&format!("{PATH}.window"), "a rate over no time is nothing", "write for instance 2m");
        }
        if raw.cluster_label.as_ref().is_some_and(|label| !is_metric_label(label)) {
            let proposal = "write letters, digits and underscores, such as cluster";
            self.report(&format!("{PATH}.cluster_label"), "this is not the name of a label", proposal);
        }
        MeasurementsConfig {
            token_file: raw.token_file.as_ref().map(PathBuf::from),
            cluster_label: raw.cluster_label.clone(),
            window: raw.window,
            queries: raw.queries.iter().map(|one| (one.signal, one.scope, one.query.clone())).collect(),
        }
    }

    pub(super) fn pool_resizing(
        &mut self,
        index: usize,
        raw: &RawPoolResizing,
        members: &[&str],
    ) -> Option<PoolResizing> {
        let path = item("world.kubernetes.pools", index);
        let pool = self.take(&format!("{path}.pool"), PoolName::new(&raw.pool), "write the name of a pool");
        let cluster = match &raw.cluster {
            None => Some(None),
            Some(name) if !members.contains(&name.as_str()) => {
                let proposal = format!("the members are {}", members.join(", "));
                self.report(&format!("{path}.cluster"), format!("{name:?} is not a member"), proposal);
                None
            }
            Some(name) => {
                let name = ClusterName::new(name);
                self.take(&format!("{path}.cluster"), name, "write the name of a member").map(Some)
            }
        };
        let by = self.resized_by(&path, raw);
        Some(PoolResizing { cluster: cluster?, pool: pool?, by: by? })
    }

    fn resized_by(&mut self, path: &str, raw: &RawPoolResizing) -> Option<ResizedBy> {
        match (&raw.machine_deployment, &raw.node_pool, &raw.webhook) {
            (Some(text), None, None) => match text.split_once('/') {
                Some((namespace, name))
                    if !namespace.is_empty() && !name.is_empty() && !name.contains('/') =>
                {
                    Some(ResizedBy::MachineDeployment {
                        namespace: namespace.to_owned(),
                        name: name.to_owned(),
                    })
                }
                _ => {
                    let path = format!("{path}.machine_deployment");
                    self.report(&path, "this is not namespace/name", "write for instance default/workers");
                    None
                }
            },
            (None, Some(name), None) => Some(ResizedBy::NodePool { name: name.clone() }),
            (None, None, Some(webhook)) => {
                if !super::real::is_address(&webhook.url) {
                    let message = format!("{:?} is not an address", webhook.url);
                    let proposal = "write for instance https://nodes.example.org/resize";
                    self.report(&format!("{path}.webhook.url"), message, proposal);
                }
                Some(ResizedBy::Webhook {
                    url: webhook.url.clone(),
                    secret_file: PathBuf::from(&webhook.secret_file),
                })
            }
            _ => {
                let message = "one of machine_deployment, node_pool and webhook makes its nodes";
                self.report(path, message, "write exactly one of them");
                None
            }
        }
    }

    /// None of them may be no time at all, and those that others are measured by have to be longer.
    pub(super) fn timeouts(&mut self, raw: &RawTimeouts) {
        const PATH: &str = "world.kubernetes.timeouts";
        let all = [
            ("connect", raw.connect),
            ("request", raw.request),
            ("watch", raw.watch),
            ("stale", raw.stale),
            ("observe", raw.observe),
            ("act", raw.act),
            ("look", raw.look),
            ("settle", raw.settle),
        ];
        for (name, _) in all.iter().filter(|(_, period)| period.is_some_and(|period| period.as_millis() == 0))
        {
            self.report(&format!("{PATH}.{name}"), "nothing happens in no time", "write for instance 5s");
        }
        if let (Some(stale), Some(watch)) = (raw.stale, raw.watch)
            && stale <= watch
        {
            let message = format!("a watch is quiet for up to {watch}, so every cluster would be a gap");
            self.report(&format!("{PATH}.stale"), message, "write more than twice the time of a watch");
        }
    }

    pub(super) fn place_label(&mut self, label: &str) {
        let (prefix, name) = label.rsplit_once('/').unwrap_or(("", label));
        let is_word = |text: &str| {
            !text.is_empty()
                && text.len() <= 63
                && text.chars().all(|letter| letter.is_ascii_alphanumeric() || "-_.".contains(letter))
        };
        if !is_word(name) || !(prefix.is_empty() || prefix.split('.').all(is_word)) {
            let message = format!("{label:?} cannot be the name of a label");
            self.report("world.kubernetes.place_label", message, "write for instance cloud");
        }
    }
}

/// Prometheus' rule for names of labels.
fn is_metric_label(text: &str) -> bool {
    let mut letters = text.chars();
    letters.next().is_some_and(|first| first.is_ascii_alphabetic() || first == '_')
        && letters.all(|letter| letter.is_ascii_alphanumeric() || letter == '_')
}

#[cfg(test)]
mod tests {
    use crate::config::read;

    fn problems(options: &str) -> Vec<String> {
        let text = format!(
            "drover: desk/v1\nreview: {{ mode: observe }}\nworld:\n  scenario: a.yaml\n  kubernetes:\n    members: [{{ name: one }}]\n{options}"
        );
        match read("desk.yaml", text.as_bytes()) {
            Ok(_) => Vec::new(),
            Err(found) => found.iter().map(|problem| format!("{problem:?}")).collect(),
        }
    }

    #[test]
    fn what_cannot_be_meant_about_clusters_is_said() {
        let check = |options: &str, want: &str| {
            let found = problems(options);
            assert!(found.len() == 1 && found[0].contains(want), "{options}: {found:?}");
        };
        assert_eq!(
            problems("    timeouts: { act: 20m }\n    leaving: delete\n    place_label: example.org/cloud\n"),
            [""; 0]
        );
        check("    measurements: { window: 1m }\n", "there is no Prometheus to ask");
        check("    prometheus: http://p:9090\n    measurements: { window: 0s }\n", "a rate over no time");
        check(
            "    prometheus: http://p:9090\n    measurements: { cluster_label: a-b }\n",
            "not the name of a label",
        );
        check("    pools: [{ pool: a }]\n", "one of machine_deployment, node_pool and webhook");
        check(
            "    pools: [{ pool: a, node_pool: x, machine_deployment: a/b }]\n",
            "one of machine_deployment",
        );
        check("    pools: [{ pool: a, machine_deployment: b }]\n", "not namespace/name");
        check("    pools: [{ pool: a, cluster: two, node_pool: b }]\n", "is not a member");
        check("    pools: [{ pool: a, webhook: { url: nodes, secret_file: s } }]\n", "is not an address");
        check("    timeouts: { look: 0s }\n", "nothing happens in no time");
        check("    timeouts: { watch: 1m, stale: 30s }\n", "every cluster would be a gap");
        check("    place_label: \"a b\"\n", "cannot be the name of a label");
        check("    leaving: vanish\n", "leaving");
        check("    prices: [{ instance_type: m, price_per_hour: dear }]\n", "price_per_hour");
    }
}
