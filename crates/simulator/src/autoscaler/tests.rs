//! Whole scans over small clusters.

use super::fixture::{Cluster, Group, replica, seconds};
use super::*;
use crate::scheduler::{NodeId, PodId, Reason};
use model::time::Period;
use serde_json::json;

fn node_group() -> Group {
    Group::new("g", 4000, 16_384)
}

/// A node of four cores for each number, with so many pods of one core.
fn cluster_with(pods: &[u32]) -> (Cluster, Vec<NodeId>) {
    let mut cluster = Cluster::new(vec![node_group()]);
    let template = cluster.template(1000, 100);
    let nodes: Vec<_> = pods.iter().map(|_| cluster.add_node(0)).collect();
    for (&node, &count) in nodes.iter().zip(pods) {
        for _ in 0..count {
            cluster.run(template, node, replica());
        }
    }
    (cluster, nodes)
}

fn increases(decisions: &Decisions) -> Vec<(u32, u32)> {
    decisions.increase.iter().map(|one| (one.group.0, one.by)).collect()
}

fn kept(decisions: &Decisions, node: NodeId) -> Option<Kept> {
    let explanations = decisions.explanations.kept.iter();
    explanations.filter(|(one, _)| *one == node).map(|(_, kept)| *kept).next()
}

fn removed(decisions: &Decisions) -> Vec<NodeId> {
    decisions.remove.iter().map(|one| one.node).collect()
}

/// Scans until `until` seconds and returns the last scan's decisions.
fn scan_until(
    cluster: &Cluster,
    config: &AutoscalerConfig,
    memory: &mut AutoscalerMemory,
    until: u64,
) -> Decisions {
    for at in (0..until).step_by(10) {
        let decisions = cluster.scan(at, config, memory);
        assert_eq!(decisions.remove, [], "nothing goes before {until} s, but something did at {at} s");
    }
    cluster.scan(until, config, memory)
}

// Scale-up

#[test]
fn pods_ask_for_nodes_once_they_fit_nowhere() {
    // Pods of one core waiting, running on one node, nodes booting; nodes ordered, pods that fit already.
    let rows = [
        (0, 0, 0, 0, 0),
        (4, 0, 0, 0, 4),
        (5, 0, 0, 1, 4),
        (5, 4, 0, 2, 0),
        (5, 4, 1, 1, 4),
        (5, 4, 2, 0, 5),
        (41, 4, 1, 10, 4),
    ];
    for (waiting, running, booting, ordered, fit_already) in rows {
        let (mut cluster, _) = cluster_with(&[running]);
        let template = cluster.template(1000, 100);
        cluster.wait(template, waiting);
        cluster.groups[0].booting = vec![seconds(90); booting];
        cluster.groups[0].target += booting as u32;
        let mut memory = AutoscalerMemory::default();
        let decisions = cluster.scan(100, &AutoscalerConfig::default(), &mut memory);
        let want = if ordered > 0 { vec![(0, ordered)] } else { vec![] };
        assert_eq!(increases(&decisions), want, "{waiting} waiting, {running} running, {booting} booting");
        let outcome = &decisions.explanations.pending[0];
        assert_eq!(
            outcome.fit_already, fit_already,
            "{waiting} waiting, {running} running, {booting} booting"
        );
        assert_eq!((outcome.helped, outcome.not_helped), (waiting - fit_already, 0));
        assert_eq!(memory.last_scale_up, (ordered > 0).then_some(seconds(100)));
    }
}

