//! The language models that agents may ask: a section of a desk's file, and the same section in a file of its own.

use super::SecretPlace;
use super::check::{Checker, is_plain, is_secure};
use crate::outward::{Reach, is_in_vain};
use crate::provider::budget::{Budgets, Limit, Price};
use axum::http::Uri;
use lab::models::{AnswerTime, Mode};
use model::document::{self, Checks, Draft, Problems, child};
use model::money::MicroDollars;
use model::time::Period;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::PathBuf;

const OPENROUTER: &str = "https://openrouter.ai/api/v1";
const OPENROUTER_KEY: &str = "OPENROUTER_API_KEY";

/// A call that is waited for longer is about a world that is no more.
const LONGEST_TIMEOUT: Period = Period::from_hours(1);

/// Where nobody says what a day may cost, so that nobody is surprised by the bill of a loop that went wrong.
const USUAL_DAY: Limit = Limit { tokens: Some(5_000_000), dollars: None };

/// A file with nothing but the section.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RawModelsFile {
    /// The format of this file.
    pub drover: RawModelsFormat,
    /// The language models that agents may ask.
    #[serde(default)]
    pub models: RawModels,
}

#[derive(Clone, Copy, Debug, Serialize, Deserialize, JsonSchema)]
pub enum RawModelsFormat {
    #[serde(rename = "models/v1")]
    ModelsV1,
}

/// A server that speaks OpenAI's chat completions, and what may be spent there.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct RawModels {
    /// The address before `/chat/completions`; OpenRouter's by default. https, or http on this machine, or with `reach: company`.
    pub endpoint: String,
    /// Where the key is: `env:NAME` or `file:path`. For OpenRouter `env:OPENROUTER_API_KEY` by default; otherwise there is none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub key: Option<String>,
    /// Whether private addresses may be asked; this machine may if the endpoint names it.
    pub reach: RawReach,
    /// How long one call may take, all its tries included.
    pub timeout: Period,
    /// How long one try may take; what is left of the call's time by default.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub try_timeout: Option<Period>,
    /// How often a call is tried that fails in a way that may pass.
    #[schemars(range(min = 1, max = 10))]
    pub tries: u32,
    /// Requests within any minute.
    #[schemars(range(min = 1, max = 100_000))]
    pub requests_per_minute: u32,
    /// Calls at the same time; others wait.
    #[schemars(range(min = 1, max = 256))]
    pub concurrent: u32,
    /// Whether answers come piece by piece.
    pub stream: bool,
    /// Whether the number of the sample is sent as a seed.
    pub seed: bool,
    /// How the shape of answers is asked for.
    pub structured: Structured,
    /// What a million tokens cost, by the name of the model.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub prices: BTreeMap<String, RawModelPrice>,
    /// What may be spent.
    pub budgets: RawBudgets,
    /// When a server that fails is left alone.
    pub breaker: RawBreaker,
    /// Where answers are recorded and replayed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cassette: Option<RawCassette>,
    /// How long an answer takes in virtual time: `recorded`, or modelled.
    pub answer_time: RawAnswerTime,
}

impl Default for RawModels {
    fn default() -> Self {
        Self {
            endpoint: OPENROUTER.to_owned(),
            key: None,
            reach: RawReach::Public,
            timeout: Period::from_minutes(2),
            try_timeout: None,
            tries: 3,
            requests_per_minute: 120,
            concurrent: 8,
            stream: false,
            seed: false,
            structured: Structured::Auto,
            prices: BTreeMap::new(),
            budgets: RawBudgets::default(),
            breaker: RawBreaker::default(),
            cassette: None,
            answer_time: RawAnswerTime::Word(RawRecorded::Recorded),
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum RawReach {
    /// Only what everybody can reach.
    Public,
    /// Also private addresses.
    Company,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Structured {
    /// By a schema; with less from servers that refuse it.
    Auto,
    /// By a schema, or not at all.
    Schema,
    /// Any JSON object, with the schema in words.
    Object,
    /// With the schema in words alone.
    Text,
}

/// What a million tokens cost, in dollars.
#[derive(Clone, Copy, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RawModelPrice {
    /// Of what is sent.
    pub prompt: MicroDollars,
    /// Of what comes back.
    pub completion: MicroDollars,
}

/// What may be spent on what. What has no room is not asked.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct RawBudgets {
    /// On one call, its tries included.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub per_call: Option<RawBudget>,
    /// On one state of the federation: all agents that are told it, and all repairs.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub per_cycle: Option<RawBudget>,
    /// On a day of universal time; five million tokens by default.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub per_day: Option<RawBudget>,
    /// On one experiment, one run, or by a desk until it is closed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub total: Option<RawBudget>,
}

/// At least one of both.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct RawBudget {
    /// Sent and received together.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tokens: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub dollars: Option<MicroDollars>,
}

/// When a server that fails is left alone.
#[derive(Clone, Copy, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct RawBreaker {
    /// After so many failed calls in a row.
    #[schemars(range(min = 1, max = 1_000))]
    pub failures: u32,
    /// For so long; then one call tries.
    pub rest: Period,
}

