//! The test bed: its clusters, a namespace of one's own, and a real world to look at it.

use control::world::{Applied, Effect, Input, Outside as _};
use kube::api::{Api, DynamicObject, Patch, PatchParams};
use kube::config::{KubeConfigOptions, Kubeconfig};
use kube::core::ApiResource;
use kube::{Client, Config};
use kubernetes::{Access, Member, RealWorld, Settings, Timeouts};
use model::names::ClusterName;
use model::recommendation::RecommendationId;
use model::snapshot::Snapshot;
use model::time::{Period, Timestamp};
use serde_json::{Value, json};
use std::path::PathBuf;
use std::sync::{Arc, LazyLock};
use std::time::{Duration, Instant};
use testbed::{Bed, Plan, Workshop};
use tokio::sync::{RwLock, RwLockReadGuard, RwLockWriteGuard};

/// Nothing on the bed takes longer than this on a machine with nothing else to do, even if several servers have just died.
const USUAL_DEADLINE: Duration = Duration::from_mins(4);

/// Where there is much else to do everything takes longer: as much longer as processes wait for a core, up to this.
const MOST_CROWDED: f64 = 8.0;

/// How long is waited for anything, by how crowded the machine is right now.
pub(crate) fn deadline() -> Duration {
    let load = std::fs::read_to_string("/proc/loadavg").unwrap_or_default();
    let load: f64 = load.split(' ').next().and_then(|number| number.parse().ok()).unwrap_or(1.0);
    let cores = std::thread::available_parallelism().map_or(1, usize::from) as f64;
    USUAL_DEADLINE.mul_f64((load / cores).clamp(1.0, MOST_CROWDED))
}

/// One bed for all tests of this process; each works in a namespace of its own. It goes when the process does.
static BED: LazyLock<Bed> = LazyLock::new(|| {
    let workshop = Workshop::usual(|name| std::env::var_os(name));
    let directory = std::env::temp_dir().join(format!("drover-kubernetes-{}", std::process::id()));
    Bed::up(&Plan::default(), &directory, &workshop, &|line| println!("{line}")).unwrap()
});

/// Where the bed is: one that is up already, if the environment names it.
pub(crate) fn directory() -> PathBuf {
    let named = std::env::var_os("DROVER_BED").map(PathBuf::from);
    named.unwrap_or_else(|| BED.kubeconfig().parent().unwrap().to_owned())
}

/// Tests that kill servers are alone with the bed; all others share it.
static CALM: LazyLock<RwLock<()>> = LazyLock::new(RwLock::default);

pub(crate) async fn peace() -> RwLockReadGuard<'static, ()> {
    CALM.read().await
}

pub(crate) async fn alone() -> RwLockWriteGuard<'static, ()> {
    CALM.write().await
}

pub(crate) fn now() -> Instant {
    #[expect(clippy::disallowed_methods, reason = "real clusters live in real time")]
    Instant::now()
}

pub(crate) fn cluster(name: &str) -> ClusterName {
    ClusterName::new(name).unwrap()
}

pub(crate) fn access(context: &str) -> Access {
    Access::Kubeconfig { path: Some(directory().join("kubeconfig")), context: Some(context.to_owned()) }
}

pub(crate) fn settings(karmada: bool) -> Settings {
    let member = |name: &str| Member { name: cluster(name), access: access(name) };
    Settings {
        members: vec![member("member1"), member("member2")],
        karmada: karmada.then(|| access("karmada")),
        act: true,
        timeouts: Timeouts {
            look: Period::from_millis(100),
            // On a machine with much else to do everything takes longer; nobody waits longer than needed.
            act: Period::from_secs(100),
            observe: Period::from_secs(30),
            ..Timeouts::default()
        },
        ..Settings::default()
    }
}

/// A client of the test itself.
pub(crate) async fn client(context: &str) -> Client {
    let file = Kubeconfig::read_from(directory().join("kubeconfig")).unwrap();
    let options = KubeConfigOptions { context: Some(context.to_owned()), ..KubeConfigOptions::default() };
    Client::try_from(Config::from_custom_kubeconfig(file, &options).await.unwrap()).unwrap()
}

pub(crate) fn resource(api_version: &str, kind: &str, plural: &str) -> ApiResource {
    let (group, version) = api_version.split_once('/').unwrap_or(("", api_version));
    ApiResource {
        group: group.to_owned(),
        version: version.to_owned(),
        api_version: api_version.to_owned(),
        kind: kind.to_owned(),
        plural: plural.to_owned(),
    }
}

pub(crate) fn plural_of(kind: &str) -> &'static str {
    match kind {
        "Deployment" => "deployments",
        "StatefulSet" => "statefulsets",
        "Cluster" => "clusters",
        "PropagationPolicy" => "propagationpolicies",
        "ResourceBinding" => "resourcebindings",
        "ClusterPropagationPolicy" => "clusterpropagationpolicies",
        "ValidatingAdmissionPolicy" => "validatingadmissionpolicies",
        "ValidatingAdmissionPolicyBinding" => "validatingadmissionpolicybindings",
        "Namespace" => "namespaces",
        "ConfigMap" => "configmaps",
        "HorizontalPodAutoscaler" => "horizontalpodautoscalers",
        other => panic!("{other} is not known here"),
    }
}

