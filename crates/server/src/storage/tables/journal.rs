//! The journal of the desk: what happened, in one line that only grows.
//!
//! Each entry carries a hash over itself and the entry before it, so that a changed, lost or swapped one is noticed. The database
//! refuses to change or remove entries; whoever gets around that is found by [`verify`].

use super::page::{Direction, Page, cut, page_length};
use crate::storage::port::conditions::Conditions;
use crate::storage::port::connection::{Connection, Transaction, at_most_one};
use crate::storage::port::error::Error;
use crate::storage::port::json::JsonText;
use crate::storage::port::record::{Record, insert, record, select};
use crate::storage::port::row::Row;
use crate::storage::port::value::{Value, values};
use model::hash::ContentHash;
use serde::Serialize;

/// Entries that are checked at a time: they are all in memory together.
const CHUNK: i64 = 200;

/// Something that happened, before it has a number.
#[derive(Clone, Debug, PartialEq)]
pub struct NewEntry {
    /// None for what concerns the desk itself, such as a new token.
    pub run: Option<String>,
    /// Virtual time of the run.
    pub at_ms: i64,
    pub wall_ms: i64,
    pub kind: String,
    /// Who did it.
    pub actor: String,
    /// What it was done to.
    pub subject: String,
    pub body: JsonText,
    /// What whoever did it showed: `token:T-1c9f2b7a40de`, `session:S-…`. Nothing in older entries, and where nobody had to show anything.
    pub via: Option<String>,
}

record! {
    /// Something that happened.
    pub struct Entry in "journal" {
        /// 1, 2, 3 and so on without gaps.
        pub seq: i64,
        pub run: Option<String>,
        pub at_ms: i64,
        pub wall_ms: i64,
        pub kind: String,
        pub actor: String,
        pub subject: String,
        pub body: JsonText,
        /// What whoever did it showed.
        pub via: Option<String>,
        /// Of this entry and all before it.
        pub hash: ContentHash,
    }
}

/// The end of the journal: the last number and the hash that vouches for everything up to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Appended {
    pub seq: i64,
    pub hash: ContentHash,
}

impl Appended {
    /// The end of an empty journal.
    pub const START: Self = Self { seq: 0, hash: ContentHash::ZERO };
}

/// What the hash of an entry is made of: all columns but the hash, in this order, as one line of JSON. What older entries do not have
/// is left out where there is nothing, so that their hashes stay what they are.
#[derive(Serialize)]
struct Line<'a> {
    seq: i64,
    run: Option<&'a str>,
    at_ms: i64,
    wall_ms: i64,
    kind: &'a str,
    actor: &'a str,
    subject: &'a str,
    body: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    via: Option<&'a str>,
}

impl Line<'_> {
    fn chained(&self, previous: ContentHash) -> ContentHash {
        previous.chain(&serde_json::to_vec(self).expect("a line is plain data"))
    }
}

/// Where the journal ends.
pub fn head(connection: &mut dyn Connection) -> Result<Appended, Error> {
    let rows = connection.query("SELECT seq, hash FROM journal ORDER BY seq DESC LIMIT 1", &[])?;
    let row = at_most_one(rows)?;
    row.map_or(Ok(Appended::START), |row| Ok(Appended { seq: row.get("seq")?, hash: row.get("hash")? }))
}

/// Adds an entry at the end.
pub fn append(transaction: &mut dyn Transaction, entry: &NewEntry) -> Result<Appended, Error> {
    append_all(transaction, std::slice::from_ref(entry))
}

/// Adds entries at the end, in their order, and returns the new end.
pub fn append_all(transaction: &mut dyn Transaction, entries: &[NewEntry]) -> Result<Appended, Error> {
    let mut end = head(transaction)?;
    for entry in entries {
        end = link(end, entry);
        insert(transaction, &entry.numbered(end))?;
    }
    Ok(end)
}

fn link(end: Appended, entry: &NewEntry) -> Appended {
    let seq = end.seq + 1;
    let line = Line {
        seq,
        run: entry.run.as_deref(),
        at_ms: entry.at_ms,
        wall_ms: entry.wall_ms,
        kind: &entry.kind,
        actor: &entry.actor,
        subject: &entry.subject,
        body: entry.body.as_str(),
        via: entry.via.as_deref(),
    };
    Appended { seq, hash: line.chained(end.hash) }
}

