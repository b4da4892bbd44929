//! Signing in with an identity provider, as a browser does it.

use super::session::welcome_cookie;
use crate::access::cookie::{Cookie, find};
use crate::access::oidc::{Arrived, CALLBACK, IdentityProvider, OidcError, Returned};
use crate::access::session::open;
use crate::access::{Guest, How, OpenSession, Secret, unknown};
use crate::api::answer::Json;
use crate::api::carried::Carried;
use crate::api::endpoint::{Endpoint, get};
use crate::api::extract::Query;
use crate::api::problem::{Kind, Problem};
use crate::api::remote::Remote;
use crate::clock::wall_ms;
use crate::config::Group;
use crate::desk::Desk;
use axum::extract::State;
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{AppendHeaders, IntoResponse, Response};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// What binds an attempt to the browser that began it.
const LOGIN_COOKIE: &str = "drover_login";
const PATH: &str = "/login/oidc";

/// An attempt lasts no longer.
const LOGIN_SECONDS: i64 = 600;

/// A page of our own; longer addresses do not exist here.
const LONGEST_BACK: usize = 512;

pub(super) fn endpoints() -> Vec<Endpoint> {
    vec![
        get("/api/v1/session/ways", "listWaysIn", ways)
            .does("How people can sign in")
            .open()
            .answers::<WaysIn>(),
        get(PATH, "beginLogin", begin)
            .does("Go to the identity provider to sign in")
            .open()
            .query::<BeginQuery>()
            .redirects()
            .carries(&[Carried::Cookie])
            .may_refuse(&[Kind::NotFound, Kind::NotReady]),
        get(CALLBACK, "finishLogin", finish)
            .does("Come back from the identity provider; the answer sets a cookie")
            .open()
            .query::<ReturnQuery>()
            .redirects()
            .carries(&[Carried::Cookie])
            .may_refuse(&[Kind::NotFound, Kind::NotReady, Kind::Unauthenticated, Kind::Forbidden]),
    ]
}

/// How people can sign in besides with a code or a token.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct WaysIn {
    /// The identity provider behind /login/oidc, if there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    identity_provider: Option<String>,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct BeginQuery {
    /// Where to go afterwards: a path of this desk.
    back: Option<String>,
}

/// Providers add words of their own, which are ignored.
#[derive(Debug, Deserialize, JsonSchema)]
struct ReturnQuery {
    state: Option<String>,
    code: Option<String>,
    /// Why the provider let nobody in.
    error: Option<String>,
    /// Which provider it was, where it says so.
    iss: Option<String>,
}

async fn ways(State(desk): State<Desk>) -> Json<WaysIn> {
    Json(WaysIn { identity_provider: desk.identity_provider().map(|provider| provider.issuer().to_owned()) })
}

fn provider(desk: &Desk) -> Result<Arc<IdentityProvider>, Problem> {
    let detail = "This desk has no identity provider; sign in with a code or a token.";
    desk.identity_provider().cloned().ok_or_else(|| Problem::new(Kind::NotFound, detail))
}

/// A path of our own page, and not a way to somebody else's.
fn way_back(text: Option<&str>) -> Result<&str, Problem> {
    let text = text.unwrap_or("/");
    let own = text.starts_with('/') && !text.starts_with("//") && !text.contains('\\');
    let plain = text.len() <= LONGEST_BACK && text.bytes().all(|byte| byte.is_ascii_graphic());
    let wrong = || Problem::new(Kind::Malformed, "back is a path of this desk, such as /recommendations.");
    if own && plain { Ok(text) } else { Err(wrong()) }
}

fn login_cookie(desk: &Desk, value: &str, seconds: i64) -> HeaderValue {
    let secure = desk.origins().is_encrypted();
    // Coming back from another site, a strict cookie would stay behind.
    Cookie { name: LOGIN_COOKIE, value, path: PATH, seconds, same_site: "Lax", secure }.header()
}

