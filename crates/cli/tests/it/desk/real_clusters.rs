//! The three waves on real clusters: the broker brings them, an agent recommends, a person approves, Karmada moves, and nothing that
//! happens to the desk or to a server on the way takes a replica from anybody.

#![expect(clippy::print_stdout, reason = "clusters take their time; whoever waits sees how far they are")]

use super::{Desk, Process, wait_for};
use crate::support::repository;
use model::quantity::{Bytes, MilliCpu};
use serde_json::Value;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread::JoinHandle;
use std::time::Duration;
use testbed::{Bed, Cluster, Plan, Workshop};

/// Replicas of every workload of the scenario.
const REPLICAS: u64 = 2;

/// A federation as the scenario describes it; what the system takes of its nodes is left out from the beginning.
pub(super) fn bed(name: &str) -> Bed {
    let directory = std::env::temp_dir().join(format!("drover-{name}-{}", std::process::id()));
    let plan = Plan {
        nodes: 2,
        node_cpu: MilliCpu(7_650),
        node_memory: Bytes(15_822 << 20),
        metrics_server: false,
        prometheus: false,
        ..Plan::default()
    };
    let workshop = Workshop::usual(|name| std::env::var_os(name));
    Bed::up(&plan, &directory, &workshop, &|line| println!("{line}")).unwrap()
}

/// The scenario of the paper, with less time between its waves. The third comes when the test is over: what does not fit would be moved
/// first, and has no replicas to lose.
fn hurried_waves() -> String {
    let text = std::fs::read_to_string(repository().join("scenarios/three-waves.yaml")).unwrap();
    let text = text.replace("at: 70s", "at: 5s").replace("at: 130s", "at: 30m");
    // A lower limit, so that there is more than one to move.
    let text = text.replace("duration: 240s", "duration: 1h").replace("max_load: 0.8", "max_load: 0.6");
    text.replace("observation: { every: 30s }", "observation: { every: 2s }")
        .replace("when: { every: 60s }", "when: { every: 5s }")
}

fn desk_on(bed: &Bed, name: &str) -> Desk {
    let mut desk = Desk::closed(name);
    let access = |name: &str| format!("kubeconfig: {}, context: {name}", bed.kubeconfig().display());
    desk.scratch.write("waves.yaml", hurried_waves());
    desk.scratch.write(
        "desk.yaml",
        format!(
            "drover: desk/v1\nstorage: sqlite:desk.db\nreview: {{ mode: human, expires_after: 10m }}\n\
             world:\n  scenario: waves.yaml\n  kubernetes:\n    act: true\n    members:\n\
             \x20     - {{ name: member1, {} }}\n      - {{ name: member2, {} }}\n    karmada: {{ {} }}\n",
            access("member1"),
            access("member2"),
            access("karmada"),
        ),
    );
    desk.start("127.0.0.1:0");
    desk
}

fn path_of(workload: &str) -> String {
    format!("/apis/apps/v1/namespaces/default/deployments/{workload}")
}

/// Ready replicas in one cluster; nothing if it does not say.
pub(super) fn ready_in(cluster: &Cluster, workload: &str) -> Option<u64> {
    let found = cluster.api().find(&path_of(workload)).ok()?.unwrap_or_default();
    Some(found.pointer("/status/readyReplicas").and_then(Value::as_u64).unwrap_or(0))
}

/// Somebody who counts the ready replicas of a workload over both members, all the time.
pub(super) struct Counting {
    stop: Arc<AtomicBool>,
    fewest: Arc<AtomicU64>,
    counted: Arc<AtomicU64>,
    thread: Option<JoinHandle<()>>,
}

impl Counting {
    pub(super) fn of(bed: &Bed, workload: &str) -> Self {
        let (stop, fewest) = (Arc::new(AtomicBool::new(false)), Arc::new(AtomicU64::new(u64::MAX)));
        let counted = Arc::new(AtomicU64::new(0));
        let (members, name) = (bed.members().to_vec(), workload.to_owned());
        let (stopped, least, looks) = (Arc::clone(&stop), Arc::clone(&fewest), Arc::clone(&counted));
        let thread = std::thread::spawn(move || {
            while !stopped.load(Ordering::Relaxed) {
                // The target is looked at last: a replica that is counted nowhere is in neither.
                let parts: Option<Vec<u64>> = members.iter().map(|member| ready_in(member, &name)).collect();
                if let Some(parts) = parts {
                    least.fetch_min(parts.iter().sum(), Ordering::Relaxed);
                    looks.fetch_add(1, Ordering::Relaxed);
                }
            }
        });
        Self { stop, fewest, counted, thread: Some(thread) }
    }

