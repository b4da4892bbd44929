//! How fast virtual time runs against the clock on the wall.

use model::time::{Period, Timestamp};
use std::time::{Duration, Instant};

/// Faster than this, a day passes in less than a second; whoever wants that runs the scenario without a desk.
pub const FASTEST: f64 = 100_000.0;

/// Time that goes on at once, at most. Nobody else is attended to meanwhile, so a long way is gone in steps.
pub const LONGEST_ADVANCE: Period = Period::from_hours(6);

/// Real time that is made up for at once, at most. A desk that was suspended must not leap hours ahead.
const LONGEST_LEAP: Duration = Duration::from_secs(1);

/// The speeds somebody asked for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Speed {
    /// Virtual seconds in a real one.
    pub usual: f64,
    /// While somebody has something to decide; none means that time does not wait for people.
    pub while_waiting: Option<f64>,
}

impl Speed {
    fn now(self, people_are_asked: bool) -> f64 {
        self.while_waiting.filter(|_| people_are_asked).map_or(self.usual, |slow| slow.min(self.usual))
    }
}

/// Tells how far virtual time may go.
#[derive(Clone, Debug)]
pub struct Pace {
    speed: Speed,
    paused: bool,
    people_are_asked: bool,
    /// Virtual and real time at the last change.
    from: (Timestamp, Instant),
    /// Whether it is the time of real clusters, which nobody stops or hurries.
    is_real: bool,
}

impl Pace {
    pub const fn new(speed: Speed, paused: bool, at: Timestamp, now: Instant) -> Self {
        Self { speed, paused, people_are_asked: false, from: (at, now), is_real: false }
    }

    /// The time of real clusters, which nobody stops or hurries.
    pub const fn real(at: Timestamp, now: Instant) -> Self {
        let speed = Speed { usual: 1.0, while_waiting: None };
        Self { speed, paused: false, people_are_asked: false, from: (at, now), is_real: true }
    }

    pub const fn speed(&self) -> Speed {
        self.speed
    }

    pub const fn is_paused(&self) -> bool {
        self.paused
    }

    /// Virtual seconds in a real one at the moment.
    pub fn factor(&self) -> f64 {
        if self.paused { 0.0 } else { self.speed.now(self.people_are_asked) }
    }

    /// The moment up to which the world may go.
    pub fn reach(&self, now: Instant) -> Timestamp {
        let (virtual_start, real_start) = self.from;
        let longest = if self.is_real { Duration::MAX } else { LONGEST_LEAP };
        let passed = now.saturating_duration_since(real_start).min(longest);
        virtual_start + Period::from_millis((passed.as_secs_f64() * self.factor() * 1000.0) as u64)
    }

    /// How long to wait until the world may go to `moment`; nothing if time stands still.
    pub fn wait_for(&self, moment: Timestamp, now: Instant) -> Option<Duration> {
        let factor = self.factor();
        if factor <= 0.0 {
            return None;
        }
        let (virtual_start, real_start) = self.from;
        let needed = Duration::from_secs_f64(moment.since(virtual_start).as_seconds_float() / factor);
        Some(needed.saturating_sub(now.saturating_duration_since(real_start)))
    }

    /// The world stands here now. Real time is counted from its beginning, so that nothing is lost by rounding.
    pub const fn arrived(&mut self, at: Timestamp, now: Instant) {
        if !self.is_real {
            self.from = (at, now);
        }
    }

    pub const fn set_paused(&mut self, paused: bool, at: Timestamp, now: Instant) {
        if self.is_real {
            return;
        }
        self.paused = paused;
        self.from = (at, now);
    }

    pub const fn set_speed(&mut self, speed: Speed, at: Timestamp, now: Instant) {
        if self.is_real {
            return;
        }
        self.speed = speed;
        self.from = (at, now);
    }

    pub const fn people_are_asked(&self) -> bool {
        self.people_are_asked
    }

    pub fn set_people_are_asked(&mut self, asked: bool, at: Timestamp, now: Instant) {
        if self.people_are_asked != asked && !self.is_real {
            self.people_are_asked = asked;
            self.from = (at, now);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const START: Timestamp = Timestamp(60_000);

    fn pace(usual: f64, while_waiting: Option<f64>) -> (Pace, Instant) {
        let now = crate::clock::now();
        (Pace::new(Speed { usual, while_waiting }, false, START, now), now)
    }

    #[test]
    fn virtual_time_runs_by_its_factor() {
        let (pace, now) = pace(60.0, None);
        assert_eq!(pace.reach(now), START);
        assert_eq!(pace.reach(now + Duration::from_millis(500)), START + Period::from_secs(30));
        assert_eq!(pace.wait_for(START + Period::from_secs(6), now), Some(Duration::from_millis(100)));
    }

    #[test]
    fn it_stands_still_while_paused() {
        let (mut pace, now) = pace(60.0, None);
        pace.set_paused(true, START, now);
        assert_eq!(pace.reach(now + Duration::from_secs(9)), START);
        assert_eq!(pace.wait_for(START + Period::from_secs(1), now), None);
    }

    #[test]
    fn it_slows_down_while_people_are_asked_and_never_speeds_up() {
        let (mut slow, now) = pace(60.0, Some(6.0));
        slow.set_people_are_asked(true, START, now);
        assert_eq!(slow.factor(), 6.0);
        let (mut fast, now) = pace(60.0, Some(600.0));
        fast.set_people_are_asked(true, START, now);
        assert_eq!(fast.factor(), 60.0);
    }

    #[test]
    fn real_time_is_never_lost() {
        let now = crate::clock::now();
        let mut real = Pace::real(START, now);
        real.set_paused(true, START, now);
        real.arrived(START, now + Duration::from_secs(9));
        assert_eq!(real.reach(now + Duration::from_hours(1)), START + Period::from_hours(1));
    }

    #[test]
    fn a_long_sleep_is_not_made_up_for() {
        let (pace, now) = pace(1.0, None);
        assert_eq!(pace.reach(now + Duration::from_hours(1)), START + Period::from_secs(1));
    }
}
