//! Karmada's control plane: an API server of its own with Karmada's types, its controllers, and members that join.

use crate::binaries::Programs;
use crate::certificates::Certificates;
use crate::cluster::Cluster;
use crate::command;
use crate::control_plane::{self, StorageAddress, flag};
use crate::crew::{Job, PATIENCE};
use crate::error::Error;
use crate::files;
use crate::manifest;
use crate::ports;
use crate::process::{Layer, Process};
use crate::wait::{self, Look};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};
use std::path::Path;
use std::process::Command;

const NAMESPACE: &str = "karmada-system";
/// Nothing runs in this cluster itself, so pods need no identity and volumes no protection.
const APISERVER_FLAGS: &[&str] = &[
    "--disable-admission-plugins=StorageObjectInUseProtection,ServiceAccount",
    "--enable-bootstrap-token-auth=true",
];
/// Of Kubernetes' own controllers only those that Karmada asks for: its own take the place of the others.
const CONTROLLER_FLAGS: &[&str] = &[
    "--cluster-name=karmada",
    "--controllers=namespace,garbagecollector,serviceaccount-token,ttl-after-finished,bootstrapsigner,tokencleaner,\
     csrcleaner,csrsigning,clusterrole-aggregation",
];
/// Types that exist in two versions, between which the webhook translates.
const CONVERTED: [&str; 2] = ["resourcebindings.work.karmada.io", "clusterresourcebindings.work.karmada.io"];

/// Starts everything but the members.
pub(crate) fn up(folder: &Path, programs: &Programs) -> Result<Cluster, Error> {
    let port = ports::free()?;
    let cluster = Cluster::create(folder, port)?;
    let storage = control_plane::start(&cluster, port, programs, APISERVER_FLAGS)?;
    let aggregated = aggregated_apiserver(&cluster, &storage, programs)?;
    let webhook = webhook(&cluster, programs)?;
    let controllers = control_plane::controller_manager(&cluster, programs, CONTROLLER_FLAGS)?;
    for process in [&controllers, &aggregated] {
        process.start()?;
    }
    create_namespace(&cluster)?;
    let types = define_types(&cluster, &webhook, programs)?;
    wait_for_types(&cluster, &types)?;
    webhook.start()?;
    for process in [&controllers, &aggregated, &webhook] {
        cluster.wait_until_healthy(process)?;
    }
    announce_clusters(&cluster, &aggregated)?;
    configure(&cluster, &webhook, programs)?;
    let rest = [karmada_controller_manager(&cluster, programs)?, karmada_scheduler(&cluster, programs)?];
    rest.iter().try_for_each(Process::start)?;
    rest.iter().try_for_each(|process| cluster.wait_until_healthy(process))?;
    Ok(cluster)
}

/// Lets a member join, and waits until Karmada finds it ready.
pub(crate) fn join(karmada: &Cluster, member: &Cluster, programs: &Programs) -> Result<(), Error> {
    let name = member.name();
    let log = karmada.folder().join("log").join(format!("join-{name}.log"));
    let mut command = Command::new(programs.get("karmadactl"));
    command.args(["join", &name, &format!("--karmada-context={}", karmada.name())]);
    command.args([
        flag("kubeconfig", &karmada.kubeconfig()),
        flag("cluster-kubeconfig", &member.kubeconfig()),
        format!("--cluster-context={name}"),
    ]);
    command::ask(&mut command, &log, PATIENCE)?;
    let path = format!("/apis/cluster.karmada.io/v1alpha1/clusters/{name}");
    wait_for_condition(karmada, &path, "Ready")
}

fn aggregated_apiserver(
    cluster: &Cluster,
    storage: &StorageAddress,
    programs: &Programs,
) -> Result<Process, Error> {
    let name = "karmada-aggregated-apiserver";
    let port = ports::free()?;
    let mut arguments = control_plane::serving(cluster, &cluster.kubeconfig(), port);
    arguments.push(format!("--etcd-servers={}", storage.0));
    let health = format!("https://127.0.0.1:{port}/readyz");
    Ok(Job { name, layer: Layer::Server, program: programs.get(name), arguments, port, health }.of(cluster))
}

fn webhook(cluster: &Cluster, programs: &Programs) -> Result<Process, Error> {
    let name = "karmada-webhook";
    let (port, metrics, probe) = (ports::free()?, ports::free()?, ports::free()?);
    let arguments = vec![
        flag("kubeconfig", &cluster.kubeconfig()),
        "--bind-address=127.0.0.1".to_owned(),
        format!("--secure-port={port}"),
        flag("cert-dir", &cluster.certificates().path("")),
        "--tls-cert-file-name=server.crt".to_owned(),
        "--tls-private-key-file-name=server.key".to_owned(),
        format!("--metrics-bind-address=127.0.0.1:{metrics}"),
        format!("--health-probe-bind-address=127.0.0.1:{probe}"),
        "--allow-no-execute-taint-policy=true".to_owned(),
    ];
    // Readiness is told on the port of the webhooks, with a slash at the end.
    let health = format!("https://127.0.0.1:{port}/readyz/");
    Ok(Job { name, layer: Layer::Server, program: programs.get(name), arguments, port, health }.of(cluster))
}

fn karmada_controller_manager(cluster: &Cluster, programs: &Programs) -> Result<Process, Error> {
    let more = [
        "--cluster-status-update-frequency=10s",
        "--controllers=*,hpaScaleTargetMarker,deploymentReplicasSyncer",
        "--enable-no-execute-taint-eviction=true",
    ];
    controller(cluster, programs, "karmada-controller-manager", &more)
}

