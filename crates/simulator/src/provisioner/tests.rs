//! The rules as tables, with numbers worked out by hand from upstream's rules.

use super::candidates::eviction_cost;
use super::fixture::{Fleet, PLAIN};
use super::*;
use crate::autoscaler::Removing;
use crate::autoscaler::fixture::{replica, seconds};
use crate::autoscaler::{BudgetId, PodTraits};
use crate::controllers::int_or_percent::IntOrPercent::{self, Count, Percent};
use crate::scheduler::NodeId;
use model::time::Period;
use serde_json::json;

/// 2 cores for 10 cents, 8 for 30, 16 for 90.
const TYPES: [(&str, i64, i64, i64); 3] =
    [("small", 2000, 64_000, 100), ("large", 8000, 64_000, 300), ("huge", 16_000, 64_000, 900)];

fn names(launched: &[(String, Option<u32>)]) -> Vec<&str> {
    launched.iter().map(|(name, _)| name.as_str()).collect()
}

/// Sizes and counts of pods that wait, and the nodes ordered for them.
type Order = (&'static [(i64, u32)], &'static [&'static str]);

#[test]
fn waiting_pods_get_the_cheapest_nodes_that_take_them() {
    let rows: [Order; 9] = [
        (&[(1000, 1)], &["small"]),
        (&[(1000, 2)], &["small"]),
        // A claim grows as long as any type takes it; that two small nodes would be cheaper is not seen.
        (&[(1000, 3)], &["large"]),
        (&[(1000, 8)], &["large"]),
        (&[(1000, 9)], &["huge"]),
        (&[(1000, 17)], &["huge", "small"]),
        // The largest pod first, and the small one beside it.
        (&[(500, 1), (7000, 1)], &["large"]),
        (&[(9000, 2)], &["huge", "huge"]),
        (&[(17_000, 1)], &[]),
    ];
    for (pods, want) in rows {
        let mut fleet = Fleet::new(&TYPES);
        for &(cpu, count) in pods {
            fleet.wait(cpu, count);
        }
        let (launched, _) = fleet.provision();
        assert_eq!(names(&launched), want, "{pods:?}");
    }
}

#[test]
fn nodes_that_are_there_or_coming_are_filled_first() {
    let mut fleet = Fleet::new(&TYPES);
    fleet.node(1, &[6000]);
    fleet.coming = vec![OfferingId(0)];
    fleet.wait(1000, 5);
    let (launched, done) = fleet.provision();
    // Two on the large node, two on the small one that boots, one on a new one.
    assert_eq!(names(&launched), ["small"]);
    assert_eq!((done.fit_already, done.helped, done.not_helped), (4, 1, 0));
}

#[test]
fn pods_of_nodes_that_go_need_a_place_too() {
    let mut fleet = Fleet::new(&TYPES);
    let node = fleet.node(1, &[3000]);
    fleet.cluster.nodes[0].removing = Some(Removing::Draining);
    fleet.wait(5000, 1);
    assert_eq!(names(&fleet.provision().0), ["large"], "both fit on one");
    let stopping = PodDisruption { reschedulable: false, active: false, ..PLAIN };
    let pod = fleet.cluster.state.pods_on(node)[0];
    fleet.disruption.insert(pod, stopping);
    fleet.wait(3000, 1);
    assert_eq!(names(&fleet.provision().0), ["large"], "its successor waits already");
    for held in [PodDisruption { do_not_disrupt: true, ..PLAIN }, PLAIN] {
        let mut fleet = Fleet::new(&TYPES);
        let node = fleet.node(1, &[]);
        fleet.cluster.nodes[0].removing = Some(Removing::Draining);
        fleet.cluster.budgets = vec![u32::from(held.do_not_disrupt)];
        let template = fleet.cluster.template(3000, 1);
        let pod = fleet.cluster.run(template, node, PodTraits { budget: Some(BudgetId(0)), ..replica() });
        fleet.disruption.insert(pod, held);
        fleet.wait(7000, 1);
        assert_eq!(names(&fleet.provision().0), ["large"], "nobody knows when a pod that is held will move");
    }
}

#[test]
fn limits_and_sizes_are_kept() {
    let within = |limits: NodePoolLimits, room: u32, pods: u32| {
        let mut fleet = Fleet::new(&TYPES);
        fleet.config.node_pools[0].limits = limits;
        fleet.cluster.groups[2].maximum = room;
        fleet.wait(1000, pods);
        let (launched, done) = fleet.provision();
        (names(&launched).join(" "), done.not_helped)
    };
    let none = NodePoolLimits::default();
    let cpu = |cores: i64| NodePoolLimits { cpu: Some(cores * 1000), ..none };
    let nodes = |count: u32| NodePoolLimits { nodes: Some(count), ..none };
    // A claim takes as much of the limit as its largest type has: 8 of 10 cores, which leaves room for a small one.
    let rows = [
        (cpu(10), 9, 9, "large small", 0),
        (cpu(10), 9, 11, "large small", 1),
        (cpu(1), 9, 1, "", 1),
        (NodePoolLimits { memory: Some(63_999 << 20), ..none }, 9, 1, "", 1),
        (nodes(1), 9, 17, "huge", 1),
        (nodes(0), 9, 1, "", 1),
        // No room in the pool of huge nodes.
        (none, 0, 9, "large small", 0),
    ];
    for (limits, room, pods, want, left) in rows {
        assert_eq!(within(limits, room, pods), (want.to_owned(), left), "{limits:?} {pods}");
    }
}

#[test]
fn heavier_node_pools_are_asked_first() {
    // Small and huge in a node pool of weight 1; large in another of this weight.
    for (weight, pod, want) in [(10, 1000, "large"), (0, 1000, "small"), (10, 9000, "huge")] {
        let mut fleet = Fleet::new(&TYPES);
        let first = NodePool { weight: 1, ..NodePool::default() };
        fleet.config.node_pools = vec![first, NodePool { weight, ..NodePool::default() }];
        fleet.catalogue.offerings[1].node_pool = 1;
        fleet.wait(pod, 1);
        assert_eq!(names(&fleet.provision().0), [want], "{weight}");
    }
}

#[test]
fn preferences_count_until_nothing_fits() {
    let wish = json!({ "affinity": { "nodeAffinity": { "preferredDuringSchedulingIgnoredDuringExecution": [{
        "weight": 1, "preference": { "matchExpressions": [{ "key": "tier", "operator": "In", "values": ["gold"] }] },
    }] } } });
    // Whether large nodes are gold, may be ordered, small ones ask to be left alone; and what is ordered.
    let rows = [
        (true, true, false, "large"),
        (true, false, false, "small"),
        (false, true, false, "small"),
        (false, true, true, "large"),
        (false, false, true, "small"),
    ];
    for (gold, room, shy, want) in rows {
        let mut fleet = Fleet::new(&TYPES[..2]);
        fleet.catalogue.offerings.clear();
        if gold {
            let labels = &mut fleet.cluster.groups[1].template.metadata.labels;
            labels.insert("tier".to_owned(), "gold".to_owned());
        }
        if shy {
            let taint = json!({ "key": "old", "effect": "PreferNoSchedule" });
            fleet.cluster.groups[0].template.spec.taints.push(serde_json::from_value(taint).unwrap());
        }
        fleet.cluster.groups[1].maximum = u32::from(room);
        fleet.offer(0, None, 0);
        fleet.offer(1, None, 0);
        let template = fleet.template(1000, 1, &wish);
        fleet.cluster.wait(template, 1);
        assert_eq!(names(&fleet.provision().0), [want], "{gold} {room} {shy}");
    }
}

#[test]
fn nodes_are_ordered_in_the_zone_that_spreading_needs() {
    let spread = json!({ "topologySpreadConstraints": [{
        "maxSkew": 1, "topologyKey": "topology.kubernetes.io/zone", "whenUnsatisfiable": "DoNotSchedule",
        "labelSelector": { "matchLabels": { "app": "a" } },
    }] });
    for (spec, want) in [(spread, vec![Some(0), Some(1)]), (json!({}), vec![None])] {
        let mut fleet = Fleet::new(&TYPES[1..2]);
        fleet.catalogue.offerings.clear();
        fleet.offer(0, Some((0, "a")), 0);
        fleet.offer(0, Some((1, "b")), 0);
        let template = fleet.template(1500, 1, &spec);
        fleet.cluster.wait(template, 2);
        let zones: Vec<_> = fleet.provision().0.into_iter().map(|(_, zone)| zone).collect();
        assert_eq!(zones, want, "one node takes both unless they must be apart: {spec}");
    }
}

#[test]
fn evicting_a_pod_costs_by_its_owner_and_priority() {
    let rows = [
        (0, 0, 1.0),
        (1 << 27, 0, 2.0),
        (-(1 << 27), 0, 0.0),
        (i32::MAX, 0, 10.0),
        (i32::MIN, 0, -10.0),
        (0, 1 << 25, 2.0),
        (0, 1 << 24, 1.5),
        (0, 2_000_000_000, 10.0),
        (-(1 << 28), 1 << 25, 0.0),
    ];
    for (deletion_cost, priority, want) in rows {
        assert_eq!(eviction_cost(deletion_cost, priority), want, "{deletion_cost} {priority}");
    }
}

#[test]
fn a_budget_is_a_share_rounded_up_less_what_is_under_way() {
    // Budget, nodes, nodes on their way out, and how many empty ones go.
    let rows: [(IntOrPercent, usize, usize, usize); 10] = [
        (Percent(10), 1, 0, 1),
        (Percent(10), 10, 0, 1),
        (Percent(10), 11, 0, 2),
        (Percent(10), 25, 0, 3),
        (Percent(10), 25, 2, 1),
        (Percent(10), 25, 3, 0),
        (Percent(0), 25, 0, 0),
        (Count(0), 25, 0, 0),
        (Count(7), 25, 1, 6),
        (Percent(100), 5, 0, 5),
    ];
    for (budget, nodes, leaving, want) in rows {
        let mut fleet = Fleet::new(&TYPES);
        fleet.config.node_pools[0].budget = budget;
        for index in 0..nodes {
            fleet.node(0, &[]);
            fleet.cluster.nodes[index].removing = (index < leaving).then_some(Removing::Empty);
        }
        let gone = fleet.consolidate().map_or(0, |(gone, _)| gone.len());
        assert_eq!(gone, want, "{budget:?} of {nodes}");
    }
}

#[test]
fn a_pool_keeps_its_minimum() {
    for (minimum, want) in [(0, 3), (2, 1), (3, 0)] {
        let mut fleet = Fleet::new(&TYPES);
        fleet.config.node_pools[0].budget = Percent(100);
        for _ in 0..3 {
            fleet.node(0, &[]);
        }
        fleet.cluster.groups[0].minimum = minimum;
        assert_eq!(fleet.consolidate().map_or(0, |(gone, _)| gone.len()), want, "{minimum}");
    }
}

/// Nodes by type and pods, the nodes that go, and what comes instead.
type Move = (&'static [(usize, &'static [i64])], Option<(&'static [usize], Option<&'static str>)>);

