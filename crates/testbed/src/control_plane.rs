//! The processes that every Kubernetes control plane has, Karmada's included: etcd, kube-apiserver and
//! kube-controller-manager, with what makes them quick and keeps them on the loopback interface.

use crate::binaries::Programs;
use crate::cluster::Cluster;
use crate::crew::Job;
use crate::error::Error;
use crate::files;
use crate::ports;
use crate::process::{Layer, Process};
use serde_json::{Value, json};
use std::path::Path;

/// Starts etcd and kube-apiserver, one after the other: the second needs the first.
pub(crate) fn start(
    cluster: &Cluster,
    port: u16,
    programs: &Programs,
    more: &[&str],
) -> Result<StorageAddress, Error> {
    let (etcd, address) = etcd(cluster, programs)?;
    cluster.launch_and_wait(&etcd)?;
    cluster.launch_and_wait(&apiserver(cluster, port, &address, programs, more))?;
    Ok(address)
}

/// Where etcd listens.
pub(crate) struct StorageAddress(pub(crate) String);

fn etcd(cluster: &Cluster, programs: &Programs) -> Result<(Process, StorageAddress), Error> {
    let (client, peer) = (ports::free()?, ports::free()?);
    let (name, data) = (cluster.name(), cluster.folder().join("etcd"));
    let [client_url, peer_url] = [client, peer].map(|port| format!("http://127.0.0.1:{port}"));
    let arguments = vec![
        format!("--name={name}"),
        flag("data-dir", &data),
        format!("--listen-client-urls={client_url}"),
        format!("--advertise-client-urls={client_url}"),
        format!("--listen-peer-urls={peer_url}"),
        format!("--initial-advertise-peer-urls={peer_url}"),
        format!("--initial-cluster={name}={peer_url}"),
        // No bed outlives its machine, so nothing waits for the disk.
        "--unsafe-no-fsync".to_owned(),
        "--auto-compaction-mode=revision".to_owned(),
        "--auto-compaction-retention=1000".to_owned(),
        "--log-level=warn".to_owned(),
    ];
    let health = format!("{client_url}/health");
    let program = programs.get("etcd");
    let job = Job { name: "etcd", layer: Layer::Storage, program, arguments, port: client, health };
    Ok((job.of(cluster), StorageAddress(client_url)))
}

fn apiserver(
    cluster: &Cluster,
    port: u16,
    storage: &StorageAddress,
    programs: &Programs,
    more: &[&str],
) -> Process {
    let file = |name: &str| cluster.certificates().path(name);
    let mut arguments = vec![
        format!("--etcd-servers={}", storage.0),
        "--bind-address=127.0.0.1".to_owned(),
        "--advertise-address=127.0.0.1".to_owned(),
        format!("--secure-port={port}"),
        // A loopback address must not become an endpoint of a Service.
        "--endpoint-reconciler-type=none".to_owned(),
        flag("tls-cert-file", &file("server.crt")),
        flag("tls-private-key-file", &file("server.key")),
        flag("client-ca-file", &file("ca.crt")),
        "--service-account-issuer=https://kubernetes.default.svc".to_owned(),
        flag("service-account-key-file", &file("service-accounts.pub")),
        flag("service-account-signing-key-file", &file("service-accounts.key")),
        "--service-cluster-ip-range=10.96.0.0/16".to_owned(),
        "--authorization-mode=Node,RBAC".to_owned(),
        "--allow-privileged=true".to_owned(),
        // The names of nodes lead nowhere.
        "--kubelet-preferred-address-types=InternalIP".to_owned(),
        "--enable-priority-and-fairness=false".to_owned(),
        "--profiling=false".to_owned(),
        flag("requestheader-client-ca-file", &file("front-proxy-ca.crt")),
        "--requestheader-allowed-names=front-proxy-client".to_owned(),
        "--requestheader-username-headers=X-Remote-User".to_owned(),
        "--requestheader-group-headers=X-Remote-Group".to_owned(),
        "--requestheader-extra-headers-prefix=X-Remote-Extra-".to_owned(),
        flag("proxy-client-cert-file", &file("front-proxy-client.crt")),
        flag("proxy-client-key-file", &file("front-proxy-client.key")),
        "--v=1".to_owned(),
    ];
    arguments.extend(more.iter().map(|flag| (*flag).to_owned()));
    let program = programs.get("kube-apiserver");
    let health = format!("{}/readyz", cluster.server());
    Job { name: "kube-apiserver", layer: Layer::Server, program, arguments, port, health }.of(cluster)
}

