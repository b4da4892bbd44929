//! `Agent` and `Guardrail` objects beside the desk: what all of them together bring into force, and what each is told. Pure;
//! `definition_desk` reads and answers.
//!
//! Objects are the truth about what they bring: an agent recommends, and a limit holds, for as long as its object is there and makes
//! sense. What cannot be read is not deleted, so nothing changes on missing data.

use crate::condition::Answer;
use crate::crd::Kind;
use control::supply::{Limits, SuppliedAgent, Supply};
use kube::api::DynamicObject;
use serde_json::Value;
use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

/// The condition that an object carries.
pub(crate) const CONDITION: &str = "InForce";

/// So many objects of one kind are followed; a desk with more agents than this would ask too much of its people.
const MOST: usize = 100;

/// What an object brings.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Defined {
    Agent(SuppliedAgent),
    Guardrail(Limits),
}

/// An object's name and what stands in it, to what it means or to everything that is wrong with it.
type Read = dyn Fn(Kind, &str, &Value) -> Meaning + Send + Sync;

/// Whoever knows how agents and limits are written: the same checks as for a scenario.
#[derive(Clone)]
pub struct Reader(pub Arc<Read>);

impl fmt::Debug for Reader {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("Reader")
    }
}

/// An object, as far as it matters.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct DefinitionFact {
    pub(crate) name: String,
    pub(crate) generation: i64,
    uid: String,
    spec: Value,
    answer: Option<Answer>,
}

pub(crate) fn fact(object: &DynamicObject) -> Option<DefinitionFact> {
    Some(DefinitionFact {
        name: object.metadata.name.clone()?,
        generation: object.metadata.generation.unwrap_or(0),
        uid: object.metadata.uid.clone().unwrap_or_default(),
        spec: object.data.get("spec").cloned().unwrap_or(Value::Null),
        answer: Answer::on(object, CONDITION),
    })
}

/// All objects, by kind.
pub(crate) type Facts = BTreeMap<Kind, Vec<Arc<DefinitionFact>>>;

/// What an object means, or everything that is wrong with it.
type Meaning = Result<Defined, Vec<String>>;

/// An object and what was read in it.
type Understood = (Arc<DefinitionFact>, Meaning);

/// What was read of every object, and what is in force at the desk.
pub(crate) struct Ledger {
    reader: Reader,
    read: BTreeMap<(Kind, String), Understood>,
    /// Nothing before the desk has said so.
    in_force: Option<Supply>,
}

impl Ledger {
    pub(crate) const fn new(reader: Reader) -> Self {
        Self { reader, read: BTreeMap::new(), in_force: None }
    }

    pub(crate) fn told(&mut self, supply: &Supply) {
        if self.in_force.as_ref() != Some(supply) {
            self.in_force = Some(supply.clone());
        }
    }

    /// Reads what is new. Objects beyond the limit are not read at all, the last by name.
    pub(crate) fn take(&mut self, facts: &Facts) {
        let mut read = BTreeMap::new();
        for (kind, facts) in facts {
            for (number, fact) in facts.iter().enumerate() {
                let key = (*kind, fact.name.clone());
                let same = |(known, _): &Understood| {
                    (&known.uid, known.generation, &known.spec) == (&fact.uid, fact.generation, &fact.spec)
                };
                let known = self.read.remove(&key).filter(same).map(|(_, meaning)| meaning);
                let meaning = known.unwrap_or_else(|| match number {
                    _ if number < MOST => (self.reader.0)(*kind, &fact.name, &fact.spec),
                    _ => Err(vec![format!("there are more than {MOST} of them; delete some")]),
                });
                read.insert(key, (Arc::clone(fact), meaning));
            }
        }
        self.read = read;
    }

    /// What the desk is to take over, if it has not.
    pub(crate) fn next_supply(&self) -> Option<Supply> {
        let wanted = self.wanted();
        (*self.in_force.as_ref()? != wanted).then_some(wanted)
    }

    fn wanted(&self) -> Supply {
        let mut supply = Supply::default();
        for defined in self.read.values().filter_map(|(_, meaning)| meaning.as_ref().ok()) {
            match defined {
                Defined::Agent(agent) => supply.agents.push(agent.clone()),
                Defined::Guardrail(limits) => supply.limits = supply.limits.and(limits),
            }
        }
        supply
    }

    /// What every object is to say about itself, where it does not say so yet.
    pub(crate) fn answers(&self) -> Vec<(Kind, Arc<DefinitionFact>, Answer)> {
        let Some(in_force) = &self.in_force else { return Vec::new() };
        let answer = |((kind, _), (fact, meaning)): (&(Kind, String), &Understood)| {
            let answer = Self::answer(meaning, in_force)?;
            (fact.answer.as_ref() != Some(&answer)).then(|| (*kind, Arc::clone(fact), answer))
        };
        self.read.iter().filter_map(answer).collect()
    }

