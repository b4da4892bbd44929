//! All that is done for one call: leave to make it, its tries, the pauses between them, and the bill.

use super::breaker::Breaker;
use super::budget::{Amount, Price, Purse, Reserved, Spender};
use super::exchange::{Exchange, Happened};
use super::pace::Pace;
use super::pause;
use super::timekeeper::Timekeeper;
use super::veil::Veil;
use super::verdict::{Trouble, Verdict, verdict};
use super::wire::{Heard, Manner, Said, Structure, Tokens};
use crate::config::{ModelsConfig, Structured};
use crate::outward;
use control::question::{Call, Failure, Reply, Speaker, Told, Usage};
use model::hash::ContentHash;
use model::time::Period;
use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::sync::Semaphore;

/// Bytes of text that make a token, with care: English has four, JSON with numbers about three.
const BYTES_PER_TOKEN: u64 = 3;

/// A request can become humbler in four ways: two in its shape, the word for its limit, the options of streams.
const MOST_CONCESSIONS: u32 = 4;

/// Models whose manners are remembered.
const MOST_MODELS: usize = 256;

/// What all calls share.
pub(super) struct Shared {
    pub(super) exchange: Exchange,
    pub(super) veil: Veil,
    pub(super) time: Box<dyn Timekeeper>,
    pub(super) state: Mutex<State>,
    pub(super) room: Semaphore,
    pub(super) settings: ModelsConfig,
}

/// What changes with every call.
pub(super) struct State {
    pub(super) breaker: Breaker,
    pub(super) purse: Purse,
    pub(super) pace: Pace,
    /// How each model wants to be asked, as far as that is known.
    pub(super) manners: BTreeMap<String, Manner>,
    pub(super) calls: u64,
    pub(super) failed: u64,
}

impl State {
    pub(super) fn new(settings: &ModelsConfig) -> Self {
        Self {
            breaker: Breaker::new(settings.breaker.failures, duration(settings.breaker.rest)),
            purse: Purse::new(settings.budgets),
            pace: Pace::new(settings.requests_per_minute),
            manners: BTreeMap::new(),
            calls: 0,
            failed: 0,
        }
    }
}

pub(super) const fn duration(period: Period) -> Duration {
    Duration::from_millis(period.as_millis())
}

impl Shared {
    pub(super) fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What became of a call.
    pub(super) async fn reply(&self, call: &Call) -> Reply {
        let mut asking = Asking::new(self, call);
        let told = match asking.ask().await {
            Ok((text, complete)) => Told::Text { text: self.veil.covered(text), complete },
            Err(trouble) => self.failed(asking.usage.tries, &trouble),
        };
        let took = self.time.elapsed().saturating_sub(asking.began);
        let took = Period::from_millis(u64::try_from(took.as_millis()).unwrap_or(u64::MAX));
        Reply { role: call.role.clone(), told, took, usage: asking.usage }
    }

    fn failed(&self, tries: u32, trouble: &Trouble) -> Told {
        self.state().failed += 1;
        let tried = match tries {
            0 => " was not asked".to_owned(),
            1 => String::new(),
            tries => format!(" after {tries} tries"),
        };
        let message = format!("{}{tried}: {}", self.exchange.host, self.veil.quoted(&trouble.message));
        Told::Failed { because: trouble.because, message }
    }

    fn price(&self, call: &Call) -> Price {
        self.settings.prices.get(&call.model).copied().unwrap_or_default()
    }

    fn manner(&self, model: &str) -> Manner {
        let first = match self.settings.structured {
            Structured::Auto | Structured::Schema => Structure::Schema,
            Structured::Object => Structure::Object,
            Structured::Text => Structure::Text,
        };
        self.state().manners.get(model).copied().unwrap_or(Manner::beginning_with(first))
    }

    fn remember(&self, model: &str, manner: Manner) {
        let mut state = self.state();
        if state.manners.len() < MOST_MODELS || state.manners.contains_key(model) {
            state.manners.insert(model.to_owned(), manner);
        }
    }
}

/// One call on its way.
struct Asking<'a> {
    shared: &'a Shared,
    call: &'a Call,
    key: ContentHash,
    cycle: ContentHash,
    began: Duration,
    deadline: Duration,
    usage: Usage,
}

