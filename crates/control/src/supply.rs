//! Agents and limits that are not in the files a run began with: whoever watches a world brings them, and takes them away again.
//!
//! A supply says all that is in force besides those files, and replaces the one before. It can add agents and tighten limits; it cannot
//! loosen one, change an agent of the files, or say who approves.

use crate::agent::{Agent, Cadence, Scope};
use crate::control_loop::{ControlLoop, Member};
use crate::guardrails::GuardrailConfig;
use crate::strategy::Strategy;
use crate::world::Effect;
use model::names::AgentName;
use model::ratio::Ratio;
use model::time::{Period, Timestamp};
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// Makes a strategy of its description, if it is one that this build knows.
pub type StrategyMaker = fn(&Value) -> Option<Box<dyn Strategy>>;

/// What is in force besides what the run began with.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Supply {
    pub agents: Vec<SuppliedAgent>,
    #[serde(default, skip_serializing_if = "Limits::is_empty")]
    pub limits: Limits,
}

/// An agent as data.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SuppliedAgent {
    pub name: AgentName,
    pub every: Period,
    pub lookback: Period,
    pub scope: Scope,
    /// How it decides.
    pub decide: Value,
}

/// Limits that are at least as strict as those of the run.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Limits {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_snapshot_age: Option<Period>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_load: Option<Ratio>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_pending: Option<Ratio>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cool_down: Option<Period>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub moves_per_hour: Option<u32>,
}

impl Limits {
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// What satisfies both.
    #[must_use]
    pub fn and(&self, other: &Self) -> Self {
        Self {
            max_snapshot_age: least(self.max_snapshot_age, other.max_snapshot_age),
            max_load: least(self.max_load, other.max_load),
            max_pending: least(self.max_pending, other.max_pending),
            cool_down: self.cool_down.max(other.cool_down),
            moves_per_hour: least(self.moves_per_hour, other.moves_per_hour),
        }
    }

    /// The limits of a run, tightened by these.
    pub fn tighten(&self, run: &GuardrailConfig) -> GuardrailConfig {
        let age = least(Some(run.max_snapshot_age), self.max_snapshot_age);
        GuardrailConfig {
            max_snapshot_age: age.unwrap_or(run.max_snapshot_age),
            max_load: least(run.max_load, self.max_load),
            max_pending: least(run.max_pending, self.max_pending),
            cool_down: run.cool_down.max(self.cool_down.unwrap_or_default()),
            moves_per_hour: least(run.moves_per_hour, self.moves_per_hour),
            freezes: run.freezes.clone(),
            despite: run.despite.clone(),
        }
    }
}

/// No limit is the loosest.
fn least<T: Ord>(one: Option<T>, other: Option<T>) -> Option<T> {
    match (one, other) {
        (Some(one), Some(other)) => Some(one.min(other)),
        (one, other) => one.or(other),
    }
}

impl ControlLoop {
    /// The same loop, which can make agents of what is supplied; without it, it knows none of their strategies.
    #[must_use]
    pub const fn with_maker(mut self, maker: StrategyMaker) -> Self {
        self.maker = Some(maker);
        self
    }

    /// What is in force besides what the run began with.
    pub const fn supply(&self) -> &Supply {
        &self.supply
    }

    /// What every action is held to now.
    pub const fn guardrails(&self) -> &GuardrailConfig {
        &self.config.guardrails
    }

    /// What an agent that goes or changes has proposed and nobody has answered ends; what is under way goes on.
    pub(crate) fn supplied(&mut self, now: Timestamp, supply: &Supply, effects: &mut Vec<Effect>) {
        self.config.guardrails = supply.limits.tighten(&self.limits);
        let stays = |member: &Member| member.supplied.as_ref().is_none_or(|one| supply.agents.contains(one));
        let gone: Vec<AgentName> =
            self.agents.iter().filter(|one| !stays(one)).map(|one| one.agent.name.clone()).collect();
        self.agents.retain(stays);
        for name in &gone {
            effects.extend(self.end_former(name, &[], &[]));
        }
        for agent in &supply.agents {
            self.join(now, agent);
        }
        // Who decides first follows from what is in force and not from who came when, so that a loop that goes on from a checkpoint
        // decides as the one that lived through it.
        let place = |one: &SuppliedAgent| supply.agents.iter().position(|agent| agent == one);
        self.agents.sort_by_cached_key(|member| member.supplied.as_ref().map(place));
        self.supply = supply.clone();
    }

