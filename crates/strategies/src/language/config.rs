//! What can be set about a strategy that asks language models.

use crate::catalogue::StrategyConfig;
use crate::limits::{MAX_LOAD, MAX_PENDING, Share};
use crate::planner::PlannerConfig;
use model::document::Refusal;
use model::money::MicroDollars;
use model::time::Period;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

/// So many specialists can be asked about one decision.
const MOST_SPECIALISTS: usize = 8;

/// Which models are asked what, and what is made of their answers.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct LanguageConfig {
    /// The model, as the provider calls it.
    pub model: String,
    /// How freely it chooses its words, from 0 to 2.
    pub temperature: Temperature,
    /// The longest answer, in tokens.
    pub max_tokens: u32,
    /// What it shall aim at, in words; without it the shipped policy.
    pub policy: Option<String>,
    /// The same, in a file beside the one in which this stands. A file of WASP's prompts can be used as it is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub policy_file: Option<String>,
    /// Several judges instead of one decider. Each judges the same moves, independently of the others.
    pub specialists: Vec<Specialist>,
    /// Who makes one decision out of the judgements of specialists.
    pub consolidator: Consolidator,
    /// What a consolidating model shall aim at, in words; without it the shipped policy.
    pub consolidator_policy: Option<String>,
    /// The same, in a file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub consolidator_policy_file: Option<String>,
    /// When models are asked at all.
    pub ask: AskWhen,
    /// The highest share of CPU and of memory that pods may request; no answer gets past it.
    pub max_load: Share,
    /// The highest share of a cluster's pods that may be pending where workloads are sent.
    pub max_pending: Share,
    /// The most moves of one decision.
    pub max_moves: u32,
    /// A workload that moved is left where it is for this long.
    pub rest: Period,
    /// Whether names of workloads and clusters are sent; otherwise only ids and numbers.
    pub names: bool,
    /// How often a faulty answer is sent back with its faults.
    pub repairs: Repairs,
    /// Who decides when no model gives a usable answer.
    pub fallback: Fallback,
    /// What a provider that passes calls on to others, such as OpenRouter, shall mind.
    pub routing: Routing,
    /// Which of several answers to the same question is taken: models do not say the same twice.
    pub sample: u32,
}

impl Default for LanguageConfig {
    fn default() -> Self {
        Self {
            model: "openai/gpt-5-mini".to_owned(),
            temperature: Temperature(100),
            max_tokens: 4_000,
            policy: None,
            policy_file: None,
            specialists: Vec::new(),
            consolidator: Consolidator::Votes,
            consolidator_policy: None,
            consolidator_policy_file: None,
            ask: AskWhen::Always,
            max_load: MAX_LOAD,
            max_pending: MAX_PENDING,
            max_moves: 10,
            rest: Period::from_minutes(30),
            names: false,
            repairs: Repairs(2),
            fallback: Fallback::Planner,
            routing: Routing::default(),
            sample: 0,
        }
    }
}

/// Whom a provider may pass calls on to, and on which terms. Nothing of it is sent unless something is set.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Routing {
    /// Only these, as the provider calls them: backends of one model differ.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub only: Vec<String>,
    /// Whether others may answer when these cannot.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub allow_fallbacks: Option<bool>,
    /// Whether those who do not know every parameter, such as the schema, are left out.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub require_parameters: Option<bool>,
    /// Whether whoever answers may keep what was sent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub data_collection: Option<DataCollection>,
    /// Whether only those may answer who keep nothing at all.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub zero_data_retention: Option<bool>,
    /// The highest price of a million tokens.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_price: Option<Price>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum DataCollection {
    Allow,
    Deny,
}

/// Dollars for a million tokens.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Price {
    pub prompt: MicroDollars,
    pub completion: MicroDollars,
}

impl Routing {
    /// In OpenRouter's words; nothing if nothing is set.
    pub(crate) fn told(&self) -> Option<Value> {
        let mut map = serde_json::Map::new();
        let mut put =
            |name: &str, value: Option<Value>| drop(value.map(|value| map.insert(name.to_owned(), value)));
        put("only", (!self.only.is_empty()).then(|| json!(self.only)));
        put("allow_fallbacks", self.allow_fallbacks.map(Value::Bool));
        put("require_parameters", self.require_parameters.map(Value::Bool));
        put("data_collection", self.data_collection.map(|what| json!(what)));
        put("zdr", self.zero_data_retention.map(Value::Bool));
        let dollars = |price: MicroDollars| price.as_dollars_float();
        put(
            "max_price",
            self.max_price.map(
                |most| json!({ "prompt": dollars(most.prompt), "completion": dollars(most.completion) }),
            ),
        );
        (!map.is_empty()).then_some(Value::Object(map))
    }
}