#[test]
fn nodes_go_if_their_pods_fit_elsewhere_or_on_one_cheaper_node() {
    let rows: [Move; 9] = [
        // The pod of the first fits beside that of the second. One large node for both would be their like.
        (&[(1, &[1000]), (1, &[4000])], Some((&[0], None))),
        // A small node instead of a large one; not if the pod is too large for it.
        (&[(1, &[1000])], Some((&[0], Some("small")))),
        (&[(1, &[3000])], None),
        // One small node instead of two large ones.
        (&[(1, &[1000]), (1, &[1000])], Some((&[0, 1], Some("small")))),
        // Three at once: two pods fit beside the third, whose node is the cheapest and stays.
        (&[(1, &[500]), (1, &[500]), (0, &[500])], Some((&[0, 1], None))),
        // No room, nothing cheaper.
        (&[(0, &[500]), (1, &[7800])], None),
        // Two nodes of 2 cores would be cheaper than one of 8 but are never made of one.
        (&[(1, &[1500, 1500])], None),
        // The dearest for its pods goes first.
        (&[(0, &[1000]), (2, &[1000]), (0, &[])], Some((&[2], None))),
        (&[(0, &[1000]), (2, &[1000])], Some((&[1], None))),
    ];
    for (nodes, want) in rows {
        let mut fleet = Fleet::new(&TYPES);
        fleet.config.node_pools[0].budget = Percent(100);
        let ids: Vec<NodeId> = nodes.iter().map(|(group, pods)| fleet.node(*group, pods)).collect();
        let want = want.map(|(gone, instead)| {
            (gone.iter().map(|index| ids[*index]).collect::<Vec<_>>(), instead.map(str::to_owned))
        });
        assert_eq!(fleet.consolidate(), want, "{nodes:?}");
    }
}

