//! The secrets that may count, by their hashes: whoever brings another one is refused without asking the database, however often they come.
//!
//! It is read at most once for each edition of what says who is let in, and only when somebody comes whom no older one has. So what
//! strangers cost does not grow with how much they guess, and nobody who has a secret waits because of them.

use crate::storage::{Connection, Error};
use model::hash::ContentHash;
use std::collections::BTreeSet;
use std::sync::{Mutex, PoisonError};

/// Secrets that are remembered: some ten megabytes of them. Where there are more, each is looked up in the database.
const MOST: usize = 100_000;

/// All secrets that were ever given out and not taken back, as of one edition.
#[derive(Debug, Default)]
pub struct Roll(Mutex<Option<(u64, Names)>>);

/// What a secret lets somebody do. One that is brought to another door than its own does not count there, and still counts at its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Purpose {
    Token,
    Session,
    Code,
}

/// A secret, by its hash, and what it is brought for.
pub type Brought = (Purpose, ContentHash);

/// What the roll says.
#[derive(Debug)]
pub enum Names {
    All(BTreeSet<Brought>),
    /// More than are remembered, and that stays so until the desk is opened anew.
    TooMany,
}

impl Names {
    /// Everything that may let somebody in now.
    pub fn read(connection: &mut dyn Connection, wall_ms: i64) -> Result<Self, Error> {
        let mut brought = BTreeSet::new();
        for (purpose, rest) in [
            (
                Purpose::Token,
                "tokens WHERE revoked_wall_ms IS NULL AND (expires_wall_ms IS NULL OR expires_wall_ms > $1)",
            ),
            (Purpose::Session, "sessions WHERE expires_wall_ms > $1"),
            (Purpose::Code, "one_time_logins WHERE used_wall_ms IS NULL AND expires_wall_ms > $1"),
        ] {
            let sql = format!("SELECT secret_hash FROM {rest} LIMIT {}", MOST + 1);
            for row in connection.query(&sql, &[wall_ms.into()])? {
                brought.insert((purpose, row.get("secret_hash")?));
            }
        }
        Ok(if brought.len() > MOST { Self::TooMany } else { Self::All(brought) })
    }

    /// Whether it is worth asking the database.
    pub fn may_have(&self, brought: Brought) -> bool {
        match self {
            Self::All(known) => known.contains(&brought),
            Self::TooMany => true,
        }
    }
}

impl Roll {
    /// Whether a secret may count, as far as it is known without reading anew. Whoever an old roll has is looked up anyway, and whoever
    /// a newer one does not have was taken back since; of others an old one knows nothing.
    pub fn may_have(&self, edition: u64, brought: Brought) -> Option<bool> {
        let kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let (known, names) = kept.as_ref()?;
        let may = names.may_have(brought);
        (may || *known >= edition).then_some(may)
    }

    /// Remembers what was read after the edition was asked for.
    pub fn keep(&self, edition: u64, names: Names) {
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if kept.as_ref().is_none_or(|(known, _)| *known <= edition) {
            *kept = Some((edition, names));
        }
    }

    /// A secret that was looked up after the edition was asked for turned out not to count: it was taken back or used, or its time is
    /// over. Whoever goes on bringing it costs no more than a stranger. A newer roll knows better.
    pub fn strike(&self, edition: u64, brought: Brought) {
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((known, Names::All(names))) = kept.as_mut()
            && *known <= edition
        {
            names.remove(&brought);
        }
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
            let (token, code) = ((Purpose::Token, token.hash()), (Purpose::Code, code.hash()));
            let names = database.read(|connection| Names::read(connection, 9))?;
            assert!(names.may_have(token) && names.may_have(code));
            assert!(!names.may_have((Purpose::Session, code.1)), "it is brought to another door");
            assert!(!names.may_have((Purpose::Token, ContentHash::of_bytes(b"a guess"))));
            database.write(|transaction| revoke(transaction, &id, "test", 1))?;
            let names = database.read(|connection| Names::read(connection, 9))?;
            assert!(!names.may_have(token) && names.may_have(code));
            let names = database.read(|connection| Names::read(connection, 10))?;
            assert!(!names.may_have(code), "its time is over");
            Ok(())
        });
    }

    fn token(letter: u8) -> Brought {
        (Purpose::Token, ContentHash::of_bytes(&[letter]))
    }

    #[test]
    fn nobody_is_refused_by_an_older_edition() {
        let (roll, anna, ben) = (Roll::default(), token(1), token(2));
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

    #[test]
    fn what_was_looked_up_in_vain_is_not_looked_up_again() {
        let (roll, anna) = (Roll::default(), token(1));
        roll.keep(2, Names::All(BTreeSet::from([anna])));
        roll.strike(1, anna);
        assert_eq!(roll.may_have(2, anna), Some(true), "she was looked for before she came");
        roll.strike(2, (Purpose::Session, anna.1));
        assert_eq!(roll.may_have(2, anna), Some(true), "she was at the wrong door");
        roll.strike(2, anna);
        assert_eq!((roll.may_have(2, anna), roll.may_have(3, anna)), (Some(false), None));
    }
}
