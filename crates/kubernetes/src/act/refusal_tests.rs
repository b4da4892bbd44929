//! What other people do while an action is carried out, and what must not be done because of it; one row for each.

use super::course::{Course, Move};
use super::member_tests::{Clusters, migration, node, place, pod, resize, task, web};
use super::order::Change;
use super::sight::{MemberSight, Object, Sight};
use super::task::{Next, Task};
use super::testing::{Luck, Pretended as _, TICK, cluster, run, timeouts};
use crate::clock::Wall;
use crate::settings::{Leaving, Resizing, Secret};
use crate::trouble::Trouble;
use control::world::Applied;
use model::action::{Action, Spot};
use model::names::NodeName;
use model::time::{Period, Timestamp};
use serde_json::{Value, json};
use std::time::Duration;

fn reason(outcome: Applied) -> String {
    match outcome {
        Applied::Failed { reason } | Applied::RolledBack { reason } => reason,
        Applied::Done => panic!("it was done"),
    }
}

fn nodes(clusters: &Clusters) -> Vec<Value> {
    clusters.servers.of(&place("one"), "Node").cloned().collect()
}

fn edit(clusters: &mut Clusters, kind: &'static str, name: &str, change: impl FnOnce(&mut Value)) {
    let mut object = clusters.servers.get(&place("one"), kind, name).unwrap().clone();
    change(&mut object);
    let generation = object["metadata"]["generation"].as_u64().unwrap_or(0);
    object["metadata"]["generation"] = (generation + 1).into();
    clusters.servers.put(&place("one"), kind, object);
}

#[test]
fn a_pool_of_another_size_than_was_approved_is_left_alone() {
    let check = |from: u32, to: u32, found: u32| {
        let mut clusters = Clusters::new(0);
        for number in 3..=found {
            clusters.servers.put(&place("one"), "Node", node(&format!("n{number}")));
        }
        let (outcome, _) = run(&resize(from, to), &mut clusters, &mut Luck::good(), |_, _, _| {});
        let want = format!("the pool blue has {found} nodes, not {from} as was approved");
        assert_eq!(outcome, Applied::Failed { reason: want });
        assert_eq!(nodes(&clusters).len() as u32, found);
    };
    check(6, 4, 10);
    check(3, 1, 2);
    check(2, 5, 3);
}

#[test]
fn nodes_that_need_not_go_any_more_serve_again() {
    let mut clusters = Clusters::new(0);
    for name in ["n3", "n4"] {
        clusters.servers.put(&place("one"), "Node", node(name));
    }
    clusters.servers.put(&place("one"), "Pod", pod("q", "n4"));
    let (outcome, _) = run(&resize(4, 2), &mut clusters, &mut Luck::good(), |tick, _, clusters| {
        if tick == 3 {
            clusters.servers.objects.remove(&(place("one"), "Node", "n1".to_owned()));
            clusters.servers.objects.remove(&(place("one"), "Node", "n2".to_owned()));
        }
    });
    assert_eq!(outcome, Applied::Done);
    let left = nodes(&clusters);
    assert_eq!(left.len(), 2);
    for node in left {
        assert_eq!(node["spec"]["unschedulable"], Value::Null, "{node}");
        assert_eq!(node["metadata"]["annotations"].as_object().map_or(0, serde_json::Map::len), 0, "{node}");
    }
}

#[test]
fn nodes_that_come_while_others_leave_are_not_taken_too() {
    let mut clusters = Clusters::new(0);
    clusters.servers.put(&place("one"), "Node", node("n3"));
    let (outcome, _) = run(&resize(3, 1), &mut clusters, &mut Luck::good(), |_, _, clusters| {
        if nodes(clusters).len() == 2 {
            clusters.servers.put(&place("one"), "Node", node("n9"));
        }
    });
    assert_eq!(reason(outcome), "somebody else changed the pool blue while nodes were leaving it");
    assert_eq!(nodes(&clusters).len(), 3, "one of the old ones has gone, and no other");
}

