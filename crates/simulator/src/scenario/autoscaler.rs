//! Turns what was written about an autoscaler into its settings.

use super::disruption_budget::CountOrShare;
use super::raw::{
    RawAutoscaler, RawAutoscalerKind, RawConsolidation, RawNodePool, RawNodePoolLimits, RawPool,
};
use super::{AutoscalerSpec, ClusterAutoscalerSpec, KarpenterSpec};
use crate::autoscaler::Expander;
use crate::controllers::int_or_percent::IntOrPercent;
use crate::provisioner::{ConsolidationPolicy, NodePool, NodePoolLimits, ProvisionerConfig};
use model::document::nearest;
use model::time::Period;
use std::collections::BTreeMap;

const EXPANDERS: [(&str, Expander); 6] = [
    ("least-waste", Expander::LeastWaste),
    ("most-pods", Expander::MostPods),
    ("least-nodes", Expander::LeastNodes),
    ("price", Expander::Price),
    ("priority", Expander::Priority),
    ("random", Expander::Random),
];

/// What is wrong: at which key below the autoscaler, a sentence, and what to do.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Fault {
    pub(super) key: String,
    pub(super) message: String,
    pub(super) proposal: String,
    /// It depends on the names of the pools.
    pub(super) is_about_pools: bool,
}

#[derive(Default)]
struct Faults(Vec<Fault>);

impl Faults {
    fn note(&mut self, key: impl Into<String>, message: impl Into<String>, proposal: impl Into<String>) {
        let (key, message, proposal) = (key.into(), message.into(), proposal.into());
        let is_about_pools = key.contains(".pools[");
        self.0.push(Fault { key, message, proposal, is_about_pools });
    }

    fn meaningless(&mut self, keys: &[(&str, bool)], kind: &str) {
        for (key, _) in keys.iter().filter(|(_, is_given)| *is_given) {
            self.note(*key, format!("`{key}` has no meaning for kind: {kind}"), format!("remove `{key}`"));
        }
    }
}

/// The settings, and everything that is wrong with them.
pub(super) fn build(raw: &RawAutoscaler, pools: &[RawPool]) -> (AutoscalerSpec, Vec<Fault>) {
    let mut faults = Faults::default();
    let spec = match raw.kind {
        RawAutoscalerKind::ClusterAutoscaler => AutoscalerSpec::Cluster(cluster_autoscaler(raw, &mut faults)),
        RawAutoscalerKind::Karpenter => AutoscalerSpec::Karpenter(karpenter(raw, pools, &mut faults)),
    };
    (spec, faults.0)
}

fn cluster_autoscaler(raw: &RawAutoscaler, faults: &mut Faults) -> ClusterAutoscalerSpec {
    let karpenters = [
        ("consolidation", raw.consolidation.is_some()),
        ("consolidate_after", raw.consolidate_after.is_some()),
        ("budget", raw.budget.is_some()),
        ("batch_idle", raw.batch_idle.is_some()),
        ("batch_max", raw.batch_max.is_some()),
        ("spot_to_spot", raw.spot_to_spot.is_some()),
        ("node_pools", !raw.node_pools.is_empty()),
    ];
    faults.meaningless(&karpenters, "cluster-autoscaler");
    if raw.scan_every.is_zero() {
        let message = "an autoscaler that never pauses would stop time";
        faults.note("scan_every", message, "write for instance 10s, the upstream default");
    }
    ClusterAutoscalerSpec {
        scan_every: raw.scan_every,
        scale_down_below: raw.scale_down_below,
        unneeded_for: raw.unneeded_for,
        delay_after_add: raw.delay_after_add,
        expanders: raw.expander.as_deref().map_or(vec![Expander::LeastWaste], |text| expanders(text, faults)),
    }
}

fn expanders(text: &str, faults: &mut Faults) -> Vec<Expander> {
    let mut chain = Vec::new();
    for name in text.split(',').map(str::trim) {
        if let Some((_, expander)) = EXPANDERS.iter().find(|(known, _)| *known == name) {
            chain.push(*expander);
            continue;
        }
        let known = || EXPANDERS.iter().map(|(known, _)| *known);
        let proposal = nearest(name, known()).map_or_else(
            || format!("known: {}", known().collect::<Vec<_>>().join(", ")),
            |near| format!("did you mean {near}?"),
        );
        faults.note("expander", format!("there is no expander {name:?}"), proposal);
    }
    chain
}

