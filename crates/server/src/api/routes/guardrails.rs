//! What every plan is held to, and who has to be asked.

use crate::access::Right;
use crate::api::answer::Json;
use crate::api::endpoint::{Endpoint, get};
use crate::api::wire::Guardrails;
use crate::desk::Desk;
use axum::extract::State;

pub(super) fn endpoints() -> Vec<Endpoint> {
    vec![
        get("/api/v1/guardrails", "getGuardrails", show)
            .does("What every plan is held to, and who has to be asked")
            .needs(Right::SeeDesk)
            .narrowed()
            .answers::<Guardrails>(),
    ]
}

async fn show(State(desk): State<Desk>) -> Json<Guardrails> {
    Json(Guardrails::of(&desk.now().guardrails, &desk.header().control.policy))
}
