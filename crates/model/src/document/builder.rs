//! Builds the tree from a stream of scalars, openings and closings, within stated limits.

use super::doubts::Doubts;
use super::path::{Path, Step, child};
use super::problem::{Position, Problem, Problems, escape, shown};
use super::source::{Source, is_direction_override};
use super::tree::{Entry, Node, Value};
use std::collections::BTreeMap;

/// Deepest nesting. Our deepest document (an agent's trigger inside `any` inside `all`) has 12 levels; five times
/// that leaves room and keeps every recursion over a tree far from the end of a stack.
pub const MAX_DEPTH: usize = 64;

/// Most values in a document. An archived WASP run has about 60,000 (61 snapshots of 80 workloads with 12 values);
/// thirty runs in one file fit, and at about 100 bytes a value the tree stays near 200 MB.
pub const MAX_NODES: usize = 2_000_000;

/// Most values that anchors and aliases may copy. Shared defaults copy some dozens per use; a "billion laughs" file
/// needs only ten lines to ask for 10⁹.
pub const MAX_COPIED_NODES: usize = 100_000;

/// Bytes of text that weigh as much as one copied value: the size of a value itself.
const TEXT_PER_COPIED_NODE: usize = 64;

const FLATTEN: &str = "write it flatter; no file that is read here needs so many levels";

const COMPLEX_KEY: &str = "a key must be plain text, not a list or a mapping";

/// The rest of the file cannot be read; the reason is already among the problems.
pub(super) struct Abandoned;

/// A value just completed.
struct Finished {
    node: Node,
    /// The spelling, when the value can serve as a key.
    key: Option<String>,
    size: usize,
    height: usize,
}

struct Open {
    at: Position,
    content: Content,
    anchor: Option<usize>,
    nodes_before: usize,
    height: usize,
}

enum Content {
    Sequence(Vec<Node>),
    Mapping(Vec<Entry>, Option<(String, Position)>),
}

impl Content {
    /// The way to the value being read; none between the values of a mapping.
    fn step(&self) -> Option<Step<'_>> {
        match self {
            Self::Sequence(items) => Some(Step::Index(items.len())),
            Self::Mapping(_, pending) => pending.as_ref().map(|(key, _)| Step::Key(key)),
        }
    }
}

/// A value that aliases may repeat.
struct Anchored {
    node: Node,
    size: usize,
    height: usize,
    weight: usize,
}

/// Receives what a grammar recognises and keeps what is wrong with it.
pub(super) struct Builder<'s> {
    source: &'s Source,
    problems: Problems,
    doubts: Doubts,
    is_torn: bool,
    open: Vec<Open>,
    nodes: usize,
    copied: usize,
    anchors: BTreeMap<usize, Anchored>,
    root: Option<Node>,
}

impl<'s> Builder<'s> {
    pub(super) fn new(source: &'s Source) -> Self {
        let problems = Problems::new(&source.name);
        Self {
            source,
            problems,
            doubts: Doubts::default(),
            is_torn: false,
            open: Vec::new(),
            nodes: 0,
            copied: 0,
            anchors: BTreeMap::new(),
            root: None,
        }
    }

    /// The tree, what is wrong with single values of it and where; a document without any value is null. What is wrong
    /// with its structure leaves no tree.
    pub(super) fn finish(self) -> Result<(Node, Problems, Doubts), Problems> {
        if self.is_torn {
            return Err(self.problems);
        }
        let root = self.root.unwrap_or_else(|| Node::new(Value::Null, Position::START));
        Ok((root, self.problems, self.doubts))
    }

    pub(super) fn scalar(
        &mut self,
        key: String,
        value: Value,
        at: Position,
        anchor: Option<usize>,
    ) -> Result<(), Abandoned> {
        self.check_characters(&key, at);
        self.count(1, at)?;
        self.complete(Finished { node: Node::new(value, at), key: Some(key), size: 1, height: 0 }, anchor)
    }

    pub(super) fn open_sequence(&mut self, at: Position, anchor: Option<usize>) -> Result<(), Abandoned> {
        self.open(Content::Sequence(Vec::new()), at, anchor)
    }

    pub(super) fn open_mapping(&mut self, at: Position, anchor: Option<usize>) -> Result<(), Abandoned> {
        self.open(Content::Mapping(Vec::new(), None), at, anchor)
    }

    fn open(&mut self, content: Content, at: Position, anchor: Option<usize>) -> Result<(), Abandoned> {
        if self.open.len() >= MAX_DEPTH {
            return Err(self.abandon(at, &format!("nested deeper than {MAX_DEPTH} levels"), FLATTEN));
        }
        if self.wants_key() {
            return Err(self.abandon(at, COMPLEX_KEY, "write \"key: value\""));
        }
        self.count(1, at)?;
        let nodes_before = self.nodes - 1;
        self.open.push(Open { at, content, anchor, nodes_before, height: 0 });
        Ok(())
    }

    pub(super) fn close(&mut self) -> Result<(), Abandoned> {
        let open = self.open.pop().expect("a grammar closes only what it opened");
        let value = match open.content {
            Content::Sequence(items) => Value::Sequence(items),
            Content::Mapping(entries, _) => Value::Mapping(self.check_duplicates(entries)),
        };
        let size = self.nodes - open.nodes_before;
        let node = Node::new(value, open.at);
        self.complete(Finished { node, key: None, size, height: open.height + 1 }, open.anchor)
    }

