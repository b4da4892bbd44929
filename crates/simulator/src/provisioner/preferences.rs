//! Preferences: at first they count as if they were required, and are given up one at a time while nothing fits.
//!
//! Which alternative of a required node affinity holds need not be tried one by one: the scheduler's filter knows all.

use crate::autoscaler::GroupId;
use crate::kube;
use crate::kube::{NodeSelector, NodeSelectorTerm, PodAffinity, UnsatisfiableConstraintAction};
use crate::scheduler::plugins::taint_toleration::first_untolerated;
use crate::scheduler::{ClusterState, HOSTNAME_LABEL, TemplateId};
use std::cmp::Reverse;
use std::collections::BTreeMap;

/// How a pod is tried: the firmest shape first, what it really requires last.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ladder {
    pub rungs: Vec<TemplateId>,
    /// Pools whose nodes it would rather not have (`PreferNoSchedule`); tried only at the very last.
    pub avoids: Vec<GroupId>,
    /// Where it goes decides where others may: its node is ordered in the zone that was assumed.
    pub is_zonal: bool,
}

impl Ladder {
    /// `nodes` are what nodes of each pool look like.
    pub fn new<'n>(
        pod: &kube::Pod,
        nodes: impl Iterator<Item = &'n kube::Node>,
        state: &mut ClusterState,
    ) -> Self {
        let avoided = nodes.enumerate().filter(|(_, node)| avoids(pod, node));
        Self {
            avoids: avoided.map(|(index, _)| GroupId(index as u32)).collect(),
            // A wish that cannot be a demand is not tried as one.
            rungs: rungs(pod).iter().filter_map(|rung| state.intern(rung).ok()).collect(),
            is_zonal: is_zonal(pod),
        }
    }
}

/// By the template of the pod as it is. Pods without an entry have no preferences.
pub type Ladders = BTreeMap<TemplateId, Ladder>;

/// The shapes under which a pod is tried, the pod itself last.
fn rungs(pod: &kube::Pod) -> Vec<kube::Pod> {
    let mut wishes = pod.clone();
    heaviest_first(&mut wishes);
    let mut rungs = vec![firm(&wishes)];
    while give_up_one(&mut wishes) {
        rungs.push(firm(&wishes));
    }
    if let Some(last) = rungs.last_mut() {
        last.clone_from(pod);
    }
    rungs
}

/// Whether the pod does not tolerate a taint that only asks to keep away.
fn avoids(pod: &kube::Pod, node: &kube::Node) -> bool {
    let is_soft = |taint: &kube::Taint| taint.effect == kube::TaintEffect::PreferNoSchedule;
    first_untolerated(&node.spec.taints, &pod.spec.tolerations, true, is_soft).is_some()
}

/// Whether other pods matter within something larger than a node.
fn is_zonal(pod: &kube::Pod) -> bool {
    let affinity = pod.spec.affinity.iter();
    let mut terms =
        affinity.flat_map(|one| one.pod_affinity.iter().chain(&one.pod_anti_affinity)).flat_map(|one| {
            one.required.iter().chain(one.preferred.iter().map(|weighted| &weighted.pod_affinity_term))
        });
    let wide = |key: &str| key != HOSTNAME_LABEL;
    pod.spec.topology_spread_constraints.iter().any(|one| wide(&one.topology_key))
        || terms.any(|term| wide(&term.topology_key))
}

fn heaviest_first(pod: &mut kube::Pod) {
    let Some(affinity) = &mut pod.spec.affinity else { return };
    if let Some(nodes) = &mut affinity.node_affinity {
        nodes.preferred.sort_by_key(|term| Reverse(term.weight));
    }
    for pods in [&mut affinity.pod_affinity, &mut affinity.pod_anti_affinity].into_iter().flatten() {
        pods.preferred.sort_by_key(|term| Reverse(term.weight));
    }
}

