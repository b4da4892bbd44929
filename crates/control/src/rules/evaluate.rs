//! What a rule says about facts: a pure function with a budget. Errors are values of their own, never panics.
//!
//! `&&`, `||`, `all` and `exists` do not care for the order of their operands, as in CEL: an operand that settles the result
//! outweighs one that fails.

use super::limits::{BYTES_PER_STEP, MAX_ELEMENTS};
use super::operators;
use super::syntax::{Expression, Function, Kind, Literal, Loop, Macro, Operator};
use super::value::{Facts, Value};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// Why a rule has no answer. Whoever asked treats that as the careful answer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, thiserror::Error)]
#[serde(tag = "because", rename_all = "snake_case")]
pub enum EvaluationError {
    /// A fact that may be unknown is unknown, and nothing asked for it before.
    #[error("`{fact}` is not known; ask for it with has({fact})")]
    Unknown { fact: String },
    #[error("`{map}` has no entry {key:?}")]
    NoSuchKey { map: String, key: String },
    #[error("`{list}` has {length} elements and none at {index}")]
    NoSuchElement { list: String, index: i64, length: usize },
    #[error("the result of `{operator}` does not fit into 64 bits")]
    Overflow { operator: String },
    #[error("`{operator}` by zero")]
    DivisionByZero { operator: String },
    #[error("something that is not a number cannot be ordered or converted")]
    NotANumber,
    #[error("a list would have more than {MAX_ELEMENTS} elements")]
    ListTooLong,
    /// The budget of [`super::limits`] is used up.
    #[error("the evaluation takes too many steps")]
    TooManySteps,
    /// The facts are not what the schema says: a mistake of whoever collected them.
    #[error("`{expression}` has a value that does not fit its type")]
    Mistyped { expression: String },
}

impl EvaluationError {
    /// Whether it ends the evaluation whatever the other operands say.
    pub(super) const fn is_final(&self) -> bool {
        matches!(self, Self::TooManySteps)
    }

    pub(super) fn mistyped(expression: &Expression) -> Self {
        Self::Mistyped { expression: expression.to_string() }
    }
}

pub(super) type Answer<T> = Result<T, EvaluationError>;

/// What a path leads to, or its first part that is not known.
type Found<'a> = Result<Value, &'a Expression>;

/// One evaluation under way.
pub(super) struct Evaluator<'a> {
    facts: &'a Facts,
    locals: Vec<(&'a str, Value)>,
    steps_left: u32,
}

impl<'a> Evaluator<'a> {
    pub(super) const fn new(facts: &'a Facts, steps: u32) -> Self {
        Self { facts, locals: Vec::new(), steps_left: steps }
    }

    #[cfg(test)]
    pub(super) const fn steps_left(&self) -> u32 {
        self.steps_left
    }

    pub(super) fn charge(&mut self, steps: usize) -> Answer<()> {
        let steps = u32::try_from(steps).unwrap_or(u32::MAX);
        let left = self.steps_left.checked_sub(steps);
        self.steps_left = left.unwrap_or(0);
        left.map(|_| ()).ok_or(EvaluationError::TooManySteps)
    }

    pub(super) fn charge_bytes(&mut self, bytes: usize) -> Answer<()> {
        self.charge(bytes / BYTES_PER_STEP)
    }

    pub(super) fn truth(&mut self, expression: &'a Expression) -> Answer<bool> {
        match self.value(expression)? {
            Value::Bool(truth) => Ok(truth),
            _ => Err(EvaluationError::mistyped(expression)),
        }
    }

