//! Recommendations change, are searched, sorted and paged.

use super::*;
use crate::storage::Database;
use crate::storage::tables::runs;
use crate::testing::on_both;

pub(crate) fn item(id: i64) -> Item {
    Item {
        run: "a".to_owned(),
        id,
        version: 0,
        stage: Stage::Pending,
        agent: "planner".to_owned(),
        kind: "migrate".to_owned(),
        action: format!("migrate web-{id}"),
        workload: Some(format!("web-{id}")),
        namespace: Some("shop".to_owned()),
        from_cluster: Some("north".to_owned()),
        to_cluster: Some("south".to_owned()),
        risk: id % 4,
        raised_at_ms: 100 * id,
        expires_at_ms: 100 * id + 50,
        settled_at_ms: None,
        deferred_until_ms: None,
        plan_hash: ContentHash::of_bytes(&id.to_le_bytes()),
        benefit: Some(id as f64 / 3.0),
        benefit_low: Some(id as f64 / 4.0),
        benefit_high: Some(id as f64 / 2.0),
        reason: "The node pool is full.".to_owned(),
        changed_by: "planner".to_owned(),
        predicted: 1,
    }
}

pub(crate) fn whole(id: i64) -> Whole {
    let documents = Documents {
        run: "a".to_owned(),
        id,
        body: JsonText::of(&id),
        assessment: None,
        prediction: Some(JsonText::of(&[id])),
        reviews: None,
        outcome: None,
    };
    Whole { item: item(id), documents }
}

pub(crate) fn fill(database: &Database, items: &[Item]) -> Result<(), Error> {
    database.write(|transaction| {
        runs::create(transaction, &runs::tests::run("a"))?;
        items.iter().try_for_each(|item| put(transaction, item).map(drop))
    })
}

#[test]
fn each_change_has_a_new_version() {
    on_both(|database| {
        fill(database, &[item(1)])?;
        let settled =
            Item { stage: Stage::Rejected, settled_at_ms: Some(9), changed_by: "anna".into(), ..item(1) };
        assert_eq!(database.write(|transaction| put(transaction, &settled))?, 2);
        let found = database.read(|connection| get(connection, "a", 1))?.expect("it is there");
        assert_eq!(found, Item { version: 2, ..settled });
        assert_eq!(database.read(|connection| get(connection, "b", 1))?, None);
        assert_eq!(
            database.read(|connection| counts(connection, "a", &Within::default()))?,
            [(Stage::Rejected, 1)].into()
        );
        Ok(())
    });
}

#[test]
fn documents_are_kept_with_what_lists_show() {
    on_both(|database| {
        fill(database, &[])?;
        let mut recommendation = whole(1);
        database.write(|transaction| put_whole(transaction, &recommendation))?;
        recommendation.documents.outcome = Some(JsonText::of(&"applied"));
        recommendation.item.stage = Stage::Applied;
        assert_eq!(database.write(|transaction| put_whole(transaction, &recommendation))?, 2);
        recommendation.item.version = 2;
        assert_eq!(database.read(|connection| super::whole(connection, "a", 1))?, Some(recommendation));
        assert_eq!(database.read(|connection| super::whole(connection, "a", 2))?, None);
        Ok(())
    });
}

#[test]
fn a_risk_has_a_range() {
    on_both(|database| {
        let refused = fill(database, &[Item { risk: 4, ..item(1) }]);
        assert!(matches!(refused, Err(Error::Rule { .. })), "{refused:?}");
        Ok(())
    });
}

#[test]
fn filters_find_what_they_say() {
    let text = |text: &str| Some(text.to_owned());
    let items = [
        item(1),
        Item { stage: Stage::Approved, agent: "Guard".into(), kind: "hold".into(), ..item(2) },
        Item { namespace: text("bank"), workload: text("50%_off\\"), to_cluster: text("east"), ..item(3) },
        Item { from_cluster: text("east"), reason: "Überlast in EAST".into(), ..item(4) },
        Item { workload: None, namespace: None, stage: Stage::Rejected, ..item(5) },
    ];
    let none = Filter::default;
    on_both(|database| {
        fill(database, &items)?;
        for (filter, expected) in [
            (none(), vec![5, 4, 3, 2, 1]),
            (Filter { stages: vec![Stage::Pending], ..none() }, vec![4, 3, 1]),
            (Filter { stages: vec![Stage::Approved, Stage::Rejected], ..none() }, vec![5, 2]),
            (Filter { agent: text("Guard"), ..none() }, vec![2]),
            (Filter { kind: text("migrate"), ..none() }, vec![5, 4, 3, 1]),
            (Filter { namespace: text("bank"), ..none() }, vec![3]),
            (Filter { cluster: text("east"), ..none() }, vec![4, 3]),
            (Filter { workload: text("web-2"), ..none() }, vec![2]),
            (Filter { workload: text("web"), ..none() }, vec![]),
            (Filter { workload_contains: text("WEB"), ..none() }, vec![4, 2, 1]),
            (Filter { workload_contains: text("%"), ..none() }, vec![3]),
            (Filter { workload_contains: text("_off\\"), ..none() }, vec![3]),
            (Filter { risk_at_least: Some(2), ..none() }, vec![3, 2]),
            (Filter { raised_from_ms: Some(200), raised_until_ms: Some(400), ..none() }, vec![3, 2]),
            (Filter { search: text("guard"), ..none() }, vec![2]),
            (Filter { search: text("NODE POOL"), ..none() }, vec![5, 3, 2, 1]),
            (Filter { search: text("berlast in east"), ..none() }, vec![4]),
            (Filter { search: text("web-1\nplanner"), ..none() }, vec![1]),
            (Filter { search: text("' OR 1 = 1 --"), ..none() }, vec![]),
        ] {
            let page =
                database.read(|connection| list(connection, "a", &filter, Sort::default(), None, 10))?;
            let found: Vec<i64> = page.rows.iter().map(|item| item.id).collect();
            assert_eq!(found, expected, "{filter:?}");
            assert_eq!(page.total, expected.len() as i64);
        }
        Ok(())
    });
}

