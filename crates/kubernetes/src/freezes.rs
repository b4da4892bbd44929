//! `Freeze` objects beside the desk: what each asks for, and which order makes the desk agree with them. Pure; `freeze_desk` reads and
//! answers.
//!
//! An object is the truth about its freeze: it stands at the desk for as long as the object is there and its time is not over. Whoever
//! lifts it at the desk alone finds it there again. What cannot be read is not deleted, so nothing is lifted on missing data.

use crate::clock::{Origin, Wall};
use crate::condition::Answer;
use crate::observe::facts::wall;
use k8s_openapi::apimachinery::pkg::apis::meta::v1::Time;
use kube::api::DynamicObject;
use model::names::{AgentName, ClusterName, ReviewerName, check_name};
use model::order::{Command, Extent, FREEZE_OBJECT, FreezeId, Order, StandingFreeze};
use model::time::Timestamp;
use serde_json::Value;
use std::collections::BTreeMap;
use std::sync::Arc;

/// The same order is given again after so long at the earliest: the desk may have refused it.
const PATIENCE_MS: u64 = 30_000;

/// The time of the run and that of the wall drift by less; ends that are nearer are the same.
const SAME_END_MS: u64 = 10_000;

/// The condition that an object carries.
pub(crate) const CONDITION: &str = "Holds";

/// An object, as far as it matters.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct FreezeFact {
    pub(crate) name: String,
    pub(crate) generation: i64,
    /// What it asks for, or what is wrong with it.
    pub(crate) wish: Result<Wish, String>,
    /// What it says about itself.
    pub(crate) answer: Option<Answer>,
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Wish {
    pub(crate) by: ReviewerName,
    pub(crate) scope: Extent,
    pub(crate) reason: String,
    pub(crate) until: Option<Wall>,
}

pub(crate) fn fact(object: &DynamicObject) -> Option<FreezeFact> {
    let name = object.metadata.name.clone()?;
    let wish = wish(&name, object.data.get("spec").unwrap_or(&Value::Null));
    let answer = Answer::on(object, CONDITION);
    Some(FreezeFact { generation: object.metadata.generation.unwrap_or(0), name, wish, answer })
}

/// The schema of the server holds most of this; nobody relies on it.
fn wish(name: &str, spec: &Value) -> Result<Wish, String> {
    let text = |key: &str| spec.get(key).and_then(Value::as_str).map(str::trim);
    let by = ReviewerName::new(&format!("{FREEZE_OBJECT}{name}"))
        .map_err(|_| "the name of the object is too long; give it a shorter one".to_owned())?;
    let reason = text("reason").filter(|reason| !reason.is_empty()).ok_or("spec.reason: say why")?;
    let scope = extent(text("scope").unwrap_or_default(), text("name"))?;
    let until = match text("until") {
        None => None,
        Some(text) => {
            let time: Time = serde_json::from_value(text.into()).map_err(|_| {
                format!("spec.until: {text:?} is no time; write for instance 2030-01-31T18:00:00Z")
            })?;
            Some(wall(Some(&time)))
        }
    };
    Ok(Wish { by, scope, reason: reason.to_owned(), until })
}

fn extent(scope: &str, name: Option<&str>) -> Result<Extent, String> {
    if scope == "everything" {
        return match name {
            None => Ok(Extent::Everything),
            Some(_) => Err("spec.name: everything has no name; leave it out".to_owned()),
        };
    }
    let name = name.ok_or("spec.name: say which one")?;
    let wrong = |error: &dyn std::fmt::Display| format!("spec.name: {error}");
    Ok(match scope {
        "cluster" => Extent::Cluster(ClusterName::new(name).map_err(|error| wrong(&error))?),
        "namespace" => {
            check_name(name).map_err(|error| wrong(&error))?;
            Extent::Namespace(name.to_owned())
        }
        "workload" => Extent::Workload(name.parse().map_err(|error| wrong(&error))?),
        "agent" => Extent::Agent(AgentName::new(name).map_err(|error| wrong(&error))?),
        other => {
            let known = "everything, cluster, namespace, workload or agent";
            return Err(format!("spec.scope: {other:?} is none of {known}"));
        }
    })
}

/// What stands at the desk, and what was ordered lately.
#[derive(Default)]
pub(crate) struct Ledger {
    /// Nothing before the desk has said so.
    standing: Option<Vec<StandingFreeze>>,
    ordered: BTreeMap<String, (Command, Wall)>,
}

/// Now, by both clocks.
#[derive(Clone, Copy)]
pub(crate) struct Now {
    pub(crate) wall: Wall,
    pub(crate) origin: Origin,
}

impl Ledger {
    pub(crate) fn told(&mut self, standing: &[StandingFreeze]) {
        if self.standing.as_deref() != Some(standing) {
            self.standing = Some(standing.to_vec());
        }
    }

