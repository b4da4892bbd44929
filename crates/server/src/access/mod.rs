//! Who somebody is and what they may do.

mod caller;
mod door;
mod pace;
mod role;
mod secret;

pub use caller::{Caller, Proof};
pub use door::{COOKIE, CSRF_HEADER, Door, NewToken, TOKEN_PREFIX, issue, unknown};
pub use pace::Limiter;
pub use role::{Right, Role};
pub use secret::Secret;
