//! Signing in with an identity provider: which of its groups may do what, and where.

use super::SecretPlace;
use super::check::Checker;
use crate::access::Role;
use crate::outward::{Reach, is_in_vain};
use control::agent::Scope;
use model::document::{child, item};
use model::names::{ClusterName, check_name};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

const ROLES: &str = "access.oidc.roles";

/// An OpenID Connect provider.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RawOidc {
    /// The issuer's address, as its tokens name it.
    pub issuer: String,
    pub client_id: String,
    /// Where the client's secret is: `env:NAME` or `file:path`. Public clients have none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub client_secret: Option<String>,
    /// The claim that lists groups.
    #[serde(default = "groups")]
    pub groups_claim: String,
    /// Which group has which role, everywhere or in a part of the federation. Who is in none has none.
    pub roles: BTreeMap<String, RawGroup>,
}

fn groups() -> String {
    "groups".to_owned()
}

/// `operator`, or `{ role: operator, namespaces: [shop] }`.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum RawGroup {
    Everywhere(RawRole),
    Part(RawGroupPart),
}

#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RawGroupPart {
    pub role: RawRole,
    /// Only these clusters.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub clusters: Vec<String>,
    /// Only these namespaces.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub namespaces: Vec<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum RawRole {
    Viewer,
    Operator,
    Admin,
    Auditor,
}

#[derive(Clone, Debug)]
pub struct OidcConfig {
    pub issuer: String,
    pub client_id: String,
    pub client_secret: Option<SecretPlace>,
    pub groups_claim: String,
    pub roles: BTreeMap<String, Group>,
}

/// What the members of a group may do, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Group {
    pub role: Role,
    pub scope: Scope,
}

impl OidcConfig {
    /// Every cluster that a group is held to, and its place in the file.
    pub(super) fn clusters(&self) -> impl Iterator<Item = (String, &ClusterName)> {
        self.roles.iter().flat_map(|(name, group)| {
            let path = format!("{}.clusters", child(ROLES, name));
            group.scope.clusters.iter().map(move |cluster| (path.clone(), cluster))
        })
    }
}

impl Checker<'_> {
    pub(super) fn oidc(&mut self, raw: &RawOidc) -> Option<OidcConfig> {
        let (reached, named) = (self.issuer(&raw.issuer), !raw.client_id.trim().is_empty());
        if !named {
            let message = "an identity provider knows each of its clients by a name";
            self.report("access.oidc.client_id", message, "write the client ID that it gave to this desk");
        }
        let secret = raw.client_secret.as_ref().map(|text| self.secret("access.oidc.client_secret", text));
        let roles = self.groups(&raw.roles);
        (reached && named).then_some(())?;
        Some(OidcConfig {
            issuer: raw.issuer.clone(),
            client_id: raw.client_id.clone(),
            client_secret: secret.map_or(Some(None), |secret| secret.map(Some))?,
            groups_claim: raw.groups_claim.clone(),
            roles: roles?,
        })
    }

    /// Whether the provider can be asked there; it may lie in the same company.
    fn issuer(&mut self, url: &str) -> bool {
        let message = if !super::check::is_secure(url) {
            "an issuer is reached by https, or by http on this machine"
        } else if is_in_vain(url, Reach::Company) {
            "nobody is asked at an address that is link-local or reserved"
        } else {
            return true;
        };
        self.report("access.oidc.issuer", message, "write for instance https://login.example.org");
        false
    }

    fn groups(&mut self, raw: &BTreeMap<String, RawGroup>) -> Option<BTreeMap<String, Group>> {
        // All of them are looked at, so that all problems are told.
        let read: Vec<_> =
            raw.iter().map(|(name, group)| Some((name.clone(), self.group(name, group)?))).collect();
        let groups: BTreeMap<String, Group> = read.into_iter().collect::<Option<_>>()?;
        self.can_be_added(&groups).then_some(groups)
    }

    fn group(&mut self, name: &str, raw: &RawGroup) -> Option<Group> {
        let part = match raw {
            RawGroup::Everywhere(role) => return Some(Group { role: of(*role), scope: Scope::default() }),
            RawGroup::Part(part) => part,
        };
        let path = child(ROLES, name);
        if part.clusters.is_empty() && part.namespaces.is_empty() {
            let message = "a part of the federation names clusters or namespaces";
            self.report(&path, message, "write the role alone if it counts everywhere");
            return None;
        }
        let clusters = self.names(&format!("{path}.clusters"), &part.clusters, ClusterName::new);
        let own = |name: &str| check_name(name).map(|()| name.to_owned());
        let namespaces = self.names(&format!("{path}.namespaces"), &part.namespaces, own);
        let scope = Scope {
            clusters: clusters?.into_iter().collect(),
            namespaces: namespaces?.into_iter().collect(),
        };
        Some(Group { role: of(part.role), scope })
    }

    /// All of these, if all of them are names.
    fn names<T, E: std::fmt::Display>(
        &mut self,
        path: &str,
        texts: &[String],
        read: impl Fn(&str) -> Result<T, E>,
    ) -> Option<Vec<T>> {
        let one = |(index, text): (usize, &String)| {
            self.take(&item(path, index), read(text), "write it as Kubernetes does")
        };
        let names: Vec<Option<T>> = texts.iter().enumerate().map(one).collect();
        names.into_iter().collect()
    }

    /// Whoever is in several groups of a role has it in all of their parts together, which has to be a part itself: all clusters or
    /// all namespaces that one of them names, and what goes from one to another. Clusters here and namespaces there would together
    /// be workloads that nobody gave.
    fn can_be_added(&mut self, groups: &BTreeMap<String, Group>) -> bool {
        let mut first: BTreeMap<&str, (&String, &Group)> = BTreeMap::new();
        let mut fits = true;
        let is_sure = |name: &str| !self.doubts.touch(&child(ROLES, name));
        let parts: Vec<_> =
            groups.iter().filter(|(name, group)| group.scope != Scope::default() && is_sure(name)).collect();
        for (name, group) in parts {
            let (other, known) = *first.entry(group.role.as_str()).or_insert((name, group));
            if !are_added(&known.scope, &group.scope) {
                let role = group.role.as_str();
                let message = format!("who is in {other} as well would be {role} in more than both give");
                let proposal =
                    format!("narrow all groups that are {role} by clusters alone, or all by namespaces");
                self.report(&child(ROLES, name), message, proposal);
                fits = false;
            }
        }
        fits
    }
}

