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

/// Finished comparisons that are kept. Each holds its drawings, some hundred kilobytes, in memory and in the database.
pub const MOST_KEPT: usize = 20;

/// How often watchers are told of a comparison while it runs: a bar on a page has no more steps than these.
const TOLD_STEPS: usize = 50;

/// One comparison.
#[derive(Debug)]
pub(super) struct Comparison {
    pub(super) item: ComparisonItem,
    pub(super) findings: Option<Arc<Findings>>,
    /// None for those of an earlier desk, which are over.
    order: Option<Arc<Order>>,
    /// Its runs are given up when this is set.
    stop: Arc<AtomicBool>,
    /// Its place among those who wait.
    place: Option<OwnedSemaphorePermit>,
    /// The edition of the book in which it changed last.
    edition: u64,
}

/// Somebody's order under a number that no other has had, and who it is.
pub(crate) struct Entry {
    pub(crate) number: u64,
    pub(crate) order: Order,
    pub(crate) by: String,
    pub(crate) wall_ms: i64,
    /// Their place among those who wait.
    pub(crate) place: OwnedSemaphorePermit,
}

/// How a comparison ended.
pub(super) struct Ended {
    pub(super) item: ComparisonItem,
    pub(super) findings: Option<Arc<Findings>>,
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
        self.item.state.is_over()
    }

    fn is_running(&self) -> bool {
        self.item.state == ComparisonState::Running
    }

    /// One of an earlier desk.
    fn former(item: ComparisonItem, findings: Option<Findings>) -> Self {
        let findings = findings.map(Arc::new);
        Self { item, findings, order: None, stop: Arc::default(), place: None, edition: 0 }
    }
}

