//! An office whose predictions are made when a test says so.

use super::super::foresight::ByHand;
use super::super::pace::Speed;
use super::super::resume::Opening;
use super::*;
use crate::access::Secret;
use crate::storage::{Database, Location};
use crate::testing::Folder;
use crate::webhooks::{Outbox, Webhook, register};
use control::review_desk::{Approved, ReviewMode};
use control::world::{Outside, World};
use lab::run::Plan;
use lab::what_if::Settings;
use model::execution::Progress;
use model::hash::ContentHash;
use model::names::{ClusterName, ReviewerName};
use model::order::{Command, Extent, Mode, ModeSetting, Order};
use model::snapshot::Snapshot;
use model::time::{Period, Timestamp};
use simulator::world::SimulatedWorld;
use std::collections::BTreeSet;

const WORKLOADS: u64 = 20;

/// The number of questions that wait at most.
const MOST: usize = 16;

const SETTINGS: Settings = Settings { horizon: Period::from_secs(10), seeds: 2, budget: 1_000_000, seed: 1 };

/// A cluster with as many workloads, and room for more.
fn scenario() -> lab::run::Scenario {
    let one =
        |number| format!("  - {{ name: w{number}, cluster: one, replicas: 1, cpu: 100m, memory: 64Mi }}");
    let workloads = (0..WORKLOADS).map(one).collect::<Vec<_>>().join("\n");
    let text = format!(
        "drover: scenario/v1\nname: many\nduration: 10m\nclusters:\n  - {{ name: one, pools: [{{ nodes: 2, cpu: 8, \
         memory: 32Gi }}] }}\nobservation: {{ every: 10s }}\nworkloads:\n{workloads}\n"
    );
    simulator::scenario::read("many.yaml", text.as_bytes()).expect("a valid scenario")
}

/// Real clusters that say nothing by themselves.
struct Silent;

impl Outside for Silent {
    fn poll(&mut self, _: Timestamp) -> Option<Input> {
        None
    }

    fn start(&mut self, _: Timestamp, _: &Effect) {}

    fn take_up(&mut self, _: Timestamp, _: &Approved, _: &Progress) {}

    fn progress(&self) -> Vec<Progress> {
        Vec::new()
    }
}

fn open(folder: &Folder, clusters: Option<Box<dyn Outside>>, foresight: Option<Settings>) -> Office {
    let mut plan = Plan::new(scenario(), 1);
    plan.reviewer.present = false;
    plan.header.control.review = ReviewMode::Human;
    plan.header.control.policy.predict = true;
    let database = Database::open(&Location::File(folder.path().join("drover.db"))).expect("a database");
    let hook = Webhook {
        name: "pager".to_owned(),
        url: "https://pager.example".to_owned(),
        secret: Secret::received("a secret of some length"),
        secret_place: "env:PAGER".to_owned(),
        events: vec!["recommendation.waiting".to_owned()],
    };
    let hooks = [hook];
    database.write(|transaction| register(transaction, &hooks, 0)).expect("a webhook");
    let opening = Opening {
        database: Arc::new(database),
        plan,
        clusters,
        scenario: ContentHash::of_bytes(b"many"),
        speed: Speed { usual: 1.0, while_waiting: None },
        paused: true,
        foresight,
        correspondent: None,
        keep_snapshots: Period::from_hours(1),
        outbox: Outbox::new(hooks.into()),
        onlooker: None,
        wall: || 1_000,
    };
    opening.open().expect("an office").0
}

/// An office that asks somebody who answers by hand.
fn open_by_hand(folder: &Folder, clusters: Option<Box<dyn Outside>>) -> (Office, ByHand) {
    let (hand, foresight) = ByHand::new();
    let mut office = open(folder, clusters, None);
    office.foresight = Some(foresight);
    (office, hand)
}

/// A person wants one more replica of a workload.
fn propose(office: &mut Office, number: u64) -> RecommendationId {
    let action = Action::Scale {
        workload: format!("default/w{number}").parse().expect("a workload"),
        cluster: ClusterName::new("one").expect("a name"),
        from: 1,
        to: 2,
    };
    let by = ReviewerName::new("anna").expect("a name");
    let what = Command::Propose { action, undoes: None };
    let step = office.engine.take(Input::Ordered(Order { by, reason: "more guests".to_owned(), what }));
    let submitted = step.effects.iter().find_map(|effect| match effect {
        Effect::Submit(new) => Some(new.id),
        _ => None,
    });
    let id = submitted.unwrap_or_else(|| panic!("{:?}", step.effects));
    office.keep(step, None).expect("it is kept");
    id
}