    fn answer(meaning: &Meaning, in_force: &Supply) -> Option<Answer> {
        match meaning {
            Err(problems) => Some(Answer::new(false, "Invalid", problems.join("; "))),
            Ok(Defined::Agent(agent)) => in_force
                .agents
                .contains(agent)
                .then(|| Answer::new(true, "Recommends", format!("it decides every {}", agent.every))),
            Ok(Defined::Guardrail(limits)) => (in_force.limits.and(limits) == in_force.limits)
                .then(|| Answer::new(true, "Holds", "every plan is held to it")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use control::agent::Scope;
    use model::names::AgentName;
    use model::ratio::Ratio;
    use model::time::Period;
    use serde_json::json;

    /// Agents have a strategy and nothing else; limits a share in percent.
    fn reader() -> Reader {
        Reader(Arc::new(|kind, name, spec| match kind {
            Kind::Agent if spec["decide"].is_null() => {
                Err(vec!["spec.decide: say how".to_owned(), "spec.when: say when".to_owned()])
            }
            Kind::Agent => Ok(Defined::Agent(SuppliedAgent {
                name: AgentName::new(name).unwrap(),
                every: Period::from_minutes(1),
                lookback: Period::from_minutes(10),
                scope: Scope::default(),
                decide: spec["decide"].clone(),
            })),
            _ => Ok(Defined::Guardrail(Limits {
                max_load: spec["max_load"].as_u64().map(Ratio::from_percent),
                ..Limits::default()
            })),
        }))
    }

    fn object(name: &str, generation: i64, spec: Value) -> Arc<DefinitionFact> {
        let uid = format!("{name}-uid");
        Arc::new(DefinitionFact { name: name.to_owned(), generation, uid, spec, answer: None })
    }

    fn facts(agents: &[Arc<DefinitionFact>], guardrails: &[Arc<DefinitionFact>]) -> Facts {
        [(Kind::Agent, agents.to_vec()), (Kind::Guardrail, guardrails.to_vec())].into()
    }

    #[test]
    fn what_objects_say_together_is_in_force_and_each_is_told() {
        let mut ledger = Ledger::new(reader());
        let strict = [object("a", 1, json!({ "max_load": 60 })), object("b", 1, json!({ "max_load": 70 }))];
        let agents = [object("keeper", 1, json!({ "decide": 1 })), object("odd", 1, json!({}))];
        ledger.take(&facts(&agents, &strict));
        assert_eq!(ledger.next_supply(), None, "the desk has said nothing yet");
        ledger.told(&Supply::default());
        let supply = ledger.next_supply().unwrap();
        assert_eq!(supply.limits.max_load, Some(Ratio::from_percent(60)));
        assert_eq!(supply.agents.len(), 1);
        let told = |ledger: &Ledger| -> Vec<String> {
            let line = |(_, fact, answer): (Kind, Arc<DefinitionFact>, Answer)| {
                format!("{} {} {}: {}", fact.name, answer.holds, answer.reason, answer.message)
            };
            ledger.answers().into_iter().map(line).collect()
        };
        // All problems at once, and nothing is said to hold before it does.
        let invalid = "odd false Invalid: spec.decide: say how; spec.when: say when";
        assert_eq!(told(&ledger), [invalid]);
        ledger.told(&supply);
        assert_eq!(ledger.next_supply(), None);
        assert_eq!(
            told(&ledger),
            [
                "keeper true Recommends: it decides every 1m",
                invalid,
                "a true Holds: every plan is held to it",
                "b true Holds: every plan is held to it"
            ]
        );
    }

    #[test]
    fn an_object_that_goes_or_changes_takes_what_it_brought_with_it() {
        let mut ledger = Ledger::new(reader());
        ledger.told(&Supply::default());
        ledger.take(&facts(&[object("keeper", 1, json!({ "decide": 1 }))], &[]));
        let supply = ledger.next_supply().unwrap();
        ledger.told(&supply);
        ledger.take(&facts(&[object("keeper", 2, json!({ "decide": 2 }))], &[]));
        let changed = ledger.next_supply().unwrap();
        assert_eq!(changed.agents[0].decide, 2);
        ledger.told(&changed);
        ledger.take(&facts(&[object("keeper", 3, json!({}))], &[]));
        assert_eq!(ledger.next_supply(), Some(Supply::default()), "it makes no sense any more");
        ledger.take(&facts(&[], &[]));
        assert_eq!(ledger.next_supply(), Some(Supply::default()));
    }
}