/// A judge with one interest.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Specialist {
    /// `performance`, `cost`, `reliability` and `energy` have shipped policies; any other needs its own.
    pub name: String,
    /// How much its judgement counts, in relation to the others.
    #[serde(default = "one")]
    pub weight: u32,
    /// Whether a move that it is against does not happen.
    #[serde(default)]
    pub veto: bool,
    /// What it shall aim at, in words.
    #[serde(default)]
    pub policy: Option<String>,
    /// The same, in a file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub policy_file: Option<String>,
    /// Another model than the others'.
    #[serde(default)]
    pub model: Option<String>,
}

const fn one() -> u32 {
    1
}

/// Who makes one decision out of many.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Consolidator {
    /// Weights, votes and vetoes, the same every time.
    Votes,
    /// A model, that may choose among what specialists are for and has to name who is against it.
    Model,
}

/// When models are asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum AskWhen {
    Always,
    /// Only while a cluster is over a limit: what is well costs nothing.
    OverLimit,
}

/// Who decides when no model does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Fallback {
    Planner,
    Threshold,
    /// Nobody: nothing is recommended, and the reason says why.
    Hold,
}

impl Fallback {
    pub(crate) fn config(self, limits: (Share, Share)) -> StrategyConfig {
        let (max_load, max_pending) = limits;
        match self {
            Self::Planner => {
                StrategyConfig::Planner(PlannerConfig { max_load, max_pending, ..PlannerConfig::default() })
            }
            Self::Threshold => {
                StrategyConfig::Threshold(crate::threshold::ThresholdConfig { max_load, max_pending })
            }
            Self::Hold => StrategyConfig::Hold(crate::hold::HoldConfig::default()),
        }
    }
}

/// Between 0 and 2, in thousandths.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Temperature(pub u32);

impl Serialize for Temperature {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_f64(f64::from(self.0) / 1_000.0)
    }
}

impl<'de> Deserialize<'de> for Temperature {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let degrees = f64::deserialize(deserializer)?;
        if !(0.0..=2.0).contains(&degrees) {
            return Err(serde::de::Error::custom(format!("{degrees} is not between 0 and 2")));
        }
        Ok(Self((degrees * 1_000.0).round() as u32))
    }
}

impl JsonSchema for Temperature {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Temperature".into()
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({ "type": "number", "minimum": 0, "maximum": 2 })
    }
}

/// At most two: what a model does not mend in two attempts it does not mend in five.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(transparent)]
pub struct Repairs(pub(crate) u32);

impl<'de> Deserialize<'de> for Repairs {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let times = u32::deserialize(deserializer)?;
        if times > 2 {
            return Err(serde::de::Error::custom(format!("{times} is more than 2")));
        }
        Ok(Self(times))
    }
}

impl JsonSchema for Repairs {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Repairs".into()
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({ "type": "integer", "minimum": 0, "maximum": 2 })
    }
}

/// Reads a file by the name that stands in a configuration; the error is a sentence about it.
pub type ReadFile<'a> = &'a mut dyn FnMut(&str) -> Result<Vec<u8>, String>;

/// So many samples of one seed can be told apart.
const SAMPLES: u32 = 1_000;

/// A policy longer than this leaves no room for the federation.
const LONGEST_POLICY: usize = 50_000;

impl LanguageConfig {
    /// Puts the texts of files in the place of their names, so that what is decided by depends on nothing outside.
    pub fn resolve(&mut self, read: ReadFile<'_>) -> Result<(), String> {
        let specialists = self.specialists.iter_mut().map(|one| (&mut one.policy, &mut one.policy_file));
        let mine = [
            (&mut self.policy, &mut self.policy_file),
            (&mut self.consolidator_policy, &mut self.consolidator_policy_file),
        ];
        for (policy, file) in mine.into_iter().chain(specialists) {
            if let Some(name) = file.take() {
                *policy = Some(policy_text(&name, read)?);
            }
        }
        Ok(())
    }

    /// The same with a sample of its own for each seed. The first seed has the samples that are written down.
    #[must_use]
    pub(crate) fn for_run(&self, seed: u64) -> Self {
        let block = (seed.wrapping_sub(1) % (u64::from(u32::MAX) / u64::from(SAMPLES))) as u32;
        Self { sample: block * SAMPLES + self.sample % SAMPLES, ..self.clone() }
    }

    fn has_policy_twice(&self) -> bool {
        let twice = |policy: &Option<String>, file: &Option<String>| policy.is_some() && file.is_some();
        twice(&self.policy, &self.policy_file)
            || twice(&self.consolidator_policy, &self.consolidator_policy_file)
            || self.specialists.iter().any(|one| twice(&one.policy, &one.policy_file))
    }

