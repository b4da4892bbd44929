//! What nobody needs any more goes, now and then: sessions that are over, answers that nobody asks for again, what was delivered.

use crate::clock::wall_ms;
use crate::desk::Desk;
use crate::storage::tables::{deliveries, idempotency, one_time_logins, sessions};
use crate::storage::{Error, Transaction};
use std::time::Duration;

/// Often enough that little is removed at a time, while somebody may wait for the same database.
const EVERY: Duration = Duration::from_mins(10);

const HOUR_MS: i64 = 3_600_000;

/// Requests with a key can be repeated for a day.
const KEYS_LAST_MS: i64 = 24 * HOUR_MS;

/// What was delivered can be looked at for a week.
const DELIVERED_LASTS_MS: i64 = 7 * 24 * HOUR_MS;

/// What was given up, for a quarter: long enough that somebody looks, and an end all the same.
const DEAD_LASTS_MS: i64 = 91 * 24 * HOUR_MS;

/// Cleans up until the desk closes.
pub(crate) async fn work(desk: Desk) {
    while desk.is_open() {
        // What fails is in the log, and tried again the next time.
        let _ = desk.write(|transaction| clean(transaction, wall_ms())).await;
        tokio::time::sleep(EVERY).await;
    }
}

fn clean(transaction: &mut dyn Transaction, now: i64) -> Result<(), Error> {
    sessions::delete_expired(transaction, now)?;
    one_time_logins::delete_expired(transaction, now)?;
    idempotency::delete_older_than(transaction, now - KEYS_LAST_MS)?;
    deliveries::forget(transaction, now - DELIVERED_LASTS_MS, now - DEAD_LASTS_MS)?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::access::{Role, one_time};
    use crate::testing::on_both;

    #[test]
    fn what_is_over_goes_and_the_rest_stays() {
        on_both(|database| {
            database.write(|transaction| {
                one_time(transaction, Role::Viewer, None, 0, HOUR_MS)?;
                one_time(transaction, Role::Viewer, None, 0, 9 * HOUR_MS)?;
                clean(transaction, 8 * HOUR_MS)
            })?;
            let left =
                database.read(|connection| connection.query("SELECT role FROM one_time_logins", &[]))?;
            assert_eq!(left.len(), 1);
            Ok(())
        });
    }
}
