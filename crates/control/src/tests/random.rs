//! Random lives: whatever happens in whatever order, the law holds and the journal replays.

use crate::agent::{Agent, Cadence, Scope};
use crate::checkpoint::Unfit;
use crate::control_loop::ControlLoop;
use crate::journal::{Journal, JournalReader, JournalWriter};
use crate::question::{Answer, Question};
use crate::replay::{Replay, replay};
use crate::review_desk::ReviewDesk;
use crate::strategy::{self, Decision, HoldReason, View};
use crate::testing::{Law, Setup, World, action};
use crate::world::{Applied, Input};
use model::hash::ContentHash;
use model::names::{AgentName, ReviewerName};
use model::ratio::Ratio;
use model::recommendation::{Draft, Rationale, RecommendationId};
use model::review::{Review, Reviewer, Verdict};
use model::time::{Period, Timestamp};
use proptest::prelude::*;
use serde_json::Value;
use std::sync::Arc;

const ACTIONS: [&str; 12] = [
    "migrate web x2 a b",
    "migrate web x2 b a",
    "migrate web x3 a b",
    "migrate db x1 a b",
    "migrate db x1 b a",
    "migrate db x1 a c",
    "scale web a 2 3",
    "scale web a 2 1",
    "resize a 2 3",
    "resize a 2 1",
    "move web a n0 n1",
    "keep web a",
];

const CHANGES: [&str; 12] = [
    "web 1 a=2",
    "web 1 b=2",
    "web 1 a=2/0 b=1+1",
    "web 1 a=2 moving",
    "web 1 a=3 pinned",
    "db 2 a=1",
    "db 2 b=1 moved=1:00",
    "db 5 a=0+1",
    "cluster b 2x4",
    "cluster b 2x4 hidden",
    "cluster a 2x4 min=1 max=4 auto",
    "cluster a 3x4 min=1 max=4",
];

/// Wants something else every time, and always the same in the same situation.
struct Whims {
    seed: u64,
    decisions: u64,
}

impl strategy::Strategy for Whims {
    fn decide(&mut self, view: &View<'_>) -> Decision {
        self.decisions += 1;
        let answered = view
            .answer
            .map_or(0, |answer| ContentHash::of(answer).to_string().bytes().map(usize::from).sum());
        let seen = (self.seed, self.decisions, view.committed, view.history.len(), answered);
        let digits = ContentHash::of(&seen).to_string();
        let whims: Vec<usize> = digits.bytes().map(|digit| usize::from(digit % 16)).collect();
        if whims[0] == 0 {
            let question = Question::plain(self.decisions % 2, &digits);
            return Decision::ask(question);
        }
        let draft = |whim: &usize| Draft { action: action(ACTIONS[*whim]), because: Rationale::default() };
        let wanted = whims[2..2 + whims[1] / 3].iter().filter(|whim| **whim < ACTIONS.len());
        Decision::recommend(wanted.map(draft).collect(), HoldReason::WithinLimits)
    }

    fn memory(&self) -> Option<Value> {
        Some(self.decisions.into())
    }

    fn recall(&mut self, memory: Value) -> bool {
        memory.as_u64().inspect(|decisions| self.decisions = *decisions).is_some()
    }
}

/// Another loop that knows what this one knows and went through nothing of it.
fn reborn(seed: u64, control: &ControlLoop) -> ControlLoop {
    let text = serde_json::to_string(&control.checkpoint().expect("everybody remembers")).unwrap();
    let mut other = new_loop(seed);
    other.restore(serde_json::from_str(&text).unwrap(), control.history().cloned().collect()).unwrap();
    assert_eq!(other.desk().begun(), control.desk().begun());
    other
}

