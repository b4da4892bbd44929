//! Sifting: which drafts of one decision reach the desk, which keep the place they have there, and which are refused and why.

use crate::agent::Scope;
use crate::control_loop::LoopConfig;
use crate::guardrails::{self, Ground, MoveLog, Refusal};
use crate::projection::Projection;
use crate::rejections::Rejections;
use crate::review_desk::{Expiry, ReviewDesk};
use crate::risk;
use crate::world::RefusedDraft;
use model::action::Action;
use model::hash::ContentHash;
use model::names::{AgentName, ReviewerName};
use model::order::StandingFreeze;
use model::recommendation::{Draft, Recommendation, RecommendationId};
use model::snapshot::Snapshot;
use model::time::{Period, Timestamp};

/// Everything that is known when one agent's drafts are looked at.
pub(crate) struct Sieve<'a> {
    pub(crate) now: Timestamp,
    pub(crate) snapshot: &'a Snapshot,
    pub(crate) proposer: Proposer<'a>,
    pub(crate) desk: &'a ReviewDesk,
    pub(crate) moves: &'a MoveLog,
    pub(crate) rejections: &'a Rejections,
    pub(crate) freezes: &'a [StandingFreeze],
    pub(crate) config: &'a LoopConfig,
    pub(crate) batch: u64,
    /// The number of the first recommendation that is accepted.
    pub(crate) next_id: u64,
}

/// Who wants something: an agent of the loop, one that runs elsewhere, or a person.
#[derive(Clone, Copy)]
pub(crate) struct Proposer<'a> {
    pub(crate) name: &'a AgentName,
    pub(crate) scope: &'a Scope,
    /// How often it decides.
    pub(crate) every: Period,
    pub(crate) person: Option<&'a ReviewerName>,
    pub(crate) undoes: Option<RecommendationId>,
}

/// What became of the drafts.
#[derive(Default)]
pub(crate) struct Sifted {
    pub(crate) accepted: Vec<Recommendation>,
    pub(crate) kept: Vec<RecommendationId>,
    pub(crate) refused: Vec<RefusedDraft>,
}

impl Sieve<'_> {
    /// Sends drafts through the guardrails one after the other, each on top of those accepted before it.
    pub(crate) fn sift(&self, drafts: Vec<Draft>) -> Sifted {
        let mut committed: Vec<(Option<RecommendationId>, Action)> =
            self.desk.committed().into_iter().map(|(id, action)| (Some(id), action)).collect();
        let mut before = Projection::after(self.snapshot, committed.iter().map(|(_, action)| action));
        let mut sifted = Sifted::default();
        let others = self.desk.open_besides(self.proposer.name);
        for draft in drafts {
            let mut after = before.clone();
            after.apply(&draft.action);
            let standing = others + sifted.kept.len() + sifted.accepted.len();
            if let Err(refusal) = self.verdict(&draft.action, &committed, (&before, &after), standing) {
                sifted.refused.push(RefusedDraft { draft, refusal });
                continue;
            }
            committed.push((None, draft.action.clone()));
            let id = RecommendationId(self.next_id + sifted.accepted.len() as u64);
            let recommendation = self.recommendation(id, draft, &before, &after);
            match self.keeps_its_place(&recommendation) {
                Some(id) => sifted.kept.push(id),
                None => sifted.accepted.push(recommendation.sealed()),
            }
            before = after;
        }
        sifted
    }

    /// `standing` is what will be open on the desk once this batch is: the agent's former batch has ended by then.
    fn verdict(
        &self,
        action: &Action,
        committed: &[(Option<RecommendationId>, Action)],
        (before, after): (&Projection, &Projection),
        standing: usize,
    ) -> Result<(), Refusal> {
        if !self.proposer.scope.concerns(action) {
            return Err(Refusal::OutOfScope);
        }
        let limit = self.desk.max_open();
        if standing >= limit as usize {
            return Err(Refusal::DeskFull { limit });
        }
        let (now, snapshot, moves, freezes) = (self.now, self.snapshot, self.moves, self.freezes);
        let (agent, undoing) = (self.proposer.name, self.proposer.undoes.is_some());
        let config = &self.config.guardrails;
        guardrails::check(
            &Ground { now, snapshot, before, after, committed, moves, freezes, agent, undoing, config },
            action,
        )?;
        // People may change their minds.
        let is_persons = undoing || self.proposer.person.is_some();
        if is_persons { Ok(()) } else { self.rejections.check((now, self.config.policy.rest()), action) }
    }

    fn keeps_its_place(&self, recommendation: &Recommendation) -> Option<RecommendationId> {
        match self.config.expiry {
            Expiry::Lifetime { .. } => self.desk.pending_plan(recommendation.plan_key()),
            Expiry::NextBatch => None,
        }
    }

    fn recommendation(
        &self,
        id: RecommendationId,
        draft: Draft,
        before: &Projection,
        after: &Projection,
    ) -> Recommendation {
        let expires_at = match self.config.expiry {
            Expiry::Lifetime { period } => self.now + period,
            // Unreviewed items end with the next batch; the far end is only a safety net for an agent that stops.
            Expiry::NextBatch => self.now + self.proposer.every.saturating_mul(2),
        };
        let expected = before.impact(after, &draft.action);
        Recommendation {
            id,
            batch: self.batch,
            agent: self.proposer.name.clone(),
            risk: risk::assess(self.snapshot, &draft.action, &expected),
            planned_by: self.proposer.person.cloned(),
            undoes: self.proposer.undoes,
            expected,
            action: draft.action,
            because: draft.because,
            observed_at: self.snapshot.taken_at,
            raised_at: self.now,
            expires_at,
            hash: ContentHash::ZERO,
        }
    }
}
