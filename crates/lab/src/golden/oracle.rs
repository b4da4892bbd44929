//! The best that moves alone can do in a case, found by trying everything that the guardrails allow.

use super::rules::{Cost, Rules};
use control::projection::Projection;
use model::action::Action;
use model::names::ClusterName;
use model::snapshot::{GapSubject, Snapshot};
use std::collections::BTreeMap;

/// More than this many placements are not tried: a case that has more is too large to be golden.
pub(super) const MOST_PLACEMENTS: usize = 20_000;

/// The best plan of a case.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Best {
    pub cost: Cost,
    /// One of the plans that cost so much.
    pub plan: Vec<Action>,
    /// How many placements can be reached at all.
    pub tried: usize,
}

/// Where each movable workload is: nothing, or the number of its target.
type Placement = Vec<Option<usize>>;

/// One way to a placement.
struct Way {
    projection: Projection,
    plan: Vec<Action>,
}

/// Tries every set of moves in every order that the guardrails let through, move by move.
///
/// Ways to the same placement differ only in how pods are packed; the one with fewest waiting pods goes on.
pub(super) fn best(rules: &Rules<'_>) -> Best {
    let moves = possible_moves(rules);
    let start = Way { projection: rules.start(), plan: Vec::new() };
    let mut best = Best { cost: rules.cost_of(start.projection.clone(), 0), plan: Vec::new(), tried: 1 };
    let mut layer: BTreeMap<Placement, Way> = BTreeMap::from([(vec![None; moves.len()], start)]);
    while !layer.is_empty() {
        layer = further(rules, &moves, &layer);
        best.tried += layer.len();
        assert!(best.tried <= MOST_PLACEMENTS, "a golden case is too large to try everything");
        for way in layer.values() {
            let cost = rules.cost_of(way.projection.clone(), way.plan.len() as u64);
            if cost < best.cost {
                (best.cost, best.plan) = (cost, way.plan.clone());
            }
        }
    }
    best
}

/// All placements that are one move away from these.
fn further(
    rules: &Rules<'_>,
    moves: &[Vec<Action>],
    layer: &BTreeMap<Placement, Way>,
) -> BTreeMap<Placement, Way> {
    let mut next: BTreeMap<Placement, Way> = BTreeMap::new();
    for (placement, way) in layer {
        for (index, targets) in moves.iter().enumerate().filter(|(index, _)| placement[*index].is_none()) {
            for (target, action) in targets.iter().enumerate() {
                let Ok(projection) = rules.refusal(&way.projection, &way.plan, action) else { continue };
                let mut placement = placement.clone();
                placement[index] = Some(target);
                let mut plan = way.plan.clone();
                plan.push(action.clone());
                let better = next
                    .get(&placement)
                    .is_none_or(|known| waiting(&projection) < waiting(&known.projection));
                if better {
                    next.insert(placement, Way { projection, plan });
                }
            }
        }
    }
    next
}

fn waiting(projection: &Projection) -> u64 {
    projection.clusters.values().map(control::projection::ProjectedCluster::pods_waiting).sum()
}

/// For each workload that may be moved, everything that may be done with it. Whatever is forbidden at the beginning and stays so,
/// such as moving what is pinned, is left out by the guardrails as soon as it is tried.
fn possible_moves(rules: &Rules<'_>) -> Vec<Vec<Action>> {
    let snapshot = &rules.federation.snapshot;
    let committed: Vec<_> = rules.federation.committed.iter().filter_map(Action::workload).collect();
    let workloads = snapshot.workloads.iter().filter(|(name, view)| {
        let hidden = snapshot.gaps.iter().any(|gap| gap.subject == GapSubject::Workload((*name).clone()));
        !view.moving && !hidden && !committed.contains(name)
    });
    let all = workloads.filter_map(|(name, view)| {
        let home = view.home()?;
        let replicas = view.placements[home].replicas;
        let to =
            |to: ClusterName| Action::Migrate { workload: name.clone(), from: home.clone(), to, replicas };
        Some(others(snapshot, home).map(to).collect())
    });
    all.collect()
}

fn others(snapshot: &Snapshot, home: &ClusterName) -> impl Iterator<Item = ClusterName> {
    snapshot.clusters.keys().filter(move |name| *name != home).cloned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::golden::federation::Federation;
    use crate::golden::rules::Terms;

    fn check(text: &str, moves: &[&str], (stuck, broken): (u64, u64)) {
        let federation = Federation::read(text);
        let best = best(&Rules::new(&federation, Terms::default()));
        let found: Vec<String> = best.plan.iter().map(shown).collect();
        assert_eq!(
            (found, best.cost.troubles()),
            (moves.iter().map(ToString::to_string).collect(), (stuck, broken))
        );
    }

    fn shown(action: &Action) -> String {
        let Action::Migrate { workload, to, .. } = action else { return action.to_string() };
        format!("{} -> {to}", workload.name())
    }

    #[test]
    fn the_fewest_moves_that_end_the_trouble_are_found() {
        check("a 1 nodes\n b 1 nodes\n web 1x6120m/1Gi a", &[], (0, 0));
        check("a 1 nodes\n b 1 nodes\n x 1x6120m/1Gi a\n y 1x100m/1Gi a", &["y -> b"], (0, 0));
        check("a 1 nodes\n b 1 nodes\n x 1x7000m/1Gi a\n y 1x7000m/1Gi b", &[], (0, 2));
    }

    #[test]
    fn a_move_that_has_to_come_first_comes_first() {
        let chain = "a 1 nodes\n b 1 nodes\n c 1 nodes node=3200m/8Gi
            x 1x4000m/1Gi a\n y 1x3000m/1Gi a\n z 1x2500m/1Gi b\n p 1x2000m/1Gi b pinned";
        check(chain, &["z -> c", "y -> b"], (0, 0));
    }

    #[test]
    fn growth_is_paid_for() {
        let text = "a 1 nodes\n cheap 1 nodes max=2 auto price=0.10\n dear 1 nodes max=2 auto price=0.20
            x 1x5000m/1Gi a\n y 1x2000m/1Gi a\n p 1x6000m/1Gi cheap\n q 1x6000m/1Gi dear";
        check(text, &["y -> cheap"], (0, 0));
    }
}