    /// Whether the parameters make sense together.
    pub fn check(&self) -> Result<(), Refusal> {
        let refuse =
            |message: String, proposal: &str| Err(Refusal::new(message).propose(proposal.to_owned()));
        if self.model.trim().is_empty() {
            return refuse("model is empty".to_owned(), "write for instance model: openai/gpt-5-mini");
        }
        if self.has_policy_twice() {
            let message = "a policy stands here and in a file".to_owned();
            return refuse(message, "leave one of them out");
        }
        if self.sample >= SAMPLES {
            return refuse(format!("sample is {}", self.sample), "count samples from 0 to 999");
        }
        if self.max_tokens == 0 || self.max_moves == 0 {
            return refuse("max_tokens and max_moves must be at least 1".to_owned(), "leave them out");
        }
        if self.specialists.len() > MOST_SPECIALISTS {
            let message = format!("there are {} specialists", self.specialists.len());
            return refuse(message, &format!("name at most {MOST_SPECIALISTS}"));
        }
        if !self.specialists.is_empty() && self.specialists.iter().all(|one| one.weight == 0) {
            return refuse("no specialist has any weight".to_owned(), "write weight: 1 for one of them");
        }
        for (index, one) in self.specialists.iter().enumerate() {
            if self.specialists[..index].iter().any(|other| other.name == one.name) {
                return refuse(
                    format!("two specialists are called {:?}", one.name),
                    "give each its own name",
                );
            }
            if one.policy.is_none()
                && one.policy_file.is_none()
                && super::prompts::policy_of(&one.name).is_none()
            {
                let message = format!("there is no shipped policy for a specialist {:?}", one.name);
                return refuse(message, "write its policy, or name performance, cost, reliability or energy");
            }
        }
        Ok(())
    }
}

fn policy_text(name: &str, read: ReadFile<'_>) -> Result<String, String> {
    let text = String::from_utf8(read(name)?).map_err(|_| format!("{name}: is no text"))?;
    let text = text.trim();
    if text.is_empty() {
        return Err(format!("{name}: is empty; write what the model shall aim at"));
    }
    if text.len() > LONGEST_POLICY {
        return Err(format!("{name}: is longer than {LONGEST_POLICY} bytes; is it the right file?"));
    }
    Ok(text.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_seed_has_samples_of_its_own() {
        let sample = |sample: u32, seed: u64| {
            LanguageConfig { sample, ..LanguageConfig::default() }.for_run(seed).sample
        };
        assert_eq!((sample(0, 1), sample(3, 1), sample(0, 2), sample(999, 4)), (0, 3, 1_000, 3_999));
        assert!(sample(999, u64::MAX) >= 999, "no seed is too large");
    }

    #[test]
    fn policies_come_from_files() {
        let text = r#"{"policy_file":"p.txt","specialists":[{"name":"mine","policy_file":"m.txt"}]}"#;
        let mut config: LanguageConfig = serde_json::from_str(text).unwrap();
        config.check().unwrap();
        let mut read = |name: &str| Ok(format!(" text of {name}\n").into_bytes());
        config.resolve(&mut read).unwrap();
        assert_eq!(config.policy.as_deref(), Some("text of p.txt"));
        assert_eq!(config.specialists[0].policy.as_deref(), Some("text of m.txt"));
        assert_eq!(config.policy_file, None);
    }

    #[test]
    fn files_that_are_no_policies_are_refused() {
        let check = |read: fn(&str) -> Result<Vec<u8>, String>, part: &str| {
            let mut config =
                LanguageConfig { policy_file: Some("p".to_owned()), ..LanguageConfig::default() };
            let error = config.resolve(&mut |name| read(name)).unwrap_err();
            assert!(error.contains(part), "{error}");
        };
        check(|_| Ok(Vec::new()), "is empty");
        check(|_| Ok(vec![255]), "is no text");
        check(|_| Ok(vec![b'x'; LONGEST_POLICY + 1]), "is longer than");
        check(|name| Err(format!("{name}: is gone")), "p: is gone");
    }

    #[test]
    fn routing_is_told_in_the_words_of_the_provider() {
        assert_eq!(Routing::default().told(), None);
        let text = r#"{"only":["a"],"data_collection":"deny","zero_data_retention":true,"max_price":{"prompt":1,"completion":2.5}}"#;
        let routing: Routing = serde_json::from_str(text).unwrap();
        let told = json!({ "only": ["a"], "data_collection": "deny", "zdr": true,
            "max_price": { "prompt": 1.0, "completion": 2.5 } });
        assert_eq!(routing.told(), Some(told));
    }
}
