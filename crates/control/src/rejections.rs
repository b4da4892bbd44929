//! What people said no to. Agents do not ask them the same again at once.

use crate::guardrails::Refusal;
use model::action::Action;
use model::names::ReviewerName;
use model::time::{Period, Timestamp};
use serde::{Deserialize, Serialize};
use std::collections::VecDeque;

/// More are not kept, the oldest go first: nobody says no a thousand times before the first one is over.
const MOST: usize = 1_000;

/// Oldest first.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Rejections(VecDeque<Rejection>);

#[derive(Clone, Debug, Serialize, Deserialize)]
struct Rejection {
    matter: Action,
    by: ReviewerName,
    at: Timestamp,
}

impl Rejections {
    /// `rest` is for how long a no counts.
    pub(crate) fn record(&mut self, (now, rest): (Timestamp, Period), action: &Action, by: ReviewerName) {
        let Self(all) = self;
        all.retain(|rejection| rejection.at + rest > now);
        all.push_back(Rejection { matter: matter(action), by, at: now });
        while all.len() > MOST {
            all.pop_front();
        }
    }

    /// The newest no to this, as long as it counts.
    pub(crate) fn check(&self, (now, rest): (Timestamp, Period), action: &Action) -> Result<(), Refusal> {
        let asked = matter(action);
        let said = self.0.iter().rev().find(|rejection| rejection.matter == asked);
        match said.map(|rejection| (rejection, rejection.at + rest)) {
            Some((rejection, until)) if now < until => {
                Err(Refusal::SaidNo { by: rejection.by.clone(), until })
            }
            _ => Ok(()),
        }
    }
}

/// What somebody says no to: a move is the same one with another number of replicas.
fn matter(action: &Action) -> Action {
    let mut matter = action.clone();
    if let Action::Migrate { replicas, .. } = &mut matter {
        *replicas = 0;
    }
    matter
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_more_are_kept_than_a_thousand() {
        let anna = || ReviewerName::new("anna").expect("a name");
        let scale = |to: u32| -> Action {
            let text = format!(r#"{{"kind":"scale","workload":"a/b","cluster":"c","from":0,"to":{to}}}"#);
            serde_json::from_str(&text).expect("an action")
        };
        let rest = Period::from_hours(1);
        let mut rejections = Rejections::default();
        for to in 1..=MOST as u32 + 1 {
            rejections.record((Timestamp::EPOCH, rest), &scale(to), anna());
        }
        let stands = |to: u32| rejections.check((Timestamp::EPOCH, rest), &scale(to)).is_err();
        assert_eq!((stands(1), stands(2), stands(MOST as u32 + 1)), (false, true, true));
        rejections.record((Timestamp(3_600_000), rest), &scale(1), anna());
        assert_eq!(rejections.0.len(), 1, "what does not count any more is not kept");
    }
}
