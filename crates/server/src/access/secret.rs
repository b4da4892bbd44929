//! Random secrets: shown once, kept as their hash.
//!
//! A secret has 256 bits of its own, so a plain hash is enough: there is nothing to guess that salt or slow hashing would protect.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use model::hash::ContentHash;
use std::fmt;

const BYTES: usize = 32;

/// As base64 without padding.
const LETTERS: usize = (BYTES * 8).div_ceil(6);

/// A secret in memory. It does not print itself.
#[derive(Clone)]
pub struct Secret(String);

impl Secret {
    /// A new one. Fails if the system has no randomness to give.
    pub fn random(prefix: &str) -> Result<Self, getrandom::Error> {
        let mut bytes = [0; BYTES];
        getrandom::fill(&mut bytes)?;
        Ok(Self(format!("{prefix}{}", URL_SAFE_NO_PAD.encode(bytes))))
    }

    /// What somebody sent.
    pub fn received(text: &str) -> Self {
        Self(text.to_owned())
    }

    /// Whether it could be one of ours: what [`Self::random`] makes with this prefix, and nothing else, has this form.
    pub fn has_form(&self, prefix: &str) -> bool {
        let rest = self.0.strip_prefix(prefix).filter(|rest| rest.len() == LETTERS);
        rest.is_some_and(|rest| URL_SAFE_NO_PAD.decode(rest).is_ok())
    }

    /// What is kept and compared. Comparing hashes leaks nothing about the secret, however long it takes.
    pub fn hash(&self) -> ContentHash {
        ContentHash::of_bytes(self.0.as_bytes())
    }

    /// For the one place where it is shown.
    pub fn reveal(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("Secret(…)")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ours_are_known_by_their_form() {
        let ours = Secret::random("drover_").expect("randomness");
        assert!(ours.has_form("drover_") && !ours.has_form("once_"));
        let text = ours.reveal();
        let check = |text: &str, expected| {
            assert_eq!(Secret::received(text).has_form("drover_"), expected, "{text}");
        };
        check(text, true);
        check(&text[..text.len() - 1], false);
        check(&format!("{text}a"), false);
        check(&text.replacen('_', "-", 1), false);
        check(&format!("{}!", &text[..text.len() - 1]), false);
        check("drover_guess", false);
        check(&format!("drover_{}", "ß".repeat(21)), false);
        check("", false);
    }
}
