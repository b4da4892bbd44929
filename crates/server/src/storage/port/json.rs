//! A JSON text as it lies in a column: written once, passed on unread by most.

use super::error::Error;
use serde::de::DeserializeOwned;
use serde::{Serialize, Serializer};

/// JSON that this program wrote.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JsonText(String);

impl JsonText {
    /// The JSON of a value.
    ///
    /// # Panics
    /// When the value is no plain data: a map whose keys are no texts, or a `Serialize` that fails.
    pub fn of<T: Serialize + ?Sized>(value: &T) -> Self {
        Self(serde_json::to_string(value).expect("plain data always serialises"))
    }

    pub(crate) const fn from_stored(text: String) -> Self {
        Self(text)
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The value that the text describes. `what` is named when it does not.
    pub fn read<T: DeserializeOwned>(&self, what: &str) -> Result<T, Error> {
        serde_json::from_str(&self.0)
            .map_err(|error| Error::Unreadable { what: what.to_owned(), source: error.into() })
    }
}

impl Serialize for JsonText {
    /// As the JSON it is, not as a text with quotes inside.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let value: serde_json::Value = serde_json::from_str(&self.0).map_err(serde::ser::Error::custom)?;
        value.serialize(serializer)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_read_back_or_says_what_it_should_have_been() {
        let text = JsonText::of(&vec![1, 2]);
        assert_eq!(text.read::<Vec<u8>>("a list").expect("a list of numbers"), [1, 2]);
        let error = text.read::<String>("the name of a run").expect_err("a list is no name");
        assert_eq!(error.to_string(), "the stored JSON is not the name of a run");
        assert_eq!(serde_json::to_string(&[&text]).expect("plain data"), "[[1,2]]");
    }
}
