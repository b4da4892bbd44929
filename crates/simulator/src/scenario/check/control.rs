//! How the federation is observed, what is never allowed, and how recommendations are reviewed.

use super::Checker;
use crate::scenario::raw::{RawExpiry, RawGuardrails, RawReviewMode, RawScenario};
use control::control_loop::LoopConfig;
use control::guardrails::{Freeze, GuardrailConfig};
use control::policy::Policy;
use control::review_desk::{Expiry, ReviewMode};
use model::names::ReviewerName;
use model::order::Grant;
use model::time::Timestamp;

impl Checker<'_> {
    pub(super) fn control<D>(&mut self, raw: &RawScenario<D>) -> LoopConfig {
        if raw.observation.every.is_zero() {
            let message = "observing without pause would stop time";
            self.report("observation.every", message, "write for instance 30s");
        }
        let enforced = |limit| raw.guardrails.enforce_limits.then_some(limit);
        let guardrails = GuardrailConfig {
            max_snapshot_age: raw.guardrails.max_snapshot_age,
            max_load: enforced(raw.limits.max_load),
            max_pending: enforced(raw.limits.max_pending),
            cool_down: raw.guardrails.cool_down,
            moves_per_hour: raw.guardrails.moves_per_hour,
            freezes: self.freezes(&raw.guardrails),
            despite: raw.guardrails.despite.iter().map(|owner| (*owner).into()).collect(),
        };
        let rule = ReviewerName::new("scenario").expect("this is a name");
        LoopConfig {
            observe_every: raw.observation.every,
            first_observation_at: Timestamp::EPOCH + raw.observation.every,
            guardrails,
            review: match raw.review.mode {
                RawReviewMode::Auto => ReviewMode::Auto { rule, limits: Grant::default() },
                RawReviewMode::Simulated | RawReviewMode::Hold => ReviewMode::Human,
            },
            expiry: match raw.review.expiry {
                RawExpiry::Lifetime => Expiry::Lifetime { period: raw.review.expires_after },
                RawExpiry::NextBatch => Expiry::NextBatch,
            },
            policy: Policy::default(),
        }
    }

    fn freezes(&mut self, raw: &RawGuardrails) -> Vec<Freeze> {
        for (index, freeze) in raw.freezes.iter().enumerate() {
            let path = format!("guardrails.freezes[{index}]");
            if freeze.until <= freeze.from && self.is_sure(&path, &["from", "until"]) {
                let message =
                    format!("the freeze ends at {}, not after it begins at {}", freeze.until, freeze.from);
                self.report(&format!("{path}.until"), message, "let `until` be later than `from`");
            }
        }
        let freezes = raw.freezes.iter().map(|freeze| Freeze {
            from: Timestamp::EPOCH + freeze.from,
            until: Timestamp::EPOCH + freeze.until,
            reason: freeze.reason.clone(),
        });
        freezes.collect()
    }
}
