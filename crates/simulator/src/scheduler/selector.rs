//! Selectors compiled to symbols: label selectors for pods and namespaces, node selectors for nodes.

use super::symbol::{Interner, LabelPair, Labels, Symbol};
use crate::kube::{
    LabelSelector, LabelSelectorOperator, LabelSet, NodeSelectorOperator, NodeSelectorRequirement,
    NodeSelectorTerm,
};
use std::fmt;

/// A part of a selector that Kubernetes refuses.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{path}: Invalid value: {value:?}: {reason}")]
pub struct SelectorError {
    pub path: String,
    pub value: String,
    pub reason: &'static str,
}

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Test {
    In(Vec<Symbol>),
    NotIn(Vec<Symbol>),
    Exists,
    DoesNotExist,
    GreaterThan(i64),
    LessThan(i64),
}

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Requirement {
    key: Symbol,
    test: Test,
}

impl Requirement {
    fn matches(&self, labels: &Labels, names: &Interner) -> bool {
        let value = labels.get(self.key);
        let number = || value.and_then(|value| names.text(value).parse::<i64>().ok());
        match &self.test {
            Test::In(values) => value.is_some_and(|value| values.binary_search(&value).is_ok()),
            Test::NotIn(values) => value.is_none_or(|value| values.binary_search(&value).is_err()),
            Test::Exists => value.is_some(),
            Test::DoesNotExist => value.is_none(),
            Test::GreaterThan(limit) => number().is_some_and(|number| number > *limit),
            Test::LessThan(limit) => number().is_some_and(|number| number < *limit),
        }
    }
}

/// All requirements must hold; without any, everything matches.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum LabelMatcher {
    /// A missing selector.
    Nothing,
    All(Requirements),
}

/// Requirements in a canonical order, so that equal selectors are equal values.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Requirements(Vec<Requirement>);

impl LabelMatcher {
    /// Compiles a selector; `None` matches nothing.
    pub fn new(selector: Option<&LabelSelector>, names: &mut Interner) -> Result<Self, SelectorError> {
        let Some(selector) = selector else { return Ok(Self::Nothing) };
        let mut requirements = Vec::new();
        for (key, value) in &selector.match_labels {
            check_key(key, || "key".to_owned())?;
            check_value(value, || format!("values[0][{key}]"))?;
            requirements.push(equality(key, value, names));
        }
        for expression in &selector.match_expressions {
            let operator = match expression.operator {
                LabelSelectorOperator::In => NodeSelectorOperator::In,
                LabelSelectorOperator::NotIn => NodeSelectorOperator::NotIn,
                LabelSelectorOperator::Exists => NodeSelectorOperator::Exists,
                LabelSelectorOperator::DoesNotExist => NodeSelectorOperator::DoesNotExist,
            };
            requirements.push(requirement(&expression.key, operator, &expression.values, "", names)?);
        }
        requirements.sort_unstable();
        requirements.dedup();
        Ok(Self::All(Requirements(requirements)))
    }

    /// Labels that must all be equal; nothing is validated, as the scheduler does for a pod's `nodeSelector`.
    pub fn equal_to(labels: &LabelSet, names: &mut Interner) -> Self {
        let mut requirements: Vec<_> =
            labels.iter().map(|(key, value)| equality(key, value, names)).collect();
        requirements.sort_unstable();
        Self::All(Requirements(requirements))
    }

    /// Also requires what `other` requires; nothing stays nothing.
    #[must_use]
    pub fn and(self, other: Self) -> Self {
        match (self, other) {
            (Self::All(mut first), Self::All(second)) => {
                first.0.extend(second.0);
                first.0.sort_unstable();
                first.0.dedup();
                Self::All(first)
            }
            _ => Self::Nothing,
        }
    }

    /// Also requires that `key` has, or with `differs` has not, this value.
    #[must_use]
    pub fn and_value(self, key: Symbol, value: Symbol, differs: bool) -> Self {
        let test = if differs { Test::NotIn(vec![value]) } else { Test::In(vec![value]) };
        self.and(Self::All(Requirements(vec![Requirement { key, test }])))
    }

    pub fn matches(&self, labels: &Labels, names: &Interner) -> bool {
        match self {
            Self::Nothing => false,
            Self::All(requirements) => requirements.0.iter().all(|one| one.matches(labels, names)),
        }
    }

