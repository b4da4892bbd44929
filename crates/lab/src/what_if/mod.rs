//! What if? The effect of recommendations, computed before a person is asked: copies of the simulated world are run ahead
//! with and without the plans, for several seeds, alone and together with everything else that is pending. Later the
//! prediction is scored against what happened, with the same instrument.
//!
//! ```text
//!  world ─► copies, one per seed ─┬─ nothing begun ────────► window ┐
//!           nothing new arrives   ├─ these plans begun ────► window ┼─► differences, seed by seed ─► Prediction
//!                                 ├─ the others begun ─────► window │
//!                                 └─ all of them begun ────► window ┘
//!  world ─► begins the approved plan ─ goes on ────────────► window ─► score(prediction, window, what else happened) ─► Score
//!  real clusters ─► looks, one after the other ► Sightings ─► window ─┘
//! ```
//!
//! What a copy may know of the future is decided in `docs/decisions/0014-what-a-prediction-may-know.md`. Same world, same
//! settings: the same prediction, to the byte.

mod instrument;
mod outlook;
mod score;
mod sets;
mod sightings;
mod stage;
#[cfg(test)]
mod tests;

pub use score::{Meanwhile, score, watch};
pub use sightings::{Sightings, surprises};

use model::action::Action;
use model::prediction::{Limitation, Prediction};
use model::ratio::Ratio;
use model::recommendation::RecommendationId;
use model::time::Period;
use outlook::Outlooks;
use sets::{MOST_TOGETHER, Question};
use simulator::world::SimulatedWorld;
use stage::Stage;

/// A recommendation as far as it matters here.
pub type Pending = (RecommendationId, Action);

/// An interval needs two values.
pub const FEWEST_SEEDS: u32 = 2;

/// Beyond this, one more future changes no interval that anybody reads.
pub const MOST_SEEDS: u32 = 1_000;

/// How far to look ahead, how often, and with how much work.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Settings {
    /// Plans are judged by what is measured over this long.
    pub horizon: Period,
    /// How many futures; between [`FEWEST_SEEDS`] and [`MOST_SEEDS`].
    pub seeds: u32,
    /// About how many simulated events all rehearsals of one call may take, copies of the world counted as the events that
    /// take as long. Where that is not enough, there are fewer seeds, then a shorter horizon, and the prediction says so.
    pub budget: u64,
    /// Where the futures' seeds come from.
    pub seed: u64,
}

impl Default for Settings {
    /// Half an hour shows whether a move helps; five futures are the fewest of which anything is claimed; two million
    /// events take a few seconds.
    fn default() -> Self {
        Self { horizon: Period::from_minutes(30), seeds: 5, budget: 2_000_000, seed: 1 }
    }
}

/// The effect of one recommendation, alone and together with all others that are pending.
pub fn predict(
    world: &SimulatedWorld,
    subject: &Pending,
    pending: &[Pending],
    settings: &Settings,
) -> Prediction {
    joint(world, std::slice::from_ref(subject), pending, settings)
}

/// The effect of each of these recommendations, in their order, among everything that is pending. What they have in common is
/// rehearsed once, and all of them share one budget.
pub fn predict_each(
    world: &SimulatedWorld,
    subjects: &[Pending],
    pending: &[Pending],
    settings: &Settings,
) -> Vec<Prediction> {
    let questions: Vec<Question> =
        subjects.iter().map(|subject| Question::new(std::slice::from_ref(subject), pending)).collect();
    answer(world, &questions, settings)
}

/// The effect of a set that would be approved together, with and without all others that are pending.
pub fn joint(
    world: &SimulatedWorld,
    set: &[Pending],
    pending: &[Pending],
    settings: &Settings,
) -> Prediction {
    let mut answers = answer(world, &[Question::new(set, pending)], settings);
    answers.pop().expect("one question has one answer")
}

fn answer(world: &SimulatedWorld, questions: &[Question], settings: &Settings) -> Vec<Prediction> {
    let stage = Stage::new(world, questions, settings);
    let outlooks = Outlooks::after(stage.seeds());
    let predict = |question: &Question| {
        let compare = |without, with| outlooks.compare(question, &stage, without, with);
        let alone = compare(question.nothing(), question.these());
        let jointly = question.has_others().then(|| compare(question.others(), question.all()));
        Prediction {
            of: question.these().ids(),
            made_at: world.now(),
            horizon: stage.horizon(),
            seeds: stage.seeds(),
            confidence: Ratio::from_f64(crate::statistics::NextValue::CONFIDENCE).unwrap_or_default(),
            limitations: stage.limitations().iter().copied().chain(limitations(question)).collect(),
            alone,
            jointly,
            together_with: question.others().ids(),
        }
    };
    questions.iter().map(predict).collect()
}

/// What was left out of a question itself.
fn limitations(question: &Question) -> impl Iterator<Item = Limitation> + '_ {
    let too_many = u32::try_from(question.asked_together()).unwrap_or(u32::MAX);
    let fewer =
        (question.asked_together() > MOST_TOGETHER).then_some(Limitation::FewerPlans { asked: too_many });
    question.left_out().map(|id| Limitation::LeftOut { id }).chain(fewer)
}
