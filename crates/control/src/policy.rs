//! Who has to be asked: by agent and part of the federation, by rules, within grants.

use crate::review_desk::ReviewMode;
use crate::rules::{Facts, Problem, Rule, review_facts};
use model::action::Action;
use model::names::{AgentName, ClusterName, ReviewerName};
use model::order::{Extent, Grant, Mode, ModeSetting};
use model::recommendation::Recommendation;
use model::time::{Period, Timestamp};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::collections::VecDeque;

const HOUR: Period = Period::from_hours(1);

/// More settings than this are a list that nobody oversees any more.
pub(crate) const MOST_SETTINGS: usize = 1_000;

/// What a deployment says about reviewing, beyond the mode of the loop.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Policy {
    /// Who answers where; where several fit, the most careful holds, and where none fits, the mode of the loop.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub modes: Vec<ModeSetting>,
    /// In mode `rules`: what passes without a person. The first rule that says yes approves.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub passes: Vec<PassRule>,
    /// What needs more than one person; where several fit, the most count.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub approvers: Vec<ApproverRule>,
    /// Whether people may approve plans that they made or changed themselves.
    #[serde(default)]
    pub own_plans: bool,
    /// For so long no agent recommends again what a person rejected.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ask_again_after: Option<Period>,
    /// Whether the effect of each recommendation is predicted before anybody is asked.
    #[serde(default)]
    pub predict: bool,
}

/// Something that a person granted.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PassRule {
    /// The name under which it approves.
    pub name: ReviewerName,
    pub when: ReviewRule,
}

/// Something that one person alone may not approve.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ApproverRule {
    pub people: u32,
    pub when: ReviewRule,
}

/// A rule about a recommendation that waits for an answer. In files and journals it is its text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReviewRule(Rule);

impl ReviewRule {
    /// Reads a rule; everything that is wrong with it at once.
    pub fn parse(text: &str) -> Result<Self, Vec<Problem>> {
        Rule::parse(text, &review_facts::schema()).map(Self)
    }

    pub fn as_str(&self) -> &str {
        self.0.as_str()
    }

    /// Whether it holds. What cannot be known does not hold: nothing passes for lack of a fact.
    fn holds(&self, facts: &Facts) -> bool {
        self.0.evaluate(facts) == Ok(true)
    }

    /// Whether it holds or might: what cannot be known counts, so that nothing gets by with too few people.
    fn may_hold(&self, facts: &Facts) -> bool {
        self.0.evaluate(facts) != Ok(false)
    }
}

impl Serialize for ReviewRule {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}

impl<'de> Deserialize<'de> for ReviewRule {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        Self::parse(&text).map_err(|problems| {
            let all: Vec<String> = problems.iter().map(ToString::to_string).collect();
            serde::de::Error::custom(all.join("; "))
        })
    }
}

impl Policy {
    /// The first rule that lets this pass.
    pub(crate) fn passing(&self, facts: &Facts) -> Option<&ReviewerName> {
        self.passes.iter().find(|rule| rule.when.holds(facts)).map(|rule| &rule.name)
    }

    /// How many people have to say yes.
    pub(crate) fn people_needed(&self, facts: &Facts) -> u32 {
        let fitting = self.approvers.iter().filter(|rule| rule.when.may_hold(facts));
        fitting.map(|rule| rule.people).max().unwrap_or(1)
    }

    /// For how long a no counts.
    pub(crate) fn rest(&self) -> Period {
        self.ask_again_after.unwrap_or_default()
    }

    pub fn is_default(&self) -> bool {
        *self == Self::default()
    }
}

/// Who answers at the moment. It begins with what the deployment says; people change it.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Modes {
    otherwise: Mode,
    /// The name under which things pass where the loop's own mode lets them.
    granted_as: ReviewerName,
    settings: Vec<ModeSetting>,
    /// What passed without a person in the last hour, and whose it was.
    passed: VecDeque<(Timestamp, AgentName)>,
}

impl Modes {
    pub(crate) fn new(review: &ReviewMode, policy: &Policy) -> Self {
        let auto = || ReviewerName::new("auto").expect("a valid name");
        let (otherwise, granted_as) = match review {
            ReviewMode::Observe => (Mode::Observe, auto()),
            ReviewMode::Human => (Mode::Human, auto()),
            ReviewMode::Rules => (Mode::Rules, auto()),
            ReviewMode::Auto { rule, limits } => (Mode::Auto { limits: *limits }, rule.clone()),
        };
        Self { otherwise, granted_as, settings: policy.modes.clone(), passed: VecDeque::new() }
    }

