//! What the shipped roles allow, and what they do not: asked of real API servers with identities that have nothing else.

use crate::bed::{
    Looking, apply, carry_out, client, cluster, deployment, get, namespace, policy, ready, settings, until,
};
use crate::identity::{access_of, helm, kubectl, settings_for};
use control::world::Applied;
use kube::Client;
use kube::config::{KubeConfigOptions, Kubeconfig};
use kubernetes::doctor::{self, Check, Grade};
use kubernetes::rights::{self, RIGHTS, Role, Site};
use kubernetes::{Access, Settings};
use model::action::Action;
use model::names::WorkloadRef;
use serde_json::{Value, json};

async fn client_of(access: &Access) -> Client {
    let Access::Kubeconfig { path: Some(path), context } = access else { panic!("a kubeconfig") };
    let file = Kubeconfig::read_from(path).unwrap();
    let options = KubeConfigOptions { context: context.clone(), ..KubeConfigOptions::default() };
    Client::try_from(kube::Config::from_custom_kubeconfig(file, &options).await.unwrap()).unwrap()
}

/// The doctor has a runtime of its own, which must not be inside another.
async fn examine(settings: Settings) -> Vec<Check> {
    tokio::task::spawn_blocking(move || doctor::examine(&settings)).await.unwrap()
}

/// The list of a resource, in a namespace if it has one.
fn list_of(group: &str, resource: &str) -> String {
    let version = match group {
        "" | "apps" | "events.k8s.io" | "coordination.k8s.io" | "rbac.authorization.k8s.io" => "v1",
        "autoscaling" => "v2",
        "metrics.k8s.io" | "cluster.x-k8s.io" => "v1beta1",
        "work.karmada.io" => "v1alpha2",
        _ => "v1alpha1",
    };
    let base = if group.is_empty() { "/api/v1".to_owned() } else { format!("/apis/{group}/{version}") };
    let everywhere = [
        "nodes",
        "namespaces",
        "clusterpropagationpolicies",
        "clusters",
        "clusterroles",
        "clusterrolebindings",
    ];
    if everywhere.contains(&resource) {
        format!("{base}/{resource}")
    } else {
        format!("{base}/namespaces/role-observe/{resource}")
    }
}

const MERGE: &str = "application/merge-patch+json";
const APPLY: &str = "application/apply-patch+yaml";
const JSON: &str = "application/json";

