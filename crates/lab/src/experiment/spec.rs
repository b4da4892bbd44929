//! From the experiment as written to the checked one: every problem with its place.

use super::metric::{METRICS, Metric, USUAL};
use super::raw::{RawArm, RawExperiment, RawFullArm, RawReview, RawSeeds};
use super::results::Published;
use crate::run::Review;
use model::document::{self, Checks, Document, Draft, Problems, child, item, nearest};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use strategies::catalogue::StrategyConfig;

/// More would take days, and nobody reads the table.
const MOST_CELLS: usize = 100_000;

/// A checked experiment.
#[derive(Clone, Debug)]
pub struct Experiment {
    pub name: String,
    pub description: String,
    /// What gives the same results again. It names the experiment and not its file, which may lie anywhere.
    pub command: String,
    /// Scenario files, as written.
    pub scenarios: Vec<String>,
    pub arms: Vec<Arm>,
    pub seeds: Vec<u64>,
    /// An index of `arms`.
    pub baseline: usize,
    pub review: Option<Review>,
    pub metrics: Vec<&'static Metric>,
    /// Changes to every scenario, one set after the other; a single empty set if nothing is varied.
    pub variants: Vec<Variant>,
    /// The file with recorded answers of models, as written.
    pub cassette: Option<String>,
    /// By the name of a scenario.
    pub published: BTreeMap<String, Vec<Published>>,
}

/// A strategy with its parameters.
#[derive(Clone, Debug, PartialEq)]
pub struct Arm {
    pub name: String,
    pub decide: StrategyConfig,
}

/// Keys of a scenario with the values they get.
pub type Variant = Vec<(String, Value)>;

/// Reads and checks an experiment file.
pub fn read(name: &str, bytes: &[u8]) -> Result<Experiment, Problems> {
    let Draft { value, document, problems, .. } =
        document::draft::<RawExperiment>(name, bytes, &Checks::default())?;
    let mut checker = Checker { document: &document, problems };
    if !checker.problems.is_empty() {
        return Err(checker.problems);
    }
    let experiment = checker.experiment(&value);
    checker.problems.into_result(experiment)
}

/// Seeds as they are written on a command line or in a file: 1..10, or 1,2,7.
pub fn seeds(text: &str) -> Result<Vec<u64>, String> {
    let number = |part: &str| {
        part.trim().parse::<u64>().map_err(|_| format!("{:?} is not a whole number", part.trim()))
    };
    let seeds = match text.split_once("..") {
        Some((first, last)) => {
            let (first, last) = (number(first)?, number(last.trim_start_matches('='))?);
            if last < first {
                return Err(format!("{last} comes before {first}"));
            }
            if last - first >= MOST_CELLS as u64 {
                return Err(format!("{first} to {last} are more than {MOST_CELLS} seeds"));
            }
            (first..=last).collect()
        }
        None => text.split(',').map(number).collect::<Result<Vec<_>, _>>()?,
    };
    unique(&seeds).map_err(|seed| format!("seed {seed} is there twice"))?;
    Ok(seeds)
}

fn unique(seeds: &[u64]) -> Result<(), u64> {
    let mut seen = BTreeSet::new();
    seeds.iter().find(|seed| !seen.insert(**seed)).map_or(Ok(()), |seed| Err(*seed))
}

/// All combinations of the values, in the order of the keys, the last key changing fastest.
fn combinations(grid: &BTreeMap<String, Vec<Value>>) -> Vec<Variant> {
    let mut variants = vec![Variant::new()];
    for (key, values) in grid {
        let extend = |variant: &Variant| {
            let variant = variant.clone();
            values.iter().map(move |value| {
                let mut longer = variant.clone();
                longer.push((key.clone(), value.clone()));
                longer
            })
        };
        variants = variants.iter().flat_map(extend).collect();
    }
    variants
}

/// A variant in the words of a table: reviewer.delay=2m.
pub fn label(variant: &Variant) -> String {
    let part = |(key, value): &(String, Value)| match value {
        Value::String(text) => format!("{key}={text}"),
        other => format!("{key}={other}"),
    };
    variant.iter().map(part).collect::<Vec<_>>().join(", ")
}