#[test]
fn limits_cap_an_increase_and_say_so() {
    let limits = |maximum, max_nodes_total, max_nodes_per_scale_up| {
        let config =
            AutoscalerConfig { max_nodes_total, max_nodes_per_scale_up, ..AutoscalerConfig::default() };
        (maximum, config)
    };
    let no_group = |refusal| Some(NoHelp::NoGroup(vec![(GroupId(0), refusal)]));
    // One node is there and full; ten more are wanted.
    let rows = [
        (limits(100, None, 1000), vec![(0, 10)], None),
        (limits(4, None, 1000), vec![(0, 3)], no_group(GroupRefusal::LimitReached)),
        (limits(1, None, 1000), vec![], no_group(GroupRefusal::AtMaximum)),
        (limits(100, Some(6), 1000), vec![(0, 5)], no_group(GroupRefusal::LimitReached)),
        (limits(100, Some(1), 1000), vec![], Some(NoHelp::MaxNodesTotal)),
        (limits(100, None, 7), vec![(0, 7)], no_group(GroupRefusal::LimitReached)),
    ];
    for ((maximum, config), want, reason) in rows {
        let (mut cluster, _) = cluster_with(&[4]);
        let template = cluster.template(4000, 100);
        cluster.wait(template, 10);
        cluster.groups[0].maximum = maximum;
        let decisions = cluster.scan(100, &config, &mut AutoscalerMemory::default());
        assert_eq!(increases(&decisions), want);
        assert_eq!(decisions.explanations.pending[0].reason, reason);
    }
}

#[test]
fn pods_that_no_new_node_would_help_say_why() {
    let config = AutoscalerConfig::default();
    let check = |at: u64, spec: serde_json::Value, cpu: i64, priority: i32, want: NoHelp| {
        let (mut cluster, _) = cluster_with(&[4]);
        let template = cluster.special_template(cpu, 100, spec);
        cluster.wait(template, 2);
        cluster.pending[0].priority = priority;
        cluster.pending[0].oldest = seconds(100);
        let decisions = cluster.scan(at, &config, &mut AutoscalerMemory::default());
        assert_eq!(increases(&decisions), []);
        let want = PendingOutcome { not_helped: 2, reason: Some(want), ..Default::default() };
        assert_eq!(decisions.explanations.pending, [want]);
    };
    let refused = |reason| {
        let rejection = crate::scheduler::Rejection::unresolvable(reason);
        NoHelp::NoGroup(vec![(GroupId(0), GroupRefusal::NodeRefuses(rejection))])
    };
    check(101, json!({}), 1000, 0, NoHelp::TooNew);
    check(200, json!({}), 1000, -11, NoHelp::Expendable);
    check(200, json!({ "nodeSelector": { "disk": "fast" } }), 1000, 0, refused(Reason::NodeAffinity));
    let gated = json!({ "schedulingGates": [{ "name": "wait" }] });
    check(200, gated, 1000, 0, NoHelp::PodRefused(crate::scheduler::PodRejection::SchedulingGates));
}

#[test]
fn one_group_is_chosen_and_the_rest_waits_for_the_next_scan() {
    let mut cluster = Cluster::new(vec![node_group(), Group::new("large", 16_000, 65_536)]);
    let small = cluster.template(3000, 12_288);
    let large = cluster.template(10_000, 32_768);
    cluster.wait(small, 1);
    cluster.wait(large, 1);
    cluster.groups[1].maximum = 0;
    let mut memory = AutoscalerMemory::default();
    let decisions = cluster.scan(100, &AutoscalerConfig::default(), &mut memory);
    assert_eq!(increases(&decisions), [(0, 1)]);
    let refusals = match &decisions.explanations.pending[1].reason {
        Some(NoHelp::NoGroup(refusals)) => refusals.clone(),
        other => panic!("{other:?}"),
    };
    assert_eq!(refusals[1], (GroupId(1), GroupRefusal::AtMaximum));

    cluster.groups[1].maximum = 5;
    let decisions = cluster.scan(100, &AutoscalerConfig::default(), &mut memory);
    // The large node would waste 3 of 16 cores and 20 of 64 GiB, the small one a quarter of each: 0.5 against 0.5.
    let reason = IncreaseReason { pods: 1, options: 2, chosen_by: Some(Expander::Random) };
    assert_eq!(decisions.increase[0].reason, reason);
    let fewest = AutoscalerConfig { expanders: vec![Expander::LeastNodes], ..Default::default() };
    cluster.pending[1].count = 3;
    let decisions = cluster.scan(100, &fewest, &mut memory);
    assert_eq!(increases(&decisions), [(0, 1)]);
    assert_eq!(decisions.explanations.pending[1].reason, Some(NoHelp::Later));
}

