//! Who may do what: five roles, nine rights, one table.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::fmt;

/// What somebody is allowed to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Role {
    /// Reads.
    Viewer,
    /// Reads, decides, stops things.
    Operator,
    /// Everything an operator does, and says who may do what.
    Admin,
    /// A machine that proposes. It sees the federation and can never decide.
    Agent,
    /// Reads everything, the record included, and changes nothing.
    Auditor,
}

/// What can be allowed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Right {
    /// See clusters and workloads.
    SeeWorld,
    /// See recommendations, executions, agents, freezes and modes.
    SeeDesk,
    /// Put a plan on the desk.
    Propose,
    /// Say under an agent's name what it wants now.
    SpeakForAgent,
    /// Approve, reject, defer, change a target.
    Decide,
    /// Freeze, abort, roll back; let virtual time run.
    Steer,
    /// Lift freezes, set modes, tokens, webhooks, models.
    Administer,
    /// Read the record.
    Audit,
    /// Know who one is, and leave.
    BeSomebody,
}

impl Role {
    pub const ALL: [Self; 5] = [Self::Viewer, Self::Operator, Self::Admin, Self::Agent, Self::Auditor];

    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Viewer => "viewer",
            Self::Operator => "operator",
            Self::Admin => "admin",
            Self::Agent => "agent",
            Self::Auditor => "auditor",
        }
    }

    pub fn parse(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|role| role.as_str() == text)
    }

    pub const fn may(self, right: Right) -> bool {
        use Right::{
            Administer, Audit, BeSomebody, Decide, Propose, SeeDesk, SeeWorld, SpeakForAgent, Steer,
        };
        match self {
            Self::Viewer => matches!(right, SeeWorld | SeeDesk | BeSomebody),
            Self::Operator => matches!(right, SeeWorld | SeeDesk | BeSomebody | Propose | Decide | Steer),
            Self::Admin => matches!(
                right,
                SeeWorld | SeeDesk | BeSomebody | Propose | Decide | Steer | Administer | Audit
            ),
            Self::Agent => matches!(right, SeeWorld | BeSomebody | Propose | SpeakForAgent),
            Self::Auditor => matches!(right, SeeWorld | SeeDesk | BeSomebody | Audit),
        }
    }
}

impl fmt::Display for Role {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.as_str())
    }
}

impl Right {
    pub const ALL: [Self; 9] = [
        Self::SeeWorld,
        Self::SeeDesk,
        Self::Propose,
        Self::SpeakForAgent,
        Self::Decide,
        Self::Steer,
        Self::Administer,
        Self::Audit,
        Self::BeSomebody,
    ];

    /// Roles that have it, for documents and refusals.
    pub fn holders(self) -> Vec<Role> {
        Role::ALL.into_iter().filter(|role| role.may(self)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn agents_and_auditors_change_nothing() {
        for right in [Right::Decide, Right::Steer, Right::Administer] {
            assert!(!Role::Agent.may(right) && !Role::Auditor.may(right) && !Role::Viewer.may(right));
        }
    }

    #[test]
    fn names_read_back() {
        for role in Role::ALL {
            assert_eq!(Role::parse(role.as_str()), Some(role));
        }
        assert_eq!(Role::parse("root"), None);
    }
}