pub(crate) fn api(client: &Client, object: &Value) -> Api<DynamicObject> {
    let kind = object["kind"].as_str().unwrap();
    let resource = resource(object["apiVersion"].as_str().unwrap(), kind, plural_of(kind));
    match object["metadata"]["namespace"].as_str() {
        Some(namespace) => Api::namespaced_with(client.clone(), namespace, &resource),
        None => Api::all_with(client.clone(), &resource),
    }
}

/// Applies objects in order.
pub(crate) async fn apply(client: &Client, objects: &[Value]) {
    for object in objects {
        let name = object["metadata"]["name"].as_str().unwrap();
        let parameters = PatchParams::apply("tests").force();
        api(client, object).patch(name, &parameters, &Patch::Apply(object)).await.unwrap();
    }
}

pub(crate) async fn get(client: &Client, object: &Value) -> Option<Value> {
    let name = object["metadata"]["name"].as_str().unwrap();
    let found = api(client, object).get_opt(name).await.unwrap();
    found.map(|found| serde_json::to_value(found).unwrap())
}

pub(crate) fn namespace(name: &str) -> Value {
    json!({ "apiVersion": "v1", "kind": "Namespace", "metadata": { "name": name } })
}

pub(crate) fn deployment(namespace: &str, name: &str, replicas: u32) -> Value {
    json!({ "apiVersion": "apps/v1", "kind": "Deployment", "metadata": { "name": name, "namespace": namespace },
        "spec": { "replicas": replicas, "selector": { "matchLabels": { "app": name } },
            "template": { "metadata": { "labels": { "app": name } },
                "spec": { "containers": [{ "name": "c", "image": "none",
                    "resources": { "requests": { "cpu": "100m", "memory": "64Mi" } } }] } } } })
}

/// A policy for all Deployments of a namespace, or for one.
pub(crate) fn policy(namespace: &str, name: &str, workload: Option<&str>, clusters: &[&str]) -> Value {
    let mut selector = json!({ "apiVersion": "apps/v1", "kind": "Deployment" });
    if let Some(workload) = workload {
        selector["name"] = workload.into();
    }
    json!({ "apiVersion": "policy.karmada.io/v1alpha1", "kind": "PropagationPolicy",
        "metadata": { "name": name, "namespace": namespace },
        "spec": { "resourceSelectors": [selector], "placement": { "clusterAffinity": { "clusterNames": clusters } } } })
}

/// Waits until something is so; panics with what it is after the deadline.
pub(crate) async fn until<F: Future<Output = Option<T>>, T>(what: &str, mut look: impl FnMut() -> F) -> T {
    let begin = now();
    loop {
        if let Some(found) = look().await {
            return found;
        }
        assert!(begin.elapsed() < deadline(), "{what}: not within {:?}", deadline());
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}

/// Waits until a Deployment is ready with so many replicas.
pub(crate) async fn ready(client: &Client, deployment: &Value, replicas: u64) {
    until(&format!("{replicas} ready replicas of {}", deployment["metadata"]["name"]), || async {
        let found = get(client, deployment).await?;
        (found["status"]["readyReplicas"].as_u64() == Some(replicas)).then_some(())
    })
    .await;
}

/// A real world with a clock that began when it was made.
pub(crate) struct Looking {
    pub(crate) world: RealWorld,
    began: Instant,
}

impl Looking {
    pub(crate) fn at(settings: Settings) -> Self {
        Self { world: RealWorld::connect(settings).unwrap_or_else(|error| panic!("{error}")), began: now() }
    }

    /// A minute into the run, so that what was there before is not all at its beginning.
    pub(crate) fn now(&self) -> Timestamp {
        Timestamp(60_000 + self.began.elapsed().as_millis() as u64)
    }

    pub(crate) async fn next(&mut self, what: &str) -> Input {
        let begin = now();
        loop {
            let now_of_run = self.now();
            if let Some(input) = self.world.poll(now_of_run) {
                return input;
            }
            let progress = self.world.progress();
            assert!(begin.elapsed() < deadline(), "{what}: not within {:?}; {progress:?}", deadline());
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    }

    pub(crate) async fn observe(&mut self) -> Arc<Snapshot> {
        let now = self.now();
        self.world.start(now, &Effect::Observe);
        match self.next("an observation").await {
            Input::Observed(snapshot) => snapshot,
            other => panic!("{other:?} instead of an observation"),
        }
    }

    /// Until the workload is seen as wanted.
    pub(crate) async fn observe_until(
        &mut self,
        what: &str,
        mut is_so: impl FnMut(&Snapshot) -> bool,
    ) -> Arc<Snapshot> {
        let begin = now();
        loop {
            let snapshot = self.observe().await;
            if is_so(&snapshot) {
                return snapshot;
            }
            assert!(begin.elapsed() < deadline(), "{what}: not within {:?}; {snapshot:#?}", deadline());
        }
    }

    pub(crate) async fn outcome(&mut self) -> (RecommendationId, Applied) {
        match self.next("an outcome").await {
            Input::Applied { id, outcome } => (id, outcome),
            other => panic!("{other:?} instead of an outcome"),
        }
    }
}

/// Carries out an action that was approved on a fresh observation, and gives what became of it.
pub(crate) async fn carry_out(
    looking: &mut Looking,
    action: &model::action::Action,
    snapshot: &Snapshot,
) -> Applied {
    let approved = crate::approval::approve(action, snapshot);
    let now = looking.now();
    looking.world.start(now, &Effect::Apply(approved));
    looking.outcome().await.1
}
