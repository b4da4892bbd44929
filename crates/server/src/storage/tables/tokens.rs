//! Tokens of programs. The secret itself is shown once and kept nowhere; here is its hash.

use crate::storage::port::connection::{Connection, Transaction, at_most_one};
use crate::storage::port::error::Error;
use crate::storage::port::json::JsonText;
use crate::storage::port::record::{find, insert, record, select};
use crate::storage::port::value::values;
use model::hash::ContentHash;

record! {
    /// A right that a program can prove.
    pub struct Token in "tokens" {
        pub id: String,
        pub name: String,
        pub role: String,
        pub scope: JsonText,
        pub secret_hash: ContentHash,
        pub created_by: String,
        pub created_wall_ms: i64,
        pub expires_wall_ms: Option<i64>,
        pub used_wall_ms: Option<i64>,
        pub revoked_wall_ms: Option<i64>,
    }
}

impl Token {
    /// Whether it counts at this moment. The same as [`valid`] says in SQL.
    pub fn counts(&self, wall_ms: i64) -> bool {
        self.revoked_wall_ms.is_none() && self.expires_wall_ms.is_none_or(|end| end > wall_ms)
    }
}

/// Enters a token; [`Error::Duplicate`] when its id or its secret is taken.
pub fn create(transaction: &mut dyn Transaction, token: &Token) -> Result<(), Error> {
    insert(transaction, token)
}

pub fn get(connection: &mut dyn Connection, id: &str) -> Result<Option<Token>, Error> {
    find(connection, "WHERE id = $1", values![id])
}

/// The token with this secret, if it counts at this moment.
pub fn valid(
    connection: &mut dyn Connection,
    secret_hash: ContentHash,
    wall_ms: i64,
) -> Result<Option<Token>, Error> {
    let rest = "WHERE secret_hash = $1 AND revoked_wall_ms IS NULL AND (expires_wall_ms IS NULL OR expires_wall_ms > $2)";
    find(connection, rest, values![secret_hash, wall_ms])
}

/// All of them, revoked ones too, newest first.
pub fn all(connection: &mut dyn Connection) -> Result<Vec<Token>, Error> {
    select(connection, "ORDER BY created_wall_ms DESC, id DESC", &[])
}

/// All tokens of this name, revoked ones too.
pub fn named(connection: &mut dyn Connection, name: &str) -> Result<Vec<Token>, Error> {
    select(connection, "WHERE name = $1 ORDER BY created_wall_ms DESC, id DESC", values![name])
}

/// How many count at this moment.
pub fn counting(connection: &mut dyn Connection, wall_ms: i64) -> Result<i64, Error> {
    let sql = "SELECT COUNT(*) AS total FROM tokens \
               WHERE revoked_wall_ms IS NULL AND (expires_wall_ms IS NULL OR expires_wall_ms > $1)";
    let row = at_most_one(connection.query(sql, values![wall_ms])?)?;
    row.map_or(Ok(0), |row| row.get("total"))
}

/// Notes that a token was used.
pub fn touch(transaction: &mut dyn Transaction, id: &str, wall_ms: i64) -> Result<(), Error> {
    let sql = "UPDATE tokens SET used_wall_ms = $2 WHERE id = $1";
    transaction.execute(sql, values![id, wall_ms]).map(drop)
}

/// Ends a token. Returns whether there was one to end.
pub fn revoke(transaction: &mut dyn Transaction, id: &str, wall_ms: i64) -> Result<bool, Error> {
    let sql = "UPDATE tokens SET revoked_wall_ms = $2 WHERE id = $1 AND revoked_wall_ms IS NULL";
    Ok(transaction.execute(sql, values![id, wall_ms])? == 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::on_both;

    fn token(id: &str, expires_wall_ms: Option<i64>) -> Token {
        Token {
            id: id.into(),
            name: "nightly report".into(),
            role: "viewer".into(),
            scope: JsonText::of(&["shop"]),
            secret_hash: ContentHash::of_bytes(id.as_bytes()),
            created_by: "anna".into(),
            created_wall_ms: 10,
            expires_wall_ms,
            used_wall_ms: None,
            revoked_wall_ms: None,
        }
    }

    #[test]
    fn a_token_counts_until_it_expires_or_is_revoked() {
        on_both(|database| {
            database.write(|transaction| {
                create(transaction, &token("a", None))?;
                create(transaction, &token("b", Some(50)))?;
                touch(transaction, "a", 20)
            })?;
            let valid_at = |id: &str, at| {
                let secret = ContentHash::of_bytes(id.as_bytes());
                database.read(|connection| valid(connection, secret, at)).map(|found| found.is_some())
            };
            assert!(valid_at("a", 1_000)? && valid_at("b", 49)?);
            assert!(!valid_at("b", 50)? && !valid_at("c", 0)?);
            database.write(|transaction| {
                assert!(revoke(transaction, "a", 60)?);
                assert!(!revoke(transaction, "a", 70)?, "it was revoked already");
                Ok(())
            })?;
            assert!(!valid_at("a", 61)?);
            let counting_at = |at| database.read(|connection| counting(connection, at));
            assert_eq!((counting_at(49)?, counting_at(50)?), (1, 0));
            let revoked = Token { used_wall_ms: Some(20), revoked_wall_ms: Some(60), ..token("a", None) };
            assert_eq!(database.read(|connection| get(connection, "a"))?, Some(revoked.clone()));
            assert_eq!(database.read(all)?, [token("b", Some(50)), revoked]);
            assert_eq!(database.read(|connection| named(connection, "nightly report"))?.len(), 2);
            assert_eq!(database.read(|connection| named(connection, "daily report"))?, []);
            Ok(())
        });
    }

    #[test]
    fn two_tokens_never_share_a_secret() {
        on_both(|database| {
            let twin = Token { id: "b".into(), ..token("a", None) };
            database.write(|transaction| create(transaction, &token("a", None)))?;
            let refused = database.write(|transaction| create(transaction, &twin));
            assert!(matches!(refused, Err(Error::Duplicate { .. })), "{refused:?}");
            Ok(())
        });
    }
}
