//! How often something has changed, so that whoever keeps what was read knows whether it still counts.

use std::sync::atomic::{AtomicU64, Ordering};

/// Something that is read far more often than it changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Topic {
    /// Who is let in.
    Access,
    /// What was recommended, and what became of it.
    Recommendations,
}

impl Topic {
    pub(super) const ALL: [Self; 2] = [Self::Access, Self::Recommendations];

    /// Whether a statement may change it: it names one of the tables. A statement too many costs a reading, one too few would be wrong.
    pub(super) fn is_changed_by(self, statement: &str) -> bool {
        let tables: &[&str] = match self {
            Self::Access => &["tokens", "sessions", "one_time_logins"],
            Self::Recommendations => &["recommendation"],
        };
        tables.iter().any(|table| statement.contains(table))
    }
}

/// One count for each topic. What was read after asking for the count is at least as new as that.
#[derive(Debug, Default)]
pub(super) struct Editions([AtomicU64; Topic::ALL.len()]);

impl Editions {
    pub(super) fn of(&self, topic: Topic) -> u64 {
        self.0[topic as usize].load(Ordering::Acquire)
    }

    pub(super) fn changed(&self, topics: &[Topic]) {
        for topic in topics {
            self.0[*topic as usize].fetch_add(1, Ordering::AcqRel);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::storage::Database;
    use crate::storage::tables::recommendations::tests::{fill, item};
    use crate::storage::tables::{recommendations, tokens};
    use crate::testing::on_both;

    #[test]
    fn an_edition_is_new_after_every_change_and_only_then() {
        on_both(|database| {
            fill(database, &[item(1)])?;
            let editions = |database: &Database| Topic::ALL.map(|topic| database.edition(topic));
            let [access, recommended] = editions(database);
            database.read(|connection| recommendations::get(connection, "a", 1))?;
            database.write(|transaction| recommendations::get(transaction, "a", 1))?;
            assert_eq!(editions(database), [access, recommended], "nothing was changed");
            database.write(|transaction| recommendations::put(transaction, &item(1)))?;
            assert_eq!(editions(database)[0], access);
            assert!(editions(database)[1] > recommended);
            database.write(|transaction| tokens::revoke(transaction, "nobody", 1))?;
            assert!(editions(database)[0] > access);
            Ok(())
        });
    }
}
