//! What goes wrong in reality: storms of refusals, servers that die in the middle of a move, members that nobody reaches, two who act at
//! once. Whatever happens, no replica is missing and nothing is done twice.

use crate::approval::{approve, approve_as};
use crate::bed::{
    self, Looking, alone, api, apply, client, cluster, deployment, get, namespace, peace, policy, ready,
    settings, until,
};
use crate::counting::Counter;
use crate::proxy::Proxy;
use control::review_desk::Approved;
use control::world::{Applied, Effect, Input, Outside as _};
use hyper::Method;
use kube::Client;
use kube::api::{DeleteParams, Patch, PatchParams};
use kubernetes::{Access, Settings, Timeouts};
use model::action::Action;
use model::names::WorkloadRef;
use model::snapshot::Snapshot;
use model::time::Period;
use serde_json::{Value, json};
use std::time::Duration;
use testbed::{Bed, Cluster};

const REPLICAS: u32 = 6;

/// A workload in the first member, and the wish to have it in the second.
struct Scene {
    name: &'static str,
    members: [Client; 2],
    web: Value,
    action: Action,
    workload: WorkloadRef,
}

/// Waits until Karmada knows what its members can hold. It loses that when it asks a server that is just starting, places nothing there,
/// and tries again only minutes later.
async fn members_can_be_used(karmada: &Client) {
    for name in ["member1", "member2"] {
        let member = json!({ "apiVersion": "cluster.karmada.io/v1alpha1", "kind": "Cluster", "metadata": { "name": name } });
        until(&format!("Karmada knowing the APIs of {name}"), || async {
            let found = get(karmada, &member).await?;
            let groups = found["status"]["apiEnablements"].as_array()?;
            groups.iter().any(|group| group["groupVersion"] == "apps/v1").then_some(())
        })
        .await;
    }
}

impl Scene {
    async fn set(name: &'static str, through_karmada: bool) -> Self {
        let karmada = client("karmada").await;
        let members = [client("member1").await, client("member2").await];
        let web = deployment(name, "web", REPLICAS);
        if through_karmada {
            members_can_be_used(&karmada).await;
            apply(&karmada, &[namespace(name), policy(name, "all", None, &["member1"]), web.clone()]).await;
        } else {
            apply(&members[0], &[namespace(name), web.clone()]).await;
        }
        ready(&members[0], &web, u64::from(REPLICAS)).await;
        let workload: WorkloadRef = format!("{name}/web").parse().unwrap();
        let action = Action::Migrate {
            workload: workload.clone(),
            from: cluster("member1"),
            to: cluster("member2"),
            replicas: REPLICAS,
        };
        Self { name, members, web, action, workload }
    }

    async fn seen_by(&self, looking: &mut Looking) -> std::sync::Arc<Snapshot> {
        looking
            .observe_until("all in member1", |snapshot| {
                let view = snapshot.workloads.get(&self.workload);
                let place = view.and_then(|view| view.placements.get(&cluster("member1")));
                snapshot.gaps.is_empty()
                    && place.is_some_and(|place| place.pods_ready == REPLICAS && place.replicas == REPLICAS)
            })
            .await
    }

    async fn counter(&self) -> Counter {
        Counter::begin(self.members.clone(), self.name, "web").await
    }

    async fn check_moved(&self, counter: &Counter) {
        ready(&self.members[1], &self.web, u64::from(REPLICAS)).await;
        let source = get(&self.members[0], &self.web).await;
        assert!(source.is_none_or(|source| source["spec"]["replicas"] == 0), "the source is gone or empty");
        assert!(counter.least() >= REPLICAS, "only {} were ready for a while", counter.least());
    }
}

/// With time for everything that goes wrong.
fn patient(karmada: bool) -> Settings {
    let mut patient = settings(karmada);
    patient.timeouts.act = Period::from_minutes(3);
    patient.timeouts.request = Period::from_secs(3);
    patient.timeouts.settle = Period::from_millis(500);
    patient
}

