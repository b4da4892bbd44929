//! Tokens of people and programs: made once, shown once, ended by whoever may.

use super::record;
use super::role::Role;
use super::secret::Secret;
use crate::storage::tables::{sessions, tokens};
use crate::storage::{Error, JsonText, Transaction};
use control::agent::Scope;
use model::hash::ContentHash;
use model::names::ReviewerName;
use serde_json::json;

/// What tokens begin with, so that people and scanners recognise them.
pub const TOKEN_PREFIX: &str = "drover_";

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

/// How a token with this secret is called.
pub(super) fn number(secret: ContentHash) -> String {
    format!("T-{}", &secret.to_string()[..12])
}

/// Makes a token and returns its number and the secret, which is not kept.
pub fn issue(transaction: &mut dyn Transaction, new: &NewToken) -> Result<(String, Secret), Error> {
    let secret =
        Secret::random(TOKEN_PREFIX).map_err(|_| Error::Unstorable("a secret without randomness"))?;
    let id = number(secret.hash());
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
    let body = json!({
        "name": new.name, "role": new.role, "scope": new.scope, "expiresWall": new.expires_wall_ms,
    });
    record::note(transaction, new.created_wall_ms, "token.created", (&new.created_by, &id), &body)?;
    Ok((id, secret))
}

/// Ends a token and every session that was opened with it. Returns whether there was a token to end.
pub fn revoke(transaction: &mut dyn Transaction, id: &str, by: &str, wall_ms: i64) -> Result<bool, Error> {
    if !tokens::revoke(transaction, id, wall_ms)? {
        return Ok(false);
    }
    let sessions = sessions::end_all_with(transaction, id)?;
    record::note(transaction, wall_ms, "token.revoked", (by, id), &json!({ "sessionsEnded": sessions }))?;
    Ok(true)
}
