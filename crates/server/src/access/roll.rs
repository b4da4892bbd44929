//! The secrets that may count, by their hashes: whoever brings another one is refused without asking the database, however often they come.
//!
//! It is read at most once for each edition of what says who is let in, and only when somebody comes whom no older one has. So what
//! strangers cost does not grow with how much they guess, and nobody who has a secret waits because of them.

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
    /// More than are remembered, and that stays so until the desk is opened anew.
    TooMany,
}

impl Names {
    /// Everything that may let somebody in now.
    pub fn read(connection: &mut dyn Connection, wall_ms: i64) -> Result<Self, Error> {
        let sql = format!(
            "SELECT secret_hash FROM tokens \
                 WHERE revoked_wall_ms IS NULL AND (expires_wall_ms IS NULL OR expires_wall_ms > $1) \
             UNION ALL SELECT secret_hash FROM sessions WHERE expires_wall_ms > $1 \
             UNION ALL SELECT secret_hash FROM one_time_logins \
                 WHERE used_wall_ms IS NULL AND expires_wall_ms > $1 LIMIT {}",
            MOST + 1
        );
        let rows = connection.query(&sql, &[wall_ms.into()])?;
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
    /// Whether a secret may count, as far as it is known without reading anew. Whoever an old roll has is looked up anyway, and whoever
    /// a newer one does not have was taken back since; of others an old one knows nothing.
    pub fn may_have(&self, edition: u64, secret: ContentHash) -> Option<bool> {
        let kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let (known, names) = kept.as_ref()?;
        let may = names.may_have(secret);
        (may || *known >= edition).then_some(may)
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
            let names = database.read(|connection| Names::read(connection, 9))?;
            assert!(names.may_have(token.hash()) && names.may_have(code.hash()));
            assert!(!names.may_have(ContentHash::of_bytes(b"a guess")));
            database.write(|transaction| revoke(transaction, &id, "test", 1))?;
            let names = database.read(|connection| Names::read(connection, 9))?;
            assert!(!names.may_have(token.hash()) && names.may_have(code.hash()));
            let names = database.read(|connection| Names::read(connection, 10))?;
            assert!(!names.may_have(code.hash()), "its time is over");
            Ok(())
        });
    }

    #[test]
    fn nobody_is_refused_by_an_older_edition() {
        let (roll, anna, ben) =
            (Roll::default(), ContentHash::of_bytes(b"anna"), ContentHash::of_bytes(b"ben"));
        assert_eq!(roll.may_have(2, anna), None, "nobody has read one");
        roll.keep(2, Names::All(BTreeSet::from([anna])));
        assert_eq!(
            (roll.may_have(1, ben), roll.may_have(2, ben), roll.may_have(3, ben)),
            (Some(false), Some(false), None)
        );
        assert_eq!(roll.may_have(3, anna), Some(true), "she is looked up, and nothing is read for it");
        roll.keep(1, Names::All(BTreeSet::new()));
        assert_eq!(roll.may_have(2, anna), Some(true), "the older one came late");
        roll.keep(4, Names::TooMany);
        assert_eq!(roll.may_have(9, ben), Some(true));
    }
}
