//! The laboratory: what can be tried, what is being tried, and what came of it.

use lab::experiment::cell::Course;
use lab::experiment::conclusion::conclusions;
use lab::experiment::course;
use lab::experiment::figures::Drawing;
use lab::experiment::metric::Better;
use lab::experiment::results::{MetricRow, Results, SettingResults, Standing};
use lab::statistics::Verdict;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

/// A scenario that can be tried.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ScenarioItem {
    pub name: String,
    pub description: String,
    pub clusters: usize,
    /// Those that come later included.
    pub workloads: usize,
    pub lasts_ms: u64,
    /// Whether it is the one that runs at this desk.
    pub is_own: bool,
}

/// A strategy that can be tried.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct StrategyItem {
    pub name: &'static str,
    /// What it does.
    pub says: &'static str,
}

/// What somebody wants to know: these strategies on the same scenario and seeds.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ComparisonWish {
    pub scenario: String,
    #[schemars(length(min = 1, max = 8))]
    pub strategies: Vec<String>,
    /// How many seeds: 1, 2, 3 and so on up to this.
    #[schemars(range(min = 1, max = 50))]
    pub seeds: u64,
    /// The strategy that the others are compared with; the first by default.
    pub baseline: Option<String>,
}

#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct StartedComparison {
    /// C-1, C-2 …
    pub id: String,
}

/// How far a comparison is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum ComparisonState {
    /// Others are before it.
    Waiting,
    Running,
    Done,
    /// Somebody did not want it any more.
    Cancelled,
    /// None of its runs came to its end.
    Failed,
    /// The desk was stopped before it was over.
    Interrupted,
}

impl ComparisonState {
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Waiting => "waiting",
            Self::Running => "running",
            Self::Done => "done",
            Self::Cancelled => "cancelled",
            Self::Failed => "failed",
            Self::Interrupted => "interrupted",
        }
    }

    pub const fn is_over(self) -> bool {
        !matches!(self, Self::Waiting | Self::Running)
    }
}

/// Runs of a comparison, counted: one for each strategy and seed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct RunCounts {
    pub done: usize,
    pub all: usize,
    /// Of those done, how many failed or took too long. They are in no mean.
    pub troubled: usize,
}

/// A comparison without its results.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ComparisonItem {
    pub id: String,
    pub state: ComparisonState,
    pub scenario: String,
    pub strategies: Vec<String>,
    pub seeds: usize,
    pub baseline: String,
    pub cells: RunCounts,
    pub started_by: String,
    pub started_wall: i64,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ended_wall: Option<i64>,
    /// Why it failed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub why: Option<String>,
    /// What gives the same results on a command line.
    pub command: String,
}

#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct ComparisonDetail {
    #[serde(flatten)]
    pub comparison: ComparisonItem,
    /// Null until it is done.
    #[schemars(with = "Option<ComparisonResults>")]
    pub results: Option<Box<RawValue>>,
}

/// What a comparison showed.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ComparisonResults {
    /// The strategies, in the order of every row.
    pub arms: Vec<ArmItem>,
    pub baseline: String,
    /// Whether nothing can be claimed about other seeds.
    pub too_few_seeds: bool,
    /// What may be claimed, sentence by sentence.
    pub conclusions: Vec<String>,
    /// What limits all of it.
    pub caveats: Vec<String>,
    pub rows: Vec<MetricItem>,
    pub figures: Vec<FigureItem>,
}

/// One strategy.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ArmItem {
    pub name: String,
    pub completed: usize,
    pub failed: usize,
    pub timed_out: usize,
    /// Null if no run was completed.
    pub course: Option<CourseItem>,
}

/// How it went over time: the mean over all completed runs, at equal steps.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct CourseItem {
    pub step_seconds: f64,
    pub pending_pods: Vec<f64>,
    /// CPU requested by placed pods as a share of all capacity.
    pub cpu_load: Vec<f64>,
    pub nodes: Vec<f64>,
}

/// One metric over all strategies.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct MetricItem {
    pub key: &'static str,
    pub label: &'static str,
    /// Empty for plain counts.
    pub unit: &'static str,
    pub better: BetterWay,
    /// What values are multiplied by before they are shown: 100 for per cent.
    pub shown_times: f64,
    /// Null for a strategy without a value.
    pub arms: Vec<Option<StandingItem>>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum BetterWay {
    Lower,
    Higher,
    Neither,
}

/// One strategy in one metric.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct StandingItem {
    pub mean: f64,
    /// The 95 % interval of the mean; null with a single seed.
    pub low: Option<f64>,
    pub high: Option<f64>,
    /// Completed runs.
    pub n: usize,
    /// 1 for the best mean; equal means share a rank. Null where neither way is better.
    pub rank: Option<usize>,
    /// Shown to be the best.
    pub best: bool,
    /// Null for the baseline itself.
    pub versus_baseline: Option<VersusItem>,
    /// Seed and value of every completed run.
    pub values: Vec<(u64, f64)>,
}

