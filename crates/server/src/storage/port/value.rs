//! What a column can hold. The four kinds that both databases store, compare and return in the same way.

use super::error::Error;
use super::json::JsonText;
use model::hash::ContentHash;
use model::review::Stage;
use serde::{Deserialize, Serialize};

/// One value of a row or of a statement.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Value {
    Null,
    Integer(i64),
    Real(f64),
    Text(String),
}

impl Value {
    /// The value as both databases keep it, or why they would not agree on it.
    pub(crate) fn checked(&self) -> Result<Self, Error> {
        match self {
            // PostgreSQL refuses the character, SQLite's own functions end at it.
            Self::Text(text) if text.contains('\0') => {
                Err(Error::Unstorable("a text with the character U+0000; leave it out"))
            }
            // SQLite turns "not a number" into NULL, and PostgreSQL sorts it behind all numbers.
            Self::Real(real) if !real.is_finite() => {
                Err(Error::Unstorable("a number that is not finite; store none instead"))
            }
            // SQLite forgets the sign of zero.
            Self::Real(real) => Ok(Self::Real(real + 0.0)),
            other => Ok(other.clone()),
        }
    }

    pub(crate) const fn kind(&self) -> &'static str {
        match self {
            Self::Null => "nothing",
            Self::Integer(_) => "an integer",
            Self::Real(_) => "a number",
            Self::Text(_) => "a text",
        }
    }
}

/// A type that fits into one column.
pub trait Column: Sized {
    fn to_value(&self) -> Value;

    /// The value back, or what was expected instead of it.
    fn from_value(value: Value) -> Result<Self, &'static str>;
}

impl Column for i64 {
    fn to_value(&self) -> Value {
        Value::Integer(*self)
    }

    fn from_value(value: Value) -> Result<Self, &'static str> {
        if let Value::Integer(integer) = value { Ok(integer) } else { Err("an integer") }
    }
}

impl Column for f64 {
    fn to_value(&self) -> Value {
        Value::Real(*self)
    }

    fn from_value(value: Value) -> Result<Self, &'static str> {
        if let Value::Real(real) = value { Ok(real) } else { Err("a number") }
    }
}

impl Column for String {
    fn to_value(&self) -> Value {
        Value::Text(self.clone())
    }

    fn from_value(value: Value) -> Result<Self, &'static str> {
        if let Value::Text(text) = value { Ok(text) } else { Err("a text") }
    }
}

impl<T: Column> Column for Option<T> {
    fn to_value(&self) -> Value {
        self.as_ref().map_or(Value::Null, Column::to_value)
    }

    fn from_value(value: Value) -> Result<Self, &'static str> {
        if value == Value::Null { Ok(None) } else { T::from_value(value).map(Some) }
    }
}

impl Column for ContentHash {
    fn to_value(&self) -> Value {
        Value::Text(self.to_string())
    }

    fn from_value(value: Value) -> Result<Self, &'static str> {
        String::from_value(value)?.parse().map_err(|_| "a hash of 64 hexadecimal digits")
    }
}

impl Column for JsonText {
    fn to_value(&self) -> Value {
        Value::Text(self.as_str().to_owned())
    }

    fn from_value(value: Value) -> Result<Self, &'static str> {
        String::from_value(value).map(Self::from_stored)
    }
}

impl Column for Stage {
    fn to_value(&self) -> Value {
        Value::Text(self.as_str().to_owned())
    }

    fn from_value(value: Value) -> Result<Self, &'static str> {
        let text = String::from_value(value)?;
        Self::ALL.into_iter().find(|stage| stage.as_str() == text).ok_or("the stage of a recommendation")
    }
}

impl<T: Column> From<T> for Value {
    fn from(value: T) -> Self {
        value.to_value()
    }
}

impl From<&str> for Value {
    fn from(text: &str) -> Self {
        Self::Text(text.to_owned())
    }
}

impl From<Option<&str>> for Value {
    fn from(text: Option<&str>) -> Self {
        text.map_or(Self::Null, Self::from)
    }
}

/// The values of a statement, each turned into a [`Value`].
macro_rules! values {
    ($($value:expr),* $(,)?) => {
        &[$($crate::storage::port::value::Value::from($value)),*]
    };
}
pub(crate) use values;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_databases_would_keep_differently_is_refused_or_evened_out() {
        assert!(Value::from("a\0b").checked().is_err());
        for real in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
            assert!(Value::Real(real).checked().is_err(), "{real}");
        }
        let Ok(Value::Real(zero)) = Value::Real(-0.0).checked() else { panic!("zero is a number") };
        assert!(zero.is_sign_positive());
    }

    #[test]
    fn columns_come_back_as_they_went() {
        fn check<T: Column + PartialEq + std::fmt::Debug>(value: T) {
            assert_eq!(T::from_value(value.to_value()), Ok(value));
        }
        check(7_i64);
        check(0.5_f64);
        check("text".to_owned());
        check(Some(7_i64));
        check(None::<String>);
        check(ContentHash::of_bytes(b"abc"));
        check(JsonText::of(&[1, 2]));
        Stage::ALL.into_iter().for_each(check);
        assert_eq!(i64::from_value(Value::from("7")), Err("an integer"));
    }
}
