//! The shell around courses: looks, gives one order, looks again, and tells what became of it.

use super::course::{Course, Move};
use super::eye::Eye;
use super::hand::Hand;
use super::order::Order;
use super::task::{Manner, Next, Task};
use crate::clock::{RunClock, Wall};
use crate::settings::Settings;
use crate::trouble::Trouble;
use control::review_desk::Approved;
use control::world::{Applied, Input, Objection};
use model::action::Action;
use model::execution::{Progress, Step};
use model::hash::ContentHash;
use model::names::WorkloadRef;
use model::recommendation::RecommendationId;
use model::time::{Period, Timestamp};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::Sender;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::sync::Notify;

/// So many actions that are over are remembered, so that none is begun twice and their courses can still be read.
const MOST_KEPT: usize = 1_000;

/// Carries out actions; shared by all of them.
#[derive(Clone)]
pub(crate) struct Runner {
    eye: Eye,
    hand: Hand,
    settings: Arc<Settings>,
    clock: RunClock,
    inputs: Sender<Input>,
    book: Arc<Mutex<Book>>,
}

/// What is under way and what was.
#[derive(Default)]
pub(crate) struct Book {
    entries: BTreeMap<RecommendationId, Entry>,
    moved_at: BTreeMap<WorkloadRef, Timestamp>,
}

struct Entry {
    action: Action,
    progress: Progress,
    abort: Arc<Abort>,
}

#[derive(Default)]
struct Abort {
    wanted: AtomicBool,
    news: Notify,
}

impl Runner {
    pub(crate) fn new(
        eye: Eye,
        hand: Hand,
        settings: &Settings,
        clock: RunClock,
        inputs: Sender<Input>,
    ) -> Self {
        Self { eye, hand, settings: Arc::new(settings.clone()), clock, inputs, book: Arc::default() }
    }

    fn book(&self) -> MutexGuard<'_, Book> {
        // Under the lock entries are only inserted, replaced or removed whole.
        self.book.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Begins an action, or goes on with one of which `known` was written down; must be called within the runtime.
    pub(crate) fn begin(&self, approved: &Approved, known: Option<&Progress>) {
        let recommendation = approved.recommendation();
        let manner = Manner::of(&self.settings, &recommendation.action);
        let task = Task::new(recommendation.id, recommendation.hash, &recommendation.action, manner);
        let (now, timeouts) = (self.clock.now(), self.settings.timeouts);
        let course = match known {
            Some(known) => Course::take_up(task, timeouts, now, known),
            None => Course::begin(task, timeouts, now),
        };
        if let Some(abort) = self.book().enter(&course) {
            tokio::spawn(self.clone().run(course, abort));
        }
    }

    pub(crate) fn abort(&self, id: RecommendationId) {
        if let Some(entry) = self.book().entries.get(&id) {
            entry.abort.wanted.store(true, Ordering::Relaxed);
            entry.abort.news.notify_one();
        }
    }

    pub(crate) fn progress(&self) -> Vec<Progress> {
        self.book().entries.values().map(|entry| entry.progress.clone()).collect()
    }

    /// What is being changed, and when things were last moved.
    pub(crate) fn standing(&self) -> (BTreeSet<WorkloadRef>, BTreeMap<WorkloadRef, Timestamp>) {
        let book = self.book();
        let under_way = book.entries.values().filter(|entry| !entry.progress.is_over());
        let moving = under_way.filter_map(|entry| entry.action.workload().cloned()).collect();
        (moving, book.moved_at.clone())
    }

