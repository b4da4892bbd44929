//! Walks a tree against a schema and finds every problem, each at its own line.

use super::Checks;
use super::choose::{Choice, choose};
use super::doubts::Doubts;
use super::mend::{Change, Mend};
use super::path::{Path, Step, child, item as item_path};
use super::problem::{Position, Problem, Problems, Refusal, shown};
use super::schema::{CHECK_KEYWORD, Facets, Kinds, Schema, format_range, one_of};
use super::source::Source;
use super::stand_in::{example, planted, stand_in};
use super::suggest::nearest;
use super::tree::{Entry, Node, Value as Tree, canonical};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};

/// Known words listed in a proposal; more would hide the one that is meant.
const LISTED_WORDS: usize = 30;

/// Everything in which `root` differs from the schema, and how to make it readable nevertheless.
pub(super) struct Verdict {
    pub(super) problems: Problems,
    pub(super) doubts: Doubts,
    pub(super) mends: Vec<Mend>,
}

/// What a type refused although the schema accepts it, by path: where and why.
pub(super) type Faults = BTreeMap<String, (Position, String)>;

/// Compares a tree with a schema. `known` was found before; a value in it is not refused a second time.
pub(super) fn validate(
    root: &Node,
    schema: &Schema,
    checks: &Checks,
    source: &Source,
    known: (Problems, Doubts),
    faults: &Faults,
) -> Verdict {
    let (problems, doubts) = known;
    let blemished = problems.iter().map(Problem::position).collect();
    let verdict = Verdict { problems, doubts, mends: Vec::new() };
    let schemas = vec![schema.root()];
    let mut walk =
        Walk { schema, checks, source, faults, blemished, verdict, schemas, path: Path::default() };
    walk.node(root, schema.root());
    walk.verdict
}

pub(super) struct Walk<'s, 't> {
    pub(super) schema: &'s Schema,
    pub(super) checks: &'s Checks,
    source: &'s Source,
    faults: &'s Faults,
    blemished: BTreeSet<Position>,
    verdict: Verdict,
    /// The way to the value being compared, and the schema of every value on it.
    path: Path<'t>,
    schemas: Vec<&'s Value>,
}

