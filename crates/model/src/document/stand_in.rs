//! The plainest value that a schema accepts: it takes the place of a value that was refused, so that everything around it
//! can still be read, and it is the example in a proposal.

use super::Checks;
use super::emit;
use super::problem::Position;
use super::schema::{CHECK_KEYWORD, Facets, Kinds, Schema};
use super::tree::{Entry, Node, Value as Tree};
use serde_json::{Map, Value, json};

/// Levels of required values below one another; a type that needs itself has no value at all.
const MAX_LEVELS: usize = 16;

/// What to put in place of a refused value: the default where there is one.
pub(super) fn stand_in(schema: &Schema, checks: &Checks, value: &Value) -> Value {
    let facets = schema.facets(value);
    if let Some(default) = facets.keyword("default") {
        return default.clone();
    }
    if schema.kinds(value).meets(Kinds::NULL) {
        return Value::Null;
    }
    Maker { schema, checks }.value(facets, MAX_LEVELS)
}

/// A value to show to an author: never nothing, and never an empty default.
pub(super) fn example(schema: &Schema, checks: &Checks, value: &Value) -> String {
    let facets = schema.facets(value);
    let default = facets.keyword("default").filter(|default| is_telling(default));
    let example = default.cloned().unwrap_or_else(|| Maker { schema, checks }.value(facets, MAX_LEVELS));
    emit::flow(&example)
}

fn is_telling(value: &Value) -> bool {
    match value {
        Value::Null | Value::Bool(_) => false,
        Value::Number(number) => number.as_f64() != Some(0.0),
        Value::String(text) => !text.is_empty() && text != "0" && text != "0s",
        Value::Array(items) => !items.is_empty(),
        Value::Object(entries) => !entries.is_empty(),
    }
}

struct Maker<'s> {
    schema: &'s Schema,
    checks: &'s Checks,
}

impl<'s> Maker<'s> {
    fn value(&self, mut facets: Facets<'s>, levels: usize) -> Value {
        if levels == 0 {
            return Value::Null;
        }
        while let Some(branches) = facets.choices.pop() {
            let is_something = |branch: &&Value| self.schema.kinds(branch) != Kinds::NULL;
            if let Some(branch) = branches.iter().find(is_something) {
                self.schema.gather(branch, &mut facets);
            }
        }
        if let Some(first) = facets.listed_values().and_then(|values| values.first().copied()) {
            return first.clone();
        }
        if let Some(check) = facets.keyword(CHECK_KEYWORD).and_then(Value::as_str) {
            let example = self.checks.example(check);
            let number = example.parse().ok().filter(|_| facets.kinds().meets(Kinds::NUMBER));
            return number.map_or_else(|| json!(example), Value::Number);
        }
        self.of_kind(&facets, levels)
    }

    fn of_kind(&self, facets: &Facets<'s>, levels: usize) -> Value {
        let kinds = facets.kinds();
        let is = |kind: Kinds| kinds.meets(kind);
        match () {
            () if is(Kinds::MAPPING) => self.mapping(facets, levels),
            () if is(Kinds::LIST) => self.list(facets, levels),
            () if is(Kinds::INTEGER) => json!(number(facets) as i64),
            () if is(Kinds::NUMBER) => json!(number(facets)),
            () if is(Kinds::TEXT) => json!("text"),
            () if is(Kinds::BOOLEAN) => json!(true),
            () => Value::Null,
        }
    }

    fn mapping(&self, facets: &Facets<'s>, levels: usize) -> Value {
        let required =
            facets.required_keys().into_iter().filter_map(|key| Some((key, facets.property(key)?)));
        let entry = |(key, value): (&str, &'s Value)| {
            (key.to_owned(), self.value(self.schema.facets(value), levels - 1))
        };
        Value::Object(required.map(entry).collect::<Map<String, Value>>())
    }

    fn list(&self, facets: &Facets<'s>, levels: usize) -> Value {
        let least = facets.keyword("minItems").and_then(Value::as_u64).unwrap_or(0);
        let item = facets.keyword("items").filter(|_| least > 0);
        let items = item.map(|item| self.value(self.schema.facets(item), levels - 1));
        Value::Array(items.into_iter().cycle().take(least as usize).collect())
    }
}

/// One, or the nearest to it within the bounds; above an excluded zero and below an excluded one lies the middle.
fn number(facets: &Facets<'_>) -> f64 {
    let bound = |name| facets.keyword(name).and_then(Value::as_f64);
    let least = bound("minimum").unwrap_or(f64::MIN);
    let most = bound("maximum").unwrap_or(f64::MAX);
    let middle =
        |least: f64, most: f64| if most - least > 1.0 { least + 1.0 } else { f64::midpoint(least, most) };
    match (bound("exclusiveMinimum"), bound("exclusiveMaximum")) {
        (None, None) => 1.0_f64.clamp(least, most),
        (Some(least), open) => middle(least, open.unwrap_or(most)),
        (None, Some(most)) => middle(least.max(-1.0), most).min(1.0),
    }
}

/// Plain data as a part of a tree; all of it stands at one place.
pub(super) fn planted(value: &Value, at: Position) -> Node {
    let tree = match value {
        Value::Null => Tree::Null,
        Value::Bool(flag) => Tree::Bool(*flag),
        Value::Number(number) => Tree::Number(number.to_string()),
        Value::String(text) => Tree::Text(text.clone()),
        Value::Array(items) => Tree::Sequence(items.iter().map(|item| planted(item, at)).collect()),
        Value::Object(entries) => Tree::Mapping(
            entries
                .iter()
                .map(|(key, value)| {
                    let (line, column) = (at.line, at.column);
                    Entry { key: key.clone(), line, column, value: planted(value, at) }
                })
                .collect(),
        ),
    };
    Node::new(tree, at)
}
