//! Signing in at a browser, knowing who one is, and leaving.

use crate::access::session::{close, close_all, sign_in};
use crate::access::{
    Caller, Login, OpenSession, Proof, Right, Secret, cookie, csrf_token, session_cookie, unknown,
};
use crate::api::answer::Json;
use crate::api::carried::Carried;
use crate::api::endpoint::{Endpoint, delete, get, post};
use crate::api::extract::{Body, Names};
use crate::api::problem::{Kind, Problem};
use crate::api::remote::Remote;
use crate::api::wire::SessionItem;
use crate::clock::wall_ms;
use crate::desk::Desk;
use crate::storage::tables::sessions;
use axum::extract::State;
use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header};
use schemars::JsonSchema;
use serde::Deserialize;
use std::sync::Arc;

pub(super) fn endpoints() -> Vec<Endpoint> {
    vec![
        // An answer that opens a session must not be kept to be given again.
        post("/api/v1/session", "signIn", open)
            .does("Open a browser's session with a one-time code or a token; the answer sets a cookie")
            .open()
            .not_repeatable()
            .body::<SignIn>()
            .answers_with::<SessionItem>(201)
            .carries(&[Carried::Cookie])
            .may_refuse(&[Kind::Unauthenticated, Kind::Forbidden]),
        get("/api/v1/session", "whoAmI", show)
            .does("Who one is, what one may do, and what a page sends along with changes")
            .needs(Right::BeSomebody)
            .narrowed()
            .answers::<SessionItem>(),
        delete("/api/v1/session", "signOut", end)
            .does("End the session")
            .needs(Right::BeSomebody)
            .narrowed()
            .carries(&[Carried::Cookie])
            .may_refuse(&[Kind::NotFound]),
        delete("/api/v1/sessions/{name}", "signOutSomebody", end_all)
            .does(
                "End every session of somebody at once, however they signed in; their tokens go on counting",
            )
            .needs(Right::Administer)
            .may_refuse(&[Kind::NotFound]),
    ]
}

/// One of the two.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct SignIn {
    /// A code that counts once.
    code: Option<String>,
    /// A token of a person.
    token: Option<String>,
}

impl SignIn {
    fn login(&self) -> Result<Login, Problem> {
        match (&self.code, &self.token) {
            (Some(code), None) => Ok(Login::Code(Secret::received(code.trim()))),
            (None, Some(token)) => Ok(Login::Token(Secret::received(token.trim()))),
            _ => {
                let problem = Problem::new(Kind::Validation, "Send either a code or a token.");
                Err(problem.with_field("code", "or token"))
            }
        }
    }
}

type WithCookie<T> = (StatusCode, [(HeaderName, HeaderValue); 1], T);

async fn open(
    State(desk): State<Desk>,
    Remote(remote): Remote,
    headers: HeaderMap,
    Body(body): Body<SignIn>,
) -> Result<WithCookie<Json<SessionItem>>, Problem> {
    let login = body.login()?;
    if !desk.origins().allow(&headers) {
        return Err(Problem::new(Kind::Forbidden, "Sign in on the desk's own page."));
    }
    let login = Arc::new(login);
    let Some(opened) = let_in(&desk, Arc::clone(&login)).await? else {
        desk.turned_away(&remote, login.word()).await;
        desk.knock(&remote)?;
        crate::log::note(&format!("somebody at {remote} could not sign in"));
        return Err(unknown("This does not let you in, or not any more; ask for a new one."));
    };
    Ok(greet(&desk, &opened))
}

/// Looks first whether it counts. Only those who fail are counted and have to wait: behind a proxy all people have one address, and
/// nobody guesses a secret of this length, so whoever has one comes in however many others try.
async fn let_in(desk: &Desk, login: Arc<Login>) -> Result<Option<OpenSession>, Problem> {
    if !desk.may_let_in(Arc::clone(&login)).await? {
        return Ok(None);
    }
    let idle = desk.session_length();
    desk.record(move |transaction| sign_in(transaction, &login, idle, wall_ms())).await
}

/// The first answer in a session.
fn greet(desk: &Desk, opened: &OpenSession) -> WithCookie<Json<SessionItem>> {
    let item = SessionItem {
        csrf_token: Some(opened.csrf.reveal().to_owned()),
        expires_wall: Some(opened.expires_wall_ms),
        ends_wall: Some(opened.ends_wall_ms),
        ..SessionItem::from(&opened.caller)
    };
    (StatusCode::CREATED, [(header::SET_COOKIE, welcome_cookie(desk, opened))], Json(item))
}

/// What a browser keeps of a session that was just opened.
pub(super) fn welcome_cookie(desk: &Desk, opened: &OpenSession) -> HeaderValue {
    let seconds = (opened.ends_wall_ms - wall_ms()).max(0) / 1000;
    cookie::give(&opened.cookie, seconds, desk.origins().is_encrypted())
}

async fn show(
    State(desk): State<Desk>,
    caller: Caller,
    headers: HeaderMap,
) -> Result<Json<SessionItem>, Problem> {
    let mut item = SessionItem::from(&caller);
    if let Proof::Session(hash) = caller.proof {
        let session = desk.read(move |connection| sessions::valid(connection, hash, wall_ms())).await?;
        item.csrf_token = session_cookie(&headers).map(|cookie| csrf_token(&cookie).reveal().to_owned());
        item.expires_wall = session.as_ref().map(|session| session.expires_wall_ms);
        item.ends_wall = session.as_ref().map(|session| session.ends_wall_ms);
    }
    Ok(Json(item))
}

async fn end(State(desk): State<Desk>, caller: Caller) -> Result<WithCookie<()>, Problem> {
    let ended = desk.record(move |transaction| close(transaction, &caller, wall_ms())).await?;
    if !ended {
        let detail = "There is no session to end; a token is ended by DELETE /api/v1/tokens/{id}.";
        return Err(Problem::new(Kind::NotFound, detail));
    }
    let cookie = cookie::take_away(desk.origins().is_encrypted());
    Ok((StatusCode::NO_CONTENT, [(header::SET_COOKIE, cookie)], ()))
}

async fn end_all(
    State(desk): State<Desk>,
    caller: Caller,
    Names(name): Names<String>,
) -> Result<StatusCode, Problem> {
    let (subject, by) = (name.clone(), caller.actor());
    let ended = desk.record(move |transaction| close_all(transaction, &subject, &by, wall_ms())).await?;
    if ended > 0 {
        return Ok(StatusCode::NO_CONTENT);
    }
    Err(Problem::not_found(format_args!("session of {name:?}")))
}