#[test]
fn a_node_with_a_pod_that_has_to_stay_is_not_chosen() {
    let check = |change: fn(&mut Value), on_node: fn(&mut Value), want: &str| {
        let mut clusters = Clusters::new(0);
        edit(&mut clusters, "Pod", "p", change);
        edit(&mut clusters, "Node", "n2", on_node);
        let (outcome, _) = run(&resize(2, 1), &mut clusters, &mut Luck::good(), |_, _, _| {});
        assert_eq!(outcome, Applied::Done, "{want}");
        assert_eq!(nodes(&clusters)[0]["metadata"]["name"], "n2", "the other one went: {want}");
        let mut both = Clusters::new(0);
        edit(&mut both, "Pod", "p", change);
        edit(&mut both, "Node", "n2", on_node);
        let (outcome, _) = run(&resize(2, 0), &mut both, &mut Luck::good(), |_, _, _| {});
        let told = reason(outcome);
        assert!(told.contains(want), "{told}");
        assert_eq!(nodes(&both).len(), 2, "{want}");
        assert!(nodes(&both).iter().all(|node| node["spec"]["unschedulable"].is_null()), "{want}");
    };
    let same = |_: &mut Value| {};
    check(
        |pod| drop(pod["metadata"]["ownerReferences"].take()),
        same,
        "the pod shop/p has no controller that would make it again",
    );
    check(
        |pod| {
            pod["metadata"]["annotations"] =
                json!({ "cluster-autoscaler.kubernetes.io/safe-to-evict": "false" });
        },
        same,
        "safe-to-evict=false",
    );
    check(
        |pod| pod["metadata"]["annotations"] = json!({ "karpenter.sh/do-not-disrupt": "true" }),
        same,
        "karpenter.sh/do-not-disrupt=true",
    );
    check(
        same,
        |node| {
            node["metadata"]["annotations"] =
                json!({ "cluster-autoscaler.kubernetes.io/scale-down-disabled": "true" });
        },
        "scale-down-disabled=true",
    );
}

#[test]
fn an_empty_node_is_looked_at_twice_before_it_goes() {
    let mut clusters = Clusters::new(0);
    let mut deleted_at = None;
    let mut cordoned_at = None;
    run(&resize(2, 1), &mut clusters, &mut Luck::good(), |tick, _, clusters| {
        let left = nodes(clusters);
        if left.iter().any(|node| node["spec"]["unschedulable"] == true) {
            cordoned_at.get_or_insert(tick);
            clusters.servers.objects.remove(&(place("one"), "Pod", "p".to_owned()));
        }
        if left.len() == 1 {
            deleted_at.get_or_insert(tick);
        }
    });
    let (cordoned_at, deleted_at) = (cordoned_at.unwrap(), deleted_at.unwrap_or(u64::MAX));
    assert!(deleted_at >= cordoned_at + 2, "cordoned at {cordoned_at}, gone at {deleted_at}");
}

fn steps_until_done(
    leaving: Leaving,
    meddle: impl FnMut(u64, &mut Course, &mut Clusters),
) -> (Applied, Clusters) {
    let mut clusters = Clusters::new(3);
    let (outcome, _) = run(&migration(leaving), &mut clusters, &mut Luck::good(), meddle);
    (outcome, clusters)
}

#[test]
fn a_source_that_changes_while_it_is_copied_is_kept() {
    let check = |change: fn(&mut Value)| {
        for leaving in [Leaving::Delete, Leaving::ScaleToZero] {
            let (outcome, clusters) = steps_until_done(leaving, |tick, _, clusters| {
                if tick == 3 {
                    edit(clusters, "Deployment", "web", change);
                }
            });
            assert_eq!(reason(outcome), "it was changed in one while it was copied");
            assert!(clusters.count("one", "/spec/replicas") >= 3, "{leaving:?}");
            assert!(clusters.servers.get(&place("two"), "Deployment", "web").is_none(), "{leaving:?}");
        }
    };
    check(|web| web["spec"]["replicas"] = 7.into());
    check(|web| web["spec"]["template"]["spec"]["containers"] = json!([{ "image": "newer" }]));
}

#[test]
fn what_somebody_else_makes_in_the_target_is_not_overwritten() {
    let mut clusters = Clusters::new(3);
    clusters.servers.put(&place("two"), "Namespace", json!({ "metadata": { "name": "shop" } }));
    let task = migration(Leaving::Delete);
    let Next::Give(order) = task.next(&clusters.sight(&task), Wall(0)).next else { panic!("no order") };
    assert!(matches!(order.change, Change::Create(_)), "{order}");
    clusters.servers.put(&place("two"), "Deployment", web(1));
    assert!(matches!(clusters.give(&order), Err(Trouble::Conflict(_))));
    // What an earlier move left there may be changed, but only as it was read.
    let mut left = web(0);
    left["metadata"]["annotations"] = json!({ super::task::STEP: "1.earlier" });
    clusters.servers.put(&place("two"), "Deployment", left);
    let Next::Give(order) = task.next(&clusters.sight(&task), Wall(0)).next else { panic!("no order") };
    clusters.disturb();
    assert!(matches!(clusters.give(&order), Err(Trouble::Conflict(_))));
}

