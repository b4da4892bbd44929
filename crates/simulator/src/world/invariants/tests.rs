//! Random federations, looked at after every event.

use super::random_agent::RandomAgent;
use super::random_placements::add_placements;
use super::random_scenario::{Dice, add_budgets, add_faults, scenario};
use super::random_services::add_services;
use super::watched::Watched;
use crate::randomness::Randomness;
use crate::scenario::{self as scenarios, Scenario};
use crate::world::SimulatedWorld;
use control::agent::{Agent, Cadence, Scope};
use control::control_loop::ControlLoop;
use control::journal::{JournalWriter, NoJournal};
use control::run::RunError;
use control::world::{Effect, Input, World};
use model::document::to_yaml;
use model::names::AgentName;
use model::time::{Period, Timestamp};
use serde_json::Value;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

/// Few enough for every build, many enough to have found every fault named below.
const CASES: u64 = 200;

/// Seeds that found a fault once: a cluster without nodes; orders carried out for a workload deleted meanwhile; a size
/// that was lost because it changed during a move; a spot within a cluster that an update forgot, or that was
/// reported as reached before anybody left.
const REGRESSIONS: [u64; 13] = [1, 64, 104, 190, 292, 139, 151, 231, 245, 318, 373, 607, 658];

/// A scenario, the seed of its world, and its text.
struct Case {
    scenario: Scenario<Value>,
    seed: u64,
    text: String,
}

impl Case {
    fn new(seed: u64) -> Self {
        let mut dice = Dice(Randomness::new(seed).stream("scenario"));
        Self::of(seed, &scenario(&mut dice))
    }

    /// The same with disruption budgets.
    fn with_budgets(seed: u64) -> Self {
        Self::of(seed, &Self::budgeted(seed))
    }

    /// The same with disruption budgets, with services in every other one, placement rules in every third, and with faults.
    fn with_faults(seed: u64) -> Self {
        let mut described = Self::budgeted(seed);
        if seed % 3 == 2 {
            add_placements(&mut Dice(Randomness::new(seed).stream("placements")), &mut described);
        }
        if seed % 2 == 1 {
            add_services(&mut Dice(Randomness::new(seed).stream("services")), &mut described);
        }
        add_faults(&mut Dice(Randomness::new(seed).stream("faults")), &mut described);
        Self::of(seed, &described)
    }

    fn budgeted(seed: u64) -> Value {
        let mut described = scenario(&mut Dice(Randomness::new(seed).stream("scenario")));
        add_budgets(&mut Dice(Randomness::new(seed).stream("budgets")), &mut described);
        described
    }

    fn of(seed: u64, described: &Value) -> Self {
        let text = to_yaml(described);
        let scenario = scenarios::read("random.yaml", text.as_bytes());
        let scenario = scenario.unwrap_or_else(|problems| panic!("seed {seed}: {problems}\n{text}"));
        Self { scenario, seed, text }
    }

    fn world(&self) -> SimulatedWorld {
        SimulatedWorld::new(Arc::new(self.scenario.world.clone()), self.scenario.reviewer.clone(), self.seed)
    }

    fn control(&self) -> ControlLoop {
        let agent = Agent {
            name: AgentName::new("random").unwrap(),
            cadence: Cadence { every: Period::from_secs(15), first_at: Timestamp::EPOCH },
            lookback: Period::ZERO,
            scope: Scope::default(),
            strategy: Box::new(RandomAgent { dice: Dice(Randomness::new(self.seed).stream("agent")) }),
        };
        ControlLoop::new(self.scenario.control.clone(), vec![agent])
    }

    /// The world at the end of a run that is watched, with a copy from somewhere on the way.
    fn run(&self) -> Result<Watched, String> {
        let copy_at =
            Randomness::new(self.seed).stream("copy").below(self.scenario.world.duration.as_millis());
        let mut watched = Watched::new(self.world(), Timestamp(copy_at));
        let mut control = self.control();
        control::run::run(&mut watched, &mut control, &mut NoJournal).map_err(|error| match error {
            RunError::World(why) => why,
            RunError::Journal(never) => match never {},
        })?;
        Ok(watched)
    }

