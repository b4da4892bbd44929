//! Which facts a condition asks for: behind `has(x.y) &&`, `x.y` is known.

use super::syntax::{Expression, Kind, Operator};

/// Facts that are known wherever this condition is true.
pub(super) fn when_true(condition: &Expression) -> Vec<String> {
    match &condition.kind {
        Kind::Has(base, field) => vec![format!("{base}.{field}")],
        Kind::Not(operand) => when_false(operand),
        Kind::And(operands) => operands.iter().flat_map(when_true).collect(),
        Kind::Binary(Operator::NotEqual, left, right) => compared_with_null(left, right),
        _ => Vec::new(),
    }
}

/// Facts that are known wherever this condition is false.
pub(super) fn when_false(condition: &Expression) -> Vec<String> {
    match &condition.kind {
        Kind::Not(operand) => when_true(operand),
        Kind::Or(operands) => operands.iter().flat_map(when_false).collect(),
        Kind::Binary(Operator::Equal, left, right) => compared_with_null(left, right),
        _ => Vec::new(),
    }
}

fn compared_with_null(left: &Expression, right: &Expression) -> Vec<String> {
    match (&left.kind, &right.kind) {
        (Kind::Null, _) => vec![right.to_string()],
        (_, Kind::Null) => vec![left.to_string()],
        _ => Vec::new(),
    }
}
