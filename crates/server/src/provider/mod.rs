//! Language models, asked over HTTP: any server that speaks OpenAI's chat completions.
//!
//! ```text
//!  call ─► breaker, budget ─► pace ─► one try over HTTP ─► verdict ─► reply
//!                              ▲            wire               │
//!                              └── pause, or a humbler request ┘
//! ```
//!
//! `wire` is the format; `budget`, `breaker`, `pace`, `pause` and `verdict` decide; all are pure. `exchange` makes one request, `asking` all of
//! one call, and [`Provider`] lets threads wait for them. A key is known to the one function that sends it, and whatever comes back is searched
//! for it.

mod asking;
mod breaker;
pub mod budget;
mod exchange;
mod pace;
mod pause;
mod threads;
mod timekeeper;
mod veil;
mod verdict;
pub mod wire;

pub use breaker::BreakerState;
pub use threads::{CannotAsk, Provider, Standing};
pub use timekeeper::Timekeeper;
