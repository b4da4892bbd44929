//! The book of the laboratory: which comparisons there are, how far they are, and which of them is next. It has no clock and no
//! thread.

use super::findings::Findings;
use super::wish::Order;
use crate::api::wire::{ComparisonItem, ComparisonState, RunCounts};
use lab::experiment::runner::Progress;
use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use tokio::sync::OwnedSemaphorePermit;

/// Comparisons that may wait. Each may take minutes; whoever would wait longer than an hour has a command line.
pub const MOST_WAITING: usize = 10;

/// Finished comparisons that are kept. Each holds its drawings, some hundred kilobytes, in memory.
pub const MOST_KEPT: usize = 20;

/// How often watchers are told of a comparison while it runs: a bar on a page has no more steps than these.
const TOLD_STEPS: usize = 50;

/// One comparison.
#[derive(Debug)]
pub(super) struct Comparison {
    pub(super) order: Arc<Order>,
    pub(super) state: ComparisonState,
    pub(super) findings: Option<Arc<Findings>>,
    progress: Progress,
    started_by: String,
    started_wall_ms: i64,
    ended_wall_ms: Option<i64>,
    why: Option<String>,
    /// Its runs are given up when this is set.
    stop: Arc<AtomicBool>,
    /// Its place among those who wait.
    place: Option<OwnedSemaphorePermit>,
    /// The edition of the book in which it changed last.
    edition: u64,
}

/// Somebody's order, and who it is.
pub(super) struct Entry {
    pub(super) number: u64,
    pub(super) order: Order,
    pub(super) by: String,
    pub(super) wall_ms: i64,
    pub(super) place: OwnedSemaphorePermit,
}

/// What the worker needs of a comparison.
pub(super) struct Job {
    pub(super) number: u64,
    pub(super) order: Arc<Order>,
    pub(super) stop: Arc<AtomicBool>,
}

/// All comparisons by their numbers.
#[derive(Debug, Default)]
pub(super) struct Book {
    comparisons: BTreeMap<u64, Comparison>,
    /// Whether somebody works on them.
    at_work: bool,
    /// Grows with everything that watchers are told of.
    edition: u64,
}

impl Comparison {
    pub(super) const fn is_over(&self) -> bool {
        !matches!(self.state, ComparisonState::Waiting | ComparisonState::Running)
    }

    pub(super) fn item(&self, number: u64) -> ComparisonItem {
        let Progress { done, troubled, .. } = self.progress;
        ComparisonItem {
            id: id(number),
            state: self.state,
            scenario: self.order.scenario().to_owned(),
            strategies: self.order.strategies(),
            seeds: self.order.seeds(),
            baseline: self.order.baseline().to_owned(),
            cells: RunCounts { done, all: self.order.cells(), troubled },
            started_by: self.started_by.clone(),
            started_wall: self.started_wall_ms,
            ended_wall: self.ended_wall_ms,
            why: self.why.clone(),
            command: self.order.command().to_owned(),
        }
    }
}

/// C-1, C-2 …
pub(super) fn id(number: u64) -> String {
    format!("C-{number}")
}

pub(super) fn number(id: &str) -> Option<u64> {
    let digits = id.strip_prefix("C-")?;
    let is_ours = digits.bytes().all(|byte| byte.is_ascii_digit()) && !digits.starts_with('0');
    digits.parse().ok().filter(|_| is_ours)
}

impl Book {
    /// Adds an order. True if nobody is at work: whoever added it has to see to that.
    pub(super) fn enter(&mut self, entry: Entry) -> bool {
        let Entry { number, order, by, wall_ms, place } = entry;
        let comparison = Comparison {
            order: Arc::new(order),
            state: ComparisonState::Waiting,
            findings: None,
            progress: Progress::default(),
            started_by: by,
            started_wall_ms: wall_ms,
            ended_wall_ms: None,
            why: None,
            stop: Arc::default(),
            place: Some(place),
            edition: 0,
        };
        self.comparisons.insert(number, comparison);
        self.changed(number);
        !std::mem::replace(&mut self.at_work, true)
    }

    /// The next one that waits. When there is none, nobody is at work any more.
    pub(super) fn next(&mut self) -> Option<Job> {
        let waits = |(_, comparison): &(&u64, &mut Comparison)| comparison.state == ComparisonState::Waiting;
        let Some((number, comparison)) = self.comparisons.iter_mut().find(waits) else {
            self.at_work = false;
            return None;
        };
        comparison.state = ComparisonState::Running;
        comparison.place = None;
        let (order, stop) = (Arc::clone(&comparison.order), Arc::clone(&comparison.stop));
        let job = Job { number: *number, order, stop };
        self.changed(job.number);
        Some(job)
    }

