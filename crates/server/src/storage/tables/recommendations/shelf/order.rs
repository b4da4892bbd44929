//! All recommendations of a shelf in one order, kept as they change: a page of a long list is a few steps in it.

use super::super::{Cursor, Direction, Item, Key, SortKey};
use crate::storage::port::value::Value;
use std::cmp::Ordering;
use std::collections::BTreeMap;
use std::ops::Bound;

/// Where something stands in an order: by its key, and by its number where keys are the same.
type Place = (OwnKey, i64);

/// What an order is by, kept.
#[derive(Clone, Debug)]
pub(super) enum OwnKey {
    Integer(i64),
    Real(f64),
    Text(Box<str>),
}

/// Places on the shelf, by where they stand in an order.
#[derive(Debug)]
pub(super) struct Order {
    key: SortKey,
    places: BTreeMap<Place, usize>,
}

impl Order {
    pub(super) fn new(key: SortKey, items: &[Item]) -> Self {
        let places = items.iter().enumerate().map(|(index, item)| (place(key, item), index)).collect();
        Self { key, places }
    }

    /// Something at a place of the shelf is there for the first time, or was something else before.
    pub(super) fn changed(&mut self, index: usize, before: Option<&Item>, now: &Item) {
        if let Some(before) = before {
            self.places.remove(&place(self.key, before));
        }
        self.places.insert(place(self.key, now), index);
    }

    /// Places on the shelf behind a cursor, one after the other.
    pub(super) fn behind(
        &self,
        cursor: Option<&Cursor>,
        direction: Direction,
    ) -> Box<dyn Iterator<Item = usize> + '_> {
        let here = cursor.map(|cursor| (OwnKey::from(Key::from(&cursor.value)), cursor.id));
        let here = here.map_or(Bound::Unbounded, Bound::Excluded);
        match direction {
            Direction::Ascending => {
                Box::new(self.places.range((here, Bound::Unbounded)).map(|(_, index)| *index))
            }
            Direction::Descending => {
                Box::new(self.places.range((Bound::Unbounded, here)).rev().map(|(_, index)| *index))
            }
        }
    }
}

fn place(key: SortKey, item: &Item) -> Place {
    (key.of(item).into(), item.id)
}

impl Key<'_> {
    /// As both databases compare: numbers by size, texts by their bytes. A key has one kind.
    pub(super) fn compare(&self, other: &Key<'_>) -> Ordering {
        match (self, other) {
            (Key::Integer(one), Key::Integer(other)) => one.cmp(other),
            (Key::Real(one), Key::Real(other)) => one.total_cmp(other),
            (Key::Text(one), Key::Text(other)) => one.cmp(other),
            _ => Ordering::Equal,
        }
    }
}

impl<'a> From<&'a Value> for Key<'a> {
    fn from(value: &'a Value) -> Self {
        match value {
            Value::Null => Self::Text(""),
            Value::Integer(integer) => Self::Integer(*integer),
            Value::Real(real) => Self::Real(*real),
            Value::Text(text) => Self::Text(text),
        }
    }
}

impl From<Key<'_>> for OwnKey {
    fn from(key: Key<'_>) -> Self {
        match key {
            Key::Integer(integer) => Self::Integer(integer),
            Key::Real(real) => Self::Real(real),
            Key::Text(text) => Self::Text(text.into()),
        }
    }
}

impl OwnKey {
    fn lent(&self) -> Key<'_> {
        match self {
            Self::Integer(integer) => Key::Integer(*integer),
            Self::Real(real) => Key::Real(*real),
            Self::Text(text) => Key::Text(text),
        }
    }
}

impl Ord for OwnKey {
    fn cmp(&self, other: &Self) -> Ordering {
        self.lent().compare(&other.lent())
    }
}

impl PartialOrd for OwnKey {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for OwnKey {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for OwnKey {}