impl<'s: 't, 't> Walk<'s, 't> {
    fn node(&mut self, node: &'t Node, schema: &'s Value) {
        if let Some((at, message)) = self.fault() {
            self.replace(node);
            return self.report(at, self.path.to_string(), Refusal::new(message));
        }
        let Some(facets) = self.decided_facets(node, schema) else { return };
        let kinds = facets.kinds();
        if !kinds.meets(Kinds::of(node)) {
            return self.refuse(node, self.wrong_kind(node, kinds, &facets));
        }
        match &node.value {
            Tree::Null => {}
            Tree::Bool(_) => self.listed(node, &facets),
            Tree::Number(_) => self.number(node, kinds, &facets),
            Tree::Text(text) => self.text(node, text, &facets),
            Tree::Sequence(items) => self.list(node, items, &facets),
            Tree::Mapping(entries) => self.mapping(node, entries, &facets),
        }
    }

    fn fault(&self) -> Option<(Position, String)> {
        if self.faults.is_empty() { None } else { self.faults.get(&self.path.to_string()).cloned() }
    }

    /// A value of the wrong kind; where a leaf check refuses its spelling too, the check says it better.
    fn wrong_kind(&self, node: &Node, kinds: Kinds, facets: &Facets<'s>) -> Refusal {
        let expected =
            if kinds == Kinds::default() { "nothing at all".to_owned() } else { expectation(node, facets) };
        let message = format!("expected {expected}, found {}", found(node));
        let proposal = retype(node, kinds).or_else(|| self.opening(kinds, facets));
        let Some(check) = facets.keyword(CHECK_KEYWORD).and_then(Value::as_str) else {
            if self.path.0.is_empty() && matches!(node.value, Tree::Null) {
                return Refusal { message: "the file is empty".to_owned(), proposal };
            }
            return Refusal { message, proposal };
        };
        match node.scalar().map(|spelling| self.checks.run(check, spelling)) {
            Some(Err(refusal)) => refusal,
            Some(Ok(())) => Refusal { message, proposal },
            None => Refusal::new(message),
        }
    }

    /// The line with which a mapping could begin.
    fn opening(&self, wanted: Kinds, facets: &Facets<'s>) -> Option<String> {
        let required = facets.required_keys().into_iter().filter(|_| wanted == Kinds::MAPPING);
        let known: Vec<(&str, &Value)> =
            required.filter_map(|key| Some((key, facets.property(key)?))).collect();
        let fixed = known.iter().find(|(_, schema)| self.only_value(schema).is_some());
        let (key, schema) = fixed.or(known.first())?;
        Some(format!("begin with a line such as {key}: {}", example(self.schema, self.checks, schema)))
    }

    /// The keyword sets that apply once every choice is made; `None` when a choice failed and was reported.
    fn decided_facets(&mut self, node: &'t Node, schema: &'s Value) -> Option<Facets<'s>> {
        let mut facets = self.schema.facets(schema);
        while let Some(branches) = facets.choices.pop() {
            match choose(self, node, branches) {
                Choice::Branch(branch) => self.schema.gather(branch, &mut facets),
                Choice::Refused(at, key, refusal) => {
                    let written = self.path.to_string();
                    let path = key.map_or_else(|| written.clone(), |key| child(&written, key));
                    self.replace(node);
                    self.report(at, path, refusal);
                    return None;
                }
            }
        }
        Some(facets)
    }

    fn number(&mut self, node: &Node, kinds: Kinds, facets: &Facets<'s>) {
        let only_whole = kinds.meets(Kinds::INTEGER) && !kinds.meets(Kinds::NUMBER);
        let is_text = kinds.meets(Kinds::TEXT);
        let whole = node.integer();
        let unusable = (only_whole && whole.is_none()) || (!is_text && node.float().is_none());
        if unusable || !in_range(node, facets) {
            let message = format!("expected {}, found {}", expectation(node, facets), found(node));
            let example = example(self.schema, self.checks, self.here());
            let proposal = nearby(node, only_whole, facets, &example);
            return self.refuse(node, Refusal { message, proposal });
        }
        self.listed(node, facets);
        self.leaf_check(node, facets);
    }

    fn text(&mut self, node: &Node, text: &str, facets: &Facets<'s>) {
        let length = text.chars().count() as u64;
        let limit = |name| facets.keyword(name).and_then(Value::as_u64);
        if let Some(minimum) = limit("minLength").filter(|minimum| length < *minimum) {
            let message = if minimum == 1 {
                "must not be empty".to_owned()
            } else {
                format!("needs at least {minimum} characters")
            };
            self.refuse(node, Refusal::new(message));
        }
        if let Some(maximum) = limit("maxLength").filter(|maximum| length > *maximum) {
            let message = format!("has {length} characters; at most {maximum} are allowed");
            self.refuse(node, Refusal::new(message).propose("shorten it"));
        }
        self.listed(node, facets);
        self.leaf_check(node, facets);
    }

    fn leaf_check(&mut self, node: &Node, facets: &Facets<'s>) {
        for facet in &facets.plain {
            let Some(name) = facet.get(CHECK_KEYWORD).and_then(Value::as_str) else { continue };
            let Some(spelling) = node.scalar() else { continue };
            if let Err(refusal) = self.checks.run(name, spelling) {
                self.refuse(node, refusal);
            }
        }
    }

    fn listed(&mut self, node: &Node, facets: &Facets<'s>) {
        let Some(allowed) = facets.listed_values() else { return };
        if !allowed.iter().any(|value| equals(node, value)) {
            self.refuse(node, not_listed(node, &allowed));
        }
    }

    fn list(&mut self, node: &'t Node, items: &'t [Node], facets: &Facets<'s>) {
        let count = items.len() as u64;
        let limit = |name| facets.keyword(name).and_then(Value::as_u64);
        if let Some(minimum) = limit("minItems").filter(|minimum| count < *minimum) {
            let message = format!("needs at least {minimum} {}, has {count}", entries_word(minimum));
            self.refuse(node, Refusal::new(message));
        }
        if let Some(maximum) = limit("maxItems").filter(|maximum| count > *maximum) {
            let message = format!("takes at most {maximum} {}, has {count}", entries_word(maximum));
            self.refuse(node, Refusal::new(message).propose("remove the others"));
        }
        let leading = facets.keyword("prefixItems").and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
        let rest = facets.keyword("items");
        for (index, item) in items.iter().enumerate() {
            if let Some(schema) = leading.get(index).or(rest) {
                self.below(Step::Index(index), item, schema);
            }
        }
        if facets.keyword("uniqueItems") == Some(&Value::Bool(true)) {
            self.unique(items);
        }
    }

    fn unique(&mut self, items: &'t [Node]) {
        let mut first: BTreeMap<String, u32> = BTreeMap::new();
        for (index, item) in items.iter().enumerate() {
            if let Some(line) = first.get(&canonical(item)) {
                let message = format!("is already listed in line {line}");
                let path = item_path(&self.path.to_string(), index);
                self.report(item.position(), path, Refusal::new(message).propose("keep one of the two"));
            } else {
                first.insert(canonical(item), item.line);
            }
        }
    }

    fn mapping(&mut self, node: &'t Node, entries: &'t [Entry], facets: &Facets<'s>) {
        let mut meant = Vec::new();
        for entry in entries {
            self.key(entry, facets);
            if let Some(schema) = facets.property(&entry.key) {
                self.below(Step::Key(&entry.key), &entry.value, schema);
            } else if let Some(schema) =
                facets.undeclared(&entry.key).filter(|schema| **schema != Value::Bool(false))
            {
                self.below(Step::Key(&entry.key), &entry.value, schema);
            } else if facets.undeclared(&entry.key).is_some() {
                self.unknown_key(node, entry, &mut meant, facets);
            }
        }
        for key in facets.required_keys() {
            // A misspelt key is one mistake, not two.
            if node.get(key).is_none() && !meant.contains(&key) {
                let refusal = self.missing_key(key, facets);
                self.report(node.position(), self.path.to_string(), refusal);
                self.supply(node, key, facets);
            }
        }
    }

    fn key(&mut self, entry: &'t Entry, facets: &Facets<'s>) {
        let Some(names) = facets.keyword("propertyNames") else { return };
        let Some(check) = names.get(CHECK_KEYWORD).and_then(Value::as_str) else { return };
        if let Err(refusal) = self.checks.run(check, &entry.key) {
            let path = child(&self.path.to_string(), &entry.key);
            self.report(entry.position(), path, refusal.or_example(self.checks.example(check)));
        }
    }

    /// What is written under a misspelt key counts as meant for the right one if it is a list or a mapping; a single
    /// value says too little about what was meant.
    fn unknown_key(
        &mut self,
        node: &'t Node,
        entry: &'t Entry,
        meant: &mut Vec<&'s str>,
        facets: &Facets<'s>,
    ) {
        let is_free = |key: &&str| node.get(key).is_none() && !meant.contains(key);
        let suggestion = nearest(&entry.key, facets.known_keys().into_iter().filter(is_free));
        self.report_unknown_key(entry, suggestion, facets);
        let Some(key) = suggestion else {
            self.change(Change::Remove(entry.key.clone()));
            return self.doubt_absent(node, facets);
        };
        meant.push(key);
        let schema = facets.property(key).expect("a known key has a schema");
        let is_telling = matches!(entry.value.value, Tree::Sequence(_) | Tree::Mapping(_));
        if is_telling && self.schema.kinds(schema).meets(Kinds::of(&entry.value)) {
            self.change(Change::Rename(entry.key.clone(), key.to_owned()));
            self.below(Step::Key(key), &entry.value, schema);
        } else {
            self.change(Change::Remove(entry.key.clone()));
            self.supply(node, key, facets);
        }
    }

    /// An unknown key may have been meant for any that is not there.
    fn doubt_absent(&mut self, node: &Node, facets: &Facets<'s>) {
        let path = self.path.to_string();
        for key in facets.known_keys().into_iter().filter(|key| node.get(key).is_none()) {
            self.verdict.doubts.add(child(&path, key));
        }
    }

    fn report_unknown_key(&mut self, entry: &Entry, suggestion: Option<&str>, facets: &Facets<'s>) {
        let known: Vec<&str> = facets.known_keys().into_iter().collect();
        let listed = list_words(&known);
        let proposal = match suggestion {
            Some(key) => format!("did you mean {}? known keys: {listed}", shown(key)),
            None if facets.has_number_keys() => "keys are whole numbers here".to_owned(),
            None if known.is_empty() => "remove it; no keys are expected here".to_owned(),
            None => format!("known keys: {listed}"),
        };
        let message = format!("unknown key {}", shown(&entry.key));
        let path = self.path.to_string();
        self.report(entry.position(), path, Refusal { message, proposal: Some(proposal) });
    }

    fn missing_key(&self, key: &str, facets: &Facets<'s>) -> Refusal {
        let refusal = Refusal::new(format!("missing the key {}", shown(key)));
        let Some(schema) = facets.property(key) else { return refusal.propose(format!("add {key}")) };
        if let Some(value) = self.only_value(schema) {
            return refusal.propose(format!("add {key}: {value}"));
        }
        let example = example(self.schema, self.checks, schema);
        refusal.propose(format!("add for instance {key}: {example}"))
    }

    /// The one text that a schema accepts, when there is only one.
    fn only_value(&self, schema: &'s Value) -> Option<&'s str> {
        let facets = self.schema.facets(schema);
        if let Some(value) = facets.keyword("const") {
            return value.as_str();
        }
        match facets.keyword("enum")?.as_array()?.as_slice() {
            [only] => only.as_str(),
            _ => None,
        }
    }

    fn below(&mut self, step: Step<'t>, node: &'t Node, schema: &'s Value) {
        self.path.0.push(step);
        self.schemas.push(schema);
        self.node(node, schema);
        self.schemas.pop();
        self.path.0.pop();
    }

    /// The value being compared is wrong.
    fn refuse(&mut self, node: &Node, refusal: Refusal) {
        self.replace(node);
        if self.blemished.contains(&node.position()) {
            // Found before, when nobody knew yet what belongs there.
            let proposal = self.proposal(refusal.proposal);
            return self.verdict.problems.propose(node.position(), proposal);
        }
        self.report(node.position(), self.path.to_string(), refusal);
    }

    fn proposal(&self, better: Option<String>) -> String {
        better.unwrap_or_else(|| {
            format!("write for instance {}", example(self.schema, self.checks, self.here()))
        })
    }

    fn here(&self) -> &'s Value {
        self.schemas.last().expect("every value on the way has its schema")
    }

    /// A stand-in for the value being compared; what follows from it is in doubt.
    fn replace(&mut self, node: &Node) {
        if self.verdict.problems.is_full() {
            return;
        }
        let other = planted(&stand_in(self.schema, self.checks, self.here()), node.position());
        self.change(Change::Replace(other));
        self.verdict.doubts.add(self.path.to_string());
    }

    /// A stand-in for a key that a mapping lacks.
    fn supply(&mut self, node: &Node, key: &str, facets: &Facets<'s>) {
        self.verdict.doubts.add(child(&self.path.to_string(), key));
        if let Some(schema) = facets.property(key) {
            let value = planted(&stand_in(self.schema, self.checks, schema), node.position());
            self.change(Change::Add(key.to_owned(), value));
        }
    }

    /// With more problems than are shown the file is broken as a whole and nobody reads it further.
    fn change(&mut self, change: Change) {
        if !self.verdict.problems.is_full() {
            let path = self.path.0.iter().map(Step::to_owned).collect();
            self.verdict.mends.push(Mend { path, change });
        }
    }

    fn report(&mut self, at: Position, path: String, refusal: Refusal) {
        if self.verdict.problems.is_full() {
            return self.verdict.problems.count_one();
        }
        let proposal = self.proposal(refusal.proposal);
        let (line, column, excerpt) = (at.line, at.column, self.source.excerpt(at));
        let message = refusal.message;
        self.verdict.problems.push(Problem { path, line, column, message, proposal, excerpt });
    }
}

