//! Recommendations as they stand now, to be searched, sorted and paged by the server. Made from the journal, and can be again.

use super::page::{Cursor, Direction, Page, cut, page_length};
use crate::storage::port::conditions::Conditions;
use crate::storage::port::connection::{Connection, Dialect, Transaction, at_most_one};
use crate::storage::port::error::Error;
use crate::storage::port::json::JsonText;
use crate::storage::port::record::{self, Record, find, record};
use crate::storage::port::value::{Value, values};
use model::hash::ContentHash;
use model::review::Stage;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// What somebody types into a search box; more is cut off.
const LONGEST_SEARCH: usize = 200;

/// So many rows are sorted faster than found by going through all rows in order.
const FEW: usize = 500;

record! {
    /// One recommendation as lists show it.
    pub struct Item in "recommendations" {
        pub run: String,
        pub id: i64,
        /// 1 at first, one more with each change. [`put`] counts; what is given there has no meaning.
        pub version: i64,
        pub stage: Stage,
        pub agent: String,
        /// Of the action.
        pub kind: String,
        /// In words.
        pub action: String,
        pub workload: Option<String>,
        pub namespace: Option<String>,
        pub from_cluster: Option<String>,
        pub to_cluster: Option<String>,
        /// 0, none, to 3, high.
        pub risk: i64,
        pub raised_at_ms: i64,
        pub expires_at_ms: i64,
        pub settled_at_ms: Option<i64>,
        pub deferred_until_ms: Option<i64>,
        pub plan_hash: ContentHash,
        pub benefit: Option<f64>,
        /// The interval in which it should land.
        pub benefit_low: Option<f64>,
        pub benefit_high: Option<f64>,
        /// The agent's sentence for a person.
        pub reason: String,
        /// Who changed it last.
        pub changed_by: String,
        /// 1 if its effect was predicted, otherwise 0.
        pub predicted: i64,
    }
}

record! {
    /// What is known about a recommendation beyond what lists show.
    pub struct Documents in "recommendation_documents" {
        pub run: String,
        pub id: i64,
        /// The recommendation itself.
        pub body: JsonText,
        pub assessment: Option<JsonText>,
        pub prediction: Option<JsonText>,
        pub reviews: Option<JsonText>,
        pub outcome: Option<JsonText>,
    }
}

/// One recommendation and everything known about it.
#[derive(Clone, Debug, PartialEq)]
pub struct Whole {
    pub item: Item,
    pub documents: Documents,
}

/// Enters a recommendation or changes it, with its documents, and returns its new version.
pub fn put_whole(transaction: &mut dyn Transaction, whole: &Whole) -> Result<i64, Error> {
    let version = put(transaction, &whole.item)?;
    record::put(transaction, &whole.documents, &["run", "id"])?;
    Ok(version)
}

/// Enters what lists show of a recommendation or changes it, and returns its new version.
pub fn put(transaction: &mut dyn Transaction, item: &Item) -> Result<i64, Error> {
    let first = Item { version: 1, ..item.clone() };
    let row = at_most_one(transaction.query(&put_statement(), &first.values())?)?;
    row.map_or(Ok(1), |row| row.get("version"))
}

fn put_statement() -> String {
    let places: Vec<String> = (1..=Item::COLUMNS.len()).map(|number| format!("${number}")).collect();
    let place = |wanted: &str| {
        let found = Item::COLUMNS.iter().zip(&places).find(|(column, _)| **column == wanted);
        found.map_or("NULL", |(_, place)| place.as_str())
    };
    let (run, workload) = (place("run"), place("workload"));
    let (agent, reason) = (place("agent"), place("reason"));
    let changes = Item::COLUMNS.iter().filter(|column| !["run", "id", "version"].contains(column));
    let changes: Vec<String> = changes.map(|column| format!("{column} = excluded.{column}")).collect();
    format!(
        "INSERT INTO recommendations ({}, haystack, changed) \
         VALUES ({}, LOWER(COALESCE({workload}, '') || '\n' || {agent} || '\n' || {reason}), \
         (SELECT COALESCE(MAX(changed), 0) + 1 FROM recommendations WHERE run = {run})) \
         ON CONFLICT (run, id) DO UPDATE SET {}, haystack = excluded.haystack, changed = excluded.changed, \
         version = recommendations.version + 1 RETURNING version",
        Item::COLUMNS.join(", "),
        places.join(", "),
        changes.join(", ")
    )
}