/// All ways lead through proxies.
async fn behind_proxies(karmada: bool, seed: u64) -> (Settings, [Proxy; 3]) {
    let proxies = [
        Proxy::before("member1", seed).await,
        Proxy::before("member2", seed + 1).await,
        Proxy::before("karmada", seed + 2).await,
    ];
    let mut through = patient(karmada);
    let way = |proxy: &Proxy| Access::Kubeconfig { path: Some(proxy.kubeconfig()), context: None };
    for (member, proxy) in through.members.iter_mut().zip(&proxies) {
        member.access = way(proxy);
    }
    through.karmada = karmada.then(|| way(&proxies[2]));
    (through, proxies)
}

fn start(looking: &mut Looking, approved: &Approved) {
    let now = looking.now();
    looking.world.start(now, &Effect::Apply(approved.clone()));
}

async fn weather_a_storm(name: &'static str, karmada: bool) -> [Proxy; 3] {
    let scene = Scene::set(name, karmada).await;
    let (through, proxies) = behind_proxies(karmada, 7).await;
    let mut looking = Looking::at(through);
    let approved = approve(&scene.action, &*scene.seen_by(&mut looking).await);
    let counter = scene.counter().await;
    for proxy in &proxies {
        proxy.storm(true);
    }
    start(&mut looking, &approved);
    assert_eq!(looking.outcome().await.1, Applied::Done, "{:?}", looking.world.progress());
    for proxy in &proxies {
        proxy.storm(false);
    }
    scene.check_moved(&counter).await;
    proxies
}