/// Every way to change objects of a resource.
fn changes(group: &str, resource: &str) -> Vec<(&'static str, String, &'static str)> {
    let list = list_of(group, resource);
    let one = format!("{list}/web");
    let mut all = vec![
        ("POST", list.clone(), JSON),
        ("PUT", one.clone(), JSON),
        ("PATCH", one.clone(), MERGE),
        ("PATCH", one.clone(), APPLY),
        ("DELETE", one.clone(), JSON),
        ("DELETE", list, JSON),
        ("PATCH", format!("{one}/status"), MERGE),
    ];
    let more: &[(&'static str, &str)] = match resource {
        "pods" => {
            &[("POST", "eviction"), ("POST", "binding"), ("POST", "exec"), ("PATCH", "ephemeralcontainers")]
        }
        "deployments" | "statefulsets" | "machinedeployments" => &[("PUT", "scale"), ("PATCH", "scale")],
        "serviceaccounts" => &[("POST", "token")],
        "namespaces" => &[("PUT", "finalize")],
        "nodes" => &[("POST", "proxy")],
        _ => &[],
    };
    all.extend(more.iter().map(|(method, part)| {
        let content = if *method == "PATCH" { MERGE } else { JSON };
        (*method, format!("{one}/{part}"), content)
    }));
    all
}

/// The status that an attempt is answered with. Nothing of it could ever be meant: there is nothing called web.
async fn attempt(client: &Client, (method, path, content): &(&'static str, String, &'static str)) -> u16 {
    let request = http::Request::builder()
        .method(*method)
        .uri(format!("{path}?dryRun=All&fieldManager=tests"))
        .header("content-type", *content)
        .body(b"{\"metadata\":{\"name\":\"web\"}}".to_vec())
        .unwrap();
    match client.request::<Value>(request).await {
        Ok(_) => 200,
        Err(kube::Error::Api(status)) => status.code,
        Err(other) => panic!("{method} {path}: {other}"),
    }
}

/// Everything in the table, and what would be a way around it.
fn targets() -> Vec<(&'static str, &'static str)> {
    let named =
        RIGHTS.iter().flat_map(|right| right.resources.iter().map(move |resource| (right.group, *resource)));
    let mut all: Vec<(&str, &str)> =
        named.map(|(group, resource)| (group, resource.split('/').next().unwrap())).collect();
    all.extend([
        ("rbac.authorization.k8s.io", "clusterroles"),
        ("rbac.authorization.k8s.io", "clusterrolebindings"),
    ]);
    all.sort_unstable();
    all.dedup();
    all
}

/// The chart's own role in the members, the shipped one in Karmada.
fn grant_observe() {
    let roles = helm(&[
        "--namespace",
        "role-observe",
        "--show-only",
        "templates/roles.yaml",
        "--show-only",
        "templates/serviceaccount.yaml",
    ]);
    let observe = rights::purposes_of(Role::Observe);
    let karmada = rights::manifest(Site::Karmada, Role::Observe, &observe, "role-observe").unwrap();
    for member in ["member1", "member2"] {
        kubectl(member, &["apply", "-f", "-"], &namespace("role-observe").to_string());
        kubectl(member, &["apply", "-f", "-"], &roles);
    }
    kubectl("karmada", &["apply", "-f", "-"], &karmada);
}

#[tokio::test(flavor = "multi_thread")]
async fn whoever_observes_sees_everything_and_changes_nothing() {
    let _peace = crate::bed::peace().await;
    grant_observe();
    let (karmada, member) = (client("karmada").await, client("member1").await);
    let web = deployment("seen-by-role", "web", 2);
    let objects = [namespace("seen-by-role"), policy("seen-by-role", "all", None, &["member1"]), web.clone()];
    apply(&karmada, &objects).await;
    ready(&member, &web, 2).await;

    let observing = Settings { act: false, ..settings_for(settings(true), "role-observe") };
    let workload: WorkloadRef = "seen-by-role/web".parse().unwrap();
    let mut looking = Looking::at(observing.clone());
    let snapshot = looking.observe_until("it", |snapshot| snapshot.workloads.contains_key(&workload)).await;
    assert_eq!(snapshot.gaps, []);
    assert!(snapshot.clusters.len() == 2 && snapshot.workloads[&workload].replicas == 2, "{snapshot:?}");

    let mut tried = 0;
    for context in ["member1", "member2", "karmada"] {
        let observer = client_of(&access_of(context, "role-observe")).await;
        for (group, resource) in targets() {
            for change in changes(group, resource) {
                assert_eq!(attempt(&observer, &change).await, 403, "{context}: {change:?}");
                tried += 1;
            }
        }
    }
    assert!(tried > 400, "{tried}");
    // The same attempts by somebody who may: so it is the role that refuses.
    let change = ("DELETE", list_of("apps", "deployments"), JSON);
    assert_eq!(attempt(&member, &change).await, 200);

    let checks = examine(observing).await;
    let found: Vec<_> = checks.iter().filter(|check| check.grade != Grade::Fine).collect();
    assert!(found.is_empty(), "{found:#?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn the_doctor_names_what_is_missing_and_what_is_too_much() {
    let _peace = crate::bed::peace().await;
    kubectl("member1", &["apply", "-f", "-"], &namespace("role-none").to_string());
    let account = json!({ "apiVersion": "v1", "kind": "ServiceAccount", "metadata": { "name": "drover", "namespace": "role-none" } });
    kubectl("member1", &["apply", "-f", "-"], &account.to_string());
    let mut one = settings(false);
    one.members.truncate(1);
    let administrator = Settings { act: false, ..one.clone() };
    let checks = examine(administrator).await;
    let surplus = checks.iter().find(|check| check.grade == Grade::Doubtful).unwrap();
    assert!(surplus.text.starts_with("may ") && surplus.permission.is_some(), "{checks:#?}");

    let nobody = settings_for(one, "role-none");
    let checks = examine(nobody).await;
    let texts: Vec<&str> =
        checks.iter().filter(|check| check.grade == Grade::Wrong).map(|check| check.text.as_str()).collect();
    for want in [
        "may not list pods in all namespaces; needed for snapshots",
        "may not watch apps/statefulsets in all namespaces; needed for snapshots",
        "may not get secrets in all namespaces; needed for moving without Karmada",
    ] {
        assert!(texts.contains(&want), "{want}: {texts:#?}");
    }
    assert!(
        checks[0].grade == Grade::Fine && checks[0].text.starts_with("it answers, version v1."),
        "{checks:#?}"
    );
}

/// What this role is granted everywhere is all that the settings need, and nothing else.
fn grant_act(settings: &Settings, role_namespace: &str) {
    let purposes = rights::purposes(settings);
    let grant = |context: &str, site| {
        let text = rights::manifest(site, Role::Act, &purposes, role_namespace).unwrap();
        let text = text.replace("name: drover-act", &format!("name: {role_namespace}"));
        kubectl(context, &["apply", "-f", "-"], &text);
    };
    grant("member1", Site::Member);
    grant("member2", Site::Member);
    if settings.karmada.is_some() {
        grant("karmada", Site::Karmada);
    }
}

async fn reasons_told(context: &str, name: &str) -> Vec<String> {
    let path = format!("/apis/events.k8s.io/v1/namespaces/{name}/events");
    let request = http::Request::get(path).body(Vec::new()).unwrap();
    let list: Value = client(context).await.request(request).await.unwrap();
    let ours = list["items"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|event| event["reportingController"] == "drover.io/desk");
    let on_web =
        ours.filter(|event| event["regarding"]["name"] == "web" && !event["regarding"]["uid"].is_null());
    on_web.map(|event| event["reason"].as_str().unwrap().to_owned()).collect()
}

async fn tells(context: &str, name: &str, wanted: [&str; 2]) {
    until(&format!("events {wanted:?} on {name}"), || async {
        let told = reasons_told(context, name).await;
        wanted.iter().all(|reason| told.iter().any(|one| one == reason)).then_some(())
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn whoever_acts_can_move_through_karmada_and_scale_with_nothing_but_the_role() {
    let _peace = crate::bed::peace().await;
    let name = "acted";
    let all = settings(true);
    grant_act(&all, "role-act");
    let (karmada, source, target) =
        (client("karmada").await, client("member1").await, client("member2").await);
    let web = deployment(name, "web", 2);
    apply(&karmada, &[namespace(name), policy(name, "all", None, &["member1"]), web.clone()]).await;
    ready(&source, &web, 2).await;

    let workload: WorkloadRef = format!("{name}/web").parse().unwrap();
    let acting = settings_for(all, "role-act");
    let checks = examine(acting.clone()).await;
    assert!(checks.iter().all(|check| check.grade == Grade::Fine), "{checks:#?}");
    let mut looking = Looking::at(acting.clone());
    let snapshot = looking
        .observe_until("it", |seen| seen.workloads.get(&workload).is_some_and(|view| view.replicas == 2))
        .await;
    let (from, to) = (cluster("member1"), cluster("member2"));
    let migrate = Action::Migrate { workload: workload.clone(), from, to: to.clone(), replicas: 2 };
    assert_eq!(carry_out(&mut looking, &migrate, &snapshot).await, Applied::Done);
    ready(&target, &web, 2).await;
    assert!(get(&source, &web).await.is_none());
    tells("karmada", name, ["Approved", "Moved"]).await;

    // Approvals of these tests all have the same number, and a world carries out each number once.
    let mut looking = Looking::at(acting);
    let snapshot = looking
        .observe_until("it there", |seen| {
            seen.workloads
                .get(&workload)
                .is_some_and(|view| view.placements.contains_key(&to) && !view.moving)
        })
        .await;
    let scale = Action::Scale { workload, cluster: to, from: 2, to: 3 };
    assert_eq!(carry_out(&mut looking, &scale, &snapshot).await, Applied::Done);
    tells("karmada", name, ["Approved", "Applied"]).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn whoever_acts_can_copy_with_nothing_but_the_role() {
    let _peace = crate::bed::peace().await;
    let name = "copied-by-role";
    let all = settings(false);
    grant_act(&all, "role-copy");
    let (source, target) = (client("member1").await, client("member2").await);
    let web = deployment(name, "web", 2);
    apply(&source, &[namespace(name), web.clone()]).await;
    ready(&source, &web, 2).await;
    let workload: WorkloadRef = format!("{name}/web").parse().unwrap();
    let mut looking = Looking::at(settings_for(all, "role-copy"));
    let snapshot = looking
        .observe_until("it", |seen| seen.workloads.get(&workload).is_some_and(|view| view.replicas == 2))
        .await;
    let migrate = Action::Migrate { workload, from: cluster("member1"), to: cluster("member2"), replicas: 2 };
    assert_eq!(carry_out(&mut looking, &migrate, &snapshot).await, Applied::Done);
    ready(&target, &web, 2).await;
    tells("member1", name, ["Approved", "Moved"]).await;
}
