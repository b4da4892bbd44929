//! What every plan is held to, and who has to be asked.

use super::discreet::discretion_about;
use crate::access::{Caller, Right};
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

async fn show(State(desk): State<Desk>, caller: Caller) -> Json<Guardrails> {
    let mut all = Guardrails::of(&desk.now().guardrails, &desk.header().control.policy);
    let discretion = discretion_about(&desk, &caller.sight());
    let rules = all.passes.iter_mut().map(|pass| &mut pass.rule);
    let rules = rules.chain(all.approvers.iter_mut().map(|needed| &mut needed.rule));
    let words = rules.chain(all.limits.iter_mut().map(|limit| &mut limit.says));
    words.for_each(|words| discretion.told(words));
    Json(all)
}
