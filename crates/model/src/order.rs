//! What people order besides answering: stop, go on, who may pass, another target, a plan of their own.

use crate::action::Action;
use crate::hash::ContentHash;
use crate::names::{AgentName, ClusterName, ReviewerName, WorkloadRef};
use crate::recommendation::RecommendationId;
use crate::risk::Risk;
use crate::time::Timestamp;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::fmt;
use std::str::FromStr;

/// Before the name of an object beside the desk that freezes something, as the one who ordered it. No person may be called so.
pub const FREEZE_OBJECT: &str = "freeze-object.";

/// An order with the person who gave it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Order {
    pub by: ReviewerName,
    pub reason: String,
    pub what: Command,
}

/// What is ordered.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "order", rename_all = "snake_case")]
pub enum Command {
    /// Nothing more happens in this part until somebody lifts it or its time is over.
    Freeze {
        scope: Extent,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        until: Option<Timestamp>,
    },
    /// Lifts a freeze. What was granted to rules in its part goes back to people.
    Unfreeze { freeze: FreezeId },
    /// Says who answers for an agent or a part of the federation from now on.
    SetMode { setting: ModeSetting },
    /// Takes back what was said about an agent or a part: what holds without it holds again.
    ClearMode {
        #[serde(default, skip_serializing_if = "Option::is_none")]
        agent: Option<AgentName>,
        scope: Extent,
    },
    /// Wants a pending migration to go elsewhere: a new plan takes the place of the old one.
    ChangeTarget { recommendation: RecommendationId, hash: ContentHash, to: ClusterName },
    /// Proposes an action. Somebody else has to approve it unless the rules let people approve their own.
    Propose {
        action: Action,
        /// The recommendation whose effect it would undo.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        undoes: Option<RecommendationId>,
    },
    /// Gives up what is being carried out; the world takes it back as far as it can.
    Abort { recommendation: RecommendationId },
}

/// A number that grows with every freeze: `F-3`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct FreezeId(pub u64);

impl fmt::Display for FreezeId {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "F-{}", self.0)
    }
}

impl FromStr for FreezeId {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let number = text.strip_prefix("F-").and_then(|digits| digits.parse().ok());
        number.map(Self).ok_or("a freeze is written F-<number>, such as F-3")
    }
}

impl Serialize for FreezeId {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for FreezeId {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = std::borrow::Cow::<'de, str>::deserialize(deserializer)?;
        text.parse().map_err(serde::de::Error::custom)
    }
}

/// A part of the federation, or what one agent wants in it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(tag = "kind", content = "name", rename_all = "snake_case")]
pub enum Extent {
    Everything,
    Cluster(ClusterName),
    Namespace(String),
    Workload(WorkloadRef),
    Agent(AgentName),
}

impl Extent {
    /// Whether this action of this agent lies within.
    pub fn covers(&self, agent: &AgentName, action: &Action) -> bool {
        let workload = action.workload();
        match self {
            Self::Everything => true,
            Self::Cluster(name) => action.clusters().contains(&name),
            Self::Namespace(name) => workload.is_some_and(|workload| workload.namespace() == name),
            Self::Workload(name) => workload == Some(name),
            Self::Agent(name) => name == agent,
        }
    }

    /// The same for the part of the action that happens in one of its clusters.
    fn covers_in(&self, agent: &AgentName, action: &Action, cluster: &ClusterName) -> bool {
        match self {
            Self::Cluster(name) => name == cluster,
            _ => self.covers(agent, action),
        }
    }

    /// Whether all that lies within the other lies within this.
    fn holds(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Everything, _) => true,
            (Self::Namespace(name), Self::Workload(workload)) => workload.namespace() == name,
            _ => self == other,
        }
    }

    /// Whether something may lie within both. Each cluster counts for itself, although a migration touches two.
    fn meets(&self, other: &Self) -> bool {
        let one_kind = matches!(
            (self, other),
            (Self::Cluster(_), Self::Cluster(_))
                | (Self::Namespace(_) | Self::Workload(_), Self::Namespace(_) | Self::Workload(_))
                | (Self::Agent(_), Self::Agent(_))
        );
        !one_kind || self.holds(other) || other.holds(self)
    }
}

impl fmt::Display for Extent {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Everything => formatter.write_str("everything"),
            Self::Cluster(name) => write!(formatter, "cluster {name}"),
            Self::Namespace(name) => write!(formatter, "namespace {name}"),
            Self::Workload(name) => write!(formatter, "workload {name}"),
            Self::Agent(name) => write!(formatter, "agent {name}"),
        }
    }
}

