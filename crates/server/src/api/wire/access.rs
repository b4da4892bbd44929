//! Who is there, and with what right.

use crate::access::{Caller, Proof, Right, Role};
use crate::storage::tables::tokens::Token;
use control::agent::Scope;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A part of the federation; everything where nothing is named.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
pub struct ScopeItem {
    pub clusters: Vec<String>,
    pub namespaces: Vec<String>,
}

impl From<&Scope> for ScopeItem {
    fn from(scope: &Scope) -> Self {
        Self {
            clusters: scope.clusters.iter().map(ToString::to_string).collect(),
            namespaces: scope.namespaces.iter().cloned().collect(),
        }
    }
}

/// Whoever sends the request, as the desk knows them.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct SessionItem {
    /// The name under which they decide or propose.
    pub name: String,
    pub role: Role,
    pub scope: ScopeItem,
    /// What they may do.
    pub rights: Vec<Right>,
    /// How they were recognised: token or session.
    pub by: String,
    /// In a session: what goes into the header X-CSRF-Token of every change.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub csrf_token: Option<String>,
    /// In a session: when it ends if nothing more happens, in milliseconds since 1970.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub expires_wall: Option<i64>,
    /// In a session: when it ends whatever happens.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ends_wall: Option<i64>,
}

impl From<&Caller> for SessionItem {
    fn from(caller: &Caller) -> Self {
        let by = if matches!(caller.proof, Proof::Token(_)) { "token" } else { "session" };
        Self {
            name: caller.name.to_string(),
            role: caller.role,
            scope: (&caller.scope).into(),
            rights: Right::ALL.into_iter().filter(|right| caller.role.may(*right)).collect(),
            by: by.to_owned(),
            csrf_token: None,
            expires_wall: None,
            ends_wall: None,
        }
    }
}

/// A token without its secret.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct TokenItem {
    /// `T-4f0c…`.
    pub id: String,
    /// The name under which its holder decides or proposes.
    pub name: String,
    pub role: String,
    pub scope: ScopeItem,
    pub created_by: String,
    pub created_wall: i64,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub expires_wall: Option<i64>,
    /// When it was last used, to the minute.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub used_wall: Option<i64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub revoked_wall: Option<i64>,
}

#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct TokenPage {
    pub items: Vec<TokenItem>,
    /// All of them, on whatever page.
    pub total: usize,
    /// To be given back as `cursor` for the next page; absent on the last.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next_cursor: Option<String>,
}

impl From<Token> for TokenItem {
    fn from(token: Token) -> Self {
        let scope: Scope = token.scope.read("a scope").unwrap_or_default();
        Self {
            id: token.id,
            name: token.name,
            role: token.role,
            scope: (&scope).into(),
            created_by: token.created_by,
            created_wall: token.created_wall_ms,
            expires_wall: token.expires_wall_ms,
            used_wall: token.used_wall_ms,
            revoked_wall: token.revoked_wall_ms,
        }
    }
}

/// A new token. Its secret is shown here and never again.
#[derive(Clone, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct IssuedToken {
    #[serde(flatten)]
    pub token: TokenItem,
    /// To be sent as `Authorization: Bearer …`.
    pub secret: String,
    /// For instance that nobody sees such a namespace now.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
}
