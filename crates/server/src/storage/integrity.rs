//! Whether a database is still whole. Damage that is found at the start does less harm than damage that is found by a person.

use super::migrations::{self, MIGRATIONS};
use super::port::connection::{Connection, Dialect};
use super::port::error::Error;

/// Findings that are told; a damaged file can have millions.
const TOLD: usize = 5;

/// Looks for damage. `place` is named in the error.
pub(crate) fn check(connection: &mut dyn Connection, place: &str) -> Result<(), Error> {
    let findings = match connection.dialect() {
        Dialect::Sqlite => file_findings(connection)?,
        Dialect::Postgres => server_findings(connection)?,
    };
    if !findings.is_empty() {
        let told: Vec<String> = findings.into_iter().take(TOLD).collect();
        return Err(Error::Damaged { place: place.to_owned(), finding: told.join("; ") });
    }
    let done = migrations::applied(connection)?;
    migrations::check_history(&done, MIGRATIONS, place)
}

/// Pages, records and indexes of the file, then rows that refer to rows which are not there.
fn file_findings(connection: &mut dyn Connection) -> Result<Vec<String>, Error> {
    let rows = connection.query("PRAGMA quick_check(5)", &[])?;
    let mut findings: Vec<String> =
        rows.iter().map(|row| row.get("quick_check")).collect::<Result<_, Error>>()?;
    findings.retain(|finding| finding != "ok");
    for row in connection.query("PRAGMA foreign_key_check", &[])? {
        let (table, parent): (String, String) = (row.get("table")?, row.get("parent")?);
        findings.push(format!("a row of {table} refers to a row of {parent} that is missing"));
    }
    Ok(findings)
}

/// A server guards its pages and references itself; what is left is whether it has our tables and can read the newest rows.
fn server_findings(connection: &mut dyn Connection) -> Result<Vec<String>, Error> {
    let present = migrations::tables(connection)?;
    let missing = super::tables::ALL.iter().filter(|table| !present.iter().any(|name| name == table.name));
    let findings: Vec<String> = missing.map(|table| format!("the table {} is missing", table.name)).collect();
    if findings.is_empty() {
        super::tables::journal::head(connection)?;
    }
    Ok(findings)
}
