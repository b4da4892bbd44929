//! The newest events, made from the journal once for everybody who watches. Whoever is further behind than the reel goes back reads
//! the journal alone, so that nobody's slowness costs the others anything.

use super::event::{About, Event, Touched, events_of};
use crate::access::{Right, Sight};
use crate::storage::tables::journal;
use crate::storage::{Connection, Error};
use serde_json::json;
use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tokio::sync::Semaphore;

/// Entries that are kept: some seconds of a busy desk.
const MOST_ENTRIES: usize = 512;

/// Entries that are read at a time.
const CHUNK: u32 = 200;

/// Who is far behind reads the journal so many at a time. All others who read, whatever they want, come in between.
const AT_A_TIME: usize = 2;

/// An event, ready to be sent.
#[derive(Debug)]
pub struct Announcement {
    pub id: String,
    pub kind: &'static str,
    /// The whole event as JSON.
    text: String,
    /// The same for whoever sees a part of the federation, where it differs.
    discreet: Option<String>,
    pub right: Right,
    pub touched: Touched,
}

/// What one entry of the journal tells.
#[derive(Debug)]
pub struct Told {
    pub seq: i64,
    pub announcements: Vec<Arc<Announcement>>,
}

/// What the entries behind a number tell, oldest first.
pub fn told_after(connection: &mut dyn Connection, seq: i64) -> Result<Vec<Arc<Told>>, Error> {
    let entries = journal::after(connection, seq, CHUNK)?;
    let told = |entry: &journal::Entry| {
        let announcements = events_of(entry).into_iter().map(|event| announcement(connection, &event));
        Ok(Arc::new(Told { seq: entry.seq, announcements: announcements.collect::<Result<_, Error>>()? }))
    };
    entries.iter().map(told).collect()
}

fn announcement(connection: &mut dyn Connection, event: &Event) -> Result<Arc<Announcement>, Error> {
    Ok(Arc::new(Announcement::of(event, event.about.touched(connection)?)))
}

impl Announcement {
    pub fn of(event: &Event, touched: Touched) -> Self {
        Self {
            id: event.id.clone(),
            kind: event.kind,
            text: serde_json::to_string(event).unwrap_or_default(),
            discreet: discreet(event).map(|event| serde_json::to_string(&event).unwrap_or_default()),
            right: event.right,
            touched,
        }
    }

    /// What somebody is told.
    pub fn told_to(&self, sight: &Sight) -> &str {
        let text = self.discreet.as_ref().filter(|_| !sight.is_whole());
        text.unwrap_or(&self.text)
    }
}

/// The newest entries, without a gap.
#[derive(Debug)]
pub struct Reel {
    strip: Mutex<Strip>,
    /// Held by the one who reads on for everybody.
    reading: tokio::sync::Mutex<()>,
    /// For those who are far behind.
    catching_up: Semaphore,
}

impl Default for Reel {
    fn default() -> Self {
        Self {
            strip: Mutex::default(),
            reading: tokio::sync::Mutex::default(),
            catching_up: Semaphore::new(AT_A_TIME),
        }
    }
}

#[derive(Debug, Default)]
struct Strip {
    /// The entry before the first one here.
    after: i64,
    entries: VecDeque<Arc<Told>>,
}

/// Where what somebody wants to hear is found.
enum Found {
    Here(Vec<Arc<Told>>),
    /// It has left the reel already.
    Gone,
    /// Nobody has read it yet.
    Ahead,
}

impl Reel {
    /// What comes behind an entry. `read` reads it from the journal; of all who want the same, one does that.
    pub async fn after<E, R>(&self, seen: i64, read: impl Fn() -> R) -> Result<Vec<Arc<Told>>, E>
    where
        R: Future<Output = Result<Vec<Arc<Told>>, E>>,
    {
        let mut alone = None;
        loop {
            let found = self.strip().find(seen);
            match found {
                Found::Here(told) => return Ok(told),
                Found::Gone => {
                    let _turn = self.catching_up.acquire().await;
                    return read().await;
                }
                Found::Ahead if alone.is_some() => break,
                // Somebody else may read it meanwhile.
                Found::Ahead => alone = Some(self.reading.lock().await),
            }
        }
        let told = read().await?;
        self.strip().add(seen, &told);
        Ok(told)
    }

