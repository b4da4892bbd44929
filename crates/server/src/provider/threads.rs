//! The provider as threads know it: they ask and wait.

use super::asking::{Shared, State, amount};
use super::breaker::BreakerState;
use super::budget::Amount;
use super::exchange::Exchange;
use super::timekeeper::{RealTime, Timekeeper};
use super::veil::Veil;
use crate::access::Secret;
use crate::config::ModelsConfig;
use control::question::{Call, Failure, Reply, Told, Usage};
use lab::models::Correspondent;
use model::time::Period;
use serde::Serialize;
use std::fmt;
use std::io;
use std::sync::{Arc, Mutex, mpsc};
use tokio::runtime::{Builder, Runtime};
use tokio::sync::Semaphore;

/// Somebody who asks language models over HTTP. Any thread may ask, several at once.
pub struct Provider {
    shared: Arc<Shared>,
    /// There until this is dropped.
    runtime: Option<Runtime>,
}

/// Why nobody can be asked at all.
#[derive(Debug, thiserror::Error)]
pub enum CannotAsk {
    #[error("the endpoint of models is not an address")]
    Endpoint,
    #[error("the key of models has characters that cannot be sent")]
    Key,
    #[error("the thread that asks models cannot be started")]
    Thread(#[source] io::Error),
}

/// What was asked and spent, and how the breaker stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Standing {
    /// Since the last midnight of universal time, or since this exists.
    pub spent_today: Amount,
    /// Since this exists.
    pub spent: Amount,
    pub calls: u64,
    /// Calls without an answer, those that were not made included.
    pub failed: u64,
    pub breaker: BreakerState,
}

impl Provider {
    pub fn new(settings: &ModelsConfig, key: Option<Secret>) -> Result<Self, CannotAsk> {
        Self::with_time(settings, key, Box::new(RealTime::new()))
    }

    /// As [`Provider::new`], by another clock.
    pub fn with_time(
        settings: &ModelsConfig,
        key: Option<Secret>,
        time: Box<dyn Timekeeper>,
    ) -> Result<Self, CannotAsk> {
        let veil = Veil::new(key);
        let runtime =
            Builder::new_multi_thread().worker_threads(1).thread_name("models").enable_all().build();
        let shared = Shared {
            exchange: Exchange::new(settings, &veil)?,
            veil,
            time,
            state: Mutex::new(State::new(settings)),
            room: Semaphore::new(settings.concurrent as usize),
            settings: settings.clone(),
        };
        Ok(Self { shared: Arc::new(shared), runtime: Some(runtime.map_err(CannotAsk::Thread)?) })
    }

    pub fn standing(&self) -> Standing {
        let time = &self.shared.time;
        let mut state = self.shared.state();
        Standing {
            spent_today: state.purse.today(time.wall_ms()),
            spent: state.purse.total(),
            calls: state.calls,
            failed: state.failed,
            breaker: state.breaker.state(time.elapsed()),
        }
    }
}

impl Correspondent for Provider {
    fn reply(&self, call: &Call) -> Reply {
        let (tell, heard) = mpsc::sync_channel(1);
        if let Some(runtime) = &self.runtime {
            let (shared, asked) = (Arc::clone(&self.shared), call.clone());
            runtime.spawn(async move {
                let _ = tell.send(shared.reply(&asked).await);
            });
        }
        heard.recv().unwrap_or_else(|_| interrupted(call))
    }

    fn used_before(&self, today: Usage) {
        self.shared.state().purse.take_over(self.shared.time.wall_ms(), amount(today));
    }
}

/// The work on a call ended without a result: a mistake of our own.
fn interrupted(call: &Call) -> Reply {
    let message = "the call was interrupted; this is a mistake in drover".to_owned();
    Reply {
        role: call.role.clone(),
        told: Told::Failed { because: Failure::ProviderFailed, message },
        took: Period::ZERO,
        usage: Usage::default(),
    }
}

impl Drop for Provider {
    fn drop(&mut self) {
        // Waiting for it is forbidden where it may be dropped: in another runtime.
        if let Some(runtime) = self.runtime.take() {
            runtime.shutdown_background();
        }
    }
}

impl fmt::Debug for Provider {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "Provider({})", self.shared.exchange.host)
    }
}
