//! A member cluster: a control plane, and nodes that KWOK pretends to have.

use crate::binaries::Programs;
use crate::cluster::Cluster;
use crate::control_plane::{self, flag};
use crate::crew::{Job, PATIENCE};
use crate::error::Error;
use crate::files;
use crate::plan::{PODS_PER_NODE, Plan, Staff};
use crate::ports;
use crate::process::{Layer, Process};
use crate::stages;
use crate::wait::{self, Look};
use serde_json::json;
use std::path::Path;

/// Nodes that no longer report are given up after this. KWOK reports every ten seconds, but for a minute or so not at all after its API
/// server was away: it tries with what it remembers, and what it remembers is old.
const CONTROLLER_FLAGS: &[&str] = &["--controllers=*", "--node-monitor-grace-period=10m"];

/// The usual limit of 20 questions a second is for shared servers.
const QUICK: &[&str] = &["--kube-api-qps=5000", "--kube-api-burst=10000"];

/// Pods need no service account and may name their priority themselves; nodes begin without taints, pods without tolerations.
const UNTOUCHED: &str =
    "--disable-admission-plugins=ServiceAccount,Priority,TaintNodesByCondition,DefaultTolerationSeconds";

/// A member that is up, with what measures it.
pub(crate) struct Member {
    pub(crate) cluster: Cluster,
    /// Where KWOK tells what nodes and pods use.
    pub(crate) usage_port: Option<u16>,
    /// Where kube-state-metrics tells how objects are.
    pub(crate) objects_port: Option<u16>,
}

/// Starts everything. `number` tells the pods' addresses of members apart.
pub(crate) fn up(folder: &Path, number: u8, plan: &Plan, programs: &Programs) -> Result<Member, Error> {
    let port = ports::free()?;
    let cluster = Cluster::create(folder, port)?;
    if plan.is_alone() {
        return one_alone(cluster, port, plan, programs);
    }
    control_plane::start(&cluster, port, programs, &[])?;
    let kwok = kwok(&cluster, number, plan, programs)?;
    let mut rest = vec![
        control_plane::controller_manager(&cluster, programs, CONTROLLER_FLAGS)?,
        control_plane::scheduler(&cluster, programs, plan.scheduler.as_ref())?,
    ];
    let objects = plan.prometheus.then(|| kube_state_metrics(&cluster, programs)).transpose()?;
    let objects_port = objects.as_ref().map(|process| process.port);
    let usage_port = Some(kwok.port);
    rest.extend(plan.metrics_server.then(|| metrics_server(&cluster, programs)).transpose()?);
    rest.extend(objects);
    rest.push(kwok);
    rest.iter().try_for_each(Process::start)?;
    add_nodes(&cluster, plan)?;
    rest.iter().try_for_each(|process| cluster.wait_until_healthy(process))?;
    wait_for_nodes(&cluster, plan.nodes)?;
    wait_for_service_account(&cluster)?;
    Ok(Member { cluster, usage_port, objects_port })
}

/// An API server and one process that works.
fn one_alone(cluster: Cluster, port: u16, plan: &Plan, programs: &Programs) -> Result<Member, Error> {
    control_plane::start(&cluster, port, programs, &[UNTOUCHED])?;
    let worker = if plan.staff == Staff::ControllersAlone {
        let flags = plan.controller_flags.iter().map(String::as_str).chain(QUICK.iter().copied());
        control_plane::controller_manager(&cluster, programs, &flags.collect::<Vec<_>>())?
    } else {
        control_plane::scheduler(&cluster, programs, plan.scheduler.as_ref())?
    };
    cluster.launch_and_wait(&worker)?;
    Ok(Member { cluster, usage_port: None, objects_port: None })
}

fn kwok(cluster: &Cluster, number: u8, plan: &Plan, programs: &Programs) -> Result<Process, Error> {
    let port = ports::free()?;
    let stages = cluster.folder().join("stages.yaml");
    files::write(&stages, stages::text(programs.assets("kwok"), plan.ready_after)?)?;
    let file = |name: &str| cluster.certificates().path(name);
    let arguments = vec![
        flag("config", &stages),
        flag("kubeconfig", &cluster.kubeconfig()),
        "--manage-all-nodes=false".to_owned(),
        "--manage-nodes-with-annotation-selector=kwok.x-k8s.io/node=fake".to_owned(),
        format!("--cidr=10.{}.0.1/16", 100 + u16::from(number)),
        format!("--node-ip={}", stages::NODE_IP),
        format!("--node-port={port}"),
        // Without an address it would listen on all interfaces.
        format!("--server-address={}:{port}", stages::NODE_IP),
        flag("tls-cert-file", &file("server.crt")),
        flag("tls-private-key-file", &file("server.key")),
        "--node-lease-duration-seconds=40".to_owned(),
    ];
    let health = format!("https://127.0.0.1:{port}/healthz");
    let program = programs.get("kwok");
    Ok(Job { name: "kwok", layer: Layer::Client, program, arguments, port, health }.of(cluster))
}