impl<'a> Asking<'a> {
    fn new(shared: &'a Shared, call: &'a Call) -> Self {
        let began = shared.time.elapsed();
        let deadline = began.saturating_add(duration(shared.settings.timeout));
        Self { shared, call, key: call.key(), cycle: cycle(call), began, deadline, usage: Usage::default() }
    }

    async fn ask(&mut self) -> Result<(String, bool), Trouble> {
        self.begin()?;
        let result = match tokio::time::timeout(self.left(), self.shared.room.acquire()).await {
            Ok(_room) => self.try_until_it_works().await,
            Err(_) => {
                Err(Trouble::new(Failure::TimedOut, "too many calls are under way, and none ended in time"))
            }
        };
        self.note(&result);
        result
    }

    /// Whether the call may be made at all; nobody is asked to find that out.
    fn begin(&self) -> Result<(), Trouble> {
        let mut state = self.shared.state();
        state.calls += 1;
        state.purse.begin(self.cycle, self.key);
        // A probe is not wasted on a call that cannot be paid for.
        let reserved = self.reserve(&mut state)?;
        state.purse.settle(self.shared.time.wall_ms(), reserved, Amount::default());
        state.breaker.admit(self.shared.time.elapsed()).map_err(|remaining| {
            let message = format!(
                "it failed {} times in a row and is left alone for {} more",
                self.shared.settings.breaker.failures,
                Period::from_millis(u64::try_from(remaining.as_millis()).unwrap_or(u64::MAX))
            );
            Trouble::new(Failure::CircuitOpen, message)
        })
    }

    fn note(&self, result: &Result<(String, bool), Trouble>) {
        let mut state = self.shared.state();
        let now = self.shared.time.elapsed();
        match result.as_ref().map_err(|trouble| trouble.because) {
            // It was there and spoke.
            Ok(_) | Err(Failure::Refused | Failure::NotAccepted) => state.breaker.succeeded(),
            // Says nothing about the server.
            Err(Failure::BudgetExhausted) => state.breaker.forgone(now),
            Err(_) if self.usage.tries == 0 => state.breaker.forgone(now),
            Err(_) => state.breaker.failed(now),
        }
    }

    async fn try_until_it_works(&mut self) -> Result<(String, bool), Trouble> {
        let insists = self.shared.settings.structured != Structured::Auto;
        let (mut failures, mut concessions) = (0, 0);
        loop {
            let manner = self.shared.manner(&self.call.model);
            let happened = self.attempt(manner).await?;
            let (trouble, wait) = match verdict(happened, manner, insists) {
                Verdict::Text { text, complete } => return Ok((text, complete)),
                Verdict::Over(trouble) => return Err(trouble),
                Verdict::Humbler(manner) if concessions < MOST_CONCESSIONS => {
                    concessions += 1;
                    self.shared.remember(&self.call.model, manner);
                    continue;
                }
                Verdict::Humbler(_) => {
                    return Err(Trouble::new(Failure::NotAccepted, "it accepts no manner of asking"));
                }
                Verdict::Again { trouble, wait } => (trouble, wait),
            };
            failures += 1;
            self.pause(failures, trouble, wait).await?;
        }
    }

    /// Waits for the next try, unless this was the last one.
    async fn pause(&self, failures: u32, trouble: Trouble, wait: Option<Duration>) -> Result<(), Trouble> {
        let rest = wait.unwrap_or_default().max(pause::after(failures, self.key));
        if let Some(wait) = wait.filter(|_| trouble.because == Failure::RateLimited) {
            // Nobody else comes in the meantime either.
            let until = self.shared.time.elapsed().saturating_add(wait.min(pause::LONGEST_HONOURED));
            self.shared.state().pace.hold(until);
        }
        if failures >= self.shared.settings.tries {
            return Err(trouble);
        }
        if rest > pause::LONGEST_HONOURED || rest >= self.left() {
            let message = format!("{}; another try would have to wait {} s", trouble.message, rest.as_secs());
            return Err(Trouble { message, ..trouble });
        }
        self.shared.time.sleep(rest).await;
        Ok(())
    }

