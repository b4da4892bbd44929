//! Reads what one action has to see, straight from the API servers: nothing is decided on what a cache once heard.

use super::karmada_objects::Claim;
use super::order::{Kind, Place};
use super::resizing;
use super::sight::{KarmadaSight, MemberSight, Object, Seen, Sight};
use super::task::Task;
use crate::connect::{Clients, Webhook};
use crate::settings::Resizing;
use crate::trouble::Trouble;
use futures_util::future::join_all;
use kube::Client;
use kube::api::{Api, DynamicObject, ListParams};
use model::action::Action;
use model::names::{ClusterName, WorkloadRef};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::Duration;

/// Objects in one page of a list: the size client-go uses.
const PAGE: u32 = 500;

/// Objects that one look reads at most of a kind; a namespace with more than this is refused, not half seen.
const MOST_LISTED: usize = 20_000;

#[derive(Clone)]
pub(crate) struct Eye {
    clients: Arc<Clients>,
    limit: Duration,
}

impl Eye {
    pub(crate) fn new(clients: Arc<Clients>, limit: Duration) -> Self {
        Self { clients, limit }
    }

    /// Everything the task is about, read at the same time.
    pub(crate) async fn look(&self, task: &Task) -> Sight {
        match (&task.action, task.action.workload()) {
            (Action::ResizePool { cluster, .. }, _) => {
                let seen = self.pool(cluster, task).await.map_err(|trouble| trouble.text().to_owned());
                Sight { karmada: None, members: BTreeMap::from([(cluster.clone(), seen)]) }
            }
            // On the heap: what asks three servers at once is large.
            (action, Some(workload)) => Box::pin(self.placements(action, workload)).await,
            (_, None) => Sight { karmada: None, members: BTreeMap::new() },
        }
    }

    async fn placements(&self, action: &Action, workload: &WorkloadRef) -> Sight {
        let clusters = action.clusters();
        let karmada = async {
            match &self.clients.karmada {
                Some(client) => {
                    let seen = Box::pin(self.karmada(client, workload)).await;
                    Some(seen.map_err(|trouble| trouble.text().to_owned()))
                }
                None => None,
            }
        };
        let members = join_all(clusters.iter().map(|cluster| self.member_seen(cluster, workload)));
        let (karmada, members) = tokio::join!(karmada, members);
        let mut members: BTreeMap<ClusterName, Seen<MemberSight>> =
            clusters.into_iter().cloned().zip(members).collect();
        match action {
            Action::Migrate { from, to, .. } if self.clients.karmada.is_none() => {
                self.note_missing(&mut members, from, to, workload).await;
            }
            Action::Move { cluster, .. } => self.note_nodes(&mut members, cluster).await,
            _ => {}
        }
        Sight { karmada, members }
    }

    /// Nodes, for a move between them.
    async fn note_nodes(
        &self,
        members: &mut BTreeMap<ClusterName, Seen<MemberSight>>,
        cluster: &ClusterName,
    ) {
        let Some(client) = self.clients.members.get(cluster) else { return };
        let listed = self.list(client, Kind::Node, None).await;
        match (listed, members.get_mut(cluster)) {
            (Ok(nodes), Some(Ok(member))) => member.nodes = nodes,
            (Err(trouble), _) => drop(members.insert(cluster.clone(), Err(trouble.text().to_owned()))),
            _ => {}
        }
    }

    /// All nodes, what stands for the pool, and the pods on nodes that the task is emptying.
    async fn pool(&self, cluster: &ClusterName, task: &Task) -> Result<MemberSight, Trouble> {
        let none = || Trouble::Refused("it is not a member".to_owned());
        let client = self.clients.members.get(cluster).ok_or_else(none)?;
        let nodes = self.list(client, Kind::Node, None).await?;
        let holding = match &task.manner.resizing {
            Resizing::MachineDeployment { namespace, name } => {
                self.get(client, Kind::MachineDeployment, Some(namespace), name).await?
            }
            Resizing::NodePool { name } => self.get(client, Kind::NodePool, None, name).await?,
            _ => None,
        };
        let mut node_pods = BTreeMap::new();
        for node in resizing::emptied(task, &nodes) {
            let chosen = ListParams::default().fields(&format!("spec.nodeName={}", node.name()));
            let pods = self.listed(client, Kind::Pod, None, chosen).await?;
            node_pods.insert(node.name().to_owned(), pods.into_iter().filter(has_to_leave).collect());
        }
        Ok(MemberSight { holding, nodes, node_pods, ..MemberSight::default() })
    }