    /// Nobody could be found to work: whoever waits fails.
    pub(super) fn give_up(&mut self, why: &str, wall_ms: i64) {
        while let Some(job) = self.next() {
            self.end(job.number, Err(why.to_owned()), wall_ms);
        }
    }

    pub(super) fn advance(&mut self, number: u64, progress: Progress) {
        let Some(comparison) = self.running(number) else { return };
        let step = |done: usize| done * TOLD_STEPS / comparison.order.cells().max(1);
        let is_news = step(progress.done) > step(comparison.progress.done);
        comparison.progress = progress;
        if is_news {
            self.changed(number);
        }
    }

    /// What came of one that runs. If it was cancelled meanwhile, nothing.
    pub(super) fn end(&mut self, number: u64, outcome: Result<Findings, String>, wall_ms: i64) {
        let Some(comparison) = self.running(number) else { return };
        comparison.ended_wall_ms = Some(wall_ms);
        match outcome {
            Ok(findings) => {
                comparison.state = ComparisonState::Done;
                comparison.findings = Some(Arc::new(findings));
            }
            Err(why) => {
                comparison.state = ComparisonState::Failed;
                comparison.why = Some(why);
            }
        }
        self.changed(number);
        self.tidy();
    }

    /// Ends one that waits or runs. One that is over stays as it is.
    pub(super) fn cancel(&mut self, number: u64, wall_ms: i64) {
        let Some(comparison) = self.comparisons.get_mut(&number).filter(|known| !known.is_over()) else {
            return;
        };
        comparison.state = ComparisonState::Cancelled;
        comparison.ended_wall_ms = Some(wall_ms);
        comparison.place = None;
        comparison.stop.store(true, Ordering::Release);
        self.changed(number);
        self.tidy();
    }

    /// Forgets one that is over.
    pub(super) fn forget(&mut self, number: u64) {
        if self.comparisons.get(&number).is_some_and(Comparison::is_over) {
            self.comparisons.remove(&number);
            self.edition += 1;
        }
    }

    /// Nothing is wanted any more.
    pub(super) fn close(&mut self, wall_ms: i64) {
        let all: Vec<u64> = self.comparisons.keys().copied().collect();
        for number in all {
            self.cancel(number, wall_ms);
        }
    }

    pub(super) fn get(&self, number: u64) -> Option<&Comparison> {
        self.comparisons.get(&number)
    }

    /// Newest first.
    pub(super) fn items(&self) -> Vec<ComparisonItem> {
        self.comparisons.iter().rev().map(|(number, comparison)| comparison.item(*number)).collect()
    }

    /// Those that changed behind an edition, oldest first.
    pub(super) fn changes(&self, behind: u64) -> Vec<ComparisonItem> {
        let changed = self.comparisons.iter().filter(|(_, comparison)| comparison.edition > behind);
        changed.map(|(number, comparison)| comparison.item(*number)).collect()
    }

    pub(super) const fn edition(&self) -> u64 {
        self.edition
    }

    fn running(&mut self, number: u64) -> Option<&mut Comparison> {
        self.comparisons.get_mut(&number).filter(|known| known.state == ComparisonState::Running)
    }

    fn changed(&mut self, number: u64) {
        self.edition += 1;
        if let Some(comparison) = self.comparisons.get_mut(&number) {
            comparison.edition = self.edition;
        }
    }

