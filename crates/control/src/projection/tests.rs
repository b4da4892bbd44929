//! Tables: a federation, what is committed, and what the clusters look like afterwards.

use super::*;
use crate::testing::{World, action};
use model::time::Timestamp;

fn projected(world: &str, actions: &[&str]) -> Projection {
    let actions: Vec<Action> = actions.iter().map(|text| action(text)).collect();
    Projection::after(&World::new(world).snapshot(Timestamp::EPOCH), &actions)
}

/// `a 3/2 1w` is: in cluster a, three cores are requested, two have a node, and one pod waits.
fn shown(projection: &Projection) -> String {
    let cluster = |(name, cluster): (&ClusterName, &ProjectedCluster)| {
        let cores = |amount: Resources| amount.cpu.0 / 1_000;
        let (requested, allocated) = (cores(cluster.requested), cores(cluster.allocated));
        let free: u64 = cluster.room().iter().map(|room| cores(*room)).sum();
        // Node by node or hole by hole, nothing is lost and nothing appears.
        assert_eq!(free + allocated, cores(cluster.capacity), "{name}");
        format!("{name} {requested}/{allocated} {}w", cluster.pods_waiting())
    };
    projection.clusters.iter().map(cluster).collect::<Vec<_>>().join(", ")
}

#[track_caller]
fn check(world: &str, actions: &[&str], want: &str) {
    assert_eq!(shown(&projected(world, actions)), want);
}

const PAIR: &str = "cluster a 2x4\ncluster b 2x4\n";

fn pair(workloads: &str) -> String {
    format!("{PAIR}{workloads}")
}

#[test]
fn pods_go_to_nodes_and_not_to_sums() {
    // Six cores are free in b, but two on one node and four on the other.
    check(&pair("old 1 b=2\nweb 3 a=2"), &["migrate web x2 a b"], "a 0/0 0w, b 8/5 1w");
    check(
        "cluster a 2x4\ncluster b 2x4\nold 3 b=2\nweb 2 a=1",
        &["migrate web x1 a b"],
        "a 0/0 0w, b 8/6 1w",
    );
    check(&pair("old 3 b=2\nweb 1 a=3"), &["migrate web x3 a b"], "a 0/0 0w, b 9/8 1w");
}

#[test]
fn departures_leave_holes_of_their_size() {
    // Two holes of two cores are not one of four; a hole next to free room on the same node is not merged with it.
    check(&pair("old 2 a=4\nbig 4 b=1"), &["scale old a 4 2", "migrate big x1 b a"], "a 8/4 1w, b 0/0 0w");
    check(&pair("old 2 a=4\nweb 2 b=2"), &["scale old a 4 2", "migrate web x2 b a"], "a 8/8 0w, b 0/0 0w");
    // A hole takes as many pods as left it, because the free pod slots of its node are not known.
    check(&pair("old 2 a=4\nweb 1 b=4"), &["scale old a 4 2", "migrate web x4 b a"], "a 8/6 2w, b 0/0 0w");
}

#[test]
fn waiting_pods_take_the_room_that_others_leave() {
    let full = pair("old 2 a=4\nweb 2 a=0+2");
    check(&full, &[], "a 12/8 2w, b 0/0 0w");
    check(&full, &["migrate old x4 a b"], "a 4/4 0w, b 8/8 0w");
    check(&full, &["scale old a 4 3"], "a 10/8 1w, b 0/0 0w");
    // The waiting workload itself may leave, before or after some of its pods found room.
    check(&full, &["migrate web x2 a b"], "a 8/8 0w, b 4/4 0w");
    check(&full, &["scale old a 4 3", "migrate web x2 a b"], "a 6/6 0w, b 4/4 0w");
    check(&full, &["scale old a 4 3", "scale web a 2 1"], "a 8/8 0w, b 0/0 0w");
    check(&full, &["scale web a 2 0"], "a 8/8 0w, b 0/0 0w");
}