impl NewEntry {
    fn numbered(&self, end: Appended) -> Entry {
        let Self { run, at_ms, wall_ms, kind, actor, subject, body, via } = self.clone();
        Entry { seq: end.seq, run, at_ms, wall_ms, kind, actor, subject, body, via, hash: end.hash }
    }
}

/// Entries behind a number, oldest first: for whoever follows the journal.
pub fn after(connection: &mut dyn Connection, seq: i64, limit: u32) -> Result<Vec<Entry>, Error> {
    let length = page_length(limit) as i64;
    select(connection, "WHERE seq > $1 ORDER BY seq LIMIT $2", values![seq, length])
}

/// Entries of a run below a number that are of one of these kinds, newest first.
pub fn before(
    connection: &mut dyn Connection,
    run: &str,
    kinds: &[&str],
    seq: i64,
    limit: u32,
) -> Result<Vec<Entry>, Error> {
    let mut conditions = Conditions::default();
    conditions.all_of("run = ?", [Value::from(run)]);
    conditions.one_of("kind", kinds.iter().map(|kind| Value::from(*kind)));
    conditions.all_of("seq < ?", [Value::Integer(seq)]);
    let places = conditions.parameter(Value::Integer(page_length(limit) as i64));
    let rest = format!("{} ORDER BY seq DESC LIMIT {places}", conditions.clause());
    select(connection, &rest, conditions.values())
}

/// The last entry of a run at a moment of its own time or before.
pub fn last_until(connection: &mut dyn Connection, run: &str, at_ms: i64) -> Result<Option<i64>, Error> {
    let sql = "SELECT seq FROM journal WHERE run = $1 AND at_ms <= $2 ORDER BY seq DESC LIMIT 1";
    let row = at_most_one(connection.query(sql, values![run, at_ms])?)?;
    row.map(|row| row.get("seq")).transpose()
}

pub fn get(connection: &mut dyn Connection, seq: i64) -> Result<Option<Entry>, Error> {
    Ok(select(connection, "WHERE seq = $1", values![seq])?.pop())
}

/// Which entries to show. Everything that is given has to fit.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Filter {
    pub run: Option<String>,
    pub actor: Option<String>,
    /// Any of these; none means all kinds.
    pub kinds: Vec<String>,
    pub subject: Option<String>,
    pub wall_from_ms: Option<i64>,
    /// Entries of this moment are not shown any more.
    pub wall_until_ms: Option<i64>,
    pub at_from_ms: Option<i64>,
    /// Entries of this moment are not shown any more.
    pub at_until_ms: Option<i64>,
}

impl Filter {
    fn conditions(&self) -> Conditions {
        let mut conditions = Conditions::default();
        conditions.perhaps("run = ?", self.run.as_deref());
        conditions.perhaps("actor = ?", self.actor.as_deref());
        conditions.one_of("kind", self.kinds.iter().map(|kind| Value::from(kind.as_str())));
        conditions.perhaps("subject = ?", self.subject.as_deref());
        conditions.perhaps("wall_ms >= ?", self.wall_from_ms);
        conditions.perhaps("wall_ms < ?", self.wall_until_ms);
        conditions.perhaps("at_ms >= ?", self.at_from_ms);
        conditions.perhaps("at_ms < ?", self.at_until_ms);
        conditions
    }
}

/// A page of entries. `after` is the `next` of the page before.
pub fn list(
    connection: &mut dyn Connection,
    filter: &Filter,
    direction: Direction,
    after: Option<&str>,
    limit: u32,
) -> Result<Page<Entry>, Error> {
    let after =
        after.map(str::parse::<i64>).transpose().map_err(|_| Error::Cursor("it is not one of ours"))?;
    let mut conditions = filter.conditions();
    let total = count(connection, filter, &conditions)?;
    let length = page_length(limit);
    conditions.perhaps(&format!("seq {} ?", direction.comparison()), after);
    let places = conditions.parameter(Value::Integer(length as i64 + 1));
    let rest = format!("{} ORDER BY seq {} LIMIT {places}", conditions.clause(), direction.keyword());
    let mut rows: Vec<Entry> = select(connection, &rest, conditions.values())?;
    let more = cut(&mut rows, length);
    let next = rows.last().filter(|_| more).map(|entry| entry.seq.to_string());
    Ok(Page { rows, total, next })
}