fn new_loop(seed: u64) -> ControlLoop {
    let mut setup = Setup::new("").guarded(|rules| {
        rules.max_load = seed.is_multiple_of(3).then_some(Ratio::from_percent(70));
        rules.moves_per_hour = seed.is_multiple_of(5).then_some(3);
        rules.cool_down = Period::from_secs(seed % 90);
    });
    if seed.is_multiple_of(2) {
        setup = setup.next_batch();
    }
    if automatic(seed) {
        setup = setup.automatic();
    }
    let agent = |(name, every): (&str, u64)| Agent {
        name: AgentName::new(name).unwrap(),
        cadence: Cadence { every: Period::from_secs(every), first_at: Timestamp::EPOCH },
        lookback: Period::from_secs(90),
        scope: Scope::default(),
        strategy: Box::new(Whims { seed: seed + every, decisions: 0 }),
    };
    let agents = [("keeper", 30), ("other", 45)].map(agent).into();
    ControlLoop::new(setup.config, agents).with_desk(ReviewDesk::with_room_for(4))
}

const fn automatic(seed: u64) -> bool {
    seed.is_multiple_of(7)
}

#[derive(Clone, Debug)]
enum Step {
    Change(usize),
    Observe { seconds_ago: u64 },
    Wake,
    Review { id: u64, approve: bool, intact: bool },
    Applied { id: u64, outcome: u8 },
    Answer { length: usize },
}

fn steps() -> impl Strategy<Value = Vec<(u64, Step)>> {
    let step = prop_oneof![
        2 => (0..CHANGES.len()).prop_map(Step::Change),
        4 => (0..100_u64).prop_map(|late| Step::Observe { seconds_ago: if late < 80 { 0 } else { late } }),
        1 => Just(Step::Wake),
        3 => (1..12_u64, any::<bool>(), 0..8_u8)
            .prop_map(|(id, approve, luck)| Step::Review { id, approve, intact: luck > 0 }),
        2 => (1..12_u64, 0..3_u8).prop_map(|(id, outcome)| Step::Applied { id, outcome }),
        1 => (0..3_usize).prop_map(|length| Step::Answer { length }),
    ];
    proptest::collection::vec((0..40_u64, step), 1..60)
}

fn input(step: &Step, now: Timestamp, world: &mut World, law: &Law) -> Option<Input> {
    Some(match step {
        Step::Change(index) => {
            world.set(CHANGES[*index]);
            return None;
        }
        Step::Observe { seconds_ago } => {
            let taken_at = now.saturating_sub(Period::from_secs(*seconds_ago));
            Input::Observed(Arc::new(world.snapshot(taken_at)))
        }
        Step::Wake => Input::WakeUp,
        Step::Review { id, approve, intact } => {
            let recommendation = RecommendationId(*id);
            Input::Reviewed(Review {
                recommendation,
                hash: if *intact { law.hash_of(recommendation) } else { ContentHash::of("other") },
                verdict: if *approve { Verdict::Approve } else { Verdict::Reject },
                reviewer: Reviewer::Person(ReviewerName::new("anna").unwrap()),
                note: None,
            })
        }
        Step::Applied { id, outcome } => {
            let reason = "why not".to_owned();
            let outcome = match outcome {
                0 => Applied::Failed { reason },
                1 => Applied::RolledBack { reason },
                _ => Applied::Done,
            };
            Input::Applied { id: RecommendationId(*id), outcome }
        }
        Step::Answer { length } => {
            let answer = Answer::plain(*length as u64 % 2, &"x".repeat(*length));
            Input::Answered { agent: AgentName::new("keeper").unwrap(), answer }
        }
    })
}

/// Lives through the steps and returns the journal.
fn live(seed: u64, steps: &[(u64, Step)]) -> Vec<u8> {
    live_on(seed, steps, |control| control)
}