#[test]
fn several_nodes_go_at_once_as_far_as_the_budget_allows() {
    // Nine nodes with a pod of half a core each, and one with room for all of them.
    for (budget, want) in
        [(Percent(10), 1), (Percent(20), 2), (Percent(50), 5), (Percent(90), 9), (Count(0), 0)]
    {
        let mut fleet = Fleet::new(&TYPES);
        for _ in 0..9 {
            fleet.node(0, &[500]);
        }
        let huge = fleet.node(2, &[6000]);
        fleet.pod(huge, 1, PodDisruption { do_not_disrupt: true, ..PLAIN });
        fleet.config.node_pools[0].budget = budget;
        let gone = fleet.consolidate().map_or(0, |(gone, _)| gone.len());
        assert_eq!(gone, want, "{budget:?}");
    }
}

#[test]
fn as_many_nodes_go_together_as_the_others_and_one_new_node_can_replace() {
    // Ten small nodes whose pods fill them, beside a large one that stays and has room for three of the pods.
    for (types, want) in [(1, None), (2, Some((10, Some("large".to_owned()))))] {
        let mut fleet = Fleet::new(&TYPES[..types]);
        fleet.config.node_pools[0].budget = Percent(100);
        for _ in 0..10 {
            fleet.node(0, &[1100]);
        }
        if types > 1 {
            let stays = fleet.node(1, &[4000]);
            fleet.pod(stays, 1, PodDisruption { do_not_disrupt: true, ..PLAIN });
        }
        // Seven pods fit on one new large node; ten nodes of 10 cents are dearer than one of 30.
        let found = fleet.consolidate().map(|(gone, instead)| (gone.len(), instead));
        assert_eq!(found, want);
    }
}