/// One strategy minus the baseline, on the seeds that both completed.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct VersusItem {
    pub difference: f64,
    /// The 95 % interval of the difference; null with a single seed.
    pub low: Option<f64>,
    pub high: Option<f64>,
    /// Of such a difference by chance, corrected for all questions asked; null if there is no difference at all.
    pub probability: Option<f64>,
    pub verdict: VerdictWord,
}

/// What may be said about a difference.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum VerdictWord {
    Differs,
    NotShown,
    TooFewSeeds,
}

/// A drawing that is found under its name.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct FigureItem {
    pub name: String,
    pub title: String,
    /// What there is to see, for people who cannot see it.
    pub description: String,
    /// How to read it.
    pub note: String,
}

impl ComparisonResults {
    pub(crate) fn new(results: &Results, setting: &SettingResults, drawings: &[Drawing]) -> Self {
        let (sentences, caveats) = conclusions(results);
        let arms = results.arms.iter().enumerate();
        Self {
            arms: arms.map(|(arm, name)| ArmItem::new(name, setting, arm)).collect(),
            baseline: results.arms[results.baseline].clone(),
            too_few_seeds: results.too_few_seeds(),
            conclusions: sentences.into_iter().flat_map(|conclusion| conclusion.sentences).collect(),
            caveats,
            rows: setting.rows.iter().map(MetricItem::from).collect(),
            figures: drawings.iter().map(FigureItem::from).collect(),
        }
    }
}

impl ArmItem {
    fn new(name: &str, setting: &SettingResults, arm: usize) -> Self {
        let counts = &setting.arms[arm];
        Self {
            name: name.to_owned(),
            completed: counts.completed,
            failed: counts.failed,
            timed_out: counts.timed_out,
            course: course::mean(setting, arm).map(CourseItem::from),
        }
    }
}

impl From<Course> for CourseItem {
    fn from(course: Course) -> Self {
        let Course { step_s, pending_pods, cpu_load, nodes } = course;
        Self { step_seconds: step_s, pending_pods, cpu_load, nodes }
    }
}

impl From<&MetricRow> for MetricItem {
    fn from(row: &MetricRow) -> Self {
        let standing = |(arm, standing): (usize, &Option<Standing>)| {
            standing.as_ref().map(|standing| StandingItem::new(row, arm, standing))
        };
        Self {
            key: row.metric.key,
            label: row.metric.label,
            unit: row.metric.unit,
            better: row.metric.better.into(),
            shown_times: row.metric.shown_times,
            arms: row.arms.iter().enumerate().map(standing).collect(),
        }
    }
}

impl From<Better> for BetterWay {
    fn from(better: Better) -> Self {
        match better {
            Better::Lower => Self::Lower,
            Better::Higher => Self::Higher,
            Better::Neither => Self::Neither,
        }
    }
}

impl StandingItem {
    fn new(row: &MetricRow, arm: usize, standing: &Standing) -> Self {
        let interval = standing.estimate.interval;
        Self {
            mean: standing.estimate.mean,
            low: interval.map(|interval| interval.low),
            high: interval.map(|interval| interval.high),
            n: standing.estimate.count,
            rank: rank(row, standing),
            best: row.best == Some(arm),
            versus_baseline: VersusItem::of(standing),
            values: standing.values.clone(),
        }
    }
}

/// One more than there are strategies with a better mean.
fn rank(row: &MetricRow, standing: &Standing) -> Option<usize> {
    let own = standing.estimate.mean;
    let is_better = |other: &&Standing| match row.metric.better {
        Better::Lower => other.estimate.mean < own,
        Better::Higher => other.estimate.mean > own,
        Better::Neither => false,
    };
    let before = row.arms.iter().flatten().filter(is_better).count();
    (row.metric.better != Better::Neither).then_some(before + 1)
}

impl VersusItem {
    fn of(standing: &Standing) -> Option<Self> {
        let comparison = standing.versus_baseline.as_ref()?;
        Some(Self {
            difference: comparison.mean_difference,
            low: comparison.interval.map(|interval| interval.low),
            high: comparison.interval.map(|interval| interval.high),
            probability: standing.corrected,
            verdict: comparison.verdict.into(),
        })
    }
}

impl From<Verdict> for VerdictWord {
    fn from(verdict: Verdict) -> Self {
        match verdict {
            Verdict::Differs => Self::Differs,
            Verdict::NotShown => Self::NotShown,
            Verdict::TooFewSeeds => Self::TooFewSeeds,
        }
    }
}

impl From<&Drawing> for FigureItem {
    fn from(drawing: &Drawing) -> Self {
        let Drawing { key, title, description, note, .. } = drawing.clone();
        Self { name: key, title, description, note }
    }
}
