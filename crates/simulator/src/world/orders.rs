//! Orders on their way to clusters: they wait while a cluster is out of reach, and are slow or lost while its API is ill.
//!
//! A lost order is sent again, each time after a longer wait; after some tries it is given up.

use super::SimulatedWorld;
use super::agenda::Event;
use model::ratio::Ratio;
use model::recommendation::RecommendationId;
use model::time::{Period, Timestamp};

/// How often an order is sent before it counts as refused.
pub(super) const MOST_TRIES: u32 = 5;
/// The wait before an order is sent the second time; it doubles with every further one.
const FIRST_BACK_OFF: Period = Period::from_secs(1);
/// What must not stay is taken back for ever, this long after it was refused.
pub(super) const TRY_AGAIN: Period = Period::from_secs(30);

/// An order that an ill API has not taken yet.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sending {
    answered_at: Timestamp,
    tries: u32,
}

/// What became of an order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Sent {
    Taken,
    UnderWay,
    Refused,
}

impl SimulatedWorld {
    /// Sends the next order of an undertaking, or asks what became of it. A healthy API takes it at once; what time orders
    /// usually take is drawn elsewhere.
    pub(super) fn send(&mut self, id: RecommendationId, clusters: &[usize]) -> Sent {
        let now = self.agenda.now();
        let before = self.undertakings.get(&id).and_then(|undertaking| undertaking.sending);
        let tries = match before {
            None if self.trouble.slow_orders(clusters).is_empty() => return Sent::Taken,
            None => 0,
            Some(sending) if now < sending.answered_at => return Sent::UnderWay,
            Some(_) if !self.order_fails(clusters) => {
                self.set_sending(id, None);
                return Sent::Taken;
            }
            Some(sending) if sending.tries >= MOST_TRIES => {
                self.set_sending(id, None);
                return Sent::Refused;
            }
            Some(sending) => sending.tries,
        };
        self.trouble.note_slow_order(id, clusters);
        let wait = if tries == 0 { Period::ZERO } else { FIRST_BACK_OFF.saturating_mul(1 << (tries - 1)) };
        let answered_at = now + wait + self.order_takes(clusters);
        self.set_sending(id, Some(Sending { answered_at, tries: tries + 1 }));
        self.agenda.at(answered_at, Event::MigrationContinues { id });
        Sent::UnderWay
    }

    fn order_takes(&mut self, clusters: &[usize]) -> Period {
        let slow = self.trouble.slow_orders(clusters);
        let delays = slow.into_iter().map(|(delay, _)| delay.draw(&mut self.chance.orders));
        delays.fold(Period::ZERO, Period::saturating_add)
    }

    fn order_fails(&mut self, clusters: &[usize]) -> bool {
        let slow = self.trouble.slow_orders(clusters);
        // Every share is drawn for, so that one fault's luck does not change another's.
        let mut fails = |share: Ratio| self.chance.orders.below(1_000_000) < share.parts_per_million();
        slow.into_iter().fold(false, |failed, (_, share)| fails(share) || failed)
    }

    fn set_sending(&mut self, id: RecommendationId, sending: Option<Sending>) {
        if let Some(undertaking) = self.undertakings.get_mut(&id) {
            undertaking.sending = sending;
        }
    }

    /// Whether all these clusters can be seen and ordered.
    pub(super) fn reachable(&self, clusters: &[usize]) -> bool {
        clusters.iter().all(|cluster| !self.trouble.hidden(*cluster))
    }

    /// A cluster can be reached again: whoever waited for it looks.
    pub(super) fn continue_waiting_orders(&mut self) {
        let ids: Vec<RecommendationId> = self.undertakings.keys().copied().collect();
        for id in ids {
            self.continue_undertaking(id);
        }
    }
}
