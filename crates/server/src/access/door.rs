//! Recognising somebody by what they bring, and letting nobody in who brings nothing.

use super::caller::{Caller, Proof};
use super::changed;
use super::cookie::session_cookie;
use super::role::Role;
use super::roll::{Brought, Purpose};
use super::secret::Secret;
use super::session;
use super::token::TOKEN_PREFIX;
use crate::api::problem::{Kind, Problem};
use crate::storage::tables::sessions::{self, LoginSession};
use crate::storage::tables::tokens::{self, Token};
use crate::storage::{Connection, Error, JsonText, Transaction};
use axum::http::{HeaderMap, Method, header};
use control::agent::Scope;
use model::hash::ContentHash;
use model::names::ReviewerName;
use model::time::Period;
use std::sync::Arc;

/// The header that a page proves itself with.
pub const CSRF_HEADER: &str = "x-csrf-token";

/// That something was used is written down at most so often.
const NOTE_EVERY_MS: i64 = 60_000;

/// What somebody brought to the door.
#[derive(Debug)]
pub enum Door {
    Token(Secret),
    Session { cookie: Secret, csrf: Option<Secret>, changes: bool },
}

impl Door {
    /// Reads the headers of a request.
    pub fn knock(method: &Method, headers: &HeaderMap) -> Result<Self, Problem> {
        if let Some(value) = headers.get(header::AUTHORIZATION) {
            let text = value.to_str().unwrap_or_default();
            let (scheme, secret) = text.split_once(' ').unwrap_or((text, ""));
            if !scheme.eq_ignore_ascii_case("bearer") || secret.trim().is_empty() {
                return Err(unknown("The header Authorization is written: Bearer <token>."));
            }
            return Ok(Self::Token(Secret::received(secret.trim())));
        }
        let cookie =
            session_cookie(headers).ok_or_else(|| unknown("Send a token: Authorization: Bearer <token>."))?;
        let csrf = headers.get(CSRF_HEADER).and_then(|value| value.to_str().ok()).map(Secret::received);
        let changes = !matches!(*method, Method::GET | Method::HEAD | Method::OPTIONS);
        Ok(Self::Session { cookie, csrf, changes })
    }

    /// What the tables know about what was brought, if it counts at this moment.
    pub fn look_up(
        &self,
        connection: &mut dyn Connection,
        wall_ms: i64,
    ) -> Result<Option<Credential>, Error> {
        match self {
            Self::Token(secret) => {
                let token = tokens::valid(connection, secret.hash(), wall_ms)?;
                told(connection, token)
            }
            Self::Session { cookie, .. } => {
                let session = sessions::valid(connection, cookie.hash(), wall_ms)?;
                Ok(session.map(|session| Credential::Session(Arc::new(session))))
            }
        }
    }

    /// Who it is by what is known, if they are somebody at this moment. A session that counts changes nothing for a page that cannot
    /// prove that it is ours.
    pub fn recognise(&self, known: &Credential, wall_ms: i64) -> Result<Option<Visit>, Problem> {
        let visit = match (self, known) {
            (Self::Token(_), Credential::Token(token)) if token.counts(wall_ms) => {
                let known = Known::Token { used: token.used_wall_ms };
                of_token(token).map(|caller| Visit { caller, known })
            }
            (Self::Session { csrf, changes, .. }, Credential::Session(session))
                if session.counts(wall_ms) =>
            {
                if *changes {
                    must_prove(csrf.as_ref(), session)?;
                }
                of_session(session).map(|caller| Visit { caller, known: Known::from(&**session) })
            }
            _ => None,
        };
        Ok(visit)
    }

    /// Whether it could be a secret of ours at all.
    pub fn has_form(&self) -> bool {
        match self {
            Self::Token(secret) => secret.has_form(TOKEN_PREFIX),
            Self::Session { cookie, .. } => cookie.has_form(""),
        }
    }

    /// What was brought, as the roll knows it.
    pub fn brought(&self) -> Brought {
        let purpose = match self {
            Self::Token(_) => Purpose::Token,
            Self::Session { .. } => Purpose::Session,
        };
        (purpose, self.hash())
    }

    /// Of the secret that was brought.
    pub fn hash(&self) -> ContentHash {
        match self {
            Self::Token(secret) | Self::Session { cookie: secret, .. } => secret.hash(),
        }
    }

    /// Whether a browser is made to change something, which only our own page may do.
    pub const fn changes_by_cookie(&self) -> bool {
        matches!(self, Self::Session { changes: true, .. })
    }
}

/// What is known about a secret.
#[derive(Clone, Debug)]
pub enum Credential {
    Token(Arc<Token>),
    Session(Arc<LoginSession>),
}

impl Credential {
    /// What the tables know about somebody who was let in before.
    pub fn look_up_again(
        connection: &mut dyn Connection,
        proof: &Proof,
        wall_ms: i64,
    ) -> Result<Option<Self>, Error> {
        Ok(match proof {
            Proof::Token(id) => {
                let token = tokens::get(connection, id)?;
                told(connection, token)?
            }
            Proof::Session(hash) => {
                sessions::valid(connection, *hash, wall_ms)?.map(|session| Self::Session(Arc::new(session)))
            }
        })
    }

    /// Whether it counts at this moment.
    pub fn counts(&self, wall_ms: i64) -> bool {
        match self {
            Self::Token(token) => token.counts(wall_ms),
            Self::Session(session) => session.counts(wall_ms),
        }
    }

