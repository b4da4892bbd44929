//! Copies, scaling, moves within a cluster and pools, on API servers made of a map and with every fault they can have.

use super::order::{Answer, Order, Place};
use super::sight::{MemberSight, Object, Sight};
use super::task::{Manner, Task};
use super::testing::{Luck, Pretended, Servers, TICK, cluster, run, steps};
use crate::settings::{Leaving, Resizing};
use control::world::Applied;
use model::action::{Action, Spot};
use model::execution::Step;
use model::hash::ContentHash;
use model::names::{NodeName, PoolName};
use model::recommendation::RecommendationId;
use model::time::Timestamp;
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// Two clusters whose controllers make one replica ready in a tick.
pub(super) struct Clusters {
    pub(super) servers: Servers,
    /// Where nothing gets ready.
    stuck: Option<&'static str>,
}

pub(super) fn place(name: &str) -> Place {
    Place::Member(cluster(name))
}

pub(super) fn web(replicas: u32) -> Value {
    json!({ "metadata": { "name": "web", "generation": 1 }, "spec": { "replicas": replicas, "template": { "spec": {} } },
        "status": { "observedGeneration": 1, "availableReplicas": replicas, "updatedReplicas": replicas } })
}

/// With a controller that would make it again.
pub(super) fn pod(name: &str, node: &str) -> Value {
    json!({ "metadata": { "name": name, "namespace": "shop", "ownerReferences": [{ "kind": "ReplicaSet", "controller": true }] },
        "spec": { "nodeName": node } })
}

pub(super) fn node(name: &str) -> Value {
    json!({ "metadata": { "name": name, "labels": { "pool": "blue", "kubernetes.io/hostname": name } },
        "status": { "conditions": [{ "type": "Ready", "status": "True" }] } })
}

impl Clusters {
    pub(super) fn new(replicas: u32) -> Self {
        let mut servers = Servers::default();
        servers.put(&place("one"), "Deployment", web(replicas));
        for name in ["n1", "n2"] {
            servers.put(&place("one"), "Node", node(name));
        }
        servers.put(&place("one"), "Pod", pod("p", "n2"));
        Self { servers, stuck: None }
    }

    pub(super) fn count(&self, name: &str, field: &str) -> u64 {
        let object = self.servers.get(&place(name), "Deployment", "web");
        object.and_then(|object| object.pointer(field)).and_then(Value::as_u64).unwrap_or(0)
    }

    fn ready(&self) -> u64 {
        self.count("one", "/status/availableReplicas") + self.count("two", "/status/availableReplicas")
    }
}

impl Pretended for Clusters {
    fn tick(&mut self) {
        let stuck = self.stuck.map(place);
        for ((at, kind, _), object) in &mut self.servers.objects {
            if *kind == "Deployment" {
                let wanted = object["spec"]["replicas"].as_u64().unwrap();
                let ready = object["status"]["availableReplicas"].as_u64().unwrap_or(0);
                let more = u64::from(Some(at) != stuck.as_ref());
                let updated = object["metadata"]["generation"].clone();
                object["status"] = json!({ "observedGeneration": updated, "updatedReplicas": wanted,
                    "availableReplicas": (ready + more).min(wanted) });
            }
            if *kind == "Node" {
                object["status"]["conditions"] = json!([{ "type": "Ready", "status": "True" }]);
            }
        }
    }

    fn sight(&self, task: &Task) -> Sight {
        let member = |name: &str| {
            let holding = self.servers.get(&place(name), "Deployment", "web").cloned().map(Object);
            let on = |holding: &Object| {
                let hostname = holding.field("/spec/template/spec/nodeSelector/kubernetes.io~1hostname");
                let node = hostname.and_then(Value::as_str).unwrap_or("n1").to_owned();
                vec![node; holding.available_replicas() as usize]
            };
            let nodes: Vec<Object> = self.servers.of(&place(name), "Node").cloned().map(Object).collect();
            let pods = |node: &Object| {
                let on = |pod: &&Value| pod["spec"]["nodeName"] == node.name();
                self.servers.of(&place(name), "Pod").filter(on).cloned().map(Object).collect()
            };
            let read = super::resizing::emptied(task, &nodes);
            let node_pods: BTreeMap<String, Vec<Object>> =
                read.iter().map(|node| (node.name().to_owned(), pods(node))).collect();
            MemberSight {
                pods: holding.as_ref().map_or(0, Object::available_replicas),
                pod_nodes: holding.as_ref().map(on).unwrap_or_default(),
                holding,
                has_namespace: self.servers.get(&place(name), "Namespace", "shop").is_some() || name == "one",
                nodes,
                node_pods,
                ..MemberSight::default()
            }
        };
        Sight { karmada: None, members: ["one", "two"].map(|name| (cluster(name), Ok(member(name)))).into() }
    }

    fn give(&mut self, order: &Order) -> Answer {
        self.servers.give(order)
    }

    fn disturb(&mut self) {
        self.servers.touch();
    }
}

