//! Turns faults into episodes with a beginning and an end, before the run starts.

use super::{FaultSpec, MOST_EPISODES, SHORTEST, When};
use crate::randomness::{Randomness, Stream};
use model::time::{Period, Timestamp};

const HOUR: f64 = 3_600_000.0;

/// One time that a fault is there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Episode {
    /// Index of the fault in the scenario.
    pub fault: usize,
    pub from: Timestamp,
    pub until: Timestamp,
}

/// All episodes that begin within `duration`, in the order of their beginnings. Each fault draws from a stream of its own,
/// so that one more fault in a file changes nothing about the others.
pub fn episodes(faults: &[FaultSpec], duration: Period, randomness: Randomness) -> Vec<Episode> {
    let end = Timestamp::EPOCH + duration;
    let mut all: Vec<Episode> = Vec::new();
    for (index, spec) in faults.iter().enumerate() {
        let mut chance = randomness.stream(&format!("fault {index}"));
        all.extend(of_fault(spec, end, &mut chance).map(|(from, until)| Episode {
            fault: index,
            from,
            until,
        }));
    }
    all.sort_by_key(|episode| (episode.from, episode.fault));
    all
}

fn of_fault<'a>(
    spec: &'a FaultSpec,
    end: Timestamp,
    chance: &'a mut Stream,
) -> impl Iterator<Item = (Timestamp, Timestamp)> + 'a {
    let mut next = first(spec, chance);
    std::iter::from_fn(move || {
        let from = next.filter(|from| *from < end)?;
        let until = from + spec.lasts.draw(chance).max(SHORTEST);
        next = wait(spec, chance).map(|wait| until + wait.max(SHORTEST));
        Some((from, until))
    })
    .take(MOST_EPISODES)
}

fn first(spec: &FaultSpec, chance: &mut Stream) -> Option<Timestamp> {
    match spec.when {
        When::Once(at) => Some(at),
        When::Every(_) | When::Rate { .. } => wait(spec, chance).map(|wait| Timestamp::EPOCH + wait),
    }
}

/// From the end of one episode to the beginning of the next.
fn wait(spec: &FaultSpec, chance: &mut Stream) -> Option<Period> {
    match spec.when {
        When::Once(_) => None,
        When::Every(delay) => Some(delay.draw(chance)),
        When::Rate { per_hour } => exponential(per_hour.as_f64(), chance),
    }
}

/// An exponentially distributed time with this mean rate; none if it never comes.
pub(crate) fn exponential(per_hour: f64, chance: &mut Stream) -> Option<Period> {
    if per_hour <= 0.0 {
        return None;
    }
    // 53 random bits, shifted by half a step: never zero, so that the logarithm is finite.
    let uniform = ((chance.next_u64() >> 11) as f64 + 0.5) / (1_u64 << 53) as f64;
    let milliseconds = -libm::log(uniform) / per_hour * HOUR;
    // A cast saturates; no simulation lasts that long.
    Some(Period::from_millis((milliseconds as u64).min(u64::from(u32::MAX) * 1_000)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::faults::Fault;
    use crate::scenario::Delay;
    use model::ratio::Ratio;

    fn spec(when: When, lasts: u64) -> FaultSpec {
        FaultSpec { fault: Fault::Reviewer, when, lasts: Delay::exactly(Period::from_secs(lasts)) }
    }

    fn seconds(episodes: &[Episode]) -> Vec<(usize, u64, u64)> {
        let whole = |at: Timestamp| at.as_millis() / 1_000;
        episodes.iter().map(|one| (one.fault, whole(one.from), whole(one.until))).collect()
    }

    #[test]
    fn schedules_are_kept_to_the_second() {
        let once = spec(When::Once(Timestamp(30_000)), 10);
        let every = spec(When::Every(Delay::exactly(Period::from_secs(20))), 5);
        let late = spec(When::Once(Timestamp(100_000)), 10);
        let all = episodes(&[once, every, late], Period::from_secs(60), Randomness::new(1));
        assert_eq!(seconds(&all), [(1, 20, 25), (0, 30, 40), (1, 45, 50)]);
    }

    #[test]
    fn a_rate_is_met_on_average_and_differs_between_seeds() {
        let rate = [spec(When::Rate { per_hour: Ratio::from_percent(200) }, 1)];
        let count = |seed| episodes(&rate, Period::from_hours(500), Randomness::new(seed)).len();
        for seed in 1..=5 {
            // A Poisson count of mean 1,000 stays within four standard deviations.
            assert!((870..=1_130).contains(&count(seed)), "seed {seed}: {} episodes", count(seed));
        }
        let first = |seed| episodes(&rate, Period::from_hours(5), Randomness::new(seed)).first().copied();
        assert_eq!(first(1), first(1));
        assert_ne!(first(1), first(2));
    }

    #[test]
    fn episodes_of_one_fault_never_overlap_and_are_limited() {
        let rate = [spec(When::Rate { per_hour: Ratio::from_percent(100_000_000) }, 0)];
        let all = episodes(&rate, Period::from_hours(1_000), Randomness::new(3));
        assert_eq!(all.len(), MOST_EPISODES);
        assert!(all.windows(2).all(|pair| pair[0].until < pair[1].from));
    }

    #[test]
    fn another_fault_in_the_file_changes_no_other() {
        let rate = spec(When::Rate { per_hour: Ratio::from_percent(300) }, 60);
        let alone = episodes(std::slice::from_ref(&rate), Period::from_hours(10), Randomness::new(9));
        let both = episodes(&[rate.clone(), rate], Period::from_hours(10), Randomness::new(9));
        let first: Vec<Episode> = both.into_iter().filter(|episode| episode.fault == 0).collect();
        assert_eq!(first, alone);
    }
}
