//! From what somebody wants to know to what is run for it: every problem at once, each with a proposal.

use super::shelf::{Sample, Shelf};
use crate::api::problem::FieldProblem;
use crate::api::wire::ComparisonWish;
use lab::experiment::command::Compare;
use lab::experiment::layout;
use lab::experiment::spec::{Arm, Experiment, Variant, usual};
use model::document::{item, nearest};
use std::collections::BTreeMap;
use std::sync::Arc;
use strategies::catalogue::StrategyConfig;

/// More columns fit into no table that a person reads.
pub const MOST_STRATEGIES: usize = 8;

/// Intervals get narrower with the root of their number: twice as many seeds would make them a third narrower.
pub const MOST_SEEDS: u64 = 50;

/// Others wait meanwhile. A run of the heaviest shipped scenario takes two seconds, so this is some minutes on one core; whoever
/// needs more has `drover compare`, which uses all cores and can be taken up again.
pub const MOST_CELLS: usize = 200;

/// What is repeated of a name that nobody knows.
const SHOWN_LETTERS: usize = 80;

/// A wish that can be fulfilled.
#[derive(Clone, Debug)]
pub(crate) struct Order {
    pub(super) sample: Arc<Sample>,
    pub(super) experiment: Experiment,
}

impl Order {
    pub(crate) fn scenario(&self) -> &str {
        self.sample.name()
    }

    pub(crate) fn strategies(&self) -> Vec<String> {
        self.experiment.arms.iter().map(|arm| arm.name.clone()).collect()
    }

    pub(crate) fn seeds(&self) -> usize {
        self.experiment.seeds.len()
    }

    pub(crate) fn baseline(&self) -> &str {
        &self.experiment.arms[self.experiment.baseline].name
    }

    pub(crate) fn command(&self) -> &str {
        &self.experiment.command
    }

    /// How many runs it takes.
    pub(crate) fn cells(&self) -> usize {
        self.experiment.arms.len() * self.seeds()
    }

    pub(super) fn setting(&self) -> layout::Setting<'_> {
        let Sample { scenario, digest, .. } = &*self.sample;
        layout::Setting { name: &scenario.world.name, scenario, digest: *digest }
    }
}

/// What is to be run, or everything that is wrong with the wish.
pub(crate) fn check(wish: &ComparisonWish, shelf: &Shelf) -> Result<Order, Vec<FieldProblem>> {
    let mut checker = Checker::default();
    let sample = checker.sample(&wish.scenario, shelf);
    let arms = checker.arms(&wish.strategies);
    checker.seeds(wish.seeds, arms.len());
    let baseline = checker.baseline(wish.baseline.as_deref(), &arms);
    match sample {
        Some(sample) if checker.problems.is_empty() => Ok(order(wish, sample, arms, baseline)),
        _ => Err(checker.problems),
    }
}

/// The same experiment that `drover compare` makes of its arguments.
fn order(wish: &ComparisonWish, sample: Arc<Sample>, arms: Vec<Arm>, baseline: usize) -> Order {
    let names: Vec<&str> = arms.iter().map(|arm| arm.name.as_str()).collect();
    let scenarios = vec![sample.file.clone()];
    let seeds = if wish.seeds == 1 { "1".to_owned() } else { format!("1..{}", wish.seeds) };
    let compare = Compare {
        scenarios: &scenarios,
        strategies: &names,
        seeds: &seeds,
        baseline: (baseline > 0).then(|| names[baseline]),
        ..Compare::default()
    };
    let experiment = Experiment {
        name: "comparison".to_owned(),
        description: String::new(),
        command: compare.line(),
        arms,
        seeds: (1..=wish.seeds).collect(),
        baseline,
        review: None,
        metrics: usual(),
        variants: vec![Variant::new()],
        cassette: None,
        published: BTreeMap::new(),
        scenarios,
    };
    Order { sample, experiment }
}

#[derive(Default)]
struct Checker {
    problems: Vec<FieldProblem>,
}

impl Checker {
    fn report(&mut self, field: impl Into<String>, message: impl Into<String>) {
        self.problems.push(FieldProblem { field: field.into(), message: message.into(), proposal: None });
    }

    fn sample(&mut self, name: &str, shelf: &Shelf) -> Option<Arc<Sample>> {
        let found = shelf.find(name).cloned();
        if found.is_none() {
            let proposal = proposal(name, shelf.names());
            self.report("scenario", format!("there is no scenario {:?}; {proposal}", shown(name)));
        }
        found
    }

    fn arms(&mut self, names: &[String]) -> Vec<Arm> {
        if names.is_empty() || names.len() > MOST_STRATEGIES {
            self.report("strategies", format!("name 1 to {MOST_STRATEGIES} strategies, not {}", names.len()));
            return Vec::new();
        }
        let mut arms: Vec<Arm> = Vec::new();
        for (index, name) in names.iter().enumerate() {
            match StrategyConfig::by_name(name) {
                Ok(decide) if arms.iter().any(|arm| arm.name == decide.name()) => {
                    let message = format!("{} is there twice; name it once", decide.name());
                    self.report(item("strategies", index), message);
                }
                // Comparisons are made again and again; whoever pays for answers starts them knowingly.
                Ok(decide) if decide.asks_models() => {
                    let message =
                        format!("{name} asks models; use drover compare with --models or --cassette");
                    self.report(item("strategies", index), message);
                }
                Ok(decide) => arms.push(Arm { name: decide.name().to_owned(), decide }),
                Err(error) => self.report(item("strategies", index), error.to_string()),
            }
        }
        arms
    }

