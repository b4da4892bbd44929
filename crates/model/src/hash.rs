//! Content hashes: a value's identity is the SHA-256 of its canonical JSON.

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use sha2::{Digest, Sha256};
use std::fmt;
use std::str::FromStr;

/// The SHA-256 of some bytes, written as 64 hexadecimal digits.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct ContentHash([u8; 32]);

impl ContentHash {
    pub const ZERO: Self = Self([0; 32]);

    pub fn of_bytes(bytes: &[u8]) -> Self {
        Self(Sha256::digest(bytes).into())
    }

    /// The hash of a value's JSON. Struct fields keep their order and maps are ordered, so equal values hash equally.
    pub fn of<T: Serialize + ?Sized>(value: &T) -> Self {
        let json = serde_json::to_vec(value).expect("plain data always serialises");
        Self::of_bytes(&json)
    }

    /// The next link of a chain: the hash of this link followed by `bytes`.
    #[must_use]
    pub fn chain(self, bytes: &[u8]) -> Self {
        let mut digest = Sha256::new();
        digest.update(self.0);
        digest.update(bytes);
        Self(digest.finalize().into())
    }

    /// The first eight digits, enough for a person to tell two plans apart.
    pub fn short(&self) -> String {
        self.to_string()[..8].to_owned()
    }
}

/// Hashes bytes that come piece by piece.
#[derive(Clone, Default)]
pub struct Hasher(Sha256);

impl Hasher {
    pub fn update(&mut self, bytes: &[u8]) {
        self.0.update(bytes);
    }

    /// The hash of all bytes so far.
    pub fn so_far(&self) -> ContentHash {
        ContentHash(self.0.clone().finalize().into())
    }
}

const DIGITS: &[u8; 16] = b"0123456789abcdef";

impl fmt::Display for ContentHash {
    /// All digits at once: every plan that is shown is hashed, and its hash written.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut text = [0; 64];
        for (pair, byte) in text.chunks_exact_mut(2).zip(self.0) {
            pair[0] = DIGITS[usize::from(byte >> 4)];
            pair[1] = DIGITS[usize::from(byte & 15)];
        }
        formatter.write_str(std::str::from_utf8(&text).map_err(|_| fmt::Error)?)
    }
}

impl fmt::Debug for ContentHash {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{self}")
    }
}

impl FromStr for ContentHash {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        const WRONG: &str = "a hash is 64 hexadecimal digits";
        let digits: &[u8; 64] = text.as_bytes().try_into().map_err(|_| WRONG)?;
        let digit = |digit: u8| char::from(digit).to_digit(16).ok_or(WRONG);
        let mut bytes = [0; 32];
        for (byte, pair) in bytes.iter_mut().zip(digits.chunks_exact(2)) {
            *byte = (digit(pair[0])? << 4 | digit(pair[1])?) as u8;
        }
        Ok(Self(bytes))
    }
}

impl Serialize for ContentHash {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for ContentHash {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = std::borrow::Cow::<'de, str>::deserialize(deserializer)?;
        text.parse().map_err(serde::de::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_digest_and_round_trip() {
        let hash = ContentHash::of_bytes(b"abc");
        assert_eq!(hash.short(), "ba7816bf");
        assert_eq!(hash.to_string().parse(), Ok(hash));
        assert_eq!(hash.to_string().to_uppercase().parse(), Ok(hash));
        for wrong in ["xyz", &"g".repeat(64), &"é".repeat(32), &"0".repeat(63), &"0".repeat(65)] {
            assert!(wrong.parse::<ContentHash>().is_err(), "{wrong}");
        }
        assert_ne!(hash.chain(b"a"), hash.chain(b"b"));
        let mut pieces = Hasher::default();
        pieces.update(b"a");
        pieces.update(b"bc");
        assert_eq!(pieces.so_far(), hash);
    }
}
