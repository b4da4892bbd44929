//! The desk's file: what a person writes, and the checked form in which no field can be wrong.

mod check;
mod cluster_options;
mod identity;
mod models;
mod names;
pub mod raw;
mod real;

pub use check::read;
pub use cluster_options::{MeasurementsConfig, PoolResizing, RawLeaving, RawScope, RawTimeouts, ResizedBy};
pub use identity::{Group, OidcConfig};
pub use models::{BreakerConfig, CassetteConfig, ModelsConfig, RawReach, Structured, read_models};
pub use names::check_names;
pub use real::{ClusterAccess, KubernetesConfig, LeaseConfig, MemberConfig, ObjectsConfig};

use crate::access::Proxies;
use crate::entrance::Limits;
use crate::office::pace::Speed;
use crate::storage::Location;
use control::policy::Policy;
use control::review_desk::ReviewMode;
use model::names::AgentName;
use model::time::Period;
use std::fmt;
use std::net::SocketAddr;
use std::path::PathBuf;

/// Everything a desk is opened with.
#[derive(Clone, Debug)]
pub struct DeskConfig {
    pub listen: SocketAddr,
    pub storage: Location,
    /// Where the location is found, if it does not stand in the file; until then nothing is kept.
    pub storage_at: Option<SecretPlace>,
    /// The scenario file, as written.
    pub scenario: String,
    /// Real clusters; without them the scenario is simulated.
    pub kubernetes: Option<KubernetesConfig>,
    pub seed: u64,
    pub speed: Speed,
    pub paused: bool,
    pub review: ReviewConfig,
    /// None if nothing is predicted.
    pub prediction: Option<PredictionConfig>,
    pub access: AccessConfig,
    pub keep_snapshots: Period,
    pub requests_per_second: u32,
    pub burst: u32,
    pub streams: u32,
    /// How many of them one caller may have.
    pub streams_per_caller: u32,
    /// What one request and all connections may take; not in the file.
    pub entrance: Limits,
    pub webhooks: Vec<WebhookConfig>,
    pub wasp: Option<WaspConfig>,
    /// Who answers what agents ask of language models.
    pub models: Option<ModelsConfig>,
    /// Whether each simulated cluster can be asked through the Kubernetes API; not in the file.
    pub kube_api: bool,
}

#[derive(Clone, Debug)]
pub struct ReviewConfig {
    pub mode: ReviewMode,
    pub expires_after: Option<Period>,
    pub policy: Policy,
}

#[derive(Clone, Copy, Debug)]
pub struct PredictionConfig {
    pub horizon: Period,
    pub seeds: u32,
}

#[derive(Clone, Debug)]
pub struct AccessConfig {
    pub session: Period,
    pub longest_token: Period,
    pub public_address: Option<String>,
    /// Who may say where a request comes from.
    pub proxies: Proxies,
    pub open_metrics: bool,
    pub oidc: Option<OidcConfig>,
}

/// Where a secret is found. The secret itself never stands in the file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SecretPlace {
    Environment(String),
    File(PathBuf),
}

impl fmt::Display for SecretPlace {
    /// As the file writes it.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Environment(name) => write!(formatter, "env:{name}"),
            Self::File(path) => write!(formatter, "file:{}", path.display()),
        }
    }
}

#[derive(Clone, Debug)]
pub struct WebhookConfig {
    pub name: String,
    pub url: String,
    pub secret: SecretPlace,
    pub events: Vec<String>,
}

#[derive(Clone, Debug)]
pub struct WaspConfig {
    pub listen: SocketAddr,
    pub agent: AgentName,
}
