//! Simulated clusters through the Kubernetes API, as clients speak it over HTTP. What the real `kubectl` makes of it is tested with the
//! feature `real` in the front door's tests.

use crate::box_desk::{Answer, BoxDesk, block_on, desk_file, request};
use axum::body::Body;
use axum::http::{Method, Request, StatusCode};
use control::agent::Scope;
use futures_util::StreamExt;
use serde_json::{Value, json};
use server::access::Role;
use server::config::DeskConfig;
use server::office::Resumed;
use server::storage::Location;
use server::testing::{Folder, on_each_location};
use std::collections::BTreeMap;
use std::time::Duration;

/// One of every kind, and what a person would do to it.
pub(crate) const KINDS: &str = r#"
drover: scenario/v1
name: kinds
duration: 3h
clusters:
  - { name: member1, pools: [{ nodes: 2, cpu: 8, memory: 16Gi }] }
  - { name: member2, pools: [{ nodes: 1, cpu: 4, memory: 8Gi }] }
pods: { start_time: 5s, stop_time: 5s }
workloads:
  - { name: web, namespace: shop, cluster: member1, replicas: 3, cpu: 500m, memory: 512Mi, disruption_budget: { min_available: 2 } }
  - name: api
    namespace: shop
    cluster: member1
    replicas: 2
    cpu: 500m
    memory: 512Mi
    cpu_use: 0.8
    horizontal_autoscaler:
      minReplicas: 2
      maxReplicas: 5
      metrics: [{ type: Resource, resource: { name: cpu, target: { type: Utilization, averageUtilization: 80 } } }]
  - { name: store, kind: statefulset, namespace: shop, cluster: member1, replicas: 2, cpu: 500m, memory: 1Gi }
  - { name: eye, kind: daemonset, namespace: ops, cluster: member1, cpu: 100m, memory: 64Mi }
  - { name: plain, kind: replicaset, namespace: ops, cluster: member1, replicas: 1, cpu: 100m, memory: 64Mi }
  - { name: once, kind: job, namespace: ops, cluster: member1, replicas: 1, run_time: 1h, cpu: 100m, memory: 64Mi }
  - { name: often, kind: cronjob, namespace: ops, cluster: member1, schedule: "*/2 * * * *", replicas: 1, run_time: 1h, cpu: 100m, memory: 64Mi }
  - { name: bare, kind: pod, namespace: ops, cluster: member1, replicas: 1, cpu: 100m, memory: 64Mi }
  - { name: huge, namespace: ops, cluster: member2, replicas: 1, cpu: 64, memory: 1Gi }
"#;

const SHOP: &str = "/kube/member1/apis/apps/v1/namespaces/shop/deployments";
const PODS: &str = "/kube/member1/api/v1/namespaces/shop/pods";

fn open(location: &Location) -> BoxDesk {
    BoxDesk::open_config(&DeskConfig { kube_api: true, ..desk_file(location, "") }, KINDS)
}

fn with_clusters<T>(work: impl AsyncFnOnce(&BoxDesk) -> T) -> T {
    let folder = Folder::new("kube-api");
    let desk = open(&Location::File(folder.path().join("drover.db")));
    block_on(async {
        desk.advance(130).await;
        work(&desk).await
    })
}

async fn get(desk: &BoxDesk, path: &str) -> Value {
    let answer = desk.get(Role::Viewer, path).await;
    assert_eq!(answer.status, StatusCode::OK, "{path}: {}", answer.body);
    answer.body
}

async fn send(desk: &BoxDesk, role: Role, method: Method, path: &str, kind: &str, body: &Value) -> Answer {
    let mut builder = Request::builder().method(method).uri(path);
    builder = builder.header("authorization", format!("Bearer {}", desk.secret(role).reveal()));
    let body = Body::from(body.to_string());
    desk.send(builder.header("content-type", kind).body(body).expect("a request")).await
}

pub(crate) async fn patch(desk: &BoxDesk, path: &str, body: &Value) -> Answer {
    send(desk, Role::Operator, Method::PATCH, path, "application/merge-patch+json", body).await
}