#[test]
fn a_copy_that_was_removed_is_not_made_again() {
    let (outcome, clusters) = steps_until_done(Leaving::ScaleToZero, |tick, _, clusters| {
        if tick == 4 {
            clusters.servers.objects.remove(&(place("two"), "Deployment", "web".to_owned()));
        }
    });
    assert_eq!(reason(outcome), "somebody else removed it from two");
    assert_eq!((clusters.count("one", "/spec/replicas"), clusters.count("two", "/spec/replicas")), (3, 0));
}

fn relocation() -> Action {
    let node = |name: &str| Spot::Node(NodeName::new(name).unwrap());
    let workload = "shop/web".parse().unwrap();
    Action::Move { workload, cluster: cluster("one"), from: node("n1"), to: node("n2") }
}

#[test]
fn pods_are_not_moved_where_they_would_stop_first_or_somebody_would_undo_it() {
    let check = |change: fn(&mut Value), want: &str| {
        let mut clusters = Clusters::new(3);
        edit(&mut clusters, "Deployment", "web", change);
        let (outcome, _) = run(&task(&relocation(), |_| {}), &mut clusters, &mut Luck::good(), |_, _, _| {});
        let told = reason(outcome);
        assert!(told.contains(want), "{told}");
        let web = clusters.servers.get(&place("one"), "Deployment", "web").unwrap();
        assert_ne!(web["spec"]["template"]["spec"]["nodeSelector"]["kubernetes.io/hostname"], "n2", "{want}");
    };
    check(|web| web["spec"]["strategy"] = json!({ "type": "Recreate" }), "Recreate");
    check(|web| web["spec"]["strategy"] = json!({ "rollingUpdate": { "maxSurge": 0 } }), "maxSurge 0");
    check(|web| web["spec"]["strategy"] = json!({ "rollingUpdate": { "maxSurge": "0%" } }), "maxSurge 0");
    check(
        |web| web["metadata"]["labels"] = json!({ "argocd.argoproj.io/instance": "shop" }),
        "a repository owns it",
    );
    check(
        |web| web["spec"]["template"]["spec"]["nodeSelector"] = json!({ "kubernetes.io/hostname": "n9" }),
        "none of its pods is in node n1",
    );
    let set = Action::Move {
        workload: "statefulset/shop/web".parse().unwrap(),
        cluster: cluster("one"),
        from: Spot::Node(NodeName::new("n1").unwrap()),
        to: Spot::Node(NodeName::new("n2").unwrap()),
    };
    let (outcome, _) = run(&task(&set, |_| {}), &mut Clusters::new(3), &mut Luck::good(), |_, _, _| {});
    assert!(reason(outcome).contains("StatefulSet"));
}

#[test]
fn a_former_selector_that_is_lost_is_not_guessed() {
    let mut clusters = Clusters::new(3);
    edit(&mut clusters, "Deployment", "web", |web| {
        web["spec"]["template"]["spec"]["nodeSelector"] = json!({ "disk": "fast" });
    });
    let moved = task(&relocation(), |_| {});
    let (outcome, _) = run(&moved, &mut clusters, &mut Luck::good(), |tick, course, clusters| {
        if tick == 2 {
            edit(clusters, "Deployment", "web", |web| {
                web["metadata"]["annotations"]["drover.io/former-node-selector"].take();
            });
            course.take_back("given up", Timestamp(tick * TICK));
        }
    });
    assert!(reason(outcome).contains("set it by hand"));
    let web = clusters.servers.get(&place("one"), "Deployment", "web").unwrap();
    assert_eq!(web["spec"]["template"]["spec"]["nodeSelector"]["disk"], "fast");
}

fn scale() -> Task {
    let workload = "shop/web".parse().unwrap();
    task(&Action::Scale { workload, cluster: cluster("one"), from: 3, to: 6 }, |_| {})
}