fn propose_all(office: &mut Office) -> Vec<RecommendationId> {
    office.go_to(Timestamp(30_000)).expect("time goes on");
    (0..WORKLOADS).map(|number| propose(office, number)).collect()
}

fn take(office: &mut Office) {
    office.take_predictions().expect("they are kept");
}

/// Answers questions until there are no more, and returns what each was about.
fn answer_all(office: &mut Office, hand: &ByHand) -> Vec<Vec<RecommendationId>> {
    let mut asked = Vec::new();
    while let Some(about) = hand.answer(&SETTINGS) {
        asked.push(about);
        take(office);
    }
    asked
}

fn is_predicted(office: &Office, id: RecommendationId) -> bool {
    office.engine.control().desk().prediction(id).is_some()
}

/// What was noted to be without a prediction, each time it was.
fn unpredicted(office: &Office) -> Vec<RecommendationId> {
    let told = office.told_before().expect("a journal");
    let mut told: Vec<RecommendationId> = told.into_iter().map(|(id, _)| id).collect();
    told.sort();
    told
}

/// How often others were told that people are asked about something.
fn times_told(office: &Office) -> i64 {
    let sql = "SELECT COUNT(*) AS told FROM deliveries";
    let rows = office.database.read(|connection| connection.query(sql, &[])).expect("deliveries");
    rows[0].get("told").expect("a number")
}

#[test]
fn what_found_no_room_is_predicted_as_soon_as_there_is_some() {
    let folder = Folder::new("room");
    let (mut office, hand) = open_by_hand(&folder, None);
    let ids = propose_all(&mut office);
    let rest = &ids[MOST..];
    assert_eq!(unpredicted(&office), rest, "people see them without");
    assert_eq!(times_told(&office), rest.len() as i64);
    take(&mut office);
    take(&mut office);
    let asked = answer_all(&mut office, &hand);
    assert_eq!(asked.len(), MOST + 1, "what is left is asked about together");
    assert_eq!(asked.concat(), ids, "and everything once");
    assert!(ids.iter().all(|id| is_predicted(&office, *id)));
    assert_eq!(unpredicted(&office), rest, "nobody is told twice");
    assert_eq!(times_told(&office), WORKLOADS as i64, "of nothing");
    assert!(office.unforeseen.is_empty());
}

#[test]
fn what_was_put_off_leaves_places_for_what_is_new() {
    let folder = Folder::new("places");
    let (mut office, hand) = open_by_hand(&folder, None);
    propose_all(&mut office);
    for answered in 1..=MOST {
        hand.answer(&SETTINGS).expect("a question");
        take(&mut office);
        let foresight = office.foresight.as_ref().expect("it is there");
        assert!(foresight.has_room(), "whatever is proposed now finds a place after {answered}");
    }
}

#[test]
fn after_opening_few_things_share_a_question() {
    let folder = Folder::new("few");
    let (mut office, hand) = open_by_hand(&folder, None);
    let ids = propose_all(&mut office);
    let (other_hand, foresight) = ByHand::new();
    office.foresight = Some(foresight);
    office.unforeseen = crate::office::unforeseen::Unforeseen::default();
    office.ask_again().expect("it is asked about");
    drop(hand);
    let asked = answer_all(&mut office, &other_hand);
    assert!(asked.iter().all(|about| about.len() <= 4), "{asked:?}");
    assert_eq!(asked.concat(), ids);
}

#[test]
fn what_was_settled_meanwhile_is_not_asked_about() {
    let folder = Folder::new("settled");
    let (mut office, hand) = open_by_hand(&folder, None);
    let ids = propose_all(&mut office);
    let last = ids[ids.len() - 1];
    let desk = office.engine.control().desk();
    let review = model::review::Review {
        recommendation: last,
        hash: desk.recommendation(last).expect("it waits").hash,
        verdict: model::review::Verdict::Reject,
        reviewer: model::review::Reviewer::Person(ReviewerName::new("ben").expect("a name")),
        note: None,
    };
    let step = office.engine.take(Input::Reviewed(review));
    office.keep(step, None).expect("it is kept");
    let asked: BTreeSet<RecommendationId> = answer_all(&mut office, &hand).concat().into_iter().collect();
    assert!(!asked.contains(&last) && asked.len() == ids.len() - 1, "{asked:?}");
}