fn names(list: &Value) -> Vec<&str> {
    let items = list["items"].as_array().into_iter().flatten();
    items.filter_map(|item| item["metadata"]["name"].as_str()).collect()
}

/// Lines of a table as texts.
fn rows(table: &Value) -> Vec<Vec<String>> {
    let text = |cell: &Value| cell.as_str().map_or_else(|| cell.to_string(), str::to_owned);
    let rows = table["rows"].as_array().into_iter().flatten();
    rows.map(|row| row["cells"].as_array().into_iter().flatten().map(text).collect()).collect()
}

async fn table(desk: &BoxDesk, path: &str) -> Value {
    let accept = ("accept", "application/json;as=Table;v=v1;g=meta.k8s.io,application/json");
    let answer =
        desk.send(request(Method::GET, path, Some(desk.secret(Role::Viewer)), None, &[accept])).await;
    assert_eq!(
        (answer.status, &answer.body["kind"]),
        (StatusCode::OK, &json!("Table")),
        "{path}: {}",
        answer.body
    );
    answer.body
}

#[test]
fn every_kind_is_discovered_and_listed() {
    with_clusters(async |desk| {
        let groups = get(desk, "/kube/member1/apis").await;
        let mut versions = vec!["/api/v1".to_owned()];
        for group in groups["groups"].as_array().expect("groups") {
            versions.push(format!(
                "/apis/{}",
                group["preferredVersion"]["groupVersion"].as_str().expect("a version")
            ));
        }
        let mut counts = BTreeMap::new();
        for version in versions {
            let resources = get(desk, &format!("/kube/member1{version}")).await;
            for resource in resources["resources"].as_array().expect("resources") {
                let name = resource["name"].as_str().expect("a name");
                if !name.contains('/') {
                    let list = get(desk, &format!("/kube/member1{version}/{name}")).await;
                    assert_eq!(list["kind"], format!("{}List", resource["kind"].as_str().expect("a kind")));
                    counts.insert(list["kind"].as_str().expect("a kind").to_owned(), names(&list).len());
                }
            }
        }
        let want = [
            ("CronJobList", 1),
            ("DaemonSetList", 1),
            ("DeploymentList", 2),
            ("HorizontalPodAutoscalerList", 1),
            ("JobList", 2),
            ("NamespaceList", 4),
            ("NodeList", 2),
            ("NodeMetricsList", 2),
            ("PodDisruptionBudgetList", 1),
            ("PodList", 13),
            ("PodMetricsList", 13),
            ("ReplicaSetList", 3),
            ("StatefulSetList", 1),
        ];
        counts.remove("EventList").filter(|events| *events > 20).expect("events of pods and nodes");
        assert_eq!(counts, want.map(|(kind, count)| (kind.to_owned(), count)).into());
        for (path, want) in [("/version", "minor"), ("/openapi/v3", "paths"), ("", "paths")] {
            assert!(get(desk, &format!("/kube/member1{path}")).await[want] != Value::Null, "{path}");
        }
        assert_eq!(get(desk, "/kube/member1/readyz").await, "ok");
    });
}

