//! Codes that open one session once: how the first person gets in, and how a demo greets its guest.

use super::record;
use super::role::Role;
use super::secret::Secret;
use super::session::{Guest, How};
use crate::storage::tables::one_time_logins::{self, OneTimeLogin};
use crate::storage::{Error, Transaction};
use control::agent::Scope;
use model::names::ReviewerName;
use serde_json::json;

/// What one-time codes begin with, so that people tell them from tokens.
pub const CODE_PREFIX: &str = "once_";

/// Who comes in with a code that names nobody.
pub const USUAL_GUEST: &str = "operator";

/// Makes a code that lets somebody in once, until it expires. The secret is not kept.
pub fn one_time(
    transaction: &mut dyn Transaction,
    role: Role,
    name: Option<&ReviewerName>,
    wall_ms: i64,
    expires_wall_ms: i64,
) -> Result<Secret, Error> {
    if role == Role::Agent {
        return Err(Error::Unstorable("a login for an agent; give it a token"));
    }
    let code = Secret::random(CODE_PREFIX).map_err(|_| Error::Unstorable("a secret without randomness"))?;
    let subject = name.map_or(USUAL_GUEST, ReviewerName::as_str).to_owned();
    let body = json!({ "role": role, "expiresWall": expires_wall_ms });
    record::note(transaction, wall_ms, "login.created", ("desk", &subject), &body)?;
    let login = OneTimeLogin {
        secret_hash: code.hash(),
        subject,
        role: role.as_str().to_owned(),
        expires_wall_ms,
        used_wall_ms: None,
    };
    one_time_logins::create(transaction, &login)?;
    Ok(code)
}

/// Uses a code up and says whom it lets in.
pub(super) fn redeem(
    transaction: &mut dyn Transaction,
    code: &Secret,
    wall_ms: i64,
) -> Result<Option<Guest>, Error> {
    let login = one_time_logins::consume(transaction, code.hash(), wall_ms)?;
    Ok(login.and_then(|login| {
        let name = ReviewerName::new(&login.subject).ok()?;
        let role = Role::parse(&login.role)?;
        Some(Guest { name, role, scope: Scope::default(), how: How::OneTimeCode, token: None })
    }))
}
