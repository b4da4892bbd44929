//! Tokens: who has one, a new one, and none any more.

use crate::access::{Caller, NewToken, Right, Role, issue, revoke};
use crate::api::answer::Json;
use crate::api::carried::Carried;
use crate::api::endpoint::{Endpoint, delete, get, post};
use crate::api::extract::{Body, Names, Query, page_length};
use crate::api::known;
use crate::api::problem::{Kind, Problem};
use crate::api::wire::{IssuedToken, TokenItem, TokenPage};
use crate::clock::wall_ms;
use crate::desk::Desk;
use crate::storage::tables::journal::{self, Filter};
use crate::storage::tables::page::{Dated, Direction, LONGEST_PAGE};
use crate::storage::tables::tokens::{self, Token};
use crate::storage::{Error, Transaction};
use axum::extract::State;
use axum::http::{HeaderName, StatusCode, header};
use control::agent::Scope;
use model::names::{ClusterName, ReviewerName, check_name};
use model::time::Period;
use schemars::JsonSchema;
use serde::Deserialize;
use std::collections::BTreeSet;

/// Tokens that count at the same time. A list that is longer is one that nobody looks through any more.
const MOST_TOKENS: usize = 1_000;

/// Clusters or namespaces that one token can name.
const MOST_NAMES: usize = 100;

/// A record names its actors; longer names are no help to whoever reads it.
const LONGEST_NAME: usize = 63;

/// What a token gets if nobody says how long it lasts.
const USUAL_SECONDS: u64 = 30 * 24 * 3600;