    /// The hash of the secret that it is about.
    pub fn secret(&self) -> ContentHash {
        match self {
            Self::Token(token) => token.secret_hash,
            Self::Session(session) => session.secret_hash,
        }
    }

    /// How whoever has the secret is known once they were let in.
    pub fn proof(&self) -> Proof {
        match self {
            Self::Token(token) => Proof::Token(token.id.clone()),
            Self::Session(session) => Proof::Session(session.secret_hash),
        }
    }
}

/// Somebody who was recognised, and what was known about their last visit.
#[derive(Clone, Debug)]
pub struct Visit {
    pub caller: Caller,
    known: Known,
}

#[derive(Clone, Copy, Debug)]
enum Known {
    Token { used: Option<i64> },
    Session { expires: i64, ends: i64 },
}

impl From<&LoginSession> for Known {
    fn from(session: &LoginSession) -> Self {
        Self::Session { expires: session.expires_wall_ms, ends: session.ends_wall_ms }
    }
}

/// What is written down about a visit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Note {
    TokenUsed { id: String, wall_ms: i64 },
    SessionGoesOn { hash: ContentHash, until: i64 },
}

impl Visit {
    /// What is worth writing down, if it is long enough since the last time. `idle` is how long a session lasts unused.
    pub fn note(&self, idle: Period, wall_ms: i64) -> Option<Note> {
        let idle = session::millis(idle);
        match (&self.caller.proof, self.known) {
            (Proof::Token(id), Known::Token { used }) => {
                let due = used.is_none_or(|used| wall_ms - used >= NOTE_EVERY_MS);
                due.then(|| Note::TokenUsed { id: id.clone(), wall_ms })
            }
            (Proof::Session(hash), Known::Session { expires, ends }) => {
                let until = wall_ms.saturating_add(idle).min(ends);
                let due = until - expires >= NOTE_EVERY_MS.min(idle / 8).max(1);
                due.then_some(Note::SessionGoesOn { hash: *hash, until })
            }
            _ => None,
        }
    }
}

impl Note {
    pub fn write(&self, transaction: &mut dyn Transaction) -> Result<(), Error> {
        match self {
            Self::TokenUsed { id, wall_ms } => tokens::touch(transaction, id, *wall_ms),
            Self::SessionGoesOn { hash, until } => sessions::extend(transaction, *hash, *until),
        }
    }
}

/// A token that the record tells of like this.
fn told(connection: &mut dyn Connection, token: Option<Token>) -> Result<Option<Credential>, Error> {
    let Some(token) = token else { return Ok(None) };
    let is_right = changed::is_as_told(connection, &token)?;
    Ok(is_right.then(|| Credential::Token(Arc::new(token))))
}

fn must_prove(csrf: Option<&Secret>, session: &LoginSession) -> Result<(), Problem> {
    let detail = match csrf {
        Some(csrf) if csrf.hash() == session.csrf_hash => return Ok(()),
        Some(_) => "The X-CSRF-Token is of another session; load the page again.",
        None => {
            "A session changes something only with the header X-CSRF-Token; GET /api/v1/session tells its value."
        }
    };
    Err(Problem::new(Kind::Forbidden, detail))
}

/// A refusal that does not say which part was wrong.
pub fn unknown(detail: &str) -> Problem {
    Problem::new(Kind::Unauthenticated, detail)
}

/// Whoever a token belongs to.
pub(super) fn of_token(token: &Token) -> Option<Caller> {
    caller(&token.name, &token.role, &token.scope, Proof::Token(token.id.clone()))
}

fn of_session(session: &LoginSession) -> Option<Caller> {
    caller(&session.subject, &session.role, &session.scope, Proof::Session(session.secret_hash))
}

/// Nobody is let in with a name, a role or a scope that cannot be read.
fn caller(name: &str, role: &str, scope: &JsonText, proof: Proof) -> Option<Caller> {
    let name = ReviewerName::new(name).ok()?;
    let scope: Scope = scope.read("a scope").ok()?;
    Some(Caller { name, role: Role::parse(role)?, scope, proof })
}

#[cfg(test)]
mod tests {
    use super::*;

    const IDLE: Period = Period::from_hours(1);
    const HOUR: i64 = 3_600_000;

    fn visit(proof: Proof, known: Known) -> Visit {
        let name = ReviewerName::new("anna").expect("a name");
        Visit { caller: Caller { name, role: Role::Viewer, scope: Scope::default(), proof }, known }
    }

    #[test]
    fn a_token_is_noted_once_a_minute() {
        let at = |used, now| visit(Proof::Token("T-1".into()), Known::Token { used }).note(IDLE, now);
        let noted = |wall_ms| Some(Note::TokenUsed { id: "T-1".into(), wall_ms });
        assert_eq!(at(None, 5), noted(5));
        assert_eq!(at(Some(5), 60_004), None);
        assert_eq!(at(Some(5), 60_005), noted(60_005));
    }

    #[test]
    fn a_session_goes_on_until_its_end() {
        let hash = ContentHash::ZERO;
        let at = |expires, now| {
            visit(Proof::Session(hash), Known::Session { expires, ends: 3 * HOUR }).note(IDLE, now)
        };
        let until = |until| Some(Note::SessionGoesOn { hash, until });
        assert_eq!(at(HOUR, 59_999), None);
        assert_eq!(at(HOUR, 60_000), until(HOUR + 60_000));
        assert_eq!(at(2 * HOUR + HOUR / 2, 2 * HOUR + HOUR / 4), until(3 * HOUR));
        assert_eq!(at(3 * HOUR, 3 * HOUR - 1), None);
    }
}