fn entries_word(count: u64) -> &'static str {
    if count == 1 { "entry" } else { "entries" }
}

fn list_words(words: &[&str]) -> String {
    let listed = words.iter().take(LISTED_WORDS).copied().collect::<Vec<_>>().join(", ");
    if words.len() > LISTED_WORDS { format!("{listed}, …") } else { listed }
}

/// A value as a message names it.
pub(super) fn found(node: &Node) -> String {
    match &node.value {
        Tree::Null => "nothing".to_owned(),
        Tree::Bool(flag) => flag.to_string(),
        Tree::Number(text) => shown(text).trim_matches('"').to_owned(),
        Tree::Text(text) => shown(text),
        Tree::Sequence(_) => "a list".to_owned(),
        Tree::Mapping(_) => "a mapping".to_owned(),
    }
}

/// The refusal of a value outside a list of values.
pub(super) fn not_listed(node: &Node, allowed: &[&Value]) -> Refusal {
    let written = |value: &&Value| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
    let words: Vec<String> = allowed.iter().map(written).collect();
    let refusal = Refusal::new(format!("expected {}, found {}", one_of(&words), found(node)));
    let suggestion = node.scalar().and_then(|word| nearest(word, words.iter().map(String::as_str)));
    match suggestion {
        Some(word) => refusal.propose(format!("did you mean {}?", shown(word))),
        None => refusal,
    }
}

