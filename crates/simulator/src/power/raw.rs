//! A host's power as a person writes it. The doc comments are the descriptions in the published schema.

use model::energy::Milliwatts;
use model::ratio::Ratio;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What one node draws: a host profile of the catalogue by name, measured points, or a formula over the load from 0 to 1.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum RawPower {
    /// The name of a measured host, for instance xeon-e5-2620-2s.
    Profile(String),
    Points(RawPoints),
    Even(RawEven),
    Linear(RawLinear),
    Polynomial(RawPolynomial),
    Logarithmic(RawLogarithmic),
    Logistic(RawLogistic),
    Exponential(RawExponential),
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RawPoints {
    /// Pairs of load and watts, from [0, idle] to [1, maximum]; straight lines between them.
    #[schemars(length(min = 2, max = 1001))]
    pub points: Vec<(Ratio, Milliwatts)>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RawEven {
    /// Watts at evenly spaced loads from idle to full; eleven of them are those at 0, 10, … 100 %.
    #[schemars(length(min = 2, max = 1001))]
    pub watts: Vec<Milliwatts>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RawLinear {
    /// Without load.
    pub idle: Milliwatts,
    /// At full load.
    pub max: Milliwatts,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RawPolynomial {
    /// Coefficients in watts, the constant one first: [c0, c1, c2] is c0 + c1·u + c2·u².
    #[schemars(length(min = 1, max = 6))]
    pub polynomial: Vec<f64>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RawLogarithmic {
    /// factor · ln(rate·u + 1) + offset
    pub logarithmic: RawGrowth,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RawExponential {
    /// factor · e^(rate·u) + offset
    pub exponential: RawGrowth,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RawGrowth {
    /// In watts.
    pub factor: f64,
    pub rate: f64,
    /// In watts.
    #[serde(default)]
    pub offset: f64,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RawLogistic {
    /// height / (1 + e^(−steepness·(u − midpoint))) + offset
    pub logistic: RawSigmoid,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RawSigmoid {
    /// In watts.
    pub height: f64,
    pub steepness: f64,
    /// The load of half the height.
    pub midpoint: f64,
    /// In watts.
    #[serde(default)]
    pub offset: f64,
}
