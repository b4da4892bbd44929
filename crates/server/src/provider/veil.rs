//! Keeps the key, and takes it out of whatever came from outside before anybody reads it.

use crate::access::Secret;
use axum::http::HeaderValue;

/// Shorter keys are no secrets: servers on one's own machine take words like `EMPTY`, which also occur in answers.
const SHORTEST: usize = 12;

/// What stands where a key stood.
const COVER: &str = "[key]";

/// So much of what others say goes into a message.
const MOST_QUOTED: usize = 300;

#[derive(Clone, Debug)]
pub(super) struct Veil {
    key: Option<Secret>,
}

impl Veil {
    pub(super) const fn new(key: Option<Secret>) -> Self {
        Self { key }
    }

    /// The header that shows the key to the server. Fails if the key has characters that no header can have.
    pub(super) fn header(&self) -> Result<Option<HeaderValue>, ()> {
        let Some(key) = &self.key else { return Ok(None) };
        let mut value = HeaderValue::from_str(&format!("Bearer {}", key.reveal())).map_err(|_| ())?;
        value.set_sensitive(true);
        Ok(Some(value))
    }

    /// The text without the key.
    pub(super) fn covered(&self, text: String) -> String {
        match &self.key {
            Some(key) if key.reveal().len() >= SHORTEST && text.contains(key.reveal()) => {
                text.replace(key.reveal(), COVER)
            }
            _ => text,
        }
    }

    /// What somebody else said, fit for a line: without the key, without control characters, and not long.
    pub(super) fn quoted(&self, text: &str) -> String {
        // Covered first, so that half a key does not remain at the end.
        let covered = self.covered(text.to_owned());
        let words: Vec<&str> =
            covered.split(|letter: char| letter.is_whitespace() || letter.is_control()).collect();
        let line = words.iter().filter(|word| !word.is_empty()).copied().collect::<Vec<_>>().join(" ");
        if line.chars().count() <= MOST_QUOTED {
            return line;
        }
        line.chars().take(MOST_QUOTED).chain("…".chars()).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn veil(key: &str) -> Veil {
        Veil::new(Some(Secret::received(key)))
    }

    #[test]
    fn a_key_is_covered_wherever_it_turns_up() {
        let veil = veil("sk-canary-123456");
        assert_eq!(veil.covered("x sk-canary-123456 y".to_owned()), "x [key] y");
        let at_the_end = format!("{}sk-canary-123456", "x".repeat(MOST_QUOTED - 5));
        assert!(!veil.quoted(&at_the_end).contains("sk-"), "not even half of it");
        assert_eq!(format!("{veil:?}").find("canary"), None);
        assert!(format!("{:?}", veil.header().unwrap()).find("canary").is_none());
    }

    #[test]
    fn words_that_are_no_secrets_stay() {
        assert_eq!(veil("EMPTY").covered("the queue is EMPTY".to_owned()), "the queue is EMPTY");
        assert_eq!(Veil::new(None).quoted("a\r\n\tb \u{1b}[0m"), "a b [0m");
        assert!(veil("a\nb").header().is_err());
    }
}
