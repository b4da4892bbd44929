//! What operators and functions do with values. Nothing here looks at expressions.
//!
//! Each returns nothing for values that no operator takes; a checked rule never gets there with facts that fit.

use super::duration::Duration;
use super::evaluate::{Answer, EvaluationError, Evaluator};
use super::limits::MAX_ELEMENTS;
use super::syntax::{Expression, Function, Operator};
use super::value::Value;
use std::cmp::Ordering;

/// Two to the 63rd: the first whole number above all ints. Its negative is the smallest int.
const BEYOND_INT: f64 = 9_223_372_036_854_775_808.0;

pub(super) fn negate(value: &Value) -> Option<Answer<Value>> {
    match value {
        Value::Int(number) => Some(fitting(number.checked_neg(), Value::Int, Operator::Subtract)),
        Value::Double(number) => Some(Ok(Value::Double(-*number))),
        _ => None,
    }
}

pub(super) fn binary(
    budget: &mut Evaluator<'_>,
    operator: Operator,
    one: &Value,
    other: &Value,
) -> Option<Answer<Value>> {
    let answer = match operator {
        Operator::Equal => equal(budget, one, other)?,
        Operator::NotEqual => equal(budget, one, other)?.map(|equal| !equal),
        Operator::In => contains(budget, one, other)?,
        Operator::Less => order(budget, one, other)?.map(Ordering::is_lt),
        Operator::LessOrEqual => order(budget, one, other)?.map(Ordering::is_le),
        Operator::Greater => order(budget, one, other)?.map(Ordering::is_gt),
        Operator::GreaterOrEqual => order(budget, one, other)?.map(Ordering::is_ge),
        _ => return arithmetic(budget, operator, one, other),
    };
    Some(answer.map(Value::Bool))
}

fn arithmetic(
    budget: &mut Evaluator<'_>,
    operator: Operator,
    one: &Value,
    other: &Value,
) -> Option<Answer<Value>> {
    match (one, other) {
        (Value::Int(one), Value::Int(other)) => whole(operator, *one, *other),
        (Value::Double(one), Value::Double(other)) => {
            real(operator, *one, *other).map(|result| Ok(Value::Double(result)))
        }
        (Value::Duration(Duration(one)), Value::Duration(Duration(other))) => {
            let result = match operator {
                Operator::Add => one.checked_add(*other),
                Operator::Subtract => one.checked_sub(*other),
                _ => return None,
            };
            Some(fitting(result, |nanoseconds| Value::Duration(Duration(nanoseconds)), operator))
        }
        (Value::String(one), Value::String(other)) if operator == Operator::Add => Some(
            budget
                .charge_bytes(one.len() + other.len())
                .map(|()| Value::String([&**one, &**other].concat().into())),
        ),
        (Value::List(one), Value::List(other)) if operator == Operator::Add => Some(join(budget, one, other)),
        _ => None,
    }
}

fn join(budget: &mut Evaluator<'_>, one: &[Value], other: &[Value]) -> Answer<Value> {
    let length = one.len() + other.len();
    budget.charge(length)?;
    if length > MAX_ELEMENTS {
        return Err(EvaluationError::ListTooLong);
    }
    Ok(Value::list(one.iter().chain(other).cloned()))
}

/// Division goes towards zero, and a remainder has the sign of what is divided.
fn whole(operator: Operator, one: i64, other: i64) -> Option<Answer<Value>> {
    if other == 0 && matches!(operator, Operator::Divide | Operator::Remainder) {
        return Some(Err(EvaluationError::DivisionByZero { operator: operator.as_str().to_owned() }));
    }
    let result = match operator {
        Operator::Add => one.checked_add(other),
        Operator::Subtract => one.checked_sub(other),
        Operator::Multiply => one.checked_mul(other),
        Operator::Divide => one.checked_div(other),
        Operator::Remainder => one.checked_rem(other),
        _ => return None,
    };
    Some(fitting(result, Value::Int, operator))
}

/// As IEEE 754 says: dividing by zero gives an infinity or no number.
fn real(operator: Operator, one: f64, other: f64) -> Option<f64> {
    match operator {
        Operator::Add => Some(one + other),
        Operator::Subtract => Some(one - other),
        Operator::Multiply => Some(one * other),
        Operator::Divide => Some(one / other),
        _ => None,
    }
}

fn fitting(result: Option<i64>, make: fn(i64) -> Value, operator: Operator) -> Answer<Value> {
    let overflow = || EvaluationError::Overflow { operator: operator.as_str().to_owned() };
    result.map(make).ok_or_else(overflow)
}

fn equal(budget: &mut Evaluator<'_>, one: &Value, other: &Value) -> Option<Answer<bool>> {
    match (one, other) {
        (Value::Bool(one), Value::Bool(other)) => Some(Ok(one == other)),
        (Value::Int(one), Value::Int(other)) => Some(Ok(one == other)),
        (Value::Double(one), Value::Double(other)) => Some(Ok(one == other)),
        (Value::Duration(one), Value::Duration(other)) => Some(Ok(one == other)),
        (Value::String(one), Value::String(other)) => {
            Some(budget.charge_bytes(one.len().min(other.len())).map(|()| one == other))
        }
        (Value::List(one), Value::List(other)) => Some(equal_lists(budget, one, other)),
        _ => None,
    }
}

