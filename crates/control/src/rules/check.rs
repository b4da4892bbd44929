//! The types of a rule, checked when it is read: afterwards no name can be missing and no operator can meet a wrong value.

use super::guards;
use super::problem::Problems;
use super::proposals::{Sides, article, in_one_type, listed, usable};
use super::schema::{Field, Schema, Type};
use super::syntax::{Expression, Function, Kind, Level, Literal, Loop, Macro, Operator};
use model::document::nearest;

/// A fact that a rule uses and that may be unknown when it is evaluated.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unguarded {
    pub fact: String,
    /// Bytes before it within the text of the rule.
    pub offset: usize,
}

/// Checks that a whole rule is a condition; returns what may be unknown in it.
pub(super) fn check(rule: &Expression, schema: &Schema, problems: &mut Problems<'_>) -> Vec<Unguarded> {
    // Of a rule that is only half read, nobody knows what it would have been.
    let is_whole = problems.is_empty();
    let mut checker =
        Checker { schema, problems, locals: Vec::new(), known: Vec::new(), unguarded: Vec::new() };
    let of = checker.type_of(rule);
    if is_whole && of.common(&Type::Bool).is_none() {
        let message = format!("the rule is {}, not a condition", article(&of));
        checker.problems.add(rule.span.start, message, "compare it with something, such as `… <= 0.8`");
    }
    checker.unguarded
}

pub(super) struct Checker<'a, 'p, 't> {
    schema: &'a Schema,
    pub(super) problems: &'p mut Problems<'t>,
    locals: Vec<(String, Type)>,
    /// Facts that are known where the checker is now, because something asked for them.
    known: Vec<String>,
    unguarded: Vec<Unguarded>,
}

