//! Random cases: a cluster, and the pods that arrive in it one after the other. The same seed gives the same case.

mod affinity;
mod apps;
mod nodes;

use crate::dice::Dice;
use serde_json::{Value, json};

/// What a case is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Flavour {
    /// Room for everybody; preferences decide.
    Roomy,
    /// Nearly full at the end.
    Tight,
    /// More pods than fit.
    Crowded,
    /// More pods than fit, of several priorities.
    Preempting,
    /// Hundreds of nodes.
    Wide,
}

impl Flavour {
    pub const ALL: [Self; 5] = [Self::Roomy, Self::Tight, Self::Crowded, Self::Preempting, Self::Wide];

    pub const fn name(self) -> &'static str {
        match self {
            Self::Roomy => "roomy",
            Self::Tight => "tight",
            Self::Crowded => "crowded",
            Self::Preempting => "preempting",
            Self::Wide => "wide",
        }
    }

    /// The CPU that is asked for, in per cent of what the nodes offer.
    const fn fullness(self) -> u64 {
        match self {
            Self::Roomy | Self::Wide => 40,
            Self::Tight => 95,
            Self::Crowded => 160,
            Self::Preempting => 190,
        }
    }
}

/// A disruption budget with a fixed number of pods that may go.
#[derive(Clone, Debug)]
pub struct BudgetOf {
    pub name: String,
    pub namespace: &'static str,
    pub app: String,
    pub allowed: i32,
}

/// Everything in it is written as Kubernetes' API takes it.
#[derive(Clone, Debug)]
pub struct Case {
    pub seed: u64,
    pub number: u64,
    pub flavour: Flavour,
    pub nodes: Vec<Value>,
    pub pods: Vec<Value>,
    pub replica_sets: Vec<Value>,
    pub services: Vec<Value>,
    pub budgets: Vec<BudgetOf>,
}

/// More pods than this in one case add little that is new, and fewer where each is compared on hundreds of nodes.
const MOST_PODS: usize = 300;
const MOST_PODS_IF_WIDE: usize = 120;
const FEWEST_PODS: usize = 30;

/// The namespaces of all cases; the second one has a label that affinity can ask for.
pub const NAMESPACES: [&str; 2] = ["default", "annex"];
/// The label of the second namespace.
pub const TEAM: (&str, &str) = ("team", "blue");

impl Case {
    /// Case number `number` of a run with this seed; every flavour has its turn.
    pub fn draw(seed: u64, number: u64) -> Self {
        let flavour = Flavour::ALL[(number % Flavour::ALL.len() as u64) as usize];
        let mut dice = Dice::new(seed, &format!("case/{number}"));
        let nodes = nodes::draw(&mut dice, number, flavour);
        let apps = apps::draw(&mut dice, number, flavour, &nodes);
        let pods = arrivals(&mut dice, number, flavour, &nodes, &apps);
        let budgets = if flavour == Flavour::Preempting { budgets(&mut dice, &apps) } else { Vec::new() };
        Self {
            seed,
            number,
            flavour,
            nodes,
            pods,
            replica_sets: apps.iter().filter_map(apps::App::replica_set).collect(),
            services: apps.iter().filter_map(apps::App::service).collect(),
            budgets,
        }
    }
}

/// Pods of random apps until as much CPU is asked for as the flavour wants.
fn arrivals(
    dice: &mut Dice,
    number: u64,
    flavour: Flavour,
    nodes: &[Value],
    apps: &[apps::App],
) -> Vec<Value> {
    let offered: u64 = nodes.iter().map(nodes::milli_cpu).sum();
    let wanted = offered * flavour.fullness() / 100;
    let mut left = wanted;
    let mut pods = Vec::new();
    let most = if flavour == Flavour::Wide { MOST_PODS_IF_WIDE } else { MOST_PODS };
    while pods.len() < FEWEST_PODS || (left > 0 && pods.len() < most) {
        let app = apps::next(dice, apps, flavour, left * 2 > wanted);
        // Pods that ask for nothing would never fill anything.
        left = left.saturating_sub(app.milli_cpu.max(50));
        pods.push(app.pod(dice, number, pods.len()));
    }
    pods
}

fn budgets(dice: &mut Dice, apps: &[apps::App]) -> Vec<BudgetOf> {
    let mut guarded: Vec<&apps::App> = apps.iter().collect();
    guarded.retain(|_| dice.chance(30));
    let budget = |app: &apps::App, allowed: u64| BudgetOf {
        name: app.name.clone(),
        namespace: app.namespace,
        app: app.name.clone(),
        allowed: allowed as i32,
    };
    guarded.into_iter().map(|app| budget(app, dice.between(0, 3))).collect()
}

impl BudgetOf {
    pub(crate) fn selector(&self) -> Value {
        json!({ "matchLabels": { "app": self.app } })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_seed_gives_the_same_case_and_every_flavour_occurs() {
        for number in 0..10 {
            let case = Case::draw(7, number);
            let again = Case::draw(7, number);
            assert_eq!(case.pods, again.pods);
            assert_eq!(case.nodes, again.nodes);
            assert!(case.pods.len() >= FEWEST_PODS && case.pods.len() <= MOST_PODS);
        }
        assert_ne!(Case::draw(7, 0).pods, Case::draw(8, 0).pods);
    }

    #[test]
    fn every_feature_is_drawn() {
        let all: String =
            (0..20).flat_map(|number| Case::draw(1, number).pods).map(|pod| pod.to_string()).collect();
        for feature in [
            "nodeSelector",
            "nodeAffinity",
            "podAffinity",
            "podAntiAffinity",
            "namespaceSelector",
            "topologySpreadConstraints",
            "minDomains",
            "nodeTaintsPolicy",
            "matchLabelKeys",
            "tolerations",
            "hostPort",
            "initContainers",
            "example.org/gpu",
            "ephemeral-storage",
            "preemptionPolicy",
            "ownerReferences",
            "matchFields",
        ] {
            assert!(all.contains(feature), "{feature}");
        }
    }
}