pub(super) fn task(action: &Action, change: impl FnOnce(&mut Manner)) -> Task {
    let mut manner = Manner { pools_by: vec!["pool".to_owned()], ..Manner::default() };
    change(&mut manner);
    Task::new(RecommendationId(3), ContentHash::ZERO, action, manner)
}

pub(super) fn migration(leaving: Leaving) -> Task {
    migration_of(3, leaving)
}

fn migration_of(replicas: u32, leaving: Leaving) -> Task {
    let workload = "shop/web".parse().unwrap();
    let action = Action::Migrate { workload, from: cluster("one"), to: cluster("two"), replicas };
    task(&action, |manner| manner.leaving = leaving)
}

#[test]
fn a_copy_is_ready_before_the_source_goes_whatever_goes_wrong() {
    let mut done = 0;
    for seed in 0..400 {
        let leaving = if seed % 2 == 0 { Leaving::Delete } else { Leaving::ScaleToZero };
        let replicas: u32 = [1, 3, 8, 9][seed as usize / 4 % 4];
        let count = u64::from(replicas);
        let mut clusters = Clusters::new(replicas);
        let mut luck = Luck { state: seed, bad: seed % 200 };
        let abort_at = if seed % 3 == 0 { luck.draw(40) } else { u64::MAX };
        let mut most = 0;
        let moved = migration_of(replicas, leaving);
        let (outcome, _) = run(&moved, &mut clusters, &mut luck, |tick, course, clusters| {
            assert!(clusters.ready() >= count, "seed {seed}: {} ready at {tick}", clusters.ready());
            most = most.max(clusters.ready());
            if tick >= abort_at {
                course.take_back("given up", Timestamp(tick * TICK));
            }
        });
        let counts = (clusters.count("one", "/spec/replicas"), clusters.count("two", "/spec/replicas"));
        match outcome {
            Applied::Done => {
                done += 1;
                assert_eq!(counts, (0, count), "seed {seed}");
                let source = clusters.servers.get(&place("one"), "Deployment", "web");
                assert_eq!(source.is_some(), leaving == Leaving::ScaleToZero, "seed {seed}");
                // A part more than are needed, never all of them twice.
                assert!(most <= count + count.div_ceil(4), "seed {seed}: {most} ready at once");
            }
            Applied::RolledBack { .. } => assert_eq!(counts, (count, 0), "seed {seed}"),
            Applied::Failed { reason } => panic!("seed {seed}: {reason}"),
        }
    }
    assert!((200..400).contains(&done), "{done}");
}

/// A move of eight replicas; `meddle` changes something when half of them have moved.
fn half_moved(meddle: impl Fn(&mut Clusters)) -> (Applied, Clusters) {
    let mut clusters = Clusters::new(8);
    let mut done = false;
    let moved = migration_of(8, Leaving::ScaleToZero);
    let (outcome, _) = run(&moved, &mut clusters, &mut Luck::good(), |_, _, clusters| {
        if !done && clusters.count("one", "/spec/replicas") == 4 {
            done = true;
            meddle(clusters);
        }
    });
    (outcome, clusters)
}

#[test]
fn whoever_changes_a_number_in_the_middle_of_a_move_ends_it() {
    let check = |meddle: &dyn Fn(&mut Clusters), want: &str| {
        let (outcome, clusters) = half_moved(meddle);
        let Applied::RolledBack { reason } = outcome else { panic!("{want}: {outcome:?}") };
        assert!(reason.contains(want), "{reason}");
        assert_eq!(clusters.count("one", "/status/availableReplicas"), 8, "{want}");
        assert!(clusters.servers.get(&place("two"), "Deployment", "web").is_none(), "{want}");
    };
    let set = |at: &'static str, count: u32| {
        move |clusters: &mut Clusters| {
            let key = (place(at), "Deployment", "web".to_owned());
            let object = clusters.servers.objects.get_mut(&key).unwrap();
            super::testing::merge(object, &json!({ "spec": { "replicas": count } }));
        }
    };
    check(&set("one", 6), "changed in one");
    check(&set("one", 2), "changed in one");
    check(&set("two", 1), "removed replicas in two");
    let remove = |clusters: &mut Clusters| {
        clusters.servers.objects.remove(&(place("two"), "Deployment", "web".to_owned()));
    };
    check(&remove, "removed it from two");
}

#[test]
fn all_at_once_is_one_part() {
    let mut clusters = Clusters::new(8);
    let mut moved = migration_of(8, Leaving::ScaleToZero);
    moved.manner.parts = 1;
    let (mut most, mut seen) = (0, Vec::new());
    let (outcome, _) = run(&moved, &mut clusters, &mut Luck::good(), |_, _, clusters| {
        most = most.max(clusters.ready());
        seen.push(clusters.count("one", "/spec/replicas"));
    });
    seen.dedup();
    assert_eq!((outcome, most, seen), (Applied::Done, 16, vec![8, 0]));
}