#[test]
fn a_group_that_brings_no_nodes_is_left_alone() {
    let (mut cluster, _) = cluster_with(&[4]);
    let template = cluster.template(4000, 100);
    cluster.wait(template, 1);
    let (config, mut memory) = (AutoscalerConfig::default(), AutoscalerMemory::default());
    assert_eq!(increases(&cluster.scan(0, &config, &mut memory)), []);
    assert_eq!(increases(&cluster.scan(10, &config, &mut memory)), [(0, 1)]);
    cluster.groups[0].booting = vec![seconds(10)];
    cluster.groups[0].target += 1;
    // 15 minutes are granted.
    let decisions = cluster.scan(910, &config, &mut memory);
    assert_eq!((increases(&decisions), decisions.give_up), (vec![], vec![]));
    let decisions = cluster.scan(920, &config, &mut memory);
    assert_eq!(decisions.give_up, [GiveUp { group: GroupId(0), nodes: 1 }]);
    let until = seconds(920 + 300);
    let backed_off = NoHelp::NoGroup(vec![(GroupId(0), GroupRefusal::BackedOff { until })]);
    assert_eq!(decisions.explanations.pending[0].reason, Some(backed_off));
    cluster.groups[0].booting.clear();
    cluster.groups[0].target -= 1;
    assert_eq!(increases(&cluster.scan(1210, &config, &mut memory)), []);
    assert_eq!(increases(&cluster.scan(1220, &config, &mut memory)), [(0, 1)]);
    // The node comes: the failure is forgotten.
    let decisions = cluster.scan(1230, &config, &mut memory);
    assert_eq!(memory.backoff.len(), 0, "{decisions:?}");
}

#[test]
fn pods_of_a_node_being_drained_ask_for_room_too() {
    let (mut cluster, nodes) = cluster_with(&[4, 4]);
    cluster.nodes[1].removing = Some(Removing::Draining);
    cluster.groups[0].target -= 1;
    let config = AutoscalerConfig::default();
    let decisions = cluster.scan(100, &config, &mut AutoscalerMemory::default());
    assert_eq!(increases(&decisions), [(0, 1)]);
    // With room on the other node nothing is needed.
    let pods: Vec<PodId> = cluster.state.pods_on(nodes[0]).to_vec();
    for pod in pods {
        cluster.state.unassign(pod);
    }
    let decisions = cluster.scan(100, &config, &mut AutoscalerMemory::default());
    assert_eq!(increases(&decisions), []);
}

#[test]
fn pods_that_were_told_to_stop_are_not_counted_beside_their_successors() {
    let (mut cluster, _) = cluster_with(&[4, 4]);
    cluster.nodes[1].removing = Some(Removing::Draining);
    cluster.groups[0].target -= 1;
    // All four pods of the drained node are stopping, and their successors wait.
    for traits in &mut cluster.traits[4..] {
        traits.stopping = true;
    }
    let template = cluster.template(1000, 100);
    cluster.wait(template, 4);
    let decisions = cluster.scan(100, &AutoscalerConfig::default(), &mut AutoscalerMemory::default());
    assert_eq!(increases(&decisions), [(0, 1)], "four pods of one core need one node of four, not two");
}

#[test]
fn pods_for_one_zone_get_a_node_there() {
    let zone = |name: &str| serde_json::json!({ "nodeSelector": { "topology.kubernetes.io/zone": name } });
    for (wanted, nodes) in [("a", vec![(0, 1)]), ("b", vec![(0, 2)]), ("c", vec![])] {
        let mut group = node_group();
        group.in_zones(&["a", "b"]);
        let mut cluster = Cluster::new(vec![group]);
        let template = cluster.special_template(1000, 100, zone(wanted));
        cluster.wait(template, 1);
        let decisions = cluster.scan(100, &AutoscalerConfig::default(), &mut AutoscalerMemory::default());
        assert_eq!(increases(&decisions), nodes, "zone {wanted}");
    }
}

// Scale-down

