//! Sessions of people who logged in, by the hash of the secret in their cookie.

use crate::storage::port::connection::{Connection, Transaction};
use crate::storage::port::error::Error;
use crate::storage::port::json::JsonText;
use crate::storage::port::record::{find, insert, record};
use crate::storage::port::value::values;
use model::hash::ContentHash;

record! {
    /// Somebody who is logged in.
    pub struct LoginSession in "sessions" {
        pub secret_hash: ContentHash,
        pub subject: String,
        pub role: String,
        pub scope: JsonText,
        /// Of the second secret, which a page sends along so that no other page can act in its place.
        pub csrf_hash: ContentHash,
        /// The token that it was opened with, if it was one.
        pub token: Option<String>,
        pub created_wall_ms: i64,
        /// When it is over if nothing more is done in it.
        pub expires_wall_ms: i64,
        /// When it is over whatever is done in it.
        pub ends_wall_ms: i64,
    }
}

impl LoginSession {
    /// Whether it goes on at this moment. The same as [`valid`] says in SQL.
    pub const fn counts(&self, wall_ms: i64) -> bool {
        self.expires_wall_ms > wall_ms
    }
}

pub fn create(transaction: &mut dyn Transaction, session: &LoginSession) -> Result<(), Error> {
    insert(transaction, session)
}

/// The session with this secret, if it is not over.
pub fn valid(
    connection: &mut dyn Connection,
    secret_hash: ContentHash,
    wall_ms: i64,
) -> Result<Option<LoginSession>, Error> {
    find(connection, "WHERE secret_hash = $1 AND expires_wall_ms > $2", values![secret_hash, wall_ms])
}

/// Lets a session go on until a later moment, and never beyond its end.
pub fn extend(
    transaction: &mut dyn Transaction,
    secret_hash: ContentHash,
    expires_wall_ms: i64,
) -> Result<(), Error> {
    let sql = "UPDATE sessions SET expires_wall_ms = CASE WHEN ends_wall_ms < $2 THEN ends_wall_ms ELSE $2 END \
               WHERE secret_hash = $1 AND expires_wall_ms < $2";
    transaction.execute(sql, values![secret_hash, expires_wall_ms]).map(drop)
}

/// Ends a session. Returns whether there was one.
pub fn end(transaction: &mut dyn Transaction, secret_hash: ContentHash) -> Result<bool, Error> {
    Ok(transaction.execute("DELETE FROM sessions WHERE secret_hash = $1", values![secret_hash])? == 1)
}

/// Ends all sessions of somebody, and says how many that were.
pub fn end_all_of(transaction: &mut dyn Transaction, subject: &str) -> Result<u64, Error> {
    transaction.execute("DELETE FROM sessions WHERE subject = $1", values![subject])
}

/// Ends all sessions that were opened with a token, and says how many that were.
pub fn end_all_with(transaction: &mut dyn Transaction, token: &str) -> Result<u64, Error> {
    transaction.execute("DELETE FROM sessions WHERE token = $1", values![token])
}

/// Forgets what is over, and says how many that were.
pub fn delete_expired(transaction: &mut dyn Transaction, wall_ms: i64) -> Result<u64, Error> {
    transaction.execute("DELETE FROM sessions WHERE expires_wall_ms <= $1", values![wall_ms])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::on_both;

    fn session(secret: &str, subject: &str) -> LoginSession {
        LoginSession {
            secret_hash: ContentHash::of_bytes(secret.as_bytes()),
            subject: subject.into(),
            role: "reviewer".into(),
            scope: JsonText::of(&["shop"]),
            csrf_hash: ContentHash::of_bytes(b"csrf"),
            token: (subject == "carl").then(|| "T-1".into()),
            created_wall_ms: 10,
            expires_wall_ms: 50,
            ends_wall_ms: 80,
        }
    }

    #[test]
    fn a_session_lasts_until_its_end() {
        on_both(|database| {
            let all =
                [session("1", "anna"), session("2", "anna"), session("3", "bert"), session("4", "carl")];
            let count = |at| -> Result<usize, Error> {
                database.read(|connection| {
                    let found = all.iter().map(|session| valid(connection, session.secret_hash, at));
                    Ok(found.collect::<Result<Vec<_>, Error>>()?.into_iter().flatten().count())
                })
            };
            database.write(|transaction| all.iter().try_for_each(|session| create(transaction, session)))?;
            assert_eq!((count(49)?, count(50)?), (4, 0));
            database.write(|transaction| {
                assert!(end(transaction, all[2].secret_hash)?);
                assert!(!end(transaction, all[2].secret_hash)?);
                assert_eq!(end_all_of(transaction, "anna")?, 2);
                Ok(())
            })?;
            assert_eq!(count(49)?, 1);
            assert_eq!(database.write(|transaction| end_all_with(transaction, "T-2"))?, 0);
            assert_eq!(database.write(|transaction| end_all_with(transaction, "T-1"))?, 1);
            assert_eq!(count(49)?, 0);
            Ok(())
        });
    }

    #[test]
    fn a_session_goes_on_while_it_is_used_and_ends_all_the_same() {
        on_both(|database| {
            let session = session("1", "anna");
            let lasts_until = |at| {
                let found = database.read(|connection| valid(connection, session.secret_hash, at));
                found.map(|found| found.map(|session| session.expires_wall_ms))
            };
            database.write(|transaction| create(transaction, &session))?;
            for (wished, until) in [(70, 70), (60, 70), (90, 80)] {
                database.write(|transaction| extend(transaction, session.secret_hash, wished))?;
                assert_eq!(lasts_until(40)?, Some(until), "{wished}");
            }
            assert_eq!(lasts_until(80)?, None);
            assert_eq!(database.write(|transaction| delete_expired(transaction, 80))?, 1);
            Ok(())
        });
    }
}