#[test]
fn nodes_that_come_take_pods_and_nodes_that_go_lose_them() {
    let full = "cluster a 2x4 min=0 max=9\nold 2 a=4\nweb 2 a=0+2";
    check(full, &["resize a 2 3"], "a 12/12 0w");
    // A node that goes is the emptiest; what it ran looks for room on the others.
    check("cluster a 3x4 min=0\nweb 1 a=5", &["resize a 3 2"], "a 5/5 0w");
    check("cluster a 3x4 min=0\nweb 1 a=9", &["resize a 3 2"], "a 9/8 1w");
    check("cluster a 1x4 min=0\nweb 1 a=3", &["resize a 1 0"], "a 3/0 3w");
    // Nodes that boot are counted with the first resize that names them.
    check("cluster a 1x4 max=3 booting=1\nweb 4 a=1+1", &[], "a 8/4 1w");
    check("cluster a 1x4 max=3 booting=1\nweb 4 a=1+1", &["resize a 2 2"], "a 8/8 0w");
}

#[test]
fn whoever_asks_for_billions_of_nodes_gets_those_that_may_be() {
    let full = "cluster a 2x4 min=0 max=3\nold 2 a=4\nweb 2 a=0+2";
    check(full, &["resize a 2 4294967295"], "a 12/12 0w");
    let unlimited = "cluster a 2x4 min=0 max=4294967295 booting=4294967295\nold 2 a=4\nweb 2 a=0+2";
    let projection = projected(unlimited, &["resize a 2 4294967295"]);
    let cluster = projection.clusters.values().next().expect("a cluster");
    assert!(cluster.pods_waiting() == 0 && cluster.room().len() as u64 <= 2 + MOST_ROOMS);
}

#[test]
fn actions_that_fit_alone_may_not_fit_together() {
    let tight = "cluster a 2x4\ncluster b 1x4\nweb 1 a=3\ndb 2 a=1";
    check(tight, &["migrate web x3 a b"], "a 2/2 0w, b 3/3 0w");
    check(tight, &["migrate db x1 a b"], "a 3/3 0w, b 2/2 0w");
    check(tight, &["migrate web x3 a b", "migrate db x1 a b"], "a 0/0 0w, b 5/3 1w");
    check(tight, &["migrate db x1 a b", "migrate web x3 a b"], "a 0/0 0w, b 5/4 1w");
}

#[test]
fn an_action_that_shows_already_counts_once() {
    // A move: not begun, the target fills, the source empties, done.
    for world in [
        "web 1 a=2",
        "web 1 a=2 b=1/2 replicas=2",
        "web 1 a=2 b=2 replicas=2",
        "web 1 a=2/0 b=2",
        "web 1 a=1/0 b=1/2",
        "web 1 a=2/0 b=0/2",
        "web 1 b=2",
    ] {
        check(&pair(world), &["migrate web x2 a b"], "a 0/0 0w, b 2/2 0w");
    }
    // Pods that wait beside free room may wait for a reason that is not known here: they go on waiting.
    check(&pair("web 1 a=2 b=0+2 replicas=2"), &["migrate web x2 a b"], "a 0/0 0w, b 2/0 2w");
    for world in ["web 1 a=2", "web 1 a=2/5", "web 1 a=4/5", "web 1 a=5"] {
        check(&pair(world), &["scale web a 2 5"], "a 5/5 0w, b 0/0 0w");
    }
    for world in ["web 1 a=5", "web 1 a=5/2", "web 1 a=3/2", "web 1 a=2"] {
        check(&pair(world), &["scale web a 5 2"], "a 2/2 0w, b 0/0 0w");
    }
    for world in ["1x4 max=3", "1x4 max=3 booting=2", "2x4 max=3 booting=1", "3x4"] {
        check(&format!("cluster a {world}\nweb 4 a=1+2"), &["resize a 1 3"], "a 12/12 0w");
    }
}