fn equal_lists(budget: &mut Evaluator<'_>, one: &[Value], other: &[Value]) -> Answer<bool> {
    if one.len() != other.len() {
        return Ok(false);
    }
    for (one, other) in one.iter().zip(other) {
        if !equal_elements(budget, one, other)? {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Values of different types are not equal; a checked rule has none in one list.
fn equal_elements(budget: &mut Evaluator<'_>, one: &Value, other: &Value) -> Answer<bool> {
    budget.charge(1)?;
    equal(budget, one, other).unwrap_or(Ok(false))
}

fn contains(budget: &mut Evaluator<'_>, wanted: &Value, place: &Value) -> Option<Answer<bool>> {
    match (wanted, place) {
        (Value::String(key), Value::Map(entries)) => {
            Some(budget.charge_bytes(key.len()).map(|()| entries.contains_key(&**key)))
        }
        (_, Value::List(elements)) => Some(holds(budget, wanted, elements)),
        _ => None,
    }
}

fn holds(budget: &mut Evaluator<'_>, wanted: &Value, elements: &[Value]) -> Answer<bool> {
    for element in elements {
        if equal_elements(budget, wanted, element)? {
            return Ok(true);
        }
    }
    Ok(false)
}

fn order(budget: &mut Evaluator<'_>, one: &Value, other: &Value) -> Option<Answer<Ordering>> {
    let ordered = |order: Option<Ordering>| order.ok_or(EvaluationError::NotANumber);
    Some(match (one, other) {
        (Value::Bool(one), Value::Bool(other)) => Ok(one.cmp(other)),
        (Value::Int(one), Value::Int(other)) => Ok(one.cmp(other)),
        (Value::Duration(one), Value::Duration(other)) => Ok(one.cmp(other)),
        (Value::String(one), Value::String(other)) => {
            budget.charge_bytes(one.len().min(other.len())).map(|()| one.cmp(other))
        }
        (Value::Double(one), Value::Double(other)) => ordered(one.partial_cmp(other)),
        (Value::Int(one), Value::Double(other)) => ordered(order_mixed(*one, *other)),
        (Value::Double(one), Value::Int(other)) => ordered(order_mixed(*other, *one)).map(Ordering::reverse),
        _ => return None,
    })
}

/// An int and a double on one line of numbers, without rounding the int; nothing if the double is not a number.
fn order_mixed(whole: i64, real: f64) -> Option<Ordering> {
    if real.is_nan() {
        return None;
    }
    if real >= BEYOND_INT {
        return Some(Ordering::Less);
    }
    if real < -BEYOND_INT {
        return Some(Ordering::Greater);
    }
    let floor = real.floor();
    let beyond = if real > floor { Ordering::Less } else { Ordering::Equal };
    Some(whole.cmp(&(floor as i64)).then(beyond))
}

/// An element of a list, or an entry of a map.
pub(super) fn element(base: &Expression, value: &Value, index: &Value) -> Answer<Value> {
    match (value, index) {
        (Value::List(elements), Value::Int(index)) => {
            let found = usize::try_from(*index).ok().and_then(|index| elements.get(index));
            found.cloned().ok_or_else(|| EvaluationError::NoSuchElement {
                list: base.to_string(),
                index: *index,
                length: elements.len(),
            })
        }
        (Value::Map(entries), Value::String(key)) => {
            let missing = || EvaluationError::NoSuchKey { map: base.to_string(), key: (**key).to_owned() };
            entries.get(&**key).cloned().ok_or_else(missing)
        }
        _ => Err(EvaluationError::mistyped(base)),
    }
}

pub(super) fn call(
    budget: &mut Evaluator<'_>,
    function: Function,
    arguments: &[Value],
) -> Option<Answer<Value>> {
    match (function, arguments) {
        (Function::Size, [Value::String(text)]) => {
            Some(budget.charge_bytes(text.len()).map(|()| Value::Int(text.chars().count() as i64)))
        }
        (Function::Size, [Value::List(elements)]) => Some(Ok(Value::Int(elements.len() as i64))),
        (Function::Size, [Value::Map(entries)]) => Some(Ok(Value::Int(entries.len() as i64))),
        (Function::Double, [Value::Int(number)]) => Some(Ok(Value::Double(*number as f64))),
        (Function::Double, [Value::Double(number)]) => Some(Ok(Value::Double(*number))),
        (Function::Int, [Value::Int(number)]) => Some(Ok(Value::Int(*number))),
        (Function::Int, [Value::Double(number)]) => Some(truncated(*number)),
        (_, [Value::String(text), Value::String(part)]) => {
            let is_true = match function {
                Function::StartsWith => text.starts_with(&**part),
                Function::EndsWith => text.ends_with(&**part),
                Function::Contains => text.contains(&**part),
                _ => return None,
            };
            Some(budget.charge_bytes(text.len() + part.len()).map(|()| Value::Bool(is_true)))
        }
        _ => None,
    }
}

/// Towards zero. The ends of the range are left out, as CEL does, because rounding makes them doubtful.
fn truncated(number: f64) -> Answer<Value> {
    if number.is_nan() {
        return Err(EvaluationError::NotANumber);
    }
    if number <= -BEYOND_INT || number >= BEYOND_INT {
        return Err(EvaluationError::Overflow { operator: Function::Int.as_str().to_owned() });
    }
    Ok(Value::Int(number as i64))
}
