//! A rule written out in one form: what is read back is the same expression.

use super::lexer::is_hidden;
use super::syntax::{Expression, Function, Kind, Level, Literal, Loop, Operator};
use std::fmt;

impl fmt::Display for Expression {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.kind {
            Kind::Literal(literal) => write!(out, "{literal}"),
            Kind::Null => out.write_str("null"),
            Kind::Name(name) => out.write_str(name),
            Kind::Broken => out.write_str("…"),
            Kind::List(elements) => write!(out, "[{}]", row(elements)),
            Kind::Select(base, field) => write!(out, "{}.{field}", within(base, Level::Member)),
            Kind::Index(base, index) => write!(out, "{}[{index}]", within(base, Level::Member)),
            Kind::Has(base, field) => write!(out, "has({}.{field})", within(base, Level::Member)),
            Kind::Not(operand) => write!(out, "!{}", within(operand, Level::Member)),
            Kind::Negate(operand) => write!(out, "-{}", negated(operand)),
            Kind::Binary(operator, left, right) => binary(out, *operator, left, right),
            Kind::And(operands) => out.write_str(&joined(operands, " && ", Level::Relation)),
            Kind::Or(operands) => out.write_str(&joined(operands, " || ", Level::And)),
            Kind::Choose(parts) => {
                let [condition, first, second] = &**parts;
                let (condition, first) = (within(condition, Level::Or), within(first, Level::Or));
                write!(out, "{condition} ? {first} : {second}")
            }
            Kind::Call(function, arguments) => call(out, *function, arguments),
            Kind::Loop(Loop { quantifier, range, variable, body }) => {
                let range = within(range, Level::Member);
                write!(out, "{range}.{}({variable}, {body})", quantifier.as_str())
            }
        }
    }
}

impl fmt::Display for Literal {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Bool(value) => write!(out, "{value}"),
            Self::Int(value) => write!(out, "{value}"),
            Self::Double(value) => write!(out, "{value:?}"),
            Self::String(value) => out.write_str(&quoted(value)),
            Self::Duration(value) => write!(out, "duration(\"{value}\")"),
        }
    }
}

/// The expression, in brackets if it holds together less closely than its surroundings need.
pub(super) fn within(expression: &Expression, needed: Level) -> String {
    if expression.level() >= needed { expression.to_string() } else { format!("({expression})") }
}

/// A number behind a minus would become one number with it.
fn negated(operand: &Expression) -> String {
    match &operand.kind {
        Kind::Literal(Literal::Int(_) | Literal::Double(_)) => format!("({operand})"),
        _ => within(operand, Level::Member),
    }
}

fn binary(
    out: &mut fmt::Formatter<'_>,
    operator: Operator,
    left: &Expression,
    right: &Expression,
) -> fmt::Result {
    let [left, right] = operands(operator, left, right);
    write!(out, "{left} {} {right}", operator.as_str())
}

/// Both operands as they are written beside this operator: what stands in a row belongs to the left.
pub(super) fn operands(operator: Operator, left: &Expression, right: &Expression) -> [String; 2] {
    let closer = match operator.level() {
        Level::Relation => Level::Sum,
        Level::Sum => Level::Product,
        _ => Level::Unary,
    };
    [within(left, operator.level()), within(right, closer)]
}

fn call(out: &mut fmt::Formatter<'_>, function: Function, arguments: &[Expression]) -> fmt::Result {
    match (function, arguments) {
        (Function::StartsWith | Function::EndsWith | Function::Contains, [receiver, rest @ ..]) => {
            write!(out, "{}.{}({})", within(receiver, Level::Member), function.as_str(), row(rest))
        }
        _ => write!(out, "{}({})", function.as_str(), row(arguments)),
    }
}

fn row(parts: &[Expression]) -> String {
    joined(parts, ", ", Level::Choice)
}

fn joined(parts: &[Expression], separator: &str, needed: Level) -> String {
    let written: Vec<String> = parts.iter().map(|part| within(part, needed)).collect();
    written.join(separator)
}

/// A string literal. Characters that cannot be seen are written as escapes.
pub(super) fn quoted(text: &str) -> String {
    let mut quoted = String::from("\"");
    for character in text.chars() {
        match character {
            '"' => quoted.push_str("\\\""),
            '\\' => quoted.push_str("\\\\"),
            '\n' => quoted.push_str("\\n"),
            '\r' => quoted.push_str("\\r"),
            '\t' => quoted.push_str("\\t"),
            _ if is_hidden(character) => quoted.extend(format!("\\U{:08x}", u32::from(character)).chars()),
            _ => quoted.push(character),
        }
    }
    quoted.push('"');
    quoted
}