/// The pod with its wishes as demands. Of the wishes about nodes only the heaviest counts, as upstream has it.
fn firm(wishes: &kube::Pod) -> kube::Pod {
    let mut pod = wishes.clone();
    if let Some(affinity) = &mut pod.spec.affinity {
        for pods in [&mut affinity.pod_affinity, &mut affinity.pod_anti_affinity].into_iter().flatten() {
            demand_pods(pods);
        }
        if let Some(nodes) = &mut affinity.node_affinity
            && let Some(heaviest) = nodes.preferred.first()
        {
            let wish = heaviest.preference.clone();
            nodes.preferred.clear();
            demand_nodes(&mut nodes.required, &wish);
        }
    }
    for constraint in &mut pod.spec.topology_spread_constraints {
        constraint.when_unsatisfiable = UnsatisfiableConstraintAction::DoNotSchedule;
    }
    pod
}

fn demand_pods(pods: &mut PodAffinity) {
    let wishes = std::mem::take(&mut pods.preferred);
    pods.required.extend(wishes.into_iter().map(|wish| wish.pod_affinity_term));
}

/// Every alternative must fulfil the wish as well.
fn demand_nodes(required: &mut Option<NodeSelector>, wish: &NodeSelectorTerm) {
    let selector = required.get_or_insert_with(NodeSelector::default);
    if selector.node_selector_terms.is_empty() {
        selector.node_selector_terms.push(NodeSelectorTerm::default());
    }
    for term in &mut selector.node_selector_terms {
        term.match_expressions.extend(wish.match_expressions.iter().cloned());
        term.match_fields.extend(wish.match_fields.iter().cloned());
    }
}

