//! Rules: conditions on facts that people write, in a typed subset of CEL. Checked when a file is read, evaluated without surprises.
//!
//! ```text
//! text ──► lexer ──► parser ──► check (types, names, words) ──► Rule ──► evaluate(facts) ──► true, false or why not
//!                                   ▲                             └────► explain(facts)  ──► the conditions that settled it
//!                                 Schema
//! ```
//! Every accepted text means the same in CEL: where a rule has an answer, CEL has that answer. What is left out, and why, is in
//! `docs/decisions/0013-typed-subset-of-cel.md`.

mod calls;
mod check;
mod duration;
mod evaluate;
mod explain;
mod guards;
mod lexer;
pub mod limits;
mod operators;
mod parser;
mod print;
mod problem;
mod proposals;
pub mod review_facts;
mod schema;
mod strings;
mod syntax;
mod value;

#[cfg(test)]
mod tests;

pub use check::Unguarded;
pub use duration::Duration;
pub use evaluate::EvaluationError;
pub use explain::{Explanation, Reason};
pub use problem::Problem;
pub use schema::{FactLine, Field, Schema, Type};
pub use value::{Entries, Facts, Value};

use evaluate::Evaluator;
use problem::Problems;
use serde::{Serialize, Serializer};
use std::fmt;
use std::sync::Arc;
use syntax::Expression;

/// A condition that was checked against a schema. Two rules are equal if their texts are.
#[derive(Clone)]
pub struct Rule {
    text: Arc<str>,
    expression: Arc<Expression>,
    unguarded: Arc<[Unguarded]>,
}

impl Rule {
    /// Reads a rule; everything that is wrong with it at once.
    ///
    /// ```
    /// use control::rules::{Facts, Field, Rule, Schema, Type, Value};
    /// let load = Field::optional("load_after", Type::Double, "share of the capacity that is requested");
    /// let schema = Schema::new(vec![Field::known("target", Type::Object(vec![load]), "where it goes")]);
    /// let rule = Rule::parse("target.load_after <= 0.8", &schema).unwrap();
    /// let facts = Facts::new().with("target", Value::object([("load_after", Value::measured(0.93))]));
    /// assert_eq!(rule.evaluate(&facts), Ok(false));
    /// assert_eq!(rule.explain(&facts).to_string(), "target.load_after (0.93) <= 0.8 is false");
    /// ```
    pub fn parse(text: &str, schema: &Schema) -> Result<Self, Vec<Problem>> {
        let mut problems = Problems::of(text);
        if text.len() > limits::MAX_TEXT {
            let message = format!("the rule has {} bytes; at most {} are read", text.len(), limits::MAX_TEXT);
            problems.add(0, message, "split it into several");
            return Err(problems.into_sorted());
        }
        let expression = parser::parse(text, &mut problems);
        let unguarded = check::check(&expression, schema, &mut problems);
        if !problems.is_empty() {
            return Err(problems.into_sorted());
        }
        Ok(Self { text: text.into(), expression: Arc::new(expression), unguarded: unguarded.into() })
    }

    /// The text as it was written.
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// Facts it uses that may be unknown, and that nothing in it asks for with `has`. Without one of them it has no answer, unless
    /// other conditions settle it.
    pub fn unguarded(&self) -> &[Unguarded] {
        &self.unguarded
    }

    /// What it says about these facts. An error is not an answer: the caller chooses the careful one.
    pub fn evaluate(&self, facts: &Facts) -> Result<bool, EvaluationError> {
        Evaluator::new(facts, limits::MAX_STEPS).truth(&self.expression)
    }

    /// What it says, and the smallest conditions that settled it.
    pub fn explain(&self, facts: &Facts) -> Explanation {
        explain::explain(&self.expression, facts, self.evaluate(facts))
    }
}

impl PartialEq for Rule {
    fn eq(&self, other: &Self) -> bool {
        self.text == other.text
    }
}

impl Eq for Rule {}

impl fmt::Display for Rule {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.text)
    }
}

impl fmt::Debug for Rule {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "Rule({:?})", self.text)
    }
}

impl Serialize for Rule {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.text)
    }
}