    pub(super) fn alias(&mut self, anchor: usize, at: Position) -> Result<(), Abandoned> {
        let Some(anchored) = self.anchors.get(&anchor) else {
            return Err(self.abandon(
                at,
                "the alias stands inside the value it refers to",
                "write the value out",
            ));
        };
        let (size, height, weight) = (anchored.size, anchored.height, anchored.weight);
        self.count_copied(weight, at)?;
        self.count(size, at)?;
        if self.open.len() + height > MAX_DEPTH {
            return Err(self.abandon(at, &format!("nested deeper than {MAX_DEPTH} levels"), FLATTEN));
        }
        let node = self.anchors[&anchor].node.clone();
        let key = node.scalar().map(str::to_owned);
        self.complete(Finished { node, key, size, height }, None)
    }

    fn complete(&mut self, finished: Finished, anchor: Option<usize>) -> Result<(), Abandoned> {
        let at = finished.node.position();
        if let Some(anchor) = anchor {
            let weight = copying_weight(&finished.node);
            self.count_copied(weight, at)?;
            let (node, size, height) = (finished.node.clone(), finished.size, finished.height);
            self.anchors.insert(anchor, Anchored { node, size, height, weight });
        }
        let Some(parent) = self.open.last_mut() else {
            self.root = Some(finished.node);
            return Ok(());
        };
        parent.height = parent.height.max(finished.height);
        match &mut parent.content {
            Content::Sequence(items) => items.push(finished.node),
            Content::Mapping(entries, pending) => match (pending.take(), finished.key) {
                (Some((key, place)), _) => {
                    let Position { line, column } = place;
                    entries.push(Entry { key, line, column, value: finished.node });
                }
                (None, Some(key)) => *pending = Some((key, at)),
                (None, None) => {
                    return Err(self.abandon(at, COMPLEX_KEY, "write \"key: value\""));
                }
            },
        }
        Ok(())
    }

    /// Where the innermost open list or mapping begins.
    pub(super) fn innermost(&self) -> Option<Position> {
        self.open.last().map(|open| open.at)
    }

    /// Whether the next scalar is a key.
    pub(super) fn wants_key(&self) -> bool {
        matches!(self.open.last(), Some(Open { content: Content::Mapping(_, None), .. }))
    }

    fn count(&mut self, added: usize, at: Position) -> Result<(), Abandoned> {
        self.nodes += added;
        if self.nodes <= MAX_NODES {
            return Ok(());
        }
        Err(self.abandon(at, &format!("the document has more than {MAX_NODES} values"), "split the file"))
    }

    fn count_copied(&mut self, added: usize, at: Position) -> Result<(), Abandoned> {
        self.copied += added;
        if self.copied <= MAX_COPIED_NODES {
            return Ok(());
        }
        let message = format!("anchors and aliases copy more than {MAX_COPIED_NODES} values");
        Err(self.abandon(at, &message, "write the values out, or generate the file"))
    }

    fn check_characters(&mut self, text: &str, at: Position) {
        let bad = |character: &char| {
            (character.is_control() && !matches!(character, '\n' | '\t')) || is_direction_override(*character)
        };
        if let Some(character) = text.chars().find(bad) {
            let message = format!("the text contains the control character U+{:04X}", character as u32);
            self.blemish(at, &message, "remove it");
            // What a key was meant to be is unknown, and with it the whole mapping.
            self.is_torn |= self.wants_key();
        }
    }

    /// The first of equal keys stays.
    fn check_duplicates(&mut self, mut entries: Vec<Entry>) -> Vec<Entry> {
        let mut first: BTreeMap<&str, u32> = BTreeMap::new();
        let mut repeated = Vec::new();
        for (index, entry) in entries.iter().enumerate() {
            match first.get(entry.key.as_str()) {
                Some(line) => repeated.push((index, *line)),
                None => drop(first.insert(&entry.key, entry.line)),
            }
        }
        for (index, line) in &repeated {
            let entry = &entries[*index];
            let message = format!("the key {} is already set in line {line}", shown(&entry.key));
            self.problem(entry.position(), &message, "keep one of the two");
            self.doubts.add(child(&self.path().to_string(), &entry.key));
        }
        let mut index = 0;
        entries.retain(|_| {
            index += 1;
            repeated.binary_search_by_key(&(index - 1), |(repeated, _)| *repeated).is_err()
        });
        entries
    }

    pub(super) fn abandon(&mut self, at: Position, message: &str, proposal: &str) -> Abandoned {
        self.torn(at, message, proposal);
        Abandoned
    }

    /// The structure of the file is not what its author meant.
    pub(super) fn torn(&mut self, at: Position, message: &str, proposal: &str) {
        self.problem(at, message, proposal);
        self.is_torn = true;
    }

    /// The value being read cannot be used; everything else can.
    pub(super) fn blemish(&mut self, at: Position, message: &str, proposal: &str) {
        self.problem(at, message, proposal);
        self.doubts.add(self.path().to_string());
    }

    fn problem(&mut self, at: Position, message: &str, proposal: &str) {
        if self.problems.is_full() {
            self.problems.count_one();
            return;
        }
        let path = self.path().to_string();
        self.problems.push(Problem {
            path,
            line: at.line,
            column: at.column,
            message: escape(message),
            proposal: proposal.to_owned(),
            excerpt: self.source.excerpt(at),
        });
    }

    fn path(&self) -> Path<'_> {
        Path(self.open.iter().filter_map(|open| open.content.step()).collect())
    }
}

/// What copying a value costs, in values of ordinary size.
fn copying_weight(node: &Node) -> usize {
    let below = match &node.value {
        Value::Null | Value::Bool(_) => 0,
        Value::Number(text) | Value::Text(text) => text.len() / TEXT_PER_COPIED_NODE,
        Value::Sequence(items) => items.iter().map(copying_weight).sum(),
        Value::Mapping(entries) => entries
            .iter()
            .map(|entry| entry.key.len() / TEXT_PER_COPIED_NODE + copying_weight(&entry.value))
            .sum(),
    };
    below + 1
}
