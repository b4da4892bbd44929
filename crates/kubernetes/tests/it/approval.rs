//! Approvals come from the loop itself, as they do at a desk: nothing else can make one.

use control::agent::{Agent, Cadence, Scope};
use control::control_loop::{ControlLoop, LoopConfig};
use control::guardrails::GuardrailConfig;
use control::policy::Policy;
use control::review_desk::{Approved, Expiry, ReviewMode};
use control::strategy::{Decision, HoldReason, Strategy, View};
use control::world::{Effect, Input};
use model::action::Action;
use model::names::{AgentName, ReviewerName};
use model::order::Grant;
use model::recommendation::{Draft, Rationale};
use model::snapshot::Snapshot;
use model::time::{Period, Timestamp};
use std::sync::Arc;

struct Wish(Action);

impl Strategy for Wish {
    fn decide(&mut self, _: &View<'_>) -> Decision {
        let draft = Draft { action: self.0.clone(), because: Rationale::default() };
        Decision::recommend(vec![draft], HoldReason::WithinLimits)
    }
}

/// The approval of an action on what was observed; panics with the loop's reason if the guardrails refuse it.
pub(crate) fn approve(action: &Action, snapshot: &Snapshot) -> Approved {
    approve_as("tester", action, snapshot)
}

/// The same by another agent, so that it is another approval.
pub(crate) fn approve_as(agent: &str, action: &Action, snapshot: &Snapshot) -> Approved {
    let agent = Agent {
        name: AgentName::new(agent).unwrap(),
        cadence: Cadence { every: Period::from_hours(1), first_at: Timestamp::EPOCH },
        lookback: Period::from_minutes(1),
        scope: Scope::default(),
        strategy: Box::new(Wish(action.clone())),
    };
    let config = LoopConfig {
        observe_every: Period::from_secs(30),
        first_observation_at: Timestamp::EPOCH,
        guardrails: GuardrailConfig {
            max_snapshot_age: Period::from_minutes(1),
            max_load: None,
            max_pending: None,
            cool_down: Period::ZERO,
            moves_per_hour: None,
            freezes: Vec::new(),
            despite: std::collections::BTreeSet::new(),
        },
        review: ReviewMode::Auto { rule: ReviewerName::new("tests").unwrap(), limits: Grant::default() },
        expiry: Expiry::Lifetime { period: Period::from_hours(1) },
        policy: Policy::default(),
    };
    let mut control = ControlLoop::new(config, vec![agent]);
    let effects = control.handle(snapshot.taken_at, &Input::Observed(Arc::new(snapshot.clone())));
    let approved = effects.iter().find_map(|effect| match effect {
        Effect::Apply(approved) => Some(approved.clone()),
        _ => None,
    });
    approved.unwrap_or_else(|| panic!("not approved: {effects:?}"))
}