struct Checker<'a> {
    document: &'a Document,
    problems: Problems,
}

impl Checker<'_> {
    fn report(&mut self, path: &str, message: impl Into<String>, proposal: impl Into<String>) {
        self.problems.push(self.document.problem_at(path, message, proposal));
    }

    fn experiment(&mut self, raw: &RawExperiment) -> Experiment {
        let arms = self.arms(&raw.strategies);
        let seeds = self.seeds(&raw.seeds);
        let variants = self.grid("grid", &raw.grid);
        let cells = [raw.scenarios.len(), arms.len(), seeds.len(), variants.len()];
        let cells = cells.into_iter().fold(1_usize, usize::saturating_mul);
        if cells > MOST_CELLS {
            let message = format!("these are {cells} runs, and at most {MOST_CELLS} are made");
            self.report("seeds", message, "take fewer seeds, strategies or values");
        }
        Experiment {
            name: raw.name.clone(),
            description: raw.description.clone(),
            command: format!("drover experiment run {}.yaml", raw.name),
            scenarios: self.scenarios(&raw.scenarios),
            baseline: self.baseline(raw.baseline.as_deref(), &arms),
            arms,
            seeds,
            review: raw.review.map(Review::from),
            metrics: self.metrics(&raw.metrics),
            variants,
            cassette: raw.cassette.clone(),
            published: self.published(raw),
        }
    }

    fn scenarios(&mut self, raw: &[String]) -> Vec<String> {
        let mut seen = BTreeSet::new();
        for (index, path) in raw.iter().enumerate() {
            if path.is_empty() {
                self.report(
                    &item("scenarios", index),
                    "the name of a file is empty",
                    "write for instance day.yaml",
                );
            } else if !seen.insert(path) {
                self.report(
                    &item("scenarios", index),
                    format!("{path:?} is there twice"),
                    "remove one of them",
                );
            }
        }
        raw.to_vec()
    }

    fn arms(&mut self, raw: &[RawArm]) -> Vec<Arm> {
        let mut arms: Vec<Arm> = Vec::new();
        for (index, raw) in raw.iter().enumerate() {
            let path = item("strategies", index);
            let found = match raw {
                RawArm::Name(name) => self.named_arm(&path, name).into_iter().collect(),
                RawArm::Full(full) => self.full_arms(&path, full),
            };
            for arm in found {
                if arms.iter().any(|other| other.name == arm.name) {
                    let message = format!("{:?} is there twice", arm.name);
                    self.report(&path, message, "give one of them a `name` of its own");
                } else {
                    arms.push(arm);
                }
            }
        }
        arms
    }

    fn named_arm(&mut self, path: &str, name: &str) -> Option<Arm> {
        match StrategyConfig::by_name(name) {
            Ok(decide) => Some(Arm { name: decide.name().to_owned(), decide }),
            Err(error) => {
                let proposal = error
                    .nearest
                    .map_or("write for instance planner".to_owned(), |near| format!("write {near}"));
                self.report(path, error.to_string(), proposal);
                None
            }
        }
    }

    fn full_arms(&mut self, path: &str, raw: &RawFullArm) -> Vec<Arm> {
        let place = child(path, "decide");
        if let Err(refusal) = raw.decide.check() {
            let proposal = refusal.proposal.unwrap_or_else(|| "change one of the parameters".to_owned());
            self.report(&place, refusal.message, proposal);
        }
        let base = raw.name.clone().unwrap_or_else(|| raw.decide.name().to_owned());
        let variants = self.grid(&child(path, "grid"), &raw.grid);
        variants.iter().filter_map(|variant| self.varied_arm(path, &base, &raw.decide, variant)).collect()
    }

    /// A strategy with some parameters set to other values.
    fn varied_arm(
        &mut self,
        path: &str,
        base: &str,
        decide: &StrategyConfig,
        variant: &Variant,
    ) -> Option<Arm> {
        let mut config = serde_json::to_value(decide).expect("plain data always serialises");
        for (key, value) in variant {
            config[key] = value.clone();
        }
        let name = if variant.is_empty() { base.to_owned() } else { format!("{base} {}", label(variant)) };
        let text = document::to_yaml(&config);
        match document::read::<StrategyConfig>("grid", text.as_bytes()) {
            Ok((decide, _)) => Some(Arm { name, decide }),
            Err(problems) => {
                for problem in &problems {
                    let message = format!("{}: {}", label(variant), problem.message);
                    self.report(&child(path, "grid"), message, problem.proposal.clone());
                }
                None
            }
        }
    }

    fn seeds(&mut self, raw: &RawSeeds) -> Vec<u64> {
        let found = match raw {
            RawSeeds::Range(text) => seeds(text),
            RawSeeds::List(list) if list.is_empty() => Err("there is no seed".to_owned()),
            RawSeeds::List(list) => {
                unique(list).map(|()| list.clone()).map_err(|seed| format!("seed {seed} is there twice"))
            }
        };
        found.unwrap_or_else(|message| {
            self.report("seeds", message, "write for instance 1..10");
            Vec::new()
        })
    }

    fn grid(&mut self, path: &str, grid: &BTreeMap<String, Vec<Value>>) -> Vec<Variant> {
        for (key, values) in grid {
            if values.is_empty() {
                self.report(&child(path, key), "there is no value to try", "write for instance [1, 2]");
            }
        }
        let count = grid.values().map(Vec::len).fold(1_usize, usize::saturating_mul);
        if count > MOST_CELLS {
            self.report(path, format!("these are {count} combinations"), "try fewer values");
            return vec![Variant::new()];
        }
        combinations(grid)
    }

    fn baseline(&mut self, raw: Option<&str>, arms: &[Arm]) -> usize {
        let Some(name) = raw else { return 0 };
        let found = arms.iter().position(|arm| arm.name == name);
        found.unwrap_or_else(|| {
            let names = arms.iter().map(|arm| arm.name.as_str());
            let proposal = match nearest(name, names.clone()) {
                Some(near) => format!("did you mean {near}?"),
                None => format!("known: {}", names.collect::<Vec<_>>().join(", ")),
            };
            self.report("baseline", format!("no strategy here is called {name:?}"), proposal);
            0
        })
    }

    fn metrics(&mut self, raw: &[String]) -> Vec<&'static Metric> {
        if raw.is_empty() {
            return usual();
        }
        let mut found = Vec::new();
        for (index, key) in raw.iter().enumerate() {
            match metric(key) {
                Ok(metric) => found.push(metric),
                Err(proposal) => {
                    self.report(&item("metrics", index), format!("there is no metric {key:?}"), proposal);
                }
            }
        }
        found
    }

    fn published(&mut self, raw: &RawExperiment) -> BTreeMap<String, Vec<Published>> {
        let mut found = BTreeMap::<String, Vec<Published>>::new();
        for (index, row) in raw.published.iter().enumerate() {
            let place = item("published", index);
            for key in row.values.keys() {
                if let Err(proposal) = metric(key) {
                    let path = child(&child(&place, "values"), key);
                    self.report(&path, format!("there is no metric {key:?}"), proposal);
                }
            }
            let published =
                Published { name: row.name.clone(), source: row.source.clone(), values: row.values.clone() };
            found.entry(row.scenario.clone()).or_default().push(published);
        }
        found
    }
}

/// The metrics that tables show unless somebody asks for others.
pub fn usual() -> Vec<&'static Metric> {
    USUAL.iter().filter_map(|key| Metric::named(key)).collect()
}

/// The metric of that name, or what to write instead.
pub fn metric(key: &str) -> Result<&'static Metric, String> {
    Metric::named(key).ok_or_else(|| {
        let keys = METRICS.iter().map(|metric| metric.key);
        match nearest(key, keys.clone()) {
            Some(near) => format!("did you mean {near}?"),
            None => format!("known: {}", keys.collect::<Vec<_>>().join(", ")),
        }
    })
}

impl From<RawReview> for Review {
    fn from(raw: RawReview) -> Self {
        match raw {
            RawReview::Auto => Self::Auto,
            RawReview::Simulated => Self::Simulated,
            RawReview::Hold => Self::Hold,
        }
    }
}
