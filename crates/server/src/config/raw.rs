//! The desk's file as a person writes it. Nothing here is trusted until [`super::check`] has looked at it. The doc comments are the
//! descriptions in the published schema.

pub use super::cluster_options::{
    RawLeaving, RawMeasurements, RawPoolResizing, RawPrice, RawQuery, RawResizingWebhook, RawScope,
    RawTimeouts,
};
pub use super::identity::{RawGroup, RawGroupPart, RawOidc, RawRole};
pub use super::models::{
    RawAnswerTime, RawBreaker, RawBudget, RawBudgets, RawCassette, RawCassetteMode, RawModelPrice,
    RawModelledTime, RawModels, RawModelsFile, RawReach, Structured,
};
pub use super::real::{RawControlPlane, RawKubernetes, RawLease, RawMember, RawObjects};

use model::time::Period;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What a desk serves, where it keeps it, who may do what.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RawDesk {
    /// The format of this file.
    pub drover: Format,
    /// Address and port of the API and the page.
    #[serde(default = "default_listen")]
    pub listen: String,
    /// Where everything is kept: `sqlite:file.db` or `postgres://user@host/database`; or where that is found, `env:NAME` or
    /// `file:path`, so that a password need not stand here.
    #[serde(default = "default_storage")]
    pub storage: String,
    /// The federation that is watched.
    pub world: RawWorld,
    #[serde(default)]
    pub review: RawDeskReview,
    #[serde(default)]
    pub prediction: RawPrediction,
    #[serde(default)]
    pub access: RawAccess,
    #[serde(default)]
    pub retention: RawRetention,
    #[serde(default)]
    pub limits: RawLimits,
    /// Who is told about what happens.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub webhooks: Vec<RawWebhook>,
    /// Lets WASP's engine feed this desk.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub wasp: Option<RawWasp>,
    /// The language models that agents may ask.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub models: Option<RawModels>,
}

fn default_listen() -> String {
    "127.0.0.1:8080".to_owned()
}

fn default_storage() -> String {
    "sqlite:drover.db".to_owned()
}

#[derive(Clone, Copy, Debug, Serialize, Deserialize, JsonSchema)]
pub enum Format {
    #[serde(rename = "desk/v1")]
    DeskV1,
}

/// A simulated federation, or real clusters.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RawWorld {
    /// The scenario file that is simulated, relative to this one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub simulate: Option<String>,
    /// With `kubernetes`: the scenario file that says who decides about the real clusters, within which limits, and what nodes cost. What
    /// it says about workloads and events is not enacted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub scenario: Option<String>,
    /// The real clusters.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kubernetes: Option<RawKubernetes>,
    #[serde(default = "one")]
    pub seed: u64,
    /// Virtual seconds in a real one.
    #[serde(default = "sixty")]
    #[schemars(range(min = 0.01, max = 100_000.0))]
    pub speed: f64,
    /// The speed while somebody has something to decide; the usual one by default.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 0.01, max = 100_000.0))]
    pub speed_while_waiting: Option<f64>,
    /// Whether time stands still at first.
    #[serde(default)]
    pub paused: bool,
}

const fn one() -> u64 {
    1
}

const fn sixty() -> f64 {
    60.0
}

#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct RawDeskReview {
    /// Who answers where nothing else is said; `human` in a simulation and `observe` on real clusters by default.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mode: Option<RawMode>,
    /// In mode `auto`, which needs them: how far it goes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub limits: Option<RawGrant>,
    /// How long an unanswered recommendation lives; what the scenario says by default.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub expires_after: Option<Period>,
    /// Who answers for an agent or in a part of the federation. Where several fit, the most careful holds.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub modes: Vec<RawModeSetting>,
    /// In mode `rules`: what passes without a person.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub pass: Vec<RawRule>,
    /// What needs more than one person.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub approvers: Vec<RawApprovers>,
    /// Whether people may approve plans that they made or changed themselves.
    pub own_plans: bool,
    /// For so long no agent recommends again what a person rejected; half an hour by default.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ask_again_after: Option<Period>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum RawMode {
    /// Recommendations are shown; nothing is carried out.
    Observe,
    /// A person answers each.
    Human,
    /// What a rule names passes; a person answers the rest.
    Rules,
    /// What is within the limits passes; a person answers the rest.
    Auto,
}

#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RawModeSetting {
    pub mode: RawMode,
    /// Whose recommendations; everybody's by default.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub agent: Option<String>,
    /// At most one of cluster, namespace and workload.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cluster: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub namespace: Option<String>,
    /// As `namespace/name` or `kind/namespace/name`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub workload: Option<String>,
    /// In mode `auto`, which needs them: how far it goes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub limits: Option<RawGrant>,
}

