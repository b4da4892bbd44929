//! What holds for every federation, not only for those in the tables.

use super::{GrowPolicy, Planner, PlannerConfig};
use crate::testing::{Moment, actions, federation, shown};
use control::guardrails::{self, Ground, GuardrailConfig, MoveLog};
use control::projection::Projection;
use control::strategy::Strategy;
use model::action::Action;
use model::names::AgentName;
use model::snapshot::Snapshot;
use model::time::Period;
use proptest::prelude::{Just, ProptestConfig, any, prop, prop_assert, prop_assert_eq, prop_oneof, proptest};
use proptest::strategy::Strategy as Generates;
use std::fmt::Write;

fn clusters() -> impl Generates<Value = Vec<(u32, u32, u32, bool, bool)>> {
    prop::collection::vec((0..5_u32, 0..4_u32, 0..3_u32, any::<bool>(), prop::bool::weighted(0.1)), 1..5)
}

fn workloads() -> impl Generates<Value = Vec<(usize, u32, u64, u64, bool, u32)>> {
    prop::collection::vec(
        (0..4_usize, 0..6_u32, 1..40_u64, 1..60_u64, prop::bool::weighted(0.2), 0..3_u32),
        0..16,
    )
}

fn federations() -> impl Generates<Value = String> {
    (clusters(), workloads()).prop_map(|(clusters, workloads)| {
        let mut text = String::new();
        for (index, (nodes, more, fewer, auto, hidden)) in clusters.iter().enumerate() {
            let (minimum, maximum) = (nodes.saturating_sub(*fewer), nodes + more);
            write!(text, "c{index} {nodes} nodes min={minimum} max={maximum}").unwrap();
            text.push_str(if *auto { " auto" } else { "" });
            text.push_str(if *hidden { " hidden\n" } else { "\n" });
        }
        for (index, (cluster, pods, cpu, memory, pinned, priority)) in workloads.iter().enumerate() {
            let (cluster, cpu, memory) = (cluster % clusters.len(), cpu * 100, memory * 100);
            write!(text, "w{index} {pods}x{cpu}m/{memory}Mi c{cluster} priority={priority}").unwrap();
            text.push_str(if *pinned { " pinned\n" } else { "\n" });
        }
        text
    })
}

fn configs() -> impl Generates<Value = PlannerConfig> {
    let grow =
        prop_oneof![Just(GrowPolicy::Never), Just(GrowPolicy::ForPending), Just(GrowPolicy::ForLimits)];
    (grow, any::<bool>(), any::<bool>()).prop_map(|(grow, patient, shrink)| {
        let patience = if patient { Period::from_minutes(5) } else { Period::ZERO };
        PlannerConfig { grow, patience, shrink, shrink_patience: patience, ..PlannerConfig::default() }
    })
}

/// Pods without a node, then clusters above their limit.
fn trouble(config: &PlannerConfig, snapshot: &Snapshot, projection: &Projection) -> (u64, usize) {
    let seen = projection.clusters.iter().filter(|(name, _)| snapshot.gap_of_cluster(name).is_none());
    let seen: Vec<_> = seen.map(|(_, cluster)| cluster).collect();
    let over = seen.iter().filter(|cluster| cluster.demand() > config.max_load.ratio()).count();
    (seen.iter().map(|cluster| cluster.pods_waiting()).sum(), over)
}

fn check_guardrails(config: &PlannerConfig, moment: &Moment, snapshot: &Snapshot, plan: &[Action]) {
    let rules = GuardrailConfig {
        max_snapshot_age: Period::from_hours(2),
        max_load: Some(config.max_load.ratio()),
        max_pending: Some(config.max_pending.ratio()),
        cool_down: config.cool_down,
        moves_per_hour: None,
        freezes: Vec::new(),
        despite: std::collections::BTreeSet::new(),
    };
    let mut before = Projection::of(snapshot);
    let mut committed = Vec::new();
    for action in plan {
        let mut after = before.clone();
        after.apply(action);
        let agent = AgentName::new("planner").unwrap();
        let ground = Ground {
            now: moment.now,
            snapshot,
            before: &before,
            after: &after,
            committed: &committed,
            freezes: &[],
            agent: &agent,
            undoing: false,
            moves: &MoveLog::default(),
            config: &rules,
        };
        let verdict = guardrails::check(&ground, action);
        assert!(verdict.is_ok(), "{action} is refused: {verdict:?}");
        committed.push((None, action.clone()));
        before = after;
    }
}

/// How many further decisions propose something when every plan is committed at once.
fn rounds_until_rest(
    config: PlannerConfig,
    moment: &mut Moment,
    snapshot: &Snapshot,
    mut plan: Vec<Action>,
) -> u32 {
    for round in 0..10 {
        moment.committed.extend(plan);
        plan = actions(&Planner::new(config).decide(&moment.view(snapshot)));
        // Giving back nodes that a move has emptied is not restlessness.
        if plan.iter().all(is_shrink) {
            return round;
        }
    }
    10
}

fn is_shrink(action: &Action) -> bool {
    matches!(action, Action::ResizePool { from, to, .. } if to < from)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1_000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_plan_is_allowed_helps_and_comes_to_rest(text in federations(), config in configs()) {
        let snapshot = federation(&text);
        let mut moment = Moment::at("1h");
        let decision = Planner::new(config).decide(&moment.view(&snapshot));
        prop_assert_eq!(&Planner::new(config).decide(&moment.view(&snapshot)), &decision);
        let plan = actions(&decision);
        for (index, action) in plan.iter().enumerate() {
            let conflict = plan[..index].iter().any(|earlier| earlier.conflicts_with(action));
            prop_assert!(!conflict, "two actions on one thing: {}", shown(&decision));
        }
        check_guardrails(&config, &moment, &snapshot, &plan);
        let before = trouble(&config, &snapshot, &Projection::of(&snapshot));
        let after = trouble(&config, &snapshot, &Projection::after(&snapshot, &plan));
        // Without asking for nodes, pods may be sent to wait for the nodes that an autoscaler adds.
        if config.grow != GrowPolicy::Never {
            prop_assert!(after <= before, "{:?} became {:?}: {}", before, after, shown(&decision));
            let rounds = rounds_until_rest(config, &mut moment, &snapshot, plan);
            // A plan that restores all limits is the last one; where none can, the greedy search may think again.
            prop_assert!(rounds == 0 || after > (0, 0) && rounds < 4, "{} more after {}", rounds, shown(&decision));
        }
    }
}