fn count(connection: &mut dyn Connection, filter: &Filter, conditions: &Conditions) -> Result<i64, Error> {
    // Without gaps, the last number is how many there are; a long journal takes seconds to count.
    if *filter == Filter::default() {
        return Ok(head(connection)?.seq);
    }
    let sql = format!("SELECT COUNT(*) AS total FROM journal {}", conditions.clause());
    let row = at_most_one(connection.query(&sql, conditions.values())?)?;
    row.map_or(Ok(0), |row| row.get("total"))
}

/// What a check of the chain found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verification {
    Intact {
        entries: i64,
        end: Appended,
    },
    /// This entry is the first that is missing or not what it was.
    Broken {
        seq: i64,
        finding: String,
    },
}

/// Checks the chain from one entry to another, both included; `to` beyond the end means the end. `progress` is told the number of
/// each entry that a piece of the work ended with.
///
/// Entries cut off at the end cannot be noticed from the journal alone: compare the end with one that was noted elsewhere.
pub fn verify(
    connection: &mut dyn Connection,
    from: i64,
    to: i64,
    progress: &mut dyn FnMut(i64),
) -> Result<Verification, Error> {
    let from = from.max(1);
    let to = to.min(head(connection)?.seq);
    let mut end = match taken_up(connection, from)? {
        Ok(end) => end,
        Err(broken) => return Ok(broken),
    };
    while end.seq < to {
        let rest =
            format!("SELECT {} FROM journal WHERE seq > $1 ORDER BY seq LIMIT $2", Entry::COLUMNS.join(", "));
        let rows = connection.query(&rest, values![end.seq, CHUNK.min(to - end.seq)])?;
        if rows.is_empty() {
            return Ok(broken(end.seq + 1, "it is missing"));
        }
        for row in rows {
            match follow(end, row) {
                Ok(next) => end = next,
                Err(finding) => return Ok(broken(end.seq + 1, &finding)),
            }
        }
        progress(end.seq);
    }
    Ok(Verification::Intact { entries: (end.seq - from + 1).max(0), end })
}

/// Checks the whole chain, and that it is as long as the runs say.
pub fn verify_whole(connection: &mut dyn Connection) -> Result<Verification, Error> {
    let found = verify(connection, 1, i64::MAX, &mut |_| {})?;
    let reached = super::runs::furthest(connection)?;
    Ok(match found {
        Verification::Intact { end, .. } if end.seq < reached => broken(end.seq + 1, "it is missing"),
        found => found,
    })
}

/// The entry that the chain is taken up from.
fn taken_up(connection: &mut dyn Connection, from: i64) -> Result<Result<Appended, Verification>, Error> {
    if from == 1 {
        return Ok(Ok(Appended::START));
    }
    let rows = connection.query("SELECT hash FROM journal WHERE seq = $1", values![from - 1])?;
    let Some(row) = at_most_one(rows)? else { return Ok(Err(broken(from - 1, "it is missing"))) };
    Ok(row
        .get("hash")
        .map(|hash| Appended { seq: from - 1, hash })
        .map_err(|error| broken(from - 1, &error.to_string())))
}

fn broken(seq: i64, finding: &str) -> Verification {
    Verification::Broken { seq, finding: finding.to_owned() }
}

/// The end after a stored entry, or what is wrong with it.
fn follow(end: Appended, row: Row) -> Result<Appended, String> {
    follow_entry(end, Entry::from_row(row).map_err(|error| error.to_string())?)
}

/// The same for an entry that was read from anywhere.
pub(crate) fn follow_entry(end: Appended, entry: Entry) -> Result<Appended, String> {
    if entry.seq != end.seq + 1 {
        return Err("it is missing".to_owned());
    }
    let Entry { run, at_ms, wall_ms, kind, actor, subject, body, via, hash, .. } = entry;
    let next = link(end, &NewEntry { run, at_ms, wall_ms, kind, actor, subject, body, via });
    if next.hash == hash { Ok(next) } else { Err("its content does not fit its hash".to_owned()) }
}

#[cfg(test)]
pub(crate) mod tests;