pub(super) fn equals(node: &Node, value: &Value) -> bool {
    match (&node.value, value) {
        (Tree::Null, Value::Null) => true,
        (Tree::Bool(left), Value::Bool(right)) => left == right,
        (Tree::Text(left), Value::String(right)) => left == right,
        (Tree::Number(_), Value::Number(right)) => node.float() == right.as_f64(),
        _ => false,
    }
}

/// What would have been right: kind and bounds. The ends of a format are named only when they were missed.
fn expectation(node: &Node, facets: &Facets<'_>) -> String {
    let kinds = facets.kinds().describe();
    let format = facets.keyword("format").and_then(Value::as_str).and_then(format_range);
    let bound = |name| facets.keyword(name).map(ToString::to_string);
    let missed = |is_missed: &dyn Fn(f64) -> bool| node.float().is_some_and(is_missed);
    let least = format.filter(|(least, _)| missed(&|value| value < *least as f64));
    let most = format.filter(|(_, most)| {
        missed(&|value| value > *most as f64) || node.integer().is_some_and(|whole| whole > *most)
    });
    let mut words = Vec::new();
    words.extend(
        bound("minimum")
            .or(least.map(|(least, _)| least.to_string()))
            .map(|least| format!("at least {least}")),
    );
    words.extend(bound("exclusiveMinimum").map(|least| format!("more than {least}")));
    words.extend(
        bound("maximum").or(most.map(|(_, most)| most.to_string())).map(|most| format!("at most {most}")),
    );
    words.extend(bound("exclusiveMaximum").map(|most| format!("less than {most}")));
    if words.is_empty() { kinds } else { format!("{kinds} of {}", words.join(" and ")) }
}

