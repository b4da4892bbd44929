//! Brings workloads into real clusters at the moments that a scenario says, so that the same load can be seen in simulation and in
//! reality. It only ever touches what carries its own label.

use crate::connect::{self, Clients, ConnectError, ConnectProblem};
use crate::settings::Settings;
use crate::trouble::Trouble;
use kube::Client;
use kube::api::{
    Api, ApiResource, DeleteParams, DynamicObject, ListParams, Patch, PatchParams, PostParams, Preconditions,
};
use model::names::{ClusterName, WorkloadKind, WorkloadRef};
use model::resources::Resources;
use model::time::Period;
use serde_json::{Value, json};
use std::fmt;
use std::time::Duration;

/// Who writes, as the API servers note it.
const FIELD_MANAGER: &str = "drover-broker";

/// What everything carries that was brought here.
const BROUGHT: &str = "drover.io/brought-by";
const BROKER: &str = "broker";

/// An order that got no answer is given again so often; each is the same whether it was carried out before or not.
const MOST_TRIES: u32 = 5;
const PAUSE: Duration = Duration::from_millis(500);

/// What a busy server asks for is granted up to this.
const LONGEST_PAUSE: Duration = Duration::from_secs(10);

const NOT_OURS: &str = "one of that name is there that the broker did not bring; it is left alone: choose another namespace or name";

/// Where nothing runs, the image does not matter; elsewhere this one does nothing and is small.
const IMAGE: &str = "registry.k8s.io/pause:3.10";

/// Something that is done to the clusters at a moment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Injection {
    /// After the beginning.
    pub at: Period,
    pub workload: WorkloadRef,
    pub change: Injected,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Injected {
    Create { cluster: ClusterName, replicas: u32, each: Resources },
    Scale { replicas: u32 },
    Delete,
}

impl fmt::Display for Injection {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let workload = &self.workload;
        match &self.change {
            Injected::Create { cluster, replicas, .. } => {
                write!(out, "create {workload} in {cluster} with {replicas} replicas")
            }
            Injected::Scale { replicas } => write!(out, "scale {workload} to {replicas} replicas"),
            Injected::Delete => write!(out, "delete {workload}"),
        }
    }
}

/// Whoever brings workloads.
pub struct Broker {
    clients: Clients,
    runtime: tokio::runtime::Runtime,
}

impl Broker {
    /// Makes a client for everything; fails with every problem at once.
    pub fn connect(settings: &Settings) -> Result<Self, ConnectError> {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
        let runtime = runtime.map_err(|error| ConnectError {
            problems: vec![ConnectProblem::new(
                "threads",
                error.to_string(),
                "allow this process more threads",
            )],
        })?;
        let clients = runtime.block_on(connect::clients(settings))?;
        Ok(Self { clients, runtime })
    }

    /// Carries out one injection. It may be repeated: what is there already is made to be like this.
    pub fn inject(&self, injection: &Injection) -> Result<(), String> {
        self.runtime.block_on(async {
            match &injection.change {
                Injected::Create { cluster, replicas, each } => {
                    self.create(&injection.workload, cluster, *replicas, *each).await
                }
                Injected::Scale { replicas } => self.scale(&injection.workload, *replicas).await,
                Injected::Delete => self.delete(&injection.workload).await,
            }
        })
    }

    /// Deletes everything that was ever brought here, and says how many objects that were.
    pub fn clean(&self) -> Result<usize, String> {
        self.runtime.block_on(async {
            let mut removed = 0;
            for client in self.places() {
                for (resource, _) in [deployment(), stateful_set(), policy()] {
                    removed += clean(client, &resource).await?;
                }
            }
            Ok(removed)
        })
    }

    /// Karmada where it is, otherwise every member.
    fn places(&self) -> Vec<&Client> {
        self.clients
            .karmada
            .as_ref()
            .map_or_else(|| self.clients.members.values().collect(), |karmada| vec![karmada])
    }