    pub(super) fn value(&mut self, expression: &'a Expression) -> Answer<Value> {
        self.charge(1)?;
        match &expression.kind {
            Kind::Literal(literal) => Ok(literal_value(literal)),
            Kind::Null | Kind::Broken => Err(EvaluationError::mistyped(expression)),
            Kind::List(elements) => self.list(elements),
            Kind::Name(_) | Kind::Select(..) | Kind::Index(..) => {
                let found = self.find(expression)?;
                found.map_err(|unknown| EvaluationError::Unknown { fact: unknown.to_string() })
            }
            Kind::Has(base, field) => self.has(base, field).map(Value::Bool),
            Kind::Not(operand) => self.truth(operand).map(|truth| Value::Bool(!truth)),
            Kind::Negate(operand) => {
                let value = self.value(operand)?;
                operators::negate(&value).unwrap_or_else(|| Err(EvaluationError::mistyped(operand)))
            }
            Kind::Binary(operator, left, right) => self.binary(expression, *operator, left, right),
            Kind::And(operands) => self.settle(operands, false).map(Value::Bool),
            Kind::Or(operands) => self.settle(operands, true).map(Value::Bool),
            Kind::Choose(parts) => {
                let [condition, first, second] = &**parts;
                if self.truth(condition)? { self.value(first) } else { self.value(second) }
            }
            Kind::Call(function, arguments) => self.call(expression, *function, arguments),
            Kind::Loop(one) => self.run(one),
        }
    }

    fn list(&mut self, elements: &'a [Expression]) -> Answer<Value> {
        let values: Answer<Vec<Value>> = elements.iter().map(|element| self.value(element)).collect();
        values.map(Value::list)
    }

