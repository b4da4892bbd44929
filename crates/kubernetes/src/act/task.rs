//! An action with all that has to be known to carry it out, and what a machine says about it.

use super::karmada_objects::repository_mark;
use super::order::Order;
use super::sight::{Object, Sight};
use super::{copying, propagation, relocating, resizing, scaling};
use crate::clock::Wall;
use crate::settings::{DEFAULT_POOL, Leaving, MOVED_IN_PARTS, Resizing, Settings};
use control::guardrails::Owner;
use control::world::Applied;
use model::action::Action;
use model::execution::Step;
use model::hash::ContentHash;
use model::names::PoolName;
use model::recommendation::RecommendationId;
use std::collections::BTreeSet;

/// The annotation by which an order is known again.
pub(crate) const STEP: &str = "drover.io/step";

/// So much of a hash tells plans apart and still can be read.
const HASH_CHARACTERS: usize = 12;

#[derive(Clone, Debug)]
pub(crate) struct Task {
    pub(crate) id: RecommendationId,
    pub(crate) action: Action,
    /// What every order carries: the number of the recommendation and the hash of its content.
    pub(crate) step: String,
    /// Whether it was seen before that an order took effect: what is not so any more was undone by somebody else.
    pub(crate) begun: bool,
    /// Whether a webhook has answered that it takes the former state as the new wish.
    pub(crate) recalled: bool,
    /// Why the former state is being restored, if it is.
    pub(crate) taking_back: Option<String>,
    pub(crate) manner: Manner,
}

/// What the settings say about how things are done.
#[derive(Clone, Debug)]
pub(crate) struct Manner {
    pub(crate) through_karmada: bool,
    pub(crate) leaving: Leaving,
    pub(crate) pools_by: Vec<String>,
    pub(crate) resizing: Resizing,
    pub(crate) place_label: Option<String>,
    /// In how many parts replicas are moved without Karmada.
    pub(crate) parts: u32,
    /// Whose say may be overridden.
    pub(crate) despite: BTreeSet<Owner>,
}

impl Default for Manner {
    fn default() -> Self {
        Self {
            through_karmada: false,
            leaving: Leaving::default(),
            pools_by: Vec::new(),
            resizing: Resizing::default(),
            place_label: None,
            parts: MOVED_IN_PARTS,
            despite: BTreeSet::new(),
        }
    }
}

impl Manner {
    pub(crate) fn of(settings: &Settings, action: &Action) -> Self {
        let resizing = match action {
            Action::ResizePool { cluster, pool, .. } => {
                settings.pool(cluster, pool).map(|pool| pool.resizing.clone())
            }
            _ => None,
        };
        Self {
            through_karmada: settings.karmada.is_some(),
            leaving: settings.leaving,
            pools_by: settings.pools_by.clone(),
            resizing: resizing.unwrap_or_default(),
            place_label: settings.place_label.clone(),
            parts: settings.parts,
            despite: settings.despite.clone(),
        }
    }

    /// The mark by which a repository owns one of these objects, unless that may be overridden.
    pub(crate) fn repository<'a>(&self, objects: impl IntoIterator<Item = &'a Object>) -> Option<&'a str> {
        let is_granted = self.despite.contains(&Owner::Repository);
        objects.into_iter().find_map(repository_mark).filter(|_| !is_granted)
    }

    /// The label that names a node's pool, and its value.
    pub(crate) fn pool_label(&self, node: &Object) -> Option<(String, String)> {
        let labelled = self.pools_by.iter().filter_map(|label| Some((label, node.label(label)?)));
        let mut named = labelled.filter(|(_, value)| PoolName::new(&value.to_lowercase()).is_ok());
        named.next().map(|(label, value)| (label.clone(), value.to_owned()))
    }

    /// The same pool as in what is observed.
    pub(crate) fn pool_of(&self, node: &Object) -> String {
        self.pool_label(node).map_or_else(|| DEFAULT_POOL.to_owned(), |(_, value)| value.to_lowercase())
    }
}

impl Task {
    pub(crate) fn new(id: RecommendationId, hash: ContentHash, action: &Action, manner: Manner) -> Self {
        let hash = &hash.to_string()[..HASH_CHARACTERS];
        Self {
            id,
            action: action.clone(),
            step: format!("{id}.{hash}"),
            begun: false,
            recalled: false,
            taking_back: None,
            manner,
        }
    }

    pub(crate) fn is_by_webhook(&self) -> bool {
        matches!(self.manner.resizing, Resizing::Webhook { .. })
    }

