//! The one who acts: takes the world forward, writes every step down before it has an effect, and attends to people one by one.
//!
//! ```text
//!  handlers ──Errand──►┐            ┌─ engine: world + loop ─┐
//!  predictions ───────►├─ inbox ──► │ next step │ take input │ ──► journal and lists (one transaction) ──► effects start
//!  clock orders ──────►┘            └────────────────────────┘                                        └──► board, hub
//! ```
//!
//! It is a thread of its own because worlds are synchronous; whatever it says was done is kept.

mod ask;
mod checkpoint;
mod correspondence;
pub mod engine;
mod follow;
mod foresight;
mod ground;
mod intervene;
mod legacy;
pub mod lists;
pub(crate) mod once;
pub mod pace;
mod predict;
pub mod record;
mod rehearsing;
mod resume;
mod standing;
mod timekeeping;
mod unforeseen;
mod watch;
mod work;

pub use ground::{Ground, Real};
pub use intervene::Onlooker;
pub use resume::{Opening, Resumed};
pub use timekeeping::ClockOrder;
pub use work::{Along, Errand, Handle, INBOX, Message, Office, OfficeError, Outcome};
