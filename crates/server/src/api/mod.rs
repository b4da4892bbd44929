//! The API: one table of endpoints, and what each of them does.

mod allowed;
pub(crate) mod answer;
pub mod carried;
pub mod endpoint;
pub(crate) mod extract;
mod guard;
pub(crate) mod kept;
mod known;
pub mod openapi;
pub mod problem;
pub(crate) mod propose;
mod remote;
mod repeat;
pub(crate) mod request_id;
mod routes;
pub(crate) mod shelves;
pub mod wire;
pub(crate) mod within;

pub(crate) use repeat::answer_lost;
pub use routes::endpoints;

use crate::desk::Desk;
use crate::kube_api;
use axum::Router;
use axum::middleware::map_response;
use problem::{Kind, Problem};

/// Everything that can be asked of the desk. What is not in the table is a part of the page or does not exist.
pub fn router(desk: &Desk) -> Router {
    let mut router = Router::new();
    for endpoint in endpoints() {
        let path = endpoint.path;
        router = router.route(path, guard::protect(endpoint, desk));
    }
    for endpoint in kube_api::endpoints() {
        let path = endpoint.path;
        let guarded = guard::protect(endpoint, desk);
        let ours = path == kube_api::INDEX;
        let answering = if ours { guarded } else { guarded.layer(map_response(kube_api::as_status)) };
        router = router.route(path, answering);
    }
    let wrong_method =
        || async { Problem::new(Kind::MethodNotAllowed, "This address does not take this method.") };
    let router = router.fallback(crate::page::serve).method_not_allowed_fallback(wrong_method);
    guard::surround(router, desk).with_state(desk.clone())
}