pub(super) fn endpoints() -> Vec<Endpoint> {
    vec![
        get("/api/v1/tokens", "listTokens", list)
            .does("All tokens without their secrets, ended ones too, newest first")
            .needs(Right::Administer)
            .narrowed()
            .query::<TokenQuery>()
            .answers::<TokenPage>(),
        post("/api/v1/tokens", "createToken", create)
            .does("Make a token; its secret is in the answer and nowhere else")
            .needs(Right::Administer)
            .narrowed()
            .answers_in_secret()
            .body::<TokenWish>()
            .answers_with::<IssuedToken>(201)
            .carries(&[Carried::Location])
            .may_refuse(&[Kind::Conflict]),
        delete("/api/v1/tokens/{id}", "revokeToken", end)
            .does("End a token, and every session that was opened with it")
            .needs(Right::Administer)
            .narrowed(),
    ]
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct TokenQuery {
    /// How many at most; 100 by default.
    #[schemars(range(min = 1, max = 500))]
    limit: Option<usize>,
    /// The `nextCursor` of the page before.
    cursor: Option<String>,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct TokenWish {
    /// Whose it is. An agent proposes under this name.
    #[schemars(length(min = 1, max = 63))]
    name: String,
    role: Role,
    /// The part of the federation that its holder may touch; everything by default.
    scope: Option<ScopeWish>,
    /// How long it counts, up to what the desk's file allows; 30 days by default.
    #[schemars(range(min = 1))]
    seconds: Option<u64>,
}

#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
struct ScopeWish {
    #[schemars(length(max = 100))]
    clusters: Vec<String>,
    #[schemars(length(max = 100))]
    namespaces: Vec<String>,
}

fn wrong(field: &str, message: impl Into<String>) -> Problem {
    let message = message.into();
    Problem::new(Kind::Validation, format!("{field}: {message}.")).with_field(field, message)
}

/// Whoever asks in a terminal says days, and whoever asks from a program seconds: they are told both.
fn too_long(longest: u64) -> Problem {
    let period = Period::from_secs(longest);
    let detail = format!("A token of this desk counts for at most {period}, and not for no time.");
    let field = format!("a number from 1 to {longest}, which is {period}");
    Problem::new(Kind::Validation, detail).with_field("seconds", field)
}

impl ScopeWish {
    fn scope(&self) -> Result<Scope, Problem> {
        if self.clusters.len().max(self.namespaces.len()) > MOST_NAMES {
            return Err(wrong("scope", format!("at most {MOST_NAMES} of a kind")));
        }
        let cluster = |name: &String| {
            ClusterName::new(name).map_err(|error| wrong("scope.clusters", error.to_string()))
        };
        let namespace = |name: &String| match check_name(name) {
            Ok(()) => Ok(name.clone()),
            Err(error) => Err(wrong("scope.namespaces", error.to_string())),
        };
        Ok(Scope {
            clusters: self.clusters.iter().map(cluster).collect::<Result<_, _>>()?,
            namespaces: self.namespaces.iter().map(namespace).collect::<Result<BTreeSet<_>, _>>()?,
        })
    }
}

impl TokenWish {
    fn token(&self, desk: &Desk, caller: &Caller) -> Result<NewToken, Problem> {
        let name = ReviewerName::new(&self.name).map_err(|error| wrong("name", error.to_string()))?;
        if self.name.len() > LONGEST_NAME {
            return Err(wrong("name", format!("at most {LONGEST_NAME} characters")));
        }
        let scope = self.scope.as_ref().map_or_else(|| Ok(Scope::default()), ScopeWish::scope)?;
        caller.must_hold(&scope)?;
        let longest = desk.access().longest_token.as_millis() / 1000;
        let seconds = self.seconds.unwrap_or(USUAL_SECONDS.min(longest));
        if !(1..=longest).contains(&seconds) {
            return Err(too_long(longest));
        }
        let now = wall_ms();
        Ok(NewToken {
            name,
            role: self.role,
            scope,
            created_by: caller.actor(),
            created_wall_ms: now,
            expires_wall_ms: Some(now.saturating_add_unsigned(seconds.saturating_mul(1000))),
        })
    }
}

/// Whose token somebody may see stands in its scope, which only this program can read: so all of them are read, and a part is told.
async fn list(
    State(desk): State<Desk>,
    caller: Caller,
    Query(query): Query<TokenQuery>,
) -> Result<Json<TokenPage>, Problem> {
    let limit = page_length(query.limit, 100, 500)?;
    let after = query.cursor.as_deref().map(Dated::decode).transpose()?;
    let mut all = desk.read(|connection| tokens::all(connection)).await?;
    all.retain(|token| is_held(&caller, token));
    let total = all.len();
    all.retain(|token| after.as_ref().is_none_or(|after| place(token) < *after));
    let more = all.len() > limit;
    all.truncate(limit);
    let next_cursor = all.last().filter(|_| more).map(|token| place(token).encode());
    Ok(Json(TokenPage { items: all.into_iter().map(Into::into).collect(), total, next_cursor }))
}

/// Where a token stands in the list.
fn place(token: &Token) -> Dated {
    Dated { wall_ms: token.created_wall_ms, name: token.id.clone() }
}

/// Whether a token gives nothing that its holder's keeper does not have. One whose scope cannot be read lets nobody in, and is for those
/// who hold everything.
fn is_held(caller: &Caller, token: &Token) -> bool {
    caller.holds(&token.scope.read("a scope").unwrap_or_default())
}

/// Whether somebody of this name came in with more than a caller holds, through the identity provider or by a link.
fn is_guest(transaction: &mut dyn Transaction, caller: &Caller, name: &ReviewerName) -> Result<bool, Error> {
    if caller.holds(&Scope::default()) {
        return Ok(false);
    }
    let welcomes = Filter {
        actor: Some(format!("person:{name}")),
        kinds: vec!["session.opened".to_owned()],
        ..Filter::default()
    };
    let newest = journal::list(transaction, &welcomes, Direction::Descending, None, LONGEST_PAGE)?;
    let mut guests = newest.rows.iter().filter_map(|entry| entry.body.read::<Welcome>("a session").ok());
    Ok(guests.any(|welcome| !caller.holds(&welcome.scope)))
}

/// What the record says of a session.
#[derive(Deserialize)]
struct Welcome {
    scope: Scope,
}

async fn create(
    State(desk): State<Desk>,
    caller: Caller,
    Body(wish): Body<TokenWish>,
) -> Result<(StatusCode, [(HeaderName, String); 1], Json<IssuedToken>), Problem> {
    let new = wish.token(&desk, &caller)?;
    let notes = known::scope(&desk, &caller, &new.scope)?;
    let residents = desk.residents().clone();
    let made = desk
        .record(move |transaction| {
            if let Some(objection) = residents.objection(transaction, &new.name, new.role)? {
                return Ok(Err(wrong("name", objection)));
            }
            // Whoever holds a part makes nobody's name count where that somebody is not theirs.
            let namesakes = tokens::named(transaction, new.name.as_str())?;
            if !namesakes.iter().all(|token| is_held(&caller, token))
                || is_guest(transaction, &caller, &new.name)?
            {
                let message = format!("{} is somebody outside your part; take another name", new.name);
                return Ok(Err(wrong("name", message)));
            }
            if tokens::counting(transaction, new.created_wall_ms)? >= MOST_TOKENS as i64 {
                let detail = format!("There are {MOST_TOKENS} tokens already; end some of them first.");
                return Ok(Err(Problem::new(Kind::Conflict, detail)));
            }
            let (id, secret) = issue(transaction, &new)?;
            Ok(Ok((tokens::get(transaction, &id)?, secret)))
        })
        .await??;
    let (token, secret) = made;
    let token: TokenItem =
        token.ok_or_else(|| Problem::internal(&"a token was made and is not there"))?.into();
    let place = [(header::LOCATION, format!("/api/v1/tokens/{}", token.id))];
    Ok((StatusCode::CREATED, place, Json(IssuedToken { token, secret: secret.reveal().to_owned(), notes })))
}

async fn end(
    State(desk): State<Desk>,
    caller: Caller,
    Names(id): Names<String>,
) -> Result<StatusCode, Problem> {
    let nothing = || Problem::not_found(format_args!("token {id:?} that still counts"));
    let wanted = id.clone();
    let token = desk.read(move |connection| tokens::get(connection, &wanted)).await?;
    let token = token.filter(|token| is_held(&caller, token)).ok_or_else(nothing)?;
    let revoked =
        desk.record(move |transaction| revoke(transaction, &token.id, &caller.actor(), wall_ms())).await?;
    if revoked { Ok(StatusCode::NO_CONTENT) } else { Err(nothing()) }
}
