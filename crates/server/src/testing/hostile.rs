//! Readers of what strangers write, one by one and without a desk, for whoever tries to break them.

pub use crate::access::oidc::hostile as identity_provider;
pub use crate::kube_api::hostile as kube_api;

use crate::access::Secret;
use crate::outward::{Reach, is_this_machine};
use crate::storage::tables::page::{Cursor, Dated};
use crate::webhooks::objection;

/// Short texts from files and requests that are no numbers and no names.
pub fn word(text: &str) {
    let _ = objection(&Secret::received(text));
    let _ = Reach::of(text, Reach::Public);
    if let Ok(address) = text.parse() {
        let allowed = Reach::Public.allows(address) || Reach::Company.allows(address);
        assert!(!allowed || !is_this_machine(text), "{text} is this machine, and allowed as something else");
    }
    let _ = Dated::decode(text);
    if let Ok(cursor) = Cursor::decode(text, "raised_at descending") {
        let again = Cursor::decode(&cursor.encode(), "raised_at descending");
        assert_eq!(again.expect("our own"), cursor);
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn what_is_tried_reaches_the_readers() {
        for text in ["whsec_aGVsbG8=", "127.0.0.1", "::ffff:127.0.0.1", "fd00::1", "e30"] {
            super::word(text);
        }
    }
}