fn redirect(to: &str, cookies: Vec<HeaderValue>) -> Result<Response, Problem> {
    let place = HeaderValue::from_str(to).map_err(|error| Problem::internal(&error))?;
    let cookies = AppendHeaders(cookies.into_iter().map(|cookie| (header::SET_COOKIE, cookie)));
    Ok((StatusCode::SEE_OTHER, [(header::LOCATION, place)], cookies).into_response())
}

async fn begin(
    State(desk): State<Desk>,
    Remote(remote): Remote,
    Query(query): Query<BeginQuery>,
) -> Result<Response, Problem> {
    let provider = provider(&desk)?;
    let back = way_back(query.back.as_deref())?;
    let begun = provider
        .begin(&desk.origins().address(), (&remote, back), wall_ms())
        .await
        .map_err(|error| told(&error))?;
    redirect(&begun.page, vec![login_cookie(&desk, begun.browser.reveal(), LOGIN_SECONDS)])
}

/// The log learns the reason, whoever tried learns what to do.
fn told(error: &OidcError) -> Problem {
    crate::log::note(&format!("somebody could not sign in: {error}"));
    match error {
        OidcError::Provider(_) => {
            Problem::new(Kind::NotReady, "The identity provider cannot be asked now; try again.").after(10)
        }
        OidcError::Refused(_) => unknown("This did not let you in; begin again at /login/oidc."),
        OidcError::NoRole => {
            Problem::new(Kind::Forbidden, "None of your groups has a role at this desk; ask whoever runs it.")
        }
    }
}

async fn finish(
    State(desk): State<Desk>,
    Remote(remote): Remote,
    headers: HeaderMap,
    Query(query): Query<ReturnQuery>,
) -> Result<Response, Problem> {
    let provider = provider(&desk)?;
    desk.knock(&remote)?;
    let arrived = match arrive(&desk, &provider, &headers, &query).await {
        Ok(arrived) => arrived,
        Err(error) => {
            // A provider that does not answer has let nobody in and turned nobody away.
            if !matches!(error, OidcError::Provider(_)) {
                desk.turned_away(&remote, How::IdentityProvider.as_str()).await;
            }
            return Err(told(&error));
        }
    };
    desk.welcome(&remote);
    let back = arrived.back.clone();
    let opened = welcome(&desk, arrived).await?;
    redirect(&back, vec![welcome_cookie(&desk, &opened), login_cookie(&desk, "", 0)])
}

async fn arrive(
    desk: &Desk,
    provider: &IdentityProvider,
    headers: &HeaderMap,
    query: &ReturnQuery,
) -> Result<Arrived, OidcError> {
    let refused = |text: &str| OidcError::Refused(text.to_owned());
    let state = query.state.as_deref().map(Secret::received).ok_or_else(|| refused("no state came back"))?;
    if query.iss.as_deref().is_some_and(|issuer| issuer != provider.issuer()) {
        return Err(refused("another provider sent them back"));
    }
    let code = query.code.as_deref().filter(|_| query.error.is_none());
    let browser = find(headers, LOGIN_COOKIE);
    // Without a code the attempt is over all the same.
    let returned = Returned { state: &state, code: code.unwrap_or_default(), browser: browser.as_ref() };
    if code.is_none() {
        provider.forget(&state);
        return Err(refused("the provider let nobody in"));
    }
    provider.finish(&desk.origins().address(), returned, desk.residents(), wall_ms()).await
}

/// Opens a session for somebody whom the provider knows, under a name that is theirs alone.
async fn welcome(desk: &Desk, arrived: Arrived) -> Result<OpenSession, Problem> {
    let (idle, residents) = (desk.session_length(), desk.residents().clone());
    desk.record(move |transaction| {
        let Arrived { names, standing: Group { role, scope }, .. } = arrived;
        let free = match &names.plain {
            Some(plain) => residents.leave_to(transaction, plain, (role, &scope))?,
            None => false,
        };
        let name = names.plain.filter(|_| free).unwrap_or(names.marked);
        let guest = Guest { name, role, scope, how: How::IdentityProvider, token: None };
        open(transaction, &guest, idle, wall_ms())
    })
    .await
}
