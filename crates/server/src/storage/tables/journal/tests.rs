//! The journal grows, is read in pages, refuses changes, and tells when somebody got around that.

use super::*;
use crate::storage::Database;
use crate::storage::tables::runs;
use crate::testing::on_both;

pub(crate) fn entry(number: i64) -> NewEntry {
    NewEntry {
        run: (number % 2 == 0).then(|| "a".to_owned()),
        at_ms: 10 * number,
        wall_ms: 1_000 + number,
        kind: ["observed", "reviewed", "applied"][number as usize % 3].to_owned(),
        actor: ["anna", "bert"][number as usize % 2].to_owned(),
        subject: format!("R-{}", number % 5),
        body: JsonText::of(&number),
        via: None,
    }
}

/// A journal with so many entries.
fn fill(database: &Database, entries: i64) -> Result<Appended, Error> {
    let entries: Vec<NewEntry> = (1..=entries).map(entry).collect();
    database.write(|transaction| {
        runs::create(transaction, &runs::tests::run("a"))?;
        append_all(transaction, &entries)
    })
}

#[test]
fn entries_are_numbered_and_chained() {
    on_both(|database| {
        assert_eq!(database.read(head)?, Appended::START);
        let end = fill(database, 3)?;
        assert_eq!(end.seq, 3);
        assert_eq!(end.hash.short(), "f9ec6f5d", "the hash of an entry is a format that others may check");
        let more = database.write(|transaction| append(transaction, &entry(4)))?;
        assert_eq!(more.seq, 4);
        assert_eq!(database.read(head)?, more);
        let followed = database.read(|connection| after(connection, 2, 10))?;
        assert_eq!(followed.iter().map(|entry| entry.seq).collect::<Vec<_>>(), [3, 4]);
        assert_eq!(database.read(|connection| get(connection, 3))?.map(|entry| entry.hash), Some(end.hash));
        Ok(())
    });
}

#[test]
fn what_somebody_showed_is_vouched_for_and_older_entries_have_none() {
    on_both(|database| {
        let shown = |via: &str| NewEntry { via: Some(via.to_owned()), ..entry(4) };
        let end = fill(database, 3)?;
        assert_ne!(link(end, &shown("token:T-1")).hash, link(end, &entry(4)).hash);
        assert_ne!(link(end, &shown("token:T-1")).hash, link(end, &shown("token:T-2")).hash);
        database.write(|transaction| append(transaction, &shown("token:T-1")))?;
        database.check_record()?;
        let via = database.read(|connection| after(connection, 2, 10))?;
        let via: Vec<Option<&str>> = via.iter().map(|entry| entry.via.as_deref()).collect();
        assert_eq!(via, [None, Some("token:T-1")]);
        Ok(())
    });
}

#[test]
fn entries_cut_off_at_the_end_are_missed_by_their_run() {
    on_both(|database| {
        fill(database, 4)?;
        database.write(|transaction| runs::reach(transaction, "a", 4))?;
        database.check_record()?;
        database.write(|transaction| {
            crate::testing::without_triggers(transaction, "journal")?;
            transaction.execute("DELETE FROM journal WHERE seq = 4", &[])
        })?;
        let cut = database.check_record();
        assert!(matches!(cut, Err(Error::Changed { seq: 4, .. })), "{cut:?}");
        Ok(())
    });
}

/// All numbers that a filter shows, page by page.
fn shown(database: &Database, filter: &Filter, direction: Direction) -> Result<Vec<i64>, Error> {
    let mut numbers = Vec::new();
    let mut next = None;
    loop {
        let page = database.read(|connection| list(connection, filter, direction, next.as_deref(), 3))?;
        assert!(page.rows.len() <= 3);
        numbers.extend(page.rows.iter().map(|entry| entry.seq));
        next = page.next;
        if next.is_none() {
            assert_eq!(page.total, numbers.len() as i64);
            return Ok(numbers);
        }
    }
}

