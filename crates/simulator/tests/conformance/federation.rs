//! Upstream tables for this room: Karmada's division of replicas and its selection of clusters.

use crate::table::{self, Case};
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use simulator::federation::division::{
    Packing, assign, attach_empty, divide_by_room, divide_by_rules, divide_by_weight, duplicate, fill,
};
use simulator::federation::estimate::UNLIMITED;
use simulator::federation::filter::Scope;
use simulator::federation::placement::{
    Affinity, GroupBounds, Placement, ReplicaScheduling, Spread, StaticWeight,
};
use simulator::federation::selection::{
    Candidate, select, select_best, select_by_region, sort_by, sort_by_room,
};
use simulator::federation::spread::{Choice, Group, GroupScore, GroupedClusters, select_groups};
use simulator::federation::webster::{TieBreak, allocate_seats};
use simulator::federation::{BindingState, ClusterView, TargetCluster, Unschedulable};
use std::cmp::Ordering;
use std::collections::BTreeMap;

#[test]
fn division() {
    table::run("karmada_division", |_| None, check_division);
}

#[test]
fn spread() {
    table::run("karmada_spread", |_| None, check_spread);
}

fn check_division(case: &Case) -> Result<(), String> {
    let input = &case.input;
    let clusters = Clusters::of(&input["candidates"]);
    let candidates = clusters.candidates();
    match case.kind.as_str() {
        "assignByStaticWeight" => {
            let targets = divide_by_rules(&candidates, &static_rules(&input["strategy"]), &binding(input));
            same_targets(&targets, &case.want)
        }
        "assignByDynamic" | "dynamicScaleUp" => same_outcome(divide(input, &candidates), &case.want),
        "assignByDuplicated" => same_targets(&duplicate(&candidates, binding(input).replicas), &case.want),
        "assignReplicas" => check_assign(case, &candidates),
        "dynamicDivideReplicas" => same_outcome(check_fill(input), &case.want),
        "attachZeroReplicasCluster" => {
            same_targets(&attach_empty(&candidates, targets(&input["targetClusters"])), &case.want)
        }
        "dispenserAllocateByWeight" => {
            let weight = |row: &Value| (text(&row["clusterName"]), number(&row["weight"]));
            let rows = list(&input["weights"]);
            let weights = rows.iter().map(weight);
            let initial = targets(&input["initialAssignment"]);
            let (replicas, tie) =
                (number(&input["newReplicas"]) as u32, TieBreak::for_uid(&text(&input["uid"])));
            same_targets(&divide_by_weight(replicas, weights, &initial, tie), &case.want)
        }
        "spreadReplicasByTargetClusters" => {
            let weights =
                targets(&input["clusters"]).into_iter().map(|row| (row.name, u64::from(row.replicas)));
            let (initial, tie) = (targets(&input["init"]), TieBreak::for_uid(&text(&input["uid"])));
            same_targets(&divide_by_weight(number(&input["sum"]) as u32, weights, &initial, tie), &case.want)
        }
        "websterSeats" => check_seats(case),
        kind => Err(format!("unknown kind {kind}")),
    }
}