    /// The oldest that are over go.
    fn tidy(&mut self) {
        let over = self.comparisons.iter().filter(|(_, comparison)| comparison.is_over());
        let over: Vec<u64> = over.map(|(number, _)| *number).collect();
        for number in over.iter().take(over.len().saturating_sub(MOST_KEPT)) {
            self.comparisons.remove(number);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::wish::check;
    use super::super::wish::tests::{shelf, wish};
    use super::*;
    use ComparisonState::{Cancelled, Failed, Running};
    use tokio::sync::Semaphore;

    struct Desk {
        book: Book,
        places: Arc<Semaphore>,
        order: Order,
    }

    fn desk() -> Desk {
        let order = check(&wish("three-waves", &["hold", "planner"], 50, None), &shelf()).unwrap();
        Desk { book: Book::default(), places: Arc::new(Semaphore::new(MOST_WAITING)), order }
    }

    impl Desk {
        fn enter(&mut self, number: u64) -> bool {
            let place = Arc::clone(&self.places).try_acquire_owned().unwrap();
            let (order, by) = (self.order.clone(), "person:anna".to_owned());
            self.book.enter(Entry { number, order, by, wall_ms: 1, place })
        }

        fn states(&self) -> Vec<(String, ComparisonState)> {
            self.book.items().into_iter().map(|item| (item.id, item.state)).collect()
        }

        fn next(&mut self) -> Option<u64> {
            self.book.next().map(|job| job.number)
        }
    }

    fn failed() -> Result<Findings, String> {
        Err("no".to_owned())
    }

    #[test]
    fn one_after_the_other() {
        let mut desk = desk();
        assert!(desk.enter(1) && !desk.enter(3) && !desk.enter(2));
        assert_eq!(desk.places.available_permits(), MOST_WAITING - 3);
        assert_eq!(desk.next(), Some(1));
        assert_eq!(desk.places.available_permits(), MOST_WAITING - 2, "who runs does not wait");
        desk.book.end(1, failed(), 2);
        desk.book.cancel(2, 2);
        assert_eq!(desk.places.available_permits(), MOST_WAITING - 1);
        assert_eq!(desk.next(), Some(3));
        let expected = [("C-3", Running), ("C-2", Cancelled), ("C-1", Failed)];
        assert_eq!(desk.states(), expected.map(|(id, state)| (id.to_owned(), state)));
        desk.book.end(3, failed(), 2);
        assert_eq!(desk.next(), None);
        assert!(desk.enter(4), "nobody is at work any more");
    }

    #[test]
    fn what_was_cancelled_stays_cancelled_and_is_forgotten_only_when_it_is_over() {
        let mut desk = desk();
        desk.enter(1);
        desk.book.forget(1);
        let job = desk.book.next().unwrap();
        desk.book.cancel(1, 5);
        assert!(job.stop.load(Ordering::Acquire));
        desk.book.advance(1, Progress { done: 100, ..Progress::default() });
        desk.book.end(1, failed(), 6);
        let item = desk.book.get(1).unwrap().item(1);
        assert_eq!((item.state, item.ended_wall, item.cells.done), (Cancelled, Some(5), 0));
        desk.book.forget(1);
        assert!(desk.book.items().is_empty());
        desk.book.forget(1);
        desk.book.cancel(1, 7);
    }

    #[test]
    fn the_oldest_that_are_over_go() {
        let mut desk = desk();
        for number in 1..=MOST_KEPT as u64 + 3 {
            desk.enter(number);
            desk.next();
            if number != 2 {
                desk.book.end(number, failed(), 1);
            }
        }
        let kept: Vec<String> = desk.book.items().into_iter().map(|item| item.id).collect();
        assert_eq!(kept.len(), MOST_KEPT + 1);
        assert_eq!(kept.last().unwrap(), "C-2", "it still runs");
        assert!(!kept.contains(&"C-1".to_owned()) && !kept.contains(&"C-3".to_owned()));
    }

    #[test]
    fn watchers_are_told_of_steps_and_not_of_every_run() {
        let mut desk = desk();
        desk.enter(1);
        desk.next();
        let before = desk.book.edition();
        for done in 1..=100 {
            desk.book.advance(1, Progress { done, ..Progress::default() });
        }
        assert_eq!(desk.book.edition() - before, TOLD_STEPS as u64);
        assert_eq!(desk.book.changes(before)[0].cells.done, 100);
        assert!(desk.book.changes(desk.book.edition()).is_empty());
    }

    #[test]
    fn whoever_waits_for_nobody_fails() {
        let mut desk = desk();
        desk.enter(1);
        desk.enter(2);
        desk.book.give_up("no thread", 1);
        assert!(desk.states().iter().all(|(_, state)| *state == Failed));
        assert!(desk.enter(3));
    }

    #[test]
    fn numbers_have_one_spelling() {
        assert_eq!((number("C-1"), number("C-20")), (Some(1), Some(20)));
        for wrong in ["", "C-", "C-0", "C-01", "C-+1", "c-1", "1", "C-1 ", "C-99999999999999999999"] {
            assert_eq!(number(wrong), None, "{wrong}");
        }
    }
}
