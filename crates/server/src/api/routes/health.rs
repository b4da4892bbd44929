//! Whether the desk is alive, whether it can work, and what it can be asked.

use crate::api::answer::Json;
use crate::api::endpoint::{Endpoint, get};
use crate::api::problem::{Kind, Problem};
use crate::desk::Desk;
use crate::storage::tables::journal;
use axum::extract::State;
use serde_json::Value;

const ALIVE: &str = "/healthz";
const READY: &str = "/readyz";

/// What keepers of processes ask.
pub(in crate::api) const PROBES: [&str; 2] = [ALIVE, READY];

pub(super) fn endpoints() -> Vec<Endpoint> {
    vec![
        get(ALIVE, "getHealth", alive).does("Whether the process is alive").open().sends("text/plain"),
        get(READY, "getReadiness", ready)
            .does("Whether the desk can read and write")
            .open()
            .sends("text/plain")
            .may_refuse(&[Kind::NotReady]),
        get("/openapi.json", "getOpenApi", openapi).does("This document").open().sends("application/json"),
    ]
}

async fn alive() -> &'static str {
    "alive\n"
}

async fn ready(State(desk): State<Desk>) -> Result<&'static str, Problem> {
    let works = desk.is_open() && desk.is_writable().await;
    if !works || desk.read(|connection| journal::head(connection)).await.is_err() {
        return Err(Problem::new(Kind::NotReady, "The desk cannot write down what happens.").after(5));
    }
    Ok("ready\n")
}

async fn openapi(State(desk): State<Desk>) -> Json<Value> {
    Json(desk.openapi().clone())
}
