//! Values that rules compute with, and the facts a rule is evaluated on.

use super::duration::Duration;
use super::limits::SHOWN_VALUE;
use model::time::Period;
use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

/// Values by name.
pub type Entries = BTreeMap<String, Value>;

/// One value. Copies are cheap: what may be large is shared.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    Bool(bool),
    Int(i64),
    Double(f64),
    String(Arc<str>),
    Duration(Duration),
    List(Arc<[Value]>),
    /// Keys that nobody declared, such as names of clusters.
    Map(Arc<Entries>),
    /// Fields that a schema declares; a field that is not there is not known.
    Object(Arc<Entries>),
}

impl Value {
    /// An object of the fields that are known.
    pub fn object<const N: usize>(fields: [(&str, Option<Self>); N]) -> Self {
        let known = fields.into_iter().filter_map(|(name, value)| Some((name.to_owned(), value?)));
        Self::Object(Arc::new(known.collect()))
    }

    pub fn map(entries: impl IntoIterator<Item = (String, Self)>) -> Self {
        Self::Map(Arc::new(entries.into_iter().collect()))
    }

    pub fn list(elements: impl IntoIterator<Item = Self>) -> Self {
        Self::List(elements.into_iter().collect())
    }

    /// A measurement; infinite ones and those that are not numbers are not known.
    pub fn measured(number: f64) -> Option<Self> {
        number.is_finite().then_some(Self::Double(number))
    }
}

impl From<bool> for Value {
    fn from(value: bool) -> Self {
        Self::Bool(value)
    }
}

impl From<i64> for Value {
    fn from(value: i64) -> Self {
        Self::Int(value)
    }
}

impl From<u32> for Value {
    fn from(value: u32) -> Self {
        Self::Int(i64::from(value))
    }
}

impl From<&str> for Value {
    fn from(value: &str) -> Self {
        Self::String(value.into())
    }
}

impl From<Period> for Value {
    fn from(value: Period) -> Self {
        Self::Duration(value.into())
    }
}

impl fmt::Display for Value {
    /// As a rule would write it, objects excepted: there is no way to write those.
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Bool(value) => write!(out, "{value}"),
            Self::Int(value) => write!(out, "{value}"),
            Self::Double(value) => write!(out, "{value:?}"),
            Self::String(value) => out.write_str(&super::print::quoted(value)),
            Self::Duration(value) => write!(out, "{value}"),
            Self::List(elements) => {
                let shown: Vec<String> = elements.iter().map(ToString::to_string).collect();
                write!(out, "[{}]", shown.join(", "))
            }
            Self::Map(entries) | Self::Object(entries) => {
                let shown: Vec<String> =
                    entries.iter().map(|(name, value)| format!("{name}: {value}")).collect();
                write!(out, "{{{}}}", shown.join(", "))
            }
        }
    }
}

/// The value for a person, cut where it becomes long.
pub(super) fn shown(value: &Value) -> String {
    let text = value.to_string();
    match text.char_indices().nth(SHOWN_VALUE) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text,
    }
}

/// What is known when a rule is evaluated: the variables of its schema.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Facts {
    variables: Entries,
}

impl Facts {
    pub fn new() -> Self {
        Self::default()
    }

    #[must_use]
    pub fn with(mut self, name: &str, value: impl Into<Value>) -> Self {
        self.variables.insert(name.to_owned(), value.into());
        self
    }

    pub fn get(&self, name: &str) -> Option<&Value> {
        self.variables.get(name)
    }

    pub fn iter(&self) -> impl Iterator<Item = (&String, &Value)> {
        self.variables.iter()
    }
}
