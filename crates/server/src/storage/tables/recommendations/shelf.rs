//! The recommendations of one run in memory, so that lists cost no reading. It knows how far it has read, and asks only for what has
//! changed since.

mod card;
mod haystack;
mod order;

use super::{Cursor, Direction, Filter, Item, Key, Page, Sort, SortKey, cut, needle, page_length};
use crate::storage::port::connection::Connection;
use crate::storage::port::error::Error;
use crate::storage::port::record::Record;
use crate::storage::port::value::values;
use card::{Card, Wanted, Words};
use haystack::Haystack;
use order::Order;
use std::cmp::Ordering;
use std::collections::BTreeMap;
use std::sync::OnceLock;

/// More recommendations of one run are not kept in memory: some 50 MB.
const MOST: usize = 50_000;

/// So many rows are sorted faster than found by going through all rows in order.
const FEW: usize = 200;

/// All recommendations of a run, as of its last change that was read.
#[derive(Debug)]
pub struct Shelf {
    run: String,
    /// The last change that was read.
    changed: i64,
    /// The place of each, by its number.
    places: BTreeMap<i64, usize>,
    items: Vec<Item>,
    /// Of the items, in the same order.
    cards: Vec<Card>,
    haystack: Haystack,
    words: Words,
    /// One for each key that somebody has sorted by.
    orders: [OnceLock<Order>; SortKey::ALL.len()],
    most: usize,
    few: usize,
}

/// What has changed since a shelf was last read.
#[derive(Debug)]
pub struct Changes {
    items: Vec<Item>,
    changed: i64,
}

impl Shelf {
    pub fn new(run: &str) -> Self {
        Self {
            run: run.to_owned(),
            // What an older desk wrote has the number 0.
            changed: -1,
            places: BTreeMap::new(),
            items: Vec::new(),
            cards: Vec::new(),
            haystack: Haystack::default(),
            words: Words::default(),
            orders: Default::default(),
            most: MOST,
            few: FEW,
        }
    }

    /// One that never sorts, however few fit.
    #[cfg(test)]
    pub(super) fn always_in_order(run: &str) -> Self {
        Self { few: 0, ..Self::new(run) }
    }

    pub fn run(&self) -> &str {
        &self.run
    }

    /// Whether everything is here. If there is too much, the database has to be asked.
    pub const fn is_whole(&self) -> bool {
        self.items.len() <= self.most
    }

    /// Reads what has changed. Nothing any more once there is too much.
    pub fn changes(&self, connection: &mut dyn Connection) -> Result<Changes, Error> {
        if !self.is_whole() {
            return Ok(Changes { items: Vec::new(), changed: self.changed });
        }
        let sql = format!(
            "SELECT {}, changed FROM recommendations WHERE run = $1 AND changed > $2 ORDER BY changed LIMIT {}",
            Item::COLUMNS.join(", "),
            self.most + 1
        );
        let rows = connection.query(&sql, values![self.run.as_str(), self.changed])?;
        let changed = rows.last().map_or(Ok(self.changed), |row| row.get("changed"))?;
        Ok(Changes { items: rows.into_iter().map(Item::from_row).collect::<Result<_, Error>>()?, changed })
    }

    /// Takes what has changed.
    pub fn take(&mut self, changes: Changes) {
        for item in changes.items {
            self.put(item);
        }
        self.changed = self.changed.max(changes.changed);
    }

    fn put(&mut self, item: Item) {
        let index = *self.places.entry(item.id).or_insert(self.items.len());
        for order in self.orders.iter_mut().filter_map(OnceLock::get_mut) {
            order.changed(index, self.items.get(index), &item);
        }
        self.haystack.put(index, &item);
        let card = Card::of(&item, &mut self.words);
        if index < self.items.len() {
            (self.cards[index], self.items[index]) = (card, item);
        } else {
            self.cards.push(card);
            self.items.push(item);
        }
    }

    /// The same as [`super::list`].
    pub fn page(
        &self,
        filter: &Filter,
        sort: Sort,
        after: Option<&str>,
        limit: u32,
    ) -> Result<Page<Item>, Error> {
        let (after, length) = (after.map(|text| sort.decode(text)).transpose()?, page_length(limit));
        let fitting = self.fitting(filter);
        let total = fitting.len() as i64;
        // One more than asked for tells whether there are more.
        let mut rows = if fitting.len() <= self.few {
            self.sorted(&fitting, sort, after.as_ref())
        } else {
            self.walked(&fitting, sort, after.as_ref(), length + 1)
        };
        let more = cut(&mut rows, length);
        let rows: Vec<Item> = rows.into_iter().cloned().collect();
        let next = rows.last().filter(|_| more).map(|item| sort.cursor(item));
        Ok(Page { rows, total, next })
    }

