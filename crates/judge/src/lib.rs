//! The judge: the simulator's decisions against those of the real programs, on the same random cases. For development only,
//! no part of the program that people get.

mod dice;
mod doubles;
pub mod draw;
mod error;
mod real;
mod report;
mod rollout;
mod scaling;
mod simulated;
mod tally;
mod trial;

pub use error::Problem;
pub use real::Real;
pub use report::{Run, page};
pub use rollout::{RealRollouts, RolloutTally, judge_rollouts};
pub use scaling::{RealAutoscalers, ScalingTally, judge_autoscalers};
pub use tally::{Share, Tally};

use draw::Case;

/// Judges cases from one on, until so many pods were decided about; `say` hears of every case. With doubles it takes several times
/// as long to simulate.
pub fn judge(
    real: &mut Real,
    seed: u64,
    first_case: u64,
    pods: u64,
    with_doubles: bool,
    say: impl Fn(&str),
) -> Result<Tally, Problem> {
    let mut tally = Tally::default();
    for number in first_case.. {
        if tally.decisions.of >= pods {
            break;
        }
        let case = Case::draw(seed, number);
        trial::run(&case, real, with_doubles, &mut tally)?;
        say(&format!(
            "case {number} ({}): {} nodes, {} pods; in all {} of {} decisions agree",
            case.flavour.name(),
            case.nodes.len(),
            case.pods.len(),
            tally.decisions.so,
            tally.decisions.of,
        ));
    }
    Ok(tally)
}