    /// The next order that brings the desk nearer to the objects. A new freeze comes before an old one is lifted.
    pub(crate) fn next_order(&mut self, facts: &[Arc<FreezeFact>], now: Now) -> Option<Order> {
        let standing = self.standing.as_deref()?;
        let wishes = facts.iter().filter_map(|fact| fact.wish.as_ref().ok());
        let current: Vec<&Wish> = wishes.filter(|wish| !wish.is_over(now.wall)).collect();
        let missing =
            current.iter().filter(|wish| !standing.iter().any(|freeze| wish.is_met_by(freeze, now)));
        let freeze = missing.map(|wish| wish.order(now));
        let surplus = standing
            .iter()
            .filter(|freeze| freeze.by.as_str().starts_with(FREEZE_OBJECT))
            .filter(|freeze| !current.iter().any(|wish| wish.is_met_by(freeze, now)))
            .map(|freeze| lift(freeze, facts));
        let orders: Vec<Order> = freeze.chain(surplus).collect();
        let chosen = orders.into_iter().find(|order| self.is_due(order, now.wall))?;
        self.ordered.retain(|_, (_, at)| now.wall.since(*at) < PATIENCE_MS);
        self.ordered.insert(key(&chosen), (chosen.what.clone(), now.wall));
        Some(chosen)
    }

    fn is_due(&self, order: &Order, now: Wall) -> bool {
        self.ordered.get(&key(order)).is_none_or(|(_, at)| now.since(*at) >= PATIENCE_MS)
    }

    /// What every object is to say about itself, where it does not say so yet.
    pub(crate) fn answers(&self, facts: &[Arc<FreezeFact>], now: Now) -> Vec<(Arc<FreezeFact>, Answer)> {
        let Some(standing) = self.standing.as_deref() else { return Vec::new() };
        let answer = |fact: &Arc<FreezeFact>| {
            let answer = match &fact.wish {
                Err(problem) => Answer::new(false, "Invalid", problem),
                Ok(wish) if wish.is_over(now.wall) => Answer::new(false, "Over", "its time is over"),
                Ok(wish) => {
                    let freeze = standing.iter().find(|freeze| wish.is_met_by(freeze, now))?;
                    Answer::new(true, "Frozen", format!("{} stands at the desk", freeze.id))
                }
            };
            (fact.answer.as_ref() != Some(&answer)).then(|| (Arc::clone(fact), answer))
        };
        facts.iter().filter_map(answer).collect()
    }
}

impl Wish {
    fn is_over(&self, now: Wall) -> bool {
        self.until.is_some_and(|until| until <= now)
    }

    fn until(&self, origin: Origin) -> Option<Timestamp> {
        self.until.map(|until| origin.timestamp(until))
    }

    fn is_met_by(&self, freeze: &StandingFreeze, now: Now) -> bool {
        let same_end = match (self.until(now.origin), freeze.until) {
            (None, None) => true,
            (Some(one), Some(other)) => one.0.abs_diff(other.0) <= SAME_END_MS,
            _ => false,
        };
        (&self.by, &self.scope, &self.reason) == (&freeze.by, &freeze.scope, &freeze.reason) && same_end
    }

    fn order(&self, now: Now) -> Order {
        let what = Command::Freeze { scope: self.scope.clone(), until: self.until(now.origin) };
        Order { by: self.by.clone(), reason: self.reason.clone(), what }
    }
}

fn lift(freeze: &StandingFreeze, facts: &[Arc<FreezeFact>]) -> Order {
    let name = freeze.by.as_str().strip_prefix(FREEZE_OBJECT).unwrap_or_default();
    let found = facts.iter().find(|fact| fact.name == name);
    let reason = match found.map(|fact| &fact.wish) {
        None => format!("the Freeze object {name} was deleted"),
        Some(Ok(_)) => format!("the Freeze object {name} was changed"),
        Some(Err(problem)) => format!("the Freeze object {name} is not valid any more: {problem}"),
    };
    Order { by: freeze.by.clone(), reason, what: Command::Unfreeze { freeze: freeze.id } }
}