    /// The first order, and those after it that can be tried without it.
    pub(crate) fn foretold(&self, first: Order) -> Vec<Order> {
        let second = match &self.action {
            Action::Scale { to, .. } => scaling::after_mark(&first, *to),
            _ => None,
        };
        std::iter::once(first).chain(second).collect()
    }

    /// What comes next, given what is seen.
    pub(crate) fn next(&self, sight: &Sight, now: Wall) -> Verdict {
        match &self.action {
            Action::Migrate { workload, from, to, replicas } => {
                let migration =
                    propagation::Migration { task: self, workload, from, to, replicas: *replicas };
                if self.manner.through_karmada {
                    migration.next(sight, now)
                } else {
                    copying::next(&migration, sight)
                }
            }
            Action::Scale { workload, cluster, from, to } => {
                scaling::next(self, workload, cluster, (*from, *to), sight)
            }
            Action::Hold { .. } => Verdict::end(Applied::Done),
            Action::Move { workload, cluster, from, to } => {
                relocating::Relocation { task: self, workload, cluster, from, to }.next(sight)
            }
            Action::ResizePool { cluster, pool, from, to } => {
                resizing::Resize { task: self, cluster, pool, from: *from, to: *to }.next(sight)
            }
        }
    }
}

/// What a machine says: the steps that are seen to have happened, and what comes next.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Verdict {
    pub(crate) steps: Vec<Step>,
    pub(crate) next: Next,
    /// While somebody else is waited for: what makes them look again, should they have given up. Nothing depends on it.
    pub(crate) reminder: Option<Box<Order>>,
    /// Takes away what reminders left behind, once the action has come to its end. Nothing depends on it either.
    pub(crate) tidying: Option<Box<Order>>,
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Next {
    Give(Box<Order>),
    /// An order that takes something away: given only if it is still right a while later.
    GiveSettled(Box<Order>),
    /// It cannot go on; the former state is to be restored.
    GoBack(String),
    /// Nothing to do but to look again; what is waited for.
    Wait(String),
    /// The target has everything; only what is left of the source is waited for. This is no reason to go back.
    Linger(String),
    /// The target has everything and the source is gone; only this order is left. Whatever becomes of it, nothing is taken back: if it
    /// cannot be given, it has come to what stands beside it.
    Close(Box<Order>, Applied),
    /// Something that has to be seen cannot be.
    Blind(String),
    End(Applied),
}

impl Verdict {
    fn new(steps: &[Step], next: Next) -> Self {
        Self { steps: steps.to_vec(), next, reminder: None, tidying: None }
    }

    pub(crate) fn give(steps: &[Step], order: Order) -> Self {
        Self::new(steps, Next::Give(Box::new(order)))
    }

    pub(crate) fn give_settled(steps: &[Step], order: Order) -> Self {
        Self::new(steps, Next::GiveSettled(Box::new(order)))
    }

    pub(crate) fn close(steps: &[Step], order: Order, otherwise: Applied) -> Self {
        Self::new(steps, Next::Close(Box::new(order), otherwise))
    }

    pub(crate) fn go_back(why: impl Into<String>) -> Self {
        Self::new(&[], Next::GoBack(why.into()))
    }

    pub(crate) fn wait(steps: &[Step], what: impl Into<String>) -> Self {
        Self::new(steps, Next::Wait(what.into()))
    }

    pub(crate) fn linger(steps: &[Step], what: impl Into<String>) -> Self {
        Self::new(steps, Next::Linger(what.into()))
    }

    pub(crate) fn blind(why: impl Into<String>) -> Self {
        Self::new(&[], Next::Blind(why.into()))
    }

    pub(crate) fn end(outcome: Applied) -> Self {
        Self::new(&[], Next::End(outcome))
    }

    pub(crate) fn done(steps: &[Step]) -> Self {
        Self::new(steps, Next::End(Applied::Done))
    }

    pub(crate) fn or_remind(self, reminder: Order) -> Self {
        Self { reminder: Some(Box::new(reminder)), ..self }
    }

    pub(crate) fn and_tidy(self, tidying: Option<Order>) -> Self {
        Self { tidying: tidying.map(Box::new), ..self }
    }

    pub(crate) fn failed(reason: impl Into<String>) -> Self {
        Self::end(Applied::Failed { reason: reason.into() })
    }

    pub(crate) fn rolled_back(reason: impl Into<String>) -> Self {
        Self::end(Applied::RolledBack { reason: reason.into() })
    }
}