pub(crate) fn controller_manager(
    cluster: &Cluster,
    programs: &Programs,
    more: &[&str],
) -> Result<Process, Error> {
    let name = "kube-controller-manager";
    let file = |name: &str| cluster.certificates().path(name);
    let mut arguments = vec![
        "--use-service-account-credentials=true".to_owned(),
        flag("service-account-private-key-file", &file("service-accounts.key")),
        flag("root-ca-file", &file("ca.crt")),
        flag("cluster-signing-cert-file", &file("ca.crt")),
        flag("cluster-signing-key-file", &file("ca.key")),
        "--allocate-node-cidrs=false".to_owned(),
    ];
    arguments.extend(more.iter().map(|flag| (*flag).to_owned()));
    component(cluster, programs, name, arguments)
}

/// `configuration` has fields of a `KubeSchedulerConfiguration`.
pub(crate) fn scheduler(
    cluster: &Cluster,
    programs: &Programs,
    configuration: Option<&Value>,
) -> Result<Process, Error> {
    let name = "kube-scheduler";
    let Some(fields) = configuration.and_then(Value::as_object) else {
        return component(cluster, programs, name, Vec::new());
    };
    let mut whole = json!({
        "apiVersion": "kubescheduler.config.k8s.io/v1",
        "kind": "KubeSchedulerConfiguration",
        // With a file, this is no longer a flag. The usual limit of 50 questions a second is for shared servers.
        "clientConnection": { "kubeconfig": cluster.kubeconfig_of(name), "qps": 5_000, "burst": 10_000 },
        "leaderElection": { "leaderElect": false },
    });
    for (field, value) in fields {
        whole[field] = value.clone();
    }
    let path = cluster.folder().join("kube-scheduler.json");
    // JSON is YAML.
    files::write(&path, whole.to_string())?;
    component(cluster, programs, name, vec![flag("config", &path)])
}

/// What all components of Kubernetes have in common that talk to the API and serve their own health.
fn component(
    cluster: &Cluster,
    programs: &Programs,
    name: &str,
    mut arguments: Vec<String>,
) -> Result<Process, Error> {
    let port = ports::free()?;
    arguments.extend(serving(cluster, &cluster.kubeconfig_of(name), port));
    // There is one of each, so nobody has to be elected.
    arguments.extend(["--leader-elect=false".to_owned(), "--v=1".to_owned()]);
    let health = format!("https://127.0.0.1:{port}/healthz");
    Ok(Job { name, layer: Layer::Client, program: programs.get(name), arguments, port, health }.of(cluster))
}

/// Flags of a server that lets the cluster decide who may ask it.
pub(crate) fn serving(cluster: &Cluster, kubeconfig: &Path, port: u16) -> Vec<String> {
    let file = |name: &str| cluster.certificates().path(name);
    vec![
        flag("kubeconfig", kubeconfig),
        flag("authentication-kubeconfig", kubeconfig),
        flag("authorization-kubeconfig", kubeconfig),
        "--bind-address=127.0.0.1".to_owned(),
        format!("--secure-port={port}"),
        flag("tls-cert-file", &file("server.crt")),
        flag("tls-private-key-file", &file("server.key")),
    ]
}

pub(crate) fn flag(name: &str, path: &Path) -> String {
    format!("--{name}={}", path.display())
}
