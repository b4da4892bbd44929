//! Horizontal autoscalers: the first decision of each, by the real controller and by the simulator's.

mod draw;
mod real;
mod simulated;

pub use real::RealAutoscalers;

use crate::dice::Dice;
use crate::error::Problem;
use crate::tally::Share;
use draw::Situation;
use std::collections::BTreeMap;

/// Autoscalers that are there at a time.
const BATCH: u64 = 60;

/// What an autoscaler decided, in the words of its status.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Answer {
    pub(crate) desired: u32,
    /// Type, status and reason of each condition.
    pub(crate) conditions: Vec<String>,
    /// What each metric is now, where it could be told.
    pub(crate) metrics: Vec<String>,
}

/// What was compared.
#[derive(Clone, Debug, Default)]
pub struct ScalingTally {
    /// Decisions with the same size and the same conditions.
    pub decisions: Share,
    /// The values of all metrics are the same too.
    pub values: Share,
    pub by_direction: BTreeMap<&'static str, Share>,
    pub disagreements: Vec<String>,
}

/// First decisions of so many autoscalers, in batches.
pub fn judge_autoscalers(
    real: &mut RealAutoscalers,
    seed: u64,
    autoscalers: u64,
    say: impl Fn(&str),
) -> Result<ScalingTally, Problem> {
    let mut tally = ScalingTally::default();
    let mut first = 0;
    while first < autoscalers {
        let numbers = first..(first + BATCH).min(autoscalers);
        first = numbers.end;
        let situations: Vec<Situation> = numbers.map(|number| situation(seed, number)).collect();
        let (now, answers) = real.decide(&situations)?;
        for (situation, answer) in situations.iter().zip(answers) {
            tally.count(situation, &answer, &simulated::decide(situation, now)?);
        }
        let Share { of, so } = tally.decisions;
        say(&format!("autoscalers: {so} of {of} decisions agree"));
    }
    Ok(tally)
}

fn situation(seed: u64, number: u64) -> Situation {
    Situation::draw(&mut Dice::new(seed, &format!("scaling/{number}")), number)
}

impl ScalingTally {
    fn count(&mut self, situation: &Situation, real: &Answer, simulated: &Answer) {
        let agrees = real.desired == simulated.desired && real.conditions == simulated.conditions;
        self.decisions.count(agrees);
        self.values.count(real.metrics == simulated.metrics);
        let direction = match real.desired.cmp(&situation.replicas) {
            std::cmp::Ordering::Less => "fewer replicas",
            std::cmp::Ordering::Equal => "as many as there are",
            std::cmp::Ordering::Greater => "more replicas",
        };
        self.by_direction.entry(direction).or_default().count(agrees);
        if real != simulated {
            self.disagreements.push(format!("{}: real {real:?}, simulated {simulated:?}", situation.name));
        }
    }
}