/// A freeze that stands.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct StandingFreeze {
    pub id: FreezeId,
    pub scope: Extent,
    pub by: ReviewerName,
    pub reason: String,
    pub since: Timestamp,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub until: Option<Timestamp>,
}

/// Who answers in one part of the federation.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ModeSetting {
    /// Whose recommendations; everybody's if nobody is named.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub agent: Option<AgentName>,
    pub scope: Extent,
    pub mode: Mode,
}

impl ModeSetting {
    /// People answer in this part.
    pub fn human(scope: &Extent) -> Self {
        let (agent, scope) = whom(None, scope);
        Self { agent: agent.cloned(), scope: scope.clone(), mode: Mode::Human }
    }

    /// Whether it says who answers for the part of an action that happens in one of its clusters.
    pub fn covers_in(&self, agent: &AgentName, action: &Action, cluster: &ClusterName) -> bool {
        self.agent.as_ref().is_none_or(|name| name == agent) && self.scope.covers_in(agent, action, cluster)
    }

    /// Whether it says something about exactly this agent and this part.
    pub fn is_about(&self, agent: Option<&AgentName>, scope: &Extent) -> bool {
        whom(self.agent.as_ref(), &self.scope) == whom(agent, scope)
    }

    /// Whether the other says something about the same part.
    pub fn is_about_the_same(&self, other: &Self) -> bool {
        self.is_about(other.agent.as_ref(), &other.scope)
    }

    /// Whether all that it is about lies within a part.
    pub fn lies_in(&self, part: &Extent) -> bool {
        match (part, whom(self.agent.as_ref(), &self.scope)) {
            (Extent::Agent(name), (agent, _)) => agent == Some(name),
            (part, (_, scope)) => part.holds(scope),
        }
    }

    /// Whether something that it is about may lie within a part.
    pub fn meets(&self, part: &Extent) -> bool {
        match (part, whom(self.agent.as_ref(), &self.scope)) {
            (Extent::Agent(name), (agent, _)) => agent.is_none_or(|agent| agent == name),
            (part, (_, scope)) => part.meets(scope),
        }
    }
}

/// An agent can be named as whose recommendations are meant, and as the part that is meant: both say the same.
fn whom<'a>(agent: Option<&'a AgentName>, scope: &'a Extent) -> (Option<&'a AgentName>, &'a Extent) {
    match scope {
        Extent::Agent(name) if agent.is_none_or(|agent| agent == name) => (Some(name), &Extent::Everything),
        _ => (agent, scope),
    }
}

/// Who answers.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "mode", rename_all = "snake_case")]
pub enum Mode {
    /// Recommendations are shown and recorded; nobody can have them carried out.
    Observe,
    /// A person answers each.
    Human,
    /// What the rules name passes without a person; a person answers the rest.
    Rules,
    /// Everything within the limits passes without a person; a person answers the rest.
    Auto {
        #[serde(default)]
        limits: Grant,
    },
}

impl Mode {
    /// How freely things happen: where two settings meet, the lower number holds.
    pub const fn freedom(&self) -> u8 {
        match self {
            Self::Observe => 0,
            Self::Human => 1,
            Self::Rules => 2,
            Self::Auto { .. } => 3,
        }
    }

    /// Whether something may pass without a person.
    pub const fn is_grant(&self) -> bool {
        self.freedom() > Self::Human.freedom()
    }

    /// The more careful of the two; of two grants, what lies within the limits of both.
    #[must_use]
    pub fn and(self, other: Self) -> Self {
        match (self, other) {
            (Self::Auto { limits }, Self::Auto { limits: others }) => {
                Self::Auto { limits: limits.and(others) }
            }
            (one, other) if one.freedom() <= other.freedom() => one,
            (_, other) => other,
        }
    }

    pub const fn as_str(&self) -> &'static str {
        match self {
            Self::Observe => "observe",
            Self::Human => "human",
            Self::Rules => "rules",
            Self::Auto { .. } => "auto",
        }
    }
}

/// What passes without a person, by code. What is not said is not limited here; the guardrails hold in any case.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Grant {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub highest_risk: Option<Risk>,
    /// Replicas, or nodes of a pool, that one action may move, add or remove.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub replicas: Option<u32>,
    /// Actions within an hour.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub per_hour: Option<u32>,
    /// When the grant ends.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub until: Option<Timestamp>,
}

impl Grant {
    /// More actions of one agent in an hour are no pace that anybody could follow.
    pub const MOST_PER_HOUR: u32 = 1_000;

    /// Whether it limits nothing. A laboratory may grant that, where no person is; a desk may not.
    pub fn is_unlimited(&self) -> bool {
        *self == Self::default()
    }

