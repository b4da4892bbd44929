//! Snapshots of small federations, field by field.

use super::cache::Pulse;
use super::cluster::MemberSeen;
use super::facts::{NodeFact, PodFact, PodOwner, WorkloadFact};
use super::karmada::KarmadaSeen;
use super::measured::{Measured, Value, Values};
use super::owners::{AutoscalerFact, BudgetFact};
use super::snapshot::{FederationSeen, Moment, snapshot};
use crate::clock::{Origin, Wall};
use crate::settings::{PoolSettings, Resizing, Settings};
use model::money::MicroDollars;
use model::names::{ClusterName, PoolName, WorkloadKind, WorkloadRef};
use model::quantity::{Bytes, MilliCpu};
use model::resources::Resources;
use model::signal::Signal;
use model::snapshot::{GapSubject, PlacementView, Snapshot};
use model::time::{Period, Timestamp};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// The run began at 100 s of wall time, and now it is 1100 s.
const MOMENT: Moment = Moment { now: Wall(1_100_000), origin: Origin(Wall(100_000)) };

fn amounts(cpu: u64, pods: u64) -> Resources {
    Resources::new(MilliCpu(cpu), Bytes(cpu << 20), pods)
}

fn node(name: &str, pool: &str, ready: bool) -> Arc<NodeFact> {
    Arc::new(NodeFact {
        name: name.to_owned(),
        labels: [
            ("pool".to_owned(), pool.to_owned()),
            ("node.kubernetes.io/instance-type".to_owned(), "m".to_owned()),
        ]
        .into(),
        allocatable: amounts(4_000, 110),
        ready,
        cordoned: false,
        created_at: Wall(10_000),
        ready_since: Some(Wall(40_000)),
    })
}

fn pod(name: &str, owner: &str, node: Option<&str>) -> PodFact {
    PodFact {
        namespace: "shop".to_owned(),
        name: name.to_owned(),
        owner: PodOwner::Workload(WorkloadKind::Deployment, owner.to_owned()),
        node: node.map(str::to_owned),
        requests: amounts(500, 1),
        ready: node.is_some(),
        ending: false,
        over: false,
        created_at: Wall(500_000),
        priority: 0,
    }
}

fn workload(name: &str, replicas: u32) -> Arc<WorkloadFact> {
    Arc::new(WorkloadFact {
        reference: reference(name),
        replicas,
        ready: replicas,
        each: amounts(500, 1),
        pod_labels: [("app".to_owned(), name.to_owned())].into(),
        repository: None,
        movable: true,
        ending: false,
        created_at: Wall(90_000),
    })
}

fn reference(name: &str) -> WorkloadRef {
    format!("shop/{name}").parse().unwrap()
}

fn cluster(name: &str) -> ClusterName {
    ClusterName::new(name).unwrap()
}

fn pulse() -> Pulse {
    Pulse { in_sync_since: Some(Wall(200_000)), heard_at: Some(Wall(1_099_000)), trouble: None }
}

/// Two ready nodes and one that is not; `web` with two running pods and one pending.
fn member() -> MemberSeen {
    let pods =
        vec![pod("web-1", "web", Some("n1")), pod("web-2", "web", Some("n2")), pod("web-3", "web", None)];
    MemberSeen {
        nodes: vec![node("n1", "blue", true), node("n2", "blue", true), node("n3", "Green", false)],
        pods: pods.into_iter().map(Arc::new).collect(),
        workloads: vec![workload("web", 3)],
        pulse: pulse(),
        ..MemberSeen::default()
    }
}

fn federation(members: Vec<(&str, MemberSeen)>) -> FederationSeen {
    FederationSeen {
        members: members.into_iter().map(|(name, member)| (cluster(name), member)).collect(),
        silent: BTreeMap::new(),
        karmada: None,
        measured: BTreeMap::new(),
        unmeasured: BTreeMap::new(),
        moving: BTreeSet::new(),
        moved_at: BTreeMap::new(),
    }
}

