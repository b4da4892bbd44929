//! Demand as a person writes it. Nothing here is trusted until [`super::check`] has turned it into a
//! [`super::DemandSpec`]. The doc comments are the descriptions in the published schema.

use crate::scenario::Delay;
use model::time::Period;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// How much is asked for over time: either `requests_per_second` or `users`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RawDemand {
    /// Requests that come however slow the answers are.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub requests_per_second: Option<RawLevel>,
    /// Users who wait for an answer, think, and ask again; needs `think_time`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub users: Option<RawLevel>,
    /// How long a user pauses between an answer and the next request, network included.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub think_time: Option<RawThinkTime>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum RawThinkTime {
    Uniform(Delay),
    Other(RawThinkTimeLaw),
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum RawThinkTimeLaw {
    /// Exponentially distributed with this mean.
    Exponential(Period),
}

/// A number for a level that never changes, or a shape.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum RawLevel {
    Constant(f64),
    Shape(Box<RawShape>),
}

/// How a level changes over time.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum RawShape {
    /// Straight lines from one level to the next, as k6 ramps its stages.
    Stages(RawStages),
    /// Jumps to each level and stays there.
    Steps(RawStages),
    /// One straight line, held at its end or begun anew.
    Ramp(RawRamp),
    /// A normally distributed level, drawn anew every so often.
    Gaussian(RawGaussian),
    /// A bell curve over time.
    Bell(RawBell),
    /// Day and night, working days and weekends. The simulation begins at midnight UTC.
    Day(RawDay),
    /// A recorded course.
    Trace(RawTrace),
    /// Several shapes on top of each other.
    Sum(Vec<RawLevel>),
    /// Another shape times a factor.
    Scale(RawScale),
    /// Another shape times random factors with mean one.
    Noise(RawNoise),
    /// Another shape, looked at only every so often.
    Held(RawHeld),
}

/// A list of stages, or a mapping that also says where they start and whether they begin anew.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum RawStages {
    List(Vec<RawStage>),
    Full(RawCourse),
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RawCourse {
    /// The level before the first stage.
    #[serde(default)]
    pub from: f64,
    pub list: Vec<RawStage>,
    /// Whether the stages begin anew after the last one; otherwise its level stays.
    #[serde(default)]
    pub repeat: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RawStage {
    /// How long the stage takes; a stage of `0s` is a jump.
    #[serde(rename = "for")]
    pub length: Period,
    /// The level at its end.
    pub to: f64,
}

#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RawRamp {
    pub from: f64,
    pub to: f64,
    /// How long it takes.
    pub over: Period,
    /// Whether it begins anew at its end; otherwise the last level stays.
    #[serde(default)]
    pub repeat: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RawGaussian {
    /// The mean before the values outside the bounds are left out.
    pub mean: f64,
    /// The standard deviation before the values outside the bounds are left out.
    pub standard_deviation: f64,
    #[serde(default)]
    pub minimum: f64,
    pub maximum: f64,
    /// How long each value stays.
    pub every: Period,
    /// Whether values are rounded to whole numbers.
    #[serde(default)]
    pub whole: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RawBell {
    /// The level far from the peak.
    #[serde(default)]
    pub base: f64,
    pub peak: f64,
    /// When the peak is.
    pub centre: Period,
    /// How wide the bell is, as a standard deviation; the level is half-way up 1.18 widths from the peak.
    pub width: Period,
    /// How long from one peak to the next; without it there is one peak only.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub repeat: Option<Period>,
}

#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RawDay {
    /// The level in the dead of night.
    pub base: f64,
    pub peak: f64,
    /// The local time of day with the highest level.
    #[serde(default = "early_afternoon")]
    pub peak_at: Period,
    /// Above 1 the peak is narrower than a sine wave's, below 1 it is broader.
    #[serde(default = "one")]
    pub sharpness: f64,
    /// What Saturdays and Sundays have, as a share of the other days.
    #[serde(default = "one")]
    pub weekend: f64,
    /// How far local time is ahead of UTC.
    #[serde(default)]
    pub utc_offset_hours: f64,
    /// The day on which the simulation begins.
    #[serde(default)]
    pub first_day: RawWeekday,
}

const fn early_afternoon() -> Period {
    Period::from_hours(14)
}

const fn one() -> f64 {
    1.0
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum RawWeekday {
    #[default]
    Monday,
    Tuesday,
    Wednesday,
    Thursday,
    Friday,
    Saturday,
    Sunday,
}

/// Either `points`, or `values` that are `every` so far apart, or a `file`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RawTrace {
    /// A file with the course, seen from the folder of this one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(length(min = 1))]
    pub file: Option<String>,
    /// How the file is written; a table `time_s,value` by default.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub format: Option<RawTraceFormat>,
    /// What was read from the file.
    #[serde(skip)]
    #[schemars(skip)]
    pub recorded: Option<Vec<RawPoint>>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub points: Vec<RawPoint>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub values: Vec<f64>,
    /// How far the values are apart; for azure-llm, over how long requests are counted, 60s by default.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub every: Option<Period>,
    #[serde(default)]
    pub between: RawBetween,
    /// How long the trace is before it begins anew; without it the last value stays.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub repeat: Option<Period>,
    /// A factor on every value.
    #[serde(default = "one")]
    pub scale: f64,
}

/// How a file of demand is written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum RawTraceFormat {
    /// A table `time_s,value` or `time_s,requests_per_second`.
    #[default]
    Csv,
    /// Azure's requests to language models: `TIMESTAMP,ContextTokens,GeneratedTokens`.
    AzureLlm,
}

#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RawPoint {
    pub at: Period,
    pub value: f64,
}

/// What happens between two points of a trace.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum RawBetween {
    /// The value stays until the next point.
    #[default]
    Step,
    /// A straight line leads to the next point.
    Linear,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RawScale {
    pub by: f64,
    pub of: RawLevel,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RawNoise {
    /// Standard deviation of the factor's logarithm: 0.1 is about ten per cent.
    pub sigma: f64,
    /// How long each factor stays.
    pub every: Period,
    pub of: RawLevel,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RawHeld {
    /// How long each level stays.
    pub every: Period,
    /// Whether levels are rounded to whole numbers.
    #[serde(default)]
    pub whole: bool,
    pub of: RawLevel,
}
