//! What was measured after a plan was started, beside what had been predicted.

use super::{Estimate, Measure, Millionths, Subject};
use crate::recommendation::RecommendationId;
use crate::time::{Period, Timestamp};
use serde::{Deserialize, Serialize};

/// A prediction compared with what happened.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Score {
    /// The recommendations the prediction was about.
    pub of: Vec<RecommendationId>,
    /// When the plans were started, and until when was measured.
    pub from: Timestamp,
    pub to: Timestamp,
    /// How old the prediction was when the plans were started.
    pub age: Period,
    /// Whether as much time was measured as had been predicted. Where it was not, the numbers do not compare.
    pub complete: bool,
    pub compared_with: Basis,
    pub observations: Vec<Observation>,
    /// What else happened meanwhile that the prediction could not know.
    pub confounded_by: Vec<Confounder>,
}

/// Which of the predicted futures came closest to what was done.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Basis {
    Alone,
    /// All other plans that were pending were carried out as well.
    Jointly,
}

/// One number as it was predicted and as it was.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Observation {
    pub measure: Measure,
    pub subject: Subject,
    pub predicted: Estimate,
    pub observed: Millionths,
    pub inside: bool,
    /// How far the observed value is from the predicted mean.
    pub error: Millionths,
}

/// Something that happened in the measured time beside the plans.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Confounder {
    /// Another plan was started.
    Plan { id: RecommendationId },
    /// So many workloads came, went or were changed from outside.
    Workloads { changes: u64 },
    /// So many faults began or ended.
    Faults { changes: u64 },
}

impl Observation {
    pub fn new(measure: Measure, subject: Subject, predicted: Estimate, observed: Millionths) -> Self {
        let error = observed.minus(predicted.mean).abs();
        Self { measure, subject, predicted, observed, inside: predicted.contains(observed), error }
    }
}

impl Score {
    /// How many of the observed numbers lie inside their interval, and how many there are.
    pub fn hits(&self) -> (usize, usize) {
        (self.observations.iter().filter(|one| one.inside).count(), self.observations.len())
    }

    /// Whether it says anything about how well predictions are made.
    pub const fn is_clean(&self) -> bool {
        self.complete && self.confounded_by.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn score(observed: f64, confounded_by: Vec<Confounder>) -> Score {
        let predicted =
            Estimate { mean: Millionths::whole(4), low: Millionths::whole(3), high: Millionths::whole(5) };
        let observed = Millionths::nearest(observed);
        Score {
            of: vec![RecommendationId(1)],
            from: Timestamp(10),
            to: Timestamp(20),
            age: Period(5),
            complete: true,
            compared_with: Basis::Alone,
            observations: vec![Observation::new(
                Measure::PendingPods,
                Subject::Federation,
                predicted,
                observed,
            )],
            confounded_by,
        }
    }

    #[test]
    fn the_ends_of_an_interval_belong_to_it() {
        for (observed, inside, error) in
            [(3.0, 1, 1.0), (5.0, 1, 1.0), (5.000_001, 0, 1.000_001), (4.0, 1, 0.0)]
        {
            let score = score(observed, Vec::new());
            assert_eq!(score.hits(), (inside, 1), "{observed}");
            assert_eq!(score.observations[0].error, Millionths::nearest(error));
        }
    }

    #[test]
    fn a_score_with_something_in_between_is_not_clean_and_survives_its_text_form() {
        let disturbed = score(
            4.0,
            vec![
                Confounder::Plan { id: RecommendationId(9) },
                Confounder::Workloads { changes: 2 },
                Confounder::Faults { changes: 1 },
            ],
        );
        assert!(!disturbed.is_clean() && score(4.0, Vec::new()).is_clean());
        let text = serde_json::to_string(&disturbed).unwrap();
        assert_eq!(serde_json::from_str::<Score>(&text).unwrap(), disturbed, "{text}");
        assert!(text.contains(r#"{"kind":"plan","id":"R-9"}"#), "{text}");
    }
}