fn look(seen: &FederationSeen) -> Snapshot {
    snapshot(seen, &Settings::default(), MOMENT)
}

#[test]
fn a_cluster_is_its_ready_nodes_and_all_its_pods() {
    let view = look(&federation(vec![("a", member())])).clusters.remove(&cluster("a")).unwrap();
    assert_eq!((view.capacity, view.allocated), (amounts(8_000, 220), amounts(1_000, 2)));
    assert_eq!((view.requested, view.pods_pending, view.autoscaled), (amounts(1_500, 3), 1, false));
    assert_eq!(view.nodes.len(), 3);
    assert!(!view.nodes.values().last().unwrap().schedulable);
}

#[test]
fn what_belongs_to_the_nodes_is_taken_off_their_capacity() {
    let mut one = member();
    let log = PodFact { owner: PodOwner::DaemonSet, ..pod("log", "-", Some("n1")) };
    let system = PodFact { namespace: "kube-system".to_owned(), ..pod("dns", "dns", Some("n2")) };
    let waiting = PodFact { namespace: "kube-system".to_owned(), ..pod("dns-2", "dns", None) };
    let over = PodFact { over: true, ..pod("job", "web", Some("n1")) };
    one.pods.extend([log, system, waiting, over].map(Arc::new));
    let snapshot = look(&federation(vec![("a", one)]));
    let view = &snapshot.clusters[&cluster("a")];
    assert_eq!(view.capacity, amounts(7_000, 218));
    assert_eq!(
        (view.allocated, view.requested, view.pods_pending),
        (amounts(1_000, 2), amounts(1_500, 3), 1)
    );
    assert_eq!(snapshot.workloads[&reference("web")].placements[&cluster("a")].pods, 3);
}

#[test]
fn pools_are_named_by_labels_and_completed_by_settings() {
    let pool = PoolSettings {
        cluster: Some(cluster("a")),
        pool: PoolName::new("blue").unwrap(),
        price_per_hour: None,
        minimum: Some(1),
        maximum: Some(9),
        boot_time: None,
        resizing: Resizing::NodeObjects,
    };
    let settings = Settings {
        pools: vec![pool],
        prices: [("m".to_owned(), MicroDollars(70_000))].into(),
        ..Settings::default()
    };
    let mut one = member();
    one.nodes.push(Arc::new(NodeFact { labels: BTreeMap::new(), ..NodeFact::clone(&node("n4", "", true)) }));
    let view =
        snapshot(&federation(vec![("a", one)]), &settings, MOMENT).clusters.remove(&cluster("a")).unwrap();
    let pool = |name: &str| &view.pools[&PoolName::new(name).unwrap()];
    let blue = pool("blue");
    assert_eq!((blue.nodes, blue.booting, blue.minimum, blue.maximum), (2, 0, 1, 9));
    assert_eq!((blue.price_per_hour, blue.boot_time), (MicroDollars(70_000), Period::from_secs(30)));
    assert_eq!((pool("green").nodes, pool("green").booting, pool("green").maximum), (0, 1, 1));
    assert_eq!((pool("default").nodes, pool("default").node_capacity), (1, amounts(4_000, 110)));
}

#[test]
fn one_workload_in_two_clusters_has_two_placements() {
    let mut two = member();
    two.workloads =
        vec![Arc::new(WorkloadFact { movable: false, ..WorkloadFact::clone(&workload("web", 2)) })];
    two.pods.truncate(2);
    let snapshot = look(&federation(vec![("a", member()), ("b", two)]));
    let view = &snapshot.workloads[&reference("web")];
    assert_eq!((view.replicas, view.movable, view.created_at), (5, false, Timestamp(0)));
    let first = PlacementView {
        replicas: 3,
        pods: 3,
        pods_pending: 1,
        pods_ready: 2,
        pending_since: Some(Timestamp(400_000)),
    };
    assert_eq!(view.placements[&cluster("a")], first);
    assert_eq!(view.placements[&cluster("b")].pods_ready, 2);
}