    /// One request, paid for.
    async fn attempt(&mut self, manner: Manner) -> Result<Happened, Trouble> {
        let reserved = self.reserve(&mut self.shared.state())?;
        if let Err(trouble) = self.wait_for_turn().await {
            self.settle(reserved, Usage::default());
            return Err(trouble);
        }
        self.usage.tries += 1;
        let longest = self.shared.settings.try_timeout.map_or(Duration::MAX, duration);
        let patience = self.left().min(longest);
        let time = &*self.shared.time;
        let happened = self.shared.exchange.attempt(self.call, manner, patience, time).await;
        let used = self.used(&happened);
        self.settle(reserved, used);
        Ok(happened)
    }

    async fn wait_for_turn(&self) -> Result<(), Trouble> {
        let now = self.shared.time.elapsed();
        let wait = self.shared.state().pace.book(now, self.deadline);
        let Some(wait) = wait else {
            let most = self.shared.settings.requests_per_minute;
            let message = format!("its turn would come too late; at most {most} requests go out in a minute");
            return Err(Trouble::new(Failure::RateLimited, message));
        };
        if !wait.is_zero() {
            self.shared.time.sleep(wait).await;
        }
        Ok(())
    }

    fn left(&self) -> Duration {
        self.deadline.saturating_sub(self.shared.time.elapsed())
    }

    fn reserve(&self, state: &mut State) -> Result<Reserved, Trouble> {
        let spent = amount(self.usage);
        let estimate =
            Tokens { prompt: prompt_tokens(self.call), completion: u64::from(self.call.max_tokens) };
        let wanted = Amount {
            tokens: estimate.prompt.saturating_add(estimate.completion),
            dollars: self.shared.price(self.call).of(estimate),
        };
        let spender = Spender { cycle: self.cycle, spent };
        let reserved = state.purse.reserve(self.shared.time.wall_ms(), spender, wanted);
        reserved.map_err(|exhausted| Trouble::new(Failure::BudgetExhausted, exhausted.to_string()))
    }

    fn settle(&mut self, reserved: Reserved, used: Usage) {
        self.usage.prompt_tokens += used.prompt_tokens;
        self.usage.completion_tokens += used.completion_tokens;
        self.usage.cost = self.usage.cost.saturating_add(used.cost);
        self.shared.state().purse.settle(self.shared.time.wall_ms(), reserved, amount(used));
    }

    /// What a request used: as the server says, or else as it was estimated. What broke off was paid for as far as it came.
    fn used(&self, happened: &Happened) -> Usage {
        let estimated = |text: usize| Tokens {
            prompt: prompt_tokens(self.call),
            completion: (text as u64).div_ceil(BYTES_PER_TOKEN),
        };
        let (tokens, cost) = match happened {
            Happened::Failed(
                outward::Failure::TooSlow(_) | outward::Failure::TooLarge(_) | outward::Failure::Broken(_),
            ) => (estimated(0), None),
            Happened::Failed(_) | Happened::Refused { .. } => return Usage::default(),
            Happened::Answered(Heard { said, counted }) => {
                let tokens = counted.tokens.unwrap_or_else(|| match said {
                    Said::Text { text, .. } | Said::Refused(text) => estimated(text.len()),
                    Said::BrokenOff { after } => estimated(*after),
                    Said::Complained(_) | Said::Nonsense(_) => Tokens::default(),
                });
                (tokens, counted.cost)
            }
        };
        let cost = cost.unwrap_or_else(|| self.shared.price(self.call).of(tokens));
        Usage { prompt_tokens: tokens.prompt, completion_tokens: tokens.completion, cost, tries: 0 }
    }
}

pub(super) const fn amount(usage: Usage) -> Amount {
    Amount { tokens: usage.prompt_tokens.saturating_add(usage.completion_tokens), dollars: usage.cost }
}

/// With care, before anybody has counted.
fn prompt_tokens(call: &Call) -> u64 {
    let text: usize = call.messages.iter().map(|message| message.text.len()).sum();
    let schema = call.schema.as_ref().map_or(0, |schema| schema.to_string().len());
    ((text + schema) as u64).div_ceil(BYTES_PER_TOKEN)
}

/// Calls that are told the same state of the world, whoever they go to and whatever is repaired, belong to one cycle.
fn cycle(call: &Call) -> ContentHash {
    let state = call.messages.iter().find(|message| message.speaker == Speaker::User);
    ContentHash::of(&(state.map(|message| &message.text), call.sample))
}
