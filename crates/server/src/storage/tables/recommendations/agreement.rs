//! Random changes and questions: both databases, and the shelf in memory, answer like a map that is filtered and sorted by hand.

use super::tests::item;
use super::*;
use crate::storage::Database;
use crate::storage::tables::runs;
use crate::testing::on_both;
use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;
use proptest::sample::select;
use proptest::test_runner::{Config, TestCaseError, TestRunner};
use std::cell::Cell;
use std::cmp::Ordering;

/// Each case asks some hundred questions.
const CASES: u32 = 24;
/// Few names, so that filters find something and ties happen; some that databases like to sort in ways of their own.
const NAMES: [&str; 8] = ["web", "Web", "_web", "w%b", "äther", "zoo", "", "web-2"];

#[derive(Clone, Debug)]
enum Step {
    Put(Box<Item>),
    List(Box<Filter>, Sort, u32),
}

fn name() -> impl Strategy<Value = String> {
    select(&NAMES[..]).prop_map(str::to_owned)
}

fn stage() -> impl Strategy<Value = Stage> {
    select(&Stage::ALL[..4])
}

fn items() -> impl Strategy<Value = Item> {
    let texts =
        (name(), name(), option::of(name()), option::of(name()), option::of(name()), option::of(name()));
    let numbers = (0..30_i64, 0..4_i64, 0..6_i64, 0..6_i64, option::of(0..6_i64), option::of(-2.0..2.0_f64));
    (texts, numbers, stage(), name()).prop_map(|(texts, numbers, stage, reason)| {
        let (agent, kind, workload, namespace, from_cluster, to_cluster) = texts;
        let (id, risk, raised_at_ms, expires_at_ms, settled_at_ms, benefit) = numbers;
        let times =
            Item { stage, risk, raised_at_ms, expires_at_ms, settled_at_ms, benefit, reason, ..item(id) };
        Item { agent, kind, workload, namespace, from_cluster, to_cluster, ..times }
    })
}

fn filters() -> impl Strategy<Value = Filter> {
    let rarely = |strategy: BoxedStrategy<String>| option::weighted(0.15, strategy);
    let names = || rarely(name().boxed());
    let texts = (names(), names(), names(), names(), names(), names(), names());
    let numbers =
        (option::weighted(0.2, 0..4_i64), option::weighted(0.2, 0..6_i64), option::weighted(0.2, 0..6_i64));
    let within = (vec(name(), 0..3), vec(name(), 0..3));
    let within = within.prop_map(|(clusters, namespaces)| Within { clusters, namespaces });
    let within = option::weighted(0.15, within).prop_map(Option::unwrap_or_default);
    (vec(stage(), 0..3), texts, numbers, within).prop_map(|(stages, texts, numbers, within)| {
        let (agent, kind, namespace, cluster, workload, workload_contains, search) = texts;
        let (risk_at_least, raised_from_ms, raised_until_ms) = numbers;
        let ranges =
            Filter { stages, risk_at_least, raised_from_ms, raised_until_ms, within, ..Filter::default() };
        Filter { agent, kind, namespace, cluster, workload, workload_contains, search, ..ranges }
    })
}

fn sorts() -> impl Strategy<Value = Sort> {
    let direction = select(&[Direction::Ascending, Direction::Descending][..]);
    (select(&SortKey::ALL[..]), direction).prop_map(|(key, direction)| Sort { key, direction })
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let put = items().prop_map(|item| Step::Put(Box::new(item)));
    let list = (filters(), sorts(), 1..8_u32)
        .prop_map(|(filter, sort, limit)| Step::List(Box::new(filter), sort, limit));
    vec(prop_oneof![2 => put, 1 => list], 1..60)
}

fn fits(filter: &Filter, item: &Item) -> bool {
    let is = |wanted: &Option<String>, found: Option<&str>| {
        wanted.as_deref().is_none_or(|wanted| found == Some(wanted))
    };
    let lower = |text: &str| text.to_ascii_lowercase();
    let contains = |wanted: &Option<String>, found: &str| {
        wanted.as_deref().is_none_or(|wanted| lower(found).contains(&lower(wanted)))
    };
    let workload = item.workload.as_deref();
    let everywhere = format!("{}\n{}\n{}", workload.unwrap_or_default(), item.agent, item.reason);
    (filter.stages.is_empty() || filter.stages.contains(&item.stage))
        && is(&filter.agent, Some(&item.agent))
        && is(&filter.kind, Some(&item.kind))
        && is(&filter.namespace, item.namespace.as_deref())
        && is(&filter.workload, item.workload.as_deref())
        && (is(&filter.cluster, item.from_cluster.as_deref())
            || is(&filter.cluster, item.to_cluster.as_deref()))
        && (filter.workload_contains.is_none()
            || workload.is_some_and(|workload| contains(&filter.workload_contains, workload)))
        && filter.risk_at_least.is_none_or(|least| item.risk >= least)
        && filter.raised_from_ms.is_none_or(|from| item.raised_at_ms >= from)
        && filter.raised_until_ms.is_none_or(|until| item.raised_at_ms < until)
        && contains(&filter.search, &everywhere)
        && filter.within.covers(&item.into())
}

