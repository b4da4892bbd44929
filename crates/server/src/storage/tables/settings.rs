//! What people set about the desk itself, each with a version so that two of them do not overwrite each other unseen.

use crate::storage::port::connection::at_most_one;
use crate::storage::port::connection::{Connection, Transaction};
use crate::storage::port::error::Error;
use crate::storage::port::json::JsonText;
use crate::storage::port::record::{find, record, select};
use crate::storage::port::value::values;

record! {
    /// A named value.
    pub struct Setting in "settings" {
        pub name: String,
        pub value: JsonText,
        /// 1 at first, one more with each change.
        pub version: i64,
    }
}

pub fn get(connection: &mut dyn Connection, name: &str) -> Result<Option<Setting>, Error> {
    find(connection, "WHERE name = $1", values![name])
}

pub fn all(connection: &mut dyn Connection) -> Result<Vec<Setting>, Error> {
    select(connection, "ORDER BY name", &[])
}

/// Sets a value and returns its new version.
pub fn put(transaction: &mut dyn Transaction, name: &str, value: &JsonText) -> Result<i64, Error> {
    let sql = "INSERT INTO settings (name, value, version) VALUES ($1, $2, 1) ON CONFLICT (name) DO UPDATE \
               SET value = excluded.value, version = settings.version + 1 RETURNING version";
    let row = at_most_one(transaction.query(sql, values![name, value.clone()])?)?;
    row.map_or(Ok(1), |row| row.get("version"))
}

/// Sets a value if it still has the version that the caller saw, 0 for none. Returns the new version, or none.
pub fn put_if(
    transaction: &mut dyn Transaction,
    name: &str,
    value: &JsonText,
    seen: i64,
) -> Result<Option<i64>, Error> {
    let found = get(transaction, name)?.map_or(0, |setting| setting.version);
    if found == seen { put(transaction, name, value).map(Some) } else { Ok(None) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::on_both;

    #[test]
    fn a_setting_changes_for_whoever_saw_the_last_one() {
        on_both(|database| {
            let set = |value: i64, seen| {
                database.write(|transaction| put_if(transaction, "retention", &JsonText::of(&value), seen))
            };
            assert_eq!(set(1, 3)?, None);
            assert_eq!(set(1, 0)?, Some(1));
            assert_eq!(set(2, 0)?, None);
            assert_eq!(set(2, 1)?, Some(2));
            let setting = Setting { name: "retention".into(), value: JsonText::of(&2), version: 2 };
            assert_eq!(database.read(|connection| get(connection, "retention"))?, Some(setting.clone()));
            assert_eq!(database.read(all)?, [setting]);
            Ok(())
        });
    }
}