#[test]
fn pods_beyond_the_wanted_replicas_are_on_their_way_out() {
    // A deleted workload, the source of a finished move, and what a rollout has too many.
    check(&pair("web 1 a=5/0"), &[], "a 0/0 0w, b 0/0 0w");
    check(&pair("web 1 a=2/0 b=2"), &[], "a 0/0 0w, b 2/2 0w");
    check(&pair("web 1 a=4/3"), &[], "a 3/3 0w, b 0/0 0w");
    // Those that wait go first.
    check(&pair("old 2 a=4\nweb 1 a=0+3/0"), &[], "a 8/8 0w, b 0/0 0w");
    check(&pair("old 1 a=6\nweb 1 a=2+2/3"), &[], "a 9/8 1w, b 0/0 0w");
    check(&pair("old 1 a=6\nweb 1 a=2+2/1"), &[], "a 7/7 0w, b 0/0 0w");
    // Others get their room, and pods that end never take it first.
    check(&pair("old 2 a=4/2\nweb 2 a=0+2"), &[], "a 8/8 0w, b 0/0 0w");
    check(&pair("old 2 a=4/3\nend 2 a=0+2/0\nweb 2 a=0+2"), &[], "a 10/8 1w, b 0/0 0w");
    // Where the number of pods does not follow from replicas, none of them is too many.
    check(&pair("daemonset/default/log 1 a=2/1\ncronjob/default/tick 1 a=3/1"), &[], "a 5/5 0w, b 0/0 0w");
    // A surplus does not travel.
    check(&pair("web 1 a=4/3"), &["migrate web x3 a b"], "a 0/0 0w, b 3/3 0w");
    check(&pair("web 1 a=2/0 b=2"), &["migrate web x2 b a"], "a 2/2 0w, b 0/0 0w");
}

#[test]
fn what_is_unknown_changes_nothing() {
    let world = pair("web 1 a=2");
    for unknown in [
        "migrate db x1 a b",
        "migrate web x2 b a",
        "migrate web x2 a a",
        "scale web c 0 2",
        "resize c 1 2",
        "resize a/other 1 2",
        "move web a n0 n1",
        "keep web a",
    ] {
        check(&world, &[unknown], "a 2/2 0w, b 0/0 0w");
    }
    // Pods in a cluster that is not seen count as there.
    let mut snapshot = World::new(&pair("web 1 a=2 b=1")).snapshot(Timestamp::EPOCH);
    let (name, hidden) = ("default/web".parse().unwrap(), ClusterName::new("b").unwrap());
    snapshot.clusters.remove(&hidden);
    assert_eq!(Projection::of(&snapshot).pods_in(&name, &hidden), 1);
}

#[test]
fn a_pending_pod_that_has_its_node_does_not_wait() {
    let mut snapshot = World::new("cluster a 1x4\nweb 1 a=2+2").snapshot(Timestamp::EPOCH);
    let (workload, cluster) = ("default/web".parse().unwrap(), ClusterName::new("a").unwrap());
    assert_eq!(Projection::of(&snapshot).clusters[&cluster].waiting_of(&workload), 2);
    let view = snapshot.clusters.get_mut(&cluster).unwrap();
    view.allocated = view.requested;
    assert_eq!(Projection::of(&snapshot).clusters[&cluster].waiting_of(&workload), 0);
}

#[test]
fn impact_tells_load_waiting_pods_and_cost_before_and_after() {
    let check = |text: &str, want: &str| {
        let world = "cluster a 2x4 min=0 max=9\ncluster b 1x4\nweb 1 a=4+1";
        let (before, change) = (projected(world, &[]), action(text));
        let mut after = before.clone();
        after.apply(&change);
        let impact = before.impact(&after, &change);
        let clusters = impact.clusters.iter().map(|(name, cluster)| {
            let (load, pending) = (cluster.load_after, cluster.pending_after);
            let own = cluster.workload.map_or(String::new(), |WorkloadImpact { before, after }| {
                format!(" (web {}+{} -> {}+{})", before.running, before.waiting, after.running, after.waiting)
            });
            format!("{name} {} {}w -> {load} {pending}w{own}", cluster.load_before, cluster.pending_before)
        });
        let cost = (impact.cost_per_hour_after.0 - impact.cost_per_hour_before.0) / 1_000;
        let clusters = clusters.collect::<Vec<_>>().join(", ");
        assert_eq!(format!("{clusters}; {} moved, {cost:+}", impact.pods_moved), want);
    };
    check(
        "migrate web x5 a b",
        "a 50.0 % 1w -> 0.0 % 0w (web 4+1 -> 0+0), b 0.0 % 0w -> 100.0 % 1w (web 0+0 -> 4+1); 5 moved, +0",
    );
    check("scale web a 5 2", "a 50.0 % 1w -> 25.0 % 0w (web 4+1 -> 2+0); 0 moved, +0");
    check("resize a 2 4", "a 50.0 % 1w -> 31.2 % 0w; 0 moved, +200");
    check("resize a 2 1", "a 50.0 % 1w -> 100.0 % 1w; 0 moved, -100");
}
