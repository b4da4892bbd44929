//! The request that a task attends to: how it is called, and what whoever sent it showed.
//!
//! Both go with the task and not through the arguments of every handler, so that no line of the log and no entry of the record can
//! forget them. Work that is handed to another task or thread takes them along.

use std::sync::Arc;

tokio::task_local! {
    static REQUEST: Arc<str>;
    static VIA: Arc<str>;
}

/// What is known of the request behind some work.
#[derive(Clone, Debug, Default)]
pub(crate) struct Attended {
    request: Option<Arc<str>>,
    via: Option<Arc<str>>,
}

impl Attended {
    /// What this task attends to, to be taken elsewhere.
    pub(crate) fn now() -> Self {
        let known = |key: &'static tokio::task::LocalKey<Arc<str>>| key.try_with(Arc::clone).ok();
        Self { request: known(&REQUEST), via: known(&VIA) }
    }

    /// Goes on with it in another task.
    pub(crate) async fn carry<F: Future>(self, work: F) -> F::Output {
        match self {
            Self { request: Some(request), via: Some(via) } => {
                REQUEST.scope(request, VIA.scope(via, work)).await
            }
            Self { request: Some(request), via: None } => REQUEST.scope(request, work).await,
            Self { request: None, via: Some(via) } => VIA.scope(via, work).await,
            Self { request: None, via: None } => work.await,
        }
    }

    /// Goes on with it on another thread.
    pub(crate) fn during<T>(self, work: impl FnOnce() -> T) -> T {
        let inner = || match self.via {
            Some(via) => VIA.sync_scope(via, work),
            None => work(),
        };
        match self.request {
            Some(request) => REQUEST.sync_scope(request, inner),
            None => inner(),
        }
    }
}

/// Attends to a request that is called like this.
pub(crate) async fn with_request<F: Future>(id: Arc<str>, work: F) -> F::Output {
    REQUEST.scope(id, work).await
}

/// The same for a piece of work that does not wait.
pub(crate) fn during_request<T>(id: Arc<str>, work: impl FnOnce() -> T) -> T {
    REQUEST.sync_scope(id, work)
}

/// Attends to a request of somebody who showed this.
pub(crate) async fn with_via<F: Future>(via: Arc<str>, work: F) -> F::Output {
    VIA.scope(via, work).await
}

/// How the request is called that is attended to here, if it is one.
pub(crate) fn request() -> Option<Arc<str>> {
    REQUEST.try_with(Arc::clone).ok()
}

/// What whoever sent the request showed: the number of a token or a session, and never a secret.
pub(crate) fn via() -> Option<String> {
    VIA.try_with(ToString::to_string).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn what_is_known_goes_along_to_other_tasks_and_threads() {
        assert_eq!((request(), via()), (None, None));
        let work = async {
            let here = Attended::now();
            let task = tokio::spawn(here.clone().carry(async { (request(), via()) }));
            let thread = std::thread::spawn(move || here.during(|| (request(), via())));
            (task.await.expect("a task"), thread.join().expect("a thread"))
        };
        let (task, thread) = with_request("q-1".into(), with_via("token:T-1".into(), work)).await;
        let expected = (Some(Arc::from("q-1")), Some("token:T-1".to_owned()));
        assert_eq!((task, thread), (expected.clone(), expected));
    }
}