#[test]
fn an_unneeded_node_goes_after_ten_minutes() {
    // Node 0 is full; node 1 has one core of four in use and node 0 takes no more; node 2 is empty.
    let (mut cluster, nodes) = cluster_with(&[3, 1, 0]);
    let (config, mut memory) = (AutoscalerConfig::default(), AutoscalerMemory::default());
    cluster.groups[0].minimum = 2;
    let decisions = scan_until(&cluster, &config, &mut memory, 600);
    assert_eq!(removed(&decisions), []);
    assert_eq!(kept(&decisions, nodes[2]), Some(Kept::UnneededSince(seconds(0))));
    let decisions = cluster.scan(610, &config, &mut memory);
    assert_eq!(removed(&decisions), [nodes[2]]);
    assert_eq!(decisions.remove[0].evict, []);
    assert_eq!(kept(&decisions, nodes[0]), Some(Kept::NotUnderutilised { utilisation: 0.75 }));
    // The empty node came first; the other would take the group below its minimum.
    assert_eq!(kept(&decisions, nodes[1]), Some(Kept::GroupAtMinimum));
    assert_eq!(memory.last_removal, Some(seconds(610)));
}

#[test]
fn a_node_must_be_unneeded_all_the_time() {
    let (mut cluster, nodes) = cluster_with(&[2, 0]);
    let (config, mut memory) = (AutoscalerConfig::default(), AutoscalerMemory::default());
    scan_until(&cluster, &config, &mut memory, 300);
    let template = cluster.template(2000, 100);
    let pod = cluster.run(template, nodes[1], replica());
    let decisions = cluster.scan(310, &config, &mut memory);
    assert_eq!(kept(&decisions, nodes[1]), Some(Kept::NotUnderutilised { utilisation: 0.5 }));
    cluster.state.unassign(pod);
    let decisions = cluster.scan(320, &config, &mut memory);
    assert_eq!(kept(&decisions, nodes[1]), Some(Kept::UnneededSince(seconds(320))));
    // Another node with the same number starts anew.
    cluster.nodes[1].created = seconds(400);
    let decisions = cluster.scan(400, &config, &mut memory);
    assert_eq!(kept(&decisions, nodes[1]), Some(Kept::UnneededSince(seconds(400))));
    // An unready node gets twenty minutes.
    cluster.nodes[1].ready = false;
    assert_eq!(removed(&cluster.scan(1010, &config, &mut memory)), []);
    assert_eq!(removed(&cluster.scan(1601, &config, &mut memory)), [nodes[1]]);
}

#[test]
fn nothing_goes_soon_after_nodes_came_or_a_removal_failed() {
    let (cluster, nodes) = cluster_with(&[2, 0]);
    let config = AutoscalerConfig::default();
    let rows = [
        (None, None, vec![nodes[1]], None),
        (Some(100), None, vec![], Some(Hold::AfterAdd { until: seconds(700) })),
        (Some(10), None, vec![nodes[1]], None),
        (None, Some(500), vec![], Some(Hold::AfterFailure { until: seconds(680) })),
    ];
    for (scale_up, failure, want, hold) in rows {
        let mut memory = AutoscalerMemory {
            last_scale_up: scale_up.map(seconds),
            last_removal_failure: failure.map(seconds),
            ..Default::default()
        };
        cluster.scan(0, &config, &mut memory);
        let decisions = cluster.scan(610, &config, &mut memory);
        assert_eq!(removed(&decisions), want);
        assert_eq!(decisions.explanations.scale_down_held, hold);
        if hold.is_some() {
            assert_eq!(kept(&decisions, nodes[1]), Some(Kept::Held));
        }
    }
}

