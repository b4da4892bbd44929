//! What is expected, as a page shows it.

mod told;

pub use told::ToldPrediction;

use model::prediction::{
    Direction, Estimate, FailureReason, Limitation, Outlook, PlanOutlook, PredictedMeasure, Prediction,
    Subject,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What carrying it out would bring, from rehearsals with and without it.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct PredictionItem {
    pub made_at: u64,
    pub horizon_seconds: f64,
    /// How many futures were rehearsed.
    pub seeds: u32,
    /// The share of futures that should land inside an interval.
    pub confidence: f64,
    /// Where less was computed than was asked for, in words.
    pub limitations: Vec<String>,
    /// What real clusters would say to the plans if they were approved now, in their own words; nothing where they would take them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub objections: Vec<String>,
    /// This plan and no other that is pending.
    pub alone: OutlookItem,
    /// This plan on top of everything else that is pending.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub jointly: Option<OutlookItem>,
    /// What that is.
    pub together_with: Vec<String>,
}

/// Two futures side by side.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct OutlookItem {
    pub measures: Vec<MeasureItem>,
    pub plans: Vec<PlanItem>,
}

/// One number with and without the plan.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct MeasureItem {
    /// What is measured: `pending_pods`, `cpu_load`, `cost_per_hour` and so on.
    pub measure: String,
    pub unit: String,
    /// Whom it is about: `federation`, a cluster or a workload.
    pub subject: String,
    pub lower_is_better: bool,
    pub without: EstimateItem,
    pub with: EstimateItem,
    pub difference: EstimateItem,
}

#[derive(Clone, Copy, Debug, Serialize, Deserialize, JsonSchema)]
pub struct EstimateItem {
    pub mean: f64,
    pub low: f64,
    pub high: f64,
}

/// What became of one plan in the rehearsals.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct PlanItem {
    pub id: String,
    pub done: u32,
    pub failed: u32,
    pub rolled_back: u32,
    pub unfinished: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub takes_seconds: Option<EstimateItem>,
    /// Why it failed where it did, the most frequent reason first.
    pub reasons: Vec<String>,
}

impl From<&Prediction> for PredictionItem {
    fn from(prediction: &Prediction) -> Self {
        Self {
            made_at: prediction.made_at.0,
            horizon_seconds: prediction.horizon.as_seconds_float(),
            seeds: prediction.seeds,
            confidence: prediction.confidence.as_f64(),
            limitations: prediction.limitations.iter().map(limitation).collect(),
            objections: Vec::new(),
            alone: (&prediction.alone).into(),
            jointly: prediction.jointly.as_ref().map(Into::into),
            together_with: prediction.together_with.iter().map(ToString::to_string).collect(),
        }
    }
}

fn limitation(limitation: &Limitation) -> String {
    match limitation {
        Limitation::FewerSeeds { asked } => {
            format!("fewer futures than the {asked} asked for were rehearsed")
        }
        Limitation::ShorterHorizon { asked } => format!("it looks less far ahead than the {asked} asked for"),
        Limitation::WorldEnds { asked } => format!("the scenario ends before the {asked} asked for"),
        Limitation::LeftOut { id } => format!("{id} excludes an older plan of the set and was left out"),
        Limitation::FewerPlans { asked } => {
            format!("{asked} plans are pending; the oldest of them were rehearsed")
        }
    }
}

impl From<&Outlook> for OutlookItem {
    fn from(outlook: &Outlook) -> Self {
        Self {
            measures: outlook.measures.iter().map(Into::into).collect(),
            plans: outlook.plans.iter().map(Into::into).collect(),
        }
    }
}

impl From<&PredictedMeasure> for MeasureItem {
    fn from(measured: &PredictedMeasure) -> Self {
        let subject = match &measured.subject {
            Subject::Federation => "federation".to_owned(),
            Subject::Cluster(name) => name.to_string(),
            Subject::Workload(name) => name.to_string(),
        };
        let name = serde_json::to_value(measured.measure).ok();
        Self {
            measure: name.and_then(|name| name.as_str().map(str::to_owned)).unwrap_or_default(),
            unit: measured.measure.unit().to_owned(),
            subject,
            lower_is_better: measured.measure.direction() == Direction::LowerIsBetter,
            without: (&measured.without).into(),
            with: (&measured.with).into(),
            difference: (&measured.difference).into(),
        }
    }
}

impl From<&Estimate> for EstimateItem {
    fn from(estimate: &Estimate) -> Self {
        Self { mean: estimate.mean.as_f64(), low: estimate.low.as_f64(), high: estimate.high.as_f64() }
    }
}

impl From<&PlanOutlook> for PlanItem {
    fn from(plan: &PlanOutlook) -> Self {
        let reason = |FailureReason { reason, seeds }: &FailureReason| match seeds {
            1 => format!("{reason} (in 1 future)"),
            _ => format!("{reason} (in {seeds} futures)"),
        };
        Self {
            id: plan.id.to_string(),
            done: plan.done,
            failed: plan.failed,
            rolled_back: plan.rolled_back,
            unfinished: plan.unfinished,
            takes_seconds: plan.takes.as_ref().map(Into::into),
            reasons: plan.reasons.iter().map(reason).collect(),
        }
    }
}
