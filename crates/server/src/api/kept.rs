//! Answers that are the same for everybody who asks the same, until something changes. Many watch the same lists, and whenever
//! something happens all of them ask at once: one of them has the database look, and the others wait for that.

use super::problem::Problem;
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};
use tokio::sync::OnceCell;

/// Different questions that are remembered. When there are more, all are forgotten.
const MOST: usize = 256;

/// Answers of one edition of what they are about.
#[derive(Debug)]
pub(crate) struct Kept<T>(Mutex<Shelf<T>>);

#[derive(Debug)]
struct Shelf<T> {
    edition: u64,
    answers: BTreeMap<String, Arc<OnceCell<Arc<T>>>>,
}

impl<T> Default for Kept<T> {
    fn default() -> Self {
        Self(Mutex::new(Shelf { edition: 0, answers: BTreeMap::new() }))
    }
}

impl<T> Kept<T> {
    /// The answer to a question, worked out if nobody has since the edition began. The edition must have been asked for first.
    pub(crate) async fn answer<R>(
        &self,
        edition: u64,
        question: String,
        work: impl FnOnce() -> R,
    ) -> Result<Arc<T>, Problem>
    where
        R: Future<Output = Result<T, Problem>>,
    {
        let place = self.place(edition, question);
        let answer = place.get_or_try_init(|| async { work().await.map(Arc::new) }).await?;
        Ok(Arc::clone(answer))
    }

    fn place(&self, edition: u64, question: String) -> Arc<OnceCell<Arc<T>>> {
        let mut shelf = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if edition < shelf.edition {
            // Somebody who was held up: what others keep by now is newer, and this answer is for nobody else.
            return Arc::default();
        }
        if edition > shelf.edition || shelf.answers.len() >= MOST {
            *shelf = Shelf { edition, answers: BTreeMap::new() };
        }
        Arc::clone(shelf.answers.entry(question).or_default())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicU32, Ordering};

    #[tokio::test]
    async fn one_works_and_all_hear_it_until_something_changes() {
        let (kept, worked) = (Kept::default(), AtomicU32::new(0));
        let ask = |edition, question: &str| {
            kept.answer(edition, question.to_owned(), || async {
                tokio::task::yield_now().await;
                Ok(worked.fetch_add(1, Ordering::Relaxed))
            })
        };
        let (one, other) = tokio::join!(ask(1, "a"), ask(1, "a"));
        assert_eq!(*one.expect("an answer"), *other.expect("an answer"));
        assert_eq!(worked.load(Ordering::Relaxed), 1);
        let _ = ask(1, "b").await;
        let _ = ask(2, "a").await;
        assert_eq!(worked.load(Ordering::Relaxed), 3);
        // Whoever was held up gets an answer, and takes nothing from the others.
        let _ = ask(1, "a").await;
        let _ = ask(2, "a").await;
        assert_eq!(worked.load(Ordering::Relaxed), 4);
    }

    #[tokio::test]
    async fn a_failure_is_not_kept() {
        let kept = Kept::default();
        let fails = || async { Err(Problem::not_found("it")) };
        assert!(kept.answer(1, "a".to_owned(), fails).await.is_err());
        assert!(kept.answer(1, "a".to_owned(), || async { Ok(1) }).await.is_ok());
    }
}