#[test]
fn nodes_are_left_alone_for_a_reason() {
    let spare = |change: fn(&mut Fleet, NodeId) -> Kept| {
        let mut fleet = Fleet::new(&TYPES);
        fleet.config.node_pools[0].budget = Percent(100);
        let node = fleet.node(1, &[1000]);
        let want = change(&mut fleet, node);
        let (_, kept) = fleet.disrupt(100);
        assert_eq!(kept, [(node, want)]);
        assert_eq!(fleet.consolidate(), None, "{want:?}");
    };
    spare(|fleet, _| {
        fleet.cluster.nodes[0].group = None;
        Kept::NotManaged
    });
    spare(|fleet, _| {
        fleet.cluster.nodes[0].removing = Some(Removing::Draining);
        Kept::BeingRemoved
    });
    spare(|fleet, _| {
        fleet.cluster.nodes[0].ready = false;
        Kept::NotReady
    });
    spare(|fleet, node| {
        let pod = fleet.pod(node, 1, PodDisruption { do_not_disrupt: true, ..PLAIN });
        Kept::DoNotDisrupt { pod }
    });
    spare(|fleet, node| {
        fleet.cluster.budgets = vec![0];
        let template = fleet.cluster.template(1, 1);
        let pod = fleet.cluster.run(template, node, PodTraits { budget: Some(BudgetId(0)), ..replica() });
        fleet.disruption.insert(pod, PLAIN);
        Kept::DisruptionBudget { pod }
    });
    spare(|fleet, _| {
        fleet.config.node_pools[0].consolidate_after = None;
        Kept::ConsolidationDisabled
    });
    spare(|fleet, node| {
        fleet.config.node_pools[0].consolidate_after = Some(Period::from_secs(30));
        fleet.quiet_since.insert(node, seconds(90));
        Kept::NotQuiet { until: seconds(120) }
    });
    spare(|fleet, _| {
        fleet.wait(1000, 1);
        // The pod is meant for the node for twice the longest batch.
        assert_eq!(fleet.provision().0, []);
        fleet.cluster.pending.clear();
        Kept::Nominated { until: seconds(120) }
    });
}

