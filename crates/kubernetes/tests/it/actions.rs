//! The other actions on the bed: copies without Karmada, scaling, moves within a cluster, pools.

use crate::bed::{
    Looking, apply, carry_out, client, cluster, deployment, get, namespace, policy, ready, settings, until,
};
use crate::counting::Counter;
use control::world::Applied;
use kubernetes::{Leaving, PoolSettings, Resizing};
use model::action::{Action, Spot};
use model::names::{NodeName, PoolName, WorkloadRef};
use serde_json::{Value, json};

fn failed(outcome: Applied) -> String {
    match outcome {
        Applied::Failed { reason } => reason,
        other => panic!("{other:?} is no failure"),
    }
}

fn migrate(workload: &WorkloadRef, from: &str, to: &str, replicas: u32) -> Action {
    Action::Migrate { workload: workload.clone(), from: cluster(from), to: cluster(to), replicas }
}

#[tokio::test(flavor = "multi_thread")]
async fn without_karmada_a_workload_is_copied_and_only_then_removed() {
    let _peace = crate::bed::peace().await;
    let name = "copied";
    let members = [client("member1").await, client("member2").await];
    let mut web = deployment(name, "web", 4);
    web["spec"]["template"]["spec"]["containers"][0]["envFrom"] =
        json!([{ "configMapRef": { "name": "settings" } }]);
    let mut config = json!({ "apiVersion": "v1", "kind": "ConfigMap",
        "metadata": { "name": "settings", "namespace": name }, "data": { "a": "b" } });
    apply(&members[0], &[namespace(name), config.clone(), web.clone()]).await;
    ready(&members[0], &web, 4).await;
    let mut looking = Looking::at(settings(false));
    let workload: WorkloadRef = format!("{name}/web").parse().unwrap();
    let in_first = |snapshot: &model::snapshot::Snapshot| {
        snapshot.workloads.get(&workload).is_some_and(|view| {
            view.placements
                .get(&cluster("member1"))
                .is_some_and(|place| place.pods_ready == 4 && place.replicas == 4)
        })
    };
    let snapshot = looking.observe_until("four in member1", in_first).await;
    let there = migrate(&workload, "member1", "member2", 4);
    let reason = failed(carry_out(&mut looking, &there, &snapshot).await);
    assert_eq!(reason, "member2 has no ConfigMap copied/settings, which its pods need");
    config["metadata"]["resourceVersion"].take();
    apply(&members[1], &[namespace(name), config]).await;
    let counter = Counter::begin(members.clone(), name, "web").await;
    let mut looking = Looking::at(settings(false));
    let snapshot = looking.observe_until("four in member1", in_first).await;
    assert_eq!(carry_out(&mut looking, &there, &snapshot).await, Applied::Done);
    assert!(counter.least() >= 4, "only {}", counter.least());
    assert_eq!(get(&members[0], &web).await.unwrap()["spec"]["replicas"], 0);
    // And back, this time to be deleted.
    let mut deleting = settings(false);
    deleting.leaving = Leaving::Delete;
    let mut looking = Looking::at(deleting);
    let snapshot = looking
        .observe_until("four in member2", |snapshot| {
            snapshot.workloads[&workload]
                .placements
                .get(&cluster("member2"))
                .is_some_and(|place| place.pods_ready == 4)
        })
        .await;
    assert_eq!(
        carry_out(&mut looking, &migrate(&workload, "member2", "member1", 4), &snapshot).await,
        Applied::Done
    );
    assert!(counter.least() >= 4, "only {}", counter.least());
    assert!(get(&members[1], &web).await.is_none());
    ready(&members[0], &web, 4).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_workload_is_scaled_where_its_number_is_kept() {
    let _peace = crate::bed::peace().await;
    let name = "scaled";
    let (karmada, member) = (client("karmada").await, client("member1").await);
    let (web, alone) = (deployment(name, "web", 2), deployment(name, "alone", 2));
    apply(&karmada, &[namespace(name), policy(name, "web", Some("web"), &["member1"]), web.clone()]).await;
    ready(&member, &web, 2).await;
    let autoscaler = json!({ "apiVersion": "autoscaling/v2", "kind": "HorizontalPodAutoscaler",
        "metadata": { "name": "alone", "namespace": name },
        "spec": { "minReplicas": 2, "maxReplicas": 3, "scaleTargetRef": { "apiVersion": "apps/v1", "kind": "Deployment", "name": "alone" } } });
    apply(&member, &[alone.clone(), autoscaler]).await;
    ready(&member, &alone, 2).await;
    let mut looking = Looking::at(settings(true));
    let scale = |workload: &str| Action::Scale {
        workload: format!("{name}/{workload}").parse().unwrap(),
        cluster: cluster("member1"),
        from: 2,
        to: 5,
    };
    let snapshot = looking
        .observe_until("both", |snapshot| {
            ["web", "alone"]
                .iter()
                .all(|one| snapshot.workloads.contains_key(&format!("{name}/{one}").parse().unwrap()))
        })
        .await;
    assert_eq!(carry_out(&mut looking, &scale("web"), &snapshot).await, Applied::Done);
    assert_eq!(get(&karmada, &web).await.unwrap()["spec"]["replicas"], 5);
    ready(&member, &web, 5).await;
    // The guardrails refuse it already; whoever acts looks for themselves, in case an observation did not know yet.
    let alone: WorkloadRef = format!("{name}/alone").parse().unwrap();
    let known = snapshot.workloads[&alone].scaled_by.as_deref();
    assert_eq!(known, Some("HorizontalPodAutoscaler alone in member1"));
    let mut unaware = model::snapshot::Snapshot::clone(&snapshot);
    unaware.workloads.get_mut(&alone).unwrap().scaled_by = None;
    let reason = failed(carry_out(&mut Looking::at(settings(true)), &scale("alone"), &unaware).await);
    assert!(reason.contains("HorizontalPodAutoscaler alone"), "{reason}");
}

/// Where a pod of this namespace is that does not have to go to the third node.
async fn node_of_a_pod(member: &kube::Client, namespace: &str) -> String {
    let pods: kube::Api<k8s_openapi::api::core::v1::Pod> = kube::Api::namespaced(member.clone(), namespace);
    let listed = pods.list(&kube::api::ListParams::default()).await.unwrap();
    let nodes = listed.items.into_iter().filter_map(|pod| pod.spec?.node_name);
    nodes.max_by_key(|name| name != "member2-node3").unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn pods_are_moved_to_another_node_and_pools_are_resized() {
    let _peace = crate::bed::peace().await;
    let name = "relocated";
    let member = client("member2").await;
    let web = deployment(name, "web", 3);
    apply(&member, &[namespace(name), web.clone()]).await;
    ready(&member, &web, 3).await;
    let mut resizing = settings(false);
    resizing.pools.push(PoolSettings {
        cluster: None,
        pool: PoolName::new("default").unwrap(),
        price_per_hour: None,
        minimum: None,
        maximum: Some(9),
        boot_time: None,
        resizing: Resizing::NodeObjects,
    });
    let mut looking = Looking::at(resizing.clone());
    let workload: WorkloadRef = format!("{name}/web").parse().unwrap();
    let snapshot =
        looking.observe_until("three", |snapshot| snapshot.workloads.contains_key(&workload)).await;
    let node = |text: &str| Spot::Node(NodeName::new(text).unwrap());
    let from = node_of_a_pod(&member, name).await;
    let there =
        Action::Move { workload, cluster: cluster("member2"), from: node(&from), to: node("member2-node3") };
    assert_eq!(carry_out(&mut looking, &there, &snapshot).await, Applied::Done);
    let selector = get(&member, &web).await.unwrap()["spec"]["template"]["spec"]["nodeSelector"].clone();
    assert_eq!(selector, json!({ "kubernetes.io/hostname": "member2-node3" }));
    let pool = snapshot.clusters[&cluster("member2")].pools.keys().next().unwrap().clone();
    for (from, to) in [(4, 6), (6, 4)] {
        let mut looking = Looking::at(resizing.clone());
        let resize = Action::ResizePool { cluster: cluster("member2"), pool: pool.clone(), from, to };
        let snapshot = looking
            .observe_until("the nodes", |snapshot| {
                snapshot.clusters.get(&cluster("member2")).is_some_and(|view| view.pools[&pool].nodes == from)
            })
            .await;
        assert_eq!(carry_out(&mut looking, &resize, &snapshot).await, Applied::Done, "{from} to {to}");
    }
    ready(&member, &web, 3).await;
}

/// WASP's policies choose templates by a label that names the cluster.
#[tokio::test(flavor = "multi_thread")]
async fn where_a_label_says_the_place_it_says_the_new_one_afterwards() {
    let _peace = crate::bed::peace().await;
    let name = "labelled";
    let karmada = client("karmada").await;
    let members = [client("member1").await, client("member2").await];
    let of = |place: &str| {
        json!({ "apiVersion": "policy.karmada.io/v1alpha1", "kind": "ClusterPropagationPolicy",
            "metadata": { "name": format!("deploy-{place}") },
            "spec": { "resourceSelectors": [{ "apiVersion": "apps/v1", "kind": "Deployment", "namespace": name,
                    "labelSelector": { "matchLabels": { "cloud": place } } }],
                "placement": { "clusterAffinity": { "clusterNames": [place] } } } })
    };
    let mut web = deployment(name, "web", 8);
    web["metadata"]["labels"] = json!({ "cloud": "member1" });
    apply(&karmada, &[namespace(name), of("member1"), of("member2"), web.clone()]).await;
    ready(&members[0], &web, 8).await;
    let mut labelling = settings(true);
    labelling.place_label = Some("cloud".to_owned());
    let mut looking = Looking::at(labelling);
    let workload: WorkloadRef = format!("{name}/web").parse().unwrap();
    let snapshot = looking
        .observe_until("eight", |snapshot| {
            snapshot
                .workloads
                .get(&workload)
                .is_some_and(|view| view.placements.values().all(|place| place.pods_ready == 8))
        })
        .await;
    let counter = Counter::begin(members.clone(), name, "web").await;
    let there = migrate(&workload, "member1", "member2", 8);
    assert_eq!(carry_out(&mut looking, &there, &snapshot).await, Applied::Done);
    let claimed = |template: &Value| {
        template["metadata"]["annotations"]["clusterpropagationpolicy.karmada.io/name"] == "deploy-member2"
    };
    until("the policy of the new place", || async { get(&karmada, &web).await.filter(claimed).map(drop) })
        .await;
    ready(&members[1], &web, 8).await;
    assert!(counter.least() >= 8, "only {}", counter.least());
    assert!(get(&members[0], &web).await.is_none());
}