    /// A label that every chosen object must have, if the selector demands a single value of some key.
    pub(super) fn anchor(&self) -> Option<LabelPair> {
        let Self::All(requirements) = self else { return None };
        requirements.0.iter().find_map(|one| match &one.test {
            Test::In(values) if values.len() == 1 => Some((one.key, values[0])),
            _ => None,
        })
    }

    /// Chooses everything, whatever the labels.
    pub fn is_everything(&self) -> bool {
        matches!(self, Self::All(requirements) if requirements.0.is_empty())
    }

    /// Written the way Kubernetes prints selectors: sorted by key, comma separated.
    pub fn text(&self, names: &Interner) -> String {
        let Self::All(requirements) = self else { return String::new() };
        let mut parts: Vec<_> = requirements.0.iter().map(|one| RequirementText(one, names)).collect();
        parts.sort_by_key(|part| names.text(part.0.key));
        parts.iter().map(ToString::to_string).collect::<Vec<_>>().join(",")
    }
}

struct RequirementText<'a>(&'a Requirement, &'a Interner);

impl fmt::Display for RequirementText<'_> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self(requirement, names) = *self;
        let key = names.text(requirement.key);
        let list = |values: &[Symbol]| {
            let mut texts: Vec<_> = values.iter().map(|value| names.text(*value)).collect();
            texts.sort_unstable();
            texts.join(",")
        };
        match &requirement.test {
            Test::In(values) if values.len() == 1 => write!(out, "{key}={}", list(values)),
            Test::In(values) => write!(out, "{key} in ({})", list(values)),
            Test::NotIn(values) => write!(out, "{key} notin ({})", list(values)),
            Test::Exists => write!(out, "{key}"),
            Test::DoesNotExist => write!(out, "!{key}"),
            Test::GreaterThan(limit) => write!(out, "{key}>{limit}"),
            Test::LessThan(limit) => write!(out, "{key}<{limit}"),
        }
    }
}

/// One alternative of a node selector.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NodeTerm {
    labels: Vec<Requirement>,
    /// Node names that are required (`true`) or excluded.
    names: Vec<(bool, Symbol)>,
    /// A requirement on a field other than the name compares with the empty text.
    fields_hold: bool,
}

impl NodeTerm {
    /// Compiles a term; an empty term is `None` and matches no node.
    pub fn new(
        term: &NodeSelectorTerm,
        path: &str,
        names: &mut Interner,
    ) -> Result<Option<Self>, Vec<SelectorError>> {
        if term.match_expressions.is_empty() && term.match_fields.is_empty() {
            return Ok(None);
        }
        let mut compiled = Self { labels: Vec::new(), names: Vec::new(), fields_hold: true };
        let mut errors = Vec::new();
        for (index, one) in term.match_expressions.iter().enumerate() {
            let path = format!("{path}.matchExpressions[{index}].");
            match requirement(&one.key, one.operator, &one.values, &path, names) {
                Ok(requirement) => compiled.labels.push(requirement),
                Err(error) => errors.push(error),
            }
        }
        for (index, one) in term.match_fields.iter().enumerate() {
            if let Err(error) = compiled.add_field(one, &format!("{path}.matchFields[{index}]"), names) {
                errors.push(error);
            }
        }
        if errors.is_empty() { Ok(Some(compiled)) } else { Err(errors) }
    }

    fn add_field(
        &mut self,
        field: &NodeSelectorRequirement,
        path: &str,
        names: &mut Interner,
    ) -> Result<(), SelectorError> {
        let wanted = match field.operator {
            NodeSelectorOperator::In => true,
            NodeSelectorOperator::NotIn => false,
            other => {
                let reason = "fields can only be compared with In and NotIn";
                return Err(SelectorError {
                    path: format!("{path}.operator"),
                    value: format!("{other:?}"),
                    reason,
                });
            }
        };
        let [value] = field.values.as_slice() else {
            let value = field.values.join(",");
            return Err(SelectorError {
                path: format!("{path}.values"),
                value,
                reason: "must have one element",
            });
        };
        if field.key == NODE_NAME_FIELD {
            self.names.push((wanted, names.intern(value)));
        } else {
            self.fields_hold &= value.is_empty() == wanted;
        }
        Ok(())
    }

    /// A node without a name has no fields to compare.
    pub fn matches(&self, labels: &Labels, name: Option<Symbol>, names: &Interner) -> bool {
        let fields = || {
            name.is_none_or(|name| {
                self.fields_hold && self.names.iter().all(|&(wanted, other)| (name == other) == wanted)
            })
        };
        self.labels.iter().all(|one| one.matches(labels, names)) && fields()
    }
}

