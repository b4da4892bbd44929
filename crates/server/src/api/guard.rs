//! What stands in front of every endpoint: who are you, may you, not too much at once; and what every answer carries.

use super::endpoint::{Access, Breadth, Endpoint};
use super::problem::{Kind, Problem};
use super::remote::remote;
use super::routes::{METRICS, PROBES};
use super::within::{Bounds, within};
use crate::access::{Caller, Door};
use crate::attended::with_via;
use crate::clock;
use crate::desk::Desk;
use axum::Router;
use axum::extract::{FromRequestParts, Request, State};
use axum::http::request::Parts;
use axum::http::{HeaderValue, Method, header};
use axum::middleware::{Next, from_fn_with_state};
use axum::response::{IntoResponse, Response};
use axum::routing::MethodRouter;

/// Puts the guard of one endpoint in front of it.
pub(super) fn protect(endpoint: Endpoint, desk: &Desk) -> MethodRouter<Desk> {
    let Endpoint { method, path, mut access, breadth, repeatable, largest_body, pace, mut router, .. } =
        endpoint;
    if path == METRICS && desk.access().open_metrics {
        access = Access::Open;
    }
    if let Some(keeping) = repeatable {
        router = router.route_layer(from_fn_with_state((desk.clone(), keeping), super::repeat::remember));
    }
    let route = (name(&method), path);
    router
        .route_layer(from_fn_with_state(Bounds::new(&desk.limits(), largest_body, pace), within))
        .route_layer(from_fn_with_state((desk.clone(), access, breadth, counted_as(path)), admit))
        .route_layer(from_fn_with_state((desk.clone(), route), count))
}

/// The methods of the table.
const fn name(method: &Method) -> &'static str {
    match *method {
        Method::GET => "GET",
        Method::POST => "POST",
        Method::PUT => "PUT",
        Method::DELETE => "DELETE",
        Method::PATCH => "PATCH",
        _ => "other",
    }
}

type Route = (&'static str, &'static str);

/// Counts what is answered, refusals included.
async fn count(State((desk, route)): State<(Desk, Route)>, request: Request, next: Next) -> Response {
    let begun = clock::now();
    let response = next.run(request).await;
    desk.requests().answered(
        route,
        response.status().as_u16(),
        clock::now().saturating_duration_since(begun),
    );
    response
}

/// Whoever keeps the process running asks from the same place as others, and must not be kept out because of what these do.
fn counted_as(path: &str) -> &'static str {
    if PROBES.contains(&path) { "probe" } else { "stranger" }
}

async fn admit(
    State((desk, access, breadth, counted_as)): State<(Desk, Access, Breadth, &'static str)>,
    mut request: Request,
    next: Next,
) -> Response {
    let door = knock(&desk, &request);
    let place = remote(&desk.access().proxies, request.headers(), request.extensions());
    let stranger = format!("{counted_as}:{place}");
    let caller = match admitted(&desk, (access, breadth), door).await {
        Ok(caller) => caller,
        // Whoever is refused may not go on asking for ever: that counts for the place they ask from.
        Err(problem) => return desk.slow_down(&stranger).err().unwrap_or(problem).into_response(),
    };
    let key = caller.as_ref().map_or(stranger, Caller::actor);
    if let Err(problem) = desk.slow_down(&key) {
        return problem.into_response();
    }
    let Some(caller) = caller else { return next.run(request).await };
    let via = caller.proof.shown();
    request.extensions_mut().insert(caller);
    with_via(via.into(), next.run(request)).await
}

/// What a request brings. A browser that is made to change something by a page of somebody else brings nothing.
fn knock(desk: &Desk, request: &Request) -> Result<Door, Problem> {
    let door = Door::knock(request.method(), request.headers())?;
    if door.changes_by_cookie() && !desk.origins().allow(request.headers()) {
        return Err(Problem::new(Kind::Forbidden, "This change was asked for by a page of somebody else."));
    }
    Ok(door)
}

/// Who it is, if they may; nobody where anybody may.
async fn admitted(
    desk: &Desk,
    (access, breadth): (Access, Breadth),
    door: Result<Door, Problem>,
) -> Result<Option<Caller>, Problem> {
    let Access::Needs(right) = access else { return Ok(None) };
    let caller = desk.identify(door?).await?;
    if !caller.role.may(right) {
        return Err(forbidden(&caller, right));
    }
    if breadth == Breadth::Whole && !caller.sight().is_whole() {
        let detail = format!("{} sees a part of the federation, and this is about all of it.", caller.name);
        return Err(Problem::new(Kind::Forbidden, detail));
    }
    Ok(Some(caller))
}

fn forbidden(caller: &Caller, right: crate::access::Right) -> Problem {
    let roles: Vec<&str> = right.holders().into_iter().map(crate::access::Role::as_str).collect();
    let detail = format!("{} is {}; this needs one of: {}.", caller.name, caller.role, roles.join(", "));
    Problem::new(Kind::Forbidden, detail)
}

impl<S: Send + Sync> FromRequestParts<S> for Caller {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Problem> {
        let nobody = || Problem::new(Kind::Unauthenticated, "Send a token: Authorization: Bearer <token>.");
        parts.extensions.get::<Self>().cloned().ok_or_else(nobody)
    }
}

/// Around everything: headers that keep browsers from doing more than they should.
pub(super) fn surround(router: Router<Desk>, desk: &Desk) -> Router<Desk> {
    router
        .layer(from_fn_with_state(desk.clone(), headers))
        .layer(from_fn_with_state(desk.clone(), super::request_id::name))
}

const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; \
    connect-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'";

async fn headers(State(_desk): State<Desk>, request: Request, next: Next) -> Response {
    let is_read = request.method() == Method::GET;
    let mut response = next.run(request).await;
    let headers = response.headers_mut();
    for (name, value) in [
        (header::CONTENT_SECURITY_POLICY, POLICY),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::REFERRER_POLICY, "no-referrer"),
        (header::X_FRAME_OPTIONS, "DENY"),
    ] {
        headers.entry(name).or_insert(HeaderValue::from_static(value));
    }
    if is_read {
        headers.entry(header::CACHE_CONTROL).or_insert(HeaderValue::from_static("no-store"));
    }
    response
}
