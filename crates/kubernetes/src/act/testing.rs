//! What the tests of machines share: faults that a seed repeats, and API servers made of a map.

use super::course::{Course, Move};
use super::order::{Answer, Change, Order, Place};
use super::sight::Sight;
use super::task::Task;
use crate::clock::Wall;
use crate::settings::Timeouts;
use crate::trouble::Trouble;
use control::world::Applied;
use model::execution::{Progress, Step};
use model::names::ClusterName;
use model::time::{Period, Timestamp};
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// Milliseconds between two looks of these tests.
pub(crate) const TICK: u64 = 500;

pub(crate) fn cluster(name: &str) -> ClusterName {
    ClusterName::new(name).unwrap()
}

pub(crate) fn timeouts() -> Timeouts {
    Timeouts {
        act: Period::from_minutes(1),
        request: Period::from_secs(2),
        settle: Period(TICK),
        ..Timeouts::default()
    }
}

pub(crate) fn steps(progress: &Progress) -> Vec<Step> {
    progress.steps.iter().map(|one| one.step).collect()
}

/// What goes wrong, drawn from a small generator so that a seed repeats it.
pub(crate) struct Luck {
    pub(crate) state: u64,
    /// Of a thousand draws, so many are bad.
    pub(crate) bad: u64,
}

impl Luck {
    pub(crate) const fn good() -> Self {
        Self { state: 0, bad: 0 }
    }

    pub(crate) fn draw(&mut self, below: u64) -> u64 {
        // Knuth's multiplier for 64 bits; the high bits are the good ones.
        self.state =
            self.state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.state >> 33) % below
    }

    pub(crate) fn is_bad(&mut self) -> bool {
        self.draw(1_000) < self.bad
    }
}

/// What a merge patch makes of an object.
pub(crate) fn merge(object: &mut Value, patch: &Value) {
    let Value::Object(patch) = patch else { return *object = patch.clone() };
    if !object.is_object() {
        *object = json!({});
    }
    let map = object.as_object_mut().unwrap();
    for (key, value) in patch {
        if value.is_null() {
            map.remove(key);
        } else {
            merge(map.entry(key.clone()).or_insert(Value::Null), value);
        }
    }
}

/// A world that can be looked at, ordered about, and goes on by itself.
pub(crate) trait Pretended {
    fn tick(&mut self);
    fn sight(&self, task: &Task) -> Sight;
    fn give(&mut self, order: &Order) -> Answer;
    /// Somebody else changes something, so that versions no longer fit.
    fn disturb(&mut self);
}

/// Runs a task to its end, with faults; `watch` sees every tick first.
pub(crate) fn run<W: Pretended>(
    task: &Task,
    world: &mut W,
    luck: &mut Luck,
    mut watch: impl FnMut(u64, &mut Course, &mut W),
) -> (Applied, Progress) {
    let mut course = Course::begin(task.clone(), timeouts(), Timestamp(0));
    let mut late: Vec<(u64, Order)> = Vec::new();
    for tick in 1..2_000 {
        let now = Timestamp(tick * TICK);
        world.tick();
        for (_, order) in late.extract_if(.., |(due, _)| *due <= tick) {
            let _ = world.give(&order);
        }
        watch(tick, &mut course, world);
        if luck.is_bad() {
            course = Course::take_up(task.clone(), timeouts(), now, &course.progress);
        }
        let mut sight = world.sight(task);
        if luck.is_bad() {
            sight.members.values_mut().take(1).for_each(|member| *member = Err("no answer".to_owned()));
        }
        if luck.is_bad() && sight.karmada.is_some() {
            sight.karmada = Some(Err("no answer".to_owned()));
        }
        let mut next = course.judge(&sight, now, Wall(0));
        if let Move::Give(order) = &next {
            let answer = if luck.is_bad() {
                late.push((tick + 1 + luck.draw(LATEST), Order::clone(order)));
                Err(Trouble::Unclear("no answer within 2 s".to_owned()))
            } else {
                faulty(world, luck, order)
            };
            next = course.answered(&answer, now);
        }
        if let Move::Remind(order) = &next {
            let answer = faulty(world, luck, order);
            next = course.reminded(&answer, now);
        }
        if let Move::Tidy(order) = &next {
            let answer = faulty(world, luck, order);
            next = course.tidied(&answer, now);
        }
        if let Move::End(outcome) = next {
            return (outcome, course.progress);
        }
    }
    panic!("it never ended: {:?}", course.progress);
}