    /// The fewest that were ever ready at once.
    pub(super) fn end(mut self) -> u64 {
        self.stop.store(true, Ordering::Relaxed);
        self.thread.take().unwrap().join().unwrap();
        println!("counted {} times", self.counted.load(Ordering::Relaxed));
        self.fewest.load(Ordering::Relaxed)
    }
}

/// A recommendation that waits with its prediction, about a workload that is whole, and the name of that.
fn next_waiting(desk: &Desk, bed: &Bed) -> (String, String) {
    wait_for("a recommendation with a prediction", || {
        let listed = desk.json("vera", &["rec", "list", "--stage", "pending", "--sort", "raised_at"]);
        let items = listed["items"].as_array()?.iter().filter(|item| item["isPredicted"] == true);
        let mut named = items.filter_map(|item| {
            let workload = item["workload"].as_str()?.rsplit('/').next()?.to_owned();
            Some((item["id"].as_str()?.to_owned(), workload))
        });
        let whole =
            |(_, workload): &(String, String)| ready_in(&bed.members()[0], workload) == Some(REPLICAS);
        named.find(whole)
    })
}

fn stage(desk: &Desk, id: &str) -> String {
    desk.json("vera", &["rec", "show", id])["stage"].as_str().unwrap().to_owned()
}

fn see_applied(desk: &Desk, id: &str) {
    let over = wait_for("the end of the move", || {
        Some(stage(desk, id)).filter(|stage| !["approved", "applying"].contains(&stage.as_str()))
    });
    assert_eq!(over, "applied", "{}", desk.done("vera", &["exec", "show", id]));
}

/// It is in the target with all replicas, and nothing is left in the source.
fn has_moved(bed: &Bed, workload: &str) {
    let [source, target] = bed.members() else { panic!("two members") };
    assert_eq!(ready_in(target, workload), Some(REPLICAS));
    assert_eq!(source.api().find(&path_of(workload)).unwrap(), None);
}

#[test]
fn the_waves_are_moved_through_every_accident_and_nobody_loses_a_replica() {
    let bed = bed("real-waves");
    let mut desk = desk_on(&bed, "real waves");
    let _broker = Process::start(&mut desk.command("anna", &["broker", "--config", "desk.yaml"]));

    // As it should be.
    let (id, workload) = next_waiting(&desk, &bed);
    let counting = Counting::of(&bed, &workload);
    desk.approve(&id);
    see_applied(&desk, &id);
    assert_eq!(counting.end(), REPLICAS, "{workload} was always whole");
    has_moved(&bed, &workload);

    // The desk dies as soon as the answer is given, and comes back.
    let (id, workload) = next_waiting(&desk, &bed);
    let counting = Counting::of(&bed, &workload);
    desk.approve(&id);
    desk.kill();
    let place = desk.place();
    desk.start(&place);
    assert!(desk.log().contains("the run goes on after"), "{}", desk.log());
    see_applied(&desk, &id);
    assert_eq!(counting.end(), REPLICAS, "{workload} was always whole");
    has_moved(&bed, &workload);

    let verified = desk.done("udo", &["audit", "verify"]);
    assert!(verified.starts_with("intact"), "{verified}");
    bed.down().unwrap();
}

/// Long enough for a move to come to its next step, if nothing kept it from that.
const OUTAGE: Duration = Duration::from_secs(10);

/// The exit code for what may be tried again later.
const UNREACHABLE: i32 = 7;

#[test]
fn a_member_that_cannot_be_reached_loses_nothing() {
    let bed = bed("real-outage");
    let desk = desk_on(&bed, "real outage");
    let _broker = Process::start(&mut desk.command("anna", &["broker", "--config", "desk.yaml"]));
    let (id, workload) = next_waiting(&desk, &bed);
    let [source, target] = bed.members() else { panic!("two members") };

    // While the target's API server is away nobody can say what it would take: an approval does not count.
    target.kill("kube-apiserver").unwrap();
    let hash = desk.plan_hash(&id);
    let approve = || desk.ask("otto", &["rec", "approve", &id, "--plan-hash", &hash]).code;
    assert_eq!(approve(), Some(UNREACHABLE));
    target.start("kube-apiserver").unwrap();
    wait_for("the approval to count", || (approve() == Some(0)).then_some(()));
    // It goes again when the move has begun: the source must stay as it is.
    target.kill("kube-apiserver").unwrap();
    let begun = testbed_now();
    while begun.elapsed() < OUTAGE {
        assert_eq!(
            ready_in(source, &workload),
            Some(REPLICAS),
            "the source stays while the target is unknown"
        );
    }
    target.start("kube-apiserver").unwrap();
    see_applied(&desk, &id);
    has_moved(&bed, &workload);
    bed.down().unwrap();
}

#[expect(clippy::disallowed_methods, reason = "real clusters live in real time")]
fn testbed_now() -> std::time::Instant {
    std::time::Instant::now()
}
