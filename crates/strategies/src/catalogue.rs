//! Every strategy by name, with its parameters as they are written in a scenario.

use crate::hold::{Hold, HoldConfig};
use crate::karmada_native::{KarmadaNative, KarmadaNativeConfig};
use crate::language::{LanguageConfig, LanguageModel, ReadFile};
use crate::planner::{Planner, PlannerConfig};
use crate::threshold::{Threshold, ThresholdConfig};
use crate::wasp_heuristic::{WaspHeuristic, WaspHeuristicConfig};
use control::strategy::Strategy;
use model::document::Refusal;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// How an agent decides: `{ strategy: planner, max_load: 0.8 }`. Every parameter has a default.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "strategy", rename_all = "kebab-case")]
pub enum StrategyConfig {
    /// Never recommends anything: the baseline of comparisons.
    Hold(HoldConfig),
    /// Moves workloads out of clusters above 80 % load or 40 % pending pods, one by one: the WASP paper's policy.
    Threshold(ThresholdConfig),
    /// Finds the fewest, then cheapest moves and node changes that bring all clusters within their limits.
    Planner(PlannerConfig),
    /// Lets workloads that cannot run overflow to the next cluster, as Karmada's ordered affinities do.
    KarmadaNative(KarmadaNativeConfig),
    /// Sends big or pending workloads to the second cluster and all others to the first: WASP's fallback rule.
    WaspHeuristic(WaspHeuristicConfig),
    /// Asks a language model, or several specialists and a consolidator; whatever they say, limits hold and names exist.
    LanguageModel(Box<LanguageConfig>),
}

/// A strategy as a help text lists it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entry {
    pub name: &'static str,
    pub description: &'static str,
}

/// All strategies, in the order of the help text.
pub const ENTRIES: [Entry; 6] = [
    Entry { name: "hold", description: "never recommends anything: the baseline of comparisons" },
    Entry {
        name: "threshold",
        description: "moves workloads out of clusters above 80 % load or 40 % pending pods, one by one",
    },
    Entry {
        name: "planner",
        description: "finds the fewest, then cheapest moves and node changes that keep all limits",
    },
    Entry {
        name: "karmada-native",
        description: "lets workloads that cannot run overflow to the next cluster, as Karmada does",
    },
    Entry {
        name: "wasp-heuristic",
        description: "sends big or pending workloads to the second cluster, all others to the first",
    },
    Entry {
        name: "language-model",
        description: "asks a language model, or several and a consolidator; needs --models or a --cassette",
    },
];

/// A name that no strategy has.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("there is no strategy {name:?}{}; there are {}", did_you_mean(*.nearest), all_names())]
pub struct UnknownStrategy {
    pub name: String,
    pub nearest: Option<&'static str>,
}

fn did_you_mean(nearest: Option<&str>) -> String {
    nearest.map(|name| format!("; did you mean {name:?}?")).unwrap_or_default()
}

fn all_names() -> String {
    ENTRIES.map(|entry| entry.name).join(", ")
}

impl StrategyConfig {
    /// The strategy of that name with its default parameters; `-` and `_` are the same.
    pub fn by_name(name: &str) -> Result<Self, UnknownStrategy> {
        match name.to_ascii_lowercase().replace('_', "-").as_str() {
            "hold" => Ok(Self::Hold(HoldConfig::default())),
            "threshold" => Ok(Self::Threshold(ThresholdConfig::default())),
            "planner" => Ok(Self::Planner(PlannerConfig::default())),
            "karmada-native" => Ok(Self::KarmadaNative(KarmadaNativeConfig::default())),
            "wasp-heuristic" => Ok(Self::WaspHeuristic(WaspHeuristicConfig::default())),
            "language-model" => Ok(Self::LanguageModel(Box::default())),
            tidy => Err(UnknownStrategy { name: name.chars().take(80).collect(), nearest: nearest(tidy) }),
        }
    }

