//! The API: one table of endpoints, and what each of them does.

mod allowed;
pub mod endpoint;
pub(crate) mod extract;
mod guard;
pub mod openapi;
pub mod problem;
pub(crate) mod propose;
mod remote;
mod repeat;
mod routes;
pub mod wire;
pub(crate) mod within;

pub use routes::endpoints;

use crate::desk::Desk;
use axum::Router;
use problem::{Kind, Problem};

/// Everything that can be asked of the desk. What is not in the table is a part of the page or does not exist.
pub fn router(desk: &Desk) -> Router {
    let mut router = Router::new();
    for endpoint in endpoints() {
        let path = endpoint.path;
        router = router.route(path, guard::protect(endpoint, desk));
    }
    let wrong_method =
        || async { Problem::new(Kind::MethodNotAllowed, "This address does not take this method.") };
    let router = router.fallback(crate::page::serve).method_not_allowed_fallback(wrong_method);
    guard::surround(router, desk).with_state(desk.clone())
}
