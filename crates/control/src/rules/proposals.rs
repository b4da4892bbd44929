//! What is said about types that do not go together, and what to write instead.

use super::schema::Type;
use super::syntax::{Expression, Function, Kind, Level, Literal, Operator};

/// Both operands with their types.
pub(super) struct Sides<'a> {
    pub(super) left: &'a Expression,
    pub(super) right: &'a Expression,
    pub(super) one: &'a Type,
    pub(super) other: &'a Type,
}

impl Sides<'_> {
    pub(super) fn message(&self, operator: Operator) -> String {
        format!("`{}` between {} and {}", operator.as_str(), article(self.one), article(self.other))
    }

    /// What to write instead of comparing them like this; nothing if they can be.
    pub(super) fn relation_proposal(&self, operator: Operator) -> Option<String> {
        let Self { left, one, other, .. } = self;
        match (operator, one.common(other)) {
            (Operator::In, _) => self.membership_proposal(),
            (Operator::Equal | Operator::NotEqual, Some(of)) if of.is_comparable() => None,
            (Operator::Equal | Operator::NotEqual, _) => Some(self.made_alike()),
            (_, Some(of)) if of.is_ordered() => None,
            _ if one.is_number() && other.is_number() => None,
            _ if matches!(&left.kind, Kind::Binary(inner, ..) if inner.level() == Level::Relation) => {
                Some("write `a < b && b < c`".to_owned())
            }
            (_, Some(_)) => Some("numbers, strings, durations and bools have an order".to_owned()),
            _ => Some(self.made_alike()),
        }
    }

    fn membership_proposal(&self) -> Option<String> {
        let wanted = match self.other {
            Type::List(of) => &**of,
            Type::Map(_) => &Type::String,
            Type::Nothing => return None,
            Type::String | Type::Word(_) => {
                return Some(format!("write `{}.contains({})`", self.right, self.left));
            }
            _ => return Some("write a list or a map behind `in`".to_owned()),
        };
        if self.one.common(wanted).is_some_and(|of| of.is_comparable()) {
            return None;
        }
        Some(match (self.one, wanted) {
            (Type::Double, Type::Int) => format!("write int({})", self.left),
            (Type::Int, Type::Double) => as_double(self.left),
            (_, Type::Object(_)) => "compare their fields".to_owned(),
            _ => ONE_TYPE.to_owned(),
        })
    }

    /// What to write so that an operator of arithmetic takes them.
    pub(super) fn arithmetic_proposal(&self, operator: Operator) -> String {
        let are_numbers = self.one.is_number() && self.other.is_number();
        match operator {
            Operator::Remainder => "it is defined for ints".to_owned(),
            _ if are_numbers => self.made_alike(),
            Operator::Add => "it joins numbers, durations, strings or lists, both of one type".to_owned(),
            Operator::Subtract => "it is defined for numbers and durations, both of one type".to_owned(),
            _ => "it is defined for numbers, both of one type".to_owned(),
        }
    }

    /// How to make both of one type.
    fn made_alike(&self) -> String {
        let Self { left, right, one, other } = self;
        match (one, other) {
            (Type::Duration, Type::Int | Type::String) | (Type::Int | Type::String, Type::Duration) => {
                "write a length of time as duration(\"10m\")".to_owned()
            }
            (Type::Int, Type::Double) => as_double(left),
            (Type::Double, Type::Int) => as_double(right),
            (Type::String | Type::Word(_), Type::Int | Type::Double) => text_or_number(left, right),
            (Type::Int | Type::Double, Type::String | Type::Word(_)) => text_or_number(right, left),
            (Type::Object(_) | Type::Map(_), _) | (_, Type::Object(_) | Type::Map(_)) => {
                "compare their fields".to_owned()
            }
            _ => ONE_TYPE.to_owned(),
        }
    }
}

const ONE_TYPE: &str = "both have to be of one type";

fn as_double(int: &Expression) -> String {
    match &int.kind {
        Kind::Literal(Literal::Int(number)) => format!("write {number}.0"),
        _ => format!("write double({int})"),
    }
}

/// A literal that has quotes and should not, or the other way round.
fn text_or_number(text: &Expression, number: &Expression) -> String {
    match (&text.kind, &number.kind) {
        (_, Kind::Literal(_)) => format!("write \"{number}\""),
        (Kind::Literal(Literal::String(text)), _) if text.parse::<f64>().is_ok() => format!("write {text}"),
        _ => ONE_TYPE.to_owned(),
    }
}

/// What to write so that two parts of a list or of a choice are of one type.
pub(super) fn in_one_type(one: &Type, other: &Type, second: &Expression) -> String {
    match (one, other) {
        (Type::Double, Type::Int) => as_double(second),
        (Type::Int, Type::Double) => "write all numbers with a point, such as 1.0".to_owned(),
        _ => ONE_TYPE.to_owned(),
    }
}

/// What a function works on.
pub(super) fn usable(function: Function, argument: &Expression, of: &Type) -> String {
    match function {
        Function::Size => {
            "it counts characters of a string, elements of a list or entries of a map".to_owned()
        }
        Function::Double | Function::Int => "it converts numbers".to_owned(),
        Function::Contains if matches!(of, Type::List(_) | Type::Map(_)) => {
            format!("write `x in {argument}`")
        }
        _ => "it works on strings".to_owned(),
    }
}

/// Words as a rule writes them.
pub(super) fn listed(words: &[&str]) -> String {
    words.iter().map(|word| format!("{word:?}")).collect::<Vec<_>>().join(", ")
}

/// `a string`, `an int`.
pub(super) fn article(of: &Type) -> String {
    let vowel = matches!(of, Type::Int | Type::Object(_));
    format!("{} {of}", if vowel { "an" } else { "a" })
}