/// Everything about one recommendation.
pub fn whole(connection: &mut dyn Connection, run: &str, id: i64) -> Result<Option<Whole>, Error> {
    let Some(item) = get(connection, run, id)? else { return Ok(None) };
    let documents = find(connection, "WHERE run = $1 AND id = $2", values![run, id])?;
    Ok(documents.map(|documents| Whole { item, documents }))
}

/// What lists show of one recommendation.
pub fn get(connection: &mut dyn Connection, run: &str, id: i64) -> Result<Option<Item>, Error> {
    find(connection, "WHERE run = $1 AND id = $2", values![run, id])
}

/// What a recommendation touches.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Place {
    pub namespace: Option<String>,
    pub from_cluster: Option<String>,
    pub to_cluster: Option<String>,
}

impl From<&Item> for Place {
    fn from(item: &Item) -> Self {
        Self {
            namespace: item.namespace.clone(),
            from_cluster: item.from_cluster.clone(),
            to_cluster: item.to_cluster.clone(),
        }
    }
}

/// What one recommendation touches, without everything else that is known about it.
pub fn place(connection: &mut dyn Connection, run: &str, id: i64) -> Result<Option<Place>, Error> {
    let sql = "SELECT namespace, from_cluster, to_cluster FROM recommendations WHERE run = $1 AND id = $2";
    let row = at_most_one(connection.query(sql, values![run, id])?)?;
    let read = |row: crate::storage::Row| {
        Ok(Place {
            namespace: row.get("namespace")?,
            from_cluster: row.get("from_cluster")?,
            to_cluster: row.get("to_cluster")?,
        })
    };
    row.map(read).transpose()
}

/// A part of the federation: recommendations are in it if they touch one of these clusters and are about one of these namespaces.
/// None of a kind means all of it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Within {
    pub clusters: Vec<String>,
    pub namespaces: Vec<String>,
}

impl Within {
    /// Whether nothing is left out.
    pub const fn is_everything(&self) -> bool {
        self.clusters.is_empty() && self.namespaces.is_empty()
    }

    /// The same as [`Self::add_to`] says in SQL.
    pub fn covers(&self, place: &Place) -> bool {
        let one =
            |names: &[String], name: &Option<String>| name.as_ref().is_some_and(|name| names.contains(name));
        let clusters = one(&self.clusters, &place.from_cluster) || one(&self.clusters, &place.to_cluster);
        (self.clusters.is_empty() || clusters)
            && (self.namespaces.is_empty() || one(&self.namespaces, &place.namespace))
    }

    pub(crate) fn add_to(&self, conditions: &mut Conditions) {
        let names =
            |names: &[String]| names.iter().map(|name| Value::from(name.as_str())).collect::<Vec<_>>();
        if !self.clusters.is_empty() {
            let places = vec!["?"; self.clusters.len()].join(", ");
            let clause = format!("(from_cluster IN ({places}) OR to_cluster IN ({places}))");
            conditions.all_of(&clause, [names(&self.clusters), names(&self.clusters)].concat());
        }
        conditions.one_of("namespace", names(&self.namespaces));
    }

    /// Those of a run.
    pub(crate) fn conditions(&self, run: &str) -> Conditions {
        let mut conditions = Conditions::default();
        conditions.all_of("run = ?", [Value::from(run)]);
        self.add_to(&mut conditions);
        conditions
    }
}

/// How many recommendations of a run stand at each stage. Stages without any are left out.
pub fn counts(
    connection: &mut dyn Connection,
    run: &str,
    within: &Within,
) -> Result<BTreeMap<Stage, i64>, Error> {
    let conditions = within.conditions(run);
    let sql = format!(
        "SELECT stage, COUNT(*) AS total FROM recommendations {} GROUP BY stage",
        conditions.clause()
    );
    connection
        .query(&sql, conditions.values())?
        .iter()
        .map(|row| Ok((row.get("stage")?, row.get("total")?)))
        .collect()
}

