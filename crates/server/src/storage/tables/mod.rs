//! The tables, one file each: plain structs in and out, statements that both databases understand.

pub mod checkpoints;
pub mod comparisons;
pub mod deliveries;
pub mod executions;
pub mod freezes;
pub mod idempotency;
pub mod journal;
pub mod models;
pub mod modes;
pub mod one_time_logins;
pub mod page;
pub mod recommendations;
pub mod reviews;
pub mod runs;
pub mod sessions;
pub mod settings;
pub mod snapshots;
pub mod tokens;
pub mod track_records;
pub mod webhooks;

/// A table and the columns that tell its rows apart.
pub(crate) struct Table {
    pub(crate) name: &'static str,
    pub(crate) key: &'static [&'static str],
}

const fn table(name: &'static str, key: &'static [&'static str]) -> Table {
    Table { name, key }
}

/// Every table besides the record of migrations, those first that others refer to.
pub(crate) const ALL: &[Table] = &[
    table("runs", &["id"]),
    table("journal", &["seq"]),
    table("snapshots", &["hash"]),
    table("recommendations", &["run", "id"]),
    table("recommendation_documents", &["run", "id"]),
    table("reviews", &["run", "recommendation", "seq"]),
    table("executions", &["run", "recommendation"]),
    table("freezes", &["id"]),
    table("modes", &["agent", "scope"]),
    table("track_records", &["agent", "measure"]),
    table("tokens", &["id"]),
    table("sessions", &["secret_hash"]),
    table("one_time_logins", &["secret_hash"]),
    table("idempotency", &["subject", "request_key"]),
    table("webhooks", &["id"]),
    table("deliveries", &["webhook", "seq", "part"]),
    table("models", &["hash"]),
    table("settings", &["name"]),
    table("comparisons", &["number"]),
    table("checkpoints", &["run"]),
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::storage::migrations;
    use crate::testing::on_both;

    #[test]
    fn the_list_is_what_the_migrations_make() {
        on_both(|database| {
            let mut found = database.read(|connection| migrations::tables(connection))?;
            found.retain(|name| name != "schema_migrations");
            let mut listed: Vec<&str> = ALL.iter().map(|table| table.name).collect();
            listed.sort_unstable();
            assert_eq!(found, listed);
            Ok(())
        });
    }
}
