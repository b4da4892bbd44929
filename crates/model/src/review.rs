//! What a reviewer says about a recommendation, and the life a recommendation has on the desk.

use crate::hash::ContentHash;
use crate::names::ReviewerName;
use crate::recommendation::RecommendationId;
use crate::time::Timestamp;
use serde::{Deserialize, Serialize};

/// One answer. It names the content it answers to: an approval of something else does not count.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Review {
    pub recommendation: RecommendationId,
    pub hash: ContentHash,
    pub verdict: Verdict,
    pub reviewer: Reviewer,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub note: Option<String>,
}

/// Yes, no, or later: a deferred item waits longer and is asked about again.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    Approve,
    Reject,
    Defer { until: Timestamp },
}

/// Who answered. An agent is not among them: agents can never approve.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Reviewer {
    Person(ReviewerName),
    /// A rule that a person granted, for instance "approve everything in this run".
    Rule(ReviewerName),
    /// The simulator's stand-in for a person.
    Simulated(ReviewerName),
}

/// Where a recommendation stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Stage {
    Pending,
    Approved,
    Rejected,
    Expired,
    Superseded,
    Applying,
    Applied,
    Failed,
    RolledBack,
}

impl Stage {
    pub const ALL: [Self; 9] = [
        Self::Pending,
        Self::Approved,
        Self::Rejected,
        Self::Expired,
        Self::Superseded,
        Self::Applying,
        Self::Applied,
        Self::Failed,
        Self::RolledBack,
    ];

    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Pending => "pending",
            Self::Approved => "approved",
            Self::Rejected => "rejected",
            Self::Expired => "expired",
            Self::Superseded => "superseded",
            Self::Applying => "applying",
            Self::Applied => "applied",
            Self::Failed => "failed",
            Self::RolledBack => "rolled_back",
        }
    }

    /// Whether this step is part of a recommendation's life.
    pub const fn may_become(self, next: Self) -> bool {
        use Stage::{
            Applied, Applying, Approved, Expired, Failed, Pending, Rejected, RolledBack, Superseded,
        };
        matches!(
            (self, next),
            (Pending, Approved | Rejected | Expired | Superseded)
                | (Approved, Applying | Failed)
                | (Applying, Applied | Failed | RolledBack)
        )
    }

    /// Whether nothing comes after it.
    pub const fn is_final(self) -> bool {
        matches!(
            self,
            Self::Rejected
                | Self::Expired
                | Self::Superseded
                | Self::Applied
                | Self::Failed
                | Self::RolledBack
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn final_stages_are_those_nothing_follows() {
        for stage in Stage::ALL {
            let followed = Stage::ALL.into_iter().any(|next| stage.may_become(next));
            assert_eq!(stage.is_final(), !followed, "{stage:?}");
        }
    }

    #[test]
    fn nothing_is_applied_without_approval() {
        for stage in Stage::ALL {
            if stage.may_become(Stage::Applying) {
                assert_eq!(stage, Stage::Approved);
            }
        }
    }
}