/// An order whose answer did not come may still take effect so many looks later, within the time that an answer may take.
const LATEST: u64 = 3;

/// An order may be lost, or only its answer, or somebody else may be faster.
fn faulty<W: Pretended>(world: &mut W, luck: &mut Luck, order: &Order) -> Answer {
    if luck.is_bad() {
        return Err(Trouble::Unclear("too many requests (429)".to_owned()));
    }
    if luck.is_bad() {
        world.disturb();
    }
    let answer = world.give(order);
    if luck.is_bad() { Err(Trouble::Unclear("no answer within 15 s".to_owned())) } else { answer }
}

/// Objects of several API servers, by place, kind and name.
#[derive(Default)]
pub(crate) struct Servers {
    pub(crate) objects: BTreeMap<(Place, &'static str, String), Value>,
    version: u64,
}

impl Servers {
    pub(crate) fn put(&mut self, place: &Place, kind: &'static str, mut object: Value) {
        self.version += 1;
        object["metadata"]["resourceVersion"] = self.version.to_string().into();
        object["metadata"]["uid"] = self.version.to_string().into();
        let name = object["metadata"]["name"].as_str().unwrap().to_owned();
        self.objects.insert((place.clone(), kind, name), object);
    }

    pub(crate) fn get(&self, place: &Place, kind: &'static str, name: &str) -> Option<&Value> {
        self.objects.get(&(place.clone(), kind, name.to_owned()))
    }

    pub(crate) fn of<'a>(
        &'a self,
        place: &Place,
        kind: &'static str,
    ) -> impl Iterator<Item = &'a Value> + use<'a> {
        let place = place.clone();
        self.objects
            .iter()
            .filter(move |((at, of, _), _)| *at == place && *of == kind)
            .map(|(_, object)| object)
    }

    pub(crate) fn touch(&mut self) {
        self.version += 1;
        for object in self.objects.values_mut() {
            object["metadata"]["resourceVersion"] = self.version.to_string().into();
        }
    }

    pub(crate) fn give(&mut self, order: &Order) -> Answer {
        self.version += 1;
        let version = self.version.to_string();
        let key = (order.target.place.clone(), order.target.kind.name(), order.target.name.clone());
        let patch = |patch: &Value, object: &mut Value| {
            // A Deployment's generation grows with its annotations as well.
            let wish = |object: &Value| (object["spec"].clone(), object["metadata"]["annotations"].clone());
            let former = wish(object);
            merge(object, patch);
            object["metadata"]["resourceVersion"] = version.clone().into();
            if wish(object) != former {
                let generation = object["metadata"]["generation"].as_u64().unwrap_or(0);
                object["metadata"]["generation"] = (generation + 1).into();
            }
            Ok(())
        };
        let replicas = |count: u32| json!({ "spec": { "replicas": count } });
        match (&order.change, self.objects.get_mut(&key)) {
            (Change::Call { .. }, _) => panic!("{order} is not for an API server"),
            (Change::Create(_), Some(_)) => Err(Trouble::Conflict("already exists".to_owned())),
            (Change::Create(body), None) => {
                self.put(&key.0, key.1, body.clone());
                Ok(())
            }
            (_, None) => Err(Trouble::Absent("no such object".to_owned())),
            (
                Change::Merge { version: known, .. }
                | Change::Apply { version: known, .. }
                | Change::Replicas { version: known, .. }
                | Change::Delete { version: known, .. },
                Some(object),
            ) if object["metadata"]["resourceVersion"] != known.as_str() => {
                Err(Trouble::Conflict("the object has been modified".to_owned()))
            }
            (Change::Apply { body, .. } | Change::Merge { patch: body, .. }, Some(object)) => {
                patch(body, object)
            }
            (Change::Replicas { replicas: count, .. }, Some(object)) => patch(&replicas(*count), object),
            (Change::Evict { uid }, Some(object)) if object["metadata"]["uid"] != uid.as_str() => {
                Err(Trouble::Conflict("another pod has its name".to_owned()))
            }
            (Change::Delete { .. } | Change::Evict { .. }, Some(_)) => {
                self.objects.remove(&key);
                Ok(())
            }
        }
    }
}