#[test]
fn a_stopping_pod_holds_nothing() {
    let mut fleet = Fleet::new(&TYPES);
    let node = fleet.node(1, &[]);
    fleet.pod(
        node,
        1000,
        PodDisruption { do_not_disrupt: true, active: false, reschedulable: false, ..PLAIN },
    );
    fleet.daemon(node, 100);
    assert_eq!(fleet.consolidate(), Some((vec![node], None)), "it is empty");
}

#[test]
fn policies_decide_what_may_go() {
    use ConsolidationPolicy::{Balanced, WhenEmpty, WhenEmptyOrUnderutilized};
    // An empty node, a node that another could take over, and what goes under each policy.
    let rows = [
        (WhenEmpty, true, Some(0)),
        (WhenEmpty, false, None),
        (WhenEmptyOrUnderutilized, true, Some(0)),
        (WhenEmptyOrUnderutilized, false, Some(1)),
        (Balanced, true, Some(0)),
        (Balanced, false, Some(1)),
    ];
    for (policy, has_empty, want) in rows {
        let mut fleet = Fleet::new(&TYPES);
        fleet.config.node_pools[0].policy = policy;
        let mut nodes = Vec::new();
        nodes.push(if has_empty { fleet.node(0, &[]) } else { fleet.node(0, &[1000]) });
        nodes.push(fleet.node(1, &[500]));
        let gone = fleet.consolidate().map(|(gone, _)| gone[0]);
        assert_eq!(gone, want.map(|index: usize| nodes[index]), "{policy:?} {has_empty}");
    }
}

#[test]
fn balanced_refuses_savings_that_are_too_small() {
    // Ten nodes of 30 cents with nine pods each, and a type that takes all of them for a little less.
    for (cheaper, policy, goes) in [
        (290, ConsolidationPolicy::WhenEmptyOrUnderutilized, true),
        // 1 cent of 3 dollars is 0.33 %, ten of a hundred parts of the disruption are 10 %.
        (290, ConsolidationPolicy::Balanced, false),
        // 15 cents are 5 %: half of 10 %.
        (150, ConsolidationPolicy::Balanced, true),
        (151, ConsolidationPolicy::Balanced, false),
    ] {
        let mut fleet = Fleet::new(&[("large", 8000, 64_000, 300), ("other", 8000, 64_000, cheaper)]);
        fleet.config.node_pools[0].policy = policy;
        for _ in 0..10 {
            fleet.node(0, &[880; 9]);
        }
        assert_eq!(fleet.consolidate().is_some(), goes, "{cheaper} {policy:?}");
    }
}

#[test]
fn spot_nodes_are_not_chased() {
    // Whether the node is spot, which types are, whether the gate is open; what comes instead of a large node.
    let rows = [
        ([false, false], false, Some("small")),
        ([true, false], false, Some("small")),
        // From spot to spot only with the gate, and then only with fifteen cheaper types.
        ([true, true], false, None),
        ([true, true], true, None),
        // Even if the cheaper type is no spot: the claim could have become spot.
        ([false, true], false, None),
    ];
    for (spot, gate, want) in rows {
        let mut fleet = Fleet::new(&TYPES[..2]);
        for (offering, spot) in fleet.catalogue.offerings.iter_mut().zip(spot) {
            offering.spot = spot;
        }
        fleet.config.spot_to_spot = gate;
        let node = fleet.node(1, &[1000]);
        let want = want.map(|name| (vec![node], Some(name.to_owned())));
        assert_eq!(fleet.consolidate(), want, "{spot:?} {gate}");
    }
    for (types, goes) in [(14, false), (15, true)] {
        let cheap: Vec<(&str, i64, i64, i64)> =
            (0..types).map(|price| ("t", 2000, 64_000, 100 + price)).collect();
        let mut fleet = Fleet::new(&cheap);
        fleet.cluster.groups.push(Fleet::new(&TYPES[1..2]).cluster.groups.remove(0));
        fleet.offer(types as usize, None, 0);
        fleet.catalogue.offerings.iter_mut().for_each(|offering| offering.spot = true);
        fleet.config.spot_to_spot = true;
        fleet.node(types as usize, &[1000]);
        assert_eq!(fleet.consolidate().is_some(), goes, "{types} cheaper types");
    }
}