    async fn run(self, mut course: Course, abort: Arc<Abort>) {
        loop {
            if abort.wanted.load(Ordering::Relaxed) {
                course.take_back("given up", self.clock.now());
            }
            let sight = self.eye.look(&course.task).await;
            let mut next = course.judge(&sight, self.clock.now(), Wall::now());
            self.book().note(&course);
            if let Move::Give(order) = &next {
                let answer = self.hand.give(order).await;
                next = course.answered(&answer, self.clock.now());
                self.book().note(&course);
            }
            if let Move::Remind(order) = &next {
                let answer = self.hand.give(order).await;
                next = course.reminded(&answer, self.clock.now());
            }
            if let Move::Tidy(order) = &next {
                let answer = self.hand.give(order).await;
                next = course.tidied(&answer, self.clock.now());
            }
            match next {
                Move::Give(_) | Move::Remind(_) | Move::Tidy(_) => {}
                Move::LookAgain(pause) => wait(pause, &abort).await,
                Move::End(outcome) => return self.end(&course, outcome),
            }
        }
    }

    fn end(&self, course: &Course, outcome: Applied) {
        self.book().close(course, self.clock.now());
        // Nobody listens any more when the world is being dropped.
        let _ = self.inputs.send(Input::Applied { id: course.task.id, outcome });
    }

    /// Whether the first orders of an action would be taken, as far as they can be tried before anything has happened. Nothing is
    /// changed.
    pub(crate) async fn rehearse(&self, action: &Action) -> Result<(), Objection> {
        let manner = Manner::of(&self.settings, action);
        let task = Task::new(RecommendationId(0), ContentHash::of(action), action, manner);
        let sight = self.eye.look(&task).await;
        match task.next(&sight, Wall::now()).next {
            Next::Give(order) | Next::GiveSettled(order) | Next::Close(order, _) => {
                for order in task.foretold(*order) {
                    let answer = self.hand.rehearse(&order).await;
                    answer.map_err(|trouble| objection(&order, &trouble))?;
                }
                Ok(())
            }
            Next::Wait(_) | Next::Linger(_) | Next::End(Applied::Done) => Ok(()),
            Next::Blind(reason) => Err(Objection::NoAnswer { reason }),
            Next::GoBack(reason) | Next::End(Applied::Failed { reason } | Applied::RolledBack { reason }) => {
                Err(Objection::Refused { reason })
            }
        }
    }
}

/// What a server said to an order that was only rehearsed.
fn objection(order: &Order, trouble: &Trouble) -> Objection {
    let reason = format!("{order}: {}", trouble.text());
    match trouble {
        Trouble::Refused(_) | Trouble::Absent(_) => Objection::Refused { reason },
        _ => Objection::NoAnswer { reason },
    }
}

/// Until the pause is over or somebody gives up.
async fn wait(pause: Period, abort: &Abort) {
    let pause = Duration::from_millis(pause.as_millis());
    let _ = tokio::time::timeout(pause, abort.news.notified()).await;
}

impl Book {
    /// Nothing if it was begun before.
    fn enter(&mut self, course: &Course) -> Option<Arc<Abort>> {
        if self.entries.contains_key(&course.task.id) {
            return None;
        }
        let abort = Arc::<Abort>::default();
        let entry = Entry {
            action: course.task.action.clone(),
            progress: course.progress.clone(),
            abort: Arc::clone(&abort),
        };
        self.entries.insert(course.task.id, entry);
        Some(abort)
    }

    fn note(&mut self, course: &Course) {
        if let Some(entry) = self.entries.get_mut(&course.task.id) {
            entry.progress.clone_from(&course.progress);
        }
    }

    fn close(&mut self, course: &Course, now: Timestamp) {
        self.note(course);
        if course.progress.at(Step::Done).is_some()
            && course.task.action.is_relocation()
            && let Some(workload) = course.task.action.workload()
        {
            self.moved_at.insert(workload.clone(), now);
        }
        let over = self.entries.iter().filter(|(_, entry)| entry.progress.is_over());
        let surplus = over.clone().count().saturating_sub(MOST_KEPT);
        let old: Vec<RecommendationId> = over.map(|(id, _)| *id).take(surplus).collect();
        for id in old {
            self.entries.remove(&id);
        }
    }
}
