//! The record after it was taken away: lines that anybody can check without a desk and without its database.

use crate::api::wire::AuditEntry;
use crate::storage::JsonText;
use crate::storage::tables::journal::{Appended, Entry, follow_entry};

/// Follows a record line by line from its beginning, and notices the first that is not what it was.
#[derive(Clone, Copy, Debug)]
pub struct Chain {
    end: Appended,
}

impl Default for Chain {
    fn default() -> Self {
        Self { end: Appended::START }
    }
}

impl Chain {
    /// The last line that was followed.
    pub const fn end(&self) -> Appended {
        self.end
    }

    /// Takes the next line, or says what is wrong with it.
    pub fn follow(&mut self, line: &str) -> Result<Appended, String> {
        self.end = follow_entry(self.end, entry(line)?)?;
        Ok(self.end)
    }
}

/// The entry that a line of an export holds.
fn entry(line: &str) -> Result<Entry, String> {
    let read: AuditEntry =
        serde_json::from_str(line).map_err(|error| format!("it cannot be read: {error}"))?;
    let AuditEntry { seq, run, at, at_wall, kind, actor, subject, body, via, hash } = read;
    let hash = hash.parse().map_err(|_| "its hash is none".to_owned())?;
    let body = JsonText::from_stored(Box::<str>::from(body).into_string());
    Ok(Entry { seq, run, at_ms: at, wall_ms: at_wall, kind, actor, subject, body, via, hash })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::storage::tables::journal::{self, NewEntry};
    use crate::storage::tables::runs;
    use crate::testing::on_both;
    use serde::Serialize;

    /// Fields that are not in the order of the alphabet, and a number that has more than one spelling.
    #[derive(Serialize)]
    struct Body {
        zebra: f64,
        ant: &'static str,
    }

    fn new(number: i64) -> NewEntry {
        NewEntry {
            run: (number > 1).then(|| "run-1".to_owned()),
            at_ms: number,
            wall_ms: 1_000 + number,
            kind: "note".to_owned(),
            actor: "person:anna".to_owned(),
            subject: "größe\n".to_owned(),
            body: JsonText::of(&Body { zebra: 1e21, ant: "<\u{1b}>" }),
            via: (number == 2).then(|| "token:T-1c9f2b7a40de".to_owned()),
        }
    }

    fn broken(lines: &[String]) -> Option<(i64, String)> {
        let mut chain = Chain::default();
        let finding = lines.iter().find_map(|line| chain.follow(line).err());
        finding.map(|finding| (chain.end().seq + 1, finding))
    }

    #[test]
    fn an_export_is_checked_without_its_database() {
        on_both(|database| {
            let entries: Vec<NewEntry> = (1..=3).map(new).collect();
            database.write(|transaction| {
                runs::create(transaction, &runs::tests::run("run-1"))?;
                journal::append_all(transaction, &entries)
            })?;
            let kept = database.read(|connection| journal::after(connection, 0, 10))?;
            let line = |entry| serde_json::to_string(&AuditEntry::from(entry)).expect("plain data");
            check(&kept.into_iter().map(line).collect::<Vec<_>>());
            Ok(())
        });
    }

    fn check(lines: &[String]) {
        assert_eq!(broken(lines), None);
        let changed = |from: &str, to: &str| {
            assert!(lines[1].contains(from), "{from}: {}", lines[1]);
            broken(&[lines[0].clone(), lines[1].replace(from, to)])
        };
        let unfit = Some((2, "its content does not fit its hash".to_owned()));
        assert_eq!(changed("anna", "ben"), unfit);
        assert_eq!(changed("1e+21", "1e21"), unfit);
        assert_eq!(changed("\"run\":\"run-1\",", ""), unfit);
        assert_eq!(changed("1c9f2b7a40de", "1c9f2b7a40df"), unfit);
        assert_eq!(changed(",\"via\":\"token:T-1c9f2b7a40de\"", ""), unfit);
        let missing = Some((2, "it is missing".to_owned()));
        assert_eq!(broken(&[lines[0].clone(), lines[2].clone()]), missing);
        let torn = broken(&[lines[0].clone(), lines[1][..20].to_owned()]);
        assert!(torn.is_some_and(|(seq, finding)| seq == 2 && finding.starts_with("it cannot be read")));
    }
}
