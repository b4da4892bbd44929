//! The policy Balanced: a node pool gives up a share of its cost only if the share of its disruption is at most `K`
//! times as large.

use super::candidates::{Candidate, disruption_cost};
use super::config::{ConsolidationPolicy, ProvisionerConfig};
use super::view::ProvisionerView;
use model::money::MicroDollars;

/// Upstream's constant: twice the share of disruption is still worth it.
const K: f64 = 2.0;

/// What all nodes of a node pool cost, and what disrupting all of them would.
#[derive(Clone, Copy, Debug, Default)]
struct Totals {
    dollars: f64,
    disruption: f64,
}

/// Judges moves of one look.
pub(super) struct Scale<'c> {
    config: &'c ProvisionerConfig,
    totals: Vec<Totals>,
}

impl<'c> Scale<'c> {
    pub(super) fn new(config: &'c ProvisionerConfig, view: &ProvisionerView<'_>) -> Self {
        let mut scale = Self { config, totals: vec![Totals::default(); config.node_pools.len()] };
        if !(0..config.node_pools.len()).any(|pool| scale.applies(pool)) {
            return scale;
        }
        for one in view.cluster.nodes {
            if let Some(offering) = one.group.and_then(|group| view.catalogue.of_group(group)) {
                let totals = &mut scale.totals[offering.node_pool];
                totals.dollars += offering.price_per_hour.as_dollars_float();
                totals.disruption += disruption_cost(view, one.node);
            }
        }
        scale
    }

    fn applies(&self, node_pool: usize) -> bool {
        self.config.node_pools[node_pool].policy == ConsolidationPolicy::Balanced
    }

    /// Whether removing these nodes for a saving is worth it to every node pool that asks.
    pub(super) fn approves(&self, candidates: &[&Candidate], saving: MicroDollars) -> bool {
        let cost = |pool: Option<usize>| -> f64 {
            let mine = candidates.iter().filter(|one| pool.is_none_or(|pool| one.node_pool == pool));
            mine.map(|one| one.price.as_dollars_float()).sum()
        };
        let all = cost(None);
        let touched = |pool: &usize| candidates.iter().any(|one| one.node_pool == *pool);
        (0..self.totals.len()).filter(touched).filter(|pool| self.applies(*pool)).all(|pool| {
            // Nodes of several node pools share the saving by what they cost.
            let share = if all > 0.0 { cost(Some(pool)) / all } else { 1.0 };
            let mine = candidates.iter().filter(|one| one.node_pool == pool);
            let disruption: f64 = mine.map(|one| one.cost).sum();
            is_worth_it(saving.as_dollars_float() * share, disruption, self.totals[pool])
        })
    }

    /// Whether even removing the node for nothing in return would be worth it.
    pub(super) fn may_approve(&self, one: &Candidate) -> bool {
        let unpriced = self.totals[one.node_pool].dollars <= 0.0;
        !self.applies(one.node_pool) || unpriced || self.approves(&[one], one.price)
    }
}

fn is_worth_it(saving: f64, disruption: f64, totals: Totals) -> bool {
    if totals.dollars <= 0.0 || totals.disruption <= 0.0 || saving <= 0.0 {
        return false;
    }
    let (saved, disrupted) = (saving / totals.dollars, disruption / totals.disruption);
    saved / disrupted >= 1.0 / K
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_saving_must_be_worth_half_its_disruption() {
        let totals = Totals { dollars: 10.0, disruption: 100.0 };
        // Saving 5 % of the cost is worth 10 % of the disruption and no more.
        let rows = [
            (0.5, 10.0, true),
            (0.5, 10.1, false),
            (0.5, 1.0, true),
            (0.0, 1.0, false),
            (-1.0, 1.0, false),
            (10.0, 100.0, true),
        ];
        for (saving, disruption, want) in rows {
            assert_eq!(is_worth_it(saving, disruption, totals), want, "{saving} for {disruption}");
        }
        assert!(!is_worth_it(1.0, 1.0, Totals::default()));
    }
}