/// The same for each agent by itself.
pub fn counts_by_agent(
    connection: &mut dyn Connection,
    run: &str,
    within: &Within,
) -> Result<BTreeMap<String, BTreeMap<Stage, i64>>, Error> {
    let conditions = within.conditions(run);
    let sql = format!(
        "SELECT agent, stage, COUNT(*) AS total FROM recommendations {} GROUP BY agent, stage",
        conditions.clause()
    );
    let mut all: BTreeMap<String, BTreeMap<Stage, i64>> = BTreeMap::new();
    for row in connection.query(&sql, conditions.values())? {
        all.entry(row.get("agent")?).or_default().insert(row.get("stage")?, row.get("total")?);
    }
    Ok(all)
}

/// Which recommendations to show. Everything that is given has to fit.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Filter {
    /// Any of these; none means all stages.
    pub stages: Vec<Stage>,
    pub agent: Option<String>,
    pub kind: Option<String>,
    pub namespace: Option<String>,
    /// On either side of the action.
    pub cluster: Option<String>,
    pub workload: Option<String>,
    pub workload_contains: Option<String>,
    pub risk_at_least: Option<i64>,
    pub raised_from_ms: Option<i64>,
    /// Those raised at this moment are not shown any more.
    pub raised_until_ms: Option<i64>,
    /// A text in workload, agent or reason. Upper and lower case of plain letters are the same.
    pub search: Option<String>,
    /// The part of the federation that whoever asks sees.
    pub within: Within,
}

impl Filter {
    fn conditions(&self, run: &str) -> Conditions {
        let mut conditions = self.within.conditions(run);
        conditions.one_of("stage", self.stages.iter().map(|stage| Value::from(*stage)));
        conditions.perhaps("agent = ?", self.agent.as_deref());
        conditions.perhaps("kind = ?", self.kind.as_deref());
        conditions.perhaps("namespace = ?", self.namespace.as_deref());
        if let Some(cluster) = self.cluster.as_deref() {
            conditions.all_of("(from_cluster = ? OR to_cluster = ?)", [cluster.into(), cluster.into()]);
        }
        conditions.perhaps("workload = ?", self.workload.as_deref());
        conditions.contains("LOWER(workload)", self.workload_contains.as_deref().map(needle).as_deref());
        // With the plus SQLite does not take the index of risks, which would have it sort everything that is risky enough.
        conditions.perhaps("+risk >= ?", self.risk_at_least);
        conditions.perhaps("raised_at_ms >= ?", self.raised_from_ms);
        conditions.perhaps("raised_at_ms < ?", self.raised_until_ms);
        conditions.contains("haystack", self.search.as_deref().map(needle).as_deref());
        conditions
    }
}

fn needle(text: &str) -> String {
    text.chars().take(LONGEST_SEARCH).map(|character| character.to_ascii_lowercase()).collect()
}

/// What a list can be sorted by. Ties are broken by id, in the same direction.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SortKey {
    #[default]
    RaisedAt,
    ExpiresAt,
    /// What is not settled counts as settled last.
    SettledAt,
    /// Unknown counts as the smallest.
    Benefit,
    Risk,
    Id,
    Stage,
    Agent,
    Kind,
    Workload,
    Namespace,
    FromCluster,
    ToCluster,
}

impl SortKey {
    pub const ALL: [Self; 13] = [
        Self::RaisedAt,
        Self::ExpiresAt,
        Self::SettledAt,
        Self::Benefit,
        Self::Risk,
        Self::Id,
        Self::Stage,
        Self::Agent,
        Self::Kind,
        Self::Workload,
        Self::Namespace,
        Self::FromCluster,
        Self::ToCluster,
    ];