fn karmada_scheduler(cluster: &Cluster, programs: &Programs) -> Result<Process, Error> {
    controller(cluster, programs, "karmada-scheduler", &["--enable-scheduler-estimator=false"])
}

fn controller(cluster: &Cluster, programs: &Programs, name: &str, more: &[&str]) -> Result<Process, Error> {
    let (port, metrics) = (ports::free()?, ports::free()?);
    let mut arguments = vec![
        flag("kubeconfig", &cluster.kubeconfig()),
        format!("--metrics-bind-address=127.0.0.1:{metrics}"),
        format!("--health-probe-bind-address=127.0.0.1:{port}"),
        "--leader-elect=false".to_owned(),
        "--v=2".to_owned(),
    ];
    arguments.extend(more.iter().map(|flag| (*flag).to_owned()));
    let health = format!("http://127.0.0.1:{port}/healthz");
    Ok(Job { name, layer: Layer::Client, program: programs.get(name), arguments, port, health }.of(cluster))
}

fn create_namespace(cluster: &Cluster) -> Result<(), Error> {
    let namespace = json!({ "apiVersion": "v1", "kind": "Namespace", "metadata": { "name": NAMESPACE } });
    cluster.api().apply(&format!("/api/v1/namespaces/{NAMESPACE}"), &namespace.to_string()).map(drop)
}

/// Brings Karmada's types in; returns their paths.
fn define_types(cluster: &Cluster, webhook: &Process, programs: &Programs) -> Result<Vec<String>, Error> {
    let mut paths = Vec::new();
    for object in manifests(programs)?.filter(|object| object.kind == "CustomResourceDefinition") {
        let path = object.path()?;
        cluster.api().apply(&path, &object.text)?;
        if CONVERTED.contains(&object.name.as_str()) {
            cluster.api().merge(&path, &conversion(cluster.certificates(), webhook.port)?)?;
        }
        paths.push(path);
    }
    Ok(paths)
}

fn conversion(certificates: &Certificates, port: u16) -> Result<Value, Error> {
    let webhook = json!({
        "conversionReviewVersions": ["v1"],
        "clientConfig": {
            "url": format!("https://127.0.0.1:{port}/convert"),
            "caBundle": STANDARD.encode(certificates.authority()?),
        },
    });
    Ok(json!({ "spec": { "conversion": { "strategy": "Webhook", "webhook": webhook } } }))
}

fn wait_for_types(cluster: &Cluster, paths: &[String]) -> Result<(), Error> {
    paths.iter().try_for_each(|path| wait_for_condition(cluster, path, "Established"))
}

/// Puts Karmada's second API server behind the first: an external name leads to the loopback interface.
fn announce_clusters(cluster: &Cluster, aggregated: &Process) -> Result<(), Error> {
    let service = json!({
        "apiVersion": "v1",
        "kind": "Service",
        "metadata": { "name": aggregated.name, "namespace": NAMESPACE },
        "spec": { "type": "ExternalName", "externalName": "localhost" },
    });
    let path = format!("/api/v1/namespaces/{NAMESPACE}/services/{}", aggregated.name);
    cluster.api().apply(&path, &service.to_string())?;
    let registration = json!({
        "apiVersion": "apiregistration.k8s.io/v1",
        "kind": "APIService",
        "metadata": { "name": "v1alpha1.cluster.karmada.io" },
        "spec": {
            "group": "cluster.karmada.io",
            "version": "v1alpha1",
            "groupPriorityMinimum": 2_000,
            "versionPriority": 10,
            "caBundle": STANDARD.encode(cluster.certificates().authority()?),
            "service": { "name": aggregated.name, "namespace": NAMESPACE, "port": aggregated.port },
        },
    });
    let path = "/apis/apiregistration.k8s.io/v1/apiservices/v1alpha1.cluster.karmada.io";
    cluster.api().apply(path, &registration.to_string())?;
    wait_for_condition(cluster, path, "Available")
}

/// Karmada's webhooks and roles, with the addresses of this bed.
fn configure(cluster: &Cluster, webhook: &Process, programs: &Programs) -> Result<(), Error> {
    let authority = STANDARD.encode(cluster.certificates().authority()?);
    let address = format!("https://127.0.0.1:{}", webhook.port);
    for object in manifests(programs)?.filter(|object| object.kind != "CustomResourceDefinition") {
        let text = object.text.replace("{{caBundle}}", &authority);
        let text = text.replace("https://karmada-webhook.karmada-system.svc:443", &address);
        cluster.api().apply(&object.path()?, &text)?;
    }
    Ok(())
}

fn manifests(programs: &Programs) -> Result<impl Iterator<Item = manifest::Object>, Error> {
    let mut all = Vec::new();
    for file in files::entries(programs.assets("karmada")) {
        all.extend(manifest::objects(&files::read(&file)?));
    }
    Ok(all.into_iter())
}

fn wait_for_condition(cluster: &Cluster, path: &str, condition: &str) -> Result<(), Error> {
    wait::until(&format!("{path} becoming {condition}"), PATIENCE, || match cluster.api().get(path) {
        Ok(object) => condition_of(&object, condition),
        Err(error) => Look::NotYet(error.to_string()),
    })
}

fn condition_of(object: &Value, wanted: &str) -> Look<()> {
    let conditions = object["status"]["conditions"].as_array().map(Vec::as_slice).unwrap_or_default();
    match conditions.iter().find(|condition| condition["type"] == wanted) {
        Some(found) if found["status"] == "True" => Look::Done(()),
        Some(found) => Look::NotYet(found.to_string()),
        None => Look::NotYet("nothing is known yet".to_owned()),
    }
}