#[test]
fn a_few_go_at_once_but_only_one_with_pods() {
    // Empty nodes, nodes with one pod each, removals under way (empty, draining); empty and drained nodes removed.
    let rows = [
        (3, 0, 0, 0, 3, 0),
        (15, 0, 0, 0, 10, 0),
        (15, 0, 4, 1, 5, 0),
        (2, 3, 0, 0, 2, 1),
        (2, 3, 0, 1, 2, 0),
        (10, 3, 0, 0, 10, 0),
    ];
    for (empty, used, emptying, draining, want_empty, want_drained) in rows {
        let mut pods = vec![0; empty];
        pods.extend(vec![1; used]);
        pods.extend(vec![0; emptying + draining]);
        // Nodes with half of their cores in use stay, and take the pods of others.
        pods.extend([2; 4]);
        let (mut cluster, nodes) = cluster_with(&pods);
        for index in 0..emptying + draining {
            let is_draining = index < draining;
            let kind = if is_draining { Removing::Draining } else { Removing::Empty };
            cluster.nodes[empty + used + index].removing = Some(kind);
        }
        let (config, mut memory) = (AutoscalerConfig::default(), AutoscalerMemory::default());
        cluster.scan(0, &config, &mut memory);
        let decisions = cluster.scan(610, &config, &mut memory);
        let drained = decisions.remove.iter().filter(|one| !one.evict.is_empty()).count();
        assert_eq!((decisions.remove.len() - drained, drained), (want_empty, want_drained), "{pods:?}");
        let is_candidate = |node: &NodeId| nodes[..empty + used].contains(node);
        assert!(removed(&decisions).iter().all(is_candidate));
    }
}

#[test]
fn a_node_stays_while_its_pods_cannot_move() {
    let bare = PodTraits { owner: PodOwner::Nobody, ..replica() };
    let budgeted = PodTraits { budget: Some(BudgetId(0)), ..replica() };
    let blocked = |because| Some(Kept::PodBlocks { pod: PodId(4), because });
    // What runs on the underused node, cores used on the other, disruptions allowed.
    let rows = [
        (replica(), 3, 0, None),
        (replica(), 4, 0, Some(Kept::NoPlace { pod: PodId(4) })),
        (bare, 3, 0, blocked(Blocking::NobodyReplacesIt)),
        (budgeted, 3, 0, blocked(Blocking::DisruptionBudget)),
        (budgeted, 3, 1, None),
    ];
    for (traits, used, allowed, want) in rows {
        let mut cluster = Cluster::new(vec![node_group()]);
        let (busy, quiet) = (cluster.add_node(0), cluster.add_node(0));
        let one_core = cluster.template(1000, 100);
        for _ in 0..4 {
            cluster.run(one_core, busy, replica());
        }
        for pod in used..4 {
            cluster.state.unassign(PodId(pod));
        }
        let pod = cluster.run(one_core, quiet, traits);
        cluster.budgets = vec![allowed];
        let (config, mut memory) = (AutoscalerConfig::default(), AutoscalerMemory::default());
        let first = cluster.scan(0, &config, &mut memory);
        let second = cluster.scan(610, &config, &mut memory);
        if let Some(want) = want {
            assert_eq!(kept(&first, quiet), Some(want));
            assert_eq!(removed(&second), []);
            let until = seconds(610 + 300);
            let again = cluster.scan(620, &config, &mut memory);
            assert_eq!(kept(&again, quiet), Some(Kept::RecentlyUnremovable { until }));
        } else {
            assert_eq!(removed(&second), [quiet]);
            assert_eq!(second.remove[0].evict, [pod]);
        }
    }
}

#[test]
fn pods_moved_in_thought_take_the_room_of_the_next() {
    // Two nodes with a core in use each, and one core free elsewhere: either can go, not both.
    let (cluster, nodes) = cluster_with(&[3, 1, 1]);
    let (config, mut memory) = (AutoscalerConfig::default(), AutoscalerMemory::default());
    let decisions = cluster.scan(0, &config, &mut memory);
    // The first moves to the free core or beside the second; the second then has one or two pods to move.
    let unneeded = [nodes[1], nodes[2]].map(|node| kept(&decisions, node));
    assert_eq!(unneeded[0], Some(Kept::UnneededSince(seconds(0))));
    assert!(matches!(unneeded[1], Some(Kept::NoPlace { .. })), "{unneeded:?}");
}

