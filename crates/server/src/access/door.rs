//! Recognising somebody by what they bring, and letting nobody in who brings nothing.

use super::caller::{Caller, Proof};
use super::role::Role;
use super::secret::Secret;
use crate::api::problem::{Kind, Problem};
use crate::storage::tables::{sessions, tokens};
use crate::storage::{Connection, Error, JsonText, Transaction};
use axum::http::{HeaderMap, Method, header};
use control::agent::Scope;
use model::names::ReviewerName;

/// What tokens begin with, so that people and scanners recognise them.
pub const TOKEN_PREFIX: &str = "drover_";

/// What sessions are called in the browser.
pub const COOKIE: &str = "drover_session";

/// The header that a page proves itself with.
pub const CSRF_HEADER: &str = "x-csrf-token";

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
            cookie(headers).ok_or_else(|| unknown("Send a token: Authorization: Bearer <token>."))?;
        let csrf = headers.get(CSRF_HEADER).and_then(|value| value.to_str().ok()).map(Secret::received);
        let changes = !matches!(*method, Method::GET | Method::HEAD | Method::OPTIONS);
        Ok(Self::Session { cookie, csrf, changes })
    }

    /// Who it is, if they are somebody at this moment.
    pub fn recognise(&self, connection: &mut dyn Connection, wall_ms: i64) -> Result<Option<Caller>, Error> {
        match self {
            Self::Token(secret) => {
                let token = tokens::valid(connection, secret.hash(), wall_ms)?;
                Ok(token.and_then(|token| {
                    caller(&token.name, &token.role, &token.scope, Proof::Token(token.id.clone()))
                }))
            }
            Self::Session { cookie, csrf, changes } => {
                let session = sessions::valid(connection, cookie.hash(), wall_ms)?;
                let session = session.filter(|session| {
                    !changes || csrf.as_ref().is_some_and(|csrf| csrf.hash() == session.csrf_hash)
                });
                let proof = |hash| Proof::Session(hash);
                Ok(session.and_then(|session| {
                    caller(&session.subject, &session.role, &session.scope, proof(session.secret_hash))
                }))
            }
        }
    }
}

/// A refusal that does not say which part was wrong.
pub fn unknown(detail: &str) -> Problem {
    Problem::new(Kind::Unauthenticated, detail)
}

fn cookie(headers: &HeaderMap) -> Option<Secret> {
    let all = headers.get_all(header::COOKIE).into_iter().filter_map(|value| value.to_str().ok());
    let mut pairs = all.flat_map(|text| text.split(';')).filter_map(|pair| pair.trim().split_once('='));
    pairs.find(|(name, _)| *name == COOKIE).map(|(_, value)| Secret::received(value))
}

/// Nobody is let in with a name, a role or a scope that cannot be read.
fn caller(name: &str, role: &str, scope: &JsonText, proof: Proof) -> Option<Caller> {
    let name = ReviewerName::new(name).ok()?;
    let scope: Scope = scope.read("a scope").ok()?;
    Some(Caller { name, role: Role::parse(role)?, scope, proof })
}

/// A token to be made.
#[derive(Clone, Debug)]
pub struct NewToken {
    pub name: ReviewerName,
    pub role: Role,
    pub scope: Scope,
    pub created_by: String,
    pub created_wall_ms: i64,
    pub expires_wall_ms: Option<i64>,
}

/// Makes a token and returns its number and the secret, which is not kept.
pub fn issue(transaction: &mut dyn Transaction, new: &NewToken) -> Result<(String, Secret), Error> {
    let secret =
        Secret::random(TOKEN_PREFIX).map_err(|_| Error::Unstorable("a secret without randomness"))?;
    let id = format!("T-{}", &secret.hash().to_string()[..12]);
    let token = tokens::Token {
        id: id.clone(),
        name: new.name.to_string(),
        role: new.role.as_str().to_owned(),
        scope: JsonText::of(&new.scope),
        secret_hash: secret.hash(),
        created_by: new.created_by.clone(),
        created_wall_ms: new.created_wall_ms,
        expires_wall_ms: new.expires_wall_ms,
        used_wall_ms: None,
        revoked_wall_ms: None,
    };
    tokens::create(transaction, &token)?;
    Ok((id, secret))
}