fn karpenter(raw: &RawAutoscaler, pools: &[RawPool], faults: &mut Faults) -> KarpenterSpec {
    let usual = RawAutoscaler::default();
    let others = [
        ("scan_every", raw.scan_every != usual.scan_every),
        ("scale_down_below", raw.scale_down_below != usual.scale_down_below),
        ("unneeded_for", raw.unneeded_for != usual.unneeded_for),
        ("delay_after_add", raw.delay_after_add != usual.delay_after_add),
        ("expander", raw.expander.is_some()),
    ];
    faults.meaningless(&others, "karpenter");
    let all = RawNodePool {
        pools: Vec::new(),
        weight: 0,
        limits: RawNodePoolLimits::default(),
        consolidation: None,
        consolidate_after: None,
        budget: None,
    };
    let written = if raw.node_pools.is_empty() { std::slice::from_ref(&all) } else { &raw.node_pools };
    let usual = ProvisionerConfig::default();
    let config = ProvisionerConfig {
        batch_idle: raw.batch_idle.unwrap_or(usual.batch_idle),
        batch_max: raw.batch_max.unwrap_or(usual.batch_max),
        spot_to_spot: raw.spot_to_spot.unwrap_or(usual.spot_to_spot),
        node_pools: (written.iter().enumerate())
            .map(|(index, pool)| node_pool(raw, pool, index, faults))
            .collect(),
        ..usual
    };
    let implied = vec![Some(0); pools.len()];
    let node_pools = if raw.node_pools.is_empty() { implied } else { members(written, pools, faults) };
    KarpenterSpec { config, node_pools }
}

fn node_pool(raw: &RawAutoscaler, pool: &RawNodePool, index: usize, faults: &mut Faults) -> NodePool {
    let policy = pool.consolidation.or(raw.consolidation);
    let after = pool.consolidate_after.or(raw.consolidate_after).unwrap_or(Period::ZERO);
    let (key, budget) = match &pool.budget {
        Some(budget) => (format!("node_pools[{index}].budget"), Some(budget)),
        None => ("budget".to_owned(), raw.budget.as_ref()),
    };
    NodePool {
        weight: pool.weight,
        limits: NodePoolLimits {
            cpu: pool.limits.cpu.map(|cpu| cpu.0 as i64),
            memory: pool.limits.memory.map(|memory| memory.0 as i64),
            nodes: pool.limits.nodes,
        },
        policy: match policy {
            Some(RawConsolidation::WhenEmpty) => ConsolidationPolicy::WhenEmpty,
            Some(RawConsolidation::Balanced) => ConsolidationPolicy::Balanced,
            _ => ConsolidationPolicy::WhenEmptyOrUnderutilized,
        },
        consolidate_after: (policy != Some(RawConsolidation::Never)).then_some(after),
        budget: budget.map_or(IntOrPercent::Percent(10), |written| share(written, key, faults)),
    }
}

/// A number of nodes or a percentage of them.
fn share(written: &CountOrShare, key: String, faults: &mut Faults) -> IntOrPercent {
    let text = match written {
        CountOrShare::Count(count) => return IntOrPercent::Count(*count),
        CountOrShare::Text(text) => text,
    };
    let count = text.parse().map(IntOrPercent::Count);
    count.ok().or_else(|| text.parse().ok()).unwrap_or_else(|| {
        let message = format!("{text:?} is neither a number of nodes nor a share of them");
        faults.note(key, message, "write a number such as 1, or a percentage such as 10%");
        IntOrPercent::Count(0)
    })
}