/// The same, with something that is done to the loop after each step.
fn live_on(seed: u64, steps: &[(u64, Step)], after: impl Fn(ControlLoop) -> ControlLoop) -> Vec<u8> {
    let mut control = new_loop(seed);
    let mut law = Law::default();
    if automatic(seed) {
        law.granted.push(Reviewer::Rule(ReviewerName::new("granted").unwrap()));
    }
    let mut world = World::new("cluster a 2x4 min=1 max=4\ncluster b 2x4\nweb 1 a=2\ndb 2 a=1");
    let mut writer = JournalWriter::begin(Vec::new(), &seed).unwrap();
    let mut now = Timestamp::EPOCH;
    for (pause, step) in steps {
        now += Period::from_secs(*pause);
        if let Some(input) = input(step, now, &mut world, &law) {
            let effects = control.handle(now, &input);
            law.watch(&input, &effects);
            writer.append(now, &input, &effects).unwrap();
            assert_eq!(control.recommendation_counts(), law.counts());
            let counts = control.recommendation_counts();
            let open: u64 =
                counts.iter().filter(|(stage, _)| !stage.is_final()).map(|(_, count)| count).sum();
            assert!(open <= 4, "{open} recommendations are open");
            control = after(control);
        }
    }
    writer.end().unwrap().0
}

fn replayed(seed: u64, journal: &[u8]) -> Replay {
    let (mut reader, _) = JournalReader::begin::<u64>(journal).unwrap();
    replay(&mut reader, &mut new_loop(seed)).unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn the_law_holds_and_the_journal_replays(seed in 0..1_000_u64, steps in steps()) {
        let journal = live(seed, &steps);
        let replay = replayed(seed, &journal);
        prop_assert_eq!(replay.divergence, None);
        let inputs = steps.iter().filter(|(_, step)| !matches!(step, Step::Change(_))).count();
        prop_assert_eq!(replay.entries, inputs as u64);
        prop_assert_eq!(live(seed, &steps), journal);
    }

    #[test]
    fn a_loop_goes_on_from_what_it_knows(seed in 0..1_000_u64, steps in steps()) {
        let reborn = live_on(seed, &steps, |control| reborn(seed, &control));
        prop_assert_eq!(reborn, live(seed, &steps));
    }
}

#[test]
fn random_lives_get_somewhere() {
    let approve = |id| (0, Step::Review { id, approve: true, intact: true });
    let done = |id| (1, Step::Applied { id, outcome: 2 });
    let observe = (30, Step::Observe { seconds_ago: 0 });
    let round = |_| [observe.clone()].into_iter().chain((1..40).map(approve)).chain((1..10).map(done));
    let observing: Vec<(u64, Step)> = (0..12).flat_map(round).collect();
    let journal = String::from_utf8(live(1, &observing)).unwrap();
    for effect in ["\"ask\"", "\"explain\"", "\"submit\"", "\"settle\"", "\"apply\"", "\"observed\""] {
        assert!(journal.contains(effect), "no {effect} in {} bytes", journal.len());
    }
}

#[test]
fn what_others_knew_is_refused() {
    let checkpoint = |seed| new_loop(seed).checkpoint().unwrap();
    assert!(new_loop(1).restore(checkpoint(1), Vec::new()).is_ok());
    let edit = |place: &str, value: Value| {
        let mut text = serde_json::to_value(checkpoint(1)).unwrap();
        *text.pointer_mut(place).unwrap() = value;
        serde_json::from_value(text).map_or(Err(Unfit), |edited| new_loop(1).restore(edited, Vec::new()))
    };
    assert_eq!(edit("/agents/keeper/memory", "five".into()), Err(Unfit), "it is not understood");
    assert_eq!(edit("/agents", serde_json::json!({})), Err(Unfit), "an agent is missing");
    assert_eq!(edit("/next_id", 7.into()), Ok(()));
}

#[test]
fn a_replay_stops_at_the_first_difference() {
    let steps: Vec<(u64, Step)> = (0..8).map(|_| (30, Step::Observe { seconds_ago: 0 })).collect();
    let journal = live(1, &steps);
    let same = replayed(1, &journal);
    assert_eq!((same.entries, same.divergence), (8, None));
    let other = replayed(2, &journal);
    let divergence = other.divergence.expect("another strategy decides differently");
    assert_eq!(divergence.seq, other.entries + 1);
    assert_ne!(divergence.recorded, divergence.replayed);
}
