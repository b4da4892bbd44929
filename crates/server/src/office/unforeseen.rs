//! What waits without a prediction, and when it is asked about again.

use model::recommendation::RecommendationId;
use model::time::{Period, Timestamp};
use std::collections::BTreeMap;

/// Where nothing could be predicted from what was observed, the next observation is tried, then one a minute later, and each pause is
/// twice as long as the one before. Seven tries take half an hour, which is as long as a recommendation usually lives.
const MOST_TRIES: u32 = 7;
const FIRST_PAUSE: Period = Period::from_minutes(1);

/// What one question is about shares the work that it may take, so more at once would get fewer futures each.
pub(super) const MOST_AT_ONCE: usize = 4;

/// Why there is no prediction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Why {
    /// Too many questions wait.
    NoRoom,
    /// Nothing was observed.
    NothingSeen,
    /// No world could be built like the one that was observed.
    NoTwin,
    /// Nobody reckons any more.
    NobodyThere,
}

impl Why {
    pub(super) const fn as_str(self) -> &'static str {
        match self {
            Self::NoRoom => "too many predictions wait; what is newest is shown without, until there is room",
            Self::NothingSeen => "nothing is known of the clusters yet to predict from",
            Self::NoTwin => "too little is known of the clusters to predict; later observations are tried",
            Self::NobodyThere => "predictions have stopped; recommendations are shown without",
        }
    }
}

/// Everything that is shown to people without its effect.
#[derive(Debug, Default)]
pub(super) struct Unforeseen(BTreeMap<RecommendationId, Wait>);

#[derive(Debug)]
struct Wait {
    /// How often nothing could be predicted from what was observed.
    tries: u32,
    next: Next,
    /// Whether people were asked all the same, and others told so.
    asked: bool,
}

#[derive(Clone, Copy, Debug)]
enum Next {
    /// As soon as there is room among the questions.
    Room,
    /// At an observation that is younger than this one, at this moment or later.
    Observation {
        than: Option<Timestamp>,
        from: Timestamp,
    },
    Never,
}

/// Where the office stands: its time, and when what it saw last was observed.
#[derive(Clone, Copy, Debug)]
pub(super) struct Standpoint {
    pub(super) now: Timestamp,
    pub(super) seen: Option<Timestamp>,
}

impl Unforeseen {
    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// People were asked about it without its effect.
    pub(super) fn asked(&mut self, id: RecommendationId) {
        if let Some(wait) = self.0.get_mut(&id) {
            wait.asked = true;
        }
    }

    /// Whether they were. Where nobody is asked, as in mode observe, they are not.
    pub(super) fn was_asked(&self, id: RecommendationId) -> bool {
        self.0.get(&id).is_some_and(|wait| wait.asked)
    }

    /// Whether it waits without a prediction.
    pub(super) fn holds(&self, id: RecommendationId) -> bool {
        self.0.contains_key(&id)
    }

    /// There is no prediction of this for now.
    pub(super) fn put_off(&mut self, id: RecommendationId, why: Why, at: Standpoint) {
        let wait = self.0.entry(id).or_insert(Wait { tries: 0, next: Next::Room, asked: false });
        wait.next = match why {
            Why::NoRoom => Next::Room,
            // Nothing was tried, so nothing counts.
            Why::NothingSeen => Next::Observation { than: at.seen, from: at.now },
            Why::NoTwin => {
                wait.tries += 1;
                after(wait.tries, at)
            }
            Why::NobodyThere => Next::Never,
        };
    }

    /// Forgets what was settled or has its prediction.
    pub(super) fn keep_only(&mut self, waits: impl Fn(RecommendationId) -> bool) {
        self.0.retain(|id, _| waits(*id));
    }

    /// What can be asked about now, the oldest first.
    pub(super) fn due(
        &self,
        at: Standpoint,
        is_free: impl Fn(RecommendationId) -> bool,
    ) -> Vec<RecommendationId> {
        let due = self.0.iter().filter(|(id, wait)| wait.next.is_due(at) && is_free(**id));
        due.map(|(id, _)| *id).take(MOST_AT_ONCE).collect()
    }
}

/// When to try again after so many times in vain.
fn after(tries: u32, Standpoint { now, seen }: Standpoint) -> Next {
    if tries >= MOST_TRIES {
        return Next::Never;
    }
    let pause = match tries.checked_sub(2) {
        Some(doublings) => FIRST_PAUSE.saturating_mul(1 << doublings),
        None => Period::ZERO,
    };
    Next::Observation { than: seen, from: now + pause }
}

impl Next {
    fn is_due(self, at: Standpoint) -> bool {
        match self {
            Self::Room => true,
            // None is older than any.
            Self::Observation { than, from } => at.seen > than && at.now >= from,
            Self::Never => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ID: RecommendationId = RecommendationId(1);

    /// Observed when the office got there.
    fn at(seconds: u64) -> Standpoint {
        let now = Timestamp(seconds * 1_000);
        Standpoint { now, seen: Some(now) }
    }

    fn is_due(unforeseen: &Unforeseen, at: Standpoint) -> bool {
        unforeseen.due(at, |_| true) == [ID]
    }

    #[test]
    fn what_found_no_room_is_asked_about_as_soon_as_there_is_some() {
        let mut unforeseen = Unforeseen::default();
        unforeseen.put_off(ID, Why::NoRoom, at(5));
        assert!(is_due(&unforeseen, at(5)));
        assert!(unforeseen.due(at(5), |_| false).is_empty(), "a question about it is under way");
        unforeseen.put_off(ID, Why::NobodyThere, at(5));
        assert!(!is_due(&unforeseen, at(500)) && unforeseen.holds(ID));
        unforeseen.keep_only(|_| false);
        assert!(unforeseen.is_empty());
    }

    #[test]
    fn what_could_not_be_seen_waits_for_another_look() {
        let mut unforeseen = Unforeseen::default();
        let blind = |seconds| Standpoint { seen: None, ..at(seconds) };
        for seconds in 0..20 {
            unforeseen.put_off(ID, Why::NothingSeen, blind(seconds));
            assert!(!is_due(&unforeseen, blind(seconds + 1)));
        }
        assert!(is_due(&unforeseen, at(20)), "however long that took");
    }

    #[test]
    fn pauses_grow_and_come_to_an_end() {
        let mut unforeseen = Unforeseen::default();
        let mut tried = Vec::new();
        // Somebody looks every ten seconds for two hours.
        for seconds in (0..7_200).step_by(10) {
            if tried.is_empty() || is_due(&unforeseen, at(seconds)) {
                tried.push(seconds);
                unforeseen.put_off(ID, Why::NoTwin, at(seconds));
                assert!(!is_due(&unforeseen, at(seconds)), "the same look shows the same");
            }
        }
        assert_eq!(tried, [0, 10, 70, 190, 430, 910, 1_870]);
    }

    #[test]
    fn few_are_asked_about_at_once_and_the_oldest_first() {
        let mut unforeseen = Unforeseen::default();
        (0..10).for_each(|id| unforeseen.put_off(RecommendationId(9 - id), Why::NoRoom, at(0)));
        let due: Vec<u64> = unforeseen.due(at(0), |id| id.0 != 2).into_iter().map(|id| id.0).collect();
        assert_eq!(due, [0, 1, 3, 4]);
    }
}