/// Which node pool each pool belongs to.
fn members(written: &[RawNodePool], pools: &[RawPool], faults: &mut Faults) -> Vec<Option<usize>> {
    let mut owners: BTreeMap<&str, usize> = BTreeMap::new();
    for (index, node_pool) in written.iter().enumerate() {
        for (at, name) in node_pool.pools.iter().enumerate() {
            let key = format!("node_pools[{index}].pools[{at}]");
            if !pools.iter().any(|pool| pool.name == *name) {
                let known = || pools.iter().map(|pool| pool.name.as_str());
                let proposal = nearest(name, known()).map_or_else(
                    || format!("known: {}", known().take(5).collect::<Vec<_>>().join(", ")),
                    |near| format!("did you mean {near}?"),
                );
                faults.note(key, format!("there is no pool {name:?}"), proposal);
            } else if let Some(former) = owners.insert(name, index) {
                let message = format!("the pool {name:?} is already in node_pools[{former}]");
                faults.note(key, message, "let each pool be in one node pool");
            }
        }
    }
    pools.iter().map(|pool| owners.get(pool.name.as_str()).copied()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};

    fn read(autoscaler: Value) -> (AutoscalerSpec, Vec<String>) {
        let raw: RawAutoscaler = serde_json::from_value(autoscaler).unwrap();
        let pool = |name: &str| {
            serde_json::from_value(json!({ "name": name, "nodes": 1, "cpu": "1", "memory": "1Gi" })).unwrap()
        };
        let (spec, faults) = build(&raw, &[pool("small"), pool("large")]);
        (
            spec,
            faults.into_iter().map(|one| format!("{}: {}; {}", one.key, one.message, one.proposal)).collect(),
        )
    }

    #[test]
    fn expanders_form_a_chain() {
        let rows: [(Value, &[Expander]); 3] = [
            (json!({}), &[Expander::LeastWaste]),
            (json!({ "expander": "price" }), &[Expander::Price]),
            (json!({ "expander": "priority, most-pods" }), &[Expander::Priority, Expander::MostPods]),
        ];
        for (written, want) in rows {
            let (AutoscalerSpec::Cluster(spec), faults) = read(written) else { panic!("the default kind") };
            assert_eq!((spec.expanders.as_slice(), faults.len()), (want, 0));
        }
    }

    #[test]
    fn node_pools_have_the_rules_of_the_whole_unless_they_have_their_own() {
        let (AutoscalerSpec::Karpenter(spec), faults) = read(json!({
            "kind": "karpenter", "budget": "20%", "consolidate_after": "30s",
            "node_pools": [
                { "pools": ["large"], "weight": 5, "budget": 1, "consolidation": "Never" },
                { "pools": ["small"], "limits": { "cpu": "10" } },
            ],
        })) else {
            panic!("it says karpenter")
        };
        assert_eq!(faults, [""; 0]);
        assert_eq!(spec.node_pools, [Some(1), Some(0)]);
        let [large, small] = &spec.config.node_pools[..] else { panic!("two were written") };
        assert_eq!((large.weight, large.budget, large.consolidate_after), (5, IntOrPercent::Count(1), None));
        assert_eq!(small.budget, IntOrPercent::Percent(20));
        assert_eq!(small.consolidate_after, Some(Period::from_secs(30)));
        assert_eq!(small.limits.cpu, Some(10_000));
    }

    #[test]
    fn without_node_pools_all_pools_are_one_with_upstreams_defaults() {
        let (AutoscalerSpec::Karpenter(spec), faults) = read(json!({ "kind": "karpenter" })) else {
            panic!("it says karpenter")
        };
        assert_eq!((spec.node_pools, faults.len()), (vec![Some(0), Some(0)], 0));
        assert_eq!(spec.config, ProvisionerConfig::default());
    }

    #[test]
    fn mistakes_are_named_with_a_way_out() {
        let rows = [
            (json!({ "expander": "prize" }), "expander: there is no expander \"prize\"; did you mean price?"),
            (
                json!({ "budget": "1" }),
                "budget: `budget` has no meaning for kind: cluster-autoscaler; remove `budget`",
            ),
            (
                json!({ "kind": "karpenter", "unneeded_for": "1m" }),
                "unneeded_for: `unneeded_for` has no meaning for kind: karpenter; remove `unneeded_for`",
            ),
            (
                json!({ "kind": "karpenter", "node_pools": [{ "pools": ["smal"] }] }),
                "node_pools[0].pools[0]: there is no pool \"smal\"; did you mean small?",
            ),
            (
                json!({ "kind": "karpenter", "node_pools": [{ "pools": ["small"] }, { "pools": ["small"] }] }),
                "node_pools[1].pools[0]: the pool \"small\" is already in node_pools[0]; let each pool be in one node pool",
            ),
        ];
        for (written, want) in rows {
            assert_eq!(read(written).1, [want]);
        }
        let (_, faults) = read(json!({ "kind": "karpenter", "budget": "some" }));
        assert!(faults[0].starts_with("budget: \"some\" is neither"), "{faults:?}");
        let (_, faults) = read(json!({ "scan_every": "0s" }));
        assert!(faults[0].starts_with("scan_every: "), "{faults:?}");
    }
}
