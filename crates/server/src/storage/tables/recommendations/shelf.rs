//! The recommendations of one run in memory, so that lists cost no reading. It knows how far it has read, and asks only for what has
//! changed since.

use super::{Cursor, Direction, Filter, Item, Key, Page, Sort, cut, needle, page_length};
use crate::storage::port::connection::Connection;
use crate::storage::port::error::Error;
use crate::storage::port::record::Record;
use crate::storage::port::value::{Value, values};
use std::cmp::Ordering;
use std::collections::BTreeMap;

/// More recommendations of one run are not kept in memory: some 50 MB.
const MOST: usize = 50_000;

/// All recommendations of a run, as of its last change that was read.
#[derive(Debug)]
pub struct Shelf {
    run: String,
    /// The last change that was read.
    changed: i64,
    items: BTreeMap<i64, Shelved>,
    most: usize,
}

#[derive(Debug)]
struct Shelved {
    item: Item,
    /// Where texts are searched for, in small letters.
    haystack: String,
}

/// What has changed since a shelf was last read.
#[derive(Debug)]
pub struct Changes {
    items: Vec<Item>,
    changed: i64,
}

impl Shelf {
    pub fn new(run: &str) -> Self {
        // What an older desk wrote has the number 0.
        Self { run: run.to_owned(), changed: -1, items: BTreeMap::new(), most: MOST }
    }

    pub fn run(&self) -> &str {
        &self.run
    }

    /// Whether everything is here. If there is too much, the database has to be asked.
    pub fn is_whole(&self) -> bool {
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
        Ok(Changes { items: rows.iter().map(Item::from_row).collect::<Result<_, Error>>()?, changed })
    }

    /// Takes what has changed.
    pub fn take(&mut self, changes: Changes) {
        for item in changes.items {
            let haystack = haystack(&item);
            self.items.insert(item.id, Shelved { item, haystack });
        }
        self.changed = self.changed.max(changes.changed);
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
        let wanted = Wanted::new(filter);
        let fitting: Vec<&Item> =
            self.items.values().filter(|shelved| wanted.fits(shelved)).map(|shelved| &shelved.item).collect();
        let total = fitting.len() as i64;
        let mut rows: Vec<&Item> = match &after {
            Some(cursor) => fitting.into_iter().filter(|item| sort.is_behind(cursor, item)).collect(),
            None => fitting,
        };
        // One more than asked for tells whether there are more.
        sort_first(&mut rows, length + 1, sort);
        let more = cut(&mut rows, length);
        let rows: Vec<Item> = rows.into_iter().cloned().collect();
        let next = rows.last().filter(|_| more).map(|item| sort.cursor(item));
        Ok(Page { rows, total, next })
    }
}

/// Keeps the first `count` rows of an order, in order.
fn sort_first(rows: &mut Vec<&Item>, count: usize, sort: Sort) {
    if rows.len() > count {
        rows.select_nth_unstable_by(count, |one, other| sort.compare(one, other));
        rows.truncate(count);
    }
    rows.sort_unstable_by(|one, other| sort.compare(one, other));
}

/// Databases put it together in the same way.
fn haystack(item: &Item) -> String {
    let workload = item.workload.as_deref().unwrap_or_default();
    format!("{workload}\n{}\n{}", item.agent, item.reason).to_ascii_lowercase()
}

/// A filter, ready to be held against many items.
struct Wanted<'a> {
    filter: &'a Filter,
    workload: Option<String>,
    search: Option<String>,
}

impl<'a> Wanted<'a> {
    fn new(filter: &'a Filter) -> Self {
        let small = |text: &Option<String>| text.as_deref().map(needle);
        Self { filter, workload: small(&filter.workload_contains), search: small(&filter.search) }
    }

    /// Cheap questions first.
    fn fits(&self, Shelved { item, haystack }: &Shelved) -> bool {
        let filter = self.filter;
        let is = |wanted: &Option<String>, found: Option<&str>| {
            wanted.as_deref().is_none_or(|wanted| found == Some(wanted))
        };
        (filter.stages.is_empty() || filter.stages.contains(&item.stage))
            && filter.risk_at_least.is_none_or(|least| item.risk >= least)
            && filter.raised_from_ms.is_none_or(|from| item.raised_at_ms >= from)
            && filter.raised_until_ms.is_none_or(|until| item.raised_at_ms < until)
            && is(&filter.agent, Some(&item.agent))
            && is(&filter.kind, Some(&item.kind))
            && is(&filter.namespace, item.namespace.as_deref())
            && is(&filter.workload, item.workload.as_deref())
            && (is(&filter.cluster, item.from_cluster.as_deref())
                || is(&filter.cluster, item.to_cluster.as_deref()))
            && (filter.within.is_everything() || filter.within.covers(&item.into()))
            && self.fits_texts(item, haystack)
    }

    fn fits_texts(&self, item: &Item, haystack: &str) -> bool {
        let in_workload = |wanted: &String| {
            item.workload.as_deref().is_some_and(|workload| workload.to_ascii_lowercase().contains(wanted))
        };
        self.workload.as_ref().is_none_or(in_workload)
            && self.search.as_ref().is_none_or(|wanted| haystack.contains(wanted))
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

impl Key<'_> {
    /// As both databases compare: numbers by size, texts by their bytes. A key has one kind.
    fn compare(&self, other: &Key<'_>) -> Ordering {
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
