//! Typical days of regions. The file beside this one holds them in our own format, with where the figures come from.

use super::trace::{Between, DAY, Trace};
use model::document;
use model::energy::CarbonIntensity;
use model::time::Period;
use schemars::JsonSchema;
use serde::Deserialize;
use std::collections::BTreeMap;
use std::sync::LazyLock;

/// The file as it is shipped.
const SHIPPED: &str = include_str!("catalogue.yaml");

static CATALOGUE: LazyLock<Catalogue> = LazyLock::new(|| {
    Catalogue::read("catalogue.yaml", SHIPPED.as_bytes()).expect("a test reads the shipped file")
});

/// A region and its electricity.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Region {
    pub id: String,
    pub name: String,
    pub year: u32,
    /// How many values the figures are means of.
    pub samples: u32,
    /// Where the figures come from, and under which licence.
    pub provenance: String,
    /// The mean of the year.
    pub mean: CarbonIntensity,
    /// The mean of each hour of the day, from midnight UTC on.
    pub hours: Vec<CarbonIntensity>,
    /// The typical day over and over, in steps of an hour.
    pub trace: Trace,
}

/// Regions by their id.
#[derive(Clone, Debug)]
pub struct Catalogue {
    regions: BTreeMap<String, Region>,
}

/// A name that no region has.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("there is no carbon intensity for the region {id:?}{}", nearest.as_ref().map(|id| format!("; did you mean {id}?")).unwrap_or_default())]
pub struct UnknownRegion {
    pub id: String,
    pub nearest: Option<String>,
}

impl Catalogue {
    /// The regions that come with Drover.
    pub fn shipped() -> &'static Self {
        &CATALOGUE
    }

    /// Reads a catalogue in the format of the shipped file.
    pub fn read(name: &str, bytes: &[u8]) -> Result<Self, document::Problems> {
        let (raw, document) = document::read::<RawCatalogue>(name, bytes)?;
        let mut problems = Vec::new();
        let mut regions = BTreeMap::new();
        for (id, region) in raw.regions {
            match region.check(&id, &raw.sources) {
                Ok(region) => drop(regions.insert(id, region)),
                Err((key, message)) => {
                    let path = document::child(&document::child("regions", &id), key);
                    problems.push(document.problem_at(
                        &path,
                        message,
                        "write it as the other regions are written",
                    ));
                }
            }
        }
        document.problems(problems).into_result(Self { regions })
    }

    pub fn get(&self, id: &str) -> Result<&Region, UnknownRegion> {
        self.regions.get(id).ok_or_else(|| UnknownRegion {
            id: id.chars().take(80).collect(),
            nearest: self.nearest(id).map(str::to_owned),
        })
    }

    /// The region that is probably meant, by its id or by its name.
    fn nearest(&self, word: &str) -> Option<&str> {
        let named = |region: &&Region| document::nearest(word, [region.name.as_str()]).is_some();
        let by_name = || self.regions().find(named).map(|region| region.id.as_str());
        document::nearest(word, self.ids()).or_else(by_name)
    }

    /// All regions, by id.
    pub fn regions(&self) -> impl Iterator<Item = &Region> {
        self.regions.values()
    }

    pub fn ids(&self) -> impl Iterator<Item = &str> {
        self.regions.keys().map(String::as_str)
    }
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct RawCatalogue {
    #[serde(rename = "format")]
    _format: Format,
    sources: BTreeMap<String, String>,
    regions: BTreeMap<String, RawRegion>,
}

#[derive(Deserialize, JsonSchema)]
enum Format {
    #[serde(rename = "carbon-regions/v1")]
    V1,
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct RawRegion {
    name: String,
    year: u32,
    samples: u32,
    source: String,
    mean: CarbonIntensity,
    #[schemars(length(min = 24, max = 24))]
    hours: Vec<CarbonIntensity>,
}

impl RawRegion {
    fn check(self, id: &str, sources: &BTreeMap<String, String>) -> Result<Region, (&'static str, String)> {
        let unknown = || ("source", format!("there is no source {:?}", self.source));
        let provenance = sources.get(&self.source).cloned().ok_or_else(unknown)?;
        let trace = typical_day(&self.hours).map_err(|fault| ("hours", fault))?;
        Ok(Region {
            id: id.to_owned(),
            name: self.name,
            year: self.year,
            samples: self.samples,
            provenance,
            mean: self.mean,
            hours: self.hours,
            trace,
        })
    }
}

fn typical_day(hours: &[CarbonIntensity]) -> Result<Trace, String> {
    let points: Vec<(Period, CarbonIntensity)> =
        (0..).map(Period::from_hours).zip(hours.iter().copied()).collect();
    Trace::new(&points, Between::Step, Some(DAY))
        .map_err(|faults| faults.first().map(ToString::to_string).unwrap_or_default())
}
