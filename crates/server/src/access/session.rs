//! Sessions of people at a browser: opened with something that is worth it, kept alive by use, and over at a fixed moment.
//!
//! A session has two secrets. One is in a cookie that scripts cannot read; the other one a page sends along with every change,
//! so that no page of somebody else can make a browser act. The second is made from the first: the desk keeps neither, and a page
//! that was loaded again can be told it again.

use super::caller::{Caller, Proof};
use super::role::Role;
use super::secret::Secret;
use super::{door, one_time, record};
use crate::storage::tables::sessions::{self, LoginSession};
use crate::storage::tables::tokens;
use crate::storage::{Error, JsonText, Transaction};
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use control::agent::Scope;
use model::names::ReviewerName;
use model::time::Period;
use ring::hmac;
use serde_json::json;

/// However much is done in a session, somebody signs in again at least once a week.
const LONGEST_SESSION_MS: i64 = 7 * 24 * 3_600_000;

/// A hundred years: longer periods of a file mean no more than this, and can be added to any time.
const LONGEST_PERIOD_MS: u64 = 100 * 365 * 24 * 3_600_000;

/// How somebody showed who they are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum How {
    OneTimeCode,
    Token,
    IdentityProvider,
}

impl How {
    const fn as_str(self) -> &'static str {
        match self {
            Self::OneTimeCode => "one-time-code",
            Self::Token => "token",
            Self::IdentityProvider => "identity-provider",
        }
    }
}

/// Somebody who may have a session.
#[derive(Clone, Debug)]
pub struct Guest {
    pub name: ReviewerName,
    pub role: Role,
    pub scope: Scope,
    pub how: How,
    /// The token that they showed, and when it ends.
    pub token: Option<(String, Option<i64>)>,
}

/// A session that was just opened.
#[derive(Debug)]
pub struct OpenSession {
    pub caller: Caller,
    pub cookie: Secret,
    pub csrf: Secret,
    pub expires_wall_ms: i64,
    pub ends_wall_ms: i64,
}

/// What somebody brings to get a session.
#[derive(Debug)]
pub enum Login {
    Code(Secret),
    Token(Secret),
}

/// The secret that a page of this session sends along with every change.
pub fn csrf_token(cookie: &Secret) -> Secret {
    let key = hmac::Key::new(hmac::HMAC_SHA256, cookie.reveal().as_bytes());
    Secret::received(&URL_SAFE_NO_PAD.encode(hmac::sign(&key, b"drover: changes by our own page")))
}

/// A period of the desk's file in milliseconds.
pub(crate) fn millis(period: Period) -> i64 {
    period.as_millis().min(LONGEST_PERIOD_MS) as i64
}

/// Opens a session for whoever brings something that counts.
pub fn sign_in(
    transaction: &mut dyn Transaction,
    login: &Login,
    idle: Period,
    wall_ms: i64,
) -> Result<Option<OpenSession>, Error> {
    let guest = match login {
        Login::Code(code) => one_time::redeem(transaction, code, wall_ms)?,
        Login::Token(token) => with_token(transaction, token, wall_ms)?,
    };
    // A machine has nothing to do at a browser; who holds its token must not become somebody who reads.
    let guest = guest.filter(|guest| guest.role != Role::Agent);
    guest.map(|guest| open(transaction, &guest, idle, wall_ms)).transpose()
}

fn with_token(
    transaction: &mut dyn Transaction,
    secret: &Secret,
    wall_ms: i64,
) -> Result<Option<Guest>, Error> {
    let Some(token) = tokens::valid(transaction, secret.hash(), wall_ms)? else { return Ok(None) };
    let Some(Caller { name, role, scope, .. }) = door::of_token(&token) else { return Ok(None) };
    tokens::touch(transaction, &token.id, wall_ms)?;
    Ok(Some(Guest { name, role, scope, how: How::Token, token: Some((token.id, token.expires_wall_ms)) }))
}

/// Opens a session.
pub fn open(
    transaction: &mut dyn Transaction,
    guest: &Guest,
    idle: Period,
    wall_ms: i64,
) -> Result<OpenSession, Error> {
    let cookie = Secret::random("").map_err(|_| Error::Unstorable("a secret without randomness"))?;
    let csrf = csrf_token(&cookie);
    let idle_ms = millis(idle);
    let token_ends = guest.token.as_ref().and_then(|(_, ends)| *ends).unwrap_or(i64::MAX);
    let ends_wall_ms = wall_ms.saturating_add(LONGEST_SESSION_MS.max(idle_ms)).min(token_ends);
    let session = LoginSession {
        secret_hash: cookie.hash(),
        subject: guest.name.to_string(),
        role: guest.role.as_str().to_owned(),
        scope: JsonText::of(&guest.scope),
        csrf_hash: csrf.hash(),
        token: guest.token.as_ref().map(|(id, _)| id.clone()),
        created_wall_ms: wall_ms,
        expires_wall_ms: wall_ms.saturating_add(idle_ms).min(ends_wall_ms),
        ends_wall_ms,
    };
    sessions::create(transaction, &session)?;
    let proof = Proof::Session(cookie.hash());
    let caller = Caller { name: guest.name.clone(), role: guest.role, scope: guest.scope.clone(), proof };
    let body = json!({ "how": guest.how.as_str(), "role": guest.role, "scope": guest.scope, "token": session.token });
    record::note(transaction, wall_ms, "session.opened", (&caller.actor(), &number(&session)), &body)?;
    Ok(OpenSession { caller, cookie, csrf, expires_wall_ms: session.expires_wall_ms, ends_wall_ms })
}

/// Ends somebody's session. Returns whether there was one.
pub fn close(transaction: &mut dyn Transaction, caller: &Caller, wall_ms: i64) -> Result<bool, Error> {
    let Proof::Session(hash) = &caller.proof else { return Ok(false) };
    let Some(session) = sessions::valid(transaction, *hash, wall_ms)? else { return Ok(false) };
    sessions::end(transaction, *hash)?;
    record::note(transaction, wall_ms, "session.closed", (&caller.actor(), &number(&session)), &json!({}))?;
    Ok(true)
}

/// What the record calls a session: enough to tell it from others, and nothing that opens it.
fn number(session: &LoginSession) -> String {
    format!("S-{}", &session.secret_hash.to_string()[..12])
}