    pub const fn name(&self) -> &'static str {
        match self {
            Self::Hold(_) => "hold",
            Self::Threshold(_) => "threshold",
            Self::Planner(_) => "planner",
            Self::KarmadaNative(_) => "karmada-native",
            Self::WaspHeuristic(_) => "wasp-heuristic",
            Self::LanguageModel(_) => "language-model",
        }
    }

    /// Whether it asks models and so needs somebody who carries its questions.
    pub const fn asks_models(&self) -> bool {
        matches!(self, Self::LanguageModel(_))
    }

    /// What is wrong with the parameters taken together; each alone was checked when it was read.
    pub fn check(&self) -> Result<(), Refusal> {
        match self {
            Self::Planner(config) => config.check(),
            Self::LanguageModel(config) => config.check(),
            _ => Ok(()),
        }
    }

    /// Puts the texts of files in the place of their names.
    pub fn resolve(&mut self, read: ReadFile<'_>) -> Result<(), String> {
        match self {
            Self::LanguageModel(config) => config.resolve(read),
            _ => Ok(()),
        }
    }

    /// The same for one run: its seed chooses among the answers that a model might give, as it chooses everything else that is chance.
    #[must_use]
    pub fn for_run(&self, seed: u64) -> Self {
        match self {
            Self::LanguageModel(config) => Self::LanguageModel(Box::new(config.for_run(seed))),
            other => other.clone(),
        }
    }

    pub fn build(&self) -> Box<dyn Strategy> {
        match self.clone() {
            Self::Hold(_) => Box::new(Hold),
            Self::Threshold(config) => Box::new(Threshold(config)),
            Self::Planner(config) => Box::new(Planner::new(config)),
            Self::KarmadaNative(config) => Box::new(KarmadaNative(config)),
            Self::WaspHeuristic(config) => Box::new(WaspHeuristic(config)),
            Self::LanguageModel(config) => Box::new(LanguageModel::new(*config)),
        }
    }
}

/// The name with the fewest edits, if at most a third of it (and never less than two letters) would have to change.
fn nearest(text: &str) -> Option<&'static str> {
    let text: String = text.chars().take(40).collect();
    let names = ENTRIES.iter().map(|entry| (edits(&text, entry.name), entry.name));
    let prefix = ENTRIES.iter().find(|entry| text.len() > 2 && entry.name.starts_with(text.as_str()));
    let close = names.min().filter(|(edits, name)| *edits <= (name.len() / 3).max(2)).map(|(_, name)| name);
    prefix.map(|entry| entry.name).or(close)
}

/// Letters to insert, remove or replace to turn one text into the other.
fn edits(left: &str, right: &str) -> usize {
    let right: Vec<char> = right.chars().collect();
    let mut row: Vec<usize> = (0..=right.len()).collect();
    for (line, letter) in left.chars().enumerate() {
        let mut diagonal = row[0];
        row[0] = line + 1;
        for column in 0..right.len() {
            let replaced = diagonal + usize::from(letter != right[column]);
            diagonal = row[column + 1];
            row[column + 1] = replaced.min(row[column] + 1).min(diagonal + 1);
        }
    }
    row[right.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_entry_is_a_strategy_of_that_name() {
        for entry in ENTRIES {
            let config = StrategyConfig::by_name(entry.name).unwrap();
            assert_eq!(config.name(), entry.name);
            let text = serde_json::to_string(&config).unwrap();
            assert_eq!(serde_json::from_str::<StrategyConfig>(&text).unwrap(), config, "{text}");
            let bare = format!("{{\"strategy\":\"{}\"}}", entry.name);
            assert_eq!(serde_json::from_str::<StrategyConfig>(&bare).unwrap(), config);
            config.check().unwrap();
            drop(config.build());
        }
        assert_eq!(StrategyConfig::by_name("Karmada_Native").unwrap().name(), "karmada-native");
    }

    #[test]
    fn unknown_names_are_refused_with_a_proposal() {
        let check = |name: &str, nearest: Option<&str>| {
            assert_eq!(StrategyConfig::by_name(name).unwrap_err().nearest, nearest, "{name}");
        };
        check("planer", Some("planner"));
        check("treshold", Some("threshold"));
        check("karmada", Some("karmada-native"));
        check("wasp", Some("wasp-heuristic"));
        check("reinforcement", None);
        check("", None);
        let shown = StrategyConfig::by_name("planer").unwrap_err().to_string();
        assert!(shown.contains("did you mean \"planner\"?") && shown.contains("threshold"), "{shown}");
    }

    #[test]
    fn wrong_parameters_are_refused() {
        let check = |text: &str, part: &str| {
            let refused = serde_json::from_str::<StrategyConfig>(text).unwrap_err().to_string();
            assert!(refused.contains(part), "{text}: {refused}");
        };
        check(r#"{"strategy":"planner","max_lod":0.8}"#, "unknown field `max_lod`");
        check(r#"{"strategy":"hold","max_load":0.8}"#, "unknown field `max_load`");
        check(r#"{"strategy":"planner","max_load":80}"#, "more than the whole");
        check(r#"{"strategy":"planner","patience":"5"}"#, "has no unit");
        check(r#"{"strategy":"plan"}"#, "unknown variant `plan`");
        let contradiction: StrategyConfig =
            serde_json::from_str(r#"{"strategy":"planner","headroom":0.8}"#).unwrap();
        assert!(contradiction.check().unwrap_err().message.contains("headroom"));
    }

    #[test]
    fn the_schema_describes_every_parameter() {
        let schema = serde_json::to_string(&schemars::schema_for!(StrategyConfig)).unwrap();
        for part in ["karmada-native", "shrink_patience", "toleration", "The longest", "\"default\""] {
            assert!(schema.contains(part), "{part} is not in {schema}");
        }
    }
}
