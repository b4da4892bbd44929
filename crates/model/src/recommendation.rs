//! A recommendation: one action, why, what it should bring, and until when it is worth considering.

use crate::action::Action;
use crate::hash::ContentHash;
use crate::impact::Impact;
use crate::names::{AgentName, ReviewerName};
use crate::risk::Assessment;
use crate::time::Timestamp;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::fmt;
use std::str::FromStr;

/// A number that grows with every recommendation of a journal: `R-42`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct RecommendationId(pub u64);

impl fmt::Display for RecommendationId {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "R-{}", self.0)
    }
}

impl FromStr for RecommendationId {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let number = text.strip_prefix("R-").and_then(|digits| digits.parse().ok());
        number.map(Self).ok_or("a recommendation is written R-<number>, such as R-42")
    }
}

impl Serialize for RecommendationId {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for RecommendationId {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = std::borrow::Cow::<'de, str>::deserialize(deserializer)?;
        text.parse().map_err(serde::de::Error::custom)
    }
}

/// What a strategy proposes, before guardrails and before it has a number.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Draft {
    pub action: Action,
    pub because: Rationale,
}

/// Why an action is proposed.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Rationale {
    /// One sentence for a person.
    pub summary: String,
    /// The facts the sentence rests on.
    pub evidence: Vec<Evidence>,
    /// What else was looked at, and why it was not chosen.
    pub alternatives: Vec<Alternative>,
    /// What models said about it. Their words are theirs: nobody has checked them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub opinions: Vec<Opinion>,
}

/// What one model, or one of several, said about an action.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Opinion {
    /// `performance`, `consolidator`.
    pub by: String,
    /// The model that was asked.
    pub model: String,
    pub verdict: Verdict,
    /// How much it counts, in relation to the others.
    pub weight: u32,
    /// How sure it is, in thousandths.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub strength_thousandths: Option<u32>,
    pub words: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    For,
    Against,
    Abstained,
}

/// One observed fact, with the limit it is measured against.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Evidence {
    pub subject: String,
    pub signal: String,
    pub value: String,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub limit: Option<String>,
}

/// An option that was not taken.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Alternative {
    pub option: String,
    pub rejected_because: String,
}

/// A proposal that a reviewer can say yes or no to. It never changes once made; its hash says so.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Recommendation {
    pub id: RecommendationId,
    /// All recommendations of one decision share a batch.
    pub batch: u64,
    pub agent: AgentName,
    pub action: Action,
    pub because: Rationale,
    pub expected: Impact,
    pub risk: Assessment,
    /// The person who made this plan, or made it out of an agent's.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub planned_by: Option<ReviewerName>,
    /// The recommendation whose effect it would undo.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub undoes: Option<RecommendationId>,
    /// When the world was in the state that the decision rests on.
    pub observed_at: Timestamp,
    pub raised_at: Timestamp,
    pub expires_at: Timestamp,
    /// The hash of everything above.
    pub hash: ContentHash,
}

impl Recommendation {
    /// Fills in the hash over all other fields.
    #[must_use]
    pub fn sealed(mut self) -> Self {
        self.hash = self.content_hash();
        self
    }

    /// Whether the content still is what the hash was made of.
    pub fn is_intact(&self) -> bool {
        self.hash == self.content_hash()
    }

    /// Two recommendations with the same plan key ask for the same thing, whenever they were made.
    pub fn plan_key(&self) -> ContentHash {
        ContentHash::of(&(&self.agent, &self.action))
    }

    fn content_hash(&self) -> ContentHash {
        let mut content = self.clone();
        content.hash = ContentHash::ZERO;
        ContentHash::of(&content)
    }
}
