//! Carbon intensity as a person writes it. The doc comments are the descriptions in the published schema.

use super::trace::Between;
use model::energy::CarbonIntensity;
use model::time::Period;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// How much carbon dioxide a kilowatt-hour stands for: a region of the catalogue, a constant in grams, or a course.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum RawCarbon {
    /// The same grams per kilowatt-hour all the time.
    Constant(CarbonIntensity),
    /// The typical day of a region, for instance fr.
    Region(String),
    Course(RawCourse),
    File(RawFile),
    Day(RawDay),
    Typical(RawTypical),
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RawCourse {
    /// Pairs of time and grams per kilowatt-hour; the first time is 0s.
    #[schemars(length(min = 1))]
    pub trace: Vec<(Period, CarbonIntensity)>,
    /// What holds between two points.
    #[serde(default)]
    pub between: Between,
    /// After this long it begins anew; without it the last intensity stays.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub repeat: Option<Period>,
    /// Where in the trace the simulation begins.
    #[serde(default)]
    pub begins: Period,
}

/// A course that stands in a file of its own.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RawFile {
    /// A table of time and grams per kilowatt-hour, seen from the folder of this file.
    #[schemars(length(min = 1))]
    pub file: String,
    /// What was read from it.
    #[serde(skip)]
    #[schemars(skip)]
    pub recorded: Option<Vec<(Period, CarbonIntensity)>>,
    /// What holds between two rows.
    #[serde(default)]
    pub between: Between,
    /// After this long it begins anew; without it the last intensity stays.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub repeat: Option<Period>,
    /// Where in the file the simulation begins.
    #[serde(default)]
    pub begins: Period,
}

/// A day with a dip while the sun shines.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RawDay {
    /// Grams per kilowatt-hour without sun.
    pub night: CarbonIntensity,
    /// Grams per kilowatt-hour when the sun is highest.
    pub noon: CarbonIntensity,
    /// When the sun is highest, after midnight.
    #[serde(default = "default_noon")]
    pub noon_at: Period,
    /// How long the sun shines.
    #[serde(default = "default_daylight")]
    pub daylight: Period,
    /// The time of day at which the simulation begins.
    #[serde(default)]
    pub begins: Period,
}

const fn default_noon() -> Period {
    Period::from_hours(12)
}

const fn default_daylight() -> Period {
    Period::from_hours(12)
}

/// A region of the catalogue with more detail.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RawTypical {
    /// For instance fr.
    pub region: String,
    /// The mean of the year all the time, in place of the typical day.
    #[serde(default)]
    pub flat: bool,
    /// The time of day in UTC at which the simulation begins.
    #[serde(default)]
    pub begins: Period,
}
