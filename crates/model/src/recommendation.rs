//! A recommendation: one action, why, what it should bring, and until when it is worth considering.

use crate::action::Action;
use crate::hash::{ContentHash, Hasher};
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
        // One number is written in one way.
        number
            .map(Self)
            .filter(|id| id.to_string() == text)
            .ok_or("a recommendation is written R-<number>, such as R-42")
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

/// Why a text is no recommendation that can be trusted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NotIntact {
    Unreadable,
    /// It does not fit its hash.
    Changed,
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

    /// Reads a recommendation that nobody has changed since it was made.
    pub fn read_intact(text: &str) -> Result<Self, NotIntact> {
        let read: Self = serde_json::from_str(text).map_err(|_| NotIntact::Unreadable)?;
        // Nearly always the text is the very one that the hash was made of, and need not be written again to find out.
        if read.hash_of(text) == Some(read.hash) || read.is_intact() {
            Ok(read)
        } else {
            Err(NotIntact::Changed)
        }
    }

    /// The hash of a text in which this recommendation's own hash stands, as it was before it did.
    fn hash_of(&self, text: &str) -> Option<ContentHash> {
        let field = |hash: ContentHash| format!("\"hash\":\"{hash}\"");
        let (before, after) = text.rsplit_once(&field(self.hash))?;
        let mut hasher = Hasher::default();
        for part in [before, &field(ContentHash::ZERO), after] {
            hasher.update(part.as_bytes());
        }
        Some(hasher.so_far())
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

#[cfg(test)]
mod tests {
    use super::*;

    fn plan() -> Recommendation {
        let action = r#"{"kind":"migrate","workload":"default/web","from":"one","to":"two","replicas":2}"#;
        Recommendation {
            id: RecommendationId(1),
            batch: 1,
            agent: AgentName::new("tester").unwrap(),
            action: serde_json::from_str(action).unwrap(),
            because: Rationale::default(),
            expected: Impact::default(),
            risk: Assessment::default(),
            planned_by: None,
            undoes: None,
            observed_at: Timestamp::EPOCH,
            raised_at: Timestamp::EPOCH,
            expires_at: Timestamp::EPOCH,
            hash: ContentHash::ZERO,
        }
        .sealed()
    }

    #[test]
    fn a_plan_is_read_unless_a_letter_of_it_was_changed() {
        let plan = plan();
        let text = serde_json::to_string(&plan).unwrap();
        assert_eq!(Recommendation::read_intact(&text), Ok(plan));
        for (right, wrong) in [("\"one\"", "\"six\""), ("\"batch\":1", "\"batch\":2")] {
            let changed = text.replacen(right, wrong, 1);
            assert_eq!(Recommendation::read_intact(&changed), Err(NotIntact::Changed), "{wrong}");
        }
        assert_eq!(Recommendation::read_intact(&text[1..]), Err(NotIntact::Unreadable));
    }

    #[test]
    fn a_plan_that_was_written_in_another_way_is_intact_all_the_same() {
        let plan = plan();
        let text = serde_json::to_string_pretty(&plan).unwrap();
        assert_ne!(plan.hash_of(&text), Some(plan.hash));
        assert_eq!(Recommendation::read_intact(&text), Ok(plan));
    }
}
