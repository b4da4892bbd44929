//! What is expected to happen if a recommendation is carried out, as numbers that can be compared with what happened.
//!
//! A prediction says what was measured in rehearsals with and without the plan; a score says what was measured afterwards.

mod millionths;
mod score;

pub use millionths::Millionths;
pub use score::{Basis, Confounder, Observation, Score};

use crate::names::{ClusterName, WorkloadRef};
use crate::ratio::Ratio;
use crate::recommendation::RecommendationId;
use crate::time::{Period, Timestamp};
use serde::{Deserialize, Serialize};
use std::fmt;

/// The effect of some recommendations, computed before a person is asked.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Prediction {
    /// The recommendations it is about: one, or a set that would be approved together.
    pub of: Vec<RecommendationId>,
    pub made_at: Timestamp,
    /// Everything is measured over this long from the moment the plans are started.
    pub horizon: Period,
    /// How many futures were rehearsed.
    pub seeds: u32,
    /// The share of futures that should land inside an interval.
    pub confidence: Ratio,
    /// Where less was computed than was asked for.
    pub limitations: Vec<Limitation>,
    /// These recommendations and no other that is pending. What is under way already goes on.
    pub alone: Outlook,
    /// The same if everything in `together_with` is carried out as well: what these add to the others. None if nothing
    /// else that could be carried out beside them is pending.
    pub jointly: Option<Outlook>,
    pub together_with: Vec<RecommendationId>,
}

/// Two futures side by side.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Outlook {
    pub measures: Vec<PredictedMeasure>,
    /// What becomes of each plan that is started, in the order of their numbers.
    pub plans: Vec<PlanOutlook>,
}

/// One number with and without the plans.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PredictedMeasure {
    pub measure: Measure,
    pub subject: Subject,
    pub without: Estimate,
    pub with: Estimate,
    /// With minus without, future by future.
    pub difference: Estimate,
}

/// Whom a number is about.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Subject {
    Federation,
    Cluster(ClusterName),
    Workload(WorkloadRef),
}

/// The mean over all rehearsed futures, and the interval in which a single one should land.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Estimate {
    pub mean: Millionths,
    pub low: Millionths,
    pub high: Millionths,
}

/// What became of one plan in the rehearsals; the four counts add up to the number of seeds.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PlanOutlook {
    pub id: RecommendationId,
    pub done: u32,
    pub failed: u32,
    pub rolled_back: u32,
    /// Still under way at the end of the horizon.
    pub unfinished: u32,
    /// Seconds until it was done, where it was.
    pub takes: Option<Estimate>,
    /// Why it failed or was rolled back, each reason once, the most frequent first.
    pub reasons: Vec<FailureReason>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FailureReason {
    pub reason: String,
    /// In how many of the futures.
    pub seeds: u32,
}

/// Why less was computed than was asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "because", rename_all = "snake_case")]
pub enum Limitation {
    /// The work limit allowed fewer futures.
    FewerSeeds { asked: u32 },
    /// The work limit allowed a shorter look ahead.
    ShorterHorizon { asked: Period },
    /// The world ends before the horizon.
    WorldEnds { asked: Period },
    /// More plans are pending than are rehearsed together; the oldest were taken.
    FewerPlans { asked: u32 },
    /// One of the plans that were asked about excludes an older one of them, so that it cannot be carried out as well.
    LeftOut { id: RecommendationId },
}

/// What is predicted, and measured afterwards.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Measure {
    /// Requested CPU of placed pods over capacity, mean over time.
    CpuLoad,
    MemoryLoad,
    /// Pods without a node, mean over time.
    PendingPods,
    PendingPodsMax,
    /// The share of time in which any pod had no node.
    PendingTime,
    /// Nodes that take pods, mean over time.
    ReadyNodes,
    CostPerHour,
    /// What nodes draw, mean over time.
    Power,
    CarbonPerHour,
    /// Pods that plans brought from one cluster to another.
    MovedPods,
    /// Pods that were evicted or had to make room.
    StoppedPods,
    /// Of the requests answered within the horizon.
    LatencyP95,
    /// The share of requests that failed, timed out or reached nobody.
    LostRequests,
    /// The share of time in which a service missed its objective.
    ObjectiveMissed,
}

/// Which way is good.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Direction {
    LowerIsBetter,
    /// Neither more nor less is better by itself.
    Neutral,
}

impl Measure {
    pub const ALL: [Self; 14] = [
        Self::CpuLoad,
        Self::MemoryLoad,
        Self::PendingPods,
        Self::PendingPodsMax,
        Self::PendingTime,
        Self::ReadyNodes,
        Self::CostPerHour,
        Self::Power,
        Self::CarbonPerHour,
        Self::MovedPods,
        Self::StoppedPods,
        Self::LatencyP95,
        Self::LostRequests,
        Self::ObjectiveMissed,
    ];

