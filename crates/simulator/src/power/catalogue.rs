//! Measured hosts by name. The file beside this one holds them in our own format, with where each figure comes from.

use super::curve::Curve;
use super::model::Model;
use model::document;
use model::energy::Milliwatts;
use model::quantity::Bytes;
use schemars::JsonSchema;
use serde::Deserialize;
use std::collections::BTreeMap;
use std::sync::LazyLock;

/// The file as it is shipped.
const SHIPPED: &str = include_str!("catalogue.yaml");

static CATALOGUE: LazyLock<Catalogue> = LazyLock::new(|| {
    Catalogue::read("catalogue.yaml", SHIPPED.as_bytes()).expect("a test reads the shipped file")
});

/// A machine that somebody measured.
#[derive(Clone, Debug, PartialEq)]
pub struct Profile {
    pub id: String,
    pub processor: String,
    pub system: String,
    /// What the source does not say is unknown.
    pub chips: Option<u32>,
    pub cores: Option<u32>,
    pub memory: Option<Bytes>,
    /// When the measurement was published, `YYYY-MM-DD`.
    pub published: Option<String>,
    /// Where the figures come from.
    pub provenance: String,
    pub model: Model,
}

/// Profiles by their id.
#[derive(Clone, Debug)]
pub struct Catalogue {
    profiles: BTreeMap<String, Profile>,
}

/// A name that no profile has.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("there is no host profile {id:?}{}", nearest.as_ref().map(|id| format!("; did you mean {id}?")).unwrap_or_default())]
pub struct UnknownProfile {
    pub id: String,
    pub nearest: Option<String>,
}

impl Catalogue {
    /// The hosts that come with Drover.
    pub fn shipped() -> &'static Self {
        &CATALOGUE
    }

    /// Reads a catalogue in the format of the shipped file.
    pub fn read(name: &str, bytes: &[u8]) -> Result<Self, document::Problems> {
        let (raw, document) = document::read::<RawCatalogue>(name, bytes)?;
        let mut problems = Vec::new();
        let mut profiles = BTreeMap::new();
        for (id, profile) in raw.profiles {
            let path = document::child("profiles", &id);
            match profile.check(&id, &raw.sources) {
                Ok(profile) => drop(profiles.insert(id, profile)),
                Err(faults) => {
                    let problem = |(key, message): (&str, String)| {
                        document.problem_at(
                            &document::child(&path, key),
                            message,
                            "write it as the other profiles are written",
                        )
                    };
                    problems.extend(faults.into_iter().map(problem));
                }
            }
        }
        document.problems(problems).into_result(Self { profiles })
    }

    pub fn get(&self, id: &str) -> Result<&Profile, UnknownProfile> {
        self.profiles.get(id).ok_or_else(|| UnknownProfile {
            id: id.chars().take(80).collect(),
            nearest: document::nearest(id, self.ids()).map(str::to_owned),
        })
    }

    /// All profiles, by id.
    pub fn profiles(&self) -> impl Iterator<Item = &Profile> {
        self.profiles.values()
    }

    pub fn ids(&self) -> impl Iterator<Item = &str> {
        self.profiles.keys().map(String::as_str)
    }
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct RawCatalogue {
    #[serde(rename = "format")]
    _format: Format,
    sources: BTreeMap<String, String>,
    profiles: BTreeMap<String, RawProfile>,
}

#[derive(Deserialize, JsonSchema)]
enum Format {
    #[serde(rename = "host-profiles/v1")]
    V1,
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct RawProfile {
    processor: String,
    system: String,
    #[schemars(range(min = 1))]
    chips: Option<u32>,
    #[schemars(range(min = 1))]
    cores: Option<u32>,
    memory: Option<Bytes>,
    published: Option<String>,
    source: String,
    watts: Vec<Milliwatts>,
}

impl RawProfile {
    fn check(
        self,
        id: &str,
        sources: &BTreeMap<String, String>,
    ) -> Result<Profile, Vec<(&'static str, String)>> {
        let provenance = sources.get(&self.source).cloned();
        match (Curve::evenly(&self.watts), provenance) {
            (Ok(curve), Some(provenance)) => Ok(Profile {
                id: id.to_owned(),
                processor: self.processor,
                system: self.system,
                chips: self.chips,
                cores: self.cores,
                memory: self.memory,
                published: self.published,
                provenance,
                model: curve.into(),
            }),
            (curve, provenance) => {
                let faults = curve.err().into_iter().flatten().map(|fault| ("watts", fault.to_string()));
                let source =
                    provenance.is_none().then(|| ("source", format!("there is no source {:?}", self.source)));
                Err(faults.chain(source).collect())
            }
        }
    }
}
