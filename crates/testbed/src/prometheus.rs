//! Prometheus, and what it reads: the usage that KWOK tells, the objects, and the API servers themselves.

use crate::api::Api;
use crate::crew::{Crew, Job};
use crate::error::Error;
use crate::files;
use crate::member::Member;
use crate::plan::Plan;
use crate::ports;
use crate::process::{Layer, Process};
use crate::stages;
use serde_json::{Value, json};
use std::fmt::Write as _;
use std::ops::Deref;
use std::path::Path;

/// Often enough that a test sees a value soon.
const INTERVAL: &str = "2s";

/// A Prometheus that runs.
#[derive(Clone)]
pub struct Prometheus {
    crew: Crew,
    api: Api,
    server: String,
}

impl Prometheus {
    /// One that was started before.
    pub(crate) fn open(folder: &Path) -> Result<Self, Error> {
        let port = Process::find(folder, "prometheus")?.port;
        Ok(Self::with(folder, port))
    }

    fn with(folder: &Path, port: u16) -> Self {
        let server = format!("http://127.0.0.1:{port}");
        let api = Api::plain(&server);
        Self { crew: Crew::new(folder, api.clone()), api, server }
    }

    /// Where it is.
    pub fn server(&self) -> &str {
        &self.server
    }

    /// The values of an expression now, each with its labels.
    pub fn query(&self, expression: &str) -> Result<Vec<(Value, f64)>, Error> {
        let answer = self.api.get(&format!("/api/v1/query?query={}", escaped(expression)))?;
        let rows = answer["data"]["result"].as_array().cloned().unwrap_or_default();
        let number = |row: &Value| row["value"][1].as_str().and_then(|text| text.parse().ok());
        Ok(rows.into_iter().filter_map(|row| Some((row["metric"].clone(), number(&row)?))).collect())
    }
}

impl Deref for Prometheus {
    type Target = Crew;

    fn deref(&self) -> &Crew {
        &self.crew
    }
}

/// Starts one that reads all members.
pub(crate) fn up(
    folder: &Path,
    program: &Path,
    members: &[Member],
    plan: &Plan,
) -> Result<Prometheus, Error> {
    let port = ports::free()?;
    files::private_folder(folder)?;
    let config = folder.join("prometheus.json");
    // JSON is YAML.
    files::write(&config, config_of(folder, members, plan)?.to_string())?;
    let prometheus = Prometheus::with(folder, port);
    let arguments = vec![
        format!("--config.file={}", config.display()),
        format!("--storage.tsdb.path={}", folder.join("data").display()),
        format!("--web.listen-address=127.0.0.1:{port}"),
        "--storage.tsdb.retention.time=1h".to_owned(),
        "--log.level=warn".to_owned(),
    ];
    let health = format!("{}/-/ready", prometheus.server);
    let job = Job { name: "prometheus", layer: Layer::Client, program, arguments, port, health };
    prometheus.launch_and_wait(&job.of(&prometheus))?;
    Ok(prometheus)
}

/// What is read, and how. Targets are named one by one: Debian's Prometheus cannot ask Kubernetes for them.
fn config_of(folder: &Path, members: &[Member], plan: &Plan) -> Result<Value, Error> {
    let mut jobs = Vec::new();
    for member in members {
        let name = member.cluster.name();
        let certificates = member.cluster.certificates();
        let tls = json!({
            "ca_file": certificates.path("ca.crt"),
            "cert_file": certificates.path("admin.crt"),
            "key_file": certificates.path("admin.key"),
        });
        if let Some(port) = member.usage_port {
            let usage = folder.join(format!("{name}-usage.json"));
            files::write(&usage, usage_targets(&name, port, plan.nodes).to_string())?;
            jobs.push(json!({
                "job_name": format!("{name}-usage"),
                "scheme": "https",
                "tls_config": tls,
                "file_sd_configs": [{ "files": [usage] }],
            }));
        }
        let server = member.cluster.server().trim_start_matches("https://").to_owned();
        let labels = json!({ "cluster": name });
        jobs.push(json!({
            "job_name": format!("{name}-apiserver"),
            "scheme": "https",
            "tls_config": tls,
            // Its answer is megabytes.
            "scrape_interval": "15s",
            "static_configs": [{ "targets": [server], "labels": labels }],
        }));
        jobs.extend(member.objects_port.map(|port| {
            let target = format!("127.0.0.1:{port}");
            json!({
                "job_name": format!("{name}-objects"),
                // The objects say themselves which node and which pod they are about.
                "honor_labels": true,
                "static_configs": [{ "targets": [target], "labels": labels }],
            })
        }));
    }
    Ok(json!({ "global": { "scrape_interval": INTERVAL }, "scrape_configs": jobs }))
}

fn usage_targets(cluster: &str, port: u16, nodes: u16) -> Value {
    let target = |number: u16| {
        let node = stages::node_name(cluster, number);
        json!({
            "targets": [format!("127.0.0.1:{port}")],
            "labels": { "__metrics_path__": stages::metrics_path(&node), "cluster": cluster, "node": node },
        })
    };
    (1..=nodes).map(target).collect()
}

/// An expression as a part of an address.
fn escaped(text: &str) -> String {
    text.bytes().fold(String::new(), |mut out, byte| {
        if byte.is_ascii_alphanumeric() {
            out.push(char::from(byte));
        } else {
            let _ = write!(out, "%{byte:02X}");
        }
        out
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_node_is_a_target() {
        let targets = usage_targets("member1", 20_001, 2);
        assert_eq!(
            targets[1],
            json!({
                "targets": ["127.0.0.1:20001"],
                "labels": {
                    "__metrics_path__": "/metrics/nodes/member1-node2/metrics/resource",
                    "cluster": "member1",
                    "node": "member1-node2",
                },
            })
        );
        assert_eq!(targets.as_array().unwrap().len(), 2);
    }

    #[test]
    fn expressions_survive_an_address() {
        assert_eq!(escaped("sum(a{b=\"c d\"})"), "sum%28a%7Bb%3D%22c%20d%22%7D%29");
    }
}