#[test]
fn a_command_must_still_be_right_after_fifteen_seconds() {
    let fleet = || {
        let mut fleet = Fleet::new(&TYPES);
        let nodes = [fleet.node(1, &[1000]), fleet.node(1, &[6000])];
        assert_eq!(fleet.disrupt(100).0, None);
        assert_eq!(fleet.memory.validates_at(), Some(seconds(115)));
        assert_eq!(fleet.disrupt(110).0, None, "not yet");
        (fleet, nodes)
    };
    let goes = Command { reason: Reason::Underutilized, nodes: vec![], replacement: None };
    let (mut same, nodes) = fleet();
    assert_eq!(same.disrupt(115).0, Some(Command { nodes: vec![nodes[0]], ..goes }));
    let until = Kept::Nominated { until: seconds(135) };
    assert_eq!(same.disrupt(115).1, [(nodes[1], until)], "the pod will come to the other");

    let (mut fuller, nodes) = fleet();
    fuller.pod(nodes[1], 1500, PLAIN);
    let plan = fuller.disrupt(115).0;
    assert_eq!(plan, None, "a new node would be needed now");

    let (mut held, nodes) = fleet();
    held.pod(nodes[0], 1, PodDisruption { do_not_disrupt: true, ..PLAIN });
    assert_eq!(held.disrupt(115).0, None);

    let (mut frozen, _) = fleet();
    frozen.config.node_pools[0].budget = Count(0);
    assert_eq!(frozen.disrupt(115).0, None);

    // Of several empty nodes, those that stay empty go.
    let mut empty = Fleet::new(&TYPES);
    empty.config.node_pools[0].budget = Percent(100);
    let nodes = [empty.node(0, &[]), empty.node(0, &[])];
    empty.disrupt(100);
    empty.pod(nodes[0], 500, PLAIN);
    let command = empty.disrupt(115).0.unwrap();
    assert_eq!((command.reason, command.nodes), (Reason::Empty, vec![nodes[1]]));
}

#[test]
fn what_was_looked_at_in_vain_is_looked_at_again_when_something_changed() {
    let mut fleet = Fleet::new(&TYPES);
    let node = fleet.node(1, &[3000]);
    assert_eq!(fleet.disrupt(100).0, None);
    // A cheaper type appears, which nobody tells.
    let cheaper = Fleet::new(&[("mid", 4000, 64_000, 200)]).cluster.groups.remove(0);
    fleet.cluster.groups.push(cheaper);
    fleet.offer(3, None, 0);
    fleet.disrupt(110);
    assert_eq!(fleet.memory.validates_at(), None, "nothing changed that is watched");
    fleet.disrupt(399);
    assert_eq!(fleet.memory.validates_at(), None);
    fleet.disrupt(400);
    assert_eq!(fleet.memory.validates_at(), Some(seconds(415)), "after five minutes");
    let command = fleet.disrupt(415).0.unwrap();
    assert_eq!(command.nodes, [node]);

    let mut fleet = Fleet::new(&TYPES);
    fleet.node(1, &[3000]);
    fleet.disrupt(100);
    fleet.version += 1;
    fleet.node(1, &[1000]);
    fleet.disrupt(110);
    assert_eq!(fleet.memory.validates_at(), Some(seconds(125)));
}
