//! Dialogues with the whole loop, and what holds in all of them.

#![expect(clippy::needless_pass_by_value, reason = "a row reads better without references")]
#![expect(clippy::needless_raw_string_hashes, reason = "what is expected is written by a tool, with hashes")]

mod agents;
mod grants;
mod life;
mod orders;
mod random;
mod refusals;
mod rejections;
mod room_and_pace;

use crate::testing::{Dialogue, Setup};
use expect_test::Expect;

/// Two equal clusters of two four-core nodes; everything is in the first.
pub(crate) const PAIR: &str = "
    cluster a 2x4
    cluster b 2x4
    web 1 a=2
    db 2 a=1
";

fn check(setup: Setup, script: &str, expect: Expect) {
    expect.assert_eq(&Dialogue::of(&setup, script));
}
