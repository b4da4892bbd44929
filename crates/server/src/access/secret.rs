//! Random secrets: shown once, kept as their hash.
//!
//! A secret has 256 bits of its own, so a plain hash is enough: there is nothing to guess that salt or slow hashing would protect.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use model::hash::ContentHash;
use std::fmt;

const BYTES: usize = 32;

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