#[test]
fn filters_and_pages_show_each_entry_once() {
    on_both(|database| {
        fill(database, 20)?;
        let text = |text: &str| Some(text.to_owned());
        let none = Filter::default;
        for (filter, expected) in [
            (none(), (1..=20).collect::<Vec<_>>()),
            (Filter { run: text("a"), ..none() }, (1..=10).map(|half| 2 * half).collect()),
            (Filter { actor: text("bert"), subject: text("R-3"), ..none() }, vec![3, 13]),
            (Filter { kinds: vec!["applied".into()], ..none() }, vec![2, 5, 8, 11, 14, 17, 20]),
            (
                Filter {
                    kinds: vec!["applied".into(), "reviewed".into()],
                    wall_until_ms: Some(1_006),
                    ..none()
                },
                vec![1, 2, 4, 5],
            ),
            (Filter { at_from_ms: Some(190), wall_from_ms: Some(1_020), ..none() }, vec![20]),
            (Filter { at_until_ms: Some(30), ..none() }, vec![1, 2]),
            (Filter { actor: text("nobody"), ..none() }, vec![]),
        ] {
            assert_eq!(shown(database, &filter, Direction::Ascending)?, expected, "{filter:?}");
            let backwards: Vec<i64> = expected.into_iter().rev().collect();
            assert_eq!(shown(database, &filter, Direction::Descending)?, backwards, "{filter:?}");
        }
        let odd = database.read(|connection| list(connection, &none(), Direction::Ascending, Some("x"), 3));
        assert!(matches!(odd, Err(Error::Cursor(_))), "{odd:?}");
        Ok(())
    });
}

#[test]
fn the_database_refuses_every_change() {
    on_both(|database| {
        fill(database, 5)?;
        let seventh = "INSERT INTO journal SELECT 7, run, at_ms, wall_ms, kind, actor, subject, body, hash, via FROM journal WHERE seq = 5";
        for sql in [
            "UPDATE journal SET actor = 'nobody' WHERE seq = 2",
            "DELETE FROM journal WHERE seq = 5",
            seventh,
        ] {
            let refused = database.write(|transaction| transaction.execute(sql, &[]));
            assert!(matches!(refused, Err(Error::Rule { .. })), "{sql}: {refused:?}");
        }
        assert!(matches!(database.read(whole)?, Verification::Intact { entries: 5, .. }));
        Ok(())
    });
}

fn whole(connection: &mut dyn Connection) -> Result<Verification, Error> {
    verify(connection, 1, i64::MAX, &mut |_| {})
}

/// Does what somebody with the rights of an owner could do, and says what is found.
fn tampered(database: &Database, sql: &str) -> Result<Verification, Error> {
    database.write(|transaction| {
        crate::testing::without_triggers(transaction, "journal")?;
        transaction.execute(sql, &[])
    })?;
    database.read(whole)
}

#[test]
fn the_first_broken_entry_is_named() {
    for (sql, seq, finding) in [
        ("UPDATE journal SET actor = 'nobody' WHERE seq = 250", 250, "content"),
        ("UPDATE journal SET run = NULL WHERE seq = 250", 250, "content"),
        ("DELETE FROM journal WHERE seq IN (7, 300)", 7, "missing"),
        ("UPDATE journal SET hash = 'none' WHERE seq = 3", 3, "hash"),
    ] {
        on_both(|database| {
            fill(database, 450)?;
            let found = tampered(database, sql)?;
            let Verification::Broken { seq: found_seq, finding: why } = found else {
                panic!("{sql} was not found")
            };
            assert_eq!(found_seq, seq, "{sql}");
            assert!(why.contains(finding), "{sql}: {why}");
            Ok(())
        });
    }
}

#[test]
fn a_part_is_verified_in_pieces() {
    on_both(|database| {
        let end = fill(database, 450)?;
        let mut steps = Vec::new();
        let found = database.read(|connection| {
            steps.clear();
            verify(connection, 30, i64::MAX, &mut |seq| steps.push(seq))
        })?;
        assert_eq!(found, Verification::Intact { entries: 421, end });
        assert_eq!(steps, [229, 429, 450]);
        let nothing = database.read(|connection| verify(connection, 600, 700, &mut |_| {}))?;
        assert!(matches!(nothing, Verification::Broken { seq: 599, .. }), "{nothing:?}");
        Ok(())
    });
}
