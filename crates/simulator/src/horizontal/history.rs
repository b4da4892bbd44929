//! What was recommended and done lately. Lists stay short: a new entry takes the place of one that no rule needs any
//! more, so they never hold more than one window's worth (240 entries at a sync every 15 s and the longest window).

use super::spec::ScalingRules;
use model::time::{Period, Timestamp};

/// What the metrics asked for at a time, before stabilisation and limits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Recommendation {
    pub replicas: u32,
    pub at: Timestamp,
}

/// Replicas added, or removed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ScaleEvent {
    pub change: u32,
    pub at: Timestamp,
    /// Too old for every policy; its place may be taken.
    pub outdated: bool,
}

/// Without `behavior`: the highest recommendation of the window, this one included, which is noted.
pub fn stabilize(log: &mut Vec<Recommendation>, now: Timestamp, desired: u32, window: Period) -> u32 {
    let is_old = |entry: &Recommendation| now.since(entry.at) > window;
    let highest = log.iter().filter(|entry| !is_old(entry)).map(|entry| entry.replicas).max();
    note(log, Recommendation { replicas: desired, at: now }, is_old);
    highest.map_or(desired, |highest| highest.max(desired))
}

/// With `behavior`: the current replicas, moved no further up than the lowest recommendation of the upward window and
/// no further down than the highest of the downward window.
pub fn stabilize_with_behavior(
    log: &mut Vec<Recommendation>,
    now: Timestamp,
    current: u32,
    desired: u32,
    up_window: Period,
    down_window: Period,
) -> u32 {
    let recent = |window: Period| {
        let entries = log.iter().filter(move |entry| now.since(entry.at) < window);
        entries.map(|entry| entry.replicas)
    };
    let up = recent(up_window).fold(desired, u32::min);
    let down = recent(down_window).fold(desired, u32::max);
    let longest = up_window.max(down_window);
    note(log, Recommendation { replicas: desired, at: now }, |entry| now.since(entry.at) > longest);
    current.max(up).min(down)
}

/// Upstream takes the place of the last entry that is too old, not of the first.
fn note(log: &mut Vec<Recommendation>, entry: Recommendation, is_old: impl Fn(&Recommendation) -> bool) {
    match log.iter().rposition(is_old) {
        Some(place) => log[place] = entry,
        None => log.push(entry),
    }
}

/// The sum of changes less than `period` ago.
pub fn changed_within(events: &[ScaleEvent], period: Period, now: Timestamp) -> u32 {
    let recent = events.iter().filter(|event| now.since(event.at) < period);
    recent.fold(0, |sum, event| sum.saturating_add(event.change))
}

/// Notes a change, and marks events that are too old for every policy of this direction.
pub fn store_event(events: &mut Vec<ScaleEvent>, rules: &ScalingRules, change: u32, now: Timestamp) {
    let longest = rules.longest_period();
    for event in events.iter_mut() {
        event.outdated |= now.since(event.at) > longest;
    }
    let event = ScaleEvent { change, at: now, outdated: false };
    match events.iter().rposition(|event| event.outdated) {
        Some(place) => events[place] = event,
        None => events.push(event),
    }
}