#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct RawGrant {
    /// The highest risk that passes; no grant without.
    pub highest_risk: Option<RawRisk>,
    /// Replicas that one action may change.
    pub replicas: Option<u32>,
    /// Actions of one agent within an hour; no grant without, because one in this file has no end.
    #[schemars(range(max = 1000))]
    pub per_hour: Option<u32>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum RawRisk {
    Low,
    Medium,
    High,
}

/// What passes without a person.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RawRule {
    /// The name under which it approves.
    #[schemars(extend("x-drover-parse" = "name"))]
    pub name: String,
    /// A rule about the recommendation: risk == "low" && action.replicas <= 2
    pub when: String,
}

/// What needs more than one person.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RawApprovers {
    /// How many people have to say yes.
    #[schemars(range(min = 2, max = 10))]
    pub people: u32,
    /// A rule about the recommendation: risk == "high"
    pub when: String,
}

#[derive(Clone, Copy, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct RawPrediction {
    /// Whether the effect of each recommendation is computed before anybody is asked.
    pub enabled: bool,
    /// How far the rehearsals look ahead.
    pub horizon: Period,
    /// How many futures are rehearsed.
    #[schemars(range(min = 2, max = 100))]
    pub seeds: u32,
}

impl Default for RawPrediction {
    fn default() -> Self {
        Self { enabled: true, horizon: Period::from_minutes(30), seeds: 5 }
    }
}

#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct RawAccess {
    /// How long a session lasts in which nothing happens.
    pub session: Period,
    /// The longest life of a token.
    pub longest_token: Period,
    /// The address under which browsers reach the page, if it is not that of `listen`: https://drover.example.org
    #[serde(skip_serializing_if = "Option::is_none")]
    pub public_address: Option<String>,
    /// Proxies in front of the desk, as addresses or networks that nobody else is in: 192.0.2.7, 192.0.2.0/28. Only they are believed about where a request comes from
    /// (`X-Forwarded-For`), which limits and the record go by.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub trusted_proxies: Vec<String>,
    /// Whether Prometheus may read /metrics without a token.
    pub open_metrics: bool,
    /// Signing in with an identity provider.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub oidc: Option<RawOidc>,
}

impl Default for RawAccess {
    fn default() -> Self {
        Self {
            session: Period::from_hours(8),
            longest_token: Period::from_hours(24 * 90),
            public_address: None,
            trusted_proxies: Vec::new(),
            open_metrics: false,
            oidc: None,
        }
    }
}

#[derive(Clone, Copy, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct RawRetention {
    /// Snapshots are kept so long, in real time. What was decided is kept for ever.
    pub snapshots: Period,
}

impl Default for RawRetention {
    fn default() -> Self {
        Self { snapshots: Period::from_hours(24 * 7) }
    }
}

#[derive(Clone, Copy, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct RawLimits {
    /// Requests of one caller within a second, on average.
    #[schemars(range(min = 1, max = 1_000_000))]
    pub requests_per_second: u32,
    /// Requests at once beyond that.
    #[schemars(range(min = 1, max = 1_000_000))]
    pub burst: u32,
    /// Live streams at the same time.
    #[schemars(range(min = 1, max = 100_000))]
    pub streams: u32,
    /// How many of them one caller may have. A browser has one for each tab; a program that watches a dozen kinds of objects in each of
    /// three clusters has some forty.
    #[schemars(range(min = 1, max = 100_000))]
    pub streams_per_caller: u32,
}

impl Default for RawLimits {
    fn default() -> Self {
        Self { requests_per_second: 200, burst: 400, streams: 1_000, streams_per_caller: 64 }
    }
}

/// Somebody who is told.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RawWebhook {
    #[schemars(extend("x-drover-parse" = "name"))]
    pub name: String,
    /// Where to: https, or http on this machine.
    pub url: String,
    /// Where the key is that signs each message: `env:NAME` or `file:path`.
    pub secret: String,
    /// Kinds of events, such as recommendation.waiting or execution; all by default.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub events: Vec<String>,
}

/// A second address without tokens, on this machine only, that takes what WASP's engine sends.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RawWasp {
    /// Address and port; only loopback addresses are taken.
    #[serde(default = "wasp_listen")]
    pub listen: String,
    /// The agent in whose name it proposes.
    #[serde(default = "wasp_agent")]
    #[schemars(extend("x-drover-parse" = "name"))]
    pub agent: String,
}

fn wasp_listen() -> String {
    "127.0.0.1:8084".to_owned()
}

fn wasp_agent() -> String {
    "wasp-engine".to_owned()
}