#[test]
fn a_number_that_somebody_sets_back_is_not_ordered_again() {
    // Before it was seen that the number was set, and after.
    let said = [
        (3, "somebody else changed it while its number was being set; it has 3 replicas"),
        (4, "somebody else set it to 3 replicas after 6"),
    ];
    for (back_at, want) in said {
        let mut clusters = Clusters::new(3);
        let mut back = false;
        let (outcome, _) = run(&scale(), &mut clusters, &mut Luck::good(), |tick, _, clusters| {
            if tick >= back_at && !back && clusters.count("one", "/spec/replicas") == 6 {
                back = true;
                edit(clusters, "Deployment", "web", |web| web["spec"]["replicas"] = 3.into());
            }
        });
        assert_eq!(reason(outcome), want, "at {back_at}");
        assert_eq!(clusters.count("one", "/spec/replicas"), 3);
    }
}

/// What is held in the first cluster.
fn holding(sight: &mut Sight) -> &mut Value {
    let Ok(MemberSight { holding: Some(Object(web)), .. }) = sight.members.get_mut(&cluster("one")).unwrap()
    else {
        unreachable!("it is seen")
    };
    web
}

#[test]
fn a_number_that_somebody_else_owns_is_left_to_them() {
    let check = |change: fn(&mut Clusters, &mut Sight), want: &str| {
        let mut clusters = Clusters::new(3);
        let mut sight = clusters.sight(&scale());
        change(&mut clusters, &mut sight);
        let Next::End(outcome) = scale().next(&sight, Wall(0)).next else { panic!("{want}: not refused") };
        let told = reason(outcome);
        assert!(told.contains(want), "{told}");
    };
    check(
        |_, sight| {
            holding(sight)["metadata"]["labels"] = json!({ "kustomize.toolkit.fluxcd.io/name": "shop" });
        },
        "a repository owns it",
    );
    check(
        |_, sight| {
            let template = Object(web(3));
            let autoscaler = Some("FederatedHPA web".to_owned());
            sight.karmada = Some(Ok(super::sight::KarmadaSight {
                template: Some(template),
                autoscaler,
                ..super::sight::KarmadaSight::default()
            }));
        },
        "the FederatedHPA web sets its replicas",
    );
}

fn machines(replicas: u32) -> Object {
    Object(json!({ "metadata": { "name": "md" }, "spec": { "replicas": replicas } }))
}

/// A member with so many nodes, of which so many are ready, and something that keeps their number.
fn pool(holding: Option<Object>, there: u32, ready: u32) -> Sight {
    let nodes = (0..there).map(|number| {
        let mut node = node(&format!("n{number}"));
        if number >= ready {
            node["status"] = json!({});
        }
        Object(node)
    });
    let member = MemberSight { holding, nodes: nodes.collect(), ..MemberSight::default() };
    Sight { karmada: None, members: [(cluster("one"), Ok(member))].into() }
}

fn by(resizing: Resizing) -> Task {
    let mut task = resize(2, 4);
    task.manner.resizing = resizing;
    task
}

#[test]
fn a_pool_is_back_only_when_its_nodes_are() {
    let mut task = by(Resizing::MachineDeployment { namespace: "capi".to_owned(), name: "md".to_owned() });
    task.taking_back = Some("given up".to_owned());
    let next = |holding: u32, there: u32, ready: u32| {
        task.next(&pool(Some(machines(holding)), there, ready), Wall(0)).next
    };
    assert!(matches!(next(4, 4, 4), Next::Give(_)));
    assert!(matches!(next(2, 4, 4), Next::Wait(_)), "two machines are still going");
    assert!(matches!(next(2, 2, 1), Next::Wait(_)), "one is not ready");
    assert!(matches!(next(2, 2, 2), Next::End(Applied::RolledBack { .. })));
    assert!(matches!(next(9, 9, 9), Next::End(Applied::Failed { .. })), "somebody else wants nine");
}

#[test]
fn machines_that_somebody_takes_away_again_are_not_asked_for_twice() {
    let mut task = by(Resizing::MachineDeployment { namespace: "capi".to_owned(), name: "md".to_owned() });
    task.begun = true;
    let next = task.next(&pool(Some(machines(2)), 2, 2), Wall(0)).next;
    assert!(
        matches!(&next, Next::End(Applied::Failed { reason }) if reason.contains("somebody else")),
        "{next:?}"
    );
}

