//! A document as a tree of values that know their line; no schema is applied here.

use super::problem::Position;

/// One value and where it begins. A value behind an alias keeps the place where it was written.
#[derive(Debug, Clone)]
pub struct Node {
    pub value: Value,
    pub line: u32,
    pub column: u32,
}

/// What a value is. Numbers keep their spelling: `1.10` may be meant as a version, `0x10` as sixteen.
#[derive(Debug, Clone)]
pub enum Value {
    Null,
    Bool(bool),
    Number(String),
    Text(String),
    Sequence(Vec<Node>),
    Mapping(Vec<Entry>),
}

/// One key of a mapping with its value, in the order of the file.
#[derive(Debug, Clone)]
pub struct Entry {
    pub key: String,
    pub line: u32,
    pub column: u32,
    pub value: Node,
}

impl Entry {
    pub fn position(&self) -> Position {
        Position { line: self.line, column: self.column }
    }
}

impl Node {
    pub(super) fn new(value: Value, at: Position) -> Self {
        Self { value, line: at.line, column: at.column }
    }

    pub fn position(&self) -> Position {
        Position { line: self.line, column: self.column }
    }

    /// The value under a key, when this is a mapping that has it.
    pub fn get(&self, key: &str) -> Option<&Node> {
        self.entries().iter().find(|entry| entry.key == key).map(|entry| &entry.value)
    }

    /// The entries of a mapping; none for anything else.
    pub fn entries(&self) -> &[Entry] {
        if let Value::Mapping(entries) = &self.value { entries } else { &[] }
    }

    /// The items of a sequence; none for anything else.
    pub fn items(&self) -> &[Node] {
        if let Value::Sequence(items) = &self.value { items } else { &[] }
    }

    /// The spelling of a text or number.
    pub fn scalar(&self) -> Option<&str> {
        if let Value::Text(text) | Value::Number(text) = &self.value { Some(text) } else { None }
    }

    /// A whole number; `None` for anything else, also for `3.0`.
    pub fn integer(&self) -> Option<i128> {
        if let Value::Number(text) = &self.value { parse_integer(text) } else { None }
    }

    /// A number of any spelling as a float; never infinite.
    pub fn float(&self) -> Option<f64> {
        let Value::Number(text) = &self.value else { return None };
        let float = parse_integer(text).map_or_else(|| text.parse().ok(), |whole| Some(whole as f64));
        float.filter(|float| float.is_finite())
    }
}

/// Two values are the same when they say the same, wherever they stand and in whatever order keys come.
pub(super) fn canonical(node: &Node) -> String {
    match &node.value {
        Value::Null => "null".to_owned(),
        Value::Bool(flag) => flag.to_string(),
        Value::Number(text) => {
            parse_integer(text).map_or_else(|| format!("{:?}", node.float()), |whole| whole.to_string())
        }
        Value::Text(text) => format!("{text:?}"),
        Value::Sequence(items) => format!("[{}]", items.iter().map(canonical).collect::<Vec<_>>().join(",")),
        Value::Mapping(entries) => {
            let pair = |entry: &Entry| format!("{:?}:{}", entry.key, canonical(&entry.value));
            let mut pairs: Vec<String> = entries.iter().map(pair).collect();
            pairs.sort();
            format!("{{{}}}", pairs.join(","))
        }
    }
}

/// A whole number in the spellings of YAML's core schema: `-12`, `+12`, `0o17`, `0xff`.
fn parse_integer(text: &str) -> Option<i128> {
    if let Some(octal) = text.strip_prefix("0o") {
        return i128::from_str_radix(octal, 8).ok();
    }
    if let Some(hexadecimal) = text.strip_prefix("0x") {
        return i128::from_str_radix(hexadecimal, 16).ok();
    }
    text.parse().ok()
}