    /// Whether it comes to an end or has a pace, so that nobody has to remember it.
    pub const fn is_bounded(&self) -> bool {
        self.until.is_some() || self.per_hour.is_some()
    }

    /// What lies within the limits of both.
    fn and(self, other: Self) -> Self {
        Self {
            highest_risk: least(self.highest_risk, other.highest_risk),
            replicas: least(self.replicas, other.replicas),
            per_hour: least(self.per_hour, other.per_hour),
            until: least(self.until, other.until),
        }
    }
}

/// No limit is the loosest.
fn least<T: Ord>(one: Option<T>, other: Option<T>) -> Option<T> {
    match (one, other) {
        (Some(one), Some(other)) => Some(one.min(other)),
        (one, other) => one.or(other),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scopes() -> Vec<Extent> {
        vec![
            Extent::Everything,
            Extent::Cluster(ClusterName::new("a").unwrap()),
            Extent::Namespace("default".to_owned()),
            Extent::Workload("default/web".parse().unwrap()),
            Extent::Agent(AgentName::new("keeper").unwrap()),
        ]
    }

    #[test]
    fn scopes_survive_their_text_form() {
        for scope in scopes() {
            let text = serde_json::to_string(&scope).unwrap();
            assert_eq!(serde_json::from_str::<Extent>(&text).unwrap(), scope, "{text}");
        }
    }

    #[test]
    fn every_scope_covers_what_it_names_and_nothing_else() {
        let migrate = |name: &str, from: &str, to: &str| Action::Migrate {
            workload: name.parse().unwrap(),
            from: ClusterName::new(from).unwrap(),
            to: ClusterName::new(to).unwrap(),
            replicas: 1,
        };
        let (keeper, other) = (AgentName::new("keeper").unwrap(), AgentName::new("other").unwrap());
        let inside = migrate("default/web", "b", "a");
        let outside = migrate("shop/cart", "b", "c");
        for scope in scopes() {
            assert!(scope.covers(&keeper, &inside), "{scope}");
            let everything = scope == Extent::Everything;
            assert_eq!(scope.covers(&other, &outside), everything, "{scope}");
        }
    }

    #[test]
    fn parts_hold_and_meet_each_other() {
        let [everything, cluster, namespace, workload, agent] = scopes().try_into().unwrap();
        let other = Extent::Cluster(ClusterName::new("b").unwrap());
        let stranger = Extent::Workload("shop/cart".parse().unwrap());
        let setting = |agent: Option<&str>, scope: &Extent| ModeSetting {
            agent: agent.map(|name| AgentName::new(name).unwrap()),
            ..ModeSetting { agent: None, scope: scope.clone(), mode: Mode::Rules }
        };
        for (whose, scope, part, lies_in, meets) in [
            (None, &everything, &everything, true, true),
            (None, &cluster, &everything, true, true),
            (None, &everything, &cluster, false, true),
            (None, &cluster, &cluster, true, true),
            (None, &other, &cluster, false, false),
            (None, &namespace, &cluster, false, true),
            (None, &workload, &namespace, true, true),
            (None, &namespace, &workload, false, true),
            (None, &stranger, &namespace, false, false),
            (None, &stranger, &workload, false, false),
            (None, &agent, &agent, true, true),
            (None, &cluster, &agent, false, true),
            (Some("keeper"), &everything, &agent, true, true),
            (Some("keeper"), &cluster, &agent, true, true),
            (Some("other"), &everything, &agent, false, false),
            (Some("other"), &cluster, &cluster, true, true),
        ] {
            let setting = setting(whose, scope);
            let found = (setting.lies_in(part), setting.meets(part));
            assert_eq!(found, (lies_in, meets), "{whose:?} in {scope} and {part}");
        }
    }

    #[test]
    fn an_agent_is_the_same_however_it_is_named() {
        let keeper = AgentName::new("keeper").unwrap();
        let part = Extent::Agent(keeper.clone());
        let setting = ModeSetting { agent: Some(keeper), scope: Extent::Everything, mode: Mode::Human };
        assert_eq!(ModeSetting::human(&part), setting);
        assert!(setting.is_about(None, &part) && !setting.is_about(None, &Extent::Everything));
    }

    #[test]
    fn of_two_modes_the_more_careful_holds_and_of_two_grants_the_limits_of_both() {
        let auto =
            |replicas, per_hour| Mode::Auto { limits: Grant { replicas, per_hour, ..Grant::default() } };
        assert_eq!(Mode::Human.and(Mode::Rules), Mode::Human);
        assert_eq!(auto(None, None).and(Mode::Observe), Mode::Observe);
        assert_eq!(auto(Some(3), None).and(auto(Some(2), Some(4))), auto(Some(2), Some(4)));
    }
}
