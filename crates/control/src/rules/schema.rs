//! Which facts a rule may use: names, types, whether they are always known, and one line about each.

use super::proposals::listed;
use super::value::{Entries, Facts, Value};
use std::fmt;

/// The type of a value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Type {
    Bool,
    Int,
    Double,
    String,
    /// A string that is one of these words; comparing it with another word is a mistake.
    Word(&'static [&'static str]),
    Duration,
    List(Box<Type>),
    /// From strings to values of one type.
    Map(Box<Type>),
    Object(Vec<Field>),
    /// Of what does not exist: the elements of an empty list. It goes with every other type.
    Nothing,
}

impl Type {
    #[must_use]
    pub fn list(of: Self) -> Self {
        Self::List(Box::new(of))
    }

    #[must_use]
    pub fn map(of: Self) -> Self {
        Self::Map(Box::new(of))
    }

    /// What both types are, if a value of one can stand where the other is expected.
    pub(super) fn common(&self, other: &Self) -> Option<Self> {
        match (self, other) {
            (Self::Nothing, some) | (some, Self::Nothing) => Some(some.clone()),
            (Self::List(one), Self::List(another)) => one.common(another).map(Self::list),
            (Self::Map(one), Self::Map(another)) => one.common(another).map(Self::map),
            _ if self == other => Some(self.clone()),
            _ if self.is_string() && other.is_string() => Some(Self::String),
            _ => None,
        }
    }

    pub(super) const fn is_string(&self) -> bool {
        matches!(self, Self::String | Self::Word(_) | Self::Nothing)
    }

    pub(super) const fn is_number(&self) -> bool {
        matches!(self, Self::Int | Self::Double | Self::Nothing)
    }

    /// Whether `<` and its sisters are defined on it.
    pub(super) const fn is_ordered(&self) -> bool {
        !matches!(self, Self::List(_) | Self::Map(_) | Self::Object(_))
    }

    /// Whether `==` is defined on it: not on maps and objects, of which parts may not be known.
    pub(super) fn is_comparable(&self) -> bool {
        match self {
            Self::Map(_) | Self::Object(_) => false,
            Self::List(of) => of.is_comparable(),
            _ => true,
        }
    }

    fn fits(&self, value: &Value) -> bool {
        match (self, value) {
            (Self::Bool, Value::Bool(_))
            | (Self::Int, Value::Int(_))
            | (Self::Double, Value::Double(_))
            | (Self::String, Value::String(_))
            | (Self::Duration, Value::Duration(_)) => true,
            (Self::Word(words), Value::String(text)) => words.contains(&&**text),
            (Self::List(of), Value::List(elements)) => elements.iter().all(|element| of.fits(element)),
            (Self::Map(of), Value::Map(entries)) => entries.values().all(|entry| of.fits(entry)),
            (Self::Object(fields), Value::Object(entries)) => fit(fields, entries),
            _ => false,
        }
    }
}

/// Whether all that must be known is there, and nothing that is not declared.
fn fit(fields: &[Field], entries: &Entries) -> bool {
    let declared = |name: &String| fields.iter().any(|field| field.name == *name);
    entries.keys().all(declared)
        && fields
            .iter()
            .all(|field| entries.get(field.name).map_or(field.optional, |value| field.of.fits(value)))
}

impl fmt::Display for Type {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Bool => out.write_str("bool"),
            Self::Int => out.write_str("int"),
            Self::Double => out.write_str("double"),
            Self::String | Self::Word(_) => out.write_str("string"),
            Self::Duration => out.write_str("duration"),
            Self::List(of) => write!(out, "list of {of}"),
            Self::Map(of) => write!(out, "map to {of}"),
            Self::Object(_) => out.write_str("object"),
            Self::Nothing => out.write_str("nothing"),
        }
    }
}

/// One named fact.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Field {
    pub name: &'static str,
    pub of: Type,
    /// Whether it may be unknown. A rule that needs it then fails, unless `has` guards it.
    pub optional: bool,
    /// One line for help and documentation.
    pub description: &'static str,
}

impl Field {
    /// A fact that is always known.
    pub const fn known(name: &'static str, of: Type, description: &'static str) -> Self {
        Self { name, of, optional: false, description }
    }

    /// A fact that may be unknown.
    pub const fn optional(name: &'static str, of: Type, description: &'static str) -> Self {
        Self { name, of, optional: true, description }
    }
}

/// The variables of a rule. All of them are there; what may be unknown is a field of one, since `has` takes fields only.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Schema {
    variables: Vec<Field>,
}

/// One line of the documentation of a schema.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FactLine {
    /// As a rule writes it; `clusters[name].load` for the values of a map.
    pub path: String,
    pub of: String,
    pub optional: bool,
    pub description: &'static str,
}

impl Schema {
    pub fn new(variables: Vec<Field>) -> Self {
        assert!(variables.iter().all(|variable| !variable.optional), "only fields may be unknown");
        Self { variables }
    }

    pub(super) fn variable(&self, name: &str) -> Option<&Field> {
        self.variables.iter().find(|variable| variable.name == name)
    }

    pub(super) fn names(&self) -> impl Iterator<Item = &str> {
        self.variables.iter().map(|variable| variable.name)
    }

    /// Whether facts are what the schema says.
    pub fn fits(&self, facts: &Facts) -> bool {
        let entries: Entries = facts.iter().map(|(name, value)| (name.clone(), value.clone())).collect();
        fit(&self.variables, &entries)
    }

    /// Every fact that a rule can name, in the order of their declaration.
    pub fn lines(&self) -> Vec<FactLine> {
        let mut lines = Vec::new();
        self.variables.iter().for_each(|variable| list(variable, variable.name, &mut lines));
        lines
    }
}

/// Objects that are always there are shown by their fields alone; others can be asked for themselves.
fn list(field: &Field, path: &str, lines: &mut Vec<FactLine>) {
    let (inner, path_within) = match &field.of {
        Type::Map(of) => (&**of, format!("{path}[name]")),
        of => (of, path.to_owned()),
    };
    let fields = if let Type::Object(fields) = inner { fields.as_slice() } else { &[] };
    if fields.is_empty() || field.optional || inner != &field.of {
        lines.push(line(field, path));
    }
    for field in fields {
        list(field, &format!("{path_within}.{}", field.name), lines);
    }
}

fn line(field: &Field, path: &str) -> FactLine {
    let (prefix, inner) = match &field.of {
        Type::List(of) => ("list of ", &**of),
        of => ("", of),
    };
    let of = match inner {
        Type::Word(words) => format!("{prefix}{}", listed(words)),
        _ => field.of.to_string(),
    };
    FactLine { path: path.to_owned(), of, optional: field.optional, description: field.description }
}
