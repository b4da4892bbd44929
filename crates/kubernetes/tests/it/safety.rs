//! What must not happen: writes where only observing is allowed, blind spots taken for emptiness, orders that admission refuses.

use crate::approval::approve;
use crate::bed::{
    Looking, apply, client, cluster, deployment, directory, get, namespace, now, policy, ready, settings,
    until,
};
use control::world::{Applied, Effect, Objection, Outside as _};
use kube::Client;
use kubernetes::{Access, Member, PrometheusSettings};
use model::action::Action;
use model::names::WorkloadRef;
use model::signal::Signal;
use model::time::Period;
use serde_json::{Value, json};

fn migrate(name: &str) -> (WorkloadRef, Action) {
    let workload: WorkloadRef = format!("{name}/web").parse().unwrap();
    let action = Action::Migrate {
        workload: workload.clone(),
        from: cluster("member1"),
        to: cluster("member2"),
        replicas: 2,
    };
    (workload, action)
}

async fn scene(name: &str) -> (Client, Value) {
    let (karmada, member) = (client("karmada").await, client("member1").await);
    let web = deployment(name, "web", 2);
    apply(&karmada, &[namespace(name), policy(name, "all", None, &["member1"]), web.clone()]).await;
    ready(&member, &web, 2).await;
    (karmada, web)
}

#[tokio::test(flavor = "multi_thread")]
async fn where_only_observing_is_allowed_nothing_is_written() {
    let _peace = crate::bed::peace().await;
    let name = "observed";
    let (karmada, _) = scene(name).await;
    let (workload, action) = migrate(name);
    let mut observing = settings(true);
    observing.act = false;
    let mut looking = Looking::at(observing);
    let snapshot = looking.observe_until("it", |snapshot| snapshot.workloads.contains_key(&workload)).await;
    let said = looking.world.rehearsal().unwrap().rehearse(&action).unwrap_err();
    assert!(matches!(&said, Objection::Refused { reason } if reason.contains("only observed")), "{said:?}");
    let now = looking.now();
    looking.world.start(now, &Effect::Apply(approve(&action, &snapshot)));
    let outcome = looking.outcome().await.1;
    assert!(
        matches!(&outcome, Applied::Failed { reason } if reason.contains("only observed")),
        "{outcome:?}"
    );
    assert!(get(&karmada, &policy(name, "drover-deployment-web", None, &[])).await.is_none());
}

#[tokio::test(flavor = "multi_thread")]
async fn admission_speaks_in_the_rehearsal_and_ends_the_action() {
    let _peace = crate::bed::peace().await;
    let name = "guarded";
    let (karmada, web) = scene(name).await;
    let rule = json!({ "apiVersion": "admissionregistration.k8s.io/v1", "kind": "ValidatingAdmissionPolicy",
        "metadata": { "name": "no-own-policies" },
        "spec": { "failurePolicy": "Fail", "matchConstraints": { "resourceRules": [{ "apiGroups": ["policy.karmada.io"],
                "apiVersions": ["*"], "operations": ["CREATE"], "resources": ["propagationpolicies"] }] },
            "matchConditions": [{ "name": "here", "expression": format!("request.namespace == '{name}'") }],
            "validations": [{ "expression": "!object.metadata.name.startsWith('drover-')", "message": "policies are made in the repository" }] } });
    let binding = json!({ "apiVersion": "admissionregistration.k8s.io/v1", "kind": "ValidatingAdmissionPolicyBinding",
        "metadata": { "name": "no-own-policies" }, "spec": { "policyName": "no-own-policies", "validationActions": ["Deny"] } });
    apply(&karmada, &[rule, binding]).await;
    let (workload, action) = migrate(name);
    let mut looking = Looking::at(settings(true));
    let snapshot = looking.observe_until("it", |snapshot| snapshot.workloads.contains_key(&workload)).await;
    // The server needs a moment until it enforces a new rule.
    let rehearsal = looking.world.rehearsal().unwrap();
    let said = until("the rule to be enforced", || async { rehearsal.rehearse(&action).err() }).await;
    assert!(
        matches!(&said, Objection::Refused { reason } if reason.contains("policies are made in the repository")),
        "{said:?}"
    );
    let now = looking.now();
    looking.world.start(now, &Effect::Apply(approve(&action, &snapshot)));
    let outcome = looking.outcome().await.1;
    assert!(
        matches!(&outcome, Applied::Failed { reason } if reason.contains("in the repository")),
        "{outcome:?}"
    );
    ready(&client("member1").await, &web, 2).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_right_that_is_missing_is_named() {
    let _peace = crate::bed::peace().await;
    // Whoever does not say who they are may ask for the version and for nothing else.
    let original = std::fs::read_to_string(directory().join("member2").join("kubeconfig")).unwrap();
    let (text, _) = original.split_once("    client-certificate-data").unwrap();
    let path = std::env::temp_dir().join(format!("drover-nobody-{}", std::process::id()));
    std::fs::write(&path, format!("{text}    username: \"\"\n")).unwrap();
    let mut half = settings(false);
    half.members[1] =
        Member { name: cluster("member2"), access: Access::Kubeconfig { path: Some(path), context: None } };
    let mut looking = Looking::at(half);
    let snapshot = looking.observe().await;
    let gap = snapshot.gap_of_cluster(&cluster("member2")).expect("a gap");
    assert!(gap.reason.contains("cannot list") && gap.reason.contains("in cluster member2"), "{gap:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn prometheus_is_asked_for_what_it_knows() {
    let _peace = crate::bed::peace().await;
    let file = directory().join("prometheus/run/prometheus.json");
    let process: Value = serde_json::from_str(&std::fs::read_to_string(file).unwrap()).unwrap();
    let url = format!("http://127.0.0.1:{}", process["port"]);
    let mut measuring = settings(false);
    measuring.prometheus = Some(PrometheusSettings {
        url,
        bearer_token: None,
        cluster_label: "cluster".to_owned(),
        window: Period::from_secs(30),
        queries: vec![kubernetes::Query {
            signal: Signal::Users,
            scope: kubernetes::Scope::Cluster,
            text: "sum by ({label}) (kube_node_info)".to_owned(),
        }],
    });
    let mut looking = Looking::at(measuring);
    let begin = now();
    let snapshot = looking
        .observe_until("a measurement", |snapshot| {
            snapshot
                .clusters
                .get(&cluster("member1"))
                .is_some_and(|view| view.signals.get(Signal::Users).is_some())
        })
        .await;
    let users = snapshot.clusters[&cluster("member1")].signals.get(Signal::Users).unwrap();
    assert!(users.value.0 >= 4_000 && users.at <= snapshot.taken_at, "{users:?} after {:?}", begin.elapsed());
}
