//! Several replicas and one lease, on a real API server: one works at a time.

use crate::bed::{
    Looking, access, apply, carry_out, client, cluster, deadline, deployment, get, namespace, now, ready,
    settings,
};
use control::world::Applied;
use k8s_openapi::api::coordination::v1::Lease;
use kube::api::{Api, Patch, PatchParams};
use kubernetes::{Candidacy, LeaseSettings, LeaseTiming, Settings, Standing};
use model::action::Action;
use model::names::WorkloadRef;
use model::time::Period;
use serde_json::json;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// A renewal may take long on a machine that starts clusters beside it; what is tested is who may write, not how quickly.
const TIMING: LeaseTiming = LeaseTiming {
    duration: Period::from_secs(20),
    renew_deadline: Period::from_secs(15),
    retry: Period::from_millis(500),
};

fn replica(name: &str, lease: &str) -> Candidacy {
    let lease = LeaseSettings {
        access: access("member1"),
        namespace: "leases".to_owned(),
        name: lease.to_owned(),
        identity: name.to_owned(),
        timing: TIMING,
    };
    Candidacy::stand(lease, &settings(false)).unwrap()
}

async fn elected(replica: &Candidacy, within: Duration) -> bool {
    tokio::time::timeout(within, replica.elected()).await.is_ok()
}

/// Looks all the time whether two may write at once.
struct Umpire {
    foul: Arc<AtomicBool>,
    over: Arc<AtomicBool>,
    thread: std::thread::JoinHandle<u64>,
}

impl Umpire {
    #[expect(clippy::disallowed_methods, reason = "whoever looks all the time leaves the others a moment")]
    fn of(one: &Candidacy, other: &Candidacy) -> Self {
        let (foul, over) = (Arc::<AtomicBool>::default(), Arc::<AtomicBool>::default());
        let (fences, said, end) = ((one.fence(), other.fence()), Arc::clone(&foul), Arc::clone(&over));
        let thread = std::thread::spawn(move || {
            let mut looks = 0;
            while !end.load(Ordering::Relaxed) {
                looks += 1;
                if fences.0.is_open() && fences.1.is_open() {
                    said.store(true, Ordering::Relaxed);
                }
                std::thread::sleep(Duration::from_millis(1));
            }
            looks
        });
        Self { foul, over, thread }
    }

    fn verdict(self) {
        self.over.store(true, Ordering::Relaxed);
        assert!(self.thread.join().unwrap() > 100);
        assert!(!self.foul.load(Ordering::Relaxed), "two replicas could write at the same time");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_replica_that_dies_is_replaced_and_never_do_two_write() {
    let _peace = crate::bed::peace().await;
    apply(&client("member1").await, &[namespace("leases")]).await;
    let first = replica("first", "dying");
    assert!(elected(&first, deadline()).await);
    let second = replica("second", "dying");
    let umpire = Umpire::of(&first, &second);
    assert!(!elected(&second, Duration::from_secs(4)).await, "it is renewed");
    assert_eq!(*second.standing().borrow(), Standing::Waiting { holder: "first".to_owned() });
    assert!(first.fence().is_open() && !second.fence().is_open());
    // Dead: nobody renews, and nobody says goodbye.
    let died = now();
    drop(first);
    assert!(elected(&second, deadline()).await);
    assert!(died.elapsed() >= Duration::from_secs(15), "the lease of the first had to run out");
    umpire.verdict();

    // A goodbye is quicker than running out.
    let third = replica("third", "dying");
    let umpire = Umpire::of(&second, &third);
    assert!(!elected(&third, Duration::from_millis(500)).await);
    let left = now();
    tokio::task::spawn_blocking(|| second.resign()).await.unwrap();
    assert!(elected(&third, deadline()).await);
    assert!(left.elapsed() < Duration::from_secs(15), "{:?}", left.elapsed());
    umpire.verdict();
}

#[tokio::test(flavor = "multi_thread")]
async fn whoever_loses_the_lease_stops_for_good() {
    let _peace = crate::bed::peace().await;
    let member = client("member1").await;
    apply(&member, &[namespace("leases")]).await;
    let robbed = replica("robbed", "stolen");
    assert!(elected(&robbed, deadline()).await);
    let leases: Api<Lease> = Api::namespaced(member, "leases");
    let thief = json!({ "spec": { "holderIdentity": "thief" } });
    leases.patch("stolen", &PatchParams::default(), &Patch::Merge(&thief)).await.unwrap();
    let mut standing = robbed.standing();
    let lost = standing.wait_for(|now| matches!(now, Standing::Lost { .. }));
    tokio::time::timeout(deadline(), lost).await.unwrap().unwrap();
    assert!(!robbed.fence().is_open());
}

#[tokio::test(flavor = "multi_thread")]
async fn what_a_standby_was_told_to_do_is_not_done() {
    let _peace = crate::bed::peace().await;
    let (name, member) = ("fenced", client("member1").await);
    let web = deployment(name, "web", 2);
    apply(&member, &[namespace("leases"), namespace(name), web.clone()]).await;
    ready(&member, &web, 2).await;
    let leading = replica("leading", "fenced");
    assert!(elected(&leading, deadline()).await);
    let standby = replica("standby", "fenced");
    let workload: WorkloadRef = format!("{name}/web").parse().unwrap();
    let scale = Action::Scale { workload: workload.clone(), cluster: cluster("member1"), from: 2, to: 3 };
    for (fence, replicas) in [(standby.fence(), 2), (leading.fence(), 3)] {
        let mut fenced = Settings { fence, ..settings(false) };
        fenced.timeouts.act = Period::from_secs(15);
        let mut looking = Looking::at(fenced);
        let snapshot = looking.observe_until("it", |seen| seen.workloads.contains_key(&workload)).await;
        let outcome = carry_out(&mut looking, &scale, &snapshot).await;
        let standing = leading.standing().borrow().clone();
        assert_eq!(standing, Standing::Leading, "this machine is too slow to renew a lease");
        assert_eq!(outcome == Applied::Done, replicas == 3, "{outcome:?}");
        assert_eq!(get(&member, &web).await.unwrap()["spec"]["replicas"], replicas, "{outcome:?}");
    }
}
