//! Every endpoint, by what it is about.

mod agents;
mod audit;
mod backup;
mod batch;
mod clock;
mod decided;
mod decisions;
mod discreet;
mod events;
mod executions;
mod freezes;
mod guardrails;
mod health;
mod history;
mod laboratory;
mod metrics;
mod models;
mod modes;
mod oidc;
mod previews;
mod proposals;
mod questions;
mod recommendations;
mod runs;
mod session;
mod tokens;
mod wasp;
mod webhooks;
mod workloads;
mod world;

pub(super) use agents::names as agent_names;
pub(super) use health::PROBES;
pub(super) use metrics::PATH as METRICS;

use super::endpoint::Endpoint;

/// The table.
pub fn endpoints() -> Vec<Endpoint> {
    let rooms = [
        health::endpoints,
        world::endpoints,
        workloads::endpoints,
        history::endpoints,
        clock::endpoints,
        recommendations::endpoints,
        proposals::endpoints,
        decisions::endpoints,
        batch::endpoints,
        previews::endpoints,
        executions::endpoints,
        freezes::endpoints,
        modes::endpoints,
        guardrails::endpoints,
        events::endpoints,
        audit::endpoints,
        backup::endpoints,
        session::endpoints,
        oidc::endpoints,
        tokens::endpoints,
        agents::endpoints,
        decided::endpoints,
        questions::endpoints,
        runs::endpoints,
        models::endpoints,
        laboratory::endpoints,
        wasp::endpoints,
        metrics::endpoints,
        webhooks::endpoints,
    ];
    rooms.into_iter().flat_map(|room| room()).collect()
}