    async fn member_seen(&self, cluster: &ClusterName, workload: &WorkloadRef) -> Seen<MemberSight> {
        let Some(client) = self.clients.members.get(cluster) else {
            return Err("it is not a member".to_owned());
        };
        self.member(client, workload).await.map_err(|trouble| trouble.text().to_owned())
    }

    async fn member(&self, client: &Client, workload: &WorkloadRef) -> Result<MemberSight, Trouble> {
        let namespace = workload.namespace();
        let kind = Kind::of_workload(workload.kind())
            .ok_or_else(|| Trouble::Refused(format!("a {} is not read", workload.kind().as_str())))?;
        let space = self.get(client, Kind::Namespace, None, namespace).await?;
        if space.is_none() {
            return Ok(MemberSight::default());
        }
        let (holding, autoscalers, pods) = tokio::join!(
            self.get(client, kind, Some(namespace), workload.name()),
            self.list(client, Kind::HorizontalPodAutoscaler, Some(namespace)),
            self.list(client, Kind::Pod, Some(namespace)),
        );
        let (autoscalers, pods) = (autoscalers?, pods?);
        let owned: Vec<&Object> = pods.iter().filter(|pod| belongs(pod, workload)).collect();
        let on = |pod: &&Object| pod.field("/spec/nodeName").and_then(Value::as_str).map(str::to_owned);
        let autoscaler =
            autoscalers.iter().find(|one| scales(one, workload)).map(|one| one.name().to_owned());
        Ok(MemberSight {
            holding: holding?,
            pods: owned.len() as u32,
            has_namespace: true,
            autoscaler,
            pod_nodes: owned.iter().filter(|pod| !pod.is_ending()).filter_map(on).collect(),
            ..MemberSight::default()
        })
    }

    async fn karmada(&self, client: &Client, workload: &WorkloadRef) -> Result<KarmadaSight, Trouble> {
        let namespace = Some(workload.namespace());
        let kind = Kind::of_workload(workload.kind()).unwrap_or(Kind::Deployment);
        let binding = format!("{}-{}", workload.name(), workload.kind().as_str());
        let (template, policies, binding, clusters, autoscaler) = tokio::join!(
            self.get(client, kind, namespace, workload.name()),
            self.list(client, Kind::PropagationPolicy, namespace),
            self.get(client, Kind::ResourceBinding, namespace, &binding),
            self.list(client, Kind::KarmadaCluster, None),
            self.autoscaler(client, workload),
        );
        let template = template?;
        let cluster_policy = match template.as_ref().map(Claim::of) {
            Some(Claim::ClusterPolicy(name)) => {
                self.get(client, Kind::ClusterPropagationPolicy, None, &name).await?
            }
            _ => None,
        };
        Ok(KarmadaSight {
            template,
            policies: policies?,
            cluster_policy,
            scheduled: binding?.as_ref().map(scheduled).unwrap_or_default(),
            autoscaler: autoscaler?,
            ready_clusters: clusters?
                .iter()
                .filter(|one| one.has_condition("Ready"))
                .map(|one| one.name().to_owned())
                .collect(),
        })
    }

    /// Who sets the template's replicas: an autoscaler of Karmada's own, or the template of one.
    async fn autoscaler(&self, client: &Client, workload: &WorkloadRef) -> Result<Option<String>, Trouble> {
        for kind in [Kind::FederatedHpa, Kind::HorizontalPodAutoscaler] {
            // Karmada without its own autoscalers does not know the kind.
            let listed = self.pages(client, kind, Some(workload.namespace()), ListParams::default()).await;
            let listed = match listed {
                Err(Trouble::Absent(_)) => Vec::new(),
                Err(trouble) => return Err(told("list", kind, &trouble)),
                Ok(listed) => listed,
            };
            if let Some(found) = listed.iter().find(|one| scales(one, workload)) {
                return Ok(Some(format!("{} {}", kind.name(), found.name())));
            }
        }
        Ok(None)
    }

    /// What the pods of the source need and the target does not have.
    async fn note_missing(
        &self,
        members: &mut BTreeMap<ClusterName, Seen<MemberSight>>,
        from: &ClusterName,
        to: &ClusterName,
        workload: &WorkloadRef,
    ) {
        let Some(Ok(source)) = members.get(from) else { return };
        let needed = source.holding.as_ref().map(needs).unwrap_or_default();
        let Some(client) = self.clients.members.get(to) else { return };
        let mut missing = Vec::new();
        for (kind, name) in needed {
            match self.get(client, kind, Some(workload.namespace()), &name).await {
                Ok(Some(_)) => {}
                Ok(None) => missing.push(format!("{} {}/{name}", kind.name(), workload.namespace())),
                Err(trouble) => {
                    members.insert(to.clone(), Err(trouble.text().to_owned()));
                    return;
                }
            }
        }
        if let Some(Ok(target)) = members.get_mut(to) {
            target.missing = missing;
        }
    }