    fn seeds(&mut self, seeds: u64, arms: usize) {
        if !(1..=MOST_SEEDS).contains(&seeds) {
            self.report("seeds", format!("say how many, from 1 to {MOST_SEEDS}"));
        } else if arms as u64 * seeds > MOST_CELLS as u64 {
            let most = MOST_CELLS / arms;
            let message = format!(
                "these are {} runs, and at most {MOST_CELLS} are made here; with so many strategies take at most {most} seeds",
                arms as u64 * seeds
            );
            self.report("seeds", message);
        }
    }

    /// An index of the strategies.
    fn baseline(&mut self, name: Option<&str>, arms: &[Arm]) -> usize {
        let Some(name) = name else { return 0 };
        let tidy = StrategyConfig::by_name(name).map_or(name, |config| config.name());
        arms.iter().position(|arm| arm.name == tidy).unwrap_or_else(|| {
            let proposal = proposal(name, arms.iter().map(|arm| arm.name.as_str()));
            let message = format!("{:?} is not among the strategies; {proposal}", shown(name));
            self.report("baseline", message);
            0
        })
    }
}

fn shown(name: &str) -> String {
    name.chars().take(SHOWN_LETTERS).collect()
}

fn proposal<'a>(name: &str, known: impl Iterator<Item = &'a str> + Clone) -> String {
    match nearest(name, known.clone()) {
        Some(near) => format!("did you mean {near}?"),
        None => format!("known: {}", known.collect::<Vec<_>>().join(", ")),
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use model::hash::ContentHash;

    pub(crate) fn shelf() -> Shelf {
        let text = include_str!("../../../../scenarios/three-waves.yaml");
        let scenario = simulator::scenario::read("three-waves.yaml", text.as_bytes()).unwrap();
        let digest = ContentHash::of_bytes(text.as_bytes());
        let mut shelf = Shelf::default();
        shelf.put(Sample { file: "my waves.yaml".to_owned(), scenario, digest, is_own: true });
        shelf
    }

    pub(crate) fn wish(
        scenario: &str,
        strategies: &[&str],
        seeds: u64,
        baseline: Option<&str>,
    ) -> ComparisonWish {
        ComparisonWish {
            scenario: scenario.to_owned(),
            strategies: strategies.iter().map(|name| (*name).to_owned()).collect(),
            seeds,
            baseline: baseline.map(str::to_owned),
        }
    }

    #[test]
    fn a_wish_becomes_what_the_command_line_says() {
        let check = |strategies: &[&str], seeds, baseline, command: &str| {
            let order = check(&wish("three-waves", strategies, seeds, baseline), &shelf()).unwrap();
            assert_eq!(order.command(), command);
            assert_eq!(order.cells(), strategies.len() * order.seeds());
        };
        check(&["Hold"], 1, None, "drover compare 'my waves.yaml' --strategies hold --seeds 1");
        check(
            &["hold", "karmada_native"],
            5,
            Some("KARMADA-native"),
            "drover compare 'my waves.yaml' --strategies hold,karmada-native --seeds 1..5 --baseline karmada-native",
        );
    }

    #[test]
    fn everything_wrong_is_said_at_once_with_a_proposal() {
        let check = |wish: ComparisonWish, expected: &[(&str, &str)]| {
            let problems = check(&wish, &shelf()).unwrap_err();
            assert_eq!(problems.len(), expected.len(), "{problems:?}");
            for (problem, (field, part)) in problems.iter().zip(expected) {
                assert!(problem.field == *field && problem.message.contains(part), "{problem:?}");
                assert!(problem.message.len() < 300, "{problem:?}");
            }
        };
        check(
            wish("three-waves", &["hold", "language-model"], 1, None),
            &[("strategies[1]", "use drover compare with --models")],
        );
        check(
            wish("three-wave", &["hold", "planer", "hold"], 0, Some("threshold")),
            &[
                ("scenario", "did you mean three-waves?"),
                ("strategies[1]", "did you mean \"planner\"?"),
                ("strategies[2]", "hold is there twice"),
                ("seeds", "from 1 to 50"),
                ("baseline", "known: hold"),
            ],
        );
        check(wish("three-waves", &[], 1, None), &[("strategies", "1 to 8")]);
        check(wish("three-waves", &["x"; 9], 1, None), &[("strategies", "not 9")]);
        let all = ["hold", "threshold", "planner", "karmada-native", "wasp-heuristic"];
        check(wish("three-waves", &all, 50, None), &[("seeds", "take at most 40 seeds")]);
        let long = "ü".repeat(100_000);
        check(
            wish(&long, &[&long], u64::MAX, Some(&long)),
            &[("scenario", "known: three-waves"), ("strategies[0]", ""), ("seeds", "50"), ("baseline", "")],
        );
    }

    #[test]
    fn of_two_scenarios_with_one_name_the_first_stays() {
        let mut shelf = shelf();
        let other = Sample { is_own: false, ..(**shelf.find("three-waves").unwrap()).clone() };
        shelf.put(other);
        let items = shelf.items();
        assert_eq!((items.len(), items[0].is_own, items[0].clusters), (1, true, 2));
        assert_eq!(items[0].lasts_ms, 240_000);
    }
}