fn in_range(node: &Node, facets: &Facets<'_>) -> bool {
    let within_format = facets.keyword("format").and_then(Value::as_str).and_then(format_range);
    let fits =
        |(least, most): (i128, i128)| node.integer().is_none_or(|whole| (least..=most).contains(&whole));
    let holds = |name: &str, holds: fn(f64, f64) -> bool| {
        let bound = facets.keyword(name).and_then(Value::as_f64);
        bound.is_none_or(|bound| node.float().is_none_or(|value| holds(value, bound)))
    };
    within_format.is_none_or(fits)
        && holds("minimum", |value, bound| value >= bound)
        && holds("maximum", |value, bound| value <= bound)
        && holds("exclusiveMinimum", |value, bound| value > bound)
        && holds("exclusiveMaximum", |value, bound| value < bound)
}

/// The nearest numbers that would have been right.
fn nearby(node: &Node, only_whole: bool, facets: &Facets<'_>, example: &str) -> Option<String> {
    let value = node.float()?;
    let format = facets.keyword("format").and_then(Value::as_str).and_then(format_range);
    let bound = |name| facets.keyword(name).and_then(Value::as_f64);
    let least = bound("minimum").or(format.map(|(least, _)| least as f64)).unwrap_or(f64::MIN);
    let most = bound("maximum").or(format.map(|(_, most)| most as f64)).unwrap_or(f64::MAX);
    match () {
        () if only_whole && (least..=most).contains(&value) => {
            let (down, up) = (value.floor().max(least), value.ceil().min(most));
            Some(if down < up { format!("write {down} or {up}") } else { format!("write {down}") })
        }
        // A share that was written as a percentage.
        () if most == 1.0 && (2.0..=100.0).contains(&value) => {
            Some(format!("did you mean {}?", value / 100.0))
        }
        () if value > most => Some(format!("write at most {most}")),
        () if value < least => Some(format!("write at least {least}, for instance {example}")),
        () => None,
    }
}

/// How to write a value so that its kind fits, when that is obvious.
pub(super) fn retype(node: &Node, wanted: Kinds) -> Option<String> {
    let wants = |kind: Kinds| wanted.meets(kind);
    match &node.value {
        Tree::Number(text) if wants(Kinds::TEXT) => Some(format!("put it in quotes: {}", shown(text))),
        Tree::Bool(flag) if wants(Kinds::TEXT) => Some(format!("put it in quotes: \"{flag}\"")),
        Tree::Text(text) if wants(Kinds::BOOLEAN) => match text.to_ascii_lowercase().as_str() {
            "yes" | "on" | "true" | "y" => Some("write true".to_owned()),
            "no" | "off" | "false" | "n" => Some("write false".to_owned()),
            _ => None,
        },
        Tree::Text(text) if wants(Kinds::NUMBER.or(Kinds::INTEGER)) => {
            let number = text.trim().parse::<f64>().ok().filter(|number| number.is_finite());
            number.map(|_| format!("remove the quotes: {}", shown(text.trim()).trim_matches('"')))
        }
        Tree::Sequence(_) if wants(Kinds::MAPPING) => {
            Some("write it as \"key: value\" lines without a leading '-'".to_owned())
        }
        Tree::Mapping(_) if wants(Kinds::LIST) => Some("begin each entry with '- '".to_owned()),
        Tree::Text(_) | Tree::Number(_) | Tree::Bool(_) if wants(Kinds::LIST) => {
            Some("put it into brackets: [ … ]".to_owned())
        }
        _ => None,
    }
}