fn check_spread(case: &Case) -> Result<(), String> {
    let input = &case.input;
    match case.kind.as_str() {
        "selectClusters" => check_select(case),
        "groupClustersWithScore" => check_grouping(case),
        "calcGroupScore" => {
            let score = group_score(input, number(&input["minGroups"]) as u32);
            let of = |key: &str| score.of(&Clusters::of(&input[key]).candidates());
            let (first, second) = (of("clusters1"), of("clusters2"));
            let observed = (number(&case.want["observedScore1"]), number(&case.want["observedScore2"]));
            same(&(first >= second), &truth(&case.want["score1GreaterOrEqualScore2"]))?;
            // Upstream asserts only the comparison; the scores it computed are as good a reference.
            same(&(first, second), &observed)
        }
        "calcGroupScoreForDuplicate" => {
            let score = GroupScore { duplicated: true, ..group_score(input, 1) };
            same(&score.of(&Clusters::of(&input["clusters"]).candidates()), &number(&case.want["score"]))
        }
        "selectBestClustersByRegion" => check_by_region(case),
        "selectBestClusters" => check_select_best(case),
        "selectGroups" => {
            let groups = list(&input["groups"]);
            let choices = groups.iter().map(|row| Choice {
                name: row["name"].as_str().expect("a group has a name"),
                value: number(&row["value"]) as u32,
                weight: number(&row["weight"]),
            });
            let bounds = GroupBounds {
                min: number(&input["minConstraints"]) as u32,
                max: number(&input["maxConstraints"]) as u32,
            };
            let selected = select_groups(choices.collect(), bounds, number(&input["target"]) as u32);
            let names: Vec<String> =
                selected.unwrap_or_default().iter().map(|choice| choice.name.to_owned()).collect();
            same(&names, &strings(&case.want["groups"]))
        }
        "sortClusters" => {
            let clusters = Clusters::of(&input["clusters"]);
            let mut candidates = clusters.candidates();
            match input["extraCompare"].as_str() {
                None => sort_by(&mut candidates, |_, _| Ordering::Equal),
                Some("availableReplicasDescending") => sort_by_room(&mut candidates),
                Some(other) => return Err(format!("unknown comparison {other}")),
            }
            same(&names(&candidates), &strings(&case.want["order"]))
        }
        kind => Err(format!("unknown kind {kind}")),
    }
}