#[test]
fn what_moves_is_meant_once() {
    let mut seen = federation(vec![("a", member()), ("b", member())]);
    seen.karmada = Some(KarmadaSeen {
        replicas: [(reference("web"), 3)].into(),
        created_at: BTreeMap::new(),
        moved_at: [(reference("web"), Wall(900_000))].into(),
        pulse: pulse(),
        ..KarmadaSeen::default()
    });
    assert_eq!(look(&seen).workloads[&reference("web")].replicas, 6, "it is there twice on purpose");
    seen.moving.insert(reference("web"));
    let view = &look(&seen).workloads[&reference("web")];
    assert_eq!((view.replicas, view.moving, view.last_moved_at), (3, true, Some(Timestamp(800_000))));
}

#[test]
fn a_cluster_that_is_not_seen_is_a_gap_and_never_empty() {
    let check = |pulse: Pulse, silent: bool, want: Option<(&str, Option<Timestamp>)>| {
        let mut seen = federation(vec![("a", MemberSeen { pulse: pulse.clone(), ..member() })]);
        if silent {
            seen.silent.insert(cluster("a"), "it cannot be reached".to_owned());
        }
        let snapshot = look(&seen);
        let gap = snapshot.gap_of_cluster(&cluster("a")).map(|gap| (gap.reason.as_str(), gap.known_at));
        assert_eq!(gap, want, "{pulse:?}");
        assert_eq!(snapshot.clusters.contains_key(&cluster("a")), pulse.in_sync_since.is_some());
    };
    check(pulse(), false, None);
    check(pulse(), true, Some(("it cannot be reached", Some(Timestamp(999_000)))));
    check(Pulse::default(), false, Some(("it was not fully listed yet", None)));
    let forbidden = "cannot list pods in cluster a: forbidden (403)";
    check(Pulse { trouble: Some(forbidden.to_owned()), ..Pulse::default() }, false, Some((forbidden, None)));
    check(
        Pulse { heard_at: Some(Wall(1_000_000)), ..pulse() },
        false,
        Some(("it was last heard 100 s ago", Some(Timestamp(900_000)))),
    );
}

#[test]
fn measurements_are_added_only_when_none_is_missing() {
    let values = |value: f64, at: i64| {
        let mut values = Values::default();
        values.note(Signal::CpuUsage, Value { value, at: Wall(at) });
        values
    };
    let key = |name: &str| ("shop".to_owned(), name.to_owned());
    let mut seen = federation(vec![("a", member())]);
    let mut measured = Measured {
        nodes: [("n1".to_owned(), values(1.0, 600_000)), ("n2".to_owned(), values(0.5, 700_000))].into(),
        pods: [(key("web-1"), values(0.2, 600_000))].into(),
        ..Measured::default()
    };
    seen.measured = [(cluster("a"), measured.clone())].into();
    let snapshot = look(&seen);
    let whole = snapshot.clusters[&cluster("a")].signals.get(Signal::CpuUsage).unwrap();
    assert_eq!((whole.value.0, whole.at), (1_500, Timestamp(500_000)), "as old as its oldest part");
    assert_eq!(
        snapshot.workloads[&reference("web")].signals.get(Signal::CpuUsage),
        None,
        "one pod is not known"
    );
    measured.pods.insert(key("web-2"), values(0.3, 700_000));
    seen.measured = [(cluster("a"), measured)].into();
    let snapshot = look(&seen);
    let used = snapshot.workloads[&reference("web")].signals.get(Signal::CpuUsage).unwrap();
    assert_eq!((used.value.0, used.at), (500, Timestamp(500_000)));
}