/// Drops one wish, in upstream's order; false if there is none left.
fn give_up_one(pod: &mut kube::Pod) -> bool {
    if let Some(affinity) = &mut pod.spec.affinity {
        for pods in [&mut affinity.pod_affinity, &mut affinity.pod_anti_affinity].into_iter().flatten() {
            if !pods.preferred.is_empty() {
                pods.preferred.remove(0);
                return true;
            }
        }
        if let Some(nodes) = &mut affinity.node_affinity
            && !nodes.preferred.is_empty()
        {
            nodes.preferred.remove(0);
            return true;
        }
    }
    let spread = &mut pod.spec.topology_spread_constraints;
    let soft = |one: &kube::TopologySpreadConstraint| {
        one.when_unsatisfiable == UnsatisfiableConstraintAction::ScheduleAnyway
    };
    let found = spread.iter().position(soft);
    found.inspect(|at| _ = spread.swap_remove(*at)).is_some()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};

    fn pod(spec: &Value) -> kube::Pod {
        serde_json::from_value(json!({ "spec": spec })).unwrap()
    }

    fn node_wish(weight: i32, value: &str) -> Value {
        let expressions = json!([{ "key": "tier", "operator": "In", "values": [value] }]);
        json!({ "weight": weight, "preference": { "matchExpressions": expressions } })
    }

    fn pod_wish(weight: i32, key: &str) -> Value {
        json!({ "weight": weight, "podAffinityTerm": { "topologyKey": key, "labelSelector": {} } })
    }

    /// What counts as required on one rung, in short: affinity, anti-affinity, node terms, spread.
    fn demands(pod: &kube::Pod) -> [usize; 4] {
        let affinity = pod.spec.affinity.clone().unwrap_or_default();
        let nodes = affinity.node_affinity.and_then(|one| one.required).unwrap_or_default();
        let firm = pod.spec.topology_spread_constraints.iter();
        [
            affinity.pod_affinity.map_or(0, |one| one.required.len()),
            affinity.pod_anti_affinity.map_or(0, |one| one.required.len()),
            nodes.node_selector_terms.iter().map(|term| term.match_expressions.len()).sum(),
            firm.filter(|one| one.when_unsatisfiable == UnsatisfiableConstraintAction::DoNotSchedule).count(),
        ]
    }

    #[test]
    fn wishes_are_given_up_one_at_a_time() {
        let wanting = pod(&json!({
            "affinity": {
                "podAffinity": { "preferredDuringSchedulingIgnoredDuringExecution": [pod_wish(1, "zone"), pod_wish(9, "rack")] },
                "podAntiAffinity": { "preferredDuringSchedulingIgnoredDuringExecution": [pod_wish(5, "rack")] },
                "nodeAffinity": { "preferredDuringSchedulingIgnoredDuringExecution": [node_wish(1, "b"), node_wish(7, "a")] },
            },
            "topologySpreadConstraints": [{ "maxSkew": 1, "topologyKey": "zone", "whenUnsatisfiable": "ScheduleAnyway" }],
        }));
        let rungs = rungs(&wanting);
        // Affinity, then anti-affinity, then nodes, then spread; of the two node wishes one counts at a time.
        let want = [
            [2, 1, 1, 1],
            [1, 1, 1, 1],
            [0, 1, 1, 1],
            [0, 0, 1, 1],
            [0, 0, 1, 1],
            [0, 0, 0, 1],
            [0, 0, 0, 0],
        ];
        assert_eq!(rungs.iter().map(demands).collect::<Vec<_>>(), want);
        assert_eq!(rungs.last(), Some(&wanting), "the pod itself is the last resort");
        let key = |rung: &kube::Pod| {
            rung.spec.affinity.as_ref().unwrap().pod_affinity.as_ref().unwrap().required[0]
                .topology_key
                .clone()
        };
        assert_eq!([key(&rungs[0]), key(&rungs[1])], ["rack", "zone"], "the heaviest goes first");
        let tier = |rung: &kube::Pod| {
            let nodes = rung.spec.affinity.as_ref().unwrap().node_affinity.as_ref().unwrap();
            nodes.required.as_ref().unwrap().node_selector_terms[0].match_expressions[0].values[0].clone()
        };
        assert_eq!([tier(&rungs[3]), tier(&rungs[4])], ["a", "b"]);
    }

    #[test]
    fn a_pod_without_wishes_is_tried_as_it_is() {
        let plain = pod(&json!({ "nodeSelector": { "tier": "a" } }));
        assert_eq!(rungs(&plain), [plain]);
    }

    #[test]
    fn a_wish_about_nodes_joins_every_alternative() {
        let term = |value: &str| json!({ "matchExpressions": [{ "key": "zone", "operator": "In", "values": [value] }] });
        let both = pod(&json!({ "affinity": { "nodeAffinity": {
            "requiredDuringSchedulingIgnoredDuringExecution": { "nodeSelectorTerms": [term("1"), term("2")] },
            "preferredDuringSchedulingIgnoredDuringExecution": [node_wish(1, "a")],
        } } }));
        assert_eq!(demands(&rungs(&both)[0]), [0, 0, 4, 0]);
    }

    #[test]
    fn soft_taints_are_avoided_unless_tolerated() {
        let node: kube::Node = serde_json::from_value(
            json!({ "spec": { "taints": [{ "key": "old", "effect": "PreferNoSchedule" }] } }),
        )
        .unwrap();
        let rows = [(json!([]), true), (json!([{ "key": "old", "operator": "Exists" }]), false)];
        for (tolerations, want) in rows {
            assert_eq!(avoids(&pod(&json!({ "tolerations": tolerations })), &node), want);
        }
    }

    #[test]
    fn zones_matter_to_pods_that_look_beyond_their_node() {
        let spread = |key: &str| json!({ "topologySpreadConstraints": [{ "maxSkew": 1, "topologyKey": key, "whenUnsatisfiable": "DoNotSchedule" }] });
        let apart = |key: &str| json!({ "affinity": { "podAntiAffinity": { "preferredDuringSchedulingIgnoredDuringExecution": [pod_wish(1, key)] } } });
        let rows = [
            (json!({}), false),
            (spread(HOSTNAME_LABEL), false),
            (spread("topology.kubernetes.io/zone"), true),
            (apart(HOSTNAME_LABEL), false),
            (apart("topology.kubernetes.io/zone"), true),
        ];
        for (spec, want) in rows {
            assert_eq!(is_zonal(&pod(&spec)), want, "{spec}");
        }
    }
}