#[test]
fn a_copy_that_cannot_become_ready_is_removed_again() {
    let mut clusters = Clusters::new(3);
    clusters.stuck = Some("two");
    let (outcome, _) = run(&migration(Leaving::Delete), &mut clusters, &mut Luck::good(), |_, _, _| {});
    let reason = "not done within 1m: 0 of 1 replicas are ready in two".to_owned();
    assert_eq!(outcome, Applied::RolledBack { reason });
    assert!(clusters.servers.get(&place("two"), "Deployment", "web").is_none());
}

#[test]
fn a_number_of_replicas_is_set_once_and_can_be_taken_back() {
    let scale =
        Action::Scale { workload: "shop/web".parse().unwrap(), cluster: cluster("one"), from: 3, to: 6 };
    for seed in 0..100 {
        let mut clusters = Clusters::new(3);
        let mut luck = Luck { state: seed, bad: seed };
        let (outcome, _) = run(&task(&scale, |_| {}), &mut clusters, &mut luck, |_, _, _| {});
        assert_eq!((outcome, clusters.count("one", "/spec/replicas")), (Applied::Done, 6), "seed {seed}");
    }
    let mut stuck = Clusters::new(3);
    stuck.stuck = Some("one");
    let (outcome, progress) = run(&task(&scale, |_| {}), &mut stuck, &mut Luck::good(), |_, _, _| {});
    assert!(matches!(outcome, Applied::RolledBack { .. }), "{outcome:?}");
    assert_eq!(stuck.count("one", "/spec/replicas"), 3);
    assert!(steps(&progress).contains(&Step::TakingBack));
}

#[test]
fn pods_follow_their_node_selector() {
    let node = |name: &str| Spot::Node(NodeName::new(name).unwrap());
    let action = Action::Move {
        workload: "shop/web".parse().unwrap(),
        cluster: cluster("one"),
        from: node("n1"),
        to: node("n2"),
    };
    for seed in 0..50 {
        let mut clusters = Clusters::new(3);
        let (outcome, _) = run(
            &task(&action, |_| {}),
            &mut clusters,
            &mut Luck { state: seed, bad: seed * 2 },
            |_, _, _| {},
        );
        assert_eq!(outcome, Applied::Done);
        let web = clusters.servers.get(&place("one"), "Deployment", "web").unwrap();
        assert_eq!(
            web["spec"]["template"]["spec"]["nodeSelector"],
            json!({ "kubernetes.io/hostname": "n2" })
        );
    }
    let unknown = Action::Move {
        workload: "shop/web".parse().unwrap(),
        cluster: cluster("one"),
        from: node("n1"),
        to: Spot::Pool(PoolName::new("red").unwrap()),
    };
    let (outcome, _) = run(&task(&unknown, |_| {}), &mut Clusters::new(3), &mut Luck::good(), |_, _, _| {});
    let reason = "no node says by a label that it belongs to pool red".to_owned();
    assert_eq!(outcome, Applied::Failed { reason });
}

pub(super) fn resize(from: u32, to: u32) -> Task {
    let action =
        Action::ResizePool { cluster: cluster("one"), pool: PoolName::new("blue").unwrap(), from, to };
    task(&action, |manner| manner.resizing = Resizing::NodeObjects)
}

#[test]
fn a_node_goes_only_when_nothing_is_left_on_it() {
    for seed in 0..100 {
        let mut clusters = Clusters::new(0);
        let mut luck = Luck { state: seed, bad: seed };
        let (outcome, _) = run(&resize(2, 1), &mut clusters, &mut luck, |_, _, clusters| {
            for pod in clusters.servers.of(&place("one"), "Pod") {
                let node = pod["spec"]["nodeName"].as_str().unwrap();
                assert!(
                    clusters.servers.get(&place("one"), "Node", node).is_some(),
                    "its node is gone under it"
                );
            }
        });
        assert_eq!(
            (outcome, clusters.servers.of(&place("one"), "Node").count()),
            (Applied::Done, 1),
            "seed {seed}"
        );
    }
}

#[test]
fn a_pool_grows_by_exactly_what_was_approved_and_nobody_is_asked_who_cannot() {
    for seed in 0..100 {
        let mut clusters = Clusters::new(0);
        let (outcome, _) =
            run(&resize(2, 5), &mut clusters, &mut Luck { state: seed, bad: seed }, |_, _, _| {});
        assert_eq!(
            (outcome, clusters.servers.of(&place("one"), "Node").count()),
            (Applied::Done, 5),
            "seed {seed}"
        );
    }
    let mut given_up = Clusters::new(0);
    let (outcome, _) = run(&resize(2, 5), &mut given_up, &mut Luck::good(), |tick, course, _| {
        if tick == 3 {
            course.take_back("given up", Timestamp(tick * TICK));
        }
    });
    assert_eq!(outcome, Applied::RolledBack { reason: "given up".to_owned() });
    assert_eq!(given_up.servers.of(&place("one"), "Node").count(), 2);
    let mut refused = resize(2, 5);
    refused.manner.resizing = Resizing::Refused;
    let (outcome, _) = run(&refused, &mut Clusters::new(0), &mut Luck::good(), |_, _, _| {});
    assert!(
        matches!(outcome, Applied::Failed { reason } if reason.contains("say so in the settings of the pool"))
    );
}
