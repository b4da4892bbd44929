//! Who answers what agents ask of models: somebody outside, a cassette on which answers were recorded, or both.
//!
//! ```text
//!  question ─► respondent (virtual time) ─► player ─► cassette, if the call is on it
//!                                             └─────► correspondent, if anybody may be asked ─► cassette
//! ```
//!
//! With a cassette a run gives the same bytes without a network. No key is ever on one: a call does not know who pays.

mod account;
mod cassette;
mod player;
mod respondent;
mod stand_in;

pub use account::Account;
pub use cassette::{Cassette, CassetteProblem, Entry};
pub use player::{Keeper, Mode, Outside, Player};
pub(crate) use respondent::InOneRun;
pub use respondent::{AnswerTime, Models, ask_all};
pub use stand_in::{Faults, StandIn};

use control::question::{Call, Reply, Usage};

/// Somebody who can be asked, and is waited for.
pub trait Correspondent: Send + Sync {
    /// What became of the call, within the time, money and number of attempts that were granted. It always comes back.
    fn reply(&self, call: &Call) -> Reply;

    /// Told once what was used today before this existed, so that a budget of the day holds through a restart.
    fn used_before(&self, _today: Usage) {}
}
