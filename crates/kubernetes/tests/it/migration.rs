//! Migrations on the bed: never fewer ready replicas than before, whatever happens to the one who moves them.

use crate::approval::approve;
use crate::bed::{
    self, Looking, apply, client, cluster, deployment, get, namespace, policy, ready, settings,
};
use crate::counting::Counter;
use control::world::{Applied, Effect, Input, Outside as _};
use kube::Client;
use model::action::Action;
use model::execution::Step;
use model::names::WorkloadRef;
use model::snapshot::Snapshot;
use serde_json::{Value, json};

struct Scene {
    karmada: Client,
    members: [Client; 2],
    web: Value,
    action: Action,
    workload: WorkloadRef,
}

impl Scene {
    /// A Deployment of eight in member1, placed there by this policy.
    async fn set(name: &str, policy: Value) -> Self {
        Self::with(name, policy, deployment(name, "web", 8)).await
    }

    async fn with(name: &str, policy: Value, web: Value) -> Self {
        let karmada = client("karmada").await;
        let members = [client("member1").await, client("member2").await];
        apply(&karmada, &[namespace(name), policy, web.clone()]).await;
        ready(&members[0], &web, 8).await;
        let workload: WorkloadRef = format!("{name}/web").parse().unwrap();
        let action = Action::Migrate {
            workload: workload.clone(),
            from: cluster("member1"),
            to: cluster("member2"),
            replicas: 8,
        };
        Self { karmada, members, web, action, workload }
    }

    fn is_in_first(&self) -> impl Fn(&Snapshot) -> bool {
        let workload = self.workload.clone();
        move |snapshot| {
            let place =
                snapshot.workloads.get(&workload).and_then(|view| view.placements.get(&cluster("member1")));
            snapshot.gaps.is_empty()
                && place.is_some_and(|place| place.pods_ready == 8 && place.replicas == 8)
        }
    }

    async fn check_moved(&self, counter: &Counter) {
        assert!(counter.least() >= 8, "only {} were ready for a while", counter.least());
        assert!(get(&self.members[0], &self.web).await.is_none(), "the source is gone");
        ready(&self.members[1], &self.web, 8).await;
    }
}

async fn move_it(name: &str, policy: Value) {
    let scene = Scene::set(name, policy).await;
    let mut looking = Looking::at(settings(true));
    let snapshot = looking.observe_until("eight in member1", scene.is_in_first()).await;
    looking.world.rehearsal().unwrap().rehearse(&scene.action).unwrap();
    let approved = approve(&scene.action, &snapshot);
    let counter = Counter::begin(scene.members.clone(), name, "web").await;
    let now = looking.now();
    looking.world.start(now, &Effect::Apply(approved.clone()));
    looking.world.start(now, &Effect::Apply(approved));
    assert_eq!(looking.outcome().await.1, Applied::Done);
    scene.check_moved(&counter).await;
    let steps: Vec<Step> = looking.world.progress()[0].steps.iter().map(|one| one.step).collect();
    let want = [
        Step::OrderSent,
        Step::OrderTaken,
        Step::TargetMaking,
        Step::TargetReady,
        Step::SourceLeaving,
        Step::SourceGone,
        Step::Done,
    ];
    assert!(want.iter().all(|step| steps.contains(step)), "{steps:?}");
    let after = looking.observe().await;
    let view = &after.workloads[&scene.workload];
    assert_eq!((view.home(), view.replicas, view.moving), (Some(&cluster("member2")), 8, false));
    assert!(view.last_moved_at.is_some());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_workload_with_a_policy_of_its_own_is_moved_without_a_gap() {
    let _peace = bed::peace().await;
    let name = "own-policy";
    move_it(name, policy(name, "web", Some("web"), &["member1"])).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_workload_under_a_shared_policy_gets_one_of_its_own() {
    let _peace = bed::peace().await;
    let name = "shared-policy";
    move_it(name, policy(name, "all", None, &["member1"])).await;
    let made = policy(name, "drover-deployment-web", None, &[]);
    let karmada = client("karmada").await;
    assert!(get(&karmada, &made).await.is_some());
}

#[tokio::test(flavor = "multi_thread")]
async fn whoever_moves_it_may_die_after_every_step() {
    let _peace = bed::peace().await;
    let name = "dying";
    let scene = Scene::set(name, policy(name, "all", None, &["member1"])).await;
    let mut looking = Looking::at(settings(true));
    let snapshot = looking.observe_until("eight in member1", scene.is_in_first()).await;
    let approved = approve(&scene.action, &snapshot);
    let counter = Counter::begin(scene.members.clone(), name, "web").await;
    let now = looking.now();
    looking.world.start(now, &Effect::Apply(approved.clone()));
    let (mut deaths, mut known) = (0, 0);
    let begin = bed::now();
    let outcome = loop {
        let now = looking.now();
        if let Some(Input::Applied { outcome, .. }) = looking.world.poll(now) {
            break outcome;
        }
        let progress = looking.world.progress().remove(0);
        assert!(begin.elapsed() < bed::deadline() * 2, "not moved after {deaths} deaths: {progress:?}");
        if progress.steps.len() > known && !progress.is_over() {
            known = progress.steps.len();
            drop(looking);
            deaths += 1;
            looking = Looking::at(settings(true));
            looking.world.take_up(now, &approved, &progress);
        }
        tokio::time::sleep(std::time::Duration::from_millis(5)).await;
    };
    assert_eq!(outcome, Applied::Done, "after {deaths} deaths");
    assert!(deaths >= 3, "it only died {deaths} times");
    scene.check_moved(&counter).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_cannot_become_ready_is_taken_back() {
    let _peace = bed::peace().await;
    let name = "too-large";
    // Only member1 has the node that its pods ask for.
    let mut stuck = deployment(name, "web", 8);
    stuck["spec"]["template"]["spec"]["nodeSelector"] = json!({ "kubernetes.io/hostname": "member1-node1" });
    let scene = Scene::with(name, policy(name, "all", None, &["member1"]), stuck).await;
    let mut patient = settings(true);
    patient.timeouts.act = model::time::Period::from_secs(30);
    let mut looking = Looking::at(patient);
    let snapshot = looking.observe_until("eight in member1", scene.is_in_first()).await;
    let approved = approve(&scene.action, &snapshot);
    let counter = Counter::begin(scene.members.clone(), name, "web").await;
    let now = looking.now();
    looking.world.start(now, &Effect::Apply(approved));
    let (_, outcome) = looking.outcome().await;
    let Applied::RolledBack { reason } = outcome else { panic!("{outcome:?}") };
    assert!(reason.contains("0 of 8 replicas are ready in member2"), "{reason}");
    assert!(counter.least() >= 8, "only {} were ready for a while", counter.least());
    assert!(get(&scene.members[1], &scene.web).await.is_none(), "nothing is left in the target");
    bed::until("the former policy to have it again", || async {
        let template = get(&scene.karmada, &scene.web).await?;
        (template["metadata"]["annotations"]["propagationpolicy.karmada.io/name"] == "all").then_some(())
    })
    .await;
}