/// The only node field that can be selected.
pub(super) const NODE_NAME_FIELD: &str = "metadata.name";

fn equality(key: &str, value: &str, names: &mut Interner) -> Requirement {
    Requirement { key: names.intern(key), test: Test::In(vec![names.intern(value)]) }
}

fn requirement(
    key: &str,
    operator: NodeSelectorOperator,
    values: &[String],
    path: &str,
    names: &mut Interner,
) -> Result<Requirement, SelectorError> {
    check_key(key, || format!("{path}key"))?;
    let refuse =
        |reason| Err(SelectorError { path: format!("{path}values"), value: values.join(","), reason });
    let number = || values.first().and_then(|value| value.parse::<i64>().ok());
    let test = match operator {
        NodeSelectorOperator::In | NodeSelectorOperator::NotIn if values.is_empty() => {
            return refuse("for 'in', 'notin' operators, values set can't be empty");
        }
        NodeSelectorOperator::Exists | NodeSelectorOperator::DoesNotExist if !values.is_empty() => {
            return refuse("values set must be empty for exists and does not exist");
        }
        NodeSelectorOperator::Gt | NodeSelectorOperator::Lt if values.len() != 1 => {
            return refuse("for 'Gt', 'Lt' operators, exactly one value is required");
        }
        NodeSelectorOperator::In => Test::In(symbols(key, values, path, names)?),
        NodeSelectorOperator::NotIn => Test::NotIn(symbols(key, values, path, names)?),
        NodeSelectorOperator::Exists => Test::Exists,
        NodeSelectorOperator::DoesNotExist => Test::DoesNotExist,
        NodeSelectorOperator::Gt | NodeSelectorOperator::Lt => match number() {
            Some(limit) if operator == NodeSelectorOperator::Gt => Test::GreaterThan(limit),
            Some(limit) => Test::LessThan(limit),
            None => return refuse("for 'Gt', 'Lt' operators, the value must be an integer"),
        },
    };
    Ok(Requirement { key: names.intern(key), test })
}

fn symbols(
    key: &str,
    values: &[String],
    path: &str,
    names: &mut Interner,
) -> Result<Vec<Symbol>, SelectorError> {
    for (index, value) in values.iter().enumerate() {
        check_value(value, || format!("{path}values[{index}][{key}]"))?;
    }
    let mut symbols: Vec<_> = values.iter().map(|value| names.intern(value)).collect();
    symbols.sort_unstable();
    symbols.dedup();
    Ok(symbols)
}

/// A name of at most 63 letters, digits, `-`, `_`, `.`, framed by letters or digits (the API's rule).
fn is_name(text: &str) -> bool {
    let framed = |byte: Option<&u8>| byte.is_some_and(u8::is_ascii_alphanumeric);
    let bytes = text.as_bytes();
    let inner = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.');
    bytes.len() <= 63 && framed(bytes.first()) && framed(bytes.last()) && bytes.iter().all(inner)
}

fn is_prefix(text: &str) -> bool {
    let part = |part: &str| {
        let framed = !part.is_empty() && !part.starts_with('-') && !part.ends_with('-');
        framed && part.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-')
    };
    text.len() <= 253 && text.split('.').all(part)
}

fn check_key(key: &str, path: impl Fn() -> String) -> Result<(), SelectorError> {
    let refuse = |reason| Err(SelectorError { path: path(), value: key.to_owned(), reason });
    match key.split_once('/') {
        Some((prefix, _)) if !is_prefix(prefix) => refuse("the prefix part must be a lower-case DNS name"),
        Some((_, name)) if !is_name(name) => refuse(NAME_RULE),
        None if !is_name(key) => refuse(NAME_RULE),
        _ => Ok(()),
    }
}

const NAME_RULE: &str =
    "the name part must be at most 63 letters, digits, '-', '_' or '.', framed by letters or digits";
const VALUE_RULE: &str =
    "a label value is empty or at most 63 letters, digits, '-', '_' or '.', framed by letters or digits";

fn check_value(value: &str, path: impl Fn() -> String) -> Result<(), SelectorError> {
    if value.is_empty() || is_name(value) {
        return Ok(());
    }
    Err(SelectorError { path: path(), value: value.to_owned(), reason: VALUE_RULE })
}