    /// The places of all that fit. Where something is searched for, only what has it is asked for the rest.
    fn fitting(&self, filter: &Filter) -> Vec<usize> {
        let wanted = Wanted::new(filter, &self.words);
        let fits = |index: &usize| wanted.fits(&self.cards[*index], &self.items[*index]);
        match filter.search.as_deref() {
            Some(text) => self.haystack.search(&needle(text)).into_iter().filter(fits).collect(),
            None => (0..self.items.len()).filter(fits).collect(),
        }
    }

    /// Those behind a cursor, in order.
    fn sorted(&self, fitting: &[usize], sort: Sort, after: Option<&Cursor>) -> Vec<&Item> {
        let items = fitting.iter().map(|index| &self.items[*index]);
        let behind = |item: &&Item| after.is_none_or(|cursor| sort.is_behind(cursor, item));
        let mut rows: Vec<&Item> = items.filter(behind).collect();
        rows.sort_unstable_by(|one, other| sort.compare(one, other));
        rows
    }

    /// The first ones behind a cursor, in order.
    fn walked(&self, fitting: &[usize], sort: Sort, after: Option<&Cursor>, count: usize) -> Vec<&Item> {
        let behind = self.order(sort.key).behind(after, sort.direction);
        behind
            .filter(|index| fitting.binary_search(index).is_ok())
            .take(count)
            .map(|index| &self.items[index])
            .collect()
    }

    fn order(&self, key: SortKey) -> &Order {
        self.orders[key as usize].get_or_init(|| Order::new(key, &self.items))
    }
}

impl Sort {
    fn compare(self, one: &Item, other: &Item) -> Ordering {
        let order = self.key.of(one).compare(&self.key.of(other)).then(one.id.cmp(&other.id));
        if self.direction == Direction::Ascending { order } else { order.reverse() }
    }

    /// Whether an item comes later than the place of a cursor.
    fn is_behind(self, cursor: &Cursor, item: &Item) -> bool {
        let order = self.key.of(item).compare(&Key::from(&cursor.value)).then(item.id.cmp(&cursor.id));
        let order = if self.direction == Direction::Ascending { order } else { order.reverse() };
        order == Ordering::Greater
    }
}

#[cfg(test)]
mod tests {
    use super::super::put;
    use super::super::tests::{fill, item};
    use super::*;
    use crate::testing::on_both;

    fn caught_up(shelf: &mut Shelf, connection: &mut dyn Connection) -> Result<usize, Error> {
        let changes = shelf.changes(connection)?;
        let count = changes.items.len();
        shelf.take(changes);
        Ok(count)
    }

    #[test]
    fn a_shelf_reads_everything_once_and_then_only_what_changed() {
        on_both(|database| {
            fill(database, &[item(1), item(2), item(3)])?;
            let mut shelf = Shelf::new("a");
            assert_eq!(database.read(|connection| caught_up(&mut shelf, connection))?, 3);
            assert_eq!(database.read(|connection| caught_up(&mut shelf, connection))?, 0);
            database.write(|transaction| put(transaction, &Item { kind: "scale".to_owned(), ..item(2) }))?;
            assert_eq!(database.read(|connection| caught_up(&mut shelf, connection))?, 1);
            let page = shelf.page(&Filter::default(), Sort::default(), None, 10)?;
            let scaled: Vec<i64> =
                page.rows.iter().filter(|item| item.kind == "scale").map(|item| item.id).collect();
            assert_eq!((scaled, page.total), (vec![2], 3));
            Ok(())
        });
    }

    #[test]
    fn with_too_much_to_keep_a_shelf_says_so_and_reads_no_more() {
        on_both(|database| {
            fill(database, &(1..=5).map(item).collect::<Vec<_>>())?;
            let mut shelf = Shelf { most: 3, ..Shelf::new("a") };
            assert_eq!(database.read(|connection| caught_up(&mut shelf, connection))?, 4);
            assert!(!shelf.is_whole());
            assert_eq!(database.read(|connection| caught_up(&mut shelf, connection))?, 0);
            Ok(())
        });
    }
}
