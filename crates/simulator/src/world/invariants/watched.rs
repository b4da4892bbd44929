//! A world that is looked at after every single event.

use super::approval::{Files, Places};
use super::{clock, ensure, outcome, violations};
use crate::scenario::{Change, Start};
use crate::world::agenda::Event;
use crate::world::{SimulatedWorld, Turn};
use control::world::{Effect, Input, World};
use model::action::Action;
use model::names::WorkloadRef;
use model::recommendation::{Recommendation, RecommendationId};
use model::time::Timestamp;
use std::collections::BTreeMap;

/// The simulated world and what is remembered to judge its next step.
pub(super) struct Watched {
    pub(super) world: SimulatedWorld,
    files: Files,
    places: Places,
    /// Everything that was ever to be done.
    actions: BTreeMap<RecommendationId, Action>,
    /// A copy taken on the way, and when to take it.
    pub(super) copy_at: Timestamp,
    pub(super) copy: Option<SimulatedWorld>,
}

impl Watched {
    pub(super) fn new(world: SimulatedWorld, copy_at: Timestamp) -> Self {
        let places = Places::of(&world);
        Self { world, files: Files::default(), places, actions: BTreeMap::new(), copy_at, copy: None }
    }

    fn look(&mut self, before: Timestamp) -> Result<(), String> {
        clock::forwards(before, self.world.now())?;
        let violations = violations(&self.world);
        ensure(violations.is_empty(), || format!("at {}:\n  {}", self.world.now(), violations.join("\n  ")))?;
        let places = Places::of(&self.world);
        self.places.changed_for_a_reason(&places, &self.world)?;
        self.places = places;
        self.world.clusters.iter_mut().for_each(|cluster| cluster.granted.clear());
        self.sizes_are_as_the_scenario_says()
    }

    fn heard(&mut self, input: &Input) -> Result<(), String> {
        self.files.heard(input)?;
        match input {
            Input::Applied { id, outcome } => outcome::is_seen(&self.world, &self.actions[id], outcome),
            _ => Ok(()),
        }
    }

    /// Its size may no longer be what the scenario says.
    fn was_scaled(&self, reference: &WorkloadRef) -> bool {
        let scales =
            |action: &Action| matches!(action, Action::Scale { workload, .. } if workload == reference);
        self.actions.values().any(scales)
    }

    /// A workload that no action is under way on, and none ever scaled, has the size its last happening gave it.
    fn sizes_are_as_the_scenario_says(&self) -> Result<(), String> {
        let world = &self.world;
        let next = world.agenda.planned().find_map(|event| match event {
            Event::Happens { index } => Some(*index),
            _ => None,
        });
        let happened = &world.spec.happenings[..next.unwrap_or(world.spec.happenings.len())];
        for (number, (spec, workload)) in world.spec.workloads.iter().zip(world.workloads.iter()).enumerate()
        {
            if !workload.exists || workload.busy_with.is_some() || self.was_scaled(&spec.reference) {
                continue;
            }
            if spec.horizontal.is_some() {
                continue;
            }
            let mine = || happened.iter().filter(|happening| happening.workload == number);
            let created = mine().skip_while(|happening| !matches!(happening.change, Change::Create));
            let wanted = created.fold(spec.replicas, |wanted, happening| match &happening.change {
                Change::Scale { replicas } | Change::Update { replicas: Some(replicas), .. } => *replicas,
                _ => wanted,
            });
            // The federation's scheduler may have it in several clusters, whole or in parts, while it moves it.
            let is_placed = matches!(spec.start, Start::Policy(_));
            let found = if is_placed { workload.wanted } else { workload.replicas() };
            ensure(found == wanted, || {
                format!("at {}: {} has {found} replicas instead of {wanted}", world.now(), spec.reference)
            })?;
        }
        Ok(())
    }
}

impl World for Watched {
    type Error = String;

    fn next_input(&mut self, deadline: Timestamp) -> Result<Option<(Timestamp, Input)>, String> {
        loop {
            let before = self.world.now();
            let turn = self.world.turn(deadline);
            self.look(before)?;
            if self.copy.is_none() && self.world.now() >= self.copy_at {
                self.copy = Some(self.world.clone());
            }
            match turn {
                Turn::Event => {}
                Turn::Input(at, input) => {
                    self.heard(&input)?;
                    return Ok(Some((at, input)));
                }
                Turn::End => return Ok(None),
            }
        }
    }

    fn start(&mut self, effect: Effect) -> Result<(), String> {
        self.files.started(&effect)?;
        if let Effect::Apply(approved) = &effect {
            let Recommendation { id, action, .. } = approved.recommendation();
            self.actions.insert(*id, action.clone());
        }
        self.world.start(effect).expect("the simulated world never fails");
        self.places = Places::of(&self.world);
        Ok(())
    }
}