    /// It decides on the next observation.
    fn join(&mut self, now: Timestamp, new: &SuppliedAgent) {
        let is_there = self.agents.iter().any(|member| member.agent.name == new.name);
        let strategy = self.maker.and_then(|maker| maker(&new.decide));
        let Some(strategy) = strategy.filter(|_| !is_there && !new.every.is_zero()) else { return };
        let agent = Agent {
            name: new.name.clone(),
            cadence: Cadence { every: new.every, first_at: now },
            lookback: new.lookback,
            scope: new.scope.clone(),
            strategy,
        };
        self.agents.push(Member { due_at: now, agent, asked: None, supplied: Some(new.clone()) });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::control_loop::LoopConfig;
    use crate::strategy::{Decision, HoldReason, View};
    use crate::testing::{Setup, action};
    use crate::world::{Input, SettleReason};
    use model::recommendation::{Draft, Rationale};
    use serde_json::json;
    use std::sync::Arc;

    /// Wants what its description says.
    struct Wish(String);

    impl Strategy for Wish {
        fn decide(&mut self, _: &View<'_>) -> Decision {
            let draft = Draft { action: action(&self.0), because: Rationale::default() };
            Decision::recommend(vec![draft], HoldReason::WithinLimits)
        }
    }

    fn wish(description: &Value) -> Option<Box<dyn Strategy>> {
        Some(Box::new(Wish(description.as_str()?.to_owned())))
    }

    fn supplied(name: &str, decide: &Value) -> SuppliedAgent {
        SuppliedAgent {
            name: AgentName::new(name).unwrap(),
            every: Period::from_secs(30),
            lookback: Period::from_minutes(5),
            scope: Scope::default(),
            decide: decide.clone(),
        }
    }

    /// A loop without agents of its own, and a way to let half a minute pass.
    struct Run {
        control: ControlLoop,
        setup: Setup,
        now: Timestamp,
    }

    impl Run {
        fn new() -> Self {
            let setup = Setup::new(crate::tests::PAIR);
            let config: LoopConfig = setup.config.clone();
            let control = ControlLoop::new(config, Vec::new()).with_maker(wish);
            Self { control, setup, now: Timestamp(0) }
        }

        fn observe(&mut self) -> Vec<Effect> {
            self.now += Period::from_secs(30);
            let snapshot = self.setup.world.snapshot(self.now);
            self.control.handle(self.now, &Input::Observed(Arc::new(snapshot)))
        }

        fn supply(&mut self, agents: &[SuppliedAgent], limits: Limits) -> Vec<Effect> {
            let supply = Supply { agents: agents.to_vec(), limits };
            self.control.handle(self.now, &Input::Supplied(Arc::new(supply)))
        }
    }

    fn submitted(effects: &[Effect]) -> usize {
        effects.iter().filter(|effect| matches!(effect, Effect::Submit(_))).count()
    }

    #[test]
    fn an_agent_decides_while_it_is_supplied_and_what_it_left_open_ends_with_it() {
        let mut run = Run::new();
        assert_eq!(submitted(&run.observe()), 0);
        let scale = supplied("scaler", &json!("scale web a 2 3"));
        let unknown = supplied("stranger", &json!(7));
        assert!(run.supply(&[scale.clone(), unknown], Limits::default()).is_empty());
        assert_eq!(submitted(&run.observe()), 1);
        // The same again changes nothing: what waits on the desk stays there.
        assert!(run.supply(std::slice::from_ref(&scale), Limits::default()).is_empty());
        assert_eq!(submitted(&run.observe()), 0);
        let changed = supplied("scaler", &json!("scale web a 2 4"));
        let ended = run.supply(&[changed], Limits::default());
        assert!(
            matches!(&ended[..], [Effect::Settle { reason: SettleReason::NoLongerRecommended, .. }]),
            "{ended:?}"
        );
        assert_eq!(submitted(&run.observe()), 1);
        assert_eq!(run.supply(&[], Limits::default()).len(), 1);
        assert_eq!(submitted(&run.observe()), 0);
    }

    #[test]
    fn who_decides_first_follows_from_what_is_supplied_and_not_from_who_came_first() {
        let mut run = Run::new();
        let [first, second] = ["alpha", "beta"].map(|name| supplied(name, &json!("scale web a 2 3")));
        run.supply(std::slice::from_ref(&second), Limits::default());
        run.supply(&[first, second], Limits::default());
        let mut other = Run::new();
        other.control.supplied(run.now, run.control.supply(), &mut Vec::new());
        let names = |run: &Run| -> Vec<String> {
            run.control.agents.iter().map(|member| member.agent.name.to_string()).collect()
        };
        assert_eq!(names(&run), ["alpha", "beta"]);
        assert_eq!(names(&run), names(&other));
    }

    #[test]
    fn what_is_supplied_tightens_what_plans_are_held_to_for_as_long_as_it_is_there() {
        let mut run = Run::new();
        let none = Limits { moves_per_hour: Some(0), ..Limits::default() };
        let agents = [supplied("mover", &json!("migrate web x2 a b"))];
        run.supply(&agents, none);
        assert_eq!(submitted(&run.observe()), 0);
        run.supply(&agents, Limits::default());
        assert_eq!(submitted(&run.observe()), 1);
        assert_eq!(run.control.guardrails(), &run.setup.config.guardrails);
    }

    #[test]
    fn limits_are_tightened_and_never_loosened() {
        let run = Setup::new("").config.guardrails;
        let run = GuardrailConfig {
            max_load: Some(Ratio::from_percent(80)),
            moves_per_hour: None,
            cool_down: Period::from_minutes(10),
            ..run
        };
        let strict = Limits {
            max_load: Some(Ratio::from_percent(60)),
            moves_per_hour: Some(3),
            cool_down: Some(Period::from_minutes(30)),
            ..Limits::default()
        };
        let loose = Limits {
            max_load: Some(Ratio::from_percent(90)),
            moves_per_hour: Some(7),
            cool_down: Some(Period::from_minutes(1)),
            max_snapshot_age: Some(Period::from_hours(1)),
            ..Limits::default()
        };
        let tightened = strict.tighten(&run);
        assert_eq!(tightened.max_load, Some(Ratio::from_percent(60)));
        assert_eq!((tightened.moves_per_hour, tightened.cool_down), (Some(3), Period::from_minutes(30)));
        assert_eq!(strict.and(&loose).tighten(&run), GuardrailConfig { ..tightened });
        let unchanged = GuardrailConfig { moves_per_hour: Some(7), ..run.clone() };
        assert_eq!(loose.tighten(&run), unchanged);
    }
}