#[test]
fn a_desk_that_is_opened_again_tells_nobody_a_second_time() {
    let folder = Folder::new("again");
    let (mut office, _hand) = open_by_hand(&folder, None);
    let ids = propose_all(&mut office);
    let told = unpredicted(&office);
    drop(office);
    let mut office = open(&folder, None, Some(SETTINGS));
    office.be_patient();
    take(&mut office);
    assert!(ids.iter().all(|id| is_predicted(&office, *id)));
    assert_eq!(unpredicted(&office), told);
    assert_eq!(times_told(&office), WORKLOADS as i64);
}

/// What somebody sees of the federation; without its nodes no world can be built like it.
fn look(office: &mut Office, seconds: u64, with_nodes: bool) {
    let mut world = SimulatedWorld::new(Arc::new(scenario().world), scenario().reviewer, 1);
    while world.now() < Timestamp(20_000) {
        let Ok(Some(_)) = world.next_input(Timestamp(20_000)) else { panic!("the world goes on") };
    }
    let Ok(()) = world.start(Effect::Observe);
    let mut seen = loop {
        let Ok(Some((_, input))) = world.next_input(Timestamp(60_000)) else { panic!("the world goes on") };
        if let Input::Observed(seen) = input {
            break Snapshot::clone(&seen);
        }
    };
    seen.taken_at = Timestamp(seconds * 1_000);
    if !with_nodes {
        seen.clusters.values_mut().for_each(|view| view.pools.clear());
    }
    let step = office.engine.take_again(seen.taken_at, Input::Observed(Arc::new(seen)));
    office.keep(step, None).expect("it is kept");
}

#[test]
fn what_cannot_be_rehearsed_at_first_is_predicted_when_more_is_seen() {
    let folder = Folder::new("seen");
    let (mut office, hand) = open_by_hand(&folder, Some(Box::new(Silent)));
    look(&mut office, 10, false);
    let id = propose(&mut office, 0);
    assert_eq!(answer_all(&mut office, &hand), [[id]], "the same look shows the same");
    assert_eq!((unpredicted(&office), times_told(&office)), (vec![id], 1));
    look(&mut office, 20, false);
    take(&mut office);
    assert_eq!(answer_all(&mut office, &hand), [[id]], "another look is tried");
    look(&mut office, 30, true);
    take(&mut office);
    assert_eq!(hand.answer(&SETTINGS), None, "not at every look");
    look(&mut office, 90, true);
    take(&mut office);
    take(&mut office);
    assert_eq!(answer_all(&mut office, &hand), [[id]], "one question at a time");
    assert!(is_predicted(&office, id));
    assert_eq!((unpredicted(&office), times_told(&office)), (vec![id], 1), "nobody is told twice");
}

/// Somebody says who answers from now on.
fn set_mode(office: &mut Office, mode: Mode) {
    let by = ReviewerName::new("anna").expect("a name");
    let setting = ModeSetting { agent: None, scope: Extent::Everything, mode };
    let order = Order { by, reason: "a drill".to_owned(), what: Command::SetMode { setting } };
    let step = office.engine.take(Input::Ordered(order));
    assert!(step.effects.iter().any(|effect| matches!(effect, Effect::SetMode(_))), "{:?}", step.effects);
    office.keep(step, None).expect("it is kept");
}

#[test]
fn whoever_was_not_asked_at_first_is_told_when_they_are() {
    for opened_again in [false, true] {
        let folder = Folder::new("observed");
        let (mut office, hand) = open_by_hand(&folder, Some(Box::new(Silent)));
        set_mode(&mut office, Mode::Observe);
        look(&mut office, 10, false);
        let id = propose(&mut office, 0);
        assert_eq!(answer_all(&mut office, &hand), [[id]]);
        assert_eq!((unpredicted(&office), times_told(&office)), (vec![id], 0), "nobody is asked");
        if opened_again {
            office.unforeseen = crate::office::unforeseen::Unforeseen::default();
            office.ask_again().expect("it is asked about");
            answer_all(&mut office, &hand);
        }
        set_mode(&mut office, Mode::Human);
        look(&mut office, 90, true);
        take(&mut office);
        answer_all(&mut office, &hand);
        assert!(is_predicted(&office, id));
        assert_eq!(times_told(&office), 1, "now they are, opened again: {opened_again}");
    }
}