#[test]
fn tables_have_the_columns_of_upstream() {
    with_clusters(async |desk| {
        let deployments = table(desk, SHOP).await;
        let columns = deployments["columnDefinitions"].as_array().expect("columns").iter();
        let shown =
            columns.filter(|column| column["priority"] == 0).filter_map(|column| column["name"].as_str());
        assert_eq!(shown.collect::<Vec<_>>(), ["Name", "Ready", "Up-to-date", "Available", "Age"]);
        assert_eq!(rows(&deployments)[1][..5], ["web", "3/3", "3", "3", "2m10s"]);
        assert_eq!(deployments["rows"][0]["object"]["kind"], "PartialObjectMetadata");
        let nodes = rows(&table(desk, "/kube/member1/api/v1/nodes").await);
        assert_eq!(nodes[0][..4], ["default-1", "Ready", "<none>", "2m10s"]);
        let ops = "/kube/member1/apis/batch/v1/namespaces/ops";
        assert_eq!(
            rows(&table(desk, &format!("{ops}/jobs/once")).await)[0][..5],
            ["once", "Running", "0/1", "2m10s", "2m10s"]
        );
        let cron = rows(&table(desk, &format!("{ops}/cronjobs")).await);
        assert_eq!(cron[0][..7], ["often", "*/2 * * * *", "<none>", "False", "1", "10s", "2m10s"]);
        let pods = rows(&table(desk, "/kube/member2/api/v1/pods").await);
        assert_eq!(pods[0][1..5], ["0/1", "Pending", "0", "2m10s"]);
        let autoscaler = "/kube/member1/apis/autoscaling/v2/horizontalpodautoscalers";
        assert_eq!(
            rows(&table(desk, autoscaler).await)[0][1..6],
            ["Deployment/api", "cpu: <unknown>/80%", "2", "5", "2"]
        );
        let budgets = rows(&table(desk, "/kube/member1/apis/policy/v1/poddisruptionbudgets").await);
        assert_eq!(budgets[0][..4], ["web", "2", "N/A", "1"]);
    });
}

#[test]
fn selectors_pages_and_owners_lead_to_the_right_objects() {
    with_clusters(async |desk| {
        let web = get(desk, &format!("{PODS}?labelSelector=app%3Dweb")).await;
        assert_eq!(names(&web).len(), 3);
        let pod = &web["items"][0];
        let owner = &pod["metadata"]["ownerReferences"][0];
        let set = format!(
            "/kube/member1/apis/apps/v1/namespaces/shop/replicasets/{}",
            owner["name"].as_str().expect("a name")
        );
        let set = get(desk, &set).await;
        assert_eq!((&set["metadata"]["uid"], &owner["kind"]), (&owner["uid"], &json!("ReplicaSet")));
        assert_eq!(set["metadata"]["ownerReferences"][0]["name"], "web");
        assert_eq!(
            set["spec"]["selector"]["matchLabels"]["pod-template-hash"],
            pod["metadata"]["labels"]["pod-template-hash"]
        );
        let node = pod["spec"]["nodeName"].as_str().expect("a node");
        let here = get(
            desk,
            &format!("/kube/member1/api/v1/pods?fieldSelector=spec.nodeName={node},status.phase=Running"),
        )
        .await;
        assert!(names(&here).contains(&pod["metadata"]["name"].as_str().expect("a name")));
        let uid = pod["metadata"]["uid"].as_str().expect("a uid");
        let events = "/kube/member1/api/v1/namespaces/shop/events?fieldSelector=involvedObject.uid=";
        let told = get(desk, &format!("{events}{uid}")).await;
        let reasons: Vec<&Value> =
            told["items"].as_array().expect("events").iter().map(|event| &event["reason"]).collect();
        assert!(
            reasons.contains(&&json!("Scheduled")) && reasons.contains(&&json!("Started")),
            "{reasons:?}"
        );
        let mut seen = Vec::new();
        let mut mark = String::new();
        loop {
            let page = get(desk, &format!("/kube/member1/api/v1/pods?limit=4&continue={mark}")).await;
            seen.extend(names(&page).into_iter().map(str::to_owned));
            match page["metadata"]["continue"].as_str() {
                Some(next) => mark = next.to_owned(),
                None => break,
            }
        }
        assert_eq!(seen, names(&get(desk, "/kube/member1/api/v1/pods").await));
        let wrong = desk.get(Role::Viewer, "/kube/member1/api/v1/pods?fieldSelector=spec.image=x").await;
        assert_eq!((wrong.status, &wrong.body["kind"]), (StatusCode::BAD_REQUEST, &json!("Status")));
    });
}

