//! Sessions of people at a browser: opened with something that is worth it, kept alive by use, and over at a fixed moment.
//!
//! A session has two secrets. One is in a cookie that scripts cannot read; the other one a page sends along with every change,
//! so that no page of somebody else can make a browser act. The second is made from the first: the desk keeps neither, and a page
//! that was loaded again can be told it again.

use super::caller::{Caller, Proof};
use super::role::Role;
use super::roll::{Brought, Purpose};
use super::secret::Secret;
use super::token::TOKEN_PREFIX;
use super::{door, one_time, record};
use crate::storage::tables::sessions::{self, LoginSession};
use crate::storage::tables::{one_time_logins, tokens};
use crate::storage::{Connection, Error, JsonText, Transaction};
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use control::agent::Scope;
use model::hash::ContentHash;
use model::names::ReviewerName;
use model::time::Period;
use ring::hmac;
use serde_json::json;

/// However much is done in a session, somebody signs in again at least once a week.
const LONGEST_SESSION_MS: i64 = 7 * 24 * 3_600_000;

/// Whoever leaves a group at the identity provider is noticed when they sign in again: at the latest after a day's work.
const LONGEST_AS_GUEST_MS: i64 = 12 * 3_600_000;

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
    pub(crate) const fn as_str(self) -> &'static str {
        match self {
            Self::OneTimeCode => "one-time-code",
            Self::Token => "token",
            Self::IdentityProvider => "identity-provider",
        }
    }

    /// How long a session lasts at most that is left alone no longer than `idle_ms`.
    fn longest_ms(self, idle_ms: i64) -> i64 {
        match self {
            Self::IdentityProvider => LONGEST_AS_GUEST_MS,
            Self::OneTimeCode | Self::Token => LONGEST_SESSION_MS.max(idle_ms),
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

impl Guest {
    /// What they showed, as the record tells it.
    fn via(&self) -> String {
        match (self.how, &self.token) {
            (How::Token, Some((id, _))) => Proof::Token(id.clone()).shown(),
            (How::Token, None) => "token".to_owned(),
            (How::OneTimeCode, _) => "one-time link".to_owned(),
            (How::IdentityProvider, _) => "oidc".to_owned(),
        }
    }
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

impl Login {
    /// What was brought, as the roll knows it.
    pub fn brought(&self) -> Brought {
        match self {
            Self::Code(code) => (Purpose::Code, code.hash()),
            Self::Token(token) => (Purpose::Token, token.hash()),
        }
    }

    /// What somebody tried it with.
    pub const fn word(&self) -> &'static str {
        match self {
            Self::Code(_) => How::OneTimeCode.as_str(),
            Self::Token(_) => How::Token.as_str(),
        }
    }

    /// Whether it could be a secret of ours at all.
    pub fn has_form(&self) -> bool {
        match self {
            Self::Code(code) => code.has_form(one_time::CODE_PREFIX),
            Self::Token(token) => token.has_form(TOKEN_PREFIX),
        }
    }
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

/// Whether somebody brings something that counts. Nothing is used up.
pub fn counts(connection: &mut dyn Connection, login: &Login, wall_ms: i64) -> Result<bool, Error> {
    Ok(match login {
        Login::Code(code) => one_time_logins::valid(connection, code.hash(), wall_ms)?.is_some(),
        Login::Token(token) => tokens::valid(connection, token.hash(), wall_ms)?.is_some(),
    })
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
    let ends_wall_ms = wall_ms.saturating_add(guest.how.longest_ms(idle_ms)).min(token_ends);
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
    let who = (&*caller.actor(), &*number(cookie.hash()));
    record::note_via(transaction, wall_ms, "session.opened", who, (Some(guest.via()), &body))?;
    Ok(OpenSession { caller, cookie, csrf, expires_wall_ms: session.expires_wall_ms, ends_wall_ms })
}

/// Ends somebody's session. Returns whether there was one.
pub fn close(transaction: &mut dyn Transaction, caller: &Caller, wall_ms: i64) -> Result<bool, Error> {
    let Proof::Session(hash) = &caller.proof else { return Ok(false) };
    if sessions::valid(transaction, *hash, wall_ms)?.is_none() {
        return Ok(false);
    }
    sessions::end(transaction, *hash)?;
    record::note(transaction, wall_ms, "session.closed", (&caller.actor(), &number(*hash)), &json!({}))?;
    Ok(true)
}

/// Ends all sessions of somebody, and says how many that were.
pub fn close_all(
    transaction: &mut dyn Transaction,
    subject: &str,
    by: &str,
    wall_ms: i64,
) -> Result<u64, Error> {
    let ended = sessions::end_all_of(transaction, subject)?;
    if ended > 0 {
        record::note(
            transaction,
            wall_ms,
            "session.closed",
            (by, subject),
            &json!({ "sessionsEnded": ended }),
        )?;
    }
    Ok(ended)
}

/// What the record calls a session: enough to tell it from others, and nothing that opens it.
pub(super) fn number(secret: ContentHash) -> String {
    format!("S-{}", &secret.to_string()[..12])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::access::{Door, NewToken, USUAL_GUEST, issue, one_time, revoke};
    use crate::storage::Database;
    use crate::testing::on_both;
    use axum::http::{HeaderMap, HeaderValue, Method, header};

    const IDLE: Period = Period::from_hours(8);
    const HOUR: i64 = 3_600_000;

    fn enter(database: &Database, login: &Login, at: i64) -> Result<Option<OpenSession>, Error> {
        database.write(|transaction| sign_in(transaction, login, IDLE, at))
    }

    /// Whether a browser with this cookie is somebody.
    fn counts(database: &Database, opened: &OpenSession, at: i64) -> Result<bool, Error> {
        let mut headers = HeaderMap::new();
        let cookie = format!("drover_session={}", opened.cookie.reveal());
        headers.insert(header::COOKIE, HeaderValue::from_str(&cookie).expect("text"));
        let door = Door::knock(&Method::GET, &headers).expect("somebody knocks");
        let known = database.read(|connection| door.look_up(connection, at))?;
        Ok(known.is_some_and(|known| door.recognise(&known, at).is_ok_and(|visit| visit.is_some())))
    }

    fn token(database: &Database, role: Role, expires: Option<i64>) -> Result<(String, Login), Error> {
        let new = NewToken {
            name: ReviewerName::new("ben").expect("a name"),
            role,
            scope: Scope::default(),
            created_by: "test".to_owned(),
            created_wall_ms: 0,
            expires_wall_ms: expires,
        };
        let (id, secret) = database.write(|transaction| issue(transaction, &new))?;
        Ok((id, Login::Token(secret)))
    }

    #[test]
    fn a_code_opens_one_session_once() {
        on_both(|database| {
            let anna = ReviewerName::new("anna").expect("a name");
            let code =
                database.write(|transaction| one_time(transaction, Role::Admin, Some(&anna), 0, HOUR))?;
            let login = Login::Code(code);
            assert!(enter(database, &login, HOUR)?.is_none(), "it is too late");
            let opened = enter(database, &login, HOUR - 1)?.expect("a session");
            assert_eq!((opened.caller.name.as_str(), opened.caller.role), ("anna", Role::Admin));
            assert_eq!(opened.csrf.reveal(), csrf_token(&opened.cookie).reveal());
            assert_ne!(opened.csrf.reveal(), opened.cookie.reveal());
            assert!(enter(database, &login, HOUR - 1)?.is_none(), "it was used");
            assert!(counts(database, &opened, opened.expires_wall_ms - 1)?);
            assert!(!counts(database, &opened, opened.expires_wall_ms)?);
            let usual = database.write(|transaction| one_time(transaction, Role::Viewer, None, 0, HOUR))?;
            let opened = enter(database, &Login::Code(usual), 1)?.expect("a session");
            assert_eq!(opened.caller.name.as_str(), USUAL_GUEST);
            let machine = database.write(|transaction| one_time(transaction, Role::Agent, None, 0, HOUR));
            assert!(machine.is_err(), "agents have no sessions");
            Ok(())
        });
    }

    #[test]
    fn a_session_does_not_outlive_its_token() {
        on_both(|database| {
            let (_, login) = token(database, Role::Operator, Some(2 * HOUR))?;
            let opened = enter(database, &login, 0)?.expect("a session");
            assert_eq!((opened.expires_wall_ms, opened.ends_wall_ms), (2 * HOUR, 2 * HOUR));
            let (id, login) = token(database, Role::Operator, None)?;
            let opened = enter(database, &login, 0)?.expect("a session");
            assert_eq!((opened.expires_wall_ms, opened.ends_wall_ms), (8 * HOUR, 7 * 24 * HOUR));
            assert!(counts(database, &opened, 1)?);
            assert!(database.write(|transaction| revoke(transaction, &id, "test", 2))?);
            assert!(!counts(database, &opened, 3)?, "its token was ended");
            assert!(enter(database, &login, 3)?.is_none());
            assert!(!database.write(|transaction| revoke(transaction, &id, "test", 4))?);
            let (_, machine) = token(database, Role::Agent, None)?;
            assert!(enter(database, &machine, 0)?.is_none(), "agents have no sessions");
            assert!(enter(database, &Login::Token(Secret::received("drover_guess")), 0)?.is_none());
            Ok(())
        });
    }

    #[test]
    fn whoever_leaves_is_gone() {
        on_both(|database| {
            let code = database.write(|transaction| one_time(transaction, Role::Viewer, None, 0, HOUR))?;
            let opened = enter(database, &Login::Code(code), 1)?.expect("a session");
            let leave = || database.write(|transaction| close(transaction, &opened.caller, 2));
            assert!(leave()?);
            assert!(!leave()?);
            assert!(!counts(database, &opened, 3)?);
            let kinds =
                database.read(|connection| crate::storage::tables::journal::after(connection, 0, 10))?;
            let kinds: Vec<&str> = kinds.iter().map(|entry| entry.kind.as_str()).collect();
            assert_eq!(kinds, ["login.created", "session.opened", "session.closed"]);
            Ok(())
        });
    }
}