fn kube_state_metrics(cluster: &Cluster, programs: &Programs) -> Result<Process, Error> {
    let (port, own) = (ports::free()?, ports::free()?);
    let arguments = vec![
        flag("kubeconfig", &cluster.kubeconfig()),
        "--host=127.0.0.1".to_owned(),
        format!("--port={port}"),
        "--telemetry-host=127.0.0.1".to_owned(),
        format!("--telemetry-port={own}"),
    ];
    let health = format!("http://127.0.0.1:{port}/healthz");
    let program = programs.get("kube-state-metrics");
    Ok(Job { name: "kube-state-metrics", layer: Layer::Client, program, arguments, port, health }.of(cluster))
}

/// Serves `metrics.k8s.io` from what KWOK tells. Without nodes it is not ready, so only its life is watched.
fn metrics_server(cluster: &Cluster, programs: &Programs) -> Result<Process, Error> {
    let port = ports::free()?;
    let mut arguments = control_plane::serving(cluster, &cluster.kubeconfig(), port);
    arguments.extend(
        [
            // KWOK's certificate is the cluster's, but not for the names of the nodes.
            "--kubelet-insecure-tls",
            "--kubelet-preferred-address-types=InternalIP",
            "--kubelet-use-node-status-port",
            "--metric-resolution=10s",
            "--kubelet-request-timeout=5s",
        ]
        .map(str::to_owned),
    );
    announce_metrics(cluster, port)?;
    let health = format!("https://127.0.0.1:{port}/livez");
    let program = programs.get("metrics-server");
    Ok(Job { name: "metrics-server", layer: Layer::Client, program, arguments, port, health }.of(cluster))
}

/// An external name is how a cluster without a network of its own reaches a process on the loopback interface.
fn announce_metrics(cluster: &Cluster, port: u16) -> Result<(), Error> {
    let service = json!({
        "apiVersion": "v1",
        "kind": "Service",
        "metadata": { "name": "metrics-server", "namespace": "kube-system" },
        "spec": { "type": "ExternalName", "externalName": "localhost" },
    });
    let api = cluster.api();
    api.apply("/api/v1/namespaces/kube-system/services/metrics-server", &service.to_string())?;
    let name = "v1beta1.metrics.k8s.io";
    let registration = json!({
        "apiVersion": "apiregistration.k8s.io/v1",
        "kind": "APIService",
        "metadata": { "name": name },
        "spec": {
            "group": "metrics.k8s.io",
            "version": "v1beta1",
            "groupPriorityMinimum": 100,
            "versionPriority": 100,
            "insecureSkipTLSVerify": true,
            "service": { "name": "metrics-server", "namespace": "kube-system", "port": port },
        },
    });
    let path = format!("/apis/apiregistration.k8s.io/v1/apiservices/{name}");
    api.apply(&path, &registration.to_string()).map(drop)
}

fn add_nodes(cluster: &Cluster, plan: &Plan) -> Result<(), Error> {
    let (cpu, memory) = (plan.node_cpu.to_string(), plan.node_memory.to_string());
    for number in 1..=plan.nodes {
        let node = stages::node(&cluster.name(), number, &cpu, &memory, PODS_PER_NODE);
        cluster.api().create("/api/v1/nodes", &node)?;
    }
    Ok(())
}

fn wait_for_nodes(cluster: &Cluster, wanted: u16) -> Result<(), Error> {
    let what = format!("{wanted} nodes of {} becoming ready", cluster.name());
    wait::until(&what, PATIENCE, || match cluster.api().get("/api/v1/nodes") {
        Ok(list) => stages::all_ready(&list, wanted),
        Err(error) => Look::NotYet(error.to_string()),
    })
}

/// Pods are refused as long as their namespace has no service account.
fn wait_for_service_account(cluster: &Cluster) -> Result<(), Error> {
    let path = "/api/v1/namespaces/default/serviceaccounts/default";
    wait::until("the service account of new pods", PATIENCE, || match cluster.api().find(path) {
        Ok(Some(_)) => Look::Done(()),
        Ok(None) => Look::NotYet("there is none".to_owned()),
        Err(error) => Look::NotYet(error.to_string()),
    })
}
