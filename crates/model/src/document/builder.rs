//! Builds the tree from a stream of scalars, openings and closings, within stated limits.

use super::path::{Path, Step};
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
    open: Vec<Open>,
    nodes: usize,
    copied: usize,
    anchors: BTreeMap<usize, Anchored>,
    root: Option<Node>,
}

impl<'s> Builder<'s> {
    pub(super) fn new(source: &'s Source) -> Self {
        let problems = Problems::new(&source.name);
        Self { source, problems, open: Vec::new(), nodes: 0, copied: 0, anchors: BTreeMap::new(), root: None }
    }

    /// The tree; a document without any value is null.
    pub(super) fn finish(self) -> Result<Node, Problems> {
        let root = self.root.unwrap_or_else(|| Node::new(Value::Null, Position::START));
        self.problems.into_result(root)
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
            return Err(self.abandon(at, &format!("nested deeper than {MAX_DEPTH} levels"), None));
        }
        if self.wants_key() {
            return Err(self.abandon(at, "a key must be plain text, not a list or a mapping", None));
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
            Content::Mapping(entries, _) => {
                self.check_duplicates(&entries);
                Value::Mapping(entries)
            }
        };
        let size = self.nodes - open.nodes_before;
        let node = Node::new(value, open.at);
        self.complete(Finished { node, key: None, size, height: open.height + 1 }, open.anchor)
    }

    pub(super) fn alias(&mut self, anchor: usize, at: Position) -> Result<(), Abandoned> {
        let Some(anchored) = self.anchors.get(&anchor) else {
            return Err(self.abandon(at, "the alias stands inside the value it refers to", None));
        };
        let (size, height, weight) = (anchored.size, anchored.height, anchored.weight);
        self.count_copied(weight, at)?;
        self.count(size, at)?;
        if self.open.len() + height > MAX_DEPTH {
            return Err(self.abandon(at, &format!("nested deeper than {MAX_DEPTH} levels"), None));
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
                    return Err(self.abandon(at, "a key must be plain text, not a list or a mapping", None));
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
        Err(self.abandon(at, &format!("the document has more than {MAX_NODES} values"), None))
    }

    fn count_copied(&mut self, added: usize, at: Position) -> Result<(), Abandoned> {
        self.copied += added;
        if self.copied <= MAX_COPIED_NODES {
            return Ok(());
        }
        let message = format!("anchors and aliases copy more than {MAX_COPIED_NODES} values");
        Err(self.abandon(at, &message, Some("write the values out, or generate the file")))
    }

    fn check_characters(&mut self, text: &str, at: Position) {
        let bad = |character: &char| {
            (character.is_control() && !matches!(character, '\n' | '\t')) || is_direction_override(*character)
        };
        if let Some(character) = text.chars().find(bad) {
            let message = format!("the text contains the control character U+{:04X}", character as u32);
            self.problem(at, &message, Some("remove it"));
        }
    }

    fn check_duplicates(&mut self, entries: &[Entry]) {
        let mut first: BTreeMap<&str, Position> = BTreeMap::new();
        for entry in entries {
            if let Some(known) = first.get(entry.key.as_str()) {
                let message = format!("the key {} is already set in line {}", shown(&entry.key), known.line);
                self.problem(entry.position(), &message, Some("keep one of the two"));
            } else {
                first.insert(&entry.key, entry.position());
            }
        }
    }

    pub(super) fn abandon(&mut self, at: Position, message: &str, proposal: Option<&str>) -> Abandoned {
        self.problem(at, message, proposal);
        Abandoned
    }

    pub(super) fn problem(&mut self, at: Position, message: &str, proposal: Option<&str>) {
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
            proposal: proposal.map(str::to_owned),
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
