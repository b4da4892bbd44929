//! The key of the request behind something that is to be done. Whoever does it notes the key in the same transaction, so that a repeated
//! request finds it done even if the desk was killed before it answered.
//!
//! The key goes with the task that attends to the request and not through the arguments of every handler: none of them can forget it.

use super::work::Along;
use crate::attended;
use crate::storage::tables::idempotency::{Key, mark};
use crate::storage::tables::journal;

tokio::task_local! {
    static KEY: Key;
}

/// Attends to a request that carries a key.
pub(crate) async fn with_key<F: Future>(key: Key, work: F) -> F::Output {
    KEY.scope(key, work).await
}

/// The key of the request that this task attends to, if it carries one.
pub(crate) fn key() -> Option<Key> {
    KEY.try_with(Clone::clone).ok()
}

/// What is known of the request behind something.
#[derive(Clone, Debug, Default)]
pub struct Behind {
    pub key: Option<Key>,
    /// What whoever sent it showed.
    pub via: Option<String>,
}

impl Behind {
    /// The request that this task attends to.
    pub(crate) fn now() -> Self {
        Self { key: key(), via: attended::via() }
    }
}

/// Notes the key together with a step, besides what is kept along with it anyway.
pub(super) fn marking(key: Option<Key>, along: Option<Along>) -> Option<Along> {
    let Some(key) = key else { return along };
    Some(Box::new(move |transaction, step| {
        along.map_or(Ok(()), |along| along(transaction, step))?;
        let seq = journal::head(transaction)?.seq;
        mark(transaction, &key, seq)
    }))
}