#[test]
fn a_version_changes_exactly_when_the_object_does() {
    with_clusters(async |desk| {
        let all = async || {
            let mut all = BTreeMap::new();
            for path in [
                "api/v1/pods",
                "api/v1/nodes",
                "apis/apps/v1/deployments",
                "apis/apps/v1/replicasets",
                "api/v1/events",
            ] {
                for mut item in get(desk, &format!("/kube/member1/{path}")).await["items"]
                    .as_array()
                    .expect("items")
                    .clone()
                {
                    let version = item["metadata"]["resourceVersion"].take();
                    all.insert(item["metadata"]["uid"].to_string(), (version, item));
                }
            }
            all
        };
        let before = all().await;
        assert_eq!(
            patch(desk, &format!("{SHOP}/web/scale"), &json!({ "spec": { "replicas": 5 } })).await.status,
            StatusCode::OK
        );
        desk.advance(60).await;
        let after = all().await;
        let mut changed = 0;
        for (uid, (version, object)) in &after {
            if let Some((earlier, former)) = before.get(uid) {
                assert_eq!(earlier == version, former == object, "{former} {object}");
                changed += usize::from(former != object);
            }
        }
        assert_eq!((changed, after.len() > before.len()), (2, true), "the deployment and its set");
    });
}

/// Events of a watch until a condition holds; at most for some seconds.
async fn watched(
    desk: &BoxDesk,
    path: &str,
    enough: impl Fn(&[Value]) -> bool,
    meanwhile: impl Future<Output = ()>,
) -> Vec<Value> {
    use tower::ServiceExt;
    let request = request(Method::GET, path, Some(desk.secret(Role::Viewer)), None, &[]);
    let response = desk.router.clone().oneshot(request).await.expect("an answer");
    assert_eq!(response.status(), StatusCode::OK, "{path}");
    let mut stream = response.into_body().into_data_stream();
    meanwhile.await;
    let mut events: Vec<Value> = Vec::new();
    let read = async {
        while !enough(&events) {
            let Some(Ok(bytes)) = stream.next().await else { return };
            events.extend(
                bytes.split(|byte| *byte == b'\n').filter_map(|line| serde_json::from_slice(line).ok()),
            );
        }
    };
    tokio::time::timeout(Duration::from_secs(20), read).await.expect("in time");
    events
}

#[test]
fn who_watches_sees_pods_come_and_go() {
    with_clusters(async |desk| {
        let list = get(desk, PODS).await;
        let version = list["metadata"]["resourceVersion"].as_str().expect("a version").to_owned();
        let kinds =
            |events: &[Value], kind: &str| events.iter().filter(|event| event["type"] == kind).count();
        let path =
            format!("{PODS}?watch=true&resourceVersion={version}&labelSelector=app%3Dweb&timeoutSeconds=10");
        let events = watched(desk, &path, |events| kinds(events, "DELETED") >= 1, async {
            patch(desk, &format!("{SHOP}/web"), &json!({ "spec": { "replicas": 4 } })).await;
            desk.advance(30).await;
            patch(desk, &format!("{SHOP}/web"), &json!({ "spec": { "replicas": 3 } })).await;
            desk.advance(30).await;
        });
        let events = events.await;
        assert_eq!(kinds(&events, "ADDED"), 1, "{events:?}");
        let gone = &events.last().expect("an event")["object"];
        assert!(gone["metadata"]["deletionTimestamp"].is_string(), "it was told to stop first");
        let numbers: Vec<u64> = events
            .iter()
            .filter_map(|event| event["object"]["metadata"]["resourceVersion"].as_str()?.parse().ok())
            .collect();
        assert!(numbers.is_sorted() && numbers[0] > version.parse().expect("a number"), "{numbers:?}");
        // From the beginning, and then that it was all.
        let initial = format!(
            "{PODS}?watch=1&sendInitialEvents=true&allowWatchBookmarks=true&resourceVersionMatch=NotOlderThan"
        );
        let events = watched(desk, &initial, |events| kinds(events, "BOOKMARK") == 1, async {}).await;
        assert_eq!(kinds(&events, "ADDED"), 7);
        let mark = &events.last().expect("a bookmark")["object"]["metadata"]["annotations"];
        assert_eq!(mark["k8s.io/initial-events-end"], "true");
        // Too old, and one that never was.
        for version in ["1", "99999999999"] {
            let path = format!("{PODS}?watch=1&resourceVersion={version}");
            let events = watched(desk, &path, |events| !events.is_empty(), async {}).await;
            assert_eq!((&events[0]["type"], &events[0]["object"]["code"]), (&json!("ERROR"), &json!(410)));
        }
    });
}

