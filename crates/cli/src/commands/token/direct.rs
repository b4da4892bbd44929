//! Tokens in the data of a desk that does not run.

use super::Create;
use crate::desk::config_at;
use crate::desk::storage::{Place, in_use, open_existing};
use crate::failure::{Failure, NOT_FOUND};
use crate::files;
use anyhow::anyhow;
use control::agent::Scope;
use model::document::nearest;
use model::names::ClusterName;
use model::time::Period;
use server::access::{self, NewToken, Residents, Role};
use server::api::wire::{IssuedToken, TokenItem};
use server::clock::wall_ms;
use server::config::raw::RawAccess;
use server::storage::tables::tokens;
use server::storage::{Connection, Database};
use std::path::Path;

/// Who did it, as the record names them: whoever can write to the data without a desk.
const ACTOR: &str = "command-line";

/// What the desk's file says about tokens, as far as there is one.
struct Rules {
    longest: Period,
    /// The clusters of the scenario; none if nobody knows them.
    clusters: Option<Vec<ClusterName>>,
    residents: Residents,
}

fn rules(place: &Place) -> Result<Rules, Failure> {
    let Some(path) = place.config_path() else {
        let longest = RawAccess::default().longest_token;
        return Ok(Rules { longest, clusters: None, residents: Residents::default() });
    };
    // Whoever makes a token tells nobody else: secrets of others are not needed for it.
    let config = config_at(path)?;
    let scenario = files::scenario_at(&files::beside(path, Path::new(&config.scenario)))?;
    let residents = Residents {
        inside: scenario.agents.iter().map(|agent| agent.name.clone()).collect(),
        outside: config.wasp.iter().map(|wasp| wasp.agent.clone()).collect(),
    };
    let clusters = scenario.world.clusters.iter().map(|cluster| cluster.name.clone()).collect();
    Ok(Rules { longest: config.access.longest_token, clusters: Some(clusters), residents })
}

/// A token for a cluster that is not there would open nothing.
fn check_clusters(wish: &Create, known: &[ClusterName]) -> Result<(), Failure> {
    let Some(unknown) = wish.clusters.iter().find(|name| !known.contains(name)) else { return Ok(()) };
    let names: Vec<&str> = known.iter().map(ClusterName::as_str).collect();
    let proposal = match nearest(unknown.as_str(), names.iter().copied()) {
        Some(near) => format!("did you mean {near}?"),
        None => format!("write one of {}", names.join(", ")),
    };
    Err(Failure::Input(format!("drover: --cluster {unknown}: there is no such cluster; {proposal}")))
}

fn new_token(wish: &Create, longest: Period) -> Result<NewToken, Failure> {
    if wish.expires > longest || wish.expires.is_zero() {
        let (expires, longest) = (wish.expires, longest);
        return Err(Failure::Input(format!(
            "drover: --expires {expires}: a token of this desk counts for at most {longest}, and not for no time"
        )));
    }
    let created_wall_ms = wall_ms();
    Ok(NewToken {
        name: wish.name.clone(),
        role: Role::parse(&wish.role).ok_or_else(|| anyhow!("there is no role {:?}", wish.role))?,
        scope: Scope {
            clusters: wish.clusters.iter().cloned().collect(),
            namespaces: wish.namespaces.iter().cloned().collect(),
        },
        created_by: ACTOR.to_owned(),
        created_wall_ms,
        expires_wall_ms: Some(created_wall_ms.saturating_add_unsigned(wish.expires.as_millis())),
    })
}

pub(super) fn create(wish: &Create) -> Result<IssuedToken, Failure> {
    let Rules { longest, clusters, residents } = rules(&wish.place)?;
    clusters.map_or(Ok(()), |known| check_clusters(wish, &known))?;
    let new = new_token(wish, longest)?;
    let database = Database::open(&wish.place.location()?).map_err(in_use)?;
    database.check_record()?;
    let made = database.write(|transaction| {
        if let Some(objection) = residents.objection(transaction, &new.name, new.role)? {
            return Ok(Err(objection));
        }
        let (id, secret) = access::issue(transaction, &new)?;
        Ok(Ok((find(transaction, &id)?, secret)))
    })?;
    let (token, secret) = made.map_err(|objection| Failure::Input(format!("drover: --name: {objection}")))?;
    let token = token.ok_or_else(|| anyhow!("a token was made and is not there"))?;
    Ok(IssuedToken { token, secret: secret.reveal().to_owned(), notes: Vec::new() })
}

fn find(connection: &mut dyn Connection, id: &str) -> Result<Option<TokenItem>, server::storage::Error> {
    Ok(tokens::get(connection, id)?.map(Into::into))
}

pub(super) fn list(place: &Place) -> Result<Vec<TokenItem>, Failure> {
    let all = open_existing(&place.location()?)?.read(tokens::all)?;
    Ok(all.into_iter().map(Into::into).collect())
}

pub(super) fn revoke(place: &Place, id: &str) -> Result<(), Failure> {
    let database = open_existing(&place.location()?)?;
    if database.write(|transaction| access::revoke(transaction, id, ACTOR, wall_ms()))? {
        return Ok(());
    }
    let text = format!("drover: no token {id} counts; drover token list shows all of them");
    Err(Failure::refused(NOT_FOUND, text))
}
