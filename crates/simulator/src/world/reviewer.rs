//! The simulated person: answers after a while, sometimes with no, sometimes not at all.

use super::SimulatedWorld;
use super::agenda::Event;
use control::world::Input;
use model::names::ReviewerName;
use model::ratio::Ratio;
use model::recommendation::Recommendation;
use model::review::{Review, Reviewer, Verdict};

impl SimulatedWorld {
    /// Hands a recommendation to the reviewer.
    pub(super) fn ask_reviewer(&mut self, recommendation: &Recommendation) {
        if !self.reviewer.present {
            return;
        }
        // Always the same number of draws, so that changing one share does not change the other answers.
        let delay = self.reviewer.delay.draw(&mut self.chance.reviewer);
        let mut happens = |share: Ratio| self.chance.reviewer.below(1_000_000) < share.parts_per_million();
        let (ignored, rejected) = (happens(self.reviewer.ignores), happens(self.reviewer.rejects));
        if self.trouble.nobody_reviews() {
            return self.trouble.note_lost_review();
        }
        if ignored {
            return;
        }
        let review = Review {
            recommendation: recommendation.id,
            hash: recommendation.hash,
            verdict: if rejected { Verdict::Reject } else { Verdict::Approve },
            reviewer: Reviewer::Simulated(ReviewerName::new("simulated").expect("a valid name")),
            note: None,
        };
        self.agenda.after(delay, Event::Arrives { input: Box::new(Input::Reviewed(review)) });
    }
}