    fn api(client: &Client, kind: Kind, namespace: Option<&str>) -> Api<DynamicObject> {
        match namespace {
            Some(namespace) => Api::namespaced_with(client.clone(), namespace, &kind.resource()),
            None => Api::all_with(client.clone(), &kind.resource()),
        }
    }

    async fn get(
        &self,
        client: &Client,
        kind: Kind,
        namespace: Option<&str>,
        name: &str,
    ) -> Result<Option<Object>, Trouble> {
        let api = Self::api(client, kind, namespace);
        let answer = self.in_time(api.get_opt(name)).await.map_err(|trouble| told("get", kind, &trouble))?;
        answer.map(|object| plain(&object)).transpose()
    }

    async fn list(
        &self,
        client: &Client,
        kind: Kind,
        namespace: Option<&str>,
    ) -> Result<Vec<Object>, Trouble> {
        self.listed(client, kind, namespace, ListParams::default()).await
    }

    async fn listed(
        &self,
        client: &Client,
        kind: Kind,
        namespace: Option<&str>,
        parameters: ListParams,
    ) -> Result<Vec<Object>, Trouble> {
        let pages = self.pages(client, kind, namespace, parameters).await;
        pages.map_err(|trouble| told("list", kind, &trouble))
    }

    async fn pages(
        &self,
        client: &Client,
        kind: Kind,
        namespace: Option<&str>,
        parameters: ListParams,
    ) -> Result<Vec<Object>, Trouble> {
        let api = Self::api(client, kind, namespace);
        let mut page_parameters = parameters.clone().limit(PAGE);
        let mut objects = Vec::new();
        loop {
            let page = self.in_time(api.list(&page_parameters)).await?;
            objects.extend(page.items.iter().map(plain).collect::<Result<Vec<_>, _>>()?);
            let Some(token) = page.metadata.continue_.filter(|token| !token.is_empty()) else {
                return Ok(objects);
            };
            if objects.len() >= MOST_LISTED {
                return Err(Trouble::Refused(format!("there are more than {MOST_LISTED} {}", kind.plural())));
            }
            page_parameters = parameters.clone().limit(PAGE).continue_token(&token);
        }
    }

    async fn in_time<T>(&self, request: impl Future<Output = Result<T, kube::Error>>) -> Result<T, Trouble> {
        match tokio::time::timeout(self.limit, request).await {
            Ok(answer) => answer.map_err(|error| Trouble::of(&error)),
            Err(_) => Err(Trouble::late(self.limit)),
        }
    }

    pub(crate) fn webhook(&self, url: &str) -> Option<&Webhook> {
        self.clients.webhooks.get(url)
    }

    pub(crate) fn client(&self, place: &Place) -> Option<&Client> {
        match place {
            Place::Karmada => self.clients.karmada.as_ref(),
            Place::Member(name) => self.clients.members.get(name),
        }
    }
}

fn told(verb: &str, kind: Kind, trouble: &Trouble) -> Trouble {
    Trouble::Unclear(format!("cannot {verb} {}: {}", kind.plural(), trouble.text()))
}

fn plain(object: &DynamicObject) -> Result<Object, Trouble> {
    let value = serde_json::to_value(object).map_err(|error| Trouble::Unclear(error.to_string()))?;
    Ok(Object(value))
}

/// Whether a pod was made by this workload's controller, by the same rule as in the caches.
pub(crate) fn belongs(pod: &Object, workload: &WorkloadRef) -> bool {
    use crate::observe::facts::{PodOwner, owner};
    let metadata = pod.field("/metadata").and_then(|metadata| serde_json::from_value(metadata.clone()).ok());
    let is_over = matches!(pod.field("/status/phase").and_then(Value::as_str), Some("Succeeded" | "Failed"));
    let owned = metadata.is_some_and(|metadata| {
        owner(&metadata) == PodOwner::Workload(workload.kind(), workload.name().to_owned())
    });
    owned && !is_over
}

fn scales(autoscaler: &Object, workload: &WorkloadRef) -> bool {
    let text = |key: &str| autoscaler.field(&format!("/spec/scaleTargetRef/{key}")).and_then(Value::as_str);
    let kind = Kind::of_workload(workload.kind()).map(Kind::name);
    text("kind") == kind && text("name") == Some(workload.name())
}