#[test]
fn what_can_be_changed_is_changed_and_kept_in_the_record() {
    with_clusters(async |desk| {
        let scale = get(desk, &format!("{SHOP}/web/scale")).await;
        assert_eq!((&scale["kind"], &scale["spec"]["replicas"]), (&json!("Scale"), &json!(3)));
        let mut wish = scale.clone();
        wish["spec"]["replicas"] = json!(4);
        let json_kind = "application/json";
        let done =
            send(desk, Role::Operator, Method::PUT, &format!("{SHOP}/web/scale"), json_kind, &wish).await;
        assert_eq!(
            (done.status, &done.body["spec"]["replicas"]),
            (StatusCode::OK, &json!(4)),
            "{}",
            done.body
        );
        let again =
            send(desk, Role::Operator, Method::PUT, &format!("{SHOP}/web/scale"), json_kind, &wish).await;
        assert_eq!(again.status, StatusCode::CONFLICT, "another version than was read");
        let steps = json!([{ "op": "replace", "path": "/spec/replicas", "value": 1 }]);
        let store = "/kube/member1/apis/apps/v1/namespaces/shop/statefulsets/store";
        let done = send(desk, Role::Admin, Method::PATCH, store, "application/json-patch+json", &steps).await;
        assert_eq!(
            (done.status, &done.body["spec"]["replicas"]),
            (StatusCode::OK, &json!(1)),
            "{}",
            done.body
        );
        let node = "/kube/member1/api/v1/nodes/default-1";
        let strategic = "application/strategic-merge-patch+json";
        for closed in [json!(true), json!(null)] {
            let wish = json!({ "spec": { "unschedulable": closed } });
            let done = send(desk, Role::Operator, Method::PATCH, node, strategic, &wish).await;
            assert_eq!(
                (done.status, &done.body["spec"]["unschedulable"]),
                (StatusCode::OK, &closed),
                "{}",
                done.body
            );
        }
        desk.advance(30).await;
        // Of four, two must stay: two go, and the third is refused.
        let pods = get(desk, &format!("{PODS}?labelSelector=app%3Dweb")).await;
        let all = names(&pods);
        let mut statuses = Vec::new();
        for name in &all {
            let eviction = json!({ "apiVersion": "policy/v1", "kind": "Eviction", "metadata": { "name": name, "namespace": "shop" } });
            let done = desk.post(Role::Operator, &format!("{PODS}/{name}/eviction"), eviction, &[]).await;
            statuses.push(done.status.as_u16());
        }
        assert_eq!(statuses, [201, 201, 429, 429]);
        let gone =
            send(desk, Role::Operator, Method::DELETE, &format!("{PODS}/{}", all[2]), json_kind, &json!({}))
                .await;
        assert_eq!(gone.status, StatusCode::OK, "a deletion asks no budget: {}", gone.body);
        desk.advance(30).await;
        let ready = get(desk, &format!("{SHOP}/web")).await;
        assert_eq!(ready["status"]["readyReplicas"], 4, "its controller made new ones");
        let record = desk.get(Role::Auditor, "/api/v1/audit?kind=intervention&limit=50").await.body;
        assert_eq!(record["total"], 7, "{record}");
        let newest = &record["items"][0];
        assert_eq!(
            (&newest["actor"], &newest["body"]["what"]),
            (&json!("person:operator"), &json!("delete_pod"))
        );
        assert_eq!(newest["subject"], format!("member1/pod/shop/{}", all[2]));
    });
}

