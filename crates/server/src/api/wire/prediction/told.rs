//! A stored prediction as it is told: what a [`PredictionItem`](super::PredictionItem) says, without reading its numbers. There are
//! hundreds in each, and reading and writing them again was the largest part of showing a recommendation.

use super::{PlanItem, limitation};
use crate::storage::JsonText;
use model::prediction::{Direction, Limitation, Measure, PlanOutlook};
use model::ratio::Ratio;
use model::recommendation::RecommendationId;
use model::time::{Period, Timestamp};
use serde::ser::{Error, SerializeStruct};
use serde::{Deserialize, Serialize, Serializer};
use serde_json::value::RawValue;
use std::borrow::Cow;

/// A prediction as the desk wrote it down, on its way to whoever reads a [`PredictionItem`](super::PredictionItem).
#[derive(Clone, Debug)]
pub struct ToldPrediction(JsonText);

impl From<JsonText> for ToldPrediction {
    fn from(text: JsonText) -> Self {
        Self(text)
    }
}

impl Serialize for ToldPrediction {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let told: Told<'_> = serde_json::from_str(self.0.as_str()).map_err(S::Error::custom)?;
        told.serialize(serializer)
    }
}

/// Read from a [`Prediction`](model::prediction::Prediction), written as a [`PredictionItem`](super::PredictionItem).
#[derive(Deserialize, Serialize)]
#[serde(rename_all(serialize = "camelCase"))]
struct Told<'a> {
    made_at: Timestamp,
    #[serde(rename(serialize = "horizonSeconds"), serialize_with = "seconds")]
    horizon: Period,
    seeds: u32,
    confidence: Ratio,
    #[serde(serialize_with = "in_words")]
    limitations: Vec<Limitation>,
    #[serde(borrow)]
    alone: ToldOutlook<'a>,
    #[serde(borrow, skip_serializing_if = "Option::is_none")]
    jointly: Option<ToldOutlook<'a>>,
    together_with: Vec<RecommendationId>,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde hands over references")]
fn seconds<S: Serializer>(period: &Period, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_f64(period.as_seconds_float())
}

fn in_words<S: Serializer>(limitations: &[Limitation], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_seq(limitations.iter().map(limitation))
}

#[derive(Deserialize, Serialize)]
struct ToldOutlook<'a> {
    #[serde(borrow)]
    measures: Vec<ToldMeasure<'a>>,
    #[serde(serialize_with = "as_items")]
    plans: Vec<PlanOutlook>,
}

fn as_items<S: Serializer>(plans: &[PlanOutlook], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_seq(plans.iter().map(PlanItem::from))
}

#[derive(Deserialize)]
struct ToldMeasure<'a> {
    measure: Measure,
    #[serde(borrow)]
    subject: ToldSubject<'a>,
    #[serde(borrow)]
    without: &'a RawValue,
    #[serde(borrow)]
    with: &'a RawValue,
    #[serde(borrow)]
    difference: &'a RawValue,
}

#[derive(Deserialize)]
#[serde(rename_all = "snake_case")]
enum ToldSubject<'a> {
    Federation,
    #[serde(borrow)]
    Cluster(Cow<'a, str>),
    #[serde(borrow)]
    Workload(Cow<'a, str>),
}

impl ToldSubject<'_> {
    fn name(&self) -> &str {
        match self {
            Self::Federation => "federation",
            Self::Cluster(name) | Self::Workload(name) => name,
        }
    }
}

impl Serialize for ToldMeasure<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let lower_is_better = self.measure.direction() == Direction::LowerIsBetter;
        let mut told = serializer.serialize_struct("MeasureItem", 7)?;
        told.serialize_field("measure", &self.measure)?;
        told.serialize_field("unit", self.measure.unit())?;
        told.serialize_field("subject", self.subject.name())?;
        told.serialize_field("lowerIsBetter", &lower_is_better)?;
        told.serialize_field("without", self.without)?;
        told.serialize_field("with", self.with)?;
        told.serialize_field("difference", self.difference)?;
        told.end()
    }
}

#[cfg(test)]
mod tests {
    use super::super::PredictionItem;
    use super::*;
    use model::names::{ClusterName, WorkloadRef};
    use model::prediction::{
        Estimate, FailureReason, Millionths, Outlook, PredictedMeasure, Prediction, Subject,
    };
    use proptest::prelude::*;

    fn estimate() -> impl Strategy<Value = Estimate> {
        let number = || (-5_000_000_000_i64..5_000_000_000).prop_map(Millionths::from_parts);
        (number(), number(), number()).prop_map(|(mean, low, high)| Estimate { mean, low, high })
    }

    fn subject() -> impl Strategy<Value = Subject> {
        prop_oneof![
            Just(Subject::Federation),
            "[a-z]{1,9}".prop_map(|name| Subject::Cluster(ClusterName::new(&name).unwrap())),
            "[a-z]{1,9}".prop_map(|name| {
                let workload: WorkloadRef = format!("deployment/shop/{name}").parse().unwrap();
                Subject::Workload(workload)
            }),
        ]
    }

    fn outlook() -> impl Strategy<Value = Outlook> {
        let measure =
            (prop::sample::select(&Measure::ALL[..]), subject(), estimate(), estimate(), estimate())
                .prop_map(|(measure, subject, without, with, difference)| PredictedMeasure {
                    measure,
                    subject,
                    without,
                    with,
                    difference,
                });
        let plan = (any::<u64>(), prop::option::of(estimate()), ".{0,20}").prop_map(|(id, takes, reason)| {
            let reasons = vec![FailureReason { reason, seeds: 2 }];
            PlanOutlook {
                id: RecommendationId(id),
                done: 1,
                failed: 2,
                rolled_back: 0,
                unfinished: 3,
                takes,
                reasons,
            }
        });
        (prop::collection::vec(measure, 0..9), prop::collection::vec(plan, 0..3))
            .prop_map(|(measures, plans)| Outlook { measures, plans })
    }

    fn prediction() -> impl Strategy<Value = Prediction> {
        (outlook(), prop::option::of(outlook()), 0..u64::from(u32::MAX)).prop_map(
            |(alone, jointly, number)| {
                let asked = Period::from_millis(number);
                Prediction {
                    of: vec![RecommendationId(number)],
                    made_at: Timestamp(number),
                    horizon: asked,
                    seeds: 5,
                    confidence: Ratio::from_f64(0.9).unwrap(),
                    limitations: vec![
                        Limitation::ShorterHorizon { asked },
                        Limitation::FewerSeeds { asked: 9 },
                    ],
                    alone,
                    jointly,
                    together_with: vec![RecommendationId(number + 1)],
                }
            },
        )
    }

    proptest! {
        #[test]
        fn a_stored_prediction_is_told_like_one_that_was_just_made(made in prediction()) {
            let told = serde_json::to_string(&ToldPrediction::from(JsonText::of(&made))).unwrap();
            let read: PredictionItem = serde_json::from_str(&told).unwrap();
            let (read, expected) = (serde_json::to_value(&read), serde_json::to_value(PredictionItem::from(&made)));
            prop_assert_eq!(read.unwrap(), expected.unwrap());
        }
    }

    #[test]
    fn what_is_no_prediction_is_not_told() {
        let told = ToldPrediction::from(JsonText::of(&serde_json::json!({ "seeds": 3 })));
        assert!(serde_json::to_string(&told).is_err());
    }
}
