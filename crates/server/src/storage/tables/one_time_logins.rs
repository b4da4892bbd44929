//! Links that log somebody in once.

use crate::storage::port::connection::{Connection, Transaction, at_most_one};
use crate::storage::port::error::Error;
use crate::storage::port::record::{Record, find, insert, record};
use crate::storage::port::value::values;
use model::hash::ContentHash;

record! {
    /// A secret that counts once.
    pub struct OneTimeLogin in "one_time_logins" {
        pub secret_hash: ContentHash,
        /// Who is logged in with it.
        pub subject: String,
        pub role: String,
        pub expires_wall_ms: i64,
        pub used_wall_ms: Option<i64>,
    }
}

pub fn create(transaction: &mut dyn Transaction, login: &OneTimeLogin) -> Result<(), Error> {
    insert(transaction, login)
}

/// A secret that counts, without using it up.
pub fn valid(
    connection: &mut dyn Connection,
    secret_hash: ContentHash,
    wall_ms: i64,
) -> Result<Option<OneTimeLogin>, Error> {
    let rest = "WHERE secret_hash = $1 AND used_wall_ms IS NULL AND expires_wall_ms > $2";
    find(connection, rest, values![secret_hash, wall_ms])
}

/// Uses a secret up. None when it does not exist, is over or was used before; nobody can use it a second time.
pub fn consume(
    transaction: &mut dyn Transaction,
    secret_hash: ContentHash,
    wall_ms: i64,
) -> Result<Option<OneTimeLogin>, Error> {
    let sql = format!(
        "UPDATE one_time_logins SET used_wall_ms = $2 \
         WHERE secret_hash = $1 AND used_wall_ms IS NULL AND expires_wall_ms > $2 RETURNING {}",
        OneTimeLogin::COLUMNS.join(", ")
    );
    let row = at_most_one(transaction.query(&sql, values![secret_hash, wall_ms])?)?;
    row.map(OneTimeLogin::from_row).transpose()
}

/// Forgets what is over, and says how many that were.
pub fn delete_expired(transaction: &mut dyn Transaction, wall_ms: i64) -> Result<u64, Error> {
    transaction.execute("DELETE FROM one_time_logins WHERE expires_wall_ms <= $1", values![wall_ms])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::on_both;

    #[test]
    fn a_secret_counts_once_and_in_time() {
        on_both(|database| {
            let login = |name: &str| OneTimeLogin {
                secret_hash: ContentHash::of_bytes(name.as_bytes()),
                subject: "anna".into(),
                role: "administrator".into(),
                expires_wall_ms: 50,
                used_wall_ms: None,
            };
            database.write(|transaction| {
                create(transaction, &login("a"))?;
                create(transaction, &login("b"))
            })?;
            let take = |name: &str, at| {
                let secret = ContentHash::of_bytes(name.as_bytes());
                database.write(|transaction| consume(transaction, secret, at))
            };
            let counts = |name: &str, at| {
                let secret = ContentHash::of_bytes(name.as_bytes());
                database.read(|connection| valid(connection, secret, at)).map(|found| found.is_some())
            };
            assert!(counts("a", 20)? && !counts("a", 50)? && !counts("c", 20)?);
            assert_eq!(take("a", 20)?, Some(OneTimeLogin { used_wall_ms: Some(20), ..login("a") }));
            assert_eq!(take("a", 21)?, None);
            assert!(!counts("a", 21)?, "it was used");
            assert_eq!(take("b", 50)?, None);
            assert_eq!(take("c", 20)?, None);
            assert_eq!(database.write(|transaction| delete_expired(transaction, 50))?, 2);
            Ok(())
        });
    }

    #[test]
    fn of_many_at_once_one_wins() {
        on_both(|database| {
            let secret = ContentHash::of_bytes(b"a");
            let login = OneTimeLogin {
                secret_hash: secret,
                subject: "anna".into(),
                role: "viewer".into(),
                expires_wall_ms: 50,
                used_wall_ms: None,
            };
            database.write(|transaction| create(transaction, &login))?;
            let take = || database.write(|transaction| consume(transaction, secret, 20)).expect("it works");
            let winners = std::thread::scope(|scope| {
                let threads: Vec<_> = (0..8).map(|_| scope.spawn(take)).collect();
                threads.into_iter().filter_map(|thread| thread.join().expect("no panic")).count()
            });
            assert_eq!(winners, 1);
            Ok(())
        });
    }
}
