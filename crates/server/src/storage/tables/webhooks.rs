//! Who wants to be told about what happens.

use crate::storage::port::connection::{Connection, Transaction};
use crate::storage::port::error::Error;
use crate::storage::port::json::JsonText;
use crate::storage::port::record::{find, insert, put as put_record, record, select};
use crate::storage::port::value::values;

record! {
    /// An address that is told about events.
    pub struct Webhook in "webhooks" {
        pub id: String,
        /// Where messages go, as people may see it.
        pub url: String,
        /// The kinds of events it wants; all if there are none.
        pub events: JsonText,
        /// Where the secret that signs is to be found; the secret itself is not kept here.
        pub secret_reference: Option<String>,
        pub created_by: String,
        pub created_wall_ms: i64,
        pub disabled_wall_ms: Option<i64>,
        /// How many messages it ever took.
        pub delivered: i64,
        pub succeeded_wall_ms: Option<i64>,
        pub failed_wall_ms: Option<i64>,
        /// What went wrong the last time that something did.
        pub last_error: Option<String>,
    }
}

pub fn create(transaction: &mut dyn Transaction, webhook: &Webhook) -> Result<(), Error> {
    insert(transaction, webhook)
}

/// Enters a webhook or changes it; what it was still to be told stays.
pub fn put(transaction: &mut dyn Transaction, webhook: &Webhook) -> Result<(), Error> {
    put_record(transaction, webhook, &["id"])
}

pub fn get(connection: &mut dyn Connection, id: &str) -> Result<Option<Webhook>, Error> {
    find(connection, "WHERE id = $1", values![id])
}

/// All of them, disabled ones too, oldest first.
pub fn all(connection: &mut dyn Connection) -> Result<Vec<Webhook>, Error> {
    select(connection, "ORDER BY created_wall_ms, id", &[])
}

/// Switches a webhook off at a moment, or on again. Returns whether there is such a webhook.
pub fn set_disabled(
    transaction: &mut dyn Transaction,
    id: &str,
    disabled_wall_ms: Option<i64>,
) -> Result<bool, Error> {
    let sql = "UPDATE webhooks SET disabled_wall_ms = $2 WHERE id = $1";
    Ok(transaction.execute(sql, values![id, disabled_wall_ms])? == 1)
}

/// Removes a webhook and everything it was still to be told. Returns whether there was one.
pub fn remove(transaction: &mut dyn Transaction, id: &str) -> Result<bool, Error> {
    Ok(transaction.execute("DELETE FROM webhooks WHERE id = $1", values![id])? == 1)
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::testing::on_both;

    pub(crate) fn webhook(id: &str) -> Webhook {
        Webhook {
            id: id.into(),
            url: "https://example.org/hook".into(),
            events: JsonText::of(&["reviewed"]),
            secret_reference: Some("file:hook.key".into()),
            created_by: "anna".into(),
            created_wall_ms: 10,
            disabled_wall_ms: None,
            delivered: 0,
            succeeded_wall_ms: None,
            failed_wall_ms: None,
            last_error: None,
        }
    }

    #[test]
    fn webhooks_come_go_and_rest() {
        on_both(|database| {
            database.write(|transaction| {
                create(transaction, &webhook("a"))?;
                create(transaction, &webhook("b"))?;
                assert!(set_disabled(transaction, "b", Some(20))?);
                assert!(!set_disabled(transaction, "c", Some(20))?);
                assert!(remove(transaction, "a")?);
                assert!(!remove(transaction, "a")?);
                Ok(())
            })?;
            let resting = Webhook { disabled_wall_ms: Some(20), ..webhook("b") };
            assert_eq!(database.read(all)?, std::slice::from_ref(&resting));
            assert_eq!(database.read(|connection| get(connection, "b"))?, Some(resting));
            Ok(())
        });
    }
}
