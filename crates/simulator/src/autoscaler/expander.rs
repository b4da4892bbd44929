//! Chooses one of several possible scale-ups.

use super::config::{Expander, PodPrices};
use super::view::{GroupId, GroupView};
use crate::kube;

/// New nodes of one group and the pods they would carry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct ExpansionOption {
    pub(super) group: GroupId,
    pub(super) nodes: u32,
    pub(super) pods: u32,
    /// Requests of those pods, in thousandths of a core and bytes.
    pub(super) cpu: i64,
    pub(super) memory: i64,
}

/// What options are compared by.
#[derive(Clone, Copy)]
pub(super) struct Comparison<'a> {
    pub(super) groups: &'a [GroupView<'a>],
    pub(super) pod_prices: PodPrices,
    /// Nodes the cluster has; decides which size suits it.
    pub(super) cluster_nodes: usize,
}

/// The best option and what left it alone. There must be at least one; `below(n)` draws a number below `n`.
pub(super) fn choose(
    expanders: &[Expander],
    mut options: Vec<ExpansionOption>,
    comparison: Comparison<'_>,
    below: &mut dyn FnMut(u64) -> u64,
) -> (ExpansionOption, Option<Expander>) {
    assert!(!options.is_empty(), "there is something to choose from");
    if options.len() == 1 {
        return (options[0], None);
    }
    for &expander in expanders {
        options = match expander {
            Expander::Random => vec![draw(&options, below)],
            Expander::Priority => with_highest_priority(&options, comparison.groups),
            _ => with_lowest(&options, |option| comparison.cost(expander, option)),
        };
        if options.len() == 1 {
            return (options[0], Some(expander));
        }
    }
    (draw(&options, below), Some(Expander::Random))
}

fn draw(options: &[ExpansionOption], below: &mut dyn FnMut(u64) -> u64) -> ExpansionOption {
    options[below(options.len() as u64) as usize]
}

fn with_lowest(options: &[ExpansionOption], cost: impl Fn(&ExpansionOption) -> f64) -> Vec<ExpansionOption> {
    let costs: Vec<f64> = options.iter().map(cost).collect();
    let lowest = costs.iter().copied().fold(f64::INFINITY, f64::min);
    options.iter().zip(&costs).filter(|(_, cost)| **cost == lowest).map(|(option, _)| *option).collect()
}

/// Without any priority, all of them.
fn with_highest_priority(options: &[ExpansionOption], groups: &[GroupView<'_>]) -> Vec<ExpansionOption> {
    let priority = |option: &ExpansionOption| groups[option.group.index()].priority;
    // Nothing is lower than any priority.
    let highest = options.iter().map(priority).max().flatten();
    options.iter().filter(|option| priority(option) == highest).copied().collect()
}

impl Comparison<'_> {
    /// The lower, the better.
    fn cost(&self, expander: Expander, option: &ExpansionOption) -> f64 {
        match expander {
            Expander::LeastWaste => self.waste(option),
            Expander::MostPods => -f64::from(option.pods),
            Expander::LeastNodes => f64::from(option.nodes),
            Expander::Price => self.price(option),
            Expander::Random | Expander::Priority => 0.0,
        }
    }

    fn capacity(&self, option: &ExpansionOption, resource: &str) -> i64 {
        self.groups[option.group.index()].template().status.capacity.get(resource).unwrap_or(0)
    }

    /// Unused share of CPU plus unused share of memory, each between 0 and 1, of the nodes' capacity (not of what is
    /// allocatable). Daemons count as unused.
    fn waste(&self, option: &ExpansionOption) -> f64 {
        let unused = |used: i64, resource: &str| {
            let available = self.capacity(option, resource) * i64::from(option.nodes);
            if available > 0 { (available - used) as f64 / available as f64 } else { 0.0 }
        };
        unused(option.cpu, kube::CPU) + unused(option.memory, kube::MEMORY)
    }

    /// Price of the nodes by the worth of the pods, both steadied by a small pod, times how badly the node size suits
    /// the cluster; the more nodes are added at once, the less their size matters. 15 is upstream's constant.
    fn price(&self, option: &ExpansionOption) -> f64 {
        let group = &self.groups[option.group.index()];
        let nodes = group.price_per_hour.as_dollars_float() * f64::from(option.nodes);
        // Half a core and 500 MiB, upstream's stabilisation pod.
        let steady = self.worth(500, 500 << 20);
        let value = (nodes + steady) / (self.worth(option.cpu, option.memory) + steady);
        let unfitness = unfitness(self.cluster_nodes, self.capacity(option, kube::CPU));
        let fading = 1.0 - libm::tanh(f64::from(option.nodes - 1) / 15.0);
        value * ((unfitness - 1.0) * fading + 1.0)
    }

    /// What requests cost in an hour, in dollars.
    fn worth(&self, cpu: i64, memory: i64) -> f64 {
        let cores = cpu as f64 / 1000.0;
        let gibibytes = memory as f64 / f64::from(1 << 30);
        cores * self.pod_prices.core_hour.as_dollars_float()
            + gibibytes * self.pod_prices.gibibyte_hour.as_dollars_float()
    }
}

