//! Carrying out what was approved.
//!
//! What decides is pure and has no memory of its own: from what is seen right now, a machine says which order comes next, if any.
//! Whether an answer got lost, the process died or somebody else changed something makes no difference to it, because it only
//! ever looks. The shell looks, gives one order, and looks again.

pub(crate) mod copying;
pub(crate) mod course;
pub(crate) mod eye;
pub(crate) mod hand;
pub(crate) mod karmada_objects;
#[cfg(test)]
mod member_tests;
mod nodes;
pub(crate) mod order;
#[cfg(test)]
mod pretended_karmada;
pub(crate) mod propagation;
#[cfg(test)]
mod propagation_tests;
#[cfg(test)]
mod refusal_tests;
pub(crate) mod relocating;
#[cfg(test)]
mod reminder_tests;
pub(crate) mod resizing;
pub(crate) mod runner;
pub(crate) mod scaling;
pub(crate) mod sight;
pub(crate) mod task;
#[cfg(test)]
mod testing;
pub(crate) mod webhook;