#[test]
fn a_trial_changes_nothing_and_what_cannot_be_done_says_what_can() {
    with_clusters(async |desk| {
        let before = get(desk, &format!("{SHOP}/web")).await;
        let trial =
            patch(desk, &format!("{SHOP}/web?dryRun=All"), &json!({ "spec": { "replicas": 9 } })).await;
        assert_eq!((trial.status, &trial.body["spec"]["replicas"]), (StatusCode::OK, &json!(9)));
        assert_eq!(get(desk, &format!("{SHOP}/web")).await, before);
        let sets =
            get(desk, "/kube/member1/apis/apps/v1/namespaces/shop/replicasets?labelSelector=app%3Dweb").await;
        let set = format!("/kube/member1/apis/apps/v1/namespaces/shop/replicasets/{}", names(&sets)[0]);
        for (method, path, wish, status, part) in [
            (
                Method::PATCH,
                format!("{SHOP}/web"),
                json!({ "spec": { "paused": true } }),
                422,
                "kubectl scale",
            ),
            (
                Method::PATCH,
                format!("{SHOP}/web"),
                json!({ "spec": { "replicas": -1 } }),
                422,
                "whole number",
            ),
            (
                Method::PATCH,
                format!("{SHOP}/web"),
                json!({ "spec": { "replicas": 1_000_000 } }),
                422,
                "write fewer",
            ),
            (Method::PATCH, set, json!({ "spec": { "replicas": 1 } }), 422, "deployment/web"),
            (
                Method::PATCH,
                format!("{SHOP}/nothing"),
                json!({ "spec": { "replicas": 1 } }),
                404,
                "not found",
            ),
            (Method::DELETE, format!("{SHOP}/web"), json!({}), 405, "comes from the scenario"),
            (Method::DELETE, PODS.to_owned(), json!({}), 405, "one by one"),
            (Method::POST, PODS.to_owned(), json!({}), 405, "nothing can be created"),
            (Method::PATCH, "/kube/member1/version".to_owned(), json!({}), 405, "only be read"),
        ] {
            let refused =
                send(desk, Role::Operator, method, &path, "application/merge-patch+json", &wish).await;
            let message = refused.body["message"].as_str().unwrap_or_default();
            assert_eq!(
                (refused.status.as_u16(), &refused.body["kind"]),
                (status, &json!("Status")),
                "{path}: {}",
                refused.body
            );
            assert!(message.contains(part), "{path}: {message}");
        }
        assert_eq!(desk.get(Role::Auditor, "/api/v1/audit?kind=intervention").await.body["total"], 0);
    });
}

#[test]
fn only_those_with_a_token_read_and_only_those_who_steer_change() {
    with_clusters(async |desk| {
        let nobody = desk.send(request(Method::GET, "/kube/member1/api", None, None, &[])).await;
        assert_eq!(
            (nobody.status, &nobody.body["reason"]),
            (StatusCode::UNAUTHORIZED, &json!("Unauthorized"))
        );
        for role in Role::ALL {
            let read = desk.get(role, "/kube/member1/api/v1/nodes").await;
            assert_eq!(read.status, StatusCode::OK, "{role}");
            let wish = json!({ "spec": { "replicas": 3 } });
            let path = format!("{SHOP}/web");
            let changed = send(desk, role, Method::PATCH, &path, "application/merge-patch+json", &wish).await;
            let may = matches!(role, Role::Operator | Role::Admin);
            assert_eq!(changed.status.is_success(), may, "{role}: {}", changed.body);
            assert!(may || changed.body["reason"] == "Forbidden");
        }
        let unknown = desk.get(Role::Viewer, "/kube/nowhere/api").await;
        assert!(
            unknown.body["message"].as_str().is_some_and(|text| text.contains("member1, member2")),
            "{}",
            unknown.body
        );
    });
}

