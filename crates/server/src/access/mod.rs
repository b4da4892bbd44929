//! Who somebody is and what they may do.

mod caller;
mod changed;
pub mod cookie;
mod door;
mod names;
pub mod oidc;
mod one_time;
mod origin;
mod pace;
pub(crate) mod record;
pub(crate) mod refusals;
mod register;
mod role;
mod roll;
mod secret;
pub mod session;
mod share;
mod sight;
mod token;

pub use caller::{Caller, Proof};
pub(crate) use changed::end_changed;
pub use cookie::{COOKIE, session_cookie};
pub use door::{CSRF_HEADER, Credential, Door, Note, Visit, unknown};
pub use names::Residents;
pub use one_time::{CODE_PREFIX, USUAL_GUEST, one_time};
pub use origin::Origins;
pub use pace::Limiter;
pub use register::Register;
pub use role::{Right, Role};
pub use roll::{Names, Roll};
pub use secret::Secret;
pub use session::{Guest, How, Login, OpenSession, csrf_token};
pub use share::{Share, Shares};
pub use sight::Sight;
pub use token::{NewToken, TOKEN_PREFIX, issue, revoke};
