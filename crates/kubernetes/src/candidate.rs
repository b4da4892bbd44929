//! What a replica makes of a lease: when it may take it, when it keeps it, when it has lost it. Pure.
//!
//! Nobody compares clocks with anybody: a lease is over when it has not changed for its whole duration as seen from here.

use crate::clock::Tick;
use model::time::Period;

/// How long what may last. The duration is longer than the time for renewing, so that whoever cannot renew has stopped before anybody
/// else begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LeaseTiming {
    /// Others wait so long after the last change they saw.
    pub duration: Period,
    /// Who has not renewed for so long stops.
    pub renew_deadline: Period,
    /// Between attempts, and a little more.
    pub retry: Period,
}

impl Default for LeaseTiming {
    /// Those of Kubernetes' own components.
    fn default() -> Self {
        Self {
            duration: Period::from_secs(15),
            renew_deadline: Period::from_secs(10),
            retry: Period::from_secs(2),
        }
    }
}

/// What stands in a lease, as far as it matters.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Record {
    pub(crate) holder: String,
    pub(crate) duration: Period,
    /// Changes with every write.
    pub(crate) version: String,
}

/// What to do about it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Intent {
    Create,
    /// Nobody has it, or not any more.
    Take,
    /// It is ours.
    Renew,
    Wait,
}

/// How a replica stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Standing {
    /// Somebody else works; empty if nobody is known.
    Waiting {
        holder: String,
    },
    Leading,
    /// For good: what was begun here is somebody else's now.
    Lost {
        reason: String,
    },
}

pub(crate) struct Candidate {
    identity: String,
    timing: LeaseTiming,
    /// The last version that was seen, and when it was first seen here.
    seen: Option<(String, Tick)>,
    /// When the last write was sent that succeeded.
    confirmed: Option<Tick>,
    standing: Standing,
}

impl Candidate {
    pub(crate) fn new(identity: &str, timing: LeaseTiming) -> Self {
        Self {
            identity: identity.to_owned(),
            timing,
            seen: None,
            confirmed: None,
            standing: Standing::Waiting { holder: String::new() },
        }
    }

    pub(crate) fn standing(&self) -> &Standing {
        &self.standing
    }

    /// What to do, given what was just read.
    pub(crate) fn judge(&mut self, found: Option<&Record>, now: Tick) -> Intent {
        let leading = self.standing == Standing::Leading;
        let Some(record) = found else {
            if leading {
                self.lose("somebody deleted the lease");
                return Intent::Wait;
            }
            return Intent::Create;
        };
        if record.holder == self.identity {
            return Intent::Renew;
        }
        if leading {
            self.lose(&format!("{:?} holds the lease now", record.holder));
            return Intent::Wait;
        }
        let first_seen = match &self.seen {
            Some((version, at)) if *version == record.version => *at,
            _ => {
                self.seen = Some((record.version.clone(), now));
                now
            }
        };
        let is_over = now.since(first_seen) >= record.duration.as_millis();
        if record.holder.is_empty() || is_over {
            return Intent::Take;
        }
        self.standing = Standing::Waiting { holder: record.holder.clone() };
        Intent::Wait
    }

    /// A write that was sent then succeeded: this one works from now on.
    pub(crate) fn confirm(&mut self, sent: Tick) {
        if !matches!(self.standing, Standing::Lost { .. }) {
            self.confirmed = Some(sent);
            self.standing = Standing::Leading;
        }
    }

    /// Notices when there was no success for too long.
    pub(crate) fn check(&mut self, now: Tick) {
        if self.standing == Standing::Leading && self.time_left(now) == Some(Period::ZERO) {
            self.lose(&format!("the lease could not be renewed for {}", self.timing.renew_deadline));
        }
    }

    /// How long it may still work; nothing if it does not.
    pub(crate) fn time_left(&self, now: Tick) -> Option<Period> {
        let since = now.since(self.confirmed?);
        Some(Period::from_millis(self.timing.renew_deadline.as_millis().saturating_sub(since)))
    }

    fn lose(&mut self, reason: &str) {
        self.standing = Standing::Lost { reason: reason.to_owned() };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn candidate(name: &str) -> Candidate {
        Candidate::new(name, LeaseTiming::default())
    }

    fn record(holder: &str, version: u32) -> Record {
        Record { holder: holder.to_owned(), duration: Period::from_secs(15), version: version.to_string() }
    }

    #[test]
    fn a_lease_that_is_renewed_is_never_taken_however_the_clocks_stand() {
        let mut waiting = candidate("b");
        for (number, second) in (0..100_u32).map(|number| (number, u64::from(number) * 14)) {
            let intent = waiting.judge(Some(&record("a", number)), Tick(second * 1_000));
            assert_eq!(intent, Intent::Wait, "second {second}");
        }
        assert_eq!(*waiting.standing(), Standing::Waiting { holder: "a".to_owned() });
    }

    #[test]
    fn a_lease_that_stands_still_for_its_duration_is_taken_and_not_before() {
        let mut waiting = candidate("b");
        for (second, want) in
            [(100, Intent::Wait), (107, Intent::Wait), (114, Intent::Wait), (115, Intent::Take)]
        {
            assert_eq!(waiting.judge(Some(&record("a", 7)), Tick(second * 1_000)), want, "{second}");
        }
    }

    #[test]
    fn nobodys_lease_is_taken_at_once_and_a_missing_one_is_made() {
        assert_eq!(candidate("b").judge(Some(&record("", 7)), Tick(0)), Intent::Take);
        assert_eq!(candidate("b").judge(None, Tick(0)), Intent::Create);
    }

    #[test]
    fn whoever_cannot_renew_stops_before_anybody_else_begins() {
        let timing = LeaseTiming::default();
        let mut leading = candidate("a");
        leading.confirm(Tick(1_000));
        assert_eq!(leading.judge(Some(&record("a", 1)), Tick(3_000)), Intent::Renew);
        leading.check(Tick(10_999));
        assert_eq!(*leading.standing(), Standing::Leading);
        leading.check(Tick(11_000));
        assert!(matches!(leading.standing(), Standing::Lost { reason } if reason.contains("10s")));
        // The earliest moment at which the other can have seen that write is when it was sent.
        let mut other = candidate("b");
        assert_eq!(other.judge(Some(&record("a", 1)), Tick(1_000)), Intent::Wait);
        assert_eq!(other.judge(Some(&record("a", 1)), Tick(11_000)), Intent::Wait);
        assert!(timing.renew_deadline < timing.duration);
    }

    #[test]
    fn what_was_lost_stays_lost() {
        for found in [Some(record("b", 2)), None] {
            let mut leading = candidate("a");
            leading.confirm(Tick(0));
            assert_eq!(leading.judge(found.as_ref(), Tick(1)), Intent::Wait);
            assert!(matches!(leading.standing(), Standing::Lost { .. }));
            leading.confirm(Tick(2));
            assert!(matches!(leading.standing(), Standing::Lost { .. }));
        }
    }
}