    fn strip(&self) -> MutexGuard<'_, Strip> {
        self.strip.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Strip {
    fn end(&self) -> i64 {
        self.entries.back().map_or(self.after, |told| told.seq)
    }

    fn find(&self, seen: i64) -> Found {
        if seen >= self.end() {
            return Found::Ahead;
        }
        if seen < self.after {
            return Found::Gone;
        }
        let first = self.entries.partition_point(|told| told.seq <= seen);
        Found::Here(self.entries.range(first..).take(CHUNK as usize).cloned().collect())
    }

    /// Takes what comes behind `seen`. If nobody has listened for a while there is a gap, and the reel begins anew.
    fn add(&mut self, seen: i64, told: &[Arc<Told>]) {
        if seen != self.end() {
            self.entries.clear();
            self.after = seen;
        }
        self.entries.extend(told.iter().cloned());
        while self.entries.len() > MOST_ENTRIES {
            self.after = self.entries.pop_front().map_or(self.after, |told| told.seq);
        }
    }
}

/// Why something came to an end or was refused may say how it stands in clusters that somebody does not see, so that is for those who
/// see all of them. What people say of their own freezes and orders is for everybody who sees these.
fn discreet(event: &Event) -> Option<Event> {
    let is_refusal = event.kind.ends_with(".refused.v1");
    let is_plan = matches!(event.about, About::Recommendation(..));
    (is_refusal || is_plan && event.data.get("reason").is_some()).then(|| {
        let mut told = event.clone();
        if is_refusal {
            told.data = json!({});
        } else if let Some(fields) = told.data.as_object_mut() {
            fields.remove("reason");
        }
        told
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::cell::Cell;
    use std::convert::Infallible;

    fn told(range: std::ops::RangeInclusive<i64>) -> Vec<Arc<Told>> {
        range.map(|seq| Arc::new(Told { seq, announcements: Vec::new() })).collect()
    }

    fn text(kind: &'static str, about: About, data: serde_json::Value, sight: &Sight) -> String {
        let event = Event { kind, data, about, ..Event::reset(1, 0, 0) };
        let told = Announcement::of(&event, Touched::Nothing).told_to(sight).to_owned();
        let told: serde_json::Value = serde_json::from_str(&told).expect("an event");
        told["data"].to_string()
    }

    #[test]
    fn why_a_plan_ended_is_for_those_who_see_everything() {
        let scope = control::agent::Scope { namespaces: ["shop".to_owned()].into(), ..Default::default() };
        let (whole, part) = (Sight::default(), Sight::from(&scope));
        let plan = || About::Recommendation("run-1".to_owned(), model::recommendation::RecommendationId(3));
        let ended = || json!({ "stage": "rejected", "reason": "east is full" });
        let (failed, set) = ("io.drover.execution.failed.v1", "io.drover.freeze.set.v1");
        assert_eq!(text(failed, plan(), ended(), &whole), ended().to_string());
        assert_eq!(text(failed, plan(), ended(), &part), r#"{"stage":"rejected"}"#);
        let refusal = || json!({ "because": "load_limit", "cluster": "east" });
        assert_eq!(text("io.drover.decision.refused.v1", plan(), refusal(), &part), "{}");
        let freeze = || json!({ "reason": "a sale" });
        assert_eq!(text(set, About::Nothing, freeze(), &part), freeze().to_string());
    }

    /// Asks a reel over a journal that ends at `end`, and says what came and how often the journal was read.
    fn ask(reel: &Reel, seen: i64, end: i64) -> (Vec<i64>, u32) {
        let reads = Cell::new(0);
        let read = || {
            reads.set(reads.get() + 1);
            let last = end.min(seen + i64::from(CHUNK));
            std::future::ready(Ok::<_, Infallible>(told(seen + 1..=last)))
        };
        let runtime = tokio::runtime::Builder::new_current_thread().build().expect("a runtime");
        let Ok(heard) = runtime.block_on(reel.after(seen, read));
        (heard.iter().map(|told| told.seq).collect(), reads.get())
    }

    #[test]
    fn the_journal_is_read_once_for_all_who_follow() {
        let reel = Reel::default();
        assert_eq!(ask(&reel, 5, 8), (vec![6, 7, 8], 1));
        assert_eq!(ask(&reel, 5, 8), (vec![6, 7, 8], 0));
        assert_eq!(ask(&reel, 7, 8), (vec![8], 0));
        assert_eq!(ask(&reel, 8, 9), (vec![9], 1));
        assert_eq!(ask(&reel, 6, 9), (vec![7, 8, 9], 0));
    }

    #[test]
    fn whoever_is_far_behind_reads_alone_and_changes_nothing() {
        let reel = Reel::default();
        assert_eq!(ask(&reel, 100, 102), (vec![101, 102], 1));
        let (heard, reads) = ask(&reel, 3, 102);
        assert_eq!((heard.len(), reads), (99, 1));
        assert_eq!(ask(&reel, 100, 102), (vec![101, 102], 0));
    }

    #[test]
    fn after_a_gap_the_reel_begins_anew_and_it_never_grows_without_end() {
        let reel = Reel::default();
        ask(&reel, 0, 10);
        assert_eq!(ask(&reel, 20, 21), (vec![21], 1));
        assert_eq!(ask(&reel, 9, 21).1, 1, "what was there before the gap has gone");
        let mut seen = 21;
        for _ in 0..10 {
            seen = *ask(&reel, seen, i64::MAX).0.last().expect("there is more");
        }
        assert_eq!(reel.strip().entries.len(), MOST_ENTRIES);
        assert_eq!(reel.strip().after, seen - MOST_ENTRIES as i64);
    }
}