    /// What one whole of it is; a share of one is the whole.
    pub const fn unit(self) -> &'static str {
        match self {
            Self::CpuLoad
            | Self::MemoryLoad
            | Self::PendingTime
            | Self::LostRequests
            | Self::ObjectiveMissed => "share",
            Self::PendingPods | Self::PendingPodsMax | Self::MovedPods | Self::StoppedPods => "pods",
            Self::ReadyNodes => "nodes",
            Self::CostPerHour => "USD/h",
            Self::Power => "W",
            Self::CarbonPerHour => "g/h",
            Self::LatencyP95 => "ms",
        }
    }

    /// Whether it is a part of something, from nothing to all of it. Loads are, too: they count what has a place, not all that is
    /// asked for.
    pub fn is_share(self) -> bool {
        self.unit() == "share"
    }

    pub const fn direction(self) -> Direction {
        match self {
            Self::CpuLoad | Self::MemoryLoad | Self::ReadyNodes => Direction::Neutral,
            _ => Direction::LowerIsBetter,
        }
    }

    /// An interval reaches at least this far to both sides of the mean, however well the futures agree: one thing that
    /// can be counted, one per cent of what is a share, one of what is only ever read in whole units, a tenth of a cent.
    pub const fn grain(self) -> Millionths {
        Millionths::from_parts(match self {
            Self::CpuLoad
            | Self::MemoryLoad
            | Self::PendingTime
            | Self::LostRequests
            | Self::ObjectiveMissed => 10_000,
            Self::CostPerHour => 1_000,
            _ => 1_000_000,
        })
    }
}

impl Estimate {
    /// The same value in every future.
    pub const fn exactly(value: Millionths) -> Self {
        Self { mean: value, low: value, high: value }
    }

    pub fn contains(&self, value: Millionths) -> bool {
        (self.low..=self.high).contains(&value)
    }
}

impl Outlook {
    pub fn get(&self, measure: Measure, subject: &Subject) -> Option<&PredictedMeasure> {
        self.measures.iter().find(|one| one.measure == measure && one.subject == *subject)
    }
}

impl PlanOutlook {
    /// In how many futures it was started.
    pub const fn seeds(&self) -> u32 {
        self.done + self.failed + self.rolled_back + self.unfinished
    }

    pub fn done_share(&self) -> Ratio {
        Ratio::of(u64::from(self.done), u64::from(self.seeds()))
    }
}

impl fmt::Display for Subject {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Federation => formatter.write_str("federation"),
            Self::Cluster(name) => write!(formatter, "{name}"),
            Self::Workload(reference) => write!(formatter, "{reference}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    pub(super) fn example() -> Prediction {
        let half = Estimate {
            mean: Millionths::nearest(0.5),
            low: Millionths::nearest(-0.25),
            high: Millionths::nearest(1.25),
        };
        let cluster = Subject::Cluster(ClusterName::new("member1").unwrap());
        let measured = |measure, subject| PredictedMeasure {
            measure,
            subject,
            without: Estimate::exactly(Millionths::whole(4)),
            with: half,
            difference: Estimate::exactly(Millionths::nearest(-3.5)),
        };
        let reason = FailureReason { reason: "the target was not ready in time".to_owned(), seeds: 1 };
        let plan = PlanOutlook {
            id: RecommendationId(7),
            done: 4,
            failed: 0,
            rolled_back: 1,
            unfinished: 0,
            takes: Some(Estimate::exactly(Millionths::whole(12))),
            reasons: vec![reason],
        };
        let workload = Subject::Workload("default/web".parse().unwrap());
        let measures = vec![
            measured(Measure::PendingPods, Subject::Federation),
            measured(Measure::CpuLoad, cluster),
            measured(Measure::LatencyP95, workload),
        ];
        let alone = Outlook { measures, plans: vec![plan] };
        Prediction {
            of: vec![RecommendationId(7)],
            made_at: Timestamp(150_000),
            horizon: Period::from_minutes(30),
            seeds: 5,
            confidence: Ratio::from_percent(95),
            limitations: vec![
                Limitation::FewerSeeds { asked: 20 },
                Limitation::WorldEnds { asked: Period::from_hours(1) },
            ],
            jointly: Some(alone.clone()),
            alone,
            together_with: vec![RecommendationId(8)],
        }
    }

    #[test]
    fn a_prediction_survives_its_text_form() {
        let prediction = example();
        let text = serde_json::to_string(&prediction).unwrap();
        assert_eq!(serde_json::from_str::<Prediction>(&text).unwrap(), prediction, "{text}");
        assert!(
            text.contains(r#""subject":"federation""#) && text.contains(r#"{"cluster":"member1"}"#),
            "{text}"
        );
        assert!(text.contains(r#"{"because":"fewer_seeds","asked":20}"#), "{text}");
    }

    #[test]
    fn every_measure_has_its_place_a_unit_and_a_grain() {
        for (place, measure) in Measure::ALL.into_iter().enumerate() {
            assert_eq!(measure as usize, place);
            assert!(!measure.unit().is_empty() && measure.grain() > Millionths::ZERO);
        }
        assert_eq!(Measure::CpuLoad.direction(), Direction::Neutral);
        assert_eq!(Measure::PendingPods.direction(), Direction::LowerIsBetter);
    }

    #[test]
    fn what_is_looked_for_is_found() {
        let outlook = example().alone;
        let found = outlook.get(Measure::PendingPods, &Subject::Federation).unwrap();
        assert_eq!(found.without.mean, Millionths::whole(4));
        assert_eq!(outlook.get(Measure::Power, &Subject::Federation), None);
        assert_eq!(outlook.plans[0].done_share(), Ratio::from_percent(80));
    }
}