#[test]
fn karpenter_is_told_a_number_only_where_it_keeps_one() {
    let task = by(Resizing::NodePool { name: "spot".to_owned() });
    let next = |spec: Value| task.next(&pool(Some(Object(json!({ "spec": spec }))), 2, 2), Wall(0)).next;
    let refused = |spec: Value, want: &str| {
        let Next::End(outcome) = next(spec) else { panic!("{want}: not refused") };
        let told = reason(outcome);
        assert!(told.contains(want), "{told}");
    };
    refused(json!({ "limits": { "cpu": "100" } }), "has no spec.replicas");
    refused(json!({ "replicas": 2, "limits": { "nodes": "3" } }), "has a limit of 3 nodes");
    refused(json!({ "replicas": 3 }), "asks for 3 nodes, not 2");
    let Next::Give(order) = next(json!({ "replicas": 2, "limits": { "nodes": 4 } })) else {
        panic!("no order")
    };
    assert!(
        matches!(&order.change, Change::Merge { patch, .. } if patch["spec"]["replicas"] == 4),
        "{order:?}"
    );
    let done = task.next(&pool(Some(Object(json!({ "spec": { "replicas": 4 } }))), 4, 4), Wall(0)).next;
    assert_eq!(done, Next::End(Applied::Done));
}

#[test]
fn a_webhook_is_told_once_and_judged_by_the_nodes() {
    let resizing =
        Resizing::Webhook { url: "https://nodes.example.org/".to_owned(), secret: Secret::new("s") };
    let mut course = Course::begin(by(resizing), timeouts(), Timestamp(0));
    let key = |next: Move| match next {
        Move::Give(order) => match order.change {
            Change::Call { key, body, .. } => (key, body["to"].as_u64().unwrap()),
            other => panic!("{other:?}"),
        },
        other => panic!("{other:?}"),
    };
    let first = key(course.judge(&pool(None, 2, 2), Timestamp(1), Wall(0)));
    course.answered(&Err(Trouble::Unclear("no answer".to_owned())), Timestamp(2));
    let second = key(course.judge(&pool(None, 2, 2), Timestamp(3), Wall(0)));
    assert_eq!((&first, first.1), (&second, 4), "the same key for the same wish");
    course.answered(&Ok(()), Timestamp(4));
    assert!(matches!(course.judge(&pool(None, 3, 2), Timestamp(5), Wall(0)), Move::LookAgain(_)));
    course.take_back("given up", Timestamp(6));
    let back = key(course.judge(&pool(None, 3, 2), Timestamp(7), Wall(0)));
    assert_eq!((back.1, back.0 == first.0), (2, false));
    course.answered(&Ok(()), Timestamp(8));
    assert!(matches!(course.judge(&pool(None, 3, 3), Timestamp(9), Wall(0)), Move::LookAgain(_)));
    let end = course.judge(&pool(None, 2, 2), Timestamp(10_000), Wall(0));
    assert_eq!(end, Move::End(Applied::RolledBack { reason: "given up".to_owned() }));
}

#[test]
fn a_busy_server_is_left_alone_for_as_long_as_it_says() {
    let mut course = Course::begin(scale(), timeouts(), Timestamp(0));
    let busy = |seconds: u64| {
        Err(Trouble::Busy { text: "too many requests".to_owned(), after: Some(Duration::from_secs(seconds)) })
    };
    assert_eq!(course.answered(&busy(7), Timestamp(1)), Move::LookAgain(Period::from_secs(7)));
    assert_eq!(course.answered(&busy(3_600), Timestamp(2)), Move::LookAgain(Period::from_minutes(1)));
    let silent = Err(Trouble::Busy { text: "too many requests".to_owned(), after: None });
    let waits: Vec<Move> = (3..6).map(|at| course.answered(&silent, Timestamp(at))).collect();
    let longer = |pair: &[Move]| matches!(pair, [Move::LookAgain(one), Move::LookAgain(two)] if one < two);
    assert!(waits.windows(2).all(longer), "{waits:?}");
}

#[test]
fn readiness_counts_only_when_it_lasts() {
    let object = |ready: u32, available: u32| {
        Object(json!({ "metadata": { "generation": 1 }, "spec": { "replicas": 3, "minReadySeconds": 30 },
            "status": { "observedGeneration": 1, "updatedReplicas": 3, "readyReplicas": ready, "availableReplicas": available } }))
    };
    assert!(!object(3, 2).is_ready(), "one of them is not ready for as long as its owner asks for");
    assert!(object(3, 3).is_ready());
}