#[test]
fn a_part_of_the_federation_is_the_same_in_sql_and_here() {
    let names = |names: &[&str]| names.iter().map(|&name| name.to_owned()).collect::<Vec<_>>();
    let choices = [None, Some("a"), Some("b"), Some("c")];
    let mut items = Vec::new();
    for (from, to) in choices.iter().flat_map(|from| choices.iter().map(move |to| (*from, *to))) {
        for namespace in [None, Some("a"), Some("b")] {
            let own = |name: Option<&str>| name.map(str::to_owned);
            let (from_cluster, to_cluster, namespace) = (own(from), own(to), own(namespace));
            items.push(Item { namespace, from_cluster, to_cluster, ..item(items.len() as i64 + 1) });
        }
    }
    on_both(|database| {
        fill(database, &items)?;
        for clusters in [&[][..], &["a"], &["a", "b"], &["x"]] {
            for namespaces in [&[][..], &["a"], &["a", "b"], &["x"]] {
                let within = Within { clusters: names(clusters), namespaces: names(namespaces) };
                let expected: Vec<i64> =
                    items.iter().filter(|item| within.covers(&(*item).into())).map(|item| item.id).collect();
                let filter = Filter { within: within.clone(), ..Filter::default() };
                let sort = Sort { key: SortKey::Id, direction: Direction::Ascending };
                let page = database.read(|connection| list(connection, "a", &filter, sort, None, 100))?;
                let found: Vec<i64> = page.rows.iter().map(|item| item.id).collect();
                assert_eq!((found, page.total), (expected.clone(), expected.len() as i64), "{within:?}");
                let counted = database.read(|connection| counts(connection, "a", &within))?;
                assert_eq!(counted.values().sum::<i64>(), expected.len() as i64, "{within:?}");
                let place = database.read(|connection| place(connection, "a", 1))?;
                assert_eq!(place, Some((&items[0]).into()));
            }
        }
        Ok(())
    });
}

#[test]
fn a_foreign_cursor_is_refused() {
    on_both(|database| {
        fill(database, &[item(1), item(2)])?;
        let sort = Sort::default();
        let page = database.read(|connection| list(connection, "a", &Filter::default(), sort, None, 1))?;
        let next = page.next.expect("there are two");
        let other = Sort { key: SortKey::Risk, ..sort };
        let wrong_kind = Cursor { order: sort.name(), value: Value::from("x"), id: 1 }.encode();
        for (sort, cursor) in [(other, next), (sort, wrong_kind), (sort, "x".into())] {
            let refused =
                database.read(|connection| list(connection, "a", &Filter::default(), sort, Some(&cursor), 1));
            assert!(matches!(refused, Err(Error::Cursor(_))), "{refused:?}");
        }
        Ok(())
    });
}

#[test]
fn the_first_page_comes_from_an_index() {
    on_both(|database| {
        fill(database, &(1..=1_000).map(item).collect::<Vec<_>>())?;
        database.write(|transaction| transaction.execute("ANALYZE", &[]))?;
        for stages in [vec![], vec![Stage::Pending]] {
            let filter = Filter { stages, ..Filter::default() };
            let after = Sort::default().decode(&Sort::default().cursor(&item(500)))?;
            for after in [None, Some(after)] {
                let mut conditions = filter.conditions("a");
                go_on_behind(&mut conditions, Sort::default(), after);
                let limit = conditions.parameter(Value::Integer(51));
                let sql = numbers_statement(&conditions, Sort::default(), &limit);
                let plan = database
                    .read(|connection| crate::testing::plan(connection, &sql, conditions.values()))?;
                assert!(plan.contains("recommendations_by_"), "{plan}");
                assert!(!plan.contains("TEMP B-TREE") && !plan.contains("Sort"), "{plan}");
            }
        }
        Ok(())
    });
}
