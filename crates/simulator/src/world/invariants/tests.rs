//! Random federations, looked at after every event.

use super::random_agent::RandomAgent;
use super::random_placements::add_placements;
use super::random_scenario::{Dice, add_budgets, add_faults, scenario};
use super::random_services::add_services;
use super::watched::Watched;
use super::{ensure, violations};
use crate::randomness::Randomness;
use crate::scenario::{self as scenarios, Scenario};
use crate::world::{Future, Rehearsal, SimulatedWorld};
use control::agent::{Agent, Cadence, Scope};
use control::control_loop::ControlLoop;
use control::journal::{JournalWriter, NoJournal};
use control::run::RunError;
use control::world::{Effect, Input, World};
use model::action::Action;
use model::document::to_yaml;
use model::names::{AgentName, WorkloadRef};
use model::recommendation::RecommendationId;
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

/// A world somewhere on its way, and something to do in it.
fn on_the_way(case: &Case) -> (SimulatedWorld, Option<Action>) {
    let (mut world, mut control) = (case.world(), case.control());
    let mut dice = Dice(Randomness::new(case.seed).stream("rehearsal"));
    let until = Timestamp(dice.between(0, case.scenario.world.duration.as_millis()));
    while world.now() < until
        && let Some((now, input)) = world.next_input(control.wake_at()).unwrap()
    {
        for effect in control.handle(now, &input) {
            world.start(effect).unwrap();
        }
    }
    let action = RandomAgent { dice }.action(&world.snapshot());
    (world, action)
}

/// A number that no agent of a test reaches.
const REHEARSED: RecommendationId = RecommendationId(1 << 40);

fn workloads(world: &SimulatedWorld) -> Vec<WorkloadRef> {
    world.spec.workloads.iter().map(|workload| workload.reference.clone()).collect()
}

/// With the true future a rehearsal shows exactly what then happens.
fn is_rehearsed_to_the_byte(case: &Case) -> Result<(), String> {
    let (mut world, action) = on_the_way(case);
    let until = world.now() + Period::from_minutes(5);
    let mut rehearsal = Rehearsal::of(&world, Future::AsScripted).measuring(until, &workloads(&world));
    let id = world.open_window(until, &workloads(&world)).ok_or("no window")?;
    if let Some(action) = &action {
        rehearsal.begin(REHEARSED, action);
        // No guardrail would let an action through whose workload is busy, and a rehearsal knows that.
        if !world.is_busy_with_another(REHEARSED, action) {
            world.begin_undertaking(REHEARSED, action);
        }
    }
    let rehearsed = rehearsal.run(u64::MAX).window;
    // Somebody who looks in between changes nothing about what is measured.
    let mut deadline = world.now();
    while !world.is_closed(id) && world.next_input(deadline).unwrap().is_some() {
        deadline = world.now() + Period::from_millis(7_777);
    }
    let happened = world.take_window(id).ok_or("no window")?;
    ensure(rehearsed == happened, || {
        format!("{action:?}: {rehearsed:?} was rehearsed, {happened:?} happened")
    })
}

/// Whatever is rehearsed, the world does not notice, and what must be true of a world is true of its copy.
fn rehearsals_stay_inside(case: &Case) -> Result<(), String> {
    let (world, action) = on_the_way(case);
    let untouched = go_on(world.clone());
    for seed in 0..2 {
        let until = world.now() + Period::from_minutes(10);
        let untouched =
            Rehearsal::of(&world, Future::Persistent { seed }).measuring(until, &workloads(&world));
        let mut rehearsal = untouched.clone();
        if let Some(action) = &action {
            rehearsal.begin(REHEARSED, action);
        }
        let again = rehearsal.clone().run(u64::MAX);
        ensure(rehearsal.run(u64::MAX) == again, || "it repeats itself differently".to_owned())?;
        // No guardrail has looked at the action: only without it all rules must hold.
        let mut inside = untouched.into_world();
        for _ in 0..100 {
            let broken = violations(&inside);
            ensure(broken.is_empty(), || format!("rehearsed at {}: {}", inside.now(), broken.join("; ")))?;
            inside.turn(inside.end());
        }
    }
    ensure(go_on(world) == untouched, || "the world noticed".to_owned())
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
fn rehearsals_with_the_true_future_show_what_happens() {
    for seed in 0..asked().unwrap_or(CASES / 4) {
        Case::with_faults(seed).check(is_rehearsed_to_the_byte);
    }
}

#[test]
fn rehearsals_leave_federations_as_they_are() {
    for seed in 0..asked().unwrap_or(CASES / 10) {
        Case::with_faults(seed).check(rehearsals_stay_inside);
    }
}

#[test]
fn copies_of_federations_go_on_like_the_original() {
    for seed in 0..repeated_cases() {
        Case::with_faults(seed).check(copies_go_on_alike);
    }
}