/// Whether two parts together are a part that holds no other workload.
fn are_added(one: &Scope, other: &Scope) -> bool {
    let both = |empty: fn(&Scope) -> bool| empty(one) && empty(other);
    one == other || both(|scope| scope.clusters.is_empty()) || both(|scope| scope.namespaces.is_empty())
}

const fn of(role: RawRole) -> Role {
    match role {
        RawRole::Viewer => Role::Viewer,
        RawRole::Operator => Role::Operator,
        RawRole::Admin => Role::Admin,
        RawRole::Auditor => Role::Auditor,
    }
}

#[cfg(test)]
mod tests {
    use super::super::{DeskConfig, read};
    use super::*;
    use model::document::Problems;

    fn desk(roles: &str) -> Result<DeskConfig, Problems> {
        let text = format!(
            "drover: desk/v1\nworld: {{ simulate: three-waves.yaml }}\naccess:\n  oidc:\n    issuer: https://login.example.org\n    \
             client_id: drover\n    roles:\n{roles}"
        );
        read("desk.yaml", text.as_bytes())
    }

    fn refused(roles: &str, expected: &[(u32, &str, &str)]) {
        let problems = desk(roles).expect_err("it is refused");
        let found: Vec<(u32, &str, &str)> =
            problems.iter().map(|it| (it.line, it.path.as_str(), it.message.as_str())).collect();
        assert_eq!(found, expected);
        assert!(
            problems.iter().all(|it| ["write", "narrow"].iter().any(|verb| it.proposal.starts_with(verb))),
            "{problems:?}"
        );
    }

    #[test]
    fn a_group_has_a_role_everywhere_or_in_a_part() {
        let config = desk(
            "      chiefs: admin\n      shop: { role: operator, namespaces: [shop, cart] }\n      \
             https://acme.example/east: { role: viewer, clusters: [east], namespaces: [bank] }\n",
        );
        let roles =
            config.unwrap_or_else(|problems| panic!("{problems:?}")).access.oidc.expect("a provider").roles;
        let scope = |name: &str| (roles[name].role, roles[name].scope.clone());
        let part = |clusters: &[&str], namespaces: &[&str]| Scope {
            clusters: clusters.iter().map(|name| ClusterName::new(name).expect("a name")).collect(),
            namespaces: namespaces.iter().map(|name| (*name).to_owned()).collect(),
        };
        assert_eq!(scope("chiefs"), (Role::Admin, Scope::default()));
        assert_eq!(scope("shop"), (Role::Operator, part(&[], &["cart", "shop"])));
        assert_eq!(scope("https://acme.example/east"), (Role::Viewer, part(&["east"], &["bank"])));
    }

    #[test]
    fn what_is_no_part_is_refused_with_all_else() {
        refused(
            "      none: { role: viewer }\n      odd: { role: viewer, clusters: [East], namespaces: [a_b] }\n",
            &[
                (8, "access.oidc.roles.none", "a part of the federation names clusters or namespaces"),
                (
                    9,
                    "access.oidc.roles.odd.clusters[0]",
                    "\"East\" is not a name: only lower-case letters, digits, '-' and '.' are allowed; did you mean \"east\"?",
                ),
                (
                    9,
                    "access.oidc.roles.odd.namespaces[0]",
                    "\"a_b\" is not a name: only lower-case letters, digits, '-' and '.' are allowed; did you mean \"a-b\"?",
                ),
            ],
        );
    }

    #[test]
    fn parts_of_one_role_add_up_to_a_part() {
        refused(
            "      east: { role: operator, clusters: [east] }\n      shop: { role: operator, namespaces: [shop] }\n      \
             watchers: { role: viewer, namespaces: [shop] }\n",
            &[(
                9,
                "access.oidc.roles.shop",
                "who is in east as well would be operator in more than both give",
            )],
        );
        let fits = "      east: { role: operator, clusters: [east] }\n      west: { role: operator, clusters: [west] }\n";
        assert!(desk(fits).is_ok());
    }

    #[test]
    fn nothing_is_said_of_a_group_whose_role_cannot_be_read() {
        let problems =
            desk("      east: { role: operatr, clusters: [east] }\n      shop: { role: viewer, namespaces: [shop] }\n")
                .expect_err("there is no such role");
        let paths: Vec<&str> = problems.iter().map(|it| it.path.as_str()).collect();
        assert!(
            !paths.is_empty() && paths.iter().all(|path| path.starts_with("access.oidc.roles.east")),
            "{problems:?}"
        );
    }
}