    async fn create(
        &self,
        workload: &WorkloadRef,
        cluster: &ClusterName,
        replicas: u32,
        each: Resources,
    ) -> Result<(), String> {
        let place = match &self.clients.karmada {
            Some(karmada) => karmada,
            None => {
                self.clients.members.get(cluster).ok_or_else(|| format!("there is no cluster {cluster}"))?
            }
        };
        let (resource, kind) = resource_of(workload)?;
        make_namespace(place, workload.namespace()).await?;
        if self.clients.karmada.is_some() {
            // The policy first, so that the workload is never without one.
            let object = policy_object(workload, kind, cluster);
            bring(place, &policy().0, workload.namespace(), &object).await?;
        }
        let object = workload_object(workload, kind, replicas, each);
        bring(place, &resource, workload.namespace(), &object).await
    }

    async fn scale(&self, workload: &WorkloadRef, replicas: u32) -> Result<(), String> {
        let (resource, _) = resource_of(workload)?;
        let mut found = false;
        for client in self.places() {
            found |= set_replicas(client, &resource, workload, replicas).await?;
        }
        if found { Ok(()) } else { Err(format!("there is no {workload} that the broker brought")) }
    }

    async fn delete(&self, workload: &WorkloadRef) -> Result<(), String> {
        let (resource, _) = resource_of(workload)?;
        for client in self.places() {
            delete(client, &resource, workload.namespace(), workload.name()).await?;
            if self.clients.karmada.is_some() {
                delete(client, &policy().0, workload.namespace(), workload.name()).await?;
            }
        }
        Ok(())
    }
}