impl Entry {
    /// What lists show of it.
    pub(crate) fn item(&self) -> ComparisonItem {
        let Self { number, order, by, wall_ms, .. } = self;
        ComparisonItem {
            id: id(*number),
            state: ComparisonState::Waiting,
            scenario: order.scenario().to_owned(),
            strategies: order.strategies(),
            seeds: order.seeds(),
            baseline: order.baseline().to_owned(),
            cells: RunCounts { done: 0, all: order.cells(), troubled: 0 },
            started_by: by.clone(),
            started_wall: *wall_ms,
            ended_wall: None,
            why: None,
            command: order.command().to_owned(),
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
    /// A book with what an earlier desk left.
    pub(super) fn with(former: impl IntoIterator<Item = (u64, ComparisonItem, Option<Findings>)>) -> Self {
        let comparisons =
            former.into_iter().map(|(number, item, findings)| (number, Comparison::former(item, findings)));
        Self { comparisons: comparisons.collect(), ..Self::default() }
    }

    /// Adds an order. True if nobody is at work: whoever added it has to see to that.
    pub(super) fn enter(&mut self, entry: Entry) -> bool {
        let item = entry.item();
        let Entry { number, order, place, .. } = entry;
        let comparison = Comparison {
            item,
            findings: None,
            order: Some(Arc::new(order)),
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
        let job = self.comparisons.iter_mut().find_map(|(number, comparison)| {
            let order =
                comparison.order.as_ref().filter(|_| comparison.item.state == ComparisonState::Waiting)?;
            let job = Job { number: *number, order: Arc::clone(order), stop: Arc::clone(&comparison.stop) };
            comparison.item.state = ComparisonState::Running;
            comparison.place = None;
            Some(job)
        });
        match &job {
            Some(job) => self.changed(job.number),
            None => self.at_work = false,
        }
        job
    }

    /// Nobody could be found to work: whoever waits fails.
    pub(super) fn give_up(&mut self, why: &str, wall_ms: i64) {
        while let Some(job) = self.next() {
            if let Some(ended) = self.ending(job.number, Err(why.to_owned()), wall_ms) {
                self.end(job.number, ended);
            }
        }
    }

    pub(super) fn advance(&mut self, number: u64, progress: Progress) {
        let Some(comparison) = self.running(number) else { return };
        let cells = &mut comparison.item.cells;
        let step = |done: usize| done * TOLD_STEPS / cells.all.max(1);
        let is_news = step(progress.done) > step(cells.done);
        (cells.done, cells.troubled) = (progress.done, progress.troubled);
        if is_news {
            self.changed(number);
        }
    }

    /// What one that runs will be when it is over; nothing if it does not run.
    pub(super) fn ending(
        &self,
        number: u64,
        outcome: Result<Findings, String>,
        wall_ms: i64,
    ) -> Option<Ended> {
        let mut item = self.get(number).filter(|known| known.is_running())?.item.clone();
        item.ended_wall = Some(wall_ms);
        item.state = if outcome.is_ok() { ComparisonState::Done } else { ComparisonState::Failed };
        let findings = match outcome {
            Ok(findings) => Some(Arc::new(findings)),
            Err(why) => {
                item.why = Some(why);
                None
            }
        };
        Some(Ended { item, findings })
    }

    /// Ends one that runs. False if it was cancelled meanwhile; then it stays so.
    pub(super) fn end(&mut self, number: u64, Ended { item, findings }: Ended) -> bool {
        let Some(comparison) = self.running(number) else { return false };
        (comparison.item, comparison.findings) = (item, findings);
        self.changed(number);
        self.tidy();
        true
    }

    /// Ends one that waits or runs. One that is over stays as it is.
    pub(super) fn cancel(&mut self, number: u64, wall_ms: i64) {
        let Some(comparison) = self.comparisons.get_mut(&number).filter(|known| !known.is_over()) else {
            return;
        };
        comparison.item.state = ComparisonState::Cancelled;
        comparison.item.ended_wall = Some(wall_ms);
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
        self.comparisons.values().rev().map(|comparison| comparison.item.clone()).collect()
    }

    /// Those that changed behind an edition, oldest first.
    pub(super) fn changes(&self, behind: u64) -> Vec<ComparisonItem> {
        let changed = self.comparisons.values().filter(|comparison| comparison.edition > behind);
        changed.map(|comparison| comparison.item.clone()).collect()
    }

    pub(super) const fn edition(&self) -> u64 {
        self.edition
    }

    fn running(&mut self, number: u64) -> Option<&mut Comparison> {
        self.comparisons.get_mut(&number).filter(|known| known.is_running())
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

        fn fail(&mut self, number: u64, wall_ms: i64) {
            let ended = self.book.ending(number, Err("no".to_owned()), wall_ms);
            ended.map(|ended| self.book.end(number, ended));
        }

        fn next(&mut self) -> Option<u64> {
            self.book.next().map(|job| job.number)
        }
    }

    #[test]
    fn one_after_the_other() {
        let mut desk = desk();
        assert!(desk.enter(1) && !desk.enter(3) && !desk.enter(2));
        assert_eq!(desk.places.available_permits(), MOST_WAITING - 3);
        assert_eq!(desk.next(), Some(1));
        assert_eq!(desk.places.available_permits(), MOST_WAITING - 2, "who runs does not wait");
        desk.fail(1, 2);
        desk.book.cancel(2, 2);
        assert_eq!(desk.places.available_permits(), MOST_WAITING - 1);
        assert_eq!(desk.next(), Some(3));
        let expected = [("C-3", Running), ("C-2", Cancelled), ("C-1", Failed)];
        assert_eq!(desk.states(), expected.map(|(id, state)| (id.to_owned(), state)));
        desk.fail(3, 2);
        assert_eq!(desk.next(), None);
        assert!(desk.enter(4), "nobody is at work any more");
    }

    #[test]
    fn what_was_cancelled_stays_cancelled_and_is_forgotten_only_when_it_is_over() {
        let mut desk = desk();
        desk.enter(1);
        desk.book.forget(1);
        let job = desk.book.next().unwrap();
        let late = desk.book.ending(1, Err("no".to_owned()), 6).unwrap();
        desk.book.cancel(1, 5);
        assert!(!desk.book.end(1, late), "whoever was at it hears that it was cancelled");
        assert!(job.stop.load(Ordering::Acquire));
        desk.book.advance(1, Progress { done: 100, ..Progress::default() });
        desk.fail(1, 6);
        let item = desk.book.get(1).unwrap().item.clone();
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
                desk.fail(number, 1);
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
    fn what_an_earlier_desk_left_is_shown_and_forgotten_like_any_other() {
        let mut desk = desk();
        desk.enter(3);
        let mut former = desk.book.get(3).unwrap().item.clone();
        former.state = ComparisonState::Interrupted;
        desk.book = Book::with([(3, former, None)]);
        assert_eq!(desk.states(), [("C-3".to_owned(), ComparisonState::Interrupted)]);
        assert!(desk.enter(4), "nobody works on what is over");
        assert_eq!((desk.next(), desk.next()), (Some(4), None));
        desk.book.forget(3);
        assert!(desk.book.get(3).is_none());
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