    /// What the database compares: never NULL, which the databases sort differently. Indexes have the same expressions.
    const fn expression(self) -> &'static str {
        match self {
            Self::RaisedAt => "raised_at_ms",
            Self::ExpiresAt => "expires_at_ms",
            Self::SettledAt => "COALESCE(settled_at_ms, 9223372036854775807)",
            Self::Benefit => "COALESCE(benefit, CAST(-1e308 AS DOUBLE PRECISION))",
            Self::Risk => "risk",
            Self::Id => "id",
            Self::Stage => "stage",
            Self::Agent => "agent",
            Self::Kind => "kind",
            Self::Workload => "COALESCE(workload, '')",
            Self::Namespace => "COALESCE(namespace, '')",
            Self::FromCluster => "COALESCE(from_cluster, '')",
            Self::ToCluster => "COALESCE(to_cluster, '')",
        }
    }

    /// The value of `expression` for an item.
    fn of(self, item: &Item) -> Key<'_> {
        match self {
            Self::RaisedAt => Key::Integer(item.raised_at_ms),
            Self::ExpiresAt => Key::Integer(item.expires_at_ms),
            Self::SettledAt => Key::Integer(item.settled_at_ms.unwrap_or(i64::MAX)),
            Self::Benefit => Key::Real(item.benefit.unwrap_or(-1e308)),
            Self::Risk => Key::Integer(item.risk),
            Self::Id => Key::Integer(item.id),
            Self::Stage => Key::Text(item.stage.as_str()),
            Self::Agent => Key::Text(&item.agent),
            Self::Kind => Key::Text(&item.kind),
            Self::Workload => Key::of(item.workload.as_ref()),
            Self::Namespace => Key::of(item.namespace.as_ref()),
            Self::FromCluster => Key::of(item.from_cluster.as_ref()),
            Self::ToCluster => Key::of(item.to_cluster.as_ref()),
        }
    }

    /// Whether a cursor's value is of the kind that `expression` has.
    const fn compares_with(self, value: &Value) -> bool {
        match self {
            Self::RaisedAt | Self::ExpiresAt | Self::SettledAt | Self::Risk | Self::Id => {
                matches!(value, Value::Integer(_))
            }
            Self::Benefit => matches!(value, Value::Real(_)),
            _ => matches!(value, Value::Text(_)),
        }
    }
}

/// What an item is sorted by.
enum Key<'a> {
    Integer(i64),
    Real(f64),
    Text(&'a str),
}

impl<'a> Key<'a> {
    fn of(text: Option<&'a String>) -> Self {
        Self::Text(text.map_or("", String::as_str))
    }
}

impl From<Key<'_>> for Value {
    fn from(key: Key<'_>) -> Self {
        match key {
            Key::Integer(integer) => Self::Integer(integer),
            Key::Real(real) => Self::Real(real),
            Key::Text(text) => Self::from(text),
        }
    }
}

/// The order of a list; the newest first unless somebody wants it otherwise.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Sort {
    pub key: SortKey,
    pub direction: Direction,
}

impl Sort {
    fn name(self) -> String {
        format!("{:?} {:?}", self.key, self.direction)
    }

    fn clause(self) -> String {
        let direction = self.direction.keyword();
        format!("ORDER BY {} {direction}, id {direction}", self.key.expression())
    }

    fn cursor(self, item: &Item) -> String {
        Cursor { order: self.name(), value: self.key.of(item).into(), id: item.id }.encode()
    }

    fn decode(self, text: &str) -> Result<Cursor, Error> {
        let cursor = Cursor::decode(text, &self.name())?;
        if self.key.compares_with(&cursor.value) {
            Ok(cursor)
        } else {
            Err(Error::Cursor("it is not one of ours"))
        }
    }
}

/// A page of a run's recommendations. `after` is the `next` of the page before.
pub fn list(
    connection: &mut dyn Connection,
    run: &str,
    filter: &Filter,
    sort: Sort,
    after: Option<&str>,
    limit: u32,
) -> Result<Page<Item>, Error> {
    let after = after.map(|text| sort.decode(text)).transpose()?;
    let (mut conditions, length) = (filter.conditions(run), page_length(limit));
    let few =
        if connection.dialect() == Dialect::Sqlite { few(connection, filter, &conditions)? } else { None };
    let total = few.as_ref().map_or_else(|| count(connection, &conditions), |few| Ok(few.len() as i64))?;
    if total == 0 {
        return Ok(Page { rows: Vec::new(), total, next: None });
    }
    go_on_behind(&mut conditions, sort, after);
    let sql = list_statement(connection.dialect(), few.as_deref(), &mut conditions, sort, length);
    let rows = connection.query(&sql, conditions.values())?;
    let mut rows: Vec<Item> = rows.into_iter().map(Item::from_row).collect::<Result<_, Error>>()?;
    let more = cut(&mut rows, length);
    let next = rows.last().filter(|_| more).map(|item| sort.cursor(item));
    Ok(Page { rows, total, next })
}

