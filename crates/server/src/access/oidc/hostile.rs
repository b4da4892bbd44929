//! What an identity provider, or somebody who plays one, could send: the readers of it without a network, for whoever tries to break them.

use super::keys::Keys;
use super::person;
use super::provider::{Description, TokenAnswer};
use super::token::{self, Claims, Expected};
use crate::access::Residents;
use crate::config::OidcConfig;
use control::agent::Scope;

const EXPECTED: Expected<'_> =
    Expected { issuer: "https://login.test", client: "drover", nonce: "n", now_seconds: 1_800_000_000 };

/// Reads keys, and a token that may or may not be signed with one of them.
pub fn token(keys: &[u8], text: &str) {
    let Ok(keys) = Keys::read(keys) else { return };
    if let Ok(claims) = token::read(text, &keys, EXPECTED) {
        assert!(!claims.subject().is_empty(), "a token counts, and says nobody's name");
    }
}

/// Reads the answers of a provider to questions that come before and after a token.
pub fn answers(bytes: &[u8]) {
    let _ = serde_json::from_slice::<TokenAnswer>(bytes);
    if let Ok(description) = serde_json::from_slice::<Description>(bytes) {
        let _ = description.page(&[("state", "s"), ("nonce", "n")]);
    }
}

/// What is made of claims that were signed: whoever may say who people are is not to be trusted with more than that.
pub fn claims(bytes: &[u8], config: &OidcConfig) {
    let Ok(claims) = Claims::read(bytes) else { return };
    let counts = claims.check(EXPECTED).is_ok();
    let standing = person::standing(config, &claims);
    let names = person::names(EXPECTED.issuer, claims.subject(), claims.email(), &Residents::default());
    assert!(!counts || !claims.subject().is_empty(), "{names:?} is nobody, as {standing:?}");
    let given =
        |role| config.roles.values().any(|group| group.role == role && group.scope == Scope::default());
    let everywhere = standing.is_some_and(|one| one.scope == Scope::default() && !given(one.role));
    assert!(!everywhere, "{names:?} may do everywhere what no group may");
}