type Known = (ApiResource, &'static str);

fn known(group: &str, version: &str, kind: &'static str, plural: &str) -> Known {
    let api_version = if group.is_empty() { version.to_owned() } else { format!("{group}/{version}") };
    let resource = ApiResource {
        group: group.to_owned(),
        version: version.to_owned(),
        api_version,
        kind: kind.to_owned(),
        plural: plural.to_owned(),
    };
    (resource, kind)
}

fn deployment() -> Known {
    known("apps", "v1", "Deployment", "deployments")
}

fn stateful_set() -> Known {
    known("apps", "v1", "StatefulSet", "statefulsets")
}

fn policy() -> Known {
    known("policy.karmada.io", "v1alpha1", "PropagationPolicy", "propagationpolicies")
}

fn namespace() -> Known {
    known("", "v1", "Namespace", "namespaces")
}

fn resource_of(workload: &WorkloadRef) -> Result<Known, String> {
    match workload.kind() {
        WorkloadKind::Deployment => Ok(deployment()),
        WorkloadKind::StatefulSet => Ok(stateful_set()),
        other => Err(format!(
            "{workload}: a {} cannot be brought; deployments and stateful sets can",
            other.as_str()
        )),
    }
}

fn namespace_object(name: &str) -> Value {
    json!({ "apiVersion": "v1", "kind": "Namespace", "metadata": { "name": name } })
}

fn metadata(workload: &WorkloadRef) -> Value {
    json!({ "name": workload.name(), "namespace": workload.namespace(), "labels": { BROUGHT: BROKER } })
}

fn workload_object(workload: &WorkloadRef, kind: &str, replicas: u32, each: Resources) -> Value {
    let labels = json!({ "app": workload.name() });
    let requests = json!({ "cpu": each.cpu, "memory": each.memory });
    let container = json!({ "name": "main", "image": IMAGE, "resources": { "requests": requests } });
    let mut spec = json!({
        "replicas": replicas, "selector": { "matchLabels": labels },
        "template": {
            "metadata": { "labels": labels },
            "spec": { "terminationGracePeriodSeconds": 1, "containers": [container] },
        },
    });
    if kind == "StatefulSet" {
        spec["serviceName"] = json!(workload.name());
    }
    json!({ "apiVersion": "apps/v1", "kind": kind, "metadata": metadata(workload), "spec": spec })
}

fn policy_object(workload: &WorkloadRef, kind: &str, cluster: &ClusterName) -> Value {
    json!({
        "apiVersion": "policy.karmada.io/v1alpha1", "kind": "PropagationPolicy", "metadata": metadata(workload),
        "spec": {
            "resourceSelectors": [{ "apiVersion": "apps/v1", "kind": kind, "name": workload.name() }],
            "placement": {
                "clusterAffinity": { "clusterNames": [cluster] },
                "replicaScheduling": { "replicaSchedulingType": "Duplicated" },
            },
        },
    })
}

fn api(client: &Client, resource: &ApiResource, namespace: Option<&str>) -> Api<DynamicObject> {
    match namespace {
        Some(namespace) => Api::namespaced_with(client.clone(), namespace, resource),
        None => Api::all_with(client.clone(), resource),
    }
}

/// Does something until it succeeds or is refused. What was changed by others meanwhile is read again.
async fn persist<F: Future<Output = Result<T, Trouble>>, T>(
    what: &str,
    mut attempt: impl FnMut() -> F,
) -> Result<T, String> {
    for count in 1.. {
        let trouble = match attempt().await {
            Ok(done) => return Ok(done),
            Err(trouble) => trouble,
        };
        let again = matches!(trouble, Trouble::Unclear(_) | Trouble::Conflict(_) | Trouble::Busy { .. });
        if !again || count >= MOST_TRIES {
            return Err(format!("{what}: {}", trouble.text()));
        }
        tokio::time::sleep((PAUSE * count).max(trouble.pause().unwrap_or_default().min(LONGEST_PAUSE))).await;
    }
    Err(format!("{what}: it was not done"))
}

/// What is there under a name.
async fn find(api: &Api<DynamicObject>, name: &str) -> Result<Option<DynamicObject>, Trouble> {
    api.get_opt(name).await.map_err(|error| Trouble::of(&error))
}

fn is_brought(object: &DynamicObject) -> bool {
    let labels = object.metadata.labels.as_ref();
    labels.and_then(|labels| labels.get(BROUGHT)).is_some_and(|by| by == BROKER)
}

/// Makes what was brought here be like this; what is not there is created, never taken over.
async fn bring(
    client: &Client,
    resource: &ApiResource,
    namespace: &str,
    object: &Value,
) -> Result<(), String> {
    let api = api(client, resource, Some(namespace));
    let name = object["metadata"]["name"].as_str().unwrap_or_default();
    persist(&format!("{} {name}", resource.kind), || async {
        let answer = match find(&api, name).await? {
            Some(found) if !is_brought(&found) => return Err(Trouble::Refused(NOT_OURS.to_owned())),
            Some(found) => {
                let mut body = object.clone();
                body["metadata"]["resourceVersion"] = json!(found.metadata.resource_version);
                let parameters = PatchParams::apply(FIELD_MANAGER);
                api.patch(name, &parameters, &Patch::Apply(&body)).await
            }
            None => create(&api, object).await,
        };
        answer.map(drop).map_err(|error| Trouble::of(&error))
    })
    .await
}

async fn create(api: &Api<DynamicObject>, object: &Value) -> Result<DynamicObject, kube::Error> {
    let body = serde_json::from_value(object.clone()).map_err(kube::Error::SerdeError)?;
    api.create(&PostParams { field_manager: Some(FIELD_MANAGER.to_owned()), dry_run: false }, &body).await
}

/// A namespace that is there already is as good as one of our own.
async fn make_namespace(client: &Client, name: &str) -> Result<(), String> {
    let api = api(client, &namespace().0, None);
    persist(&format!("Namespace {name}"), || async {
        if find(&api, name).await?.is_some() {
            return Ok(());
        }
        create(&api, &namespace_object(name)).await.map(drop).map_err(|error| Trouble::of(&error))
    })
    .await
}

/// Sets the number of what was brought here; whether there is such a thing.
async fn set_replicas(
    client: &Client,
    resource: &ApiResource,
    workload: &WorkloadRef,
    replicas: u32,
) -> Result<bool, String> {
    let api = api(client, resource, Some(workload.namespace()));
    persist(&format!("{} {}", resource.kind, workload.name()), || async {
        let Some(found) = find(&api, workload.name()).await?.filter(is_brought) else { return Ok(false) };
        let version = found.metadata.resource_version;
        let patch = json!({ "metadata": { "resourceVersion": version }, "spec": { "replicas": replicas } });
        let answer = api.patch_scale(workload.name(), &PatchParams::default(), &Patch::Merge(&patch)).await;
        answer.map(|_| true).map_err(|error| Trouble::of(&error))
    })
    .await
}

/// Deletes what was brought here, and only the one that was read.
async fn delete(client: &Client, resource: &ApiResource, namespace: &str, name: &str) -> Result<(), String> {
    let api = api(client, resource, Some(namespace));
    persist(&format!("{} {name}", resource.kind), || async {
        let Some(found) = find(&api, name).await?.filter(is_brought) else { return Ok(()) };
        let preconditions =
            Preconditions { uid: found.metadata.uid, resource_version: found.metadata.resource_version };
        let parameters = DeleteParams::background().preconditions(preconditions);
        match api.delete(name, &parameters).await.map_err(|error| Trouble::of(&error)) {
            Ok(_) | Err(Trouble::Absent(_)) => Ok(()),
            Err(trouble) => Err(trouble),
        }
    })
    .await
}

async fn clean(client: &Client, resource: &ApiResource) -> Result<usize, String> {
    let all: Api<DynamicObject> = Api::all_with(client.clone(), resource);
    let brought = ListParams::default().labels(&format!("{BROUGHT}={BROKER}"));
    let found = match all.list(&brought).await {
        Ok(found) => found.items,
        // A member without Karmada's kinds.
        Err(error) if matches!(Trouble::of(&error), Trouble::Absent(_)) => return Ok(0),
        Err(error) => return Err(Trouble::of(&error).text().to_owned()),
    };
    for object in &found {
        let namespace = object.metadata.namespace.as_deref().unwrap_or_default();
        let name = object.metadata.name.as_deref().unwrap_or_default();
        delete(client, resource, namespace, name).await?;
    }
    Ok(found.len())
}

#[cfg(test)]
mod tests {
    use super::*;
    use model::quantity::{Bytes, MilliCpu};

    #[test]
    fn what_is_brought_says_by_whom_and_goes_where_it_was_told() {
        let workload: WorkloadRef = "deployment/shop/web".parse().expect("a name");
        let each = Resources { cpu: MilliCpu(500), memory: Bytes(1 << 30), pods: 1 };
        let object = workload_object(&workload, "Deployment", 3, each);
        assert_eq!(object["metadata"]["labels"][BROUGHT], BROKER);
        assert_eq!(object["spec"]["replicas"], 3);
        let requests = &object["spec"]["template"]["spec"]["containers"][0]["resources"]["requests"];
        assert_eq!(*requests, json!({ "cpu": "500m", "memory": "1Gi" }));
        let policy = policy_object(&workload, "Deployment", &ClusterName::new("member1").expect("a name"));
        assert_eq!(policy["spec"]["placement"]["clusterAffinity"]["clusterNames"], json!(["member1"]));
        assert!(resource_of(&"job/shop/import".parse().expect("a name")).is_err());
    }

    #[test]
    fn only_what_carries_the_label_is_ours() {
        let check = |labels: Value, want: bool| {
            let object: DynamicObject =
                serde_json::from_value(json!({ "metadata": { "name": "web", "labels": labels } }))
                    .expect("an object");
            assert_eq!(is_brought(&object), want, "{labels}");
        };
        check(json!({ BROUGHT: BROKER }), true);
        check(json!({ BROUGHT: "somebody" }), false);
        check(json!({ "app": "web" }), false);
        check(json!({}), false);
    }
}
