//! Makes a tree readable whose values were refused: the refused ones give way to stand-ins.

use super::path::OwnedStep;
use super::tree::{Entry, Node, Value};

/// One change to a tree, and where.
#[derive(Debug)]
pub(super) struct Mend {
    pub(super) path: Vec<OwnedStep>,
    pub(super) change: Change,
}

#[derive(Debug)]
pub(super) enum Change {
    /// The value itself becomes another.
    Replace(Node),
    /// A mapping gets a key that it lacks.
    Add(String, Node),
    /// A mapping loses a key that nobody knows.
    Remove(String),
    /// A mapping's misspelt key becomes the one that was meant.
    Rename(String, String),
}

/// Carries changes out in their order; one whose place an earlier one took away has become unnecessary.
pub(super) fn mend(root: &mut Node, mends: Vec<Mend>) {
    for Mend { path, change } in mends {
        if let Some(node) = path.iter().try_fold(&mut *root, below) {
            carry_out(node, change);
        }
    }
}

fn below<'n>(node: &'n mut Node, step: &OwnedStep) -> Option<&'n mut Node> {
    match (&mut node.value, step) {
        (Value::Mapping(entries), OwnedStep::Key(key)) => {
            entries.iter_mut().find(|entry| entry.key == *key).map(|entry| &mut entry.value)
        }
        (Value::Sequence(items), OwnedStep::Index(index)) => items.get_mut(*index),
        _ => None,
    }
}

fn carry_out(node: &mut Node, change: Change) {
    let (line, column) = (node.line, node.column);
    let Value::Mapping(entries) = &mut node.value else {
        if let Change::Replace(other) = change {
            *node = other;
        }
        return;
    };
    match change {
        Change::Replace(other) => *node = other,
        Change::Add(key, value) => entries.push(Entry { key, line, column, value }),
        Change::Remove(key) => entries.retain(|entry| entry.key != key),
        Change::Rename(from, to) => {
            if let Some(entry) = entries.iter_mut().find(|entry| entry.key == from) {
                entry.key = to;
            }
        }
    }
}
