//! What the tests of this crate share: federations as text, and dialogues with the loop as text.

mod dialogue;
mod federation;
mod law;

pub(crate) use dialogue::{Dialogue, Setup};
pub(crate) use federation::{World, action};
pub(crate) use law::Law;

use model::time::{Period, Timestamp};

/// `1:30` is ninety seconds after the epoch.
pub(crate) fn moment(text: &str) -> Timestamp {
    let (minutes, seconds) = text.split_once(':').expect("a moment is written minutes:seconds");
    let seconds = minutes.parse::<u64>().unwrap() * 60 + seconds.parse::<u64>().unwrap();
    Timestamp::EPOCH + Period::from_secs(seconds)
}

pub(crate) fn shown(moment: Timestamp) -> String {
    let seconds = moment.as_millis() / 1_000;
    format!("{}:{:02}", seconds / 60, seconds % 60)
}