    fn journal(&self) -> Vec<u8> {
        let mut journal = JournalWriter::begin(Vec::new(), &self.seed).unwrap();
        control::run::run(&mut self.world(), &mut self.control(), &mut journal).unwrap();
        journal.end().unwrap().0
    }

    fn fault(&self, property: impl FnOnce(&Self) -> Result<(), String>) -> Option<String> {
        match catch_unwind(AssertUnwindSafe(|| property(self))) {
            Ok(outcome) => outcome.err(),
            Err(panic) => Some(panic_text(&*panic)),
        }
    }

    /// Fails with everything that is needed to see the same again.
    fn check(&self, property: impl FnOnce(&Self) -> Result<(), String>) {
        if let Some(why) = self.fault(property) {
            panic!("seed {}: {why}\n# the scenario:\n{}", self.seed, self.text);
        }
    }
}

fn panic_text(panic: &(dyn std::any::Any + Send)) -> String {
    let text = panic.downcast_ref::<String>().map(String::as_str);
    text.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("it panicked").to_owned()
}

/// Lets a world go on by itself; what it says on the way and where it ends.
fn go_on(mut world: SimulatedWorld) -> (Vec<(Timestamp, Input)>, String) {
    let mut inputs = Vec::new();
    let mut deadline = world.now();
    while let Some((at, input)) = world.next_input(deadline).unwrap() {
        if input == Input::WakeUp {
            world.start(Effect::Observe).unwrap();
            deadline = at + Period::from_secs(60);
        }
        inputs.push((at, input));
    }
    let end = format!("{:?} {:?} {}", world.totals(), world.series(), world.events());
    (inputs, end)
}

fn holds_its_invariants(case: &Case) -> Result<(), String> {
    if case.run()?.world.events() == 0 { Err("nothing happened".to_owned()) } else { Ok(()) }
}

fn repeats_itself(case: &Case) -> Result<(), String> {
    if case.journal() == case.journal() { Ok(()) } else { Err("two runs differ".to_owned()) }
}

fn copies_go_on_alike(case: &Case) -> Result<(), String> {
    let copy = case.run()?.copy.ok_or("no copy was taken")?;
    if go_on(copy.clone()) == go_on(copy) { Ok(()) } else { Err("a copy goes on differently".to_owned()) }
}

/// Whoever changes the world may ask for more: `make soak`, or `DROVER_CASES=5000 cargo test --package simulator federations`.
fn asked() -> Option<u64> {
    #[expect(clippy::disallowed_methods, reason = "the test shell is told how long it may take")]
    let asked = std::env::var("DROVER_CASES").ok();
    asked.map(|number| number.parse().expect("DROVER_CASES is a number"))
}

fn cases() -> u64 {
    asked().unwrap_or(CASES)
}

/// Cases that are run several times each.
fn repeated_cases() -> u64 {
    asked().unwrap_or(CASES / 20)
}

#[test]
fn random_federations_keep_the_invariants() {
    for seed in REGRESSIONS {
        Case::new(seed).check(holds_its_invariants);
    }
    for seed in 0..cases() {
        Case::with_budgets(seed).check(holds_its_invariants);
    }
}

#[test]
fn random_federations_in_trouble_keep_the_invariants() {
    for seed in 0..asked().unwrap_or(CASES / 2) {
        Case::with_faults(seed).check(holds_its_invariants);
    }
}

#[test]
fn federations_with_the_same_seed_give_the_same_journal() {
    for seed in 0..repeated_cases() {
        Case::with_faults(seed).check(repeats_itself);
    }
}

#[test]
fn copies_of_federations_go_on_like_the_original() {
    for seed in 0..repeated_cases() {
        Case::with_faults(seed).check(copies_go_on_alike);
    }
}
