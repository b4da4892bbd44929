//! Which names are taken: one name is one somebody, and nobody speaks for another.

use super::role::Role;
use crate::storage::tables::tokens::{self, Token};
use crate::storage::{Connection, Error};
use control::agent::Scope;
use control::ordering::is_word;
use model::names::{AgentName, ReviewerName};

/// The agents whose names are taken.
#[derive(Clone, Debug, Default)]
pub struct Residents {
    /// Those that decide inside the desk: nobody outside may propose under their names.
    pub inside: Vec<AgentName>,
    /// Those that propose through another door, such as WASP's.
    pub outside: Vec<AgentName>,
}

impl Residents {
    fn has(list: &[AgentName], name: &str) -> bool {
        list.iter().any(|known| known.as_str() == name)
    }

    fn is_agent(&self, name: &str) -> bool {
        Self::has(&self.inside, name) || Self::has(&self.outside, name)
    }

    /// Whether a person can be called like this without being taken for somebody else.
    pub fn leave_free(&self, name: &str) -> bool {
        !is_word(name) && !self.is_agent(name)
    }

    /// Why nobody of this role can have this name, if nobody can. Names stay taken when a token ends: the record keeps them.
    pub fn objection(
        &self,
        connection: &mut dyn Connection,
        name: &ReviewerName,
        role: Role,
    ) -> Result<Option<String>, Error> {
        let namesakes = tokens::named(connection, name.as_str())?;
        Ok(self.objection_to(name.as_str(), role, &namesakes))
    }

    /// Whether this name speaks for a person of this role and part alone: whoever was given it for less came by another way.
    pub fn leave_to(
        &self,
        connection: &mut dyn Connection,
        name: &ReviewerName,
        (role, scope): (Role, &Scope),
    ) -> Result<bool, Error> {
        let namesakes = tokens::named(connection, name.as_str())?;
        let as_much = |token: &Token| token.scope.read("a scope").is_ok_and(|held: Scope| held.covers(scope));
        Ok(self.objection_to(name.as_str(), role, &namesakes).is_none() && namesakes.iter().all(as_much))
    }

    fn objection_to(&self, name: &str, role: Role, namesakes: &[Token]) -> Option<String> {
        let is_agents = |token: &Token| token.role == Role::Agent.as_str();
        if is_word(name) {
            return Some(format!("{name} is a word of the record; take another name"));
        }
        match role {
            Role::Agent if Self::has(&self.inside, name) => {
                Some(format!("{name} decides inside the desk, and nobody else speaks for it"))
            }
            Role::Agent if !namesakes.iter().all(is_agents) => {
                Some(format!("{name} is a person; give the agent a name of its own"))
            }
            Role::Agent => None,
            _ if self.is_agent(name) || namesakes.iter().any(is_agents) => {
                Some(format!("{name} is an agent; a person needs a name of their own"))
            }
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::storage::JsonText;
    use model::hash::ContentHash;

    fn token(role: Role) -> Token {
        Token {
            id: "T-1".into(),
            name: "any".into(),
            role: role.as_str().into(),
            scope: JsonText::of(&()),
            secret_hash: ContentHash::ZERO,
            created_by: "test".into(),
            created_wall_ms: 0,
            expires_wall_ms: None,
            used_wall_ms: None,
            revoked_wall_ms: Some(1),
        }
    }

    fn check(name: &str, role: Role, namesake: Option<Role>, expected: Option<&str>) {
        let agent = |name| AgentName::new(name).expect("a name");
        let residents = Residents { inside: vec![agent("planner")], outside: vec![agent("wasp-engine")] };
        let namesakes: Vec<Token> = namesake.into_iter().map(token).collect();
        let objection = residents.objection_to(name, role, &namesakes);
        assert_eq!(objection.is_some(), expected.is_some(), "{name} as {role}: {objection:?}");
        let told = objection.unwrap_or_default();
        assert!(told.contains(expected.unwrap_or_default()), "{told}");
    }

    #[test]
    fn nobody_takes_the_name_of_another() {
        check("anna", Role::Operator, None, None);
        check("anna", Role::Operator, Some(Role::Viewer), None);
        check("mover", Role::Agent, Some(Role::Agent), None);
        check("wasp-engine", Role::Agent, None, None);
        check("people", Role::Agent, None, Some("a word of the record"));
        check("auto", Role::Admin, None, Some("a word of the record"));
        check("freeze-object.sale", Role::Admin, None, Some("a word of the record"));
        check("planner", Role::Agent, None, Some("decides inside the desk"));
        check("planner", Role::Viewer, None, Some("is an agent"));
        check("wasp-engine", Role::Admin, None, Some("is an agent"));
        check("mover", Role::Operator, Some(Role::Agent), Some("is an agent"));
        check("anna", Role::Agent, Some(Role::Operator), Some("is a person"));
    }
}
