//! Somebody who was recognised, and how far their word reaches.

use super::role::Role;
use super::session;
use super::sight::Sight;
use crate::api::problem::{Kind, Problem};
use crate::storage::tables::recommendations::Item;
use control::agent::Scope;
use model::hash::ContentHash;
use model::names::{ClusterName, ReviewerName};
use model::order::Extent;

/// Whoever sends a request.
#[derive(Clone, Debug)]
pub struct Caller {
    /// The name under which they decide.
    pub name: ReviewerName,
    pub role: Role,
    /// The part of the federation they may touch; everything if it names nothing.
    pub scope: Scope,
    pub proof: Proof,
}

/// How somebody was recognised.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Proof {
    /// By a token; its number.
    Token(String),
    /// By a session's cookie.
    Session(ContentHash),
}

impl Proof {
    /// As the record tells it: enough to find a lost token or an open session, and nothing that lets anybody in.
    pub fn shown(&self) -> String {
        match self {
            Self::Token(id) => format!("token:{id}"),
            Self::Session(hash) => format!("session:{}", session::number(*hash)),
        }
    }
}

impl Caller {
    /// As the record names them.
    pub fn actor(&self) -> String {
        let kind = if self.role == Role::Agent { "agent" } else { "person" };
        format!("{kind}:{}", self.name)
    }

    /// How far they see.
    pub fn sight(&self) -> Sight {
        Sight::from(&self.scope)
    }

    /// Whether a recommendation lies within their part of the federation.
    pub fn must_reach(&self, item: &Item) -> Result<(), Problem> {
        let cluster = |name: &Option<String>| {
            let inside = |name: &String| self.scope.clusters.iter().any(|known| known.as_str() == name);
            self.scope.clusters.is_empty() || name.as_ref().is_none_or(inside)
        };
        let namespace = |name: &Option<String>| {
            self.scope.namespaces.is_empty()
                || name.as_ref().is_some_and(|name| self.scope.namespaces.contains(name))
        };
        let inside = cluster(&item.from_cluster) && cluster(&item.to_cluster) && namespace(&item.namespace);
        if inside { Ok(()) } else { Err(outside()) }
    }

    /// Whether they may hand out or take away rights over a part of the federation: never more than their own.
    pub fn must_hold(&self, scope: &Scope) -> Result<(), Problem> {
        if self.holds(scope) { Ok(()) } else { Err(outside()) }
    }

    pub fn holds(&self, scope: &Scope) -> bool {
        self.scope.covers(scope)
    }

    pub fn must_reach_cluster(&self, cluster: &ClusterName) -> Result<(), Problem> {
        let inside = self.scope.clusters.is_empty() || self.scope.clusters.contains(cluster);
        if inside { Ok(()) } else { Err(outside()) }
    }

    /// Whether they may stop or grant something in a part of the federation. Stopping more than one's own part is not allowed.
    pub fn must_reach_extent(&self, extent: &Extent) -> Result<(), Problem> {
        if self.scope == Scope::default() {
            return Ok(());
        }
        let inside = match extent {
            Extent::Cluster(name) => self.scope.namespaces.is_empty() && self.scope.clusters.contains(name),
            Extent::Namespace(name) => self.scope.clusters.is_empty() && self.scope.namespaces.contains(name),
            Extent::Workload(name) => {
                self.scope.clusters.is_empty() && self.scope.namespaces.contains(name.namespace())
            }
            Extent::Everything | Extent::Agent(_) => false,
        };
        if inside { Ok(()) } else { Err(outside()) }
    }
}

fn outside() -> Problem {
    Problem::new(Kind::Forbidden, "This lies outside the part of the federation that you may touch.")
}