/// How far a node's CPU is from what suits a cluster of this size: 1 is perfect. The preferred node doubles each time
/// the cluster grows about threefold.
fn unfitness(cluster_nodes: usize, cpu: i64) -> f64 {
    let preferred = match cluster_nodes {
        0..=2 => 1000.0,
        3..=6 => 2000.0,
        7..=20 => 4000.0,
        21..=60 => 8000.0,
        61..=200 => 16_000.0,
        _ => 32_000.0,
    };
    let ratio = cpu.max(1) as f64 / preferred;
    ratio.max(1.0 / ratio)
}

#[cfg(test)]
mod tests {
    use super::super::fixture::Group;
    use super::*;
    use model::money::MicroDollars;

    /// Nodes, pods, CPU in thousandths and memory in MiB, by group.
    type Row = (u32, u32, i64, i64);

    /// `small` is 1 core and 4 GiB for 5 cents, `large` 8 cores and 32 GiB for 40 cents, `wide` 8 cores and 8 GiB.
    fn groups() -> Vec<Group> {
        let mut groups = vec![
            Group::new("small", 1000, 4096),
            Group::new("large", 8000, 32_768),
            Group::new("wide", 8000, 8192),
        ];
        for (group, price) in groups.iter_mut().zip([50_000, 400_000, 400_000]) {
            group.price_per_hour = MicroDollars(price);
        }
        groups
    }

    /// Expanders, options by group, the number drawn; the group chosen and by what.
    type Choice = (&'static [Expander], &'static [Row], u64, u32, Option<Expander>);

    fn options(rows: &[Row]) -> Vec<ExpansionOption> {
        let option = |(index, &(nodes, pods, cpu, memory)): (usize, &Row)| ExpansionOption {
            group: GroupId(index as u32),
            nodes,
            pods,
            cpu,
            memory: memory << 20,
        };
        rows.iter().enumerate().map(option).filter(|option| option.nodes > 0).collect()
    }

    fn pick(groups: &[Group], chain: &[Expander], rows: &[Row], draw: u64) -> (u32, Option<Expander>) {
        let views: Vec<_> = groups.iter().map(Group::view).collect();
        let comparison = Comparison { groups: &views, pod_prices: PodPrices::default(), cluster_nodes: 10 };
        let (option, by) = choose(chain, options(rows), comparison, &mut |bound| draw % bound);
        (option.group.0, by)
    }

    #[test]
    fn each_expander_picks_its_best() {
        use Expander::{LeastNodes, LeastWaste, MostPods, Random};
        let rows: [Choice; 11] = [
            // One option needs no expander.
            (&[LeastWaste], &[(2, 2, 1000, 4096)], 0, 0, None),
            // Half of small is unused; three quarters of large.
            (&[LeastWaste], &[(1, 1, 500, 2048), (1, 4, 2000, 8192)], 0, 0, Some(LeastWaste)),
            // All CPU used on both, but wide has no memory to spare.
            (&[LeastWaste], &[(0, 0, 0, 0), (1, 8, 8000, 8192), (1, 8, 8000, 8192)], 0, 2, Some(LeastWaste)),
            // Eight full small nodes waste as much as one full large node: drawn.
            (&[LeastWaste], &[(8, 8, 8000, 32_768), (1, 8, 8000, 32_768)], 0, 0, Some(Random)),
            (&[LeastWaste], &[(8, 8, 8000, 32_768), (1, 8, 8000, 32_768)], 1, 1, Some(Random)),
            // A chain decides between equals.
            (
                &[LeastWaste, LeastNodes],
                &[(8, 8, 8000, 32_768), (1, 8, 8000, 32_768)],
                0,
                1,
                Some(LeastNodes),
            ),
            (&[MostPods], &[(5, 5, 1, 1), (1, 6, 1, 1)], 0, 1, Some(MostPods)),
            (&[MostPods, LeastNodes], &[(5, 6, 1, 1), (1, 6, 1, 1)], 0, 1, Some(LeastNodes)),
            (&[LeastNodes], &[(5, 50, 1, 1), (4, 4, 1, 1)], 0, 1, Some(LeastNodes)),
            (&[Random], &[(5, 5, 1, 1), (1, 6, 1, 1)], 1, 1, Some(Random)),
            (&[], &[(5, 5, 1, 1), (1, 6, 1, 1)], 0, 0, Some(Random)),
        ];
        for (chain, options, draw, want, by) in rows {
            assert_eq!(pick(&groups(), chain, options, draw), (want, by), "{chain:?} of {options:?}");
        }
    }