#[test]
fn a_part_of_the_federation_is_all_that_some_see_and_touch() {
    with_clusters(async |desk| {
        let scope = |clusters: &[&str], namespaces: &[&str]| -> Scope {
            serde_json::from_value(json!({ "clusters": clusters, "namespaces": namespaces }))
                .expect("a scope")
        };
        let shop = desk.scoped("shopkeeper", Role::Operator, scope(&["member1"], &["shop"]));
        let ask = async |method: Method, path: &str| {
            let body = (method != Method::GET).then(|| json!({}));
            desk.send(request(method, path, Some(&shop), body, &[])).await
        };
        let pods = ask(Method::GET, "/kube/member1/api/v1/pods").await.body;
        let spaces: Vec<&Value> =
            pods["items"].as_array().expect("pods").iter().map(|pod| &pod["metadata"]["namespace"]).collect();
        assert!(spaces.len() == 7 && spaces.iter().all(|space| *space == "shop"), "{spaces:?}");
        assert_eq!(names(&ask(Method::GET, "/kube/member1/api/v1/namespaces").await.body), ["shop"]);
        assert_eq!(ask(Method::GET, "/kube/member2/api").await.status, StatusCode::NOT_FOUND);
        assert_eq!(
            ask(Method::GET, "/kube/member1/api/v1/namespaces/ops/pods").await.status,
            StatusCode::FORBIDDEN
        );
        assert_eq!(
            ask(Method::DELETE, "/kube/member1/api/v1/namespaces/ops/pods/bare").await.status,
            StatusCode::FORBIDDEN
        );
        assert_eq!(
            ask(Method::PUT, "/kube/member1/api/v1/nodes/default-1").await.status,
            StatusCode::FORBIDDEN
        );
        assert_eq!(ask(Method::GET, "/kube").await.body["clusters"], json!(["member1"]));
    });
}

#[test]
fn a_desk_without_it_says_so() {
    let folder = Folder::new("no-kube-api");
    let desk = BoxDesk::open(&Location::File(folder.path().join("drover.db")), "");
    block_on(async {
        let refused = desk.get(Role::Admin, "/kube/member1/api/v1/nodes").await;
        assert_eq!(refused.status, StatusCode::NOT_FOUND);
        assert!(
            refused.body["message"].as_str().is_some_and(|text| text.contains("--kube-api")),
            "{}",
            refused.body
        );
        assert_eq!(desk.get(Role::Admin, "/kube").await.body["code"], "not-found");
        let document = desk.get(Role::Viewer, "/openapi.json").await.body;
        let paths = document["paths"].as_object().expect("paths");
        assert!(paths.keys().all(|path| !path.starts_with("/kube")));
    });
}

#[test]
fn interventions_are_taken_again_when_an_interrupted_run_goes_on() {
    on_each_location(|location| {
        let shown = async |desk: &BoxDesk| {
            let mut objects = Vec::new();
            for path in ["api/v1/pods", "api/v1/nodes", "apis/apps/v1/deployments"] {
                let list = get(desk, &format!("/kube/member1/{path}")).await;
                for mut item in list["items"].as_array().expect("items").clone() {
                    item["metadata"]["resourceVersion"].take();
                    objects.push(item);
                }
            }
            objects
        };
        let desk = open(location);
        let before = block_on(async {
            desk.advance(100).await;
            patch(&desk, &format!("{SHOP}/web"), &json!({ "spec": { "replicas": 6 } })).await;
            let node = json!({ "spec": { "unschedulable": true } });
            patch(&desk, "/kube/member1/api/v1/nodes/default-2", &node).await;
            desk.advance(20).await;
            let pods = get(&desk, &format!("{PODS}?labelSelector=app%3Dapi")).await;
            let path = format!("{PODS}/{}", names(&pods)[0]);
            send(&desk, Role::Operator, Method::DELETE, &path, "application/json", &json!({})).await;
            desk.advance(45).await;
            shown(&desk).await
        });
        drop(desk);
        let desk = open(location);
        assert!(
            matches!(desk.service.resumed(), Resumed::WentOn { steps: 3.. }),
            "{:?}",
            desk.service.resumed()
        );
        let after = block_on(shown(&desk));
        assert_eq!(before, after);
        Ok(())
    });
}
