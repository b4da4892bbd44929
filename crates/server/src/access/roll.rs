//! The secrets that may count, by their hashes: whoever brings another one is refused without asking the database, however often they come.
//!
//! It is read once for each edition of what says who is let in, so what strangers cost does not grow with how much they guess, and
//! nobody who has a secret waits because of them.

use crate::storage::{Connection, Error};
use model::hash::ContentHash;
use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, PoisonError};

/// Secrets that are remembered: some ten megabytes of them. Where there are more, each is looked up in the database.
const MOST: usize = 100_000;

/// All secrets that were ever given out and not taken back, as of one edition.
#[derive(Debug, Default)]
pub struct Roll(Mutex<Option<(u64, Arc<Names>)>>);

/// What the roll says.
#[derive(Debug)]
pub enum Names {
    All(BTreeSet<ContentHash>),
    /// More than are remembered.
    TooMany,
}

impl Names {
    /// Everything that may let somebody in now or could have before it expired.
    pub fn read(connection: &mut dyn Connection) -> Result<Self, Error> {
        let sql = format!(
            "SELECT secret_hash FROM tokens WHERE revoked_wall_ms IS NULL UNION ALL SELECT secret_hash FROM sessions \
             UNION ALL SELECT secret_hash FROM one_time_logins WHERE used_wall_ms IS NULL LIMIT {}",
            MOST + 1
        );
        let rows = connection.query(&sql, &[])?;
        if rows.len() > MOST {
            return Ok(Self::TooMany);
        }
        let hashes = rows.iter().map(|row| row.get("secret_hash"));
        hashes.collect::<Result<_, _>>().map(Self::All)
    }

    /// Whether it is worth asking the database.
    pub fn may_have(&self, secret: ContentHash) -> bool {
        match self {
            Self::All(hashes) => hashes.contains(&secret),
            Self::TooMany => true,
        }
    }
}

impl Roll {
    /// The roll of this edition, if somebody has read it.
    pub fn find(&self, edition: u64) -> Option<Arc<Names>> {
        let kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        kept.as_ref().filter(|(known, _)| *known == edition).map(|(_, names)| Arc::clone(names))
    }

    /// Remembers what was read after the edition was asked for.
    pub fn keep(&self, edition: u64, names: Names) -> Arc<Names> {
        let names = Arc::new(names);
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if kept.as_ref().is_none_or(|(known, _)| *known <= edition) {
            *kept = Some((edition, Arc::clone(&names)));
        }
        names
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::access::{NewToken, Role, issue, one_time, revoke};
    use crate::testing::on_both;
    use control::agent::Scope;
    use model::names::ReviewerName;

    #[test]
    fn it_has_what_was_given_out_and_not_taken_back() {
        on_both(|database| {
            let new = NewToken {
                name: ReviewerName::new("ben").expect("a name"),
                role: Role::Viewer,
                scope: Scope::default(),
                created_by: "test".to_owned(),
                created_wall_ms: 0,
                expires_wall_ms: None,
            };
            let (id, token) = database.write(|transaction| issue(transaction, &new))?;
            let code = database.write(|transaction| one_time(transaction, Role::Viewer, None, 0, 10))?;
            let names = database.read(|connection| Names::read(connection))?;
            assert!(names.may_have(token.hash()) && names.may_have(code.hash()));
            assert!(!names.may_have(ContentHash::of_bytes(b"a guess")));
            database.write(|transaction| revoke(transaction, &id, "test", 1))?;
            let names = database.read(|connection| Names::read(connection))?;
            assert!(!names.may_have(token.hash()) && names.may_have(code.hash()));
            Ok(())
        });
    }

    #[test]
    fn nothing_counts_beyond_its_edition() {
        let roll = Roll::default();
        roll.keep(2, Names::TooMany);
        assert!(roll.find(2).is_some() && roll.find(3).is_none());
        roll.keep(1, Names::All(BTreeSet::new()));
        assert!(
            roll.find(2).is_some_and(|names| names.may_have(ContentHash::ZERO)),
            "the older one came late"
        );
    }
}