#[test]
fn daemons_neither_move_nor_hold_a_node() {
    for (ignore_daemons, want) in [(false, false), (true, true)] {
        let (mut cluster, nodes) = cluster_with(&[2, 1]);
        let daemon = cluster.template(1000, 100);
        for node in &nodes {
            cluster.run(daemon, *node, PodTraits { owner: PodOwner::Daemon, ..replica() });
        }
        // Node 1: two of four cores with the daemon, one of three without.
        let config = AutoscalerConfig { ignore_daemons, ..Default::default() };
        let mut memory = AutoscalerMemory::default();
        cluster.scan(0, &config, &mut memory);
        let decisions = cluster.scan(610, &config, &mut memory);
        let evicted: Vec<_> = decisions.remove.iter().map(|one| (one.node, one.evict.len())).collect();
        assert_eq!(evicted, if want { vec![(nodes[1], 1)] } else { vec![] });
    }
}

#[test]
fn nodes_that_are_not_ours_stay() {
    let (mut cluster, nodes) = cluster_with(&[2, 0, 0, 0]);
    cluster.nodes[1].group = None;
    cluster.nodes[2].scale_down_disabled = true;
    cluster.nodes[3].removing = Some(Removing::Empty);
    let decisions = cluster.scan(0, &AutoscalerConfig::default(), &mut AutoscalerMemory::default());
    let want = [Kept::NotAutoscaled, Kept::ScaleDownDisabled, Kept::BeingRemoved];
    assert_eq!([1, 2, 3].map(|index| kept(&decisions, nodes[index])), want.map(Some));
}

#[test]
fn too_many_unready_nodes_stop_everything() {
    // Unready of ten.
    for (unready, halts) in [(0, false), (3, false), (4, false), (5, true)] {
        let (mut cluster, _) = cluster_with(&[0; 10]);
        let template = cluster.template(4000, 100);
        cluster.wait(template, 20);
        cluster.nodes[..unready].iter_mut().for_each(|node| node.ready = false);
        let mut memory = AutoscalerMemory::default();
        memory.unneeded_since.insert(cluster.nodes[9].node, seconds(1));
        let decisions = cluster.scan(100, &AutoscalerConfig::default(), &mut memory);
        assert_eq!(decisions.explanations.halted.is_some(), halts, "{unready}");
        assert_eq!(decisions.increase.is_empty(), halts, "{unready}");
        assert_eq!(memory.unneeded_since.is_empty(), halts, "{unready}");
    }
}

#[test]
fn only_so_many_nodes_are_looked_at() {
    let (cluster, _) = cluster_with(&[0; 60]);
    let (config, mut memory) = (AutoscalerConfig::default(), AutoscalerMemory::default());
    for (scan, want) in [20, 40, 60, 60].into_iter().enumerate() {
        cluster.scan(scan as u64 * 10, &config, &mut memory);
        assert_eq!(memory.unneeded_since.len(), want);
    }
    let short = AutoscalerConfig { unneeded_for: Period::from_secs(10), ..config };
    let mut memory = AutoscalerMemory::default();
    cluster.scan(0, &short, &mut memory);
    cluster.scan(5, &short, &mut memory);
    assert_eq!(memory.unneeded_since.len(), 20, "ten in the one scan until they are due, and ten in reserve");
}

#[test]
fn the_cluster_is_copied_only_to_try_something() {
    // Cores used on two nodes, pods waiting; whether a copy is made.
    let rows = [([2, 2], 0, false), ([2, 0], 0, false), ([2, 1], 0, true), ([2, 2], 1, true)];
    for (used, waiting, copies) in rows {
        let (mut cluster, _) = cluster_with(&used);
        let template = cluster.template(1000, 100);
        if waiting > 0 {
            cluster.wait(template, waiting);
        }
        let config = AutoscalerConfig::default();
        cluster.view(|view| {
            let (mut memory, mut scratch) = (AutoscalerMemory::default(), Scratch::new(view));
            scale_up::scale_up(seconds(100), &config, view, &memory, &mut scratch, &mut |_| 0);
            scale_down::scale_down(seconds(100), &config, view, &mut memory, &mut scratch, None);
            assert_eq!(!std::ptr::eq(scratch.state(), view.state), copies, "{used:?}, {waiting} waiting");
        });
    }
}