fn compare(sort: Sort, one: &Item, other: &Item) -> Ordering {
    let by_key = match (sort.key.of(one).into(), sort.key.of(other).into()) {
        (Value::Integer(one), Value::Integer(other)) => one.cmp(&other),
        (Value::Real(one), Value::Real(other)) => one.total_cmp(&other),
        (Value::Text(one), Value::Text(other)) => one.cmp(&other),
        odd => panic!("a key has one kind: {odd:?}"),
    };
    let order = by_key.then(one.id.cmp(&other.id));
    if sort.direction == Direction::Ascending { order } else { order.reverse() }
}

/// All pages of a list, put together.
fn walk(limit: u32, page: impl Fn(Option<&str>) -> Result<Page<Item>, Error>) -> Result<Vec<Item>, Error> {
    let mut rows = Vec::new();
    let mut next: Option<String> = None;
    loop {
        let page = page(next.as_deref())?;
        assert!(page.rows.len() <= limit as usize, "a page is no longer than asked for");
        rows.extend(page.rows);
        next = page.next;
        if next.is_none() {
            assert_eq!(page.total, rows.len() as i64, "the total is what all pages have");
            return Ok(rows);
        }
        assert!(rows.len() as i64 <= page.total, "pages go on behind the last row");
    }
}

/// Takes the steps in a run of their own, and holds every answer against the map's.
fn check(database: &Database, run: &str, steps: &[Step]) -> Result<(), Error> {
    let mut expected: BTreeMap<i64, Item> = BTreeMap::new();
    let mut shelves = [Shelf::new(run), Shelf::always_in_order(run)];
    database.write(|transaction| runs::create(transaction, &runs::tests::run(run)))?;
    for step in steps {
        match step {
            Step::Put(item) => {
                let item = Item { run: run.to_owned(), ..Item::clone(item) };
                let version = expected.get(&item.id).map_or(0, |former| former.version) + 1;
                assert_eq!(database.write(|transaction| put(transaction, &item))?, version);
                expected.insert(item.id, Item { version, ..item });
            }
            Step::List(filter, sort, limit) => {
                let mut rows: Vec<&Item> = expected.values().filter(|item| fits(filter, item)).collect();
                rows.sort_by(|one, other| compare(*sort, one, other));
                let in_database = |after: Option<&str>| {
                    database.read(|connection| list(connection, run, filter, *sort, after, *limit))
                };
                let mut found = vec![walk(*limit, in_database)?];
                for shelf in &mut shelves {
                    let changes = database.read(|connection| shelf.changes(connection))?;
                    shelf.take(changes);
                    found.push(walk(*limit, |after| shelf.page(filter, *sort, after, *limit))?);
                }
                for found in found {
                    let found: Vec<&Item> = found.iter().collect();
                    assert_eq!(found, rows, "{filter:?} by {sort:?}, {limit} at a time");
                }
            }
        }
    }
    Ok(())
}

#[test]
fn both_databases_answer_like_a_map_in_memory() {
    on_both(|database| {
        let number = Cell::new(0);
        let mut runner = TestRunner::new(Config { failure_persistence: None, ..Config::with_cases(CASES) });
        let outcome = runner.run(&steps(), |steps| {
            number.set(number.get() + 1);
            let run = format!("run {}", number.get());
            check(database, &run, &steps).map_err(|error| TestCaseError::fail(error.to_string()))
        });
        if let Err(problem) = outcome {
            panic!("{problem}");
        }
        Ok(())
    });
}

#[test]
fn rows_that_come_and_go_between_pages_neither_repeat_nor_hide_others() {
    on_both(|database| {
        let items: Vec<Item> = (1..=20).map(item).collect();
        tests::fill(database, &items)?;
        let pending = Filter { stages: vec![Stage::Pending], ..Filter::default() };
        let page = |after: Option<String>| {
            database.read(|connection| list(connection, "a", &pending, Sort::default(), after.as_deref(), 5))
        };
        let first = page(None)?;
        database.write(|transaction| {
            put(transaction, &item(21))?;
            put(transaction, &Item { stage: Stage::Rejected, ..item(18) })?;
            put(transaction, &Item { stage: Stage::Rejected, ..item(14) })
        })?;
        let second = page(first.next)?;
        let ids: Vec<i64> = second.rows.iter().map(|item| item.id).collect();
        assert_eq!(ids, [15, 13, 12, 11, 10]);
        assert_eq!(second.total, 19);
        Ok(())
    });
}