#[test]
fn who_else_has_a_say_is_seen() {
    let mut one = member();
    let budget = |app: &str, allowed| {
        let selector = serde_json::from_value(serde_json::json!({ "matchLabels": { "app": app } })).unwrap();
        Arc::new(BudgetFact { namespace: "shop".to_owned(), selector, allowed })
    };
    one.budgets = vec![budget("web", 2), budget("web", 1), budget("other", 0)];
    one.autoscalers = vec![Arc::new(AutoscalerFact { name: "h".to_owned(), workload: reference("web") })];
    one.workloads = vec![Arc::new(WorkloadFact {
        repository: Some("argocd.argoproj.io/instance".to_owned()),
        ..WorkloadFact::clone(&workload("web", 3))
    })];
    let view = look(&federation(vec![("a", one)])).workloads.remove(&reference("web")).unwrap();
    assert_eq!(view.disruptions_allowed, Some(1), "the tightest of those that cover it");
    assert_eq!(view.scaled_by.as_deref(), Some("HorizontalPodAutoscaler h in a"));
    assert_eq!(view.repository.as_deref(), Some("argocd.argoproj.io/instance"));
    let view = look(&federation(vec![("a", member())])).workloads.remove(&reference("web")).unwrap();
    assert_eq!((view.disruptions_allowed, view.scaled_by, view.repository), (None, None, None));
}

#[test]
fn what_karmada_divides_over_many_stays_and_its_autoscalers_own_the_number() {
    let check = |clusters: &[&str], movable: bool| {
        let mut seen = federation(vec![("a", member())]);
        seen.karmada = Some(KarmadaSeen {
            scheduled: [(reference("web"), clusters.iter().map(|name| ((*name).to_owned(), 1)).collect())]
                .into(),
            autoscalers: [(reference("web"), "FederatedHPA f".to_owned())].into(),
            pulse: pulse(),
            ..KarmadaSeen::default()
        });
        let view = look(&seen).workloads.remove(&reference("web")).unwrap();
        assert_eq!(
            (view.movable, view.scaled_by.as_deref()),
            (movable, Some("FederatedHPA f")),
            "{clusters:?}"
        );
    };
    check(&["a"], true);
    check(&["a", "b"], true);
    check(&["a", "b", "c"], false);
}

#[test]
fn a_karmada_that_is_not_seen_hides_what_it_places() {
    let check = |pulse: Pulse, templates: &[&str], want: &[&str]| {
        let mut one = member();
        one.workloads.push(workload("alone", 1));
        let mut seen = federation(vec![("a", one)]);
        let replicas = templates.iter().map(|name| (reference(name), 3)).collect();
        seen.karmada = Some(KarmadaSeen { replicas, pulse, ..KarmadaSeen::default() });
        let gaps: Vec<String> = look(&seen).gaps.iter().map(|gap| format!("{:?}", gap.subject)).collect();
        let want: Vec<String> = want
            .iter()
            .map(|name| match *name {
                "karmada" => format!("{:?}", GapSubject::Source("karmada".to_owned())),
                name => format!("{:?}", GapSubject::Workload(reference(name))),
            })
            .collect();
        assert_eq!(gaps, want);
    };
    check(pulse(), &["web"], &[]);
    let lost = Pulse { trouble: Some("no answer".to_owned()), ..pulse() };
    check(lost, &["web"], &["karmada", "web"]);
    check(Pulse { heard_at: Some(Wall(1_000_000)), ..pulse() }, &["web"], &["karmada", "web"]);
    check(Pulse::default(), &[], &["karmada", "alone", "web"]);
}

#[test]
fn what_could_not_be_measured_is_a_gap() {
    let mut seen = federation(vec![("a", member())]);
    seen.unmeasured = [("prometheus".to_owned(), "no answer within 5 s".to_owned())].into();
    let gaps = look(&seen).gaps;
    assert_eq!(gaps.len(), 1);
    assert_eq!(
        (&gaps[0].subject, gaps[0].reason.as_str()),
        (&GapSubject::Source("prometheus".to_owned()), "no answer within 5 s")
    );
}