fn count(connection: &mut dyn Connection, conditions: &Conditions) -> Result<i64, Error> {
    let sql = format!("SELECT COUNT(*) AS total FROM recommendations {}", conditions.clause());
    let row = at_most_one(connection.query(&sql, conditions.values())?)?;
    row.map_or(Ok(0), |row| row.get("total"))
}

/// The numbers of all rows that fit, if they are few. SQLite does not know beforehand whether they are, so it is asked, in an index
/// that has them side by side.
fn few(
    connection: &mut dyn Connection,
    filter: &Filter,
    conditions: &Conditions,
) -> Result<Option<Vec<i64>>, Error> {
    let index = if filter.search.is_some() { "text" } else { "filters" };
    let (clause, limit) = (conditions.clause(), FEW + 1);
    let sql = format!(
        "SELECT id FROM recommendations INDEXED BY recommendations_by_{index} {clause} LIMIT {limit}"
    );
    let rows = connection.query(&sql, conditions.values())?;
    let numbers: Vec<i64> = rows.iter().map(|row| row.get("id")).collect::<Result<_, Error>>()?;
    Ok((numbers.len() <= FEW).then_some(numbers))
}

/// The rows of one page. Which ones is found out by number first, so that sorting moves numbers and not rows. Where few rows fit, their
/// numbers are known; where many do, going through the order meets enough of them soon.
fn list_statement(
    dialect: Dialect,
    few: Option<&[i64]>,
    conditions: &mut Conditions,
    sort: Sort,
    length: usize,
) -> String {
    // One more than asked for tells whether there are more.
    let limit = conditions.parameter(Value::Integer(length as i64 + 1));
    let (columns, order) = (Item::COLUMNS.join(", "), sort.clause());
    if let Some(few) = few {
        let list = conditions.parameter(Value::from(format!("{few:?}")));
        let (clause, numbers) =
            (conditions.clause(), format!("SELECT value AS number FROM json_each({list})"));
        return format!(
            "SELECT {columns} FROM ({numbers}) AS page CROSS JOIN recommendations {clause} AND id = number \
             {order} LIMIT {limit}"
        );
    }
    let numbers = numbers_statement(conditions, sort, &limit);
    // SQLite takes tables in the order in which a cross join names them; PostgreSQL knows by itself which one is small.
    let join = match dialect {
        Dialect::Sqlite => "CROSS JOIN recommendations WHERE",
        Dialect::Postgres => "JOIN recommendations ON",
    };
    format!("SELECT {columns} FROM ({numbers}) AS page {join} run = $1 AND id = number {order}")
}

/// Leaves out what was on the pages before.
fn go_on_behind(conditions: &mut Conditions, sort: Sort, after: Option<Cursor>) {
    if let Some(Cursor { value, id, .. }) = after {
        let (expression, comparison) = (sort.key.expression(), sort.direction.comparison());
        // The first half says nothing new, but it is the half for which databases use the index of an expression.
        let clause = format!("{expression} {comparison}= ? AND ({expression}, id) {comparison} (?, ?)");
        conditions.all_of(&clause, [value.clone(), value, Value::Integer(id)]);
    }
}

fn numbers_statement(conditions: &Conditions, sort: Sort, limit: &str) -> String {
    let (clause, order) = (conditions.clause(), sort.clause());
    format!("SELECT id AS number FROM recommendations {clause} {order} LIMIT {limit}")
}

mod shelf;

pub use shelf::Shelf;

#[cfg(test)]
mod agreement;
#[cfg(test)]
pub(crate) mod tests;