    #[test]
    fn waste_is_the_unused_share_of_both_resources() {
        let groups = groups();
        let views: Vec<_> = groups.iter().map(Group::view).collect();
        let comparison = Comparison { groups: &views, pod_prices: PodPrices::default(), cluster_nodes: 10 };
        // 1.5 of 2 cores and 2 of 8 GiB used: 0.25 + 0.75.
        assert_eq!(comparison.waste(&options(&[(2, 3, 1500, 2048)])[0]), 1.0);
        assert_eq!(comparison.waste(&options(&[(1, 1, 1000, 4096)])[0]), 0.0);
    }

    #[test]
    fn price_weighs_cost_against_work_and_size() {
        // Full nodes at the same price for the same work: of 10 nodes' liking, 8 cores are twice too many and 1 core is
        // four times too few, but eight nodes at once make the size matter less.
        let full: &[Row] = &[(8, 8, 8000, 32_768), (1, 8, 8000, 32_768)];
        assert_eq!(pick(&groups(), &[Expander::Price], full, 0), (1, Some(Expander::Price)));
        // One pod that fits a small node.
        let one: &[Row] = &[(1, 1, 800, 3072), (1, 1, 800, 3072)];
        assert_eq!(pick(&groups(), &[Expander::Price], one, 0), (0, Some(Expander::Price)));
        let mut cheap = groups();
        cheap[0].price_per_hour = MicroDollars(20_000);
        assert_eq!(pick(&cheap, &[Expander::Price], full, 0), (0, Some(Expander::Price)));
    }

    #[test]
    fn price_follows_the_formula() {
        let groups = groups();
        let views: Vec<_> = groups.iter().map(Group::view).collect();
        let comparison = Comparison { groups: &views, pod_prices: PodPrices::default(), cluster_nodes: 10 };
        let steady = 0.5 * 0.033_174 + 500.0 / 1024.0 * 0.004_446;
        let value = (2.0 * 0.4 + steady) / (8.0 * 0.033_174 + 16.0 * 0.004_446 + steady);
        let suppressed = (2.0 - 1.0) * (1.0 - (1.0_f64 / 15.0).tanh()) + 1.0;
        let price = comparison.price(&options(&[(0, 0, 0, 0), (2, 9, 8000, 16_384)])[0]);
        assert!((price - value * suppressed).abs() < 1e-12, "{price}");
    }

    #[test]
    fn priority_prefers_the_highest_and_ignores_groups_without() {
        let all: &[Row] = &[(1, 1, 1, 1), (1, 1, 1, 1), (1, 1, 1, 1)];
        let rows = [
            ([Some(1), Some(5), None], 0, 1, Expander::Priority),
            ([None, None, Some(-3)], 0, 2, Expander::Priority),
            ([Some(2), None, Some(2)], 1, 2, Expander::Random),
            ([None, None, None], 1, 1, Expander::Random),
        ];
        for (priorities, draw, want, by) in rows {
            let mut groups = groups();
            for (group, priority) in groups.iter_mut().zip(priorities) {
                group.priority = priority;
            }
            assert_eq!(pick(&groups, &[Expander::Priority], all, draw), (want, Some(by)), "{priorities:?}");
        }
    }

    #[test]
    fn larger_clusters_like_larger_nodes() {
        for (nodes, cores) in
            [(0, 1), (2, 1), (3, 2), (6, 2), (7, 4), (21, 8), (61, 16), (200, 16), (201, 32)]
        {
            assert_eq!(unfitness(nodes, cores * 1000), 1.0, "{nodes} nodes");
            assert_eq!(unfitness(nodes, cores * 4000), 4.0, "{nodes} nodes");
            assert_eq!(unfitness(nodes, cores * 500), 2.0, "{nodes} nodes");
        }
    }
}
