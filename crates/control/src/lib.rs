//! The loop: agents, guardrails, review desk, journal and replay. Pure: no clock, no entropy, no I/O.
//!
//! ```text
//!             Observed · Answered · Reviewed · Applied · WakeUp
//!  world  ────────────────────────────────────────────────────►  ControlLoop::handle(now, input)
//!                                                                   │  agents that are due decide
//!                                                                   │  guardrails, before asking
//!                                                                   │  review desk
//!                                                                   │  guardrails again, before acting
//!         ◄────────────────────────────────────────────────────     ▼
//!             Observe · Ask · Explain · Submit · Settle · Apply      effects, journalled before they start
//! ```

pub mod agent;
pub mod checkpoint;
pub mod control_loop;
mod freezes;
pub mod guardrails;
pub mod journal;
pub mod legacy;
pub mod ordering;
pub mod policy;
pub mod projection;
pub mod question;
mod rejections;
pub mod replay;
pub mod review_desk;
pub mod reviewing;
pub mod risk;
pub mod rules;
pub mod run;
mod sift;
pub mod strategy;
pub mod supply;
pub mod world;

#[cfg(test)]
mod testing;
#[cfg(test)]
mod tests;