    /// The value at the end of a path, or the first part of it that is not known.
    fn find(&mut self, path: &'a Expression) -> Answer<Found<'a>> {
        let base = match &path.kind {
            Kind::Name(name) => return Ok(self.variable(name).ok_or(path)),
            Kind::Select(base, _) | Kind::Index(base, _) => base,
            _ => return self.value(path).map(Ok),
        };
        self.charge(1)?;
        let value = match self.find(base)? {
            Ok(value) => value,
            Err(unknown) => return Ok(Err(unknown)),
        };
        match (&path.kind, value) {
            (Kind::Select(_, field), Value::Object(fields)) => Ok(fields.get(field).cloned().ok_or(path)),
            (Kind::Select(_, field), map @ Value::Map(_)) => {
                operators::element(base, &map, &Value::from(field.as_str())).map(Ok)
            }
            (Kind::Index(_, index), value) => {
                let index = self.value(index)?;
                operators::element(base, &value, &index).map(Ok)
            }
            _ => Err(EvaluationError::mistyped(base)),
        }
    }

    fn variable(&self, name: &str) -> Option<Value> {
        let local = self.locals.iter().rev().find(|(local, _)| *local == name).map(|(_, value)| value);
        local.or_else(|| self.facts.get(name)).cloned()
    }

    pub(super) fn has(&mut self, base: &'a Expression, field: &str) -> Answer<bool> {
        match self.find(base)? {
            Err(_) => Ok(false),
            Ok(Value::Object(entries) | Value::Map(entries)) => Ok(entries.contains_key(field)),
            Ok(_) => Err(EvaluationError::mistyped(base)),
        }
    }

    /// Whether one of the operands is `decisive`. One that fails counts only if none is.
    fn settle(&mut self, operands: &'a [Expression], decisive: bool) -> Answer<bool> {
        let mut failed = None;
        for operand in operands {
            if self.is_settled(operand, decisive, &mut failed)? {
                return Ok(decisive);
            }
        }
        failed.map_or(Ok(!decisive), Err)
    }

    fn is_settled(
        &mut self,
        operand: &'a Expression,
        decisive: bool,
        failed: &mut Option<EvaluationError>,
    ) -> Answer<bool> {
        match self.truth(operand) {
            Ok(truth) => return Ok(truth == decisive),
            Err(error) if error.is_final() => return Err(error),
            Err(error) => failed.get_or_insert(error),
        };
        Ok(false)
    }

    fn binary(
        &mut self,
        whole: &'a Expression,
        operator: Operator,
        left: &'a Expression,
        right: &'a Expression,
    ) -> Answer<Value> {
        let wants_equal = operator == Operator::Equal;
        match (&left.kind, &right.kind) {
            (Kind::Null, _) => return self.is_unknown(right).map(|is| Value::Bool(is == wants_equal)),
            (_, Kind::Null) => return self.is_unknown(left).map(|is| Value::Bool(is == wants_equal)),
            _ => {}
        }
        let (one, other) = (self.value(left)?, self.value(right)?);
        operators::binary(self, operator, &one, &other)
            .unwrap_or_else(|| Err(EvaluationError::mistyped(whole)))
    }

    fn is_unknown(&mut self, fact: &'a Expression) -> Answer<bool> {
        match &fact.kind {
            Kind::Select(base, field) => self.has(base, field).map(|known| !known),
            _ => Err(EvaluationError::mistyped(fact)),
        }
    }

    fn call(
        &mut self,
        whole: &'a Expression,
        function: Function,
        arguments: &'a [Expression],
    ) -> Answer<Value> {
        let values: Answer<Vec<Value>> = arguments.iter().map(|argument| self.value(argument)).collect();
        operators::call(self, function, &values?).unwrap_or_else(|| Err(EvaluationError::mistyped(whole)))
    }

    /// What a loop goes through: the elements of a list, the keys of a map.
    pub(super) fn range(&mut self, range: &'a Expression) -> Answer<Arc<[Value]>> {
        match self.value(range)? {
            Value::List(elements) => Ok(elements),
            Value::Map(entries) => Ok(entries.keys().map(|key| Value::from(key.as_str())).collect()),
            _ => Err(EvaluationError::mistyped(range)),
        }
    }

    /// Something evaluated while a loop's variable has this value.
    pub(super) fn with_local<T>(
        &mut self,
        variable: &'a str,
        value: &Value,
        evaluate: impl FnOnce(&mut Self) -> T,
    ) -> T {
        self.enter(variable, value.clone());
        let result = evaluate(self);
        self.leave();
        result
    }

    pub(super) fn enter(&mut self, variable: &'a str, value: Value) {
        self.locals.push((variable, value));
    }

    pub(super) fn leave(&mut self) {
        self.locals.pop();
    }

    fn run(&mut self, one: &'a Loop) -> Answer<Value> {
        let range = self.range(&one.range)?;
        match one.quantifier {
            Macro::All => self.quantify(one, &range, false).map(Value::Bool),
            Macro::Exists => self.quantify(one, &range, true).map(Value::Bool),
            Macro::ExistsOne => self.select(one, &range).map(|found| Value::Bool(found.len() == 1)),
            Macro::Filter => self.select(one, &range).map(Value::list),
            Macro::Map => self.transform(one, &range).map(Value::list),
        }
    }

    fn quantify(&mut self, one: &'a Loop, range: &[Value], decisive: bool) -> Answer<bool> {
        let mut failed = None;
        for value in range {
            let is_settled = |this: &mut Self| this.is_settled(&one.body, decisive, &mut failed);
            if self.with_local(&one.variable, value, is_settled)? {
                return Ok(decisive);
            }
        }
        failed.map_or(Ok(!decisive), Err)
    }

    fn select(&mut self, one: &'a Loop, range: &[Value]) -> Answer<Vec<Value>> {
        let mut selected = Vec::new();
        for value in range {
            if self.with_local(&one.variable, value, |this| this.truth(&one.body))? {
                selected.push(value.clone());
            }
        }
        Ok(selected)
    }

    fn transform(&mut self, one: &'a Loop, range: &[Value]) -> Answer<Vec<Value>> {
        let values = range.iter();
        values.map(|value| self.with_local(&one.variable, value, |this| this.value(&one.body))).collect()
    }
}

pub(super) fn literal_value(literal: &Literal) -> Value {
    match literal {
        Literal::Bool(value) => Value::Bool(*value),
        Literal::Int(value) => Value::Int(*value),
        Literal::Double(value) => Value::Double(*value),
        Literal::String(value) => Value::String(Arc::clone(value)),
        Literal::Duration(value) => Value::Duration(*value),
    }
}