#[tokio::test(flavor = "multi_thread")]
async fn a_storm_of_refusals_and_lost_answers_costs_no_replica_under_karmada() {
    let _peace = peace().await;
    let proxies = weather_a_storm("stormy", true).await;
    let [_, _, karmada] = &proxies;
    let policies = "/namespaces/stormy/propagationpolicies";
    assert_eq!(karmada.taken(&Method::POST, policies), 1, "one policy was made");
    // To the target alone, and that it is done: each once, though many answers were lost.
    let changes = karmada.taken(&Method::PATCH, &format!("{policies}/drover-deployment-web"));
    assert_eq!(changes, 2, "every change was made once");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_storm_of_refusals_and_lost_answers_costs_no_replica_without_karmada() {
    let _peace = peace().await;
    let [source, target, _] = weather_a_storm("stormy-copy", false).await;
    let deployments = "/namespaces/stormy-copy/deployments";
    assert_eq!(target.taken(&Method::POST, deployments), 1, "one copy was made");
    // Two of six at a time: two and four more in the target, four, two and none in the source.
    assert_eq!(target.taken(&Method::PATCH, &format!("{deployments}/web")), 2, "the copy grew twice");
    assert_eq!(source.taken(&Method::PATCH, &format!("{deployments}/web")), 3, "the source shrank thrice");
    assert_eq!(source.taken(&Method::DELETE, &format!("{deployments}/web")), 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn nothing_is_taken_from_a_member_that_cannot_be_reached() {
    let _peace = peace().await;
    let scene = Scene::set("unreached", true).await;
    let (through, proxies) = behind_proxies(true, 1).await;
    let mut looking = Looking::at(through);
    let approved = approve(&scene.action, &*scene.seen_by(&mut looking).await);
    let counter = scene.counter().await;
    // Karmada reaches the source all the while; only we do not know what is there.
    proxies[0].go_dark(true);
    start(&mut looking, &approved);
    tokio::time::sleep(Duration::from_secs(4)).await;
    let source = get(&scene.members[0], &scene.web).await.expect("the source stays while it is not seen");
    assert_eq!(source["spec"]["replicas"], REPLICAS);
    let snapshot = looking.observe().await;
    assert!(snapshot.gap_of_cluster(&cluster("member1")).is_some(), "{:?}", snapshot.gaps);
    proxies[0].go_dark(false);
    assert_eq!(looking.outcome().await.1, Applied::Done, "{:?}", looking.world.progress());
    scene.check_moved(&counter).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn two_who_carry_out_the_same_approval_have_one_effect() {
    let _peace = peace().await;
    for (name, karmada) in [("twins", true), ("twins-copy", false)] {
        let scene = Scene::set(name, karmada).await;
        let (through, proxies) = behind_proxies(karmada, 1).await;
        let mut both = [Looking::at(through.clone()), Looking::at(through)];
        let approved = approve(&scene.action, &*scene.seen_by(&mut both[0]).await);
        let counter = scene.counter().await;
        for looking in &mut both {
            start(looking, &approved);
        }
        for looking in &mut both {
            assert_eq!(looking.outcome().await.1, Applied::Done, "{name}");
        }
        scene.check_moved(&counter).await;
        let place = if karmada { &proxies[2] } else { &proxies[1] };
        let kind = if karmada { "propagationpolicies" } else { "deployments" };
        assert_eq!(place.taken(&Method::POST, &format!("/namespaces/{name}/{kind}")), 1, "{name}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn two_approvals_for_one_workload_do_not_fight() {
    let _peace = peace().await;
    for (name, karmada) in [("rivals", true), ("rivals-copy", false)] {
        let scene = Scene::set(name, karmada).await;
        let mut both = [Looking::at(patient(karmada)), Looking::at(patient(karmada))];
        let snapshot = scene.seen_by(&mut both[0]).await;
        let counter = scene.counter().await;
        for (looking, desk) in both.iter_mut().zip(["one", "two"]) {
            start(looking, &approve_as(desk, &scene.action, &snapshot));
        }
        let mut outcomes = Vec::new();
        for looking in &mut both {
            outcomes.push(looking.outcome().await.1);
        }
        let done = outcomes.iter().filter(|outcome| **outcome == Applied::Done).count();
        let refused = outcomes.iter().filter(|outcome| matches!(outcome, Applied::Failed { .. })).count();
        // Whoever comes late finds it done or refuses; nobody takes anything back.
        assert!(done >= 1 && done + refused == 2, "{name}: {outcomes:?}");
        scene.check_moved(&counter).await;
    }
}

/// A rule of Karmada's API server by which nothing changes any more where its scheduler puts things.
fn nothing_is_placed_anew(namespace: &str) -> [Value; 2] {
    let name = format!("nothing-anew-in-{namespace}");
    let (api, metadata) = ("admissionregistration.k8s.io/v1", json!({ "name": name }));
    let rule = json!({ "apiVersion": api, "kind": "ValidatingAdmissionPolicy", "metadata": metadata,
        "spec": { "failurePolicy": "Fail", "matchConstraints": { "resourceRules": [{ "apiGroups": ["work.karmada.io"],
                "apiVersions": ["*"], "operations": ["UPDATE"], "resources": ["resourcebindings"] }] },
            "matchConditions": [{ "name": "here", "expression": format!("request.namespace == '{namespace}'") }],
            "validations": [{ "expression": "object.spec.placement == oldObject.spec.placement", "message": "not now" }] } });
    let binding = json!({ "apiVersion": api, "kind": "ValidatingAdmissionPolicyBinding", "metadata": metadata,
        "spec": { "policyName": name, "validationActions": ["Deny"] } });
    [rule, binding]
}

#[tokio::test(flavor = "multi_thread")]
async fn a_karmada_that_could_not_do_it_and_rests_is_reminded() {
    let _peace = peace().await;
    let name = "resting";
    let scene = Scene::set(name, true).await;
    let karmada = client("karmada").await;
    let rule = nothing_is_placed_anew(name);
    apply(&karmada, &rule).await;
    let bound = json!({ "apiVersion": "work.karmada.io/v1alpha2", "kind": "ResourceBinding", "metadata": { "namespace": name } });
    let anew = Patch::Merge(
        json!({ "spec": { "placement": { "clusterAffinity": { "clusterNames": ["member2"] } } } }),
    );
    let rehearsal = PatchParams { dry_run: true, ..PatchParams::default() };
    let refused = || async { api(&karmada, &bound).patch("web-deployment", &rehearsal, &anew).await.err() };
    until("the rule to be enforced", refused).await;
    let mut looking = Looking::at(patient(true));
    let approved = approve(&scene.action, &*scene.seen_by(&mut looking).await);
    let counter = scene.counter().await;
    start(&mut looking, &approved);
    let is_reminded = || async {
        let template = get(&karmada, &scene.web).await?;
        template["metadata"]["labels"]["drover.io/reminded"].is_string().then_some(())
    };
    until("Karmada being reminded", is_reminded).await;
    for object in rule.iter().rev() {
        let name = object["metadata"]["name"].as_str().unwrap();
        api(&karmada, object).delete(name, &DeleteParams::default()).await.unwrap();
    }
    assert_eq!(looking.outcome().await.1, Applied::Done, "{:?}", looking.world.progress());
    scene.check_moved(&counter).await;
    assert!(is_reminded().await.is_none(), "the mark is taken away");
}

/// Kills a server and starts it again, as an upgrade does.
async fn bounce(victim: &Cluster) {
    let victim = victim.clone();
    let bounced = tokio::task::spawn_blocking(move || {
        victim.kill("kube-apiserver")?;
        victim.start("kube-apiserver")
    });
    bounced.await.unwrap().unwrap();
}

/// Moves a workload while an API server dies whenever the move has come a step further.
async fn move_while_dying(name: &'static str, victim: &Cluster) {
    let scene = Scene::set(name, true).await;
    // As long as a desk gives it: after each death Karmada may rest until it is reminded.
    let mut patient = patient(true);
    patient.timeouts.act = Timeouts::default().act;
    let limit = Duration::from_millis(patient.timeouts.act.as_millis()) + bed::deadline();
    let mut looking = Looking::at(patient);
    let approved = approve(&scene.action, &*scene.seen_by(&mut looking).await);
    let counter = scene.counter().await;
    start(&mut looking, &approved);
    let (mut deaths, mut known, begin) = (0, 0, bed::now());
    let outcome = loop {
        let now = looking.now();
        if let Some(Input::Applied { outcome, .. }) = looking.world.poll(now) {
            break outcome;
        }
        let progress = looking.world.progress().remove(0);
        assert!(begin.elapsed() < limit, "{name}: not moved after {deaths} deaths: {progress:?}");
        if progress.steps.len() > known && !progress.is_over() {
            known = progress.steps.len();
            deaths += 1;
            bounce(victim).await;
        }
        tokio::time::sleep(Duration::from_millis(5)).await;
    };
    println!("{name}: {outcome:?} after {deaths} deaths and {:.1} s", begin.elapsed().as_secs_f64());
    assert_eq!(outcome, Applied::Done, "{name}: after {deaths} deaths: {:?}", looking.world.progress());
    // While a server starts again a move can come several steps further: fewer deaths than steps, but never at its beginning alone.
    assert!(deaths >= 2, "{name}: it only died {deaths} times");
    scene.check_moved(&counter).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn servers_that_die_at_every_step_cost_no_replica() {
    let _alone = alone().await;
    let bed = Bed::open(&bed::directory()).unwrap();
    let [source, target] = bed.members() else { panic!("two members") };
    move_while_dying("dying-source", source).await;
    move_while_dying("dying-target", target).await;
    move_while_dying("dying-karmada", bed.karmada().unwrap()).await;
    everything_works_again().await;
}

/// Whoever comes next finds everything as it was: schedulers and controllers look for their servers only now and then after several
/// deaths, so something has to go all the way.
async fn everything_works_again() {
    let name = "after-dying";
    let (karmada, web) = (client("karmada").await, deployment(name, "web", 1));
    members_can_be_used(&karmada).await;
    apply(&karmada, &[namespace(name), policy(name, "all", None, &["member1", "member2"]), web.clone()])
        .await;
    for member in ["member1", "member2"] {
        ready(&client(member).await, &web, 1).await;
    }
}