impl Default for RawBreaker {
    fn default() -> Self {
        Self { failures: 5, rest: Period::from_minutes(1) }
    }
}

/// Recorded answers.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RawCassette {
    /// The file, relative to this one.
    pub file: String,
    #[serde(default = "record_missing")]
    pub mode: RawCassetteMode,
}

const fn record_missing() -> RawCassetteMode {
    RawCassetteMode::RecordMissing
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum RawCassetteMode {
    /// The model answers; nothing is kept.
    Live,
    /// The model answers, once for each call; everything is kept.
    Record,
    /// The cassette answers, and nobody is asked.
    Replay,
    /// The cassette answers; what is not on it is asked and kept.
    RecordMissing,
}

/// `recorded`, or a time for the first word and one for every further token.
#[derive(Clone, Copy, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum RawAnswerTime {
    Word(RawRecorded),
    Modelled(RawModelledTime),
}

#[derive(Clone, Copy, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum RawRecorded {
    /// As long as it took when it was given.
    Recorded,
}

#[derive(Clone, Copy, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RawModelledTime {
    /// Until the first word.
    pub first: Period,
    /// For every token.
    pub per_token: Period,
}

/// Everything that is needed to ask models, checked.
#[derive(Clone, Debug)]
pub struct ModelsConfig {
    /// Without a slash at its end.
    pub endpoint: String,
    /// Whether that is OpenRouter, which says what calls cost.
    pub openrouter: bool,
    pub key: Option<SecretPlace>,
    pub reach: RawReach,
    pub timeout: Period,
    pub try_timeout: Option<Period>,
    pub tries: u32,
    pub requests_per_minute: u32,
    pub concurrent: u32,
    pub stream: bool,
    pub seed: bool,
    pub structured: Structured,
    pub prices: BTreeMap<String, Price>,
    pub budgets: Budgets,
    pub breaker: BreakerConfig,
    pub cassette: Option<CassetteConfig>,
    pub answer_time: AnswerTime,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BreakerConfig {
    pub failures: u32,
    pub rest: Period,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CassetteConfig {
    /// As written; it lies beside the file that names it.
    pub file: PathBuf,
    pub mode: Mode,
}

/// Reads and checks a file with nothing but the section.
pub fn read_models(name: &str, bytes: &[u8]) -> Result<ModelsConfig, Problems> {
    let Draft { value, document, doubts, problems } =
        document::draft::<RawModelsFile>(name, bytes, &Checks::default())?;
    let mut checker = Checker { document: &document, doubts: &doubts, problems };
    match checker.models(&value.models) {
        Some(config) => checker.problems.into_result(config),
        None => Err(checker.problems),
    }
}

impl Checker<'_> {
    pub(super) fn models(&mut self, raw: &RawModels) -> Option<ModelsConfig> {
        let endpoint = self.endpoint(raw);
        let openrouter = host(&raw.endpoint).is_some_and(|host| is_openrouter(&host));
        let key = self.model_key(raw, openrouter);
        self.model_times(raw);
        let prices = self.prices(&raw.prices);
        let budgets = self.budgets(&raw.budgets);
        if !openrouter && raw.prices.is_empty() {
            self.money_without_prices(&raw.budgets);
        }
        let cassette = raw.cassette.as_ref().map(|cassette| self.cassette(cassette));
        Some(ModelsConfig {
            endpoint: endpoint?,
            openrouter,
            key,
            reach: raw.reach,
            timeout: raw.timeout,
            try_timeout: raw.try_timeout,
            tries: raw.tries,
            requests_per_minute: raw.requests_per_minute,
            concurrent: raw.concurrent,
            stream: raw.stream,
            seed: raw.seed,
            structured: raw.structured,
            prices,
            budgets,
            breaker: BreakerConfig { failures: raw.breaker.failures, rest: raw.breaker.rest },
            cassette: cassette.map_or(Some(None), |cassette| cassette.map(Some))?,
            answer_time: match raw.answer_time {
                RawAnswerTime::Word(RawRecorded::Recorded) => AnswerTime::Recorded,
                RawAnswerTime::Modelled(RawModelledTime { first, per_token }) => {
                    AnswerTime::Modelled { first, per_token }
                }
            },
        })
    }

    fn endpoint(&mut self, raw: &RawModels) -> Option<String> {
        const PATH: &str = "models.endpoint";
        let text = raw.endpoint.trim_end_matches('/');
        let is_web = text.starts_with("https://") || text.starts_with("http://");
        if !is_web || !is_plain(text) || text.contains(['?', '#']) {
            let message = "this is no address, or one with a password or a query in it";
            self.report(
                PATH,
                message,
                format!("write for instance {OPENROUTER} or http://127.0.0.1:11434/v1"),
            );
            return None;
        }
        if let Some(before) = text.strip_suffix("/chat/completions") {
            let message = "the endpoint is what comes before /chat/completions";
            self.report(PATH, message, format!("write {before}"));
            return None;
        }
        if !is_secure(text) && raw.reach == RawReach::Public {
            let message = "models are asked by https, or by http on this machine or in the company";
            self.report(
                PATH,
                message,
                "write https://…, or reach: company if the server is in your own network",
            );
            return None;
        }
        if !self.is_within_reach(text, raw.reach) {
            return None;
        }
        Some(text.to_owned())
    }

    /// Whether somebody would connect to where the endpoint says, as far as it says so itself.
    fn is_within_reach(&mut self, endpoint: &str, reach: RawReach) -> bool {
        let (reach, message, proposal) = match reach {
            RawReach::Public => (
                Reach::Public,
                "this address is private, link-local or reserved, and nobody is asked there",
                "write reach: company if the server is in your own network",
            ),
            RawReach::Company => (
                Reach::Company,
                "this address is link-local or reserved, and nobody is asked there",
                "write the address of the server in your own network",
            ),
        };
        let in_vain = is_in_vain(endpoint, reach);
        if in_vain {
            self.report("models.endpoint", message, proposal);
        }
        !in_vain
    }

    /// The key is for whom it was made: OpenRouter's is not sent to others because nobody said which.
    fn model_key(&mut self, raw: &RawModels, openrouter: bool) -> Option<SecretPlace> {
        let Some(text) = &raw.key else {
            return openrouter.then(|| SecretPlace::Environment(OPENROUTER_KEY.to_owned()));
        };
        let place = self.secret("models.key", text)?;
        if raw.endpoint.starts_with("http://") && !is_secure(&raw.endpoint) {
            let message = "everybody on the way could read the key, because the endpoint is not https";
            self.report("models.key", message, "write an https endpoint, or take the key away");
            return None;
        }
        Some(place)
    }

    fn model_times(&mut self, raw: &RawModels) {
        let nothing = |period: Period| period.is_zero();
        for (path, period) in [
            ("models.timeout", Some(raw.timeout)),
            ("models.try_timeout", raw.try_timeout),
            ("models.breaker.rest", Some(raw.breaker.rest)),
        ] {
            if period.is_some_and(nothing) {
                self.report(path, "nothing happens in no time", "write for instance 1m");
            }
        }
        if raw.timeout > LONGEST_TIMEOUT {
            let message = format!("nobody waits longer than {LONGEST_TIMEOUT} for an answer");
            self.report("models.timeout", message, "write for instance 2m");
        }
        if raw.try_timeout.is_some_and(|period| period > raw.timeout) {
            let message = format!("one try cannot take longer than the call, which has {}", raw.timeout);
            self.report("models.try_timeout", message, "write less, or a longer timeout");
        }
    }

    fn prices(&mut self, raw: &BTreeMap<String, RawModelPrice>) -> BTreeMap<String, Price> {
        for (name, price) in raw {
            if price.prompt.min(price.completion) < MicroDollars::ZERO {
                let path = child("models.prices", name);
                self.report(&path, "nobody pays for being asked", "write 0 or more");
            }
        }
        let price = |price: &RawModelPrice| Price { prompt: price.prompt, completion: price.completion };
        raw.iter().map(|(name, raw)| (name.clone(), price(raw))).collect()
    }

    fn budgets(&mut self, raw: &RawBudgets) -> Budgets {
        let named = named(raw);
        for (path, budget) in named {
            self.budget(path, budget);
        }
        self.budgets_within_each_other(&named);
        let limit = |budget: Option<RawBudget>| {
            budget.map(|budget| Limit { tokens: budget.tokens, dollars: budget.dollars })
        };
        Budgets {
            per_call: limit(raw.per_call).unwrap_or_default(),
            per_cycle: limit(raw.per_cycle).unwrap_or_default(),
            per_day: limit(raw.per_day).unwrap_or(USUAL_DAY),
            total: limit(raw.total).unwrap_or_default(),
        }
    }

    fn budget(&mut self, path: &str, budget: Option<RawBudget>) {
        let Some(budget) = budget else { return };
        let is_nothing =
            budget.tokens == Some(0) || budget.dollars.is_some_and(|most| most <= MicroDollars::ZERO);
        if budget.tokens.is_none() && budget.dollars.is_none() {
            self.report(
                path,
                "a budget has tokens, dollars, or both",
                "write for instance { tokens: 100000 }",
            );
        } else if is_nothing {
            self.report(path, "nothing could ever be asked", "write more, or take models away");
        }
    }

    fn budgets_within_each_other(&mut self, named: &[(&str, Option<RawBudget>)]) {
        for (index, (path, small)) in named.iter().enumerate() {
            let Some(small) = small else { continue };
            let larger = named[index + 1..].iter().filter_map(|(path, budget)| Some((*path, (*budget)?)));
            let exceeded = larger.into_iter().find(|(_, large)| exceeds(small, large));
            if let Some((outer, _)) = exceeded {
                let message = format!("this is more than {outer} has, so it limits nothing");
                self.report(path, message, "write less, or take it away");
            }
        }
    }

    /// Where nobody says what a call costs, a budget of money would never end.
    fn money_without_prices(&mut self, raw: &RawBudgets) {
        for (path, budget) in named(raw) {
            if budget.is_some_and(|budget| budget.dollars.is_some()) {
                let message = "nobody says what a call costs: only OpenRouter does by itself";
                let proposal = "write models.prices for the models in use, or limit tokens";
                self.report(&format!("{path}.dollars"), message, proposal);
            }
        }
    }

    fn cassette(&mut self, raw: &RawCassette) -> Option<CassetteConfig> {
        if raw.file.trim().is_empty() {
            self.report("models.cassette.file", "this names no file", "write for instance answers.jsonl");
            return None;
        }
        let mode = match raw.mode {
            RawCassetteMode::Live => Mode::Live,
            RawCassetteMode::Record => Mode::Record,
            RawCassetteMode::Replay => Mode::Replay,
            RawCassetteMode::RecordMissing => Mode::RecordMissing,
        };
        Some(CassetteConfig { file: PathBuf::from(&raw.file), mode })
    }
}

/// From the smallest to the largest.
const fn named(raw: &RawBudgets) -> [(&'static str, Option<RawBudget>); 4] {
    [
        ("models.budgets.per_call", raw.per_call),
        ("models.budgets.per_cycle", raw.per_cycle),
        ("models.budgets.per_day", raw.per_day),
        ("models.budgets.total", raw.total),
    ]
}

fn exceeds(small: &RawBudget, large: &RawBudget) -> bool {
    let tokens = small.tokens.zip(large.tokens).is_some_and(|(small, large)| small > large);
    tokens || small.dollars.zip(large.dollars).is_some_and(|(small, large)| small > large)
}

fn host(url: &str) -> Option<String> {
    url.parse::<Uri>().ok()?.host().map(str::to_ascii_lowercase)
}

fn is_openrouter(host: &str) -> bool {
    host == "openrouter.ai" || host.ends_with(".openrouter.ai")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<ModelsConfig, Vec<String>> {
        let file = format!("drover: models/v1\nmodels:\n{text}");
        read_models("models.yaml", file.as_bytes())
            .map_err(|problems| problems.iter().map(|problem| format!("{problem:?}")).collect())
    }

    #[test]
    fn the_usual_values_are_openrouters() {
        let config = read_models("models.yaml", b"drover: models/v1\n").unwrap();
        assert_eq!((config.endpoint.as_str(), config.openrouter), (OPENROUTER, true));
        assert_eq!(config.key, Some(SecretPlace::Environment(OPENROUTER_KEY.to_owned())));
        assert_eq!(config.budgets.per_day.tokens, Some(5_000_000));
        assert_eq!(config.answer_time, AnswerTime::Recorded);
        let unsupported = document::unsupported::<RawModelsFile>();
        assert!(unsupported.is_empty(), "the schema says more than is checked: {unsupported:?}");
    }

    #[test]
    fn a_section_says_everything() {
        let config = read(
            "  endpoint: http://10.0.0.7:8000/v1/\n  reach: company\n  timeout: 90s\n  try_timeout: 30s\n  tries: 4\n  \
             requests_per_minute: 30\n  concurrent: 2\n  stream: true\n  seed: true\n  structured: object\n  \
             prices: { some/model: { prompt: 0.15, completion: 0.6 } }\n  \
             budgets: { per_call: { tokens: 9000 }, per_day: { tokens: 20000, dollars: 2.5 } }\n  \
             breaker: { failures: 2, rest: 10s }\n  cassette: { file: answers.jsonl, mode: replay }\n  \
             answer_time: { first: 800ms, per_token: 20ms }\n",
        )
        .unwrap();
        assert_eq!(
            (config.endpoint.as_str(), config.openrouter, config.key),
            ("http://10.0.0.7:8000/v1", false, None)
        );
        assert_eq!(config.prices["some/model"].completion, MicroDollars(600_000));
        assert_eq!(config.budgets.per_day.dollars, Some(MicroDollars(2_500_000)));
        assert_eq!(config.cassette.unwrap().mode, Mode::Replay);
        let time =
            AnswerTime::Modelled { first: Period::from_millis(800), per_token: Period::from_millis(20) };
        assert_eq!(config.answer_time, time);
    }

    #[test]
    fn a_key_goes_to_nobody_whom_it_was_not_meant_for() {
        let key = |text: &str| read(text).unwrap().key;
        assert_eq!(key("  endpoint: https://api.example.org/v1\n"), None);
        assert_eq!(key("  endpoint: http://localhost:11434/v1\n"), None);
        assert!(key("  endpoint: https://eu.openrouter.ai/api/v1\n").is_some());
        assert_eq!(key("  endpoint: https://openrouter.ai.example.org/v1\n"), None);
        let file = SecretPlace::File("key.txt".into());
        assert_eq!(key("  endpoint: http://localhost:8000/v1\n  key: file:key.txt\n"), Some(file));
    }

    #[test]
    fn what_cannot_be_meant_is_said() {
        let check = |text: &str, want: &[&str]| {
            let found = read(text).expect_err(text);
            assert_eq!(found.len(), want.len(), "{text}: {found:?}");
            for (found, want) in found.iter().zip(want) {
                assert!(found.contains(want), "{text}: {found} has no {want}");
            }
        };
        check("  endpoint: openrouter.ai\n", &["no address"]);
        check("  endpoint: https://a:b@c.example/v1\n", &["with a password"]);
        check("  endpoint: https://c.example/v1?key=x\n", &["a query"]);
        check("  endpoint: http://models.example.org/v1\n", &["asked by https"]);
        check("  endpoint: https://c.example/v1/chat/completions\n", &["write https://c.example/v1"]);
        check("  key: sk-123\n", &["a secret does not stand in this file"]);
        check("  endpoint: http://10.0.0.7/v1\n  reach: company\n  key: env:KEY\n", &["could read the key"]);
        check("  timeout: 0s\n", &["nothing happens in no time"]);
        check("  timeout: 2h\n", &["nobody waits longer"]);
        check("  timeout: 1m\n  try_timeout: 2m\n", &["cannot take longer than the call"]);
        check("  tries: 0\n", &["tries"]);
        check("  tires: 3\n", &["tires"]);
        check("  budgets: { per_day: {} }\n", &["tokens, dollars, or both"]);
        check("  budgets: { total: { tokens: 0 } }\n", &["nothing could ever be asked"]);
        check(
            "  budgets: { per_call: { tokens: 10 }, per_day: { tokens: 5 } }\n",
            &["more than models.budgets.per_day"],
        );
        check(
            "  endpoint: https://c.example/v1\n  budgets: { total: { dollars: 1 } }\n",
            &["what a call costs"],
        );
        check("  prices: { m: { prompt: -1, completion: 0 } }\n", &["nobody pays"]);
        check("  cassette: { file: \"\" }\n", &["names no file"]);
        check("  cassette: { file: a, mode: rewind }\n", &["mode"]);
        check("  answer_time: later\n", &["answer_time"]);
        check("  reach: galaxy\n", &["reach"]);
        check(
            "  endpoint: nowhere\n  timeout: 0s\n  key: hush\n  budgets: { per_call: {} }\n",
            &["no address", "no time", "does not stand", "tokens, dollars"],
        );
    }
}