impl Checker<'_, '_, '_> {
    pub(super) fn type_of(&mut self, expression: &Expression) -> Type {
        match &expression.kind {
            Kind::Literal(literal) => literal_type(literal),
            Kind::Broken => Type::Nothing,
            Kind::Null => self.stray_null(expression),
            Kind::List(elements) => self.list(elements),
            Kind::Name(name) => self.name(expression, name),
            Kind::Select(base, field) => self.select(expression, base, field),
            Kind::Index(base, index) => self.index(base, index),
            Kind::Has(base, field) => self.has(expression, base, field),
            Kind::Not(operand) => {
                self.condition(operand);
                Type::Bool
            }
            Kind::Negate(operand) => self.negate(operand),
            Kind::Binary(operator, left, right) => self.binary(expression, *operator, left, right),
            Kind::And(operands) => self.conditions(operands, guards::when_true),
            Kind::Or(operands) => self.conditions(operands, guards::when_false),
            Kind::Choose(parts) => self.choose(parts),
            Kind::Call(function, arguments) => self.call(*function, arguments),
            Kind::Loop(one) => self.loop_type(one),
        }
    }

    /// Checks something where these facts are known.
    fn knowing<T>(&mut self, facts: Vec<String>, check: impl FnOnce(&mut Self) -> T) -> T {
        let before = self.known.len();
        self.known.extend(facts);
        let found = check(self);
        self.known.truncate(before);
        found
    }

    fn refuse(&mut self, at: &Expression, message: String, proposal: impl Into<String>) -> Type {
        self.problems.add(at.span.start, message, proposal);
        Type::Nothing
    }

    fn stray_null(&mut self, expression: &Expression) -> Type {
        let message = "`null` can only be compared with a fact that may be unknown";
        self.refuse(expression, message.to_owned(), "write has(x.y) or !has(x.y)")
    }

    fn list(&mut self, elements: &[Expression]) -> Type {
        let mut of = Type::Nothing;
        for element in elements {
            let next = self.type_of(element);
            if let Some(common) = of.common(&next) {
                of = common;
            } else {
                let message = format!("a list of {of} cannot hold {}", article(&next));
                self.refuse(element, message, in_one_type(&of, &next, element));
            }
        }
        Type::list(of)
    }

    fn name(&mut self, expression: &Expression, name: &str) -> Type {
        if let Some((_, of)) = self.locals.iter().rev().find(|(local, _)| local == name) {
            return of.clone();
        }
        if let Some(variable) = self.schema.variable(name) {
            return variable.of.clone();
        }
        let proposal = self.name_proposal(name);
        self.refuse(expression, format!("there is no fact `{name}`"), proposal)
    }

    fn name_proposal(&self, name: &str) -> String {
        let locals = self.locals.iter().map(|(local, _)| local.as_str());
        let near = nearest(name, locals.chain(self.schema.names()).chain(["true", "false"]));
        near.map_or_else(
            || {
                let names: Vec<&str> = self.schema.names().collect();
                format!("there are {}; texts are written in quotes", names.join(", "))
            },
            |near| format!("did you mean `{near}`?"),
        )
    }

    /// The declaration of a field, or the type of a map's values; none if it was refused.
    fn field_of(&mut self, at: usize, base: &Expression, name: &str) -> Option<Result<Field, Type>> {
        let fields = match self.type_of(base) {
            Type::Object(fields) => fields,
            Type::Map(of) => return Some(Err(*of)),
            Type::Nothing => return None,
            other => {
                let message = format!("`{base}` is {} and has no fields", article(&other));
                self.problems.add(at, message, format!("remove `.{name}`"));
                return None;
            }
        };
        let found = fields.iter().find(|field| field.name == name).cloned();
        if found.is_none() {
            let names: Vec<&str> = fields.iter().map(|field| field.name).collect();
            let proposal = nearest(name, names.iter().copied()).map_or_else(
                || format!("there are {}", names.join(", ")),
                |near| format!("did you mean `{base}.{near}`?"),
            );
            self.problems.add(at, format!("`{base}` has no field `{name}`"), proposal);
        }
        found.map(Ok)
    }

    fn select(&mut self, expression: &Expression, base: &Expression, name: &str) -> Type {
        match self.field_of(expression.span.end - name.len(), base, name) {
            None => Type::Nothing,
            Some(Err(value)) => value,
            Some(Ok(field)) => {
                if field.optional {
                    self.note_unknown(expression);
                }
                field.of
            }
        }
    }

    /// Remembers a fact that may be unknown, unless something before has asked for it or for a field of it.
    fn note_unknown(&mut self, expression: &Expression) {
        let fact = expression.to_string();
        let is_asked_for = |known: &String| {
            known.strip_prefix(&fact).is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', '[']))
        };
        if !self.known.iter().any(is_asked_for) && !self.unguarded.iter().any(|noted| noted.fact == fact) {
            self.unguarded.push(Unguarded { fact, offset: expression.span.start });
        }
    }

    fn has(&mut self, expression: &Expression, base: &Expression, name: &str) -> Type {
        // What lies on the way may be unknown: then the answer is no.
        let way = vec![format!("{base}.{name}")];
        let at = expression.span.start;
        let is_always_known = self.knowing(way, |checker| {
            let found = checker.field_of(at, base, name);
            matches!(found, Some(Ok(field)) if !field.optional) && !checker.leads_through_unknown(at, base)
        });
        if is_always_known {
            self.refuse(expression, format!("`{base}.{name}` is always known"), "remove has(…)");
        }
        Type::Bool
    }

    fn leads_through_unknown(&mut self, at: usize, path: &Expression) -> bool {
        match &path.kind {
            Kind::Select(base, name) => {
                let found = self.field_of(at, base, name);
                matches!(found, Some(Ok(field)) if field.optional) || self.leads_through_unknown(at, base)
            }
            Kind::Index(base, _) => self.leads_through_unknown(at, base),
            _ => false,
        }
    }

    fn index(&mut self, base: &Expression, index: &Expression) -> Type {
        let of = self.type_of(base);
        let key = self.type_of(index);
        let (wanted, value) = match of {
            Type::List(element) => (Type::Int, *element),
            Type::Map(value) => (Type::String, *value),
            Type::Nothing => return Type::Nothing,
            other => {
                let message = format!("`{base}` is {} and has no elements", article(&other));
                return self.refuse(base, message, "write the name of a field behind a point");
            }
        };
        if key.common(&wanted).is_none() {
            let message = format!("`{base}` is indexed with {}", article(&key));
            self.refuse(index, message, format!("write {} between the brackets", article(&wanted)));
        }
        value
    }

    fn negate(&mut self, operand: &Expression) -> Type {
        let of = self.type_of(operand);
        if of.is_number() {
            return of;
        }
        let message = format!("`-` stands before {}", article(&of));
        self.refuse(operand, message, if of == Type::Bool { "write `!`" } else { "only numbers have a sign" })
    }

    pub(super) fn condition(&mut self, operand: &Expression) {
        let of = self.type_of(operand);
        if of.common(&Type::Bool).is_none() {
            let message = format!("`{operand}` is {}, not a condition", article(&of));
            let proposal = match &of {
                Type::List(_) | Type::Map(_) | Type::String => format!("write `size({operand}) > 0`"),
                Type::Word(words) => format!("write `{operand} == {:?}`", words.first().unwrap_or(&"")),
                _ => "compare it with something".to_owned(),
            };
            self.refuse(operand, message, proposal);
        }
    }

    /// Conditions in a row. Each is checked knowing what all of them ask for: where one settles the result, what the rest
    /// says does not matter.
    fn conditions(&mut self, operands: &[Expression], asks: fn(&Expression) -> Vec<String>) -> Type {
        let facts = operands.iter().flat_map(asks).collect();
        self.knowing(facts, |checker| {
            for operand in operands {
                checker.condition(operand);
            }
            Type::Bool
        })
    }

    fn choose(&mut self, parts: &[Expression; 3]) -> Type {
        let [condition, first, second] = parts;
        self.condition(condition);
        let one = self.knowing(guards::when_true(condition), |checker| checker.type_of(first));
        let other = self.knowing(guards::when_false(condition), |checker| checker.type_of(second));
        one.common(&other).unwrap_or_else(|| {
            let message = format!("a choice between {} and {}", article(&one), article(&other));
            self.refuse(second, message, in_one_type(&one, &other, second))
        })
    }

    fn call(&mut self, function: Function, arguments: &[Expression]) -> Type {
        let (wanted, result): (fn(&Type) -> bool, _) = match function {
            Function::Size => (|of| of.is_string() || matches!(of, Type::List(_) | Type::Map(_)), Type::Int),
            Function::Double => (Type::is_number, Type::Double),
            Function::Int => (Type::is_number, Type::Int),
            Function::StartsWith | Function::EndsWith | Function::Contains => (Type::is_string, Type::Bool),
        };
        for argument in arguments {
            let of = self.type_of(argument);
            if !wanted(&of) {
                let message = format!("`{}` does not work on {}", function.as_str(), article(&of));
                self.refuse(argument, message, usable(function, argument, &of));
            }
        }
        result
    }

    fn loop_type(&mut self, one: &Loop) -> Type {
        let Loop { quantifier, range, variable, body } = one;
        let element = self.element_of(*quantifier, range);
        if self.schema.variable(variable).is_some() || self.locals.iter().any(|(local, _)| local == variable)
        {
            let message = format!("the name `{variable}` is taken");
            self.refuse(body, message, format!("call it for instance `{variable}_here`"));
        }
        self.locals.push((variable.clone(), element.clone()));
        let of = if *quantifier == Macro::Map {
            Type::list(self.type_of(body))
        } else {
            self.condition(body);
            if *quantifier == Macro::Filter { Type::list(element) } else { Type::Bool }
        };
        self.locals.pop();
        of
    }

    fn element_of(&mut self, quantifier: Macro, range: &Expression) -> Type {
        match self.type_of(range) {
            Type::List(of) => *of,
            Type::Nothing => Type::Nothing,
            Type::Map(_) if !matches!(quantifier, Macro::Filter | Macro::Map) => Type::String,
            other => {
                let message = format!("`{}` does not work on {}", quantifier.as_str(), article(&other));
                let proposal = match other {
                    Type::Map(_) => "on maps there are all, exists and exists_one, over their keys",
                    _ => "it goes through a list",
                };
                self.refuse(range, message, proposal)
            }
        }
    }

    fn binary(
        &mut self,
        whole: &Expression,
        operator: Operator,
        left: &Expression,
        right: &Expression,
    ) -> Type {
        if matches!(operator, Operator::Equal | Operator::NotEqual) {
            let null = |side: &Expression| side.kind == Kind::Null;
            if null(left) != null(right) {
                return self.compare_with_null(if null(left) { right } else { left });
            }
        }
        let (one, other) = (&self.type_of(left), &self.type_of(right));
        let sides = Sides { left, right, one, other };
        if matches!(operator.level(), Level::Product | Level::Sum) {
            return self.arithmetic(whole, operator, &sides);
        }
        if let Some(proposal) = sides.relation_proposal(operator) {
            self.refuse(whole, sides.message(operator), proposal);
        }
        self.check_words(operator, &sides);
        Type::Bool
    }

    /// `fact == null` says that the fact is not known.
    fn compare_with_null(&mut self, fact: &Expression) -> Type {
        let before = self.unguarded.len();
        let of = self.type_of(fact);
        let may_be_unknown = match &fact.kind {
            Kind::Select(base, _) if base.is_path() && !matches!(of, Type::Object(_)) => {
                of == Type::Nothing || self.leads_through_unknown(fact.span.start, fact)
            }
            _ => false,
        };
        self.unguarded.truncate(before);
        if !may_be_unknown {
            let message = format!("`{fact}` cannot be null");
            let proposal = match of {
                Type::Object(_) => format!("write !has({fact}) if it may be unknown"),
                _ => "remove the comparison: only facts that may be unknown can be null".to_owned(),
            };
            self.refuse(fact, message, proposal);
        }
        Type::Bool
    }

    fn arithmetic(&mut self, whole: &Expression, operator: Operator, sides: &Sides<'_>) -> Type {
        let result = sides.one.common(sides.other).filter(|of| match operator {
            Operator::Add => of.is_number() || of.is_string() || matches!(of, Type::Duration | Type::List(_)),
            Operator::Subtract => of.is_number() || *of == Type::Duration,
            Operator::Remainder => matches!(of, Type::Int | Type::Nothing),
            _ => of.is_number(),
        });
        match result {
            // A word joined to a word is not one of the words.
            Some(Type::Word(_)) => Type::String,
            Some(of) => of,
            None => self.refuse(whole, sides.message(operator), sides.arithmetic_proposal(operator)),
        }
    }

    /// A word is compared with words that it can be.
    fn check_words(&mut self, operator: Operator, sides: &Sides<'_>) {
        let Sides { left, right, one, other } = *sides;
        let is_never = |fact: &Expression| format!("`{fact}` is never");
        match (operator, one, other, &right.kind) {
            (Operator::Equal | Operator::NotEqual, Type::Word(words), ..) => {
                self.check_word(&is_never(left), words, right);
            }
            (Operator::Equal | Operator::NotEqual, _, Type::Word(words), _) => {
                self.check_word(&is_never(right), words, left);
            }
            (Operator::In, Type::Word(words), _, Kind::List(elements)) => {
                for element in elements {
                    self.check_word(&is_never(left), words, element);
                }
            }
            (Operator::In, _, Type::List(of), _) => {
                if let Type::Word(words) = **of {
                    self.check_word(&format!("`{right}` never has"), words, left);
                }
            }
            _ => {}
        }
    }

    fn check_word(&mut self, fact: &str, words: &[&str], written: &Expression) {
        let Kind::Literal(Literal::String(text)) = &written.kind else { return };
        if words.contains(&&**text) {
            return;
        }
        let near = nearest(text, words.iter().copied()).map(|near| format!("did you mean {near:?}?"));
        let proposal = near.unwrap_or_else(|| format!("there are {}", listed(words)));
        self.refuse(written, format!("{fact} {written}"), proposal);
    }
}

fn literal_type(literal: &Literal) -> Type {
    match literal {
        Literal::Bool(_) => Type::Bool,
        Literal::Int(_) => Type::Int,
        Literal::Double(_) => Type::Double,
        Literal::String(_) => Type::String,
        Literal::Duration(_) => Type::Duration,
    }
}
