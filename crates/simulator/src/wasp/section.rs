//! Reads mappings key by key: a key that is taken has an effect, every other one is named.

use model::document::{
    Document, Node, Position, Problem, Problems, Refusal, Salvage, Value, child, escape, item, nearest, shown,
};
use std::collections::BTreeSet;
use std::fmt;
use std::str::FromStr;

/// Notices kept for one file; a machine-written archive may repeat the same one for each of its rows.
const LISTED_NOTICES: usize = 1000;

/// What WASP's keys hold, as a proposal shows it; both JSON and YAML read these spellings.
const EXAMPLES: &[(&str, &str)] = &[
    ("clusters", r#"{ "member1": { "nodes": 2, "cpu": "8", "memory": "16Gi" } }"#),
    ("cluster_cpu_capacity", r#""16000m""#),
    ("cluster_info", "[]"),
    ("cluster_label", r#""member1""#),
    ("cluster_load", r#"{ "cpu": 0.5, "memory": 0.5 }"#),
    ("cluster_memory_capacity", r#""32768Mi""#),
    ("cpu", r#""2""#),
    ("data", "[]"),
    ("destination_cluster", "1"),
    ("id", r#""web""#),
    ("interval_duration", r#""30s""#),
    ("kind", r#""deployment""#),
    ("label", r#""member1""#),
    ("memory", r#""4Gi""#),
    ("resources", r#"{ "cpu": "500m", "memory": "1Gi" }"#),
    ("scheduler_interval", "60"),
    ("temperature", "0.2"),
    ("timestamp", "60"),
    ("workload_id", r#""default/78""#),
    ("workloads", "[]"),
];

/// An example of what a key holds; keys that have none here hold a number, unless their kind says otherwise.
fn example(key: &str) -> &'static str {
    EXAMPLES.iter().find(|(known, _)| *known == key).map_or("1", |(_, example)| example)
}

/// A key of the file that has no effect in Drover, or not the one that was written, and why.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Notice {
    pub path: String,
    pub line: u32,
    pub message: String,
}

impl fmt::Display for Notice {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}: {}: {}", self.line, self.path, self.message)
    }
}

/// What a file says and what of it has no effect.
#[derive(Debug, Clone, PartialEq)]
pub struct Read<T> {
    pub value: T,
    pub notices: Vec<Notice>,
}

/// Collects problems and notices of one document.
pub(super) struct Reader<'d> {
    document: &'d Document,
    problems: Problems,
    /// Where something was found before it was known what belongs there.
    blemished: BTreeSet<Position>,
    notices: Vec<Notice>,
    unlisted: usize,
}

impl<'d> Reader<'d> {
    pub(super) fn new(salvage: &'d Salvage) -> Self {
        let problems = salvage.problems.clone();
        let blemished = problems.iter().map(Problem::position).collect();
        Self { document: &salvage.document, problems, blemished, notices: Vec::new(), unlisted: 0 }
    }

    /// The whole file as a mapping, which begins like the example.
    pub(super) fn root(&mut self, opening: &str) -> Section<'d> {
        let node = self.document.root();
        let message = match node.value {
            Value::Null => "the file is empty".to_owned(),
            _ => format!("expected a mapping, found {}", found(node)),
        };
        if !matches!(node.value, Value::Mapping(_)) {
            self.problem(node, "", Refusal::new(message).propose(format!("begin with {opening}")));
        }
        Section { node, path: String::new(), taken: BTreeSet::new() }
    }

    /// The value, unless something was wrong.
    pub(super) fn finish<T>(mut self, value: T) -> Result<Read<T>, Problems> {
        self.notices.sort_by_key(|notice| notice.line);
        if let (Some(last), 1..) = (self.notices.last(), self.unlisted) {
            let message = format!("and {} more notices", self.unlisted);
            self.notices.push(Notice { path: String::new(), line: last.line, message });
        }
        self.problems.into_result(Read { value, notices: self.notices })
    }

    pub(super) fn problem(&mut self, node: &Node, path: &str, refusal: Refusal) {
        let key = path.rsplit(['.', '[']).next().unwrap_or_default();
        let Refusal { message, proposal } = refusal.or_example(example(key));
        let proposal = proposal.unwrap_or_default();
        if self.blemished.contains(&node.position()) {
            return self.problems.propose(node.position(), proposal);
        }
        self.problems.push(self.document.problem(node.position(), path, message, proposal));
    }

    pub(super) fn notice(&mut self, line: u32, path: &str, message: impl Into<String>) {
        if self.notices.len() < LISTED_NOTICES {
            self.notices.push(Notice { path: path.to_owned(), line, message: message.into() });
        } else {
            self.unlisted += 1;
        }
    }

    /// Names every leaf below a node that has no effect.
    pub(super) fn ignore(&mut self, node: &Node, path: &str, why: &str) {
        if node.entries().is_empty() {
            self.notice(node.line, path, format!("{why}; ignored"));
            return;
        }
        for entry in node.entries() {
            self.ignore(&entry.value, &child(path, &entry.key), why);
        }
    }

    pub(super) fn expected(&mut self, node: &Node, path: &str, what: &str, proposal: Option<&str>) {
        let proposal = proposal.map(str::to_owned);
        self.problem(
            node,
            path,
            Refusal { message: format!("expected {what}, found {}", found(node)), proposal },
        );
    }

    /// The items of a list with their paths.
    pub(super) fn list(&mut self, node: &'d Node, path: &str) -> Vec<(String, &'d Node)> {
        if !matches!(node.value, Value::Sequence(_)) {
            self.expected(node, path, "a list", Some("put it into brackets: [ … ]"));
        }
        node.items().iter().enumerate().map(|(index, node)| (item(path, index), node)).collect()
    }

    /// A mapping to take keys from; anything else is a problem.
    pub(super) fn section(&mut self, node: &'d Node, path: &str) -> Section<'d> {
        if !matches!(node.value, Value::Mapping(_)) {
            self.expected(node, path, "a mapping", Some("put it into braces: { \"key\": value }"));
        }
        Section { node, path: path.to_owned(), taken: BTreeSet::new() }
    }
}

/// One mapping and the keys that were asked for so far.
pub(super) struct Section<'d> {
    node: &'d Node,
    pub(super) path: String,
    taken: BTreeSet<&'static str>,
}

impl<'d> Section<'d> {
    pub(super) fn line(&self) -> u32 {
        self.node.line
    }

    pub(super) fn node(&self) -> &'d Node {
        self.node
    }

    pub(super) fn path_of(&self, key: &str) -> String {
        child(&self.path, key)
    }

    /// The value of a key; a key without a value counts as absent.
    pub(super) fn take(&mut self, key: &'static str) -> Option<&'d Node> {
        self.taken.insert(key);
        self.node.get(key).filter(|node| !matches!(node.value, Value::Null))
    }

    /// Takes a value with a conversion that explains what it expects.
    fn convert<T>(
        &mut self,
        reader: &mut Reader<'d>,
        key: &'static str,
        (what, proposal): (&str, Option<&str>),
        convert: impl Fn(&Node) -> Option<T>,
    ) -> Option<T> {
        let node = self.take(key)?;
        let converted = convert(node);
        if converted.is_none() {
            reader.expected(node, &self.path_of(key), what, proposal);
        }
        converted
    }

    /// Text; a number's or a flag's spelling serves as well, as in WASP's loosely typed readers.
    pub(super) fn text(&mut self, reader: &mut Reader<'d>, key: &'static str) -> Option<String> {
        self.convert(
            reader,
            key,
            ("text", Some("write one value in quotes, not a list or a mapping")),
            spelling,
        )
    }

    pub(super) fn whole(&mut self, reader: &mut Reader<'d>, key: &'static str) -> Option<u64> {
        let whole = |node: &Node| match node.integer() {
            Some(number) => u64::try_from(number).ok(),
            None => node.scalar().and_then(|text| text.trim().parse().ok()),
        };
        self.convert(reader, key, ("a whole number of at least 0", None), whole)
    }

    pub(super) fn float(&mut self, reader: &mut Reader<'d>, key: &'static str) -> Option<f64> {
        let float = |node: &Node| {
            let parsed = || node.scalar().and_then(|text| text.trim().parse::<f64>().ok());
            node.float().or_else(parsed).filter(|float| float.is_finite())
        };
        self.convert(reader, key, ("a number", None), float)
    }

    pub(super) fn flag(&mut self, reader: &mut Reader<'d>, key: &'static str) -> Option<bool> {
        let flag = |node: &Node| match &node.value {
            Value::Bool(flag) => Some(*flag),
            Value::Text(text) if text == "true" => Some(true),
            Value::Text(text) if text == "false" => Some(false),
            _ => None,
        };
        self.convert(reader, key, ("true or false", Some("write true or false, without quotes")), flag)
    }

    /// A text that a type of ours reads.
    pub(super) fn parsed<T>(&mut self, reader: &mut Reader<'d>, key: &'static str) -> Option<T>
    where
        T: FromStr,
        Refusal: From<T::Err>,
    {
        let node = self.take(key)?;
        let Some(text) = node.scalar() else {
            reader.expected(node, &self.path_of(key), "text or a number", None);
            return None;
        };
        match text.trim().parse() {
            Ok(value) => Some(value),
            Err(error) => {
                reader.problem(node, &self.path_of(key), Refusal::from(error));
                None
            }
        }
    }

    /// One of a few words.
    pub(super) fn word<T: Copy>(
        &mut self,
        reader: &mut Reader<'d>,
        key: &'static str,
        words: &[(&'static str, T)],
    ) -> Option<T> {
        let node = self.take(key)?;
        let written = spelling(node).unwrap_or_default().trim().to_lowercase();
        let found = words.iter().find(|(word, _)| *word == written);
        if found.is_none() {
            let listed: Vec<&str> = words.iter().map(|(word, _)| *word).collect();
            let proposal = match nearest(&written, listed.iter().copied()) {
                Some(word) => format!("did you mean {}?", shown(word)),
                None => format!("write {}", shown(listed.first().unwrap_or(&""))),
            };
            reader.expected(node, &self.path_of(key), &listed.join(" or "), Some(&proposal));
        }
        found.map(|(_, value)| *value)
    }

    /// A mapping below a key.
    pub(super) fn section(&mut self, reader: &mut Reader<'d>, key: &'static str) -> Option<Section<'d>> {
        let node = self.take(key)?;
        Some(reader.section(node, &self.path_of(key)))
    }

    /// Names keys that WASP knows and Drover has no use for.
    pub(super) fn ignore(&mut self, reader: &mut Reader<'d>, keys: &[&'static str], why: &str) {
        for key in keys {
            self.taken.insert(key);
            if let Some(node) = self.node.get(key) {
                reader.ignore(node, &self.path_of(key), why);
            }
        }
    }

    /// A key that must be there.
    pub(super) fn require<T>(&self, reader: &mut Reader<'d>, key: &str, value: Option<T>) -> Option<T> {
        let is_absent = self.node.get(key).is_none_or(|node| matches!(node.value, Value::Null));
        // What is no mapping at all was already reported.
        if value.is_none() && is_absent && matches!(self.node.value, Value::Mapping(_)) {
            let refusal = Refusal::new(format!("missing the key {}", shown(key)));
            let proposal = format!("add for instance {}: {}", shown(key), example(key));
            reader.problem(self.node, &self.path, refusal.propose(proposal));
        }
        value
    }

    /// Names the keys nobody asked for.
    pub(super) fn finish(self, reader: &mut Reader<'d>) {
        for entry in self.node.entries() {
            if self.taken.contains(entry.key.as_str()) {
                continue;
            }
            let meant =
                nearest(&entry.key, self.taken.iter().copied().filter(|key| self.node.get(key).is_none()));
            let hint = meant.map_or(String::new(), |key| format!(" (did you mean {key}?)"));
            let why = format!("WASP has no such key{hint}");
            reader.ignore(&entry.value, &child(&self.path, &entry.key), &why);
        }
    }
}

fn spelling(node: &Node) -> Option<String> {
    match &node.value {
        Value::Text(text) | Value::Number(text) => Some(text.clone()),
        Value::Bool(flag) => Some(flag.to_string()),
        Value::Null | Value::Sequence(_) | Value::Mapping(_) => None,
    }
}

fn found(node: &Node) -> String {
    match &node.value {
        Value::Null => "nothing".to_owned(),
        Value::Bool(flag) => flag.to_string(),
        Value::Number(text) => escape(text),
        Value::Text(text) => shown(text),
        Value::Sequence(_) => "a list".to_owned(),
        Value::Mapping(_) => "a mapping".to_owned(),
    }
}
