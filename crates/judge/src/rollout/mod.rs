//! Deployments: the sizes of all ReplicaSets after every change, by the real controllers and by the simulator's.

mod draw;
mod real;
mod simulated;

pub use real::RealRollouts;

use crate::dice::Dice;
use crate::error::Problem;
use crate::tally::Share;
use draw::{Action, Wish};
use simulated::SimulatedRollout;
use std::collections::BTreeMap;

/// Changes in the life of one Deployment.
const ACTIONS: u64 = 40;

/// The ReplicaSets of a Deployment by the number of their template: wanted size, and pods that are ready.
pub(crate) type Sizes = BTreeMap<u64, (u32, u32)>;

/// What was compared.
#[derive(Clone, Debug, Default)]
pub struct RolloutTally {
    pub deployments: u64,
    /// States after a change in which all sizes are the same.
    pub states: Share,
    /// Those with more than one ReplicaSet in use.
    pub mixed: Share,
    pub by_action: BTreeMap<&'static str, Share>,
    pub disagreements: Vec<String>,
}

/// Lives of so many Deployments.
pub fn judge_rollouts(
    real: &mut RealRollouts,
    seed: u64,
    deployments: u64,
    say: impl Fn(&str),
) -> Result<RolloutTally, Problem> {
    let mut tally = RolloutTally::default();
    for number in 0..deployments {
        life(real, seed, number, &mut tally)?;
        let Share { of, so } = tally.states;
        say(&format!("deployment {number}: in all {so} of {of} states agree"));
    }
    Ok(tally)
}

/// One Deployment from its creation on. It ends early at a state that differs, since all later ones would too.
fn life(real: &mut RealRollouts, seed: u64, number: u64, tally: &mut RolloutTally) -> Result<(), Problem> {
    let mut dice = Dice::new(seed, &format!("rollout/{number}"));
    let mut wish = Wish::draw(&mut dice);
    let mut simulated = SimulatedRollout::default();
    let name = format!("d{number}");
    tally.deployments += 1;
    real.create(&name, &wish)?;
    let mut history = vec![format!("{wish:?}")];
    for step in 0..=ACTIONS {
        let before = simulated.sizes();
        let action = if step == 0 { Action::Create } else { Action::draw(&mut dice, &wish, &before) };
        action.change(&mut wish);
        simulated.change(&action, &wish);
        real.change(&name, &action, &wish)?;
        history.push(format!("{before:?} {action:?}"));
        let expected = simulated.sizes();
        let seen = real.settle(&name, &expected)?;
        tally.count(&action, &expected, seen.is_none());
        if let Some(seen) = seen {
            let story = history.join(", ");
            tally.disagreements.push(format!(
                "deployment {number}: real {seen:?}, simulated {expected:?} (template: wanted, ready) after {story}"
            ));
            break;
        }
        simulated.follow_ages(&real.oldest_first(&name));
    }
    real.remove(&name)
}

impl RolloutTally {
    fn count(&mut self, action: &Action, sizes: &Sizes, agrees: bool) {
        self.states.count(agrees);
        if sizes.values().filter(|(wanted, _)| *wanted > 0).count() > 1 {
            self.mixed.count(agrees);
        }
        self.by_action.entry(action.name()).or_default().count(agrees);
    }
}
