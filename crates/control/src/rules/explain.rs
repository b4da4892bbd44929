//! Why a rule says what it says: the smallest conditions that settled it, with the values they saw.

use super::evaluate::{Answer, EvaluationError, Evaluator};
use super::limits::{MAX_EXPLAIN_STEPS, MAX_REASONS};
use super::print;
use super::syntax::{Expression, Function, Kind, Level, Loop, Macro, Operator};
use super::value::{Facts, Value, shown};
use serde::Serialize;
use std::fmt;

/// The answer of a rule with its reasons.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Explanation {
    pub outcome: Result<bool, EvaluationError>,
    pub reasons: Vec<Reason>,
}

/// One condition that settled the answer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Reason {
    /// The condition as the rule has it.
    pub condition: String,
    /// The same with the values it saw: `target.load_after (0.93) <= 0.8`.
    pub with_values: String,
    pub outcome: Result<bool, EvaluationError>,
    /// In a loop, for which element: `name = "east"`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub element: Option<String>,
}

impl fmt::Display for Reason {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.outcome {
            Ok(truth) => write!(out, "{} is {truth}", self.with_values)?,
            Err(error) => write!(out, "{} has no answer: {error}", self.condition)?,
        }
        self.element.as_ref().map_or(Ok(()), |element| write!(out, ", for {element}"))
    }
}

impl fmt::Display for Explanation {
    /// One reason a line.
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let lines: Vec<String> = self.reasons.iter().map(ToString::to_string).collect();
        out.write_str(&lines.join("\n"))
    }
}

/// Explains the outcome that an evaluation had.
pub(super) fn explain(rule: &Expression, facts: &Facts, outcome: Answer<bool>) -> Explanation {
    let evaluator = Evaluator::new(facts, MAX_EXPLAIN_STEPS);
    let mut explainer = Explainer { evaluator, elements: Vec::new(), reasons: Vec::new() };
    explainer.look(rule, &outcome);
    Explanation { outcome, reasons: explainer.reasons }
}

struct Explainer<'a> {
    evaluator: Evaluator<'a>,
    /// The loops around the present condition: `name = "east"`.
    elements: Vec<String>,
    reasons: Vec<Reason>,
}

impl<'a> Explainer<'a> {
    /// Adds what settled a condition whose outcome is known.
    fn look(&mut self, condition: &'a Expression, outcome: &Answer<bool>) {
        match &condition.kind {
            Kind::And(operands) => self.look_through(operands, outcome, false),
            Kind::Or(operands) => self.look_through(operands, outcome, true),
            Kind::Not(operand) => self.look_at(operand),
            Kind::Choose(parts) => self.look_at_choice(parts),
            Kind::Loop(one) => self.look_at_loop(condition, one, outcome),
            _ => self.add(condition, outcome),
        }
    }

    fn look_at(&mut self, condition: &'a Expression) {
        let outcome = self.evaluator.truth(condition);
        self.look(condition, &outcome);
    }

    /// Operands in a row: those that settled it alone, or all of them, or those that failed.
    fn look_through(&mut self, operands: &'a [Expression], outcome: &Answer<bool>, decisive: bool) {
        for operand in operands {
            let part = self.evaluator.truth(operand);
            let counts = match outcome {
                Ok(truth) if *truth == decisive => part == Ok(decisive),
                Ok(_) => true,
                Err(_) => part.is_err(),
            };
            if counts {
                self.look(operand, &part);
            }
        }
    }

    fn look_at_choice(&mut self, parts: &'a [Expression; 3]) {
        let [condition, first, second] = parts;
        let truth = self.evaluator.truth(condition);
        self.look(condition, &truth);
        match truth {
            Ok(true) => self.look_at(first),
            Ok(false) => self.look_at(second),
            Err(_) => {}
        }
    }

    /// A loop that one element settled is explained by that element, every other one by itself.
    fn look_at_loop(&mut self, whole: &'a Expression, one: &'a Loop, outcome: &Answer<bool>) {
        let settles = match (one.quantifier, outcome) {
            (Macro::All, Ok(false)) => false,
            (Macro::Exists, Ok(true)) => true,
            _ => return self.add(whole, outcome),
        };
        let range = self.evaluator.range(&one.range).unwrap_or_default();
        for element in range.iter() {
            let body = |evaluator: &mut Evaluator<'a>| evaluator.truth(&one.body);
            if self.evaluator.with_local(&one.variable, element, body) == Ok(settles) {
                return self.look_with(one, element, settles);
            }
        }
    }

    fn look_with(&mut self, one: &'a Loop, element: &Value, truth: bool) {
        self.elements.push(format!("{} = {}", one.variable, shown(element)));
        self.evaluator.enter(&one.variable, element.clone());
        self.look(&one.body, &Ok(truth));
        self.evaluator.leave();
        self.elements.pop();
    }

    fn add(&mut self, condition: &'a Expression, outcome: &Answer<bool>) {
        let with_values = self.with_values(condition);
        let element = (!self.elements.is_empty()).then(|| self.elements.join(", "));
        let reason =
            Reason { condition: condition.to_string(), with_values, outcome: outcome.clone(), element };
        if self.reasons.len() < MAX_REASONS && !self.reasons.contains(&reason) {
            self.reasons.push(reason);
        }
    }

    fn with_values(&mut self, condition: &'a Expression) -> String {
        match &condition.kind {
            Kind::Binary(operator, left, right) if operator.level() == Level::Relation => {
                self.relation(*operator, left, right)
            }
            Kind::Call(function, arguments) => self.call(condition, *function, arguments),
            Kind::Loop(one) => {
                let range = self.valued(&one.range, print::within(&one.range, Level::Member));
                format!("{range}.{}({}, {})", one.quantifier.as_str(), one.variable, one.body)
            }
            _ => condition.to_string(),
        }
    }

    fn relation(&mut self, operator: Operator, left: &'a Expression, right: &'a Expression) -> String {
        let [one, other] = print::operands(operator, left, right);
        let (one, other) = (self.valued(left, one), self.valued(right, other));
        format!("{one} {} {other}", operator.as_str())
    }

    fn call(&mut self, whole: &'a Expression, function: Function, arguments: &'a [Expression]) -> String {
        let [receiver, part] = arguments else { return whole.to_string() };
        let receiver = self.valued(receiver, print::within(receiver, Level::Member));
        let part = self.valued(part, part.to_string());
        format!("{receiver}.{}({part})", function.as_str())
    }

    /// The text of an operand, with its value unless it says that itself.
    fn valued(&mut self, operand: &'a Expression, text: String) -> String {
        if is_constant(operand) {
            return text;
        }
        match self.evaluator.value(operand) {
            Ok(value) => format!("{text} ({})", shown(&value)),
            Err(_) => format!("{text} (unknown)"),
        }
    }
}

fn is_constant(expression: &Expression) -> bool {
    match &expression.kind {
        Kind::Literal(_) | Kind::Null => true,
        Kind::List(elements) => elements.iter().all(is_constant),
        _ => false,
    }
}