/// Orders about the same thing have the same key, whatever the exact end.
fn key(order: &Order) -> String {
    match &order.what {
        Command::Unfreeze { freeze: FreezeId(number) } => format!("lift {number}"),
        _ => format!("freeze {}", order.by),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    const NOW: Now = Now { wall: Wall(1_700_000_000_000), origin: Origin(Wall(1_699_999_000_000)) };

    fn object(name: &str, spec: &Value) -> Arc<FreezeFact> {
        let object: DynamicObject = serde_json::from_value(json!({
            "apiVersion": "drover.io/v1alpha1", "kind": "Freeze",
            "metadata": { "name": name, "namespace": "drover", "generation": 1 }, "spec": spec,
        }))
        .unwrap();
        Arc::new(fact(&object).unwrap())
    }

    fn shop(reason: &str) -> Arc<FreezeFact> {
        object("sale", &json!({ "scope": "namespace", "name": "shop", "reason": reason }))
    }

    /// The desk does what it is told.
    fn obey(standing: &mut Vec<StandingFreeze>, order: Order) {
        match order.what {
            Command::Freeze { scope, until } => standing.push(StandingFreeze {
                id: FreezeId(standing.last().map_or(1, |last| last.id.0 + 1)),
                scope,
                by: order.by,
                reason: order.reason,
                since: Timestamp(0),
                until,
            }),
            Command::Unfreeze { freeze } => standing.retain(|one| one.id != freeze),
            other => panic!("{other:?}"),
        }
    }

    fn settle(standing: &mut Vec<StandingFreeze>, facts: &[Arc<FreezeFact>]) -> Vec<String> {
        let mut ledger = Ledger::default();
        let mut said = Vec::new();
        loop {
            ledger.told(standing);
            let Some(order) = ledger.next_order(facts, NOW) else { return said };
            said.push(format!("{}: {:?}", order.reason, order.what));
            obey(standing, order);
            assert!(said.len() < 20, "it never settles: {said:?}");
        }
    }

    #[test]
    fn an_object_is_a_freeze_until_it_is_deleted() {
        let mut standing = Vec::new();
        assert_eq!(settle(&mut standing, &[shop("sale")]).len(), 1);
        assert_eq!(standing[0].scope, Extent::Namespace("shop".to_owned()));
        assert_eq!((standing[0].by.as_str(), standing[0].reason.as_str()), ("freeze-object.sale", "sale"));
        assert_eq!(settle(&mut standing, &[shop("sale")]), [""; 0], "a desk that was opened again knows it");
        let said = settle(&mut standing, &[]);
        assert!(said[0].starts_with("the Freeze object sale was deleted") && standing.is_empty(), "{said:?}");
    }

    #[test]
    fn a_changed_object_is_frozen_anew_before_the_old_freeze_is_lifted() {
        let mut standing = Vec::new();
        settle(&mut standing, &[shop("sale")]);
        let said = settle(&mut standing, &[shop("longer sale")]);
        assert!(said[0].contains("Freeze {") && said[1].contains("was changed"), "{said:?}");
        assert_eq!((standing.len(), standing[0].reason.as_str()), (1, "longer sale"));
    }

    #[test]
    fn what_people_froze_is_theirs() {
        let mut standing = vec![StandingFreeze {
            id: FreezeId(1),
            scope: Extent::Everything,
            by: ReviewerName::new("anna").unwrap(),
            reason: "no".to_owned(),
            since: Timestamp(0),
            until: None,
        }];
        assert_eq!(settle(&mut standing, &[]), [""; 0]);
    }

    #[test]
    fn an_end_is_a_moment_of_the_run() {
        let at =
            |until: &str| object("sale", &json!({ "scope": "everything", "reason": "r", "until": until }));
        let mut standing = Vec::new();
        settle(&mut standing, &[at("2023-11-14T22:14:20Z")]);
        assert_eq!(standing[0].until, Some(Timestamp(1_060_000)), "a minute after now");
        let mut none = Vec::new();
        assert_eq!(settle(&mut none, &[at("2023-11-14T22:13:20Z")]), [""; 0], "it is over");
    }

    #[test]
    fn an_order_that_was_refused_is_not_given_again_at_once() {
        let (mut ledger, facts) = (Ledger::default(), [shop("sale")]);
        assert_eq!(ledger.next_order(&facts, NOW), None, "the desk has not said what stands");
        ledger.told(&[]);
        assert!(ledger.next_order(&facts, NOW).is_some());
        assert_eq!(ledger.next_order(&facts, NOW), None);
        let later = Now { wall: Wall(NOW.wall.0 + 30_000), ..NOW };
        assert!(ledger.next_order(&facts, later).is_some());
    }

    #[test]
    fn what_is_wrong_is_said_and_has_no_effect() {
        for (spec, want) in [
            (json!({ "scope": "everything" }), "spec.reason: say why"),
            (json!({ "scope": "cluster", "reason": "r" }), "spec.name: say which one"),
            (json!({ "scope": "planet", "name": "x", "reason": "r" }), "spec.scope: \"planet\" is none of"),
            (
                json!({ "scope": "everything", "reason": "r", "until": "soon" }),
                "spec.until: \"soon\" is no time",
            ),
            (
                json!({ "scope": "namespace", "name": "A B", "reason": "r" }),
                "spec.name: \"A B\" is not a name",
            ),
            (json!(7), "spec.reason: say why"),
        ] {
            let fact = object("odd", &spec);
            let problem = fact.wish.clone().unwrap_err();
            assert!(problem.starts_with(want), "{problem}");
            let mut standing = Vec::new();
            assert_eq!(settle(&mut standing, &[Arc::clone(&fact)]), [""; 0]);
            let mut ledger = Ledger::default();
            ledger.told(&[]);
            let answers = ledger.answers(&[fact], NOW);
            assert_eq!((answers[0].1.holds, answers[0].1.reason.as_str()), (false, "Invalid"));
        }
    }
}