/// `assignReplicas`, including the row whose strategy does not exist: here it is refused when it is read.
fn check_assign(case: &Case, candidates: &[Candidate<'_>]) -> Result<(), String> {
    let spec = &case.input["spec"];
    let placement: Placement = match serde_json::from_value(or_empty(&spec["placement"])) {
        Ok(placement) => placement,
        Err(error) => {
            let unsupported = case.want["errorContains"] == "unsupported replica scheduling strategy";
            let names_it = error.to_string().contains("unknown variant `Unsupported");
            return if unsupported && names_it { Ok(()) } else { Err(error.to_string()) };
        }
    };
    let observed = text(&case.input["status"]["schedulerObservingAffinityName"]);
    let overflow = match &placement.affinity {
        Affinity::Ordered(groups) => {
            groups.iter().any(|group| group.name == observed && !group.overflow.is_empty())
        }
        Affinity::Any | Affinity::One(_) => false,
    };
    let outcome = assign(candidates, &placement.scheduling, overflow, &binding(&case.input));
    if let Err(reason) = &outcome {
        let wanted = match reason {
            Unschedulable::NothingSelected => "no clusters available to schedule",
            Unschedulable::NotEnoughRoom { .. } => "Clusters available replicas are not enough to schedule",
            other => return Err(other.to_string()),
        };
        same(&text(&case.want["errorContains"]), &wanted.to_owned())?;
    }
    same_outcome(outcome, &case.want)
}

fn divide(input: &Value, candidates: &[Candidate<'_>]) -> Result<Vec<TargetCluster>, Unschedulable> {
    let packing = match scheduling(&input["spec"]["placement"]) {
        ReplicaScheduling::DynamicWeight => Packing::Spread,
        ReplicaScheduling::Aggregated => Packing::Aggregate,
        other => panic!("a dynamic division is by weight or aggregated, not {other:?}"),
    };
    divide_by_room(candidates, packing, &binding(input))
}

fn check_fill(input: &Value) -> Result<Vec<TargetCluster>, Unschedulable> {
    let packing = match input["strategyType"].as_str() {
        Some("DynamicWeight") => Packing::Spread,
        Some("Aggregated") => Packing::Aggregate,
        other => panic!("unknown strategy {other:?}"),
    };
    let (wanted, room) = (number(&input["targetReplicas"]) as u32, targets(&input["availableClusters"]));
    fill(wanted, room, packing, &[], TieBreak::for_uid(""))
}

fn check_seats(case: &Case) -> Result<(), String> {
    let input = &case.input;
    // A breaker by name alone differs from ours only for different seats; the rows that have one tie at 0 seats.
    let tie_break = match input["tieBreaker"].as_str() {
        None | Some("nameAscending") => TieBreak::NameAscending,
        Some("nameDescending") => TieBreak::NameDescending,
        Some(other) => return Err(format!("unknown tie breaker {other}")),
    };
    let votes: BTreeMap<String, u64> = read(&input["partyVotes"]);
    let initial: BTreeMap<String, u32> = read(&input["initialAssignments"]);
    let parties = allocate_seats(number(&input["newSeats"]) as u32, &votes, &initial, tie_break);
    let rows: Vec<Value> = parties
        .iter()
        .map(|party| json!({"name": party.name, "seats": party.seats, "votes": party.votes}))
        .collect();
    same(&rows, &list(&case.want["parties"]))
}

fn check_select(case: &Case) -> Result<(), String> {
    let input = &case.input;
    let placement: Placement = read(&input["placement"]);
    // Without replicas upstream asks no estimator and takes every cluster's room as unlimited.
    let clusters = Clusters::scored(&input["clustersScore"], u64::from(UNLIMITED));
    let mut candidates = clusters.candidates();
    if let Affinity::Ordered(groups) = &placement.affinity {
        let scope = Scope::Group(&groups[0]);
        for candidate in &mut candidates {
            candidate.tier = scope.tier(candidate.cluster, true).ok_or("outside of the affinity")?;
        }
    }
    let replicas = binding(input).replicas;
    let selected = select(candidates, placement.spread.as_ref(), &placement.scheduling, replicas);
    let mut found = names(&selected.map_err(|reason| reason.to_string())?);
    found.sort();
    same(&found, &strings(&case.want["clusterNames"]))
}

fn check_grouping(case: &Case) -> Result<(), String> {
    let input = &case.input;
    let clusters = Clusters::scored(&input["clustersScore"], number(&input["availableReplicasEveryCluster"]));
    let mut candidates = clusters.candidates();
    sort_by_room(&mut candidates);
    let spread = unchecked_spread(&input["placement"]["spreadConstraints"]);
    let scheduling = scheduling(&input["placement"]);
    let grouped = GroupedClusters::new(candidates, spread.as_ref(), &scheduling, binding(input).replicas);
    same(&names(&grouped.candidates), &strings(&case.want["clusters"]))?;
    let counts =
        [grouped.regions.len(), grouped.zones.len(), grouped.providers.len()].map(|count| count as u64);
    let wanted = ["regionCnt", "zoneCnt", "providerCnt"].map(|key| number(&case.want[key]));
    same(&counts, &wanted)
}

fn check_by_region(case: &Case) -> Result<(), String> {
    let regions = case.input["groupClustersInfo"]["regions"].as_object().expect("regions");
    let clusters: Vec<Clusters> = regions.values().map(|region| Clusters::of(&region["clusters"])).collect();
    let groups: BTreeMap<&str, Group<'_>> = regions
        .iter()
        .zip(&clusters)
        .map(|((name, region), clusters)| {
            (name.as_str(), Group { score: number(&region["score"]), candidates: clusters.candidates() })
        })
        .collect();
    let constraints = &case.input["spreadConstraintMap"];
    let outcome = select_by_region(&groups, bounds(&constraints["region"]), bounds(&constraints["cluster"]));
    same(&outcome.is_err(), &truth(&case.want["error"]))?;
    same(&names(&outcome.unwrap_or_default()), &strings(&case.want["clusterNames"]))
}

fn check_select_best(case: &Case) -> Result<(), String> {
    let input = &case.input;
    let clusters = Clusters::of(&input["groupClustersInfo"]["clusters"]);
    let grouped = GroupedClusters { candidates: clusters.candidates(), ..GroupedClusters::default() };
    let spread = unchecked_spread(&input["placement"]["spreadConstraints"]);
    let scheduling = scheduling(&input["placement"]);
    let outcome = select_best(grouped, spread.as_ref(), &scheduling, number(&input["needReplicas"]) as u32);
    let error = match &outcome {
        Ok(_) => String::new(),
        Err(Unschedulable::NoSelectionHasRoom { clusters, .. }) => {
            format!("no enough resource when selecting {clusters} clusters")
        }
        Err(Unschedulable::TooFewGroups { .. }) => {
            "the number of feasible clusters is less than spreadConstraint.MinGroups".to_owned()
        }
        Err(other) => return Err(other.to_string()),
    };
    same(&error, &text(&case.want["error"]))?;
    same(&names(&outcome.unwrap_or_default()), &strings(&case.want["clusterNames"]))
}

/// The candidates of a row; owns what [`Candidate`] borrows.
struct Clusters {
    views: Vec<ClusterView>,
    numbers: Vec<Numbers>,
}

struct Numbers {
    score: u64,
    tier: u32,
    allocatable: u32,
    available: u64,
}

impl Clusters {
    fn of(rows: &Value) -> Self {
        let rows = list(rows);
        let numbers = |row: &Value| Numbers {
            score: number(&row["score"]),
            tier: number(&row["overflowOrder"]) as u32,
            allocatable: number(&row["allocatableReplicas"]) as u32,
            available: number(&row["availableReplicas"]),
        };
        let views = rows.iter().map(|row| view(&text(&row["name"]), &row["cluster"]));
        Self { views: views.collect(), numbers: rows.iter().map(numbers).collect() }
    }

    /// Rows that give a cluster and its score only.
    fn scored(rows: &Value, available: u64) -> Self {
        let rows = list(rows);
        let numbers = |row: &Value| Numbers {
            score: number(&row["score"]),
            tier: 0,
            allocatable: available as u32,
            available,
        };
        let views = rows.iter().map(|row| view(&text(&row["cluster"]["metadata"]["name"]), &row["cluster"]));
        Self { views: views.collect(), numbers: rows.iter().map(numbers).collect() }
    }

    fn candidates(&self) -> Vec<Candidate<'_>> {
        let mut candidates = Vec::new();
        for (cluster, numbers) in self.views.iter().zip(&self.numbers) {
            candidates.push(Candidate {
                cluster,
                score: numbers.score,
                tier: numbers.tier,
                allocatable_replicas: numbers.allocatable,
                available_replicas: numbers.available,
            });
        }
        candidates
    }
}

fn view(name: &str, cluster: &Value) -> ClusterView {
    let spec = &cluster["spec"];
    ClusterView {
        labels: read(&cluster["metadata"]["labels"]),
        region: spec["region"].as_str().map(str::to_owned),
        zones: strings(&spec["zones"]),
        provider: spec["provider"].as_str().map(str::to_owned),
        ..ClusterView::named(name)
    }
}

fn binding(input: &Value) -> BindingState {
    let spec = &input["spec"];
    let known = ["clusters", "placement", "replicaRequirements", "replicas"];
    let unknown = spec.as_object().and_then(|spec| spec.keys().find(|key| !known.contains(&key.as_str())));
    assert_eq!(unknown, None, "every field of the spec is understood");
    BindingState {
        replicas: number(&spec["replicas"]) as u32,
        has_replica_requirements: !spec["replicaRequirements"].is_null(),
        previous: targets(&spec["clusters"]),
        ..BindingState::default()
    }
}

/// The tables bypass the admission webhook, so `Divided` may come without a preference. Upstream's selection then takes
/// the branch of every division by room; the webhook would have made it `Weighted`, which the rows do not mean.
fn scheduling(placement: &Value) -> ReplicaScheduling {
    let strategy = &placement["replicaScheduling"];
    if strategy.is_null() {
        return ReplicaScheduling::Duplicated;
    }
    if strategy["replicaSchedulingType"] == "Divided" && strategy["replicaDivisionPreference"].is_null() {
        return ReplicaScheduling::Aggregated;
    }
    read(strategy)
}

fn static_rules(strategy: &Value) -> Vec<StaticWeight> {
    match read(strategy) {
        ReplicaScheduling::EqualWeight => Vec::new(),
        ReplicaScheduling::StaticWeight(rules) => rules,
        other => panic!("not a static weight: {other:?}"),
    }
}

/// The tables bypass the webhook here as well: a constraint by region alone is refused by [`Placement`], but it groups.
fn unchecked_spread(constraints: &Value) -> Option<Spread> {
    let constraints = list(constraints);
    let by = |field: &str| constraints.iter().find(|row| row["spreadByField"] == field).map(bounds);
    let cluster = by("cluster").unwrap_or(GroupBounds { min: 1, max: u32::MAX });
    let (region, zone, provider) = (by("region"), by("zone"), by("provider"));
    (!constraints.is_empty()).then_some(Spread { cluster, region, zone, provider })
}

fn bounds(constraint: &Value) -> GroupBounds {
    GroupBounds { min: number(&constraint["minGroups"]) as u32, max: number(&constraint["maxGroups"]) as u32 }
}

fn group_score(input: &Value, min_groups: u32) -> GroupScore {
    let placement = &input["spec"]["placement"];
    let cluster =
        list(&placement["spreadConstraints"]).into_iter().find(|row| row["spreadByField"] == "cluster");
    GroupScore {
        duplicated: scheduling(placement) == ReplicaScheduling::Duplicated,
        replicas: binding(input).replicas,
        min_groups,
        min_clusters: cluster.map_or(0, |row| bounds(&row).min),
    }
}

fn same_outcome(outcome: Result<Vec<TargetCluster>, Unschedulable>, want: &Value) -> Result<(), String> {
    match (outcome, truth(&want["error"])) {
        (Ok(targets), false) => same_targets(&targets, want),
        (Err(_), true) => Ok(()),
        (Ok(targets), true) => Err(format!("should fail, gives {targets:?}")),
        (Err(reason), false) => Err(format!("should not fail: {reason}")),
    }
}

fn same_targets(found: &[TargetCluster], want: &Value) -> Result<(), String> {
    let any_order = want["order"] == "any";
    let ordered = |mut targets: Vec<TargetCluster>| {
        if any_order {
            targets.sort_by(|left, right| left.name.cmp(&right.name));
        }
        targets
    };
    let accepted =
        if want["anyOf"].is_null() { vec![want["clusters"].clone()] } else { list(&want["anyOf"]) };
    let found = ordered(found.to_vec());
    let matches = accepted.iter().any(|one| ordered(targets(one)) == found);
    if matches { Ok(()) } else { Err(format!("found {found:?}, want {accepted:?}")) }
}

fn same<T: PartialEq + std::fmt::Debug>(found: &T, want: &T) -> Result<(), String> {
    if found == want { Ok(()) } else { Err(format!("found {found:?}, want {want:?}")) }
}

fn names(candidates: &[Candidate<'_>]) -> Vec<String> {
    candidates.iter().map(|candidate| candidate.cluster.name.clone()).collect()
}

fn targets(value: &Value) -> Vec<TargetCluster> {
    read(&Value::Array(list(value)))
}

fn strings(value: &Value) -> Vec<String> {
    read(&Value::Array(list(value)))
}

fn or_empty(value: &Value) -> Value {
    if value.is_null() { json!({}) } else { value.clone() }
}

fn read<T: DeserializeOwned>(value: &Value) -> T {
    serde_json::from_value(or_empty(value)).unwrap_or_else(|error| panic!("{value}: {error}"))
}

fn list(value: &Value) -> Vec<Value> {
    value.as_array().cloned().unwrap_or_default()
}

fn text(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}

fn number(value: &Value) -> u64 {
    value.as_u64().unwrap_or_else(|| if value.is_null() { 0 } else { panic!("{value} is not a count") })
}

fn truth(value: &Value) -> bool {
    value.as_bool().unwrap_or(false)
}