pub(crate) fn scheduled(binding: &Object) -> BTreeMap<String, u32> {
    let clusters = binding.field("/spec/clusters").and_then(Value::as_array);
    let one = |cluster: &Value| {
        let replicas = cluster.get("replicas").and_then(Value::as_u64).unwrap_or(0);
        Some((cluster.get("name")?.as_str()?.to_owned(), u32::try_from(replicas).ok()?))
    };
    clusters.into_iter().flatten().filter_map(one).collect()
}

/// Pods that go when a node goes: not those of the node itself (DaemonSets, the kubelet's own), and not those that are over.
pub(crate) fn has_to_leave(pod: &Object) -> bool {
    let is_mirror = pod.annotation("kubernetes.io/config.mirror").is_some();
    let is_over = matches!(pod.field("/status/phase").and_then(Value::as_str), Some("Succeeded" | "Failed"));
    let owners = pod.field("/metadata/ownerReferences").and_then(Value::as_array);
    let is_daemon = owners.into_iter().flatten().any(|owner| owner["kind"] == "DaemonSet");
    !is_mirror && !is_over && !is_daemon
}

/// What a workload's pods cannot start without, in its own namespace.
pub(crate) fn needs(holding: &Object) -> BTreeSet<(Kind, String)> {
    let mut needs = BTreeSet::new();
    let Some(pod) = holding.field("/spec/template/spec") else { return needs };
    if let Some(account) =
        pod.get("serviceAccountName").and_then(Value::as_str).filter(|name| *name != "default")
    {
        needs.insert((Kind::ServiceAccount, account.to_owned()));
    }
    gather(pod, &mut needs);
    needs
}

const IMAGE_PULL_SECRETS: &str = "imagePullSecrets";

/// References are found by their keys, wherever they stand: volumes, projected volumes, environments, pull secrets.
fn gather(value: &Value, needs: &mut BTreeSet<(Kind, String)>) {
    match value {
        Value::Array(items) => items.iter().for_each(|item| gather(item, needs)),
        Value::Object(map) => {
            for (key, inner) in map {
                match inner {
                    Value::Array(items) if key == IMAGE_PULL_SECRETS => {
                        needs.extend(items.iter().filter_map(|item| reference(key, item)));
                    }
                    _ => needs.extend(reference(key, inner)),
                }
                gather(inner, needs);
            }
        }
        _ => {}
    }
}

fn reference(key: &str, value: &Value) -> Option<(Kind, String)> {
    if value.get("optional").and_then(Value::as_bool) == Some(true) {
        return None;
    }
    let name = |key: &str| value.get(key).and_then(Value::as_str).map(str::to_owned);
    match key {
        "configMap" | "configMapRef" | "configMapKeyRef" => Some((Kind::ConfigMap, name("name")?)),
        "secret" => Some((Kind::Secret, name("secretName").or_else(|| name("name"))?)),
        // Pull secrets are a list of names, each an object of its own.
        IMAGE_PULL_SECRETS | "secretRef" | "secretKeyRef" => Some((Kind::Secret, name("name")?)),
        "persistentVolumeClaim" => Some((Kind::PersistentVolumeClaim, name("claimName")?)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn what_pods_cannot_start_without_is_found_wherever_it_stands() {
        let holding = Object(json!({ "spec": { "template": { "spec": {
            "serviceAccountName": "robot",
            "imagePullSecrets": [{ "name": "registry" }],
            "containers": [{ "name": "c",
                "env": [{ "name": "A", "valueFrom": { "configMapKeyRef": { "name": "settings", "key": "a" } } },
                        { "name": "B", "valueFrom": { "secretKeyRef": { "name": "maybe", "key": "b", "optional": true } } }],
                "envFrom": [{ "secretRef": { "name": "keys" } }] }],
            "volumes": [{ "name": "v", "projected": { "sources": [{ "configMap": { "name": "more" } }] } },
                        { "name": "w", "secret": { "secretName": "files" } },
                        { "name": "x", "persistentVolumeClaim": { "claimName": "data" } }],
        } } } }));
        let found: Vec<String> =
            needs(&holding).iter().map(|(kind, name)| format!("{} {name}", kind.name())).collect();
        let want = [
            "ConfigMap more",
            "ConfigMap settings",
            "Secret files",
            "Secret keys",
            "Secret registry",
            "ServiceAccount robot",
            "PersistentVolumeClaim data",
        ];
        assert_eq!(found, want);
    }
}
