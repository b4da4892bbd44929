//! How much each agent may do by itself, and where.

use crate::storage::port::connection::{Connection, Transaction};
use crate::storage::port::error::Error;
use crate::storage::port::json::JsonText;
use crate::storage::port::record::{find, put as put_record, record, select};
use crate::storage::port::value::values;

record! {
    /// What was decided for an agent in a part of the federation.
    pub struct Mode in "modes" {
        /// Empty for all agents.
        pub agent: String,
        /// Empty for everywhere.
        pub scope: String,
        pub mode: String,
        pub settings: JsonText,
        pub changed_by: String,
        pub changed_wall_ms: i64,
    }
}

pub fn put(transaction: &mut dyn Transaction, mode: &Mode) -> Result<(), Error> {
    put_record(transaction, mode, &["agent", "scope"])
}

pub fn get(connection: &mut dyn Connection, agent: &str, scope: &str) -> Result<Option<Mode>, Error> {
    find(connection, "WHERE agent = $1 AND scope = $2", values![agent, scope])
}

/// Returns whether there was one.
pub fn remove(transaction: &mut dyn Transaction, agent: &str, scope: &str) -> Result<bool, Error> {
    let sql = "DELETE FROM modes WHERE agent = $1 AND scope = $2";
    Ok(transaction.execute(sql, values![agent, scope])? == 1)
}

/// All of them, the general ones of an agent before its special ones.
pub fn all(connection: &mut dyn Connection) -> Result<Vec<Mode>, Error> {
    select(connection, "ORDER BY agent, scope", &[])
}

/// A run begins without any.
pub fn clear(transaction: &mut dyn Transaction) -> Result<(), Error> {
    transaction.execute("DELETE FROM modes", &[]).map(drop)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::on_both;

    fn mode(agent: &str, scope: &str, mode: &str) -> Mode {
        Mode {
            agent: agent.into(),
            scope: scope.into(),
            mode: mode.into(),
            settings: JsonText::of(&mode.len()),
            changed_by: "anna".into(),
            changed_wall_ms: 5,
        }
    }

    #[test]
    fn one_mode_per_agent_and_scope() {
        on_both(|database| {
            database.write(|transaction| {
                put(transaction, &mode("planner", "shop", "ask"))?;
                put(transaction, &mode("planner", "", "ask"))?;
                put(transaction, &mode("", "", "watch"))?;
                put(transaction, &mode("planner", "", "automatic"))?;
                assert!(remove(transaction, "planner", "shop")?);
                assert!(!remove(transaction, "planner", "shop")?);
                Ok(())
            })?;
            let expected = [mode("", "", "watch"), mode("planner", "", "automatic")];
            assert_eq!(database.read(all)?, expected);
            assert_eq!(
                database.read(|connection| get(connection, "planner", ""))?,
                Some(expected[1].clone())
            );
            Ok(())
        });
    }
}
