//! Doubles of the simulator that are wrong on purpose: how far their decisions are from the real ones says how much an
//! agreement is worth.

use crate::draw::Case;
use crate::error::Problem;
use crate::real::Verdict;
use crate::simulated::{Opinion, Simulated};
use serde_json::Value;
use simulator::scheduler::{DefaultSpread, FitScoring, Plugin, Profile, ScoringStrategy};

pub(crate) struct Double {
    pub(crate) name: &'static str,
    pub(crate) simulated: Simulated,
    opinion: Option<Opinion>,
}

impl Double {
    pub(crate) fn all(case: &Case) -> Result<Vec<Self>, Problem> {
        let double = |(name, profile)| {
            let simulated = Simulated::new(case, profile)?;
            Ok(Self { name, simulated, opinion: None })
        };
        profiles().into_iter().map(double).collect()
    }

    pub(crate) fn consider(&mut self, number: usize, pod: &Value) -> Result<(), Problem> {
        let arrival = self.simulated.arrival(number, pod)?;
        self.opinion = Some(self.simulated.opinion(arrival));
        Ok(())
    }

    /// Whether the last opinion is that of the real side.
    pub(crate) fn agrees(&self, verdict: &Verdict) -> bool {
        match (verdict, &self.opinion) {
            (Verdict::Bound(node), Some(Opinion::Bound { best, .. })) => best.contains(node),
            (Verdict::Refused { nominated, .. }, Some(Opinion::Refused { rooms, .. })) => {
                nominated.as_ref().map_or(rooms.is_empty(), |node| rooms.contains_key(node))
            }
            _ => false,
        }
    }
}

fn profiles() -> Vec<(&'static str, Profile)> {
    let usual = Profile::default();
    let fullest = FitScoring::new(ScoringStrategy::MostAllocated, usual.fit_scoring.resources().to_vec());
    vec![
        ("taints that should be avoided weigh 2 instead of 3", weighed(Plugin::TaintToleration, 2)),
        ("preferred nodes weigh 1 instead of 2", weighed(Plugin::NodeAffinity, 1)),
        ("images that are there already do not count", weighed(Plugin::ImageLocality, 0)),
        ("balance of CPU and memory does not count", weighed(Plugin::NodeResourcesBalancedAllocation, 0)),
        (
            "pods with an owner are not spread by default",
            Profile { default_spread: DefaultSpread::List(Vec::new()), ..usual.clone() },
        ),
        (
            "required affinity of pods that are there attracts nobody",
            Profile { hard_pod_affinity_weight: 0, ..usual.clone() },
        ),
        (
            "the fullest node instead of the emptiest",
            Profile { fit_scoring: fullest.unwrap_or_default(), ..usual },
        ),
    ]
}

fn weighed(plugin: Plugin, weight: i64) -> Profile {
    let mut profile = Profile::default();
    profile.weights.retain(|(one, _)| *one != plugin);
    profile.weights.extend((weight > 0).then_some((plugin, weight)));
    profile
}