    pub(crate) const fn granted_as(&self) -> &ReviewerName {
        &self.granted_as
    }

    pub(crate) fn settings(&self) -> &[ModeSetting] {
        &self.settings
    }

    pub(crate) const fn otherwise(&self) -> &Mode {
        &self.otherwise
    }

    /// Who answers for an action: in each cluster that it touches the most careful mode that somebody set there, or that of the loop,
    /// and of those the most careful. So a grant for one cluster takes nothing out of another, and brings nothing there.
    pub(crate) fn of(&self, agent: &AgentName, action: &Action) -> Mode {
        let modes = action.clusters().into_iter().map(|cluster| self.within(agent, action, cluster));
        modes.reduce(Mode::and).unwrap_or(Mode::Human)
    }

    fn within(&self, agent: &AgentName, action: &Action, cluster: &ClusterName) -> Mode {
        let fitting = self.settings.iter().filter(|setting| setting.covers_in(agent, action, cluster));
        let modes = fitting.map(|setting| setting.mode.clone());
        modes.reduce(Mode::and).unwrap_or_else(|| self.otherwise.clone())
    }

    /// Whether something was said about exactly the same.
    pub(crate) fn knows(&self, new: &ModeSetting) -> bool {
        self.settings.iter().any(|setting| setting.is_about_the_same(new))
    }

    pub(crate) fn set(&mut self, new: ModeSetting) {
        self.settings.retain(|old| !old.is_about_the_same(&new));
        self.settings.push(new);
    }

    /// Takes a setting back. Returns whether there was one.
    pub(crate) fn clear(&mut self, agent: Option<&AgentName>, scope: &Extent) -> bool {
        let before = self.settings.len();
        self.settings.retain(|old| !old.is_about(agent, scope));
        self.settings.len() < before
    }

    /// After a freeze, people answer in its part until somebody grants something there anew. What was granted within the part is taken
    /// back; what was granted for more than the part holds on outside it. Returns what changed.
    pub(crate) fn return_to_people(&mut self, scope: &Extent) -> Vec<ModeSetting> {
        // Beyond so many settings nobody knows what a part is any more.
        let scope = if self.settings.len() < MOST_SETTINGS { scope } else { &Extent::Everything };
        let mut changed: Vec<ModeSetting> = Vec::new();
        for setting in self.settings.iter_mut().filter(|setting| setting.lies_in(scope)) {
            if setting.mode.is_grant() {
                setting.mode = Mode::Human;
                changed.push(setting.clone());
            }
        }
        let new = ModeSetting::human(scope);
        let reaches_in = |setting: &ModeSetting| setting.mode.is_grant() && setting.meets(scope);
        let granted = self.otherwise.is_grant() || self.settings.iter().any(reaches_in);
        if granted && !self.knows(&new) {
            self.settings.push(new.clone());
            changed.push(new);
        }
        changed
    }

    /// Whether a grant lets this pass.
    pub(crate) fn grants(&self, now: Timestamp, recommendation: &Recommendation, grant: &Grant) -> bool {
        let Recommendation { agent, action, risk, .. } = recommendation;
        let recent = self.recent(now).filter(|whose| *whose == agent).count();
        grant.until.is_none_or(|until| now < until)
            && grant.highest_risk.is_none_or(|highest| risk.risk <= highest)
            && grant.replicas.is_none_or(|most| size(action) <= most)
            && grant.per_hour.is_none_or(|most| (recent as u64) < u64::from(most))
    }

    /// Whose plans passed without a person in the last hour, one entry for each.
    pub(crate) fn recent(&self, now: Timestamp) -> impl Iterator<Item = &AgentName> {
        self.passed.iter().filter(move |(at, _)| now.since(*at) < HOUR).map(|(_, whose)| whose)
    }

    pub(crate) fn note_passed(&mut self, now: Timestamp, agent: &AgentName) {
        self.passed.push_back((now, agent.clone()));
        while self.passed.front().is_some_and(|(at, _)| now.since(*at) > HOUR) {
            self.passed.pop_front();
        }
    }
}

/// How many replicas or nodes an action is about.
fn size(action: &Action) -> u32 {
    match action {
        Action::ResizePool { from, to, .. } => from.abs_diff(*to),
        Action::Move { .. } => 1,
        _ => action.changed_replicas(),
    }
}
